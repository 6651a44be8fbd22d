// The exact meeting of a line and a triangle, in double precision.
#pragma once

#include <algorithm>

#include "core/types.hpp"

namespace esi {

struct TriangleHit {
  double t = 0;
  double u = 0, v = 0;  // weights of the second and third corner
};

// Twice the signed volume that a direction spans with two corners seen from the ray's origin: on
// which side of the edge the ray passes. Swapping the corners flips the sign exactly, so two
// triangles with a common edge never disagree about it and no ray slips between them.
inline double edge_side(Vec3 direction, Vec3 p, Vec3 q) { return dot(direction, cross(p, q)); }

// Whether the line meets the closed triangle; a line in the triangle's plane does not. Corners are
// relative to the origin of the line.
inline bool meets(Vec3 direction, Vec3 a, Vec3 b, Vec3 c, TriangleHit* hit) {
  const double wa = edge_side(direction, b, c);
  const double wb = edge_side(direction, c, a);
  const double wc = edge_side(direction, a, b);
  const bool inside = (wa >= 0 && wb >= 0 && wc >= 0) || (wa <= 0 && wb <= 0 && wc <= 0);
  const double sum = wa + wb + wc;
  if (!inside || sum == 0) return false;
  const Vec3 normal = cross(b - a, c - a);
  const double slope = dot(normal, direction);
  if (slope == 0) return false;
  // Where the plane is met, but never outside the stretch of the ray along the triangle: at grazing
  // angles the quotient alone can be far off.
  const double square = dot(direction, direction);
  const double ta = dot(a, direction), tb = dot(b, direction), tc = dot(c, direction);
  const double t = dot(normal, a) / slope;
  hit->t = std::clamp(t, std::min({ta, tb, tc}) / square, std::max({ta, tb, tc}) / square);
  hit->u = wb / sum;
  hit->v = wc / sum;
  return true;
}

}  // namespace esi
