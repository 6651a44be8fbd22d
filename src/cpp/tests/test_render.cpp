#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "core/raycast.hpp"
#include "core/render.hpp"
#include "core/scene.hpp"
#include "tests/box_mesh.hpp"
#include "tests/check.hpp"

using esi::Hit;
using esi::Scene;
using esi::Vec3;
using namespace esi::picture;

namespace {

struct Picture {
  std::vector<std::uint8_t> rgb, through;
  std::vector<double> depth;
  std::vector<std::int32_t> ids, seen_ids;
  std::vector<float> normals, radiance;

  explicit Picture(const View& view) {
    const auto pixels = static_cast<std::size_t>(view.width * view.height);
    rgb.resize(3 * pixels);
    normals.resize(3 * pixels);
    radiance.resize(3 * pixels);
    through.resize(pixels);
    depth.resize(pixels);
    ids.resize(pixels);
    seen_ids.resize(pixels);
  }
  Targets targets() {
    return {rgb.data(),      radiance.data(), depth.data(),  ids.data(),
            seen_ids.data(), normals.data(),  through.data()};
  }
};

// At `eye`, looking along -y of the world.
View looking_along_minus_y(Vec3 eye, int width, int height) {
  View view;
  view.pose.m = {-1, 0, 0, eye.x, 0, 0, 1, eye.y, 0, 1, 0, eye.z};
  view.width = width;
  view.height = height;
  view.focal = 40;
  view.center_x = 0.5 * width;
  view.center_y = 0.5 * height;
  return view;
}

struct Room {
  Scene scene{2};
  std::vector<Material> materials;

  void add(Vec3 lower, Vec3 upper, std::int32_t object_id, const Material& material) {
    const esi::test::BoxMesh box(lower, upper);
    scene.add_instance(scene.add_mesh(box.vertices, box.faces, {}, {}), object_id, {}, {1, 1, 1});
    materials.push_back(material);
  }
};

Material look(MaterialKind kind, TextureKind texture) {
  Material m;
  m.kind = kind;
  m.texture = texture;
  return m;
}

}  // namespace

ESI_TEST(every_pixel_is_what_the_exact_ray_meets) {
  Room room;
  room.add({-4, -3, -2}, {4, -2.5, 2}, 0, look(MaterialKind::diffuse, TextureKind::brick));
  room.add({-1, 0, -1}, {0.3, 0.5, 0.2}, 1, look(MaterialKind::mirror, TextureKind::none));
  room.add({0.5, -1, -0.5}, {1.5, -0.5, 0.5}, 2, look(MaterialKind::glass, TextureKind::none));
  const View view = looking_along_minus_y({0.1, 4, 0.05}, 37, 29);
  const Light light{LightKind::point, {0, 3, 2}, {0, 0, -1}, {2, 2, 2}, 0.2F};
  Options options;
  Picture one(view);
  Renderer renderer;
  renderer.render(room.scene, view, room.materials, {&light, 1}, options, one.targets());
  const auto scene = room.scene.view();
  int seen[4] = {};
  for (int y = 0; y < view.height; ++y) {
    for (int x = 0; x < view.width; ++x) {
      const auto at = static_cast<std::size_t>(y * view.width + x);
      const double a = (x + 0.5 - view.center_x) / view.focal;
      const double b = (view.center_y - (y + 0.5)) / view.focal;
      const Hit hit = closest_hit(scene, {{0.1, 4, 0.05}, {-a, -1, b}});
      const std::int32_t id = hit ? scene.instance(hit.instance).object_id : -1;
      CHECK_EQUAL(one.ids[at], id);
      if (hit) CHECK_NEAR(one.depth[at], hit.t, 1e-12);
      CHECK_EQUAL(hit || one.depth[at] == std::numeric_limits<double>::infinity(), true);
      CHECK(std::isfinite(one.radiance[3 * at]) && one.radiance[3 * at] >= 0);
      ++seen[id + 1];
    }
  }
  for (const int count : seen) CHECK(count > 0);
  // The same bits with more threads and from a renderer that has drawn before.
  Picture two(view);
  options.threads = 3;
  renderer.render(room.scene, view, room.materials, {&light, 1}, options, two.targets());
  CHECK(one.rgb == two.rgb && one.radiance == two.radiance && one.depth == two.depth);
  CHECK(one.ids == two.ids && one.seen_ids == two.seen_ids && one.through == two.through);
}

ESI_TEST(moves_and_removals_are_followed) {
  Room room;
  room.add({-1, -1, -1}, {1, 0, 1}, 5, {});
  const View view = looking_along_minus_y({0, 4, 0}, 3, 3);
  Renderer renderer;
  Picture picture(view);
  const auto depth = [&] {
    renderer.render(room.scene, view, room.materials, {}, {}, picture.targets());
    return picture.depth[4];
  };
  CHECK_EQUAL(depth(), 4.0);
  room.scene.set_pose(0, {{1, 0, 0, 0, 0, 1, 0, -2, 0, 0, 1, 0}}, nullptr);
  CHECK_EQUAL(depth(), 6.0);
  room.scene.remove_instance(0);
  CHECK_EQUAL(depth(), std::numeric_limits<double>::infinity());
  CHECK_THROWS(renderer.render(room.scene, view, {}, {}, {}, picture.targets()),
               std::invalid_argument);
}

// Found by fuzzing: the nearest face was reported although it lies behind the eye by a rounding.
ESI_TEST(a_camera_on_a_surface_sees_what_rays_meet) {
  Room room;
  room.add({-5.75, -5.75, -5.75}, {-0.3125, -0.3125, -0.3125}, 4, {});
  Renderer renderer;
  for (const Vec3 eye : {Vec3{-2.875, -0.3125, -2.875}, Vec3{-0.3125, -0.3125, -0.3125},
                         Vec3{-2.9, -2.7, -0.3125}, Vec3{0.1, -0.3125, -0.4}}) {
    const View view = looking_along_minus_y(eye, 5, 4);
    Picture picture(view);
    renderer.render(room.scene, view, room.materials, {}, {}, picture.targets());
    const auto scene = room.scene.view();
    for (int y = 0; y < view.height; ++y) {
      for (int x = 0; x < view.width; ++x) {
        const auto at = static_cast<std::size_t>(y * view.width + x);
        const double a = (x + 0.5 - view.center_x) / view.focal;
        const double b = (view.center_y - (y + 0.5)) / view.focal;
        const Hit hit = closest_hit(scene, {eye, {-a, -1, b}});
        CHECK_EQUAL(picture.ids[at] >= 0, static_cast<bool>(hit));
        if (hit) CHECK_NEAR(picture.depth[at], hit.t, 1e-12);
      }
    }
  }
}

// Found by fuzzing: texture coordinates beyond 2^31 periods were cast to integers.
ESI_TEST(textures_stay_finite_far_from_the_origin) {
  constexpr int textures = static_cast<int>(TextureKind::image);
  for (int k = 0; k < textures; ++k) {
    Room room;
    Material m = look(MaterialKind::diffuse, static_cast<TextureKind>(k));
    m.scale = 1e-4F;
    m.gloss = 0.5F;
    room.add({-3e8, -9e8, -3e8}, {4e8, -1e8, 5e8}, 1, m);
    const View view = looking_along_minus_y({0, 4, 0}, 17, 5);
    const Light light{LightKind::sun, {}, {0, -1, 0}, {1, 1, 1}, 0.01F};
    Picture picture(view);
    Renderer renderer;
    renderer.render(room.scene, view, room.materials, {&light, 1}, {}, picture.targets());
    for (const float value : picture.radiance) CHECK(value >= 0 && value < 10);
  }
}
