#include <cmath>
#include <random>
#include <vector>

#include "core/columns.hpp"
#include "tests/box_mesh.hpp"
#include "tests/check.hpp"

using esi::Columns;
using esi::TriangleTree;
using esi::Vec3;

namespace {

// Boxes on a grid of thirds, so that many of their faces, edges and corners are shared.
TriangleTree boxes(unsigned seed, int count, double size) {
  std::mt19937 random(seed);
  const auto place = [&] { return size * static_cast<double>(random() % 4) / 3.0; };
  std::vector<esi::Triangle> all;
  for (int k = 0; k < count; ++k) {
    const Vec3 lower{place(), place(), place()};
    const Vec3 upper = lower + Vec3{size / 3.0, size / 3.0, size};
    for (const esi::Triangle& t : esi::test::BoxMesh(lower, upper).triangles()) all.push_back(t);
  }
  return TriangleTree(std::move(all));
}

}  // namespace

ESI_TEST(columns_count_what_the_tree_counts) {
  for (const double size : {1e-30, 1.0, 1e12, 1e30}) {
    for (unsigned seed = 0; seed < 20; ++seed) {
      const TriangleTree tree = boxes(seed, 1 + static_cast<int>(seed), size);
      const Columns columns(tree);
      std::mt19937 random(seed);
      for (int k = 0; k < 300; ++k) {
        const auto coordinate = [&] {
          return size * (static_cast<double>(random() % 13) / 6.0 - 0.25 * (random() % 2));
        };
        const Vec3 p{coordinate(), coordinate(), coordinate()};
        const esi::Crossings a = columns.crossings(p), b = crossings_above(tree, p);
        CHECK_EQUAL(a.count, b.count);
        CHECK_EQUAL(a.winding, b.winding);
        CHECK_EQUAL(a.on_surface, b.on_surface);
        for (const double reach : {0.0, 0.1 * size, 3.0 * size}) {
          CHECK_EQUAL(columns.near_surface(p, reach), nearest_point(tree, p, reach).triangle >= 0);
        }
      }
    }
  }
}

ESI_TEST(columns_of_nothing) {
  const TriangleTree none{std::vector<esi::Triangle>()};
  const Columns columns(none);
  CHECK_EQUAL(columns.crossings({0, 0, 0}).count, 0);
  CHECK(!columns.near_surface({0, 0, 0}, 1.0));
}
