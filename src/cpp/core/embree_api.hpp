// The part of Embree 4's C interface that this project calls.
//
// The library comes from a wheel without headers (see cmake/Embree.cmake), so the names, constants
// and layouts are declared here. They hold for builds with instance arrays, as in 4.4: a hit has an
// instPrimID, a ray with its hit is 96 bytes. With a system Embree its own header is used.
#pragma once

#ifdef ESI_SYSTEM_EMBREE

#include <embree4/rtcore.h>

#else

#include <sys/types.h>

#include <cstddef>

#define RTC_VERSION 40400
#define RTC_INVALID_GEOMETRY_ID (static_cast<unsigned>(-1))
#define RTC_MAX_INSTANCE_LEVEL_COUNT 1
#define RTC_GEOMETRY_INSTANCE_ARRAY

using RTCDevice = struct RTCDeviceTy*;
using RTCScene = struct RTCSceneTy*;
using RTCGeometry = struct RTCGeometryTy*;
using RTCBuffer = struct RTCBufferTy*;

enum RTCFormat {
  RTC_FORMAT_UNDEFINED = 0,
  RTC_FORMAT_UINT = 0x5001,
  RTC_FORMAT_UINT2 = 0x5002,
  RTC_FORMAT_UINT3 = 0x5003,
  RTC_FORMAT_UINT4 = 0x5004,
  RTC_FORMAT_FLOAT = 0x9001,
  RTC_FORMAT_FLOAT2 = 0x9002,
  RTC_FORMAT_FLOAT3 = 0x9003,
  RTC_FORMAT_FLOAT4 = 0x9004,
  RTC_FORMAT_FLOAT3X4_ROW_MAJOR = 0x9134,
  RTC_FORMAT_FLOAT4X4_ROW_MAJOR = 0x9144,
  RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR = 0x9234,
  RTC_FORMAT_FLOAT4X4_COLUMN_MAJOR = 0x9244,
};

enum RTCBuildQuality {
  RTC_BUILD_QUALITY_LOW = 0,
  RTC_BUILD_QUALITY_MEDIUM = 1,
  RTC_BUILD_QUALITY_HIGH = 2,
  RTC_BUILD_QUALITY_REFIT = 3,
};

enum RTCSceneFlags {
  RTC_SCENE_FLAG_NONE = 0,
  RTC_SCENE_FLAG_DYNAMIC = 0x1,
  RTC_SCENE_FLAG_COMPACT = 0x2,
  RTC_SCENE_FLAG_ROBUST = 0x4,
  RTC_SCENE_FLAG_FILTER_FUNCTION_IN_ARGUMENTS = 0x8,
};

enum RTCBufferType {
  RTC_BUFFER_TYPE_INDEX = 0,
  RTC_BUFFER_TYPE_VERTEX = 1,
  RTC_BUFFER_TYPE_VERTEX_ATTRIBUTE = 2,
};

enum RTCGeometryType {
  RTC_GEOMETRY_TYPE_TRIANGLE = 0,
  RTC_GEOMETRY_TYPE_QUAD = 1,
  RTC_GEOMETRY_TYPE_USER = 120,
  RTC_GEOMETRY_TYPE_INSTANCE = 121,
};

enum RTCDeviceProperty {
  RTC_DEVICE_PROPERTY_VERSION = 0,
  RTC_DEVICE_PROPERTY_VERSION_MAJOR = 1,
  RTC_DEVICE_PROPERTY_VERSION_MINOR = 2,
  RTC_DEVICE_PROPERTY_VERSION_PATCH = 3,
  RTC_DEVICE_PROPERTY_NATIVE_RAY4_SUPPORTED = 32,
  RTC_DEVICE_PROPERTY_NATIVE_RAY8_SUPPORTED = 33,
  RTC_DEVICE_PROPERTY_NATIVE_RAY16_SUPPORTED = 34,
  RTC_DEVICE_PROPERTY_RAY_MASK_SUPPORTED = 64,
  RTC_DEVICE_PROPERTY_BACKFACE_CULLING_ENABLED = 65,
  RTC_DEVICE_PROPERTY_FILTER_FUNCTION_SUPPORTED = 66,
  RTC_DEVICE_PROPERTY_IGNORE_INVALID_RAYS_ENABLED = 67,
  RTC_DEVICE_PROPERTY_TRIANGLE_GEOMETRY_SUPPORTED = 96,
  RTC_DEVICE_PROPERTY_USER_GEOMETRY_SUPPORTED = 100,
};

enum RTCError {
  RTC_ERROR_NONE = 0,
  RTC_ERROR_UNKNOWN = 1,
  RTC_ERROR_INVALID_ARGUMENT = 2,
  RTC_ERROR_INVALID_OPERATION = 3,
  RTC_ERROR_OUT_OF_MEMORY = 4,
  RTC_ERROR_UNSUPPORTED_CPU = 5,
  RTC_ERROR_CANCELLED = 6,
};

