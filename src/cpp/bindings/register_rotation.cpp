#include <string>
#include <vector>

#include "bindings/array_in.hpp"
#include "core/rotation.hpp"

namespace py = pybind11;

namespace {

using Floats = py::array_t<double>;

// Calls map(in, out) for each row of `in_size` numbers, and returns rows that end in `out_shape`;
// false from `map` is what `refuse` is for.
template <class Map, class Refuse>
Floats each_row(const esi::ArrayIn<double>& in, std::size_t in_rank, std::size_t in_size,
                const std::vector<py::ssize_t>& out_shape, Map map, Refuse refuse) {
  std::vector<py::ssize_t> shape = in.dimensions();
  shape.resize(shape.size() - in_rank);
  std::size_t out_size = 1;
  for (const py::ssize_t size : out_shape) {
    shape.push_back(size);
    out_size *= static_cast<std::size_t>(size);
  }
  Floats result(shape);
  double* out = result.mutable_data();
  const std::size_t count = in_size > 0 ? in.size() / in_size : 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (!map(in.data() + i * in_size, out + i * out_size)) refuse();
  }
  return result;
}

Floats normalize(const py::object& vectors, const std::string& name) {
  const auto in = esi::array_in<double>(vectors, name, {"...", "D"});
  const std::size_t size = in.shape(static_cast<int>(in.ndim()) - 1);
  const auto map = [=](const double* v, double* out) { return esi::unit_vector(v, size, out); };
  return each_row(in, 1, size, {static_cast<py::ssize_t>(size)}, map,
                  [&] { esi::bad_argument(name, "non-zero vectors", "one of length 0"); });
}

Floats quat_to_matrix(const py::object& quaternion) {
  const auto in = esi::array_in<double>(quaternion, "quaternion", {"...", 4});
  return each_row(in, 1, 4, {3, 3}, esi::quat_to_matrix,
                  [] { esi::bad_argument("quaternion", "non-zero vectors", "one of length 0"); });
}

Floats matrix_to_quat(const py::object& matrix) {
  const auto in = esi::array_in<double>(matrix, "matrix", {"...", 3, 3});
  return each_row(in, 2, 9, {4}, esi::matrix_to_quat, [] {
    esi::bad_argument("matrix", "rotations", "a matrix with scale, shear or reflection");
  });
}

}  // namespace

void register_rotation(py::module_& m) {
  m.doc() = "Unit vectors, quaternions and rotation matrices.";
  m.def("normalize", &normalize, py::arg("vectors"), py::arg("name"));
  m.def("quat_to_matrix", &quat_to_matrix, py::arg("quaternion"));
  m.def("matrix_to_quat", &matrix_to_quat, py::arg("matrix"));
}
