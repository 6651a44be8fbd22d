// The moving sphere, the nearest surface and the nearest objects against every triangle.
#include <algorithm>

#include "core/sweep.hpp"
#include "fuzz/fuzz.hpp"

using namespace esi;
using namespace esi::fuzz;

namespace {

struct Face {
  std::array<Vec3, 3> corners;
  std::int32_t instance, object_id;
};

std::vector<Face> faces_of(const SceneView& view) {
  std::vector<Face> out;
  for (std::size_t i = 0; i < view.instance_count(); ++i) {
    const Instance& instance = view.instance(static_cast<std::int32_t>(i));
    if (!instance.alive) continue;
    for (const std::int32_t face : instance.shape->clusters.faces) {
      out.push_back({instance.triangle(face), instance.id, instance.object_id});
    }
  }
  return out;
}

Real distance(const Face& face, Wide p) { return norm(p - nearest_on_triangle(p, face.corners)); }

void check_sweep(const std::vector<Face>& faces, const Obstacles& obstacles, Vec3 start, Vec3 end,
                 double radius, Ignore ignore, Real reach) {
  const Sweep found = obstacles.sweep(start, end, radius, ignore);
  FUZZ_CHECK(found.fraction >= 0 && found.fraction <= 1);
  FUZZ_CHECK(found.blocked || found.fraction == 1);
  FUZZ_CHECK(found.blocked == (found.object_id >= 0));
  FUZZ_CHECK(!contains(ignore, found.object_id) || found.object_id < 0);
  const Wide s(start), move = Wide(end) - Wide(start);
  const Real size = reach + largest(start) + largest(end) + radius;
  const Real room = 1e-8L * radius + 1e-11L * size;
  Real least = std::numeric_limits<Real>::infinity(), nearest = least;
  for (const Face& face : faces) {
    if (contains(ignore, face.object_id)) continue;
    const Real at_start = distance(face, s);
    nearest = std::min(nearest, at_start);
    // On the free way the sphere comes no deeper into any face than it began.
    for (int i = 0; i <= 4; ++i) {
      const Real at = distance(face, s + move * (Real{found.fraction} * i / 4));
      FUZZ_CHECK(at >= std::min(at_start, Real{radius}) - room);
    }
    least = std::min(least, distance(face, s + move * Real{found.fraction}));
  }
  // Whatever blocks is touched there.
  if (found.blocked) FUZZ_CHECK(least <= radius + room);
  if (nearest > radius + room) FUZZ_CHECK(found.status == SweepStatus::ok);
  if (nearest < radius - room) FUZZ_CHECK(found.status == SweepStatus::start_in_contact);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in(data, size);
  const auto world = scene(in);
  Obstacles obstacles;
  for (int round = 0; round < 2; ++round) {
    {
      const SceneView view = world->view();
      obstacles.sync(view, 1);
      const std::vector<Face> faces = faces_of(view);
      Real reach = 0;
      for (const Face& face : faces) {
        for (const Vec3& c : face.corners) reach = std::max(reach, largest(c));
      }
      const std::vector<std::int32_t> ignore = ignored(in);
      for (int i = 1 + in.below(4); i > 0; --i) {
        const Vec3 start = in.place(), end = in.place();
        const double radius = std::abs(in.number());
        if (radius > largest_coordinate) continue;
        check_sweep(faces, obstacles, start, end, radius, ignore, reach);
        const NearestSurface found = obstacles.nearest(start, ignore);
        Real least = std::numeric_limits<Real>::infinity();
        for (const Face& face : faces) {
          if (!contains(ignore, face.object_id)) {
            least = std::min(least, distance(face, Wide(start)));
          }
        }
        const Real room = 1e-13L * (reach + largest(start)) + 1e-150L;
        FUZZ_CHECK((found.instance >= 0) == std::isfinite(least));
        if (found.instance < 0) continue;
        if (!(std::abs(found.nearest.distance - least) <= room)) {
          describe(view, {start, end});
          std::cerr << "found " << found.nearest.distance << ", expected " << least << " +- "
                    << room << "\n";
        }
        FUZZ_CHECK(std::abs(found.nearest.distance - least) <= room);
        const Instance& instance = view.instance(found.instance);
        FUZZ_CHECK(instance.alive && !contains(ignore, instance.object_id));
        const Wide on(found.nearest.point);
        FUZZ_CHECK(norm(on - nearest_on_triangle(on, instance.triangle(found.nearest.triangle))) <=
                   room);
      }
      const std::int32_t a = in.below(5), b = in.below(5);
      const NearestObjects pair = obstacles.between(a, b);
      if (faces.size() > 40) continue;  // too many pairs to look at all of them
      Real defined = std::numeric_limits<Real>::infinity();
      for (const Face& f : faces) {
        if (f.object_id != a) continue;
        for (const Face& g : faces) {
          if (g.object_id != b) continue;
          const Triangle s{f.corners[0], f.corners[1], f.corners[2]};
          const Triangle t{g.corners[0], g.corners[1], g.corners[2]};
          defined = std::min(defined, Real{std::sqrt(closest_triangles(s, t).squared)});
        }
      }
      FUZZ_CHECK((pair.instance_a >= 0) == std::isfinite(defined));
      if (pair.instance_a >= 0) {
        FUZZ_CHECK(std::abs(pair.nearest.distance - defined) <= 1e-12L * reach + 1e-150L);
        FUZZ_CHECK(view.instance(pair.instance_a).object_id == a);
        FUZZ_CHECK(view.instance(pair.instance_b).object_id == b);
      }
    }
    // The trees follow what moves.
    try {
      world->set_pose(in.below(4), in.pose(), nullptr);
      if (in.flag()) world->remove_instance(in.below(4));
    } catch (const std::invalid_argument&) {
    }
  }
  return 0;
}
