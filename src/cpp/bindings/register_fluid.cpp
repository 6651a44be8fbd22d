#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <vector>

#include "bindings/array_in.hpp"
#include "bindings/bodies.hpp"
#include "core/fluid.hpp"

namespace py = pybind11;
using esi::array_in;
using esi::Vec3;

namespace {

class Fluid : public esi::SharedBody<esi::Fluid> {
 public:
  Fluid(const py::object& positions, double radius, double viscosity, int iterations)
      : SharedBody(array_in<double>(positions, "positions", {"N", 3}).vectors(),
                   esi::FluidSettings{radius, viscosity, iterations}) {}

  void step(double dt, int steps, const py::object& gravity_object,
            const std::vector<esi::Field>& fields, const py::object& from_object,
            const py::object& to_object, const py::object& planes_object, int threads) {
    const Vec3 gravity = array_in<double>(gravity_object, "gravity", {3}).vector(0);
    const auto count = static_cast<py::ssize_t>(fields.size());
    const auto from = array_in<double>(from_object, "poses", {count, 4, 4});
    const auto to = array_in<double>(to_object, "poses", {count, 4, 4});
    const auto planes = esi::planes_in(planes_object);
    std::vector<esi::MovingObstacle> obstacles(fields.size());
    for (std::size_t k = 0; k < fields.size(); ++k) {
      obstacles[k].field = fields[k].get();
      std::copy_n(from.data() + 16 * k, 12, obstacles[k].from.m.begin());
      std::copy_n(to.data() + 16 * k, 12, obstacles[k].to.m.begin());
    }
    alone([&](esi::Fluid& fluid) {
      fluid.step(dt, steps, gravity, {obstacles.data(), obstacles.size()},
                 {planes.data(), planes.size()}, threads);
    });
  }

  py::array_t<double> density() {
    py::array_t<double> out(size());
    double* to = out.mutable_data();
    alone(
        [&](esi::Fluid& fluid) { std::copy(fluid.density().begin(), fluid.density().end(), to); });
    return out;
  }
  double mean_speed() {
    return alone([](esi::Fluid& fluid) { return fluid.mean_speed(); });
  }
};

}  // namespace

void register_fluid(py::module_& m) {
  m.doc() = "Liquid by position-based dynamics.";
  py::class_<Fluid>(m, "Fluid")
      .def(py::init<const py::object&, double, double, int>(), py::arg("positions"),
           py::arg("radius"), py::arg("viscosity"), py::arg("iterations"))
      .def("step", &Fluid::step, py::arg("dt"), py::arg("steps"), py::arg("gravity"),
           py::arg("fields"), py::arg("from_poses"), py::arg("to_poses"), py::arg("planes"),
           py::arg("threads"))
      .def("density", &Fluid::density)
      .def("mean_speed", &Fluid::mean_speed)
      .def_property("positions", &Fluid::positions, &Fluid::set_positions)
      .def_property("velocities", &Fluid::velocities, &Fluid::set_velocities);
}
