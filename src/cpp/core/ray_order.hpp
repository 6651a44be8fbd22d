// An order in which neighbours in a batch of segments are neighbours in space.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/raycast.hpp"

namespace esi {

// Indices of the segments along a space-filling curve. Tracing in this order finds most of the
// scene already in the processor's caches. Depends on the input alone.
std::vector<std::uint32_t> coherent_order(const Frame& frame, std::size_t count, Rows<Vec3> starts,
                                          Rows<Vec3> ends, int threads);

}  // namespace esi
