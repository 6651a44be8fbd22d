#include "core/clusters.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "core/parallel.hpp"

namespace esi {
namespace {

constexpr int bins = 16;
// A group is cut further only when the boxes of its two halves together have less than this share
// of its own surface: the price of one more leaf, in leaves. Measured on furnished rooms, where
// everything from 0.5 to 1 is equally fast.
constexpr float worthwhile = 0.7F;

// Ranges of at most this many triangles are cut along whichever axis is best.
constexpr std::size_t look_around = 64;

struct Bounds {
  std::array<float, 3> lower{std::numeric_limits<float>::infinity(),
                             std::numeric_limits<float>::infinity(),
                             std::numeric_limits<float>::infinity()};
  std::array<float, 3> upper{-std::numeric_limits<float>::infinity(),
                             -std::numeric_limits<float>::infinity(),
                             -std::numeric_limits<float>::infinity()};

  void extend(const Bounds& b) {
    for (int k = 0; k < 3; ++k) {
      lower[k] = b.lower[k] < lower[k] ? b.lower[k] : lower[k];
      upper[k] = b.upper[k] > upper[k] ? b.upper[k] : upper[k];
    }
  }
  void extend(const std::array<float, 3>& p) {
    for (int k = 0; k < 3; ++k) {
      lower[k] = p[k] < lower[k] ? p[k] : lower[k];
      upper[k] = p[k] > upper[k] ? p[k] : upper[k];
    }
  }
  float extent(int axis) const { return upper[axis] - lower[axis]; }
  float half_area() const {
    const float x = upper[0] - lower[0], y = upper[1] - lower[1], z = upper[2] - lower[2];
    return x * y + y * z + z * x;
  }
};

struct Item {
  Bounds box;
  std::array<float, 3> center;  // twice the centre of the box
  std::int32_t face;
};

struct Range {
  std::size_t first, last;
};

class Splitter {
 public:
  explicit Splitter(std::vector<Item>& items) : items_(items) {}

  // Halves [first, last) and returns the middle, or `first` if the range should stay whole.
  std::size_t split(std::size_t first, std::size_t last) {
    const std::size_t n = last - first;
    Bounds whole, centers;
    for (std::size_t i = first; i < last; ++i) {
      whole.extend(items_[i].box);
      centers.extend(items_[i].center);
    }
    int longest = 0;
    for (int k = 1; k < 3; ++k) {
      if (centers.extent(k) > centers.extent(longest)) longest = k;
    }
    Cut best;
    for (int axis = 0; axis < 3; ++axis) {
      // Near the leaves every axis is worth a look, above them the longest is as good.
      if (axis == longest || n <= look_around) consider(first, last, axis, centers, &best);
    }
    if (n <= cluster_size && !(best.cost < worthwhile * whole.half_area())) return first;
    if (best.bin == 0) return first + n / 2;
    const auto middle =
        std::partition(items_.begin() + first, items_.begin() + last,
                       [&](const Item& item) { return best.slots.of(item) < best.bin; });
    return static_cast<std::size_t>(middle - items_.begin());
  }

 private:
  // Equal slots along an axis for the centres of boxes.
  struct Slots {
    int axis = 0;
    float start = 0, scale = 0;
    int of(const Item& item) const {
      return std::min(bins - 1, static_cast<int>((item.center[axis] - start) * scale));
    }
  };
  struct Cut {
    float cost = std::numeric_limits<float>::infinity();
    int bin = 0;  // 0: none
    Slots slots;
  };

