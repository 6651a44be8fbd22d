"""Toilets, sinks, bathtubs and what hangs beside them. Their back is at -x."""

from __future__ import annotations

import numpy as np

from esi_fast.assets import palettes
from esi_fast.assets.families.storage import cabinet
from esi_fast.assets.sketch import Sketch
from esi_fast.assets.solids import (
    Solid,
    box,
    circle,
    collar,
    cylinder,
    loft,
    rounded_box,
    rounded_rectangle,
    shell,
    tube,
)

__all__ = ["bathtub", "faucet", "pedestal_sink", "toilet", "towel_rail", "vanity"]


def faucet(reach: float, height: float, bar: float) -> Solid:
    """A spout rising from the origin and bending towards +x."""
    t = np.linspace(0.0, np.pi * 0.85, 9)
    arc = np.stack(
        [reach / 2 * (1 - np.cos(t)), 0 * t, 0.62 * height + 0.36 * height * np.sin(t)], axis=1
    )
    return tube(np.concatenate([[[0.0, 0.0, 0.0]], arc]), bar, segments=12)


def toilet(sketch: Sketch) -> None:
    """A toilet: pedestal, open bowl with water, raised seat ring, cistern with button."""
    x, y, z = sketch.size
    seat_z = min(0.6 * z, 0.43) if z > 0.5 else 0.7 * z
    sketch.paint("china", palettes.WHITE)
    tank = 0.27 * x
    long = x - 0.8 * tank
    front = x / 2 - long / 2
    wide = 0.94 * y

    def ring(
        scale_x: float, scale_y: float, height: float, shift: float = 0.0
    ) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        return circle((scale_x * long / 2, scale_y * wide / 2), height, x=front + shift)

    outer = [
        ring(0.62, 0.6, 0.0, -0.12 * long),
        ring(0.58, 0.55, 0.25 * seat_z, -0.1 * long),
        ring(0.72, 0.72, 0.55 * seat_z, -0.06 * long),
        ring(0.98, 0.98, 0.9 * seat_z),
        ring(1.0, 1.0, 0.96 * seat_z),
    ]
    inner = [
        ring(0.8, 0.74, 0.96 * seat_z, 0.02 * long),
        ring(0.7, 0.62, 0.8 * seat_z),
        ring(0.4, 0.36, 0.55 * seat_z, -0.05 * long),
    ]
    sketch.add("china", shell(outer, inner))
    sketch.paint("water", palettes.plain("#9fc3cf"))
    sketch.add(
        "water",
        loft(
            [
                ring(0.42, 0.38, 0.56 * seat_z, -0.04 * long),
                ring(0.46, 0.42, 0.62 * seat_z, -0.04 * long),
            ]
        ),
    )
    sketch.paint("seat", palettes.WHITE + palettes.WOOD[:1])
    seat = [
        ring(1.0, 1.0, 0.96 * seat_z),
        ring(0.99, 0.99, seat_z),
        ring(0.74, 0.66, seat_z, 0.01 * long),
        ring(0.74, 0.66, 0.96 * seat_z, 0.01 * long),
    ]
    sketch.add("seat", collar(seat))
    base = box(0.95 * tank, 0.5 * y, 0.9 * seat_z, 0.01).moved(x=-x / 2 + 0.6 * tank)
    sketch.add("china", base)
    cistern = rounded_box(tank, y, 0.93 * z - seat_z, 0.12 * tank).moved(
        x=-x / 2 + tank / 2, z=seat_z
    )
    sketch.add("china", cistern)
    lid = rounded_box(1.04 * tank, y, 0.06 * z, 0.02 * z).moved(x=-x / 2 + 0.52 * tank, z=0.93 * z)
    sketch.add("china", lid)
    sketch.paint("button", palettes.CHROME)
    sketch.add(
        "button", cylinder(0.14 * tank, 0.012 * z, 20).moved(x=-x / 2 + tank / 2, z=0.988 * z)
    )
    # The lid of the seat is up, leaning on the cistern.
    cover = rounded_box(0.02 * x, 0.86 * y, min(0.9 * (0.93 * z - seat_z), 0.36 * z), 0.009 * x)
    sketch.add("seat", cover.turned("y", -8.0).moved(x=-x / 2 + 1.18 * tank, z=seat_z))


