"""Every registered task, by being registered: made from fixed seeds, proved, played back."""

from __future__ import annotations

import json
import subprocess
import sys
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from builtin import builtin

from esi_fast import registry
from esi_fast.errors import SceneUnsuitable
from esi_fast.generators import pick
from esi_fast.generators.base import World, public_view
from esi_fast.generators.driver import Made, make_instance, want_of
from esi_fast.generators.oracle import MAX_ORACLE_ACTIONS
from esi_fast.records import FrameRecord, Instance, canonical_json, read_record
from esi_fast.sim.base import Simulator
from esi_fast.sim.episode import core_of

TASKS = builtin("task")


@pytest.fixture(scope="module")
def sim() -> Simulator:
    simulator: Simulator = registry.get("backend", "embedded")()
    return simulator


@pytest.fixture(scope="module", params=TASKS)
def pair(request: pytest.FixtureRequest, sim: Simulator) -> list[Made]:
    """The first pair that can be made of each task from seed 5."""
    for k in range(6):
        made = [make_instance(request.param, 2 * k + side, 5, sim) for side in (0, 1)]
        if all(one.instance for one in made):
            return made
    pytest.fail(f"{request.param}: no pair in 6 tries: {made[0].rejections}")


def _instances(pair: list[Made]) -> list[Instance]:
    return [made.instance for made in pair if made.instance is not None]


def test_a_pair_shares_categories_and_differs_in_the_answer(pair: list[Made]) -> None:
    first, second = _instances(pair)
    assert first.answer != second.answer

    def categories(instance: Instance) -> set[tuple[str, str]]:
        # How many there are of a kind may be the answer.
        return {
            (obj.category, obj.model)
            for obj in instance.scene.objects
            if obj.role in ("question", "mirror")
        }

    assert categories(first) == categories(second)
    assert first.id != second.id


def test_label_and_witness_agree_and_have_numbers(pair: list[Made]) -> None:
    for instance in _instances(pair):
        assert instance.label.answer == instance.witness.answer == instance.answer
        assert instance.label.method != instance.witness.method
        for evidence in (instance.label, instance.witness):
            assert evidence.numbers
            assert np.isfinite(list(evidence.numbers.values())).all()
        assert all(check.passed for check in instance.checks)


def test_no_question_object_has_a_namesake_in_the_house(pair: list[Made]) -> None:
    """Observers know objects by their category alone."""
    for instance in _instances(pair):
        asked = {obj.category for obj in instance.scene.objects if obj.role == "question"}
        others = {obj.category for obj in instance.scene.objects if obj.role != "question"}
        there = {obj.id: obj.role for obj in instance.scene.objects}
        # A question may be about the house itself, about its doors for example.
        assert asked or {there[name] for name in instance.targets} == {"structure"}
        assert not asked & others


def test_models_leave_out_what_the_house_holds() -> None:
    kinds = pick.pool((0.07, 0.26), (0.10, 0.36))
    there = sorted({category for category, _ in kinds})[:2]
    house = SimpleNamespace(objects=[SimpleNamespace(category=name) for name in there])
    world = World(
        sim=cast(Any, None),
        scene=cast(Any, None),
        home=cast(Any, house),
        pair_rng=lambda purpose: np.random.default_rng(),
        rng=np.random.default_rng(),
    )
    found = world.models((0.07, 0.26), (0.10, 0.36))
    assert found == tuple(kind for kind in kinds if kind[0] not in there)
    house.objects = [SimpleNamespace(category=category) for category, _ in kinds]
    with pytest.raises(SceneUnsuitable, match="all_models_in_house"):
        world.models((0.07, 0.26), (0.10, 0.36))


def test_the_record_survives_json(pair: list[Made]) -> None:
    for instance in _instances(pair):
        text = canonical_json(instance)
        assert canonical_json(read_record(Instance, text)) == text


def test_the_oracle_is_short_and_leaves_the_label_alone(pair: list[Made], sim: Simulator) -> None:
    """Rebuilt from the record alone, the trajectory gives what was recorded."""
    for instance in _instances(pair):
        task = registry.get("task", instance.task)()
        assert 0 < len(instance.oracle_actions) <= MAX_ORACLE_ACTIONS
        sim.load(instance.scene)
        core = core_of(sim, instance)
        core.run(instance.oracle_actions, rgb=False)
        history = [
            FrameRecord.model_validate_json(frame.model_dump_json()) for frame in core.history
        ]
        public = json.loads(json.dumps(public_view(instance)))
        assert task.still_possible(history, public) == frozenset({instance.answer})
        assert len(task.still_possible(history[:1], public)) > 1


