"""Leaving lamps out changes next to nothing; presets, spots and glare look as they should."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from pydantic import ValidationError

from esi_fast import geometry as geo
from esi_fast.assets.houses import LIGHTING, house, lit
from esi_fast.records import CameraSpec, LightSpec, ObjectSpec, SceneSpec, canonical_json
from esi_fast.sim._lights import lamp_reach, lamps_for, rooms_of
from esi_fast.sim.embedded import EmbeddedSimulator
from esi_fast.types import FloatArray


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


def living(simulator: EmbeddedSimulator, *, back: bool = False) -> CameraSpec:
    """A view along the living room's long axis, from its low end or (``back``) its high end."""
    room = next(r for r in simulator.spec().rooms if r.type == "living_room")
    lower, upper = np.asarray(room.lower), np.asarray(room.upper)
    axis = int(np.argmax(upper - lower))
    low, high = (lower + upper) / 2, (lower + upper) / 2
    low[axis], high[axis] = lower[axis] + 0.5, upper[axis] - 0.5
    eye, target = (high, low) if back else (low, high)
    turn = geo.transforms.look_at((*eye, 1.5), (*target, 1.4))
    x, y, z, w = (float(v) for v in turn)
    return CameraSpec(
        position=(float(eye[0]), float(eye[1]), 1.5),
        orientation=(x, y, z, w),
        width=120,
        height=90,
    )


def seen(simulator: EmbeddedSimulator, camera: CameraSpec) -> FloatArray:
    """Grey levels (H, W) of a picture."""
    rgb = simulator.render([camera])[0].rgb
    assert rgb is not None
    return rgb.astype(np.float64).mean(axis=2)


@pytest.fixture
def relit(home: EmbeddedSimulator) -> Iterator[Callable[..., EmbeddedSimulator]]:
    """``relit(preset)``: the home in that light; it is put back afterwards."""
    token = home.save()

    def change(lighting: str) -> EmbeddedSimulator:
        living_room = next(r.id for r in home.spec().rooms if r.type == "living_room")
        home.set_lights(lit(home.spec(), lighting, room=living_room))
        return home

    yield change
    home.restore(token)


@pytest.mark.parametrize("lighting", LIGHTING)
def test_presets_are_recorded(relit: Callable[..., EmbeddedSimulator], lighting: str) -> None:
    home = relit(lighting)
    spec = home.spec()
    assert spec.lighting == lighting
    assert SceneSpec.model_validate_json(canonical_json(spec)) == spec
    again = EmbeddedSimulator()
    again.load(spec)
    assert np.array_equal(seen(again, living(again)), seen(home, living(home)))


def test_presets_differ_as_their_names_say(relit: Callable[..., EmbeddedSimulator]) -> None:
    level = {}
    for lighting in LIGHTING:
        home = relit(lighting)
        level[lighting] = float(np.median(seen(home, living(home))))
    assert level["dim"] < 0.6 * min(level["home"], level["day"], level["lamp"])
    assert level["dim"] > 15.0  # dark, but a person still sees the furniture
    suns = {name: sum(x.type == "sun" for x in relit(name).spec().lights) for name in LIGHTING}
    assert suns == {"home": 1, "day": 1, "lamp": 0, "dim": 0, "side": 0, "glare": 0}
    assert len(relit("day").spec().lights) == 1  # the lamps are off


def test_side_light_has_a_bright_and_a_dark_side(relit: Callable[..., EmbeddedSimulator]) -> None:
    """A block in the middle of the room: the side to the lamp is far brighter than the other."""
    home = relit("side")
    room = next(r for r in home.spec().rooms if r.type == "living_room")
    middle = np.add(room.lower, room.upper) / 2
    block = ObjectSpec(
        id="block",
        category="wall",
        model="box",
        scale=(0.5, 0.5, 1.0),
        position=(float(middle[0]), float(middle[1]), 0.9),
        role="question",
    )
    home.add([block])
    sides = []
    for back in (False, True):
        camera = living(home, back=back)
        frame = home.render([camera], ("rgb", "ids"))[0]
        assert frame.rgb is not None
        mask = frame.ids == home.geometry().index("block")
        assert mask.sum() > 50
        sides.append(frame.rgb[mask].mean())
    assert sides[0] > 2.0 * sides[1]


def test_glare_dazzles_only_who_looks_at_it(relit: Callable[..., EmbeddedSimulator]) -> None:
    home = relit("glare")
    towards, away = living(home), living(home, back=True)
    glaring = {False: seen(home, towards), True: seen(home, away)}
    spec = home.spec()
    plain = tuple(x.model_copy(update={"glare": 0.0}) for x in spec.lights)
    home.set_lights(spec.model_copy(update={"lights": plain}))
    without = {False: seen(home, towards), True: seen(home, away)}
    # Towards the lamp: a white spot, and the veil takes contrast from all that is around.
    assert (glaring[False] > 250).mean() > 0.01
    rise = glaring[False] - without[False]
    assert rise.min() >= 0.0
    assert np.median(rise) > 5.0
    # With the lamp behind one's back nothing changes.
    assert np.array_equal(glaring[True], without[True])


def test_glare_is_hidden_by_what_stands_before_it(
    relit: Callable[..., EmbeddedSimulator],
) -> None:
    home = relit("glare")
    lamp = next(x for x in home.spec().lights if x.glare > 0.0)
    screen = ObjectSpec(
        id="screen",
        category="wall",
        model="box",
        scale=(0.6, 0.6, 0.6),
        position=tuple(np.add(lamp.position, 0.6 * np.asarray(lamp.direction))),  # type: ignore[arg-type]
        role="question",
    )
    white = (seen(home, living(home)) > 250).mean()
    home.add([screen])
    assert white > 0.01
    assert (seen(home, living(home)) > 250).mean() < 0.05 * white


def test_spot_lights_its_object(relit: Callable[..., EmbeddedSimulator]) -> None:
    home = relit("dim")
    table = next(o for o in home.spec().objects if o.category == "coffee_table")
    row = home.geometry().index(table.id)
    camera = living(home)
    for back in (False, True):
        camera = living(home, back=back)
        ids = home.render([camera], ("ids",))[0].ids
        if ids is not None and (ids == row).sum() > 50:
            break
    before = seen(home, camera)
    home.set_state(table.id, "spot", 3.0)
    assert home.spec().objects[row].state["spot"] == 3.0
    rise = seen(home, camera) - before
    assert rise[ids == row].mean() > 10.0
    walls = [k for k, o in enumerate(home.geometry().objects) if o.category == "wall"]
    assert abs(rise[np.isin(ids, walls)].mean()) < 2.0


def test_bad_calls(home: EmbeddedSimulator) -> None:
    with pytest.raises(ValueError, match="lighting"):
        lit(home.spec(), "noon")
    with pytest.raises(ValueError, match="room"):
        lit(home.spec(), "side", room="ballroom")
    with pytest.raises(ValueError, match="scene"):
        lit(SceneSpec(name="void"), "day")
    with pytest.raises(ValidationError, match="color"):
        LightSpec(color=(-1.0, 0.0, 0.0))
    with pytest.raises(ValidationError, match="direction"):
        LightSpec(type="spot", direction=(0.0, 0.0, 0.0))
    with pytest.raises(ValueError, match="spot"):
        home.set_state(home.geometry().ids[0], "spot", 101.0)
