"""The robot that walks through a house: a wheeled body, one arm, a head with a camera."""

from __future__ import annotations

from esi_fast.assets import palettes
from esi_fast.assets.sketch import Sketch
from esi_fast.assets.solids import box, cylinder, ellipsoid, rounded_box, tube

__all__ = ["robot"]


def robot(sketch: Sketch) -> None:
    """A mobile robot about as wide as a person: base on wheels, column, head looking to +X."""
    x, y, z = sketch.size
    r = min(x, y) / 2
    sketch.paint("shell", palettes.plain("#e4e6e8", "#d6dade", "#e9e4da"))
    sketch.paint("trim", palettes.plain("#2d5f8b", "#c25a2b", "#3c7a57"))
    sketch.paint("dark", palettes.DARK[:1])
    sketch.paint("eye", palettes.plain("#1b2530"))
    # Base: a low drum on two wheels.
    sketch.add("dark", cylinder(0.92 * r, 0.03 * z, 32).moved(z=0.01 * z))
    sketch.add("shell", cylinder(r, 0.15 * z, 40, bevel=0.02 * z, top=0.96 * r).moved(z=0.04 * z))
    sketch.add("trim", cylinder(0.965 * r, 0.02 * z, 40).moved(z=0.19 * z))
    for side in (-1, 1):
        wheel = cylinder(0.055 * z, 0.08 * y, 24).turned("x", 90.0)
        sketch.add("dark", wheel.moved(y=side * 0.36 * y + 0.04 * y, z=0.055 * z))
    # Column and shoulders.
    sketch.add("dark", box(0.3 * x, 0.26 * y, 0.42 * z, 0.01).moved(x=-0.1 * x, z=0.21 * z))
    torso = rounded_box(0.46 * x, 0.62 * y, 0.24 * z, 0.05 * z).moved(x=-0.05 * x, z=0.58 * z)
    sketch.add("shell", torso)
    screen = box(0.012 * x, 0.34 * y, 0.11 * z).moved(x=0.18 * x, z=0.655 * z)
    sketch.add("eye", screen)
    # One arm, folded before the body; the other side ends in a shoulder cap.
    arm = [
        (0.0, -0.36 * y, 0.76 * z),
        (0.04 * x, -0.4 * y, 0.5 * z),
        (0.34 * x, -0.3 * y, 0.46 * z),
    ]
    sketch.add("trim", tube(arm, 0.028 * z))
    sketch.add("dark", ellipsoid(0.04 * z).moved(0.36 * x, -0.29 * y, 0.46 * z))
    for side in (-1, 1):
        sketch.add("trim", ellipsoid(0.045 * z).moved(0.0, side * 0.33 * y, 0.765 * z))
    # Neck and head.
    sketch.add("dark", cylinder(0.035 * z, 0.05 * z, 20).moved(z=0.81 * z))
    head = rounded_box(0.36 * x, 0.44 * y, 0.145 * z, 0.045 * z).moved(z=0.855 * z)
    sketch.add("shell", head)
    visor = rounded_box(0.05 * x, 0.34 * y, 0.06 * z, 0.02 * z).moved(x=0.175 * x, z=0.9 * z)
    sketch.add("eye", visor)
