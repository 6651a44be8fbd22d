"""Re-derives the labels of published mirror questions from the geometry that their rows record.

What is read: the poses of camera and mirror, the field of view, the models and the positions of
the objects. What is never read: a field that repeats the answer or a step towards it (visibility
flags, distances, position labels, mirrored positions, offsets, the order of the entries).

A question asserts something about its picture: "you see X through the mirror", "A and B are
reflected and A is closer", "the left one of three is the reflected one". The verdict says whether
the recorded geometry bears that out:

``agrees``       it does
``contradicts``  it cannot be so, for no part of the objects and under no admissible picture
``undecidable``  the row does not record what would decide it, or the question has no answer

A contradiction must hold for the whole object, an agreement for its centre; where the extent of an
object would change the matter, the verdict is marked as a near tie.

What is not recorded stays open. Furniture may hide things: that an object *can* be seen is only
an upper bound, that it cannot is certain. Where exactly one of the two ways to see it remains, the
question's own premise ("you can see it") decides. The shape of the picture is not recorded either:
the field of view is horizontal, and pictures from 1:1 to 16:9 are admitted. A mirror may have a
frame. Orientations are not recorded for all objects, so an object is bounded by the upright box
around all its turns.
"""

from __future__ import annotations

import enum
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from esi_fast import geometry as geo
from esi_fast.dataset.official import OfficialQuestion
from esi_fast.errors import RecordError
from esi_fast.geometry.relations import RelationStatus

__all__ = [
    "REASONS",
    "RELABELLED",
    "MirrorRow",
    "PlacedObject",
    "Sight",
    "Verdict",
    "direct",
    "mirror_row",
    "model_box",
    "reflected",
    "relabel",
]

FloatArray: TypeAlias = NDArray[np.float64]
Judgement: TypeAlias = Literal["agrees", "contradicts", "undecidable"]

# Recorded positions are good to about this: objects rest 0.01 m above where their boxes say.
TIE_M: Final = 0.01
# Distances closer than this are hard to tell apart: the label gap of our own task.
NEAR_M: Final = 0.15
NEAR_RATIO: Final = 0.10
# Columns closer than this part of the picture's width give no order.
COLUMN_PART: Final = 0.01
# Admitted shapes of the picture, width over height.
ASPECTS: Final = (1.0, 16.0 / 9.0)
# A mirror's glass may end this far inside its box, all around (a usual frame).
FRAME_M: Final = 0.03
# Half size for a model that is not in the table: no object of the release's pool is larger
# (apart from flat cloths).
UNKNOWN_HALF_M: Final = 0.5


