"""Toys, shoes, hats and instruments."""

from __future__ import annotations

import numpy as np

from esi_fast.assets import palettes
from esi_fast.assets.sketch import Sketch
from esi_fast.assets.solids import (
    Solid,
    blob,
    box,
    collar,
    cylinder,
    ellipsoid,
    joined,
    lathe,
    loft,
    prism,
    ring_profile,
    rounded_box,
    rounded_rectangle,
    tube,
)
from esi_fast.types import FloatArray

__all__ = [
    "dice",
    "guitar",
    "hard_hat",
    "hat",
    "piano",
    "shoe",
    "teddy_bear",
    "toy_car",
    "toy_train",
]


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


# Stations of a shoe from heel (0) to toe (1): half width and offset of the sole, height of a low
# and of a high upper, as fractions of width and height.
_SHOE = np.array(
    [
        (0.00, 0.10, 0.00, 0.55, 0.60),
        (0.02, 0.22, 0.00, 0.80, 0.88),
        (0.08, 0.31, 0.00, 0.93, 0.98),
        (0.20, 0.34, 0.00, 0.90, 0.98),
        (0.34, 0.33, 0.00, 0.88, 0.97),
        (0.42, 0.33, 0.01, 0.84, 0.90),
        (0.55, 0.39, 0.03, 0.66, 0.64),
        (0.70, 0.46, 0.04, 0.52, 0.48),
        (0.82, 0.46, 0.03, 0.46, 0.43),
        (0.92, 0.37, 0.00, 0.42, 0.41),
        (0.98, 0.22, -0.04, 0.34, 0.36),
        (1.00, 0.10, -0.06, 0.26, 0.28),
    ]
)


def shoe(sketch: Sketch, *, boot: bool = False, open_toe: bool = False) -> None:
    """A gym shoe, hiking boot or sandal, toe at +x: sole, upper with an opening, laces."""
    x, y, z = sketch.size
    left = sketch.pick("left", (1.0, -1.0))
    sole_z = (0.3 if open_toe else 0.2) * z
    around = np.linspace(0.0, np.pi, 13)
    parts: list[tuple[str, Solid]] = []

    def station(t: float) -> tuple[float, float, float]:
        """Half width, offset and height of the upper at ``t``, metres."""
        column = 4 if boot else 3
        half, offset, high = (float(np.interp(t, _SHOE[:, 0], _SHOE[:, k])) for k in (1, 2, column))
        return half * y, offset * y, high * z

    def arch(t: float, lift: float = 0.0) -> FloatArray:
        """The section of the upper at ``t``: an arch on the sole, grown by ``lift``."""
        half, offset, high = station(t)
        taper = 1.0 - 0.3 * np.clip(high / z - 0.5, 0.0, 0.4) * np.sin(around)
        across = offset + (0.96 * half + lift) * np.cos(around) * taper
        up = 0.8 * sole_z + (high - 0.8 * sole_z + lift) * np.sin(around) ** 0.62
        return np.stack([np.full(13, (t - 0.5) * 0.98 * x), across, up], axis=1)

    def rim(height: float, grow: float) -> FloatArray:
        front = [((t - 0.5) * x, station(t)[1] - grow * station(t)[0], height) for t in _SHOE[:, 0]]
        back = [((t - 0.5) * x, station(t)[1] + grow * station(t)[0], height) for t in _SHOE[:, 0]]
        return np.array(front + back[::-1])

    rubber = palettes.plain("#f0eee8", "#2c2a28", "#c9a878")
    sketch.paint("sole", palettes.plain("#2c2620", "#3a2f24") if boot else rubber)
    parts.append(("sole", loft([rim(0.0, 0.97), rim(sole_z, 1.06)])))
    if open_toe:
        sketch.paint("strap", palettes.LEATHER)
        for t, high in ((0.74, 0.8), (0.58, 0.92)):
            half, offset, _ = station(t)
            across = offset + half * np.cos(around)
            up = 0.7 * sole_z + (high * z - 0.7 * sole_z) * np.sin(around)
            path = np.stack([np.full(13, (t - 0.5) * x), across, up], axis=1)
            parts.append(("strap", tube(path, 0.05 * x, flat=0.12, segments=8)))
        a = np.linspace(-0.5 * np.pi, 0.5 * np.pi, 11)
        heel = [-0.26 * x - 0.2 * x * np.cos(a), 0.34 * y * np.sin(a), np.full(11, 0.88 * z)]
        parts.append(("strap", tube(np.stack(heel, axis=1), 0.02 * x, flat=1.4, segments=8)))
        for side in (-1, 1):
            down = [
                (-0.26 * x, side * 0.34 * y, 0.9 * z),
                (0.06 * x, side * 0.38 * y, 0.8 * sole_z),
            ]
            parts.append(("strap", tube(down, 0.016 * x, segments=8)))
        sketch.paint("bed", palettes.LEATHER)
        parts.append(("bed", loft([rim(0.98 * sole_z, 0.95), rim(1.02 * sole_z, 0.93)])))
    else:
        colors = palettes.BRIGHT + palettes.DARK[:1] + palettes.WHITE[:1]
        sketch.paint("upper", palettes.LEATHER if boot else colors)
        sketch.paint("inside", palettes.plain("#2a2725", "#4a4440"))
        sketch.paint("laces", palettes.plain("#c98a3a", "#2a2a2a") if boot else palettes.WHITE)
        stations = [*_SHOE[:4, 0], 0.27, *_SHOE[4:, 0]]
        parts.append(("upper", loft([arch(float(t)) for t in stations])))
        top = 0.98 * z if boot else 0.915 * z
        u = np.linspace(0.0, 2.0 * np.pi, 25)
        line = np.stack(
            [-0.3 * x + 0.16 * x * np.cos(u), 0.25 * y * np.sin(u), 0 * u + top], axis=1
        )
        line[:, 2] += 0.03 * z * np.cos(u) ** 2 * (np.cos(u) < 0)
        parts.append(("upper", tube(line, 0.05 * z, segments=8, group=2)))
        mouth = line[:-1] * [1.0, 0.95, 1.0]
        mouth[:, 2] = top
        parts.append(("inside", loft([mouth - np.array([0, 0, 0.06 * z]), mouth])))
        for k in range(5 if boot else 4):
            at = 0.44 + 0.065 * k
            lace = arch(at, 0.015 * z)[4:9]
            parts.append(("laces", tube(lace, 0.028 * z, segments=6).with_convex(())))
        if not boot:
            for flank in (slice(0, 4), slice(9, 13)):
                for k in range(3):
                    line = arch(0.4 + 0.07 * k, 0.004 * y)[flank]
                    stripe = tube(line, 0.014 * x, flat=0.5, segments=6)
                    parts.append(("laces", stripe.with_convex(())))
    for slot, solid in parts:
        sketch.add(slot, solid.scaled(1.0, left, 1.0))


