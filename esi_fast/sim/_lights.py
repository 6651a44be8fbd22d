"""The lights of a picture: the scene's, those of its objects, and how they dazzle.

A lamp behind walls costs time and adds nothing, so it is left out where it matters to no room.
How much a lamp adds to a room is the mean of its light over a grid of points that it sees past
the walls and doors of now; furniture is looked through. A picture leaves out the lamps that add
next to nothing to each room that it shows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from esi_fast import geometry as geo
from esi_fast.records import LightSpec, ObjectSpec, RoomSpec
from esi_fast.sim.base import Snapshot
from esi_fast.types import BoolArray, FloatArray, IntArray, UInt8Array

__all__ = ["dazzled", "is_lamp", "lamp_reach", "lamps_for", "light_of", "lights_of", "rooms_of"]

_LAMP_COLOR = (1.0, 0.82, 0.6)
_LAMP_RADIUS = 0.06
# A spot hangs this far above its object (metres), below the ceiling, and lights this much more.
_SPOT_HEIGHT, _SPOT_MARGIN, _SPOT_RADIUS = 1.6, 0.08, 0.04
_SPOT_COLOR = (1.0, 0.95, 0.86)
# Stiles and Holladay: the veil of a source that gives E lux at the eye, t degrees off the line of
# sight, is 10 E / t^2 cd/m2. Radiance here is pi times that of a Lambert surface under the same E.
_VEIL = 10.0 * math.pi
# Rays to the source that say how much of it is seen, on rings of its disc.
_RINGS = ((0.0, 1), (0.5, 6), (0.9, 9))

_SPACING = 0.4  # metres between the points of a room's grid
_HEIGHTS = (0.03, 0.9, 1.7, 2.5)
# What a lamp adds to a room at least (linear, where daylight in a room is about 0.5), and the least
# share of a picture that a room must fill, for the lamp to be needed.
_LEAST_LIGHT, _LEAST_SHARE = 0.01, 0.0025


def rooms_of(snapshot: Snapshot) -> IntArray:
    """Per object the index of its room: as recorded, else by its centre; -1 for none."""
    index = {room.id: k for k, room in enumerate(snapshot.rooms)}
    centers = snapshot.centers()
    found = np.full(len(snapshot.ids), -1, dtype=np.int64)
    for row, spec in enumerate(snapshot.objects):
        found[row] = index.get(spec.room, -1)
        # Only structure stays in its room; anything else may have been carried elsewhere.
        if spec.role != "structure":
            found[row] = _room_at(snapshot.rooms, centers[row])
    return found


def _room_at(rooms: Sequence[RoomSpec], point: FloatArray) -> int:
    for k, room in enumerate(rooms):
        if all(a <= v <= b for a, v, b in zip(room.lower, point[:2], room.upper, strict=True)):
            return k
    return -1


def lamp_reach(snapshot: Snapshot, lights: Sequence[geo.render.Light]) -> BoolArray:
    """(L, R): whether each light adds something to each room; suns do everywhere."""
    reach = np.ones((len(lights), len(snapshot.rooms)), dtype=bool)
    lamps = [k for k, light in enumerate(lights) if light.type != "sun"]
    if not lamps or not snapshot.rooms:
        return reach
    starts = np.array([lights[k].position for k in lamps])
    power = np.array([max(lights[k].color) for k in lamps])
    furniture = np.array(
        [k for k, spec in enumerate(snapshot.objects) if spec.role != "structure"], dtype=np.int64
    )
    for number, room in enumerate(snapshot.rooms):
        axes = [
            np.linspace(a + 0.03, b - 0.03, max(2, round((b - a) / _SPACING)))
            for a, b in zip(room.lower, room.upper, strict=True)
        ]
        points = np.stack(np.meshgrid(*axes, _HEIGHTS, indexing="ij"), axis=-1).reshape(-1, 3)
        seen = geo.occlusion.visibility_matrix(snapshot.scene, starts, points, ignore=furniture)
        square = ((points[None] - starts[:, None]) ** 2).sum(axis=2)
        light = (seen * power[:, None] / np.maximum(square, 0.25)).mean(axis=1)
        reach[lamps, number] = light >= _LEAST_LIGHT
    return reach


def lamps_for(shown: IntArray, rooms: IntArray, reach: BoolArray) -> IntArray:
    """Rows of the lights for a picture that shows the objects ``shown`` (H, W), -1 for none.

    ``rooms`` (N,) are the objects' rooms. The garden outside belongs to no room: it has the sun,
    which reaches all. Without rooms all lights are taken.
    """
    room = np.where(shown >= 0, np.append(rooms, -1)[shown], -1)
    share = np.bincount(room.ravel() + 1, minlength=reach.shape[1] + 1)[1:] / shown.size
    return np.flatnonzero(reach[:, share >= _LEAST_SHARE].any(axis=1) | reach.all(axis=1))


def is_lamp(spec: ObjectSpec) -> bool:
    """Whether an object has a ``light`` that can be switched on."""
    return "lamp" in spec.category or "light" in spec.category


def light_of(spec: LightSpec) -> geo.render.Light:
    """The renderer's light for a recorded one."""
    return geo.render.Light(
        type=spec.type,
        position=spec.position,
        direction=spec.direction,
        radius=spec.radius,
        color=spec.color,
        cone_deg=spec.cone_deg,
    )


