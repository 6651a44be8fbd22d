"""Sandwiches, baked things, leaves, clusters of berries, lumps and cubes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from esi_fast.assets import palettes
from esi_fast.assets.families.vessels import smooth, walls_of
from esi_fast.assets.sketch import Sketch
from esi_fast.assets.solids import (
    Solid,
    blob,
    cylinder,
    ellipsoid,
    lathe,
    leaf,
    loft,
    prism,
    rounded_box,
    tube,
)
from esi_fast.geometry.render import Material
from esi_fast.types import FloatArray

__all__ = [
    "baguette",
    "burger",
    "cake_slice",
    "cluster",
    "croissant",
    "cube",
    "flat_food",
    "leafy_head",
    "lump",
    "pine_cone",
    "salad",
    "sandwich",
    "shell_spiral",
    "stalks",
]

_BREAD = palettes.plain("#d9a860", "#c9924a", "#e0b878")
_LETTUCE = palettes.plain("#7fae3f", "#6f9f38", "#8ab84a")


def _wavy(x: float, y: float, z: float, waves: int, depth: float) -> Solid:
    """A leaf of lettuce: a flat disc whose rim goes up and down; touched as its hull."""
    t = 2.0 * np.pi * np.arange(48) / 48
    rings = []
    for share, high in ((0.6, 0.0), (1.0, -0.3), (1.0, 0.5), (0.6, 0.8)):
        lift = high * z + (depth * z * np.sin(waves * t) if share == 1.0 else 0.0)
        r = share * (1.0 + 0.04 * np.sin(waves * t + 1.0))
        rings.append(np.stack([x / 2 * r * np.cos(t), y / 2 * r * np.sin(t), lift + 0 * t], axis=1))
    solid = loft(rings)
    return solid.with_convex((solid.vertices,))


def burger(sketch: Sketch) -> None:
    """A hamburger: two buns with sesame, lettuce, tomato, cheese, a patty."""
    x, y, z = sketch.size
    top = smooth([(0.9, 0.56), (0.97, 0.64), (0.84, 0.84), (0.4, 0.97), (0.05, 1.0)], 4)
    sketch.put("bun", _BREAD, lathe([(a, b * z) for a, b in top]).scaled(x / 2, y / 2, 1.0))
    low = [(0.8, 0.0), (0.93, 0.06), (0.93, 0.2), (0.88, 0.24)]
    sketch.add("bun", lathe([(a, b * z) for a, b in low]).scaled(x / 2, y / 2, 1.0))
    patty = palettes.plain("#4a2a1c", "#5a3422")
    disc = cylinder(0.96, 0.16 * z, 36)
    sketch.put("patty", patty, disc.scaled(x / 2, y / 2, 1.0).moved(z=0.22 * z))
    sketch.put("cheese", palettes.plain("#f0b429"), _sheet(0.92 * x, 0.92 * y, 0.04 * z, 0.37 * z))
    tomato = cylinder(0.84, 0.06 * z, 30).scaled(x / 2, y / 2, 1.0).moved(z=0.41 * z)
    sketch.put("tomato", palettes.plain("#c8382a"), tomato)
    sketch.put("lettuce", _LETTUCE, _wavy(0.99 * x, 0.99 * y, 0.09 * z, 9, 0.5).moved(z=0.49 * z))
    rng = sketch.rng("sesame")
    for k in range(26):
        t, s = 2.4 * k, 0.78 * np.sqrt((k + 0.5) / 26)
        radius = np.array([a for a, _ in top])[::-1]
        height = float(np.interp(s, radius, np.array([b for _, b in top])[::-1]))
        seed = ellipsoid(0.03 * x, 0.018 * x, 0.012 * x, fine=0).turned(
            "z", float(rng.uniform(0, 360))
        )
        at = (s * x / 2 * np.cos(t), s * y / 2 * np.sin(t), height * z)
        sketch.put("sesame", palettes.CREAM[2:3], seed.moved(*at).with_convex(()))


def _sheet(x: float, y: float, z: float, at: float) -> Solid:
    return rounded_box(x, y, z, 0.3 * z).turned("z", 0.0).moved(z=at)


def sandwich(sketch: Sketch) -> None:
    """A club sandwich: toast halves with filling, a stick with an olive through them."""
    x, y, z = sketch.size
    long = 0.78 * z
    corner = [(-0.5 * x, -0.5 * y), (0.5 * x, -0.5 * y), (-0.5 * x, 0.5 * y)]
    tri = np.array(corner)
    layers = (
        ("bread", _BREAD, 0.0, 0.2, 1.0),
        ("ham", palettes.plain("#d98a80", "#cf7a72"), 0.2, 0.27, 1.03),
        ("lettuce", _LETTUCE, 0.27, 0.35, 1.06),
        ("bread", _BREAD, 0.35, 0.52, 0.98),
        ("cheese", palettes.plain("#f0c040"), 0.52, 0.58, 1.03),
        ("tomato", palettes.plain("#c8382a"), 0.58, 0.66, 1.0),
        ("lettuce", _LETTUCE, 0.66, 0.74, 1.05),
        ("bread", _BREAD, 0.74, 1.0, 1.0),
    )
    middle = tri.mean(axis=0)
    for slot, palette, low, high, grow in layers:
        shape = prism(middle + (tri - middle) * grow, (high - low) * long)
        sketch.put(slot, palette, shape.moved(z=low * long))
    at = (float(middle[0]), float(middle[1]))
    stick = cylinder(0.012 * x, z - 0.5 * long, 8).moved(*at, 0.5 * long)
    sketch.put("stick", palettes.WOOD[2:3], stick)
    olive = ellipsoid(0.05 * x, 0.05 * x, 0.09 * z, fine=0).moved(*at, 0.9 * z)
    sketch.put("olive", palettes.plain("#6b7a2a", "#c8281f"), olive)


def salad(sketch: Sketch) -> None:
    """A bowl of salad: leaves, tomato halves, cucumber and onion rings."""
    x, y, z = sketch.size
    r = max(x, y) / 2
    stretch = (x / 2 / r, y / 2 / r, 1.0)
    bowl = smooth([(0.45 * r, 0), (0.5 * r, 0.05 * z), (0.85 * r, 0.4 * z), (r, 0.78 * z)], 4)
    sketch.put(
        "bowl",
        palettes.WHITE + palettes.WOOD[:2] + palettes.CERAMIC[1:2],
        walls_of(bowl, 0.05 * r, 0.08 * z).scaled(*stretch),
    )
    bed = lathe([(0.5 * r, 0.1 * z), (0.86 * r, 0.62 * z), (0.6 * r, 0.78 * z)])
    heap = lathe([(0.5 * r, 0.1 * z), (0.94 * r, 0.74 * z), (0.94 * r, 0.9 * z), (0.62 * r, z)])
    sketch.put("leaves", _LETTUCE, bed.with_convex(heap.convex).scaled(*stretch))
    rng = sketch.rng("salad")
    for k in range(16):
        t, s = 2.4 * k, 0.68 * r * np.sqrt((k + 0.5) / 16)
        blade = _wavy(0.5 * r, 0.4 * r, 0.12 * z, 5, 0.6).turned("y", float(rng.uniform(-35, 35)))
        placed = blade.turned("z", float(rng.uniform(0, 360))).with_convex(())
        slot = "leaves" if k % 2 else "dark"
        at = (s * np.cos(t), s * np.sin(t), 0.8 * z)
        sketch.put(slot, palettes.plain("#4f8a38", "#3f7a34"), placed.moved(*at).scaled(*stretch))
    for k in range(6):
        t, s = 1.0 + 1.9 * k, (0.28 + 0.3 * (k % 2)) * r
        at = (s * np.cos(t), s * np.sin(t), 0.88 * z)
        if k % 2:
            half = ellipsoid(0.15 * r, 0.15 * r, 0.12 * z, fine=0)
            sketch.put("tomato", palettes.plain("#c8281f"), half.moved(*at).scaled(*stretch))
        else:
            slice_ = cylinder(0.15 * r, 0.04 * z, 20).turned("y", 18.0).moved(*at)
            sketch.put("cucumber", palettes.plain("#b9d68a"), slice_.scaled(*stretch))


def leafy_head(sketch: Sketch, *, colors: Sequence[str], tips: str = "", leaves: int = 14) -> None:
    """A cabbage, artichoke or the like: leaves that wrap a heart, their ``tips`` darker."""
    x, y, z = sketch.size
    sketch.paint("heart", palettes.plain(*colors))
    shades = palettes.plain(*(tips,) if tips else colors[1:] or colors)
    sketch.paint("leaves", shades)

    def cup(width: float, rise: float) -> Solid:
        """A leaf hugging the unit sphere from its foot at the bottom, curling out at the top."""
        t = np.linspace(-1.0, 1.0, 9)
        rings = []
        for s in np.linspace(-1.35, rise, 8):
            half = (
                width
                * np.cos(0.9 * (s - rise) / (rise + 1.35))
                * np.sqrt(np.clip(1.06 - ((s + 0.1) / (rise + 0.25)) ** 8, 0.05, 1.0))
            )
            curl = 1.0 + 0.1 * max(0.0, (s - 0.2)) ** 2
            flat = np.cos(s) * curl
            for_inner = []
            for grow in (1.0, 0.965):
                a = half * t[:: 1 if grow == 1.0 else -1]
                edge = 1.0 + 0.05 * np.abs(t[:: 1 if grow == 1.0 else -1]) ** 3
                for_inner.append(
                    np.stack(
                        [
                            grow * edge * flat * np.cos(a),
                            grow * edge * flat * np.sin(a),
                            grow * np.sin(s) * curl + 0 * a,
                        ],
                        axis=1,
                    )
                )
            rings.append(np.concatenate(for_inner))
        return loft(rings).with_convex(())

    wrapped = []
    for k in range(leaves):
        grow = 1.0 - 0.12 * k / leaves
        blade = cup(0.75, 0.35 + 0.8 * k / leaves).turned("z", 137.5 * k)
        wrapped.append(blade.scaled(0.47 * x * grow, 0.47 * y * grow, 0.48 * z).moved(z=0.48 * z))
        sketch.add("leaves" if k % 2 else "heart", wrapped[-1])
    # To the touch it is one ball.
    heart = ellipsoid(0.44 * x, 0.44 * y, 0.46 * z, fine=1).moved(z=0.47 * z)
    sketch.add("heart", heart.with_convex((np.concatenate([s.vertices for s in wrapped]),)))


def cluster(
    sketch: Sketch,
    *,
    colors: Sequence[str],
    rows: int = 6,
    calyx: str = "",
    stalk: bool = False,
    pair: bool = False,
) -> None:
    """Small balls that make one fruit (raspberry), a bunch (grapes) or a ``pair`` (cherries)."""
    x, y, z = sketch.size
    sketch.paint("fruit", palettes.plain(*colors, gloss=0.35))
    if pair:
        r = 0.27
        for side in (-1, 1):
            ball = ellipsoid(r * x, min(r * x, y / 2), 0.36 * z, fine=1)
            sketch.add("fruit", ball.moved(side * 0.23 * x, 0.0, 0.36 * z))
            path = [
                (side * 0.23 * x, 0, 0.66 * z),
                (side * 0.12 * x, 0, 0.86 * z),
                (0, 0, 0.98 * z),
            ]
            sketch.put("stalk", palettes.plain("#6b7a2e"), tube(path, 0.02 * x, segments=6))
        return
    size = 1.15 / rows
    for k in range(rows):
        level = (k + 0.5) / rows
        # Wide near the top, narrow at the tip: a strawberry of balls.
        wide = (
            0.5 * (1.0 - (abs(level - 0.6) / 0.62) ** 2.2)
            if stalk
            else 0.5 * np.sin(np.pi * (0.12 + 0.76 * level))
        )
        around = max(1, round(2.0 * np.pi * wide / size))
        for j in range(around):
            t = 2.0 * np.pi * (j + 0.5 * (k % 2)) / around
            c = max(wide - 0.42 * size, 0.0)
            ball = ellipsoid(0.56 * size * x, 0.56 * size * y, 0.6 * size * z, fine=0)
            at = (c * x * np.cos(t), c * y * np.sin(t), (0.06 + 0.86 * level) * z)
            sketch.add("fruit", ball.moved(*at))
    if calyx:
        sketch.paint("calyx", palettes.plain(calyx))
        for k in range(5):
            sepal = leaf(0.34 * x, 0.14 * x, 1.1, 0.02 * x).turned("z", 72.0 * k)
            sketch.add("calyx", sepal.moved(z=0.92 * z))
    if stalk:
        stem = tube([(0, 0, 0.8 * z), (0, 0, 0.94 * z), (0.05 * x, 0, z)], 0.025 * x, segments=6)
        sketch.put("stalk", palettes.plain("#7a6a3a"), stem)


def lump(
    sketch: Sketch,
    *,
    colors: Sequence[str],
    bumps: float = 0.08,
    fine: int = 7,
    gloss: float = 0.0,
    specks: str = "",
) -> None:
    """A ball that is not quite one: meat balls, dough, stones, cotton; ``specks`` on its skin."""
    x, y, z = sketch.size
    phase = sketch.rng("bumps").uniform(0.0, 2.0 * np.pi, 3)

    def surface(lon: FloatArray, lat: FloatArray) -> FloatArray:
        ring = np.cos(lat)
        wave = 1.0 + bumps * ring * (
            np.sin(fine * lon + phase[0]) * np.cos((fine - 2) * lat + phase[1])
            + 0.6 * np.sin((fine + 3) * lat + (fine - 3) * lon * 1.0 + phase[2])
        )
        return np.stack(
            np.broadcast_arrays(
                x / 2 * wave * ring * np.cos(lon),
                y / 2 * wave * ring * np.sin(lon),
                z / 2 * wave * np.sin(lat) + 0.0 * lon,
            ),
            axis=-1,
        )

    sketch.paint("body", palettes.plain(*colors, gloss=gloss))
    body = blob(surface, 36, 22)
    # Its piece runs through the middle of the bumps.
    sketch.add("body", body.with_convex(((1.0 - 0.25 * bumps) * body.vertices,)).moved(z=z / 2))
    if specks:
        sketch.paint("specks", palettes.plain(specks))
        for k in range(24):
            lat = np.arcsin(1.0 - 2.0 * (k + 0.5) / 24)
            lon = 2.4 * k
            at = surface(np.array(lon), np.array(lat))
            spot = ellipsoid(0.035 * x, 0.035 * y, 0.035 * z, fine=0).moved(*(0.975 * at).tolist())
            sketch.add("specks", spot.moved(z=z / 2).with_convex(()))


def cube(sketch: Sketch, *, palette: Sequence[Material], soft: float = 0.08) -> None:
    """A cube with rounded edges: ice, sugar, stones for whiskey."""
    x, y, z = sketch.size
    sketch.paint("body", palette)
    sketch.add("body", rounded_box(x, y, z, soft * min(x, y, z)))
    sketch.top(0.1 * min(x, y))


def cake_slice(sketch: Sketch) -> None:
    """A slice of cake, its point at +x: crust, cream, topping, a berry."""
    x, y, z = sketch.size
    tip = np.array([(-0.5 * x, -0.5 * y), (0.5 * x, 0.0), (-0.5 * x, 0.5 * y)])
    for slot, palette, low, high in (
        ("crust", palettes.plain("#a8743a", "#8a5a2c"), 0.0, 0.2),
        ("cream", palettes.plain("#f3e6c4", "#f0dcb0"), 0.2, 0.72),
        ("topping", palettes.plain("#b3202c", "#5a2f6b", "#e0b02f"), 0.72, 0.84),
    ):
        sketch.put(slot, palette, prism(tip, (high - low) * z).moved(z=low * z))
    back = rounded_box(0.1 * x, y, 0.86 * z, 0.02 * x).moved(x=-0.46 * x)
    sketch.add("crust", back)
    berry = ellipsoid(0.12 * x, 0.12 * x, 0.12 * z, fine=0).moved(x=-0.2 * x, z=0.9 * z)
    sketch.put("berry", palettes.plain("#a81c28", "#3f2a5a"), berry)


def croissant(sketch: Sketch) -> None:
    """A croissant: a bent roll of segments, thick in the middle."""
    x, y, z = sketch.size
    sketch.paint("crust", palettes.plain("#c98a3f", "#b9782f", "#d69a52"))
    t = np.linspace(-1.25, 1.25, 19)
    path = np.stack([-0.62 * x * np.cos(t), 0.5 * y * np.sin(1.2 * t), 0.5 * z + 0 * t], axis=1)
    path[:, 0] -= (path[:, 0].max() + path[:, 0].min()) / 2
    swell = (0.16 + 0.84 * np.cos(t / 1.25 * np.pi / 2) ** 0.8) * 0.5 * z
    ridge = swell * (1.0 + 0.1 * np.cos(8.0 * np.pi * t / 2.5))
    sketch.add("crust", tube(path, ridge, segments=16))


def baguette(sketch: Sketch) -> None:
    """A long loaf along x with slashes across the top."""
    x, y, z = sketch.size

    def surface(lon: FloatArray, lat: FloatArray) -> FloatArray:
        s = np.sin(lat) + 0.0 * lon
        ring = np.cos(lat) ** 0.5
        up = np.sin(lon)
        return np.stack(
            np.broadcast_arrays(
                x / 2 * s,
                y / 2 * ring * np.cos(lon),
                z / 2 * ring * np.where(up < 0, 0.75 * up, up),
            ),
            axis=-1,
        )

    sketch.put("crust", palettes.plain("#c98f4a", "#b97c38", "#d6a25f"), blob(surface, 28, 20))
    for k in range(4):
        at = (-0.3 + 0.2 * k) * x
        across = np.linspace(-0.55, 0.55, 7)
        high = np.sqrt(np.clip(1.0 - across**2, 0.0, 1.0)) * (1.0 - (at / (0.5 * x)) ** 2) ** 0.25
        path = np.stack([at + 0.1 * x * across, across * y / 2, 0.985 * high * z / 2], axis=1)
        cut = tube(path, 0.035 * x * (1.0 - across**2), flat=0.35, segments=8).with_convex(())
        sketch.put("slashes", palettes.plain("#ecd3a0"), cut)


def flat_food(sketch: Sketch, *, colors: Sequence[str], specks: str = "", rim: str = "") -> None:
    """A round flat thing: pita, pizza, a slice of sausage; ``rim`` is its edge."""
    x, y, z = sketch.size
    profile = [(0.94, 0.0), (1.0, 0.35), (0.97, 0.85), (0.86, 1.0), (0.8, 0.86)]
    disc = lathe([(a, b * z) for a, b in profile], 40).scaled(x / 2, y / 2, 1.0)
    sketch.put("dough", palettes.plain(rim) if rim else palettes.plain(*colors), disc)
    if rim:
        inner = lathe([(0.82, 0.5 * z), (0.82, 0.92 * z)], 40).scaled(x / 2, y / 2, 1.0)
        sketch.put("inside", palettes.plain(*colors), inner)
    if specks:
        for k in range(15):
            t, s = 2.4 * k, 0.74 * np.sqrt((k + 0.5) / 15)
            spot = ellipsoid(0.05 * x, 0.04 * y, 0.1 * z, fine=0)
            at = (s * x / 2 * np.cos(t), s * y / 2 * np.sin(t), 0.92 * z)
            sketch.put("specks", palettes.plain(specks), spot.moved(*at).with_convex(()))
    sketch.support((-0.3 * x, -0.3 * y), (0.3 * x, 0.3 * y), z)


def pine_cone(sketch: Sketch, *, colors: Sequence[str] = ("#6b4628", "#7a5230")) -> None:
    """A cone of scales, standing on its foot."""
    x, y, z = sketch.size
    sketch.paint("scales", palettes.plain(*colors))
    core = lathe(smooth([(0.3, 0.0), (0.62, 0.25), (0.5, 0.6), (0.1, 0.96)], 4), 20)
    sketch.add("scales", core.scaled(x / 2, y / 2, z))
    for row in range(7):
        level = (row + 0.4) / 7.4
        wide = float(np.interp(level, [0.0, 0.25, 0.6, 1.0], [0.62, 1.0, 0.8, 0.15]))
        for k in range(9):
            t = 40.0 * k + 20.0 * (row % 2)
            scale = ellipsoid(0.3 * wide, 0.2 * wide + 0.03, 0.045, fine=0).turned("y", -28.0)
            placed = scale.moved(x=0.72 * wide).turned("z", t).scaled(x / 2, y / 2, z)
            sketch.add("scales", placed.moved(z=level * z))


def shell_spiral(sketch: Sketch, *, fan: bool = False) -> None:
    """A sea shell: a ``fan`` of ribs, or a snail's spiral with an open lip."""
    x, y, z = sketch.size
    sketch.paint("shell", palettes.plain("#e6c9a6", "#e8b8a0", "#d9d0c0", gloss=0.3))
    if fan:
        t = np.linspace(-1.15, 1.15, 61)
        rib = 1.0 + 0.035 * np.cos(26.0 * t)
        edge = np.stack([0.95 * x * np.cos(t) * rib - 0.45 * x, 0.55 * y * np.sin(t) * rib], axis=1)
        hinge = np.array([(-0.46 * x, 0.1 * y), (-0.5 * x, 0.0), (-0.46 * x, -0.1 * y)])
        line = np.concatenate([edge, hinge])
        rings = [
            np.column_stack([line * s + [(s - 1.0) * 0.3 * x, 0.0], np.full(len(line), h)])
            for s, h in ((1.0, 0.0), (1.0, 0.08 * z), (0.8, 0.62 * z), (0.4, 0.95 * z), (0.05, z))
        ]
        solid = loft(rings)
        sketch.add("shell", solid.with_convex((solid.vertices,)))
        return
    t = np.linspace(0.0, 5.0 * 2 * np.pi, 121)
    grow = (t / t[-1]) ** 1.6
    bar = 0.02 + 0.98 * grow
    path = np.stack(
        [(0.86 - grow * 1.02), 0.3 * grow * np.cos(t), 0.42 + 0.3 * grow * np.sin(t)], axis=1
    )
    spiral = tube(path * [x, y, z], 0.26 * bar * min(y, z), segments=14, group=4)
    sketch.add("shell", spiral)
    lip = ellipsoid(0.16 * x, 0.3 * y, 0.22 * z, fine=0).moved(-0.08 * x, 0.1 * y, 0.34 * z)
    sketch.put("inside", palettes.plain("#e39a8a", "#d98a80"), lip)


def stalks(sketch: Sketch, *, colors: Sequence[str], leaves: str, count: int = 6) -> None:
    """Stalks along x with leaves at +x: celery, bok choy, leek."""
    x, y, z = sketch.size
    sketch.paint("stalks", palettes.plain(*colors))
    sketch.paint("leaves", palettes.plain(leaves))
    for k in range(count):
        t = 2.0 * np.pi * k / count
        c, s = 0.26 * np.cos(t), 0.26 * np.sin(t)
        path = [
            (-0.5 * x, 0.5 * c * y, (0.42 + 0.5 * s) * z),
            (-0.1 * x, c * y, (0.42 + s) * z),
            (0.28 * x, 1.3 * c * y, (0.42 + 1.3 * s) * z),
        ]
        sketch.add("stalks", tube(path, [0.2 * z, 0.17 * z, 0.09 * z], segments=10, flat=0.8))
        for turn in (-30.0, 0.0, 30.0):
            blade = leaf(0.3 * x, 0.3 * y, 0.8, 0.02 * z).turned("x", 60.0 * s / 0.26)
            at = (0.2 * x, 1.25 * c * y, (0.42 + 1.25 * s) * z)
            sketch.add("leaves", blade.turned("z", turn + 40.0 * c).moved(*at))
