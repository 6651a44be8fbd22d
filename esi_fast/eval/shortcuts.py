"""Can a question be answered without looking, or without acting? Classifiers that try (H.3).

Three of them are trained on other questions of the same task and asked for the answer:

* ``question``: words, word pairs and the order of the options;
* ``metadata``: beside these the categories and models, the sizes of their boxes, the identity, the
  first camera's lens and height, and every number that the record makes public;
* ``view 0``: beside these where and how large each thing is in the first view, in which colours,
  and the picture itself on a coarse grid.

The first two should not beat chance. Accuracy is that on held-out pairs (five folds, pairs whole,
so that what the members share cannot tell), of the better of a linear model and boosted trees,
with the upper end of its 95 % Wilson interval.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from esi_fast import assets, jobs
from esi_fast.dataset.store import Store
from esi_fast.errors import BackendUnavailable
from esi_fast.eval.metrics import wilson_interval
from esi_fast.generators import pick
from esi_fast.generators.driver import simulator
from esi_fast.records import Instance, read_record
from esi_fast.sim.actions import camera_angles
from esi_fast.sim.episode import core_of
from esi_fast.types import FloatArray, JsonDict

__all__ = ["KINDS", "Shortcut", "answer_entropy", "features", "look", "shortcuts"]

KINDS = ("question", "metadata", "view 0")
FOLDS = 5
# The first view is looked at with this many pixels on a side, and kept as squares of such.
SIDE, GRID = 128, 8

Features = dict[str, float]


class Shortcut(NamedTuple):
    """What one kind of classifier gets right on one task's held-out questions.

    ``chance`` is one over the number of different answers, ``entropy`` that of the answers, as a
    share of the most it could be.
    """

    task: str
    kind: str
    n: int
    chance: float
    entropy: float
    accuracy: float
    upper: float

    @property
    def excess(self) -> float:
        """Points (of 100) by which the upper bound exceeds chance."""
        return 100.0 * (self.upper - self.chance)


def answer_entropy(answers: Sequence[str], options: int) -> float:
    """Entropy of the answers over that of ``options`` equally frequent ones (appendix H.3)."""
    counts = np.array(list(Counter(answers).values()), dtype=float)
    share = counts / counts.sum()
    return float(-(share * np.log(share)).sum() / np.log(options)) if options > 1 else 1.0


def features(instance: Instance, kind: str) -> Features:
    """What a classifier of a kind knows by name, but for the pixels of ``look``."""
    found: Features = {}
    words = re.findall(r"[a-z0-9']+", instance.question.text.lower())
    for word in words:
        found[f"word {word}"] = 1.0
    for pair in pairwise(words):
        found[f"words {' '.join(pair)}"] = 1.0
    found["length"] = float(len(words))
    for place, option in enumerate(instance.question.options):
        found[f"option {place} {option}"] = 1.0
    if kind == "question":
        return found
    things = {obj.id: obj for obj in instance.scene.objects}
    for name, (category, model) in instance.targets.items():
        size = np.asarray(assets.get(category, model).size) * things[name].scale
        for role in (name, "any"):
            found[f"{role} is {category}"] = 1.0
            found[f"{role} is {category}/{model}"] = 1.0
        for axis, extent in zip("xyz", size, strict=True):
            found[f"{name} size {axis}"] = float(extent)
            found[f"{category} size {axis}"] = float(extent)
        found[f"{name} volume"] = float(size.prod())
    for place, digit in enumerate(instance.id[:16]):
        found[f"id {place}"] = float(int(digit, 16)) if digit in "0123456789abcdef" else -1.0
    camera = instance.initial_camera
    found["field of view"] = camera.vfov_deg
    found["camera height"] = camera.position[2]
    found["camera pitch"] = camera_angles(camera)[1]
    for key, value in _numbers(instance.public, "public"):
        found[key] = value
    return found


def _numbers(value: Any, path: str) -> Iterator[tuple[str, float]]:
    """Every number in plain data, by its path; words count as being there."""
    if isinstance(value, dict):
        for key, inner in sorted(value.items()):
            yield from _numbers(inner, f"{path}.{key}")
    elif isinstance(value, list | tuple):
        yield f"{path}.count", float(len(value))
        for place, inner in enumerate(value[:64]):
            yield from _numbers(inner, f"{path}.{place}")
    elif isinstance(value, bool | int | float):
        yield path, float(value)
    elif isinstance(value, str):
        yield f"{path} is {value}", 1.0


def look(payload: JsonDict) -> JsonDict:
    """Work of ``jobs.run``: what the first view of ``payload["instance"]`` shows, by name."""
    instance: Instance = read_record(Instance, json.dumps(payload["instance"]))
    sim = simulator(payload["backend"])
    sim.load(instance.scene)
    small = instance.initial_camera.model_copy(update={"width": SIDE, "height": SIDE})
    view = core_of(sim, instance.model_copy(update={"initial_camera": small})).observe()
    rgb, seen = view.frame.rgb, view.frame.seen_ids
    if rgb is None or seen is None:
        raise RuntimeError("render: asked for rgb and seen_ids, got none")
    found: Features = {}
    snapshot = sim.geometry()
    for name in instance.targets:
        rows, columns = np.nonzero(seen == snapshot.index(name))
        found[f"{name} pixels"] = float(len(rows))
        if not len(rows):
            continue
        for what, values in (("row", rows), ("column", columns)):
            found[f"{name} {what} low"] = float(values.min())
            found[f"{name} {what} high"] = float(values.max())
            found[f"{name} {what} mean"] = float(values.mean())
        for channel, value in zip("rgb", rgb[rows, columns].mean(axis=0), strict=True):
            found[f"{name} {channel}"] = float(value)
    block = SIDE // GRID
    squares = rgb.reshape(GRID, block, GRID, block, 3).mean(axis=(1, 3)).ravel()
    found |= {f"square {k}": float(value) for k, value in enumerate(squares)}
    return dict(found)


def shortcuts(
    folder: Path,
    out: Path | None = None,
    *,
    workers: int = 1,
    backend: str = "embedded",
) -> list[Shortcut]:
    """Train and test the classifiers of ``KINDS`` on each task of a store.

    The first views are looked at only where ``out`` names a file to keep them in (resumed if
    begun). Raises ``BackendUnavailable`` without scikit-learn, ``ValueError`` for a task with
    fewer than ``FOLDS`` pairs.
    """
    tasks: dict[str, list[Instance]] = {}
    for instance in Store(folder).instances():
        tasks.setdefault(instance.task, []).append(instance)
    seen = {} if out is None else _looks(tasks, out, workers, backend)
    found = []
    for task, instances in sorted(tasks.items()):
        chance = float(np.mean([1.0 / len(one.question.options) for one in instances]))
        # Where each question has options of its own, the answer is one of their places.
        own = len({frozenset(one.question.options) for one in instances}) > 1
        answers = [str(_place(one)) if own else one.answer for one in instances]
        entropy = answer_entropy(answers, max(len(one.question.options) for one in instances))
        for kind in KINDS if seen else KINDS[:2]:
            known = [
                features(one, kind) | (seen[one.id] if kind == "view 0" else {})
                for one in instances
            ]
            right = _held_out(instances, known, own=own)
            n = len(answers)
            upper = wilson_interval(right, n)[1]
            found.append(Shortcut(task, kind, n, chance, entropy, right / n, upper))
    return found


def _looks(
    tasks: dict[str, list[Instance]], out: Path, workers: int, backend: str
) -> dict[str, Features]:
    units = [
        jobs.Unit(
            one.id,
            {"instance": json.loads(one.model_dump_json()), "backend": backend},
            group=task,
        )
        for task, instances in tasks.items()
        for one in instances
    ]
    with jobs.JsonlSink(out) as sink:
        jobs.run(units, "esi_fast.eval.shortcuts:look", sink, workers=workers)
    with out.open(encoding="utf-8") as file:
        return {line["key"]: line["value"] for line in map(json.loads, file) if "value" in line}


def _place(instance: Instance) -> int:
    return instance.question.options.index(instance.answer)


def _of_options(instance: Instance, known: Features) -> list[Features]:
    """What is known of each option: its place, its own thing, and the others' things together."""
    things = {name: pick.noun(category) for name, (category, _) in instance.targets.items()}
    found = []
    for place, option in enumerate(instance.question.options):
        row: Features = {f"place {place}": 1.0, f"is {option}": 1.0}
        for key, value in known.items():
            name, _, rest = key.partition(" ")
            if name in things:
                mine = "own" if things[name] == option else "other"
                row[f"{mine} {rest}"] = row.get(f"{mine} {rest}", 0.0) + value
            else:
                row[key] = value
        for key in [key for key in row if key.startswith("own ")]:
            rest = key.removeprefix("own ")
            row[f"more {rest}"] = row[key] - row.get(f"other {rest}", 0.0)
        found.append(row)
    return found


