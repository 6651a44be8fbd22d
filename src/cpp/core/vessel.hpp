// How much a vessel holds, from what is free above and below in each of its vertical columns.
#pragma once

#include <cstdint>
#include <vector>

#include "core/types.hpp"

namespace esi {

// Where vertical lines on a grid of columns (x slower) cross a surface, from above: the crossings
// of column c are offsets[c] to offsets[c + 1], their heights falling.
struct ColumnCrossings {
  std::int64_t nx = 0, ny = 0;
  Span<const std::int64_t> offsets;
  Span<const double> heights;
  Span<const std::int8_t> enters;  // 1: into the solid going down, -1: out of it
};

struct Hold {
  double depth = 0;  // of liquid at rest, summed over all columns
  double level = 0;  // of its highest surface; not a number where nothing is held
  // Columns that do not come out of the solid as often as they go in: a line along an edge.
  std::vector<std::int64_t> broken;
};

// The most liquid at rest that the solid can hold. The surrounding columns must be free.
//
// Liquid stays below the lowest pass over which it could run off. Passes are found from the rim
// inwards, lowest first, by a priority flood (R. Barnes et al., Priority-Flood, Computers and
// Geosciences 2014) over the free stretches of the columns, whose heights are exact.
Hold hold(const ColumnCrossings& columns);

}  // namespace esi
