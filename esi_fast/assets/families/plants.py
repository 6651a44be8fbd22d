"""Plants in pots, and the pots."""

from __future__ import annotations

import numpy as np

from esi_fast.assets import palettes
from esi_fast.assets.sketch import Sketch
from esi_fast.assets.solids import Solid, blob, cylinder, lathe, leaf, loft, tube, vessel
from esi_fast.types import FloatArray

__all__ = ["bush", "cactus", "plant_pot", "pot_plant", "tree"]


def _pot(radius: float, height: float) -> tuple[Solid, Solid]:
    """A flared pot with a rim, and the earth in it."""
    wall = 0.09 * radius
    outer = [
        (0.68 * radius, 0.0),
        (0.92 * radius, 0.8 * height),
        (radius, 0.82 * height),
        (radius, height),
    ]
    inner = [
        (radius - wall, height),
        (0.88 * radius - wall, 0.8 * height),
        (0.66 * radius - wall, 0.06 * height),
    ]
    earth = lathe([(0.5 * radius, 0.5 * height), (0.9 * radius - wall, 0.84 * height)], 36)
    return vessel(outer, inner), earth


def plant_pot(sketch: Sketch) -> None:
    """An empty flower pot."""
    x, y, z = sketch.size
    r = max(x, y) / 2
    pot, _ = _pot(r, z)
    sketch.paint("pot", palettes.TERRACOTTA)
    sketch.add("pot", pot.scaled(x / 2 / r, y / 2 / r, 1.0))
    inner = 0.4 * min(x, y) * 0.62
    sketch.cavity((-inner, -inner, 0.06 * z), (inner, inner, z))


def pot_plant(sketch: Sketch) -> None:
    """A plant in a pot: an arching rosette, a stem with broad leaves, or a small tree."""
    x, y, z = sketch.size
    sketch.paint("pot", palettes.TERRACOTTA)
    sketch.paint("earth", palettes.plain("#3d2c20"))
    sketch.paint("leaves", palettes.LEAF)
    sketch.paint("stem", palettes.plain("#6b5a35", "#5d4a2c"))
    rng = sketch.rng("leaves")
    span = min(x, y)
    tall = z > 1.45 * max(x, y)
    pot_z = min((0.24 if tall else 0.34) * z, 0.7 * span)
    pot, earth = _pot(min(0.3 * span, 0.8 * pot_z), pot_z)
    sketch.add("pot", pot)
    sketch.add("earth", earth)
    kind = (
        sketch.pick("kind", ("broad", "tree"))
        if tall
        else sketch.pick("kind", ("rosette", "broad", "rosette"))
    )
    base = 0.82 * pot_z
    high = z - base
    if kind == "rosette":
        count = 18
        for k in range(count):
            ring = k % 3
            reach = (0.62 + 0.1 * float(rng.uniform(-1, 1))) * span
            blade = leaf(
                reach,
                0.13 * span,
                (1.45, 1.0, 0.55)[ring] + 0.1 * float(rng.uniform(-1, 1)),
                0.008 * span,
            )
            turned = blade.turned("y", (-5.0, -18.0, -38.0)[ring]).turned(
                "z", 360.0 * k / count + 20.0 * float(rng.uniform(-1, 1))
            )
            sketch.add("leaves", turned.scaled(1.0, 1.0, high / (0.85 * span)).moved(z=base))
    elif kind == "broad":
        stems = 3 if not tall else 2
        for s in range(stems):
            lean = 360.0 * s / stems + 30.0 * float(rng.uniform(-1, 1))
            c, d = np.cos(np.deg2rad(lean)), np.sin(np.deg2rad(lean))
            out = 0.14 * span
            top = base + high * (0.86 - 0.12 * s)
            path = [
                (0.02 * c, 0.02 * d, base),
                (0.6 * out * c, 0.6 * out * d, base + 0.5 * (top - base)),
                (out * c, out * d, top),
            ]
            sketch.add("stem", tube(path, [0.02 * span, 0.015 * span, 0.008 * span], segments=7))
            nodes = 6 if tall else 4
            for k in range(nodes):
                t = 0.35 + 0.65 * k / (nodes - 1)
                size = span * (0.46 - 0.12 * t)
                blade = leaf(size, 0.52 * size, 0.9 + 0.3 * float(rng.uniform(0, 1)), 0.008 * span)
                at = np.array([out * t * c, out * t * d, base + t * (top - base)])
                angle = lean + 137.5 * k
                sketch.add(
                    "leaves", blade.turned("y", -10.0 - 30.0 * t).turned("z", angle).moved(*at)
                )
    else:
        trunk = base + 0.5 * high
        sketch.add(
            "stem",
            tube(
                [(0, 0, base), (0.01 * span, 0, base + 0.25 * high), (0, 0, trunk + 0.15 * high)],
                0.025 * span,
                segments=9,
            ),
        )
        crowns = [(0.0, 0.0, 0.72, 0.42)] + [
            (0.2 * np.cos(a), 0.2 * np.sin(a), 0.66 + 0.06 * np.sin(3 * a), 0.3)
            for a in np.arange(5) * 1.2566
        ]
        for cx, cy, cz, size in crowns:
            phase = rng.uniform(0, 6.28, 4)
            sketch.add(
                "leaves",
                _foliage(size * span, size * 0.62 * high, phase).moved(
                    cx * span, cy * span, base + cz * high
                ),
            )


