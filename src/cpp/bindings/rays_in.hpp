// Arguments that the ray families share: rows of points, limits, object ids to ignore.
#pragma once

#include <string>

#include "bindings/array_in.hpp"
#include "core/raycast.hpp"

namespace esi {

inline Rows<Vec3> vector_rows(const ArrayIn<double>& array) {
  return {array.vectors().data(), array.rows() == 1};
}

// One number for all rays, or an array of one per ray.
inline ArrayIn<double> limits_in(const py::object& object, const std::string& name) {
  const py::array any = detail::as_array(object, name, {"N"});
  auto limits = any.ndim() == 0 ? array_in<double>(any, name, {}, Finite::any)
                                : array_in<double>(any, name, {"N"}, Finite::any);
  for (std::size_t i = 0; i < limits.size(); ++i) {
    if (!(limits[i] >= 0)) {
      bad_argument(name, "0 or more", py::str(py::cast(limits[i])).cast<std::string>());
    }
  }
  return limits;
}

// None, ids (K,) for all rows, or (rows, K) padded with -1. Keeps the ids alive.
class IgnoreIn {
 public:
  IgnoreIn(const py::object& object, std::size_t rows) {
    if (object.is_none()) return;
    const py::array any = detail::as_array(object, "ignore", {"K"});
    // An empty list has no dtype of its own.
    if (any.size() == 0) return;
    if (any.ndim() == 2) {
      ids_.emplace_back(
          array_in<std::int32_t>(object, "ignore", {static_cast<py::ssize_t>(rows), "K"}));
      view_.per_ray = ids_[0].shape(1);
      view_.shared = false;
    } else {
      ids_.emplace_back(array_in<std::int32_t>(object, "ignore", {"K"}));
    }
    view_.ids = ids_[0].span();
  }

  const IgnoreRows& rows() const { return view_; }

 private:
  std::vector<ArrayIn<std::int32_t>> ids_;
  IgnoreRows view_;
};

}  // namespace esi
