#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <vector>

#include "bindings/array_in.hpp"
#include "core/outline.hpp"

namespace py = pybind11;
using esi::OutlineView;
using esi::UprightState;
using esi::Vec3;

namespace {

py::array_t<bool> explains(const py::object& hull_object, const py::object& states_object,
                           const py::object& positions_object, const py::object& rotations_object,
                           const py::object& lenses_object, const py::object& rectangles_object,
                           const py::object& free_object, const py::object& cell_object,
                           const py::object& settings_object, int threads) {
  const auto hull = esi::array_in<double>(hull_object, "hull", {"V", 3});
  const auto states = esi::array_in<double>(states_object, "states", {"N", 4});
  const auto positions = esi::array_in<double>(positions_object, "positions", {"K", 3});
  const auto count = static_cast<py::ssize_t>(positions.rows());
  const auto rotations = esi::array_in<double>(rotations_object, "rotations", {count, 3, 3});
  const auto lenses = esi::array_in<double>(lenses_object, "lenses", {count, 3});
  const auto rectangles = esi::array_in<double>(rectangles_object, "rectangles", {count, 4});
  const auto free_edges = esi::array_in<bool>(free_object, "free", {count, 4});
  const auto cell = esi::array_in<double>(cell_object, "cell", {3});
  const auto settings = esi::array_in<double>(settings_object, "settings", {5});
  std::vector<OutlineView> views(positions.rows());
  for (std::size_t k = 0; k < views.size(); ++k) {
    OutlineView& view = views[k];
    const double* r = rotations.data() + 9 * k;
    view.position = positions.vector(k);
    view.right = {r[0], r[3], r[6]};
    view.up = {r[1], r[4], r[7]};
    view.back = {r[2], r[5], r[8]};
    const double* lens = lenses.data() + 3 * k;
    view.focal = lens[0];
    for (std::size_t axis = 0; axis < 2; ++axis) {
      view.center[axis] = lens[1 + axis];
      view.low[axis] = rectangles.data()[4 * k + axis];
      view.high[axis] = rectangles.data()[4 * k + 2 + axis];
      view.free_low[axis] = free_edges.data()[4 * k + axis];
      view.free_high[axis] = free_edges.data()[4 * k + 2 + axis];
    }
  }
  const double* half = cell.data();
  const double* set = settings.data();
  py::array_t<bool> result(static_cast<py::ssize_t>(states.rows()));
  bool* keep = result.mutable_data();
  {
    const py::gil_scoped_release release;
    const auto* vertices = reinterpret_cast<const Vec3*>(hull.data());
    const auto* rows = reinterpret_cast<const UprightState*>(states.data());
    esi::outline_explains({vertices, hull.rows()}, views, {rows, states.rows()},
                          {half[0], half[1], half[2]}, {set[0], set[1], set[2], set[3], set[4]},
                          threads, keep);
  }
  return result;
}

}  // namespace

void register_outline(py::module_& m) {
  m.def("explains", &explains, py::arg("hull"), py::arg("states"), py::arg("positions"),
        py::arg("rotations"), py::arg("lenses"), py::arg("rectangles"), py::arg("free"),
        py::arg("cell"), py::arg("settings"), py::arg("threads"));
}
