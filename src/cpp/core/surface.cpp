#include "core/surface.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/error.hpp"

namespace esi {
namespace {

// Corners of a cell as bits: 1 along x, 2 along y, 4 along z. Each tetrahedron goes from corner 0
// to corner 7, one axis at a time; those of odd orders of the axes are left-handed.
struct Tetrahedron {
  int corner[4];
  bool odd;
};
constexpr Tetrahedron kTetrahedra[6] = {
    {{0, 1, 3, 7}, false}, {{0, 2, 6, 7}, false}, {{0, 4, 5, 7}, false},
    {{0, 1, 5, 7}, true},  {{0, 2, 3, 7}, true},  {{0, 4, 6, 7}, true},
};
// Even orders that begin with each pair and with each single corner.
constexpr int kSingle[4][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
constexpr int kPairs[6][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2},
                              {1, 2, 0, 3}, {1, 3, 2, 0}, {2, 3, 0, 1}};
// Crossings keep off the nodes by this share of an edge, so that no face loses its area.
constexpr double kApart = 1e-4;

class March {
 public:
  March(Span<const double> values, const Grid& grid)
      : values_(values), grid_(grid), vertex_(8 * grid.nodes(), -1) {
    stride_[0] = static_cast<std::size_t>(grid.shape[1] * grid.shape[2]);
    stride_[1] = static_cast<std::size_t>(grid.shape[2]);
    stride_[2] = 1;
    for (int bits = 0; bits < 8; ++bits) {
      offset_[bits] = 0;
      for (int k = 0; k < 3; ++k) {
        if ((bits >> k & 1) != 0) offset_[bits] += stride_[k];
      }
    }
  }

  Surface3 run() {
    for (std::int64_t i = 0; i + 1 < grid_.shape[0]; ++i) {
      for (std::int64_t j = 0; j + 1 < grid_.shape[1]; ++j) {
        for (std::int64_t k = 0; k + 1 < grid_.shape[2]; ++k) cell(node(i, j, k));
      }
    }
    for (int axis = 0; axis < 3; ++axis) {
      close(axis, 0);
      close(axis, grid_.shape[static_cast<std::size_t>(axis)] - 1);
    }
    return std::move(out_);
  }

 private:
  std::size_t node(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return static_cast<std::size_t>(i) * stride_[0] + static_cast<std::size_t>(j) * stride_[1] +
           static_cast<std::size_t>(k);
  }
  bool within(std::size_t at) const { return values_[at] > 0; }

  std::array<std::int64_t, 3> place(std::size_t at) const {
    const auto n = static_cast<std::int64_t>(at);
    const auto x = static_cast<std::int64_t>(stride_[0]), y = static_cast<std::int64_t>(stride_[1]);
    return {n / x, n % x / y, n % y};
  }

  // The way the values fall at a node.
  Vec3 fall(std::size_t at) const {
    const auto p = place(at);
    Vec3 out;
    for (int k = 0; k < 3; ++k) {
      const auto axis = static_cast<std::size_t>(k);
      const bool low = p[axis] > 0, high = p[axis] + 1 < grid_.shape[axis];
      const double before = values_[low ? at - stride_[axis] : at];
      const double after = values_[high ? at + stride_[axis] : at];
      out[k] = (before - after) / ((low ? 1 : 0) + (high ? 1 : 0)) / grid_.spacing[k];
    }
    return out;
  }

  Vec3 position(std::size_t at) const {
    const auto p = place(at);
    return grid_.origin +
           Vec3{static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])} *
               grid_.spacing;
  }

  std::int32_t add(std::int32_t& slot, Vec3 at, Vec3 normal) {
    if (slot < 0) {
      if (out_.vertices.size() >= static_cast<std::size_t>(std::numeric_limits<int>::max())) {
        bad_argument("values", "a surface of fewer than 2^31 vertices", "more");
      }
      slot = static_cast<std::int32_t>(out_.vertices.size());
      out_.vertices.push_back(at);
      smooth_.push_back(normalized(normal));
    }
    return slot;
  }

  std::int32_t at_node(std::size_t at) { return add(vertex_[8 * at], position(at), fall(at)); }

