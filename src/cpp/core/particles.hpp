// Particles that are linked to all others within a radius: components and the graph itself.
#pragma once

#include <cstdint>
#include <vector>

#include "core/raw_vector.hpp"
#include "core/types.hpp"

namespace esi {

// When two particles are linked: their distance is at most the radius plus a tolerance. All in
// metres.
struct Reach {
  double radius = 0;
  // Below zero: a billionth of the radius plus four units in the last place of the larger
  // coordinate, so that a lattice whose spacing is the radius is linked wherever it lies, but never
  // more than a ten-thousandth of the radius.
  double tolerance = -1;
  // The relative spacing of the numbers that the coordinates were given in.
  double epsilon = 0x1p-52;
};

struct ParticleComponents {
  // Per particle the index of its component, -1 if a coordinate is not finite. Components are
  // numbered in the order of their first members.
  RawVector<std::int32_t> labels;
  std::vector<std::int64_t> sizes;
  std::int64_t largest = -1;  // the first of equals, -1 if there is none
  std::int64_t dropped = 0;
};

// The same bits for any number of threads.
ParticleComponents components(Span<const Vec3> points, const Reach& reach, int threads);

// For particle i the others linked to it, ascending: neighbours[offsets[i]] and on. Particles that
// are not finite have none.
struct RadiusGraph {
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> neighbours;
  std::int64_t dropped = 0;
};

RadiusGraph radius_graph(Span<const Vec3> points, const Reach& reach, int threads);

}  // namespace esi
