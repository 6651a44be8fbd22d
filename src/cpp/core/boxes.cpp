#include "core/boxes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "core/clones.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "core/radix.hpp"

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace esi::boxes {
namespace {

Vec3 shared(const Box& a, const Box& b) {
  return max(min(a.upper, b.upper) - max(a.lower, b.lower), Vec3{});
}

// Where 0 / 0 is 0 and anything else over 0 infinite.
double over(double part, double whole) {
  if (whole > 0) return part / whole;
  return part > 0 ? std::numeric_limits<double>::infinity() : 0;
}

// Of sides, none of them negative. The smallest meets the largest first: no other order of the
// three keeps all digits where a product of two is too small for a number.
double product(Vec3 v, int axes) {
  if (axes != 3) return v.x * v.y;
  const double least = std::min({v.x, v.y, v.z}), most = std::max({v.x, v.y, v.z});
  const double middle = std::max(std::min(v.x, v.y), std::min(std::max(v.x, v.y), v.z));
  return least * most * middle;
}

}  // namespace

Box around(Span<const Vec3> points) {
  Box box;
  for (const Vec3& p : points) box.extend(p);
  return box;
}

Box around(Span<const Vec3> points, Vec3 scale, const Affine& pose) {
  Box box;
  for (const Vec3& p : points) {
    box.extend(pose.point({p.x * scale.x, p.y * scale.y, p.z * scale.z}));
  }
  return box;
}

double distance(const Box& a, const Box& b) {
  const Vec3 apart = max(gap(a, b), Vec3{});
  return std::hypot(apart.x, apart.y, apart.z);  // whose squares may be too small or too large
}

double overlap_volume(const Box& a, const Box& b) { return product(shared(a, b), 3); }

double iou(const Box& a, const Box& b, int axes) {
  const double common = product(shared(a, b), axes);
  const double total = product(a.upper - a.lower, axes) + product(b.upper - b.lower, axes) - common;
  return total > 0 ? common / total : 0;
}

bool supports(const Box& lower, const Box& upper, double rise, double share) {
  double size = 1;
  for (int k = 0; k < 3; ++k) {
    size = std::max({size, std::abs(lower.lower[k]), std::abs(lower.upper[k])});
  }
  // Heights that should be equal differ by the rounding of what they were computed from.
  return upper.lower.z - lower.lower.z >= rise - 1e-12 * size && iou(lower, upper, 2) >= share;
}

double fit_ratio(Vec3 size, Vec3 interior) {
  const double p = size.x, q = size.y, a = interior.x, b = interior.y;
  const auto turned = [&](double cos, double sin) {
    return std::max(over(p * cos + q * sin, a), over(p * sin + q * cos, b));
  };
  double best = std::min(turned(1, 0), turned(0, 1));
  // At an angle t in [0, 90] degrees the footprint is p cos t + q sin t wide and p sin t + q cos t
  // deep. Both are concave in t, so the larger of the two ratios is smallest at one of the ends or
  // where the ratios are equal.
  const double sin = p * b - q * a, cos = p * a - q * b;
  if ((sin > 0 && cos > 0) || (sin < 0 && cos < 0)) {
    const double length = std::hypot(sin, cos);
    best = std::min(best, turned(std::abs(cos) / length, std::abs(sin) / length));
  }
  return std::max(best, over(size.z, interior.z));
}

// ---- oriented boxes ---------------------------------------------------------------------------

Obb::Obb(Vec3 center_, const double* quaternion, Vec3 size) : center(center_), half(size * 0.5) {
  double x = quaternion[0], y = quaternion[1], z = quaternion[2], w = quaternion[3];
  const double scale = 1 / std::hypot(std::hypot(x, y), std::hypot(z, w));
  x *= scale;
  y *= scale;
  z *= scale;
  w *= scale;
  axes[0] = {1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)};
  axes[1] = {2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)};
  axes[2] = {2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)};
}

