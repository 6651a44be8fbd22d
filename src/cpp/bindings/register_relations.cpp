#include <pybind11/pybind11.h>
#include <pybind11/typing.h>

#include <string>

#include "bindings/array_in.hpp"
#include "bindings/broadcast.hpp"
#include "core/relations.hpp"

namespace py = pybind11;
namespace relations = esi::relations;
using esi::array_ending_in;
using esi::array_in;
using esi::ArrayIn;
using esi::Broadcast;
using esi::Leading;
using esi::Vec3;

namespace {

using Floats = py::array_t<double>;
using Ints = py::array_t<std::int64_t>;
using Codes = py::array_t<std::uint8_t>;

double at_least_zero(double value, const char* name) {
  if (!(value >= 0 && std::isfinite(value))) {
    esi::bad_argument(name, "a finite number at least 0", esi::number_text(value));
  }
  return value;
}

template <class Enum>
std::uint8_t code(Enum value) {
  return static_cast<std::uint8_t>(value);
}

py::typing::Tuple<Floats, Ints, Floats, Codes> collinearity(const py::object& points_object) {
  const auto points = array_ending_in<double>(points_object, "points", {3, 3});
  const Broadcast<1> batch({Leading(points, 2)});
  Floats offset(batch.shape()), length(batch.shape());
  Ints middle(batch.shape());
  Codes status(batch.shape());
  for (std::size_t k = 0; k < batch.size(); ++k) {
    const auto found = relations::collinearity(points.vectors().data() + 3 * k);
    offset.mutable_data()[k] = found.offset;
    middle.mutable_data()[k] = found.middle;
    length.mutable_data()[k] = found.length;
    status.mutable_data()[k] = code(found.status);
  }
  return py::make_tuple(offset, middle, length, status);
}

py::typing::Tuple<Codes, Floats, Codes> triangle(const py::object& points_object, double equal,
                                                 double distinct, double flat) {
  const auto points = array_ending_in<double>(points_object, "points", {3, 3});
  at_least_zero(equal, "equal");
  at_least_zero(flat, "flat");
  if (!(equal < distinct)) {
    esi::bad_argument("distinct", "above equal (" + esi::number_text(equal) + ")",
                      esi::number_text(distinct));
  }
  const Broadcast<1> batch({Leading(points, 2)});
  Codes kind(batch.shape()), status(batch.shape());
  Floats sides(batch.shape({3}));
  for (std::size_t k = 0; k < batch.size(); ++k) {
    const auto found =
        relations::triangle(points.vectors().data() + 3 * k, {equal, distinct, flat});
    kind.mutable_data()[k] = code(found.kind);
    status.mutable_data()[k] = code(found.status);
    for (int axis = 0; axis < 3; ++axis) {
      sides.mutable_data()[3 * k + static_cast<std::size_t>(axis)] = found.sides[axis];
    }
  }
  return py::make_tuple(kind, sides, status);
}

// What `nearest` gives for `count` candidates per item, written item by item.
class NearestOut {
 public:
  template <std::size_t N>
  NearestOut(const Broadcast<N>& batch, std::size_t count)
      : count_(count),
        which_(batch.shape()),
        distances_(batch.shape({static_cast<py::ssize_t>(count)})),
        margin_(batch.shape()),
        status_(batch.shape()) {}

  void put(std::size_t k, Vec3 reference, const Vec3* candidates, double gap, double ratio) {
    const auto found = relations::nearest(reference, candidates, count_, gap, ratio,
                                          distances_.mutable_data() + k * count_);
    which_.mutable_data()[k] = found.which;
    margin_.mutable_data()[k] = found.margin;
    status_.mutable_data()[k] = code(found.status);
  }

  py::tuple arrays() const { return py::make_tuple(which_, distances_, margin_, status_); }

