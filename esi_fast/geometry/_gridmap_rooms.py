"""The rooms of a map: where points lie, how rooms are joined, what a path passes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from esi_fast.geometry._arrays import FloatArray, Int32Array, IntArray, as_floats, as_positive
from esi_fast.geometry._gridmap import GridMap, Neighbours, as_cells, rooms_of
from esi_fast.geometry._gridmap_floor import ROUND, components, squared_distances
from esi_fast.geometry._gridmap_paths import distances_between

__all__ = [
    "Door",
    "RoomSequence",
    "RoomsBetween",
    "collapse_rooms",
    "doors",
    "room_distances",
    "room_margins",
    "room_points",
    "room_sequence",
    "rooms_at",
    "rooms_between",
    "spread_rooms",
]


class RoomSequence(NamedTuple):
    """The stays of a path in rooms: ``rooms`` (S,) ids, neighbours different.

    ``first`` and ``last`` (S,) are the positions along the path where each stay begins and ends.
    """

    rooms: Int32Array
    first: IntArray
    last: IntArray

    @property
    def via(self) -> Int32Array:
        """The rooms between the first and the last stay."""
        return self.rooms[1:-1]


class RoomsBetween(NamedTuple):
    """Ways between rooms: ``rooms`` (R,) ids, their ``points`` (R, 2) cells, and (R, R) arrays.

    A room without a free cell has the point (-1, -1), which is outside.
    """

    rooms: Int32Array
    points: Int32Array
    status: NDArray[np.uint8]
    distance: FloatArray
    straight: Int32Array
    diagonal: Int32Array


class Door(NamedTuple):
    """A place where two rooms meet: ``rooms`` (a, b) with a < b.

    ``cells`` (K, 2) on both sides of the line between them, ``center`` (2,) their mean in metres,
    ``width`` (m) the number of cells on the narrower side times the resolution.
    """

    rooms: tuple[int, int]
    cells: Int32Array
    center: FloatArray
    width: float


def rooms_at(grid_map: GridMap, points: ArrayLike) -> Int32Array:
    """Ids (...) of the rooms that world positions (..., 2) lie in, 0 for none.

    For objects, ask with the centres of their boxes; see ``room_margins`` for how sure that is.
    """
    rooms = rooms_of(grid_map)
    cells = grid_map.cells_at(points)
    known = grid_map.inside(cells)
    if rooms.size == 0:
        return np.zeros(known.shape, dtype=np.int32)
    at = np.where(known[..., None], cells, 0)
    return np.where(known, rooms[at[..., 0], at[..., 1]], 0).astype(np.int32)


def room_distances(grid_map: GridMap, points: ArrayLike, *, threads: int = 0) -> FloatArray:
    """Euclidean distances (N, R) in metres from points (N, 2) to the rooms of ``room_ids``.

    Measured to the squares of a room's cells, free or not: 0 inside.
    """
    return np.asarray(
        grid_map._core.room_distances(rooms_of(grid_map), grid_map.room_ids, points, threads)
    )


def room_margins(grid_map: GridMap, points: ArrayLike, *, threads: int = 0) -> FloatArray:
    """How far (N,), in metres, points (N, 2) are from where their room ends.

    That is the distance to the nearest cell of another room or of none; the outside of the map is
    none. 0 for points that are in no room.
    """
    rooms = rooms_of(grid_map)
    where = as_floats("points", points, (2,), ndim=2)
    ids = rooms_at(grid_map, where)
    lower, upper = grid_map.bounds
    margin = np.minimum(where - lower, upper - where).min(axis=1)
    margin[ids == 0] = 0.0
    one = np.ones(1, dtype=np.int32)
    for room in np.unique(ids[ids > 0]):
        inside = ids == room
        others = (rooms != room).astype(np.int32)
        found = grid_map._core.room_distances(others, one, where[inside], threads)
        margin[inside] = np.minimum(margin[inside], found[:, 0])
    return np.asarray(np.maximum(margin, 0.0))


def room_points(grid_map: GridMap, *, clearance: float = 0.5, threads: int = 0) -> Int32Array:
    """One free cell (R, 2) for each room of ``room_ids``; (-1, -1) for a room without free cells.

    Of a room's free cells those with the largest distance to a wall, where more than ``clearance``
    metres count as ``clearance``; of these the one nearest to the mean of the room's free cells;
    of these the first. (The paper, Q.25, wants high clearance and a place near the centre.)
    """
    limit = as_positive("clearance", clearance, zero=True)
    squared = squared_distances(grid_map, "wall", True, threads)
    cap = min((2.0 * limit / grid_map.resolution) ** 2, float(1 << 62))
    return np.asarray(
        grid_map._core.room_points(
            rooms_of(grid_map), grid_map.room_ids, squared, int(np.ceil(cap * (1 - 2 * ROUND)))
        )
    )


def rooms_between(
    grid_map: GridMap,
    *,
    points: ArrayLike | None = None,
    neighbours: Neighbours = "8_strict",
    threads: int = 0,
) -> RoomsBetween:
    """Lengths of the shortest ways between all rooms, from point to point.

    ``points`` (R, 2) are cells in the order of ``room_ids``, by default ``room_points``. One
    search per room; on 4000 x 4000 cells each thread needs 80 MB.
    """
    ids = grid_map.room_ids
    if points is None:
        where = room_points(grid_map, threads=threads)
    else:
        where = np.clip(as_cells("points", points, ndim=2), -1, 1 << 30).astype(np.int32)
        if len(where) != len(ids):
            raise ValueError(f"points: expected {len(ids)} cells, one per room, got {len(where)}")
    found = distances_between(grid_map, where, neighbours=neighbours, threads=threads)
    return RoomsBetween(ids, where, *found)


def collapse_rooms(ids: ArrayLike) -> RoomSequence:
    """The stays behind room ids (K,) along a path: 0 is skipped, equal neighbours become one."""
    along = np.asarray(ids)
    if along.ndim != 1:
        raise ValueError(f"ids: expected shape (K,), got {along.shape}")
    if along.size and along.dtype.kind not in "iu":
        raise TypeError(f"ids: expected integers, got dtype {along.dtype}")
    if along.size and along.max() > np.iinfo(np.int32).max:
        raise ValueError(f"ids: expected integers within int32, got {along.max()}")
    known = np.flatnonzero(along > 0)
    rooms = along[known].astype(np.int32)
    change = np.flatnonzero(rooms[1:] != rooms[:-1]) + 1
    starts = np.concatenate([[0], change]) if len(rooms) else np.zeros(0, dtype=np.int64)
    ends = np.concatenate([change, [len(rooms)]]) - 1 if len(rooms) else starts
    starts, ends = starts.astype(np.int64), ends.astype(np.int64)
    return RoomSequence(rooms[starts], known[starts], known[ends])


def room_sequence(grid_map: GridMap, cells: ArrayLike) -> RoomSequence:
    """The rooms that a path of cells (K, 2) passes, in order.

    Cells without a room (doorways, gaps in the map of rooms) are skipped, so they neither appear
    nor make a room be entered twice.
    """
    rooms = rooms_of(grid_map)
    where = as_cells("cells", cells, ndim=2)
    inside = grid_map.inside(where)
    if not inside.all():
        raise ValueError(f"cells: expected cells of the map, got {where[~inside][0].tolist()}")
    return collapse_rooms(rooms[where[:, 0], where[:, 1]])


def spread_rooms(grid_map: GridMap, *, neighbours: Neighbours = "8_strict") -> GridMap:
    """The map with every free cell that can be walked to from a room given to the nearest room.

    Doorways and gaps belong to a room then: to the one with the shortest way, the smallest id of
    several. Blocked cells belong to none.
    """
    return grid_map.with_rooms(grid_map._core.spread(rooms_of(grid_map), neighbours))


def doors(grid_map: GridMap, *, neighbours: Neighbours = "8_strict") -> list[Door]:
    """The places where one steps from one room into another, ordered by rooms, then by cells.

    Rooms are spread first (``spread_rooms``), so a doorway that belongs to neither room is a door
    between both. Two rooms are joined directly exactly if there is a door between them. Cells of
    steps that touch one another belong to one door.
    """
    spread = spread_rooms(grid_map, neighbours=neighbours)
    rooms = rooms_of(spread)
    height, width = grid_map.shape
    first, second = [], []
    for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
        if dr and dc and neighbours == "4":
            continue
        rows = slice(0, height - dr), slice(dr, height)
        columns = (
            (slice(0, width - dc), slice(dc, width)) if dc >= 0 else (slice(1, width), slice(0, -1))
        )
        a, b = rooms[rows[0], columns[0]], rooms[rows[1], columns[1]]
        step = (a != b) & (a > 0) & (b > 0)
        if dr and dc and neighbours == "8_strict":
            free = grid_map.free
            step &= free[rows[0], columns[1]] & free[rows[1], columns[0]]
        at = np.argwhere(step) + np.array([0, 1 if dc < 0 else 0])
        first.append(at)
        second.append(at + np.array([dr, dc]))
    ends = np.stack([np.concatenate(first), np.concatenate(second)], axis=1)
    pairs = np.sort(rooms[ends[..., 0], ends[..., 1]], axis=1)
    found: list[Door] = []
    for pair in np.unique(pairs, axis=0):
        cells = np.unique(ends[(pairs == pair).all(axis=1)].reshape(-1, 2), axis=0)
        corner = cells.min(axis=0)
        mask = np.zeros(cells.max(axis=0) - corner + 1, dtype=bool)
        mask[tuple((cells - corner).T)] = True
        labels = components(GridMap(mask, 1.0), neighbours="8").labels[tuple((cells - corner).T)]
        for label in range(1, int(labels.max()) + 1):
            part = cells[labels == label].astype(np.int32)
            low = int((rooms[part[:, 0], part[:, 1]] == pair[0]).sum())
            found.append(
                Door(
                    (int(pair[0]), int(pair[1])),
                    part,
                    grid_map.centers(part).mean(axis=0),
                    min(low, len(part) - low) * grid_map.resolution,
                )
            )
    return found
