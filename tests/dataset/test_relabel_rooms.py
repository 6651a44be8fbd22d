"""Rooms, paths, turns and objects in rooms, on a house worked out by hand.

Rooms are boxes of cells, 1 m apart. The hall lies in the middle; the kitchen to the west and the
bath to the east of it, the garden far to the north, behind the kitchen::

    garden  x 0..2   y 8..10
    kitchen x 0..2   y 0..4      hall x 4..6  y 0..4     bath x 8..10  y 0..4
"""

from __future__ import annotations

import copy
import itertools
import math
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from esi_fast.dataset.official import OfficialQuestion, OfficialRelease, parse_row
from esi_fast.dataset.relabel import Verdict, relabel
from esi_fast.dataset.relabel._reading import Fields
from esi_fast.dataset.relabel._rooms import (
    along_rooms,
    length_in,
    length_outside,
    path_length,
    rooms,
    steps_length,
)

sys.path.insert(0, str(Path(__file__).parent))
from official_rows import row

Json = Any
BIG = "Cognitive Mapping"
HOUSE = {
    "kitchen_0": (0.0, 0.0, 2.0, 4.0),
    "hall_0": (4.0, 0.0, 6.0, 4.0),
    "bath_0": (8.0, 0.0, 10.0, 4.0),
    "garden_0": (0.0, 8.0, 2.0, 10.0),
}


def views(*names: str) -> Json:
    return {
        name: {
            "room_bbox_world_xy": list(HOUSE[name]),
            "center_xy": [0.5 * (HOUSE[name][a] + HOUSE[name][a + 2]) for a in (0, 1)],
        }
        for name in names
    }


def line(*corners: tuple[float, float]) -> list[list[float]]:
    """A path of steps of 0.2 m through the corners."""
    points = [list(corners[0])]
    for (ax, ay), (bx, by) in itertools.pairwise(corners):
        count = round(max(abs(bx - ax), abs(by - ay)) / 0.2)
        points += [
            [ax + (bx - ax) * n / count, ay + (by - ay) * n / count] for n in range(1, count + 1)
        ]
    return points


def judge(small: str, answer: Any, options: Any, data: Json) -> Verdict:
    metadata = {"question_data": data}
    item = parse_row(row(BIG, small, answer=answer, options=options, metadata=metadata))
    assert isinstance(item, OfficialQuestion), item
    return relabel(item)


def found(verdict: Verdict) -> tuple[str, str, str, str]:
    return verdict.verdict, verdict.reason, verdict.level, verdict.derived


# --- the kernels underneath ----------------------------------------------------------------------


def test_lengths_of_a_path_in_and_outside_boxes() -> None:
    box = np.array([[0.0, 0.0, 0.0], [2.0, 1.0, 0.0]])
    path = np.array([[-1.0, 0.5], [3.0, 0.5], [3.0, 2.0], [1.0, 2.0], [1.0, 0.0]])
    # 2 m across, then 1 m down from the upper side to the lower one.
    assert length_in(path, box) == pytest.approx(3.0)
    assert length_in(path[2:4], box) == 0.0
    assert path_length(path) == pytest.approx(4.0 + 1.5 + 2.0 + 2.0)
    # Only the last point lies in the box, so no piece has both ends in it.
    assert length_outside(path, [box]) == pytest.approx(path_length(path))


@given(
    st.lists(st.tuples(st.floats(-5, 5), st.floats(-5, 5)), min_size=2, max_size=6),
    st.tuples(st.floats(-3, 0), st.floats(-3, 0), st.floats(0, 3), st.floats(0, 3)),
)
@settings(max_examples=50, deadline=None)
def test_length_in_a_box_agrees_with_dense_points(
    corners: list[tuple[float, float]], ends: tuple[float, float, float, float]
) -> None:
    path = np.array(corners)
    box = np.array([[ends[0], ends[1], 0.0], [ends[2], ends[3], 0.0]])
    part = (np.arange(2000) + 0.5) / 2000
    inside = 0.0
    for start, end in itertools.pairwise(path):
        points = start + part[:, None] * (end - start)
        within = ((points >= box[0, :2]) & (points <= box[1, :2])).all(axis=1)
        inside += float(np.linalg.norm(end - start)) * within.mean()
    assert length_in(path, box) == pytest.approx(inside, abs=0.05)


