#include "core/gridmap.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "core/error.hpp"
#include "core/parallel.hpp"

namespace esi {

Grid::Grid(Span<const std::uint8_t> free, std::size_t rows, std::size_t columns)
    : rows_(rows), columns_(columns) {
  if (rows > max_cells || columns > max_cells || rows * columns > max_cells) {
    bad_argument("free", "at most " + std::to_string(max_cells) + " cells",
                 std::to_string(rows) + " x " + std::to_string(columns));
  }
  if (free.size() != rows * columns) {
    bad_argument("free", std::to_string(rows * columns) + " cells", std::to_string(free.size()));
  }
  free_.resize(free.size());
  std::transform(free.begin(), free.end(), free_.begin(),
                 [](std::uint8_t v) { return static_cast<std::uint8_t>(v != 0); });
}

const std::uint8_t* Grid::around() const {
  std::call_once(around_asked_, [this] {
    around_.assign(size(), 0);
    for (int k = 0; k < 8; ++k) {
      const auto [dr, dc] = kDirections[static_cast<std::size_t>(k)];
      const std::size_t first_row = dr < 0 ? 1 : 0, end_row = dr > 0 ? rows_ - 1 : rows_;
      const std::size_t first = dc < 0 ? 1 : 0;
      if (columns_ == 0 || rows_ == 0) continue;
      const std::size_t end = dc > 0 ? columns_ - 1 : columns_;
      for (std::size_t r = first_row; r < end_row; ++r) {
        const auto from = static_cast<std::ptrdiff_t>(r) + dr;
        const std::uint8_t* beside = free_.data() + from * static_cast<std::ptrdiff_t>(columns_);
        std::uint8_t* out = around_.data() + r * columns_;
        for (std::size_t c = first; c < end; ++c) {
          const std::uint8_t bit = beside[static_cast<std::ptrdiff_t>(c) + dc];
          out[c] = static_cast<std::uint8_t>(out[c] | (bit << k));
        }
      }
    }
  });
  return around_.data();
}

namespace {

// Sets of provisional labels; the root of a set is its smallest label.
class Sets {
 public:
  std::int32_t add() {
    parent_.push_back(static_cast<std::int32_t>(parent_.size()));
    return parent_.back();
  }
  std::int32_t root(std::int32_t i) {
    while (at(i) != i) {
      at(i) = at(at(i));
      i = at(i);
    }
    return i;
  }
  std::int32_t join(std::int32_t i, std::int32_t j) {
    i = root(i);
    j = root(j);
    if (i < j) std::swap(i, j);
    at(i) = j;
    return j;
  }
  std::size_t size() const { return parent_.size(); }

 private:
  std::int32_t& at(std::int32_t i) { return parent_[static_cast<std::size_t>(i)]; }
  std::vector<std::int32_t> parent_;
};

}  // namespace

Components components(const Grid& grid, Neighbours rule) {
  // A strict diagonal step has free cells on both sides, so two straight steps do the same.
  const std::size_t reach = rule == Neighbours::eight ? 1 : 0;
  struct Run {  // free cells side by side, counted from the grid's first
    std::size_t first, end;
    std::int32_t label;
  };
  std::vector<Run> runs;
  Sets sets;
  const std::uint8_t* const free = grid.cells().data();
  std::size_t before = 0, row_before = 0;  // the first run of the row above, and of this row
  for (std::size_t r = 0; r < grid.rows(); ++r) {
    const std::size_t begin = r * grid.columns(), end = begin + grid.columns();
    before = row_before;
    row_before = runs.size();
    for (std::size_t i = begin; i < end; ++i) {
      if (free[i] == 0) continue;
      Run run{i, i, -1};
      while (i < end && free[i] != 0) ++i;
      run.end = i;
      // Runs of the row above that share a side with this one (or a corner), from left to right.
      const std::size_t low = run.first - grid.columns(), high = run.end - grid.columns() + reach;
      while (before < row_before && runs[before].end + reach <= low) ++before;
      for (std::size_t k = before; k < row_before && runs[k].first < high; ++k) {
        const std::int32_t other = runs[k].label;
        run.label = run.label < 0 ? other : sets.join(run.label, other);
      }
      if (run.label < 0) run.label = sets.add();
      runs.push_back(run);
    }
  }
  // Roots are smallest labels and labels were given in reading order, so that is the final order.
  Components out;
  out.labels.assign(grid.size(), 0);
  std::vector<std::int32_t> final_label(sets.size(), 0);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const auto root = static_cast<std::size_t>(sets.root(static_cast<std::int32_t>(i)));
    if (root == i) out.sizes.push_back(0);
    final_label[i] = root == i ? static_cast<std::int32_t>(out.sizes.size()) : final_label[root];
  }
  for (const Run& run : runs) {
    const std::int32_t label = final_label[static_cast<std::size_t>(run.label)];
    std::fill(out.labels.data() + run.first, out.labels.data() + run.end, label);
    out.sizes[static_cast<std::size_t>(label - 1)] +=
        static_cast<std::int64_t>(run.end - run.first);
  }
  return out;
}

std::vector<Cell> nearest_cells(Span<const std::uint8_t> allowed, std::size_t rows,
                                std::size_t columns, Span<const Cell> targets, int threads) {
  std::vector<Cell> out(targets.size(), Cell{-1, -1});
  const auto height = static_cast<std::int64_t>(rows);
  const auto width = static_cast<std::int64_t>(columns);
  parallel_for(targets.size(), 16, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      const std::int64_t tr = targets[k].row, tc = targets[k].column;
      std::int64_t best = -1;
      const auto look = [&](std::int64_t r, std::int64_t c) {
        if (c < 0 || c >= width || allowed[static_cast<std::size_t>(r * width + c)] == 0) return;
        const std::int64_t d = (r - tr) * (r - tr) + (c - tc) * (c - tc);
        const bool before = r < out[k].row || (r == out[k].row && c < out[k].column);
        if (best >= 0 && (d > best || (d == best && !before))) return;
        best = d;
        out[k] = {static_cast<std::int32_t>(r), static_cast<std::int32_t>(c)};
      };
      // Rows outwards from the target's, in each row columns outwards, both as far as it can help.
      const std::int64_t farthest = std::max(std::abs(tr), std::abs(tr - (height - 1)));
      const std::int64_t reach = std::max(std::abs(tc), std::abs(tc - (width - 1)));
      const std::int64_t first_row = std::max<std::int64_t>({0, -tr, tr - (height - 1)});
      const std::int64_t first = std::max<std::int64_t>({0, -tc, tc - (width - 1)});
      for (std::int64_t dr = first_row; dr <= farthest && (best < 0 || dr * dr <= best); ++dr) {
        for (const std::int64_t r : {tr - dr, tr + dr}) {
          if (r < 0 || r >= height) continue;
          for (std::int64_t dc = first; dc <= reach && (best < 0 || dr * dr + dc * dc <= best);
               ++dc) {
            look(r, tc - dc);
            look(r, tc + dc);
          }
        }
      }
    }
  });
  return out;
}

}  // namespace esi
