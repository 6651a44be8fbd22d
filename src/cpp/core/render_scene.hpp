// The triangles of a scene in Embree's own single-precision form, for colour and shadows.
//
// Queries go through SceneView, whose answers are exact. Pictures need a hundred times as many rays
// and can do with single precision, so they have triangles that Embree intersects itself; ids and
// depth of a pixel are then settled in double precision on the same world vertices (render.cpp).
#pragma once

#include <cstdint>
#include <vector>

#include "core/embree_api.hpp"
#include "core/scene.hpp"
#include "core/types.hpp"

namespace esi::picture {

// Ray masks: shadow rays meet opaque surfaces only.
constexpr unsigned kOpaqueMask = 1, kAnyMask = 3;

class TriangleScene {
 public:
  TriangleScene() = default;
  ~TriangleScene();
  TriangleScene(const TriangleScene&) = delete;
  TriangleScene& operator=(const TriangleScene&) = delete;

  // Follows what was added, moved and removed since the last call. Geometry ids are instance ids,
  // primitive ids are faces. `see_through` tells for each instance whether it casts no shadow.
  void update(const SceneView& scene, Span<const std::uint8_t> see_through);

  RTCScene embree() const { return scene_; }
  // Single-precision coordinates are relative to this point.
  const Vec3& origin() const { return origin_; }

 private:
  struct Part {
    bool attached = false;
    bool see_through = false;
    Affine to_world;
    std::vector<float> vertices;
    RTCGeometry geometry = nullptr;
  };
  void place(const Instance& instance, bool see_through, Part& part);

  RTCDevice device_ = nullptr;
  RTCScene scene_ = nullptr;
  Vec3 origin_;
  double reach_ = -1.0;  // negative: never updated
  bool dynamic_ = false;
  bool committed_ = false;
  std::vector<Part> parts_;
};

}  // namespace esi::picture
