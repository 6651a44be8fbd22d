"""One form for what findings look at: a question, the things it is about, the views of them.

Rules see a ``Subject`` and do not know whether it was published or is ours. Reading is tolerant:
a field that is missing or not of the expected kind gives no thing and no view, never an error,
for what must be there is the business of the re-derivation of labels.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from esi_fast.dataset.official import OfficialQuestion, Slot
from esi_fast.records import AnswerType

__all__ = [
    "FloatArray",
    "Role",
    "Subject",
    "Thing",
    "View",
    "boxed",
    "flags",
    "number_of",
    "parts_of",
    "thing_of",
    "vector",
]

FloatArray: TypeAlias = NDArray[np.float64]
Json: TypeAlias = Any

# What a thing is to its question: asked about, holding others up or in, an answer that was never
# placed, a room, or anything else that was put there.
Role: TypeAlias = Literal["question", "support", "holder", "room", "other"]

# No coordinate is larger: what falls through a floor is recorded up to 200 km below it.
_BOUND: Final = 1e6


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """Something that the record says was put into the scene.

    ``position`` (3,) and ``orientation`` (4,) xyzw as recorded, ``box`` (2, 3) its recorded world
    box, ``scale`` (3,) the factors of its model's size; each may be ``None``.
    ``within`` names the thing that it is meant to be in or on. ``placed`` is false where the
    record says that the placement failed.
    """

    name: str
    category: str
    model: str = ""
    position: FloatArray | None = None
    orientation: FloatArray | None = None
    box: FloatArray | None = None
    role: Role = "question"
    within: str = ""
    placed: bool = True
    scale: FloatArray | None = None

    @property
    def middle(self) -> FloatArray | None:
        """The centre of its box, else its position."""
        return self.position if self.box is None else np.asarray(self.box.mean(axis=0))

    @property
    def volume(self) -> float | None:
        """Volume of the recorded box in m3."""
        return None if self.box is None else float(np.prod(self.box[1] - self.box[0]))


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A recorded camera: where it stands and looks, and what the record says it saw.

    ``seen`` holds pixels, or 1 and 0 where the record only says whether.
    """

    name: str
    position: FloatArray | None = None
    orientation: FloatArray | None = None
    seen: Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """A question with what its record holds.

    ``content`` is equal for exact duplicates. ``asked`` are the names of things that the text says
    are there, ``alternatives`` are texts of options that name things of which one is there.
    ``answer_parts`` are the published answers as they were written, one per slot, empty where
    they are written in no comparable form. ``recorded_answer`` is the copy of the answer in the
    record itself, ``recorded_asked`` what the copy of the text asks about, empty where there is
    none. ``hfov_deg`` is the recorded
    field of view, ``floor`` the height of the floor or table below the things. ``repaired`` marks
    rows of a repaired release, whose own copies of answer and text may be the old ones.
    """

    row: int
    id: str
    task: str
    source: str
    scene: str
    room: str
    text: str
    answer_type: AnswerType
    slots: tuple[Slot, ...]
    answers: tuple[tuple[int, ...], ...]
    answer_parts: tuple[str, ...]
    content: str
    asked: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()
    things: tuple[Thing, ...] = ()
    views: tuple[View, ...] = ()
    recorded_answer: str = ""
    recorded_asked: tuple[str, ...] = ()
    hfov_deg: float | None = None
    floor: float | None = None
    repaired: bool = False

    @property
    def answer(self) -> str:
        """The (first) accepted answer as text, blanks joined by bars."""
        if not self.answers:
            return ""
        texts = (s.options[i].text for s, i in zip(self.slots, self.answers[0], strict=True))
        return " | ".join(texts)

    def questioned(self) -> tuple[Thing, ...]:
        """The things that the question is about."""
        return tuple(thing for thing in self.things if thing.role in ("question", "holder"))


# --- tolerant reading ----------------------------------------------------------------------------


def number_of(value: Json) -> float | None:
    """A finite number within bounds, else ``None``."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if math.isfinite(value) and abs(value) <= _BOUND else None


def vector(value: Json, length: int) -> FloatArray | None:
    """A list of that many numbers, else ``None``."""
    if not isinstance(value, list) or len(value) != length:
        return None
    numbers = [number_of(item) for item in value]
    return None if None in numbers else np.array(numbers, dtype=np.float64)


def boxed(low: Json, high: Json) -> FloatArray | None:
    """A box (2, 3) from its corners, else ``None``; corners in the wrong order are no box."""
    least, greatest = vector(low, 3), vector(high, 3)
    if least is None or greatest is None or (least > greatest).any():
        return None
    return np.stack([least, greatest])


def _scale(value: Json) -> FloatArray | None:
    one = number_of(value)
    factors = vector(value, 3) if one is None else np.full(3, one)
    return factors if factors is not None and factors.min() > 0.0 else None


def _first(entry: Mapping[str, Json], *names: str) -> Json:
    return next((entry[name] for name in names if entry.get(name) is not None), None)


def thing_of(name: str, entry: Json, **fixed: Any) -> Thing | None:
    """A thing from one of the release's entries; ``fixed`` sets fields. ``None`` if it is none."""
    if not isinstance(entry, dict):
        return None
    corners = entry.get("bbox")
    if isinstance(corners, list) and len(corners) == 2:
        box = boxed(corners[0], corners[1])
    else:
        box = boxed(
            _first(entry, "aabb_min", "aabb_min_final", "min"),
            _first(entry, "aabb_max", "aabb_max_final", "max"),
        )
    fields: dict[str, Any] = {
        "category": _first(entry, "category", "cat"),
        "model": _first(entry, "model"),
        "position": vector(_first(entry, "position", "real_position", "pos_final"), 3),
        "orientation": vector(_first(entry, "quaternion_xyzw"), 4),
        "box": box,
        "scale": _scale(_first(entry, "scale", "applied_scale")),
        **fixed,
    }
    for text in ("category", "model"):
        fields[text] = fields[text] if isinstance(fields[text], str) else ""
    return Thing(name=name, **fields)


def flags(table: Json, pattern: str) -> dict[str, dict[str, float]]:
    """Visibility by view and thing from a table of ``<prefix><thing>_<view>: bool``.

    ``pattern`` is a regular expression with the groups ``thing`` and ``view`` over its keys; a
    pattern without the group ``thing`` gives them all to the thing named "".
    """
    found: dict[str, dict[str, float]] = {}
    if isinstance(table, dict):
        for key, value in table.items():
            match = re.fullmatch(pattern, key)
            if match and isinstance(value, bool):
                groups = match.groupdict()
                found.setdefault(groups["view"], {})[groups.get("thing") or ""] = float(value)
    return found


def parts_of(question: OfficialQuestion) -> tuple[str, ...]:
    """The published answer as written, one text per slot; empty where it has another form."""
    answer = question.raw["answer"]
    if question.answer_type == "sequence" and isinstance(answer, str):
        parts = tuple(part.strip() for part in answer.split("|"))
        return parts if len(parts) == len(question.slots) else ()
    value: Json = answer
    if isinstance(answer, str) and answer.lstrip()[:1] in ("[", "{"):
        value = json.loads(answer)
    if question.answer_type == "assignment" and isinstance(value, dict):
        values: Iterable[Json] = value.values()
        return tuple(str(item) for item in values) if len(value) == len(question.slots) else ()
    if isinstance(value, (list, dict)) or len(question.slots) != 1:
        return ()
    return (str(value),)
