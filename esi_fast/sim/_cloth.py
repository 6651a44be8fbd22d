"""Cloth in the world: towels, blankets and tablecloths that fall over what has settled.

The shape that a cloth came to rest in is ``ObjectSpec.points``; while it moves its velocities are
kept here. Rigid bodies are obstacles to cloth, not the other way round.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from esi_fast import geometry as geo
from esi_fast.assets import palettes
from esi_fast.assets.base import Part
from esi_fast.geometry.cloth import Cloth, ClothMaterial, sheet
from esi_fast.geometry.fields import Obstacle, Plane
from esi_fast.geometry.render import Material
from esi_fast.records import ObjectSpec
from esi_fast.sim._fields import region_field
from esi_fast.sim._soft import SPREAD, Skin, is_cloth, is_soft
from esi_fast.sim.base import Snapshot
from esi_fast.types import FloatArray, IntArray

__all__ = ["Cloths", "Settled"]

# Particles along the longer side, and the distance between them at least (metres).
_MOST, _CELL = 44, 0.012
_THICKNESS = 0.006
# Air and inner friction (1/s): it lies still after two or three seconds.
_DAMPING = 5.0
# What is seen of it (metres).
_SEEN = 0.003
# Field nodes lie this far apart (metres); beyond twice the thickness distances are bounds.
_NODES = 0.01
_FRICTION = 0.6
# How far a cloth may get sideways from where it starts (metres), and fall below it.
_ASIDE, _BELOW = 0.35, 2.5
# Speed below which it is at rest (m/s): the fastest particle of many.
REST_SPEED = 0.05


class Settled(NamedTuple):
    """The cloth as it lies now, whether it is at rest, seconds simulated and the top speed."""

    spec: ObjectSpec
    at_rest: bool
    seconds: float
    speed: float


@lru_cache(maxsize=64)
def _flat(length: float, width: float) -> tuple[FloatArray, IntArray, FloatArray]:
    """Vertices, faces and uv (V, 2) of the sheet, the long side along x."""
    cell = max(_CELL, length / (_MOST - 1))
    counts = (max(3, round(length / cell) + 1), max(3, round(width / cell) + 1))
    vertices, faces = sheet((length, width), counts)
    return vertices, faces, vertices[:, :2] / [length, width] + 0.5


def _sheet_of(spec: ObjectSpec) -> tuple[FloatArray, IntArray, FloatArray]:
    length, width, _ = SPREAD[spec.category]
    return _flat(length * spec.scale[0], width * spec.scale[1])


def _shape(spec: ObjectSpec) -> FloatArray:
    """Particles (V, 3) in the object's frame; ``ValueError`` where their number is wrong."""
    flat = _sheet_of(spec)[0]
    if not spec.points:
        return flat
    if len(spec.points) != len(flat):
        raise ValueError(
            f"objects: {spec.id!r}: points: expected none or {len(flat)}, got {len(spec.points)}"
        )
    return np.asarray(spec.points, dtype=np.float64)


def _look(spec: ObjectSpec) -> Material:
    return palettes.CLOTH[spec.palette % len(palettes.CLOTH)]


