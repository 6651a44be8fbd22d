"""Every rule on rows whose verdicts are worked out by hand, and all of them on broken rows."""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from esi_fast.dataset.relabel import Verdict
from esi_fast.dataset.relabel._identity import box_excess, category_models, model_category

sys.path.insert(0, str(Path(__file__).parent))
from relabel_rows import (
    boxed,
    counting,
    distances,
    grounding,
    judge,
    on_floor,
    sizes,
    touching,
    transparent,
)

LINE, TRIANGLE = "Linear Alignment", "Geometric Configuration"


def said(verdict: Verdict) -> tuple[str, str, str]:
    return verdict.verdict, verdict.reason, verdict.derived


# --- spatial relations ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("offset", "answer", "expected", "robust", "near"),
    [
        (0.005, "yes", ("agrees", "as_labelled", "yes"), True, False),
        (0.005, "no", ("contradicts", "in_line", "yes"), True, False),
        (0.04, "yes", ("agrees", "as_labelled", "yes"), False, True),
        (0.04, "no", ("undecidable", "between", ""), False, True),
        (0.08, "no", ("agrees", "as_labelled", "no"), False, True),
        (0.08, "yes", ("undecidable", "between", ""), False, True),
        (0.11, "yes", ("contradicts", "not_in_line", "no"), True, True),
        (0.15, "yes", ("contradicts", "not_in_line", "no"), True, False),
        (0.15, "no", ("agrees", "as_labelled", "no"), True, False),
    ],
)
def test_a_line(
    offset: float, answer: str, expected: tuple[str, str, str], robust: bool, near: bool
) -> None:
    # The outer two are 0.7 m apart; the one between them is off their line.
    found = judge(on_floor(LINE, answer, [(0.0, 0.0), (0.3, offset), (0.7, 0.0)]))
    assert said(found) == expected
    assert (found.robust, found.near_tie, found.level) == (robust, near, "geometry")
    assert found.numbers["offset_m"] == pytest.approx(offset, abs=1e-6)
    assert found.margin == pytest.approx(abs(offset - 0.06), abs=1e-6)
    # The order of the objects does not matter.
    turned = judge(on_floor(LINE, answer, [(0.3, offset), (0.7, 0.0), (0.0, 0.0)]))
    assert said(turned) == expected


def test_two_in_one_place_are_no_line() -> None:
    found = judge(on_floor(LINE, "yes", [(0.0, 0.0), (0.0, 0.0), (0.7, 0.0)]))
    assert said(found) == ("undecidable", "degenerate", "")


EQUILATERAL = [(0.0, 0.0), (0.5, 0.0), (0.25, 0.5 * 0.75**0.5)]
ISOSCELES = [(0.0, 0.0), (0.5, 0.0), (0.25, 0.6)]  # sides 0.5, 0.65, 0.65
SCALENE = [(0.0, 0.0), (0.3, 0.0), (0.0, 0.4)]  # 3, 4, 5
ALMOST = [(0.0, 0.0), (0.56, 0.0), (0.28, (0.25 - 0.28**2) ** 0.5)]  # 0.5, 0.5, 0.56: 12 %


@pytest.mark.parametrize(
    ("places", "answer", "expected", "robust", "near"),
    [
        (EQUILATERAL, "equilateral", ("agrees", "as_labelled", "equilateral"), True, False),
        (EQUILATERAL, "isosceles", ("contradicts", "other_triangle", "equilateral"), True, True),
        (ISOSCELES, "isosceles", ("agrees", "as_labelled", "isosceles"), True, False),
        (ISOSCELES, "equilateral", ("contradicts", "other_triangle", "isosceles"), True, False),
        (ISOSCELES, "random triangle", ("contradicts", "other_triangle", "isosceles"), True, True),
        (SCALENE, "random", ("agrees", "as_labelled", "random"), True, False),
        (SCALENE, "equilateral", ("contradicts", "other_triangle", "random"), True, False),
        (ALMOST, "isosceles", ("agrees", "as_labelled", "isosceles"), False, True),
        (ALMOST, "equilateral", ("undecidable", "between", ""), False, True),
    ],
)
def test_a_triangle(
    places: list[tuple[float, float]],
    answer: str,
    expected: tuple[str, str, str],
    robust: bool,
    near: bool,
) -> None:
    found = judge(on_floor(TRIANGLE, answer, places))
    assert said(found) == expected
    assert (found.robust, found.near_tie) == (robust, near)
    assert said(judge(on_floor(TRIANGLE, answer, places[::-1]))) == expected


