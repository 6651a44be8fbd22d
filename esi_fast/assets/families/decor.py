"""Lamps, clocks, pictures, carpets, pillows, candles and other things of a living room."""

from __future__ import annotations

import itertools

import numpy as np

from esi_fast.assets import palettes
from esi_fast.assets.sketch import Sketch
from esi_fast.assets.solids import (
    Solid,
    box,
    collar,
    cushion,
    cylinder,
    ellipsoid,
    lathe,
    loft,
    rectangle,
    ring_profile,
    rounded_box,
    shell,
    tube,
)
from esi_fast.geometry.render import Material
from esi_fast.types import UInt8Array

__all__ = [
    "alarm_clock",
    "candle",
    "candle_holder",
    "carpet",
    "coatrack",
    "floor_lamp",
    "globe",
    "grandfather_clock",
    "hourglass",
    "lantern",
    "pendant_lamp",
    "picture",
    "pillow",
    "snow_globe",
    "table_lamp",
    "trash_can",
    "umbrella_rack",
    "wall_clock",
]

_SHADE = palettes.plain("#efe3c4", "#e8d5b5", "#d9c3a0", "#c8d3d0", "#e3b59a")


def _shade(bottom: float, top: float, height: float) -> Solid:
    """An open lamp shade, standing on z = 0: a thin wall without ends."""
    wall = 0.04 * bottom
    section = [(bottom, 0.0), (top, height), (top - wall, height), (bottom - wall, 0.0)]
    return collar(ring_profile(section))


def table_lamp(sketch: Sketch) -> None:
    """A table lamp: a turned foot under a conical shade."""
    x, y, z = sketch.size
    r = max(x, y) / 2
    stretch = (x / 2 / r, y / 2 / r, 1.0)
    shade = sketch.uniform("shade", 0.42, 0.5) * z
    sketch.paint("shade", _SHADE)
    sketch.add(
        "shade",
        _shade(r, sketch.uniform("top", 0.55, 0.8) * r, shade).scaled(*stretch).moved(z=z - shade),
    )
    sketch.paint("foot", palettes.CERAMIC + palettes.BRASS[:2])
    style = sketch.pick("style", (0, 1))
    belly = (
        [(0.4, 0), (0.42, 0.02), (0.5, 0.12), (0.52, 0.22), (0.34, 0.36), (0.1, 0.44), (0.07, 0.6)]
        if style
        else [
            (0.5, 0),
            (0.5, 0.025),
            (0.12, 0.06),
            (0.08, 0.2),
            (0.14, 0.3),
            (0.07, 0.4),
            (0.07, 0.6),
        ]
    )
    sketch.add("foot", lathe([(a * r, b * z) for a, b in belly]).scaled(*stretch))
    sketch.paint("bulb", palettes.plain("#fff6dc"))
    sketch.add(
        "bulb", ellipsoid(0.17 * r, 0.17 * r, 0.24 * r).scaled(*stretch).moved(z=z - 0.55 * shade)
    )


def floor_lamp(sketch: Sketch) -> None:
    """A standing lamp: round foot, long pole, shade on top."""
    x, y, z = sketch.size
    r = max(x, y) / 2
    stretch = (x / 2 / r, y / 2 / r, 1.0)
    shade = 0.2 * z
    sketch.paint("shade", _SHADE)
    sketch.add("shade", _shade(r, 0.62 * r, shade).scaled(*stretch).moved(z=z - shade))
    sketch.paint("pole", palettes.BRASS + palettes.DARK)
    profile = [
        (0.68 * r, 0),
        (0.68 * r, 0.012 * z),
        (0.09 * r, 0.03 * z),
        (0.055 * r, 0.05 * z),
        (0.055 * r, z - 0.45 * shade),
    ]
    sketch.add("pole", lathe(profile).scaled(*stretch))
    sketch.paint("bulb", palettes.plain("#fff6dc"))
    sketch.add(
        "bulb", ellipsoid(0.2 * r, 0.2 * r, 0.28 * r).scaled(*stretch).moved(z=z - 0.4 * shade)
    )


