"""The shell of a house: walls, floors, ceilings, doors, windows and baseboards as boxes.

All that lies within half a wall of a room's plan line, and in no room's inside, is wall. It belongs
to the room in whose cell it is, outside of all cells to the room next to it, so that each room has
its own colour, no two boxes overlap and none is missing, wherever the rooms lie.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from esi_fast.assets._house_plan import (
    CEILING,
    HALF_WALL,
    SIDES,
    Axis,
    Opening,
    Plan,
    PlanRoom,
    Rect,
    Side,
)
from esi_fast.records import ObjectSpec
from esi_fast.types import BoolArray

__all__ = ["JAMB", "Look", "door_pose", "shell"]

FLOOR_THICKNESS = 0.1
JAMB, _HEAD = 0.06, 0.035  # boards of the door frame, as fractions of its width and height
_OVERLAP = 0.015  # the frame stands this far out of the wall's faces
_LEAF = 0.08  # depth of a door with its handles; the leaf itself is half as thick
_BASEBOARD = (0.012, 0.08)  # thickness, height
# How far the garden reaches, the heights of its lawn, thickness and height of its hedge.
_GARDEN, _LAWN, _HEDGE = 7.0, (-0.35, -0.15), (0.7, 1.7)
_SASH = 0.09  # depth of a window's frame

Vec3: TypeAlias = tuple[float, float, float]


@dataclass(frozen=True)
class Look:
    """Palettes of the structure: per room type for walls and floors, one each for the rest."""

    wall: Callable[[str], int]
    floor: Callable[[str], int]
    ceiling: int
    door: int
    frame: int
    baseboard: int


class _Boxes:
    """Collects structure objects with running ids."""

    def __init__(self) -> None:
        self.objects: list[ObjectSpec] = []
        self._numbers: dict[str, int] = {}

    def add(self, category: str, lower: Vec3, upper: Vec3, *, room: str, palette: int) -> None:
        """A box between two corners."""
        center = tuple((a + b) / 2 for a, b in zip(lower, upper, strict=True))
        size = tuple(b - a for a, b in zip(lower, upper, strict=True))
        self.put(category, _round(center), _round(size), room=room, palette=palette)

    def put(
        self,
        category: str,
        center: Vec3,
        size: Vec3,
        *,
        room: str,
        palette: int,
        yaw: float = 0.0,
        state: dict[str, float] | None = None,
    ) -> None:
        """A structure object of a size (in its own frame) at a centre."""
        number = self._numbers.get(category, 0)
        self._numbers[category] = number + 1
        self.objects.append(
            ObjectSpec(
                id=f"{category}_{number}",
                category=category,
                model="box",
                position=_round(center),
                orientation=_yaw(yaw),
                scale=_round(size),
                role="structure",
                room=room,
                fixed=True,
                palette=palette,
                state=state or {},
            )
        )


def _round(values: tuple[float, ...]) -> Vec3:
    x, y, z = (round(float(v), 5) for v in values)
    return (x, y, z)


def _yaw(yaw: float) -> tuple[float, float, float, float]:
    return (0.0, 0.0, math.sin(yaw / 2), math.cos(yaw / 2))


def _along(
    axis: Axis, a: float, b: float, c: float, d: float, z0: float, z1: float
) -> tuple[Vec3, Vec3]:
    """Corners of a box from ``a`` to ``b`` along a wall and ``c`` to ``d`` across it."""
    c, d = min(c, d), max(c, d)
    return ((a, c, z0), (b, d, z1)) if axis == "x" else ((c, a, z0), (d, b, z1))


def shell(plan: Plan, look: Look, rng: np.random.Generator) -> list[ObjectSpec]:
    """All structure objects of the plan."""
    boxes = _Boxes()
    _garden(boxes, plan)
    cells = _Cells(plan)
    for index, room in enumerate(plan.rooms):
        _slabs(boxes, cells, index, room, look)
        paint = look.wall(room.type)
        for (x0, y0, x1, y1), opening in cells.walls(index):
            spans = [(0.0, CEILING)]
            if opening is not None:
                spans = [(0.0, opening.z0), (opening.z1, CEILING)]
            for z0, z1 in spans:
                if z1 - z0 > 1e-6:
                    boxes.add("wall", (x0, y0, z0), (x1, y1, z1), room=room.id, palette=paint)
        for side in SIDES:
            _baseboards(boxes, room, side, look)
    for opening in plan.openings:
        if opening.kind == "window":
            _insert(boxes, plan, opening, "window", _SASH, look.frame)
        else:
            _frame(boxes, plan, opening, look)
            if opening.kind != "passage":
                _leaf(boxes, plan, opening, look, rng)
    return boxes.objects


class _Cells:
    """The plan cut along all its lines into cells (column, row) of one meaning each.

    ``owner`` is the room that a cell belongs to, -1 outside; ``solid`` whether it is wall;
    ``hole`` the opening that it lies in, -1 for none.
    """

    def __init__(self, plan: Plan) -> None:
        h = HALF_WALL
        rects = np.array([room.rect for room in plan.rooms])
        along = {axis: [o for o in plan.openings if o.axis == axis] for axis in ("x", "y")}
        lines = []
        for k, axis in enumerate(("x", "y")):
            edges = rects[:, [k, k + 2]].ravel()
            ends = [v for o in along[axis] for v in (o.a, o.b)]
            lines.append(np.unique(np.round([*edges, *(edges - h), *(edges + h), *ends], 5)))
        self.x, self.y = lines
        self.plan = plan
        px, py = np.meshgrid(*((v[1:] + v[:-1]) / 2 for v in lines), indexing="ij")
        self.owner = np.full(px.shape, -1, dtype=np.int64)
        inside = np.zeros(px.shape, dtype=bool)
        # The cell itself decides; outside of all cells the first room within half a wall.
        for grow in (0.0, h):
            for index, (x0, y0, x1, y1) in enumerate(rects):
                near = (px > x0 - grow) & (px < x1 + grow) & (py > y0 - grow) & (py < y1 + grow)
                self.owner[near & (self.owner < 0)] = index
        for x0, y0, x1, y1 in rects:
            inside |= (px > x0 + h) & (px < x1 - h) & (py > y0 + h) & (py < y1 - h)
        self.solid = (self.owner >= 0) & ~inside
        self.hole = np.full(px.shape, -1, dtype=np.int64)
        for number, opening in enumerate(plan.openings):
            u, v = (px, py) if opening.axis == "x" else (py, px)
            within = (u > opening.a) & (u < opening.b) & (np.abs(v - opening.line) < h)
            self.hole[within & self.solid] = number

    def walls(self, room: int) -> list[tuple[Rect, Opening | None]]:
        """The walls of a room as rectangles, each with the opening that breaks it."""
        found: list[tuple[Rect, Opening | None]] = []
        mine = self.solid & (self.owner == room)
        for number in np.unique(self.hole[mine]).tolist():
            opening = self.plan.openings[number] if number >= 0 else None
            found.extend((r, opening) for r in self._pieces(mine & (self.hole == number)))
        return found

    def ground(self, room: int) -> list[Rect]:
        """Floor or ceiling of a room, its walls included: its cell, as large as it may be."""
        mine = self.owner == room
        x0, y0, x1, y1 = self.plan.rooms[room].rect
        grown = [(x, y) for x in (0.0, HALF_WALL) for y in (0.0, HALF_WALL)]
        best: tuple[float, Rect] | None = None
        for left, low in grown:
            for right, high in grown:
                rect = (x0 - left, y0 - low, x1 + right, y1 + high)
                cover = self._cover(rect)
                area = (rect[2] - rect[0]) * (rect[3] - rect[1])
                if mine[cover].all() and (best is None or area > best[0] + 1e-9):
                    best = (area, rect)
        if best is None:
            return self._pieces(mine)
        mine[self._cover(best[1])] = False
        return [best[1], *self._pieces(mine)]

    def _cover(self, rect: Rect) -> tuple[slice, slice]:
        x0, y0, x1, y1 = (round(v, 5) for v in rect)
        i, j = np.searchsorted(self.x, (x0, x1)), np.searchsorted(self.y, (y0, y1))
        return slice(int(i[0]), int(i[1])), slice(int(j[0]), int(j[1]))

    def _pieces(self, mask: BoolArray) -> list[Rect]:
        """Rectangles that together are the cells of a mask, the longest first."""
        left = mask.copy()
        found: list[Rect] = []
        while left.any():
            i, j = (int(v) for v in np.argwhere(left)[0])
            wide = _grow(left, i, j)
            tall = _grow(left.T, j, i)
            across, up = max(wide, tall[::-1], key=lambda s: self._area(i, j, s))
            left[i : i + across, j : j + up] = False
            found.append(
                tuple(float(v) for v in (self.x[i], self.y[j], self.x[i + across], self.y[j + up]))  # type: ignore[arg-type]
            )
        return found

    def _area(self, i: int, j: int, size: tuple[int, int]) -> float:
        return float((self.x[i + size[0]] - self.x[i]) * (self.y[j + size[1]] - self.y[j]))


def _grow(mask: BoolArray, i: int, j: int) -> tuple[int, int]:
    """Cells that a rectangle from (i, j) spans: first as long as it can be, then as wide."""
    run = mask[i:, j]
    across = len(run) if run.all() else int(np.argmin(run))
    rows = np.asarray(mask[i : i + across, j:].all(axis=0))
    return across, len(rows) if rows.all() else int(np.argmin(rows))


def _garden(boxes: _Boxes, plan: Plan) -> None:
    """What windows look out on: a lawn with a hedge round it."""
    x0, y0, x1, y1 = plan.bounds
    x0, y0, x1, y1 = x0 - _GARDEN, y0 - _GARDEN, x1 + _GARDEN, y1 + _GARDEN
    boxes.add("lawn", (x0, y0, _LAWN[0]), (x1, y1, _LAWN[1]), room="", palette=0)
    t, bottom, top = _HEDGE[0], _LAWN[1], _LAWN[1] + _HEDGE[1]
    for a, b in (
        ((x0, y0), (x1, y0 + t)),
        ((x0, y1 - t), (x1, y1)),
        ((x0, y0 + t), (x0 + t, y1 - t)),
        ((x1 - t, y0 + t), (x1, y1 - t)),
    ):
        boxes.add("hedge", (*a, bottom), (*b, top), room="", palette=0)


def _slabs(boxes: _Boxes, cells: _Cells, index: int, room: PlanRoom, look: Look) -> None:
    for x0, y0, x1, y1 in cells.ground(index):
        boxes.add(
            "floor",
            (x0, y0, -FLOOR_THICKNESS),
            (x1, y1, 0.0),
            room=room.id,
            palette=look.floor(room.type),
        )
        boxes.add(
            "ceiling",
            (x0, y0, CEILING),
            (x1, y1, CEILING + FLOOR_THICKNESS),
            room=room.id,
            palette=look.ceiling,
        )


def _baseboards(boxes: _Boxes, room: PlanRoom, side: Side, look: Look) -> None:
    """Boards along a wall's foot, broken by its doorways."""
    axis: Axis = "x" if side in ("S", "N") else "y"
    inward = 1.0 if side in ("W", "S") else -1.0
    face = room.line(side) + inward * HALF_WALL
    thick, height = _BASEBOARD
    # Boards along y end where those along x begin, so that corners are not doubled.
    trim = HALF_WALL + (0.0 if axis == "x" else thick)
    low, high = room.extent(side)
    at = low + trim
    doorways = sorted((o.a, o.b) for o in room.openings[side] if o.z0 == 0.0)
    for a, b in [*doorways, (high - trim, high)]:
        if a - at > 0.02:
            lower, upper = _along(axis, at, a, face, face + inward * thick, 0.0, height)
            boxes.add("baseboard", lower, upper, room=room.id, palette=look.baseboard)
        at = b


