// Components and graph of particles against all pairs.
#include <algorithm>
#include <numeric>

#include "core/particles.hpp"
#include "fuzz/fuzz.hpp"

using namespace esi;
using namespace esi::fuzz;

namespace {

int root(std::vector<int>& parent, int i) {
  while (parent[static_cast<std::size_t>(i)] != i) i = parent[static_cast<std::size_t>(i)];
  return i;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in(data, size);
  std::vector<Vec3> points;
  const int kind = in.below(3), count = in.below(60);
  const Vec3 origin = kind == 2 ? in.place() : Vec3{};
  for (int i = 0; i < count; ++i) {
    if (kind == 0) {
      points.push_back(in.wild_point());
    } else {
      points.push_back(origin + Vec3{in.below(6) / 8.0, in.below(6) / 8.0, in.below(4) / 8.0});
    }
  }
  Reach reach;
  reach.radius = in.flag() ? 0.125 : std::abs(in.number());
  if (!(reach.radius >= 1e-150) || reach.radius > 1e150) reach.radius = 0.25;
  reach.tolerance = in.flag() ? -1 : 1e-6 * reach.radius;
  ParticleComponents found = components(points, reach, 1 + in.below(2));
  const RadiusGraph graph = radius_graph(points, reach, 1);
  const auto n = points.size();
  FUZZ_CHECK(found.labels.size() == n && graph.offsets.size() == n + 1);
  FUZZ_CHECK(found.dropped == graph.dropped);
  const auto linked = [&](std::size_t i, std::size_t j) {
    const auto* from = graph.neighbours.data();
    return std::binary_search(from + graph.offsets[i], from + graph.offsets[i + 1],
                              static_cast<std::int32_t>(j));
  };
  std::vector<int> parent(n);
  std::iota(parent.begin(), parent.end(), 0);
  std::int64_t dropped = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const bool there = is_finite(points[i]);
    dropped += there ? 0 : 1;
    FUZZ_CHECK(there == (found.labels[i] >= 0));
    FUZZ_CHECK(!linked(i, i));
    if (!there) FUZZ_CHECK(graph.offsets[i] == graph.offsets[i + 1]);
    for (std::size_t j = 0; j < n && there; ++j) {
      if (j == i) continue;
      FUZZ_CHECK(linked(i, j) == linked(j, i));
      if (linked(i, j)) {
        parent[static_cast<std::size_t>(root(parent, static_cast<int>(i)))] =
            root(parent, static_cast<int>(j));
      }
      if (!is_finite(points[j])) {
        FUZZ_CHECK(!linked(i, j));
        continue;
      }
      // Sure on either side of what the tolerance may be at most.
      const Real apart = norm(Wide(points[i]) - Wide(points[j]));
      if (apart <= reach.radius) FUZZ_CHECK(linked(i, j));
      if (apart > reach.radius * (1 + 1.1e-4L) + 1e-300L) FUZZ_CHECK(!linked(i, j));
    }
  }
  FUZZ_CHECK(found.dropped == dropped);
  std::vector<std::int64_t> sizes(found.sizes.size());
  std::int32_t next = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (found.labels[i] < 0) continue;
    FUZZ_CHECK(found.labels[i] <= next);
    if (found.labels[i] == next) ++next;
    ++sizes[static_cast<std::size_t>(found.labels[i])];
    for (std::size_t j = 0; j < i; ++j) {
      if (found.labels[j] < 0) continue;
      const bool together = root(parent, static_cast<int>(i)) == root(parent, static_cast<int>(j));
      FUZZ_CHECK(together == (found.labels[i] == found.labels[j]));
    }
  }
  FUZZ_CHECK(sizes == found.sizes);
  FUZZ_CHECK((found.largest < 0) == sizes.empty());
  if (!sizes.empty()) {
    FUZZ_CHECK(std::max_element(sizes.begin(), sizes.end()) - sizes.begin() == found.largest);
  }
  return 0;
}
