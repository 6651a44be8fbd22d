#include <pybind11/pybind11.h>
#include <pybind11/typing.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "bindings/array_in.hpp"
#include "bindings/array_out.hpp"
#include "bindings/broadcast.hpp"
#include "core/boxes.hpp"

namespace py = pybind11;
namespace boxes = esi::boxes;
using esi::array_ending_in;
using esi::array_in;
using esi::ArrayIn;
using esi::Box;
using esi::Broadcast;
using esi::Vec3;

namespace {

using Floats = py::array_t<double>;
using Ints = py::array_t<std::int64_t>;
using Flags = py::array_t<bool>;

[[noreturn]] void refuse_inverted(const ArrayIn<double>& array, std::size_t which) {
  std::vector<py::ssize_t> sizes = array.dimensions();
  sizes.resize(sizes.size() - 2);
  const std::string place = esi::detail::place_text(sizes, static_cast<py::ssize_t>(which));
  esi::bad_argument(array.name(), "lower <= upper",
                    "an inverted box" + (place.empty() ? "" : " at index (" + place + ")"));
}

// Boxes (..., 2, 3), none of them inverted.
class BoxesIn {
 public:
  BoxesIn(const py::object& object, const std::string& name)
      : BoxesIn(array_ending_in<double>(object, name, {2, 3})) {}

  // As one list (N, 2, 3).
  static BoxesIn list(const py::object& object, const std::string& name) {
    return BoxesIn(array_in<double>(object, name, {"N", 2, 3}));
  }

  esi::Leading leading() const { return {array_, 2}; }
  esi::Span<const Box> span() const {
    return {reinterpret_cast<const Box*>(array_.data()), array_.size() / 6};
  }

 private:
  explicit BoxesIn(ArrayIn<double> array) : array_(std::move(array)) {
    const auto all = span();
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].empty()) refuse_inverted(array_, i);
    }
  }

  ArrayIn<double> array_;
};

// function(box) for each box, `Out` values per item written to a pointer.
template <class Function>
Floats one_by_one(const py::object& object, py::ssize_t width, const Function& function) {
  const BoxesIn all(object, "boxes");
  const Broadcast<1> batch({all.leading()});
  Floats out(batch.shape({width}));
  double* to = out.mutable_data();
  for (const Box& box : all.span()) {
    function(box, to);
    to += width;
  }
  return out;
}

Floats corners(const py::object& object) {
  const BoxesIn all(object, "boxes");
  const Broadcast<1> batch({all.leading()});
  Floats out(batch.shape({8, 3}));
  double* to = out.mutable_data();
  for (const Box& box : all.span()) {
    for (int corner = 0; corner < 8; ++corner) {
      for (int k = 0; k < 3; ++k) *to++ = (corner >> k & 1) != 0 ? box.upper[k] : box.lower[k];
    }
  }
  return out;
}

// The box around boxes (..., 2, 3), of which some may be the one of no points.
Floats around(const py::object& object) {
  const auto array = esi::array_in<double>(object, "boxes", {"...", 2, 3}, esi::Finite::any);
  Box whole;
  const Box none;
  for (std::size_t i = 0; i < array.size() / 6; ++i) {
    const Box& box = reinterpret_cast<const Box*>(array.data())[i];
    if (box.lower == none.lower && box.upper == none.upper) continue;
    if (!is_finite(box.lower) || !is_finite(box.upper)) {
      esi::bad_argument("boxes", "finite numbers", "NaN or infinity");
    }
    if (box.empty()) refuse_inverted(array, i);
    whole.extend(box);
  }
  Floats out(std::vector<py::ssize_t>{2, 3});
  std::memcpy(out.mutable_data(), &whole, sizeof(whole));
  return out;
}

