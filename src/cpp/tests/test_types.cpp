#include "core/types.hpp"
#include "tests/check.hpp"

using esi::Affine;
using esi::Box;
using esi::Vec3;

namespace {

// A quarter turn about z, then a stretch of y by 2, then a shift.
const Affine example{{0, -1, 0, 5, 2, 0, 0, -3, 0, 0, 1, 7}};

void check_same(Vec3 a, Vec3 b) {
  for (int i = 0; i < 3; ++i) CHECK_NEAR(a[i], b[i], 1e-14);
}

}  // namespace

ESI_TEST(an_affine_map_moves_points_and_directions) {
  CHECK((example.point({1, 2, 3}) == Vec3{3, -1, 10}));
  CHECK((example.direction({1, 2, 3}) == Vec3{-2, 2, 3}));
  CHECK_EQUAL(example.determinant(), 2.0);
}

ESI_TEST(the_inverse_undoes_the_map) {
  const Vec3 p{0.3, -8, 2.5};
  check_same(example.inverse().point(example.point(p)), p);
  check_same((example * example.inverse()).point(p), p);
  check_same((example * example).point(p), example.point(example.point(p)));
}

ESI_TEST(a_box_starts_empty_and_grows) {
  Box box;
  CHECK(box.empty());
  CHECK_EQUAL(box.diagonal(), 0.0);
  box.extend(Vec3{1, 2, 3});
  CHECK(!box.empty());
  CHECK_EQUAL(box.diagonal(), 0.0);
  box.extend(Vec3{1, 5, 7});
  CHECK_EQUAL(box.diagonal(), 5.0);
  CHECK((box.center() == Vec3{1, 3.5, 5}));
}

ESI_TEST(vectors_follow_the_right_hand_rule) {
  CHECK((cross(Vec3{1, 0, 0}, Vec3{0, 1, 0}) == Vec3{0, 0, 1}));
  CHECK_EQUAL(norm(normalized(Vec3{0, 3, 4})), 1.0);
  CHECK((normalized(Vec3{}) == Vec3{}));
}
