"""The robot that walks, and the observer that watches it from above.

The robot is a kinematic body: an object of category ``robot`` with an id of its own that follows
a path in small steps. It pushes nothing: what stands in its way ends the walk. The executed path
is what is recorded, not the one that was asked for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from esi_fast import assets
from esi_fast import geometry as geo
from esi_fast.records import CameraSpec, ObjectSpec
from esi_fast.sim.base import Capability, Simulator, Snapshot
from esi_fast.types import FloatArray

__all__ = [
    "OBSERVER_HEIGHT",
    "ROBOT_HEIGHTS",
    "WALK_STEP",
    "Walk",
    "hidden_above",
    "observer_camera",
    "robot_spec",
    "walk",
]

WALK_STEP = 0.033
"""Metres from one pose of the robot to the next (paper, appendix on agent observation)."""
ROBOT_HEIGHTS = (1.19, 1.72)
"""Metres: the lowest and the highest robot of the published rows."""
OBSERVER_HEIGHT = 5.0
"""Metres above the floor at which the observer's camera looks straight down."""

_CATEGORY, _MODEL = "robot", "mobile"
_STEP_OVER = 0.05  # metres: it rolls over rugs and sills up to this
Reason: TypeAlias = Literal["", "blocked", "start_blocked"]


class Walk(NamedTuple):
    """A walk as it was executed.

    ``positions`` (K, 2) of the robot's axis and ``headings`` (K,) in radians, the start included,
    0.033 m apart but for the ends of straight pieces; ``length`` in metres. Where it did not
    arrive, ``reason`` is ``blocked`` (or ``start_blocked``: it stood in something before the first
    step) and ``blocked_by`` the id of what was in its way.
    """

    arrived: bool
    positions: FloatArray
    headings: FloatArray
    length: float
    reason: Reason
    blocked_by: str


def robot_spec(
    object_id: str,
    position: Sequence[float],
    heading: float = 0.0,
    *,
    height: float = 1.5,
    palette: int = 0,
) -> ObjectSpec:
    """A robot of ``height`` metres standing on the floor at ``position`` (x, y)."""
    low, high = ROBOT_HEIGHTS
    if not low <= height <= high:
        raise ValueError(f"height: expected {low} to {high} m, got {height}")
    tall = assets.get(_CATEGORY, _MODEL).size[2]
    x, y = (float(v) for v in position)
    return ObjectSpec(
        id=object_id,
        category=_CATEGORY,
        model=_MODEL,
        position=(x, y, height / 2),
        orientation=_facing(heading),
        scale=(1.0, 1.0, height / tall),
        role="structure",
        fixed=True,
        palette=palette,
    )


def walk(sim: Simulator, robot: str, path: ArrayLike, *, step: float = WALK_STEP) -> Walk:
    """Move the robot along the corners ``path`` (N, 2), facing where it goes.

    It starts where it stands and goes straight from corner to corner, in steps of at most ``step``
    metres. Before each step the way is tried with an upright cylinder as wide as the robot, from
    5 cm above the floor to its height; at the first that is not free it stays where it is. Every
    pose is set in the world, so that what follows sees the robot there.

    Raises ``ValueError`` for a path that is not finite or not (N, 2), a step that is not positive,
    an object that is no robot, and a backend without ``Capability.ROBOT``; ``KeyError`` for an id
    that does not exist.
    """
    if Capability.ROBOT not in sim.capabilities:
        raise ValueError(f"sim: backend {sim.name!r} has no robot")
    corners = np.asarray(path, dtype=np.float64)
    if corners.ndim != 2 or corners.shape[1] != 2 or not np.isfinite(corners).all():
        raise ValueError(f"path: expected finite numbers of shape (N, 2), got {corners.shape}")
    if not (math.isfinite(step) and step > 0.0):
        raise ValueError(f"step: expected a positive number, got {step}")
    snapshot = sim.geometry()
    row = snapshot.index(robot)
    spec = snapshot.objects[row]
    if spec.category != _CATEGORY:
        raise ValueError(f"robot: {robot!r} is no robot but a {spec.category}")
    start = np.asarray(spec.position)
    _, _, qz, qw = spec.orientation
    positions, headings = _steps(start[:2], 2.0 * math.atan2(qz, qw), corners, step)
    free, reason, blocker = _free_steps(snapshot, row, positions)
    done_positions, done_headings = positions[: free + 1], headings[: free + 1]
    for at, heading in zip(done_positions[1:], done_headings[1:], strict=True):
        sim.set_poses(
            [robot], np.array([[at[0], at[1], start[2]]]), np.array([_facing(float(heading))])
        )
    length = float(np.linalg.norm(np.diff(done_positions, axis=0), axis=1).sum())
    return Walk(reason == "", done_positions, done_headings, length, reason, blocker)


