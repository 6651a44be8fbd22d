"""The dip of the paper (appendix Q.2): how many particles of liquid stay in a vessel.

A vessel is sunk into particles and taken out: what is around it runs away, what is in it comes to
rest, and the largest component of that is counted. Nothing here knows where the cavity is, so the
count can be held against the geometric capacity.
"""

from __future__ import annotations

import numpy as np

from esi_fast import geometry as geo
from esi_fast.geometry.distance import Mesh
from esi_fast.geometry.fields import Plane
from esi_fast.geometry.fluid import Fluid, Vessel
from esi_fast.sim._fields import region_field

__all__ = ["LINK_RADII", "RADII", "dip"]

RADII = (0.0024, 0.0030, 0.0038, 0.0048, 0.0060)
"""The ladder of particle radii (metres): from tea cups to pots in some hundred particles."""
LINK_RADII = 2.6
"""Settled neighbours are two radii apart on average, some a little more."""
# What was around the vessel is gone, and what is in it is still, after this long (seconds).
_SETTLE = 0.8
_RATE = 160
# Particles are put no nearer to a wall than this share of their radius: rows of whole particles
# do not fill the room between.
_CLEAR = 0.7
# How far (of the vessel's height) the particles reach over the rim: they settle denser.
_OVER = 0.2
_DROP = 0.3
_NODES = 1.0e6


def dip(mesh: Mesh, radius: float) -> int:
    """Particles of ``radius`` metres that a vessel (its closed surfaces, upright) keeps."""
    lower, upper = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    margin = 2.5 * radius
    low, high = lower - margin, upper + margin
    spacing = max(min(radius / 2, 0.002), (float(np.prod(high - low)) / _NODES) ** (1 / 3))
    field = region_field([mesh.triangles], low, high, spacing=spacing, band=2.2 * radius)
    if field is None:
        raise ValueError("mesh: expected a vessel, got no faces")
    step = 2.0 * radius
    top = np.array([0.0, 0.0, _OVER * (upper[2] - lower[2])])
    axes = [np.arange(a + radius, b, step) for a, b in zip(lower, upper + top, strict=True)]
    seats = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    distance, _, known = field.sample(seats)
    fluid = Fluid(seats[~known | (distance > _CLEAR * radius)], radius=radius)
    fluid.step(
        _SETTLE,
        vessels=[Vessel(field, np.eye(4))],
        planes=[Plane(offset=float(lower[2]) - _DROP)],
        steps_per_second=_RATE,
    )
    kept = fluid.positions[fluid.positions[:, 2] > lower[2]]
    return geo.particles.largest_component(kept, LINK_RADII * radius).size
