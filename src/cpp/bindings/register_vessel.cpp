#include <pybind11/pybind11.h>
#include <pybind11/typing.h>

#include <algorithm>
#include <cstdint>

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

py::typing::Tuple<py::array_t<double>, py::array_t<double>, py::array_t<std::int32_t>,
                  py::array_t<double>>
pools(const py::object& triangles_object, double spacing) {
  const auto triangles = array_in<double>(triangles_object, "triangles", {"T", 3, 3});
  esi::Pools found;
  {
    const py::gil_scoped_release release;
    found = esi::vessel_pools(
        {reinterpret_cast<const esi::Triangle*>(triangles.data()), triangles.rows()}, spacing);
  }
  const auto n = static_cast<py::ssize_t>(found.all.size());
  py::array_t<double> first(2), step(2), heights({n, py::ssize_t{2}});
  py::array_t<std::int32_t> columns({n, py::ssize_t{2}});
  std::copy_n(found.first.begin(), 2, first.mutable_data());
  std::copy_n(found.step.begin(), 2, step.mutable_data());
  for (std::size_t k = 0; k < found.all.size(); ++k) {
    std::copy_n(found.all[k].column, 2, columns.mutable_data() + 2 * k);
    heights.mutable_data()[2 * k] = found.all[k].low;
    heights.mutable_data()[2 * k + 1] = found.all[k].high;
  }
  return py::make_tuple(first, step, columns, heights);
}

}  // namespace

void register_vessel(py::module_& m) {
  m.doc() = "How much a vessel holds.";
  m.def("capacity", &capacity, py::arg("triangles"), py::arg("spacing"),
        "Volume that closed triangles hold, +z being up, and the level of the highest surface.");
  m.def("pools", &pools, py::arg("triangles"), py::arg("spacing"),
        "Centre of column (0, 0), steps, and columns (N, 2) with heights (N, 2) of what stands in "
        "them.");
}
