"""Procedural floor plans: two bands of rooms, public in front, private behind.

Larger houses have a corridor between the bands, and small rooms cut off from its ends, from the
kitchen and from the bathroom. The whole is mirrored and turned by chance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from esi_fast.assets._house_plan import (
    GRID,
    HALF_WALL,
    Link,
    Plan,
    Rect,
    build_plan,
    neighbours,
    snap,
)

__all__ = ["MAX_ACROSS", "MAX_ROOMS", "MIN_ROOMS", "make_plan"]

MIN_ROOMS, MAX_ROOMS = 3, 12
MAX_ACROSS = 12.0  # metres, outer walls included

# (least, wished) width of each room type in its band, metres
_WIDTH: dict[str, tuple[float, float]] = {
    "living_room": (5.8, 6.5),
    "kitchen": (3.1, 3.7),
    "dining_room": (2.9, 3.5),
    "bedroom": (3.5, 4.6),
    "bathroom": (2.2, 2.8),
    "study": (2.6, 3.3),
}
# (front band, back band, corridor between) by number of rooms; a choice where two are good
_LAYOUTS: dict[int, tuple[tuple[tuple[str, ...], tuple[str, ...], bool], ...]] = {
    3: ((("living_room",), ("bedroom", "bathroom"), False),),
    4: ((("living_room", "kitchen"), ("bedroom", "bathroom"), False),),
    5: (
        (("living_room", "dining_room", "kitchen"), ("bedroom", "bathroom"), False),
        (("living_room", "kitchen"), ("study", "bathroom", "bedroom"), False),
    ),
    6: ((("living_room", "kitchen"), ("bedroom", "bathroom", "study"), True),),
    7: (
        (("living_room", "dining_room", "kitchen"), ("bedroom", "bathroom", "study"), True),
        (("living_room", "kitchen"), ("bedroom", "bathroom", "study", "bedroom"), True),
    ),
    8: (
        (
            ("living_room", "dining_room", "kitchen"),
            ("bedroom", "bathroom", "study", "bedroom"),
            True,
        ),
    ),
}
# Rooms that are cut off from others: a pantry from the kitchen, a bathroom of the bedroom's own
# from the bathroom, a storage room and an entryway from the ends of the corridor.
_EXTRAS = ("pantry_room", "second_bathroom", "storage_room", "entryway")
_PANTRY, _STORAGE, _ENTRY = 1.55, 1.8, 2.0  # their lengths
_SECOND_BATH = 2.3  # depth of the inner of two bathrooms


def _widths(types: tuple[str, ...], total: float, rng: np.random.Generator) -> list[float]:
    least = np.array([_WIDTH[t][0] for t in types])
    wish = np.array([_WIDTH[t][1] for t in types]) * rng.uniform(0.9, 1.1, len(types))
    spare = total - least.sum()
    share = np.maximum(wish - least, 0.05)
    widths = [snap(float(w)) for w in least + spare * share / share.sum()]
    widths[int(np.argmax(widths))] += total - sum(widths)
    return [round(w, 2) for w in widths]


@dataclass
class _Draft:
    """Rooms (type, cell) with their bands, while they are being cut up."""

    rooms: list[tuple[str, Rect]] = field(default_factory=list)
    bands: dict[str, list[int]] = field(
        default_factory=lambda: {"front": [], "hall": [], "back": []}
    )
    links: list[Link] = field(default_factory=list)

    def add(self, kind: str, rect: Rect, band: str) -> int:
        self.bands[band].append(len(self.rooms))
        self.rooms.append((kind, rect))
        return len(self.rooms) - 1

    def adjacent(self, a: int, b: int) -> bool:
        return bool(neighbours([self.rooms[a][1], self.rooms[b][1]]))

    def find(self, kind: str) -> int:
        return next(k for k, (name, _) in enumerate(self.rooms) if name == kind)


def _rects(count: int, rng: np.random.Generator) -> _Draft:
    extras: list[str] = []
    if count > max(_LAYOUTS):
        extras = [_EXTRAS[k] for k in rng.permutation(4)[: count - max(_LAYOUTS)]]
    elif count >= 7 and rng.random() < 0.5:
        extras = [_EXTRAS[k] for k in rng.permutation(4)[: int(rng.integers(1, count - 5))]]
    layouts = _LAYOUTS[count - len(extras)]
    front, back, corridor = layouts[int(rng.integers(len(layouts)))]
    need = max(sum(_WIDTH[t][0] for t in band) for band in (front, back))
    wish = max(sum(_WIDTH[t][1] for t in band) for band in (front, back))
    most = MAX_ACROSS - 2 * HALF_WALL
    width = snap(float(rng.uniform(need, min(wish, most - GRID))))
    front_depth = snap(float(rng.uniform(5.2, 5.6)))
    hall = 1.4 if corridor else 0.0
    deep = (4.5, 4.8) if "second_bathroom" in extras else (3.6, 4.2)
    back_depth = snap(float(rng.uniform(*deep)))
    if not corridor and back == ("bedroom", "bathroom") and rng.random() < 0.5:
        back = back[::-1]
    draft = _Draft()
    for name, types, y0, y1 in (
        ("front", front, 0.0, front_depth),
        ("hall", ("corridor",) if corridor else (), front_depth, front_depth + hall),
        ("back", back, front_depth + hall, front_depth + hall + back_depth),
    ):
        x = 0.0
        spans = [width] if name == "hall" else _widths(types, width, rng)
        for kind, span in zip(types, spans, strict=False):
            draft.add(kind, (x, round(y0, 2), round(x + span, 2), round(y1, 2)), name)
            x = round(x + span, 2)
    _links(draft, rng)
    for extra in extras:
        _CUTS[extra](draft, rng)
    return draft


def _links(draft: _Draft, rng: np.random.Generator) -> None:
    """Which rooms are joined: every room by at least one opening."""
    rooms, front = draft.rooms, draft.bands["front"]
    for left, right in pairwise(front):
        open_plan = "dining_room" in (rooms[left][0], rooms[right][0])
        draft.links.append(Link(left, right, "passage" if open_plan else "door"))
    if draft.bands["hall"]:
        hall = draft.bands["hall"][0]
        draft.links.append(Link(hall, front[0], "door"))
        if len(front) > 1 and rng.random() < 0.4:
            draft.links.append(Link(hall, front[-1], "door"))
        draft.links.extend(Link(hall, k, "door") for k in draft.bands["back"])
        return
    # Without a corridor a private room opens to the living room, failing that to the bedroom.
    order = {"living_room": 0, "bedroom": 1, "dining_room": 2, "kitchen": 3, "study": 4}
    shared = neighbours([rect for _, rect in rooms])
    for k in draft.bands["back"]:
        hosts = {s.a + s.b - k for s in shared if k in (s.a, s.b) and s.high - s.low >= 1.6}
        hosts -= {x.b for x in draft.links if x.a == k} | {x.a for x in draft.links if x.b == k}
        if hosts:
            best = min(hosts, key=lambda other: (order.get(rooms[other][0], 9), other))
            draft.links.append(Link(best, k, "door"))


def _cut_pantry(draft: _Draft, rng: np.random.Generator) -> None:
    """A pantry at the corridor's end of the kitchen, which it opens to."""
    k = draft.find("kitchen")
    x0, y0, x1, y1 = draft.rooms[k][1]
    at = round(y1 - _PANTRY, 2)
    draft.rooms[k] = ("kitchen", (x0, y0, x1, at))
    pantry = draft.add("pantry_room", (x0, at, x1, y1), "front")
    hall = draft.bands["hall"][0]
    # A door from the corridor to the kitchen would now lead into the pantry.
    draft.links = [x for x in draft.links if {x.a, x.b} != {hall, k}]
    to_hall = rng.random() < 0.4 and draft.adjacent(hall, pantry)
    draft.links.append(Link(hall if to_hall else k, pantry, "door"))


