#include "core/cloth.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "core/clones.hpp"
#include "core/error.hpp"
#include "core/particles.hpp"

namespace esi {

namespace {

constexpr int kRounds = 64;

ClothLinks in_rounds(std::size_t particles, const std::vector<ClothLink>& links) {
  std::vector<std::uint64_t> taken(particles);  // bits of the rounds
  std::vector<std::pair<int, std::size_t>> order;
  for (std::size_t n = 0; n < links.size(); ++n) {
    std::uint64_t& a = taken[static_cast<std::size_t>(links[n].a)];
    std::uint64_t& b = taken[static_cast<std::size_t>(links[n].b)];
    int round = 0;
    while (round < kRounds && (((a | b) >> round) & 1) != 0) ++round;
    if (round < kRounds) {
      a |= std::uint64_t{1} << round;
      b |= std::uint64_t{1} << round;
    }
    order.emplace_back(round, n);
  }
  std::sort(order.begin(), order.end());
  ClothLinks out;
  for (const auto& [round, n] : order) {
    // What is left when all rounds are full goes one by one.
    const bool fresh =
        out.all.empty() || round == kRounds || round != order[out.all.size() - 1].first;
    if (fresh) out.rounds.push_back(out.all.size());
    out.all.push_back(links[n]);
  }
  out.rounds.push_back(out.all.size());
  return out;
}

}  // namespace

Cloth::Cloth(Span<const Vec3> rest, Span<const std::int32_t> faces, const ClothMaterial& material)
    : positions(rest.begin(), rest.end()),
      velocities(rest.size()),
      pinned(rest.size(), 0),
      material_(material),
      weight_(rest.size()),
      inverse_mass_(rest.size()),
      faces_(faces.begin(), faces.end()),
      points_(rest.size()),
      previous_(rest.size()),
      contact_(rest.size()) {
  std::vector<double> area(rest.size());
  double whole = 0;
  // Per edge the corners of its faces that are not on it.
  std::map<std::pair<std::int32_t, std::int32_t>, std::vector<std::int32_t>> across;
  for (std::size_t f = 0; f < faces.size() / 3; ++f) {
    std::array<std::int32_t, 3> corner;
    for (std::size_t k = 0; k < 3; ++k) {
      corner[k] = faces[3 * f + k];
      if (corner[k] < 0 || static_cast<std::size_t>(corner[k]) >= rest.size()) {
        bad_argument("faces", "vertex indices below " + std::to_string(rest.size()),
                     std::to_string(corner[k]) + " in face " + std::to_string(f));
      }
    }
    const Vec3 &a = rest[static_cast<std::size_t>(corner[0])],
               &b = rest[static_cast<std::size_t>(corner[1])],
               &c = rest[static_cast<std::size_t>(corner[2])];
    const double size = norm(cross(b - a, c - a)) / 2;
    if (!(size > 0))
      bad_argument("faces", "faces with an area", "none in face " + std::to_string(f));
    whole += size;
    for (std::size_t k = 0; k < 3; ++k) {
      area[static_cast<std::size_t>(corner[k])] += size / 3;
      const auto [low, high] = std::minmax(corner[k], corner[(k + 1) % 3]);
      across[{low, high}].push_back(corner[(k + 2) % 3]);
    }
  }
  std::vector<ClothLink> edges, bends;
  const auto link = [&](std::int32_t a, std::int32_t b) {
    return ClothLink{a, b,
                     norm(rest[static_cast<std::size_t>(a)] - rest[static_cast<std::size_t>(b)])};
  };
  double shortest = std::numeric_limits<double>::infinity();
  for (const auto& [edge, opposite] : across) {
    edges.push_back(link(edge.first, edge.second));
    shortest = std::min(shortest, edges.back().length);
    for (std::size_t k = 1; k < opposite.size(); ++k) {
      bends.push_back(link(opposite[k - 1], opposite[k]));
    }
  }
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (!(area[i] > 0)) {
      bad_argument("vertices", "each in a face", "vertex " + std::to_string(i) + " in none");
    }
    inverse_mass_[i] = whole / (material.mass * area[i]);
  }
  edges_ = in_rounds(rest.size(), edges);
  bends_ = in_rounds(rest.size(), bends);
  // Wider than the edges allow, neighbours would push each other apart for ever.
  layer_gap_ = std::min(2 * material.thickness, 0.9 * shortest);
}

