"""Which lights matter to which rooms: a lamp behind walls costs time and adds nothing.

How much a lamp adds to a room is the mean of its light over a grid of points that it sees past
the walls and doors of now; furniture is looked through. A picture leaves out the lamps that add
next to nothing to each room that it shows.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from esi_fast import geometry as geo
from esi_fast.records import RoomSpec
from esi_fast.sim.base import Snapshot
from esi_fast.types import BoolArray, FloatArray, IntArray

__all__ = ["lamp_reach", "lamps_for", "rooms_of"]

_SPACING = 0.4  # metres between the points of a room's grid
_HEIGHTS = (0.03, 0.9, 1.7, 2.5)
# What a lamp adds to a room at least (linear, where daylight in a room is about 0.5), and the least
# share of a picture that a room must fill, for the lamp to be needed.
_LEAST_LIGHT, _LEAST_SHARE = 0.01, 0.0025


def rooms_of(snapshot: Snapshot) -> IntArray:
    """Per object the index of its room: as recorded, else by its centre; -1 for none."""
    index = {room.id: k for k, room in enumerate(snapshot.rooms)}
    centers = snapshot.centers()
    found = np.full(len(snapshot.ids), -1, dtype=np.int64)
    for row, spec in enumerate(snapshot.objects):
        found[row] = index.get(spec.room, -1)
        # Only structure stays in its room; anything else may have been carried elsewhere.
        if spec.role != "structure":
            found[row] = _room_at(snapshot.rooms, centers[row])
    return found


def _room_at(rooms: Sequence[RoomSpec], point: FloatArray) -> int:
    for k, room in enumerate(rooms):
        if all(a <= v <= b for a, v, b in zip(room.lower, point[:2], room.upper, strict=True)):
            return k
    return -1


def lamp_reach(snapshot: Snapshot, lights: Sequence[geo.render.Light]) -> BoolArray:
    """(L, R): whether each light adds something to each room; suns do everywhere."""
    reach = np.ones((len(lights), len(snapshot.rooms)), dtype=bool)
    lamps = [k for k, light in enumerate(lights) if light.type != "sun"]
    if not lamps or not snapshot.rooms:
        return reach
    starts = np.array([lights[k].position for k in lamps])
    power = np.array([max(lights[k].color) for k in lamps])
    furniture = np.array(
        [k for k, spec in enumerate(snapshot.objects) if spec.role != "structure"], dtype=np.int64
    )
    for number, room in enumerate(snapshot.rooms):
        axes = [
            np.linspace(a + 0.03, b - 0.03, max(2, round((b - a) / _SPACING)))
            for a, b in zip(room.lower, room.upper, strict=True)
        ]
        points = np.stack(np.meshgrid(*axes, _HEIGHTS, indexing="ij"), axis=-1).reshape(-1, 3)
        seen = geo.occlusion.visibility_matrix(snapshot.scene, starts, points, ignore=furniture)
        square = ((points[None] - starts[:, None]) ** 2).sum(axis=2)
        light = (seen * power[:, None] / np.maximum(square, 0.25)).mean(axis=1)
        reach[lamps, number] = light >= _LEAST_LIGHT
    return reach


def lamps_for(shown: IntArray, rooms: IntArray, reach: BoolArray) -> IntArray:
    """Rows of the lights for a picture that shows the objects ``shown`` (H, W), -1 for none.

    ``rooms`` (N,) are the objects' rooms. The garden outside belongs to no room: it has the sun,
    which reaches all. Without rooms all lights are taken.
    """
    room = np.where(shown >= 0, np.append(rooms, -1)[shown], -1)
    share = np.bincount(room.ravel() + 1, minlength=reach.shape[1] + 1)[1:] / shown.size
    return np.flatnonzero(reach[:, share >= _LEAST_SHARE].any(axis=1) | reach.all(axis=1))
