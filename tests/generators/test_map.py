"""Observer kit M on hand-made houses: which doors a frame decides, and what then remains."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np
import pytest

from esi_fast import registry
from esi_fast.assets.houses import door_pose
from esi_fast.generators import views
from esi_fast.generators.base import known_shape, public_part
from esi_fast.generators.observer import map as kit
from esi_fast.records import CameraSpec, FrameRecord, ObjectSpec, Question, RoomSpec, SceneSpec
from esi_fast.sim.base import Simulator
from esi_fast.sim.episode import EpisodeCore
from esi_fast.types import JsonDict

TURN = math.sqrt(0.5)


def box(name: str, category: str, at: tuple[float, float, float], size: tuple[float, float, float],
        state: dict[str, float] | None = None) -> ObjectSpec:  # fmt: skip
    return ObjectSpec(
        id=name,
        category=category,
        model="box",
        position=at,
        scale=size,
        role="structure",
        fixed=True,
        state=state or {},
    )


def house(*opened: float) -> SceneSpec:
    """Rooms a, b, c in a row along x, 3 m each; doors between them, then a bare frame c | d."""
    names = "abcd"
    rooms = tuple(
        RoomSpec(
            id=name, type=f"room_{name}", lower=(3.0 * k + 0.06, 0.0), upper=(3.0 * k + 2.94, 3.0)
        )
        for k, name in enumerate(names)
    )
    objects = [box("floor", "floor", (6.0, 1.5, -0.05), (12.0, 3.0, 0.1))]
    for k in range(3):
        x = 3.0 * (k + 1)
        for side, y in (("low", 0.5), ("high", 2.5)):
            objects.append(box(f"wall_{k}_{side}", "wall", (x, y, 1.3), (0.12, 1.0, 2.6)))
        objects.append(box(f"wall_{k}_over", "wall", (x, 1.5, 2.35), (0.12, 1.0, 0.5)))
        objects.append(box(f"frame_{k}", "door_frame", (x, 1.5, 1.05), (0.15, 1.0, 2.1)))
    for k, value in enumerate(opened):
        leaf = box(
            f"door_{k}",
            "door",
            (3.0 * (k + 1) + 0.035, 1.5, 1.0),
            (0.08, 0.87, 2.0),
            {"open": 0.0, "hinge": 1.0, "swing": 1.55},
        )
        objects.append(door_pose(leaf, value))
    return SceneSpec(name="row", rooms=rooms, objects=tuple(objects))


def public_of(scene: SceneSpec) -> JsonDict:
    return public_part({"hide": []}, Question(text="?", options=("yes", "no")), scene)


@pytest.fixture(scope="module")
def sim() -> Iterator[Simulator]:
    simulator: Simulator = registry.get("backend", "embedded")()
    yield simulator
    simulator.close()


def look(sim: Simulator, scene: SceneSpec, camera: CameraSpec) -> FrameRecord:
    sim.load(scene)
    return EpisodeCore(sim, camera).observe(rgb=False).record


# In room a, towards door 0; in room c, towards the frame without a door; over all rooms.
NEAR = views.camera_at((0.5, 1.5, 1.5), yaw=0.0, pitch=0.0, vfov_deg=60.0)
AWAY = views.camera_at((7.0, 1.5, 1.5), yaw=0.0, pitch=0.0, vfov_deg=60.0)


def test_doorways_join_rooms_and_know_their_doors() -> None:
    scene = house(1.0, 0.0)
    ways = kit.doorways(scene.rooms, map(known_shape, scene.objects))
    assert [(set(way.rooms), way.leaf) for way in ways] == [
        ({"a", "b"}, "door_0"),
        ({"b", "c"}, "door_1"),
        ({"c", "d"}, ""),
    ]
    assert ways[0].center == (3.0, 1.5)
    assert np.allclose(np.abs(ways[0].across), (1.0, 0.0))
    assert kit.doorways_of(public_of(scene)) == ways


@pytest.mark.parametrize("first", [0.0, 1.0])
@pytest.mark.parametrize("second", [0.0, 1.0])
def test_a_door_in_view_is_known_and_one_behind_a_wall_is_not(
    sim: Simulator, first: float, second: float
) -> None:
    scene = house(first, second)
    known = kit.known_doors([look(sim, scene, NEAR)], public_of(scene))
    assert known["door_0"] == first
    # Through the first doorway the second door shows, where that stands open.
    assert known["door_1"] == (second if first else None)


def test_a_view_without_doors_decides_nothing(sim: Simulator) -> None:
    scene = house(1.0, 0.0)
    frame = look(sim, scene, AWAY)
    assert kit.known_doors([frame], public_of(scene)) == {"door_0": None, "door_1": None}
    assert kit.known_doors([], public_of(scene)) == {"door_0": None, "door_1": None}


def test_an_outline_that_is_off_by_two_pixels_decides_nothing(sim: Simulator) -> None:
    """The leaf of door 0 in one column of pixels, two columns beside where it should be."""
    scene = house(0.0, 0.0)
    shell = kit.shell_of(public_of(scene))
    first = shell.first(NEAR)
    shut = first == 2 * shell.leaves.index("door_0") + kit.SHUT
    assert shut.sum() > 10_000
    from esi_fast.sim.masks import encode_mask

    moved = shell.excluded(NEAR, encode_mask(np.roll(shut, 2, axis=1)))
    assert ("door_0", kit.SHUT) not in moved
    far = shell.excluded(NEAR, encode_mask(np.roll(shut, 40, axis=1)))
    assert ("door_0", kit.SHUT) in far


def test_the_shell_does_not_tell_how_doors_stand() -> None:
    assert public_of(house(1.0, 0.0)) == public_of(house(0.0, 1.0))


def test_joined_goes_through_open_doors_and_passages() -> None:
    scene = house(0.0, 0.0)
    ways = kit.doorways(scene.rooms, scene.objects)
    for first in (True, False):
        for second in (True, False):
            stands = {"door_0": first, "door_1": second}
            assert kit.joined(ways, "a", "b", stands) is first
            assert kit.joined(ways, "d", "a", stands) is (first and second)
            assert kit.joined(ways, "c", "d", stands)


def test_hypotheses_over_unseen_doors() -> None:
    def answer(stands: Mapping[str, bool]) -> str:
        return "yes" if stands["x"] and (stands["y"] or stands["z"]) else "no"

    names = ("x", "y", "z")
    unseen = dict.fromkeys(names)
    assert len(list(kit.worlds(unseen, names))) == 8
    assert kit.answers(unseen, names, answer) == {"yes", "no"}
    assert kit.deciding(unseen, names, answer) == names
    assert kit.answers({**unseen, "x": kit.SHUT}, names, answer) == {"no"}
    assert kit.deciding({**unseen, "x": kit.SHUT}, names, answer) == ()
    assert kit.deciding({**unseen, "y": kit.OPEN}, names, answer) == ("x",)
    assert kit.answers({"x": kit.OPEN, "y": kit.OPEN, "z": None}, names, answer) == {"yes"}
