"""Tables, seats and beds."""

from __future__ import annotations

import numpy as np

from esi_fast.assets import palettes
from esi_fast.assets.sketch import Sketch
from esi_fast.assets.solids import (
    Solid,
    box,
    cushion,
    cylinder,
    lathe,
    loft,
    rounded_box,
    rounded_rectangle,
    tube,
)

__all__ = [
    "armchair",
    "bed",
    "bench",
    "chair",
    "desk",
    "ottoman",
    "pedestal_table",
    "sofa",
    "stool",
    "swivel_chair",
    "table",
]


def _leg(height: float, width: float, *, turned: bool, taper: float = 0.7) -> Solid:
    if turned:
        return cylinder(taper * width / 2, height, 16, top=width / 2)
    half = width / 2
    foot, head = taper * width, 2 * half
    return loft(
        [
            rounded_rectangle(foot, foot, 0.1 * foot, 0.0, 1),
            rounded_rectangle(head, head, 0.1 * head, height, 1),
        ]
    )


def table(sketch: Sketch, *, low: bool = False) -> None:
    """A table with four legs and an apron; a coffee table may have a lower shelf."""
    x, y, z = sketch.size
    top = min(0.06 * z, 0.04)
    sketch.paint("top", palettes.WOOD)
    sketch.paint("legs", sketch.color("top", palettes.WOOD))
    sketch.add("top", box(x, y, top, 0.15 * top).moved(z=z - top))
    width = min(0.09 * min(x, y), 0.08)
    is_round = sketch.pick("round", (True, False, False))
    inset = 0.6 * width + 0.02 * min(x, y)
    for sx in (-1, 1):
        for sy in (-1, 1):
            leg = _leg(
                z - top,
                width,
                turned=is_round,
                taper=sketch.pick("taper", (0.6, 1.0, 0.8)),
            )
            sketch.add("legs", leg.moved(sx * (x / 2 - inset), sy * (y / 2 - inset)))
    apron = min(0.12 * z, 0.09)
    board = 0.25 * width
    for side in (-1, 1):
        sketch.add(
            "legs",
            box(x - 2 * inset, board, apron).moved(y=side * (y / 2 - inset), z=z - top - apron),
        )
        sketch.add(
            "legs",
            box(board, y - 2 * inset, apron).moved(x=side * (x / 2 - inset), z=z - top - apron),
        )
    if low and sketch.pick("shelf", (True, False)):
        sketch.add("top", box(x - 1.6 * inset, y - 1.6 * inset, 0.7 * top).moved(z=0.25 * z))
    sketch.top(0.02)


def pedestal_table(sketch: Sketch) -> None:
    """A round or oval top on one turned column with a spreading foot."""
    x, y, z = sketch.size
    top = min(0.06 * z, 0.035)
    r = min(x, y) / 2
    sketch.paint("top", palettes.WOOD + palettes.WHITE[:1])
    plate = cylinder(1.0, top, 48, bevel=0.0)
    sketch.add("top", plate.scaled(x / 2, y / 2, 1.0).moved(z=z - top))
    sketch.paint("foot", palettes.DARK + palettes.WOOD)
    column = lathe(
        [
            (0.55 * r, 0),
            (0.55 * r, 0.025 * z),
            (0.14 * r, 0.1 * z),
            (0.1 * r, 0.3 * z),
            (0.1 * r, 0.75 * z),
            (0.3 * r, z - top),
        ],
        32,
    )
    sketch.add("foot", column)
    half = 0.6 / np.sqrt(2.0)
    sketch.support((-half * x / 1.2, -half * y / 1.2), (half * x / 1.2, half * y / 1.2), z)


