#include "core/fluid.hpp"

#include <algorithm>
#include <cmath>

#include "core/clones.hpp"
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
constexpr std::size_t kLanes = 8;
// Interpolated distances may be wrong by a share of a cell: clearance counts less this much radius.
constexpr double kSlack = 0.25;
// Of the directions away from their walls: neighbours with less between them are on one side.
constexpr double kOneSide = 0.7;

}  // namespace

struct FluidRow {
  double density, squares, nearest;
  Vec3 all;
};

// Not in an anonymous namespace: clones need a name that the linker sees.
ESI_CLONES FluidRow fluid_row(const Vec3* positions, const std::int32_t* neighbours,
                              std::size_t count, Vec3 at, double reach, double weight, double* gx,
                              double* gy, double* gz);
ESI_CLONES Vec3 fluid_shift(const double* pull, const std::int32_t* neighbours, std::size_t count,
                            double own, const double* gx, const double* gy, const double* gz);

// Density and its gradients by the neighbours of one particle, several at a time. The cubic spline
// of SPH is 2 (1 - q)^3 - 8 (1/2 - q)^3, each term only where it is positive.
ESI_CLONES FluidRow fluid_row(const Vec3* positions, const std::int32_t* neighbours,
                              std::size_t count, Vec3 at, double reach, double weight, double* gx,
                              double* gy, double* gz) {
  double density[kLanes] = {}, squares[kLanes] = {}, nearest[kLanes], ax[kLanes] = {},
         ay[kLanes] = {}, az[kLanes] = {};
  for (double& d : nearest) d = reach;
  const double inverse = 1 / reach, steep = 6 * weight / reach;
  for (std::size_t first = 0; first < count; first += kLanes) {
    const std::size_t n = std::min(kLanes, count - first);
    double x[kLanes], y[kLanes], z[kLanes];
    for (std::size_t i = 0; i < n; ++i) {
      const Vec3& p = positions[neighbours[first + i]];
      x[i] = at.x - p.x;
      y[i] = at.y - p.y;
      z[i] = at.z - p.z;
    }
    for (std::size_t i = n; i < kLanes; ++i) x[i] = y[i] = z[i] = 2 * reach;
    for (std::size_t i = 0; i < kLanes; ++i) {
      const double d = std::sqrt(x[i] * x[i] + y[i] * y[i] + z[i] * z[i]);
      nearest[i] = d < nearest[i] ? d : nearest[i];
      const double q = d * inverse;
      const double t = q < 1 ? 1 - q : 0.0, u = q < 0.5 ? 0.5 - q : 0.0;
      density[i] += weight * (2 * t * t * t - 8 * u * u * u);
      const double s = steep * (4 * u * u - t * t) / (d > 1e-9 * reach ? d : 1e-9 * reach);
      x[i] *= s;
      y[i] *= s;
      z[i] *= s;
      ax[i] += x[i];
      ay[i] += y[i];
      az[i] += z[i];
      squares[i] += x[i] * x[i] + y[i] * y[i] + z[i] * z[i];
    }
    std::copy_n(x, n, gx + first);
    std::copy_n(y, n, gy + first);
    std::copy_n(z, n, gz + first);
  }
  FluidRow out{0, 0, reach, {}};
  for (std::size_t i = 0; i < kLanes; ++i) {
    out.density += density[i];
    out.squares += squares[i];
    out.nearest = std::min(out.nearest, nearest[i]);
    out.all += Vec3{ax[i], ay[i], az[i]};
  }
  return out;
}

ESI_CLONES Vec3 fluid_shift(const double* pull, const std::int32_t* neighbours, std::size_t count,
                            double own, const double* gx, const double* gy, const double* gz) {
  Vec3 out;
  for (std::size_t k = 0; k < count; ++k) {
    const double both = own + pull[neighbours[k]];
    out.x += gx[k] * both;
    out.y += gy[k] * both;
    out.z += gz[k] * both;
  }
  return out;
}

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
  const double* clear = clearance_.data() + i * placed.size();
  // Twice, for corners: sliding along one solid may lead into another.
  for (int round = 0; round < 2; ++round) {
    const Vec3 before = goal;
    for (std::size_t k = 0; k < placed.size(); ++k) {
      const Placed& solid = placed[k];
      // In the solid's own frame, where walls stand still while it moves.
      const Vec3 a = solid.was_local.point(previous_[i]), b = solid.to_local.point(goal);
      const Vec3 way = b - a;
      const double length = norm(way);
      if (length + gap_ + kSlack * settings_.radius < clear[k]) continue;
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
    if (goal == before) break;
  }
  positions[i] = goal;
}

