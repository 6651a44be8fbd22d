#include <algorithm>
#include <initializer_list>
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

// Which row of each of several arrays (..., size) belongs to each row of their broadcast.
class Broadcast {
 public:
  explicit Broadcast(std::initializer_list<const esi::ArrayIn<double>*> arrays) {
    for (const auto* array : arrays) {
      const std::vector<py::ssize_t> shape = array->dimensions();
      const std::size_t rank = shape.size() - 1;
      if (rank > shape_.size()) shape_.insert(shape_.begin(), rank - shape_.size(), 1);
      for (std::size_t k = 0; k < rank; ++k) {
        py::ssize_t& size = shape_[shape_.size() - rank + k];
        if (shape[k] != size && shape[k] != 1) {
          if (size != 1) {
            esi::bad_argument(
                array->name(), "a shape that fits those before it",
                std::to_string(shape[k]) + " where they have " + std::to_string(size));
          }
          size = shape[k];
        }
      }
    }
    for (const py::ssize_t size : shape_) count_ *= static_cast<std::size_t>(size);
  }

  std::size_t count() const { return count_; }
  std::vector<py::ssize_t> shape(std::initializer_list<py::ssize_t> last) const {
    std::vector<py::ssize_t> whole = shape_;
    whole.insert(whole.end(), last);
    return whole;
  }
  // Where the row of `array` for row i of the broadcast begins.
  const double* row(const esi::ArrayIn<double>& array, std::size_t i) const {
    const auto rank = static_cast<std::size_t>(array.ndim()) - 1;
    std::size_t offset = 0, step = 1;
    for (std::size_t k = 0; k < shape_.size(); ++k) {  // from the last dimension
      const auto size = static_cast<std::size_t>(shape_[shape_.size() - 1 - k]);
      const std::size_t place = i % size;
      i /= size;
      if (k >= rank) break;
      const std::size_t own = array.shape(static_cast<int>(rank - 1 - k));
      if (own > 1) offset += place * step;
      step *= own;
    }
    return array.data() + offset * array.shape(static_cast<int>(rank));
  }

 private:
  std::vector<py::ssize_t> shape_;
  std::size_t count_ = 1;
};

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
  const Broadcast rows({&a, &b});
  Floats result(rows.shape({4}));
  double* out = result.mutable_data();
  for (std::size_t i = 0; i < rows.count(); ++i) {
    if (!esi::quat_multiply(rows.row(a, i), rows.row(b, i), out + 4 * i)) {
      esi::bad_argument("a, b", "non-zero vectors", "one of length 0");
    }
  }
  return result;
}

Floats pose_matrix(const py::object& position, const py::object& orientation) {
  const auto at = esi::array_in<double>(position, "position", {"...", 3});
  const auto turn = esi::array_in<double>(orientation, "orientation", {"...", 4});
  const Broadcast rows({&at, &turn});
  Floats result(rows.shape({4, 4}));
  double* out = result.mutable_data();
  for (std::size_t i = 0; i < rows.count(); ++i, out += 16) {
    double matrix[9];
    if (!esi::quat_to_matrix(rows.row(turn, i), matrix)) {
      esi::bad_argument("orientation", "non-zero vectors", "one of length 0");
    }
    const double* p = rows.row(at, i);
    for (int j = 0; j < 3; ++j) {
      std::copy_n(matrix + 3 * j, 3, out + 4 * j);
      out[4 * j + 3] = p[j];
    }
    std::fill_n(out + 12, 3, 0.0);
    out[15] = 1.0;
  }
  return result;
}

Floats look_at(const py::object& position, const py::object& target, const py::object& up_object) {
  const auto eye = esi::array_in<double>(position, "position", {"...", 3});
  const auto aim = esi::array_in<double>(target, "target", {"...", 3});
  const auto up = esi::array_in<double>(up_object, "up", {"...", 3});
  const Broadcast rows({&eye, &aim, &up});
  Floats result(rows.shape({4}));
  double* out = result.mutable_data();
  for (std::size_t i = 0; i < rows.count(); ++i) {
    const esi::LookAt found =
        esi::look_at(rows.row(eye, i), rows.row(aim, i), rows.row(up, i), out + 4 * i);
    if (found != esi::LookAt::ok) {
      esi::bad_argument(found == esi::LookAt::no_up ? "up" : "target - position",
                        "non-zero vectors", "one of length 0");
    }
  }
  return result;
}

}  // namespace

void register_rotation(py::module_& m) {
  m.doc() = "Unit vectors, quaternions and rotation matrices.";
  m.def("normalize", &normalize, py::arg("vectors"), py::arg("name"));
  m.def("quat_to_matrix", &quat_to_matrix, py::arg("quaternion"));
  m.def("quat_multiply", &quat_multiply, py::arg("a"), py::arg("b"));
  m.def("pose_matrix", &pose_matrix, py::arg("position"), py::arg("orientation"));
  m.def("look_at", &look_at, py::arg("position"), py::arg("target"), py::arg("up"));
  m.def("matrix_to_quat", &matrix_to_quat, py::arg("matrix"));
}
