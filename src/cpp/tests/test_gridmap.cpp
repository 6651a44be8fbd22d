#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/gridmap.hpp"
#include "tests/check.hpp"

using esi::Cell;
using esi::Grid;
using esi::GridPoint;
using esi::Neighbours;
using esi::PathStatus;

namespace {

constexpr Neighbours kRules[] = {Neighbours::four, Neighbours::eight, Neighbours::eight_strict};

// '.' is free, everything else blocked.
struct Drawing {
  std::vector<std::uint8_t> free;
  std::size_t rows, columns;
  explicit Drawing(const std::vector<std::string>& lines)
      : rows(lines.size()), columns(lines.empty() ? 0 : lines[0].size()) {
    for (const std::string& line : lines) {
      for (const char c : line) free.push_back(c == '.');
    }
  }
};

esi::Paths path(const Grid& grid, Neighbours rule, Cell start, Cell goal) {
  return esi::shortest_paths(grid, rule, {&start, 1}, {&goal, 1}, true, 1);
}

GridPoint at(double row, double column) {
  const auto unit = static_cast<double>(1 << esi::kPointBits);
  return {static_cast<std::int64_t>(row * unit), static_cast<std::int64_t>(column * unit)};
}

// A pattern that repeats on no machine differently: an LCG's upper bits.
std::vector<std::uint8_t> noise(std::size_t cells, std::uint32_t seed, std::uint32_t free_of_16) {
  std::vector<std::uint8_t> out(cells);
  for (std::uint8_t& v : out) {
    seed = seed * 1664525U + 1013904223U;
    v = (seed >> 28) < free_of_16;
  }
  return out;
}

}  // namespace

ESI_TEST(steps_follow_the_rule) {
  const Drawing gap({".#", "#."});
  const Grid grid(gap.free, 2, 2);
  const auto eight = path(grid, Neighbours::eight, {0, 0}, {1, 1});
  CHECK(eight.status[0] == PathStatus::ok);
  CHECK_EQUAL(eight.steps[0].diagonal, 1);
  CHECK_EQUAL(eight.cells.size(), 2U);
  for (const Neighbours rule : {Neighbours::four, Neighbours::eight_strict}) {
    CHECK(path(grid, rule, {0, 0}, {1, 1}).status[0] == PathStatus::unreachable);
    CHECK_EQUAL(components(grid, rule).sizes.size(), 2U);
  }
  CHECK_EQUAL(components(grid, Neighbours::eight).sizes.size(), 1U);
}

ESI_TEST(bad_ends_are_a_status) {
  const Drawing row({"..#."});
  const Grid grid(row.free, 1, 4);
  CHECK(path(grid, Neighbours::eight, {0, 2}, {0, 0}).status[0] == PathStatus::start_blocked);
  CHECK(path(grid, Neighbours::eight, {0, 0}, {0, 2}).status[0] == PathStatus::goal_blocked);
  CHECK(path(grid, Neighbours::eight, {-1, 0}, {0, 2}).status[0] == PathStatus::start_outside);
  CHECK(path(grid, Neighbours::eight, {0, 0}, {0, 4}).status[0] == PathStatus::goal_outside);
  CHECK(path(grid, Neighbours::eight, {0, 0}, {0, 3}).status[0] == PathStatus::unreachable);
  const auto stay = path(grid, Neighbours::eight, {0, 1}, {0, 1});
  CHECK(stay.status[0] == PathStatus::ok);
  CHECK_EQUAL(stay.cells.size(), 1U);
  CHECK_EQUAL(stay.steps[0].straight + stay.steps[0].diagonal, 0);
}

ESI_TEST(paths_and_fields_and_components_agree) {
  for (std::uint32_t seed = 1; seed < 40; ++seed) {
    const std::size_t rows = 1 + seed % 11, columns = 1 + seed * 7 % 13;
    const Grid grid(noise(rows * columns, seed, 10 + seed % 6), rows, columns);
    for (const Neighbours rule : kRules) {
      const Cell source{0, 0};
      const auto field = steps_from(grid, rule, {&source, 1});
      const auto parts = components(grid, rule);
      std::vector<Cell> goals;
      goals.reserve(grid.size());
      for (std::uint32_t i = 0; i < grid.size(); ++i) goals.push_back(grid.cell(i));
      const std::vector<Cell> starts(goals.size(), source);
      const auto one = shortest_paths(grid, rule, starts, goals, true, 1);
      const auto many = shortest_paths(grid, rule, starts, goals, true, 4);
      for (std::size_t i = 0; i < grid.size(); ++i) {
        const bool reached = field[i].straight >= 0;
        const bool together = grid.free(source) && parts.labels[i] == parts.labels[0];
        CHECK_EQUAL(reached, together && grid.free(i));
        CHECK_EQUAL(reached, one.status[i] == PathStatus::ok);
        CHECK_EQUAL(one.steps[i].straight, field[i].straight);
        CHECK_EQUAL(one.steps[i].diagonal, field[i].diagonal);
      }
      CHECK_EQUAL(one.cells.size(), many.cells.size());
      for (std::size_t k = 0; k < one.cells.size(); ++k) {
        CHECK_EQUAL(one.cells[k].row, many.cells[k].row);
        CHECK_EQUAL(one.cells[k].column, many.cells[k].column);
      }
    }
  }
}

