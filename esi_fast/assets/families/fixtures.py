"""What is fixed in houses and public rooms, and larger machines. Backs are at -x."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from esi_fast.assets import palettes
from esi_fast.assets.families.bathroom import faucet
from esi_fast.assets.families.storage import bar_handle
from esi_fast.assets.families.vessels import smooth, walls_of
from esi_fast.assets.labels import panel, printed
from esi_fast.assets.sketch import Sketch
from esi_fast.assets.solids import (
    box,
    circle,
    collar,
    cylinder,
    lathe,
    loft,
    open_box,
    prism,
    rectangle,
    ring_profile,
    rounded_box,
    rounded_rectangle,
    shell,
    tube,
)
from esi_fast.geometry.render import Material
from esi_fast.types import FloatArray

__all__ = [
    "board",
    "cart",
    "counter",
    "crock_pot",
    "dispenser",
    "display_case",
    "dome_camera",
    "espresso",
    "fence",
    "fireplace",
    "flush_light",
    "fountain",
    "hob",
    "hood",
    "ladder",
    "pillar",
    "screen_wall",
    "shower",
    "sign",
    "sink",
    "stairs",
    "till",
    "tripod",
    "urinal",
    "waste_bin",
    "window_sash",
]

_STEEL = palettes.STEEL[:2]


def window_sash(sketch: Sketch) -> None:
    """A window whose two sashes are hinged at the sides and open towards +x."""
    x, y, z = sketch.size
    bar = 0.07 * min(y, z)
    wood = palettes.PAINTED[:1] + palettes.WOOD[:2]
    sketch.paint("frame", wood)
    glass = Material(color=(0.97, 0.98, 0.98), kind="glass", ior=1.02)
    for side in (-1, 1):
        sketch.add("frame", box(0.7 * x, bar, z).moved(-0.15 * x, side * (y - bar) / 2))
    for low in (0.0, z - bar):
        sketch.add("frame", box(0.7 * x, y, bar).moved(x=-0.15 * x, z=low))
    wide, high = y / 2 - bar, z - 2 * bar
    for side, name in ((-1, "left"), (1, "right")):
        sketch.paint(name, sketch.color("frame", wood))
        sketch.paint(f"{name}_pane", glass)
        sketch.paint(f"{name}_grip", palettes.CHROME)
        at = side * (wide / 2)
        edge = 0.7 * bar
        for k in (-1, 1):
            post = box(0.4 * x, edge, high).moved(0.1 * x, at + k * (wide - edge) / 2, bar)
            rail = box(0.4 * x, wide, edge).moved(0.1 * x, at, bar + (high - edge) * (k > 0))
            sketch.add(name, post, rail)
        pane = box(0.06 * x, wide - edge, high - edge).moved(0.1 * x, at, bar + edge / 2)
        sketch.add(f"{name}_pane", pane)
        grip = bar_handle(0.12 * z, 0.1 * bar, 0.2 * x, upright=True)
        sketch.add(f"{name}_grip", grip.moved(0.3 * x, side * 0.5 * edge, z / 2))
        slots = (name, f"{name}_pane", f"{name}_grip")
        sketch.hinge(slots, (0.3 * x, side * wide, 0.0), "z", side * np.pi / 2)


def flush_light(sketch: Sketch, *, square: bool = False) -> None:
    """A lamp let into or flat under the ceiling, shining down."""
    x, y, z = sketch.size
    sketch.paint("rim", palettes.WHITE + palettes.CHROME[:1])
    sketch.paint("light", Material(color=(1.0, 0.97, 0.88), kind="emissive"))
    if square:
        sketch.add("rim", box(x, y, 0.7 * z).moved(z=0.3 * z))
        sketch.add("light", rounded_box(0.9 * x, 0.9 * y, 0.5 * z, 0.2 * z))
        return
    ring = ring_profile([(0.8, 0.1), (1.0, 0.0), (1.0, 0.3), (0.86, 1.0), (0.7, 1.0)], 40)
    can = collar(ring, 4).scaled(x / 2, y / 2, z)
    sketch.add("rim", can)
    sketch.add("rim", cylinder(0.8, 0.2, 36).scaled(x / 2, y / 2, z).moved(z=0.8 * z))
    disc = cylinder(0.78, 0.25, 36).scaled(x / 2, y / 2, z).moved(z=0.12 * z)
    sketch.add("light", disc)


def board(sketch: Sketch, *, dark: bool = False) -> None:
    """A writing board on a wall with a tray below: white with drawings, or a dark one."""
    x, y, z = sketch.size
    thick = 0.4 * x
    ground = "#f4f5f3" if not dark else "#2f4a3f"
    sketch.put(
        "frame",
        palettes.STEEL if not dark else palettes.WOOD,
        box(thick, y, z).moved(x=-x / 2 + thick / 2),
    )
    face = box(0.1 * x, 0.95 * y, 0.92 * z).moved(-x / 2 + thick + 0.02 * x, 0, 0.04 * z)
    sketch.put("face", palettes.plain(ground, gloss=0.3 if not dark else 0.0), face)
    front = -x / 2 + thick + 0.07 * x
    rng = sketch.rng("lines")
    inks = ("#2f5f9a", "#b3362c", "#2b2d30") if not dark else ("#f0ede4", "#f0ede4", "#e8d88a")
    for k in range(5):
        wide = float(rng.uniform(0.2, 0.42)) * y
        line = box(0.012 * x, wide, 0.012 * z)
        at = line.moved(front, -0.44 * y + wide / 2, (0.82 - 0.1 * k) * z)
        sketch.put(f"ink{k % 3}", palettes.plain(inks[k % 3]), at.with_convex(()))
    hill = [(0.06 * k * y, 0.12 * z * (1.0 + np.sin(1.1 * k))) for k in range(7)]
    path = np.array([(front, 0.06 * y + a, 0.2 * z + b) for a, b in hill])
    sketch.add("ink0", tube(path, 0.006 * z, segments=6).with_convex(()))
    corner = (front, 0.05 * y, 0.18 * z)
    for k, end in ((0, (front, 0.45 * y, 0.18 * z)), (1, (front, 0.05 * y, 0.68 * z))):
        axis = tube([corner, end], 0.005 * z, segments=6)
        sketch.add(f"ink{k}", axis.with_convex(()))
    ledge = box(x - thick, 0.5 * y, 0.03 * z).moved(x=thick / 2)
    sketch.put("ledge", palettes.STEEL, ledge)
    for k in range(2):
        pen = cylinder(0.012 * z, 0.1 * y, 10).turned("x", 90.0)
        sketch.put(f"ink{k}", palettes.WHITE, pen.moved(0.2 * x, (0.02 + 0.14 * k) * y, 0.042 * z))


def hood(sketch: Sketch) -> None:
    """A range hood: a flared canopy, a chimney, filters and a switch strip."""
    x, y, z = sketch.size
    sketch.paint("steel", _STEEL)
    lip = 0.1 * z
    sketch.add("steel", box(x, y, lip, 0.004))
    canopy = [
        rectangle(x, y, lip),
        rectangle(0.5 * x, 0.36 * y, 0.45 * z) - np.array([0.25 * x, 0, 0]),
    ]
    sketch.add("steel", loft(canopy))
    sketch.add("steel", box(0.46 * x, 0.32 * y, 0.56 * z).moved(x=-0.27 * x, z=0.44 * z))
    for k in (-1, 1):
        grid = box(0.7 * x, 0.4 * y, 0.01 * z).moved(y=k * 0.24 * y, z=-0.005 * z)
        sketch.put("filters", palettes.plain("#5a5e62"), grid)
    for k in range(4):
        key = cylinder(0.02 * z, 0.01 * x, 12).turned("y", 90.0)
        sketch.put(
            "keys", palettes.DARK, key.moved(x / 2 - 0.004 * x, (k - 1.5) * 0.05 * y, lip / 2)
        )


def pillar(sketch: Sketch) -> None:
    """A column with a base and a capital: round and fluted, or square where its box is narrow."""
    x, y, z = sketch.size
    sketch.paint("stone", palettes.plain("#d9d4c8", "#c9c4ba", "#e6e0d4"))
    foot = min(0.06 * z, 0.5 * min(x, y))
    for low in (0.0, z - foot):
        sketch.add("stone", box(x, y, foot, 0.1 * foot).moved(z=low))
    if sketch.pick("round", (True, True, False)):
        t = 2.0 * np.pi * np.arange(80) / 80
        r = 0.42 * (1.0 - 0.05 * (0.5 + 0.5 * np.cos(20.0 * t)))
        ring = np.stack([x * r * np.cos(t), y * r * np.sin(t), 0 * t], axis=1)
        rise = np.array([0.0, 0.0, 1.0])
        shaft = loft([ring + rise * foot, ring * [0.92, 0.92, 1.0] + rise * (z - foot)])
        sketch.add("stone", shaft.with_convex((shaft.vertices,)))
    else:
        sketch.add("stone", box(0.82 * x, 0.82 * y, z - 1.9 * foot).moved(z=0.95 * foot))
    for low in (foot, z - 1.35 * foot):
        band = cylinder(0.47, 0.35 * foot, 40, bevel=0.0).scaled(x, y, 1.0)
        sketch.add("stone", band.moved(z=low))


def screen_wall(sketch: Sketch) -> None:
    """A folding screen: panels of paper in wooden frames, zigzag along y."""
    x, y, z = sketch.size
    panels = max(3, round(y / 0.6))
    wide = y / panels
    thick = 0.2 * x if x < 0.3 else 0.03
    lean = np.rad2deg(np.arctan2(max(x - thick, 0.0), wide))
    long = float(np.hypot(max(x - thick, 0.0), wide))
    for k in range(panels):
        way = lean if k % 2 else -lean
        at = -y / 2 + (k + 0.5) * wide
        bar = 0.06 * long
        for side in (-1, 1):
            post = box(thick, bar, z).moved(y=side * (long - bar) / 2)
            sketch.put("wood", palettes.WOOD[:4], post.turned("z", way).moved(y=at))
        for low in (0.03 * z, 0.5 * z, 0.94 * z):
            rail = box(0.9 * thick, long - bar, bar).moved(z=low)
            sketch.add("wood", rail.turned("z", way).moved(y=at))
        paper = box(0.4 * thick, long - 1.6 * bar, 0.92 * z).moved(z=0.04 * z)
        sketch.put("paper", palettes.CREAM, paper.turned("z", way).moved(y=at))


def sink(
    sketch: Sketch, *, palette: Sequence[Material] = palettes.WHITE, legs: bool = False
) -> None:
    """One or more basins in a slab, a tap behind each; on ``legs`` where it stands alone."""
    x, y, z = sketch.size
    count = max(1, round(y / (0.95 if legs else 0.8)))
    tap = min(0.3 * z, 0.3) if not legs else 0.22 * z
    top = z - tap
    bowl = min(top, 0.2) if legs else top
    sketch.paint("basin", palette)
    sketch.paint("tap", palettes.CHROME)
    wide = y / count
    for k in range(count):
        at = -y / 2 + (k + 0.5) * wide
        r = 0.12 * min(x, wide)
        outer = [
            rounded_rectangle(0.8 * x, 0.8 * wide, r, top - bowl),
            rounded_rectangle(x, wide, r, top - 0.3 * bowl),
            rounded_rectangle(x, wide, r, top),
        ]
        inner = [
            rounded_rectangle(0.78 * x, 0.84 * wide, r, top) + np.array([0.06 * x, 0, 0]),
            rounded_rectangle(0.6 * x, 0.66 * wide, r, top - 0.82 * bowl)
            + np.array([0.06 * x, 0, 0]),
        ]
        sketch.add("basin", shell(outer, inner, 2).moved(y=at))
        sketch.add("tap", faucet(0.38 * x, tap, 0.07 * tap).moved(-0.42 * x, at, top - 0.01))
        for side in (-1, 1):
            lever = cylinder(0.1 * tap, 0.25 * tap, 12, bevel=0.02 * tap)
            sketch.add("tap", lever.moved(-0.42 * x, at + side * 0.4 * tap, top))
        drain = cylinder(0.05 * x, 0.01 * z, 16).moved(0.06 * x, at, top - 0.82 * bowl)
        sketch.add("tap", drain)
    if legs:
        sketch.paint("legs", _STEEL)
        for sx in (-1, 1):
            for sy in (-1, 1):
                leg = cylinder(0.03, top - 0.3 * bowl, 12).moved(sx * 0.42 * x, sy * 0.46 * y)
                sketch.add("legs", leg)
        sketch.add("legs", box(0.8 * x, 0.9 * y, 0.03).moved(z=0.2 * top))


def urinal(sketch: Sketch) -> None:
    """A urinal on a wall: a back plate, a lip, a pipe with a button above."""
    x, y, z = sketch.size
    tall = 0.86 * z
    sketch.paint("china", palettes.WHITE)
    sketch.add("china", rounded_box(0.2 * x, y, tall, 0.09 * x).moved(x=-0.4 * x))
    outer = [
        circle((0.3 * x, 0.3 * y), 0.04 * z, x=-0.2 * x),
        circle((0.62 * x, 0.46 * y), 0.36 * z, x=-0.12 * x),
    ]
    inner = [
        circle((0.5 * x, 0.38 * y), 0.36 * z, x=-0.12 * x),
        circle((0.3 * x, 0.2 * y), 0.14 * z, x=-0.2 * x),
    ]
    sketch.add("china", shell(outer, inner))
    for side in (-1, 1):
        wing = prism(
            [(-0.4 * x, 0.3 * z), (0.1 * x, 0.3 * z), (-0.2 * x, tall), (-0.4 * x, tall)], 0.08 * y
        )
        sketch.add("china", wing.turned("x", 90.0).moved(y=side * 0.42 * y + 0.04 * y))
    sketch.paint("pipe", palettes.CHROME)
    sketch.add("pipe", cylinder(0.06 * y, 0.2 * z, 14).moved(x=-0.34 * x, z=0.8 * z))
    sketch.add(
        "pipe", cylinder(0.09 * y, 0.05 * x, 18).turned("y", 90.0).moved(x=-0.3 * x, z=0.93 * z)
    )
    sketch.add("pipe", cylinder(0.05 * y, 0.01 * z, 14).moved(x=-0.2 * x, z=0.15 * z))


def hob(sketch: Sketch) -> None:
    """A cook top: a dark plate with four rings and knobs in front."""
    x, y, z = sketch.size
    sketch.put("plate", palettes.DARK[1:2] + _STEEL[:1], rounded_box(x, y, 0.6 * z, 0.2 * z))
    for sx in (-1, 1):
        for sy in (-1, 1):
            r = (0.16 if sx * sy > 0 else 0.12) * min(x, y)
            at = (sx * 0.22 * x - 0.06 * x, sy * 0.25 * y)
            for share in (1.0, 0.62):
                ring = [
                    (share * r, 0.0),
                    (share * r, 0.16 * z),
                    (share * r - 0.1 * r, 0.16 * z),
                    (share * r - 0.1 * r, 0.0),
                ]
                band = collar(ring_profile(ring)).moved(*at, 0.58 * z)
                sketch.put("rings", palettes.plain("#8a4a3a", "#6a6e72"), band)
    for k in range(4):
        knob = cylinder(0.035 * x, 0.42 * z, 16, bevel=0.006 * x)
        sketch.put("knobs", palettes.CHROME, knob.moved(0.43 * x, (k - 1.5) * 0.1 * y, 0.58 * z))


def counter(sketch: Sketch, *, stone: bool = False, facing: bool = True) -> None:
    """A bar or desk to stand at: a high front panel, a worktop, a lower shelf behind (-x)."""
    x, y, z = sketch.size
    wood = palettes.WOOD + palettes.PAINTED[2:3]
    if stone:
        tops = palettes.textured(
            "noise", 0.03, ("#4a4a4c", "#2f3033"), ("#d9d4ca", "#b9b4aa"), gloss=0.4
        )
        sketch.put("top", tops, box(x, y, z, 0.1 * z))
        sketch.top(0.0)
        return
    top = 0.05 * z
    sketch.put("body", wood, box(0.4 * x, 0.98 * y, z - top).moved(x=0.22 * x))
    sketch.put(
        "top", palettes.WOOD[::-1], box(0.62 * x, y, top, 0.2 * top).moved(x=0.19 * x, z=z - top)
    )
    for side in (-1, 1):
        sketch.add("body", box(0.9 * x, 0.04, 0.7 * z).moved(-0.03 * x, side * (0.48 * y - 0.02)))
    sketch.add("top", box(0.58 * x, 0.96 * y, top).moved(x=-0.21 * x, z=0.7 * z))
    count = max(2, round(y / 0.7))
    for k in range(count if facing else 0):
        wide = 0.96 * y / count
        inset = box(0.01 * x + 0.006, 0.8 * wide, 0.62 * (z - top))
        sketch.put("panels", wood, inset.moved(0.42 * x, -0.48 * y + (k + 0.5) * wide, 0.2 * z))
    sketch.support((0.0, -0.45 * y), (0.45 * x, 0.45 * y), z)


def display_case(sketch: Sketch) -> None:
    """A shop's display case: glass in front and above, shelves, a lit plinth."""
    x, y, z = sketch.size
    base = 0.3 * z
    sketch.put("base", palettes.WOOD + palettes.PAINTED[:1], box(x, y, base))
    sketch.paint("frame", palettes.DARK + palettes.CHROME[:1])
    bar = 0.02 * y + 0.005
    for sx in (-1, 1):
        for sy in (-1, 1):
            post = box(bar, bar, z - base).moved(sx * (x - bar) / 2, sy * (y - bar) / 2, base)
            sketch.add("frame", post)
    sketch.add("frame", box(x, y, bar).moved(z=z - bar))
    sketch.add("frame", box(0.02 * x, y, z - base).moved(x=-0.49 * x, z=base))
    glass = Material(color=(0.97, 0.98, 0.98), kind="glass", ior=1.02)
    sketch.put(
        "glass", glass, box(0.012 * x, y - 2 * bar, z - base - bar).moved(x=0.49 * x, z=base)
    )
    for k in (1, 2):
        level = base + k * (z - base) / 3
        sketch.put("shelves", palettes.WHITE, box(0.9 * x, y - bar, 0.015).moved(z=level))
    rng = sketch.rng("wares")
    for k in range(3):
        level = base + k * (z - base) / 3 + (0.016 if k else 0.0)
        for j in range(5):
            size = float(rng.uniform(0.08, 0.14)) * y
            ware = rounded_box(0.3 * x, size, min(size, 0.2 * (z - base)), 0.02 * y)
            at = (0.1 * x, (j - 2) * 0.18 * y, level)
            sketch.put(f"ware{int(rng.integers(3))}", palettes.BRIGHT, ware.moved(*at))


