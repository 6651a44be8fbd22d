// Liquid: whatever it is made of and thrown with, it stays finite, keeps its particles, has the
// same bits on two threads, and does not pass the ground.
#include "core/fluid.hpp"
#include "fuzz/fuzz.hpp"

using namespace esi;
using namespace esi::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in(data, size);
  FluidSettings settings;
  settings.radius = 0.002 + 0.02 * in.share();
  settings.viscosity = in.share();
  settings.iterations = 1 + in.below(6);
  // A bowl: the field of a plane at z = 0 that rises at the borders of a coarse grid.
  const std::int64_t shape[3] = {6, 6, 6};
  std::vector<double> values;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      for (int k = 0; k < 6; ++k) values.push_back(0.1 * (k - 1) - 0.02 * in.share());
    }
  }
  const DistanceField field({-0.25, -0.25, -0.1}, 0.1, shape, values);
  std::vector<Vec3> positions;
  for (int n = in.below(40); n > 0; --n) {
    positions.push_back(
        {in.share() - 0.5, in.share() - 0.5, 2 * settings.radius + 0.2 + in.share()});
  }
  Fluid one({positions.data(), positions.size()}, settings);
  for (Vec3& v : one.velocities) {
    v = Vec3{in.share() - 0.5, in.share() - 0.5, in.share() - 0.5} * 40.0;
  }
  Fluid two = one;
  MovingObstacle bowl;
  bowl.field = &field;
  if (in.flag()) bowl.to.m[11] = 0.02 * in.share();
  const HalfSpace ground{{0, 0, 1}, -1, 0};
  const double dt = 0.001 + 0.01 * in.share();
  for (int n = 1 + in.below(3); n > 0; --n) {
    one.step(dt, 3, {0, 0, -9.81}, {&bowl, 1}, {&ground, 1}, 1);
    two.step(dt, 3, {0, 0, -9.81}, {&bowl, 1}, {&ground, 1}, 2);
  }
  FUZZ_CHECK(one.size() == positions.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    FUZZ_CHECK(is_finite(one.positions[i]) && is_finite(one.velocities[i]));
    FUZZ_CHECK(one.positions[i] == two.positions[i]);
    FUZZ_CHECK(one.positions[i].z > -1);
  }
  return 0;
}
