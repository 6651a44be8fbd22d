#include "core/raycast.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <tuple>

#include "core/parallel.hpp"
#include "core/triangle.hpp"

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#define ESI_X86
#endif

namespace esi {
namespace {

constexpr float roundoff = 0x1p-24F;
constexpr std::size_t rays_per_piece = 4096;

std::atomic<std::uint64_t> rechecks{0};
std::atomic<bool> recheck_enabled{true};

// What Embree hands through to the callbacks: the ray in double precision and what is sought.
struct Query : RTCRayQueryContext {
  const Ray* ray;
  Ignore ignore;
  // The single-precision ray has a direction of about unit length, whatever the given one's: its t
  // is the given one's times `unit`, less `shift`.
  double unit = 1;
  double shift = 0;
  // Of a ray from very far away: its stretch near the scene, which starts at t = lift.
  Ray stretch;
  double lift = 0;
  // Rounding error of the single-precision test per unit of the edges' reach (squared for the
  // last two).
  float side, determinant, distance;
  Hit best;
  std::vector<Hit>* all = nullptr;

  bool ignores(std::int32_t object_id) const {
    for (const std::int32_t id : ignore) {
      if (id == object_id) return true;
    }
    return false;
  }
};

bool exact_hit(const Instance& instance, std::int32_t face, const Query& query, Hit* hit) {
  const Ray& ray = *query.ray;
  const auto corners = instance.triangle(face);
  TriangleHit found;
  if (!meets(ray.origin, ray.direction, corners[0], corners[1], corners[2], &found)) {
    return false;
  }
  found.t += query.lift;
  if (!(found.t >= ray.near && found.t <= ray.far)) return false;
  *hit = {found.t, instance.id, face, found.u, found.v};
  return true;
}

// Counts an undecided pair. False when the tests ask for single precision's guess (a miss).
bool recheck() {
  rechecks.fetch_add(1, std::memory_order_relaxed);
  return recheck_enabled.load(std::memory_order_relaxed);
}

bool recheck_any(const Instance& instance, const Cluster& cluster, unsigned lanes,
                 const Query& query) {
  Hit hit;
  for (; lanes != 0; lanes &= lanes - 1) {
    const int lane = __builtin_ctz(lanes);
    if (recheck() && exact_hit(instance, cluster.face[lane], query, &hit)) return true;
  }
  return false;
}

bool nearer(const Hit& a, const Hit& b) {
  return std::tie(a.t, a.instance, a.face) < std::tie(b.t, b.instance, b.face);
}

// Floats that are not above and not below x >= 0, and within three roundings of it.
float at_most(double x) { return static_cast<float>(x * (1 - 0x1p-23)); }
float at_least(double x) { return static_cast<float>(x * (1 + 0x1p-23)); }

void update_closest(const Instance& instance, const Cluster& cluster, unsigned sure, unsigned doubt,
                    Query& query, RTCRay& ray) {
  for (unsigned lanes = sure | doubt; lanes != 0; lanes &= lanes - 1) {
    const int lane = __builtin_ctz(lanes);
    if ((doubt >> lane & 1) != 0 && !recheck()) continue;
    Hit hit;
    if (!exact_hit(instance, cluster.face[lane], query, &hit)) continue;
    if (query.all != nullptr) {
      query.all->push_back(hit);
    } else if (nearer(hit, query.best)) {
      query.best = hit;
      if (query.lift == 0) ray.tfar = at_least(hit.t * query.unit - query.shift);
    }
  }
}

// ---- eight lanes, in the compiler's portable vectors
// --------------------------------------------- The compiler is told the instruction set around
// each inclusion of the kernels instead of for the whole file, so that no shared inline function is
// compiled for a processor it may not run on.

using Float8 = float __attribute__((vector_size(32), may_alias));
using Int8 = int __attribute__((vector_size(32)));

constexpr int sign_bit = static_cast<int>(0x80000000U);
// The error of the third side is at most 3.25 times the margin of the other two.
constexpr float third_side = 1.0F / 3.25F;
// Keeps the margins above what underflow can do.
constexpr float least_margin = 1e-30F;

#define ESI_KERNEL static inline __attribute__((always_inline))

// All vectors passed around are inlined, so how they would be passed does not matter.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace baseline {

ESI_KERNEL unsigned any_bits(const Int8& mask) {
#ifdef ESI_X86
  __m128 half[2];
  __builtin_memcpy(half, &mask, sizeof(half));
  return static_cast<unsigned>(_mm_movemask_ps(half[0]) | _mm_movemask_ps(half[1]) << 4);
#else
  unsigned bits = 0;
  for (int i = 0; i < 8; ++i) bits |= static_cast<unsigned>(mask[i] < 0) << i;
  return bits;
#endif
}
ESI_KERNEL Float8 mul_add(const Float8& a, const Float8& b, const Float8& c) { return a * b + c; }
ESI_KERNEL Float8 mul_sub(const Float8& a, const Float8& b, const Float8& c) { return a * b - c; }

#include "core/ray_kernels.inc"

}  // namespace baseline

#ifdef ESI_X86
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif

namespace avx2 {

ESI_KERNEL unsigned any_bits(const Int8& mask) {
  __m256 bits;
  __builtin_memcpy(&bits, &mask, sizeof(bits));
  return static_cast<unsigned>(_mm256_movemask_ps(bits));
}
ESI_KERNEL Float8 mul_add(const Float8& a, const Float8& b, const Float8& c) {
  return _mm256_fmadd_ps(a, b, c);
}
ESI_KERNEL Float8 mul_sub(const Float8& a, const Float8& b, const Float8& c) {
  return _mm256_fmsub_ps(a, b, c);
}

#include "core/ray_kernels.inc"

}  // namespace avx2

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif

struct Callbacks {
  RTCIntersectFunctionN closest = baseline::closest_callback;
  RTCOccludedFunctionN any = baseline::any_callback;
};

const Callbacks callbacks = [] {
  Callbacks c;
#ifdef ESI_X86
  __builtin_cpu_init();  // this may run before anybody else's initialisation
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    c.closest = avx2::closest_callback;
    c.any = avx2::any_callback;
  }
#endif
  return c;
}();

