// Which poses of an object explain the rectangle that its mask fills in a picture.
#pragma once

#include <cstdint>

#include "core/types.hpp"

namespace esi {

// The rectangle of a mask (or of its visible part) in one picture.
//
// `rotation` has the camera's right, up and back as columns. Pixel coordinates are continuous; the
// edges come as low column, low row, high column, high row. A free edge is the silhouette's own;
// any other one may be cut off, so that the silhouette reaches at least as far.
struct OutlineView {
  Vec3 position, right, up, back;
  double focal = 0, center[2] = {0, 0};
  double low[2] = {0, 0}, high[2] = {0, 0};
  bool free_low[2] = {false, false}, free_high[2] = {false, false};
};

// Unknowns of an object that stands upright on the floor.
struct UprightState {
  double x, y, yaw, scale;
};

// Half sizes of the cell around a state, the same for all.
struct UprightCell {
  double xy = 0, yaw = 0, scale = 0;
};

struct OutlineSettings {
  double floor_z = 0;       // height of the floor
  double base = 0;          // height of the model's origin above the floor, at scale 1
  double max_scale = 1;     // the largest scale in question
  double tolerance_px = 0;  // between predicted and seen edges
  double rest = 0;          // how far any vertex may be off its place, metres
};

// keep[i] = whether some state in the cell around states[i] may explain every view, to within the
// tolerance. Conservative: it is never false for a state that does. `hull` holds the vertices that
// give the outline, in the model's frame.
void outline_explains(Span<const Vec3> hull, Span<const OutlineView> views,
                      Span<const UprightState> states, const UprightCell& cell,
                      const OutlineSettings& settings, int threads, bool* keep);

}  // namespace esi
