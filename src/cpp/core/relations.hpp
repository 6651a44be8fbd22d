// Relations among points: in a line, kind of triangle, nearest, left to right, turns.
#pragma once

#include <cstdint>

#include "core/types.hpp"

namespace esi::relations {

// The numbers are those of the Python enumerations of the same names.
enum class Status : std::uint8_t { ok = 0, tie = 1, degenerate = 2, not_in_front = 3 };
enum class TriangleKind : std::uint8_t { undecided = 0, equilateral, isosceles, scalene };
enum class Turn : std::uint8_t { undecided = 0, straight, left, right, back };

struct Collinearity {
  double offset;  // of the middle point from the line of the outer two, NaN if degenerate
  std::int64_t middle;
  double length;  // between the outer two
  Status status;
};

// Of three points. Degenerate where two of them coincide.
Collinearity collinearity(const Vec3* points);

// Sides k opposite point k.
Vec3 sides(const Vec3* points);

// Relative differences of sides: up to `equal` they are equal, from `distinct` on they are not.
// Degenerate where the height over the longest side is at most `flat` of it.
struct TriangleRule {
  double equal, distinct, flat;
};

struct Triangle {
  TriangleKind kind;
  Vec3 sides;
  Status status;
};

Triangle triangle(const Vec3* points, const TriangleRule& rule);

struct Nearest {
  std::int64_t which;  // -1 for a tie
  double margin;       // how much farther the runner-up is
  Status status;
};

// Of `count` > 0 candidates, whose distances are written to `distances`. The nearest must be nearer
// than the runner-up by `gap` and by `ratio` of its own distance.
Nearest nearest(Vec3 reference, const Vec3* candidates, std::size_t count, double gap, double ratio,
                double* distances);

// Headings in radians, counter-clockwise. Undecided nearer than `guard` degrees to a border.
Turn turn(double before, double after, double guard);

// What the columns of a picture depend on.
struct Pinhole {
  Vec3 position, right, backward;
  double focal, middle, width;  // pixels
};

// Writes the columns of the points, NaN for those not in front, and their ranks from the left; all
// ranks are -1 unless the status is ok. A tie where columns differ by less than `least`.
Status left_to_right(const Pinhole& camera, Span<const Vec3> points, double least, double* columns,
                     std::int64_t* ranks);

}  // namespace esi::relations
