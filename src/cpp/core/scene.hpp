// Meshes placed in one world, ready for exact rays. docs/exactness.md explains the design.
//
// Embree holds, per instance, boxes around groups of up to eight triangles (user geometry) and
// finds the groups that a ray may meet; whether it meets a triangle is decided here (raycast.hpp):
// in single precision where that is safe, otherwise in double precision on the world vertices. The
// same scene serves queries and pictures.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <vector>

#include "core/clusters.hpp"
#include "core/embree_api.hpp"
#include "core/fair_lock.hpp"
#include "core/types.hpp"

namespace esi {

struct Mesh {
  std::vector<Vec3> vertices;
  std::vector<std::int32_t> faces;  // three vertex indices each
  std::vector<Vec3> normals;        // three per face, or empty
  std::vector<double> uv;           // (u, v) for each corner of each face, or empty
  Box bounds;                       // of all vertices
  ClusterOrder clusters;            // proper faces only
  std::size_t degenerate = 0;       // faces without area, which no ray meets

  std::size_t face_count() const { return faces.size() / 3; }
};

// Up to eight triangles for the single-precision test, relative to the centre of the scene.
struct alignas(64) Cluster {
  float corner[3][cluster_size];
  float edge1[3][cluster_size];  // second corner minus first
  float edge2[3][cluster_size];  // third corner minus first
  float reach;                   // largest component of the edges
  std::int32_t count;
  std::int32_t face[cluster_size];
};

struct Instance {
  std::int32_t id = -1;
  std::int32_t mesh = -1;
  std::int32_t object_id = -1;
  bool alive = true;
  Affine pose;
  Vec3 scale{1, 1, 1};
  Affine to_world;  // pose and scale
  const Mesh* shape = nullptr;

  std::vector<Vec3> vertices;  // of the mesh, in the world
  Box bounds;
  std::vector<Cluster> clusters;
  std::vector<RTCBounds> boxes;  // one per cluster
  RTCGeometry geometry = nullptr;
  unsigned slot = 0;  // of the geometry in Embree's scene

  std::array<Vec3, 3> triangle(std::int32_t face) const {
    const std::int32_t* f = shape->faces.data() + 3 * static_cast<std::size_t>(face);
    return {vertices[f[0]], vertices[f[1]], vertices[f[2]]};
  }
};

// Where single precision is at home: coordinates are taken relative to `center` and stay within
// `reach` of it on each axis.
struct Frame {
  Vec3 center;
  double reach = 0;  // 0: no triangle at all
  float slack = 0;   // by which boxes are widened so that no rounding can lose a true hit
};

class SceneView;

// Not copyable; all members may be called from several threads at once. Ids are indices in order
// of addition and stay valid when others are removed. Wrong arguments throw std::invalid_argument.
class Scene {
 public:
  explicit Scene(int threads);
  ~Scene();
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  std::int32_t add_mesh(Span<const Vec3> vertices, Span<const std::int32_t> faces,
                        Span<const Vec3> normals, Span<const double> uv);
  std::int32_t add_instance(std::int32_t mesh, std::int32_t object_id, const Affine& pose,
                            Vec3 scale);
  void set_pose(std::int32_t instance, const Affine& pose, const Vec3* scale);
  void remove_instance(std::int32_t instance);

  // A look at the built scene; builds or refits first if anything changed. Changes wait until the
  // views before them are gone and views wait for the changes before them, so a thread that holds
  // a view must neither change the scene nor ask for another view.
  SceneView view();

  int threads() const { return threads_; }
  // Meshes are never changed or removed.
  const Mesh& mesh(std::int32_t mesh) const;

 private:
  friend class SceneView;
  Instance& alive(std::int32_t instance);
  void build();
  void update_vertices(const std::vector<Instance*>& changed);
  bool update_frame();
  void update_clusters(const std::vector<Instance*>& changed);
  void commit(const std::vector<Instance*>& changed);

  int threads_;
  RTCDevice device_;
  RTCScene scene_;
  mutable FairSharedMutex mutex_;
  std::vector<std::unique_ptr<Mesh>> meshes_;
  std::vector<std::unique_ptr<Instance>> instances_;
  std::vector<std::int32_t> changed_;
  std::vector<std::int32_t> removed_;
  // Embree keeps something for every slot ever used, so those of removed instances are used again.
  std::vector<unsigned> free_slots_;
  unsigned slots_ = 0;
  bool dirty_ = true;
  bool committed_ = false;
  bool dynamic_ = false;
  Frame frame_;
  Box bounds_;
  std::size_t triangles_ = 0;
  std::size_t alive_ = 0;
};

// Read access to a built scene. Cheap to make; keeps changes out while it lives.
class SceneView {
 public:
  RTCScene embree() const { return scene_->scene_; }
  const Frame& frame() const { return scene_->frame_; }
  const Box& bounds() const { return scene_->bounds_; }
  std::size_t triangle_count() const { return scene_->triangles_; }
  std::size_t alive_count() const { return scene_->alive_; }
  // All instances ever added, removed ones (not alive) included.
  std::size_t instance_count() const { return scene_->instances_.size(); }
  const Instance& instance(std::int32_t i) const {
    return *scene_->instances_[static_cast<std::size_t>(i)];
  }
  int threads() const { return scene_->threads_; }
  // Of the scene's hierarchy; others on the same scene share its threads.
  RTCDevice device() const { return scene_->device_; }

 private:
  friend class Scene;
  SceneView(const Scene& scene, std::shared_lock<FairSharedMutex> lock)
      : scene_(&scene), lock_(std::move(lock)) {}

  const Scene* scene_;
  std::shared_lock<FairSharedMutex> lock_;
};

}  // namespace esi
