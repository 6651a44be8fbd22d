"""Procedural furnished houses as plain data.

``house("cottage", 7)`` is the same ``SceneSpec`` on every machine: walls with doors and windows,
floors, ceilings and baseboards, furniture by room type, and lights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from esi_fast import assets
from esi_fast.assets._behavior_plan import BehaviorRoom, behavior_plan, behavior_rooms
from esi_fast.assets._house_bands import MAX_ROOMS, MIN_ROOMS, make_plan
from esi_fast.assets._house_furnish import furnish
from esi_fast.assets._house_lights import LIGHTING, lit
from esi_fast.assets._house_more import leftovers
from esi_fast.assets._house_place import FREE_FLOOR, Placer, Stock
from esi_fast.assets._house_plan import CEILING, Plan
from esi_fast.assets._house_shell import Look, door_pose, shell
from esi_fast.assets._house_walk import clear_ways
from esi_fast.errors import UnknownName
from esi_fast.records import ObjectSpec, RoomSpec, SceneSpec
from esi_fast.seeding import rng

__all__ = [
    "FREE_FLOOR",
    "LIGHTING",
    "MAX_ROOMS",
    "MIN_ROOMS",
    "STYLES",
    "door_pose",
    "house",
    "lit",
    "load",
    "names",
]


@dataclass(frozen=True)
class _Style:
    """What a style is made of: floor textures by group of rooms, and palette offsets."""

    living_floor: tuple[str, ...]
    private_floor: tuple[str, ...]
    wet_floor: tuple[str, ...]
    palettes: tuple[int, ...]


_STYLES: dict[str, _Style] = {
    "modern": _Style(("planks", "wood"), ("planks", "wood"), ("tile",), (0, 1)),
    "classic": _Style(("planks", "wood"), ("fabric", "planks", "wood"), ("tile",), (1, 2, 3)),
    "cottage": _Style(("planks", "wood"), ("fabric", "wood"), ("tile", "checker"), (2, 4)),
}
STYLES: tuple[str, ...] = tuple(_STYLES)

# Palettes of walls and floors repeat after this many.
_WALLS, _FLOORS = 6, 6
# What smaller living rooms keep free, and how much of a list is tried after a room's rule.
_SMALL_FLOOR = (0.9, 1.8)
_MOST_LEFT = 40
_WET = ("kitchen", "bathroom")
_PRIVATE = ("bedroom", "study")


def house(
    name_or_style: str, seed: int, *, rooms: int = 4, unreachable: int | None = None
) -> SceneSpec:
    """A furnished house: a pure function of its arguments.

    ``name_or_style`` is one of ``STYLES`` or any other name, whose style is then drawn. ``rooms``
    is 3 to 12: living room, bedroom and bathroom, then kitchen, dining room, study, corridor, a
    second bedroom and bathroom, pantry, storage room and entryway; at most 12 m across. Doors are
    open or shut; ``RoomSpec.reachable`` says which rooms one can walk to. ``unreachable`` rooms
    (drawn where ``None``: up to a third), never the living room, are behind shut doors.

    The living room keeps a free floor of at least ``FREE_FLOOR`` metres. Movable objects stand at
    zero gap and do not overlap. ``ValueError`` for an empty name or a number out of range.
    """
    if not isinstance(name_or_style, str) or not name_or_style:
        raise ValueError(f"name_or_style: expected a non-empty string, got {name_or_style!r}")
    if isinstance(rooms, bool) or not isinstance(rooms, int):
        raise TypeError(f"rooms: expected an integer, got {type(rooms).__name__}")
    if not MIN_ROOMS <= rooms <= MAX_ROOMS:
        raise ValueError(f"rooms: expected {MIN_ROOMS} to {MAX_ROOMS}, got {rooms}")
    if unreachable is not None and not 0 <= unreachable < rooms:
        raise ValueError(f"unreachable: expected 0 to {rooms - 1}, got {unreachable}")
    path = ("house", name_or_style, seed, rooms)
    draw = rng(*path, "style")
    drawn = STYLES[int(draw.integers(len(STYLES)))]
    style = _STYLES.get(name_or_style, _STYLES[drawn])
    plan = make_plan(rooms, rng(*path, "plan"), unreachable=unreachable)
    scene = SceneSpec(
        name=f"{name_or_style}_{seed}",
        seed=seed,
        rooms=_rooms(plan),
        objects=_filled(plan, style, draw, path, {}),
        provenance=f"esi_fast.assets.houses.house({name_or_style!r}, {seed}, rooms={rooms})",
    )
    return lit(scene, "home")


def names() -> tuple[str, ...]:
    """Names of the BEHAVIOR-1K scenes that ``load`` knows: the houses, flats and hotel rooms."""
    return tuple(behavior_rooms())


def load(name: str, seed: int = 0) -> SceneSpec:
    """A house after a BEHAVIOR-1K scene: an approximation, a pure function of its arguments.

    Rooms have their names, types and true sizes, and lie roughly where they do there. They are
    furnished from their lists of objects, as far as our library has the category and the room
    takes it; doors, windows and places of objects are ours, drawn from ``seed``.
    ``SceneSpec.approximations`` says so with numbers. ``UnknownName`` lists near matches.
    """
    known = behavior_rooms()
    if name not in known:
        raise UnknownName.among(known, "house", name)
    listed = known[name]
    path = ("behavior", name, seed)
    draw = rng(*path, "style")
    style = _STYLES[STYLES[int(draw.integers(len(STYLES)))]]
    plan = behavior_plan(listed, rng(*path, "plan"))
    stocks = {room.id: _stock(room, seed) for room in listed}
    objects = _filled(plan, style, draw, path, stocks)
    wanted = sum(sum(room.objects.values()) for room in listed)
    placed = sum(o.role == "furniture" and o.category != "room_light" for o in objects)
    loose = sum(room.center is None for room in listed)
    scene = SceneSpec(
        name=name,
        seed=seed,
        rooms=_rooms(plan),
        objects=objects,
        provenance=f"esi_fast.assets.houses.load({name!r}, {seed})",
        approximations=(
            f"plan: after BEHAVIOR-1K's {name}; rooms as rectangles of their true size, "
            f"moved until none overlap, {loose} of {len(listed)} without a known place",
            f"objects: {placed} of the {wanted} listed ones, at places of our own",
            "doors and windows: ours; gardens left out",
        ),
    )
    return lit(scene, "home")


def _stock(room: BehaviorRoom, seed: int) -> Stock:
    """What our library has of a room's list; a model that it lacks is replaced by another."""
    draw = rng("behavior", "models", room.id, seed)
    known = set(assets.categories("furniture")) | set(assets.categories("object"))
    models: dict[str, list[str]] = {}
    for name, count in room.objects.items():
        category, model = name.rsplit("-", 1)
        if category in known:
            have = assets.models(category)
            pick = model if model in have else have[int(draw.integers(len(have)))]
            models.setdefault(category, []).extend([pick] * count)
    return Stock(models)


