#include "core/scene.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <string>

#ifdef __unix__
#include <unistd.h>
#endif

#include "core/error.hpp"
#include "core/parallel.hpp"

namespace esi {
namespace {

constexpr double unit_roundoff = 0x1p-24;  // of single precision
// Of a mesh's own coordinates, which may be in any unit: products of four stay finite.
constexpr double largest_unplaced = 1e60;

std::string range_text(std::size_t count) {
  return count == 0 ? "one that exists (there is none yet)"
                    : "one from 0 to " + std::to_string(count - 1);
}

// Embree's own threads build hierarchies. They do not survive a fork, and waiting for them there
// would never end, so a child builds alone.
int build_threads(int threads) {
#ifdef __unix__
  static const pid_t first = getpid();
  if (getpid() != first) return 1;
#endif
  return threads;
}

// One device for each number of threads, kept until the process ends.
RTCDevice shared_device(int threads) {
  static std::mutex mutex;
  static std::map<int, RTCDevice> devices;
  const std::lock_guard<std::mutex> lock(mutex);
  RTCDevice& device = devices[threads];
  if (device == nullptr) {
    const std::string config = "threads=" + std::to_string(threads);
    device = rtcNewDevice(config.c_str());
    if (device == nullptr) throw EmbreeError("Embree could not be started");
  }
  return device;
}

void check(RTCDevice device, const char* what) {
  const RTCError error = rtcGetDeviceError(device);
  if (error != RTC_ERROR_NONE) {
    throw EmbreeError(std::string(what) + ": Embree error " +
                      std::to_string(static_cast<int>(error)));
  }
}

float rounded_down(double x) {
  const float f = static_cast<float>(x);
  return static_cast<double>(f) > x ? std::nextafterf(f, -std::numeric_limits<float>::infinity())
                                    : f;
}
float rounded_up(double x) { return -rounded_down(-x); }

void copy_box(const RTCBoundsFunctionArguments* args) {
  const auto& instance = *static_cast<const Instance*>(args->geometryUserPtr);
  *args->bounds_o = instance.boxes[args->primID];
}

// Faces whose area does not exceed what rounding their coordinates can make: no area at all.
bool is_degenerate(const Vec3& a, const Vec3& b, const Vec3& c) {
  const auto largest = [](Vec3 v) {
    return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  };
  const Vec3 e1 = b - a, e2 = c - a, e3 = c - b;
  const double edge = std::max({largest(e1), largest(e2), largest(e3)});
  const double size = std::max({largest(a), largest(b), largest(c)});
  return !(norm(cross(e1, e2)) > 4 * std::numeric_limits<double>::epsilon() * size * edge);
}

// A piece of the work on one instance.
struct Piece {
  Instance* instance;
  std::size_t first, last;
};

template <class Count>
std::vector<Piece> pieces_of(const std::vector<Instance*>& instances, std::size_t grain,
                             Count count) {
  std::vector<Piece> pieces;
  for (Instance* instance : instances) {
    const std::size_t n = count(*instance);
    for (std::size_t first = 0; first < n; first += grain) {
      pieces.push_back({instance, first, std::min(n, first + grain)});
    }
  }
  return pieces;
}

template <class Work>
void for_pieces(const std::vector<Piece>& pieces, int threads, Work work) {
  // Some pieces at a time, as many of them are tiny.
  parallel_for(pieces.size(), 16, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) work(pieces[i]);
  });
}

