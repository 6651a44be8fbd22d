// How a picture is made.
//
// Work goes by blocks of 16 x 16 pixels. A block takes one camera sample of every pixel after the
// other (a plane), in packets of 4 x 4 pixels, follows mirrors and glass, and is left with at most
// one diffuse point per pixel, for which it traces shadow and ambient rays. Each point takes one of
// 16 places on each light, the same for the points at the same place of all tiles: packets of 16
// rays from one point of a light to 16 neighbours are coherent. Where all rays of a block agreed in
// the first plane, the other planes take that for granted. With soft lights or ambient occlusion a
// second pass averages what the rays found over neighbouring pixels of the same surface, and only
// then shades, once per pixel where all its camera samples saw the same surface.
//
// Ids, depth and normals come from the ray through the pixel's centre: single precision finds the
// triangle, double precision settles the distance, and where the ray passes close to the triangle's
// edge the exact query decides.
#include "core/render.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>
#include <string>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "core/raycast.hpp"
#include "core/render_job.hpp"
#include "core/render_path.hpp"
#include "core/render_rays.hpp"
#include "core/render_scene.hpp"
#include "core/render_shade.hpp"

namespace esi::picture {
namespace {

constexpr std::size_t kMaxLights = 256;
// Up to so many camera samples the sums of 8-bit shares fit into 16 bits.
constexpr int kMostSmoothed = 128;
constexpr int kReach = kWindow - 1;  // of the smoothing, in pixels
// Blocks per piece of parallel work.
constexpr std::size_t kGrain = 4;

// What a thread needs while it works on a block.
struct Scratch {
  Lanes main, extra;
  Packed packed;
  Rays rays[kPixels / kLanes];
  Hits hits[kPixels / kLanes];
  std::uint32_t mask[kPixels / kLanes];
  int extra_count = 0;
  alignas(64) float acc[3][kPixels];
  std::vector<std::uint8_t> visible, extra_visible;  // a block of pixels for each layer
  std::vector<F16> seen, box, tent;                  // a packet for each layer
  std::vector<Path> paths, next;
  // One point for most samples of a pixel.
  Lanes merged;
  alignas(64) std::uint8_t count[kPixels];
  std::vector<std::uint16_t> merged_visible;
};

Scratch& scratch(const Job& job) {
  thread_local std::unique_ptr<Scratch> mine;
  if (mine == nullptr) mine = std::make_unique<Scratch>();
  const auto layers = static_cast<std::size_t>(job.layers);
  mine->visible.resize(layers * kPixels);
  mine->extra_visible.resize(layers * kPixels);
  mine->merged_visible.resize(layers * kPixels);
  for (auto* packets : {&mine->seen, &mine->box, &mine->tent}) {
    packets->resize(job.lights.size() + 1);
  }
  return *mine;
}

struct Block {
  int index, x, y, width, height;  // pixels; width and height are cut at the picture's edge
};

Block block_at(const Job& job, std::size_t index) {
  const int i = static_cast<int>(index);
  const int x = i % job.blocks_x * kBlock, y = i / job.blocks_x * kBlock;
  return {i, x, y, std::min(kBlock, job.view.width - x), std::min(kBlock, job.view.height - y)};
}

// Slot of a pixel of the block, tile by tile.
ESI_INLINE int slot_of(int x, int y) {
  return ((y >> 2) * 4 + (x >> 2)) * kLanes + (y & 3) * 4 + (x & 3);
}
ESI_INLINE int slot_x(int slot) { return (slot >> 4 & 3) * 4 + (slot & 3); }
ESI_INLINE int slot_y(int slot) { return (slot >> 6) * 4 + (slot >> 2 & 3); }

ESI_INLINE void add_light(Scratch& s, int slot, Vec3f light) {
  s.acc[0][slot] += light.x;
  s.acc[1][slot] += light.y;
  s.acc[2][slot] += light.z;
}

// In which order a block's lanes are traced where rays to one light go to different points of it:
// by place, so that a packet shares such a point. (Others go tile by tile: neighbours are closest.)
struct ByPlace {
  std::int16_t lane[kPixels];
  ByPlace() {
    for (int i = 0; i < kPixels; ++i) lane[i] = static_cast<std::int16_t>(i % 16 * 16 + i / 16);
  }
};
const ByPlace kByPlace;

ESI_INLINE void store_lane(const Job& job, Lanes& to, int lane, int slot, const Shaded& from, int i,
                           Vec3f weight, Vec3 direction, int surface, int events) {
  to.px[lane] = from.px[i];
  to.py[lane] = from.py[i];
  to.pz[lane] = from.pz[i];
  to.sx[lane] = from.sx[i];
  to.sy[lane] = from.sy[i];
  to.sz[lane] = from.sz[i];
  to.nx[lane] = from.nx[i];
  to.ny[lane] = from.ny[i];
  to.nz[lane] = from.nz[i];
  to.r[lane] = from.r[i] * weight.x;
  to.g[lane] = from.g[i] * weight.y;
  to.b[lane] = from.b[i] * weight.z;
  if (job.any_gloss) {
    const auto d = static_cast<Vec3f>(direction * (-1.0 / norm(direction)));
    to.vx[lane] = d.x;
    to.vy[lane] = d.y;
    to.vz[lane] = d.z;
  }
  to.key[lane] = surface | (events & 0x7f) << 24;
  to.slot[lane] = static_cast<std::uint16_t>(slot);
}

// The same for a whole packet of camera rays.
ESI_INLINE void store_packet(const Job& job, Lanes& to, int first, const Shaded& from,
                             const Rays& rays, const Hits& hits) {
  const auto copy = [first](float* lanes, const F16& values) {
    std::memcpy(lanes + first, values.v, sizeof(F16));
  };
  copy(to.px, from.px);
  copy(to.py, from.py);
  copy(to.pz, from.pz);
  copy(to.sx, from.sx);
  copy(to.sy, from.sy);
  copy(to.sz, from.sz);
  copy(to.nx, from.nx);
  copy(to.ny, from.ny);
  copy(to.nz, from.nz);
  copy(to.r, from.r);
  copy(to.g, from.g);
  copy(to.b, from.b);
  std::memcpy(to.key + first, hits.surface.v, sizeof(I16));
  if (!job.any_gloss) return;
  for (int i = 0; i < kLanes; ++i) {
    const float x = rays.dx[i], y = rays.dy[i], z = rays.dz[i];
    const float inv = -1.0f / std::sqrt(x * x + y * y + z * z);
    to.vx[first + i] = x * inv;
    to.vy[first + i] = y * inv;
    to.vz[first + i] = z * inv;
  }
}

// Shades lanes [first, first + 16) without smoothing.
ESI_INLINE void shade_now(const Job& job, const Lanes& lanes, int first,
                          const std::vector<std::uint8_t>& visible, Scratch& s, F16 out[3]) {
  Points p;
  const auto load = [first](F16& to, const float* from) {
    std::memcpy(to.v, from + first, sizeof(F16));
  };
  load(p.px, lanes.px);
  load(p.py, lanes.py);
  load(p.pz, lanes.pz);
  load(p.nx, lanes.nx);
  load(p.ny, lanes.ny);
  load(p.nz, lanes.nz);
  load(p.r, lanes.r);
  load(p.g, lanes.g);
  load(p.b, lanes.b);
  if (job.any_gloss) {
    load(p.vx, lanes.vx);
    load(p.vy, lanes.vy);
    load(p.vz, lanes.vz);
  }
  for (int i = 0; i < kLanes; ++i) p.count[i] = 1.0f;
  std::memcpy(p.key.v, lanes.key + first, sizeof(I16));
  for (int l = 0; l < job.layers; ++l) {
    const std::uint8_t* from = visible.data() + static_cast<std::size_t>(l) * kPixels + first;
    F16& to = s.seen[static_cast<std::size_t>(l)];
    for (int i = 0; i < kLanes; ++i) to[i] = static_cast<float>(from[i]) * (1.0f / 255.0f);
  }
  shade(job, p, s.seen.data(), out);
  for (int c = 0; c < 3; ++c) {
    for (int i = 0; i < kLanes; ++i) out[c][i] = p.key[i] >= 0 ? out[c][i] : 0.0f;
  }
}

// The same for a tile of the block, added to its pixels.
ESI_INLINE void shade_tile(const Job& job, int tile, Scratch& s) {
  F16 out[3];
  shade_now(job, s.main, tile * kLanes, s.visible, s, out);
  for (int c = 0; c < 3; ++c) {
    for (int i = 0; i < kLanes; ++i) s.acc[c][tile * kLanes + i] += out[c][i];
  }
}

// Lights and shades the points that glass reflected, without smoothing: they are faint.
ESI_INLINE void flush_extra(const Job& job, const PlaneSamples& plane, Scratch& s) {
  if (s.extra_count == 0) return;
  const int packets = (s.extra_count + kLanes - 1) / kLanes;
  std::int16_t order[kPixels];
  for (int i = 0; i < packets * kLanes; ++i) {
    order[i] = static_cast<std::int16_t>(i);
    if (i >= s.extra_count) s.extra.key[i] = kNone;
  }
  pack(s.extra, order, packets * kLanes, s.packed);
  for (std::size_t l = 0; l < job.lights.size(); ++l) {
    std::uint8_t* visible = s.extra_visible.data() + l * kPixels;
    if (job.lights[l].radius > 0.0f) {
      soft_shadow_rays(job, plane, s.packed, packets, l, visible);
    } else {
      hard_shadow_rays(job, s.extra, packets, l, visible);
    }
  }
  if (job.ambient_rays > 0) {
    ambient_rays(job, plane, s.packed, packets,
                 s.extra_visible.data() + job.lights.size() * kPixels);
  }
  for (int p = 0; p < packets; ++p) {
    F16 out[3];
    shade_now(job, s.extra, p * kLanes, s.extra_visible, s, out);
    for (int i = 0; i < kLanes && p * kLanes + i < s.extra_count; ++i) {
      add_light(s, s.extra.slot[p * kLanes + i], {out[0][i], out[1][i], out[2][i]});
    }
  }
  s.extra_count = 0;
}

struct Wanted {
  bool color, ids;
};

ESI_INLINE void write_id(const Job& job, const Block& block, int slot, std::int32_t surface,
                         std::uint8_t through) {
  const int x = slot_x(slot), y = slot_y(slot);
  if (x >= block.width || y >= block.height) return;
  const std::size_t at =
      static_cast<std::size_t>(block.y + y) * static_cast<std::size_t>(job.view.width) +
      static_cast<std::size_t>(block.x + x);
  if (job.targets.seen_ids != nullptr) {
    job.targets.seen_ids[at] =
        surface == kNone ? kNone : job.object_ids[static_cast<std::size_t>(surface)];
  }
  if (job.targets.through != nullptr) job.targets.through[at] = through;
}

ESI_INLINE bool is_specular(const Job& job, std::int32_t surface) {
  const MaterialKind kind = job.kinds[static_cast<std::size_t>(surface)];
  return kind == MaterialKind::mirror || kind == MaterialKind::glass;
}

// Follows s.paths to their ends.
ESI_INLINE void follow(const Job& job, const Block& block, Wanted wanted, const PlaneSamples& plane,
                       float pixel, Scratch& s) {
  for (int round = 0; !s.paths.empty(); ++round) {
    s.next.clear();
    for (std::size_t first = 0; first < s.paths.size(); first += kLanes) {
      const int count = static_cast<int>(std::min<std::size_t>(kLanes, s.paths.size() - first));
      Rays rays;
      Lines lines;
      D16 near_d;
      F16 near;
      for (int i = 0; i < kLanes; ++i) {
        const Path& p = s.paths[first + static_cast<std::size_t>(i < count ? i : 0)];
        lines.ox[i] = p.o.x;
        lines.oy[i] = p.o.y;
        lines.oz[i] = p.o.z;
        lines.dx[i] = p.d.x;
        lines.dy[i] = p.d.y;
        lines.dz[i] = p.d.z;
        near_d[i] = p.near;
        rays.travelled[i] = static_cast<float>(p.travelled);
      }
      for (int i = 0; i < kLanes; ++i) {
        rays.ox[i] = static_cast<float>(lines.ox[i]);
        rays.oy[i] = static_cast<float>(lines.oy[i]);
        rays.oz[i] = static_cast<float>(lines.oz[i]);
        rays.dx[i] = static_cast<float>(lines.dx[i]);
        rays.dy[i] = static_cast<float>(lines.dy[i]);
        rays.dz[i] = static_cast<float>(lines.dz[i]);
        near[i] = static_cast<float>(near_d[i]);
      }
      Hits hits;
      Settled settled;
      const std::uint32_t mask = (1u << count) - 1u;
      closest(job, mask, rays, near, round == 0, hits);
      settle(job, mask, lines, near_d, true, hits, settled);
      std::uint32_t ends = 0;
      for (int i = 0; i < count; ++i) {
        Path p = s.paths[first + static_cast<std::size_t>(i)];
        const Meeting hit = settled.lane(i, hits);
        if (hit.surface == kNone) {
          if (wanted.ids && !p.secondary) write_id(job, block, p.slot, kNone, p.through);
          if (wanted.color) add_light(s, p.slot, times(p.weight, sky(job, p.d)));
          continue;
        }
        if (is_specular(job, hit.surface) && bounce(job, p, hit, wanted.color, s.next)) {
          s.next.push_back(p);
          continue;
        }
        if (wanted.ids && !p.secondary) write_id(job, block, p.slot, hit.surface, p.through);
        if (wanted.color) ends |= 1u << i;
      }
      if (ends == 0) continue;
      for (int i = 0; i < kLanes; ++i) {
        if ((ends >> i & 1u) == 0) hits.surface[i] = kNone;
      }
      Shaded shaded;
      shade_packet(job, ends, rays, hits, pixel, shaded);
      for (std::uint32_t rest = ends; rest != 0; rest &= rest - 1) {
        const int i = __builtin_ctz(rest);
        const Path& p = s.paths[first + static_cast<std::size_t>(i)];
        const int surface = hits.surface[i];
        if (job.kinds[static_cast<std::size_t>(surface)] == MaterialKind::emissive) {
          add_light(s, p.slot, times(p.weight, {shaded.r[i], shaded.g[i], shaded.b[i]}));
        } else if (p.secondary) {
          if (s.extra_count == kPixels) flush_extra(job, plane, s);
          store_lane(job, s.extra, s.extra_count++, p.slot, shaded, i, p.weight, p.d, surface, 0);
        } else {
          store_lane(job, s.main, p.slot, p.slot, shaded, i, p.weight, p.d, surface,
                     p.reflections + p.refractions);
        }
      }
    }
    s.paths.swap(s.next);
  }
}

// Where the lanes lie in a tile.
alignas(64) constexpr float kColumn[kLanes] = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
alignas(64) constexpr float kRow[kLanes] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};

// The lines of a tile's camera rays.
ESI_INLINE void camera_lines(const Job& job, int x, int y, Point2 offset, Lines& out) {
  const double x0 = x + static_cast<double>(offset.x) - job.view.center_x;
  const double y0 = job.view.center_y - (y + static_cast<double>(offset.y));
  const double focal = job.view.focal;
  const Vec3 eye = job.eye_d, forward = job.forward_d, right = job.right_d, up = job.up_d;
  for (int i = 0; i < kLanes; ++i) {
    const double a = (x0 + static_cast<double>(kColumn[i])) / focal;
    const double b = (y0 - static_cast<double>(kRow[i])) / focal;
    out.ox[i] = eye.x;
    out.oy[i] = eye.y;
    out.oz[i] = eye.z;
    out.dx[i] = forward.x + right.x * a + up.x * b;
    out.dy[i] = forward.y + right.y * a + up.y * b;
    out.dz[i] = forward.z + right.z * a + up.z * b;
  }
}

// Depth, ids and normals of a tile.
ESI_INLINE void write_centers(const Job& job, int x0, int y0, std::uint32_t mask,
                              const Lines& lines, const Settled& settled, const Hits& hits) {
  const Targets& out = job.targets;
  for (int i = 0; i < kLanes; ++i) {
    if ((mask >> i & 1u) == 0) continue;
    const auto at = static_cast<std::ptrdiff_t>(y0 + (i >> 2)) * job.view.width + x0 + (i & 3);
    const std::int32_t surface = hits.surface[i];
    if (out.depth != nullptr) out.depth[at] = settled.t[i];
    if (out.ids != nullptr) {
      out.ids[at] = surface == kNone ? kNone : job.object_ids[static_cast<std::size_t>(surface)];
    }
    if (out.normals != nullptr) {
      Vec3 n{};
      if (surface != kNone) {
        n = {settled.nx[i], settled.ny[i], settled.nz[i]};
        if (dot(n, Vec3{lines.dx[i], lines.dy[i], lines.dz[i]}) > 0.0) n = -n;
      }
      for (int k = 0; k < 3; ++k) out.normals[3 * at + k] = static_cast<float>(n[k]);
    }
  }
}

// Traces one camera sample of each pixel of a block, up to the points that wait for light.
ESI_INLINE void trace_camera(const Job& job, const Block& block, Wanted wanted,
                             const PlaneSamples& plane, float pixel, Scratch& s) {
  const Point2 offset = plane.offset;
  const Targets& out = job.targets;
  const auto inv = static_cast<float>(1.0 / job.view.focal);
  int previous = -1;
  s.paths.clear();
  // Trace all packets first: their triangles come from memory meanwhile.
  for (int tile = 0; tile < 16; ++tile) {
    const int tx = (tile & 3) * kTile, ty = (tile >> 2) * kTile;
    for (int i = 0; i < kLanes; ++i) {
      s.main.key[tile * kLanes + i] = kNone;
      s.main.slot[tile * kLanes + i] = static_cast<std::uint16_t>(tile * kLanes + i);
    }
    if (tx >= block.width || ty >= block.height) continue;
    std::uint32_t mask = 0;
    Rays& rays = s.rays[tile];
    F16 near;
    const float x0 =
        static_cast<float>(block.x + tx) + offset.x - static_cast<float>(job.view.center_x);
    const float y0 =
        static_cast<float>(job.view.center_y) - static_cast<float>(block.y + ty) - offset.y;
    const Vec3f eye = job.eye, forward = job.forward, right = job.right, up = job.up;
    for (int i = 0; i < kLanes; ++i) {
      const float a = (x0 + kColumn[i]) * inv, b = (y0 - kRow[i]) * inv;
      rays.ox[i] = eye.x;
      rays.oy[i] = eye.y;
      rays.oz[i] = eye.z;
      rays.dx[i] = forward.x + right.x * a + up.x * b;
      rays.dy[i] = forward.y + right.y * a + up.y * b;
      rays.dz[i] = forward.z + right.z * a + up.z * b;
      rays.travelled[i] = 0.0f;
      near[i] = 0.0f;
    }
    for (int i = 0; i < kLanes; ++i) {
      mask |= (tx + (i & 3) < block.width && ty + (i >> 2) < block.height ? 1u : 0u) << i;
    }
    s.mask[tile] = mask;
    closest(job, mask, rays, near, true, s.hits[tile]);
    if (!wanted.ids) continue;
    prefetch_faces(job, s.hits[tile]);
    if (previous >= 0) prefetch_corners(job, s.hits[previous]);
    previous = tile;
  }
  if (previous >= 0) prefetch_corners(job, s.hits[previous]);
  for (int tile = 0; tile < 16; ++tile) {
    const int tx = (tile & 3) * kTile, ty = (tile >> 2) * kTile;
    if (tx >= block.width || ty >= block.height) continue;
    const std::uint32_t mask = s.mask[tile];
    const Rays& rays = s.rays[tile];
    Hits& hits = s.hits[tile];
    Lines lines;
    Settled settled;
    const auto specular_lanes = [&] {
      std::uint32_t lanes = 0;
      for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const int i = __builtin_ctz(rest);
        if (hits.surface[i] != kNone && is_specular(job, hits.surface[i])) lanes |= 1u << i;
      }
      return lanes;
    };
    std::uint32_t specular = specular_lanes();
    if (wanted.ids || specular != 0) {
      D16 near;
      for (int i = 0; i < kLanes; ++i) near[i] = 0.0;
      camera_lines(job, block.x + tx, block.y + ty, offset, lines);
      settle(job, wanted.ids ? mask : specular, lines, near,
             specular != 0 || out.normals != nullptr, hits, settled);
      specular = specular_lanes();
    }
    if (wanted.ids) write_centers(job, block.x + tx, block.y + ty, mask, lines, settled, hits);
    std::uint32_t ends = mask;
    for (std::uint32_t rest = specular; rest != 0; rest &= rest - 1) {
      const int i = __builtin_ctz(rest);
      Path p;
      p.o = job.eye_d;
      p.d = {lines.dx[i], lines.dy[i], lines.dz[i]};
      p.slot = static_cast<std::uint16_t>(tile * kLanes + i);
      if (!bounce(job, p, settled.lane(i, hits), wanted.color, s.paths)) continue;
      s.paths.push_back(p);
      ends &= ~(1u << i);
    }
    if (wanted.ids && (out.seen_ids != nullptr || out.through != nullptr)) {
      for (std::uint32_t rest = ends; rest != 0; rest &= rest - 1) {
        const int i = __builtin_ctz(rest);
        write_id(job, block, tile * kLanes + i, hits.surface[i], 0);
      }
    }
    if (!wanted.color) continue;
    for (std::uint32_t rest = ends; rest != 0; rest &= rest - 1) {
      const int i = __builtin_ctz(rest);
      if (hits.surface[i] != kNone) continue;
      add_light(s, tile * kLanes + i, sky(job, {rays.dx[i], rays.dy[i], rays.dz[i]}));
      ends &= ~(1u << i);
    }
    if (ends == 0) continue;
    for (int i = 0; i < kLanes; ++i) {
      if ((ends >> i & 1u) == 0) hits.surface[i] = kNone;
    }
    Shaded shaded;
    shade_packet(job, ends, rays, hits, pixel, shaded);
    store_packet(job, s.main, tile * kLanes, shaded, rays, hits);
    for (std::uint32_t rest = ends; rest != 0; rest &= rest - 1) {
      const int i = __builtin_ctz(rest);
      if (job.kinds[static_cast<std::size_t>(hits.surface[i])] != MaterialKind::emissive) continue;
      add_light(s, tile * kLanes + i, {shaded.r[i], shaded.g[i], shaded.b[i]});
      s.main.key[tile * kLanes + i] = kNone;
    }
  }
  follow(job, block, wanted, plane, pixel, s);
}

