#include <cmath>
#include <vector>

#include "core/relations.hpp"
#include "tests/check.hpp"

namespace relations = esi::relations;
using esi::Vec3;
using relations::Status;
using relations::TriangleKind;
using relations::Turn;

ESI_TEST(the_middle_point_is_opposite_the_longest_side) {
  const Vec3 points[3] = {{1, 0.5, 0}, {0, 0, 0}, {4, 0, 0}};
  const auto found = relations::collinearity(points);
  CHECK_EQUAL(found.middle, 0);
  CHECK_EQUAL(found.length, 4.0);
  CHECK_NEAR(found.offset, 0.5, 1e-15);
  const Vec3 same[3] = {{1, 1, 1}, {1, 1, 1}, {2, 1, 1}};
  CHECK(relations::collinearity(same).status == Status::degenerate);
  CHECK(std::isnan(relations::collinearity(same).offset));
}

ESI_TEST(triangles_have_a_kind_a_gap_or_no_area) {
  const relations::TriangleRule rule{0.02, 0.15, 1e-6};
  const Vec3 right[3] = {{0, 0, 0}, {3, 0, 0}, {0, 4, 0}};
  CHECK(relations::triangle(right, rule).kind == TriangleKind::scalene);
  const Vec3 tall[3] = {{-1, 0, 0}, {1, 0, 0}, {0, 5, 0}};
  CHECK(relations::triangle(tall, rule).kind == TriangleKind::isosceles);
  const Vec3 even[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  CHECK(relations::triangle(even, rule).kind == TriangleKind::equilateral);
  const Vec3 flat[3] = {{0, 0, 0}, {1, 0, 0}, {3, 0, 0}};
  CHECK(relations::triangle(flat, rule).status == Status::degenerate);
}

ESI_TEST(the_nearest_must_be_nearer_by_the_gap) {
  const Vec3 candidates[2] = {{1, 0, 0}, {0, 1.25, 0}};
  double distances[2];
  CHECK_EQUAL(relations::nearest({}, candidates, 2, 0.25, 0, distances).which, 0);
  CHECK_EQUAL(relations::nearest({}, candidates, 2, 0.26, 0, distances).which, -1);
  CHECK_EQUAL(relations::nearest({}, candidates, 2, 0, 0.26, distances).which, -1);
  CHECK_EQUAL(distances[1], 1.25);
}

ESI_TEST(turns_have_four_directions_and_guards) {
  const double degree = std::atan(1.0) / 45;
  CHECK(relations::turn(0, 90 * degree, 10) == Turn::left);
  CHECK(relations::turn(0, 270 * degree, 10) == Turn::right);
  CHECK(relations::turn(350 * degree, 10 * degree, 10) == Turn::straight);
  CHECK(relations::turn(0, 180 * degree, 10) == Turn::back);
  CHECK(relations::turn(0, 50 * degree, 10) == Turn::undecided);
}

ESI_TEST(points_are_ranked_by_their_columns) {
  const relations::Pinhole camera{{}, {1, 0, 0}, {0, 0, 1}, 100, 50, 100};
  const std::vector<Vec3> points = {{1, 0, -2}, {-3, 0, -4}, {0, 1, -1}};
  double columns[3];
  std::int64_t ranks[3];
  CHECK(relations::left_to_right(camera, points, 0, columns, ranks) == Status::ok);
  CHECK((ranks[0] == 2 && ranks[1] == 0 && ranks[2] == 1));
  CHECK_EQUAL(columns[1], -25.0);
  CHECK(relations::left_to_right(camera, points, 60, columns, ranks) == Status::tie);
  const std::vector<Vec3> behind = {{1, 0, 2}};
  CHECK(relations::left_to_right(camera, behind, 0, columns, ranks) == Status::not_in_front);
}
