#include <vector>

#include "core/fluid.hpp"
#include "tests/check.hpp"

using esi::Fluid;
using esi::Vec3;

namespace {

std::vector<Vec3> block(int n, double radius, Vec3 corner) {
  std::vector<Vec3> points;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k) {
        points.push_back(corner + Vec3{2.0 * i + 1, 2.0 * j + 1, 2.0 * k + 1} * radius);
      }
    }
  }
  return points;
}

// A board of 4 mm about z = 0, 20 cm wide.
esi::DistanceField board() {
  std::vector<double> values;
  for (int i = 0; i < 21; ++i) {
    for (int j = 0; j < 21; ++j) {
      for (int k = 0; k < 21; ++k) values.push_back(std::abs(k * 0.002 - 0.02) - 0.002);
    }
  }
  return {{-0.02, -0.02, -0.02}, 0.002, {21, 21, 21}, values};
}

}  // namespace

ESI_TEST(a_block_collapses_in_a_box_and_no_thread_count_matters) {
  const auto start = block(9, 0.005, {0, 0, 0});
  const esi::HalfSpace walls[] = {{{0, 0, 1}, 0, 0},
                                  {{1, 0, 0}, 0, 0},
                                  {{-1, 0, 0}, -0.12, 0},
                                  {{0, 1, 0}, 0, 0},
                                  {{0, -1, 0}, -0.09, 0}};
  std::vector<std::vector<Vec3>> ends;
  for (const int threads : {1, 2, 8}) {
    Fluid fluid({start.data(), start.size()}, {});
    fluid.step(1.0 / 240, 40, {0, 0, -9.81}, {}, {walls, 5}, threads);
    ends.push_back(fluid.positions);
    for (const double density : fluid.density()) CHECK(density < 1.2);
    for (const Vec3& p : fluid.positions) {
      CHECK(esi::is_finite(p));
      CHECK(p.z >= 0.0025 - 1e-12 && p.x <= 0.12 && p.y <= 0.09);
    }
  }
  CHECK(ends[0] == ends[1]);
  CHECK(ends[0] == ends[2]);
}

ESI_TEST(a_moving_board_takes_particles_along) {
  const auto start = block(2, 0.004, {-0.008, -0.008, 0.006});
  const esi::DistanceField field = board();
  Fluid fluid({start.data(), start.size()}, {0.004, 0.05, 4});
  esi::MovingObstacle up{&field, {}, {}};
  up.to.m[11] = 1.0;  // a metre up in a tenth of a second
  fluid.step(1.0 / 240, 24, {0, 0, 0}, {&up, 1}, {}, 1);
  for (const Vec3& p : fluid.positions)
    CHECK(p.z > 1.0 || std::abs(p.x) > 0.02 || std::abs(p.y) > 0.02);
}

ESI_TEST(two_particles_in_one_place_part) {
  const std::vector<Vec3> start(2, Vec3{0, 0, 0.0025});
  const esi::HalfSpace ground{{0, 0, 1}, 0, 0};
  Fluid fluid({start.data(), start.size()}, {});
  fluid.step(1.0 / 240, 60, {0, 0, -9.81}, {}, {&ground, 1}, 1);
  CHECK(fluid.positions[0] != fluid.positions[1]);
  CHECK(esi::is_finite(fluid.positions[0]) && esi::is_finite(fluid.positions[1]));
}