// Where the ray is within the cube of half width `reach` around the centre: t from enter to leave.
// False if it never is.
bool cross_cube(Vec3 origin, Vec3 d, double reach, double* enter, double* leave) {
  for (int k = 0; k < 3; ++k) {
    if (d[k] == 0) {
      if (std::abs(origin[k]) > reach) return false;
      continue;
    }
    const double a = (-reach - origin[k]) / d[k], b = (reach - origin[k]) / d[k];
    *enter = std::max(*enter, std::min(a, b));
    *leave = std::min(*leave, std::max(a, b));
  }
  return *enter <= *leave;
}

// From farther away than this many times the frame's reach, plain double precision cannot tell
// where a ray enters the frame.
constexpr double far_away = 0x1p20;

// o + t d, rounded once.
double along(double o, double d, double t) {
  const double product = t * d, product_error = std::fma(t, d, -product);
  const double sum = o + product, b = sum - o;
  const double sum_error = (o - (sum - b)) + (product - b);
  return sum + (sum_error + product_error);
}

// Replaces the query's ray by its stretch near the frame. False if there is none.
bool come_near(const Frame& frame, Query* query) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  query->stretch = *query->ray;
  Ray& ray = query->stretch;
  const Vec3 d = ray.direction;
  const double size = std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)});
  // Each step leaves a tiny part of the way, which the first one cannot resolve.
  for (int step = 0; step < 3; ++step) {
    const Vec3 origin = ray.origin - frame.center;
    const double away = std::max({std::abs(origin.x), std::abs(origin.y), std::abs(origin.z)});
    if (away <= far_away * frame.reach) break;
    const double unsure = 16 * epsilon * away;
    double enter = 0, leave = std::numeric_limits<double>::infinity();
    if (!cross_cube(origin, d, 2 * frame.reach + unsure, &enter, &leave)) return false;
    const double t = enter - unsure / size;
    if (!(t > 0)) break;
    for (int k = 0; k < 3; ++k) ray.origin[k] = along(ray.origin[k], d[k], t);
    query->lift += t;
  }
  query->ray = &ray;
  return true;
}

