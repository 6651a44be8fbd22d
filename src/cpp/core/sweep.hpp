// The sphere that moves until it touches something, and the surface nearest to a point of a scene.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/distance.hpp"
#include "core/scene.hpp"
#include "core/tree.hpp"

namespace esi {

enum class SweepStatus : std::uint8_t {
  ok = 0,
  start_in_contact = 1,
};

struct Sweep {
  double fraction = 1.0;
  bool blocked = false;
  std::int32_t object_id = -1;  // of what blocks; -1: nothing does
  SweepStatus status = SweepStatus::ok;
};

struct NearestSurface {
  NearestPoint nearest;  // its `triangle` is the face of the instance's mesh
  std::int32_t instance = -1;
};

struct NearestObjects {
  NearestPair nearest;
  std::int32_t instance_a = -1, instance_b = -1;
};

// The triangles of a scene's instances in trees of their own, kept from query to query: an instance
// that has moved is built anew, the others stay. Faces without area are left out, as for rays.
class Obstacles {
 public:
  // Brings the trees up to date. What follows holds while the view lives; several threads may each
  // hold a view of the same scene, sync and ask.
  void sync(const SceneView& scene, int threads);

  // How far a sphere of `radius` gets from `start` towards `end` before it touches a triangle.
  //
  // Touching, sliding and grazing are free; only what would sink in by more than the tolerance
  // (1e-9 of the radius plus the rounding of the coordinates) blocks. A sphere that starts in
  // contact may move in any direction that brings it no closer.
  Sweep sweep(Vec3 start, Vec3 end, double radius, Span<const std::int32_t> ignore) const;

  // The closest points of two objects; faces are of the meshes of the instances. Instances are -1
  // where an object has no surface.
  NearestObjects between(std::int32_t object_a, std::int32_t object_b) const;

  // The surface nearest to p; `instance` is -1 where there is none.
  NearestSurface nearest(Vec3 p, Span<const std::int32_t> ignore) const;

 private:
  struct Part {
    std::int32_t object_id = -1;
    std::int32_t mesh = -1;  // -1: not there
    Affine to_world;
    TriangleTree tree;
    std::vector<std::int32_t> faces;  // of the mesh, one per triangle of the tree
  };

  // Calls test(part, first, count) on leaves of the parts in order of growing key(box), as
  // visit_ordered does, leaving out ignored objects.
  template <class Key, class Limit, class Leaf>
  void visit(Span<const std::int32_t> ignore, Key&& key, Limit&& limit, Leaf&& leaf) const;

  std::mutex mutex_;
  std::vector<std::unique_ptr<Part>> parts_;  // by instance
  std::vector<std::int32_t> placed_;          // instances that have triangles
  BoxTree top_;                               // over `placed_`
};

}  // namespace esi
