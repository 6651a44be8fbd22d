// Shortest paths by buckets: Dijkstra's order without a heap.
//
// Buckets are one straight step wide. No step is shorter, so the cells of a bucket cannot improve
// one another and are settled in any order; new labels fall into the next two buckets.
//
// Lengths are whole numbers: a straight step costs q and a diagonal one p, with p / q a convergent
// of sqrt(2). Then a q + b p orders paths exactly as a + b sqrt(2) does, as long as their numbers
// of diagonal steps differ by less than q, which is more than a grid has cells; and b can be read
// off the cost, because p has an inverse modulo q. Labels that meet differ by little, so 32 bits of
// the cost are enough to compare them.
//
// Of the many equally short paths through open space one is followed. A step m after the step n is
// left out when the cells around offer a way to the same place that is shorter, or as long and
// earlier in the order of directions. The first of all shortest paths in that order keeps all its
// steps, so every cell still gets its distance, after one or two tries instead of eight.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <numeric>

#include "core/error.hpp"
#include "core/gridmap.hpp"
#include "core/parallel.hpp"

namespace esi {
namespace {

constexpr std::uint32_t kStraightCost = 543339720;  // q
constexpr std::uint32_t kDiagonalCost = 768398401;  // p
constexpr std::int64_t kNorm =
    std::int64_t{kDiagonalCost} * kDiagonalCost - 2 * std::int64_t{kStraightCost} * kStraightCost;
static_assert(kNorm == 1, "p / q is a convergent of sqrt(2), and p its own inverse modulo q");
static_assert(Grid::max_cells < kStraightCost);
static_assert(2 * std::int64_t{kDiagonalCost} < std::int64_t{1} << 31);

Steps steps_of(std::uint64_t cost) {
  const std::uint64_t diagonal = cost % kStraightCost * kDiagonalCost % kStraightCost;
  const std::uint64_t straight = (cost - diagonal * kDiagonalCost) / kStraightCost;
  return {static_cast<std::int32_t>(straight), static_cast<std::int32_t>(diagonal)};
}

int lowest(unsigned set) {
#if defined(__GNUC__)
  return __builtin_ctz(set);
#else
  int k = 0;
  while ((set >> k & 1U) == 0) ++k;
  return k;
#endif
}

// ---- which steps to try ----------------------------------------------------------------------

// The nine cells around one, as free (1) or blocked.
using Block = std::array<std::array<int, 3>, 3>;

bool legal(const Block& block, Neighbours rule, int row, int column, int direction) {
  const auto [dr, dc] = kDirections[static_cast<std::size_t>(direction)];
  const auto free = [&](int r, int c) {
    return r >= 0 && r < 3 && c >= 0 && c < 3 &&
           block[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)] != 0;
  };
  if (!free(row + dr, column + dc)) return false;
  if (direction >= kDiagonals || rule == Neighbours::eight) return true;
  if (rule == Neighbours::four) return false;
  return free(row + dr, column) && free(row, column + dc);
}

std::uint64_t cost_of(int direction) {
  return direction < kDiagonals ? kDiagonalCost : kStraightCost;
}

// Whether from (row, column) there is a way to (end_row, end_column) inside the block, not through
// its centre, that is better than one of this cost whose remaining directions are `rival`; ties
// are decided by the first difference of directions (`earlier` is that verdict, 0 while equal).
bool better_way(const Block& block, Neighbours rule, int row, int column, int end_row,
                int end_column, std::uint64_t left, const int* rival, int rival_count,
                int earlier) {
  if (row == end_row && column == end_column) return left > 0 || earlier < 0;
  for (int k = 0; k < 8; ++k) {
    if (cost_of(k) > left || !legal(block, rule, row, column, k)) continue;
    const auto [dr, dc] = kDirections[static_cast<std::size_t>(k)];
    if (row + dr == 1 && column + dc == 1) continue;
    const int verdict = earlier != 0 || rival_count == 0 ? earlier : k - rival[0];
    if (better_way(block, rule, row + dr, column + dc, end_row, end_column, left - cost_of(k),
                   rival_count > 0 ? rival + 1 : rival, std::max(0, rival_count - 1), verdict)) {
      return true;
    }
  }
  return false;
}

// For a set of directions by which a cell was reached, and the free cells around it: the steps to
// try next. With all directions in the set these are all legal steps.
class StepTable {
 public:
  explicit StepTable(Neighbours rule) : steps_(std::size_t{256} * 256, 0) {
    for (unsigned around = 0; around < 256; ++around) {
      for (int came = 0; came < 8; ++came)
        steps_[at(1U << came, around)] = single(rule, came, around);
      for (unsigned set = 1; set < 256; ++set) {
        const unsigned low = set & (~set + 1);
        steps_[at(set, around)] |= steps_[at(low, around)];
        if (set != low) steps_[at(set, around)] |= steps_[at(set ^ low, around)];
      }
    }
  }