// Sets up the single-precision ray, relative to the frame's centre and started where the ray enters
// the frame. False if it never does, so nothing can be hit.
bool prepare(const Frame& frame, const Ray& given, Query* query, RTCRay* out) {
  if (frame.reach == 0) return false;
  query->ray = &given;
  const double reach = frame.reach;
  const auto largest = [](Vec3 v) {
    return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  };
  Vec3 origin = given.origin - frame.center;
  const double length = largest(given.direction);
  // Embree takes a direction's parts below 1e-18 for zero. A power of two changes no bit.
  if (!(length > 0x1p-8 && length < 0x1p8)) query->unit = std::ldexp(1.0, std::ilogb(length));
  const Vec3 d = given.direction / query->unit;
  const double size = length / query->unit;
  const double away = largest(origin);
  double shift = 0;
  if (!(away <= reach)) {
    if (away > far_away * reach) {
      if (!come_near(frame, query)) return false;
      origin = query->ray->origin - frame.center;
    }
    if (!(largest(origin) <= reach)) {
      double leave = std::numeric_limits<double>::infinity();
      if (!cross_cube(origin, d, reach, &shift, &leave)) return false;
      origin += shift * d;
    }
  }
  // Of a ray from far away the limits are blurred; they are looked at again for each hit.
  const double blur = 4 * std::numeric_limits<double>::epsilon() * query->lift;
  const double near = std::max((given.near - query->lift - blur) * query->unit - shift, 0.0);
  double far = (given.far - query->lift + blur) * query->unit - shift;
  // From anywhere inside, four times the reach is beyond the frame.
  if (!(far * size <= 4 * reach)) far = 4 * reach / size;
  if (!(near <= far)) return false;
  out->org_x = static_cast<float>(origin.x);
  out->org_y = static_cast<float>(origin.y);
  out->org_z = static_cast<float>(origin.z);
  out->dir_x = static_cast<float>(d.x);
  out->dir_y = static_cast<float>(d.y);
  out->dir_z = static_cast<float>(d.z);
  out->tnear = at_most(near);
  out->tfar = at_least(far);
  out->time = 0;
  out->mask = ~0U;
  out->id = 0;
  out->flags = 0;
  rtcInitRayQueryContext(query);
  query->shift = shift;
  const float r = roundoff * static_cast<float>(reach);
  query->side = 112 * r * static_cast<float>(size);
  query->determinant = 50 * roundoff * static_cast<float>(size);
  query->distance = query->lift == 0 ? 450 * r : std::numeric_limits<float>::infinity();
  return true;
}

void trace_closest(const SceneView& scene, const Ray& ray, Ignore ignore, Query* query) {
  RTCRayHit hit;
  if (!prepare(scene.frame(), ray, query, &hit.ray)) return;
  query->ignore = ignore;
  hit.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  hit.hit.primID = RTC_INVALID_GEOMETRY_ID;
  hit.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
  RTCIntersectArguments args;
  rtcInitIntersectArguments(&args);
  args.context = query;
  args.intersect = callbacks.closest;
  rtcIntersect1(scene.embree(), &hit, &args);
}

}  // namespace

bool is_valid(const Ray& ray) {
  const Vec3 o = ray.origin, d = ray.direction;
  if (!is_finite(o) || !is_finite(d)) return false;
  if (std::max({std::abs(o.x), std::abs(o.y), std::abs(o.z)}) > largest_coordinate) return false;
  // Shorter or longer than this, single precision cannot hold the direction.
  const double size = std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)});
  return size > 1e-30 && size < 1e30;
}

Hit closest_hit(const SceneView& scene, const Ray& ray, Ignore ignore) {
  Query query;
  trace_closest(scene, ray, ignore, &query);
  return query.best;
}

