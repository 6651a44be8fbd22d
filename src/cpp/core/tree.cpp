#include "core/tree.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "core/error.hpp"

namespace esi {
namespace {

constexpr int bins = 16;
constexpr int median_depth = 60;  // with at most 2^31 items below, the depth stays under 96

double half_area(const Box& b) {
  const Vec3 s = b.size();
  return s.x * s.y + s.y * s.z + s.z * s.x;
}

class Builder {
 public:
  Builder(const std::vector<Box>& boxes, int leaf_size, std::vector<BoxTree::Node>& nodes,
          std::vector<std::int32_t>& order)
      : boxes_(boxes), leaf_size_(leaf_size), nodes_(nodes), order_(order) {
    centers_.reserve(boxes.size());
    for (const Box& b : boxes) centers_.push_back(b.center());
    order_.resize(boxes.size());
    std::iota(order_.begin(), order_.end(), 0);
    nodes_.reserve(boxes.size());
    nodes_.emplace_back();
    split(0, 0, static_cast<std::int32_t>(boxes.size()), 0);
    nodes_.shrink_to_fit();
  }

 private:
  void split(std::int32_t node, std::int32_t begin, std::int32_t end, int depth) {
    Box box, spread;
    for (std::int32_t i = begin; i < end; ++i) {
      box.extend(boxes_[item(i)]);
      spread.extend(centers_[item(i)]);
    }
    nodes_[static_cast<std::size_t>(node)].box = box;
    const std::int32_t middle =
        end - begin <= leaf_size_ ? begin : partition(begin, end, spread, depth);
    if (middle == begin) {
      nodes_[static_cast<std::size_t>(node)].first = begin;
      nodes_[static_cast<std::size_t>(node)].count = end - begin;
      return;
    }
    const auto first = static_cast<std::int32_t>(nodes_.size());
    nodes_[static_cast<std::size_t>(node)].first = first;
    nodes_.emplace_back();
    nodes_.emplace_back();
    split(first, begin, middle, depth + 1);
    split(first + 1, middle, end, depth + 1);
  }

  std::int32_t partition(std::int32_t begin, std::int32_t end, const Box& spread, int depth) {
    const Vec3 extent = spread.size();
    int axis = 0;
    if (extent.y > extent[axis]) axis = 1;
    if (extent.z > extent[axis]) axis = 2;
    // Beyond these limits a bin's width or its reciprocal is not finite.
    if (depth < median_depth && extent[axis] > 1e-300 && extent[axis] < 1e300) {
      const std::int32_t middle =
          partition_by_area(begin, end, spread.lower[axis], extent[axis], axis);
      if (middle > begin && middle < end) return middle;
    }
    const std::int32_t middle = begin + (end - begin) / 2;
    // Ties by index: the tree must not depend on the library's choice among equals.
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                     [&](std::int32_t a, std::int32_t b) {
                       const double ca = centers_[static_cast<std::size_t>(a)][axis];
                       const double cb = centers_[static_cast<std::size_t>(b)][axis];
                       return ca < cb || (ca == cb && a < b);
                     });
    return middle;
  }

  std::int32_t partition_by_area(std::int32_t begin, std::int32_t end, double lower, double extent,
                                 int axis) {
    std::array<Box, bins> boxes;
    std::array<std::int32_t, bins> counts{};
    const double scale = bins / extent;
    const auto bin_of = [&](std::int32_t i) {
      const double c = centers_[static_cast<std::size_t>(i)][axis];
      return std::clamp(static_cast<int>((c - lower) * scale), 0, bins - 1);
    };
    for (std::int32_t i = begin; i < end; ++i) {
      const auto b = static_cast<std::size_t>(bin_of(order_[static_cast<std::size_t>(i)]));
      boxes[b].extend(boxes_[item(i)]);
      ++counts[b];
    }
    std::array<double, bins> right_cost{};
    Box right;
    std::int32_t right_count = 0;
    for (std::size_t b = bins; b-- > 1;) {
      right.extend(boxes[b]);
      right_count += counts[b];
      right_cost[b] = right_count > 0 ? half_area(right) * right_count : 0.0;
    }
    Box left;
    std::int32_t left_count = 0;
    double least = std::numeric_limits<double>::infinity();
    int best = -1;
    for (std::size_t b = 0; b + 1 < bins; ++b) {
      left.extend(boxes[b]);
      left_count += counts[b];
      if (left_count == 0 || left_count == end - begin) continue;
      const double cost = half_area(left) * left_count + right_cost[b + 1];
      if (cost < least) {
        least = cost;
        best = static_cast<int>(b);
      }
    }
    if (best < 0) return begin;
    const auto middle = std::stable_partition(order_.begin() + begin, order_.begin() + end,
                                              [&](std::int32_t i) { return bin_of(i) <= best; });
    return static_cast<std::int32_t>(middle - order_.begin());
  }

  std::size_t item(std::int32_t position) const {
    return static_cast<std::size_t>(order_[static_cast<std::size_t>(position)]);
  }

  const std::vector<Box>& boxes_;
  const int leaf_size_;
  std::vector<BoxTree::Node>& nodes_;
  std::vector<std::int32_t>& order_;
  std::vector<Vec3> centers_;
};

}  // namespace

BoxTree::BoxTree(const std::vector<Box>& boxes, int leaf_size) {
  if (boxes.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max() / 2)) {
    bad_argument("boxes", "at most 2^30 items", std::to_string(boxes.size()));
  }
  if (!boxes.empty()) Builder(boxes, leaf_size, nodes_, order_);
}

TriangleTree::TriangleTree(std::vector<Triangle> triangles) {
  std::vector<Box> boxes;
  boxes.reserve(triangles.size());
  for (const Triangle& t : triangles) boxes.push_back(t.box());
  tree_ = BoxTree(boxes);
  triangles_.reserve(triangles.size());
  for (const std::int32_t i : tree_.order())
    triangles_.push_back(triangles[static_cast<std::size_t>(i)]);
}

}  // namespace esi
