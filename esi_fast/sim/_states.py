"""States of objects: which keys there are, what they may be, and the body that they make.

What is wrong with an object is said before the world changes, with its id and the numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from esi_fast.assets.inner import HIGHEST, shape_model
from esi_fast.errors import ObjectTooLarge
from esi_fast.geometry.transforms import quat_to_matrix
from esi_fast.records import ObjectSpec, RoomSpec
from esi_fast.sim._shapes import Body, shape_of
from esi_fast.sim._soft import ghost, is_soft, is_water
from esi_fast.sim._view import opening

__all__ = ["FAR", "RANGES", "body_of", "check_rooms", "check_value", "with_state"]

RANGES: dict[str, tuple[float, float]] = {
    "open": (0.0, 1.0),
    "friction": (0.0, 10.0),
    "friction_dynamic": (0.0, 10.0),
    "mass": (1e-4, 1e5),
    "light": (0.0, 100.0),
    "spot": (0.0, 100.0),
    "held": (0.0, 1.0),
    "fill": (0.0, 1.0),
    "spread": (0.0, 1.0),
    "false_bottom": (0.0, HIGHEST / 100.0),
}
"""What each state may be, both ends included; other keys of a record are left alone."""

FAR = 1e5
"""Metres from the origin within which objects may be."""
# Beyond these extents (metres) the engine's arithmetic is no longer trusted.
_THIN, _LARGE = 1e-4, 1e3
# Rooms are given by the faces of their walls; what goes that far into them is still in the room:
# skirtings, curtains and wall cabinets do.
_INTO_WALL = 0.05
# Without any friction MuJoCo's elliptic cone sticks instead of sliding.
_LEAST_FRICTION = 1e-4


def check_value(key: str, value: float) -> float:
    """``value`` as a number that ``key`` may have; ``ValueError`` says what it may be."""
    value = float(value)
    if not math.isfinite(value):
        raise ValueError(f"value: expected a finite number, got {value}")
    if key not in RANGES:
        raise ValueError(f"key: expected one of {', '.join(RANGES)}, got {key!r}")
    low, high = RANGES[key]
    if not low <= value <= high:
        raise ValueError(f"value: expected {low} to {high} for {key!r}, got {value}")
    return value


def with_state(spec: ObjectSpec, key: str, value: float) -> ObjectSpec:
    """The object with one state changed."""
    return spec.model_copy(update={"state": {**spec.state, key: value}})


def body_of(spec: ObjectSpec) -> Body:
    """The body of an object; ``ValueError`` names the object, its state or size, and the range.

    ``UnknownName`` for a category or model that does not exist.
    """
    for key in RANGES.keys() & spec.state.keys():
        try:
            check_value(key, spec.state[key])
        except ValueError as error:
            raise ValueError(f"objects: {spec.id!r}: {key}: {error}") from error
    if not max(map(abs, spec.position)) <= FAR:
        raise ValueError(
            f"objects: {spec.id!r}: expected a position within {FAR:g} m, got {spec.position}"
        )
    if not abs(math.hypot(*spec.orientation) - 1.0) < 1e-6:
        raise ValueError(
            f"objects: {spec.id!r}: expected a unit quaternion xyzw, got {spec.orientation}"
        )
    if is_water(spec) and not spec.state.get("radius", 0.0) > 0.0:
        raise ValueError(f"objects: {spec.id!r}: expected water with a state 'radius' above 0")
    if is_soft(spec):
        return ghost(spec)
    shape = shape_of(spec.category, shape_model(spec), spec.scale, opening(spec))
    extent = shape.upper - shape.lower
    if not (extent.min() >= _THIN and extent.max() <= _LARGE):
        raise ValueError(
            f"objects: {spec.id!r}: expected extents of {_THIN:g} to {_LARGE:g} m, "
            f"got {extent.tolist()}"
        )
    static = spec.state.get("friction", shape.friction)
    dynamic = spec.state.get("friction_dynamic", static)
    if dynamic > static:
        raise ValueError(
            f"value: expected dynamic friction of at most the static {static} of {spec.id!r}, "
            f"got {dynamic}"
        )
    held = spec.state.get("held", 0.0) > 0.0
    return Body(
        id=spec.id,
        shape=shape,
        fixed=spec.fixed or held,
        mass=spec.state.get("mass", shape.mass),
        friction=max(static, _LEAST_FRICTION),
        dynamic=max(dynamic, _LEAST_FRICTION),
        priority=1 if "friction" in spec.state or "friction_dynamic" in spec.state else 0,
        solid=not held,
    )


def check_rooms(
    objects: Sequence[ObjectSpec], bodies: Sequence[Body], rooms: Sequence[RoomSpec]
) -> None:
    """``ObjectTooLarge`` for what is larger, as it is turned, than the room it is in.

    That is the room which the record names, and the one around its middle where it names none.
    What the house is built of, and what touches nothing, is in no room.
    """
    by_name = {room.id: room for room in rooms}
    for spec, body in zip(objects, bodies, strict=True):
        if spec.role == "structure" or not body.solid:
            continue
        x, y = spec.position[:2]
        room = by_name.get(spec.room) or next(
            (r for r in rooms if r.lower[0] <= x <= r.upper[0] and r.lower[1] <= y <= r.upper[1]),
            None,
        )
        if room is None:
            continue
        extent = body.shape.upper - body.shape.lower
        extent = np.abs(quat_to_matrix(np.asarray(spec.orientation))) @ extent
        width, depth = np.subtract(room.upper, room.lower).tolist()
        space = np.array([width, depth, room.ceiling_height])
        if (extent > space + 2.0 * _INTO_WALL).any():
            raise ObjectTooLarge(spec.id, extent.tolist(), room.id, space.tolist())
