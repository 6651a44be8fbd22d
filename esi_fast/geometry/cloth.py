"""Cloth that falls, drapes and folds over what lies there.

Position-based dynamics in many small steps (M. Macklin et al., Small Steps in Physics Simulation,
SCA 2019; XPBD, MIG 2016), double precision, in one fixed order: the same start gives the same
bytes. Solids are distance fields, made once per shape and placed by rigid poses.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from esi_fast.geometry import _core
from esi_fast.geometry._arrays import BoolArray, FloatArray, IntArray, as_floats, as_positive
from esi_fast.geometry.distance import (
    ContainmentStatus,
    Mesh,
    MeshLike,
    points_to_mesh,
    signed_distance,
)

__all__ = [
    "Cloth",
    "ClothMaterial",
    "DistanceField",
    "Obstacle",
    "Plane",
    "Rest",
    "mesh_field",
    "sheet",
]

# Steps per second of simulated time: 40 to a sixtieth of a second keep stretch below 8 % and cloth
# from passing what it is held off by its default thickness at up to 7 m/s.
STEPS_PER_SECOND = 2400
GRAVITY = (0.0, 0.0, -9.81)
# Nodes of a field that are measured at once, to bound its memory.
_CHUNK = 1 << 18


class DistanceField:
    """Signed distances (m, negative inside) at the nodes of a grid, interpolated linearly.

    ``values`` (X, Y, Z) belong to ``origin`` (3,) + index * ``spacing`` in the solid's own frame.
    Raises ``ValueError`` for fewer than two nodes along an axis, values that are not finite or a
    spacing that is not positive.
    """

    def __init__(self, values: ArrayLike, *, origin: ArrayLike, spacing: float) -> None:
        self._field = _core.cloth.Field(origin, spacing, values)

    def sample(self, points: ArrayLike) -> tuple[FloatArray, FloatArray, BoolArray]:
        """Distance (N,) and unit direction (N, 3) of its growth at points (N, 3), and whether
        they are known (N,): NaN outside the grid and where the field is flat."""
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
    if isinstance(mesh, Mesh):
        shape = mesh
    else:
        shape = Mesh(*mesh) if isinstance(mesh, tuple) else Mesh.from_triangles(mesh)
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


@dataclass(frozen=True)
class ClothMaterial:
    """What a cloth is made of.

    ``mass`` kg of the whole cloth. ``thickness`` m: how far its middle stays off solids, and half
    the distance of two layers. ``stretch`` and ``bend`` m/N: compliance along and across edges;
    0 is stiff. ``damping`` 1/s: share of its speed that it loses to the air. Raises
    ``ValueError`` for values that are not finite, negative, or zero for mass and thickness.
    """

    mass: float = 0.2
    thickness: float = 0.006
    stretch: float = 1e-6
    bend: float = 1e-2
    damping: float = 2.0
    self_friction: float = 0.3
    self_collision: bool = True

    def __post_init__(self) -> None:
        as_positive("mass", self.mass)
        as_positive("thickness", self.thickness)
        for name in ("stretch", "bend", "damping", "self_friction"):
            as_positive(name, getattr(self, name), zero=True)


class Rest(NamedTuple):
    """What ``Cloth.settle`` came to: whether at rest, after how many seconds, and the top speed."""

    at_rest: bool
    seconds: float
    speed: float


class Cloth:
    """Cloth with a particle at each vertex of a triangle mesh, at rest in the shape it is given.

    ``vertices`` (V, 3) m, ``faces`` (F, 3). Raises ``ValueError`` for a face without area or with
    a wrong index, and for a vertex in no face.
    """

    def __init__(
        self, vertices: ArrayLike, faces: ArrayLike, material: ClothMaterial | None = None
    ) -> None:
        self.material = ClothMaterial() if material is None else material
        m = self.material
        self._cloth = _core.cloth.Cloth(
            vertices,
            faces,
            _core.cloth.Material(
                m.mass,
                m.thickness,
                m.stretch,
                m.bend,
                m.damping,
                m.self_friction,
                m.self_collision,
            ),
        )

    def __len__(self) -> int:
        return len(self.positions)

    @property
    def positions(self) -> FloatArray:
        """(V, 3) m, a copy; assigning moves the particles."""
        return np.asarray(self._cloth.positions)

    @positions.setter
    def positions(self, value: ArrayLike) -> None:
        self._cloth.positions = value

    @property
    def velocities(self) -> FloatArray:
        """(V, 3) m/s, a copy; assigning sets them."""
        return np.asarray(self._cloth.velocities)

    @velocities.setter
    def velocities(self, value: ArrayLike) -> None:
        self._cloth.velocities = value

    def pin(self, mask: ArrayLike) -> None:
        """Hold the particles of ``mask`` (V,) where they are put, and let go of all others."""
        self._cloth.set_pinned(mask)

    @property
    def stretch(self) -> float:
        """Largest length of an edge over its length at rest, less 1."""
        return float(self._cloth.longest_stretch())

    @property
    def speed(self) -> float:
        """Speed of the fastest particle in m/s."""
        return float(self._cloth.top_speed())

    def step(
        self,
        seconds: float,
        *,
        obstacles: Sequence[Obstacle] = (),
        planes: Sequence[Plane] = (),
        gravity: ArrayLike = GRAVITY,
        steps_per_second: int = STEPS_PER_SECOND,
    ) -> None:
        """Let ``seconds`` pass.

        No particle moves by more than half the thickness in one step: with the defaults cloth
        falls at up to 7 m/s. Raises ``ValueError`` for wrong shapes, values that are not
        finite, negative friction, a pose that is not rigid or a normal that is not a unit vector.
        """
        time = as_positive("seconds", seconds, zero=True)
        if steps_per_second < 1:
            raise ValueError(f"steps_per_second: expected 1 or more, got {steps_per_second}")
        count = math.ceil(time * steps_per_second - 1e-9)
        if count == 0:
            return
        poses = np.empty((len(obstacles), 4, 4))
        for k, obstacle in enumerate(obstacles):
            pose = as_floats("pose", obstacle.pose, (4, 4), ndim=2)
            turn = pose[:3, :3]
            if not np.allclose(turn @ turn.T, np.eye(3), atol=1e-6) or np.linalg.det(turn) < 0:
                raise ValueError("pose: expected a rigid pose, got one that scales or mirrors")
            poses[k] = pose
        rows = np.array([(*p.normal, p.offset, p.friction) for p in planes]).reshape(-1, 5)
        if not np.allclose(np.linalg.norm(rows[:, :3], axis=1), 1.0, atol=1e-6):
            raise ValueError("normal: expected a unit vector")
        frictions = np.array([o.friction for o in obstacles], dtype=float)
        for friction in (*frictions, *rows[:, 4]):
            as_positive("friction", float(friction), zero=True)
        self._cloth.step(
            time / count,
            count,
            gravity,
            [o.field._field for o in obstacles],
            poses,
            frictions,
            rows,
        )

    def settle(
        self,
        *,
        max_time: float = 6.0,
        speed: float = 0.02,
        obstacles: Sequence[Obstacle] = (),
        planes: Sequence[Plane] = (),
    ) -> Rest:
        """Step until no particle has been faster than ``speed`` m/s for a quarter of a second."""
        quiet = 0
        time = 0.0
        while time < max_time and quiet < 5:
            self.step(0.05, obstacles=obstacles, planes=planes)
            time += 0.05
            quiet = quiet + 1 if self.speed <= speed else 0
        return Rest(quiet >= 5, time, self.speed)


def sheet(
    size: tuple[float, float], counts: tuple[int, int], *, height: float = 0.0
) -> tuple[FloatArray, IntArray]:
    """Vertices (V, 3) and faces (F, 3) of a flat rectangle about the z axis at ``height``.

    ``size`` m and ``counts`` of vertices along x and y. The diagonals of its squares alternate, so
    that it is as stiff one way as the other. Raises ``ValueError`` for fewer than two vertices.
    """
    nx, ny = counts
    if nx < 2 or ny < 2:
        raise ValueError(f"counts: expected at least 2 along each axis, got {counts}")
    x = np.linspace(-size[0] / 2, size[0] / 2, nx)
    y = np.linspace(-size[1] / 2, size[1] / 2, ny)
    grid = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1).reshape(-1, 2)
    vertices = np.column_stack((grid, np.full(len(grid), float(height))))
    i, j = (k.ravel() for k in np.mgrid[: nx - 1, : ny - 1])
    a, b, c, d = i * ny + j, (i + 1) * ny + j, (i + 1) * ny + j + 1, i * ny + j + 1
    even = ((i + j) % 2 == 0)[:, None]
    first = np.where(even, np.column_stack((a, b, c)), np.column_stack((a, b, d)))
    second = np.where(even, np.column_stack((a, c, d)), np.column_stack((b, c, d)))
    return vertices, np.concatenate((first, second))
