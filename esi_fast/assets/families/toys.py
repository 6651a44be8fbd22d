"""Toys."""

from __future__ import annotations

import numpy as np

from esi_fast.assets import palettes
from esi_fast.assets.sketch import Sketch
from esi_fast.assets.solids import (
    Solid,
    box,
    cylinder,
    ellipsoid,
    joined,
    lathe,
    loft,
    rounded_box,
    rounded_rectangle,
    tube,
)

__all__ = ["dice", "doll", "figure", "teddy_bear", "toy_car", "toy_train"]


def teddy_bear(sketch: Sketch) -> None:
    """A teddy bear: sitting where the box is high, else lying on its back with its head at -x."""
    x, _, z = sketch.size
    sketch.paint("fur", palettes.plain("#9a6a3c", "#c29a63", "#6f4a2c", "#d9c6a0", "#8d8078"))
    sketch.paint("muzzle", palettes.plain("#e3cfa6", "#d8b98a"))
    sketch.paint("black", palettes.plain("#1c1816"))
    sketch.paint("bow", palettes.BRIGHT)
    lying = z < 0.72 * x
    parts = _bear(lying)
    for slot, solid in parts:
        if lying:
            # Face up, feet towards +x.
            solid = solid.turned("y", -90.0)
        sketch.add(slot, solid)


def _bear(straight: bool) -> list[tuple[str, Solid]]:
    """A bear about 1 high facing +x, sitting on z = 0, or ``straight`` with stretched legs."""
    hip = 0.36 if straight else 0.24
    out: list[tuple[str, Solid]] = []
    fur = [
        _ball(0.2, 0.22, 0.27).moved(z=hip + 0.12),
        _ball(0.2, 0.22, 0.19).moved(x=0.02, z=hip + 0.54),
    ]
    for side in (-1, 1):
        fur.append(_ball(0.045, 0.08, 0.08).moved(0.0, side * 0.17, hip + 0.7))
        arm = _ball(0.08, 0.075, 0.2).turned("x", side * -42.0).turned("y", -15.0)
        fur.append(arm.moved(0.08, side * 0.24, hip + 0.24))
        if straight:
            fur.append(
                _ball(0.1, 0.1, 0.22).turned("x", side * 14.0).moved(0.02, side * 0.14, 0.21)
            )
            fur.append(_ball(0.13, 0.085, 0.07).moved(0.07, side * 0.18, 0.06))
        else:
            fur.append(
                _ball(0.22, 0.095, 0.095).turned("z", side * 22.0).moved(0.24, side * 0.16, 0.1)
            )
            fur.append(
                _ball(0.065, 0.095, 0.12).turned("z", side * 22.0).moved(0.42, side * 0.23, 0.12)
            )
            out.append(
                (
                    "muzzle",
                    _ball(0.03, 0.06, 0.075)
                    .turned("z", side * 22.0)
                    .moved(0.468, side * 0.25, 0.12),
                )
            )
        out.append(("muzzle", _ball(0.03, 0.05, 0.05).moved(0.03, side * 0.175, hip + 0.7)))
        out.append(("black", _ball(0.026).moved(0.185, side * 0.075, hip + 0.58)))
    out.append(("muzzle", _ball(0.09, 0.1, 0.08).moved(0.18, 0, hip + 0.48)))
    out.append(("muzzle", _ball(0.1, 0.15, 0.18).moved(0.115, 0, hip + 0.12)))
    out.append(("black", _ball(0.03, 0.042, 0.028).moved(0.262, 0, hip + 0.515)))
    out.append(
        (
            "black",
            tube(
                [(0.262, 0, hip + 0.5), (0.268, 0, hip + 0.45), (0.25, 0.04, hip + 0.43)],
                0.009,
                segments=6,
            ),
        )
    )
    out.append(
        ("black", tube([(0.268, 0, hip + 0.45), (0.25, -0.04, hip + 0.43)], 0.009, segments=6))
    )
    for side in (-1, 1):
        out.append(
            (
                "bow",
                _ball(0.035, 0.075, 0.055)
                .turned("x", side * 15.0)
                .moved(0.19, side * 0.075, hip + 0.34),
            )
        )
    out.append(("bow", _ball(0.035).moved(0.205, 0, hip + 0.34)))
    return [("fur", joined(*fur)), *out]


def _ball(a: float, b: float | None = None, c: float | None = None) -> Solid:
    return ellipsoid(a, b, c, fine=1 if a > 0.15 else 0)