// sRGB's transfer curve, looked up by the square root, in which it is nearly straight.
class ToByte {
 public:
  ToByte() {
    for (int i = 0; i <= kSteps; ++i) {
      const double root = static_cast<double>(i) / kSteps, x = root * root;
      const double y = x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1.0 / 2.4) - 0.055;
      table_[i] = static_cast<std::uint8_t>(y * 255.0 + 0.5);
    }
  }
  static const std::uint8_t* table() {
    static const ToByte made;
    return made.table_;
  }

  static constexpr int kSteps = 8192;

 private:
  std::uint8_t table_[kSteps + 1];
};

ESI_INLINE float filmic(float x) {
  const float knee = 0.6f;
  const float over = max2((x - knee) * (1.0f / (1.0f - knee)), 0.0f);
  return x <= knee ? x : knee + (1.0f - knee) * over / (1.0f + over);
}

// Writes the block's light to the picture.
ESI_INLINE void write_colors(const Job& job, const Block& block, const Scratch& s) {
  const float scale = 1.0f / static_cast<float>(job.options.samples);
  const auto for_pixels = [&](auto write) {
    for (int y = 0; y < block.height; ++y) {
      const auto row = static_cast<std::ptrdiff_t>(block.y + y) * job.view.width + block.x;
      for (int x = 0; x < block.width; ++x) write(3 * (row + x), slot_of(x, y));
    }
  };
  if (float* const to = job.targets.radiance; to != nullptr) {
    for_pixels([&](std::ptrdiff_t at, int slot) {
      for (int c = 0; c < 3; ++c) to[at + c] = s.acc[c][slot] * scale;
    });
  }
  std::uint8_t* const to = job.targets.rgb;
  if (to == nullptr) return;
  const std::uint8_t* table = ToByte::table();
  const bool curve = job.options.filmic;
  alignas(64) std::int32_t index[3][kPixels];
  for (int c = 0; c < 3; ++c) {
    for (int i = 0; i < kPixels; ++i) {
      const float x = s.acc[c][i] * scale * job.options.exposure;
      const float y = curve ? filmic(x) : x;
      // NaN gives 0.
      index[c][i] = static_cast<std::int32_t>(
          std::sqrt(y > 0.0f ? min2(y, 1.0f) : 0.0f) * static_cast<float>(ToByte::kSteps) + 0.5f);
    }
  }
  for_pixels([&](std::ptrdiff_t at, int slot) {
    for (int c = 0; c < 3; ++c) to[at + c] = table[index[c][slot]];
  });
}