void fill(const Instance& instance, const Frame& frame, std::size_t index, Cluster* cluster,
          RTCBounds* box) {
  const ClusterOrder& order = instance.shape->clusters;
  const std::uint32_t first = order.begin[index];
  cluster->count = static_cast<std::int32_t>(order.begin[index + 1] - first);
  Box bounds;
  double reach = 0;
  for (int lane = 0; lane < cluster_size; ++lane) {
    // Spare lanes repeat the first triangle; nobody reads their answer.
    const std::int32_t face = order.faces[first + (lane < cluster->count ? lane : 0)];
    const auto corners = instance.triangle(face);
    const Vec3 a = corners[0] - frame.center;
    const Vec3 e1 = corners[1] - corners[0], e2 = corners[2] - corners[0];
    for (const Vec3& corner : corners) bounds.extend(corner);
    for (int k = 0; k < 3; ++k) {
      cluster->corner[k][lane] = static_cast<float>(a[k]);
      cluster->edge1[k][lane] = static_cast<float>(e1[k]);
      cluster->edge2[k][lane] = static_cast<float>(e2[k]);
      reach = std::max({reach, std::abs(e1[k]), std::abs(e2[k])});
    }
    cluster->face[lane] = face;
  }
  cluster->reach = rounded_up(reach);
  const Vec3 lower = bounds.lower - frame.center, upper = bounds.upper - frame.center;
  const double slack = frame.slack;
  box->lower_x = rounded_down(lower.x - slack);
  box->lower_y = rounded_down(lower.y - slack);
  box->lower_z = rounded_down(lower.z - slack);
  box->upper_x = rounded_up(upper.x + slack);
  box->upper_y = rounded_up(upper.y + slack);
  box->upper_z = rounded_up(upper.z + slack);
}

Affine scaled(const Affine& pose, Vec3 scale) {
  Affine s;
  for (int k = 0; k < 3; ++k) s.m[5 * k] = scale[k];
  return pose * s;
}

}  // namespace

Scene::Scene(int threads) : threads_(thread_count(threads)) {
  device_ = shared_device(build_threads(threads_));
  scene_ = rtcNewScene(device_);
  check(device_, "new scene");
}

Scene::~Scene() { rtcReleaseScene(scene_); }

std::int32_t Scene::add_mesh(Span<const Vec3> vertices, Span<const std::int32_t> faces,
                             Span<const Vec3> normals, Span<const double> uv) {
  auto mesh = std::make_unique<Mesh>();
  const std::size_t count = faces.size() / 3;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Vec3 v = vertices[i];
    const double size = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
    if (!(size <= largest_unplaced)) {
      bad_argument("vertices", "coordinates within 1e60",
                   short_number(size) + " at vertex " + std::to_string(i));
    }
  }
  for (std::size_t i = 0; i < faces.size(); ++i) {
    if (faces[i] < 0 || static_cast<std::size_t>(faces[i]) >= vertices.size()) {
      bad_argument("faces", "vertex indices below " + std::to_string(vertices.size()),
                   std::to_string(faces[i]) + " in face " + std::to_string(i / 3));
    }
  }
  mesh->vertices.assign(vertices.begin(), vertices.end());
  for (const Vec3& v : vertices) mesh->bounds.extend(v);
  mesh->faces.assign(faces.begin(), faces.end());
  mesh->normals.assign(normals.begin(), normals.end());
  mesh->uv.assign(uv.begin(), uv.end());
  std::vector<std::int32_t> proper;
  proper.reserve(count);
  for (std::size_t f = 0; f < count; ++f) {
    const auto corner = [&](int k) { return vertices[static_cast<std::size_t>(faces[3 * f + k])]; };
    if (!is_degenerate(corner(0), corner(1), corner(2))) {
      proper.push_back(static_cast<std::int32_t>(f));
    }
  }
  mesh->degenerate = count - proper.size();
  mesh->clusters = make_clusters(vertices, faces, proper, threads_);

  const std::unique_lock<FairSharedMutex> lock(mutex_);
  meshes_.push_back(std::move(mesh));
  return static_cast<std::int32_t>(meshes_.size() - 1);
}

const Mesh& Scene::mesh(std::int32_t mesh) const {
  const std::shared_lock<FairSharedMutex> lock(mutex_);
  if (mesh < 0 || static_cast<std::size_t>(mesh) >= meshes_.size()) {
    bad_argument("mesh", range_text(meshes_.size()), std::to_string(mesh));
  }
  return *meshes_[static_cast<std::size_t>(mesh)];
}

