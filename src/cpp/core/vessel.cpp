#include "core/vessel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "core/distance.hpp"
#include "core/error.hpp"

namespace esi {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

// The columns, a border of empty ones included.
struct Lattice {
  std::array<double, 2> first;  // centre of column 0 along x and y
  std::array<double, 2> step;
  std::array<std::int64_t, 2> count;

  double center(int axis, std::int64_t i) const {
    return first[axis] + static_cast<double>(i) * step[axis];
  }
  // The last column whose centre is not beyond x, and the first whose centre is not before it, up
  // to rounding.
  std::int64_t at_most(int axis, double x) const {
    return clamp(axis, std::floor((x - first[axis]) / step[axis]));
  }
  std::int64_t at_least(int axis, double x) const {
    return clamp(axis, std::ceil((x - first[axis]) / step[axis]));
  }
  std::size_t index(std::int64_t i, std::int64_t j) const {
    return static_cast<std::size_t>(j * count[0] + i);
  }
  std::size_t size() const { return static_cast<std::size_t>(count[0] * count[1]); }

 private:
  std::int64_t clamp(int axis, double i) const {
    return static_cast<std::int64_t>(std::clamp(i, 0.0, static_cast<double>(count[axis] - 1)));
  }
};

Lattice make_lattice(const Box& bounds, double spacing) {
  constexpr double most = 1 << 24;  // columns
  Lattice lattice;
  double total = 1;
  for (int k = 0; k < 2; ++k) {
    const double extent = bounds.upper[k] - bounds.lower[k];
    const double n = std::max(1.0, std::ceil(extent / spacing - 1e-9));
    total *= n + 2;
    if (!(total <= most)) {
      bad_argument("spacing", "at most 16777216 columns", std::to_string(spacing));
    }
    // The columns fit the vessel, and one more on each side is clear of it.
    lattice.step[k] = extent > 0 ? extent / n : spacing;
    lattice.first[k] = bounds.lower[k] - 0.5 * lattice.step[k];
    lattice.count[k] = static_cast<std::int64_t>(n) + 2;
  }
  return lattice;
}

// A face above a column's centre.
struct Crossing {
  std::size_t column;
  double z;
  int facing;
};

// Heights at which the way to the next column, along x or y, is barred.
struct Bar {
  std::size_t column;
  double low, high;
};

bool earlier(const Crossing& a, const Crossing& b) {
  return a.column != b.column ? a.column < b.column : a.z < b.z;
}
bool earlier(const Bar& a, const Bar& b) {
  return a.column != b.column ? a.column < b.column : a.low < b.low;
}

template <class T>
void sort_by_column(std::vector<T>& items) {
  std::sort(items.begin(), items.end(), [](const T& a, const T& b) { return earlier(a, b); });
}

double height_at(const Triangle& t, double x, double y) {
  const Vec3 n = cross(t.b - t.a, t.c - t.a);
  const double z = t.a.z - (n.x * (x - t.a.x) + n.y * (y - t.a.y)) / n.z;
  return std::clamp(z, std::min({t.a.z, t.b.z, t.c.z}), std::max({t.a.z, t.b.z, t.c.z}));
}

void cross_columns(const Triangle& t, const Lattice& lattice, double ground,
                   std::vector<Crossing>& out) {
  const Box box = t.box();
  const auto last_i = lattice.at_least(0, box.upper.x), last_j = lattice.at_least(1, box.upper.y);
  for (auto j = lattice.at_most(1, box.lower.y); j <= last_j; ++j) {
    for (auto i = lattice.at_most(0, box.lower.x); i <= last_i; ++i) {
      const double x = lattice.center(0, i), y = lattice.center(1, j);
      Crossings found;
      count_crossing(t, {x, y, ground}, &found);
      if (found.count == 0) continue;
      out.push_back({lattice.index(i, j), height_at(t, x, y), found.winding});
    }
  }
}

// What a triangle bars of the ways along `axis`, row by row: it cuts the plane of a row in a
// segment, which bars the heights that it has between two columns.
void bar_ways(const Triangle& t, const Lattice& lattice, int axis, std::vector<Bar>& out) {
  const int across = 1 - axis;
  const Box box = t.box();
  const auto last = lattice.at_least(across, box.upper[across]);
  for (auto row = lattice.at_most(across, box.lower[across]); row <= last; ++row) {
    const double plane = lattice.center(across, row);
    if (!(box.lower[across] <= plane && plane < box.upper[across])) continue;
    double along[2] = {0, 0}, z[2] = {0, 0};
    int ends = 0;
    for (int k = 0; k < 3 && ends < 2; ++k) {
      const Vec3 p = t[k], q = t[(k + 1) % 3];
      if ((p[across] <= plane) == (q[across] <= plane)) continue;
      const double s = (plane - p[across]) / (q[across] - p[across]);
      along[ends] = p[axis] + s * (q[axis] - p[axis]);
      z[ends++] = p.z + s * (q.z - p.z);
    }
    if (ends < 2) continue;
    if (along[1] < along[0]) {
      std::swap(along[0], along[1]);
      std::swap(z[0], z[1]);
    }
    const double slope = along[1] > along[0] ? (z[1] - z[0]) / (along[1] - along[0]) : 0;
    const auto height = [&](double x) {
      const double h = z[0] + slope * (x - along[0]);
      return std::clamp(h, std::min(z[0], z[1]), std::max(z[0], z[1]));
    };
    const auto end = lattice.at_most(axis, along[1]);
    for (auto i = lattice.at_most(axis, along[0]); i <= end; ++i) {
      const double from = std::max(along[0], lattice.center(axis, i));
      const double to = std::min(along[1], lattice.center(axis, i + 1));
      // A segment that stands upright has all of its heights in one place.
      const double one = along[1] > along[0] ? height(from) : z[0];
      const double two = along[1] > along[0] ? height(to) : z[1];
      const std::size_t column = axis == 0 ? lattice.index(i, row) : lattice.index(row, i);
      out.push_back({column, std::min(one, two), std::max(one, two)});
    }
  }
}

// A stretch of a column that is free, and the height to which liquid rises in it.
struct Stretch {
  double low, high;
  double level = inf;
};

class Vessel {
 public:
  Vessel(Span<const Triangle> triangles, const Lattice& lattice, double ground, double slack)
      : lattice_(lattice), slack_(slack), begin_(lattice.size() + 1) {
    std::vector<Crossing> crossings;
    for (const Triangle& t : triangles) {
      cross_columns(t, lattice, ground, crossings);
      for (int axis = 0; axis < 2; ++axis) bar_ways(t, lattice, axis, bars_[axis]);
    }
    sort_by_column(crossings);
    for (int axis = 0; axis < 2; ++axis) {
      sort_by_column(bars_[axis]);
      bar_begin_[axis].assign(lattice.size() + 1, 0);
      for (const Bar& bar : bars_[axis]) ++bar_begin_[axis][bar.column + 1];
      for (std::size_t c = 0; c < lattice.size(); ++c) {
        bar_begin_[axis][c + 1] += bar_begin_[axis][c];
      }
    }
    auto next = crossings.begin();
    for (std::size_t column = 0; column < lattice.size(); ++column) {
      begin_[column] = stretches_.size();
      double low = -inf;
      int winding = 0;
      for (; next != crossings.end() && next->column == column; ++next) {
        const bool was_free = winding == 0;
        winding += next->facing;
        if (was_free && winding != 0 && next->z > low) stretches_.push_back({low, next->z});
        if (winding == 0) low = next->z;
      }
      stretches_.push_back({low, inf});
    }
    begin_[lattice.size()] = stretches_.size();
  }

