"""Which rule judges which subcategory, and the one way to call it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, TypeAlias

from esi_fast.dataset.official import SUBCATEGORIES, OfficialQuestion
from esi_fast.dataset.relabel._reading import Stored
from esi_fast.dataset.relabel._verdict import Judgement, Level, Shape, Verdict
from esi_fast.errors import RecordError

__all__ = ["REASONS", "Rule", "judged", "label_of", "relabel", "relabelled", "rule"]

Rule: TypeAlias = Callable[[OfficialQuestion], Verdict]

_RULES: Final[dict[str, Rule]] = {}
_REASONS: Final[dict[str, str]] = {
    "as_labelled": "the recorded numbers give the label",
    "metadata": "the row does not record what is needed",
}

# Every reason that a verdict may carry, with what it means.
REASONS: Final[Mapping[str, str]] = MappingProxyType(_REASONS)


def rule(*tasks: str, reasons: Mapping[str, str]) -> Callable[[Rule], Rule]:
    """Register a function as the rule of one or more subcategories, with the reasons it gives.

    ``ValueError`` for an unknown subcategory, one that has a rule already, or a reason that has
    another meaning elsewhere.
    """
    for task in tasks:
        if task not in SUBCATEGORIES.values():
            raise ValueError(f"tasks: {task!r} is not a subcategory")
        if task in _RULES:
            raise ValueError(f"tasks: {task!r} has a rule already")
    for code, meaning in reasons.items():
        if _REASONS.setdefault(code, meaning) != meaning:
            raise ValueError(f"reasons: {code!r} means something else: {_REASONS[code]!r}")

    def register(function: Rule) -> Rule:
        _RULES.update(dict.fromkeys(tasks, function))
        return function

    return register


def relabelled() -> tuple[str, ...]:
    """The subcategories that have a rule, in the order of the release's own table."""
    return tuple(task for task in SUBCATEGORIES.values() if task in _RULES)


def label_of(question: OfficialQuestion) -> str:
    """The published answer as text: blanks are joined by bars, accepted fillings by ``or``."""
    return " or ".join(" | ".join(texts) for texts in question.answer_texts)


def judged(
    question: OfficialQuestion,
    verdict: Judgement,
    reason: str,
    *,
    derived: str = "",
    level: Level = "geometry",
    margin: float | None = None,
    unit: str = "",
    threshold: str = "",
    others: Mapping[str, str] | None = None,
    near_tie: bool = False,
    numbers: Mapping[str, float] | None = None,
    detail: str = "",
    stored: Stored | None = None,
    shapes: Sequence[Shape] = (),
) -> Verdict:
    """A verdict on this question; ``robust`` follows from what ``others`` derive.

    ``stored`` are the row's stored numbers as they were compared.

    Raises ``ValueError`` for a reason without a meaning and for a margin without its unit.
    """
    if reason not in _REASONS:
        raise ValueError(f"reason: {reason!r} has no meaning; give it to `rule`")
    if margin is not None and not unit:
        raise ValueError("unit: a margin needs one")
    tried = dict(others or {})
    return Verdict(
        row=question.row,
        id=question.id,
        task=question.task,
        label=label_of(question),
        derived=derived,
        verdict=verdict,
        reason=reason,
        level=level,
        near_tie=near_tie,
        margin=None if margin is None else round(float(margin), 9),
        unit=unit,
        threshold=threshold,
        others=tried,
        robust=bool(derived) and all(other == derived for other in tried.values()),
        numbers={name: round(float(value), 6) for name, value in (numbers or {}).items()},
        detail=detail,
        reproduced=0 if stored is None else stored.count,
        differences=() if stored is None else tuple(stored.differences),
        shapes=tuple(shapes),
    )


def relabel(question: OfficialQuestion) -> Verdict:
    """The verdict of the row's own metadata on its label.

    Raises ``ValueError`` for a subcategory without rules. A row that does not record what is
    needed is undecidable at level ``none``, with the field in ``detail``.
    """
    found = _RULES.get(question.task)
    if found is None:
        known = sorted(_RULES)
        raise ValueError(f"question: expected one of {known}, got {question.task!r}")
    try:
        return found(question)
    except RecordError as error:
        return judged(question, "undecidable", "metadata", level="none", detail=str(error))
