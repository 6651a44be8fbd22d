#include <memory>
#include <vector>

#include "core/outline.hpp"
#include "tests/box_mesh.hpp"
#include "tests/check.hpp"

using esi::OutlineSettings;
using esi::OutlineView;
using esi::UprightCell;
using esi::UprightState;
using esi::Vec3;

namespace {

// A camera at (-5, 0, 0) that looks along +x, 100 pixels of focal length, centre (50, 50).
OutlineView looking_along_x() {
  OutlineView view;
  view.position = {-5, 0, 0};
  view.right = {0, -1, 0};
  view.up = {0, 0, 1};
  view.back = {-1, 0, 0};
  view.focal = 100;
  view.center[0] = view.center[1] = 50;
  for (bool* free : {view.free_low, view.free_high}) free[0] = free[1] = true;
  return view;
}

}  // namespace

ESI_TEST(only_states_that_fill_the_rectangle_are_kept) {
  const std::vector<Vec3> hull = esi::test::BoxMesh({-1, -1, -1}, {1, 1, 1}).vertices;
  OutlineView view = looking_along_x();
  // The front face, four metres away, is 25 pixels from the centre to each side.
  view.low[0] = view.low[1] = 25;
  view.high[0] = view.high[1] = 75;
  OutlineSettings settings;
  settings.max_scale = 2;
  settings.tolerance_px = 0.01;
  const std::vector<UprightState> states{{0, 0, 0, 1},   {0, 0.1, 0, 1}, {0.5, 0, 0, 1},
                                         {0, 0, 0.4, 1}, {0, 0, 0, 1.1}, {-9, 0, 0, 1}};
  const auto keep = std::make_unique<bool[]>(states.size());
  for (const int threads : {1, 3}) {
    outline_explains(hull, {&view, 1}, states, {}, settings, threads, keep.get());
    for (std::size_t i = 0; i < states.size(); ++i) CHECK_EQUAL(keep[i], i == 0);
  }
  // In cells that hold the true state each is kept, except behind the camera.
  const UprightCell cell{0.6, 0.5, 0.2};
  outline_explains(hull, {&view, 1}, states, cell, settings, 1, keep.get());
  for (std::size_t i = 0; i < states.size(); ++i) CHECK_EQUAL(keep[i], i != 5);
}

ESI_TEST(an_edge_that_is_cut_off_may_lie_farther_out) {
  const std::vector<Vec3> hull = esi::test::BoxMesh({-1, -1, -1}, {1, 1, 1}).vertices;
  OutlineView view = looking_along_x();
  view.low[0] = view.low[1] = 25;
  view.high[0] = 60;
  view.high[1] = 75;
  OutlineSettings settings;
  settings.tolerance_px = 0.01;
  const UprightState state{0, 0, 0, 1};
  bool keep = true;
  outline_explains(hull, {&view, 1}, {&state, 1}, {}, settings, 1, &keep);
  CHECK(!keep);
  view.free_high[0] = false;
  outline_explains(hull, {&view, 1}, {&state, 1}, {}, settings, 1, &keep);
  CHECK(keep);
}
