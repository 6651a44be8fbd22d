"""Is a stored question right, answerable and not trivial? The checklist of appendix H.1, as code.

It knows the record alone: loads the scene, lets it settle, derives label and witness again, plays
the oracle trajectory and asks the observer. The annotators' three axes become named checks:

* *correctness*: what was asked for is there and is what it was asked to be, everything rests where
  the record says and overlaps nothing, the label of the state is the answer, the witness agrees,
  and the trajectory can be carried out;
* *answerability*: the trajectory is within the budget and leaves the answer as the only one;
* *non-triviality*: the first view leaves at least two.

The first check that fails ends the verification: what comes after it would mean nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from esi_fast import registry
from esi_fast.errors import PlacementRejected
from esi_fast.generators import checks
from esi_fast.generators.base import Draft, Task, public_view
from esi_fast.generators.oracle import MAX_ORACLE_ACTIONS
from esi_fast.records import CheckResult, Instance
from esi_fast.sim.actions import ACTIONS
from esi_fast.sim.base import Simulator
from esi_fast.sim.episode import core_of

__all__ = ["AXES", "Verdict", "draft_of", "verify"]

AXES = {
    "spawned": "correctness",
    "at_rest": "correctness",
    "settled": "correctness",
    "upright": "correctness",
    "label": "correctness",
    "witness": "correctness",
    "trajectory": "correctness",
    "budget": "answerability",
    "answerable": "answerability",
    "not_trivial": "non-triviality",
}
"""Axis of the checklist (appendix H.1) by name of the check, in the order in which they run."""


class Verdict(NamedTuple):
    """The checks that were made; only the last can have failed."""

    checks: tuple[CheckResult, ...]

    @property
    def passed(self) -> bool:
        """Whether everything holds."""
        return all(check.passed for check in self.checks)

    @property
    def reason(self) -> str:
        """The name of the check that failed, "" if none did."""
        return next((check.name for check in self.checks if not check.passed), "")


def draft_of(instance: Instance) -> Draft:
    """The draft that a record came from, with the poses of the record; its notes are lost."""
    return Draft(
        want=instance.answer,
        question=instance.question,
        camera=instance.initial_camera,
        objects=tuple(obj for obj in instance.scene.objects if obj.id in instance.targets),
        targets=tuple(instance.visibility[0] if instance.visibility else instance.targets),
        public=instance.public,
        context_cameras=instance.context_cameras,
        context_labels=instance.context_labels,
        nouns=instance.nouns,
        hide=instance.hide,
    )


def verify(instance: Instance, sim: Simulator) -> Verdict:
    """Check a record in ``sim``, whose world it replaces.

    Raises ``UnknownName`` for a task that is not registered, and whatever loading a scene raises.
    """
    done: list[CheckResult] = []
    for check in _checks(instance, sim):
        done.append(check)
        if not check.passed:
            break
    return Verdict(tuple(done))


def _checks(instance: Instance, sim: Simulator) -> Iterator[CheckResult]:
    task: Task = registry.get("task", instance.task)()
    draft = draft_of(instance)
    yield _spawned(instance)
    sim.load(instance.scene)
    start = sim.save()
    yield checks.at_rest(sim.settle())
    snapshot = sim.geometry()
    yield checks.settled(snapshot, draft)
    yield checks.upright(snapshot, draft)
    try:
        label = task.label(snapshot, draft)
        yield _same("label", label.answer, instance.answer, label.numbers)
        witness = task.witness(sim, snapshot, draft)
        yield _same("witness", witness.answer, instance.answer, witness.numbers)
    except PlacementRejected as rejection:
        # The state lies between the answers, or cannot be measured.
        measured = {k: float(v) for k, v in rejection.numbers.items() if isinstance(v, int | float)}
        yield CheckResult(name="label", passed=False, numbers=measured)
        return
    sim.restore(start)
    steps = len(instance.oracle_actions)
    yield CheckResult(
        name="budget", passed=0 < steps <= MAX_ORACLE_ACTIONS, numbers={"actions": float(steps)}
    )
    core = core_of(sim, instance)
    core.observe(rgb=False)
    for action in instance.oracle_actions:
        outcome = core.apply(action)
        core.observe(rgb=False)
        if not outcome.ok and ACTIONS[action.name].kind != "manipulate":
            yield CheckResult(
                name="trajectory", passed=False, numbers={"step": float(len(core.history) - 1)}
            )
            return
    yield CheckResult(name="trajectory", passed=True, numbers={"actions": float(steps)})
    public = public_view(instance)
    possible = task.still_possible(core.history, public)
    yield CheckResult(
        name="answerable",
        passed=possible == frozenset({instance.answer}),
        numbers={"possible": float(len(possible))},
    )
    first = task.still_possible(core.history[:1], public)
    yield CheckResult(
        name="not_trivial",
        passed=len(first) > 1 and instance.answer in first,
        numbers={"possible": float(len(first))},
    )


def _spawned(instance: Instance) -> CheckResult:
    """Whether all that was asked for is in the scene, and is what was asked for."""
    there = {obj.id: (obj.category, obj.model) for obj in instance.scene.objects}
    missing = sum(name not in there for name in instance.targets)
    other = sum(there.get(name, kind) != kind for name, kind in instance.targets.items())
    return CheckResult(
        name="spawned",
        passed=bool(instance.targets) and not missing and not other,
        numbers={"missing": float(missing), "other_model": float(other)},
    )


def _same(name: str, found: str, answer: str, numbers: dict[str, float]) -> CheckResult:
    return CheckResult(name=name, passed=found == answer, numbers=numbers)