def _basin(width: float, depth: float, height: float, rim: float, *, corner: float = 0.32) -> Solid:
    """An open basin with rounded corners, ``depth`` along x, standing on z = 0."""
    r = corner * min(width, depth)
    outer = [
        rounded_rectangle(0.6 * depth, 0.6 * width, 0.6 * r, 0.0),
        rounded_rectangle(0.92 * depth, 0.92 * width, 0.9 * r, 0.55 * height),
        rounded_rectangle(depth, width, r, 0.9 * height),
        rounded_rectangle(depth, width, r, height),
    ]
    inner = [
        rounded_rectangle(depth - 2 * rim, width - 2 * rim, 0.9 * r, height),
        rounded_rectangle(
            0.86 * (depth - 2 * rim), 0.86 * (width - 2 * rim), 0.8 * r, 0.5 * height
        ),
        rounded_rectangle(0.4 * depth, 0.45 * width, 0.4 * r, 0.16 * height),
    ]
    return shell(outer, inner, 2)


def pedestal_sink(sketch: Sketch) -> None:
    """A wash basin on a column, tap at the back."""
    x, y, z = sketch.size
    tap = 0.14 * z
    bowl = 0.22 * z
    top = z - tap
    sketch.paint("china", palettes.WHITE)
    column = loft(
        [
            circle((0.26 * x, 0.2 * y), 0.0),
            circle((0.2 * x, 0.16 * y), 0.06 * z),
            circle((0.15 * x, 0.12 * y), 0.4 * z),
            circle((0.2 * x, 0.18 * y), top - 0.8 * bowl),
        ],
        [1],
    )
    sketch.add("china", column.moved(x=-0.1 * x))
    shelf = 0.18 * x
    sketch.add("china", _basin(y, x - shelf, bowl, 0.045 * y).moved(x=shelf / 2, z=top - bowl))
    sketch.add(
        "china",
        rounded_box(1.3 * shelf, y, 0.4 * bowl, 0.1 * bowl).moved(
            x=-x / 2 + 0.65 * shelf, z=top - 0.4 * bowl
        ),
    )
    _tap(sketch, -x / 2 + 0.5 * shelf, top, 0.3 * x, tap)


def _tap(sketch: Sketch, at: float, top: float, reach: float, height: float) -> None:
    sketch.paint("tap", palettes.CHROME)
    sketch.add("tap", faucet(reach, height, 0.085 * height).moved(x=at, z=top))
    for side in (-1, 1):
        handle = cylinder(0.16 * height, 0.35 * height, 14, bevel=0.03 * height)
        sketch.add("tap", handle.moved(at, side * 0.75 * height, top))


