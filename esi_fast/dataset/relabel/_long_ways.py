"""Ways through several rooms: the turn, or the next room, at each blank."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise, product
from typing import Final

import numpy as np

from esi_fast import geometry as geo
from esi_fast.dataset.official import OfficialQuestion
from esi_fast.dataset.relabel._reading import (
    Fields,
    FloatArray,
    Stored,
    path_shape,
)
from esi_fast.dataset.relabel._registry import judged
from esi_fast.dataset.relabel._rooms import (
    along_rooms,
    path_length,
    room_shapes,
)
from esi_fast.dataset.relabel._verdict import Judgement, Verdict

__all__ = ["next_rooms", "turns"]

# Part of a path that may be counted to a room although it lies elsewhere.
STRAY_M: Final = 1.0
# A turn is none within this of straight on, and back within this of straight back.
STRAIGHT_DEG: Final = 20.0
BACK_DEG: Final = 135.0
GUARD_DEG: Final = 30.0
# Headings are taken from this many points before and after a doorway, 0.2 m each.
HEADING_POINTS: Final = 4


def _box_of(known: Mapping[str, FloatArray], room: str, at: Fields) -> FloatArray:
    if room not in known:
        raise at.error(f"where {room} is, is not recorded")
    return known[room]


def _turn(before: FloatArray, after: FloatArray) -> float:
    """Angle in degrees from one direction to another, positive to the left."""
    cross = before[0] * after[1] - before[1] * after[0]
    return math.degrees(math.atan2(cross, before[0] * after[0] + before[1] * after[1]))


def _named(angle: float) -> str:
    """The turn that is offered for an angle; straight on is never offered."""
    if abs(angle) > BACK_DEG:
        return "turn back"
    return "turn left" if angle > 0.0 else "turn right"


def _spare(name: str, angle: float) -> float:
    """Degrees by which an angle is clearly this turn; negative where it is clearly none.

    Between, up to the guard on either side, an angle is as good as a neighbouring one.
    """
    if name == "turn back":
        return abs(angle) - BACK_DEG
    side = angle if name == "turn left" else -angle
    return min(side, 180.0 - side)


def turns(
    question: OfficialQuestion,
    path: FloatArray,
    known: Mapping[str, FloatArray],
    ends: Sequence[str],
    steps: Sequence[Fields],
    stored: Stored,
) -> Verdict:
    order = [ends[0]]
    places = []
    for step in steps:
        step_kind = step.at("step_type").text()
        if step_kind == "go_to_region":
            order.append(step.at("target_region").text())
        elif step_kind == "turn_choice" and step.find("filled_answer") is None:
            # The turn is taken in the room reached last, toward the next one.
            places.append(len(order) - 1)
    labels = question.answer_texts[0]
    if len(places) != len(labels):
        raise steps[0].error(f"expected {len(labels)} turns to fill in, got {len(places)}")
    boxes = [_box_of(known, room, steps[0]) for room in order]
    centers = [geo.boxes.center(box)[:2] for box in boxes]
    share = along_rooms(path, boxes)
    numbers: dict[str, float] = {"stray_m": share.stray, "path_m": path_length(path)}
    angles = []
    for n, place in enumerate(places, start=1):
        if not 0 < place < len(order) - 1:
            raise steps[0].error("expected a room before and after each turn")
        by_middles = _turn(centers[place] - centers[place - 1], centers[place + 1] - centers[place])
        headings = [_heading(path, share.firsts[at]) for at in (place, place + 1)]
        by_path = _turn(*headings)
        numbers[f"turn{n}.by_middles_deg"] = by_middles
        numbers[f"turn{n}.by_path_deg"] = by_path
        angles.append((by_middles, by_path))
    derived = []
    for pair in angles:
        names = {_named(angle) for angle in pair}
        derived.append(names.pop() if len(names) == 1 else "")
    spares = [
        [_spare(label, angle) for angle in pair] for label, pair in zip(labels, angles, strict=True)
    ]
    # Contradicted: both readings say clearly something else, and the same.
    wrong = [
        max(spare) < -GUARD_DEG and bool(name) for spare, name in zip(spares, derived, strict=True)
    ]
    right = [min(spare) > 0.0 for spare in spares]
    answer = " | ".join(derived) if all(derived) else ""
    shown = "; ".join(
        f"in {order[place]} to {order[place + 1]}: labelled {label}, derived {name or 'none'}"
        for place, label, name in zip(places, labels, derived, strict=True)
    )
    known_here = {room: known[room] for room in order}

    def found(verdict: Judgement, reason: str, margin: float, near: bool) -> Verdict:
        return judged(
            question,
            verdict,
            reason,
            derived=answer,
            margin=margin,
            unit="degrees",
            threshold=f"left above 0, right below 0, back beyond {BACK_DEG:g} degrees",
            others={
                "by the rooms' middles": " | ".join(_named(pair[0]) for pair in angles),
                "by the path": " | ".join(_named(pair[1]) for pair in angles),
            },
            near_tie=near,
            numbers=numbers,
            detail=shown,
            stored=stored,
            shapes=[*room_shapes(known_here), path_shape("path", path)],
        )

    if any(wrong):
        clear = max(-max(spare) for spare, bad in zip(spares, wrong, strict=True) if bad)
        return found("contradicts", "other_turn", clear, False)
    margin = min(min(spare) for spare in spares)
    if all(right):
        return found("agrees", "as_labelled", margin, margin < STRAIGHT_DEG)
    return found("undecidable", "turn_unclear", abs(margin), True)


def _heading(path: FloatArray, first: int) -> FloatArray:
    """Direction of the path where its point ``first`` is the first one in a room."""
    low = max(first - HEADING_POINTS, 0)
    high = min(first - 1 + HEADING_POINTS, len(path) - 1)
    return np.asarray(path[high] - path[low])


def next_rooms(
    question: OfficialQuestion,
    path: FloatArray,
    known: Mapping[str, FloatArray],
    ends: Sequence[str],
    steps: Sequence[Fields],
    stored: Stored,
) -> Verdict:
    labels = question.answer_texts[0]
    choices: list[list[str]] = [[ends[0]]]
    goal = ends[1]
    blanks = []
    for step in steps:
        given = step.find("filled_answer")
        if given is not None:
            choices.append([given.text()])
        else:
            blanks.append(len(choices))
            slot = question.slots[len(blanks) - 1] if len(blanks) <= len(labels) else None
            choices.append([] if slot is None else [option.text for option in slot.options])
    if len(blanks) != len(labels):
        raise steps[0].error(f"expected {len(labels)} blanks, got {len(blanks)}")
    strays: dict[tuple[str, ...], float] = {}
    for order in product(*choices):
        # One goes on to another room at each step, and arrives where one wants to go.
        if any(a == b for a, b in pairwise(order)) or order[-1] != goal:
            continue
        if all(room in known for room in order):
            share = along_rooms(path, [known[room] for room in order])
            # A room that the path never comes into is none on the way.
            never = 0.0 if share.entered else path_length(path)
            strays[tuple(order[n] for n in blanks)] = share.stray + never
    target = tuple(labels)
    numbers = {f"{'/'.join(filled)}.stray_m": stray for filled, stray in strays.items()}
    numbers["path_m"] = path_length(path)
    shapes = [*room_shapes(dict(known)), path_shape("path", path)]

    def found(
        verdict: Judgement, reason: str, *, derived: str, margin: float | None, near: bool
    ) -> Verdict:
        return judged(
            question,
            verdict,
            reason,
            derived=derived,
            margin=margin,
            unit="" if margin is None else "m",
            threshold=f"of the path, {STRAY_M} m more outside the rooms that it is said to pass",
            near_tie=near,
            numbers=numbers,
            detail=f"{len(strays)} ways to fill it in, no room twice in a row",
            stored=stored,
            shapes=shapes,
        )

    if target not in strays:
        return found("undecidable", "way_not_recorded", derived="", margin=None, near=False)
    rest = {filled: stray for filled, stray in strays.items() if filled != target}
    best = min(rest, key=lambda filled: rest[filled], default=None)
    if best is None:
        return found("agrees", "as_labelled", derived=" | ".join(target), margin=None, near=False)
    gap = rest[best] - strays[target]
    if gap < -STRAY_M:
        return found(
            "contradicts",
            "other_room",
            derived=" | ".join(best),
            margin=-gap - STRAY_M,
            near=gap > -2.0 * STRAY_M,
        )
    if gap <= STRAY_M:
        return found("undecidable", "rooms_alike", derived="", margin=abs(gap), near=True)
    return found(
        "agrees", "as_labelled", derived=" | ".join(target), margin=gap - STRAY_M, near=False
    )
