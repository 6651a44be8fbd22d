#include <pybind11/typing.h>

#include <memory>
#include <vector>

#include "bindings/rays_in.hpp"
#include "core/raycast.hpp"

namespace py = pybind11;
using esi::Hit;
using esi::Scene;
using esi::Vec3;

namespace {

using Doubles = py::array_t<double>;
using Ints = py::array_t<std::int32_t>;
// In the order of the fields of raycast.Hits and raycast.AllHits.
using HitsOut = py::typing::Tuple<py::array_t<bool>, Doubles, Ints, Ints, Ints, Doubles, Doubles,
                                  py::array_t<std::uint8_t>>;
using AllHitsOut = py::typing::Tuple<py::array_t<std::int64_t>, Doubles, Ints, Ints, Ints>;

// The arguments of one batch, converted and checked.
struct Batch {
  esi::ArrayIn<double> origins, directions;
  esi::LimitsIn tmin, tmax;
  esi::RayRows rays;
  esi::IgnoreIn ignore;
  int threads;

  Batch(const Scene& scene, const py::object& origins_object, const py::object& directions_object,
        const py::object& tmin_object, const py::object& tmax_object,
        const py::object& ignore_object, int requested)
      : origins(esi::array_in<double>(origins_object, "origins", {"N", 3}, esi::Finite::any)),
        directions(
            esi::array_in<double>(directions_object, "directions", {"N", 3}, esi::Finite::any)),
        tmin(tmin_object, "tmin"),
        tmax(tmax_object, "tmax"),
        rays{esi::broadcast_rows(origins, directions, tmin, tmax), esi::vector_rows(origins),
             esi::vector_rows(directions), tmin.view(), tmax.view()},
        ignore(ignore_object, rays.count),
        threads(requested == 0 ? scene.threads() : requested) {}

  py::ssize_t count() const { return static_cast<py::ssize_t>(rays.count); }
};

HitsOut closest(Scene& scene, const py::object& origins, const py::object& directions,
                const py::object& tmin, const py::object& tmax, const py::object& ignore,
                int threads) {
  const Batch batch(scene, origins, directions, tmin, tmax, ignore, threads);
  const py::ssize_t n = batch.count();
  py::array_t<bool> hit(n);
  py::array_t<double> distance(n), barycentric({n, py::ssize_t{3}}), normal({n, py::ssize_t{3}});
  py::array_t<std::int32_t> instance(n), object_id(n), face(n);
  py::array_t<std::uint8_t> status(n);
  {
    bool* hit_out = hit.mutable_data();
    double* distance_out = distance.mutable_data();
    auto* weights_out = reinterpret_cast<Vec3*>(barycentric.mutable_data());
    auto* normal_out = reinterpret_cast<Vec3*>(normal.mutable_data());
    std::int32_t* instance_out = instance.mutable_data();
    std::int32_t* object_out = object_id.mutable_data();
    std::int32_t* face_out = face.mutable_data();
    std::uint8_t* status_out = status.mutable_data();
    const py::gil_scoped_release release;
    const auto count = static_cast<std::size_t>(n);
    std::vector<Hit> hits(count);
    const std::unique_ptr<bool[]> valid(new bool[count]);
    const esi::SceneView view = scene.view();
    esi::closest_hits(view, batch.rays, batch.ignore.rows(), batch.threads, hits.data(),
                      valid.get());
    for (std::size_t i = 0; i < count; ++i) {
      const Hit& h = hits[i];
      const bool found = static_cast<bool>(h);
      hit_out[i] = found;
      distance_out[i] = h.t;
      instance_out[i] = h.instance;
      object_out[i] = found ? view.instance(h.instance).object_id : -1;
      face_out[i] = h.face;
      weights_out[i] = found ? Vec3{1 - h.u - h.v, h.u, h.v} : Vec3{};
      normal_out[i] = found ? esi::face_normal(view.instance(h.instance), h.face) : Vec3{};
      status_out[i] = valid[i] ? 0 : 1;
    }
  }
  return py::make_tuple(hit, distance, instance, object_id, face, barycentric, normal, status);
}

py::array_t<bool> any(Scene& scene, const py::object& origins, const py::object& directions,
                      const py::object& tmin, const py::object& tmax, const py::object& ignore,
                      int threads) {
  const Batch batch(scene, origins, directions, tmin, tmax, ignore, threads);
  py::array_t<bool> hit(batch.count());
  bool* out = hit.mutable_data();
  {
    const py::gil_scoped_release release;
    const esi::SceneView view = scene.view();
    esi::any_hits(view, batch.rays, batch.ignore.rows(), batch.threads, out);
  }
  return hit;
}

AllHitsOut all(Scene& scene, const py::object& origins, const py::object& directions,
               const py::object& tmin, const py::object& tmax, const py::object& ignore,
               int threads) {
  const Batch batch(scene, origins, directions, tmin, tmax, ignore, threads);
  py::array_t<std::int64_t> offsets(batch.count() + 1);
  std::int64_t* offsets_out = offsets.mutable_data();
  std::vector<Hit> hits;
  std::vector<std::int32_t> objects;
  {
    const py::gil_scoped_release release;
    const esi::SceneView view = scene.view();
    esi::all_hits(view, batch.rays, batch.ignore.rows(), batch.threads, &hits, offsets_out);
    objects.reserve(hits.size());
    for (const Hit& h : hits) objects.push_back(view.instance(h.instance).object_id);
  }
  const auto total = static_cast<py::ssize_t>(hits.size());
  py::array_t<double> distance(total);
  py::array_t<std::int32_t> instance(total), object_id(total, objects.data()), face(total);
  for (std::size_t i = 0; i < hits.size(); ++i) {
    distance.mutable_data()[i] = hits[i].t;
    instance.mutable_data()[i] = hits[i].instance;
    face.mutable_data()[i] = hits[i].face;
  }
  return py::make_tuple(offsets, distance, instance, object_id, face);
}

template <class Function>
void def_query(py::module_& m, const char* name, Function function) {
  m.def(name, function, py::arg("scene"), py::arg("origins"), py::arg("directions"),
        py::arg("tmin"), py::arg("tmax"), py::arg("ignore"), py::arg("threads"));
}

}  // namespace

void register_raycast(py::module_& m) {
  m.doc() = "Exact rays: closest, any and all hits.";
  def_query(m, "closest", &closest);
  def_query(m, "any", &any);
  def_query(m, "all", &all);
  m.def("recheck_count", &esi::recheck_count);
  m.def("reset_recheck_count", &esi::reset_recheck_count);
  m.def("set_recheck", &esi::set_recheck, py::arg("enabled"),
        "For tests of the tests: False leaves single precision's doubtful answers as they are.");
}
