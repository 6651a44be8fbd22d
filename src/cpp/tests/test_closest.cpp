#include <cmath>
#include <vector>

#include "core/distance.hpp"
#include "tests/check.hpp"

using esi::Triangle;
using esi::TriangleTree;
using esi::Vec3;

namespace {

std::vector<Triangle> tetrahedron() {
  const Vec3 o{0, 0, 0}, x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  return {{o, y, x}, {o, x, z}, {o, z, y}, {x, y, z}};
}

}  // namespace

ESI_TEST(closest_points_of_a_triangle_in_every_region) {
  const Triangle t{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
  CHECK((closest_on_triangle({1, 1, 3}, t) == Vec3{1, 1, 0}));
  CHECK((closest_on_triangle({2, -5, 1}, t) == Vec3{2, 0, 0}));
  CHECK((closest_on_triangle({-3, 1, 1}, t) == Vec3{0, 1, 0}));
  CHECK((closest_on_triangle({4, 4, 0}, t) == Vec3{2, 2, 0}));
  CHECK((closest_on_triangle({-1, -1, 7}, t) == Vec3{0, 0, 0}));
  CHECK((closest_on_triangle({9, -1, 0}, t) == Vec3{4, 0, 0}));
}

ESI_TEST(degenerate_triangles_are_segments_and_points) {
  const Triangle segment{{0, 0, 0}, {1, 0, 0}, {4, 0, 0}};
  CHECK((closest_on_triangle({3, 2, 0}, segment) == Vec3{3, 0, 0}));
  const Triangle point{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
  CHECK((closest_on_triangle({0, 0, 0}, point) == Vec3{1, 2, 3}));
  const Triangle other{{3, 1, -1}, {3, 1, 1}, {3, 5, 0}};
  CHECK_NEAR(closest_triangles(segment, other).squared, 1.0, 1e-15);
}

// Found by fuzzing, checked with 60 digits: the point lies 2.07e-15 m from the inside of this
// needle and 2.26e-8 m from its edges.
ESI_TEST(the_inside_of_a_needle_is_found) {
  const Triangle needle{{-55.781250613593784, -55.781250725156291, -55.781250836718804},
                        {59.498184799083432, 59.498184858581624, 59.498184918079808},
                        {55.316407024429729, 55.316407135062548, 55.316407245695366}};
  const double at = 7.999755859375;
  const Vec3 p{at, at, at};
  for (const Triangle& t :
       {needle, Triangle{needle.b, needle.c, needle.a}, Triangle{needle.b, needle.a, needle.c}}) {
    CHECK_NEAR(std::sqrt(squared_distance(p, closest_on_triangle(p, t))), 0.0, 1e-13);
  }
}

// Two segments through one point, at an angle that squares to less than a rounding.
ESI_TEST(nearly_parallel_segments_cross) {
  const Vec3 along{3, 5, 7}, aside{5e-9, -3e-9, 0}, middle{1, 2, 3};
  esi::PointPair pair;
  offer_crossing(pair, middle - along, middle + along, middle - along - aside,
                 middle + along + aside);
  CHECK_NEAR(std::sqrt(pair.squared), 0.0, 1e-14);
}

ESI_TEST(triangles_that_cross_and_that_do_not) {
  const Triangle flat{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
  CHECK_NEAR(closest_triangles(flat, {{1, 1, -1}, {1, 1, 1}, {5, 5, 0}}).squared, 0.0, 1e-30);
  CHECK_NEAR(closest_triangles(flat, {{1, 1, 2}, {2, 1, 3}, {1, 2, 3}}).squared, 4.0, 1e-15);
  // edge against edge, neither at a corner
  const Triangle above{{2, -1, 1}, {2, 1, 1}, {2, 0, 9}};
  CHECK_NEAR(closest_triangles(flat, above).squared, 1.0, 1e-15);
}

ESI_TEST(trees_of_many_equal_boxes_are_shallow_and_whole) {
  const std::vector<esi::Box> same(1000, Triangle{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}.box());
  const esi::BoxTree tree(same);
  int seen = 0;
  tree.visit([](const esi::Box&) { return true; },
             [&](std::int32_t, std::int32_t count) { seen += count; });
  CHECK_EQUAL(seen, 1000);
}

ESI_TEST(empty_surfaces) {
  const TriangleTree none{std::vector<Triangle>{}};
  CHECK_EQUAL(nearest_point(none, {0, 0, 0}).triangle, -1);
  CHECK(std::isinf(nearest_pair(none, TriangleTree(tetrahedron())).distance));
  CHECK_EQUAL(crossings_above(none, {0, 0, 0}).count, 0);
  CHECK(!esi::closure(std::vector<Triangle>{}).closed);
}
