"""Shelves and cabinets: carcasses that open towards +X, with hinged doors."""

from __future__ import annotations

import numpy as np

from esi_fast.assets import palettes
from esi_fast.assets.sketch import Sketch
from esi_fast.assets.solids import Solid, box, cylinder, open_box, prism, tube

__all__ = [
    "bar_handle",
    "bookcase",
    "cabinet",
    "carcass",
    "nightstand",
    "steel_shelf",
    "wall_shelf",
]


def carcass(depth: float, width: float, height: float, wall: float) -> Solid:
    """An open box lying on its back: closed behind, open towards +x, standing on z = 0."""
    lying = open_box(height, width, depth, wall).turned("y", 90.0)
    return lying.moved(x=-depth / 2, z=height / 2)


def bar_handle(length: float, bar: float, reach: float, *, upright: bool) -> Solid:
    """A bar on two posts, its plate plane at x = 0, centred on the origin."""
    half = length / 2
    ends = [(0.0, -half), (reach, -half), (reach, half), (0.0, half)]
    path = [(a, 0.0, b) if upright else (a, b, 0.0) for a, b in ends]
    return tube(path, bar, segments=8)


def bookcase(sketch: Sketch) -> None:
    """A bookcase: sides, back, shelves, and rows of books that leave room to put things."""
    x, y, z = sketch.size
    board = min(0.025, 0.04 * z)
    sketch.paint("case", palettes.WOOD + palettes.PAINTED[:2])
    sketch.add("case", box(0.012, y, z).moved(x=-x / 2 + 0.006))
    for side in (-1, 1):
        sketch.add("case", box(x - 0.012, board, z).moved(x=0.006, y=side * (y - board) / 2))
    rows = max(2, round(z / 0.36))
    gap = (z - board) / rows
    covers = (
        "#7a2a2a",
        "#24406b",
        "#2f5a45",
        "#c9a13a",
        "#5b3a66",
        "#b5532c",
        "#e4dccb",
        "#2b2b30",
    )
    for k, color in enumerate(covers):
        sketch.paint(f"books{k}", palettes.plain(color))
    shelf_width = y - 2 * board
    bays = max(1, round(shelf_width / 0.9))
    for row in range(rows + 1):
        low = row * gap
        sketch.add("case", box(x - 0.012, shelf_width, board).moved(x=0.006, z=low))
        if row == rows:
            break
        rng = sketch.rng(f"row{row}")
        for bay in range(bays):
            start = -shelf_width / 2 + bay * shelf_width / bays
            if bay:
                sketch.add("case", box(x - 0.02, board, gap).moved(x=0.006, y=start, z=low))
            full = shelf_width / bays
            fill = full * float(rng.uniform(0.35, 0.72))
            at = start + 0.5 * board + 0.004
            while at < start + fill:
                thick = float(rng.uniform(0.02, 0.045))
                tall = (gap - board) * float(rng.uniform(0.62, 0.92))
                deep = min(0.8 * x, float(rng.uniform(0.14, 0.2)))
                cover = box(deep, thick - 0.002, tall, 0.003)
                slot = f"books{int(rng.integers(len(covers)))}"
                front = x / 2 - 0.02 - deep / 2
                sketch.add(slot, cover.moved(x=front, y=at + thick / 2, z=low + board))
                at += thick
            room = (at + 0.01, start + full - 0.5 * board - 0.005)
            sketch.support((-0.4 * x, room[0]), (0.45 * x, room[1]), low + board, gap - board)
    sketch.support((-0.45 * x, -0.45 * y), (0.45 * x, 0.45 * y), z)


