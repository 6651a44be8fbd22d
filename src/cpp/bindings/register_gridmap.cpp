#include <pybind11/pybind11.h>
#include <pybind11/typing.h>

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/array_in.hpp"
#include "core/gridmap.hpp"
#include "core/parallel.hpp"

namespace py = pybind11;
using esi::array_in;
using esi::Cell;
using esi::Grid;
using esi::Neighbours;
using esi::Span;

namespace {

using Bytes = py::array_t<std::uint8_t>;
using Floats = py::array_t<double>;
using Flags = py::array_t<bool>;
using Ints = py::array_t<std::int32_t>;
using Longs = py::array_t<std::int64_t>;
using Sizes = std::vector<py::ssize_t>;
using PathValues = py::typing::Tuple<int, Ints, double, int, int>;
using PathArrays = py::typing::Tuple<Bytes, Floats, Ints, Ints, Longs, Ints>;
using FieldArrays = py::typing::Tuple<Floats, Ints, Ints>;
using ComponentArrays = py::typing::Tuple<Ints, Longs>;

// Coordinates of cells are limited so that squares of their differences fit into 64 bits.
constexpr std::int32_t kFarthest = 1 << 30;
// The longest line whose cells are listed.
constexpr double kLongest = 1e7;

py::ssize_t signed_size(std::size_t n) { return static_cast<py::ssize_t>(n); }

// An array on the memory of a vector.
template <class T, class U>
py::array_t<T> array_of(std::vector<U>&& values, const Sizes& shape) {
  static_assert(sizeof(U) % sizeof(T) == 0);
  auto owner = std::make_unique<std::vector<U>>(std::move(values));
  const auto* data = reinterpret_cast<const T*>(owner->data());
  const py::capsule capsule(owner.get(), [](void* p) { delete static_cast<std::vector<U>*>(p); });
  owner.release();
  return py::array_t<T>(shape, data, capsule);
}

Neighbours neighbours_of(const std::string& text) {
  if (text == "8") return Neighbours::eight;
  if (text == "8_strict") return Neighbours::eight_strict;
  if (text == "4") return Neighbours::four;
  esi::bad_argument("neighbours", "'4', '8' or '8_strict'", "'" + text + "'");
}

// What lies farther out than any grid is all the same place outside.
Cell clamped(std::int64_t row, std::int64_t column) {
  const auto clamp = [](std::int64_t v) {
    constexpr std::int64_t limit = kFarthest;
    return static_cast<std::int32_t>(std::min(std::max(v, -limit), limit));
  };
  return {clamp(row), clamp(column)};
}

// A whole number given as a Python int or NumPy integer, without the detour over arrays.
std::optional<std::int64_t> whole(PyObject* item) {
  if (PyBool_Check(item) || !PyIndex_Check(item)) return std::nullopt;
  const auto index = py::reinterpret_steal<py::object>(PyNumber_Index(item));
  if (!index) {
    PyErr_Clear();
    return std::nullopt;
  }
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  if (overflow != 0) return std::nullopt;
  return value;
}

Cell cell_in(const py::object& object, const char* name) {
  if (PyTuple_Check(object.ptr()) && PyTuple_GET_SIZE(object.ptr()) == 2) {
    const auto row = whole(PyTuple_GET_ITEM(object.ptr(), 0));
    const auto column = whole(PyTuple_GET_ITEM(object.ptr(), 1));
    if (row && column) return clamped(*row, *column);
  }
  const auto pair = array_in<std::int64_t>(object, name, {2});
  return clamped(pair[0], pair[1]);
}

std::vector<Cell> cells_in(const py::object& object, const char* name) {
  const auto pairs = array_in<std::int64_t>(object, name, {"N", 2});
  std::vector<Cell> cells;
  cells.reserve(pairs.rows());
  for (std::size_t i = 0; i < pairs.rows(); ++i) {
    cells.push_back(clamped(pairs[2 * i], pairs[2 * i + 1]));
  }
  return cells;
}

// A grid with its place in the world.
class Map {
 public:
  Map(const py::object& free_object, double resolution, double x, double y)
      : grid_(make(free_object)), resolution_(resolution), x_(x), y_(y) {}

