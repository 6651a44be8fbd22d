// How much liquid a vessel holds as it stands.
#pragma once

#include <cstddef>

#include "core/tree.hpp"
#include "core/types.hpp"

namespace esi {

struct Fill {
  double volume = 0;
  double level = 0;  // height of the surface of the largest pool, NaN if nothing is held
};

// Liquid poured over closed triangles from above, +z being up, until it runs off everywhere. Where
// liquid stands is decided in columns about `spacing` apart, in each of which heights are exact.
// Columns are connected where a straight horizontal way between them is free, so nothing leaks
// through a wall, however thin; an opening narrower than the spacing may be missed. `oriented`:
// whether faces agree about the outside, so that overlapping parts can be told from hollows.
Fill fill_volume(Span<const Triangle> triangles, double spacing, bool oriented);

}  // namespace esi