def wall_shelf(sketch: Sketch) -> None:
    """A board on brackets, to hang on a wall at -x."""
    x, y, z = sketch.size
    board = 0.3 * z
    sketch.paint("board", palettes.WOOD + palettes.PAINTED[:1])
    sketch.paint("brackets", palettes.DARK + palettes.CHROME[:1])
    # Less than the margin of the support: what stands at an edge of it must not stand on a slope.
    sketch.add("board", box(x, y, board, min(0.1 * board, 0.005)).moved(z=z - board))
    under = z - board
    gusset = prism(
        [(-x / 2, 0.0), (0.4 * x, 0.75 * under), (0.4 * x, under), (-x / 2, under)], 0.025
    )
    count = max(2, round(y / 0.6))
    for k in range(count):
        at = ((k + 0.5) / count - 0.5) * y
        sketch.add("brackets", gusset.turned("x", 90.0).moved(y=at + 0.0125))
    sketch.top(0.01)


_OPEN = np.pi / 2.0


def cabinet(sketch: Sketch, *, style: str = "doors") -> None:
    """A cabinet: ``doors``, ``drawers_doors`` (a drawer row above), or ``wardrobe``."""
    x, y, z = sketch.size
    wall, door = 0.02, 0.02
    finish = palettes.WOOD + palettes.PAINTED[:2] + palettes.PAINTED[3:5]
    sketch.paint("carcass", finish)
    sketch.paint("knobs", palettes.CHROME + palettes.DARK + palettes.BRASS[:2])
    plinth = 0.0 if style == "hung" else min(0.08 * z, 0.08)
    top = 0.0 if style in ("hung", "wardrobe") else 0.03
    front = x / 2 - 0.03
    depth = x - 0.03 - door
    body = carcass(depth, y, z - plinth - top, wall)
    sketch.add("carcass", body.moved(x=-x / 2 + depth / 2, z=plinth))
    if plinth:
        sketch.add("carcass", box(0.9 * depth, 0.96 * y, plinth).moved(x=-0.04 * x))
    if top:
        sketch.paint("top", sketch.color("carcass", finish))
        sketch.add("top", box(x - 0.01, y, top, 0.004).moved(x=-0.005, z=z - top))
    for level in range(1, max(2, round((z - plinth) / 0.45))):
        height = plinth + level * (z - plinth - top) / max(2, round((z - plinth) / 0.45))
        sketch.add("carcass", box(0.9 * depth, y - 2 * wall, 0.018).moved(x=-0.05 * x, z=height))
    low, high = plinth + 0.004, z - top - 0.004
    if style == "drawers_doors":
        drawer = min(0.22 * z, 0.17)
        count = max(1, round(y / 0.5))
        sketch.paint("drawers", sketch.color("carcass", finish))
        for k in range(count):
            wide = y / count
            at = -y / 2 + (k + 0.5) * wide
            panel = box(door, wide - 0.006, drawer - 0.006, 0.003)
            sketch.add("drawers", panel.moved(front - door / 2, at, high - drawer + 0.006))
            grip = bar_handle(0.3 * wide, 0.006, 0.024, upright=False)
            sketch.add("knobs", grip.moved(front - 0.002, at, high - drawer / 2))
        high -= drawer
    count = max(1, round(y / 0.5))
    for k in range(count):
        wide = y / count
        at = -y / 2 + (k + 0.5) * wide
        right = count == 1 or k % 2 == 1
        slot, grip_slot = f"door{k}", f"grip{k}"
        sketch.paint(slot, sketch.color("carcass", finish))
        sketch.paint(grip_slot, sketch.color("knobs", palettes.CHROME + palettes.DARK))
        tall = high - low
        panel = box(door, wide - 0.01, tall, 0.004).moved(front - door / 2, at, low)
        frame = 0.11 * min(wide, tall)
        inset = box(0.012, wide - 2 * frame, tall - 2 * frame, 0.005)
        sketch.add(slot, panel, inset.moved(front + 0.002, at, low + frame))
        # The grip is on the side away from the hinge.
        side = -1.0 if right else 1.0
        grip = bar_handle(min(0.35 * tall, 0.25), 0.006, 0.024, upright=True)
        near = high - 0.28 * tall if style in ("doors", "drawers_doors") else low + 0.4 * tall
        sketch.add(grip_slot, grip.moved(front - 0.002, at + side * (wide / 2 - 0.035), near))
        edge = (front - door, at + (wide / 2 if right else -wide / 2), 0.0)
        sketch.hinge((slot, grip_slot), edge, "z", _OPEN if right else -_OPEN)
    if style != "hung":
        sketch.top(0.02)


