"""Instruments."""

from __future__ import annotations

import numpy as np

from esi_fast.assets import palettes
from esi_fast.assets.sketch import Sketch
from esi_fast.assets.solids import box, collar, cylinder, prism, ring_profile

__all__ = ["guitar", "piano"]


def guitar(sketch: Sketch) -> None:
    """An acoustic guitar lying on its back, its head at +x."""
    x, y, z = sketch.size
    sketch.paint("body", palettes.plain("#c98a45", "#a85f2c", "#7a3f1f"))
    sketch.paint("top", palettes.plain("#e3b878", "#d9a45c", "#c98a45"))
    sketch.paint("neck", palettes.WOOD[3:4] + palettes.WOOD[1:2])
    sketch.paint("dark", palettes.DARK)
    sketch.paint("metal", palettes.CHROME)
    body = 0.48 * x
    deep = 0.86 * z
    half = [
        (0.0, 0.0),
        (0.03, 0.26),
        (0.12, 0.44),
        (0.26, 0.5),
        (0.4, 0.46),
        (0.52, 0.34),
        (0.62, 0.29),
        (0.74, 0.34),
        (0.86, 0.37),
        (0.95, 0.28),
        (1.0, 0.1),
    ]
    right = [(-x / 2 + a * body, -b * y) for a, b in half]
    outline = np.array(right + [(a, -b) for a, b in right[::-1] if b != 0.0])
    inner = outline.mean(axis=0)
    for slot, low, high, scale in (
        ("body", 0.0, 0.9 * deep, 1.0),
        ("top", 0.9 * deep, deep, 0.985),
    ):
        sketch.add(slot, prism(inner + (outline - inner) * scale, high - low).moved(z=low))
    hole = -x / 2 + 0.64 * body
    ring = ring_profile(
        [(0.14 * y, 0), (0.14 * y, 0.012 * z), (0.115 * y, 0.012 * z), (0.115 * y, 0)]
    )
    sketch.add("body", collar(ring).moved(x=hole, z=deep).with_convex(()))
    rose = cylinder(0.115 * y, 0.008 * z, 30).moved(x=hole, z=deep)
    sketch.add("dark", rose.with_convex(()))
    sketch.add("dark", box(0.05 * x, 0.42 * y, 0.05 * z).moved(x=-x / 2 + 0.26 * body, z=deep))
    start, end = hole + 0.09 * y, x / 2 - 0.15 * x
    sketch.add(
        "neck",
        box(end - start, 0.16 * y, 0.16 * z, 0.02 * z).moved(
            x=(start + end) / 2, z=deep - 0.06 * z
        ),
    )
    sketch.add(
        "dark", box(end - start, 0.15 * y, 0.02 * z).moved(x=(start + end) / 2, z=deep + 0.1 * z)
    )
    fret = start + 0.06 * x
    while fret < end - 0.004:
        sketch.add(
            "metal",
            box(0.003, 0.15 * y, 0.012 * z).moved(x=fret, z=deep + 0.115 * z).with_convex(()),
        )
        fret += (end - start) / 13
    head = [
        (end, -0.08 * y),
        (x / 2 - 0.02 * x, -0.13 * y),
        (x / 2, -0.08 * y),
        (x / 2, 0.08 * y),
        (x / 2 - 0.02 * x, 0.13 * y),
        (end, 0.08 * y),
    ]
    sketch.add("neck", prism(head, 0.14 * z).moved(z=deep - 0.04 * z))
    for k in range(3):
        for side in (-1, 1):
            peg = cylinder(0.022 * y, 0.08 * y, 10).turned("x", 90.0)
            at = end + (0.04 + 0.035 * k) * x
            sketch.add("metal", peg.moved(at, side * 0.15 * y + 0.04 * y, deep + 0.02 * z))
    for k in range(6):
        at = (k - 2.5) * 0.022 * y
        string = box(x / 2 + end - 0.26 * body, 0.0014, 0.0014)
        sketch.add(
            "metal",
            string.moved((end - x / 2 + 0.26 * body) / 2, at, deep + 0.125 * z).with_convex(()),
        )
    sketch.add(
        "metal", box(0.01, 0.15 * y, z - deep - 0.1 * z).moved(x=end - 0.01, z=deep + 0.1 * z)
    )


def piano(sketch: Sketch) -> None:
    """An upright piano: case, keyboard with white and black keys, music stand, pedals."""
    x, y, z = sketch.size
    sketch.paint("case", palettes.plain("#1d1a19", "#4a2a1c", "#6b3f24"))
    sketch.paint("white", palettes.plain("#f3efe4"))
    sketch.paint("black", palettes.plain("#131313"))
    sketch.paint("brass", palettes.BRASS[:2])
    deep = 0.56 * x
    key_z = 0.6 * z
    sketch.add("case", box(deep, y, z, 0.01).moved(x=-x / 2 + deep / 2))
    sketch.add(
        "case", box(deep + 0.02, y, 0.03 * z, 0.006).moved(x=-x / 2 + deep / 2 + 0.01, z=0.97 * z)
    )
    front = -x / 2 + deep
    shelf = x - deep
    sketch.add(
        "case", box(shelf, y, 0.09 * z, 0.006).moved(x=front + shelf / 2, z=key_z - 0.09 * z)
    )
    for side in (-1, 1):
        cheek = box(shelf, 0.05 * y, 0.13 * z, 0.006)
        sketch.add("case", cheek.moved(front + shelf / 2, side * 0.475 * y, key_z))
        leg = box(0.16 * shelf, 0.05 * y, key_z - 0.09 * z)
        sketch.add("case", leg.moved(front + 0.85 * shelf, side * 0.475 * y))
        sketch.add(
            "case", box(shelf, 0.06 * y, 0.05 * z, 0.006).moved(front + shelf / 2, side * 0.47 * y)
        )
    keys = 52 if y > 1.2 else 36
    wide = 0.9 * y / keys
    for k in range(keys):
        at = -0.45 * y + (k + 0.5) * wide
        key = box(0.6 * shelf, 0.92 * wide, 0.02 * z).moved(front + 0.52 * shelf, at, key_z)
        sketch.add("white", key.with_convex(()))
        if k % 7 not in (1, 4) and k < keys - 1:
            black = box(0.36 * shelf, 0.5 * wide, 0.02 * z).moved(
                front + 0.4 * shelf, at + wide / 2, key_z + 0.018 * z
            )
            sketch.add("black", black.with_convex(()))
    hull = box(0.58 * shelf, 0.9 * y, 0.02 * z).moved(front + 0.52 * shelf, 0, key_z)
    sketch.add("case", hull.moved(z=-0.004 * z))
    sketch.add("case", box(0.02 * x, 0.9 * y, 0.09 * z).moved(front + 0.2 * shelf, 0, key_z))
    rest = box(0.012, 0.5 * y, 0.17 * z, 0.003).turned("y", -14.0)
    sketch.add("case", rest.moved(front + 0.06 * x, 0, 0.72 * z))
    for k in (-1, 0, 1):
        pedal = box(0.1 * x, 0.025 * y, 0.015 * z, 0.003)
        sketch.add("brass", pedal.moved(front + 0.04 * x, k * 0.05 * y, 0.05 * z))
    sketch.support((-x / 2 + 0.02, -0.45 * y), (front - 0.02, 0.45 * y), z)
