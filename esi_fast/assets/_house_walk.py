"""Keeping the ways through a house free: a walker comes to every room that has an open door.

The check is on the safe side: every object counts as the upright box around it.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Collection, Sequence

import numpy as np

from esi_fast import assets
from esi_fast.assets._house_plan import Plan
from esi_fast.assets._house_shell import JAMB
from esi_fast.geometry import gridmap as gm
from esi_fast.records import ObjectSpec
from esi_fast.types import BoolArray, FloatArray, IntArray

__all__ = ["WALKER", "clear_ways"]

WALKER = 0.2  # radius in metres of who has to pass (paper, Q.25)
_CELL = 0.05
_KNEE, _HEAD = 0.05, 2.0  # what is lower is walked over, what is higher under
# Free floor (square metres, for the walker's middle) without which one has not come into a room.
_ENTERED = 0.1
# What a cell of the way costs more where a piece is within the walker's reach.
_PRICE = 40.0
_OPEN = ("floor", "ceiling", "lawn", "hedge", "window")


def clear_ways(plan: Plan, objects: Sequence[ObjectSpec]) -> list[ObjectSpec]:
    """The objects without the furniture that bars the way to a room with an open door.

    Taken away is what lies on the way with the least furniture on it, with all that it carries.
    """
    boxes = np.array([_box(spec) for spec in objects])
    grid = _Grid(plan, objects, boxes)
    kept = np.ones(len(objects), dtype=bool)
    while True:
        reached = grid.reached()
        missing = [k for k, r in enumerate(plan.rooms) if r.reachable and k not in reached]
        if not missing:
            break
        barred = grid.barriers(reached, missing)
        if not barred:
            break
        for piece in barred:
            for k in _with_load(piece, boxes, objects).tolist():
                if kept[k]:
                    kept[k] = False
                    grid.lift(k)
    return [spec for spec, keep in zip(objects, kept, strict=True) if keep]


def _box(spec: ObjectSpec) -> FloatArray:
    """World box (2, 3) of an object that is turned about z only."""
    size = np.multiply(assets.sizes(spec.category)[spec.model], spec.scale)
    yaw = 2.0 * math.atan2(spec.orientation[2], spec.orientation[3])
    c, s = abs(math.cos(yaw)), abs(math.sin(yaw))
    half = np.array([c * size[0] + s * size[1], s * size[0] + c * size[1], size[2]]) / 2
    return np.stack([spec.position - half, spec.position + half])


def _with_load(piece: int, boxes: FloatArray, objects: Sequence[ObjectSpec]) -> IntArray:
    """A piece of furniture and everything that stands on or in it, or on what stands there.

    A worktop lies on several cabinets: what it carries may be over another one than ``piece``.
    """
    center = boxes.mean(axis=1)
    loose = (boxes[:, 0, 2] > 0.02) & np.array(
        [spec.role == "furniture" and not _hangs(spec) for spec in objects]
    )
    taken = np.zeros(len(objects), dtype=bool)
    taken[piece] = True
    queue = [piece]
    while queue:
        low, high = boxes[queue.pop()]
        over = ((center[:, :2] > low[:2]) & (center[:, :2] < high[:2])).all(axis=1)
        over &= loose & ~taken & (boxes[:, 0, 2] < high[2] + 0.02)
        taken |= over
        queue.extend(np.flatnonzero(over).tolist())
    return np.flatnonzero(taken)


def _hangs(spec: ObjectSpec) -> bool:
    return bool({"wall", "ceiling"} & set(assets.info(spec.category).places))


class _Grid:
    """How many things stand on each cell of the house's floor."""

    def __init__(self, plan: Plan, objects: Sequence[ObjectSpec], boxes: FloatArray) -> None:
        x0, y0, x1, y1 = plan.bounds
        self.origin = np.array([x0, y0]) - 4 * _CELL
        shape = np.ceil((np.array([y1 - y0, x1 - x0]) / _CELL) + 8).astype(int)
        self.count = np.zeros((int(shape[0]), int(shape[1])), dtype=np.int32)
        self.fixed = np.zeros(self.count.shape, dtype=bool)
        self.cells: dict[int, tuple[slice, slice]] = {}
        for k, (spec, box) in enumerate(zip(objects, boxes, strict=True)):
            if box[1, 2] <= _KNEE or box[0, 2] >= _HEAD or spec.category in _OPEN:
                continue
            if spec.role == "furniture":
                self.cells[k] = self._cover(box)
                self.count[self.cells[k]] += 1
            for part in _jambs(box) if spec.category == "door_frame" else [box]:
                if spec.role != "furniture":
                    self.fixed[self._cover(part)] = True
        self.rooms = np.zeros(self.count.shape, dtype=np.int64)
        for number, room in enumerate(plan.rooms, start=1):
            self.rooms[self._cover(np.array(room.inner).reshape(2, 2))] = number

    def _cover(self, box: FloatArray) -> tuple[slice, slice]:
        low = np.floor((box[0, :2] - self.origin) / _CELL + 1e-6).astype(int)
        high = np.ceil((box[1, :2] - self.origin) / _CELL - 1e-6).astype(int)
        low, high = np.maximum(low, 0), np.maximum(high, 0)
        return slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))

    def lift(self, k: int) -> None:
        """Take a piece away."""
        if k in self.cells:
            self.count[self.cells[k]] -= 1

    def reached(self) -> set[int]:
        """Rooms that a walker can come to from the first room."""
        self.walk = gm.erode(gm.GridMap((self.count == 0) & ~self.fixed, _CELL), WALKER).free
        labels = gm.components(gm.GridMap(self.walk, _CELL)).labels
        first = labels[self.walk & (self.rooms == 1)]
        if len(first) == 0:
            return set()
        values, sizes = np.unique(first, return_counts=True)
        self.home: BoolArray = self.walk & (labels == values[np.argmax(sizes)])
        entered = np.bincount(self.rooms[self.home], minlength=int(self.rooms.max()) + 1)
        return set((np.flatnonzero(entered[1:] >= _ENTERED / _CELL**2)).tolist())

    def barriers(self, reached: Collection[int], missing: Sequence[int]) -> list[int]:
        """Pieces on the way with the least furniture from where one comes to a missing room."""
        bare = gm.erode(gm.GridMap(~self.fixed, _CELL), WALKER).free
        reach = math.ceil(WALKER / _CELL) + 1
        price = np.ones(self.count.shape)
        near: dict[int, tuple[slice, slice]] = {}
        for k, (rows, columns) in self.cells.items():
            grown = (
                slice(max(rows.start - reach, 0), rows.stop + reach),
                slice(max(columns.start - reach, 0), columns.stop + reach),
            )
            if self.count[rows, columns].max(initial=0) > 0:
                near[k] = grown
                price[grown] += _PRICE
        start = np.argwhere(self.home if reached else bare & (self.rooms == 1))
        way = _cheapest(bare, price, start, np.isin(self.rooms, np.add(missing, 1)) & bare)
        on_way = np.zeros(self.count.shape, dtype=bool)
        on_way[tuple(np.array(way).T)] = True
        return [k for k, grown in near.items() if on_way[grown].any()] if way else []