def test_sides_are_given_for_the_reader() -> None:
    found = judge(on_floor(TRIANGLE, "random", SCALENE))
    sides = [found.numbers[f"side_opposite_obj{n}_m"] for n in (1, 2, 3)]
    assert sides == pytest.approx([0.5, 0.4, 0.3])
    assert found.numbers["longest_over_middle"] == pytest.approx(1.25)
    assert found.margin == pytest.approx(0.25 - 0.08)
    assert found.unit == "ratio"


JOINED, GAPS = [True] * 12, [True, False, False, True]


@pytest.mark.parametrize(
    ("gap", "views", "answer", "expected", "level"),
    [
        (0.05, JOINED, "no", ("agrees", "as_labelled", "no"), "geometry"),
        (0.05, JOINED, "yes", ("contradicts", "apart", "no"), "geometry"),
        (-0.05, JOINED, "yes", ("agrees", "as_labelled", "yes"), "recorded"),
        (-0.05, JOINED, "no", ("contradicts", "joined", "yes"), "recorded"),
        (-0.01, JOINED, "no", ("undecidable", "no_gap_seen", ""), "recorded"),
        (-0.05, JOINED[:3], "no", ("undecidable", "no_gap_seen", ""), "recorded"),
        (-0.05, GAPS, "no", ("agrees", "as_labelled", "no"), "recorded"),
        (-0.05, GAPS, "yes", ("contradicts", "gap_seen", "no"), "recorded"),
        (-0.05, [], "yes", ("undecidable", "boxes_overlap", ""), "none"),
    ],
)
def test_contact(
    gap: float, views: list[bool], answer: str, expected: tuple[str, str, str], level: str
) -> None:
    found = judge(touching(answer, gap, views))
    assert said(found) == expected
    assert found.level == level
    assert found.numbers["gap_m"] == pytest.approx(gap)
    assert (found.reproduced, found.differences) == (1, ())


def test_a_question_about_other_objects_has_no_answer() -> None:
    found = judge(touching("no", 0.05, question="Are the ball and the drum touching each other?"))
    assert said(found) == ("undecidable", "other_objects", "")
    assert found.level == "none"
    assert found.detail == "recorded are ball, box, not named: box; they would give no"


def test_a_stored_gap_that_is_wrong_is_listed() -> None:
    (difference,) = judge(touching("no", 0.05, stored_gap=0.06)).differences
    assert (difference.field, difference.stored) == ("x_gap", 0.06)
    assert difference.derived == pytest.approx(0.05)


# --- metric comparison ---------------------------------------------------------------------------

BESIDE_1, BESIDE_2 = (0.0, 0.2, 0.05), (2.0, 0.2, 0.05)


@pytest.mark.parametrize(
    ("answer", "more", "expected"),
    [
        ("near the conch", {}, ("agrees", "as_labelled", "near the conch")),
        ("near the egg", {}, ("contradicts", "smaller_one", "near the conch")),
        ("near the egg", {"scales": (1.3, 1.0)}, ("agrees", "as_labelled", "near the egg")),
        (
            "near the conch",
            {"references": (BESIDE_2, BESIDE_1)},
            ("contradicts", "smaller_one", "near the egg"),
        ),
        ("near the conch", {"references": (BESIDE_2,) * 2}, ("undecidable", "not_beside", "")),
        (
            "near the conch",
            {"references": (BESIDE_1, (2.0, 0.2, -150000.0))},
            ("undecidable", "reference_gone", ""),
        ),
        ("near the conch", {"scales": (1.0, 1.0)}, ("undecidable", "same_size", "")),
        ("near the conch", {"models": ("zzzzzz", "yyyyyy")}, ("undecidable", "other_model", "")),
    ],
)
def test_the_larger_one(answer: str, more: dict[str, Any], expected: tuple[str, str, str]) -> None:
    found = judge(sizes(answer, **more))
    assert said(found) == expected
    assert found.level == "geometry"


def test_sizes_say_by_how_much() -> None:
    found = judge(sizes("near the conch"))
    assert found.margin == pytest.approx(0.25)
    # The egg's box ends at y = 0.15, the first mug's at 0.1; the conch's as well, at 0.125.
    assert found.numbers["ref1_to_obj1_m"] == pytest.approx(0.05)
    assert found.numbers["ref2_to_obj2_m"] == pytest.approx(0.025)
    assert (found.robust, found.near_tie, found.reproduced) == (True, False, 5)
    assert not found.differences
    (difference,) = judge(sizes("near the conch", separation=2.5)).differences
    assert difference.field == "separation"
    assert difference.size == pytest.approx(0.5)


