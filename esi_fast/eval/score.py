"""Scores of recorded episodes. Nothing is run again: change a metric and score anew, for free."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from esi_fast import registry
from esi_fast.errors import RecordError
from esi_fast.eval.metrics import Metric, Scored
from esi_fast.eval.paradigms import PARADIGMS, match_option
from esi_fast.eval.runner import load_run
from esi_fast.records import EpisodeRecord, Instance

__all__ = ["Row", "format_table", "is_correct", "join", "score", "score_runs"]

_ORDER = {name: position for position, name in enumerate(PARADIGMS)}


class Row(NamedTuple):
    """One line of the score table: a group and its numbers."""

    task: str
    paradigm: str
    agent: str
    numbers: dict[str, float]

    def as_dict(self) -> dict[str, str | float]:
        """Flat, for JSON or a data frame."""
        return {"task": self.task, "paradigm": self.paradigm, "agent": self.agent, **self.numbers}


def is_correct(instance: Instance, episode: EpisodeRecord) -> bool:
    """Whether the recorded answer is the true one; no answer and an error are not."""
    if episode.stop_reason == "error" or episode.answer is None:
        return False
    return match_option(instance.question, episode.answer) == instance.answer


def join(instances: Iterable[Instance], episodes: Iterable[EpisodeRecord]) -> list[Scored]:
    """Each episode with its instance and verdict.

    Raises ``RecordError`` for an episode whose instance is missing, and for two with one key.
    """
    known = {instance.id: instance for instance in instances}
    scored: list[Scored] = []
    seen: set[str] = set()
    for episode in episodes:
        instance = known.get(episode.instance)
        if instance is None:
            raise RecordError(f"episode {episode.key}: no instance {episode.instance!r}")
        if episode.key in seen:
            raise RecordError(f"episode {episode.key}: occurs twice")
        seen.add(episode.key)
        scored.append(Scored(episode, instance, is_correct(instance, episode)))
    return scored


def score(scored: Sequence[Scored], *, metrics: Sequence[str] | None = None) -> list[Row]:
    """One row per task, paradigm and agent, tasks first, paradigms in their order.

    ``metrics`` are registered names, all of them by default.
    """
    names = registry.names("metric") if metrics is None else metrics
    functions: list[Metric] = [registry.get("metric", name) for name in names]
    groups: dict[tuple[str, str, str], list[Scored]] = {}
    for item in scored:
        episode = item.episode
        agent = f"{episode.agent}/{episode.model}" if episode.model else episode.agent
        groups.setdefault((episode.task, episode.paradigm, agent), []).append(item)
    rows = []
    for key in sorted(groups, key=lambda k: (k[0], _ORDER.get(k[1], len(_ORDER)), k[1:])):
        numbers: dict[str, float] = {}
        for function in functions:
            numbers.update(function(groups[key]))
        rows.append(Row(*key, numbers))
    return rows


def score_runs(folder: str | Path, *, metrics: Sequence[str] | None = None) -> list[Row]:
    """The rows of a run's folder, read from its records alone."""
    instances, episodes = load_run(folder)
    return score(join(instances.instances(), episodes.episodes()), metrics=metrics)


_HEAD = ("task", "paradigm", "agent", "n", "acc %", "95 % interval", "maj %", "chance %", "steps",
         "evidence", "errors")  # fmt: skip


def format_table(rows: Sequence[Row]) -> str:
    """The score table as text, percentages to one decimal."""
    lines = [_HEAD]
    last = ""
    for row in rows:
        numbers = row.numbers
        lines.append(
            (
                row.task if row.task != last else "",
                row.paradigm,
                row.agent,
                _plain(numbers, "n", 0),
                _percent(numbers, "accuracy"),
                f"{_percent(numbers, 'low')} to {_percent(numbers, 'high')}",
                _percent(numbers, "majority"),
                _percent(numbers, "chance"),
                _plain(numbers, "steps", 1),
                _plain(numbers, "evidence", 2),
                _plain(numbers, "errors", 0),
            )
        )
        last = row.task
    widths = [max(len(line[k]) for line in lines) for k in range(len(_HEAD))]
    text = []
    for position, line in enumerate(lines):
        cells = [
            cell.ljust(width) if k < 3 else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        text.append("  ".join(cells).rstrip())
        if position == 0:
            text.append("  ".join("-" * width for width in widths))
    return "\n".join(text)


def _percent(numbers: Mapping[str, float], name: str) -> str:
    value = numbers.get(name, math.nan)
    return "-" if math.isnan(value) else f"{100.0 * value:.1f}"


def _plain(numbers: Mapping[str, float], name: str, digits: int) -> str:
    value = numbers.get(name, math.nan)
    return "-" if math.isnan(value) else f"{value:.{digits}f}"
