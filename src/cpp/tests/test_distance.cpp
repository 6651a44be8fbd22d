#include <cmath>

#include "core/distance.hpp"
#include "tests/box_mesh.hpp"
#include "tests/check.hpp"

using esi::TriangleTree;
using esi::Vec3;

namespace {

TriangleTree box(Vec3 lower, Vec3 upper) {
  return TriangleTree(esi::test::BoxMesh(lower, upper).triangles());
}

}  // namespace

ESI_TEST(points_find_faces_edges_and_corners) {
  const TriangleTree cube = box({0, 0, 0}, {1, 1, 1});
  CHECK_EQUAL(nearest_point(cube, {0.5, 0.25, 3}).distance, 2.0);
  CHECK_NEAR(nearest_point(cube, {4, 0.5, 5}).distance, 5.0, 1e-15);
  const auto corner = nearest_point(cube, {2, 2, 2});
  CHECK((corner.point == Vec3{1, 1, 1}));
  CHECK_NEAR(corner.distance, std::sqrt(3.0), 1e-15);
  CHECK_EQUAL(nearest_point(cube, {0.5, 0.5, 0.75}).distance, 0.25);
  CHECK_EQUAL(nearest_point(cube, {0.5, 0.5, 3}, 1.0).triangle, -1);
}

// Found by fuzzing: the width of a bin, or its reciprocal, was not finite.
ESI_TEST(trees_of_any_size_are_built) {
  for (const double size : {1e-310, 1e-300, 1e-155, 1e60}) {
    const TriangleTree cube = box({0, 0, 0}, {size, size, size});
    CHECK_EQUAL(cube.size(), 12U);
    CHECK_NEAR(nearest_point(cube, {0, 0, -2}).distance, 2, 1e-12);
  }
}

ESI_TEST(two_meshes_have_a_gap_or_meet) {
  const TriangleTree cube = box({0, 0, 0}, {1, 1, 1});
  CHECK_EQUAL(nearest_pair(cube, box({3, 0, 0}, {4, 1, 1})).distance, 2.0);
  CHECK_EQUAL(nearest_pair(cube, box({1, 0, 0}, {2, 1, 1})).distance, 0.0);
  CHECK_EQUAL(nearest_pair(cube, box({0.5, 0.5, 0.5}, {2, 2, 2})).distance, 0.0);
  CHECK_EQUAL(nearest_pair(cube, box({4, 5, 0}, {6, 6, 1})).distance, 5.0);
}

ESI_TEST(parity_counts_each_surface_once) {
  const TriangleTree cube = box({0, 0, 0}, {1, 1, 1});
  // Through the inside of a face, its diagonal, its corner: the half-open rule decides once.
  CHECK_EQUAL(crossings_above(cube, {0.25, 0.5, 0.5}).count, 1);
  CHECK_EQUAL(crossings_above(cube, {0.5, 0.5, 0.5}).count, 1);
  CHECK_EQUAL(crossings_above(cube, {0.5, 0.5, -1}).count, 2);
  CHECK_EQUAL(crossings_above(cube, {0.5, 0.5, -1}).winding, 0);
  CHECK_EQUAL(crossings_above(cube, {0.5, 0.5, 2}).count, 0);
  for (const double x : {0.0, 1.0}) {
    for (const double y : {0.0, 1.0}) CHECK_EQUAL(crossings_above(cube, {x, y, -1}).count % 2, 0);
  }
  CHECK(crossings_above(cube, {0.25, 0.5, 1}).on_surface);
}

ESI_TEST(closure_sees_holes_and_turned_faces) {
  auto triangles = esi::test::BoxMesh({0, 0, 0}, {1, 1, 1}).triangles();
  CHECK(closure(triangles).closed);
  CHECK(closure(triangles).oriented);
  std::swap(triangles[3].b, triangles[3].c);
  CHECK(closure(triangles).closed);
  CHECK(!closure(triangles).oriented);
  triangles.pop_back();
  CHECK(!closure(triangles).closed);
}