// function(a, b) for each pair of boxes that broadcasting makes.
template <class Out, class Function>
py::array_t<Out> by_pairs(const py::object& a_object, const py::object& b_object,
                          const char* a_name, const char* b_name, const Function& function) {
  const BoxesIn a(a_object, a_name), b(b_object, b_name);
  const Broadcast<2> batch({a.leading(), b.leading()});
  py::array_t<Out> out(batch.shape());
  Out* to = out.mutable_data();
  const Box* one = a.span().data();
  const Box* two = b.span().data();
  batch.each([&](std::size_t k, const auto& at) { to[k] = function(one[at[0]], two[at[1]]); });
  return out;
}

double tolerance_in(double value) {
  if (!(value >= 0 && value <= std::numeric_limits<double>::max())) {
    esi::bad_argument("tolerance", "a finite number at least 0", esi::number_text(value));
  }
  return value;
}

double any_tolerance_in(double value) {
  if (!std::isfinite(value)) {
    esi::bad_argument("tolerance", "a finite number", esi::number_text(value));
  }
  return value;
}

Floats gap(const py::object& a_object, const py::object& b_object) {
  const BoxesIn a(a_object, "a"), b(b_object, "b");
  const Broadcast<2> batch({a.leading(), b.leading()});
  Floats out(batch.shape({3}));
  auto* to = reinterpret_cast<Vec3*>(out.mutable_data());
  batch.each(
      [&](std::size_t k, const auto& at) { to[k] = boxes::gap(a.span()[at[0]], b.span()[at[1]]); });
  return out;
}

Flags contains_points(const py::object& box_object, const py::object& points_object,
                      double tolerance) {
  const double limit = tolerance_in(tolerance);
  const BoxesIn box(box_object, "box");
  const auto points = array_ending_in<double>(points_object, "points", {3});
  const Broadcast<2> batch({box.leading(), esi::Leading(points, 1)});
  Flags out(batch.shape());
  bool* to = out.mutable_data();
  batch.each([&](std::size_t k, const auto& at) {
    const Vec3 p = points.vectors()[at[1]];
    to[k] = boxes::contains(box.span()[at[0]], {p, p}, limit);
  });
  return out;
}

Floats aabb(const py::object& points_object) {
  const auto points = array_ending_in<double>(points_object, "points", {"N", 3});
  const std::size_t count = points.shape(static_cast<int>(points.ndim()) - 2);
  const Broadcast<1> batch({esi::Leading(points, 2)});
  Floats out(batch.shape({2, 3}));
  auto* to = reinterpret_cast<Box*>(out.mutable_data());
  for (std::size_t k = 0; k < batch.size(); ++k) {
    to[k] = boxes::around(points.vectors().subspan(k * count, count));
  }
  return out;
}

Floats world_aabb(const py::object& points_object, const py::object& pose_object,
                  const py::object& scale_object) {
  const auto points = array_in<double>(points_object, "points", {"N", 3});
  const auto pose = array_ending_in<double>(pose_object, "pose", {4, 4});
  const auto scale = array_ending_in<double>(scale_object, "scale", {});
  if (scale.ndim() > 1 || (scale.size() != 1 && scale.size() != 3)) {
    esi::bad_argument("scale", "one number or three", std::to_string(scale.size()) + " numbers");
  }
  const std::size_t axis = scale.size() == 3 ? 1 : 0;
  const Vec3 factor{scale[0], scale[axis], scale[2 * axis]};
  const Broadcast<1> batch({esi::Leading(pose, 2)});
  Floats out(batch.shape({2, 3}));
  auto* to = reinterpret_cast<Box*>(out.mutable_data());
  for (std::size_t k = 0; k < batch.size(); ++k) {
    esi::Affine map;
    std::copy_n(pose.data() + 16 * k, 12, map.m.begin());
    to[k] = boxes::around(points.vectors(), factor, map);
  }
  return out;
}