def dispenser(sketch: Sketch, *, kind: str) -> None:
    """A machine that gives water or drinks, or a box on a wall that gives towels or warm air."""
    x, y, z = sketch.size
    if kind in ("towels", "air"):
        sketch.paint("body", palettes.WHITE + palettes.STEEL[:1])
        sketch.add("body", rounded_box(x, y, 0.9 * z, 0.2 * min(x, y)).moved(z=0.1 * z))
        if kind == "towels":
            slot = box(0.1 * x, 0.76 * y, 0.05 * z).moved(0.44 * x, 0, 0.12 * z)
            sheet = box(0.02 * x, 0.66 * y, 0.16 * z).moved(0.46 * x)
            sketch.put("slot", palettes.DARK[1:2], slot)
            sketch.put("paper", palettes.CREAM[:1], sheet)
            window = box(0.02 * x, 0.5 * y, 0.1 * z).moved(0.5 * x, 0, 0.6 * z)
            sketch.put("window", palettes.plain("#6f8a96"), window)
        else:
            spout = lathe([(0.14 * y, 0.0), (0.2 * y, 0.1 * z), (0.2 * y, 0.2 * z)], 20)
            sketch.put("spout", palettes.CHROME, spout.moved(0.2 * x))
            button = cylinder(0.1 * y, 0.06 * x, 20).turned("y", 90.0)
            sketch.put("spout", palettes.CHROME, button.moved(0.47 * x, 0, 0.6 * z))
        return
    body = 0.62 * z
    sketch.paint("body", palettes.WHITE if kind == "water" else palettes.DARK)
    sketch.add("body", rounded_box(0.9 * x, y, body, 0.06 * y).moved(x=-0.05 * x))
    niche = box(0.02 * x, 0.7 * y, 0.3 * body).moved(0.4 * x, 0, 0.5 * body)
    sketch.put("niche", palettes.plain("#55606a"), niche)
    tray = box(0.2 * x, 0.7 * y, 0.03 * z).moved(0.4 * x, 0, 0.46 * body)
    sketch.put("tray", palettes.STEEL, tray)
    for k, color in ((-1, "#2f6db3"), (1, "#c8382f")):
        tap = box(0.08 * x, 0.1 * y, 0.06 * z).moved(0.44 * x, k * 0.16 * y, 0.74 * body)
        sketch.put(f"tap{k}", palettes.plain(color), tap)
    if kind == "water":
        r = 0.44 * min(x, y)
        shape = [
            (0.3, 0.0),
            (0.34, 0.06),
            (0.96, 0.2),
            (1.0, 0.3),
            (0.94, 0.55),
            (1.0, 0.62),
            (1.0, 0.9),
            (0.8, 1.0),
        ]
        jug = lathe(smooth([(a * r, body + b * (z - body)) for a, b in shape], 3))
        sketch.put("jug", palettes.plain("#9fc8e0", "#b3d6ea", gloss=0.6), jug.moved(x=-0.05 * x))
        return
    for k, color in enumerate(("#c8441f", "#e39a2f", "#5f9a4a")):
        wide = y / 3
        bowl = open_box(0.7 * x, 0.9 * wide, z - body, 0.02 * x)
        at = (k - 1) * wide
        sketch.put("bowls", palettes.GLASS[:1], bowl.moved(-0.05 * x, at, body))
        drink = box(0.64 * x, 0.82 * wide, 0.7 * (z - body)).moved(-0.05 * x, at, body + 0.03 * x)
        sketch.put(f"drink{k}", palettes.plain(color), drink)