def hat(sketch: Sketch) -> None:
    """A brimmed hat with a band."""
    x, y, z = sketch.size
    r = max(x, y) / 2
    stretch = (x / 2 / r, y / 2 / r, 1.0)
    sketch.paint("felt", palettes.plain("#c9a873", "#6b5137", "#3a3a3f", "#d9cdb4", "#7a3b34"))
    sketch.paint("band", palettes.DARK + palettes.BRIGHT[:2])
    crown = [
        (0.56 * r, 0.04 * z),
        (0.54 * r, 0.55 * z),
        (0.5 * r, 0.85 * z),
        (0.4 * r, 0.97 * z),
        (0.25 * r, z),
    ]
    sketch.add("felt", lathe(crown).scaled(*stretch))
    brim = ring_profile(
        [
            (r, 0.1 * z),
            (r, 0.15 * z),
            (0.6 * r, 0.08 * z),
            (0.52 * r, 0.1 * z),
            (0.52 * r, 0.0),
            (0.7 * r, 0.0),
        ]
    )
    piece = [lathe([(0.7 * r, 0.0), (r, 0.1 * z), (r, 0.15 * z), (0.54 * r, 0.1 * z)]).convex[0]]
    sketch.add("felt", collar(brim).with_convex(piece).scaled(*stretch))
    section = [(0.575 * r, 0.1 * z), (0.56 * r, 0.3 * z), (0.5 * r, 0.3 * z), (0.5 * r, 0.1 * z)]
    sketch.add("band", collar(ring_profile(section)).with_convex(()).scaled(*stretch))


