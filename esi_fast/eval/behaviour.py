"""How agents behave, beyond whether they are right: metacognition, calibration, effort, budget.

The measures of appendix K, made exact by the ideal observer: a view is contrastive where it rules
out an answer that was possible before it. Measures of trajectories are over active episodes only
and ``nan`` for groups without any. What distinct views and changed beliefs are is ours:

* two views are distinct if the cameras stand 0.5 m apart (two moves) or look 45 degrees apart
  (three turns);
* a belief is revised if two stated beliefs of one episode name different options.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from scipy import stats

from esi_fast import geometry as geo
from esi_fast.eval.metrics import Scored
from esi_fast.eval.parsing import option_index
from esi_fast.records import EpisodeRecord
from esi_fast.registry import register
from esi_fast.seeding import rng
from esi_fast.types import FloatArray

__all__ = [
    "PairedResult",
    "budget_curve",
    "calibration",
    "calibration_error",
    "compare_paired",
    "conduct",
    "metacognition",
    "steps_to_correct",
]

DISTINCT_M: Final = 0.5
DISTINCT_DEG: Final = 45.0
BINS: Final = 10
"""Bins of equal width for the calibration error."""


def _active(group: Sequence[Scored]) -> list[Scored]:
    return [s for s in group if s.episode.paradigm == "active" and s.episode.steps]


def _share(flags: Sequence[bool]) -> float:
    return sum(flags) / len(flags) if flags else math.nan


# --- metacognition (appendix K, table 11) ----------------------------------------------------


@register("metric", "metacognition")
def metacognition(group: Sequence[Scored]) -> dict[str, float]:
    """Shares of active trajectories with distinct views, a contrastive view, a revised belief.

    ``belief_revision`` is over trajectories that state a belief at least twice.
    """
    active = _active(group)
    stated = [_beliefs(item) for item in active]
    return {
        "view_diversity": _share([_has_distinct_views(item.episode) for item in active]),
        "contrastive": _share([_has_contrastive_view(item.episode) for item in active]),
        "belief_revision": _share([len(set(b)) > 1 for b in stated if len(b) > 1]),
    }


def _has_distinct_views(episode: EpisodeRecord) -> bool:
    cameras = [step.camera for step in episode.steps]
    places = np.array([camera.position for camera in cameras])
    turns = np.array([camera.orientation for camera in cameras])
    ahead = -geo.transforms.quat_to_matrix(turns)[:, :, 2]
    apart = np.linalg.norm(places[:, None] - places[None], axis=2)
    aligned = ahead @ ahead.T
    # A hair of room: three turns of 15 degrees are 45 up to rounding.
    turned = aligned <= math.cos(math.radians(DISTINCT_DEG)) + 1e-9
    return bool((apart >= DISTINCT_M - 1e-9).any() or turned.any())


def _has_contrastive_view(episode: EpisodeRecord) -> bool:
    left = [len(step.possible) for step in episode.steps]
    return any(b < a for a, b in pairwise(left))


def _beliefs(item: Scored) -> list[int]:
    """The options that the episode's stated beliefs name, in order."""
    options = item.instance.question.options
    found = (option_index(options, s.belief) for s in item.episode.steps if s.belief is not None)
    return [place for place in found if place is not None]


# --- calibration -----------------------------------------------------------------------------


def calibration_error(confidence: Sequence[float], correct: Sequence[bool]) -> float:
    """Expected calibration error over ten bins of equal width; ``nan`` for nothing.

    C. Guo, G. Pleiss, Y. Sun and K. Q. Weinberger, "On calibration of modern neural networks",
    ICML 2017: the mean distance of a bin's accuracy from its confidence, weighted by its size.
    """
    stated, right = np.asarray(confidence, dtype=float), np.asarray(correct, dtype=float)
    if stated.shape != right.shape or stated.ndim != 1:
        raise ValueError(f"confidence, correct: expected one of each, got {stated.shape}")
    if not len(stated):
        return math.nan
    if not ((stated >= 0.0) & (stated <= 1.0)).all():
        raise ValueError("confidence: expected numbers in 0 to 1")
    bins = np.minimum((stated * BINS).astype(int), BINS - 1)
    gap = np.bincount(bins, stated - right, minlength=BINS)
    return float(np.abs(gap).sum() / len(stated))


@register("metric", "calibration")
def calibration(group: Sequence[Scored]) -> dict[str, float]:
    """``ece`` and ``brier`` of the stated confidences, and how many answers state one.

    Brier's score is the mean square of confidence minus outcome: 0 is best, 0.25 is what always
    saying one half gets.
    """
    stated = [s for s in group if s.episode.answer is not None]
    pairs = [
        (s.episode.answer_confidence, s.correct)
        for s in stated
        if s.episode.answer_confidence is not None
    ]
    confidence, correct = [c for c, _ in pairs], [right for _, right in pairs]
    brier = [(c - right) ** 2 for c, right in pairs]
    return {
        "stated": float(len(pairs)),
        "ece": calibration_error(confidence, correct),
        "brier": sum(brier) / len(brier) if brier else math.nan,
    }


