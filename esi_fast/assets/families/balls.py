"""Balls: a sphere with the seams and panels that tell them apart."""

from __future__ import annotations

import numpy as np

from esi_fast.assets import palettes
from esi_fast.assets.sketch import Sketch
from esi_fast.assets.solids import Solid, collar, cylinder, ellipsoid, loft, tube
from esi_fast.types import FloatArray

__all__ = ["bowling_ball", "pool_ball", "seamed_ball", "soccer_ball", "volleyball"]


def _on_sphere(path: FloatArray, width: float) -> Solid:
    """A flat ribbon painted on the unit sphere along unit vectors (N, 3)."""
    return tube(path * (1.0 - 0.6 * width), width, segments=6).with_convex(())


def _sphere(sketch: Sketch, slot: str) -> tuple[float, float, float]:
    x, y, z = sketch.size
    core = ellipsoid(x / 2, y / 2, z / 2, fine=2).moved(z=z / 2)
    sketch.add(slot, core)
    return x / 2, y / 2, z / 2


def _add(sketch: Sketch, slot: str, solid: Solid) -> None:
    x, y, z = sketch.size
    # Just inside the sphere's own extremes, so that the box is the ball's.
    sketch.add(slot, solid.scaled(0.4995 * x, 0.4995 * y, 0.4995 * z).moved(z=z / 2))


def soccer_ball(sketch: Sketch) -> None:
    """White with twelve dark five-sided patches and the seams between them."""
    sketch.paint("skin", palettes.WHITE)
    sketch.paint("patches", palettes.DARK + palettes.BRIGHT[1:2] + palettes.BRIGHT[:1])
    _sphere(sketch, "skin")
    g = (1 + np.sqrt(5.0)) / 2
    corners = np.array([(0, s, t * g) for s in (-1, 1) for t in (-1, 1)], float)
    centers = np.concatenate([np.roll(corners, k, axis=1) for k in range(3)])
    centers /= np.linalg.norm(centers[0])
    for center in centers:
        near = centers[np.argsort(-(centers @ center))[1:6]]
        first = near[0] - center * (near[0] @ center)
        u = first / np.linalg.norm(first)
        v = np.cross(center, u)
        rings = []
        for scale, height in ((0.34, 0.9), (0.34, 0.952), (0.2, 0.99), (0.04, 1.001)):
            corner = 2 * np.pi * np.arange(6) / 5
            # Edges of several chords each, or they would sink below the sphere.
            t = np.arange(20) / 4.0
            x = np.interp(t, np.arange(6), np.cos(corner))
            y = np.interp(t, np.arange(6), np.sin(corner))
            flat = center * height + scale * (x[:, None] * u + y[:, None] * v)
            rings.append(
                flat
                / np.linalg.norm(flat, axis=1, keepdims=True)
                * (1.006 if height > 0.9 else 0.9)
            )
        _add(sketch, "patches", loft(rings).with_convex(()))
        for other in near:
            a, b = 0.7 * center + 0.3 * other, 0.3 * center + 0.7 * other
            if tuple(other) < tuple(center):
                continue
            t = np.linspace(0, 1, 5)[:, None]
            line = a + t * (b - a)
            _add(
                sketch,
                "patches",
                _on_sphere(line / np.linalg.norm(line, axis=1, keepdims=True), 0.022),
            )


def volleyball(sketch: Sketch) -> None:
    """Three pale bands on each of six sides, parted by dark seams."""
    sketch.paint("skin", palettes.plain("#f2eee2", "#f0d35a", "#e9e9ea"))
    sketch.paint("seams", palettes.plain("#2f5ea8", "#4a4a4a", "#b33a2f"))
    _sphere(sketch, "skin")
    t = np.linspace(-np.pi / 4, np.pi / 4, 9)
    for axis in range(3):
        for side in (-1.0, 1.0):
            for offset in (-0.72, -0.25, 0.25, 0.72):
                line = np.zeros((9, 3))
                line[:, axis] = side
                line[:, (axis + 1) % 3] = np.tan(t)
                line[:, (axis + 2) % 3] = offset if abs(offset) < 0.5 else np.sign(offset)
                line /= np.linalg.norm(line, axis=1, keepdims=True)
                _add(sketch, "seams", _on_sphere(line, 0.028))


