#include "core/predicates.hpp"
#include "tests/check.hpp"

using esi::orient2d_sign;
using esi::orient3d_sign;
using esi::Vec3;

ESI_TEST(signs_by_hand) {
  CHECK_EQUAL(orient2d_sign({0, 0, 0}, {1, 0, 5}, {0, 1, -2}), 1);
  CHECK_EQUAL(orient2d_sign({0, 0, 0}, {1, 0, 0}, {0, -1, 0}), -1);
  CHECK_EQUAL(orient2d_sign({0, 0, 0}, {1, 1, 0}, {3, 3, 0}), 0);
  CHECK_EQUAL(orient3d_sign({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}), 1);
  CHECK_EQUAL(orient3d_sign({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, -1}), -1);
  CHECK_EQUAL(orient3d_sign({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {5, 5, 0}), 0);
}

// Points a few units in the last place around a line that plain arithmetic gets wrong: a classic
// of Kettner et al., "Classroom examples of robustness problems in geometric computations" (2008).
ESI_TEST(signs_in_the_last_place_are_consistent) {
  const double unit = 1.0 / 9007199254740992.0;  // 2^-53
  for (int i = 0; i < 64; ++i) {
    for (int j = 0; j < 64; ++j) {
      const Vec3 p{0.5 + i * unit, 0.5 + j * unit, 0};
      const Vec3 q{12, 12, 0}, r{24, 24, 0};
      // above the diagonal, on it or below: 2^-53 is one unit in the last place of 0.5
      const int expected = p.y > p.x ? 1 : p.y < p.x ? -1 : 0;
      CHECK_EQUAL(orient2d_sign(q, r, p), expected);
      CHECK_EQUAL(orient2d_sign(r, p, q), expected);
      CHECK_EQUAL(orient2d_sign(p, r, q), -expected);
      const Vec3 up{12, 12, 12};
      CHECK_EQUAL(orient3d_sign(q, r, up, p), orient3d_sign(r, up, q, p));
      CHECK_EQUAL(orient3d_sign(q, r, up, p), -orient3d_sign(r, q, up, p));
      CHECK_EQUAL(orient3d_sign(q, r, up, p) == 0, expected == 0);
    }
  }
}

ESI_TEST(planes_far_from_the_origin) {
  const Vec3 a{1e8, 1e8, 1e8}, b{1e8 + 1, 1e8, 1e8}, c{1e8, 1e8 + 1, 1e8};
  const double step = 1.4901161193847656e-08;  // one unit in the last place of 1e8
  CHECK_EQUAL(orient3d_sign(a, b, c, {1e8 + 0.25, 1e8 + 0.25, 1e8 + step}), 1);
  CHECK_EQUAL(orient3d_sign(a, b, c, {1e8 + 0.25, 1e8 + 0.25, 1e8}), 0);
  CHECK_EQUAL(orient3d_sign(a, b, c, {1e8 + 0.25, 1e8 + 0.25, 1e8 - step}), -1);
}
