// Procedural textures of an object's own frame, in metres.
//
// Each texture answers, for 16 points, how much of the second colour shows (`second`) and a factor
// on the brightness (`bright`). Edges are integrated over the footprint of the sample and noise
// fades out below it, so that far surfaces neither flicker nor alias.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/render_simd.hpp"

namespace esi::picture {

enum class TextureKind {
  none,
  wood,
  planks,
  tile,
  fabric,
  paper,
  checker,
  brick,
  grass,
  noise,
  stripes,
  image,
};

// Points to be textured: position and geometric normal in the object's frame (metres, rotation
// only), and the width in metres that one sample stands for.
struct TexturePoints {
  F16 x, y, z;
  F16 nx, ny, nz;
  F16 footprint;
};

struct TextureValue {
  F16 second, bright;
};

ESI_INLINE std::uint32_t lattice_hash(std::int32_t x, std::int32_t y, std::int32_t z) {
  std::uint32_t h = static_cast<std::uint32_t>(x) * 0x9e3779b1u ^
                    static_cast<std::uint32_t>(y) * 0x85ebca77u ^
                    static_cast<std::uint32_t>(z) * 0xc2b2ae3du;
  h ^= h >> 15;
  h *= 0x2c1b3c6du;
  h ^= h >> 12;
  h *= 0x297a2d39u;
  return h ^ (h >> 15);
}

ESI_INLINE float lattice(std::int32_t x, std::int32_t y, std::int32_t z) {
  return static_cast<float>(static_cast<std::int32_t>(lattice_hash(x, y, z) >> 8)) *
         (1.0f / 16777216.0f);
}

ESI_INLINE float fade_curve(float t) { return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f); }

// Value noise in [0, 1] with features of size one.
ESI_INLINE float noise3(float x, float y, float z) {
  const float fx = floor_fast(x), fy = floor_fast(y), fz = floor_fast(z);
  const std::int32_t ix = integer(fx), iy = integer(fy), iz = integer(fz);
  const float u = fade_curve(x - fx), v = fade_curve(y - fy), w = fade_curve(z - fz);
  const float a = mix(lattice(ix, iy, iz), lattice(ix + 1, iy, iz), u);
  const float b = mix(lattice(ix, iy + 1, iz), lattice(ix + 1, iy + 1, iz), u);
  const float c = mix(lattice(ix, iy, iz + 1), lattice(ix + 1, iy, iz + 1), u);
  const float d = mix(lattice(ix, iy + 1, iz + 1), lattice(ix + 1, iy + 1, iz + 1), u);
  return mix(mix(a, b, v), mix(c, d, v), w);
}

// How much of a feature of the given size survives averaging over the footprint.
ESI_INLINE float survives(float size, float footprint) {
  return clamp01(2.0f - 2.0f * footprint / size);
}

// noise3 - 1/2, faded where its features (one over `frequency` metres) are below the footprint.
ESI_INLINE float detail(float x, float y, float z, float frequency, float footprint) {
  return (noise3(x * frequency, y * frequency, z * frequency) - 0.5f) *
         survives(1.0f / frequency, footprint);
}

// Mean over [x - w/2, x + w/2] of the wave that is 1 on the first `duty` of each unit period.
ESI_INLINE float pulse(float x, float duty, float w) {
  w = max2(w, 1e-4f);
  const float a = x - 0.5f * w, b = x + 0.5f * w;
  const float fa = floor_fast(a), fb = floor_fast(b);
  const float ia = fa * duty + min2(a - fa, duty), ib = fb * duty + min2(b - fb, duty);
  return clamp01((ib - ia) / w);  // rounding far from the origin
}

// The plane coordinates of the face that the point is most nearly on: a wall gets (along, up).
ESI_INLINE void box_map(const TexturePoints& p, int i, float& u, float& v) {
  const float ax = p.nx[i] < 0 ? -p.nx[i] : p.nx[i];
  const float ay = p.ny[i] < 0 ? -p.ny[i] : p.ny[i];
  const float az = p.nz[i] < 0 ? -p.nz[i] : p.nz[i];
  const bool on_x = ax > ay && ax > az, on_z = az >= ay && az >= ax;
  u = on_x ? p.y[i] : p.x[i];
  v = on_z ? p.y[i] : p.z[i];
}

