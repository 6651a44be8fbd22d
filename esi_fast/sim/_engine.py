"""A compiled MuJoCo model of some of the bodies.

Settings, each for a reason: the elliptic cone, because with the pyramidal one a box sinks into
the floor at high friction; ``impratio`` 50, because soft friction creeps on a slope (with 50 by
0.01 mm a second at most), and no no-slip iterations, because with rolling friction they make thin
things chatter for ever; contacts of two time steps' stiffness, because a thin board is fallen
through otherwise; convex pieces, never the hull of the whole, because a hull closes every cup.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import mujoco
import numpy as np

from esi_fast.sim._shapes import Body, Piece
from esi_fast.types import FloatArray, IntArray

__all__ = [
    "TIMESTEP",
    "Engine",
    "Swing",
    "compile_engine",
    "contacts_of",
    "tick",
    "wxyz",
]

TIMESTEP = 1.0 / 240.0
_TORSION, _ROLLING = 0.005, 0.0005
# A body covers at most this distance per step (metres), up to _MAX_SUBSTEPS: half the thickness
# of the thinnest boards in the inventory.
_TRAVEL = 0.003
_MAX_SUBSTEPS = 8
_CONTACT_TIME = 2.0 * TIMESTEP  # time constant of a contact: the least that is stable
# Fast steps without a contact from which a body flies (a box that slides hops for up to ten), and
# steps for which it counts as landing; how much more than critically an impact is damped.
_FLIGHT, _LANDING, _IMPACT_DAMPING = 20, 4, 1.5
# What the hand that moves a lid or door adds to its inertia (kg m^2): it keeps the servo soft.
_HAND_INERTIA = 0.05


def wxyz(quaternions: FloatArray) -> FloatArray:
    """Quaternions (..., 4) from xyzw to the order that MuJoCo uses."""
    return np.asarray(quaternions[..., [3, 0, 1, 2]])


@dataclass(frozen=True)
class Swing:
    """A hinge that moves: ``pieces`` of a body (all if ``None``) about a line in its frame.

    The angle is zero at the body's pose and opening of now; ``low`` and ``high`` are its ends.
    """

    pieces: frozenset[int] | None
    origin: tuple[float, float, float]
    axis: tuple[float, float, float]
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Engine:
    """A model of the bodies ``rows``; poses of its fixed bodies and contact parameters change.

    ``dynamic`` rows have a free joint at ``qpos`` (D, 7) and ``qvel`` (D, 6); ``body`` (R,) are
    the engine's numbers of ``rows``, ``row_of`` (B,) the way back, -1 for the world. ``covered``
    (S, 2, 2) are the rectangles of floor (lower, upper) within which nothing was left out.
    ``geom_of`` (G,) are the places in ``dynamic`` of the engine's pieces, -1 for fixed ones;
    ``flight`` (D,) counts for how many steps bodies have flown, and below zero since they landed;
    it changes with the state and belongs to it. ``stiffness`` (D,) is what the model has now.
    """

    model: mujoco.MjModel
    rows: IntArray
    dynamic: IntArray
    fixed: IntArray
    radius: FloatArray
    covered: FloatArray
    body: IntArray
    row_of: IntArray
    qpos: IntArray
    qvel: IntArray
    geom_of: IntArray
    flight: IntArray
    stiffness: IntArray
    hinges: tuple[int, ...] = field(default=())
    """Numbers of the joints of the swings, in their order."""

    def data(
        self, positions: FloatArray, orientations: FloatArray, velocities: FloatArray
    ) -> mujoco.MjData:
        """A fresh state at the poses and velocities of all bodies of the world."""
        self.place_fixed(positions, orientations)
        data = mujoco.MjData(self.model)
        rows = self.dynamic
        data.qpos[self.qpos] = np.concatenate([positions[rows], wxyz(orientations[rows])], axis=1)
        data.qvel[self.qvel] = velocities[rows]
        return data

    def place_fixed(self, positions: FloatArray, orientations: FloatArray) -> None:
        """The poses of fixed bodies are part of the model; write those of now."""
        body = self.body[np.searchsorted(self.rows, self.fixed)]
        self.model.body_pos[body] = positions[self.fixed]
        self.model.body_quat[body] = wxyz(orientations[self.fixed])

    def speeds(self, data: mujoco.MjData) -> FloatArray:
        """Speed of the fastest point of each dynamic body: linear plus angular times radius."""
        v = np.asarray(data.qvel)[self.qvel]
        linear = np.sqrt((v[:, :3] ** 2).sum(axis=1))
        angular = np.sqrt((v[:, 3:] ** 2).sum(axis=1))
        return np.asarray(linear + angular * self.radius)

    def poses(self, data: mujoco.MjData) -> FloatArray:
        """Positions and quaternions (wxyz) of the dynamic bodies (D, 7), a copy."""
        return np.asarray(data.qpos)[self.qpos]

    def moved(self, before: FloatArray, after: FloatArray) -> FloatArray:
        """How far the farthest point of each dynamic body may have come between two poses (D, 7).

        For the small turns that it is asked about, the angle is twice the quaternions' distance.
        """
        shift = np.sqrt(((after[:, :3] - before[:, :3]) ** 2).sum(axis=1))
        a, b = before[:, 3:], after[:, 3:]
        # A quaternion and its negative are the same turn.
        angle = 2.0 * np.sqrt(np.minimum(((b - a) ** 2).sum(axis=1), ((b + a) ** 2).sum(axis=1)))
        return np.asarray(shift + angle * self.radius)


def tick(engine: Engine, data: mujoco.MjData, speed: float) -> float:
    """One time step, in as many parts as ``speed``, that of the fastest body, needs; the new one.

    What comes flying meets stiff contacts: with those of a body at rest it would sink in by a
    centimetre at 4 m/s, through thin floors. All else keeps the soft ones, so that nothing stirs
    in a stack when something falls beside it. Not finite when the physics diverges.
    """
    model, flight = engine.model, engine.flight
    parts = int(_parts(np.array([speed]))[0])
    model.opt.timestep = TIMESTEP / parts
    stiff = (flight < 0) | (flight >= _FLIGHT)
    need = np.ones_like(flight)
    if parts > 1 and stiff.any():
        need = np.where(stiff, np.minimum(_parts(engine.speeds(data)), parts), 1)
    if (need != engine.stiffness).any():
        engine.stiffness[:] = need
        share = np.append(need, 1)[engine.geom_of]
        model.geom_solref[:, 0] = _CONTACT_TIME / share
        model.geom_solref[:, 1] = np.where(share > 1, _IMPACT_DAMPING, 1.0)
        # The stiffer of two decides.
        model.geom_solmix[:] = share.astype(float) ** 4
    mujoco.mj_step(model, data, parts)
    if parts > 1:
        _note_flight(engine, data)
    else:
        flight[:] = 0
    return float(engine.speeds(data).max(initial=0.0))


def _note_flight(engine: Engine, data: mujoco.MjData) -> None:
    """Count the steps that bodies fly, and those since they landed."""
    touches = np.zeros(len(engine.flight) + 1, dtype=bool)
    touches[engine.geom_of[np.asarray(data.contact.geom).ravel()]] = True
    flight, lands = engine.flight, touches[:-1]
    landed = lands & (flight >= _FLIGHT)
    flight[:] = np.where(lands, np.minimum(flight + 1, 0), np.maximum(flight + 1, 1))
    flight[landed] = -_LANDING


def _parts(speeds: FloatArray) -> IntArray:
    """Into how many parts speeds (N,) make a time step; most where they are not finite."""
    need = np.ceil((speeds + 9.81 * TIMESTEP) * TIMESTEP / _TRAVEL)
    return np.nan_to_num(need, nan=_MAX_SUBSTEPS).clip(1, _MAX_SUBSTEPS).astype(np.int64)


def compile_engine(
    bodies: Sequence[Body],
    positions: FloatArray,
    orientations: FloatArray,
    rows: IntArray,
    covered: FloatArray,
    *,
    swings: Mapping[int, Sequence[Swing]] | None = None,
    apart: Sequence[int] = (),
) -> Engine:
    """Compile the bodies ``rows`` (sorted) at the poses of now.

    ``swings`` are the hinges that turn, by row; they pass through the rows ``apart``.
    """
    spec = mujoco.MjSpec()
    spec.compiler.alignfree = False
    spec.compiler.usethread = False
    spec.compiler.degree = False
    option = spec.option
    option.timestep = TIMESTEP
    option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    option.impratio = 50.0
    option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    # What a servo moves must not be asleep.
    option.enableflags = 0 if swings else int(mujoco.mjtEnableBit.mjENBL_SLEEP)
    option.disableflags = int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)
    meshes: set[str] = set()
    made: dict[int, list[str]] = {}
    for row in rows.tolist():
        moving = (swings or {}).get(row, ())
        made[row] = _add_body(
            spec, row, bodies[row], positions[row], orientations[row], meshes, moving
        )
    for row in swings or ():
        # What turns: the lids of an object, or all of it where it has no other part.
        for name in made[row][1:] or made[row]:
            others = [other for other in made[row] if other < name]
            others.extend(other for k in apart for other in made[k])
            for other in others:
                spec.add_exclude(bodyname1=name, bodyname2=other)
    model = spec.compile()
    fixed = np.array([bodies[k].fixed for k in rows.tolist()], dtype=bool)
    dynamic = rows[~fixed]
    number = {name: model.body(name).id for names in made.values() for name in names}
    row_of = np.full(model.nbody, -1, dtype=np.int64)
    for row, names in made.items():
        row_of[[number[name] for name in names]] = row
    body = np.array([number[made[k][0]] for k in rows.tolist()], dtype=np.int64)
    joints = model.body_jntadr[body[~fixed]]
    place = np.full(len(bodies) + 1, -1, dtype=np.int64)
    place[dynamic] = np.arange(len(dynamic))
    return Engine(
        model=model,
        rows=rows,
        dynamic=dynamic,
        fixed=rows[fixed],
        radius=np.array([bodies[k].shape.radius for k in dynamic.tolist()]),
        covered=covered,
        body=body,
        row_of=row_of,
        qpos=model.jnt_qposadr[joints][:, None] + np.arange(7),
        qvel=model.jnt_dofadr[joints][:, None] + np.arange(6),
        geom_of=place[row_of[model.geom_bodyid]],
        flight=np.zeros(len(dynamic), dtype=np.int64),
        stiffness=np.ones(len(dynamic), dtype=np.int64),
        hinges=tuple(
            model.joint(f"{row}/{k}").id
            for row, several in (swings or {}).items()
            for k in range(len(several))
        ),
    )


def _add_body(
    spec: mujoco.MjSpec,
    row: int,
    body: Body,
    position: FloatArray,
    orientation: FloatArray,
    meshes: set[str],
    swings: Sequence[Swing],
) -> list[str]:
    """Names of the engine's bodies that one object becomes: itself first, then its lids."""
    node = spec.worldbody.add_body(
        name=str(row), pos=position.tolist(), quat=wxyz(orientation).tolist()
    )
    if not body.fixed:
        node.add_freejoint()
    names = [str(row)]
    holders = [node] * len(body.shape.pieces)
    moving = [not body.fixed] * len(holders)
    for k, swing in enumerate(swings):
        holder = node
        if swing.pieces is not None:
            holder = node.add_body(name=f"{row}/{k}")
            names.append(f"{row}/{k}")
        # The hand carries what it moves.
        holder.gravcomp = 1.0
        holder.add_joint(
            name=f"{row}/{k}",
            type=mujoco.mjtJoint.mjJNT_HINGE,
            pos=list(swing.origin),
            axis=list(swing.axis),
            range=[swing.low, swing.high],
            limited=mujoco.mjtLimited.mjLIMITED_TRUE,
            armature=_HAND_INERTIA,
        )
        for turned in range(len(holders)) if swing.pieces is None else sorted(swing.pieces):
            holders[turned], moving[turned] = holder, True
    total = body.shape.volume
    for number, piece in enumerate(body.shape.pieces):
        loose = moving[number]
        common = {
            "mass": body.mass * piece.volume / total,
            "friction": [body.friction, _TORSION, _ROLLING],
            "condim": 6 if loose else 3,
            "priority": body.priority,
            # Bodies fixed to the world never meet each other.
            "contype": (3 if loose else 1) if body.solid else 0,
            "conaffinity": (3 if loose else 2) if body.solid else 0,
            "solref": [_CONTACT_TIME, 1.0],
            "solimp": [0.95, 0.99, 0.0005, 0.5, 2.0],
        }
        _add_piece(spec, holders[number], piece, f"{body.shape.key}/{number}", meshes, common)
    return names


def _add_piece(
    spec: mujoco.MjSpec,
    holder: mujoco.MjsBody,
    piece: Piece,
    name: str,
    meshes: set[str],
    common: Mapping[str, object],
) -> None:
    if piece.half is not None:
        box = mujoco.mjtGeom.mjGEOM_BOX
        holder.add_geom(type=box, pos=piece.center.tolist(), size=piece.half.tolist(), **common)
        return
    if name not in meshes:
        meshes.add(name)
        spec.add_mesh(
            name=name,
            uservert=piece.points.ravel().tolist(),
            inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_CONVEX,
        )
    holder.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname=name, **common)


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
    pairs = np.sort(engine.row_of[model.geom_bodyid[geom]].reshape(-1, 2), axis=1)
    depth = -np.asarray(data.contact.dist, dtype=np.float64)
    near = depth >= -touch
    pairs, depth = pairs[near], np.maximum(depth[near], 0.0)
    unique, inverse = np.unique(pairs, axis=0, return_inverse=True)
    deepest = np.zeros(len(unique))
    np.maximum.at(deepest, inverse.ravel(), depth)
    return unique.reshape(-1, 2), deepest
