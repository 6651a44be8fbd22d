#include <cmath>
#include <vector>

#include "core/vessel.hpp"
#include "tests/box_mesh.hpp"
#include "tests/check.hpp"

using esi::Triangle;
using esi::Vec3;

namespace {

void add(std::vector<Triangle>& all, Vec3 lower, Vec3 upper) {
  for (const Triangle& t : esi::test::BoxMesh(lower, upper).triangles()) all.push_back(t);
}

// A pit of 2 x 2 x 1 with walls of the given thickness.
std::vector<Triangle> pit(double wall) {
  std::vector<Triangle> all;
  add(all, {-1 - wall, -1 - wall, -wall}, {1 + wall, 1 + wall, 0});
  add(all, {-1 - wall, -1 - wall, 0}, {-1, 1 + wall, 1});
  add(all, {1, -1 - wall, 0}, {1 + wall, 1 + wall, 1});
  add(all, {-1, -1 - wall, 0}, {1, -1, 1});
  add(all, {-1, 1, 0}, {1, 1 + wall, 1});
  return all;
}

}  // namespace

ESI_TEST(a_pit_holds_its_volume) {
  const auto found = esi::vessel_capacity(pit(0.5), 0.25);
  CHECK_NEAR(found.volume, 4, 1e-12);
  CHECK_EQUAL(found.level, 1.0);
}

ESI_TEST(walls_between_columns_hold) {
  const auto found = esi::vessel_capacity(pit(1e-6), 0.25);
  CHECK_NEAR(found.volume, 4, 1e-3);
  CHECK_EQUAL(found.level, 1.0);
}

ESI_TEST(nothing_and_a_block_hold_nothing) {
  CHECK_EQUAL(esi::vessel_capacity({}, 1).volume, 0.0);
  std::vector<Triangle> block;
  add(block, {0, 0, 0}, {1, 1, 1});
  CHECK_EQUAL(esi::vessel_capacity(block, 0.1).volume, 0.0);
  CHECK(std::isnan(esi::vessel_capacity(block, 0.1).level));
  CHECK_THROWS(esi::vessel_capacity(block, 0), std::invalid_argument);
  CHECK_THROWS(esi::vessel_capacity(block, 1e-6), std::invalid_argument);
}
