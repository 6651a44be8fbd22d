"""From a task, an index and a seed to an instance; from a number of pairs to a stored release.

Indices 2k and 2k + 1 are a pair: the same categories and room, different answers. Which member
gets which answer is drawn per pair, so neither index nor order tells it. An instance is a pure
function of (task, index, seed): any number of workers makes the same bytes. Rejections are
counted by reason; anything that is not a rejection is a bug and stops the run.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import numpy as np

from esi_fast import jobs, registry
from esi_fast.assets import houses
from esi_fast.dataset.store import StoreWriter, encode_png, write_blob
from esi_fast.errors import EsiError, PlacementRejected, SceneUnsuitable
from esi_fast.generators import checks
from esi_fast.generators.base import Draft, Task, World, public_part
from esi_fast.generators.oracle import Oracle, find_oracle
from esi_fast.generators.rooms import with_reach
from esi_fast.records import Instance, SceneSpec, canonical_json, read_record
from esi_fast.seeding import rng, seed_of, short_hash
from esi_fast.sim.actions import passive_actions
from esi_fast.sim.base import Simulator
from esi_fast.sim.episode import core_of
from esi_fast.types import JsonDict, UInt8Array

__all__ = [
    "Made",
    "Summary",
    "generate",
    "home_of",
    "make_instance",
    "make_pair",
    "simulator",
    "want_of",
]

MAX_ATTEMPTS = 80
# Pairs that share a house: loading one costs more than a question in it.
PAIRS_PER_HOUSE = 8


@dataclass
class Made:
    """An instance (or none after ``MAX_ATTEMPTS``), its pictures by name, and the rejections.

    ``draft`` is what the instance was made of; the simulator holds its world until the next call.
    ``attempts`` counts drafts, ``seconds`` sums up where the time went, by stage.
    """

    instance: Instance | None
    draft: Draft | None = None
    images: dict[str, UInt8Array] = field(default_factory=dict)
    rejections: Counter[str] = field(default_factory=Counter)
    attempts: int = 0
    seconds: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time of a block to a stage."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] += time.perf_counter() - start  # type: ignore[assignment]


def want_of(task: Task, task_id: str, index: int, seed: int) -> str:
    """The answer that an index is to have: each pair draws two different ones."""
    order = rng("answers", task_id, seed, index // 2).permutation(len(task.answers))
    return task.answers[int(order[index % 2])]


def home_of(sim: Simulator, task_id: str, index: int, seed: int) -> SceneSpec:
    """Puts the settled house of an index, without question objects, into the simulator."""
    number = index // (2 * PAIRS_PER_HOUSE)
    house_seed = seed_of("house", task_id, seed, number) % 2**31
    counts = registry.get("task", task_id).house_rooms
    scene, token = _settled_house(sim, house_seed, counts[number % len(counts)])
    sim.restore(token)
    return scene


@lru_cache(maxsize=4)
def _settled_house(sim: Simulator, house_seed: int, rooms: int) -> tuple[SceneSpec, object]:
    """A settled house and its saved state: restoring it is cheaper than loading it again.

    What has settled is fixed there. No question asks to move the furniture, and a single vase
    that rocks on would keep every question in the house from coming to rest.
    """
    sim.load(houses.house("procedural", house_seed, rooms=rooms))
    sim.settle()
    spec = sim.spec()
    sim.load(
        spec.with_objects(tuple(obj.model_copy(update={"fixed": True}) for obj in spec.objects))
    )
    return sim.spec(), sim.save()


def make_instance(
    task_id: str,
    index: int,
    seed: int,
    sim: Simulator,
    *,
    oracle: bool = True,
    pictures: bool = True,
) -> Made:
    """Make the instance of an index.

    Without ``oracle`` none is searched for: the label is proved, the question may not be
    answerable, and there are no pictures.

    Raises ``UnknownName`` for a task that is not registered, ``ValueError`` for a negative index
    or a backend that lacks what the task requires.
    """
    if index < 0:
        raise ValueError(f"index: expected 0 or more, got {index}")
    task: Task = registry.get("task", task_id)()
    lacking = task.requires - sim.capabilities
    if lacking:
        names = ", ".join(sorted(c.value for c in lacking))
        raise ValueError(f"sim: backend {sim.name!r} lacks {names}, which {task_id} requires")
    made = Made(None)
    want = want_of(task, task_id, index, seed)
    with made.stage("house"):
        scene = home_of(sim, task_id, index, seed)
        empty = sim.save()
        home = sim.geometry()
    for attempt in range(MAX_ATTEMPTS):
        made.attempts += 1
        world = World(
            sim=sim,
            scene=scene,
            home=home,
            pair_rng=lambda purpose: rng("pair", task_id, seed, index // 2, purpose),
            rng=rng("attempt", task_id, seed, index, attempt),
        )
        added = False
        try:
            with made.stage("build"):
                draft = task.build(world, want)
            added = True
            with made.stage("add"):
                sim.add(draft.objects)
                for object_id, states in draft.states.items():
                    for key, value in states.items():
                        sim.set_state(object_id, key, value)
            instance = _prove(task_id, task, world, draft, index, seed, made, oracle=oracle)
            if oracle:
                with made.stage("pictures"):
                    instance, made.images = _look(sim, instance, draft, pictures=pictures)
            made.instance, made.draft = instance, draft
            return made
        except SceneUnsuitable as rejection:
            made.rejections[rejection.reason] += 1
            break
        except PlacementRejected as rejection:
            made.rejections[rejection.reason] += 1
        finally:
            if added and made.instance is None:
                sim.restore(empty)
                home = sim.geometry()
    return made


def _prove(
    task_id: str,
    task: Task,
    world: World,
    draft: Draft,
    index: int,
    seed: int,
    made: Made,
    *,
    oracle: bool,
) -> Instance:
    """Settle, measure, confirm and check a draft; the instance if all holds."""
    sim = world.sim
    with made.stage("settle"):
        done = [checks.require(checks.at_rest(sim.settle()))]
        snapshot = sim.geometry()
    done.append(checks.require(checks.settled(snapshot, draft)))
    with made.stage("label"):
        label = task.label(snapshot, draft)
    if label.answer != draft.want:
        raise PlacementRejected("label_differs", wanted=draft.want, label=label.answer)
    with made.stage("witness"):
        witness = task.witness(sim, snapshot, draft)
    if witness.answer != label.answer:
        raise PlacementRejected(
            "witness_disagrees",
            label=label.answer,
            witness=witness.answer,
            **{f"label_{k}": v for k, v in label.numbers.items()},
            **{f"witness_{k}": v for k, v in witness.numbers.items()},
        )
    scene = sim.spec()
    if draft.states:
        scene = with_reach(scene, snapshot)
    public = public_part(draft.public, draft.question, scene, draft.nouns)
    with made.stage("view 0"):
        first = draft.core(sim).observe(rgb=False).record
        done.append(checks.require(checks.not_trivial(task, first, public, label.answer)))
    with made.stage("checks"):
        done.extend(checks.require(check) for check in task.checks(world, snapshot, draft))
    found = Oracle((), ())
    if oracle:
        with made.stage("oracle"):
            found = find_oracle(sim, task, draft, public, label.answer)
    identity = short_hash("instance", task_id, seed, index, length=16)
    return Instance(
        id=identity,
        task=task_id,
        task_version=task.version,
        index=index,
        seed=seed,
        backend=sim.name,
        backend_version=sim.version,
        approximations=sim.approximations,
        # The scene's name is a hash too: names of objects' handles are drawn from it.
        scene=scene.model_copy(update={"name": f"scene-{identity}"}),
        question=draft.question,
        answer=label.answer,
        label=label,
        witness=witness,
        public=draft.public,
        initial_camera=draft.camera,
        context_cameras=draft.context_cameras,
        context_labels=draft.context_labels,
        nouns=dict(draft.nouns),
        targets={
            obj.id: (obj.category, obj.model)
            for obj in scene.objects
            if obj.id in draft.targets or any(obj.id == own.id for own in draft.objects)
        },
        hide=draft.hide,
        passive_actions=passive_actions(seed_of("passive", task_id, seed, index) % 2**31),
        oracle_actions=found.actions,
        oracle_possible=found.possible,
        checks=tuple(done),
    )


def _look(
    sim: Simulator, instance: Instance, draft: Draft, *, pictures: bool
) -> tuple[Instance, dict[str, UInt8Array]]:
    """The views of the oracle trajectory and the context: pixels of each object, and pictures.

    Pictures have the names that the record uses: ``view_0``, ``oracle_1`` ..., ``context_0`` ...
    """
    rows, images = [], {}
    # The context shows the world before anything was done to it.
    for k, camera in enumerate(instance.context_cameras if pictures else ()):
        rgb = sim.render([camera], ("rgb",), hide=instance.hide)[0].rgb
        if rgb is None:
            raise RuntimeError("render: asked for rgb, got none")
        images[f"context_{k}"] = rgb
    core = core_of(sim, instance)
    for step in range(len(instance.oracle_actions) + 1):
        if step:
            core.apply(instance.oracle_actions[step - 1])
        frame, snapshot = core.observe(rgb=pictures).frame, sim.geometry()
        if frame.ids is None or (pictures and frame.rgb is None):
            raise RuntimeError("render: asked for ids and rgb, got none")
        rows.append(
            {
                name: int(np.count_nonzero(frame.ids == snapshot.index(name)))
                for name in draft.targets
            }
        )
        if frame.rgb is not None:
            images["view_0" if step == 0 else f"oracle_{step}"] = frame.rgb
    return instance.model_copy(update={"visibility": tuple(rows)}), images


# --- pairs, in worker processes ------------------------------------------------------------------


@lru_cache(maxsize=1)
def simulator(backend: str) -> Simulator:
    """The one simulator of this process for a backend: what it has loaded stays loaded."""
    made: Simulator = registry.get("backend", backend)()
    return made


def make_pair(payload: JsonDict) -> JsonDict:
    """Work of ``jobs.run``: both members of a pair, pictures stored, or the reasons why not.

    ``payload``: ``task``, ``pair``, ``seed``, ``backend``, ``folder``, ``oracle``, ``pictures``.
    """
    sim = simulator(payload["backend"])
    rejections: Counter[str] = Counter()
    seconds: Counter[str] = Counter()
    attempts = 0
    instances: list[JsonDict] = []
    for member in (0, 1):
        made = make_instance(
            payload["task"],
            2 * int(payload["pair"]) + member,
            int(payload["seed"]),
            sim,
            oracle=bool(payload["oracle"]),
            pictures=bool(payload["pictures"]),
        )
        rejections.update(made.rejections)
        seconds.update(made.seconds)
        attempts += made.attempts
        if made.instance is None:
            instances = []
            break
        names = {
            name: write_blob(payload["folder"], encode_png(image))
            for name, image in made.images.items()
        }
        instance = made.instance.model_copy(update={"images": names})
        instances.append(json.loads(canonical_json(instance)))
    return {
        "instances": instances,
        "rejections": dict(sorted(rejections.items())),
        "attempts": attempts,
        "seconds": dict(seconds),
    }


@dataclass
class Summary:
    """What a ``generate`` call did for one task.

    ``attempts``, ``rejections`` and ``seconds`` (of the workers, by stage) are of this call alone.
    """

    task: str
    instances: int
    pairs_tried: int
    duplicates: int
    rejections: Counter[str]
    attempts: int
    seconds: Counter[str]


class _PairSink:
    """Takes pairs in order: both members or neither, no duplicates."""

    def __init__(self, writer: StoreWriter, task: str, known: Mapping[int, list[Instance]]) -> None:
        self._writer = writer
        self._task = task
        self.pairs = {pair for pair, members in known.items() if len(members) == 2}
        self._signatures = {_signature(i) for members in known.values() for i in members}
        self._stored = {i.id for members in known.values() for i in members}
        self._failed = {
            key.removeprefix(f"{task}:") for key in writer.failures if key.startswith(f"{task}:")
        }
        self.rejections: Counter[str] = Counter()
        self.seconds: Counter[str] = Counter()
        self.attempts = 0
        self.duplicates = 0

    def done(self) -> Collection[str]:
        return {str(pair) for pair in self.pairs} | self._failed

    def write(self, result: jobs.Result) -> None:
        if not result.ok:
            self._fail(result.key, result.error)
            return
        self.rejections.update(result.value["rejections"])
        self.seconds.update(result.value["seconds"])
        self.attempts += result.value["attempts"]
        self._writer.note(f"{self._task}:{result.key}", {"rejections": result.value["rejections"]})
        members = [
            read_record(Instance, json.dumps(data), where=f"pair {result.key}")
            for data in result.value["instances"]
        ]
        if len(members) < 2:
            counts = Counter(result.value["rejections"])
            reasons = ", ".join(f"{k} {v}" for k, v in counts.most_common(3))
            self._fail(result.key, f"no pair after {MAX_ATTEMPTS} attempts: {reasons}")
            return
        new = [member for member in members if member.id not in self._stored]
        if any(_signature(member) in self._signatures for member in new):
            self.duplicates += 1
            self._fail(result.key, "duplicate")
            return
        for member in new:
            self._writer.add(member)
            self._stored.add(member.id)
            self._signatures.add(_signature(member))
        self.pairs.add(int(result.key))

    def _fail(self, key: str, error: str) -> None:
        self._writer.fail(f"{self._task}:{key}", error)
        self._failed.add(key)


def _signature(instance: Instance) -> str:
    """Equal for questions that a reader would call the same."""
    objects = sorted(
        (obj.category, obj.model, *(round(v, 2) for v in obj.position))
        for obj in instance.scene.objects
        if obj.role in ("question", "mirror")
    )
    camera = [round(v, 2) for v in instance.initial_camera.position]
    return json.dumps([instance.task, instance.question.text, instance.answer, objects, camera])


def generate(
    tasks: Collection[str],
    folder: Path,
    *,
    count: int,
    seed: int = 0,
    workers: int = 1,
    backend: str = "embedded",
    oracle: bool = True,
    pictures: bool = True,
    engine: jobs.Engine = "processes",
    progress: Callable[[str, jobs.Progress], None] | None = None,
) -> list[Summary]:
    """Fill ``folder`` with ``count`` instances (an even number) of each task; resumes.

    Pairs that cannot be made, and duplicates, are replaced by the next indices. ``oracle`` and
    ``pictures`` are those of ``make_instance``, ``engine`` that of ``jobs.run``. Raises
    ``EsiError`` when a task yields no further pair, ``RecordError`` for an unusable folder.
    """
    if count < 2 or count % 2:
        raise ValueError(f"count: expected an even number of at least 2, got {count}")
    for task in tasks:
        registry.get("task", task)
    registry.get("backend", backend)
    summaries = []
    meta = {
        "seed": str(seed),
        "backend": backend,
        "oracle": str(oracle),
        "pictures": str(pictures),
    }
    with StoreWriter(folder, Instance, meta=meta) as writer:
        known = _known_pairs(folder)
        for task in tasks:
            sink = _PairSink(writer, task, known.get(task, {}))
            tried = 0
            while len(sink.pairs) < count // 2:
                missing = count // 2 - len(sink.pairs)
                if tried > 4 * (count // 2) + 16:
                    reasons = Counter(sink.rejections)
                    if sink.duplicates:
                        reasons["duplicate"] += sink.duplicates
                    top = ", ".join(f"{k} {v}" for k, v in reasons.most_common(5))
                    raise EsiError(
                        f"{task}: only {len(sink.pairs)} of {count // 2} pairs in {tried} tries; "
                        f"why not more: {top or 'failed before this call (failures.jsonl)'}"
                    )
                pairs = range(tried, tried + missing)
                units = [
                    jobs.Unit(
                        str(pair),
                        {
                            "task": task,
                            "pair": pair,
                            "seed": seed,
                            "backend": backend,
                            "folder": str(folder),
                            "oracle": oracle,
                            "pictures": pictures,
                        },
                        group=f"house-{pair // PAIRS_PER_HOUSE}",
                    )
                    for pair in pairs
                ]
                jobs.run(
                    units,
                    "esi_fast.generators.driver:make_pair",
                    sink,
                    workers=workers,
                    engine=engine,
                    progress=None if progress is None else _named(progress, task),
                )
                tried += missing
            summaries.append(
                Summary(
                    task,
                    2 * len(sink.pairs),
                    tried,
                    sink.duplicates,
                    sink.rejections,
                    sink.attempts,
                    sink.seconds,
                )
            )
    return summaries


def _named(
    progress: Callable[[str, jobs.Progress], None], task: str
) -> Callable[[jobs.Progress], None]:
    return lambda update: progress(task, update)


def _known_pairs(folder: Path) -> dict[str, dict[int, list[Instance]]]:
    from esi_fast.dataset.store import Store

    known: dict[str, dict[int, list[Instance]]] = {}
    if (folder / "manifest.json").exists():
        for instance in Store(folder).instances():
            pairs = known.setdefault(instance.task, {})
            pairs.setdefault(instance.index // 2, []).append(instance)
    return known
