"""Specular Reflection: what is seen through a mirror, what is closer, which one is reflected.

A question asserts something about its picture: "you see X through the mirror", "A and B are
reflected and A is closer", "the left one of three is the reflected one". The verdict says whether
the recorded geometry bears that out. A contradiction must hold for the whole object, an agreement
for its centre; where the extent of an object would change the matter, the verdict is a near tie.
Where exactly one of the two ways to see something remains, the question's own premise ("you can
see it") decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from esi_fast import geometry as geo
from esi_fast.dataset.official import OfficialQuestion
from esi_fast.dataset.relabel._mirror_rows import (
    FRAME_M,
    MirrorRow,
    PlacedObject,
    Sight,
    direct,
    mirror_row,
    numbers_of,
    reflected,
    shared_numbers,
)
from esi_fast.dataset.relabel._mirror_stored import stored_numbers
from esi_fast.dataset.relabel._reading import FloatArray, camera_shape, metadata, point_shape
from esi_fast.dataset.relabel._registry import judged, label_of, rule
from esi_fast.dataset.relabel._verdict import Judgement, Shape, Verdict
from esi_fast.geometry.relations import RelationStatus

__all__: list[str] = []

# Recorded positions are good to about this: objects rest 0.01 m above where their boxes say.
TIE_M: Final = 0.01
# Distances closer than this are hard to tell apart: the label gap of our own task.
NEAR_M: Final = 0.15
NEAR_RATIO: Final = 0.10
# Columns closer than this part of the picture's width give no order.
COLUMN_PART: Final = 0.01

_SEEING: Final = {
    "not_reflected": "the object cannot be reflected to the camera",
    "not_in_view": "the object cannot be seen directly",
    "edges": "it depends on the object's edges or on the shape of the picture",
}


def _shapes(row: MirrorRow) -> list[Shape]:
    ends = row.at_most.center + np.outer([-0.5, 0.5], row.at_most.axes[1]) * row.at_most.width
    shapes = [
        camera_shape("camera", row.wide.position, row.wide.orientation),
        # From the first end to the second the reflecting normal is to the left.
        Shape("mirror", "mirror", tuple((float(x), float(y), float(z)) for x, y, z in ends[::-1])),
    ]
    return shapes + [point_shape(thing.alias, thing.position) for thing in row.objects]


def _edge_distance(row: MirrorRow, thing: PlacedObject) -> float:
    """How far (m) the object's centre meets the mirror's plane from the edge of its box."""
    numbers = numbers_of(row, thing)
    half = 0.5 * np.array([row.at_most.width, row.at_most.height])
    beyond = np.abs([numbers["mirror_u_m"], numbers["mirror_v_m"]]) - half
    if beyond.max() <= 0.0:
        return float(-beyond.max())
    return float(np.linalg.norm(np.maximum(beyond, 0.0)))


def _variants(row: MirrorRow) -> list[tuple[str, geo.Camera, geo.mirror.Mirror]]:
    """The mirrors and pictures that the record admits, as other thresholds of what is seen."""
    found = [
        ("the mirror's whole box, picture 1:1", row.wide, row.at_most),
        ("the mirror's whole box, picture 16:9", row.narrow, row.at_most),
    ]
    if row.surely is not None:
        found.append((f"a frame of {FRAME_M:g} m, picture 1:1", row.wide, row.surely))
        found.append((f"a frame of {FRAME_M:g} m, picture 16:9", row.narrow, row.surely))
    return found


def _reflected_in(
    camera: geo.Camera, mirror: geo.mirror.Mirror, things: Sequence[PlacedObject]
) -> list[bool]:
    positions = np.stack([thing.position for thing in things])
    seen = geo.mirror.image_point(camera, positions, mirror).in_image
    return [bool(value) for value in seen]


def _directly_in(camera: geo.Camera, position: FloatArray) -> bool:
    return bool(camera.project(position[None]).in_image[0])


@rule(
    "specular_reflection/reflection_authoring",
    reasons={
        **_SEEING,
        "other_way": "the object can be seen only the other way",
        "both_ways": "the object is seen directly and in the mirror, unless furniture hides one",
    },
)
def reflection_authoring(question: OfficialQuestion) -> Verdict:
    """ "You can see X. Are you seeing it through the mirror?" """
    row, label = mirror_row(question), label_of(question)
    stored = stored_numbers(question)
    if len(row.objects) != 1:
        raise metadata(question).at("question_data", "placement").error("expected one object")
    (thing,) = row.objects
    mirrored, plain = reflected(row, thing), direct(row, thing)
    numbers = {"reflected": float(mirrored), "direct": float(plain), **numbers_of(row, thing)}
    # The two answers are each other's mirror image: `asked` must be seen, `other` must not.
    asked, other = (mirrored, plain) if label == "yes" else (plain, mirrored)
    opposite = {"yes": "no", "no": "yes"}[label]
    hidden = not plain.center
    others = {}
    for name, camera, mirror in _variants(row):
        ways = (
            _reflected_in(camera, mirror, [thing])[0],
            not hidden and _directly_in(camera, thing.position),
        )
        others[name] = {(True, False): "yes", (False, True): "no"}.get(ways, "")

    def found(derived: str, verdict: Judgement, reason: str, near: bool = False) -> Verdict:
        return judged(
            question,
            verdict,
            reason,
            derived=derived,
            near_tie=near,
            margin=_edge_distance(row, thing),
            unit="m",
            threshold="where the bent line of sight meets the mirror's plane, from its edge",
            others=others,
            numbers={**numbers, **shared_numbers(row)},
            detail=f"reflected {mirrored.name}, direct {plain.name}",
            stored=stored,
            shapes=_shapes(row),
        )

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


@rule(
    "specular_reflection/spatial_relations",
    reasons={
        **_SEEING,
        "wrong_order": "the other object is closer",
        "tie": "the two distances are equal within the accuracy of the record",
    },
)
def spatial_relations(question: OfficialQuestion) -> Verdict:
    """ "In the mirror, you can see A and B. Which is really closer to you?" """
    row, label = mirror_row(question), label_of(question)
    stored = stored_numbers(question)
    by_alias = {thing.alias: thing for thing in row.objects}
    if set(by_alias) != {"A", "B"} or len(row.objects) != 2:
        raise metadata(question).at("question_data", "placement").error("expected objects A and B")
    a, b = by_alias["A"], by_alias["B"]
    sights = {"A": reflected(row, a), "B": reflected(row, b)}
    closer = geo.relations.closer_of_two(row.wide.position, a.position, b.position, gap=TIE_M)
    gap = float(closer.margin)
    numbers = {
        "gap_m": gap,
        "A.reflected": float(sights["A"]),
        "B.reflected": float(sights["B"]),
        "A.direct": float(direct(row, a)),
        "B.direct": float(direct(row, b)),
        **numbers_of(row, a, "A."),
        **numbers_of(row, b, "B."),
    }
    which = int(closer.which)
    derived = "" if which < 0 else "AB"[which]
    nearest = float(closer.distances.min())
    first = "AB"[int(closer.distances.argmin())]
    close = gap < max(NEAR_M, NEAR_RATIO * nearest)
    clear = min(sights.values()) is Sight.SEEN
    others = {
        f"apart by {least:g} m": first if gap > least else "" for least in (0.0, 0.05, NEAR_M)
    }
    # The nearest points of the two boxes instead of their centres.
    spans = [float(np.linalg.norm(_nearest(thing, row.wide.position))) for thing in (a, b)]
    nearer = "AB"[int(spans[1] < spans[0])]
    others["nearest points of the boxes"] = nearer if spans[0] != spans[1] else ""

    def found(verdict: Judgement, reason: str, near: bool) -> Verdict:
        return judged(
            question,
            verdict,
            reason,
            derived=derived,
            near_tie=near,
            margin=abs(gap - TIE_M),
            unit="m",
            threshold=f"distances from the camera to the centres, apart by more than {TIE_M:g} m",
            others=others,
            numbers={**numbers, **shared_numbers(row)},
            detail=f"A {sights['A'].name}, B {sights['B'].name} reflected",
            stored=stored,
            shapes=_shapes(row),
        )

    if min(sights.values()) is Sight.NOT:
        return found("contradicts", "not_reflected", False)
    if not derived:
        return found("undecidable", "tie", True)
    if derived != label:
        return found("contradicts", "wrong_order", close)
    return found("agrees", "as_labelled", close or not clear)


def _nearest(thing: PlacedObject, eye: FloatArray) -> FloatArray:
    """From the eye to the nearest point of the box that bounds the object."""
    away = np.abs(thing.position - eye)
    return np.maximum(away - thing.half, 0.0)


@rule(
    "specular_reflection/correspondence",
    reasons={
        **_SEEING,
        "several_reflected": "more than one of the objects is reflected",
        "no_order": "the objects have no order from left to right in the picture",
    },
)
def correspondence(question: OfficialQuestion) -> Verdict:
    """ "Which of the three is the reflected one: the left, the middle or the right?" """
    names = ("left", "middle", "right")
    row, label = mirror_row(question), label_of(question)
    stored = stored_numbers(question)
    if len(row.objects) != 3 or label not in names:
        raise metadata(question).at("question_data", "placement").error("expected three objects")
    positions = np.stack([thing.position for thing in row.objects])
    columns = row.wide.project(positions).pixels[:, 0]
    gap = COLUMN_PART * row.wide.width
    order = geo.relations.left_middle_right(row.wide, positions, min_pixels=gap)
    numbers: dict[str, float] = {}
    if order.status != RelationStatus.OK:
        for thing in row.objects:
            numbers |= numbers_of(row, thing, f"{thing.alias}.")
        return judged(
            question,
            "undecidable",
            "no_order",
            near_tie=True,
            numbers={**numbers, **shared_numbers(row)},
            detail=order.status.name,
            stored=stored,
            shapes=_shapes(row),
        )
    things = [row.objects[int(np.flatnonzero(order.rank == rank)[0])] for rank in range(3)]
    mirrored = [reflected(row, thing) for thing in things]
    plain = [direct(row, thing) for thing in things]
    for name, thing, in_mirror, in_view in zip(names, things, mirrored, plain, strict=True):
        numbers |= {f"{name}.reflected": float(in_mirror), f"{name}.direct": float(in_view)}
        numbers |= numbers_of(row, thing, f"{name}.")
    numbers["column_gap"] = float(np.diff(np.sort(columns)).min()) / row.wide.width
    detail = "reflected " + ", ".join(f"{n} {s.name}" for n, s in zip(names, mirrored, strict=True))
    asked = mirrored[names.index(label)]
    other_sights = [sight for name, sight in zip(names, mirrored, strict=True) if name != label]
    shown = [name for name, sight in zip(names, mirrored, strict=True) if sight.center]
    only = shown[0] if len(shown) == 1 else ""
    others = {
        variant: _only(names, _reflected_in(camera, mirror, things))
        for variant, camera, mirror in _variants(row)
    }

    def found(derived: str, verdict: Judgement, reason: str, near: bool = False) -> Verdict:
        return judged(
            question,
            verdict,
            reason,
            derived=derived,
            near_tie=near,
            margin=min(_edge_distance(row, thing) for thing in things),
            unit="m",
            threshold="where the bent lines of sight meet the mirror's plane, from its edge",
            others=others,
            numbers={**numbers, **shared_numbers(row)},
            detail=detail,
            stored=stored,
            shapes=_shapes(row),
        )

    if min(plain) is Sight.NOT:
        return found(only, "contradicts", "not_in_view")
    if asked is Sight.NOT:
        return found(only, "contradicts", "not_reflected")
    if len(shown) > 1:
        return found("", "undecidable", "several_reflected", max(other_sights) is not Sight.SEEN)
    if only != label:
        return found(only, "undecidable", "edges", True)
    clear = asked is Sight.SEEN and max(other_sights) is Sight.NOT
    return found(label, "agrees", "as_labelled", not (clear and all(s.center for s in plain)))


def _only(names: Sequence[str], flags: Sequence[bool]) -> str:
    shown = [name for name, flag in zip(names, flags, strict=True) if flag]
    return shown[0] if len(shown) == 1 else ""