def hard_hat(sketch: Sketch) -> None:
    """A work helmet: shell with three ridges, brim with a peak at +x."""
    x, y, z = sketch.size
    sketch.paint("shell", palettes.plain("#f0b81f", "#e8e6e0", "#d8432b", "#2f6db3"))

    def surface(lon: FloatArray, lat: FloatArray) -> FloatArray:
        s = np.maximum(np.sin(lat), -0.06) + 0.0 * lon
        flat = np.cos(lat) ** 0.9
        return np.stack(
            np.broadcast_arrays(
                0.42 * x * flat * np.cos(lon), 0.46 * y * flat * np.sin(lon), 0.94 * z * s
            ),
            axis=-1,
        )

    sketch.add("shell", blob(surface, 32, 18).moved(x=-0.04 * x, z=0.06 * z))
    t = 2 * np.pi * np.arange(36) / 36
    brim = [
        np.stack([0.45 * x * np.cos(t) - 0.04 * x, 0.5 * y * np.sin(t), np.full(36, h)], axis=1)
        for h in (0.0, 0.06 * z)
    ]
    sketch.add("shell", loft(brim))
    peak = [
        np.stack([0.3 * x * np.cos(t) + 0.2 * x, 0.4 * y * np.sin(t), np.full(36, h)], axis=1)
        for h in (0.0, 0.05 * z)
    ]
    sketch.add("shell", loft(peak))
    a = np.linspace(0.15, np.pi - 0.15, 15)
    for offset in (-0.16, 0.0, 0.16):
        drop = np.sqrt(1.0 - (offset / 0.5) ** 2)
        ridge = np.stack(
            [
                0.41 * x * np.cos(a) - 0.04 * x,
                np.full(15, offset * y),
                0.05 * z + 0.92 * z * drop * np.sin(a),
            ],
            axis=1,
        )
        sketch.add("shell", tube(ridge, 0.03 * z, segments=8).with_convex(()))


def guitar(sketch: Sketch) -> None:
    """An acoustic guitar lying on its back, its head at +x."""
    x, y, z = sketch.size
    sketch.paint("body", palettes.plain("#c98a45", "#a85f2c", "#7a3f1f"))
    sketch.paint("top", palettes.plain("#e3b878", "#d9a45c", "#c98a45"))
    sketch.paint("neck", palettes.WOOD[3:4] + palettes.WOOD[1:2])
    sketch.paint("dark", palettes.DARK)
    sketch.paint("metal", palettes.CHROME)
    body = 0.48 * x
    deep = 0.86 * z
    half = [
        (0.0, 0.0),
        (0.03, 0.26),
        (0.12, 0.44),
        (0.26, 0.5),
        (0.4, 0.46),
        (0.52, 0.34),
        (0.62, 0.29),
        (0.74, 0.34),
        (0.86, 0.37),
        (0.95, 0.28),
        (1.0, 0.1),
    ]
    right = [(-x / 2 + a * body, -b * y) for a, b in half]
    outline = np.array(right + [(a, -b) for a, b in right[::-1] if b != 0.0])
    inner = outline.mean(axis=0)
    for slot, low, high, scale in (
        ("body", 0.0, 0.9 * deep, 1.0),
        ("top", 0.9 * deep, deep, 0.985),
    ):
        sketch.add(slot, prism(inner + (outline - inner) * scale, high - low).moved(z=low))
    hole = -x / 2 + 0.64 * body
    ring = ring_profile(
        [(0.14 * y, 0), (0.14 * y, 0.012 * z), (0.115 * y, 0.012 * z), (0.115 * y, 0)]
    )
    sketch.add("body", collar(ring).moved(x=hole, z=deep).with_convex(()))
    rose = cylinder(0.115 * y, 0.008 * z, 30).moved(x=hole, z=deep)
    sketch.add("dark", rose.with_convex(()))
    sketch.add("dark", box(0.05 * x, 0.42 * y, 0.05 * z).moved(x=-x / 2 + 0.26 * body, z=deep))
    start, end = hole + 0.09 * y, x / 2 - 0.15 * x
    sketch.add(
        "neck",
        box(end - start, 0.16 * y, 0.16 * z, 0.02 * z).moved(
            x=(start + end) / 2, z=deep - 0.06 * z
        ),
    )
    sketch.add(
        "dark", box(end - start, 0.15 * y, 0.02 * z).moved(x=(start + end) / 2, z=deep + 0.1 * z)
    )
    fret = start + 0.06 * x
    while fret < end - 0.004:
        sketch.add(
            "metal",
            box(0.003, 0.15 * y, 0.012 * z).moved(x=fret, z=deep + 0.115 * z).with_convex(()),
        )
        fret += (end - start) / 13
    head = [
        (end, -0.08 * y),
        (x / 2 - 0.02 * x, -0.13 * y),
        (x / 2, -0.08 * y),
        (x / 2, 0.08 * y),
        (x / 2 - 0.02 * x, 0.13 * y),
        (end, 0.08 * y),
    ]
    sketch.add("neck", prism(head, 0.14 * z).moved(z=deep - 0.04 * z))
    for k in range(3):
        for side in (-1, 1):
            peg = cylinder(0.022 * y, 0.08 * y, 10).turned("x", 90.0)
            at = end + (0.04 + 0.035 * k) * x
            sketch.add("metal", peg.moved(at, side * 0.15 * y + 0.04 * y, deep + 0.02 * z))
    for k in range(6):
        at = (k - 2.5) * 0.022 * y
        string = box(x / 2 + end - 0.26 * body, 0.0014, 0.0014)
        sketch.add(
            "metal",
            string.moved((end - x / 2 + 0.26 * body) / 2, at, deep + 0.125 * z).with_convex(()),
        )
    sketch.add(
        "metal", box(0.01, 0.15 * y, z - deep - 0.1 * z).moved(x=end - 0.01, z=deep + 0.1 * z)
    )


