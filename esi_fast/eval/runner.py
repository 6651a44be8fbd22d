"""Runs agents on instances: every instance x paradigm x agent is one episode, stored once.

The work goes through ``jobs``: it may be killed at any instant, and the same call then finishes
it with the bytes of an undisturbed run. An episode that fails to run is stored too, with
``stop_reason="error"``; it stops nothing and stays in every denominator.

The folder of a run holds ``episodes/``, a store with their pictures, and ``instances/``, a store
of the instances that were played (without the pictures of their own), so that it can be scored
and reported on wherever it is moved.
"""

from __future__ import annotations

import hashlib
import importlib
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, NamedTuple

from esi_fast import jobs, registry
from esi_fast.dataset.store import Store, StoreWriter, encode_png, write_blob
from esi_fast.errors import RecordError
from esi_fast.eval.agents import check_agent, make_agent
from esi_fast.eval.paradigms import BUDGET, PARADIGMS, Stage
from esi_fast.records import EpisodeRecord, Instance, canonical_json, read_record
from esi_fast.seeding import seed_of, short_hash
from esi_fast.sim.base import Simulator
from esi_fast.types import JsonDict, UInt8Array

__all__ = ["RunSettings", "instance_hash", "load_run", "play_unit", "run"]

# How invalid replies and the history are handled; part of every record.
_POLICIES = {"history": "all_views", "invalid_reply": "ask_once_more_then_spend_the_step"}


@dataclass(frozen=True)
class RunSettings:
    """What is run. ``backend`` is each instance's own where it is empty.

    ``imports`` are modules that every process imports first: where agents, tasks and backends of
    your own register themselves.
    """

    agents: tuple[str, ...]
    paradigms: tuple[str, ...] = tuple(PARADIGMS)
    name: str = "run"
    seed: int = 0
    budget: int = BUDGET
    backend: str = ""
    imports: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for module in self.imports:
            importlib.import_module(module)
        for agent in self.agents:
            check_agent(agent)
        for paradigm in self.paradigms:
            if paradigm not in PARADIGMS:
                raise ValueError(
                    f"paradigms: expected some of {', '.join(PARADIGMS)}, got {paradigm!r}"
                )
        for names in (self.agents, self.paradigms):
            if not names or len(set(names)) < len(names):
                raise ValueError(f"agents, paradigms: expected at least one, each once: {names}")
        if self.budget < 0:
            raise ValueError(f"budget: expected at least 0, got {self.budget}")


def instance_hash(instance: Instance) -> str:
    """SHA-256 of the instance's canonical JSON: episodes name exactly what they were played on."""
    return hashlib.sha256(canonical_json(instance).encode()).hexdigest()


class _Place(NamedTuple):
    """Where an instance lies: a line of a file."""

    file: str
    offset: int


def run(
    instances: str | Path,
    out: str | Path,
    *,
    agents: Sequence[str],
    paradigms: Sequence[str] | None = None,
    name: str = "run",
    seed: int = 0,
    budget: int = BUDGET,
    backend: str = "",
    imports: Sequence[str] = (),
    limit: int | None = None,
    workers: int = 1,
    progress: Callable[[jobs.Progress], None] | None = None,
) -> jobs.Summary:
    """Play the episodes that the folder ``out`` does not hold yet.

    ``instances`` is a store of instances, of which the first ``limit`` are played; ``paradigms``
    are all four by default; for the other settings see ``RunSettings``. Episodes are ordered by
    instance, paradigm, agent, so that one worker plays all of an instance with its scene loaded
    once. Timings go to the sidecar of the store.

    Raises ``RecordError`` for a store that cannot be read or written or that holds another run,
    ``ValueError`` or ``UnknownName`` for wrong settings.
    """
    settings = RunSettings(
        agents=tuple(agents),
        paradigms=tuple(PARADIGMS if paradigms is None else paradigms),
        name=name,
        seed=seed,
        budget=budget,
        backend=backend,
        imports=tuple(imports),
    )
    out = Path(out)
    meta = {"run": name, "seed": str(seed), "budget": str(budget), "backend": backend}
    units: list[jobs.Unit] = []
    blank: dict[str, EpisodeRecord] = {}
    found = _instances(Path(instances), limit)
    with StoreWriter(out / "episodes", EpisodeRecord, meta=meta) as writer:
        with StoreWriter(out / "instances", Instance, meta=meta) as copies:
            done = copies.done()
            for place, instance in found:
                if instance.id not in done:
                    copies.add(instance.model_copy(update={"images": {}}))
                for record in _blanks(instance, settings):
                    blank[record.key] = record
                    payload = {
                        "file": place.file,
                        "offset": place.offset,
                        "out": str(writer.root.resolve()),
                        "backend": backend or instance.backend,
                        "seed": seed,
                        "imports": settings.imports,
                        "record": record.model_dump(mode="json"),
                    }
                    units.append(jobs.Unit(record.key, payload, group=instance.id))
        summary = jobs.run(
            units,
            play_unit,
            _Sink(writer, blank),
            workers=workers,
            on_error="record",
            progress=progress,
        )
        # A kill or a failed episode may leave pictures that no record names.
        writer.prune()
    return summary


