#include "core/fluid.hpp"

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"
#include "core/particles.hpp"

namespace esi {
namespace {

constexpr std::size_t kGrain = 256;
constexpr double kPi = 3.14159265358979323846;
constexpr int kTable = 256;
// Particles keep this share of their radius from walls at least; pressure keeps them at one radius.
constexpr double kGap = 0.5;
// Softens the constraint where few neighbours make it steep, in units of its gradient squared.
constexpr double kSoft = 0.05;

}  // namespace

Fluid::Fluid(Span<const Vec3> start, const FluidSettings& settings)
    : positions(start.begin(), start.end()),
      velocities(start.size()),
      settings_(settings),
      reach_(4 * settings.radius),
      gap_(kGap * settings.radius),
      previous_(start.size()),
      shift_(start.size()),
      density_(start.size()),
      pull_(start.size()) {
  // The volume for which a lattice of spacing two radii has the density 1.
  double sum = 0;
  const double spacing = 2 * settings.radius;
  for (int i = -2; i <= 2; ++i) {
    for (int j = -2; j <= 2; ++j) {
      for (int k = -2; k <= 2; ++k) sum += kernel(spacing * std::sqrt(i * i + j * j + k * k));
    }
  }
  volume_ = 1 / sum;
  // What share of the kernel lies beyond a plane at a distance s from -reach to reach: the integral
  // of its slices A(z), discs of kernel values at the height z.
  const auto slice = [&](double z) {
    const int n = 64;
    const double wide = std::sqrt(std::max(0.0, reach_ * reach_ - z * z)), step = wide / n;
    double area = 0;
    for (int i = 0; i < n; ++i) {
      const double r = (i + 0.5) * step;
      area += kernel(std::sqrt(r * r + z * z)) * 2 * kPi * r * step;
    }
    return area;
  };
  filled_.assign(kTable + 1, 0.0);
  filled_slope_.assign(kTable + 1, 0.0);
  const double step = 2 * reach_ / kTable;
  for (int i = kTable; i >= 0; --i) {
    const double s = -reach_ + i * step;
    filled_slope_[static_cast<std::size_t>(i)] = -slice(s);
    if (i < kTable) {
      const double between = slice(s + step / 2);
      filled_[static_cast<std::size_t>(i)] =
          filled_[static_cast<std::size_t>(i + 1)] +
          step / 6 * (slice(s) + 4 * between - filled_slope_[static_cast<std::size_t>(i + 1)]);
    }
  }
}

// The cubic spline of SPH, its integral over space 1.
double Fluid::kernel(double distance) const {
  const double q = distance / reach_, k = 8 / (kPi * reach_ * reach_ * reach_);
  if (q >= 1) return 0;
  return q <= 0.5 ? k * (6 * (q * q * q - q * q) + 1) : k * 2 * (1 - q) * (1 - q) * (1 - q);
}

double Fluid::slope(double distance) const {
  const double q = distance / reach_;
  const double k = 48 / (kPi * reach_ * reach_ * reach_ * reach_);
  if (q >= 1) return 0;
  return q <= 0.5 ? k * q * (3 * q - 2) : -k * (1 - q) * (1 - q);
}

double Fluid::filled(double distance) const {
  const double at = (distance + reach_) / (2 * reach_) * kTable;
  const double inside = std::clamp(at, 0.0, static_cast<double>(kTable) - 1e-9);
  const auto i = static_cast<std::size_t>(inside);
  const double t = inside - static_cast<double>(i);
  return filled_[i] + (filled_[i + 1] - filled_[i]) * t;
}

double Fluid::filled_slope(double distance) const {
  const double at = (distance + reach_) / (2 * reach_) * kTable;
  const double inside = std::clamp(at, 0.0, static_cast<double>(kTable) - 1e-9);
  const auto i = static_cast<std::size_t>(inside);
  const double t = inside - static_cast<double>(i);
  return filled_slope_[i] + (filled_slope_[i + 1] - filled_slope_[i]) * t;
}

// Moves particle i towards `target`, but into no wall. Called with the particle clear of all.
void Fluid::move(std::size_t i, Vec3 target, Span<const Placed> placed,
                 Span<const HalfSpace> planes) {
  Vec3 goal = target;
  // Twice, for corners: sliding along one solid may lead into another.
  for (int round = 0; round < 2; ++round) {
    for (const Placed& solid : placed) {
      // In the solid's own frame, where walls stand still while it moves.
      const Vec3 a = solid.was_local.point(previous_[i]), b = solid.to_local.point(goal);
      const Vec3 way = b - a;
      const double length = norm(way);
      double gone = 0, distance = 0;
      Vec3 outward;
      Vec3 at = a;
      // As far as the field says that nothing can be in between.
      for (int guard = 0; guard < 64; ++guard) {
        if (!solid.field->sample(at, &distance, &outward)) {
          // Outside the field: on in small steps until inside it or done.
          distance = gap_ + settings_.radius;
        }
        if (distance <= gap_ * 1.001 && gone < length) break;
        const double free = std::max(distance - gap_, 1e-4 * settings_.radius);
        if (gone + free >= length) {
          gone = length;
          at = b;
          break;
        }
        gone += free;
        at = a + way * (gone / length);
      }
      if (length > 0 && gone < length) {
        // Stopped at a wall: the rest of the way goes along it, as far as that is free.
        if (solid.field->sample(at, &distance, &outward)) {
          Vec3 rest = b - at;
          const double into = dot(rest, outward);
          if (into < 0) rest -= outward * into;
          double most = std::max(distance, gap_);
          const double far = norm(rest);
          if (far > most && far > 0) rest *= most / far;
          at += rest;
        }
      }
      // Push out what is still too near.
      for (int guard = 0; guard < 4; ++guard) {
        if (!solid.field->sample(at, &distance, &outward) || distance >= gap_) break;
        at += outward * (gap_ - distance);
      }
      goal = solid.pose.point(at);
    }
    for (const HalfSpace& plane : planes) {
      const double height = dot(plane.normal, goal) - plane.offset;
      if (height < gap_) goal += plane.normal * (gap_ - height);
    }
  }
  positions[i] = goal;
}

void Fluid::find_neighbours(Span<const Placed> placed, int threads) {
  const RadiusGraph graph =
      radius_graph({positions.data(), positions.size()}, Reach{reach_ * 1.05, 0.0}, threads);
  // Only those with no wall in between.
  std::vector<std::uint8_t> near_wall(size());
  parallel_for(size(), kGrain, threads, [&](std::size_t first, std::size_t last) {
    double distance = 0;
    Vec3 outward;
    for (std::size_t i = first; i < last; ++i) {
      for (const Placed& solid : placed) {
        near_wall[i] |=
            solid.field->sample(solid.to_local.point(positions[i]), &distance, &outward) &&
                    distance < reach_
                ? 1
                : 0;
      }
    }
  });
  const auto parted = [&](Vec3 a, Vec3 b) {
    for (const Placed& solid : placed) {
      const Vec3 p = solid.to_local.point(a), q = solid.to_local.point(b);
      double distance = 0;
      Vec3 outward;
      for (const double t : {0.5, 0.25, 0.75}) {
        if (solid.field->sample(p + (q - p) * t, &distance, &outward) && distance < 0) return true;
      }
    }
    return false;
  };
  std::vector<std::uint8_t> keep(graph.neighbours.size());
  offsets_.assign(size() + 1, 0);
  parallel_for(size(), kGrain, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      std::int64_t count = 0;
      for (auto k = graph.offsets[i]; k < graph.offsets[i + 1]; ++k) {
        const auto at = static_cast<std::size_t>(k);
        const auto j = static_cast<std::size_t>(graph.neighbours[at]);
        // The same way round for both, so that both see or both do not.
        const bool apart = near_wall[i] != 0 && near_wall[j] != 0 &&
                           parted(positions[std::min(i, j)], positions[std::max(i, j)]);
        keep[at] = apart ? 0 : 1;
        count += keep[at];
      }
      offsets_[i + 1] = count;
    }
  });
  for (std::size_t i = 0; i < size(); ++i) offsets_[i + 1] += offsets_[i];
  neighbours_.resize(static_cast<std::size_t>(offsets_[size()]));
  parallel_for(size(), kGrain, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      auto to = static_cast<std::size_t>(offsets_[i]);
      for (auto k = graph.offsets[i]; k < graph.offsets[i + 1]; ++k) {
        const auto at = static_cast<std::size_t>(k);
        if (keep[at] != 0) neighbours_[to++] = graph.neighbours[at];
      }
    }
  });
}

