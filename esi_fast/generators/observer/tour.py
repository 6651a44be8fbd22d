"""Where to go to clear places (C): a short tour of viewpoints that see all of them.

The observer knows the house and the places, so it can tell beforehand what it would see from
where, but for what the targets hide of each other. The tour is planned from the first view and
stays the same; of its stops only those that see an undecided place are worth going to.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Collection, Sequence
from functools import lru_cache, reduce
from typing import NamedTuple

import numpy as np

from esi_fast import geometry as geo
from esi_fast.generators.goals import Goal, free_route
from esi_fast.generators.observer.clear import MIN_PIXELS, Body, House
from esi_fast.generators.observer.localise import TOLERANCE_PX
from esi_fast.records import CameraSpec
from esi_fast.sim.actions import (
    MOVE_STEP,
    TURN_STEP_DEG,
    Viewpoint,
    camera_angles,
    camera_orientation,
)
from esi_fast.sim.episode import CAMERA_RADIUS
from esi_fast.sim.lens import pinhole
from esi_fast.types import FloatArray

__all__ = ["Stop", "Tour", "plan_tour"]

# Of the points on a core by which it is tried, so many must be in sight, this far from the border
# (as a share of the picture).
_IN_SIGHT, _BORDER = 7, 0.03
# A place counts as seen when a target there would show this many times the pixels that clear it.
_ROOM = 1.25
# Steps that a viewpoint lies above the first camera, and how far from the middle of the places.
_RISES = (1.0, 0.5)
_HIGHEST = 2.35
_NEAR = 0.8
# The most promising plans are walked, so many of them at most.
_PLANS = 8


class Stop(NamedTuple):
    """A viewpoint, the actions it takes from the stop before, and the places it sees (bits)."""

    goal: Goal
    steps: int
    sees: int


class Tour(NamedTuple):
    """``stops`` in order, the places that the first view sees (``start``), and ``spare`` ones:
    further viewpoints, the widest first, for what targets hide of each other."""

    start: int
    stops: tuple[Stop, ...]
    spare: tuple[Stop, ...]

    @property
    def length(self) -> int:
        """How many actions the tour takes."""
        return sum(stop.steps for stop in self.stops)

    @property
    def sees(self) -> int:
        """The places that it sees, as bits."""
        return reduce(int.__or__, (stop.sees for stop in self.stops), self.start)


@lru_cache(maxsize=64)
def plan_tour(
    camera: CameraSpec,
    house: House,
    places: tuple[tuple[float, float], ...],
    body: Body,
    longest: int,
) -> Tour:
    """The one or two stops that see most of ``places`` within ``longest`` actions.

    Of those that see the same the nearest.
    """
    spots = np.array(places, dtype=float).reshape(-1, 2)
    goals = _viewpoints(camera, house, spots)
    cameras = [camera, *(_looking(camera, goal) for goal in goals)]
    start, *seen = _sees(cameras, house, spots, body)
    left = (1 << len(spots)) - 1 & ~start
    ways = _estimates(cameras, goals)
    pairs = itertools.permutations(range(len(goals)), 2)
    chosen: list[tuple[int, ...]] = [*((k,) for k in range(len(goals))), *pairs]
    plans = [
        (-(reduce(int.__or__, (seen[k] for k in some)) & left).bit_count(), steps, some)
        for some in chosen
        if (steps := _steps(ways, some)) <= longest
    ]
    best: tuple[Stop, ...] = ()
    for _, _, some in heapq.nsmallest(_PLANS, plans):
        found = _walked(camera, house, [goals[k] for k in some], spots, body)
        if found is None or sum(stop.steps for stop in found) > longest:
            continue
        best = max(best, found, key=lambda stops: _gain(stops, left))
        if _gain(best, left) == left.bit_count():
            break
    there = {stop.goal.kind for stop in best}
    spare = [Stop(g, 0, s) for g, s in zip(goals, seen, strict=True) if g.kind not in there]
    return Tour(start, best, tuple(sorted(spare, key=lambda stop: -stop.sees.bit_count())))


def _steps(ways: FloatArray, chosen: Sequence[int]) -> float:
    """About how long a tour of goals is: ``ways`` from the start (row 0) and from each of them."""
    rows = (0, *(k + 1 for k in chosen))
    return float(sum(ways[row, k] for row, k in zip(rows, chosen, strict=False)))


def _gain(found: tuple[Stop, ...], left: int) -> int:
    return (reduce(int.__or__, (stop.sees for stop in found), 0) & left).bit_count()


def _walked(
    camera: CameraSpec, house: House, goals: Sequence[Goal], spots: FloatArray, body: Body
) -> tuple[Stop, ...] | None:
    """The stops at ``goals`` by ways that nothing of the house blocks; ``None`` without one."""
    found = []
    for goal in goals:
        route = free_route(house.scene, Viewpoint(camera), goal)
        if not route:
            return None
        camera = _after(camera, route)
        found.append(Stop(goal, len(route), _sees([camera], house, spots, body)[0]))
    return tuple(found)


def _viewpoints(camera: CameraSpec, house: House, spots: FloatArray) -> list[Goal]:
    """Free places to look from: over the middle, around it, and where the camera is."""
    eye = np.asarray(camera.position)
    middle = np.append(spots.mean(axis=0), 0.1)
    away = eye[:2] - middle[:2]
    distance = float(np.hypot(*away))
    azimuth = float(np.arctan2(away[1], away[0]))
    found: list[Goal] = []
    for rise in _RISES:
        height = min(float(eye[2]) + rise, _HIGHEST)
        ring = [(0.0, 0.0)]
        ring += [(_NEAR, turn) for turn in np.radians(np.arange(0, 360, 45))]
        ring += [(distance, turn) for turn in np.radians([0, 30, -30, 60, -60, 90, -90])]
        for reach, turn in ring:
            side = np.array([np.cos(azimuth + turn), np.sin(azimuth + turn)])
            position = np.append(middle[:2] + reach * side, height)
            found.append(Goal(f"over_{len(found)}", position, middle))
    gaps = geo.distance.points_to_scene(house.scene, [goal.position for goal in found]).distance
    return [g for g, gap in zip(found, gaps, strict=True) if gap > 1.2 * CAMERA_RADIUS]


def _looking(camera: CameraSpec, goal: Goal) -> CameraSpec:
    """The first camera at a goal's place, turned to its target."""
    view = goal.target - goal.position
    orientation = camera_orientation(
        float(np.arctan2(view[1], view[0])), float(np.arctan2(view[2], np.hypot(view[0], view[1])))
    )
    x, y, z = (float(v) for v in goal.position)
    return camera.model_copy(update={"position": (x, y, z), "orientation": orientation})