def espresso(sketch: Sketch) -> None:
    """An espresso machine: a steel body with cups on top, two groups with handles, a drip tray."""
    x, y, z = sketch.size
    sketch.paint("steel", palettes.CHROME + palettes.BRIGHT[:1])
    sketch.add("steel", rounded_box(0.5 * x, y, 0.8 * z, 0.05 * z).moved(x=-0.25 * x, z=0.06 * z))
    sketch.add("steel", rounded_box(0.86 * x, y, 0.3 * z, 0.06 * z).moved(x=-0.07 * x, z=0.56 * z))
    sketch.paint("dark", palettes.DARK)
    sketch.add("dark", box(0.96 * x, 0.98 * y, 0.1 * z).moved(x=-0.02 * x))
    grid = box(0.4 * x, 0.84 * y, 0.02 * z).moved(x=0.22 * x, z=0.1 * z)
    sketch.put("grid", palettes.STEEL, grid)
    groups = 2 if y > 0.5 else 1
    for k in range(groups):
        at = (k - (groups - 1) / 2) * 0.44 * y
        head = cylinder(0.09 * min(x, y), 0.1 * z, 24).moved(0.2 * x, at, 0.48 * z)
        sketch.add("steel", head)
        grip = [(0.22 * x, at, 0.5 * z), (0.36 * x, at, 0.49 * z), (x / 2, at, 0.46 * z)]
        sketch.add("dark", tube(grip, 0.03 * z, segments=10))
        cup_ = walls_of(smooth([(0.05 * z, 0), (0.08 * z, 0.12 * z)], 3), 0.01 * z, 0.015 * z)
        sketch.put("cups", palettes.WHITE, cup_.moved(0.2 * x, at, 0.12 * z))
    wand = [
        (0.3 * x, 0.44 * y, 0.56 * z),
        (0.4 * x, 0.45 * y, 0.4 * z),
        (0.38 * x, 0.46 * y, 0.2 * z),
    ]
    sketch.put("wand", palettes.CHROME, tube(wand, 0.012 * z, segments=8))
    for k in range(4):
        cup_ = walls_of(smooth([(0.04 * z, 0), (0.06 * z, 0.12 * z)], 3), 0.01 * z, 0.015 * z)
        sketch.add("cups", cup_.moved(-0.24 * x, (k - 1.5) * 0.2 * y, 0.86 * z))
    for k in range(3):
        key = cylinder(0.03 * z, 0.01 * x, 14).turned("y", 90.0)
        sketch.add("dark", key.moved(0.36 * x, (k - 1) * 0.12 * y, 0.75 * z))


