#include <pybind11/pybind11.h>
#include <pybind11/typing.h>

#include <memory>
#include <utility>
#include <vector>

#include "bindings/array_in.hpp"
#include "core/particles.hpp"

namespace py = pybind11;
using esi::array_in;

namespace {

using Labels = py::array_t<std::int32_t>;
using Counts = py::array_t<std::int64_t>;

// A vector as an array, without a copy.
template <class T>
py::array_t<T> to_array(std::vector<T>&& values) {
  auto owner = std::make_unique<std::vector<T>>(std::move(values));
  const T* data = owner->data();
  const auto size = static_cast<py::ssize_t>(owner->size());
  const py::capsule keep(owner.get(), [](void* p) { delete static_cast<std::vector<T>*>(p); });
  owner.release();
  return py::array_t<T>(size, data, keep);
}

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
  esi::Components found;
  {
    const py::gil_scoped_release release;
    found = esi::components(points.array.vectors(), points.reach(radius, tolerance), threads);
  }
  return py::make_tuple(to_array(std::move(found.labels)), to_array(std::move(found.sizes)),
                        found.largest, found.dropped);
}

py::typing::Tuple<Counts, Labels, int> radius_graph(const py::object& points_object, double radius,
                                                    double tolerance, bool drop, int threads) {
  const Points points(points_object, drop);
  esi::RadiusGraph found;
  {
    const py::gil_scoped_release release;
    found = esi::radius_graph(points.array.vectors(), points.reach(radius, tolerance), threads);
  }
  return py::make_tuple(to_array(std::move(found.offsets)), to_array(std::move(found.neighbours)),
                        found.dropped);
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
