"""Small worlds of exact boxes for the tests of simulators."""

from __future__ import annotations

import math
from collections.abc import Sequence

from esi_fast.records import ObjectSpec, SceneSpec

__all__ = ["Quat", "Vec3", "ground", "slab", "tilted", "world"]

Vec3 = tuple[float, float, float]
Quat = tuple[float, float, float, float]


def slab(
    name: str,
    size: Sequence[float],
    position: Sequence[float],
    *,
    orientation: Quat = (0.0, 0.0, 0.0, 1.0),
    fixed: bool = False,
    category: str = "wall",
    state: dict[str, float] | None = None,
) -> ObjectSpec:
    """A box of exact size, centred at a position."""
    return ObjectSpec(
        id=name,
        category=category,
        model="box",
        position=tuple(position),  # type: ignore[arg-type]
        orientation=orientation,
        scale=tuple(size),  # type: ignore[arg-type]
        role="structure" if fixed else "context",
        fixed=fixed,
        state=state or {},
    )


def ground(*, friction: float | None = None) -> ObjectSpec:
    """A large floor whose top is z = 0."""
    state = {} if friction is None else {"friction": friction}
    return slab(
        "ground", (6.0, 6.0, 0.2), (0.0, 0.0, -0.1), fixed=True, category="floor", state=state
    )


def world(*objects: ObjectSpec) -> SceneSpec:
    """A scene of just these objects."""
    return SceneSpec(name="test", objects=objects)


def tilted(degrees: float) -> Quat:
    """Turned about y, so that a slope falls towards +x."""
    half = math.radians(degrees) / 2
    return (0.0, math.sin(half), 0.0, math.cos(half))
