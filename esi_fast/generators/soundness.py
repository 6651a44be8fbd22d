"""Does the observer lose an answer that some consistent world still gives?

Random episodes are played in drafts, and the label must stay possible throughout. And pairs of
worlds with different answers are made whose histories are equal: a draft and its twin
(``Task.twin``), looked at along the same actions as long as every mask edge of one history lies
within 2 px of the other's. Nobody who knows the history alone can tell such worlds apart, so both
answers must be in ``still_possible`` of both histories. An observer that peeked, or reasons
wrongly, fails.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from esi_fast import jobs, registry
from esi_fast.errors import PlacementRejected
from esi_fast.generators.base import Draft, Task, public_part
from esi_fast.generators.driver import make_instance, simulator
from esi_fast.generators.views import masks_gap, put
from esi_fast.records import ActionRecord, FrameRecord
from esi_fast.seeding import rng, seed_of
from esi_fast.sim.actions import passive_actions
from esi_fast.sim.base import Simulator
from esi_fast.types import JsonDict

__all__ = ["EQUAL_PX", "Pairs", "Proof", "alike", "pairs_of", "probe", "prove"]

# TASKS: histories that are equal within this many pixels tell nothing apart.
EQUAL_PX = 2.0
# Actions along which the two worlds are compared, at most.
WALK = 9
# Of a random episode every third view is asked about, and the last.
_STRIDE = 3


@dataclass
class Pairs:
    """What came of one draft: ``pairs`` of worlds with equal first views and other answers.

    ``episodes`` are random ones of the draft alone, one for each draw of a twin. ``frames`` sums
    up the lengths of the equal histories; ``without`` counts draws that gave no such pair, by
    reason; ``lost`` says where an answer was missing.
    """

    episodes: int = 0
    pairs: int = 0
    frames: int = 0
    without: dict[str, int] = field(default_factory=dict)
    lost: list[str] = field(default_factory=list)

    def _none(self, reason: str) -> None:
        self.without[reason] = self.without.get(reason, 0) + 1


def alike(one: FrameRecord, other: FrameRecord) -> bool:
    """Whether two frames show the same: pose, what the action did, and masks within 2 px."""
    if one.camera != other.camera or one.outcome != other.outcome:
        return False
    return masks_gap(one, other) <= EQUAL_PX


def pairs_of(
    task: Task,
    sim: Simulator,
    draft: Draft,
    walks: Sequence[Sequence[ActionRecord]],
    *,
    random: np.random.Generator,
) -> Pairs:
    """Compare the settled world of ``draft``, which ``sim`` holds, with a twin along each walk."""
    found = Pairs()
    token, snapshot, scene = sim.save(), sim.geometry(), sim.spec()
    label = task.label(snapshot, draft).answer
    public = public_part(draft.public, draft.question, scene, draft.nouns)
    for walk in walks:
        sim.restore(token)
        mine = _history(sim, draft, walk, None)
        found.episodes += 1
        for length in sorted({*range(1, len(mine), _STRIDE), len(mine)}):
            kept = task.still_possible(mine[:length], public)
            if label not in kept:
                found.lost.append(f"{length} frames of a random episode: {sorted(kept)}")
        sim.restore(token)
        objects = task.twin(snapshot, draft, random)
        if objects is None:
            found._none("no twin")
            continue
        other = put(sim, draft, objects)
        try:
            answer = task.label(sim.geometry(), other).answer
        except PlacementRejected as rejection:
            found._none(rejection.reason)
            continue
        if answer == label:
            found._none("same answer")
            continue
        theirs = _history(sim, other, walk, mine)
        if not theirs:
            found._none("other first view")
            continue
        found.pairs += 1
        found.frames += len(theirs)
        for length in sorted({1, len(theirs)}):
            for history in (mine[:length], theirs[:length]):
                kept = task.still_possible(history, public)
                if not {label, answer} <= kept:
                    found.lost.append(
                        f"{length} frames, worlds {label!r} and {answer!r}: {sorted(kept)}"
                    )
    sim.restore(token)
    return found


def _history(
    sim: Simulator,
    draft: Draft,
    walk: Sequence[ActionRecord],
    like: Sequence[FrameRecord] | None,
) -> tuple[FrameRecord, ...]:
    """The frames along ``walk``, as far as they are ``like`` those of another world."""
    core = draft.core(sim)
    for k in range(len(walk) + 1):
        if like is not None and k == len(like):
            break
        if k:
            core.apply(walk[k - 1])
        frame = core.observe(rgb=False).record
        if like is not None and not alike(frame, like[k]):
            return core.history[:k]
    return core.history


def probe(payload: JsonDict) -> JsonDict:
    """Work of ``jobs.run``: ``task``, ``index``, ``seed``, ``backend``, ``twins``."""
    sim: Simulator = simulator(payload["backend"])
    task_id, index, seed = payload["task"], int(payload["index"]), int(payload["seed"])
    made = make_instance(task_id, index, seed, sim, oracle=False)
    if made.draft is None:
        return {"episodes": 0, "pairs": 0, "frames": 0, "without": {"no draft": 1}, "lost": []}
    task: Task = registry.get("task", task_id)()
    walks = [
        passive_actions(seed_of("soundness", task_id, seed, index, k) % 2**31, WALK)
        for k in range(int(payload["twins"]))
    ]
    found = pairs_of(task, sim, made.draft, walks, random=rng("twins", task_id, seed, index))
    return {
        "episodes": found.episodes,
        "pairs": found.pairs,
        "frames": found.frames,
        "without": found.without,
        "lost": found.lost,
    }


@dataclass
class Proof:
    """What came of one task: counts over its drafts, as in ``Pairs``, and units that raised."""

    task: str
    drafts: int = 0
    episodes: int = 0
    pairs: int = 0
    frames: int = 0
    without: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Whether no pair was told apart, and there were pairs at all."""
        return self.pairs > 0 and not self.lost and not self.errors

    def __str__(self) -> str:
        mean = self.frames / max(self.pairs, 1)
        reasons = ", ".join(f"{reason} {n}" for reason, n in self.without.most_common())
        text = (
            f"{self.task}: {self.episodes} random episodes, {self.pairs} pairs from {self.drafts} "
            f"drafts, equal for {mean:.1f} frames; answers lost in {len(self.lost)}"
        )
        return text + (f" (draws without a pair: {reasons})" if reasons else "")


