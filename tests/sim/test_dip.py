"""The water dip of the paper against geometry: particles measure capacity as volume does.

Every vessel is filled to overflowing and left alone; what stays in it is counted, the largest
component as the paper does. At walls and at the rim particles count for more or less than in the
middle, in proportion to their radius: two radii tell how many there would be of tiny ones.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from esi_fast import assets
from esi_fast import geometry as geo
from esi_fast.assets.capacities import closed_mesh
from esi_fast.geometry.fields import Plane
from esi_fast.geometry.fluid import Fluid, Vessel
from esi_fast.sim._pour import _Cavity, _field

VESSELS = ("water_glass", "mug", "bowl", "water_bottle", "bucket")
COUNTS = (500, 1400)


def dip(mesh: geo.distance.Mesh, radius: float, most: int) -> int:
    """Particles of the largest component in a vessel that was filled to overflowing."""
    cavity, field = _Cavity(mesh, radius), _field(mesh, radius)
    fluid = Fluid(cavity.seats(most, radius, field), radius=radius)
    count = len(fluid)
    ground = float(mesh.vertices[:, 2].min()) - 0.3
    fluid.step(
        1.2,
        vessels=[Vessel(field, np.eye(4))],
        planes=[Plane(offset=ground)],
        steps_per_second=160,
    )
    points = fluid.positions
    assert len(points) == count
    assert (points[:, 2] > ground).all()
    inside = points[cavity.holds(points, 2 * radius)]
    # Settled neighbours are two radii apart on average, some a little more.
    return geo.particles.largest_component(inside, 2.6 * radius).size


@pytest.mark.slow
def test_volume_per_particle_is_the_same_in_every_vessel() -> None:
    shares, capacities = [], []
    for category in VESSELS:
        for model in assets.models(category):
            mesh = closed_mesh(assets.get(category, model))
            capacity = geo.vessel.capacity(mesh).volume
            if capacity > 1e-5:
                break
        radii = [(capacity / count) ** (1 / 3) / 2 for count in COUNTS]
        coarse, fine = (
            capacity / dip(mesh, radius, int(1.25 * count)) / (2 * radius) ** 3
            for radius, count in zip(radii, COUNTS, strict=True)
        )
        slope = (fine - coarse) / (radii[0] - radii[1])
        shares.append(fine + slope * radii[1])
        capacities.append(capacity)
    # Within 10 %, and so in the order of geometry for every pair that is 20 % apart.
    assert max(shares) / min(shares) < 1.10, dict(zip(VESSELS, shares, strict=True))
    counted = [c / s for c, s in zip(capacities, shares, strict=True)]
    pairs = list(itertools.permutations(range(len(VESSELS)), 2))
    apart = [(a, b) for a, b in pairs if capacities[a] > 1.2 * capacities[b]]
    assert len(apart) >= 4
    assert all(counted[a] > counted[b] for a, b in apart)
