"""Why an answer is wrong: agents that fail in one way each, and know nothing of the observer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from esi_fast import registry
from esi_fast.dataset.store import StoreWriter
from esi_fast.eval.agents import Agent, Observation, Reply
from esi_fast.eval.attribution import REASONS, attribute, attribute_run, reasons_table
from esi_fast.eval.metrics import Scored
from esi_fast.eval.paradigms import PARADIGMS, Stage
from esi_fast.eval.score import is_correct
from esi_fast.generators.base import public_view
from esi_fast.generators.driver import make_instance
from esi_fast.records import ActionRecord, EpisodeRecord, Instance
from esi_fast.sim.actions import action, answer_action, parse_action
from esi_fast.sim.base import Simulator
from esi_fast.sim.episode import core_of

TASKS = ("spatial_relations/linear_alignment", "specular_reflection/reflection_authoring")


class Scripted:
    """Does what it was told, then answers."""

    def __init__(self, steps: list[ActionRecord], answer: str) -> None:
        self.steps = list(steps)
        self.answer = answer

    def act(self, observation: Observation) -> Reply:
        if observation.must_answer or not self.steps:
            return Reply(answer_action(self.answer, 0.9))
        return Reply(self.steps.pop(0))


def _wrong(instance: Instance) -> str:
    return next(option for option in instance.question.options if option != instance.answer)


def misperceiving(instance: Instance) -> Agent:
    """Goes to see, and reads the picture wrongly."""
    return Scripted(list(instance.oracle_actions), _wrong(instance))


def early(instance: Instance) -> Agent:
    """Has seen enough at once."""
    return Scripted([], _wrong(instance))


def halfway(instance: Instance) -> Agent:
    """Sets out, and answers before it is there."""
    undecided = sum(len(kept) > 1 for kept in instance.oracle_possible)
    return Scripted(list(instance.oracle_actions[: undecided // 2]), _wrong(instance))


def blind(instance: Instance) -> Agent:
    """Acts, but not to see: shifts its weight until the time is up."""
    return Scripted([action("turn_up"), action("turn_down")] * 15, _wrong(instance))


def clumsy(instance: Instance) -> Agent:
    """Runs against the floor."""
    return Scripted([action("move_down")] * 30, _wrong(instance))


def right(instance: Instance) -> Agent:
    """A lucky guess is not wrong."""
    return Scripted([], instance.answer)


@pytest.fixture(scope="module")
def sim() -> Simulator:
    simulator: Simulator = registry.get("backend", "embedded")()
    return simulator


@pytest.fixture(scope="module", params=TASKS)
def instance(request: pytest.FixtureRequest, sim: Simulator) -> Instance:
    for index in range(8):
        made = make_instance(request.param, index, 5, sim, pictures=False).instance
        if made is not None:
            return made
    pytest.fail("no instance in 8 tries")


def _played(instance: Instance, sim: Simulator, agent: Agent, paradigm: str = "active") -> Scored:
    played = Stage(instance, sim).play(agent, PARADIGMS[paradigm], budget=30)
    episode = EpisodeRecord(
        key=f"{instance.id}.{paradigm}",
        run="test",
        instance=instance.id,
        instance_hash="",
        task=instance.task,
        paradigm=paradigm,
        agent="scripted",
        steps=played.steps,
        answer=played.answer,
        stop_reason=played.stop_reason,
    )
    return Scored(episode, instance, is_correct(instance, episode))


@pytest.mark.parametrize(
    ("agent", "reason"),
    [
        (misperceiving, "perception"),
        (early, "commitment"),
        (halfway, "commitment"),
        (blind, "action_blindness"),
        (clumsy, "execution"),
        (right, ""),
    ],
)
def test_each_way_of_failing_is_told(
    agent: Callable[[Instance], Agent], reason: str, instance: Instance, sim: Simulator
) -> None:
    assert attribute(_played(instance, sim, agent(instance)), sim).reason == reason


def test_the_way_that_was_left_would_have_decided_it(instance: Instance, sim: Simulator) -> None:
    found = attribute(_played(instance, sim, halfway(instance)), sim)
    assert found.way
    task = registry.get("task", instance.task)()
    done = halfway(instance).steps  # type: ignore[attr-defined]
    assert len(done) + len(found.way) <= 30
    sim.load(instance.scene)
    core = core_of(sim, instance)
    core.run([*done, *map(parse_action, found.way)], rgb=False)
    assert len(task.still_possible(core.history, public_view(instance))) == 1


def test_who_cannot_act_did_not_fail_to(instance: Instance, sim: Simulator) -> None:
    shown = _played(instance, sim, early(instance), "passive_single")
    assert attribute(shown, sim).reason == "undecided"
    oracle = _played(instance, sim, early(instance), "oracle")
    assert attribute(oracle, sim).reason == "perception"


def test_an_episode_that_did_not_run_is_an_error(instance: Instance, sim: Simulator) -> None:
    item = _played(instance, sim, early(instance))
    broken = item.episode.model_copy(update={"stop_reason": "error", "error": "cut off"})
    assert attribute(Scored(broken, instance, False), sim).reason == "error"


def test_a_run_is_explained_once_and_counted(
    instance: Instance, sim: Simulator, tmp_path: Path
) -> None:
    with StoreWriter(tmp_path / "instances", Instance, meta={}) as writer:
        writer.add(instance)
    with StoreWriter(tmp_path / "episodes", EpisodeRecord, meta={}) as writer:
        for name, agent in (("early", early), ("clumsy", clumsy), ("right", right)):
            episode = _played(instance, sim, agent(instance)).episode
            writer.add(episode.model_copy(update={"key": name, "agent": name}))
    found = attribute_run(tmp_path, workers=0)
    assert {key: item.reason for key, item in found.items()} == {
        "early": "commitment",
        "clumsy": "execution",
        "right": "",
    }
    before = (tmp_path / "attribution.jsonl").read_bytes()
    assert attribute_run(tmp_path, workers=0) == found
    assert (tmp_path / "attribution.jsonl").read_bytes() == before
    head, *rows = reasons_table(tmp_path, found).splitlines()
    assert head.split() == ["task", "paradigm", "agent", "right", *REASONS]
    assert rows[0].split()[2:] == ["clumsy", "0", "0", "0", "1", "0", "0", "0"]
