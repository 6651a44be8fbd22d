#include "core/outline.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "core/clones.hpp"
#include "core/parallel.hpp"

namespace esi {
namespace {

constexpr std::size_t kGrain = 256;
constexpr double kNear = 1e-3;  // vertices that may come this near make the answer "perhaps"
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr int kGroup = 8;  // vertices looked at together, in vector registers

using Lanes = std::array<double, kGroup>;

double smallest(const Lanes& v) { return *std::min_element(v.begin(), v.end()); }
double largest(const Lanes& v) { return *std::max_element(v.begin(), v.end()); }
inline double min2(double a, double b) { return a < b ? a : b; }
inline double max2(double a, double b) { return a > b ? a : b; }

// Lane by lane: where along one axis of the picture the silhouette may begin and end.
struct Bounds {
  Lanes low_from, low_to, high_from, high_to;
};

// Coordinate by coordinate, filled up to whole groups with the last vertex.
struct Hull {
  std::vector<double> x, y, z, reach;  // reach: distance from the model's axis
  explicit Hull(Span<const Vec3> vertices) {
    const std::size_t count = (vertices.size() + kGroup - 1) / kGroup * kGroup;
    for (std::size_t i = 0; i < count; ++i) {
      const Vec3& v = vertices[std::min(i, vertices.size() - 1)];
      x.push_back(v.x);
      y.push_back(v.y);
      z.push_back(v.z);
      reach.push_back(std::hypot(v.x, v.y));
    }
  }
};

}  // namespace

// Not in an anonymous namespace: clones need a name that the linker sees.
ESI_CLONES bool outline_explains_one(const Hull& hull, const OutlineView& view,
                                     const UprightState& state, const UprightCell& cell,
                                     const OutlineSettings& settings);

ESI_CLONES bool outline_explains_one(const Hull& hull, const OutlineView& view,
                                     const UprightState& state, const UprightCell& cell,
                                     const OutlineSettings& settings) {
  const double c = std::cos(state.yaw), s = std::sin(state.yaw), t = settings.tolerance_px;
  const double turn = state.scale * cell.yaw;
  const double curve = settings.max_scale * cell.yaw * cell.yaw / 2 + cell.yaw * cell.scale;
  const Vec3 shift{state.x - view.position.x, state.y - view.position.y,
                   settings.floor_z - view.position.z};
  const Vec3 right = view.right, up = view.up, back = view.back;
  // How far outside a free edge each axis may show a vertex; nothing is too far outside others.
  double least[2], most[2];
  for (int axis = 0; axis < 2; ++axis) {
    least[axis] = view.free_low[axis] ? view.low[axis] - t : -kInf;
    most[axis] = view.free_high[axis] ? view.high[axis] + t : kInf;
  }
  Bounds bounds[2];
  Lanes nearest, farthest;
  for (int i = 0; i < kGroup; ++i) {
    nearest[i] = kInf;
    farthest[i] = -kInf;
    for (Bounds& edges : bounds) {
      edges.low_from[i] = edges.low_to[i] = kInf;
      edges.high_from[i] = edges.high_to[i] = -kInf;
    }
  }
  for (std::size_t first = 0; first < hull.x.size(); first += kGroup) {
    const double *vx = hull.x.data() + first, *vy = hull.y.data() + first,
                 *vz = hull.z.data() + first, *reach = hull.reach.data() + first;
    Lanes near, far, at[2], gap[2], outside;
    for (int i = 0; i < kGroup; ++i) {
      // The vertex relative to the object's axis and floor point, at scale 1.
      const double rx = c * vx[i] - s * vy[i], ry = s * vx[i] + c * vy[i];
      const double rise = settings.base + vz[i];
      // What is not linear in yaw and scale, and the tolerance of rest.
      const double bend = reach[i] * curve + settings.rest;
      const Vec3 p{rx * state.scale + shift.x, ry * state.scale + shift.y,
                   rise * state.scale + shift.z};
      // What the vertex can do along a direction g while the unknowns stay in the cell: |g . dp|.
      const auto motion = [&](double gx, double gy, double gz) {
        return (std::abs(gx) + std::abs(gy)) * cell.xy + std::abs(gy * rx - gx * ry) * turn +
               std::abs(gx * rx + gy * ry + gz * rise) * cell.scale +
               std::sqrt(gx * gx + gy * gy + gz * gz) * bend;
      };
      const double depth = -dot(p, back), sway = motion(back.x, back.y, back.z);
      near[i] = depth - sway;
      far[i] = depth + sway;
      // u = f X / Z moves by f (g . dp) / (Z after the move) with g = right + (X / Z) back.
      const double x = dot(p, right) / depth, y = dot(p, up) / depth;
      const double pixels = view.focal / near[i];
      at[0][i] = view.center[0] + view.focal * x;
      at[1][i] = view.center[1] - view.focal * y;
      gap[0][i] = pixels * motion(right.x + x * back.x, right.y + x * back.y, right.z + x * back.z);
      gap[1][i] = pixels * motion(up.x + y * back.x, up.y + y * back.y, up.z + y * back.z);
    }
    for (int i = 0; i < kGroup; ++i) {
      nearest[i] = min2(nearest[i], near[i]);
      farthest[i] = max2(farthest[i], far[i]);
      outside[i] = 0.0;
    }
    for (int axis = 0; axis < 2; ++axis) {
      Bounds& edges = bounds[axis];
      const double low = least[axis], high = most[axis];
      for (int i = 0; i < kGroup; ++i) {
        // A vertex that may come too near counts for nothing here.
        const bool ahead = near[i] > kNear;
        const double from = at[axis][i] - gap[axis][i], to = at[axis][i] + gap[axis][i];
        edges.low_from[i] = min2(edges.low_from[i], ahead ? from : kInf);
        edges.low_to[i] = min2(edges.low_to[i], ahead ? to : kInf);
        edges.high_from[i] = max2(edges.high_from[i], ahead ? from : -kInf);
        edges.high_to[i] = max2(edges.high_to[i], ahead ? to : -kInf);
        outside[i] += (ahead ? to : kInf) < low ? 1.0 : 0.0;
        outside[i] += (ahead ? from : -kInf) > high ? 1.0 : 0.0;
      }
    }
    // One vertex that is outside wherever the object stands in the cell is enough.
    double any = 0.0;
    for (int i = 0; i < kGroup; ++i) any += outside[i];
    if (any > 0.0) return false;
  }
  if (largest(farthest) < 0) return false;
  if (smallest(nearest) <= kNear) return true;
  for (int axis = 0; axis < 2; ++axis) {
    const Bounds& edges = bounds[axis];
    if (smallest(edges.low_from) > view.low[axis] + t) return false;
    if (largest(edges.high_to) < view.high[axis] - t) return false;
    if (view.free_low[axis] && smallest(edges.low_to) < view.low[axis] - t) return false;
    if (view.free_high[axis] && largest(edges.high_from) > view.high[axis] + t) return false;
  }
  return true;
}

void outline_explains(Span<const Vec3> vertices, Span<const OutlineView> views,
                      Span<const UprightState> states, const UprightCell& cell,
                      const OutlineSettings& settings, int threads, bool* keep) {
  const Hull hull(vertices);
  parallel_for(states.size(), kGrain, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      keep[i] = true;
      for (const OutlineView& view : views) {
        if (outline_explains_one(hull, view, states[i], cell, settings)) continue;
        keep[i] = false;
        break;
      }
    }
  });
}

}  // namespace esi