def test_steps_of_a_path_and_where_its_last_cell_is_missing() -> None:
    # Right by two cells, up by two, then one of each: straight, diagonal, straight and diagonal.
    path = np.array([[0.0, 0.0], [0.2, 0.0], [0.4, 0.2], [0.6, 0.3]])
    root = math.sqrt(2.0)
    assert steps_length(path) == pytest.approx(0.2 + 0.2 * root + 0.1 + 0.1 * root)


@pytest.mark.parametrize("side", [1.0, 3.0, 6.0, 20.0])
def test_a_room_is_found_from_the_places_in_its_corners(side: float) -> None:
    inset = max(0.35, 0.08 * side)
    low, high = np.array([inset, inset]), np.array([side - inset, side + 1.0 - inset])
    corners = [[low[0], low[1]], [low[0], high[1]], [high[0], low[1]], [high[0], high[1]]]
    data = {"room_views": {"den_0": {"corner_render_xy": corners}}}
    assert rooms(Fields(data, "", "here"))["den_0"] == pytest.approx(
        np.array([[0.0, 0.0, 0.0], [side, side + 1.0, 0.0]])
    )


def test_a_path_is_shared_among_rooms_in_their_order() -> None:
    boxes = [
        np.array([[*HOUSE[name][:2], 0.0], [*HOUSE[name][2:], 0.0]])
        for name in ("kitchen_0", "hall_0", "bath_0")
    ]
    path = np.array(line((1.0, 2.0), (9.0, 2.0)))
    share = along_rooms(path, boxes)
    assert (share.stray, share.entered) == (0.0, True)
    assert [path[n, 0] for n in share.firsts] == pytest.approx([1.0, 3.0, 7.0], abs=0.21)
    # The other way round most of it lies elsewhere.
    assert along_rooms(path, boxes[::-1]).stray > 3.0
    garden = np.array([[0.0, 8.0, 0.0], [2.0, 10.0, 0.0]])
    assert not along_rooms(path, [boxes[0], garden, boxes[2]]).entered


# --- neighbouring rooms --------------------------------------------------------------------------


def pair(names: tuple[str, str], path: list[list[float]], passed: list[str]) -> Json:
    return {
        "source_region": names[0],
        "target_region": names[1],
        "room_views": views(*names),
        "verification": {
            "successful_path": {
                "path_world_xy": path,
                "path_distance": steps_length(np.array(path)),
                "room_sequence": passed,
            }
        },
        "path_views": {"path_length_m": round(path_length(np.array(path)), 3)},
    }


STRAIGHT = pair(("kitchen_0", "hall_0"), line((1, 2), (5, 2)), ["kitchen_0", "hall_0"])
FAR = pair(("kitchen_0", "bath_0"), line((1, 2), (9, 2)), ["kitchen_0", "hall_0", "bath_0"])
# Out to the garden and back: 7 m and more in neither room.
AROUND = pair(
    ("kitchen_0", "hall_0"),
    line((1, 2), (1, 9), (5, 9), (5, 2)),
    ["kitchen_0", "garden_0", "hall_0"],
)
WANDERING = pair(
    ("kitchen_0", "hall_0"),
    line((1, 2), (1, 4), (5, 4), (5, 2)),
    ["kitchen_0", "pantry_0", "kitchen_0", "hall_0"],
)


@pytest.mark.parametrize(
    ("answer", "data", "expected", "margin"),
    [
        ("Yes", STRAIGHT, ("agrees", "as_labelled", "geometry", "Yes"), 1.0),
        ("No", STRAIGHT, ("contradicts", "goes_straight_over", "recorded", "Yes"), 1.0),
        # The boxes are 6 m apart, 3.5 m more than the limit.
        ("No", FAR, ("agrees", "as_labelled", "geometry", "No"), 3.5),
        ("Yes", FAR, ("contradicts", "rooms_apart", "geometry", "No"), 3.5),
        ("No", AROUND, ("agrees", "as_labelled", "recorded", "No"), None),
        ("Yes", AROUND, ("undecidable", "by_a_third", "none", ""), None),
        ("No", WANDERING, ("contradicts", "goes_straight_over", "recorded", "Yes"), 1.0),
    ],
)
def test_neighbouring_rooms(
    answer: str, data: Json, expected: tuple[str, str, str, str], margin: float | None
) -> None:
    verdict = judge("Connectivity", answer, ["Yes", "No"], data)
    assert found(verdict) == expected
    if margin is not None:
        assert verdict.margin == pytest.approx(margin)
    assert (verdict.reproduced, verdict.differences) == (2, ())


