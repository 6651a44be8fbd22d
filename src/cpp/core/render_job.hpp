// What one call of render() prepares once and every block of pixels then reads.
#pragma once

#include <cstdint>
#include <vector>

#include "core/embree_api.hpp"
#include "core/render.hpp"
#include "core/render_sampling.hpp"
#include "core/render_simd.hpp"
#include "core/scene.hpp"

namespace esi::picture {

constexpr int kTile = 4;                  // a packet of primary rays covers 4 x 4 pixels
constexpr int kBlock = 16;                // a unit of work covers 16 x 16 pixels
constexpr int kPixels = kBlock * kBlock;  // and is kept tile by tile
constexpr int kWindow = 4;                // the width of the smoothing window
constexpr int kPad = 16;                  // columns (and at least kWindow rows) around a plane
constexpr std::int32_t kNone = -1;

enum ThroughFlags : std::uint8_t { kThroughMirror = 1, kThroughGlass = 2 };

// An instance as the renderer sees it. Single-precision coordinates are relative to Job::origin.
struct Surface {
  const Instance* instance = nullptr;
  const Vec3* vertices = nullptr;       // the instance's, in the world
  const std::int32_t* faces = nullptr;  // three vertex indices each
  const Vec3* normals = nullptr;        // three per face, or null
  const double* uv = nullptr;           // (u, v) for each corner of each face, or null
  float metric[12];                     // rows: world to the object's frame in metres
  float normal_map[9];                  // rows: the object's normals to world, not normalised
  int grain = 0;                        // the object's longest axis, along which its wood grew
  bool see_through = false;             // casts no shadow
  Material material;
};

// Samples of one light (or of the ambient hemisphere) for one plane of camera samples.
struct LightSamples {
  std::vector<float> x, y;           // rays x 16: concentric disc
  std::vector<std::uint8_t> shares;  // what so many free rays are as a byte
};

struct AmbientSamples {
  std::vector<float> x, y, z, reach;  // rays x 16: local direction (z up), length in metres
  std::vector<std::uint8_t> shares;
};

// The samples of one plane.
struct PlaneSamples {
  Point2 offset{0.5f, 0.5f};  // of the camera ray in its pixel
  std::vector<LightSamples> lights;
  AmbientSamples ambient;
};

// A camera sample that saw something else than most of its pixel: at the edge of an object.
struct Stray {
  Vec3f point, normal, color;
  std::uint32_t view;
  std::int32_t key;
  std::uint16_t slot;
};

// What the camera samples of each pixel saw first of diffuse surfaces, row by row, padded all
// round: one point per pixel that stands for `count` of them, with the sum of their colours and of
// what their shadow rays found. The others are strays, by block.
struct Points2D {
  std::ptrdiff_t stride = 0;
  std::size_t image = 0;  // values in one plane
  int width = 0, height = 0;
  std::vector<float> px, py, pz, nx, ny, nz, r, g, b;
  std::vector<std::uint32_t> view;
  std::vector<std::int32_t> key;
  std::vector<std::uint8_t> count;
  std::vector<std::uint16_t> visible;  // one image after another, ambient last
  std::vector<std::vector<Stray>> strays;
  std::vector<std::vector<std::uint8_t>> stray_visible;

  std::size_t at(int x, int y) const {
    return static_cast<std::size_t>((y + kPad) * stride + x + kPad);
  }
};

// What all shadow (or ambient) rays of a block agreed on.
enum BlockState : std::uint8_t { kAllBlocked = 0, kAllFree = 1, kMixed = 2, kUntested = 3 };

struct Job {
  RTCScene triangles = nullptr;
  bool packets_of_16 = true;  // the processor takes them whole
  const SceneView* scene = nullptr;
  View view;
  Options options;
  Targets targets;
  std::vector<Surface> surfaces;
  std::vector<MaterialKind> kinds;       // of the surfaces
  std::vector<std::int32_t> object_ids;  // of the surfaces
  std::vector<Light> lights;             // positions relative to origin
  Vec3 origin;
  float extent = 1.0f;   // largest coordinate
  float offset = 1e-5f;  // how far shadow rays start above a surface
  bool any_see_through = false;
  bool any_gloss = false;
  bool any_soft = false;        // something to smooth: lights with extent, ambient occlusion
  bool ids_with_color = false;  // the only camera sample is the pixel's centre
  bool deferred = false;        // shading waits for the smoothing pass
  Vec3f eye, right, up, forward;
  Vec3 eye_d, right_d, up_d, forward_d;
  Vec3 eye_world;  // not relative to origin
  int blocks_x = 0, blocks_y = 0;
  int layers = 0;  // lights, and one more with ambient occlusion

  std::vector<PlaneSamples> planes;
  int ambient_rays = 0;
  float* waiting = nullptr;  // what deferred blocks have gathered so far: 3 x kPixels each
  Points2D* points = nullptr;
  std::vector<std::uint8_t> states;  // BlockState of each block, layer after layer

  std::size_t blocks() const {
    return static_cast<std::size_t>(blocks_x) * static_cast<std::size_t>(blocks_y);
  }
};

}  // namespace esi::picture
