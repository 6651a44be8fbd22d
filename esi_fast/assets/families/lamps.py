"""Lamps, lanterns and candles."""

from __future__ import annotations

import itertools

import numpy as np

from esi_fast.assets import palettes
from esi_fast.assets.sketch import Sketch
from esi_fast.assets.solids import (
    Solid,
    box,
    collar,
    cylinder,
    ellipsoid,
    lathe,
    loft,
    rectangle,
    ring_profile,
    shell,
    tube,
)
from esi_fast.geometry.render import Material

__all__ = ["candle", "candle_holder", "floor_lamp", "lantern", "pendant_lamp", "table_lamp"]


_SHADE = palettes.plain("#efe3c4", "#e8d5b5", "#d9c3a0", "#c8d3d0", "#e3b59a")


def _shade(bottom: float, top: float, height: float) -> Solid:
    """An open lamp shade, standing on z = 0: a thin wall without ends."""
    wall = 0.04 * bottom
    section = [(bottom, 0.0), (top, height), (top - wall, height), (bottom - wall, 0.0)]
    return collar(ring_profile(section))


def table_lamp(sketch: Sketch) -> None:
    """A table lamp: a turned foot under a conical shade."""
    x, y, z = sketch.size
    r = max(x, y) / 2
    stretch = (x / 2 / r, y / 2 / r, 1.0)
    shade = sketch.uniform("shade", 0.42, 0.5) * z
    sketch.paint("shade", _SHADE)
    sketch.add(
        "shade",
        _shade(r, sketch.uniform("top", 0.55, 0.8) * r, shade).scaled(*stretch).moved(z=z - shade),
    )
    sketch.paint("foot", palettes.CERAMIC + palettes.BRASS[:2])
    style = sketch.pick("style", (0, 1))
    belly = (
        [(0.4, 0), (0.42, 0.02), (0.5, 0.12), (0.52, 0.22), (0.34, 0.36), (0.1, 0.44), (0.07, 0.6)]
        if style
        else [
            (0.5, 0),
            (0.5, 0.025),
            (0.12, 0.06),
            (0.08, 0.2),
            (0.14, 0.3),
            (0.07, 0.4),
            (0.07, 0.6),
        ]
    )
    sketch.add("foot", lathe([(a * r, b * z) for a, b in belly]).scaled(*stretch))
    sketch.paint("bulb", palettes.plain("#fff6dc"))
    sketch.add(
        "bulb", ellipsoid(0.17 * r, 0.17 * r, 0.24 * r).scaled(*stretch).moved(z=z - 0.55 * shade)
    )


def floor_lamp(sketch: Sketch) -> None:
    """A standing lamp: round foot, long pole, shade on top."""
    x, y, z = sketch.size
    r = max(x, y) / 2
    stretch = (x / 2 / r, y / 2 / r, 1.0)
    shade = 0.2 * z
    sketch.paint("shade", _SHADE)
    sketch.add("shade", _shade(r, 0.62 * r, shade).scaled(*stretch).moved(z=z - shade))
    sketch.paint("pole", palettes.BRASS + palettes.DARK)
    profile = [
        (0.68 * r, 0),
        (0.68 * r, 0.012 * z),
        (0.09 * r, 0.03 * z),
        (0.055 * r, 0.05 * z),
        (0.055 * r, z - 0.45 * shade),
    ]
    sketch.add("pole", lathe(profile).scaled(*stretch))
    sketch.paint("bulb", palettes.plain("#fff6dc"))
    sketch.add(
        "bulb", ellipsoid(0.2 * r, 0.2 * r, 0.28 * r).scaled(*stretch).moved(z=z - 0.4 * shade)
    )


def pendant_lamp(sketch: Sketch) -> None:
    """A lamp hanging from the ceiling: rose, cord, bell shade, bulb."""
    x, y, z = sketch.size
    r = max(x, y) / 2
    stretch = (x / 2 / r, y / 2 / r, 1.0)
    bell = min(0.4 * z, 1.1 * r)
    sketch.paint("shade", palettes.DARK + palettes.BRIGHT[:2] + palettes.WHITE[:1])
    outer = [(r, 0.0), (0.92 * r, 0.3 * bell), (0.5 * r, 0.8 * bell), (0.12 * r, bell)]
    inner = [
        (0.1 * r, 0.96 * bell),
        (0.46 * r, 0.76 * bell),
        (0.88 * r, 0.28 * bell),
        (0.96 * r, 0.0),
    ]
    shade = collar(ring_profile([*outer, *inner]))
    # The section of the whole bell is not convex, those of its three bands are.
    bands = zip(itertools.pairwise(outer), itertools.pairwise(inner[::-1]), strict=True)
    pieces = [p for (a, b), (c, d) in bands for p in collar(ring_profile([a, b, d, c])).convex]
    sketch.add("shade", shade.with_convex(pieces).scaled(*stretch))
    sketch.paint("cord", palettes.DARK)
    sketch.add("cord", cylinder(0.02 * r, z - bell, 8).scaled(*stretch).moved(z=0.97 * bell))
    sketch.add(
        "cord",
        cylinder(0.2 * r, 0.03 * z, 20, top=0.1 * r).turned("x", 180.0).scaled(*stretch).moved(z=z),
    )
    sketch.paint("bulb", palettes.plain("#fff6dc"))
    sketch.add("bulb", ellipsoid(0.2 * r, 0.2 * r, 0.26 * r).scaled(*stretch).moved(z=0.3 * bell))


