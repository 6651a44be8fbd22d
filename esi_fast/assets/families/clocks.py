"""Clocks and the hourglass."""

from __future__ import annotations

import numpy as np

from esi_fast.assets import palettes
from esi_fast.assets.sketch import Sketch
from esi_fast.assets.solids import (
    Solid,
    box,
    collar,
    cylinder,
    ellipsoid,
    lathe,
    loft,
    rectangle,
    ring_profile,
    rounded_box,
    tube,
)
from esi_fast.geometry.render import Material

__all__ = ["alarm_clock", "grandfather_clock", "hourglass", "wall_clock"]


def _clock_face(
    sketch: Sketch, r: float, depth: float, *, hands: bool = True
) -> list[tuple[str, Solid]]:
    """A dial of radius r facing +x at x = 0: face, twelve ticks, two hands."""
    out = [("face", cylinder(r, depth, 40).turned("y", 90.0))]
    for k in range(12):
        t = 2 * np.pi * k / 12
        long = 0.16 if k % 3 == 0 else 0.09
        tick = (
            box(0.3 * depth, 0.045 * r, long * r)
            .moved(z=(0.9 - long) * r)
            .turned("x", np.rad2deg(t))
        )
        out.append(("marks", tick.moved(x=depth)))
    if hands:
        for angle, length, wide in (
            (sketch.uniform("hour", 0, 360), 0.5, 0.07),
            (sketch.uniform("minute", 0, 360), 0.76, 0.05),
        ):
            hand = (
                box(0.3 * depth, wide * r, (length + 0.1) * r).moved(z=-0.1 * r).turned("x", angle)
            )
            out.append(("marks", hand.moved(x=1.2 * depth)))
        out.append(("marks", cylinder(0.06 * r, 0.7 * depth, 14).turned("y", 90.0).moved(x=depth)))
    return out


def wall_clock(sketch: Sketch) -> None:
    """A round clock on a wall at -x."""
    x, y, z = sketch.size
    r = z / 2
    sketch.paint("case", palettes.DARK + palettes.WOOD[:4] + palettes.CHROME[:1])
    sketch.paint("face", palettes.WHITE)
    sketch.paint("marks", palettes.DARK)
    stretch = (1.0, y / z, 1.0)
    section = [(0.98 * r, 0.0), (r, 0.3 * x), (0.97 * r, x), (0.86 * r, x), (0.86 * r, 0.0)]
    hoop = collar(ring_profile(section, 48), 4).turned("y", 90.0).scaled(*stretch)
    sketch.add("case", hoop.moved(x=-x / 2, z=r))
    sketch.add(
        "case",
        cylinder(0.9 * r, 0.4 * x, 40).turned("y", 90.0).scaled(*stretch).moved(x=-x / 2, z=r),
    )
    for slot, solid in _clock_face(sketch, 0.87 * r, 0.1 * x):
        sketch.add(slot, solid.scaled(*stretch).moved(x=-x / 2 + 0.4 * x, z=r))


def alarm_clock(sketch: Sketch) -> None:
    """A bedside clock: a housing with a dial, bells and feet; or with digits where low."""
    x, y, z = sketch.size
    if z < 0.75 * max(x, y):
        sketch.paint("case", palettes.DARK + palettes.WHITE[:1] + palettes.BRIGHT[:2])
        deep, wide = x, y
        sketch.paint("window", palettes.plain("#0d0f10"))
        sketch.paint("digits", palettes.plain("#e0392b", "#36d06a", "#3aa0e8"))
        parts: list[tuple[str, Solid]] = [
            ("case", rounded_box(0.96 * deep, wide, 0.9 * z, 0.1 * z)),
            ("case", rounded_box(0.3 * deep, 0.4 * wide, 0.14 * z, 0.04 * z).moved(z=0.86 * z)),
            ("window", box(0.03 * deep, 0.88 * wide, 0.62 * z).moved(x=0.475 * deep, z=0.14 * z)),
        ]
        for k, digit in enumerate(("1", "0", "2", "5")):
            at = (k - 1.5) * 0.19 * wide + (0.03 * wide if k > 1 else -0.03 * wide)
            parts += [
                ("digits", s.moved(0.492 * deep, at, 0.22 * z))
                for s in _segments(digit, 0.13 * wide, 0.46 * z, 0.01 * deep)
            ]
        for h in (0.36, 0.52):
            parts.append(
                ("digits", box(0.01 * deep, 0.02 * wide, 0.04 * z).moved(0.492 * deep, 0, h * z))
            )
        for slot, solid in parts:
            sketch.add(slot, solid)
        return
    sketch.paint("case", palettes.BRIGHT + palettes.CHROME[:1])
    sketch.paint("face", palettes.WHITE)
    sketch.paint("marks", palettes.DARK)
    r = 0.4 * z
    hoop = cylinder(r, x, 40, bevel=0.06 * x).turned("y", 90.0)
    sketch.add("case", hoop.moved(x=-x / 2, z=0.08 * z + r))
    for slot, solid in _clock_face(sketch, 0.88 * r, 0.04 * x):
        sketch.add(slot, solid.moved(x=x / 2 - 0.03 * x, z=0.08 * z + r))
    for side in (-1, 1):
        sketch.add(
            "case",
            ellipsoid(0.2 * x + 0.1 * r, 0.36 * r, 0.28 * r).moved(
                y=side * 0.6 * r, z=0.08 * z + 1.9 * r
            ),
        )
        sketch.add(
            "marks",
            tube([(0, side * 0.4 * r, 0.5 * r), (0, side * 0.85 * r, 0.0)], 0.07 * r, segments=8),
        )