def desk(sketch: Sketch) -> None:
    """A desk: a top, a chest of drawers on one side, a side panel or legs on the other."""
    x, y, z = sketch.size
    top = 0.04 * z
    sketch.paint("top", palettes.WOOD)
    sketch.paint("body", sketch.color("top", palettes.WOOD))
    sketch.paint("front", palettes.PAINTED[:2] + palettes.WOOD)
    sketch.paint("knobs", palettes.CHROME + palettes.DARK)
    sketch.add("top", box(x, y, top, 0.1 * top).moved(z=z - top))
    side = sketch.pick("side", (-1, 1))
    wide = min(0.3 * y, 0.45)
    depth = 0.94 * x
    chest = box(depth, wide, z - top - 0.06).moved(y=side * (y / 2 - wide / 2 - 0.02), z=0.06)
    sketch.add("body", chest)
    sketch.add(
        "body",
        box(0.9 * depth, 0.9 * wide, 0.06).moved(y=side * (y / 2 - wide / 2 - 0.02)),
    )
    high = (z - top - 0.06) / 3
    for k in range(3):
        drawer = box(0.02, wide - 0.02, high - 0.015, 0.003)
        at = (
            depth / 2 + 0.005,
            side * (y / 2 - wide / 2 - 0.02),
            0.06 + k * high + 0.0075,
        )
        sketch.add("front", drawer.moved(*at))
        knob = box(0.02, 0.3 * wide, 0.012, 0.002).moved(at[0] + 0.015, at[1], at[2] + 0.6 * high)
        sketch.add("knobs", knob)
    panel = 0.035
    sketch.add("body", box(depth, panel, z - top).moved(y=-side * (y / 2 - panel)))
    back = box(0.02, y - wide - 0.08, 0.4 * z).moved(
        x=-0.4 * depth, y=-side * (wide / 2), z=z - top - 0.4 * z
    )
    sketch.add("body", back)
    sketch.top(0.03)


def chair(sketch: Sketch) -> None:
    """A dining chair: four legs, a seat, a slatted back."""
    x, y, z = sketch.size
    seat_z = (0.56 if z > 0.6 else 0.6) * z
    sketch.paint("wood", palettes.WOOD + palettes.PAINTED[:1])
    bar = 0.085 * min(x, y)
    for sx in (-1, 1):
        for sy in (-1, 1):
            leg = _leg(seat_z, bar, turned=False, taper=0.75)
            sketch.add("wood", leg.moved(sx * (0.44 * x - bar / 2), sy * (0.48 * y - bar / 2)))
    upholstered = sketch.pick("seat", (True, False))
    sketch.add("wood", box(0.94 * x, y, 0.05 * z, 0.008).moved(x=0.03 * x, z=seat_z - 0.03 * z))
    if upholstered:
        sketch.paint("seat", palettes.UPHOLSTERY)
        sketch.add(
            "seat",
            cushion(0.86 * x, 0.92 * y, 0.08 * z, square=0.2, puff=0.5).moved(
                x=0.04 * x, z=seat_z + 0.03 * z
            ),
        )
    lean = 0.06 * x
    for sy in (-1, 1):
        low = (-0.42 * x, sy * (0.5 * y - 0.6 * bar), seat_z - 0.03 * z)
        high = (-0.42 * x - lean, sy * (0.5 * y - 0.6 * bar), z - 0.01 * z)
        sketch.add("wood", tube([low, high], 0.5 * bar, segments=8))
    slats = sketch.pick("slats", (3, 2, 4))
    for k in range(slats):
        t = 0.3 + 0.62 * k / max(slats - 1, 1)
        slat = box(0.025, y - 1.4 * bar, 0.1 * z, 0.006)
        sketch.add(
            "wood",
            slat.moved(x=-0.42 * x - lean * t, z=seat_z + t * (z - seat_z) - 0.05 * z),
        )
    sketch.support(
        (-0.3 * x, -0.4 * y),
        (0.4 * x, 0.4 * y),
        seat_z + (0.07 if upholstered else 0.02) * z,
    )


