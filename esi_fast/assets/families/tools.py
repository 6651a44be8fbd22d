"""Hand tools, rackets, boards and trays. Long ones lie along x."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from esi_fast.assets import palettes
from esi_fast.assets.sketch import Sketch
from esi_fast.assets.solids import (
    box,
    collar,
    cylinder,
    joined,
    lathe,
    loft,
    prism,
    rounded_box,
    rounded_rectangle,
    shell,
    tube,
)
from esi_fast.geometry.render import Material

__all__ = ["cutting_board", "hammer", "racket", "screwdriver", "stapler", "tray", "wrench"]


def hammer(sketch: Sketch) -> None:
    """A claw hammer lying along x, its head at +x across y: face at -y, claw at +y."""
    x, y, z = sketch.size
    sketch.paint("handle", palettes.WOOD + palettes.BRIGHT[:2])
    sketch.paint("head", palettes.plain("#4a4d51", "#6a6e72", "#3a3c40"))
    head = 0.4 * y
    at = x / 2 - head / 2
    bar = 0.32 * z
    path = [(-x / 2, 0, z / 2), (-0.3 * x, 0, z / 2), (0.0, 0, z / 2), (at, 0, z / 2)]
    sketch.add("handle", tube(path, [bar, 1.15 * bar, 0.8 * bar, 0.8 * bar], flat=1.2, segments=14))
    sketch.add("head", box(head, 0.32 * y, 0.84 * z, 0.06 * z).moved(x=at, z=0.08 * z))
    poll = (
        cylinder(0.5 * z, 0.16 * y, 24, bevel=0.05 * z)
        .turned("x", 90.0)
        .scaled(head / z * 0.9, 1.0, 1.0)
    )
    sketch.add("head", poll.moved(at, -y / 2 + 0.16 * y, z / 2))
    sketch.add(
        "head",
        cylinder(0.34 * z, 0.25 * y, 18)
        .turned("x", 90.0)
        .scaled(head / z * 0.9, 1.0, 1.0)
        .moved(at, -0.1 * y, z / 2),
    )
    for side in (-1, 1):
        t = np.linspace(0, 1, 6)
        claw = np.stack(
            [
                at - 0.25 * head * t**2 * 2.2,
                0.12 * y + 0.37 * y * t,
                z / 2 + side * (0.14 + 0.16 * t) * z,
            ],
            axis=1,
        )
        sketch.add("head", tube(claw, 0.2 * z * (1 - 0.7 * t), flat=0.8, segments=8))


def screwdriver(sketch: Sketch) -> None:
    """A screwdriver lying along x, its blade at +x."""
    x, y, z = sketch.size
    r = z / 2
    sketch.paint("grip", palettes.BRIGHT)
    sketch.paint("blade", palettes.CHROME)
    profile = [
        (0.7, 0),
        (0.92, 0.02),
        (1, 0.08),
        (0.92, 0.2),
        (1, 0.3),
        (0.94, 0.36),
        (0.6, 0.42),
        (0.66, 0.45),
    ]
    grip = lathe([(a * r, b * x) for a, b in profile], 24).scaled(y / z, 1.0, 1.0)
    turned = grip.turned("y", 90.0).turned("x", 90.0)
    sketch.add("grip", turned.moved(x=-x / 2, z=r))
    shaft = cylinder(0.26 * r, 0.5 * x, 14).turned("y", 90.0)
    sketch.add("blade", shaft.moved(x=-0.08 * x, z=r))
    tip = loft(
        [
            rounded_rectangle(0.5 * r, 0.5 * r, 0.1 * r, 0.0, 1),
            rounded_rectangle(0.12 * r, 0.8 * r, 0.05 * r, 0.09 * x, 1),
        ]
    )
    sketch.add("blade", tip.turned("y", 90.0).moved(x=x / 2 - 0.09 * x, z=r))
    for k in range(6):
        t = 2 * np.pi * k / 6
        rib = tube(
            [
                (-0.46 * x, 0.86 * r * np.cos(t) * y / z, r + 0.86 * r * np.sin(t)),
                (-0.18 * x, 0.86 * r * np.cos(t) * y / z, r + 0.86 * r * np.sin(t)),
            ],
            0.13 * r,
            segments=6,
        )
        sketch.add("grip", rib.with_convex(()))


def wrench(sketch: Sketch) -> None:
    """A double open-ended spanner lying along x."""
    x, y, z = sketch.size
    sketch.paint("steel", palettes.CHROME + palettes.STEEL)
    shaft = [
        (-0.34 * x, -0.2 * y),
        (0.34 * x, -0.16 * y),
        (0.34 * x, 0.16 * y),
        (-0.34 * x, 0.2 * y),
    ]
    sketch.add("steel", prism(shaft, 0.7 * z).moved(z=0.15 * z))
    for side, scale in ((1.0, 0.84), (-1.0, 1.0)):
        r = 0.5 * y * scale
        jaw = 0.46 * r
        t = np.linspace(np.deg2rad(40), np.deg2rad(320), 19)
        ring = [(r * np.cos(a), r * np.sin(a)) for a in t]
        notch = [
            (0.9 * r, -jaw),
            (-0.2 * r, -jaw),
            (-0.4 * r, 0.0),
            (-0.2 * r, jaw),
            (0.9 * r, jaw),
        ]
        head = prism([*ring, *notch], z).turned("z", 15.0)
        placed = head if side > 0 else head.turned("z", 180.0)
        sketch.add("steel", placed.moved(x=side * (x / 2 - 0.86 * r)))


def cutting_board(sketch: Sketch) -> None:
    """A wooden board with rounded corners and a hole to hang it by."""
    x, y, z = sketch.size
    sketch.paint("board", palettes.WOOD)
    sketch.paint("strips", palettes.WOOD[::-1])
    grip = 0.14 * x
    sketch.add(
        "board",
        loft(
            [
                rounded_rectangle(x - grip, y, 0.1 * y, 0.0),
                rounded_rectangle(x - grip, y, 0.1 * y, z),
            ]
        ).moved(x=-grip / 2),
    )
    ring = [rounded_rectangle(grip + 0.03 * x, 0.4 * y, 0.07 * y, h) for h in (0.0, z)]
    hole = [rounded_rectangle(0.4 * grip, 0.24 * y, 0.03 * y, h) for h in (z, 0.0)]
    sketch.add("board", collar([*ring, *hole], 4).moved(x=x / 2 - grip / 2 - 0.015 * x))
    for k in (-1, 1):
        sketch.add(
            "strips",
            box(0.92 * (x - grip), 0.06 * y, 0.02 * z)
            .moved(-grip / 2, k * 0.25 * y, z - 0.01 * z)
            .with_convex(()),
        )
    sketch.support((-0.45 * x, -0.45 * y), (0.3 * x, 0.45 * y), z)


def tray(
    sketch: Sketch, *, palette: Sequence[Material] = palettes.WOOD, grips: bool = True
) -> None:
    """A shallow tray; ``grips`` are bars at its short ends."""
    x, y, z = sketch.size
    sketch.paint("body", palette)
    r = 0.12 * min(x, y)
    wall = 0.02 * min(x, y)
    outer = [
        rounded_rectangle(0.9 * x, 0.9 * y, r, 0.0),
        rounded_rectangle(0.985 * x, 0.985 * y, r, 0.85 * z),
        rounded_rectangle(x, y, r, 0.9 * z),
        rounded_rectangle(x, y, r, z),
    ]
    inner = [
        rounded_rectangle(x - 2 * wall, y - 2 * wall, 0.95 * r, z),
        rounded_rectangle(0.9 * x - 2 * wall, 0.9 * y - 2 * wall, 0.9 * r, 0.3 * z),
    ]
    sketch.add("body", shell(outer, inner, 2))
    if grips and z > 0.012:
        sketch.paint("grips", palettes.DARK + palettes.BRASS[:1])
        long_x = x >= y
        for side in (-1, 1):
            a, b = (x, y) if long_x else (y, x)
            bar = box(0.03 * a, 0.34 * b, 0.5 * z, 0.1 * z)
            at = bar.moved(x=side * 0.482 * a, z=0.5 * z)
            sketch.add("grips", at if long_x else at.turned("z", 90.0))
    sketch.support((-0.4 * x, -0.4 * y), (0.4 * x, 0.4 * y), 0.3 * z)


def stapler(sketch: Sketch) -> None:
    """A stapler along x, its mouth at +x: base, hinge, arm."""
    x, y, z = sketch.size
    sketch.paint("arm", palettes.BRIGHT + palettes.DARK)
    sketch.paint("metal", palettes.CHROME)
    sketch.paint("base", palettes.DARK)
    sketch.add("base", rounded_box(x, y, 0.16 * z, 0.06 * z))
    sketch.add("metal", box(0.1 * x, 0.6 * y, 0.03 * z).moved(x=0.42 * x, z=0.15 * z))
    arm = rounded_box(0.96 * x, 0.82 * y, 0.3 * z, 0.12 * z).turned("y", -9.0)
    sketch.add("arm", arm.moved(x=-0.005 * x, z=0.52 * z))
    magazine = box(0.88 * x, 0.62 * y, 0.12 * z).turned("y", -6.0)
    sketch.add("metal", magazine.moved(x=0.02 * x, z=0.4 * z))
    hinge = cylinder(0.16 * z, 0.9 * y, 18).turned("x", 90.0)
    sketch.add("base", hinge.moved(-0.4 * x, 0.45 * y, 0.36 * z))
    sketch.add("base", box(0.16 * x, 0.66 * y, 0.4 * z).moved(x=-0.4 * x, z=0.08 * z))


def racket(sketch: Sketch) -> None:
    """A tennis racket lying along x, its head at +x: hoop, strings, throat, grip."""
    x, y, z = sketch.size
    bar = z / 2
    sketch.paint("frame", palettes.BRIGHT + palettes.DARK)
    sketch.paint("strings", palettes.CREAM)
    sketch.paint("grip", palettes.DARK + palettes.LEATHER[:1])
    a, b = 0.23 * x, y / 2 - bar
    center = x / 2 - a - bar
    t = np.linspace(0, 2 * np.pi, 41)
    hoop = np.stack([center + a * np.cos(t), b * np.sin(t), np.full(41, bar)], axis=1)
    sketch.add("frame", tube(hoop, bar, flat=0.7, segments=8, group=2))
    strings = []
    for u in np.arange(-7, 8) / 8.0:
        share = float(np.sqrt(1.0 - u**2))
        strings.append(box(2 * a * share, 0.0016, 0.0016).moved(center, u * b, bar))
        strings.append(box(0.0016, 2 * b * share, 0.0016).moved(center + u * a, 0, bar))
    # To the touch the strings are one sheet.
    net = joined(*strings)
    sketch.add("strings", net.with_convex((net.vertices,)))
    for side in (-1, 1):
        throat = [
            (center - 0.86 * a, side * 0.5 * b, bar),
            (center - 1.5 * a, side * 0.08 * y, bar),
            (-0.12 * x, side * 0.012 * y, bar),
        ]
        sketch.add("frame", tube(throat, 0.75 * bar, segments=8))
    grip = tube(
        [(-x / 2, 0, bar), (-0.47 * x, 0, bar), (-0.1 * x, 0, bar)],
        [1.0 * bar, 0.92 * bar, 0.85 * bar],
        segments=8,
    )
    sketch.add("grip", grip)
