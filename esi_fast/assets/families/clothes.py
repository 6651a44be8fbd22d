"""Shoes, hats and helmets."""

from __future__ import annotations

import numpy as np

from esi_fast.assets import palettes
from esi_fast.assets.sketch import Sketch
from esi_fast.assets.solids import Solid, blob, collar, lathe, loft, ring_profile, tube
from esi_fast.types import FloatArray

__all__ = ["hard_hat", "hat", "shoe"]


# Stations of a shoe from heel (0) to toe (1): half width and offset of the sole, height of a low
# and of a high upper, as fractions of width and height.
_SHOE = np.array(
    [
        (0.00, 0.10, 0.00, 0.55, 0.60),
        (0.02, 0.22, 0.00, 0.80, 0.88),
        (0.08, 0.31, 0.00, 0.93, 0.98),
        (0.20, 0.34, 0.00, 0.90, 0.98),
        (0.34, 0.33, 0.00, 0.88, 0.97),
        (0.42, 0.33, 0.01, 0.84, 0.90),
        (0.55, 0.39, 0.03, 0.66, 0.64),
        (0.70, 0.46, 0.04, 0.52, 0.48),
        (0.82, 0.46, 0.03, 0.46, 0.43),
        (0.92, 0.37, 0.00, 0.42, 0.41),
        (0.98, 0.22, -0.04, 0.34, 0.36),
        (1.00, 0.10, -0.06, 0.26, 0.28),
    ]
)


def shoe(sketch: Sketch, *, boot: bool = False, open_toe: bool = False) -> None:
    """A gym shoe, hiking boot or sandal, toe at +x: sole, upper with an opening, laces."""
    x, y, z = sketch.size
    left = sketch.pick("left", (1.0, -1.0))
    sole_z = (0.3 if open_toe else 0.2) * z
    around = np.linspace(0.0, np.pi, 13)
    parts: list[tuple[str, Solid]] = []

    def station(t: float) -> tuple[float, float, float]:
        """Half width, offset and height of the upper at ``t``, metres."""
        column = 4 if boot else 3
        half, offset, high = (float(np.interp(t, _SHOE[:, 0], _SHOE[:, k])) for k in (1, 2, column))
        return half * y, offset * y, high * z

    def arch(t: float, lift: float = 0.0) -> FloatArray:
        """The section of the upper at ``t``: an arch on the sole, grown by ``lift``."""
        half, offset, high = station(t)
        taper = 1.0 - 0.3 * np.clip(high / z - 0.5, 0.0, 0.4) * np.sin(around)
        across = offset + (0.96 * half + lift) * np.cos(around) * taper
        up = 0.8 * sole_z + (high - 0.8 * sole_z + lift) * np.sin(around) ** 0.62
        return np.stack([np.full(13, (t - 0.5) * 0.98 * x), across, up], axis=1)

    def rim(height: float, grow: float) -> FloatArray:
        front = [((t - 0.5) * x, station(t)[1] - grow * station(t)[0], height) for t in _SHOE[:, 0]]
        back = [((t - 0.5) * x, station(t)[1] + grow * station(t)[0], height) for t in _SHOE[:, 0]]
        return np.array(front + back[::-1])

    rubber = palettes.plain("#f0eee8", "#2c2a28", "#c9a878")
    sketch.paint("sole", palettes.plain("#2c2620", "#3a2f24") if boot else rubber)
    parts.append(("sole", loft([rim(0.0, 0.97), rim(sole_z, 1.06)])))
    if open_toe:
        sketch.paint("strap", palettes.LEATHER)
        for t, high in ((0.74, 0.8), (0.58, 0.92)):
            half, offset, _ = station(t)
            across = offset + half * np.cos(around)
            up = 0.7 * sole_z + (high * z - 0.7 * sole_z) * np.sin(around)
            path = np.stack([np.full(13, (t - 0.5) * x), across, up], axis=1)
            parts.append(("strap", tube(path, 0.05 * x, flat=0.12, segments=8)))
        a = np.linspace(-0.5 * np.pi, 0.5 * np.pi, 11)
        heel = [-0.26 * x - 0.2 * x * np.cos(a), 0.34 * y * np.sin(a), np.full(11, 0.88 * z)]
        parts.append(("strap", tube(np.stack(heel, axis=1), 0.02 * x, flat=1.4, segments=8)))
        for side in (-1, 1):
            down = [
                (-0.26 * x, side * 0.34 * y, 0.9 * z),
                (0.06 * x, side * 0.38 * y, 0.8 * sole_z),
            ]
            parts.append(("strap", tube(down, 0.016 * x, segments=8)))
        sketch.paint("bed", palettes.LEATHER)
        parts.append(("bed", loft([rim(0.98 * sole_z, 0.95), rim(1.02 * sole_z, 0.93)])))
    else:
        colors = palettes.BRIGHT + palettes.DARK[:1] + palettes.WHITE[:1]
        sketch.paint("upper", palettes.LEATHER if boot else colors)
        sketch.paint("inside", palettes.plain("#2a2725", "#4a4440"))
        sketch.paint("laces", palettes.plain("#c98a3a", "#2a2a2a") if boot else palettes.WHITE)
        stations = [*_SHOE[:4, 0], 0.27, *_SHOE[4:, 0]]
        parts.append(("upper", loft([arch(float(t)) for t in stations])))
        top = 0.98 * z if boot else 0.915 * z
        u = np.linspace(0.0, 2.0 * np.pi, 25)
        line = np.stack(
            [-0.3 * x + 0.16 * x * np.cos(u), 0.25 * y * np.sin(u), 0 * u + top], axis=1
        )
        line[:, 2] += 0.03 * z * np.cos(u) ** 2 * (np.cos(u) < 0)
        parts.append(("upper", tube(line, 0.05 * z, segments=8, group=2)))
        mouth = line[:-1] * [1.0, 0.95, 1.0]
        mouth[:, 2] = top
        parts.append(("inside", loft([mouth - np.array([0, 0, 0.06 * z]), mouth])))
        for k in range(5 if boot else 4):
            at = 0.44 + 0.065 * k
            lace = arch(at, 0.015 * z)[4:9]
            parts.append(("laces", tube(lace, 0.028 * z, segments=6).with_convex(())))
        if not boot:
            for flank in (slice(0, 4), slice(9, 13)):
                for k in range(3):
                    line = arch(0.4 + 0.07 * k, 0.004 * y)[flank]
                    stripe = tube(line, 0.014 * x, flat=0.5, segments=6)
                    parts.append(("laces", stripe.with_convex(())))
    for slot, solid in parts:
        sketch.add(slot, solid.scaled(1.0, left, 1.0))