def load_run(out: str | Path) -> tuple[Store, Store]:
    """The stores of instances and of episodes in the folder of a run.

    Raises ``RecordError`` for a folder that does not hold a run.
    """
    out = Path(out)
    return Store(out / "instances"), Store(out / "episodes")


def _instances(root: Path, limit: int | None) -> list[tuple[_Place, Instance]]:
    """The instances of a store with where they lie; raises the first bad row there is."""
    store = Store(root)
    if store.kind != "Instance":
        raise RecordError(f"{root}: holds {store.kind}, not Instance records")
    found: list[tuple[_Place, Instance]] = []
    for path in sorted(root.glob("records-*.jsonl")):
        offset = 0
        with path.open("rb") as file:
            for row, line in enumerate(file, start=1):
                if limit is not None and len(found) >= limit:
                    return found
                if line.endswith(b"\n"):
                    instance = read_record(Instance, line.decode(), where=f"{path}:{row}")
                    found.append((_Place(str(path.resolve()), offset), instance))
                offset += len(line)
    return found


def _blanks(instance: Instance, settings: RunSettings) -> Iterator[EpisodeRecord]:
    """The records of an instance's episodes before they are played."""
    digest = instance_hash(instance)
    backend = settings.backend or instance.backend
    for paradigm in settings.paradigms:
        budget = settings.budget if PARADIGMS[paradigm].active else 0
        # What makes another episode of the same instance, paradigm and agent.
        mark = short_hash("episode", settings.name, digest, settings.seed, budget, backend)
        for agent in settings.agents:
            yield EpisodeRecord(
                key=f"{instance.id}.{paradigm}.{agent}.{mark}",
                run=settings.name,
                instance=instance.id,
                instance_hash=digest,
                task=instance.task,
                paradigm=paradigm,
                agent=agent,
                budget=budget,
                policies=_POLICIES,
                stop_reason="error",
                error="not played",
            )


class _Sink:
    """Stores what the workers give; a unit that failed becomes an episode that says so."""

    def __init__(self, writer: StoreWriter, blank: Mapping[str, EpisodeRecord]) -> None:
        self._writer = writer
        self._blank = blank

    def done(self) -> Collection[str]:
        return self._writer.done()

    def write(self, result: jobs.Result) -> None:
        if not result.ok:
            self._writer.add(self._blank[result.key].model_copy(update={"error": result.error}))
            return
        record = EpisodeRecord.model_validate(result.value["record"])
        costs = {"seconds": result.value["seconds"], **result.value["costs"]}
        self._writer.note(result.key, costs)
        self._writer.add(record)


# --- in a worker ---------------------------------------------------------------------------------


class _Loaded:
    """The one stage of this process; units of an instance follow each other."""

    key: tuple[str, ...] = ()
    stage: Stage | None = None
    simulators: ClassVar[dict[str, Simulator]] = {}


def play_unit(payload: JsonDict) -> JsonDict:
    """Play one episode: the work of a ``jobs`` unit."""
    begun = time.perf_counter()
    for module in payload["imports"]:
        importlib.import_module(module)
    record = EpisodeRecord.model_validate(payload["record"])
    stage = _stage(payload, record)
    seed = seed_of("agent", payload["seed"], record.instance, record.paradigm, record.agent)
    agent = make_agent(record.agent, seed=seed)
    played = stage.play(agent, PARADIGMS[record.paradigm], budget=record.budget)
    done = record.model_copy(
        update={
            # Of a model: which one replied, to which prompt, shown how much.
            **getattr(agent, "identity", {}),
            "policies": {**record.policies, **getattr(agent, "policies", {})},
            "steps": played.steps,
            "answer": played.answer,
            "answer_confidence": played.confidence,
            "stop_reason": played.stop_reason,
            "error": "",
        }
    )
    return {
        "record": done.model_dump(mode="json"),
        "seconds": round(time.perf_counter() - begun, 4),
        "costs": getattr(agent, "costs", {}),
    }


def _stage(payload: JsonDict, record: EpisodeRecord) -> Stage:
    key = (payload["out"], payload["backend"], record.instance, record.instance_hash)
    if _Loaded.stage is None or _Loaded.key != key:
        _Loaded.stage = None
        instance = _read(Path(payload["file"]), payload["offset"])
        if instance_hash(instance) != record.instance_hash:
            raise RecordError(f"{payload['file']}: changed while it was run")
        name = payload["backend"]
        if name not in _Loaded.simulators:
            _Loaded.simulators[name] = registry.get("backend", name)()
        out = Path(payload["out"])

        def keep(image: UInt8Array) -> str:
            return write_blob(out, encode_png(image))

        _Loaded.stage = Stage(instance, _Loaded.simulators[name], keep=keep)
        _Loaded.key = key
    return _Loaded.stage


def _read(file: Path, offset: int) -> Instance:
    with file.open("rb") as stream:
        stream.seek(offset)
        instance: Instance = read_record(Instance, stream.readline().decode(), where=file)
    return instance