  const std::uint8_t* data() const { return steps_.data(); }
  static std::size_t at(unsigned set, unsigned around) { return std::size_t{set} << 8 | around; }

 private:
  static std::uint8_t single(Neighbours rule, int came, unsigned around) {
    Block block{};
    for (int k = 0; k < 8; ++k) {
      const auto [dr, dc] = kDirections[static_cast<std::size_t>(k)];
      block[static_cast<std::size_t>(1 + dr)][static_cast<std::size_t>(1 + dc)] =
          static_cast<int>(around >> k & 1U);
    }
    const auto [pr, pc] = kDirections[static_cast<std::size_t>(came)];
    const int row = 1 - pr, column = 1 - pc;
    block[1][1] = 1;
    unsigned steps = 0;
    for (int next = 0; next < 8; ++next) {
      if (!legal(block, rule, 1, 1, next)) continue;
      const auto [dr, dc] = kDirections[static_cast<std::size_t>(next)];
      const int rival[2] = {came, next};
      if (!better_way(block, rule, row, column, 1 + dr, 1 + dc, cost_of(came) + cost_of(next),
                      rival, 2, 0)) {
        steps |= 1U << next;
      }
    }
    return static_cast<std::uint8_t>(steps);
  }

  std::vector<std::uint8_t> steps_;
};

const StepTable& step_table(Neighbours rule) {
  static const std::array<StepTable, 3> tables{StepTable(Neighbours::four),
                                               StepTable(Neighbours::eight),
                                               StepTable(Neighbours::eight_strict)};
  return tables[static_cast<std::size_t>(rule)];
}

// ---- the search ------------------------------------------------------------------------------

// Cells that wait. Room is made beforehand, so that adding is a store.
class Bucket {
 public:
  void make_room(std::size_t more) {
    const auto used = static_cast<std::size_t>(end_ - cells_.data());
    if (cells_.size() < used + more) {
      cells_.resize(std::max(used + more, 2 * cells_.size()));
      end_ = cells_.data() + used;
    }
  }
  void add(std::uint32_t cell) { *end_++ = cell; }
  void clear() { end_ = cells_.data(); }
  bool empty() const { return end_ == cells_.data(); }
  std::size_t size() const { return static_cast<std::size_t>(end_ - cells_.data()); }
  const std::uint32_t* begin() const { return cells_.data(); }
  const std::uint32_t* end() const { return end_; }

