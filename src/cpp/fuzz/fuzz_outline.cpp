// Outlines: a pose that does explain what was seen is never thrown out.
#include <algorithm>

#include "core/outline.hpp"
#include "fuzz/fuzz.hpp"

using namespace esi;
using namespace esi::fuzz;

namespace {

OutlineView camera(Input& in) {
  OutlineView view;
  view.position = in.point();
  view.back = in.direction();
  const Vec3 away = std::abs(view.back.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  view.right = normalized(cross(away, view.back));
  view.up = cross(view.back, view.right);
  view.focal = 1 + 4.0 * in.byte();
  view.center[0] = in.byte();
  view.center[1] = in.byte();
  return view;
}

// The rectangle that the vertices fill in the picture; false if any is not well in front.
bool look(const std::vector<Vec3>& hull, const UprightState& state, const OutlineSettings& settings,
          OutlineView* view) {
  for (int axis = 0; axis < 2; ++axis) {
    view->low[axis] = kInfinity;
    view->high[axis] = -kInfinity;
  }
  for (const Vec3& v : hull) {
    const Real c = std::cos(Real{state.yaw}), s = std::sin(Real{state.yaw});
    const Wide world((c * v.x - s * v.y) * state.scale + state.x,
                     (s * v.x + c * v.y) * state.scale + state.y,
                     (settings.base + v.z) * state.scale + settings.floor_z);
    const Wide p = world - Wide(view->position);
    const Real depth = -dot(p, Wide(view->back));
    if (!(depth > 0.01L)) return false;
    const Real at[2] = {view->center[0] + view->focal * dot(p, Wide(view->right)) / depth,
                        view->center[1] - view->focal * dot(p, Wide(view->up)) / depth};
    for (int axis = 0; axis < 2; ++axis) {
      view->low[axis] = std::min(view->low[axis], static_cast<double>(at[axis]));
      view->high[axis] = std::max(view->high[axis], static_cast<double>(at[axis]));
    }
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in(data, size);
  std::vector<Vec3> hull;
  for (int i = 1 + in.below(10); i > 0; --i) hull.push_back(in.point());
  OutlineSettings settings;
  settings.floor_z = in.number();
  settings.base = in.number();
  const UprightCell cell{in.share(), in.share(), in.share() * 0.5};
  const UprightState truth{in.number(), in.number(), in.number(), 0.5 + in.share()};
  settings.max_scale = truth.scale + cell.scale;
  settings.tolerance_px = 1e-6;
  // States of which some have the true one in their cell.
  std::vector<UprightState> states{truth};
  std::vector<bool> covers{true};
  for (int i = in.below(6); i > 0; --i) {
    const double part = in.share() * 2 - 1, far = in.flag() ? 1 : 3;
    const UprightState s{truth.x + part * cell.xy * far, truth.y - part * cell.xy * far,
                         truth.yaw + part * cell.yaw * far, truth.scale - part * cell.scale * far};
    states.push_back(s);
    covers.push_back(std::abs(s.x - truth.x) <= cell.xy && std::abs(s.y - truth.y) <= cell.xy &&
                     std::abs(s.yaw - truth.yaw) <= cell.yaw &&
                     std::abs(s.scale - truth.scale) <= cell.scale);
    settings.max_scale = std::max(settings.max_scale, s.scale + cell.scale);
  }
  double reach = std::max(
      {std::abs(settings.floor_z), std::abs(settings.base), std::abs(truth.x), std::abs(truth.y)});
  for (const Vec3& v : hull) reach = std::max(reach, static_cast<double>(largest(v)));
  std::vector<OutlineView> views;
  bool proper = true;
  for (int i = 1 + in.below(3); i > 0; --i) {
    OutlineView view = camera(in);
    reach = std::max(reach, static_cast<double>(largest(view.position)));
    proper &= look(hull, truth, settings, &view);
    for (int axis = 0; axis < 2; ++axis) {
      view.free_low[axis] = in.flag();
      view.free_high[axis] = in.flag();
      // An edge that something cuts off.
      const double cut = 0.4 * in.share() * (view.high[axis] - view.low[axis]);
      if (!view.free_low[axis]) view.low[axis] += cut;
      if (!view.free_high[axis]) view.high[axis] -= cut;
    }
    views.push_back(view);
  }
  const auto keep = std::make_unique<bool[]>(states.size());
  outline_explains(hull, views, states, cell, settings, 1, keep.get());
  // Rounding of huge coordinates is more than the tolerance of a pixel.
  if (!proper || reach > 1e3) return 0;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (covers[i]) FUZZ_CHECK(keep[i]);
  }
  return 0;
}