def vanity(sketch: Sketch) -> None:
    """A basin let into a cabinet with doors, tap at the back."""
    x, y, z = sketch.size
    tap = 0.16 * z
    full = sketch.size
    top = z - tap
    basin_z = 0.17
    sketch.size = (x, y, top - basin_z)
    cabinet(sketch, style="hung")
    sketch.size = full
    front = x / 2 - 0.03
    low, high = top - basin_z, top - 0.01
    apron = [
        rounded_rectangle(front + x / 2 - 2 * inset, y - 0.004 - 2 * inset, 0.002, height, 1)
        for inset, height in ((0.0, low), (0.0, high), (0.02, high), (0.02, low))
    ]
    sketch.add("carcass", collar(apron, 1).moved(x=(front - x / 2) / 2))
    sketch.paint("china", palettes.WHITE)
    slab = 0.035
    count = max(1, round(y / 0.9))
    ring_depth, ring_width = 0.56 * x, 0.72 * y / count
    # The slab leaves the basins free: a frame of strips round each.
    sketch.add("china", box(0.28 * x, y, slab, 0.004).moved(x=-0.36 * x, z=top - slab))
    sketch.add("china", box(0.2 * x, y, slab, 0.004).moved(x=0.4 * x, z=top - slab))
    for k in range(count):
        at = -y / 2 + (k + 0.5) * y / count
        side = (y / count - ring_width) / 2 + 0.03
        for s in (-1, 1):
            strip = box(0.62 * x, side, slab).moved(
                0.05 * x, at + s * (y / count / 2 - side / 2), top - slab
            )
            sketch.add("china", strip)
        basin = _basin(ring_width + 0.05, ring_depth + 0.05, 0.16, 0.03, corner=0.22)
        sketch.add("china", basin.moved(0.05 * x, at, top - 0.155))
        sketch.paint("tap", palettes.CHROME)
        sketch.add("tap", faucet(0.3 * x, tap, 0.08 * tap).moved(-0.36 * x, at, top))
        for s in (-1, 1):
            sketch.add(
                "tap",
                cylinder(0.14 * tap, 0.3 * tap, 14, bevel=0.02 * tap).moved(
                    -0.36 * x, at + s * 0.6 * tap, top
                ),
            )


def bathtub(sketch: Sketch) -> None:
    """A built-in tub, long side along the longer axis, with a tap at one end."""
    x, y, z = sketch.size
    high = 0.9 * z
    sketch.paint("enamel", palettes.WHITE)
    rim = 0.07 * min(x, y)
    r = 0.18 * min(x, y)
    outer = [
        rounded_rectangle(0.97 * x, 0.97 * y, 0.3 * r, 0.0),
        rounded_rectangle(0.98 * x, 0.98 * y, 0.3 * r, 0.93 * high),
        rounded_rectangle(x, y, 0.35 * r, 0.94 * high),
        rounded_rectangle(x, y, 0.35 * r, high),
    ]
    inner = [
        rounded_rectangle(x - 2 * rim, y - 2 * rim, 1.4 * r, high),
        rounded_rectangle(0.86 * (x - 2 * rim), 0.86 * (y - 2 * rim), 1.3 * r, 0.4 * high),
        rounded_rectangle(0.76 * (x - 2 * rim), 0.72 * (y - 2 * rim), r, 0.14 * high),
    ]
    sketch.add("enamel", shell(outer, inner, 2))
    sketch.paint("tap", palettes.CHROME)
    along_x = x >= y
    spout = faucet(0.16 * min(x, y), 0.3 * z, 0.022 * z)
    if along_x:
        sketch.add("tap", spout.moved(x=-x / 2 + 0.5 * rim, z=high - 0.19 * z))
    else:
        sketch.add("tap", spout.turned("z", 90.0).moved(y=-y / 2 + 0.5 * rim, z=high - 0.19 * z))
    sketch.cavity((-0.33 * x, -0.33 * y, 0.14 * high), (0.33 * x, 0.33 * y, high), rounded=False)


def towel_rail(sketch: Sketch) -> None:
    """A rail on two posts on a wall at -x, with a folded towel where there is height for one."""
    x, y, z = sketch.size
    sketch.paint("rail", palettes.CHROME + palettes.BRASS[:1])
    bar = min(0.16 * x, 0.1 * y, 0.012)
    at = z - 1.6 * bar if z > 2.5 * x else z / 2
    sketch.add("rail", cylinder(bar, y, 14).turned("x", 90.0).moved(x=x / 2 - bar, y=y / 2, z=at))
    for side in (-1, 1):
        post = cylinder(0.9 * bar, x - bar, 12).turned("y", 90.0)
        sketch.add("rail", post.moved(-x / 2, side * (y / 2 - 2 * bar), at))
        plate = cylinder(min(2.2 * bar, z / 2), 0.1 * x, 16).turned("y", 90.0)
        sketch.add("rail", plate.moved(-x / 2, side * (y / 2 - 2.2 * bar), at))
