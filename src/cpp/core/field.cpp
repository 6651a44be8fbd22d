#include "core/field.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace esi {

DistanceField::DistanceField(Vec3 origin, double spacing, const std::int64_t (&shape)[3],
                             std::vector<double> values)
    : origin_(origin), spacing_(spacing), per_metre_(1 / spacing), values_(std::move(values)) {
  for (int k = 0; k < 3; ++k) shape_[k] = shape[k];
}

double DistanceField::outside(Vec3 point) const {
  double most = 0;
  for (int k = 0; k < 3; ++k) {
    const double above = origin_[k] + static_cast<double>(shape_[k] - 1) * spacing_;
    most = std::max({most, origin_[k] - point[k], point[k] - above});
  }
  return most;
}

Vec3 DistanceField::outward(const Cell& cell) const {
  const double *v = cell.node, *t = cell.share;
  const std::int64_t row = shape_[2], plane = shape_[1] * shape_[2];
  const double z00 = mix(v[0], v[1], t[2]), z01 = mix(v[row], v[row + 1], t[2]);
  const double z10 = mix(v[plane], v[plane + 1], t[2]);
  const double z11 = mix(v[plane + row], v[plane + row + 1], t[2]);
  const Vec3 gradient{
      mix(z10, z11, t[1]) - mix(z00, z01, t[1]), mix(z01 - z00, z11 - z10, t[0]),
      mix(mix(v[1] - v[0], v[row + 1] - v[row], t[1]),
          mix(v[plane + 1] - v[plane], v[plane + row + 1] - v[plane + row], t[1]), t[0])};
  const double length = norm(gradient);
  return length > 1e-9 * spacing_ ? gradient * (1 / length) : Vec3{};
}

bool DistanceField::sample(Vec3 point, double* where, Vec3* direction) const {
  Cell cell;
  if (!find(point, &cell)) return false;
  *where = distance(cell);
  *direction = outward(cell);
  return true;
}

}  // namespace esi
