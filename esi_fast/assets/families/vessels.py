"""Open vessels and other turned things: cups, bowls, plates, vases, glasses, pails."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from esi_fast.assets import palettes
from esi_fast.assets.sketch import Sketch
from esi_fast.assets.solids import (
    Profile,
    Solid,
    collar,
    cylinder,
    joined,
    ring_profile,
    tube,
    vessel,
)
from esi_fast.geometry.render import Material

__all__ = [
    "add_turned",
    "bowl",
    "bucket",
    "cup",
    "drinking_glass",
    "ear_handle",
    "long_axis",
    "plate",
    "round_cavity",
    "smooth",
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


def long_axis(sketch: Sketch) -> tuple[float, float, bool]:
    """Long and short horizontal extent, and whether the long one is y."""
    x, y, _ = sketch.size
    return (x, y, False) if x >= y else (y, x, True)


def ear_handle(
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


def add_turned(sketch: Sketch, slot: str, solid: Solid) -> None:
    """Adds a turned solid, stretched from round to the (nearly square) box."""
    x, y, _ = sketch.size
    r = max(x, y)
    sketch.add(slot, solid.scaled(x / r, y / r, 1.0))


def round_cavity(sketch: Sketch, radius: float, floor: float, rim: float) -> None:
    sketch.cavity((-radius, -radius, floor), (radius, radius, rim))


def cup(sketch: Sketch, *, taper: float = 1.0) -> None:
    """A mug, coffee cup or tea cup: walls, floor and an ear on the long side."""
    long, short, turn = long_axis(sketch)
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
    ear = ear_handle(
        r * (0.9 if taper < 1 else 0.99),
        0.22 * z,
        0.82 * z,
        r + (long - short),
        0.05 * short,
    )
    parts = joined(body.moved(x=-(long - short) / 2), ear.moved(x=-(long - short) / 2))
    sketch.add("body", parts.turned("z", 90.0) if turn else parts)
    inner = r - wall
    middle = (0.0, -(long - short) / 2) if turn else (-(long - short) / 2, 0.0)
    sketch.cavity(
        (middle[0] - 0.8 * inner, middle[1] - 0.8 * inner, 0.07 * z),
        (middle[0] + 0.8 * inner, middle[1] + 0.8 * inner, z),
    )


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
    add_turned(sketch, "body", walls_of(outer, wall, 0.1 * z, levels=4))
    round_cavity(sketch, foot, 0.1 * z, z)


def plate(sketch: Sketch) -> None:
    """A plate: a flat well and a raised rim."""
    x, y, z = sketch.size
    r = max(x, y) / 2
    wall = 0.2 * z
    outer = [(0.62 * r, 0.0), (0.68 * r, 0.25 * z), (r, 0.9 * z), (0.995 * r, z)]
    inner = [(0.985 * r, z), (0.66 * r, 0.25 * z + wall), (0.6 * r, 0.12 * z + wall)]
    sketch.paint("body", palettes.WHITE + palettes.CERAMIC[1:5])
    body = vessel(outer, inner)
    add_turned(sketch, "body", body)
    sketch.paint("band", sketch.color("band", palettes.CERAMIC[1:6]))
    # Painted on: a flat ring that follows the slope of the rim just above it.
    slope = [(a * r, (0.45 + (a - 0.66) / 0.325 * 0.55) * z) for a in (0.8, 0.86)]
    (low, z0), (high, z1) = slope
    paint = 0.015 * z
    section = [(high, z1 - paint), (high, z1 + paint), (low, z0 + paint), (low, z0 - paint)]
    add_turned(sketch, "band", collar(ring_profile(section)).with_convex(()))
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
    add_turned(sketch, "body", walls_of(outer, wall, 0.05 * z, levels=5))
    round_cavity(sketch, 0.3 * r, 0.05 * z, z)


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
    add_turned(sketch, "body", fine.with_convex(coarse.convex))
    round_cavity(sketch, 0.5 * lip, floor, z)


def drinking_glass(sketch: Sketch) -> None:
    """A tumbler of clear glass."""
    x, y, z = sketch.size
    r = max(x, y) / 2
    foot = sketch.uniform("foot", 0.74, 0.95) * r
    wall = max(0.045 * r, 0.0015)
    outer = [(foot, 0.0), (foot + 0.02 * r, 0.03 * z), (r, z)]
    inner = [(r - wall, z), (foot + 0.02 * r - wall, 0.1 * z), (0.8 * foot, 0.075 * z)]
    sketch.paint("body", palettes.GLASS)
    add_turned(sketch, "body", vessel(outer, inner))
    round_cavity(sketch, foot - wall, 0.1 * z, z)


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
    round_cavity(sketch, foot - wall, 0.03 * z, z)


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
            ear_handle(0.86 * r, base + 0.34 * z, base + 0.7 * z, y / 2, 0.07 * r).turned(
                "z", side
            ),
        )