 private:
  std::vector<std::uint32_t> cells_;
  std::uint32_t* end_ = cells_.data();
};

struct Free {
  void operator()(void* p) const { std::free(p); }
};
template <class T>
using Memory = std::unique_ptr<T[], Free>;

// What happens besides when a label is given. The plain search needs nothing.
struct Plain {
  static constexpr bool prune = true;
  void improved(std::uint32_t, std::uint32_t) const {}
  void tied(std::uint32_t, std::uint32_t) const {}
  void settled(std::uint32_t, std::uint64_t) const {}
};

// Notes the steps to each cell that is settled.
struct Noting {
  static constexpr bool prune = true;
  std::vector<Steps>& steps;
  void improved(std::uint32_t, std::uint32_t) const {}
  void tied(std::uint32_t, std::uint32_t) const {}
  void settled(std::uint32_t cell, std::uint64_t cost) const { steps[cell] = steps_of(cost); }
};

// Hands labels on along all shortest paths, the smallest first.
struct Spreading {
  static constexpr bool prune = false;
  std::vector<std::int32_t>& labels;
  void improved(std::uint32_t from, std::uint32_t to) const { labels[to] = labels[from]; }
  void tied(std::uint32_t from, std::uint32_t to) const {
    labels[to] = std::min(labels[to], labels[from]);
  }
  void settled(std::uint32_t, std::uint64_t) const {}
};

class Search {
 public:
  Search(const Grid& grid, Neighbours rule)
      : grid_(grid), around_(grid.around()), steps_(step_table(rule).data()) {
    // Fresh pages are zero, and pages that the search never reaches cost nothing.
    cost_.reset(static_cast<std::uint32_t*>(std::malloc(grid.size() * sizeof(std::uint32_t))));
    came_.reset(static_cast<std::uint8_t*>(std::calloc(grid.size(), 1)));
    if (cost_ == nullptr || came_ == nullptr) throw std::bad_alloc();
    for (std::size_t k = 0; k < 8; ++k) {
      offset_[k] =
          kDirections[k].row * static_cast<std::int64_t>(grid.columns()) + kDirections[k].column;
    }
  }

  // Whether cell i has a label; it is final once the search has ended at it.
  bool reached(std::uint32_t i) const { return came_[i] != 0; }

  // Labels cells until all of `goals` (free cells) are settled, or everything that can be reached
  // if there are none.
  template <class Action>
  void run(Span<const std::uint32_t> sources, Span<const std::uint32_t> goals,
           const Action& action) {
    std::array<Bucket, 3> buckets;
    buckets[0].make_room(sources.size());
    for (const std::uint32_t source : sources) {
      if (came_[source] != 0) continue;
      came_[source] = kSource;
      cost_[source] = 0;
      buckets[0].add(source);
    }
    std::size_t goal = 0;
    std::uint64_t base = 0;
    std::size_t now = 0;
    for (int empty = 0; empty < 2; ++now, base += kStraightCost) {
      Bucket& bucket = buckets[now % 3];
      Bucket& next = buckets[(now + 1) % 3];
      empty = bucket.empty() ? empty + 1 : 0;
      settle(bucket, next, buckets[(now + 2) % 3], base, action);
      bucket.clear();
      if (goals.empty()) continue;
      // Only one goal is watched at a time. A label that waits lies less than two buckets ahead;
      // modulo 2^32 an old one may look so, which puts the end off by a bucket or two.
      const auto end = static_cast<std::uint32_t>(base + kStraightCost);
      while (goal < goals.size() && came_[goals[goal]] != 0 &&
             cost_[goals[goal]] - end >= 2 * kStraightCost) {
        ++goal;
      }
      if (goal == goals.size()) return;
    }
  }

  // The way from the only source to a settled cell: its steps and, if wanted, its cells.
  Steps trace(std::uint32_t source, std::uint32_t goal, std::vector<Cell>* cells) const {
    Steps steps;
    const std::size_t begin = cells != nullptr ? cells->size() : 0;
    for (std::uint32_t i = goal;;) {
      if (cells != nullptr) cells->push_back(grid_.cell(i));
      if (i == source) break;
      const int k = lowest(came_[i]);
      ++(k < kDiagonals ? steps.diagonal : steps.straight);
      i = static_cast<std::uint32_t>(i - offset_[static_cast<std::size_t>(k)]);
    }
    if (cells != nullptr) {
      std::reverse(cells->begin() + static_cast<std::ptrdiff_t>(begin), cells->end());
    }
    return steps;
  }