ESI_INLINE std::uint32_t pack_direction(float x, float y, float z) {
  // Octahedral map, 16 bits each.
  const float sum = std::fabs(x) + std::fabs(y) + std::fabs(z);
  float u = x / sum, v = y / sum;
  if (z < 0.0f) {
    const float fu = (1.0f - std::fabs(v)) * (u < 0.0f ? -1.0f : 1.0f);
    v = (1.0f - std::fabs(u)) * (v < 0.0f ? -1.0f : 1.0f);
    u = fu;
  }
  // Lanes without a point may hold anything, NaN too, which becomes 0.
  const auto q = [](float t) {
    return static_cast<std::uint32_t>(min2(max2(t * 0.5f + 0.5f, 0.0f), 1.0f) * 65535.0f + 0.5f);
  };
  return q(u) | q(v) << 16;
}

ESI_INLINE void unpack_direction(std::uint32_t packed, float& x, float& y, float& z) {
  float u =
      static_cast<float>(static_cast<std::int32_t>(packed & 0xffffu)) * (2.0f / 65535.0f) - 1.0f;
  float v = static_cast<float>(static_cast<std::int32_t>(packed >> 16)) * (2.0f / 65535.0f) - 1.0f;
  z = 1.0f - std::fabs(u) - std::fabs(v);
  const float fold = z < 0.0f ? -z : 0.0f;
  u += u < 0.0f ? fold : -fold;
  v += v < 0.0f ? fold : -fold;
  const float inv = 1.0f / std::sqrt(u * u + v * v + z * z);
  x = u * inv;
  y = v * inv;
  z *= inv;
}