  // The best cut along one axis, if it is better than `best`.
  void consider(std::size_t first, std::size_t last, int axis, const Bounds& centers,
                Cut* best) const {
    const std::size_t n = last - first;
    const float width = centers.extent(axis);
    // Below this its reciprocal is not finite, and there is nothing to tell apart.
    if (!(width > 1e-30F)) return;
    const Slots slots{axis, centers.lower[axis], static_cast<float>(bins) * (1.0F - 1e-6F) / width};
    std::array<Bounds, bins> box;
    std::array<std::size_t, bins> count{};
    for (std::size_t i = first; i < last; ++i) {
      const int b = slots.of(items_[i]);
      box[b].extend(items_[i].box);
      ++count[b];
    }
    std::array<float, bins> right_cost{};
    Bounds side;
    std::size_t members = 0;
    for (int b = bins - 1; b > 0; --b) {
      side.extend(box[b]);
      members += count[b];
      right_cost[b] = members > 0 ? side.half_area() * leaves(members) : 0;
    }
    side = {};
    members = 0;
    for (int b = 1; b < bins; ++b) {
      side.extend(box[b - 1]);
      members += count[b - 1];
      if (members == 0 || members == n) continue;
      const float cost = side.half_area() * leaves(members) + right_cost[b];
      if (cost < best->cost) *best = {cost, b, slots};
    }
  }

  static float leaves(std::size_t n) {
    const std::size_t count = (n + cluster_size - 1) / cluster_size;
    return static_cast<float>(count);
  }

  std::vector<Item>& items_;
};

// Splits one range down to leaves, whose ends it appends in order.
void split_all(Splitter& splitter, Range range, std::vector<std::uint32_t>& ends) {
  std::vector<Range> stack{range};
  while (!stack.empty()) {
    const Range r = stack.back();
    stack.pop_back();
    const std::size_t middle = r.last - r.first > 1 ? splitter.split(r.first, r.last) : r.first;
    if (middle == r.first) {
      ends.push_back(static_cast<std::uint32_t>(r.last));
      continue;
    }
    stack.push_back({middle, r.last});
    stack.push_back({r.first, middle});
  }
}

}  // namespace

ClusterOrder make_clusters(Span<const Vec3> vertices, Span<const std::int32_t> faces,
                           const std::vector<std::int32_t>& proper, int threads) {
  ClusterOrder order;
  if (proper.empty()) return order;
  Box all;
  for (const Vec3& v : vertices) all.extend(v);
  const Vec3 middle = all.center();
  // In single precision the mesh fills the unit cube, however large or small it is. Only the order
  // of triangles is decided here, so that coordinates that become zero do no harm.
  const Vec3 size = all.size();
  const double extent = std::max({size.x, size.y, size.z});
  const double unit = extent > 1e-300 ? 1 / extent : 0;

  std::vector<Item> items(proper.size());
  parallel_for(items.size(), 16384, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      Item& item = items[i];
      item.face = proper[i];
      for (int corner = 0; corner < 3; ++corner) {
        const Vec3 v =
            (vertices[static_cast<std::size_t>(faces[3 * item.face + corner])] - middle) * unit;
        item.box.extend(std::array<float, 3>{static_cast<float>(v.x), static_cast<float>(v.y),
                                             static_cast<float>(v.z)});
      }
      for (int k = 0; k < 3; ++k) item.center[k] = item.box.lower[k] + item.box.upper[k];
    }
  });

  // The upper levels in order, until the pieces are small enough to share out among threads.
  constexpr std::size_t piece = 4096;
  Splitter splitter(items);
  std::vector<Range> pieces, stack{{0, items.size()}};
  while (!stack.empty()) {
    const Range r = stack.back();
    stack.pop_back();
    if (r.last - r.first <= piece) {
      pieces.push_back(r);
      continue;
    }
    const std::size_t cut = splitter.split(r.first, r.last);
    stack.push_back({cut, r.last});
    stack.push_back({r.first, cut});
  }
  std::vector<std::vector<std::uint32_t>> ends(pieces.size());
  parallel_for(pieces.size(), 1, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) split_all(splitter, pieces[i], ends[i]);
  });

  order.begin.push_back(0);
  for (const auto& list : ends) order.begin.insert(order.begin.end(), list.begin(), list.end());
  order.faces.resize(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) order.faces[i] = items[i].face;
  return order;
}

}  // namespace esi
