// Liquid by position-based dynamics: particles that keep the density of the liquid.
//
// M. Macklin, M. Mueller: Position Based Fluids (SIGGRAPH 2013). What a solid takes away from the
// volume around a particle counts as liquid at rest (after J. Bender et al., Implicit
// Frictionless Boundary Handling, TVCG 2019), so that liquid packs no denser at walls; particles on
// two sides of a wall do not see each other; and a particle's way is followed through the fields,
// so that none passes a wall, however thin and however fast.
#pragma once

#include <cstdint>
#include <vector>

#include "core/field.hpp"
#include "core/types.hpp"

namespace esi {

struct FluidSettings {
  double radius = 0.005;    // m, of a particle: they lie two radii apart
  double viscosity = 0.05;  // share of its neighbours' velocity that a particle takes on in a step
  int iterations = 5;
};

// A solid that moves from one rigid pose to another while time passes.
struct MovingObstacle {
  const DistanceField* field = nullptr;
  Affine from, to;
};

// Results depend on the start alone, not on the number of threads.
class Fluid {
 public:
  Fluid(Span<const Vec3> positions, const FluidSettings& settings);

  // Advances by `steps` steps of `dt` seconds; obstacles move along with them, step by step.
  void step(double dt, int steps, Vec3 gravity, Span<const MovingObstacle> obstacles,
            Span<const HalfSpace> planes, int threads);

  std::size_t size() const { return positions.size(); }
  // Density over the density at rest, per particle, as of the last step.
  const std::vector<double>& density() const { return density_; }
  double mean_speed() const;

  std::vector<Vec3> positions, velocities;

 private:
  struct Wall {
    double distance;
    Vec3 outward;
  };
  struct Placed {
    const DistanceField* field;
    Affine pose, to_local, was_local;  // now, its inverse, and the inverse a step ago
  };
  double kernel(double distance) const;
  double filled(double distance) const;
  double filled_slope(double distance) const;
  void move(std::size_t i, Vec3 target, Span<const Placed> placed, Span<const HalfSpace> planes);
  void find_clearance(Span<const Placed> placed, int threads);
  void find_neighbours(Span<const Placed> placed, Span<const HalfSpace> planes, int threads);
  void find_walls(Span<const Placed> placed, Span<const HalfSpace> planes, int threads);
  void constrain(Span<const Placed> placed, Span<const HalfSpace> planes, int threads);

  FluidSettings settings_;
  double reach_, volume_, gap_;
  std::vector<double> filled_, filled_slope_;
  std::vector<Vec3> previous_, shift_;
  std::vector<double> density_, pull_;
  std::vector<std::int64_t> offsets_;
  std::vector<std::int32_t> neighbours_;
  std::vector<std::int64_t> wall_offsets_;
  std::vector<Wall> walls_;
  // Per particle and solid, how far it was from the solid when the step began.
  std::vector<double> clearance_;
  // Per neighbour, the gradient of the density by it, axis by axis; and whether a particle has
  // another one in its very place.
  std::vector<double> gradient_[3];
  std::vector<std::uint8_t> doubled_;
};

}  // namespace esi
