#include <pybind11/pybind11.h>
#include <pybind11/typing.h>

#include <utility>
#include <vector>

#include "bindings/array_in.hpp"
#include "bindings/array_out.hpp"
#include "core/particles.hpp"

namespace py = pybind11;
using esi::array_in;
using esi::to_array;

namespace {

using Labels = py::array_t<std::int32_t>;
using Counts = py::array_t<std::int64_t>;

// Particles as they came, and the spacing of the numbers that they were given in.
struct Points {
  Points(const py::object& object, bool drop)
      : array(array_in<double>(object, "points", {"N", 3},
                               drop ? esi::Finite::any : esi::Finite::required)) {
    if (!py::isinstance<py::array>(object)) return;
    const auto dtype = py::reinterpret_borrow<py::array>(object).dtype();
    if (dtype.kind() == 'f' && dtype.itemsize() == 4) epsilon = 0x1p-23;
    if (dtype.kind() == 'f' && dtype.itemsize() == 2) epsilon = 0x1p-10;
  }

  esi::Reach reach(double radius, double tolerance) const { return {radius, tolerance, epsilon}; }

  esi::ArrayIn<double> array;
  double epsilon = 0x1p-52;  // of integers as well: they become doubles
};

py::typing::Tuple<Labels, Counts, int, int> components(const py::object& points_object,
                                                       double radius, double tolerance, bool drop,
                                                       int threads) {
  const Points points(points_object, drop);
  esi::ParticleComponents found;
  {
    const py::gil_scoped_release release;
    found = esi::components(points.array.vectors(), points.reach(radius, tolerance), threads);
  }
  return py::make_tuple(to_array<std::int32_t>(std::move(found.labels)),
                        to_array<std::int64_t>(std::move(found.sizes)), found.largest,
                        found.dropped);
}

py::typing::Tuple<Counts, Labels, int> radius_graph(const py::object& points_object, double radius,
                                                    double tolerance, bool drop, int threads) {
  const Points points(points_object, drop);
  esi::RadiusGraph found;
  {
    const py::gil_scoped_release release;
    found = esi::radius_graph(points.array.vectors(), points.reach(radius, tolerance), threads);
  }
  return py::make_tuple(to_array<std::int64_t>(std::move(found.offsets)),
                        to_array<std::int32_t>(std::move(found.neighbours)), found.dropped);
}

}  // namespace

void register_particles(py::module_& m) {
  m.doc() = "Particles linked within a radius.";
  m.def("components", &components, py::arg("points"), py::arg("radius"), py::arg("tolerance"),
        py::arg("drop"), py::arg("threads"),
        "Label per particle, sizes of the components, the largest, count of dropped particles.");
  m.def("radius_graph", &radius_graph, py::arg("points"), py::arg("radius"), py::arg("tolerance"),
        py::arg("drop"), py::arg("threads"),
        "Offsets and neighbours of each particle, count of dropped particles.");
}
