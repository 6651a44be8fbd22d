"""Houses: rooms that tile, openings that are clear, furniture that stands free."""

from __future__ import annotations

import itertools
import math
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from esi_fast import assets
from esi_fast import geometry as geo
from esi_fast.assets._house_bands import make_plan
from esi_fast.assets._house_plan import neighbours, reached
from esi_fast.assets._house_walk import _box as _walk_box
from esi_fast.assets._house_walk import _with_load
from esi_fast.assets.entries import Size
from esi_fast.assets.houses import FREE_FLOOR, STYLES, door_pose, house
from esi_fast.geometry import gridmap as gm
from esi_fast.records import ObjectSpec, SceneSpec, canonical_json
from esi_fast.sim.embedded import EmbeddedSimulator
from esi_fast.types import BoolArray, FloatArray

HOUSES = [(STYLES[k % len(STYLES)], k, 3 + k) for k in range(10)]
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
    assert {"living_room", "bedroom", "bathroom"} <= set(types)
    assert ("kitchen" in types) == (len(types) > 3)
    assert ("corridor" in types) >= (len(types) > 5)
    assert len({r.id for r in scene.rooms}) == len(scene.rooms)
    walls = np.stack([box(o) for o in scene.objects if o.category == "wall"])
    across = walls[:, 1].max(axis=0) - walls[:, 0].min(axis=0)
    assert np.all(across[:2] <= 12.0 + 1e-6)
    assert np.all(across[:2] >= 5.5)
    for room in scene.rooms:
        assert min(np.subtract(room.upper, room.lower)) >= 1.2


@pytest.mark.parametrize("rooms", range(3, 13))
def test_number_of_rooms(rooms: int) -> None:
    assert len(made("any name", 1, rooms).rooms) == rooms


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


def test_walls_are_no_thicker_than_walls(scene: SceneSpec) -> None:
    """Walls are 0.12 m; between rooms half of it belongs to each."""
    for spec in scene.objects:
        if spec.category == "wall":
            assert min(spec.scale[:2]) <= 0.12 + 1e-4


def test_walls_are_never_lost(scene: SceneSpec) -> None:
    """Level rays from inside each room end at its own walls, except through its openings."""
    simulator = EmbeddedSimulator()
    shell = ("wall", "window", "door", "door_frame")
    simulator.load(scene.with_objects(tuple(o for o in scene.objects if o.category in shell)))
    snapshot = simulator.geometry()
    openings = np.stack([box(o) for o in scene.objects if o.category in ("window", "door_frame")])
    angle = np.linspace(0.0, 2.0 * np.pi, 720, endpoint=False) + 1e-3
    way = np.stack([np.cos(angle), np.sin(angle), np.zeros_like(angle)], axis=1)
    for room in scene.rooms:
        lower, upper = np.asarray(room.lower), np.asarray(room.upper)
        for share in (0.2, 0.5, 0.8):
            flat = lower + share * (upper - lower)
            # Where each ray leaves the room: the nearest of its four sides.
            sides = np.where(way[:, :2] > 0, upper - flat, lower - flat) / way[:, :2]
            leaves = sides.min(axis=1)
            for height in (0.3, 1.2, 2.4):
                eye = np.broadcast_to((*flat, height), way.shape)
                hits = geo.raycast.closest(snapshot.scene, eye, way)
                assert np.isfinite(hits.distance).all() or height < 2.2
                point = eye + leaves[:, None] * way
                in_way = np.zeros(len(way), dtype=bool)
                for low, high in openings:
                    in_way |= ((point > low - 0.07) & (point < high + 0.07)).all(axis=1)
                # Open leaves stand in the room: rays may end before the wall, never behind it.
                assert np.all(hits.distance[~in_way] <= leaves[~in_way] + 1e-6), (room.id, height)
                if height > 2.3:
                    assert hits.distance == pytest.approx(leaves, abs=1e-6)


def test_neighbours_are_those_with_a_metre_of_wall() -> None:
    rects = [
        (0.0, 0.0, 4.0, 3.0),
        (4.0, 0.0, 7.0, 3.0),  # right of it
        (0.0, 3.0, 1.0, 5.0),  # above: just a metre
        (1.0, 3.0, 1.95, 5.0),  # above: 0.95 m
        (7.0, 3.0, 9.0, 5.0),  # touches a corner of the second only
        (4.1, 3.0, 6.0, 5.0),  # above the second, a gap to the first
    ]
    found = {(s.a, s.b): s for s in neighbours(rects)}
    assert set(found) == {(0, 1), (0, 2), (2, 3), (1, 5)}
    assert found[0, 1][2:] == ("y", 4.0, 0.0, 3.0)
    assert found[1, 5][2:] == ("x", 3.0, 4.1, 6.0)


