#include "core/render_textures.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace esi::picture {
namespace {

float srgb_to_linear(int value) {
  const float x = static_cast<float>(value) / 255.0f;
  return x <= 0.04045f ? x / 12.92f : std::pow((x + 0.055f) / 1.055f, 2.4f);
}

std::array<float, 256> make_srgb_table() {
  std::array<float, 256> table{};
  for (int i = 0; i < 256; ++i) table[static_cast<std::size_t>(i)] = srgb_to_linear(i);
  return table;
}

// i * size / of, for pictures of any size.
int scaled(int i, int size, int of) {
  return static_cast<int>(static_cast<std::int64_t>(i) * size / of);
}

}  // namespace

ImageTexture::ImageTexture(const std::uint8_t* pixels, int width, int height) {
  static const std::array<float, 256> table = make_srgb_table();
  const auto count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3;
  Level base{width, height, std::vector<float>(count)};
  for (std::size_t i = 0; i < count; ++i) base.rgb[i] = table[pixels[i]];
  levels_.push_back(std::move(base));
  while (levels_.back().width > 1 || levels_.back().height > 1) {
    const Level& above = levels_.back();
    Level half{std::max(1, above.width / 2), std::max(1, above.height / 2), {}};
    half.rgb.resize(static_cast<std::size_t>(half.width) * static_cast<std::size_t>(half.height) *
                    3);
    // Each texel averages the ones it covers, three in a row where a size is odd.
    for (int y = 0; y < half.height; ++y) {
      const int y0 = scaled(y, above.height, half.height);
      const int y1 = scaled(y + 1, above.height, half.height);
      for (int x = 0; x < half.width; ++x) {
        const int x0 = scaled(x, above.width, half.width);
        const int x1 = scaled(x + 1, above.width, half.width);
        for (int c = 0; c < 3; ++c) {
          float sum = 0.0f;
          for (int yy = y0; yy < y1; ++yy) {
            for (int xx = x0; xx < x1; ++xx) {
              sum += above.rgb[(static_cast<std::size_t>(yy) * above.width + xx) * 3 + c];
            }
          }
          half.rgb[(static_cast<std::size_t>(y) * half.width + x) * 3 + c] =
              sum / static_cast<float>((y1 - y0) * (x1 - x0));
        }
      }
    }
    levels_.push_back(std::move(half));
  }
}

void ImageTexture::sample_level(const Level& level, float u, float v, float rgb[3]) const {
  const float su = u == 1.0f ? 1.0f : u - std::floor(u), sv = v == 1.0f ? 1.0f : v - std::floor(v);
  const float x = su * static_cast<float>(level.width) - 0.5f;
  const float y = (1.0f - sv) * static_cast<float>(level.height) - 0.5f;
  const float fx = std::floor(x), fy = std::floor(y);
  const float tx = x - fx, ty = y - fy;
  // Inside the unit square a picture ends at its border; outside it repeats.
  const bool inside = u >= 0.0f && u <= 1.0f && v >= 0.0f && v <= 1.0f;
  const auto wrap = [inside](int i, int n) {
    return inside ? std::clamp(i, 0, n - 1) : ((i % n) + n) % n;
  };
  const int ix = integer(fx), iy = integer(fy);
  const int x0 = wrap(ix, level.width), x1 = wrap(ix + 1, level.width);
  const int y0 = wrap(iy, level.height), y1 = wrap(iy + 1, level.height);
  const auto at = [&level](int yy, int xx) {
    return level.rgb.data() + (static_cast<std::size_t>(yy) * level.width + xx) * 3;
  };
  const float *a = at(y0, x0), *b = at(y0, x1), *c = at(y1, x0), *d = at(y1, x1);
  for (int k = 0; k < 3; ++k) {
    rgb[k] = mix(mix(a[k], b[k], tx), mix(c[k], d[k], tx), ty);
  }
}

void ImageTexture::sample(float u, float v, float width_uv, float rgb[3]) const {
  const float texels = width_uv * static_cast<float>(std::max(width(), height()));
  const float level = std::log2(std::max(texels, 1.0f));
  const auto last = static_cast<float>(levels_.size() - 1);
  const float clamped = std::min(level, last);
  const auto lower = static_cast<std::size_t>(clamped);
  const std::size_t upper = std::min(lower + 1, levels_.size() - 1);
  float a[3], b[3];
  sample_level(levels_[lower], u, v, a);
  sample_level(levels_[upper], u, v, b);
  for (int k = 0; k < 3; ++k) rgb[k] = mix(a[k], b[k], clamped - static_cast<float>(lower));
}

}  // namespace esi::picture
