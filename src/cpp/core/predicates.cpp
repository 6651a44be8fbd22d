#include "core/predicates.hpp"

#include <cmath>
#include <vector>

#include "core/errorfree.hpp"

namespace esi {
namespace {

// A sum of doubles that is not evaluated: terms do not overlap and grow in magnitude, zeros are
// left out, so that the sign is the last term's.
class Exact {
 public:
  Exact() = default;

  static Exact difference(double a, double b) {
    const Rounded d = exact_difference(a, b);
    Exact out;
    out.push(d.error);
    out.push(d.value);
    return out;
  }

  Exact& operator+=(const Exact& other) {
    for (const double term : other.terms_) add(term);
    return *this;
  }

  Exact operator-() const {
    Exact out(*this);
    for (double& term : out.terms_) term = -term;
    return out;
  }

  friend Exact operator*(const Exact& a, const Exact& b) {
    Exact out;
    for (const double x : a.terms_) {
      for (const double y : b.terms_) {
        const Rounded p = exact_product(x, y);
        out.add(p.error);
        out.add(p.value);
      }
    }
    return out;
  }

  int sign() const { return terms_.empty() ? 0 : terms_.back() > 0.0 ? 1 : -1; }

 private:
  void add(double value) {
    if (value == 0.0) return;
    std::vector<double> out;
    out.reserve(terms_.size() + 1);
    double q = value;
    for (const double term : terms_) {
      const Rounded s = exact_sum(q, term);
      if (s.error != 0.0) out.push_back(s.error);
      q = s.value;
    }
    if (q != 0.0) out.push_back(q);
    terms_.swap(out);
  }

  void push(double term) {
    if (term != 0.0) terms_.push_back(term);
  }

  std::vector<double> terms_;
};

constexpr double epsilon = 1.1102230246251565e-16;  // 2^-53

}  // namespace

int orient2d_sign(Vec3 a, Vec3 b, Vec3 c) {
  const double left = (a.x - c.x) * (b.y - c.y);
  const double right = (a.y - c.y) * (b.x - c.x);
  const double det = left - right;
  if (std::abs(det) > sign_filter * (std::abs(left) + std::abs(right))) return det > 0.0 ? 1 : -1;
  const Exact exact_left = Exact::difference(a.x, c.x) * Exact::difference(b.y, c.y);
  Exact total = Exact::difference(a.y, c.y) * Exact::difference(b.x, c.x);
  total = -total;
  total += exact_left;
  return total.sign();
}

int orient3d_sign(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
  const Vec3 u = b - a, v = c - a, w = d - a;
  double det = 0.0, size = 0.0;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    det += (u[i] * v[j] - u[j] * v[i]) * w[k];
    size += (std::abs(u[i] * v[j]) + std::abs(u[j] * v[i])) * std::abs(w[k]);
  }
  if (std::abs(det) > 16.0 * epsilon * size) return det > 0.0 ? 1 : -1;
  Exact total;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const auto side = [&](Vec3 p, int axis) { return Exact::difference(p[axis], a[axis]); };
    Exact minor = side(b, j) * side(c, i);
    minor = -minor;
    minor += side(b, i) * side(c, j);
    total += minor * side(d, k);
  }
  return total.sign();
}

}  // namespace esi
