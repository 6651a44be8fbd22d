"""Shortest paths on a map."""

from __future__ import annotations

import enum
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from esi_fast.geometry._arrays import FloatArray, Int32Array, IntArray, as_floats
from esi_fast.geometry._gridmap import GridMap, Neighbours, as_cells

__all__ = [
    "Between",
    "Path",
    "PathStatus",
    "Paths",
    "Walk",
    "distances_between",
    "farthest_pairs",
    "shortest_path",
    "shortest_paths",
    "walk_from",
]


class PathStatus(enum.IntEnum):
    """Whether there is a path, and if not, why. Of several reasons the first is given."""

    OK = 0
    START_BLOCKED = 1
    GOAL_BLOCKED = 2
    START_OUTSIDE = 3
    GOAL_OUTSIDE = 4
    UNREACHABLE = 5


_STATUS = tuple(PathStatus)


class Path(NamedTuple):
    """``cells`` (K, 2) from start to goal, both included; one cell where they are the same.

    ``distance`` (m) is ``straight * resolution + diagonal * sqrt(2) * resolution``. Unless
    ``status`` is OK there is no path: no cells, ``distance`` infinite, steps -1.
    """

    status: PathStatus
    cells: Int32Array
    distance: float
    straight: int
    diagonal: int


class Paths(NamedTuple):
    """N paths: those of ``Path`` as arrays (N,).

    The cells of path k are ``cells[offsets[k] : offsets[k + 1]]``; see ``path_cells``.
    """

    status: NDArray[np.uint8]
    distance: FloatArray
    straight: Int32Array
    diagonal: Int32Array
    offsets: IntArray
    cells: Int32Array

    def path_cells(self, k: int) -> Int32Array:
        """Cells (K, 2) of path ``k``."""
        return self.cells[self.offsets[k] : self.offsets[k + 1]]


class Between(NamedTuple):
    """Shortest ways between N places: (N, N) arrays as in ``Paths``, without cells."""

    status: NDArray[np.uint8]
    distance: FloatArray
    straight: Int32Array
    diagonal: Int32Array


class Walk(NamedTuple):
    """The way to every cell from the nearest source: (H, W) arrays.

    ``distance`` is infinite and the steps are -1 where no way leads.
    """

    distance: FloatArray
    straight: Int32Array
    diagonal: Int32Array


def shortest_path(
    grid_map: GridMap, start: ArrayLike, goal: ArrayLike, *, neighbours: Neighbours = "8_strict"
) -> Path:
    """A shortest path between two cells (row, column)."""
    status, cells, distance, straight, diagonal = grid_map._core.path(start, goal, neighbours)
    return Path(_STATUS[status], cells, distance, straight, diagonal)


def shortest_paths(
    grid_map: GridMap,
    starts: ArrayLike,
    goals: ArrayLike,
    *,
    neighbours: Neighbours = "8_strict",
    with_cells: bool = True,
    threads: int = 0,
) -> Paths:
    """Shortest paths from ``starts`` to ``goals``, (N, 2) or (1, 2) cells each.

    Pairs with the same start share one search: one start to many goals costs as much as one path.
    ``with_cells=False`` leaves the cells out.
    """
    return Paths(*grid_map._core.paths(starts, goals, neighbours, with_cells, threads))


def distances_between(
    grid_map: GridMap, cells: ArrayLike, *, neighbours: Neighbours = "8_strict", threads: int = 0
) -> Between:
    """Lengths of the shortest ways between all pairs of N cells (N, 2).

    The matrices are symmetric except where ``status`` says which end is blocked or outside.
    """
    where = as_cells("cells", cells, ndim=2)
    n = len(where)
    start, goal = np.triu_indices(n)
    found = shortest_paths(
        grid_map,
        where[start],
        where[goal],
        neighbours=neighbours,
        with_cells=False,
        threads=threads,
    )

    def square(values: NDArray[np.generic]) -> NDArray[np.generic]:
        out = np.empty((n, n), dtype=values.dtype)
        out[start, goal] = values
        out[goal, start] = values
        return out

    status = np.asarray(square(found.status), dtype=np.uint8)
    inside, free = grid_map.inside(where), grid_map.is_free(where)
    for bad, as_start, as_goal in (
        (inside & ~free, PathStatus.START_BLOCKED, PathStatus.GOAL_BLOCKED),
        (~inside, PathStatus.START_OUTSIDE, PathStatus.GOAL_OUTSIDE),
    ):
        status[np.ix_(free, bad)] = as_goal
        status[bad] = as_start
    return Between(
        status,
        np.asarray(square(found.distance), dtype=np.float64),
        np.asarray(square(found.straight), dtype=np.int32),
        np.asarray(square(found.diagonal), dtype=np.int32),
    )


def walk_from(
    grid_map: GridMap, sources: ArrayLike, *, neighbours: Neighbours = "8_strict"
) -> Walk:
    """The way to every cell from the nearest of the sources (N, 2); blocked ones lead nowhere."""
    return Walk(*grid_map._core.walk(sources, neighbours))


def farthest_pairs(distance: ArrayLike, keep: int) -> IntArray:
    """The ``keep`` pairs (K, 2), i < j, farthest apart in a symmetric matrix (N, N) of distances.

    Farthest first, equal ones by their indices. Pairs without a way (infinite) are left out.
    """
    matrix = as_floats("distance", distance, finite=False)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"distance: expected shape (N, N), got {matrix.shape}")
    if np.isnan(matrix).any():
        raise ValueError("distance: expected numbers or infinity, got NaN")
    if keep < 0:
        raise ValueError(f"keep: expected at least 0, got {keep}")
    first, second = np.triu_indices(len(matrix), 1)
    values = matrix[first, second]
    order = np.argsort(-values, kind="stable")
    order = order[np.isfinite(values[order])][:keep]
    return np.stack([first[order], second[order]], axis=1).astype(np.int64)
