"""Cameras of questions, where to look from, and the search for oracle trajectories.

The same candidate viewpoints serve the search (which knows the world and proves its result in
it) and ``next_action`` (which knows the public history only, and is how the perfect agent moves).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import ndimage

from esi_fast import geometry as geo
from esi_fast.errors import PlacementRejected
from esi_fast.generators.base import Draft, Task
from esi_fast.records import ActionRecord, CameraSpec, FrameRecord, ObjectSpec
from esi_fast.sim.actions import (
    MOVE_STEP,
    TURN_STEP_DEG,
    Viewpoint,
    action,
    camera_angles,
    camera_orientation,
)
from esi_fast.sim.base import Simulator, Snapshot
from esi_fast.sim.episode import EpisodeCore, sweep_is_free
from esi_fast.types import BoolArray, FloatArray, JsonDict

__all__ = [
    "MAX_ORACLE_ACTIONS",
    "Goal",
    "Oracle",
    "camera_at",
    "find_oracle",
    "floor_bounds",
    "goals",
    "next_action",
    "pinhole",
    "routes",
    "twin_masks",
]

# TASKS: an oracle trajectory has at most 20 actions.
MAX_ORACLE_ACTIONS = 20
_TURN = np.radians(TURN_STEP_DEG)
# Near views stand this far off along the floor: not on top of the object, but so that half a step
# more in both directions, which no route can take, still is near.
_NEAR, _FAR = 0.5, 0.7


def camera_at(
    position: tuple[float, float, float], *, yaw: float, pitch: float, vfov_deg: float
) -> CameraSpec:
    """A 512 x 512 camera without roll; ``yaw`` 0 looks along +X, ``pitch`` is positive upwards."""
    return CameraSpec(
        position=position, orientation=camera_orientation(yaw, pitch), vfov_deg=vfov_deg
    )


def pinhole(camera: CameraSpec) -> geo.Camera:
    """The kernel's camera for a recorded one."""
    return geo.Camera(
        position=np.asarray(camera.position),
        orientation=np.asarray(camera.orientation),
        width=camera.width,
        height=camera.height,
        vfov_deg=camera.vfov_deg,
    )


def floor_bounds(snapshot: Snapshot, *, margin: float) -> list[list[float]]:
    """Lower and upper corner of all rooms' floors, ``margin`` metres wider on each side."""
    lower = np.min([room.lower for room in snapshot.rooms], axis=0) - margin
    upper = np.max([room.upper for room in snapshot.rooms], axis=0) + margin
    return [[float(v) for v in lower], [float(v) for v in upper]]


def twin_masks(sim: Simulator, draft: Draft) -> float:
    """How far, in pixels, the outlines of view 0 move when the world becomes its twin.

    ``draft.notes["twin"]`` holds the same objects at their other poses. The world is put back.
    """
    twins = [ObjectSpec.model_validate(data) for data in draft.notes["twin"]]
    token = sim.save()
    before = _classes(sim, draft.camera)
    sim.set_poses(
        [obj.id for obj in twins],
        np.array([obj.position for obj in twins]),
        np.array([obj.orientation for obj in twins]),
    )
    after = _classes(sim, draft.camera)
    sim.restore(token)
    return max(
        (
            _outline_gap(before == name, after == name)
            for name in set(np.unique(before)) | set(np.unique(after))
        ),
        default=0.0,
    )


def _classes(sim: Simulator, camera: CameraSpec) -> FloatArray:
    seen = sim.render([camera], ("seen_ids",))[0].seen_ids
    if seen is None:
        raise RuntimeError("render: asked for seen_ids, got none")
    categories = [obj.category for obj in sim.geometry().objects]
    names = sorted(set(categories))
    lookup = np.array([names.index(category) for category in categories] + [-1])
    return np.asarray(lookup[seen])


def _outline_gap(a: BoolArray, b: BoolArray) -> float:
    """Largest distance in pixels from a pixel of one mask to the other mask.

    The picture's diagonal where one of them is empty.
    """
    if not a.any() and not b.any():
        return 0.0
    if not a.any() or not b.any():
        return float(np.hypot(*a.shape))
    gaps = [0.0]
    for inside, other in ((a & ~b, b), (b & ~a, a)):
        if inside.any():
            gaps.append(float(ndimage.distance_transform_edt(~other)[inside].max()))
    return max(gaps)


@dataclass(frozen=True)
class Goal:
    """A place to look from and the point to look at."""

    kind: str
    position: FloatArray
    target: FloatArray


