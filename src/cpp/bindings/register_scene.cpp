#include <pybind11/stl.h>
#include <pybind11/typing.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "bindings/array_in.hpp"
#include "core/error.hpp"
#include "core/samples.hpp"
#include "core/scene.hpp"

namespace py = pybind11;
using esi::Affine;
using esi::Scene;
using esi::Vec3;

namespace {

Affine pose_in(const py::object& object) {
  Affine pose;
  if (object.is_none()) return pose;
  const auto matrix = esi::array_in<double>(object, "pose", {4, 4});
  for (int j = 0; j < 4; ++j) {
    if (matrix[12 + j] != (j == 3 ? 1.0 : 0.0)) {
      esi::bad_argument("pose", "last row (0, 0, 0, 1)",
                        std::to_string(matrix[12 + j]) + " at [3, " + std::to_string(j) + "]");
    }
  }
  std::copy(matrix.data(), matrix.data() + 12, pose.m.begin());
  return pose;
}

Vec3 scale_in(const py::object& object) {
  const auto ndim = py::module_::import("numpy").attr("ndim")(object).cast<int>();
  if (ndim == 0) {
    const double s = esi::array_in<double>(object, "scale", {})[0];
    return {s, s, s};
  }
  return esi::array_in<double>(object, "scale", {3}).vector(0);
}

std::int32_t add_mesh(Scene& scene, const py::object& vertices, const py::object& faces,
                      const py::object& normals, const py::object& uv) {
  const auto v = esi::array_in<double>(vertices, "vertices", {"V", 3});
  const auto f = esi::array_in<std::int32_t>(faces, "faces", {"F", 3});
  const auto count = static_cast<py::ssize_t>(f.rows());
  std::vector<esi::ArrayIn<double>> n, t;
  if (!normals.is_none()) n.push_back(esi::array_in<double>(normals, "normals", {count, 3, 3}));
  if (!uv.is_none()) t.push_back(esi::array_in<double>(uv, "uv", {count, 3, 2}));
  const py::gil_scoped_release release;
  return scene.add_mesh(v.vectors(), f.span(), n.empty() ? esi::Span<const Vec3>{} : n[0].vectors(),
                        t.empty() ? esi::Span<const double>{} : t[0].span());
}

std::int32_t add_instance(Scene& scene, std::int32_t mesh, std::int32_t object_id,
                          const py::object& pose, const py::object& scale) {
  const Affine p = pose_in(pose);
  const Vec3 s = scale_in(scale);
  const py::gil_scoped_release release;
  return scene.add_instance(mesh, object_id, p, s);
}

void set_pose(Scene& scene, std::int32_t instance, const py::object& pose,
              const py::object& scale) {
  const Affine p = pose_in(pose);
  const bool scaled = !scale.is_none();
  const Vec3 s = scaled ? scale_in(scale) : Vec3{};
  const py::gil_scoped_release release;
  scene.set_pose(instance, p, scaled ? &s : nullptr);
}

// Runs `read` on a view of the built scene, without the GIL.
template <class Read>
auto with_view(Scene& scene, Read read) {
  const py::gil_scoped_release release;
  const esi::SceneView view = scene.view();
  return read(view);
}

py::array_t<double> vectors_out(const std::vector<Vec3>& vectors,
                                const std::vector<py::ssize_t>& shape) {
  py::array_t<double> out(shape);
  std::copy(vectors.begin(), vectors.end(), reinterpret_cast<Vec3*>(out.mutable_data()));
  return out;
}

py::array_t<double> bounds(Scene& scene) {
  const esi::Box box = with_view(scene, [](const esi::SceneView& view) { return view.bounds(); });
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Vec3 none{nan, nan, nan};
  return vectors_out({box.empty() ? none : box.lower, box.empty() ? none : box.upper}, {2, 3});
}

py::array_t<std::int32_t> instance_object_ids(Scene& scene) {
  const auto ids = with_view(scene, [](const esi::SceneView& view) {
    std::vector<std::int32_t> found;
    for (std::size_t i = 0; i < view.instance_count(); ++i) {
      const esi::Instance& instance = view.instance(static_cast<std::int32_t>(i));
      found.push_back(instance.alive ? instance.object_id : -1);
    }
    return found;
  });
  return py::array_t<std::int32_t>(static_cast<py::ssize_t>(ids.size()), ids.data());
}

py::typing::Tuple<py::array_t<double>, py::array_t<std::int32_t>> mesh_arrays(const Scene& scene,
                                                                              std::int32_t mesh) {
  const esi::Mesh& found = scene.mesh(mesh);
  py::array_t<std::int32_t> faces({static_cast<py::ssize_t>(found.face_count()), py::ssize_t{3}});
  std::copy(found.faces.begin(), found.faces.end(), faces.mutable_data());
  return py::make_tuple(
      vectors_out(found.vertices, {static_cast<py::ssize_t>(found.vertices.size()), 3}), faces);
}

py::array_t<double> world_triangles(Scene& scene, std::int32_t object_id) {
  const auto corners = with_view(
      scene, [&](const esi::SceneView& view) { return esi::object_triangles(view, object_id); });
  return vectors_out(corners, {static_cast<py::ssize_t>(corners.size() / 3), 3, 3});
}

py::typing::Tuple<py::array_t<double>, py::array_t<double>> surface_samples(
    Scene& scene, std::int32_t object_id, py::ssize_t samples, const std::array<double, 3>& shift) {
  if (samples < 1) esi::bad_argument("samples", "1 or more", std::to_string(samples));
  const auto corners = with_view(
      scene, [&](const esi::SceneView& view) { return esi::object_triangles(view, object_id); });
  if (corners.empty()) {
    esi::bad_argument("object_id", "an object with triangles", std::to_string(object_id));
  }
  py::array_t<double> points({samples, py::ssize_t{3}}), normals({samples, py::ssize_t{3}});
  esi::surface_samples(corners, static_cast<std::size_t>(samples), shift,
                       reinterpret_cast<Vec3*>(points.mutable_data()),
                       reinterpret_cast<Vec3*>(normals.mutable_data()));
  return py::make_tuple(points, normals);
}

py::typing::Dict<py::str, py::object> instance_info(Scene& scene, std::int32_t instance) {
  const auto info = with_view(scene, [&](const esi::SceneView& view) {
    if (instance < 0 || static_cast<std::size_t>(instance) >= view.instance_count()) {
      esi::bad_argument("instance", "an id from add_instance", std::to_string(instance));
    }
    const esi::Instance& i = view.instance(instance);
    return std::make_tuple(i.mesh, i.object_id, i.alive, i.pose, i.scale);
  });
  const auto& [mesh, object_id, alive, pose, scale] = info;
  py::array_t<double> matrix({4, 4});
  double* m = matrix.mutable_data();
  std::fill(m, m + 16, 0.0);
  m[15] = 1;
  std::copy(pose.m.begin(), pose.m.end(), m);
  py::dict out;
  out["mesh"] = mesh;
  out["object_id"] = object_id;
  out["alive"] = alive;
  out["pose"] = matrix;
  out["scale"] = vectors_out({scale}, {3});
  return out;
}

}  // namespace

