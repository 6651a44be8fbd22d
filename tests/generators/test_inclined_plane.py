"""Resting on a slope: friction worked out by hand, runs on the slope, what outcomes leave open."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from esi_fast import assets, registry
from esi_fast import geometry as geo
from esi_fast.errors import PlacementRejected
from esi_fast.generators import pick
from esi_fast.generators.base import Draft
from esi_fast.generators.physical_dynamics.inclined_plane import (
    RESOLUTION,
    SLOPE,
    THING,
    InclinedPlane,
    friction_needed,
)
from esi_fast.records import (
    CameraSpec,
    FrameRecord,
    ObjectSpec,
    Outcome,
    Question,
    SceneSpec,
)
from esi_fast.sim.actions import action
from esi_fast.sim.base import Simulator
from esi_fast.sim.placing import SLID, place_on

CAMERA = CameraSpec(position=(0.0, 0.0, 1.0), orientation=(0.0, 0.0, 0.0, 1.0), vfov_deg=60.0)
FLOOR = ObjectSpec(
    id="floor",
    category="floor",
    model="box",
    position=(0.0, 0.0, -0.1),
    scale=(6.0, 6.0, 0.2),
    role="structure",
    fixed=True,
)
PUBLIC = {"thing": "shoe", "things": {"shoe": "shoe", "slope": "ramp"}}


def yawed(yaw: float) -> tuple[float, float, float, float]:
    x, y, z, w = geo.transforms.yaw_quat(yaw).tolist()
    return (x, y, z, w)


def block(friction: float, *, yaw: float = 0.4, side: float = 0.1) -> ObjectSpec:
    """A cuboid of exact size that slides with nearly the friction with which it holds."""
    return ObjectSpec(
        id=THING,
        category="wall",
        model="box",
        position=(0.0, 0.9, 0.05),
        orientation=yawed(yaw),
        scale=(side, side, 0.1),
        role="question",
        state={"mass": 0.5, "friction": friction, "friction_dynamic": 0.95 * friction},
    )


def ramp(degrees: float, *, yaw: float = 1.1) -> ObjectSpec:
    length, _, height = assets.get("ramp", "solid").size
    high = length * float(np.tan(np.radians(degrees)))
    return ObjectSpec(
        id=SLOPE,
        category="ramp",
        model="solid",
        position=(0.0, 0.0, high / 2),
        orientation=yawed(yaw),
        scale=(1.0, 1.0, high / height),
        role="question",
        fixed=True,
    )


@pytest.fixture(scope="module")
def sim() -> Simulator:
    made: Simulator = registry.get("backend", "embedded")()
    return made


def drafted(sim: Simulator, *objects: ObjectSpec) -> Draft:
    sim.load(SceneSpec(name="test", objects=(FLOOR, *objects)))
    return Draft(
        want="yes",
        question=Question(text="?", options=("yes", "no")),
        camera=CAMERA,
        objects=objects,
        targets=(THING, SLOPE),
        public=PUBLIC,
    )


@pytest.mark.parametrize("yaw", [0.0, 0.3, 2.0])
@pytest.mark.parametrize("degrees", [20.0, 40.0])
def test_what_does_not_tip_needs_the_tangent(degrees: float, yaw: float) -> None:
    tangent = float(np.tan(np.radians(degrees)))
    normal = np.array([np.sin(np.radians(degrees)), 0.0, np.cos(np.radians(degrees))])
    wide = block(1.0, yaw=yaw, side=0.2)
    assert friction_needed(wide, normal) == pytest.approx(tangent, abs=RESOLUTION)


def test_what_is_higher_than_it_is_wide_tips() -> None:
    """A column of a quarter of its height tips where the tangent is above a quarter."""
    column = block(1.0, yaw=0.0, side=0.025)
    for degrees, holds in ((13.0, True), (15.0, False)):
        normal = np.array([np.sin(np.radians(degrees)), 0.0, np.cos(np.radians(degrees))])
        assert np.isfinite(friction_needed(column, normal)) == holds
    assert pick.tips_at("wall", "box") == pytest.approx(1.0)


@pytest.mark.parametrize(("degrees", "share", "answer"), [(20.0, 0.9, "no"), (40.0, 1.1, "yes")])
def test_label_and_witness_in_a_world_made_by_hand(
    sim: Simulator, degrees: float, share: float, answer: str
) -> None:
    task = InclinedPlane()
    friction = share * float(np.tan(np.radians(degrees)))
    draft = drafted(sim, block(friction), ramp(degrees))
    label = task.label(sim.geometry(), draft)
    assert label.answer == task.witness(sim, sim.geometry(), draft).answer == answer
    # It starts at rest: s = g (sin a - mu cos a) t^2 / 2 down the slope, once it slides.
    angle = np.radians(degrees)
    pull = 9.81 * (np.sin(angle) - 0.95 * friction * np.cos(angle)) if answer == "no" else 0.0
    way = pull * 0.25 / 2 * np.cos(angle)
    assert label.numbers["moved"] == pytest.approx(way, abs=0.004)


def test_friction_between_the_answers_is_refused(sim: Simulator) -> None:
    draft = drafted(sim, block(float(np.tan(np.radians(30.0)))), ramp(30.0))
    with pytest.raises(PlacementRejected, match="friction_between"):
        InclinedPlane().witness(sim, sim.geometry(), draft)


@pytest.mark.parametrize("yaw", [0.0, 2.6])
def test_put_on_a_slope_it_lies_flat_against_it(sim: Simulator, yaw: float) -> None:
    drafted(sim, block(2.0, yaw=0.7), ramp(35.0, yaw=yaw))
    placed = place_on(sim, THING, SLOPE)
    assert placed.ok
    assert placed.numbers["moved_late"] < SLID / 10
    up = geo.transforms.quat_to_matrix(sim.poses([THING]).orientations[0])[:, 2]
    lean = np.radians(35.0)
    expected = [np.sin(lean) * np.cos(yaw), np.sin(lean) * np.sin(yaw), np.cos(lean)]
    assert up == pytest.approx(expected, abs=2e-3)


def test_the_twin_differs_in_friction_alone(sim: Simulator) -> None:
    task = InclinedPlane()
    draft = drafted(sim, block(1.5), ramp(30.0))
    twin = task.twin(sim.geometry(), draft, np.random.default_rng(1))
    assert twin is not None
    hidden = {"state": {}}
    assert [obj.model_copy(update=hidden) for obj in twin] == [
        obj.model_copy(update=hidden) for obj in draft.objects
    ]
    other = replace(drafted(sim, *twin), want="no")
    assert task.label(sim.geometry(), other).answer == "no"


@pytest.mark.parametrize(
    ("args", "reason", "left"),
    [
        (("shoe", "slope"), "", {"yes"}),
        (("shoe", "slope"), "fell_off", {"no"}),
        (("shoe", "slope"), "too_far", {"yes", "no"}),
        (("shoe", "slope"), "no_room", {"yes", "no"}),
        (("slope", "shoe"), "", {"yes", "no"}),
        (("shoe", "object_3"), "", {"yes", "no"}),
    ],
)
def test_only_putting_it_on_the_slope_decides(
    args: tuple[str, str], reason: str, left: set[str]
) -> None:
    first = FrameRecord(camera=CAMERA, masks={})
    last = FrameRecord(
        camera=CAMERA,
        masks={},
        action=action("put_on", *args),
        outcome=Outcome(ok=not reason, reason=reason),
    )
    task = InclinedPlane()
    assert task.still_possible([first], PUBLIC) == {"yes", "no"}
    assert task.still_possible([first, last], PUBLIC) == left