enum RTCRayQueryFlags {
  RTC_RAY_QUERY_FLAG_NONE = 0,
  RTC_RAY_QUERY_FLAG_INVOKE_ARGUMENT_FILTER = 0x2,
  RTC_RAY_QUERY_FLAG_INCOHERENT = 0,
  RTC_RAY_QUERY_FLAG_COHERENT = 0x10000,
};

enum RTCFeatureFlags : unsigned {
  RTC_FEATURE_FLAG_NONE = 0,
  RTC_FEATURE_FLAG_ALL = 0xffffffffU,
};

struct alignas(16) RTCBounds {
  float lower_x, lower_y, lower_z, align0;
  float upper_x, upper_y, upper_z, align1;
};

struct alignas(16) RTCRay {
  float org_x, org_y, org_z;
  float tnear;
  float dir_x, dir_y, dir_z;
  float time;
  float tfar;
  unsigned mask;
  unsigned id;
  unsigned flags;
};

struct alignas(16) RTCHit {
  float Ng_x, Ng_y, Ng_z;
  float u, v;
  unsigned primID;
  unsigned geomID;
  unsigned instID[RTC_MAX_INSTANCE_LEVEL_COUNT];
  unsigned instPrimID[RTC_MAX_INSTANCE_LEVEL_COUNT];
};

struct RTCRayHit {
  RTCRay ray;
  RTCHit hit;
};

static_assert(sizeof(RTCBounds) == 32 && alignof(RTCBounds) == 16);
static_assert(sizeof(RTCRay) == 48 && alignof(RTCRay) == 16);
static_assert(offsetof(RTCRay, tfar) == 32 && offsetof(RTCRay, flags) == 44);
static_assert(sizeof(RTCHit) == 48 && offsetof(RTCHit, instPrimID) == 32);
static_assert(sizeof(RTCRayHit) == 96 && alignof(RTCRayHit) == 16);
static_assert(offsetof(RTCRayHit, hit) == 48);

