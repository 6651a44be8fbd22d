// Relations among points: finite where they may be, and the same however the points are named.
#include <algorithm>

#include "core/relations.hpp"
#include "fuzz/fuzz.hpp"

using namespace esi;
using namespace esi::fuzz;
using namespace esi::relations;

namespace {

void check_three(const Vec3* p) {
  const Collinearity line = collinearity(p);
  FUZZ_CHECK(line.middle >= 0 && line.middle < 3 && line.length >= 0);
  FUZZ_CHECK((line.status == Status::degenerate) == std::isnan(line.offset));
  const Wide a(p[(line.middle + 1) % 3]), b(p[(line.middle + 2) % 3]), m(p[line.middle]);
  const Real base = norm(b - a);
  // Denormal numbers have fewer digits.
  const Real size = std::max({largest(p[0]), largest(p[1]), largest(p[2]), Real{1e-290L}});
  // The middle one is opposite the longest side.
  FUZZ_CHECK(base >= std::max(norm(m - a), norm(m - b)) - 1e-14L * size);
  FUZZ_CHECK(std::abs(line.length - base) <= 1e-14L * size);
  if (line.status == Status::ok) {
    const Real offset = norm(cross(b - a, m - a)) / base;
    FUZZ_CHECK(std::abs(line.offset - offset) <= 1e-12L * size);
  }
  const TriangleRule rule{0.02, 0.15, 1e-6};
  const Triangle one = triangle(p, rule);
  FUZZ_CHECK((one.kind == TriangleKind::undecided) == (one.status != Status::ok));
  if (size <= 1e-290L) return;
  // Names do not matter.
  const Vec3 turned[3] = {p[1], p[2], p[0]}, swapped[3] = {p[1], p[0], p[2]};
  FUZZ_CHECK(triangle(turned, rule).kind == one.kind);
  FUZZ_CHECK(triangle(swapped, rule).kind == one.kind);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in(data, size);
  const Vec3 p[3] = {in.place(), in.place(), in.place()};
  check_three(p);

  std::vector<Vec3> candidates;
  for (int i = 1 + in.below(8); i > 0; --i) candidates.push_back(in.place());
  std::vector<double> distances(candidates.size());
  const double gap = in.share(), ratio = in.share();
  const Nearest found =
      nearest(p[0], candidates.data(), candidates.size(), gap, ratio, distances.data());
  FUZZ_CHECK((found.which < 0) == (found.status == Status::tie));
  Real scale = std::max(largest(p[0]), Real{1e-290L});
  for (const Vec3& c : candidates) scale = std::max(scale, largest(c));
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    FUZZ_CHECK(std::abs(distances[k] - norm(Wide(candidates[k]) - Wide(p[0]))) <= 1e-14L * scale);
    if (found.which < 0 || k == static_cast<std::size_t>(found.which)) continue;
    FUZZ_CHECK(distances[k] > distances[static_cast<std::size_t>(found.which)]);
  }
  FUZZ_CHECK(candidates.size() == 1 ? found.margin == kInfinity : std::isfinite(found.margin));

  const double before = in.number(), after = in.number(), guard = 20 * in.share();
  const Turn ahead = turn(before, after, guard), back = turn(after, before, guard);
  FUZZ_CHECK((ahead == Turn::left) == (back == Turn::right));
  FUZZ_CHECK((ahead == Turn::right) == (back == Turn::left));
  FUZZ_CHECK((ahead == Turn::straight) == (back == Turn::straight));
  FUZZ_CHECK(turn(before, before, std::min(guard, 40.0)) == Turn::straight);

  Pinhole camera;
  camera.position = in.place();
  camera.backward = in.direction();
  const Vec3 away = std::abs(camera.backward.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  camera.right = normalized(cross(away, camera.backward));
  camera.focal = 1 + in.byte();
  camera.width = 1 + in.byte();
  camera.middle = 0.5 * camera.width;
  std::vector<double> columns(candidates.size());
  std::vector<std::int64_t> ranks(candidates.size());
  const Status status =
      left_to_right(camera, candidates, in.share() * 10, columns.data(), ranks.data());
  bool all_in_front = true;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    all_in_front &= !std::isnan(columns[k]);
    FUZZ_CHECK((ranks[k] < 0) == (status != Status::ok));
  }
  FUZZ_CHECK(all_in_front == (status != Status::not_in_front));
  if (status == Status::ok) {
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      for (std::size_t j = 0; j < ranks.size(); ++j) {
        FUZZ_CHECK((columns[i] < columns[j]) == (ranks[i] < ranks[j]));
      }
    }
  }
  return 0;
}