class Cloths:
    """Which cloth may still move, and how fast its particles are; and the skins that are drawn."""

    def __init__(self) -> None:
        self._speeds: dict[str, FloatArray] = {}
        self._skins: dict[str, tuple[tuple[object, ...], Skin]] = {}

    def load(self, objects: Mapping[str, ObjectSpec]) -> None:
        """Cloth that comes flat will fall; what comes with points lies where it lies."""
        for spec in objects.values():
            if is_cloth(spec):
                _shape(spec)
                if not spec.points:
                    self._speeds.setdefault(spec.id, np.zeros(0))

    def disturb(self, names: set[str]) -> None:
        """These objects moved by hand: cloth among them falls anew."""
        for name in names:
            self._speeds[name] = np.zeros(0)

    def forget(self, names: set[str]) -> None:
        """These objects are gone."""
        for name in names:
            self._speeds.pop(name, None)

    def save(self) -> dict[str, FloatArray]:
        """What a token has to keep besides the objects."""
        return {name: speed.copy() for name, speed in self._speeds.items()}

    def restore(self, saved: Mapping[str, FloatArray]) -> None:
        """Back to what ``save`` kept."""
        self._speeds = {name: speed.copy() for name, speed in saved.items()}

    def skins(self, objects: Mapping[str, ObjectSpec]) -> dict[str, Skin]:
        """What is drawn for each cloth, made anew only where its shape changed."""
        kept: dict[str, tuple[tuple[object, ...], Skin]] = {}
        for name, spec in objects.items():
            if not is_cloth(spec):
                continue
            key = (spec.category, spec.palette, spec.scale, spec.points)
            old = self._skins.get(name)
            kept[name] = old if old is not None and old[0] == key else (key, _skin(spec))
        self._skins = kept
        return {name: skin for name, (_, skin) in kept.items()}

    def restless(self, objects: Mapping[str, ObjectSpec]) -> list[str]:
        """Cloth that may move, in the order of the objects."""
        return [n for n, s in objects.items() if n in self._speeds and is_cloth(s) and not s.fixed]

    def advance(
        self, spec: ObjectSpec, snapshot: Snapshot, seconds: float, *, to_rest: bool
    ) -> Settled:
        """Let time pass for one cloth among the solids of ``snapshot``.

        With ``to_rest`` until it is at rest, at most for ``seconds``.
        """
        pose = geo.transforms.pose_matrix(spec.position, spec.orientation)
        flat, faces, _ = _sheet_of(spec)
        mass = SPREAD[spec.category][2] * spec.scale[0] * spec.scale[1]
        cloth = Cloth(flat, faces, ClothMaterial(mass=mass, thickness=_THICKNESS, damping=_DAMPING))
        cloth.positions = geo.transforms.transform_points(pose, _shape(spec))
        speeds = self._speeds.get(spec.id, np.zeros(0))
        if len(speeds):
            cloth.velocities = speeds
        obstacles, planes = _around(cloth.positions, snapshot)
        if to_rest:
            found = cloth.settle(
                max_time=seconds, speed=REST_SPEED, obstacles=obstacles, planes=planes
            )
            at_rest, time, speed = found
        else:
            cloth.step(seconds, obstacles=obstacles, planes=planes)
            at_rest, time, speed = False, seconds, cloth.speed
        points = cloth.positions
        middle = np.round((points.min(axis=0) + points.max(axis=0)) / 2, 7)
        local = np.round(points - middle, 7)
        if at_rest:
            self._speeds.pop(spec.id, None)
        else:
            self._speeds[spec.id] = cloth.velocities
        moved = spec.model_copy(
            update={
                "position": tuple(middle.tolist()),
                "orientation": (0.0, 0.0, 0.0, 1.0),
                "points": tuple((x, y, z) for x, y, z in local.tolist()),
            }
        )
        return Settled(moved, at_rest, time, speed)


def _around(points: FloatArray, snapshot: Snapshot) -> tuple[list[Obstacle], list[Plane]]:
    """The solids that a cloth may meet: floors as planes, all else as one field."""
    lower = points.min(axis=0) - np.array([_ASIDE, _ASIDE, _BELOW])
    upper = points.max(axis=0) + np.array([_ASIDE, _ASIDE, 0.05])
    planes: list[Plane] = []
    solids: list[FloatArray] = []
    floors: list[float] = []
    for k, other in enumerate(snapshot.objects):
        low, high = snapshot.boxes[k]
        if is_soft(other) or (low > upper).any() or (high < lower).any():
            continue
        if other.category in ("floor", "lawn", "carpet"):
            floors.append(float(high[2]))
            planes.append(Plane(offset=float(high[2]), friction=_FRICTION))
        else:
            solids.append(snapshot.scene.world_triangles(k))
    if floors:
        # Only the highest holds; below it there is nothing to meet.
        planes = [Plane(offset=max(floors), friction=_FRICTION)]
        lower[2] = max(lower[2], max(floors) - 2 * _NODES)
    if not solids:
        return [], planes
    corners = np.concatenate([s.reshape(-1, 3) for s in solids])
    lower = np.maximum(lower, corners.min(axis=0) - 4 * _NODES)
    upper = np.minimum(upper, corners.max(axis=0) + 4 * _NODES)
    field = region_field(solids, lower, upper, spacing=_NODES, band=2 * _THICKNESS + _NODES)
    return ([] if field is None else [Obstacle(field, np.eye(4), _FRICTION)]), planes


def _skin(spec: ObjectSpec) -> Skin:
    """A closed sheet with two sides and a rim."""
    _, faces, uv = _sheet_of(spec)
    points = _shape(spec)
    corners = points[faces]
    area = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal = np.zeros_like(points)
    for k in range(3):
        np.add.at(normal, faces[:, k], area)
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-12)
    count = len(points)
    vertices = np.concatenate([points + normal * _SEEN / 2, points - normal * _SEEN / 2])
    edges = np.concatenate([faces[:, [a, b]] for a, b in ((0, 1), (1, 2), (2, 0))])
    there = set(map(tuple, edges.tolist()))
    rim = np.array([(a, b) for a, b in edges.tolist() if (b, a) not in there], dtype=np.int64)
    a, b = rim.T
    sides = np.concatenate(
        [np.stack([b, a, a + count], axis=1), np.stack([b, a + count, b + count], axis=1)]
    )
    whole = np.concatenate([faces, faces[:, ::-1] + count, sides])
    shade = np.concatenate([normal, -normal])[whole]
    rows = slice(2 * len(faces), None)
    rim_corners = vertices[whole[rows]]
    out = np.cross(rim_corners[:, 1] - rim_corners[:, 0], rim_corners[:, 2] - rim_corners[:, 0])
    out /= np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-12)
    shade[rows] = out[:, None]
    coordinates = np.concatenate([uv, uv])[whole]
    return Skin((Part(vertices, whole, _look(spec), shade, coordinates),))
