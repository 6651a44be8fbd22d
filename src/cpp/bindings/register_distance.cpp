#include <pybind11/pybind11.h>
#include <pybind11/typing.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "bindings/array_in.hpp"
#include "core/columns.hpp"
#include "core/distance.hpp"
#include "core/parallel.hpp"

namespace py = pybind11;
using esi::array_in;
using esi::Vec3;

namespace {

using Floats = py::array_t<double>;
using Ints = py::array_t<std::int32_t>;
using Flags = py::array_t<bool>;
using NearestArrays = py::typing::Tuple<Floats, Floats, Ints>;
using SignedArrays = py::typing::Tuple<Floats, Floats, Ints, int>;
using InsideArrays = py::typing::Tuple<Flags, int>;
using PairValues = py::typing::Tuple<double, Floats, Floats, int, int>;

constexpr std::size_t grain = 256;
// Columns cost about as much as this many triangles per query save.
constexpr std::size_t few_queries = 16;
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// As ContainmentStatus in the module above.
enum class Status { ok = 0, open = 1, not_oriented = 2 };

// Results for N points: NaN and -1 where nothing was found.
struct Nearest {
  explicit Nearest(std::size_t n)
      : distance(static_cast<py::ssize_t>(n)),
        point({static_cast<py::ssize_t>(n), py::ssize_t{3}}),
        face(static_cast<py::ssize_t>(n)),
        distances_(distance.mutable_data()),
        points_(reinterpret_cast<Vec3*>(point.mutable_data())),
        faces_(face.mutable_data()) {}

  void set(std::size_t i, const esi::NearestPoint& found) {
    distances_[i] = found.distance;
    points_[i] = found.triangle >= 0 ? found.point : Vec3{not_a_number, not_a_number, not_a_number};
    faces_[i] = found.triangle;
  }

  Floats distance, point;
  Ints face;

 private:
  double* distances_;
  Vec3* points_;
  std::int32_t* faces_;
};

// A mesh for distances: its triangles, their tree, and whether they enclose a volume.
class Surface {
 public:
  Surface(const py::object& vertices_object, const py::object& faces_object) {
    const auto vertices =
        array_in<double>(vertices_object, "vertices", {"V", 3}, esi::Finite::coordinates);
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
    const auto points =
        array_in<double>(points_object, "points", {"N", 3}, esi::Finite::coordinates);
    if (!(bound >= 0.0)) esi::bad_argument("bound", "at least 0", esi::number_text(bound));
    Nearest out(points.rows());
    {
      const py::gil_scoped_release release;
      esi::parallel_for(points.rows(), grain, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          out.set(i, esi::nearest_point(tree_, points.vector(i), bound));
        }
      });
    }
    return py::make_tuple(out.distance, out.point, out.face);
  }

  PairValues pair(const Surface& other) const {
    esi::NearestPair found;
    {
      const py::gil_scoped_release release;
      found = esi::nearest_pair(tree_, other.tree_);
    }
    return py::make_tuple(found.distance, esi::array_out(found.point_a),
                          esi::array_out(found.point_b), found.triangle_a, found.triangle_b);
  }

  InsideArrays contains(const py::object& points_object, const std::string& rule, double tolerance,
                        int threads) const {
    if (rule != "parity" && rule != "winding") {
      esi::bad_argument("rule", "'parity' or 'winding'", "'" + rule + "'");
    }
    if (!(tolerance >= 0.0 && std::isfinite(tolerance))) {
      esi::bad_argument("tolerance", "a finite number at least 0", esi::number_text(tolerance));
    }
    const auto points =
        array_in<double>(points_object, "points", {"N", 3}, esi::Finite::coordinates);
    Flags inside(static_cast<py::ssize_t>(points.rows()));
    bool* out = inside.mutable_data();
    Status status;
    {
      const py::gil_scoped_release release;
      status = insides(points, rule == "winding", tolerance, threads, out);
    }
    return py::make_tuple(inside, static_cast<int>(status));
  }

  SignedArrays signed_distance(const py::object& points_object, int threads) const {
    const auto points =
        array_in<double>(points_object, "points", {"N", 3}, esi::Finite::coordinates);
    Nearest out(points.rows());
    Status status;
    {
      const py::gil_scoped_release release;
      const std::unique_ptr<bool[]> inside(new bool[points.rows()]);
      status = insides(points, false, 0.0, threads, inside.get());
      esi::parallel_for(points.rows(), grain, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          esi::NearestPoint found = esi::nearest_point(tree_, points.vector(i));
          if (status != Status::ok) found.distance = not_a_number;
          if (inside[i] && found.distance > 0.0) found.distance = -found.distance;
          out.set(i, found);
        }
      });
    }
    return py::make_tuple(out.distance, out.point, out.face, static_cast<int>(status));
  }

 private:
  // Which of the points lie inside; all false where inside means nothing.
  Status insides(const esi::ArrayIn<double>& points, bool by_winding, double tolerance, int threads,
                 bool* inside) const {
    std::fill_n(inside, points.rows(), false);
    if (!closure().closed) return Status::open;
    if (by_winding && !closure().oriented) return Status::not_oriented;
    const bool many = points.rows() >= tree_.size() / few_queries;
    const esi::Columns* const columns = many ? &this->columns() : nullptr;
    esi::parallel_for(points.rows(), grain, threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const Vec3 p = points.vector(i);
        const esi::Crossings found =
            columns != nullptr ? columns->crossings(p) : esi::crossings_above(tree_, p);
        // Near the surface the exact answer is about the sixteenth digit; the tolerance is the
        // answer.
        inside[i] = found.on_surface || (by_winding ? found.winding != 0 : found.count % 2 == 1) ||
                    (columns != nullptr ? columns->near_surface(p, tolerance)
                                        : esi::nearest_point(tree_, p, tolerance).triangle >= 0);
      }
    });
    return Status::ok;
  }

  const esi::Columns& columns() const {
    std::call_once(columns_asked_, [&] { columns_ = std::make_unique<esi::Columns>(tree_); });
    return *columns_;
  }

  esi::TriangleTree tree_;
  mutable std::once_flag closure_asked_;
  mutable esi::Closure closure_;
  mutable std::once_flag columns_asked_;
  mutable std::unique_ptr<esi::Columns> columns_;
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
      .def("contains", &Surface::contains, py::arg("points"), py::arg("rule"), py::arg("tolerance"),
           py::arg("threads"),
           "Whether each point is inside, and the status (ContainmentStatus) of the answer.")
      .def("signed_distance", &Surface::signed_distance, py::arg("points"), py::arg("threads"),
           "As nearest, with distances negative inside, and the status.");
}
