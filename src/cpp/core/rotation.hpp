// Unit vectors, quaternions (xyzw) and rotation matrices (rows), one at a time.
#pragma once

#include <cstddef>

namespace esi {

// Scales `size` numbers to length 1, by the largest of them first, so that neither tiny nor huge
// ones lose digits. False, and nothing is written, if all are zero.
bool unit_vector(const double* in, std::size_t size, double* out);

// The rotation matrix of a quaternion of any length; false if that is zero.
bool quat_to_matrix(const double* quat, double* matrix);

// The quaternion, w not negative, of a rotation matrix; false if it is not one: off by more than
// 1e-6, or a reflection.
bool matrix_to_quat(const double* matrix, double* quat);

}  // namespace esi
