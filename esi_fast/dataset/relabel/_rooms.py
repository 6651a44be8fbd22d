"""Rooms and paths as the map questions record them.

A room is recorded as the box of its cells' places on a room map with cells of 1 m, or as that box
grown to the walls. A cell has the room that lies at its place, so a room may reach almost a cell
beyond its box (boxes that were grown show walls 0.8 m out). Nor need it fill its box: boxes of
neighbouring rooms overlap, and a garden's holds the house.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from esi_fast import geometry as geo
from esi_fast.dataset.relabel._reading import Fields, FloatArray, Stored, box_shape
from esi_fast.dataset.relabel._verdict import Judgement, Level, Shape

__all__ = [
    "Share",
    "along_rooms",
    "compare_path",
    "grown",
    "length_in",
    "length_outside",
    "level_of",
    "middles",
    "path_length",
    "room_shapes",
    "rooms",
    "steps_length",
]

# How far a room may reach beyond its box.
_CELL_M: Final = 1.0
# Rooms without a box record four places to look from, this far inside its corners: at least
# 0.35 m, and 8 % of the shorter side.
_INSET_M: Final = 0.35
_INSET_PART: Final = 0.08
# One cell of the map that paths run on.
_STEP_M: Final = 0.1


def _flat(low: FloatArray, high: FloatArray) -> FloatArray:
    """A box (2, 3) without height; corners in any order (rooms may be narrower than the insets)."""
    ends = np.stack([np.minimum(low, high), np.maximum(low, high)])
    return np.column_stack([ends, np.zeros(2)])


def _from_corners(corners: FloatArray) -> FloatArray:
    low, high = corners[0], corners[-1]
    # Narrow rooms have the corners the other way round, so the sides may be negative here.
    shortest = float((high - low).min())
    side = shortest + 2.0 * _INSET_M
    if side * _INSET_PART > _INSET_M:
        side = shortest / (1.0 - 2.0 * _INSET_PART)
    inset = max(_INSET_M, _INSET_PART * side)
    return _flat(low - inset, high + inset)


def middles(data: Fields) -> dict[str, FloatArray]:
    """The recorded middles (2,) of the rooms' cells, by name."""
    entries = data.at("room_views").entries()
    return {name: item.at("center_xy").vector(2) for name, item in entries.items()}


def rooms(data: Fields) -> dict[str, FloatArray]:
    """The recorded rooms by name, each a box (2, 3) without height."""
    found = {}
    for name, item in data.at("room_views").entries().items():
        if (box := item.find("room_bbox_world_xy")) is not None:
            value = box.vector(4)
            found[name] = _flat(value[:2], value[2:])
        else:
            corners = item.at("corner_render_xy").points(2)
            if len(corners) != 4:
                raise item.at("corner_render_xy").error("expected four corners")
            found[name] = _from_corners(corners)
    return found


def level_of(verdict: Judgement, recorded: bool) -> Level:
    """The level of a verdict: without a record of what would decide, nothing does."""
    if not recorded:
        return "geometry"
    return "none" if verdict == "undecidable" else "recorded"


def grown(box: FloatArray) -> FloatArray:
    """A room's box with everything that may belong to it."""
    return np.asarray(box + np.array([[-_CELL_M, -_CELL_M, 0.0], [_CELL_M, _CELL_M, 0.0]]))


def room_shapes(boxes: Mapping[str, FloatArray]) -> list[Shape]:
    """The rooms to draw."""
    return [box_shape(name, box) for name, box in boxes.items()]


# --- paths ---------------------------------------------------------------------------------------


def path_length(path: FloatArray) -> float:
    """Length (m) of the line through points (N, 2)."""
    return float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())


def steps_length(path: FloatArray) -> float:
    """Length (m) of the steps to a neighbouring cell, straight or diagonal, that make the path.

    Recorded is every second cell, so two points are two steps apart.
    """
    steps = np.sort(np.abs(np.diff(path, axis=0)), axis=1)
    # Cells are multiples of 0.1 m; single precision has blurred them.
    short, long = np.round(steps / _STEP_M).T * _STEP_M
    return float((long - short + short * np.sqrt(2.0)).sum())


