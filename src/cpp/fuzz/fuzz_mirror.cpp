// Sight by way of a mirror against its definition: the image behind the mirror, and two legs.
#include <algorithm>

#include "core/mirror.hpp"
#include "fuzz/fuzz.hpp"

using namespace esi;
using namespace esi::fuzz;

namespace {

Mirror mirror(Input& in) {
  Mirror out;
  out.center = in.place();
  out.normal = in.direction();
  const Vec3 away = std::abs(out.normal.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  out.along_width = normalized(cross(away, out.normal));
  out.along_height = cross(out.normal, out.along_width);
  out.half_width = std::abs(in.number());
  out.half_height = std::abs(in.number());
  return out;
}

// Where the straight way from the eye to the image of the point crosses the mirror.
struct Crossing {
  Wide point;
  bool in_front, inside, certain;
};

// Far from the plane's centre and close to the plane even long double leaves too few digits.
Real depth(const Mirror& m, Vec3 p) {
  __float128 sum = 0;
  for (int k = 0; k < 3; ++k) {
    const __float128 side = static_cast<__float128>(p[k]) - m.center[k];
    sum += side * static_cast<__float128>(m.normal[k]);
  }
  return static_cast<Real>(sum);
}

Crossing crossing(const Mirror& m, Vec3 eye, Vec3 point) {
  const Wide n(m.normal), e = Wide(eye) - Wide(m.center), p = Wide(point) - Wide(m.center);
  const Real a = depth(m, eye), b = depth(m, point);
  // Denormal numbers are zero.
  const Real room = 1e-12L * (largest(m.center) + std::max(largest(eye), largest(point))) + 1e-290L;
  Crossing out{{}, a > 0 && b > 0, false, std::abs(a) > room && std::abs(b) > room};
  if (!out.in_front) return out;
  const Wide image = p - n * (2 * b);
  const Wide at = e + (image - e) * (a / (a + b));
  out.point = at + Wide(m.center);
  const Real x = std::abs(dot(at, Wide(m.along_width))) - m.half_width;
  const Real y = std::abs(dot(at, Wide(m.along_height))) - m.half_height;
  out.inside = x <= 0 && y <= 0;
  out.certain &= std::abs(x) > 100 * room && std::abs(y) > 100 * room;
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const FlushDenormals flush;  // as all batches do
  Input in(data, size);
  const auto world = scene(in);
  const SceneView view = world->view();
  const Mirror m = mirror(in);
  const double tolerance = in.flag() ? 1e-6 : in.share() * 0.499;
  const auto count = 1 + static_cast<std::size_t>(in.below(8));
  std::vector<Vec3> eyes, points;
  for (std::size_t i = 0; i < count; ++i) {
    eyes.push_back(in.place());
    points.push_back(in.place());
  }
  const std::vector<std::int32_t> list = ignored(in);
  std::vector<std::int32_t> own;
  for (std::size_t i = 0; i < count; ++i) own.push_back(in.below(6) - 1);
  const IgnoreRows ignore = in.flag() ? IgnoreRows{list, 0, true} : IgnoreRows{own, 1, false};
  const auto seen = std::make_unique<bool[]>(count), back = std::make_unique<bool[]>(count);
  visible_through(view, m, count, {eyes.data()}, {points.data()}, ignore, tolerance, 1, seen.get());
  visible_through(view, m, count, {points.data()}, {eyes.data()}, ignore, tolerance, 1, back.get());
  for (std::size_t i = 0; i < count; ++i) {
    Vec3 hit;
    const bool meets_mirror = mirror_hit(m, eyes[i], points[i], &hit);
    FUZZ_CHECK(is_finite(hit));
    const Crossing expected = crossing(m, eyes[i], points[i]);
    if (expected.certain) {
      FUZZ_CHECK(meets_mirror == (expected.in_front && expected.inside));
      if (expected.in_front) {
        const Real room = 1e-12L * (largest(m.center) + largest(eyes[i]) + largest(points[i]));
        FUZZ_CHECK(norm(Wide(hit) - expected.point) <= room);
      }
    }
    bool free[2];
    const std::int32_t* ids = ignore.of(i).data();
    const IgnoreRows flat{{ids, ignore.of(i).size()}, 0, true};
    visible(view, 1, {&eyes[i]}, {&hit}, flat, tolerance, 1, &free[0]);
    visible(view, 1, {&points[i]}, {&hit}, flat, tolerance, 1, &free[1]);
    FUZZ_CHECK(seen[i] == (meets_mirror && free[0] && free[1]));
    // Both legs are traced towards the mirror, so the way back is the same but for the point on
    // the mirror, which may differ in its last bits.
    Vec3 other;
    if (mirror_hit(m, points[i], eyes[i], &other) == meets_mirror && other == hit) {
      FUZZ_CHECK(seen[i] == back[i]);
    }
  }
  return 0;
}
