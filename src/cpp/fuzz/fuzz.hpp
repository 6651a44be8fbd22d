// What the fuzz targets share: bytes decoded into numbers, meshes, poses and rays, a check that
// ends the run, and answers by brute force in extended precision.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <limits>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/raycast.hpp"
#include "core/scene.hpp"
#include "core/types.hpp"

namespace esi::fuzz {

// Ends the run with a message; libFuzzer keeps the input.
#define FUZZ_CHECK(condition)                                                         \
  do {                                                                                \
    if (!(condition)) {                                                               \
      std::cerr << __FILE__ << ":" << __LINE__ << ": " #condition " does not hold\n"; \
      std::abort();                                                                   \
    }                                                                                 \
  } while (false)

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Numbers taken from the input's bytes, in order; zeros once they are used up. One byte makes a
// multiple of 1/16, so that coordinates often coincide; some bytes ask for the unusual.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  bool empty() const { return at_ >= size_; }
  std::uint8_t byte() { return empty() ? std::uint8_t{0} : data_[at_++]; }
  int below(int n) { return byte() % n; }
  bool flag() { return (byte() & 1) != 0; }
  // In [0, 1].
  double share() { return byte() / 255.0; }

  // Any double, NaN and infinity included.
  double bits() {
    std::uint64_t word = 0;
    for (int i = 0; i < 8; ++i) word |= std::uint64_t{byte()} << (8 * i);
    double value = 0;
    std::memcpy(&value, &word, sizeof(value));
    return value;
  }

  // A finite number: mostly a few metres, sometimes tiny, huge, or a neighbour of the last one.
  double number() {
    const int b = byte();
    double value = (b - 120) / 16.0;
    if (b >= 240) {
      switch (b) {
        case 240:
          value = last_;
          break;
        case 241:
          value = std::nextafter(last_, kInfinity);
          break;
        case 242:
          value = std::nextafter(last_, -kInfinity);
          break;
        case 243:
          value = -last_;
          break;
        case 244:
          value = last_ * (1 + 1e-9);
          break;
        case 245:
        case 246:
          value = (byte() - 128) * std::pow(10.0, below(16));
          break;
        case 247:
        case 248:
          value = (byte() - 128) * std::pow(10.0, -below(40));
          break;
        case 249:
          value = bits();
          break;
        default: {
          const int high = byte();
          value = (256 * high + byte() - 32768) / 4096.0;
        }
      }
    }
    if (!std::isfinite(value)) value = 0;
    last_ = value;
    return value;
  }

  // As number(), or anything at all.
  double wild() {
    if (byte() < 250) return number();
    return bits();
  }

  Vec3 point() {
    const double x = number(), y = number(), z = number();
    return {x, y, z};
  }
  // Within largest_coordinate, as callers' points are.
  Vec3 place() {
    const Vec3 p = point();
    const double size = std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)});
    return size <= largest_coordinate ? p : p * (largest_coordinate / 2 / size);
  }
  Vec3 wild_point() {
    const double x = wild(), y = wild(), z = wild();
    return {x, y, z};
  }

  // Not the zero vector.
  Vec3 direction() {
    const Vec3 d = normalized(point());
    return d == Vec3{} ? Vec3{0, 0, 1} : d;
  }

  // A turn by a quaternion, then a shift; sometimes sheared, stretched or mirrored.
  Affine pose() {
    Affine out;
    const int kind = byte();
    if ((kind & 1) != 0) {
      double q[4];
      double length = 0;
      for (double& x : q) {
        x = (byte() - 128) / 16.0;
        length += x * x;
      }
      if (length > 0) {
        for (double& x : q) x /= std::sqrt(length);
        const double x = q[0], y = q[1], z = q[2], w = q[3];
        out.m = {1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),     0,
                 2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),     0,
                 2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y), 0};
      }
    }
    if ((kind & 6) == 6) {
      for (int i = 0; i < 12; ++i) {
        if (i % 4 != 3) out.m[static_cast<std::size_t>(i)] = number();
      }
    }
    if ((kind & 8) != 0) {
      const Vec3 t = point();
      for (int i = 0; i < 3; ++i) out.m[static_cast<std::size_t>(4 * i + 3)] = t[i];
    }
    return out;
  }

  // Usually 1 along each axis.
  Vec3 scale() {
    if (below(4) != 0) return {1, 1, 1};
    const auto factor = [this] {
      const double s = std::abs(number());
      return s > 0 ? s : 1.0;
    };
    const double x = factor(), y = factor(), z = factor();
    return {x, y, z};
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t at_ = 0;
  double last_ = 0;
};

struct Shape {
  std::vector<Vec3> vertices;
  std::vector<std::int32_t> faces;

  std::size_t face_count() const { return faces.size() / 3; }
  std::array<Vec3, 3> corners(std::size_t face) const {
    const auto at = [&](std::size_t k) {
      return vertices[static_cast<std::size_t>(faces[3 * face + k])];
    };
    return {at(0), at(1), at(2)};
  }
};

