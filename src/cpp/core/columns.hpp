// Triangles by the vertical columns that they reach into: whatever lies above a point is found
// without walking a tree. Built for containment, which asks for little else.
#pragma once

#include <cstdint>
#include <vector>

#include "core/distance.hpp"
#include "core/tree.hpp"
#include "core/types.hpp"

namespace esi {

class Columns {
 public:
  // `tree` must live as long as the columns, at the same place.
  explicit Columns(const TriangleTree& tree);

  // As crossings_above(tree, p), with the same answer.
  Crossings crossings(Vec3 p) const;

  // Whether p is at most `reach` away from a triangle.
  bool near_surface(Vec3 p, double reach) const;

 private:
  // A triangle's box relative to `origin_`, in single precision and rounded outward.
  struct Slab {
    float lower[3], upper[3];
  };
  struct Range {
    const std::int32_t* begin;
    const std::int32_t* end;
  };

  // Sorts the triangles into columns of about this width; false if they are in too many of them.
  bool fill(Vec3 extent, double width);
  int column(double x, int axis) const;
  std::size_t index(int i, int j) const {
    return static_cast<std::size_t>(j) * static_cast<std::size_t>(size_[0]) +
           static_cast<std::size_t>(i);
  }
  // Positions in the tree of all triangles whose box reaches into the column.
  Range at(int i, int j) const {
    const std::size_t cell = index(i, j);
    return {items_.data() + starts_[cell], items_.data() + starts_[cell + 1]};
  }

  const TriangleTree* tree_;
  Vec3 origin_;
  double per_metre_[2] = {0, 0};  // columns per metre along x and y
  int size_[2] = {0, 0};
  std::vector<Slab> slabs_;  // by position in the tree; empty: only the tree is asked
  std::vector<std::int32_t> starts_, items_;
};

}  // namespace esi