// Adds a plane to the block's points: each joins its pixel's point where it saw the same surface.
ESI_INLINE void merge(const Job& job, const Block& block, bool first, Scratch& s) {
  const auto layers = static_cast<std::size_t>(job.layers);
  if (first) {
    std::memcpy(&s.merged, &s.main, sizeof(Lanes));
    for (int i = 0; i < kPixels; ++i) s.count[i] = s.main.key[i] >= 0 ? 1 : 0;
    // Where there is no point, `visible` holds what was there before.
    for (std::size_t l = 0; l < layers; ++l) {
      for (int i = 0; i < kPixels; ++i) {
        const std::size_t at = l * kPixels + static_cast<std::size_t>(i);
        s.merged_visible[at] = s.count[i] != 0 ? s.visible[at] : std::uint8_t{0};
      }
    }
    return;
  }
  Lanes& to = s.merged;
  const Lanes& from = s.main;
  alignas(64) std::int32_t same[kPixels];
  for (int i = 0; i < kPixels; ++i) {
    const float x = from.px[i] - to.px[i], y = from.py[i] - to.py[i], z = from.pz[i] - to.pz[i];
    const float away = x * to.nx[i] + y * to.ny[i] + z * to.nz[i];
    const float alike = from.nx[i] * to.nx[i] + from.ny[i] * to.ny[i] + from.nz[i] * to.nz[i];
    const bool joins = (from.key[i] == to.key[i]) & (to.key[i] >= 0) & (alike > 0.95f) &
                       (away * away <= 0.12f * (x * x + y * y + z * z) + 1e-10f);
    same[i] = joins ? 1 : 0;
  }
  for (int i = 0; i < kPixels; ++i) {
    const auto weight = static_cast<float>(same[i]);
    to.r[i] += weight * from.r[i];
    to.g[i] += weight * from.g[i];
    to.b[i] += weight * from.b[i];
    s.count[i] = static_cast<std::uint8_t>(s.count[i] + same[i]);
  }
  for (std::size_t l = 0; l < layers; ++l) {
    std::uint16_t* sum = s.merged_visible.data() + l * kPixels;
    const std::uint8_t* visible = s.visible.data() + l * kPixels;
    for (int i = 0; i < kPixels; ++i) {
      sum[i] = static_cast<std::uint16_t>(sum[i] + same[i] * visible[i]);
    }
  }
  const auto index = static_cast<std::size_t>(block.index);
  for (int i = 0; i < kPixels; ++i) {
    if (same[i] != 0 || from.key[i] < 0) continue;
    if (to.key[i] < 0) {
      // The first sample here that saw a surface at all.
      for (auto field : {&Lanes::px, &Lanes::py, &Lanes::pz, &Lanes::nx, &Lanes::ny, &Lanes::nz,
                         &Lanes::r, &Lanes::g, &Lanes::b, &Lanes::vx, &Lanes::vy, &Lanes::vz}) {
        (to.*field)[i] = (from.*field)[i];
      }
      to.key[i] = from.key[i];
      s.count[i] = 1;
      for (std::size_t l = 0; l < layers; ++l) {
        s.merged_visible[l * kPixels + i] = s.visible[l * kPixels + i];
      }
      continue;
    }
    Stray stray;
    stray.point = {from.px[i], from.py[i], from.pz[i]};
    stray.normal = {from.nx[i], from.ny[i], from.nz[i]};
    stray.color = {from.r[i], from.g[i], from.b[i]};
    stray.view = job.any_gloss ? pack_direction(from.vx[i], from.vy[i], from.vz[i]) : 0;
    stray.key = from.key[i];
    stray.slot = static_cast<std::uint16_t>(i);
    job.points->strays[index].push_back(stray);
    for (std::size_t l = 0; l < layers; ++l) {
      job.points->stray_visible[index].push_back(s.visible[l * kPixels + i]);
    }
  }
}

