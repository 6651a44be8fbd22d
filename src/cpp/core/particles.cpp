// Particles are sorted into the cells of a uniform grid, so that whatever a particle can be linked
// to lies in the 27 cells around its own. Cells that follow each other along x follow each other in
// memory: the 27 cells are nine rows, each one range of particles.
#include "core/particles.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <string>

#include "core/clones.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "core/radix.hpp"
#include "core/raw_vector.hpp"

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace esi {
namespace {

constexpr std::size_t point_grain = 16384;
constexpr std::size_t cell_grain = 1024;

// ---- which distances link ---------------------------------------------------------------------

// Relative and absolute parts of the tolerance that is not asked for, see Reach.
constexpr double billionth = 1e-9;
constexpr double last_places = 4;
constexpr double largest_share = 1e-4;

// Squared distances up to `sure` link, those above `possible` do not, what is between depends on
// the coordinates.
struct Limits {
  double base;       // distance that links two particles at the origin
  double per_metre;  // what a coordinate adds to it
  double most;       // distance that links no particles
  double sure, possible;

  explicit Limits(const Reach& reach) {
    // Squares of the radius must stay far from both ends of the range of numbers.
    if (!(reach.radius >= 1e-150 && reach.radius <= 1e150)) {
      bad_argument("radius", "a number from 1e-150 to 1e150", short_number(reach.radius));
    }
    if (reach.tolerance < 0) {
      base = reach.radius * (1 + billionth);
      per_metre = last_places * reach.epsilon;
      most = reach.radius * (1 + largest_share);
    } else {
      base = most = reach.radius + std::min(reach.tolerance, 1e150);
      per_metre = 0;
    }
    sure = base * base;
    possible = most * most;
  }

  bool link(Vec3 p, Vec3 q) const {
    const Vec3 a = max(max(p, -p), max(q, -q));
    const double distance = std::min(most, base + per_metre * std::max({a.x, a.y, a.z}));
    const Vec3 d = q - p;
    return dot(d, d) <= distance * distance;
  }
};

// ---- the grid ---------------------------------------------------------------------------------

// The cell of a coordinate along one axis. Where t = x / cell is beyond 2^30, cells grow with t:
// the map is monotone and nowhere steeper than 1, so particles within reach are at most one cell
// apart everywhere, and a lost particle costs no more than any other.
class CellMap {
 public:
  // One per mille of slack is above any rounding of what follows.
  CellMap(const Limits& limits, int cells_per_reach)
      : inverse_(cells_per_reach / (limits.most * (1 + 0x1p-10))) {}

  std::int64_t operator()(double x) const {
    constexpr double straight = 0x1p30;
    double t = x * inverse_;
    const double size = std::abs(t);
    if (size > straight) {
      const double bent = straight * (1 + std::log(std::min(size, 1e300) / straight));
      t = std::copysign(bent, t);
    }
    return static_cast<std::int64_t>(std::floor(t));
  }

 private:
  double inverse_;
};

using Cell = std::array<std::int64_t, 3>;

struct Extent {
  Cell lower = {INT64_MAX, INT64_MAX, INT64_MAX};
  Cell upper = {INT64_MIN, INT64_MIN, INT64_MIN};
  std::size_t finite = 0;
};

int bits_for(std::int64_t count) {
  int bits = 0;
  while (count >> bits) ++bits;
  return bits;
}

struct Range {
  std::uint32_t begin, end;
};

// A cell's particles and the rows of cells around it: its own, the four that follow, the four
// before.
struct Neighbourhood {
  Range own;
  std::array<Range, 9> rows;
};
constexpr int forward_rows = 5;
constexpr int all_rows = 9;

// Particles in the order of their cells. Positions are indices into this order.
struct Sorted {
  RawVector<double> x, y, z;       // with some more at the end, to be loaded but not used
  RawVector<std::uint32_t> order;  // original index of each position
  RawVector<std::uint32_t> begin;  // first position of each cell, then the count of particles
  std::size_t size() const { return order.size(); }
  std::size_t cells() const { return begin.size() - 1; }
  Vec3 at(std::size_t i) const { return {x[i], y[i], z[i]}; }
};

template <class Key>
class Grid {
 public:
  Grid(Span<const Vec3> points, const CellMap& cell, const std::vector<Extent>& pieces,
       const Extent& all, const std::array<int, 3>& bits, int threads) {
    shift_ = {bits[0], bits[0] + bits[1]};
    const int y_shift = bits[0], z_shift = bits[0] + bits[1];
    // A border of two cells all around: neighbours of a key never run into the next row.
    const auto key = [&](Vec3 p) {
      const auto along = [&](int k) { return static_cast<Key>(cell(p[k]) - all.lower[k] + 2); };
      return static_cast<Key>(along(2) << z_shift | along(1) << y_shift | along(0));
    };
    const auto row = [&](int dz, int dy) {
      return static_cast<Key>(static_cast<Key>(dz) * (Key{1} << z_shift) +
                              static_cast<Key>(dy) * (Key{1} << y_shift));
    };
    rows_ = {row(0, 0),  row(0, 1),   row(1, -1), row(1, 0), row(1, 1),
             row(0, -1), row(-1, -1), row(-1, 0), row(-1, 1)};

    std::vector<std::size_t> first_of(pieces.size());
    std::size_t n = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      first_of[i] = n;
      n += pieces[i].finite;
    }
    RawVector<Keyed<Key>> entries(n);
    parallel_for(points.size(), point_grain, threads, [&](std::size_t first, std::size_t last) {
      std::size_t next = first_of[first / point_grain];
      for (std::size_t i = first; i < last; ++i) {
        if (is_finite(points[i])) entries[next++] = {key(points[i]), static_cast<std::uint32_t>(i)};
      }
    });
    radix_sort(entries, bits[0] + bits[1] + bits[2], threads);

    sorted_.x.resize(n + 8);
    sorted_.y.resize(n + 8);
    sorted_.z.resize(n + 8);
    sorted_.order.resize(n);
    for (auto* axis : {&sorted_.x, &sorted_.y, &sorted_.z})
      std::fill(axis->end() - 8, axis->end(), 0.0);
    parallel_for(n, point_grain, threads, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        const Vec3 p = points[entries[i].index];
        sorted_.x[i] = p.x;
        sorted_.y[i] = p.y;
        sorted_.z[i] = p.z;
        sorted_.order[i] = entries[i].index;
      }
    });
    // Where cells begin: counted in pieces, then written by each piece in its place.
    const auto begins = [&](std::size_t i) {
      return i == 0 || entries[i].key != entries[i - 1].key;
    };
    std::vector<std::size_t> cell_of(n / point_grain + 1);
    parallel_for(n, point_grain, threads, [&](std::size_t first, std::size_t last) {
      std::size_t count = 0;
      for (std::size_t i = first; i < last; ++i) count += begins(i) ? 1 : 0;
      cell_of[first / point_grain] = count;
    });
    const std::size_t cells = to_starts(cell_of, 1);
    keys_.resize(cells + spare);
    sorted_.begin.resize(cells + 1);
    parallel_for(n, point_grain, threads, [&](std::size_t first, std::size_t last) {
      std::size_t next = cell_of[first / point_grain];
      for (std::size_t i = first; i < last; ++i) {
        if (!begins(i)) continue;
        keys_[next] = entries[i].key;
        sorted_.begin[next++] = static_cast<std::uint32_t>(i);
      }
    });
    sorted_.begin[cells] = static_cast<std::uint32_t>(n);
    std::fill(keys_.end() - spare, keys_.end(), static_cast<Key>(~Key{0}));
  }

  const Sorted& sorted() const { return sorted_; }

  // Calls use(c, d) for cells c of [first, last) and each cell d that is `steps` away.
  template <class Use>
  void pairs(std::size_t first, std::size_t last, const std::array<int, 3>& steps,
             const Use& use) const {
    const Key shift = static_cast<Key>(static_cast<Key>(steps[2]) * (Key{1} << shift_[1]) +
                                       static_cast<Key>(steps[1]) * (Key{1} << shift_[0]) +
                                       static_cast<Key>(steps[0]));
    const auto wanted = [&](std::size_t c) { return static_cast<Key>(keys_[c] + shift); };
    std::size_t at = static_cast<std::size_t>(
        std::lower_bound(keys_.begin(), keys_.end() - spare, wanted(first)) - keys_.begin());
    for (std::size_t c = first; c < last; ++c) {
      const Key key = wanted(c);
      while (keys_[at] < key) ++at;
      if (keys_[at] == key) use(c, at);
    }
  }

  // The surroundings of cells [first, last). Rows are found by walking along, as they come in the
  // order of the cells. Which cells are there is as good as random, so steps are added, not asked.
  void collect(std::size_t first, std::size_t last, int rows, Neighbourhood* out) const {
    for (std::size_t c = first; c < last; ++c) {
      out[c - first].own = {sorted_.begin[c], sorted_.begin[c + 1]};
    }
    const auto end = keys_.end() - spare;
    for (int r = 0; r < rows; ++r) {
      const Key shift = rows_[static_cast<std::size_t>(r)];
      const auto lowest = [&](std::size_t c) { return static_cast<Key>(keys_[c] + shift - 1); };
      const Key* at = &*std::lower_bound(keys_.begin(), end, lowest(first));
      for (std::size_t c = first; c < last; ++c) {
        const Key low = lowest(c);
        at += *at < low;
        at += *at < low;
        while (*at < low) ++at;
        const int count = (at[0] - low <= 2) + (at[1] - low <= 2) + (at[2] - low <= 2);
        const std::uint32_t* begin = sorted_.begin.data() + (at - keys_.data());
        out[c - first].rows[static_cast<std::size_t>(r)] = {begin[0], begin[count]};
      }
    }
  }

 private:
  std::array<int, 2> shift_;  // of y and z in a key
  Sorted sorted_;
  static constexpr int spare = 3;  // keys above all others, at the end
  RawVector<Key> keys_;
  std::array<Key, 9> rows_;
};

