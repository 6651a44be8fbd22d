#include "core/samples.hpp"

#include <algorithm>
#include <cmath>

namespace esi {

std::vector<Vec3> object_triangles(const SceneView& scene, std::int32_t object_id) {
  std::vector<Vec3> corners;
  for (std::size_t i = 0; i < scene.instance_count(); ++i) {
    const Instance& instance = scene.instance(static_cast<std::int32_t>(i));
    if (!instance.alive || instance.object_id != object_id) continue;
    std::vector<std::int32_t> faces = instance.shape->clusters.faces;
    std::sort(faces.begin(), faces.end());
    corners.reserve(corners.size() + 3 * faces.size());
    for (const std::int32_t face : faces) {
      for (const Vec3& corner : instance.triangle(face)) corners.push_back(corner);
    }
  }
  return corners;
}

void surface_samples(Span<const Vec3> corners, std::size_t count, std::array<double, 3> shift,
                     Vec3* points, Vec3* normals) {
  constexpr double plastic = 1.32471795724474602596;
  const std::size_t triangles = corners.size() / 3;
  double total = 0.0;
  std::vector<double> reached(triangles);  // twice the area up to and with each triangle
  for (std::size_t t = 0; t < triangles; ++t) {
    const Vec3 a = corners[3 * t];
    total += norm(cross(corners[3 * t + 1] - a, corners[3 * t + 2] - a));
    reached[t] = total;
  }
  const auto part = [](double x) { return x - std::floor(x); };
  // The levels rise, so that one walk along the triangles serves them all.
  std::size_t t = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const double level = (static_cast<double>(k) + shift[0]) / static_cast<double>(count) * total;
    while (reached[t] <= level && t + 1 < triangles) ++t;
    const double step = static_cast<double>(k + 1);
    const double u = part(step / plastic + shift[1]);
    const double v = part(step / (plastic * plastic) + shift[2]);
    const double root = std::sqrt(u);
    const Vec3 a = corners[3 * t], b = corners[3 * t + 1], c = corners[3 * t + 2];
    points[k] = (1.0 - root) * a + (root * (1.0 - v)) * b + (root * v) * c;
    normals[k] = normalized(cross(b - a, c - a));
  }
}

}  // namespace esi
