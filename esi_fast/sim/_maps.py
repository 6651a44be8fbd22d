"""Floor maps from geometry: which cells a walker can use, and which room they belong to."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from esi_fast import geometry as geo
from esi_fast.records import ObjectSpec, RoomSpec
from esi_fast.sim._shapes import shape_of
from esi_fast.sim._soft import is_soft
from esi_fast.sim._view import opening
from esi_fast.sim.base import Snapshot
from esi_fast.types import BoolArray, FloatArray, IntArray

__all__ = [
    "HEAD",
    "RESOLUTION",
    "STEP_OVER",
    "Keep",
    "free_cells",
    "grid_frame",
    "rasterize",
    "room_cells",
]

Keep: TypeAlias = Callable[[ObjectSpec], bool]

RESOLUTION = 0.05  # metres per cell
STEP_OVER = 0.05  # what is lower (rugs, sills) is walked over
HEAD = 2.0  # what is higher is walked under
_CHUNK = 100_000  # (triangle, row) pairs per numpy pass
_SHRINK = 1e-7  # cells: what touches a cell's border only is not in it


def grid_frame(lower: FloatArray, upper: FloatArray) -> tuple[tuple[float, float], int, int]:
    """Origin, rows and columns of the map that covers ``lower``..``upper`` with one spare cell.

    The origin is a multiple of the resolution, so that maps of one house always line up.
    """
    first = [math.floor(round(float(v) / RESOLUTION, 6)) - 1 for v in lower[:2]]
    last = [math.ceil(round(float(v) / RESOLUTION, 6)) + 1 for v in upper[:2]]
    origin = (round(first[0] * RESOLUTION, 6), round(first[1] * RESOLUTION, 6))
    return origin, last[1] - first[1], last[0] - first[0]


def free_cells(
    snapshot: Snapshot,
    origin: tuple[float, float],
    rows: int,
    columns: int,
    *,
    resolution: float = RESOLUTION,
    keep: Keep = lambda spec: True,
) -> BoolArray:
    """Cells (H, W) over a floor that nothing between knee and head height touches.

    A cell is over a floor when its centre is. ``keep`` picks the objects that block.
    """
    free = np.zeros((rows, columns), dtype=bool)
    x = origin[0] + (np.arange(columns) + 0.5) * resolution
    y = origin[1] + (np.arange(rows) + 0.5) * resolution
    triangles: list[FloatArray] = []
    for k, spec in enumerate(snapshot.objects):
        (x0, y0, _), (x1, y1, top) = snapshot.boxes[k]
        if spec.category == "floor":
            free[np.ix_((y > y0) & (y < y1), (x > x0) & (x < x1))] = True
        elif keep(spec):
            triangles.append(snapshot.scene.world_triangles(k))
            if top > HEAD and not is_soft(spec):
                # The top faces lie above the slab: the inside has to be filled from the solid.
                triangles.append(_slice(spec))
    if triangles:
        free &= ~rasterize(np.concatenate(triangles), origin, rows, columns, resolution)
    return free


def _slice(spec: ObjectSpec) -> FloatArray:
    """Fans (T, 3, 3) that cover the cross-sections of a tall object at head height."""
    shape = shape_of(spec.category, spec.model, spec.scale, opening(spec))
    turn = geo.transforms.quat_to_matrix(np.asarray(spec.orientation))
    fans = []
    height = HEAD - 1e-6
    for piece in shape.pieces:
        points = piece.points @ turn.T + np.asarray(spec.position)
        z = points[:, 2]
        below, above = points[z < height], points[z >= height]
        if len(below) == 0 or len(above) == 0:
            continue
        # Segments between all corners below and above: their hull is the cross-section.
        t = (height - below[:, None, 2]) / (above[None, :, 2] - below[:, None, 2])
        cut = (below[:, None] + t[..., None] * (above[None] - below[:, None])).reshape(-1, 3)
        center = cut.mean(axis=0)
        angle = np.arctan2(cut[:, 1] - center[1], cut[:, 0] - center[0])
        ring = cut[np.argsort(angle, kind="stable")]
        fans.append(
            np.stack([np.broadcast_to(center, ring.shape), ring, np.roll(ring, -1, axis=0)], axis=1)
        )
    return np.concatenate(fans) if fans else np.zeros((0, 3, 3))


def rasterize(
    triangles: FloatArray,
    origin: tuple[float, float],
    rows: int,
    columns: int,
    resolution: float = RESOLUTION,
) -> BoolArray:
    """Cells touched by the parts of ``triangles`` (T, 3, 3) between knee and head height.

    Conservative and exact: a cell is set when the slab-clipped triangle, seen from above, and the
    closed square of the cell, shrunk by 1e-7 of its side, have a point in common. Thin walls are
    therefore never lost.
    """
    if len(triangles) == 0:
        return np.zeros((rows, columns), dtype=bool)
    z = triangles[:, :, 2]
    low, high = z.min(axis=1), z.max(axis=1)
    whole = (low >= STEP_OVER) & (high <= HEAD) & (high > STEP_OVER) & (low < HEAD)
    cut = triangles[~whole & (high > STEP_OVER) & (low < HEAD)]
    # Steps of +1 and -1 along each row, whose running sum counts the polygons over a cell.
    steps = np.zeros((rows, columns + 1), dtype=np.int32)
    shift = np.array([*origin, 0.0])
    if whole.any():
        _fill(steps, ((triangles[whole] - shift) / resolution)[:, :, :2])
    if len(cut):
        polygons = _clip(_clip(cut, STEP_OVER, 1.0), HEAD, -1.0)
        _fill(steps, ((polygons - shift) / resolution)[:, :, :2])
    return np.asarray(np.cumsum(steps, axis=1)[:, :columns] > 0)


def _fill(steps: NDArray[np.int32], flat: FloatArray) -> None:
    """Count convex polygons (P, K, 2), in cells, into the steps (H, W + 1)."""
    rows, columns = steps.shape[0], steps.shape[1] - 1
    lower = np.floor(flat.min(axis=1) + _SHRINK).astype(np.int64)
    upper = np.maximum(np.floor(flat.max(axis=1) - _SHRINK).astype(np.int64), lower)
    first, last = np.maximum(lower[:, 1], 0), np.minimum(upper[:, 1], rows - 1)
    count = np.maximum(last - first + 1, 0)
    # A polygon within one row or column of cells covers all of them.
    single = (lower == upper).any(axis=1)
    ends = np.cumsum(count)
    start = 0
    while start < len(count):
        base = ends[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, base + _CHUNK)))
        owner = np.repeat(np.arange(start, stop), count[start:stop])
        row = np.arange(len(owner)) - (ends - count)[owner] + base + first[owner]
        left, right = lower[owner, 0], upper[owner, 0]
        wide = np.flatnonzero(~single[owner])
        left[wide], right[wide] = _spans(flat[owner[wide]], row[wide])
        left, right = np.maximum(left, 0), np.minimum(right, columns - 1)
        some = left <= right
        np.add.at(steps, (row[some], left[some]), 1)
        np.add.at(steps, (row[some], right[some] + 1), -1)
        start = stop


def _spans(flat: FloatArray, row: IntArray) -> tuple[IntArray, IntArray]:
    """First and last column that convex polygons (P, K, 2) touch within their rows (P,)."""
    following = np.roll(flat, -1, axis=1)
    rise = following[:, :, 1] - flat[:, :, 1]
    level = rise == 0.0
    slope = np.where(level, 1.0, rise)
    t = [(row[:, None] + bound - flat[:, :, 1]) / slope for bound in (_SHRINK, 1.0 - _SHRINK)]
    low, high = np.minimum(*t), np.maximum(*t)
    inside = (flat[:, :, 1] > row[:, None] + _SHRINK) & (flat[:, :, 1] < row[:, None] + 1 - _SHRINK)
    low = np.where(level, np.where(inside, 0.0, 2.0), np.maximum(low, 0.0))
    high = np.where(level, np.where(inside, 1.0, -1.0), np.minimum(high, 1.0))
    valid = low <= high
    run = following[:, :, 0] - flat[:, :, 0]
    a = flat[:, :, 0] + np.where(valid, low, 0.0) * run
    b = flat[:, :, 0] + np.where(valid, high, 0.0) * run
    left = np.where(valid, np.minimum(a, b), np.inf).min(axis=1)
    right = np.where(valid, np.maximum(a, b), -np.inf).max(axis=1)
    none = left > right
    left, right = np.where(none, 0.0, left), np.where(none, -1.0, right)
    first = np.floor(left + _SHRINK).astype(np.int64)
    last = np.floor(right - _SHRINK).astype(np.int64)
    return first, np.where(none, first - 1, np.maximum(last, first))


def _clip(polygon: FloatArray, height: float, keep: float) -> FloatArray:
    """Clip convex polygons (T, K, 3) by the plane z = ``height``, giving (T, 2 K, 3).

    ``keep`` 1 keeps what is above, -1 what is below. Corners outside are replaced by crossing
    points (or by a kept neighbour), so the result may repeat points but has the same outline.
    """
    following = np.roll(polygon, -1, axis=1)
    a = (polygon[:, :, 2] - height) * keep
    b = (following[:, :, 2] - height) * keep
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(a * b < 0.0, a / (a - b), 0.0)
    crossing = polygon + t[:, :, None] * (following - polygon)
    points = np.stack([polygon, crossing], axis=2).reshape(len(polygon), -1, 3)
    valid = np.stack([a >= 0.0, a * b < 0.0], axis=2).reshape(len(polygon), -1)
    # Repeat the last kept point in place of a dropped one: the outline stays in order.
    index = _last_valid(valid)
    return np.asarray(np.take_along_axis(points, index[:, :, None], axis=1))


def _last_valid(valid: BoolArray) -> IntArray:
    """Per row and position, the nearest valid position at or before it, cyclically."""
    width = valid.shape[1]
    twice = np.concatenate([valid, valid], axis=1)
    index = np.where(twice, np.arange(2 * width), -1)
    index = np.maximum.accumulate(index, axis=1)[:, width:]
    return np.asarray(np.where(index < 0, 0, index % width), dtype=np.int64)


def room_cells(
    rooms: Sequence[RoomSpec],
    origin: tuple[float, float],
    rows: int,
    columns: int,
    resolution: float = RESOLUTION,
) -> IntArray:
    """Index plus one of the room that holds each cell's centre, 0 where none does."""
    x = origin[0] + (np.arange(columns) + 0.5) * resolution
    y = origin[1] + (np.arange(rows) + 0.5) * resolution
    cells = np.zeros((rows, columns), dtype=np.int64)
    for number, room in enumerate(rooms, start=1):
        inside_x = (x >= room.lower[0]) & (x <= room.upper[0])
        inside_y = (y >= room.lower[1]) & (y <= room.upper[1])
        cells[np.ix_(inside_y, inside_x)] = number
    return cells
