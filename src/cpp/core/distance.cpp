#include "core/distance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "core/predicates.hpp"

namespace esi {
namespace {

// Squares bound distances while walking trees; a little room keeps their rounding from pruning
// the very box that holds the answer.
constexpr double prune_room = 1.0 + 1e-14;

// Whether p is inside the triangle seen from above: how many edges a ray along +x crosses. Each
// edge is taken from its lower to its upper end, so that all faces that share it agree.
bool covers(const Triangle& t, Vec3 p) {
  // Without a branch for as long as rounding cannot have turned a sign (as in orient2d_sign).
  unsigned inside = 0, doubtful = 0;
  for (int k = 0; k < 3; ++k) {
    const Vec3 u = t[k] - p, v = t[(k + 1) % 3] - p;
    const unsigned straddles = (t[k].y > p.y) != (t[(k + 1) % 3].y > p.y);
    const double left = u.x * v.y, right = u.y * v.x;
    const double turn = left - right;
    const unsigned sure = std::abs(turn) > sign_filter * (std::abs(left) + std::abs(right));
    doubtful |= straddles & (sure ^ 1u);
    inside ^= straddles & static_cast<unsigned>((turn > 0.0) == (u.y < v.y));
  }
  if (doubtful == 0) return inside != 0;
  inside = 0;
  for (int k = 0; k < 3; ++k) {
    Vec3 u = t[k], v = t[(k + 1) % 3];
    if ((u.y > p.y) == (v.y > p.y)) continue;
    if (u.y > v.y) std::swap(u, v);
    inside ^= static_cast<unsigned>(orient2d_sign(u, v, p) > 0);
  }
  return inside != 0;
}

}  // namespace

NearestPoint nearest_point(const TriangleTree& tree, Vec3 p, double bound) {
  NearestPoint best;
  double least = bound * bound;
  tree.tree().visit_ordered([&](const Box& box) { return squared_distance(box, p); },
                            [&] { return least * prune_room; },
                            [&](std::int32_t first, std::int32_t count) {
                              for (std::int32_t i = first; i < first + count; ++i) {
                                const Vec3 q = closest_on_triangle(p, tree.at(i));
                                const double d = squared_distance(p, q);
                                if (d < least || (best.triangle < 0 && d == least)) {
                                  least = d;
                                  best.point = q;
                                  best.triangle = tree.index(i);
                                }
                              }
                            });
  if (best.triangle >= 0) best.distance = std::sqrt(least);
  return best;
}

NearestPair nearest_pair(const TriangleTree& a, const TriangleTree& b, double bound) {
  NearestPair best;
  if (a.empty() || b.empty()) return best;
  // A pair at the bound itself counts.
  double least = std::nextafter(bound * bound, std::numeric_limits<double>::infinity());
  struct Entry {
    std::int32_t a, b;
    double key;
  };
  std::vector<Entry> stack;
  const auto push = [&](std::int32_t i, std::int32_t j) {
    stack.push_back({i, j, squared_distance(a.tree().node(i).box, b.tree().node(j).box)});
  };
  push(0, 0);
  while (!stack.empty() && least > 0.0) {
    const Entry entry = stack.back();
    stack.pop_back();
    if (!(entry.key <= least * prune_room)) continue;
    const BoxTree::Node& na = a.tree().node(entry.a);
    const BoxTree::Node& nb = b.tree().node(entry.b);
    if (na.count > 0 && nb.count > 0) {
      for (std::int32_t i = na.first; i < na.first + na.count; ++i) {
        const Box box = a.at(i).box();
        if (!(squared_distance(box, nb.box) <= least * prune_room)) continue;
        for (std::int32_t j = nb.first; j < nb.first + nb.count; ++j) {
          if (!(squared_distance(box, b.at(j).box()) <= least * prune_room)) continue;
          const PointPair pair = closest_triangles(a.at(i), b.at(j));
          if (pair.squared < least) {
            least = pair.squared;
            best = {std::sqrt(least), pair.a, pair.b, a.index(i), b.index(j)};
          }
        }
      }
      continue;
    }
    // Open the larger one; look at the nearer half first.
    const bool open_a = nb.count > 0 || (na.count == 0 && na.box.diagonal() > nb.box.diagonal());
    if (open_a) {
      push(na.first, entry.b);
      push(na.first + 1, entry.b);
    } else {
      push(entry.a, nb.first);
      push(entry.a, nb.first + 1);
    }
    Entry& near = stack.back();
    Entry& far = stack[stack.size() - 2];
    if (far.key < near.key) std::swap(near, far);
  }
  return best;
}

void count_crossing(const Triangle& t, Vec3 p, Crossings* out) {
  if (!covers(t, p)) return;
  const int facing = orient2d_sign(t.a, t.b, t.c);
  const int side = orient3d_sign(t.a, t.b, t.c, p) * facing;
  if (side == 0) out->on_surface = true;
  if (side < 0) {
    ++out->count;
    out->winding += facing;
  }
}

Crossings crossings_above(const TriangleTree& tree, Vec3 p) {
  Crossings out;
  const auto above = [&](const Box& b) {
    return b.lower.x <= p.x && p.x <= b.upper.x && b.lower.y <= p.y && p.y <= b.upper.y &&
           p.z <= b.upper.z;
  };
  tree.tree().visit(above, [&](std::int32_t first, std::int32_t count) {
    for (std::int32_t i = first; i < first + count; ++i) count_crossing(tree.at(i), p, &out);
  });
  return out;
}

Closure closure(Span<const Triangle> triangles) {
  if (triangles.empty()) return {};
  using Key = std::array<double, 3>;
  const auto key = [](Vec3 p) { return Key{p.x + 0.0, p.y + 0.0, p.z + 0.0}; };  // -0 is 0
  std::vector<Key> corners;
  corners.reserve(3 * triangles.size());
  for (const Triangle& t : triangles) {
    for (int k = 0; k < 3; ++k) corners.push_back(key(t[k]));
  }
  std::sort(corners.begin(), corners.end());
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  const auto name = [&](Vec3 p) {
    return std::lower_bound(corners.begin(), corners.end(), key(p)) - corners.begin();
  };
  // (lower corner, upper corner, +1 for lower to upper and -1 for the other way)
  std::vector<std::tuple<std::ptrdiff_t, std::ptrdiff_t, int>> edges;
  edges.reserve(3 * triangles.size());
  for (const Triangle& t : triangles) {
    const std::ptrdiff_t id[3] = {name(t.a), name(t.b), name(t.c)};
    if (id[0] == id[1] || id[1] == id[2] || id[2] == id[0]) continue;
    for (int k = 0; k < 3; ++k) {
      const std::ptrdiff_t u = id[k], v = id[(k + 1) % 3];
      edges.emplace_back(std::min(u, v), std::max(u, v), u < v ? 1 : -1);
    }
  }
  if (edges.empty()) return {};
  std::sort(edges.begin(), edges.end());
  Closure out{true, true};
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t j = i;
    int balance = 0;
    for (; j < edges.size() && std::get<0>(edges[j]) == std::get<0>(edges[i]) &&
           std::get<1>(edges[j]) == std::get<1>(edges[i]);
         ++j) {
      balance += std::get<2>(edges[j]);
    }
    if ((j - i) % 2 != 0) return {};
    if (balance != 0) out.oriented = false;
    i = j;
  }
  return out;
}

}  // namespace esi