def pendant_lamp(sketch: Sketch) -> None:
    """A lamp hanging from the ceiling: rose, cord, bell shade, bulb."""
    x, y, z = sketch.size
    r = max(x, y) / 2
    stretch = (x / 2 / r, y / 2 / r, 1.0)
    bell = min(0.4 * z, 1.1 * r)
    sketch.paint("shade", palettes.DARK + palettes.BRIGHT[:2] + palettes.WHITE[:1])
    outer = [(r, 0.0), (0.92 * r, 0.3 * bell), (0.5 * r, 0.8 * bell), (0.12 * r, bell)]
    inner = [
        (0.1 * r, 0.96 * bell),
        (0.46 * r, 0.76 * bell),
        (0.88 * r, 0.28 * bell),
        (0.96 * r, 0.0),
    ]
    shade = collar(ring_profile([*outer, *inner]))
    # The section of the whole bell is not convex, those of its three bands are.
    bands = zip(itertools.pairwise(outer), itertools.pairwise(inner[::-1]), strict=True)
    pieces = [p for (a, b), (c, d) in bands for p in collar(ring_profile([a, b, d, c])).convex]
    sketch.add("shade", shade.with_convex(pieces).scaled(*stretch))
    sketch.paint("cord", palettes.DARK)
    sketch.add("cord", cylinder(0.02 * r, z - bell, 8).scaled(*stretch).moved(z=0.97 * bell))
    sketch.add(
        "cord",
        cylinder(0.2 * r, 0.03 * z, 20, top=0.1 * r).turned("x", 180.0).scaled(*stretch).moved(z=z),
    )
    sketch.paint("bulb", palettes.plain("#fff6dc"))
    sketch.add("bulb", ellipsoid(0.2 * r, 0.2 * r, 0.26 * r).scaled(*stretch).moved(z=0.3 * bell))


def _clock_face(
    sketch: Sketch, r: float, depth: float, *, hands: bool = True
) -> list[tuple[str, Solid]]:
    """A dial of radius r facing +x at x = 0: face, twelve ticks, two hands."""
    out = [("face", cylinder(r, depth, 40).turned("y", 90.0))]
    for k in range(12):
        t = 2 * np.pi * k / 12
        long = 0.16 if k % 3 == 0 else 0.09
        tick = (
            box(0.3 * depth, 0.045 * r, long * r)
            .moved(z=(0.9 - long) * r)
            .turned("x", np.rad2deg(t))
        )
        out.append(("marks", tick.moved(x=depth)))
    if hands:
        for angle, length, wide in (
            (sketch.uniform("hour", 0, 360), 0.5, 0.07),
            (sketch.uniform("minute", 0, 360), 0.76, 0.05),
        ):
            hand = (
                box(0.3 * depth, wide * r, (length + 0.1) * r).moved(z=-0.1 * r).turned("x", angle)
            )
            out.append(("marks", hand.moved(x=1.2 * depth)))
        out.append(("marks", cylinder(0.06 * r, 0.7 * depth, 14).turned("y", 90.0).moved(x=depth)))
    return out


def wall_clock(sketch: Sketch) -> None:
    """A round clock on a wall at -x."""
    x, y, z = sketch.size
    r = z / 2
    sketch.paint("case", palettes.DARK + palettes.WOOD[:4] + palettes.CHROME[:1])
    sketch.paint("face", palettes.WHITE)
    sketch.paint("marks", palettes.DARK)
    stretch = (1.0, y / z, 1.0)
    section = [(0.98 * r, 0.0), (r, 0.3 * x), (0.97 * r, x), (0.86 * r, x), (0.86 * r, 0.0)]
    hoop = collar(ring_profile(section, 48), 4).turned("y", 90.0).scaled(*stretch)
    sketch.add("case", hoop.moved(x=-x / 2, z=r))
    sketch.add(
        "case",
        cylinder(0.9 * r, 0.4 * x, 40).turned("y", 90.0).scaled(*stretch).moved(x=-x / 2, z=r),
    )
    for slot, solid in _clock_face(sketch, 0.87 * r, 0.1 * x):
        sketch.add(slot, solid.scaled(*stretch).moved(x=-x / 2 + 0.4 * x, z=r))


def alarm_clock(sketch: Sketch) -> None:
    """A bedside clock: a housing with a dial, bells and feet; or with digits where low."""
    x, y, z = sketch.size
    if z < 0.75 * max(x, y):
        sketch.paint("case", palettes.DARK + palettes.WHITE[:1] + palettes.BRIGHT[:2])
        deep, wide = x, y
        sketch.paint("window", palettes.plain("#0d0f10"))
        sketch.paint("digits", palettes.plain("#e0392b", "#36d06a", "#3aa0e8"))
        parts: list[tuple[str, Solid]] = [
            ("case", rounded_box(0.96 * deep, wide, 0.9 * z, 0.1 * z)),
            ("case", rounded_box(0.3 * deep, 0.4 * wide, 0.14 * z, 0.04 * z).moved(z=0.86 * z)),
            ("window", box(0.03 * deep, 0.88 * wide, 0.62 * z).moved(x=0.475 * deep, z=0.14 * z)),
        ]
        for k, digit in enumerate(("1", "0", "2", "5")):
            at = (k - 1.5) * 0.19 * wide + (0.03 * wide if k > 1 else -0.03 * wide)
            parts += [
                ("digits", s.moved(0.492 * deep, at, 0.22 * z))
                for s in _segments(digit, 0.13 * wide, 0.46 * z, 0.01 * deep)
            ]
        for h in (0.36, 0.52):
            parts.append(
                ("digits", box(0.01 * deep, 0.02 * wide, 0.04 * z).moved(0.492 * deep, 0, h * z))
            )
        for slot, solid in parts:
            sketch.add(slot, solid)
        return
    sketch.paint("case", palettes.BRIGHT + palettes.CHROME[:1])
    sketch.paint("face", palettes.WHITE)
    sketch.paint("marks", palettes.DARK)
    r = 0.4 * z
    hoop = cylinder(r, x, 40, bevel=0.06 * x).turned("y", 90.0)
    sketch.add("case", hoop.moved(x=-x / 2, z=0.08 * z + r))
    for slot, solid in _clock_face(sketch, 0.88 * r, 0.04 * x):
        sketch.add(slot, solid.moved(x=x / 2 - 0.03 * x, z=0.08 * z + r))
    for side in (-1, 1):
        sketch.add(
            "case",
            ellipsoid(0.2 * x + 0.1 * r, 0.36 * r, 0.28 * r).moved(
                y=side * 0.6 * r, z=0.08 * z + 1.9 * r
            ),
        )
        sketch.add(
            "marks",
            tube([(0, side * 0.4 * r, 0.5 * r), (0, side * 0.85 * r, 0.0)], 0.07 * r, segments=8),
        )