void register_scene(py::module_& m) {
  m.doc() = "Meshes and instances in one world; geometry.scene.Scene adds the public methods.";
  py::class_<Scene>(m, "Scene")
      .def(py::init<int>(), py::arg("threads") = 0)
      .def("_add_mesh", &add_mesh, py::arg("vertices"), py::arg("faces"), py::kw_only(),
           py::arg("normals") = py::none(), py::arg("uv") = py::none())
      .def("_add_instance", &add_instance, py::arg("mesh"), py::kw_only(), py::arg("object_id"),
           py::arg("pose") = py::none(), py::arg("scale") = 1.0)
      .def("_set_pose", &set_pose, py::arg("instance"), py::arg("pose"),
           py::arg("scale") = py::none())
      .def("_remove_instance", &Scene::remove_instance, py::arg("instance"),
           py::call_guard<py::gil_scoped_release>())
      .def("_build", [](Scene& s) { with_view(s, [](const esi::SceneView&) { return 0; }); })
      .def_property_readonly("_bounds", &bounds)
      .def_property_readonly(
          "_diameter",
          [](Scene& s) {
            return with_view(s, [](const esi::SceneView& v) { return v.bounds().diagonal(); });
          })
      .def_property_readonly("_num_triangles",
                             [](Scene& s) {
                               return with_view(
                                   s, [](const esi::SceneView& v) { return v.triangle_count(); });
                             })
      .def_property_readonly("_num_instances",
                             [](Scene& s) {
                               return with_view(
                                   s, [](const esi::SceneView& v) { return v.alive_count(); });
                             })
      .def_property_readonly("_instance_object_ids", &instance_object_ids)
      .def_property_readonly("threads", &Scene::threads)
      .def(
          "_degenerate_faces",
          [](const Scene& s, std::int32_t mesh) { return s.mesh(mesh).degenerate; },
          py::arg("mesh"))
      .def("_mesh_arrays", &mesh_arrays, py::arg("mesh"))
      .def("_world_triangles", &world_triangles, py::arg("object_id"))
      .def("_surface_samples", &surface_samples, py::arg("object_id"), py::arg("samples"),
           py::arg("shift"))
      .def("_instance_info", &instance_info, py::arg("instance"));
}
