#include "core/embree.hpp"
#include "core/embree_api.hpp"
#include "tests/check.hpp"

namespace {

// A unit triangle at height 2 over the origin, seen through one instance shifted by +10 in x.
struct Fixture {
  RTCDevice device = rtcNewDevice("threads=1");
  RTCScene inner = rtcNewScene(device);
  RTCScene outer = rtcNewScene(device);

  Fixture() {
    RTCGeometry triangle = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* vertices = static_cast<float*>(rtcSetNewGeometryBuffer(
        triangle, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float), 3));
    const float corners[9] = {0, 0, 2, 1, 0, 2, 0, 1, 2};
    for (int i = 0; i < 9; ++i) vertices[i] = corners[i];
    auto* indices = static_cast<unsigned*>(rtcSetNewGeometryBuffer(
        triangle, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(unsigned), 1));
    for (unsigned i = 0; i < 3; ++i) indices[i] = i;
    rtcCommitGeometry(triangle);
    rtcAttachGeometryByID(inner, triangle, 4);
    rtcReleaseGeometry(triangle);
    rtcCommitScene(inner);

    RTCGeometry instance = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_INSTANCE);
    rtcSetGeometryInstancedScene(instance, inner);
    const float matrix[12] = {1, 0, 0, 10, 0, 1, 0, 0, 0, 0, 1, 0};
    rtcSetGeometryTransform(instance, 0, RTC_FORMAT_FLOAT3X4_ROW_MAJOR, matrix);
    rtcCommitGeometry(instance);
    rtcAttachGeometryByID(outer, instance, 6);
    rtcReleaseGeometry(instance);
    rtcSetSceneFlags(outer, RTC_SCENE_FLAG_ROBUST);
    rtcCommitScene(outer);
  }
  ~Fixture() {
    rtcReleaseScene(outer);
    rtcReleaseScene(inner);
    rtcReleaseDevice(device);
  }
  Fixture(const Fixture&) = delete;
  Fixture& operator=(const Fixture&) = delete;
};

// Fills lane i of a packet of N: up from (10.25, 0.25, 0) for even i, from the origin for odd i,
// which misses.
template <class Packet, int N>
void fill(Packet* ray) {
  for (int i = 0; i < N; ++i) {
    ray->org_x[i] = i % 2 == 0 ? 10.25F : 0.0F;
    ray->org_y[i] = 0.25F;
    ray->org_z[i] = ray->tnear[i] = ray->dir_x[i] = ray->dir_y[i] = ray->time[i] = 0.0F;
    ray->dir_z[i] = 1.0F;
    ray->tfar[i] = 100.0F;
    ray->mask[i] = 0xffffffffU;
    ray->id[i] = static_cast<unsigned>(i);
    ray->flags[i] = 0;
  }
}

template <class RayHit, class Ray, int N, class Intersect, class Occluded>
void check_packet(RTCScene scene, Intersect intersect, Occluded occluded) {
  alignas(64) int valid[N];
  for (int& lane : valid) lane = -1;
  RayHit rays;
  fill<Ray, N>(&rays.ray);
  for (int i = 0; i < N; ++i) {
    rays.hit.geomID[i] = rays.hit.primID[i] = RTC_INVALID_GEOMETRY_ID;
    rays.hit.instID[0][i] = rays.hit.instPrimID[0][i] = RTC_INVALID_GEOMETRY_ID;
  }
  RTCIntersectArguments closest;
  rtcInitIntersectArguments(&closest);
  intersect(valid, scene, &rays, &closest);

  Ray shadow;
  fill<Ray, N>(&shadow);
  RTCOccludedArguments any;
  rtcInitOccludedArguments(&any);
  occluded(valid, scene, &shadow, &any);

  for (int i = 0; i < N; ++i) {
    const bool hit = i % 2 == 0;
    CHECK_EQUAL(rays.hit.geomID[i], hit ? 4U : RTC_INVALID_GEOMETRY_ID);
    CHECK_EQUAL(rays.hit.instID[0][i], hit ? 6U : RTC_INVALID_GEOMETRY_ID);
    CHECK_EQUAL(rays.ray.tfar[i], hit ? 2.0F : 100.0F);
    CHECK_EQUAL(rays.ray.id[i], static_cast<unsigned>(i));
    CHECK_EQUAL(shadow.tfar[i] < 0.0F, hit);
  }
}

}  // namespace

