#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "bindings/array_in.hpp"
#include "bindings/broadcast.hpp"
#include "core/rotation.hpp"

namespace py = pybind11;
using esi::Broadcast;
using esi::Leading;

namespace {

using Floats = py::array_t<double>;

double row_times(const double* row, const double* v) {
  return row[0] * v[0] + row[1] * v[1] + row[2] * v[2];
}

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

Floats quat_multiply(const py::object& a_object, const py::object& b_object) {
  const auto a = esi::array_in<double>(a_object, "a", {"...", 4});
  const auto b = esi::array_in<double>(b_object, "b", {"...", 4});
  const Broadcast<2> batch({Leading(a, 1), Leading(b, 1)});
  Floats result(batch.shape({4}));
  double* out = result.mutable_data();
  batch.each([&](std::size_t k, const auto& at) {
    if (!esi::quat_multiply(a.data() + 4 * at[0], b.data() + 4 * at[1], out + 4 * k)) {
      esi::bad_argument("a, b", "non-zero vectors", "one of length 0");
    }
  });
  return result;
}

Floats rotate(const py::object& quaternion, const py::object& vectors) {
  const auto turn = esi::array_in<double>(quaternion, "quaternion", {"...", 4});
  const auto v = esi::array_in<double>(vectors, "vectors", {"...", 3});
  const Broadcast<2> batch({Leading(turn, 1), Leading(v, 1)});
  Floats result(batch.shape({3}));
  double* out = result.mutable_data();
  batch.each([&](std::size_t k, const auto& at) {
    double matrix[9];
    if (!esi::quat_to_matrix(turn.data() + 4 * at[0], matrix)) {
      esi::bad_argument("quaternion", "non-zero vectors", "one of length 0");
    }
    for (int i = 0; i < 3; ++i) out[3 * k + i] = row_times(matrix + 3 * i, v.data() + 3 * at[1]);
  });
  return result;
}

Floats yaw_quat(const py::object& yaw) {
  const auto in = esi::array_in<double>(yaw, "yaw", {"..."});
  const auto map = [](const double* angle, double* out) {
    out[0] = out[1] = 0.0;
    out[2] = std::sin(0.5 * *angle);
    out[3] = std::cos(0.5 * *angle);
    esi::canonical_quat(out);
    return true;
  };
  return each_row(in, 0, 1, {4}, map, [] {});
}

Floats yaw_of(const py::object& quaternion) {
  const auto in = esi::array_in<double>(quaternion, "quaternion", {"...", 4});
  const auto map = [](const double* quat, double* out) {
    double matrix[9];
    if (!esi::quat_to_matrix(quat, matrix)) return false;
    *out = std::atan2(matrix[3], matrix[0]);
    return true;
  };
  return each_row(in, 1, 4, {}, map,
                  [] { esi::bad_argument("quaternion", "non-zero vectors", "one of length 0"); });
}

Floats pose_matrix(const py::object& position, const py::object& orientation) {
  const auto place = esi::array_in<double>(position, "position", {"...", 3});
  const auto turn = esi::array_in<double>(orientation, "orientation", {"...", 4});
  const Broadcast<2> batch({Leading(place, 1), Leading(turn, 1)});
  Floats result(batch.shape({4, 4}));
  double* const all = result.mutable_data();
  batch.each([&](std::size_t k, const auto& at) {
    double matrix[9];
    if (!esi::quat_to_matrix(turn.data() + 4 * at[1], matrix)) {
      esi::bad_argument("orientation", "non-zero vectors", "one of length 0");
    }
    const double* p = place.data() + 3 * at[0];
    double* out = all + 16 * k;
    for (int j = 0; j < 3; ++j) {
      std::copy_n(matrix + 3 * j, 3, out + 4 * j);
      out[4 * j + 3] = p[j];
    }
    std::fill_n(out + 12, 3, 0.0);
    out[15] = 1.0;
  });
  return result;
}

Floats invert_pose(const py::object& pose) {
  const auto in = esi::array_in<double>(pose, "pose", {"...", 4, 4});
  const auto map = [](const double* m, double* out) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) out[4 * i + j] = m[4 * j + i];
      out[4 * i + 3] = -(m[i] * m[3] + m[4 + i] * m[7] + m[8 + i] * m[11]);
    }
    std::fill_n(out + 12, 3, 0.0);
    out[15] = 1.0;
    return true;
  };
  return each_row(in, 2, 16, {4, 4}, map, [] {});
}

