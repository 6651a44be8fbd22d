#include <array>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "core/raycast.hpp"
#include "core/triangle.hpp"
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

}  // namespace

ESI_TEST(closest_any_and_all_hits_agree) {
  const auto scene = soup(300, 0.4);
  const SceneView view = scene->view();
  int found = 0;
  for (const Ray& ray : random_rays(2000)) {
    const Hit closest = esi::closest_hit(view, ray);
    std::vector<Hit> every;
    esi::all_hits(view, ray, {}, every);
    CHECK_EQUAL(esi::any_hit(view, ray), static_cast<bool>(closest));
    CHECK_EQUAL(every.empty(), !closest);
    if (!closest) continue;
    ++found;
    CHECK_EQUAL(every.front().t, closest.t);
    CHECK_EQUAL(every.front().face, closest.face);
    const esi::Instance& instance = view.instance(closest.instance);
    const auto corners = instance.triangle(closest.face);
    const Vec3 on_face =
        corners[0] * (1 - closest.u - closest.v) + corners[1] * closest.u + corners[2] * closest.v;
    CHECK_NEAR(esi::norm(on_face - (ray.origin + closest.t * ray.direction)), 0, 1e-12);
    const Vec3 normal = esi::face_normal(instance, closest.face);
    CHECK_NEAR(esi::dot(normal, corners[1] - corners[0]), 0, 1e-12);
  }
  CHECK(found > 200);
}

ESI_TEST(ignored_objects_are_passed_through) {
  const auto scene = soup(300, 0.4);
  const SceneView view = scene->view();
  const std::vector<std::int32_t> first{9, 3}, both{3, 4};
  for (const Ray& ray : random_rays(500)) {
    const Hit hit = esi::closest_hit(view, ray, first);
    CHECK_EQUAL(esi::any_hit(view, ray, first), static_cast<bool>(hit));
    if (hit) CHECK_EQUAL(view.instance(hit.instance).object_id, 4);
    CHECK(!esi::any_hit(view, ray, both));
  }
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

ESI_TEST(the_length_of_a_direction_changes_no_hit) {
  // Around the lengths at which single precision, or Embree's idea of zero, would step in.
  Scene scene(1);
  const std::vector<Vec3> vertices{{-2, -2, 0}, {2, -2, 0}, {2, 2, 0}, {-2, 2, 0}};
  const std::vector<std::int32_t> faces{0, 1, 2, 0, 2, 3};
  const std::int32_t mesh = scene.add_mesh(vertices, faces, {}, {});
  scene.add_instance(mesh, 0, {}, {1, 1, 1});
  // Embree looks at boxes only where there is more than one.
  scene.add_instance(mesh, 1, {{1, 0, 0, 50, 0, 1, 0, 60, 0, 0, 1, 70}}, {1, 1, 1});
  const SceneView view = scene.view();
  for (const double length : {1.0, 0x1p-9, 0x1p-60, 0x1p-90, 0x1p9, 0x1p60, 0x1p90}) {
    const Vec3 direction{0, 0x1p-30 * length, -length};
    const Hit hit = esi::closest_hit(view, {{0, 0, 3}, direction});
    CHECK(static_cast<bool>(hit));
    CHECK_EQUAL(hit.t * length, 3.0);
    CHECK(esi::any_hit(view, {{0, 0, 3}, direction, 0, 3.0 / length}));
    CHECK(!esi::any_hit(view, {{0, 0, 3}, direction, 0, 2.9375 / length}));
    CHECK(!esi::any_hit(view, {{0, 0, 3}, direction, 3.0625 / length}));
  }
}

// Found by fuzzing: a ray within rounding of a triangle's plane passed for one that meets it where
// it starts, 23 m away. On the line x = y = z the triangle is met from x = -5.93 to -5.28.
ESI_TEST(a_ray_in_the_plane_of_a_triangle_meets_it_within_it_if_at_all) {
  const Vec3 origin{7.9997558593750044, 7.9997558593750053, 7.9997558593750062};
  const Vec3 direction{0.57735026918962573, 0.57735026918962584, 0.57735026918962584};
  const Vec3 a{-4.8125, -4.8125, -13.78125}, b{-10.9375, -10.9375, 29.185821533203125},
      c{-7.875, -7.875, 41.217071533203125};
  const double share_b = 8.96875 / (8.96875 + 40.123321533203125);
  const double share_c = 8.96875 / (8.96875 + 49.092071533203125);
  const double far = (-4.8125 - 6.125 * share_b - 7.999755859375) * std::sqrt(3.0);
  const double near = (-4.8125 - 3.0625 * share_c - 7.999755859375) * std::sqrt(3.0);
  for (const auto& t : {std::array<Vec3, 3>{a, b, c}, {b, c, a}, {c, b, a}}) {
    esi::TriangleHit hit;
    if (!esi::meets(origin, direction, t[0], t[1], t[2], &hit)) continue;
    CHECK(hit.t >= far - 1e-12 && hit.t <= near + 1e-12);
  }
  esi::TriangleHit hit;
  CHECK(esi::meets(origin, direction, a, b, c, &hit));
}

ESI_TEST(rays_without_direction_or_with_nan_are_not_valid) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(esi::is_valid({{0, 0, 0}, {0, 0, -1e-20}}));
  CHECK(!esi::is_valid({{0, 0, 0}, {0, 0, 0}}));
  CHECK(!esi::is_valid({{0, nan, 0}, {0, 0, 1}}));
  CHECK(!esi::is_valid({{0, 0, 0}, {0, std::numeric_limits<double>::infinity(), 1}}));
}

// Found by fuzzing: a ray that starts a million scenes away was moved to the scene with an error
// larger than the scene's own slack, and then missed or met the wrong face.
ESI_TEST(rays_from_very_far_away_meet_what_they_aim_at) {
  for (const double size : {1.0, 1e-3}) {
    Scene scene(1);
    const std::vector<Vec3> corners{{0, 0, 0}, {size, 0, 0}, {size, size, 0}, {0, size, 0}};
    const std::vector<std::int32_t> faces{0, 1, 2, 0, 2, 3};
    scene.add_instance(scene.add_mesh(corners, faces, {}, {}), 0, {}, {1, 1, 1});
    const SceneView view = scene.view();
    for (const double away : {1e3, 1e7, 1e10, 1e12}) {
      // Along z the coordinates across are exact, whatever the distance.
      const Ray inside{{0.75 * size, 0.25 * size, away}, {0, 0, -1}};
      const Hit hit = esi::closest_hit(view, inside);
      CHECK_EQUAL(hit.t, away);
      CHECK_EQUAL(hit.face, 0);
      CHECK(esi::any_hit(view, inside));
      CHECK(!esi::any_hit(view, {{1.001 * size, 0.25 * size, away}, {0, 0, -1}}));
      CHECK(!esi::any_hit(view, {{0.75 * size, 0.25 * size, away}, {0, 0, -1}, 0, 0.999 * away}));
      std::vector<Hit> all;
      esi::all_hits(view, {{0.5 * size, 0.5 * size, away}, {0, 0, -1}}, {}, all);
      CHECK_EQUAL(all.size(), 2U);  // on the diagonal
    }
  }
}

ESI_TEST(rays_beyond_the_world_are_not_valid) {
  CHECK(esi::is_valid({{1e12, 0, 0}, {-1, 0, 0}}));
  CHECK(!esi::is_valid({{1.1e12, 0, 0}, {-1, 0, 0}}));
  CHECK(!esi::is_valid({{0, 0, 0}, {1e31, 0, 0}}));
}
