"""Counting under occlusion: label, witness and observer on small worlds, and a draft's twins."""

from __future__ import annotations

import numpy as np
import pytest

from esi_fast import assets, registry
from esi_fast.errors import PlacementRejected
from esi_fast.generators.base import Draft
from esi_fast.generators.driver import make_instance
from esi_fast.generators.enumerative_perception.counting_occlusion import (
    CountingOcclusion,
    _plural,
)
from esi_fast.generators.place import stand
from esi_fast.generators.soundness import pairs_of
from esi_fast.generators.views import camera_at
from esi_fast.records import FrameRecord, ObjectSpec, Question, RoomSpec, SceneSpec
from esi_fast.sim.actions import passive_actions
from esi_fast.sim.base import Simulator
from esi_fast.sim.masks import encode_mask

TASK = CountingOcclusion()
TASK_ID = "enumerative_perception/counting_occlusion"
CAMERA = camera_at((-2.0, 0.0, 1.25), yaw=0.0, pitch=-np.pi / 6, vfov_deg=70.0)
ROOM = RoomSpec(id="room", type="bedroom", lower=(-3.0, -3.0), upper=(3.0, 3.0))


@pytest.fixture(scope="module")
def sim() -> Simulator:
    simulator: Simulator = registry.get("backend", "embedded")()
    return simulator


def _kettles(*spots: tuple[float, float]) -> tuple[ObjectSpec, ...]:
    model = next(iter(assets.sizes("kettle")))
    return tuple(
        stand(f"kettle_{k}", "kettle", model, spot, 0.3 * k) for k, spot in enumerate(spots)
    )


def _world(sim: Simulator, objects: tuple[ObjectSpec, ...]) -> Draft:
    sim.load(SceneSpec(name="small", rooms=(ROOM,), objects=objects))
    targets = tuple(obj for obj in objects if obj.role == "question")
    return Draft(
        want="3",
        question=Question(text="How many?", options=TASK.answers),
        camera=CAMERA,
        objects=targets,
        targets=tuple(obj.id for obj in targets),
        public={
            "target": {"category": "kettle", "model": targets[0].model},
            "room": "room",
            "sites": [list(obj.position[:2]) for obj in targets],
        },
    )


SPOTS = ((-1.0, 0.0), (-0.5, 0.0), (-0.9, 0.5), (0.0, 0.3), (-0.9, -0.5), (0.0, -0.4))


@pytest.mark.parametrize("count", [3, 4, 6])
def test_label_and_witness_count_what_stands_there(sim: Simulator, count: int) -> None:
    draft = _world(sim, _kettles(*SPOTS[:count]))
    snapshot = sim.geometry()
    assert TASK.label(snapshot, draft).answer == str(count)
    assert TASK.witness(sim, snapshot, draft).answer == str(count)


def test_too_few_are_no_answer(sim: Simulator) -> None:
    draft = _world(sim, _kettles(*SPOTS[:2]))
    with pytest.raises(PlacementRejected, match="count_out_of_range"):
        TASK.label(sim.geometry(), draft)


def test_what_stands_in_another_room_does_not_count(sim: Simulator) -> None:
    draft = _world(sim, _kettles(*SPOTS[:4], (5.0, 0.0)))
    label = TASK.label(sim.geometry(), draft)
    assert (label.answer, label.numbers["in_house"]) == ("4", 5.0)


def test_a_target_that_no_sweep_finds_makes_the_witness_differ(sim: Simulator) -> None:
    """Under the top of a table stands one of four."""
    table = stand("table", "breakfast_table", "wdbwhc", (0.0, 0.3), 0.0, role="furniture")
    draft = _world(
        sim, (*_kettles(*SPOTS[:1], *SPOTS[2:5]), table.model_copy(update={"fixed": True}))
    )
    snapshot = sim.geometry()
    assert TASK.label(snapshot, draft).answer == "4"
    assert TASK.witness(sim, snapshot, draft).answer != "4"


def _frame(*classes: tuple[str, np.ndarray]) -> FrameRecord:
    return FrameRecord(
        camera=CAMERA, masks={name: encode_mask(mask) for name, mask in sorted(classes)}
    )


def test_nothing_seen_leaves_all_and_an_empty_floor_leaves_none(sim: Simulator) -> None:
    draft = _world(sim, _kettles(*SPOTS))
    public = {**draft.public, "shell": []}
    blank = FrameRecord(camera=CAMERA, masks={})
    assert TASK.still_possible([blank], public) == frozenset(TASK.answers)
    assert len(TASK.places([blank], public)) == len(SPOTS)
    # No world has that: the observer does not pretend otherwise.
    floor = _frame(("floor", np.ones((512, 512), dtype=bool)))
    assert TASK.still_possible([floor], public) == frozenset()
    # Of the two farthest ones the core shows less than 32 px.
    assert len(TASK.places([floor], public)) == 2


def test_the_observer_counts_what_it_sees(sim: Simulator) -> None:
    draft = _world(sim, _kettles(*SPOTS[:4]))
    frame = draft.core(sim).observe(rgb=False).record
    sites = [*draft.public["sites"], [-0.5, 0.45], [-0.45, -0.5]]
    public = {**draft.public, "sites": sites, "shell": []}
    # The room has no floor to see: whatever is no kettle may hide one.
    assert TASK.still_possible([frame], public) == frozenset({"4", "5", "6"})
    kettles = frame.masks["kettle"]
    seen = np.zeros(512 * 512, dtype=bool)
    ends = np.cumsum(kettles)
    for low, high in zip(ends[::2], ends[1::2], strict=False):
        seen[low:high] = True
    floor = encode_mask(~seen.reshape(512, 512))
    bare = frame.model_copy(update={"masks": {"floor": floor, "kettle": kettles}})
    assert TASK.still_possible([bare], public) == frozenset({"4"})
    assert TASK.places([bare], public) == []


def test_twins_look_the_same_at_first_and_count_otherwise(sim: Simulator) -> None:
    made = next(
        made
        for made in (make_instance(TASK_ID, k, 5, sim, oracle=False) for k in range(6))
        if made.draft is not None
    )
    assert made.draft is not None
    walks = [passive_actions(seed, 4) for seed in range(2)]
    found = pairs_of(TASK, sim, made.draft, walks, random=np.random.default_rng(1))
    assert found.pairs == 2
    assert found.lost == []


def test_plurals() -> None:
    words = {
        "mug": "mugs",
        "jar of jam": "jars of jam",
        "box": "boxes",
        "toy dish": "toy dishes",
        "berry": "berries",
    }
    assert {word: _plural(word) for word in words} == words
    assert _plural("tray") == "trays"
