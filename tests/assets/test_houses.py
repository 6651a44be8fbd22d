"""Houses: rooms that tile, openings that are clear, furniture that stands free."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

from esi_fast import assets
from esi_fast.assets.houses import FREE_FLOOR, STYLES, door_pose, house
from esi_fast.records import ObjectSpec, SceneSpec, canonical_json
from esi_fast.types import BoolArray, FloatArray

HOUSES = [(STYLES[k % len(STYLES)], k, 4 + k % 5) for k in range(6)]
RUGS = ("rug", "carpet", "mat", "bath_mat")


@cache
def made(style: str, seed: int, rooms: int) -> SceneSpec:
    return house(style, seed, rooms=rooms)


@pytest.fixture(params=HOUSES, ids=lambda h: f"{h[0]}-{h[1]}-{h[2]}")
def scene(request: pytest.FixtureRequest) -> SceneSpec:
    return made(*request.param)


def box(spec: ObjectSpec) -> FloatArray:
    """World box of an object that is turned about z only."""
    asset = assets.get(spec.category, spec.model, spec.palette)
    half = np.multiply(asset.size, spec.scale) / 2
    yaw = 2.0 * math.atan2(spec.orientation[2], spec.orientation[3])
    c, s = abs(math.cos(yaw)), abs(math.sin(yaw))
    reach = np.array([c * half[0] + s * half[1], s * half[0] + c * half[1], half[2]])
    return np.stack([spec.position - reach, spec.position + reach])


def overlap(a: FloatArray, b: FloatArray) -> float:
    """How deep two boxes overlap: the least of the three extents, negative when apart."""
    return float((np.minimum(a[1], b[1]) - np.maximum(a[0], b[0])).min())


def test_same_arguments_same_house(scene: SceneSpec) -> None:
    style, seed, rooms = next(h for h in HOUSES if made(*h) is scene)
    assert canonical_json(house(style, seed, rooms=rooms)) == canonical_json(scene)
    assert canonical_json(house(style, seed + 100, rooms=rooms)) != canonical_json(scene)


def test_record_survives_json(scene: SceneSpec) -> None:
    assert SceneSpec.model_validate_json(canonical_json(scene)) == scene


def test_rooms(scene: SceneSpec) -> None:
    types = [r.type for r in scene.rooms]
    assert {"living_room", "kitchen", "bedroom", "bathroom"} <= set(types)
    assert len({r.id for r in scene.rooms}) == len(scene.rooms)
    lower = np.min([r.lower for r in scene.rooms], axis=0)
    upper = np.max([r.upper for r in scene.rooms], axis=0)
    assert np.all(upper - lower <= 12.0)
    assert np.all(upper - lower >= 7.0)
    for room in scene.rooms:
        assert min(np.subtract(room.upper, room.lower)) >= 1.2


@pytest.mark.parametrize("rooms", [4, 5, 6, 7, 8])
def test_number_of_rooms(rooms: int) -> None:
    assert len(house("any name", 1, rooms=rooms).rooms) == rooms


def test_structure_tiles(scene: SceneSpec) -> None:
    """Walls, floors and ceilings touch but never share volume; the floor has no hole."""
    solid = [o for o in scene.objects if o.category in ("wall", "floor", "ceiling")]
    boxes = np.stack([box(o) for o in solid])
    for k in range(len(solid)):
        rest = boxes[k + 1 :]
        depth = (np.minimum(rest[:, 1], boxes[k, 1]) - np.maximum(rest[:, 0], boxes[k, 0])).min(1)
        assert depth.max(initial=-1.0) < 1e-4
    floors = boxes[[o.category == "floor" for o in solid]]
    whole = floors[:, 1].max(axis=0) - floors[:, 0].min(axis=0)
    area = np.prod((floors[:, 1] - floors[:, 0])[:, :2], axis=1).sum()
    assert area == pytest.approx(whole[0] * whole[1], abs=1e-3)


def test_walls_are_as_thick_as_walls(scene: SceneSpec) -> None:
    """Every wall between rooms is 0.12 m; half of it belongs to each room."""
    for spec in scene.objects:
        if spec.category == "wall":
            thin = min(spec.scale[:2])
            assert thin == pytest.approx(0.06, abs=1e-4) or thin == pytest.approx(0.12, abs=1e-4)


def test_furniture_stands_free(scene: SceneSpec) -> None:
    """No two pieces share space, none reaches into a wall, each is in its room."""
    pieces = [o for o in scene.objects if o.role == "furniture"]
    assert len(pieces) >= 4 * len(scene.rooms)
    boxes = np.stack([box(o) for o in pieces])
    rooms = {r.id: r for r in scene.rooms}
    names = [o.id for o in pieces]
    for k, spec in enumerate(pieces):
        room = rooms[spec.room]
        assert np.all(boxes[k, 0, :2] >= np.subtract(room.lower, 1e-4)), spec.id
        assert np.all(boxes[k, 1, :2] <= np.add(room.upper, 1e-4)), spec.id
        assert boxes[k, 0, 2] >= -1e-6
        for other in range(k + 1, len(pieces)):
            if overlap(boxes[k], boxes[other]) < 1e-4:
                continue
            # A thing on a shelf is inside the shelf's box, on one of its boards.
            assert _on_support(pieces[k], pieces[other]) or _on_support(pieces[other], pieces[k]), (
                names[k],
                names[other],
            )


def _on_support(thing: ObjectSpec, base: ObjectSpec) -> bool:
    asset = assets.get(base.category, base.model, base.palette)
    foot = box(thing)[0, 2]
    return any(abs(base.position[2] + s.z * base.scale[2] - foot) < 1e-4 for s in asset.supports)


def test_doorways_are_clear(scene: SceneSpec) -> None:
    """Nothing but the door itself stands within 0.8 m before or behind a doorway."""
    frames = [o for o in scene.objects if o.category == "door_frame"]
    assert len(frames) >= len(scene.rooms)
    pieces = [o for o in scene.objects if o.role == "furniture"]
    for frame in frames:
        way = box(frame)
        thin = int(np.argmin(way[1, :2] - way[0, :2]))
        way[0, thin] -= 0.8
        way[1, thin] += 0.8
        way[0, 2] = 0.05
        blocked = [o.id for o in pieces if overlap(way, box(o)) > 1e-4]
        assert blocked == []


def test_every_room_has_a_way_in_and_light(scene: SceneSpec) -> None:
    frames = [box(o).mean(axis=0)[:2] for o in scene.objects if o.category == "door_frame"]
    for room in scene.rooms:
        lower, upper = np.subtract(room.lower, 0.2), np.add(room.upper, 0.2)
        assert any(np.all(f >= lower) and np.all(f <= upper) for f in frames), room.id
        assert any(
            np.all(np.asarray(light.position[:2]) >= room.lower)
            and np.all(np.asarray(light.position[:2]) <= room.upper)
            and light.position[2] < room.ceiling_height
            for light in scene.lights
        ), room.id


def occupied(scene: SceneSpec, room: int, cell: float = 0.05) -> BoolArray:
    """Cells of a room's floor with anything between 5 cm and 2 m above them."""
    spec = scene.rooms[room]
    size = np.floor(np.subtract(spec.upper, spec.lower) / cell).astype(int)
    grid = np.zeros((size[0], size[1]), dtype=bool)
    for item in scene.objects:
        bounds = box(item)
        if item.category == "floor" or bounds[1, 2] <= 0.05 or bounds[0, 2] >= 2.0:
            continue
        a = np.floor((bounds[0, :2] - spec.lower) / cell).astype(int)
        b = np.ceil((bounds[1, :2] - spec.lower) / cell).astype(int)
        if np.all(b > 0) and np.all(a < size):
            a = np.maximum(a, 0)
            grid[a[0] : b[0], a[1] : b[1]] = True
    return grid