// Wood: rings about a pith that lies beside the object, warped along the grain, with fine fibres.
// g is along the grain, a and b across. Scale 1 is natural furniture wood.
ESI_INLINE void wood_at(float g, float a, float b, float w, float scale, float& second,
                        float& bright) {
  const float inv = 1.0f / scale;
  g *= inv;
  a *= inv;
  b *= inv;
  w *= inv;
  const float wander_a = noise3(g * 0.9f + 3.1f, a * 1.7f, b * 1.7f) - 0.5f;
  const float wander_b = noise3(g * 0.7f + 9.7f, a * 1.3f + 5.0f, b * 1.3f) - 0.5f;
  const float pa = a + 0.11f + 0.10f * wander_a, pb = b - 0.05f + 0.10f * wander_b;
  const float wave = noise3(g * 2.3f, a * 9.0f, b * 9.0f) - 0.5f;
  const float ring = 1.0f / 0.026f;
  const float phase = std::sqrt(pa * pa + pb * pb) * ring + 0.8f * wave;
  const float f = phase - floor_fast(phase);
  // Early wood darkens slowly into late wood, then a quick step back.
  const float profile = f * f * (1.0f - smooth01((f - 0.86f) * (1.0f / 0.14f)));
  const float seen = survives(1.0f / ring, w);
  const float ring_tone = mix(0.24f, profile, seen);
  const float fibre = noise3(g * 14.0f, a * 420.0f, b * 420.0f) - 0.5f;
  const float streak = noise3(g * 5.0f + 7.0f, a * 95.0f, b * 95.0f) - 0.5f;
  second = clamp01(0.10f + 0.75f * ring_tone + 0.30f * streak * survives(0.010f, w) +
                   0.22f * fibre * survives(0.0024f, w));
  bright = 1.0f + 0.16f * wander_a;
}

ESI_INLINE void texture_planks(const TexturePoints& p, float scale, TextureValue& out) {
  for (int i = 0; i < kLanes; ++i) {
    float u, v;
    box_map(p, i, u, v);
    const float w = p.footprint[i] / scale;
    const float rows = v / scale;
    const float row = floor_fast(rows);
    const std::int32_t irow = integer(row);
    // Boards are eight times as long as wide, each row shifted by its own amount.
    const float along = u / (8.0f * scale) + lattice(irow, 17, 3);
    const float board = floor_fast(along);
    const std::int32_t iboard = integer(board);
    const float tone = lattice(irow, iboard, 5), shift = lattice(irow, iboard, 9);
    const float gap_v = pulse(rows + 0.010f, 0.020f, w);
    const float gap_u = pulse(along + 0.0012f, 0.0024f, w * 0.125f);
    float second, bright;
    wood_at(u + 40.0f * shift, v + 3.0f * tone, 0.3f * shift, p.footprint[i], 1.0f, second, bright);
    const float gap = max2(gap_u, gap_v);
    out.second[i] = clamp01(0.65f * second + 0.30f * (tone - 0.4f));
    out.bright[i] = bright * (0.92f + 0.16f * tone) * (1.0f - 0.72f * gap);
  }
}

// `grain` 0, 1, 2: the axis of the object along which the wood grew.
ESI_INLINE void texture_wood(const TexturePoints& p, float scale, int grain, TextureValue& out) {
  const F16& g = grain == 0 ? p.x : grain == 1 ? p.y : p.z;
  const F16& a = grain == 0 ? p.y : p.x;
  const F16& b = grain == 2 ? p.y : p.z;
  for (int i = 0; i < kLanes; ++i) {
    wood_at(g[i], a[i], b[i], p.footprint[i], scale, out.second[i], out.bright[i]);
  }
}

