#include <pybind11/pybind11.h>
#include <pybind11/typing.h>

#include "bindings/array_in.hpp"
#include "core/vessel.hpp"

namespace py = pybind11;
using esi::array_in;

namespace {

py::typing::Tuple<double, double> capacity(const py::object& triangles_object, double spacing) {
  const auto triangles = array_in<double>(triangles_object, "triangles", {"T", 3, 3});
  static_assert(sizeof(esi::Triangle) == 9 * sizeof(double));
  esi::Capacity found;
  {
    const py::gil_scoped_release release;
    found = esi::vessel_capacity(
        {reinterpret_cast<const esi::Triangle*>(triangles.data()), triangles.rows()}, spacing);
  }
  return py::make_tuple(found.volume, found.level);
}

}  // namespace

void register_vessel(py::module_& m) {
  m.doc() = "How much a vessel holds.";
  m.def("capacity", &capacity, py::arg("triangles"), py::arg("spacing"),
        "Volume that closed triangles hold, +z being up, and the level of the highest surface.");
}
