"""Where objects are by a picture from above: what witnesses measure, from pixels alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from esi_fast.errors import PlacementRejected
from esi_fast.generators import views
from esi_fast.sim.base import Simulator, Snapshot
from esi_fast.types import FloatArray

__all__ = ["spots_from_above"]

# Of the camera over the floor, metres, and its field of view: 3 m of floor.
_HEIGHT, _VFOV_DEG = 2.2, 70.0


def spots_from_above(sim: Simulator, snapshot: Snapshot, ids: Sequence[str]) -> list[FloatArray]:
    """The middle (2,) of what each object shows from above: depth and ids, back-projected.

    Boxes only aim the camera. Raises ``PlacementRejected`` where an object does not show.
    """
    indices = [snapshot.index(name) for name in ids]
    middle = snapshot.centers()[indices].mean(axis=0)
    camera = views.camera_at(
        (float(middle[0]), float(middle[1]), _HEIGHT),
        yaw=0.0,
        pitch=-np.pi / 2,
        vfov_deg=_VFOV_DEG,
    )
    frame = sim.render([camera], ("depth", "ids"))[0]
    if frame.ids is None or frame.depth is None:
        raise RuntimeError("render: asked for depth and ids, got none")
    lens = views.pinhole(camera)
    spots = []
    for index in indices:
        rows, cols = np.nonzero(frame.ids == index)
        if not len(rows):
            raise PlacementRejected("hidden_from_above", object=float(index))
        pixels = np.column_stack((cols + 0.5, rows + 0.5))
        points = lens.unproject(pixels, frame.depth[rows, cols])[:, :2]
        spots.append((points.min(axis=0) + points.max(axis=0)) / 2)
    return spots