Floats fit_ratio(const py::object& size_object, const py::object& interior_object) {
  const auto size = array_ending_in<double>(size_object, "size", {3});
  const auto interior = array_ending_in<double>(interior_object, "interior", {3});
  for (const auto* extents : {&size, &interior}) {
    for (const double value : extents->span()) {
      if (value < 0) {
        esi::bad_argument(extents->name(), "extents of at least 0", esi::number_text(value));
      }
    }
  }
  const Broadcast<2> batch({esi::Leading(size, 1), esi::Leading(interior, 1)});
  Floats out(batch.shape());
  double* to = out.mutable_data();
  batch.each([&](std::size_t k, const auto& at) {
    to[k] = boxes::fit_ratio(size.vectors()[at[0]], interior.vectors()[at[1]]);
  });
  return out;
}

// ---- oriented boxes ---------------------------------------------------------------------------

// Centres (..., 3), orientations (..., 4) and sizes (..., 3) that broadcast.
class ObbsIn {
 public:
  ObbsIn(const py::object& center, const py::object& orientation, const py::object& size,
         const std::string& name)
      : center_(array_ending_in<double>(center, name + ".center", {3})),
        orientation_(array_ending_in<double>(orientation, name + ".orientation", {4})),
        size_(array_ending_in<double>(size, name + ".size", {3})),
        batch_({esi::Leading(center_, 1), esi::Leading(orientation_, 1), esi::Leading(size_, 1)}) {
    for (std::size_t i = 0; i < size_.size(); ++i) {
      if (size_[i] < 0) {
        esi::bad_argument(size_.name(), "extents of at least 0", esi::number_text(size_[i]));
      }
    }
    for (std::size_t i = 0; i < orientation_.size(); i += 4) {
      const double* q = orientation_.data() + i;
      if (q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0) {
        esi::bad_argument(orientation_.name(), "a length above 0", "0");
      }
    }
    all_.reserve(batch_.size());
    batch_.each([&](std::size_t, const auto& at) {
      all_.emplace_back(center_.vectors()[at[0]], orientation_.data() + 4 * at[1],
                        size_.vectors()[at[2]]);
    });
  }

  const std::string& name() const { return center_.name(); }
  const Broadcast<3>& batch() const { return batch_; }
  const std::vector<boxes::Obb>& all() const { return all_; }
  esi::Leading leading() const { return {center_.name(), batch_.shape()}; }

 private:
  ArrayIn<double> center_, orientation_, size_;
  Broadcast<3> batch_;
  std::vector<boxes::Obb> all_;
};

Floats obb_corners(const py::object& center, const py::object& orientation,
                   const py::object& size) {
  const ObbsIn in(center, orientation, size, "box");
  Floats out(in.batch().shape({8, 3}));
  auto* to = reinterpret_cast<Vec3*>(out.mutable_data());
  for (const boxes::Obb& box : in.all()) {
    for (int k = 0; k < 8; ++k) *to++ = box.corner(k);
  }
  return out;
}

// Boxes (...), points (..., N, 3): the points' last dimension belongs to each box.
Flags obb_contains_points(const py::object& center, const py::object& orientation,
                          const py::object& size, const py::object& points_object,
                          double tolerance) {
  const double limit = tolerance_in(tolerance);
  const ObbsIn in(center, orientation, size, "box");
  const auto points = array_ending_in<double>(points_object, "points", {"N", 3});
  const auto count = static_cast<std::size_t>(points.shape(static_cast<int>(points.ndim()) - 2));
  const Broadcast<2> batch({in.leading(), esi::Leading(points, 2)});
  Flags out(batch.shape({static_cast<py::ssize_t>(count)}));
  bool* to = out.mutable_data();
  batch.each([&](std::size_t, const auto& at) {
    for (std::size_t k = 0; k < count; ++k) {
      *to++ = in.all()[at[0]].contains(points.vectors()[at[1] * count + k], limit);
    }
  });
  return out;
}