def piano(sketch: Sketch) -> None:
    """An upright piano: case, keyboard with white and black keys, music stand, pedals."""
    x, y, z = sketch.size
    sketch.paint("case", palettes.plain("#1d1a19", "#4a2a1c", "#6b3f24"))
    sketch.paint("white", palettes.plain("#f3efe4"))
    sketch.paint("black", palettes.plain("#131313"))
    sketch.paint("brass", palettes.BRASS[:2])
    deep = 0.56 * x
    key_z = 0.6 * z
    sketch.add("case", box(deep, y, z, 0.01).moved(x=-x / 2 + deep / 2))
    sketch.add(
        "case", box(deep + 0.02, y, 0.03 * z, 0.006).moved(x=-x / 2 + deep / 2 + 0.01, z=0.97 * z)
    )
    front = -x / 2 + deep
    shelf = x - deep
    sketch.add(
        "case", box(shelf, y, 0.09 * z, 0.006).moved(x=front + shelf / 2, z=key_z - 0.09 * z)
    )
    for side in (-1, 1):
        cheek = box(shelf, 0.05 * y, 0.13 * z, 0.006)
        sketch.add("case", cheek.moved(front + shelf / 2, side * 0.475 * y, key_z))
        leg = box(0.16 * shelf, 0.05 * y, key_z - 0.09 * z)
        sketch.add("case", leg.moved(front + 0.85 * shelf, side * 0.475 * y))
        sketch.add(
            "case", box(shelf, 0.06 * y, 0.05 * z, 0.006).moved(front + shelf / 2, side * 0.47 * y)
        )
    keys = 52 if y > 1.2 else 36
    wide = 0.9 * y / keys
    for k in range(keys):
        at = -0.45 * y + (k + 0.5) * wide
        key = box(0.6 * shelf, 0.92 * wide, 0.02 * z).moved(front + 0.52 * shelf, at, key_z)
        sketch.add("white", key.with_convex(()))
        if k % 7 not in (1, 4) and k < keys - 1:
            black = box(0.36 * shelf, 0.5 * wide, 0.02 * z).moved(
                front + 0.4 * shelf, at + wide / 2, key_z + 0.018 * z
            )
            sketch.add("black", black.with_convex(()))
    hull = box(0.58 * shelf, 0.9 * y, 0.02 * z).moved(front + 0.52 * shelf, 0, key_z)
    sketch.add("case", hull.moved(z=-0.004 * z))
    sketch.add("case", box(0.02 * x, 0.9 * y, 0.09 * z).moved(front + 0.2 * shelf, 0, key_z))
    rest = box(0.012, 0.5 * y, 0.17 * z, 0.003).turned("y", -14.0)
    sketch.add("case", rest.moved(front + 0.06 * x, 0, 0.72 * z))
    for k in (-1, 0, 1):
        pedal = box(0.1 * x, 0.025 * y, 0.015 * z, 0.003)
        sketch.add("brass", pedal.moved(front + 0.04 * x, k * 0.05 * y, 0.05 * z))
    sketch.support((-x / 2 + 0.02, -0.45 * y), (front - 0.02, 0.45 * y), z)