class Sight(enum.IntEnum):
    """Whether something can be seen, furniture aside."""

    NOT = 0
    """No part of it, in no admissible picture: certain."""
    EDGE_OUT = 1
    """Its centre cannot be seen, a part of it perhaps."""
    EDGE_IN = 2
    """Its centre can, in some admissible pictures."""
    SEEN = 3
    """Its centre can, in all of them."""

    @property
    def center(self) -> bool:
        return self >= Sight.EDGE_IN


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the geometry says about one row.

    ``label`` is the row's answer, ``derived`` ours (empty if there is none), ``reason`` a short
    stable code (see ``REASONS``), ``near_tie`` that the extent of an object or the shape of the
    picture could change the verdict, ``numbers`` what decided (metres, degrees).
    """

    row: int
    id: str
    task: str
    label: str
    derived: str
    verdict: Judgement
    reason: str
    near_tie: bool
    numbers: Mapping[str, float] = field(default_factory=dict)
    detail: str = ""


REASONS: Final[Mapping[str, str]] = {
    "as_labelled": "the recorded poses give the label",
    "not_reflected": "the object cannot be reflected to the camera",
    "not_in_view": "the object cannot be seen directly",
    "other_way": "the object can be seen only the other way",
    "both_ways": "the object is seen directly and in the mirror, unless furniture hides one",
    "edges": "it depends on the object's edges or on the shape of the picture",
    "wrong_order": "the other object is closer",
    "tie": "the two distances are equal within the accuracy of the record",
    "several_reflected": "more than one of the objects is reflected",
    "no_order": "the objects have no order from left to right in the picture",
    "metadata": "the row does not record what is needed",
}


# --- reading -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlacedObject:
    """An object: its handle in the question, position of its box's centre, half extents (m).

    ``half`` bounds all turns about the vertical.
    """

    alias: str
    category: str
    position: FloatArray
    half: FloatArray


@dataclass(frozen=True, slots=True)
class MirrorRow:
    """The geometry of a mirror question.

    ``narrow`` and ``wide`` are the camera with the flattest and the tallest admitted picture.
    ``surely`` and ``at_most`` bound the glass of the mirror; ``panel`` is what is opaque for sure.
    ``surely`` and ``panel`` are ``None`` where the mirror's model, and so its height, is unknown.
    """

    narrow: geo.Camera
    wide: geo.Camera
    surely: geo.mirror.Mirror | None
    at_most: geo.mirror.Mirror
    panel: geo.mirror.Mirror | None
    recorded_half_width: float
    objects: tuple[PlacedObject, ...]


@cache
def _boxes() -> Mapping[str, Sequence[float]]:
    text = (files("esi_fast.dataset") / "model_boxes.json").read_text()
    boxes: Mapping[str, Sequence[float]] = json.loads(text)
    return boxes


def model_box(model: str) -> FloatArray | None:
    """Full size (3,) in metres of a BEHAVIOR-1K model, or ``None`` if it is not in the table."""
    size = _boxes().get(model)
    return None if size is None else np.array(size, dtype=np.float64)


class _Fields:
    """Typed access to nested metadata; errors name the whole path."""

    def __init__(self, value: Any, path: str, where: str) -> None:
        self._value, self._path, self._where = value, path, where

    def _fail(self, message: str) -> RecordError:
        return RecordError(f"{self._where}: {self._path or 'metadata'}: {message}")

    def at(self, *names: str) -> _Fields:
        found = self
        for name in names:
            path = f"{found._path}.{name}" if found._path else name
            if not isinstance(found._value, dict) or name not in found._value:
                raise _Fields(None, path, self._where)._fail("missing")
            found = _Fields(found._value[name], path, self._where)
        return found

    def items(self) -> list[_Fields]:
        if not isinstance(self._value, list):
            raise self._fail("expected a list")
        return [
            _Fields(item, f"{self._path}.{n}", self._where) for n, item in enumerate(self._value)
        ]

    def text(self) -> str:
        if not isinstance(self._value, str):
            raise self._fail("expected a text")
        return self._value

    def number(self, low: float, high: float) -> float:
        return float(self._numbers((self._value,), low, high)[0])

    def vector(self, length: int, bound: float = 1e4) -> FloatArray:
        if not isinstance(self._value, list) or len(self._value) != length:
            raise self._fail(f"expected {length} numbers")
        return self._numbers(self._value, -bound, bound)

    def quaternion(self) -> FloatArray:
        value = self.vector(4, 2.0)
        if abs(float(value @ value) - 1.0) > 1e-3:
            raise self._fail(f"expected a unit quaternion, got {value.tolist()}")
        return value

    def _numbers(self, values: Sequence[Any], low: float, high: float) -> FloatArray:
        for value in values:
            good = isinstance(value, (int, float)) and not isinstance(value, bool)
            if not good or not low <= value <= high:
                raise self._fail(f"expected numbers from {low:g} to {high:g}, got {value!r}")
        return np.array(values, dtype=np.float64)


def mirror_row(question: OfficialQuestion) -> MirrorRow:
    """The geometry that the row records; ``RecordError`` names a field that is missing or wrong."""
    where = f"{question.source}:{question.row}"
    top = _Fields(question.metadata(), "", where)
    setup = top.at("question_data", "scene_setup")
    position = setup.at("camera", "position").vector(3)
    orientation = setup.at("camera", "quaternion_xyzw").quaternion()
    hfov = top.at("camera_poses", "fov_deg").number(1.0, 170.0)
    wide, narrow = (_camera(position, orientation, hfov, aspect) for aspect in ASPECTS)
    at = setup.at("mirror", "position").vector(3)
    turn = setup.at("mirror", "quaternion_xyzw").quaternion()
    half_width = setup.at("mirror", "half_width_m").number(1e-3, 100.0)
    box = model_box(top.at("mirror_setup", "model").text())
    if box is not None:
        panel = at_most = geo.mirror.Mirror.on_box(at, turn, box)
        inner = box - (0.0, 2.0 * FRAME_M, 2.0 * FRAME_M)
        surely = geo.mirror.Mirror.on_box(at, turn, inner) if inner.min() > 0.0 else None
    else:
        # Recorded is half the larger side of the box around the turned mirror: the true width is
        # at least that (thin mirrors), and at most that over the cosine of the turn.
        yaw = geo.transforms.yaw_of(turn)
        cosine = max(abs(math.cos(yaw)), abs(math.sin(yaw)))
        surely = panel = None
        at_most = geo.mirror.Mirror(at, turn, 2.0 * half_width / cosine, 10.0)
    objects = tuple(_placed(item) for item in top.at("question_data", "placement").items())
    return MirrorRow(narrow, wide, surely, at_most, panel, half_width, objects)


def _camera(
    position: FloatArray, orientation: FloatArray, hfov: float, aspect: float
) -> geo.Camera:
    height = 900
    half = math.tan(math.radians(0.5 * hfov))
    vfov = math.degrees(2.0 * math.atan(half / aspect))
    return geo.Camera(position, orientation, round(aspect * height), height, vfov)


def _placed(item: _Fields) -> PlacedObject:
    box = model_box(item.at("model").text())
    if box is None:
        half = np.full(3, UNKNOWN_HALF_M)
    else:
        radius = 0.5 * math.hypot(box[0], box[1])
        half = np.array([radius, radius, 0.5 * box[2]])
    return PlacedObject(
        item.at("alias").text(),
        item.at("category").text(),
        item.at("real_position").vector(3),
        half,
    )


# --- seeing --------------------------------------------------------------------------------------


def _corners(thing: PlacedObject) -> FloatArray:
    """The corners (8, 3) of the box that bounds the object."""
    signs = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, 8).T
    return np.asarray(thing.position + signs * thing.half)


def _pyramid(apex: FloatArray, rim: FloatArray) -> FloatArray:
    """Inward normals (K, 3) of the sides of the pyramid from ``apex`` over the ``rim`` (K, 3)."""
    arms = rim - apex
    normals = np.cross(arms, np.roll(arms, -1, axis=0))
    inside = arms.mean(axis=0)
    return np.asarray(normals * np.where(normals @ inside < 0.0, -1.0, 1.0)[:, None])


def _picture_rim(camera: geo.Camera) -> FloatArray:
    w, h = camera.width, camera.height
    return camera.unproject(np.array([[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]]), 1.0)


def _all_outside(points: FloatArray, apex: FloatArray, normals: FloatArray) -> bool:
    """Whether one side of the pyramid has all points on its outer side (so their hull, too)."""
    return bool(((points - apex) @ normals.T <= 0.0).all(axis=0).any())


def direct(row: MirrorRow, thing: PlacedObject) -> Sight:
    """Whether the camera can see the object itself; the mirror's panel is opaque."""
    eye = row.wide.position
    corners = _corners(thing)

    def behind(panel: geo.mirror.Mirror, points: FloatArray) -> NDArray[np.bool_]:
        # The straight way from the eye meets the panel where the bent way to the image does.
        images = geo.mirror.reflect_points(points, panel)
        return np.asarray(geo.mirror.hit_point(eye[None], images, panel).meets)

    if _all_outside(corners, eye, _pyramid(eye, _picture_rim(row.wide))):
        return Sight.NOT
    if row.panel is not None and behind(row.panel, corners).all():
        return Sight.NOT
    center = thing.position[None]
    if not row.wide.project(center).in_image[0]:
        return Sight.EDGE_OUT
    if row.panel is not None and behind(row.panel, center)[0]:
        return Sight.EDGE_OUT
    if not row.narrow.project(center).in_image[0] or behind(row.at_most, center)[0]:
        return Sight.EDGE_IN
    return Sight.SEEN


