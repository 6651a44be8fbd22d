"""Liquid: particles that fill vessels, pour, spill and come to rest.

Position-based dynamics (M. Macklin, M. Mueller, Position Based Fluids, SIGGRAPH 2013) with solids
as distance fields that may move. No particle is ever made or lost, and none passes a wall whose
field resolves it: ``spacing`` at most half the wall, and at most the particles' radius.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from esi_fast.geometry import _core
from esi_fast.geometry._arrays import FloatArray, as_floats, as_positive
from esi_fast.geometry.fields import DistanceField, Plane, plane_rows, rigid_pose, step_count

__all__ = ["Calm", "Fluid", "Vessel", "lattice"]

GRAVITY = (0.0, 0.0, -9.81)
STEPS_PER_SECOND = 240


class Vessel(NamedTuple):
    """A solid: its field, and the pose (4, 4) that it has moved to at the end of the time."""

    field: DistanceField
    pose: FloatArray
    before: FloatArray | None = None
    """The pose (4, 4) that it comes from, if it moves."""


class Calm(NamedTuple):
    """What ``Fluid.settle`` came to: at rest or not, after how many seconds, mean speed."""

    at_rest: bool
    seconds: float
    speed: float


class Fluid:
    """Liquid of particles of ``radius`` metres at ``positions`` (N, 3), which lie two radii apart.

    ``viscosity`` in [0, 1] is the share of its neighbours' velocity that a particle takes on in a
    step; ``iterations`` of the density constraint in each step. Raises ``ValueError`` for wrong
    shapes or values.
    """

    def __init__(
        self,
        positions: ArrayLike,
        *,
        radius: float,
        viscosity: float = 0.05,
        iterations: int = 5,
    ) -> None:
        self.radius = as_positive("radius", radius)
        if not 0.0 <= viscosity <= 1.0:
            raise ValueError(f"viscosity: expected 0 to 1, got {viscosity}")
        if iterations < 1:
            raise ValueError(f"iterations: expected 1 or more, got {iterations}")
        self._fluid = _core.fluid.Fluid(positions, self.radius, viscosity, iterations)

    def __len__(self) -> int:
        return len(self.positions)

    @property
    def positions(self) -> FloatArray:
        """(N, 3) m, a copy; assigning moves the particles."""
        return np.asarray(self._fluid.positions)

    @positions.setter
    def positions(self, value: ArrayLike) -> None:
        self._fluid.positions = value

    @property
    def velocities(self) -> FloatArray:
        """(N, 3) m/s, a copy; assigning sets them."""
        return np.asarray(self._fluid.velocities)

    @velocities.setter
    def velocities(self, value: ArrayLike) -> None:
        self._fluid.velocities = value

    @property
    def density(self) -> FloatArray:
        """(N,) density over the density at rest, as of the last step."""
        return np.asarray(self._fluid.density())

    @property
    def speed(self) -> float:
        """Mean speed in m/s."""
        return float(self._fluid.mean_speed())

    def step(
        self,
        seconds: float,
        *,
        vessels: Sequence[Vessel] = (),
        planes: Sequence[Plane] = (),
        gravity: ArrayLike = GRAVITY,
        steps_per_second: int = STEPS_PER_SECOND,
        threads: int = 0,
    ) -> None:
        """Let ``seconds`` pass, while vessels move steadily from their poses before to theirs.

        Raises ``ValueError`` for wrong shapes, values that are not finite, or poses that are not
        rigid.
        """
        count = step_count(seconds, steps_per_second)
        if count == 0:
            return
        to = [rigid_pose(v.pose) for v in vessels]
        before = [
            pose if v.before is None else rigid_pose(v.before, name="before")
            for v, pose in zip(vessels, to, strict=True)
        ]
        self._fluid.step(
            seconds / count,
            count,
            gravity,
            [v.field._field for v in vessels],
            np.array(before).reshape(-1, 4, 4),
            np.array(to).reshape(-1, 4, 4),
            plane_rows(planes),
            threads,
        )

    def settle(
        self,
        *,
        max_time: float = 5.0,
        speed: float = 0.02,
        vessels: Sequence[Vessel] = (),
        planes: Sequence[Plane] = (),
        threads: int = 0,
    ) -> Calm:
        """Step until the mean speed has been below ``speed`` m/s for a fifth of a second."""
        quiet = 0
        time = 0.0
        while time < max_time and quiet < 4:
            self.step(0.05, vessels=vessels, planes=planes, threads=threads)
            time += 0.05
            quiet = quiet + 1 if self.speed <= speed else 0
        return Calm(quiet >= 4, time, self.speed)


def lattice(lower: ArrayLike, upper: ArrayLike, radius: float) -> FloatArray:
    """Particles (N, 3) of ``radius`` in rows two radii apart that fill a box (3,) to (3,)."""
    low, high = as_floats("lower", lower, (3,), ndim=1), as_floats("upper", upper, (3,), ndim=1)
    step = 2.0 * as_positive("radius", radius)
    counts = np.maximum(np.floor((high - low) / step + 1e-9).astype(int), 0)
    index = np.stack(np.meshgrid(*(np.arange(n) for n in counts), indexing="ij"), axis=-1)
    return np.asarray(low + step * (index.reshape(-1, 3) + 0.5))
