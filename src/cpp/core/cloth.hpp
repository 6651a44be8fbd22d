// Cloth by position-based dynamics (XPBD) in many small steps, against distance fields.
//
// M. Macklin, M. Mueller, N. Chentanez: XPBD (MIG 2016); M. Macklin et al.: Small Steps in Physics
// Simulation (SCA 2019). Every loop runs in one fixed order, so the same start gives the same bits.
#pragma once

#include <cstdint>
#include <vector>

#include "core/field.hpp"
#include "core/types.hpp"

namespace esi {

struct ClothMaterial {
  double mass = 0.2;           // kg, of the whole cloth
  double thickness = 0.006;    // m, between the cloth's middle and what it lies on
  double stretch = 1e-6;       // m/N, compliance of edges
  double bend = 1e-2;          // m/N, compliance across edges
  double damping = 2.0;        // 1/s
  double self_friction = 0.3;  // between its layers
  bool self_collision = true;
};

// Two particles that keep their distance.
struct ClothLink {
  std::int32_t a, b;
  double length;
};

// A particle while steps are taken: one vector register.
struct alignas(32) ClothPoint : Vec3 {
  ClothPoint() = default;
  ClothPoint(Vec3 p) : Vec3(p) {}  // NOLINT(google-explicit-constructor)
  double unused = 0;
};

// Round after round; no particle occurs twice in one, so that a pull runs equally far in every
// direction and the links of a round can be solved together. Round k begins at rounds[k].
struct ClothLinks {
  std::vector<ClothLink> all;
  std::vector<std::size_t> rounds;
  std::vector<double> divisors;  // per link, while steps are taken
};

// Particles at the vertices of a triangle mesh.
class Cloth {
 public:
  // Throws std::invalid_argument for faces without area or with a wrong index. Vertices in no face
  // are refused too: they would weigh nothing.
  Cloth(Span<const Vec3> rest, Span<const std::int32_t> faces, const ClothMaterial& material);

  // Advances by `steps` steps of `dt` seconds each.
  void step(double dt, int steps, Vec3 gravity, Span<const Obstacle> obstacles,
            Span<const HalfSpace> planes);

  std::size_t size() const { return positions.size(); }
  double longest_stretch() const;  // largest length / rest length of an edge, less 1
  double top_speed() const;

  std::vector<Vec3> positions, velocities;
  std::vector<std::uint8_t> pinned;  // stays where it is put

 private:
  // No point has moved by more than what the odometer has gone on by: what lies farther from an
  // obstacle than that needs no look at it. `before`: without the moves of this step so far.
  struct Odometer {
    double now = 0, before = 0;
  };
  void prepare(ClothLinks* links, double compliance, double dt) const;
  void solve(const ClothLinks& links);
  void part_layers();
  void find_layers();
  void push(std::size_t i, double depth, Vec3 outward, double friction);
  void collide(const Obstacle& obstacle, const Affine& to_local, const Odometer& odometer,
               double* due);
  double farthest_move() const;

  ClothMaterial material_;
  ClothLinks edges_, bends_;
  std::vector<double> weight_;  // inverse masses, 0 where pinned
  std::vector<double> inverse_mass_;
  std::vector<std::uint32_t> faces_;
  std::vector<ClothPoint> points_;  // positions, while steps are taken
  std::vector<Vec3> previous_;
  std::vector<Vec3> contact_;  // of the last obstacle touched in a step, else zero
  // Particles that may touch soon, and where all particles were when those were looked up.
  std::vector<std::int64_t> near_offsets_;
  std::vector<std::int32_t> near_;
  std::vector<Vec3> looked_up_;
  double layer_gap_ = 0;  // least distance of particles in different places of the cloth
};

}  // namespace esi