def doll(sketch: Sketch) -> None:
    """A rag doll that sits: round head with hair and face, a wide dress, legs towards +x."""
    skin = palettes.plain("#f0cda8", "#c98f63", "#8a5a3c", "#f3d9bf")
    sketch.paint("skin", skin)
    sketch.paint("hair", palettes.plain("#7a3f1f", "#d9a441", "#2a1d16", "#b8522a"))
    sketch.paint("dress", palettes.BRIGHT)
    sketch.paint("trim", palettes.WHITE)
    sketch.paint("eyes", palettes.plain("#1c1816"))
    sketch.paint("mouth", palettes.plain("#b8403f"))
    dress = [(0.27, 0.0), (0.29, 0.03), (0.17, 0.2), (0.13, 0.36), (0.1, 0.44), (0.06, 0.47)]
    sketch.add("dress", lathe(dress, 28))
    sketch.add("trim", lathe([(0.285, 0.0), (0.3, 0.012), (0.3, 0.035), (0.27, 0.05)], 28))
    sketch.add("trim", lathe([(0.05, 0.43), (0.115, 0.445), (0.1, 0.475), (0.05, 0.48)], 24))
    sketch.add("skin", cylinder(0.05, 0.08, 16).moved(z=0.45), _ball(0.17).moved(z=0.66))
    for side in (-1, 1):
        sleeve = tube([(0.0, side * 0.09, 0.42), (0.06, side * 0.22, 0.3)], [0.075, 0.065])
        sketch.add("dress", sleeve)
        arm = tube([(0.06, side * 0.22, 0.3), (0.16, side * 0.29, 0.17)], 0.042)
        sketch.add("skin", arm, _ball(0.052).moved(0.175, side * 0.3, 0.15))
        leg = tube([(0.14, side * 0.1, 0.07), (0.46, side * 0.15, 0.06)], 0.055)
        sketch.add("skin", leg)
        shoe = _ball(0.065, 0.055, 0.08).moved(0.5, side * 0.155, 0.09)
        sketch.add("eyes", shoe, _ball(0.022).moved(0.155, side * 0.06, 0.685))
        pigtail = tube([(-0.02, side * 0.15, 0.72), (-0.03, side * 0.24, 0.6)], [0.06, 0.035])
        sketch.add("hair", pigtail)
        sketch.add("dress", _ball(0.035).moved(-0.02, side * 0.18, 0.71))
    sketch.add("hair", _ball(0.175, 0.185, 0.165).moved(x=-0.035, z=0.7))
    sketch.add("mouth", _ball(0.015, 0.045, 0.014).moved(0.158, 0.0, 0.6))


def figure(sketch: Sketch) -> None:
    """A toy figure: a robot where the box is high, else a turtle."""
    x, y, z = sketch.size
    if z > 1.25 * max(x, y):
        _robot(sketch)
    else:
        _turtle(sketch)


def _robot(sketch: Sketch) -> None:
    sketch.paint("body", palettes.BRIGHT)
    sketch.paint("metal", palettes.CHROME)
    sketch.paint("eyes", palettes.plain("#ffe16b", "#8fe3ff", "#ff8a7a"))
    sketch.paint("dark", palettes.DARK)
    for side in (-1, 1):
        sketch.add("dark", box(0.26, 0.15, 0.07, 0.02).moved(x=0.03, y=side * 0.12))
        sketch.add("metal", cylinder(0.045, 0.2, 16).moved(y=side * 0.12, z=0.06))
        arm = tube(
            [(0, side * 0.22, 0.5), (0.02, side * 0.29, 0.4), (0.1, side * 0.29, 0.3)], 0.035
        )
        sketch.add("metal", arm)
        sketch.add("body", _ball(0.07).moved(y=side * 0.22, z=0.51))
        sketch.add("dark", box(0.08, 0.09, 0.07, 0.015).moved(0.12, side * 0.29, 0.24))
        sketch.add(
            "eyes", cylinder(0.04, 0.03, 20).turned("y", 90.0).moved(0.1, side * 0.065, 0.78)
        )
        sketch.add(
            "metal", cylinder(0.03, 0.03, 14).turned("x", 90.0).moved(y=side * 0.16 + 0.015, z=0.75)
        )
    sketch.add(
        "body", box(0.24, 0.4, 0.34, 0.03).moved(z=0.25), box(0.22, 0.3, 0.22, 0.03).moved(z=0.66)
    )
    sketch.add(
        "metal", cylinder(0.06, 0.09, 16).moved(z=0.58), cylinder(0.012, 0.1, 10).moved(z=0.87)
    )
    sketch.add("eyes", _ball(0.03).moved(z=0.98))
    sketch.add(
        "dark",
        box(0.01, 0.24, 0.16).moved(x=0.122, z=0.36),
        box(0.012, 0.16, 0.03).moved(x=0.111, z=0.69),
    )
    for k, slot in enumerate(("eyes", "metal", "body")):
        sketch.add(
            slot, cylinder(0.022, 0.012, 14).turned("y", 90.0).moved(0.127, 0.07 * (k - 1), 0.46)
        )


