#include <cmath>
#include <vector>

#include "core/vessel.hpp"
#include "tests/check.hpp"

using esi::ColumnCrossings;

namespace {

// Columns of crossings, from above: into a solid, out of it, and so on.
esi::Hold hold(std::int64_t nx, std::int64_t ny, const std::vector<std::vector<double>>& columns) {
  std::vector<std::int64_t> offsets{0};
  std::vector<double> heights;
  std::vector<std::int8_t> enters;
  for (const auto& column : columns) {
    for (std::size_t k = 0; k < column.size(); ++k) {
      heights.push_back(column[k]);
      enters.push_back(k % 2 == 0 ? 1 : -1);
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
  std::vector<std::vector<double>> columns(5 * 7);
  for (std::size_t k = 8; k <= 26; ++k) {
    if (k % 7 != 0 && k % 7 != 6) columns[k] = {5, 0};
  }
  columns[16] = {1, 0};
  columns[17] = {3, 0};
  columns[18] = {2, 0};
  columns[19] = {4, 0};
  const auto found = hold(5, 7, columns);
  CHECK_EQUAL(found.depth, 3.0 + 1.0 + 2.0);
  CHECK_EQUAL(found.level, 4.0);
  CHECK(found.broken.empty());
}

ESI_TEST(hollows_beside_a_basin_fill_up_to_their_roofs) {
  // A basin with the floor 0.5 and a notch at 7; its neighbour has hollows from 2 to 3, from 1 to
  // 1.5, and one from 0.1 to 0.4, below the basin's floor, which nothing leads to.
  std::vector<std::vector<double>> columns(5 * 6);
  for (std::size_t k = 7; k <= 22; ++k) {
    if (k % 6 != 0 && k % 6 != 5) columns[k] = {9, 0};
  }
  columns[14] = {9, 3, 2, 1.5, 1, 0.4, 0.1, 0};
  columns[15] = {0.5, 0};
  columns[16] = {7, 0};
  const auto found = hold(5, 6, columns);
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
