"""Closed vessels: bottles, jars, cans, shakers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from esi_fast.assets import palettes
from esi_fast.assets.families.vessels import add_turned, smooth
from esi_fast.assets.sketch import Sketch
from esi_fast.assets.solids import circle, cylinder, ellipsoid, joined, lathe, loft, outline, tube
from esi_fast.geometry.render import Material

__all__ = ["bottle", "can", "jar", "shaker"]


_BOTTLES = {
    # radius,height in per cent, from foot to mouth
    "wine": outline("94,0 100,2 100,60 86,68 42,78 36,93 42,94 42,100"),
    "beer": outline("94,0 100,2 100,52 88,62 50,78 40,92 44,93 44,100"),
    "water": outline("90,0 100,3 100,22 93,26 100,30 100,68 75,80 42,88 42,90"),
    "soap": outline("92,0 100,3 100,52 86,62 40,68 40,72"),
    "spray": outline("92,0 100,4 100,45 80,58 42,68 40,74"),
}


def bottle(
    sketch: Sketch,
    *,
    style: str,
    palette: Sequence[Material] = palettes.PLASTIC,
    label: bool = True,
) -> None:
    """A bottle by style: wine, beer, water, soap (with pump) or spray (with trigger)."""
    x, y, z = sketch.size
    pumped = style in ("soap", "spray")
    r = (min(x, y) if pumped else max(x, y)) / 2
    outline = [(a * r, b * z) for a, b in _BOTTLES[style]]
    sketch.paint("body", palette)
    caps = palettes.DARK + palettes.BRIGHT[:2] + palettes.WHITE[:1]
    sketch.paint("cap", caps)
    body = lathe(outline)
    stretch = (1.0, 1.0) if pumped else (x / 2 / r, y / 2 / r)
    sketch.add("body", body.scaled(*stretch, 1.0))
    if style == "water":
        cap = cylinder(0.5 * r, 0.1 * z, bevel=0.04 * r).moved(z=0.9 * z)
        sketch.add("cap", cap)
    elif style in ("wine", "beer"):
        foil = lathe([(0.44 * r, 0.86 * z), (0.46 * r, 1.002 * z)])
        sketch.add("cap", foil)
    elif style == "soap":
        sketch.add("cap", cylinder(0.42 * r, 0.08 * z).moved(z=0.71 * z))
        sketch.add("cap", cylinder(0.13 * r, 0.14 * z, 12).moved(z=0.79 * z))
        reach = x - r - 0.25 * r
        sketch.add("cap", cylinder(0.32 * r, 0.07 * z).moved(z=0.93 * z))
        sketch.add(
            "cap",
            tube(
                [(0, 0, 0.965 * z), (0.7 * reach, 0, 0.965 * z), (reach, 0, 0.93 * z)],
                0.13 * r,
            ),
        )
    else:
        neck = cylinder(0.46 * r, 0.07 * z).moved(z=0.73 * z)
        profile = [
            circle((0.36 * r, 0.3 * r), 0.8 * z),
            circle((0.42 * r, 0.34 * r), 0.86 * z, x=0.02 * x),
            circle((0.62 * r, 0.34 * r), 0.93 * z, x=0.06 * x),
            circle((0.55 * r, 0.28 * r), 1.0 * z, x=0.04 * x),
        ]
        nozzle = cylinder(0.2 * r, 0.35 * r, 12).turned("y", 90).moved(x=0.6 * r, z=0.945 * z)
        trigger = tube(
            [(0.5 * r, 0, 0.9 * z), (0.85 * r, 0, 0.82 * z), (0.8 * r, 0, 0.72 * z)],
            [0.16 * r, 0.13 * r, 0.09 * r],
            flat=1.6,
        )
        sketch.add("cap", neck, loft(profile), nozzle, trigger)
    if label:
        sketch.paint("label", palettes.CREAM + palettes.BRIGHT)
        low, high = {
            "wine": (0.16, 0.44),
            "beer": (0.14, 0.4),
            "water": (0.34, 0.6),
        }.get(style, (0.1, 0.42))
        band = lathe([(1.012 * r, low * z), (1.012 * r, high * z)])
        stripe = lathe(
            [
                (1.02 * r, (0.62 * low + 0.38 * high) * z),
                (1.02 * r, (0.45 * low + 0.55 * high) * z),
            ]
        )
        sketch.add("label", band.scaled(*stretch, 1.0))
        sketch.paint("stripe", palettes.BRIGHT[1:] + palettes.DARK[:1])
        sketch.add("stripe", stripe.scaled(*stretch, 1.0))


def jar(sketch: Sketch) -> None:
    """A jar with a screw lid and a full inside (preserves, spice, sweets)."""
    x, y, z = sketch.size
    r = max(x, y) / 2
    outer = [(0.9 * r, 0.0), (r, 0.04 * z), (r, 0.72 * z), (0.82 * r, 0.82 * z)]
    sketch.paint("content", palettes.plain("#a23b2a", "#d49a3a", "#7a4a2a", "#8d9c44", "#e2c9a0"))
    add_turned(sketch, "content", lathe([(a * 0.93, 0.03 * z + b * 0.93) for a, b in outer]))
    sketch.paint("glass", Material(color=(0.95, 0.97, 0.96), kind="glass"))
    add_turned(sketch, "glass", lathe(outer))
    sketch.paint("lid", palettes.BRIGHT + palettes.CHROME)
    add_turned(sketch, "lid", cylinder(0.9 * r, 0.19 * z, 36, bevel=0.03 * r).moved(z=0.81 * z))
    sketch.paint("label", palettes.CREAM)
    add_turned(sketch, "label", lathe([(1.01 * r, 0.2 * z), (1.01 * r, 0.55 * z)]))


def can(sketch: Sketch) -> None:
    """A drinks can: coloured body, necked ends, metal lid."""
    x, y, z = sketch.size
    r = max(x, y) / 2
    sketch.paint("body", palettes.BRIGHT)
    add_turned(sketch, "body", lathe([(r, 0.07 * z), (r, 0.89 * z)]))
    sketch.paint("ends", palettes.CHROME)
    add_turned(sketch, "ends", lathe([(0.82 * r, 0.0), (0.86 * r, 0.02 * z), (r, 0.07 * z)]))
    add_turned(
        sketch,
        "ends",
        lathe(
            [
                (r, 0.89 * z),
                (0.86 * r, 0.97 * z),
                (0.87 * r, z),
                (0.82 * r, z),
                (0.8 * r, 0.985 * z),
            ]
        ),
    )
    tab = joined(
        cylinder(0.3 * r, 0.012 * z, 16).scaled(1.0, 0.7, 1.0).moved(x=-0.15 * r),
        cylinder(0.12 * r, 0.014 * z, 12).moved(x=0.2 * r),
    )
    sketch.add("ends", tab.moved(z=0.985 * z))
    sketch.paint("stripe", palettes.WHITE + palettes.BRIGHT[2:3])
    band = lathe([(1.008 * r, 0.36 * z), (1.008 * r, 0.6 * z)])
    add_turned(sketch, "stripe", band)


def shaker(sketch: Sketch, *, grinder: bool = False) -> None:
    """A salt shaker with a domed metal cap, or a turned pepper mill."""
    x, y, z = sketch.size
    r = max(x, y) / 2
    if grinder:
        sketch.paint("body", palettes.WOOD)
        shape = [
            (0.95, 0),
            (1, 0.03),
            (1, 0.1),
            (0.62, 0.32),
            (0.7, 0.5),
            (0.92, 0.62),
            (0.9, 0.66),
        ]
        add_turned(sketch, "body", lathe(smooth([(a * r, b * z) for a, b in shape], 4)))
        head = [(0.72, 0.66), (0.98, 0.72), (0.95, 0.82), (0.6, 0.9), (0.25, 0.925)]
        add_turned(sketch, "body", lathe(smooth([(a * r, b * z) for a, b in head], 4)))
        sketch.paint("knob", palettes.CHROME)
        sketch.add("knob", ellipsoid(0.25 * r, 0.25 * r, 0.045 * z).moved(z=0.955 * z))
        return
    sketch.paint("body", palettes.WHITE + palettes.CERAMIC[1:4])
    shape = [(0.9, 0), (1, 0.03), (0.86, 0.4), (0.72, 0.7), (0.74, 0.72)]
    add_turned(sketch, "body", lathe([(a * r, b * z) for a, b in shape]))
    sketch.paint("cap", palettes.CHROME)
    dome = [(0.8, 0.7), (0.8, 0.84), (0.7, 0.93), (0.4, 0.985), (0.15, 1.0)]
    add_turned(sketch, "cap", lathe([(a * r, b * z) for a, b in dome]))
    sketch.paint("holes", palettes.DARK)
    for k in range(5):
        t = 2 * np.pi * k / 5
        hole = cylinder(0.07 * r, 0.05 * z, 8).moved(
            0.36 * r * np.cos(t), 0.36 * r * np.sin(t), 0.945 * z
        )
        sketch.add("holes", hole)
