// A ray's way through mirrors and glass, in double precision.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/raycast.hpp"
#include "core/render_job.hpp"
#include "core/render_surface.hpp"

namespace esi::picture {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A ray on its way through mirrors and glass. Coordinates are relative to Job::origin.
struct Path {
  Vec3 o, d;
  Vec3f weight{1.0f, 1.0f, 1.0f};
  double travelled = 0.0;
  double near = 0.0;
  std::int32_t surface = kNone, face = kNone;  // where it starts
  std::uint16_t slot = 0;
  std::uint8_t reflections = 0, refractions = 0;
  std::uint8_t through = 0;
  bool secondary = false;  // not the path of the pixel's ids
};

// What a path meets.
struct Meeting {
  double t;
  std::int32_t surface, face;
  double u, v;
  Vec3 normal;  // by the winding, unit
};

// The same for a packet; surface and face are those of its Hits.
struct Settled {
  D16 t, u, v, nx, ny, nz;

  Meeting lane(int i, const Hits& hits) const {
    return {t[i], hits.surface[i], hits.face[i], u[i], v[i], {nx[i], ny[i], nz[i]}};
  }
};

struct Lines {
  D16 ox, oy, oz, dx, dy, dz;
};

// The exact query, for a lane of which single precision cannot tell what it meets.
inline void settle_anew(const Job& job, const Lines& lines, double near, int i, Hits& hits,
                        Settled& out) {
  const Vec3 o{lines.ox[i], lines.oy[i], lines.oz[i]}, d{lines.dx[i], lines.dy[i], lines.dz[i]};
  // The way back from relative coordinates rounds; a camera stays where it was put.
  const Vec3 from = o == job.eye_d ? job.eye_world : o + job.origin;
  const Hit exact = closest_hit(*job.scene, Ray{from, d, near, kInfinity});
  out.t[i] = exact.t;
  out.u[i] = exact.u;
  out.v[i] = exact.v;
  Vec3 n{};
  if (exact) {
    const auto corners =
        job.surfaces[static_cast<std::size_t>(exact.instance)].instance->triangle(exact.face);
    n = normalized(cross(corners[1] - corners[0], corners[2] - corners[0]));
  }
  out.nx[i] = n.x;
  out.ny[i] = n.y;
  out.nz[i] = n.z;
  hits.surface[i] = exact ? exact.instance : kNone;
  hits.face[i] = exact.face;
  hits.t[i] = static_cast<float>(exact.t);
  hits.u[i] = static_cast<float>(exact.u);
  hits.v[i] = static_cast<float>(exact.v);
  hits.nx[i] = static_cast<float>(n.x);
  hits.ny[i] = static_cast<float>(n.y);
  hits.nz[i] = static_cast<float>(n.z);
}

// Where the lanes of `mask` (coordinates relative to Job::origin) really meet what single precision
// says they meet; where they pass an edge of it too close to tell, what the exact query finds.
// `whole`: not only the distance.
ESI_INLINE void settle(const Job& job, std::uint32_t mask, const Lines& lines, const D16& near,
                       bool whole, Hits& hits, Settled& out) {
  D16 ax, ay, az, bx, by, bz, cx, cy, cz;
  const Vec3 nowhere[1] = {};
  const std::int32_t none[3] = {};
  for (int i = 0; i < kLanes; ++i) {
    const bool found = hits.surface[i] != kNone;
    const Surface* s = job.surfaces.data() + (found ? hits.surface[i] : 0);
    const Vec3* vertices = found ? s->vertices : nowhere;
    const std::int32_t* face =
        found ? s->faces + 3 * static_cast<std::ptrdiff_t>(hits.face[i]) : none;
    const Vec3 &a = vertices[face[0]], &b = vertices[face[1]], &c = vertices[face[2]];
    ax[i] = a.x;
    ay[i] = a.y;
    az[i] = a.z;
    bx[i] = b.x;
    by[i] = b.y;
    bz[i] = b.z;
    cx[i] = c.x;
    cy[i] = c.y;
    cz[i] = c.z;
  }
  const double slack = 1e-6 * static_cast<double>(job.extent), slack2 = slack * slack;
  alignas(64) std::int64_t doubtful[kLanes];
  for (int i = 0; i < kLanes; ++i) {
    const double px = bx[i] - ax[i], py = by[i] - ay[i], pz = bz[i] - az[i];
    const double qx = cx[i] - ax[i], qy = cy[i] - ay[i], qz = cz[i] - az[i];
    const double nx = py * qz - pz * qy, ny = pz * qx - px * qz, nz = px * qy - py * qx;
    const double area2 = nx * nx + ny * ny + nz * nz;
    const double dx = lines.dx[i], dy = lines.dy[i], dz = lines.dz[i];
    const double det = nx * dx + ny * dy + nz * dz;
    // From the first corner to where the line starts.
    const double ox = lines.ox[i] - (ax[i] - job.origin.x),
                 oy = lines.oy[i] - (ay[i] - job.origin.y),
                 oz = lines.oz[i] - (az[i] - job.origin.z);
    const double t = -(nx * ox + ny * oy + nz * oz) / det;
    const double rx = ox + dx * t, ry = oy + dy * t, rz = oz + dz * t;
    // Weights of the corners, times the square of twice the area.
    const double u = (ry * qz - rz * qy) * nx + (rz * qx - rx * qz) * ny + (rx * qy - ry * qx) * nz;
    const double v = (py * rz - pz * ry) * nx + (pz * rx - px * rz) * ny + (px * ry - py * rx) * nz;
    const double least = min2(min2(u, v), area2 - u - v);
    const double ex = qx - px, ey = qy - py, ez = qz - pz;
    const double longest2 = max2(max2(px * px + py * py + pz * pz, qx * qx + qy * qy + qz * qz),
                                 ex * ex + ey * ey + ez * ez);
    const double d2 = dx * dx + dy * dy + dz * dz, after = t - near[i];
    // Does the line pass the edges, and meet the triangle after its start, by more than what single
    // precision may have misplaced it by?
    // Written so that a NaN, from a triangle without area or along the line, is not sure.
    const bool sure = (det * det > 1e-18 * area2 * d2) & (least > 0.0) &
                      (least * least >= slack2 * longest2 * area2) & (after > 0.0) &
                      (after * after * d2 >= slack2);
    doubtful[i] = sure ? 0 : 1;
    out.t[i] = t;
    out.u[i] = u;
    out.v[i] = v;
    out.nx[i] = nx;
    out.ny[i] = ny;
    out.nz[i] = nz;
  }
  if (whole) {
    for (int i = 0; i < kLanes; ++i) {
      const double area2 = out.nx[i] * out.nx[i] + out.ny[i] * out.ny[i] + out.nz[i] * out.nz[i];
      const double inv = 1.0 / area2, size = 1.0 / std::sqrt(area2);
      out.u[i] *= inv;
      out.v[i] *= inv;
      out.nx[i] *= size;
      out.ny[i] *= size;
      out.nz[i] *= size;
    }
  }
  for (int i = 0; i < kLanes; ++i) {
    if ((mask >> i & 1u) == 0) continue;
    if (hits.surface[i] == kNone) {
      out.t[i] = kInfinity;
    } else if (doubtful[i] != 0) {
      settle_anew(job, lines, near[i], i, hits, out);
    }
  }
}

inline Vec3f sky(const Job& job, Vec3 d) {
  const double length = norm(d);
  const auto up = static_cast<float>(d.z / length);
  const Vec3f& a = job.options.background;
  if (up >= 0.0f) return a + (job.options.zenith - a) * smooth01(up * 1.4f);
  return a * (1.0f - 0.45f * smooth01(-up * 3.0f));
}

inline Vec3f times(Vec3f a, Vec3f b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

// Share of unpolarised light that a smooth dielectric reflects; `eta` is the ratio of the indices
// behind and before. `cos_t` receives the cosine behind, 0 for total reflection.
inline double fresnel(double cos_i, double eta, double& cos_t) {
  const double sin2 = (1.0 - cos_i * cos_i) / (eta * eta);
  if (sin2 >= 1.0) {
    cos_t = 0.0;
    return 1.0;
  }
  cos_t = std::sqrt(1.0 - sin2);
  const double rs = (cos_i - eta * cos_t) / (cos_i + eta * cos_t);
  const double rp = (eta * cos_i - cos_t) / (eta * cos_i + cos_t);
  return 0.5 * (rs * rs + rp * rp);
}

inline Vec3 reflect(Vec3 d, Vec3 n) { return d - n * (2.0 * dot(d, n)); }

// Sends the path on from a mirror or glass; false where it has to end. Glass splits once: the
// weaker part, without say in the ids, goes to `queue`.
inline bool bounce(const Job& job, Path& p, const Meeting& hit, bool color,
                   std::vector<Path>& queue) {
  const Surface& s = job.surfaces[static_cast<std::size_t>(hit.surface)];
  const Material& m = s.material;
  const double length = norm(p.d);
  const double facing = dot(hit.normal, p.d);
  const Vec3 geometric = facing > 0.0 ? -hit.normal : hit.normal;
  Vec3 n = geometric;
  if (s.normals != nullptr) {
    const auto point = static_cast<Vec3f>(p.o + p.d * hit.t);
    Vec3f smooth, lifted;
    smooth_point(job, s, hit.face, static_cast<float>(hit.u), static_cast<float>(hit.v),
                 static_cast<Vec3f>(geometric), point, smooth, lifted);
    const auto candidate = static_cast<Vec3>(smooth);
    if (dot(candidate, p.d) < 0.0) n = candidate;
  }
  const Vec3 point = p.o + p.d * hit.t;
  const double cos_g = std::max(std::fabs(facing) / length, 1e-3);
  Path on = p;
  on.o = point;
  on.travelled += hit.t;
  on.surface = hit.surface;
  on.face = hit.face;
  // Far enough to leave the surface behind for certain, in units of the (unchanged) length of d.
  on.near = static_cast<double>(job.offset) / (cos_g * length);
  if (m.kind == MaterialKind::mirror) {
    if (p.reflections >= job.options.mirror_depth) return false;
    Vec3 d = reflect(p.d, n);
    if (dot(d, geometric) <= 0.0) d = reflect(p.d, geometric);
    on.d = d;
    on.weight = times(p.weight, m.tint);
    on.reflections = static_cast<std::uint8_t>(p.reflections + 1);
    on.through = static_cast<std::uint8_t>(p.through | kThroughMirror);
    p = on;
    return true;
  }
  if (p.reflections + p.refractions >= 2 * job.options.mirror_depth + 4) return false;
  const bool entering = facing < 0.0;
  const double eta = entering ? static_cast<double>(m.ior) : 1.0 / static_cast<double>(m.ior);
  const Vec3 unit = p.d * (1.0 / length);
  const double cos_i = std::min(1.0, std::max(0.0, -dot(unit, n)));
  double cos_t = 0.0;
  const double share = fresnel(cos_i, eta, cos_t);
  on.through = static_cast<std::uint8_t>(p.through | kThroughGlass);
  Path reflected = on, refracted = on;
  reflected.d = reflect(p.d, n);
  if (dot(reflected.d, geometric) <= 0.0) reflected.d = reflect(p.d, geometric);
  reflected.reflections = static_cast<std::uint8_t>(p.reflections + 1);
  Vec3 bent = unit * (1.0 / eta) + n * (cos_i / eta - cos_t);
  if (dot(bent, geometric) >= 0.0) bent = unit;
  refracted.d = bent * length;
  refracted.refractions = static_cast<std::uint8_t>(p.refractions + 1);
  refracted.weight = times(p.weight, m.tint);
  const bool mainly_reflected = share > 0.5;
  const bool split = color && !p.secondary && p.refractions == 0 && share > 1e-4 && share < 1.0;
  if (split) {
    reflected.weight *= static_cast<float>(share);
    refracted.weight *= static_cast<float>(1.0 - share);
    Path& weaker = mainly_reflected ? refracted : reflected;
    weaker.secondary = true;
    queue.push_back(weaker);
    weaker.secondary = false;
  }
  p = mainly_reflected ? reflected : refracted;
  p.secondary = on.secondary;
  return true;
}

}  // namespace esi::picture
