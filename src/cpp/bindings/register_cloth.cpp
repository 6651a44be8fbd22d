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
  m.doc() = "Cloth by position-based dynamics.";
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
