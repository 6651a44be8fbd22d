#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <vector>

#include "bindings/array_in.hpp"
#include "bindings/bodies.hpp"
#include "core/cloth.hpp"

namespace py = pybind11;
using esi::array_in;
using esi::Vec3;

namespace {

class Cloth : public esi::SharedBody<esi::Cloth> {
 public:
  Cloth(const py::object& vertices_object, const py::object& faces_object,
        const esi::ClothMaterial& material)
      : SharedBody(array_in<double>(vertices_object, "vertices", {"V", 3}).vectors(),
                   array_in<std::int32_t>(faces_object, "faces", {"F", 3}).span(), material) {}

  void step(double dt, int steps, const py::object& gravity_object,
            const std::vector<esi::Field>& fields, const py::object& poses_object,
            const py::object& frictions_object, const py::object& planes_object) {
    const Vec3 gravity = array_in<double>(gravity_object, "gravity", {3}).vector(0);
    const auto count = static_cast<py::ssize_t>(fields.size());
    const auto poses = array_in<double>(poses_object, "pose", {count, 4, 4});
    const auto frictions = array_in<double>(frictions_object, "friction", {count});
    const auto planes = esi::planes_in(planes_object);
    std::vector<esi::Obstacle> obstacles(fields.size());
    for (std::size_t k = 0; k < fields.size(); ++k) {
      obstacles[k].field = fields[k].get();
      std::copy_n(poses.row(k), 12, obstacles[k].pose.m.begin());
      obstacles[k].friction = frictions[k];
    }
    alone([&](esi::Cloth& cloth) {
      cloth.step(dt, steps, gravity, {obstacles.data(), obstacles.size()},
                 {planes.data(), planes.size()});
    });
  }

  void set_pinned(const py::object& object) {
    const auto pinned = array_in<bool>(object, "pinned", {size()});
    alone([&](esi::Cloth& cloth) {
      std::copy_n(pinned.data(), pinned.size(), cloth.pinned.begin());
    });
  }

  double longest_stretch() {
    return alone([](esi::Cloth& cloth) { return cloth.longest_stretch(); });
  }
  double top_speed() {
    return alone([](esi::Cloth& cloth) { return cloth.top_speed(); });
  }
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
  py::class_<Cloth>(m, "Cloth")
      .def(py::init<const py::object&, const py::object&, const esi::ClothMaterial&>(),
           py::arg("vertices"), py::arg("faces"), py::arg("material"))
      .def("step", &Cloth::step, py::arg("dt"), py::arg("steps"), py::arg("gravity"),
           py::arg("fields"), py::arg("poses"), py::arg("frictions"), py::arg("planes"))
      .def("set_pinned", &Cloth::set_pinned, py::arg("pinned"))
      .def("longest_stretch", &Cloth::longest_stretch)
      .def("top_speed", &Cloth::top_speed)
      .def_property("positions", &Cloth::positions, &Cloth::set_positions)
      .def_property("velocities", &Cloth::velocities, &Cloth::set_velocities);
}
