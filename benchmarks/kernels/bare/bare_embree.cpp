// Bare loops over Embree's C interface on single-precision triangles: what the kernels are measured
// against. No part of the package; no re-check, no ids, no double precision.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <algorithm>
#include <cmath>
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

  // A picture by single rays: colour (square root for a transfer curve), depth, geometry ids.
  // `camera` holds the eye and the rows right, up, forward; lights are (L, 3) points of colour
  // `power`; the geometry `mirror` reflects 92 % up to four times.
  py::tuple picture(int width, int height, float focal, const Array<float>& camera,
                    const Array<float>& lights, float power, float ambient, unsigned mirror,
                    const Array<float>& albedo, int threads) {
    py::array_t<std::uint8_t> rgb({height, width, 3});
    py::array_t<float> depth({height, width});
    py::array_t<std::int32_t> ids({height, width});
    std::uint8_t* colors = rgb.mutable_data();
    float* depths = depth.mutable_data();
    std::int32_t* names = ids.mutable_data();
    const float *c = camera.data(), *l = lights.data(), *a = albedo.data();
    const auto light_count = static_cast<int>(lights.shape(0));
    const int across = (width + 15) / 16, down = (height + 15) / 16;
    const py::gil_scoped_release release;
    esi::parallel_for(
        static_cast<std::size_t>(across * down), 1, threads,
        [&](std::size_t first, std::size_t last) {
          const esi::FlushDenormals flush;
          for (std::size_t tile = first; tile < last; ++tile) {
            const int x0 = static_cast<int>(tile) % across * 16,
                      y0 = static_cast<int>(tile) / across * 16;
            for (int y = y0; y < std::min(height, y0 + 16); ++y) {
              for (int x = x0; x < std::min(width, x0 + 16); ++x) {
                const float u =
                    (static_cast<float>(x) + 0.5F - 0.5F * static_cast<float>(width)) / focal;
                const float v =
                    (0.5F * static_cast<float>(height) - static_cast<float>(y) - 0.5F) / focal;
                float o[3], d[3];
                for (int k = 0; k < 3; ++k) {
                  o[k] = c[k];
                  d[k] = c[3 + k] * u + c[6 + k] * v + c[9 + k];
                }
                const std::size_t at = static_cast<std::size_t>(y * width + x);
                depths[at] = std::numeric_limits<float>::infinity();
                names[at] = -1;
                float light[3] = {0, 0, 0}, weight = 1;
                for (int bounce = 0; bounce <= 4; ++bounce) {
                  RTCIntersectArguments args;
                  rtcInitIntersectArguments(&args);
                  if (bounce == 0) args.flags = RTC_RAY_QUERY_FLAG_COHERENT;
                  RTCRayHit hit;
                  set_ray(&hit.ray, o, d, 1e-4F, std::numeric_limits<float>::infinity());
                  hit.hit.geomID = hit.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
                  rtcIntersect1(scene_, &hit, &args);
                  if (hit.hit.geomID == RTC_INVALID_GEOMETRY_ID) break;
                  if (bounce == 0) {
                    depths[at] = hit.ray.tfar;
                    names[at] = static_cast<std::int32_t>(hit.hit.geomID);
                  }
                  float n[3] = {hit.hit.Ng_x, hit.hit.Ng_y, hit.hit.Ng_z};
                  const float size = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
                  float facing = (n[0] * d[0] + n[1] * d[1] + n[2] * d[2]) / size;
                  const float sign = facing > 0 ? -1.0F / size : 1.0F / size;
                  facing = -std::fabs(facing);
                  for (int k = 0; k < 3; ++k) {
                    n[k] *= sign;
                    o[k] += hit.ray.tfar * d[k] + 1e-4F * n[k];
                  }
                  if (hit.hit.geomID == mirror && bounce < 4) {
                    for (int k = 0; k < 3; ++k) d[k] -= 2 * facing * n[k];
                    weight *= 0.92F;
                    continue;
                  }
                  float sum = ambient;
                  for (int i = 0; i < light_count; ++i) {
                    const float* p = l + 3 * i;
                    const float w[3] = {p[0] - o[0], p[1] - o[1], p[2] - o[2]};
                    const float d2 = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
                    const float cosine = (w[0] * n[0] + w[1] * n[1] + w[2] * n[2]) / std::sqrt(d2);
                    if (cosine <= 0) continue;
                    RTCRay shadow;
                    set_ray(&shadow, o, w, 0, 0.9999F);
                    rtcOccluded1(scene_, &shadow, nullptr);
                    if (shadow.tfar >= 0) sum += power * cosine / d2;
                  }
                  for (int k = 0; k < 3; ++k) light[k] = weight * sum * a[3 * hit.hit.geomID + k];
                  break;
                }
                for (int k = 0; k < 3; ++k) {
                  colors[3 * at + k] =
                      static_cast<std::uint8_t>(std::min(255.0F, 255 * std::sqrt(light[k])));
                }
              }
            }
          }
        });
    const py::gil_scoped_acquire acquire;
    return py::make_tuple(rgb, depth, ids);
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
           py::kw_only(), py::arg("threads"))
      .def("picture", &BareScene::picture, py::arg("width"), py::arg("height"), py::kw_only(),
           py::arg("focal"), py::arg("camera"), py::arg("lights"), py::arg("power"),
           py::arg("ambient"), py::arg("mirror"), py::arg("albedo"), py::arg("threads"));
}