def _segments(digit: str, wide: float, high: float, deep: float) -> list[Solid]:
    """A seven-segment digit facing +x, its lower edge on z = 0, centred in y."""
    lit = {"0": "abcdef", "1": "bc", "2": "abged", "5": "afgcd"}[digit]
    bar = 0.16 * wide
    level = {"a": 1.0, "g": 0.5, "d": 0.0}
    out = []
    for name in lit:
        if name in level:
            out.append(box(deep, 0.8 * wide, bar).moved(z=level[name] * (high - bar)))
        else:
            # Seen from +x, +y is on the right.
            side = 1.0 if name in "bc" else -1.0
            low = 0.5 * high if name in "bf" else 0.0
            out.append(
                box(deep, bar, 0.46 * high).moved(y=side * (wide - bar) / 2, z=low + 0.02 * high)
            )
    return out


def grandfather_clock(sketch: Sketch) -> None:
    """A long-case clock: plinth, trunk with a window and pendulum, hood with a dial."""
    x, y, z = sketch.size
    sketch.paint("wood", palettes.WOOD)
    sketch.paint("face", palettes.CREAM)
    sketch.paint("marks", palettes.DARK)
    sketch.paint("brass", palettes.BRASS)
    sketch.add("wood", box(x, y, 0.16 * z, 0.01))
    sketch.add("wood", box(0.72 * x, 0.74 * y, 0.52 * z).moved(x=-0.1 * x, z=0.15 * z))
    sketch.add("wood", box(0.9 * x, 0.94 * y, 0.26 * z, 0.01).moved(x=-0.02 * x, z=0.66 * z))
    gable = loft([rectangle(0.9 * x, 0.94 * y, 0.0), rectangle(0.8 * x, 0.3 * y, 0.085 * z)])
    sketch.add("wood", gable.moved(x=-0.02 * x, z=0.915 * z))
    front = 0.43 * x
    for slot, solid in _clock_face(sketch, 0.38 * y, 0.02 * x):
        sketch.add(slot, solid.moved(x=front - 0.01 * x, z=0.79 * z))
    trunk = 0.26 * x
    sketch.paint("window", palettes.plain("#2a1f18"))
    sketch.add("window", box(0.01 * x, 0.46 * y, 0.4 * z).moved(x=trunk, z=0.2 * z))
    sketch.add("brass", box(0.012 * x, 0.03 * y, 0.28 * z).moved(x=trunk + 0.01 * x, z=0.3 * z))
    sketch.add(
        "brass", cylinder(0.14 * y, 0.02 * x, 28).turned("y", 90.0).moved(x=trunk, z=0.3 * z)
    )


