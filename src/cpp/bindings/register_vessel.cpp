#include <pybind11/pybind11.h>
#include <pybind11/typing.h>

#include <algorithm>

#include "bindings/array_in.hpp"
#include "core/vessel.hpp"

namespace py = pybind11;
using esi::array_in;

namespace {

py::typing::Tuple<double, double, py::array_t<std::int64_t>> hold(std::int64_t nx, std::int64_t ny,
                                                                  const py::object& offsets_object,
                                                                  const py::object& heights_object,
                                                                  const py::object& enters_object) {
  const auto offsets =
      array_in<std::int64_t>(offsets_object, "offsets", {py::ssize_t{nx * ny + 1}});
  const auto heights = array_in<double>(heights_object, "heights", {"K"});
  const auto enters =
      array_in<std::int8_t>(enters_object, "enters", {static_cast<py::ssize_t>(heights.size())});
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    if (offsets[i] < 0 || offsets[i] > offsets[i + 1] ||
        offsets[i + 1] > static_cast<std::int64_t>(heights.size())) {
      esi::bad_argument("offsets", "rising numbers up to the count of heights",
                        std::to_string(offsets[i + 1]));
    }
  }
  esi::Hold found;
  {
    const py::gil_scoped_release release;
    found = esi::hold({nx, ny, offsets.span(), heights.span(), enters.span()});
  }
  py::array_t<std::int64_t> broken(static_cast<py::ssize_t>(found.broken.size()));
  std::copy(found.broken.begin(), found.broken.end(), broken.mutable_data());
  return py::make_tuple(found.depth, found.level, broken);
}

}  // namespace

void register_vessel(py::module_& m) {
  m.doc() = "How much a vessel holds.";
  m.def("hold", &hold, py::arg("nx"), py::arg("ny"), py::arg("offsets"), py::arg("heights"),
        py::arg("enters"), "Summed depth, highest level, and columns without an inside.");
}
