// The order in which to trace many segments so that neighbours meet the same boxes of the
// hierarchy, which then are still in the processor's caches. The answers are the same in any order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/parallel.hpp"
#include "core/types.hpp"

namespace esi {

// Below this many segments the order is not worth its own time.
constexpr std::size_t coherent_minimum = 16384;

// Where a segment lies, coarsely: nearby starts first, among them nearby ends.
class CoherentKey {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  explicit CoherentKey(const Box& bounds) : lower_(bounds.lower) {
    const Vec3 size = bounds.size();
    for (int k = 0; k < 3; ++k) per_cell_[k] = size[k] > 0 ? 1.0 / size[k] : 0.0;
  }

  std::uint32_t operator()(Vec3 start, Vec3 end) const {
    return (cell(start, 4) << 9) | cell(end, 3);
  }

  static constexpr int bits = 21;

 private:
  // Place on the Morton curve through 2^bits cells per axis; points outside count to the nearest.
  std::uint32_t cell(Vec3 p, int cell_bits) const {
    const double cells = 1 << cell_bits;
    std::uint32_t code = 0;
    for (int k = 0; k < 3; ++k) {
      const double x = (p[k] - lower_[k]) * per_cell_[k] * cells;
      const auto i = static_cast<std::uint32_t>(std::min(std::max(x, 0.0), cells - 1));
      for (int b = 0; b < cell_bits; ++b) code |= ((i >> b) & 1U) << (3 * b + k);
    }
    return code;
  }

  Vec3 lower_, per_cell_;
};

// Arrays are read in a scattered order then: each step should ask for what a later one needs.
constexpr std::size_t coherent_ahead = 24;

template <class T>
void prefetch(const T& value) {
  const char* first = reinterpret_cast<const char*>(&value);
  __builtin_prefetch(first);
  if (sizeof(T) > 1) __builtin_prefetch(first + sizeof(T) - 1);
}

// The indices i of keys other than `none`, in order of growing key, then index.
std::vector<std::uint32_t> coherent_order(const std::vector<std::uint32_t>& keys);

}  // namespace esi
