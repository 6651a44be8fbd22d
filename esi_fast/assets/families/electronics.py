"""Screens and small electronics."""

from __future__ import annotations

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
    ring_profile,
    rounded_box,
    rounded_rectangle,
    tube,
)

__all__ = [
    "camera",
    "flashlight",
    "keyboard",
    "laptop",
    "loudspeaker",
    "mouse",
    "radio",
    "screen",
    "tablet",
]

_SCREEN = palettes.plain("#101418", "#15191e")


def screen(sketch: Sketch, *, stand: str) -> None:
    """A flat screen facing +x: ``stand`` is ``foot`` (monitor, TV) or ``none`` (on a wall)."""
    x, y, z = sketch.size
    sketch.paint("case", palettes.DARK)
    sketch.paint("panel", _SCREEN)
    sketch.paint("shine", palettes.plain("#1d242c"))
    if stand == "none":
        sketch.add("case", box(x, y, z, min(0.2 * x, 0.006)))
        thick, low, front = x, 0.0, x / 2
    else:
        thick, low = min(0.24 * x, 0.05), 0.16 * z
        front = 0.06 * x + thick / 2
        sketch.add("case", box(thick, y, z - low, 0.25 * thick).moved(x=0.06 * x, z=low))
        base = [
            rounded_rectangle(x, 0.42 * y, 0.1 * x, 0.0),
            rounded_rectangle(0.9 * x, 0.38 * y, 0.1 * x, 0.025 * z),
        ]
        sketch.add("case", loft(base))
        neck = tube(
            [(-0.12 * x, 0, 0.02 * z), (-0.1 * x, 0, low + 0.12 * z), (0.02 * x, 0, low + 0.2 * z)],
            0.05 * y,
            flat=0.35,
        )
        sketch.add("case", neck)
    bezel = 0.022 * y
    wide, high = y - 2 * bezel, z - low - 2.6 * bezel
    sketch.add("panel", box(0.003, wide, high).moved(front + 0.0005, 0, low + 1.6 * bezel))
    # A slanting gleam says glass.
    gleam = np.array([(0.1, 0.0), (0.3, 0.0), (0.55, 1.0), (0.35, 1.0)]) - [0.5, 0.0]
    pane = prism(gleam * [wide, high], 0.0006).turned("x", 90.0).turned("z", 90.0)
    sketch.add("shine", pane.moved(front + 0.0021, 0, low + 1.6 * bezel).with_convex(()))
    sketch.paint("lamp", palettes.plain("#c83030", "#3080c8"))
    sketch.add("lamp", box(0.003, 0.012 * y, 0.004 * z).moved(front + 0.0005, 0, low + 0.5 * bezel))


def laptop(sketch: Sketch) -> None:
    """A closed laptop: two shells with a gap between, a round badge, hinge at -x."""
    x, y, z = sketch.size
    sketch.paint("shell", palettes.CHROME + palettes.DARK[2:3])
    r = 0.05 * x
    for low, high in ((0.06, 0.52), (0.6, 1.0)):
        rings = [rounded_rectangle(x, y, r, low * z), rounded_rectangle(x, y, r, high * z)]
        sketch.add("shell", loft(rings))
    sketch.paint("gap", palettes.DARK[1:2])
    sketch.add("gap", box(0.97 * x, 0.985 * y, 0.2 * z).moved(x=-0.01 * x, z=0.45 * z))
    sketch.add(
        "gap",
        cylinder(0.2 * z, 0.7 * y, 12).turned("x", 90.0).moved(x=-0.48 * x, y=0.35 * y, z=0.55 * z),
    )
    for sx in (-1, 1):
        for sy in (-1, 1):
            sketch.add("gap", cylinder(0.02 * y, 0.08 * z, 12).moved(sx * 0.42 * x, sy * 0.44 * y))
    sketch.paint("badge", palettes.WHITE + palettes.DARK[:1])
    sketch.add("badge", cylinder(0.07 * x, 0.02 * z, 24).moved(z=0.99 * z))


