"""Solids as fields of distances: what cloth and liquid collide with."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from esi_fast.geometry import _core
from esi_fast.geometry._arrays import BoolArray, FloatArray, as_floats, as_positive
from esi_fast.geometry.distance import (
    ContainmentStatus,
    MeshLike,
    as_mesh,
    points_to_mesh,
    signed_distance,
)

__all__ = ["DistanceField", "Obstacle", "Plane", "mesh_field", "plane_rows", "rigid_pose"]

# Nodes of a field that are measured at once, to bound its memory.
_CHUNK = 1 << 18


class DistanceField:
    """Signed distances (m, negative inside) at the nodes of a grid, interpolated linearly.

    ``values`` (X, Y, Z) belong to ``origin`` (3,) + index * ``spacing`` in the solid's own frame.
    Raises ``ValueError`` for fewer than two nodes along an axis, values that are not finite or a
    spacing that is not positive.
    """

    def __init__(self, values: ArrayLike, *, origin: ArrayLike, spacing: float) -> None:
        self._field = _core.fields.Field(origin, spacing, values)

    def sample(self, points: ArrayLike) -> tuple[FloatArray, FloatArray, BoolArray]:
        """Distance (N,) and unit direction (N, 3) of its growth at points (N, 3), and whether
        they are known (N,): NaN outside the grid. Where the field is flat the direction is zero."""
        distance, outward, known = self._field.sample(points)
        return distance, outward, known


def mesh_field(
    mesh: MeshLike, *, spacing: float = 0.008, margin: float = 0.02, threads: int = 0
) -> DistanceField:
    """The distance field of a mesh, reaching ``margin`` metres beyond its box.

    Signed for a closed, oriented mesh. Any other one has no inside: its field is the plain
    distance, which holds things off on both sides. ``spacing`` (m) should not exceed the thickness
    of the cloth; walls thinner than it still hold cloth off, as their surfaces are measured, not
    their voxels. Raises ``ValueError`` for an empty mesh or a wrong spacing or margin.
    """
    shape = as_mesh("mesh", mesh)
    step = as_positive("spacing", spacing)
    around = as_positive("margin", margin)
    if not len(shape):
        raise ValueError("mesh: expected at least one face, got none")
    corners = shape.vertices[shape.faces.ravel()]
    low = corners.min(axis=0) - around
    counts = np.ceil((corners.max(axis=0) + around - low) / step).astype(int) + 1
    nodes = int(np.prod(counts))
    values = np.empty(nodes)
    for first in range(0, nodes, _CHUNK):
        flat = np.arange(first, min(nodes, first + _CHUNK))
        points = low + step * np.column_stack(np.unravel_index(flat, counts))
        found = signed_distance(shape, points, threads=threads)
        values[flat] = (
            found.distance
            if found.status == ContainmentStatus.OK
            else points_to_mesh(shape, points, threads=threads).distance
        )
    return DistanceField(values.reshape(counts), origin=low, spacing=step)


class Obstacle(NamedTuple):
    """A solid: its field, its pose (4, 4) in the world (rigid) and its friction coefficient."""

    field: DistanceField
    pose: FloatArray
    friction: float = 0.5


class Plane(NamedTuple):
    """All below a plane is solid: unit ``normal`` (3,), ``offset`` m along it, friction."""

    normal: tuple[float, float, float] = (0.0, 0.0, 1.0)
    offset: float = 0.0
    friction: float = 0.5


def step_count(seconds: float, steps_per_second: int) -> int:
    """How many steps cover a stretch of time; ``ValueError`` for a negative time or no steps."""
    time = as_positive("seconds", seconds, zero=True)
    if steps_per_second < 1:
        raise ValueError(f"steps_per_second: expected 1 or more, got {steps_per_second}")
    # Times are sums of steps, and their rounding is no further step.
    return math.ceil(time * steps_per_second - 1e-9)


def rigid_pose(pose: ArrayLike, *, name: str = "pose") -> FloatArray:
    """The pose (4, 4) itself; raises ``ValueError`` if it is not finite or scales or mirrors."""
    matrix = as_floats(name, pose, (4, 4), ndim=2)
    turn = matrix[:3, :3]
    if not np.allclose(turn @ turn.T, np.eye(3), atol=1e-6) or np.linalg.det(turn) < 0:
        raise ValueError(f"{name}: expected a rigid pose, got one that scales or mirrors")
    return matrix


def plane_rows(planes: Sequence[Plane]) -> FloatArray:
    """Planes as rows (P, 5) of normal, offset and friction; raises ``ValueError`` for a normal
    that is no unit vector and a negative friction."""
    rows = as_floats(
        "planes", [(*p.normal, p.offset, p.friction) for p in planes] or np.empty((0, 5)), (5,)
    )
    if not np.allclose(np.linalg.norm(rows[:, :3], axis=1), 1.0, atol=1e-6):
        raise ValueError("normal: expected a unit vector")
    for friction in rows[:, 4]:
        as_positive("friction", float(friction), zero=True)
    return rows
