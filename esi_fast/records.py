"""The plain data that flows between the stages: scenes, questions, instances, episodes.

Every record is frozen, rejects unknown fields, and turns into JSON and back without loss. An
``Instance`` is self-contained: it rebuilds its scene, its pictures and its label with no other
state. Records come from untrusted files too, so everything is validated on the way in.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from esi_fast.errors import RecordError

__all__ = [
    "SCHEMA_VERSION",
    "ActionRecord",
    "AnswerType",
    "CameraSpec",
    "CheckResult",
    "CoatSpec",
    "EpisodeRecord",
    "Evidence",
    "FrameRecord",
    "Instance",
    "LightSpec",
    "ObjectSpec",
    "Outcome",
    "Question",
    "Record",
    "RoomSpec",
    "SceneSpec",
    "StepRecord",
    "canonical_json",
    "read_record",
]

SCHEMA_VERSION = 1

Vec2: TypeAlias = tuple[float, float]
Vec3: TypeAlias = tuple[float, float, float]
Quat: TypeAlias = tuple[float, float, float, float]
Name: TypeAlias = Annotated[str, Field(min_length=1, max_length=200)]
AnswerType: TypeAlias = Literal["choice", "count", "sequence", "assignment", "order", "set"]
# What an object is to the observer (TASKS rules): structure and furniture are public,
# question objects, mirrors and fillers are hidden.
Role: TypeAlias = Literal["structure", "furniture", "question", "mirror", "context"]


class Record(BaseModel):
    """Base of all records: frozen, strict about names, finite numbers only."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class CoatSpec(Record):
    """One coat of paint (or veneer, or foil) over some parts of a model.

    ``finish`` names a palette of ``esi_fast.assets.coats``, ``index`` a material in it (counted
    round), ``parts`` are part numbers of the model; the other parts keep their own colours.
    """

    finish: Name
    index: int = Field(default=0, ge=0)
    parts: tuple[int, ...]


class ObjectSpec(Record):
    """One object. Its shape is a pure function of ``category``, ``model`` and ``palette``.

    ``position`` is the centre of the object's unrotated bounding box in world coordinates,
    ``orientation`` its rotation; ``scale`` multiplies the model's own size per local axis.
    ``points`` are where the particles of a soft object (cloth, loose water) are, in metres in the
    frame of ``position`` and ``orientation``; empty for anything in the shape of its model.
    ``coat`` paints parts of it over. ``appearance`` is for objects of which the question asks what
    they are: their masks go by this name and by the looks of their parts, never by the category.
    """

    id: Name
    category: Name
    model: Name
    position: Vec3
    orientation: Quat = (0.0, 0.0, 0.0, 1.0)
    scale: Vec3 = (1.0, 1.0, 1.0)
    role: Role = "furniture"
    room: str = ""
    fixed: bool = False
    palette: int = 0
    state: dict[str, float] = Field(default_factory=dict)
    points: tuple[Vec3, ...] = ()
    coat: CoatSpec | None = None
    appearance: str = ""

    @field_validator("orientation")
    @classmethod
    def _unit(cls, value: Quat) -> Quat:
        norm = sum(v * v for v in value)
        if abs(norm - 1.0) > 1e-6:
            raise ValueError(f"expected a unit quaternion xyzw, got squared norm {norm:.6g}")
        return value

    @field_validator("scale")
    @classmethod
    def _positive(cls, value: Vec3) -> Vec3:
        if min(value) <= 0.0:
            raise ValueError(f"expected positive factors, got {value}")
        return value


class RoomSpec(Record):
    """A room as an axis-aligned rectangle of floor.

    ``reachable`` says whether one can walk there from the first room while the doors stand as
    they were recorded.
    """

    id: Name
    type: Name
    lower: Vec2
    upper: Vec2
    ceiling_height: float = 2.6
    reachable: bool = True

    @model_validator(mode="after")
    def _ordered(self) -> RoomSpec:
        if self.lower[0] >= self.upper[0] or self.lower[1] >= self.upper[1]:
            raise ValueError(f"lower: expected below upper {self.upper}, got {self.lower}")
        return self


