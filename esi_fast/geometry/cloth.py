"""Cloth that falls, drapes and folds over what lies there.

Position-based dynamics in many small steps (M. Macklin et al., Small Steps in Physics Simulation,
SCA 2019; XPBD, MIG 2016), double precision, in one fixed order: the same start gives the same
bytes. Solids are distance fields, made once per shape and placed by rigid poses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from esi_fast.geometry import _core
from esi_fast.geometry._arrays import FloatArray, IntArray, as_floats, as_positive
from esi_fast.geometry.fields import Obstacle, Plane, plane_rows, rigid_pose, step_count

__all__ = [
    "Cloth",
    "ClothMaterial",
    "Rest",
    "sheet",
]

# Steps per second of simulated time: 40 to a sixtieth of a second keep stretch below 8 % and cloth
# from passing what it is held off by its default thickness at up to 7 m/s.
STEPS_PER_SECOND = 2400
GRAVITY = (0.0, 0.0, -9.81)


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
        count = step_count(seconds, steps_per_second)
        if count == 0:
            return
        poses = np.array([rigid_pose(o.pose) for o in obstacles]).reshape(-1, 4, 4)
        frictions = np.array([as_positive("friction", o.friction, zero=True) for o in obstacles])
        rows = plane_rows(planes)
        self._cloth.step(
            seconds / count,
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
    width, depth = as_floats("size", size, (2,), ndim=1)
    along = as_floats("counts", counts, (2,), ndim=1)
    if not ((along >= 2) & (along == np.floor(along))).all():
        raise ValueError(f"counts: expected integers of at least 2, got {counts}")
    nx, ny = (int(count) for count in along)
    x = np.linspace(-width / 2, width / 2, nx)
    y = np.linspace(-depth / 2, depth / 2, ny)
    grid = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1).reshape(-1, 2)
    vertices = np.column_stack((grid, np.full(len(grid), float(height))))
    i, j = (k.ravel() for k in np.mgrid[: nx - 1, : ny - 1])
    a, b, c, d = i * ny + j, (i + 1) * ny + j, (i + 1) * ny + j + 1, i * ny + j + 1
    even = ((i + j) % 2 == 0)[:, None]
    first = np.where(even, np.column_stack((a, b, c)), np.column_stack((a, b, d)))
    second = np.where(even, np.column_stack((a, c, d)), np.column_stack((b, c, d)))
    return vertices, np.concatenate((first, second))
