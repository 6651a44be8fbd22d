"""Rigid bodies on MuJoCo: convex pieces, exact friction thresholds, repeatable to the bit.

Settings, each for a reason: the elliptic cone, because with the pyramidal one a box sinks into
the floor at high friction; ``impratio`` 10 and five no-slip iterations, because soft friction
creeps on a slope; contacts of two time steps' stiffness and shorter steps for fast bodies,
because a thin board is fallen through otherwise; convex pieces, never the hull of the whole,
because a hull closes every cup.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import mujoco
import numpy as np
from scipy.spatial import ConvexHull, QhullError

from esi_fast import assets
from esi_fast.sim._hinges import hinge_pose
from esi_fast.types import FloatArray, IntArray

__all__ = ["TIMESTEP", "Body", "RigidWorld", "Saved", "Shape", "shape_of"]

TIMESTEP = 1.0 / 240.0
# A body covers at most this distance per step (metres), up to _MAX_SUBSTEPS: half the thickness
# of the thinnest boards in the inventory.
_TRAVEL = 0.003
_MAX_SUBSTEPS = 8
_TORSION, _ROLLING = 0.005, 0.0005
# Gaps below this count as contact (metres): resting contacts of a soft solver hover around zero.
_TOUCH = 5e-4
# Speeds have to stay below the tolerance for this long (seconds) to count as rest.
_REST_TIME = 0.1


class Piece(NamedTuple):
    """A convex piece: a box (``half`` given) or the hull of ``points`` (K, 3); with its volume."""

    points: FloatArray
    center: FloatArray
    half: FloatArray | None
    volume: float


@dataclass(frozen=True)
class Shape:
    """The pieces of a scaled asset with its mass, friction and bounding radius."""

    key: str
    pieces: tuple[Piece, ...]
    mass: float
    friction: float
    radius: float


@dataclass(frozen=True)
class Body:
    """One object of the rigid world. ``friction`` is absolute; ``priority`` makes it decide."""

    id: str
    shape: Shape
    fixed: bool
    mass: float
    friction: float
    priority: int = 0


def _piece(points: FloatArray) -> Piece:
    lower, upper = points.min(axis=0), points.max(axis=0)
    center, half = (lower + upper) / 2, (upper - lower) / 2
    at_corner = np.abs(np.abs(points - center) - half) <= 1e-9 * max(1.0, float(half.max()))
    corners = {tuple(c) for c in (points > center).tolist()}
    if bool(at_corner.all()) and len(corners) == 8:
        return Piece(points, center, half, float(8.0 * np.prod(half)))
    volume = float(ConvexHull(points).volume)
    return Piece(points, center, None, volume)


@lru_cache(maxsize=4096)
def shape_of(
    category: str, model: str, scale: tuple[float, float, float], opened: float = 0.0
) -> Shape:
    """The collision shape of an asset at a scale and opening; its mass grows with the volume.

    ``ValueError`` names the asset and the piece when a piece is flat.
    """
    asset = assets.get(category, model)
    factor = np.asarray(scale)
    moved = {
        piece: hinge_pose(hinge, factor, opened) for hinge in asset.hinges for piece in hinge.convex
    }
    pieces = []
    for number, corners in enumerate(asset.convex):
        points = np.asarray(corners, dtype=np.float64) * factor
        if opened != 0.0 and number in moved:
            points = points @ moved[number][:3, :3].T + moved[number][:3, 3]
        try:
            pieces.append(_piece(points))
        except QhullError as error:
            raise ValueError(
                f"asset {category}/{model}: convex piece {number} has no volume"
            ) from error
    radius = max(float(np.linalg.norm(p.points, axis=1).max()) for p in pieces)
    return Shape(
        key="/".join([category, model, *(repr(v) for v in (*scale, opened))]),
        pieces=tuple(pieces),
        mass=float(asset.mass * np.prod(factor)),
        friction=asset.friction,
        radius=radius,
    )


class Saved(NamedTuple):
    """A saved state: immutable model, a private copy of the engine's data, poses and speeds."""

    bodies: tuple[Body, ...]
    positions: FloatArray
    orientations: FloatArray
    velocities: FloatArray
    model: mujoco.MjModel | None
    data: mujoco.MjData | None