def _cheapest(
    free: BoolArray, price: FloatArray, starts: IntArray, goals: BoolArray
) -> list[tuple[int, int]]:
    """Cells of the cheapest way over free cells from any start to the middle of the goals."""
    # A little inside: the first cells of a room may still be in its doorway.
    goals = gm.erode(gm.GridMap(goals, _CELL), 2 * _CELL).free
    cost = np.full(free.shape, np.inf)
    before: dict[tuple[int, int], tuple[int, int]] = {}
    heap: list[tuple[float, int, int]] = []
    for i, j in starts.tolist():
        cost[i, j] = 0.0
        heap.append((0.0, i, j))
    heapq.heapify(heap)
    while heap:
        spent, i, j = heapq.heappop(heap)
        if spent > cost[i, j]:
            continue
        if goals[i, j]:
            way = [(i, j)]
            while way[-1] in before:
                way.append(before[way[-1]])
            return way
        for a, b in ((i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)):
            if free[a, b] and spent + price[a, b] < cost[a, b]:
                cost[a, b] = spent + price[a, b]
                before[a, b] = (i, j)
                heapq.heappush(heap, (float(cost[a, b]), a, b))
    return []


def _jambs(box: FloatArray) -> list[FloatArray]:
    """The two sides of a door frame, as boxes."""
    along = int(np.argmax(box[1, :2] - box[0, :2]))
    width = JAMB * (box[1, along] - box[0, along])
    left, right = box.copy(), box.copy()
    left[1, along] = box[0, along] + width
    right[0, along] = box[1, along] - width
    return [left, right]
