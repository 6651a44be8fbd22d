"""Bottles, jars, cans and shakers, by the outline of the body and the kind of cap."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from esi_fast.assets import palettes
from esi_fast.assets.families.vessels import add_turned, round_cavity, smooth
from esi_fast.assets.labels import label_aspect, printed, wrap
from esi_fast.assets.sketch import Sketch
from esi_fast.assets.solids import (
    Profile,
    Solid,
    circle,
    collar,
    cylinder,
    ellipsoid,
    joined,
    lathe,
    loft,
    outline,
    ring_profile,
    tube,
    vessel,
)
from esi_fast.geometry.render import Material

__all__ = ["bottle", "can", "grinder", "open_jar", "shaker"]


class _Style(NamedTuple):
    """``body``: radius,height in per cent, foot to mouth; ``label``: its lower and upper edge."""

    body: Profile
    cap: str
    label: tuple[float, float]


_STYLES = {
    "wine": _Style(outline("94,0 100,2 100,60 86,68 42,78 36,93 42,94 42,100"), "", (0.16, 0.5)),
    "beer": _Style(
        outline("94,0 100,2 100,52 88,62 50,78 40,92 44,93 44,98"), "crown", (0.14, 0.46)
    ),
    "spirit": _Style(outline("94,0 100,2 100,64 88,71 36,77 34,84 40,85"), "stopper", (0.12, 0.56)),
    "water": _Style(
        outline("90,0 100,3 100,22 93,26 100,30 100,68 75,80 42,88 42,90"), "screw", (0.33, 0.62)
    ),
    "cola": _Style(
        outline("78,0 96,3 100,14 88,30 98,46 98,62 66,80 40,89 40,91"), "screw", (0.44, 0.62)
    ),
    "sauce": _Style(outline("92,0 100,3 100,54 92,61 46,74 40,82"), "tall", (0.1, 0.5)),
    "oil": _Style(outline("92,0 100,2 100,48 90,56 40,74 34,88 38,89"), "screw", (0.1, 0.46)),
    "squeeze": _Style(outline("88,0 100,4 94,34 100,66 92,74 56,80"), "nozzle", (0.12, 0.64)),
    "lotion": _Style(outline("90,0 100,3 100,66 88,78 62,82"), "flip", (0.1, 0.66)),
    "medicine": _Style(outline("94,0 100,3 100,64 94,69 76,72"), "wide", (0.1, 0.6)),
    "soap": _Style(outline("92,0 100,3 100,52 86,62 40,68 40,72"), "pump", (0.08, 0.5)),
    "spray": _Style(outline("92,0 100,4 100,45 80,58 42,68 40,74"), "trigger", (0.08, 0.44)),
    "reagent": _Style(outline("94,0 100,2 100,58 88,66 46,72 42,82 52,84"), "stopper", (0.1, 0.5)),
    "ink": _Style(outline("100,0 100,2 100,48 86,58 56,60"), "wide", (0.06, 0.46)),
    "baby": _Style(outline("92,0 100,3 94,30 100,62 88,68"), "teat", (0.16, 0.5)),
    "jar": _Style(outline("90,0 100,4 100,70 88,78 84,80"), "lid", (0.12, 0.66)),
    "spice": _Style(outline("96,0 100,2 100,68 88,74"), "sifter", (0.08, 0.64)),
    "tub": _Style(outline("96,0 100,3 100,76"), "lid", (0.1, 0.7)),
    "stick": _Style(outline("94,0 100,3 100,56"), "long", (0.06, 0.5)),
    "aerosol": _Style(outline("96,0 100,2 100,70 86,77 70,80"), "flip", (0.06, 0.66)),
}


def _crown(r: float, z: float) -> list[Solid]:
    return [cylinder(0.5 * r, 0.04 * z, 21, top=0.42 * r).moved(z=0.96 * z)]


def _stopper(r: float, z: float) -> list[Solid]:
    return [cylinder(0.46 * r, 0.17 * z, bevel=0.06 * r).moved(z=0.83 * z)]


def _screw(r: float, z: float) -> list[Solid]:
    return [cylinder(0.5 * r, 0.11 * z, bevel=0.04 * r).moved(z=0.89 * z)]


def _tall(r: float, z: float) -> list[Solid]:
    return [cylinder(0.5 * r, 0.21 * z, bevel=0.05 * r, top=0.36 * r).moved(z=0.79 * z)]


def _nozzle(r: float, z: float) -> list[Solid]:
    collar_ = cylinder(0.66 * r, 0.06 * z, bevel=0.03 * r).moved(z=0.78 * z)
    return [collar_, lathe([(0.4 * r, 0.83 * z), (0.12 * r, z)], 20)]


def _flip(r: float, z: float) -> list[Solid]:
    return [cylinder(0.7 * r, 0.19 * z, bevel=0.08 * r, top=0.62 * r).moved(z=0.81 * z)]


def _wide(r: float, z: float) -> list[Solid]:
    return [cylinder(0.92 * r, 0.3 * z, bevel=0.05 * r).moved(z=0.7 * z)]


def _lid(r: float, z: float) -> list[Solid]:
    return [cylinder(0.97 * r, 0.25 * z, 36, bevel=0.04 * r).moved(z=0.75 * z)]


def _sifter(r: float, z: float) -> list[Solid]:
    return [
        cylinder(0.97 * r, 0.26 * z, 30, bevel=0.05 * r).moved(z=0.73 * z),
        cylinder(0.6 * r, 0.02 * z, 24).moved(z=0.98 * z),
    ]


def _long(r: float, z: float) -> list[Solid]:
    return [cylinder(0.96 * r, 0.46 * z, 30, bevel=0.08 * r).moved(z=0.54 * z)]


def _teat(r: float, z: float) -> list[Solid]:
    ring = cylinder(0.95 * r, 0.1 * z, 30, bevel=0.03 * r).moved(z=0.68 * z)
    shape = [(0.8, 0.76), (0.62, 0.82), (0.3, 0.87), (0.22, 0.94), (0.12, 1.0)]
    return [ring, lathe(smooth([(a * r, b * z) for a, b in shape], 3))]


_CAPS: dict[str, Callable[[float, float], list[Solid]]] = {
    "crown": _crown,
    "stopper": _stopper,
    "screw": _screw,
    "tall": _tall,
    "nozzle": _nozzle,
    "flip": _flip,
    "wide": _wide,
    "lid": _lid,
    "sifter": _sifter,
    "long": _long,
    "teat": _teat,
}

# Ground, ink, and the colour of the picture where the content does not give it.
_PRINTS = (
    ("#f4efe2", "#2a2622"),
    ("#e9e3cf", "#7a2a22"),
    ("#fdfdfb", "#1f3d6b"),
    ("#f0e2b8", "#2f4a2a"),
)


def bottle(
    sketch: Sketch,
    *,
    style: str,
    palette: Sequence[Material] = palettes.PLASTIC,
    cap: Sequence[Material] = palettes.DARK + palettes.BRIGHT[:2] + palettes.WHITE[:1],
    text: str = "",
    accent: str = "#b9402f",
    picture: str = "disc",
    label: bool = True,
    mouth: bool = False,
) -> None:
    """A bottle or jar by style.

    ``text`` is printed on its label (a plain label with a stripe where there is none, no label
    where ``label`` is off). With ``mouth`` it has no cap and is hollow, open at the top.
    """
    x, y, z = sketch.size
    body, kind, (low, high) = _STYLES[style]
    pumped = kind in ("pump", "trigger")
    r = (min(x, y) if pumped else max(x, y)) / 2
    profile = [(a * r, b * z) for a, b in body]
    stretch = (1.0, 1.0, 1.0) if pumped else (x / 2 / r, y / 2 / r, 1.0)
    sketch.paint("body", palette)
    if mouth:
        wall = 0.06 * r
        inside = [(a - wall, b) for a, b in profile[::-1] if b > 0.05 * z]
        solid = vessel(profile, [*inside, (inside[-1][0], 0.03 * z)])
        sketch.add("body", solid.scaled(*stretch))
        neck = profile[-1][0] - wall
        sketch.cavity(
            (-0.7 * neck, -0.7 * neck, 0.03 * z), (0.7 * neck, 0.7 * neck, profile[-1][1])
        )
    else:
        sketch.add("body", lathe(profile).scaled(*stretch))
    if kind == "pump" and not mouth:
        sketch.put("cap", cap, *_pump(x, r, z))
    elif kind == "trigger" and not mouth:
        sketch.put("cap", cap, *_trigger(x, r, z))
    elif kind and not mouth:
        sketch.put("cap", cap, *(s.scaled(*stretch) for s in _CAPS[kind](r, z)))
    elif not kind and not mouth:
        foil = lathe([(0.44 * r, 0.86 * z), (0.46 * r, 1.002 * z)])
        sketch.put("cap", cap, foil.scaled(*stretch))
    if label and text:
        _print(sketch, text, profile, (low * z, high * z), accent, picture, stretch)
    elif label:
        sketch.paint("label", palettes.CREAM + palettes.BRIGHT)
        band = lathe([(1.012 * r, low * z), (1.012 * r, high * z)])
        sketch.add("label", _skin(band, r).scaled(*stretch))
        sketch.paint("stripe", palettes.BRIGHT[1:] + palettes.DARK[:1])
        at = [0.62 * low + 0.38 * high, 0.45 * low + 0.55 * high]
        stripe = lathe([(1.02 * r, at[0] * z), (1.02 * r, at[1] * z)])
        sketch.add("stripe", _skin(stripe, r).scaled(*stretch))


def _skin(band: Solid, radius: float) -> Solid:
    """Only the surface of a painted-on band: a thin collar without pieces."""
    (_, _, z0), (_, _, z1) = band.bounds()
    outer = float(band.bounds()[1, 0])
    section = [(outer, z0), (outer, z1), (0.98 * radius, z1), (0.98 * radius, z0)]
    return collar(ring_profile(section)).with_convex(())


def _print(
    sketch: Sketch,
    text: str,
    profile: Profile,
    span: tuple[float, float],
    accent: str,
    picture: str,
    stretch: tuple[float, float, float],
) -> None:
    """A label round a turned body between two heights, readable from every side."""
    radii, heights = (np.array([p[k] for p in profile]) for k in (0, 1))
    inner = [float(h) for h in heights if span[0] < h < span[1]]
    line = [(float(np.interp(h, heights, radii)), h) for h in (span[0], *inner, span[1])]
    start = sketch.pick("print", range(len(_PRINTS)))
    ground, ink = _PRINTS[(start + sketch.palette) % len(_PRINTS)]
    aspect = label_aspect(line)
    sketch.paint(
        "label",
        printed(
            text,
            ground=ground,
            ink=ink,
            accent=accent,
            aspect=aspect,
            picture=picture,
            repeat=3,
        ),
    )
    sketch.add("label", wrap(line).scaled(*stretch))


def _pump(x: float, r: float, z: float) -> list[Solid]:
    reach = x - r - 0.25 * r
    spout = [(0, 0, 0.965 * z), (0.7 * reach, 0, 0.965 * z), (reach, 0, 0.93 * z)]
    return [
        cylinder(0.42 * r, 0.08 * z).moved(z=0.71 * z),
        cylinder(0.13 * r, 0.14 * z, 12).moved(z=0.79 * z),
        cylinder(0.32 * r, 0.07 * z).moved(z=0.93 * z),
        tube(spout, 0.13 * r),
    ]


def _trigger(x: float, r: float, z: float) -> list[Solid]:
    head = [
        circle((0.36 * r, 0.3 * r), 0.8 * z),
        circle((0.42 * r, 0.34 * r), 0.86 * z, x=0.02 * x),
        circle((0.62 * r, 0.34 * r), 0.93 * z, x=0.06 * x),
        circle((0.55 * r, 0.28 * r), 1.0 * z, x=0.04 * x),
    ]
    nozzle = cylinder(0.2 * r, 0.35 * r, 12).turned("y", 90).moved(x=0.6 * r, z=0.945 * z)
    trigger = tube(
        [(0.5 * r, 0, 0.9 * z), (0.85 * r, 0, 0.82 * z), (0.8 * r, 0, 0.72 * z)],
        [0.16 * r, 0.13 * r, 0.09 * r],
        flat=1.6,
    )
    return [cylinder(0.46 * r, 0.07 * z).moved(z=0.73 * z), loft(head), nozzle, trigger]


def open_jar(sketch: Sketch, *, content: str = "") -> None:
    """A glass jar without its lid: thick foot, shoulder, threaded neck; ``content`` fills it."""
    x, y, z = sketch.size
    r = max(x, y) / 2
    wall = 0.06 * r
    outer = [(0.9 * r, 0.0), (r, 0.04 * z), (r, 0.76 * z), (0.84 * r, 0.86 * z), (0.84 * r, z)]
    inner = [
        (0.84 * r - wall, z),
        (0.84 * r - wall, 0.85 * z),
        (r - wall, 0.75 * z),
        (r - wall, 0.1 * z),
        (0.8 * r, 0.06 * z),
    ]
    sketch.paint("glass", palettes.GLASS)
    add_turned(sketch, "glass", vessel(outer, inner))
    for level in (0.91, 0.95):
        rib = [(0.88 * r, level * z), (0.88 * r, (level + 0.018) * z)]
        section = [*rib, (0.83 * r, (level + 0.018) * z), (0.83 * r, level * z)]
        add_turned(sketch, "glass", collar(ring_profile(section)).with_convex(()))
    if content:
        sketch.paint("content", palettes.plain(content))
        add_turned(sketch, "content", lathe([(0.93 * r, 0.065 * z), (0.93 * r, 0.6 * z)]))
    round_cavity(sketch, 0.7 * (0.84 * r - wall), 0.06 * z, z)


def can(
    sketch: Sketch,
    *,
    text: str = "",
    accent: str = "#b9402f",
    palette: Sequence[Material] = palettes.BRIGHT,
    food: bool = False,
) -> None:
    """A drinks can with necked ends and a tab, or (``food``) a ribbed tin with a paper label."""
    x, y, z = sketch.size
    r = max(x, y) / 2
    sketch.paint("body", palettes.CHROME if food else palette)
    sketch.paint("ends", palettes.CHROME)
    if food:
        add_turned(sketch, "body", cylinder(0.97 * r, 0.98 * z, 36).moved(z=0.01 * z))
        for low in (0.0, 0.95):
            section = [(r, low * z), (r, (low + 0.05) * z)]
            rim = [*section, (0.9 * r, (low + 0.05) * z), (0.9 * r, low * z)]
            add_turned(sketch, "ends", collar(ring_profile(rim)))
        band = [(0.985 * r, 0.07 * z), (0.985 * r, 0.93 * z)]
        sketch.paint("paper", palette)
        add_turned(sketch, "paper", _skin(lathe(band), 0.97 * r))
        _print(sketch, text, band, (0.1 * z, 0.9 * z), accent, "disc", (x / 2 / r, y / 2 / r, 1.0))
        return
    add_turned(sketch, "body", lathe([(r, 0.07 * z), (r, 0.89 * z)]))
    add_turned(sketch, "ends", lathe([(0.82 * r, 0.0), (0.86 * r, 0.02 * z), (r, 0.07 * z)]))
    top = [(r, 0.89), (0.86 * r, 0.97), (0.87 * r, 1.0), (0.82 * r, 1.0), (0.8 * r, 0.985)]
    add_turned(sketch, "ends", lathe([(a, b * z) for a, b in top]))
    tab = joined(
        cylinder(0.3 * r, 0.012 * z, 16).scaled(1.0, 0.7, 1.0).moved(x=-0.15 * r),
        cylinder(0.12 * r, 0.014 * z, 12).moved(x=0.2 * r),
    )
    sketch.add("ends", tab.moved(z=0.985 * z))
    sketch.paint("stripe", palettes.WHITE + palettes.BRIGHT[2:3])
    add_turned(sketch, "stripe", _skin(lathe([(1.008 * r, 0.36 * z), (1.008 * r, 0.6 * z)]), r))


def grinder(sketch: Sketch) -> None:
    """A turned wooden pepper mill with a knob."""
    x, y, z = sketch.size
    r = max(x, y) / 2
    sketch.paint("body", palettes.WOOD)
    shape = outline("95,0 100,3 100,10 62,32 70,50 92,62 90,66")
    add_turned(sketch, "body", lathe(smooth([(a * r, b * z) for a, b in shape], 4)))
    head = outline("72,66 98,72 95,82 60,90 25,92.5")
    add_turned(sketch, "body", lathe(smooth([(a * r, b * z) for a, b in head], 4)))
    sketch.paint("knob", palettes.CHROME)
    sketch.add("knob", ellipsoid(0.25 * r, 0.25 * r, 0.045 * z).moved(z=0.955 * z))


def shaker(
    sketch: Sketch, *, letter: str = "", palette: Sequence[Material] = palettes.WHITE
) -> None:
    """A table shaker with a domed metal cap with holes; ``letter`` says what is in it."""
    x, y, z = sketch.size
    r = max(x, y) / 2
    sketch.paint("body", palette)
    shape = [(0.9, 0), (1, 0.03), (0.86, 0.4), (0.72, 0.7), (0.74, 0.72)]
    profile = [(a * r, b * z) for a, b in shape]
    add_turned(sketch, "body", lathe(profile))
    sketch.paint("cap", palettes.CHROME)
    dome = outline("80,70 80,84 70,93 40,98.5 15,100")
    add_turned(sketch, "cap", lathe([(a * r, b * z) for a, b in dome]))
    sketch.paint("holes", palettes.DARK)
    for k in range(5):
        t = 2 * np.pi * k / 5
        hole = cylinder(0.07 * r, 0.05 * z, 8)
        sketch.add("holes", hole.moved(0.36 * r * np.cos(t), 0.36 * r * np.sin(t), 0.945 * z))
    if letter:
        line = [(0.95 * r, 0.16 * z), (0.87 * r, 0.38 * z), (0.8 * r, 0.54 * z)]
        color = sketch.color("body", palette).color
        ground = "#" + "".join(f"{round(255 * v):02x}" for v in color)
        ink = "#f2efe6" if sum(color) < 1.5 else "#2a2622"
        sketch.paint("label", printed(letter, ground=ground, ink=ink, picture="none", aspect=1.3))
        patch = wrap(line, arc_deg=38.0)
        add_turned(sketch, "label", patch)
