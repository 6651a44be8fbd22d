#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/coherent.hpp"
#include "tests/check.hpp"

using esi::CoherentKey;
using esi::Vec3;

ESI_TEST(the_order_sorts_keys_and_keeps_equals_in_place) {
  std::vector<std::uint32_t> keys;
  std::uint32_t state = 1;
  for (int i = 0; i < 5000; ++i) {
    state = state * 1664525U + 1013904223U;
    keys.push_back(i % 7 == 0 ? CoherentKey::none : (state >> 8) % (1U << CoherentKey::bits));
  }
  keys[10] = keys[20] = keys[15] = 0;
  std::vector<std::uint32_t> expected;
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    if (keys[i] != CoherentKey::none) expected.push_back(i);
  }
  std::stable_sort(expected.begin(), expected.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
  CHECK(esi::coherent_order(keys) == expected);
  CHECK(esi::coherent_order({}).empty());
}

ESI_TEST(keys_are_places_and_outside_counts_as_the_border) {
  esi::Box box;
  box.extend(Vec3{-1, 0, 0});
  box.extend(Vec3{1, 4, 0});  // flat: every z is in the one cell
  const CoherentKey key(box);
  CHECK_EQUAL(key({-1, 0, 0}, {-1, 0, 0}), 0U);
  CHECK_EQUAL(key({-5, -1, 9}, {-1, 0, -7}), 0U);
  CHECK(key({1, 4, 0}, {1, 4, 0}) < (1U << CoherentKey::bits));
  CHECK_EQUAL(key({1, 4, 0}, {0, 0, 0}), key({7, 8, 0}, {0, 0, 0}));
  // the first axis changes the lowest bit of a start's place, above the nine bits of the end
  CHECK_EQUAL(key({-0.8, 0, 0}, {-1, 0, 0}), 1U << 9);
}