// Hands the block's points over to the smoothing pass.
ESI_INLINE void hand_over(const Job& job, const Block& block, const Scratch& s) {
  Points2D& to = *job.points;
  const Lanes& from = s.merged;
  for (int y = 0; y < block.height; ++y) {
    for (int tile = 0; tile < 4; ++tile) {
      const int x = tile * kTile;
      if (x >= block.width) break;
      const std::size_t at = to.at(block.x + x, block.y + y);
      const int slot = slot_of(x, y);
      const auto copy = [at, slot](std::vector<float>& plane, const float* lanes) {
        std::memcpy(plane.data() + at, lanes + slot, kTile * sizeof(float));
      };
      std::memcpy(to.key.data() + at, from.key + slot, kTile * sizeof(std::int32_t));
      std::memcpy(to.count.data() + at, s.count + slot, kTile);
      copy(to.px, from.px);
      copy(to.py, from.py);
      copy(to.pz, from.pz);
      copy(to.nx, from.nx);
      copy(to.ny, from.ny);
      copy(to.nz, from.nz);
      copy(to.r, from.r);
      copy(to.g, from.g);
      copy(to.b, from.b);
      if (job.any_gloss) {
        for (int i = 0; i < kTile; ++i) {
          to.view[at + static_cast<std::size_t>(i)] =
              pack_direction(from.vx[slot + i], from.vy[slot + i], from.vz[slot + i]);
        }
      }
      for (int l = 0; l < job.layers; ++l) {
        const auto layer = static_cast<std::size_t>(l);
        std::memcpy(to.visible.data() + layer * to.image + at,
                    s.merged_visible.data() + layer * kPixels + slot,
                    kTile * sizeof(std::uint16_t));
      }
    }
  }
}

// What a layer's rays agreed on in a block and its neighbours.
BlockState common_state(const Job& job, const std::vector<std::uint8_t>& states, std::size_t index,
                        std::size_t layer) {
  const int bx = static_cast<int>(index) % job.blocks_x,
            by = static_cast<int>(index) / job.blocks_x;
  std::uint8_t common = kUntested;
  for (int y = std::max(0, by - 1); y <= std::min(job.blocks_y - 1, by + 1); ++y) {
    for (int x = std::max(0, bx - 1); x <= std::min(job.blocks_x - 1, bx + 1); ++x) {
      const std::uint8_t state =
          states[layer * job.blocks() + static_cast<std::size_t>(y * job.blocks_x + x)];
      if (state == kUntested) continue;
      common = common == kUntested || common == state ? state : std::uint8_t{kMixed};
    }
  }
  return static_cast<BlockState>(common);
}

// Averages the varying layers around 16 points in a row into s.seen. A 4 x 4 window holds each
// sample once; what remains is the noise of where in it each one is, which has the same period and
// so vanishes when the windows' averages are averaged over a window again: a tent 7 pixels wide.
// That is taken where both agree, as in wide penumbrae; where a shadow is sharper than that, the
// small window keeps it.
ESI_INLINE void smooth(const Job& job, const Points& p, std::size_t at, const std::size_t* layers,
                       int count, Scratch& s) {
  const Points2D& from = *job.points;
  F16 box_total, tent_total;
  for (int i = 0; i < kLanes; ++i) box_total[i] = tent_total[i] = 0.0f;
  for (int k = 0; k < count; ++k) {
    for (int i = 0; i < kLanes; ++i) s.box[layers[k]][i] = s.tent[layers[k]][i] = 0.0f;
  }
  for (int dy = -kReach; dy <= kReach; ++dy) {
    for (int dx = -kReach; dx <= kReach; ++dx) {
      // The small window, five wide to be centred, its rim counting half.
      const auto share = static_cast<float>((kWindow - std::abs(dx)) * (kWindow - std::abs(dy)));
      const bool in_box = std::abs(dx) <= 2 && std::abs(dy) <= 2;
      const float half = (std::abs(dx) == 2 ? 0.5f : 1.0f) * (std::abs(dy) == 2 ? 0.5f : 1.0f);
      const std::size_t q =
          static_cast<std::size_t>(static_cast<std::ptrdiff_t>(at) + dy * from.stride + dx);
      const float *qx = from.px.data() + q, *qy = from.py.data() + q, *qz = from.pz.data() + q;
      const float *mx = from.nx.data() + q, *my = from.ny.data() + q, *mz = from.nz.data() + q;
      const std::int32_t* other = from.key.data() + q;
      const std::uint8_t* samples = from.count.data() + q;
      F16 weight;
      for (int i = 0; i < kLanes; ++i) {
        const float x = qx[i] - p.px[i], y = qy[i] - p.py[i], z = qz[i] - p.pz[i];
        const float away = x * p.nx[i] + y * p.ny[i] + z * p.nz[i];
        const float alike = mx[i] * p.nx[i] + my[i] * p.ny[i] + mz[i] * p.nz[i];
        // The same surface, of about the same direction, not a step up or down from it.
        const bool same = (other[i] == p.key[i]) & (alike > 0.85f) &
                          (away * away <= 0.12f * (x * x + y * y + z * z) + 1e-10f);
        weight[i] = same ? 1.0f : 0.0f;
      }
      for (int i = 0; i < kLanes; ++i) {
        const float number = weight[i] * static_cast<float>(samples[i]);
        tent_total[i] += share * number;
        box_total[i] += in_box ? half * number : 0.0f;
      }
      for (int k = 0; k < count; ++k) {
        const std::uint16_t* visible = from.visible.data() + layers[k] * from.image + q;
        F16 &tent = s.tent[layers[k]], &box = s.box[layers[k]];
        if (in_box) {
          for (int i = 0; i < kLanes; ++i) {
            const float value = weight[i] * static_cast<float>(visible[i]);
            tent[i] += share * value;
            box[i] += half * value;
          }
        } else {
          for (int i = 0; i < kLanes; ++i) {
            tent[i] += share * (weight[i] * static_cast<float>(visible[i]));
          }
        }
      }
    }
  }
  for (int k = 0; k < count; ++k) {
    const F16 &box = s.box[layers[k]], &tent = s.tent[layers[k]];
    F16& out = s.seen[layers[k]];
    for (int i = 0; i < kLanes; ++i) {
      const float small = box[i] * (1.0f / 255.0f) / max2(box_total[i], 1.0f);
      const float wide = tent[i] * (1.0f / 255.0f) / max2(tent_total[i], 1.0f);
      const float difference = small > wide ? small - wide : wide - small;
      out[i] = mix(wide, small, smooth01((difference - 0.05f) * 12.5f));
    }
  }
}

