"""Cloth as it lies about: folded, spread out, draped, hung over; and what is sewn of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from esi_fast.assets import palettes
from esi_fast.assets.sketch import Sketch
from esi_fast.assets.solids import (
    Solid,
    box,
    cushion,
    cylinder,
    loft,
    rounded_box,
    rounded_rectangle,
    shell,
    tube,
)
from esi_fast.geometry.render import Material
from esi_fast.types import FloatArray, UInt8Array

__all__ = ["bag", "draped", "folded", "jeans", "roll", "sheet", "sock"]


def folded(
    sketch: Sketch,
    *,
    palette: Sequence[Material] = palettes.CLOTH,
    folds: int = 3,
    stripes: bool = True,
) -> None:
    """A cloth folded into a flat stack, its fold in front (+x), stripes near the ends."""
    x, y, z = sketch.size
    sketch.paint("cloth", palette)
    layer = z / folds
    rng = sketch.rng("folds")
    for k in range(folds):
        slip = float(rng.uniform(-0.02, 0.0)) * x if k else 0.0
        slab = rounded_box(x + slip, y * float(rng.uniform(0.97, 1.0)), 1.04 * layer, 0.5 * layer)
        sketch.add("cloth", slab.moved(x=-slip / 2, z=k * layer))
    if stripes:
        sketch.paint("stripes", sketch.color("stripes", palettes.CLOTH[::-1]))
        for at in (-0.32, -0.26, 0.26, 0.32):
            band = box(0.95 * x, 0.03 * y, 0.03 * layer).moved(y=at * y, z=z + 0.03 * layer)
            sketch.add("stripes", band.with_convex(()))
    sketch.support((-0.4 * x, -0.4 * y), (0.4 * x, 0.4 * y), z)


def _spread(x: float, y: float, z: float, phase: FloatArray, thick: float, n: int = 14) -> Solid:
    """A sheet with gentle waves: one slab of one hull."""
    u, v = (g.ravel() for g in np.meshgrid(*[np.linspace(-0.5, 0.5, n)] * 2, indexing="ij"))
    lift = 0.5 * np.sin(9.0 * u + phase[0]) * np.cos(7.0 * v + phase[1]) + 0.5 * np.sin(
        5.0 * v + 4.0 * u + phase[2]
    )
    lift = (lift - lift.min()) / (lift.max() - lift.min())
    low = np.stack([u * x, v * y, lift * (z - thick)], axis=1)
    vertices = np.concatenate([low, low + np.array([0.0, 0.0, thick])])
    i, j = (g.ravel() for g in np.meshgrid(*[np.arange(n - 1)] * 2, indexing="ij"))
    a, b, c, d = i * n + j, (i + 1) * n + j, (i + 1) * n + j + 1, i * n + j + 1
    top = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)]) + n * n
    bottom = np.concatenate([np.stack([a, c, b], 1), np.stack([a, d, c], 1)])
    k = np.arange(n)
    edge = np.concatenate([k[:-1] * n, (n - 1) * n + k[:-1], k[:0:-1] * n + n - 1, k[:0:-1]])
    nxt = np.roll(edge, -1)
    m = n * n
    sides = np.concatenate(
        [np.stack([edge, nxt, nxt + m], 1), np.stack([edge, nxt + m, edge + m], 1)]
    )
    faces = np.concatenate([top, bottom, sides])
    return Solid(vertices, faces, (vertices,))


def sheet(
    sketch: Sketch, *, palette: Sequence[Material] = palettes.CLOTH, chart: bool = False
) -> None:
    """A cloth or paper spread out flat, slightly wavy; a ``chart`` is printed as a map."""
    x, y, z = sketch.size
    phase = sketch.rng("waves").uniform(0.0, 2.0 * np.pi, 3)
    if chart:
        image = _chart(sketch.rng(f"chart{sketch.palette}").uniform(0.0, 2.0 * np.pi, 8))
        sketch.paint("cloth", Material(color=(1.0, 1.0, 1.0), texture="image", image=image))
        slab = box(x, y, z)
        sketch.add("cloth", slab.projected("z"))
        return
    sketch.paint("cloth", palette)
    sketch.add("cloth", _spread(x, y, z, phase, 0.5 * z))


def _chart(phase: FloatArray) -> UInt8Array:
    """A map: land and sea with a coast, roads, a river, a margin."""
    high, wide = 144, 176
    v, u = np.mgrid[0:high, 0:wide] / float(wide)
    land = (
        0.5 * np.sin(5.0 * u + phase[0]) * np.cos(6.0 * v + phase[1])
        + 0.3 * np.sin(11.0 * v + 4.0 * u + phase[2])
        + 0.15 * np.sin(23.0 * u - 9.0 * v + phase[3])
    )
    image = np.empty((high, wide, 3), np.uint8)
    image[:] = (156, 196, 216)
    for level, color in ((-0.1, (226, 214, 170)), (0.0, (190, 206, 150)), (0.35, (150, 182, 120))):
        image[land > level] = color
    on_land = land > -0.05
    for k, color in ((4, (200, 70, 50)), (5, (240, 190, 60)), (6, (90, 130, 190))):
        path = 0.45 + 0.12 * np.sin(7.0 * u + phase[k]) + 0.25 * (u - 0.5) * (k - 5)
        image[on_land & (np.abs(v - path) < 0.008)] = color
    image[::36], image[:, ::36] = (120, 120, 120), (120, 120, 120)
    margin = np.ones((high, wide), bool)
    margin[6:-6, 6:-6] = False
    image[margin] = (245, 241, 230)
    return image


def draped(sketch: Sketch, *, palette: Sequence[Material] = palettes.CLOTH) -> None:
    """A cloth over a table that is not there: flat on top, falling in folds."""
    x, y, z = sketch.size
    t = 2.0 * np.pi * np.arange(96) / 96
    sketch.paint("cloth", palette)

    def ring(share: float, high: float, fold: float) -> FloatArray:
        c, s = np.cos(t), np.sin(t)
        square = np.maximum(np.abs(c), np.abs(s))
        r = share * 0.5 / square * (1.0 + fold * np.sin(16.0 * t))
        return np.stack([x * r * c, y * r * s, np.full(96, high)], axis=1)

    # Drawn upside down, as an open vessel.
    outer = [ring(0.86, 0.0, 0.0), ring(0.9, 0.03 * z, 0.0), ring(0.95, 0.5 * z, 0.02)]
    hem = [ring(1.0, z, 0.03), ring(0.96, z, 0.03)]
    inner = [ring(0.91, 0.5 * z, 0.02), ring(0.84, 0.04 * z, 0.0)]
    sketch.add("cloth", shell([*outer, hem[0]], [hem[1], *inner], 8).scaled(1.0, 1.0, -1.0))
    sketch.support((-0.4 * x, -0.4 * y), (0.4 * x, 0.4 * y), 0.0)


def jeans(sketch: Sketch) -> None:
    """Trousers lying on their back, the waist at -x: two legs, a waistband, pockets, a fly."""
    x, y, z = sketch.size
    denim = palettes.textured(
        "fabric", 0.008, ("#3f5a82", "#37507a"), ("#28344c", "#222d44"), ("#6f8fb0", "#6482a4")
    )
    sketch.paint("denim", denim)
    for side in (-1, 1):
        rings = []
        for t, wide, off, high in (
            (-0.5, 0.46, 0.23, 0.9),
            (-0.34, 0.5, 0.25, 1.0),
            (-0.18, 0.46, 0.26, 0.95),
            (0.1, 0.34, 0.29, 0.8),
            (0.5, 0.3, 0.34, 0.7),
        ):
            ring = rounded_rectangle(high * z, wide * y, 0.3 * high * z, 0.0, 4)
            rings.append(
                np.stack(
                    [0 * ring[:, 0] + t * x, ring[:, 1] + side * off * y, 0.5 * z + ring[:, 0]], 1
                )
            )
        sketch.add("denim", loft([r[::-1] for r in rings]))
    sketch.paint("seams", palettes.plain("#c98a3a"))
    band = rounded_box(0.06 * x, 0.96 * y, 0.96 * z, 0.2 * z).moved(x=-0.47 * x)
    sketch.put("band", sketch.color("denim", denim), band)
    sketch.add("seams", cylinder(0.018 * x, 0.03 * z, 16).moved(x=-0.47 * x, z=0.97 * z))
    fly = box(0.16 * x, 0.006 * y, 0.03 * z).moved(x=-0.36 * x, y=0.03 * y, z=0.93 * z)
    sketch.add("seams", fly.with_convex(()))
    for side in (-1, 1):
        a = np.linspace(0.0, np.pi / 2, 7)
        curve = np.stack(
            [
                -0.44 * x + 0.12 * x * np.sin(a),
                side * (0.2 + 0.22 * (1.0 - np.cos(a))) * y,
                (0.97 - 0.1 * np.sin(a)) * z,
            ],
            axis=1,
        )
        sketch.add("seams", tube(curve, 0.012 * z, segments=6).with_convex(()))
        hem = box(0.008 * x, 0.28 * y, 0.02 * z).moved(0.47 * x, side * 0.34 * y, 0.85 * z)
        sketch.add("seams", hem.with_convex(()))


def sock(sketch: Sketch) -> None:
    """A sock lying on its side, toe at +x, cuff up at +y, with stripes."""
    x, y, z = sketch.size
    sketch.paint("wool", palettes.CLOTH)
    sketch.paint("stripes", sketch.color("stripes", palettes.CLOTH[::-1]))
    path = np.array(
        [
            (-0.3, 0.5),
            (-0.3, 0.2),
            (-0.28, -0.1),
            (-0.12, -0.27),
            (0.15, -0.3),
            (0.42, -0.3),
            (0.5, -0.3),
        ]
    )
    widths = np.array([0.22, 0.21, 0.2, 0.23, 0.2, 0.19, 0.08])
    way = np.column_stack([path * [x, y], np.full(7, 0.5 * z)])
    flat = z / 2 / (0.22 * x)
    sketch.add("wool", tube(way, widths * x, segments=16, flat=flat))
    for k, at in enumerate((0.0, 0.07)):
        share = 0.06 + at / 0.3
        ring = way[0] * (1 - share) + way[1] * share
        ring2 = ring + (way[1] - way[0]) * 0.1
        band = tube([ring, ring2], 0.225 * x, segments=16, flat=1.01 * flat)
        sketch.add("stripes" if k == 0 else "wool", band.with_convex(()))
    mouth = tube([way[0] + (way[0] - way[1]) * 0.004, way[0]], 0.19 * x, segments=16, flat=flat)
    sketch.put("inside", palettes.plain("#2b2826"), mouth.with_convex(()))
    toe = tube(way[-2:] - np.array([0.02 * x, 0, 0]), [0.195 * x, 0.1 * x], segments=16, flat=flat)
    sketch.add("stripes", toe.with_convex(()))


def roll(sketch: Sketch) -> None:
    """A roll of paper lying along y, with its core and a loose end."""
    x, y, z = sketch.size
    r = min(x, z) / 2
    sketch.paint("paper", palettes.WHITE)
    body = cylinder(r, y, 36, bevel=0.03 * r).turned("x", 90.0).moved(y=y / 2, z=r)
    sketch.add("paper", body.scaled(x / 2 / r, 1.0, z / 2 / r))
    sketch.paint("core", palettes.plain("#b08a5a"))
    for side in (-1, 1):
        disc = cylinder(0.34 * r, 0.004 * y, 24).turned("x", 90.0)
        sketch.add("core", disc.moved(y=side * y / 2 + 0.002 * y, z=r).with_convex(()))
    sketch.paint("hole", palettes.plain("#4a3a28"))
    for side in (-1, 1):
        disc = cylinder(0.26 * r, 0.008 * y, 24).turned("x", 90.0)
        sketch.add("hole", disc.moved(y=side * y / 2 + 0.004 * y, z=r).with_convex(()))
    tail = box(0.03 * x, 0.98 * y, 0.5 * z, 0.004 * x).moved(x=0.49 * x, z=0.04 * z)
    sketch.add("paper", tail)


def bag(sketch: Sketch, *, kind: str) -> None:
    """A stuffed bag, its front at +x: a ``backpack``, a ``shoulder`` bag or a ``satchel``."""
    x, y, z = sketch.size
    sketch.paint("cloth", palettes.LEATHER if kind == "satchel" else palettes.UPHOLSTERY)
    sketch.paint("trim", palettes.DARK + palettes.LEATHER[:2])
    sketch.paint("metal", palettes.CHROME + palettes.BRASS[:1])
    tall = 0.9 * z if kind == "backpack" else 0.66 * z
    deep = 0.72 * x
    body = cushion(deep, y, tall, square=0.3, puff=0.32)
    sketch.add("cloth", body.moved(x=-0.02 * x, z=tall / 2))
    if kind == "backpack":
        pocket = cushion(0.5 * x, 0.74 * y, 0.42 * z, square=0.3, puff=0.32)
        sketch.add("cloth", pocket.moved(x=0.25 * x, z=0.26 * z))
        zip_ = np.linspace(-0.4, 0.4, 9)
        line = np.stack(
            [np.full(9, 0.335 * x), zip_ * y * 0.9, 0.68 * z + 0.16 * z * np.cos(2.6 * zip_)], 1
        )
        sketch.add("trim", tube(line, 0.012 * z, segments=6))
        sketch.add("trim", box(0.02 * x, 0.6 * y, 0.015 * z).moved(x=0.49 * x, z=0.4 * z))
        for side in (-1, 1):
            band = [
                (-0.3 * x, side * 0.2 * y, 0.84 * z),
                (-0.47 * x, side * 0.24 * y, 0.55 * z),
                (-0.3 * x, side * 0.3 * y, 0.1 * z),
            ]
            sketch.add("trim", tube(band, 0.05 * y, flat=0.35, segments=8))
        t = np.linspace(0.0, np.pi, 9)
        loop = np.stack(
            [np.full(9, -0.15 * x), 0.09 * y * np.cos(t), 0.86 * z + 0.12 * z * np.sin(t)], 1
        )
        sketch.add("trim", tube(loop, 0.02 * z, segments=8))
        return
    flap = cushion(0.8 * deep, 1.01 * y, 0.5 * tall, square=0.25, puff=0.3)
    sketch.add("trim" if kind == "satchel" else "cloth", flap.moved(x=0.1 * x, z=0.74 * tall))
    for at in (-0.24, 0.24) if kind == "satchel" else (0.0,):
        tongue = box(0.03 * x, 0.08 * y, 0.5 * tall, 0.006 * x)
        sketch.add("trim", tongue.moved(0.36 * x, at * y, 0.34 * tall))
        buckle = box(0.04 * x, 0.1 * y, 0.09 * tall)
        sketch.add("metal", buckle.moved(0.375 * x, at * y, 0.4 * tall))
    t = np.linspace(0.0, np.pi, 17)
    bar = 0.035 * y if kind == "satchel" else 0.025 * y
    arch = np.stack(
        [
            -0.05 * x + 0 * t,
            0.42 * y * np.cos(t),
            0.85 * tall + (z - bar - 0.85 * tall) * np.sin(t),
        ],
        1,
    )
    sketch.add("trim", tube(arch, bar, flat=0.5, segments=8))