 private:
  static constexpr std::uint8_t kSource = 0xFF;  // every direction: all steps are tried

  template <class Action>
  void settle(const Bucket& bucket, Bucket& next, Bucket& after, std::uint64_t base,
              const Action& action) {
    const auto base32 = static_cast<std::uint32_t>(base);
    std::uint32_t* const cost = cost_.get();
    std::uint8_t* const came = came_.get();
    next.make_room(8 * bucket.size());
    after.make_room(4 * bucket.size());
    for (const std::uint32_t i : bucket) {
      const std::uint32_t here = cost[i];
      const std::uint32_t above = here - base32;
      if (above >= kStraightCost) continue;  // settled before, by a shorter path
      action.settled(i, base + above);
      const unsigned set = Action::prune ? came[i] : kSource;
      const unsigned steps = steps_[StepTable::at(set, around_[i])];

      for (unsigned rest = steps >> kDiagonals; rest != 0; rest &= rest - 1) {
        const int k = kDiagonals + lowest(rest);
        const auto j = static_cast<std::uint32_t>(i + offset_[static_cast<std::size_t>(k)]);
        const std::uint32_t c = here + kStraightCost;
        if (came[j] == 0) {
          next.add(j);
        } else {
          const auto gain = static_cast<std::int32_t>(cost[j] - c);
          if (gain <= 0) {
            if (gain == 0) {
              came[j] = static_cast<std::uint8_t>(came[j] | 1U << k);
              action.tied(i, j);
            }
            continue;
          }
          // It waits in the next bucket already unless its old label lies beyond that one.
          if (cost[j] - base32 >= 2 * kStraightCost) next.add(j);
        }
        cost[j] = c;
        came[j] = static_cast<std::uint8_t>(1U << k);
        action.improved(i, j);
      }

      constexpr unsigned diagonals = (1U << kDiagonals) - 1;
      for (unsigned rest = steps & diagonals; rest != 0; rest &= rest - 1) {
        const int k = lowest(rest);
        const auto j = static_cast<std::uint32_t>(i + offset_[static_cast<std::size_t>(k)]);
        const std::uint32_t c = here + kDiagonalCost;
        const bool soon = c - base32 < 2 * kStraightCost;
        if (came[j] == 0) {
          (soon ? next : after).add(j);
        } else {
          const auto gain = static_cast<std::int32_t>(cost[j] - c);
          if (gain <= 0) {
            if (gain == 0) {
              came[j] = static_cast<std::uint8_t>(came[j] | 1U << k);
              action.tied(i, j);
            }
            continue;
          }
          if (soon && cost[j] - base32 >= 2 * kStraightCost) next.add(j);
        }
        cost[j] = c;
        came[j] = static_cast<std::uint8_t>(1U << k);
        action.improved(i, j);
      }
    }
  }

  const Grid& grid_;
  const std::uint8_t* around_;
  const std::uint8_t* steps_;
  Memory<std::uint32_t> cost_;  // modulo 2^32, where came_ is not 0
  Memory<std::uint8_t> came_;   // directions of the last steps of the shortest ways here
  std::array<std::int64_t, 8> offset_{};
};

PathStatus status_of(const Grid& grid, Cell start, Cell goal) {
  if (!grid.inside(start)) return PathStatus::start_outside;
  if (!grid.free(start)) return PathStatus::start_blocked;
  if (!grid.inside(goal)) return PathStatus::goal_outside;
  return grid.free(goal) ? PathStatus::ok : PathStatus::goal_blocked;
}

// What one search found: for its pairs in order, steps and cells.
struct Found {
  std::vector<PathStatus> status;
  std::vector<Steps> steps;
  std::vector<std::size_t> ends;
  std::vector<Cell> cells;
};

Found find(const Grid& grid, Neighbours rule, std::uint32_t source,
           const std::vector<std::uint32_t>& goals, bool with_cells) {
  Search search(grid, rule);
  search.run(Span<const std::uint32_t>(&source, 1), goals, Plain{});
  Found found;
  for (const std::uint32_t goal : goals) {
    const bool reached = search.reached(goal);
    found.status.push_back(reached ? PathStatus::ok : PathStatus::unreachable);
    found.steps.push_back(reached ? search.trace(source, goal, with_cells ? &found.cells : nullptr)
                                  : Steps{-1, -1});
    found.ends.push_back(found.cells.size());
  }
  return found;
}

}  // namespace

