"""Static and dynamic friction on an engine that knows one coefficient.

A body holds with its static coefficient until it slides, and slides with its dynamic one until it
stops. It counts as sliding once a contact slips faster than 0.03 m/s for two steps, and as stopped
below 5 mm/s. Waiting for the two steps would let the static coefficient brake the first
centimetres, so the look is ahead: a copy of the world runs on with static friction, and where a
body slides there, the real one is given its dynamic coefficient from the step in which the slip
began. While it slides, the coefficient of its fastest contact holds for all its contacts.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from typing import NamedTuple

import mujoco
import numpy as np

from esi_fast.sim._engine import Engine, tick
from esi_fast.sim._shapes import Body
from esi_fast.types import BoolArray, FloatArray, IntArray

__all__ = ["FrictionPairs"]

_SLIDES, _STOPS, _BEGINS = 0.03, 0.005, 0.001  # slip in m/s
_STEPS = 2
_HORIZON = 120  # steps that a look reaches ahead: what slides at 0.06 m/s^2 or more is seen
_STICKS, _STARTS, _MOVES = 0, 1, 2


class _Slip(NamedTuple):
    """Per dynamic body: its fastest slip in m/s and the dynamic coefficient of that contact.

    NaN for what touches nothing: a hop neither begins nor ends a slide.
    """

    speed: FloatArray
    mu: FloatArray


class FrictionPairs:
    """Which of the bodies slide. One row per body; empty of work where no body has a pair."""

    def __init__(self, bodies: Sequence[Body]) -> None:
        self._static = np.array([body.friction for body in bodies])
        self._dynamic = np.array([body.dynamic for body in bodies])
        self._priority = np.array([body.priority for body in bodies], dtype=np.int64)
        self._pair: BoolArray = self._dynamic < self._static
        self._any = bool(self._pair.any())
        self._state = np.zeros(len(bodies), dtype=np.int64)
        self._age = np.zeros(len(bodies), dtype=np.int64)
        self._mu = self._static.copy()
        self._known = 0  # steps for which the last look holds
        self._next: tuple[int, int, float] | None = None  # steps from now, row, its coefficient

    def __bool__(self) -> bool:
        return self._any

    def carried_to(self, bodies: Sequence[Body], kept: IntArray) -> FrictionPairs:
        """The same for other bodies: ``kept`` (N,) are the rows they had here, -1 if new."""
        other = FrictionPairs(bodies)
        if other and self:
            old = kept >= 0
            other._state[old] = self._state[kept[old]]
            other._age[old] = self._age[kept[old]]
            other._mu[old] = self._mu[kept[old]]
        return other

    def extended(self, bodies: Sequence[Body]) -> FrictionPairs:
        """The same with more bodies behind those of here; what was foreseen no longer holds."""
        new, other = FrictionPairs(bodies), copy.copy(self)
        for name in ("_static", "_dynamic", "_priority", "_pair", "_state", "_age", "_mu"):
            setattr(other, name, np.concatenate([getattr(self, name), getattr(new, name)]))
        other._any = self._any or new._any
        other.forget()
        return other

    def copy(self) -> FrictionPairs:
        """A copy that the future of this one does not touch."""
        other = copy.copy(self)
        for name in ("_state", "_age", "_mu"):
            setattr(other, name, getattr(self, name).copy())
        return other

    def stop(self, rows: IntArray) -> None:
        """Bodies that were put somewhere hold there; what was foreseen no longer holds."""
        self._state[rows] = _STICKS
        self.forget()

    def forget(self) -> None:
        """The world has changed: look again."""
        self._known, self._next = 0, None

    def write(self, engine: Engine) -> None:
        """Give the engine the coefficients of now."""
        if not self._any:
            return
        row = engine.row_of[engine.model.geom_bodyid]
        sliding = self._state[row] != _STICKS
        engine.model.geom_friction[:, 0] = np.where(sliding, self._mu[row], self._static[row])
        # The coefficient of what slides decides.
        engine.model.geom_priority[:] = np.where(sliding, 2, self._priority[row])

    def before_step(self, engine: Engine, data: mujoco.MjData, speed: float) -> None:
        """Let bodies begin to slide whose time has come; looks ahead where that is not known."""
        while True:
            if self._known <= 0:
                self._look(engine, data, speed)
            if self._next is None or self._next[0] > 0:
                return
            _, row, mu = self._next
            self._state[row], self._age[row], self._mu[row] = _STARTS, 0, mu
            self.forget()
            self.write(engine)

    def after_step(self, engine: Engine, data: mujoco.MjData) -> None:
        """Count the step; bodies that have stopped hold again."""
        self._known -= 1
        if self._next is not None:
            self._next = (self._next[0] - 1, *self._next[1:])
        rows = engine.dynamic
        active = self._state[rows] != _STICKS
        if not active.any():
            return
        slip = self._slip(engine, data)
        self._age[rows] += 1
        fast = active & (slip.speed > _SLIDES)
        self._state[rows[fast]] = _MOVES
        ripe = (self._state[rows] == _MOVES) | (self._age[rows] > _HORIZON)
        stopped = active & ripe & (slip.speed < _STOPS)
        moved_on = fast & (slip.mu != self._mu[rows])
        if stopped.any() or moved_on.any():
            self._mu[rows[moved_on]] = slip.mu[moved_on]
            self._state[rows[stopped]] = _STICKS
            self.forget()
            self.write(engine)

    def _look(self, engine: Engine, data: mujoco.MjData, speed: float) -> None:
        """Run a copy with the coefficients of now: who slides first, and from which step?"""
        self._known, self._next = _HORIZON, None
        if (self._state[engine.dynamic] == _STICKS).any():
            flight = engine.flight.copy()
            self._run_ahead(engine, copy.copy(data), speed)
            engine.flight[:] = flight

    def _run_ahead(self, engine: Engine, ahead: mujoco.MjData, speed: float) -> None:
        rows = engine.dynamic
        sticks = self._state[rows] == _STICKS
        begun = np.zeros(len(rows), dtype=np.int64)
        fast = np.zeros(len(rows), dtype=np.int64)
        for step in range(1, _HORIZON + 1):
            speed = tick(engine, ahead, speed)
            if not math.isfinite(speed):
                self._known = step
                return
            slip = self._slip(engine, ahead)
            # What has not come down yet begins when it does.
            begun[(slip.speed < _BEGINS) | (np.isnan(slip.speed) & (begun == step - 1))] = step
            fast = np.where(sticks & (slip.speed > _SLIDES), fast + 1, 0)
            slides = np.flatnonzero(fast >= _STEPS)
            if len(slides):
                first = slides[np.argmin(begun[slides])]
                self._next = (int(begun[first]), int(rows[first]), float(slip.mu[first]))
                return

    def _slip(self, engine: Engine, data: mujoco.MjData) -> _Slip:
        """The fastest slip of each dynamic body over its contacts that have a pair."""
        model = engine.model
        speed, mu = np.full(len(engine.dynamic), np.nan), self._static[engine.dynamic].copy()
        if data.ncon == 0:
            return _Slip(speed, mu)
        touching = np.asarray(data.contact.efc_address) >= 0
        body = model.geom_bodyid[np.asarray(data.contact.geom)[touching]]
        row = engine.row_of[body]
        paired = self._pair[row].any(axis=1)
        if not paired.any():
            return _Slip(speed, mu)
        body, row = body[paired], row[paired]
        point = np.asarray(data.contact.pos)[touching][paired]
        normal = np.asarray(data.contact.frame)[touching][paired].reshape(-1, 9)[:, :3]
        # Velocity of every body at its origin and its turning, in world axes.
        linear, angular = np.zeros((model.nbody, 3)), np.zeros((model.nbody, 3))
        own = engine.body[np.isin(engine.rows, engine.dynamic)]
        velocity = np.asarray(data.qvel)[engine.qvel]
        linear[own] = velocity[:, :3]
        turn = np.asarray(data.xmat).reshape(-1, 3, 3)[own]
        angular[own] = np.einsum("nij,nj->ni", turn, velocity[:, 3:])
        at = np.asarray(data.xpos)
        moves = [
            linear[body[:, k]] + np.cross(angular[body[:, k]], point - at[body[:, k]])
            for k in (0, 1)
        ]
        relative = moves[1] - moves[0]
        relative -= (relative * normal).sum(axis=1, keepdims=True) * normal
        slip = np.linalg.norm(relative, axis=1)
        priority, value = self._priority[row], self._dynamic[row]
        coefficient = np.where(
            priority[:, 0] == priority[:, 1],
            value.max(axis=1),
            np.where(priority[:, 0] > priority[:, 1], value[:, 0], value[:, 1]),
        )
        place = np.full(len(self._static), -1, dtype=np.int64)
        place[engine.dynamic] = np.arange(len(engine.dynamic))
        for contact in np.argsort(slip, kind="stable").tolist():
            for owner in place[row[contact]].tolist():
                if owner >= 0:
                    speed[owner], mu[owner] = slip[contact], coefficient[contact]
        return _Slip(speed, mu)
