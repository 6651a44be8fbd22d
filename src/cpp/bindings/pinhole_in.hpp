// Cameras and projections on their way in and out.
#pragma once

#include <pybind11/typing.h>

#include "bindings/array_in.hpp"
#include "core/pinhole.hpp"
#include "core/rotation.hpp"

namespace esi {

// The Python class has checked all of it.
inline Pinhole pinhole_in(const py::object& position, const py::object& orientation, double focal,
                          double width, double height) {
  const auto at = array_in<double>(position, "position", {3});
  const auto turn = array_in<double>(orientation, "orientation", {4});
  double m[9];
  if (!quat_to_matrix(turn.data(), m)) {
    bad_argument("orientation", "non-zero vectors", "one of length 0");
  }
  return {at.vector(0), {m[0], m[3], m[6]}, {m[1], m[4], m[7]}, {m[2], m[5], m[8]}, focal, width,
          height};
}

using ProjectionOut = py::typing::Tuple<py::array_t<double>, py::array_t<double>, py::array_t<bool>,
                                        py::array_t<bool>>;

// pixels (N, 2), depth, in_front and in_image (N,) of project(i) for all i < count.
template <class Project>
ProjectionOut projection_out(std::size_t count, const Project& project) {
  const auto n = static_cast<py::ssize_t>(count);
  py::array_t<double> pixels(std::vector<py::ssize_t>{n, 2}), depth(n);
  py::array_t<bool> in_front(n), in_image(n);
  double *pixel = pixels.mutable_data(), *metres = depth.mutable_data();
  bool *front = in_front.mutable_data(), *image = in_image.mutable_data();
  {
    const py::gil_scoped_release release;
    for (std::size_t i = 0; i < count; ++i) {
      const Projected p = project(i);
      pixel[2 * i] = p.column;
      pixel[2 * i + 1] = p.row;
      metres[i] = p.depth;
      front[i] = p.in_front;
      image[i] = p.in_image;
    }
  }
  return py::make_tuple(pixels, depth, in_front, in_image);
}

}  // namespace esi
