// Sixteen lanes at a time: plain loops over fixed arrays, which the compiler turns into vector
// code.
//
// Everything here must inline into a function marked ESI_CLONES to profit from wider
// registers. Without contraction and reassociation all clones give the same bits.
#pragma once

#include <cstdint>

#include "core/clones.hpp"

namespace esi::picture {

constexpr int kLanes = 16;

struct alignas(64) F16 {
  float v[kLanes];
  float& operator[](int i) { return v[i]; }
  float operator[](int i) const { return v[i]; }
};

struct alignas(64) D16 {
  double v[kLanes];
  double& operator[](int i) { return v[i]; }
  double operator[](int i) const { return v[i]; }
};

struct alignas(64) I16 {
  std::int32_t v[kLanes];
  std::int32_t& operator[](int i) { return v[i]; }
  std::int32_t operator[](int i) const { return v[i]; }
};

template <class T>
ESI_INLINE T min2(T a, T b) {
  return a < b ? a : b;
}
template <class T>
ESI_INLINE T max2(T a, T b) {
  return a > b ? a : b;
}
ESI_INLINE float clamp01(float x) { return min2(max2(x, 0.0f), 1.0f); }
ESI_INLINE float mix(float a, float b, float t) { return a + (b - a) * t; }

// A whole number as an integer. Anything outside, NaN too, becomes the nearest end.
ESI_INLINE std::int32_t integer(float x) {
  return static_cast<std::int32_t>(min2(max2(x, -1e9f), 1e9f));
}

// floor() without a library call, so that it vectorises everywhere.
ESI_INLINE float floor_fast(float x) {
  const float t = static_cast<float>(integer(x));
  const float below = t - (t > x ? 1.0f : 0.0f);
  // From 2^23 on there are no fractions.
  return (x < 8388608.0f) & (x > -8388608.0f) ? below : x;
}

ESI_INLINE float smooth01(float t) {
  t = clamp01(t);
  return t * t * (3.0f - 2.0f * t);
}

}  // namespace esi::picture