 private:
  std::size_t count_;
  Ints which_;
  Floats distances_, margin_;
  Codes status_;
};

using NearestArrays = py::typing::Tuple<Ints, Floats, Floats, Codes>;

NearestArrays nearest(const py::object& reference_object, const py::object& candidates_object,
                      double gap, double ratio) {
  at_least_zero(gap, "gap");
  at_least_zero(ratio, "ratio");
  const auto reference = array_ending_in<double>(reference_object, "reference", {3});
  const auto candidates = array_ending_in<double>(candidates_object, "candidates", {"K", 3});
  const std::size_t count = candidates.shape(static_cast<int>(candidates.ndim()) - 2);
  if (count == 0) esi::bad_argument("candidates", "at least one", "none");
  const Broadcast<2> batch({Leading(reference, 1), Leading(candidates, 2)});
  NearestOut out(batch, count);
  batch.each([&](std::size_t k, const auto& at) {
    out.put(k, reference.vectors()[at[0]], candidates.vectors().data() + count * at[1], gap, ratio);
  });
  return out.arrays();
}

NearestArrays closer_of_two(const py::object& reference_object, const py::object& a_object,
                            const py::object& b_object, double gap, double ratio) {
  at_least_zero(gap, "gap");
  at_least_zero(ratio, "ratio");
  const auto reference = array_ending_in<double>(reference_object, "reference", {3});
  const auto a = array_ending_in<double>(a_object, "a", {3});
  const auto b = array_ending_in<double>(b_object, "b", {3});
  const Broadcast<3> batch({Leading(reference, 1), Leading(a, 1), Leading(b, 1)});
  NearestOut out(batch, 2);
  batch.each([&](std::size_t k, const auto& at) {
    const Vec3 two[2] = {a.vectors()[at[1]], b.vectors()[at[2]]};
    out.put(k, reference.vectors()[at[0]], two, gap, ratio);
  });
  return out.arrays();
}

Codes turn(const py::object& before_object, const py::object& after_object, double guard_deg) {
  at_least_zero(guard_deg, "guard_deg");
  const auto before = array_ending_in<double>(before_object, "before", {});
  const auto after = array_ending_in<double>(after_object, "after", {});
  const Broadcast<2> batch({Leading(before, 0), Leading(after, 0)});
  Codes out(batch.shape());
  auto* to = out.mutable_data();
  batch.each([&](std::size_t k, const auto& at) {
    to[k] = code(relations::turn(before[at[0]], after[at[1]], guard_deg));
  });
  return out;
}

py::typing::Tuple<Ints, Floats, int> left_to_right(const py::object& position_object,
                                                   const py::object& orientation_object,
                                                   double focal, double middle, double width,
                                                   const py::object& points_object,
                                                   double min_pixels) {
  at_least_zero(min_pixels, "min_pixels");
  const auto position = array_in<double>(position_object, "position", {3});
  const auto orientation = array_in<double>(orientation_object, "orientation", {4});
  const auto points = array_in<double>(points_object, "points", {"K", 3});
  const auto n = static_cast<py::ssize_t>(points.rows());
  Ints rank(n);
  Floats columns(n);
  const double x = orientation[0], y = orientation[1], z = orientation[2], w = orientation[3];
  const relations::Pinhole camera{
      {position[0], position[1], position[2]},
      {1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)},
      {2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)},
      focal,
      middle,
      width};
  const auto status = relations::left_to_right(camera, points.vectors(), min_pixels,
                                               columns.mutable_data(), rank.mutable_data());
  return py::make_tuple(rank, columns, static_cast<int>(status));
}

}  // namespace

void register_relations(py::module_& m) {
  m.doc() = "Relations among points.";
  m.def("collinearity", &collinearity, py::arg("points"),
        "Offset, index of the middle point, longest side, status.");
  m.def("triangle", &triangle, py::arg("points"), py::arg("equal"), py::arg("distinct"),
        py::arg("flat"), "Kind, sides, status.");
  m.def("nearest", &nearest, py::arg("reference"), py::arg("candidates"), py::arg("gap"),
        py::arg("ratio"), "Index, distances, margin, status.");
  m.def("closer_of_two", &closer_of_two, py::arg("reference"), py::arg("a"), py::arg("b"),
        py::arg("gap"), py::arg("ratio"), "As nearest of the two.");
  m.def("turn", &turn, py::arg("before"), py::arg("after"), py::arg("guard_deg"));
  m.def("left_to_right", &left_to_right, py::arg("position"), py::arg("orientation"),
        py::arg("focal"), py::arg("middle"), py::arg("width"), py::arg("points"),
        py::arg("min_pixels"), "Ranks, columns, status; the orientation is of unit length.");
}
