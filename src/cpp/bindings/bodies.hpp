// What the bindings of cloth and liquid share.
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "bindings/array_in.hpp"
#include "core/field.hpp"

namespace esi {

using Field = std::shared_ptr<DistanceField>;

// Rows of normal, offset and friction.
inline std::vector<HalfSpace> planes_in(const py::object& object) {
  const auto rows = array_in<double>(object, "planes", {"P", 5});
  std::vector<HalfSpace> planes(rows.rows());
  for (std::size_t k = 0; k < planes.size(); ++k) {
    const double* p = rows.data() + 5 * k;
    planes[k] = {{p[0], p[1], p[2]}, p[3], p[4]};
  }
  return planes;
}

// A body of particles that several Python threads may hold: one of them works on it at a time.
template <class Body>
class SharedBody {
 public:
  template <class... Arguments>
  explicit SharedBody(Arguments&&... arguments) : body_(std::forward<Arguments>(arguments)...) {}

  py::array_t<double> positions() { return copy_out(body_.positions); }
  py::array_t<double> velocities() { return copy_out(body_.velocities); }
  void set_positions(const py::object& o) { copy_in(o, "positions", body_.positions); }
  void set_velocities(const py::object& o) { copy_in(o, "velocities", body_.velocities); }

 protected:
  py::ssize_t size() const { return static_cast<py::ssize_t>(body_.size()); }

  // use(body), while no other thread does and without the GIL.
  template <class Use>
  auto alone(const Use& use) {
    const py::gil_scoped_release release;
    const std::lock_guard<std::mutex> lock(mutex_);
    return use(body_);
  }

 private:
  py::array_t<double> copy_out(const std::vector<Vec3>& from) {
    py::array_t<double> out({size(), py::ssize_t{3}});
    auto* to = reinterpret_cast<Vec3*>(out.mutable_data());
    alone([&](Body&) { std::copy(from.begin(), from.end(), to); });
    return out;
  }

  void copy_in(const py::object& object, const char* name, std::vector<Vec3>& to) {
    const auto values = array_in<double>(object, name, {size(), 3});
    alone([&](Body&) { std::copy(values.vectors().begin(), values.vectors().end(), to.begin()); });
  }

  std::mutex mutex_;
  Body body_;
};

}  // namespace esi
