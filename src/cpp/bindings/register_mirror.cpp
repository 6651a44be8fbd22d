#include <pybind11/pybind11.h>
#include <pybind11/typing.h>

#include "bindings/pinhole_in.hpp"
#include "bindings/rays_in.hpp"
#include "core/error.hpp"
#include "core/mirror.hpp"

namespace py = pybind11;
using esi::Mirror;
using esi::Scene;
using esi::Vec3;

namespace {

using Floats = py::array_t<double>;

// The module above has checked the mirror: axes are the rows normal, width, height.
Mirror mirror_in(const py::object& center, const py::object& axes, double width, double height) {
  const auto c = esi::array_in<double>(center, "center", {3}, esi::Finite::coordinates);
  const auto a = esi::array_in<double>(axes, "axes", {3, 3});
  return {c.vector(0), a.vector(0), a.vector(1), a.vector(2), 0.5 * width, 0.5 * height};
}

Vec3 reflected(Vec3 p, Vec3 center, Vec3 normal) {
  return p - normal * (2.0 * dot(p - center, normal));
}
Vec3 turned(Vec3 d, Vec3 normal) { return d - normal * (2.0 * dot(d, normal)); }

// Calls map(vector) for each vector of an array (..., 3) and returns what it gives.
template <class Map>
Floats each_vector(const py::object& object, const char* name, Map map) {
  const auto in = esi::array_in<double>(object, name, {"...", 3});
  Floats result(in.dimensions());
  auto* out = reinterpret_cast<Vec3*>(result.mutable_data());
  const esi::Span<const Vec3> vectors = in.vectors();
  const py::gil_scoped_release release;
  for (std::size_t i = 0; i < vectors.size(); ++i) out[i] = map(vectors[i]);
  return result;
}

Floats reflect_points(const py::object& center, const py::object& normal,
                      const py::object& points) {
  const Vec3 c = esi::array_in<double>(center, "center", {3}).vector(0);
  const Vec3 n = esi::array_in<double>(normal, "normal", {3}).vector(0);
  return each_vector(points, "points", [=](Vec3 p) { return reflected(p, c, n); });
}

Floats reflect_directions(const py::object& normal, const py::object& directions) {
  const Vec3 n = esi::array_in<double>(normal, "normal", {3}).vector(0);
  return each_vector(directions, "directions", [=](Vec3 d) { return turned(d, n); });
}

py::typing::Tuple<py::array_t<double>, py::array_t<bool>> hits(const py::object& center,
                                                               const py::object& axes, double width,
                                                               double height,
                                                               const py::object& eyes_object,
                                                               const py::object& points_object) {
  const Mirror mirror = mirror_in(center, axes, width, height);
  const auto eyes = esi::array_in<double>(eyes_object, "eyes", {"N", 3}, esi::Finite::coordinates);
  const auto points =
      esi::array_in<double>(points_object, "points", {"N", 3}, esi::Finite::coordinates);
  const std::size_t count = esi::broadcast_rows(eyes, points);
  py::array_t<double> where(std::vector<py::ssize_t>{static_cast<py::ssize_t>(count), 3});
  py::array_t<bool> meets(static_cast<py::ssize_t>(count));
  Vec3* hit = reinterpret_cast<Vec3*>(where.mutable_data());
  bool* met = meets.mutable_data();
  {
    const py::gil_scoped_release release;
    for (std::size_t i = 0; i < count; ++i) {
      met[i] = esi::mirror_hit(mirror, eyes.vector(i), points.vector(i), &hit[i]);
    }
  }
  return py::make_tuple(where, meets);
}

// Projections of the virtual images; also asks that the light meets the mirror, and that the spot
// on the mirror is in the picture.
esi::ProjectionOut images(const py::object& center, const py::object& axes, double width,
                          double height, const py::object& position, const py::object& orientation,
                          double focal, double columns, double rows,
                          const py::object& points_object) {
  const Mirror mirror = mirror_in(center, axes, width, height);
  const esi::Pinhole camera = esi::pinhole_in(position, orientation, focal, columns, rows);
  const auto points =
      esi::array_in<double>(points_object, "points", {"N", 3}, esi::Finite::coordinates);
  return esi::projection_out(points.shape(0), [&](std::size_t i) {
    const Vec3 point = points.vector(i);
    Vec3 spot;
    const bool meets = esi::mirror_hit(mirror, camera.position, point, &spot);
    // The image lies on the ray through the spot, so both have the same pixel.
    esi::Projected image = camera.project(reflected(point, mirror.center, mirror.normal));
    if (meets && image.in_front) return image;
    const double depth = image.depth;
    image = {};
    image.depth = depth;
    return image;
  });
}

// The camera's own reflection is left-handed; it keeps forward and up and gives up its right.
py::typing::Tuple<Floats, Floats> reflect_frame(const py::object& center, const py::object& normal,
                                                const py::object& position,
                                                const py::object& orientation) {
  const Vec3 c = esi::array_in<double>(center, "center", {3}).vector(0);
  const Vec3 n = esi::array_in<double>(normal, "normal", {3}).vector(0);
  const esi::Pinhole camera = esi::pinhole_in(position, orientation, 1, 1, 1);
  const Vec3 axes[3] = {-turned(camera.right, n), turned(camera.up, n), turned(camera.back, n)};
  double matrix[9];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) matrix[3 * i + j] = axes[j][i];
  }
  Floats where(3), turn(4);
  const Vec3 p = reflected(camera.position, c, n);
  for (int k = 0; k < 3; ++k) where.mutable_data()[k] = p[k];
  if (!esi::matrix_to_quat(matrix, turn.mutable_data())) {
    esi::bad_argument("normal", "a unit vector", "one of another length");
  }
  return py::make_tuple(where, turn);
}

