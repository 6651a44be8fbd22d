// Closest, any and all hits against a look at every triangle.
#include <algorithm>
#include <tuple>

#include "core/triangle.hpp"
#include "fuzz/fuzz.hpp"

using namespace esi;
using namespace esi::fuzz;

namespace {

bool same(const Hit& a, const Hit& b) {
  return std::tie(a.t, a.instance, a.face, a.u, a.v) == std::tie(b.t, b.instance, b.face, b.u, b.v);
}

// The definition of the answers: double precision on every face.
std::vector<Hit> every_hit(const SceneView& view, const Ray& ray, Ignore ignore) {
  std::vector<Hit> hits;
  for (std::size_t i = 0; i < view.instance_count(); ++i) {
    const Instance& instance = view.instance(static_cast<std::int32_t>(i));
    if (!instance.alive || contains(ignore, instance.object_id)) continue;
    for (const std::int32_t face : instance.shape->clusters.faces) {
      const auto t = instance.triangle(face);
      TriangleHit found;
      if (!esi::meets(ray.origin, ray.direction, t[0], t[1], t[2], &found)) continue;
      if (found.t >= ray.near && found.t <= ray.far) {
        hits.push_back({found.t, instance.id, face, found.u, found.v});
      }
    }
  }
  std::sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) {
    return std::tie(a.t, a.instance, a.face) < std::tie(b.t, b.instance, b.face);
  });
  return hits;
}

void check_single(const SceneView& view, const Ray& ray, Ignore ignore) {
  const Hit closest = closest_hit(view, ray, ignore);
  std::vector<Hit> all;
  all_hits(view, ray, ignore, all);
  // A ray from very far away is asked by its stretch near the scene, which rounds otherwise.
  const bool plain = largest(ray.origin - view.frame().center) <= 0x1p20L * view.frame().reach;
  const std::vector<Hit> expected = plain ? every_hit(view, ray, ignore) : all;
  if (any_hit(view, ray, ignore) == expected.empty()) describe(view, ray);
  FUZZ_CHECK(any_hit(view, ray, ignore) == !expected.empty());
  FUZZ_CHECK(static_cast<bool>(closest) == !expected.empty());
  FUZZ_CHECK(all.size() == expected.size());
  for (std::size_t i = 0; i < all.size(); ++i) FUZZ_CHECK(same(all[i], expected[i]));
  if (closest) {
    FUZZ_CHECK(same(closest, expected.front()));
    FUZZ_CHECK(std::isfinite(closest.t) && closest.u >= 0 && closest.v >= 0);
    FUZZ_CHECK(closest.u + closest.v <= 1 + 1e-15);
    const Vec3 n = face_normal(view.instance(closest.instance), closest.face);
    FUZZ_CHECK(n == Vec3{} || std::abs(esi::norm(n) - 1) < 1e-14);
  }
  // And the definition against extended precision.
  const Truth independent = truth(view, ray, ignore);
  if (independent.hit) FUZZ_CHECK(!expected.empty());
  if (independent.certain) {
    FUZZ_CHECK(independent.hit == !expected.empty());
    if (independent.hit) {
      FUZZ_CHECK(std::abs(expected.front().t - independent.first) <= independent.room);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const FlushDenormals flush;  // as all batches do
  Input in(data, size);
  const auto world = scene(in);
  const SceneView view = world->view();
  const std::size_t count = 1 + static_cast<std::size_t>(in.below(12));
  std::vector<Vec3> origins, directions;
  std::vector<double> near, far;
  std::vector<std::int32_t> ids;
  for (std::size_t i = 0; i < count; ++i) {
    origins.push_back(in.wild_point());
    directions.push_back(in.flag() ? in.wild_point() : in.point() - origins.back());
    near.push_back(in.flag() ? 0 : std::abs(in.number()));
    far.push_back(in.flag() ? kInfinity : std::abs(in.number()));
    ids.push_back(in.below(6) - 1);
  }
  const bool shared = in.flag();
  const std::vector<std::int32_t> list = ignored(in);
  const IgnoreRows ignore = shared ? IgnoreRows{list, 0, true} : IgnoreRows{ids, 1, false};
  const RayRows rays{count, {origins.data()}, {directions.data()}, {near.data()}, {far.data()}};

  std::vector<Hit> hits(count), all;
  std::vector<std::int64_t> offsets(count + 1);
  const auto valid = std::make_unique<bool[]>(count), any = std::make_unique<bool[]>(count);
  closest_hits(view, rays, ignore, 1, hits.data(), valid.get());
  any_hits(view, rays, ignore, 1, any.get());
  all_hits(view, rays, ignore, 1, &all, offsets.data());
  FUZZ_CHECK(offsets[0] == 0 && offsets[count] == static_cast<std::int64_t>(all.size()));
  for (std::size_t i = 0; i < count; ++i) {
    const bool usable = is_finite(origins[i]) && largest(origins[i]) <= largest_coordinate &&
                        is_finite(directions[i]) && directions[i] != Vec3{};
    FUZZ_CHECK(valid[i] == usable);
    FUZZ_CHECK(any[i] == static_cast<bool>(hits[i]));
    FUZZ_CHECK((offsets[i + 1] > offsets[i]) == any[i]);
    if (any[i]) FUZZ_CHECK(same(hits[i], all[static_cast<std::size_t>(offsets[i])]));
    Ray ray;
    if (!rays.get(i, &ray)) {
      FUZZ_CHECK(!any[i]);
      continue;
    }
    FUZZ_CHECK(std::abs(esi::norm(ray.direction) - 1) < 1e-15 * 4);
    check_single(view, ray, ignore.of(i));
    // A direction that is not of unit length; t is in units of it.
    ray = {origins[i], directions[i], 0, kInfinity};
    if (is_valid(ray)) check_single(view, ray, ignore.of(i));
  }
  return 0;
}