def _painting(seed: np.random.Generator) -> UInt8Array:
    """A small landscape: sky, sun, hills, water, some trees."""
    h, w = 96, 128
    v, u = np.mgrid[0:h, 0:w] / np.array([h, w])[:, None, None]
    skies = np.array(
        [
            [[120, 170, 220], [235, 225, 200]],
            [[250, 170, 110], [250, 225, 170]],
            [[90, 110, 160], [225, 190, 190]],
        ]
    )
    top, low = skies[int(seed.integers(len(skies)))].astype(float)
    image = top + (low - top) * np.minimum(v[..., None] / 0.6, 1.0)
    cu, cv, r = seed.uniform(0.2, 0.8), seed.uniform(0.15, 0.35), 0.07
    sun = ((u - cu) * 1.33) ** 2 + (v - cv) ** 2 < r**2
    image[sun] = (255, 240, 190)
    greens = np.array([[110, 140, 150], [90, 130, 90], [60, 100, 60]], float)
    for k, color in enumerate(greens):
        base = 0.48 + 0.12 * k
        phase = seed.uniform(0, 2 * np.pi, 3)
        line = (
            base
            + 0.05 * np.sin(5 * u + phase[0])
            + 0.03 * np.sin(11 * u + phase[1])
            + 0.01 * np.sin(29 * u + phase[2])
        )
        image[v > line] = color
    if seed.random() < 0.6:
        image[v > 0.84] = (110, 150, 175)
    for _ in range(int(seed.integers(3, 8))):
        tu, tv, size = seed.uniform(0.05, 0.95), seed.uniform(0.7, 0.85), seed.uniform(0.05, 0.11)
        crown = (np.abs(u - tu) * 1.33 < (v - tv + size) * 0.45) & (v < tv)
        image[crown & (v > tv - size)] = (40, 75, 50)
        image[(np.abs(u - tu) < 0.006) & (v >= tv) & (v < tv + 0.03)] = (80, 55, 40)
    return np.asarray(np.clip(image, 0, 255), np.uint8)


def _abstract(seed: np.random.Generator) -> UInt8Array:
    """Overlapping fields of flat colour."""
    h, w = 96, 128
    v, u = np.mgrid[0:h, 0:w] / np.array([h, w])[:, None, None]
    colors = np.array(
        [
            [226, 214, 190],
            [200, 80, 60],
            [40, 80, 120],
            [230, 180, 70],
            [60, 60, 66],
            [120, 160, 140],
        ]
    )
    image = np.broadcast_to(colors[0], (h, w, 3)).copy()
    for _ in range(7):
        color = colors[int(seed.integers(1, len(colors)))]
        cu, cv, a, b = (
            seed.uniform(0, 1),
            seed.uniform(0, 1),
            seed.uniform(0.08, 0.3),
            seed.uniform(0.08, 0.3),
        )
        if seed.random() < 0.5:
            image[((u - cu) / a) ** 2 + ((v - cv) / b) ** 2 < 1] = color
        else:
            image[(np.abs(u - cu) < a) & (np.abs(v - cv) < b)] = color
    return np.asarray(image, np.uint8)


def picture(sketch: Sketch) -> None:
    """A framed picture on a wall at -x."""
    x, y, z = sketch.size
    sketch.paint("frame", palettes.WOOD + palettes.DARK[:1] + palettes.BRASS[:1])
    bar = 0.07 * min(y, z)
    for side in (-1, 1):
        sketch.add("frame", box(x, bar, z, 0.12 * min(x, bar)).moved(y=side * (y - bar) / 2))
    for low in (0.0, z - bar):
        sketch.add("frame", box(x, y - 2 * bar, bar, 0.12 * min(x, bar)).moved(z=low))
    sketch.paint("mat", palettes.WHITE)
    sketch.add(
        "mat", box(0.4 * x, y - 1.9 * bar, z - 1.9 * bar).moved(x=-0.3 * x + 0.1 * x, z=0.95 * bar)
    )
    seed = sketch.rng(f"art{sketch.palette}")
    paint = _painting if sketch.pick("kind", (True, True, False)) else _abstract
    sketch.paint("art", Material(color=(1.0, 1.0, 1.0), texture="image", image=paint(seed)))
    margin = bar + 0.06 * min(y, z)
    art = box(0.1 * x, y - 2 * margin, z - 2 * margin).moved(x=0.05 * x, z=margin)
    sketch.add("art", art.projected("x"))


def carpet(sketch: Sketch) -> None:
    """A carpet: a border, an inner field, a medallion, fringes at the short ends."""
    x, y, z = sketch.size
    sketch.paint(
        "ground",
        palettes.textured(
            "fabric",
            0.02,
            ("#7c2f2a", "#6f2824"),
            ("#2f4560", "#293c54"),
            ("#5f6b4a", "#556041"),
            ("#8a7a62", "#7d6e57"),
        ),
    )
    sketch.paint(
        "field",
        palettes.textured(
            "fabric", 0.02, ("#d9c7a0", "#cdbb94"), ("#c9b9a6", "#bdad9a"), ("#e2d8c4", "#d6ccb8")
        ),
    )
    sketch.paint(
        "medallion",
        palettes.textured(
            "fabric", 0.02, ("#8f3a30", "#84342b"), ("#3f5a78", "#39526e"), ("#a5793c", "#996f36")
        ),
    )
    long_y = y >= x
    a, b = (y, x) if long_y else (x, y)
    parts = [("ground", box(0.96 * a, b, 0.7 * z))]
    parts.append(("field", box(0.96 * a - 0.3 * b, 0.72 * b, 0.8 * z)))
    parts.append(("ground", box(0.96 * a - 0.4 * b, 0.62 * b, 0.86 * z)))
    t = 2 * np.pi * np.arange(24) / 24
    for radius, high in ((0.27, 0.94), (0.2, 1.0)):
        ring = np.stack([1.5 * radius * b * np.cos(t), radius * b * np.sin(t), 0 * t], axis=1)
        slot = "field" if high < 1 else "medallion"
        parts.append((slot, loft([ring, ring + np.array([0.0, 0.0, high * z])])))
    count = max(12, round(b / 0.05))
    for side in (-1, 1):
        for k in range(count):
            tassel = box(0.02 * a, 0.5 * b / count, 0.5 * z)
            at = (side * 0.49 * a, (k + 0.5) * b / count - b / 2)
            parts.append(("field", tassel.moved(*at).with_convex(())))
    for slot, solid in parts:
        sketch.add(slot, solid.turned("z", 90.0) if long_y else solid)