def reflected(row: MirrorRow, thing: PlacedObject) -> Sight:
    """Whether the camera can see the object in the mirror."""
    eye, mirror = row.wide.position, row.at_most
    corners = _corners(thing)
    if mirror.depth(eye) <= 0.0 or (mirror.depth(corners) <= 0.0).all():
        return Sight.NOT
    images = geo.mirror.reflect_points(corners, mirror)
    for rim in (mirror.corners, _picture_rim(row.wide)):
        if _all_outside(images, eye, _pyramid(eye, rim)):
            return Sight.NOT
    center = thing.position[None]
    if not geo.mirror.image_point(row.wide, center, mirror).in_image[0]:
        return Sight.EDGE_OUT
    if row.surely is None or not geo.mirror.image_point(row.narrow, center, row.surely).in_image[0]:
        return Sight.EDGE_IN
    return Sight.SEEN


def _numbers(row: MirrorRow, thing: PlacedObject, prefix: str = "") -> dict[str, float]:
    """What decides whether and where an object is seen."""
    mirror, eye = row.at_most, row.wide.position
    local = row.wide.rotation.T @ (thing.position - eye)
    hit = mirror.axes @ (
        geo.mirror.hit_point(eye[None], thing.position[None], mirror).point[0] - mirror.center
    )
    numbers = {
        "distance_m": float(np.linalg.norm(thing.position - eye)),
        "to_mirror_m": float(mirror.depth(thing.position)),
        "mirror_u_m": float(hit[1]),
        "mirror_v_m": float(hit[2]),
        "direct_azimuth_deg": math.degrees(math.atan2(local[0], -local[2])),
        "direct_elevation_deg": math.degrees(math.atan2(local[1], math.hypot(local[0], local[2]))),
        "radius_m": float(thing.half[0]),
    }
    return {f"{prefix}{name}": round(value, 6) for name, value in numbers.items()}


