"""Floor plans: rooms as rectangles that tile the house, and the openings in their walls.

A plan is two bands of rooms, public in front, private behind, with a corridor between them in
larger houses; it is then mirrored and turned by chance. All wall lines lie on multiples of
0.05 m, the resolution of the floor maps.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, TypeAlias

import numpy as np

__all__ = [
    "CEILING",
    "DOOR_HEIGHT",
    "DOOR_WIDTH",
    "HALF_WALL",
    "MAX_ROOMS",
    "MIN_ROOMS",
    "Opening",
    "Plan",
    "PlanRoom",
    "Rect",
    "Side",
    "make_plan",
]

CEILING = 2.6  # room height, the default of RoomSpec
# Openings in the wall; frames leave 0.88 m x 2.03 m, and 1.4 m x 2.12 m of a passage.
DOOR_WIDTH, DOOR_HEIGHT = 1.0, 2.1
PASSAGE_WIDTH, PASSAGE_HEIGHT = 1.6, 2.2
HALF_WALL = 0.06  # every wall is 0.12 m thick and centred on its plan line
MIN_ROOMS, MAX_ROOMS = 4, 8
_GRID = 0.05
# An opening stays this far from the end of its wall, so that jambs and a corner fit.
_CORNER = 0.2

Rect: TypeAlias = tuple[float, float, float, float]  # x0, y0, x1, y1
Side: TypeAlias = Literal["W", "E", "S", "N"]
SIDES: tuple[Side, ...] = ("W", "E", "S", "N")
_OPPOSITE: dict[Side, Side] = {"W": "E", "E": "W", "S": "N", "N": "S"}


@dataclass(frozen=True)
class Opening:
    """A hole in a wall, from ``a`` to ``b`` along it and ``z0`` to ``z1`` up.

    ``axis`` is the axis along which the wall runs, ``line`` the other coordinate of its centre
    line. ``rooms`` are the indices of the rooms it joins (one room: it leads outside).
    """

    kind: Literal["door", "passage", "window", "entrance"]
    axis: Literal["x", "y"]
    line: float
    a: float
    b: float
    z0: float
    z1: float
    rooms: tuple[int, ...]


@dataclass
class PlanRoom:
    """A room: ``rect`` is its cell of the plan, up to the centre lines of its walls."""

    id: str
    type: str
    rect: Rect
    openings: dict[Side, list[Opening]] = field(default_factory=lambda: {s: [] for s in SIDES})
    exterior: frozenset[Side] = frozenset()

    @property
    def inner(self) -> Rect:
        """The floor between the wall faces."""
        x0, y0, x1, y1 = self.rect
        h = HALF_WALL
        return (x0 + h, y0 + h, x1 - h, y1 - h)

    def outer(self, side: Side) -> float:
        """How far this room's wall reaches from its plan line away from the room."""
        return HALF_WALL if side in self.exterior else 0.0

    def line(self, side: Side) -> float:
        """Coordinate of the plan line of a side."""
        return self.rect[{"W": 0, "S": 1, "E": 2, "N": 3}[side]]


@dataclass(frozen=True)
class Plan:
    """All rooms and all openings."""

    rooms: tuple[PlanRoom, ...]
    openings: tuple[Opening, ...]

    @property
    def size(self) -> tuple[float, float]:
        """Width and depth between the outer plan lines, whose lower corner is the origin."""
        return (max(r.rect[2] for r in self.rooms), max(r.rect[3] for r in self.rooms))


