"""Boxes to put things in: open ones, and ones whose lid or flaps are hinged."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from esi_fast.assets import palettes
from esi_fast.assets.labels import panel, printed
from esi_fast.assets.sketch import Sketch
from esi_fast.assets.solids import (
    Solid,
    box,
    collar,
    cylinder,
    ellipsoid,
    open_box,
    rounded_rectangle,
    tube,
)
from esi_fast.geometry.render import Material

__all__ = ["carton", "chest", "crate", "holdall", "tank"]

# Lids open beyond upright, so that they stay open.
_LID = np.deg2rad(100.0)
_FLAP = np.deg2rad(130.0)


def _grip(width: float, reach: float, bar: float) -> Solid:
    """A bow of a handle in the x-y plane: from the plane x = 0 out to ``reach``."""
    t = np.linspace(-np.pi / 2, np.pi / 2, 9)
    path = np.stack([(reach - bar) * np.cos(t) ** 0.6, width / 2 * np.sin(t), 0 * t], axis=1)
    return tube(path, bar, segments=8)


def chest(
    sketch: Sketch,
    *,
    palette: Sequence[Material],
    lid: Sequence[Material] = (),
    share: float = 0.25,
    overhang: float = 0.0,
    soft: float = 0.0,
    wall: float = 0.03,
    strap: Sequence[Material] = (),
    seam: Sequence[Material] = (),
    handle: str = "",
    text: str = "",
    accent: str = "#c8281f",
    picture: str = "none",
    ribbon: Sequence[Material] = (),
) -> None:
    """A box with a lid hinged along its back: chests, kits, gift boxes, suitcases.

    ``share`` of the height is lid, ``overhang`` how far the lid stands over (share of the depth);
    ``soft`` rounds the upright edges; ``handle`` is on the ``top``, in ``front`` or at the
    ``sides``; ``text`` or ``picture`` is printed on the lid.
    """
    x, y, z = sketch.size
    long = min(x, y)
    reach = 0.1 * x if handle == "front" else 0.0
    top = 0.14 * z if handle == "top" else 0.0
    side = 0.05 * y if handle == "sides" else 0.0
    deep, wide, high = x - reach, y - 2 * side, z - top
    over = overhang * deep
    body, cap = (1.0 - share) * high, share * high
    thick, radius = max(wall * long, 0.001), soft * long
    center = -reach / 2
    sketch.paint("body", palette)
    sketch.paint("lid", lid or sketch.color("body", palette))
    trough = open_box(deep - 2 * over, wide - 2 * over, body, thick, radius=radius)
    sketch.add("body", trough.moved(x=center))
    hood = open_box(deep, wide, cap + min(over, 0.5 * body), thick, radius=radius)
    sketch.add("lid", hood.scaled(1.0, 1.0, -1.0).moved(x=center, z=high))
    moving = ["lid"]
    front = center + deep / 2
    if strap:
        sketch.paint("straps", strap)
        for at in (-0.3, 0.3):
            plate = box(deep, 0.06 * wide, 0.02 * z)
            sketch.add("straps", plate.moved(center, at * wide, high - 0.01 * z).with_convex(()))
            face = box(0.01 * x, 0.06 * wide, cap).moved(front, at * wide, high - cap)
            sketch.add("straps", face.with_convex(()))
        moving.append("straps")
        sketch.paint("lock", palettes.BRASS)
        plate = box(0.02 * x, 0.1 * wide, 0.14 * z, 0.004 * x).moved(front, 0, body - 0.09 * z)
        sketch.add("lock", plate)
    if seam:
        sketch.paint("seam", seam)
        edge = [rounded_rectangle(deep * f, wide * f, radius, body - h * z)
                for f, h in ((1.006, 0.035), (1.006, 0.0), (0.98, 0.0), (0.98, 0.035))]  # fmt: skip
        sketch.add("seam", collar(edge, 4).moved(x=center).with_convex(()))
        for at in (-0.32, 0.32):
            latch = box(0.02 * deep, 0.08 * wide, 0.16 * z, 0.004 * deep)
            sketch.add("seam", latch.moved(front, at * wide, body - 0.16 * z))
    if ribbon:
        sketch.paint("ribbon", ribbon)
        # Round the lid only, with a bow on top, so that it opens with it.
        for turn, length, broad in ((0.0, deep, wide), (90.0, wide, deep)):
            band = box(length * 1.004, 0.1 * broad, 0.012 * z).turned("z", turn)
            sketch.add("ribbon", band.moved(x=center, z=high - 0.004 * z).with_convex(()))
        for end in (-1, 1):
            loop = ellipsoid(0.13 * long, 0.07 * long, 0.05 * z, fine=0).turned("z", 45.0 * end)
            sketch.add("ribbon", loop.moved(center, end * 0.1 * wide, high + 0.05 * z))
        sketch.add("ribbon", ellipsoid(0.05 * long, fine=0).moved(x=center, z=high + 0.04 * z))
        moving.append("ribbon")
    if handle:
        sketch.paint("handle", palettes.DARK + palettes.STEEL[:1])
        bar = 0.045 * long if handle != "top" else 0.3 * top
        if handle == "front":
            grip = _grip(0.34 * wide, reach, min(bar, 0.2 * reach + 0.1 * body))
            sketch.add("handle", grip.moved(x=front - 0.002 * x, z=0.7 * body))
        elif handle == "top":
            grip = _grip(0.42 * wide, top, bar).turned("y", -90.0)
            sketch.add("handle", grip.moved(x=center, z=high - 0.02 * z))
            moving.append("handle")
        else:
            for end in (-1, 1):
                grip = _grip(0.4 * deep, side, 0.3 * side).turned("z", 90.0 * end)
                sketch.add("handle", grip.moved(center, end * wide / 2, 0.72 * body))
    if text or picture != "none":
        shape = printed(
            text or " ",
            ground="#f4f1ea",
            accent=accent,
            aspect=0.6 * wide / (0.6 * deep),
            picture=picture,
        )
        sketch.paint("print", shape)
        sheet = panel(0.6 * wide, 0.6 * deep, axis="z", thickness=0.002 * z)
        sketch.add("print", sheet.moved(x=center, z=high))
        moving.append("print")
    sketch.hinge(moving, (center - deep / 2, 0.0, body), "y", -_LID)
    inside = (deep / 2 - over - thick, wide / 2 - over - thick)
    if not top:
        sketch.support((center - inside[0], -inside[1]), (center + inside[0], inside[1]), high)
    sketch.cavity(
        (center - 0.92 * inside[0], -0.92 * inside[1], thick),
        (center + 0.92 * inside[0], 0.92 * inside[1], body),
        rounded=False,
    )


def carton(sketch: Sketch, *, open_top: bool = False, text: str = "") -> None:
    """A cardboard box: two long flaps meet on top and are hinged, or stand open outwards."""
    x, y, z = sketch.size
    board = min(max(0.008 * z, 0.001), 0.004)
    flap = y / 2
    spread = 0.5 * flap if open_top else 0.0
    deep, wide = x, y - 2 * spread
    high = z - (0.2 * z if open_top else board)
    sketch.paint("board", palettes.CARDBOARD)
    shade = palettes.plain("#c9a272", "#d1ad80", "#b78e5e")
    sketch.add("board", open_box(deep, wide, high, board))
    for face, slot in ((-1, "left"), (1, "right")):
        sketch.paint(slot, shade)
        leaf = box(deep, flap * 0.995 - spread, board)
        if open_top:
            up = leaf.moved(y=face * (flap - spread) / 2).turned("x", face * 38.0)
            sketch.add(slot, up.moved(y=face * (wide / 2 - board), z=high))
            continue
        sketch.add(slot, leaf.moved(y=face * flap / 2, z=high))
        sketch.hinge((slot,), (0.0, face * wide / 2, high), "x", -face * _FLAP)
    if not open_top:
        sketch.paint("tape", palettes.plain("#d9c49a", "#8f6b3f"))
        for face in (-1, 1):
            end = box(0.002 * x, 0.1 * y, 0.22 * z).moved(x=face * 0.5 * x, z=0.74 * z)
            sketch.add("tape", end.with_convex(()))
    if text:
        sketch.paint("print", printed(text, ground="#bf9463", aspect=2.4, picture="none"))
        sheet = panel(0.6 * wide, 0.25 * wide).moved(x=x / 2, z=0.35 * high)
        sketch.add("print", sheet)
    sketch.paint("mark", palettes.DARK)
    for at in (0.27, 0.36):
        # Two arrows: this side up.
        stem = box(0.002 * x, 0.02 * wide, 0.12 * z).moved(x / 2, at * wide, 0.1 * z)
        head = cylinder(0.04 * wide, 0.002 * x, 3).turned("y", -90.0)
        sketch.add("mark", stem.with_convex(()))
        sketch.add("mark", head.moved(x / 2 + 0.001 * x, at * wide, 0.22 * z).with_convex(()))
    if not open_top:
        sketch.top(0.01)
    sketch.cavity(
        (-0.47 * deep, -0.47 * wide, board), (0.47 * deep, 0.47 * wide, high), rounded=False
    )


def crate(
    sketch: Sketch,
    *,
    palette: Sequence[Material] = palettes.PLASTIC,
    rim: Sequence[Material] = (),
    flare: float = 1.08,
    slats: bool = False,
    bows: bool = False,
    text: str = "",
) -> None:
    """An open box with a rim: storage boxes, baskets (``slats``), ``bows`` to carry it by."""
    x, y, z = sketch.size
    high = 0.66 * z if bows else z
    sketch.paint("body", palette)
    sketch.paint("rim", rim or sketch.color("body", palette))
    small = min(x, y)
    wall = 0.025 * small
    corner = 0.08 * small
    sketch.add("body", open_box(0.96 * x, 0.96 * y, high, wall, flare=flare, radius=corner))
    inner = (x - 2 * wall - 0.02 * x, y - 2 * wall - 0.02 * y)
    section = ((x, y, 0.9 * high), (x, y, high), (*inner, high), (*inner, 0.9 * high))
    sketch.add("rim", collar([rounded_rectangle(w, d, 1.1 * corner, h) for w, d, h in section], 4))
    if slats:
        sketch.paint("gaps", palettes.plain("#2b2826"))
        for k in range(7):
            at = (k - 3) / 7.6
            low, tall = 0.16 * high, 0.6 * high
            for face in (-1, 1):
                slot = box(0.01 * x, 0.05 * y, tall).turned("y", face * 3.0)
                sketch.add("gaps", slot.moved(face * 0.462 * x, at * y, low).with_convex(()))
                slot = box(0.05 * x, 0.01 * y, tall).turned("x", -face * 3.0)
                sketch.add("gaps", slot.moved(at * x, face * 0.462 * y, low).with_convex(()))
    if bows:
        sketch.paint("bow", palettes.DARK + palettes.CHROME[:1])
        t = np.linspace(0.0, np.pi, 13)
        bar = 0.02 * small
        arch = [0 * t, (y / 2 - 2 * bar) * np.cos(t), high + (z - high - bar) * np.sin(t) ** 0.7]
        sketch.add("bow", tube(np.stack(arch, axis=1), bar, segments=8))
    if text:
        sketch.paint("print", printed(text, ground="#f4f1ea", aspect=2.0, picture="none"))
        sheet = panel(0.4 * y, 0.2 * y).turned("y", 2.0)
        sketch.add("print", sheet.moved(x=0.476 * x, z=0.45 * high - 0.1 * y))
    sketch.cavity((-0.4 * x, -0.4 * y, wall), (0.4 * x, 0.4 * y, high), rounded=False)


def holdall(sketch: Sketch, *, palette: Sequence[Material], handles: bool = True) -> None:
    """An open bag of cloth standing up: a tote or hamper, two loops of strap."""
    x, y, z = sketch.size
    high = 0.64 * z if handles else z
    wall = 0.02 * min(x, y)
    sketch.paint("cloth", palette)
    sketch.add("cloth", open_box(x, y, high, wall, flare=1.12, radius=0.16 * min(x, y)))
    sketch.paint("hem", sketch.color("hem", palettes.CLOTH[::-1]))
    section = [(x, y, 0.93 * high), (x, y, high)]
    inner = [(x - 2 * wall, y - 2 * wall, high), (x - 2 * wall, y - 2 * wall, 0.93 * high)]
    hem = [rounded_rectangle(w, d, 0.16 * min(x, y), h) for w, d, h in section + inner]
    sketch.add("hem", collar(hem, 4))
    if handles:
        t = np.linspace(0.0, np.pi, 15)
        bar = 0.025 * y
        for face in (-1, 1):
            arch = np.stack(
                [
                    face * (0.5 * x - bar - 0.1 * x * np.sin(t)),
                    0.3 * y * np.cos(t),
                    0.86 * high + (z - 0.86 * high - bar) * np.sin(t) ** 0.6,
                ],
                axis=1,
            )
            sketch.add("hem", tube(arch, bar, flat=0.35, segments=8))
    sketch.cavity((-0.36 * x, -0.36 * y, wall), (0.36 * x, 0.36 * y, high), rounded=False)


def tank(sketch: Sketch) -> None:
    """A fish tank: glass walls, dark edges, gravel, plants; open at the top."""
    x, y, z = sketch.size
    wall = 0.02 * min(x, y)
    sketch.paint("glass", palettes.GLASS[:1] + palettes.GLASS[2:3])
    sketch.add("glass", open_box(x, y, z, wall))
    sketch.paint("frame", palettes.DARK)
    for low in (0.0, 0.95 * z):
        for sx in (-1, 1):
            bar = box(1.6 * wall, y, 0.05 * z).moved(x=sx * (x / 2 - 0.8 * wall), z=low)
            sketch.add("frame", bar)
        for sy in (-1, 1):
            bar = box(x, 1.6 * wall, 0.05 * z).moved(y=sy * (y / 2 - 0.8 * wall), z=low)
            sketch.add("frame", bar)
    sketch.paint("gravel", palettes.plain("#b59a70", "#8a8f96", "#c9b28a"))
    sketch.add("gravel", box(0.94 * x, 0.94 * y, 0.1 * z).moved(z=wall))
    sketch.paint("plants", palettes.LEAF)
    rng = sketch.rng("plants")
    for _ in range(9):
        at = (float(rng.uniform(-0.35, 0.35)) * x, float(rng.uniform(-0.4, 0.4)) * y)
        tall = float(rng.uniform(0.3, 0.6)) * z
        bend = 0.06 * y * float(rng.uniform(-1, 1))
        path = [(*at, 0.1 * z), (at[0], at[1] + bend, 0.1 * z + tall / 2), (*at, 0.1 * z + tall)]
        bars = [0.02 * y, 0.016 * y, 0.004 * y]
        sketch.add("plants", tube(path, bars, flat=0.4, segments=6))
    sketch.cavity((-0.44 * x, -0.44 * y, 0.1 * z + wall), (0.44 * x, 0.44 * y, z), rounded=False)