def _shared_numbers(row: MirrorRow) -> dict[str, float]:
    numbers = {
        "half_width_m": 0.5 * row.at_most.width,
        "recorded_half_width_m": row.recorded_half_width,
        "half_height_m": 0.5 * row.at_most.height,
        "camera_to_mirror_m": float(row.at_most.depth(row.wide.position)),
        "half_hfov_deg": 0.5 * row.wide.hfov_deg,
    }
    return {name: round(value, 6) for name, value in numbers.items()}


# --- verdicts ------------------------------------------------------------------------------------

_Found: TypeAlias = tuple[str, Judgement, str, bool, dict[str, float], str]


def _one_object(row: MirrorRow, where: str) -> PlacedObject:
    if len(row.objects) != 1:
        raise RecordError(f"{where}: question_data.placement: expected one object")
    return row.objects[0]


def _reflection_authoring(row: MirrorRow, label: str, where: str) -> _Found:
    """ "You can see X. Are you seeing it through the mirror?" """
    thing = _one_object(row, where)
    mirrored, plain = reflected(row, thing), direct(row, thing)
    numbers = {"reflected": float(mirrored), "direct": float(plain), **_numbers(row, thing)}
    detail = f"reflected {mirrored.name}, direct {plain.name}"
    # The two answers are each other's mirror image: `asked` must be seen, `other` must not.
    asked, other = (mirrored, plain) if label == "yes" else (plain, mirrored)
    opposite = {"yes": "no", "no": "yes"}[label]

    def found(derived: str, verdict: Judgement, reason: str, near: bool = False) -> _Found:
        return derived, verdict, reason, near, numbers, detail

    if asked is Sight.NOT:
        if other is Sight.NOT:
            return found("", "contradicts", "not_reflected" if label == "yes" else "not_in_view")
        return found(opposite, "contradicts", "other_way", other is not Sight.SEEN)
    if other is Sight.NOT:
        return found(label, "agrees", "as_labelled", asked is not Sight.SEEN)
    if other is Sight.EDGE_OUT and asked.center:
        return found(label, "agrees", "as_labelled", True)
    if asked.center and other.center:
        return found("", "undecidable", "both_ways", min(asked, other) is not Sight.SEEN)
    return found("", "undecidable", "edges", True)


def _spatial_relations(row: MirrorRow, label: str, where: str) -> _Found:
    """ "In the mirror, you can see A and B. Which is really closer to you?" """
    by_alias = {thing.alias: thing for thing in row.objects}
    if set(by_alias) != {"A", "B"} or len(row.objects) != 2:
        raise RecordError(f"{where}: question_data.placement: expected objects A and B")
    a, b = by_alias["A"], by_alias["B"]
    sights = {"A": reflected(row, a), "B": reflected(row, b)}
    closer = geo.relations.closer_of_two(row.wide.position, a.position, b.position, gap=TIE_M)
    gap = float(closer.margin)
    numbers = {
        "gap_m": round(gap, 6),
        "A.reflected": float(sights["A"]),
        "B.reflected": float(sights["B"]),
        "A.direct": float(direct(row, a)),
        "B.direct": float(direct(row, b)),
        **_numbers(row, a, "A."),
        **_numbers(row, b, "B."),
    }
    detail = f"A {sights['A'].name}, B {sights['B'].name} reflected"
    which = int(closer.which)
    derived = "" if which < 0 else "AB"[which]
    close = gap < max(NEAR_M, NEAR_RATIO * float(closer.distances.min()))
    clear = min(sights.values()) is Sight.SEEN

    def found(verdict: Judgement, reason: str, near: bool) -> _Found:
        return derived, verdict, reason, near, numbers, detail

    if min(sights.values()) is Sight.NOT:
        return found("contradicts", "not_reflected", False)
    if not derived:
        return found("undecidable", "tie", True)
    if derived != label:
        return found("contradicts", "wrong_order", close)
    return found("agrees", "as_labelled", close or not clear)


