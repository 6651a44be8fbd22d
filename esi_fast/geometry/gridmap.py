"""Occupancy grids: shortest paths, distances, lines of sight, and the rooms of a floor.

A ``GridMap`` says which cells of a floor are free and, if known, which room each belongs to. Cell
``(row, column)`` covers the square from ``origin + resolution * (column, row)`` to one cell
further; rows grow with y. Everything outside of the map is blocked.

One neighbour rule holds for paths, components and everything built on them: ``"4"``, ``"8"``
(diagonal steps, also between two blocked cells, as OmniGibson walks), or ``"8_strict"``, the
default (a diagonal step needs both cells beside it free, so that no path cuts a corner).

Lengths are exact: a path is counted in straight and diagonal steps, and no two different pairs of
counts are equally long, so that all shortest paths have the same counts. The path itself is the
one whose diagonal steps come early; it depends on nothing but the map.
"""

from __future__ import annotations

from esi_fast.geometry._gridmap import GridMap, Neighbours
from esi_fast.geometry._gridmap_floor import (
    Components,
    Measure,
    components,
    distance_field,
    erode,
    line_cells,
    line_of_sight,
    nearest_free,
    resample,
    sample_free,
)
from esi_fast.geometry._gridmap_paths import (
    Between,
    Path,
    Paths,
    PathStatus,
    Walk,
    distances_between,
    farthest_pairs,
    shortest_path,
    shortest_paths,
    walk_from,
)
from esi_fast.geometry._gridmap_rooms import (
    Door,
    RoomsBetween,
    RoomSequence,
    collapse_rooms,
    doors,
    room_distances,
    room_margins,
    room_points,
    room_sequence,
    rooms_at,
    rooms_between,
    spread_rooms,
)

__all__ = [
    "Between",
    "Components",
    "Door",
    "GridMap",
    "Measure",
    "Neighbours",
    "Path",
    "PathStatus",
    "Paths",
    "RoomSequence",
    "RoomsBetween",
    "Walk",
    "collapse_rooms",
    "components",
    "distance_field",
    "distances_between",
    "doors",
    "erode",
    "farthest_pairs",
    "line_cells",
    "line_of_sight",
    "nearest_free",
    "resample",
    "room_distances",
    "room_margins",
    "room_points",
    "room_sequence",
    "rooms_at",
    "rooms_between",
    "sample_free",
    "shortest_path",
    "shortest_paths",
    "spread_rooms",
    "walk_from",
]
