#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

#include "bindings/array_in.hpp"
#include "core/fluid.hpp"

namespace py = pybind11;
using esi::array_in;
using esi::Vec3;

namespace {

using Field = std::shared_ptr<esi::DistanceField>;

// Liquid that several Python threads may hold: one of them works on it at a time.
class SharedFluid {
 public:
  SharedFluid(const py::object& positions, double radius, double viscosity, int iterations)
      : fluid_(array_in<double>(positions, "positions", {"N", 3}).vectors(),
               {radius, viscosity, iterations}) {}

  void step(double dt, int steps, const py::object& gravity_object,
            const std::vector<Field>& fields, const py::object& from_object,
            const py::object& to_object, const py::object& planes_object, int threads) {
    const Vec3 gravity = array_in<double>(gravity_object, "gravity", {3}).vector(0);
    const auto count = static_cast<py::ssize_t>(fields.size());
    const auto from = array_in<double>(from_object, "poses", {count, 4, 4});
    const auto to = array_in<double>(to_object, "poses", {count, 4, 4});
    const auto rows = array_in<double>(planes_object, "planes", {"P", 5});
    std::vector<esi::MovingObstacle> obstacles(fields.size());
    for (std::size_t k = 0; k < fields.size(); ++k) {
      obstacles[k].field = fields[k].get();
      std::copy_n(from.data() + 16 * k, 12, obstacles[k].from.m.begin());
      std::copy_n(to.data() + 16 * k, 12, obstacles[k].to.m.begin());
    }
    std::vector<esi::HalfSpace> planes(rows.rows());
    for (std::size_t k = 0; k < planes.size(); ++k) {
      const double* p = rows.data() + 5 * k;
      planes[k] = {{p[0], p[1], p[2]}, p[3], p[4]};
    }
    const py::gil_scoped_release release;
    const std::lock_guard<std::mutex> lock(mutex_);
    fluid_.step(dt, steps, gravity, {obstacles.data(), obstacles.size()},
                {planes.data(), planes.size()}, threads);
  }

  py::array_t<double> positions() { return copy_out(fluid_.positions); }
  py::array_t<double> velocities() { return copy_out(fluid_.velocities); }
  void set_positions(const py::object& o) { copy_in(o, "positions", fluid_.positions); }
  void set_velocities(const py::object& o) { copy_in(o, "velocities", fluid_.velocities); }

  py::array_t<double> density() {
    py::array_t<double> out(static_cast<py::ssize_t>(fluid_.size()));
    double* to = out.mutable_data();
    const py::gil_scoped_release release;
    const std::lock_guard<std::mutex> lock(mutex_);
    std::copy(fluid_.density().begin(), fluid_.density().end(), to);
    return out;
  }
  double mean_speed() {
    const py::gil_scoped_release release;
    const std::lock_guard<std::mutex> lock(mutex_);
    return fluid_.mean_speed();
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
    const auto count = static_cast<py::ssize_t>(fluid_.size());
    const auto values = array_in<double>(object, name, {count, 3});
    const py::gil_scoped_release release;
    const std::lock_guard<std::mutex> lock(mutex_);
    std::copy(values.vectors().begin(), values.vectors().end(), to.begin());
  }

  std::mutex mutex_;
  esi::Fluid fluid_;
};

}  // namespace

void register_fluid(py::module_& m) {
  m.doc() = "Liquid by position-based dynamics.";
  py::class_<SharedFluid>(m, "Fluid")
      .def(py::init<const py::object&, double, double, int>(), py::arg("positions"),
           py::arg("radius"), py::arg("viscosity"), py::arg("iterations"))
      .def("step", &SharedFluid::step, py::arg("dt"), py::arg("steps"), py::arg("gravity"),
           py::arg("fields"), py::arg("from_poses"), py::arg("to_poses"), py::arg("planes"),
           py::arg("threads"))
      .def("density", &SharedFluid::density)
      .def("mean_speed", &SharedFluid::mean_speed)
      .def_property("positions", &SharedFluid::positions, &SharedFluid::set_positions)
      .def_property("velocities", &SharedFluid::velocities, &SharedFluid::set_velocities);
}
