"""Floor plans: rooms as rectangles, which of them are neighbours, and the openings in their walls.

Rooms may lie anywhere, with gaps between them: what no room covers is outside. All wall lines lie
on multiples of 0.05 m, the resolution of the floor maps.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

__all__ = [
    "CEILING",
    "DOOR_HEIGHT",
    "DOOR_WIDTH",
    "GRID",
    "HALF_WALL",
    "SIDES",
    "Axis",
    "Link",
    "Opening",
    "Plan",
    "PlanRoom",
    "Rect",
    "Shared",
    "Side",
    "build_plan",
    "neighbours",
    "reached",
    "snap",
]

CEILING = 2.6  # room height, the default of RoomSpec
# Openings in the wall; frames leave 0.88 m x 2.03 m, and 1.4 m x 2.12 m of a passage.
DOOR_WIDTH, DOOR_HEIGHT = 1.0, 2.1
PASSAGE_WIDTH, PASSAGE_HEIGHT = 1.6, 2.2
# Doors of cupboard-like rooms are narrower; the frame leaves 0.7 m: a robot of 0.2 m radius passes.
_NARROW_DOOR = 0.8
HALF_WALL = 0.06  # every wall is 0.12 m thick and centred on its plan line
GRID = 0.05
# An opening stays this far from the end of its wall, so that jambs and a corner fit.
_CORNER = 0.2
# The shortest common stretch of wall that takes a door: less, and two rooms are no neighbours.
_NEIGHBOURLY = _NARROW_DOOR + 2 * 0.1
# A window looks out on at least this much (metres).
_VIEW = 1.5

Rect: TypeAlias = tuple[float, float, float, float]  # x0, y0, x1, y1
Side: TypeAlias = Literal["W", "E", "S", "N"]
Axis: TypeAlias = Literal["x", "y"]
Kind: TypeAlias = Literal["door", "passage", "window", "entrance"]
SIDES: tuple[Side, ...] = ("W", "E", "S", "N")
_OPPOSITE: dict[Side, Side] = {"W": "E", "E": "W", "S": "N", "N": "S"}


class Shared(NamedTuple):
    """The common wall of rooms ``a`` and ``b``: it runs along ``axis`` at ``line``."""

    a: int
    b: int
    axis: Axis
    line: float
    low: float
    high: float


class Link(NamedTuple):
    """An opening that is wanted between two rooms; a door swings into the second."""

    a: int
    b: int
    kind: Literal["door", "passage"]


@dataclass(frozen=True)
class Opening:
    """A hole in a wall, from ``a`` to ``b`` along it and ``z0`` to ``z1`` up.

    ``axis`` is the axis along which the wall runs, ``line`` the other coordinate of its centre
    line. ``rooms`` are the indices of the rooms it joins (one room: it leads outside); a door
    swings into the last of them and is ``open`` or shut. Its ``hinge`` is on the low (-1) or the
    high (1) side of the opening; a ``wide`` door turns by half a circle, to rest against its wall.
    """

    kind: Kind
    axis: Axis
    line: float
    a: float
    b: float
    z0: float
    z1: float
    rooms: tuple[int, ...]
    open: bool = True
    hinge: int = -1
    wide: bool = False


@dataclass
class PlanRoom:
    """A room: ``rect`` is its cell of the plan, up to the centre lines of its walls.

    ``exterior`` are the stretches of each side behind which no other room lies.
    """

    id: str
    type: str
    rect: Rect
    openings: dict[Side, list[Opening]] = field(default_factory=lambda: {s: [] for s in SIDES})
    exterior: dict[Side, list[tuple[float, float]]] = field(
        default_factory=lambda: {s: [] for s in SIDES}
    )
    reachable: bool = True

    @property
    def inner(self) -> Rect:
        """The floor between the wall faces."""
        x0, y0, x1, y1 = self.rect
        h = HALF_WALL
        return (x0 + h, y0 + h, x1 - h, y1 - h)

    def line(self, side: Side) -> float:
        """Coordinate of the plan line of a side."""
        return self.rect[{"W": 0, "S": 1, "E": 2, "N": 3}[side]]

    def extent(self, side: Side) -> tuple[float, float]:
        """Where a side begins and ends, between plan lines."""
        x0, y0, x1, y1 = self.rect
        return (x0, x1) if side in ("S", "N") else (y0, y1)


@dataclass(frozen=True)
class Plan:
    """All rooms and all openings."""

    rooms: tuple[PlanRoom, ...]
    openings: tuple[Opening, ...]

    @property
    def bounds(self) -> Rect:
        """The rectangle of all outer plan lines."""
        corners = np.array([r.rect for r in self.rooms])
        low, high = corners[:, :2].min(axis=0), corners[:, 2:].max(axis=0)
        return (float(low[0]), float(low[1]), float(high[0]), float(high[1]))


# -- neighbours ----------------------------------------------------------------------------


def neighbours(rects: Sequence[Rect]) -> list[Shared]:
    """The one rule of who is next to whom: every pair with a metre of wall in common.

    A metre is what the narrowest door needs. Pairs are in order, each once.
    """
    return [s for s in _touching(rects) if s.high - s.low >= _NEIGHBOURLY - 1e-9]


def _touching(rects: Sequence[Rect]) -> list[Shared]:
    """All common stretches of wall, however short."""
    found: list[Shared] = []
    for i, a in enumerate(rects):
        for j in range(i + 1, len(rects)):
            b = rects[j]
            for k, axis in ((0, "y"), (1, "x")):
                low, high = max(a[1 - k], b[1 - k]), min(a[3 - k], b[3 - k])
                if high - low <= 1e-6:
                    continue
                for line, other in ((a[k + 2], b[k]), (a[k], b[k + 2])):
                    if abs(line - other) < 1e-6:
                        found.append(Shared(i, j, "y" if axis == "y" else "x", line, low, high))
    return found


def _exterior(rooms: Sequence[PlanRoom]) -> None:
    """Note for each side of each room where it is an outer wall."""
    touching = _touching([room.rect for room in rooms])
    for index, room in enumerate(rooms):
        for side in SIDES:
            axis = "x" if side in ("S", "N") else "y"
            taken = [
                (s.low, s.high)
                for s in touching
                if index in (s.a, s.b) and s.axis == axis and abs(s.line - room.line(side)) < 1e-6
            ]
            room.exterior[side] = _without(room.extent(side), taken)


def _without(
    whole: tuple[float, float], taken: Iterable[tuple[float, float]]
) -> list[tuple[float, float]]:
    left: list[tuple[float, float]] = []
    at = whole[0]
    for a, b in sorted(taken):
        if a - at > 1e-6:
            left.append((at, a))
        at = max(at, b)
    if whole[1] - at > 1e-6:
        left.append((at, whole[1]))
    return left


def reached(count: int, ways: Iterable[tuple[int, int]], start: int = 0) -> set[int]:
    """The rooms that one comes to from ``start`` through open ways between pairs of rooms."""
    joined: dict[int, set[int]] = {k: set() for k in range(count)}
    for a, b in ways:
        joined[a].add(b)
        joined[b].add(a)
    seen, left = {start}, [start]
    while left:
        for other in joined[left.pop()] - seen:
            seen.add(other)
            left.append(other)
    return seen


def snap(value: float) -> float:
    """The nearest multiple of the grid."""
    return round(round(value / GRID) * GRID, 2)


# -- openings ------------------------------------------------------------------------------


def build_plan(
    kinds: Sequence[str],
    rects: Sequence[Rect],
    links: Sequence[Link],
    rng: np.random.Generator,
    *,
    unreachable: int = 0,
    names: Sequence[str] | None = None,
) -> Plan:
    """Rooms of known types and cells with doors where ``links`` ask for them, and windows.

    Links between rooms that are no neighbours are left out. ``names`` are the rooms' ids (default:
    numbered by type). ``unreachable`` rooms, or as many as there can be, are shut off.
    """
    numbers: dict[str, int] = {}
    made: list[PlanRoom] = []
    for k, (kind, rect) in enumerate(zip(kinds, rects, strict=True)):
        number = numbers.get(kind, 0)
        numbers[kind] = number + 1
        made.append(PlanRoom(names[k] if names else f"{kind}_{number}", kind, rect))
    _exterior(made)
    shared: dict[frozenset[int], Shared] = {}
    for s in neighbours(rects):
        pair = frozenset((s.a, s.b))
        if pair not in shared or s.high - s.low > shared[pair].high - shared[pair].low:
            shared[pair] = s
    ways: list[Opening] = []
    for link in links:
        wall = shared.get(frozenset((link.a, link.b)))
        if wall is not None:
            opening = _way(link, wall, ways, rng)
            if opening is not None:
                ways.append(opening)
    for k, way in enumerate(ways):
        if way.kind == "door":
            ways[k] = _hung(k, made, ways)
    ways = _shut(len(made), ways, rng, unreachable)
    for opening in ways:
        _note(made, opening)
    _entrance(made, ways, rng)
    for index, room in enumerate(made):
        _windows(made, index, room, ways, rng)
    outside = reached(len(made), [(w.rooms[0], w.rooms[1]) for w in ways if _passable(w)])
    for index, room in enumerate(made):
        room.reachable = index in outside
    return Plan(tuple(made), tuple(ways))


def _passable(opening: Opening) -> bool:
    return len(opening.rooms) == 2 and opening.open


def _way(
    link: Link, wall: Shared, ways: Sequence[Opening], rng: np.random.Generator
) -> Opening | None:
    """An opening in a common wall, clear of those that are there."""
    length = wall.high - wall.low
    passage = link.kind == "passage" and length >= PASSAGE_WIDTH + 2 * _CORNER
    width = PASSAGE_WIDTH if passage else DOOR_WIDTH
    corner = _CORNER
    if length < width + 2 * corner:
        width, corner = _NARROW_DOOR, 0.1
    taken = [
        (w.a - 0.2 - width, w.b + 0.2)
        for w in ways
        if w.axis == wall.axis and abs(w.line - wall.line) < 1e-6
    ]
    start = _door_place(wall.low + corner, wall.high - corner - width, taken, rng)
    if start is None:
        return None
    opening = Opening(
        "passage" if passage else "door",
        wall.axis,
        wall.line,
        start,
        snap(start + width),
        0.0,
        PASSAGE_HEIGHT if passage else DOOR_HEIGHT,
        (link.a, link.b),
    )
    return opening


def _hung(index: int, made: Sequence[PlanRoom], ways: Sequence[Opening]) -> Opening:
    """A door hung so that its open leaf is in nobody's way; without such a place it has no leaf.

    It swings by a quarter into the second of its rooms, to the nearer corner, where the room is
    deep enough; else by half a circle against the wall, or into the other room.
    """
    opening = ways[index]
    others = [w for k, w in enumerate(ways) if k != index]
    taken = [_before(w) for w in others]
    taken += [_rest(w, made) for w in others[:index] if w.kind == "door"]
    tried: list[Opening] = []
    for rooms in (opening.rooms, opening.rooms[::-1]):
        room = made[rooms[-1]]
        low, high = room.extent("S" if opening.axis == "x" else "W")
        near = -1 if opening.a + opening.b < low + high else 1
        tried += [replace(opening, rooms=rooms, hinge=near)] * (_deep(room, opening) >= 1.9)
        tried += [replace(opening, rooms=rooms, hinge=side, wide=True) for side in (near, -near)]
        tried += [replace(opening, rooms=rooms, hinge=-near)] * (_deep(room, opening) >= 2.5)
    for door in tried:
        leaf, (x0, y0, x1, y1) = _rest(door, made), made[door.rooms[-1]].inner
        within = x0 <= leaf[0] and y0 <= leaf[1] and leaf[2] <= x1 and leaf[3] <= y1
        if within and not any(_meet(leaf, rect) for rect in taken):
            return door
    return replace(opening, kind="passage")


def _rest(door: Opening, made: Sequence[PlanRoom]) -> Rect:
    """Where the open leaf of a door is, a little large."""
    x0, y0, x1, y1 = made[door.rooms[-1]].rect
    inside = (y0 + y1) / 2 if door.axis == "x" else (x0 + x1) / 2
    side = 1.0 if inside > door.line else -1.0
    width = door.b - door.a
    if door.wide:
        span = (door.a - width, door.a) if door.hinge < 0 else (door.b, door.b + width)
        reach = (HALF_WALL, HALF_WALL + 0.12)
    else:
        span = (door.a, door.a + 0.14) if door.hinge < 0 else (door.b - 0.14, door.b)
        reach = (HALF_WALL, width + 0.1)
    near, far = sorted((door.line + side * reach[0], door.line + side * reach[1]))
    return (span[0], near, span[1], far) if door.axis == "x" else (near, span[0], far, span[1])


def _before(way: Opening) -> Rect:
    """What has to stay clear on both sides of an opening."""
    near, far = way.line - 0.75, way.line + 0.75
    a, b = way.a + 0.05, way.b - 0.05
    return (a, near, b, far) if way.axis == "x" else (near, a, far, b)


def _meet(a: Rect, b: Rect) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _deep(room: PlanRoom, opening: Opening) -> float:
    """How far a room extends from a wall that runs along the opening's axis."""
    low, high = room.extent("W" if opening.axis == "x" else "S")
    return high - low


