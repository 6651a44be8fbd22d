// Fixed low-discrepancy patterns: the same picture each time, and no visible noise.
//
// A light (or the hemisphere) is divided into 4 x 4 cells. The pixels of a 4 x 4 tile take one cell
// each, so that every 4 x 4 window of the picture, aligned or not, holds each cell exactly once:
// averaging over such a window leaves no noise but that of where in the window a cell is. The
// next three planes of camera samples shift the assignment so that a cell comes to lie in each row
// and each column of the tile once, which takes most of that away too. The four samples of a cell
// in four planes are those of the first 64 points of Sobol's sequence that lie in it; further
// groups of four planes shift all points digitally by the next point of the sequence.
#pragma once

#include <cstdint>
#include <vector>

#include "core/render_simd.hpp"

namespace esi::picture {

struct Point2 {
  float x, y;
};

ESI_INLINE std::uint32_t reverse_bits(std::uint32_t v) {
  v = (v << 16) | (v >> 16);
  v = ((v & 0x00ff00ffu) << 8) | ((v & 0xff00ff00u) >> 8);
  v = ((v & 0x0f0f0f0fu) << 4) | ((v & 0xf0f0f0f0u) >> 4);
  v = ((v & 0x33333333u) << 2) | ((v & 0xccccccccu) >> 2);
  v = ((v & 0x55555555u) << 1) | ((v & 0xaaaaaaaau) >> 1);
  return v;
}

// Digit n of the sequence in dimension 0, 1 or 2, as 32 bits after the point (direction numbers of
// Joe and Kuo, 2008).
inline std::uint32_t sobol(std::uint32_t n, int dimension) {
  if (dimension == 0) return reverse_bits(n);
  std::uint32_t v[32];
  for (int k = 0; k < 32; ++k) {
    if (k == 0) {
      v[k] = 1u << 31;
    } else if (dimension == 1) {
      v[k] = v[k - 1] ^ v[k - 1] >> 1;
    } else if (k == 1) {
      v[k] = 3u << 30;
    } else {
      v[k] = v[k - 1] ^ v[k - 2] ^ v[k - 2] >> 2;
    }
  }
  std::uint32_t r = 0;
  for (int k = 0; n != 0; n >>= 1, ++k) {
    if ((n & 1u) != 0) r ^= v[k];
  }
  return r;
}

ESI_INLINE float unit_float(std::uint32_t bits) {
  return static_cast<float>(static_cast<std::int32_t>(bits >> 8)) * (1.0f / 16777216.0f);
}

ESI_INLINE std::uint32_t mix_bits(std::uint32_t h) {
  h ^= h >> 16;
  h *= 0x7feb352du;
  h ^= h >> 15;
  h *= 0x846ca68bu;
  h ^= h >> 16;
  return h;
}

struct Point3 {
  float x, y, z;
};

// Which cell the place (x & 3) + 4 * (y & 3) of a tile takes in the first plane: found by search,
// so that pixels next to each other, and the cells that a pixel takes in four planes, are far
// apart.
constexpr int kCells[16] = {0, 11, 5, 14, 13, 6, 8, 3, 4, 15, 1, 10, 9, 2, 12, 7};
constexpr int kShiftX[4] = {0, 1, 2, 3}, kShiftY[4] = {0, 2, 1, 3};

// The samples in [0, 1)^3 of the 16 places of a tile at step `step` of the stream: planes of camera
// samples follow each other, each with all its rays.
inline void tile_samples(std::uint32_t step, std::uint32_t stream, Point3 out[16]) {
  const std::uint32_t group = step >> 2, sub = step & 3u;
  std::uint32_t shift[3];
  for (int k = 0; k < 3; ++k) {
    shift[k] = sobol(group, k) ^ mix_bits(3 * stream + static_cast<std::uint32_t>(k) + 1);
  }
  Point3 of_cell[16] = {};
  std::uint32_t taken[16] = {};
  for (std::uint32_t n = 0; n < 64; ++n) {
    const std::uint32_t x = sobol(n, 0), y = sobol(n, 1);
    // Named before the shift: from group to group a place then wanders through all cells.
    const std::uint32_t cell = (x >> 30) + 4 * (y >> 30);
    if (taken[cell]++ == sub) {
      of_cell[cell] = {unit_float(x ^ shift[0]), unit_float(y ^ shift[1]),
                       unit_float(sobol(n, 2) ^ shift[2])};
    }
  }
  for (int place = 0; place < 16; ++place) {
    const int x = (place & 3) + kShiftX[sub], y = (place >> 2) + kShiftY[sub];
    out[place] = of_cell[kCells[(x & 3) + 4 * (y & 3)]];
  }
}

// Offsets of the camera samples in the pixel, in [0, 1)^2: the centre for one, a rotated grid for
// four (each row and column of edges meets four levels), the sequence for other numbers.
inline std::vector<Point2> camera_offsets(int samples) {
  if (samples == 1) return {{0.5f, 0.5f}};
  if (samples == 4) {
    return {{0.375f, 0.125f}, {0.875f, 0.375f}, {0.125f, 0.625f}, {0.625f, 0.875f}};
  }
  std::vector<Point2> points(static_cast<std::size_t>(samples));
  for (int i = 0; i < samples; ++i) {
    const auto n = static_cast<std::uint32_t>(i);
    points[static_cast<std::size_t>(i)] = {unit_float(sobol(n, 0) ^ 0x1b873593u),
                                           unit_float(sobol(n, 1) ^ 0xcc9e2d51u)};
  }
  return points;
}

}  // namespace esi::picture
