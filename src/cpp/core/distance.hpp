// Distances between points and meshes, and containment in closed meshes.
#pragma once

#include <cstdint>
#include <limits>

#include "core/tree.hpp"
#include "core/types.hpp"

namespace esi {

struct NearestPoint {
  double distance = std::numeric_limits<double>::infinity();
  Vec3 point;
  std::int32_t triangle = -1;
};

// The point of the triangles nearest to p, looking no farther than `bound`.
NearestPoint nearest_point(const TriangleTree& tree, Vec3 p,
                           double bound = std::numeric_limits<double>::infinity());

struct NearestPair {
  double distance = std::numeric_limits<double>::infinity();
  Vec3 point_a, point_b;
  std::int32_t triangle_a = -1, triangle_b = -1;
};

// The closest points of two sets of triangles, looking no farther than `bound`; distance zero where
// they meet.
NearestPair nearest_pair(const TriangleTree& a, const TriangleTree& b,
                         double bound = std::numeric_limits<double>::infinity());

struct Crossings {
  std::int32_t count = 0;    // surfaces between p and infinity along +z
  std::int32_t winding = 0;  // the same, counted by the side to which they face
  bool on_surface = false;   // p lies exactly in a crossed triangle
};

// How often the ray from p along +z crosses the surface. Exact: a ray through an edge or a corner
// crosses each surface that meets there once, by a half-open rule on exact signs.
Crossings crossings_above(const TriangleTree& tree, Vec3 p);
// Adds what one triangle has to do with that ray.
void count_crossing(const Triangle& t, Vec3 p, Crossings* out);

// Whether every edge is used an even number of times (closed), and as often in one direction as
// in the other (oriented). Corners are the same where their coordinates are; faces that use a
// corner twice have no area and do not count.
struct Closure {
  bool closed = false;
  bool oriented = false;
};
Closure closure(Span<const Triangle> triangles);

}  // namespace esi