def _door_place(
    first: float, last: float, taken: Sequence[tuple[float, float]], rng: np.random.Generator
) -> float | None:
    """Start of an opening: near one end of the wall, as in most homes, sometimes in the middle."""
    pick, share = rng.random(2)
    goal = first if pick < 0.4 else last if pick < 0.8 else first + float(share) * (last - first)
    if last < first:
        return None if last < first - 1e-9 else snap(first)
    starts = [snap(float(s)) for s in (*np.arange(first, last + 1e-9, GRID), last)]
    free = [s for s in starts if all(s <= a or s >= b for a, b in taken)]
    free = [s for s in free if first - 0.03 <= s <= last + 0.03]
    return min(free, key=lambda s: (abs(s - goal), s)) if free else None


def _shut(
    count: int, ways: list[Opening], rng: np.random.Generator, unreachable: int
) -> list[Opening]:
    """Shut doors so that just ``unreachable`` rooms, never the first, are cut off.

    All other rooms stay joined by open doors, some of which may be shut where there is a way
    round. A passage has no door: its rooms are cut off together or not at all.
    """
    pairs = [(w.rooms[0], w.rooms[1]) for w in ways]
    always = [pair for pair, way in zip(pairs, ways, strict=True) if not _leaf(way)]
    cut: set[int] = set()
    for room in [int(k) for k in rng.permutation(count)]:
        tried = cut | reached(count, always, room)
        rest = set(range(count)) - tried
        if 0 in tried or len(tried) > unreachable:
            continue
        if reached(count, [p for p in pairs if p[0] in rest and p[1] in rest]) >= rest:
            cut = tried
    rest = set(range(count)) - cut
    out = [replace(w, open=(a in cut) == (b in cut)) for w, (a, b) in zip(ways, pairs, strict=True)]
    for k, way in enumerate(out):
        if way.open and _leaf(way) and rng.random() < 0.3:
            others = [pair for j, pair in enumerate(pairs) if j != k and out[j].open]
            if pairs[k][0] in cut or reached(count, others) >= rest:
                out[k] = replace(way, open=False)
    return out


