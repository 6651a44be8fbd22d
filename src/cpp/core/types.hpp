// Small value types shared by all families: views of arrays, vectors, affine maps, boxes.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace esi {

// A view of consecutive elements that somebody else owns.
template <class T>
class Span {
 public:
  constexpr Span() = default;
  constexpr Span(T* data, std::size_t size) : data_(data), size_(size) {}
  Span(std::vector<std::remove_const_t<T>>& v) : data_(v.data()), size_(v.size()) {}
  template <class U, class = std::enable_if_t<std::is_same_v<const U, T>>>
  Span(const std::vector<U>& v) : data_(v.data()), size_(v.size()) {}
  template <class U, class = std::enable_if_t<std::is_same_v<const U, T>>>
  constexpr Span(Span<U> s) : data_(s.data()), size_(s.size()) {}

  constexpr T* data() const { return data_; }
  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T& operator[](std::size_t i) const { return data_[i]; }
  constexpr T* begin() const { return data_; }
  constexpr T* end() const { return data_ + size_; }
  constexpr Span subspan(std::size_t first, std::size_t count) const {
    return {data_ + first, count};
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

// Metres. Coordinates beyond this leave no digits for a metre in double precision.
constexpr double largest_coordinate = 1e12;

template <class T>
struct Vec3T {
  T x = 0, y = 0, z = 0;

  constexpr T operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
  constexpr T& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }

  friend constexpr Vec3T operator+(Vec3T a, Vec3T b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend constexpr Vec3T operator-(Vec3T a, Vec3T b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend constexpr Vec3T operator-(Vec3T a) { return {-a.x, -a.y, -a.z}; }
  friend constexpr Vec3T operator*(Vec3T a, Vec3T b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
  friend constexpr Vec3T operator*(Vec3T a, T s) { return {a.x * s, a.y * s, a.z * s}; }
  friend constexpr Vec3T operator*(T s, Vec3T a) { return a * s; }
  friend constexpr Vec3T operator/(Vec3T a, T s) { return {a.x / s, a.y / s, a.z / s}; }
  constexpr Vec3T& operator+=(Vec3T b) { return *this = *this + b; }
  constexpr Vec3T& operator-=(Vec3T b) { return *this = *this - b; }
  constexpr Vec3T& operator*=(T s) { return *this = *this * s; }
  friend constexpr bool operator==(Vec3T a, Vec3T b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
  }
  friend constexpr bool operator!=(Vec3T a, Vec3T b) { return !(a == b); }

  template <class U>
  explicit constexpr operator Vec3T<U>() const {
    return {static_cast<U>(x), static_cast<U>(y), static_cast<U>(z)};
  }
};

using Vec3 = Vec3T<double>;
using Vec3f = Vec3T<float>;
static_assert(sizeof(Vec3) == 3 * sizeof(double) && sizeof(Vec3f) == 3 * sizeof(float));

template <class T>
constexpr T dot(Vec3T<T> a, Vec3T<T> b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
constexpr Vec3T<T> cross(Vec3T<T> a, Vec3T<T> b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
T norm(Vec3T<T> a) {
  return std::sqrt(dot(a, a));
}
// The unit vector along a; the zero vector stays zero.
template <class T>
Vec3T<T> normalized(Vec3T<T> a) {
  const T length = norm(a);
  return length > 0 ? a / length : Vec3T<T>{};
}
template <class T>
constexpr Vec3T<T> min(Vec3T<T> a, Vec3T<T> b) {
  return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
}
template <class T>
constexpr Vec3T<T> max(Vec3T<T> a, Vec3T<T> b) {
  return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
}
template <class T>
bool is_finite(Vec3T<T> a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

// An affine map as the first three rows of its 4 x 4 matrix, row by row.
struct Affine {
  std::array<double, 12> m = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

  Vec3 row(int i) const { return {m[4 * i], m[4 * i + 1], m[4 * i + 2]}; }
  Vec3 column(int j) const { return {m[j], m[4 + j], m[8 + j]}; }
  Vec3 translation() const { return column(3); }

  Vec3 direction(Vec3 d) const { return {dot(row(0), d), dot(row(1), d), dot(row(2), d)}; }
  Vec3 point(Vec3 p) const { return direction(p) + translation(); }
  // The transposed linear part: with the inverse map it carries normals.
  Vec3 transposed(Vec3 d) const { return column(0) * d.x + column(1) * d.y + column(2) * d.z; }
  double determinant() const { return dot(row(0), cross(row(1), row(2))); }

  friend Affine operator*(const Affine& a, const Affine& b) {
    Affine out;
    for (int j = 0; j < 4; ++j) {
      const Vec3 c = j < 3 ? a.direction(b.column(j)) : a.point(b.translation());
      for (int i = 0; i < 3; ++i) out.m[4 * i + j] = c[i];
    }
    return out;
  }

  // Undefined for a singular linear part; callers refuse those first.
  Affine inverse() const {
    const Vec3 a = row(0), b = row(1), c = row(2);
    const double s = 1.0 / determinant();
    const Vec3 columns[3] = {cross(b, c) * s, cross(c, a) * s, cross(a, b) * s};
    Affine out;
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) out.m[4 * i + j] = columns[j][i];
    const Vec3 t = -out.direction(translation());
    for (int i = 0; i < 3; ++i) out.m[4 * i + 3] = t[i];
    return out;
  }
};

// An axis-aligned box; a new one is empty (lower above upper).
struct Box {
  Vec3 lower{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(),
             std::numeric_limits<double>::infinity()};
  Vec3 upper = -lower;

  bool empty() const { return lower.x > upper.x || lower.y > upper.y || lower.z > upper.z; }
  void extend(Vec3 p) {
    lower = min(lower, p);
    upper = max(upper, p);
  }
  void extend(const Box& b) {
    lower = min(lower, b.lower);
    upper = max(upper, b.upper);
  }
  Vec3 size() const { return empty() ? Vec3{} : upper - lower; }
  Vec3 center() const { return (lower + upper) * 0.5; }
  double diagonal() const { return norm(size()); }
};

}  // namespace esi
