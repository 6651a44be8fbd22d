#include "core/occlusion.hpp"

#include <vector>

#include "core/parallel.hpp"
#include "core/ray_order.hpp"

namespace esi {
namespace {

constexpr std::size_t segments_per_piece = 4096;
// From here on sorting the segments costs less than the cache misses it saves.
constexpr std::size_t sort_segments = 32768, sort_triangles = 100000;
// Sorted segments are scattered in memory: each step asks for what a later one reads, without which
// the sorting gains nothing.
constexpr std::size_t ahead = 24;

template <class T>
void prefetch(const T& value) {
  const char* bytes = reinterpret_cast<const char*>(&value);
  __builtin_prefetch(bytes);
  if (sizeof(T) > 1) __builtin_prefetch(bytes + sizeof(T) - 1);
}

}  // namespace

bool open_segment(Vec3 start, Vec3 end, double tolerance, Ray* ray) {
  *ray = {start, end - start, tolerance, 1 - tolerance};
  return is_valid(*ray) && ray->near <= ray->far;
}

void visible(const SceneView& scene, std::size_t count, Rows<Vec3> starts, Rows<Vec3> ends,
             const IgnoreRows& ignore, double tolerance, int threads, bool* free) {
  std::vector<std::uint32_t> order;
  if (count >= sort_segments && scene.triangle_count() >= sort_triangles) {
    order = coherent_order(scene.frame(), count, starts, ends, threads);
  }
  parallel_for(count, segments_per_piece, threads, [&](std::size_t first, std::size_t last) {
    const FlushDenormals flush;
    Ray ray;
    for (std::size_t k = first; k < last; ++k) {
      if (k + ahead < order.size()) {
        const std::size_t next = order[k + ahead];
        prefetch(starts[next]);
        prefetch(ends[next]);
        prefetch(free[next]);
      }
      const std::size_t i = order.empty() ? k : order[k];
      free[i] =
          !(open_segment(starts[i], ends[i], tolerance, &ray) && any_hit(scene, ray, ignore.of(i)));
    }
  });
}

void visibility_matrix(const SceneView& scene, Span<const Vec3> starts, Span<const Vec3> ends,
                       const IgnoreRows& ignore, double tolerance, int threads, bool* free) {
  if (ends.empty()) return;
  parallel_for(starts.size() * ends.size(), segments_per_piece, threads,
               [&](std::size_t first, std::size_t last) {
                 const FlushDenormals flush;
                 Ray ray;
                 for (std::size_t i = first; i < last; ++i) {
                   const std::size_t row = i / ends.size(), column = i % ends.size();
                   free[i] = !(open_segment(starts[row], ends[column], tolerance, &ray) &&
                               any_hit(scene, ray, ignore.of(row)));
                 }
               });
}

void first_blocker(const SceneView& scene, std::size_t count, Rows<Vec3> starts, Rows<Vec3> ends,
                   const IgnoreRows& ignore, double tolerance, int threads,
                   std::int32_t* object_id) {
  parallel_for(count, segments_per_piece, threads, [&](std::size_t first, std::size_t last) {
    const FlushDenormals flush;
    Ray ray;
    for (std::size_t i = first; i < last; ++i) {
      Hit hit;
      if (open_segment(starts[i], ends[i], tolerance, &ray)) {
        hit = closest_hit(scene, ray, ignore.of(i));
      }
      object_id[i] = hit ? scene.instance(hit.instance).object_id : -1;
    }
  });
}

}  // namespace esi