def _filled(
    plan: Plan,
    style: _Style,
    draw: np.random.Generator,
    path: tuple[str | int, ...],
    stocks: Mapping[str, Stock],
) -> tuple[ObjectSpec, ...]:
    """Shell and furniture; a room with a stock gets that, another what suits its type."""
    objects = shell(plan, _look(style, draw), rng(*path, "shell"))
    numbers: dict[str, int] = {}
    for room in plan.rooms:
        placer = Placer(
            room=room,
            rng=rng(*path, "furniture", room.id),
            numbers=numbers,
            palette=_draw(style.palettes, draw),
            stock=stocks.get(room.id),
        )
        if placer.stock is not None:
            placer.free_floor = _SMALL_FLOOR
        furnish(placer)
        leftovers(placer, _MOST_LEFT)
        objects.extend(placer.objects)
    return tuple(clear_ways(plan, objects))


def _rooms(plan: Plan) -> tuple[RoomSpec, ...]:
    return tuple(
        RoomSpec(
            id=r.id,
            type=r.type,
            lower=_xy(r.inner[:2]),
            upper=_xy(r.inner[2:]),
            ceiling_height=CEILING,
            reachable=r.reachable,
        )
        for r in plan.rooms
    )


def _xy(values: tuple[float, ...]) -> tuple[float, float]:
    return (round(values[0], 5), round(values[1], 5))


def _draw(choices: Sequence[int], draw: np.random.Generator) -> int:
    return choices[int(draw.integers(len(choices)))]


def _palettes(category: str, textures: tuple[str, ...]) -> list[int]:
    """Palettes of a structure category with the first of the textures that it comes in."""
    looks = {p: assets.get(category, "box", p).parts[0].material.texture for p in range(_FLOORS)}
    for texture in textures:
        found = [p for p, has in looks.items() if has == texture]
        if found:
            return found
    return list(looks)


def _look(style: _Style, draw: np.random.Generator) -> Look:
    walls = [int(p) for p in draw.permutation(_WALLS)]
    floors = [
        _draw(_palettes("floor", textures), draw)
        for textures in (style.living_floor, style.private_floor, style.wet_floor)
    ]

    def group(kind: str) -> int:
        return 2 if kind in _WET else 1 if kind in _PRIVATE else 0

    return Look(
        wall=lambda kind: walls[group(kind)],
        floor=lambda kind: floors[group(kind)],
        ceiling=0,
        door=_draw(style.palettes, draw),
        frame=0,
        baseboard=0,
    )
