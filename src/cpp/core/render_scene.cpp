#include "core/render_scene.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/parallel.hpp"

namespace esi::picture {
namespace {

double farthest(const Box& box, Vec3 from) {
  const Vec3 a = box.upper - from, b = from - box.lower;
  return std::max({a.x, a.y, a.z, b.x, b.y, b.z});
}

}  // namespace

TriangleScene::~TriangleScene() {
  if (scene_ != nullptr) rtcReleaseScene(scene_);
  if (device_ != nullptr) rtcReleaseDevice(device_);
}

void TriangleScene::place(const Instance& instance, bool see_through, Part& part) {
  const std::size_t count = instance.vertices.size();
  const bool fresh = part.geometry == nullptr;
  // Embree reads 16 bytes at the last vertex.
  part.vertices.resize(3 * count + 1);
  parallel_for(count, 8192, 0, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const auto v = static_cast<Vec3f>(instance.vertices[i] - origin_);
      part.vertices[3 * i] = v.x;
      part.vertices[3 * i + 1] = v.y;
      part.vertices[3 * i + 2] = v.z;
    }
  });
  if (fresh) {
    part.geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcSetSharedGeometryBuffer(part.geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                               part.vertices.data(), 0, 3 * sizeof(float), count);
    rtcSetSharedGeometryBuffer(part.geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                               instance.shape->faces.data(), 0, 3 * sizeof(std::uint32_t),
                               instance.shape->face_count());
  } else {
    rtcUpdateGeometryBuffer(part.geometry, RTC_BUFFER_TYPE_VERTEX, 0);
  }
  rtcSetGeometryMask(part.geometry, see_through ? kAnyMask & ~kOpaqueMask : kAnyMask);
  rtcCommitGeometry(part.geometry);
  if (fresh) {
    rtcAttachGeometryByID(scene_, part.geometry, static_cast<unsigned>(instance.id));
    rtcReleaseGeometry(part.geometry);  // the scene keeps it
    part.attached = true;
  }
  part.to_world = instance.to_world;
  part.see_through = see_through;
}

void TriangleScene::update(const SceneView& scene, Span<const std::uint8_t> see_through) {
  if (device_ == nullptr) {
    device_ = scene.device();
    rtcRetainDevice(device_);
    scene_ = rtcNewScene(device_);
    // Without it single rays slip through shared edges: specks in the picture.
    rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_ROBUST);
  }
  bool moved_frame = false;
  if (!scene.bounds().empty()) {
    // A scene that outgrows its frame, or shrinks within it until coordinates lose digits that they
    // need, gets a new one.
    const Vec3 center = scene.bounds().center();
    const double reach = 2.0 * std::max(farthest(scene.bounds(), center), 1e-6);
    if (reach_ < 0.0 || farthest(scene.bounds(), origin_) > reach_ || reach_ > 4.0 * reach) {
      origin_ = center;
      reach_ = reach;
      moved_frame = true;
    }
  }
  parts_.resize(scene.instance_count());
  bool changed = !committed_;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    Part& part = parts_[i];
    const Instance& instance = scene.instance(static_cast<std::int32_t>(i));
    if (!instance.alive) {
      if (part.attached) {
        rtcDetachGeometry(scene_, static_cast<unsigned>(i));
        part = {};
        changed = true;
      }
    } else if (!part.attached || moved_frame || part.to_world.m != instance.to_world.m ||
               part.see_through != (see_through[i] != 0)) {
      place(instance, see_through[i] != 0, part);
      changed = true;
    }
  }
  if (!changed) return;
  // One hierarchy over everything traces fastest; once something moves, one per instance and a
  // small one above them makes each further move cheap.
  if (committed_ && !dynamic_) {
    rtcSetSceneFlags(scene_,
                     static_cast<RTCSceneFlags>(RTC_SCENE_FLAG_ROBUST | RTC_SCENE_FLAG_DYNAMIC));
    dynamic_ = true;
  }
  rtcCommitScene(scene_);
  if (rtcGetDeviceError(device_) != RTC_ERROR_NONE) throw EmbreeError("Embree could not build");
  committed_ = true;
}

}  // namespace esi::picture