template <class Out, class Function>
py::array_t<Out> by_obb_pairs(const ObbsIn& a, const ObbsIn& b, const Function& function) {
  const Broadcast<2> batch({a.leading(), b.leading()});
  py::array_t<Out> out(batch.shape());
  Out* to = out.mutable_data();
  batch.each(
      [&](std::size_t k, const auto& at) { to[k] = function(a.all()[at[0]], b.all()[at[1]]); });
  return out;
}

// ---- all pairs --------------------------------------------------------------------------------

Ints pair_array(esi::RawVector<boxes::Pair>&& pairs) {
  static_assert(sizeof(boxes::Pair) == 2 * sizeof(std::int64_t));
  return esi::to_array<std::int64_t>(std::move(pairs), 2);
}

Ints overlap_pairs(const py::object& object, double tolerance, int threads) {
  const double limit = any_tolerance_in(tolerance);
  const BoxesIn all = BoxesIn::list(object, "boxes");
  esi::RawVector<boxes::Pair> pairs;
  {
    const py::gil_scoped_release release;
    pairs = boxes::overlap_pairs(all.span(), limit, threads);
  }
  return pair_array(std::move(pairs));
}

Ints overlap_pairs_between(const py::object& a_object, const py::object& b_object, double tolerance,
                           int threads) {
  const double limit = any_tolerance_in(tolerance);
  const BoxesIn a = BoxesIn::list(a_object, "a"), b = BoxesIn::list(b_object, "b");
  esi::RawVector<boxes::Pair> pairs;
  {
    const py::gil_scoped_release release;
    pairs = boxes::overlap_pairs(a.span(), b.span(), limit, threads);
  }
  return pair_array(std::move(pairs));
}

Ints containment_pairs(const py::object& outer_object, const py::object& inner_object,
                       double tolerance, int threads) {
  const double limit = tolerance_in(tolerance);
  const BoxesIn outer = BoxesIn::list(outer_object, "outer");
  const BoxesIn inner = BoxesIn::list(inner_object, "inner");
  esi::RawVector<boxes::Pair> pairs;
  {
    const py::gil_scoped_release release;
    pairs = boxes::containment_pairs(outer.span(), inner.span(), limit, threads);
  }
  return pair_array(std::move(pairs));
}

}  // namespace

