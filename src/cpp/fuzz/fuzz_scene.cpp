// Scenes that are built, moved and taken apart in any order, against a plain list.
#include <algorithm>

#include "core/triangle.hpp"
#include "fuzz/fuzz.hpp"

using namespace esi;
using namespace esi::fuzz;

namespace {

struct Placed {
  std::int32_t mesh, object_id;
  Affine pose;
  Vec3 scale;
  bool alive = true;
};

struct Model {
  Scene scene{1};
  std::vector<Shape> shapes;
  std::vector<Placed> placed;
};

void new_mesh(Input& in, Model& model) {
  Shape s = shape(in);
  const std::int32_t id = add_mesh(model.scene, s);
  if (id < 0) return;
  FUZZ_CHECK(id == static_cast<std::int32_t>(model.shapes.size()));
  model.shapes.push_back(std::move(s));
}

void add_instance(Input& in, Model& model) {
  const std::int32_t mesh = in.below(static_cast<int>(model.shapes.size()) + 1);
  const Placed p{mesh, in.below(6) - 1, in.pose(), in.scale()};
  try {
    const auto id = model.scene.add_instance(mesh, p.object_id, p.pose, p.scale);
    FUZZ_CHECK(p.object_id >= 0 && mesh < static_cast<std::int32_t>(model.shapes.size()));
    FUZZ_CHECK(id == static_cast<std::int32_t>(model.placed.size()));
    model.placed.push_back(p);
  } catch (const std::invalid_argument&) {
  }
}

void move(Input& in, Model& model) {
  const int id = in.below(static_cast<int>(model.placed.size()) + 1);
  const Affine pose = in.pose();
  const Vec3 scale = in.scale();
  const bool rescale = in.flag();
  try {
    model.scene.set_pose(id, pose, rescale ? &scale : nullptr);
    Placed& p = model.placed.at(static_cast<std::size_t>(id));
    FUZZ_CHECK(p.alive);
    p.pose = pose;
    if (rescale) p.scale = scale;
  } catch (const std::invalid_argument&) {
  }
}

void remove(Input& in, Model& model) {
  const int id = in.below(static_cast<int>(model.placed.size()) + 1);
  const auto at = static_cast<std::size_t>(id);
  const bool there = at < model.placed.size() && model.placed[at].alive;
  try {
    model.scene.remove_instance(id);
    FUZZ_CHECK(there);
    model.placed[at].alive = false;
  } catch (const std::invalid_argument&) {
    FUZZ_CHECK(!there);
  }
}

// World vertices are the placed ones of the mesh, every face is either kept or without area.
void check_instance(const Instance& instance, const Placed& p, const Shape& s) {
  FUZZ_CHECK(instance.alive == p.alive && instance.object_id == p.object_id);
  FUZZ_CHECK(instance.mesh == p.mesh);
  if (!p.alive) return;
  FUZZ_CHECK(instance.vertices.size() == s.vertices.size());
  for (std::size_t v = 0; v < s.vertices.size(); ++v) {
    const Vec3 local = s.vertices[v];
    for (int k = 0; k < 3; ++k) {
      Real sum = p.pose.m[static_cast<std::size_t>(4 * k + 3)];
      Real size = std::abs(sum);
      for (int j = 0; j < 3; ++j) {
        const Real term =
            Real{p.pose.m[static_cast<std::size_t>(4 * k + j)]} * p.scale[j] * local[j];
        sum += term;
        size += std::abs(term);
      }
      FUZZ_CHECK(std::abs(instance.vertices[v][k] - sum) <= 1e-15L * size + 1e-300L);
    }
  }
  std::vector<std::int32_t> kept = instance.shape->clusters.faces;
  std::sort(kept.begin(), kept.end());
  FUZZ_CHECK(std::adjacent_find(kept.begin(), kept.end()) == kept.end());
  FUZZ_CHECK(kept.size() + instance.shape->degenerate == s.face_count());
  for (std::size_t f = 0; f < s.face_count(); ++f) {
    const auto c = s.corners(f);
    const Real area = norm(cross(Wide(c[1]) - Wide(c[0]), Wide(c[2]) - Wide(c[0])));
    const Real edge = std::max({norm(Wide(c[1]) - Wide(c[0])), norm(Wide(c[2]) - Wide(c[0])),
                                norm(Wide(c[2]) - Wide(c[1]))});
    const Real size = std::max({largest(c[0]), largest(c[1]), largest(c[2])});
    const bool there = std::binary_search(kept.begin(), kept.end(), static_cast<std::int32_t>(f));
    if (area > 1e-14L * size * edge && area < 1e300L && area > 1e-300L) FUZZ_CHECK(there);
    if (area < 1e-16L * size * edge) FUZZ_CHECK(!there);
  }
  // Each group's box holds its triangles.
  FUZZ_CHECK(instance.clusters.size() == instance.boxes.size());
  FUZZ_CHECK(instance.clusters.size() == instance.shape->clusters.count());
}

void check(Input& in, Model& model) {
  const SceneView view = model.scene.view();
  FUZZ_CHECK(view.instance_count() == model.placed.size());
  Box bounds;
  std::size_t triangles = 0, alive = 0;
  for (std::size_t i = 0; i < model.placed.size(); ++i) {
    const Placed& p = model.placed[i];
    const Instance& instance = view.instance(static_cast<std::int32_t>(i));
    check_instance(instance, p, model.shapes[static_cast<std::size_t>(p.mesh)]);
    if (!p.alive) continue;
    ++alive;
    triangles += instance.shape->clusters.faces.size();
    for (const std::int32_t face : instance.shape->clusters.faces) {
      for (const Vec3& corner : instance.triangle(face)) bounds.extend(corner);
    }
    for (std::size_t c = 0; c < instance.clusters.size(); ++c) {
      const Cluster& group = instance.clusters[c];
      FUZZ_CHECK(group.count >= 1 && group.count <= cluster_size);
      for (int lane = 0; lane < group.count; ++lane) {
        for (const Vec3& corner : instance.triangle(group.face[lane])) {
          const Vec3 p0 = corner - view.frame().center;
          const RTCBounds& b = instance.boxes[c];
          FUZZ_CHECK(b.lower_x <= p0.x && p0.x <= b.upper_x && b.lower_y <= p0.y &&
                     p0.y <= b.upper_y && b.lower_z <= p0.z && p0.z <= b.upper_z);
        }
      }
    }
  }
  FUZZ_CHECK(view.alive_count() == alive && view.triangle_count() == triangles);
  FUZZ_CHECK(view.bounds().lower == bounds.lower && view.bounds().upper == bounds.upper);
  // Whether every change reached the hierarchy.
  for (int i = in.below(4); i > 0; --i) {
    const Ray ray{in.point(), in.direction()};
    const Truth expected = truth(view, ray, {});
    const Hit hit = closest_hit(view, ray);
    if (expected.hit && !(hit && hit.t <= expected.first + expected.room)) {
      describe(view, ray);
      std::cerr << "found " << hit.t << ", expected " << expected.first << " +- " << expected.room
                << "\n";
    }
    if (expected.hit) FUZZ_CHECK(hit && hit.t <= expected.first + expected.room);
    if (expected.certain && !expected.hit) FUZZ_CHECK(!hit);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const FlushDenormals flush;  // as all batches do
  Input in(data, size);
  Model model;
  new_mesh(in, model);
  add_instance(in, model);
  for (int step = 0; step < 12 && !in.empty(); ++step) {
    switch (in.below(6)) {
      case 0:
        new_mesh(in, model);
        break;
      case 1:
        add_instance(in, model);
        break;
      case 2:
      case 3:
        move(in, model);
        break;
      case 4:
        remove(in, model);
        break;
      default:
        check(in, model);
    }
  }
  check(in, model);
  return 0;
}