def hat(sketch: Sketch) -> None:
    """A brimmed hat with a band."""
    x, y, z = sketch.size
    r = max(x, y) / 2
    stretch = (x / 2 / r, y / 2 / r, 1.0)
    sketch.paint("felt", palettes.plain("#c9a873", "#6b5137", "#3a3a3f", "#d9cdb4", "#7a3b34"))
    sketch.paint("band", palettes.DARK + palettes.BRIGHT[:2])
    crown = [
        (0.56 * r, 0.04 * z),
        (0.54 * r, 0.55 * z),
        (0.5 * r, 0.85 * z),
        (0.4 * r, 0.97 * z),
        (0.25 * r, z),
    ]
    sketch.add("felt", lathe(crown).scaled(*stretch))
    brim = ring_profile(
        [
            (r, 0.1 * z),
            (r, 0.15 * z),
            (0.6 * r, 0.08 * z),
            (0.52 * r, 0.1 * z),
            (0.52 * r, 0.0),
            (0.7 * r, 0.0),
        ]
    )
    piece = [lathe([(0.7 * r, 0.0), (r, 0.1 * z), (r, 0.15 * z), (0.54 * r, 0.1 * z)]).convex[0]]
    sketch.add("felt", collar(brim).with_convex(piece).scaled(*stretch))
    section = [(0.575 * r, 0.1 * z), (0.56 * r, 0.3 * z), (0.5 * r, 0.3 * z), (0.5 * r, 0.1 * z)]
    sketch.add("band", collar(ring_profile(section)).with_convex(()).scaled(*stretch))


def hard_hat(sketch: Sketch) -> None:
    """A work helmet: shell with three ridges, brim with a peak at +x."""
    x, y, z = sketch.size
    sketch.paint("shell", palettes.plain("#f0b81f", "#e8e6e0", "#d8432b", "#2f6db3"))

    def surface(lon: FloatArray, lat: FloatArray) -> FloatArray:
        s = np.maximum(np.sin(lat), -0.06) + 0.0 * lon
        flat = np.cos(lat) ** 0.9
        return np.stack(
            np.broadcast_arrays(
                0.42 * x * flat * np.cos(lon), 0.46 * y * flat * np.sin(lon), 0.94 * z * s
            ),
            axis=-1,
        )

    sketch.add("shell", blob(surface, 32, 18).moved(x=-0.04 * x, z=0.06 * z))
    t = 2 * np.pi * np.arange(36) / 36
    brim = [
        np.stack([0.45 * x * np.cos(t) - 0.04 * x, 0.5 * y * np.sin(t), np.full(36, h)], axis=1)
        for h in (0.0, 0.06 * z)
    ]
    sketch.add("shell", loft(brim))
    peak = [
        np.stack([0.3 * x * np.cos(t) + 0.2 * x, 0.4 * y * np.sin(t), np.full(36, h)], axis=1)
        for h in (0.0, 0.05 * z)
    ]
    sketch.add("shell", loft(peak))
    a = np.linspace(0.15, np.pi - 0.15, 15)
    for offset in (-0.16, 0.0, 0.16):
        drop = np.sqrt(1.0 - (offset / 0.5) ** 2)
        ridge = np.stack(
            [
                0.41 * x * np.cos(a) - 0.04 * x,
                np.full(15, offset * y),
                0.05 * z + 0.92 * z * drop * np.sin(a),
            ],
            axis=1,
        )
        sketch.add("shell", tube(ridge, 0.03 * z, segments=8).with_convex(()))