def stool(sketch: Sketch) -> None:
    """A bar stool: round seat, four splayed legs, a ring to rest the feet on."""
    x, y, z = sketch.size
    r = 0.42 * min(x, y)
    sketch.paint("legs", palettes.WOOD + palettes.CHROME[:1])
    sketch.paint("seat", palettes.UPHOLSTERY + palettes.WOOD[:2])
    sketch.add("seat", cylinder(r, 0.07 * z, 32, bevel=0.02 * z).moved(z=0.93 * z))
    bar = 0.05 * min(x, y)
    for sx in (-1, 1):
        for sy in (-1, 1):
            foot = (sx * (x / 2 - bar), sy * (y / 2 - bar), 0.0)
            head = (sx * 0.55 * r, sy * 0.55 * r, 0.94 * z)
            sketch.add("legs", tube([foot, head], [bar, 0.9 * bar], segments=10))
    for side in (-1, 1):
        t = 0.3
        reach_x = (1 - t) * (x / 2 - bar) + t * 0.55 * r
        reach_y = (1 - t) * (y / 2 - bar) + t * 0.55 * r
        at = t * 0.94 * z
        sketch.add(
            "legs",
            tube(
                [(-reach_x, side * reach_y, at), (reach_x, side * reach_y, at)],
                0.6 * bar,
                segments=8,
            ),
        )
        sketch.add(
            "legs",
            tube(
                [(side * reach_x, -reach_y, at), (side * reach_x, reach_y, at)],
                0.6 * bar,
                segments=8,
            ),
        )
    sketch.support((-0.6 * r, -0.6 * r), (0.6 * r, 0.6 * r), z)


def swivel_chair(sketch: Sketch) -> None:
    """An office chair: five-star base on castors, column, seat, back and arm rests."""
    x, y, z = sketch.size
    sketch.paint("frame", palettes.DARK + palettes.CHROME[:1])
    sketch.paint("pad", palettes.UPHOLSTERY + palettes.DARK[:1])
    reach = 0.46 * min(x, y)
    for k in range(5):
        t = 2 * np.pi * k / 5 + np.pi
        c, s = np.cos(t), np.sin(t)
        arm = tube(
            [(0, 0, 0.1 * z), (reach * c, reach * s, 0.065 * z)],
            [0.05 * x, 0.03 * x],
            segments=8,
        )
        wheel = (
            cylinder(0.03 * z, 0.05 * x, 14)
            .moved(z=-0.025 * x)
            .turned("x", 90)
            .turned("z", np.rad2deg(t))
        )
        sketch.add("frame", arm, wheel.moved(reach * c, reach * s, 0.03 * z))
    sketch.add("frame", cylinder(0.05 * x, 0.38 * z, 16, top=0.035 * x).moved(z=0.08 * z))
    seat_z = 0.5 * z
    sketch.add(
        "pad",
        rounded_box(0.8 * x, 0.76 * y, 0.08 * z, 0.035 * z).moved(x=0.02 * x, z=seat_z - 0.08 * z),
    )
    sketch.add(
        "frame",
        tube(
            [
                (-0.2 * x, 0, seat_z - 0.06 * z),
                (-0.44 * x, 0, seat_z),
                (-0.47 * x, 0, seat_z + 0.2 * z),
            ],
            0.03 * x,
            flat=2.0,
            segments=10,
        ),
    )
    back = rounded_box(0.09 * x, 0.7 * y, z - seat_z - 0.08 * z, 0.03 * z)
    sketch.add("pad", back.turned("y", -6.0).moved(x=-0.4 * x, z=seat_z + 0.08 * z))
    for side in (-1, 1):
        path = [
            (-0.1 * x, side * 0.36 * y, seat_z - 0.04 * z),
            (-0.1 * x, side * 0.46 * y, seat_z),
            (-0.1 * x, side * 0.46 * y, seat_z + 0.17 * z),
        ]
        sketch.add("frame", tube(path, 0.022 * x, segments=8))
        sketch.add(
            "frame",
            rounded_box(0.42 * x, 0.08 * y, 0.03 * z, 0.012 * z).moved(
                side * 0 - 0.02 * x, side * 0.46 * y, seat_z + 0.17 * z
            ),
        )
    sketch.support((-0.25 * x, -0.3 * y), (0.35 * x, 0.3 * y), seat_z)


