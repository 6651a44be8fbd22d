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

// Counts free rays of lanes order[0 .. 16 packets) into `visible` (0 to 255), and what all agreed
// on. An order entry of -1 is an empty place.
ESI_INLINE BlockState shadow_rays(const Job& job, const Lanes& lanes, const std::int16_t* order,
                                  int packets, std::size_t index, std::uint8_t* visible) {
  const Light& light = job.lights[index];
  const LightSamples& samples = job.light_samples[index];
  const int rays = static_cast<int>(samples.x.size()) / kLanes;
  const auto lx = static_cast<float>(light.position.x), ly = static_cast<float>(light.position.y),
             lz = static_cast<float>(light.position.z);
  const float strongest = max2(max2(light.color.x, light.color.y), light.color.z);
  bool any_free = false, any_blocked = false;
  for (int packet = 0; packet < packets; ++packet) {
    const std::int16_t* lane_of = order + packet * kLanes;
    F16 px, py, pz, nx, ny, nz, albedo, wx, wy, wz, ax, ay, az, bx, by, bz;
    I16 place;
    for (int i = 0; i < kLanes; ++i) {
      const int lane = lane_of[i] < 0 ? 0 : lane_of[i];
      px[i] = lanes.sx[lane];
      py[i] = lanes.sy[lane];
      pz[i] = lanes.sz[lane];
      nx[i] = lanes.nx[lane];
      ny[i] = lanes.ny[lane];
      nz[i] = lanes.nz[lane];
      albedo[i] = lane_of[i] >= 0 && lanes.key[lane] >= 0
                      ? max2(max2(lanes.r[lane], lanes.g[lane]), lanes.b[lane])
                      : 0.0f;
      place[i] = lanes.slot[lane] & 15;
    }
    alignas(64) std::int32_t wanted[kLanes];
    for (int i = 0; i < kLanes; ++i) {
      const float e = irradiance(light, lx, ly, lz, px[i], py[i], pz[i], nx[i], ny[i], nz[i]);
      wanted[i] = e * albedo[i] * strongest > kInvisible ? 1 : 0;
    }
    std::uint32_t mask = 0;
    for (int i = 0; i < kLanes; ++i) mask |= static_cast<std::uint32_t>(wanted[i]) << i;
    int count[kLanes] = {};
    if (mask != 0) {
      const bool sun = light.kind == LightKind::sun;
      for (int i = 0; i < kLanes; ++i) {
        float x = lx - px[i], y = ly - py[i], z = lz - pz[i];
        if (sun) {
          x = -static_cast<float>(light.direction.x);
          y = -static_cast<float>(light.direction.y);
          z = -static_cast<float>(light.direction.z);
        }
        const float inv = 1.0f / std::sqrt(max2(x * x + y * y + z * z, 1e-12f));
        wx[i] = x * inv;
        wy[i] = y * inv;
        wz[i] = z * inv;
        float a[3], b[3];
        frame_across(wx[i], wy[i], wz[i], a, b);
        ax[i] = a[0] * light.radius;
        ay[i] = a[1] * light.radius;
        az[i] = a[2] * light.radius;
        bx[i] = b[0] * light.radius;
        by[i] = b[1] * light.radius;
        bz[i] = b[2] * light.radius;
      }
      for (int ray = 0; ray < rays; ++ray) {
        RTCRay16 r;
        const float* sx = samples.x.data() + ray * kLanes;
        const float* sy = samples.y.data() + ray * kLanes;
        for (int i = 0; i < kLanes; ++i) {
          const float u = sx[place[i]], v = sy[place[i]];
          const float ox = ax[i] * u + bx[i] * v, oy = ay[i] * u + by[i] * v,
                      oz = az[i] * u + bz[i] * v;
          // From the light, where neighbouring rays meet; a sun's come from the surface.
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
        for (int i = 0; i < kLanes; ++i) count[i] += static_cast<int>(lit >> i & 1u);
      }
    }
    for (int i = 0; i < kLanes; ++i) {
      if (lane_of[i] < 0) continue;
      const int value = (count[i] * 255 + rays / 2) / rays;
      visible[lane_of[i]] = static_cast<std::uint8_t>(wanted[i] != 0 ? value : 255);
    }
  }
  if (any_free && any_blocked) return kMixed;
  return any_free ? kAllFree : any_blocked ? kAllBlocked : kUntested;
}

ESI_INLINE BlockState ambient_rays(const Job& job, const Lanes& lanes, const std::int16_t* order,
                                   int packets, std::uint8_t* visible) {
  const AmbientSamples& samples = job.ambient_samples;
  const int rays = job.ambient_rays;
  bool any_free = false, any_blocked = false;
  for (int packet = 0; packet < packets; ++packet) {
    const std::int16_t* lane_of = order + packet * kLanes;
    F16 px, py, pz, nx, ny, nz, ax, ay, az, bx, by, bz;
    I16 place;
    std::uint32_t mask = 0;
    for (int i = 0; i < kLanes; ++i) {
      const int lane = lane_of[i] < 0 ? 0 : lane_of[i];
      px[i] = lanes.sx[lane];
      py[i] = lanes.sy[lane];
      pz[i] = lanes.sz[lane];
      nx[i] = lanes.nx[lane];
      ny[i] = lanes.ny[lane];
      nz[i] = lanes.nz[lane];
      place[i] = lanes.slot[lane] & 15;
      mask |= (lane_of[i] >= 0 && lanes.key[lane] >= 0 ? 1u : 0u) << i;
    }
    if (mask == 0) continue;
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
    int count[kLanes] = {};
    for (int ray = 0; ray < rays; ++ray) {
      RTCRay16 r;
      const int first = ray * kLanes;
      for (int i = 0; i < kLanes; ++i) {
        const float u = samples.x[first + place[i]], v = samples.y[first + place[i]],
                    w = samples.z[first + place[i]];
        r.org_x[i] = px[i];
        r.org_y[i] = py[i];
        r.org_z[i] = pz[i];
        r.dir_x[i] = ax[i] * u + bx[i] * v + nx[i] * w;
        r.dir_y[i] = ay[i] * u + by[i] * v + ny[i] * w;
        r.dir_z[i] = az[i] * u + bz[i] * v + nz[i] * w;
        r.tnear[i] = 0.0f;
        r.tfar[i] = samples.reach[first + place[i]];
      }
      const std::uint32_t open = free_lanes(job, mask, r, true);
      any_free |= open != 0;
      any_blocked |= open != mask;
      for (int i = 0; i < kLanes; ++i) count[i] += static_cast<int>(open >> i & 1u);
    }
    for (int i = 0; i < kLanes; ++i) {
      if (lane_of[i] < 0) continue;
      visible[lane_of[i]] = static_cast<std::uint8_t>((count[i] * 255 + rays / 2) / rays);
    }
  }
  if (any_free && any_blocked) return kMixed;
  return any_free ? kAllFree : any_blocked ? kAllBlocked : kUntested;
}

}  // namespace esi::picture
