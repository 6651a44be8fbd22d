#include <cmath>
#include <limits>
#include <vector>

#include "core/particles.hpp"
#include "core/radix.hpp"
#include "tests/check.hpp"

using esi::components;
using esi::radius_graph;
using esi::Vec3;

namespace {

std::vector<Vec3> lattice(int n, double spacing) {
  std::vector<Vec3> points;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k) points.push_back({i * spacing, j * spacing, k * spacing});
    }
  }
  return points;
}

}  // namespace

ESI_TEST(labels_follow_the_first_members) {
  const std::vector<Vec3> points = {{5, 0, 0}, {0, 0, 0}, {5.5, 0, 0}, {0, 0.5, 0}, {9, 9, 9}};
  const auto found = components(points, {0.5}, 1);
  CHECK((found.labels == esi::RawVector<std::int32_t>{0, 1, 0, 1, 2}));
  CHECK((found.sizes == std::vector<std::int64_t>{2, 2, 1}));
}

ESI_TEST(a_lattice_is_one_component_at_its_spacing_only) {
  for (const double spacing : {0.1, 0.02, 1.0 / 3}) {
    const auto points = lattice(10, spacing);
    CHECK_EQUAL(components(points, {spacing}, 2).sizes.size(), 1u);
    CHECK_EQUAL(components(points, {spacing * 0.999}, 2).sizes.size(), 1000u);
    CHECK_EQUAL(radius_graph(points, {spacing}, 2).neighbours.size(), 2u * 3 * 100 * 9);
  }
}

ESI_TEST(nothing_and_nowhere) {
  CHECK(components({}, {1}, 1).sizes.empty());
  CHECK((radius_graph({}, {1}, 1).offsets == std::vector<std::int64_t>{0}));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Vec3> points = {{nan, 0, 0}, {nan, 0, 0}};
  const auto found = components(points, {1}, 1);
  CHECK((found.labels == esi::RawVector<std::int32_t>{-1, -1}));
  CHECK_EQUAL(found.dropped, 2);
}

ESI_TEST(numbers_at_both_ends_of_the_range) {
  const double huge = std::numeric_limits<double>::max();
  const double tiny = std::numeric_limits<double>::denorm_min();
  const std::vector<Vec3> points = {{huge, -huge, 0},    {-huge, huge, 0}, {0, 0, 0},
                                    {tiny, tiny, -tiny}, {huge, -huge, 0}, {1e150, 0, 0}};
  for (const double radius : {1e-150, 1.0}) {
    const auto found = components(points, {radius}, 1);
    CHECK((found.labels == esi::RawVector<std::int32_t>{0, 1, 2, 2, 0, 3}));
  }
  CHECK((components(points, {1e150}, 1).labels == esi::RawVector<std::int32_t>{0, 1, 2, 2, 0, 2}));
  CHECK_THROWS(components(points, {1e-151}, 1), std::invalid_argument);
  CHECK_THROWS(components(points, {huge}, 1), std::invalid_argument);
}

ESI_TEST(every_width_of_key_gives_the_same_components) {
  auto points = lattice(8, 1);
  const auto base = components(points, {1}, 2);
  CHECK_EQUAL(base.sizes.size(), 1u);
  for (const double far : {1e5, 1e8, 1e200}) {  // 64 bits, then 128
    points.push_back({far, far, -far});
    const auto found = components(points, {1}, 2);
    CHECK_EQUAL(found.sizes[0], 512);
    CHECK_EQUAL(found.sizes.size(), points.size() - 511);
  }
}

ESI_TEST(radix_sort_is_stable_for_any_number_of_threads) {
  esi::RawVector<esi::Keyed<std::uint64_t>> entries;
  std::uint64_t state = 1;
  for (std::uint32_t i = 0; i < 200000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    entries.push_back({state >> 27 & ((std::uint64_t{1} << 13) - 1), i});
  }
  auto one = entries, four = entries;
  esi::radix_sort(one, 13, 1);
  esi::radix_sort(four, 13, 4);
  for (std::size_t i = 0; i < one.size(); ++i) {
    CHECK(one[i].index == four[i].index);
    const bool ordered = i == 0 || one[i - 1].key < one[i].key ||
                         (one[i - 1].key == one[i].key && one[i - 1].index < one[i].index);
    CHECK(ordered);
  }
}
