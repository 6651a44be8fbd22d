"""Leaving lamps out saves time and changes next to nothing."""

from __future__ import annotations

import numpy as np
import pytest

from esi_fast import geometry as geo
from esi_fast.assets.houses import house
from esi_fast.records import CameraSpec, ObjectSpec
from esi_fast.sim._lights import lamp_reach, lamps_for, rooms_of
from esi_fast.sim.embedded import EmbeddedSimulator


@pytest.fixture(scope="module")
def home() -> EmbeddedSimulator:
    simulator = EmbeddedSimulator()
    simulator.load(house("modern", 1, rooms=6))
    return simulator


def lamps(simulator: EmbeddedSimulator) -> list[geo.render.Light]:
    return [
        geo.render.Light(
            type=s.type, position=s.position, direction=s.direction, radius=s.radius, color=s.color
        )
        for s in simulator.spec().lights
    ]


def view(simulator: EmbeddedSimulator, room: int) -> CameraSpec:
    spec = simulator.spec().rooms[room]
    (x0, y0), (x1, y1) = spec.lower, spec.upper
    target = ((x0 + x1) / 2, (y0 + y1) / 2, 0.8)
    turn = geo.transforms.look_at((x0 + 0.4, y0 + 0.4, 1.5), target)
    x, y, z, w = (float(v) for v in turn)
    return CameraSpec(
        position=(x0 + 0.4, y0 + 0.4, 1.5), orientation=(x, y, z, w), width=160, height=120
    )


def test_own_lamps_and_the_sun_reach_every_room(home: EmbeddedSimulator) -> None:
    lights, snapshot = lamps(home), home.geometry()
    reach = lamp_reach(snapshot, lights)
    for k, light in enumerate(lights):
        for number, room in enumerate(snapshot.rooms):
            at = np.asarray(light.position[:2])
            inside = bool(np.all(at > room.lower) and np.all(at < room.upper))
            if inside or light.type == "sun":
                assert reach[k, number]


def test_shut_doors_keep_lamps_out() -> None:
    simulator = EmbeddedSimulator()
    simulator.load(house("modern", 1, rooms=6))
    for spec in simulator.spec().objects:
        if spec.category == "door":
            simulator.set_state(spec.id, "open", 0.0)
    snapshot = simulator.geometry()
    reach = lamp_reach(snapshot, lamps(simulator))
    bath = next(k for k, r in enumerate(snapshot.rooms) if r.type == "bathroom")
    room = snapshot.rooms[bath]
    for k, light in enumerate(lamps(simulator)):
        at = np.asarray(light.position[:2])
        own = bool(np.all(at > room.lower) and np.all(at < room.upper))
        assert reach[k, bath] == (own or light.type == "sun")


@pytest.mark.parametrize("room", [0, 2, 3])
def test_pictures_with_fewer_lamps_look_the_same(home: EmbeddedSimulator, room: int) -> None:
    camera = view(home, room)
    frame = home.render([camera], ("rgb", "seen_ids"))[0]
    assert frame.rgb is not None
    assert frame.seen_ids is not None
    snapshot, lights = home.geometry(), lamps(home)
    chosen = lamps_for(
        frame.seen_ids.astype(np.int64), rooms_of(snapshot), lamp_reach(snapshot, lights)
    )
    assert len(chosen) < len(lights)
    view_materials = home._view
    assert view_materials is not None
    full = geo.render.render(
        snapshot.scene,
        geo.Camera(
            np.asarray(camera.position),
            np.asarray(camera.orientation),
            camera.width,
            camera.height,
            camera.vfov_deg,
        ),
        materials=view_materials.materials(),
        lights=lights,
        ambient=home.spec().ambient,
        modalities=["rgb"],
    ).rgb
    assert full is not None
    difference = np.abs(full.astype(int) - frame.rgb.astype(int))
    assert difference.mean() < 1.5
    assert np.quantile(difference, 0.99) <= 20


def test_lamps_that_are_switched_on(home: EmbeddedSimulator) -> None:
    lamp = next(o for o in home.spec().objects if o.category in ("floor_lamp", "table_lamp"))
    room = next(k for k, r in enumerate(home.spec().rooms) if r.id == lamp.room)
    camera = view(home, room)
    dark = home.render([camera])[0].rgb
    home.set_state(lamp.id, "light", 2.0)
    bright = home.render([camera])[0].rgb
    home.set_state(lamp.id, "light", 0.0)
    again = home.render([camera])[0].rgb
    assert dark is not None
    assert bright is not None
    assert again is not None
    assert bright.mean() > dark.mean()
    assert again.tobytes() == dark.tobytes()


def test_carried_things_count_where_they_are(home: EmbeddedSimulator) -> None:
    token = home.save()
    rooms = home.spec().rooms
    inside = np.add(rooms[0].lower, rooms[0].upper) / 2
    stray = ObjectSpec(
        id="stray",
        category="wall",
        model="box",
        scale=(0.1, 0.1, 0.1),
        position=(float(inside[0]), float(inside[1]), 0.05),
        room=rooms[3].id,
        role="question",
    )
    home.add([stray])
    snapshot = home.geometry()
    assert rooms_of(snapshot)[snapshot.index("stray")] == 0
    home.restore(token)
