#include <atomic>
#include <limits>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/mirror.hpp"
#include "core/occlusion.hpp"
#include "core/raycast.hpp"
#include "core/scene.hpp"
#include "core/sweep.hpp"
#include "tests/box_mesh.hpp"
#include "tests/check.hpp"

using esi::Affine;
using esi::Hit;
using esi::Ray;
using esi::Scene;
using esi::Vec3;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Affine shift(Vec3 by) { return {{1, 0, 0, by.x, 0, 1, 0, by.y, 0, 0, 1, by.z}}; }

// Two cubes of edge 2 on the x axis, centred at 5 (object 1) and at 10 (object 2).
struct TwoCubes {
  Scene scene{2};
  std::int32_t mesh;
  std::int32_t near, far;

  TwoCubes() {
    const esi::test::BoxMesh cube({-1, -1, -1}, {1, 1, 1});
    mesh = scene.add_mesh(cube.vertices, cube.faces, {}, {});
    near = scene.add_instance(mesh, 1, shift({5, 0, 0}), {1, 1, 1});
    far = scene.add_instance(mesh, 2, shift({10, 0, 0}), {1, 1, 1});
  }
};

const Ray along_x{{0, 0.25, 0.5}, {1, 0, 0}, 0, infinity};

}  // namespace

ESI_TEST(rays_find_the_faces_they_cross) {
  TwoCubes cubes;
  const auto view = cubes.scene.view();
  const Hit first = closest_hit(view, along_x);
  CHECK_EQUAL(first.t, 4.0);
  CHECK_EQUAL(first.instance, cubes.near);
  CHECK((face_normal(view.instance(first.instance), first.face) == Vec3{-1, 0, 0}));

  const std::vector<std::int32_t> ignored{1};
  CHECK_EQUAL(closest_hit(view, along_x, ignored).t, 9.0);
  CHECK(any_hit(view, along_x));
  CHECK(!any_hit(view, {{0, 3, 0}, {1, 0, 0}, 0, infinity}));
  CHECK(!any_hit(view, {{0, 0, 0}, {1, 0, 0}, 0, 3.5}));

  std::vector<Hit> hits;
  all_hits(view, along_x, {}, hits);
  CHECK_EQUAL(hits.size(), 4U);
  const double expected[4] = {4, 6, 9, 11};
  for (std::size_t i = 0; i < hits.size() && i < 4; ++i) CHECK_EQUAL(hits[i].t, expected[i]);
}

ESI_TEST(moved_and_removed_instances_are_followed) {
  TwoCubes cubes;
  CHECK_EQUAL(closest_hit(cubes.scene.view(), along_x).t, 4.0);
  const Vec3 scale{2, 1, 1};
  cubes.scene.set_pose(cubes.near, shift({5, 0, 0}), &scale);
  CHECK_EQUAL(closest_hit(cubes.scene.view(), along_x).t, 3.0);
  cubes.scene.set_pose(cubes.near, shift({5, 7, 0}), nullptr);
  CHECK_EQUAL(closest_hit(cubes.scene.view(), along_x).t, 9.0);
  cubes.scene.remove_instance(cubes.far);
  CHECK(!closest_hit(cubes.scene.view(), along_x));
  CHECK_THROWS(cubes.scene.remove_instance(cubes.far), std::invalid_argument);
  CHECK_THROWS(cubes.scene.add_instance(17, 0, {}, {1, 1, 1}), std::invalid_argument);
}

ESI_TEST(an_empty_scene_answers) {
  Scene scene(1);
  const auto view = scene.view();
  CHECK(!closest_hit(view, along_x));
  CHECK(!any_hit(view, along_x));
  CHECK_EQUAL(view.triangle_count(), 0U);
  CHECK(view.bounds().empty());
}

ESI_TEST(segments_are_blocked_by_what_stands_between) {
  TwoCubes cubes;
  const std::vector<Vec3> starts{{0, 0, 0}, {4, 0, 0}, {0, 3, 0}};
  const std::vector<Vec3> ends{{7.5, 0, 0}, {-2, 0, 0}, {12, 3, 0}};
  bool free[3];
  std::int32_t blocker[3];
  const auto view = cubes.scene.view();
  visible(view, 3, {starts.data()}, {ends.data()}, {}, 1e-6, 2, free);
  first_blocker(view, 3, {starts.data()}, {ends.data()}, {}, 1e-6, 2, blocker);
  // The second starts on a face and leaves it.
  const std::int32_t expected[3] = {1, -1, -1};
  for (int i = 0; i < 3; ++i) {
    CHECK_EQUAL(blocker[i], expected[i]);
    CHECK_EQUAL(free[i], expected[i] < 0);
  }
}

