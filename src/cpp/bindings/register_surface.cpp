#include <pybind11/pybind11.h>
#include <pybind11/typing.h>

#include <algorithm>
#include <string>

#include "bindings/array_in.hpp"
#include "core/surface.hpp"

namespace py = pybind11;
using esi::array_in;

namespace {

using Mesh = py::typing::Tuple<py::array_t<double>, py::array_t<std::int32_t>, py::array_t<double>>;

Mesh mesh_out(const esi::Surface3& found) {
  const auto v = static_cast<py::ssize_t>(found.vertices.size());
  const auto f = static_cast<py::ssize_t>(found.faces.size() / 3);
  py::array_t<double> vertices({v, py::ssize_t{3}}), normals({f, py::ssize_t{3}, py::ssize_t{3}});
  py::array_t<std::int32_t> faces({f, py::ssize_t{3}});
  std::copy(found.vertices.begin(), found.vertices.end(),
            reinterpret_cast<esi::Vec3*>(vertices.mutable_data()));
  std::copy(found.faces.begin(), found.faces.end(), faces.mutable_data());
  std::copy(found.normals.begin(), found.normals.end(),
            reinterpret_cast<esi::Vec3*>(normals.mutable_data()));
  return py::make_tuple(vertices, faces, normals);
}

Mesh closed(const py::object& values_object, const py::object& origin, const py::object& spacing) {
  const auto values = array_in<double>(values_object, "values", {"X", "Y", "Z"});
  esi::Grid grid{array_in<double>(origin, "origin", {3}).vector(0),
                 array_in<double>(spacing, "spacing", {3}).vector(0),
                 {}};
  for (int k = 0; k < 3; ++k) {
    const auto axis = static_cast<std::size_t>(k);
    grid.shape[axis] = static_cast<std::int64_t>(values.shape(k));
    if (grid.shape[axis] < 2) {
      esi::bad_argument("values", "at least 2 nodes along each axis",
                        std::to_string(grid.shape[axis]));
    }
    if (!(grid.spacing[k] > 0)) {
      esi::bad_argument("spacing", "more than 0", esi::number_text(grid.spacing[k]));
    }
  }
  esi::Surface3 found;
  {
    const py::gil_scoped_release release;
    found = esi::surface_of(values.span(), grid);
  }
  return mesh_out(found);
}

}  // namespace

void register_surface(py::module_& m) {
  m.doc() = "Surfaces of fields.";
  m.def("closed", &closed, py::arg("values"), py::arg("origin"), py::arg("spacing"),
        "Vertices, faces and corner normals of the boundary of what is above 0.");
}