// Four at a time, by the compilers' own vectors: two registers each without AVX2, the same bits.
using Quad = double __attribute__((vector_size(32), may_alias));

// Not in an anonymous namespace: clones need a name that the linker sees.
ESI_CLONES void solve_links(const ClothLink* links, const double* divisors, std::size_t count,
                            const double* weight, ClothPoint* points);

// Links of one round, several at a time: none shares a particle with another. `divisors`: the sum
// of both weights and the softness.
ESI_CLONES void solve_links(const ClothLink* links, const double* divisors, std::size_t count,
                            const double* weight, ClothPoint* points) {
  constexpr std::size_t lanes = 16;
  Quad apart[lanes] = {};
  alignas(32) double square[lanes], rest[lanes] = {}, both[lanes] = {}, pull[lanes];
  for (std::size_t first = 0; first < count; first += lanes) {
    const std::size_t n = std::min(lanes, count - first);
    for (std::size_t i = 0; i < n; ++i) {
      const ClothLink& link = links[first + i];
      apart[i] = *reinterpret_cast<const Quad*>(points + link.a) -
                 *reinterpret_cast<const Quad*>(points + link.b);
      rest[i] = link.length;
      both[i] = divisors[first + i];
    }
    for (std::size_t i = 0; i < lanes; i += 4) {
      // Rows to columns: the vectors' x, y and z.
      const Quad low01 = __builtin_shufflevector(apart[i], apart[i + 1], 0, 4, 2, 6);
      const Quad high01 = __builtin_shufflevector(apart[i], apart[i + 1], 1, 5, 3, 7);
      const Quad low23 = __builtin_shufflevector(apart[i + 2], apart[i + 3], 0, 4, 2, 6);
      const Quad high23 = __builtin_shufflevector(apart[i + 2], apart[i + 3], 1, 5, 3, 7);
      const Quad x = __builtin_shufflevector(low01, low23, 0, 1, 4, 5);
      const Quad y = __builtin_shufflevector(high01, high23, 0, 1, 4, 5);
      const Quad z = __builtin_shufflevector(low01, low23, 2, 3, 6, 7);
      *reinterpret_cast<Quad*>(square + i) = x * x + y * y + z * z;
    }
    for (std::size_t i = 0; i < lanes; ++i) {
      const double length = std::sqrt(square[i]);
      const double divisor = both[i] * length;
      // Nothing to do for points in one place and for two that are held.
      const double quotient = (length - rest[i]) / (divisor > 0 ? divisor : 1.0);
      pull[i] = divisor > 0 ? quotient : 0.0;
    }
    for (std::size_t i = 0; i < n; ++i) {
      const ClothLink& link = links[first + i];
      const Quad g = apart[i] * pull[i];
      *reinterpret_cast<Quad*>(points + link.a) -= g * weight[link.a];
      *reinterpret_cast<Quad*>(points + link.b) += g * weight[link.b];
    }
  }
}

void Cloth::prepare(ClothLinks* links, double compliance, double dt) const {
  const double soft = compliance / (dt * dt);
  links->divisors.clear();
  for (const ClothLink& link : links->all) {
    links->divisors.push_back(weight_[static_cast<std::size_t>(link.a)] +
                              weight_[static_cast<std::size_t>(link.b)] + soft);
  }
}

void Cloth::solve(const ClothLinks& links) {
  for (std::size_t k = 0; k + 1 < links.rounds.size(); ++k) {
    const std::size_t first = links.rounds[k];
    solve_links(links.all.data() + first, links.divisors.data() + first,
                links.rounds[k + 1] - first, weight_.data(), points_.data());
  }
}