bool any_hit(const SceneView& scene, const Ray& ray, Ignore ignore) {
  Query query;
  RTCRay single;
  if (!prepare(scene.frame(), ray, &query, &single)) return false;
  query.ignore = ignore;
  RTCOccludedArguments args;
  rtcInitOccludedArguments(&args);
  args.context = &query;
  args.occluded = callbacks.any;
  rtcOccluded1(scene.embree(), &single, &args);
  return single.tfar < 0;
}

void all_hits(const SceneView& scene, const Ray& ray, Ignore ignore, std::vector<Hit>& hits) {
  const auto first = static_cast<std::ptrdiff_t>(hits.size());
  Query query;
  query.all = &hits;
  trace_closest(scene, ray, ignore, &query);
  std::sort(hits.begin() + first, hits.end(), nearer);
}

Vec3 face_normal(const Instance& instance, std::int32_t face) {
  const auto corners = instance.triangle(face);
  return normalized(cross(corners[1] - corners[0], corners[2] - corners[0]));
}

bool RayRows::get(std::size_t i, Ray* ray) const {
  const Vec3 d = directions[i];
  const double size = std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)});
  const Vec3 o = origins[i];
  if (!is_finite(o) || !is_finite(d) || size == 0) return false;
  if (std::max({std::abs(o.x), std::abs(o.y), std::abs(o.z)}) > largest_coordinate) return false;
  // In two steps: the squares of a very long or short direction may not be representable.
  const Vec3 near_unit = d / size;
  *ray = {o, near_unit / norm(near_unit), near[i], far[i]};
  return true;
}

void closest_hits(const SceneView& scene, const RayRows& rays, const IgnoreRows& ignore,
                  int threads, Hit* hits, bool* valid) {
  parallel_for(rays.count, rays_per_piece, threads, [&](std::size_t first, std::size_t last) {
    const FlushDenormals flush;
    Ray ray;
    for (std::size_t i = first; i < last; ++i) {
      valid[i] = rays.get(i, &ray);
      if (valid[i]) hits[i] = closest_hit(scene, ray, ignore.of(i));
    }
  });
}

void any_hits(const SceneView& scene, const RayRows& rays, const IgnoreRows& ignore, int threads,
              bool* hit) {
  parallel_for(rays.count, rays_per_piece, threads, [&](std::size_t first, std::size_t last) {
    const FlushDenormals flush;
    Ray ray;
    for (std::size_t i = first; i < last; ++i) {
      hit[i] = rays.get(i, &ray) && any_hit(scene, ray, ignore.of(i));
    }
  });
}

void all_hits(const SceneView& scene, const RayRows& rays, const IgnoreRows& ignore, int threads,
              std::vector<Hit>* hits, std::int64_t* offsets) {
  std::vector<std::vector<Hit>> parts(rays.count / rays_per_piece + 1);
  offsets[0] = 0;
  parallel_for(rays.count, rays_per_piece, threads, [&](std::size_t first, std::size_t last) {
    const FlushDenormals flush;
    std::vector<Hit>& part = parts[first / rays_per_piece];
    Ray ray;
    for (std::size_t i = first; i < last; ++i) {
      const std::size_t before = part.size();
      if (rays.get(i, &ray)) all_hits(scene, ray, ignore.of(i), part);
      offsets[i + 1] = static_cast<std::int64_t>(part.size() - before);
    }
  });
  for (std::size_t i = 0; i < rays.count; ++i) offsets[i + 1] += offsets[i];
  hits->clear();
  for (const auto& part : parts) hits->insert(hits->end(), part.begin(), part.end());
}

#ifdef ESI_X86
FlushDenormals::FlushDenormals() : before_(_mm_getcsr()) {
  constexpr unsigned flush_to_zero = 0x8000, denormals_are_zero = 0x0040;
  _mm_setcsr(before_ | flush_to_zero | denormals_are_zero);
}
FlushDenormals::~FlushDenormals() { _mm_setcsr(before_); }
#else
FlushDenormals::FlushDenormals() : before_(0) {}
FlushDenormals::~FlushDenormals() = default;
#endif

std::uint64_t recheck_count() { return rechecks.load(); }
void reset_recheck_count() { rechecks.store(0); }
void set_recheck(bool enabled) { recheck_enabled.store(enabled); }

}  // namespace esi