@given(st.integers(0, 10**6), st.integers(3, 12))
@settings(max_examples=150)
def test_plans(seed: int, rooms: int) -> None:
    """Rooms tile the house, each has a way in, and just the rooms behind shut doors are cut off."""
    plan = make_plan(rooms, np.random.default_rng(seed))
    x0, y0, x1, y1 = plan.bounds
    assert max(x1 - x0, y1 - y0) + 0.12 <= 12.0 + 1e-9
    area = sum((r.rect[2] - r.rect[0]) * (r.rect[3] - r.rect[1]) for r in plan.rooms)
    assert area == pytest.approx((x1 - x0) * (y1 - y0), abs=1e-6)
    pairs = {(s.a, s.b) for s in neighbours([r.rect for r in plan.rooms])}
    doors = [o for o in plan.openings if o.kind in ("door", "passage")]
    for door in doors:
        assert tuple(sorted(door.rooms)) in pairs
        assert door.b - door.a >= 0.8 - 1e-9
    ways = [(o.rooms[0], o.rooms[1]) for o in doors]
    assert reached(rooms, ways) == set(range(rooms))
    opened = [pair for o, pair in zip(doors, ways, strict=True) if o.open]
    assert reached(rooms, opened) == {k for k, r in enumerate(plan.rooms) if r.reachable}
    assert all(o.open for o in doors if o.kind == "passage")
    assert sum(o.kind == "entrance" for o in plan.openings) == 1
    for room in plan.rooms:
        cells = sorted((o.a, o.b) for o in room.openings["S"])
        assert all(a[1] <= b[0] for a, b in itertools.pairwise(cells))


@pytest.mark.parametrize("unreachable", [0, 1, 3])
def test_as_many_unreachable_rooms_as_asked_for(unreachable: int) -> None:
    for seed in range(4):
        plan = make_plan(9, np.random.default_rng(seed), unreachable=unreachable)
        assert sum(not room.reachable for room in plan.rooms) == unreachable
        assert plan.rooms[0].reachable


def test_walkers_reach_what_is_recorded_as_reachable(scene: SceneSpec) -> None:
    """On the map of the furnished house, for a robot of 0.2 m radius."""
    simulator = EmbeddedSimulator()
    simulator.load(scene)
    floor = gm.erode(simulator.floor_map(), 0.2)
    labels = gm.components(floor).labels
    assert floor.rooms is not None
    home = np.bincount(labels[floor.free & (floor.rooms == 1)] + 1).argmax() - 1
    for number, room in enumerate(scene.rooms, start=1):
        entered = (floor.free & (floor.rooms == number) & (labels == home)).sum()
        assert (entered * 0.05**2 > 0.1) == room.reachable, room.id


def test_furniture_stands_free(scene: SceneSpec) -> None:
    """No two pieces share space, none reaches into a wall, each is in its room."""
    pieces = [o for o in scene.objects if o.role == "furniture"]
    assert len(pieces) >= 4 * len(scene.rooms)
    sparse = ("corridor", "entryway", "pantry_room", "storage_room")
    for room in scene.rooms:
        inside = sum(o.room == room.id for o in pieces)
        assert inside >= (2 if room.type in sparse else 4), room.id
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
    assert len(frames) >= len(scene.rooms) - 1
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
        house("modern", 1, rooms=2)
    with pytest.raises(ValueError, match="rooms"):
        house("modern", 1, rooms=13)
    with pytest.raises(TypeError, match="rooms"):
        house("modern", 1, rooms=4.0)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="name_or_style"):
        house("", 1)
    door = next(o for o in made(*HOUSES[0]).objects if o.category == "door")
    with pytest.raises(ValueError, match="opened"):
        door_pose(door, 1.5)
    with pytest.raises(ValueError, match="hinge"):
        door_pose(door.model_copy(update={"state": {}}), 0.5)


def test_what_a_worktop_carries_leaves_with_it() -> None:
    """A worktop lies on two cabinets; the one is taken away, and a vase stood over the other."""

    def piece(name: str, category: str, size: Size, at: Size) -> ObjectSpec:
        model = assets.models(category)[0]
        scale = tuple(np.divide(size, assets.sizes(category)[model]).tolist())
        return ObjectSpec(
            id=name, category=category, model=model, position=at, scale=scale, role="furniture"
        )

    objects = [
        piece("left", "bottom_cabinet", (0.6, 0.8, 0.7), (0.0, -0.5, 0.35)),
        piece("right", "bottom_cabinet", (0.6, 1.2, 0.7), (0.0, 0.5, 0.35)),
        piece("worktop", "countertop", (0.6, 2.0, 0.04), (0.0, 0.1, 0.72)),
        piece("vase", "vase", (0.1, 0.1, 0.2), (0.0, -0.7, 0.84)),
        piece("tray", "tray", (0.3, 0.3, 0.02), (0.0, 0.4, 0.75)),
        piece("cup", "mug", (0.1, 0.1, 0.1), (0.0, 0.4, 0.81)),
        piece("bin", "trash_can", (0.3, 0.3, 0.4), (1.0, 0.5, 0.2)),
    ]
    boxes = np.array([_walk_box(spec) for spec in objects])
    gone = {objects[k].id for k in _with_load(1, boxes, objects).tolist()}
    assert gone == {"right", "worktop", "vase", "tray", "cup"}
    # Without the left one the worktop still lies on the other, and the vase on it.
    assert {objects[k].id for k in _with_load(0, boxes, objects).tolist()} == {"left"}
