"""What a map of free cells says by itself: resolution, distances, components, lines of sight."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from esi_fast.geometry._arrays import BoolArray, FloatArray, Int32Array, IntArray, as_positive
from esi_fast.geometry._gridmap import SNAP, GridMap, Neighbours, as_cells

__all__ = [
    "ROUND",
    "Components",
    "Measure",
    "components",
    "distance_field",
    "erode",
    "line_cells",
    "line_of_sight",
    "nearest_free",
    "resample",
    "sample_free",
    "squared_distances",
]

Measure: TypeAlias = Literal["wall", "center"]

ROUND = 1e-9  # relative slack where a length given in metres is compared with cells


class Components(NamedTuple):
    """``labels`` (H, W): 0 for blocked cells, else from 1 in the order of their first cells.

    ``sizes`` (C,) in cells; component k has ``sizes[k - 1]``.
    """

    labels: Int32Array
    sizes: IntArray


def resample(grid_map: GridMap, resolution: float) -> GridMap:
    """The map at another resolution, finer or coarser by any ratio; no wall is ever lost.

    A new cell is free only if everything that it covers is free, the outside of the old map being
    blocked. Its room is that at its centre. The origin stays.
    """
    new = as_positive("resolution", resolution)
    ratio = new / grid_map.resolution
    below, full, size = [], [], []
    for old in grid_map.shape:
        count = int(np.ceil(old / ratio - SNAP))
        edges = np.arange(count + 1) * ratio
        first = np.floor(edges[:-1] + SNAP).astype(np.int64)
        end = np.maximum(np.ceil(edges[1:] - SNAP).astype(np.int64), first + 1)
        below.append((np.minimum(first, old), np.minimum(end, old)))
        full.append(end - first)
        size.append(count)
    counts = np.zeros((grid_map.shape[0] + 1, grid_map.shape[1] + 1), dtype=np.int64)
    np.cumsum(grid_map.free, axis=0, out=counts[1:, 1:])
    np.cumsum(counts, axis=1, out=counts)
    (r0, r1), (c0, c1) = below
    covered = (
        counts[np.ix_(r1, c1)]
        - counts[np.ix_(r0, c1)]
        - counts[np.ix_(r1, c0)]
        + counts[np.ix_(r0, c0)]
    )
    made = GridMap(covered == full[0][:, None] * full[1], new, origin=grid_map.origin)
    return made if grid_map.rooms is None else made.with_rooms(grid_map)


def distance_field(
    grid_map: GridMap, *, measure: Measure = "wall", border: bool = True, threads: int = 0
) -> FloatArray:
    """Exact Euclidean distance (H, W) in metres from each cell's centre to the blocked cells.

    ``"wall"``: to the nearest point of a blocked cell's square, the radius of the largest disc
    that fits there; ``"center"``: to the nearest centre of a blocked cell. 0 for blocked cells.
    ``border``: the cells just outside of the map count as blocked; without it the distance is
    infinite where no cell is blocked.
    """
    walls = _to_walls(measure)
    return np.asarray(grid_map._core.distances(walls, border, threads))


def erode(
    grid_map: GridMap,
    radius: float,
    *,
    measure: Measure = "wall",
    border: bool = True,
    threads: int = 0,
) -> GridMap:
    """The map on which a disc of ``radius`` metres can be moved like a point.

    ``"wall"``: a cell stays free if the disc on its centre covers no part of a blocked cell
    (touching is free). ``"center"``: if it covers no centre of a blocked cell, border included,
    which is the erosion of image processing with a disc. ``border`` as in ``distance_field``.
    """
    reach = as_positive("radius", radius, zero=True)
    squared = squared_distances(grid_map, measure, border, threads)
    limit = (2.0 * reach / grid_map.resolution) ** 2
    keep = (
        squared >= limit * (1 - 2 * ROUND)
        if measure == "wall"
        else squared > limit * (1 + 2 * ROUND)
    )
    return grid_map.with_free(grid_map.free & (keep | (squared < 0)))


def components(grid_map: GridMap, *, neighbours: Neighbours = "8_strict") -> Components:
    """Groups of free cells between which one can walk by the same rule as ``shortest_path``."""
    return Components(*grid_map._core.components(neighbours))


def nearest_free(
    grid_map: GridMap,
    cells: ArrayLike,
    *,
    allowed: ArrayLike | None = None,
    reachable_from: ArrayLike | None = None,
    neighbours: Neighbours = "8_strict",
    threads: int = 0,
) -> Int32Array:
    """For each cell (N, 2) the free cell nearest to it, itself if free, (-1, -1) if there is none.

    Distances are those of centres; of several the one with the smallest row, then column.
    ``allowed`` (H, W) restricts the choice, ``reachable_from`` (2,) restricts it to what can be
    reached from that cell, without which the nearest cell may lie on an island.
    """
    mask = None
    if allowed is not None:
        mask = grid_map.free & _mask("allowed", allowed, grid_map.shape)
    if reachable_from is not None:
        start = as_cells("reachable_from", reachable_from, ndim=1)
        labels = components(grid_map, neighbours=neighbours).labels
        part = np.zeros(grid_map.shape, dtype=bool)
        if grid_map.is_free(start):
            part = labels == labels[start[0], start[1]]
        mask = part if mask is None else mask & part
    return np.asarray(grid_map._core.nearest(cells, mask, threads))


def sample_free(
    grid_map: GridMap,
    count: int,
    seed: int | np.random.Generator,
    *,
    allowed: ArrayLike | None = None,
    replace: bool = False,
) -> Int32Array:
    """``count`` free cells (count, 2), all equally likely, in random order.

    ``allowed`` (H, W) restricts the choice, for example ``grid_map.rooms == 3``. Without
    ``replace`` no cell is drawn twice; ``ValueError`` if there are too few.
    """
    free = grid_map.free
    if allowed is not None:
        free = free & _mask("allowed", allowed, grid_map.shape)
    cells = np.flatnonzero(free)
    enough = len(cells) > 0 if replace else count <= len(cells)
    if count < 0 or (count > 0 and not enough):
        raise ValueError(f"count: expected 0 to {len(cells)} free cells, got {count}")
    if count == 0:
        return np.zeros((0, 2), dtype=np.int32)
    chosen = np.random.default_rng(seed).choice(cells, size=count, replace=replace)
    return np.stack(np.unravel_index(chosen, grid_map.shape), axis=1).astype(np.int32)


def line_of_sight(
    grid_map: GridMap, starts: ArrayLike, ends: ArrayLike, *, threads: int = 0
) -> BoolArray:
    """Whether segments between points (x, y) in metres, (N, 2) or (1, 2) each, meet no wall, (N,).

    Every cell on the way counts, the first and the last too; nothing is sampled. Coordinates are
    taken to 2^-20 of a cell and decided exactly. To touch a blocked cell's side or corner is free;
    to pass between two blocked cells, through their common corner or along their common side, is
    not. What lies outside of the map is blocked.
    """
    return np.asarray(grid_map._core.sight(starts, ends, threads))


def line_cells(grid_map: GridMap, start: ArrayLike, end: ArrayLike) -> Int32Array:
    """Cells (K, 2) whose insides the segment between two points (x, y) meets, in order.

    A segment along a line between cells gives those above it. Cells may lie outside of the map.
    """
    return np.asarray(grid_map._core.line(start, end))


def squared_distances(grid_map: GridMap, measure: Measure, border: bool, threads: int) -> IntArray:
    """As ``distance_field``: squares in half cells, whole numbers; -1 for infinite."""
    walls = _to_walls(measure)
    return np.asarray(grid_map._core.squared_distances(walls, border, threads))


def _to_walls(measure: Measure) -> bool:
    if measure not in ("wall", "center"):
        raise ValueError(f"measure: expected 'wall' or 'center', got {measure!r}")
    return measure == "wall"


def _mask(name: str, value: ArrayLike, shape: tuple[int, int]) -> BoolArray:
    mask = np.asarray(value)
    if mask.dtype != np.bool_:
        raise TypeError(f"{name}: expected booleans, got dtype {mask.dtype}")
    if mask.shape != shape:
        raise ValueError(f"{name}: expected shape {shape}, got {mask.shape}")
    return mask
