"""Putting things on and into others: one way for the label runs and for the actions of agents.

A thing is set upright just above where it shall stand and let go; whether it stays is for the
physics to say, and is measured in the settled world. On a slope it is set flat against it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from esi_fast import assets
from esi_fast import geometry as geo
from esi_fast.assets.base import Cavity
from esi_fast.records import ObjectSpec
from esi_fast.sim.base import Simulator, Snapshot
from esi_fast.types import BoolArray, FloatArray

__all__ = [
    "FELL",
    "OPEN_ENOUGH",
    "SLID",
    "SLIDE_TIME",
    "STAY_TIME",
    "Placed",
    "contents_of",
    "inside_cavity",
    "move_together",
    "place_inside",
    "place_on",
    "upright_yaw",
]

OPEN_ENOUGH = 0.5
"""The opening from which something can be put through."""
SLID = 0.03
"""Metres in XY from which a thing on a slope has slid (appendix Q.4)."""
FELL = 0.05
"""Metres below the slope's bottom from which it has fallen off (appendix Q.4)."""
SLIDE_TIME = 30 / 60
"""Seconds after which Q.4 measures both: 30 action steps of 1/60 s."""
STAY_TIME = 3.0
"""Seconds after which they are measured again (TASKS): what creeps does not rest."""

_DROP = 0.003  # metres above the surface or rim at which a thing is let go
_UPRIGHT = 0.97  # cosine: what stands on a surface that leans more slides or rolls off
_GAP = 0.002  # metres to leave to neighbours
_SUNK = 0.01  # metres below the surface: it has slipped off its edge, unless it lies in a bowl
_SETTLE = 4.0  # seconds
_DRAPE = 0.1  # metres above what it shall cover that a cloth is let go
_SPOTS = 9  # per side of a surface
_SLOPES = (math.tan(math.radians(3.0)), math.tan(math.radians(60.0)))  # level or a wall otherwise
_FLAT = 5e-4  # metres that the points of a slope may lie off its plane
_RAYS = 7  # per side, to find a slope
_AROUND = 16  # ways to look for the walls of a vessel


class Placed(NamedTuple):
    """What came of it: ``reason`` is empty where the thing is where it was to go.

    ``no_room`` (no free place, or too low a one; with the extents of the thing and of the largest
    surface), ``no_cavity``, ``closed`` (its lid), ``does_not_fit`` (it did not
    get in), ``fell_off``; ``numbers`` are what was measured.
    """

    reason: str
    numbers: dict[str, float]

    @property
    def ok(self) -> bool:
        """Whether it is where it was to go."""
        return self.reason == ""


def upright_yaw(orientation: Sequence[float] | FloatArray) -> float:
    """Where the front of an object points, seen from above, in radians."""
    front = geo.transforms.quat_to_matrix(np.asarray(orientation))[:, 0]
    return math.atan2(front[1], front[0])


def inside_cavity(snapshot: Snapshot, vessel: str, points: FloatArray) -> BoolArray:
    """Whether points (N, 3) of the world are in the cavity of a vessel as it stands, (N,).

    A cavity is known by the cylinder or box below its rim; in a flask that widens downwards what
    lies beside it is inside too if the vessel is all around it.
    """
    row = snapshot.index(vessel)
    spec = snapshot.objects[row]
    cavity = assets.get(spec.category, spec.model).cavity
    points = np.atleast_2d(points)
    if cavity is None:
        return np.zeros(len(points), dtype=bool)
    turn = geo.transforms.quat_to_matrix(np.asarray(spec.orientation))
    local = (points - np.asarray(spec.position)) @ turn
    low, high = (np.asarray(c) * spec.scale for c in (cavity.lower, cavity.upper))
    between = (local[:, 2] >= low[2]) & (local[:, 2] <= high[2])
    inside = between & ((local >= low) & (local <= high)).all(axis=1)
    if cavity.rounded:
        share = (local[:, :2] - (low + high)[:2] / 2) / ((high - low)[:2] / 2)
        inside &= (share**2).sum(axis=1) <= 1.0
    box = snapshot.boxes[row]
    beside = np.flatnonzero(between & ~inside & ((points > box[0]) & (points < box[1])).all(axis=1))
    if len(beside):
        angles = np.arange(_AROUND) * (2.0 * np.pi / _AROUND)
        around = np.column_stack((np.cos(angles), np.sin(angles), np.zeros(_AROUND))) @ turn.T
        others = np.array([k for k in range(len(snapshot.ids)) if k != row], dtype=np.int64)
        walls = geo.raycast.any(
            snapshot.scene,
            np.repeat(points[beside], _AROUND, axis=0),
            np.tile(around, (len(beside), 1)),
            ignore=others if len(others) else None,
        )
        inside[beside] = walls.reshape(-1, _AROUND).all(axis=1)
    return np.asarray(inside)


