// Exact distances to blocked cells: along columns first, then along rows by the lower envelope of
// one convex curve per column.
#include <algorithm>

#include "core/gridmap.hpp"
#include "core/parallel.hpp"

namespace esi {
namespace {

constexpr std::size_t kColumns = 512;  // per piece of work; a row's part stays in the cache
constexpr std::size_t kRows = 16;

// Squared distance in half cells along one axis to a cell k cells away.
template <Measure measure>
std::int64_t square(std::int64_t k) {
  if (k < 0) k = -k;
  if constexpr (measure == Measure::center) return 4 * k * k;
  return k == 0 ? 0 : (2 * k - 1) * (2 * k - 1);
}

// Curves square(x - site) + height over the columns x of a row. Two of them cross at most once,
// because square is convex, so the lowest one changes from left to right in the order of sites.
template <Measure measure>
class Envelope {
 public:
  explicit Envelope(std::int64_t width) : width_(width) {}

  void clear() { parts_.clear(); }
  void add(std::int64_t site, std::int64_t height) {
    const Part curve{site, height, 0};
    while (!parts_.empty() &&
           value(parts_.back(), parts_.back().first) > value(curve, parts_.back().first)) {
      parts_.pop_back();
    }
    std::int64_t low = 0;
    if (!parts_.empty()) {
      // The first column where the new curve is lower: the parabolas' crossing or one beside it.
      const Part& old = parts_.back();
      const std::int64_t apart = site - old.site;
      const std::int64_t sum = 4 * apart * (site + old.site) + height - old.height;
      low = std::min(std::max(sum / (8 * apart), old.first + 1), width_);
      while (low > old.first + 1 && value(curve, low - 1) < value(old, low - 1)) --low;
      while (low < width_ && value(curve, low) >= value(old, low)) ++low;
    }
    if (low < width_) parts_.push_back({site, height, low});
  }
  void write(std::int64_t* out) const {
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      const std::int64_t end = k + 1 < parts_.size() ? parts_[k + 1].first : width_;
      for (std::int64_t x = parts_[k].first; x < end; ++x) out[x] = value(parts_[k], x);
    }
  }

 private:
  struct Part {
    std::int64_t site, height, first;  // lowest from column `first` to the next part's
  };
  static std::int64_t value(const Part& part, std::int64_t x) {
    return square<measure>(x - part.site) + part.height;
  }

  std::int64_t width_;
  std::vector<Part> parts_;
};

// Cells to the nearest blocked cell of the same column, -1 where there is none.
std::vector<std::int32_t> along_columns(const Grid& grid, bool border, int threads) {
  const std::size_t rows = grid.rows(), columns = grid.columns();
  std::vector<std::int32_t> out(grid.size(), -1);
  const std::uint8_t* const free = grid.cells().data();
  parallel_for(columns, kColumns, threads, [&](std::size_t begin, std::size_t end) {
    const std::size_t width = end - begin;
    std::vector<std::int32_t> last(width);
    std::fill(last.begin(), last.end(), border ? 0 : -1);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < width; ++c) {
        const std::size_t i = r * columns + begin + c;
        last[c] = free[i] == 0 ? 0 : last[c] < 0 ? -1 : last[c] + 1;
        out[i] = last[c];
      }
    }
    std::fill(last.begin(), last.end(), border ? 0 : -1);
    for (std::size_t r = rows; r-- > 0;) {
      for (std::size_t c = 0; c < width; ++c) {
        const std::size_t i = r * columns + begin + c;
        last[c] = free[i] == 0 ? 0 : last[c] < 0 ? -1 : last[c] + 1;
        if (last[c] >= 0 && (out[i] < 0 || last[c] < out[i])) out[i] = last[c];
      }
    }
  });
  return out;
}

template <Measure measure>
std::vector<std::int64_t> distances(const Grid& grid, bool border, int threads) {
  const std::vector<std::int32_t> up = along_columns(grid, border, threads);
  const auto width = static_cast<std::int64_t>(grid.columns());
  std::vector<std::int64_t> out(grid.size(), -1);
  parallel_for(grid.rows(), kRows, threads, [&](std::size_t begin, std::size_t end) {
    Envelope<measure> envelope(width);
    for (std::size_t r = begin; r < end; ++r) {
      const std::size_t row = r * grid.columns();
      envelope.clear();
      if (border) envelope.add(-1, 0);
      for (std::int64_t c = 0; c < width; ++c) {
        const std::int32_t k = up[row + static_cast<std::size_t>(c)];
        if (k >= 0) envelope.add(c, square<measure>(k));
      }
      if (border) envelope.add(width, 0);
      envelope.write(out.data() + row);
    }
  });
  return out;
}

}  // namespace

std::vector<std::int64_t> squared_distances(const Grid& grid, Measure measure, bool border,
                                            int threads) {
  return measure == Measure::center ? distances<Measure::center>(grid, border, threads)
                                    : distances<Measure::wall>(grid, border, threads);
}

}  // namespace esi
