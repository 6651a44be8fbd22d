#include "core/ray_order.hpp"

#include <array>
#include <cmath>

#include "core/parallel.hpp"

namespace esi {
namespace {

constexpr int cell_bits = 5;  // per axis, for start and end: keys of 30 bits
constexpr int digit_bits = 10;
constexpr std::size_t digits = std::size_t{1} << digit_bits;

// Spreads the five bits of a cell to every sixth bit of a key.
constexpr std::array<std::uint32_t, 1 << cell_bits> spread = [] {
  std::array<std::uint32_t, 1 << cell_bits> table{};
  for (std::uint32_t cell = 0; cell < table.size(); ++cell) {
    for (int bit = 0; bit < cell_bits; ++bit) table[cell] |= (cell >> bit & 1) << (6 * bit);
  }
  return table;
}();

}  // namespace

std::vector<std::uint32_t> coherent_order(const Frame& frame, std::size_t count, Rows<Vec3> starts,
                                          Rows<Vec3> ends, int threads) {
  struct Entry {
    std::uint32_t key, index;
  };
  std::vector<Entry> entries(count), sorted(count);
  constexpr double cells = 1 << cell_bits;
  const double scale = 0.5 * cells / frame.reach;
  parallel_for(count, 16384, threads, [&](std::size_t first, std::size_t last) {
    const auto cell = [&](double x, double center) {
      const double c = (x - center) * scale + 0.5 * cells;
      return static_cast<std::size_t>(std::fmin(std::fmax(c, 0.0), cells - 1));
    };
    for (std::size_t i = first; i < last; ++i) {
      std::uint32_t key = 0;
      for (int k = 0; k < 3; ++k) {
        const double center = frame.center[k];
        key |= spread[cell(starts[i][k], center)] << (2 * k + 1);
        key |= spread[cell(ends[i][k], center)] << (2 * k);
      }
      entries[i] = {key, static_cast<std::uint32_t>(i)};
    }
  });
  for (int shift = 0; shift < 6 * cell_bits; shift += digit_bits) {
    std::array<std::size_t, digits + 1> begin{};
    for (const Entry& e : entries) ++begin[(e.key >> shift & (digits - 1)) + 1];
    for (std::size_t d = 0; d < digits; ++d) begin[d + 1] += begin[d];
    for (const Entry& e : entries) sorted[begin[e.key >> shift & (digits - 1)]++] = e;
    entries.swap(sorted);
  }
  std::vector<std::uint32_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = entries[i].index;
  return order;
}

}  // namespace esi