def lantern(sketch: Sketch) -> None:
    """A lantern: four glass panes in a frame, a candle inside, a roof with a ring."""
    x, y, z = sketch.size
    body, base, roof = 0.56 * z, 0.08 * z, 0.18 * z
    sketch.paint("frame", palettes.DARK + palettes.BRASS[:1] + palettes.WHITE[:1])
    sketch.add("frame", box(x, y, base, 0.01 * z))
    sketch.add(
        "frame", box(0.94 * x, 0.94 * y, 0.04 * z, 0.005 * z).moved(z=base + body - 0.02 * z)
    )
    post = 0.06 * min(x, y)
    for sx in (-1, 1):
        for sy in (-1, 1):
            sketch.add("frame", box(post, post, body).moved(sx * 0.42 * x, sy * 0.42 * y, base))
    section = [rectangle(0.94 * x, 0.94 * y, 0.0), rectangle(0.3 * x, 0.3 * y, roof)]
    sketch.add("frame", loft(section).moved(z=base + body + 0.018 * z))
    t = np.linspace(0, 2 * np.pi, 25)
    radius = (z - base - body - roof - 0.01 * z) / 2
    loop = np.stack(
        [0 * t, 1.2 * radius * np.cos(t), z - radius - 0.02 * z + radius * np.sin(t)], axis=1
    )
    sketch.add("frame", tube(loop, 0.1 * radius + 0.002, segments=8, group=2))
    sketch.paint("glass", Material(color=(0.96, 0.98, 0.97), kind="glass", ior=1.05))
    for side in (-1, 1):
        sketch.add(
            "glass",
            box(0.01 * x, 0.84 * y - post, body - 0.02 * z).moved(x=side * 0.42 * x, z=base),
        )
        sketch.add(
            "glass",
            box(0.84 * x - post, 0.01 * y, body - 0.02 * z).moved(y=side * 0.42 * y, z=base),
        )
    sketch.paint("wax", palettes.WAX)
    sketch.add("wax", cylinder(0.18 * min(x, y), 0.45 * body, 20).moved(z=base))


def candle(sketch: Sketch) -> None:
    """A pillar candle with a wick, its top melted hollow."""
    x, y, z = sketch.size
    r = max(x, y) / 2
    body = 0.93 * z
    sketch.paint("wax", palettes.WAX)
    outer = ring_profile([(r, 0.0), (r, 0.985 * body), (0.97 * r, body)])
    inner = ring_profile(
        [(0.86 * r, 0.995 * body), (0.6 * r, body - 0.1 * r), (0.2 * r, body - 0.13 * r)]
    )
    wax = shell(outer, inner)
    sketch.add(
        "wax",
        wax.with_convex(lathe([(r, 0.0), (r, 0.985 * body), (0.9 * r, body)]).convex).scaled(
            x / 2 / r, y / 2 / r, 1.0
        ),
    )
    sketch.paint("wick", palettes.plain("#2a2420"))
    sketch.add(
        "wick",
        tube(
            [(0, 0, body - 0.2 * r), (0, 0, 0.97 * z), (0.05 * r, 0, z)],
            0.05 * r + 0.0006,
            segments=6,
        ),
    )


def candle_holder(sketch: Sketch) -> None:
    """A candlestick with a slim candle."""
    x, y, z = sketch.size
    r = max(x, y) / 2
    sketch.paint("metal", palettes.BRASS + palettes.CHROME)
    tall = 0.62 * z
    profile = [
        (1, 0),
        (1, 0.02),
        (0.9, 0.05),
        (0.3, 0.12),
        (0.2, 0.2),
        (0.34, 0.3),
        (0.2, 0.42),
        (0.16, 0.75),
        (0.3, 0.88),
        (0.5, 0.94),
        (0.5, 1),
    ]
    stick = lathe([(a * r, b * tall) for a, b in profile])
    sketch.add("metal", stick.scaled(x / 2 / r, y / 2 / r, 1.0))
    sketch.paint("wax", palettes.WAX)
    sketch.add(
        "wax", lathe([(0.27 * r, 0.98 * tall), (0.24 * r, 0.95 * z), (0.14 * r, 0.965 * z)], 20)
    )
    sketch.paint("wick", palettes.plain("#2a2420"))
    sketch.add("wick", cylinder(0.03 * r + 0.0005, 0.06 * z, 6).moved(z=0.94 * z))
