// Arguments that the ray families share: rows of points, limits, object ids to ignore.
#pragma once

#include <string>

#include "bindings/array_in.hpp"
#include "core/raycast.hpp"

namespace esi {

inline Rows<Vec3> vector_rows(const ArrayIn<double>& array) {
  return {array.vectors().data(), array.rows() == 1};
}

// One number for all rays, or an array of one per ray. Keeps the numbers alive.
class LimitsIn {
 public:
  LimitsIn(const py::object& object, const std::string& name) : name_(name) {
    if (py::isinstance<py::float_>(object)) {  // the usual case, without an array
      number_ = object.cast<double>();
    } else {
      const py::array any = detail::as_array(object, name, {"N"});
      array_.emplace_back(any.ndim() == 0 ? array_in<double>(any, name, {}, Finite::any)
                                          : array_in<double>(any, name, {"N"}, Finite::any));
    }
    for (const double value : numbers()) {
      if (!(value >= 0)) bad_argument(name, "0 or more", number_text(value));
    }
  }
  LimitsIn(const LimitsIn&) = delete;  // views may point into it
  LimitsIn& operator=(const LimitsIn&) = delete;

  const std::string& name() const { return name_; }
  std::size_t rows() const { return array_.empty() ? 1 : array_[0].rows(); }
  Rows<double> view() const { return {numbers().data(), rows() == 1}; }

 private:
  Span<const double> numbers() const {
    if (array_.empty()) return {&number_, 1};
    return {array_[0].data(), array_[0].size()};
  }

  std::string name_;
  double number_ = 0;
  std::vector<ArrayIn<double>> array_;
};

// None, ids (K,) for all rows, or (rows, K) padded with -1. Keeps the ids alive.
class IgnoreIn {
 public:
  IgnoreIn(const py::object& object, std::size_t rows) { read(object, rows); }
  // With one more id, `also`, for all rows; -1 for none.
  IgnoreIn(const py::object& object, std::size_t rows, std::int32_t also) : IgnoreIn(object, rows) {
    if (also < 0) return;
    const std::size_t width = view_.shared ? view_.ids.size() : view_.per_ray;
    const std::size_t lines = view_.shared ? 1 : rows;
    own_.reserve(lines * (width + 1));
    for (std::size_t i = 0; i < lines; ++i) {
      const std::int32_t* line = view_.ids.data() + i * width;
      own_.insert(own_.end(), line, line + width);
      own_.push_back(also);
    }
    view_.ids = own_;
    if (!view_.shared) view_.per_ray = width + 1;
  }
  IgnoreIn(const IgnoreIn&) = delete;  // the view may point into it
  IgnoreIn& operator=(const IgnoreIn&) = delete;

  const IgnoreRows& rows() const { return view_; }

 private:
  void read(const py::object& object, std::size_t rows) {
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

  std::vector<ArrayIn<std::int32_t>> ids_;
  std::vector<std::int32_t> own_;
  IgnoreRows view_;
};

}  // namespace esi
