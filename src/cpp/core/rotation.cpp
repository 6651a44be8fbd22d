#include "core/rotation.hpp"

#include <algorithm>
#include <cmath>

#include "core/types.hpp"

namespace esi {
namespace {

// Off by so much in a product of columns, a matrix is no rotation.
constexpr double rotation_error = 1e-6;

// Below this a viewing direction counts as parallel to `up`: the cross product then has lost half
// of its digits and the roll of the camera would be noise.
constexpr double parallel = 1e-8;

}  // namespace

void canonical_quat(double* q) {
  double lead = q[3];
  for (int k = 0; k < 3 && lead == 0.0; ++k) lead = q[k];
  for (int k = 0; k < 4; ++k) q[k] = (lead < 0.0 ? -q[k] : q[k]) + 0.0;
}

bool unit_vector(const double* in, std::size_t size, double* out) {
  double largest = 0.0;
  for (std::size_t i = 0; i < size; ++i) largest = std::max(largest, std::abs(in[i]));
  if (largest == 0.0) return false;
  double square = 0.0;
  for (std::size_t i = 0; i < size; ++i) square += (in[i] / largest) * (in[i] / largest);
  const double length = std::sqrt(square);
  for (std::size_t i = 0; i < size; ++i) out[i] = in[i] / largest / length;
  return true;
}

bool quat_to_matrix(const double* quat, double* m) {
  double q[4];
  if (!unit_vector(quat, 4, q)) return false;
  const double x = q[0], y = q[1], z = q[2], w = q[3];
  m[0] = 1.0 - 2.0 * (y * y + z * z);
  m[1] = 2.0 * (x * y - z * w);
  m[2] = 2.0 * (x * z + y * w);
  m[3] = 2.0 * (x * y + z * w);
  m[4] = 1.0 - 2.0 * (x * x + z * z);
  m[5] = 2.0 * (y * z - x * w);
  m[6] = 2.0 * (x * z - y * w);
  m[7] = 2.0 * (y * z + x * w);
  m[8] = 1.0 - 2.0 * (x * x + y * y);
  return true;
}

bool matrix_to_quat(const double* m, double* quat) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double product = m[i] * m[j] + m[3 + i] * m[3 + j] + m[6 + i] * m[6 + j];
      if (!(std::abs(product - (i == j ? 1.0 : 0.0)) <= rotation_error)) return false;
    }
  }
  const double determinant = m[0] * (m[4] * m[8] - m[5] * m[7]) -
                             m[1] * (m[3] * m[8] - m[5] * m[6]) +
                             m[2] * (m[3] * m[7] - m[4] * m[6]);
  if (determinant < 0.0) return false;
  // Four candidates share one direction; the one with the largest term on the diagonal is the one
  // that no cancellation has touched.
  const double zy = m[7] - m[5], xz = m[2] - m[6], yx = m[3] - m[1];
  const double xy = m[1] + m[3], zx = m[2] + m[6], yz = m[7] + m[5];
  const double rows[4][4] = {{1.0 + m[0] - m[4] - m[8], xy, zx, zy},
                             {xy, 1.0 - m[0] + m[4] - m[8], yz, xz},
                             {zx, yz, 1.0 - m[0] - m[4] + m[8], yx},
                             {zy, xz, yx, 1.0 + m[0] + m[4] + m[8]}};
  int best = 0;
  for (int k = 1; k < 4; ++k) {
    if (rows[k][k] > rows[best][best]) best = k;
  }
  const double* row = rows[best];
  const double length =
      std::sqrt(row[0] * row[0] + row[1] * row[1] + row[2] * row[2] + row[3] * row[3]);
  for (int k = 0; k < 4; ++k) quat[k] = row[k] / length;
  canonical_quat(quat);
  return true;
}

bool quat_multiply(const double* a, const double* b, double* out) {
  const Vec3 p{a[0], a[1], a[2]}, q{b[0], b[1], b[2]};
  const Vec3 v = a[3] * q + b[3] * p + cross(p, q);
  const double product[4] = {v.x, v.y, v.z, a[3] * b[3] - dot(p, q)};
  if (!unit_vector(product, 4, out)) return false;
  canonical_quat(out);
  return true;
}

LookAt look_at(const double* eye, const double* target, const double* up, double* quat) {
  const double way[3] = {target[0] - eye[0], target[1] - eye[1], target[2] - eye[2]};
  double unit[3];
  if (!unit_vector(way, 3, unit)) return LookAt::no_direction;
  const Vec3 forward{unit[0], unit[1], unit[2]};
  if (!unit_vector(up, 3, unit)) return LookAt::no_up;
  Vec3 right = cross(forward, {unit[0], unit[1], unit[2]});
  if (norm(right) < parallel) {
    right = cross(forward, std::abs(unit[1]) < 0.9 ? Vec3{0, 1, 0} : Vec3{1, 0, 0});
  }
  const double sideways[3] = {right.x, right.y, right.z};
  if (!unit_vector(sideways, 3, unit)) return LookAt::no_up;
  right = {unit[0], unit[1], unit[2]};
  const Vec3 above = cross(right, forward);
  const double matrix[9] = {right.x,    above.x, -forward.x, right.y,   above.y,
                            -forward.y, right.z, above.z,    -forward.z};
  matrix_to_quat(matrix, quat);
  return LookAt::ok;
}

}  // namespace esi