HALF_X = 0.5 * 0.070783


@pytest.mark.parametrize(
    ("near", "far", "answer", "expected", "close"),
    [
        # 0.165 and 0.465 m from box to box; 0.2 and 0.5 from middle to box.
        ((1.2, 0.5), (1.5, 0.5), "can", ("agrees", "as_labelled", "can"), False),
        ((1.2, 0.5), (1.5, 0.5), "pot", ("contradicts", "farther_one", "can"), False),
        # 0.165 and 0.212 m from box to box, 0.83 and 0.75 from middle to middle.
        ((1.2, 0.95), (0.5, 1.25), "can", ("agrees", "as_labelled", "can"), True),
        ((1.2, 0.95), (0.5, 1.25), "pot", ("undecidable", "measures", ""), True),
        ((0.5, 0.6), (0.4, 0.5), "can", ("undecidable", "both_under", ""), True),
    ],
)
def test_the_closer_one(
    near: tuple[float, float],
    far: tuple[float, float],
    answer: str,
    expected: tuple[str, str, str],
    close: bool,
) -> None:
    found = judge(distances(answer, near, far))
    assert said(found) == expected
    assert (found.near_tie, found.level) == (close, "geometry")
    # The names of the entries do not tell which is nearer.
    assert said(judge(distances(answer, far, near, names=("pot", "can")))) == expected


def test_distances_are_given_and_compared() -> None:
    stored = {"near_pos": [1.2, 0.5, 0.1], "d_near": 0.29**0.5, "dist_near_centre": 0.7}
    found = judge(distances("can", (1.2, 0.5), (1.5, 0.5), **stored))
    assert found.numbers["obj_near.box_to_box_m"] == pytest.approx(0.2 - HALF_X, abs=1e-6)
    assert found.numbers["obj_far.middle_to_middle_m"] == pytest.approx(1.0)
    assert found.margin == pytest.approx(0.3)
    assert (found.reproduced, found.differences) == (5, ())
    wrong = judge(distances("can", (1.2, 0.5), (1.5, 0.5), **{**stored, "d_near": 0.2}))
    assert [d.field for d in wrong.differences] == ["d_near"]


# --- perceptual grounding ------------------------------------------------------------------------

WEBCAM = (0.069485, 0.091198, 0.065227)


@pytest.mark.parametrize(
    ("options", "answer", "size", "expected", "level", "near"),
    [
        (("webcam", "lunch box"), "webcam", WEBCAM, "agrees as_labelled webcam", "geometry", False),
        (
            ("webcam", "lunch box"),
            "lunch box",
            WEBCAM,
            "contradicts other_thing webcam",
            "geometry",
            False,
        ),
        # The inventory has no battery pack: no box can speak against it.
        (
            ("webcam", "battery pack"),
            "webcam",
            WEBCAM,
            "agrees as_labelled webcam",
            "recorded",
            False,
        ),
        # A box that the model cannot have.
        (
            ("webcam", "lunch box"),
            "webcam",
            (0.12, 0.09, 0.06),
            "agrees as_labelled webcam",
            "recorded",
            True,
        ),
        (("iron", "lunch box"), "iron", WEBCAM, "undecidable no_option ", "none", False),
    ],
)
def test_which_object_it_is(
    options: tuple[str, str],
    answer: str,
    size: tuple[float, float, float],
    expected: str,
    level: str,
    near: bool,
) -> None:
    target = boxed("gadget", "fabztm", (0.0, 0.0, 0.0), size)
    found = judge(grounding("View Hallucination", answer, options, target))
    assert " ".join(said(found)) == expected
    assert (found.level, found.near_tie) == (level, near)


def test_boxes_bound_what_a_model_can_measure() -> None:
    size = np.array([0.4, 0.2, 0.1])
    upright, quarter = [0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.5**0.5, 0.5**0.5]

    def excess(turn: list[float], *extent: float) -> float:
        return box_excess(size, np.array(turn), np.array([[0.0, 0.0, 0.0], extent]))

    assert excess(upright, 0.4, 0.2, 0.1) == pytest.approx(0.0)
    assert excess(upright, 0.37, 0.2, 0.1) == pytest.approx(0.03)
    assert excess(upright, 0.4, 0.2, 0.15) == pytest.approx(0.05)
    assert excess(quarter, 0.2, 0.4, 0.1) == pytest.approx(0.0)
    # At 45 degrees the extents are between |0.4 - 0.2| and 0.4 + 0.2, each times 0.7071.
    turned = [0.0, 0.0, np.sin(np.pi / 8), np.cos(np.pi / 8)]
    assert excess(turned, 0.3, 0.15, 0.1) == pytest.approx(0.0)
    assert excess(turned, 0.45, 0.15, 0.1) == pytest.approx(0.45 - 0.6 * 0.5**0.5)
    assert excess(turned, 0.3, 0.10, 0.1) == pytest.approx(0.2 * 0.5**0.5 - 0.10)


