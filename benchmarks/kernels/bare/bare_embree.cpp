// Bare loops over Embree's C interface on single-precision triangles: what the kernels are measured
// against. No part of the package; no re-check, no ids, no double precision.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "core/embree_api.hpp"
#include "core/parallel.hpp"
#include "core/raycast.hpp"

namespace py = pybind11;

namespace {

template <class T>
using Array = py::array_t<T, py::array::c_style | py::array::forcecast>;

constexpr std::size_t grain = 4096;

void set_ray(RTCRay* ray, const float* origin, const float* direction, float near, float far) {
  ray->org_x = origin[0];
  ray->org_y = origin[1];
  ray->org_z = origin[2];
  ray->dir_x = direction[0];
  ray->dir_y = direction[1];
  ray->dir_z = direction[2];
  ray->tnear = near;
  ray->tfar = far;
  ray->time = 0;
  ray->mask = ~0U;
  ray->id = 0;
  ray->flags = 0;
}

class BareScene {
 public:
  BareScene(bool robust, bool dynamic, int threads)
      : device_(rtcNewDevice(("threads=" + std::to_string(threads)).c_str())),
        scene_(rtcNewScene(device_)) {
    rtcSetSceneFlags(scene_, static_cast<RTCSceneFlags>((robust ? RTC_SCENE_FLAG_ROBUST : 0) |
                                                        (dynamic ? RTC_SCENE_FLAG_DYNAMIC : 0)));
  }
  ~BareScene() {
    rtcReleaseScene(scene_);
    rtcReleaseDevice(device_);
  }
  BareScene(const BareScene&) = delete;
  BareScene& operator=(const BareScene&) = delete;

  void add(const Array<float>& vertices, const Array<std::uint32_t>& faces) {
    RTCGeometry g = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
    std::memcpy(rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 12,
                                        static_cast<std::size_t>(vertices.shape(0))),
                vertices.data(), static_cast<std::size_t>(vertices.nbytes()));
    std::memcpy(rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12,
                                        static_cast<std::size_t>(faces.shape(0))),
                faces.data(), static_cast<std::size_t>(faces.nbytes()));
    rtcCommitGeometry(g);
    rtcAttachGeometry(scene_, g);
    rtcReleaseGeometry(g);
  }

  void commit() {
    const py::gil_scoped_release release;
    rtcCommitScene(scene_);
  }

  // Whether the middle of each segment start[i] to end[i] is blocked.
  py::array_t<bool> occluded(const Array<float>& starts, const Array<float>& ends, int threads) {
    const std::size_t n = static_cast<std::size_t>(starts.shape(0));
    py::array_t<bool> blocked(starts.shape(0));
    bool* out = blocked.mutable_data();
    const float *a = starts.data(), *b = ends.data();
    {
      const py::gil_scoped_release release;
      esi::parallel_for(n, grain, threads, [&](std::size_t first, std::size_t last) {
        const esi::FlushDenormals flush;
        RTCOccludedArguments args;
        rtcInitOccludedArguments(&args);
        for (std::size_t i = first; i < last; ++i) {
          const float *p = a + 3 * i, *q = b + 3 * i;
          const float d[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
          RTCRay ray;
          set_ray(&ray, p, d, 1e-4F, 1 - 1e-4F);
          rtcOccluded1(scene_, &ray, &args);
          out[i] = ray.tfar < 0;
        }
      });
    }
    return blocked;
  }

  // Distance to the first hit in units of the direction, infinity where there is none.
  py::array_t<float> closest(const Array<float>& origins, const Array<float>& directions,
                             int threads) {
    const std::size_t n = static_cast<std::size_t>(origins.shape(0));
    py::array_t<float> distance(origins.shape(0));
    float* out = distance.mutable_data();
    const float *o = origins.data(), *d = directions.data();
    {
      const py::gil_scoped_release release;
      esi::parallel_for(n, grain, threads, [&](std::size_t first, std::size_t last) {
        const esi::FlushDenormals flush;
        RTCIntersectArguments args;
        rtcInitIntersectArguments(&args);
        for (std::size_t i = first; i < last; ++i) {
          RTCRayHit hit;
          set_ray(&hit.ray, o + 3 * i, d + 3 * i, 0, std::numeric_limits<float>::infinity());
          hit.hit.geomID = hit.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
          rtcIntersect1(scene_, &hit, &args);
          out[i] = hit.ray.tfar;
        }
      });
    }
    return distance;
  }

  // The same with packets of 16 neighbours, flagged as coherent.
  py::array_t<float> closest16(const Array<float>& origins, const Array<float>& directions,
                               int threads) {
    const std::size_t n = static_cast<std::size_t>(origins.shape(0)) / 16 * 16;
    py::array_t<float> distance(origins.shape(0));
    float* out = distance.mutable_data();
    const float *o = origins.data(), *d = directions.data();
    {
      const py::gil_scoped_release release;
      esi::parallel_for(n, grain, threads, [&](std::size_t first, std::size_t last) {
        const esi::FlushDenormals flush;
        RTCIntersectArguments args;
        rtcInitIntersectArguments(&args);
        args.flags = RTC_RAY_QUERY_FLAG_COHERENT;
        alignas(64) int valid[16];
        for (int& lane : valid) lane = -1;
        RTCRayHit16 hit;
        for (std::size_t i = first; i < last; i += 16) {
          for (std::size_t k = 0; k < 16; ++k) {
            const float *p = o + 3 * (i + k), *q = d + 3 * (i + k);
            hit.ray.org_x[k] = p[0];
            hit.ray.org_y[k] = p[1];
            hit.ray.org_z[k] = p[2];
            hit.ray.dir_x[k] = q[0];
            hit.ray.dir_y[k] = q[1];
            hit.ray.dir_z[k] = q[2];
            hit.ray.tnear[k] = hit.ray.time[k] = 0;
            hit.ray.tfar[k] = std::numeric_limits<float>::infinity();
            hit.ray.mask[k] = ~0U;
            hit.ray.id[k] = hit.ray.flags[k] = 0;
            hit.hit.geomID[k] = hit.hit.instID[0][k] = RTC_INVALID_GEOMETRY_ID;
          }
          rtcIntersect16(valid, scene_, &hit, &args);
          for (std::size_t k = 0; k < 16; ++k) out[i + k] = hit.ray.tfar[k];
        }
      });
    }
    return distance;
  }

 private:
  RTCDevice device_;
  RTCScene scene_;
};

}  // namespace

PYBIND11_MODULE(bare_embree, m) {
  m.doc() = "Bare Embree loops: the limits that the benchmarks compare with.";
  py::class_<BareScene>(m, "BareScene")
      .def(py::init<bool, bool, int>(), py::kw_only(), py::arg("robust"),
           py::arg("dynamic") = false, py::arg("threads") = 0)
      .def("add", &BareScene::add)
      .def("commit", &BareScene::commit)
      .def("occluded", &BareScene::occluded, py::arg("starts"), py::arg("ends"), py::kw_only(),
           py::arg("threads"))
      .def("closest", &BareScene::closest, py::arg("origins"), py::arg("directions"), py::kw_only(),
           py::arg("threads"))
      .def("closest16", &BareScene::closest16, py::arg("origins"), py::arg("directions"),
           py::kw_only(), py::arg("threads"));
}