# (least, wished) width of each room type in its band, metres
_WIDTH: dict[str, tuple[float, float]] = {
    "living_room": (5.8, 6.5),
    "kitchen": (3.1, 3.7),
    "dining_room": (3.0, 3.5),
    "bedroom": (3.6, 4.6),
    "bathroom": (2.2, 2.8),
    "study": (2.6, 3.3),
}
# (front band, back band, corridor between) by number of rooms; a choice where two are good
_LAYOUTS: dict[int, tuple[tuple[tuple[str, ...], tuple[str, ...], bool], ...]] = {
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


def _snap(value: float) -> float:
    return round(round(value / _GRID) * _GRID, 2)


def _widths(types: tuple[str, ...], total: float, rng: np.random.Generator) -> list[float]:
    least = np.array([_WIDTH[t][0] for t in types])
    wish = np.array([_WIDTH[t][1] for t in types]) * rng.uniform(0.9, 1.1, len(types))
    spare = total - least.sum()
    share = np.maximum(wish - least, 0.05)
    widths = [_snap(float(w)) for w in least + spare * share / share.sum()]
    widths[int(np.argmax(widths))] += total - sum(widths)
    return [round(w, 2) for w in widths]


def _rects(
    count: int, rng: np.random.Generator
) -> tuple[list[tuple[str, Rect]], dict[str, list[int]]]:
    layouts = _LAYOUTS[count]
    front, back, corridor = layouts[int(rng.integers(len(layouts)))]
    need = max(sum(_WIDTH[t][0] for t in band) for band in (front, back))
    wish = max(sum(_WIDTH[t][1] for t in band) for band in (front, back))
    width = _snap(float(rng.uniform(need, min(wish, 12.0))))
    front_depth = _snap(float(rng.uniform(5.2, 5.6)))
    hall = 1.4 if corridor else 0.0
    back_depth = _snap(float(rng.uniform(3.6, 4.2)))
    if not corridor and back == ("bedroom", "bathroom") and rng.random() < 0.5:
        back = back[::-1]
    rects: list[tuple[str, Rect]] = []
    bands: dict[str, list[int]] = {"front": [], "hall": [], "back": []}
    for name, types, y0, y1 in (
        ("front", front, 0.0, front_depth),
        ("hall", ("corridor",) if corridor else (), front_depth, front_depth + hall),
        ("back", back, front_depth + hall, front_depth + hall + back_depth),
    ):
        x = 0.0
        spans = [width] if name == "hall" else _widths(types, width, rng)
        for kind, span in zip(types, spans, strict=False):
            bands[name].append(len(rects))
            rects.append((kind, (x, y0, round(x + span, 2), round(y1, 2))))
            x = round(x + span, 2)
    return rects, bands


def _shared(a: Rect, b: Rect) -> tuple[Literal["x", "y"], float, float, float] | None:
    """The common wall of two cells: its axis, line and extent."""
    for i, axis in ((0, "y"), (1, "x")):
        j = 1 - i
        low, high = max(a[j], b[j]), min(a[j + 2], b[j + 2])
        if high - low <= 0.0:
            continue
        if abs(a[i + 2] - b[i]) < 1e-6:
            return ("y" if axis == "y" else "x", b[i], low, high)
        if abs(b[i + 2] - a[i]) < 1e-6:
            return ("y" if axis == "y" else "x", a[i], low, high)
    return None


def _links(
    rects: list[tuple[str, Rect]], bands: dict[str, list[int]]
) -> list[tuple[int, int, Literal["door", "passage"]]]:
    """Which rooms are joined: every room by at least one opening."""
    links: list[tuple[int, int, Literal["door", "passage"]]] = []
    front = bands["front"]
    for left, right in pairwise(front):
        open_plan = "dining_room" in (rects[left][0], rects[right][0])
        links.append((left, right, "passage" if open_plan else "door"))
    room_for_door = DOOR_WIDTH + 2 * _CORNER + 0.2
    if bands["hall"]:
        hall = bands["hall"][0]
        links.append((front[0], hall, "door"))
        links.extend((hall, k, "door") for k in bands["back"])
        return links
    # Without a corridor a private room opens to the living room, failing that to the bedroom.
    order = {"living_room": 0, "bedroom": 1, "dining_room": 2, "kitchen": 3, "study": 4}
    for k in bands["back"]:
        best: tuple[int, int] | None = None
        for other in [*front, *bands["back"]]:
            wall = _shared(rects[k][1], rects[other][1]) if other != k else None
            if wall is None or wall[3] - wall[2] < room_for_door:
                continue
            if (k, other, "door") in links or (other, k, "door") in links:
                continue
            rank = order.get(rects[other][0], 9)
            if best is None or rank < best[0]:
                best = (rank, other)
        if best is not None:
            links.append((best[1], k, "door"))
    return links


def _door_place(low: float, high: float, width: float, rng: np.random.Generator) -> float:
    """Start of an opening: near one end of the wall, as in most homes, sometimes in the middle."""
    first, last = low + _CORNER, high - _CORNER - width
    if last <= first:
        return _snap((low + high - width) / 2)
    pick = rng.random()
    if pick < 0.4:
        return _snap(first)
    if pick < 0.8:
        return _snap(last)
    return _snap(float(rng.uniform(first, last)))


# width, sill height, head height of windows
_WINDOW: dict[str, tuple[float, float, float]] = {
    "living_room": (2.0, 0.8, 2.2),
    "dining_room": (1.6, 0.85, 2.2),
    "kitchen": (1.3, 1.1, 2.1),
    "bedroom": (1.5, 0.9, 2.15),
    "study": (1.4, 0.9, 2.15),
    "bathroom": (0.7, 1.45, 2.15),
    "corridor": (0.8, 0.9, 2.1),
}


def make_plan(rooms: int, rng: np.random.Generator) -> Plan:
    """A plan of ``rooms`` rooms (4 to 8): living room first, all joined by doors or passages."""
    rects, bands = _rects(rooms, rng)
    links = _links(rects, bands)
    rects = _turned(rects, rng)
    width = max(r[1][2] for r in rects)
    depth = max(r[1][3] for r in rects)
    numbers: dict[str, int] = {}
    made: list[PlanRoom] = []
    for kind, rect in rects:
        number = numbers.get(kind, 0)
        numbers[kind] = number + 1
        touching: list[Side] = []
        for side, value, edge in (
            ("W", rect[0], 0.0),
            ("E", rect[2], width),
            ("S", rect[1], 0.0),
            ("N", rect[3], depth),
        ):
            if abs(value - edge) < 1e-6:
                touching.append(side)  # type: ignore[arg-type]
        made.append(PlanRoom(f"{kind}_{number}", kind, rect, exterior=frozenset(touching)))
    openings: list[Opening] = []
    for a, b, kind in links:
        wall = _shared(made[a].rect, made[b].rect)
        if wall is None:
            continue
        axis, line, low, high = wall
        span, head = (
            (PASSAGE_WIDTH, PASSAGE_HEIGHT) if kind == "passage" else (DOOR_WIDTH, DOOR_HEIGHT)
        )
        start = _door_place(low, high, span, rng)
        _open(
            made, openings, Opening(kind, axis, line, start, _snap(start + span), 0.0, head, (a, b))
        )
    _entrance(made, openings, rng)
    for index, room in enumerate(made):
        _windows(made, index, room, openings, rng)
    return Plan(tuple(made), tuple(openings))


def _turned(rects: list[tuple[str, Rect]], rng: np.random.Generator) -> list[tuple[str, Rect]]:
    """The plan mirrored in x, in y, and turned by a quarter, each by chance."""
    width = max(r[1][2] for r in rects)
    depth = max(r[1][3] for r in rects)
    flip_x, flip_y, swap = (bool(v) for v in rng.random(3) < 0.5)
    out: list[tuple[str, Rect]] = []
    for kind, (x0, y0, x1, y1) in rects:
        if flip_x:
            x0, x1 = round(width - x1, 2), round(width - x0, 2)
        if flip_y:
            y0, y1 = round(depth - y1, 2), round(depth - y0, 2)
        out.append((kind, (y0, x0, y1, x1) if swap else (x0, y0, x1, y1)))
    return out


def _open(made: list[PlanRoom], openings: list[Opening], opening: Opening) -> None:
    openings.append(opening)
    for index in opening.rooms:
        room = made[index]
        sides: tuple[Side, Side] = ("S", "N") if opening.axis == "x" else ("W", "E")
        for side in sides:
            if abs(room.line(side) - opening.line) < 1e-6:
                room.openings[side].append(opening)


def _extent(room: PlanRoom, side: Side) -> tuple[float, float]:
    x0, y0, x1, y1 = room.rect
    return (x0, x1) if side in ("S", "N") else (y0, y1)


def _free_start(
    room: PlanRoom, side: Side, width: float, rng: np.random.Generator, *, centred: bool
) -> float | None:
    """A start for an opening of ``width`` that keeps clear of the others on that side."""
    low, high = _extent(room, side)
    first, last = low + _CORNER + 0.15, high - _CORNER - 0.15 - width
    if last < first:
        # The short end of a corridor takes a door in its middle.
        alone = centred and not room.openings[side] and high - low >= width + 0.3
        return _snap((low + high - width) / 2) if alone else None
    starts = np.arange(first, last + 1e-9, _GRID)
    taken = [(o.a - 0.3 - width, o.b + 0.3) for o in room.openings[side]]
    free = [s for s in starts if all(s <= a or s >= b for a, b in taken)]
    if not free:
        return None
    if centred:
        middle = (low + high - width) / 2
        return _snap(min(free, key=lambda s: abs(s - middle)))
    return _snap(float(free[int(rng.integers(len(free)))]))


def _entrance(made: list[PlanRoom], openings: list[Opening], rng: np.random.Generator) -> None:
    """The front door: in the corridor's short wall where there is one, else in the living room."""
    host = next((k for k, r in enumerate(made) if r.type == "corridor"), 0)
    room = made[host]
    for side in sorted(room.exterior, key=lambda s: _extent(room, s)[1] - _extent(room, s)[0]):
        start = _free_start(room, side, DOOR_WIDTH, rng, centred=room.type == "corridor")
        if start is not None:
            axis: Literal["x", "y"] = "x" if side in ("S", "N") else "y"
            _open(
                made,
                openings,
                Opening(
                    "entrance",
                    axis,
                    room.line(side),
                    start,
                    _snap(start + DOOR_WIDTH),
                    0.0,
                    DOOR_HEIGHT,
                    (host,),
                ),
            )
            return


def _windows(
    made: list[PlanRoom],
    index: int,
    room: PlanRoom,
    openings: list[Opening],
    rng: np.random.Generator,
) -> None:
    width, sill, head = _WINDOW[room.type]
    sides = sorted(room.exterior, key=lambda s: _extent(room, s)[0] - _extent(room, s)[1])
    for side in sides[: 2 if room.type in ("living_room", "bedroom") else 1]:
        start = _free_start(room, side, width, rng, centred=True)
        if start is None:
            continue
        axis: Literal["x", "y"] = "x" if side in ("S", "N") else "y"
        _open(
            made,
            openings,
            Opening(
                "window", axis, room.line(side), start, _snap(start + width), sill, head, (index,)
            ),
        )
