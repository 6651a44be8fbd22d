// Lights on packets of lanes: irradiance, highlights, shadow and ambient rays.
#pragma once

#include <cmath>

#include "core/render_job.hpp"

namespace esi::picture {

// Points to be lit. Colours carry the weight of the path that led to them. `slot` is the pixel of
// the block (tile by tile), whose place in its tile also chooses the lane's samples.
struct Lanes {
  alignas(64) float px[kPixels], py[kPixels], pz[kPixels];
  alignas(64) float sx[kPixels], sy[kPixels], sz[kPixels];
  alignas(64) float nx[kPixels], ny[kPixels], nz[kPixels];
  alignas(64) float r[kPixels], g[kPixels], b[kPixels];
  alignas(64) float vx[kPixels], vy[kPixels], vz[kPixels];  // unit, towards the viewer
  alignas(64) std::int32_t key[kPixels];  // surface and number of events; kNone for an empty lane
  alignas(64) std::uint16_t slot[kPixels];
};

// The same points in the order in which their rays are traced, all of a packet together. Empty
// places have no albedo.
struct Packed {
  alignas(64) float x[kPixels], y[kPixels], z[kPixels];  // where shadow rays start
  alignas(64) float nx[kPixels], ny[kPixels], nz[kPixels];
  alignas(64) float albedo[kPixels];  // largest component
  alignas(64) std::int32_t place[kPixels];
  alignas(64) std::int16_t lane[kPixels];
  std::uint32_t used[kPixels / kLanes];  // bits of the lanes that hold a point
};

ESI_INLINE void pack(const Lanes& lanes, const std::int16_t* order, int count, Packed& out) {
  for (int i = 0; i < count; ++i) {
    const int lane = order[i];
    out.lane[i] = order[i];
    out.x[i] = lanes.sx[lane];
    out.y[i] = lanes.sy[lane];
    out.z[i] = lanes.sz[lane];
    out.nx[i] = lanes.nx[lane];
    out.ny[i] = lanes.ny[lane];
    out.nz[i] = lanes.nz[lane];
    const float albedo = max2(max2(lanes.r[lane], lanes.g[lane]), lanes.b[lane]);
    out.albedo[i] = lanes.key[lane] >= 0 ? albedo : 0.0f;
    out.place[i] = lanes.slot[lane] & 15;
  }
  for (int p = 0; p < count / kLanes; ++p) {
    std::uint32_t used = 0;
    for (int i = 0; i < kLanes; ++i) {
      used |= (lanes.key[order[p * kLanes + i]] >= 0 ? 1u : 0u) << i;
    }
    out.used[p] = used;
  }
}

// Contributions below this (in linear light) are not worth a shadow ray: a quarter of a step of the
// darkest tones of an 8-bit picture.
constexpr float kInvisible = 7.5e-5f;

// What occluded ambient light is replaced with: light from nearby surfaces.
constexpr float kBounce = 0.22f;

constexpr int surface_of(std::int32_t key) { return key & 0xffffff; }

// Irradiance of an unshadowed light of colour 1.
ESI_INLINE float irradiance(const Light& light, float lx, float ly, float lz, float px, float py,
                            float pz, float nx, float ny, float nz) {
  if (light.kind == LightKind::sun) {
    const auto dx = static_cast<float>(light.direction.x),
               dy = static_cast<float>(light.direction.y),
               dz = static_cast<float>(light.direction.z);
    return max2(0.0f, -(nx * dx + ny * dy + nz * dz));
  }
  const float x = lx - px, y = ly - py, z = lz - pz;
  const float d2 = max2(x * x + y * y + z * z, 1e-6f);
  const float inv = 1.0f / std::sqrt(d2);
  const float cosine = max2(0.0f, (nx * x + ny * y + nz * z) * inv);
  // Inside the light's own sphere irradiance stops rising.
  const float most = light.radius > 0.0f ? 1.0f / (light.radius * light.radius) : 1e6f;
  float e = cosine * min2(inv * inv, most);
  if (light.kind == LightKind::spot) {
    const auto dx = static_cast<float>(light.direction.x),
               dy = static_cast<float>(light.direction.y),
               dz = static_cast<float>(light.direction.z);
    const float c = -(x * dx + y * dy + z * dz) * inv;
    const float span = max2(light.cos_inner - light.cos_outer, 1e-6f);
    e *= smooth01((c - light.cos_outer) / span);
  }
  return e;
}

// Blinn-Phong with Fresnel's rise at grazing angles; `size` is the light's angular radius, which
// widens the highlight.
ESI_INLINE float highlight(float gloss, float size, float nx, float ny, float nz, float lx,
                           float ly, float lz, float vx, float vy, float vz) {
  const float hx = lx + vx, hy = ly + vy, hz = lz + vz;
  const float inv = 1.0f / std::sqrt(max2(hx * hx + hy * hy + hz * hz, 1e-12f));
  const float nh = clamp01((nx * hx + ny * hy + nz * hz) * inv);
  const float vh = clamp01((vx * hx + vy * hy + vz * hz) * inv);
  const float rough = (1.0f - gloss) * (1.0f - gloss) * 0.5f + 0.03f + 0.35f * size;
  const float a2 = rough * rough;
  const float base = 1.0f - vh, base2 = base * base;
  const float fresnel = 0.04f + 0.96f * base2 * base2 * base;
  const float d = nh * nh * (a2 - 1.0f) + 1.0f;
  return gloss * fresnel * 0.25f * a2 / max2(d * d, 1e-9f);
}

// Two unit vectors across n. The one direction about which they swirl is no axis, so that walls and
// floors are far from it.
ESI_INLINE void frame_across(float nx, float ny, float nz, float t[3], float b[3]) {
  const float ax = 0.36f, ay = 0.48f, az = 0.80f;
  const float x = ny * az - nz * ay, y = nz * ax - nx * az, z = nx * ay - ny * ax;
  const float length2 = x * x + y * y + z * z;
  const bool usable = length2 > 1e-8f;
  const float inv = 1.0f / std::sqrt(usable ? length2 : 1.0f);
  t[0] = usable ? x * inv : 0.8f;
  t[1] = usable ? y * inv : -0.6f;
  t[2] = usable ? z * inv : 0.0f;
  b[0] = ny * t[2] - nz * t[1];
  b[1] = nz * t[0] - nx * t[2];
  b[2] = nx * t[1] - ny * t[0];
}

}  // namespace esi::picture
