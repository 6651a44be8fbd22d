#include "core/columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace esi {
namespace {

// Columns per triangle. Fewer make lists long, more put a triangle into many of them: at this
// number it is in three or four, and a list holds about fifteen.
constexpr double columns_per_triangle = 0.25;
// A triangle may be in so many columns on average; beyond, the columns are made wider.
constexpr std::size_t places_per_triangle = 8;
constexpr double most_columns = 4096;  // along an axis
// Where a list is longer than this, triangles crowd in a corner of a large mesh or stand above each
// other, and the tree is faster.
constexpr std::ptrdiff_t long_list = 128;
// A mesh of this extent in metres is left to the tree: squares of its coordinates leave floats.
constexpr double largest_extent = 1e18;

// Floats certainly below and above x: a step down or up is at most one part in 2^23.
float below(double x) {
  const auto f = static_cast<float>(x);
  return f - std::abs(f) * std::numeric_limits<float>::epsilon() -
         std::numeric_limits<float>::min();
}
float above(double x) { return -below(-x); }

}  // namespace

Columns::Columns(const TriangleTree& tree) : tree_(&tree) {
  const Box bounds = tree.bounds();
  const Vec3 extent = bounds.size();
  if (tree.empty() || !(std::max({extent.x, extent.y, extent.z}) < largest_extent)) return;
  origin_ = bounds.lower;
  const std::size_t count = tree.size();
  slabs_.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    const Box box = tree.at(static_cast<std::int32_t>(k)).box();
    Slab slab;
    for (int axis = 0; axis < 3; ++axis) {
      slab.lower[axis] = below(box.lower[axis] - origin_[axis]);
      slab.upper[axis] = above(box.upper[axis] - origin_[axis]);
    }
    slabs_.push_back(slab);
  }
  const double longer = std::max(extent.x, extent.y);
  const double area = longer * std::max(std::min(extent.x, extent.y), 1e-3 * longer);
  double width = std::sqrt(area / (columns_per_triangle * static_cast<double>(count)));
  while (!fill(extent, width)) width *= 1.5;
}

bool Columns::fill(Vec3 extent, double width) {
  for (int axis = 0; axis < 2; ++axis) {
    const double wanted = width > 0.0 ? std::ceil(extent[axis] / width) : 1.0;
    per_metre_[axis] = std::clamp(wanted, 1.0, most_columns) / extent[axis];
    size_[axis] = static_cast<int>(std::clamp(wanted, 1.0, most_columns));
    if (!std::isfinite(per_metre_[axis])) {  // flat along this axis
      size_[axis] = 1;
      per_metre_[axis] = 0.0;
    }
  }
  const auto columns = static_cast<std::size_t>(size_[0]) * static_cast<std::size_t>(size_[1]);
  const auto each_column = [&](std::int32_t k, auto&& visit) {
    const Box box = tree_->at(k).box();
    const int i1 = column(box.upper.x, 0), j1 = column(box.upper.y, 1);
    for (int j = column(box.lower.y, 1); j <= j1; ++j) {
      for (int i = column(box.lower.x, 0); i <= i1; ++i) visit(index(i, j));
    }
  };
  const auto count = static_cast<std::int32_t>(tree_->size());
  const std::size_t most = std::min<std::size_t>(places_per_triangle * tree_->size(),
                                                 std::numeric_limits<std::int32_t>::max());
  std::size_t places = 0;
  starts_.assign(columns + 1, 0);
  for (std::int32_t k = 0; k < count; ++k) {
    each_column(k, [&](std::size_t cell) {
      ++starts_[cell + 1];
      ++places;
    });
    if (places > most) return false;
  }
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  items_.resize(places);
  std::vector<std::int32_t> next(starts_.begin(), starts_.end() - 1);
  for (std::int32_t k = 0; k < count; ++k) {
    each_column(k, [&](std::size_t cell) { items_[static_cast<std::size_t>(next[cell]++)] = k; });
  }
  return true;
}

// Monotone in x, so that a point within a triangle's box finds it in its own column.
int Columns::column(double x, int axis) const {
  const double place = (x - origin_[axis]) * per_metre_[axis];
  return static_cast<int>(std::clamp(place, 0.0, static_cast<double>(size_[axis] - 1)));
}

Crossings Columns::crossings(Vec3 p) const {
  Crossings out;
  const Box bounds = tree_->bounds();
  if (!(bounds.lower.x <= p.x && p.x <= bounds.upper.x && bounds.lower.y <= p.y &&
        p.y <= bounds.upper.y && p.z <= bounds.upper.z)) {
    return out;
  }
  if (slabs_.empty()) return crossings_above(*tree_, p);
  const Range list = at(column(p.x, 0), column(p.y, 1));
  if (list.end - list.begin > long_list) return crossings_above(*tree_, p);
  const Vec3 relative = p - origin_;
  const float low[3] = {below(relative.x), below(relative.y), below(relative.z)};
  const float high[2] = {above(relative.x), above(relative.y)};
  // Collected without a branch, which could not be predicted, and then asked.
  std::int32_t over[long_list];
  std::size_t count = 0;
  for (const std::int32_t* k = list.begin; k != list.end; ++k) {
    const Slab& s = slabs_[static_cast<std::size_t>(*k)];
    over[count] = *k;
    count += static_cast<std::size_t>((s.lower[0] <= high[0]) & (s.upper[0] >= low[0]) &
                                      (s.lower[1] <= high[1]) & (s.upper[1] >= low[1]) &
                                      (s.upper[2] >= low[2]));
  }
  for (std::size_t i = 0; i < count; ++i) count_crossing(tree_->at(over[i]), p, &out);
  return out;
}

bool Columns::near_surface(Vec3 p, double reach) const {
  const Box bounds = tree_->bounds();
  for (int axis = 0; axis < 3; ++axis) {
    if (!(bounds.lower[axis] - reach <= p[axis] && p[axis] <= bounds.upper[axis] + reach)) {
      return false;
    }
  }
  const auto by_tree = [&] { return nearest_point(*tree_, p, reach).triangle >= 0; };
  if (slabs_.empty() || !(reach < largest_extent)) return by_tree();
  const int i0 = column(p.x - reach, 0), i1 = column(p.x + reach, 0);
  const int j0 = column(p.y - reach, 1), j1 = column(p.y + reach, 1);
  if (i1 - i0 > 1 || j1 - j0 > 1) return by_tree();
  const Vec3 relative = p - origin_;
  float low[3], high[3];
  for (int axis = 0; axis < 3; ++axis) {
    low[axis] = below(relative[axis] - reach);
    high[axis] = above(relative[axis] + reach);
  }
  for (int j = j0; j <= j1; ++j) {
    for (int i = i0; i <= i1; ++i) {
      const Range list = at(i, j);
      if (list.end - list.begin > long_list) return by_tree();
      for (const std::int32_t* k = list.begin; k != list.end; ++k) {
        const Slab& s = slabs_[static_cast<std::size_t>(*k)];
        bool meets = true;
        for (int axis = 0; axis < 3; ++axis) {
          meets &= (s.lower[axis] <= high[axis]) & (s.upper[axis] >= low[axis]);
        }
        if (!meets) continue;
        const Vec3 q = closest_on_triangle(p, tree_->at(*k));
        if (squared_distance(p, q) <= reach * reach) return true;
      }
    }
  }
  return false;
}

}  // namespace esi
