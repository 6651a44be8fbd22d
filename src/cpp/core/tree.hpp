// Triangles in a tree of boxes, in double precision: for questions that Embree's rays cannot
// answer (distances, sweeps, exact parity).
#pragma once

#include <cstdint>
#include <vector>

#include "core/closest.hpp"
#include "core/types.hpp"

namespace esi {

// A binary tree of boxes over items that are themselves boxes. Built with binned surface area
// heuristic; the tree depends on the boxes alone.
class BoxTree {
 public:
  struct Node {
    Box box;
    std::int32_t first = 0;  // of the children (first, first + 1), or of the items of a leaf
    std::int32_t count = 0;  // items of a leaf, 0 for an inner node
  };
  // Enough for a depth-first walk: splits go by the median below a depth that no sane tree has.
  static constexpr int max_depth = 96;

  BoxTree() = default;
  explicit BoxTree(const std::vector<Box>& boxes, int leaf_size = 4);

  bool empty() const { return nodes_.empty(); }
  const Node& node(std::int32_t i) const { return nodes_[static_cast<std::size_t>(i)]; }
  Box bounds() const { return empty() ? Box{} : nodes_[0].box; }
  // Item at position i of the leaves' order.
  const std::vector<std::int32_t>& order() const { return order_; }

  // Calls leaf(first, count) for each leaf that enter(box) leads to, in no particular order.
  template <class Enter, class Leaf>
  void visit(Enter&& enter, Leaf&& leaf) const {
    if (empty()) return;
    std::int32_t stack[max_depth + 2];
    int top = 0;
    stack[top++] = 0;
    while (top > 0) {
      const Node& n = node(stack[--top]);
      if (!enter(n.box)) continue;
      if (n.count > 0) {
        leaf(n.first, n.count);
      } else {
        stack[top++] = n.first + 1;
        stack[top++] = n.first;
      }
    }
  }

  // Calls leaf(first, count) in order of growing key(box), as far as key(box) <= limit(), which
  // the leaves may lower. A key is a lower bound for all that the box holds.
  template <class Key, class Limit, class Leaf>
  void visit_ordered(Key&& key, Limit&& limit, Leaf&& leaf) const {
    if (empty()) return;
    struct Entry {
      std::int32_t node;
      double key;
    };
    Entry stack[max_depth + 2];
    int top = 0;
    stack[top++] = {0, key(nodes_[0].box)};
    while (top > 0) {
      const Entry entry = stack[--top];
      if (!(entry.key <= limit())) continue;
      const Node& n = node(entry.node);
      if (n.count > 0) {
        leaf(n.first, n.count);
        continue;
      }
      Entry near{n.first, key(node(n.first).box)};
      Entry far{n.first + 1, key(node(n.first + 1).box)};
      if (far.key < near.key) std::swap(near, far);
      stack[top++] = far;
      stack[top++] = near;
    }
  }

 private:
  std::vector<Node> nodes_;
  std::vector<std::int32_t> order_;
};

class TriangleTree {
 public:
  TriangleTree() = default;
  explicit TriangleTree(std::vector<Triangle> triangles);

  bool empty() const { return triangles_.empty(); }
  std::size_t size() const { return triangles_.size(); }
  const BoxTree& tree() const { return tree_; }
  Box bounds() const { return tree_.bounds(); }
  // Triangle at a position of the leaves' order, and its index in the order given.
  const Triangle& at(std::int32_t position) const {
    return triangles_[static_cast<std::size_t>(position)];
  }
  std::int32_t index(std::int32_t position) const {
    return tree_.order()[static_cast<std::size_t>(position)];
  }

 private:
  BoxTree tree_;
  std::vector<Triangle> triangles_;
};

}  // namespace esi