void Cloth::find_layers() {
  std::copy(points_.begin(), points_.end(), positions.begin());
  const RadiusGraph graph =
      radius_graph({positions.data(), positions.size()}, Reach{2 * layer_gap_, 0.0}, 1);
  near_offsets_.assign(1, 0);
  near_.clear();
  std::vector<std::vector<std::int32_t>> joined(size());
  for (const ClothLink& edge : edges_.all) {
    joined[static_cast<std::size_t>(std::min(edge.a, edge.b))].push_back(std::max(edge.a, edge.b));
  }
  for (std::size_t i = 0; i < size(); ++i) {
    for (auto k = graph.offsets[i]; k < graph.offsets[i + 1]; ++k) {
      const std::int32_t j = graph.neighbours[static_cast<std::size_t>(k)];
      const auto& mine = joined[i];
      if (static_cast<std::size_t>(j) > i && std::find(mine.begin(), mine.end(), j) == mine.end()) {
        near_.push_back(j);
      }
    }
    near_offsets_.push_back(static_cast<std::int64_t>(near_.size()));
  }
  looked_up_ = positions;
}

void Cloth::part_layers() {
  // Pairs were looked up as far as twice the gap: good until two particles went half of it each.
  const double limit = layer_gap_ * layer_gap_ / 4;
  bool stale = looked_up_.size() != size();
  for (std::size_t i = 0; i < size() && !stale; ++i) {
    const Vec3 d = points_[i] - looked_up_[i];
    stale = dot(d, d) > limit;
  }
  if (stale) find_layers();
  for (std::size_t i = 0; i < size(); ++i) {
    for (auto k = near_offsets_[i]; k < near_offsets_[i + 1]; ++k) {
      const auto j = static_cast<std::size_t>(near_[static_cast<std::size_t>(k)]);
      const Vec3 d = points_[i] - points_[j];
      const double square = dot(d, d), both = weight_[i] + weight_[j];
      if (square >= layer_gap_ * layer_gap_ || !(square > 0) || both == 0) continue;
      const double length = std::sqrt(square), depth = layer_gap_ - length;
      const Vec3 normal = d / length;
      const Vec3 slip = (points_[i] - previous_[i]) - (points_[j] - previous_[j]);
      const Vec3 along = slip - normal * dot(slip, normal);
      const double sliding = norm(along);
      const double held =
          sliding > 0 ? std::min(1.0, material_.self_friction * depth / sliding) : 0.0;
      const Vec3 push = normal * depth - along * held;
      points_[i] += push * (weight_[i] / both);
      points_[j] -= push * (weight_[j] / both);
    }
  }
}

// Pushes particle i out along `outward` by `depth`, and holds it back along the surface.
void Cloth::push(std::size_t i, double depth, Vec3 outward, double friction) {
  if (weight_[i] == 0) return;
  points_[i] += outward * depth;
  const Vec3 moved = points_[i] - previous_[i];
  const Vec3 along = moved - outward * dot(moved, outward);
  const double sliding = norm(along);
  // Coulomb: what friction takes away is at most its coefficient times the normal's push.
  if (sliding > 0) points_[i] -= along * std::min(1.0, friction * depth / sliding);
  contact_[i] = outward;
}

void Cloth::collide(const Obstacle& obstacle, const Affine& to_local, const Odometer& odometer,
                    double* due) {
  const DistanceField& field = *obstacle.field;
  const auto depth_at = [&](Vec3 point, double* again, Vec3* outward) {
    const Vec3 local = to_local.point(point);
    DistanceField::Cell cell;
    const bool known = field.find(local, &cell);
    const double depth = known ? material_.thickness - field.distance(cell) : -field.outside(local);
    // Interpolated distances change by at most sqrt(3) per metre.
    *again = odometer.before - depth * 0.577;
    if (depth <= 0) return 0.0;
    *outward = obstacle.pose.direction(field.outward(cell));
    return depth;
  };
  Vec3 outward;
  // The middles of the faces first, so that no rim or corner comes up between particles. Nothing
  // to ask where none has moved far enough since the field was asked last.
  for (std::size_t f = 0; f < faces_.size(); f += 3, ++due) {
    if (odometer.now < *due) continue;
    const std::size_t corner[3] = {faces_[f], faces_[f + 1], faces_[f + 2]};
    const Vec3 middle = (points_[corner[0]] + points_[corner[1]] + points_[corner[2]]) / 3;
    const double depth = depth_at(middle, due, &outward);
    if (depth <= 0) continue;
    for (const std::size_t i : corner) push(i, depth, outward, obstacle.friction);
  }
  for (std::size_t i = 0; i < size(); ++i, ++due) {
    if (odometer.now < *due) continue;
    const double depth = depth_at(points_[i], due, &outward);
    if (depth > 0) push(i, depth, outward, obstacle.friction);
  }
}

