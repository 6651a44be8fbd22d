// Points spread over the surface of an object of a scene.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/scene.hpp"
#include "core/types.hpp"

namespace esi {

// Corners in the world of all proper triangles of an object, three each, by instance, then face.
std::vector<Vec3> object_triangles(const SceneView& scene, std::int32_t object_id);

// Writes `count` points spread over the triangles with equal density per area, and the unit normals
// of the triangles that they lie in. Stratified along the triangles, with the R2 sequence within
// them (M. Roberts, 2018: multiples of the powers of the plastic number); `shift`, three numbers in
// [0, 1), moves the strata and the sequence. There must be a triangle.
void surface_samples(Span<const Vec3> corners, std::size_t count, std::array<double, 3> shift,
                     Vec3* points, Vec3* normals);

}  // namespace esi
