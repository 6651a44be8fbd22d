// Lines on a grid, followed from cell to cell in whole numbers.
//
// A wall is an open set: the line may touch its side or its corner. What it may not do is pass
// between two blocked cells, through their common corner or along their common side.
#include <cstdlib>

#include "core/gridmap.hpp"

namespace esi {
namespace {

constexpr std::int64_t kUnit = std::int64_t{1} << kPointBits;

// Products of two coordinates differences need up to 102 bits.
#if defined(__SIZEOF_INT128__)
__extension__ using Wide = __int128;
#else
#error "a compiler with 128-bit integers is needed"
#endif

std::int64_t floor_cell(std::int64_t v) { return v >> kPointBits; }
std::int64_t ceil_cell(std::int64_t v) { return (v + kUnit - 1) >> kPointBits; }

// One axis of a segment: the cells it is in just after its start and just before its end, the
// direction of travel, and how far it is to the next line between cells.
struct Axis {
  std::int64_t cell, last, step, length, to_line;

  Axis(std::int64_t from, std::int64_t to) {
    step = to > from ? 1 : to < from ? -1 : 0;
    length = std::abs(to - from);
    cell = step < 0 ? ceil_cell(from) - 1 : floor_cell(from);
    last = step < 0 ? floor_cell(to) : step > 0 ? ceil_cell(to) - 1 : cell;
    to_line = step < 0 ? from - cell * kUnit : (cell + 1) * kUnit - from;
  }
  bool done() const { return cell == last; }
  void advance() {
    cell += step;
    to_line += kUnit;
  }
};

std::int32_t narrow(std::int64_t v) { return static_cast<std::int32_t>(v); }
Cell at(std::int64_t row, std::int64_t column) { return {narrow(row), narrow(column)}; }

// Calls inside(cell) for each cell in order and corner(before, after) for each corner passed
// exactly; stops with false as soon as one of them returns false.
template <class Inside, class Corner>
bool follow(GridPoint from, GridPoint to, Inside inside, Corner corner) {
  Axis row(from.row, to.row), column(from.column, to.column);
  if (!inside(at(row.cell, column.cell))) return false;
  while (!row.done() || !column.done()) {
    // The line between rows comes first if row.to_line / row.length < column.to_line / ....
    const Wide down = row.done() ? 1 : Wide{row.to_line} * column.length;
    const Wide across = column.done() ? 1 : Wide{column.to_line} * row.length;
    const bool move_row = column.done() || (!row.done() && down <= across);
    const bool move_column = row.done() || (!column.done() && across <= down);
    const Cell before = at(row.cell, column.cell);
    if (move_row) row.advance();
    if (move_column) column.advance();
    const Cell after = at(row.cell, column.cell);
    if (move_row && move_column && !corner(before, after)) return false;
    if (!inside(after)) return false;
  }
  return true;
}

}  // namespace

bool line_of_sight(const Grid& grid, GridPoint from, GridPoint to) {
  const bool along_rows = from.row == to.row && from.row % kUnit == 0 && from.column != to.column;
  const bool along_columns =
      from.column == to.column && from.column % kUnit == 0 && from.row != to.row;
  if (!along_rows && !along_columns) {
    return follow(
        from, to, [&](Cell c) { return grid.free(c); },
        [&](Cell a, Cell b) {
          return grid.free(Cell{a.row, b.column}) || grid.free(Cell{b.row, a.column});
        });
  }
  // Between two rows or columns of cells: one of each pair must be free, and from one pair to the
  // next the same side must be.
  bool low_before = true, high_before = true;
  const auto pair = [&](Cell c) {
    const bool high = grid.free(c);
    const bool low = grid.free(along_rows ? Cell{c.row - 1, c.column} : Cell{c.row, c.column - 1});
    const bool open = (low && low_before) || (high && high_before);
    low_before = low;
    high_before = high;
    return open;
  };
  return follow(from, to, pair, [](Cell, Cell) { return true; });
}

std::vector<Cell> line_cells(GridPoint from, GridPoint to) {
  std::vector<Cell> out;
  follow(
      from, to,
      [&](Cell c) {
        out.push_back(c);
        return true;
      },
      [](Cell, Cell) { return true; });
  return out;
}

}  // namespace esi