def _leaf(way: Opening) -> bool:
    return way.kind == "door"


def _note(made: Sequence[PlanRoom], opening: Opening) -> None:
    for index in opening.rooms:
        room = made[index]
        sides: tuple[Side, Side] = ("S", "N") if opening.axis == "x" else ("W", "E")
        for side in sides:
            if abs(room.line(side) - opening.line) < 1e-6:
                room.openings[side].append(opening)


# width, sill height, head height of windows by room type; cupboard-like rooms have none
_WINDOW: dict[str, tuple[float, float, float]] = {
    "living_room": (2.0, 0.8, 2.2),
    "dining_room": (1.6, 0.85, 2.2),
    "kitchen": (1.3, 1.1, 2.1),
    "bedroom": (1.5, 0.9, 2.15),
    "study": (1.4, 0.9, 2.15),
    "bathroom": (0.7, 1.45, 2.15),
    "corridor": (0.8, 0.9, 2.1),
    "entryway": (0.6, 0.9, 2.1),
    "garage": (1.0, 1.4, 2.0),
    "utility_room": (0.8, 1.3, 2.1),
    "staircase": (0.8, 0.9, 2.1),
    "closet": (0.0, 0.0, 0.0),
    "storage_room": (0.0, 0.0, 0.0),
    "pantry_room": (0.0, 0.0, 0.0),
    "sauna": (0.0, 0.0, 0.0),
    "hammam": (0.0, 0.0, 0.0),
}
_ANY_WINDOW = (1.5, 0.9, 2.15)
_TWO_WINDOWS = ("living_room", "bedroom", "dining_room", "playroom", "gym", "spa")


