"""The rigid world: bodies with poses and speeds, moved by an engine that is built when needed.

Only what may move and what is near it is compiled and simulated. A body is *restless* from when
it comes, is moved or loses a neighbour until it has been seen at rest; bodies that rest far from
all restless ones stay as they are, to the bit.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Sequence
from typing import NamedTuple, NoReturn

import mujoco
import numpy as np

from esi_fast.geometry.transforms import quat_to_matrix
from esi_fast.sim._drive import Driven, run_servo
from esi_fast.sim._engine import TIMESTEP, Engine, Swing, compile_engine, contacts_of, tick
from esi_fast.sim._friction import FrictionPairs
from esi_fast.sim._rest import REST_TIME, RestWatch
from esi_fast.sim._shapes import Body
from esi_fast.types import BoolArray, FloatArray, IntArray

__all__ = ["RigidWorld", "Saved"]

# Gaps below this count as contact (metres): resting contacts of a soft solver hover around zero.
_TOUCH = 5e-4
# The engine holds everything within _REACH (metres, horizontally) of what was restless when it
# was built; it is rebuilt before a moving body comes within _MARGIN of that border.
_REACH, _MARGIN = 0.75, 0.25
# A resting body that moved less than this (metres; or this change of its quaternion) did not move.
_STIR = 1e-5
# Neighbours within this distance (metres) of a change may lose their support.
_NEAR = 0.01


class Saved(NamedTuple):
    """A saved state: the engine, a private copy of its data, poses, speeds, who is restless."""

    bodies: tuple[Body, ...]
    positions: FloatArray
    orientations: FloatArray
    velocities: FloatArray
    restless: BoolArray
    pairs: FrictionPairs
    engine: Engine | None
    data: mujoco.MjData | None
    flight: IntArray | None


class RigidWorld:
    """Bodies in a fixed order with poses (N, 3), (N, 4) xyzw and velocities (N, 6).

    Velocities are linear (world) then angular (body frame), as MuJoCo keeps them.
    """

    def __init__(self) -> None:
        self.bodies: tuple[Body, ...] = ()
        self.positions: FloatArray = np.zeros((0, 3))
        self.orientations: FloatArray = np.zeros((0, 4))
        self.velocities: FloatArray = np.zeros((0, 6))
        self._restless: BoolArray = np.zeros(0, dtype=bool)
        self._fixed: BoolArray = np.zeros(0, dtype=bool)
        self._local: FloatArray = np.zeros((0, 2, 3))
        self._pairs = FrictionPairs(())
        self._engine: Engine | None = None
        self._data: mujoco.MjData | None = None
        self._contact_engine: Engine | None = None

    # -- content ---------------------------------------------------------------------------

    def replace(
        self,
        bodies: Sequence[Body],
        positions: FloatArray,
        orientations: FloatArray,
        velocities: FloatArray,
    ) -> None:
        """Other bodies. Those that stay as they were keep their rest; their neighbours may not."""
        before = {body.id: row for row, body in enumerate(self.bodies)}
        boxes = self._boxes()
        kept = np.full(len(bodies), -1, dtype=np.int64)
        for row, body in enumerate(bodies):
            old = before.get(body.id, -1)
            if old >= 0 and (body is self.bodies[old] or body.same_as(self.bodies[old])):
                kept[row] = old
        rows = np.flatnonzero(kept >= 0)
        moved = (positions[rows] != self.positions[kept[rows]]).any(axis=1)
        moved |= (orientations[rows] != self.orientations[kept[rows]]).any(axis=1)
        kept[rows[moved]] = -1
        gone = np.setdiff1d(np.arange(len(self.bodies)), kept)
        restless = np.where(kept >= 0, self._restless[kept], True) if len(before) else None
        self._set_bodies(tuple(bodies))
        self._pairs = self._pairs.carried_to(bodies, kept)
        self.positions, self.orientations = positions.copy(), orientations.copy()
        self.velocities = velocities.copy()
        self._restless = np.ones(len(bodies), dtype=bool) if restless is None else restless
        self._disturb(boxes[gone])
        self._disturb(self._boxes()[kept < 0])
        self._engine = self._data = None

    def append(
        self, bodies: Sequence[Body], positions: FloatArray, orientations: FloatArray
    ) -> None:
        """More bodies behind those that are there, at rest.

        The same to the bit as ``replace`` with all of them, without looking at the old ones again.
        """
        first = len(self.bodies)
        self.bodies = (*self.bodies, *bodies)
        self._fixed = np.concatenate([self._fixed, [body.fixed for body in bodies]])
        self._local = np.concatenate([self._local, _local_boxes(bodies)])
        self._pairs = self._pairs.extended(bodies)
        self.positions = np.concatenate([self.positions, positions])
        self.orientations = np.concatenate([self.orientations, orientations])
        self.velocities = np.concatenate([self.velocities, np.zeros((len(bodies), 6))])
        self._restless = np.concatenate([self._restless, np.ones(len(bodies), dtype=bool)])
        self._disturb(self._boxes(np.arange(first, len(self.bodies))))
        self._engine = self._data = self._contact_engine = None

    def _set_bodies(self, bodies: tuple[Body, ...]) -> None:
        self.bodies = bodies
        self._fixed = np.array([body.fixed for body in bodies], dtype=bool)
        self._local = _local_boxes(bodies)
        self._contact_engine = None

    def place(self, rows: IntArray, positions: FloatArray, orientations: FloatArray) -> None:
        """Put bodies at poses, at rest; everything else keeps its pose and velocity."""
        self._disturb(self._boxes(rows))
        self.positions[rows] = positions
        self.orientations[rows] = orientations
        self.velocities[rows] = 0.0
        self._restless[rows] = True
        self._pairs.stop(rows)
        self._disturb(self._boxes(rows))
        self._data = None  # a fresh state: nothing of the solver's memory survives a jump

    def save(self) -> Saved:
        """A token for ``restore``."""
        return Saved(
            self.bodies,
            self.positions.copy(),
            self.orientations.copy(),
            self.velocities.copy(),
            self._restless.copy(),
            self._pairs.copy(),
            self._engine,
            copy.copy(self._data) if self._data is not None else None,
            self._engine.flight.copy() if self._engine is not None else None,
        )

    def restore(self, saved: Saved) -> None:
        """Back to a token, including the solver's warm start: the future is the same too."""
        if saved.bodies is not self.bodies:
            self._set_bodies(saved.bodies)
        self.positions = saved.positions.copy()
        self.orientations = saved.orientations.copy()
        self.velocities = saved.velocities.copy()
        self._restless = saved.restless.copy()
        self._pairs = saved.pairs.copy()
        self._engine = saved.engine
        self._data = copy.copy(saved.data) if saved.data is not None else None
        if self._engine is not None and saved.flight is not None:
            self._engine.place_fixed(self.positions, self.orientations)
            self._engine.flight[:] = saved.flight

    @property
    def movable(self) -> IntArray:
        """Rows of the bodies that physics moves."""
        return np.flatnonzero(~self._fixed)

    # -- what is near what -----------------------------------------------------------------

    def _boxes(self, rows: IntArray | None = None) -> FloatArray:
        """World boxes (K, 2, 3) of the collision shapes, a little large when turned."""
        pick = slice(None) if rows is None else rows
        local = self._local[pick]
        if len(local) == 0:
            return np.zeros((0, 2, 3))
        turn = quat_to_matrix(self.orientations[pick])
        middle = np.einsum("kij,kj->ki", turn, local.mean(axis=1)) + self.positions[pick]
        half = np.einsum("kij,kj->ki", np.abs(turn), (local[:, 1] - local[:, 0]) / 2)
        return np.stack([middle - half, middle + half], axis=1)

    def _disturb(self, boxes: FloatArray) -> None:
        """Movable bodies at these boxes may move now."""
        if len(boxes) and len(self.bodies):
            self._restless |= _overlap(self._boxes(), boxes, _NEAR).any(axis=1) & ~self._fixed

    def _prepare(self) -> tuple[Engine, mujoco.MjData] | None:
        """The engine for what is restless now, rebuilt where the old one does not cover it."""
        active = np.flatnonzero(self._restless & ~self._fixed)
        if len(active) == 0:
            return None
        boxes = self._boxes()
        engine = self._engine
        if engine is None or not self._still_good(engine, active, boxes):
            covered = boxes[active, :, :2] + np.array([[-_REACH], [_REACH]])
            near = _overlap(boxes[:, :, :2], covered, 0.0).any(axis=1)
            engine = self._engine = compile_engine(
                self.bodies, self.positions, self.orientations, np.flatnonzero(near), covered
            )
            self._data = None
        if self._data is None:
            engine.flight[:] = 0
            self._data = engine.data(self.positions, self.orientations, self.velocities)
        return engine, self._data

    @staticmethod
    def _still_good(engine: Engine, active: IntArray, boxes: FloatArray) -> bool:
        if not np.isin(active, engine.dynamic).all():
            return False
        near = _overlap(boxes[:, :, :2], engine.covered, 0.0).any(axis=1)
        return bool(
            np.isin(np.flatnonzero(near), engine.rows).all()
            and _inside(boxes[active, :, :2], engine.covered).all()
        )

    # -- time ------------------------------------------------------------------------------

    def advance(
        self, steps: int, *, until: Callable[[Engine, mujoco.MjData], bool] | None = None
    ) -> tuple[int, float]:
        """Run ``steps`` time steps or until ``until`` holds; (steps done, last speed).

        ``FloatingPointError`` names the bodies when the physics diverges; poses are then those
        before the call.
        """
        state = self._state()
        ready = self._prepare()
        if ready is None:
            return (0 if until is not None else steps), 0.0
        engine, data = ready
        pairs = self._pairs
        pairs.write(engine)
        speed = float(engine.speeds(data).max())
        done, travelled = 0, 0.0
        while done < steps:
            if pairs:
                pairs.before_step(engine, data, speed)
            speed = tick(engine, data, speed)
            done += 1
            if not math.isfinite(speed):
                self._undo(state, data, engine)
            if pairs:
                pairs.after_step(engine, data)
            if until is not None and until(engine, data):
                break
            travelled += speed * TIMESTEP
            if travelled > _MARGIN / 2:
                travelled = 0.0
                if not self._contained(engine, data):
                    self._read(engine, data)
                    self._mark(state, engine)
                    ready = self._prepare()
                    if ready is None:  # cannot be: something moved
                        raise RuntimeError("nothing is restless although a body moves")
                    engine, data = ready
                    pairs.forget()
                    pairs.write(engine)
        self._read(engine, data)
        self._mark(state, engine)
        return done, speed

    def _state(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        return self.positions.copy(), self.orientations.copy(), self.velocities.copy()

    def _undo(
        self,
        state: tuple[FloatArray, FloatArray, FloatArray],
        data: mujoco.MjData,
        engine: Engine,
    ) -> NoReturn:
        pose = np.isfinite(np.asarray(data.qpos)[engine.qpos]).all(axis=1)
        speed = np.isfinite(np.asarray(data.qvel)[engine.qvel]).all(axis=1)
        names = [self.bodies[int(k)].id for k in engine.dynamic[~(pose & speed)]]
        self.positions, self.orientations, self.velocities = state
        self._data = None
        self._pairs.forget()
        raise FloatingPointError(f"physics diverged for {names}; poses are those before the call")

    def _mark(self, state: tuple[FloatArray, FloatArray, FloatArray], engine: Engine) -> None:
        """What moved since ``state`` is restless."""
        rows = engine.dynamic
        moved = np.abs(self.positions[rows] - state[0][rows]).max(axis=1) > 1e-6
        turned = np.abs(self.orientations[rows] - state[1][rows]).max(axis=1) > 1e-6
        self._restless[rows[moved | turned]] = True

    def _contained(self, engine: Engine, data: mujoco.MjData) -> bool:
        moving = engine.speeds(data) > 1e-3
        reach = engine.radius[moving, None]
        at = np.asarray(data.qpos)[engine.qpos][moving, :2]
        return bool(_inside(np.stack([at - reach, at + reach], axis=1), engine.covered).all())

    def _read(self, engine: Engine, data: mujoco.MjData) -> None:
        """Take poses and speeds over; bodies at rest that hardly stirred keep theirs to the bit."""
        rows = engine.dynamic
        pose = np.asarray(data.qpos)[engine.qpos]
        position, orientation = pose[:, :3], pose[:, [4, 5, 6, 3]]
        change = np.abs(position - self.positions[rows]).max(axis=1)
        turn = np.abs(orientation - self.orientations[rows]).max(axis=1)
        taken = self._restless[rows] | (np.maximum(change, turn) > _STIR)
        self.positions[rows[taken]] = position[taken]
        self.orientations[rows[taken]] = orientation[taken]
        self.velocities[rows[taken]] = np.asarray(data.qvel)[engine.qvel][taken]

    def settle(self, max_time: float, tol: float) -> tuple[bool, float, float, float]:
        """(at rest, seconds, speed, deepest overlap) of what was simulated.

        At rest is when for 0.1 s no point has come farther than ``tol`` would take it: contacts of
        thin things chatter without getting anywhere, which is rest too (``RestWatch``). The
        speed is that of these 0.1 s then, and that of the last step otherwise.
        """
        watch = RestWatch(tol)
        steps = max(round(REST_TIME / TIMESTEP) + 1, math.ceil(max_time / TIMESTEP))
        done, speed = self.advance(steps, until=watch)
        engine = self._engine
        if done == 0 or engine is None:
            return True, 0.0, 0.0, 0.0
        _, depth = contacts_of(engine, self.positions, self.orientations, _TOUCH)
        if watch.at_rest:
            self._restless[engine.dynamic] = False
            self.velocities[engine.dynamic] = 0.0
            speed = watch.speed
        return watch.at_rest, done * TIMESTEP, speed, float(depth.max(initial=0.0))

    def drive(
        self,
        row: int,
        swings: Sequence[Swing],
        angles: FloatArray,
        passes: Callable[[int, bool], bool],
    ) -> Driven:
        """Turn the hinges of a body by ``angles`` (H,), with the force of a hand.

        What it moves is moved; its own shape is for the caller to change. Bodies for which
        ``passes(row, meets)`` holds are no obstacle; ``meets`` says whether they meet it now.
        ``FloatingPointError`` when the physics diverges; poses are then those before the call.
        """
        state = self._state()
        reach = 2.0 * self.bodies[row].shape.radius
        box = self._boxes(np.array([row])) + np.array([[-reach], [reach]])
        boxes = self._boxes()
        covered = box[:, :, :2] + np.array([[-_REACH], [_REACH]])
        near = np.flatnonzero(_overlap(boxes[:, :, :2], covered, 0.0).any(axis=1))
        meets = _overlap(boxes, boxes[row : row + 1], _NEAR)[:, 0]
        apart = [k for k in near.tolist() if k != row and passes(k, bool(meets[k]))]
        engine = compile_engine(
            self.bodies,
            self.positions,
            self.orientations,
            near,
            covered,
            swings={row: swings},
            apart=apart,
        )
        data = engine.data(self.positions, self.orientations, self.velocities)
        self._pairs.forget()
        self._pairs.write(engine)
        try:
            driven = run_servo(engine, data, self.bodies[row].shape, swings, angles)
        except FloatingPointError:
            self._undo(state, data, engine)
        self._restless |= _overlap(boxes, box, 0.0).any(axis=1) & ~self._fixed
        self._read(engine, data)
        self._mark(state, engine)
        self._engine = self._data = None
        return driven

    def touching(self) -> tuple[IntArray, FloatArray]:
        """Pairs of rows in contact (C, 2) and the depth of each (C,), deepest per pair."""
        movable = self.movable
        if len(movable) == 0:
            return np.zeros((0, 2), dtype=np.int64), np.zeros(0)
        boxes = self._boxes()
        near = np.flatnonzero(_overlap(boxes, boxes[movable], _NEAR).any(axis=1))
        engine = self._contact_engine
        if engine is None or not np.isin(near, engine.rows).all():
            engine = self._contact_engine = compile_engine(
                self.bodies, self.positions, self.orientations, near, np.zeros((0, 2, 2))
            )
        return contacts_of(engine, self.positions, self.orientations, _TOUCH)


def _local_boxes(bodies: Sequence[Body]) -> FloatArray:
    """Boxes (N, 2, 3) of the shapes in the frames of their bodies."""
    return np.array([[body.shape.lower, body.shape.upper] for body in bodies]).reshape(-1, 2, 3)


def _overlap(boxes: FloatArray, others: FloatArray, gap: float) -> BoolArray:
    """(N, M): whether boxes (N, 2, D) come within ``gap`` of others (M, 2, D) on every axis."""
    low = boxes[:, None, 0] <= others[None, :, 1] + gap
    high = others[None, :, 0] <= boxes[:, None, 1] + gap
    return np.asarray((low & high).all(axis=2))


def _inside(boxes: FloatArray, rectangles: FloatArray) -> BoolArray:
    """(N,): whether each rectangle (N, 2, 2), grown by the margin, lies in one of the others."""
    low = boxes[:, None, 0] - _MARGIN >= rectangles[None, :, 0]
    high = boxes[:, None, 1] + _MARGIN <= rectangles[None, :, 1]
    each = np.asarray((low & high).all(axis=2))
    return np.asarray(each.any(axis=1))