  // Every stretch's lowest way out, in the order of heights: a flood from outside.
  void flood() {
    using Reached = std::pair<double, std::size_t>;
    std::priority_queue<Reached, std::vector<Reached>, std::greater<Reached>> queue;
    const auto reach = [&](std::size_t stretch, double level) {
      if (!(level < stretches_[stretch].level)) return;
      stretches_[stretch].level = level;
      queue.push({level, stretch});
    };
    reach(0, -inf);  // of the border
    std::vector<std::size_t> column_of(stretches_.size());
    for (std::size_t c = 0; c < lattice_.size(); ++c) {
      for (std::size_t s = begin_[c]; s < begin_[c + 1]; ++s) column_of[s] = c;
    }
    while (!queue.empty()) {
      const auto level = std::get<0>(queue.top());
      const auto stretch = std::get<1>(queue.top());
      queue.pop();
      if (level > stretches_[stretch].level) continue;
      const std::size_t column = column_of[stretch];
      const auto i = static_cast<std::int64_t>(column) % lattice_.count[0];
      const auto j = static_cast<std::int64_t>(column) / lattice_.count[0];
      const auto visit = [&](std::size_t neighbour, std::size_t first, int axis) {
        for (std::size_t s = begin_[neighbour]; s < begin_[neighbour + 1]; ++s) {
          const double way = lowest_way(stretches_[stretch], stretches_[s], first, axis);
          if (way < inf) reach(s, std::max(level, way));
        }
      };
      const auto width = static_cast<std::size_t>(lattice_.count[0]);
      if (i > 0) visit(column - 1, column - 1, 0);
      if (i + 1 < lattice_.count[0]) visit(column + 1, column, 0);
      if (j > 0) visit(column - width, column - width, 1);
      if (j + 1 < lattice_.count[1]) visit(column + width, column, 1);
    }
  }

