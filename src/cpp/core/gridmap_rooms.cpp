#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/error.hpp"
#include "core/gridmap.hpp"
#include "core/parallel.hpp"

namespace esi {
namespace {

constexpr std::size_t kPointGrain = 16;

void check_labels(Span<const std::int32_t> labels, std::size_t cells) {
  if (labels.size() != cells) {
    bad_argument("labels", std::to_string(cells) + " cells", std::to_string(labels.size()));
  }
}

// Position of an id among the sorted ids, or their number if it is none of them.
std::size_t position(Span<const std::int32_t> ids, std::int32_t id) {
  const auto* found = std::lower_bound(ids.begin(), ids.end(), id);
  if (found == ids.end() || *found != id) return ids.size();
  return static_cast<std::size_t>(found - ids.begin());
}

}  // namespace

std::vector<std::int32_t> room_ids(Span<const std::int32_t> labels) {
  std::vector<std::int32_t> ids;
  std::int32_t last = 0;
  for (const std::int32_t id : labels) {
    if (id == last || id <= 0) continue;
    last = id;
    const auto at = std::lower_bound(ids.begin(), ids.end(), id);
    if (at == ids.end() || *at != id) ids.insert(at, id);
  }
  return ids;
}

std::vector<Cell> room_points(const Grid& grid, Span<const std::int32_t> labels,
                              Span<const std::int32_t> ids, Span<const std::int64_t> clearance,
                              std::int64_t cap) {
  check_labels(labels, grid.size());
  if (clearance.size() != grid.size()) {
    bad_argument("clearance", std::to_string(grid.size()) + " cells",
                 std::to_string(clearance.size()));
  }
  struct Sum {
    std::int64_t row = 0, column = 0, count = 0;
  };
  std::vector<Sum> sums(ids.size());
  std::vector<Cell> out(ids.size(), Cell{-1, -1});
  std::vector<std::int64_t> best(ids.size(), -1);
  std::vector<double> off(ids.size(), 0.0);
  std::int32_t last = 0;
  std::size_t k = ids.size();
  for (const bool choose : {false, true}) {
    for (std::uint32_t i = 0; i < grid.size(); ++i) {
      if (labels[i] <= 0 || !grid.free(i)) continue;
      if (labels[i] != last) k = position(ids, labels[i]);
      last = labels[i];
      if (k == ids.size()) continue;
      const Cell c = grid.cell(i);
      if (!choose) {
        sums[k].row += c.row;
        sums[k].column += c.column;
        ++sums[k].count;
        continue;
      }
      // No blocked cell anywhere is the largest clearance.
      const std::int64_t room = clearance[i] < 0 ? cap : std::min(clearance[i], cap);
      if (room < best[k]) continue;
      const auto count = static_cast<double>(sums[k].count);
      const double dr = c.row - static_cast<double>(sums[k].row) / count;
      const double dc = c.column - static_cast<double>(sums[k].column) / count;
      const double d = dr * dr + dc * dc;
      if (room == best[k] && d >= off[k]) continue;
      best[k] = room;
      off[k] = d;
      out[k] = c;
    }
  }
  return out;
}

std::vector<double> room_distances(std::size_t rows, std::size_t columns,
                                   Span<const std::int32_t> labels, Span<const std::int32_t> ids,
                                   Span<const double> points, int threads) {
  check_labels(labels, rows * columns);
  struct Run {
    double row, first, end;
    std::size_t room;
  };
  std::vector<Run> runs;  // cells of one room side by side
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns;) {
      const std::int32_t id = labels[r * columns + c];
      std::size_t end = c + 1;
      while (end < columns && labels[r * columns + end] == id) ++end;
      const std::size_t room = id > 0 ? position(ids, id) : ids.size();
      if (room < ids.size()) {
        runs.push_back(
            {static_cast<double>(r), static_cast<double>(c), static_cast<double>(end), room});
      }
      c = end;
    }
  }
  const std::size_t count = points.size() / 2;
  std::vector<double> out(count * ids.size(), std::numeric_limits<double>::infinity());
  parallel_for(count, kPointGrain, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p) {
      const double x = points[2 * p], y = points[2 * p + 1];
      double* const nearest = out.data() + p * ids.size();
      for (const Run& run : runs) {
        const double dx = std::max({run.first - x, x - run.end, 0.0});
        const double dy = std::max({run.row - y, y - (run.row + 1.0), 0.0});
        nearest[run.room] = std::min(nearest[run.room], dx * dx + dy * dy);
      }
      for (std::size_t k = 0; k < ids.size(); ++k) nearest[k] = std::sqrt(nearest[k]);
    }
  });
  return out;
}

}  // namespace esi
