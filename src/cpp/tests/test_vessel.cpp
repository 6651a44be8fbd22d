#include <cmath>
#include <vector>

#include "core/vessel.hpp"
#include "tests/check.hpp"

using esi::ColumnCrossings;

namespace {

// Columns that each hold one solid from 0 to a height; 0 for none.
esi::Hold landscape(std::int64_t nx, std::int64_t ny, const std::vector<double>& tops) {
  std::vector<std::int64_t> offsets{0};
  std::vector<double> heights;
  std::vector<std::int8_t> enters;
  for (const double top : tops) {
    if (top > 0) {
      heights.insert(heights.end(), {top, 0.0});
      enters.insert(enters.end(), {1, -1});
    }
    offsets.push_back(static_cast<std::int64_t>(heights.size()));
  }
  return esi::hold({nx,
                    ny,
                    {offsets.data(), offsets.size()},
                    {heights.data(), heights.size()},
                    {enters.data(), enters.size()}});
}

}  // namespace

ESI_TEST(two_basins_with_a_pass_between_them) {
  // Rim 5, floors 1 and 2, the ridge between them 3, one notch of 4 in the rim: all fills to 4.
  const auto found = landscape(5, 7, {0, 0, 0, 0, 0, 0, 0,  //
                                      0, 5, 5, 5, 5, 5, 0,  //
                                      0, 5, 1, 3, 2, 4, 0,  //
                                      0, 5, 5, 5, 5, 5, 0,  //
                                      0, 0, 0, 0, 0, 0, 0});
  CHECK_EQUAL(found.depth, 3.0 + 1.0 + 2.0);
  CHECK_EQUAL(found.level, 4.0);
  CHECK(found.broken.empty());
}

ESI_TEST(a_hollow_fills_up_to_its_pass_and_no_higher_than_its_roof) {
  // One column: solid, hollow from 1 to 2, solid to 3, open to a basin of depth 5 beside it.
  const std::vector<std::int64_t> offsets{0,  0,  0,  0,  0,  0,  2,  4,  6,  6,  6,  6,  12,
                                          14, 16, 16, 16, 18, 20, 22, 22, 22, 22, 22, 22, 22};
  const std::vector<double> heights{9, 0,   9, 0, 9, 0, 9, 3, 2, 1, 0.5,
                                    0, 0.5, 0, 7, 0, 9, 0, 9, 0, 9, 0};
  const std::vector<std::int8_t> enters{1,  -1, 1,  -1, 1,  -1, 1,  -1, 1,  -1, 1,
                                        -1, 1,  -1, 1,  -1, 1,  -1, 1,  -1, 1,  -1};
  const auto found = esi::hold({5,
                                5,
                                {offsets.data(), offsets.size()},
                                {heights.data(), heights.size()},
                                {enters.data(), enters.size()}});
  // The basin from 0.5 to the notch at 7, and beside it the hollows 2 to 3 and 0.5 to 1.
  CHECK_NEAR(found.depth, 6.5 + 1.0 + 0.5, 1e-12);
  CHECK_EQUAL(found.level, 7.0);
}

ESI_TEST(a_column_that_does_not_come_out_is_named) {
  const std::vector<std::int64_t> offsets{0, 1, 3};
  const std::vector<double> heights{1, 1, 0};
  const std::vector<std::int8_t> enters{1, 1, -1};
  const auto found = esi::hold({2,
                                1,
                                {offsets.data(), offsets.size()},
                                {heights.data(), heights.size()},
                                {enters.data(), enters.size()}});
  CHECK_EQUAL(found.broken.size(), std::size_t{1});
  CHECK_EQUAL(found.broken[0], 0);
  CHECK(std::isnan(found.level));
}