Paths shortest_paths(const Grid& grid, Neighbours rule, Span<const Cell> starts,
                     Span<const Cell> goals, bool with_cells, int threads) {
  const std::size_t n = starts.size();
  if (goals.size() != n) {
    bad_argument("goals", std::to_string(n) + " cells as in starts", std::to_string(goals.size()));
  }
  Paths out;
  out.status.resize(n);
  out.steps.assign(n, Steps{-1, -1});
  std::vector<std::size_t> order;  // the pairs to search for, those with one start together
  for (std::size_t k = 0; k < n; ++k) {
    out.status[k] = status_of(grid, starts[k], goals[k]);
    if (out.status[k] == PathStatus::ok) order.push_back(k);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return grid.index(starts[a]) < grid.index(starts[b]);
  });
  std::vector<std::size_t> group;  // where each start begins in `order`
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k == 0 || grid.index(starts[order[k]]) != grid.index(starts[order[k - 1]])) {
      group.push_back(k);
    }
  }
  group.push_back(order.size());

  std::vector<Found> found(group.size() - 1);
  parallel_for(found.size(), 1, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t g = begin; g < end; ++g) {
      std::vector<std::uint32_t> targets;
      for (std::size_t k = group[g]; k < group[g + 1]; ++k) {
        targets.push_back(grid.index(goals[order[k]]));
      }
      found[g] = find(grid, rule, grid.index(starts[order[group[g]]]), targets, with_cells);
    }
  });

  std::vector<std::pair<const Cell*, std::size_t>> pieces(n, {nullptr, 0});
  for (std::size_t g = 0; g < found.size(); ++g) {
    for (std::size_t k = group[g]; k < group[g + 1]; ++k) {
      const std::size_t m = k - group[g];
      const std::size_t first = m > 0 ? found[g].ends[m - 1] : 0;
      out.status[order[k]] = found[g].status[m];
      out.steps[order[k]] = found[g].steps[m];
      pieces[order[k]] = {found[g].cells.data() + first, found[g].ends[m] - first};
    }
  }
  out.offsets.assign(1, 0);
  for (const auto& [first, count] : pieces) {
    if (count > 0) out.cells.insert(out.cells.end(), first, first + count);
    out.offsets.push_back(static_cast<std::int64_t>(out.cells.size()));
  }
  return out;
}

std::vector<Steps> steps_from(const Grid& grid, Neighbours rule, Span<const Cell> sources) {
  std::vector<std::uint32_t> start;
  for (const Cell c : sources) {
    if (grid.free(c)) start.push_back(grid.index(c));
  }
  std::vector<Steps> out(grid.size(), Steps{-1, -1});
  if (start.empty()) return out;
  Search(grid, rule).run(start, {}, Noting{out});
  return out;
}

std::vector<std::int32_t> spread_labels(const Grid& grid, Neighbours rule,
                                        Span<const std::int32_t> labels) {
  if (labels.size() != grid.size()) {
    bad_argument("labels", std::to_string(grid.size()) + " cells", std::to_string(labels.size()));
  }
  std::vector<std::int32_t> out(grid.size(), 0);
  std::vector<std::uint32_t> start;
  for (std::size_t i = 0; i < grid.size(); ++i) {
    if (!grid.free(i) || labels[i] <= 0) continue;
    out[i] = labels[i];
    start.push_back(static_cast<std::uint32_t>(i));
  }
  Search(grid, rule).run(start, {}, Spreading{out});
  return out;
}

}  // namespace esi