Vec3 Obb::corner(int index) const {
  Vec3 p = center;
  for (int k = 0; k < 3; ++k) p += axes[k] * ((index >> k & 1) != 0 ? half[k] : -half[k]);
  return p;
}

bool Obb::contains(Vec3 p, double tolerance) const {
  for (int k = 0; k < 3; ++k) {
    if (!(std::abs(dot(axes[k], p - center)) <= half[k] + tolerance)) return false;
  }
  return true;
}

double separation(const Obb& a, const Obb& b) {
  // Edges whose cross product is shorter count as parallel: its direction would be noise, and the
  // faces' own axes say all there is to say.
  constexpr double parallel_edges = 1e-9;
  double most = -std::numeric_limits<double>::infinity();
  const auto along = [&](Vec3 axis) {
    double reach = 0;
    for (int k = 0; k < 3; ++k) {
      reach += std::abs(dot(axis, a.axes[k])) * a.half[k];
      reach += std::abs(dot(axis, b.axes[k])) * b.half[k];
    }
    most = std::max(most, std::abs(dot(axis, b.center - a.center)) - reach);
  };
  for (const Vec3& axis : a.axes) along(axis);
  for (const Vec3& axis : b.axes) along(axis);
  for (const Vec3& one : a.axes) {
    for (const Vec3& two : b.axes) {
      const Vec3 axis = cross(one, two);
      const double length = norm(axis);
      if (length > parallel_edges) along(axis / length);
    }
  }
  return most;
}

// ---- all pairs --------------------------------------------------------------------------------

namespace {

// Floats in the order of their bits, read as integers.
std::uint32_t rank_of(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return (bits >> 31) != 0 ? ~bits : bits | 0x80000000u;
}

// A float at most x, never lower for a larger x and without a question, whose answer would be
// random.
ESI_INLINE float below(double x) {
  constexpr double most = std::numeric_limits<float>::max();
  const auto f = static_cast<float>(std::min(std::max(x, -most), most));
  // More than what was rounded away; the lowest float becomes minus infinity.
  return f - std::abs(f) * std::numeric_limits<float>::epsilon() -
         std::numeric_limits<float>::min();
}
ESI_INLINE float above(double x) { return -below(-x); }

using Set = Span<const Box>;

// How space is cut: strips across axis v, in each of which boxes are swept along axis u.
struct Cut {
  int u = 0, v = 1, w = 2;
  double origin = 0, per_metre = 0;
  std::int32_t strips = 1;