def test_models_have_categories() -> None:
    assert model_category("fabztm") == "webcam"
    assert model_category("nothing") is None
    assert category_models("Lunch  box") == ("adxzhe",)
    assert category_models("battery pack") == ()


def _hidden_webcam(low: tuple[float, float, float], answer: str = "webcam") -> Verdict:
    # The target's box is centred on y = 0, the eye 2 m before it, the occluder between or not.
    target = boxed("webcam", "fabztm", (0.0, -0.5 * WEBCAM[1], 0.0), WEBCAM)
    occluder = boxed("board", "zzzzzz", low, (0.1, 1.0, 1.0))
    return judge(
        grounding("Partial Occlusion", answer, ("webcam", "lunch box"), target, occluder=occluder)
    )


def test_what_is_hidden() -> None:
    # Up to y = 0 the board hides one half, by symmetry.
    half = _hidden_webcam((-1.0, -1.0, 0.0))
    assert said(half) == ("agrees", "as_labelled", "webcam")
    assert half.numbers["hidden_part"] == pytest.approx(0.5, abs=0.04)
    assert half.numbers["hidden_part_of_occluder"] == 0.0
    assert _hidden_webcam((-1.0, -0.5, 0.0)).numbers["hidden_part"] == 1.0
    assert said(_hidden_webcam((-1.0, -1.0, 0.0), "lunch box")) == (
        "contradicts",
        "other_thing",
        "webcam",
    )
    behind = _hidden_webcam((1.0, -1.0, 0.0))
    assert said(behind) == ("undecidable", "not_occluded", "")
    assert (behind.level, behind.numbers["hidden_part"]) == ("geometry", 0.0)


@pytest.mark.parametrize(
    ("low", "answer", "expected", "margin", "near"),
    [
        ((0.04, 0.03, 0.04), "yes", ("agrees", "as_labelled", "yes"), 0.03, False),
        ((0.04, 0.03, 0.04), "no", ("contradicts", "inside", "yes"), 0.03, False),
        ((0.12, 0.04, 0.04), "no", ("agrees", "as_labelled", "no"), 0.02, False),
        ((0.12, 0.04, 0.04), "yes", ("contradicts", "outside", "no"), 0.02, False),
        ((0.095, 0.04, 0.04), "yes", ("undecidable", "straddles", ""), 0.0, True),
        ((0.095, 0.04, 0.04), "no", ("undecidable", "straddles", ""), 0.0, True),
        ((0.079, 0.04, 0.04), "yes", ("agrees", "as_labelled", "yes"), 0.001, True),
    ],
)
def test_inside(
    low: tuple[float, float, float],
    answer: str,
    expected: tuple[str, str, str],
    margin: float,
    near: bool,
) -> None:
    found = judge(transparent(answer, low))
    assert said(found) == expected
    assert found.margin == pytest.approx(margin, abs=1e-9)
    assert found.near_tie == near


def test_inside_of_something_else() -> None:
    columns = transparent("no", (0.04, 0.04, 0.04), question="Is the dice inside the vase?")
    found = judge(columns)
    assert said(found) == ("undecidable", "other_objects", "")
    assert found.detail.endswith("not named: pearl; they would give yes")


# --- counting ------------------------------------------------------------------------------------

COUNTING = (
    "Counting w Occlusion",
    "Spatial Segmentation",
    "Merged Observation",
    "Category Ambiguity",
    "Structural Enclosure",
    "Illumination Variability",
)
THREE = [("iron", 1.0), ("iron", 2.0), ("iron", 3.0)]


