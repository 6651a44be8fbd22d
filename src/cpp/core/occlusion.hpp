// Who sees whom: segments between points, and what stands in their way.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/raycast.hpp"

namespace esi {

// The part of the segment that must be free: both ends are drawn in by `tolerance` times the
// segment's length, so that surfaces on which the end points lie do not block. False if nothing is
// left, as with equal end points.
bool open_segment(Vec3 start, Vec3 end, double tolerance, Ray* ray);

// Segments start[i], end[i] on several threads.
void visible(const SceneView& scene, std::size_t count, Rows<Vec3> starts, Rows<Vec3> ends,
             const IgnoreRows& ignore, double tolerance, int threads, bool* free);

// All pairs: free[i * ends.size() + j]. `ignore` is one list for all or one row per start.
void visibility_matrix(const SceneView& scene, Span<const Vec3> starts, Span<const Vec3> ends,
                       const IgnoreRows& ignore, double tolerance, int threads, bool* free);

// The object nearest to the start that blocks each segment, -1 where it is free.
void first_blocker(const SceneView& scene, std::size_t count, Rows<Vec3> starts, Rows<Vec3> ends,
                   const IgnoreRows& ignore, double tolerance, int threads,
                   std::int32_t* object_id);

}  // namespace esi
