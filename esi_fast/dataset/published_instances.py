"""Published rows in our own format, as far as they say what it needs.

An ``Instance`` must say where the first camera stands; rows that record none are refused. Shapes,
rooms and furniture are not recorded: an instance from a row can be asked, scored and audited, not
rendered. What had to be assumed is listed in its ``approximations``.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from pydantic import ValidationError

from esi_fast.dataset.findings import Subject, Thing, subject_of_row
from esi_fast.dataset.official import OfficialQuestion, parse_row
from esi_fast.dataset.relabel import Verdict
from esi_fast.errors import RecordError
from esi_fast.records import CameraSpec, Evidence, Instance, ObjectSpec, Question, Role, SceneSpec

__all__ = ["instance_of_row"]

# Where a row records no field of view. The release's viewer has a square picture.
_HFOV_DEG: Final = 70.0
# Fillings of a question with several blanks are its options, up to this many.
_MOST_OPTIONS: Final = 1000
_ROLES: Final[Mapping[str, Role]] = {"question": "question", "holder": "question"}


def _options(question: OfficialQuestion) -> tuple[tuple[str, ...], str]:
    """All fillings as texts, and the right one; of several right ones only the first is offered."""
    right = [" | ".join(texts) for texts in question.answer_texts]
    texts = [[option.text for option in slot.options] for slot in question.slots]
    if question.answer_type == "order":
        fillings = [" | ".join(order) for order in itertools.permutations(texts[0])]
    elif math.prod(map(len, texts)) > _MOST_OPTIONS:
        raise RecordError(f"more than {_MOST_OPTIONS} ways to fill the blanks")
    else:
        fillings = [" | ".join(filling) for filling in itertools.product(*texts)]
    offered = [text for text in dict.fromkeys(fillings) if text == right[0] or text not in right]
    if len(offered) < 2:
        raise RecordError("nothing to choose from")
    return tuple(offered), right[0]


def _object(thing: Thing, name: str) -> ObjectSpec | None:
    if thing.middle is None or not thing.category or not thing.model:
        return None
    turn = np.array([0.0, 0.0, 0.0, 1.0]) if thing.orientation is None else thing.orientation
    norm = float(np.linalg.norm(turn))
    if norm < 1e-6:
        return None
    x, y, z = (float(v) for v in thing.middle)
    qx, qy, qz, qw = (float(v) for v in turn / norm)
    sx, sy, sz = (1.0, 1.0, 1.0) if thing.scale is None else (float(v) for v in thing.scale)
    return ObjectSpec(
        id=name,
        category=thing.category,
        model=thing.model,
        position=(x, y, z),
        orientation=(qx, qy, qz, qw),
        scale=(sx, sy, sz),
        role=_ROLES.get(thing.role, "context"),
        room="",
    )


def _objects(subject: Subject) -> tuple[ObjectSpec, ...]:
    found: dict[str, ObjectSpec] = {}
    for thing in subject.things:
        name, number = thing.name[:190] or "thing", 2
        while name in found:
            name, number = f"{thing.name[:190]}_{number}", number + 1
        spec = _object(thing, name)
        if spec is not None:
            found[name] = spec
    return tuple(found.values())


def instance_of_row(
    columns: Mapping[str, Any], status: str, verdict: Verdict | None, *, key: str
) -> Instance:
    """A repaired row as the instance ``key``; ``RecordError`` says what it does not record."""
    try:
        return _instance(columns, status, verdict, key)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise RecordError(f"{place}: {first['msg']}") from error


def _instance(
    columns: Mapping[str, Any], status: str, verdict: Verdict | None, key: str
) -> Instance:
    question = parse_row(dict(columns))
    if not isinstance(question, OfficialQuestion):
        raise RecordError(f"{question.field}: {question.message}")
    subject = subject_of_row(question)
    view = next((v for v in subject.views if v.position is not None), None)
    if view is None or view.position is None or view.orientation is None:
        raise RecordError("no camera is recorded")
    norm = float(np.linalg.norm(view.orientation))
    if norm < 1e-6:
        raise RecordError("the recorded camera has no orientation")
    options, answer = _options(question)
    hfov = _HFOV_DEG if subject.hfov_deg is None else subject.hfov_deg
    approximations = ["shapes, rooms and furniture are not recorded"]
    if subject.hfov_deg is None:
        approximations.append(f"field of view not recorded, {_HFOV_DEG:g} degrees assumed")
    numbers = {} if verdict is None else dict(verdict.numbers)
    level = "none" if verdict is None else verdict.level
    px, py, pz = (float(v) for v in view.position)
    qx, qy, qz, qw = (float(v) for v in view.orientation / norm)
    return Instance(
        id=key,
        task=question.task,
        index=0,
        seed=0,
        backend="omnigibson",
        backend_version="published",
        approximations=tuple(approximations),
        scene=SceneSpec(name=question.scene or "unknown", objects=_objects(subject)),
        question=Question(text=question.text, answer_type=question.answer_type, options=options),
        answer=answer,
        label=Evidence(answer=answer, method=f"{status}, by {level}", numbers=numbers),
        witness=Evidence(answer=answer, method="no second derivation", numbers={}),
        public={"status": status, "room": question.room, "published_id": question.id},
        initial_camera=CameraSpec(
            position=(px, py, pz), orientation=(qx, qy, qz, qw), vfov_deg=min(hfov, 170.0)
        ),
    )
