"""Lighting presets of a house: the lights, the ambient light and the sky of a scene.

Powers are linear irradiances (at one metre, or everywhere for the sun), in units in which
daylight indoors is about 0.5. The presets differ in where the contrast of a thing comes from:
by ``day`` and under ``home`` it is seen from everywhere, in the others only from some sides.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from esi_fast.assets._house_furnish import PENDANT_HEIGHT, lamp_places
from esi_fast.records import LightSpec, RoomSpec, SceneSpec
from esi_fast.seeding import rng

__all__ = ["LIGHTING", "lit"]

# Power of a ceiling lamp per square metre of floor.
_LAMP_POWER = 0.115
# Below the shade, which keeps the ceiling right above it from glaring.
_SHADE = PENDANT_HEIGHT + 0.2
_WET = ("kitchen", "bathroom")
_WARM, _NEUTRAL, _COLD = (1.0, 0.86, 0.68), (1.0, 0.95, 0.88), (0.93, 0.97, 1.0)
_SUN = (1.3, 1.2, 1.05)

_Made = tuple[tuple[LightSpec, ...], tuple[float, float, float], float]


def _scaled(color: tuple[float, float, float], power: float) -> tuple[float, float, float]:
    return (color[0] * power, color[1] * power, color[2] * power)


def _lamps(scene: SceneSpec, share: float) -> tuple[LightSpec, ...]:
    """A soft light just below each ceiling lamp, at a share of its power."""
    lights: list[LightSpec] = []
    for room in scene.rooms:
        (x0, y0), (x1, y1) = room.lower, room.upper
        places = lamp_places(room.type, (x0, y0, x1, y1))
        power = share * _LAMP_POWER * max((x1 - x0) * (y1 - y0), 8.0) / max(len(places), 1)
        lights.extend(
            LightSpec(
                type="area",
                position=(round(x, 4), round(y, 4), room.ceiling_height - _SHADE),
                radius=0.15,
                color=_scaled(_NEUTRAL if room.type in _WET else _WARM, power),
            )
            for x, y in places
        )
    return tuple(lights)


def _sun(scene: SceneSpec, power: float) -> LightSpec:
    """A sun of the afternoon, low enough to shine far into the rooms on its side."""
    draw = rng("sun", scene.name, scene.seed)
    azimuth = float(draw.uniform(0.0, 2.0 * math.pi))
    elevation = math.radians(float(draw.uniform(30.0, 42.0)))
    flat = math.cos(elevation)
    direction = (flat * math.cos(azimuth), flat * math.sin(azimuth), -math.sin(elevation))
    return LightSpec(type="sun", direction=direction, color=_scaled(_SUN, power))


def _home(scene: SceneSpec, room: RoomSpec) -> _Made:
    return (*_lamps(scene, 1.0), _sun(scene, 1.0)), (0.56, 0.56, 0.57), 1.0


def _day(scene: SceneSpec, room: RoomSpec) -> _Made:
    return (_sun(scene, 1.9),), (0.50, 0.53, 0.58), 1.1


def _lamp(scene: SceneSpec, room: RoomSpec) -> _Made:
    return _lamps(scene, 1.5), (0.16, 0.14, 0.12), 0.02


def _dim(scene: SceneSpec, room: RoomSpec) -> _Made:
    return _lamps(scene, 0.10), (0.055, 0.055, 0.065), 0.01


def _ends(room: RoomSpec) -> tuple[int, float, float, float]:
    """Long axis of a room, its two ends a little inside, and the middle across."""
    size = np.subtract(room.upper, room.lower)
    axis = int(size[1] > size[0])
    inset = min(0.35, 0.2 * float(size[axis]))
    across = (room.lower[1 - axis] + room.upper[1 - axis]) / 2
    return axis, room.lower[axis] + inset, room.upper[axis] - inset, across


def _point(axis: int, along: float, across: float, z: float) -> tuple[float, float, float]:
    x, y = (along, across) if axis == 0 else (across, along)
    return (round(x, 4), round(y, 4), round(z, 4))


def _side(scene: SceneSpec, room: RoomSpec) -> _Made:
    axis, low, high, across = _ends(room)
    reach = high - low
    light = LightSpec(
        type="area",
        position=_point(axis, low, across, 1.1),
        radius=0.2,
        color=_scaled(_NEUTRAL, max(0.35 * reach * reach, 2.0)),
    )
    return (light,), (0.09, 0.09, 0.10), 0.03


def _glare(scene: SceneSpec, room: RoomSpec) -> _Made:
    axis, low, high, across = _ends(room)
    reach = high - low
    light = LightSpec(
        type="spot",
        position=_point(axis, high, across, 1.5),
        direction=_point(axis, -1.0, 0.0, -0.06),
        radius=0.12,
        cone_deg=110.0,
        color=_scaled(_COLD, max(0.3 * reach * reach, 2.0)),
        glare=4.0,
    )
    return (*_lamps(scene, 0.25), light), (0.12, 0.12, 0.125), 0.03


_PRESETS: dict[str, Callable[[SceneSpec, RoomSpec], _Made]] = {
    "home": _home,
    "day": _day,
    "lamp": _lamp,
    "dim": _dim,
    "side": _side,
    "glare": _glare,
}
LIGHTING: tuple[str, ...] = tuple(_PRESETS)


def lit(scene: SceneSpec, lighting: str, *, room: str | None = None) -> SceneSpec:
    """The same scene in another light; ``lighting`` is recorded beside the lights.

    - ``home``: sun, ceiling lamps and a bright sky, how houses are made;
    - ``day``: strong sun through the windows, lamps off;
    - ``lamp``: night, ceiling lamps only;
    - ``dim``: night, the lamps at a tenth of their power;
    - ``side``: night, one low lamp at an end of ``room``: long shadows, dark sides;
    - ``glare``: night, a lamp at the other end of ``room`` shines at whoever looks that way.

    ``room`` is the id of a room (default: the largest). ``ValueError`` for another preset, a room
    that the scene does not have, or a scene without rooms.
    """
    if lighting not in _PRESETS:
        raise ValueError(f"lighting: expected one of {LIGHTING}, got {lighting!r}")
    if not scene.rooms:
        raise ValueError("scene: expected at least one room, got none")
    found = [r for r in scene.rooms if room in (None, r.id)]
    if not found:
        raise ValueError(f"room: expected one of {[r.id for r in scene.rooms]}, got {room!r}")
    where = max(found, key=lambda r: float(np.prod(np.subtract(r.upper, r.lower))))
    lights, ambient, sky = _PRESETS[lighting](scene, where)
    return SceneSpec(
        **{**dict(scene), "lights": lights, "ambient": ambient, "sky": sky, "lighting": lighting}
    )
