"""What houses are built of, mirrors, and the robot that walks in them."""

from __future__ import annotations

from esi_fast.assets import palettes
from esi_fast.assets.entries import Entry, structure_row
from esi_fast.assets.families import robots, structure

__all__ = ["BUILDING"]

_WALL_PAINT = palettes.plain("#e9e5dc", "#dfe5e6", "#e6dccb", "#d5dccf", "#e8e2e4", "#cfd6de")
_FLOORING = (
    *palettes.textured(
        "planks",
        0.14,
        ("#b98a56", "#8d6438"),
        ("#8a5a33", "#63401f"),
        ("#d2b084", "#ab8656"),
        gloss=0.2,
    ),
    *palettes.textured("tile", 0.4, ("#d5d0c6", "#a8a296"), ("#aeb2b4", "#84888a"), gloss=0.3),
    *palettes.textured("fabric", 0.02, ("#b9ab98", "#aa9c89")),
)
_HEDGE = palettes.textured("grass", 0.6, ("#4b6b3a", "#35512a"))
_LAWN = palettes.textured("grass", 0.25, ("#5d7f3f", "#46662f"))

BUILDING: dict[str, Entry] = {
    # what houses are built of
    "wall": structure_row(structure.slab, "floor", options={"palette": _WALL_PAINT}),
    "floor": structure_row(structure.slab, "floor", options={"palette": _FLOORING}),
    "lawn": structure_row(structure.slab, "floor", options={"palette": _LAWN}),
    "hedge": structure_row(structure.slab, "floor", options={"palette": _HEDGE}),
    "ceiling": structure_row(structure.slab, "ceiling", options={"palette": palettes.WHITE[:1]}),
    "baseboard": structure_row(structure.slab, "wall", options={"palette": palettes.WHITE}),
    "window": structure_row(structure.window, "wall"),
    "door": structure_row(structure.door, "wall"),
    "door_frame": structure_row(structure.door_frame, "wall"),
    # 1.4 m high; ``ObjectSpec.scale`` makes it as high as the robot of a task
    "robot": Entry(
        robots.robot,
        "structure",
        ("floor",),
        own={"mobile": (0.5, 0.46, 1.4)},
        mass=60.0,
        tags=frozenset({"robot"}),
    ),
    # for questions; ``ObjectSpec.scale`` makes it as steep as they need it
    "ramp": Entry(
        structure.ramp,
        "structure",
        ("floor",),
        options={"cheeks": ("cheeked",)},
        own={"solid": (0.5, 0.4, 0.3), "cheeked": (0.5, 0.4, 0.3)},
        mass=30.0,
        tags=frozenset({"fixed"}),
    ),
    "mirror": Entry(structure.mirror, "mirror", ("floor",), own={"standing": (0.03, 1.0, 1.8)}),
}