void register_boxes(py::module_& m) {
  m.doc() = "Axis-aligned boxes (..., 2, 3) and oriented ones, in pairs.";
  m.def(
      "center",
      [](const py::object& object) {
        return one_by_one(object, 3, [](const Box& box, double* to) {
          const Vec3 c = box.lower * 0.5 + box.upper * 0.5;
          to[0] = c.x;
          to[1] = c.y;
          to[2] = c.z;
        });
      },
      py::arg("boxes"));
  m.def(
      "size",
      [](const py::object& object) {
        return one_by_one(object, 3, [](const Box& box, double* to) {
          const Vec3 s = box.upper - box.lower;
          to[0] = s.x;
          to[1] = s.y;
          to[2] = s.z;
        });
      },
      py::arg("boxes"));
  m.def("gap", &gap, py::arg("a"), py::arg("b"));
  m.def(
      "overlap",
      [](const py::object& a, const py::object& b, double tolerance) {
        const double limit = any_tolerance_in(tolerance);
        return by_pairs<bool>(a, b, "a", "b", [&](const Box& p, const Box& q) {
          return boxes::overlap(p, q, limit);
        });
      },
      py::arg("a"), py::arg("b"), py::arg("tolerance"));
  m.def(
      "contact",
      [](const py::object& a, const py::object& b, double tolerance) {
        const double limit = tolerance_in(tolerance);
        return by_pairs<bool>(a, b, "a", "b", [&](const Box& p, const Box& q) {
          return boxes::contact(p, q, limit);
        });
      },
      py::arg("a"), py::arg("b"), py::arg("tolerance"));
  m.def(
      "distance",
      [](const py::object& a, const py::object& b) {
        return by_pairs<double>(a, b, "a", "b", boxes::distance);
      },
      py::arg("a"), py::arg("b"));
  m.def(
      "contains",
      [](const py::object& outer, const py::object& inner, double tolerance) {
        const double limit = tolerance_in(tolerance);
        return by_pairs<bool>(outer, inner, "outer", "inner", [&](const Box& p, const Box& q) {
          return boxes::contains(p, q, limit);
        });
      },
      py::arg("outer"), py::arg("inner"), py::arg("tolerance"));
  m.def("contains_points", &contains_points, py::arg("box"), py::arg("points"),
        py::arg("tolerance"));
  m.def(
      "overlap_volume",
      [](const py::object& a, const py::object& b) {
        return by_pairs<double>(a, b, "a", "b", boxes::overlap_volume);
      },
      py::arg("a"), py::arg("b"));
  m.def(
      "iou",
      [](const py::object& a, const py::object& b, int axes) {
        return by_pairs<double>(a, b, "a", "b",
                                [&](const Box& p, const Box& q) { return boxes::iou(p, q, axes); });
      },
      py::arg("a"), py::arg("b"), py::arg("axes"), "Of volumes (3 axes) or footprints (2).");
  m.def(
      "supports",
      [](const py::object& lower, const py::object& upper, double min_rise, double min_iou) {
        return by_pairs<bool>(lower, upper, "lower", "upper", [&](const Box& p, const Box& q) {
          return boxes::supports(p, q, min_rise, min_iou);
        });
      },
      py::arg("lower"), py::arg("upper"), py::arg("min_rise"), py::arg("min_iou"));

  m.def("aabb", &aabb, py::arg("points"));
  m.def("world_aabb", &world_aabb, py::arg("points"), py::arg("pose"), py::arg("scale"));
  m.def("fit_ratio", &fit_ratio, py::arg("size"), py::arg("interior"));

  m.def("corners", &corners, py::arg("boxes"));
  m.def("around", &around, py::arg("boxes"));
  m.def("obb_corners", &obb_corners, py::arg("center"), py::arg("orientation"), py::arg("size"));
  m.def("obb_contains_points", &obb_contains_points, py::arg("center"), py::arg("orientation"),
        py::arg("size"), py::arg("points"), py::arg("tolerance"));
  using Three = py::typing::Tuple<py::object, py::object, py::object>;
  m.def(
      "obb_separation",
      [](const Three& a, const Three& b) {
        return by_obb_pairs<double>(ObbsIn(a[0], a[1], a[2], "a"), ObbsIn(b[0], b[1], b[2], "b"),
                                    boxes::separation);
      },
      py::arg("a"), py::arg("b"));
  m.def(
      "obb_contains",
      [](const Three& outer, const Three& inner, double tolerance) {
        const double limit = tolerance_in(tolerance);
        return by_obb_pairs<bool>(ObbsIn(outer[0], outer[1], outer[2], "outer"),
                                  ObbsIn(inner[0], inner[1], inner[2], "inner"),
                                  [&](const boxes::Obb& p, const boxes::Obb& q) {
                                    for (int k = 0; k < 8; ++k) {
                                      if (!p.contains(q.corner(k), limit)) return false;
                                    }
                                    return true;
                                  });
      },
      py::arg("outer"), py::arg("inner"), py::arg("tolerance"));

  m.def("overlap_pairs", &overlap_pairs, py::arg("boxes"), py::arg("tolerance"), py::arg("threads"),
        "Pairs i < j, sorted.");
  m.def("overlap_pairs_between", &overlap_pairs_between, py::arg("a"), py::arg("b"),
        py::arg("tolerance"), py::arg("threads"), "Pairs (index in a, index in b), sorted.");
  m.def("containment_pairs", &containment_pairs, py::arg("outer"), py::arg("inner"),
        py::arg("tolerance"), py::arg("threads"), "Pairs (outer, inner), sorted.");
}