  PathValues path(const py::object& start_object, const py::object& goal_object,
                  const std::string& neighbours) const {
    const Neighbours rule = neighbours_of(neighbours);
    const Cell start = cell_in(start_object, "start"), goal = cell_in(goal_object, "goal");
    esi::Paths found;
    {
      const py::gil_scoped_release release;
      found = esi::shortest_paths(*grid_, rule, Span<const Cell>(&start, 1),
                                  Span<const Cell>(&goal, 1), true, 1);
    }
    const esi::Steps steps = found.steps[0];
    const Sizes shape{signed_size(found.cells.size()), 2};
    return py::make_tuple(static_cast<int>(found.status[0]),
                          array_of<std::int32_t>(std::move(found.cells), shape), metres(steps),
                          steps.straight, steps.diagonal);
  }

  PathArrays paths(const py::object& starts_object, const py::object& goals_object,
                   const std::string& neighbours, bool with_cells, int threads) const {
    const Neighbours rule = neighbours_of(neighbours);
    std::vector<Cell> starts = cells_in(starts_object, "starts");
    std::vector<Cell> goals = cells_in(goals_object, "goals");
    const std::string names[2] = {"starts", "goals"};
    const std::size_t rows =
        esi::broadcast_rows({{&names[0], starts.size()}, {&names[1], goals.size()}});
    if (starts.size() == 1) starts.resize(rows, starts[0]);
    if (goals.size() == 1) goals.resize(rows, goals[0]);
    esi::Paths found;
    {
      const py::gil_scoped_release release;
      found = esi::shortest_paths(*grid_, rule, starts, goals, with_cells, threads);
    }
    const auto n = signed_size(rows);
    Ints straight(n), diagonal(n);
    Floats length(n);
    fill(found.steps, straight, diagonal, length);
    const Sizes shape{signed_size(found.cells.size()), 2};
    return py::make_tuple(array_of<std::uint8_t>(std::move(found.status), {n}), length, straight,
                          diagonal, array_of<std::int64_t>(std::move(found.offsets), {n + 1}),
                          array_of<std::int32_t>(std::move(found.cells), shape));
  }

  FieldArrays walk(const py::object& sources_object, const std::string& neighbours) const {
    const Neighbours rule = neighbours_of(neighbours);
    const std::vector<Cell> sources = cells_in(sources_object, "sources");
    Ints straight(shape()), diagonal(shape());
    Floats length(shape());
    auto* s = straight.mutable_data();
    auto* d = diagonal.mutable_data();
    auto* l = length.mutable_data();
    {
      const py::gil_scoped_release release;
      fill(esi::steps_from(*grid_, rule, sources), s, d, l);
    }
    return py::make_tuple(length, straight, diagonal);
  }

  ComponentArrays components(const std::string& neighbours) const {
    const Neighbours rule = neighbours_of(neighbours);
    esi::Components found;
    {
      const py::gil_scoped_release release;
      found = esi::components(*grid_, rule);
    }
    const auto count = signed_size(found.sizes.size());
    return py::make_tuple(array_of<std::int32_t>(std::move(found.labels), shape()),
                          array_of<std::int64_t>(std::move(found.sizes), {count}));
  }

  Ints nearest(const py::object& cells_object, const py::object& allowed_object,
               int threads) const {
    const std::vector<Cell> targets = cells_in(cells_object, "cells");
    for (const Cell c : targets) {
      // Clamped cells would not be as far apart as those that were meant.
      if (std::abs(c.row) == kFarthest || std::abs(c.column) == kFarthest) {
        esi::bad_argument("cells", "coordinates below 2^30", "larger ones");
      }
    }
    std::optional<esi::ArrayIn<bool>> mask;
    Span<const std::uint8_t> allowed = grid_->cells();
    if (!allowed_object.is_none()) {
      mask.emplace(array_in<bool>(allowed_object, "allowed",
                                  {signed_size(grid_->rows()), signed_size(grid_->columns())}));
      allowed = {reinterpret_cast<const std::uint8_t*>(mask->data()), mask->size()};
    }
    std::vector<Cell> found;
    {
      const py::gil_scoped_release release;
      found = esi::nearest_cells(allowed, grid_->rows(), grid_->columns(), targets, threads);
    }
    return array_of<std::int32_t>(std::move(found), {signed_size(targets.size()), 2});
  }

