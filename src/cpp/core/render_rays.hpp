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
  rtcIntersect16(valid, job.triangles, &packet, &args);
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
  rtcOccluded16(valid, job.triangles, &rays, &args);
  std::uint32_t lit = 0;
  for (int i = 0; i < kLanes; ++i) lit |= (rays.tfar[i] >= 0.0f ? 1u : 0u) << i;
  return lit & mask;
}

// Writes the share of free rays (0 to 255) of the points to `visible`, by lane, and tells what all
// rays agreed on.
ESI_INLINE BlockState shadow_rays(const Job& job, const PlaneSamples& plane, const Packed& points,
                                  int packets, std::size_t index, std::uint8_t* visible) {
  const Light& light = job.lights[index];
  const LightSamples& samples = plane.lights[index];
  const int rays = static_cast<int>(samples.x.size()) / kLanes;
  const bool sun = light.kind == LightKind::sun;
  const auto lx = static_cast<float>(light.position.x), ly = static_cast<float>(light.position.y),
             lz = static_cast<float>(light.position.z);
  const auto dx = static_cast<float>(light.direction.x), dy = static_cast<float>(light.direction.y),
             dz = static_cast<float>(light.direction.z);
  const float strongest = max2(max2(light.color.x, light.color.y), light.color.z);
  bool any_free = false, any_blocked = false;
  for (int packet = 0; packet < packets; ++packet) {
    const int first = packet * kLanes;
    const float *px = points.x + first, *py = points.y + first, *pz = points.z + first;
    const float *nx = points.nx + first, *ny = points.ny + first, *nz = points.nz + first;
    const std::int32_t* place = points.place + first;
    alignas(64) std::int32_t wanted[kLanes];
    for (int i = 0; i < kLanes; ++i) {
      const float e = irradiance(light, lx, ly, lz, px[i], py[i], pz[i], nx[i], ny[i], nz[i]);
      wanted[i] = e * points.albedo[first + i] * strongest > kInvisible ? 1 : 0;
    }
    std::uint32_t mask = 0;
    for (int i = 0; i < kLanes; ++i) mask |= static_cast<std::uint32_t>(wanted[i]) << i;
    alignas(64) std::int32_t count[kLanes] = {};
    if (mask != 0) {
      F16 wx, wy, wz, ax, ay, az, bx, by, bz;
      for (int i = 0; i < kLanes; ++i) {
        wx[i] = sun ? -dx : lx - px[i];
        wy[i] = sun ? -dy : ly - py[i];
        wz[i] = sun ? -dz : lz - pz[i];
        ax[i] = ay[i] = az[i] = bx[i] = by[i] = bz[i] = 0.0f;
      }
      if (light.radius > 0.0f) {
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
      }
      for (int ray = 0; ray < rays; ++ray) {
        RTCRay16 r;
        F16 u, v;
        for (int i = 0; i < kLanes; ++i) {
          u[i] = samples.x[static_cast<std::size_t>(ray * kLanes + place[i])];
          v[i] = samples.y[static_cast<std::size_t>(ray * kLanes + place[i])];
        }
        // From the light, where neighbouring rays meet; a sun's come from the surface.
        for (int i = 0; i < kLanes; ++i) {
          const float ox = ax[i] * u[i] + bx[i] * v[i], oy = ay[i] * u[i] + by[i] * v[i],
                      oz = az[i] * u[i] + bz[i] * v[i];
          const float qx = sun ? px[i] : lx + ox, qy = sun ? py[i] : ly + oy,
                      qz = sun ? pz[i] : lz + oz;
          r.org_x[i] = qx;
          r.org_y[i] = qy;
          r.org_z[i] = qz;
          r.dir_x[i] = sun ? wx[i] + ox : px[i] - qx;
          r.dir_y[i] = sun ? wy[i] + oy : py[i] - qy;
          r.dir_z[i] = sun ? wz[i] + oz : pz[i] - qz;
          r.tnear[i] = 0.0f;
          r.tfar[i] = sun ? 4.0f * job.extent : 1.0f;
        }
        const std::uint32_t lit = free_lanes(job, mask, r, true);
        any_free |= lit != 0;
        any_blocked |= lit != mask;
        for (int i = 0; i < kLanes; ++i) count[i] += static_cast<std::int32_t>(lit >> i & 1u);
      }
    }
    for (int i = 0; i < kLanes; ++i) {
      const std::int32_t value = (count[i] * 255 + rays / 2) / rays;
      visible[points.lane[first + i]] = static_cast<std::uint8_t>(wanted[i] != 0 ? value : 255);
    }
  }
  if (any_free && any_blocked) return kMixed;
  return any_free ? kAllFree : any_blocked ? kAllBlocked : kUntested;
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
      visible[points.lane[first + i]] =
          static_cast<std::uint8_t>((count[i] * 255 + rays / 2) / rays);
    }
  }
  if (any_free && any_blocked) return kMixed;
  return any_free ? kAllFree : any_blocked ? kAllBlocked : kUntested;
}

}  // namespace esi::picture