py::array_t<bool> visible(Scene& scene, const py::object& center, const py::object& axes,
                          double width, double height, std::int32_t body,
                          const py::object& eyes_object, const py::object& points_object,
                          const py::object& ignore_object, double tolerance, int threads) {
  if (!(tolerance >= 0 && tolerance < 0.5)) {
    esi::bad_argument("tolerance", "0 or more and below 0.5", std::to_string(tolerance));
  }
  const Mirror mirror = mirror_in(center, axes, width, height);
  const auto eyes = esi::array_in<double>(eyes_object, "eyes", {"N", 3}, esi::Finite::coordinates);
  const auto points =
      esi::array_in<double>(points_object, "points", {"N", 3}, esi::Finite::coordinates);
  const std::size_t count = esi::broadcast_rows(eyes, points);
  const esi::IgnoreIn ignore(ignore_object, count, body);
  py::array_t<bool> result(static_cast<py::ssize_t>(count));
  bool* out = result.mutable_data();
  {
    const py::gil_scoped_release release;
    const esi::SceneView view = scene.view();
    esi::visible_through(view, mirror, count, esi::vector_rows(eyes), esi::vector_rows(points),
                         ignore.rows(), tolerance, threads == 0 ? scene.threads() : threads, out);
  }
  return result;
}

}  // namespace

void register_mirror(py::module_& m) {
  m.doc() = "What is seen by way of a flat, rectangular mirror.";
  m.def("hits", &hits, py::arg("center"), py::arg("axes"), py::arg("width"), py::arg("height"),
        py::arg("eyes"), py::arg("points"));
  m.def("visible", &visible, py::arg("scene"), py::arg("center"), py::arg("axes"), py::arg("width"),
        py::arg("height"), py::arg("body"), py::arg("eyes"), py::arg("points"), py::arg("ignore"),
        py::arg("tolerance"), py::arg("threads"));
  m.def("images", &images, py::arg("center"), py::arg("axes"), py::arg("width"), py::arg("height"),
        py::arg("position"), py::arg("orientation"), py::arg("focal"), py::arg("columns"),
        py::arg("rows"), py::arg("points"));
  m.def("reflect_frame", &reflect_frame, py::arg("center"), py::arg("normal"), py::arg("position"),
        py::arg("orientation"));
  m.def("reflect_points", &reflect_points, py::arg("center"), py::arg("normal"), py::arg("points"));
  m.def("reflect_directions", &reflect_directions, py::arg("normal"), py::arg("directions"));
}