@pytest.mark.parametrize("small", COUNTING)
@pytest.mark.parametrize(
    ("placed", "answer", "expected", "near"),
    [
        (THREE, 3, ("agrees", "as_labelled", "3"), False),
        ([*THREE, ("hammer", 0.5)], 3, ("agrees", "as_labelled", "3"), False),
        (THREE, 5, ("contradicts", "other_count", "3"), False),
        ([("hammer", x) for _, x in THREE], 3, ("contradicts", "never_spawned", "0"), False),
        # One is outside the room.
        ([*THREE, ("iron", 5.0)], 4, ("agrees", "as_labelled", "4"), True),
        ([*THREE, ("iron", 5.0)], 3, ("undecidable", "which_count", ""), True),
        ([*THREE, ("iron", 5.0)], 2, ("contradicts", "other_count", "4"), True),
        # Two share nine tenths of their boxes.
        ([*THREE, ("iron", 1.01)], 3, ("undecidable", "which_count", ""), True),
        ([], 0, ("agrees", "as_labelled", "0"), False),
    ],
)
def test_counts(
    small: str,
    placed: list[tuple[str, float]],
    answer: int,
    expected: tuple[str, str, str],
    near: bool,
) -> None:
    found = judge(counting(small, answer, placed))
    assert said(found) == expected
    assert (found.near_tie, found.level) == (near, "geometry")
    assert found.margin == max(1, abs(answer - int(found.numbers["of_asked_category"])))


def test_counts_that_nothing_decides() -> None:
    columns = counting("Merged Observation", 3, THREE)
    assert judge({**columns, "question": "How many are there?"}).reason == "no_category"
    data = json.loads(columns["metadata_json"])
    del data["question_data"]["render"]["resolved_objects"]
    found = judge({**columns, "metadata_json": json.dumps(data)})
    assert (found.reason, found.level) == ("nothing_placed", "none")


# --- broken rows, and fields that repeat the answer ----------------------------------------------

ROWS = {
    "line": on_floor(LINE, "yes", [(0.0, 0.0), (0.3, 0.005), (0.7, 0.0)]),
    "triangle": on_floor(TRIANGLE, "random", SCALENE),
    "contact": touching("no", -0.05, GAPS),
    "size": sizes("near the conch"),
    "distance": distances("can", (1.2, 0.5), (1.5, 0.5), near_pos=[1.2, 0.5, 0.1]),
    "identity": grounding(
        "View Hallucination",
        "webcam",
        ("webcam", "lunch box"),
        boxed("webcam", "fabztm", (0.0, 0.0, 0.0), WEBCAM),
    ),
    "occlusion": grounding(
        "Partial Occlusion",
        "webcam",
        ("webcam", "lunch box"),
        boxed("webcam", "fabztm", (0.0, 0.0, 0.0), WEBCAM),
        occluder=boxed("board", "zzzzzz", (-1.0, -1.0, 0.0), (0.1, 1.0, 1.0)),
    ),
    "inside": transparent("yes", (0.04, 0.04, 0.04)),
    "count": counting("Merged Observation", 3, THREE),
}


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict):
        for name, item in value.items():
            yield (*path, name)
            yield from _paths(item, (*path, name))
    elif isinstance(value, list):
        for n, item in enumerate(value):
            yield (*path, n)
            yield from _paths(item, (*path, n))


def _changed(columns: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    data = copy.deepcopy(json.loads(columns["metadata_json"]))
    inner = data
    for name in path[:-1]:
        inner = inner[name]
    if value is KeyError:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return {**columns, "metadata_json": json.dumps(data)}


JUNK: tuple[Any, ...] = (KeyError, None, "x", -1e9, True, [], {}, [[]], {"a": {}})


@pytest.mark.parametrize("name", ROWS)
def test_broken_fields_are_named_or_not_needed(name: str) -> None:
    columns = ROWS[name]
    named = 0
    for path in _paths(json.loads(columns["metadata_json"])):
        for value in JUNK:
            found = judge(_changed(columns, path, value))
            if found.reason == "metadata":
                named += 1
                assert found.level == "none"
                assert found.detail.startswith("row:1: "), (path, value, found.detail)
    assert named > 20


REPEATS: dict[str, list[tuple[str, Any]]] = {
    "line": [("layout", "random"), ("success", False)],
    "triangle": [("layout", "isosceles_triangle"), ("success", False)],
    "size": [("answer", "task_obj1")],
    "inside": [("answer", "obj_small is NOT inside obj_container")],
    "count": [("question_data", {"answer": 5, "count_object": {"resolved_object_count": 5}})],
}


@pytest.mark.parametrize("name", REPEATS)
def test_fields_that_repeat_the_answer_are_not_read(name: str) -> None:
    columns = ROWS[name]
    honest = judge(columns)
    for field, value in REPEATS[name]:
        data = json.loads(columns["metadata_json"])
        data[field] = {**data[field], **value} if isinstance(value, dict) else value
        other = judge({**columns, "metadata_json": json.dumps(data)})
        assert other == honest
