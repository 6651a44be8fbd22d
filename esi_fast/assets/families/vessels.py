"""Vessels and other turned things: cups, bowls, vases, bottles, jars, pots, plates."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from esi_fast.assets import palettes
from esi_fast.assets.sketch import Sketch
from esi_fast.assets.solids import (
    Profile,
    Solid,
    circle,
    collar,
    cylinder,
    ellipsoid,
    joined,
    lathe,
    loft,
    outline,
    ring_profile,
    tube,
    vessel,
)
from esi_fast.geometry.render import Material

__all__ = [
    "bottle",
    "bowl",
    "bucket",
    "can",
    "cup",
    "drinking_glass",
    "jar",
    "pan",
    "plate",
    "pot_with_spout",
    "shaker",
    "stemware",
    "trophy",
    "vase",
    "walls_of",
]


def smooth(points: Profile, per: int = 4) -> list[tuple[float, float]]:
    """A Catmull-Rom curve through ``(radius, z)`` points, rising throughout."""
    p = np.asarray(points, float)
    p = np.concatenate([2 * p[:1] - p[1:2], p, 2 * p[-1:] - p[-2:-1]])
    t = np.arange(per)[:, None] / per
    curve = [
        0.5
        * (
            2 * b
            + (c - a) * t
            + (2 * a - 5 * b + 4 * c - d) * t**2
            + (3 * b - a - 3 * c + d) * t**3
        )
        for a, b, c, d in zip(p[:-3], p[1:-2], p[2:-1], p[3:], strict=True)
    ]
    line = np.concatenate([*curve, p[-2:-1]])
    line[:, 1] = np.maximum.accumulate(line[:, 1])
    keep = np.concatenate([[True], np.diff(line[:, 1]) > 1e-9])
    return [(float(max(r, 1e-4)), float(z)) for r, z in line[keep]]


def walls_of(
    outer: Profile,
    thickness: float,
    floor: float,
    *,
    levels: int = 4,
    segments: int = 36,
) -> Solid:
    """An open vessel of revolution from its outer profile, with walls of even thickness.

    The convex wall pieces span at most ``levels`` bands, enough for bellies and waists.
    """
    heights = np.array([z for _, z in outer])
    radii = np.array([r for r, _ in outer])

    def inside(z: float) -> tuple[float, float]:
        return (max(float(np.interp(z, heights, radii)) - thickness, 1e-3), z)

    inner = [inside(z) for z in heights[::-1] if z > floor + 1e-6] + [inside(floor)]
    fine = vessel(outer, inner, segments)
    knots = np.linspace(floor, heights[-1], levels + 1)
    coarse = vessel(outer, [inside(float(z)) for z in knots[::-1]], segments)
    return fine.with_convex(coarse.convex)


def _long_axis(sketch: Sketch) -> tuple[float, float, bool]:
    """Long and short horizontal extent, and whether the long one is y."""
    x, y, _ = sketch.size
    return (x, y, False) if x >= y else (y, x, True)


def _ear(
    radius: float,
    low: float,
    high: float,
    reach: float,
    bar: float,
    *,
    flat: float = 1.5,
) -> Solid:
    """A handle on the +x side of a wall at ``radius``, reaching out to ``reach``."""
    t = np.linspace(-1.0, 1.0, 11) * 0.5 * np.pi
    middle, half = (low + high) / 2, (high - low) / 2
    span = reach - radius - bar
    path = np.stack(
        [
            radius - 0.4 * bar + (span + 0.4 * bar) * np.cos(t) ** 0.7,
            np.zeros(11),
            middle + half * np.sin(t),
        ],
        axis=1,
    )
    return tube(path, bar, flat=flat, segments=10, group=2)


def cup(sketch: Sketch, *, taper: float = 1.0, saucer: bool = False) -> None:
    """A mug, coffee cup or tea cup: walls, floor and an ear on the long side."""
    long, short, turn = _long_axis(sketch)
    z = sketch.size[2]
    r = short / 2
    foot = r * (taper if taper < 1.0 else sketch.pick("foot", (0.92, 0.97, 0.85)))
    wall = 0.055 * short
    if taper < 1.0:
        outer = smooth([(foot, 0.0), (foot * 1.05, 0.05 * z), (0.88 * r, 0.45 * z), (r, z)])
    else:
        outer = [
            (foot * 0.94, 0.0),
            (foot, 0.04 * z),
            (r, 0.25 * z),
            (r, 0.97 * z),
            (r - 0.15 * wall, z),
        ]
    sketch.paint("body", palettes.CERAMIC)
    body = walls_of(outer, wall, 0.07 * z, levels=1 if taper >= 1.0 else 2)
    ear = _ear(
        r * (0.9 if taper < 1 else 0.99),
        0.22 * z,
        0.82 * z,
        r + (long - short),
        0.05 * short,
    )
    parts = joined(body.moved(x=-(long - short) / 2), ear.moved(x=-(long - short) / 2))
    sketch.add("body", parts.turned("z", 90.0) if turn else parts)
    # What is inside a cup is darker than its wall; coffee level is not modelled.
    inner = r - wall
    middle = (0.0, -(long - short) / 2) if turn else (-(long - short) / 2, 0.0)
    sketch.cavity(
        (middle[0] - 0.8 * inner, middle[1] - 0.8 * inner, 0.07 * z),
        (middle[0] + 0.8 * inner, middle[1] + 0.8 * inner, z),
    )


def _turned(sketch: Sketch, slot: str, solid: Solid) -> None:
    """Adds a turned solid, stretched from round to the (nearly square) box."""
    x, y, _ = sketch.size
    r = max(x, y)
    sketch.add(slot, solid.scaled(x / r, y / r, 1.0))


def _round_cavity(sketch: Sketch, radius: float, floor: float, rim: float) -> None:
    sketch.cavity((-radius, -radius, floor), (radius, radius, rim))


def bowl(sketch: Sketch, *, palette: Sequence[Material] = palettes.CERAMIC) -> None:
    """A bowl on a small foot."""
    x, y, z = sketch.size
    r = max(x, y) / 2
    foot = sketch.uniform("foot", 0.42, 0.55) * r
    belly = sketch.uniform("belly", 0.74, 0.84)
    outer = smooth(
        [
            (foot, 0.0),
            (foot, 0.05 * z),
            (belly * r, 0.36 * z),
            (0.95 * r, 0.72 * z),
            (r, z),
        ]
    )
    sketch.paint("body", palette)
    wall = max(0.02 * r, 0.002)
    _turned(sketch, "body", walls_of(outer, wall, 0.1 * z, levels=4))
    _round_cavity(sketch, foot, 0.1 * z, z)


def plate(sketch: Sketch) -> None:
    """A plate: a flat well and a raised rim."""
    x, y, z = sketch.size
    r = max(x, y) / 2
    wall = 0.2 * z
    outer = [(0.62 * r, 0.0), (0.68 * r, 0.25 * z), (r, 0.9 * z), (0.995 * r, z)]
    inner = [(0.985 * r, z), (0.66 * r, 0.25 * z + wall), (0.6 * r, 0.12 * z + wall)]
    sketch.paint("body", palettes.WHITE + palettes.CERAMIC[1:5])
    body = vessel(outer, inner)
    _turned(sketch, "body", body)
    sketch.paint("band", sketch.color("band", palettes.CERAMIC[1:6]))
    # Painted on: a flat ring that follows the slope of the rim just above it.
    slope = [(a * r, (0.45 + (a - 0.66) / 0.325 * 0.55) * z) for a in (0.8, 0.86)]
    (low, z0), (high, z1) = slope
    paint = 0.015 * z
    section = [(high, z1 - paint), (high, z1 + paint), (low, z0 + paint), (low, z0 - paint)]
    _turned(sketch, "band", collar(ring_profile(section)).with_convex(()))
    sketch.support((-0.4 * r, -0.4 * r), (0.4 * r, 0.4 * r), 0.12 * z + wall)


def vase(sketch: Sketch) -> None:
    """A vase: belly, shoulder, neck and lip in one of several classic outlines."""
    x, y, z = sketch.size
    r = max(x, y) / 2
    shape = sketch.pick(
        "shape",
        (
            (
                (0.55, 0),
                (0.85, 0.16),
                (1.0, 0.38),
                (0.72, 0.66),
                (0.42, 0.84),
                (0.55, 1),
            ),
            ((0.5, 0), (0.62, 0.2), (0.86, 0.5), (1.0, 0.72), (0.66, 0.9), (0.62, 1)),
            ((0.6, 0), (0.95, 0.14), (1.0, 0.28), (0.5, 0.52), (0.36, 0.74), (0.6, 1)),
            ((0.62, 0), (0.66, 0.2), (0.72, 0.45), (0.8, 0.7), (0.92, 0.9), (1.0, 1)),
        ),
    )
    outer = smooth([(a * r, b * z) for a, b in shape], 5)
    sketch.paint("body", palettes.CERAMIC + palettes.TERRACOTTA[:3])
    wall = 0.06 * r
    _turned(sketch, "body", walls_of(outer, wall, 0.05 * z, levels=5))
    _round_cavity(sketch, 0.3 * r, 0.05 * z, z)


def stemware(sketch: Sketch, *, metal: bool = False) -> None:
    """A wine glass or goblet: foot, stem, bowl."""
    x, y, z = sketch.size
    r = max(x, y) / 2
    stem, bottom = 0.09 * r, sketch.uniform("stem", 0.4, 0.48) * z
    lip = sketch.uniform("lip", 0.78, 0.92) * r
    bowl_outer = smooth(
        [
            (stem, bottom),
            (0.62 * r, bottom + 0.08 * z),
            (0.98 * r, bottom + 0.24 * z),
            (lip, z),
        ],
        5,
    )
    foot_radius = 0.9 * r
    outer = [
        (foot_radius, 0.0),
        (foot_radius, 0.012 * z),
        (0.3 * r, 0.035 * z),
        (stem, 0.08 * z),
        *bowl_outer,
    ]
    wall = 0.035 * r if not metal else 0.07 * r
    floor = bottom + 0.05 * z
    heights = np.array([b for _, b in bowl_outer])
    radii = np.array([a for a, _ in bowl_outer])
    levels = [float(v) for v in np.linspace(z, floor, 9)]
    inner = [(max(float(np.interp(v, heights, radii)) - wall, 0.002), v) for v in levels]
    inner[-1] = (0.3 * inner[-2][0], floor)
    fine = vessel(outer, inner)
    coarse = vessel(outer, inner[::2])
    sketch.paint("body", palettes.BRASS if metal else palettes.GLASS)
    _turned(sketch, "body", fine.with_convex(coarse.convex))
    _round_cavity(sketch, 0.5 * lip, floor, z)


def drinking_glass(sketch: Sketch) -> None:
    """A tumbler of clear glass."""
    x, y, z = sketch.size
    r = max(x, y) / 2
    foot = sketch.uniform("foot", 0.74, 0.95) * r
    wall = max(0.045 * r, 0.0015)
    outer = [(foot, 0.0), (foot + 0.02 * r, 0.03 * z), (r, z)]
    inner = [(r - wall, z), (foot + 0.02 * r - wall, 0.1 * z), (0.8 * foot, 0.075 * z)]
    sketch.paint("body", palettes.GLASS)
    _turned(sketch, "body", vessel(outer, inner))
    _round_cavity(sketch, foot - wall, 0.1 * z, z)


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
    _cap_palette = palettes.DARK + palettes.BRIGHT[:2] + palettes.WHITE[:1]
    sketch.paint("cap", _cap_palette)
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
    _turned(sketch, "content", lathe([(a * 0.93, 0.03 * z + b * 0.93) for a, b in outer]))
    sketch.paint("glass", Material(color=(0.95, 0.97, 0.96), kind="glass"))
    _turned(sketch, "glass", lathe(outer))
    sketch.paint("lid", palettes.BRIGHT + palettes.CHROME)
    _turned(sketch, "lid", cylinder(0.9 * r, 0.19 * z, 36, bevel=0.03 * r).moved(z=0.81 * z))
    sketch.paint("label", palettes.CREAM)
    _turned(sketch, "label", lathe([(1.01 * r, 0.2 * z), (1.01 * r, 0.55 * z)]))


def can(sketch: Sketch) -> None:
    """A drinks can: coloured body, necked ends, metal lid."""
    x, y, z = sketch.size
    r = max(x, y) / 2
    sketch.paint("body", palettes.BRIGHT)
    _turned(sketch, "body", lathe([(r, 0.07 * z), (r, 0.89 * z)]))
    sketch.paint("ends", palettes.CHROME)
    _turned(sketch, "ends", lathe([(0.82 * r, 0.0), (0.86 * r, 0.02 * z), (r, 0.07 * z)]))
    _turned(
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
    _turned(sketch, "stripe", band)


def bucket(sketch: Sketch, *, palette: Sequence[Material] = palettes.PLASTIC) -> None:
    """A flared pail with a rolled rim and a bail lying on the rim."""
    x, y, z = sketch.size
    r = x / 2
    foot = 0.72 * r
    wall = 0.03 * r
    outer = [(foot, 0.0), (0.97 * r, 0.93 * z), (r, 0.94 * z), (r, z)]
    inner = [(0.97 * r - wall, z), (foot - wall, 0.03 * z)]
    sketch.paint("body", palette)
    sketch.add("body", vessel(outer, inner))
    sketch.paint("bail", palettes.CHROME)
    t = np.linspace(0.0, np.pi, 15)
    radius = y / 2 - 0.02 * y
    path = np.stack(
        [0.75 * r * np.sin(t), radius * np.cos(t), 0.93 * z - 0.35 * z * np.sin(t)],
        axis=1,
    )
    path[:, 0] = 1.02 * r * np.sin(t)
    sketch.add("bail", tube(path, 0.02 * r, segments=8, group=2))
    for side in (-1, 1):
        knob = cylinder(0.08 * r, 2 * (radius - 0.92 * r), 12).turned("x", 90)
        sketch.add(
            "bail",
            knob.moved(
                y=side * (0.92 * r) + (2 * (radius - 0.92 * r) if side > 0 else 0),
                z=0.9 * z,
            ),
        )
    _round_cavity(sketch, foot - wall, 0.03 * z, z)


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
        _turned(sketch, "body", lathe(smooth([(a * r, b * z) for a, b in shape], 4)))
        head = [(0.72, 0.66), (0.98, 0.72), (0.95, 0.82), (0.6, 0.9), (0.25, 0.925)]
        _turned(sketch, "body", lathe(smooth([(a * r, b * z) for a, b in head], 4)))
        sketch.paint("knob", palettes.CHROME)
        sketch.add("knob", ellipsoid(0.25 * r, 0.25 * r, 0.045 * z).moved(z=0.955 * z))
        return
    sketch.paint("body", palettes.WHITE + palettes.CERAMIC[1:4])
    shape = [(0.9, 0), (1, 0.03), (0.86, 0.4), (0.72, 0.7), (0.74, 0.72)]
    _turned(sketch, "body", lathe([(a * r, b * z) for a, b in shape]))
    sketch.paint("cap", palettes.CHROME)
    dome = [(0.8, 0.7), (0.8, 0.84), (0.7, 0.93), (0.4, 0.985), (0.15, 1.0)]
    _turned(sketch, "cap", lathe([(a * r, b * z) for a, b in dome]))
    sketch.paint("holes", palettes.DARK)
    for k in range(5):
        t = 2 * np.pi * k / 5
        hole = cylinder(0.07 * r, 0.05 * z, 8).moved(
            0.36 * r * np.cos(t), 0.36 * r * np.sin(t), 0.945 * z
        )
        sketch.add("holes", hole)


def pot_with_spout(sketch: Sketch, *, kettle: bool = False) -> None:
    """A teapot (ear at the back) or kettle (bail over the lid), spout towards the long side."""
    long, short, turn = _long_axis(sketch)
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
        back = _ear(
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
    """A saucepan or frying pan (one long handle along x) or a stock pot (two ears along y)."""
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
    height = 0.82 * z
    wall = 0.03 * r
    sketch.add(
        "body",
        vessel(
            [(0.97 * r, 0), (r, 0.03 * z), (r, height)],
            [(r - wall, height), (r - wall, 0.05 * z)],
        ),
    )
    lid = lathe(
        [
            (r, height),
            (1.01 * r, height + 0.02 * z),
            (0.7 * r, height + 0.07 * z),
            (0.15 * r, height + 0.09 * z),
        ]
    )
    sketch.add("body", lid)
    sketch.paint("handle", palettes.DARK + palettes.CHROME[:1])
    sketch.add(
        "handle",
        cylinder(0.16 * r, 0.1 * z, 16, bevel=0.02 * r, top=0.2 * r).moved(z=z - 0.1 * z),
    )
    for side in (90.0, -90.0):
        t = np.linspace(-1.0, 1.0, 9) * 0.5 * np.pi
        reach = y / 2 - r
        loop = np.stack(
            [
                0.96 * r + (reach - 0.02 * r) * np.cos(t) ** 0.5,
                0.3 * r * np.sin(t),
                np.full(9, 0.62 * z),
            ],
            axis=1,
        )
        sketch.add("handle", tube(loop, 0.05 * r, segments=8).turned("z", side))


def trophy(sketch: Sketch) -> None:
    """A cup with two ears on a dark base; the ears spread along y."""
    x, y, z = sketch.size
    base = 0.22 * z
    sketch.paint("base", palettes.DARK + palettes.WOOD[3:4])
    r = min(x, 0.62 * y) / 2
    sketch.add("base", cylinder(0.72 * r, base, 24, bevel=0.04 * r, top=0.62 * r))
    sketch.paint("cup", palettes.plain("#c8a03a", "#b4b7ba", "#a8703a"))
    outer = smooth(
        [
            (0.5 * r, base),
            (0.14 * r, base + 0.1 * z),
            (0.14 * r, base + 0.2 * z),
            (0.7 * r, base + 0.34 * z),
            (0.92 * r, base + 0.56 * z),
            (r, z),
        ],
        5,
    )
    sketch.add("cup", walls_of(outer, 0.06 * r, base + 0.27 * z, levels=3))
    for side in (90.0, -90.0):
        sketch.add(
            "cup",
            _ear(0.86 * r, base + 0.34 * z, base + 0.7 * z, y / 2, 0.07 * r).turned("z", side),
        )
