#include "core/outline.hpp"

#include <cmath>
#include <limits>

#include "core/parallel.hpp"

namespace esi {
namespace {

constexpr std::size_t kGrain = 256;
constexpr double kNear = 1e-3;  // vertices that may come this near make the answer "perhaps"
constexpr double kInf = std::numeric_limits<double>::infinity();

// What one vertex can do while the unknowns stay in the cell: |g . dp| for a direction g.
struct Motion {
  double rx, ry, rise;  // vertex relative to the object's axis and floor point, at scale 1
  double scale;
  UprightCell cell;
  double bend;  // what is not linear in yaw and scale, and the tolerance of rest

  double along(const Vec3& g) const {
    return (std::abs(g.x) + std::abs(g.y)) * cell.xy +
           std::abs(g.y * rx - g.x * ry) * scale * cell.yaw +
           std::abs(g.x * rx + g.y * ry + g.z * rise) * cell.scale +
           std::sqrt(g.x * g.x + g.y * g.y + g.z * g.z) * bend;
  }
};

// Bounds of the smallest and of the largest coordinate of the silhouette along one axis.
struct Edge {
  double low_from = kInf, low_to = kInf, high_from = -kInf, high_to = -kInf;
  void add(double pixel, double gap) {
    low_from = std::min(low_from, pixel - gap);
    low_to = std::min(low_to, pixel + gap);
    high_from = std::max(high_from, pixel - gap);
    high_to = std::max(high_to, pixel + gap);
  }
};

bool explains(Span<const Vec3> hull, const OutlineView& view, const UprightState& state,
              const UprightCell& cell, const OutlineSettings& settings) {
  const double c = std::cos(state.yaw), s = std::sin(state.yaw);
  Edge edges[2];
  double nearest = kInf, farthest = -kInf;
  for (const Vec3& v : hull) {
    Motion motion;
    motion.rx = c * v.x - s * v.y;
    motion.ry = s * v.x + c * v.y;
    motion.rise = settings.base + v.z;
    motion.scale = state.scale;
    motion.cell = cell;
    const double reach = std::hypot(v.x, v.y);
    motion.bend = reach * (settings.max_scale * cell.yaw * cell.yaw / 2 + cell.yaw * cell.scale) +
                  settings.rest;
    const Vec3 p{motion.rx * state.scale + state.x - view.position.x,
                 motion.ry * state.scale + state.y - view.position.y,
                 motion.rise * state.scale + settings.floor_z - view.position.z};
    const double depth = -dot(p, view.back);
    const double sway = motion.along(view.back);
    nearest = std::min(nearest, depth - sway);
    farthest = std::max(farthest, depth + sway);
    if (depth - sway <= kNear) continue;
    // u = f X / Z moves by f (g . dp) / (Z after the move) with g = right + (X / Z) back.
    const double x = dot(p, view.right) / depth, y = dot(p, view.up) / depth;
    const double reach_px = view.focal / (depth - sway);
    edges[0].add(view.center[0] + view.focal * x,
                 reach_px * motion.along(view.right + x * view.back));
    edges[1].add(view.center[1] - view.focal * y, reach_px * motion.along(view.up + y * view.back));
  }
  if (farthest < 0) return false;
  if (nearest <= kNear) return true;
  const double t = settings.tolerance_px;
  for (int axis = 0; axis < 2; ++axis) {
    const Edge& edge = edges[axis];
    if (edge.low_from > view.low[axis] + t || edge.high_to < view.high[axis] - t) return false;
    if (view.free_low[axis] && edge.low_to < view.low[axis] - t) return false;
    if (view.free_high[axis] && edge.high_from > view.high[axis] + t) return false;
  }
  return true;
}

}  // namespace

void outline_explains(Span<const Vec3> hull, Span<const OutlineView> views,
                      Span<const UprightState> states, const UprightCell& cell,
                      const OutlineSettings& settings, int threads, bool* keep) {
  parallel_for(states.size(), kGrain, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      keep[i] = true;
      for (const OutlineView& view : views) {
        if (explains(hull, view, states[i], cell, settings)) continue;
        keep[i] = false;
        break;
      }
    }
  });
}

}  // namespace esi
