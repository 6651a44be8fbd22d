// Solids as fields of distances: what cloth and liquid collide with.
#pragma once

#include <cstdint>
#include <vector>

#include "core/types.hpp"

namespace esi {

// Signed distances (metres, negative inside) at the nodes of a grid, x slowest, z fastest.
class DistanceField {
 public:
  DistanceField(Vec3 origin, double spacing, const std::int64_t (&shape)[3],
                std::vector<double> values);

  // Where a point lies: the node below it, and its share of the way to the next along each axis.
  struct Cell {
    const double* node;
    double share[3];
  };
  // False outside the grid.
  bool find(Vec3 point, Cell* cell) const {
    const Vec3 q = (point - origin_) * per_metre_;
    std::int64_t at[3];
    for (int k = 0; k < 3; ++k) {
      if (!(q[k] >= 0.0) || !(q[k] < static_cast<double>(shape_[k] - 1))) return false;
      at[k] = static_cast<std::int64_t>(q[k]);
      cell->share[k] = q[k] - static_cast<double>(at[k]);
    }
    cell->node = values_.data() + (at[0] * shape_[1] + at[1]) * shape_[2] + at[2];
    return true;
  }
  // By linear interpolation along z first, then y, then x.
  double distance(const Cell& cell) const {
    const double *v = cell.node, *t = cell.share;
    const std::int64_t row = shape_[2], plane = shape_[1] * shape_[2];
    const double y0 = mix(mix(v[0], v[1], t[2]), mix(v[row], v[row + 1], t[2]), t[1]);
    const double y1 =
        mix(mix(v[plane], v[plane + 1], t[2]), mix(v[plane + row], v[plane + row + 1], t[2]), t[1]);
    return mix(y0, y1, t[0]);
  }
  // Unit direction in which the distance grows; zero where the field is flat.
  Vec3 outward(const Cell& cell) const;

  // Distance and unit direction of its growth at a point, by linear interpolation; no direction
  // where the field is flat. False outside the grid.
  bool sample(Vec3 point, double* distance, Vec3* outward) const;
  // How far (at least) a point outside the grid is from it; 0 inside.
  double outside(Vec3 point) const;

 private:
  static double mix(double a, double b, double s) { return a + (b - a) * s; }

  Vec3 origin_;
  double spacing_, per_metre_;
  std::int64_t shape_[3];
  std::vector<double> values_;
};

// A field placed in the world by a rigid pose, and all below a plane.
struct Obstacle {
  const DistanceField* field = nullptr;
  Affine pose;
  double friction = 0.5;
};

struct HalfSpace {
  Vec3 normal{0, 0, 1};  // unit, away from the solid
  double offset = 0;     // of the plane: dot(normal, p) = offset
  double friction = 0.5;
};

}  // namespace esi
