// Vectors that become arrays without a copy.
#pragma once

#include <pybind11/numpy.h>

#include <memory>
#include <utility>
#include <vector>

namespace esi {

// `values` as an array of items of T, each of which is `width` numbers (then of shape (N, width)).
template <class Number, class T, class Allocator>
pybind11::array_t<Number> to_array(std::vector<T, Allocator>&& values,
                                   pybind11::ssize_t width = 1) {
  namespace py = pybind11;
  using Values = std::vector<T, Allocator>;
  auto owner = std::make_unique<Values>(std::move(values));
  const auto* data = reinterpret_cast<const Number*>(owner->data());
  std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(owner->size())};
  if (width > 1) shape.push_back(width);
  const py::capsule keep(owner.get(), [](void* p) { delete static_cast<Values*>(p); });
  owner.release();
  return py::array_t<Number>(shape, data, keep);
}

}  // namespace esi