def _free_start(
    room: PlanRoom, side: Side, width: float, rng: np.random.Generator, *, centred: bool
) -> float | None:
    """A start for an opening of ``width`` in an outer wall, clear of the others on that side."""
    low, high = room.extent(side)
    spans = room.exterior[side]
    first, last = low + _CORNER + 0.15, high - _CORNER - 0.15 - width
    if last < first:
        # The short end of a corridor takes a door in its middle.
        alone = centred and not room.openings[side] and high - low >= width + 0.3
        alone = alone and spans == [(low, high)]
        return snap((low + high - width) / 2) if alone else None
    starts = np.arange(first, last + 1e-9, GRID)
    taken = [(o.a - 0.3 - width, o.b + 0.3) for o in room.openings[side]]
    free = [
        s
        for s in starts
        if all(s <= a or s >= b for a, b in taken)
        and any(a + _CORNER <= s + 1e-9 and s + width <= b - _CORNER + 1e-9 for a, b in spans)
    ]
    if not free:
        return None
    if centred:
        middle = (low + high - width) / 2
        return snap(min(free, key=lambda s: abs(s - middle)))
    return snap(float(free[int(rng.integers(len(free)))]))


def _longest(room: PlanRoom, side: Side) -> float:
    return max((b - a for a, b in room.exterior[side]), default=0.0)