class RigidWorld:
    """Bodies in a fixed order with poses (N, 3), (N, 4) xyzw and velocities (N, 6).

    The engine is built when physics is asked for, so that loading, adding and looking cost
    nothing; velocities are linear (world) then angular (body frame), as MuJoCo keeps them.
    """

    def __init__(self) -> None:
        self.bodies: tuple[Body, ...] = ()
        self.positions: FloatArray = np.zeros((0, 3))
        self.orientations: FloatArray = np.zeros((0, 4))
        self.velocities: FloatArray = np.zeros((0, 6))
        self._model: mujoco.MjModel | None = None
        self._data: mujoco.MjData | None = None

    # -- content ---------------------------------------------------------------------------

    def replace(
        self,
        bodies: Sequence[Body],
        positions: FloatArray,
        orientations: FloatArray,
        velocities: FloatArray,
    ) -> None:
        """Other bodies: the engine is rebuilt at the next question."""
        self.bodies = tuple(bodies)
        self.positions, self.orientations = positions.copy(), orientations.copy()
        self.velocities = velocities.copy()
        self._model = self._data = None

    def place(self, rows: IntArray, positions: FloatArray, orientations: FloatArray) -> None:
        """Put bodies at poses, at rest; everything else keeps its pose and velocity."""
        self.positions[rows] = positions
        self.orientations[rows] = orientations
        self.velocities[rows] = 0.0
        self._data = None  # a fresh state: nothing of the solver's memory survives a jump

    def save(self) -> Saved:
        """A token for ``restore``."""
        return Saved(
            self.bodies,
            self.positions.copy(),
            self.orientations.copy(),
            self.velocities.copy(),
            self._model,
            copy.copy(self._data) if self._data is not None else None,
        )

    def restore(self, saved: Saved) -> None:
        """Back to a token, including the solver's warm start: the future is the same too."""
        self.bodies = saved.bodies
        self.positions = saved.positions.copy()
        self.orientations = saved.orientations.copy()
        self.velocities = saved.velocities.copy()
        self._model = saved.model
        self._data = copy.copy(saved.data) if saved.data is not None else None
        if self._model is not None:
            self._write_static(self._model)

    # -- engine ----------------------------------------------------------------------------

    @property
    def movable(self) -> IntArray:
        """Rows of the bodies that physics moves."""
        return np.array([k for k, b in enumerate(self.bodies) if not b.fixed], dtype=np.int64)

    def _engine(self) -> tuple[mujoco.MjModel, mujoco.MjData]:
        if self._model is None:
            self._model = self._compile()
            self._data = None
        if self._data is None:
            self._write_static(self._model)
            self._data = mujoco.MjData(self._model)
            self._write(self._data)
        return self._model, self._data

    def _compile(self) -> mujoco.MjModel:
        spec = mujoco.MjSpec()
        spec.compiler.alignfree = False
        spec.compiler.usethread = False
        option = spec.option
        option.timestep = TIMESTEP
        option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
        option.impratio = 10.0
        option.noslip_iterations = 5
        option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
        option.enableflags = int(mujoco.mjtEnableBit.mjENBL_SLEEP)
        option.disableflags = int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)
        meshes: dict[str, None] = {}
        for row, body in enumerate(self.bodies):
            node = spec.worldbody.add_body(
                name=f"b{row}",
                pos=self.positions[row].tolist(),
                quat=_wxyz(self.orientations[row]).tolist(),
            )
            if not body.fixed:
                node.add_freejoint()
            total = sum(piece.volume for piece in body.shape.pieces)
            for number, piece in enumerate(body.shape.pieces):
                common = {
                    "mass": body.mass * piece.volume / total,
                    "friction": [body.friction, _TORSION, _ROLLING],
                    "condim": 3 if body.fixed else 6,
                    "priority": body.priority,
                    # Bodies fixed to the world never meet each other.
                    "contype": 1 if body.fixed else 3,
                    "conaffinity": 2 if body.fixed else 3,
                    "solref": [2.0 * TIMESTEP, 1.0],
                    "solimp": [0.95, 0.99, 0.0005, 0.5, 2.0],
                }
                if piece.half is not None:
                    node.add_geom(
                        type=mujoco.mjtGeom.mjGEOM_BOX,
                        pos=piece.center.tolist(),
                        size=piece.half.tolist(),
                        **common,
                    )
                    continue
                name = f"{body.shape.key}/{number}"
                if name not in meshes:
                    meshes[name] = None
                    spec.add_mesh(
                        name=name,
                        uservert=piece.points.ravel().tolist(),
                        inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_CONVEX,
                    )
                node.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname=name, **common)
        return spec.compile()

    def _write_static(self, model: mujoco.MjModel) -> None:
        """Poses of fixed bodies are part of the model; write those of now."""
        fixed = np.array([k for k, b in enumerate(self.bodies) if b.fixed], dtype=np.int64)
        model.body_pos[fixed + 1] = self.positions[fixed]
        model.body_quat[fixed + 1] = _wxyz(self.orientations[fixed])

    def _write(self, data: mujoco.MjData) -> None:
        rows = self.movable
        pose = np.concatenate([self.positions[rows], _wxyz(self.orientations[rows])], axis=1)
        data.qpos[:] = pose.ravel()
        data.qvel[:] = self.velocities[rows].ravel()

    def _read(self, data: mujoco.MjData) -> None:
        rows = self.movable
        pose = np.asarray(data.qpos).reshape(-1, 7)
        if not np.isfinite(pose).all():
            bad = [self.bodies[int(rows[k])].id for k in np.flatnonzero(~np.isfinite(pose).all(1))]
            self._data = None
            raise FloatingPointError(f"physics diverged for {bad}; poses are those before the call")
        self.positions[rows] = pose[:, :3]
        self.orientations[rows] = pose[:, [4, 5, 6, 3]]
        self.velocities[rows] = np.asarray(data.qvel).reshape(-1, 6)

    def advance(
        self, steps: int, *, until: Callable[[float], bool] | None = None
    ) -> tuple[int, float]:
        """Run ``steps`` time steps or until ``until(max_speed)``; (steps done, last speed).

        The speed of a body is that of its fastest point: linear plus angular times radius.
        """
        rows = self.movable
        if len(rows) == 0:
            return 0, 0.0
        model, data = self._engine()
        radius = np.array([self.bodies[int(k)].shape.radius for k in rows])
        speed = self._speed(data, radius)
        done = 0
        for _ in range(steps):
            parts = min(
                _MAX_SUBSTEPS, max(1, math.ceil((speed + 9.81 * TIMESTEP) * TIMESTEP / _TRAVEL))
            )
            model.opt.timestep = TIMESTEP / parts
            mujoco.mj_step(model, data, parts)
            done += 1
            speed = self._speed(data, radius)
            if not math.isfinite(speed) or (until is not None and until(speed)):
                break
        self._read(data)
        return done, speed

    @staticmethod
    def _speed(data: mujoco.MjData, radius: FloatArray) -> float:
        v = np.asarray(data.qvel).reshape(-1, 6)
        linear = np.sqrt((v[:, :3] ** 2).sum(axis=1))
        angular = np.sqrt((v[:, 3:] ** 2).sum(axis=1))
        return float((linear + angular * radius).max())

    def settle(self, max_time: float, tol: float) -> tuple[bool, float, float]:
        """(at rest, seconds, last speed): until all speeds stay below ``tol`` for a while."""
        need = max(1, round(_REST_TIME / TIMESTEP))
        calm = 0

        def resting(speed: float) -> bool:
            nonlocal calm
            calm = calm + 1 if speed < tol else 0
            return calm >= need

        steps = max(need, math.ceil(max_time / TIMESTEP))
        done, speed = self.advance(steps, until=resting)
        at_rest = len(self.movable) == 0 or calm >= need
        return at_rest, done * TIMESTEP, speed

    def touching(self) -> tuple[IntArray, FloatArray]:
        """Pairs of rows in contact (C, 2) and the depth of each (C,), deepest per pair.

        Asked of a copy: the engine leaves sleeping bodies out, and a question must not change
        what happens next.
        """
        if len(self.movable) == 0:
            return np.zeros((0, 2), dtype=np.int64), np.zeros(0)
        model, _ = self._engine()
        data = mujoco.MjData(model)
        self._write(data)
        flags, margin = int(model.opt.enableflags), float(model.opt.o_margin)
        model.opt.enableflags = int(mujoco.mjtEnableBit.mjENBL_OVERRIDE)
        model.opt.o_margin = 2.0 * _TOUCH
        try:
            mujoco.mj_kinematics(model, data)
            mujoco.mj_comPos(model, data)
            mujoco.mj_collision(model, data)
        finally:
            model.opt.enableflags, model.opt.o_margin = flags, margin
        geom = np.asarray(data.contact.geom).reshape(-1, 2)
        rows = np.sort(model.geom_bodyid[geom].reshape(-1, 2) - 1, axis=1).astype(np.int64)
        depth = -np.asarray(data.contact.dist, dtype=np.float64)
        near = depth >= -_TOUCH
        rows, depth = rows[near], np.maximum(depth[near], 0.0)
        pairs, inverse = np.unique(rows, axis=0, return_inverse=True)
        deepest = np.zeros(len(pairs))
        np.maximum.at(deepest, inverse.ravel(), depth)
        return pairs.reshape(-1, 2), deepest


def _wxyz(quaternions: FloatArray) -> FloatArray:
    return np.asarray(quaternions[..., [3, 0, 1, 2]])
