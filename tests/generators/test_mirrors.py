"""Who is really closer: hand-made rooms with known answers, and an observer that must not guess."""

from __future__ import annotations

import numpy as np
import pytest

from esi_fast import assets, registry
from esi_fast.errors import PlacementRejected
from esi_fast.generators import pick
from esi_fast.generators.base import Draft, public_part
from esi_fast.generators.driver import Made, make_instance
from esi_fast.generators.place import stand
from esi_fast.generators.soundness import pairs_of
from esi_fast.generators.specular_reflection.mirrors import (
    mirror_spec,
    reflected,
    reflected_yaw,
    twin_of,
)
from esi_fast.generators.specular_reflection.spatial_relations import SpatialRelations, nearer
from esi_fast.generators.views import camera_at
from esi_fast.records import FrameRecord, ObjectSpec, Question, SceneSpec
from esi_fast.sim.actions import action, passive_actions
from esi_fast.sim.base import Simulator

TASK = "specular_reflection/spatial_relations"
EYE = (0.0, 0.0, 1.1)
FLOOR = ObjectSpec(
    id="floor",
    category="floor",
    model="box",
    position=(0.0, 0.0, -0.1),
    scale=(8.0, 8.0, 0.2),
    role="structure",
    fixed=True,
)


@pytest.fixture(scope="module")
def sim() -> Simulator:
    simulator: Simulator = registry.get("backend", "embedded")()
    return simulator


def _two_kinds() -> tuple[tuple[str, str], tuple[str, str]]:
    pool = pick.pool((0.06, 0.18), (0.07, 0.22))
    other = next(kind for kind in pool if kind[0] != pool[0][0])
    return pool[0], other


def _world(
    sim: Simulator, first: tuple[float, float], second: tuple[float, float], mirror_x: float = 0.45
) -> Draft:
    """Two objects at (x, y); the eye at the origin looks along +x into a mirror across x."""
    kinds = _two_kinds()
    mirror = np.array([mirror_x, 0.0, np.pi])
    objects = (
        stand("first", *kinds[0], first, 0.3),
        stand("second", *kinds[1], second, -0.8),
        mirror_spec(mirror, ""),
    )
    sim.load(SceneSpec(name="hall", objects=(FLOOR, *objects)))
    names = tuple(pick.noun(category) for category, _ in kinds)
    return Draft(
        want=names[0],
        question=Question(text="Which is closer?", options=names),
        camera=camera_at(EYE, yaw=0.0, pitch=-np.radians(40.0), vfov_deg=36.0),
        objects=objects,
        targets=("first", "second"),
        public={
            "objects": [{"category": c, "model": m} for c, m in sorted(kinds)],
            "bounds": [[-4.0, -4.0], [4.0, 4.0]],
        },
    )


def test_the_gap_is_absolute_and_relative() -> None:
    assert nearer(1.0, 1.2) == 0
    assert nearer(1.2, 1.0) == 1
    assert nearer(1.0, 1.14) is None  # under 0.15 m
    assert nearer(2.0, 2.19) is None  # under 10 %
    assert nearer(2.0, 2.21) == 0


def test_a_turned_copy_of_the_mirrored_model_is_the_image() -> None:
    """Of a mirror that faces +y through (0, 1): a point of the model, its image both ways."""
    mirror = np.array([0.0, 1.0, np.pi / 2])
    at, yaw, point = np.array([0.4, 2.0]), 0.7, np.array([0.05, 0.02])

    def turn(angle: float) -> np.ndarray:
        return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])

    image = reflected(at + turn(yaw) @ point, mirror)
    assert reflected(at, mirror) == pytest.approx([0.4, 0.0])
    again = reflected(at, mirror) + turn(reflected_yaw(yaw, mirror)) @ (point * [1.0, -1.0])
    assert image == pytest.approx(again)


def test_label_and_witness_measure_what_stands_there(sim: Simulator) -> None:
    draft = _world(sim, (-0.8, 0.4), (-1.15, -0.4))
    snapshot = sim.geometry()
    heights = [float(assets.get(*kind).size[2]) / 2 for kind in _two_kinds()]
    by_hand = [
        np.sqrt(x * x + y * y + (EYE[2] - h) ** 2)
        for (x, y), h in zip(((-0.8, 0.4), (-1.15, -0.4)), heights, strict=True)
    ]
    task = SpatialRelations()
    label = task.label(snapshot, draft)
    assert label.answer == draft.question.options[0]
    assert label.numbers["first_distance"] == pytest.approx(by_hand[0], abs=1e-6)
    assert label.numbers["second_distance"] == pytest.approx(by_hand[1], abs=1e-6)
    witness = task.witness(sim, snapshot, draft)
    assert witness.answer == label.answer
    # The far sides do not show: the middle of what shows is a little off.
    assert witness.numbers["first_distance"] == pytest.approx(by_hand[0], abs=0.05)
    assert witness.numbers["second_distance"] == pytest.approx(by_hand[1], abs=0.05)


