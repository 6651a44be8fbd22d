#include "core/coherent.hpp"

#include <array>
#include <string>

#include "core/error.hpp"

namespace esi {

std::vector<std::uint32_t> coherent_order(const std::vector<std::uint32_t>& keys) {
  if (keys.size() >= std::numeric_limits<std::uint32_t>::max()) {
    bad_argument("keys", "fewer than 2^32 - 1 items", std::to_string(keys.size()));
  }
  struct Item {
    std::uint32_t key, index;
  };
  std::vector<Item> items;
  items.reserve(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i] != CoherentKey::none) items.push_back({keys[i], static_cast<std::uint32_t>(i)});
  }
  // Radix sort, least digit first: stable, so equal keys stay in order of their index.
  constexpr int digit = 11;
  std::vector<Item> sorted(items.size());
  for (int shift = 0; shift < CoherentKey::bits; shift += digit) {
    const auto digit_of = [&](const Item& item) {
      return (item.key >> shift) & ((1U << digit) - 1);
    };
    std::array<std::uint32_t, 1U << digit> place{};
    for (const Item& item : items) ++place[digit_of(item)];
    std::uint32_t sum = 0;
    for (std::uint32_t& p : place) {
      const std::uint32_t count = p;
      p = sum;
      sum += count;
    }
    for (const Item& item : items) sorted[place[digit_of(item)]++] = item;
    items.swap(sorted);
  }
  std::vector<std::uint32_t> order;
  order.reserve(items.size());
  for (const Item& item : items) order.push_back(item.index);
  return order;
}

}  // namespace esi
