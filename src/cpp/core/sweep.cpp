#include "core/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/parallel.hpp"

namespace esi {
namespace {

// Room for the rounding of squared distances, so that no box is skipped that holds the answer.
constexpr double prune_room = 1.0 + 1e-14;

// Lower bound of the part of the move start + t * move, t in [0, 1], at which it enters the box
// grown by `margin`; infinity if never.
double entry(const Box& box, Vec3 start, Vec3 move, double margin) {
  double enter = 0.0, leave = 1.0;
  for (int k = 0; k < 3; ++k) {
    const double lower = box.lower[k] - margin - start[k];
    const double upper = box.upper[k] + margin - start[k];
    if (move[k] == 0.0) {
      if (lower > 0.0 || upper < 0.0) return std::numeric_limits<double>::infinity();
      continue;
    }
    const double a = lower / move[k], b = upper / move[k];
    enter = std::max(enter, std::min(a, b));
    leave = std::min(leave, std::max(a, b));
  }
  // Rounding of the quotients, so that a box is never missed by a hair.
  const double room = 4e-16 * (1.0 + std::abs(enter));
  return enter <= leave + room ? std::max(enter - room, 0.0)
                               : std::numeric_limits<double>::infinity();
}

// When a sphere that does not touch the triangle at the start first does, by Newton's method.
// The distance to a convex set is convex along a line, so that the tangent's root never
// overshoots: the iterates climb to the first contact from below. Infinity if there is none
// before `limit`.
double first_contact(Vec3 start, Vec3 move, double radius, const Triangle& t, double limit) {
  const double rounding = 1e-15 * (radius + norm(start) + norm(move));
  double time = 0.0;
  for (int step = 0; step < 100; ++step) {
    const Vec3 center = start + move * time;
    const Vec3 offset = center - closest_on_triangle(center, t);
    const double distance = norm(offset);
    const double room = distance - radius;
    if (room <= rounding) return time;
    const double speed = -dot(offset, move) / distance;
    if (!(speed > 0.0)) return std::numeric_limits<double>::infinity();
    const double next = time + room / speed;
    if (next > limit) return std::numeric_limits<double>::infinity();
    if (next == time) return time;
    time = next;
  }
  return time;
}

}  // namespace

void Obstacles::sync(const SceneView& scene, int threads) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<std::size_t> changed;
  bool different = parts_.size() < scene.instance_count();
  parts_.resize(std::max(parts_.size(), scene.instance_count()));
  for (std::size_t i = 0; i < scene.instance_count(); ++i) {
    const Instance& instance = scene.instance(static_cast<std::int32_t>(i));
    if (!parts_[i]) parts_[i] = std::make_unique<Part>();
    Part& part = *parts_[i];
    const std::int32_t mesh = instance.alive ? instance.mesh : -1;
    if (part.mesh == mesh && (mesh < 0 || part.to_world.m == instance.to_world.m)) continue;
    part.mesh = mesh;
    part.object_id = instance.object_id;
    part.to_world = instance.to_world;
    changed.push_back(i);
  }
  if (changed.empty() && !different) return;
  parallel_for(changed.size(), 1, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) {
      Part& part = *parts_[changed[k]];
      std::vector<Triangle> triangles;
      part.faces.clear();
      if (part.mesh >= 0) {
        const Instance& instance = scene.instance(static_cast<std::int32_t>(changed[k]));
        part.faces = instance.shape->clusters.faces;
        triangles.reserve(part.faces.size());
        for (const std::int32_t face : part.faces) {
          const auto corners = instance.triangle(face);
          triangles.push_back({corners[0], corners[1], corners[2]});
        }
      }
      part.tree = TriangleTree(std::move(triangles));
    }
  });
  placed_.clear();
  std::vector<Box> boxes;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i]->tree.empty()) continue;
    placed_.push_back(static_cast<std::int32_t>(i));
    boxes.push_back(parts_[i]->tree.bounds());
  }
  top_ = BoxTree(boxes, 1);
}