  // Never lower for a larger coordinate.
  std::int32_t strip(double x) const {
    const double s = (x - origin) * per_metre;
    return !(s > 0) ? 0 : s >= strips - 1 ? strips - 1 : static_cast<std::int32_t>(s);
  }
};

// What is done box by box, or pair by pair, is shared out in pieces of so many.
constexpr std::size_t grain = 16384;

std::size_t pieces_of(std::size_t n) { return n / grain + 1; }

// What all boxes span together, and the sum of their sides.
struct Extent {
  Box span;
  Vec3 sides;
};

Extent extent_of(Set a, Set b, int threads) {
  Extent whole;
  for (const Set& set : {a, b}) {
    std::vector<Extent> parts(pieces_of(set.size()));
    parallel_for(set.size(), grain, threads, [&](std::size_t first, std::size_t last) {
      Extent part;
      for (std::size_t i = first; i < last; ++i) {
        part.span.lower = min(part.span.lower, set[i].lower);
        part.span.upper = max(part.span.upper, set[i].upper);
        part.sides += set[i].upper - set[i].lower;
      }
      parts[first / grain] = part;
    });
    for (const Extent& part : parts) {
      whole.span.lower = min(whole.span.lower, part.span.lower);
      whole.span.upper = max(whole.span.upper, part.span.upper);
      whole.sides += part.sides;
    }
  }
  return whole;
}

Cut make_cut(Set a, Set b, int threads) {
  constexpr double most_strips = 256, boxes_per_strip = 64;
  double width[3], extent[3], low[3], share[3];
  const Extent whole = extent_of(a, b, threads);
  const auto count = static_cast<double>(std::max<std::size_t>(a.size() + b.size(), 1));
  for (int k = 0; k < 3; ++k) {
    low[k] = whole.span.lower[k];
    width[k] = whole.sides[k] / count;
    extent[k] = whole.span.upper[k] - low[k];
    share[k] = extent[k] > 0 ? width[k] / extent[k] : std::numeric_limits<double>::infinity();
  }
  // Fewest pairs meet along the axis on which boxes are narrowest for the room that they take.
  Cut cut;
  if (share[1] < share[0]) std::swap(cut.u, cut.v);
  if (share[2] < share[cut.u]) {
    cut.w = std::exchange(cut.v, std::exchange(cut.u, 2));
  } else if (share[2] < share[cut.v]) {
    std::swap(cut.v, cut.w);
  }
  // Narrower strips cost fewer tests but hold more boxes twice. Twice as wide as a box is best.
  const double boxes = static_cast<double>(a.size() + b.size());
  const double limit = std::min(most_strips, boxes / boxes_per_strip);
  const double wanted = std::min(limit, 0.5 / share[cut.v]);
  if (wanted >= 2 && std::isfinite(extent[cut.v])) {
    cut.strips = static_cast<std::int32_t>(wanted);
    cut.origin = low[cut.v];
    cut.per_metre = cut.strips / extent[cut.v];
    if (!std::isfinite(cut.per_metre)) cut.strips = 1;
  }
  return cut;
}

struct Strip {
  std::int32_t first, last;
};

constexpr std::size_t lanes = 8;

// The boxes of a set strip by strip, in each by their lower ends along u. A box is in every strip
// that it must be looked for in. Bounds are in single precision and rounded outwards: what passes
// is decided in double precision, and nothing that matters fails to pass.
struct Entries {
  Set set;
  std::vector<std::size_t> begin;  // per strip, then the end
  RawVector<std::uint32_t> index;
  RawVector<std::int32_t> home;  // strip of the box's own lower end
  // Both ends along u and along v and w; with room to load eight at a time.
  RawVector<float> first, last;
  RawVector<float> lower[2], upper[2];

  // Writes the room behind the last entry, which is loaded though never used.
  void clear_room(std::size_t size) {
    std::fill(home.begin() + static_cast<std::ptrdiff_t>(size), home.end(), 0);
    for (auto* values : {&first, &lower[0], &lower[1], &upper[0], &upper[1]}) {
      std::fill(values->begin() + static_cast<std::ptrdiff_t>(size), values->end(), 0.0f);
    }
  }
};

// `widen` is added to the upper ends.
template <class Strips>
Entries enter(Set set, const Cut& cut, double widen, int threads, const Strips& strips_of) {
  const std::size_t n = set.size();
  RawVector<Keyed<std::uint32_t>> order(n);
  RawVector<Strip> strips(n);
  parallel_for(n, grain, threads, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      const float first = below(set[i].lower[cut.u]) + 0.0f;  // one zero, not two
      order[i] = {rank_of(first), static_cast<std::uint32_t>(i)};
      strips[i] = strips_of(set[i]);
    }
  });
  radix_sort(order, 32, threads);
  const auto slots = static_cast<std::size_t>(cut.strips);
  std::vector<std::size_t> counts(pieces_of(n) * slots);
  parallel_for(n, grain, threads, [&](std::size_t from, std::size_t to) {
    std::size_t* count = counts.data() + from / grain * slots;
    for (std::size_t i = from; i < to; ++i) {
      const Strip range = strips[order[i].index];
      for (std::int32_t s = range.first; s <= range.last; ++s) {
        ++count[static_cast<std::size_t>(s)];
      }
    }
  });
  Entries entries;
  entries.set = set;
  const std::size_t sum = to_starts(counts, slots);
  entries.begin.assign(counts.begin(), counts.begin() + cut.strips);
  entries.begin.push_back(sum);
  entries.index.resize(sum);
  entries.home.resize(sum + lanes);
  entries.first.resize(sum + lanes);
  entries.last.resize(sum);
  for (auto* side : {&entries.lower, &entries.upper}) {
    for (auto& values : *side) values.resize(sum + lanes);
  }
  entries.clear_room(sum);
  const int axes[2] = {cut.v, cut.w};
  parallel_for(n, grain, threads, [&](std::size_t from, std::size_t to) {
    std::size_t* next = counts.data() + from / grain * slots;
    for (std::size_t i = from; i < to; ++i) {
      const std::uint32_t index = order[i].index;
      const Box& box = set[index];
      const float first = below(box.lower[cut.u]), last = above(box.upper[cut.u] + widen);
      const std::int32_t home = cut.strip(box.lower[cut.v]);
      float lower[2], upper[2];
      for (int k = 0; k < 2; ++k) {
        lower[k] = below(box.lower[axes[k]]);
        upper[k] = above(box.upper[axes[k]] + widen);
      }
      const Strip range = strips[index];
      for (std::int32_t s = range.first; s <= range.last; ++s) {
        const std::size_t at = next[static_cast<std::size_t>(s)]++;
        entries.index[at] = index;
        entries.home[at] = home;
        entries.first[at] = first;
        entries.last[at] = last;
        for (int k = 0; k < 2; ++k) {
          entries.lower[k][at] = lower[k];
          entries.upper[k][at] = upper[k];
        }
      }
    }
  });
  return entries;
}