// Calls use(grid) with a grid whose keys are as short as they can be.
template <class Use>
void with_grid(Span<const Vec3> points, const Limits& limits, int cells_per_reach, int threads,
               const Use& use) {
  if (points.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    bad_argument("points", "at most 2147483647 particles", std::to_string(points.size()));
  }
  const CellMap cell(limits, cells_per_reach);
  std::vector<Extent> pieces(points.size() / point_grain + 1);
  parallel_for(points.size(), point_grain, threads, [&](std::size_t first, std::size_t last) {
    Extent found;
    for (std::size_t i = first; i < last; ++i) {
      if (!is_finite(points[i])) continue;
      ++found.finite;
      for (int k = 0; k < 3; ++k) {
        const std::int64_t c = cell(points[i][k]);
        found.lower[k] = std::min(found.lower[k], c);
        found.upper[k] = std::max(found.upper[k], c);
      }
    }
    pieces[first / point_grain] = found;
  });
  Extent all;
  for (const Extent& piece : pieces) {
    all.finite += piece.finite;
    for (int k = 0; k < 3; ++k) {
      all.lower[k] = std::min(all.lower[k], piece.lower[k]);
      all.upper[k] = std::max(all.upper[k], piece.upper[k]);
    }
  }
  std::array<int, 3> bits{};
  if (all.finite > 0) {
    // From the border below to the border above, and one more so that no key has all bits set.
    for (int k = 0; k < 3; ++k) bits[k] = bits_for(all.upper[k] - all.lower[k] + 5);
  }
  const int total = bits[0] + bits[1] + bits[2];
  // At most 3 x 42 bits.
  if (total <= 32) {
    use(Grid<std::uint32_t>(points, cell, pieces, all, bits, threads));
  } else if (total <= 64) {
    use(Grid<std::uint64_t>(points, cell, pieces, all, bits, threads));
  } else {
    use(Grid<unsigned __int128>(points, cell, pieces, all, bits, threads));
  }
}

