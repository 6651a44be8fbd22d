"""Pictures, carpets, pillows, globes, stands and bins."""

from __future__ import annotations

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
    ring_profile,
    rounded_box,
    shell,
    tube,
)
from esi_fast.geometry.render import Material
from esi_fast.types import UInt8Array

__all__ = [
    "carpet",
    "coatrack",
    "globe",
    "picture",
    "pillow",
    "snow_globe",
    "trash_can",
    "umbrella_rack",
]


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


def picture(sketch: Sketch, *, easel: bool = False) -> None:
    """A framed picture on a wall at -x, or (``easel``) a small one that leans on a prop."""
    x, y, z = sketch.size
    if easel:
        prop = tube([(-0.46 * x, 0, 0.02 * z), (-0.09 * x, 0, 0.7 * z)], 0.04 * x, segments=8)
        sketch.put("prop", palettes.DARK, prop)
        x = 0.22 * x
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
