"""Where things can stand: free floor of a room, and objects put upright on it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from esi_fast import assets
from esi_fast import geometry as geo
from esi_fast.errors import SceneUnsuitable
from esi_fast.records import ObjectSpec, Role, RoomSpec
from esi_fast.sim.base import Snapshot
from esi_fast.types import BoolArray, FloatArray

__all__ = ["FreeFloor", "draw_room", "rooms_by_space", "stand"]

# Obstacles are what reaches between these heights above the floor; a carpet counts too, since it
# tilts what stands half on it.
_LOW, _HIGH = 0.002, 2.0


class FreeFloor:
    """The free part of one room's floor, as distances to what stands there.

    Obstacles are the rectangles (world bounding boxes) of everything in the room but floor and
    ceiling; the room's own rectangle bounds it.
    """

    def __init__(self, snapshot: Snapshot, room: RoomSpec, *, floor_z: float = 0.0) -> None:
        self.room = room
        self.floor_z = floor_z
        lower, upper = np.asarray(room.lower), np.asarray(room.upper)
        boxes = snapshot.boxes
        names = np.array([obj.category for obj in snapshot.objects])
        solid = ~np.isin(names, ("floor", "ceiling"))
        solid &= (boxes[:, 1, 2] > floor_z + _LOW) & (boxes[:, 0, 2] < floor_z + _HIGH)
        solid &= (boxes[:, 0, :2] < upper).all(axis=1) & (boxes[:, 1, :2] > lower).all(axis=1)
        self._rects = boxes[solid][:, :, :2]

    def clearance(self, points: FloatArray) -> FloatArray:
        """Distance (N,) of floor points (N, 2) to the nearest obstacle or the room's edge.

        Negative inside an obstacle or outside the room.
        """
        points = np.atleast_2d(points)
        inside = np.minimum(points - self.room.lower, np.asarray(self.room.upper) - points)
        free = inside.min(axis=1)
        if len(self._rects):
            gap = np.maximum(
                self._rects[None, :, 0] - points[:, None],
                points[:, None] - self._rects[None, :, 1],
            )
            outside = np.linalg.norm(np.maximum(gap, 0.0), axis=-1)
            depth = np.minimum(gap.max(axis=-1), 0.0)
            free = np.minimum(free, (outside + depth).min(axis=1))
        return np.asarray(free)

    def is_free(self, points: FloatArray, radius: float) -> BoolArray:
        """Whether discs of ``radius`` at ``points`` (N, 2) touch nothing."""
        return np.asarray(self.clearance(points) > radius)

    def sample(self, rng: np.random.Generator, count: int, radius: float) -> FloatArray:
        """``count`` random points (count, 2) with ``radius`` free around them.

        Raises ``SceneUnsuitable`` when none of 64 times as many tries is free: ``no_free_floor``,
        or ``larger_than_room`` where the room could not have it even empty.
        """
        lower, upper = np.asarray(self.room.lower), np.asarray(self.room.upper)
        tries = rng.uniform(lower, upper, size=(64 * count, 2))
        good = tries[self.is_free(tries, radius)]
        if not len(good):
            extents = tuple(float(v) for v in upper - lower)
            reason = "larger_than_room" if 2.0 * radius > min(extents) else "no_free_floor"
            raise SceneUnsuitable(reason, room=self.room.id, radius=radius, room_extents=extents)
        return np.asarray(good[np.arange(count) % len(good)])


@lru_cache(maxsize=16)
def rooms_by_space(snapshot: Snapshot, *, radius: float) -> tuple[RoomSpec, ...]:
    """Rooms with any floor point ``radius`` metres clear, the one with most such floor first.

    Raises ``SceneUnsuitable`` where there is none.
    """
    spacious = []
    for room in snapshot.rooms:
        axes = [np.arange(room.lower[k] + 0.05, room.upper[k], 0.1) for k in (0, 1)]
        grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
        free = int(FreeFloor(snapshot, room).is_free(grid, radius).sum())
        if free:
            spacious.append((-free, room.id, room))
    if not spacious:
        raise SceneUnsuitable("no_open_floor", radius=radius)
    return tuple(room for _, _, room in sorted(spacious))


def draw_room(
    snapshot: Snapshot, rng: np.random.Generator, *, radius: float, among: int = 3
) -> RoomSpec:
    """One of the ``among`` most spacious rooms of ``rooms_by_space``."""
    rooms = rooms_by_space(snapshot, radius=radius)
    return rooms[int(rng.integers(min(among, len(rooms))))]


def stand(
    object_id: str,
    category: str,
    model: str,
    xy: Sequence[float] | FloatArray,
    yaw: float,
    *,
    scale: float = 1.0,
    role: Role = "question",
    room: str = "",
    floor_z: float = 0.0,
    palette: int = 0,
    fixed: bool = False,
) -> ObjectSpec:
    """An object upright on the floor at ``xy``, turned by ``yaw``."""
    size = assets.get(category, model).size
    x, y = float(xy[0]), float(xy[1])
    quat = geo.transforms.yaw_quat(yaw)
    return ObjectSpec(
        id=object_id,
        category=category,
        model=model,
        position=(x, y, floor_z + 0.5 * float(size[2]) * scale),
        orientation=(float(quat[0]), float(quat[1]), float(quat[2]), float(quat[3])),
        scale=(scale, scale, scale),
        role=role,
        room=room,
        palette=palette,
        fixed=fixed,
    )
