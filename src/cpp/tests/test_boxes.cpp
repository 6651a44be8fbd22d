#include <cmath>
#include <utility>
#include <vector>

#include "core/boxes.hpp"
#include "tests/check.hpp"

namespace boxes = esi::boxes;
using esi::Box;
using esi::Vec3;

namespace {

Box box(Vec3 lower, Vec3 size) { return {lower, lower + size}; }

// Small numbers from -1 to 1, the same every time.
struct Numbers {
  std::uint64_t state = 7;
  double next() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 40) / (1 << 23) - 1;
  }
  Vec3 vector() {
    const double x = next(), y = next();
    return {x, y, next()};
  }
};

std::vector<Box> some(Numbers& numbers, int count, double size) {
  std::vector<Box> all;
  for (int i = 0; i < count; ++i) {
    const Vec3 v = numbers.vector() * size;
    all.push_back(box(numbers.vector(), {std::abs(v.x), std::abs(v.y), std::abs(v.z)}));
  }
  return all;
}

}  // namespace

ESI_TEST(two_boxes_touch_overlap_or_are_apart) {
  const Box unit = box({0, 0, 0}, {1, 1, 1});
  const Box beside = box({1, 0.5, 0}, {1, 1, 1});
  CHECK(boxes::overlap(unit, beside, 0));
  CHECK(!boxes::overlap(unit, beside, -1e-12));
  CHECK(boxes::contact(unit, beside, 0));
  CHECK((boxes::gap(unit, beside) == Vec3{0, -0.5, -1}));
  CHECK_EQUAL(boxes::distance(unit, box({4, 5, 0}, {1, 1, 1})), 5.0);
  CHECK_EQUAL(boxes::overlap_volume(unit, box({0.5, 0.5, 0.5}, {1, 1, 1})), 0.125);
  // 2^-600 * 2^-600 is no number, the volume is; whichever side is the long one.
  for (int k = 0; k < 3; ++k) {
    const double tiny = 0x1p-600, huge = 0x1p900;
    const Vec3 side{k == 0 ? huge : tiny, k == 1 ? huge : tiny, k == 2 ? huge : tiny};
    CHECK_EQUAL(boxes::overlap_volume(box({0, 0, 0}, side), box({0, 0, 0}, side)), 0x1p-300);
  }
  CHECK_NEAR(boxes::iou(unit, box({0.5, 0, 0}, {1, 1, 1}), 3), 1.0 / 3, 1e-15);
  CHECK_EQUAL(boxes::iou(box({0, 0, 0}, {}), box({0, 0, 0}, {}), 3), 0.0);
  CHECK(boxes::contains(unit, unit, 0));
  CHECK(boxes::supports(unit, box({0.25, 0.25, 1}, {0.5, 0.5, 0.5}), 0.02, 0.1));
}

ESI_TEST(turned_boxes_part_along_the_best_axis) {
  const double straight[4] = {0, 0, 0, 1};
  const double turned[4] = {0, 0, std::sin(std::atan(1.0) / 2), std::cos(std::atan(1.0) / 2)};
  const boxes::Obb unit({0, 0, 0}, straight, {1, 1, 1});
  const boxes::Obb diamond({0.5 + std::sqrt(0.5) + 0.25, 0, 0}, turned, {1, 1, 1});
  CHECK_NEAR(boxes::separation(unit, diamond), 0.25, 1e-12);
  CHECK_NEAR(boxes::separation(unit, unit), -1, 1e-12);
  CHECK(unit.contains(unit.corner(7), 0));
  CHECK(!unit.contains({0.5001, 0, 0}, 1e-6));
}

ESI_TEST(pairs_are_those_of_all_against_all) {
  Numbers numbers;
  for (const double size : {0.0, 0.05, 0.5, 4.0}) {
    const auto a = some(numbers, 300, size), b = some(numbers, 200, size);
    for (const double tolerance : {0.0, 0.02}) {
      std::vector<boxes::Pair> own, between, inside;
      for (std::int64_t i = 0; i < 300; ++i) {
        for (std::int64_t j = i + 1; j < 300; ++j) {
          if (boxes::overlap(a[i], a[j], tolerance)) own.push_back({i, j});
        }
        for (std::int64_t j = 0; j < 200; ++j) {
          if (boxes::overlap(a[i], b[j], tolerance)) between.push_back({i, j});
          if (boxes::contains(a[i], b[j], tolerance)) inside.push_back({i, j});
        }
      }
      const auto check = [](const esi::RawVector<boxes::Pair>& got,
                            const std::vector<boxes::Pair>& expected) {
        CHECK_EQUAL(got.size(), expected.size());
        for (std::size_t k = 0; k < std::min(got.size(), expected.size()); ++k) {
          CHECK_EQUAL(got[k].first, expected[k].first);
          CHECK_EQUAL(got[k].second, expected[k].second);
        }
      };
      for (const int threads : {1, 3}) {
        check(boxes::overlap_pairs(a, tolerance, threads), own);
        check(boxes::overlap_pairs(a, b, tolerance, threads), between);
        check(boxes::containment_pairs(a, b, tolerance, threads), inside);
      }
    }
  }
}

// Enough boxes for several pieces of everything that is shared out: cells of a block, which touch
// their up to 26 neighbours. Each axis of n cells has n + 2 (n - 1) ordered pairs that meet.
ESI_TEST(many_boxes_are_shared_out_and_come_together) {
  const std::int64_t n = 40, m = 25;
  std::vector<Box> cells;
  const auto place = [](std::int64_t k) { return static_cast<double>(k); };
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      for (std::int64_t k = 0; k < m; ++k) {
        cells.push_back(box({place(i), place(j), place(k)}, {1, 1, 1}));
      }
    }
  }
  const std::int64_t ordered = (3 * n - 2) * (3 * n - 2) * (3 * m - 2);
  for (const int threads : {1, 2, 5}) {
    const auto own = boxes::overlap_pairs(cells, 0, threads);
    CHECK_EQUAL(static_cast<std::int64_t>(own.size()), (ordered - n * n * m) / 2);
    const auto both = boxes::overlap_pairs(cells, cells, 0, threads);
    CHECK_EQUAL(static_cast<std::int64_t>(both.size()), ordered);
    const auto inside = boxes::containment_pairs(cells, cells, 0, threads);
    CHECK_EQUAL(static_cast<std::int64_t>(inside.size()), n * n * m);
    int wrong = 0;
    for (std::size_t k = 0; k < both.size(); ++k) {
      const boxes::Pair pair = both[k];
      if (!boxes::overlap(cells[static_cast<std::size_t>(pair.first)],
                          cells[static_cast<std::size_t>(pair.second)], 0)) {
        ++wrong;
      }
      if (k > 0) {
        const boxes::Pair before = both[k - 1];
        if (std::make_pair(before.first, before.second) >=
            std::make_pair(pair.first, pair.second)) {
          ++wrong;
        }
      }
    }
    CHECK_EQUAL(wrong, 0);
  }
}