class LightSpec(Record):
    """A light: ``point`` (radius 0), ``area`` (a sphere of ``radius``), ``spot`` (a cone of full
    angle ``cone_deg`` about ``direction``) or ``sun`` (direction).

    ``color`` is linear RGB power: the irradiance at one metre, for ``sun`` the irradiance
    everywhere. ``glare`` makes it dazzle who looks towards it: the light that scatters in the
    eye, in multiples of the disability glare of Stiles and Holladay.
    """

    type: Literal["point", "area", "sun", "spot"] = "area"
    position: Vec3 = (0.0, 0.0, 0.0)
    direction: Vec3 = (0.0, 0.0, -1.0)
    radius: float = Field(default=0.15, ge=0.0)
    color: Vec3 = (1.0, 1.0, 1.0)
    cone_deg: float = Field(default=60.0, ge=0.1, le=179.0)
    glare: float = Field(default=0.0, ge=0.0)

    @model_validator(mode="after")
    def _shines(self) -> LightSpec:
        if min(self.color) < 0.0:
            raise ValueError(f"color: expected at least 0, got {self.color}")
        if self.type in ("sun", "spot") and max(map(abs, self.direction)) < 1e-9:
            raise ValueError("direction: expected a vector of positive length, got zero")
        return self


class SceneSpec(Record):
    """A whole scene as plain data.

    ``lighting`` names the preset that ``lights``, ``ambient`` and ``sky`` (brightness of the sky
    behind the windows, 1 by day) come from, "" for none. ``approximations`` say in what the scene
    differs from what its name promises.
    """

    name: Name
    seed: int = 0
    rooms: tuple[RoomSpec, ...] = ()
    objects: tuple[ObjectSpec, ...] = ()
    lights: tuple[LightSpec, ...] = ()
    ambient: Vec3 = (0.35, 0.35, 0.37)
    sky: float = Field(default=1.0, ge=0.0)
    lighting: str = ""
    provenance: str = ""
    approximations: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _unique(self) -> SceneSpec:
        seen: set[str] = set()
        for obj in self.objects:
            if obj.id in seen:
                raise ValueError(f"objects: id {obj.id!r} occurs twice")
            seen.add(obj.id)
        return self

    def with_objects(self, objects: tuple[ObjectSpec, ...]) -> SceneSpec:
        """The same scene with other objects (validated)."""
        return SceneSpec(**{**dict(self), "objects": objects})


class CameraSpec(Record):
    """A pinhole camera: pose, size in pixels, vertical field of view in degrees."""

    position: Vec3
    orientation: Quat
    width: int = Field(default=512, ge=1, le=8192)
    height: int = Field(default=512, ge=1, le=8192)
    vfov_deg: float = Field(default=70.0, gt=0.0, lt=180.0)


class ActionRecord(Record):
    """An action of the paper's vocabulary with its arguments, for example ``turn_left``."""

    name: Name
    args: tuple[str, ...] = ()


class Outcome(Record):
    """What an action did, part of the public history.

    ``reason`` is why it failed; of one that succeeded, what anybody would notice beside, such as
    ``spilled``.
    """

    ok: bool
    reason: str = ""


class FrameRecord(Record):
    """One view as the observer may know it.

    ``masks`` maps an appearance class (a category, look-alikes not told apart, reflections and
    refractions not flagged; for an object with an ``appearance`` of its own that name and the look
    of the part, such as ``object:#efece4``) to run lengths over the flattened image: alternating
    counts of pixels outside and inside, starting with outside.
    ``handles`` are the names by which actions know the things in view, each with the box of its
    pixels (column0, row0, column1, row1; upper ends exclusive).
    """

    camera: CameraSpec
    masks: dict[str, tuple[int, ...]]
    handles: dict[str, tuple[int, int, int, int]] = Field(default_factory=dict)
    action: ActionRecord | None = None
    outcome: Outcome | None = None


class Question(Record):
    """The question as asked: text, type, options in recorded order."""

    text: str
    answer_type: AnswerType = "choice"
    options: tuple[str, ...]