def _turtle(sketch: Sketch) -> None:
    sketch.paint("skin", palettes.plain("#7fa33f", "#8a9a5a", "#4f8f86", "#b5a04a"))
    sketch.paint("shell", palettes.plain("#6b4a2a", "#3f5f35", "#7a3f2f", "#3f4a6b"))
    sketch.paint("plates", palettes.plain("#a8773f", "#6f9a4f", "#c29a5a"))
    sketch.paint("rim", palettes.plain("#d9c48f", "#cfb070"))
    sketch.paint("eyes", palettes.plain("#14130f"))
    dome = [(0.36, 0.0), (0.35, 0.08), (0.29, 0.2), (0.19, 0.28), (0.08, 0.315), (0.0, 0.32)]
    sketch.add("shell", lathe(dome[:-1], 32).moved(z=0.14))
    sketch.add("rim", lathe([(0.3, 0.1), (0.39, 0.12), (0.4, 0.16), (0.35, 0.19)], 32))
    # A plate in the middle, six around it.
    sketch.add("plates", cylinder(0.1, 0.03, 6, top=0.085).moved(z=0.44))
    for k in range(6):
        plate = cylinder(0.085, 0.03, 6, top=0.07).turned("y", 42.0)
        sketch.add("plates", plate.moved(x=0.235, z=0.365).turned("z", 60.0 * k + 30.0))
    sketch.add("skin", tube([(0.3, 0, 0.2), (0.44, 0, 0.25)], [0.09, 0.075]))
    sketch.add("skin", _ball(0.12, 0.1, 0.1).moved(x=0.5, z=0.29))
    sketch.add("skin", tube([(-0.34, 0, 0.14), (-0.5, 0, 0.08)], [0.05, 0.012]))
    for side in (-1, 1):
        sketch.add("eyes", _ball(0.024).moved(0.56, side * 0.078, 0.32))
        for at, out in ((0.24, 0.3), (-0.24, 0.28)):
            leg = tube([(at, side * 0.2, 0.16), (1.1 * at, side * out, 0.06)], [0.1, 0.085])
            sketch.add("skin", leg, _ball(0.1, 0.09, 0.055).moved(1.15 * at, side * out, 0.055))


def toy_car(sketch: Sketch) -> None:
    """A toy car driving towards +x: body, cabin with windows, wheels, lamps."""
    x, y, z = sketch.size
    sketch.paint("body", palettes.BRIGHT)
    sketch.paint("glass", palettes.plain("#243443", "#2b3d4f"))
    sketch.paint("tyres", palettes.DARK)
    sketch.paint("hubs", palettes.CHROME + palettes.BRIGHT[2:3])
    sketch.paint("lamps", palettes.plain("#fff2c2"))
    wheel = 0.24 * z
    low, belt = 0.55 * wheel, 0.58 * z
    hull = [
        rounded_rectangle(0.96 * x, 0.9 * y, 0.12 * y, low),
        rounded_rectangle(x, 0.96 * y, 0.16 * y, 0.6 * low + 0.4 * belt),
        rounded_rectangle(0.97 * x, 0.92 * y, 0.16 * y, 0.95 * belt),
        rounded_rectangle(0.92 * x, 0.84 * y, 0.14 * y, belt),
    ]
    sketch.add("body", loft(hull, []))
    cabin = [
        rounded_rectangle(0.54 * x, 0.82 * y, 0.1 * y, 0.97 * belt) - [0.06 * x, 0, 0],
        rounded_rectangle(0.36 * x, 0.68 * y, 0.1 * y, 0.93 * z) - [0.08 * x, 0, 0],
    ]
    sketch.add("glass", loft(cabin))
    roof = [
        rounded_rectangle(0.38 * x, 0.7 * y, 0.1 * y, 0.9 * z) - [0.08 * x, 0, 0],
        rounded_rectangle(0.34 * x, 0.64 * y, 0.1 * y, z) - [0.08 * x, 0, 0],
    ]
    sketch.add("body", loft(roof))
    for side in (-1, 1):
        pillar = tube(
            [(-0.06 * x, side * 0.405 * y, 0.97 * belt), (-0.08 * x, side * 0.34 * y, 0.92 * z)],
            0.02 * x,
            segments=6,
        )
        sketch.add("body", pillar)
        for at in (-0.3, 0.3):
            tyre = cylinder(wheel, 0.16 * y, 26, bevel=0.03 * y).turned("x", 90.0)
            sketch.add("tyres", tyre.moved(at * x, side * 0.42 * y + 0.08 * y, wheel))
            hub = cylinder(0.55 * wheel, 0.17 * y, 20).turned("x", 90.0)
            sketch.add("hubs", hub.moved(at * x, side * 0.42 * y + 0.085 * y, wheel))
        sketch.add(
            "lamps",
            cylinder(0.07 * y, 0.03 * x, 16)
            .turned("y", 90.0)
            .moved(0.475 * x, side * 0.3 * y, 0.44 * z),
        )