def crock_pot(sketch: Sketch) -> None:
    """A slow cooker, open: a steel shell, a dark inner pot, side handles along y, a dial."""
    x, y, z = sketch.size
    reach = 0.08 * y

    def oval(share: float, high: float) -> FloatArray:
        return circle((share * x, (share + 0.01) * y - reach), high * z)

    outer = [oval(0.46, 0.0), oval(0.49, 0.06), oval(0.49, 0.86), oval(0.48, 1.0)]
    metal = palettes.STEEL + palettes.WHITE[:1] + palettes.BRIGHT[:1]
    sketch.put("shell", metal, shell(outer, [oval(0.44, 1.0), oval(0.4, 0.16)]))
    sketch.paint("dark", palettes.DARK)
    rim = [oval(0.5, 0.92), oval(0.5, 1.0), oval(0.45, 1.0), oval(0.45, 0.92)]
    sketch.add("dark", collar(rim))
    for side in (-1, 1):
        grip = rounded_box(0.3 * x, 1.4 * reach, 0.14 * z, 0.04 * z)
        sketch.add("dark", grip.moved(y=side * (y / 2 - 0.7 * reach), z=0.62 * z))
    dial = cylinder(0.1 * z, 0.03 * x, 20, bevel=0.006 * x).turned("y", 90.0)
    sketch.add("dark", dial.moved(x=0.47 * x, z=0.25 * z))
    sketch.cavity(
        (-0.28 * x, -0.28 * (y - 2 * reach), 0.16 * z), (0.28 * x, 0.28 * (y - 2 * reach), z)
    )


