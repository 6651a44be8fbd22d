"""What a finding is, what a leak is, and the decorators that register the rules for them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from esi_fast.dataset.findings._subject import Subject

__all__ = [
    "GUESSES",
    "RULES",
    "Finding",
    "Guess",
    "Kind",
    "Leak",
    "Noted",
    "Rule",
    "Trial",
    "guess",
    "rule",
    "wilson",
]

# What a finding means for the question.
# ``repeated``: it says nothing new. ``form``: answer or options are written wrongly, which can be
# mended. ``ambiguous``: more than one answer is right. ``unanswerable``: as asked it has no
# answer, or none to choose. ``scene``: the things do not stand as the question supposes.
# ``sight``: what must be seen is not. ``record``: the record contradicts itself.
Kind: TypeAlias = Literal[
    "repeated", "form", "ambiguous", "unanswerable", "scene", "sight", "record"
]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong with a row: which, what rule says so, with which numbers, in words."""

    row: int
    id: str
    task: str
    rule: str
    kind: Kind
    text: str
    numbers: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Leak:
    """How often a guess that looks at nothing is right, beside chance.

    ``hits`` of ``trials`` blanks, ``low`` to ``high`` the 95 % Wilson interval of their share,
    ``chance`` what a blind guess among the same options gets, ``usual`` what always giving the
    commonest answer gets on the same blanks, where that is more than chance. ``leaks`` says that
    the guess beats both by 5 points or more, and even its 99.9 % interval does not reach down to
    them (there are some hundreds of pairs of guess and subcategory); the guess at the commonest
    answer need only beat chance.
    """

    task: str
    rule: str
    hits: int
    trials: int
    chance: float
    usual: float
    low: float
    high: float
    leaks: bool
    text: str

    @property
    def rate(self) -> float:
        return self.hits / self.trials


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """One blank to guess: the question, the number of the slot, its option texts, what is right."""

    subject: Subject
    slot: int
    options: tuple[str, ...]
    right: frozenset[int]


Noted: TypeAlias = tuple[Subject, Mapping[str, float], str]
# All questions at once, for duplicates and floors show only among many.
Rule: TypeAlias = Callable[[Sequence[Subject]], Iterable[Noted]]
# The number of the guessed option for each trial of one subcategory, or several of which one is
# said to be right, or ``None`` for no guess.
Guess: TypeAlias = Callable[[Sequence[Trial]], Sequence[int | frozenset[int] | None]]

_RULES: Final[dict[str, tuple[Kind, str, Rule]]] = {}
_GUESSES: Final[dict[str, tuple[str, Guess]]] = {}
# name -> (kind, what it says, the rule)
RULES: Final[Mapping[str, tuple[Kind, str, Rule]]] = MappingProxyType(_RULES)
# name -> (what is guessed, the guess)
GUESSES: Final[Mapping[str, tuple[str, Guess]]] = MappingProxyType(_GUESSES)


def rule(name: str, kind: Kind, meaning: str) -> Callable[[Rule], Rule]:
    """Register a rule for rows under a name that findings carry."""

    def add(function: Rule) -> Rule:
        if name in _RULES:
            raise ValueError(f"name: rule {name!r} is registered already")
        _RULES[name] = (kind, meaning, function)
        return function

    return add


def guess(name: str, meaning: str) -> Callable[[Guess], Guess]:
    """Register a blind guess whose success is a leak."""

    def add(function: Guess) -> Guess:
        if name in _GUESSES:
            raise ValueError(f"name: guess {name!r} is registered already")
        _GUESSES[name] = (meaning, function)
        return function

    return add


def wilson(hits: int, trials: int, z: float = 1.959964) -> tuple[float, float]:
    """The Wilson score interval of a share (E. B. Wilson 1927); ``z`` 1.96 for 95 %."""
    if not 0 <= hits <= trials or trials < 1:
        raise ValueError(f"hits: expected 0 to {trials} of at least one trial, got {hits}")
    share, square = hits / trials, z * z
    middle = share + square / (2 * trials)
    spread = z * math.sqrt(share * (1.0 - share) / trials + square / (4 * trials * trials))
    scale = 1.0 + square / trials
    # Where all or none hit, the end of the interval is that share itself, up to rounding.
    low, high = (middle - spread) / scale, (middle + spread) / scale
    return max(0.0, min(share, low)), min(1.0, max(share, high))