def pillow(sketch: Sketch) -> None:
    """A stuffed pillow lying flat, with piping round its seam."""
    x, y, z = sketch.size
    sketch.paint("cloth", palettes.CLOTH)
    sketch.add("cloth", cushion(x, y, z, square=0.25, puff=0.95).moved(z=z / 2))
    sketch.paint("piping", palettes.CLOTH[::-1])
    t = np.linspace(0, 2 * np.pi, 65)
    bar = 0.02 * z + 0.002
    c, s = np.cos(t), np.sin(t)
    across = (x / 2 - 0.6 * bar) * np.sign(c) * np.abs(c) ** 0.25
    along = (y / 2 - 0.6 * bar) * np.sign(s) * np.abs(s) ** 0.25
    across[-1], along[-1] = across[0], along[0]
    path = np.stack([across, along, np.full(65, z / 2)], axis=1)
    sketch.add("piping", tube(path, bar, segments=6).with_convex(()))


def candle(sketch: Sketch) -> None:
    """A pillar candle with a wick, its top melted hollow."""
    x, y, z = sketch.size
    r = max(x, y) / 2
    body = 0.93 * z
    sketch.paint("wax", palettes.WAX)
    outer = ring_profile([(r, 0.0), (r, 0.985 * body), (0.97 * r, body)])
    inner = ring_profile(
        [(0.86 * r, 0.995 * body), (0.6 * r, body - 0.1 * r), (0.2 * r, body - 0.13 * r)]
    )
    wax = shell(outer, inner)
    sketch.add(
        "wax",
        wax.with_convex(lathe([(r, 0.0), (r, 0.985 * body), (0.9 * r, body)]).convex).scaled(
            x / 2 / r, y / 2 / r, 1.0
        ),
    )
    sketch.paint("wick", palettes.plain("#2a2420"))
    sketch.add(
        "wick",
        tube(
            [(0, 0, body - 0.2 * r), (0, 0, 0.97 * z), (0.05 * r, 0, z)],
            0.05 * r + 0.0006,
            segments=6,
        ),
    )


def candle_holder(sketch: Sketch) -> None:
    """A candlestick with a slim candle."""
    x, y, z = sketch.size
    r = max(x, y) / 2
    sketch.paint("metal", palettes.BRASS + palettes.CHROME)
    tall = 0.62 * z
    profile = [
        (1, 0),
        (1, 0.02),
        (0.9, 0.05),
        (0.3, 0.12),
        (0.2, 0.2),
        (0.34, 0.3),
        (0.2, 0.42),
        (0.16, 0.75),
        (0.3, 0.88),
        (0.5, 0.94),
        (0.5, 1),
    ]
    stick = lathe([(a * r, b * tall) for a, b in profile])
    sketch.add("metal", stick.scaled(x / 2 / r, y / 2 / r, 1.0))
    sketch.paint("wax", palettes.WAX)
    sketch.add(
        "wax", lathe([(0.27 * r, 0.98 * tall), (0.24 * r, 0.95 * z), (0.14 * r, 0.965 * z)], 20)
    )
    sketch.paint("wick", palettes.plain("#2a2420"))
    sketch.add("wick", cylinder(0.03 * r + 0.0005, 0.06 * z, 6).moved(z=0.94 * z))