ESI_INLINE void texture_tile(const TexturePoints& p, float scale, TextureValue& out) {
  for (int i = 0; i < kLanes; ++i) {
    float u, v;
    box_map(p, i, u, v);
    u /= scale;
    v /= scale;
    const float w = p.footprint[i] / scale;
    const float grout = 0.03f;
    const float gu = pulse(u + 0.5f * grout, grout, w), gv = pulse(v + 0.5f * grout, grout, w);
    const std::int32_t iu = integer(floor_fast(u)), iv = integer(floor_fast(v));
    const float tone = mix(0.5f, lattice(iu, iv, 11), survives(1.0f, w));
    const float cloud = detail(p.x[i], p.y[i], p.z[i], 9.0f / scale, p.footprint[i]);
    out.second[i] = clamp01(gu + gv - gu * gv);
    out.bright[i] = 0.97f + 0.06f * tone + 0.05f * cloud;
  }
}

ESI_INLINE void texture_brick(const TexturePoints& p, float scale, TextureValue& out) {
  for (int i = 0; i < kLanes; ++i) {
    float u, v;
    box_map(p, i, u, v);
    const float w = p.footprint[i] / scale;
    const float rows = 3.0f * v / scale;
    const float row = floor_fast(rows);
    const float odd = row - 2.0f * floor_fast(0.5f * row);
    const float along = u / scale + 0.5f * odd;
    const float mu = pulse(along + 0.025f, 0.05f, w), mv = pulse(rows + 0.07f, 0.14f, 3.0f * w);
    const float tone = lattice(integer(floor_fast(along)), integer(row), 23);
    const float seen = survives(0.33f, w);
    const float rough = detail(p.x[i], p.y[i], p.z[i], 25.0f / scale, p.footprint[i]) +
                        0.6f * detail(p.x[i], p.y[i], p.z[i], 90.0f / scale, p.footprint[i]);
    const float mortar = clamp01(mu + mv - mu * mv);
    out.second[i] = mortar;
    out.bright[i] = 1.0f + (1.0f - mortar) * (0.30f * (tone - 0.5f) * seen) + 0.22f * rough;
  }
}

// Mean over [x - w/2, x + w/2] of the square wave that is +1 and -1 on alternate units.
ESI_INLINE float square(float x, float w) { return 2.0f * pulse(0.5f * x, 0.5f, 0.5f * w) - 1.0f; }

// A period holds two fields.
ESI_INLINE void texture_checker(const TexturePoints& p, float scale, TextureValue& out) {
  for (int i = 0; i < kLanes; ++i) {
    float u, v;
    box_map(p, i, u, v);
    const float f = 2.0f / scale, w = p.footprint[i] * f;
    out.second[i] = clamp01(0.5f - 0.5f * square(u * f, w) * square(v * f, w));
    out.bright[i] = 1.0f;
  }
}

ESI_INLINE void texture_stripes(const TexturePoints& p, float scale, TextureValue& out) {
  for (int i = 0; i < kLanes; ++i) {
    float u, v;
    box_map(p, i, u, v);
    const float f = 2.0f / scale;
    out.second[i] = clamp01(0.5f - 0.5f * square(u * f, p.footprint[i] * f));
    out.bright[i] = 1.0f;
  }
}

// Plain weave: threads of 3 mm at scale 1, over a soft mottling that remains from afar.
ESI_INLINE void texture_fabric(const TexturePoints& p, float scale, TextureValue& out) {
  for (int i = 0; i < kLanes; ++i) {
    float u, v;
    box_map(p, i, u, v);
    const float f = 1.0f / (0.003f * scale), w = p.footprint[i];
    const float s = u * f, t = v * f;
    const float cu = s - floor_fast(s) - 0.5f, cv = t - floor_fast(t) - 0.5f;
    const float sum = floor_fast(s) + floor_fast(t);
    const float odd = sum - 2.0f * floor_fast(0.5f * sum);
    // On top lies one thread, round across its width.
    const float across = odd > 0.5f ? cu : cv;
    const float thread = (0.25f - across * across) * 4.0f - 0.667f;
    // Gone well before the threads are as fine as the pixels, or they would beat with them.
    const float seen = survives(0.0022f * scale, w);
    const float mottle = detail(p.x[i], p.y[i], p.z[i], 14.0f / scale, w) +
                         0.6f * detail(p.x[i], p.y[i], p.z[i], 55.0f / scale, w) +
                         0.8f * detail(p.x[i], p.y[i], p.z[i], 260.0f / scale, w);
    out.second[i] = clamp01(0.25f + 0.5f * (odd - 0.5f) * seen + 0.5f * mottle);
    out.bright[i] = 1.0f + 0.22f * thread * seen + 0.16f * mottle;
  }
}