  Floats distances(bool to_walls, bool border, int threads) const {
    Floats out(shape());
    double* const metres = out.mutable_data();
    const py::gil_scoped_release release;
    const auto squared = esi::squared_distances(
        *grid_, to_walls ? esi::Measure::wall : esi::Measure::center, border, threads);
    esi::parallel_for(squared.size(), 1 << 16, threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        metres[i] = squared[i] < 0
                        ? std::numeric_limits<double>::infinity()
                        : std::sqrt(static_cast<double>(squared[i])) * (0.5 * resolution_);
      }
    });
    return out;
  }

  Longs squared_distances(bool to_walls, bool border, int threads) const {
    std::vector<std::int64_t> found;
    {
      const py::gil_scoped_release release;
      found = esi::squared_distances(*grid_, to_walls ? esi::Measure::wall : esi::Measure::center,
                                     border, threads);
    }
    return array_of<std::int64_t>(std::move(found), shape());
  }

  Flags sight(const py::object& starts_object, const py::object& ends_object, int threads) const {
    const auto starts = array_in<double>(starts_object, "starts", {"N", 2});
    const auto ends = array_in<double>(ends_object, "ends", {"N", 2});
    const std::size_t rows = esi::broadcast_rows(starts, ends);
    Flags out(signed_size(rows));
    auto* clear = out.mutable_data();
    {
      const py::gil_scoped_release release;
      esi::parallel_for(rows, 256, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          clear[i] = esi::line_of_sight(*grid_, point(starts.row(i)), point(ends.row(i)));
        }
      });
    }
    return out;
  }

  Ints line(const py::object& start_object, const py::object& end_object) const {
    const auto start = array_in<double>(start_object, "start", {2});
    const auto end = array_in<double>(end_object, "end", {2});
    const esi::GridPoint from = point(start.data()), to = point(end.data());
    const double cells = (std::abs(static_cast<double>(to.row - from.row)) +
                          std::abs(static_cast<double>(to.column - from.column))) /
                         std::ldexp(1.0, esi::kPointBits);
    if (cells > kLongest) {
      esi::bad_argument("end", "a line of at most 10000000 cells", std::to_string(cells));
    }
    std::vector<Cell> found;
    {
      const py::gil_scoped_release release;
      found = esi::line_cells(from, to);
    }
    const Sizes size{signed_size(found.size()), 2};
    return array_of<std::int32_t>(std::move(found), size);
  }

  Ints spread(const py::object& labels_object, const std::string& neighbours) const {
    const Neighbours rule = neighbours_of(neighbours);
    const auto labels = labels_in(labels_object);
    std::vector<std::int32_t> found;
    {
      const py::gil_scoped_release release;
      found = esi::spread_labels(*grid_, rule, labels.span());
    }
    return array_of<std::int32_t>(std::move(found), shape());
  }

  Ints room_points(const py::object& labels_object, const py::object& ids_object,
                   const py::object& clearance_object, std::int64_t cap) const {
    const auto labels = labels_in(labels_object);
    const auto ids = array_in<std::int32_t>(ids_object, "ids", {"R"});
    const auto clearance = array_in<std::int64_t>(
        clearance_object, "clearance", {signed_size(grid_->rows()), signed_size(grid_->columns())});
    std::vector<Cell> found;
    {
      const py::gil_scoped_release release;
      found = esi::room_points(*grid_, labels.span(), ids.span(), clearance.span(), cap);
    }
    return array_of<std::int32_t>(std::move(found), {signed_size(ids.size()), 2});
  }

  // Distances in metres, points x ids.
  Floats room_distances(const py::object& labels_object, const py::object& ids_object,
                        const py::object& points_object, int threads) const {
    const auto labels = labels_in(labels_object);
    const auto ids = array_in<std::int32_t>(ids_object, "ids", {"R"});
    const auto points = array_in<double>(points_object, "points", {"N", 2});
    std::vector<double> found;
    {
      const py::gil_scoped_release release;
      std::vector<double> local(points.size());
      for (std::size_t i = 0; i < local.size(); i += 2) {
        local[i] = (points[i] - x_) / resolution_;
        local[i + 1] = (points[i + 1] - y_) / resolution_;
      }
      found = esi::room_distances(grid_->rows(), grid_->columns(), labels.span(), ids.span(), local,
                                  threads);
      for (double& d : found) d *= resolution_;
    }
    return array_of<double>(std::move(found),
                            {signed_size(points.rows()), signed_size(ids.size())});
  }

 private:
  static std::unique_ptr<Grid> make(const py::object& object) {
    const auto free = array_in<bool>(object, "free", {"H", "W"});
    const py::gil_scoped_release release;
    return std::make_unique<Grid>(
        Span<const std::uint8_t>(reinterpret_cast<const std::uint8_t*>(free.data()), free.size()),
        free.shape(0), free.shape(1));
  }

  Sizes shape() const { return {signed_size(grid_->rows()), signed_size(grid_->columns())}; }

  esi::ArrayIn<std::int32_t> labels_in(const py::object& object) const {
    return array_in<std::int32_t>(object, "rooms",
                                  {signed_size(grid_->rows()), signed_size(grid_->columns())});
  }

  esi::GridPoint point(const double* xy) const {
    const auto local = [this](double v, double origin) {
      const double cells = (v - origin) / resolution_;
      const double near = std::min(std::max(cells, -esi::kPointLimit), esi::kPointLimit);
      return static_cast<std::int64_t>(std::llround(std::ldexp(near, esi::kPointBits)));
    };
    return {local(xy[1], y_), local(xy[0], x_)};
  }

  double metres(esi::Steps steps) const {
    if (steps.straight < 0) return std::numeric_limits<double>::infinity();
    return steps.straight * resolution_ + steps.diagonal * (kRoot2 * resolution_);
  }

  void fill(const std::vector<esi::Steps>& steps, std::int32_t* straight, std::int32_t* diagonal,
            double* length) const {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      straight[i] = steps[i].straight;
      diagonal[i] = steps[i].diagonal;
      length[i] = metres(steps[i]);
    }
  }
  void fill(const std::vector<esi::Steps>& steps, Ints& straight, Ints& diagonal,
            Floats& length) const {
    fill(steps, straight.mutable_data(), diagonal.mutable_data(), length.mutable_data());
  }

  static constexpr double kRoot2 = 1.4142135623730951;

  std::unique_ptr<Grid> grid_;
  double resolution_, x_, y_;
};