using Float8 = float __attribute__((vector_size(32)));
using Int8 = std::int32_t __attribute__((vector_size(32)));

ESI_INLINE void load(const RawVector<float>& from, std::size_t at, Float8* to) {
  std::memcpy(to, from.data() + at, sizeof(*to));
}

ESI_INLINE unsigned bits_of(const Int8& mask) {
#if defined(__x86_64__)
  __m128 half[2];
  std::memcpy(half, &mask, sizeof(half));
  return static_cast<unsigned>(_mm_movemask_ps(half[0]) | _mm_movemask_ps(half[1]) << 4);
#else
  unsigned bits = 0;
  for (std::size_t i = 0; i < lanes; ++i) bits |= static_cast<unsigned>(mask[i] < 0) << i;
  return bits;
#endif
}

// Eight entries of a strip.
struct Eight {
  Float8 first, lower_v, upper_v, lower_w, upper_w;
};

ESI_INLINE void load_eight(const Entries& entries, std::size_t at, Eight* eight) {
  load(entries.first, at, &eight->first);
  load(entries.lower[0], at, &eight->lower_v);
  load(entries.upper[0], at, &eight->upper_v);
  load(entries.lower[1], at, &eight->lower_w);
  load(entries.upper[1], at, &eight->upper_w);
}

// Calls found(t, certain) for the entries t of [start, end) whose lower end along u is at most
// `last` and that fit(eight, t, &mask) admits; sure(eight, &mask) tells which of those need no
// second look.
template <class Fit, class Sure, class Found>
ESI_INLINE void sweep(const Entries& entries, std::size_t start, std::size_t end, float last,
                      const Fit& fit, const Sure& sure, const Found& found) {
  constexpr unsigned all = (1u << lanes) - 1;
  // Whether any of eight fits is as good as random. They are noted without a question, and looked
  // at when there are some.
  constexpr std::size_t most = 16;
  std::size_t noted_at[most + 1];
  unsigned noted[most + 1];
  for (std::size_t t = start; t < end;) {
    std::size_t count = 0;
    bool done = false;
    for (; t < end && count < most && !done; t += lanes) {
      Eight eight;
      load_eight(entries, t, &eight);
      Int8 mask;
      fit(eight, t, &mask);
      const unsigned used = end - t < lanes ? (1u << (end - t)) - 1 : all;
      const unsigned near = bits_of(eight.first <= last);
      const unsigned hits = near & used & bits_of(mask);
      noted_at[count] = t;
      noted[count] = hits;
      count += hits != 0 ? 1 : 0;
      done = near != all;
    }
    for (std::size_t k = 0; k < count; ++k) {
      Eight eight;
      load_eight(entries, noted_at[k], &eight);
      Int8 mask;
      sure(eight, &mask);
      const unsigned certain = bits_of(mask);
      for (unsigned hits = noted[k]; hits != 0; hits &= hits - 1) {
        const int bit = __builtin_ctz(hits);
        found(noted_at[k] + static_cast<std::size_t>(bit), (certain >> bit & 1) != 0);
      }
    }
    if (done) return;
  }
}

