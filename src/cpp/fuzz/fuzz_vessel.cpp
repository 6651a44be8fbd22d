// Vessels: boxes that overlap in any way hold no more than their box, at any spacing, and what
// stands in columns sums to the capacity.
#include "core/vessel.hpp"
#include "fuzz/fuzz.hpp"

using namespace esi;
using namespace esi::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in(data, size);
  std::vector<Triangle> triangles;
  Box bounds;
  for (int n = 1 + in.below(6); n > 0; --n) {
    const Vec3 a{in.share(), in.share(), in.share()}, b{in.share(), in.share(), in.share()};
    if (a.x == b.x || a.y == b.y || a.z == b.z) continue;
    const Shape box = box_shape(min(a, b), max(a, b));
    for (std::size_t f = 0; f < box.face_count(); ++f) {
      const auto at = [&](std::size_t k) {
        return box.vertices[static_cast<std::size_t>(box.faces[3 * f + k])];
      };
      triangles.push_back({at(0), at(1), at(2)});
      bounds.extend(triangles.back().box());
    }
  }
  const double spacing = 0.02 + 0.5 * in.share();
  const Span<const Triangle> all{triangles.data(), triangles.size()};
  const Capacity found = vessel_capacity(all, spacing);
  const Pools pools = vessel_pools(all, spacing);
  double sum = 0;
  for (const Pool& pool : pools.all) {
    FUZZ_CHECK(pool.high > pool.low);
    FUZZ_CHECK(pool.low >= bounds.lower.z - 1e-9 && pool.high <= bounds.upper.z + 1e-9);
    sum += pool.high - pool.low;
  }
  if (triangles.empty()) {
    FUZZ_CHECK(found.volume == 0 && pools.all.empty());
    return 0;
  }
  const Vec3 extent = bounds.size();
  FUZZ_CHECK(found.volume >= 0);
  FUZZ_CHECK(found.volume <= extent.x * extent.y * extent.z * (1 + 1e-9));
  FUZZ_CHECK(std::abs(sum * pools.step[0] * pools.step[1] - found.volume) < 1e-9);
  FUZZ_CHECK(std::isnan(found.level) == (found.volume == 0));
  return 0;
}