def contents_of(snapshot: Snapshot, vessel: str) -> tuple[str, ...]:
    """Ids of the movable things in a vessel, and of what is in those: what comes along with it."""
    centers = snapshot.centers()
    found: list[str] = []
    vessels = [vessel]
    while vessels:
        outer = vessels.pop()
        inside = inside_cavity(snapshot, outer, centers)
        for k in np.flatnonzero(inside).tolist():
            spec = snapshot.objects[k]
            if not spec.fixed and spec.category != "water" and spec.id not in (vessel, *found):
                found.append(spec.id)
                vessels.append(spec.id)
    return tuple(found)


def move_together(
    sim: Simulator, ids: Sequence[str], position: FloatArray, orientation: FloatArray
) -> None:
    """Put the first of ``ids`` at a pose, and the others where they go if they are stuck to it."""
    poses = sim.poses(ids)
    old = geo.transforms.pose_matrix(poses.positions, poses.orientations)
    new = geo.transforms.pose_matrix(position, orientation)
    moved = new @ geo.transforms.invert_pose(old[0]) @ old
    moved[0] = new
    turned = geo.transforms.matrix_to_quat(moved[:, :3, :3])
    turned[0] = orientation
    turned /= np.linalg.norm(turned, axis=1, keepdims=True)
    sim.set_poses(ids, moved[:, :3, 3], turned)


class _Surface(NamedTuple):
    """A level rectangle: its frame in the world, ``lower`` and ``upper`` (2,) in it, free height
    above it."""

    origin: FloatArray
    yaw: float
    lower: FloatArray
    upper: FloatArray
    clearance: float


def _surfaces(snapshot: Snapshot, target: str) -> list[_Surface]:
    """Where things can stand on an object, the largest first; its top where it declares none."""
    row = snapshot.index(target)
    spec = snapshot.objects[row]
    turn = geo.transforms.quat_to_matrix(np.asarray(spec.orientation))
    position, scale = np.asarray(spec.position), np.asarray(spec.scale)
    found = []
    if turn[2, 2] >= _UPRIGHT:
        for support in assets.get(spec.category, spec.model).supports:
            found.append(
                _Surface(
                    position + turn @ np.array([0.0, 0.0, support.z * scale[2]]),
                    upright_yaw(spec.orientation),
                    np.asarray(support.lower) * scale[:2],
                    np.asarray(support.upper) * scale[:2],
                    support.clearance * scale[2],
                )
            )
    if not found:
        low, high = snapshot.boxes[row]
        middle = (low + high) / 2
        half = (high - low)[:2] / 2
        found.append(
            _Surface(np.array([middle[0], middle[1], high[2]]), 0.0, -half, half, math.inf)
        )
    return sorted(found, key=lambda s: -float(np.prod(s.upper - s.lower)))


