// The exact meeting of a line and a triangle, in double precision.
#pragma once

#include <algorithm>
#include <array>
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

// Square of the sine of an angle below which a quotient may lose more than three digits.
constexpr double grazing = 1e-6;

// The stretch of a line through a triangle that it almost lies in. The corners are seen along the
// line, as points of about one other line, and `along` is how far along each is; the line itself is
// the origin, which two of the edges pass.
inline void chord(const std::array<Point2, 3>& seen, const double (&along)[3], double* first,
                  double* last) {
  double c[3], low[2], high[2];
  for (int axis = 0; axis < 2; ++axis) {
    for (int k = 0; k < 3; ++k) c[k] = axis == 0 ? seen[k].x : seen[k].y;
    low[axis] = std::min({c[0], c[1], c[2]});
    high[axis] = std::max({c[0], c[1], c[2]});
  }
  const bool wide = high[0] - low[0] >= high[1] - low[1];
  for (int k = 0; k < 3; ++k) c[k] = wide ? seen[k].x : seen[k].y;
  double from = *last, to = *first;
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    if ((c[k] < 0) == (c[next] < 0) && c[k] != 0 && c[next] != 0) continue;
    const double share = c[k] == c[next] ? 0.0 : c[k] / (c[k] - c[next]);
    const double at = along[k] + (along[next] - along[k]) * share;
    from = std::min(from, at);
    to = std::max(to, at);
  }
  if (from > to) return;
  *first = from;
  *last = to;
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
  const double along[3] = {dot(a - origin, direction), dot(b - origin, direction),
                           dot(c - origin, direction)};
  double first = std::min({along[0], along[1], along[2]});
  double last = std::max({along[0], along[1], along[2]});
  if (slope * slope < detail::grazing * dot(normal, normal) * square) {
    detail::chord({pa, pb, pc}, along, &first, &last);
  }
  const double t = dot(normal, a - origin) / slope;
  hit->t = std::clamp(t, first / square, last / square);
  hit->u = wb / sum;
  hit->v = wc / sum;
  return true;
}

}  // namespace esi
