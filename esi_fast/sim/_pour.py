"""A pour as it happens: particles in a vessel that is tilted over another one.

The volume of both vessels is shared out evenly among particles, none of which is made or lost, so
what is left, caught and spilled sums to the whole.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.ndimage import gaussian_filter

from esi_fast import geometry as geo
from esi_fast.assets.base import Part
from esi_fast.geometry.distance import Mesh
from esi_fast.geometry.fields import DistanceField, Plane
from esi_fast.geometry.fluid import Fluid, Vessel
from esi_fast.geometry.render import Material
from esi_fast.sim._fields import region_field
from esi_fast.sim._soft import Skin
from esi_fast.types import BoolArray, FloatArray

__all__ = ["PARTICLES", "WATER_LOOK", "Jug", "Run", "run_pour", "water_skin"]

WATER_LOOK = Material(color=(0.985, 0.995, 1.0), kind="glass", ior=1.33)
# Particles of one pour, and steps per second.
PARTICLES, _RATE = 800, 160
# Seconds in which a vessel of 10 cm is tilted all the way, and in which the rest may run out; both
# grow with the root of the height, as falls do.
_TILT_TIME, _REST_TIME = 2.0, 1.0
_PIECE = 0.05
# How high the lip is held over the rim (metres).
_OVER = 0.02
# How far before the middle of the mouth, in its radii: what runs off the lip flies on a little.
_AIM = 0.8
# What reaches this far (metres) beyond the lip catches the water.
_UNDER_LIP = 0.004
# Nodes of a vessel's field at most.
_NODES = 2.0e6
# Blur of the drawn surface in particle radii, cells per radius, and the share of the density of
# liquid on which it lies: a single particle is lost in the spray.
_BLUR, _CELLS, _SHARE = 1.5, 1.25, 0.3


class Jug(NamedTuple):
    """A vessel in a pour: its mesh in its own frame, its pose (4, 4) and the volume in it (m³)."""

    mesh: Mesh
    pose: FloatArray
    volume: float


class Run(NamedTuple):
    """Particles (N, 3) at the end, of ``radius``, which are in the source and in the target, and
    the seconds that were simulated."""

    points: FloatArray
    radius: float
    in_source: BoolArray
    in_target: BoolArray
    seconds: float


class _Cavity:
    """Where liquid stands in an upright vessel, column by column."""

    def __init__(self, mesh: Mesh, radius: float) -> None:
        # Rows of particles; and columns fine enough that few particles straddle the wall.
        first, sides, columns, heights = geo._core.vessel.pools(mesh.triangles, 2 * radius)
        self.xy, self.heights = first + columns * sides, heights
        self.first, self.sides, columns, heights = geo._core.vessel.pools(
            mesh.triangles, radius / 2
        )
        shape = columns.max(axis=0) + 2
        self.low = np.full(shape, np.inf)
        self.high = np.full(shape, -np.inf)
        np.minimum.at(self.low, tuple(columns.T), heights[:, 0])
        np.maximum.at(self.high, tuple(columns.T), heights[:, 1])
        top = heights[:, 1] >= heights[:, 1].max() - 1e-6
        self.center = (self.first + columns[top] * self.sides).mean(axis=0)
        self.radius = math.sqrt(top.sum() * float(np.prod(self.sides)) / math.pi)

    def holds(self, local: FloatArray, slack: float) -> BoolArray:
        """Which points (N, 3) are in a column, up to ``slack`` above its rim."""
        cell = np.rint((local[:, :2] - self.first) / self.sides).astype(int)
        known = ((cell >= 0) & (cell < self.low.shape)).all(axis=1)
        i, j = np.where(known[:, None], cell, 0).T
        z = local[:, 2]
        return np.asarray(known & (z > self.low[i, j] - slack) & (z < self.high[i, j] + slack))

    def seats(self, count: int, radius: float, field: DistanceField) -> FloatArray:
        """The lowest ``count`` places (N, 3) for particles, above the rim too."""
        step = 2.0 * radius
        points: list[FloatArray] = []
        for (x, y), (low, _) in zip(self.xy, self.heights, strict=True):
            z = np.arange(low + radius, self.heights[:, 1].max() + 8 * step, step)
            points.append(np.column_stack([np.full(len(z), x), np.full(len(z), y), z]))
        seats = np.concatenate(points)
        distance, _, known = field.sample(seats)
        # Between columns and walls there is room that rows of whole particles do not fill.
        seats = seats[~known | (distance > 0.7 * radius)]
        return seats[np.argsort(seats[:, 2], kind="stable")[:count]]


@lru_cache(maxsize=8)
def _field(mesh: Mesh, radius: float) -> DistanceField:
    corners = mesh.triangles.reshape(-1, 3)
    margin = 4.5 * radius
    lower, upper = corners.min(axis=0) - margin, corners.max(axis=0) + margin
    spacing = max(min(radius, 0.0015), (float(np.prod(upper - lower)) / _NODES) ** (1 / 3))
    field = region_field([mesh.triangles], lower, upper, spacing=spacing, band=4.2 * radius)
    if field is None:
        raise ValueError("mesh: expected a vessel, got no faces")
    return field


def run_pour(
    source: Jug,
    target: Jug | None,
    tilt: float,
    *,
    ground: float,
    frame: Callable[[float, FloatArray, FloatArray], None] | None = None,
    particles: int = PARTICLES,
) -> Run:
    """Pours ``source`` by ``tilt`` radians over ``target``, or where it stands.

    All that misses falls on a level plane at the height ``ground``. ``frame(time, points, pose)``
    is shown the particles (N, 3) and the pose of the source every twentieth of a second.
    """
    total = source.volume + (target.volume if target else 0.0)
    radius = (total / particles) ** (1 / 3) / 2
    cavity = _Cavity(source.mesh, radius)
    field = _field(source.mesh, radius)
    count = round(particles * source.volume / total)
    points = [geo.transforms.transform_points(source.pose, cavity.seats(count, radius, field))]
    vessels: list[Vessel] = []
    caught: _Cavity | None = None
    corners = source.mesh.triangles.reshape(-1, 3)
    heading = np.array([1.0, 0.0])
    end = np.array([*source.pose[:2, 3], ground + 0.1])
    if target is not None:
        caught = _Cavity(target.mesh, radius)
        other = _field(target.mesh, radius)
        vessels.append(Vessel(other, target.pose))
        seats = caught.seats(particles - count, radius, other)
        points.append(geo.transforms.transform_points(target.pose, seats))
        mouth = target.pose[:3, :3] @ [*caught.center, 0.0] + target.pose[:3, 3]
        way = mouth[:2] - source.pose[:2, 3]
        if np.linalg.norm(way) > 1e-6:
            heading = way / np.linalg.norm(way)
        top = geo.transforms.transform_points(target.pose, target.mesh.vertices)[:, 2].max()
        end = np.array([*(mouth[:2] - _AIM * caught.radius * heading), top + _OVER])
    turn, lip = _aside(source.pose[:3, :3], corners, heading)
    tall = float(np.ptp(corners @ turn[2]))
    axis = np.array([-heading[1], heading[0], 0.0])

    def pose_at(angle: float) -> FloatArray:
        half = angle / 2
        spin = geo.transforms.quat_to_matrix(np.array([*(axis * math.sin(half)), math.cos(half)]))
        pose = np.eye(4)
        pose[:3, :3] = spin @ turn
        # As long as the vessel hangs below its lip, it is held so much higher.
        place = end + np.array([0.0, 0.0, tall * max(math.cos(angle), 0.0)])
        pose[:3, 3] = place - pose[:3, :3] @ lip
        return pose

    start = pose_at(0.0)
    lifted = start @ geo.transforms.invert_pose(source.pose)
    points[0] = geo.transforms.transform_points(lifted, points[0])
    fluid = Fluid(np.concatenate(points), radius=radius)
    floor = [Plane(offset=ground)]
    before, time = start, 0.0

    def pass_time(to: FloatArray, seconds: float) -> None:
        nonlocal before, time
        around = [Vessel(field, to, before), *vessels]
        fluid.step(seconds, vessels=around, planes=floor, steps_per_second=_RATE)
        before, time = to, time + seconds
        if frame is not None:
            frame(time, fluid.positions, to)

    for _ in range(6):
        pass_time(start, _PIECE)
    slow = math.sqrt(max(tall, 0.05) / 0.1)
    pieces = round(_TILT_TIME * slow / _PIECE)
    for k in range(1, pieces + 1):
        pass_time(pose_at(tilt * k / pieces), _PIECE)
    for _ in range(round(_REST_TIME * slow / _PIECE)):
        pass_time(before, _PIECE)
    ended = fluid.positions
    inside = cavity.holds(_local(before, ended), 2 * radius)
    into = np.zeros(len(ended), dtype=bool)
    if target is not None and caught is not None:
        into = caught.holds(_local(target.pose, ended), 2 * radius) & ~inside
    return Run(ended, radius, inside, into, time)


def _aside(
    turn: FloatArray, corners: FloatArray, heading: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """How a vessel is turned (3, 3) when it is poured along ``heading``, and its lip (3,), which is
    where the rim is farthest along the way, in its own frame.

    As it stands, or turned by a quarter or a half so that no handle is under the lip.
    """
    found: list[tuple[float, FloatArray, FloatArray]] = []
    for quarters in (0, 1, 3, 2):
        c, s = (1, 0, -1, 0)[quarters], (0, 1, 0, -1)[quarters]
        turned = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]) @ turn
        world = corners @ turned.T
        rim = world[:, 2] > world[:, 2].max() - 0.05 * np.ptp(world[:, 2])
        along = world[:, :2] @ heading
        row = np.flatnonzero(rim)[np.argmax(along[rim])]
        over = float(along.max() - along[row])
        found.append((over, turned, corners[row]))
        if over <= _UNDER_LIP:
            break
    _, turned, lip = min(found, key=lambda one: one[0])
    return turned, lip


def _local(pose: FloatArray, points: FloatArray) -> FloatArray:
    return geo.transforms.transform_points(geo.transforms.invert_pose(pose), points)


def water_skin(points: FloatArray, radius: float) -> Skin | None:
    """The surface of particles (N, 3), smooth; None where there is none."""
    if not len(points):
        return None
    margin = 5.0 * radius
    lower, upper = points.min(axis=0) - margin, points.max(axis=0) + margin
    step = max(radius / _CELLS, (float(np.prod(upper - lower)) / _NODES) ** (1 / 3))
    shape = np.ceil((upper - lower) / step).astype(int) + 1
    at = (points - lower) / step
    cell = np.floor(at).astype(int)
    t = at - cell
    density = np.zeros(shape)
    each = (2.0 * radius / step) ** 3
    corners: Sequence[tuple[int, int, int]] = list(np.ndindex(2, 2, 2))
    for corner in corners:
        share = np.prod(np.where(corner, t, 1.0 - t), axis=1)
        np.add.at(density, tuple((cell + corner).T), share * each)
    density = gaussian_filter(density, _BLUR * radius / step, mode="constant", truncate=3.5)
    found = geo.surface.closed(density, origin=lower, spacing=step, level=_SHARE)
    if not len(found.faces):
        return None
    return Skin((Part(found.vertices, found.faces.astype(np.int64), WATER_LOOK, found.normals),))
