// Packets of camera, shadow and ambient rays.
#pragma once

#include <cmath>
#include <cstring>
#include <limits>

#include "core/render_job.hpp"
#include "core/render_light.hpp"
#include "core/render_scene.hpp"
#include "core/render_surface.hpp"

namespace esi::picture {

// Embree takes packets of 16 apart into single rays where the processor has no registers for them
// (no AVX-512), packets of 8 hardly ever. Every field of a packet is a row of 16 (8) words.
template <class Half, class Packet, class Trace>
void by_halves(const int* valid, Packet& packet, Trace trace) {
  constexpr std::size_t row = kLanes * sizeof(float), half = row / 2;
  static_assert(sizeof(Packet) % row == 0 && sizeof(Half) * 2 == sizeof(Packet));
  auto* const whole = reinterpret_cast<unsigned char*>(&packet);
  for (std::size_t side = 0; side < 2; ++side) {
    Half part;
    auto* const words = reinterpret_cast<unsigned char*>(&part);
    for (std::size_t k = 0; k < sizeof(Packet) / row; ++k) {
      std::memcpy(words + k * half, whole + k * row + side * half, half);
    }
    trace(valid + side * (kLanes / 2), part);
    for (std::size_t k = 0; k < sizeof(Packet) / row; ++k) {
      std::memcpy(whole + k * row + side * half, words + k * half, half);
    }
  }
}

ESI_INLINE void closest(const Job& job, std::uint32_t mask, const Rays& rays, const F16& near,
                        bool coherent, Hits& hits) {
  RTCRayHit16 packet;
  alignas(64) int valid[kLanes];
  std::memcpy(packet.ray.org_x, rays.ox.v, sizeof(F16));
  std::memcpy(packet.ray.org_y, rays.oy.v, sizeof(F16));
  std::memcpy(packet.ray.org_z, rays.oz.v, sizeof(F16));
  std::memcpy(packet.ray.dir_x, rays.dx.v, sizeof(F16));
  std::memcpy(packet.ray.dir_y, rays.dy.v, sizeof(F16));
  std::memcpy(packet.ray.dir_z, rays.dz.v, sizeof(F16));
  std::memcpy(packet.ray.tnear, near.v, sizeof(F16));
  for (int i = 0; i < kLanes; ++i) {
    valid[i] = (mask >> i & 1u) != 0 ? -1 : 0;
    packet.ray.tfar[i] = std::numeric_limits<float>::infinity();
    packet.ray.time[i] = 0.0f;
    packet.ray.mask[i] = kAnyMask;
    packet.ray.id[i] = 0;
    packet.ray.flags[i] = 0;
    packet.hit.geomID[i] = RTC_INVALID_GEOMETRY_ID;
    packet.hit.instID[0][i] = RTC_INVALID_GEOMETRY_ID;
  }
  RTCIntersectArguments args;
  rtcInitIntersectArguments(&args);
  if (coherent) args.flags = RTC_RAY_QUERY_FLAG_COHERENT;
  if (job.packets_of_16) {
    rtcIntersect16(valid, job.triangles, &packet, &args);
  } else {
    by_halves<RTCRayHit8>(valid, packet, [&](const int* lanes, RTCRayHit8& half) {
      rtcIntersect8(lanes, job.triangles, &half, &args);
    });
  }
  for (int i = 0; i < kLanes; ++i) {
    const bool found = packet.hit.geomID[i] != RTC_INVALID_GEOMETRY_ID;
    hits.surface[i] =
        found && valid[i] != 0 ? static_cast<std::int32_t>(packet.hit.geomID[i]) : kNone;
    hits.face[i] = static_cast<std::int32_t>(packet.hit.primID[i]);
    hits.u[i] = packet.hit.u[i];
    hits.v[i] = packet.hit.v[i];
    hits.t[i] = packet.ray.tfar[i];
    hits.nx[i] = packet.hit.Ng_x[i];
    hits.ny[i] = packet.hit.Ng_y[i];
    hits.nz[i] = packet.hit.Ng_z[i];
  }
}

// Bits of the lanes whose ray is free.
ESI_INLINE std::uint32_t free_lanes(const Job& job, std::uint32_t mask, RTCRay16& rays,
                                    bool coherent) {
  alignas(64) int valid[kLanes];
  for (int i = 0; i < kLanes; ++i) {
    valid[i] = (mask >> i & 1u) != 0 ? -1 : 0;
    rays.time[i] = 0.0f;
    rays.mask[i] = kOpaqueMask;
    rays.id[i] = 0;
    rays.flags[i] = 0;
  }
  RTCOccludedArguments args;
  rtcInitOccludedArguments(&args);
  if (coherent) args.flags = RTC_RAY_QUERY_FLAG_COHERENT;
  if (job.packets_of_16) {
    rtcOccluded16(valid, job.triangles, &rays, &args);
  } else {
    by_halves<RTCRay8>(valid, rays, [&](const int* lanes, RTCRay8& half) {
      rtcOccluded8(lanes, job.triangles, &half, &args);
    });
  }
  std::uint32_t lit = 0;
  for (int i = 0; i < kLanes; ++i) lit |= (rays.tfar[i] >= 0.0f ? 1u : 0u) << i;
  return lit & mask;
}

ESI_INLINE BlockState agreed(bool any_free, bool any_blocked) {
  if (any_free && any_blocked) return kMixed;
  return any_free ? kAllFree : any_blocked ? kAllBlocked : kUntested;
}

// Bits of the lanes for which the light is worth a ray.
ESI_INLINE std::uint32_t worth_a_ray(const Light& light, const float* px, const float* py,
                                     const float* pz, const float* nx, const float* ny,
                                     const float* nz, const float* albedo) {
  const auto lx = static_cast<float>(light.position.x), ly = static_cast<float>(light.position.y),
             lz = static_cast<float>(light.position.z);
  const float strongest = max2(max2(light.color.x, light.color.y), light.color.z);
  I16 bits;
  for (int i = 0; i < kLanes; ++i) {
    const float e = irradiance(light, lx, ly, lz, px[i], py[i], pz[i], nx[i], ny[i], nz[i]);
    bits[i] = e * albedo[i] * strongest > kInvisible ? 1 << i : 0;
  }
  std::int32_t mask = 0;
  for (int i = 0; i < kLanes; ++i) mask |= bits[i];
  return static_cast<std::uint32_t>(mask);
}

// Shadows of a light without extent on a block, tile by tile, as neighbours are closest together:
// writes 255 to `visible` where the light is free or too weak to matter, 0 where it is blocked, and
// tells what all rays agreed on.
ESI_INLINE BlockState hard_shadow_rays(const Job& job, const Lanes& lanes, int packets,
                                       std::size_t index, std::uint8_t* visible) {
  const Light& light = job.lights[index];
  const bool sun = light.kind == LightKind::sun;
  const auto lx = static_cast<float>(light.position.x), ly = static_cast<float>(light.position.y),
             lz = static_cast<float>(light.position.z);
  const auto dx = static_cast<float>(light.direction.x), dy = static_cast<float>(light.direction.y),
             dz = static_cast<float>(light.direction.z);
  bool any_free = false, any_blocked = false;
  for (int first = 0; first < packets * kLanes; first += kLanes) {
    const float *px = lanes.sx + first, *py = lanes.sy + first, *pz = lanes.sz + first;
    F16 albedo;
    for (int i = 0; i < kLanes; ++i) {
      const int k = first + i;
      const float largest = max2(max2(lanes.r[k], lanes.g[k]), lanes.b[k]);
      albedo[i] = lanes.key[k] >= 0 ? largest : 0.0f;
    }
    const std::uint32_t mask = worth_a_ray(light, px, py, pz, lanes.nx + first, lanes.ny + first,
                                           lanes.nz + first, albedo.v);
    std::uint32_t lit = 0;
    if (mask != 0) {
      RTCRay16 r;
      // From the light, where neighbouring rays meet; a sun's come from the surface.
      for (int i = 0; i < kLanes; ++i) {
        r.org_x[i] = sun ? px[i] : lx;
        r.org_y[i] = sun ? py[i] : ly;
        r.org_z[i] = sun ? pz[i] : lz;
      }
      for (int i = 0; i < kLanes; ++i) {
        r.dir_x[i] = sun ? -dx : px[i] - lx;
        r.dir_y[i] = sun ? -dy : py[i] - ly;
        r.dir_z[i] = sun ? -dz : pz[i] - lz;
        r.tnear[i] = 0.0f;
        r.tfar[i] = sun ? 4.0f * job.extent : 1.0f;
      }
      lit = free_lanes(job, mask, r, true);
      any_free |= lit != 0;
      any_blocked |= lit != mask;
    }
    const std::uint32_t bright = lit | ~mask;
    for (int i = 0; i < kLanes; ++i) {
      visible[first + i] = static_cast<std::uint8_t>((bright >> i & 1u) * 255u);
    }
  }
  return agreed(any_free, any_blocked);
}

// The same for a light with extent: writes the share of free rays, by lane.
ESI_INLINE BlockState soft_shadow_rays(const Job& job, const PlaneSamples& plane,
                                       const Packed& points, int packets, std::size_t index,
                                       std::uint8_t* visible) {
  const Light& light = job.lights[index];
  const LightSamples& samples = plane.lights[index];
  const int rays = static_cast<int>(samples.x.size()) / kLanes;
  const bool sun = light.kind == LightKind::sun;
  const auto lx = static_cast<float>(light.position.x), ly = static_cast<float>(light.position.y),
             lz = static_cast<float>(light.position.z);
  const auto dx = static_cast<float>(light.direction.x), dy = static_cast<float>(light.direction.y),
             dz = static_cast<float>(light.direction.z);
  bool any_free = false, any_blocked = false;
  for (int packet = 0; packet < packets; ++packet) {
    const int first = packet * kLanes;
    const float *px = points.x + first, *py = points.y + first, *pz = points.z + first;
    const std::int32_t* place = points.place + first;
    const std::uint32_t mask = worth_a_ray(light, px, py, pz, points.nx + first, points.ny + first,
                                           points.nz + first, points.albedo + first);
    alignas(64) std::int32_t count[kLanes] = {};
    if (mask != 0) {
      F16 wx, wy, wz, ax, ay, az, bx, by, bz;
      for (int i = 0; i < kLanes; ++i) {
        wx[i] = sun ? -dx : lx - px[i];
        wy[i] = sun ? -dy : ly - py[i];
        wz[i] = sun ? -dz : lz - pz[i];
      }
      for (int i = 0; i < kLanes; ++i) {
        const float inv =
            1.0f / std::sqrt(max2(wx[i] * wx[i] + wy[i] * wy[i] + wz[i] * wz[i], 1e-12f));
        float a[3], b[3];
        frame_across(wx[i] * inv, wy[i] * inv, wz[i] * inv, a, b);
        ax[i] = a[0] * light.radius;
        ay[i] = a[1] * light.radius;
        az[i] = a[2] * light.radius;
        bx[i] = b[0] * light.radius;
        by[i] = b[1] * light.radius;
        bz[i] = b[2] * light.radius;
      }
      for (int ray = 0; ray < rays; ++ray) {
        RTCRay16 r;
        F16 ox, oy, oz;
        for (int i = 0; i < kLanes; ++i) {
          const auto at = static_cast<std::size_t>(ray * kLanes + place[i]);
          const float u = samples.x[at], v = samples.y[at];
          ox[i] = ax[i] * u + bx[i] * v;
          oy[i] = ay[i] * u + by[i] * v;
          oz[i] = az[i] * u + bz[i] * v;
        }
        if (sun) {
          for (int i = 0; i < kLanes; ++i) {
            r.org_x[i] = px[i];
            r.org_y[i] = py[i];
            r.org_z[i] = pz[i];
            r.dir_x[i] = wx[i] + ox[i];
            r.dir_y[i] = wy[i] + oy[i];
            r.dir_z[i] = wz[i] + oz[i];
            r.tfar[i] = 4.0f * job.extent;
          }
        } else {
          for (int i = 0; i < kLanes; ++i) {
            r.org_x[i] = lx + ox[i];
            r.org_y[i] = ly + oy[i];
            r.org_z[i] = lz + oz[i];
            r.dir_x[i] = px[i] - r.org_x[i];
            r.dir_y[i] = py[i] - r.org_y[i];
            r.dir_z[i] = pz[i] - r.org_z[i];
            r.tfar[i] = 1.0f;
          }
        }
        for (int i = 0; i < kLanes; ++i) r.tnear[i] = 0.0f;
        const std::uint32_t lit = free_lanes(job, mask, r, true);
        any_free |= lit != 0;
        any_blocked |= lit != mask;
        for (int i = 0; i < kLanes; ++i) count[i] += static_cast<std::int32_t>(lit >> i & 1u);
      }
    }
    for (int i = 0; i < kLanes; ++i) {
      const bool traced = (mask >> i & 1u) != 0;
      visible[points.lane[first + i]] =
          traced ? samples.shares[static_cast<std::size_t>(count[i])] : 255;
    }
  }
  return agreed(any_free, any_blocked);
}

ESI_INLINE BlockState ambient_rays(const Job& job, const PlaneSamples& plane, const Packed& points,
                                   int packets, std::uint8_t* visible) {
  const AmbientSamples& samples = plane.ambient;
  const int rays = job.ambient_rays;
  bool any_free = false, any_blocked = false;
  for (int packet = 0; packet < packets; ++packet) {
    const int first = packet * kLanes;
    const std::uint32_t mask = points.used[packet];
    if (mask == 0) continue;
    const float *nx = points.nx + first, *ny = points.ny + first, *nz = points.nz + first;
    const std::int32_t* place = points.place + first;
    F16 ax, ay, az, bx, by, bz;
    for (int i = 0; i < kLanes; ++i) {
      float a[3], b[3];
      frame_across(nx[i], ny[i], nz[i], a, b);
      ax[i] = a[0];
      ay[i] = a[1];
      az[i] = a[2];
      bx[i] = b[0];
      by[i] = b[1];
      bz[i] = b[2];
    }
    alignas(64) std::int32_t count[kLanes] = {};
    for (int ray = 0; ray < rays; ++ray) {
      RTCRay16 r;
      F16 u, v, w;
      for (int i = 0; i < kLanes; ++i) {
        const auto at = static_cast<std::size_t>(ray * kLanes + place[i]);
        u[i] = samples.x[at];
        v[i] = samples.y[at];
        w[i] = samples.z[at];
        r.tfar[i] = samples.reach[at];
      }
      for (int i = 0; i < kLanes; ++i) {
        r.org_x[i] = points.x[first + i];
        r.org_y[i] = points.y[first + i];
        r.org_z[i] = points.z[first + i];
        r.dir_x[i] = ax[i] * u[i] + bx[i] * v[i] + nx[i] * w[i];
        r.dir_y[i] = ay[i] * u[i] + by[i] * v[i] + ny[i] * w[i];
        r.dir_z[i] = az[i] * u[i] + bz[i] * v[i] + nz[i] * w[i];
        r.tnear[i] = 0.0f;
      }
      const std::uint32_t open = free_lanes(job, mask, r, true);
      any_free |= open != 0;
      any_blocked |= open != mask;
      for (int i = 0; i < kLanes; ++i) count[i] += static_cast<std::int32_t>(open >> i & 1u);
    }
    for (int i = 0; i < kLanes; ++i) {
      visible[points.lane[first + i]] = samples.shares[static_cast<std::size_t>(count[i])];
    }
  }
  return agreed(any_free, any_blocked);
}

}  // namespace esi::picture