// ---- four distances at a time -----------------------------------------------------------------

using Double4 = double __attribute__((vector_size(32)));
using Int4 = std::int64_t __attribute__((vector_size(32)));

ESI_INLINE void load(const double* from, Double4* to) { std::memcpy(to, from, sizeof(*to)); }

ESI_INLINE unsigned bits_of(const Int4& mask) {
#if defined(__x86_64__)
  __m128d half[2];
  std::memcpy(half, &mask, sizeof(half));
  return static_cast<unsigned>(_mm_movemask_pd(half[0]) | _mm_movemask_pd(half[1]) << 2);
#else
  unsigned bits = 0;
  for (int i = 0; i < 4; ++i) bits |= static_cast<unsigned>(mask[i] < 0) << i;
  return bits;
#endif
}

// Of the four positions from j on, as bits: those possibly and those surely linked to p.
struct Linked {
  unsigned possible, sure;
};

ESI_INLINE Linked four(const Sorted& s, const Limits& limits, Vec3 p, std::size_t j) {
  Double4 x, y, z;
  load(s.x.data() + j, &x);
  load(s.y.data() + j, &y);
  load(s.z.data() + j, &z);
  x -= p.x;
  y -= p.y;
  z -= p.z;
  const Double4 squared = x * x + y * y + z * z;
  return {bits_of(squared <= limits.possible), bits_of(squared <= limits.sure)};
}