def tablet(sketch: Sketch) -> None:
    """A tablet lying on its back: a thin case, a dark screen with rows of icons, a lens."""
    x, y, z = sketch.size
    sketch.paint("case", palettes.CHROME + palettes.DARK[:1])
    sketch.paint("shine", palettes.plain("#2f4a66", "#3f3a5c", "#2f5a52"))
    sketch.paint("lens", palettes.DARK)
    r = 0.05 * min(x, y)
    levels = ((0.94, 0.0), (1.0, 0.3), (1.0, 0.8), (0.985, 0.9))
    sketch.add("case", loft([rounded_rectangle(s * x, s * y, r, h * z) for s, h in levels]))
    glass = [rounded_rectangle(0.97 * x, 0.97 * y, r, h * z) for h in (0.85, 0.95)]
    sketch.add("lens", loft(glass))
    sketch.add("shine", box(0.88 * x, 0.88 * y, 0.06 * z).moved(z=0.92 * z))
    for row in range(4):
        for column in range(5):
            slot = f"icon{(row + 2 * column) % 4}"
            size = 0.055 * min(x, y)
            icon = box(1.5 * size, 1.5 * size, 0.03 * z, 0.2 * size)
            sketch.put(
                slot,
                palettes.BRIGHT + palettes.WHITE[:1],
                icon.moved((0.3 - 0.2 * row) * x, (column - 2) * 0.16 * y, 0.97 * z),
            )


def keyboard(sketch: Sketch) -> None:
    """A computer keyboard, its user at +x: rows of keys, space bar, number block."""
    x, y, z = sketch.size
    sketch.paint("case", palettes.DARK + palettes.WHITE[:1])
    sketch.paint("keys", palettes.plain("#3a3d41", "#e6e4de", "#2c2f33"))
    case = [
        rounded_rectangle(x, y, 0.06 * x, 0.0),
        rounded_rectangle(x, y, 0.06 * x, 0.55 * z),
    ]
    sketch.add("case", loft(case))
    sketch.add("case", box(0.22 * x, y * 0.99, 0.3 * z, 0.05 * z).moved(x=-0.38 * x, z=0.4 * z))
    key = y / 24.5
    left = -y / 2 + 0.9 * key
    cap = box(0.82 * key, 0.82 * key, 0.45 * z, 0.06 * z)
    places = []
    for row in range(5):
        at = 0.3 * x - (4 - row) * 0.165 * x if row else -0.36 * x
        letters = [k for k in range(15) if not (row == 4 and 3 <= k <= 9)]
        places += [(at, left + (k + 0.5) * key) for k in letters]
        if row:
            places += [(at, y / 2 - 0.9 * key - (k + 0.5) * key) for k in range(4)]
    keys = [cap.moved(a, b, 0.55 * z) for a, b in places]
    keys.append(
        box(0.82 * key, 6.8 * key, 0.45 * z, 0.06 * z).moved(0.3 * x, left + 6.5 * key, 0.55 * z)
    )
    # To the touch the keys are one low block.
    corners = joined(*keys).vertices
    low, high = corners.min(axis=0), corners.max(axis=0)
    middle = (low + high) / 2
    block = box(*(high - low)).moved(middle[0], middle[1], low[2])
    sketch.add("keys", joined(*keys).with_convex(block.convex))


def mouse(sketch: Sketch) -> None:
    """A computer mouse, its buttons at +x (away from the hand), a wheel between them."""
    x, y, z = sketch.size
    sketch.paint("body", palettes.DARK + palettes.WHITE[:1])
    rings = []
    for t, wide, high in (
        (0.0, 0.5, 0.42),
        (0.08, 0.8, 0.55),
        (0.3, 0.95, 0.82),
        (0.6, 1.0, 1.0),
        (0.85, 0.84, 0.8),
        (0.97, 0.5, 0.45),
        (1.0, 0.25, 0.3),
    ):
        a = np.linspace(0, np.pi, 13)
        arch = np.stack(
            [np.full(13, (0.5 - t) * x), wide * y / 2 * np.cos(a), high * z * np.sin(a) ** 0.8],
            axis=1,
        )
        rings.append(arch[::-1])
    sketch.add("body", loft(rings))
    sketch.paint("wheel", palettes.plain("#8a8d90", "#c03a3a", "#3a7ac0"))
    wheel = cylinder(0.13 * z + 0.05 * x, 0.09 * y, 20).turned("x", 90.0)
    sketch.add("wheel", wheel.moved(0.28 * x, 0.045 * y, 0.68 * z - 0.05 * x))
    sketch.paint("seam", palettes.plain("#101010"))
    sketch.add(
        "seam", box(0.3 * x, 0.012 * y, 0.1 * z).turned("y", 14.0).moved(0.33 * x, 0, 0.62 * z)
    )


