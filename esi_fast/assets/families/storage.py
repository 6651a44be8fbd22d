"""Cabinets, shelves and appliances: carcasses that open towards +X, with hinged doors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from esi_fast.assets import palettes
from esi_fast.assets.sketch import Sketch
from esi_fast.assets.solids import (
    Solid,
    box,
    circle,
    collar,
    cylinder,
    loft,
    open_box,
    prism,
    ring_profile,
    rounded_box,
    tube,
)
from esi_fast.geometry.render import Material

__all__ = [
    "bookcase",
    "cabinet",
    "dishwasher",
    "fridge",
    "microwave",
    "nightstand",
    "oven",
    "radiator",
    "stove",
    "toaster",
    "wall_shelf",
    "washer",
]

_OPEN = np.pi / 2.0


def _carcass(depth: float, width: float, height: float, wall: float) -> Solid:
    """An open box lying on its back: closed behind, open towards +x, standing on z = 0."""
    lying = open_box(height, width, depth, wall).turned("y", 90.0)
    return lying.moved(x=-depth / 2, z=height / 2)


def _bar_handle(length: float, bar: float, reach: float, *, upright: bool) -> Solid:
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
    sketch.add("board", box(x, y, board, 0.1 * board).moved(z=z - board))
    under = z - board
    gusset = prism(
        [(-x / 2, 0.0), (0.4 * x, 0.75 * under), (0.4 * x, under), (-x / 2, under)], 0.025
    )
    count = max(2, round(y / 0.6))
    for k in range(count):
        at = ((k + 0.5) / count - 0.5) * y
        sketch.add("brackets", gusset.turned("x", 90.0).moved(y=at + 0.0125))
    sketch.top(0.01)


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
    body = _carcass(depth, y, z - plinth - top, wall)
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
            grip = _bar_handle(0.3 * wide, 0.006, 0.024, upright=False)
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
        grip = _bar_handle(min(0.35 * tall, 0.25), 0.006, 0.024, upright=True)
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


def _door(
    sketch: Sketch, name: str, panel: Solid, grip: Solid, material: Material
) -> tuple[str, str]:
    sketch.paint(name, material)
    sketch.paint(f"{name}_grip", palettes.STEEL)
    sketch.add(name, panel)
    sketch.add(f"{name}_grip", grip)
    return name, f"{name}_grip"


def fridge(sketch: Sketch) -> None:
    """A refrigerator: a small door above a tall one, or two tall doors where it is wide."""
    x, y, z = sketch.size
    door = 0.09 * x
    front = x / 2 - 0.05 * x
    depth = front - door + x / 2
    sketch.paint("body", palettes.APPLIANCE)
    shade = sketch.color("body", palettes.APPLIANCE)
    body = _carcass(depth, y, z - 0.03, 0.06 * y)
    sketch.add("body", body.moved(x=-x / 2 + depth / 2, z=0.03))
    sketch.paint("inside", palettes.WHITE)
    for k in range(1, 5):
        shelf = box(0.7 * depth, 0.87 * y, 0.008).moved(x=-x / 2 + 0.5 * depth, z=k * z / 5)
        sketch.add("inside", shelf)
    sketch.paint("feet", palettes.DARK)
    sketch.add("feet", box(0.9 * depth, 0.9 * y, 0.031).moved(x=-x / 2 + depth / 2))
    double = y > 0.85
    if double:
        doors = [
            ("left", -y / 4, y / 2, 0.03, z - 0.03, 1.0),
            ("right", y / 4, y / 2, 0.03, z - 0.03, -1.0),
        ]
    else:
        split = sketch.uniform("split", 0.62, 0.7) * z
        doors = [
            ("lower", 0.0, y, 0.03, split - 0.03, -1.0),
            ("upper", 0.0, y, split, z - split, -1.0),
        ]
    for name, at, wide, low, tall, side in doors:
        panel = rounded_box(door, wide - 0.006, tall - 0.008, 0.016).moved(
            front - door / 2, at, low
        )
        grip = _bar_handle(min(0.5 * tall, 0.55), 0.012, 0.05 * x, upright=True)
        height = low + tall - 0.4 * tall if name == "lower" else low + 0.45 * tall
        slots = _door(
            sketch,
            name,
            panel,
            grip.moved(front - 0.003, at + side * (wide / 2 - 0.06), height),
            shade,
        )
        sketch.hinge(slots, (front - door, at - side * wide / 2, 0.0), "z", -side * _OPEN)
    sketch.top(0.03)


def _window_door(
    x: float, y: float, z: float, glass: tuple[float, float], frame: float
) -> tuple[Solid, Solid]:
    """A door panel (thickness x, standing on z = 0, front at x = 0) and its dark window."""
    panel = box(x, y, z, 0.004).moved(x=-x / 2)
    wide, high = glass
    window = box(0.006, wide, high, 0.002).moved(x=0.001, z=frame)
    return panel, window


def oven(sketch: Sketch) -> None:
    """A built-in oven: dark glass door with a bar, a panel with knobs and a display above."""
    x, y, z = sketch.size
    front = x / 2 - 0.06 * x
    door = 0.05 * x
    depth = front - door + x / 2
    panel = 0.17 * z
    sketch.paint("body", palettes.STEEL + palettes.DARK[:1])
    shade = sketch.color("body", palettes.STEEL + palettes.DARK[:1])
    sketch.add("body", _carcass(depth, y, z - panel, 0.05 * y).moved(x=-x / 2 + depth / 2))
    sketch.add(
        "body", box(front + x / 2, y, panel, 0.004).moved(x=(front - x / 2) / 2, z=z - panel)
    )
    _controls(sketch, front, y, z - panel / 2, panel)
    leaf, window = _window_door(
        door, 0.99 * y, z - panel - 0.012, (0.74 * y, 0.55 * (z - panel)), 0.14 * z
    )
    grip = _bar_handle(0.78 * y, 0.012, 0.05 * x, upright=False)
    slots = _door(
        sketch,
        "door",
        leaf.moved(front, 0, 0.004),
        grip.moved(front, 0, z - panel - 0.09 * z),
        shade,
    )
    sketch.paint("window", palettes.DARK[1:2])
    sketch.add("window", window.moved(front, 0, 0.004))
    sketch.hinge((*slots, "window"), (front - door, 0.0, 0.0), "y", _OPEN)


def _controls(sketch: Sketch, front: float, y: float, at: float, high: float) -> None:
    sketch.paint("knobs", palettes.DARK[:1] + palettes.CHROME[:1])
    for k in (-1, 1):
        for offset in (0.42, 0.3):
            knob = cylinder(0.2 * high, 0.16 * high, 18, bevel=0.03 * high).turned("y", 90.0)
            sketch.add("knobs", knob.moved(front - 0.002, k * offset * y, at))
    sketch.paint("display", palettes.DARK[1:2])
    sketch.add(
        "display", box(0.004, 0.26 * y, 0.42 * high).moved(front + 0.001, 0, at - 0.21 * high)
    )


def stove(sketch: Sketch) -> None:
    """A range: oven below, four burners on top, knobs along the front."""
    x, y, z = sketch.size
    front = x / 2 - 0.05 * x
    top = 0.9 * z if sketch.pick("splash", (True, False)) else 0.96 * z
    panel = 0.11 * z
    sketch.paint("body", palettes.STEEL + palettes.WHITE[:1])
    shade = sketch.color("body", palettes.STEEL + palettes.WHITE[:1])
    door = 0.04 * x
    depth = front - door + x / 2
    low = 0.13 * z
    sketch.add(
        "body", _carcass(depth, y, top - panel - low, 0.05 * y).moved(x=-x / 2 + depth / 2, z=low)
    )
    sketch.add(
        "body", box(front + x / 2, y, panel, 0.004).moved(x=(front - x / 2) / 2, z=top - panel)
    )
    sketch.add("body", box(depth, 0.98 * y, low).moved(x=-x / 2 + depth / 2))
    sketch.paint("drawer", shade)
    sketch.add("drawer", box(door, 0.98 * y, low - 0.03, 0.004).moved(x=front - door / 2, z=0.02))
    if top < 0.95 * z:
        sketch.add("body", box(0.07 * x, y, z - top, 0.006).moved(x=-x / 2 + 0.035 * x, z=top))
    sketch.paint("plate", palettes.DARK[1:2])
    sketch.add("plate", box(0.86 * x, 0.94 * y, 0.006).moved(x=0.01 * x, z=top))
    sketch.paint("burners", palettes.plain("#3d3f42"))
    for sx in (-1, 1):
        for sy in (-1, 1):
            at = (sx * 0.2 * x + 0.01 * x, sy * 0.24 * y)
            r = 0.12 * min(x, y)
            ring = collar(ring_profile([(r, 0), (r, 0.01), (0.8 * r, 0.01), (0.8 * r, 0)]))
            sketch.add("burners", ring.moved(*at, top + 0.006))
            sketch.add(
                "burners", cylinder(0.45 * r, 0.012, 20, bevel=0.003).moved(*at, top + 0.006)
            )
            for k in range(2):
                bar = box(2.4 * r, 0.012, 0.012).turned("z", 90.0 * k)
                sketch.add("burners", bar.moved(*at, top + 0.014))
    sketch.paint("knobs", palettes.DARK[:1])
    for k in range(5):
        knob = cylinder(0.026 * z, 0.03 * x, 18, bevel=0.004).turned("y", 90.0)
        sketch.add("knobs", knob.moved(front - 0.002, (k - 2) * 0.17 * y, top - panel / 2))
    tall = top - panel - low - 0.012
    leaf, window = _window_door(door, 0.98 * y, tall, (0.66 * y, 0.5 * tall), 0.22 * tall)
    grip = _bar_handle(0.8 * y, 0.012, 0.05 * x, upright=False)
    slots = _door(
        sketch,
        "door",
        leaf.moved(front, 0, low + 0.004),
        grip.moved(front, 0, low + 0.9 * tall),
        shade,
    )
    sketch.paint("window", palettes.DARK[1:2])
    sketch.add("window", window.moved(front, 0, low + 0.004))
    sketch.hinge((*slots, "window"), (front - door, 0.0, low), "y", _OPEN)
    sketch.support((-0.3 * x, -0.4 * y), (0.35 * x, 0.4 * y), top + 0.026)


def microwave(sketch: Sketch) -> None:
    """A microwave oven: dark window door on the left, keys and display on the right."""
    x, y, z = sketch.size
    front = x / 2 - 0.07 * x
    door = 0.06 * x
    keys = 0.24 * y
    depth = front - door + x / 2
    feet = 0.03 * z
    sketch.paint("body", palettes.APPLIANCE)
    shade = sketch.color("body", palettes.APPLIANCE)
    inner = _carcass(depth, y - keys, z - feet, 0.05 * z)
    # Seen from +x, +y is on the right.
    sketch.add("body", inner.moved(x=-x / 2 + depth / 2, y=-keys / 2, z=feet))
    sketch.add(
        "body",
        box(front + x / 2, keys, z - feet, 0.004).moved(
            (front - x / 2) / 2, y / 2 - keys / 2, feet
        ),
    )
    sketch.paint("feet", palettes.DARK)
    for sx in (-1, 1):
        for sy in (-1, 1):
            sketch.add("feet", cylinder(0.02, feet + 0.002, 12).moved(sx * 0.36 * x, sy * 0.42 * y))
    wide = y - keys
    leaf, window = _window_door(
        door, wide - 0.004, z - feet - 0.006, (0.76 * wide, 0.66 * z), 0.14 * z
    )
    grip = _bar_handle(0.62 * z, 0.008, 0.06 * x, upright=True)
    slots = _door(
        sketch,
        "door",
        leaf.moved(front, -keys / 2, feet),
        grip.moved(front, y / 2 - keys - 0.03 * y, 0.52 * z),
        shade,
    )
    sketch.paint("window", palettes.DARK[1:2])
    sketch.add("window", window.moved(front, -keys / 2 - 0.02 * y, feet))
    sketch.hinge((*slots, "window"), (front - door, -y / 2, 0.0), "z", -_OPEN)
    sketch.paint("display", palettes.plain("#123024"))
    sketch.add(
        "display", box(0.004, 0.7 * keys, 0.11 * z).moved(front + 0.001, y / 2 - keys / 2, 0.8 * z)
    )
    sketch.paint("keys", palettes.plain("#8a8d90"))
    for row in range(4):
        for column in range(3):
            key = box(0.004, 0.2 * keys, 0.075 * z, 0.001)
            sketch.add(
                "keys",
                key.moved(
                    front + 0.001,
                    y / 2 - keys / 2 + (column - 1) * 0.26 * keys,
                    (0.2 + 0.13 * row) * z,
                ),
            )
    sketch.top(0.02)


def dishwasher(sketch: Sketch) -> None:
    """A dishwasher: one flap door hinged below, a control strip and a bar handle."""
    x, y, z = sketch.size
    front = x / 2 - 0.06 * x
    door = 0.07 * x
    depth = front - door + x / 2
    sketch.paint("body", palettes.APPLIANCE)
    shade = sketch.color("body", palettes.APPLIANCE)
    sketch.add("body", _carcass(depth, y, 0.9 * z, 0.03 * y).moved(x=-x / 2 + depth / 2, z=0.1 * z))
    sketch.paint("plinth", palettes.DARK)
    sketch.add("plinth", box(0.88 * depth, 0.98 * y, 0.1 * z).moved(x=-x / 2 + 0.46 * depth))
    leaf = box(door, 0.99 * y, 0.87 * z, 0.005).moved(x=front - door / 2, z=0.12 * z)
    grip = _bar_handle(0.7 * y, 0.012, 0.06 * x, upright=False).moved(front, 0, 0.82 * z)
    slots = _door(sketch, "door", leaf, grip, shade)
    sketch.paint("strip", palettes.DARK[1:2])
    sketch.add("strip", box(0.004, 0.98 * y, 0.09 * z).moved(front + 0.001, 0, 0.89 * z))
    sketch.paint("lamps", palettes.plain("#7fd28a", "#e8e8e8"))
    for k in range(5):
        sketch.add(
            "lamps",
            box(0.003, 0.02 * y, 0.012 * z).moved(front + 0.003, (k - 2) * 0.08 * y, 0.935 * z),
        )
    sketch.hinge((*slots, "strip", "lamps"), (front - door, 0.0, 0.1 * z), "y", _OPEN)
    sketch.top(0.02)


def washer(sketch: Sketch) -> None:
    """A front loader: round door with a dark window, drawer, dial and keys above."""
    x, y, z = sketch.size
    front = x / 2 - 0.08 * x
    sketch.paint("body", palettes.APPLIANCE[:1] + palettes.APPLIANCE)
    sketch.add("body", box(front + x / 2, y, z - 0.02, 0.006).moved(x=(front - x / 2) / 2, z=0.02))
    sketch.paint("feet", palettes.DARK)
    for sx in (-1, 1):
        for sy in (-1, 1):
            sketch.add("feet", cylinder(0.025, 0.024, 12).moved(sx * 0.38 * x, sy * 0.42 * y))
    r = 0.3 * min(y, z)
    sketch.paint("ring", palettes.CHROME + palettes.DARK[2:3])
    section = ring_profile([(r, 0), (0.94 * r, 0.07 * x), (0.74 * r, 0.07 * x), (0.7 * r, 0)], 40)
    hoop = collar(section, 4).turned("y", 90.0)
    at = (front - 0.002, 0.0, 0.45 * z)
    sketch.add("ring", hoop.moved(*at))
    sketch.paint("glass", palettes.plain("#27303a"))
    dome = loft([circle(0.74 * r, 0.0), circle(0.7 * r, 0.03 * x), circle(0.4 * r, 0.055 * x)], [])
    sketch.add("glass", dome.turned("y", 90.0).moved(*at))
    sketch.paint("grip", palettes.DARK)
    sketch.add(
        "grip",
        box(0.03 * x, 0.05 * y, 0.16 * r).moved(front + 0.065 * x, 0.84 * r, 0.45 * z - 0.08 * r),
    )
    sketch.paint("panel", palettes.DARK[:1] + palettes.CHROME[:1])
    sketch.add("panel", box(0.006, 0.98 * y, 0.13 * z, 0.002).moved(front + 0.001, 0, 0.85 * z))
    sketch.paint("dial", palettes.CHROME + palettes.WHITE[:1])
    dial = cylinder(0.045 * z, 0.05 * x, 24, bevel=0.008 * z).turned("y", 90.0)
    sketch.add("dial", dial.moved(front, 0.08 * y, 0.915 * z))
    sketch.add("dial", box(0.012, 0.3 * y, 0.09 * z, 0.003).moved(front, -0.31 * y, 0.87 * z))
    for k in range(4):
        sketch.add(
            "dial",
            cylinder(0.012 * z, 0.01, 12)
            .turned("y", 90.0)
            .moved(front, (0.22 + 0.07 * k) * y, 0.915 * z),
        )
    sketch.top(0.02)


def radiator(sketch: Sketch) -> None:
    """A ribbed radiator with pipes, to stand along a wall at -x."""
    x, y, z = sketch.size
    sketch.paint("ribs", palettes.WHITE)
    count = max(4, round(y / 0.06))
    pitch = y / count
    for k in range(count):
        rib = rounded_box(x, 0.78 * pitch, 0.92 * z, 0.36 * pitch, 2)
        sketch.add("ribs", rib.moved(y=-y / 2 + (k + 0.5) * pitch, z=0.08 * z))
    for height in (0.2, 0.86):
        pipe = cylinder(0.16 * x, y - 0.5 * pitch, 14).turned("x", 90.0)
        sketch.add("ribs", pipe.moved(y=(y - 0.5 * pitch) / 2, z=height * z))
    for side in (-1, 1):
        sketch.add("ribs", box(0.5 * x, 0.5 * pitch, 0.1 * z).moved(y=side * (y / 2 - 1.5 * pitch)))


def toaster(
    sketch: Sketch, *, slots: int = 2, palette: Sequence[Material] = palettes.CHROME
) -> None:
    """A toaster, long side along x: two slots with bread, a lever at +x."""
    x, y, z = sketch.size
    body_x, foot = 0.92 * x, 0.05 * z
    bread = 0.08 * z
    sketch.paint("body", (*palette, *palettes.BRIGHT[:1], *palettes.CREAM[:1]))
    high = z - foot - bread
    sketch.add("body", rounded_box(body_x, y, high, 0.25 * y, 4).moved(x=-(x - body_x) / 2, z=foot))
    sketch.paint("base", palettes.DARK)
    sketch.add("base", box(0.94 * body_x, 0.92 * y, foot + 0.1 * z).moved(x=-(x - body_x) / 2))
    sketch.paint("slots", palettes.plain("#141414"))
    sketch.paint("bread", palettes.plain("#c58a45", "#b37a3a"))
    for k in range(slots):
        at = (k - (slots - 1) / 2) * 0.36 * y
        mouth = box(0.74 * body_x, 0.17 * y, 0.012 * z).moved(
            -(x - body_x) / 2, at, z - bread - 0.008 * z
        )
        sketch.add("slots", mouth)
        slice_ = rounded_box(0.62 * body_x, 0.1 * y, 0.3 * z, 0.045 * y)
        sketch.add("bread", slice_.moved(-(x - body_x) / 2, at, z - 0.3 * z))
    lever = box(x - body_x, 0.26 * y, 0.06 * z, 0.01 * z)
    sketch.add("base", lever.moved(x=body_x / 2 - (x - body_x) / 2 + (x - body_x) / 2, z=0.58 * z))
    sketch.add(
        "base", box(0.01 * x, 0.07 * y, 0.45 * z).moved(x=body_x / 2 - (x - body_x) / 2, z=0.3 * z)
    )
