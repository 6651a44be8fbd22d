// Signs of determinants of coordinates, exact where these are 0 or between 1e-60 and 1e60 in size:
// then no product of differences overflows or underflows.
#pragma once

#include "core/types.hpp"

namespace esi {

// The determinant of orient2d is left - right, each a product. Its sign in double precision is
// right where it exceeds this times |left| + |right|: four roundings of 2^-53.
constexpr double sign_filter = 4.0 * 1.1102230246251565e-16;

// +1 if c lies left of the directed line a -> b in the xy plane, -1 right, 0 exactly on it.
int orient2d_sign(Vec3 a, Vec3 b, Vec3 c);

// Sign of dot(cross(b - a, c - a), d - a): +1 if d is on the side to which the normal points.
int orient3d_sign(Vec3 a, Vec3 b, Vec3 c, Vec3 d);

}  // namespace esi
