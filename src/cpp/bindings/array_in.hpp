// The one place where an array-like becomes a typed, contiguous view.
//
// Messages name the parameter, what was expected and what came:
//   origins: expected shape (N, 3), got (3, 512)
// A wrong dtype raises TypeError, everything else ValueError. All of this needs the GIL; release it
// after conversion, while the ArrayIn objects (which keep the memory alive) are still in scope.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/types.hpp"

namespace esi {

namespace py = pybind11;

// One dimension of an expected shape: a fixed size, a name for "any size", or, at the front, "..."
// for any number of dimensions.
class Dim {
 public:
  Dim(int size) : size_(size) {}
  Dim(py::ssize_t size) : size_(size) {}
  Dim(const char* name) : name_(name) {}

  bool admits(py::ssize_t size) const { return size_ < 0 || size_ == size; }
  bool is_fixed() const { return size_ >= 0; }
  py::ssize_t size() const { return size_; }
  bool is_rest() const { return name_[0] == '.'; }
  std::string text() const { return size_ < 0 ? name_ : std::to_string(size_); }

 private:
  py::ssize_t size_ = -1;
  const char* name_ = "";
};

using Shape = std::initializer_list<Dim>;

enum class Finite {
  required,     // NaN and infinity are refused
  coordinates,  // metres: so is what lies beyond largest_coordinate
  any,          // they pass: the kernel turns them into a status
};

namespace detail {

template <class Items, class ToText>
std::string tuple_text(const Items& items, ToText to_text) {
  std::string text = "(";
  const char* separator = "";
  std::size_t count = 0;
  for (const auto& item : items) {
    text += separator + to_text(item);
    separator = ", ";
    ++count;
  }
  return text + (count == 1 ? ",)" : ")");
}

inline std::string shape_text(Shape shape) {
  return tuple_text(shape, [](const Dim& d) { return d.text(); });
}

inline std::string shape_text(const py::array& a) {
  const std::vector<py::ssize_t> sizes(a.shape(), a.shape() + a.ndim());
  return tuple_text(sizes, [](py::ssize_t s) { return std::to_string(s); });
}

// "1, 2" of item number `flat` in an array of these sizes.
inline std::string place_text(const std::vector<py::ssize_t>& sizes, py::ssize_t flat) {
  std::string text;
  for (std::size_t axis = sizes.size(); axis-- > 0;) {
    text.insert(0, text.empty() ? "" : ", ");
    text.insert(0, std::to_string(flat % sizes[axis]));
    flat /= sizes[axis];
  }
  return text;
}

inline std::string index_text(const py::array& a, py::ssize_t flat) {
  const std::string place = place_text({a.shape(), a.shape() + a.ndim()}, flat);
  return place.empty() ? "" : " at [" + place + "]";
}

[[noreturn]] inline void bad_type(const std::string& name, const std::string& expected,
                                  const std::string& got) {
  throw py::type_error(name + ": expected " + expected + ", got " + got);
}

template <class T>
std::string kind_text() {
  if (std::is_same_v<T, bool>) return "booleans";
  return std::is_floating_point_v<T> ? "real numbers" : "integers";
}

inline void check_shape(const py::array& a, const std::string& name, Shape shape) {
  const auto size = static_cast<py::ssize_t>(shape.size());
  const bool any_lead = size > 0 && shape.begin()->is_rest();
  bool same = any_lead ? a.ndim() >= size - 1 : a.ndim() == size;
  py::ssize_t axis = a.ndim() - size;
  for (const Dim& dim : shape) {
    if (!same) break;
    same = dim.is_rest() || dim.admits(a.shape(axis));
    ++axis;
  }
  if (!same) bad_argument(name, "shape " + shape_text(shape), shape_text(a));
}

// Which dtypes may become a T: never objects, text, dates or complex numbers; booleans only where
// booleans are asked for; real numbers to integers only when each is one (checked by value).
template <class T>
void check_dtype(const py::array& a, const std::string& name) {
  const char kind = a.dtype().kind();
  const bool number = kind == 'f' || kind == 'i' || kind == 'u';
  const bool fits = std::is_same_v<T, bool> ? kind == 'b' : number;
  if (!fits) {
    bad_type(name, kind_text<T>(), "dtype " + py::str(a.dtype()).template cast<std::string>());
  }
}

// Every value of `source` (float64, int64 or uint64) must be representable in the integer type T.
template <class T, class From>
void check_integers(const py::array& source, const std::string& name) {
  const auto values = py::array_t<From, py::array::c_style | py::array::forcecast>::ensure(source);
  if (!values) throw py::error_already_set();
  const From* data = values.data();
  for (py::ssize_t i = 0; i < values.size(); ++i) {
    const From v = data[i];
    bool fits = false;
    if constexpr (std::is_floating_point_v<From>) {
      // 2^digits is exact in floating point, unlike the largest integer itself.
      const From bound = std::ldexp(From(1), std::numeric_limits<T>::digits);
      const From lower = std::is_signed_v<T> ? -bound : From(0);
      fits = v == std::floor(v) && v >= lower && v < bound;
    } else if constexpr (std::is_signed_v<From>) {
      const bool above = v >= 0 && static_cast<std::uint64_t>(v) >
                                       static_cast<std::uint64_t>(std::numeric_limits<T>::max());
      const bool below = v < 0 && (!std::is_signed_v<T> ||
                                   v < static_cast<std::int64_t>(std::numeric_limits<T>::min()));
      fits = !above && !below;
    } else {
      fits = v <= static_cast<std::uint64_t>(std::numeric_limits<T>::max());
    }
    if (!fits) {
      const std::string type = py::str(py::dtype::of<T>()).template cast<std::string>();
      const std::string value = py::str(py::cast(v)).template cast<std::string>();
      bad_argument(name, "integers within " + type, value + index_text(source, i));
    }
  }
}

template <class T>
void check_integers(const py::array& source, const std::string& name) {
  switch (source.dtype().kind()) {
    case 'f':
      return check_integers<T, double>(source, name);
    case 'u':
      return check_integers<T, std::uint64_t>(source, name);
    default:
      return check_integers<T, std::int64_t>(source, name);
  }
}

// numpy.asarray(object); arrays, which most callers have, stay as they are.
inline py::array as_array(const py::object& object, const std::string& name, Shape shape) {
  if (py::isinstance<py::array>(object)) return py::reinterpret_borrow<py::array>(object);
  try {
    return py::module_::import("numpy").attr("asarray")(object).cast<py::array>();
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_ValueError) && !error.matches(PyExc_TypeError)) throw;
    bad_argument(name, "an array of shape " + shape_text(shape), "rows of different lengths");
  }
}