def test_the_label_follows_when_the_objects_change_places(sim: Simulator) -> None:
    draft = _world(sim, (-1.15, 0.4), (-0.8, -0.4))
    task = SpatialRelations()
    assert task.label(sim.geometry(), draft).answer == draft.question.options[1]
    assert task.witness(sim, sim.geometry(), draft).answer == draft.question.options[1]


def test_too_even_is_rejected(sim: Simulator) -> None:
    draft = _world(sim, (-0.9, 0.4), (-0.95, -0.4))
    with pytest.raises(PlacementRejected, match="too_even"):
        SpatialRelations().label(sim.geometry(), draft)


def test_what_is_seen_itself_or_not_at_all_is_rejected(sim: Simulator) -> None:
    before = _world(sim, (-0.8, 0.4), (1.3, -0.2), mirror_x=2.6)
    with pytest.raises(PlacementRejected, match="not_by_mirror_alone"):
        SpatialRelations().label(sim.geometry(), before)
    aside = _world(sim, (-0.8, 0.4), (-1.15, -2.5))
    with pytest.raises(PlacementRejected, match="not_by_mirror_alone"):
        SpatialRelations().label(sim.geometry(), aside)
    with pytest.raises(PlacementRejected, match="too_few_pixels"):
        SpatialRelations().witness(sim, sim.geometry(), aside)


def test_the_observer_decides_when_it_has_seen_both(sim: Simulator) -> None:
    """Turning round: nothing is known until the second object itself has come into view."""
    draft = _world(sim, (-0.8, 0.4), (-1.15, -0.4))
    core = draft.core(sim)
    core.run([action("turn_down")] + [action("turn_left")] * 15, rgb=False)
    history = [FrameRecord.model_validate_json(f.model_dump_json()) for f in core.history]
    public = public_part(draft.public, draft.question, sim.spec())
    task = SpatialRelations()
    sizes = [len(task.still_possible(history[: k + 1], public)) for k in range(len(history))]
    # The first stands 153 degrees to the left, the second 199.
    assert sizes[:9] == [2] * 9
    assert task.still_possible(history, public) == {draft.question.options[0]}
    # One of the two alone tells where the other must be, by the mirror.
    alone = history[:11]
    assert sizes[10] == 2
    points = sorted(task.places(alone, public), key=lambda point: point[1])
    assert points[0][:2] == pytest.approx([-1.15, -0.4], abs=0.1)
    assert points[1][:2] == pytest.approx([-0.8, 0.4], abs=0.05)


@pytest.fixture(scope="module")
def drafted(sim: Simulator) -> Made:
    made = make_instance(TASK, 2, 5, sim, oracle=False)
    assert made.instance is not None
    return made


def test_a_draft_and_its_twin_differ_in_the_answer_alone(sim: Simulator, drafted: Made) -> None:
    draft = drafted.draft
    assert draft is not None
    assert drafted.instance is not None
    checks = {check.name: check for check in drafted.instance.checks}
    assert checks["twin_view_0"].numbers["outline_px"] <= 2.0
    assert checks["twin_answer"].passed
    twins = {obj.id: obj for obj in twin_of(draft)}
    for obj in draft.objects:
        assert (twins[obj.id].category, twins[obj.id].scale) == (obj.category, obj.scale)


def test_worlds_that_look_the_same_keep_both_answers(sim: Simulator, drafted: Made) -> None:
    draft = drafted.draft
    assert draft is not None
    walk = passive_actions(5, 6)
    found = pairs_of(SpatialRelations(), sim, draft, [walk], random=np.random.default_rng(0))
    assert found.pairs == 1
    assert found.lost == []


def test_the_label_stays_possible_along_walks(sim: Simulator, drafted: Made) -> None:
    draft = drafted.draft
    assert draft is not None
    assert drafted.instance is not None
    public = public_part(draft.public, draft.question, sim.spec())
    task = SpatialRelations()
    around = (action("turn_down"), *[action("turn_right")] * 6, action("move_forward"))
    for walk in (passive_actions(11, 10), (*around, *[action("turn_right")] * 6)):
        core = draft.core(sim)
        core.run(walk, rgb=False)
        for end in range(1, len(core.history) + 1, 3):
            assert drafted.instance.answer in task.still_possible(core.history[:end], public)