class Evidence(Record):
    """A label with the numbers that decide it, from one derivation."""

    answer: str
    method: Name
    numbers: dict[str, float]


class CheckResult(Record):
    """One check of a draft: its name, whether it passed, and what it measured."""

    name: Name
    passed: bool
    numbers: dict[str, float] = Field(default_factory=dict)


class Instance(Record):
    """One question with everything needed to rebuild, ask, prove and score it.

    ``public`` is what the observer may know beside the frames (question objects' categories and
    models, guards, counts). ``targets`` are the objects that were asked for with the question:
    category and model by id. ``nouns`` are words of the question that actions may name objects
    by, with the objects' ids. ``hide`` are ids of objects that are not drawn and not in the
    camera's way, such as the ceilings for a camera above them. ``context_labels`` say what each
    context view shows, such as the name of its room.
    """

    schema_version: int = SCHEMA_VERSION
    id: Name
    task: Name
    task_version: int = 1
    index: int = Field(ge=0)
    seed: int
    backend: Name
    backend_version: str = ""
    approximations: tuple[str, ...] = ()
    scene: SceneSpec
    question: Question
    answer: str
    label: Evidence
    witness: Evidence
    public: dict[str, Any] = Field(default_factory=dict)
    initial_camera: CameraSpec
    context_cameras: tuple[CameraSpec, ...] = ()
    context_labels: tuple[str, ...] = ()
    nouns: dict[str, str] = Field(default_factory=dict)
    targets: dict[str, tuple[str, str]] = Field(default_factory=dict)
    hide: tuple[str, ...] = ()
    passive_actions: tuple[ActionRecord, ...] = ()
    oracle_actions: tuple[ActionRecord, ...] = ()
    oracle_possible: tuple[tuple[str, ...], ...] = ()
    visibility: tuple[dict[str, int], ...] = ()
    checks: tuple[CheckResult, ...] = ()
    images: dict[str, str] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _consistent(self) -> Instance:
        if self.schema_version > SCHEMA_VERSION:
            raise ValueError(
                f"schema_version: this program reads up to {SCHEMA_VERSION}, "
                f"got {self.schema_version}; a newer esi-fast is needed"
            )
        if len(self.context_labels) not in (0, len(self.context_cameras)):
            raise ValueError(
                f"context_labels: expected none or {len(self.context_cameras)}, "
                f"got {len(self.context_labels)}"
            )
        if self.answer not in self.question.options:
            raise ValueError(
                f"answer: expected one of {self.question.options}, got {self.answer!r}"
            )
        return self


class StepRecord(Record):
    """One step of an episode."""

    image: str = ""
    camera: CameraSpec
    raw_reply: str = ""
    action: ActionRecord | None = None
    valid: bool = True
    outcome: Outcome | None = None
    belief: str | None = None
    confidence: float | None = Field(default=None, ge=0.0, le=1.0)
    possible: tuple[str, ...] = ()
    evidence: float = 0.0


class EpisodeRecord(Record):
    """One episode, written whole or not at all. Scores are kept apart, timings too."""

    schema_version: int = SCHEMA_VERSION
    key: Name
    run: Name
    instance: Name
    instance_hash: str
    task: Name
    paradigm: Name
    agent: Name
    model: str = ""
    prompt_hash: str = ""
    budget: int = Field(default=30, ge=0)
    policies: dict[str, str] = Field(default_factory=dict)
    steps: tuple[StepRecord, ...] = ()
    answer: str | None = None
    answer_confidence: float | None = Field(default=None, ge=0.0, le=1.0)
    stop_reason: Literal["answered", "forced", "no_answer", "error"] = "answered"
    error: str = ""


def canonical_json(record: Record) -> str:
    """One line of JSON with sorted keys: the same record gives the same bytes."""
    data = record.model_dump(mode="json")
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def read_record(kind: type[Record], text: str, *, where: str | Path = "") -> Any:
    """Parse one JSON record; ``RecordError`` names the place, the field and what was wrong."""
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "(whole)"
        prefix = f"{where}: " if str(where) else ""
        raise RecordError(f"{prefix}{kind.__name__}.{field}: {first['msg']}") from error
