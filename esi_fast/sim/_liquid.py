"""Liquid in the world: what vessels hold, the water that is drawn in them, and pouring.

At rest, liquid is a number: ``state["fill"]``, the share of a vessel's capacity that is in it.
Level and surface follow from the vessel's mesh at whatever tilt it stands.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from esi_fast import assets
from esi_fast import geometry as geo
from esi_fast.assets.base import Part
from esi_fast.assets.inner import shape_model
from esi_fast.geometry.distance import ContainmentStatus, Mesh
from esi_fast.records import ObjectSpec
from esi_fast.sim._hinges import part_poses
from esi_fast.sim._pour import WATER_LOOK, Jug, Run, run_pour, water_skin
from esi_fast.sim._soft import WATER, Skin, is_soft, is_water
from esi_fast.sim._view import opening
from esi_fast.sim.base import Contents, PourReport
from esi_fast.types import FloatArray

__all__ = [
    "Fillings",
    "Poured",
    "check_fill",
    "contents",
    "loose_skins",
    "pour",
    "vessel_mesh",
    "volume_of",
]

# Less than this (cubic metres, a twentieth of a drop) is nothing.
NOTHING = 2e-9


@lru_cache(maxsize=256)
def _mesh(category: str, model: str, scale: tuple[float, float, float], opened: float) -> Mesh:
    asset = assets.get(category, model)
    factor = np.asarray(scale)
    moved = part_poses(asset, factor, opened)
    vertices, faces, first = [], [], 0
    for number, part in enumerate(asset.parts):
        if not part.closed:
            continue
        points = np.asarray(part.vertices, dtype=np.float64) * factor
        if number in moved:
            points = points @ moved[number][:3, :3].T + moved[number][:3, 3]
        vertices.append(points)
        faces.append(part.faces + first)
        first += len(points)
    if not vertices:
        return Mesh(np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64))
    return Mesh(np.concatenate(vertices), np.concatenate(faces))


def vessel_mesh(spec: ObjectSpec) -> Mesh:
    """The closed surfaces of an object in its frame, scaled and opened as it is."""
    return _mesh(spec.category, shape_model(spec), spec.scale, opening(spec))


@lru_cache(maxsize=4096)
def _capacity(
    category: str,
    model: str,
    scale: tuple[float, float, float],
    opened: float,
    up: tuple[float, float, float],
) -> geo.vessel.Capacity:
    mesh = _mesh(category, model, scale, opened)
    size = float(np.ptp(mesh.vertices, axis=0)[:2].max()) if len(mesh.vertices) else 1.0
    return geo.vessel.capacity(mesh, up=up, spacing=max(size / 160.0, 2e-4))


def capacity(spec: ObjectSpec, up: FloatArray | None = None) -> float:
    """Cubic metres that an object holds, ``up`` (3,) in its own frame; upright by default.

    0 for what is no vessel, leaks, or has no closed surface.
    """
    if is_soft(spec):
        return 0.0
    way = (0.0, 0.0, 1.0) if up is None else tuple(np.round(up, 9).tolist())
    found = _capacity(spec.category, shape_model(spec), spec.scale, opening(spec), way)
    return found.volume if found.status is ContainmentStatus.OK else 0.0


def volume_of(spec: ObjectSpec) -> float:
    """Cubic metres of liquid in an object."""
    share = spec.state.get("fill", 0.0)
    return share * capacity(spec) if share > 0.0 else 0.0


def up_of(orientation: FloatArray) -> FloatArray:
    """The world's up in the frame of an object with this orientation."""
    return np.asarray(geo.transforms.quat_to_matrix(orientation)[2])


def contents(spec: ObjectSpec, position: FloatArray, orientation: FloatArray) -> Contents:
    """What is in an object as it stands; ``ValueError`` for what holds nothing even upright."""
    most = capacity(spec)
    if not most > NOTHING:
        raise ValueError(
            f"object_id: {spec.id!r} ({spec.category}) is no vessel: it holds {most * 1e6:.3g} ml"
        )
    up = up_of(orientation)
    volume = volume_of(spec)
    level = math.nan
    if volume > NOTHING:
        level = _filled(spec, volume, up).level + float(position[2])
    return Contents(volume, most, capacity(spec, up), level)


