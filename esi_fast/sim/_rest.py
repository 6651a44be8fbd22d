"""When a world counts as at rest."""

from __future__ import annotations

from dataclasses import dataclass, field

import mujoco
import numpy as np

from esi_fast.sim._engine import TIMESTEP, Engine
from esi_fast.types import FloatArray

__all__ = ["REST_TIME", "RestWatch"]

REST_TIME = 0.1
"""What gets nowhere for this long (seconds) is at rest."""
_NEED = max(1, round(REST_TIME / TIMESTEP))
# From when on (seconds) chatter is looked through, and how wide it may be (metres): as wide as gaps
# that count as contact. Of a thing that touches with more corners than the engine takes contact
# points, it takes others every few steps; each change is a kick of up to a few tenths of a
# millimetre at the rim, without end and without getting anywhere.
_LONG, _CHATTER = 1.0, 5e-4


@dataclass
class RestWatch:
    """Called after each step; holds once for 0.1 s no point came farther than ``tol`` takes it.

    After a second that holds too once the means of two successive 0.1 s are that close, and no
    point was farther than half a millimetre from where it was at their begin.
    """

    tol: float
    at_rest: bool = False
    speed: float = 0.0
    """Of the 0.1 s of rest: how far the farthest point, or its mean, came in them."""
    _engine: Engine | None = None
    _since: FloatArray = field(default_factory=lambda: np.zeros((0, 7)))
    _calm: int = 0
    _far: float = 0.0
    _steps: int = 0
    _sum: FloatArray = field(default_factory=lambda: np.zeros((0, 7)))
    _begin: FloatArray = field(default_factory=lambda: np.zeros((0, 7)))
    _count: int = 0
    _wide: float = 0.0
    _before: tuple[FloatArray, float] | None = None

    def __call__(self, engine: Engine, data: mujoco.MjData) -> bool:
        """Whether all is at rest now."""
        poses = engine.poses(data)
        if engine is not self._engine:
            self._engine, self._before = engine, None
            self._restart(poses)
            self._calm, self._since, self._far = 0, poses, 0.0
            self._steps += 1
            return False
        self._calm += 1
        self._far = max(self._far, float(engine.moved(self._since, poses).max(initial=0.0)))
        if self._far >= self.tol * REST_TIME:
            self._calm, self._since, self._far = 0, poses, 0.0
        if self._calm >= _NEED:
            self.at_rest, self.speed = True, self._far / (_NEED * TIMESTEP)
        self._steps += 1
        if self._steps * TIMESTEP > _LONG and not self.at_rest:
            self._look_through(engine, poses)
        return self.at_rest

    def _restart(self, poses: FloatArray) -> None:
        self._sum, self._count, self._begin, self._wide = np.zeros_like(poses), 0, poses, 0.0

    def _look_through(self, engine: Engine, poses: FloatArray) -> None:
        """Compare the means of this and the last 0.1 s when this one is over."""
        self._wide = max(self._wide, float(engine.moved(self._begin, poses).max(initial=0.0)))
        self._sum += poses
        self._count += 1
        if self._count < _NEED:
            return
        mean, wide = self._sum / self._count, self._wide
        if self._before is not None and max(wide, self._before[1]) < _CHATTER:
            shift = float(engine.moved(self._before[0], mean).max(initial=0.0))
            if shift < self.tol * REST_TIME:
                self.at_rest, self.speed = True, shift / REST_TIME
        self._before = (mean, wide)
        self._restart(poses)
