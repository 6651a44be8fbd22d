"""Fruit and vegetables. Long ones lie along x with their stalk at +x."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from esi_fast.assets import palettes
from esi_fast.assets.sketch import Sketch
from esi_fast.assets.solids import Profile, Solid, blob, cylinder, lathe, leaf, outline, tube
from esi_fast.types import FloatArray

__all__ = [
    "apple",
    "banana",
    "carrot",
    "egg",
    "orange",
    "pineapple",
    "pumpkin",
    "round_fruit",
    "turned_fruit",
]

_STALK = palettes.plain("#5d4526", "#6b5a2e")


def _dimpled(
    a: float,
    b: float,
    c: float,
    *,
    dimple: float,
    taper: float = 0.0,
    ribs: int = 0,
    depth: float = 0.0,
) -> Solid:
    """A sphere of semi-axes a, b, c with dents at the poles, ``ribs`` round it."""

    def surface(lon: FloatArray, lat: FloatArray) -> FloatArray:
        ring, z = np.cos(lat), np.sin(lat) + 0.0 * lon
        dent = dimple * np.exp(-((ring / 0.36) ** 2))
        groove = 1.0 - depth * ring * (0.5 + 0.5 * np.cos(ribs * lon)) ** 4 if ribs else 1.0
        wide = ring * (1.0 + taper * z) * groove
        high = z - np.sign(z) * dent
        return np.stack(
            np.broadcast_arrays(a * wide * np.cos(lon), b * wide * np.sin(lon), c * high),
            axis=-1,
        )

    return blob(surface, max(28, 6 * ribs), 20)


def apple(sketch: Sketch) -> None:
    """An apple with stalk and leaf."""
    x, y, z = sketch.size
    body = 0.9 * z
    sketch.paint("skin", palettes.plain("#b3241f", "#7fae3a", "#cf4a35", "#d8b53f"))
    sketch.add(
        "skin",
        _dimpled(x / 2, y / 2, 0.56 * body, dimple=0.3, taper=0.12).moved(z=0.45 * body),
    )
    sketch.paint("stalk", _STALK)
    stalk = tube(
        [(0, 0, 0.6 * body), (0.02 * x, 0, 0.9 * body), (0.1 * x, 0.02 * y, z)],
        0.025 * x,
        segments=6,
    )
    sketch.add("stalk", stalk)
    sketch.paint("leaf", palettes.LEAF)
    sketch.add(
        "leaf",
        leaf(0.34 * x, 0.16 * x, 0.9, 0.012 * x).turned("z", 70.0).moved(0.04 * x, 0, 0.86 * body),
    )


def orange(sketch: Sketch) -> None:
    """A round citrus fruit with its green button and a leaf."""
    x, y, z = sketch.size
    body = 0.95 * z
    sketch.paint("skin", palettes.plain("#e8861f", "#ee9a2c", "#dd7616", gloss=0.2))
    skin = _dimpled(x / 2, y / 2, 0.51 * body, dimple=0.05)
    sketch.add("skin", skin.moved(z=body / 2))
    sketch.paint("button", palettes.plain("#6b7a2e"))
    sketch.add("button", cylinder(0.06 * x, 0.05 * z, 8).moved(z=z - 0.07 * z))
    sketch.paint("leaf", palettes.LEAF)
    blade = leaf(0.42 * x, 0.2 * x, 1.25, 0.012 * x).scaled(1.0, 1.0, 0.7)
    sketch.add("leaf", blade.turned("z", -35.0).moved(0.03 * x, 0, 0.93 * z))


def round_fruit(
    sketch: Sketch,
    *,
    skin: Sequence[str],
    dimple: float = 0.1,
    taper: float = 0.0,
    ribs: int = 0,
    depth: float = 0.0,
    stalk: bool = False,
    calyx: str = "",
    crown: bool = False,
    stripes: str = "",
) -> None:
    """A round fruit: dents at its poles, ribs, and on top a stalk, a star (calyx) or a crown."""
    x, y, z = sketch.size
    body = z * (1.0 - 0.12 * crown - 0.14 * stalk - 0.03 * bool(calyx))
    sketch.paint("skin", palettes.plain(*skin, gloss=0.2))
    # Dents take their share of the height.
    high = 0.5 * body / (1.0 - 0.72 * dimple)
    shape = _dimpled(x / 2, y / 2, high, dimple=dimple, taper=taper, ribs=ribs, depth=depth)
    sketch.add("skin", shape.moved(z=body / 2))
    seat = body * (1.0 - 0.4 * dimple)
    if stalk:
        path = [(0, 0, 0.8 * body), (0.01 * x, 0, seat + 0.03 * z), (0.05 * x, 0, z)]
        sketch.put("stalk", _STALK, tube(path, 0.03 * x, segments=6))
    if calyx:
        for k in range(5):
            sepal = leaf(0.24 * x, 0.11 * x, 1.2, 0.015 * x).turned("z", 72.0 * k)
            sketch.put("calyx", palettes.plain(calyx), sepal.moved(z=seat - 0.01 * z))
    if crown:
        for k in range(6):
            tooth = leaf(0.16 * z, 0.1 * x, -0.2, 0.02 * x).turned("y", -28.0).turned("z", 60.0 * k)
            sketch.add("skin", tooth.moved(z=seat - 0.02 * z))
        sketch.add("skin", cylinder(0.1 * x, 0.08 * z, 12, top=0.13 * x).moved(z=seat - 0.03 * z))
    if stripes:
        sketch.paint("stripes", palettes.plain(stripes))
        lat = np.linspace(-1.2, 1.2, 11)
        flat = np.cos(lat)
        dent = np.sign(lat) * dimple * np.exp(-((flat / 0.36) ** 2))
        up = body / 2 + 0.995 * high * (np.sin(lat) - dent)
        for k in range(8):
            c, s = 0.4975 * np.cos(np.pi / 4 * k), 0.4975 * np.sin(np.pi / 4 * k)
            line = np.stack([c * x * flat, s * y * flat, up], axis=1)
            sketch.add("stripes", tube(line, 0.012 * x, segments=6).with_convex(()))


def pumpkin(sketch: Sketch) -> None:
    """A ribbed pumpkin with a bent stalk."""
    x, y, z = sketch.size
    body = 0.82 * z
    sketch.paint("skin", palettes.plain("#d9731e", "#e08a2c", "#c45f17", "#e9c9a0"))
    skin = _dimpled(x / 2, y / 2, 0.55 * body, dimple=0.22, ribs=10, depth=0.13)
    sketch.add("skin", skin.moved(z=body / 2))
    sketch.paint("stalk", palettes.plain("#6a7438", "#7c6a3a"))
    stalk = tube(
        [
            (0, 0, 0.7 * body),
            (0.01 * x, 0, 0.95 * body),
            (0.06 * x, 0, 0.97 * z),
            (0.12 * x, 0, z),
        ],
        [0.1 * x, 0.06 * x, 0.045 * x, 0.06 * x],
        segments=8,
    )
    sketch.add("stalk", stalk)


def banana(sketch: Sketch) -> None:
    """A bent fruit lying on its side; the bend fills y."""
    x, y, z = sketch.size
    r = z / 2
    n = 13
    t = np.linspace(-1.0, 1.0, n)
    half = 1.05
    radius = 0.52 * x / np.sin(half)
    path = np.stack([radius * np.sin(half * t), radius * np.cos(half * t), 0 * t], axis=1)
    path[:, 1] -= path[:, 1].max() - y / 2 + r
    widths = r * np.minimum(
        1.0, np.array([0.3, 0.55, 0.8, 0.93, 1, 1, 1, 1, 0.97, 0.86, 0.66, 0.4, 0.26])
    )
    sketch.paint("skin", palettes.plain("#e8c533", "#d9c840", "#e3b82c"))
    sketch.add("skin", tube(path[::-1], widths, segments=6).moved(z=r))
    sketch.paint("stalk", palettes.plain("#7a6a2a", "#5a4a22"))
    tip = path[-1] + 0.12 * (path[-1] - path[-4])
    far = tip + 0.18 * (path[-1] - path[-4])
    sketch.add(
        "stalk",
        tube([path[-1], tip, far], [0.3 * r, 0.24 * r, 0.3 * r], segments=6).moved(z=r),
    )
    end = path[0] + 0.12 * (path[0] - path[2])
    sketch.add("stalk", tube([path[0], end], [0.3 * r, 0.16 * r], segments=6).moved(z=r))


_SHAPES = {
    # radius,position in per cent, from the blossom to the stalk
    "lemon": outline("0,0 20,2 30,7 70,20 96,40 100,52 90,70 62,86 26,95 20,97 0,100"),
    "pear": outline("0,2 30,0 75,7 100,27 95,42 68,60 50,74 42,86 20,92 0,90"),
    "watermelon": outline("0,0 35,3 70,15 93,33 100,50 93,67 70,85 35,97 0,100"),
    "eggplant": outline("0,0 40,2 80,10 100,26 93,45 72,64 58,78 50,86 0,90"),
    "pepper": outline("0,3 35,0 62,6 78,25 92,52 100,72 90,85 50,88 0,83"),
    "strawberry": outline("0,0 30,5 62,25 90,52 100,72 80,88 40,94 0,93"),
    "mango": outline("0,0 36,4 72,18 96,40 100,56 88,78 56,94 24,99 0,100"),
    "avocado": outline("0,0 44,4 84,18 100,36 92,54 66,76 46,90 24,98 0,100"),
    "nut": outline("0,0 14,2 50,14 88,38 100,60 92,82 56,96 0,98"),
    "turnip": outline("2,0 8,14 20,30 70,44 98,62 100,74 86,88 40,95 0,94"),
}


def _spun(profile: Profile, segments: int, ribs: int, depth: float) -> Solid:
    """A body of revolution about z whose sections may be ribbed, as one convex piece."""
    solid = lathe(profile, segments)
    if ribs:
        t = np.arctan2(solid.vertices[:, 1], solid.vertices[:, 0])
        groove = 1.0 - depth * (0.5 + 0.5 * np.cos(ribs * t)) ** 3
        vertices = solid.vertices * np.stack([groove, groove, np.ones_like(groove)], axis=1)
        return Solid(vertices, solid.faces, (vertices,))
    return solid


def turned_fruit(
    sketch: Sketch,
    *,
    shape: str,
    skin: Sequence[str],
    calyx: str = "",
    stripes: bool = False,
) -> None:
    """A fruit of revolution lying along x (or upright where the box is), by ``_SHAPES``."""
    x, y, z = sketch.size
    upright = z > 1.1 * x
    long, wide, high = (z, x, y) if upright else (x, y, z)
    ribs, depth = {"pepper": (4, 0.16)}.get(shape, (0, 0.0))
    profile = [(r, p * long) for r, p in _SHAPES[shape]]
    points = np.array(profile)
    fine: list[tuple[float, float]] = []
    for a, b in itertools.pairwise(points):
        fine.append((float(a[0]), float(a[1])))
        fine.append(tuple(map(float, (a + b) / 2 + _bulge(points, a, b))))  # type: ignore[arg-type]
    fine.append((float(points[-1, 0]), float(points[-1, 1])))
    body = _spun([(max(r, 0.0), p) for r, p in fine], 28, ribs, depth)
    body = body.scaled(wide / 2, high / 2, 1.0)
    pieces = [body]
    sketch.paint("skin", palettes.plain(*skin))
    slots = ["skin"]
    if calyx:
        sketch.paint("calyx", palettes.plain(calyx))
        seat = max(p for r, p in profile if r > 0.3)
        stalk = tube(
            [
                (0, 0, seat - 0.05 * long),
                (0, 0.02 * wide, seat + 0.04 * long),
                (0, 0.07 * wide, 0.999 * long),
            ],
            [0.1 * wide, 0.055 * wide, 0.06 * wide],
            segments=8,
        )
        pieces.append(stalk)
        slots.append("calyx")
        if shape in ("eggplant", "strawberry"):
            for k in range(6):
                sepal = leaf(0.52 * wide, 0.24 * wide, 1.5, 0.03 * wide)
                pieces.append(sepal.turned("z", 60.0 * k).moved(z=seat - 0.02 * long))
                slots.append("calyx")
    if stripes:
        sketch.paint("stripes", palettes.plain("#1f4a22", "#2a5a2a"))
        # Painted on: tubes sunk into the skin until only a flat strip shows.
        line = np.array([p for p in fine if p[0] > 0.2])
        bar = 0.2 * np.minimum(line[:, 0] * 1.6 - 0.2, 1.0)
        reach = line[:, 0] + 0.012 - bar
        for k in range(9):
            t = 2 * np.pi * k / 9
            across, up = reach * wide / 2 * np.cos(t), reach * high / 2 * np.sin(t)
            path = np.stack([across, up, line[:, 1]], axis=1)
            pieces.append(tube(path, bar * wide / 2, segments=12).with_convex(()))
            slots.append("stripes")
    for slot, piece in zip(slots, pieces, strict=True):
        if upright:
            sketch.add(slot, piece)
        else:
            sketch.add(slot, piece.turned("y", 90.0).turned("x", 90.0).moved(z=high / 2))


def _bulge(points: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
    """Rounds a polyline: pushes a midpoint outward by an eighth of the turn at its ends."""
    i = int(np.nonzero((points == a).all(axis=1))[0][0])
    before, after = points[max(i - 1, 0)], points[min(i + 2, len(points) - 1)]
    return np.asarray((a + b - before - after) / 16.0)


def carrot(sketch: Sketch) -> None:
    """A tapered root along x with a tuft of green at +x."""
    x, y, z = sketch.size
    root = 0.86 * x
    r = 0.5 * min(y, z)
    profile = [
        (0.04, 0),
        (0.28, 0.12),
        (0.5, 0.35),
        (0.78, 0.7),
        (0.98, 0.92),
        (0.85, 0.985),
        (0.3, 1.0),
    ]
    sketch.paint("root", palettes.plain("#e07b22", "#d96c1a"))
    body = lathe([(a * r, b * root) for a, b in profile], 20)
    sketch.add("root", body.turned("y", 90.0).moved(x=-x / 2, z=r))
    sketch.paint("green", palettes.LEAF)
    for k in range(4):
        t = np.pi / 2 * k + 0.4
        tip = (x / 2 * 0.99, 0.8 * r * np.cos(t), r + 0.8 * r * np.sin(t))
        sketch.add(
            "green",
            tube([(root - x / 2 - 0.03 * x, 0, r), tip], [0.16 * r, 0.07 * r], segments=6),
        )


def egg(sketch: Sketch) -> None:
    """An egg lying along x, its blunt end at +x."""
    x, y, z = sketch.size
    sketch.paint("shell", palettes.plain("#e9d5bd", "#f3efe6", "#d2a679"))

    def surface(lon: FloatArray, lat: FloatArray) -> FloatArray:
        s = np.sin(lat) + 0.0 * lon
        wide = np.cos(lat) * (1.0 + 0.14 * s)
        return np.stack(
            np.broadcast_arrays(x / 2 * s, y / 2 * wide * np.cos(lon), z / 2 * wide * np.sin(lon)),
            axis=-1,
        )

    sketch.add("shell", blob(surface, 28, 18).moved(z=z / 2))


def pineapple(sketch: Sketch) -> None:
    """A pineapple lying along x, its crown at +x."""
    x, y, z = sketch.size
    body = 0.58 * x
    sketch.paint("skin", palettes.plain("#c98a2b", "#b97a24"))
    sketch.paint("eyes", palettes.plain("#8a5a1e"))
    sketch.paint("crown", palettes.LEAF)
    profile = [(0.55, 0), (0.85, 0.1), (1, 0.35), (0.98, 0.6), (0.82, 0.88), (0.5, 1.0)]
    core = lathe([(0.95 * a, b * body) for a, b in profile], 28).scaled(y / 2, z / 2, 1.0)
    solids: list[tuple[str, Solid]] = [("skin", core)]
    rows = 7
    for i in range(rows):
        p = (i + 0.7) / (rows + 0.4)
        r = float(np.interp(p, [b for _, b in profile], [a for a, _ in profile]))
        for k in range(10):
            t = 2 * np.pi * (k + 0.5 * (i % 2)) / 10
            eye = cylinder(0.15, 0.1, 6, top=0.05).aligned((np.cos(t), np.sin(t), 0.0))
            eye = eye.moved(0.92 * r * np.cos(t), 0.92 * r * np.sin(t)).scaled(
                y / 2, z / 2, 0.13 * body / 0.3
            )
            solids.append(("eyes", eye.moved(z=p * body).with_convex(())))
    for ring, (count, length, droop, start) in enumerate(
        ((7, 0.34, 0.5, 0.0), (6, 0.4, 0.25, 0.4), (4, 0.42, 0.1, 0.2))
    ):
        for k in range(count):
            t = 360.0 * k / count + 60.0 * start
            blade = leaf(length * x, 0.16 * z, -1.2 * droop - 0.1, 0.012 * z).turned(
                "y", -18.0 + 12.0 * (2 - ring)
            )
            solids.append(("crown", blade.turned("z", t).moved(z=0.98 * body)))
    for slot, solid in solids:
        if slot == "crown":
            squeezed = solid.scaled(0.36 * y / (0.34 * x), 0.36 * z / (0.34 * x), 1.0)
            sketch.add(slot, squeezed.turned("y", 90.0).moved(x=-x / 2, z=z / 2))
        else:
            sketch.add(slot, solid.turned("y", 90.0).moved(x=-x / 2, z=z / 2))