def check_fill(spec: ObjectSpec, share: float, orientation: FloatArray) -> None:
    """``ValueError`` with the numbers where a share of its capacity is more than an object holds
    as it stands, or where it is no vessel or leaks."""
    most = capacity(spec)
    if not most > NOTHING:
        raise ValueError(
            f"key: {spec.id!r} ({spec.category}) cannot be filled, it holds {most * 1e6:.3g} ml: "
            "it leaks, or is no vessel"
        )
    holds = capacity(spec, up_of(orientation))
    # An upright vessel that has settled is out of plumb by rounding and a little more.
    if share * most > holds + 0.005 * most:
        raise ValueError(
            f"value: {spec.id!r} holds {holds * 1e6:.4g} ml as it stands, a share of "
            f"{holds / most:.4g}; got {share}"
        )


class Poured(NamedTuple):
    """What a pour changes: shares by vessel, loose water that it left, and the report."""

    fills: dict[str, float]
    puddle: ObjectSpec | None
    report: PourReport


def pour(
    objects: Mapping[str, ObjectSpec], source: str, target: str | None, tilt_deg: float
) -> Poured:
    """Pours one vessel of the world into another. See ``Simulator.pour``."""
    if not 0.0 <= tilt_deg <= 180.0:
        raise ValueError(f"tilt_deg: expected 0 to 180, got {tilt_deg}")
    if source == target:
        raise ValueError(f"target: expected another vessel than {source!r}")
    for role, name in (("source", source), ("target", target)):
        if name is not None and not capacity(objects[name]) > NOTHING:
            raise ValueError(f"{role}: {name!r} ({objects[name].category}) is no vessel")
    sources = _jug(objects[source])
    targets = None if target is None else _jug(objects[target])
    had = targets.volume if targets else 0.0
    whole = sources.volume + had
    if not sources.volume > NOTHING:
        return Poured({}, None, PourReport(whole, sources.volume, had, 0.0, 0.0, 0))
    under = objects[target if target is not None else source]
    run = _run(
        objects[source].model_dump_json(),
        None if target is None else objects[target].model_dump_json(),
        tilt_deg,
    )
    ground = float(_lowest(under))
    drop = whole / len(run.points)
    left = drop * int(run.in_source.sum())
    loose = ~(run.in_source | run.in_target)
    fills = {source: min(left / capacity(objects[source]), 1.0)}
    now = 0.0
    if target is not None:
        room = capacity(objects[target])
        caught = drop * int(run.in_target.sum())
        # What stands above the rim when all is still runs over: the topmost particles.
        now = min(caught, room)
        over = round((caught - now) / drop)
        high = np.argsort(np.where(run.in_target, run.points[:, 2], -np.inf), kind="stable")
        loose[high[len(high) - over :]] |= over > 0
        fills[target] = now / room
    report = PourReport(whole, left, now, whole - left - now, run.seconds, len(run.points))
    # Overflow found by volume alone has run down outside: only what fell is drawn.
    fallen = loose & (run.points[:, 2] < ground + 4 * run.radius)
    puddle = _puddle(run.points[fallen], run.radius, report.spilled, under)
    return Poured(fills, puddle, report)


@lru_cache(maxsize=4)
def _run(source: str, target: str | None, tilt_deg: float) -> Run:
    """The run between two objects, given as records: the same pour is often made again.

    Oracle trajectories are searched, proved and looked at, always in the same world.
    """
    one = ObjectSpec.model_validate_json(source)
    other = None if target is None else ObjectSpec.model_validate_json(target)
    ground = float(_lowest(one if other is None else other))
    into = None if other is None else _jug(other)
    return run_pour(_jug(one), into, math.radians(tilt_deg), ground=ground)