// Calls hit(j) for the positions j of a range that are linked to p.
template <class Hit>
ESI_INLINE void scan(const Sorted& s, const Limits& limits, Vec3 p, Range range, const Hit& hit) {
  for (std::size_t j = range.begin; j < range.end; j += 4) {
    const std::size_t left = range.end - j;
    const unsigned used = left < 4 ? (1u << left) - 1 : 15u;
    const Linked linked = four(s, limits, p, j);
    for (unsigned rest = linked.possible & used; rest != 0; rest &= rest - 1) {
      const int bit = __builtin_ctz(rest);
      const std::size_t k = j + static_cast<std::size_t>(bit);
      if ((linked.sure >> bit & 1) == 0 && !limits.link(p, s.at(k))) continue;
      hit(static_cast<std::uint32_t>(k));
    }
  }
}

// ---- components -------------------------------------------------------------------------------

// Sets of positions, each named by its lowest member once all unions are done. Threads may unite at
// the same time: a parent only ever becomes lower, and only a root is given another set's root.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t size) : parent_(new std::atomic<std::uint32_t>[size]) {}

  void reset(std::uint32_t i) { parent_[i].store(i, std::memory_order_relaxed); }
  std::uint32_t parent(std::uint32_t i) const { return parent_[i].load(std::memory_order_relaxed); }

  std::uint32_t root(std::uint32_t i) {
    for (;;) {
      const std::uint32_t up = parent(i);
      const std::uint32_t next = parent(up);
      if (next == up) return up;
      // A thread that has found a lower ancestor meanwhile loses nothing but a step.
      parent_[i].store(next, std::memory_order_relaxed);
      i = next;
    }
  }

  // Unites the sets of two members and returns the root.
  std::uint32_t unite(std::uint32_t a, std::uint32_t b) {
    for (;;) {
      a = root(a);
      b = root(b);
      if (a == b) return a;
      if (a > b) std::swap(a, b);
      std::uint32_t expected = b;
      if (parent_[b].compare_exchange_strong(expected, a, std::memory_order_relaxed)) return a;
    }
  }

 private:
  std::unique_ptr<std::atomic<std::uint32_t>[]> parent_;
};

ESI_CLONES void link_forward(const Sorted& s, const Limits& limits, Span<Neighbourhood> cells,
                             DisjointSets& sets);