Ints room_ids(const py::object& labels_object) {
  const auto labels = array_in<std::int32_t>(labels_object, "rooms", {"H", "W"});
  std::vector<std::int32_t> ids;
  {
    const py::gil_scoped_release release;
    ids = esi::room_ids(labels.span());
  }
  const auto count = signed_size(ids.size());
  return array_of<std::int32_t>(std::move(ids), {count});
}

}  // namespace

void register_gridmap(py::module_& m) {
  m.doc() = "Paths, distances, lines of sight and rooms on occupancy grids.";
  m.def("room_ids", &room_ids, py::arg("rooms"), "The ids above 0, in ascending order.");
  py::class_<Map>(m, "Map", "Free cells of a floor and their place in the world.")
      .def(py::init<const py::object&, double, double, double>(), py::arg("free"),
           py::arg("resolution"), py::arg("x"), py::arg("y"))
      .def("path", &Map::path, py::arg("start"), py::arg("goal"), py::arg("neighbours"),
           "Status, cells, metres, straight and diagonal steps of a shortest path.")
      .def("paths", &Map::paths, py::arg("starts"), py::arg("goals"), py::arg("neighbours"),
           py::arg("with_cells"), py::arg("threads"),
           "Status, metres, straight and diagonal steps, offsets and cells of N shortest paths.")
      .def("walk", &Map::walk, py::arg("sources"), py::arg("neighbours"),
           "Metres, straight and diagonal steps to every cell from the nearest source.")
      .def("components", &Map::components, py::arg("neighbours"),
           "Labels from 1 in reading order, and sizes in cells.")
      .def("nearest", &Map::nearest, py::arg("cells"), py::arg("allowed"), py::arg("threads"),
           "The nearest allowed (or free) cell for each cell, -1 where there is none.")
      .def("distances", &Map::distances, py::arg("to_walls"), py::arg("border"), py::arg("threads"),
           "Distances to blocked cells in metres.")
      .def("squared_distances", &Map::squared_distances, py::arg("to_walls"), py::arg("border"),
           py::arg("threads"), "Squared distances to blocked cells, in half cells.")
      .def("sight", &Map::sight, py::arg("starts"), py::arg("ends"), py::arg("threads"),
           "Whether segments between points in metres stay clear of blocked cells.")
      .def("line", &Map::line, py::arg("start"), py::arg("end"),
           "The cells that a segment between points in metres passes, in order.")
      .def("spread", &Map::spread, py::arg("rooms"), py::arg("neighbours"),
           "Labels spread to the free cells without one, by the shortest walk.")
      .def("room_points", &Map::room_points, py::arg("rooms"), py::arg("ids"), py::arg("clearance"),
           py::arg("cap"),
           "For each room the cell of largest clearance, then nearest to its middle.")
      .def("room_distances", &Map::room_distances, py::arg("rooms"), py::arg("ids"),
           py::arg("points"), py::arg("threads"),
           "Distances in metres from points to the cells of rooms.");
}