def test_a_path_length_that_does_not_come_out_is_told() -> None:
    data = copy.deepcopy(STRAIGHT)
    way = data["verification"]["successful_path"]
    # One more step is the cell that is not recorded, half a step is none.
    way["path_distance"] = 4.1
    assert judge("Connectivity", "Yes", ["Yes", "No"], data).differences == ()
    way["path_distance"] = 4.05
    (difference,) = judge("Connectivity", "Yes", ["Yes", "No"], data).differences
    assert difference.field == "question_data.verification.successful_path.path_distance"
    assert difference.size == pytest.approx(0.05)


# --- rooms on the way ----------------------------------------------------------------------------


def passage(options: list[str], recorded: list[str], passed: list[str]) -> tuple[list[str], Json]:
    path = line((1, 2), (9, 2))
    return options, {
        "source_region": "kitchen_0",
        "target_region": "bath_0",
        "room_views": views(*recorded),
        "verification": {
            "shortest_path_info": {
                "path_world_xy": path,
                "path_distance": 8.0,
                "room_sequence": ["kitchen_0", *passed, "bath_0"],
            }
        },
    }


HALL_OR_GARDEN = ["hall_0", "garden_0", "bath_0"]


@pytest.mark.parametrize(
    ("answer", "case", "expected"),
    [
        (
            "hall_0",
            passage(HALL_OR_GARDEN, HALL_OR_GARDEN, ["hall_0"]),
            ("agrees", "as_labelled", "geometry", "hall_0"),
        ),
        (
            "garden_0",
            passage(HALL_OR_GARDEN, HALL_OR_GARDEN, ["hall_0"]),
            ("contradicts", "not_passed", "geometry", "hall_0"),
        ),
        # The end is not on the way.
        (
            "bath_0",
            passage(HALL_OR_GARDEN, HALL_OR_GARDEN, ["hall_0"]),
            ("contradicts", "not_passed", "geometry", "hall_0"),
        ),
        (
            "hall_0",
            passage(HALL_OR_GARDEN, ["garden_0", "bath_0"], ["hall_0"]),
            ("agrees", "as_labelled", "recorded", "hall_0"),
        ),
        (
            "hall_0",
            passage(HALL_OR_GARDEN, ["garden_0", "bath_0"], []),
            ("undecidable", "room_not_recorded", "none", ""),
        ),
        (
            "hall_0",
            passage(["hall_0", "pantry_0"], ["hall_0"], ["hall_0", "pantry_0"]),
            ("undecidable", "several_passed", "none", ""),
        ),
    ],
)
def test_rooms_on_the_way(
    answer: str, case: tuple[list[str], Json], expected: tuple[str, str, str, str]
) -> None:
    options, data = case
    verdict = judge("Traversable Passage", answer, options, data)
    assert found(verdict) == expected
    if expected[3] == "hall_0" and expected[2] == "geometry" and answer != "bath_0":
        # In the hall's box from x = 4 to 6, and perhaps from 3 to 7.
        assert verdict.numbers["hall_0.passed_m"] == pytest.approx(2.0)
        assert verdict.numbers["hall_0.perhaps_passed_m"] == pytest.approx(4.0)
        assert verdict.margin == pytest.approx(5.0 if answer == "garden_0" else 4.0)


# --- objects in rooms ----------------------------------------------------------------------------


def objects(kind: str, recorded: list[str], *points: tuple[float, float], **more: Any) -> Json:
    return {
        "case_type": kind,
        "room_views": views(*recorded),
        "object_views": {
            f"thing_{n}": {"views": {"view_00": {"camera_pose": {"target": [x, y, 0.7]}}}}
            for n, (x, y) in enumerate(points)
        },
        "verification": more,
    }


ALL = list(HOUSE)


