"""Cognitive Mapping: neighbouring rooms, rooms on the way, what belongs to a room, and turns.

Decided by the boxes of the rooms and by the recorded shortest path, which is taken as it is (the
map itself is not recorded). Boxes bound rooms from outside, so that they prove that a path or an
object is *not* in a room; where the boxes of several rooms allow it, only the recorded sequence of
rooms on the path is left, or nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Final

import numpy as np

from esi_fast import geometry as geo
from esi_fast.dataset.official import OfficialQuestion
from esi_fast.dataset.relabel._long_ways import next_rooms, turns
from esi_fast.dataset.relabel._objects_in_rooms import objects_in_rooms
from esi_fast.dataset.relabel._reading import (
    Fields,
    FloatArray,
    Stored,
    metadata,
    path_shape,
)
from esi_fast.dataset.relabel._registry import judged, label_of, rule
from esi_fast.dataset.relabel._rooms import (
    compare_path,
    grown,
    length_in,
    length_outside,
    level_of,
    path_length,
    room_shapes,
    rooms,
)
from esi_fast.dataset.relabel._verdict import Judgement, Verdict

__all__: list[str] = []

# Cells of the room map are 1 m apart, and a wall with its doorway may be a cell of no room: rooms
# whose boxes are farther apart have something else between them.
APART_M: Final = 2.5
APARTS_M: Final = (2.1, 3.0)
# In a doorway a path may be in neither of two rooms for a cell at most.
DOORWAY_M: Final = 1.0


def _compare_lengths(
    stored: Stored, data: Fields, path: FloatArray, distance: Fields | None
) -> None:
    compare_path(stored, distance, path)
    # Written to the millimetre.
    stored.compare(data.find("path_views", "path_length_m"), path_length(path), tolerance=5.1e-4)


# --- connectivity --------------------------------------------------------------------------------


@rule(
    "cognitive_mapping/connectivity",
    reasons={
        "rooms_apart": "the rooms have a cell of something else between them",
        "goes_straight_over": "the recorded path goes straight from the one into the other",
        "by_a_third": "the rooms may touch, but the recorded path takes another way",
    },
)
def connectivity(question: OfficialQuestion) -> Verdict:
    """ "Are A and B adjacent, with a direct connection?": their boxes, and the path between."""
    data = metadata(question).at("question_data")
    names = [data.at(f"{end}_region").text() for end in ("source", "target")]
    known = rooms(data)
    boxes = []
    for name in names:
        if name not in known:
            raise data.at("room_views").error(f"{name} is missing")
        boxes.append(known[name])
    way = data.at("verification", "successful_path")
    path = way.at("path_world_xy").points(2)
    if len(path) < 2:
        raise way.at("path_world_xy").error("expected at least two points")
    stored = Stored()
    _compare_lengths(stored, data, path, way.find("path_distance"))
    apart = float(geo.boxes.distance(*boxes))
    outside = length_outside(path, [grown(box) for box in boxes])
    passed = [entry.text() for entry in way.at("room_sequence").items()]
    direct = any({a, b} == set(names) for a, b in pairwise(passed))
    label = label_of(question)

    def found(
        verdict: Judgement, reason: str, *, derived: str, recorded: bool = False, margin: float
    ) -> Verdict:
        by_boxes = apart > APART_M
        return judged(
            question,
            verdict,
            reason,
            derived=derived,
            level=level_of(verdict, recorded),
            margin=margin,
            unit="m",
            threshold=f"boxes more than {APART_M} m apart"
            if by_boxes
            else f"the path in neither room for at most {DOORWAY_M} m",
            others={
                f"boxes {limit} m apart": "No" if apart > limit else derived if not by_boxes else ""
                for limit in APARTS_M
            },
            near_tie=not by_boxes and not recorded and margin < 0.1,
            numbers={
                "boxes_apart_m": apart,
                "path_in_neither_m": outside,
                "path_m": path_length(path),
            },
            detail="the path passes " + ", ".join(passed),
            stored=stored,
            shapes=[*room_shapes({n: known[n] for n in names}), path_shape("path", path)],
        )

    if apart > APART_M:
        agrees = label == "No"
        return found(
            "agrees" if agrees else "contradicts",
            "as_labelled" if agrees else "rooms_apart",
            derived="No",
            margin=apart - APART_M,
        )
    spare = DOORWAY_M - outside
    if label == "Yes" and spare >= 0.0:
        return found("agrees", "as_labelled", derived="Yes", margin=spare)
    if spare >= 0.0 and direct:
        # By its own record the path steps from the one room into the other, wherever else it goes.
        return found(
            "contradicts", "goes_straight_over", derived="Yes", margin=spare, recorded=True
        )
    if label == "No" and not direct:
        # The shortest path would have taken a direct way, unless that is the longer one.
        return found("agrees", "as_labelled", derived="No", margin=abs(spare), recorded=True)
    return found("undecidable", "by_a_third", derived="", margin=abs(spare), recorded=True)


# --- rooms on the way ----------------------------------------------------------------------------


@rule(
    "cognitive_mapping/traversable_passage",
    reasons={
        "not_passed": "the recorded path never comes into the labelled room",
        "several_passed": "the recorded path comes into the boxes of several options",
        "room_not_recorded": "where the labelled room is, is not recorded",
    },
)
def traversable_passage(question: OfficialQuestion) -> Verdict:
    """ "Which of these rooms do you pass on the shortest path from A to B?" """
    data = metadata(question).at("question_data")
    ends = [data.at(f"{end}_region").text() for end in ("source", "target")]
    way = data.at("verification", "shortest_path_info")
    path = way.at("path_world_xy").points(2)
    if len(path) < 2:
        raise way.at("path_world_xy").error("expected at least two points")
    stored = Stored()
    _compare_lengths(stored, data, path, way.find("path_distance"))
    known = rooms(data)
    label = label_of(question)
    # The two ends are not on the way between them.
    options = [o.text for o in question.slots[0].options if o.text not in ends]
    inner = {o: length_in(path, known[o]) for o in options if o in known}
    outer = {o: length_in(path, grown(known[o])) for o in options if o in known}
    missing = [o for o in options if o not in known]
    sequence = {entry.text() for entry in way.at("room_sequence").items()}

    def answer(lengths: Mapping[str, float]) -> str:
        passed = [o for o, length in lengths.items() if length > 0.0]
        return passed[0] if len(passed) == 1 and not missing else ""

    derived = answer(outer)
    numbers = {f"{o}.passed_m": length for o, length in inner.items()}
    numbers |= {f"{o}.perhaps_passed_m": length for o, length in outer.items()}
    numbers["path_m"] = path_length(path)

    def found(
        verdict: Judgement,
        reason: str,
        *,
        derived: str,
        margin: float | None,
        recorded: bool,
        near: bool,
    ) -> Verdict:
        return judged(
            question,
            verdict,
            reason,
            derived=derived,
            level=level_of(verdict, recorded),
            margin=margin,
            unit="" if margin is None else "m",
            threshold="the path in all that may belong to the room, or not",
            others={} if recorded else {"the plain boxes": answer(inner)},
            near_tie=near,
            numbers=numbers,
            detail=f"from {ends[0]} to {ends[1]}",
            stored=stored,
            shapes=[*room_shapes(known), path_shape("path", path)],
        )

    def far(option: str) -> float:
        points = np.column_stack([path, np.zeros(len(path))])
        boxes = np.stack([points, points], axis=1)
        return float(geo.boxes.distance(boxes, grown(known[option])).min())

    if label in ends:
        return found(
            "contradicts", "not_passed", derived=derived, margin=None, recorded=False, near=False
        )
    if label in outer and outer[label] == 0.0:
        margin = far(label)
        return found(
            "contradicts",
            "not_passed",
            derived=derived,
            margin=margin,
            recorded=False,
            near=margin < 0.1,
        )
    others = [o for o in options if o != label]
    # What no box rules out, the recorded sequence of rooms does.
    open_ones = [o for o in others if o in missing or outer[o] > 0.0]
    if label not in outer or open_ones:
        listed = [o for o in options if o in sequence]
        if listed == [label]:
            return found(
                "agrees", "as_labelled", derived=label, margin=None, recorded=True, near=False
            )
        reason = "several_passed" if label in outer else "room_not_recorded"
        return found("undecidable", reason, derived="", margin=None, recorded=True, near=True)
    margin = min([outer[label], *(far(o) for o in others)])
    return found(
        "agrees",
        "as_labelled",
        derived=label,
        margin=margin,
        recorded=False,
        near=inner[label] == 0.0,
    )


# --- objects and long ways -----------------------------------------------------------------------


@rule(
    "cognitive_mapping/regional_boundary",
    reasons={
        "outside_room": "the object is outside all that may belong to the labelled room",
        "in_another_room": "of all rooms only another option's box holds the object",
        "another_is_nearer": "another option is nearer, however the boxes are read",
        "alike_near": "two rooms are as near as their boxes can tell",
        "room_not_recorded": "where the labelled room is, is not recorded",
        "options_not_recorded": "where other options are, is not recorded, and they may be nearer",
        "one_room_each": "one of the objects is outside all that may belong to the room",
        "both_in_one_room": "one room surely holds both objects",
        "room_unclear": "the recorded rooms do not tell where the objects are",
    },
)
def regional_boundary(question: OfficialQuestion) -> Verdict:
    """Which room an object belongs to or is nearest to, or whether two share one."""
    return objects_in_rooms(question)


@rule(
    "cognitive_mapping/long_term_navigation",
    reasons={
        "other_turn": "by the rooms' middles and by the path, a turn goes another way",
        "turn_unclear": "the rooms' middles and the path give different turns",
        "other_room": "the recorded path fits another option better",
        "rooms_alike": "the recorded path fits several options",
        "way_not_recorded": "where a room on the way is, is not recorded",
    },
)
def long_term_navigation(question: OfficialQuestion) -> Verdict:
    """The next room, or the turn, at each blank of a way through several rooms."""
    data = metadata(question).at("question_data")
    path = data.at("path_world").points(2)
    if len(path) < 2:
        raise data.at("path_world").error("expected at least two points")
    stored = Stored()
    _compare_lengths(stored, data, path, data.find("path_distance"))
    known = rooms(data)
    ends = [data.at(f"{end}_region").text() for end in ("source", "target")]
    steps = data.at("steps").items()
    kind = data.at("task_type").text()
    rule_of = {"navigation_actions": turns, "navigation_regions": next_rooms}.get(kind)
    if rule_of is None:
        raise data.at("task_type").error(f"expected a kind of question, got {kind!r}")
    return rule_of(question, path, known, ends, steps, stored)