def sofa(sketch: Sketch) -> None:
    """A sofa: plinth, back, arms, and seat and back cushions for as many as fit."""
    _upholstered(sketch, max(1, round(sketch.size[1] / 0.8)))


def armchair(sketch: Sketch) -> None:
    """An armchair: a sofa for one."""
    _upholstered(sketch, 1)


def _upholstered(sketch: Sketch, seats: int) -> None:
    x, y, z = sketch.size
    arm = 0.17 * y if seats == 1 else min(0.1 * y, 0.22)
    feet = 0.09 * z
    sketch.paint("frame", palettes.UPHOLSTERY)
    sketch.paint("cushions", sketch.color("frame", palettes.UPHOLSTERY))
    sketch.paint("feet", palettes.WOOD[3:4] + palettes.DARK)
    for sx in (-1, 1):
        for sy in (-1, 1):
            foot = _leg(feet + 0.01, 0.06 * z + 0.02, turned=True)
            sketch.add("feet", foot.moved(sx * (x / 2 - 0.08 * z), sy * (y / 2 - 0.08 * z)))
    back = 0.2 * x
    seat_z = 0.5 * z
    arm_z = sketch.uniform("arm", 0.66, 0.78) * z
    sketch.add("frame", rounded_box(x - 0.02 * x, y - arm, 0.28 * z, 0.02).moved(z=feet))
    sketch.add(
        "frame",
        rounded_box(back, y - 0.5 * arm, z - feet, 0.06 * z).moved(x=-x / 2 + back / 2, z=feet),
    )
    for side in (-1, 1):
        sketch.add(
            "frame",
            rounded_box(0.98 * x, arm, arm_z - feet, 0.3 * arm).moved(
                x=0.01 * x, y=side * (y - arm) / 2, z=feet
            ),
        )
    wide = (y - 2 * arm) / seats
    deep = x - back
    for k in range(seats):
        at = -y / 2 + arm + (k + 0.5) * wide
        seat = cushion(deep, wide - 0.006, 0.2 * z, square=0.15, puff=0.35)
        sketch.add(
            "cushions",
            seat.moved(x=-x / 2 + back + deep / 2, y=at, z=seat_z - 0.09 * z),
        )
        pad = cushion(0.17 * x, wide - 0.01, 0.46 * z, square=0.4, puff=0.3)
        sketch.add(
            "cushions",
            pad.turned("y", -12.0).moved(x=-x / 2 + back + 0.07 * x, y=at, z=0.72 * z),
        )
    sketch.support(
        (-x / 2 + back + 0.2 * deep, -y / 2 + arm + 0.05),
        (x / 2 - 0.08 * x, y / 2 - arm - 0.05),
        seat_z + 0.01 * z,
    )


def ottoman(sketch: Sketch) -> None:
    """A padded foot stool on short feet."""
    x, y, z = sketch.size
    sketch.paint("pad", palettes.UPHOLSTERY)
    sketch.paint("feet", palettes.WOOD)
    for sx in (-1, 1):
        for sy in (-1, 1):
            sketch.add(
                "feet",
                _leg(0.22 * z, 0.12 * z, turned=True).moved(
                    sx * (x / 2 - 0.14 * z), sy * (y / 2 - 0.14 * z)
                ),
            )
    sketch.add("pad", rounded_box(x, y, 0.5 * z, 0.06 * z).moved(z=0.2 * z))
    sketch.add(
        "pad",
        cushion(0.98 * x, 0.98 * y, 0.4 * z, square=0.12, puff=0.3).moved(z=0.8 * z),
    )
    sketch.support((-0.35 * x, -0.35 * y), (0.35 * x, 0.35 * y), z)


