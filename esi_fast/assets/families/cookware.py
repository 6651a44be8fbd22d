"""Tea pots, kettles and pans."""

from __future__ import annotations

import numpy as np

from esi_fast.assets import palettes
from esi_fast.assets.families.vessels import ear_handle, long_axis, smooth
from esi_fast.assets.sketch import Sketch
from esi_fast.assets.solids import ellipsoid, joined, lathe, tube, vessel

__all__ = ["pan", "pot_with_spout"]


def pot_with_spout(sketch: Sketch, *, kettle: bool = False) -> None:
    """A teapot (ear at the back) or kettle (bail over the lid), spout towards the long side."""
    long, short, turn = long_axis(sketch)
    z = sketch.size[2]
    r = short / 2
    body_top = (0.62 if kettle else 0.8) * z
    if kettle:
        shape = [(0.95, 0), (1.0, 0.06), (0.96, 0.4), (0.74, 0.8), (0.45, 1.0)]
        sketch.paint("body", palettes.CHROME + palettes.BRIGHT[:2] + palettes.CREAM[:1])
    else:
        shape = [(0.55, 0), (0.85, 0.14), (1.0, 0.42), (0.86, 0.74), (0.48, 1.0)]
        sketch.paint("body", palettes.CERAMIC)
    body = lathe(smooth([(a * r, b * body_top) for a, b in shape], 5))
    # Spout and ear share what the box leaves beside the body: most of it is spout.
    left = long - short
    shift = -0.06 * left if not kettle else -0.5 * left
    front = long / 2 - shift
    knob_bar = 0.1 * r
    gauge = min(r, 0.8 * body_top)
    spout = tube(
        [
            (0.78 * r, 0, 0.3 * body_top),
            (0.62 * r + 0.38 * front, 0, 0.42 * body_top),
            (0.3 * r + 0.72 * front, 0, 0.75 * body_top),
            (front - 0.08 * r, 0, 1.02 * body_top),
        ],
        [0.3 * gauge, 0.23 * gauge, 0.15 * gauge, 0.12 * gauge],
        segments=14,
    )
    solids = [body, spout]
    lid = lathe(
        smooth(
            [
                (0.5 * r, 0.98 * body_top),
                (0.42 * r, 1.04 * body_top),
                (0.1 * r, 1.09 * body_top),
            ],
            3,
        )
    )
    if kettle:
        t = np.linspace(0.0, np.pi, 13)
        path = np.stack(
            [
                0.72 * r * np.cos(t),
                0 * t,
                0.8 * body_top + (0.96 * z - 0.8 * body_top) * np.sin(t) ** 0.8,
            ],
            axis=1,
        )
        sketch.paint("handle", palettes.DARK)
        handle = tube(path, 0.085 * r, flat=1.4, group=2)
        knob = ellipsoid(0.12 * r, 0.12 * r, 0.1 * r).moved(z=1.13 * body_top)
    else:
        sketch.paint("handle", sketch.color("body", palettes.CERAMIC))
        back = ear_handle(
            0.9 * r,
            0.25 * body_top,
            0.88 * body_top,
            long / 2 + shift,
            knob_bar,
            flat=1.2,
        )
        handle = back.turned("z", 180.0)
        knob = ellipsoid(0.14 * r, 0.14 * r, 0.5 * (z - 1.08 * body_top)).moved(
            z=z - 0.5 * (z - 1.08 * body_top)
        )
    for slot, solid in (
        ("body", joined(*solids, lid)),
        ("handle", joined(handle, knob)),
    ):
        solid = solid.moved(x=shift)
        sketch.add(slot, solid.turned("z", 90.0) if turn else solid)


def pan(sketch: Sketch, *, handles: int, deep: bool) -> None:
    """An open saucepan or frying pan (one long handle along x) or stock pot (two ears along y)."""
    x, y, z = sketch.size
    metal = palettes.STEEL if deep else palettes.DARK
    sketch.paint("body", metal)
    if handles == 1:
        r = y / 2
        height = (0.86 if deep else 0.62) * z
        foot = (0.97 if deep else 0.78) * r
        wall = 0.03 * r
        outer = [(foot * 0.95, 0.0), (foot, 0.05 * height), (r, height)]
        inner = [(r - wall, height), (foot - wall, 0.06 * height)]
        center = -x / 2 + r
        sketch.add("body", vessel(outer, inner).moved(x=center))
        sketch.paint("handle", palettes.DARK + palettes.WOOD[3:4])
        start = center + 0.97 * r
        rest = x / 2 - start
        path = [
            (start, 0, 0.85 * height),
            (start + 0.25 * rest, 0, 0.93 * height + 0.15 * (z - height)),
            (start + 0.95 * rest, 0, z - 0.06 * r),
        ]
        sketch.add("handle", tube(path, [0.07 * r, 0.07 * r, 0.1 * r], flat=0.6, segments=12))
        sketch.cavity(
            (center - 0.7 * foot, -0.7 * foot, 0.06 * height),
            (center + 0.7 * foot, 0.7 * foot, height),
        )
        return
    r = x / 2
    wall = 0.03 * r
    outer = [(0.97 * r, 0), (r, 0.03 * z), (r, 0.97 * z), (1.02 * r, 0.98 * z), (1.02 * r, z)]
    sketch.add("body", vessel(outer, [(r - wall, z), (r - wall, 0.05 * z)]))
    sketch.cavity((-0.9 * r, -0.9 * r, 0.05 * z), (0.9 * r, 0.9 * r, z))
    sketch.paint("handle", palettes.DARK + palettes.CHROME[:1])
    for side in (90.0, -90.0):
        t = np.linspace(-1.0, 1.0, 9) * 0.5 * np.pi
        reach = y / 2 - r
        loop = np.stack(
            [
                0.96 * r + (reach - 0.02 * r) * np.cos(t) ** 0.5,
                0.3 * r * np.sin(t),
                np.full(9, 0.78 * z),
            ],
            axis=1,
        )
        sketch.add("handle", tube(loop, 0.05 * r, segments=8).turned("z", side))
