// Fields and surfaces: samples stay within their cell's values, surfaces are closed.
#include <algorithm>
#include <set>
#include <utility>

#include "core/field.hpp"
#include "core/surface.hpp"
#include "fuzz/fuzz.hpp"

using namespace esi;
using namespace esi::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in(data, size);
  const std::int64_t shape[3] = {2 + in.below(4), 2 + in.below(4), 2 + in.below(4)};
  const double spacing = 0.001 + in.share();
  const Vec3 origin = in.point();
  std::vector<double> values(static_cast<std::size_t>(shape[0] * shape[1] * shape[2]));
  for (double& v : values) v = std::clamp(in.number(), -1e6, 1e6);
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const DistanceField field(origin, spacing, shape, values);
  for (int n = 0; n < 8; ++n) {
    const Vec3 p =
        in.flag() ? in.point() : origin + Vec3{in.share(), in.share(), in.share()} * (5 * spacing);
    double distance = 0;
    Vec3 outward;
    if (!field.sample(p, &distance, &outward)) {
      FUZZ_CHECK(field.outside(p) >= 0);
      continue;
    }
    const double slack = 1e-12 * (std::abs(*least) + std::abs(*most));
    FUZZ_CHECK(distance >= *least - slack && distance <= *most + slack);
    const double length = norm(outward);
    FUZZ_CHECK(length == 0 || std::abs(length - 1) < 1e-9);
    FUZZ_CHECK(field.outside(p) == 0);
  }
  const Grid grid{{}, {1, 1, 1}, {shape[0], shape[1], shape[2]}};
  const Surface3 found = surface_of(values, grid);
  FUZZ_CHECK(found.normals.size() == found.faces.size());
  std::set<std::pair<std::int32_t, std::int32_t>> edges;
  for (std::size_t f = 0; f < found.faces.size(); f += 3) {
    for (std::size_t k = 0; k < 3; ++k) {
      const auto edge = std::make_pair(found.faces[f + k], found.faces[f + (k + 1) % 3]);
      FUZZ_CHECK(edge.first != edge.second);
      FUZZ_CHECK(edges.insert(edge).second);
    }
  }
  for (const auto& [a, b] : edges) FUZZ_CHECK(edges.count({b, a}) == 1);
  for (const Vec3& v : found.vertices) {
    for (int k = 0; k < 3; ++k) {
      FUZZ_CHECK(v[k] >= 0 && v[k] <= static_cast<double>(shape[k] - 1));
    }
  }
  return 0;
}
