// Sums, differences and products together with what rounding took from them. See Shewchuk,
// "Adaptive precision floating-point arithmetic and fast robust geometric predicates" (1997).
#pragma once

namespace esi {

// value + error is the exact result, for parts whose size is 0 or between 1e-140 and 1e290.
struct Rounded {
  double value, error;
};

inline Rounded exact_sum(double a, double b) {
  const double s = a + b;
  const double bb = s - a;
  return {s, (a - (s - bb)) + (b - bb)};
}

inline Rounded exact_difference(double a, double b) { return exact_sum(a, -b); }

inline Rounded exact_product(double a, double b) {
  const auto high = [](double v) {
    const double c = 134217729.0 * v;  // 2^27 + 1
    return c - (c - v);
  };
  const double p = a * b;
  const double ah = high(a), bh = high(b);
  const double al = a - ah, bl = b - bh;
  return {p, al * bl - (((p - ah * bh) - al * bh) - ah * bl)};
}

}  // namespace esi