ESI_INLINE void texture_paper(const TexturePoints& p, float scale, TextureValue& out) {
  for (int i = 0; i < kLanes; ++i) {
    const float w = p.footprint[i];
    const float fibre = detail(p.x[i], p.y[i], p.z[i], 60.0f / scale, w) +
                        0.8f * detail(p.x[i], p.y[i], p.z[i], 330.0f / scale, w) +
                        0.7f * detail(p.x[i], p.y[i], p.z[i], 1500.0f / scale, w);
    out.second[i] = clamp01(0.10f + 0.20f * fibre);
    out.bright[i] = 1.0f + 0.06f * fibre;
  }
}

ESI_INLINE void texture_grass(const TexturePoints& p, float scale, TextureValue& out) {
  for (int i = 0; i < kLanes; ++i) {
    const float w = p.footprint[i];
    const float patch = detail(p.x[i], p.y[i], p.z[i], 1.3f / scale, w);
    const float tuft = detail(p.x[i], p.y[i], p.z[i], 17.0f / scale, w);
    const float blade =
        (noise3(p.x[i] * 260.0f / scale, p.y[i] * 75.0f / scale, p.z[i] * 90.0f / scale) - 0.5f) *
        survives(0.010f * scale, w);
    out.second[i] = clamp01(0.45f + 0.5f * patch + 0.6f * tuft + 0.9f * blade);
    out.bright[i] = 1.0f + 0.25f * patch + 0.3f * tuft + 0.5f * blade;
  }
}

// Clouds of the size `scale` and three finer octaves.
ESI_INLINE void texture_noise(const TexturePoints& p, float scale, TextureValue& out) {
  for (int i = 0; i < kLanes; ++i) {
    const float w = p.footprint[i];
    float sum = 0.0f, amplitude = 1.0f, frequency = 1.0f / scale;
    for (int octave = 0; octave < 4; ++octave) {
      sum += amplitude *
             detail(p.x[i] + 1.7f * static_cast<float>(octave), p.y[i], p.z[i], frequency, w);
      amplitude *= 0.55f;
      frequency *= 2.03f;
    }
    out.second[i] = smooth01(0.5f + 1.1f * sum);
    out.bright[i] = 1.0f;
  }
}

ESI_INLINE void evaluate_texture(TextureKind kind, float scale, int grain, const TexturePoints& p,
                                 TextureValue& out) {
  switch (kind) {
    case TextureKind::wood:
      return texture_wood(p, scale, grain, out);
    case TextureKind::planks:
      return texture_planks(p, scale, out);
    case TextureKind::tile:
      return texture_tile(p, scale, out);
    case TextureKind::fabric:
      return texture_fabric(p, scale, out);
    case TextureKind::paper:
      return texture_paper(p, scale, out);
    case TextureKind::checker:
      return texture_checker(p, scale, out);
    case TextureKind::brick:
      return texture_brick(p, scale, out);
    case TextureKind::grass:
      return texture_grass(p, scale, out);
    case TextureKind::noise:
      return texture_noise(p, scale, out);
    case TextureKind::stripes:
      return texture_stripes(p, scale, out);
    default:
      for (int i = 0; i < kLanes; ++i) {
        out.second[i] = 0.0f;
        out.bright[i] = 1.0f;
      }
  }
}

// An image with its halvings, in linear light.
class ImageTexture {
 public:
  // `pixels`: height x width x 3 bytes of sRGB, row 0 at v = 1.
  ImageTexture(const std::uint8_t* pixels, int width, int height);

  int width() const { return levels_.front().width; }
  int height() const { return levels_.front().height; }

  // The colour at (u, v), repeated outside the unit square, averaged over about `width_uv` of it.
  void sample(float u, float v, float width_uv, float rgb[3]) const;

 private:
  struct Level {
    int width, height;
    std::vector<float> rgb;
  };
  void sample_level(const Level& level, float u, float v, float rgb[3]) const;

  std::vector<Level> levels_;
};

}  // namespace esi::picture