def loudspeaker(sketch: Sketch) -> None:
    """A loudspeaker box: two cones behind rings on the +x side."""
    x, y, z = sketch.size
    sketch.paint("case", palettes.WOOD[:4] + palettes.DARK)
    front = x / 2 - 0.03 * x
    sketch.add("case", box(front + x / 2, y, z, 0.004).moved(x=(front - x / 2) / 2))
    sketch.paint("baffle", palettes.DARK)
    sketch.add("baffle", box(0.01 * x, 0.92 * y, 0.95 * z).moved(front, 0, 0.025 * z))
    sketch.paint("rings", palettes.CHROME)
    sketch.paint("cones", palettes.plain("#4a4d50", "#c9b27a"))
    r = 0.36 * min(y, 0.6 * z)
    for radius, height in ((r, 0.34 * z), (0.5 * r, 0.75 * z)):
        section = ring_profile(
            [(radius, 0), (radius, 0.03 * x), (0.84 * radius, 0.03 * x), (0.84 * radius, 0)]
        )
        sketch.add("rings", collar(section).turned("y", 90.0).moved(front, 0, height))
        disc = cylinder(0.86 * radius, 0.012 * x, 30).turned("y", 90.0)
        sketch.add("cones", disc.moved(front, 0, height))
        dome = cylinder(0.34 * radius, 0.03 * x, 20, bevel=0.012 * x).turned("y", 90.0)
        sketch.add("baffle", dome.moved(front, 0, height))


def radio(sketch: Sketch) -> None:
    """A portable radio: grille, dial and knobs on the front, a handle above."""
    x, y, z = sketch.size
    body = 0.78 * z
    sketch.paint("case", palettes.WOOD[:2] + palettes.PLASTIC)
    sketch.add("case", rounded_box(0.94 * x, y, body, 0.12 * x).moved(x=-0.03 * x))
    front = 0.44 * x
    sketch.paint("grille", palettes.CREAM)
    sketch.add("grille", box(0.02 * x, 0.5 * y, 0.66 * body).moved(front, -0.2 * y, 0.17 * body))
    sketch.paint("slots", palettes.DARK)
    for k in range(7):
        sketch.add(
            "slots",
            box(0.02 * x, 0.44 * y, 0.03 * body).moved(
                front + 0.004, -0.2 * y, (0.23 + 0.085 * k) * body
            ),
        )
    sketch.add("grille", box(0.02 * x, 0.34 * y, 0.24 * body).moved(front, 0.27 * y, 0.56 * body))
    sketch.add(
        "slots", box(0.02 * x, 0.006 * y, 0.2 * body).moved(front + 0.004, 0.3 * y, 0.58 * body)
    )
    sketch.paint("knobs", palettes.CHROME)
    for at in (0.18, 0.36):
        knob = cylinder(0.1 * body, 0.09 * x, 20, bevel=0.01 * x).turned("y", 90.0)
        sketch.add("knobs", knob.moved(front - 0.02 * x, at * y, 0.3 * body))
    path = [
        (0, -0.42 * y, body - 0.01),
        (0, -0.42 * y, 0.97 * z),
        (0, 0.42 * y, 0.97 * z),
        (0, 0.42 * y, body - 0.01),
    ]
    sketch.add("knobs", tube(path, 0.03 * z, segments=8))


