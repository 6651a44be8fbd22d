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

struct Settled {
  double t;
  std::int32_t surface, face;
  double u, v;
  Vec3 normal;  // by the winding, unit
};

// Where the ray o + t d (coordinates relative to the origin) really meets what single precision
// says it meets.
inline Settled settle(const Job& job, int surface, int face, Vec3 o, Vec3 d, double near, double t,
                      double u, double v) {
  Settled s{t, surface, face, u, v, {}};
  const Surface& hit = job.surfaces[static_cast<std::size_t>(surface)];
  auto corners = hit.instance->triangle(face);
  const Vec3 a = corners[0] - job.origin;
  const Vec3 e1 = corners[1] - corners[0], e2 = corners[2] - corners[0];
  Vec3 n = cross(e1, e2);
  double area2 = dot(n, n);
  const double det = dot(n, d);
  bool doubtful = true;
  if (area2 > 0.0 && det * det > 1e-18 * area2 * dot(d, d)) {
    s.t = dot(n, a - o) / det;
    const Vec3 p = o + d * s.t - a;
    const double inv = 1.0 / area2;
    s.u = dot(cross(p, e2), n) * inv;
    s.v = dot(cross(e1, p), n) * inv;
    // Does the ray pass an edge closer than single precision may have misplaced it?
    const double least = std::min({s.u, s.v, 1.0 - s.u - s.v});
    const double longest2 = std::max({dot(e1, e1), dot(e2, e2), dot(e2 - e1, e2 - e1)});
    const double slack = 1e-6 * static_cast<double>(job.extent);
    doubtful = least <= 0.0 || least * least * area2 < slack * slack * longest2;
  }
  if (doubtful) {
    const Hit exact = closest_hit(*job.scene, Ray{o + job.origin, d, near, kInfinity});
    if (!exact) {
      s.surface = kNone;
      s.t = kInfinity;
      return s;
    }
    s.surface = exact.instance;
    s.face = exact.face;
    s.t = exact.t;
    s.u = exact.u;
    s.v = exact.v;
    corners = job.surfaces[static_cast<std::size_t>(s.surface)].instance->triangle(s.face);
    n = cross(corners[1] - corners[0], corners[2] - corners[0]);
    area2 = dot(n, n);
  }
  s.normal = area2 > 0.0 ? n * (1.0 / std::sqrt(area2)) : Vec3{};
  return s;
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
inline bool bounce(const Job& job, Path& p, const Settled& hit, bool color,
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