ESI_TEST(the_library_is_the_one_declared) {
  CHECK_EQUAL(esi::embree_version() / 100, RTC_VERSION / 100);
  esi::require_embree();
}

ESI_TEST(a_single_ray_fills_its_hit_and_nothing_beyond) {
  const Fixture scene;
  struct {
    RTCRayHit query;
    unsigned guard[16];
  } memory = {};
  for (unsigned& word : memory.guard) word = 0xa5a5a5a5U;
  RTCRayHit& query = memory.query;
  query.ray = {10.25F, 0.25F, 0, 0, 0, 0, 1, 0, 100.0F, 0xffffffffU, 0, 0};
  query.hit.geomID = query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
  RTCIntersectArguments arguments;
  rtcInitIntersectArguments(&arguments);
  rtcIntersect1(scene.outer, &query, &arguments);

  CHECK_EQUAL(query.ray.tfar, 2.0F);
  CHECK_EQUAL(query.hit.geomID, 4U);
  CHECK_EQUAL(query.hit.primID, 0U);
  CHECK_EQUAL(query.hit.instID[0], 6U);
  CHECK_EQUAL(query.hit.instPrimID[0], 0U);
  CHECK_EQUAL(query.hit.u, 0.25F);
  CHECK_EQUAL(query.hit.v, 0.25F);
  CHECK(query.hit.Ng_z != 0.0F && query.hit.Ng_x == 0.0F);
  for (const unsigned word : memory.guard) CHECK_EQUAL(word, 0xa5a5a5a5U);

  RTCBounds bounds;
  rtcGetSceneBounds(scene.outer, &bounds);
  CHECK_EQUAL(bounds.lower_x, 10.0F);
  CHECK_EQUAL(bounds.upper_x, 11.0F);
  CHECK_EQUAL(bounds.upper_z, 2.0F);
}

ESI_TEST(packets_of_4_8_and_16_agree_with_their_layout) {
  const Fixture scene;
  check_packet<RTCRayHit4, RTCRay4, 4>(scene.outer, rtcIntersect4, rtcOccluded4);
  check_packet<RTCRayHit8, RTCRay8, 8>(scene.outer, rtcIntersect8, rtcOccluded8);
  check_packet<RTCRayHit16, RTCRay16, 16>(scene.outer, rtcIntersect16, rtcOccluded16);
}

ESI_TEST(an_argument_filter_sees_lanes_and_can_reject) {
  const Fixture scene;
  for (RTCScene part : {scene.inner, scene.outer}) {
    rtcSetSceneFlags(part, RTC_SCENE_FLAG_FILTER_FUNCTION_IN_ARGUMENTS);
    rtcCommitScene(part);
  }
  static int calls;
  calls = 0;
  RTCRayHit query = {};
  query.ray = {10.25F, 0.25F, 0, 0, 0, 0, 1, 0, 100.0F, 0xffffffffU, 33, 0};
  query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  RTCIntersectArguments arguments;
  rtcInitIntersectArguments(&arguments);
  arguments.flags = RTC_RAY_QUERY_FLAG_INVOKE_ARGUMENT_FILTER;
  arguments.filter = [](const RTCFilterFunctionNArguments* args) {
    ++calls;
    CHECK_EQUAL(args->N, 1U);
    CHECK_EQUAL(RTCRayN_id(args->ray, args->N, 0), 33U);
    CHECK_EQUAL(RTCHitN_geomID(args->hit, args->N, 0), 4U);
    CHECK_EQUAL(RTCHitN_instID(args->hit, args->N, 0, 0), 6U);
    CHECK_EQUAL(RTCRayN_tfar(args->ray, args->N, 0), 2.0F);
    args->valid[0] = 0;
  };
  rtcIntersect1(scene.outer, &query, &arguments);
  CHECK_EQUAL(calls, 1);
  CHECK_EQUAL(query.hit.geomID, RTC_INVALID_GEOMETRY_ID);
  CHECK_EQUAL(query.ray.tfar, 100.0F);
}