_FRESH = """
import json, sys
from esi_fast import registry
from esi_fast.records import FrameRecord
given = json.load(sys.stdin)
history = [FrameRecord.model_validate(frame) for frame in given["history"]]
task = registry.get("task", given["task"])()
print(json.dumps([sorted(task.still_possible(history[:n], given["public"])) for n in given["n"]]))
"""


def test_the_observer_needs_nothing_but_the_serialised_history(
    pair: list[Made], sim: Simulator
) -> None:
    """In a process that has never seen the world it says the same."""
    instance = _instances(pair)[0]
    task = registry.get("task", instance.task)()
    sim.load(instance.scene)
    core = core_of(sim, instance)
    core.run(instance.passive_actions[:4], rgb=False)
    public = json.loads(json.dumps(public_view(instance)))
    lengths = [1, len(core.history)]
    given = {
        "task": instance.task,
        "history": [frame.model_dump(mode="json") for frame in core.history],
        "public": public,
        "n": lengths,
    }
    done = subprocess.run(
        [sys.executable, "-c", _FRESH], input=json.dumps(given), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    here = [sorted(task.still_possible(core.history[:n], public)) for n in lengths]
    assert json.loads(done.stdout) == here


def test_the_observer_never_loses_the_label(pair: list[Made], sim: Simulator) -> None:
    """Along the random walk, every prefix keeps the label possible."""
    for instance in _instances(pair):
        task = registry.get("task", instance.task)()
        sim.load(instance.scene)
        core = core_of(sim, instance)
        core.run(instance.passive_actions[:12], rgb=False)
        history = core.history
        public = public_view(instance)
        for end in range(1, len(history) + 1, 3):
            assert instance.answer in task.still_possible(history[:end], public)


def test_public_part_hides_what_must_be_found_out(pair: list[Made]) -> None:
    for instance in _instances(pair):
        public = public_view(instance)
        roles = {obj["role"] for obj in public["shell"]}
        assert roles <= {"structure", "furniture"}
        text = json.dumps(public)
        for obj in instance.scene.objects:
            if obj.role in ("question", "mirror"):
                assert repr(obj.position[0]) not in text


def test_made_twice_is_the_same(pair: list[Made], sim: Simulator) -> None:
    instance = _instances(pair)[0]
    again = make_instance(instance.task, instance.index, instance.seed, sim, pictures=False)
    assert again.instance is not None
    assert canonical_json(again.instance) == canonical_json(instance)


def test_pictures_show_view_0_and_the_oracle(pair: list[Made]) -> None:
    for made, instance in zip(pair, _instances(pair), strict=True):
        names = {"view_0", *(f"oracle_{k + 1}" for k in range(len(instance.oracle_actions)))}
        names |= {f"context_{k}" for k in range(len(instance.context_cameras))}
        assert set(made.images) == names
        for image in made.images.values():
            assert image.shape == (512, 512, 3)
            assert image.dtype == np.uint8
            assert image.std() > 2.0


@pytest.mark.parametrize("task_id", TASKS)
def test_answers_are_balanced_and_unrelated_to_the_index(task_id: str) -> None:
    """Over 2,000 indices: exactly equal counts, and even indices tell nothing (3 sigma)."""
    task = registry.get("task", task_id)()
    wants = [want_of(task, task_id, index, 0) for index in range(2000)]
    if len(task.answers) == 2:
        assert wants.count(task.answers[0]) == 1000
    even = wants[::2].count(task.answers[0])
    expected = 1000 / len(task.answers)
    assert abs(even - expected) < 3 * np.sqrt(expected)


def test_a_backend_that_lacks_something_is_refused(sim: Simulator) -> None:
    class Bare(type(sim)):  # type: ignore[misc]
        capabilities = frozenset()

    bare = Bare.__new__(Bare)
    with pytest.raises(ValueError, match="lacks"):
        make_instance(TASKS[0], 0, 0, bare)
