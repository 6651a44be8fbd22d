"""Where to look from: viewpoints worth reaching, and the ways that lead there."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from esi_fast import geometry as geo
from esi_fast.records import ActionRecord, CameraSpec
from esi_fast.sim.actions import MOVE_STEP, TURN_STEP_DEG, Viewpoint, camera_angles
from esi_fast.sim.episode import sweep_is_free
from esi_fast.types import FloatArray

__all__ = ["WAYS", "Goal", "free_route", "routes", "viewpoints"]

WAYS = 24
"""Blocked ways are tried in another order of their legs this often."""

_TURN = np.radians(TURN_STEP_DEG)
# Near views stand this far off along the floor: not on top of the object, but so that half a step
# more in both directions, which no route can take, still is near.
_NEAR, _FAR = 0.5, 0.7


@dataclass(frozen=True)
class Goal:
    """A place to look from, the point to look at, and what to do there, in that order."""

    kind: str
    position: FloatArray
    target: FloatArray
    then: tuple[ActionRecord, ...] = ()


def viewpoints(
    camera: CameraSpec, points: Sequence[FloatArray], kinds: Sequence[str]
) -> list[Goal]:
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


def free_route(
    scene: geo.Scene, start: Viewpoint, goal: Goal, *, passed: Sequence[int] = ()
) -> list[str] | None:
    """The first of the best routes on which nothing blocks the camera.

    Objects with the kernel ids ``passed`` are not in the way.
    """
    for route in itertools.islice(routes(start.camera, goal), WAYS):
        here, stops = start, [start.camera.position]
        for name in route:
            here = here.after(name) or here
            stops.append(here.camera.position)
        moves = [(a, b) for a, b in itertools.pairwise(stops) if a != b]
        starts, ends = [a for a, _ in moves], [b for _, b in moves]
        if not moves or all(sweep_is_free(scene, starts, ends, ignore=passed)):
            return route
    return None


def _repeat(names: tuple[str, str], count: int) -> list[str]:
    return [names[0] if count > 0 else names[1]] * abs(count)
