// Groups of neighbouring triangles: the leaves of the scene's bounding volume hierarchy.
#pragma once

#include <cstdint>
#include <vector>

#include "core/types.hpp"

namespace esi {

// Triangles that one vectorised test looks at together.
constexpr int cluster_size = 8;

// A partition of a mesh's proper faces into compact groups.
struct ClusterOrder {
  std::vector<std::int32_t> faces;   // face indices, group after group
  std::vector<std::uint32_t> begin;  // start of each group in `faces`, then faces.size()

  std::size_t count() const { return begin.empty() ? 0 : begin.size() - 1; }
};

// Splits the triangles listed in `proper` (indices into `faces`, three vertex indices each) top
// down by the surface area heuristic until at most cluster_size are left. Depends on the input
// alone, not on the number of threads.
ClusterOrder make_clusters(Span<const Vec3> vertices, Span<const std::int32_t> faces,
                           const std::vector<std::int32_t>& proper, int threads);

}  // namespace esi