  // Calls use(column, stretch) for every stretch that holds more than `dust`, which is rounding.
  template <class Use>
  void for_each_pool(double dust, const Use& use) const {
    for (std::size_t column = 0; column < lattice_.size(); ++column) {
      for (std::size_t k = begin_[column]; k < begin_[column + 1]; ++k) {
        const Stretch& s = stretches_[k];
        if (!(s.level < inf)) continue;  // closed in on all sides
        const double depth = std::min(s.level, s.high) - s.low;
        if (depth > dust && depth < inf) use(column, s);
      }
    }
  }

 private:
  // The lowest height at which one gets straight from one stretch to the other, inf if nowhere.
  double lowest_way(const Stretch& a, const Stretch& b, std::size_t column, int axis) const {
    double z = std::max(a.low, b.low);
    const double high = std::min(a.high, b.high);
    const auto& bars = bars_[axis];
    for (std::size_t k = bar_begin_[axis][column]; k < bar_begin_[axis][column + 1]; ++k) {
      // Bars that meet at an edge, or at what a column stands on, may miss each other by rounding.
      if (bars[k].low <= z + slack_ && z < bars[k].high) z = bars[k].high;
    }
    return z < high ? z : inf;
  }

  const Lattice& lattice_;
  double slack_;
  std::vector<std::size_t> begin_;  // first stretch of each column
  std::vector<Stretch> stretches_;
  std::vector<Bar> bars_[2];
  std::vector<std::size_t> bar_begin_[2];
};

}  // namespace

namespace {

// Calls use(lattice, vessel, dust) for a flooded vessel; false where there is none.
template <class Use>
bool with_vessel(Span<const Triangle> triangles, double spacing, const Use& use) {
  if (!(spacing > 0 && spacing < inf)) {
    bad_argument("spacing", "a finite number above 0", std::to_string(spacing));
  }
  Box bounds;
  for (const Triangle& t : triangles) bounds.extend(t.box());
  if (bounds.empty()) return false;
  const Lattice lattice = make_lattice(bounds, spacing);
  const double ground = bounds.lower.z - std::max(1.0, 1e-3 * std::abs(bounds.lower.z));
  double farthest = 0, extent = 0;
  for (int k = 0; k < 3; ++k) {
    farthest = std::max({farthest, std::abs(bounds.lower[k]), std::abs(bounds.upper[k])});
    extent = std::max(extent, bounds.upper[k] - bounds.lower[k]);
  }
  Vessel vessel(triangles, lattice, ground, 1e-9 * extent + 1e-12 * farthest);
  vessel.flood();
  use(lattice, vessel, 1e-12 * std::max(std::abs(bounds.lower.z), std::abs(bounds.upper.z)));
  return true;
}

}  // namespace

Capacity vessel_capacity(Span<const Triangle> triangles, double spacing) {
  Capacity out{0, std::numeric_limits<double>::quiet_NaN()};
  with_vessel(triangles, spacing, [&](const Lattice& lattice, const Vessel& vessel, double dust) {
    double sum = 0, highest = -inf;
    vessel.for_each_pool(dust, [&](std::size_t, const Stretch& s) {
      sum += std::min(s.level, s.high) - s.low;
      highest = std::max(highest, s.level);
    });
    if (sum > 0) out = {sum * lattice.step[0] * lattice.step[1], highest};
  });
  return out;
}

Pools vessel_pools(Span<const Triangle> triangles, double spacing) {
  Pools out{};
  with_vessel(triangles, spacing, [&](const Lattice& lattice, const Vessel& vessel, double dust) {
    out.first = lattice.first;
    out.step = lattice.step;
    out.count = lattice.count;
    vessel.for_each_pool(dust, [&](std::size_t column, const Stretch& s) {
      const auto c = static_cast<std::int64_t>(column);
      out.all.push_back({{static_cast<std::int32_t>(c % lattice.count[0]),
                          static_cast<std::int32_t>(c / lattice.count[0])},
                         s.low,
                         std::min(s.level, s.high)});
    });
  });
  return out;
}

}  // namespace esi