template <class Key, class Limit, class Leaf>
void Obstacles::visit(Span<const std::int32_t> ignore, Key&& key, Limit&& limit,
                      Leaf&& leaf) const {
  top_.visit_ordered(key, limit, [&](std::int32_t first, std::int32_t count) {
    for (std::int32_t k = first; k < first + count; ++k) {
      const std::int32_t instance =
          placed_[static_cast<std::size_t>(top_.order()[static_cast<std::size_t>(k)])];
      const Part& part = *parts_[static_cast<std::size_t>(instance)];
      if (std::find(ignore.begin(), ignore.end(), part.object_id) != ignore.end()) continue;
      part.tree.tree().visit_ordered(
          key, limit, [&](std::int32_t begin, std::int32_t n) { leaf(part, instance, begin, n); });
    }
  });
}

Sweep Obstacles::sweep(Vec3 start, Vec3 end, double radius, Span<const std::int32_t> ignore) const {
  Sweep best;
  const Vec3 move = end - start;
  const double scale = norm(start) + norm(move) + radius;
  const double tolerance = 1e-9 * radius + 1e-14 * scale;
  const double margin = radius + tolerance;
  double least = 1.0;

  const auto test = [&](const Triangle& t, std::int32_t object_id) {
    const Vec3 offset = start - closest_on_triangle(start, t);
    const double distance = norm(offset);
    const bool touching = distance <= margin;
    if (touching) best.status = SweepStatus::start_in_contact;
    // Convexity: a distance that does not shrink at the start never does. (Sunk in to the middle,
    // there is no direction to speak of, and the sphere may leave as it likes.)
    if (!(dot(offset, move) < 0.0)) return;
    const double deepest = std::sqrt(closest_segment_triangle(start, end, t).squared);
    if (!(deepest < std::min(distance, radius) - tolerance)) return;
    const double time = touching ? 0.0 : first_contact(start, move, radius, t, least);
    if (time < least || (!best.blocked && time <= least)) {
      least = time;
      best.blocked = true;
      best.object_id = object_id;
    }
  };
  const auto key = [&](const Box& box) { return entry(box, start, move, margin); };
  visit(
      ignore, key, [&] { return least; },
      [&](const Part& part, std::int32_t, std::int32_t first, std::int32_t count) {
        for (std::int32_t i = first; i < first + count; ++i) {
          const Triangle& t = part.tree.at(i);
          if (key(t.box()) <= least) test(t, part.object_id);
        }
      });
  best.fraction = best.blocked ? least : 1.0;
  return best;
}

NearestObjects Obstacles::between(std::int32_t object_a, std::int32_t object_b) const {
  NearestObjects best;
  for (const std::int32_t i : placed_) {
    const Part& a = *parts_[static_cast<std::size_t>(i)];
    if (a.object_id != object_a) continue;
    for (const std::int32_t j : placed_) {
      const Part& b = *parts_[static_cast<std::size_t>(j)];
      if (b.object_id != object_b) continue;
      NearestPair pair = nearest_pair(a.tree, b.tree, best.nearest.distance);
      if (!(pair.distance < best.nearest.distance)) continue;
      pair.triangle_a = a.faces[static_cast<std::size_t>(pair.triangle_a)];
      pair.triangle_b = b.faces[static_cast<std::size_t>(pair.triangle_b)];
      best = {pair, i, j};
    }
  }
  return best;
}

NearestSurface Obstacles::nearest(Vec3 p, Span<const std::int32_t> ignore) const {
  NearestSurface best;
  double least = std::numeric_limits<double>::infinity();
  visit(
      ignore, [&](const Box& box) { return squared_distance(box, p); },
      [&] { return least * prune_room; },
      [&](const Part& part, std::int32_t instance, std::int32_t first, std::int32_t count) {
        for (std::int32_t i = first; i < first + count; ++i) {
          const Vec3 q = closest_on_triangle(p, part.tree.at(i));
          const double d = squared_distance(p, q);
          if (!(d < least)) continue;
          least = d;
          best.nearest = {std::sqrt(d), q,
                          part.faces[static_cast<std::size_t>(part.tree.index(i))]};
          best.instance = instance;
        }
      });
  return best;
}

}  // namespace esi