def _cut_bathroom(draft: _Draft, rng: np.random.Generator) -> None:
    """A second bathroom behind the first, entered from the bedroom beside it."""
    k = draft.find("bathroom")
    x0, y0, x1, y1 = draft.rooms[k][1]
    at = round(y0 + _SECOND_BATH, 2)
    draft.rooms[k] = ("bathroom", (x0, y0, x1, at))
    own = draft.add("bathroom", (x0, at, x1, y1), "back")
    beside = [j for j in range(own) if j != k and draft.adjacent(j, own)]
    host = min(beside, key=lambda j: (draft.rooms[j][0] != "bedroom", j))
    draft.links.append(Link(host, own, "door"))


def _cut_hall(draft: _Draft, kind: str, length: float) -> int:
    """A room from an end of the corridor, preferably where no door is in the way."""
    hall = draft.bands["hall"][0]
    x0, y0, x1, y1 = draft.rooms[hall][1]
    room = draft.add(kind, (x0, y0, x1, y1), "hall")
    linked = [x.a + x.b - hall for x in draft.links if hall in (x.a, x.b)]
    right = max(rect[2] for _, rect in draft.rooms)
    ends: list[tuple[int, Rect, Rect]] = []
    if x0 == 0.0:
        at = round(x0 + length, 2)
        ends.append((0, (at, y0, x1, y1), (x0, y0, at, y1)))
    if x1 == right:
        at = round(x1 - length, 2)
        ends.append((1, (x0, y0, at, y1), (at, y0, x1, y1)))
    lost: dict[int, list[int]] = {}
    for number, keep, cut in ends:
        draft.rooms[hall], draft.rooms[room] = ("corridor", keep), (kind, cut)
        lost[number] = [j for j in linked if not draft.adjacent(hall, j)]
    number, keep, cut = min(ends, key=lambda e: (len(lost[e[0]]), e[0]))
    draft.rooms[hall], draft.rooms[room] = ("corridor", keep), (kind, cut)
    # What the corridor no longer reaches opens to the new room.
    draft.links = [
        Link(room, x.a + x.b - hall, x.kind)
        if hall in (x.a, x.b) and x.a + x.b - hall in lost[number]
        else x
        for x in draft.links
    ]
    return room