def goals(camera: CameraSpec, points: Sequence[FloatArray], kinds: Sequence[str]) -> list[Goal]:
    """Viewpoints worth reaching: ``near`` each point, ``above`` and ``steep`` over all.

    ``points`` are (3,) in metres; the order is that of ``kinds``, nearest azimuth first.
    """
    if not points:
        return []
    here = np.asarray(camera.position)
    middle = np.mean(points, axis=0)
    found = []
    for kind in kinds:
        if kind == "near":
            for point in points:
                away = here[:2] - point[:2]
                distance = float(np.linalg.norm(away))
                off = np.clip(distance, _NEAR, _FAR) / max(distance, 1e-6)
                found.append(Goal(kind, np.append(point[:2] + off * away, here[2]), point))
        elif kind == "above":
            found.append(Goal(kind, np.append(middle[:2], 1.9), middle))
        elif kind == "steep":
            away = here[:2] - middle[:2]
            azimuth = float(np.arctan2(away[1], away[0]))
            for elevation, turn, reach in itertools.product(
                np.radians([55.0, 70.0]), np.radians([0.0, 45.0, -45.0]), (1.5, 1.9)
            ):
                flat = reach * np.cos(elevation)
                side = np.array([np.cos(azimuth + turn), np.sin(azimuth + turn)])
                height = middle[2] + reach * np.sin(elevation)
                found.append(Goal(kind, np.append(middle[:2] + flat * side, height), middle))
        else:
            raise ValueError(f"kinds: expected near, above or steep, got {kind!r}")
    return found


def routes(camera: CameraSpec, goal: Goal) -> Iterator[list[str]]:
    """Action sequences that lead near a goal and look at its target, best first.

    Every heading of the 24 is tried for the walk: turn to it, walk along and across it, turn to
    the target. A route's cost is its length plus 8 for each metre that it ends off the goal.
    """
    yaw, pitch = camera_angles(camera)
    here = np.asarray(camera.position)
    delta = goal.position - here
    plans = []
    for steps in range(-11, 13):
        heading = yaw + steps * _TURN
        ahead = np.array([np.cos(heading), np.sin(heading)])
        left = np.array([-ahead[1], ahead[0]])
        counts = [
            round(float(delta[:2] @ ahead) / MOVE_STEP),
            round(float(delta[:2] @ left) / MOVE_STEP),
            round(float(delta[2]) / MOVE_STEP),
        ]
        moved = MOVE_STEP * np.append(counts[0] * ahead + counts[1] * left, counts[2])
        end = here + moved
        view = goal.target - end
        flat = float(np.hypot(view[0], view[1]))
        turn = 0
        if flat > 0.05:
            bearing = float(np.arctan2(view[1], view[0]))
            turn = round(float((bearing - heading + np.pi) % (2 * np.pi) - np.pi) / _TURN)
        wanted = float(np.arctan2(view[2], flat))
        tilt = round((wanted - pitch) / _TURN)
        while abs(pitch + tilt * _TURN) > np.pi / 2 + 1e-9:
            tilt -= int(np.sign(tilt))
        miss = float(np.linalg.norm(end - goal.position))
        length = abs(steps) + sum(map(abs, counts)) + abs(turn) + abs(tilt)
        first = _repeat(("turn_left", "turn_right"), steps)
        walks = [
            _repeat(("move_forward", "move_backward"), counts[0]),
            _repeat(("move_left", "move_right"), counts[1]),
            _repeat(("move_up", "move_down"), counts[2]),
        ]
        last = _repeat(("turn_up", "turn_down"), tilt) + _repeat(("turn_left", "turn_right"), turn)
        plans.append((length + 8.0 * miss, steps, first, walks, last))
    for _, _, first, walks, last in sorted(plans, key=lambda plan: plan[:2]):
        moving = [walk for walk in walks if walk]
        for order in itertools.permutations(moving):
            yield first + [name for walk in order for name in walk] + last


def _repeat(names: tuple[str, str], count: int) -> list[str]:
    return [names[0] if count > 0 else names[1]] * abs(count)


@dataclass(frozen=True)
class Oracle:
    """A proved trajectory: its actions and what was still possible at each view."""

    actions: tuple[ActionRecord, ...]
    possible: tuple[tuple[str, ...], ...]