def has_free_rectangle(grid: BoolArray, sides: tuple[float, float], cell: float = 0.05) -> bool:
    total = np.pad(grid.astype(int).cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    for a, b in (sides, sides[::-1]):
        n, m = round(a / cell), round(b / cell)
        if n > grid.shape[0] or m > grid.shape[1]:
            continue
        inside = total[n:, m:] - total[:-n, m:] - total[n:, :-m] + total[:-n, :-m]
        if (inside == 0).any():
            return True
    return False


def test_living_room_keeps_free_floor(scene: SceneSpec) -> None:
    room = next(k for k, r in enumerate(scene.rooms) if r.type == "living_room")
    sides = (FREE_FLOOR[0] - 0.1, FREE_FLOOR[1] - 0.1)  # the grid loses a cell at each side
    assert has_free_rectangle(occupied(scene, room), sides)


def test_doors_open_and_shut_again(scene: SceneSpec) -> None:
    doors = [o for o in scene.objects if o.category == "door"]
    assert doors
    frames = [box(o) for o in scene.objects if o.category == "door_frame"]
    for door in doors:
        shut, wide = door_pose(door, 0.0), door_pose(door, 1.0)
        again = door_pose(wide, door.state["open"])
        assert np.allclose(again.position, door.position, atol=1e-9)
        # A shut door lies within a frame's opening; an open one leaves most of it free.
        leaf = box(shut)
        frame = max(frames, key=lambda f: overlap(f, leaf))
        assert np.all(leaf[0] >= frame[0] - 0.05)
        assert np.all(leaf[1] <= frame[1] + 0.05)
        along = int(np.argmax(frame[1, :2] - frame[0, :2]))
        middle = frame.mean(axis=0)
        swung = box(wide)
        assert not swung[0, along] < middle[along] < swung[1, along]


def test_bad_calls() -> None:
    with pytest.raises(ValueError, match="rooms"):
        house("modern", 1, rooms=3)
    with pytest.raises(ValueError, match="rooms"):
        house("modern", 1, rooms=9)
    with pytest.raises(TypeError, match="rooms"):
        house("modern", 1, rooms=4.0)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="name_or_style"):
        house("", 1)
    door = next(o for o in made(*HOUSES[0]).objects if o.category == "door")
    with pytest.raises(ValueError, match="opened"):
        door_pose(door, 1.5)
    with pytest.raises(ValueError, match="hinge"):
        door_pose(door.model_copy(update={"state": {}}), 0.5)
