"""Draws the pictures of houses in ``docs/pictures``.

python scripts/house_pictures.py [--out docs/pictures] [--only lights]
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image

from esi_fast import geometry as geo
from esi_fast.assets.houses import LIGHTING, house, lit, load
from esi_fast.records import CameraSpec, RoomSpec, SceneSpec
from esi_fast.sim.embedded import EmbeddedSimulator
from esi_fast.types import UInt8Array

GOOD = geo.render.Settings(samples=4, shadow_samples=8, ao_samples=8)
_HIDDEN = ("ceiling", "room_light")


def _camera(
    eye: tuple[float, float, float],
    target: tuple[float, float, float],
    size: tuple[int, int],
    vfov_deg: float,
) -> CameraSpec:
    x, y, z, w = (float(v) for v in geo.transforms.look_at(eye, target, up=(0.0, 0.02, 1.0)))
    return CameraSpec(
        position=eye,
        orientation=(x, y, z, w),
        width=size[0],
        height=size[1],
        vfov_deg=vfov_deg,
    )


def _rgb(simulator: EmbeddedSimulator, camera: CameraSpec) -> UInt8Array:
    rgb = simulator.render([camera])[0].rgb
    if rgb is None:
        raise RuntimeError("the simulator made no picture")
    return rgb


def from_above(scene: SceneSpec, size: tuple[int, int] = (1100, 860)) -> UInt8Array:
    """The house without its ceilings, from high above its south side."""
    simulator = EmbeddedSimulator(settings=GOOD)
    simulator.load(scene.with_objects(tuple(o for o in scene.objects if o.category not in _HIDDEN)))
    lower = np.min([r.lower for r in scene.rooms], axis=0)
    upper = np.max([r.upper for r in scene.rooms], axis=0)
    x, y = (float(v) for v in (lower + upper) / 2)
    wide, deep = (float(v) + 1.0 for v in upper - lower)
    half = math.tan(math.radians(16.0))
    height = max(deep / (2 * half), wide / (2 * half) * size[1] / size[0]) + 2.0
    eye = (x, y - 0.30 * height, height)
    return _rgb(simulator, _camera(eye, (x, y, 0.0), size, 32.0))


def _inside(simulator: EmbeddedSimulator, room: RoomSpec) -> UInt8Array:
    """A room at the eye height of a person, from where most of it is in view."""
    snapshot = simulator.geometry()
    lower, upper = np.asarray(room.lower), np.asarray(room.upper)
    middle = np.array([*(lower + upper) / 2, 0.8])
    best: tuple[float, tuple[float, float, float]] | None = None
    for u in (0.1, 0.3, 0.5, 0.7, 0.9):
        for v in (0.1, 0.3, 0.5, 0.7, 0.9):
            x, y = (float(c) for c in lower + np.array([u, v]) * (upper - lower))
            way = middle - np.array([x, y, 1.6])
            turn = math.atan2(way[1], way[0]) + np.radians(np.linspace(-40.0, 40.0, 33))
            fan = np.stack([np.cos(turn), np.sin(turn), np.full(33, -0.25)], axis=1)
            eyes = np.broadcast_to((x, y, 1.6), fan.shape)
            depth = geo.raycast.closest(snapshot.scene, eyes, fan).distance
            score = float(np.quantile(np.minimum(depth, 6.0), 0.2) + np.median(depth) / 4)
            if best is None or score > best[0]:
                best = (score, (x, y, 1.6))
    if best is None:
        raise RuntimeError("no place for a camera")
    x, y, z = (float(c) for c in middle)
    return _rgb(simulator, _camera(best[1], (x, y, z), (640, 440), 62.0))


def _sheet(tiles: list[UInt8Array], columns: int) -> UInt8Array:
    rows = [np.concatenate(tiles[k : k + columns], axis=1) for k in range(0, len(tiles), columns)]
    return np.concatenate(rows, axis=0)


def nine_rooms() -> UInt8Array:
    return from_above(house("cottage", 11, rooms=9))


def beechwood() -> UInt8Array:
    return from_above(load("Beechwood_0_int", 0), (1100, 980))


def interiors() -> UInt8Array:
    """Four rooms of one house."""
    scene = house("classic", 2, rooms=6)
    simulator = EmbeddedSimulator(settings=GOOD)
    simulator.load(scene)
    tiles = []
    for kind in ("living_room", "kitchen", "bedroom", "study"):
        tiles.append(_inside(simulator, next(r for r in scene.rooms if r.type == kind)))
    return _sheet(tiles, 2)


def lights() -> UInt8Array:
    """One room in the six lights."""
    scene = house("classic", 2, rooms=6)
    room = scene.rooms[0]
    simulator = EmbeddedSimulator(settings=GOOD)
    simulator.load(scene)
    (x0, y0), (x1, y1) = room.lower, room.upper
    eye = (x0 + 0.5, (y0 + y1) / 2 - 0.8, 1.5)
    camera = _camera(eye, ((x0 + x1) / 2, (y0 + y1) / 2, 1.0), (480, 320), 62.0)
    tiles = []
    for lighting in LIGHTING:
        simulator.set_lights(lit(scene, lighting, room=room.id))
        tiles.append(_rgb(simulator, camera))
    return _sheet(tiles, 3)


PICTURES: dict[str, Callable[[], UInt8Array]] = {
    "nine_rooms": nine_rooms,
    "beechwood": beechwood,
    "interiors": interiors,
    "lights": lights,
}


def main(arguments: list[str] | None = None) -> int:
    """Draw all pictures, or those named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent.parent / "docs/pictures")
    parser.add_argument("--only", nargs="*", choices=sorted(PICTURES), default=sorted(PICTURES))
    options = parser.parse_args(arguments)
    for name in options.only:
        path = options.out / f"house_{name}.png"
        Image.fromarray(PICTURES[name]()).save(path, optimize=True)
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
