// The surface on which a field has a value, as a closed mesh.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/types.hpp"

namespace esi {

// Values at the nodes of a grid, x slowest, z fastest.
struct Grid {
  Vec3 origin;
  Vec3 spacing;
  std::array<std::int64_t, 3> shape;

  std::size_t nodes() const { return static_cast<std::size_t>(shape[0] * shape[1] * shape[2]); }
};

// Corners of faces look along `normals`, three per face: the way the values fall, or straight out
// where the grid ends.
struct Surface3 {
  std::vector<Vec3> vertices;
  std::vector<std::int32_t> faces;
  std::vector<Vec3> normals;
};

// The boundary of all points with a value above 0, closed by the border of the grid where that
// cuts it. By marching tetrahedra (A. Doi, A. Koide, IEICE Trans. 1991), six to a cell, whose faces
// agree between cells: every edge belongs to two faces.
Surface3 surface_of(Span<const double> values, const Grid& grid);

}  // namespace esi
