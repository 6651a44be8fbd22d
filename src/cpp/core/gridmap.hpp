// Occupancy grids: components, shortest paths, distances, lines of sight and rooms.
//
// A cell is free or blocked; everything outside the grid is blocked. Cells are numbered row by row.
// One neighbour rule serves searches and components alike. Lengths of paths are counts of straight
// and diagonal steps: a shortest path has one pair of counts, because no two pairs have equal
// lengths a + b sqrt(2), so lengths are exact and do not depend on the order of work.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "core/types.hpp"

namespace esi {

enum class Neighbours : std::uint8_t {
  four,          // up, down, left, right
  eight,         // and diagonals, between two blocked cells too
  eight_strict,  // diagonals only where both cells beside the step are free
};

struct Cell {
  std::int32_t row = 0, column = 0;
};

struct Steps {
  std::int32_t straight = 0, diagonal = 0;
};

enum class PathStatus : std::uint8_t {
  ok = 0,
  start_blocked = 1,
  goal_blocked = 2,
  start_outside = 3,
  goal_outside = 4,
  unreachable = 5,
};

// Directions 0 to 7: the diagonal ones first. A set of directions is a byte.
struct Direction {
  int row, column;
};
inline constexpr std::array<Direction, 8> kDirections{
    {{-1, -1}, {-1, 1}, {1, -1}, {1, 1}, {-1, 0}, {0, -1}, {0, 1}, {1, 0}}};
inline constexpr int kDiagonals = 4;

// Which cells are free, and for each cell which of the eight around it are.
class Grid {
 public:
  // At most this many cells, so that costs of paths compare exactly (see gridmap_search.cpp).
  static constexpr std::size_t max_cells = 500'000'000;

  // `free` holds rows x columns bytes, 0 for blocked. Throws std::invalid_argument naming `free`.
  Grid(Span<const std::uint8_t> free, std::size_t rows, std::size_t columns);

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  std::size_t size() const { return free_.size(); }
  bool inside(Cell c) const {
    return c.row >= 0 && c.column >= 0 && static_cast<std::size_t>(c.row) < rows_ &&
           static_cast<std::size_t>(c.column) < columns_;
  }
  std::uint32_t index(Cell c) const {
    return static_cast<std::uint32_t>(static_cast<std::size_t>(c.row) * columns_ +
                                      static_cast<std::size_t>(c.column));
  }
  Cell cell(std::uint32_t i) const {
    const auto columns = static_cast<std::uint32_t>(columns_);
    return {static_cast<std::int32_t>(i / columns), static_cast<std::int32_t>(i % columns)};
  }
  bool free(std::size_t i) const { return free_[i] != 0; }
  bool free(Cell c) const { return inside(c) && free_[index(c)] != 0; }
  Span<const std::uint8_t> cells() const { return free_; }
  // Byte i: the directions in which cell i has a free cell beside it. Found on first use.
  const std::uint8_t* around() const;

 private:
  std::size_t rows_, columns_;
  std::vector<std::uint8_t> free_;
  mutable std::once_flag around_asked_;
  mutable std::vector<std::uint8_t> around_;
};

// ---- components (gridmap.cpp) ----------------------------------------------------------------

struct Components {
  std::vector<std::int32_t>
      labels;                       // per cell, from 1 in the order of their first cells; 0 blocked
  std::vector<std::int64_t> sizes;  // per component, in cells
};

Components components(const Grid& grid, Neighbours rule);

// For each target the allowed cell nearest to it by its centre, itself if allowed; of several the
// one with the smallest row, then column. Row -1 where no cell is allowed.
std::vector<Cell> nearest_cells(Span<const std::uint8_t> allowed, std::size_t rows,
                                std::size_t columns, Span<const Cell> targets, int threads);

// ---- paths (gridmap_search.cpp) --------------------------------------------------------------

struct Paths {
  std::vector<PathStatus> status;
  std::vector<Steps> steps;  // -1, -1 unless ok
  // Cells of path k, start and goal included: [offsets[k], offsets[k + 1]) of `cells`.
  std::vector<std::int64_t> offsets;
  std::vector<Cell> cells;
};

// A shortest path for each pair. Pairs with the same start share one search; searches run in
// parallel. Without `with_cells` only status and steps are found and `cells` stays empty.
Paths shortest_paths(const Grid& grid, Neighbours rule, Span<const Cell> starts,
                     Span<const Cell> goals, bool with_cells, int threads);

// Steps to every cell from the nearest of the sources that are free; -1, -1 where none leads there.
std::vector<Steps> steps_from(const Grid& grid, Neighbours rule, Span<const Cell> sources);

// Labels above 0 of free cells spread to the free cells with 0: each takes that of the cell nearest
// on foot, the smallest of several. The labels of blocked cells become 0.
std::vector<std::int32_t> spread_labels(const Grid& grid, Neighbours rule,
                                        Span<const std::int32_t> labels);

// ---- distances (gridmap_field.cpp) -----------------------------------------------------------

enum class Measure : std::uint8_t {
  wall,    // to the nearest point of a blocked cell's square
  center,  // to the nearest centre of a blocked cell
};

// Squared distance from each cell's centre in half cells, so that it is a whole number for either
// measure; 0 for blocked cells, -1 where there is no blocked cell. `border` says whether the cells
// just outside of the grid count as blocked.
std::vector<std::int64_t> squared_distances(const Grid& grid, Measure measure, bool border,
                                            int threads);

// ---- lines of sight (gridmap_sight.cpp) ------------------------------------------------------

// A point in units of 2^-20 of a cell, counted from the grid's lower corner.
struct GridPoint {
  std::int64_t row = 0, column = 0;
};
inline constexpr int kPointBits = 20;
// Points farther from the corner than this many cells are told apart no more.
inline constexpr double kPointLimit = 1 << 30;

// Whether a straight segment stays clear of blocked cells. Walls are open sets, so that touching a
// wall's side or corner does not block; passing between two blocked cells that share a side or a
// corner does.
bool line_of_sight(const Grid& grid, GridPoint from, GridPoint to);

// The cells whose insides the segment meets, in order; the cells beside it if it runs along a line
// between cells. The cells may lie outside of the grid.
std::vector<Cell> line_cells(GridPoint from, GridPoint to);

// ---- rooms (gridmap_rooms.cpp) ---------------------------------------------------------------

// The ids above 0 among the labels, in ascending order.
std::vector<std::int32_t> room_ids(Span<const std::int32_t> labels);

// For each room the free cell of its own with the largest clearance (capped), of those the one
// nearest to the mean of its cells, of those the first. Row -1 for a room without free cells.
std::vector<Cell> room_points(const Grid& grid, Span<const std::int32_t> labels,
                              Span<const std::int32_t> ids, Span<const std::int64_t> clearance,
                              std::int64_t cap);

// Distance in cells from each point (column, row, in cells) to the squares of each room's cells:
// points x ids, infinite for a room without cells.
std::vector<double> room_distances(std::size_t rows, std::size_t columns,
                                   Span<const std::int32_t> labels, Span<const std::int32_t> ids,
                                   Span<const double> points, int threads);

}  // namespace esi
