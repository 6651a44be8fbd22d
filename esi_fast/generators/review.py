"""Many records verified, as they are and with faults put in: resumable, on any number of workers.

One line per record and fault goes to a file; ``Review`` counts them. The file says which records
failed and why, so that a release can be cleaned or a check be mended.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from esi_fast import jobs, registry
from esi_fast.dataset.store import Store
from esi_fast.generators.driver import simulator
from esi_fast.generators.faults import FAULTS
from esi_fast.generators.verify import AXES, verify
from esi_fast.records import Instance, read_record
from esi_fast.seeding import rng
from esi_fast.sim.base import Simulator
from esi_fast.types import JsonDict

__all__ = ["Review", "examine", "review"]


@dataclass
class Review:
    """Counts: records and what they failed, and for each fault how many were caught, and by what.

    ``failed`` counts by (task, check), ``caught`` by (fault, check) with "" for those that got
    away, ``errors`` are units that raised.
    """

    records: int = 0
    failed: Counter[tuple[str, str]] = field(default_factory=Counter)
    caught: Counter[tuple[str, str]] = field(default_factory=Counter)
    errors: dict[str, str] = field(default_factory=dict)

    @property
    def sound(self) -> bool:
        """Whether no record failed."""
        return not self.failed and not self.errors

    def lines(self) -> Iterator[str]:
        """The report, line by line."""
        bad = sum(self.failed.values())
        yield f"{self.records} records, {bad} failed"
        for (task, check), count in sorted(self.failed.items()):
            yield f"  {count:5d}  {AXES[check]:16s} {check:14s} {task}"
        for fault in FAULTS:
            by = {check: n for (name, check), n in self.caught.items() if name == fault}
            if by:
                total, away = sum(by.values()), by.pop("", 0)
                how = ", ".join(f"{check} {n}" for check, n in sorted(by.items()))
                share = 100.0 * (total - away) / total
                yield f"{fault:12s} {total - away:5d} of {total} caught ({share:.1f} %): {how}"
        for key, error in self.errors.items():
            yield f"  error  {key}: {error}"


def review(
    folder: Path,
    out: Path,
    *,
    faults: int = 0,
    seed: int = 0,
    workers: int = 1,
    backend: str = "embedded",
    progress: Callable[[jobs.Progress], None] | None = None,
) -> Review:
    """Verify every record of a store, and ``faults`` faulty ones of each kind; resumes at ``out``.

    Faulty records are made of the store's records in turn, each time with other numbers, until
    there are enough of a kind or four times as many have been tried (not every record can have
    every fault). Raises ``RecordError`` for a folder or file that is not what it should be.
    """
    registry.get("backend", backend)
    instances = sorted(Store(folder).instances(), key=lambda item: (item.index, item.task))
    found = Review()

    def run(names: Iterator[tuple[Instance, str, int]]) -> list[JsonDict]:
        units = [
            jobs.Unit(
                f"{fault or 'clean'}:{instance.id}:{turn}",
                {
                    "instance": json.loads(instance.model_dump_json()),
                    "fault": fault,
                    "turn": turn,
                    "seed": seed,
                    "backend": backend,
                },
                group=instance.task,
            )
            for instance, fault, turn in names
        ]
        with jobs.JsonlSink(out) as sink:
            jobs.run(
                units,
                "esi_fast.generators.review:examine",
                sink,
                workers=workers,
                progress=progress,
            )
        wanted = {unit.key for unit in units}
        return [line for line in _lines(out) if line["key"] in wanted]

    for line in run((instance, "", 0) for instance in instances):
        found.records += 1
        if "error" in line:
            found.errors[line["key"]] = line["error"]
        elif line["value"]["reason"]:
            found.failed[line["value"]["task"], line["value"]["reason"]] += 1
    for fault in FAULTS if faults and instances else ():
        made = turn = 0
        while made < faults and turn * len(instances) < 4 * faults + len(instances):
            missing = faults - made
            batch = [(instance, fault, turn) for instance in instances[:missing]]
            for line in run(iter(batch)):
                if "error" in line:
                    found.errors[line["key"]] = line["error"]
                elif line["value"]["made"]:
                    made += 1
                    found.caught[fault, line["value"]["reason"]] += 1
            # The next turn begins where this one ended.
            instances = instances[missing:] + instances[:missing]
            turn += 1
    return found


def _lines(path: Path) -> Iterator[JsonDict]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def examine(payload: JsonDict) -> JsonDict:
    """Work of ``jobs.run``: one record, with a fault put in where ``payload`` names one."""
    sim: Simulator = simulator(payload["backend"])
    instance: Instance | None = read_record(Instance, json.dumps(payload["instance"]))
    assert instance is not None
    task = instance.task
    if payload["fault"]:
        random = rng("fault", payload["fault"], payload["seed"], payload["turn"], instance.id)
        instance = FAULTS[payload["fault"]](instance, sim, random)
    if instance is None:
        return {"task": task, "made": False, "reason": "", "numbers": {}}
    verdict = verify(instance, sim)
    return {
        "task": task,
        "made": True,
        "reason": verdict.reason,
        "numbers": verdict.checks[-1].numbers,
    }
