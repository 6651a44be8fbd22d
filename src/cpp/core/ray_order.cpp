#include "core/ray_order.hpp"

#include <array>
#include <utility>

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
      // Points outside the frame go to the outermost cells. (fmin and fmax would be calls.)
      return static_cast<std::size_t>(c < 0 ? 0 : c > cells - 1 ? cells - 1 : c);
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
  constexpr int passes = 6 * cell_bits / digit_bits;
  const auto digit = [](const Entry& e, int pass) {
    return e.key >> (pass * digit_bits) & (digits - 1);
  };
  std::array<std::array<std::uint32_t, digits>, passes> begin{};
  for (const Entry& e : entries) {
    for (int pass = 0; pass < passes; ++pass) ++begin[pass][digit(e, pass)];
  }
  for (auto& counts : begin) {
    std::uint32_t sum = 0;
    for (std::uint32_t& slot : counts) sum += std::exchange(slot, sum);
  }
  for (int pass = 0; pass + 1 < passes; ++pass) {
    for (const Entry& e : entries) sorted[begin[pass][digit(e, pass)]++] = e;
    entries.swap(sorted);
  }
  std::vector<std::uint32_t> order(count);
  for (const Entry& e : entries) order[begin[passes - 1][digit(e, passes - 1)]++] = e.index;
  return order;
}

}  // namespace esi