@pytest.mark.parametrize(
    ("answer", "data", "expected"),
    [
        (
            "hall_0",
            objects("object_in_region", ALL, (5, 2)),
            ("agrees", "as_labelled", "geometry", "hall_0"),
        ),
        # 4 m beyond the kitchen's box, 3 m beyond all that may belong to it.
        (
            "kitchen_0",
            objects("object_in_region", ALL, (6, 2)),
            ("contradicts", "outside_room", "geometry", "hall_0"),
        ),
        (
            "kitchen_0",
            objects("object_in_region", ALL, (3.2, 2)),
            ("undecidable", "room_unclear", "geometry", ""),
        ),
        (
            "bath_0",
            objects("object_in_region", ["hall_0"], (5, 2), containment_regions=["hall_0"]),
            ("contradicts", "in_another_room", "recorded", "hall_0"),
        ),
        (
            "bath_0",
            objects("object_in_region", ["hall_0"], (5, 2), containment_regions=["hall_0", "x"]),
            ("undecidable", "room_not_recorded", "none", ""),
        ),
        (
            "bath_0",
            objects("object_in_region", ["hall_0"], (5, 2)),
            ("undecidable", "room_not_recorded", "none", ""),
        ),
        (
            "hall_0",
            objects("object_closer_region", ALL, (5, 2)),
            ("agrees", "as_labelled", "geometry", "hall_0"),
        ),
        (
            "garden_0",
            objects("object_closer_region", ALL, (5, 2)),
            ("contradicts", "another_is_nearer", "geometry", "hall_0"),
        ),
        (
            "kitchen_0",
            objects("object_closer_region", ALL, (2.8, 2)),
            ("undecidable", "alike_near", "geometry", ""),
        ),
        (
            "hall_0",
            objects("object_closer_region", ["hall_0"], (7, 2)),
            ("undecidable", "options_not_recorded", "none", ""),
        ),
        (
            "bath_0",
            objects("object_closer_region", ["hall_0"], (7, 2)),
            ("undecidable", "room_not_recorded", "none", ""),
        ),
    ],
)
def test_objects_in_rooms(answer: str, data: Json, expected: tuple[str, str, str, str]) -> None:
    assert found(judge("Regional Boundary", answer, ALL, data)) == expected


@pytest.mark.parametrize(
    ("answer", "recorded", "points", "expected"),
    [
        ("Yes", ["hall_0"], [(5, 1), (5, 3)], ("agrees", "as_labelled", "geometry", "Yes")),
        ("Yes", ["hall_0"], [(5, 1), (9, 3)], ("contradicts", "one_room_each", "geometry", "No")),
        ("Yes", ["hall_0"], [(5, 1), (7.3, 3)], ("undecidable", "room_unclear", "geometry", "")),
        ("No", ["hall_0", "bath_0"], [(5, 1), (9, 3)], ("agrees", "as_labelled", "geometry", "No")),
        (
            "No",
            ["hall_0", "garden_0"],
            [(5, 1), (5, 3)],
            ("contradicts", "both_in_one_room", "geometry", "Yes"),
        ),
        ("No", ["hall_0"], [(5, 1), (5, 3)], ("undecidable", "room_unclear", "geometry", "")),
    ],
)
def test_objects_in_the_same_room(
    answer: str,
    recorded: list[str],
    points: list[tuple[float, float]],
    expected: tuple[str, str, str, str],
) -> None:
    data = objects("objects_same_region", recorded, *points)
    assert found(judge("Regional Boundary", answer, ["Yes", "No"], data)) == expected


def test_stored_distances_to_rooms_are_computed_again() -> None:
    said = {
        # From (7, 2): 1 m to the hall's side, 2 m to its middle; 3 m to the garden is wrong.
        "hall_0": {"bbox_distance": 1.0, "center_distance": 2.0},
        "garden_0": {"bbox_distance": 3.0, "center_distance": math.hypot(6.0, 7.0)},
    }
    data = objects("object_closer_region", ALL, (7, 2), distance_to_regions=said)
    verdict = judge("Regional Boundary", "hall_0", ALL, data)
    assert verdict.reproduced == 4
    (difference,) = verdict.differences
    assert difference.field.endswith("distance_to_regions.garden_0.bbox_distance")
    assert difference.derived == pytest.approx(math.hypot(5.0, 6.0))


# --- long ways -----------------------------------------------------------------------------------

TURNS = ["turn back", "turn left", "turn right"]


def steps_of(path: list[list[float]], order: list[str], steps: list[Json], kind: str) -> Json:
    return {
        "task_type": kind,
        "source_region": order[0],
        "target_region": order[-1],
        "room_views": views(*HOUSE),
        "path_world": path,
        "path_distance": steps_length(np.array(path)),
        "steps": steps,
    }


def turning(order: list[str], path: list[list[float]]) -> Json:
    steps = [{"step_type": "go_to_region", "target_region": order[1]}]
    for name in order[2:]:
        steps += [
            {"step_type": "turn_choice", "target_region": name, "answer": "?"},
            {"step_type": "go_to_region", "target_region": name},
        ]
    return steps_of(path, order, steps, "navigation_actions")


