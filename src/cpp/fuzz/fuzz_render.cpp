// Small pictures: ids and depth as the rays say, everything finite, twice the same.
#include <algorithm>

#include "core/render.hpp"
#include "fuzz/fuzz.hpp"

using namespace esi;
using namespace esi::fuzz;
using namespace esi::picture;

namespace {

float unit(Input& in) { return static_cast<float>(in.share()); }
Vec3f color(Input& in) {
  const float r = unit(in), g = unit(in), b = unit(in);
  return {r, g, b};
}

const ImageTexture& picture_of_a_flag() {
  static const std::vector<std::uint8_t> pixels = {255, 0,   0, 255, 255, 255, 0,   0, 255,
                                                   0,   255, 0, 9,   9,   9,   128, 7, 1};
  static const ImageTexture image(pixels.data(), 3, 2);
  return image;
}

Material material(Input& in) {
  Material m;
  m.kind = static_cast<MaterialKind>(in.below(4));
  m.texture = static_cast<TextureKind>(in.below(12));
  m.color = color(in);
  m.second = color(in);
  m.tint = color(in);
  m.scale = static_cast<float>(std::pow(10.0, in.below(9) - 4));
  m.ior = 1 + 3 * unit(in);
  m.gloss = in.flag() ? unit(in) : 0;
  if (m.texture == TextureKind::image) m.image = &picture_of_a_flag();
  return m;
}

Light light(Input& in) {
  Light l;
  l.kind = static_cast<LightKind>(in.below(3));
  l.position = in.point();
  l.position = max(min(l.position, {1e9, 1e9, 1e9}), {-1e9, -1e9, -1e9});
  l.direction = in.direction();
  l.color = color(in) * (in.flag() ? 10.0F : 1.0F);
  l.radius = in.flag() ? unit(in) : 0;
  l.cos_outer = 0.5F;
  l.cos_inner = 0.5F + 0.5F * unit(in);
  return l;
}

struct Pictures {
  std::vector<std::uint8_t> rgb, through;
  std::vector<float> radiance, normals;
  std::vector<double> depth;
  std::vector<std::int32_t> ids, seen_ids;

  explicit Pictures(std::size_t pixels)
      : rgb(3 * pixels),
        through(pixels),
        radiance(3 * pixels),
        normals(3 * pixels),
        depth(pixels),
        ids(pixels),
        seen_ids(pixels) {}
  Targets targets() {
    return {rgb.data(),      radiance.data(), depth.data(),  ids.data(),
            seen_ids.data(), normals.data(),  through.data()};
  }
  bool operator==(const Pictures& o) const {
    return rgb == o.rgb && through == o.through && radiance == o.radiance && normals == o.normals &&
           depth == o.depth && ids == o.ids && seen_ids == o.seen_ids;
  }
};

bool has(const SceneView& view, std::int32_t object_id) {
  for (std::size_t i = 0; i < view.instance_count(); ++i) {
    const Instance& instance = view.instance(static_cast<std::int32_t>(i));
    if (instance.alive && instance.object_id == object_id) return true;
  }
  return object_id == -1;
}

// For a look at two pictures that should be one.
void tell_difference(const Pictures& one, const Pictures& two, const View& camera) {
  const auto compare = [&](const char* what, const auto& a, const auto& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (a[i] == b[i]) continue;
      std::cerr << what << " of pixel " << i / (a.size() / one.ids.size()) << " of " << camera.width
                << " x " << camera.height << ": " << +a[i] << " and " << +b[i] << '\n';
    }
  };
  compare("rgb", one.rgb, two.rgb);
  compare("through", one.through, two.through);
  compare("radiance", one.radiance, two.radiance);
  compare("normals", one.normals, two.normals);
  compare("depth", one.depth, two.depth);
  compare("ids", one.ids, two.ids);
  compare("seen_ids", one.seen_ids, two.seen_ids);
}

