"""How much a vessel holds: the volume of liquid at rest that does not run off.

From the exact crossings of vertical lines with the surface, whatever way the vessel is tilted.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from esi_fast.geometry import _core
from esi_fast.geometry._arrays import BoolArray, FloatArray, Int32Array, as_floats, as_positive
from esi_fast.geometry.distance import ContainmentStatus, Mesh, MeshLike, as_mesh, points_to_mesh
from esi_fast.geometry.surface import Surface, closed
from esi_fast.geometry.transforms import normalize

__all__ = ["Capacity", "Fill", "capacity", "fill"]

# How far the surface of a fill reaches into the wall (metres), so that nothing shows between.
_OVERLAP = 3e-4
# Cells on both sides of a surface in which distances to it are measured.
_BAND = 3
_NOTHING = Surface(np.empty((0, 3)), np.empty((0, 3), dtype=np.int32), np.empty((0, 3, 3)))


class Capacity(NamedTuple):
    """``volume`` m³ that stay in; ``level`` m of the highest surface along ``up``, NaN if none.

    Both are NaN unless ``status`` is ``OK``: a surface that is not closed has no inside.
    """

    volume: float
    level: float
    status: ContainmentStatus


def capacity(
    mesh: MeshLike, *, up: ArrayLike = (0.0, 0.0, 1.0), spacing: float = 0.001
) -> Capacity:
    """The most liquid that a vessel holds at rest, ``up`` (3,) being away from gravity.

    ``mesh`` is the vessel's closed surface, walls included, or several that may overlap; faces
    must agree about the outside. Hollows that are closed all around hold nothing; overhangs fill
    up to the lowest pass to the outside, air always gets out.

    Across, the vessel is cut into columns about ``spacing`` m apart, in which heights are exact, so
    the error of the volume is that of the outline seen from above. Liquid passes where a straight
    way between two columns is free: it leaks through no wall, however thin, but may miss an opening
    narrower than the spacing.

    Raises ``ValueError`` for arrays that are no mesh, a zero ``up`` or a wrong spacing.
    """
    shape = as_mesh("mesh", mesh)
    step = as_positive("spacing", spacing)
    z = normalize(as_floats("up", up, (3,), ndim=1), name="up")
    if not shape.closed:
        return Capacity(np.nan, np.nan, ContainmentStatus.OPEN)
    if not shape.oriented:
        return Capacity(np.nan, np.nan, ContainmentStatus.NOT_ORIENTED)
    axes = _upright(z)
    return Capacity(*_core.vessel.capacity(shape.triangles @ axes, step), ContainmentStatus.OK)


class Fill(NamedTuple):
    """Liquid at rest in a vessel: ``volume`` m³ of it, ``level`` m of its surface along ``up``.

    ``surface`` encloses it: flat on top, a little into the wall elsewhere. Empty, with a NaN level,
    where there is no liquid, or where ``status`` is not OK.
    """

    volume: float
    level: float
    surface: Surface
    status: ContainmentStatus


def fill(
    mesh: MeshLike,
    volume: float,
    *,
    up: ArrayLike = (0.0, 0.0, 1.0),
    spacing: float = 0.001,
    detail: int = 48,
    threads: int = 0,
) -> Fill:
    """``volume`` m³ of liquid in a vessel, or as much of it as the vessel holds.

    Arguments as for ``capacity``; all that is held stands at one level, less where a pool runs over
    before. ``detail`` is the number of cells across the surface that is drawn, which misses what
    is narrower than a cell; level and volume are those of the columns. Raises ``ValueError`` also
    for a negative volume.
    """
    shape = as_mesh("mesh", mesh)
    step = as_positive("spacing", spacing)
    wanted = as_positive("volume", volume, zero=True)
    z = normalize(as_floats("up", up, (3,), ndim=1), name="up")
    if threads < 0:
        raise ValueError(f"threads: expected 0 (all) or more, got {threads}")
    for broken, status in (
        (not shape.closed, ContainmentStatus.OPEN),
        (not shape.oriented, ContainmentStatus.NOT_ORIENTED),
    ):
        if broken:
            return Fill(0.0, np.nan, _NOTHING, status)
    axes = _upright(z)
    triangles = shape.triangles @ axes
    # What is drawn is every so many columns of what is measured, one of them in the middle.
    cell = float(np.ptp(triangles.reshape(-1, 3)[:, :2], axis=0).max()) / max(int(detail), 8)
    every = max(1, round(cell / step)) // 2 * 2 + 1
    pools = _Pools(*_core.vessel.pools(triangles, cell / every))
    area = float(np.prod(pools.sides))
    level, held = _level(pools.heights, wanted / area)
    if not held > 0.0:
        return Fill(0.0, np.nan, _NOTHING, ContainmentStatus.OK)
    inner = _enclose(Mesh.from_triangles(triangles), pools, level, every, threads)
    turned = Surface(inner.vertices @ axes.T, inner.faces, inner.normals @ axes.T)
    return Fill(held * area, level, turned, ContainmentStatus.OK)


def _upright(up: FloatArray) -> FloatArray:
    """Columns x, y, ``up`` of a frame; any about the vertical will do, the z axis has the world's
    own."""
    x = normalize(np.cross(np.eye(3)[1 if abs(up[1]) < 0.9 else 0], up))
    return np.stack((x, np.cross(up, x), up), axis=1)


def _level(heights: FloatArray, wanted: float) -> tuple[float, float]:
    """The common level at which columns of ``heights`` (N, 2), low and high, hold ``wanted``
    metres of depth together, and what they then hold: all they can if it is less."""
    if not len(heights) or not wanted > 0.0:
        return np.nan, 0.0
    low, high = heights[:, 0], heights[:, 1]
    # Depth grows with the level by the number of columns that are being filled.
    at = np.concatenate((low, high))
    gain = np.repeat((1.0, -1.0), len(low))
    order = np.argsort(at, kind="stable")
    at, rate = at[order], np.cumsum(gain[order])
    depth = np.concatenate(([0.0], np.cumsum(rate[:-1] * np.diff(at))))
    if wanted >= depth[-1]:
        return float(at[-1]), float(depth[-1])
    k = int(np.searchsorted(depth, wanted, side="right")) - 1
    return float(at[k] + (wanted - depth[k]) / rate[k]), float(wanted)


class _Pools(NamedTuple):
    """Centre of column (0, 0), sides of columns, their indices (N, 2), heights (N, 2) of liquid."""

    first: FloatArray
    sides: FloatArray
    columns: Int32Array
    heights: FloatArray


def _enclose(shape: Mesh, pools: _Pools, level: float, every: int, threads: int) -> Surface:
    """The surface of all that stands below ``level`` in a vessel that stands upright."""
    middle = 1 + every // 2
    low, high = pools.heights.T
    wet = (np.minimum(high, level) > low) & ((pools.columns - middle) % every == 0).all(axis=1)
    columns, low, high = (pools.columns[wet] - middle) // every, low[wet], high[wet]
    first, sides = pools.first + middle * pools.sides, every * pools.sides
    if not len(columns):
        return _NOTHING
    corner = columns.min(axis=0) - 1
    shape_xy = columns.max(axis=0) - corner + 2
    tall = float(np.mean(sides))
    count = int(np.ceil((level - low.min()) / tall)) + 2
    # The last nodes lie on the surface itself, which closes them flat.
    z = level - tall * np.arange(count - 1, -1, -1.0)
    z[-1] = level
    inside = np.zeros((*shape_xy, count), dtype=bool)
    i, j = (columns - corner).T
    for row in range(0, len(columns), 4096):
        part = slice(row, row + 4096)
        free = (z > low[part, None]) & (z <= high[part, None])
        # Several pools of one column may not undo each other.
        np.logical_or.at(inside, (i[part], j[part]), free)
    near = _near(inside, _BAND)
    nodes = np.argwhere(near)
    points = np.column_stack((first + (nodes[:, :2] + corner) * sides, z[nodes[:, 2]]))
    held = inside[near]
    # Only what the liquid touches counts outside, so that a thin wall's other side does not.
    found_in = points_to_mesh(shape, points[held], threads=threads)
    distance = np.empty(len(points))
    distance[held] = found_in.distance
    touched = Mesh(shape.vertices, shape.faces[np.unique(found_in.face)])
    distance[~held] = -points_to_mesh(touched, points[~held], threads=threads).distance
    values = np.where(inside, 1.0, -1.0) * (_BAND * tall)
    values[near] = distance
    origin = np.array([*(first + corner * sides), z[0]])
    return closed(values + _OVERLAP, origin=origin, spacing=(*sides, tall))


def _near(inside: BoolArray, reach: int) -> BoolArray:
    """Nodes within ``reach`` cells of one on the other side."""
    grown, shrunk = inside, ~inside
    for _ in range(reach):
        grown, shrunk = _grow(grown), _grow(shrunk)
    return np.asarray(grown & shrunk)


def _grow(mask: BoolArray) -> BoolArray:
    out = mask.copy()
    for axis in range(3):
        here, there = [slice(None)] * 3, [slice(None)] * 3
        here[axis], there[axis] = slice(1, None), slice(None, -1)
        out[tuple(here)] |= mask[tuple(there)]
        out[tuple(there)] |= mask[tuple(here)]
    return out