def seamed_ball(sketch: Sketch, *, color: tuple[str, ...], seam: str) -> None:
    """A tennis ball or softball: one closed wavy seam."""
    sketch.paint("skin", palettes.plain(*color))
    sketch.paint("seam", palettes.plain(seam))
    _sphere(sketch, "skin")
    t = np.linspace(0, 2 * np.pi, 61)
    a, b = 0.68, 0.32
    line = np.stack(
        [
            a * np.cos(t) + b * np.cos(3 * t),
            a * np.sin(t) - b * np.sin(3 * t),
            2 * np.sqrt(a * b) * np.sin(2 * t),
        ],
        axis=1,
    )
    line /= np.linalg.norm(line, axis=1, keepdims=True)
    _add(sketch, "seam", _on_sphere(line, 0.045))


def pool_ball(sketch: Sketch) -> None:
    """A glossy ball with a white disc at the front and on top, and a dark dot for its number.

    Half of them are white with a coloured belt, as in the game.
    """
    colors = palettes.plain(
        "#e8b820",
        "#1f4fa8",
        "#c22f2a",
        "#5a2f86",
        "#e2702a",
        "#1f7a45",
        "#8a2430",
        "#17171a",
        gloss=0.8,
    )
    white = palettes.plain("#f4f0e4", gloss=0.8)
    striped = sketch.pick("kind", (False, True))
    sketch.paint("skin", white if striped else colors)
    sketch.paint("disc", white)
    sketch.paint("number", palettes.plain("#17171a"))
    _sphere(sketch, "skin")
    t = np.linspace(0.0, 2.0 * np.pi, 49)
    if striped:
        sketch.paint("belt", colors)
        lat = np.deg2rad(np.linspace(-33.0, 33.0, 9))
        levels = [(1.012, v) for v in lat] + [(0.985, v) for v in lat[::-1]]
        rings = [
            np.stack(
                [
                    r * np.cos(v) * np.cos(t[:-1]),
                    r * np.cos(v) * np.sin(t[:-1]),
                    0.0 * t[:-1] + r * np.sin(v),
                ],
                axis=1,
            )
            for r, v in levels
        ]
        _add(sketch, "belt", collar(rings).with_convex(()))
    for way in (np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])):
        for slot, r, height in (("disc", 0.4, 0.018), ("number", 0.16, 0.024)):
            cap = np.sqrt(1.0 - r * r)
            rings = [
                np.stack([s * np.cos(t[:-1]), s * np.sin(t[:-1]), np.full(48, h)], axis=1)
                for s, h in (
                    (r, cap - 0.03),
                    (r, cap + height),
                    (0.7 * r, np.sqrt(1 - 0.49 * r * r) + height),
                    (0.3 * r, np.sqrt(1 - 0.09 * r * r) + height),
                )
            ]
            _add(sketch, slot, loft(rings).aligned(way).with_convex(()))


def bowling_ball(sketch: Sketch) -> None:
    """A glossy dark ball with three finger holes on top."""
    sketch.paint("skin", palettes.plain("#23305c", "#4a1f2c", "#1f3d33", "#2b2b2e", "#6a3a7a"))
    sketch.paint("holes", palettes.plain("#08080a"))
    _sphere(sketch, "skin")
    for angle, tilt, r in ((0.0, 22.0, 0.11), (40.0, 40.0, 0.1), (-5.0, 48.0, 0.1)):
        lat, lon = np.deg2rad(90.0 - tilt), np.deg2rad(angle)
        way = np.array([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])
        hole = cylinder(r, 0.04, 16).aligned(way)
        _add(sketch, "holes", hole.moved(*(0.963 * way)).with_convex(()))
