#include <pybind11/pybind11.h>
#include <pybind11/typing.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "bindings/rays_in.hpp"
#include "core/parallel.hpp"
#include "core/sweep.hpp"

namespace py = pybind11;
using esi::Obstacles;
using esi::Scene;
using esi::Vec3;

namespace {

using Floats = py::array_t<double>;
using Ints = py::array_t<std::int32_t>;
using Bytes = py::array_t<std::uint8_t>;
using Flags = py::array_t<bool>;

constexpr std::size_t grain = 32;
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr Vec3 nowhere{not_a_number, not_a_number, not_a_number};

py::typing::Tuple<Floats, Flags, Ints, Bytes> sweep(Obstacles& obstacles, Scene& scene,
                                                    const py::object& starts_object,
                                                    const py::object& ends_object, double radius,
                                                    const py::object& ignore_object, int threads) {
  if (!(radius > 0.0 && std::isfinite(radius))) {
    esi::bad_argument("radius", "a finite number above 0", esi::number_text(radius));
  }
  const auto starts =
      esi::array_in<double>(starts_object, "starts", {"N", 3}, esi::Finite::coordinates);
  const auto ends = esi::array_in<double>(ends_object, "ends", {"N", 3}, esi::Finite::coordinates);
  const std::size_t count = esi::broadcast_rows(starts, ends);
  const esi::IgnoreIn ignore(ignore_object, count);
  const auto n = static_cast<py::ssize_t>(count);
  Floats fraction(n);
  Flags blocked(n);
  Ints object_id(n);
  Bytes status(n);
  auto* f = fraction.mutable_data();
  auto* b = blocked.mutable_data();
  auto* o = object_id.mutable_data();
  auto* s = status.mutable_data();
  const int used = threads == 0 ? scene.threads() : threads;
  {
    const py::gil_scoped_release release;
    const esi::SceneView view = scene.view();
    obstacles.sync(view, used);
    esi::parallel_for(count, grain, used, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const esi::Sweep found =
            obstacles.sweep(starts.vector(i), ends.vector(i), radius, ignore.rows().of(i));
        f[i] = found.fraction;
        b[i] = found.blocked;
        o[i] = found.object_id;
        s[i] = static_cast<std::uint8_t>(found.status);
      }
    });
  }
  return py::make_tuple(fraction, blocked, object_id, status);
}

void check_present(const esi::SceneView& view, std::int32_t object_id, const char* name) {
  for (std::size_t i = 0; i < view.instance_count(); ++i) {
    const esi::Instance& instance = view.instance(static_cast<std::int32_t>(i));
    if (instance.alive && instance.object_id == object_id) return;
  }
  esi::bad_argument(name, "the id of an object of the scene", std::to_string(object_id));
}

py::typing::Tuple<double, Floats, Floats> between(Obstacles& obstacles, Scene& scene,
                                                  std::int32_t object_a, std::int32_t object_b) {
  esi::NearestObjects found;
  {
    const py::gil_scoped_release release;
    const esi::SceneView view = scene.view();
    check_present(view, object_a, "object_a");
    check_present(view, object_b, "object_b");
    obstacles.sync(view, scene.threads());
    found = obstacles.between(object_a, object_b);
  }
  const esi::NearestPair& pair = found.nearest;
  const bool none = found.instance_a < 0;
  return py::make_tuple(pair.distance, esi::array_out(none ? nowhere : pair.point_a),
                        esi::array_out(none ? nowhere : pair.point_b));
}

py::typing::Tuple<Floats, Floats, Ints, Ints, Ints> nearest(Obstacles& obstacles, Scene& scene,
                                                            const py::object& points_object,
                                                            const py::object& ignore_object,
                                                            int threads) {
  const auto points =
      esi::array_in<double>(points_object, "points", {"N", 3}, esi::Finite::coordinates);
  const esi::IgnoreIn ignore(ignore_object, points.rows());
  const auto n = static_cast<py::ssize_t>(points.rows());
  Floats distance(n), closest(std::vector<py::ssize_t>{n, 3});
  Ints object_id(n), instance(n), face(n);
  auto* d = distance.mutable_data();
  auto* q = reinterpret_cast<Vec3*>(closest.mutable_data());
  auto* o = object_id.mutable_data();
  auto* k = instance.mutable_data();
  auto* f = face.mutable_data();
  const int used = threads == 0 ? scene.threads() : threads;
  {
    const py::gil_scoped_release release;
    const esi::SceneView view = scene.view();
    obstacles.sync(view, used);
    esi::parallel_for(points.rows(), grain, used, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const esi::NearestSurface found = obstacles.nearest(points.vector(i), ignore.rows().of(i));
        d[i] = found.nearest.distance;
        q[i] = found.instance >= 0 ? found.nearest.point : nowhere;
        k[i] = found.instance;
        f[i] = found.nearest.triangle;
        o[i] = found.instance >= 0 ? view.instance(found.instance).object_id : -1;
      }
    });
  }
  return py::make_tuple(distance, closest, object_id, instance, face);
}

}  // namespace

void register_sweep(py::module_& m) {
  m.doc() = "A sphere that moves through a scene, and the surface nearest to a point of it.";
  py::class_<Obstacles>(m, "Obstacles", "Search trees of one scene, brought up to date when asked.")
      .def(py::init<>())
      .def("sweep", &sweep, py::arg("scene"), py::arg("starts"), py::arg("ends"), py::arg("radius"),
           py::arg("ignore"), py::arg("threads"))
      .def("between", &between, py::arg("scene"), py::arg("object_a"), py::arg("object_b"))
      .def("nearest", &nearest, py::arg("scene"), py::arg("points"), py::arg("ignore"),
           py::arg("threads"));
}
