// A box as triangles, for tests: closed, its faces turned outwards.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/closest.hpp"
#include "core/types.hpp"

namespace esi::test {

struct BoxMesh {
  std::vector<Vec3> vertices;
  std::vector<std::int32_t> faces;

  BoxMesh(Vec3 lower, Vec3 upper) {
    for (int i = 0; i < 8; ++i) {
      vertices.push_back({(i & 1) != 0 ? upper.x : lower.x, (i & 2) != 0 ? upper.y : lower.y,
                          (i & 4) != 0 ? upper.z : lower.z});
    }
    faces = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
             2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
  }

  std::vector<Triangle> triangles() const {
    std::vector<Triangle> out;
    for (std::size_t i = 0; i < faces.size(); i += 3) {
      out.push_back({vertices[static_cast<std::size_t>(faces[i])],
                     vertices[static_cast<std::size_t>(faces[i + 1])],
                     vertices[static_cast<std::size_t>(faces[i + 2])]});
    }
    return out;
  }
};

}  // namespace esi::test