class _Slope(NamedTuple):
    """A flat rectangle that rises along one side of its object.

    ``axes`` (3, 3) has in its columns the two sides and the normal, of the world; ``lower`` and
    ``upper`` (2,) are the rectangle's corners along the sides, from ``origin``.
    """

    origin: FloatArray
    axes: FloatArray
    lower: FloatArray
    upper: FloatArray


def _slope(snapshot: Snapshot, target: str) -> _Slope | None:
    """The slope that the top of an upright object is, if it declares no level surface.

    Seen from right above: rays to all parts of its box must meet one plane.
    """
    row = snapshot.index(target)
    spec = snapshot.objects[row]
    turn = geo.transforms.quat_to_matrix(np.asarray(spec.orientation))
    if turn[2, 2] < _UPRIGHT or assets.get(spec.category, spec.model).supports:
        return None
    position, half = np.asarray(spec.position), _size(spec) / 2
    axis = np.linspace(-0.97, 0.97, _RAYS)
    grid = np.stack(np.meshgrid(axis, axis, indexing="ij"), axis=-1).reshape(-1, 2) * half[:2]
    above = position + np.column_stack((grid, np.full(len(grid), half[2] + _GAP))) @ turn.T
    others = np.array([k for k in range(len(snapshot.ids)) if k != row], dtype=np.int64)
    down = np.broadcast_to(-turn[:, 2], above.shape)
    hit = geo.raycast.closest(snapshot.scene, above, down, ignore=others if len(others) else None)
    if not hit.hit.all():
        return None
    height = half[2] + _GAP - hit.distance
    flat = np.column_stack((grid, np.ones(len(grid))))
    plane, *_ = np.linalg.lstsq(flat, height, rcond=None)
    rise = plane[:2]
    along = int(np.argmax(np.abs(rise)))
    steep = float(abs(rise[along]))
    if (
        np.abs(flat @ plane - height).max() > _FLAT
        or abs(rise[1 - along]) * half[1 - along] > _FLAT
        or not _SLOPES[0] <= steep <= _SLOPES[1]
    ):
        return None
    first = np.array([1.0, 0.0, rise[0] if along == 0 else 0.0])
    second = np.array([0.0, 1.0, rise[1] if along == 1 else 0.0])
    axes = np.column_stack((first, second, np.cross(first, second)))
    length = np.linalg.norm(axes, axis=0)
    reach = half[:2] * length[:2]
    middle = position + turn @ np.array([0.0, 0.0, plane[2]])
    return _Slope(middle, turn @ (axes / length), -reach, reach)


def _size(spec: ObjectSpec) -> FloatArray:
    return np.asarray(assets.get(spec.category, spec.model).size) * spec.scale


def _footprint(size: FloatArray, yaw: float) -> FloatArray:
    """Half extents (2,) of the rectangle around a box (3,) turned by ``yaw``."""
    c, s = abs(math.cos(yaw)), abs(math.sin(yaw))
    return np.array([c * size[0] + s * size[1], s * size[0] + c * size[1]]) / 2


def _spots(lower: FloatArray, upper: FloatArray, half: FloatArray) -> FloatArray:
    """Places (N, 2) for the middle of a rectangle within another one, from its middle outwards."""
    middle, room = (lower + upper) / 2, np.maximum((upper - lower) / 2 - half, 0.0)
    axes = [np.linspace(-r, r, _SPOTS) if r > 0.0 else np.zeros(1) for r in room]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
    order = np.argsort((grid**2).sum(axis=1).round(9), kind="stable")
    return np.asarray(middle + grid[order])


def _free(snapshot: Snapshot, low: FloatArray, high: FloatArray, apart_from: Sequence[str]) -> bool:
    """Whether a box meets no other box but those of some objects."""
    boxes = snapshot.boxes
    meets = np.all((boxes[:, 0] < high + _GAP) & (boxes[:, 1] > low - _GAP), axis=1)
    solid = np.array(
        [
            spec.category != "water" and not spec.state.get("held", 0.0) > 0.0
            for spec in snapshot.objects
        ]
    )
    solid[[snapshot.index(name) for name in apart_from]] = False
    return not bool((meets & solid).any())


