#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/typing.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "bindings/array_in.hpp"
#include "core/cloth.hpp"

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

// Cloth that several Python threads may hold: one of them works on it at a time.
class SharedCloth {
 public:
  SharedCloth(const py::object& vertices_object, const py::object& faces_object,
              const esi::ClothMaterial& material)
      : cloth_(array_in<double>(vertices_object, "vertices", {"V", 3}).vectors(),
               array_in<std::int32_t>(faces_object, "faces", {"F", 3}).span(), material) {}

  void step(double dt, int steps, const py::object& gravity_object,
            const std::vector<Field>& fields, const py::object& poses_object,
            const py::object& frictions_object, const py::object& planes_object) {
    const Vec3 gravity = array_in<double>(gravity_object, "gravity", {3}).vector(0);
    const auto count = static_cast<py::ssize_t>(fields.size());
    const auto poses = array_in<double>(poses_object, "pose", {count, 4, 4});
    const auto frictions = array_in<double>(frictions_object, "friction", {count});
    const auto rows = array_in<double>(planes_object, "planes", {"P", 5});
    std::vector<esi::Obstacle> obstacles(fields.size());
    for (std::size_t k = 0; k < fields.size(); ++k) {
      obstacles[k].field = fields[k].get();
      std::copy_n(poses.row(k), 12, obstacles[k].pose.m.begin());
      obstacles[k].friction = frictions[k];
    }
    std::vector<esi::HalfSpace> planes(rows.rows());
    for (std::size_t k = 0; k < planes.size(); ++k) {
      const double* p = rows.data() + 5 * k;
      planes[k] = {{p[0], p[1], p[2]}, p[3], p[4]};
    }
    const py::gil_scoped_release release;
    const std::lock_guard<std::mutex> lock(mutex_);
    cloth_.step(dt, steps, gravity, {obstacles.data(), obstacles.size()},
                {planes.data(), planes.size()});
  }

  py::array_t<double> positions() { return copy_out(cloth_.positions); }
  py::array_t<double> velocities() { return copy_out(cloth_.velocities); }
  void set_positions(const py::object& o) { copy_in(o, "positions", cloth_.positions); }
  void set_velocities(const py::object& o) { copy_in(o, "velocities", cloth_.velocities); }

  void set_pinned(const py::object& object) {
    const auto count = static_cast<py::ssize_t>(cloth_.size());
    const auto pinned = array_in<bool>(object, "pinned", {count});
    const py::gil_scoped_release release;
    const std::lock_guard<std::mutex> lock(mutex_);
    std::copy_n(pinned.data(), pinned.size(), cloth_.pinned.begin());
  }

  double longest_stretch() {
    const py::gil_scoped_release release;
    const std::lock_guard<std::mutex> lock(mutex_);
    return cloth_.longest_stretch();
  }
  double top_speed() {
    const py::gil_scoped_release release;
    const std::lock_guard<std::mutex> lock(mutex_);
    return cloth_.top_speed();
  }

 private:
  py::array_t<double> copy_out(const std::vector<Vec3>& from) {
    py::array_t<double> out({static_cast<py::ssize_t>(from.size()), py::ssize_t{3}});
    auto* to = reinterpret_cast<Vec3*>(out.mutable_data());
    const py::gil_scoped_release release;
    const std::lock_guard<std::mutex> lock(mutex_);
    std::copy(from.begin(), from.end(), to);
    return out;
  }

  void copy_in(const py::object& object, const char* name, std::vector<Vec3>& to) {
    const auto count = static_cast<py::ssize_t>(cloth_.size());
    const auto values = array_in<double>(object, name, {count, 3});
    const py::gil_scoped_release release;
    const std::lock_guard<std::mutex> lock(mutex_);
    std::copy(values.vectors().begin(), values.vectors().end(), to.begin());
  }

  std::mutex mutex_;
  esi::Cloth cloth_;
};

esi::ClothMaterial make_material(double mass, double thickness, double stretch, double bend,
                                 double damping, double self_friction, bool self_collision) {
  return {mass, thickness, stretch, bend, damping, self_friction, self_collision};
}

}  // namespace

void register_cloth(py::module_& m) {
  m.doc() = "Cloth by position-based dynamics, and the distance fields it falls on.";
  py::class_<esi::DistanceField, Field>(m, "Field")
      .def(py::init(&make_field), py::arg("origin"), py::arg("spacing"), py::arg("values"))
      .def("sample", &sample, py::arg("points"), "Distance, direction and whether it is known.");
  py::class_<esi::ClothMaterial>(m, "Material")
      .def(py::init(&make_material), py::arg("mass"), py::arg("thickness"), py::arg("stretch"),
           py::arg("bend"), py::arg("damping"), py::arg("self_friction"),
           py::arg("self_collision"));
  py::class_<SharedCloth>(m, "Cloth")
      .def(py::init<const py::object&, const py::object&, const esi::ClothMaterial&>(),
           py::arg("vertices"), py::arg("faces"), py::arg("material"))
      .def("step", &SharedCloth::step, py::arg("dt"), py::arg("steps"), py::arg("gravity"),
           py::arg("fields"), py::arg("poses"), py::arg("frictions"), py::arg("planes"))
      .def("set_pinned", &SharedCloth::set_pinned, py::arg("pinned"))
      .def("longest_stretch", &SharedCloth::longest_stretch)
      .def("top_speed", &SharedCloth::top_speed)
      .def_property("positions", &SharedCloth::positions, &SharedCloth::set_positions)
      .def_property("velocities", &SharedCloth::velocities, &SharedCloth::set_velocities);
}