def shower(sketch: Sketch) -> None:
    """A shower stall: a tray, glass walls in steel frames, a door, a head on a pipe."""
    x, y, z = sketch.size
    tray = 0.06 * z
    sketch.put("tray", palettes.WHITE, rounded_box(x, y, tray, 0.02))
    sketch.paint("frame", palettes.CHROME)
    bar = 0.03
    for sx in (-1, 1):
        for sy in (-1, 1):
            post = box(bar, bar, z - tray).moved(sx * (x - bar) / 2, sy * (y - bar) / 2, tray)
            sketch.add("frame", post)
    glass = Material(color=(0.93, 0.97, 0.97), kind="glass", ior=1.02)
    sketch.put("back", palettes.textured("tile", 0.15, ("#dfe6e8", "#b9c4c8")),
               box(0.02, y - bar, z - tray).moved(x=-x / 2 + 0.02, z=tray))  # fmt: skip
    for sx in (-1, 1):
        sketch.add("frame", box(bar, y, bar).moved(x=sx * (x - bar) / 2, z=z - bar))
    for sy in (-1, 1):
        sketch.add("frame", box(x, bar, bar).moved(y=sy * (y - bar) / 2, z=z - bar))
        sketch.put(
            "glass",
            glass,
            box(x - 2 * bar, 0.01, z - tray - bar).moved(y=sy * (y / 2 - 0.015), z=tray),
        )
    sketch.put(
        "door",
        glass,
        box(0.01, y - 2.2 * bar, z - tray - 1.5 * bar).moved(x=x / 2 - 0.015, z=tray + 0.01),
    )
    grip = bar_handle(0.3, 0.01, 0.04, upright=True)
    sketch.put("grip", palettes.CHROME, grip.moved(x / 2 - 0.012, 0.4 * y, 0.5 * z))
    sketch.hinge(("door", "grip"), (x / 2 - 0.01, -y / 2 + bar, 0.0), "z", -np.pi / 2)
    pipe = [(-x / 2 + 0.06, 0, 0.45 * z), (-x / 2 + 0.06, 0, 0.9 * z), (-0.2 * x, 0, 0.92 * z)]
    sketch.add("frame", tube(pipe, 0.012, segments=10))
    sketch.add(
        "frame", lathe([(0.1, 0.0), (0.1, 0.015), (0.02, 0.05)]).moved(-0.2 * x, 0, 0.88 * z)
    )
    sketch.add(
        "frame", cylinder(0.04, 0.05, 16).turned("y", 90.0).moved(-x / 2 + 0.02, 0, 0.48 * z)
    )