// Steps that are larger than all rounding of bounds and tolerance together; two bounds are each off
// by the smallest normal float as well.
ESI_INLINE float step_of(float x, double tolerance) {
  return std::abs(x) * 0x1p-20f + static_cast<float>(std::min(1e-14 * std::abs(tolerance), 1e30)) +
         4 * std::numeric_limits<float>::min();
}
ESI_INLINE float step_up(float x, double tolerance) { return x + step_of(x, tolerance); }
ESI_INLINE float step_down(float x, double tolerance) { return x - step_of(x, tolerance); }

// Two indices in one number.
using Indices = std::uint64_t;
ESI_INLINE Indices indices(std::uint32_t first, std::uint32_t second) {
  return std::uint64_t{first} << 32 | second;
}
ESI_INLINE std::uint32_t first_of(Indices pair) { return static_cast<std::uint32_t>(pair >> 32); }
ESI_INLINE std::uint32_t second_of(Indices pair) { return static_cast<std::uint32_t>(pair); }

// A bound on b - a where b - a, rounded, is at most the tolerance.
double reach_of(double tolerance) { return tolerance + 1e-15 * std::abs(tolerance); }

// Overlaps within a strip of each box of `a` with those of `b` that start no earlier along u
// (`after_equals`: that start later). A pair is found in every strip that both are in, and counts
// in that where the later of the two begins.
ESI_CLONES void find_overlaps(const Entries& a, const Entries& b, std::size_t strip,
                              double tolerance, bool after_equals, bool swap,
                              std::vector<Indices>& pairs);
ESI_CLONES void find_contained(const Entries& outer, const Entries& inner, const Cut& cut,
                               std::size_t strip, double tolerance, std::vector<Indices>& pairs);

ESI_CLONES void find_overlaps(const Entries& a, const Entries& b, std::size_t strip,
                              double tolerance, bool after_equals, bool swap,
                              std::vector<Indices>& pairs) {
  const bool self = &a == &b;
  const auto here = static_cast<std::int32_t>(strip);
  const std::size_t end = b.begin[strip + 1];
  std::size_t start = b.begin[strip];
  for (std::size_t s = a.begin[strip]; s < a.begin[strip + 1]; ++s) {
    const std::uint32_t i = a.index[s];
    const Box& box = a.set[i];
    const float low_v = a.lower[0][s], high_v = a.upper[0][s];
    const float low_w = a.lower[1][s], high_w = a.upper[1][s];
    const float last = a.last[s];
    const Int8 anywhere = Int8{} - (a.home[s] == here ? 1 : 0);
    const auto fit = [&](const Eight& e, std::size_t t, Int8* mask) {
      Int8 home;
      std::memcpy(&home, b.home.data() + t, sizeof(home));
      *mask = (e.lower_v <= high_v) & (low_v <= e.upper_v) & (e.lower_w <= high_w) &
              (low_w <= e.upper_w) & ((home == here) | anywhere);
    };
    // What holds by more than rounding in single precision holds.
    const float far_low_v = step_up(low_v, tolerance), far_low_w = step_up(low_w, tolerance);
    const float far_high_v = step_down(high_v, tolerance),
                far_high_w = step_down(high_w, tolerance);
    const float far_last = step_down(last, tolerance);
    const float far_first = step_up(a.first[s], tolerance);
    const auto sure = [&](const Eight& e, Int8* mask) {
      *mask = (e.lower_v <= far_high_v) & (far_low_v <= e.upper_v) & (e.lower_w <= far_high_w) &
              (far_low_w <= e.upper_w) & (e.first <= far_last) & (far_first <= e.first);
      if (tolerance < 0) *mask = Int8{};  // starting later does not say enough then
    };
    const auto found = [&](std::size_t t, bool certain) {
      const std::uint32_t j = b.index[t];
      if (!certain && !overlap(box, b.set[j], tolerance)) return;
      const bool turn = self ? j < i : swap;
      pairs.push_back(turn ? indices(j, i) : indices(i, j));
    };
    if (self) {
      start = s + 1;
    } else if (after_equals) {
      while (start < end && b.first[start] <= a.first[s]) ++start;
    } else {
      while (start < end && b.first[start] < a.first[s]) ++start;
    }
    sweep(b, start, end, last, fit, sure, found);
  }
}