ESI_CLONES void link_forward(const Sorted& s, const Limits& limits, Span<Neighbourhood> cells,
                             DisjointSets& sets) {
  for (const Neighbourhood& cell : cells) {
    for (std::uint32_t i = cell.own.begin; i < cell.own.end; ++i) {
      const Vec3 p = s.at(i);
      std::uint32_t root = sets.root(i);
      const auto hit = [&](std::uint32_t j) {
        if (sets.parent(j) != root) root = sets.unite(root, j);
      };
      // How many particles a row holds is as good as random. The first eight of all rows are
      // looked at together, without a question; there are seldom more.
      std::array<Range, forward_rows> rows;
      std::uint64_t possible = 0, sure = 0;
      bool more = false;
      for (std::size_t r = 0; r < forward_rows; ++r) {
        rows[r] = cell.rows[r];
        if (r == 0) rows[r].begin = i + 1;
        const std::size_t count = rows[r].end - rows[r].begin;
        const unsigned used = (1u << std::min(count, std::size_t{8})) - 1;
        const Linked low = four(s, limits, p, rows[r].begin);
        const Linked high = four(s, limits, p, rows[r].begin + std::size_t{4});
        possible |= std::uint64_t{(low.possible | high.possible << 4) & used} << (8 * r);
        sure |= std::uint64_t{low.sure | high.sure << 4} << (8 * r);
        more |= count > 8;
      }
      for (; possible != 0; possible &= possible - 1) {
        const int bit = __builtin_ctzll(possible);
        const std::uint32_t j =
            rows[static_cast<std::size_t>(bit >> 3)].begin + static_cast<std::uint32_t>(bit & 7);
        if ((sure >> bit & 1) == 0 && !limits.link(p, s.at(j))) continue;
        hit(j);
      }
      if (!more) continue;
      for (const Range& row : rows) {
        if (row.end - row.begin > 8) scan(s, limits, p, {row.begin + 8, row.end}, hit);
      }
    }
  }
}

// Where particles crowd, looking at all pairs would take the square of their number. Cells of half
// the reach are linked within, as a rule, and two of them need one link, not all.

// Whether all particles of a range are surely linked: their box is small enough.
bool all_linked(const Sorted& s, const Limits& limits, Range range) {
  Box box;
  for (std::uint32_t i = range.begin; i < range.end; ++i) box.extend(s.at(i));
  const Vec3 size = box.upper - box.lower;
  return dot(size, size) <= limits.sure;
}

ESI_CLONES void link_within(const Sorted& s, const Limits& limits, Range cell, DisjointSets& sets);
ESI_CLONES void link_between(const Sorted& s, const Limits& limits, Range a, Range b,
                             DisjointSets& sets);

ESI_CLONES void link_within(const Sorted& s, const Limits& limits, Range cell, DisjointSets& sets) {
  if (all_linked(s, limits, cell)) {
    for (std::uint32_t i = cell.begin + 1; i < cell.end; ++i) sets.unite(cell.begin, i);
    return;
  }
  for (std::uint32_t i = cell.begin; i < cell.end; ++i) {
    scan(s, limits, s.at(i), {i + 1, cell.end}, [&](std::uint32_t j) { sets.unite(i, j); });
  }
}

ESI_CLONES void link_between(const Sorted& s, const Limits& limits, Range a, Range b,
                             DisjointSets& sets) {
  const bool whole = all_linked(s, limits, a) && all_linked(s, limits, b);
  for (std::uint32_t i = a.begin; i < a.end; ++i) {
    if (whole && sets.root(a.begin) == sets.root(b.begin)) return;
    scan(s, limits, s.at(i), b, [&](std::uint32_t j) { sets.unite(i, j); });
  }
}

// Particles per particle in its own cell, on average, from which on they crowd.
constexpr double crowd_size = 64;

bool crowded(const Sorted& s, int threads) {
  std::vector<double> pairs(s.cells() / point_grain + 1);
  parallel_for(s.cells(), point_grain, threads, [&](std::size_t first, std::size_t last) {
    double sum = 0;
    for (std::size_t c = first; c < last; ++c) {
      const double count = s.begin[c + 1] - s.begin[c];
      sum += count * count;
    }
    pairs[first / point_grain] = sum;
  });
  const double sum = std::accumulate(pairs.begin(), pairs.end(), 0.0);
  return sum > crowd_size * static_cast<double>(s.size());
}