def _frame(boxes: _Boxes, plan: Plan, opening: Opening, look: Look) -> None:
    """A frame that lines the opening and stands a little out of the wall's faces."""
    depth = 2 * (HALF_WALL + _OVERLAP)
    _insert(boxes, plan, opening, "door_frame", depth, look.frame)


def _insert(
    boxes: _Boxes, plan: Plan, opening: Opening, category: str, depth: float, palette: int
) -> None:
    """Fill an opening with one object, whose local X axis is across the wall."""
    middle = (opening.a + opening.b) / 2
    x, y = (middle, opening.line) if opening.axis == "x" else (opening.line, middle)
    boxes.put(
        category,
        (x, y, (opening.z0 + opening.z1) / 2),
        (depth, opening.b - opening.a, opening.z1 - opening.z0),
        room=plan.rooms[opening.rooms[0]].id,
        palette=palette,
        yaw=0.0 if opening.axis == "y" else math.pi / 2,
    )


def _leaf(
    boxes: _Boxes, plan: Plan, opening: Opening, look: Look, rng: np.random.Generator
) -> None:
    """A door, shut or swung into the last of its rooms; the entrance is always shut."""
    jamb = JAMB * (opening.b - opening.a) + 0.004
    width = opening.b - opening.a - 2 * jamb
    height = opening.z1 * (1.0 - _HEAD) - 0.012
    into = plan.rooms[opening.rooms[-1]]
    x0, y0, x1, y1 = into.rect
    inside = (y0 + y1) / 2 if opening.axis == "x" else (x0 + x1) / 2
    side = 1.0 if inside > opening.line else -1.0
    middle = (opening.a + opening.b) / 2
    # Turned by a quarter, the leaf's local Y axis points along -x.
    along = 1.0 if opening.axis == "y" else -1.0
    hinge = opening.hinge * along
    across = opening.line + side * (HALF_WALL + _OVERLAP - _LEAF / 2)
    x, y = (middle, across) if opening.axis == "x" else (across, middle)
    # With the leaf's local X across the wall, this sign moves the free end towards ``side``.
    turn = float(rng.uniform(85.0, 95.0)) if not opening.wide else 178.0
    swing = math.radians(turn) * hinge * side
    boxes.put(
        "door",
        (x, y, 0.008 + height / 2),
        (_LEAF, width, height),
        room=into.id,
        palette=look.door,
        yaw=0.0 if opening.axis == "y" else math.pi / 2,
        state={"open": 0.0, "hinge": hinge, "swing": swing},
    )
    if opening.open:
        boxes.objects[-1] = door_pose(boxes.objects[-1], 1.0)


