"""The map of a floor: free cells, their place in the world, the rooms that they belong to."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from esi_fast.geometry import _core
from esi_fast.geometry._arrays import (
    BoolArray,
    FloatArray,
    Int32Array,
    IntArray,
    as_floats,
    as_positive,
)

__all__ = ["SNAP", "GridMap", "Neighbours", "as_cells", "rooms_of"]

Neighbours: TypeAlias = Literal["4", "8", "8_strict"]

SNAP = 1e-9  # cells; what lies nearer to a line between cells lies on it
_FREE = 255  # the value of free cells in 8-bit map images
_FAR = float(1 << 52)  # cells; beyond it, rounding has eaten the fraction


class GridMap:
    """Which cells of a floor are free. Arrays are copied and read-only: other cells, another map.

    ``free`` (H, W) booleans; ``resolution`` in metres per cell; ``origin`` (2,) the world position
    (x, y) of the outer corner of cell (0, 0); ``rooms`` (H, W) room ids from 1, 0 for none.
    """

    __slots__ = ("_core", "_room_ids", "free", "origin", "resolution", "rooms")

    def __init__(
        self,
        free: ArrayLike,
        resolution: float,
        *,
        origin: ArrayLike = (0.0, 0.0),
        rooms: ArrayLike | None = None,
    ) -> None:
        self.resolution = as_positive("resolution", resolution)
        corner = as_floats("origin", origin, (2,), ndim=1)
        self.origin: tuple[float, float] = (float(corner[0]), float(corner[1]))
        self._core = _core.gridmap.Map(free, self.resolution, *self.origin)
        self.free: BoolArray = np.array(free, dtype=np.bool_)
        self.free.flags.writeable = False
        self.rooms: Int32Array | None = None
        self._room_ids: Int32Array = np.zeros(0, dtype=np.int32)
        if rooms is not None:
            self._room_ids = _core.gridmap.room_ids(rooms)
            self.rooms = np.array(rooms, dtype=np.int32)
            self.rooms.flags.writeable = False
            if self.rooms.shape != self.free.shape:
                raise ValueError(
                    f"rooms: expected shape {self.free.shape} as free has, got {self.rooms.shape}"
                )
            if self.rooms.size and self.rooms.min() < 0:
                raise ValueError(f"rooms: expected ids of at least 0, got {self.rooms.min()}")
        self._room_ids.flags.writeable = False

    @classmethod
    def load(
        cls,
        values: ArrayLike,
        resolution: float,
        *,
        free_min: float | None = None,
        origin: ArrayLike | Literal["centered"] = (0.0, 0.0),
        rooms: ArrayLike | None = None,
    ) -> GridMap:
        """A map from the values (H, W) of an image: free where ``value >= free_min``.

        8-bit values need no ``free_min``: only 255 is free, because the grey edges of a resampled
        wall are wall. Booleans are taken as they are. For all other numbers, floats too, nothing
        can be guessed: without ``free_min`` they are refused. NaN is never free. A Pillow picture
        is taken if it is grey; colours and palettes are refused.

        ``origin="centered"`` puts the middle of the map at the world's origin, as the maps of
        BEHAVIOR-1K have it. Rows grow with y; an image whose first row is the farthest goes in as
        ``values[::-1]``. To change the resolution, load first and call ``resample``.
        """
        if getattr(values, "mode", None) == "P":  # Pillow's: its array would be palette indices
            raise ValueError("values: expected grey levels, got a picture with a palette")
        raw = np.asarray(values)
        if raw.ndim != 2:
            raise ValueError(f"values: expected shape (H, W), got {raw.shape}")
        if raw.dtype.kind not in "biuf":
            raise TypeError(f"values: expected booleans or real numbers, got dtype {raw.dtype}")
        if raw.dtype.kind == "b":
            if free_min is not None:
                raise ValueError(f"free_min: expected None for booleans, got {free_min!r}")
            free = raw
        else:
            if free_min is None:
                if raw.dtype != np.uint8:
                    raise ValueError(
                        f"free_min: expected a number, as values are not 8 bits but {raw.dtype}, "
                        "got None"
                    )
                free_min = _FREE
            if np.isnan(free_min):
                raise ValueError("free_min: expected a number, got NaN")
            free = raw >= free_min
        if isinstance(origin, str):
            if origin != "centered":
                raise ValueError(f"origin: expected a point or 'centered', got {origin!r}")
            step = as_positive("resolution", resolution)
            origin = (-0.5 * raw.shape[1] * step, -0.5 * raw.shape[0] * step)
        return cls(free, resolution, origin=origin, rooms=rooms)

    def __repr__(self) -> str:
        rooms = "" if self.rooms is None else f", {len(self._room_ids)} rooms"
        height, width = self.shape
        return f"GridMap({height} x {width}, {self.resolution} m per cell{rooms})"

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        height, width = self.free.shape
        return height, width

    @property
    def bounds(self) -> FloatArray:
        """Corners (2, 2) of the map in metres: lower (x, y), upper (x, y)."""
        corner = np.array(self.origin)
        return np.array([corner, corner + self.resolution * np.array(self.shape[::-1])])

    @property
    def room_ids(self) -> Int32Array:
        """Ids (R,) of the rooms that have cells, ascending."""
        return self._room_ids

    def centers(self, cells: ArrayLike) -> FloatArray:
        """World positions (x, y), (..., 2), of the centres of cells (row, column), (..., 2)."""
        where = as_floats("cells", cells, (2,))
        return np.asarray(np.array(self.origin) + (where[..., ::-1] + 0.5) * self.resolution)

    def cells_at(self, points: ArrayLike) -> IntArray:
        """Cells (row, column), (..., 2), that hold the world positions (x, y), (..., 2).

        A point on the line between two cells (within 1e-9 cells) belongs to the upper one. Cells
        may lie outside of the map. The centre of a cell is always in that cell.
        """
        where = as_floats("points", points, (2,))
        local = (where - np.array(self.origin)) / self.resolution
        cells = np.clip(np.floor(local + SNAP), -_FAR, _FAR)
        return np.asarray(cells[..., ::-1].astype(np.int64))

    def inside(self, cells: ArrayLike) -> BoolArray:
        """Whether cells (..., 2) belong to the map."""
        where = as_cells("cells", cells)
        return np.asarray(((where >= 0) & (where < np.array(self.shape))).all(axis=-1))

    def is_free(self, cells: ArrayLike) -> BoolArray:
        """Whether cells (..., 2) are free; what lies outside is not."""
        where = as_cells("cells", cells)
        known = self.inside(where)
        at = np.where(known[..., None], where, 0)
        if self.free.size == 0:
            return known
        return np.asarray(self.free[at[..., 0], at[..., 1]] & known)

    def with_rooms(self, rooms: ArrayLike | GridMap | None) -> GridMap:
        """The same floor with other room ids (H, W).

        Another ``GridMap``, of any resolution and origin, gives each cell the room in which its
        centre lies there.
        """
        if isinstance(rooms, GridMap):
            rooms = rooms.rooms_on(self)
        return GridMap(self.free, self.resolution, origin=self.origin, rooms=rooms)

    def rooms_on(self, other: GridMap) -> Int32Array:
        """The rooms here in which the centres of the cells of another map lie, 0 for none."""
        rooms = rooms_of(self)
        height, width = other.shape
        out = np.zeros(other.shape, dtype=np.int32)
        if out.size == 0 or rooms.size == 0:
            return out
        row = self.cells_at(other.centers([(r, 0) for r in range(height)]))[:, 0]
        column = self.cells_at(other.centers([(0, c) for c in range(width)]))[:, 1]
        down = np.flatnonzero((row >= 0) & (row < self.shape[0]))
        across = np.flatnonzero((column >= 0) & (column < self.shape[1]))
        out[np.ix_(down, across)] = rooms[np.ix_(row[down], column[across])]
        return out

    def with_free(self, free: ArrayLike) -> GridMap:
        """The same place and rooms with other free cells (H, W), for example with doors shut."""
        return GridMap(free, self.resolution, origin=self.origin, rooms=self.rooms)


def rooms_of(grid_map: GridMap) -> Int32Array:
    """The room ids (H, W) of a map that must have them."""
    if grid_map.rooms is None:
        raise ValueError("grid_map: expected a map with rooms, got one without")
    return grid_map.rooms


def as_cells(name: str, value: ArrayLike, *, ndim: int | None = None) -> IntArray:
    """``value`` as cells (..., 2), every coordinate a whole number of 64 bits."""
    raw = np.asarray(value)
    if raw.dtype.kind not in "iu" and raw.size:
        raise TypeError(f"{name}: expected integers, got dtype {raw.dtype}")
    if raw.ndim == 0 or raw.shape[-1] != 2 or (ndim is not None and raw.ndim != ndim):
        wanted = {None: "(..., 2)", 1: "(2,)", 2: "(N, 2)"}[ndim]
        raise ValueError(f"{name}: expected shape {wanted}, got {raw.shape}")
    limit = np.iinfo(np.int64).max
    if raw.dtype.kind == "u" and raw.size and raw.max() > limit:
        raise ValueError(f"{name}: expected integers within int64, got {raw.max()}")
    return raw.astype(np.int64)