def _estimates(cameras: Sequence[CameraSpec], goals: Sequence[Goal]) -> FloatArray:
    """About how many actions lead from each camera to each goal, (C, G).

    Finding the routes themselves takes longer.
    """
    angles = np.array([camera_angles(camera) for camera in cameras])
    eyes = np.array([camera.position for camera in cameras])
    stands = np.array([goal.position for goal in goals]).reshape(-1, 3)
    view = np.array([goal.target for goal in goals]).reshape(-1, 3) - stands
    flat = np.hypot(view[:, 0], view[:, 1])
    move = stands[None] - eyes[:, None]
    # A walk along and across a heading is longer than the straight line.
    walk = 1.15 * np.hypot(move[..., 0], move[..., 1]) + np.abs(move[..., 2])
    turn = np.arctan2(view[:, 1], view[:, 0])[None] - angles[:, :1]
    turn = np.where(flat > 0.05, np.abs((turn + np.pi) % (2 * np.pi) - np.pi), 0.0)
    tilt = np.abs(np.arctan2(view[:, 2], flat)[None] - angles[:, 1:])
    return np.asarray(1.0 + walk / MOVE_STEP + np.degrees(turn + tilt) / TURN_STEP_DEG)


def _after(camera: CameraSpec, route: Collection[str]) -> CameraSpec:
    here = Viewpoint(camera)
    for name in route:
        here = here.after(name) or here
    return here.camera


def _sees(cameras: Sequence[CameraSpec], house: House, spots: FloatArray, body: Body) -> list[int]:
    """For each camera the places at which it would see a target, as bits."""
    turn = np.arange(4) * np.pi / 2.0 + 0.4
    rim = body.core_radius * np.column_stack((np.cos(turn), np.sin(turn)))
    levels = (body.core_low, body.core_high)
    offsets = np.concatenate([np.column_stack((rim, np.full(4, z))) for z in levels])
    points = (np.column_stack((spots, np.zeros(len(spots))))[:, None] + offsets).reshape(-1, 3)
    eyes = np.array([camera.position for camera in cameras])
    free = geo.occlusion.visibility_matrix(house.scene, eyes, points, threads=1)
    found = []
    for camera, row in zip(cameras, free, strict=True):
        pixels = pinhole(camera).project(points)
        size = np.array([camera.width, camera.height])
        with np.errstate(invalid="ignore"):
            inside = (pixels.pixels > _BORDER * size) & (pixels.pixels < (1 - _BORDER) * size)
        seen = (row & pixels.in_image & inside.all(axis=1)).reshape(len(spots), -1).sum(axis=1)
        enough = _pixels(camera, spots, body) >= _ROOM * MIN_PIXELS
        found.append(sum(1 << int(k) for k in np.flatnonzero((seen >= _IN_SIGHT) & enough)))
    return found


def _pixels(camera: CameraSpec, spots: FloatArray, body: Body) -> FloatArray:
    """About how many pixels (N,) the core shows inside the tolerance at each place."""
    middle = (body.core_low + body.core_high) / 2
    away = np.column_stack((spots, np.full(len(spots), middle))) - np.asarray(camera.position)
    distance = np.linalg.norm(away, axis=1)
    sine = np.abs(away[:, 2]) / distance
    scale = pinhole(camera).fy / distance
    wide = 2.0 * body.core_radius * scale
    high = (body.core_high - body.core_low) * np.sqrt(1.0 - sine**2) * scale + wide * sine
    # Its outline is between an ellipse and a rectangle.
    inner = np.maximum(np.stack((wide, high)) - 2.0 * TOLERANCE_PX, 0.0)
    return np.asarray(np.pi / 4.0 * inner[0] * inner[1])