def _foliage(radius: float, height: float, phase: FloatArray) -> Solid:
    """A bumpy ball of leaves; its piece is the smooth ball below the bumps."""

    def surface(lon: FloatArray, lat: FloatArray) -> FloatArray:
        bump = (
            1.0
            + 0.13 * np.sin(7 * lon + phase[0]) * np.cos(6 * lat + phase[1])
            + 0.08 * np.sin(11 * lat + 5 * lon + phase[2])
        )
        bump = np.where(np.abs(lat) > 1.5, 1.0, bump)
        flat = np.cos(lat)
        return np.stack(
            np.broadcast_arrays(
                radius * bump * flat * np.cos(lon),
                radius * bump * flat * np.sin(lon),
                height * bump * np.sin(lat) + 0.0 * lon,
            ),
            axis=-1,
        )

    solid = blob(surface, 26, 16)
    return solid.with_convex((solid.vertices * 0.94,))


def bush(sketch: Sketch) -> None:
    """A bush: overlapping balls of leaves on the ground."""
    x, y, z = sketch.size
    sketch.paint("leaves", palettes.LEAF)
    rng = sketch.rng("bush")
    around = [(0.26 * np.cos(a), 0.26 * np.sin(a), 0.24, 0.4) for a in np.arange(6) * 1.0472]
    for cx, cy, size, cz in [(0.0, 0.0, 0.34, 0.55), *around]:
        ball = _foliage(1.0, 1.0, rng.uniform(0.0, 6.28, 4)).scaled(size * x, size * y, 0.4 * z)
        sketch.add("leaves", ball.moved(cx * x, cy * y, cz * z))


def tree(sketch: Sketch) -> None:
    """A tree: a trunk that forks, a crown of many balls of leaves."""
    x, y, z = sketch.size
    sketch.paint("bark", palettes.plain("#6b5138", "#5a4430", "#7a6a55"))
    sketch.paint("leaves", palettes.LEAF)
    rng = sketch.rng("tree")
    r = 0.035 * min(x, y)
    trunk = [(0, 0, 0), (0.01 * x, 0, 0.2 * z), (0, 0.01 * y, 0.42 * z), (0, 0, 0.6 * z)]
    sketch.add("bark", tube(trunk, [1.5 * r, r, 0.8 * r, 0.5 * r], segments=12))
    for k in range(5):
        t = 2.0 * np.pi * k / 5
        tip = (0.24 * x * np.cos(t), 0.24 * y * np.sin(t), 0.62 * z)
        sketch.add("bark", tube([(0, 0, 0.34 * z), tip], [0.6 * r, 0.25 * r], segments=8))
    crowns = [(0.0, 0.0, 0.76, 0.3)]
    for ring, (reach, level, size, count) in enumerate(((0.3, 0.56, 0.2, 7), (0.22, 0.76, 0.2, 5))):
        for k in range(count):
            t = 2.0 * np.pi * (k + 0.5 * ring) / count
            crowns.append((reach * np.cos(t), reach * np.sin(t), level, size))
    for cx, cy, cz, size in crowns:
        ball = _foliage(1.0, 1.0, rng.uniform(0.0, 6.28, 4))
        ball = ball.scaled(size * x, size * y, 0.8 * size * z)
        sketch.add("leaves", ball.moved(cx * x, cy * y, cz * z))


def cactus(sketch: Sketch) -> None:
    """A ribbed column cactus with two arms in a pot."""
    x, y, z = sketch.size
    pot_z = 0.3 * z
    sketch.paint("pot", palettes.TERRACOTTA)
    sketch.paint("earth", palettes.plain("#7a6650"))
    sketch.paint("skin", palettes.LEAF)
    sketch.paint("spines", palettes.plain("#e6dfb8"))
    r = min(x, y) / 2
    pot, earth = _pot(min(0.72 * r, 0.9 * pot_z), pot_z)
    sketch.add("pot", pot)
    sketch.add("earth", earth)
    base = 0.8 * pot_z
    body = 0.34 * r
    sketch.add("skin", _column(body, z - base).moved(z=base))
    for side, low, tip in ((1.0, 0.42, 0.82), (-1.0, 0.52, 0.7)):
        start = base + low * (z - base)
        out = side * (r - 0.2 * r)
        path = [
            (0, 0, start),
            (0, 0.7 * out, start),
            (0, out, start + 0.25 * r),
            (0, out, base + tip * (z - base) - 0.1 * r),
            (0, out, base + tip * (z - base)),
        ]
        sketch.add("skin", tube(path, [0.19 * r, 0.2 * r, 0.2 * r, 0.2 * r, 0.06 * r], segments=14))
    for k in range(10):
        t = 2 * np.pi * k / 10
        for row in range(6):
            height = base + (0.12 + 0.14 * row) * (z - base)
            spine = (
                cylinder(0.025 * r, 0.12 * r, 4, top=0.004 * r)
                .turned("y", 90.0)
                .turned("z", np.rad2deg(t))
            )
            at = 0.97 * body
            sketch.add(
                "spines", spine.moved(at * np.cos(t), at * np.sin(t), height).with_convex(())
            )


def _column(radius: float, height: float) -> Solid:
    """An upright ribbed column with a round top; its piece is its hull."""
    rings = []
    t = 2 * np.pi * np.arange(40) / 40
    for share, level in (
        (0.85, 0),
        (1, 0.15),
        (1, 0.75),
        (0.92, 0.87),
        (0.7, 0.95),
        (0.35, 0.99),
        (0.08, 1.0),
    ):
        r = radius * share * (1.0 - 0.12 * (0.5 - 0.5 * np.cos(10 * t)))
        rings.append(np.stack([r * np.cos(t), r * np.sin(t), np.full(40, level * height)], axis=1))
    return loft(rings, [])
