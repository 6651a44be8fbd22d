"""Finds what is wrong with questions beyond their labels, and what gives their answers away.

``find(subjects)`` applies every rule of ``RULES`` to every question, ``find_leaks(subjects)``
every blind guess of ``GUESSES`` to every subcategory. A rule is a function under the decorator
``rule``, a guess one under ``guess``, in a module of this folder; both are found by their place.
Rules work on a ``Subject``, the same for published rows (``subject_of_row``) and for our own
instances (``subject_of_instance``). They come from what a question means: that it is asked once,
that its answer is one of its options, that what it names is there, stands in the open, and can be
seen; and that nothing but looking tells the answer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from esi_fast.dataset.findings._instances import subject_of_instance
from esi_fast.dataset.findings._published import subject_of_row
from esi_fast.dataset.findings._registry import (
    GUESSES,
    RULES,
    Finding,
    Kind,
    Leak,
    Trial,
    guess,
    rule,
    wilson,
)
from esi_fast.dataset.findings._subject import Subject, Thing, View

__all__ = [
    "GUESSES",
    "RULES",
    "Finding",
    "Kind",
    "Leak",
    "Subject",
    "Thing",
    "Trial",
    "View",
    "find",
    "find_leaks",
    "guess",
    "rule",
    "subject_of_instance",
    "subject_of_row",
    "trials_of",
    "wilson",
]

for _module in iter_modules(__path__):
    if not _module.name.startswith("_"):
        import_module(f"{__name__}.{_module.name}")

# The fewest blanks over which a guess is tried.
_LEAST_TRIALS: Final = 20
# A guess must beat chance by this to count as a leak, and its 99.9 % interval must not reach it.
_LEAST_GAIN: Final = 0.05
_STRICT_Z: Final = 3.290527
_USUAL: Final = "commonest_answer"


def find(subjects: Sequence[Subject]) -> tuple[Finding, ...]:
    """Every finding about these questions, by row, then in the order of the rules."""
    found: list[tuple[int, int, int, Finding]] = []
    for order, (name, (kind, _, apply)) in enumerate(RULES.items()):
        for subject, numbers, text in apply(subjects):
            rounded = {key: round(float(value), 6) for key, value in numbers.items()}
            finding = Finding(subject.row, subject.id, subject.task, name, kind, text, rounded)
            found.append((subject.row, order, len(found), finding))
    found.sort(key=lambda item: item[:3])
    return tuple(item[3] for item in found)


def trials_of(subjects: Sequence[Subject]) -> dict[str, list[Trial]]:
    """The blanks to guess by subcategory: one per slot of each distinct question."""
    seen: set[str] = set()
    trials: dict[str, list[Trial]] = {}
    for subject in subjects:
        if subject.content in seen or not subject.answers:
            continue
        seen.add(subject.content)
        for number, slot in enumerate(subject.slots):
            right = frozenset(answer[number] for answer in subject.answers)
            texts = tuple(option.text for option in slot.options)
            if 1 < len(texts) != len(right):
                trials.setdefault(subject.task, []).append(Trial(subject, number, texts, right))
    return trials


def _set_of(guessed: int | frozenset[int] | None) -> frozenset[int]:
    if guessed is None:
        return frozenset()
    return guessed if isinstance(guessed, frozenset) else frozenset({guessed})


def _by_chance(trial: Trial, drawn: int) -> float:
    """How often a right option is among so many that are drawn blindly."""
    wrong = len(trial.options) - len(trial.right)
    return 1.0 - math.comb(wrong, drawn) / math.comb(len(trial.options), drawn)


def find_leaks(subjects: Sequence[Subject]) -> tuple[Leak, ...]:
    """How every guess does in every subcategory where it applies to 20 blanks or more."""
    leaks = []
    for task, trials in trials_of(subjects).items():
        usual = dict(zip(map(id, trials), map(_set_of, GUESSES[_USUAL][1](trials)), strict=True))
        for name, (meaning, apply) in GUESSES.items():
            tried = [
                (trial, options)
                for trial, options in zip(trials, map(_set_of, apply(trials)), strict=True)
                if options
            ]
            if len(tried) < _LEAST_TRIALS:
                continue
            hits = sum(bool(options & trial.right) for trial, options in tried)
            blind = [_by_chance(trial, len(options)) for trial, options in tried]
            common = [
                float(bool(usual[id(trial)] & trial.right)) if usual[id(trial)] else chance
                for (trial, _), chance in zip(tried, blind, strict=True)
            ]
            chance, known = sum(blind) / len(tried), sum(common) / len(tried)
            bar = chance if name == _USUAL else max(chance, known)
            low, high = wilson(hits, len(tried))
            strict, _ = wilson(hits, len(tried), _STRICT_Z)
            told = strict > bar and hits / len(tried) - bar >= _LEAST_GAIN
            text = (
                f"{meaning}: right in {hits} of {len(tried)}, {100 * hits / len(tried):.0f} % "
                f"({100 * low:.0f} to {100 * high:.0f} %), by chance {100 * chance:.0f} %"
            )
            if name != _USUAL and known > chance:
                text += f", by the commonest answer {100 * known:.0f} %"
            leaks.append(
                Leak(
                    task, name, hits, len(tried), chance, max(chance, known), low, high, told, text
                )
            )
    return tuple(leaks)
