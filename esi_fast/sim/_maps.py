"""Floor maps from geometry: which cells a walker can use, and which room they belong to."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from esi_fast.records import RoomSpec
from esi_fast.types import BoolArray, FloatArray, IntArray

__all__ = ["HEAD", "RESOLUTION", "STEP_OVER", "grid_frame", "rasterize", "room_cells"]

RESOLUTION = 0.05  # metres per cell
STEP_OVER = 0.05  # what is lower (rugs, sills) is walked over
HEAD = 2.0  # what is higher is walked under
_CHUNK = 100_000  # (triangle, cell) pairs per numpy pass


def grid_frame(lower: FloatArray, upper: FloatArray) -> tuple[tuple[float, float], int, int]:
    """Origin, rows and columns of the map that covers ``lower``..``upper`` with one spare cell.

    The origin is a multiple of the resolution, so that maps of one house always line up.
    """
    first = [math.floor(round(float(v) / RESOLUTION, 6)) - 1 for v in lower[:2]]
    last = [math.ceil(round(float(v) / RESOLUTION, 6)) + 1 for v in upper[:2]]
    origin = (round(first[0] * RESOLUTION, 6), round(first[1] * RESOLUTION, 6))
    return origin, last[1] - first[1], last[0] - first[0]


def rasterize(
    triangles: FloatArray, origin: tuple[float, float], rows: int, columns: int
) -> BoolArray:
    """Cells touched by the parts of ``triangles`` (T, 3, 3) between knee and head height.

    Conservative and exact: a cell is set when the slab-clipped triangle, seen from above, and the
    closed square of the cell, shrunk by 1e-9 of its side, have a point in common. Thin walls are
    therefore never lost.
    """
    out = np.zeros((rows, columns), dtype=bool)
    z = triangles[:, :, 2]
    triangles = triangles[(z.max(axis=1) > STEP_OVER) & (z.min(axis=1) < HEAD)]
    if len(triangles) == 0:
        return out
    polygon = _clip(_clip(triangles, STEP_OVER, 1.0), HEAD, -1.0)
    flat = (polygon[:, :, :2] - np.asarray(origin)) / RESOLUTION
    shrink = 1e-7
    lower = np.floor(flat.min(axis=1) + shrink).astype(np.int64)
    upper = np.floor(flat.max(axis=1) - shrink).astype(np.int64)
    upper = np.maximum(upper, lower)
    size = np.array([columns, rows])
    lower, upper = np.maximum(lower, 0), np.minimum(upper, size - 1)
    counts = np.maximum(upper - lower + 1, 0)
    counts[(counts <= 0).any(axis=1)] = 0
    total = counts.prod(axis=1)
    # A polygon whose cells form one row or column covers all of them.
    line = (total > 0) & (counts.min(axis=1) == 1)
    wide = np.flatnonzero((total > 0) & ~line)
    # Large triangles first: most cells of the small ones are set by then and need no test.
    wide = wide[np.argsort(-total[wide], kind="stable")]
    for index, exact in ((np.flatnonzero(line), False), (wide, True)):
        ends = np.cumsum(total[index])
        start = 0
        while start < len(index):
            base = ends[start - 1] if start else 0
            stop = max(start + 1, int(np.searchsorted(ends, base + _CHUNK)))
            part = index[start:stop]
            owner = np.repeat(part, total[part])
            local = np.arange(len(owner)) - np.repeat(
                np.cumsum(total[part]) - total[part], total[part]
            )
            column = lower[owner, 0] + local % counts[owner, 0]
            row = lower[owner, 1] + local // counts[owner, 0]
            if exact:
                unset = ~out[row, column]
                owner, column, row = owner[unset], column[unset], row[unset]
                keep = _overlaps(flat[owner], column, row, 1.0 - 2e-7)
                column, row = column[keep], row[keep]
            out[row, column] = True
            start = stop
    return out


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


def _overlaps(flat: FloatArray, column: IntArray, row: IntArray, side: float) -> BoolArray:
    """Separating axes of convex polygons (P, K, 2) and squares around cell centres."""
    center = np.stack([column + 0.5, row + 0.5], axis=1)
    relative = flat - center[:, None, :]
    edge = np.roll(relative, -1, axis=1) - relative
    keep = np.ones(len(flat), dtype=bool)
    for k in range(flat.shape[1]):
        nx, ny = -edge[:, k, 1], edge[:, k, 0]
        reach = (np.abs(nx) + np.abs(ny)) * side / 2
        along = relative[:, :, 0] * nx[:, None] + relative[:, :, 1] * ny[:, None]
        keep &= (along.min(axis=1) <= reach) & (along.max(axis=1) >= -reach)
    return keep


def room_cells(
    rooms: Sequence[RoomSpec], origin: tuple[float, float], rows: int, columns: int
) -> IntArray:
    """Index plus one of the room that holds each cell's centre, 0 where none does."""
    x = origin[0] + (np.arange(columns) + 0.5) * RESOLUTION
    y = origin[1] + (np.arange(rows) + 0.5) * RESOLUTION
    cells = np.zeros((rows, columns), dtype=np.int64)
    for number, room in enumerate(rooms, start=1):
        inside_x = (x >= room.lower[0]) & (x <= room.upper[0])
        inside_y = (y >= room.lower[1]) & (y <= room.upper[1])
        cells[np.ix_(inside_y, inside_x)] = number
    return cells