  // Where the surface crosses the edge between two corners of a cell, one in and one out.
  std::int32_t crossing(std::size_t base, int a, int b) {
    const int low = a & b, way = a ^ b;
    const std::size_t from = base + offset_[low], to = from + offset_[way];
    std::int32_t& slot = vertex_[8 * from + static_cast<std::size_t>(way)];
    if (slot >= 0) return slot;
    const double t = std::clamp(values_[from] / (values_[from] - values_[to]), kApart, 1 - kApart);
    return add(slot, position(from) + (position(to) - position(from)) * t,
               fall(from) * (1 - t) + fall(to) * t);
  }

  void face(std::int32_t a, std::int32_t b, std::int32_t c) {
    for (const std::int32_t v : {a, b, c}) {
      out_.faces.push_back(v);
      out_.normals.push_back(smooth_[static_cast<std::size_t>(v)]);
    }
  }

  void cell(std::size_t base) {
    int mask = 0;
    for (int bits = 0; bits < 8; ++bits) mask |= within(base + offset_[bits]) ? 1 << bits : 0;
    if (mask == 0 || mask == 255) return;
    for (const Tetrahedron& t : kTetrahedra) {
      int in[4], count = 0;
      for (int k = 0; k < 4; ++k) {
        in[k] = mask >> t.corner[k] & 1;
        count += in[k];
      }
      if (count == 0 || count == 4) continue;
      const auto edge = [&](int a, int b) { return crossing(base, t.corner[a], t.corner[b]); };
      if (count == 2) {
        for (const auto& p : kPairs) {
          if (in[p[0]] == 0 || in[p[1]] == 0) continue;
          const std::int32_t a = edge(p[0], p[2]), b = edge(p[0], p[3]), c = edge(p[1], p[3]),
                             d = edge(p[1], p[2]);
          if (t.odd) {
            face(a, c, b);
            face(a, d, c);
          } else {
            face(a, b, c);
            face(a, c, d);
          }
          break;
        }
        continue;
      }
      for (const auto& p : kSingle) {
        if (in[p[0]] != (count == 1 ? 1 : 0)) continue;
        const std::int32_t a = edge(p[0], p[1]), b = edge(p[0], p[2]), c = edge(p[0], p[3]);
        if (t.odd == (count == 1)) {
          face(a, c, b);
        } else {
          face(a, b, c);
        }
        break;
      }
    }
  }

  // The part of a side of the grid that is within: clipped triangles, split as cells are.
  void close(int axis, std::int64_t index) {
    const bool high = index > 0;
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    Vec3 normal{};
    normal[axis] = high ? 1 : -1;
    std::int64_t at[3];
    at[axis] = index;
    const auto end = [&](int k) { return grid_.shape[static_cast<std::size_t>(k)] - 1; };
    for (at[u] = 0; at[u] < end(u); ++at[u]) {
      for (at[v] = 0; at[v] < end(v); ++at[v]) {
        const std::size_t base = node(at[0], at[1], at[2]);
        const int corner[4] = {0, 1 << u, 1 << u | 1 << v, 1 << v};
        for (const int second : {1, 2}) {
          const int c[3] = {corner[0], corner[second], corner[second + 1]};
          std::int32_t ring[4];
          int n = 0;
          for (int k = 0; k < 3; ++k) {
            const int one = c[k], two = c[(k + 1) % 3];
            const bool a = within(base + offset_[one]), b = within(base + offset_[two]);
            if (a) ring[n++] = at_node(base + offset_[one]);
            if (a != b) ring[n++] = crossing(base, one, two);
          }
          for (int k = 2; k < n; ++k) {
            face(ring[0], ring[high ? k - 1 : k], ring[high ? k : k - 1]);
            for (int m = 1; m <= 3; ++m) out_.normals[out_.normals.size() - m] = normal;
          }
        }
      }
    }
  }

  Span<const double> values_;
  const Grid& grid_;
  std::size_t stride_[3], offset_[8];
  // Per node: itself, and the seven edges that begin at it, by their way.
  std::vector<std::int32_t> vertex_;
  std::vector<Vec3> smooth_;
  Surface3 out_;
};

}  // namespace

Surface3 surface_of(Span<const double> values, const Grid& grid) {
  return March(values, grid).run();
}

}  // namespace esi
