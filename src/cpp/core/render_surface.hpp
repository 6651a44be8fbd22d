// From a packet of hits to what shading needs: positions, normals, textured colours.
#pragma once

#include <cmath>

#include "core/render_job.hpp"

namespace esi::picture {

struct Hits {
  I16 surface, face;  // surface kNone where nothing was hit
  F16 u, v, t;
  F16 nx, ny, nz;  // by the winding, of any length
};

struct Rays {
  F16 ox, oy, oz, dx, dy, dz;
  F16 travelled;  // ray parameter used up before the origin, for the footprint
};

struct Shaded {
  F16 px, py, pz;  // the point
  F16 sx, sy, sz;  // where its shadow rays start
  F16 gx, gy, gz;  // geometric normal towards the viewer, unit
  F16 nx, ny, nz;  // shading normal
  F16 r, g, b;     // colour
};

ESI_INLINE Vec3f apply3(const float* rows, Vec3f d) {
  return {rows[0] * d.x + rows[1] * d.y + rows[2] * d.z,
          rows[3] * d.x + rows[4] * d.y + rows[5] * d.z,
          rows[6] * d.x + rows[7] * d.y + rows[8] * d.z};
}

ESI_INLINE Vec3f corner_normal(const Surface& s, int face, int corner) {
  const Vec3f w = apply3(
      s.normal_map, static_cast<Vec3f>(s.normals[3 * static_cast<std::ptrdiff_t>(face) + corner]));
  const float length = std::sqrt(dot(w, w));
  return length > 0.0f ? w * (1.0f / length) : Vec3f{};
}

// The interpolated normal on the side of `geometric`, and the point lifted from the facet to the
// curved surface it stands for (Hanika, Ray Tracing Gems II, chapter 4): shadow rays from there do
// not meet neighbouring facets, so that rounded shapes show no facetted shadow line.
ESI_INLINE void smooth_point(const Job& job, const Surface& s, int face, float u, float v,
                             Vec3f geometric, Vec3f point, Vec3f& normal, Vec3f& lifted) {
  const float weights[3] = {1.0f - u - v, u, v};
  const auto corners = s.instance->triangle(face);
  Vec3f n{}, lift{};
  for (int k = 0; k < 3; ++k) {
    Vec3f nk = corner_normal(s, face, k);
    if (dot(nk, geometric) < 0.0f) nk = -nk;
    const Vec3f corner = static_cast<Vec3f>(corners[static_cast<std::size_t>(k)] - job.origin);
    const float below = min2(0.0f, dot(point - corner, nk));
    n += nk * weights[k];
    lift += nk * (-below * weights[k]);
  }
  const float length = std::sqrt(dot(n, n));
  normal = length > 1e-3f ? n * (1.0f / length) : geometric;
  lifted = point + lift;
}

// Length in uv per metre on a face, for choosing an image level.
inline float uv_per_metre(const Surface& s, int face) {
  const auto t = s.instance->triangle(face);
  const double area = norm(cross(t[1] - t[0], t[2] - t[0]));
  const double* w = s.uv + 6 * static_cast<std::ptrdiff_t>(face);
  const double uv_area = std::fabs((w[2] - w[0]) * (w[5] - w[1]) - (w[4] - w[0]) * (w[3] - w[1]));
  return area > 0.0 ? static_cast<float>(std::sqrt(uv_area / area)) : 0.0f;
}

inline void image_color(const Surface& s, const TexturePoints& p, int lane, int face, float u,
                        float v, float rgb[3]) {
  const ImageTexture& image = *s.material.image;
  if (s.uv != nullptr) {
    const double* w = s.uv + 6 * static_cast<std::ptrdiff_t>(face);
    const double a = 1.0 - u - v;
    image.sample(static_cast<float>(a * w[0] + u * w[2] + v * w[4]),
                 static_cast<float>(a * w[1] + u * w[3] + v * w[5]),
                 uv_per_metre(s, face) * p.footprint[lane], rgb);
    return;
  }
  float mu, mv;
  box_map(p, lane, mu, mv);
  const float aspect = static_cast<float>(image.width()) / static_cast<float>(image.height());
  const float inv = 1.0f / s.material.scale;
  image.sample(mu * inv, mv * inv * aspect, p.footprint[lane] * inv, rgb);
}

// Triangles are far apart in memory; asking for a packet's long before they are needed hides the
// wait. First the indices, and once those are there the corners.
ESI_INLINE void prefetch_faces(const Job& job, const Hits& hits) {
#if defined(__GNUC__)
  for (int i = 0; i < kLanes; ++i) {
    if (hits.surface[i] == kNone) continue;
    const Surface& s = job.surfaces[static_cast<std::size_t>(hits.surface[i])];
    __builtin_prefetch(s.faces + 3 * static_cast<std::ptrdiff_t>(hits.face[i]));
  }
#endif
}

ESI_INLINE void prefetch_corners(const Job& job, const Hits& hits) {
#if defined(__GNUC__)
  for (int i = 0; i < kLanes; ++i) {
    if (hits.surface[i] == kNone) continue;
    const Surface& s = job.surfaces[static_cast<std::size_t>(hits.surface[i])];
    const std::int32_t* face = s.faces + 3 * static_cast<std::ptrdiff_t>(hits.face[i]);
    for (int k = 0; k < 3; ++k) __builtin_prefetch(s.vertices + face[k]);
  }
#endif
}

// `pixel` is the width of a sample at ray parameter 1.
ESI_INLINE void shade_packet(const Job& job, std::uint32_t mask, const Rays& rays, const Hits& hits,
                             float pixel, Shaded& out) {
  for (int i = 0; i < kLanes; ++i) {
    out.px[i] = rays.ox[i] + hits.t[i] * rays.dx[i];
    out.py[i] = rays.oy[i] + hits.t[i] * rays.dy[i];
    out.pz[i] = rays.oz[i] + hits.t[i] * rays.dz[i];
    const float length2 =
        hits.nx[i] * hits.nx[i] + hits.ny[i] * hits.ny[i] + hits.nz[i] * hits.nz[i];
    const float side = hits.nx[i] * rays.dx[i] + hits.ny[i] * rays.dy[i] + hits.nz[i] * rays.dz[i];
    const float inv = (side > 0.0f ? -1.0f : 1.0f) / std::sqrt(max2(length2, 1e-37f));
    out.gx[i] = hits.nx[i] * inv;
    out.gy[i] = hits.ny[i] * inv;
    out.gz[i] = hits.nz[i] * inv;
    out.nx[i] = out.gx[i];
    out.ny[i] = out.gy[i];
    out.nz[i] = out.gz[i];
    out.sx[i] = out.px[i] + job.offset * out.gx[i];
    out.sy[i] = out.py[i] + job.offset * out.gy[i];
    out.sz[i] = out.pz[i] + job.offset * out.gz[i];
    out.r[i] = out.g[i] = out.b[i] = 0.0f;
  }
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int i = __builtin_ctz(rest);
    const Surface& s = job.surfaces[static_cast<std::size_t>(hits.surface[i])];
    if (s.normals == nullptr) continue;
    Vec3f n, start;
    const Vec3f g{out.gx[i], out.gy[i], out.gz[i]};
    smooth_point(job, s, hits.face[i], hits.u[i], hits.v[i], g, {out.px[i], out.py[i], out.pz[i]},
                 n, start);
    start += g * job.offset;
    out.nx[i] = n.x;
    out.ny[i] = n.y;
    out.nz[i] = n.z;
    out.sx[i] = start.x;
    out.sy[i] = start.y;
    out.sz[i] = start.z;
  }
  // One pass per distinct surface, all lanes at once.
  for (std::uint32_t rest = mask; rest != 0;) {
    const int si = hits.surface[__builtin_ctz(rest)];
    const Surface& s = job.surfaces[static_cast<std::size_t>(si)];
    std::uint32_t here = 0;
    for (int i = 0; i < kLanes; ++i) {
      here |= (hits.surface[i] == si ? 1u : 0u) << i;
    }
    here &= rest;
    rest &= ~here;
    const Material& m = s.material;
    if (m.texture == TextureKind::none) {
      for (int i = 0; i < kLanes; ++i) {
        const bool mine = hits.surface[i] == si;
        out.r[i] = mine ? m.color.x : out.r[i];
        out.g[i] = mine ? m.color.y : out.g[i];
        out.b[i] = mine ? m.color.z : out.b[i];
      }
      continue;
    }
    TexturePoints p;
    const float* w = s.metric;
    for (int i = 0; i < kLanes; ++i) {
      p.x[i] = w[0] * out.px[i] + w[1] * out.py[i] + w[2] * out.pz[i] + w[3];
      p.y[i] = w[4] * out.px[i] + w[5] * out.py[i] + w[6] * out.pz[i] + w[7];
      p.z[i] = w[8] * out.px[i] + w[9] * out.py[i] + w[10] * out.pz[i] + w[11];
      p.nx[i] = w[0] * out.gx[i] + w[1] * out.gy[i] + w[2] * out.gz[i];
      p.ny[i] = w[4] * out.gx[i] + w[5] * out.gy[i] + w[6] * out.gz[i];
      p.nz[i] = w[8] * out.gx[i] + w[9] * out.gy[i] + w[10] * out.gz[i];
      // A slanted surface covers more per pixel; half way between its two extents.
      const float along =
          -(out.gx[i] * rays.dx[i] + out.gy[i] * rays.dy[i] + out.gz[i] * rays.dz[i]);
      const float length2 =
          rays.dx[i] * rays.dx[i] + rays.dy[i] * rays.dy[i] + rays.dz[i] * rays.dz[i];
      const float cosine = max2(along / std::sqrt(length2), 0.05f);
      p.footprint[i] = pixel * (rays.travelled[i] + hits.t[i]) / std::sqrt(cosine);
    }
    if (m.texture == TextureKind::image) {
      for (std::uint32_t lanes = here; lanes != 0; lanes &= lanes - 1) {
        const int i = __builtin_ctz(lanes);
        float rgb[3];
        image_color(s, p, i, hits.face[i], hits.u[i], hits.v[i], rgb);
        out.r[i] = rgb[0] * m.color.x;
        out.g[i] = rgb[1] * m.color.y;
        out.b[i] = rgb[2] * m.color.z;
      }
      continue;
    }
    TextureValue value;
    evaluate_texture(m.texture, m.scale, s.grain, p, value);
    for (int i = 0; i < kLanes; ++i) {
      const bool mine = hits.surface[i] == si;
      const float t = value.second[i], k = value.bright[i];
      out.r[i] = mine ? k * mix(m.color.x, m.second.x, t) : out.r[i];
      out.g[i] = mine ? k * mix(m.color.y, m.second.y, t) : out.g[i];
      out.b[i] = mine ? k * mix(m.color.z, m.second.z, t) : out.b[i];
    }
  }
}

}  // namespace esi::picture