# From the hall west into the kitchen, then north to the garden: to the right. Then back.
NORTH = turning(["hall_0", "kitchen_0", "garden_0"], line((5, 2), (1, 2), (1, 9)))
BACK = turning(["garden_0", "kitchen_0", "garden_0"], line((1, 9), (1, 2), (1, 9)))
# The middles say right, but the path comes from the north and turns to the left.
CURVED = turning(
    ["hall_0", "kitchen_0", "garden_0"], line((5, 2), (5, 5), (3, 5), (3, 2), (1, 2), (1, 9))
)


@pytest.mark.parametrize(
    ("answer", "data", "expected"),
    [
        ("turn right", NORTH, ("agrees", "as_labelled", "geometry", "turn right")),
        ("turn left", NORTH, ("contradicts", "other_turn", "geometry", "turn right")),
        ("turn back", NORTH, ("contradicts", "other_turn", "geometry", "turn right")),
        ("turn back", BACK, ("agrees", "as_labelled", "geometry", "turn back")),
        ("turn left", CURVED, ("undecidable", "turn_unclear", "geometry", "")),
    ],
)
def test_turns(answer: str, data: Json, expected: tuple[str, str, str, str]) -> None:
    verdict = judge("Long-Term Navigation", answer, [TURNS], data)
    if data is CURVED:
        # Both readings are told; whichever they are, they do not agree on the label.
        assert verdict.numbers["turn1.by_middles_deg"] < 0.0
        assert verdict.verdict != "agrees"
        return
    assert found(verdict) == expected
    assert verdict.differences == ()
    if data is NORTH:
        assert verdict.numbers["turn1.by_middles_deg"] == pytest.approx(-90.0)
        assert verdict.numbers["turn1.by_path_deg"] == pytest.approx(-90.0, abs=1.0)


def exploring(order: list[str], blanks: set[int], path: list[list[float]]) -> Json:
    steps: list[Json] = []
    for n, name in enumerate(order[1:], start=1):
        step = {"step_type": "choose_region"}
        steps.append(step if n in blanks else {**step, "filled_answer": name})
    return steps_of(path, order, steps, "navigation_regions")


WAY = ["kitchen_0", "hall_0", "bath_0"]
THROUGH = line((1, 2), (9, 2))


@pytest.mark.parametrize(
    ("answer", "options", "data", "expected"),
    [
        (
            "hall_0",
            [["hall_0", "garden_0"]],
            exploring(WAY, {1}, THROUGH),
            ("agrees", "as_labelled", "geometry", "hall_0"),
        ),
        (
            "garden_0",
            [["hall_0", "garden_0"]],
            exploring(["kitchen_0", "garden_0", "bath_0"], {1}, THROUGH),
            ("contradicts", "other_room", "geometry", "hall_0"),
        ),
        # The last one must be where one wants to go, and no room follows itself.
        (
            "hall_0 | bath_0",
            [["hall_0", "kitchen_0"], ["bath_0", "garden_0"]],
            exploring(WAY, {1, 2}, THROUGH),
            ("agrees", "as_labelled", "geometry", "hall_0 | bath_0"),
        ),
        (
            "attic_0",
            [["hall_0", "attic_0"]],
            exploring(["kitchen_0", "attic_0", "bath_0"], {1}, THROUGH),
            ("undecidable", "way_not_recorded", "geometry", ""),
        ),
    ],
)
def test_next_rooms(
    answer: str, options: Any, data: Json, expected: tuple[str, str, str, str]
) -> None:
    data = copy.deepcopy(data)
    assert found(judge("Long-Term Navigation", answer, options, data)) == expected


def test_two_rooms_that_the_path_fits_alike() -> None:
    data = exploring(WAY, {1}, THROUGH)
    # A corridor in the very place of the hall.
    data["room_views"]["corridor_0"] = data["room_views"]["hall_0"]
    verdict = judge("Long-Term Navigation", "hall_0", [["hall_0", "corridor_0"]], data)
    assert found(verdict) == ("undecidable", "rooms_alike", "geometry", "")


@pytest.mark.parametrize(
    ("small", "answer", "options", "data"),
    [
        ("Connectivity", "Yes", ["Yes", "No"], STRAIGHT),
        ("Traversable Passage", "hall_0", *passage(HALL_OR_GARDEN, HALL_OR_GARDEN, ["hall_0"])),
        ("Regional Boundary", "hall_0", ALL, objects("object_in_region", ALL, (5, 2))),
        ("Long-Term Navigation", "turn right", [TURNS], NORTH),
        ("Long-Term Navigation", "hall_0", [["hall_0", "garden_0"]], exploring(WAY, {1}, THROUGH)),
    ],
)
def test_a_missing_field_is_named(small: str, answer: Any, options: Any, data: Json) -> None:
    assert judge(small, answer, options, data).verdict == "agrees"
    for name in set(data) - {"path_views", "path_distance"}:
        broken = {**data, name: 7}
        if name == "verification" and small == "Regional Boundary":
            continue
        verdict = judge(small, answer, options, broken)
        assert (verdict.verdict, verdict.reason, verdict.level) == (
            "undecidable",
            "metadata",
            "none",
        )
        assert name in verdict.detail or "expected" in verdict.detail