def compare_path(stored: Stored, distance: Fields | None, path: FloatArray) -> None:
    """Compare a stored path length with the steps of the path.

    Where a path has an even number of cells its last one is not recorded: one more step, straight
    or diagonal. Lengths are sums in single precision, good to 1e-6 of themselves.
    """
    if distance is None:
        return
    said = distance.number()
    whole = steps_length(path)
    ends = [whole, whole + _STEP_M, whole + _STEP_M * np.sqrt(2.0)]
    nearest = min(ends, key=lambda length: abs(length - said))
    stored.compare(distance, nearest, tolerance=1e-6 * max(1.0, said))


def _parts_in(path: FloatArray, box: FloatArray) -> FloatArray:
    """Length (N - 1,) that each piece of the path has within the box."""
    starts, ways = path[:-1], np.diff(path, axis=0)
    enter, leave = np.zeros(len(ways)), np.ones(len(ways))
    for axis in (0, 1):
        flat = np.abs(ways[:, axis]) < 1e-12
        step = np.where(flat, 1.0, ways[:, axis])
        to_low, to_high = ((box[end, axis] - starts[:, axis]) / step for end in (0, 1))
        out = flat & ((starts[:, axis] < box[0, axis]) | (starts[:, axis] > box[1, axis]))
        first = np.where(flat, np.where(out, 2.0, 0.0), np.minimum(to_low, to_high))
        last = np.where(flat, np.where(out, -1.0, 1.0), np.maximum(to_low, to_high))
        enter, leave = np.maximum(enter, first), np.minimum(leave, last)
    return np.asarray(np.maximum(leave - enter, 0.0) * np.linalg.norm(ways, axis=1))


def length_in(path: FloatArray, box: FloatArray) -> float:
    """Length (m) of the part of a path (N, 2) that lies in a room's box."""
    return float(_parts_in(path, box).sum())


def length_outside(path: FloatArray, boxes: Sequence[FloatArray]) -> float:
    """Length (m) of the pieces of a path whose ends lie in none of the boxes."""
    points = np.column_stack([path, np.zeros(len(path))])
    inside = np.zeros(len(path), dtype=bool)
    for box in boxes:
        inside |= geo.boxes.contains_points(box, points)
    pieces = np.linalg.norm(np.diff(path, axis=0), axis=1)
    return float(pieces[~inside[:-1] | ~inside[1:]].sum())


class Share(NamedTuple):
    """How a path is shared among rooms: ``stray`` metres of it lie outside the room they count to.

    ``firsts`` is the number of the first point in each room; ``entered`` says whether the path
    comes into all of them at all.
    """

    stray: float
    firsts: tuple[int, ...]
    entered: bool


def along_rooms(path: FloatArray, boxes: Sequence[FloatArray]) -> Share:
    """The best way to share a path (N, 2) among rooms that it passes in this order.

    Best is the least length outside what may belong to the rooms. Where boxes overlap, a point
    goes to the room whose middle it is nearer to, for the room's size.
    """
    points = np.column_stack([path, np.zeros(len(path))])
    weight = np.append(0.0, np.linalg.norm(np.diff(path, axis=0), axis=1))
    outside = np.empty((len(path), len(boxes)), dtype=bool)
    costs = np.empty(outside.shape)
    for n, box in enumerate(boxes):
        outside[:, n] = ~geo.boxes.contains_points(grown(box), points)
        off = np.linalg.norm((points - geo.boxes.center(box))[:, :2], axis=1)
        reach = float(np.linalg.norm(geo.boxes.size(grown(box))))
        costs[:, n] = weight * (outside[:, n] + 1e-3 * np.minimum(off / reach, 1.0))
    best = np.full(len(boxes), np.inf)
    best[0] = costs[0, 0]
    moved = np.zeros(costs.shape, dtype=bool)
    for i in range(1, len(path)):
        coming = np.append(np.inf, best[:-1])
        moved[i] = coming < best
        best = np.minimum(coming, best) + costs[i]
    room, firsts = len(boxes) - 1, [0] * len(boxes)
    for i in range(len(path) - 1, 0, -1):
        if moved[i, room]:
            firsts[room] = i
            room -= 1
    spans = [slice(a, b) for a, b in pairwise([*firsts, len(path)])]
    stray = sum(float(weight[span][outside[span, n]].sum()) for n, span in enumerate(spans))
    entered = all(not outside[span, n].all() for n, span in enumerate(spans))
    return Share(stray, tuple(firsts), entered)
