"""Small things of every day, each with a shape of its own. Long ones lie along x."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from esi_fast.assets import palettes
from esi_fast.assets.sketch import Sketch
from esi_fast.assets.solids import (
    Solid,
    box,
    collar,
    cylinder,
    ellipsoid,
    joined,
    lathe,
    loft,
    outline,
    prism,
    ring_profile,
    rounded_box,
    rounded_rectangle,
    shell,
    tube,
    vessel,
)
from esi_fast.geometry.render import Material
from esi_fast.types import FloatArray

__all__ = [
    "balloon",
    "brush",
    "chisel",
    "clipboard",
    "colander",
    "corkscrew",
    "crystal",
    "eyeshadow",
    "french_press",
    "glove",
    "grater",
    "inhaler",
    "key_chain",
    "letter",
    "magnifier",
    "notes",
    "peeler",
    "razor",
    "ring",
    "ruler",
    "scale",
    "soap",
    "soap_dish",
    "spectacles",
    "switch",
    "umbrella",
    "violin",
    "watering_can",
]


def _arc(a: float, b: float, start: float, end: float, n: int = 15) -> FloatArray:
    """Points (n, 2) of an ellipse between two angles, degrees."""
    t = np.deg2rad(np.linspace(start, end, n))
    return np.stack([a * np.cos(t), b * np.sin(t)], axis=1)


def _flat(points: FloatArray, z: float) -> FloatArray:
    return np.column_stack([points, np.full(len(points), z)])


def _hoop(a: float, b: float, z: float, bar: float, flat: float = 1.0) -> Solid:
    return tube(_flat(_arc(a, b, 0.0, 360.0, 33), z), bar, segments=8, group=2, flat=flat)


def ring(sketch: Sketch) -> None:
    """A finger ring lying flat, with a set stone at +x."""
    _, y, _ = sketch.size
    bar = 0.09 * y
    sketch.put(
        "gold", palettes.BRASS[:2] + palettes.CHROME, _hoop(0.44 * y, 0.5 * y - bar, bar, bar)
    )
    stone = lathe([(0.05 * y, 0.0), (0.17 * y, 0.14 * y), (0.12 * y, 0.2 * y)], 8)
    sketch.put("stone", palettes.plain("#a9e0f0", "#c8283a", "#3fae6a", gloss=0.9),
               stone.turned("y", 90.0).moved(x=0.45 * y, z=bar))  # fmt: skip


def magnifier(sketch: Sketch) -> None:
    """A magnifying glass, its lens at +x."""
    x, y, z = sketch.size
    r = y / 2
    at = x / 2 - r
    rim = ring_profile([(r, 0.0), (r, z), (0.88 * r, z), (0.88 * r, 0.0)])
    sketch.put("rim", palettes.CHROME + palettes.BRASS[:1], collar(rim).moved(x=at))
    lens = lathe([(0.6 * r, 0.3 * z), (0.9 * r, 0.5 * z), (0.6 * r, 0.7 * z)], 36)
    sketch.put("lens", palettes.GLASS[:1], lens.moved(x=at))
    start = at - r
    grip = tube(
        [(start + 0.02 * x, 0, z / 2), (start - 0.1 * x, 0, z / 2), (-x / 2, 0, z / 2)],
        [0.25 * z, 0.5 * z, 0.46 * z],
    )
    sketch.put("grip", palettes.DARK + palettes.WOOD[3:5], grip)


def brush(sketch: Sketch, *, tooth: bool = False) -> None:
    """A brush along x, bristles up at +x: a hair brush, or (``tooth``) a slim tooth brush."""
    x, y, z = sketch.size
    head = (0.2 if tooth else 0.5) * x
    back = (0.45 if tooth else 0.5) * z
    sketch.paint("body", palettes.BRIGHT + palettes.WHITE[:1])
    handle = tube(
        [
            (-x / 2, 0, 0.5 * back),
            (-0.2 * x, 0, 0.5 * back),
            (0.1 * x if tooth else -0.06 * x, 0, 0.5 * back),
            (x / 2 - head, 0, 0.5 * back),
        ],
        np.array([0.4, 0.48, 0.26, 0.34]) * (y if tooth else 0.5 * y),
        flat=0.5 * back / (0.48 * (y if tooth else 0.5 * y)),
        segments=12,
    )
    sketch.add("body", handle)
    plate = rounded_box(head, 0.9 * y if tooth else y, back, 0.42 * back)
    sketch.add("body", plate.moved(x=x / 2 - head / 2))
    rows = (7, 3) if tooth else (9, 6)
    sketch.paint("bristles", palettes.WHITE[:1] + palettes.BRIGHT[1:2] if tooth else palettes.DARK)
    size = min(head / rows[0], y / rows[1]) * (0.42 if tooth else 0.2)
    tufts = []
    for i in range(rows[0]):
        for j in range(rows[1]):
            at = (
                x / 2 - head + (i + 0.5) * head / rows[0],
                0.84 * ((j + 0.5) / rows[1] - 0.5) * y,
            )
            tufts.append(cylinder(size, z - 0.8 * back, 8).moved(*at, 0.8 * back))
    # To the touch the bristles are one pad.
    pad = joined(*tufts)
    sketch.add("bristles", pad.with_convex((pad.vertices,)))


def razor(sketch: Sketch) -> None:
    """A safety razor: ribbed handle along x, blade head across it at +x."""
    x, y, z = sketch.size
    sketch.paint("handle", palettes.BRIGHT + palettes.DARK[:1])
    path = [(-x / 2, 0, 0.3 * z), (0, 0, 0.36 * z), (0.36 * x, 0, 0.5 * z), (0.45 * x, 0, 0.7 * z)]
    sketch.add("handle", tube(path, [0.22 * z, 0.26 * z, 0.2 * z, 0.12 * z], segments=10))
    head = rounded_box(0.16 * x, y, 0.32 * z, 0.1 * z).turned("y", 18.0)
    sketch.add("handle", head.moved(x=0.42 * x, z=0.62 * z))
    for k in range(3):
        blade = box(0.012 * x, 0.9 * y, 0.05 * z).turned("y", 18.0)
        sketch.put("blades", palettes.CHROME, blade.moved(x=(0.4 + 0.035 * k) * x, z=0.95 * z))


def chisel(sketch: Sketch) -> None:
    """A wood chisel, its edge at +x."""
    x, y, z = sketch.size
    grip = lathe([(0.4 * z, 0), (0.5 * z, 0.03 * x), (0.5 * z, 0.3 * x), (0.3 * z, 0.4 * x)], 20)
    grip = grip.turned("y", 90.0).scaled(1.0, y / z, 1.0)
    sketch.put("grip", palettes.WOOD + palettes.BRIGHT[:2], grip.moved(x=-x / 2, z=z / 2))
    blade = loft(
        [
            rounded_rectangle(0.3 * z, 0.4 * y, 0.05 * z, 0.0),
            rounded_rectangle(0.2 * z, 0.9 * y, 0.03 * z, 0.16 * x),
            rounded_rectangle(0.2 * z, 0.9 * y, 0.03 * z, 0.5 * x),
            rounded_rectangle(0.02 * z, 0.9 * y, 0.003 * z, 0.62 * x),
        ]
    )
    sketch.put("blade", palettes.CHROME, blade.turned("y", 90.0).moved(x=-0.12 * x, z=z / 2))


def corkscrew(sketch: Sketch) -> None:
    """A corkscrew lying along x: a wooden bar across at -x, a spiral towards +x."""
    x, y, z = sketch.size
    bar = cylinder(0.5 * z, y, 20, bevel=0.16 * z).turned("x", 90.0)
    sketch.put("bar", palettes.WOOD + palettes.DARK[:1], bar.moved(-x / 2 + 0.5 * z, y / 2, z / 2))
    t = np.linspace(0.0, 5.0 * 2 * np.pi, 81)
    r = 0.32 * z * np.minimum(1.0, 1.5 * (1.0 - t / t[-1]) + 0.1)
    path = np.stack([-0.1 * x + 0.59 * x * t / t[-1], r * np.cos(t), z / 2 + r * np.sin(t)], axis=1)
    spiral = tube(path, 0.09 * z, segments=7, group=4)
    stem = cylinder(0.13 * z, 0.32 * x, 12).turned("y", 90.0).moved(x=-0.42 * x, z=z / 2)
    sketch.put("steel", palettes.CHROME, spiral.with_convex((spiral.vertices,)), stem)


def clipboard(sketch: Sketch) -> None:
    """A clipboard with written paper, its clip at -x."""
    x, y, z = sketch.size
    sketch.put("board", palettes.WOOD + palettes.DARK[:1], rounded_slab(x, y, 0.3 * z, 0.04 * y))
    paper = box(0.84 * x, 0.88 * y, 0.1 * z).moved(x=0.04 * x, z=0.3 * z)
    sketch.put("paper", palettes.WHITE, paper)
    for k in range(12):
        line = box(0.008 * x, (0.72 if k % 4 else 0.5) * y, 0.01 * z)
        at = line.moved(x=(-0.28 + 0.055 * k) * x, z=0.4 * z)
        sketch.put("ink", palettes.plain("#4a5560"), at.with_convex(()))
    clip = rounded_box(0.1 * x, 0.4 * y, 0.4 * z, 0.12 * z).moved(x=-0.43 * x, z=0.35 * z)
    roll = cylinder(0.2 * z, 0.3 * y, 16).turned("x", 90.0).moved(-0.42 * x, 0.15 * y, 0.8 * z)
    sketch.put("clip", palettes.CHROME, clip, roll)


def rounded_slab(x: float, y: float, z: float, radius: float) -> Solid:
    """A flat plate with round corners, standing on z = 0."""
    return loft([rounded_rectangle(x, y, radius, h, 4) for h in (0.0, z)])


def grater(sketch: Sketch) -> None:
    """A four-sided grater with rows of teeth and a bow on top."""
    x, y, z = sketch.size
    body = 0.84 * z
    sketch.paint("steel", palettes.CHROME)
    sides = [rounded_rectangle(w * x, w * y, 0.06 * x, h) for w, h in ((1.0, 0.0), (0.62, body))]
    sketch.add("steel", loft(sides))
    sketch.paint("teeth", palettes.plain("#3a3d41"))
    for row in range(8):
        level = 0.12 + 0.1 * row
        half = (1.0 - 0.38 * level) / 2
        for k in range(5):
            at = (k - 2) * 0.18 + (0.09 if row % 2 else 0.0)
            if abs(at) > 0.42:
                continue
            wide = at * 2 * half
            for turn in (0.0, 90.0, 180.0, 270.0):
                a, b = (x, y) if turn in (0.0, 180.0) else (y, x)
                hole = cylinder(1.0, 0.024 * a, 8).turned("y", 90.0)
                hole = hole.scaled(1.0, 0.035 * b, 0.022 * z).moved(x=-0.012 * a)
                placed = hole.moved(half * a, wide * b, level * body).turned("z", turn)
                sketch.add("teeth", placed.with_convex(()))
    t = np.linspace(0.0, np.pi, 9)
    bow = np.stack([0 * t, 0.26 * y * np.cos(t), body + (0.97 * z - body) * np.sin(t)], axis=1)
    sketch.put("bow", palettes.DARK + palettes.BRIGHT[:1], tube(bow, 0.03 * z, segments=10))


def french_press(sketch: Sketch) -> None:
    """A coffee press: glass with coffee in a frame, lid with a plunger, handle at the back (-x)."""
    x, y, z = sketch.size
    r = 0.5 * y
    at = x / 2 - r
    tall = 0.76 * z
    glass = vessel([(0.9 * r, 0.03 * z), (0.9 * r, tall)], [(0.84 * r, tall), (0.84 * r, 0.06 * z)])
    sketch.put("glass", palettes.GLASS[:1], glass.moved(x=at))
    coffee = cylinder(0.82 * r, 0.45 * z).moved(x=at, z=0.07 * z)
    sketch.put("coffee", palettes.plain("#2f1a10"), coffee)
    sketch.paint("frame", palettes.CHROME)
    for low, high in ((0.0, 0.05), (0.5, 0.53)):
        section = [(r, low * z), (r, high * z), (0.9 * r, high * z), (0.9 * r, low * z)]
        sketch.add("frame", collar(ring_profile(section)).moved(x=at))
    for k in range(4):
        t = np.pi / 2 * (k + 0.5)
        post = box(0.04 * r, 0.16 * r, 0.53 * z).turned("z", np.rad2deg(t))
        sketch.add("frame", post.moved(at + 0.95 * r * np.cos(t), 0.95 * r * np.sin(t)))
    lid = lathe([(0.98 * r, tall), (0.98 * r, tall + 0.03 * z), (0.3 * r, tall + 0.1 * z)])
    sketch.add("frame", lid.moved(x=at))
    sketch.add("frame", cylinder(0.05 * r, z - tall, 10).moved(x=at, z=tall))
    sketch.paint("black", palettes.DARK)
    sketch.add("black", ellipsoid(0.22 * r, 0.22 * r, 0.05 * z, fine=0).moved(x=at, z=0.95 * z))
    grip = [
        (at - 0.96 * r, 0, 0.66 * z),
        (-x / 2 + 0.1 * r, 0, 0.62 * z),
        (-x / 2 + 0.1 * r, 0, 0.24 * z),
        (at - 0.96 * r, 0, 0.18 * z),
    ]
    sketch.add("black", tube(grip, 0.1 * r, flat=1.5, segments=10))


def colander(sketch: Sketch) -> None:
    """A colander: a bowl full of holes on a foot, two ears along x."""
    x, y, z = sketch.size
    r = y / 2
    sketch.paint("steel", palettes.CHROME + palettes.BRIGHT[:1])
    outer = [(0.45 * r, 0.08 * z), (0.72 * r, 0.3 * z), (0.93 * r, 0.7 * z), (r, z)]
    inner = [(0.96 * r, z), (0.89 * r, 0.7 * z), (0.68 * r, 0.33 * z), (0.4 * r, 0.14 * z)]
    sketch.add("steel", vessel(outer, inner))
    foot = [(0.5 * r, 0.0), (0.46 * r, 0.12 * z), (0.42 * r, 0.12 * z), (0.44 * r, 0.0)]
    sketch.add("steel", collar(ring_profile(foot)))
    sketch.paint("holes", palettes.plain("#26282b"))
    for row in range(4):
        level = 0.3 + 0.16 * row
        heights, radii = [b for _, b in outer], [a for a, _ in outer]
        radius = float(np.interp(level * z, heights, radii))
        for k in range(16):
            t = 2 * np.pi * (k + 0.5 * (row % 2)) / 16
            hole = cylinder(0.035 * r, 0.06 * r, 8).turned("y", 90.0).moved(x=0.955 * radius)
            placed = hole.turned("z", np.rad2deg(t)).moved(z=level * z)
            sketch.add("holes", placed.with_convex(()))
    for side in (-1, 1):
        loop = _arc(x / 2 - 0.92 * r, 0.32 * r, -90.0, 90.0)
        path = _flat(loop + np.array([0.9 * r, 0.0]), 0.93 * z)
        sketch.add("steel", tube(path * [side, 1.0, 1.0], 0.035 * r, segments=8))
    sketch.cavity((-0.3 * r, -0.3 * r, 0.14 * z), (0.3 * r, 0.3 * r, z))


def ruler(sketch: Sketch) -> None:
    """A ruler along x with marks on its edge."""
    x, y, z = sketch.size
    sketch.put("body", palettes.WOOD[:3] + palettes.BRIGHT[2:3] + palettes.WHITE[:1], box(x, y, z))
    for k in range(31):
        long = 0.5 if k % 10 == 0 else 0.36 if k % 5 == 0 else 0.24
        mark = box(0.003 * x, long * y, 0.06 * z)
        at = mark.moved((k / 30 - 0.5) * 0.96 * x, y / 2 - long * y / 2, z)
        sketch.put("marks", palettes.DARK, at.with_convex(()))


def spectacles(sketch: Sketch, *, dark: bool = False) -> None:
    """Spectacles or (``dark``) sun glasses, lenses at +x, ear pieces folded out towards -x."""
    x, y, z = sketch.size
    bar = 0.05 * z + 0.012 * y
    sketch.paint("frame", palettes.DARK + palettes.BRASS[:1] + palettes.LEATHER[:1])
    tint = palettes.plain("#1d1f24", "#3a2a1c", "#22303a", gloss=0.8)
    sketch.paint("lenses", tint if dark else palettes.GLASS[:1])
    wide, high = 0.23 * y, 0.5 * z - bar
    for side in (-1, 1):
        hoop = _hoop(wide - bar, high, 0.0, bar).turned("z", 90.0).turned("y", 90.0)
        # After the turns the hoop is upright in the y-z plane.
        sketch.add("frame", hoop.moved(x / 2 - bar, side * 0.26 * y, z / 2))
        lens = cylinder(1.0, 0.02 * x, 32).turned("y", 90.0).scaled(1.0, wide - bar, high)
        sketch.add("lenses", lens.moved(x / 2 - 0.02 * x - 0.5 * bar, side * 0.26 * y, z / 2))
        temple = [
            (x / 2 - bar, side * (0.5 * y - bar), 0.7 * z),
            (-0.2 * x, side * (0.5 * y - bar), 0.7 * z),
            (-0.42 * x, side * (0.49 * y - bar), 0.5 * z),
            (-x / 2, side * (0.48 * y - bar), 0.25 * z),
        ]
        sketch.add("frame", tube(temple, 0.8 * bar, segments=8))
        hinge = [
            (x / 2 - bar, side * 0.47 * y, 0.68 * z),
            (x / 2 - bar, side * (0.5 * y - bar), 0.7 * z),
        ]
        sketch.add("frame", tube(hinge, bar, segments=8))
    bridge = [
        (x / 2 - bar, -0.05 * y, 0.6 * z),
        (x / 2 - bar, 0, 0.68 * z),
        (x / 2 - bar, 0.05 * y, 0.6 * z),
    ]
    sketch.add("frame", tube(bridge, bar, segments=8))


def umbrella(sketch: Sketch) -> None:
    """A furled umbrella along x: a folded canopy with a strap, a hooked handle at -x."""
    x, y, z = sketch.size
    r = 0.5 * min(y, z)
    sketch.paint("canopy", palettes.plain("#24406b", "#2b2b30", "#8a2a2a", "#2f5a45"))
    t = 2.0 * np.pi * np.arange(32) / 32
    rings = []
    for s, share in ((-0.22, 0.5), (-0.2, 0.92), (0.0, 0.98), (0.3, 0.5), (0.44, 0.16)):
        pleat = share * (1.0 + 0.1 * np.sin(8.0 * t + 5.0 * s))
        ring_ = np.stack(
            [s * x + 0 * t, 0.9 * r * pleat * np.cos(t), r + 0.9 * r * pleat * np.sin(t)], 1
        )
        rings.append(ring_)
    canopy = loft(rings)
    sketch.add("canopy", canopy)
    sketch.put(
        "strap",
        palettes.BRIGHT[2:4],
        tube([(0.03 * x, 0, r), (0.06 * x, 0, r)], 0.96 * r, segments=20).with_convex(()),
    )
    sketch.paint("steel", palettes.CHROME)
    sketch.add("steel", cylinder(0.08 * r, 0.12 * x, 10).turned("y", 90.0).moved(x=0.38 * x, z=r))
    sketch.add("steel", cylinder(0.12 * r, 0.3 * x, 10).turned("y", 90.0).moved(x=-0.4 * x, z=r))
    a = np.linspace(0.0, np.pi, 11)
    hook = np.stack(
        [-0.42 * x - 0.07 * x * np.sin(a), 0.3 * y * (1.0 - np.cos(a)) - 0.0 * y, r + 0 * a], 1
    )
    stem = np.array([(-0.3 * x, 0.0, r), (-0.4 * x, 0.0, r)])
    sketch.put(
        "handle", palettes.WOOD + palettes.DARK[:1], tube(np.concatenate([stem, hook]), 0.2 * r)
    )


def watering_can(sketch: Sketch) -> None:
    """A watering can: body at -x, a long spout with a rose at +x, a handle over the top."""
    x, y, z = sketch.size
    r = 0.5 * y
    at = -x / 2 + 1.25 * r
    tall = 0.66 * z
    sketch.paint("body", palettes.PLASTIC + palettes.STEEL[:1])
    wall = 0.05 * r
    can_ = vessel([(r, 0), (0.9 * r, tall)], [(0.9 * r - wall, tall), (r - wall, 0.04 * z)])
    sketch.add("body", can_.moved(x=at))
    spout = [
        (at + 0.9 * r, 0, 0.18 * z),
        (at + 0.4 * (x / 2 - at), 0, 0.3 * z),
        (x / 2 - 0.12 * x, 0, 0.84 * z),
    ]
    sketch.add("body", tube(spout, [0.28 * r, 0.2 * r, 0.12 * r], segments=12))
    rose = lathe([(0.14 * r, 0.0), (0.4 * r, 0.1 * x), (0.36 * r, 0.115 * x)], 24)
    way = np.array(spout[2]) - np.array(spout[1])
    sketch.add("body", rose.aligned(way).moved(*spout[2]))
    a = np.linspace(0.0, np.pi, 13)
    bow = np.stack(
        [
            at - 1.1 * r * np.cos(a) - 0.15 * r,
            0 * a,
            0.55 * tall + (0.97 * z - 0.55 * tall) * np.sin(a) ** 0.7,
        ],
        1,
    )
    sketch.add("body", tube(bow, 0.09 * r, segments=10))
    sketch.cavity((at - 0.6 * r, -0.6 * r, 0.04 * z), (at + 0.6 * r, 0.6 * r, tall))


def scale(sketch: Sketch) -> None:
    """A digital scale: a flat body, a plate, a lit display in front."""
    x, y, z = sketch.size
    sketch.put("body", palettes.WHITE + palettes.DARK[:1], rounded_slab(x, y, 0.6 * z, 0.08 * x))
    plate = rounded_slab(0.68 * x, 0.9 * y, 0.4 * z, 0.05 * x)
    sketch.put("plate", palettes.CHROME + palettes.GLASS[:0], plate.moved(x=-0.12 * x, z=0.6 * z))
    shown = box(0.14 * x, 0.34 * y, 0.04 * z).moved(x=0.37 * x, z=0.58 * z)
    sketch.put("display", palettes.plain("#20352a"), shown)
    for k in range(3):
        digit = box(0.08 * x, 0.05 * y, 0.02 * z).moved(0.37 * x, (k - 1) * 0.08 * y, 0.61 * z)
        sketch.put("digits", palettes.plain("#8ae0a0"), digit.with_convex(()))
    for side in (-1, 1):
        key = cylinder(0.035 * y, 0.04 * z, 16).moved(0.37 * x, side * 0.3 * y, 0.58 * z)
        sketch.put("keys", palettes.plain("#8a8d90", "#c83030"), key)
    sketch.support((-0.4 * x, -0.4 * y), (0.18 * x, 0.4 * y), z)


def inhaler(sketch: Sketch) -> None:
    """An inhaler lying on its side: an elbow of plastic, a canister along y, a cap."""
    x, y, z = sketch.size
    sketch.paint("body", palettes.plain("#3f6f9e", "#7a4a9a", "#c8762f"))
    barrel = rounded_box(0.6 * x, 0.66 * y, z, 0.3 * z).moved(-0.18 * x, -0.17 * y)
    mouth = rounded_box(x, 0.34 * y, 0.9 * z, 0.3 * z).moved(0.0, -0.33 * y, 0.05 * z)
    sketch.add("body", barrel, mouth)
    tin = cylinder(0.36 * z, 0.5 * y, 24, bevel=0.06 * z).turned("x", 90.0)
    sketch.put("tin", palettes.CHROME, tin.moved(-0.18 * x, 0.5 * y, z / 2))
    cap = rounded_box(0.1 * x, 0.38 * y, z, 0.2 * z).moved(0.46 * x, -0.31 * y)
    sketch.put("cap", palettes.plain("#8fb8e0", "#b89ad9", "#e0b080"), cap)


def letter(sketch: Sketch) -> None:
    """An envelope: a flap with a seal, an address, a stamp, seen from above."""
    x, y, z = sketch.size
    sketch.put("paper", palettes.CREAM + palettes.WHITE[:1], box(x, y, 0.9 * z))
    ink = palettes.plain("#4a4f58")
    for k in range(3):
        line = box(0.03 * x, (0.42 - 0.08 * k) * y, 0.05 * z)
        sketch.put("ink", ink, line.moved((0.1 + 0.1 * k) * x, 0.06 * y, 0.9 * z).with_convex(()))
    stamp = box(0.26 * x, 0.15 * y, 0.1 * z).moved(-0.3 * x, 0.38 * y, 0.9 * z)
    sketch.put("stamp", palettes.BRIGHT, stamp)
    face = box(0.16 * x, 0.09 * y, 0.02 * z).moved(-0.3 * x, 0.38 * y, 0.98 * z)
    sketch.put("face", palettes.CREAM, face.with_convex(()))
    sketch.put(
        "ink",
        ink,
        _hoop(0.14 * x, 0.09 * y, 0.9 * z, 0.04 * z).moved(-0.25 * x, 0.22 * y).with_convex(()),
    )


def notes(sketch: Sketch) -> None:
    """A pad of sticky notes, its top sheet curling up at +x."""
    x, y, z = sketch.size
    sketch.paint("pad", palettes.plain("#f2e05a", "#f0a6c0", "#a6d98a", "#8ac8e8"))
    sketch.add("pad", box(x, y, 0.5 * z))
    t = np.linspace(-0.5, 0.5, 9)
    lift = 0.5 * z + 0.42 * z * np.clip(t + 0.1, 0.0, 1.0) ** 2 / 0.36
    low = np.column_stack([t * x, lift])
    curl = prism(np.concatenate([low, low[::-1] + np.array([0.0, 0.05 * z])]), y)
    sketch.add("pad", curl.turned("x", 90.0).moved(y=y / 2))
    for k in range(3):
        line = box(0.03 * x, 0.6 * y, 0.02 * z).moved((-0.3 + 0.13 * k) * x, 0, 0.55 * z)
        sketch.put("ink", palettes.plain("#3a4a6b"), line.with_convex(()))


def soap(sketch: Sketch) -> None:
    """A bar of soap with a stamped oval and a little foam."""
    x, y, z = sketch.size
    sketch.paint("soap", palettes.plain("#e8c8d0", "#c8e0d0", "#f0e6c8", "#c8d4e8", gloss=0.3))
    sketch.add("soap", rounded_box(x, y, 0.94 * z, 0.32 * z, 4))
    mark = _hoop(0.28 * x, 0.28 * y, 0.93 * z, 0.05 * z)
    sketch.add("soap", mark.with_convex(()))
    for k in range(5):
        bubble = ellipsoid(0.05 * min(x, y), fine=0)
        at = (0.36 * x * np.cos(k * 1.9), 0.34 * y * np.sin(k * 1.9), 0.9 * z)
        sketch.put("foam", palettes.WHITE[:1], bubble.moved(*at).with_convex(()))


def soap_dish(sketch: Sketch) -> None:
    """An oval dish with ribs and a bar of soap on it."""
    x, y, z = sketch.size

    def oval(share: float, high: float) -> FloatArray:
        return rounded_rectangle(share * x, share * y, 0.4 * share * x, high)

    outer = [oval(0.8, 0.0), oval(1.0, 0.7 * z)]
    inner = [oval(0.9, 0.7 * z), oval(0.72, 0.2 * z)]
    sketch.put("dish", palettes.WHITE + palettes.CERAMIC[1:5], shell(outer, inner, 2))
    bar = rounded_box(0.56 * x, 0.6 * y, 0.7 * z, 0.25 * z).moved(z=0.22 * z)
    sketch.put("soap", palettes.plain("#e8c8d0", "#c8e0d0", "#f0e6c8"), bar)


def switch(sketch: Sketch) -> None:
    """A light switch on a wall at -x: a plate with one or two rockers."""
    x, y, z = sketch.size
    plate = rounded_slab(z, y, 0.5 * x, 0.08 * z).turned("y", 90.0).moved(x=-x / 2, z=z / 2)
    sketch.put("plate", palettes.WHITE + palettes.CREAM[:1], plate)
    count = 2 if y > 1.3 * z else 1
    for k in range(count):
        wide = 0.52 * min(y / count, z)
        rocker = rounded_box(0.5 * x, wide, 0.62 * z, 0.1 * x, 2).turned("y", -5.0)
        at = (k - (count - 1) / 2) * 0.42 * y
        sketch.put("rocker", palettes.WHITE[:1], rocker.moved(0.12 * x, at, 0.19 * z))
    sketch.paint("line", palettes.plain("#8a8d90"))
    for k in range(count):
        frame = box(0.02 * x, 0.56 * min(y / count, z), 0.66 * z)
        sketch.add(
            "line", frame.moved(0.0, (k - (count - 1) / 2) * 0.42 * y, 0.17 * z).with_convex(())
        )


def key_chain(sketch: Sketch) -> None:
    """Two keys and a tag on a ring, lying flat."""
    x, y, z = sketch.size
    bar = 0.16 * z
    sketch.put("ring", palettes.CHROME, _hoop(0.16 * x, 0.16 * x, 0.5 * z, bar).moved(x=-0.3 * x))
    for turn, palette, slot in ((18.0, palettes.BRASS, "key0"), (-20.0, palettes.STEEL, "key1")):
        head = ring_profile(
            [(0.14 * y, 0), (0.14 * y, 0.25 * z), (0.06 * y, 0.25 * z), (0.06 * y, 0)]
        )
        blade = box(0.46 * x, 0.07 * y, 0.25 * z).moved(x=0.3 * x)
        teeth = [
            box(0.04 * x, 0.05 * y, 0.25 * z).moved((0.36 + 0.07 * k) * x, -0.05 * y)
            for k in range(3)
        ]
        key = joined(collar(head), blade, *teeth).turned("z", turn)
        sketch.put(
            slot,
            palette,
            key.moved(-0.18 * x, 0.2 * y * np.sign(turn), (0.1 if turn > 0 else 0.4) * z),
        )
    tag = rounded_box(0.2 * x, 0.3 * y, 0.5 * z, 0.1 * z).moved(x=-0.44 * x, z=0.25 * z)
    sketch.put("tag", palettes.BRIGHT, tag)


def peeler(sketch: Sketch) -> None:
    """A vegetable peeler: handle at -x, a bow with a blade across at +x."""
    x, y, z = sketch.size
    grip = tube(
        [(-x / 2, 0, z / 2), (-0.3 * x, 0, z / 2), (0.02 * x, 0, z / 2)],
        [0.36 * z, 0.5 * z, 0.36 * z],
    )
    sketch.put("grip", palettes.BRIGHT + palettes.DARK[:1], grip)
    bow = [(0.0, 0, z / 2), (0.12 * x, -0.44 * y, z / 2), (0.44 * x, -0.46 * y, z / 2)]
    sketch.put("steel", palettes.CHROME)
    for side in (-1, 1):
        sketch.add("steel", tube(np.array(bow) * [1, side, 1], 0.13 * z, segments=8))
    blade = rounded_box(0.14 * x, y, 0.22 * z, 0.06 * z).turned("y", -14.0)
    sketch.add("steel", blade.moved(x=0.42 * x, z=0.4 * z))
    slot = box(0.03 * x, 0.8 * y, 0.02 * z).turned("y", -14.0).moved(x=0.42 * x, z=0.63 * z)
    sketch.put("slot", palettes.DARK[1:2], slot.with_convex(()))


def eyeshadow(sketch: Sketch) -> None:
    """An open-faced palette of eye shadow: six pans in a flat case."""
    x, y, z = sketch.size
    sketch.put(
        "case", palettes.DARK + palettes.plain("#d9b0b8"), rounded_slab(x, y, 0.9 * z, 0.1 * x)
    )
    colors = ("#b98a8a", "#8a5f7a", "#d9c0a8", "#6b7a9a", "#a87850", "#5a4038")
    for k, color in enumerate(colors):
        pan = rounded_slab(0.34 * x, 0.24 * y, 0.12 * z, 0.05 * x)
        at = (((k % 2) - 0.5) * 0.44 * x, ((k // 2) - 1) * 0.3 * y, 0.88 * z)
        sketch.put(f"pan{k}", palettes.plain(color), pan.moved(*at).with_convex(()))
    sketch.put(
        "hinge", palettes.BRASS, box(0.05 * x, 0.8 * y, 0.5 * z).moved(x=-0.49 * x, z=0.4 * z)
    )


def balloon(sketch: Sketch) -> None:
    """A balloon lying along x, its knot at -x, a piece of string."""
    x, y, z = sketch.size
    sketch.paint(
        "skin", palettes.plain("#d3282f", "#2f7ac8", "#f0b62f", "#4aa85a", "#b04ab0", gloss=0.6)
    )
    body = [
        (0.03, 0.0),
        (0.1, 0.02),
        (0.5, 0.14),
        (0.9, 0.4),
        (1.0, 0.62),
        (0.8, 0.86),
        (0.4, 0.97),
        (0.0, 1.0),
    ]
    shape = lathe([(a, 0.12 * x + b * 0.86 * x) for a, b in body], 32).scaled(y / 2, z / 2, 1.0)
    knot = lathe([(0.12, 0.08 * x), (0.03, 0.125 * x)], 16).scaled(y / 2, z / 2, 1.0)
    sketch.add("skin", joined(shape, knot).turned("y", 90.0).moved(x=-0.49 * x, z=z / 2))
    line = [(-0.42 * x, 0, z / 2), (-0.46 * x, 0.04 * y, 0.4 * z), (-0.5 * x, 0.02 * y, 0.3 * z)]
    sketch.put("string", palettes.WHITE[:1], tube(line, 0.008 * x, segments=6))


def glove(sketch: Sketch) -> None:
    """A baseball glove, its pocket up, fingers towards +x."""
    x, y, z = sketch.size
    sketch.paint("leather", palettes.LEATHER)
    palm = ellipsoid(0.3 * x, 0.42 * y, 0.32 * z, fine=1).moved(x=-0.18 * x, z=0.34 * z)
    sketch.add("leather", palm)
    for k in range(4):
        side = (k - 1.5) / 1.5
        path = [
            (-0.12 * x, 0.3 * side * y, 0.35 * z),
            (0.2 * x, 0.34 * side * y, 0.5 * z),
            (0.4 * x, 0.3 * side * y, 0.85 * z),
        ]
        sketch.add("leather", tube(path, [0.12 * y, 0.115 * y, 0.07 * y], segments=12))
    thumb = [
        (-0.2 * x, -0.36 * y, 0.35 * z),
        (0.0, -0.47 * y, 0.6 * z),
        (0.18 * x, -0.44 * y, 0.9 * z),
    ]
    sketch.add("leather", tube(thumb, [0.14 * y, 0.11 * y, 0.06 * y], segments=12))
    web = prism(
        [(0.0, -0.42 * y), (0.26 * x, -0.36 * y), (0.26 * x, -0.2 * y), (0.0, -0.24 * y)], 0.1 * z
    )
    sketch.put("lace", palettes.plain("#d9b98a", "#c8a070"), web.moved(z=0.62 * z))
    for k in range(3):
        tie = [
            ((0.02 + 0.09 * k) * x, -0.44 * y, 0.74 * z),
            ((0.02 + 0.09 * k) * x, -0.16 * y, 0.74 * z),
        ]
        sketch.add("lace", tube(tie, 0.03 * z, segments=6).with_convex(()))
    strap = rounded_box(0.16 * x, 0.6 * y, 0.3 * z, 0.1 * z).moved(x=-0.42 * x, z=0.28 * z)
    sketch.add("leather", strap)


def crystal(sketch: Sketch) -> None:
    """A cluster of six-sided crystals on a rock."""
    x, y, z = sketch.size
    rock = ellipsoid(0.5 * x, 0.5 * y, 0.16 * z, fine=0).moved(z=0.14 * z)
    sketch.put("rock", palettes.plain("#6b6660", "#5a5550"), rock)
    sketch.paint("crystal", palettes.plain("#9a6bc8", "#8ac8e0", "#e0a0c0", "#a8d8a0", gloss=0.8))
    # Where each stands (shares of the box), how far it leans to +x, how high it is.
    spikes = (
        (0.0, 0.0, 0.0, 1.0),
        (0.2, 0.1, 20.0, 0.8),
        (-0.22, -0.05, -22.0, 0.76),
        (0.06, -0.25, 8.0, 0.62),
        (-0.08, 0.26, -12.0, 0.7),
        (0.3, -0.2, 34.0, 0.55),
    )
    for sx, sy, lean, tall in spikes:
        r, high = 0.2 * min(x, y) * (0.5 + 0.5 * tall), 0.9 * tall * z
        spike = lathe([(0.8 * r, 0.0), (r, 0.7 * high), (0.02 * r, high)], 6)
        sketch.add("crystal", spike.turned("y", lean).moved(sx * x, sy * y, 0.08 * z))


_WAIST = "0,0 24,2 44,10 50,20 46,30 32,38 29,50 33,62 40,70 42,82 30,94 6,100"


def violin(sketch: Sketch, *, palette: Sequence[Material] = ()) -> None:
    """A violin lying on its back, its scroll at +x: waisted body, bridge, strings, pegs."""
    x, y, z = sketch.size
    wood = palette or palettes.plain("#8a4a20", "#a85f2c", "#6b3418", gloss=0.5)
    sketch.paint("body", wood)
    # Half width over position, in per cent, from the tail to the neck.
    half = np.array(outline(_WAIST))[:, ::-1]
    body = 0.6 * x
    right = half * [body, -y] - [x / 2, 0.0]
    line = np.concatenate([right, (right * [1.0, -1.0])[:0:-1]])
    sketch.add("body", prism(line, 0.46 * z))
    dark = palettes.DARK[1:2]
    neck = box(0.44 * x, 0.1 * y, 0.12 * z).turned("y", 2.0).moved(x=0.16 * x, z=0.5 * z)
    sketch.put("dark", dark, neck)
    tail = prism(
        [
            (-0.46 * x, -0.03 * y),
            (-0.26 * x, -0.07 * y),
            (-0.26 * x, 0.07 * y),
            (-0.46 * x, 0.03 * y),
        ],
        0.06 * z,
    )
    sketch.add("dark", tail.moved(z=0.56 * z))
    bridge = box(0.015 * x, 0.2 * y, 0.34 * z).moved(x=-0.2 * x, z=0.46 * z)
    sketch.put("maple", palettes.WOOD[2:3], bridge)
    scroll = cylinder(0.2 * z, 0.1 * y, 20).turned("x", 90.0).moved(0.46 * x, 0.05 * y, 0.5 * z)
    sketch.add("body", box(0.12 * x, 0.08 * y, 0.16 * z).moved(x=0.4 * x, z=0.42 * z), scroll)
    for k in range(4):
        peg = cylinder(0.03 * z, 0.3 * y, 10).turned("x", 90.0)
        sketch.add("dark", peg.moved((0.36 + 0.025 * k) * x, 0.15 * y, 0.5 * z))
    strings = [
        box(0.62 * x, 0.004 * y, 0.01 * z).moved(0.06 * x, (k - 1.5) * 0.03 * y, 0.72 * z)
        for k in range(4)
    ]
    # To the touch the strings are one strip.
    strip = joined(*strings)
    sketch.put("strings", palettes.CHROME, strip.with_convex((strip.vertices,)))
    for side in (-1, 1):
        t = np.linspace(-1.0, 1.0, 9)
        hole = np.stack(
            [(-0.2 + 0.07 * t) * x, side * (0.17 - 0.05 * np.sin(1.6 * t)) * y, 0.465 * z + 0 * t],
            1,
        )
        sketch.add("dark", tube(hole, 0.012 * x, segments=6, flat=0.4).with_convex(()))
    chin = rounded_box(0.12 * x, 0.26 * y, 0.1 * z, 0.04 * z).moved(-0.42 * x, -0.2 * y, 0.48 * z)
    sketch.add("dark", chin)
