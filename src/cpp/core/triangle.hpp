// The exact meeting of a line and a triangle, in double precision.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/types.hpp"

namespace esi {

struct TriangleHit {
  double t = 0;
  double u = 0, v = 0;  // weights of the second and third corner
};

namespace detail {

struct Point2 {
  double x, y;
};

// p.x * q.y - q.x * p.y: its sign is that of the exact value, and swapping p and q flips it.
inline double signed_area(Point2 p, Point2 q) {
  const double a = p.x * q.y, b = q.x * p.y;
  // Rounding keeps order, so only equal products need a look at what was rounded away.
  if (a != b) return a - b;
  return std::fma(p.x, q.y, -a) - std::fma(q.x, p.y, -b);
}

}  // namespace detail

// Whether the line meets the closed triangle; a line in the triangle's plane does not.
//
// The corners are looked at along the line, each rounded once and alike for every triangle that
// shares it, and the side on which the line passes each edge is then exact (after Woop, Benthin and
// Wald 2013, with exact signs). So triangles with common corners leave no gap, at any angle.
inline bool meets(Vec3 origin, Vec3 direction, Vec3 a, Vec3 b, Vec3 c, TriangleHit* hit) {
  const Vec3 size{std::abs(direction.x), std::abs(direction.y), std::abs(direction.z)};
  const int z = size.x > size.y ? (size.x > size.z ? 0 : 2) : (size.y > size.z ? 1 : 2);
  const int x = (z + 1) % 3, y = (z + 2) % 3;
  const double shear_x = direction[x] / direction[z], shear_y = direction[y] / direction[z];
  const auto along_line = [&](Vec3 corner) {
    const Vec3 p = corner - origin;
    return detail::Point2{p[x] - shear_x * p[z], p[y] - shear_y * p[z]};
  };
  const detail::Point2 pa = along_line(a), pb = along_line(b), pc = along_line(c);
  const double wa = detail::signed_area(pb, pc);
  const double wb = detail::signed_area(pc, pa);
  const double wc = detail::signed_area(pa, pb);
  const bool inside = (wa >= 0 && wb >= 0 && wc >= 0) || (wa <= 0 && wb <= 0 && wc <= 0);
  const double sum = wa + wb + wc;
  if (!inside || sum == 0) return false;
  const Vec3 normal = cross(b - a, c - a);
  const double slope = dot(normal, direction);
  if (slope == 0) return false;
  // Where the plane is met, but never outside the stretch of the ray along the triangle: at grazing
  // angles the quotient alone can be far off.
  const double square = dot(direction, direction);
  const double ta = dot(a - origin, direction), tb = dot(b - origin, direction),
               tc = dot(c - origin, direction);
  const double t = dot(normal, a - origin) / slope;
  hit->t = std::clamp(t, std::min({ta, tb, tc}) / square, std::max({ta, tb, tc}) / square);
  hit->u = wb / sum;
  hit->v = wc / sum;
  return true;
}

}  // namespace esi