ESI_TEST(a_mirror_shows_what_both_legs_reach) {
  TwoCubes cubes;
  // At y = 4, reflecting towards -y, 2 wide and 2 high around x = 5.
  const esi::Mirror mirror{{5, 4, 0}, {0, -1, 0}, {1, 0, 0}, {0, 0, 1}, 1, 1};
  Vec3 hit;
  CHECK(mirror_hit(mirror, {4, 2, 0}, {6, 2, 0}, &hit));
  CHECK((hit == Vec3{5, 4, 0}));
  CHECK(!mirror_hit(mirror, {4, 2, 0}, {9, 2, 0}, &hit));
  CHECK(!mirror_hit(mirror, {4, 5, 0}, {6, 2, 0}, &hit));
  // The near cube stands in the second leg of the second pair.
  const std::vector<Vec3> eyes{{4, 2, 0}, {5, 2, 0}};
  const std::vector<Vec3> points{{6, 2, 0}, {5, -3, 0}};
  bool free[2];
  visible_through(cubes.scene.view(), mirror, 2, {eyes.data()}, {points.data()}, {}, 1e-6, 1, free);
  CHECK(free[0]);
  CHECK(!free[1]);
}

ESI_TEST(a_sphere_stops_at_what_it_touches) {
  TwoCubes cubes;
  esi::Obstacles obstacles;
  const auto view = cubes.scene.view();
  obstacles.sync(view, 1);
  const esi::Sweep hit = obstacles.sweep({0, 0, 0}, {4, 0, 0}, 1.0, {});
  CHECK(hit.blocked);
  CHECK_NEAR(hit.fraction, 0.75, 1e-6);
  CHECK_EQUAL(hit.object_id, 1);
  CHECK(!obstacles.sweep({0, 0, 0}, {2.5, 0, 0}, 1.0, {}).blocked);
}

ESI_TEST(queries_run_while_others_change_the_scene) {
  TwoCubes cubes;
  std::atomic<bool> stop{false};
  std::atomic<int> answers{0};
  std::vector<std::thread> readers;
  readers.reserve(2);
  for (int i = 0; i < 2; ++i) {
    readers.emplace_back([&] {
      while (!stop) {
        const double t = closest_hit(cubes.scene.view(), along_x).t;
        CHECK(t == 4.0 || t == 9.0);
        ++answers;
      }
    });
  }
  while (answers < 4) std::this_thread::yield();
  for (int i = 0; i < 20; ++i) {
    cubes.scene.set_pose(cubes.near, shift({5, i % 2 == 0 ? 8.0 : 0.0, 0}), nullptr);
    std::this_thread::yield();
  }
  stop = true;
  for (std::thread& reader : readers) reader.join();
  CHECK_EQUAL(closest_hit(cubes.scene.view(), along_x).t, 4.0);
}

// Found by fuzzing: such coordinates are not finite or zero in single precision, in which triangles
// are grouped.
ESI_TEST(meshes_of_any_unit_are_grouped) {
  const esi::test::BoxMesh cube({0, 0, 0}, {1, 1, 1});
  for (const double unit : {1e-60, 1e-39, 1e-30, 1e20, 1e38, 1e59}) {
    Scene scene(1);
    std::vector<Vec3> vertices = cube.vertices;
    for (Vec3& v : vertices) v *= unit;
    const std::int32_t mesh = scene.add_mesh(vertices, cube.faces, {}, {});
    const double back = 1 / unit;
    scene.add_instance(mesh, 3, {}, {back, back, back});
    CHECK_EQUAL(scene.mesh(mesh).degenerate, 0U);
    CHECK_NEAR(closest_hit(scene.view(), {{0.25, 0.5, 5}, {0, 0, -1}}).t, 4, 1e-12);
  }
  Scene scene(1);
  std::vector<Vec3> vertices = cube.vertices;
  vertices.back().x = 1e61;
  CHECK_THROWS(scene.add_mesh(vertices, cube.faces, {}, {}), std::invalid_argument);
}
