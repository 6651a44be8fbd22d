"""Metric Comparison: which of two is larger, which of two is closer to a piece of furniture."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from esi_fast import geometry as geo
from esi_fast.dataset.official import OfficialQuestion
from esi_fast.dataset.relabel._deciding import OTHER_OBJECTS, other_objects, plain, weigh
from esi_fast.dataset.relabel._reading import (
    Body,
    Fields,
    FloatArray,
    Stored,
    body,
    box_shape,
    metadata,
    point_shape,
)
from esi_fast.dataset.relabel._registry import judged, label_of, rule
from esi_fast.dataset.relabel._verdict import Judgement, Verdict

__all__: list[str] = []

# Linear sizes less than this apart are hard to tell from each other (the paper has 1.2 to 1.3).
SIZE_RATIO: Final = 1.1
# Distances between middles of boxes, of which the row records no more than the root links.
MIDDLE_M: Final = 0.05
# A reference belongs to the object that is nearer by this much, box to box.
BESIDE_M: Final = 0.10
# A reference farther than this from both objects is beside neither (the paper: within 0.05 m).
GONE_M: Final = 1.0
# Distances less than this apart are hard to tell from each other: the label gap of our own task.
NEARER_M: Final = 0.10

# Axis and end of a box that a side of the compass names.
_SIDES: Final = {"W": (0, 0), "E": (0, 1), "S": (1, 0), "N": (1, 1)}


def _option(question: OfficialQuestion, category: str, prefix: str = "") -> str:
    """The option that names this category, empty if none does."""
    wanted = plain(f"{prefix}{category}")
    return next((o.text for o in question.slots[0].options if plain(o.text) == wanted), "")


def _objects(question: OfficialQuestion, *names: str) -> list[Body]:
    entries = metadata(question).at("objects")
    return [body(name, entries.at(name)) for name in names]


@rule(
    "metric_comparison/dimensional_size",
    reasons={
        **OTHER_OBJECTS,
        "smaller_one": "the object near the labelled reference is the smaller one",
        "same_size": "the two objects are equally large",
        "other_model": "the two objects are of different models, so no scale compares them",
        "not_beside": "the references are not each nearest to an object of its own",
        "reference_gone": "a reference is not near either of the two objects",
    },
)
def dimensional_size(question: OfficialQuestion) -> Verdict:
    """ "Which X is larger: the one near the P, or the one near the Q?"

    The two are one model at two scales. Which reference is near which of them is measured from
    the boxes.
    """
    top = metadata(question)
    label = label_of(question)
    tasks = _objects(question, "task_obj1", "task_obj2")
    references = _objects(question, "ref_obj1", "ref_obj2")
    boxes = [
        np.stack(
            [
                top.at(f"task_obj_aabb_{side}", f"{task.name}_aabb_{side}").vector(3)
                for side in ("min", "max")
            ]
        )
        for task in tasks
    ]
    stored = _stored_sizes(top, boxes, references)
    # A reference's half extents are recorded in the plan, so its height is taken from its model.
    apart = np.empty((2, 2))
    reference_boxes = [
        _reference_box(top.at("ref_placement", f"ref{n}_placement"), reference)
        for n, reference in enumerate(references, start=1)
    ]
    for n, reference_box in enumerate(reference_boxes):
        for k, box in enumerate(boxes):
            apart[n, k] = float(geo.boxes.distance(reference_box, box))
    scales = [float(np.cbrt(task.scale.prod())) for task in tasks]
    ratio = max(scales) / min(scales)
    larger = int(scales[1] > scales[0])
    sizes = [float(np.linalg.norm(box[1] - box[0])) for box in boxes]
    numbers = {
        "scale_1": scales[0],
        "scale_2": scales[1],
        "box_diagonal_1_m": sizes[0],
        "box_diagonal_2_m": sizes[1],
        **{f"ref{n + 1}_to_obj{k + 1}_m": float(apart[n, k]) for n in (0, 1) for k in (0, 1)},
    }
    shapes = [
        *(
            box_shape(f"{t.category} x {s:.2f}", b)
            for t, s, b in zip(tasks, scales, boxes, strict=True)
        ),
        *(box_shape(r.category, b) for r, b in zip(references, reference_boxes, strict=True)),
    ]
    missing = other_objects(
        question,
        [tasks[0].category, *(r.category for r in references)],
        numbers=numbers,
        would_be=_option(question, references[larger].category, "near the "),
        shapes=shapes,
        stored=stored,
    )
    if missing is not None:
        return missing

    def answer(own: FloatArray) -> str:
        """The option whose reference is nearest to the larger object, by distances (2, 2)."""
        owner = own.argmin(axis=1)
        if owner[0] == owner[1]:
            return ""
        return _option(question, references[int(owner[1] == larger)].category, "near the ")

    centres = np.array(
        [[np.linalg.norm(r.position - b.mean(axis=0)) for b in boxes] for r in references]
    )
    derived = answer(apart)
    others = {"nearest middle of the box instead of nearest box": answer(centres)}
    others["larger diagonal of the box"] = derived if (sizes[1] > sizes[0]) == bool(larger) else ""
    beside = float(np.abs(apart[:, 0] - apart[:, 1]).min())

    def found(verdict: Judgement, reason: str, **more: float) -> Verdict:
        return judged(
            question,
            verdict,
            reason,
            derived="" if verdict == "undecidable" else derived,
            margin=ratio - 1.0,
            unit="ratio",
            threshold="the larger scale over the smaller one, 1",
            others=others,
            near_tie=ratio < SIZE_RATIO or beside < BESIDE_M,
            numbers={**numbers, **more},
            detail=f"scales {scales[0]:.3f} and {scales[1]:.3f}; the references are nearest to "
            + " and ".join(f"object {int(k) + 1}" for k in apart.argmin(axis=1)),
            stored=stored,
            shapes=shapes,
        )

    if tasks[0].model != tasks[1].model:
        return found("undecidable", "other_model")
    if ratio < 1.0 + 1e-6:
        return found("undecidable", "same_size")
    if apart.min(axis=1).max() > GONE_M:
        return found("undecidable", "reference_gone")
    if not derived:
        return found("undecidable", "not_beside")
    verdict = weigh(label, derived, others)
    reasons = {"agrees": "as_labelled", "undecidable": "not_beside", "contradicts": "smaller_one"}
    return found(verdict, reasons[verdict])


def _reference_box(placement: Fields, reference: Body) -> FloatArray:
    """The box of a reference; without a model in the table it is flat."""
    half = np.zeros(3) if reference.span is None else 0.5 * reference.span
    half[:2] = [placement.at(f"ref_half_{axis}").number(0.0) for axis in "xy"]
    return np.stack([reference.position - half, reference.position + half])


def _stored_sizes(top: Fields, boxes: list[FloatArray], references: list[Body]) -> Stored:
    """Recompute middles, separation, faces and gaps from boxes and positions."""
    stored = Stored()
    middles = [box.mean(axis=0) for box in boxes]
    scale = float(np.abs(middles).max())
    for n, (box, middle) in enumerate(zip(boxes, middles, strict=True), start=1):
        stored.compare_vector(top.find("task_obj_centre", f"task_obj{n}_centre"), middle)
        placement = top.find("ref_placement", f"ref{n}_placement")
        if placement is None:
            continue
        side = placement.at("side").text()
        if side not in _SIDES:
            raise placement.at("side").error(f"expected one of {sorted(_SIDES)}, got {side!r}")
        axis, end = _SIDES[side]
        face, near = float(box[end, axis]), placement.at("ref_near_face").number()
        stored.compare(placement.find("task_face_coord"), face, scale=scale)
        stored.compare(placement.find("actual_bbox_gap"), abs(face - near), scale=scale)
        stored.compare_vector(placement.find("position"), references[n - 1].position, scale=scale)
    apart = float(np.linalg.norm((middles[1] - middles[0])[:2]))
    stored.compare(top.find("separation"), apart, scale=scale)
    return stored


# --- distance ------------------------------------------------------------------------------------


@rule(
    "metric_comparison/spatial_distance",
    reasons={
        **OTHER_OBJECTS,
        "farther_one": "the labelled object is the farther one by every measure",
        "measures": "it depends on where distances are measured from",
        "both_under": "both objects reach under or into the reference's box",
    },
)
def spatial_distance(question: OfficialQuestion) -> Verdict:
    """ "Which object is closer to the R: A or B?"

    The row records two corners of the reference's box in the plan, so distances are measured
    there: from box to box, from an object's middle to the box, and from middle to middle.
    """
    top = metadata(question)
    label = label_of(question)
    far, near, reference = _objects(question, "obj_far", "obj_near", "obj_ref")
    things = [near, far]
    corners = np.stack([top.at(f"{name}_corner_xy").vector(2) for name in ("near", "far")])
    box = _box_of_corners(corners, reference.position[:2])
    middle = box.mean(axis=0)
    measures = np.array([_distances(thing, box, middle) for thing in things]).T
    stored = Stored()
    scale = float(np.abs(box).max())
    for corner, thing in zip(corners, things, strict=True):
        name = thing.name.removeprefix("obj_")
        placed = top.find(f"{name}_pos")
        if placed is not None:
            stored.compare_vector(placed, thing.position, scale=scale)
            away = float(np.linalg.norm(placed.vector(3)[:2] - corner))
            stored.compare(top.find(f"d_{name}"), away, scale=scale)
        between = float(np.linalg.norm(thing.position[:2] - middle))
        stored.compare(top.find(f"dist_{name}_centre"), between, tolerance=MIDDLE_M)
    options = [_option(question, thing.category) for thing in things]
    names = ("box to box", "middle to box", "middle to middle")
    numbers = {
        f"{thing.name}.{name.replace(' ', '_')}_m": float(measures[m, k])
        for k, thing in enumerate(things)
        for m, name in enumerate(names)
    }
    numbers |= {
        f"reference.{name}_m": float(box[n, axis])
        for n, side in enumerate(("low", "high"))
        for axis, name in enumerate((f"x_{side}", f"y_{side}"))
    }
    shapes = [
        box_shape(reference.category, np.column_stack([box, [0.0, 0.0]])),
        *(point_shape(thing.category, thing.position) for thing in things),
        *(
            box_shape(f"{t.category} box", np.stack([t.position - h, t.position + h]))
            for t in things
            if (h := _half(t)) is not None
        ),
    ]

    def nearest(m: int) -> str:
        a, b = measures[m]
        return "" if math.isclose(a, b, abs_tol=1e-9) else options[int(b < a)]

    missing = other_objects(
        question,
        [thing.category for thing in (*things, reference)],
        numbers=numbers,
        would_be=nearest(0),
        shapes=shapes,
        stored=stored,
    )
    if missing is not None:
        return missing
    derived = nearest(0)
    others = {name: nearest(m) for m, name in enumerate(names) if m > 0}
    gaps = np.abs(measures[:, 0] - measures[:, 1])
    if not derived:
        verdict: Judgement = "undecidable"
        reason = "both_under"
    else:
        verdict = weigh(label, derived, others)
        reason = {
            "agrees": "as_labelled",
            "undecidable": "measures",
            "contradicts": "farther_one",
        }[verdict]
    return judged(
        question,
        verdict,
        reason,
        derived="" if verdict == "undecidable" else derived,
        margin=float(gaps[0]),
        unit="m",
        threshold="the difference of the distances from box to box in the plan, 0",
        others=others,
        near_tie=bool(gaps.min() < NEARER_M) or any(thing.size is None for thing in things),
        numbers=numbers,
        detail=", ".join(
            f"{thing.category} {measures[0, k]:.3f} m" for k, thing in enumerate(things)
        )
        + " from box to box",
        stored=stored,
        shapes=shapes,
    )


def _box_of_corners(corners: FloatArray, root: FloatArray) -> FloatArray:
    """The box (2, 2) that has these corners (2, 2).

    Along an axis where the two are one and the same, the other side is as far behind the root.
    """
    low, high = corners.min(axis=0), corners.max(axis=0)
    same = high - low < 1e-6
    other = 2.0 * root - low
    return np.stack(
        [
            np.where(same, np.minimum(low, other), low),
            np.where(same, np.maximum(high, other), high),
        ]
    )


def _half(thing: Body) -> FloatArray | None:
    return None if thing.span is None else 0.5 * thing.span


def _distances(thing: Body, box: FloatArray, middle: FloatArray) -> list[float]:
    """From box to box, from middle to box, from middle to middle, in the plan.

    An object of unknown size is taken for a point.
    """
    position = thing.position[:2]
    half = _half(thing)
    found = []
    for reach in (np.zeros(2) if half is None else half[:2], np.zeros(2)):
        away = np.maximum(np.maximum(box[0] - position - reach, position - reach - box[1]), 0.0)
        found.append(float(np.linalg.norm(away)))
    return [*found, float(np.linalg.norm(position - middle))]