def _turned(yaw: float) -> FloatArray:
    return np.array([0.0, 0.0, math.sin(yaw / 2), math.cos(yaw / 2)])


def _let_go(
    sim: Simulator, things: Sequence[str], position: FloatArray, yaw: float
) -> tuple[Snapshot, dict[str, float]]:
    """Set a thing and what is in it at a place, let go and wait; the world then."""
    _release(sim, things)
    move_together(sim, things, position, _turned(yaw))
    report = sim.settle(max_time=_SETTLE)
    moved = np.linalg.norm(sim.poses(things[:1]).positions[0] - position)
    return sim.geometry(), {
        "at_rest": float(report.at_rest),
        "seconds": report.seconds,
        "moved": float(moved),
    }


def _spec(snapshot: Snapshot, name: str) -> ObjectSpec:
    return snapshot.objects[snapshot.index(name)]


def _rests_on(sim: Simulator, thing: str, target: str) -> bool:
    contacts = sim.contacts()
    pairs = ({contacts.ids[a], contacts.ids[b]} for a, b in contacts.pairs.tolist())
    return {thing, target} in pairs


def place_on(sim: Simulator, thing: str, target: str) -> Placed:
    """Stand a thing on another one, upright, as near to the middle of its largest surface as free.

    It keeps where it points, and what is in it comes along. Cloth that is spread out falls over the
    target. ``fell_off`` when it does not touch the target in the end, or lies beside it.
    On a slope it is set without a gap, leaning as the slope does, and has fallen off when it has
    moved by ``SLID`` along the floor or come ``FELL`` below the slope's bottom after
    ``SLIDE_TIME`` or ``STAY_TIME``. ``KeyError`` for ids that do not exist.
    """
    snapshot = sim.geometry()
    spec = _spec(snapshot, thing)
    if spec.state.get("spread", 0.0) > 0.0:
        return _drape(sim, thing, target)
    things = (thing, *contents_of(snapshot, thing))
    size, yaw = _size(spec), upright_yaw(spec.orientation)
    slope = _slope(snapshot, target)
    if slope is not None:
        return _place_on_slope(sim, things, target, slope)
    for surface in _surfaces(snapshot, target):
        if surface.clearance < size[2] + 2 * _DROP:
            continue
        half = _footprint(size, yaw - surface.yaw)
        around = np.append(_footprint(size, yaw), size[2] / 2)
        c, s = math.cos(surface.yaw), math.sin(surface.yaw)
        for u, v in _spots(surface.lower, surface.upper, half):
            offset = [c * u - s * v, s * u + c * v, _DROP + size[2] / 2]
            at = surface.origin + np.array(offset)
            if not _free(snapshot, at - around, at + around, (*things, target)):
                continue
            after, numbers = _let_go(sim, things, at, yaw)
            row = after.index(thing)
            center, box = after.centers()[row], after.boxes[after.index(target)]
            over = bool(((center >= box[0]) & (center <= box[1]))[:2].all())
            height = float(after.boxes[row, 0, 2] - surface.origin[2])
            numbers["height"] = height
            sunk = height < -_SUNK and not inside_cavity(after, target, center)[0]
            stays = over and not sunk and _rests_on(sim, thing, target)
            return Placed("" if stays else "fell_off", numbers)
    numbers = {"width": size[0], "depth": size[1], "height": size[2]}
    largest = _surfaces(snapshot, target)[0]
    numbers["surface_width"], numbers["surface_depth"] = largest.upper - largest.lower
    numbers["clearance"] = largest.clearance
    return Placed("no_room", {key: float(value) for key, value in numbers.items()})


