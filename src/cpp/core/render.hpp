// Pictures of a scene: colour, metric depth, ids, normals, and what mirrors and glass show.
#pragma once

#include <cstdint>
#include <memory>

#include "core/render_textures.hpp"
#include "core/types.hpp"

namespace esi {

class Scene;

namespace picture {

enum class MaterialKind { diffuse, mirror, glass, emissive };

// Colours are linear. `tint` is what a mirror or a glass interface multiplies light with.
struct Material {
  MaterialKind kind = MaterialKind::diffuse;
  TextureKind texture = TextureKind::none;
  Vec3f color{0.6f, 0.6f, 0.6f};
  Vec3f second{0.3f, 0.3f, 0.3f};
  Vec3f tint{1.0f, 1.0f, 1.0f};
  float scale = 1.0f;
  float ior = 1.5f;
  float gloss = 0.0f;
  const ImageTexture* image = nullptr;
};

enum class LightKind { point, sun, spot };

// `radius` > 0 gives soft shadows; for a sun it is the tangent of half its angular diameter.
struct Light {
  LightKind kind = LightKind::point;
  Vec3 position;
  Vec3 direction{0.0, 0.0, -1.0};
  Vec3f color{1.0f, 1.0f, 1.0f};
  float radius = 0.0f;
  float cos_outer = -1.0f;
  float cos_inner = 1.0f;
};

struct View {
  Affine pose;  // world from camera, rigid
  int width = 0;
  int height = 0;
  double focal = 1.0;  // pixels
  double center_x = 0.0;
  double center_y = 0.0;
};

struct Options {
  int samples = 4;
  int shadow_samples = 4;
  int ao_samples = 4;
  float ao_distance = 1.0f;
  int mirror_depth = 4;
  int threads = 0;
  bool smooth = true;
  bool filmic = true;
  float exposure = 1.0f;
  float ground = 0.7f;
  Vec3f ambient{0.3f, 0.3f, 0.3f};
  Vec3f background{0.8f, 0.86f, 0.93f};
  Vec3f zenith{0.32f, 0.52f, 0.85f};
};

// Row-major images of the caller; null where not wanted.
struct Targets {
  std::uint8_t* rgb = nullptr;
  float* radiance = nullptr;
  double* depth = nullptr;
  std::int32_t* ids = nullptr;
  std::int32_t* seen_ids = nullptr;
  float* normals = nullptr;
  std::uint8_t* through = nullptr;
};

// Renders one scene again and again; keeps what it built for it. Thread-safe.
class Renderer {
 public:
  Renderer();
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  // `materials` holds one per instance ever added to the scene; those of removed ones are not read.
  // The scene must be the same at each call. Throws std::invalid_argument for a wrong count.
  void render(Scene& scene, const View& view, Span<const Material> materials,
              Span<const Light> lights, const Options& options, const Targets& targets);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace picture
}  // namespace esi
