#include "core/mirror.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/errorfree.hpp"
#include "core/parallel.hpp"

namespace esi {
namespace {

constexpr std::size_t pairs_per_piece = 4096;
// Enough for an order that gains, few enough for the copies to stay in the cache's reach.
constexpr std::size_t pairs_per_block = 262144;

// Depths below this part of the coordinates are rounding: such a point is in the mirror's plane.
constexpr double in_plane = 1e-14;

double largest(Vec3 p) { return std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}); }

// Where depths add up to less than this part of the way from one to the other (squared), the spot
// between their feet is looked for with all digits: it hangs on the quotient of two small depths,
// whose rounding moves it by as much times the distance over the depths.
constexpr double grazing = 1.0 / 16.0;

// Mirror::depth with nothing lost but the last rounding.
double exact_depth(const Mirror& mirror, Vec3 p) {
  double sum = 0.0, lost = 0.0;
  for (int k = 0; k < 3; ++k) {
    const Rounded side = exact_difference(p[k], mirror.center[k]);
    const Rounded part = exact_product(mirror.normal[k], side.value);
    const Rounded total = exact_sum(sum, part.value);
    sum = total.value;
    lost += total.error + (part.error + mirror.normal[k] * side.error);
  }
  return sum + lost;
}

}  // namespace

bool mirror_hit(const Mirror& mirror, Vec3 eye, Vec3 point, Vec3* hit) {
  double a = mirror.depth(eye), b = mirror.depth(point);
  const Vec3 way = point - eye;
  if ((a + b) * (a + b) < grazing * dot(way, way)) {
    a = exact_depth(mirror, eye);
    b = exact_depth(mirror, point);
  }
  const Vec3 foot_a = eye - mirror.normal * a;
  const Vec3 foot_b = point - mirror.normal * b;
  const double rounding =
      in_plane * (largest(mirror.center) + std::max(largest(eye), largest(point)));
  if (!(a > rounding && b > rounding)) {
    *hit = (foot_a + foot_b) * 0.5;
    return false;
  }
  *hit = foot_a + (foot_b - foot_a) * (a / (a + b));
  const Vec3 offset = *hit - mirror.center;
  return std::abs(dot(offset, mirror.along_width)) <= mirror.half_width &&
         std::abs(dot(offset, mirror.along_height)) <= mirror.half_height;
}

void visible_through(const SceneView& scene, const Mirror& mirror, std::size_t count,
                     Rows<Vec3> eyes, Rows<Vec3> points, const IgnoreRows& ignore, double tolerance,
                     int threads, bool* free) {
  std::vector<Vec3> hits, starts, ends;
  std::vector<std::size_t> open;
  std::vector<std::int32_t> ids;
  std::unique_ptr<bool[]> seen(new bool[std::min(count, pairs_per_block)]);
  for (std::size_t begin = 0; begin < count; begin += pairs_per_block) {
    const std::size_t size = std::min(pairs_per_block, count - begin);
    hits.resize(size);
    parallel_for(size, pairs_per_piece, threads, [&](std::size_t first, std::size_t last) {
      for (std::size_t k = first; k < last; ++k) {
        free[begin + k] = mirror_hit(mirror, eyes[begin + k], points[begin + k], &hits[k]);
      }
    });
    // Leg by leg, and only what is still open: batches of plain segments, which are traced in an
    // order that suits the scene.
    for (const Rows<Vec3>& outer : {eyes, points}) {
      open.clear();
      for (std::size_t i = begin; i < begin + size; ++i) {
        if (free[i]) open.push_back(i);
      }
      starts.resize(open.size());
      ends.resize(open.size());
      if (!ignore.shared) ids.resize(open.size() * ignore.per_ray);
      for (std::size_t k = 0; k < open.size(); ++k) {
        starts[k] = outer[open[k]];
        ends[k] = hits[open[k] - begin];
        if (ignore.shared) continue;
        const Ignore own = ignore.of(open[k]);
        std::copy(own.begin(), own.end(),
                  ids.begin() + static_cast<std::ptrdiff_t>(k * own.size()));
      }
      const IgnoreRows passed = ignore.shared ? ignore : IgnoreRows{ids, ignore.per_ray, false};
      visible(scene, open.size(), {starts.data(), false}, {ends.data(), false}, passed, tolerance,
              threads, seen.get());
      for (std::size_t k = 0; k < open.size(); ++k) free[open[k]] = seen[k];
    }
  }
}

}  // namespace esi
