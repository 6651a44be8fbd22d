// Small maps against brute force: every path, component, distance and nearest cell.
#include <algorithm>

#include "core/gridmap.hpp"
#include "fuzz/fuzz.hpp"

using namespace esi;
using namespace esi::fuzz;

namespace {

constexpr Neighbours kRules[] = {Neighbours::four, Neighbours::eight, Neighbours::eight_strict};

bool step(const Grid& grid, Neighbours rule, Cell from, int dr, int dc) {
  if ((dr == 0 && dc == 0) || !grid.free(Cell{from.row + dr, from.column + dc})) return false;
  if (dr == 0 || dc == 0 || rule == Neighbours::eight) return true;
  return rule == Neighbours::eight_strict && grid.free(Cell{from.row + dr, from.column}) &&
         grid.free(Cell{from.row, from.column + dc});
}

Real length(Steps s) { return s.straight + s.diagonal * std::sqrt(Real(2)); }

// Shortest steps from the sources by trying every step until nothing changes.
std::vector<Steps> relaxed(const Grid& grid, Neighbours rule, const std::vector<Cell>& sources) {
  std::vector<Steps> best(grid.size(), Steps{-1, -1});
  for (const Cell c : sources) {
    if (grid.free(c)) best[grid.index(c)] = {0, 0};
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t i = 0; i < grid.size(); ++i) {
      if (best[i].straight < 0) continue;
      const Cell c = grid.cell(i);
      for (int dr = -1; dr <= 1; ++dr) {
        for (int dc = -1; dc <= 1; ++dc) {
          if (!step(grid, rule, c, dr, dc)) continue;
          Steps next = best[i];
          ++(dr != 0 && dc != 0 ? next.diagonal : next.straight);
          Steps& old = best[grid.index({c.row + dr, c.column + dc})];
          if (old.straight >= 0 && length(next) > length(old) - 1e-9L) continue;
          old = next;
          changed = true;
        }
      }
    }
  }
  return best;
}

void check_path(const Grid& grid, Neighbours rule, Cell start, Cell goal, const Paths& paths,
                std::size_t k, Steps expected) {
  const auto begin = static_cast<std::size_t>(paths.offsets[k]);
  const auto end = static_cast<std::size_t>(paths.offsets[k + 1]);
  FUZZ_CHECK(paths.steps[k].straight == expected.straight);
  FUZZ_CHECK(paths.steps[k].diagonal == expected.diagonal);
  FUZZ_CHECK((paths.status[k] == PathStatus::ok) == (expected.straight >= 0));
  if (expected.straight < 0) {
    FUZZ_CHECK(begin == end);
    return;
  }
  FUZZ_CHECK(end - begin == static_cast<std::size_t>(expected.straight + expected.diagonal + 1));
  const Cell first = paths.cells[begin], last = paths.cells[end - 1];
  FUZZ_CHECK(first.row == start.row && first.column == start.column);
  FUZZ_CHECK(last.row == goal.row && last.column == goal.column);
  for (std::size_t m = begin; m + 1 < end; ++m) {
    const Cell a = paths.cells[m], b = paths.cells[m + 1];
    FUZZ_CHECK(std::abs(b.row - a.row) <= 1 && std::abs(b.column - a.column) <= 1);
    FUZZ_CHECK(step(grid, rule, a, b.row - a.row, b.column - a.column));
  }
}

void check_paths(const Grid& grid, Neighbours rule, Input& in) {
  const auto rows = static_cast<int>(grid.rows()), columns = static_cast<int>(grid.columns());
  const auto any = [&] { return Cell{in.below(rows + 2) - 1, in.below(columns + 2) - 1}; };
  const Cell start = any();
  std::vector<Cell> goals;
  for (int r = -1; r <= rows; ++r) {
    for (int c = -1; c <= columns; ++c) goals.push_back({r, c});
  }
  const std::vector<Cell> starts(goals.size(), start);
  const auto best = relaxed(grid, rule, {start});
  const Paths all = shortest_paths(grid, rule, starts, goals, true, 1);
  const auto labels = components(grid, rule).labels;
  for (std::size_t k = 0; k < goals.size(); ++k) {
    const Steps expected = grid.inside(goals[k]) ? best[grid.index(goals[k])] : Steps{-1, -1};
    check_path(grid, rule, start, goals[k], all, k, expected);
    if (grid.free(start) && grid.free(goals[k])) {
      FUZZ_CHECK((labels[grid.index(start)] == labels[grid.index(goals[k])]) ==
                 (expected.straight >= 0));
    }
  }
  const Cell goal = any();
  const Paths one = shortest_paths(grid, rule, {&start, 1}, {&goal, 1}, true, 1);
  check_path(grid, rule, start, goal, one, 0,
             grid.inside(goal) ? best[grid.index(goal)] : Steps{-1, -1});
}