def lights_of(snapshot: Snapshot) -> Iterator[geo.render.Light]:
    """The lights of objects: lamps that are on, and the spots that shine on things."""
    for row, spec in enumerate(snapshot.objects):
        lower, upper = snapshot.boxes[row]
        x, y = (float(v) for v in (lower[:2] + upper[:2]) / 2)
        power = spec.state.get("light", 0.0)
        if power > 0.0:
            # Inside the shade, a little below the top.
            z = float(upper[2] - 0.2 * (upper[2] - lower[2]))
            yield geo.render.Light(
                type="area",
                position=(x, y, z),
                radius=_LAMP_RADIUS,
                color=(power * _LAMP_COLOR[0], power * _LAMP_COLOR[1], power * _LAMP_COLOR[2]),
            )
        power = spec.state.get("spot", 0.0)
        if power > 0.0:
            yield _spot(snapshot, lower, upper, power)


def _spot(
    snapshot: Snapshot, lower: FloatArray, upper: FloatArray, power: float
) -> geo.render.Light:
    """A small lamp above an object, whose cone holds the object and little else."""
    center = (lower + upper) / 2
    room = _room_at(snapshot.rooms, center)
    height = float(upper[2]) + _SPOT_HEIGHT
    if room >= 0:
        # Never below the object, however low the ceiling.
        ceiling = snapshot.rooms[room].ceiling_height - 0.05
        height = max(min(height, ceiling), float(upper[2]) + 0.1)
    reach = float(np.hypot(*(upper[:2] - lower[:2]) / 2)) + _SPOT_MARGIN
    half = math.degrees(math.atan2(reach, height - float(upper[2])))
    return geo.render.Light(
        type="spot",
        position=(float(center[0]), float(center[1]), height),
        radius=_SPOT_RADIUS,
        cone_deg=min(2.0 * half, 179.0),
        color=(power * _SPOT_COLOR[0], power * _SPOT_COLOR[1], power * _SPOT_COLOR[2]),
    )


def dazzled(
    rgb: UInt8Array,
    depth: FloatArray,
    camera: geo.Camera,
    lights: Sequence[LightSpec],
    scene: geo.Scene,
) -> UInt8Array:
    """The picture with the veil of the lights that glare, and the lights themselves.

    ``rgb`` (H, W, 3), ``depth`` (H, W) along the optical axis. A light that the camera does not
    see, or that shines another way, does not dazzle.
    """
    glaring = [spec for spec in lights if spec.glare > 0.0 and spec.type != "sun"]
    if not glaring:
        return rgb
    _, directions = camera.rays()
    directions = directions.reshape(*depth.shape, 3)
    linear = _linear(rgb)
    for spec in glaring:
        way = np.asarray(spec.position) - camera.position
        distance = float(np.linalg.norm(way))
        ahead = float(camera.project(np.array([spec.position])).depth[0])
        if distance < 1e-6 or ahead <= 0.0:
            continue
        # What falls on the pupil, which faces along the optical axis.
        share = ahead / distance * _towards(spec, -way)
        share *= _seen(scene, np.asarray(camera.position), spec)
        if share == 0.0:
            continue
        angle = np.degrees(np.arccos(np.clip(directions @ (way / distance), -1.0, 1.0)))
        size = math.degrees(math.atan2(max(spec.radius, 1e-3), distance))
        disc = (angle < size) & (depth > ahead)
        flux = share * np.asarray(spec.color) / max(distance, spec.radius) ** 2
        veil = spec.glare * _VEIL / np.maximum(angle, max(size, 1.0)) ** 2
        linear += veil[..., None] * flux
        linear[disc] = np.maximum(linear[disc], np.asarray(spec.color) / max(spec.color))
    return geo.render.to_srgb_uint8(linear)


def _linear(rgb: UInt8Array) -> FloatArray:
    values = rgb.astype(np.float64) / 255.0
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def _towards(spec: LightSpec, way: FloatArray) -> float:
    """Share of a light's power that goes along ``way``: less than one at the rim of a spot."""
    if spec.type != "spot":
        return 1.0
    axis = np.asarray(spec.direction)
    cosine = float(axis @ way / (np.linalg.norm(axis) * np.linalg.norm(way)))
    half = math.radians(spec.cone_deg) / 2.0
    outer, inner = math.cos(half), math.cos(0.8 * half)
    t = min(max((cosine - outer) / (inner - outer), 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)


def _seen(scene: geo.Scene, eye: FloatArray, spec: LightSpec) -> float:
    """Share of a light's disc that nothing hides from the eye."""
    way = np.asarray(spec.position) - eye
    side = np.cross(way, (0.0, 0.0, 1.0) if abs(way[2]) < 0.9 * np.linalg.norm(way) else (1, 0, 0))
    side /= np.linalg.norm(side)
    other = np.cross(way, side) / np.linalg.norm(way)
    points = []
    for share, count in _RINGS:
        turn = 2.0 * math.pi * np.arange(count) / count
        offset = np.cos(turn)[:, None] * side + np.sin(turn)[:, None] * other
        points.append(np.asarray(spec.position) + share * spec.radius * offset)
    ends = np.concatenate(points)
    seen = geo.occlusion.visible(scene, np.broadcast_to(eye, ends.shape), ends)
    return float(seen.mean())