ESI_CLONES void find_contained(const Entries& outer, const Entries& inner, const Cut& cut,
                               std::size_t strip, double tolerance, std::vector<Indices>& pairs) {
  const std::size_t end = inner.begin[strip + 1];
  std::size_t start = inner.begin[strip];
  for (std::size_t s = outer.begin[strip]; s < outer.begin[strip + 1]; ++s) {
    const std::uint32_t i = outer.index[s];
    const Box& box = outer.set[i];
    const float low_v = below(box.lower[cut.v] - tolerance), high_v = outer.upper[0][s];
    const float low_w = below(box.lower[cut.w] - tolerance), high_w = outer.upper[1][s];
    const auto fit = [&](const Eight& e, std::size_t, Int8* mask) {
      *mask = (e.lower_v >= low_v) & (e.upper_v <= high_v) & (e.lower_w >= low_w) &
              (e.upper_w <= high_w);
    };
    const auto sure = [](const Eight&, Int8* mask) { *mask = Int8{}; };  // there are few
    const auto found = [&](std::size_t t, bool) {
      const std::uint32_t j = inner.index[t];
      if (contains(box, inner.set[j], tolerance)) pairs.push_back(indices(i, j));
    };
    const float first = below(static_cast<double>(outer.first[s]) - tolerance);
    while (start < end && inner.first[start] < first) ++start;
    sweep(inner, start, end, outer.last[s], fit, sure, found);
  }
}

ESI_INLINE void put(Indices pair, Indices* at) { *at = pair; }
ESI_INLINE void put(Indices pair, Pair* at) { *at = {first_of(pair), second_of(pair)}; }

// A stable counting sort by key(pair) < keys of the pairs that each(task, use) calls use for, task
// after task.
template <class Each, class Key, class Out>
void counting_sort(std::size_t tasks, int threads, std::size_t keys, const Each& each,
                   const Key& key, Out* out) {
  std::vector<std::size_t> counts(tasks * keys);
  parallel_for(tasks, 1, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t task = first; task < last; ++task) {
      std::size_t* count = counts.data() + task * keys;
      each(task, [&](Indices pair) { ++count[key(pair)]; });
    }
  });
  to_starts(counts, keys);
  parallel_for(tasks, 1, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t task = first; task < last; ++task) {
      std::size_t* next = counts.data() + task * keys;
      each(task, [&](Indices pair) { put(pair, &out[next[key(pair)]++]); });
    }
  });
}

// All pairs in one list, sorted by two stable counting sorts.
RawVector<Pair> gather(const std::vector<std::vector<Indices>>& found, std::size_t firsts,
                       std::size_t seconds, int threads) {
  constexpr std::size_t most_tasks = 8;
  std::size_t total = 0;
  for (const auto& strip : found) total += strip.size();
  // Each task counts all boxes: more tasks than pairs per box would count longer than they sort.
  const std::size_t worth = total / std::max(firsts + seconds, grain) + 1;
  const std::size_t tasks =
      std::min({static_cast<std::size_t>(thread_count(threads)), most_tasks, worth});
  const auto share = [&](std::size_t task) { return total * task / tasks; };
  RawVector<Indices> by_second(total);
  RawVector<Pair> sorted(total);
  const auto strips = [&](std::size_t task, const auto& use) {
    std::size_t at = 0;
    for (const auto& strip : found) {
      const std::size_t first = std::max(share(task), at);
      const std::size_t last = std::min(share(task + 1), at + strip.size());
      for (std::size_t k = first; k < last; ++k) use(strip[k - at]);
      at += strip.size();
    }
  };
  counting_sort(tasks, threads, seconds, strips, second_of, by_second.data());
  const auto all = [&](std::size_t task, const auto& use) {
    for (std::size_t k = share(task); k < share(task + 1); ++k) use(by_second[k]);
  };
  counting_sort(tasks, threads, firsts, all, first_of, sorted.data());
  return sorted;
}