void Fluid::find_clearance(Span<const Placed> placed, int threads) {
  clearance_.resize(size() * placed.size());
  parallel_for(size(), kGrain, threads, [&](std::size_t first, std::size_t last) {
    Vec3 outward;
    for (std::size_t i = first; i < last; ++i) {
      for (std::size_t k = 0; k < placed.size(); ++k) {
        const Vec3 local = placed[k].was_local.point(previous_[i]);
        double& clear = clearance_[i * placed.size() + k];
        if (!placed[k].field->sample(local, &clear, &outward)) {
          clear = placed[k].field->outside(local);
        }
      }
    }
  });
}

void Fluid::find_neighbours(Span<const Placed> placed, Span<const HalfSpace> planes, int threads) {
  const RadiusGraph graph =
      radius_graph({positions.data(), positions.size()}, Reach{reach_ * 1.05, 0.0}, threads);
  find_walls(placed, planes, threads);
  // Only those with no wall in between.
  const std::size_t per = placed.size() + planes.size();
  const auto parted = [&](std::size_t i, std::size_t j) {
    const Vec3 a = positions[i], b = positions[j];
    for (std::size_t k = 0; k < placed.size(); ++k) {
      const Wall &one = walls_[i * per + k], &two = walls_[j * per + k];
      // Nothing is in what both are clear of, and one side of a wall looks one way.
      if (one.distance >= reach_ || two.distance >= reach_) continue;
      if (one.distance + two.distance > norm(a - b)) continue;
      if (dot(one.outward, two.outward) > kOneSide) continue;
      const Placed& solid = placed[k];
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
        keep[at] = parted(std::min(i, j), std::max(i, j)) ? 0 : 1;
        count += keep[at];
      }
      offsets_[i + 1] = count;
    }
  });
  for (std::size_t i = 0; i < size(); ++i) offsets_[i + 1] += offsets_[i];
  neighbours_.resize(static_cast<std::size_t>(offsets_[size()]));
  for (auto& axis : gradient_) axis.resize(neighbours_.size());
  doubled_.resize(size());
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
      for (std::size_t k = 0; k < placed.size(); ++k, ++wall) {
        const Placed& solid = placed[k];
        *wall = {reach_, {}};
        const Vec3 local = solid.to_local.point(positions[i]);
        const double gone = norm(local - solid.was_local.point(previous_[i]));
        if (clearance_[i * placed.size() + k] - gone > reach_ + kSlack * settings_.radius) continue;
        if (solid.field->sample(local, &wall->distance, &wall->outward)) {
          wall->outward = solid.pose.direction(wall->outward);
        }
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
  const double weight = volume_ * 8 / (kPi * reach_ * reach_ * reach_);
  // A typical square of the gradient, in units of which the softening is given: at two radii.
  const double steep = 1.5 * weight / reach_;
  const double soft = kSoft * 6 * steep * steep;
  const auto row = [&](std::size_t i) { return static_cast<std::size_t>(offsets_[i]); };
  parallel_for(size(), kGrain, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const std::size_t at = row(i);
      const FluidRow found = fluid_row(positions.data(), neighbours_.data() + at, row(i + 1) - at,
                                       positions[i], reach_, weight, gradient_[0].data() + at,
                                       gradient_[1].data() + at, gradient_[2].data() + at);
      double density = own + found.density;
      Vec3 all = found.all;
      doubled_[i] = found.nearest > 0 ? 0 : 1;
      for (std::size_t w = 0; w < per; ++w) {
        const Wall& wall = walls_[i * per + w];
        if (wall.distance >= reach_) continue;
        density += filled(wall.distance);
        all += wall.outward * filled_slope(wall.distance);
      }
      density_[i] = density;
      const double excess = density - 1;
      pull_[i] = excess > 0 ? -excess / (found.squares + dot(all, all) + soft) : 0.0;
    }
  });
  parallel_for(size(), kGrain, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const std::size_t at = row(i);
      Vec3 shift =
          fluid_shift(pull_.data(), neighbours_.data() + at, row(i + 1) - at, pull_[i],
                      gradient_[0].data() + at, gradient_[1].data() + at, gradient_[2].data() + at);
      // Two in one place would stay together for ever: part them, by their order.
      for (std::size_t k = at; doubled_[i] != 0 && k < row(i + 1); ++k) {
        const auto j = static_cast<std::size_t>(neighbours_[k]);
        if (positions[i] == positions[j]) shift.z += (i < j ? -0.1 : 0.1) * settings_.radius;
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
    find_clearance(solids, threads);
    parallel_for(size(), kGrain, threads, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        velocities[i] += gravity * dt;
        move(i, positions[i] + velocities[i] * dt, solids, planes);
      }
    });
    find_neighbours(solids, planes, threads);
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
