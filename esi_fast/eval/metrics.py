"""Metrics over scored episodes. ``@register("metric", name)`` above a function adds one.

A metric takes the scored episodes of one group (a task, a paradigm, an agent) and returns named
numbers, which become columns of the score table.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from esi_fast.records import EpisodeRecord, Instance
from esi_fast.registry import register

__all__ = ["Metric", "Scored", "accuracy", "effort", "evidence", "priors", "wilson_interval"]

_Z95 = 1.959963984540054
"""97.5 % quantile of the standard normal distribution: a two-sided 95 % interval."""


class Scored(NamedTuple):
    """An episode with its instance and whether its answer is right (an error is not)."""

    episode: EpisodeRecord
    instance: Instance
    correct: bool


class Metric(Protocol):
    """A function from the scored episodes of one group to named numbers."""

    def __call__(self, group: Sequence[Scored]) -> dict[str, float]:
        """``group`` is not empty."""


def wilson_interval(correct: int, n: int, *, z: float = _Z95) -> tuple[float, float]:
    """Score interval of a proportion, both ends within 0 to 1; ``(0, 1)`` for ``n = 0``.

    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal
    of the American Statistical Association 22 (1927) 209-212, without continuity correction.
    """
    if n < 0 or not 0 <= correct <= n:
        raise ValueError(f"correct: expected 0 to n, got {correct} of {n}")
    if n == 0:
        return 0.0, 1.0
    share = correct / n
    shrink = 1.0 + z * z / n
    centre = (share + z * z / (2 * n)) / shrink
    half = z / shrink * math.sqrt(share * (1.0 - share) / n + z * z / (4.0 * n * n))
    # At the ends the formula gives 0 and 1 exactly, rounding aside.
    low = 0.0 if correct == 0 else max(0.0, centre - half)
    high = 1.0 if correct == n else min(1.0, centre + half)
    return low, high


@register("metric", "accuracy")
def accuracy(group: Sequence[Scored]) -> dict[str, float]:
    """Share of right answers over *all* episodes, failed ones included, with its interval."""
    correct = sum(item.correct for item in group)
    low, high = wilson_interval(correct, len(group))
    return {
        "n": len(group),
        "errors": sum(item.episode.stop_reason == "error" for item in group),
        "correct": correct,
        "accuracy": correct / len(group),
        "low": low,
        "high": high,
    }


@register("metric", "priors")
def priors(group: Sequence[Scored]) -> dict[str, float]:
    """What needs no looking: always the commonest true answer, and a blind draw of an option."""
    truths = Counter(item.instance.answer for item in group)
    chance = sum(1.0 / len(item.instance.question.options) for item in group)
    return {
        "majority": max(truths.values()) / len(group),
        "chance": chance / len(group),
    }


@register("metric", "effort")
def effort(group: Sequence[Scored]) -> dict[str, float]:
    """Mean number of actions before the answer, over episodes that did not fail to run."""
    ran = [item.episode for item in group if item.episode.stop_reason != "error"]
    if not ran:
        return {"steps": math.nan}
    return {"steps": sum(len(episode.steps) - 1 for episode in ran) / len(ran)}


@register("metric", "evidence")
def evidence(group: Sequence[Scored]) -> dict[str, float]:
    """Mean evidence of the ideal observer when the answer was given; 0 where none was."""
    return {
        "evidence": sum(
            item.episode.steps[-1].evidence if item.episode.steps else 0.0 for item in group
        )
        / len(group)
    }
