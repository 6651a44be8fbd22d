// Distances between points and meshes, containment in closed meshes, and the sphere that moves
// until it touches something.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

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

// The closest points of two sets of triangles; distance zero where they meet.
NearestPair nearest_pair(const TriangleTree& a, const TriangleTree& b);

struct Crossings {
  std::int32_t count = 0;    // surfaces between p and infinity along +z
  std::int32_t winding = 0;  // the same, counted by the side to which they face
  bool on_surface = false;   // p lies exactly in a crossed triangle
};

// How often the ray from p along +z crosses the surface. Exact: a ray through an edge or a corner
// crosses each surface that meets there once, by a half-open rule on exact signs.
Crossings crossings_above(const TriangleTree& tree, Vec3 p);

// Whether every edge is used an even number of times (closed), and as often in one direction as
// in the other (oriented). Corners are the same where their coordinates are; faces that use a
// corner twice have no area and do not count.
struct Closure {
  bool closed = false;
  bool oriented = false;
};
Closure closure(Span<const Triangle> triangles);

enum class SweepStatus : std::uint8_t {
  ok = 0,
  start_in_contact = 1,
};

struct Sweep {
  double fraction = 1.0;
  bool blocked = false;
  std::int32_t object = -1;
  std::int32_t part = -1;
  std::int32_t triangle = -1;
  SweepStatus status = SweepStatus::ok;
};

struct NearestObject {
  NearestPoint nearest;
  std::int32_t object = -1;
  std::int32_t part = -1;
};

// Triangles in parts, each with an object's id: a part that moves is built anew, the others stay.
class Obstacles {
 public:
  void set(std::int32_t part, std::int32_t object, std::vector<Triangle> triangles);
  void remove(std::int32_t part);
  // Makes the changes visible to the queries below.
  void commit();
  std::size_t size() const;

  // How far a sphere of `radius` gets from `start` towards `end` before it touches a triangle.
  //
  // Touching, sliding and grazing are free; only what would sink in by more than the tolerance
  // (1e-9 of the radius plus the rounding of the coordinates) blocks. A sphere that starts in
  // contact may move in any direction that brings it no closer.
  Sweep sweep(Vec3 start, Vec3 end, double radius, Span<const std::int32_t> ignore) const;

  // The nearest surface to p.
  NearestObject nearest(Vec3 p, Span<const std::int32_t> ignore) const;

 private:
  struct Part {
    std::int32_t object;
    TriangleTree tree;
  };
  std::map<std::int32_t, Part> parts_;
  // As of the last commit: the parts that have triangles, in order of their keys.
  std::vector<std::pair<std::int32_t, const Part*>> placed_;
  BoxTree top_;
};

}  // namespace esi