def fireplace(sketch: Sketch) -> None:
    """A fireplace: a mantel on two pillars round a dark hearth with logs and flames."""
    x, y, z = sketch.size
    stone = palettes.textured("brick", 0.2, ("#9a5a44", "#c9b8a4"), ("#b9b0a4", "#e0d8cc"))
    sketch.paint("stone", stone)
    side = 0.2 * y
    for k in (-1, 1):
        sketch.add(
            "stone", box(0.86 * x, side, 0.84 * z).moved(-0.04 * x, k * (y - side) / 2 * 0.96)
        )
    sketch.add("stone", box(0.86 * x, 0.96 * y, 0.24 * z).moved(x=-0.04 * x, z=0.62 * z))
    sketch.put("back", palettes.plain("#1e1a18"), box(0.1 * x, 0.8 * y, 0.7 * z).moved(x=-0.42 * x))
    sketch.put("mantel", palettes.WOOD, box(x, y, 0.14 * z, 0.02 * z).moved(z=0.86 * z))
    sketch.add("back", box(0.94 * x, y, 0.05 * z))
    for k in range(3):
        log = cylinder(0.07 * x, 0.4 * y, 12).turned("x", 90.0)
        at = ((-0.16, 0.06, -0.05)[k] * x, 0.2 * y, (0.1, 0.1, 0.24)[k] * z)
        sketch.put("logs", palettes.WOOD[3:4], log.turned("z", (4.0, -5.0, 2.0)[k]).moved(*at))
    sketch.paint("flames", Material(color=(1.0, 0.6, 0.15), kind="emissive"))
    for k in range(5):
        flame = lathe(
            [(0.03 * y, 0), (0.05 * y, 0.08 * z), (0.002 * y, (0.2 + 0.05 * (k % 2)) * z)], 10
        )
        sketch.add("flames", flame.moved(-0.05 * x, (k - 2) * 0.07 * y, 0.2 * z))
    sketch.top(0.03)


def ladder(sketch: Sketch) -> None:
    """A ladder along its longest side: two rails, rungs."""
    x, y, z = sketch.size
    bar = 0.45 * min(y, z) if min(y, z) < 0.12 * x else 0.035 * x
    sketch.paint("wood", palettes.WOOD + palettes.STEEL[:1])
    for side in (-1, 1):
        rail = box(x, bar, min(z, 2 * bar)).moved(y=side * (y - bar) / 2)
        sketch.add("wood", rail)
    count = max(4, round(x / 0.3))
    for k in range(count):
        rung = cylinder(0.4 * min(z, 2 * bar), y - bar, 12).turned("x", 90.0)
        at = ((k + 0.5) / count - 0.5) * x
        sketch.add("wood", rung.moved(at, (y - bar) / 2, min(z, 2 * bar) / 2))


def till(sketch: Sketch) -> None:
    """A cash register: a drawer, a sloped key field, a raised display."""
    x, y, z = sketch.size
    sketch.paint("body", palettes.DARK + palettes.CREAM[:1])
    sketch.add("body", box(x, y, 0.26 * z, 0.01 * z))
    slope = prism(
        [
            (-0.5 * x, 0.26 * z),
            (0.42 * x, 0.26 * z),
            (0.42 * x, 0.36 * z),
            (-0.14 * x, 0.66 * z),
            (-0.5 * x, 0.66 * z),
        ],
        0.96 * y,
    )
    sketch.add("body", slope.turned("x", 90.0).moved(y=0.48 * y))
    angle = float(np.rad2deg(np.arctan2(0.3 * z, 0.56 * x)))
    for row in range(4):
        for column in range(5):
            key = box(0.08 * x, 0.1 * y, 0.04 * z, 0.006 * z).turned("y", angle)
            share = (row + 0.5) / 4
            at = ((0.38 - 0.5 * share) * x, (column - 2) * 0.15 * y, (0.36 + 0.27 * share) * z)
            sketch.put(
                "keys" if column else "red",
                palettes.WHITE if column else palettes.BRIGHT[:1],
                key.moved(*at),
            )
    screen = box(0.1 * x, 0.7 * y, 0.3 * z, 0.02 * z).moved(x=-0.36 * x, z=0.7 * z)
    sketch.add("body", screen)
    shown = box(0.02 * x, 0.6 * y, 0.2 * z).moved(x=-0.3 * x, z=0.75 * z)
    sketch.put("display", palettes.plain("#123a2a"), shown)
    sum_ = panel(0.5 * y, 0.16 * z).moved(x=-0.289 * x, z=0.77 * z)
    sketch.put(
        "sum",
        printed(
            "12 50",
            ground="#123a2a",
            ink="#7fe0a0",
            aspect=0.5 * y / (0.16 * z),
            picture="none",
        ),
        sum_,
    )
    drawer = box(0.02 * x, 0.9 * y, 0.16 * z).moved(x=0.5 * x, z=0.05 * z)
    sketch.put("drawer", palettes.STEEL, drawer)