// What the rays found around a stray, on its surface: from the pixels about it, or, where none
// shows that surface, from its own rays.
void smooth_stray(const Job& job, const Block& block, const Stray& stray, const std::uint8_t* own,
                  int lane, Scratch& s) {
  const Points2D& from = *job.points;
  const std::size_t at = from.at(block.x + slot_x(stray.slot), block.y + slot_y(stray.slot));
  const auto layers = static_cast<std::size_t>(job.layers);
  float total = 0.0f;
  for (std::size_t l = 0; l < layers; ++l) s.seen[l][lane] = 0.0f;
  for (int dy = -2; dy <= 2; ++dy) {
    for (int dx = -2; dx <= 2; ++dx) {
      const std::size_t q =
          static_cast<std::size_t>(static_cast<std::ptrdiff_t>(at) + dy * from.stride + dx);
      if (from.key[q] != stray.key) continue;
      const Vec3f d = Vec3f{from.px[q], from.py[q], from.pz[q]} - stray.point;
      const float away = dot(d, stray.normal);
      if (dot(stray.normal, {from.nx[q], from.ny[q], from.nz[q]}) <= 0.85f ||
          away * away > 0.12f * dot(d, d) + 1e-10f) {
        continue;
      }
      total += static_cast<float>(from.count[q]);
      for (std::size_t l = 0; l < layers; ++l) {
        s.seen[l][lane] += static_cast<float>(from.visible[l * from.image + q]);
      }
    }
  }
  for (std::size_t l = 0; l < layers; ++l) {
    const float sum = total > 0.0f ? s.seen[l][lane] / total : static_cast<float>(own[l]);
    s.seen[l][lane] = sum * (1.0f / 255.0f);
  }
}

ESI_INLINE void shade_strays(const Job& job, const Block& block, Scratch& s) {
  const std::vector<Stray>& strays = job.points->strays[static_cast<std::size_t>(block.index)];
  const std::uint8_t* own = job.points->stray_visible[static_cast<std::size_t>(block.index)].data();
  for (std::size_t first = 0; first < strays.size(); first += kLanes) {
    const int count = static_cast<int>(std::min<std::size_t>(kLanes, strays.size() - first));
    Points p;
    for (int i = 0; i < kLanes; ++i) {
      const std::size_t which = first + static_cast<std::size_t>(i < count ? i : 0);
      const Stray& stray = strays[which];
      p.px[i] = stray.point.x;
      p.py[i] = stray.point.y;
      p.pz[i] = stray.point.z;
      p.nx[i] = stray.normal.x;
      p.ny[i] = stray.normal.y;
      p.nz[i] = stray.normal.z;
      p.r[i] = stray.color.x;
      p.g[i] = stray.color.y;
      p.b[i] = stray.color.z;
      p.key[i] = stray.key;
      p.count[i] = 1.0f;
      if (job.any_gloss) unpack_direction(stray.view, p.vx[i], p.vy[i], p.vz[i]);
      smooth_stray(job, block, stray, own + which * static_cast<std::size_t>(job.layers), i, s);
    }
    F16 out[3];
    shade(job, p, s.seen.data(), out);
    for (int i = 0; i < count; ++i) {
      add_light(s, strays[first + static_cast<std::size_t>(i)].slot,
                {out[0][i], out[1][i], out[2][i]});
    }
  }
}

BlockState together(BlockState a, BlockState b) {
  return a == kUntested ? b : b == kUntested || a == b ? a : kMixed;
}

}  // namespace

// Not in an anonymous namespace: clones need a name that the linker sees.
ESI_CLONES void first_pass(Job& job, std::size_t index);
ESI_CLONES void smoothing_pass(const Job& job, std::size_t index);
ESI_CLONES void center_pass(const Job& job, std::size_t index);

ESI_CLONES void center_pass(const Job& job, std::size_t index) {
  Scratch& s = scratch(job);
  const PlaneSamples center;
  trace_camera(job, block_at(job, index), {false, true}, center, 0.0f, s);
}

ESI_CLONES void first_pass(Job& job, std::size_t index) {
  Scratch& s = scratch(job);
  const Block block = block_at(job, index);
  const auto layers = static_cast<std::size_t>(job.layers);
  std::memset(s.acc, 0, sizeof(s.acc));
  const float pixel =
      static_cast<float>(1.0 / job.view.focal) / std::sqrt(static_cast<float>(job.options.samples));
  if (job.deferred) {
    job.points->strays[index].clear();
    job.points->stray_visible[index].clear();
  }
  // Layers whose rays agreed in the first plane that had any; their values then stay.
  std::array<bool, kMaxLights + 1> settled{};
  for (std::size_t k = 0; k < job.planes.size(); ++k) {
    const PlaneSamples& plane = job.planes[k];
    trace_camera(job, block, {true, job.ids_with_color}, plane, pixel, s);
    if (job.any_soft) pack(s.main, kByPlace.lane, kPixels, s.packed);
    for (std::size_t layer = 0; layer < layers; ++layer) {
      std::uint8_t* visible = s.visible.data() + layer * kPixels;
      std::uint8_t& state = job.states[layer * job.blocks() + index];
      const auto before = static_cast<BlockState>(state);
      if (job.options.smooth && (before == kAllBlocked || before == kAllFree)) {
        if (!settled[layer]) std::memset(visible, before == kAllFree ? 255 : 0, kPixels);
        settled[layer] = true;
      } else if (layer < job.lights.size()) {
        state = together(
            before, job.lights[layer].radius > 0.0f
                        ? soft_shadow_rays(job, plane, s.packed, kPixels / kLanes, layer, visible)
                        : hard_shadow_rays(job, s.main, kPixels / kLanes, layer, visible));
      } else {
        state = together(before, ambient_rays(job, plane, s.packed, kPixels / kLanes, visible));
      }
    }
    flush_extra(job, plane, s);
    if (job.deferred) {
      merge(job, block, k == 0, s);
    } else {
      for (int tile = 0; tile < 16; ++tile) shade_tile(job, tile, s);
    }
  }
  if (job.deferred) {
    hand_over(job, block, s);
    std::memcpy(job.waiting + 3 * kPixels * index, s.acc, sizeof(s.acc));
  } else {
    write_colors(job, block, s);
  }
}

