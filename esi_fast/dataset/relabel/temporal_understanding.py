"""Temporal Understanding: what changed out of sight, and what a robot passed on its walk.

A walk is decided by the recorded steps and the places where things lie in the end, whatever the
generator meant to place. Contents of closed boxes have no recorded place: which of them were there
in which phase is all that is known, and that they can be in the box at all.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from esi_fast import geometry as geo
from esi_fast.dataset.official import OfficialQuestion
from esi_fast.dataset.relabel._reading import (
    Fields,
    FloatArray,
    Stored,
    box_shape,
    metadata,
    path_shape,
)
from esi_fast.dataset.relabel._registry import judged, label_of, rule
from esi_fast.dataset.relabel._verdict import Judgement, Shape, Verdict

__all__: list[str] = []

# The question's own distance, and how near to it a way is a near tie (our task keeps 0.1 m free).
PASS_M: Final = 1.0
PASS_TIE_M: Final = 0.02
PASSES_M: Final = (0.9, 1.1)
# Steps are 0.01 to 0.13 m long; where a robot was stuck it was set down elsewhere, by 1 m and more.
JUMP_M: Final = 0.5
# What lies this much deeper than the robot's floor has fallen out of the house.
FALLEN_M: Final = 1.0
BEFORE: Final = "with what was seen before it fell"
# A thing that is larger than its closed box by more than this cannot be in it.
FIT_M: Final = 0.005


def _distance_to_way(way: FloatArray, point: FloatArray) -> float:
    """Least distance of ``point`` (2,) from the walked steps ``way`` (N, 2), without the jumps."""
    starts, steps = way[:-1], np.diff(way, axis=0)
    lengths = (steps**2).sum(axis=1)
    part = np.where(
        lengths > 0.0,
        ((point - starts) * steps).sum(axis=1) / np.maximum(lengths, 1e-12),
        0.0,
    )
    part[lengths > JUMP_M**2] = 0.0
    nearest = starts + np.clip(part, 0.0, 1.0)[:, None] * steps
    points = np.vstack([nearest, way])
    return float(np.linalg.norm(points - point, axis=1).min())


def _seen(top: Fields) -> dict[str, int]:
    """In how many of the observer's frames each thing was seen."""
    frames: dict[str, int] = {}
    for pose in top.at("observer_poses").entries().values():
        for name, flag in pose.at("visibility").entries().items():
            frames[name] = frames.get(name, 0) + flag.flag()
    return frames


@rule(
    "temporal_understanding/agent_observation",
    reasons={
        "passes_another_number": "the robot's recorded steps pass another number of these things",
        "more_than_offered": "it passes more of them than can be answered",
        "fell_later": "some were seen before they fell, and may have been passed before",
    },
)
def agent_observation(question: OfficialQuestion) -> Verdict:
    """ "How many X did the robot pass within 1.0 m?": box centres against the recorded steps."""
    top = metadata(question)
    category = top.at("object_category").text()
    floor = top.at("robot_start_z").number()
    way = np.array([step.at("robot_xy").vector(2) for step in top.at("step_log").items()])
    if len(way) < 2:
        raise top.at("step_log").error("expected at least two steps")
    planned = top.at("path_waypoints").points(2)
    stored = Stored()
    shapes = [path_shape("robot", way)]
    seen = _seen(top)
    # Distance, whether its placement failed, whether it has fallen, and how much too deep.
    things: list[tuple[float, bool, bool, float]] = []
    numbers: dict[str, float] = {}
    notes = []
    late = []
    for name, item in top.at("objects_meta").entries().items():
        if item.at("category").text() != category:
            continue
        # What fell is recorded as far down as 65 km.
        box = item.box()
        center = geo.boxes.center(box)
        distance = _distance_to_way(way, center[:2])
        placed = item.find("placed_on")
        failed = placed is not None and placed.text() == "failed"
        numbers[f"{name}.distance_m"] = distance
        fallen = bool(center[2] < floor - FALLEN_M)
        things.append((distance, failed, fallen, float(floor - FALLEN_M - center[2])))
        if fallen:
            numbers[f"{name}.height_m"] = float(center[2])
            frames = seen.get(name, 0)
            numbers[f"{name}.seen_frames"] = frames
            notes.append(f"{name} has fallen out of the house")
            if frames:
                notes.append(f"{name} was seen before")
                late.append(distance)
        if failed:
            notes.append(f"{name} was not placed as meant, and lies where it was")
        position = item.at("position").vector(3, 1e6)[:2]
        if (said := item.find("dist_to_path")) is not None:
            stored.compare(said, float(np.linalg.norm(planned - position, axis=1).min()))
        shapes.append(box_shape(name, box))

    def count(within: float, *, meant: bool = False) -> str:
        return str(
            sum(d < within and not (fell or (meant and failed)) for d, failed, fell, _ in things)
        )

    label, derived = label_of(question), count(PASS_M)
    others = {f"within {within} m": count(within) for within in PASSES_M}
    others["without what was not placed as meant"] = count(PASS_M, meant=True)
    if late:
        seen_too = int(derived) + sum(d < PASS_M for d in late)
        others[BEFORE] = str(seen_too)
    margin = min(
        # What fell from within reach is out by how much too deep it lies.
        (depth if fell and d < PASS_M else abs(d - PASS_M) for d, _, fell, depth in things),
        default=PASS_M,
    )
    verdict: Judgement = "agrees" if derived == label else "contradicts"
    unclear = verdict == "contradicts" and others.get(BEFORE) == label
    if unclear:
        verdict = "undecidable"
    offered = {option.text for option in question.slots[0].options}
    missing = derived not in offered
    reason = "as_labelled" if verdict == "agrees" else "passes_another_number"
    return judged(
        question,
        verdict,
        "fell_later" if unclear else "more_than_offered" if missing else reason,
        derived="" if missing else derived,
        margin=margin,
        unit="m",
        threshold=f"box centre within {PASS_M} m of the recorded steps, in the plane, and not "
        f"{FALLEN_M} m below the floor",
        others=others,
        near_tie=margin < PASS_TIE_M or bool(late),
        numbers=numbers,
        detail="; ".join(notes),
        stored=stored,
        shapes=shapes,
    )


