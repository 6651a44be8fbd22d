// Distances, crossings and closedness against every triangle, every pair, every solid angle.
#include <algorithm>
#include <map>
#include <utility>

#include "core/columns.hpp"
#include "core/distance.hpp"
#include "core/predicates.hpp"
#include "fuzz/fuzz.hpp"

using namespace esi;
using namespace esi::fuzz;

namespace {

std::vector<Triangle> triangles(const Shape& s) {
  std::vector<Triangle> out;
  for (std::size_t f = 0; f < s.face_count(); ++f) {
    const auto c = s.corners(f);
    out.push_back({c[0], c[1], c[2]});
  }
  return out;
}

std::array<Vec3, 3> corners(const Triangle& t) { return {t.a, t.b, t.c}; }

// Beyond this, squares of squares of coordinates leave the range of double precision.
bool moderate(const Shape& s) {
  for (const Vec3& v : s.vertices) {
    if (!(largest(v) < 1e60)) return false;
  }
  return true;
}

Real extent(const Shape& s) {
  Real out = 0;
  for (const Vec3& v : s.vertices) out = std::max(out, largest(v));
  return out;
}

Real distance_to(const std::vector<Triangle>& all, Vec3 p) {
  Real least = std::numeric_limits<Real>::infinity();
  for (const Triangle& t : all) {
    least = std::min(least, norm(Wide(p) - nearest_on_triangle(Wide(p), corners(t))));
  }
  return least;
}

// The smallest distance between edges of one triangle and the other, by descent in turn: the
// distance is convex in both points, so alternating projections reach it from above.
Real upper_bound(const Triangle& s, const Triangle& t) {
  Real least = std::numeric_limits<Real>::infinity();
  for (int start = 0; start < 2; ++start) {
    Wide p(s[start]);
    for (int i = 0; i < 4; ++i) {
      const Wide q = nearest_on_triangle(p, corners(t));
      least = std::min(least, norm(p - q));
      p = nearest_on_triangle(q, corners(s));
    }
  }
  return least;
}

void check_nearest(const std::vector<Triangle>& all, const TriangleTree& tree, Vec3 p, double bound,
                   Real size) {
  const NearestPoint found = nearest_point(tree, p, bound);
  const Real expected = distance_to(all, p);
  const Real room = 1e-13L * (size + largest(p)) + 1e-150L;
  if (found.triangle < 0) {
    FUZZ_CHECK(found.distance == kInfinity);
    FUZZ_CHECK(all.empty() || expected >= bound - room);
    return;
  }
  FUZZ_CHECK(found.triangle < static_cast<std::int32_t>(all.size()));
  FUZZ_CHECK(is_finite(found.point) && found.distance <= bound + static_cast<double>(room));
  FUZZ_CHECK(std::abs(found.distance - expected) <= room);
  FUZZ_CHECK(std::abs(norm(Wide(found.point) - Wide(p)) - found.distance) <= room);
  const auto t = corners(all[static_cast<std::size_t>(found.triangle)]);
  FUZZ_CHECK(norm(Wide(found.point) - nearest_on_triangle(Wide(found.point), t)) <= room);
}

void check_pair(const std::vector<Triangle>& a, const std::vector<Triangle>& b,
                const TriangleTree& ta, const TriangleTree& tb, Real size) {
  const NearestPair found = nearest_pair(ta, tb);
  if (a.empty() || b.empty()) {
    FUZZ_CHECK(found.triangle_a < 0 && found.distance == kInfinity);
    return;
  }
  FUZZ_CHECK(found.triangle_a >= 0 && found.triangle_a < static_cast<std::int32_t>(a.size()));
  FUZZ_CHECK(found.triangle_b >= 0 && found.triangle_b < static_cast<std::int32_t>(b.size()));
  const Real room = 1e-12L * size + 1e-150L;
  Real defined = std::numeric_limits<Real>::infinity(), least = defined;
  for (const Triangle& s : a) {
    for (const Triangle& t : b) {
      defined = std::min(defined, Real{std::sqrt(closest_triangles(s, t).squared)});
      least = std::min(least, upper_bound(s, t));
    }
  }
  FUZZ_CHECK(std::abs(found.distance - defined) <= room);
  if (!(found.distance <= least + room)) {
    std::cerr.precision(17);
    std::cerr << "found " << found.distance << ", expected " << least << " +- " << room << "\n";
    for (const auto* mesh : {&a, &b}) {
      for (const Triangle& t : *mesh) {
        for (int k = 0; k < 3; ++k) {
          std::cerr << " (" << t[k].x << ", " << t[k].y << ", " << t[k].z << ")";
        }
        std::cerr << "\n";
      }
      std::cerr << "\n";
    }
  }
  FUZZ_CHECK(found.distance <= least + room);
  FUZZ_CHECK(std::abs(norm(Wide(found.point_a) - Wide(found.point_b)) - found.distance) <= room);
  const auto on_a = corners(a[static_cast<std::size_t>(found.triangle_a)]);
  const auto on_b = corners(b[static_cast<std::size_t>(found.triangle_b)]);
  FUZZ_CHECK(norm(Wide(found.point_a) - nearest_on_triangle(Wide(found.point_a), on_a)) <= room);
  FUZZ_CHECK(norm(Wide(found.point_b) - nearest_on_triangle(Wide(found.point_b), on_b)) <= room);
  const NearestPair other = nearest_pair(tb, ta);
  FUZZ_CHECK(std::abs(other.distance - found.distance) <= room);
}

// How often the surface winds around p: the sum of solid angles (van Oosterom and Strackee 1983).
Real winding(const std::vector<Triangle>& all, Vec3 p) {
  Real sum = 0;
  for (const Triangle& t : all) {
    const Wide a = Wide(t.a) - Wide(p), b = Wide(t.b) - Wide(p), c = Wide(t.c) - Wide(p);
    const Real la = norm(a), lb = norm(b), lc = norm(c);
    const Real y = dot(a, cross(b, c));
    const Real x = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    sum += 2 * std::atan2(y, x);
  }
  return sum / (4 * std::acos(Real{-1}));
}

Closure plain_closure(const std::vector<Triangle>& all) {
  using Key = std::array<double, 3>;
  std::map<std::pair<Key, Key>, std::pair<int, int>> edges;  // uses, balance
  for (const Triangle& t : all) {
    if (t.a == t.b || t.b == t.c || t.c == t.a) continue;
    for (int k = 0; k < 3; ++k) {
      const Vec3 u = t[k], v = t[(k + 1) % 3];
      Key a{u.x + 0.0, u.y + 0.0, u.z + 0.0}, b{v.x + 0.0, v.y + 0.0, v.z + 0.0};
      auto& edge = edges[{std::min(a, b), std::max(a, b)}];
      ++edge.first;
      edge.second += a < b ? 1 : -1;
    }
  }
  Closure out{!edges.empty(), !edges.empty()};
  for (const auto& [ends, use] : edges) {
    if (use.first % 2 != 0) return {};
    if (use.second != 0) out.oriented = false;
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in(data, size);
  const Shape first = shape(in), second = shape(in);
  const std::vector<Triangle> a = triangles(first), b = triangles(second);
  const TriangleTree ta(a), tb(b);
  const Columns columns(ta);
  const Closure closed = closure(a), expected = plain_closure(a);
  FUZZ_CHECK(closed.closed == expected.closed && closed.oriented == expected.oriented);
  const bool sane = moderate(first) && moderate(second);
  const Real reach = std::max(extent(first), extent(second));
  for (int i = in.below(6); i > 0; --i) {
    Vec3 p = in.point();
    if (in.flag() && !first.vertices.empty()) {
      p = first.vertices[static_cast<std::size_t>(
          in.below(static_cast<int>(first.vertices.size())))];
    }
    const double bound = in.flag() ? kInfinity : std::abs(in.number());
    if (!sane || !(largest(p) < 1e60)) {
      static_cast<void>(nearest_point(ta, p, bound));
      continue;
    }
    check_nearest(a, ta, p, bound, reach);
    const Crossings up = crossings_above(ta, p), same = columns.crossings(p);
    FUZZ_CHECK(up.count == same.count && up.winding == same.winding);
    FUZZ_CHECK(up.on_surface == same.on_surface);
    FUZZ_CHECK(up.count >= 0 && std::abs(up.winding) <= up.count);
    FUZZ_CHECK((up.count - up.winding) % 2 == 0);
    const Real away = a.empty() ? 0 : distance_to(a, p);
    if (closed.closed && closed.oriented && away > 1e-6L * (reach + largest(p))) {
      FUZZ_CHECK(!up.on_surface);
      FUZZ_CHECK(std::abs(winding(a, p) - up.winding) < 0.01L);
    }
    const double near = in.share();
    const Real room = 1e-12L * (reach + largest(p)) + 1e-150L;
    if (std::abs(away - near) > room && !a.empty()) {
      FUZZ_CHECK(columns.near_surface(p, near) == (away < near));
    }
    if (up.on_surface) FUZZ_CHECK(away <= 1e-13L * (reach + largest(p)));
  }
  if (sane) {
    check_pair(a, b, ta, tb, reach);
  } else {
    static_cast<void>(nearest_pair(ta, tb));
  }
  // Exact signs: what a swap or a cycle of the points must do.
  const Vec3 p = in.point(), q = in.point(), r = in.point(), s = in.point();
  const auto in_range = [](Vec3 v) {
    const auto fits = [](double x) {
      return x == 0 || (std::abs(x) > 1e-60 && std::abs(x) < 1e60);
    };
    return fits(v.x) && fits(v.y) && fits(v.z);
  };
  if (in_range(p) && in_range(q) && in_range(r) && in_range(s)) {
    const int flat = orient2d_sign(p, q, r), solid = orient3d_sign(p, q, r, s);
    FUZZ_CHECK(orient2d_sign(q, r, p) == flat && orient2d_sign(q, p, r) == -flat);
    FUZZ_CHECK(orient3d_sign(q, p, r, s) == -solid && orient3d_sign(q, r, p, s) == solid);
    FUZZ_CHECK(orient3d_sign(p, q, s, r) == -solid);
  }
  return 0;
}