def prove(
    tasks: Collection[str],
    out: Path,
    *,
    pairs: int,
    twins: int = 5,
    seed: int = 0,
    workers: int = 1,
    backend: str = "embedded",
) -> list[Proof]:
    """Compare at least ``pairs`` pairs of worlds for each task; resumes at the file ``out``.

    Stops at as many drafts as pairs were asked for: a task whose twins are that rare has too few.
    Raises ``UnknownName`` for a task or backend that is not registered.
    """
    for name in (*tasks,):
        registry.get("task", name)
    registry.get("backend", backend)
    return [_prove_task(task, out, pairs, twins, seed, workers, backend) for task in tasks]


def _prove_task(
    task: str, out: Path, pairs: int, twins: int, seed: int, workers: int, backend: str
) -> Proof:
    proof = Proof(task)
    while proof.pairs < pairs and proof.drafts < pairs:
        # As many drafts as would do at the rate so far, an even number of them.
        rate = proof.pairs / proof.drafts if proof.drafts else float(twins)
        more = int((pairs - proof.pairs) / max(rate, 0.1)) // 2 * 2 + 2
        indices = range(proof.drafts, min(proof.drafts + more, pairs + pairs % 2))
        payload = {"task": task, "seed": seed, "backend": backend, "twins": twins}
        units = [
            jobs.Unit(
                f"{task}:{seed}:{twins}:{index}",
                {**payload, "index": index},
                group=str(index // 16),
            )
            for index in indices
        ]
        with jobs.JsonlSink(out) as sink:
            jobs.run(units, "esi_fast.generators.soundness:probe", sink, workers=workers)
        wanted = {unit.key for unit in units}
        with out.open(encoding="utf-8") as file:
            for line in map(json.loads, file):
                if line["key"] in wanted:
                    _count(proof, line)
        proof.drafts += len(units)
    return proof


def _count(proof: Proof, line: JsonDict) -> None:
    if "error" in line:
        proof.errors.append(f"{line['key']}: {line['error']}")
        return
    value = line["value"]
    proof.episodes += value["episodes"]
    proof.pairs += value["pairs"]
    proof.frames += value["frames"]
    proof.without.update(value["without"])
    proof.lost.extend(f"{line['key']}: {text}" for text in value["lost"])