ESI_TEST(distances_are_those_of_all_pairs) {
  for (std::uint32_t seed = 1; seed < 30; ++seed) {
    const std::size_t rows = 1 + seed % 9, columns = 1 + seed * 5 % 12;
    const Grid grid(noise(rows * columns, seed, 14), rows, columns);
    for (const bool border : {false, true}) {
      const auto wall = squared_distances(grid, esi::Measure::wall, border, 1);
      const auto center = squared_distances(grid, esi::Measure::center, border, 2);
      for (std::uint32_t i = 0; i < grid.size(); ++i) {
        const Cell c = grid.cell(i);
        std::int64_t best[2] = {-1, -1};
        for (int r = -1; r <= static_cast<int>(rows); ++r) {
          for (int k = -1; k <= static_cast<int>(columns); ++k) {
            const bool outside = !grid.inside({r, k});
            if (outside ? !border : grid.free(Cell{r, k})) continue;
            const int dr = std::abs(r - c.row), dc = std::abs(k - c.column);
            const int nr = dr == 0 ? 0 : 2 * dr - 1, nc = dc == 0 ? 0 : 2 * dc - 1;
            const std::int64_t found[2] = {nr * nr + nc * nc, 4 * (dr * dr + dc * dc)};
            for (int m = 0; m < 2; ++m) {
              if (best[m] < 0 || found[m] < best[m]) best[m] = found[m];
            }
          }
        }
        CHECK_EQUAL(wall[i], best[0]);
        CHECK_EQUAL(center[i], best[1]);
      }
    }
  }
}

ESI_TEST(lines_pass_corners_as_documented) {
  const Drawing one({".#", ".."}), both({".#", "#."});
  const Grid open(one.free, 2, 2), closed(both.free, 2, 2);
  CHECK(line_of_sight(open, at(0.5, 0.5), at(1.5, 1.5)));
  CHECK(line_of_sight(open, at(1.5, 1.5), at(0.5, 0.5)));
  CHECK(!line_of_sight(closed, at(0.5, 0.5), at(1.5, 1.5)));
  CHECK(!line_of_sight(closed, at(1.5, 1.5), at(0.5, 0.5)));
  CHECK(!line_of_sight(open, at(0.5, 0.5), at(0.5, 1.5)));
  // Along the line between the rows: beside the free lower row, but not out of the grid.
  CHECK(line_of_sight(open, at(1, 0), at(1, 2)));
  CHECK(!line_of_sight(open, at(1, 0), at(1, 2.5)));
  CHECK(!line_of_sight(closed, at(1, 0.5), at(1, 1.5)));
  const auto cells = esi::line_cells(at(0.5, 0.5), at(2.5, 1.5));
  CHECK_EQUAL(cells.size(), 4U);
  CHECK_EQUAL(cells[1].row, 1);
  CHECK_EQUAL(cells[2].column, 1);
}

ESI_TEST(labels_spread_to_the_nearest) {
  const Drawing row({"......#."});
  const Grid grid(row.free, 1, 8);
  const std::vector<std::int32_t> labels{2, 0, 0, 0, 1, 0, 5, 0};
  const auto spread = spread_labels(grid, Neighbours::eight, labels);
  const std::vector<std::int32_t> expected{2, 2, 1, 1, 1, 1, 0, 0};  // the tie goes to 1
  CHECK(spread == expected);
}

ESI_TEST(nearest_cells_break_ties_by_row_then_column) {
  const Drawing ring({".#.", "###", ".#."});
  const std::vector<Cell> targets{{1, 1}, {1, 2}, {2, 2}, {-5, 9}};
  const auto found = esi::nearest_cells(ring.free, 3, 3, targets, 1);
  const Cell expected[] = {{0, 0}, {0, 2}, {2, 2}, {0, 2}};
  for (std::size_t k = 0; k < 4; ++k) {
    CHECK_EQUAL(found[k].row, expected[k].row);
    CHECK_EQUAL(found[k].column, expected[k].column);
  }
  const std::vector<std::uint8_t> nothing(9, 0);
  CHECK_EQUAL(esi::nearest_cells(nothing, 3, 3, targets, 1)[0].row, -1);
}

ESI_TEST(grids_without_cells_and_wrong_sizes) {
  const std::vector<std::uint8_t> none;
  for (const std::size_t columns : {std::size_t{0}, std::size_t{3}}) {
    const Grid grid(none, columns == 0 ? 3 : 0, columns);
    CHECK(components(grid, Neighbours::eight).sizes.empty());
    CHECK(path(grid, Neighbours::eight, {0, 0}, {0, 0}).status[0] == PathStatus::start_outside);
    CHECK(squared_distances(grid, esi::Measure::wall, true, 1).empty());
  }
  CHECK_THROWS(Grid(none, 2, 2), std::invalid_argument);
  CHECK_THROWS(Grid(none, std::size_t{1} << 40, std::size_t{1} << 40), std::invalid_argument);
}