def globe(sketch: Sketch) -> None:
    """A globe of the earth on a stand: oceans, a few continents, an arc and a foot."""
    x, y, z = sketch.size
    r = 0.42 * min(x, y)
    center = z - r - 0.04 * z
    sketch.paint("sea", palettes.plain("#2f6fa8", "#3a86b8", "#c9b58a"))
    sketch.paint("land", palettes.plain("#6f9a4a", "#8fa55a", "#8a6a3f"))
    sketch.paint("stand", palettes.BRASS + palettes.WOOD[:1])
    sketch.add("sea", ellipsoid(r, r, r, fine=2).moved(z=center))
    rng = sketch.rng("land")
    spots = [
        (0.3, 0.1, 0.5),
        (0.2, -0.9, 0.36),
        (-0.3, 1.3, 0.42),
        (0.75, 2.2, 0.5),
        (-0.4, 2.6, 0.3),
        (0.6, -2.3, 0.5),
        (-0.2, -1.7, 0.4),
        (1.3, 0.0, 0.3),
    ]
    for lat, lon, size in spots:
        way = np.array([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])
        wobble = 1.0 + 0.25 * rng.uniform(-1, 1, 4)
        t = 2 * np.pi * np.arange(24) / 24
        shape = size * (
            0.8
            + 0.16 * np.cos(2 * t + wobble[0] * 6)
            + 0.12 * np.cos(3 * t + wobble[1] * 6)
            + 0.07 * np.cos(5 * t + wobble[2] * 6)
        )
        helper = np.array([0.0, 0.0, 1.0]) if abs(way[2]) < 0.9 else np.array([1.0, 0.0, 0.0])
        u = np.cross(helper, way)
        u /= np.linalg.norm(u)
        v = np.cross(way, u)
        rings = []
        for scale, lift in (
            (1.0, 0.9),
            (1.0, 1.004),
            (0.75, 1.006),
            (0.5, 1.007),
            (0.25, 1.008),
            (0.02, 1.008),
        ):
            angle = scale * shape
            ring = np.cos(angle)[:, None] * way + np.sin(angle)[:, None] * (
                np.cos(t)[:, None] * u + np.sin(t)[:, None] * v
            )
            rings.append(ring * r * lift)
        sketch.add("land", loft(rings).moved(z=center).with_convex(()))
    t = np.linspace(-0.55 * np.pi, 0.55 * np.pi, 21) + 0.3
    arc = np.stack([0 * t, -1.12 * r * np.cos(t), center + 1.12 * r * np.sin(t)], axis=1)
    sketch.add("stand", tube(arc, 0.05 * r, flat=0.5, segments=8))
    foot = [
        (0.75 * r, 0),
        (0.75 * r, 0.03 * z),
        (0.2 * r, 0.07 * z),
        (0.09 * r, 0.12 * z),
        (0.09 * r, center - 1.08 * r),
    ]
    sketch.add("stand", lathe(foot))
    ends = [-1.14 * r, 1.12 * r]
    pole = np.array([(0.0, np.sin(0.3) * end, center + np.cos(0.3) * end) for end in ends])
    sketch.add("stand", tube(pole, 0.03 * r, segments=8))


def snow_globe(sketch: Sketch) -> None:
    """A snow globe: glass ball on a base, a snowman and snow inside."""
    x, y, z = sketch.size
    r = min(0.5 * min(x, y), 0.4 * z)
    base = 0.28 * z
    center = z - r
    sketch.paint("base", palettes.WOOD[:4] + palettes.BRIGHT[:1])
    profile = [(0.5 * x, 0), (0.5 * x, 0.12 * z), (0.42 * x, 0.16 * z), (0.36 * x, base + 0.04 * z)]
    sketch.add("base", lathe(profile))
    sketch.paint("snow", palettes.WHITE)
    sketch.add("snow", ellipsoid(0.66 * r, 0.66 * r, 0.2 * r).moved(z=center - 0.62 * r))
    for radius, height in ((0.3, -0.34), (0.22, 0.08), (0.15, 0.38)):
        sketch.add("snow", ellipsoid(radius * r).moved(z=center + height * r))
    sketch.paint("hat", palettes.DARK + palettes.BRIGHT[:2])
    sketch.add(
        "hat",
        cylinder(0.18 * r, 0.03 * r, 16).moved(z=center + 0.48 * r),
        cylinder(0.11 * r, 0.2 * r, 16).moved(z=center + 0.48 * r),
    )
    sketch.paint("nose", palettes.plain("#e07b22"))
    sketch.add(
        "nose",
        cylinder(0.035 * r, 0.16 * r, 8, top=0.005 * r)
        .turned("y", 90.0)
        .moved(x=0.13 * r, z=center + 0.38 * r),
    )
    sketch.paint("glass", Material(color=(0.97, 0.98, 0.99), kind="glass", ior=1.1))
    # The two surfaces of a thin glass ball: outside and, turned inside out, inside.
    outer = ellipsoid(r, r, r, fine=2)
    inside = ellipsoid(0.95 * r, 0.95 * r, 0.95 * r, fine=2)
    hollow = Solid(inside.vertices, inside.faces[:, ::-1], ())
    sketch.add("glass", outer.moved(z=center), hollow.moved(z=center))