namespace {

void check_placement(const Mesh& mesh, const Affine& pose, Vec3 scale) {
  for (int k = 0; k < 3; ++k) {
    if (!(scale[k] > 0)) bad_argument("scale", "positive factors", short_number(scale[k]));
  }
  const double d = pose.determinant();
  const double size = norm(pose.column(0)) * norm(pose.column(1)) * norm(pose.column(2));
  if (!(std::abs(d) > 1e-12 * size)) {
    bad_argument("pose", "an invertible matrix", "determinant " + short_number(d));
  }
  const Affine to_world = scaled(pose, scale);
  for (int i = 0; i < 8 && !mesh.bounds.empty(); ++i) {
    const Box& b = mesh.bounds;
    const Vec3 w = to_world.point({(i & 1 ? b.upper : b.lower).x, (i & 2 ? b.upper : b.lower).y,
                                   (i & 4 ? b.upper : b.lower).z});
    const double largest = std::max({std::abs(w.x), std::abs(w.y), std::abs(w.z)});
    if (!(largest <= largest_coordinate)) {
      bad_argument("pose", "world coordinates within 1e12 m", short_number(largest));
    }
  }
}

}  // namespace

std::int32_t Scene::add_instance(std::int32_t mesh, std::int32_t object_id, const Affine& pose,
                                 Vec3 scale) {
  const Mesh& shape = this->mesh(mesh);
  if (object_id < 0) bad_argument("object_id", "0 or more", std::to_string(object_id));
  check_placement(shape, pose, scale);
  auto instance = std::make_unique<Instance>();
  instance->mesh = mesh;
  instance->object_id = object_id;
  instance->pose = pose;
  instance->scale = scale;
  instance->to_world = scaled(pose, scale);
  instance->shape = &shape;

  const std::unique_lock<FairSharedMutex> lock(mutex_);
  instance->id = static_cast<std::int32_t>(instances_.size());
  changed_.push_back(instance->id);
  instances_.push_back(std::move(instance));
  dirty_ = true;
  return changed_.back();
}

Instance& Scene::alive(std::int32_t instance) {
  if (instance < 0 || static_cast<std::size_t>(instance) >= instances_.size()) {
    bad_argument("instance", range_text(instances_.size()), std::to_string(instance));
  }
  Instance& found = *instances_[static_cast<std::size_t>(instance)];
  if (!found.alive) {
    bad_argument("instance", "one that was not removed", std::to_string(instance));
  }
  return found;
}

void Scene::set_pose(std::int32_t instance, const Affine& pose, const Vec3* scale) {
  const std::unique_lock<FairSharedMutex> lock(mutex_);
  Instance& moved = alive(instance);
  const Vec3 factors = scale != nullptr ? *scale : moved.scale;
  check_placement(*moved.shape, pose, factors);
  moved.pose = pose;
  moved.scale = factors;
  moved.to_world = scaled(pose, factors);
  changed_.push_back(instance);
  dirty_ = true;
}

void Scene::remove_instance(std::int32_t instance) {
  const std::unique_lock<FairSharedMutex> lock(mutex_);
  alive(instance).alive = false;
  removed_.push_back(instance);
  dirty_ = true;
}

SceneView Scene::view() {
  {
    std::shared_lock<FairSharedMutex> lock(mutex_);
    if (!dirty_) return {*this, std::move(lock)};
  }
  std::unique_lock<FairSharedMutex> lock(mutex_);
  if (dirty_) build();
  // Without a gap, in which the scene could change again.
  lock.release()->unlock_and_lock_shared();
  return {*this, std::shared_lock<FairSharedMutex>(mutex_, std::adopt_lock)};
}

void Scene::build() {
  for (const std::int32_t id : removed_) {
    Instance& gone = *instances_[static_cast<std::size_t>(id)];
    if (gone.geometry != nullptr) {
      rtcDetachGeometry(scene_, gone.slot);
      free_slots_.push_back(gone.slot);
      gone.geometry = nullptr;
    }
    // Not "= {}", which would keep the memory.
    std::vector<Vec3>().swap(gone.vertices);
    std::vector<Cluster>().swap(gone.clusters);
    std::vector<RTCBounds>().swap(gone.boxes);
  }
  std::sort(changed_.begin(), changed_.end());
  changed_.erase(std::unique(changed_.begin(), changed_.end()), changed_.end());
  std::vector<Instance*> changed;
  for (const std::int32_t id : changed_) {
    Instance* instance = instances_[static_cast<std::size_t>(id)].get();
    if (instance->alive) changed.push_back(instance);
  }
  update_vertices(changed);
  if (update_frame()) {
    changed.clear();
    for (const auto& instance : instances_) {
      if (instance->alive) changed.push_back(instance.get());
    }
  }
  update_clusters(changed);
  commit(changed);
  changed_.clear();
  removed_.clear();
  dirty_ = false;
}

