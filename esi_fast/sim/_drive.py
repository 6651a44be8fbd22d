"""Lids and doors that are moved by a hand: a servo on their hinges, with a force that is limited.

While a hinge moves it is a joint of the engine, so it lifts what lies on it, pushes what stands
in its way and stops at what is too heavy or fixed. At rest it is part of its object again.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import mujoco
import numpy as np

from esi_fast.assets.base import Asset
from esi_fast.records import ObjectSpec
from esi_fast.sim._engine import TIMESTEP, Engine, Swing, tick
from esi_fast.sim._shapes import Shape
from esi_fast.types import FloatArray, IntArray

__all__ = ["HAND_FORCE", "STILL", "Driven", "run_servo", "swings_of"]

HAND_FORCE = 30.0
"""Newton at the far edge of the moving part: it lifts about 3 kg there, 6 kg halfway."""

STILL = 1e-3
"""Radians: less than this is not worth a motion, and nothing can be in its way."""

Vec3: TypeAlias = tuple[float, float, float]

_RATE = 1.5  # radians per second
_STIFF = 100.0  # of the servo, radians per second
_CLOSE = 0.02  # radians from the aim that count as there
_LAG, _SLOW, _PATIENCE = 0.1, 0.05, 0.3  # radians behind, radians per second, seconds
_HOLD = 0.5  # seconds to come to the aim after the ramp


class Driven(NamedTuple):
    """Where the swings came to: angles (H,) from the start, seconds, rows in their way."""

    there: bool
    angles: FloatArray
    seconds: float
    against: IntArray


def swings_of(spec: ObjectSpec, asset: Asset, aim: float) -> tuple[tuple[Swing, ...], FloatArray]:
    """The hinges of an object as they are now, and the angles (H,) from here to opening ``aim``.

    A door of a house turns as a whole; anything else has hinged pieces. Empty where nothing opens.
    """
    opened = spec.state.get("open", 0.0)
    turns: list[tuple[frozenset[int] | None, Vec3, Vec3, float]]
    if {"hinge", "swing"} <= spec.state.keys():
        hinge, swing = spec.state["hinge"], spec.state["swing"]
        edge = (
            math.copysign(spec.scale[0] / 2, swing * hinge),
            hinge * spec.scale[1] / 2,
            0.0,
        )
        turns = [(None, edge, (0.0, 0.0, 1.0), swing)]
    else:
        turns = [
            (
                frozenset(h.convex),
                (
                    h.origin[0] * spec.scale[0],
                    h.origin[1] * spec.scale[1],
                    h.origin[2] * spec.scale[2],
                ),
                h.axis,
                h.limit,
            )
            for h in asset.hinges
        ]
    swings = tuple(
        Swing(
            pieces,
            origin,
            axis,
            min(-opened * limit, (1.0 - opened) * limit),
            max(-opened * limit, (1.0 - opened) * limit),
        )
        for pieces, origin, axis, limit in turns
    )
    return swings, np.array([(aim - opened) * limit for *_, limit in turns])


def _reach(shape: Shape, swing: Swing) -> float:
    """Distance in metres of the farthest moving point from the hinge line."""
    pieces = range(len(shape.pieces)) if swing.pieces is None else sorted(swing.pieces)
    points = np.concatenate([shape.pieces[k].points for k in pieces]) - np.array(swing.origin)
    return float(np.linalg.norm(np.cross(points, np.array(swing.axis)), axis=1).max())


def run_servo(
    engine: Engine, data: mujoco.MjData, shape: Shape, swings: Sequence[Swing], angles: FloatArray
) -> Driven:
    """Move the hinges by ``angles`` (H,), all in the same time, with the force of a hand.

    ``FloatingPointError`` when the physics diverges.
    """
    model = engine.model
    joints = np.array(engine.hinges)
    at, dof = model.jnt_qposadr[joints], model.jnt_dofadr[joints]
    inertia = model.dof_M0[dof]
    limit = HAND_FORCE * np.array([_reach(shape, swing) for swing in swings])
    duration = float(np.abs(angles).max()) / _RATE
    rate = angles / duration
    speed = float(engine.speeds(data).max(initial=0.0))
    seconds = stuck = 0.0
    there = False
    while seconds < duration + _HOLD and stuck < _PATIENCE and not there:
        share = min(1.0, seconds / duration)
        aim, pace = share * angles, rate if share < 1.0 else 0.0 * rate
        behind, turning = aim - data.qpos[at], data.qvel[dof]
        torque = inertia * _STIFF * (_STIFF * behind + 2.0 * (pace - turning))
        data.qfrc_applied[dof] = np.clip(torque, -limit, limit)
        # Its tip may be the fastest thing around.
        speed = tick(engine, data, speed + float(np.abs(turning * limit).max()) / HAND_FORCE)
        seconds += TIMESTEP
        if not (math.isfinite(speed) and np.isfinite(data.qpos[at]).all()):
            raise FloatingPointError("the physics diverged")
        late = (np.abs(behind) > _LAG) & (np.abs(turning) < _SLOW)
        stuck = stuck + TIMESTEP if late.any() else 0.0
        off = np.abs(angles - data.qpos[at])
        there = share >= 1.0 and bool((off < _CLOSE).all())
    return Driven(there, np.asarray(data.qpos[at]).copy(), seconds, _against(engine, data, joints))


def _against(engine: Engine, data: mujoco.MjData, joints: IntArray) -> IntArray:
    """Rows in contact with the bodies that the joints move, in their order."""
    model = engine.model
    moving = np.zeros(model.nbody, dtype=bool)
    moving[model.jnt_bodyid[joints]] = True
    body = model.geom_bodyid[np.asarray(data.contact.geom).reshape(-1, 2)].reshape(-1, 2)
    pressed = np.asarray(data.contact.efc_address) >= 0
    one = pressed & (moving[body].sum(axis=1) == 1)
    other = body[one][~moving[body[one]]]
    return np.unique(engine.row_of[other])