def lantern(sketch: Sketch) -> None:
    """A lantern: four glass panes in a frame, a candle inside, a roof with a ring."""
    x, y, z = sketch.size
    body, base, roof = 0.56 * z, 0.08 * z, 0.18 * z
    sketch.paint("frame", palettes.DARK + palettes.BRASS[:1] + palettes.WHITE[:1])
    sketch.add("frame", box(x, y, base, 0.01 * z))
    sketch.add(
        "frame", box(0.94 * x, 0.94 * y, 0.04 * z, 0.005 * z).moved(z=base + body - 0.02 * z)
    )
    post = 0.06 * min(x, y)
    for sx in (-1, 1):
        for sy in (-1, 1):
            sketch.add("frame", box(post, post, body).moved(sx * 0.42 * x, sy * 0.42 * y, base))
    section = [rectangle(0.94 * x, 0.94 * y, 0.0), rectangle(0.3 * x, 0.3 * y, roof)]
    sketch.add("frame", loft(section).moved(z=base + body + 0.018 * z))
    t = np.linspace(0, 2 * np.pi, 25)
    radius = (z - base - body - roof - 0.01 * z) / 2
    loop = np.stack(
        [0 * t, 1.2 * radius * np.cos(t), z - radius - 0.02 * z + radius * np.sin(t)], axis=1
    )
    sketch.add("frame", tube(loop, 0.1 * radius + 0.002, segments=8, group=2))
    sketch.paint("glass", Material(color=(0.96, 0.98, 0.97), kind="glass", ior=1.05))
    for side in (-1, 1):
        sketch.add(
            "glass",
            box(0.01 * x, 0.84 * y - post, body - 0.02 * z).moved(x=side * 0.42 * x, z=base),
        )
        sketch.add(
            "glass",
            box(0.84 * x - post, 0.01 * y, body - 0.02 * z).moved(y=side * 0.42 * y, z=base),
        )
    sketch.paint("wax", palettes.WAX)
    sketch.add("wax", cylinder(0.18 * min(x, y), 0.45 * body, 20).moved(z=base))


def hourglass(sketch: Sketch) -> None:
    """An hourglass lying along x: two wooden ends, three rods, glass bulbs with sand."""
    x, y, z = sketch.size
    r = z / 2
    cap = 0.07 * x
    parts: list[tuple[str, Solid]] = []
    sketch.paint("wood", palettes.WOOD)
    for low in (0.0, x - cap):
        parts.append(("wood", cylinder(r, cap, 30, bevel=0.2 * cap).moved(z=low)))
    for k in range(3):
        t = 2 * np.pi * (k + 0.25) / 3
        rod = cylinder(0.08 * r, x - cap, 10).moved(
            0.82 * r * np.cos(t), 0.82 * r * np.sin(t), cap / 2
        )
        parts.append(("wood", rod))
    sketch.paint("glass", Material(color=(0.96, 0.98, 0.98), kind="glass", ior=1.3))
    long = x - 2 * cap
    profile = [
        (0.5, 0),
        (0.66, 0.12),
        (0.64, 0.28),
        (0.3, 0.43),
        (0.07, 0.5),
        (0.3, 0.57),
        (0.64, 0.72),
        (0.66, 0.88),
        (0.5, 1),
    ]
    bulb = lathe([(a * r, cap + b * long) for a, b in profile])
    parts.append(("glass", bulb))
    sketch.paint("sand", palettes.plain("#e0c48a", "#d99a6a", "#7fa8c9"))
    heap = [(0.46, 0.01), (0.6, 0.13), (0.57, 0.26)]
    rest = [(0.52, 0.76), (0.6, 0.86), (0.46, 0.99)]
    for share in (heap, rest):
        sand = lathe([(a * r, cap + b * long) for a, b in share])
        parts.append(("sand", sand))
    for slot, solid in parts:
        sketch.add(slot, solid.scaled(1.0, y / z, 1.0).turned("y", 90.0).moved(x=-x / 2, z=r))


def trash_can(sketch: Sketch) -> None:
    """A waste bin: a pedal bin with a domed lid where it is tall, an open basket where not."""
    x, y, z = sketch.size
    r = max(x, y) / 2
    stretch = (x / 2 / r, y / 2 / r, 1.0)
    if z > 1.12 * max(x, y):
        sketch.paint("body", palettes.CHROME + palettes.BRIGHT + palettes.DARK)
        sketch.paint("trim", palettes.DARK)
        sketch.add("body", lathe([(0.94 * r, 0.05 * z), (0.94 * r, 0.84 * z)]).scaled(*stretch))
        sketch.add("trim", lathe([(0.97 * r, 0.0), (0.97 * r, 0.06 * z)]).scaled(*stretch))
        sketch.add("trim", lathe([(0.97 * r, 0.83 * z), (0.97 * r, 0.87 * z)]).scaled(*stretch))
        dome = [(0.96 * r, 0.865 * z), (0.9 * r, 0.93 * z), (0.6 * r, 0.985 * z), (0.2 * r, z)]
        sketch.add("body", lathe(dome).scaled(*stretch))
        sketch.add(
            "trim", rounded_box(0.2 * x, 0.3 * y, 0.04 * z, 0.01 * z).moved(x=0.42 * x, z=0.02 * z)
        )
        return
    sketch.paint("body", palettes.PLASTIC + palettes.WICKER)
    wall = 0.03 * r
    outer = ring_profile([(0.78 * r, 0.0), (0.97 * r, 0.95 * z), (r, 0.955 * z), (r, z)])
    inner = ring_profile([(0.97 * r - wall, z), (0.78 * r - wall, 0.03 * z)])
    sketch.add("body", shell(outer, inner).scaled(*stretch))
    sketch.cavity((-0.5 * x * 0.7, -0.5 * y * 0.7, 0.03 * z), (0.5 * x * 0.7, 0.5 * y * 0.7, z))


