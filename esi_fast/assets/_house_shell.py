"""The shell of a house: walls, floors, ceilings, doors, windows and baseboards as boxes.

Every room brings its own wall panels, half the wall's thickness towards a neighbour and the whole
towards outside, so that each room has its own colour and no two boxes overlap.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from esi_fast.assets._house_plan import CEILING, HALF_WALL, SIDES, Opening, Plan, PlanRoom, Side
from esi_fast.records import ObjectSpec

__all__ = ["Look", "door_pose", "shell"]

FLOOR_THICKNESS = 0.1
_JAMB, _HEAD = 0.06, 0.035  # boards of the door frame, as fractions of its width and height
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
    axis: Literal["x", "y"], a: float, b: float, c: float, d: float, z0: float, z1: float
) -> tuple[Vec3, Vec3]:
    """Corners of a box from ``a`` to ``b`` along a wall and ``c`` to ``d`` across it."""
    c, d = min(c, d), max(c, d)
    return ((a, c, z0), (b, d, z1)) if axis == "x" else ((c, a, z0), (d, b, z1))


def shell(plan: Plan, look: Look, rng: np.random.Generator) -> list[ObjectSpec]:
    """All structure objects of the plan; doors between rooms are open or shut by chance."""
    boxes = _Boxes()
    _garden(boxes, plan)
    for room in plan.rooms:
        _slabs(boxes, room, look)
        for side in SIDES:
            _wall(boxes, room, side, look)
    for opening in plan.openings:
        if opening.kind == "window":
            _insert(boxes, plan, opening, "window", _SASH, look.frame)
        else:
            _frame(boxes, plan, opening, look)
            if opening.kind != "passage":
                _leaf(boxes, plan, opening, look, rng)
    return boxes.objects


def _garden(boxes: _Boxes, plan: Plan) -> None:
    """What windows look out on: a lawn with a hedge round it."""
    width, depth = plan.size
    low, x, y = -_GARDEN, width + _GARDEN, depth + _GARDEN
    boxes.add("lawn", (low, low, _LAWN[0]), (x, y, _LAWN[1]), room="", palette=0)
    t, bottom, top = _HEDGE[0], _LAWN[1], _LAWN[1] + _HEDGE[1]
    for a, b in (
        ((low, low), (x, low + t)),
        ((low, y - t), (x, y)),
        ((low, low + t), (low + t, y - t)),
        ((x - t, low + t), (x, y - t)),
    ):
        boxes.add("hedge", (*a, bottom), (*b, top), room="", palette=0)


def _slabs(boxes: _Boxes, room: PlanRoom, look: Look) -> None:
    x0, y0, x1, y1 = room.rect
    x0, y0 = x0 - room.outer("W"), y0 - room.outer("S")
    x1, y1 = x1 + room.outer("E"), y1 + room.outer("N")
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


def _wall(boxes: _Boxes, room: PlanRoom, side: Side, look: Look) -> None:
    axis: Literal["x", "y"] = "x" if side in ("S", "N") else "y"
    inward = 1.0 if side in ("W", "S") else -1.0
    line = room.line(side)
    face = line + inward * HALF_WALL
    back = line - inward * room.outer(side)
    x0, y0, x1, y1 = room.rect
    if axis == "x":  # these reach over the corners, the others fit between them
        low, high = x0 - room.outer("W"), x1 + room.outer("E")
        inner = (x0 + HALF_WALL, x1 - HALF_WALL)
    else:
        low, high = inner = (y0 + HALF_WALL, y1 - HALF_WALL)

    def panel(a: float, b: float, z0: float, z1: float) -> None:
        if b - a > 1e-6 and z1 - z0 > 1e-6:
            lower, upper = _along(axis, a, b, back, face, z0, z1)
            boxes.add("wall", lower, upper, room=room.id, palette=look.wall(room.type))

    def baseboard(a: float, b: float) -> None:
        if b - a > 0.02:
            thick, height = _BASEBOARD
            lower, upper = _along(axis, a, b, face, face + inward * thick, 0.0, height)
            boxes.add("baseboard", lower, upper, room=room.id, palette=look.baseboard)

    at, board_at = low, inner[0]
    # Boards along y end where those along x begin, so that corners are not doubled.
    trim = 0.0 if axis == "x" else _BASEBOARD[0]
    board_at += trim
    for opening in sorted(room.openings[side], key=lambda o: o.a):
        panel(at, opening.a, 0.0, CEILING)
        panel(opening.a, opening.b, 0.0, opening.z0)
        panel(opening.a, opening.b, opening.z1, CEILING)
        at = opening.b
        if opening.z0 == 0.0:
            baseboard(board_at, opening.a)
            board_at = opening.b
    panel(at, high, 0.0, CEILING)
    baseboard(board_at, inner[1] - trim)


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
    """A door, shut or swung into the second of its rooms; the entrance is always shut."""
    jamb = _JAMB * (opening.b - opening.a) + 0.004
    width = opening.b - opening.a - 2 * jamb
    height = opening.z1 * (1.0 - _HEAD) - 0.012
    into = plan.rooms[opening.rooms[-1]]
    x0, y0, x1, y1 = into.rect
    inside = (y0 + y1) / 2 if opening.axis == "x" else (x0 + x1) / 2
    side = 1.0 if inside > opening.line else -1.0
    low, high = (x0, x1) if opening.axis == "x" else (y0, y1)
    # The hinge is on the side of the nearer corner: an open leaf rests along that wall.
    middle = (opening.a + opening.b) / 2
    at_low = middle < (low + high) / 2
    # Turned by a quarter, the leaf's local Y axis points along -x.
    along = 1.0 if opening.axis == "y" else -1.0
    hinge = (-1.0 if at_low else 1.0) * along
    across = opening.line + side * (HALF_WALL + _OVERLAP - _LEAF / 2)
    x, y = (middle, across) if opening.axis == "x" else (across, middle)
    # With the leaf's local X across the wall, this sign moves the free end towards ``side``.
    swing = math.radians(float(rng.uniform(85.0, 95.0))) * hinge * side
    is_open = opening.kind == "door" and rng.random() < 0.75
    boxes.put(
        "door",
        (x, y, 0.008 + height / 2),
        (_LEAF, width, height),
        room=into.id,
        palette=look.door,
        yaw=0.0 if opening.axis == "y" else math.pi / 2,
        state={"open": 0.0, "hinge": hinge, "swing": swing},
    )
    if is_open:
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