def door_pose(door: ObjectSpec, opened: float) -> ObjectSpec:
    """The door leaf with another opening: 0 shut, 1 fully open, turned about its hinge.

    A leaf's ``state`` holds ``open``, ``hinge`` (the end of its local Y axis that is hinged: -1
    or 1) and ``swing`` (radians about z from shut to open). ``ValueError`` when it has none.
    """
    missing = [key for key in ("open", "hinge", "swing") if key not in door.state]
    if missing:
        raise ValueError(f"door: expected state {missing}, got {sorted(door.state)}")
    if not 0.0 <= opened <= 1.0:
        raise ValueError(f"opened: expected 0 to 1, got {opened}")
    _, _, qz, qw = door.orientation
    yaw = 2.0 * math.atan2(qz, qw)
    hinge, swing = door.state["hinge"], door.state["swing"]
    # The hinge line is the vertical edge on the side to which the leaf swings, so that an open
    # leaf touches neither the jamb nor the wall.
    arm = (math.copysign(door.scale[0] / 2, swing * hinge), hinge * door.scale[1] / 2)
    new = yaw + (opened - door.state["open"]) * swing
    before, after = _turn(arm, yaw), _turn(arm, new)
    x, y, z = door.position
    position = (x + before[0] - after[0], y + before[1] - after[1], z)
    return door.model_copy(
        update={
            "position": position,
            "orientation": _yaw(new),
            "state": {**door.state, "open": float(opened)},
        }
    )


def _turn(vector: tuple[float, float], angle: float) -> tuple[float, float]:
    c, s = math.cos(angle), math.sin(angle)
    return (c * vector[0] - s * vector[1], s * vector[0] + c * vector[1])
