#include <pybind11/pybind11.h>
#include <pybind11/typing.h>

#include "bindings/pinhole_in.hpp"

namespace py = pybind11;
using esi::Vec3;

namespace {

using Floats = py::array_t<double>;

Floats read_only(Floats array) {
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

// A position and the unit quaternion of an orientation, copied and read-only.
py::typing::Tuple<Floats, Floats> frame(const py::object& position, const std::string& name,
                                        const py::object& orientation) {
  const auto at = esi::array_in<double>(position, name, {3});
  const auto turn = esi::array_in<double>(orientation, "orientation", {4});
  Floats where(3), unit(4);
  std::copy_n(at.data(), 3, where.mutable_data());
  if (!esi::unit_vector(turn.data(), 4, unit.mutable_data())) {
    esi::bad_argument("orientation", "non-zero vectors", "one of length 0");
  }
  return py::make_tuple(read_only(std::move(where)), read_only(std::move(unit)));
}

// Where a camera at `position` is turned to have `target` in the middle of its picture.
Floats aim(const py::object& position, const py::object& target, const py::object& up_object) {
  const auto eye = esi::array_in<double>(position, "position", {3});
  const auto at = esi::array_in<double>(target, "target", {3});
  const auto up = esi::array_in<double>(up_object, "up", {3});
  Floats result(4);
  const esi::LookAt found = esi::look_at(eye.data(), at.data(), up.data(), result.mutable_data());
  if (found != esi::LookAt::ok) {
    esi::bad_argument(found == esi::LookAt::no_up ? "up" : "target - position", "non-zero vectors",
                      "one of length 0");
  }
  return result;
}

esi::ProjectionOut project(const py::object& position, const py::object& orientation, double focal,
                           double width, double height, const py::object& points_object) {
  const esi::Pinhole camera = esi::pinhole_in(position, orientation, focal, width, height);
  const auto points = esi::array_in<double>(points_object, "points", {"N", 3});
  return esi::projection_out(points.shape(0),
                             [&](std::size_t i) { return camera.project(points.vector(i)); });
}

Floats unproject(const py::object& position, const py::object& orientation, double focal,
                 double width, double height, const py::object& pixels_object,
                 const py::object& depth_object) {
  const esi::Pinhole camera = esi::pinhole_in(position, orientation, focal, width, height);
  const auto pixels = esi::array_in<double>(pixels_object, "pixels", {"N", 2});
  const auto depth = esi::array_in<double>(depth_object, "depth", {"..."});
  const std::size_t count = pixels.shape(0);
  if (depth.ndim() > 1 || (depth.size() != count && depth.size() != 1)) {
    esi::bad_argument("depth", "a number or shape (" + std::to_string(count) + ",)",
                      esi::detail::shape_text(depth_object.cast<py::array>()));
  }
  Floats result(std::vector<py::ssize_t>{static_cast<py::ssize_t>(count), 3});
  auto* out = reinterpret_cast<Vec3*>(result.mutable_data());
  const py::gil_scoped_release release;
  for (std::size_t i = 0; i < count; ++i) {
    const double* p = pixels.data() + 2 * i;
    const double metres = depth.data()[depth.size() == 1 ? 0 : i];
    out[i] = camera.position + camera.towards(p[0], p[1]) * metres;
  }
  return result;
}

py::typing::Tuple<Floats, Floats> rays(const py::object& position, const py::object& orientation,
                                       double focal, double width, double height,
                                       const py::object& pixels_object) {
  const esi::Pinhole camera = esi::pinhole_in(position, orientation, focal, width, height);
  const auto pixels = esi::array_in<double>(pixels_object, "pixels", {"N", 2});
  const std::size_t count = pixels.shape(0);
  const std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(count), 3};
  Floats origins(shape), directions(shape);
  auto* from = reinterpret_cast<Vec3*>(origins.mutable_data());
  double* way = directions.mutable_data();
  {
    const py::gil_scoped_release release;
    for (std::size_t i = 0; i < count; ++i) {
      from[i] = camera.position;
      const Vec3 d = camera.towards(pixels.data()[2 * i], pixels.data()[2 * i + 1]);
      esi::unit_vector(&d.x, 3, way + 3 * i);
    }
  }
  return py::make_tuple(origins, directions);
}

}  // namespace

void register_camera(py::module_& m) {
  m.doc() = "Pinhole cameras: world points to pixels and back.";
  m.def("frame", &frame, py::arg("position"), py::arg("name"), py::arg("orientation"));
  m.def("aim", &aim, py::arg("position"), py::arg("target"), py::arg("up"));
  m.def("project", &project, py::arg("position"), py::arg("orientation"), py::arg("focal"),
        py::arg("width"), py::arg("height"), py::arg("points"));
  m.def("unproject", &unproject, py::arg("position"), py::arg("orientation"), py::arg("focal"),
        py::arg("width"), py::arg("height"), py::arg("pixels"), py::arg("depth"));
  m.def("rays", &rays, py::arg("position"), py::arg("orientation"), py::arg("focal"),
        py::arg("width"), py::arg("height"), py::arg("pixels"));
}