def _place_on_slope(sim: Simulator, things: Sequence[str], target: str, slope: _Slope) -> Placed:
    """Set a thing flat against a slope, let go, and measure twice whether it is still there."""
    snapshot = sim.geometry()
    spec = _spec(snapshot, things[0])
    size, yaw = _size(spec), upright_yaw(spec.orientation)
    # Leaning turns about the level side, so that headings keep their angle to the sides.
    lean = slope.axes @ _yaw_matrix(math.atan2(slope.axes[1, 0], slope.axes[0, 0])).T
    turn = lean @ _yaw_matrix(yaw)
    sides = turn.T @ slope.axes[:, :2]
    half = np.abs(sides.T[:, :2]) @ size[:2] / 2
    around = np.abs(turn) @ size / 2
    for spot in _spots(slope.lower, slope.upper, half):
        at = slope.origin + slope.axes @ np.append(spot, size[2] / 2)
        if not _free(snapshot, at - around, at + around, (*things, target)):
            continue
        _release(sim, things)
        move_together(sim, things, at, geo.transforms.matrix_to_quat(turn))
        bottom = float(snapshot.boxes[snapshot.index(target), 0, 2])
        sim.step(SLIDE_TIME)
        moved, below = _moved(sim, things[0], at, bottom)
        if moved > SLID or below > FELL:
            # It comes to rest somewhere below: nothing happens after that.
            sim.settle(max_time=STAY_TIME - SLIDE_TIME)
        else:
            sim.step(STAY_TIME - SLIDE_TIME)
        moved_late, below_late = _moved(sim, things[0], at, bottom)
        sim.settle(max_time=_SETTLE)
        numbers = {
            "moved": moved,
            "below": below,
            "moved_late": moved_late,
            "below_late": below_late,
        }
        gone = max(moved, moved_late) > SLID or max(below, below_late) > FELL
        return Placed("fell_off" if gone else "", numbers)
    extent = slope.upper - slope.lower
    numbers = {"width": size[0], "depth": size[1], "height": size[2]}
    numbers["surface_width"], numbers["surface_depth"] = extent
    return Placed("no_room", {key: float(value) for key, value in numbers.items()})


def _moved(sim: Simulator, thing: str, start: FloatArray, bottom: float) -> tuple[float, float]:
    """How far a thing is from ``start`` along the floor, and how far below a height."""
    now = sim.poses([thing]).positions[0]
    return float(np.hypot(*(now - start)[:2])), float(bottom - now[2])


def _yaw_matrix(yaw: float) -> FloatArray:
    c, s = math.cos(yaw), math.sin(yaw)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _release(sim: Simulator, things: Sequence[str]) -> None:
    """What was held is held no more."""
    for name in things:
        if _spec(sim.geometry(), name).state.get("held", 0.0) > 0.0:
            sim.set_state(name, "held", 0.0)


def _drape(sim: Simulator, cloth: str, target: str) -> Placed:
    """Spread a cloth out above the middle of an object and let it fall over it."""
    snapshot = sim.geometry()
    box = snapshot.boxes[snapshot.index(target)]
    middle = box.mean(axis=0)
    at = np.array([middle[0], middle[1], box[1, 2] + _DRAPE])
    yaw = upright_yaw(_spec(snapshot, cloth).orientation)
    sim.set_state(cloth, "held", 0.0)
    sim.set_poses([cloth], at[None], _turned(yaw)[None])
    sim.set_state(cloth, "spread", 1.0)
    report = sim.settle(max_time=2.0 * _SETTLE)
    after = sim.geometry()
    # What is seen from right above the middle of the target.
    above = np.array([[middle[0], middle[1], box[1, 2] + 2.0 * _DRAPE]])
    hit = geo.raycast.closest(after.scene, above, np.array([[0.0, 0.0, -1.0]]))
    covers = int(hit.object_id[0]) == after.index(cloth)
    numbers = {"at_rest": float(report.at_rest), "seconds": report.seconds}
    return Placed("" if covers else "fell_off", numbers)


