// Exact rays through a scene: closest hit, any hit, all hits; single and in batches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/scene.hpp"
#include "core/types.hpp"

namespace esi {

// Points origin + t * direction with near <= t <= far. The direction need not be of unit length;
// t is in units of it. near must not be negative.
struct Ray {
  Vec3 origin, direction;
  double near = 0;
  double far = std::numeric_limits<double>::infinity();
};

// Object ids that a ray passes through.
using Ignore = Span<const std::int32_t>;

struct Hit {
  double t = std::numeric_limits<double>::infinity();
  std::int32_t instance = -1;  // -1: nothing was hit
  std::int32_t face = -1;      // index in the instance's mesh
  // Weights of the face's second and third corner; the first one's is 1 - u - v.
  double u = 0, v = 0;

  explicit operator bool() const { return instance >= 0; }
};

// Finite, from within largest_coordinate, and with a direction that is not zero.
bool is_valid(const Ray& ray);

// The hit of smallest t; among equal ones that of the smallest instance, then face. `ray` is valid.
Hit closest_hit(const SceneView& scene, const Ray& ray, Ignore ignore = {});

// Whether anything is hit; agrees with closest_hit. `ray` is valid.
bool any_hit(const SceneView& scene, const Ray& ray, Ignore ignore = {});

// Appends every hit, ordered by t, instance, face. `ray` is valid.
void all_hits(const SceneView& scene, const Ray& ray, Ignore ignore, std::vector<Hit>& hits);

// Unit vector along (second - first corner) x (third - first corner).
Vec3 face_normal(const Instance& instance, std::int32_t face);

// What each ray of a batch ignores: one list for all, or one row per ray. -1 fills short rows.
struct IgnoreRows {
  Span<const std::int32_t> ids;
  std::size_t per_ray = 0;
  bool shared = true;

  Ignore of(std::size_t i) const { return shared ? ids : ids.subspan(i * per_ray, per_ray); }
};

// A view of rows of which there are n or a single one that serves for all.
template <class T>
struct Rows {
  const T* data = nullptr;
  bool single = false;

  const T& operator[](std::size_t i) const { return data[single ? 0 : i]; }
};

// Rays of a batch; directions of any length, near and far in metres.
struct RayRows {
  std::size_t count = 0;
  Rows<Vec3> origins, directions;
  Rows<double> near, far;

  // The ray with a unit direction; false if it is not valid.
  bool get(std::size_t i, Ray* ray) const;
};

// Batches on several threads. hits[i] stays a miss where valid[i] is false.
void closest_hits(const SceneView& scene, const RayRows& rays, const IgnoreRows& ignore,
                  int threads, Hit* hits, bool* valid);
void any_hits(const SceneView& scene, const RayRows& rays, const IgnoreRows& ignore, int threads,
              bool* hit);
// Hits of ray i are hits[offsets[i]] up to hits[offsets[i + 1]]; offsets has count + 1 entries.
void all_hits(const SceneView& scene, const RayRows& rays, const IgnoreRows& ignore, int threads,
              std::vector<Hit>* hits, std::int64_t* offsets);

// Makes denormal numbers zero in this thread while it lives, which keeps Embree's traversal fast.
// Results depend on it only where coordinates differ by less than 1e-300 m. Batches do it by
// themselves.
class FlushDenormals {
 public:
  FlushDenormals();
  ~FlushDenormals();
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
  unsigned before_;
};

// How many ray-triangle pairs single precision left undecided since the last reset, in all threads.
std::uint64_t recheck_count();
void reset_recheck_count();

// For tests of the tests: with `false`, undecided pairs keep the answer of single precision, which
// the exactness tests must notice.
void set_recheck(bool enabled);

}  // namespace esi
