"""What the tasks about rooms share: where one can walk, what is hidden, pictures of each room."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

import numpy as np

from esi_fast import assets
from esi_fast import geometry as geo
from esi_fast.generators import views
from esi_fast.generators.observer.map import Shell
from esi_fast.records import CameraSpec, RoomSpec, SceneSpec
from esi_fast.seeding import rng
from esi_fast.sim.base import Snapshot
from esi_fast.sim.layout import floor_of
from esi_fast.types import FloatArray

__all__ = [
    "CONTEXT_VIEWS",
    "EYE",
    "FIELD_OF_VIEW",
    "WALKER",
    "context_views",
    "named_rooms",
    "overhead",
    "standing_places",
    "still_map",
    "walk_map",
    "with_reach",
    "word",
]

# Paper, Q.25, and TASKS: eight views of each named room; the camera starts at 3 m and its field of
# view is 100 degrees; a walker is 0.2 m in radius.
CONTEXT_VIEWS = 8
EYE = 3.0
FIELD_OF_VIEW = 100.0
WALKER = 0.2

# Context views are those of a person who stands in the room.
_PERSON, _PERSON_FOV = 1.5, 70.0
_PITCHES_DEG = (-10.0, -25.0, -40.0, -55.0, -70.0)
_BEFORE_EYES = 1.2
_TRIES = 120
# Doors are looked for in small pictures first, which are drawn in no time.
_LOOK_SIDE = 96
# Static floors that are kept: a house stays for 16 questions.
_KEPT = 4
_FLOORS: dict[tuple[object, ...], geo.gridmap.GridMap] = {}


def overhead(scene: SceneSpec) -> tuple[str, ...]:
    """Ids of the ceilings and of what hangs from them, which a camera at 3 m would look at."""
    return tuple(sorted(obj.id for obj in scene.objects if _hangs(obj.category)))


@lru_cache(maxsize=1024)
def _hangs(category: str) -> bool:
    return category == "ceiling" or "ceiling" in assets.info(category).places


def word(room: RoomSpec) -> str:
    """A room as a word of a question: ``living room``."""
    return room.type.replace("_", " ")


def named_rooms(rooms: tuple[RoomSpec, ...]) -> tuple[RoomSpec, ...]:
    """The rooms that their type alone names: the house has no other of it."""
    count = Counter(room.type for room in rooms)
    return tuple(room for room in rooms if count[room.type] == 1)


def still_map(snapshot: Snapshot) -> geo.gridmap.GridMap:
    """The floor as ``layout.floor_of`` measures it, as if there were no doors.

    Measured once per house: what is no door stays where it is.
    """
    key = tuple(
        (obj.id, obj.category, obj.model, obj.position, obj.orientation, obj.scale)
        for obj in snapshot.objects
        if obj.category != "door"
    )
    if key not in _FLOORS:
        while len(_FLOORS) >= _KEPT:
            del _FLOORS[next(iter(_FLOORS))]
        _FLOORS[key] = floor_of(snapshot, keep=lambda spec: spec.category != "door")
    return _FLOORS[key]


def walk_map(snapshot: Snapshot) -> geo.gridmap.GridMap:
    """The floor as ``layout.floor_of`` measures it, with the doors as they stand."""
    still = still_map(snapshot)
    doors = floor_of(snapshot, keep=lambda spec: spec.category == "door")
    return still.with_free(still.free & doors.free)


def standing_places(floor: geo.gridmap.GridMap) -> dict[int, tuple[int, int]]:
    """A cell (row, column) to stand on, by the number of the room: free, near the middle (Q.25).

    Rooms without a cell that is free for a walker are left out.
    """
    eroded = geo.gridmap.erode(floor, WALKER)
    cells = geo.gridmap.room_points(eroded, clearance=0.3)
    return {
        int(room): (int(cell[0]), int(cell[1]))
        for room, cell in zip(floor.room_ids, cells, strict=True)
        if cell[0] >= 0
    }


def with_reach(scene: SceneSpec, snapshot: Snapshot) -> SceneSpec:
    """The scene with ``RoomSpec.reachable`` as its doors stand now."""
    floor = walk_map(snapshot)
    places = standing_places(floor)
    rooms = list(scene.rooms)
    if not places.get(1):
        return scene
    way = geo.gridmap.walk_from(geo.gridmap.erode(floor, WALKER), [places[1]])
    for number, room in enumerate(rooms, start=1):
        there = number in places and bool(np.isfinite(way.distance[places[number]]))
        rooms[number - 1] = room.model_copy(update={"reachable": there})
    return scene.model_copy(update={"rooms": tuple(rooms)})


@lru_cache(maxsize=64)
def context_views(shell: Shell, room: RoomSpec, house: str) -> tuple[CameraSpec, ...]:
    """Eight pictures of a room in which no door shows, open or shut; none where there are none.

    The same for all questions of a ``house``. They look in eight directions, evenly spaced; where
    a door is in the way another place to stand, a steeper look and at last another direction is
    taken.
    """
    draw = rng("context views", house, room.id)
    base = float(draw.uniform(-np.pi, np.pi))
    lower, upper = np.asarray(room.lower) + 0.25, np.asarray(room.upper) - 0.25
    if (lower >= upper).any():
        return ()
    found: list[CameraSpec] = []
    for k in range(CONTEXT_VIEWS):
        for tried in range(_TRIES):
            x, y = draw.uniform(lower, upper)
            eye = (float(x), float(y), _PERSON)
            off = np.pi * (tried / _TRIES) ** 2
            camera = views.camera_at(
                eye,
                yaw=base + 2.0 * np.pi * k / CONTEXT_VIEWS + float(draw.uniform(-off, off)),
                pitch=float(np.radians(draw.choice(_PITCHES_DEG))),
                vfov_deg=_PERSON_FOV,
            )
            if _stands_free(shell, eye, views.pinhole(camera).forward) and not any(
                shell.in_sight(camera, side=side) for side in (_LOOK_SIDE, camera.height)
            ):
                found.append(camera)
                break
        else:
            return ()
    return tuple(found)


def _stands_free(shell: Shell, eye: tuple[float, float, float], ahead: FloatArray) -> bool:
    """Whether a head has place there, with nothing over it or right before its eyes."""
    up = (eye[0], eye[1], 2.4)
    sweep = geo.distance.sweep_sphere(shell.scene, [eye], [up], WALKER)
    if bool(sweep.blocked[0]):
        return False
    hit = geo.raycast.closest(shell.scene, [eye], [ahead])
    return float(hit.distance[0]) >= _BEFORE_EYES