template <class T>
void check_finite(const py::array& a, const T* data, const std::string& name) {
  for (py::ssize_t i = 0; i < a.size(); ++i) {
    if (!std::isfinite(data[i])) {
      const std::string value = py::str(py::cast(data[i])).template cast<std::string>();
      bad_argument(name, "finite values", value + index_text(a, i));
    }
  }
}

template <class T>
void check_coordinates(const py::array& a, const T* data, const std::string& name) {
  for (py::ssize_t i = 0; i < a.size(); ++i) {
    if (!(std::abs(data[i]) <= largest_coordinate)) {
      check_finite(a, data, name);
      const std::string value = py::str(py::cast(data[i])).template cast<std::string>();
      bad_argument(name, "coordinates within 1e12 m", value + index_text(a, i));
    }
  }
}

// Integers beyond 2^53 have no double of their own: refused rather than rounded.
template <class Wide>
void check_exact_doubles(const py::array& source, const std::string& name) {
  constexpr Wide bound = Wide{1} << std::numeric_limits<double>::digits;
  const auto values = py::array_t<Wide, py::array::c_style | py::array::forcecast>::ensure(source);
  if (!values) throw py::error_already_set();
  for (py::ssize_t i = 0; i < values.size(); ++i) {
    const Wide v = values.data()[i];
    bool exact = v <= bound;
    if constexpr (std::is_signed_v<Wide>) exact = exact && v >= -bound;
    if (!exact) {
      bad_argument(name, "integers within 2^53", std::to_string(v) + index_text(source, i));
    }
  }
}

}  // namespace detail

// A checked, contiguous, aligned array of T that keeps its memory alive.
template <class T>
class ArrayIn {
 public:
  static constexpr int flags =
      py::array::c_style | py::array::forcecast | py::detail::npy_api::NPY_ARRAY_ALIGNED_;
  using Array = py::array_t<T, flags>;

  ArrayIn(Array array, std::string name) : array_(std::move(array)), name_(std::move(name)) {
    data_ = array_.data();
    rows_ = array_.ndim() > 0 ? static_cast<std::size_t>(array_.shape(0)) : 1;
    width_ = rows_ > 0 ? static_cast<std::size_t>(array_.size()) / rows_ : 0;
  }