# --- boxes whose contents change -----------------------------------------------------------------


def _content(box: Fields, phase: int) -> tuple[str, str] | None:
    """Category and model of what a box holds, ``None`` for an empty one."""
    item = box.find(f"phase{phase}_content")
    return None if item is None else (item.at("category").text(), item.at("model").text())


def _change(before: tuple[str, str] | None, after: tuple[str, str] | None) -> str:
    if before == after:
        return "no_change"
    if before is None:
        return "add"
    return "remove" if after is None else "replace"


@rule(
    "temporal_understanding/unobserved_change",
    reasons={
        "other_change": "the recorded contents of both phases say otherwise",
        "several_changed": "not exactly one box has changed",
        "cannot_be_inside": "a thing is larger than the closed box that is said to hold it",
    },
)
def unobserved_change(question: OfficialQuestion) -> Verdict:
    """Did the contents change, how, and in which box: contents before and after, by model."""
    data = metadata(question).at("question_data")
    kind = data.at("task_type").text()
    changes: dict[str, str] = {}
    numbers: dict[str, float] = {}
    shapes: list[Shape] = []
    margins = []
    for item in data.at("boxes").items():
        name = item.at("position_label").text()
        changes[name] = _change(_content(item, 1), _content(item, 2))
        corners = np.stack([p.vector(3) for p in item.at("container", "bbox").items()])
        outer = geo.boxes.aabb(corners)
        shapes.append(box_shape(name, outer))
        for phase in (1, 2):
            if (held := item.find(f"phase{phase}_content")) is not None:
                # Whichever way it is turned: the sizes in order, each against the box's.
                spare = np.sort(geo.boxes.size(outer)) - np.sort(held.at("bbox_size_m").vector(3))
                margins.append(float(spare.min()))
                numbers[f"{name.replace(' ', '_')}.phase{phase}_spare_m"] = margins[-1]
    changed = [name for name, change in changes.items() if change != "no_change"]
    if kind == "change_detection":
        derived = "yes" if changed else "no"
    elif kind == "current_state_reasoning":
        derived = f"{changed[0]} box" if len(changed) == 1 else ""
    elif kind == "change_identification" and len(changes) == 1:
        derived = next(iter(changes.values()))
    else:
        raise data.at("task_type").error(f"expected a kind of question, got {kind!r}")
    detail = ", ".join(f"{name}: {change}" for name, change in changes.items())
    spare_m = min(margins, default=None)

    def found(verdict: Judgement, reason: str, derived: str) -> Verdict:
        premise = reason == "cannot_be_inside"
        return judged(
            question,
            verdict,
            reason,
            derived=derived,
            # Where the contents decide there is no distance from a threshold: they are names.
            level="geometry" if premise else "recorded",
            margin=-spare_m - FIT_M if premise and spare_m is not None else None,
            unit="m" if premise else "",
            threshold=f"each size at most {FIT_M} m over the box's, both in order"
            if premise
            else "",
            near_tie=False,
            numbers=numbers,
            detail=detail,
            shapes=shapes,
        )

    if spare_m is not None and spare_m < -FIT_M:
        return found("undecidable", "cannot_be_inside", "")
    if not derived:
        return found("contradicts", "several_changed", "")
    if derived != label_of(question):
        return found("contradicts", "other_change", derived)
    return found("agrees", "as_labelled", derived)