inline Shape box_shape(Vec3 lower, Vec3 upper) {
  Shape shape;
  for (int i = 0; i < 8; ++i) {
    shape.vertices.push_back({(i & 1) != 0 ? upper.x : lower.x, (i & 2) != 0 ? upper.y : lower.y,
                              (i & 4) != 0 ? upper.z : lower.z});
  }
  shape.faces = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
  return shape;
}

// A box, a grid of triangles, or triangles between any vertices (degenerate ones included).
inline Shape shape(Input& in) {
  const int kind = in.below(4);
  if (kind == 0) {
    const Vec3 a = in.point(), b = in.point();
    return box_shape(min(a, b), max(a, b));
  }
  Shape out;
  if (kind == 1) {
    const int n = 1 + in.below(4);
    const Vec3 origin = in.point(), u = in.point(), v = in.point();
    for (int i = 0; i <= n; ++i) {
      for (int j = 0; j <= n; ++j) out.vertices.push_back(origin + u * (1.0 * i) + v * (1.0 * j));
    }
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        const int k = i * (n + 1) + j;
        for (const int id : {k, k + n + 1, k + n + 2, k, k + n + 2, k + 1}) out.faces.push_back(id);
      }
    }
  } else {
    const int vertices = in.below(16), faces = vertices > 0 ? in.below(20) : 0;
    for (int i = 0; i < vertices; ++i) out.vertices.push_back(in.point());
    for (int i = 0; i < 3 * faces; ++i) out.faces.push_back(in.below(vertices));
  }
  for (const Vec3& v : out.vertices) {
    if (!is_finite(v)) return {};
  }
  return out;
}

// Refused exactly when a coordinate is out of range; -1 then.
inline std::int32_t add_mesh(Scene& scene, const Shape& s) {
  bool huge = false;
  for (const Vec3& v : s.vertices)
    huge |= std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)}) > 1e60;
  try {
    const std::int32_t mesh = scene.add_mesh(s.vertices, s.faces, {}, {});
    FUZZ_CHECK(!huge);
    return mesh;
  } catch (const std::invalid_argument&) {
    FUZZ_CHECK(huge);
    return -1;
  }
}

// A scene of a few instances. What the scene refuses (singular poses, coordinates beyond 1e12 m)
// is left out.
inline std::unique_ptr<Scene> scene(Input& in) {
  auto out = std::make_unique<Scene>(1);
  const int meshes = 1 + in.below(2);
  for (int m = 0; m < meshes; ++m) {
    const Shape s = shape(in);
    const std::int32_t mesh = add_mesh(*out, s);
    if (mesh < 0) continue;
    const int instances = 1 + in.below(3);
    for (int i = 0; i < instances; ++i) {
      try {
        out->add_instance(mesh, in.below(5), in.pose(), in.scale());
      } catch (const std::invalid_argument&) {
      }
    }
  }
  return out;
}

inline std::vector<std::int32_t> ignored(Input& in) {
  std::vector<std::int32_t> ids;
  const int count = in.below(4);
  for (int i = 0; i < count; ++i) ids.push_back(in.below(6) - 1);
  return ids;
}

inline bool contains(Ignore ids, std::int32_t id) {
  for (const std::int32_t other : ids) {
    if (other == id) return true;
  }
  return false;
}

// ---- references -----------------------------------------------------------------------------

using Real = long double;

