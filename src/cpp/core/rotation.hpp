// Unit vectors, quaternions (xyzw) and rotation matrices (rows), one at a time.
#pragma once

#include <cstddef>

namespace esi {

// Scales `size` numbers to length 1, by the largest of them first, so that neither tiny nor huge
// ones lose digits. False, and nothing is written, if all are zero.
bool unit_vector(const double* in, std::size_t size, double* out);

// One rotation, one spelling: w positive, or else the first of xyz that is not zero.
void canonical_quat(double* quat);

// The rotation matrix of a quaternion of any length; false if that is zero.
bool quat_to_matrix(const double* quat, double* matrix);

// The quaternion, w not negative, of a rotation matrix; false if it is not one: off by more than
// 1e-6, or a reflection.
bool matrix_to_quat(const double* matrix, double* quat);

// The rotation `a` after `b`, w not negative; false if one is zero.
bool quat_multiply(const double* a, const double* b, double* out);

enum class LookAt { ok, no_direction, no_up };

// The orientation of a camera at `eye` that looks at `target` along its -Z, with +Y towards `up`.
// Looking along `up` itself, the top of the picture is world +y (world +x if `up` is the y axis).
LookAt look_at(const double* eye, const double* target, const double* up, double* quat);

}  // namespace esi