void Scene::update_vertices(const std::vector<Instance*>& changed) {
  for (Instance* instance : changed) {
    instance->vertices.resize(instance->shape->vertices.size());
  }
  const auto pieces = pieces_of(changed, 1024, [](const Instance& i) { return i.vertices.size(); });
  for_pieces(pieces, threads_, [](const Piece& p) {
    for (std::size_t v = p.first; v < p.last; ++v) {
      p.instance->vertices[v] = p.instance->to_world.point(p.instance->shape->vertices[v]);
    }
  });
  // Bounds of what rays can meet: vertices of degenerate faces, or of none, do not count.
  parallel_for(changed.size(), 16, threads_, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      Instance& instance = *changed[i];
      instance.bounds = {};
      for (const std::int32_t face : instance.shape->clusters.faces) {
        for (const Vec3& corner : instance.triangle(face)) instance.bounds.extend(corner);
      }
    }
  });
}

bool Scene::update_frame() {
  bounds_ = {};
  triangles_ = alive_ = 0;
  for (const auto& instance : instances_) {
    if (!instance->alive) continue;
    bounds_.extend(instance->bounds);
    triangles_ += instance->shape->clusters.faces.size();
    ++alive_;
  }
  if (triangles_ == 0) {
    const bool had_some = frame_.reach > 0;
    frame_ = {};
    return had_some;
  }
  const auto farthest = [&](Vec3 center) {
    const Vec3 a = bounds_.upper - center, b = center - bounds_.lower;
    return std::max({a.x, a.y, a.z, b.x, b.y, b.z});
  };
  // Room to move: as long as everything stays well inside the frame and the frame is not much too
  // wide (which would only cost speed), the other instances need no work.
  const double extent = farthest(frame_.center);
  if (frame_.reach > 0 && extent <= 0.99 * frame_.reach && extent >= 0.25 * frame_.reach) {
    return false;
  }
  frame_.center = bounds_.center();
  const double room = committed_ ? 1.5 : 1.06;
  frame_.reach = std::max(room * farthest(frame_.center), 1e-12);
  // docs/exactness.md derives at most 14 roundings of a coordinate; this is four times as many.
  frame_.slack = static_cast<float>(64 * unit_roundoff * frame_.reach);
  return true;
}

void Scene::update_clusters(const std::vector<Instance*>& changed) {
  for (Instance* instance : changed) {
    instance->clusters.resize(instance->shape->clusters.count());
    instance->boxes.resize(instance->clusters.size());
  }
  const auto pieces = pieces_of(changed, 128, [](const Instance& i) { return i.clusters.size(); });
  for_pieces(pieces, threads_, [&](const Piece& p) {
    for (std::size_t c = p.first; c < p.last; ++c) {
      fill(*p.instance, frame_, c, &p.instance->clusters[c], &p.instance->boxes[c]);
    }
  });
}

void Scene::commit(const std::vector<Instance*>& changed) {
  for (Instance* instance : changed) {
    if (instance->geometry == nullptr) {
      RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_USER);
      rtcSetGeometryUserPrimitiveCount(geometry, static_cast<unsigned>(instance->clusters.size()));
      rtcSetGeometryUserData(geometry, instance);
      rtcSetGeometryBoundsFunction(geometry, copy_box, nullptr);
      if (free_slots_.empty()) {
        instance->slot = slots_++;
      } else {
        instance->slot = free_slots_.back();
        free_slots_.pop_back();
      }
      rtcAttachGeometryByID(scene_, geometry, instance->slot);
      rtcReleaseGeometry(geometry);  // the scene keeps it
      instance->geometry = geometry;
    }
    rtcCommitGeometry(instance->geometry);
  }
  // One hierarchy over everything traces fastest; once something changes, one per instance and a
  // small one above them makes each further change cheap.
  if (committed_ && !dynamic_) {
    rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_DYNAMIC);
    // For user geometry this is what selects the builder with two levels; the instances' own
    // hierarchies keep their quality.
    rtcSetSceneBuildQuality(scene_, RTC_BUILD_QUALITY_LOW);
    dynamic_ = true;
  }
  rtcCommitScene(scene_);
  check(device_, "build");
  committed_ = true;
}

}  // namespace esi
