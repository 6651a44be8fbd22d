"""Cognitive Mapping: neighbouring rooms, rooms on the way, what belongs to a room, and turns.

Decided by the boxes of the rooms and by the recorded shortest path, which is taken as it is (the
map itself is not recorded). Boxes bound rooms from outside, so that they prove that a path or an
object is *not* in a room; where the boxes of several rooms allow it, only the recorded sequence of
rooms on the path is left, or nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Final

import numpy as np

from esi_fast import geometry as geo
from esi_fast.dataset.official import OfficialQuestion
from esi_fast.dataset.relabel._reading import (
    Fields,
    FloatArray,
    Stored,
    metadata,
    path_shape,
    point_shape,
)
from esi_fast.dataset.relabel._registry import judged, label_of, rule
from esi_fast.dataset.relabel._rooms import (
    along_rooms,
    compare_path,
    grown,
    length_in,
    length_outside,
    middles,
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
# Part of a path that may be counted to a room although it lies elsewhere.
STRAY_M: Final = 1.0
# Recorded places and boxes are good to about this.
NEAR_M: Final = 0.1
# What contradicts a label about rooms must be clear by this: half a cell of the room map.
CLEAR_M: Final = 0.5
# A turn is none within this of straight on, and back within this of straight back.
STRAIGHT_DEG: Final = 20.0
BACK_DEG: Final = 135.0
GUARD_DEG: Final = 25.0
CLEAR_DEG: Final = 30.0
# Headings are taken from this many points before and after a doorway, 0.2 m each.
HEADING_POINTS: Final = 4


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
            level="recorded" if recorded else "geometry",
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
            reproduced=stored.count,
            differences=stored.differences,
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
            level="recorded" if recorded else "geometry",
            margin=margin,
            unit="" if margin is None else "m",
            threshold="the path in all that may belong to the room, or not",
            others={} if recorded else {"the plain boxes": answer(inner) or derived},
            near_tie=near,
            numbers=numbers,
            detail=f"from {ends[0]} to {ends[1]}",
            reproduced=stored.count,
            differences=stored.differences,
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


# --- belonging to a room -------------------------------------------------------------------------


def _object_points(data: Fields) -> dict[str, FloatArray]:
    """Where the objects of the question are: their close-ups aim at the centre."""
    points = {}
    for name, item in data.at("object_views").entries().items():
        views = list(item.at("views").entries().values())
        if not views:
            raise item.at("views").error("expected a view")
        points[name] = views[0].at("camera_pose", "target").vector(3) * (1.0, 1.0, 0.0)
    return points


def _away(box: FloatArray, point: FloatArray) -> float:
    """Distance (m, in the plane) of a point from a box, zero in it."""
    return float(geo.boxes.distance(box, np.stack([point, point])))


def _inside(box: FloatArray, point: FloatArray) -> float:
    """How deep a point is in a box (m, in the plane), negative outside."""
    away = _away(box, point)
    return -away if away > 0.0 else float(np.minimum(point - box[0], box[1] - point)[:2].min())


def _area(box: FloatArray) -> float:
    return float(geo.boxes.size(grown(box))[:2].prod())


@dataclass(frozen=True, slots=True)
class _Case:
    """A question about rooms and objects, and how to answer it."""

    question: OfficialQuestion
    known: Mapping[str, FloatArray]
    points: Mapping[str, FloatArray]
    stored: Stored
    kind: str

    def found(
        self,
        verdict: Judgement,
        reason: str,
        *,
        derived: str = "",
        margin: float | None = None,
        threshold: str = "",
        near: bool = False,
        recorded: bool = False,
    ) -> Verdict:
        numbers = {}
        for name, point in self.points.items():
            for room, box in self.known.items():
                tag = room if len(self.points) == 1 else f"{name}.{room}"
                numbers[f"{tag}.inside_m"] = _inside(box, point)
                numbers[f"{tag}.surely_outside_m"] = _away(grown(box), point)
        return judged(
            self.question,
            verdict,
            reason,
            derived=derived,
            level="recorded" if recorded else "geometry",
            margin=margin,
            unit="" if margin is None else "m",
            threshold=threshold,
            near_tie=near or (margin is not None and margin < NEAR_M),
            numbers=numbers,
            detail=f"{self.kind}: {', '.join(self.points)}",
            reproduced=self.stored.count,
            differences=self.stored.differences,
            shapes=[
                *room_shapes(self.known),
                *(point_shape(name, point) for name, point in self.points.items()),
            ],
        )


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
    data = metadata(question).at("question_data")
    kind = data.at("case_type").text()
    case = _Case(question, rooms(data), _object_points(data), Stored(), kind)
    expected = 2 if kind == "objects_same_region" else 1
    if len(case.points) != expected:
        raise data.at("object_views").error(f"expected {expected} objects, got {len(case.points)}")
    if kind == "objects_same_region":
        return _same_region(case)
    if kind == "object_closer_region":
        if (said := data.find("verification", "distance_to_regions")) is not None:
            _compare_distances(case, said, middles(data))
        return _closer_region(case)
    if kind == "object_in_region":
        listed = data.find("verification", "containment_regions")
        return _in_region(case, None if listed is None else [i.text() for i in listed.items()])
    raise data.at("case_type").error(f"expected a kind of question, got {kind!r}")


def _compare_distances(case: _Case, said: Fields, centers: Mapping[str, FloatArray]) -> None:
    (point,) = case.points.values()
    for room, item in said.entries().items():
        if room in case.known:
            case.stored.compare(item.find("bbox_distance"), _away(case.known[room], point))
            off = float(np.linalg.norm(centers[room] - point[:2]))
            case.stored.compare(item.find("center_distance"), off)


def _in_region(case: _Case, holding: Sequence[str] | None) -> Verdict:
    (point,) = case.points.values()
    label = label_of(case.question)
    offered = [option.text for option in case.question.slots[0].options]
    inside = {room: _inside(case.known[room], point) for room in offered if room in case.known}
    if label in inside:
        holders = [room for room, depth in inside.items() if depth >= 0.0]
        outside = _away(grown(case.known[label]), point)
        threshold = "within all that may belong to the labelled room"
        if outside > CLEAR_M:
            return case.found(
                "contradicts",
                "outside_room",
                derived=holders[0] if len(holders) == 1 else "",
                margin=outside,
                threshold=threshold,
            )
        if outside > 0.0:
            return case.found("undecidable", "room_unclear", margin=outside, threshold=threshold)
        return case.found(
            "agrees",
            "as_labelled",
            derived=label,
            margin=_inside(grown(case.known[label]), point),
            threshold=threshold,
            near=holders != [label],
        )
    (deepest,) = holding if holding is not None and len(holding) == 1 else ("",)
    if inside.get(deepest, 0.0) >= CLEAR_M:
        # Of all grown boxes, most of which are not recorded, only this one holds the object.
        return case.found(
            "contradicts",
            "in_another_room",
            derived=deepest,
            margin=inside[deepest] - CLEAR_M,
            threshold=f"at least {CLEAR_M} m in the only box that holds it, of another option",
            recorded=True,
        )
    return case.found("undecidable", "room_not_recorded", recorded=True)


def _closer_region(case: _Case) -> Verdict:
    (point,) = case.points.values()
    label = label_of(case.question)
    offered = [option.text for option in case.question.slots[0].options]
    most = {room: _away(case.known[room], point) for room in offered if room in case.known}
    least = {room: _away(grown(case.known[room]), point) for room in most}
    if label not in most:
        return case.found("undecidable", "room_not_recorded", recorded=True)
    rest = [room for room in most if room != label]
    nearest = min(rest, key=lambda room: most[room], default="")
    threshold = "the greatest possible distance against the least of the others"
    if nearest and least[label] > most[nearest] + CLEAR_M:
        return case.found(
            "contradicts",
            "another_is_nearer",
            derived=nearest,
            margin=least[label] - most[nearest],
            threshold=threshold,
        )
    gap = min((least[room] for room in rest), default=math.inf) - most[label]
    both = [room for room in rest if most[room] == 0.0 == most[label]]
    # In the boxes of both, the smaller room is meant: the larger one goes around it.
    if gap < 0.0 or any(_area(case.known[room]) < _area(case.known[label]) for room in both):
        return case.found(
            "undecidable", "alike_near", margin=abs(gap), threshold=threshold, near=True
        )
    if most[label] > 0.0 and len(most) < len(offered):
        return case.found("undecidable", "options_not_recorded", recorded=True)
    return case.found(
        "agrees",
        "as_labelled",
        derived=label,
        margin=gap if math.isfinite(gap) else None,
        threshold=threshold,
    )


def _same_region(case: _Case) -> Verdict:
    points = list(case.points.values())
    label = label_of(case.question)
    # The farther of the two from all that may belong to a room, and the shallower in its box.
    apart = {r: max(_away(grown(box), p) for p in points) for r, box in case.known.items()}
    depth = {r: min(_inside(box, p) for p in points) for r, box in case.known.items()}
    if not case.known:
        return case.found("undecidable", "room_unclear", recorded=True)
    own = [
        min(
            (room for room, box in case.known.items() if _inside(box, point) >= 0.0),
            key=lambda room: _area(case.known[room]),
            default="",
        )
        for point in points
    ]
    shared = max(depth, key=lambda room: depth[room])
    threshold = "both within all that may belong to one room"
    agrees = label == "No"
    if min(apart.values()) > (0.0 if agrees else CLEAR_M):
        return case.found(
            "agrees" if agrees else "contradicts",
            "as_labelled" if agrees else "one_room_each",
            derived="No",
            margin=min(apart.values()),
            threshold=threshold,
        )
    if min(apart.values()) > 0.0:
        return case.found("undecidable", "room_unclear", near=True)
    if label == "Yes":
        return case.found(
            "agrees",
            "as_labelled",
            derived="Yes",
            margin=max(depth[shared], 0.0),
            threshold=threshold,
            near=own[0] != own[1],
        )
    if all(own) and own[0] != own[1]:
        return case.found(
            "agrees", "as_labelled", derived="No", margin=0.0, threshold=threshold, near=True
        )
    if depth[shared] >= CLEAR_M and len(case.known) > 1:
        rest = [box for room, box in case.known.items() if room != shared]
        if all(_away(grown(box), point) > 0.0 for box in rest for point in points):
            return case.found(
                "contradicts",
                "both_in_one_room",
                derived="Yes",
                margin=depth[shared] - CLEAR_M,
                threshold=f"both at least {CLEAR_M} m in one room's box, in no other",
            )
    return case.found("undecidable", "room_unclear", near=True)


# --- long ways -----------------------------------------------------------------------------------


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
    rule_of = {"navigation_actions": _turns, "navigation_regions": _next_rooms}.get(kind)
    if rule_of is None:
        raise data.at("task_type").error(f"expected a kind of question, got {kind!r}")
    return rule_of(question, path, known, ends, steps, stored)


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


def _turns(
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
            reproduced=stored.count,
            differences=stored.differences,
            shapes=[*room_shapes(known_here), path_shape("path", path)],
        )

    if any(wrong):
        clear = max(-max(spare) for spare, bad in zip(spares, wrong, strict=True) if bad)
        return found("contradicts", "other_turn", clear, clear < CLEAR_DEG)
    margin = min(min(spare) for spare in spares)
    if all(right):
        return found("agrees", "as_labelled", margin, margin < STRAIGHT_DEG)
    return found("undecidable", "turn_unclear", abs(margin), True)


def _heading(path: FloatArray, first: int) -> FloatArray:
    """Direction of the path where its point ``first`` is the first one in a room."""
    low = max(first - HEADING_POINTS, 0)
    high = min(first - 1 + HEADING_POINTS, len(path) - 1)
    return np.asarray(path[high] - path[low])


def _next_rooms(
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
            reproduced=stored.count,
            differences=stored.differences,
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