def _held_out(instances: Sequence[Instance], known: Sequence[Features], *, own: bool) -> int:
    """How many held-out answers the better of the two classifiers gets right.

    With options of their ``own`` the classifiers say of each option how likely it is the answer.
    """
    try:
        from sklearn.ensemble import HistGradientBoostingClassifier
        from sklearn.feature_extraction import DictVectorizer
        from sklearn.linear_model import LogisticRegression
        from sklearn.model_selection import GroupKFold
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler
    except ImportError as error:
        raise BackendUnavailable(
            "shortcuts need scikit-learn: pip install 'esi-fast[shortcuts]'"
        ) from error
    pairs = np.array([one.index // 2 for one in instances])
    if len(set(pairs.tolist())) < FOLDS:
        raise ValueError(
            f"folder: expected at least {FOLDS} pairs of {instances[0].task}, "
            f"got {len(set(pairs.tolist()))}"
        )
    rows, wanted = list(known), np.array([one.answer for one in instances])
    # The question that each row is about.
    of = np.arange(len(instances))
    if own:
        each = [_of_options(one, told) for one, told in zip(instances, known, strict=True)]
        rows = [row for options in each for row in options]
        of = np.repeat(of, [len(options) for options in each])
        wanted = np.array(
            [option == one.answer for one in instances for option in one.question.options]
        )
    table: FloatArray = DictVectorizer(sparse=False).fit_transform(rows)
    # What a single question has says nothing about others.
    table = table[:, (table != 0).sum(axis=0) > 2]
    models: tuple[Callable[[], Any], ...] = (
        lambda: make_pipeline(StandardScaler(), LogisticRegression(C=0.1, max_iter=300)),
        lambda: HistGradientBoostingClassifier(max_iter=80, random_state=0),
    )
    best = 0
    for model in models:
        right = 0
        for train, test in GroupKFold(FOLDS).split(table, wanted, pairs[of]):
            fitted = model().fit(table[train], wanted[train])
            if not own:
                right += int((fitted.predict(table[test]) == wanted[test]).sum())
                continue
            likely = fitted.predict_proba(table[test])[:, 1]
            for question in np.unique(of[test]):
                mine = of[test] == question
                right += bool(wanted[test][mine][int(np.argmax(likely[mine]))])
        best = max(best, right)
    return best
