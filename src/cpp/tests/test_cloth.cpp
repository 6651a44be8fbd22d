#include <cmath>
#include <vector>

#include "core/cloth.hpp"
#include "tests/check.hpp"

using esi::Cloth;
using esi::ClothMaterial;
using esi::Vec3;

namespace {

// n x n particles, squares of `step` metres, at a height.
struct Sheet {
  std::vector<Vec3> vertices;
  std::vector<std::int32_t> faces;
  Sheet(int n, double step, double height) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) vertices.push_back({i * step, j * step, height});
    }
    for (int i = 0; i + 1 < n; ++i) {
      for (int j = 0; j + 1 < n; ++j) {
        const int a = i * n + j;
        for (const int k : {a, a + n, a + n + 1, a, a + n + 1, a + 1}) faces.push_back(k);
      }
    }
  }
  Cloth cloth(const ClothMaterial& material) const {
    return {{vertices.data(), vertices.size()}, {faces.data(), faces.size()}, material};
  }
};

}  // namespace

ESI_TEST(falls_folds_and_rests_on_a_box_and_the_ground) {
  // The field of a slab 4 cm high: distance to its top, as wide as the grid.
  std::vector<double> values;
  for (int i = 0; i < 11; ++i) {
    for (int j = 0; j < 11; ++j) {
      for (int k = 0; k < 11; ++k) values.push_back(k * 0.01 - 0.04);
    }
  }
  const esi::DistanceField slab({0, 0, 0}, 0.01, {11, 11, 11}, values);
  double distance = 0;
  Vec3 outward;
  CHECK(slab.sample({0.05, 0.05, 0.057}, &distance, &outward));
  CHECK_NEAR(distance, 0.017, 1e-15);
  CHECK_EQUAL(outward.z, 1.0);
  CHECK(!slab.sample({0.05, 0.05, 0.101}, &distance, &outward));

  Cloth cloth = Sheet(12, 0.015, 0.08).cloth(ClothMaterial());
  const esi::Obstacle obstacle{&slab, {}, 0.5};
  const esi::HalfSpace ground;
  cloth.step(1.0 / 2400, 2400, {0, 0, -9.81}, {&obstacle, 1}, {&ground, 1});
  for (const Vec3& p : cloth.positions) {
    CHECK(esi::is_finite(p));
    CHECK(p.z >= 0.006 - 1e-9);
    const bool above = p.x < 0.09 && p.y < 0.09 && p.x > 0.01 && p.y > 0.01;
    if (above) CHECK(p.z >= 0.046 - 1e-9);
  }
  CHECK(cloth.longest_stretch() < 0.08);
}

ESI_TEST(pinned_particles_stay) {
  Cloth cloth = Sheet(5, 0.02, 0.5).cloth(ClothMaterial());
  cloth.pinned[0] = cloth.pinned[4] = 1;
  cloth.step(1.0 / 2400, 1200, {0, 0, -9.81}, {}, {});
  CHECK(cloth.positions[0] == Vec3({0, 0, 0.5}));
  CHECK(cloth.positions[4] == Vec3({0, 0.08, 0.5}));
  CHECK(cloth.positions[12].z < 0.5);
}

ESI_TEST(refuses_faces_without_area_and_loose_vertices) {
  Sheet sheet(3, 0.1, 0);
  sheet.faces.insert(sheet.faces.end(), {0, 0, 1});
  CHECK_THROWS(sheet.cloth(ClothMaterial()), std::invalid_argument);
  sheet.faces.resize(sheet.faces.size() - 3);
  sheet.vertices.push_back({9, 9, 9});
  CHECK_THROWS(sheet.cloth(ClothMaterial()), std::invalid_argument);
}