def _facing(heading: float) -> tuple[float, float, float, float]:
    return (0.0, 0.0, math.sin(heading / 2), math.cos(heading / 2))


def _steps(
    start: FloatArray, heading: float, corners: FloatArray, step: float
) -> tuple[FloatArray, FloatArray]:
    """Poses (K, 2) and headings (K,) along the corners, the start first."""
    positions, headings = [start[None]], [np.array([heading])]
    here = start
    for corner in corners:
        length = float(np.linalg.norm(corner - here))
        if length > 0.0:
            count = math.ceil(length / step - 1e-9)
            # All but the last are whole steps: the log is the one of a clock that ticks evenly.
            along = np.minimum(np.arange(1, count + 1) * step, length) / length
            positions.append(here + along[:, None] * (corner - here))
            turn = math.atan2(corner[1] - here[1], corner[0] - here[0])
            headings.append(np.full(count, turn))
            here = corner
    return np.concatenate(positions), np.concatenate(headings)


def _free_steps(snapshot: Snapshot, row: int, positions: FloatArray) -> tuple[int, Reason, str]:
    """How many steps are free, why not more, and what is in the way."""
    spec = snapshot.objects[row]
    floor = float(snapshot.boxes[row, 0, 2])
    height = float(snapshot.boxes[row, 1, 2]) - floor
    size = assets.get(spec.category, spec.model).size
    radius = max(size[0] * spec.scale[0], size[1] * spec.scale[1]) / 2
    # Spheres a quarter of a radius apart leave dents of 1 % of it in the cylinder.
    low, high = floor + _STEP_OVER + radius, floor + height - radius
    levels = np.linspace(low, high, max(2, math.ceil((high - low) / (radius / 4)) + 1))
    # What does not reach into these heights is stepped over or walked under.
    boxes = snapshot.boxes
    passed = (boxes[:, 1, 2] <= floor + _STEP_OVER) | (boxes[:, 0, 2] >= floor + height)
    passed[row] = True
    ignore = np.flatnonzero(passed)

    def points(at: FloatArray) -> FloatArray:
        flat = np.repeat(at, len(levels), axis=0)
        return np.column_stack((flat, np.tile(levels, len(at))))

    # A robot that touches something may walk away from it, so only sinking in counts.
    still = geo.distance.points_to_scene(snapshot.scene, points(positions[:1]), ignore=ignore)
    deep = np.flatnonzero(still.distance < radius * (1.0 - 1e-6))
    if len(deep):
        nearest = deep[np.argmin(still.distance[deep])]
        return 0, "start_blocked", snapshot.ids[int(still.object_id[nearest])]
    if len(positions) < 2:
        return 0, "", ""
    sweep = geo.distance.sweep_sphere(
        snapshot.scene, points(positions[:-1]), points(positions[1:]), radius, ignore=ignore
    )
    blocked = sweep.blocked.reshape(-1, len(levels))
    stops = np.flatnonzero(blocked.any(axis=1))
    if len(stops) == 0:
        return len(positions) - 1, "", ""
    first = int(stops[0])
    by = sweep.object_id.reshape(-1, len(levels))[first][blocked[first]]
    return first, "blocked", snapshot.ids[int(by[0])]


def observer_camera(
    center: Sequence[float],
    *,
    height: float = OBSERVER_HEIGHT,
    size: int = 512,
    vfov_deg: float = 70.0,
) -> CameraSpec:
    """A camera ``height`` metres above the floor point ``center`` (x, y), looking straight down.

    The picture's right is +x and its up is +y. Render with ``hide=hidden_above(snapshot)``.
    """
    x, y = (float(v) for v in center)
    return CameraSpec(
        position=(x, y, height),
        orientation=(0.0, 0.0, 0.0, 1.0),
        width=size,
        height=size,
        vfov_deg=vfov_deg,
    )


def hidden_above(snapshot: Snapshot) -> tuple[str, ...]:
    """Ids of what hides the rooms from above: ceilings, and what hangs from them."""
    ceilings = [k for k, spec in enumerate(snapshot.objects) if spec.category == "ceiling"]
    if not ceilings:
        return ()
    low = float(snapshot.boxes[ceilings, 0, 2].min())
    hanging = [
        k
        for k, spec in enumerate(snapshot.objects)
        if spec.role != "structure"
        and snapshot.boxes[k, 1, 2] >= low - 0.05
        and snapshot.boxes[k, 0, 2] > 1.8
    ]
    return tuple(snapshot.ids[k] for k in sorted({*ceilings, *hanging}))
