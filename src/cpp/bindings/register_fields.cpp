#include <pybind11/pybind11.h>
#include <pybind11/typing.h>

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "bindings/array_in.hpp"
#include "core/field.hpp"

namespace py = pybind11;
using esi::array_in;
using esi::Vec3;

namespace {

using Field = std::shared_ptr<esi::DistanceField>;

Field make_field(const py::object& origin_object, double spacing, const py::object& object) {
  const auto origin = array_in<double>(origin_object, "origin", {3});
  const auto values = array_in<double>(object, "values", {"X", "Y", "Z"});
  std::int64_t shape[3];
  for (int k = 0; k < 3; ++k) {
    shape[k] = static_cast<std::int64_t>(values.shape(k));
    if (shape[k] < 2) {
      esi::bad_argument("values", "at least 2 nodes along each axis", std::to_string(shape[k]));
    }
  }
  if (!(spacing > 0)) esi::bad_argument("spacing", "more than 0", esi::number_text(spacing));
  return std::make_shared<esi::DistanceField>(
      origin.vector(0), spacing, shape,
      std::vector<double>(values.data(), values.data() + values.size()));
}

using Samples = py::typing::Tuple<py::array_t<double>, py::array_t<double>, py::array_t<bool>>;

Samples sample(const esi::DistanceField& field, const py::object& object) {
  const auto points = array_in<double>(object, "points", {"N", 3});
  const auto n = static_cast<py::ssize_t>(points.rows());
  py::array_t<double> distance(n), outward({n, py::ssize_t{3}});
  py::array_t<bool> inside(n);
  auto* normals = reinterpret_cast<Vec3*>(outward.mutable_data());
  for (std::size_t i = 0; i < points.rows(); ++i) {
    double& d = distance.mutable_data()[i];
    d = std::numeric_limits<double>::quiet_NaN();
    normals[i] = {d, d, d};
    inside.mutable_data()[i] = field.sample(points.vectors()[i], &d, &normals[i]);
  }
  return py::make_tuple(distance, outward, inside);
}

}  // namespace

void register_fields(py::module_& m) {
  m.doc() = "Solids as fields of distances.";
  py::class_<esi::DistanceField, Field>(m, "Field")
      .def(py::init(&make_field), py::arg("origin"), py::arg("spacing"), py::arg("values"))
      .def("sample", &sample, py::arg("points"), "Distance, direction and whether it is known.");
}
