// The pinhole camera: square pixels, optical centre in the middle, along local -Z with +Y up.
#pragma once

#include <limits>

#include "core/types.hpp"

namespace esi {

// Where a point appears: column and row (NaN where it is not in front of the camera) and metres
// along the optical axis.
struct Projected {
  double column = std::numeric_limits<double>::quiet_NaN();
  double row = std::numeric_limits<double>::quiet_NaN();
  double depth = 0;
  bool in_front = false, in_image = false;
};

struct Pinhole {
  Vec3 position;
  Vec3 right, up, back;  // unit columns of the world-from-camera rotation
  double focal = 1;      // pixels
  double width = 1, height = 1;

  Projected project(Vec3 point) const {
    const Vec3 way = point - position;
    Projected p;
    p.depth = -dot(back, way);
    p.in_front = p.depth > 0;
    if (!p.in_front) return p;
    // A point barely in front of the optical centre may project to infinity; that is right.
    p.column = focal * dot(right, way) / p.depth + 0.5 * width;
    p.row = 0.5 * height - focal * dot(up, way) / p.depth;
    p.in_image = p.column >= 0 && p.column < width && p.row >= 0 && p.row < height;
    return p;
  }

  // The direction through a pixel, of unit length along the optical axis.
  Vec3 towards(double column, double row) const {
    return right * ((column - 0.5 * width) / focal) - up * ((row - 0.5 * height) / focal) - back;
  }
};

}  // namespace esi
