#include "core/vessel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <tuple>

namespace esi {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

struct Stretch {
  double bottom, top;
  double level = kInf;  // the lowest pass from here to the outside
};

}  // namespace

Hold hold(const ColumnCrossings& columns) {
  Hold out;
  const std::int64_t count = columns.nx * columns.ny;
  std::vector<Stretch> free;
  std::vector<std::size_t> first(static_cast<std::size_t>(count) + 1, 0);
  for (std::int64_t c = 0; c < count; ++c) {
    int inside = 0;
    double top = kInf;
    const std::size_t begin = free.size();
    for (auto k = columns.offsets[static_cast<std::size_t>(c)];
         k < columns.offsets[static_cast<std::size_t>(c) + 1]; ++k) {
      const auto at = static_cast<std::size_t>(k);
      const double z = columns.heights[at];
      if (columns.enters[at] > 0) {
        if (inside++ == 0 && z < top) free.push_back({z, top});
      } else if (--inside == 0) {
        top = z;
      }
      if (inside < 0) break;
    }
    if (inside != 0) {
      out.broken.push_back(c);
      free.resize(begin);
      top = kInf;
    }
    free.push_back({-kInf, top});
    first[static_cast<std::size_t>(c) + 1] = free.size();
  }
  out.level = std::numeric_limits<double>::quiet_NaN();
  if (!out.broken.empty()) return out;

  using Entry = std::tuple<double, std::int64_t, std::size_t>;  // level, column, stretch
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  const auto reach = [&](std::int64_t column, std::size_t stretch, double level) {
    if (level < free[stretch].level) {
      free[stretch].level = level;
      open.emplace(level, column, stretch);
    }
  };
  // Below every column, and beside the outermost ones, liquid runs off.
  for (std::int64_t c = 0; c < count; ++c) {
    const bool rim = c / columns.ny == 0 || c / columns.ny == columns.nx - 1 ||
                     c % columns.ny == 0 || c % columns.ny == columns.ny - 1;
    const auto at = static_cast<std::size_t>(c);
    for (std::size_t s = first[at]; s < first[at + 1]; ++s) {
      if (rim || free[s].bottom == -kInf) reach(c, s, free[s].bottom);
    }
  }
  while (!open.empty()) {
    const auto [level, column, stretch] = open.top();
    open.pop();
    if (level > free[stretch].level) continue;
    const std::int64_t x = column / columns.ny, y = column % columns.ny;
    const std::int64_t steps[4][2] = {{x - 1, y}, {x + 1, y}, {x, y - 1}, {x, y + 1}};
    for (const auto& [i, j] : steps) {
      if (i < 0 || j < 0 || i >= columns.nx || j >= columns.ny) continue;
      const auto next = static_cast<std::size_t>(i * columns.ny + j);
      for (std::size_t s = first[next]; s < first[next + 1]; ++s) {
        const double pass = std::max(free[s].bottom, free[stretch].bottom);
        if (pass < std::min(free[s].top, free[stretch].top)) {
          reach(i * columns.ny + j, s, std::max(level, pass));
        }
      }
    }
  }
  // A stretch that is cut off from the outside is a closed hollow: nothing can be poured into it.
  for (const Stretch& stretch : free) {
    if (stretch.level == kInf || !(stretch.level > stretch.bottom)) continue;
    out.depth += std::min(stretch.level, stretch.top) - stretch.bottom;
    out.level = std::isnan(out.level) ? stretch.level : std::max(out.level, stretch.level);
  }
  return out;
}

}  // namespace esi
