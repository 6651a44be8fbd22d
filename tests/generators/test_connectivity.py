"""Connectivity: label and witness on worlds with known answers, the observer along walks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from test_map import AWAY, NEAR, house, look, public_of

from esi_fast import registry
from esi_fast.errors import PlacementRejected
from esi_fast.generators import rooms
from esi_fast.generators.base import Draft, known_shape
from esi_fast.generators.cognitive_mapping.connectivity import CONNECTED, DIRECT, Connectivity
from esi_fast.generators.driver import Made, make_instance
from esi_fast.generators.soundness import pairs_of
from esi_fast.records import Question, SceneSpec
from esi_fast.sim.actions import passive_actions
from esi_fast.sim.base import Simulator
from esi_fast.types import JsonDict

TASK = "cognitive_mapping/connectivity"


@pytest.fixture(scope="module")
def sim() -> Iterator[Simulator]:
    simulator: Simulator = registry.get("backend", "embedded")()
    yield simulator
    simulator.close()


@pytest.fixture(scope="module")
def made(sim: Simulator) -> Made:
    return make_instance(TASK, 0, 5, sim, oracle=False)


def draft_of(form: str, start: str, goal: str) -> Draft:
    return Draft(
        want="yes",
        question=Question(text="?", options=("yes", "no")),
        camera=NEAR,
        objects=(),
        targets=(),
        public={"form": form, "start": start, "goal": goal, "hide": []},
    )


def measured(sim: Simulator, scene: SceneSpec, draft: Draft) -> tuple[str, str]:
    sim.load(scene)
    snapshot = sim.geometry()
    task = Connectivity()
    return (
        task.label(snapshot, draft).answer,
        task.witness(sim, snapshot, draft).answer,
    )


@pytest.mark.parametrize(
    ("form", "start", "goal", "opened", "answer"),
    [
        (CONNECTED, "a", "b", (1.0, 0.0), "yes"),
        (CONNECTED, "a", "c", (1.0, 0.0), "no"),
        (CONNECTED, "a", "d", (1.0, 1.0), "yes"),
        (CONNECTED, "d", "a", (0.0, 1.0), "no"),
        (DIRECT, "a", "b", (1.0, 0.0), "yes"),
        (DIRECT, "b", "c", (1.0, 0.0), "no"),
        # There is a way, but through another room.
        (DIRECT, "a", "c", (1.0, 1.0), "no"),
        (DIRECT, "d", "c", (0.0, 0.0), "yes"),
    ],
)
def test_label_and_witness_know_the_answers_of_a_row_of_rooms(
    sim: Simulator, form: str, start: str, goal: str, opened: tuple[float, ...], answer: str
) -> None:
    assert measured(sim, house(*opened), draft_of(form, start, goal)) == (answer, answer)


def with_post(width: float) -> SceneSpec:
    """The row with a post of a width in the first open doorway, which leaves a gap beside."""
    scene = house(1.0, 1.0)
    wall = next(obj for obj in scene.objects if obj.id == "wall_0_low")
    post = wall.model_copy(
        update={"id": "post", "position": (3.0, 1.0 + width / 2, 0.5), "scale": (0.12, width, 1.0)}
    )
    return scene.with_objects((*scene.objects, post))


def test_a_way_for_thin_walkers_only_is_rejected(sim: Simulator) -> None:
    """The doorway leaves 0.88 m from y = 1.06; a post takes some of it, or all."""
    draft = draft_of(CONNECTED, "a", "b")
    sim.load(with_post(0.4))
    with pytest.raises(PlacementRejected, match="narrow_way"):
        Connectivity().label(sim.geometry(), draft)
    # Nobody comes through: the map says no, the plan of the doors yes, and the driver rejects it.
    assert measured(sim, with_post(0.9), draft) == ("no", "yes")


def test_reachable_rooms_are_those_of_the_doors_as_they_stand(sim: Simulator) -> None:
    scene = house(1.0, 0.0)
    sim.load(scene)
    told = rooms.with_reach(scene, sim.geometry())
    assert [room.reachable for room in told.rooms] == [True, True, False, False]


def test_the_observer_keeps_both_answers_until_the_door_shows(sim: Simulator) -> None:
    task = Connectivity()
    for first in (0.0, 1.0):
        scene = house(first, 1.0)
        public: JsonDict = {**public_of(scene), "form": CONNECTED, "start": "a", "goal": "c"}
        away = look(sim, scene, AWAY)
        assert task.still_possible([away], public) == {"yes", "no"}
        assert len(task.places([away], public)) == 2
        near = look(sim, scene, NEAR)
        kept = task.still_possible([away, near], public)
        assert kept == {"yes" if first else "no"}
        assert task.places([away, near], public) == []


def test_goals_look_at_the_doorways(sim: Simulator) -> None:
    scene = house(0.0, 0.0)
    public: JsonDict = {**public_of(scene), "form": CONNECTED, "start": "a", "goal": "c"}
    points = Connectivity().places([look(sim, scene, AWAY)], public)
    goals = Connectivity().goals(AWAY, points, public)
    assert Connectivity().goals(AWAY, [], public) == []
    targets = {tuple(np.round(goal.target[:2], 6)) for goal in goals}
    assert {(3.0, 1.5), (6.0, 1.5)} <= targets
    assert max(goal.position[2] for goal in goals) == 5.0


def test_an_instance_names_two_rooms_and_shows_them_without_doors(made: Made) -> None:
    assert made.instance is not None
    instance = made.instance
    assert len(instance.context_cameras) == 2 * rooms.CONTEXT_VIEWS
    words = set(instance.context_labels)
    assert len(words) == 2
    assert all(word in instance.question.text for word in words)
    assert instance.initial_camera.position[2] == rooms.EYE
    by_name = {check.name: check for check in instance.checks}
    assert by_name["door_shows_in_context"].numbers["pixels"] == 0.0
    assert by_name["door_shows_in_view_0"].passed
    assert "ceiling_0" in instance.hide


def test_the_twin_looks_the_same_and_the_observer_keeps_both(sim: Simulator, made: Made) -> None:
    """A planted peek at the states of the doors loses an answer here."""
    again = make_instance(TASK, 0, 5, sim, oracle=False)
    assert again.draft is not None
    found = pairs_of(
        Connectivity(),
        sim,
        again.draft,
        [passive_actions(3, 4), passive_actions(4, 4)],
        random=np.random.default_rng(0),
    )
    assert found.pairs >= 1
    assert found.lost == []

    class Peeking(Connectivity):
        def still_possible(self, history, public):  # type: ignore[no-untyped-def]
            return frozenset({"yes"})

    lost = pairs_of(
        Peeking(),
        sim,
        again.draft,
        [passive_actions(3, 1)],
        random=np.random.default_rng(0),
    )
    assert lost.lost


def test_a_twin_needs_a_door_that_view_0_does_not_show(sim: Simulator) -> None:
    scene = house(1.0, 1.0)
    sim.load(scene)
    draft = draft_of(CONNECTED, "a", "b")
    random = np.random.default_rng(0)
    assert Connectivity().twin(sim.geometry(), draft, random) is None
    turned = Connectivity().twin(sim.geometry(), replace(draft, camera=AWAY), random)
    assert turned is not None
    assert {obj.id: obj.state["open"] for obj in turned}["door_0"] == 0.0
    assert known_shape(turned[0]) in map(known_shape, scene.objects)