double Cloth::farthest_move() const {
  double most = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    const Vec3 d = points_[i] - previous_[i];
    most = std::max(most, dot(d, d));
  }
  return std::sqrt(most);
}

void Cloth::step(double dt, int steps, Vec3 gravity, Span<const Obstacle> obstacles,
                 Span<const HalfSpace> planes) {
  std::vector<Affine> to_local;
  for (const Obstacle& obstacle : obstacles) to_local.push_back(obstacle.pose.inverse());
  points_.assign(positions.begin(), positions.end());
  for (std::size_t i = 0; i < size(); ++i) weight_[i] = pinned[i] != 0 ? 0.0 : inverse_mass_[i];
  prepare(&edges_, material_.stretch, dt);
  prepare(&bends_, material_.bend, dt);
  // When each point has to be held against each obstacle again, on the odometer.
  const std::size_t points = faces_.size() / 3 + size();
  std::vector<double> due(obstacles.size() * points, -1.0);
  Odometer odometer;
  // No particle may pass through what it is held off by its thickness.
  const double farthest = 0.5 * material_.thickness, per_second = 1 / dt;
  const double kept = std::max(0.0, 1.0 - material_.damping * dt);
  for (int n = 0; n < steps; ++n) {
    for (std::size_t i = 0; i < size(); ++i) {
      previous_[i] = points_[i];
      contact_[i] = {};
      if (weight_[i] == 0) continue;
      velocities[i] = (velocities[i] + gravity * dt) * kept;
      points_[i] += velocities[i] * dt;
    }
    solve(edges_);
    solve(bends_);
    if (material_.self_collision) part_layers();
    for (std::size_t i = 0; i < size(); ++i) {
      if (weight_[i] == 0) continue;
      // Constraints move particles too: what is left of a step must not reach through a wall.
      const Vec3 moved = points_[i] - previous_[i];
      const double far2 = dot(moved, moved);
      if (far2 > farthest * farthest) {
        points_[i] = previous_[i] + moved * (farthest / std::sqrt(far2));
      }
    }
    // A push moves particles too, which the end of the step accounts for.
    odometer.before = odometer.now;
    odometer.now += farthest_move();
    for (std::size_t k = 0; k < obstacles.size(); ++k) {
      collide(obstacles[k], to_local[k], odometer, due.data() + k * points);
    }
    for (const HalfSpace& plane : planes) {
      for (std::size_t i = 0; i < size(); ++i) {
        const double height = dot(plane.normal, points_[i]) - plane.offset;
        const double depth = material_.thickness - height;
        if (depth > 0) push(i, depth, plane.normal, plane.friction);
      }
    }
    if (!obstacles.empty()) odometer.now += farthest_move();
    for (std::size_t i = 0; i < size(); ++i) {
      velocities[i] = (points_[i] - previous_[i]) * per_second;
      // Being pushed out of a solid is no jump away from it.
      const double away = dot(velocities[i], contact_[i]);
      if (away > 0) velocities[i] -= contact_[i] * away;
    }
  }
  std::copy(points_.begin(), points_.end(), positions.begin());
}

double Cloth::longest_stretch() const {
  double most = 0;
  for (const ClothLink& edge : edges_.all) {
    const Vec3 d =
        positions[static_cast<std::size_t>(edge.a)] - positions[static_cast<std::size_t>(edge.b)];
    most = std::max(most, norm(d) / edge.length - 1);
  }
  return most;
}

double Cloth::top_speed() const {
  double most = 0;
  for (const Vec3& v : velocities) most = std::max(most, norm(v));
  return most;
}

}  // namespace esi