ESI_CLONES void smoothing_pass(const Job& job, std::size_t index) {
  Scratch& s = scratch(job);
  const Block block = block_at(job, index);
  const Points2D& from = *job.points;
  std::memcpy(s.acc, job.waiting + 3 * kPixels * index, sizeof(s.acc));
  shade_strays(job, block, s);
  // Which layers vary around here; the others have one value.
  std::size_t around[kMaxLights + 1];
  int around_count = 0;
  for (std::size_t l = 0; l < static_cast<std::size_t>(job.layers); ++l) {
    const BlockState common = common_state(job, job.states, index, l);
    if (common == kMixed) {
      around[around_count++] = l;
    } else {
      for (int i = 0; i < kLanes; ++i) s.seen[l][i] = common == kAllBlocked ? 0.0f : 1.0f;
    }
  }
  for (int y = 0; y < block.height; ++y) {
    const std::size_t at = from.at(block.x, block.y + y);
    const std::int32_t* key = from.key.data() + at;
    bool any = false;
    for (int i = 0; i < kLanes; ++i) any |= key[i] >= 0;
    if (!any) continue;
    Points p;
    const auto load = [at](F16& to, const std::vector<float>& plane) {
      std::memcpy(to.v, plane.data() + at, sizeof(F16));
    };
    load(p.px, from.px);
    load(p.py, from.py);
    load(p.pz, from.pz);
    load(p.nx, from.nx);
    load(p.ny, from.ny);
    load(p.nz, from.nz);
    load(p.r, from.r);
    load(p.g, from.g);
    load(p.b, from.b);
    std::memcpy(p.key.v, key, sizeof(I16));
    for (int i = 0; i < kLanes; ++i) {
      p.count[i] = static_cast<float>(from.count[at + static_cast<std::size_t>(i)]);
    }
    if (job.any_gloss) {
      for (int i = 0; i < kLanes; ++i) {
        unpack_direction(from.view[at + static_cast<std::size_t>(i)], p.vx[i], p.vy[i], p.vz[i]);
      }
    }
    std::size_t varying[kMaxLights + 1];
    int varying_count = 0;
    for (int k = 0; k < around_count; ++k) {
      // All free or all blocked as far as the window reaches?
      const std::uint16_t* visible = from.visible.data() + around[k] * from.image + at;
      const std::uint8_t* samples = from.count.data() + at;
      int blocked = 0, free = 0;
      for (int dy = -kReach; dy <= kReach; ++dy) {
        const std::uint16_t* row = visible + dy * from.stride - kReach;
        const std::uint8_t* number = samples + dy * from.stride - kReach;
        for (int i = 0; i < kLanes + 2 * kReach; ++i) {
          free |= row[i];
          blocked |= number[i] * 255 - row[i];
        }
      }
      if (free != 0 && blocked != 0) {
        varying[varying_count++] = around[k];
      } else {
        for (int i = 0; i < kLanes; ++i) s.seen[around[k]][i] = free != 0 ? 1.0f : 0.0f;
      }
    }
    if (varying_count > 0) smooth(job, p, at, varying, varying_count, s);
    F16 out[3];
    shade(job, p, s.seen.data(), out);
    for (int x = 0; x < block.width; ++x) {
      if (key[x] >= 0) add_light(s, slot_of(x, y), {out[0][x], out[1][x], out[2][x]});
    }
  }
  write_colors(job, block, s);
}

