// What is seen by way of a flat, rectangular mirror.
#pragma once

#include <cstddef>

#include "core/occlusion.hpp"
#include "core/raycast.hpp"
#include "core/types.hpp"

namespace esi {

// A rectangle that reflects on the side to which `normal` points; the axes are orthonormal.
struct Mirror {
  Vec3 center;
  Vec3 normal, along_width, along_height;
  double half_width = 0, half_height = 0;

  // Distance of p in front of the mirror's plane; negative behind it.
  double depth(Vec3 p) const { return dot(normal, p - center); }
};

// Where light from `point` meets the mirror on its way to `eye`. False where it does not: one of
// them is not strictly on the reflecting side, or the rectangle, whose border belongs to it, is
// missed. `hit` is set for any two points on the reflecting side, within the rectangle or not, and
// is the foot halfway between them otherwise.
bool mirror_hit(const Mirror& mirror, Vec3 eye, Vec3 point, Vec3* hit);

// Whether eyes[i] sees points[i] in the mirror: the light meets it, and both legs are free. The
// caller puts the mirror's own body on the list of what is ignored. Legs are drawn in at both ends
// as by open_segment.
void visible_through(const SceneView& scene, const Mirror& mirror, std::size_t count,
                     Rows<Vec3> eyes, Rows<Vec3> points, const IgnoreRows& ignore, double tolerance,
                     int threads, bool* free);

}  // namespace esi
