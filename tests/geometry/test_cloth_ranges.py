"""Cloth over the whole range of every parameter that ``docs/soft_matter.md`` promises."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from esi_fast.geometry import transforms
from esi_fast.geometry.cloth import Cloth, ClothMaterial, sheet
from esi_fast.geometry.fields import DistanceField, Obstacle, Plane

SPACING, HEIGHT = 0.01, 0.25
MIDDLE = np.array([0.01, 0.02, 0.08])  # of the ball and the box, off the axis of the cloth
HALF = np.array([0.07, 0.09, 0.08])  # of the box


def field(shape: str) -> DistanceField:
    """The exact distances of a ball of 8 cm or of the box."""
    axis = SPACING * np.arange(-14, 15)
    p = np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), axis=-1)
    if shape == "ball":
        values = np.linalg.norm(p, axis=-1) - 0.08
    else:
        q = np.abs(p) - HALF
        values = np.linalg.norm(np.maximum(q, 0.0), axis=-1) + np.minimum(q.max(axis=-1), 0.0)
    return DistanceField(values, origin=[axis[0]] * 3, spacing=SPACING)


FIELDS = {shape: field(shape) for shape in ("ball", "box")}

materials = st.builds(
    ClothMaterial,
    mass=st.floats(0.01, 5.0),
    thickness=st.floats(0.002, 0.02),
    stretch=st.floats(0.0, 1e-3),
    bend=st.floats(0.0, 10.0),
    damping=st.floats(0.0, 20.0),
    self_friction=st.floats(0.0, 2.0),
    self_collision=st.booleans(),
)


@settings(max_examples=120, deadline=None)
@given(
    material=materials,
    counts=st.tuples(st.integers(2, 14), st.integers(2, 14)),
    side=st.floats(0.1, 0.5),
    rate=st.integers(600, 5700),
    gravity=st.floats(0.0, 20.0),
    friction=st.floats(0.0, 2.0),
    throw=st.floats(0.0, 1.0),
    onto=st.sampled_from(["floor", "ball", "box"]),
)
def test_stable_over_the_whole_range(
    material: ClothMaterial,
    counts: tuple[int, int],
    side: float,
    rate: int,
    gravity: float,
    friction: float,
    throw: float,
    onto: str,
) -> None:
    """Finite, none lost or under the floor, and never more energy than it began with.

    The energy bounds stretch as well: no edge can store more than all of it, L^2 / (2 compliance)
    for an edge longer by L. Steps that leave a stiff edge unsolved add to that.
    """
    v, f = sheet((side, side), counts, height=HEIGHT)
    cloth = Cloth(v, f, material)
    # As fast downwards as the range allows: half the thickness in a step, up to 7 m/s.
    speed = throw * min(7.0, material.thickness / 2 * rate)
    cloth.velocities = np.tile([0.0, 0.0, -speed], (len(v), 1))
    area = np.linalg.norm(np.cross(v[f[:, 1]] - v[f[:, 0]], v[f[:, 2]] - v[f[:, 0]]), axis=1)
    weights = np.bincount(f.ravel(), np.repeat(area, 3))
    weights *= material.mass / weights.sum()

    def energy() -> float:
        moving = (cloth.velocities**2).sum(axis=1) / 2
        return float(weights @ (moving + gravity * (cloth.positions[:, 2] - material.thickness)))

    start = energy()
    longer = np.sqrt(2 * material.stretch * start) / (side / (max(counts) - 1))
    obstacles = (
        [Obstacle(FIELDS[onto], transforms.pose_matrix(MIDDLE, (0, 0, 0, 1)), friction)]
        if onto in FIELDS
        else []
    )
    for _ in range(8):
        cloth.step(
            0.05,
            obstacles=obstacles,
            planes=[Plane(friction=friction)],
            gravity=(0.0, 0.0, -gravity),
            steps_per_second=rate,
        )
        p = cloth.positions
        assert len(p) == len(v)
        assert np.isfinite(p).all()
        assert np.isfinite(cloth.velocities).all()
        assert p[:, 2].min() >= material.thickness - 1e-9
        assert energy() <= start * (1 + 1e-9) + 1e-12
        assert cloth.stretch <= longer + 0.5
