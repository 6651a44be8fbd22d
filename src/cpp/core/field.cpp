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

bool DistanceField::sample(Vec3 point, double* distance, Vec3* outward) const {
  const Vec3 q = (point - origin_) * per_metre_;
  std::int64_t cell[3];
  double t[3];
  for (int k = 0; k < 3; ++k) {
    if (!(q[k] >= 0.0) || !(q[k] < static_cast<double>(shape_[k] - 1))) return false;
    cell[k] = static_cast<std::int64_t>(q[k]);
    t[k] = q[k] - static_cast<double>(cell[k]);
  }
  const std::int64_t row = shape_[2], plane = shape_[1] * shape_[2];
  const double* v = values_.data() + cell[0] * plane + cell[1] * row + cell[2];
  const auto mix = [](double a, double b, double s) { return a + (b - a) * s; };
  // Along z first, then y, then x; differences on the way are the gradient.
  const double z00 = mix(v[0], v[1], t[2]), z01 = mix(v[row], v[row + 1], t[2]);
  const double z10 = mix(v[plane], v[plane + 1], t[2]);
  const double z11 = mix(v[plane + row], v[plane + row + 1], t[2]);
  const double y0 = mix(z00, z01, t[1]), y1 = mix(z10, z11, t[1]);
  const Vec3 gradient{
      y1 - y0, mix(z01 - z00, z11 - z10, t[0]),
      mix(mix(v[1] - v[0], v[row + 1] - v[row], t[1]),
          mix(v[plane + 1] - v[plane], v[plane + row + 1] - v[plane + row], t[1]), t[0])};
  *distance = mix(y0, y1, t[0]);
  const double length = norm(gradient);
  *outward = length > 1e-9 * spacing_ ? gradient * (1 / length) : Vec3{};
  return true;
}

}  // namespace esi
