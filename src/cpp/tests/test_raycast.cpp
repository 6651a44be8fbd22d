#include <memory>
#include <random>
#include <vector>

#include "core/raycast.hpp"
#include "tests/check.hpp"

using esi::Hit;
using esi::Ray;
using esi::Scene;
using esi::SceneView;
using esi::Vec3;

namespace {

// Random triangles in two instances of different meshes, with object ids 3 and 4.
std::unique_ptr<Scene> soup(int count, double size) {
  auto scene = std::make_unique<Scene>(1);
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> place(-1, 1), edge(-size, size);
  for (int part = 0; part < 2; ++part) {
    std::vector<Vec3> vertices;
    std::vector<std::int32_t> faces;
    for (int i = 0; i < count; ++i) {
      const Vec3 center{place(random), place(random), place(random)};
      for (int k = 0; k < 3; ++k) {
        faces.push_back(static_cast<std::int32_t>(vertices.size()));
        vertices.push_back(center + Vec3{edge(random), edge(random), edge(random)});
      }
    }
    scene->add_instance(scene->add_mesh(vertices, faces, {}, {}), 3 + part, {}, {1, 1, 1});
  }
  return scene;
}

std::vector<Ray> random_rays(int count) {
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> place(-3, 3);
  std::vector<Ray> rays;
  for (int i = 0; i < count; ++i) {
    const Vec3 a{place(random), place(random), place(random)};
    const Vec3 b{place(random), place(random), place(random)};
    rays.push_back({a, b - a, 0, i % 3 == 0 ? 0.7 : std::numeric_limits<double>::infinity()});
  }
  return rays;
}

// A fan from one point, as a camera's.
std::vector<Ray> fan(int count) {
  std::vector<Ray> rays;
  for (int i = 0; i < count; ++i) {
    const int row = i / 64;
    const double x = (i % 64) / 64.0 - 0.5, y = row / 64.0 - 0.5;
    rays.push_back({{-2.5, 0.1, 0.2}, {1, x, y}});
  }
  return rays;
}

template <int N>
void compare(const SceneView& view, const std::vector<Ray>& rays, bool coherent,
             esi::Ignore ignore) {
  int hits = 0;
  for (std::size_t first = 0; first + N <= rays.size(); first += N) {
    esi::RayPacket<N> packet;
    for (int i = 0; i < N; ++i) {
      const Ray& ray = rays[first + i];
      packet.active[i] = (first + i) % 5 != 0;
      for (int k = 0; k < 3; ++k) {
        packet.origin[k][i] = ray.origin[k];
        packet.direction[k][i] = ray.direction[k];
      }
      packet.near[i] = ray.near;
      packet.far[i] = ray.far;
    }
    esi::HitPacket<N> found;
    for (int i = 0; i < N; ++i) found.face[i] = -7;
    bool blocked[N] = {};
    esi::closest_hits(view, packet, coherent, &found, ignore);
    esi::any_hits(view, packet, coherent, blocked, ignore);
    for (int i = 0; i < N; ++i) {
      if (!packet.active[i]) {
        CHECK_EQUAL(found.face[i], -7);
        CHECK(!blocked[i]);
        continue;
      }
      const Hit expected = esi::closest_hit(view, rays[first + i], ignore);
      CHECK_EQUAL(found.instance[i], expected.instance);
      CHECK_EQUAL(found.face[i], expected.face);
      CHECK_EQUAL(found.t[i], expected.t);
      CHECK_EQUAL(found.u[i], expected.u);
      CHECK_EQUAL(found.v[i], expected.v);
      CHECK_EQUAL(blocked[i], static_cast<bool>(expected));
      hits += blocked[i] ? 1 : 0;
    }
  }
  CHECK(hits > static_cast<int>(rays.size() / 10));
}

}  // namespace

ESI_TEST(packets_answer_as_single_rays_do) {
  const auto scene = soup(300, 0.4);
  const SceneView view = scene->view();
  for (const auto& rays : {random_rays(2048), fan(4096)}) {
    for (const bool coherent : {false, true}) {
      compare<8>(view, rays, coherent, {});
      compare<16>(view, rays, coherent, {});
    }
  }
}

ESI_TEST(packets_pass_through_ignored_objects) {
  const auto scene = soup(300, 0.4);
  const SceneView view = scene->view();
  const std::vector<std::int32_t> ignored{9, 3};
  compare<16>(view, fan(1024), true, ignored);
}

ESI_TEST(an_empty_scene_is_never_hit) {
  Scene scene(1);
  const SceneView view = scene.view();
  const Ray ray{{0, 0, 0}, {1, 0, 0}};
  CHECK(!esi::closest_hit(view, ray));
  CHECK(!esi::any_hit(view, ray));
  std::vector<Hit> hits;
  esi::all_hits(view, ray, {}, hits);
  CHECK(hits.empty());
}

ESI_TEST(rays_without_direction_or_with_nan_are_not_valid) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(esi::is_valid({{0, 0, 0}, {0, 0, -1e-20}}));
  CHECK(!esi::is_valid({{0, 0, 0}, {0, 0, 0}}));
  CHECK(!esi::is_valid({{0, nan, 0}, {0, 0, 1}}));
  CHECK(!esi::is_valid({{0, 0, 0}, {0, std::numeric_limits<double>::infinity(), 1}}));
}