def toy_train(sketch: Sketch) -> None:
    """A toy train heading to +x: an engine with boiler and chimney, and three wagons."""
    x, y, z = sketch.size
    sketch.paint("engine", palettes.BRIGHT)
    sketch.paint("black", palettes.DARK)
    sketch.paint("brass", palettes.BRASS)
    wheel = 0.16 * z
    cars = 4
    long = x / cars
    for k in range(cars):
        at = x / 2 - (k + 0.5) * long
        sketch.add("black", box(0.9 * long, 0.7 * y, 0.12 * z).moved(x=at, z=1.1 * wheel))
        if k:
            sketch.add(
                "black", box(0.16 * long, 0.16 * y, 0.06 * z).moved(x=at + long / 2, z=1.3 * wheel)
            )
        for side in (-1, 1):
            for w in (-0.28, 0.0, 0.28) if k == 0 else (-0.26, 0.26):
                disc = cylinder(wheel, 0.12 * y, 18).turned("x", 90.0)
                sketch.add("brass", disc.moved(at + w * long, side * 0.43 * y + 0.06 * y, wheel))
        floor = 1.1 * wheel + 0.12 * z
        if k == 0:
            boiler = cylinder(0.34 * y, 0.56 * long, 22, bevel=0.04 * y).turned("y", 90.0)
            sketch.add("engine", boiler.moved(at - 0.1 * long, 0, floor + 0.33 * y))
            sketch.add(
                "engine",
                box(0.3 * long, 0.9 * y, 0.86 * z - floor).moved(at - 0.29 * long, 0, floor),
            )
            sketch.add("black", box(0.36 * long, y, 0.05 * z).moved(at - 0.29 * long, 0, 0.85 * z))
            funnel = lathe([(0.14 * y, 0.0), (0.13 * y, 0.2 * z), (0.22 * y, 0.34 * z)], 18)
            sketch.add("black", funnel.moved(at + 0.32 * long, 0, z - 0.34 * z))
            sketch.add(
                "brass",
                ellipsoid(0.13 * y, 0.13 * y, 0.1 * z).moved(at + 0.1 * long, 0, floor + 0.72 * y),
            )
        else:
            sketch.paint(f"wagon{k}", palettes.BRIGHT)
            sketch.add(
                f"wagon{k}", box(0.86 * long, 0.92 * y, 0.48 * z, 0.02 * z).moved(at, 0, floor)
            )
            if k % 2 == 0:
                sketch.add("black", box(0.9 * long, y, 0.06 * z).moved(at, 0, floor + 0.47 * z))
            else:
                for j in range(4):
                    log = cylinder(0.2 * y, 0.7 * long, 14).turned("y", 90.0)
                    sketch.add(
                        "brass",
                        log.moved(
                            at - 0.35 * long,
                            (-0.24, 0.24, 0.0, 0.0)[j] * y,
                            floor + 0.48 * z + (0.0, 0.0, 0.1, 0.05)[j] * z,
                        ),
                    )


def dice(sketch: Sketch) -> None:
    """A die with pips; opposite sides add up to seven."""
    x, y, z = sketch.size
    sketch.paint("body", palettes.BRIGHT + palettes.WHITE[:1])
    sketch.paint("pips", palettes.WHITE + palettes.DARK[:1])
    sketch.add("body", rounded_box(x, y, z, 0.12 * x))
    spots = {
        1: [(0, 0)], 2: [(-1, -1), (1, 1)], 3: [(-1, -1), (0, 0), (1, 1)],
        4: [(-1, -1), (-1, 1), (1, -1), (1, 1)], 5: [(-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)],
        6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
    }  # fmt: skip
    half = np.array([x, y, z]) / 2
    faces = [(0, 1, 3), (0, -1, 4), (1, 1, 2), (1, -1, 5), (2, 1, 1), (2, -1, 6)]
    for axis, sign, count in faces:
        for a, b in spots[count]:
            way = np.zeros(3)
            way[axis] = sign
            at = way * half * 0.994
            at[(axis + 1) % 3] += 0.5 * a * half[(axis + 1) % 3]
            at[(axis + 2) % 3] += 0.5 * b * half[(axis + 2) % 3]
            pip = cylinder(0.09 * x, 0.0045 * x, 14).aligned(way)
            sketch.add("pips", pip.moved(at[0], at[1], at[2] + z / 2).with_convex(()))
