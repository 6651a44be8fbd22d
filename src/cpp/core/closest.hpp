// Closest points of points, segments and triangles, in double precision.
//
// Every result is a point *of* the primitive (a convex combination of its corners), so a distance
// is never reported smaller than it is. Degenerate triangles behave as the segments or the point
// that they are.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/types.hpp"

namespace esi {

struct Triangle {
  Vec3 a, b, c;

  Vec3 operator[](int i) const { return i == 0 ? a : i == 1 ? b : c; }
  Vec3 normal() const { return cross(b - a, c - a); }
  Box box() const {
    Box out;
    out.extend(a);
    out.extend(b);
    out.extend(c);
    return out;
  }
};

inline double squared_distance(Vec3 a, Vec3 b) { return dot(a - b, a - b); }

inline Vec3 closest_on_segment(Vec3 p, Vec3 a, Vec3 b) {
  const Vec3 d = b - a;
  const double length = dot(d, d);
  if (!(length > 0.0)) return a;
  const double t = dot(p - a, d) / length;
  if (t <= 0.0) return a;
  if (t >= 1.0) return b;
  return a + d * t;
}

inline Vec3 closest_on_edges(Vec3 p, const Triangle& t) {
  Vec3 best = closest_on_segment(p, t.a, t.b);
  double least = squared_distance(p, best);
  for (int k = 1; k < 3; ++k) {
    const Vec3 q = closest_on_segment(p, t[k], t[(k + 1) % 3]);
    const double d = squared_distance(p, q);
    if (d < least) {
      least = d;
      best = q;
    }
  }
  return best;
}

// Below this ratio of (twice the area) to (longest edge squared) the rounding of a triangle's
// normal, which is 1e-16 over the ratio, begins to tell.
constexpr double needle_ratio = 0.03;

// The closest point of a needle, whose normal is mostly rounding: along the longest edge and across
// it, which both keep their precision. Its edges are asked as well.
inline Vec3 closest_on_needle(Vec3 p, const Triangle& t) {
  const Vec3 best = closest_on_edges(p, t);
  double longest = -1.0;
  int k = 0;
  for (int i = 0; i < 3; ++i) {
    const double d = squared_distance(t[i], t[(i + 1) % 3]);
    if (d > longest) {
      longest = d;
      k = i;
    }
  }
  const Vec3 a = t[k], along = t[(k + 1) % 3] - a, side = t[(k + 2) % 3] - a, way = p - a;
  const auto across = [&](Vec3 v) { return v - along * (dot(v, along) / longest); };
  const Vec3 height = across(side);
  const double hh = dot(height, height);
  if (!(hh > 0.0)) return best;
  const double apex = dot(across(way), height) / hh;
  const double end = dot(way - side * apex, along) / longest;
  if (!(apex >= 0.0 && end >= 0.0 && apex + end <= 1.0)) return best;
  const Vec3 inside = a + along * end + side * apex;
  return squared_distance(p, best) < squared_distance(p, inside) ? best : inside;
}

inline Vec3 closest_on_triangle(Vec3 p, const Triangle& t) {
  const Vec3 ab = t.b - t.a, ac = t.c - t.a, bc = t.c - t.b;
  const Vec3 n = cross(ab, ac);
  const double nn = dot(n, n);
  const double longest = std::max({dot(ab, ab), dot(ac, ac), dot(bc, bc)});
  if (!(nn > needle_ratio * needle_ratio * longest * longest)) return closest_on_needle(p, t);
  // Weights of the projection of p, each the signed area opposite a corner.
  const double wa = dot(n, cross(bc, p - t.b));
  const double wb = dot(n, cross(t.a - t.c, p - t.c));
  const double wc = dot(n, cross(ab, p - t.a));
  if (!(wa >= 0.0 && wb >= 0.0 && wc >= 0.0)) return closest_on_edges(p, t);
  const double sum = wa + wb + wc;
  return t.a + ab * (wb / sum) + ac * (wc / sum);
}

struct PointPair {
  double squared = std::numeric_limits<double>::infinity();
  Vec3 a, b;

  void take(Vec3 p, Vec3 q) {
    const double d = squared_distance(p, q);
    if (d < squared) {
      squared = d;
      a = p;
      b = q;
    }
  }
};

// Offers the pair of closest points of two segments where both lie strictly inside; the other
// cases are closest points of an end and a segment, which callers offer by themselves.
inline void offer_crossing(PointPair& best, Vec3 p0, Vec3 p1, Vec3 q0, Vec3 q1) {
  const Vec3 u = p1 - p0, v = q1 - q0, w = q0 - p0;
  const Vec3 n = cross(u, v);
  const double det = dot(n, n);
  if (!(det > 0.0)) return;
  // By cross products: the usual quotients of dot products lose the angle of nearly parallel
  // segments twice over.
  const double s = dot(cross(w, v), n) / det;
  const double t = dot(cross(w, u), n) / det;
  if (!(s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0)) return;
  // One exact projection each way removes what nearly parallel segments lose in `det`.
  const Vec3 p = closest_on_segment(q0 + v * t, p0, p1);
  best.take(p, closest_on_segment(p, q0, q1));
}

// Offers a pair at distance (almost) zero where the segment pierces the triangle.
inline void offer_piercing(PointPair& best, Vec3 p, Vec3 q, const Triangle& t, bool swapped) {
  const Vec3 n = t.normal();
  const double above = dot(n, p - t.a), below = dot(n, q - t.a);
  if ((above > 0.0) == (below > 0.0) || above == below) return;
  const Vec3 hit = p + (q - p) * (above / (above - below));
  const Vec3 on = closest_on_triangle(hit, t);
  if (swapped) {
    best.take(on, hit);
  } else {
    best.take(hit, on);
  }
}

// Closest points of the segment (a) and the triangle (b).
inline PointPair closest_segment_triangle(Vec3 p, Vec3 q, const Triangle& t) {
  PointPair best;
  offer_piercing(best, p, q, t, false);
  best.take(p, closest_on_triangle(p, t));
  best.take(q, closest_on_triangle(q, t));
  for (int k = 0; k < 3; ++k) {
    best.take(closest_on_segment(t[k], p, q), t[k]);
    offer_crossing(best, p, q, t[k], t[(k + 1) % 3]);
  }
  return best;
}

// Closest points of two triangles; the distance is zero where they meet.
inline PointPair closest_triangles(const Triangle& s, const Triangle& t) {
  PointPair best;
  for (int i = 0; i < 3; ++i) {
    best.take(s[i], closest_on_triangle(s[i], t));
    best.take(closest_on_triangle(t[i], s), t[i]);
    offer_piercing(best, s[i], s[(i + 1) % 3], t, false);
    offer_piercing(best, t[i], t[(i + 1) % 3], s, true);
    for (int j = 0; j < 3; ++j) {
      offer_crossing(best, s[i], s[(i + 1) % 3], t[j], t[(j + 1) % 3]);
    }
  }
  return best;
}

inline double squared_distance(const Box& box, Vec3 p) {
  const Vec3 d = max(max(box.lower - p, p - box.upper), Vec3{});
  return dot(d, d);
}

inline double squared_distance(const Box& a, const Box& b) {
  const Vec3 d = max(max(a.lower - b.upper, b.lower - a.upper), Vec3{});
  return dot(d, d);
}

}  // namespace esi
