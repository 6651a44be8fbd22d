#include "core/mirror.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/coherent.hpp"
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
  const auto blocked = [&](std::size_t i, Vec3 from, Vec3 to) {
    Ray ray;
    return open_segment(from, to, tolerance, &ray) && any_hit(scene, ray, ignore.of(i));
  };
  if (count < coherent_minimum || eyes.single || points.single) {
    // Few, or alike by themselves.
    parallel_for(count, pairs_per_piece, threads, [&](std::size_t first, std::size_t last) {
      const FlushDenormals flush;
      Vec3 hit;
      for (std::size_t i = first; i < last; ++i) {
        free[i] = mirror_hit(mirror, eyes[i], points[i], &hit) && !blocked(i, eyes[i], hit) &&
                  !blocked(i, hit, points[i]);
      }
    });
    return;
  }
  // Leg by leg, each in an order of its own.
  const CoherentKey key(scene.bounds());
  std::vector<std::uint32_t> keys(count, CoherentKey::none);
  parallel_for(count, pairs_per_piece, threads, [&](std::size_t first, std::size_t last) {
    Vec3 hit;
    for (std::size_t i = first; i < last; ++i) {
      free[i] = mirror_hit(mirror, eyes[i], points[i], &hit);
      if (free[i]) keys[i] = key(eyes[i], hit);
    }
  });
  const auto trace = [&](const std::vector<std::uint32_t>& order, Rows<Vec3> ends) {
    parallel_for(order.size(), pairs_per_piece, threads, [&](std::size_t first, std::size_t last) {
      const FlushDenormals flush;
      Vec3 hit;
      for (std::size_t k = first; k < last; ++k) {
        if (k + coherent_ahead < last) {
          const std::size_t next = order[k + coherent_ahead];
          prefetch(eyes[next]);
          prefetch(points[next]);
          prefetch(keys[next]);
          prefetch(free[next]);
        }
        const std::size_t i = order[k];
        mirror_hit(mirror, eyes[i], points[i], &hit);
        free[i] = !blocked(i, ends[i], hit);
        keys[i] = free[i] ? key(points[i], hit) : CoherentKey::none;
      }
    });
  };
  trace(coherent_order(keys), eyes);
  trace(coherent_order(keys), points);
}

}  // namespace esi
