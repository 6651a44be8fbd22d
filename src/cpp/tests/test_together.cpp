// All families at once on one scene, in many threads, while others move and add: for sanitizers,
// and each answer must be that of one of the scene's two states.
#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "core/boxes.hpp"
#include "core/distance.hpp"
#include "core/gridmap.hpp"
#include "core/mirror.hpp"
#include "core/occlusion.hpp"
#include "core/outline.hpp"
#include "core/particles.hpp"
#include "core/raycast.hpp"
#include "core/render.hpp"
#include "core/scene.hpp"
#include "core/sweep.hpp"
#include "tests/box_mesh.hpp"
#include "tests/check.hpp"

using esi::Affine;
using esi::RayRows;
using esi::Scene;
using esi::SceneView;
using esi::Vec3;

namespace {

Affine shift(double x) { return {{1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0}}; }

// A cube of edge 2 (object 1) whose front is at x = 4 or, once moved, at x = 7; far away is object
// 2, which never moves.
struct World {
  Scene scene{2};
  std::int32_t mesh, moved;
  esi::Obstacles obstacles;
  // A map of two rooms and a door, shared by all.
  std::vector<std::uint8_t> cells;
  std::unique_ptr<esi::Grid> grid;
  esi::picture::Renderer renderer;

  World() {
    for (int i = 0; i < 41 * 41; ++i) cells.push_back(i % 41 != 20 || i / 41 == 7 ? 1 : 0);
    grid = std::make_unique<esi::Grid>(cells, 41, 41);
    const esi::test::BoxMesh cube({-1, -1, -1}, {1, 1, 1});
    mesh = scene.add_mesh(cube.vertices, cube.faces, {}, {});
    moved = scene.add_instance(mesh, 1, shift(5), {1, 1, 1});
    scene.add_instance(mesh, 2, shift(20), {1, 1, 1});
  }
  void move(bool near) { scene.set_pose(moved, shift(near ? 5 : 8), nullptr); }
};

bool one_of(double value, double a, double b) {
  return std::abs(value - a) < 1e-9 || std::abs(value - b) < 1e-9;
}

constexpr std::size_t rays = 9000;  // more than one piece of parallel work

void ask_rays(World& world) {
  const std::vector<Vec3> origins(rays, {0, 0.25, 0.5}), directions(1, {1, 0, 0});
  const double near = 0, far = 40;
  const RayRows rows{
      rays, {origins.data()}, {directions.data(), true}, {&near, true}, {&far, true}};
  std::vector<esi::Hit> hits(rays), all;
  std::vector<std::int64_t> offsets(rays + 1);
  const auto flags = std::make_unique<bool[]>(rays);
  const SceneView view = world.scene.view();
  closest_hits(view, rows, {}, 2, hits.data(), flags.get());
  CHECK(one_of(hits[0].t, 4, 7));
  for (const esi::Hit& hit : hits) CHECK_EQUAL(hit.t, hits[0].t);
  any_hits(view, rows, {}, 2, flags.get());
  all_hits(view, rows, {}, 2, &all, offsets.data());
  CHECK_EQUAL(all.size(), 4 * rays);
}

void ask_sight(World& world) {
  const std::vector<Vec3> starts(rays, {0, 0, 0}), ends(rays, {6.5, 0, 0});
  const auto free = std::make_unique<bool[]>(rays);
  std::vector<std::int32_t> blockers(rays);
  const SceneView view = world.scene.view();
  visible(view, rays, {starts.data()}, {ends.data()}, {}, 1e-6, 2, free.get());
  first_blocker(view, rays, {starts.data()}, {ends.data()}, {}, 1e-6, 2, blockers.data());
  for (std::size_t i = 0; i < rays; ++i) CHECK_EQUAL(free[i], blockers[i] < 0);
  const esi::Mirror mirror{{5, 4, 0}, {0, -1, 0}, {1, 0, 0}, {0, 0, 1}, 1, 1};
  const std::vector<Vec3> eyes(rays, {5, 2, 0}), points(rays, {5, -3, 0});
  visible_through(view, mirror, rays, {eyes.data()}, {points.data()}, {}, 1e-6, 2, free.get());
  for (std::size_t i = 0; i < rays; ++i) CHECK_EQUAL(free[i], blockers[i] < 0);
}

void ask_sweep(World& world) {
  const SceneView view = world.scene.view();
  world.obstacles.sync(view, 2);
  const esi::Sweep found = world.obstacles.sweep({0, 0, 0}, {10, 0, 0}, 1, {});
  CHECK(one_of(found.fraction, 0.3, 0.6));
  const auto nearest = world.obstacles.nearest({0, 0, 0}, {});
  CHECK(one_of(nearest.nearest.distance, 4, 7));
  CHECK(one_of(world.obstacles.between(1, 2).nearest.distance, 13, 10));
}

void ask_picture(World& world) {
  esi::picture::View view;
  view.pose.m = {0, 0, -1, 0, -1, 0, 0, 0, 0, 1, 0, 0};  // looks along +x
  view.width = view.height = 33;
  view.focal = 200;
  view.center_x = view.center_y = 16.5;
  const auto pixels = static_cast<std::size_t>(view.width * view.height);
  std::vector<double> depth(pixels);
  std::vector<std::uint8_t> rgb(3 * pixels);
  esi::picture::Targets targets;
  targets.depth = depth.data();
  targets.rgb = rgb.data();
  esi::picture::Options options;
  options.threads = 2;
  // One material per instance; another thread may have added one meanwhile.
  std::vector<esi::picture::Material> materials(world.scene.view().instance_count());
  try {
    world.renderer.render(world.scene, view, materials, {}, options, targets);
  } catch (const std::invalid_argument&) {
    return;
  }
  CHECK(one_of(depth[pixels / 2], 4, 7));
  for (const double d : depth) CHECK_NEAR(d, depth[0], 1e-9);
}

void ask_own_data(World& world) {
  const esi::Mesh& mesh = world.scene.mesh(world.mesh);
  const esi::test::BoxMesh cube({-1, -1, -1}, {1, 1, 1});
  CHECK_EQUAL(mesh.face_count(), 12U);
  const esi::TriangleTree tree(cube.triangles());
  CHECK_NEAR(nearest_point(tree, {3, 0, 0}).distance, 2, 1e-12);
  esi::OutlineView view;
  view.right = {0, -1, 0};
  view.up = {0, 0, 1};
  view.back = {-1, 0, 0};
  view.focal = 10;
  const std::vector<esi::UprightState> states(600, {5, 0, 0, 1});
  const auto keep = std::make_unique<bool[]>(states.size());
  outline_explains(cube.vertices, {&view, 1}, states, {}, {}, 2, keep.get());
  CHECK(keep[0] == keep[599]);
}

void ask_flat_world(World& world) {
  // By 20 diagonal or straight steps from either side to the door at (7, 20).
  const std::vector<esi::Cell> starts(9, {7, 0}), goals(9, {7, 40});
  const auto rule = esi::Neighbours::eight_strict;
  const esi::Paths paths = shortest_paths(*world.grid, rule, starts, goals, true, 2);
  CHECK_EQUAL(paths.steps[0].straight, 40);
  CHECK_EQUAL(components(*world.grid, rule).sizes.size(), 1U);
  const auto squares = squared_distances(*world.grid, esi::Measure::wall, true, 2);
  CHECK_EQUAL(squares[0], 1);
  std::vector<Vec3> particles;
  std::vector<esi::Box> boxes;
  for (int i = 0; i < 3000; ++i) {
    const int row = i / 50;
    particles.push_back({0.1 * (i % 50), 0.1 * row, i < 1500 ? 0.0 : 1.0});
    boxes.push_back({particles.back(), particles.back() + Vec3{0.05, 0.05, 0.05}});
  }
  CHECK_EQUAL(components(particles, {0.1}, 2).sizes.size(), 2U);
  CHECK_EQUAL(esi::boxes::overlap_pairs(boxes, 0, 2).size(), 0U);
}

}  // namespace

ESI_TEST(all_families_at_once_while_the_scene_changes) {
  World world;
  const std::vector<std::function<void(World&)>> work{ask_rays,    ask_sight,    ask_sweep,
                                                      ask_picture, ask_own_data, ask_flat_world};
  std::atomic<bool> stop{false};
  std::vector<std::atomic<int>> done(work.size());
  std::vector<std::thread> threads;
  threads.reserve(work.size());
  for (std::size_t k = 0; k < work.size(); ++k) {
    threads.emplace_back([&, k] {
      while (!stop) {
        work[k](world);
        ++done[k];
      }
    });
  }
  const auto all_asked = [&](int times) {
    for (const auto& count : done) {
      if (count < times) return false;
    }
    return true;
  };
  int moves = 0;
  while (moves < 24 || !all_asked(3)) {
    world.move(moves % 2 == 1);
    ++moves;
    if (moves % 8 == 0) {
      // Away from everything that is asked about.
      const auto extra = world.scene.add_instance(world.mesh, 3, shift(60), {1, 1, 1});
      world.scene.remove_instance(extra);
    }
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  CHECK(all_asked(3));
}
