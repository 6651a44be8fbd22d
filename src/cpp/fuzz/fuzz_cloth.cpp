// Cloth: any material, mesh and speed within the promised ranges stays finite, above the ground,
// and does the same twice.
#include "core/cloth.hpp"
#include "fuzz/fuzz.hpp"

using namespace esi;
using namespace esi::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in(data, size);
  ClothMaterial material;
  material.mass = 0.01 + 5 * in.share();
  material.thickness = 0.002 + 0.02 * in.share();
  material.stretch = in.flag() ? 0 : 1e-3 * in.share();
  material.bend = in.flag() ? 0 : 10 * in.share();
  material.damping = 20 * in.share();
  material.self_friction = 2 * in.share();
  material.self_collision = in.flag();
  const int nx = 2 + in.below(5), ny = 2 + in.below(5);
  std::vector<Vec3> rest;
  for (int i = 0; i < nx; ++i) {
    for (int j = 0; j < ny; ++j) rest.push_back({0.05 * i, 0.05 * j, 0.05 * in.share()});
  }
  std::vector<std::int32_t> faces;
  for (int i = 0; i + 1 < nx; ++i) {
    for (int j = 0; j + 1 < ny; ++j) {
      const int a = i * ny + j, b = a + ny;
      for (const int v : {a, b, b + 1, a, b + 1, a + 1}) faces.push_back(v);
    }
  }
  Cloth one({rest.data(), rest.size()}, {faces.data(), faces.size()}, material);
  for (std::size_t i = 0; i < one.size(); ++i) {
    // Crumpled, even to one point.
    const double crumple = in.share();
    one.positions[i] = one.positions[i] * crumple + Vec3{0, 0, 0.1};
    one.velocities[i] = Vec3{in.share() - 0.5, in.share() - 0.5, in.share() - 0.5} * 14.0;
    one.pinned[i] = in.below(16) == 1 ? 1 : 0;
  }
  Cloth two = one;
  const HalfSpace ground{{0, 0, 1}, 0, in.share()};
  const double dt = 1.0 / (600 + 20 * in.byte());
  for (int n = 0; n < 2; ++n) {
    one.step(dt, 20, {0, 0, -9.81}, {}, {&ground, 1});
    two.step(dt, 20, {0, 0, -9.81}, {}, {&ground, 1});
  }
  for (std::size_t i = 0; i < one.size(); ++i) {
    FUZZ_CHECK(is_finite(one.positions[i]) && is_finite(one.velocities[i]));
    FUZZ_CHECK(one.positions[i] == two.positions[i]);
    FUZZ_CHECK(one.pinned[i] != 0 || one.positions[i].z >= material.thickness - 1e-9);
  }
  return 0;
}
