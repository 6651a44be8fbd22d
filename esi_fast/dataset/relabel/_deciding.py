"""What several rules share: weighing thresholds, and whether the right things are there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from esi_fast.dataset.official import OfficialQuestion
from esi_fast.dataset.relabel._reading import Stored
from esi_fast.dataset.relabel._registry import judged
from esi_fast.dataset.relabel._verdict import Judgement, Shape, Verdict

__all__ = ["OTHER_OBJECTS", "missing_from_text", "other_objects", "plain", "weigh"]

OTHER_OBJECTS: Final = {
    "other_objects": "the question names other objects than the row records",
}


def plain(text: str) -> str:
    """A category or an option for comparing: case, underscores and runs of spaces do not count."""
    return " ".join(text.replace("_", " ").split()).casefold()


def weigh(label: str, derived: str, others: Mapping[str, str]) -> Judgement:
    """The verdict on a label when the threshold is a matter of taste.

    ``derived`` is what the middle threshold gives, ``others`` what further sensible ones give. The
    label is contradicted only if none of all these gives it, and borne out only by the middle one.
    """
    if derived == label:
        return "agrees"
    return "undecidable" if label in others.values() else "contradicts"


def missing_from_text(question: OfficialQuestion, categories: Iterable[str]) -> list[str]:
    """The categories of recorded objects that the text of the question does not name."""
    text = plain(question.text)
    return [category for category in categories if plain(category) not in text]


def other_objects(
    question: OfficialQuestion,
    categories: Iterable[str],
    *,
    numbers: Mapping[str, float],
    would_be: str,
    shapes: Iterable[Shape] = (),
    stored: Stored | None = None,
) -> Verdict | None:
    """A verdict for a question about other objects than the recorded ones, else ``None``.

    ``would_be`` is what the recorded objects would have given.
    """
    recorded = list(categories)
    missing = missing_from_text(question, recorded)
    if not missing:
        return None
    return judged(
        question,
        "undecidable",
        "other_objects",
        level="none",
        numbers=numbers,
        detail=f"recorded are {', '.join(recorded)}, not named: {', '.join(missing)}; "
        f"they would give {would_be or 'no answer'}",
        stored=stored,
        shapes=tuple(shapes),
    )