def _segments(digit: str, wide: float, high: float, deep: float) -> list[Solid]:
    """A seven-segment digit facing +x, its lower edge on z = 0, centred in y."""
    lit = {"0": "abcdef", "1": "bc", "2": "abged", "5": "afgcd"}[digit]
    bar = 0.16 * wide
    level = {"a": 1.0, "g": 0.5, "d": 0.0}
    out = []
    for name in lit:
        if name in level:
            out.append(box(deep, 0.8 * wide, bar).moved(z=level[name] * (high - bar)))
        else:
            # Seen from +x, +y is on the right.
            side = 1.0 if name in "bc" else -1.0
            low = 0.5 * high if name in "bf" else 0.0
            out.append(
                box(deep, bar, 0.46 * high).moved(y=side * (wide - bar) / 2, z=low + 0.02 * high)
            )
    return out


def grandfather_clock(sketch: Sketch) -> None:
    """A long-case clock: plinth, trunk with a window and pendulum, hood with a dial."""
    x, y, z = sketch.size
    sketch.paint("wood", palettes.WOOD)
    sketch.paint("face", palettes.CREAM)
    sketch.paint("marks", palettes.DARK)
    sketch.paint("brass", palettes.BRASS)
    sketch.add("wood", box(x, y, 0.16 * z, 0.01))
    sketch.add("wood", box(0.72 * x, 0.74 * y, 0.52 * z).moved(x=-0.1 * x, z=0.15 * z))
    sketch.add("wood", box(0.9 * x, 0.94 * y, 0.26 * z, 0.01).moved(x=-0.02 * x, z=0.66 * z))
    gable = loft([rectangle(0.9 * x, 0.94 * y, 0.0), rectangle(0.8 * x, 0.3 * y, 0.085 * z)])
    sketch.add("wood", gable.moved(x=-0.02 * x, z=0.915 * z))
    front = 0.43 * x
    for slot, solid in _clock_face(sketch, 0.38 * y, 0.02 * x):
        sketch.add(slot, solid.moved(x=front - 0.01 * x, z=0.79 * z))
    trunk = 0.26 * x
    sketch.paint("window", palettes.plain("#2a1f18"))
    sketch.add("window", box(0.01 * x, 0.46 * y, 0.4 * z).moved(x=trunk, z=0.2 * z))
    sketch.add("brass", box(0.012 * x, 0.03 * y, 0.28 * z).moved(x=trunk + 0.01 * x, z=0.3 * z))
    sketch.add(
        "brass", cylinder(0.14 * y, 0.02 * x, 28).turned("y", 90.0).moved(x=trunk, z=0.3 * z)
    )


def hourglass(sketch: Sketch) -> None:
    """An hourglass lying along x: two wooden ends, three rods, glass bulbs with sand."""
    x, y, z = sketch.size
    r = z / 2
    cap = 0.07 * x
    parts: list[tuple[str, Solid]] = []
    sketch.paint("wood", palettes.WOOD)
    for low in (0.0, x - cap):
        parts.append(("wood", cylinder(r, cap, 30, bevel=0.2 * cap).moved(z=low)))
    for k in range(3):
        t = 2 * np.pi * (k + 0.25) / 3
        rod = cylinder(0.08 * r, x - cap, 10).moved(
            0.82 * r * np.cos(t), 0.82 * r * np.sin(t), cap / 2
        )
        parts.append(("wood", rod))
    sketch.paint("glass", Material(color=(0.96, 0.98, 0.98), kind="glass", ior=1.3))
    long = x - 2 * cap
    profile = [
        (0.5, 0),
        (0.66, 0.12),
        (0.64, 0.28),
        (0.3, 0.43),
        (0.07, 0.5),
        (0.3, 0.57),
        (0.64, 0.72),
        (0.66, 0.88),
        (0.5, 1),
    ]
    bulb = lathe([(a * r, cap + b * long) for a, b in profile])
    parts.append(("glass", bulb))
    sketch.paint("sand", palettes.plain("#e0c48a", "#d99a6a", "#7fa8c9"))
    heap = [(0.46, 0.01), (0.6, 0.13), (0.57, 0.26)]
    rest = [(0.52, 0.76), (0.6, 0.86), (0.46, 0.99)]
    for share in (heap, rest):
        sand = lathe([(a * r, cap + b * long) for a, b in share])
        parts.append(("sand", sand))
    for slot, solid in parts:
        sketch.add(slot, solid.scaled(1.0, y / z, 1.0).turned("y", 90.0).moved(x=-x / 2, z=r))
