"""Kitchen and laundry machines. Doors are hinged; the front is +X."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from esi_fast.assets import palettes
from esi_fast.assets.families.storage import bar_handle, carcass
from esi_fast.assets.sketch import Sketch
from esi_fast.assets.solids import (
    Solid,
    box,
    circle,
    collar,
    cylinder,
    lathe,
    loft,
    ring_profile,
    rounded_box,
    rounded_rectangle,
    tube,
    vessel,
)
from esi_fast.geometry.render import Material

__all__ = [
    "blender",
    "coffee_maker",
    "deep_fryer",
    "dishwasher",
    "fridge",
    "microwave",
    "oven",
    "radiator",
    "stove",
    "toaster",
    "washer",
]


_OPEN = np.pi / 2.0


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
    body = carcass(depth, y, z - 0.03, 0.06 * y)
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
        grip = bar_handle(min(0.5 * tall, 0.55), 0.012, 0.05 * x, upright=True)
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
    sketch.add("body", carcass(depth, y, z - panel, 0.05 * y).moved(x=-x / 2 + depth / 2))
    sketch.add(
        "body", box(front + x / 2, y, panel, 0.004).moved(x=(front - x / 2) / 2, z=z - panel)
    )
    _controls(sketch, front, y, z - panel / 2, panel)
    leaf, window = _window_door(
        door, 0.99 * y, z - panel - 0.012, (0.74 * y, 0.55 * (z - panel)), 0.14 * z
    )
    grip = bar_handle(0.78 * y, 0.012, 0.05 * x, upright=False)
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
        "body", carcass(depth, y, top - panel - low, 0.05 * y).moved(x=-x / 2 + depth / 2, z=low)
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
    grip = bar_handle(0.8 * y, 0.012, 0.05 * x, upright=False)
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
    # Between the burners, whose bars would tip what stands half on them.
    aside = 0.24 * y - 1.25 * r - 0.006
    sketch.support((-0.3 * x, -aside), (0.35 * x, aside), top + 0.006)


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
    inner = carcass(depth, y - keys, z - feet, 0.05 * z)
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
    grip = bar_handle(0.62 * z, 0.008, 0.06 * x, upright=True)
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
    sketch.add("body", carcass(depth, y, 0.9 * z, 0.03 * y).moved(x=-x / 2 + depth / 2, z=0.1 * z))
    sketch.paint("plinth", palettes.DARK)
    sketch.add("plinth", box(0.88 * depth, 0.98 * y, 0.1 * z).moved(x=-x / 2 + 0.46 * depth))
    leaf = box(door, 0.99 * y, 0.87 * z, 0.005).moved(x=front - door / 2, z=0.12 * z)
    grip = bar_handle(0.7 * y, 0.012, 0.06 * x, upright=False).moved(front, 0, 0.82 * z)
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


def coffee_maker(sketch: Sketch) -> None:
    """A filter machine: tank and column at the back, glass jug on a plate, filter head above."""
    x, y, z = sketch.size
    sketch.paint("body", palettes.DARK + palettes.WHITE[:1])
    sketch.paint("trim", palettes.CHROME)
    sketch.add("body", rounded_box(x, y, 0.1 * z, 0.03 * z))
    sketch.add("body", rounded_box(0.34 * x, 0.9 * y, 0.95 * z, 0.04 * x).moved(x=-0.33 * x))
    sketch.add(
        "body", rounded_box(0.94 * x, 0.9 * y, 0.3 * z, 0.05 * x).moved(x=-0.03 * x, z=0.7 * z)
    )
    r = 0.27 * min(x, y)
    at = 0.16 * x
    sketch.add("trim", cylinder(1.05 * r, 0.012 * z, 28).moved(x=at, z=0.1 * z))
    sketch.paint("coffee", palettes.plain("#2a1710"))
    jug = [(0.9, 0.0), (1.0, 0.3), (0.85, 0.75), (0.72, 1.0)]
    high = 0.44 * z
    sketch.add(
        "coffee",
        lathe([(0.93 * a * r, 0.02 * high + 0.6 * b * high) for a, b in jug], 30).moved(
            x=at, z=0.115 * z
        ),
    )
    sketch.paint("glass", Material(color=(0.95, 0.97, 0.97), kind="glass", ior=1.1))
    sketch.add("glass", lathe([(a * r, b * high) for a, b in jug], 30).moved(x=at, z=0.112 * z))
    sketch.paint("handle", palettes.DARK)
    sketch.add("handle", cylinder(0.78 * r, 0.05 * z, 28).moved(x=at, z=0.112 * z + high))
    grip = [
        (at + 0.7 * r, 0, 0.14 * z + high),
        (at + 1.5 * r, 0, 0.1 * z + high),
        (at + 1.5 * r, 0, 0.22 * z),
        (at + 0.95 * r, 0, 0.2 * z),
    ]
    sketch.add("handle", tube(grip, 0.1 * r, segments=10))
    sketch.paint("lamp", palettes.plain("#d83a2c", "#3a9ad8"))
    sketch.add(
        "lamp", cylinder(0.03 * z, 0.012 * x, 16).turned("y", 90.0).moved(0.43 * x, 0, 0.84 * z)
    )


def blender(sketch: Sketch) -> None:
    """A blender: motor foot with a dial, tall jug with handle, lid."""
    x, y, z = sketch.size
    sketch.paint("foot", palettes.DARK + palettes.BRIGHT[:1] + palettes.WHITE[:1])
    sketch.paint("trim", palettes.CHROME)
    foot = [
        rounded_rectangle(0.9 * x, 0.9 * y, 0.2 * x, 0.0),
        rounded_rectangle(0.84 * x, 0.84 * y, 0.2 * x, 0.12 * z),
        rounded_rectangle(0.56 * x, 0.56 * y, 0.2 * x, 0.3 * z),
    ]
    sketch.add("foot", loft(foot, []).moved(x=-0.05 * x))
    dial = cylinder(0.055 * z, 0.1 * x, 20, bevel=0.01 * z).turned("y", 90.0)
    sketch.add("trim", dial.moved(0.32 * x, 0, 0.11 * z))
    r = 0.5 * y
    outer = [(0.58 * r, 0.303 * z), (0.62 * r, 0.36 * z), (0.9 * r, 0.9 * z)]
    inner = [(0.86 * r, 0.9 * z), (0.56 * r, 0.36 * z)]
    sketch.paint("jug", Material(color=(0.9, 0.95, 0.95), kind="glass", ior=1.1))
    sketch.add("jug", vessel(outer, inner).moved(x=-0.05 * x))
    sketch.paint("drink", palettes.plain("#d8547a", "#e39a3a", "#7fae4a"))
    sketch.add("drink", lathe([(0.54 * r, 0.365 * z), (0.74 * r, 0.7 * z)], 36).moved(x=-0.05 * x))
    sketch.add(
        "foot", cylinder(0.93 * r, 0.05 * z, 30, bevel=0.01 * z).moved(x=-0.05 * x, z=0.89 * z)
    )
    sketch.add(
        "foot", cylinder(0.4 * r, 0.07 * z, 24, bevel=0.01 * z).moved(x=-0.05 * x, z=0.93 * z)
    )
    # Handle on +y side would widen the jug: it goes to the front, where the box is.
    grip = [
        (0.34 * x, 0, 0.84 * z),
        (0.48 * x, 0, 0.8 * z),
        (0.46 * x, 0, 0.5 * z),
        (0.26 * x, 0, 0.46 * z),
    ]
    sketch.add("foot", tube(grip, 0.035 * x, flat=1.6, segments=10))


def deep_fryer(sketch: Sketch) -> None:
    """A kitchen's deep fryer: a steel cabinet on legs, a well of oil with two wire baskets."""
    x, y, z = sketch.size
    sketch.paint("steel", palettes.STEEL)
    sketch.paint("dark", palettes.DARK)
    sketch.paint("oil", palettes.plain("#c08a2c", "#a8701f", gloss=0.7))
    sketch.paint("wire", palettes.CHROME)
    sketch.paint("knobs", palettes.plain("#1f2124", "#b3262a"))
    leg, deck = 0.1 * z, 0.8 * z
    for sx in (-1, 1):
        for sy in (-1, 1):
            sketch.add("dark", cylinder(0.03 * x, leg, 16).moved(sx * 0.42 * x, sy * 0.44 * y))
    sketch.add("steel", box(0.96 * x, y, 0.52 * deck).moved(x=-0.02 * x, z=leg))
    low = leg + 0.52 * deck
    rim, wall = deck - low, 0.07 * x
    for side in (-1, 1):
        sketch.add("steel", box(0.96 * x, wall, rim).moved(-0.02 * x, side * (y - wall) / 2, low))
        sketch.add(
            "steel",
            box(wall, y - 2 * wall, rim).moved(side * (0.48 * x - wall / 2) - 0.02 * x, 0, low),
        )
    sketch.add("oil", box(0.96 * x - 2 * wall, y - 2 * wall, 0.55 * rim).moved(x=-0.02 * x, z=low))
    sketch.add("steel", box(0.05 * x, y, z - deck).moved(x=-0.475 * x, z=deck))
    front = 0.46 * x
    sketch.add("dark", box(0.012 * x, 0.01 * y, 0.4 * deck).moved(front, 0, leg + 0.04 * deck))
    for side in (-1, 1):
        sketch.add(
            "wire",
            box(0.03 * x, 0.02 * y, 0.16 * deck).moved(
                front + 0.015 * x, side * 0.06 * y, leg + 0.2 * deck
            ),
        )
        knob = cylinder(0.035 * y, 0.03 * x, 20).turned("y", 90.0)
        sketch.add("knobs", knob.moved(front, side * 0.28 * y, low + 0.5 * rim))
        wide, deep = 0.34 * y, 0.56 * x
        y0, bottom, top = side * 0.22 * y, low + 0.6 * rim, deck + 0.03 * z
        bar = 0.006 * x
        for k in range(5):
            for px in (-0.5, 0.5):
                sketch.add(
                    "wire",
                    box(bar, bar, top - bottom).moved(
                        px * deep - 0.02 * x, y0 + (k / 4 - 0.5) * wide, bottom
                    ),
                )
            for py in (-0.5, 0.5):
                sketch.add(
                    "wire",
                    box(bar, bar, top - bottom).moved(
                        (k / 4 - 0.5) * deep - 0.02 * x, y0 + py * wide, bottom
                    ),
                )
            sketch.add(
                "wire",
                box(deep, bar, bar).moved(-0.02 * x, y0 + (k / 4 - 0.5) * wide, bottom),
            )
        for level in (bottom, top):
            for px in (-0.5, 0.5):
                sketch.add(
                    "wire", box(2 * bar, wide, 2 * bar).moved(px * deep - 0.02 * x, y0, level)
                )
            for py in (-0.5, 0.5):
                sketch.add(
                    "wire", box(deep, 2 * bar, 2 * bar).moved(-0.02 * x, y0 + py * wide, level)
                )
        grip = tube(
            [(0.26 * x, y0, top), (0.38 * x, y0, top + 0.05 * z), (0.5 * x, y0, top + 0.06 * z)],
            0.02 * x,
        )
        sketch.add("dark", grip)
