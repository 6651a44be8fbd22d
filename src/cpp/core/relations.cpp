#include "core/relations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace esi::relations {
namespace {

// Numbers closer than this, relative to the larger, are equal: far above the rounding of a few
// operations, far below any length that a scene means.
constexpr double equal_numbers = 1e-9;
// Distances inherit the rounding of the coordinates, not only their own.
constexpr double coordinate_rounding = 1e-12;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double pi = 3.14159265358979323846;

// Neither overflows nor underflows on the way.
double length(Vec3 v) { return std::hypot(v.x, v.y, v.z); }

double largest(Vec3 v) { return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)}); }

double excess(double large, double small) { return large / small - 1; }

}  // namespace

Vec3 sides(const Vec3* p) {
  return {length(p[1] - p[2]), length(p[2] - p[0]), length(p[0] - p[1])};
}

Collinearity collinearity(const Vec3* p) {
  const Vec3 side = sides(p);
  // The first of equals: the offset is the same.
  int middle = 0;
  for (int k = 1; k < 3; ++k) {
    if (side[k] > side[middle]) middle = k;
  }
  const double base = side[middle];
  if (std::min({side.x, side.y, side.z}) <= equal_numbers * base) {
    return {nan, middle, base, Status::degenerate};
  }
  const int one = (middle + 1) % 3, two = (middle + 2) % 3;
  const Vec3 along = (p[two] - p[one]) / base;
  // Measured from the nearer outer point: the cross product then loses the fewest digits.
  const Vec3 arm = p[middle] - (side[two] <= side[one] ? p[one] : p[two]);
  return {length(cross(along, arm)), middle, base, Status::ok};
}

Triangle triangle(const Vec3* p, const TriangleRule& rule) {
  const Vec3 side = sides(p);
  const Collinearity line = collinearity(p);
  if (line.status != Status::ok || line.offset <= rule.flat * line.length) {
    return {TriangleKind::undecided, side, Status::degenerate};
  }
  double s[3] = {side.x, side.y, side.z};
  std::sort(s, s + 3);
  const double low = excess(s[1], s[0]), high = excess(s[2], s[1]), total = excess(s[2], s[0]);
  const auto same = [&](double e) { return e <= rule.equal + equal_numbers; };
  const auto apart = [&](double e) { return e >= rule.distinct - equal_numbers; };
  TriangleKind kind = TriangleKind::undecided;
  if (same(total)) {
    kind = TriangleKind::equilateral;
  } else if (apart(total) && ((same(low) && apart(high)) || (same(high) && apart(low)))) {
    kind = TriangleKind::isosceles;
  } else if (apart(low) && apart(high) && apart(total)) {
    kind = TriangleKind::scalene;
  }
  return {kind, side, kind == TriangleKind::undecided ? Status::tie : Status::ok};
}

Nearest nearest(Vec3 reference, const Vec3* candidates, std::size_t count, double gap, double ratio,
                double* distances) {
  double best = std::numeric_limits<double>::infinity(), second = best;
  double scale = largest(reference);
  std::size_t which = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const double d = length(candidates[k] - reference);
    distances[k] = d;
    scale = std::max(scale, largest(candidates[k]));
    if (d < best) {
      second = best;
      best = d;
      which = k;
    } else {
      second = std::min(second, d);
    }
  }
  const double margin = second - best;
  const double slack = coordinate_rounding * scale;
  const bool tie = margin <= equal_numbers * best + slack || margin < gap - slack ||
                   margin < ratio * best - slack;
  if (tie) return {-1, margin, Status::tie};
  return {static_cast<std::int64_t>(which), margin, Status::ok};
}

Turn turn(double before, double after, double guard) {
  const double change = after - before;
  const double angle = std::atan2(std::sin(change), std::cos(change)) * (180 / pi);
  const double size = std::abs(angle);
  if (std::min(std::abs(size - 45), std::abs(size - 135)) < guard) return Turn::undecided;
  if (size <= 45) return Turn::straight;
  if (size >= 135) return Turn::back;
  return angle > 0 ? Turn::left : Turn::right;
}

Status left_to_right(const Pinhole& camera, Span<const Vec3> points, double least, double* columns,
                     std::int64_t* ranks) {
  const std::size_t n = points.size();
  bool in_front = true;
  for (std::size_t k = 0; k < n; ++k) {
    const Vec3 local = points[k] - camera.position;
    const double depth = -dot(local, camera.backward);
    ranks[k] = -1;
    columns[k] = depth > 0 ? camera.focal * dot(local, camera.right) / depth + camera.middle : nan;
    in_front = in_front && depth > 0;
  }
  if (!in_front) return Status::not_in_front;
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return columns[a] < columns[b]; });
  const double slack = equal_numbers * std::max(camera.width, 1.0);
  const double limit = std::max(least - slack, slack);
  for (std::size_t k = 1; k < n; ++k) {
    // Not "at most": points that project to infinity differ by NaN.
    if (!(columns[order[k]] - columns[order[k - 1]] > limit)) return Status::tie;
  }
  for (std::size_t k = 0; k < n; ++k) ranks[order[k]] = static_cast<std::int64_t>(k);
  return Status::ok;
}

}  // namespace esi::relations