void Fluid::find_walls(Span<const Placed> placed, Span<const HalfSpace> planes, int threads) {
  const std::size_t per = placed.size() + planes.size();
  walls_.resize(size() * per);
  parallel_for(size(), kGrain, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      Wall* wall = walls_.data() + i * per;
      for (const Placed& solid : placed) {
        *wall = {reach_, {}};
        if (solid.field->sample(solid.to_local.point(positions[i]), &wall->distance,
                                &wall->outward)) {
          wall->outward = solid.pose.direction(wall->outward);
        }
        ++wall;
      }
      for (const HalfSpace& plane : planes) {
        *wall++ = {dot(plane.normal, positions[i]) - plane.offset, plane.normal};
      }
    }
  });
}

void Fluid::constrain(Span<const Placed> placed, Span<const HalfSpace> planes, int threads) {
  const std::size_t per = placed.size() + planes.size();
  find_walls(placed, planes, threads);
  const double own = kernel(0) * volume_;
  // A typical square of the gradient, in units of which the softening is given.
  const double spacing = 2 * settings_.radius;
  const double steep = volume_ * slope(spacing);
  const double soft = kSoft * 6 * steep * steep;
  parallel_for(size(), kGrain, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      double density = own, squares = 0;
      Vec3 all{};
      for (auto k = offsets_[i]; k < offsets_[i + 1]; ++k) {
        const auto j = static_cast<std::size_t>(neighbours_[static_cast<std::size_t>(k)]);
        const Vec3 d = positions[i] - positions[j];
        const double distance = norm(d);
        if (distance >= reach_) continue;
        density += volume_ * kernel(distance);
        if (distance <= 0) continue;
        const Vec3 g = d * (volume_ * slope(distance) / distance);
        all += g;
        squares += dot(g, g);
      }
      for (std::size_t w = 0; w < per; ++w) {
        const Wall& wall = walls_[i * per + w];
        if (wall.distance >= reach_) continue;
        density += filled(wall.distance);
        all += wall.outward * filled_slope(wall.distance);
      }
      density_[i] = density;
      const double excess = density - 1;
      pull_[i] = excess > 0 ? -excess / (squares + dot(all, all) + soft) : 0.0;
    }
  });
  parallel_for(size(), kGrain, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      Vec3 shift{};
      for (auto k = offsets_[i]; k < offsets_[i + 1]; ++k) {
        const auto j = static_cast<std::size_t>(neighbours_[static_cast<std::size_t>(k)]);
        const Vec3 d = positions[i] - positions[j];
        const double distance = norm(d);
        if (distance >= reach_) continue;
        if (distance > 0) {
          shift += d * ((pull_[i] + pull_[j]) * volume_ * slope(distance) / distance);
        } else {
          // Two in one place would stay together for ever: part them, by their order.
          shift.z += (i < j ? -0.1 : 0.1) * settings_.radius;
        }
      }
      for (std::size_t w = 0; w < per; ++w) {
        const Wall& wall = walls_[i * per + w];
        if (wall.distance < reach_) {
          shift += wall.outward * (pull_[i] * filled_slope(wall.distance));
        }
      }
      const double far = norm(shift), most = 0.5 * settings_.radius;
      shift_[i] = far > most ? shift * (most / far) : shift;
    }
  });
  parallel_for(size(), kGrain, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      move(i, positions[i] + shift_[i], placed, planes);
    }
  });
}