def umbrella_rack(sketch: Sketch) -> None:
    """An umbrella stand: a ring basket on a tray, with two umbrellas."""
    x, y, z = sketch.size
    sketch.paint("metal", palettes.DARK + palettes.BRASS[:1])
    r = 0.46 * min(x, y)
    tray = shell(
        ring_profile([(r, 0), (1.05 * r, 0.06 * z)]),
        ring_profile([(r, 0.06 * z), (0.96 * r, 0.02 * z)]),
    )
    sketch.add("metal", tray)
    for height in (0.35, 0.62):
        section = [(r, 0), (r, 0.02 * z), (0.95 * r, 0.02 * z), (0.95 * r, 0)]
        sketch.add("metal", collar(ring_profile(section)).moved(z=height * z))
    for k in range(8):
        t = 2 * np.pi * k / 8
        bar = cylinder(0.025 * r, 0.62 * z, 8).moved(
            0.975 * r * np.cos(t), 0.975 * r * np.sin(t), 0.01 * z
        )
        sketch.add("metal", bar)
    for k, (at, lean) in enumerate((((0.35 * r, 0.2 * r), 0.25), ((-0.3 * r, -0.3 * r), -0.2))):
        sketch.paint(f"umbrella{k}", palettes.BRIGHT + palettes.DARK)
        foot = np.array([at[0] * 0.6, at[1] * 0.6, 0.03 * z])
        head = foot + np.array([lean * r, 0.3 * lean * r, 0.8 * z])
        line = [foot + (head - foot) * t for t in (0.02, 0.1, 0.5, 0.78, 0.82)]
        sketch.add(
            f"umbrella{k}",
            tube(line, [0.03 * r, 0.1 * r, 0.14 * r, 0.12 * r, 0.04 * r], segments=12),
        )
        sketch.paint("wood", palettes.WOOD)
        u = np.linspace(0, np.pi, 7)
        hook = np.stack(
            [
                head[0] + 0.12 * r * (1 - np.cos(u)),
                np.full(7, head[1]),
                head[2] + 0.12 * r * np.sin(u),
            ],
            axis=1,
        )
        sketch.add("wood", tube(np.concatenate([[line[-1]], hook]), 0.04 * r, segments=8))


def coatrack(sketch: Sketch) -> None:
    """A coat stand: pole, four feet, hooks, a hat."""
    x, y, z = sketch.size
    sketch.paint("wood", palettes.WOOD + palettes.DARK[:1])
    bar = 0.06 * min(x, y)
    top = 0.97 * z
    sketch.add("wood", cylinder(bar, top, 20, top=0.8 * bar).moved(z=0.03 * z))
    sketch.add("wood", ellipsoid(1.5 * bar, 1.5 * bar, 0.02 * z).moved(z=0.98 * z))
    for k in range(4):
        t = np.pi / 2 * k
        c, s = np.cos(t), np.sin(t)
        reach = (x / 2 - bar) if k % 2 == 0 else (y / 2 - bar)
        foot = [
            (0, 0, 0.2 * z),
            (0.5 * reach * c, 0.5 * reach * s, 0.06 * z),
            (reach * c, reach * s, 0.6 * bar),
        ]
        sketch.add("wood", tube(foot, [0.7 * bar, 0.7 * bar, 0.6 * bar], segments=8))
        for height, out in ((0.88, 0.62), (0.72, 0.45)):
            a = t + (np.pi / 4 if height < 0.8 else 0.0)
            far = out * min(x, y) / 2
            hook = [
                (0, 0, height * z),
                (0.6 * far * np.cos(a), 0.6 * far * np.sin(a), (height + 0.005) * z),
                (far * np.cos(a), far * np.sin(a), (height + 0.045) * z),
            ]
            sketch.add("wood", tube(hook, [0.5 * bar, 0.4 * bar, 0.5 * bar], segments=8))