  const std::string& name() const { return name_; }
  py::ssize_t ndim() const { return array_.ndim(); }
  std::size_t shape(int axis) const { return static_cast<std::size_t>(array_.shape(axis)); }
  std::size_t size() const { return static_cast<std::size_t>(array_.size()); }
  std::size_t rows() const { return rows_; }
  const T* data() const { return data_; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  Span<const T> span() const { return {data_, size()}; }
  std::vector<py::ssize_t> dimensions() const {
    return {array_.shape(), array_.shape() + array_.ndim()};
  }

  // Start of row i; a single row serves every i (see broadcast_rows).
  const T* row(std::size_t i) const { return data_ + (rows_ == 1 ? 0 : i * width_); }

  // The same memory as consecutive vectors, for arrays whose last dimension is 3.
  Span<const Vec3T<T>> vectors() const {
    return {reinterpret_cast<const Vec3T<T>*>(data_), size() / 3};
  }
  Vec3T<T> vector(std::size_t i) const {
    const T* r = row(i);
    return {r[0], r[1], r[2]};
  }

 private:
  Array array_;
  std::string name_;
  const T* data_;
  std::size_t rows_;
  std::size_t width_;
};

namespace detail {

// Converts an array whose shape has been checked.
template <class T>
ArrayIn<T> converted(const py::array& any, const std::string& name, Finite finite) {
  const bool same_type = py::isinstance<py::array_t<T>>(any);
  if (!same_type) {
    if constexpr (std::is_floating_point_v<T>) {
      const char kind = any.dtype().kind();
      const bool wide = any.itemsize() >= 8;
      if (wide && kind == 'i') check_exact_doubles<std::int64_t>(any, name);
      if (wide && kind == 'u') check_exact_doubles<std::uint64_t>(any, name);
    } else if constexpr (!std::is_same_v<T, bool>) {
      check_integers<T>(any, name);
    }
  }
  auto array = ArrayIn<T>::Array::ensure(any);
  if (!array) throw py::error_already_set();
  if constexpr (std::is_floating_point_v<T>) {
    if (finite == Finite::required) check_finite(array, array.data(), name);
    if (finite == Finite::coordinates) check_coordinates(array, array.data(), name);
  }
  return ArrayIn<T>(std::move(array), name);
}

}  // namespace detail

// Converts and checks `object`. Memory is copied only where dtype, order or alignment ask for it.
//
//   const auto origins = array_in<double>(origins_object, "origins", {"N", 3});
template <class T>
ArrayIn<T> array_in(const py::object& object, const std::string& name, Shape shape,
                    Finite finite = Finite::required) {
  const py::array any = detail::as_array(object, name, shape);
  detail::check_dtype<T>(any, name);
  detail::check_shape(any, name, shape);
  return detail::converted<T>(any, name, finite);
}

// The same for a shape that only has to end in `trailing`, whatever comes before.
//
//   const auto boxes = array_ending_in<double>(boxes_object, "boxes", {2, 3});
template <class T>
ArrayIn<T> array_ending_in(const py::object& object, const std::string& name, Shape trailing,
                           Finite finite = Finite::required) {
  const py::array any = detail::as_array(object, name, trailing);
  detail::check_dtype<T>(any, name);
  const auto rank = static_cast<py::ssize_t>(trailing.size());
  py::ssize_t axis = any.ndim() - rank;
  bool same = axis >= 0;
  for (const Dim& dim : trailing) {
    if (same) same = dim.admits(any.shape(axis++));
  }
  if (!same) {
    const std::string wanted =
        rank == 0 ? "(...)" : "(..., " + detail::shape_text(trailing).substr(1);
    bad_argument(name, "shape " + (rank == 1 ? "(..., " + trailing.begin()->text() + ")" : wanted),
                 detail::shape_text(any));
  }
  return detail::converted<T>(any, name, finite);
}

// A number as Python writes it, for messages.
inline std::string number_text(double value) { return py::repr(py::float_(value)); }

// A point as an array (3,).
inline py::array_t<double> array_out(Vec3 p) {
  py::array_t<double> out(3);
  double* data = out.mutable_data();
  data[0] = p.x;
  data[1] = p.y;
  data[2] = p.z;
  return out;
}

// The common number of rows of arrays whose leading dimensions are equal or 1.
inline std::size_t broadcast_rows(
    std::initializer_list<std::pair<const std::string*, std::size_t>> arrays) {
  std::size_t rows = 1;
  const std::string* first = nullptr;
  for (const auto& [name, count] : arrays) {
    if (count == 1) continue;
    if (first == nullptr) {
      rows = count;
      first = name;
    } else if (count != rows) {
      bad_argument(*name, "1 or " + std::to_string(rows) + " rows as in " + *first,
                   std::to_string(count));
    }
  }
  return rows;
}

template <class... T>
std::size_t broadcast_rows(const T&... arrays) {
  return broadcast_rows({std::make_pair(&arrays.name(), arrays.rows())...});
}

}  // namespace esi