void Fluid::step(double dt, int steps, Vec3 gravity, Span<const MovingObstacle> obstacles,
                 Span<const HalfSpace> planes, int threads) {
  std::vector<Placed> placed(obstacles.size());
  // Rotations between two poses are blended by the small step's share; they are nearly equal.
  const auto pose_at = [](const MovingObstacle& o, double t) {
    Affine pose;
    for (std::size_t k = 0; k < 12; ++k) pose.m[k] = o.from.m[k] + (o.to.m[k] - o.from.m[k]) * t;
    Vec3 x = normalized(pose.column(0)), y = pose.column(1);
    y = normalized(y - x * dot(x, y));
    const Vec3 z = cross(x, y);
    for (int row = 0; row < 3; ++row) {
      pose.m[static_cast<std::size_t>(4 * row)] = x[row];
      pose.m[static_cast<std::size_t>(4 * row + 1)] = y[row];
      pose.m[static_cast<std::size_t>(4 * row + 2)] = z[row];
    }
    return pose;
  };
  for (int n = 0; n < steps; ++n) {
    for (std::size_t k = 0; k < placed.size(); ++k) {
      placed[k].field = obstacles[k].field;
      placed[k].was_local = pose_at(obstacles[k], static_cast<double>(n) / steps).inverse();
      placed[k].pose = pose_at(obstacles[k], static_cast<double>(n + 1) / steps);
      placed[k].to_local = placed[k].pose.inverse();
    }
    const Span<const Placed> solids{placed.data(), placed.size()};
    previous_ = positions;
    parallel_for(size(), kGrain, threads, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        velocities[i] += gravity * dt;
        move(i, positions[i] + velocities[i] * dt, solids, planes);
      }
    });
    find_neighbours(solids, threads);
    for (int k = 0; k < settings_.iterations; ++k) constrain(solids, planes, threads);
    for (std::size_t i = 0; i < size(); ++i) {
      velocities[i] = (positions[i] - previous_[i]) / dt;
    }
    // What neighbours share of their velocities (XSPH): shift_ holds the new ones meanwhile.
    parallel_for(size(), kGrain, threads, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        Vec3 mean{};
        for (auto k = offsets_[i]; k < offsets_[i + 1]; ++k) {
          const auto j = static_cast<std::size_t>(neighbours_[static_cast<std::size_t>(k)]);
          const double near = volume_ * kernel(norm(positions[i] - positions[j]));
          mean += (velocities[j] - velocities[i]) * near;
        }
        shift_[i] = velocities[i] + mean * settings_.viscosity;
      }
    });
    velocities.swap(shift_);
  }
}

double Fluid::mean_speed() const {
  double sum = 0;
  for (const Vec3& v : velocities) sum += norm(v);
  return size() > 0 ? sum / static_cast<double>(size()) : 0.0;
}

}  // namespace esi
