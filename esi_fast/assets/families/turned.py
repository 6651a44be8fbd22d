"""Things of revolution, by table: layers of (material, outline), and vessels by their outline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from esi_fast.assets import palettes
from esi_fast.assets.families.vessels import add_turned, ear_handle, round_cavity, smooth, walls_of
from esi_fast.assets.sketch import Sketch
from esi_fast.assets.solids import Profile, Solid, lathe, outline, tube
from esi_fast.geometry.render import Material

__all__ = ["Layer", "layered", "open_vessel"]

Palette = Sequence[Material]


class Layer(NamedTuple):
    """One material of a turned thing: ``line`` is radius,position in per cent of the box.

    ``soft`` rounds the line; ``flat`` squeezes the section (a blade); ``touch`` off leaves out
    the convex pieces (what is painted on).
    """

    palette: Palette
    line: str
    soft: bool = False
    flat: float = 1.0
    touch: bool = True
    segments: int = 28


def layered(sketch: Sketch, *, layers: Sequence[Layer], lying: bool = False) -> None:
    """Layers on one axis: upright from the bottom, or ``lying`` along x from -x to +x."""
    x, y, z = sketch.size
    long, wide, high = (x, y, z) if lying else (z, x, y)
    for k, layer in enumerate(layers):
        profile: Profile = [(r, p * long) for r, p in outline(layer.line)]
        if layer.soft:
            profile = smooth(profile, 4)
        solid = lathe(profile, layer.segments).scaled(wide / 2, layer.flat * high / 2, 1.0)
        if not layer.touch:
            solid = solid.with_convex(())
        if lying:
            # The axis to +x, the first across to y, the second up.
            solid = solid.turned("y", 90.0).turned("x", 90.0).moved(x=-x / 2, z=high / 2)
        sketch.paint(f"layer{k}", layer.palette)
        sketch.add(f"layer{k}", solid)


def open_vessel(
    sketch: Sketch,
    *,
    line: str,
    palette: Palette = palettes.GLASS,
    wall: float = 0.04,
    floor: float = 0.05,
    soft: bool = True,
    levels: int = 4,
    ear: str = "",
    lip: bool = False,
    trim: Palette = (),
    straw: bool = False,
) -> None:
    """A vessel from its outer ``line``, open at the top, walls of even thickness.

    ``wall`` over the radius, ``floor`` over the height. ``ear`` adds a handle at the back (-x) of
    the long side, a ``loop`` or a ``bar``, and ``lip`` a spout in front; ``trim`` bands below the
    rim.
    """
    x, y, z = sketch.size
    long, short, turn = (x, y, False) if x >= y else (y, x, True)
    ear_room = min(max(long - short, 0.14 * long), 0.42 * long) if ear else 0.0
    body = long - ear_room
    r = body / 2 if ear else max(x, y) / 2
    profile: Profile = [(a * r, b * z) for a, b in outline(line)]
    if soft:
        profile = smooth(profile, 4)
    thick = wall * r
    solid = walls_of(profile, thick, floor * z, levels=levels)
    parts: list[tuple[str, Solid]] = [("body", solid)]
    sketch.paint("body", palette)
    heights, radii = np.array([h for _, h in profile]), np.array([a for a, _ in profile])
    if ear:
        low, high = 0.2 * z, 0.86 * z
        at = float(np.interp([low, high], heights, radii).min())
        grip = (
            ear_handle(0.97 * at, low, high, r + ear_room, 0.05 * short, flat=1.4)
            if ear == "loop"
            else tube(
                [(0.9 * r, 0, 0.86 * z), (r + 0.4 * ear_room, 0, 0.95 * z), (r + ear_room, 0, z)],
                [0.09 * r, 0.07 * r, 0.09 * r],
            )
        )
        parts.append(("body", grip.turned("z", 180.0)))
    if lip:
        rim = float(radii[-1])
        spout = tube(
            [(0.9 * rim, 0, 0.84 * z), (1.06 * rim, 0, 0.93 * z), (1.2 * rim, 0, 0.995 * z)],
            [0.2 * rim, 0.17 * rim, 0.1 * rim],
            segments=12,
            flat=0.5,
        )
        parts.append(("body", spout))
    if trim:
        sketch.paint("trim", trim)
        for level in (0.88, 0.94) if len(trim) > 1 else (0.9,):
            radius = float(np.interp(level * z, heights, radii))
            ring = lathe([(1.01 * radius, level * z), (1.01 * radius, (level + 0.03) * z)])
            parts.append(("trim", _hoop(ring, radius)))
    if straw:
        sketch.paint("straw", palettes.BRIGHT)
        tilt = [(0.15 * r, 0.3 * r, floor * z), (0.6 * r, 0.3 * r, 1.3 * z)]
        parts.append(("straw", tube(tilt, 0.06 * r, segments=8)))
    shift = ear_room / 2
    for slot, part in parts:
        placed = part.moved(x=shift)
        if ear:
            sketch.add(slot, placed.turned("z", 90.0) if turn else placed)
        else:
            add_turned(sketch, slot, part)
    rim_radius = float(radii[-1]) - thick
    inner = 0.7 * min(rim_radius, float(radii[heights > floor * z].min()) - thick)
    if ear:
        at_x, at_y = (0.0, shift) if turn else (shift, 0.0)
        sketch.cavity(
            (at_x - inner, at_y - inner, floor * z), (at_x + inner, at_y + inner, profile[-1][1])
        )
    else:
        round_cavity(sketch, inner, floor * z, profile[-1][1])


def _hoop(band: Solid, radius: float) -> Solid:
    """The outside of a band, as thin as paint."""
    (_, _, low), (_, _, high) = band.bounds()
    outer = float(band.bounds()[1, 0])
    path = [
        (0.99 * radius * np.cos(t), 0.99 * radius * np.sin(t), (low + high) / 2)
        for t in np.linspace(0.0, 2.0 * np.pi, 37)
    ]
    return tube(path, max(outer - 0.99 * radius, (high - low) / 2), segments=6).with_convex(())
