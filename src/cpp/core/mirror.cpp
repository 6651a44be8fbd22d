#include "core/mirror.hpp"

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"

namespace esi {
namespace {

constexpr std::size_t pairs_per_piece = 2048;

// Depths below this part of the coordinates are rounding: such a point is in the mirror's plane.
constexpr double in_plane = 1e-14;

double largest(Vec3 p) { return std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}); }

}  // namespace

bool mirror_hit(const Mirror& mirror, Vec3 eye, Vec3 point, Vec3* hit) {
  const double a = mirror.depth(eye), b = mirror.depth(point);
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
  parallel_for(count, pairs_per_piece, threads, [&](std::size_t first, std::size_t last) {
    const FlushDenormals flush;
    Vec3 hit;
    Ray ray;
    for (std::size_t i = first; i < last; ++i) {
      const auto blocked = [&](Vec3 from, Vec3 to) {
        return open_segment(from, to, tolerance, &ray) && any_hit(scene, ray, ignore.of(i));
      };
      free[i] = mirror_hit(mirror, eyes[i], points[i], &hit) && !blocked(eyes[i], hit) &&
                !blocked(hit, points[i]);
    }
  });
}

}  // namespace esi