def camera(sketch: Sketch) -> None:
    """A reflex camera looking along +x: body, lens, prism hump, release."""
    x, y, z = sketch.size
    body = 0.42 * x
    sketch.paint("body", palettes.DARK)
    sketch.paint("trim", palettes.CHROME)
    sketch.paint("lens", palettes.plain("#2b3550", "#1f2c3a"))
    back = -x / 2 + body / 2
    sketch.add("body", rounded_box(body, y, 0.78 * z, 0.14 * body).moved(x=back))
    sketch.add("trim", box(0.94 * body, 0.94 * y, 0.06 * z, 0.01 * z).moved(x=back, z=0.74 * z))
    hump = [
        rounded_rectangle(0.9 * body, 0.36 * y, 0.1 * body, 0.76 * z, 2),
        rounded_rectangle(0.7 * body, 0.22 * y, 0.1 * body, z, 2),
    ]
    sketch.add("body", loft(hump).moved(x=back + 0.1 * body))
    grip = rounded_box(0.5 * body, 0.2 * y, 0.7 * z, 0.2 * body)
    sketch.add("body", grip.moved(-x / 2 + body, -0.38 * y, 0.02 * z))
    r = 0.36 * z
    start, end = -x / 2 + 0.9 * body, x / 2
    barrel = [(r, 0.0), (r, 0.55), (0.92 * r, 0.56), (0.92 * r, 0.72), (r, 0.73), (r, 1.0)]
    sketch.add(
        "body",
        lathe([(a, b * (end - start)) for a, b in barrel])
        .turned("y", 90.0)
        .moved(start, 0.06 * y, 0.38 * z),
    )
    sketch.add(
        "lens",
        cylinder(0.8 * r, 0.004, 30).turned("y", 90.0).moved(end - 0.003, 0.06 * y, 0.38 * z),
    )
    ring = ring_profile([(0.97 * r, 0), (0.97 * r, 0.004), (0.84 * r, 0.004), (0.84 * r, 0)])
    sketch.add("trim", collar(ring).turned("y", 90.0).moved(end - 0.0035, 0.06 * y, 0.38 * z))
    for at, radius in ((-0.36, 0.06), (0.34, 0.1)):
        sketch.add(
            "trim", cylinder(radius * y, 0.08 * z, 18, bevel=0.01 * z).moved(back, at * y, 0.79 * z)
        )


def flashlight(sketch: Sketch) -> None:
    """A torch lying along x, shining towards +x."""
    x, y, z = sketch.size
    r = z / 2
    sketch.paint("body", palettes.DARK + palettes.BRIGHT[:2])
    profile = [
        (0.6, 0),
        (0.68, 0.02),
        (0.68, 0.1),
        (0.62, 0.12),
        (0.62, 0.62),
        (0.68, 0.66),
        (0.96, 0.8),
        (1.0, 0.82),
        (1.0, 0.985),
        (0.94, 1.0),
    ]
    body = lathe([(a * r, b * x) for a, b in profile], 28).scaled(y / z, 1.0, 1.0)
    sketch.add("body", body.turned("y", 90.0).turned("x", 90.0).moved(x=-x / 2, z=r))
    sketch.paint("glass", palettes.plain("#f3f0d8"))
    sketch.add(
        "glass", cylinder(0.84 * r, 0.006 * x, 28).turned("y", 90.0).moved(x=x / 2 - 0.005 * x, z=r)
    )
    sketch.paint("switch", palettes.plain("#c83030", "#d8d8d8"))
    sketch.add(
        "switch", box(0.09 * x, 0.3 * r, 0.16 * r, 0.02 * r).moved(x=0.06 * x, z=r + 0.58 * r)
    )
    for k in range(6):
        ring = ring_profile(
            [(0.66 * r, 0), (0.66 * r, 0.012 * x), (0.58 * r, 0.012 * x), (0.58 * r, 0)], 28
        )
        sketch.add(
            "body",
            collar(ring, 4)
            .turned("y", 90.0)
            .moved(x=-x / 2 + (0.2 + 0.05 * k) * x, z=r)
            .with_convex(()),
        )
