// A stable sort by unsigned keys of known width, the same for any number of threads.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "core/raw_vector.hpp"

namespace esi {

template <class Key>
struct Keyed {
  Key key;
  std::uint32_t index;
};

// `counts` holds how many items each piece has for each of `slots` places, piece after piece; it is
// turned into where the next of them goes, places in order and pieces in order within a place.
// Returns how many items there are.
template <class Count>
Count to_starts(std::vector<Count>& counts, std::size_t slots) {
  Count sum = 0;
  for (std::size_t slot = 0; slot < slots; ++slot) {
    for (std::size_t at = slot; at < counts.size(); at += slots) {
      sum += std::exchange(counts[at], sum);
    }
  }
  return sum;
}

// Sorts by the lowest `bits` bits of the keys, which hold all that differs.
template <class Key>
void radix_sort(RawVector<Keyed<Key>>& entries, int bits, int threads) {
  constexpr int most = 11;          // counters of one pass fit in the first-level cache
  constexpr std::size_t few = 256;  // cheaper than going through the counters
  if (entries.size() < few) {
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Keyed<Key>& a, const Keyed<Key>& b) { return a.key < b.key; });
    return;
  }
  const int passes = std::max(1, (bits + most - 1) / most);
  const int width = (bits + passes - 1) / passes;
  const std::size_t digits = std::size_t{1} << width;
  const std::size_t n = entries.size();
  const std::size_t grain = std::max(n / 64 + 1, std::size_t{16384});
  const std::size_t pieces = n / grain + 1;
  RawVector<Keyed<Key>> sorted(n);
  std::vector<std::uint32_t> begin(pieces * digits);
  for (int pass = 0; pass < passes && bits > 0; ++pass) {
    const int shift = pass * width;
    const auto digit = [&](const Keyed<Key>& e) {
      return static_cast<std::size_t>(e.key >> shift) & (digits - 1);
    };
    std::fill(begin.begin(), begin.end(), 0u);
    parallel_for(n, grain, threads, [&](std::size_t first, std::size_t last) {
      std::uint32_t* count = begin.data() + first / grain * digits;
      for (std::size_t i = first; i < last; ++i) ++count[digit(entries[i])];
    });
    to_starts(begin, digits);
    parallel_for(n, grain, threads, [&](std::size_t first, std::size_t last) {
      std::uint32_t* next = begin.data() + first / grain * digits;
      for (std::size_t i = first; i < last; ++i) sorted[next[digit(entries[i])]++] = entries[i];
    });
    entries.swap(sorted);
  }
}

}  // namespace esi