namespace {

void concentric_disc(float u, float v, float& x, float& y) {
  const float a = 2.0f * u - 1.0f, b = 2.0f * v - 1.0f;
  if (a == 0.0f && b == 0.0f) {
    x = y = 0.0f;
    return;
  }
  const float quarter = 0.78539816339f;
  float r = a, phi = 0.0f;
  if (std::fabs(a) > std::fabs(b)) {
    phi = quarter * (b / a);
  } else {
    r = b;
    phi = 2.0f * quarter - quarter * (a / b);
  }
  x = r * std::cos(phi);
  y = r * std::sin(phi);
}

std::vector<std::uint8_t> shares_of(int rays) {
  std::vector<std::uint8_t> shares(static_cast<std::size_t>(rays) + 1);
  for (int i = 0; i <= rays; ++i) {
    shares[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>((i * 255 + rays / 2) / rays);
  }
  return shares;
}

void choose_samples(Job& job) {
  const Options& o = job.options;
  const auto per_sample = [&o](int wanted) { return (wanted + o.samples - 1) / o.samples; };
  job.ambient_rays = o.ao_samples > 0 ? per_sample(o.ao_samples) : 0;
  const std::vector<Point2> offsets = camera_offsets(o.samples);
  job.planes.resize(offsets.size());
  for (std::size_t k = 0; k < job.planes.size(); ++k) {
    PlaneSamples& plane = job.planes[k];
    plane.offset = offsets[k];
    plane.lights.resize(job.lights.size());
    for (std::size_t l = 0; l < job.lights.size(); ++l) {
      const int rays = job.lights[l].radius > 0.0f ? per_sample(o.shadow_samples) : 1;
      LightSamples& s = plane.lights[l];
      s.shares = shares_of(rays);
      s.x.resize(static_cast<std::size_t>(rays * kLanes));
      s.y.resize(s.x.size());
      for (int ray = 0; ray < rays; ++ray) {
        Point3 points[kLanes];
        tile_samples(static_cast<std::uint32_t>(static_cast<int>(k) * rays + ray),
                     static_cast<std::uint32_t>(l) + 2, points);
        for (int i = 0; i < kLanes; ++i) {
          const auto at = static_cast<std::size_t>(ray * kLanes + i);
          concentric_disc(points[i].x, points[i].y, s.x[at], s.y[at]);
        }
      }
    }
    AmbientSamples& s = plane.ambient;
    const auto count = static_cast<std::size_t>(job.ambient_rays * kLanes);
    if (job.ambient_rays > 0) s.shares = shares_of(job.ambient_rays);
    s.x.resize(count);
    s.y.resize(count);
    s.z.resize(count);
    s.reach.resize(count);
    for (int ray = 0; ray < job.ambient_rays; ++ray) {
      Point3 points[kLanes];
      tile_samples(static_cast<std::uint32_t>(static_cast<int>(k) * job.ambient_rays + ray), 1,
                   points);
      for (int i = 0; i < kLanes; ++i) {
        const auto at = static_cast<std::size_t>(ray * kLanes + i);
        concentric_disc(points[i].x, points[i].y, s.x[at], s.y[at]);
        // Projecting the disc up to the hemisphere weights directions by their cosine.
        s.z[at] = std::sqrt(std::max(0.0f, 1.0f - s.x[at] * s.x[at] - s.y[at] * s.y[at]));
        // Rays end at random: something at a share q of the distance darkens by (1 - q)^2.
        s.reach[at] = o.ao_distance * (1.0f - std::sqrt(points[i].z));
      }
    }
  }
}

void prepare_surface(const Job& job, const Instance& instance, const Material& material,
                     Surface& s) {
  s.instance = &instance;
  s.material = material;
  s.see_through = material.kind == MaterialKind::glass || material.kind == MaterialKind::emissive;
  if (!instance.alive) return;
  const Mesh& mesh = *instance.shape;
  s.vertices = instance.vertices.data();
  s.faces = mesh.faces.data();
  s.normals = mesh.normals.empty() ? nullptr : mesh.normals.data();
  s.uv = mesh.uv.empty() ? nullptr : mesh.uv.data();
  const Affine inverse = instance.to_world.inverse();
  Vec3 size;
  for (int k = 0; k < 3; ++k) {
    const double length = norm(instance.to_world.column(k));
    const Vec3 row = inverse.row(k) * length;
    const double shift = dot(row, job.origin) + inverse.translation()[k] * length;
    for (int j = 0; j < 3; ++j) s.metric[4 * k + j] = static_cast<float>(row[j]);
    s.metric[4 * k + 3] = static_cast<float>(shift);
    const Vec3 normal_row = inverse.column(k);
    for (int j = 0; j < 3; ++j) s.normal_map[3 * k + j] = static_cast<float>(normal_row[j]);
    size[k] = mesh.bounds.empty() ? 0.0 : mesh.bounds.size()[k] * length;
  }
  s.grain = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
}

void prepare_points(const Job& job, Points2D& points) {
  const std::ptrdiff_t stride = job.blocks_x * kBlock + 2 * kPad;
  const auto count = static_cast<std::size_t>(stride * (job.blocks_y * kBlock + 2 * kPad));
  // Padding must stay empty, and so must what another size left between picture and padding.
  if (points.width != job.view.width || points.height != job.view.height) {
    points.width = job.view.width;
    points.height = job.view.height;
    points.stride = stride;
    points.image = count;
    for (auto* plane : {&points.px, &points.py, &points.pz, &points.nx, &points.ny, &points.nz,
                        &points.r, &points.g, &points.b}) {
      plane->assign(count, 0.0f);
    }
    points.key.assign(count, kNone);
    points.count.assign(count, 0);
    points.visible.clear();
    points.strays.resize(job.blocks());
    points.stray_visible.resize(job.blocks());
  }
  points.view.resize(job.any_gloss ? count : 0);
  points.visible.resize(static_cast<std::size_t>(job.layers) * count);
}

template <class Pass>
void for_blocks(const Job& job, Pass pass) {
  parallel_for(job.blocks(), kGrain, job.options.threads, [&](std::size_t first, std::size_t last) {
    const FlushDenormals flush;
    for (std::size_t i = first; i < last; ++i) pass(i);
  });
}

}  // namespace

struct Renderer::State {
  std::mutex mutex;
  TriangleScene triangles;
  Points2D points;
  std::vector<float> waiting;
};

Renderer::Renderer() : state_(std::make_unique<State>()) {}
Renderer::~Renderer() = default;

void Renderer::render(Scene& scene, const View& view, Span<const Material> materials,
                      Span<const Light> lights, const Options& options, const Targets& targets) {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  const SceneView built = scene.view();
  if (materials.size() != built.instance_count()) {
    bad_argument("materials", std::to_string(built.instance_count()) + " (one per instance)",
                 std::to_string(materials.size()));
  }
  if (lights.size() > kMaxLights) {
    bad_argument("lights", "at most " + std::to_string(kMaxLights), std::to_string(lights.size()));
  }
  Job job;
  job.scene = &built;
  job.view = view;
  job.options = options;
  job.targets = targets;
  std::vector<std::uint8_t> see_through(materials.size());
  for (std::size_t i = 0; i < materials.size(); ++i) {
    const MaterialKind kind = materials[i].kind;
    see_through[i] = kind == MaterialKind::glass || kind == MaterialKind::emissive;
  }
  state_->triangles.update(built, see_through);
  job.triangles = state_->triangles.embree();
  job.packets_of_16 =
      rtcGetDeviceProperty(built.device(), RTC_DEVICE_PROPERTY_NATIVE_RAY16_SUPPORTED) != 0;
  job.origin = state_->triangles.origin();
  job.surfaces.resize(materials.size());
  job.kinds.resize(materials.size());
  job.object_ids.resize(materials.size());
  for (std::size_t i = 0; i < materials.size(); ++i) {
    const Instance& instance = built.instance(static_cast<std::int32_t>(i));
    prepare_surface(job, instance, materials[i], job.surfaces[i]);
    job.any_gloss |= instance.alive && materials[i].gloss > 0.0f;
    job.kinds[i] = materials[i].kind;
    job.object_ids[i] = instance.object_id;
  }
  job.lights.assign(lights.begin(), lights.end());
  for (Light& light : job.lights) {
    light.position -= job.origin;
    job.any_soft |= light.radius > 0.0f;
  }
  job.eye_world = view.pose.translation();
  job.eye_d = job.eye_world - job.origin;
  job.right_d = view.pose.column(0);
  job.up_d = view.pose.column(1);
  job.forward_d = -view.pose.column(2);
  job.eye = static_cast<Vec3f>(job.eye_d);
  job.right = static_cast<Vec3f>(job.right_d);
  job.up = static_cast<Vec3f>(job.up_d);
  job.forward = static_cast<Vec3f>(job.forward_d);
  double extent =
      std::max({std::fabs(job.eye_d.x), std::fabs(job.eye_d.y), std::fabs(job.eye_d.z)});
  if (!built.bounds().empty()) {
    const Vec3 a = built.bounds().upper - job.origin, b = job.origin - built.bounds().lower;
    extent = std::max({extent, a.x, a.y, a.z, b.x, b.y, b.z});
  }
  job.extent = static_cast<float>(std::max(extent, 1e-6));
  job.offset = 4e-6f * job.extent;
  job.blocks_x = (view.width + kBlock - 1) / kBlock;
  job.blocks_y = (view.height + kBlock - 1) / kBlock;
  job.any_soft |= options.ao_samples > 0;
  job.layers = static_cast<int>(job.lights.size()) + (options.ao_samples > 0 ? 1 : 0);

  const bool color = targets.rgb != nullptr || targets.radiance != nullptr;
  const bool ids = targets.depth != nullptr || targets.ids != nullptr ||
                   targets.seen_ids != nullptr || targets.normals != nullptr ||
                   targets.through != nullptr;
  job.ids_with_color = ids && color && options.samples == 1;
  if (ids && !job.ids_with_color) {
    for_blocks(job, [&job](std::size_t i) { center_pass(job, i); });
  }
  if (!color) return;
  // With more samples there is nothing left to smooth.
  job.deferred = options.smooth && options.samples <= kMostSmoothed && job.any_soft;
  job.points = &state_->points;
  if (job.deferred) {
    prepare_points(job, state_->points);
    state_->waiting.resize(3 * kPixels * job.blocks());
    job.waiting = state_->waiting.data();
  }
  job.states.assign(static_cast<std::size_t>(job.layers) * job.blocks(), kUntested);
  choose_samples(job);
  for_blocks(job, [&job](std::size_t i) { first_pass(job, i); });
  if (job.deferred) for_blocks(job, [&job](std::size_t i) { smoothing_pass(job, i); });
}

}  // namespace esi::picture