// Packets hold each field as an array of N, aligned to its size.
#define ESI_RTC_PACKET(N)                                                    \
  struct alignas(4 * N) RTCRay##N {                                          \
    float org_x[N], org_y[N], org_z[N], tnear[N];                            \
    float dir_x[N], dir_y[N], dir_z[N], time[N];                             \
    float tfar[N];                                                           \
    unsigned mask[N], id[N], flags[N];                                       \
  };                                                                         \
  struct alignas(4 * N) RTCHit##N {                                          \
    float Ng_x[N], Ng_y[N], Ng_z[N], u[N], v[N];                             \
    unsigned primID[N], geomID[N];                                           \
    unsigned instID[RTC_MAX_INSTANCE_LEVEL_COUNT][N];                        \
    unsigned instPrimID[RTC_MAX_INSTANCE_LEVEL_COUNT][N];                    \
  };                                                                         \
  struct RTCRayHit##N {                                                      \
    RTCRay##N ray;                                                           \
    RTCHit##N hit;                                                           \
  };                                                                         \
  static_assert(sizeof(RTCRay##N) == 48 * N && sizeof(RTCHit##N) == 36 * N); \
  static_assert(sizeof(RTCRayHit##N) == 84 * N && alignof(RTCRayHit##N) == 4 * N);

ESI_RTC_PACKET(4)
ESI_RTC_PACKET(8)
ESI_RTC_PACKET(16)
#undef ESI_RTC_PACKET

struct RTCRayQueryContext {
  unsigned instID[RTC_MAX_INSTANCE_LEVEL_COUNT];
  unsigned instPrimID[RTC_MAX_INSTANCE_LEVEL_COUNT];
};

inline void rtcInitRayQueryContext(RTCRayQueryContext* context) {
  context->instID[0] = RTC_INVALID_GEOMETRY_ID;
  context->instPrimID[0] = RTC_INVALID_GEOMETRY_ID;
}

// Rays and hits as callbacks see them: N lanes, N known only at run time.
struct RTCRayN;
struct RTCHitN;
struct RTCRayHitN;

#define ESI_RTC_LANE(Owner, field, type, index)                        \
  inline type& Owner##_##field(Owner* owner, unsigned N, unsigned i) { \
    return reinterpret_cast<type*>(owner)[(index) * N + i];            \
  }
ESI_RTC_LANE(RTCRayN, org_x, float, 0)
ESI_RTC_LANE(RTCRayN, org_y, float, 1)
ESI_RTC_LANE(RTCRayN, org_z, float, 2)
ESI_RTC_LANE(RTCRayN, tnear, float, 3)
ESI_RTC_LANE(RTCRayN, dir_x, float, 4)
ESI_RTC_LANE(RTCRayN, dir_y, float, 5)
ESI_RTC_LANE(RTCRayN, dir_z, float, 6)
ESI_RTC_LANE(RTCRayN, time, float, 7)
ESI_RTC_LANE(RTCRayN, tfar, float, 8)
ESI_RTC_LANE(RTCRayN, mask, unsigned, 9)
ESI_RTC_LANE(RTCRayN, id, unsigned, 10)
ESI_RTC_LANE(RTCRayN, flags, unsigned, 11)
ESI_RTC_LANE(RTCHitN, Ng_x, float, 0)
ESI_RTC_LANE(RTCHitN, Ng_y, float, 1)
ESI_RTC_LANE(RTCHitN, Ng_z, float, 2)
ESI_RTC_LANE(RTCHitN, u, float, 3)
ESI_RTC_LANE(RTCHitN, v, float, 4)
ESI_RTC_LANE(RTCHitN, primID, unsigned, 5)
ESI_RTC_LANE(RTCHitN, geomID, unsigned, 6)
#undef ESI_RTC_LANE

inline unsigned& RTCHitN_instID(RTCHitN* hit, unsigned N, unsigned i, unsigned level) {
  return reinterpret_cast<unsigned*>(hit)[(7 + level) * N + i];
}
inline RTCRayN* RTCRayHitN_RayN(RTCRayHitN* rayhit, unsigned /*N*/) {
  return reinterpret_cast<RTCRayN*>(rayhit);
}
inline RTCHitN* RTCRayHitN_HitN(RTCRayHitN* rayhit, unsigned N) {
  return reinterpret_cast<RTCHitN*>(reinterpret_cast<float*>(rayhit) + 12 * N);
}

struct RTCFilterFunctionNArguments {
  int* valid;
  void* geometryUserPtr;
  RTCRayQueryContext* context;
  RTCRayN* ray;
  RTCHitN* hit;
  unsigned N;
};

struct RTCBoundsFunctionArguments {
  void* geometryUserPtr;
  unsigned primID;
  unsigned timeStep;
  RTCBounds* bounds_o;
};

struct RTCIntersectFunctionNArguments {
  int* valid;
  void* geometryUserPtr;
  unsigned primID;
  RTCRayQueryContext* context;
  RTCRayHitN* rayhit;
  unsigned N;
  unsigned geomID;
};

struct RTCOccludedFunctionNArguments {
  int* valid;
  void* geometryUserPtr;
  unsigned primID;
  RTCRayQueryContext* context;
  RTCRayN* ray;
  unsigned N;
  unsigned geomID;
};

extern "C" {
using RTCErrorFunction = void (*)(void* userPtr, RTCError code, const char* str);
using RTCFilterFunctionN = void (*)(const RTCFilterFunctionNArguments* args);
using RTCBoundsFunction = void (*)(const RTCBoundsFunctionArguments* args);
using RTCIntersectFunctionN = void (*)(const RTCIntersectFunctionNArguments* args);
using RTCOccludedFunctionN = void (*)(const RTCOccludedFunctionNArguments* args);
}

struct RTCIntersectArguments {
  RTCRayQueryFlags flags;
  RTCFeatureFlags feature_mask;
  RTCRayQueryContext* context;
  RTCFilterFunctionN filter;
  RTCIntersectFunctionN intersect;
};

struct RTCOccludedArguments {
  RTCRayQueryFlags flags;
  RTCFeatureFlags feature_mask;
  RTCRayQueryContext* context;
  RTCFilterFunctionN filter;
  RTCOccludedFunctionN occluded;
};

static_assert(sizeof(RTCRayQueryContext) == 8);
static_assert(sizeof(RTCFilterFunctionNArguments) == 48);
static_assert(sizeof(RTCBoundsFunctionArguments) == 24);
static_assert(sizeof(RTCIntersectFunctionNArguments) == 48);
static_assert(sizeof(RTCOccludedFunctionNArguments) == 48);
static_assert(sizeof(RTCIntersectArguments) == 32 && sizeof(RTCOccludedArguments) == 32);

inline void rtcInitIntersectArguments(RTCIntersectArguments* args) {
  *args = {RTC_RAY_QUERY_FLAG_INCOHERENT, RTC_FEATURE_FLAG_ALL, nullptr, nullptr, nullptr};
}
inline void rtcInitOccludedArguments(RTCOccludedArguments* args) {
  *args = {RTC_RAY_QUERY_FLAG_INCOHERENT, RTC_FEATURE_FLAG_ALL, nullptr, nullptr, nullptr};
}

extern "C" {
// device
RTCDevice rtcNewDevice(const char* config);
void rtcRetainDevice(RTCDevice device);
void rtcReleaseDevice(RTCDevice device);
ssize_t rtcGetDeviceProperty(RTCDevice device, RTCDeviceProperty property);
RTCError rtcGetDeviceError(RTCDevice device);
void rtcSetDeviceErrorFunction(RTCDevice device, RTCErrorFunction error, void* userPtr);

// scene
RTCScene rtcNewScene(RTCDevice device);
void rtcRetainScene(RTCScene scene);
void rtcReleaseScene(RTCScene scene);
unsigned rtcAttachGeometry(RTCScene scene, RTCGeometry geometry);
void rtcAttachGeometryByID(RTCScene scene, RTCGeometry geometry, unsigned geomID);
void rtcDetachGeometry(RTCScene scene, unsigned geomID);
RTCGeometry rtcGetGeometry(RTCScene scene, unsigned geomID);
void rtcCommitScene(RTCScene scene);
void rtcJoinCommitScene(RTCScene scene);
void rtcSetSceneBuildQuality(RTCScene scene, RTCBuildQuality quality);
void rtcSetSceneFlags(RTCScene scene, RTCSceneFlags flags);
RTCSceneFlags rtcGetSceneFlags(RTCScene scene);
void rtcGetSceneBounds(RTCScene scene, RTCBounds* bounds_o);

// geometry
RTCGeometry rtcNewGeometry(RTCDevice device, RTCGeometryType type);
void rtcRetainGeometry(RTCGeometry geometry);
void rtcReleaseGeometry(RTCGeometry geometry);
void rtcCommitGeometry(RTCGeometry geometry);
void rtcEnableGeometry(RTCGeometry geometry);
void rtcDisableGeometry(RTCGeometry geometry);
void rtcSetGeometryMask(RTCGeometry geometry, unsigned mask);
void rtcSetGeometryBuildQuality(RTCGeometry geometry, RTCBuildQuality quality);
void rtcSetSharedGeometryBuffer(RTCGeometry geometry, RTCBufferType type, unsigned slot,
                                RTCFormat format, const void* ptr, size_t byteOffset,
                                size_t byteStride, size_t itemCount);
void* rtcSetNewGeometryBuffer(RTCGeometry geometry, RTCBufferType type, unsigned slot,
                              RTCFormat format, size_t byteStride, size_t itemCount);
void* rtcGetGeometryBufferData(RTCGeometry geometry, RTCBufferType type, unsigned slot);
void rtcUpdateGeometryBuffer(RTCGeometry geometry, RTCBufferType type, unsigned slot);
void rtcSetGeometryUserData(RTCGeometry geometry, void* ptr);
void* rtcGetGeometryUserData(RTCGeometry geometry);
void rtcSetGeometryIntersectFilterFunction(RTCGeometry geometry, RTCFilterFunctionN filter);
void rtcSetGeometryOccludedFilterFunction(RTCGeometry geometry, RTCFilterFunctionN filter);
void rtcSetGeometryEnableFilterFunctionFromArguments(RTCGeometry geometry, bool enable);
void rtcSetGeometryUserPrimitiveCount(RTCGeometry geometry, unsigned userPrimitiveCount);
void rtcSetGeometryBoundsFunction(RTCGeometry geometry, RTCBoundsFunction bounds, void* userPtr);
void rtcSetGeometryIntersectFunction(RTCGeometry geometry, RTCIntersectFunctionN intersect);
void rtcSetGeometryOccludedFunction(RTCGeometry geometry, RTCOccludedFunctionN occluded);
void rtcSetGeometryInstancedScene(RTCGeometry geometry, RTCScene scene);
void rtcSetGeometryTransform(RTCGeometry geometry, unsigned timeStep, RTCFormat format,
                             const void* xfm);

// queries; valid: -1 for a lane in use, 0 for one that is not
void rtcIntersect1(RTCScene scene, RTCRayHit* rayhit, RTCIntersectArguments* args);
void rtcIntersect4(const int* valid, RTCScene scene, RTCRayHit4* rayhit,
                   RTCIntersectArguments* args);
void rtcIntersect8(const int* valid, RTCScene scene, RTCRayHit8* rayhit,
                   RTCIntersectArguments* args);
void rtcIntersect16(const int* valid, RTCScene scene, RTCRayHit16* rayhit,
                    RTCIntersectArguments* args);
void rtcOccluded1(RTCScene scene, RTCRay* ray, RTCOccludedArguments* args);
void rtcOccluded4(const int* valid, RTCScene scene, RTCRay4* ray, RTCOccludedArguments* args);
void rtcOccluded8(const int* valid, RTCScene scene, RTCRay8* ray, RTCOccludedArguments* args);
void rtcOccluded16(const int* valid, RTCScene scene, RTCRay16* ray, RTCOccludedArguments* args);
}

#endif