void check_fields(const Grid& grid, Neighbours rule, Input& in) {
  const auto rows = static_cast<int>(grid.rows()), columns = static_cast<int>(grid.columns());
  std::vector<std::int32_t> labels(grid.size(), 0);
  std::vector<Cell> places;
  for (int k = in.below(5); k-- > 0;) {
    places.push_back({in.below(rows), in.below(columns)});
    labels[grid.index(places.back())] = 1 + in.below(3);
  }
  const auto together = relaxed(grid, rule, places);
  const auto found = steps_from(grid, rule, places);
  const auto spread = spread_labels(grid, rule, labels);
  std::vector<std::vector<Steps>> each;
  for (std::int32_t id = 1; id <= 3; ++id) {
    std::vector<Cell> own;
    for (const Cell c : places) {
      if (labels[grid.index(c)] == id) own.push_back(c);
    }
    each.push_back(relaxed(grid, rule, own));
  }
  for (std::size_t i = 0; i < grid.size(); ++i) {
    FUZZ_CHECK(found[i].straight == together[i].straight);
    FUZZ_CHECK(found[i].diagonal == together[i].diagonal);
    std::int32_t nearest = 0;
    for (std::int32_t id = 3; id >= 1; --id) {
      const Steps s = each[static_cast<std::size_t>(id - 1)][i];
      const bool is_least =
          s.straight == together[i].straight && s.diagonal == together[i].diagonal;
      if (s.straight >= 0 && is_least) nearest = id;
    }
    FUZZ_CHECK(spread[i] == nearest);
  }
}

void check_distances(const Grid& grid, Input& in) {
  const auto rows = static_cast<int>(grid.rows()), columns = static_cast<int>(grid.columns());
  const bool border = in.flag();
  const Measure measure = in.flag() ? Measure::wall : Measure::center;
  const auto found = squared_distances(grid, measure, border, 1);
  for (std::uint32_t i = 0; i < grid.size(); ++i) {
    const Cell c = grid.cell(i);
    std::int64_t least = -1;
    for (int r = -1; r <= rows; ++r) {
      for (int k = -1; k <= columns; ++k) {
        if (grid.inside({r, k}) ? grid.free(Cell{r, k}) : !border) continue;
        std::int64_t dr = 2 * std::abs(r - c.row), dc = 2 * std::abs(k - c.column);
        if (measure == Measure::wall) {
          dr = std::max<std::int64_t>(dr - 1, 0);
          dc = std::max<std::int64_t>(dc - 1, 0);
        }
        const std::int64_t d = dr * dr + dc * dc;
        if (least < 0 || d < least) least = d;
      }
    }
    FUZZ_CHECK(found[i] == least);
  }
  const Cell target{in.below(rows + 8) - 4, in.below(columns + 8) - 4};
  const Cell nearest = nearest_cells(grid.cells(), grid.rows(), grid.columns(), {&target, 1}, 1)[0];
  Cell expected{-1, -1};
  int least = -1;
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      const int dr = r - target.row, dc = c - target.column;
      if (!grid.free(Cell{r, c}) || (least >= 0 && dr * dr + dc * dc >= least)) continue;
      least = dr * dr + dc * dc;
      expected = {r, c};
    }
  }
  FUZZ_CHECK(nearest.row == expected.row && nearest.column == expected.column);
}

void check_lines(const Grid& grid, Input& in) {
  // Points between cells, on lines and corners, and anywhere in a cell, inside and outside.
  const auto coordinate = [&](std::size_t cells) {
    const std::int64_t unit = std::int64_t{1} << kPointBits;
    const std::int64_t whole = in.below(static_cast<int>(cells) + 3) - 1;
    const int kind = in.below(4);
    const std::int64_t part = kind == 0   ? 0
                              : kind == 1 ? unit / 2
                              : kind == 2 ? unit / 256 * in.byte()
                                          : in.byte();
    return whole * unit + part;
  };
  const GridPoint from{coordinate(grid.rows()), coordinate(grid.columns())};
  const GridPoint to{coordinate(grid.rows()), coordinate(grid.columns())};
  const bool clear = line_of_sight(grid, from, to);
  FUZZ_CHECK(clear == line_of_sight(grid, to, from));
  const auto cells = line_cells(from, to);
  auto back = line_cells(to, from);
  std::reverse(back.begin(), back.end());
  FUZZ_CHECK(!cells.empty() && cells.size() == back.size());
  const std::int64_t unit = std::int64_t{1} << kPointBits;
  const bool between = (from.row == to.row && from.row % unit == 0) ||
                       (from.column == to.column && from.column % unit == 0);
  bool all_free = true;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    FUZZ_CHECK(cells[k].row == back[k].row && cells[k].column == back[k].column);
    all_free = all_free && grid.free(cells[k]);
    if (k == 0) continue;
    FUZZ_CHECK(std::abs(cells[k].row - cells[k - 1].row) <= 1);
    FUZZ_CHECK(std::abs(cells[k].column - cells[k - 1].column) <= 1);
  }
  if (!between && clear) FUZZ_CHECK(all_free);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in(data, size);
  const auto rows = static_cast<std::size_t>(1 + in.below(9));
  const auto columns = static_cast<std::size_t>(1 + in.below(9));
  std::vector<std::uint8_t> free(rows * columns);
  for (std::uint8_t& cell : free) cell = in.below(4) != 3;
  const Grid grid(free, rows, columns);
  const Neighbours rule = kRules[in.below(3)];
  check_paths(grid, rule, in);
  check_fields(grid, rule, in);
  check_distances(grid, in);
  for (int k = 0; k < 4; ++k) check_lines(grid, in);
  return 0;
}
