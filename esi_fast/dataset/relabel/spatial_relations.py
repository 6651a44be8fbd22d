"""Spatial Relations: three objects in a line, kinds of triangles, two objects in contact.

Lines and triangles are asked "on the floor", so they are measured in the plan, between the recorded
positions. These are positions of root links, which lie within 0.02 m of the middle of the box for
three models in four of the release; whether that could matter is what ``near_tie`` says.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from esi_fast import geometry as geo
from esi_fast.dataset.official import OfficialQuestion
from esi_fast.dataset.relabel._deciding import OTHER_OBJECTS, other_objects, weigh
from esi_fast.dataset.relabel._reading import (
    Body,
    FloatArray,
    Stored,
    body,
    box_shape,
    metadata,
    path_shape,
    point_shape,
)
from esi_fast.dataset.relabel._registry import judged, label_of, rule
from esi_fast.dataset.relabel._verdict import Judgement, Shape, Verdict
from esi_fast.geometry.relations import RelationStatus, TriangleKind

__all__: list[str] = []

# Offsets from a line: in a line up to the first, not in a line from the last; the middle is that of
# the second derivation of our own task.
LINE_M: Final = (0.02, 0.06, 0.10)
# Sides are equal up to a ratio of 1 + this; the middle decides.
EQUAL: Final = (0.02, 0.05, 0.08, 0.10, 0.15)
# A root link and the middle of its object's box may be this far apart.
ROOT_M: Final = 0.02
# Boxes this far apart are apart: what is recorded is good to a hundredth of it.
APART_M: Final = 0.001
# Boxes that reach into each other this far in all directions, seen joined from all sides.
DEEP_M: Final = 0.02
# So many views show both objects that no gap between them can have been missed in all.
MANY_VIEWS: Final = 12


def _three(question: OfficialQuestion) -> tuple[list[Body], FloatArray]:
    """The three objects and their positions (3, 3), in the plan."""
    entries = metadata(question).at("objects")
    found = [body(name, item) for name, item in entries.entries().items()]
    if len(found) != 3:
        raise entries.error(f"expected three objects, got {len(found)}")
    points = np.stack([thing.position for thing in found])
    points[:, 2] = 0.0
    return found, points


def _names(things: list[Body]) -> list[str]:
    return [thing.category for thing in things]


def _plan(things: list[Body], points: FloatArray) -> list[Shape]:
    shapes = [point_shape(t.category, p) for t, p in zip(things, points, strict=True)]
    return [*shapes, path_shape("sides", np.vstack([points, points[:1]]))]


_BETWEEN: Final = {
    "between": "sensible thresholds disagree about it",
    "degenerate": "two of the objects are in the same place",
}


@rule(
    "spatial_relations/linear_alignment",
    reasons={
        **OTHER_OBJECTS,
        **_BETWEEN,
        "not_in_line": "the middle object is off the line of the outer two",
        "in_line": "the middle object is on the line of the outer two",
    },
)
def linear_alignment(question: OfficialQuestion) -> Verdict:
    """ "Are A, B and C in a line on the floor?" """
    things, points = _three(question)
    label = label_of(question)
    line = geo.relations.collinearity_offset(points)
    offset = float(line.offset)
    span = max(float(np.linalg.norm(points[i] - points[i - 1])) for i in range(3))
    numbers = {
        "span_m": span,
        **{f"{t.name}.up": t.up for t in things},
        **{f"{t.name}.{axis}": float(t.position[k]) for t in things for k, axis in enumerate("xy")},
    }
    if line.status == RelationStatus.DEGENERATE:
        return judged(
            question, "undecidable", "degenerate", numbers=numbers, shapes=_plan(things, points)
        )
    numbers = {"offset_m": offset, **numbers}
    derived = "yes" if offset <= LINE_M[1] else "no"
    missing = other_objects(question, _names(things), numbers=numbers, would_be=derived)
    if missing is not None:
        return missing
    others = {f"off by at most {m:g} m": "yes" if offset <= m else "no" for m in LINE_M}
    verdict = weigh(label, derived, others)
    clear = offset <= LINE_M[0] - 0.5 * ROOT_M or offset >= LINE_M[2] + ROOT_M
    wrong = "in_line" if derived == "yes" else "not_in_line"
    return judged(
        question,
        verdict,
        {"agrees": "as_labelled", "undecidable": "between", "contradicts": wrong}[verdict],
        derived="" if verdict == "undecidable" else derived,
        margin=abs(offset - LINE_M[1]),
        unit="m",
        threshold=f"offset of the middle one from the line of the outer two, {LINE_M[1]:g} m",
        others=others,
        near_tie=not clear,
        numbers=numbers,
        detail=f"{offset:.3f} m off a line of {span:.3f} m",
        shapes=_plan(things, points),
    )


_KINDS: Final = {
    TriangleKind.EQUILATERAL: "equilateral",
    TriangleKind.ISOSCELES: "isosceles",
    TriangleKind.SCALENE: "random",
}


def _kind(points: FloatArray, equal: float) -> str:
    """The kind of triangle when sides are equal up to this ratio and distinct beyond it.

    Empty where both others equal the middle side, but not each other.
    """
    distinct = float(np.nextafter(equal, 1.0))
    found = geo.relations.triangle_class(points, equal=equal, distinct=distinct)
    return _KINDS.get(TriangleKind(int(found.kind)), "")


@rule(
    "spatial_relations/geometric_configuration",
    reasons={
        **OTHER_OBJECTS,
        **_BETWEEN,
        "other_triangle": "the sides are those of another kind of triangle",
    },
)
def geometric_configuration(question: OfficialQuestion) -> Verdict:
    """ "Do A, B and C form an equilateral, an isosceles or a random triangle?" """
    things, points = _three(question)
    label = label_of(question)
    sides = np.array([np.linalg.norm(points[i - 1] - points[i - 2]) for i in range(3)])
    ordered = np.sort(sides)
    numbers = {
        **{f"side_opposite_{t.name}_m": float(s) for t, s in zip(things, sides, strict=True)},
        **{f"{t.name}.{axis}": float(t.position[k]) for t in things for k, axis in enumerate("xy")},
        **{f"{t.name}.up": t.up for t in things},
    }
    triangle = geo.relations.triangle_class(points)
    if triangle.status == RelationStatus.DEGENERATE:
        return judged(
            question, "undecidable", "degenerate", numbers=numbers, shapes=_plan(things, points)
        )
    steps = ordered[1:] / ordered[:-1] - 1.0
    numbers |= {
        "middle_over_shortest": float(steps[0]) + 1.0,
        "longest_over_middle": float(steps[1]) + 1.0,
        "longest_over_shortest": float(ordered[2] / ordered[0]),
    }
    main = EQUAL[len(EQUAL) // 2]
    derived = _kind(points, main)
    missing = other_objects(question, _names(things), numbers=numbers, would_be=derived)
    if missing is not None:
        return missing
    others = {f"equal up to {100 * e:g} %": _kind(points, e) for e in EQUAL}
    verdict: Judgement = weigh(label, derived, others) if derived else "undecidable"
    gaps = np.array([*steps, ordered[2] / ordered[0] - 1.0])
    margin = float(np.abs(gaps - main).min())
    near = derived != label and label in _possible(ordered)
    return judged(
        question,
        verdict,
        {"agrees": "as_labelled", "undecidable": "between", "contradicts": "other_triangle"}[
            verdict
        ],
        derived="" if verdict == "undecidable" else derived,
        margin=margin,
        unit="ratio",
        threshold=f"sides are equal up to {100 * main:g} %",
        others=others,
        near_tie=near or len(set(others.values())) > 1,
        numbers=numbers,
        detail="sides " + ", ".join(f"{side:.3f}" for side in ordered) + " m",
        shapes=_plan(things, points),
    )


def _possible(sides: FloatArray) -> set[str]:
    """The kinds that sides (3,), sorted, may be of if each is off by ``ROOT_M``."""
    short, middle, long = (float(side) for side in sides)

    def excess(a: float, b: float, off: float) -> float:
        return (b + off) / max(a - off, 1e-9) - 1.0

    found = set()
    if excess(short, long, -ROOT_M) <= EQUAL[-1]:
        found.add("equilateral")
    pairs = ((short, middle), (middle, long))
    if min(excess(a, b, -ROOT_M) for a, b in pairs) <= EQUAL[-1]:
        found.add("isosceles")
    if min(excess(a, b, ROOT_M) for a, b in pairs) > EQUAL[0]:
        found.add("random")
    return found


@rule(
    "spatial_relations/physical_contact",
    reasons={
        **OTHER_OBJECTS,
        "apart": "the boxes of the two objects are apart",
        "gap_seen": "the boxes overlap, but a view shows a gap between the objects",
        "no_gap_seen": "the boxes overlap and no view shows a gap between the objects",
        "joined": "the boxes reach deep into each other and every view shows the objects joined",
        "boxes_overlap": "the boxes overlap, and no view shows both objects",
    },
)
def physical_contact(question: OfficialQuestion) -> Verdict:
    """ "Are A and B touching each other?"

    Boxes that are apart prove that the objects are. Boxes that overlap prove nothing: then it is
    recorded for each view whether the masks of the two objects adjoin, and objects that touch
    adjoin in every view that shows both of them.
    """
    top = metadata(question)
    label = label_of(question)
    things = [body(name, item) for name, item in top.at("objects").entries().items()]
    if [thing.name for thing in things] != ["obj1", "obj2"]:
        raise top.at("objects").error("expected obj1 and obj2")
    boxes = [top.at("obj_aabb", f"{thing.name}_aabb").box("min", "max") for thing in things]
    gaps = geo.boxes.gap(boxes[0], boxes[1])
    gap = float(gaps.max())
    stored = Stored()
    for k, axis in enumerate("xy"):
        stored.compare(top.find(f"{axis}_gap"), float(boxes[1][0, k] - boxes[0][1, k]))
    shown, joined = _views(question)
    numbers = {
        "gap_m": gap,
        **{f"gap_{axis}_m": float(gaps[k]) for k, axis in enumerate("xyz")},
        "views_with_both": float(shown),
        "views_joined": float(joined),
    }
    shapes = [box_shape(thing.category, box) for thing, box in zip(things, boxes, strict=True)]
    # A pair that is seen joined from all sides may still be apart by less than a picture shows.
    deep = gap <= -DEEP_M and shown >= MANY_VIEWS
    derived = "no" if gap > APART_M or joined < shown else "yes" if shown else ""
    missing = other_objects(
        question, _names(things), numbers=numbers, would_be=derived, shapes=shapes, stored=stored
    )
    if missing is not None:
        return missing

    verdict: Judgement
    others: dict[str, str] = {}
    if gap > APART_M:
        verdict = weigh(label, "no", others)
        reason = "as_labelled" if verdict == "agrees" else "apart"
        others = {f"boxes apart by {m:g} m": "no" if gap > m else "" for m in (0.0, 0.005)}
        near = gap < 0.005
    elif not shown:
        verdict, reason, near = "undecidable", "boxes_overlap", True
    elif joined < shown:
        verdict, near = weigh(label, "no", others), shown - joined == 1
        reason = "as_labelled" if verdict == "agrees" else "gap_seen"
        others = {f"a gap in {n} views": "no" if shown - joined >= n else "" for n in (2, 3)}
    elif label == "yes":
        verdict, reason, near = "agrees", "as_labelled", False
    else:
        verdict = "contradicts" if deep else "undecidable"
        reason, near = ("joined" if deep else "no_gap_seen"), True
    return judged(
        question,
        verdict,
        reason,
        derived="" if verdict == "undecidable" else derived,
        level="geometry" if gap > APART_M else "recorded" if shown else "none",
        margin=gap - APART_M if gap > APART_M else float(shown - joined),
        unit="m" if gap > APART_M else "views",
        threshold=(
            f"widest gap between the boxes, {APART_M:g} m"
            if gap > APART_M
            else "views that show both objects with a gap between their masks, none"
        ),
        others=others,
        near_tie=near,
        numbers=numbers,
        detail=f"widest gap of the boxes {gap:.3f} m, joined in {joined} of {shown} views",
        stored=stored,
        shapes=shapes,
    )


def _views(question: OfficialQuestion) -> tuple[int, int]:
    """In how many views both objects are seen, and in how many of these their masks adjoin."""
    top = metadata(question)
    touching, exists = top.find("touching"), top.find("exist_obj")
    if touching is None or exists is None:
        return 0, 0
    shown = joined = 0
    for name, flag in touching.entries().items():
        view = name.removeprefix("touching_")
        seen = [exists.find(f"exist_obj{n}_{view}") for n in (1, 2)]
        if all(item is not None and item.flag() for item in seen):
            shown += 1
            joined += flag.flag()
    return shown, joined
