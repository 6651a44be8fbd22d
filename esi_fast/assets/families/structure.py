"""What houses are built of: unit boxes, windows, doors, sized by ``ObjectSpec.scale``; ramps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from esi_fast.assets import palettes
from esi_fast.assets.base import Asset, Part
from esi_fast.assets.labels import panel, printed
from esi_fast.assets.sketch import Sketch
from esi_fast.assets.solids import Solid, box, corner_normals, prism
from esi_fast.geometry.render import Material
from esi_fast.types import FloatArray, IntArray

__all__ = ["door", "door_frame", "mirror", "named_box", "ramp", "slab", "window"]

_GLASS = Material(color=(0.97, 0.98, 0.98), kind="glass", ior=1.02)


def slab(sketch: Sketch, *, palette: tuple[Material, ...]) -> None:
    """A plain unit box; here palette indices count from the first material on."""
    x, y, z = sketch.size
    sketch.paint("body", palette[sketch.palette % len(palette)])
    sketch.add("body", box(x, y, z))
    sketch.top(0.0)


def ramp(sketch: Sketch, *, cheeks: Sequence[str] = ()) -> None:
    """A wedge whose front edge lies on the ground and whose top rises to the back, all flat.

    Models named in ``cheeks`` have sides of another colour. One convex body either way: nothing
    that slides over it meets a seam.
    """
    x, y, z = sketch.size
    side = 0.08 * y if sketch.model in cheeks else 0.0

    def wedge(width: float, middle: float) -> Solid:
        profile = ((-x / 2, 0.0), (x / 2, 0.0), (-x / 2, z))
        return prism(profile, width).turned("x", 90.0).moved(y=middle + width / 2)

    whole = wedge(y, 0.0)
    body = wedge(y - 2 * side, 0.0).with_convex(whole.convex)
    sketch.put("body", (*palettes.WOOD, *palettes.PAINTED, *palettes.UPHOLSTERY), body)
    if side:
        for sign in (-1.0, 1.0):
            cheek = wedge(side, sign * (y - side) / 2).with_convex(())
            sketch.put("cheeks", (*palettes.PAINTED, *palettes.PLASTIC), cheek)


def named_box(sketch: Sketch) -> None:
    """A plain box with the name of its category on the front and on top."""
    x, y, z = sketch.size
    paper = 0.001 * min(x, y, z)
    sketch.paint("body", palettes.CARDBOARD)
    sketch.add("body", box(x - paper, y, z - paper).moved(x=-paper / 2))
    for slot, axis, high in (("front", "x", z), ("top", "z", x)):
        sheet = panel(0.96 * y, 0.96 * high, axis=axis, thickness=paper)
        shape = printed(
            sketch.category, ground="#c9a878", aspect=min(max(y / high, 0.1), 10.0), picture="none"
        )
        sketch.paint(slot, shape)
        at = (0.5 * x - 0.5 * paper, 0.02 * z) if axis == "x" else (-0.5 * paper, z - paper)
        sketch.add(slot, sheet.moved(x=at[0], z=at[1]))
    sketch.top(0.0)


def window(sketch: Sketch) -> None:
    """A frame with a mullion and a transom round panes of glass; x is its thickness."""
    x, y, z = sketch.size
    bar = 0.055
    sketch.paint("frame", palettes.PAINTED[:1] + palettes.WOOD[:2])
    for side in (-1, 1):
        sketch.add("frame", box(x, bar, z).moved(y=side * (y - bar) / 2))
    for low in (0.0, z - bar):
        sketch.add("frame", box(x, y - 2 * bar, bar).moved(z=low))
    sketch.add("frame", box(0.6 * x, 0.6 * bar, z - 2 * bar).moved(z=bar))
    # Ideally thin panes do not shift what is seen through them: an index near that of air.
    sketch.paint("glass", _GLASS)
    pane = (y - 2.6 * bar) / 2
    for side in (-1, 1):
        center = side * (0.3 * bar + pane / 2)
        sketch.add("glass", box(0.1 * x, pane, z - 2 * bar).moved(y=center, z=bar))


def door(sketch: Sketch) -> None:
    """A door leaf with two panels and a handle on both faces; x is its thickness."""
    x, y, z = sketch.size
    sketch.paint("leaf", palettes.PAINTED[:1] + palettes.WOOD[:4])
    leaf = 0.5 * x
    sketch.add("leaf", box(leaf, y, z))
    sketch.paint("panel", sketch.color("leaf", palettes.PAINTED[:1] + palettes.WOOD[:4]))
    for face in (-1, 1):
        for low, high in ((0.08, 0.42), (0.5, 0.92)):
            panel = box(0.06 * x, 0.68 * y, (high - low) * z)
            sketch.add("panel", panel.moved(x=face * 0.53 * leaf, z=low * z))
    sketch.paint("handle", palettes.CHROME)
    for face in (-1, 1):
        stem = box(0.17 * x, 0.03 * y, 0.012 * z).moved(x=face * 0.33 * x, y=0.41 * y, z=0.49 * z)
        bar = box(0.1 * x, 0.13 * y, 0.012 * z).moved(x=face * 0.45 * x, y=0.36 * y, z=0.49 * z)
        sketch.add("handle", stem, bar)


def door_frame(sketch: Sketch) -> None:
    """Two jambs and a head; x is the depth of the wall."""
    x, y, z = sketch.size
    sketch.paint("frame", palettes.PAINTED[:1] + palettes.WOOD[:2])
    jamb, head = 0.06 * y, 0.035 * z
    for side in (-1, 1):
        sketch.add("frame", box(x, jamb, z).moved(y=side * (y - jamb) / 2))
    sketch.add("frame", box(x, y - 2 * jamb, head).moved(z=z - head))


def mirror(category: str, model: str, palette: int, size: tuple[float, float, float]) -> Asset:
    """A frameless standing mirror: a thin slab whose whole +X side reflects.

    The reflecting rectangle is a part of its own, the other five sides are another; together
    they close the slab, each alone is open.
    """
    solid = box(*size).moved(z=-size[2] / 2)
    corners = solid.vertices[solid.faces]
    front = np.isclose(corners[:, :, 0], size[0] / 2).all(axis=1)

    def part(faces: IntArray, material: Material) -> Part:
        used, index = np.unique(faces, return_inverse=True)
        vertices: FloatArray = solid.vertices[used]
        local = index.reshape(-1, 3)
        normals = corner_normals(vertices, local)
        for array in (vertices, local, normals):
            array.flags.writeable = False
        return Part(vertices, local, material, normals, closed=False)

    backs = palettes.plain("#6a6259", "#3b3d40", "#8a7358")
    return Asset(
        category=category,
        model=model,
        palette=palette,
        parts=(
            part(solid.faces[front], Material(color=(0.95, 0.96, 0.96), kind="mirror")),
            part(solid.faces[~front], backs[palette % len(backs)]),
        ),
        convex=solid.convex,
        size=size,
        mass=2500.0 * float(np.prod(size)) * 0.4,
        friction=0.6,
        tags=frozenset({"reflective", "fixed"}),
        mirror=(size[1], size[2]),
    )