struct Wide {
  Real x = 0, y = 0, z = 0;
  Wide() = default;
  Wide(Real a, Real b, Real c) : x(a), y(b), z(c) {}
  explicit Wide(Vec3 v) : x(v.x), y(v.y), z(v.z) {}
  friend Wide operator+(Wide a, Wide b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Wide operator-(Wide a, Wide b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Wide operator*(Wide a, Real s) { return {a.x * s, a.y * s, a.z * s}; }
};
inline Real dot(Wide a, Wide b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Wide cross(Wide a, Wide b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Real norm(Wide a) { return std::sqrt(dot(a, a)); }
inline Real largest(Vec3 v) { return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)}); }

// The point of a triangle (or of what remains of it) nearest to p, by trying its inside, its edges
// and its corners. All that is offered is a point of the triangle, so that it is never too near.
inline Wide nearest_on_triangle(Wide p, const std::array<Vec3, 3>& t) {
  const Wide c[3] = {Wide(t[0]), Wide(t[1]), Wide(t[2])};
  Wide best = c[0];
  Real least = dot(p - c[0], p - c[0]);
  const auto offer = [&](Wide q) {
    const Real d = dot(p - q, p - q);
    if (d < least) {
      least = d;
      best = q;
    }
  };
  for (int k = 0; k < 3; ++k) {
    const Wide a = c[k], edge = c[(k + 1) % 3] - a;
    const Real length = dot(edge, edge);
    if (length > 0) {
      const Real s = dot(p - a, edge) / length;
      offer(a + edge * std::min(Real{1}, std::max(Real{0}, s)));
    }
  }
  // Along the longest edge and across it, or the plane of a needle would be mostly rounding.
  int base = 0;
  for (int k = 1; k < 3; ++k) {
    const Wide e = c[(k + 1) % 3] - c[k], f = c[(base + 1) % 3] - c[base];
    if (dot(e, e) > dot(f, f)) base = k;
  }
  const Wide origin = c[base], edge = c[(base + 1) % 3] - origin, side = c[(base + 2) % 3] - origin;
  const Real length = dot(edge, edge);
  if (length > 0) {
    const Wide height = side - edge * (dot(side, edge) / length);
    const Real hh = dot(height, height);
    const Wide way = p - origin;
    const Real apex = hh > 0 ? dot(way - edge * (dot(way, edge) / length), height) / hh : -1;
    const Real end = dot(way - side * apex, edge) / length;
    if (apex >= 0 && end >= 0 && apex + end <= 1) offer(origin + edge * end + side * apex);
  }
  return best;
}

// For a look at an input that was kept: what the scene holds and which ray it was.
inline std::string text(Vec3 v) {
  std::ostringstream out;
  out.precision(17);
  out << "(" << v.x << ", " << v.y << ", " << v.z << ")";
  return out.str();
}

inline void describe(const SceneView& view, const Ray& ray) {
  std::cerr.precision(17);
  std::cerr << "frame " << text(view.frame().center) << " reach " << view.frame().reach << "\n";
  for (std::size_t i = 0; i < view.instance_count(); ++i) {
    const Instance& instance = view.instance(static_cast<std::int32_t>(i));
    if (!instance.alive) continue;
    std::cerr << "instance " << i << " object " << instance.object_id << "\n";
    for (const std::int32_t face : instance.shape->clusters.faces) {
      const auto t = instance.triangle(face);
      std::cerr << "  " << face << ": " << text(t[0]) << " " << text(t[1]) << " " << text(t[2])
                << "\n";
    }
  }
  std::cerr << "ray " << text(ray.origin) << " + t " << text(ray.direction) << ", " << ray.near
            << " to " << ray.far << "\n";
}

enum class Meets { no, yes, doubtful };

// Whether a ray meets a triangle, and where; doubtful near edges, limits and grazing angles, where
// double precision may see it one way or the other.
// `room` is what rounding may make of t.
inline Meets meets(const Ray& ray, const std::array<Vec3, 3>& t, Real* where, Real* room) {
  const Wide o(ray.origin), d(ray.direction);
  const Wide a = Wide(t[0]) - o, b = Wide(t[1]) - o, c = Wide(t[2]) - o;
  const Wide n = cross(b - a, c - a);
  const Real reach = largest(ray.origin) + std::max({largest(t[0]), largest(t[1]), largest(t[2])});
  const Real det = dot(n, d), size = norm(n) * norm(d);
  const Real edge = std::max({norm(b - a), norm(c - a), norm(c - b)});
  // What rounding coordinates to double precision can move, with much room; the plane of a long
  // needle is known less well far from the corner that its normal is taken at.
  const Real slack =
      (Real{1e-12} + (norm(n) > 0 ? Real{1e-14} * edge * edge / norm(n) : 0)) * reach;
  if (!(size > 0) || !(std::abs(det) > Real{1e-6} * size)) return Meets::doubtful;
  if (!(norm(n) > 1e4L * slack * edge)) return Meets::doubtful;
  const Real at = dot(n, a) / det;
  *where = at;
  const Wide p = d * at;
  // Distances of p from the edges, inwards.
  Real inside = std::numeric_limits<Real>::infinity();
  const Wide corners[3] = {a, b, c};
  for (int k = 0; k < 3; ++k) {
    const Wide e = corners[(k + 1) % 3] - corners[k];
    inside = std::min(inside, dot(n, cross(e, p - corners[k])) / (norm(n) * norm(e)));
  }
  // Errors of coordinates become larger by the slope of the triangle.
  const Real edges = slack * size / std::abs(det);
  const Real along = edges / norm(d);
  *room = along;
  if (inside < -edges || at < ray.near - along || at > ray.far + along) return Meets::no;
  if (inside > edges && at > ray.near + along && at < ray.far - along) return Meets::yes;
  return Meets::doubtful;
}

// What must be true of the answers to a ray, by a look at every face of the scene.
struct Truth {
  bool certain = true;  // no doubtful face
  bool hit = false;     // some face is met for certain
  Real first = std::numeric_limits<Real>::infinity();
  Real room = 0;                // what rounding may make of it
  std::int32_t object_id = -1;  // of the first one
};

inline Truth truth(const SceneView& view, const Ray& ray, Ignore ignore) {
  Truth out;
  for (std::size_t i = 0; i < view.instance_count(); ++i) {
    const Instance& instance = view.instance(static_cast<std::int32_t>(i));
    if (!instance.alive || contains(ignore, instance.object_id)) continue;
    for (const std::int32_t face : instance.shape->clusters.faces) {
      Real t = 0, room = 0;
      switch (meets(ray, instance.triangle(face), &t, &room)) {
        case Meets::no:
          break;
        case Meets::doubtful:
          out.certain = false;
          break;
        case Meets::yes:
          out.hit = true;
          out.room = std::max(out.room, room);
          if (t < out.first) {
            out.first = t;
            out.object_id = instance.object_id;
          }
      }
    }
  }
  return out;
}

}  // namespace esi::fuzz