def _cut_storage(draft: _Draft, rng: np.random.Generator) -> None:
    room = _cut_hall(draft, "storage_room", _STORAGE)
    draft.links.append(Link(draft.bands["hall"][0], room, "door"))


def _cut_entry(draft: _Draft, rng: np.random.Generator) -> None:
    room = _cut_hall(draft, "entryway", _ENTRY)
    draft.links.append(Link(room, draft.bands["hall"][0], "door"))


_CUTS: dict[str, Callable[[_Draft, np.random.Generator], None]] = {
    "pantry_room": _cut_pantry,
    "second_bathroom": _cut_bathroom,
    "storage_room": _cut_storage,
    "entryway": _cut_entry,
}


def make_plan(rooms: int, rng: np.random.Generator, *, unreachable: int | None = None) -> Plan:
    """A plan of ``rooms`` rooms (3 to 12), living room first, all joined by doors or passages.

    ``unreachable`` rooms (drawn where ``None``) are behind shut doors.
    """
    draft = _rects(rooms, rng)
    most = max((rooms - 1) // 3, 1)
    if unreachable is None:
        unreachable = int(rng.integers(0, most + 1))
    kinds = [kind for kind, _ in draft.rooms]
    turned = _turned([rect for _, rect in draft.rooms], rng)
    return build_plan(kinds, turned, draft.links, rng, unreachable=unreachable)


def _turned(rects: list[Rect], rng: np.random.Generator) -> list[Rect]:
    """The plan mirrored in x, in y, and turned by a quarter, each by chance."""
    width, depth = max(r[2] for r in rects), max(r[3] for r in rects)
    flip_x, flip_y, swap = (bool(v) for v in rng.random(3) < 0.5)
    out: list[Rect] = []
    for x0, y0, x1, y1 in rects:
        if flip_x:
            x0, x1 = round(width - x1, 2), round(width - x0, 2)
        if flip_y:
            y0, y1 = round(depth - y1, 2), round(depth - y0, 2)
        out.append((y0, x0, y1, x1) if swap else (x0, y0, x1, y1))
    return out