def cart(sketch: Sketch) -> None:
    """A serving cart: three shelves on posts, castors, a push bar."""
    x, y, z = sketch.size
    long_y = y >= x
    a, b = (y, x) if long_y else (x, y)
    sketch.paint("shelves", palettes.STEEL + palettes.WOOD[:2])
    sketch.paint("frame", palettes.CHROME)
    sketch.paint("wheels", palettes.DARK)
    wheel = 0.05 * z
    parts = []
    for k in range(3):
        tray = open_box(0.92 * a, 0.94 * b, 0.05 * z, 0.01 * z)
        parts.append(("shelves", tray.moved(z=2 * wheel + k * (0.82 * z - 2 * wheel) / 2)))
    for sx in (-1, 1):
        for sy in (-1, 1):
            post = cylinder(0.014 * a, 0.84 * z - 2 * wheel + 0.05 * z, 10)
            parts.append(("frame", post.moved(sx * 0.45 * a, sy * 0.45 * b, 2 * wheel)))
            disc = cylinder(wheel, 0.04 * b, 18).turned("x", 90.0)
            parts.append(("wheels", disc.moved(sx * 0.43 * a, sy * 0.43 * b + 0.02 * b, wheel)))
    bar = [
        (0.45 * a, -0.45 * b, 0.88 * z),
        (0.49 * a, -0.45 * b, 0.99 * z),
        (0.49 * a, 0.45 * b, 0.99 * z),
        (0.45 * a, 0.45 * b, 0.88 * z),
    ]
    parts.append(("frame", tube(bar, 0.014 * a, segments=8)))
    for slot, solid in parts:
        sketch.add(slot, solid.turned("z", 90.0) if long_y else solid)
    sketch.support((-0.4 * x, -0.4 * y), (0.4 * x, 0.4 * y), 0.83 * z)


def fence(sketch: Sketch, *, gate: bool = False) -> None:
    """A fence along y: posts, rails, pickets; a gate has two leaves that meet."""
    x, y, z = sketch.size
    sketch.paint("wood", palettes.WOOD + palettes.DARK[:1])
    posts = 2 if gate else max(2, round(y / 2.0) + 1)
    wide = min(0.06 * z, 0.06 * y)
    for k in range(posts):
        at = -y / 2 + wide / 2 + k * (y - wide) / (posts - 1)
        sketch.add("wood", box(x, wide, z).moved(y=at))
    for level in (0.15, 0.5, 0.85):
        sketch.add("wood", box(0.4 * x, y, 0.05 * z).moved(z=level * z))
    count = int(np.clip(round(y / 0.16), 6, 80))
    for k in range(count):
        at = ((k + 0.5) / count - 0.5) * (y - 2 * wide)
        rise = 0.9 + (0.08 * np.cos(np.pi * at / y) if gate else 0.0)
        picket = box(0.3 * x, 0.4 * y / count, rise * z).moved(y=at)
        sketch.add("wood", picket)
    if gate:
        sketch.put("lock", palettes.BRASS, box(0.7 * x, 0.08 * z, 0.08 * z).moved(z=0.5 * z))


def stairs(sketch: Sketch) -> None:
    """A flight of stairs rising towards -x, with stringers."""
    x, y, z = sketch.size
    count = max(3, round(z / 0.18))
    sketch.paint("steps", palettes.WOOD)
    for k in range(count):
        deep = x * (count - k) / count
        step = box(deep, y, z / count * 1.001).moved(x=-x / 2 + deep / 2, z=k * z / count)
        sketch.add("steps", step)
    for k in range(count):
        tread = box(x / count * 1.12, 0.98 * y, 0.1 * z / count)
        at = x / 2 - (k + 0.5) * x / count
        sketch.put(
            "treads",
            palettes.WOOD[::-1],
            tread.moved(x=at, z=(k + 0.95) * z / count).with_convex(()),
        )


def sign(sketch: Sketch) -> None:
    """A sign with an arrow, facing +x."""
    x, y, z = sketch.size
    plate = loft([rounded_rectangle(z, y, 0.12 * z, h) for h in (0.0, 0.6 * x)]).turned("y", 90.0)
    sketch.put(
        "plate", palettes.plain("#2f7a4a", "#2f5f9a", "#c8382f"), plate.moved(x=-x / 2, z=z / 2)
    )
    rim = collar(
        [
            rounded_rectangle(z * s, y * s, 0.12 * z, h)
            for s, h in ((0.98, 0), (0.98, 0.2 * x), (0.9, 0.2 * x), (0.9, 0))
        ],
        4,
    )
    sketch.put("white", palettes.WHITE[:1], rim.turned("y", 90.0).moved(x=0.1 * x, z=z / 2))
    a = 0.3 * min(y, z)
    arrow = [
        (-a, -0.2 * a),
        (0.1 * a, -0.2 * a),
        (0.1 * a, -0.6 * a),
        (a, 0.0),
        (0.1 * a, 0.6 * a),
        (0.1 * a, 0.2 * a),
        (-a, 0.2 * a),
    ]
    shape = prism(arrow, 0.2 * x).turned("x", 90.0).turned("z", 90.0)
    sketch.add("white", shape.moved(x=0.1 * x, z=z / 2))


def fountain(sketch: Sketch) -> None:
    """A drinking fountain: a steel basin on a column, a bubbler, a button."""
    x, y, z = sketch.size
    sketch.paint("steel", palettes.STEEL)
    sketch.add("steel", rounded_box(0.7 * x, 0.7 * y, 0.84 * z, 0.05 * x).moved(x=-0.15 * x))

    def ring(wide: float, across: float, high: float) -> FloatArray:
        return rounded_rectangle(wide * x, across * y, 0.14 * wide * x, high * z)

    outer = [ring(0.7, 0.8, 0.78), ring(1.0, 1.0, 0.94)]
    basin = shell(outer, [ring(0.9, 0.9, 0.94), ring(0.5, 0.6, 0.85)], 2)
    sketch.add("steel", basin)
    arc = [(-0.3 * x, 0, 0.9 * z), (-0.3 * x, 0, 0.98 * z), (-0.2 * x, 0, 0.99 * z)]
    sketch.put("tap", palettes.CHROME, tube(arc, 0.012 * z, segments=10))
    button = cylinder(0.05 * y, 0.03 * x, 18).turned("y", 90.0).moved(x=0.2 * x, z=0.7 * z)
    sketch.put("button", palettes.BRIGHT[1:2], button)
    grille = box(0.01 * x, 0.5 * y, 0.2 * z).moved(x=0.2 * x, z=0.15 * z)
    sketch.put("grille", palettes.DARK, grille)


