"""What belongs to a room or is nearest to it, by boxes of rooms and places of objects."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from esi_fast import geometry as geo
from esi_fast.dataset.official import OfficialQuestion
from esi_fast.dataset.relabel._reading import (
    Fields,
    FloatArray,
    Stored,
    metadata,
    point_shape,
)
from esi_fast.dataset.relabel._registry import judged, label_of
from esi_fast.dataset.relabel._rooms import (
    grown,
    level_of,
    middles,
    room_shapes,
    rooms,
)
from esi_fast.dataset.relabel._verdict import Judgement, Verdict

__all__ = ["objects_in_rooms"]

# Recorded places and boxes are good to about this.
NEAR_M: Final = 0.1
# What contradicts a label about rooms must be clear by this: half a cell of the room map.
CLEAR_M: Final = 0.5


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
            level=level_of(verdict, recorded),
            margin=margin,
            unit="" if margin is None else "m",
            threshold=threshold,
            near_tie=near or (margin is not None and margin < NEAR_M),
            numbers=numbers,
            detail=f"{self.kind}: {', '.join(self.points)}",
            stored=self.stored,
            shapes=[
                *room_shapes(self.known),
                *(point_shape(name, point) for name, point in self.points.items()),
            ],
        )


def objects_in_rooms(question: OfficialQuestion) -> Verdict:
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