def _correspondence(row: MirrorRow, label: str, where: str) -> _Found:
    """ "Which of the three is the reflected one: the left, the middle or the right?" """
    names = ("left", "middle", "right")
    if len(row.objects) != 3 or label not in names:
        raise RecordError(f"{where}: question_data.placement: expected three objects")
    positions = np.stack([thing.position for thing in row.objects])
    columns = row.wide.project(positions).pixels[:, 0]
    gap = COLUMN_PART * row.wide.width
    order = geo.relations.left_middle_right(row.wide, positions, min_pixels=gap)
    numbers: dict[str, float] = {}
    if order.status != RelationStatus.OK:
        for thing in row.objects:
            numbers |= _numbers(row, thing, f"{thing.alias}.")
        return "", "undecidable", "no_order", True, numbers, order.status.name
    things = [row.objects[int(np.flatnonzero(order.rank == rank)[0])] for rank in range(3)]
    mirrored = [reflected(row, thing) for thing in things]
    plain = [direct(row, thing) for thing in things]
    for name, thing, in_mirror, in_view in zip(names, things, mirrored, plain, strict=True):
        numbers |= {f"{name}.reflected": float(in_mirror), f"{name}.direct": float(in_view)}
        numbers |= _numbers(row, thing, f"{name}.")
    numbers["column_gap"] = round(float(np.diff(np.sort(columns)).min()) / row.wide.width, 6)
    detail = "reflected " + ", ".join(f"{n} {s.name}" for n, s in zip(names, mirrored, strict=True))
    asked = mirrored[names.index(label)]
    others = [sight for name, sight in zip(names, mirrored, strict=True) if name != label]
    shown = [name for name, sight in zip(names, mirrored, strict=True) if sight.center]
    derived = shown[0] if len(shown) == 1 else ""

    def found(derived: str, verdict: Judgement, reason: str, near: bool = False) -> _Found:
        return derived, verdict, reason, near, numbers, detail

    if min(plain) is Sight.NOT:
        return found(derived, "contradicts", "not_in_view")
    if asked is Sight.NOT:
        return found(derived, "contradicts", "not_reflected")
    if len(shown) > 1:
        return found("", "undecidable", "several_reflected", max(others) is not Sight.SEEN)
    if derived != label:
        return found(derived, "undecidable", "edges", True)
    clear = asked is Sight.SEEN and max(others) is Sight.NOT
    return found(label, "agrees", "as_labelled", not (clear and all(s.center for s in plain)))


_RULES: Final[Mapping[str, Callable[[MirrorRow, str, str], _Found]]] = {
    "specular_reflection/reflection_authoring": _reflection_authoring,
    "specular_reflection/spatial_relations": _spatial_relations,
    "specular_reflection/correspondence": _correspondence,
}

RELABELLED: Final = tuple(_RULES)


def relabel(question: OfficialQuestion) -> Verdict:
    """The verdict of the recorded geometry on a question's label.

    Raises ``ValueError`` for a subcategory without rules. A row that does not record what is
    needed is undecidable, with the field in ``detail``.
    """
    rule = _RULES.get(question.task)
    if rule is None:
        raise ValueError(f"question: expected one of {sorted(_RULES)}, got {question.task!r}")
    label = question.answer_texts[0][0]
    try:
        row = mirror_row(question)
        derived, verdict, reason, near, numbers, detail = rule(
            row, label, f"{question.source}:{question.row}"
        )
        numbers |= _shared_numbers(row)
    except RecordError as error:
        derived, verdict, reason, near, numbers = "", "undecidable", "metadata", False, {}
        detail = str(error)
    return Verdict(
        row=question.row,
        id=question.id,
        task=question.task,
        label=label,
        derived=derived,
        verdict=verdict,
        reason=reason,
        near_tie=near,
        numbers=numbers,
        detail=detail,
    )