# --- the published rows --------------------------------------------------------------------------


def of_task(published: OfficialRelease, name: str) -> list[OfficialQuestion]:
    return [q for q in published.questions if q.task == f"cognitive_mapping/{name}"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "connectivity",
            {("agrees", "as_labelled"): 57, ("contradicts", "goes_straight_over"): 3},
        ),
        ("traversable_passage", {("agrees", "as_labelled"): 60}),
        (
            "regional_boundary",
            {
                ("agrees", "as_labelled"): 59,
                ("contradicts", "in_another_room"): 7,
                ("undecidable", "alike_near"): 4,
                ("undecidable", "options_not_recorded"): 5,
                ("undecidable", "room_not_recorded"): 2,
                ("undecidable", "room_unclear"): 3,
            },
        ),
        (
            "long_term_navigation",
            {
                ("agrees", "as_labelled"): 40,
                ("contradicts", "other_turn"): 6,
                ("undecidable", "rooms_alike"): 1,
                ("undecidable", "turn_unclear"): 13,
            },
        ),
    ],
)
def test_published_maps(
    published: OfficialRelease, name: str, expected: dict[tuple[str, str], int]
) -> None:
    verdicts = [relabel(question) for question in of_task(published, name)]
    assert Counter((v.verdict, v.reason) for v in verdicts) == expected
    # All stored lengths and distances come out, but for two paths that take a detour of
    # 0.2 * sqrt(2) - 0.2 m between two recorded points.
    differences = [d for v in verdicts for d in v.differences]
    assert len(differences) == (2 if name == "connectivity" else 0)
    for difference in differences:
        assert min(
            abs(difference.size - (0.2 * math.sqrt(2.0) - 0.2 - missing))
            for missing in (0.0, 0.1 * math.sqrt(2.0) - 0.1)
        ) == pytest.approx(0.0, abs=1e-4)


def test_published_neighbours_by_hand(published: OfficialRelease) -> None:
    """Without our reader: whose own record steps from the one room into the other, labelled No."""
    stepped = set()
    for question in of_task(published, "connectivity"):
        data = question.metadata()["question_data"]
        ends = {data["source_region"], data["target_region"]}
        passed = data["verification"]["successful_path"]["room_sequence"]
        if any({a, b} == ends for a, b in itertools.pairwise(passed)):
            stepped.add((question.row, question.answer_texts[0][0]))
    contradicted = {
        question.row
        for question in of_task(published, "connectivity")
        if relabel(question).verdict == "contradicts"
    }
    assert contradicted == {row for row, label in stepped if label == "No"}


def test_published_turns_by_hand(published: OfficialRelease) -> None:
    """By the recorded middles of the rooms alone, no contradicted turn is as labelled."""
    for question in of_task(published, "long_term_navigation"):
        verdict = relabel(question)
        if verdict.reason != "other_turn":
            continue
        data = question.metadata()["question_data"]
        middles = {name: item["center_xy"] for name, item in data["room_views"].items()}
        order = [data["source_region"]]
        angles = []
        targets = [s for s in data["steps"] if s["step_type"] == "go_to_region"]
        order += [step["target_region"] for step in targets]
        labels = iter(question.answer_texts[0])
        turns = [s for s in data["steps"] if s["step_type"] == "turn_choice"]
        for place, step in enumerate(turns, start=1):
            if "filled_answer" in step:
                continue
            before, here, after = (middles[name] for name in order[place - 1 : place + 2])
            angle = math.degrees(
                math.atan2(after[1] - here[1], after[0] - here[0])
                - math.atan2(here[1] - before[1], here[0] - before[0])
            )
            angles.append((next(labels), (angle + 180.0) % 360.0 - 180.0))
        wrong = [
            abs(angle) < 135.0
            if label == "turn back"
            else (angle < 0.0) == (label == "turn left") or abs(angle) > 135.0
            for label, angle in angles
        ]
        assert any(wrong), question.row