def find_oracle(
    sim: Simulator,
    snapshot: Snapshot,
    task: Task,
    draft: Draft,
    answer: str,
    points: Sequence[FloatArray],
) -> Oracle:
    """A short trajectory after which only ``answer`` is possible, proved in the environment.

    ``points`` are the true places of the question objects. Raises ``PlacementRejected`` when no
    candidate works within ``MAX_ORACLE_ACTIONS``.
    """
    start = Viewpoint(draft.camera)
    scout = EpisodeCore(sim, draft.camera)
    first = scout.observe(rgb=False).record
    candidates = []
    for goal in goals(draft.camera, points, task.vantages):
        route = _walkable(snapshot, start, goal)
        if route is not None and 0 < len(route) <= MAX_ORACLE_ACTIONS:
            candidates.append(route)
    tried = 0
    for route in sorted(candidates, key=len):
        end = start
        for name in route:
            end = end.after(name) or end
        tried += 1
        last = scout.peek(end).record
        if _possible(task, [first, last], draft, answer) != frozenset({answer}):
            continue
        oracle = _prove(sim, task, draft, answer, route)
        if oracle is not None:
            return oracle
    raise PlacementRejected("no_oracle", candidates=len(candidates), tried=tried)


def _walkable(snapshot: Snapshot, start: Viewpoint, goal: Goal) -> list[str] | None:
    """The first of the best routes on which nothing blocks the camera."""
    for route in itertools.islice(routes(start.start, goal), 24):
        here, stops = start, [start.camera.position]
        for name in route:
            here = here.after(name) or here
            stops.append(here.camera.position)
        moves = [(a, b) for a, b in itertools.pairwise(stops) if a != b]
        if not moves:
            return route
        if all(sweep_is_free(snapshot, [a for a, _ in moves], [b for _, b in moves])):
            return route
    return None


def _prove(
    sim: Simulator, task: Task, draft: Draft, answer: str, route: Sequence[str]
) -> Oracle | None:
    core = EpisodeCore(sim, draft.camera)
    core.observe(rgb=False)
    possible = [_possible(task, core.history, draft, answer)]
    done: list[ActionRecord] = []
    for name in route:
        step = action(name)
        if not core.apply(step).ok:
            return None
        done.append(step)
        core.observe(rgb=False)
        possible.append(_possible(task, core.history, draft, answer))
    # To the end of the route, even where less is proof enough: its last view is for people too.
    if possible[-1] != frozenset({answer}):
        return None
    return Oracle(tuple(done), tuple(tuple(sorted(kept)) for kept in possible))


def _possible(
    task: Task, history: Sequence[FrameRecord], draft: Draft, answer: str
) -> frozenset[str]:
    """What the observer still holds possible, the label always among it."""
    possible = task.still_possible(history, draft.public)
    if answer not in possible:
        # It lost the truth: a fault of the program, not of this draft.
        seen = f"{len(history)} frames: {sorted(possible)}"
        raise RuntimeError(f"observer excludes the label {answer!r} after {seen}")
    return possible


def next_action(
    task: Task, history: Sequence[FrameRecord], public: JsonDict
) -> ActionRecord | None:
    """What to do next to learn more, from the public history alone; ``None`` to give up.

    Goes to the viewpoints that the places still possible suggest, one after the other. A goal is
    dropped when it has been reached or when something unseen blocked the way to it; with none
    left the camera turns on the spot to find more.
    """
    camera = history[-1].camera
    blocked_now = {
        frame.action.name
        for frame in history
        if frame.action is not None
        and frame.outcome is not None
        and not frame.outcome.ok
        and frame.camera == camera
    }
    for goal in goals(history[0].camera, task.places(history, public), task.vantages):
        if _dropped(goal, history):
            continue
        for route in itertools.islice(routes(camera, goal), 24):
            if route and route[0] not in blocked_now:
                return action(route[0])
    return action("turn_left")


def _dropped(goal: Goal, history: Sequence[FrameRecord]) -> bool:
    """Whether a goal was reached, or a solid stopped the way towards its target."""
    for frame in history:
        # Reached: from there the best route to it has no step.
        if not next(routes(frame.camera, goal)):
            return True
        there = np.asarray(frame.camera.position)
        to_target = goal.target - there
        yaw, _ = camera_angles(frame.camera)
        stopped = (
            frame.outcome is not None
            and frame.outcome.reason == "blocked"
            and frame.action is not None
            and frame.action.name == "move_forward"
        )
        if stopped and goal.kind == "near":
            flat = to_target[:2] / max(float(np.linalg.norm(to_target[:2])), 1e-9)
            if float(flat @ [np.cos(yaw), np.sin(yaw)]) > np.cos(2.5 * _TURN):
                return True
    return False