def place_inside(sim: Simulator, thing: str, vessel: str) -> Placed:
    """Let a thing down into a vessel through its opening, upright, its longer side along the
    vessel's longer side.

    ``does_not_fit`` when its middle is not inside in the end. A vessel with a roof and an open
    front (a microwave) gets it put on its floor, if it fits through by its measures. ``KeyError``
    for ids that do not exist.
    """
    snapshot = sim.geometry()
    spec, outer = _spec(snapshot, thing), _spec(snapshot, vessel)
    asset = assets.get(outer.category, outer.model)
    cavity = asset.cavity
    turn = geo.transforms.quat_to_matrix(np.asarray(outer.orientation))
    if cavity is None or turn[2, 2] < _UPRIGHT:
        return Placed("no_cavity", {"up": float(turn[2, 2])})
    opened = outer.state.get("open", 0.0)
    if asset.hinges and opened < OPEN_ENOUGH:
        return Placed("closed", {"open": opened})
    things = (thing, *contents_of(snapshot, thing))
    scale = np.asarray(outer.scale)
    low, high = np.asarray(cavity.lower) * scale, np.asarray(cavity.upper) * scale
    size, room = _size(spec), high - low
    # Of the two ways to turn it, the one that leaves more room.
    spare = [float((room[:2] - 2 * _footprint(size, a)).min()) for a in (0.0, math.pi / 2)]
    way = 0.0 if spare[0] >= spare[1] else math.pi / 2
    yaw = upright_yaw(outer.orientation) + way
    position = np.asarray(outer.position)
    roofed = _roofed(snapshot, vessel, position + turn @ ((low + high) / 2))
    level = low[2] if roofed else high[2]
    numbers = {"spare": max(spare), "spare_height": float(room[2] - size[2])}
    if roofed and min(numbers.values()) < _GAP:
        return Placed("does_not_fit", numbers)
    half = _footprint(size, way)
    at = position + turn @ np.append(_spot_inside(snapshot, things, vessel, cavity, half), level)
    at[2] += _DROP + size[2] / 2
    after, measured = _let_go(sim, things, at, yaw)
    inside = bool(inside_cavity(after, vessel, after.centers()[after.index(thing)])[0])
    return Placed("" if inside else "does_not_fit", {**numbers, **measured})


def _roofed(snapshot: Snapshot, vessel: str, middle: FloatArray) -> bool:
    row = snapshot.index(vessel)
    others = np.array([k for k in range(len(snapshot.ids)) if k != row], dtype=np.int64)
    up = np.array([[0.0, 0.0, 1.0]])
    return bool(geo.raycast.any(snapshot.scene, middle[None], up, ignore=others)[0])


def _spot_inside(
    snapshot: Snapshot, things: Sequence[str], vessel: str, cavity: Cavity, half: FloatArray
) -> FloatArray:
    """Where (2,) in the vessel's frame to let a thing down: over nothing that is in it already."""
    spec = _spec(snapshot, vessel)
    scale = np.asarray(spec.scale)
    low, high = np.asarray(cavity.lower)[:2] * scale[:2], np.asarray(cavity.upper)[:2] * scale[:2]
    turn = geo.transforms.quat_to_matrix(np.asarray(spec.orientation))
    taken = [k for k in contents_of(snapshot, vessel) if k not in things]
    rects = []
    for name in taken:
        box = snapshot.boxes[snapshot.index(name)]
        local = ((box.mean(axis=0) - spec.position) @ turn)[:2]
        rects.append((local, _footprint(box[1] - box[0], upright_yaw(spec.orientation))))
    room = (high - low) / 2
    for spot in _spots(low, high, half):
        within = 1.0
        if cavity.rounded:
            within = float((((np.abs(spot - (low + high) / 2) + half) / room) ** 2).sum())
        clear = all((np.abs(spot - at) > half + r + _GAP).any() for at, r in rects)
        if clear and (within <= 1.0 or not rects):
            return np.asarray(spot)
    return np.asarray((low + high) / 2)