ESI_TEST(user_geometry_is_asked_for_bounds_and_hits) {
  RTCDevice device = rtcNewDevice("threads=1");
  RTCScene scene = rtcNewScene(device);
  RTCGeometry sphere = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
  static float radius;
  radius = 0.5F;
  rtcSetGeometryUserPrimitiveCount(sphere, 3);
  rtcSetGeometryUserData(sphere, &radius);
  rtcSetGeometryBoundsFunction(
      sphere,
      [](const RTCBoundsFunctionArguments* args) {
        const float r = *static_cast<float*>(args->geometryUserPtr);
        const float x = 2.0F * static_cast<float>(args->primID);
        *args->bounds_o = {x - r, -r, -r, 0, x + r, r, r, 0};
      },
      nullptr);
  // Only the fact of being asked is of interest: the callbacks hit wherever the box is entered.
  rtcSetGeometryIntersectFunction(sphere, [](const RTCIntersectFunctionNArguments* args) {
    if (args->valid[0] == 0) return;
    RTCRayN* ray = RTCRayHitN_RayN(args->rayhit, args->N);
    RTCHitN* hit = RTCRayHitN_HitN(args->rayhit, args->N);
    RTCRayN_tfar(ray, args->N, 0) = 1.5F;
    RTCHitN_geomID(hit, args->N, 0) = args->geomID;
    RTCHitN_primID(hit, args->N, 0) = args->primID;
  });
  rtcSetGeometryOccludedFunction(sphere, [](const RTCOccludedFunctionNArguments* args) {
    if (args->valid[0] != 0) RTCRayN_tfar(args->ray, args->N, 0) = -INFINITY;
  });
  rtcCommitGeometry(sphere);
  rtcAttachGeometryByID(scene, sphere, 9);
  rtcReleaseGeometry(sphere);
  rtcCommitScene(scene);

  RTCBounds bounds;
  rtcGetSceneBounds(scene, &bounds);
  CHECK_EQUAL(bounds.lower_x, -0.5F);
  CHECK_EQUAL(bounds.upper_x, 4.5F);

  RTCRayHit query = {};
  query.ray = {2.0F, 0, -2.0F, 0, 0, 0, 1, 0, 100.0F, 0xffffffffU, 0, 0};
  query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  RTCRay shadow = query.ray;
  RTCIntersectArguments closest;
  rtcInitIntersectArguments(&closest);
  rtcIntersect1(scene, &query, &closest);
  CHECK_EQUAL(query.hit.geomID, 9U);
  CHECK_EQUAL(query.hit.primID, 1U);
  CHECK_EQUAL(query.ray.tfar, 1.5F);
  RTCOccludedArguments any;
  rtcInitOccludedArguments(&any);
  rtcOccluded1(scene, &shadow, &any);
  CHECK(shadow.tfar < 0.0F);
  rtcReleaseScene(scene);
  rtcReleaseDevice(device);
}

ESI_TEST(errors_reach_the_callback) {
  RTCDevice device = rtcNewDevice("threads=1");
  static RTCError seen;
  seen = RTC_ERROR_NONE;
  rtcSetDeviceErrorFunction(
      device, [](void*, RTCError code, const char*) { seen = code; }, nullptr);
  RTCGeometry triangle = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
  CHECK_EQUAL(seen, RTC_ERROR_NONE);
  rtcSetGeometryUserPrimitiveCount(triangle, 1);
  CHECK_EQUAL(seen, RTC_ERROR_INVALID_OPERATION);
  rtcReleaseGeometry(triangle);
  CHECK_EQUAL(rtcGetDeviceProperty(device, RTC_DEVICE_PROPERTY_TRIANGLE_GEOMETRY_SUPPORTED), 1);
  CHECK_EQUAL(rtcGetDeviceProperty(device, RTC_DEVICE_PROPERTY_BACKFACE_CULLING_ENABLED), 0);
  rtcReleaseDevice(device);
}