def nightstand(sketch: Sketch) -> None:
    """A bedside table: two drawers on short legs under an overhanging top."""
    x, y, z = sketch.size
    leg, top = 0.18 * z, 0.05 * z
    wood = palettes.WOOD + palettes.PAINTED[:2]
    sketch.paint("wood", wood)
    sketch.paint("fronts", sketch.color("wood", wood))
    sketch.paint("knobs", palettes.BRASS + palettes.DARK)
    for sx in (-1, 1):
        for sy in (-1, 1):
            foot = cylinder(0.03 * y, leg, 14, top=0.05 * y)
            sketch.add("wood", foot.moved(sx * (0.42 * x), sy * (0.42 * y)))
    body = z - leg - top
    sketch.add("wood", box(0.93 * x, 0.95 * y, body).moved(x=-0.02 * x, z=leg))
    sketch.add("wood", box(x, y, top, 0.2 * top).moved(z=z - top))
    for k in range(2):
        low = leg + k * body / 2 + 0.02 * z
        front = box(0.03 * x, 0.87 * y, body / 2 - 0.04 * z, 0.004)
        sketch.add("fronts", front.moved(x=0.455 * x, z=low))
        knob = cylinder(0.028 * y, 0.03 * x, 14, bevel=0.006 * y).turned("y", 90.0)
        sketch.add("knobs", knob.moved(x=0.465 * x, z=low + body / 4 - 0.02 * z))
    sketch.top(0.02)


def steel_shelf(sketch: Sketch) -> None:
    """A kitchen's wall shelf: two slatted decks of steel on uprights with hooks below the lower."""
    x, y, z = sketch.size
    sketch.paint("steel", palettes.STEEL)
    sketch.paint("posts", palettes.CHROME)
    count, deck = max(2, round(y / 1.0) + 1), 0.03 * z
    for level in (0.38 * z, z - deck - 0.1 * z):
        for k in range(5):
            sketch.add("steel", box(0.14 * x, 0.98 * y, deck).moved(x=(k - 2) * 0.2 * x, z=level))
        for k in range(count):
            at = ((k + 0.02) / (count - 0.96) - 0.5) * 0.94 * y
            sketch.add("posts", box(0.98 * x, 0.02, 1.4 * deck).moved(y=at, z=level - 1.4 * deck))
            rail = box(0.03 * x, 0.02, 0.1 * z).moved(x=0.47 * x, y=at, z=level)
            sketch.add("posts", rail)
        sketch.add("posts", box(0.02, 0.98 * y, 0.02).moved(x=0.47 * x, z=level + 0.08 * z))
        sketch.support((-0.45 * x, -0.47 * y), (0.42 * x, 0.47 * y), level + deck, 0.4 * z)
    for k in range(count):
        at = ((k + 0.02) / (count - 0.96) - 0.5) * 0.94 * y
        sketch.add("posts", box(0.05 * x, 0.03, z).moved(x=-0.475 * x, y=at))
    sketch.add("posts", box(0.02, 0.98 * y, 0.02).moved(x=-0.44 * x, z=0.2 * z))
    hooks = 3 * count
    for k in range(hooks):
        at = ((k + 0.5) / hooks - 0.5) * 0.9 * y
        path = [
            (-0.42 * x, at, 0.21 * z),
            (-0.42 * x, at, 0.06 * z),
            (-0.34 * x, at, 0.02 * z),
            (-0.28 * x, at, 0.08 * z),
        ]
        sketch.add("posts", tube(path, 0.006, segments=8))