void check_pixels(const SceneView& view, const View& camera, const Pictures& p, int round) {
  const Affine& pose = camera.pose;
  for (int y = 0; y < camera.height; ++y) {
    for (int x = 0; x < camera.width; ++x) {
      const auto at = static_cast<std::size_t>(y * camera.width + x);
      for (std::size_t k = 0; k < 3; ++k) {
        FUZZ_CHECK(std::isfinite(p.radiance[3 * at + k]) && p.radiance[3 * at + k] >= 0);
        FUZZ_CHECK(std::isfinite(p.normals[3 * at + k]));
      }
      FUZZ_CHECK(p.through[at] < 4 && has(view, p.ids[at]) && has(view, p.seen_ids[at]));
      FUZZ_CHECK(p.through[at] != 0 || p.seen_ids[at] == p.ids[at]);
      FUZZ_CHECK((p.ids[at] < 0) == (p.depth[at] == kInfinity));
      const double a = (x + 0.5 - camera.center_x) / camera.focal;
      const double b = (camera.center_y - (y + 0.5)) / camera.focal;
      const Ray ray{pose.translation(), -pose.column(2) + pose.column(0) * a + pose.column(1) * b};
      const Truth expected = truth(view, ray, {});
      if (expected.certain && !expected.hit) FUZZ_CHECK(p.ids[at] < 0);
      const Hit exact = closest_hit(view, ray);
      // Surfaces closer together than single precision tells apart may take each other's place.
      const double apart =
          1e-5 * (view.frame().reach + esi::norm(ray.origin - view.frame().center));
      if (static_cast<bool>(exact) != (p.ids[at] >= 0)) {
        describe(view, ray);
        std::cerr << p.ids[at] << ' ' << p.depth[at] << ' ' << x << ' ' << y << ' ' << round
                  << '\n';
      }
      if (!exact) {
        FUZZ_CHECK(p.ids[at] < 0);
      } else if (std::abs(dot(face_normal(view.instance(exact.instance), exact.face),
                              ray.direction * exact.t)) <= apart) {
        // A surface that near to the camera, or so nearly edge-on, may be behind it.
      } else if (expected.certain && expected.hit) {
        FUZZ_CHECK(p.ids[at] >= 0);
        FUZZ_CHECK(std::abs(p.depth[at] - exact.t) <= apart);
        if (p.depth[at] == exact.t) continue;
      }
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const FlushDenormals flush;  // as all batches do
  Input in(data, size);
  const auto world = scene(in);
  View camera;
  Affine pose = in.pose();
  // A rigid one, not too far from what single precision can see.
  const Vec3 x = normalized(pose.column(0)), back = normalized(cross(x, pose.column(1)));
  if (std::abs(esi::norm(back) - 1) > 1e-9) return 0;
  const Vec3 y = cross(back, x);
  for (int i = 0; i < 3; ++i) {
    pose.m[static_cast<std::size_t>(4 * i)] = x[i];
    pose.m[static_cast<std::size_t>(4 * i + 1)] = y[i];
    pose.m[static_cast<std::size_t>(4 * i + 2)] = back[i];
  }
  if (largest(pose.translation()) > 1e12L) return 0;
  camera.pose = pose;
  camera.width = 1 + in.below(21);
  camera.height = 1 + in.below(18);
  camera.focal = 1 + in.byte();
  camera.center_x = 0.5 * camera.width;
  camera.center_y = 0.5 * camera.height;
  Options options;
  options.samples = 1 + in.below(3);
  options.shadow_samples = 1 + in.below(4);
  options.ao_samples = in.below(4);
  options.ao_distance = static_cast<float>(std::pow(10.0, in.below(5) - 2));
  options.mirror_depth = in.below(5);
  options.smooth = in.flag();
  options.filmic = in.flag();
  options.threads = 1;
  std::vector<Light> lights;
  for (int i = in.below(3); i > 0; --i) lights.push_back(light(in));
  std::vector<Material> materials;
  Renderer renderer;
  for (int round = 0; round < 2; ++round) {
    std::size_t instances = 0;
    {
      instances = world->view().instance_count();
    }
    while (materials.size() < instances) materials.push_back(material(in));
    const auto pixels = static_cast<std::size_t>(camera.width * camera.height);
    Pictures one(pixels), two(pixels);
    renderer.render(*world, camera, materials, lights, options, one.targets());
    check_pixels(world->view(), camera, one, round);
    options.threads = 2;
    Renderer fresh;
    fresh.render(*world, camera, materials, lights, options, two.targets());
    if (round == 0) tell_difference(one, two, camera);
    if (round == 0) FUZZ_CHECK(one == two);
    // Followed by the same renderer after a move.
    try {
      world->set_pose(in.below(4), in.pose(), nullptr);
      if (in.flag()) world->remove_instance(in.below(4));
    } catch (const std::invalid_argument&) {
    }
  }
  return 0;
}