def _jug(spec: ObjectSpec) -> Jug:
    pose = geo.transforms.pose_matrix(spec.position, spec.orientation)
    return Jug(vessel_mesh(spec), pose, volume_of(spec))


def _lowest(spec: ObjectSpec) -> float:
    pose = geo.transforms.pose_matrix(spec.position, spec.orientation)
    return float(geo.transforms.transform_points(pose, vessel_mesh(spec).vertices)[:, 2].min())


def _puddle(
    points: FloatArray, radius: float, volume: float, near: ObjectSpec
) -> ObjectSpec | None:
    """Loose water of these particles, without an id yet."""
    if not len(points) or not volume > NOTHING:
        return None
    middle = np.round((points.min(axis=0) + points.max(axis=0)) / 2, 7)
    local = np.round(points - middle, 7).tolist()
    x, y, z = middle.tolist()
    return ObjectSpec(
        id=f"{WATER}_1",
        category=WATER,
        model="loose",
        position=(x, y, z),
        role="context",
        room=near.room,
        fixed=True,
        state={"volume": volume, "radius": radius},
        points=tuple((a, b, c) for a, b, c in local),
    )


def _filled(spec: ObjectSpec, volume: float, up: FloatArray) -> geo.vessel.Fill:
    return geo.vessel.fill(vessel_mesh(spec), volume, up=up)


class _Drawn(NamedTuple):
    key: tuple[object, ...]
    skin: Skin


class Fillings:
    """The water that stands in vessels, as drawn: made anew only where something changed."""

    def __init__(self) -> None:
        self._drawn: dict[str, _Drawn] = {}

    def objects(
        self, objects: Mapping[str, ObjectSpec], positions: FloatArray, orientations: FloatArray
    ) -> list[tuple[ObjectSpec, Skin]]:
        """Water objects, ``"<vessel>/water"``, with their skins, at the poses of their vessels."""
        out: list[tuple[ObjectSpec, Skin]] = []
        kept: dict[str, _Drawn] = {}
        for row, (name, spec) in enumerate(objects.items()):
            if not spec.state.get("fill", 0.0) > 0.0:
                continue
            turn = orientations[row]
            model = shape_model(spec)
            key = (spec.category, model, spec.scale, spec.state["fill"], turn.tobytes())
            drawn = self._drawn.get(name)
            if drawn is None or drawn.key != key:
                skin = _skin(spec, up_of(turn))
                if skin is None:
                    continue
                drawn = _Drawn(key, skin)
            kept[name] = drawn
            out.append((_water(spec, positions[row], turn), drawn.skin))
        self._drawn = kept
        return out


@lru_cache(maxsize=64)
def _loose_skin(points: tuple[tuple[float, float, float], ...], radius: float) -> Skin | None:
    return water_skin(np.asarray(points).reshape(-1, 3), radius)


def loose_skins(objects: Mapping[str, ObjectSpec]) -> dict[str, Skin]:
    """What is drawn of loose water: the smooth surface of its particles."""
    out: dict[str, Skin] = {}
    for name, spec in objects.items():
        if is_water(spec):
            skin = _loose_skin(spec.points, spec.state["radius"])
            out[name] = skin if skin is not None else Skin(())
    return out


def _skin(spec: ObjectSpec, up: FloatArray) -> Skin | None:
    found = _filled(spec, volume_of(spec), up).surface
    if not len(found.faces):
        return None
    return Skin((Part(found.vertices, found.faces.astype(np.int64), WATER_LOOK, found.normals),))


def _water(spec: ObjectSpec, position: FloatArray, orientation: FloatArray) -> ObjectSpec:
    x, y, z = position.tolist()
    a, b, c, d = orientation.tolist()
    return ObjectSpec(
        id=f"{spec.id}/{WATER}",
        category=WATER,
        model="fill",
        position=(x, y, z),
        orientation=(a, b, c, d),
        role=spec.role,
        room=spec.room,
        fixed=True,
        state={"volume": volume_of(spec)},
    )