# --- effort and budget -----------------------------------------------------------------------


@register("metric", "steps_to_correct")
def steps_to_correct(group: Sequence[Scored]) -> dict[str, float]:
    """Mean number of actions before a right answer, over active episodes (figure 5)."""
    counts = [len(s.episode.steps) - 1 for s in _active(group) if s.correct]
    return {"steps_to_correct": sum(counts) / len(counts) if counts else math.nan}


@register("metric", "conduct")
def conduct(group: Sequence[Scored]) -> dict[str, float]:
    """Shares of steps without a valid reply, and of actions that failed, in active episodes."""
    steps = [step for s in _active(group) for step in s.episode.steps]
    outcomes = [step.outcome.ok for step in steps if step.valid and step.outcome is not None]
    return {
        "invalid_steps": _share([not step.valid for step in steps]),
        "failed_actions": _share([not ok for ok in outcomes]),
    }


def budget_curve(scored: Sequence[Scored], budgets: Sequence[int]) -> dict[int, float]:
    """Share of all active episodes that were answered rightly within so many actions (figure 9).

    From one run at the longest budget, for agents that do not know their budget: an answer given
    of its own accord after ``n`` actions would have been given at every budget of ``n`` or more.
    What would have been forced earlier is not known and counts as not right, so that this is what
    an agent decides by itself. ``ValueError`` for a budget that an episode did not have.
    """
    active = [s for s in scored if s.episode.paradigm == "active"]
    if active and max(budgets, default=0) > min(s.episode.budget for s in active):
        raise ValueError(f"budgets: expected at most the run's own, got {max(budgets)}")
    right = [
        len(s.episode.steps) - 1
        for s in active
        if s.correct and s.episode.stop_reason == "answered"
    ]
    return {b: sum(n <= b for n in right) / len(active) if active else math.nan for b in budgets}


# --- comparing two runs ----------------------------------------------------------------------


class PairedResult(NamedTuple):
    """Two agents on the same instances.

    ``difference`` of their accuracies (first minus second) with its 95 % bootstrap interval,
    resampled by scene; ``only_first`` and ``only_second`` are the instances that one got right and
    the other did not, on which McNemar's exact test gives ``p_value``.
    """

    n: int
    scenes: int
    difference: float
    low: float
    high: float
    only_first: int
    only_second: int
    p_value: float


def compare_paired(
    first: Sequence[Scored], second: Sequence[Scored], *, seed: int = 0, resamples: int = 2000
) -> PairedResult:
    """Compare the same instances and paradigms; ``ValueError`` if none is in both.

    Scenes, not episodes, are resampled: questions about one house share its luck.
    """
    one, two = _by_instance(first), _by_instance(second)
    shared = sorted(one.keys() & two.keys())
    if not shared:
        raise ValueError("first, second: expected some of the same instances and paradigms")
    a = np.array([one[key].correct for key in shared], dtype=float)
    b = np.array([two[key].correct for key in shared], dtype=float)
    names = [one[key].instance.scene.name for key in shared]
    scenes, member = np.unique(names, return_inverse=True)
    low, high = _bootstrap(a - b, member, len(scenes), seed, resamples)
    only_first, only_second = int((a > b).sum()), int((a < b).sum())
    apart = only_first + only_second
    p = float(stats.binomtest(only_first, apart, 0.5).pvalue) if apart else 1.0
    return PairedResult(
        len(shared), len(scenes), float((a - b).mean()), low, high, only_first, only_second, p
    )


def _by_instance(scored: Sequence[Scored]) -> Mapping[tuple[str, str], Scored]:
    found: dict[tuple[str, str], Scored] = {}
    for item in scored:
        key = (item.instance.id, item.episode.paradigm)
        if key in found:
            raise ValueError(f"expected one episode each, got two of {key[0]} {key[1]}")
        found[key] = item
    return found


def _bootstrap(
    values: FloatArray, member: np.ndarray, groups: int, seed: int, resamples: int
) -> tuple[float, float]:
    """Percentile interval of the mean, whole groups drawn with replacement."""
    sums = np.bincount(member, values, minlength=groups)
    sizes = np.bincount(member, minlength=groups)
    drawn = rng("paired", seed).integers(groups, size=(resamples, groups))
    means = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    low, high = np.quantile(means, (0.025, 0.975))
    return float(low), float(high)