def bench(sketch: Sketch) -> None:
    """A plain wooden bench with slats, with a back where it is high enough."""
    x, y, z = sketch.size
    backed = z > 0.6
    seat_z = 0.55 * z if backed else z
    sketch.paint("wood", palettes.WOOD)
    sketch.paint("frame", palettes.DARK + palettes.WOOD[3:4])
    deep = 0.9 * x if backed else x
    slats = 5
    for k in range(slats):
        at = x / 2 - deep + (k + 0.5) * deep / slats
        sketch.add(
            "wood",
            box(0.85 * deep / slats, y, 0.03, 0.004).moved(x=at, z=seat_z - 0.03),
        )
    for side in (-1, 1):
        at = side * (y / 2 - 0.12 * y)
        for front in (-1, 1):
            leg = box(0.06, 0.06, seat_z - 0.03)
            sketch.add("frame", leg.moved(x / 2 - deep / 2 + front * (deep / 2 - 0.06), at))
        sketch.add(
            "frame",
            box(deep - 0.06, 0.05, 0.06).moved(x=x / 2 - deep / 2, y=at, z=seat_z - 0.09),
        )
        if backed:
            post = tube(
                [(-0.38 * x, at, seat_z - 0.05), (-x / 2 + 0.03, at, z - 0.02)],
                0.03,
                segments=8,
            )
            sketch.add("frame", post)
    if backed:
        for k in range(3):
            t = 0.3 + 0.3 * k
            slat = box(0.025, y, 0.13 * z, 0.004).turned("y", -12.0)
            sketch.add(
                "wood",
                slat.moved(
                    x=-0.38 * x + t * (0.03 - 0.12 * x) + 0.03,
                    z=seat_z + t * (z - seat_z) - 0.06 * z,
                ),
            )
    sketch.support((x / 2 - deep + 0.05, -y / 2 + 0.05), (x / 2 - 0.03, y / 2 - 0.05), seat_z)


def bed(sketch: Sketch) -> None:
    """A bed with its head at -x: frame, headboard, mattress, duvet and pillows."""
    x, y, z = sketch.size
    sketch.paint("frame", palettes.WOOD + palettes.UPHOLSTERY[:2])
    sketch.paint("sheet", palettes.WHITE)
    sketch.paint("duvet", palettes.CLOTH)
    rail = min(0.3 * z, 0.3)
    top = min(0.55 * z, 0.52)
    board = 0.05
    for sx in (-1, 1):
        for sy in (-1, 1):
            sketch.add(
                "frame",
                box(0.07, 0.07, rail).moved(sx * (x / 2 - 0.05), sy * (y / 2 - 0.05)),
            )
    sketch.add("frame", box(x - board, y, 0.5 * rail, 0.01).moved(x=board / 2, z=0.5 * rail))
    sketch.add("frame", box(board, y, z, 0.015).moved(x=-x / 2 + board / 2))
    foot = box(board, y, 0.8 * top, 0.012) if sketch.pick("footboard", (True, False)) else None
    if foot is not None:
        sketch.add("frame", foot.moved(x=x / 2 - board / 2))
    long = x - 2 * board - 0.02
    sketch.add(
        "sheet",
        rounded_box(long, y - 0.06, top - rail - 0.01, 0.05).moved(z=rail - 0.01),
    )
    cover = rounded_box(0.68 * long, y - 0.015, 0.12, 0.045)
    sketch.add("duvet", cover.moved(x=0.15 * long, z=top - 0.1))
    sketch.paint("pillows", palettes.WHITE + palettes.CLOTH[:1])
    count = 2 if y > 1.2 else 1
    for k in range(count):
        at = (k - (count - 1) / 2) * y / count
        pillow = cushion(0.4, min(0.85 * y / count, 0.7), 0.15, square=0.35, puff=0.7)
        sketch.add(
            "pillows",
            pillow.turned("y", 8.0).moved(x=-long / 2 + 0.26, y=at, z=top + 0.05),
        )
    sketch.support((-0.15 * x, -0.4 * y), (0.4 * x, 0.4 * y), top + 0.02)
