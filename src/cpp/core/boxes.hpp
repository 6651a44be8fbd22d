// Boxes in pairs: axis-aligned and oriented ones, one pair at a time, and all pairs of many.
//
// Boxes are closed sets, never inverted. Tolerances are in metres.
#pragma once

#include <cstdint>
#include <vector>

#include "core/raw_vector.hpp"
#include "core/types.hpp"

namespace esi::boxes {

static_assert(sizeof(Box) == 6 * sizeof(double), "arrays (..., 2, 3) are read as boxes");

// The tight box of points, an empty one of none; scaled in their own frame, then posed.
Box around(Span<const Vec3> points);
Box around(Span<const Vec3> points, Vec3 scale, const Affine& pose);

// Signed gap per axis: metres apart where positive, overlap where negative.
inline Vec3 gap(const Box& a, const Box& b) { return max(b.lower - a.upper, a.lower - b.upper); }

inline double widest(Vec3 v) { return std::max({v.x, v.y, v.z}); }

inline bool overlap(const Box& a, const Box& b, double tolerance) {
  return widest(gap(a, b)) <= tolerance;
}

inline bool contact(const Box& a, const Box& b, double tolerance) {
  return std::abs(widest(gap(a, b))) <= tolerance;
}

double distance(const Box& a, const Box& b);

inline bool contains(const Box& outer, const Box& inner, double tolerance) {
  for (int k = 0; k < 3; ++k) {
    if (!(inner.lower[k] >= outer.lower[k] - tolerance)) return false;
    if (!(inner.upper[k] <= outer.upper[k] + tolerance)) return false;
  }
  return true;
}

double overlap_volume(const Box& a, const Box& b);
// Intersection over union of volumes (3 axes) or footprints (2); zero where the union has none.
double iou(const Box& a, const Box& b, int axes);
// The rule for stacks: the underside is at least `rise` above the other's, and the footprints
// overlap by at least `share`.
bool supports(const Box& lower, const Box& upper, double rise, double share);

// The smallest factor by which a box of size `interior` must grow so that one of size `size` goes
// in upright, turned about z as suits it best. An interior without extent admits what has none.
double fit_ratio(Vec3 size, Vec3 interior);

// ---- oriented boxes ---------------------------------------------------------------------------

struct Obb {
  Vec3 center;
  Vec3 axes[3];  // unit, where the box's own axes point
  Vec3 half;     // half extents

  // The quaternion (x, y, z, w) may have any length above zero.
  Obb(Vec3 center, const double* quaternion, Vec3 size);

  Vec3 corner(int index) const;  // bit k chooses the upper side of axis k
  bool contains(Vec3 p, double tolerance) const;
};

// Largest gap over the fifteen separating axes.
double separation(const Obb& a, const Obb& b);

// ---- all pairs --------------------------------------------------------------------------------

struct Pair {
  std::int64_t first, second;
};

// Pairs sorted by first, then second, by sweep and prune in strips. Exactly those that the
// functions above answer for, and the same for any number of threads.
RawVector<Pair> overlap_pairs(Span<const Box> boxes, double tolerance, int threads);
RawVector<Pair> overlap_pairs(Span<const Box> a, Span<const Box> b, double tolerance, int threads);
RawVector<Pair> containment_pairs(Span<const Box> outer, Span<const Box> inner, double tolerance,
                                  int threads);

}  // namespace esi::boxes