template <class Key>
void link_crowd(const Grid<Key>& grid, const Limits& limits, int threads, DisjointSets& sets) {
  const Sorted& s = grid.sorted();
  const auto range = [&](std::size_t c) { return Range{s.begin[c], s.begin[c + 1]}; };
  parallel_for(s.cells(), cell_grain, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t c = first; c < last; ++c) link_within(s, limits, range(c), sets);
  });
  // The half of the neighbours up to two cells away that come later.
  for (int k = 1; k <= 62; ++k) {
    const int n = 62 + k;
    const std::array<int, 3> steps = {n % 5 - 2, n / 5 % 5 - 2, n / 25 - 2};
    parallel_for(s.cells(), cell_grain, threads, [&](std::size_t first, std::size_t last) {
      grid.pairs(first, last, steps, [&](std::size_t c, std::size_t d) {
        link_between(s, limits, range(c), range(d), sets);
      });
    });
  }
}

// ---- the graph --------------------------------------------------------------------------------

ESI_CLONES void count_links(const Sorted& s, const Limits& limits, Span<Neighbourhood> cells,
                            std::int64_t* counts);
ESI_CLONES void list_links(const Sorted& s, const Limits& limits, Span<Neighbourhood> cells,
                           const std::int64_t* offsets, std::int32_t* neighbours);

ESI_CLONES void count_links(const Sorted& s, const Limits& limits, Span<Neighbourhood> cells,
                            std::int64_t* counts) {
  for (const Neighbourhood& cell : cells) {
    for (std::uint32_t i = cell.own.begin; i < cell.own.end; ++i) {
      std::int64_t count = -1;  // a particle finds itself
      for (const Range& row : cell.rows) {
        scan(s, limits, s.at(i), row, [&](std::uint32_t) { ++count; });
      }
      counts[s.order[i]] = count;
    }
  }
}

ESI_CLONES void list_links(const Sorted& s, const Limits& limits, Span<Neighbourhood> cells,
                           const std::int64_t* offsets, std::int32_t* neighbours) {
  for (const Neighbourhood& cell : cells) {
    for (std::uint32_t i = cell.own.begin; i < cell.own.end; ++i) {
      std::int32_t* const begin = neighbours + offsets[s.order[i]];
      std::int32_t* next = begin;
      for (const Range& row : cell.rows) {
        scan(s, limits, s.at(i), row, [&](std::uint32_t j) {
          if (j != i) *next++ = static_cast<std::int32_t>(s.order[j]);
        });
      }
      std::sort(begin, next);
    }
  }
}

}  // namespace

namespace {

// Numbers the sets in the order of their first members, names every point's and counts members.
void label_sets(const Sorted& s, DisjointSets& sets, std::size_t points, int threads,
                ParticleComponents* result) {
  using Index = std::atomic<std::uint32_t>;
  const std::size_t n = s.size();
  result->dropped = static_cast<std::int64_t>(points - n);
  // Per root: its set's lowest point and how many members it has.
  const std::unique_ptr<Index[]> lowest(new Index[n]), members(new Index[n]);
  parallel_for(n, point_grain, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      lowest[i].store(std::numeric_limits<std::uint32_t>::max(), std::memory_order_relaxed);
      members[i].store(0, std::memory_order_relaxed);
    }
  });
  auto& labels = result->labels;
  labels.resize(points);
  parallel_for(points, point_grain, threads, [&](std::size_t first, std::size_t last) {
    std::fill(labels.begin() + static_cast<std::ptrdiff_t>(first),
              labels.begin() + static_cast<std::ptrdiff_t>(last), -1);
  });
  parallel_for(n, point_grain, threads, [&](std::size_t first, std::size_t last) {
    // Neighbours are mostly of one set, and threads that count one by one would wait for each
    // other.
    std::uint32_t own = sets.root(static_cast<std::uint32_t>(first)), low = s.order[first];
    std::uint32_t count = 0;
    const auto tell = [&] {
      members[own].fetch_add(count, std::memory_order_relaxed);
      std::uint32_t known = lowest[own].load(std::memory_order_relaxed);
      while (low < known &&
             !lowest[own].compare_exchange_weak(known, low, std::memory_order_relaxed)) {
      }
    };
    for (std::size_t i = first; i < last; ++i) {
      const std::uint32_t root = sets.root(static_cast<std::uint32_t>(i)), point = s.order[i];
      labels[point] = static_cast<std::int32_t>(root);
      if (root != own) {
        tell();
        own = root;
        low = point;
        count = 0;
      }
      low = std::min(low, point);
      ++count;
    }
    tell();
  });
  // A point that is its set's lowest brings a new number.
  const auto brings = [&](std::size_t point) {
    return labels[point] >= 0 &&
           lowest[static_cast<std::size_t>(labels[point])].load(std::memory_order_relaxed) == point;
  };
  std::vector<std::size_t> number(points / point_grain + 1);
  parallel_for(points, point_grain, threads, [&](std::size_t first, std::size_t last) {
    std::size_t count = 0;
    for (std::size_t i = first; i < last; ++i) count += brings(i) ? 1 : 0;
    number[first / point_grain] = count;
  });
  result->sizes.resize(to_starts(number, 1));
  RawVector<std::uint32_t> number_of(n);
  parallel_for(points, point_grain, threads, [&](std::size_t first, std::size_t last) {
    std::size_t next = number[first / point_grain];
    for (std::size_t i = first; i < last; ++i) {
      if (!brings(i)) continue;
      const auto root = static_cast<std::size_t>(labels[i]);
      number_of[root] = static_cast<std::uint32_t>(next);
      result->sizes[next++] = members[root].load(std::memory_order_relaxed);
    }
  });
  parallel_for(points, point_grain, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      std::int32_t& label = labels[i];
      if (label >= 0) {
        label = static_cast<std::int32_t>(number_of[static_cast<std::size_t>(label)]);
      }
    }
  });
}

}  // namespace