// find(strip, pairs) for all strips.
template <class Find>
std::vector<std::vector<Indices>> in_strips(const Cut& cut, int threads, const Find& find) {
  std::vector<std::vector<Indices>> found(static_cast<std::size_t>(cut.strips));
  parallel_for(found.size(), 1, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t strip = first; strip < last; ++strip) find(strip, found[strip]);
  });
  return found;
}

void check_count(const char* name, Set boxes) {
  if (boxes.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    bad_argument(name, "at most 2147483647 boxes", std::to_string(boxes.size()));
  }
}

// A set for overlaps: each box from where it starts to where others may start that it still meets.
Entries enter_for_overlaps(Set set, const Cut& cut, double tolerance, int threads) {
  const double reach = reach_of(tolerance);
  return enter(set, cut, reach, threads, [&](const Box& box) {
    const std::int32_t home = cut.strip(box.lower[cut.v]);
    return Strip{home, std::max(home, cut.strip(above(box.upper[cut.v] + reach)))};
  });
}

}  // namespace

RawVector<Pair> overlap_pairs(Set boxes, double tolerance, int threads) {
  check_count("boxes", boxes);
  const Cut cut = make_cut(boxes, {}, threads);
  const Entries all = enter_for_overlaps(boxes, cut, tolerance, threads);
  const auto found = in_strips(cut, threads, [&](std::size_t strip, std::vector<Indices>& pairs) {
    find_overlaps(all, all, strip, tolerance, false, false, pairs);
  });
  return gather(found, boxes.size(), boxes.size(), threads);
}

RawVector<Pair> overlap_pairs(Set a, Set b, double tolerance, int threads) {
  check_count("a", a);
  check_count("b", b);
  const Cut cut = make_cut(a, b, threads);
  const Entries one = enter_for_overlaps(a, cut, tolerance, threads);
  const Entries two = enter_for_overlaps(b, cut, tolerance, threads);
  const auto found = in_strips(cut, threads, [&](std::size_t strip, std::vector<Indices>& pairs) {
    // Of two that overlap, one starts within the other.
    find_overlaps(one, two, strip, tolerance, false, false, pairs);
    find_overlaps(two, one, strip, tolerance, true, true, pairs);
  });
  return gather(found, a.size(), b.size(), threads);
}

RawVector<Pair> containment_pairs(Set outer, Set inner, double tolerance, int threads) {
  check_count("outer", outer);
  check_count("inner", inner);
  const Cut cut = make_cut(outer, inner, threads);
  const Entries one = enter(outer, cut, tolerance, threads, [&](const Box& box) {
    return Strip{cut.strip(below(box.lower[cut.v] - tolerance)),
                 cut.strip(above(box.upper[cut.v] + tolerance))};
  });
  // A box inside another starts inside it: it need not be looked for elsewhere.
  const Entries two = enter(inner, cut, 0, threads, [&](const Box& box) {
    const std::int32_t home = cut.strip(box.lower[cut.v]);
    return Strip{home, home};
  });
  const auto found = in_strips(cut, threads, [&](std::size_t strip, std::vector<Indices>& pairs) {
    find_contained(one, two, cut, strip, tolerance, pairs);
  });
  return gather(found, outer.size(), inner.size(), threads);
}

}  // namespace esi::boxes
