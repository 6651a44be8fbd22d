#include <pybind11/pybind11.h>
#include <pybind11/typing.h>

#include <mutex>
#include <utility>
#include <vector>

#include "bindings/array_in.hpp"
#include "core/distance.hpp"
#include "core/parallel.hpp"

namespace py = pybind11;
using esi::array_in;
using esi::Vec3;

namespace {

using Floats = py::array_t<double>;
using Ints = py::array_t<std::int32_t>;
using Flags = py::array_t<bool>;
using Point = py::typing::Tuple<double, double, double>;
using NearestArrays = py::typing::Tuple<Floats, Floats, Ints>;
using PairValues = py::typing::Tuple<double, Point, Point, int, int>;
using CrossingArrays = py::typing::Tuple<Ints, Ints, Flags>;

constexpr std::size_t grain = 256;

// A mesh for distances: its triangles, their tree, and whether they enclose a volume.
class Surface {
 public:
  Surface(const py::object& vertices_object, const py::object& faces_object) {
    const auto vertices = array_in<double>(vertices_object, "vertices", {"V", 3});
    const auto faces = array_in<std::int32_t>(faces_object, "faces", {"F", 3});
    const auto count = static_cast<std::int64_t>(vertices.rows());
    for (std::size_t i = 0; i < faces.size(); ++i) {
      if (faces[i] < 0 || faces[i] >= count) {
        esi::bad_argument("faces", "vertex indices from 0 to " + std::to_string(count - 1),
                          std::to_string(faces[i]) + " in face " + std::to_string(i / 3));
      }
    }
    const py::gil_scoped_release release;
    const auto corner = vertices.vectors();
    std::vector<esi::Triangle> triangles;
    triangles.reserve(faces.rows());
    for (std::size_t i = 0; i + 2 < faces.size(); i += 3) {
      triangles.push_back({corner[static_cast<std::size_t>(faces[i])],
                           corner[static_cast<std::size_t>(faces[i + 1])],
                           corner[static_cast<std::size_t>(faces[i + 2])]});
    }
    tree_ = esi::TriangleTree(std::move(triangles));
  }

  std::size_t size() const { return tree_.size(); }
  // Asked for less often than distances, and it costs as much as the tree.
  const esi::Closure& closure() const {
    std::call_once(closure_asked_, [&] {
      std::vector<esi::Triangle> triangles;
      triangles.reserve(tree_.size());
      for (std::size_t i = 0; i < tree_.size(); ++i) {
        triangles.push_back(tree_.at(static_cast<std::int32_t>(i)));
      }
      closure_ = esi::closure(triangles);
    });
    return closure_;
  }

  NearestArrays nearest(const py::object& points_object, double bound, int threads) const {
    const auto points = array_in<double>(points_object, "points", {"N", 3});
    const auto n = static_cast<py::ssize_t>(points.rows());
    Floats distance(n);
    Floats closest(std::vector<py::ssize_t>{n, 3});
    Ints face(n);
    auto* d = distance.mutable_data();
    auto* q = reinterpret_cast<Vec3*>(closest.mutable_data());
    auto* f = face.mutable_data();
    {
      const py::gil_scoped_release release;
      esi::parallel_for(points.rows(), grain, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const esi::NearestPoint found = esi::nearest_point(tree_, points.vector(i), bound);
          d[i] = found.distance;
          q[i] = found.point;
          f[i] = found.triangle;
        }
      });
    }
    return py::make_tuple(distance, closest, face);
  }

  PairValues pair(const Surface& other) const {
    esi::NearestPair found;
    {
      const py::gil_scoped_release release;
      found = esi::nearest_pair(tree_, other.tree_);
    }
    const auto vector = [](Vec3 p) { return py::make_tuple(p.x, p.y, p.z); };
    return py::make_tuple(found.distance, vector(found.point_a), vector(found.point_b),
                          found.triangle_a, found.triangle_b);
  }

  CrossingArrays crossings(const py::object& points_object, int threads) const {
    const auto points = array_in<double>(points_object, "points", {"N", 3});
    const auto n = static_cast<py::ssize_t>(points.rows());
    Ints count(n), winding(n);
    Flags on_surface(n);
    auto* c = count.mutable_data();
    auto* w = winding.mutable_data();
    auto* s = on_surface.mutable_data();
    {
      const py::gil_scoped_release release;
      esi::parallel_for(points.rows(), grain, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const esi::Crossings found = esi::crossings_above(tree_, points.vector(i));
          c[i] = found.count;
          w[i] = found.winding;
          s[i] = found.on_surface;
        }
      });
    }
    return py::make_tuple(count, winding, on_surface);
  }

 private:
  esi::TriangleTree tree_;
  mutable std::once_flag closure_asked_;
  mutable esi::Closure closure_;
};

}  // namespace

void register_distance(py::module_& m) {
  m.doc() = "Distances, containment and sweeps in double precision.";
  py::class_<Surface>(m, "Surface", "Triangles of a mesh in a tree of boxes.")
      .def(py::init<const py::object&, const py::object&>(), py::arg("vertices"), py::arg("faces"))
      .def("__len__", &Surface::size)
      .def_property_readonly("closed", [](const Surface& s) { return s.closure().closed; })
      .def_property_readonly("oriented", [](const Surface& s) { return s.closure().oriented; })
      .def("nearest", &Surface::nearest, py::arg("points"), py::arg("bound"), py::arg("threads"),
           "Distance, closest point and face for each point; -1 where none is within the bound.")
      .def("pair", &Surface::pair, py::arg("other"),
           "Distance, closest points and faces of two surfaces.")
      .def("crossings", &Surface::crossings, py::arg("points"), py::arg("threads"),
           "Crossings of the ray along +z: count, signed count, whether the point is in a face.");
}
