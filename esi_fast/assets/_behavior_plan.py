"""Floor plans of BEHAVIOR-1K scenes from the sizes of their rooms and roughly where they lie.

Every room has its true size. Rooms are set down one after another, each against one that is there
already, as near as it can be to where it should lie; nothing overlaps, and every room has a
neighbour with a metre of wall in common, for a door.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np

from esi_fast.assets._house_plan import (
    HALF_WALL,
    Link,
    Plan,
    Rect,
    build_plan,
    neighbours,
    reached,
    snap,
)

__all__ = ["BehaviorRoom", "behavior_plan", "behavior_rooms"]

_STEP, _SHARED = 0.1, 1.0
# How readily a room of a type is walked through; what is not listed is a dead end.
_THROUGH = {
    "corridor": 0,
    "entryway": 1,
    "living_room": 1,
    "dining_room": 2,
    "kitchen": 2,
    "television_room": 3,
    "playroom": 3,
    "staircase": 3,
    "bedroom": 4,
    "childs_room": 4,
}
_DEAD_END = 6


@dataclass(frozen=True)
class BehaviorRoom:
    """A room of a scene: its floor's true size, its centre where known, its objects by name."""

    id: str
    size: tuple[float, float]
    center: tuple[float, float] | None
    objects: dict[str, int]

    @property
    def type(self) -> str:
        """The name without its number."""
        return self.id.rpartition("_")[0]


@cache
def behavior_rooms() -> dict[str, tuple[BehaviorRoom, ...]]:
    """The rooms of each scene, gardens left out; made by ``scripts/build_behavior_rooms.py``."""
    data = json.loads((files("esi_fast.assets") / "behavior_rooms.json").read_text())
    return {
        scene: tuple(
            BehaviorRoom(
                name,
                (row["size"][0], row["size"][1]),
                tuple(row["center"]) if row["center"] else None,
                row["objects"],
            )
            for name, row in rooms.items()
            if not name.startswith("garden")
        )
        for scene, rooms in data.items()
    }


def behavior_plan(rooms: Sequence[BehaviorRoom], rng: np.random.Generator) -> Plan:
    """A plan with rooms in the order given, but for the first: the one that leads to the others."""
    rects = _packed(rooms)
    links = _links(rooms, rects, rng)
    unreachable = int(rng.integers(0, max(len(rooms) // 4, 1) + 1)) if len(rooms) > 2 else 0
    while True:
        plan = build_plan(
            [room.type for room in rooms],
            rects,
            links,
            rng,
            unreachable=unreachable,
            names=[room.id for room in rooms],
        )
        ways = [(o.rooms[0], o.rooms[1]) for o in plan.openings if len(o.rooms) == 2]
        lost = set(range(len(rooms))) - reached(len(rooms), ways)
        # A wall may be full of doors: then a room opens to any other of its neighbours.
        more = [
            Link(s.a, s.b, "door")
            for s in neighbours(rects)
            if (s.a in lost) != (s.b in lost) and not any({x.a, x.b} == {s.a, s.b} for x in links)
        ]
        if not more:
            return plan
        links = [*links, *more]


def _rank(room: BehaviorRoom) -> int:
    return _THROUGH.get(room.type, _DEAD_END)


def _packed(rooms: Sequence[BehaviorRoom]) -> list[Rect]:
    """Cells of all rooms, up to the centre lines of their walls."""
    sizes = [tuple(snap(v + 2 * HALF_WALL) for v in room.size) for room in rooms]
    area = [a * b for a, b in sizes]
    known = [k for k, room in enumerate(rooms) if room.center is not None]
    first = min(known or range(len(rooms)), key=lambda k: (_rank(rooms[k]), -area[k], k))
    start = rooms[first].center or (0.0, 0.0)

    def order(k: int) -> tuple[float, ...]:
        center = rooms[k].center
        if center is None:
            return (1.0, _rank(rooms[k]), -area[k], k)
        return (0.0, math.dist(center, start), 0.0, k)

    placed: dict[int, Rect] = {first: _around(start, sizes[first])}
    for k in sorted((k for k in range(len(rooms)) if k != first), key=order):
        placed[k] = _beside(sizes[k], rooms[k].center, placed, rooms)
    return [placed[k] for k in range(len(rooms))]


def _around(center: tuple[float, float], size: tuple[float, ...]) -> Rect:
    x0, y0 = snap(center[0] - size[0] / 2), snap(center[1] - size[1] / 2)
    return (x0, y0, round(x0 + size[0], 2), round(y0 + size[1], 2))


def _beside(
    size: tuple[float, ...],
    center: tuple[float, float] | None,
    placed: dict[int, Rect],
    rooms: Sequence[BehaviorRoom],
) -> Rect:
    """The place against a placed room that is nearest to the centre; without one, inmost."""
    others = np.array(list(placed.values()))
    middle = (others[:, :2] + others[:, 2:]).mean(axis=0) / 2
    goal = np.asarray(center if center is not None else middle)
    best: tuple[float, Rect] | None = None
    for host, (x0, y0, x1, y1) in placed.items():
        bias = 0.4 * _rank(rooms[host]) if center is None else 0.05 * _rank(rooms[host])
        spots: list[tuple[float, float]] = []
        for y in _slides(y0, y1, size[1]):
            spots += [(x1, y), (x0 - size[0], y)]
        for x in _slides(x0, x1, size[0]):
            spots += [(x, y1), (x, y0 - size[1])]
        for x, y in spots:
            low = np.array([x, y])
            cost = float(np.linalg.norm(low + np.array(size) / 2 - goal)) + bias
            if best is not None and cost >= best[0]:
                continue
            high = low + np.array(size)
            apart = (others[:, :2] > high - 1e-6) | (others[:, 2:] < low + 1e-6)
            if apart.any(axis=1).all():
                best = (
                    cost,
                    (round(x, 2), round(y, 2), round(x + size[0], 2), round(y + size[1], 2)),
                )
    if best is None:
        raise ValueError(f"rooms: no place for a room of {size} m")
    return best[1]


def _slides(low: float, high: float, size: float) -> list[float]:
    """Where a room may begin so that it shares enough of a wall from ``low`` to ``high``."""
    if min(size, high - low) < _SHARED - 1e-9:
        return []
    count = int((high - low + size - 2 * _SHARED) / _STEP)
    starts = [snap(low - size + _SHARED + k * _STEP) for k in range(count + 1)]
    return [*starts, low, round(high - size, 2)]


def _links(
    rooms: Sequence[BehaviorRoom], rects: Sequence[Rect], rng: np.random.Generator
) -> list[Link]:
    """Doors that join all rooms, through rooms that one walks through where possible."""
    pairs = sorted(
        neighbours(rects),
        key=lambda s: (_rank(rooms[s.a]) + _rank(rooms[s.b]), s.low - s.high, s.a, s.b),
    )
    joined: list[tuple[int, int]] = []
    links: list[Link] = []
    for s in pairs:
        a, b = sorted((s.a, s.b), key=lambda k: (_rank(rooms[k]), k))
        new = b not in reached(len(rooms), joined, a)
        public = max(_rank(rooms[a]), _rank(rooms[b])) <= 2
        if not new and not (public and rng.random() < 0.35):
            continue
        joined.append((a, b))
        links.append(Link(a, b, "passage" if public and rng.random() < 0.5 else "door"))
    return links
