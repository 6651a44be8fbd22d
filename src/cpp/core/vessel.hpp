// How much liquid a vessel holds as it stands.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/tree.hpp"
#include "core/types.hpp"

namespace esi {

struct Capacity {
  double volume = 0;
  double level = 0;  // of the highest surface, NaN if nothing is held
};

// The most liquid at rest that closed triangles hold, +z being up: poured over them until it runs
// off everywhere. Faces must agree about the outside; parts may overlap, closed hollows hold
// nothing.
//
// Liquid stands in columns about `spacing` apart, in each of which heights are exact, below the
// lowest pass over which it could run off. Passes are found from outside, lowest first, by a
// priority flood (R. Barnes et al., Priority-Flood, Computers and Geosciences 2014) over the free
// stretches of the columns. Columns are connected where a straight horizontal way between them is
// free, so nothing leaks through a wall, however thin; an opening narrower than the spacing may be
// missed.
Capacity vessel_capacity(Span<const Triangle> triangles, double spacing);

// A stretch of a column in which liquid can stand, from `low` up to `high`.
struct Pool {
  std::int32_t column[2];
  double low, high;
};

// The columns, whose centres are `first` + index * `step`, and all of their pools.
struct Pools {
  std::array<double, 2> first, step;
  std::array<std::int64_t, 2> count;
  std::vector<Pool> all;
};

// Where the liquid of `vessel_capacity` stands: the pools are full to their `high`.
Pools vessel_pools(Span<const Triangle> triangles, double spacing);

}  // namespace esi