// Vectors (..., N, 3), or a single one (3,), turned by matrices (..., 4, 4), and moved if `move`.
Floats transform(const py::object& pose, const py::object& vectors, const std::string& name,
                 bool move) {
  const auto m = esi::array_in<double>(pose, "pose", {"...", 4, 4});
  const auto v = esi::array_in<double>(vectors, name, {"...", 3});
  const bool single = v.ndim() == 1;
  const std::size_t rows = single ? 1 : v.shape(static_cast<int>(v.ndim()) - 2);
  const Broadcast<2> batch({Leading(m, 2), single ? Leading(v.name(), {}) : Leading(v, 2)});
  Floats result(single ? batch.shape({3}) : batch.shape({static_cast<py::ssize_t>(rows), 3}));
  double* out = result.mutable_data();
  const py::gil_scoped_release release;
  batch.each([&](std::size_t k, const auto& at) {
    const double* matrix = m.data() + 16 * at[0];
    const double* from = v.data() + 3 * rows * at[1];
    double* to = out + 3 * rows * k;
    for (std::size_t row = 0; row < rows; ++row, from += 3, to += 3) {
      for (int i = 0; i < 3; ++i) {
        to[i] = row_times(matrix + 4 * i, from) + (move ? matrix[4 * i + 3] : 0.0);
      }
    }
  });
  return result;
}

Floats look_at(const py::object& position, const py::object& target, const py::object& up_object) {
  const auto eye = esi::array_in<double>(position, "position", {"...", 3});
  const auto aim = esi::array_in<double>(target, "target", {"...", 3});
  const auto up = esi::array_in<double>(up_object, "up", {"...", 3});
  const Broadcast<3> batch({Leading(eye, 1), Leading(aim, 1), Leading(up, 1)});
  Floats result(batch.shape({4}));
  double* out = result.mutable_data();
  batch.each([&](std::size_t k, const auto& at) {
    const esi::LookAt found = esi::look_at(eye.data() + 3 * at[0], aim.data() + 3 * at[1],
                                           up.data() + 3 * at[2], out + 4 * k);
    if (found != esi::LookAt::ok) {
      esi::bad_argument(found == esi::LookAt::no_up ? "up" : "target - position",
                        "non-zero vectors", "one of length 0");
    }
  });
  return result;
}

}  // namespace

void register_rotation(py::module_& m) {
  m.doc() = "Unit vectors, quaternions and rotation matrices.";
  m.def("normalize", &normalize, py::arg("vectors"), py::arg("name"));
  m.def("quat_to_matrix", &quat_to_matrix, py::arg("quaternion"));
  m.def("quat_multiply", &quat_multiply, py::arg("a"), py::arg("b"));
  m.def("pose_matrix", &pose_matrix, py::arg("position"), py::arg("orientation"));
  m.def("rotate", &rotate, py::arg("quaternion"), py::arg("vectors"));
  m.def("yaw_quat", &yaw_quat, py::arg("yaw"));
  m.def("yaw_of", &yaw_of, py::arg("quaternion"));
  m.def("invert_pose", &invert_pose, py::arg("pose"));
  m.def("transform", &transform, py::arg("pose"), py::arg("vectors"), py::arg("name"),
        py::arg("move"));
  m.def("look_at", &look_at, py::arg("position"), py::arg("target"), py::arg("up"));
  m.def("matrix_to_quat", &matrix_to_quat, py::arg("matrix"));
}
