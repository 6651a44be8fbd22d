"""Box-shaped things: cartons, packets, books, cases."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from esi_fast.assets import palettes
from esi_fast.assets.labels import panel, printed
from esi_fast.assets.sketch import Sketch
from esi_fast.assets.solids import (
    box,
    cylinder,
    joined,
    open_box,
    prism,
    rounded_rectangle,
    tube,
)
from esi_fast.geometry.render import Material
from esi_fast.seeding import seed_of

__all__ = [
    "basket",
    "book",
    "gable_carton",
    "packet",
]


def packet(
    sketch: Sketch,
    *,
    text: str = "CEREAL",
    accent: str = "#d9a44a",
    palette: Sequence[Material] = palettes.BRIGHT,
    top: bool = False,
) -> None:
    """A printed packet: its name and a picture on the front and back, or on ``top`` where flat."""
    x, y, z = sketch.size
    body = sketch.color("body", palette)
    sketch.paint("body", body)
    sketch.add("body", box(x, y, z, 0.001))
    ground = ("#f6f1e4", "#fdf6d8", "#f2f4f6")[seed_of("print", sketch.model) % 3]
    flat = top and z < 0.6 * y
    high = x if flat else z
    shape = printed(text, ground=ground, accent=accent, aspect=0.86 * y / (0.8 * high))
    sketch.paint("print", shape)
    paper = 0.002 * min(x, y, z)
    sheet = panel(0.86 * y, 0.8 * high, axis="z" if flat else "x", thickness=paper)
    if flat:
        sketch.add("print", sheet.moved(z=z))
    else:
        sketch.add("print", sheet.moved(x=x / 2 + paper / 2, z=0.1 * z))
        back = sheet.moved(x=x / 2 + paper / 2, z=0.1 * z).turned("z", 180.0)
        sketch.add("print", back)
    # Small print on the sides.
    sketch.paint("band", palettes.WHITE)
    for side in (-1, 1):
        strip = box(0.7 * x, paper, 0.5 * z).moved(y=side * (y + paper) / 2, z=0.2 * z)
        sketch.add("band", strip.with_convex(()))
    sketch.top(0.001)


def gable_carton(sketch: Sketch) -> None:
    """A milk carton: a gabled top with a crimp, a round cap, a coloured band."""
    x, y, z = sketch.size
    sketch.paint("body", palettes.WHITE)
    wall, ridge = 0.72 * z, 0.92 * z
    sketch.add("body", box(x, y, wall, 0.003))
    gable = prism(
        [(-x / 2, 0), (x / 2, 0), (0.02 * x, ridge - wall), (-0.02 * x, ridge - wall)],
        y,
    )
    sketch.add("body", gable.turned("x", 90.0).moved(y=y / 2, z=wall))
    sketch.add("body", box(0.05 * x, y, z - ridge + 0.01).moved(z=ridge - 0.01))
    sketch.paint("band", palettes.BRIGHT)
    sketch.add("band", box(1.004 * x, 1.004 * y, 0.34 * z).moved(z=0.16 * z))
    cap = cylinder(0.15 * x, 0.06 * z, 18, bevel=0.01 * x).turned("y", 48.0)
    sketch.add("band", cap.moved(x=0.24 * x, z=wall + 0.11 * z))


def book(sketch: Sketch, *, hard: bool = True) -> None:
    """A closed book lying flat, its spine at -y: covers, pages, a title block."""
    x, y, z = sketch.size
    board = min(max(0.09 * z, 0.001), 0.004)
    sketch.paint(
        "cover",
        palettes.plain(
            "#7a2a2a",
            "#24406b",
            "#2f5a45",
            "#c9a13a",
            "#5b3a66",
            "#c65a2e",
            "#2b2b30",
            "#3f8a94",
        ),
    )
    sketch.paint("pages", palettes.plain("#efe8d8", "#f3eee2"))
    sketch.paint("title", palettes.CREAM + palettes.BRASS[:1] + palettes.WHITE[:1])
    inset = 0.015 * y if hard else 0.001
    sketch.add(
        "pages",
        box(x - 2 * inset, y - inset - board, z - 2 * board).moved(y=(board - inset) / 2, z=board),
    )
    for low in (0.0, z - board):
        sketch.add("cover", box(x, y, board).moved(z=low))
    sketch.add("cover", box(x, board, z - 2 * board).moved(y=-(y - board) / 2, z=board))
    # The title reads from +x: the top of the book is at -x.
    paint = 0.03 * board
    style = sketch.pick("style", (0, 1, 2))
    blocks = {
        0: ((-0.22, 0.0, 0.16, 0.7), (0.3, 0.0, 0.04, 0.4)),
        1: ((0.0, 0.0, 0.34, 0.76), (0.38, 0.0, 0.04, 0.5)),
        2: ((-0.3, 0.0, 0.06, 0.76), (-0.18, 0.0, 0.06, 0.56), (0.36, 0.0, 0.06, 0.76)),
    }[style]
    for cx, cy, wx, wy in blocks:
        sketch.add("title", box(wx * x, wy * y, paint).moved(cx * x, cy * y, z).with_convex(()))
    spine = box(0.34 * x, paint, 0.4 * z).moved(y=-y / 2 - paint / 2, z=0.3 * z)
    sketch.add("title", spine.with_convex(()))
    if not hard:
        # A wire binding: rings through the edge of the covers.
        sketch.paint("wire", palettes.DARK + palettes.CHROME[:1])
        t = np.linspace(0.0, 2.0 * np.pi, 11)
        r = 0.5 * z + 0.0015
        across, up = 1.2 * r * np.cos(t) - y / 2, z / 2 + r * np.sin(t)
        rings = [
            tube(np.stack([0 * t + at, across, up], axis=1), 0.0009, segments=5)
            for at in (np.arange(18) + 0.5) / 18 * x - x / 2
        ]
        # To the touch the rings are one roll.
        binding = joined(*rings)
        sketch.add("wire", binding.with_convex((binding.vertices,)))
    sketch.top(0.01)


def basket(sketch: Sketch) -> None:
    """A wicker basket: flared woven walls, a rolled rim, hoops."""
    x, y, z = sketch.size
    sketch.paint("wicker", palettes.WICKER)
    sketch.paint("rim", palettes.plain("#7a5630", "#8f6a3f", "#a9824f"))
    small = min(x, y)
    wall, flare, corner = 0.03 * small, 1.18, 0.3 * small
    handled = z > 0.62 * max(x, y)
    height = 0.62 * z if handled else 0.95 * z
    sketch.add(
        "wicker",
        open_box(0.96 * x, 0.96 * y, height, wall, flare=flare, radius=corner),
    )
    for level, bar in ((1.0, 0.024), (0.66, 0.012), (0.33, 0.012)):
        # The walls narrow towards the foot by the flare.
        share = 0.96 * (1.0 + (level - 1.0) * (1.0 - 1.0 / flare))
        ring = rounded_rectangle(share * x, share * y, share * corner, level * height, 6)
        hoop = tube(np.concatenate([ring, ring[:1]]), bar * small, segments=6, group=2)
        sketch.add("rim", hoop if level == 1.0 else hoop.with_convex(()))
    if handled:
        a = np.linspace(0, np.pi, 15)
        arch = np.stack(
            [0 * a, 0.47 * y * np.cos(a), height + (z - height - 0.02 * z) * np.sin(a)],
            axis=1,
        )
        sketch.add("rim", tube(arch, 0.03 * min(x, y), segments=8))
    sketch.cavity((-0.33 * x, -0.33 * y, wall), (0.33 * x, 0.33 * y, height), rounded=False)