def waste_bin(sketch: Sketch) -> None:
    """A public bin: a slatted body, a hood with openings, a sign."""
    x, y, z = sketch.size
    sketch.paint("body", palettes.plain("#3f5f4a", "#4a4d51", "#2f4a6b"))
    body = 0.74 * z
    sketch.add("body", box(0.92 * x, 0.92 * y, body))
    sketch.paint("slats", sketch.color("slats", palettes.WOOD + palettes.STEEL[:2]))
    for k in range(6):
        at = (k - 2.5) / 6.0
        for face in (-1, 1):
            sketch.add(
                "slats",
                box(0.04 * x, 0.11 * y, 0.9 * body).moved(face * 0.48 * x, at * 0.9 * y, 0.04 * z),
            )
            sketch.add(
                "slats",
                box(0.11 * x, 0.04 * y, 0.9 * body).moved(at * 0.9 * x, face * 0.48 * y, 0.04 * z),
            )
    sketch.put("mouth", palettes.plain("#141414"), box(0.8 * x, 0.8 * y, 0.16 * z).moved(z=body))
    for sx in (-1, 1):
        for sy in (-1, 1):
            sketch.add(
                "body",
                box(0.1 * x, 0.1 * y, 0.18 * z).moved(
                    sx * 0.42 * x, sy * 0.42 * y, body - 0.01 * z
                ),
            )
    roof = loft(
        [rectangle(x, y, 0.9 * z), rectangle(x, y, 0.94 * z), rectangle(0.6 * x, 0.6 * y, z)], [1]
    )
    sketch.add("body", roof)


def dome_camera(sketch: Sketch, *, kind: str) -> None:
    """A camera to watch or talk: on a bracket (``security``), on a clip (``web``), or a sensor."""
    x, y, z = sketch.size
    sketch.paint("case", palettes.WHITE + palettes.DARK[:1] if kind != "web" else palettes.DARK)
    sketch.paint("lens", palettes.plain("#14181f", gloss=0.9))
    if kind == "sensor":
        dome = lathe(smooth([(1.0, 0.0), (1.0, 0.3), (0.8, 0.7), (0.1, 1.0)], 4)).scaled(
            x / 2, y / 2, z
        )
        sketch.add("case", dome)
        eye = lathe([(0.5, 0.86), (0.46, 0.95), (0.1, 1.03)]).scaled(x / 2, y / 2, z)
        sketch.add("lens", eye)
        return
    if kind == "web":
        body = rounded_box(0.5 * x, y, 0.56 * z, 0.2 * z).moved(x=0.2 * x, z=0.44 * z)
        sketch.add("case", body)
        for k, r in ((0, 0.2), (1, 0.12)):
            ring = (
                cylinder(r * z, 0.04 * x, 24)
                .turned("y", 90.0)
                .moved(0.45 * x + 0.03 * x * k, 0, 0.72 * z)
            )
            sketch.put("lens" if k else "trim", palettes.CHROME, ring)
        clip = prism(
            [
                (-0.5 * x, 0.0),
                (0.3 * x, 0.0),
                (0.3 * x, 0.12 * z),
                (0.0, 0.2 * z),
                (0.0, 0.46 * z),
                (-0.12 * x, 0.46 * z),
                (-0.2 * x, 0.16 * z),
                (-0.5 * x, 0.1 * z),
            ],
            0.5 * y,
        )
        sketch.add("case", clip.turned("x", 90.0).moved(y=0.25 * y))
        return
    body = rounded_box(0.72 * x, 0.8 * y, 0.6 * z, 0.14 * z).moved(x=0.14 * x, z=0.4 * z)
    sketch.add("case", body)
    hood_ = box(0.8 * x, y, 0.06 * z).moved(x=0.1 * x, z=0.94 * z)
    sketch.add("case", hood_)
    sketch.add(
        "lens", cylinder(0.22 * z, 0.03 * x, 28).turned("y", 90.0).moved(0.48 * x, 0, 0.7 * z)
    )
    arm = [(-0.46 * x, 0, 0.15 * z), (-0.2 * x, 0, 0.15 * z), (0.0, 0, 0.45 * z)]
    sketch.add("case", tube(arm, 0.07 * z, segments=10))
    sketch.add(
        "case", cylinder(0.15 * z, 0.06 * x, 20).turned("y", 90.0).moved(-x / 2, 0, 0.15 * z)
    )


def tripod(sketch: Sketch) -> None:
    """A camera tripod: three spread legs, a column, a head with a handle."""
    x, y, z = sketch.size
    sketch.paint("legs", palettes.DARK + palettes.STEEL[:1])
    for k in range(3):
        t = 2.0 * np.pi * k / 3 + np.pi
        foot = (0.48 * x * np.cos(t), 0.48 * y * np.sin(t), 0.01 * z)
        head = (0.04 * x * np.cos(t), 0.04 * y * np.sin(t), 0.78 * z)
        middle = tuple((np.array(foot) + head) / 2)
        sketch.add("legs", tube([foot, middle], 0.012 * z, segments=8))
        sketch.add("legs", tube([middle, head], 0.017 * z, segments=8))
    sketch.add("legs", cylinder(0.05 * x, 0.08 * z, 16).moved(z=0.74 * z))
    sketch.add("legs", cylinder(0.018 * z, 0.5 * z, 12).moved(z=0.42 * z))
    sketch.add("legs", box(0.14 * x, 0.12 * y, 0.06 * z, 0.01 * z).moved(z=0.92 * z))
    sketch.put("plate", palettes.CHROME, box(0.12 * x, 0.1 * y, 0.02 * z).moved(z=0.98 * z))
    grip = [(0, 0, 0.93 * z), (-0.3 * x, 0, 0.86 * z)]
    sketch.add("legs", tube(grip, 0.012 * z, segments=8))
