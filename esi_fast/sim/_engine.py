"""A compiled MuJoCo model of some of the bodies.

Settings, each for a reason: the elliptic cone, because with the pyramidal one a box sinks into
the floor at high friction; ``impratio`` 10 and five no-slip iterations, because soft friction
creeps on a slope; contacts of two time steps' stiffness, because a thin board is fallen through
otherwise; convex pieces, never the hull of the whole, because a hull closes every cup.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import mujoco
import numpy as np

from esi_fast.sim._shapes import Body
from esi_fast.types import FloatArray, IntArray

__all__ = ["TIMESTEP", "Engine", "compile_engine", "contacts_of", "wxyz"]

TIMESTEP = 1.0 / 240.0
_TORSION, _ROLLING = 0.005, 0.0005


def wxyz(quaternions: FloatArray) -> FloatArray:
    """Quaternions (..., 4) from xyzw to the order that MuJoCo uses."""
    return np.asarray(quaternions[..., [3, 0, 1, 2]])


@dataclass(frozen=True, eq=False)
class Engine:
    """A model of the bodies ``rows``; only the poses of its fixed bodies ever change.

    ``covered`` (S, 2, 2) are the rectangles of floor (lower, upper) within which nothing was left
    out.
    """

    model: mujoco.MjModel
    rows: IntArray
    dynamic: IntArray
    fixed: IntArray
    radius: FloatArray
    covered: FloatArray

    def data(
        self, positions: FloatArray, orientations: FloatArray, velocities: FloatArray
    ) -> mujoco.MjData:
        """A fresh state at the poses and velocities of all bodies of the world."""
        self.place_fixed(positions, orientations)
        data = mujoco.MjData(self.model)
        rows = self.dynamic
        pose = np.concatenate([positions[rows], wxyz(orientations[rows])], axis=1)
        data.qpos[:] = pose.ravel()
        data.qvel[:] = velocities[rows].ravel()
        return data

    def place_fixed(self, positions: FloatArray, orientations: FloatArray) -> None:
        """The poses of fixed bodies are part of the model; write those of now."""
        body = np.searchsorted(self.rows, self.fixed) + 1
        self.model.body_pos[body] = positions[self.fixed]
        self.model.body_quat[body] = wxyz(orientations[self.fixed])

    def speeds(self, data: mujoco.MjData) -> FloatArray:
        """Speed of the fastest point of each dynamic body: linear plus angular times radius."""
        v = np.asarray(data.qvel).reshape(-1, 6)
        linear = np.sqrt((v[:, :3] ** 2).sum(axis=1))
        angular = np.sqrt((v[:, 3:] ** 2).sum(axis=1))
        return np.asarray(linear + angular * self.radius)


def compile_engine(
    bodies: Sequence[Body],
    positions: FloatArray,
    orientations: FloatArray,
    rows: IntArray,
    covered: FloatArray,
) -> Engine:
    """Compile the bodies ``rows`` (sorted) at the poses of now."""
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
    meshes: set[str] = set()
    for row in rows.tolist():
        _add_body(spec, bodies[row], positions[row], orientations[row], meshes)
    fixed = np.array([bodies[k].fixed for k in rows.tolist()], dtype=bool)
    dynamic = rows[~fixed]
    return Engine(
        model=spec.compile(),
        rows=rows,
        dynamic=dynamic,
        fixed=rows[fixed],
        radius=np.array([bodies[k].shape.radius for k in dynamic.tolist()]),
        covered=covered,
    )


def _add_body(
    spec: mujoco.MjSpec,
    body: Body,
    position: FloatArray,
    orientation: FloatArray,
    meshes: set[str],
) -> None:
    node = spec.worldbody.add_body(pos=position.tolist(), quat=wxyz(orientation).tolist())
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
            box = mujoco.mjtGeom.mjGEOM_BOX
            node.add_geom(type=box, pos=piece.center.tolist(), size=piece.half.tolist(), **common)
            continue
        name = f"{body.shape.key}/{number}"
        if name not in meshes:
            meshes.add(name)
            spec.add_mesh(
                name=name,
                uservert=piece.points.ravel().tolist(),
                inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_CONVEX,
            )
        node.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname=name, **common)


def contacts_of(
    engine: Engine, positions: FloatArray, orientations: FloatArray, touch: float
) -> tuple[IntArray, FloatArray]:
    """Pairs of world rows closer than ``touch`` (C, 2), and the depth of each (C,) >= 0.

    Computed on a state of its own: sleeping bodies would be left out of the engine's contacts,
    and a question must not change what happens next.
    """
    model = engine.model
    data = engine.data(positions, orientations, np.zeros((len(positions), 6)))
    flags, margin = int(model.opt.enableflags), float(model.opt.o_margin)
    model.opt.enableflags = int(mujoco.mjtEnableBit.mjENBL_OVERRIDE)
    model.opt.o_margin = 2.0 * touch
    try:
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_collision(model, data)
    finally:
        model.opt.enableflags, model.opt.o_margin = flags, margin
    geom = np.asarray(data.contact.geom).reshape(-1, 2)
    body = model.geom_bodyid[geom].reshape(-1, 2) - 1
    pairs = np.sort(engine.rows[body], axis=1).astype(np.int64)
    depth = -np.asarray(data.contact.dist, dtype=np.float64)
    near = depth >= -touch
    pairs, depth = pairs[near], np.maximum(depth[near], 0.0)
    unique, inverse = np.unique(pairs, axis=0, return_inverse=True)
    deepest = np.zeros(len(unique))
    np.maximum.at(deepest, inverse.ravel(), depth)
    return unique.reshape(-1, 2), deepest
