#include "bindings/rays_in.hpp"
#include "core/error.hpp"
#include "core/occlusion.hpp"

namespace py = pybind11;
using esi::Scene;

namespace {

void check_tolerance(double tolerance) {
  if (!(tolerance >= 0 && tolerance < 0.5)) {
    esi::bad_argument("tolerance", "0 or more and below 0.5", std::to_string(tolerance));
  }
}

int threads_for(const Scene& scene, int requested) {
  return requested == 0 ? scene.threads() : requested;
}

// Calls kernel(view, count, starts, ends, ignore, out) without the GIL.
template <class T, class Kernel>
py::array_t<T> per_segment(Scene& scene, const py::object& starts_object,
                           const py::object& ends_object, const py::object& ignore_object,
                           Kernel kernel) {
  const auto starts =
      esi::array_in<double>(starts_object, "starts", {"N", 3}, esi::Finite::coordinates);
  const auto ends = esi::array_in<double>(ends_object, "ends", {"N", 3}, esi::Finite::coordinates);
  const std::size_t count = esi::broadcast_rows(starts, ends);
  const esi::IgnoreIn ignore(ignore_object, count);
  py::array_t<T> result(static_cast<py::ssize_t>(count));
  T* out = result.mutable_data();
  {
    const py::gil_scoped_release release;
    const esi::SceneView view = scene.view();
    kernel(view, count, esi::vector_rows(starts), esi::vector_rows(ends), ignore.rows(), out);
  }
  return result;
}

py::array_t<bool> visible(Scene& scene, const py::object& starts, const py::object& ends,
                          const py::object& ignore, double tolerance, int threads) {
  check_tolerance(tolerance);
  const int used = threads_for(scene, threads);
  return per_segment<bool>(scene, starts, ends, ignore,
                           [&](const esi::SceneView& view, std::size_t count, auto a, auto b,
                               const esi::IgnoreRows& rows, bool* out) {
                             esi::visible(view, count, a, b, rows, tolerance, used, out);
                           });
}

py::array_t<std::int32_t> first_blocker(Scene& scene, const py::object& starts,
                                        const py::object& ends, const py::object& ignore,
                                        double tolerance, int threads) {
  check_tolerance(tolerance);
  const int used = threads_for(scene, threads);
  return per_segment<std::int32_t>(scene, starts, ends, ignore,
                                   [&](const esi::SceneView& view, std::size_t count, auto a,
                                       auto b, const esi::IgnoreRows& rows, std::int32_t* out) {
                                     esi::first_blocker(view, count, a, b, rows, tolerance, used,
                                                        out);
                                   });
}

py::array_t<bool> visibility_matrix(Scene& scene, const py::object& starts_object,
                                    const py::object& ends_object, const py::object& ignore_object,
                                    double tolerance, int threads) {
  check_tolerance(tolerance);
  const auto starts =
      esi::array_in<double>(starts_object, "starts", {"N", 3}, esi::Finite::coordinates);
  const auto ends = esi::array_in<double>(ends_object, "ends", {"M", 3}, esi::Finite::coordinates);
  const esi::IgnoreIn ignore(ignore_object, starts.rows());
  py::array_t<bool> result({starts.rows(), ends.rows()});
  bool* out = result.mutable_data();
  const int used = threads_for(scene, threads);
  {
    const py::gil_scoped_release release;
    const esi::SceneView view = scene.view();
    esi::visibility_matrix(view, starts.vectors(), ends.vectors(), ignore.rows(), tolerance, used,
                           out);
  }
  return result;
}

template <class Function>
void def_query(py::module_& m, const char* name, Function function) {
  m.def(name, function, py::arg("scene"), py::arg("starts"), py::arg("ends"), py::arg("ignore"),
        py::arg("tolerance"), py::arg("threads"));
}

}  // namespace

void register_occlusion(py::module_& m) {
  m.doc() = "Lines of sight between points.";
  def_query(m, "visible", &visible);
  def_query(m, "visibility_matrix", &visibility_matrix);
  def_query(m, "first_blocker", &first_blocker);
}
