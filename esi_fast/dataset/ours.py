"""Verdicts on our own instances, in the same form as those on published rows.

An instance whose subcategory has a rule for published rows, and whose scene says what that rule
reads, is judged by that very rule: it is written as a published row and read back. Of the others,
the recorded evidence is compared: label, second witness and answer must be one, and every check
must have passed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from esi_fast.dataset.official import SUBCATEGORIES, OfficialQuestion, parse_row
from esi_fast.dataset.relabel import REASONS, RELABELLED, Judgement, Verdict, relabel
from esi_fast.records import Instance, ObjectSpec

__all__ = ["MEANINGS", "row_of_instance", "verdict_of_instance"]

_NAMES: Final = {task: names for names, task in SUBCATEGORIES.items()}


def _placed(spec: ObjectSpec) -> dict[str, Any]:
    return {
        "category": spec.category,
        "model": spec.model,
        "position": list(spec.position),
        "quaternion_xyzw": list(spec.orientation),
        "scale": list(spec.scale),
    }


def _things(instance: Instance) -> dict[str, Any]:
    """The question's objects under the names that rows with things on a floor have."""
    objects = [obj for obj in instance.scene.objects if obj.role == "question"]
    return {"objects": [{"_key": f"obj{n}", **_placed(o)} for n, o in enumerate(objects, start=1)]}


# What the reasons of verdicts on rows and instances mean.
MEANINGS: Final[Mapping[str, str]] = {
    **REASONS,
    "other_evidence": "both derivations give another answer than the recorded one",
    "witnesses_differ": "the two derivations give different answers",
    "check_failed": "a check of the instance has failed",
}

# Subcategories whose rows can be written from a scene alone.
_WRITERS: Final[Mapping[str, Callable[[Instance], dict[str, Any]]]] = {
    "spatial_relations/linear_alignment": _things,
}


def row_of_instance(instance: Instance) -> dict[str, Any]:
    """An instance as a row of the published 12 columns.

    The metadata hold what the rules for published rows read, for subcategories where a scene says
    it, and are empty for others. Raises ``KeyError`` for a subcategory that is not of the paper.
    """
    big, small = _NAMES[instance.task]
    writer = _WRITERS.get(instance.task)
    metadata = {} if writer is None else writer(instance)
    images = [f"blobs/{sha[:2]}/{sha}.png" for sha in instance.images.values()]
    return {
        "id": instance.id,
        "big_task": big,
        "small_task": small,
        "runner_task": instance.task.split("/")[1],
        "scene": instance.scene.name,
        "room": "",
        "question": instance.question.text,
        "answer": instance.answer,
        "answer_type": instance.question.answer_type,
        "options_json": json.dumps(list(instance.question.options), ensure_ascii=False),
        "image_paths_json": json.dumps(images),
        "metadata_json": json.dumps(metadata, ensure_ascii=False),
    }


def verdict_of_instance(instance: Instance, *, row: int) -> Verdict:
    """What an instance's own record says about its answer."""
    if instance.task in _WRITERS and instance.task in RELABELLED:
        question = parse_row(row_of_instance(instance), number=row, source=instance.id)
        if isinstance(question, OfficialQuestion):
            verdict = relabel(question)
            if verdict.level == "geometry":
                return verdict
    return _by_record(instance, row)


def _by_record(instance: Instance, row: int) -> Verdict:
    label, witness = instance.label, instance.witness
    failed = [check.name for check in instance.checks if not check.passed]
    numbers = {f"label.{name}": value for name, value in label.numbers.items()}
    numbers |= {f"witness.{name}": value for name, value in witness.numbers.items()}
    agree = label.answer == witness.answer
    sound = agree and not failed
    verdict: Judgement
    if agree and label.answer != instance.answer:
        verdict, reason = "contradicts", "other_evidence"
    elif not agree:
        verdict, reason = "undecidable", "witnesses_differ"
    elif failed:
        verdict, reason = "undecidable", "check_failed"
    else:
        verdict, reason = "agrees", "as_labelled"
    return Verdict(
        row=row,
        id=instance.id,
        task=instance.task,
        label=instance.answer,
        derived=label.answer if agree else "",
        verdict=verdict,
        reason=reason,
        level="recorded",
        near_tie=not sound,
        robust=sound,
        numbers={name: round(float(value), 6) for name, value in numbers.items()},
        detail=f"label by {label.method}, witness by {witness.method}"
        + (f"; failed: {', '.join(failed)}" if failed else ""),
    )
