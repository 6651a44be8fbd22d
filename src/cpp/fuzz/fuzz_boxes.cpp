// All pairs against the functions for one pair, and those against their definitions.
#include <algorithm>

#include "core/boxes.hpp"
#include "fuzz/fuzz.hpp"

using namespace esi;
using namespace esi::fuzz;

namespace {

Box box(Input& in) {
  const Vec3 a = in.place(), b = in.place();
  return {min(a, b), max(a, b)};
}

bool operator==(boxes::Pair a, boxes::Pair b) { return a.first == b.first && a.second == b.second; }

template <class Holds>
void check_pairs(const RawVector<boxes::Pair>& found, std::size_t n, std::size_t m, bool own,
                 Holds holds) {
  std::vector<boxes::Pair> expected;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = own ? i + 1 : 0; j < m; ++j) {
      if (holds(i, j)) {
        expected.push_back({static_cast<std::int64_t>(i), static_cast<std::int64_t>(j)});
      }
    }
  }
  FUZZ_CHECK(found.size() == expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) FUZZ_CHECK(found[k] == expected[k]);
}

void check_two(const Box& a, const Box& b) {
  Real apart = 0, common = 1, volume_a = 1, volume_b = 1;
  for (int k = 0; k < 3; ++k) {
    const Real gap = std::max(Real{b.lower[k]} - a.upper[k], Real{a.lower[k]} - b.upper[k]);
    apart += std::max(gap, Real{0}) * std::max(gap, Real{0});
    common *= std::max(
        std::min(Real{a.upper[k]}, Real{b.upper[k]}) - std::max(Real{a.lower[k]}, Real{b.lower[k]}),
        Real{0});
    volume_a *= Real{a.upper[k]} - a.lower[k];
    volume_b *= Real{b.upper[k]} - b.lower[k];
  }
  const Real size =
      std::max({largest(a.lower), largest(a.upper), largest(b.lower), largest(b.upper)});
  // To within the smallest number there is.
  FUZZ_CHECK(std::abs(boxes::distance(a, b) - std::sqrt(apart)) <= 1e-14L * size + 0x1p-1074L);
  FUZZ_CHECK(boxes::distance(a, b) == boxes::distance(b, a));
  FUZZ_CHECK(boxes::overlap(a, b, 0) == (apart == 0));
  FUZZ_CHECK(std::abs(boxes::overlap_volume(a, b) - common) <= 1e-14L * (common + 1e-300L));
  const double share = boxes::iou(a, b, 3);
  FUZZ_CHECK(share >= 0 && share <= 1 && std::isfinite(boxes::iou(a, b, 2)));
  if (volume_a + volume_b - common > 1e-250L) {
    FUZZ_CHECK(std::abs(share - common / (volume_a + volume_b - common)) <= 1e-9L);
  }
  if (boxes::contains(a, b, 0)) FUZZ_CHECK(boxes::overlap(a, b, 0));
}

void check_turned(Input& in) {
  const auto obb = [&] {
    double q[4];
    double length = 0;
    for (double& x : q) {
      x = (in.byte() - 128) / 16.0;
      length += x * x;
    }
    if (length == 0) q[3] = 1;
    const Vec3 center{(in.byte() - 128) / 16.0, (in.byte() - 128) / 16.0, (in.byte() - 128) / 16.0};
    const Vec3 size{in.byte() / 16.0, in.byte() / 16.0, in.byte() / 16.0};
    return boxes::Obb(center, q, size);
  };
  const boxes::Obb a = obb(), b = obb();
  const double gap = boxes::separation(a, b);
  FUZZ_CHECK(std::isfinite(gap) && std::abs(gap - boxes::separation(b, a)) < 1e-9);
  // A corner of one well inside the other means that no axis separates them; and no axis does by
  // more than the smallest distance of corners.
  double least = kInfinity;
  for (int i = 0; i < 8; ++i) {
    FUZZ_CHECK(a.contains(a.corner(i), 1e-9));
    if (b.contains(a.corner(i), -1e-9)) FUZZ_CHECK(gap <= 1e-9);
    for (int j = 0; j < 8; ++j) least = std::min(least, esi::norm(a.corner(i) - b.corner(j)));
  }
  FUZZ_CHECK(gap <= least + 1e-9);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in(data, size);
  std::vector<Box> a, b;
  for (int i = in.below(24); i > 0; --i) a.push_back(box(in));
  for (int i = in.below(24); i > 0; --i) b.push_back(box(in));
  // Many equal ones, which sort as ties.
  for (int i = in.below(8); i > 0 && !a.empty(); --i) b.push_back(a.front());
  const double tolerance = in.flag() ? 0 : (in.byte() - 128) / 64.0;
  const int threads = 1 + in.below(2);
  check_pairs(boxes::overlap_pairs(a, tolerance, threads), a.size(), a.size(), true,
              [&](std::size_t i, std::size_t j) { return boxes::overlap(a[i], a[j], tolerance); });
  check_pairs(boxes::overlap_pairs(a, b, tolerance, threads), a.size(), b.size(), false,
              [&](std::size_t i, std::size_t j) { return boxes::overlap(a[i], b[j], tolerance); });
  const double slack = std::abs(tolerance);
  check_pairs(boxes::containment_pairs(a, b, slack, threads), a.size(), b.size(), false,
              [&](std::size_t i, std::size_t j) { return boxes::contains(a[i], b[j], slack); });
  for (std::size_t i = 0; i < std::min<std::size_t>(a.size(), b.size()); ++i) check_two(a[i], b[i]);
  check_turned(in);
  return 0;
}