def _entrance(made: list[PlanRoom], ways: list[Opening], rng: np.random.Generator) -> None:
    """The front door: in an entryway's or the corridor's short wall, else in the living room."""
    hosts = [
        k
        for kind in ("entryway", "corridor", "living_room")
        for k, r in enumerate(made)
        if r.type == kind
    ]
    for host in [*hosts, *range(len(made))]:
        room = made[host]
        sides = [s for s in SIDES if _longest(room, s) >= DOOR_WIDTH + 0.3]
        for side in sorted(sides, key=lambda s: room.extent(s)[1] - room.extent(s)[0]):
            if not _open_view(made, room, side, room.extent(side)):
                continue
            narrow = room.type in ("corridor", "entryway")
            start = _free_start(room, side, DOOR_WIDTH, rng, centred=narrow)
            if start is not None:
                axis: Axis = "x" if side in ("S", "N") else "y"
                end = snap(start + DOOR_WIDTH)
                opening = Opening(
                    "entrance", axis, room.line(side), start, end, 0.0, DOOR_HEIGHT, (host,), False
                )
                ways.append(opening)
                _note(made, opening)
                return


def _open_view(
    made: Sequence[PlanRoom], room: PlanRoom, side: Side, span: tuple[float, float]
) -> bool:
    """Whether no other room stands close before that stretch of an outer wall."""
    x0, y0, x1, y1 = room.rect
    a, b = span
    ahead: Rect = {
        "W": (x0 - _VIEW, a, x0 - 1e-6, b),
        "E": (x1 + 1e-6, a, x1 + _VIEW, b),
        "S": (a, y0 - _VIEW, b, y0 - 1e-6),
        "N": (a, y1 + 1e-6, b, y1 + _VIEW),
    }[side]
    return not any(other is not room and _meet(other.rect, ahead) for other in made)


def _windows(
    made: list[PlanRoom],
    index: int,
    room: PlanRoom,
    ways: list[Opening],
    rng: np.random.Generator,
) -> None:
    wished, sill, head = _WINDOW.get(room.type, _ANY_WINDOW)
    if wished == 0.0:
        return
    left = 2 if room.type in _TWO_WINDOWS else 1
    for side in sorted(SIDES, key=lambda s: -_longest(room, s)):
        width = snap(min(wished, _longest(room, side) - 0.7))
        if left == 0 or width < 0.5:
            continue
        start = _free_start(room, side, width, rng, centred=True)
        if start is None or not _open_view(made, room, side, (start, start + width)):
            continue
        axis: Axis = "x" if side in ("S", "N") else "y"
        opening = Opening(
            "window", axis, room.line(side), start, snap(start + width), sill, head, (index,)
        )
        ways.append(opening)
        _note(made, opening)
        left -= 1