ParticleComponents components(Span<const Vec3> points, const Reach& reach, int threads) {
  const Limits limits(reach);
  ParticleComponents result;
  const auto label = [&](const Sorted& s, DisjointSets& sets) {
    label_sets(s, sets, points.size(), threads, &result);
  };
  const auto alone = [&](const Sorted& s, DisjointSets& sets) {
    parallel_for(s.size(), point_grain, threads, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) sets.reset(static_cast<std::uint32_t>(i));
    });
  };
  bool crowd = false;
  with_grid(points, limits, 1, threads, [&](const auto& grid) {
    const Sorted& s = grid.sorted();
    crowd = crowded(s, threads);
    if (crowd) return;
    DisjointSets sets(s.size());
    alone(s, sets);
    parallel_for(s.cells(), cell_grain, threads, [&](std::size_t first, std::size_t last) {
      std::vector<Neighbourhood> cells(last - first);
      grid.collect(first, last, forward_rows, cells.data());
      link_forward(s, limits, cells, sets);
    });
    label(s, sets);
  });
  if (crowd) {
    with_grid(points, limits, 2, threads, [&](const auto& grid) {
      DisjointSets sets(grid.sorted().size());
      alone(grid.sorted(), sets);
      link_crowd(grid, limits, threads, sets);
      label(grid.sorted(), sets);
    });
  }
  if (!result.sizes.empty()) {
    result.largest =
        std::max_element(result.sizes.begin(), result.sizes.end()) - result.sizes.begin();
  }
  return result;
}

RadiusGraph radius_graph(Span<const Vec3> points, const Reach& reach, int threads) {
  const Limits limits(reach);
  RadiusGraph graph;
  graph.offsets.assign(points.size() + 1, 0);
  with_grid(points, limits, 1, threads, [&](const auto& grid) {
    const Sorted& s = grid.sorted();
    graph.dropped = static_cast<std::int64_t>(points.size() - s.size());
    const auto for_cells = [&](const auto& use) {
      parallel_for(s.cells(), cell_grain, threads, [&](std::size_t first, std::size_t last) {
        std::vector<Neighbourhood> cells(last - first);
        grid.collect(first, last, all_rows, cells.data());
        use(cells);
      });
    };
    for_cells([&](std::vector<Neighbourhood>& cells) {
      count_links(s, limits, cells, graph.offsets.data());
    });
    const std::int64_t sum = to_starts(graph.offsets, 1);
    graph.neighbours.resize(static_cast<std::size_t>(sum));
    for_cells([&](std::vector<Neighbourhood>& cells) {
      list_links(s, limits, cells, graph.offsets.data(), graph.neighbours.data());
    });
  });
  return graph;
}

}  // namespace esi
