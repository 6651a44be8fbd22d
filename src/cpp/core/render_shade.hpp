// Light on packets of points: lights, highlights, ambient light.
#pragma once

#include <cmath>

#include "core/render_job.hpp"
#include "core/render_light.hpp"

namespace esi::picture {

// What 16 points need for shading, wherever it comes from.
struct Points {
  F16 px, py, pz, nx, ny, nz, r, g, b, vx, vy, vz;
  F16 count;  // how many camera samples they stand for
  I16 key;
};

// `visible`: one packet per light in [0, 1], ambient last when it is sampled.
ESI_INLINE void shade(const Job& job, const Points& p, const F16* visible, F16 out[3]) {
  F16 gloss;
  bool glossy = false;
  if (job.any_gloss) {
    for (int i = 0; i < kLanes; ++i) {
      gloss[i] = p.key[i] >= 0
                     ? job.surfaces[static_cast<std::size_t>(surface_of(p.key[i]))].material.gloss
                     : 0.0f;
      glossy |= gloss[i] > 0.0f;
    }
  }
  const Vec3f& ambient = job.options.ambient;
  const bool occlusion = job.options.ao_samples > 0;
  const F16& open = visible[job.lights.size()];
  F16 er, eg, eb, hr, hg, hb;
  for (int i = 0; i < kLanes; ++i) {
    float e = mix(job.options.ground, 1.0f, 0.5f + 0.5f * p.nz[i]);
    if (occlusion) e *= kBounce + (1.0f - kBounce) * open[i];
    er[i] = ambient.x * e;
    eg[i] = ambient.y * e;
    eb[i] = ambient.z * e;
    hr[i] = hg[i] = hb[i] = 0.0f;
  }
  for (std::size_t l = 0; l < job.lights.size(); ++l) {
    const Light& light = job.lights[l];
    const auto lx = static_cast<float>(light.position.x), ly = static_cast<float>(light.position.y),
               lz = static_cast<float>(light.position.z);
    F16 e;
    for (int i = 0; i < kLanes; ++i) {
      e[i] = visible[l][i] *
             irradiance(light, lx, ly, lz, p.px[i], p.py[i], p.pz[i], p.nx[i], p.ny[i], p.nz[i]);
      er[i] += e[i] * light.color.x;
      eg[i] += e[i] * light.color.y;
      eb[i] += e[i] * light.color.z;
    }
    if (!glossy) continue;
    const bool sun = light.kind == LightKind::sun;
    for (int i = 0; i < kLanes; ++i) {
      float x = lx - p.px[i], y = ly - p.py[i], z = lz - p.pz[i];
      if (sun) {
        x = -static_cast<float>(light.direction.x);
        y = -static_cast<float>(light.direction.y);
        z = -static_cast<float>(light.direction.z);
      }
      const float inv = 1.0f / std::sqrt(max2(x * x + y * y + z * z, 1e-12f));
      const float size = min2(sun ? light.radius : light.radius * inv, 1.0f);
      const float h = e[i] * highlight(gloss[i], size, p.nx[i], p.ny[i], p.nz[i], x * inv, y * inv,
                                       z * inv, p.vx[i], p.vy[i], p.vz[i]);
      hr[i] += h * light.color.x;
      hg[i] += h * light.color.y;
      hb[i] += h * light.color.z;
    }
  }
  for (int i = 0; i < kLanes; ++i) {
    out[0][i] = p.r[i] * er[i] + p.count[i] * hr[i];
    out[1][i] = p.g[i] * eg[i] + p.count[i] * hg[i];
    out[2][i] = p.b[i] * eb[i] + p.count[i] * hb[i];
  }
}

}  // namespace esi::picture
