"""Why an answer is wrong: one reason for each episode, from what its views proved.

In this order (the first that holds):

* ``perception``: the views left one answer, and the agent gave another;
* ``undecided``: the agent could not act, and the views it was shown left several;
* ``execution``: over a third of its actions failed;
* ``commitment``: with the actions that were left, some sequence would have left one answer;
* ``action_blindness``: by then none would; it spent its actions on what decides nothing.

An answer that is right has no reason, even where nothing had proved it; an episode that did not
run has ``error``.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from esi_fast import jobs
from esi_fast.eval.evidence import task_of
from esi_fast.eval.metrics import Scored
from esi_fast.eval.paradigms import PARADIGMS
from esi_fast.eval.runner import load_run
from esi_fast.eval.score import is_correct, join
from esi_fast.generators.base import Task, public_view
from esi_fast.generators.driver import simulator
from esi_fast.generators.goals import free_route
from esi_fast.generators.oracle import next_action
from esi_fast.generators.verify import draft_of
from esi_fast.records import ActionRecord, EpisodeRecord, Instance, read_record
from esi_fast.sim.actions import action, format_action
from esi_fast.sim.base import Simulator
from esi_fast.sim.episode import EpisodeCore, core_of
from esi_fast.types import JsonDict

__all__ = [
    "FAILED_SHARE",
    "REASONS",
    "Attribution",
    "attribute",
    "attribute_run",
    "attributions",
    "explain",
    "reasons_table",
]

REASONS = {
    "perception": "its views left one answer, and it gave another",
    "undecided": "the views that it was shown left several answers",
    "execution": "over a third of its actions failed",
    "commitment": "it answered while there were actions left that would have decided it",
    "action_blindness": "it spent its actions on what decides nothing",
    "error": "the episode did not run",
}
"""Every reason with what it says, in the order in which they are looked for."""
_FILE = "attribution.jsonl"
FAILED_SHARE = 1.0 / 3.0
"""More than this share of failed actions is a failure of execution."""


class Attribution(NamedTuple):
    """Why an episode's answer is wrong ("" where it is right), and what would have decided it.

    ``way`` are actions, in text form, that would have left one answer from where the agent gave
    its own: of ``commitment`` only.
    """

    reason: str
    way: tuple[str, ...] = ()


def attribute(item: Scored, sim: Simulator) -> Attribution:
    """The reason of one episode; ``sim`` is used, and its world replaced, only where it is needed.

    Raises ``UnknownName`` for a task that is not registered.
    """
    episode, instance = item.episode, item.instance
    if episode.stop_reason == "error":
        return Attribution("error")
    if item.correct:
        return Attribution("")
    if episode.steps and len(episode.steps[-1].possible) == 1:
        return Attribution("perception")
    paradigm = PARADIGMS.get(episode.paradigm)
    if paradigm is not None and not paradigm.active:
        return Attribution("undecided")
    acted = [step for step in episode.steps if step.action is None or step.action.name != "answer"]
    failed = sum(step.outcome is not None and not step.outcome.ok for step in acted)
    if failed > FAILED_SHARE * len(acted):
        return Attribution("execution")
    done = [step.action for step in acted if step.action is not None]
    way = _way(instance, done, episode.budget - len(acted), sim)
    return Attribution("action_blindness") if way is None else Attribution("commitment", way)


def _way(
    instance: Instance, done: Sequence[ActionRecord], left: int, sim: Simulator
) -> tuple[str, ...] | None:
    """At most ``left`` actions after which one answer is left; ``None`` where none were found."""
    if left <= 0:
        return None
    task, public = task_of(instance.task), public_view(instance)

    def begin() -> EpisodeCore:
        sim.load(instance.scene)
        core = core_of(sim, instance)
        core.observe(rgb=False)
        for step in done:
            core.apply(step)
            core.observe(rgb=False)
        return core

    core = begin()
    draft, snapshot = draft_of(instance), sim.geometry()
    passed = [snapshot.index(name) for name in (*core.held, *instance.hide)]
    points = [snapshot.centers()[snapshot.index(name)] for name in draft.targets]
    plans = [
        (*(action(name) for name in route), *goal.then)
        for goal in task.goals(instance.initial_camera, points, public)
        if (route := free_route(snapshot.scene, core.viewpoint, goal, passed=passed)) is not None
    ]
    for plan in sorted(plans, key=len):
        if 0 < len(plan) <= left and _decides(task, begin(), plan, public):
            return tuple(map(format_action, plan))
    core, steps = begin(), list[ActionRecord]()
    while len(steps) < left:
        step = next_action(task, core.history, public)
        if step is None:
            return None
        steps.append(step)
        core.apply(step)
        core.observe(rgb=False)
        if len(task.still_possible(core.history, public)) == 1:
            return tuple(map(format_action, steps))
    return None


def _decides(task: Task, core: EpisodeCore, plan: Sequence[ActionRecord], public: JsonDict) -> bool:
    """Whether a plan leaves one answer; it is carried out."""
    for step in plan:
        core.apply(step)
        core.observe(rgb=False)
    return len(task.still_possible(core.history, public)) == 1


def attribute_run(
    folder: Path, *, workers: int = 1, progress: Callable[[jobs.Progress], None] | None = None
) -> dict[str, Attribution]:
    """The reason of every episode of a run, by its key; kept in the run's folder, resumed there.

    Raises ``RecordError`` for a folder that does not hold a run.
    """
    instances, episodes = load_run(folder)
    units = [
        jobs.Unit(
            item.episode.key,
            {
                "instance": json.loads(item.instance.model_dump_json()),
                "episode": json.loads(item.episode.model_dump_json()),
            },
            group=item.instance.id,
        )
        for item in join(instances.instances(), episodes.episodes())
    ]
    with jobs.JsonlSink(folder / _FILE) as sink:
        jobs.run(
            units, "esi_fast.eval.attribution:explain", sink, workers=workers, progress=progress
        )
    return attributions(folder)


def attributions(folder: Path) -> dict[str, Attribution]:
    """What ``attribute_run`` has found so far, by the key of the episode; empty before it ran."""
    path = folder / _FILE
    if not path.exists():
        return {}
    with path.open(encoding="utf-8") as file:
        lines = [json.loads(line) for line in file if line.endswith("\n")]
    return {
        line["key"]: Attribution(line["value"]["reason"], tuple(line["value"]["way"]))
        for line in lines
        if "value" in line
    }


def explain(payload: Mapping[str, JsonDict]) -> JsonDict:
    """Work of ``jobs.run``: an episode and its instance."""
    instance: Instance = read_record(Instance, json.dumps(payload["instance"]))
    episode: EpisodeRecord = read_record(EpisodeRecord, json.dumps(payload["episode"]))
    item = Scored(episode, instance, is_correct(instance, episode))
    found = attribute(item, simulator(instance.backend))
    return {"reason": found.reason, "way": list(found.way)}


def reasons_table(folder: Path, found: Mapping[str, Attribution]) -> str:
    """How many answers of each task, paradigm and agent were wrong for which reason, as text."""
    instances, episodes = load_run(folder)
    groups: dict[tuple[str, str, str], Counter[str]] = {}
    for item in join(instances.instances(), episodes.episodes()):
        episode = item.episode
        reason = found[episode.key].reason if episode.key in found else "error"
        key = (episode.task, episode.paradigm, episode.agent)
        groups.setdefault(key, Counter())[reason] += 1
    head = ("task", "paradigm", "agent", "right", *REASONS)
    rows: list[tuple[str, ...]] = [head]
    for key, counts in sorted(groups.items()):
        rows.append((*key, *(str(counts[reason]) for reason in ("", *REASONS))))
    widths = [max(len(row[k]) for row in rows) for k in range(len(head))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if k < 3 else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
