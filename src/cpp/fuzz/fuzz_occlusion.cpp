// Lines of sight against a look at every triangle, from both ends.
#include "core/occlusion.hpp"
#include "fuzz/fuzz.hpp"

using namespace esi;
using namespace esi::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const FlushDenormals flush;  // as all batches do
  Input in(data, size);
  const auto world = scene(in);
  const SceneView view = world->view();
  const double tolerance = in.flag() ? 1e-6 : in.share() * 0.499;
  const auto rows = 1 + static_cast<std::size_t>(in.below(4));
  const auto columns = 1 + static_cast<std::size_t>(in.below(4));
  std::vector<Vec3> starts, ends;
  for (std::size_t i = 0; i < rows; ++i) starts.push_back(in.place());
  for (std::size_t i = 0; i < columns; ++i) ends.push_back(in.place());
  const std::vector<std::int32_t> list = ignored(in);
  std::vector<std::int32_t> own;
  for (std::size_t i = 0; i < rows; ++i) own.push_back(in.below(6) - 1);
  const IgnoreRows ignore = in.flag() ? IgnoreRows{list, 0, true} : IgnoreRows{own, 1, false};

  const auto matrix = std::make_unique<bool[]>(rows * columns);
  visibility_matrix(view, starts, ends, ignore, tolerance, 1, matrix.get());
  for (std::size_t i = 0; i < rows; ++i) {
    // The same pairs as one batch with a single start.
    const Ignore ids = ignore.of(i);
    const IgnoreRows flat{ids, 0, true};
    const auto free = std::make_unique<bool[]>(columns), back = std::make_unique<bool[]>(columns);
    std::vector<std::int32_t> blocker(columns);
    visible(view, columns, {&starts[i], true}, {ends.data()}, flat, tolerance, 1, free.get());
    visible(view, columns, {ends.data()}, {&starts[i], true}, flat, tolerance, 1, back.get());
    first_blocker(view, columns, {&starts[i], true}, {ends.data()}, flat, tolerance, 1,
                  blocker.data());
    for (std::size_t j = 0; j < columns; ++j) {
      FUZZ_CHECK(free[j] == matrix[i * columns + j]);
      FUZZ_CHECK(free[j] == (blocker[j] < 0));
      FUZZ_CHECK(blocker[j] < 0 || !contains(ids, blocker[j]));
      Ray ray;
      if (!open_segment(starts[i], ends[j], tolerance, &ray)) {
        FUZZ_CHECK(free[j]);
        continue;
      }
      const Truth expected = truth(view, ray, ids);
      if (expected.hit && (free[j] || back[j])) describe(view, ray);
      if (expected.hit) FUZZ_CHECK(!free[j] && !back[j]);
      if (!expected.certain) continue;
      FUZZ_CHECK(free[j] == !expected.hit);
      // Whoever is seen sees: the other way is as certain unless its limits are.
      Ray reverse;
      if (open_segment(ends[j], starts[i], tolerance, &reverse) &&
          truth(view, reverse, ids).certain) {
        FUZZ_CHECK(free[j] == back[j]);
      }
    }
  }
  return 0;
}
