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

  // Distance and unit direction of its growth at a point, by linear interpolation; no direction
  // where the field is flat. False outside the grid.
  bool sample(Vec3 point, double* distance, Vec3* outward) const;
  // How far (at least) a point outside the grid is from it; 0 inside.
  double outside(Vec3 point) const;

 private:
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
