"""Slopes, stacks, walks, changes, containers, cloths and steps, on rows worked out by hand."""

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

from esi_fast.dataset.official import OfficialQuestion, OfficialRelease, parse_row
from esi_fast.dataset.relabel import Verdict, model_box, relabel

sys.path.insert(0, str(Path(__file__).parent))
from official_rows import row

Json = Any
UPRIGHT = [0.0, 0.0, 0.0, 1.0]


def judge(big: str, small: str, answer: Any, options: Any, metadata: Any, **more: Any) -> Verdict:
    item = parse_row(row(big, small, answer=answer, options=options, metadata=metadata, **more))
    assert isinstance(item, OfficialQuestion), item
    return relabel(item)


def found(verdict: Verdict) -> tuple[str, str, str]:
    return verdict.verdict, verdict.reason, verdict.derived


def box(center: list[float], size: list[float]) -> dict[str, list[float]]:
    low, high = (np.array(center) + np.array(size) * side for side in (-0.5, 0.5))
    return {"aabb_min": low.tolist(), "aabb_max": high.tolist()}


# --- slopes --------------------------------------------------------------------------------------

TILT = math.radians(20.0)


def slope(end: tuple[float, float, float], *, beside: float = 0.0, over: float = 0.0) -> Json:
    """A cube of 0.06 m that touches a slab tilted about y with a corner, and where it ends up."""
    normal = np.array([math.sin(TILT), 0.0, math.cos(TILT)])
    touching = np.array([0.0, 0.0, 0.2]) + normal * (0.01 + 0.03 * np.abs(normal).sum())
    start = touching + np.array([0.0, beside, over])
    last = start + end
    first, after = box(start.tolist(), [0.06] * 3), box(last.tolist(), [0.06] * 3)
    thing = {f"{name}_init": value for name, value in first.items()}
    thing |= {f"{name}_final": value for name, value in after.items()}
    thing |= {"pos_init": start.tolist(), "pos_final": last.tolist()}
    return {
        "objects": {"task_obj": thing},
        "slope": {"centre": [0.0, 0.0, 0.2]},
        "slope_scale": [0.5, 0.3, 0.02],
        "slope_quaternion": [0.0, math.sin(TILT / 2), 0.0, math.cos(TILT / 2)],
        "slope_angle_deg": 20.0,
        "static_friction": 0.5,
    }


@pytest.mark.parametrize(
    ("answer", "data", "expected", "margin"),
    [
        ("yes", slope((0.0, 0.0, 0.0)), ("agrees", "as_labelled", "yes"), 0.03),
        ("no", slope((0.0, 0.0, 0.0)), ("contradicts", "other_end_state", "yes"), 0.03),
        ("no", slope((0.3, 0.4, -0.1)), ("agrees", "as_labelled", "no"), 0.47),
        ("yes", slope((0.3, 0.4, -0.1)), ("contradicts", "other_end_state", "no"), 0.47),
        # Down without going far: it dropped by 0.06 m, more than 0.05.
        ("no", slope((0.01, 0.0, -0.06)), ("agrees", "as_labelled", "no"), 0.01),
        # 0.1 m beyond the slab's side of 0.15 m, and 0.05 m above it.
        ("no", slope((1.0, 0.0, -0.2), beside=0.25), ("undecidable", "never_on_slope", ""), 0.1),
        (
            "no",
            slope((1.0, 0.0, -0.2), over=0.05 / math.cos(TILT)),
            ("undecidable", "never_on_slope", ""),
            0.02,
        ),
    ],
)
def test_slopes(answer: str, data: Json, expected: tuple[str, str, str], margin: float) -> None:
    verdict = judge("Physical Dynamics", "Inclined Plane", answer, ["yes", "no"], data)
    assert found(verdict) == expected
    assert verdict.margin == pytest.approx(margin, abs=1e-6)
    assert verdict.level == "geometry"
    assert verdict.numbers["slope_deg"] == pytest.approx(20.0, abs=1e-6)
    assert verdict.differences == ()


def test_a_short_way_on_a_slope_is_a_near_tie_and_other_thresholds_are_told() -> None:
    data = slope((0.035, 0.0, 0.0))
    verdict = judge("Physical Dynamics", "Inclined Plane", "no", ["yes", "no"], data)
    assert found(verdict) == ("agrees", "as_labelled", "no")
    assert verdict.near_tie
    assert verdict.others == {"slides beyond 0.02 m": "no", "slides beyond 0.05 m": "yes"}
    assert not verdict.robust


# --- stacks --------------------------------------------------------------------------------------

THINGS = ("box", "can", "jar")
LYING = [math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5)]


def trial(order: tuple[str, ...], *, fallen: bool = False, lean: float = 0.0) -> Json:
    """Cubes of 0.1 m on each other; when checked all stand, and later the top one may not."""
    checked = {name: box([0, 0, 0.05 + 0.1 * n], [0.1] * 3) for n, name in enumerate(order)}
    last = {
        name: {**value, "quaternion_xyzw": [math.sin(lean / 2), 0.0, 0.0, math.cos(lean / 2)]}
        for name, value in checked.items()
    }
    if fallen:
        last[order[-1]] = {**box([0.3, 0, 0.05], [0.1] * 3), "quaternion_xyzw": LYING}
    after = {
        name: {
            "min": value["aabb_min"],
            "max": value["aabb_max"],
            "extent": [0.1] * 3,
            "centre": [0.0, 0.0, 0.05 + 0.1 * n],
        }
        for n, (name, value) in enumerate(checked.items())
    }
    return {"order": list(order), "snaps": last, "post_aabbs": after}


def stacks(*trials: Json) -> Json:
    return {
        "object_names": list(THINGS),
        "object_categories": list(THINGS),
        "initial_poses": {name: {"quaternion_xyzw": UPRIGHT} for name in THINGS},
        "trials": list(trials),
    }


def stacking(orders: list[tuple[str, ...]], *trials: Json) -> Verdict:
    answer = [list(order) for order in orders]
    return judge("Physical Dynamics", "Stacking & Stability", answer, list(THINGS), stacks(*trials))


UP, DOWN = ("box", "can", "jar"), ("jar", "can", "box")


def test_stacks_that_stand_or_have_come_down() -> None:
    verdict = stacking([UP], trial(UP), trial(DOWN, fallen=True))
    assert found(verdict) == ("agrees", "as_labelled", "box | can | jar")
    assert verdict.reproduced == 36
    assert verdict.differences == ()
    verdict = stacking([UP, DOWN], trial(UP), trial(DOWN, fallen=True))
    assert found(verdict) == ("contradicts", "fell_down", "box | can | jar")
    # The top cube went 0.3 m aside and 0.2 m down; 0.05 m would be allowed.
    assert verdict.margin == pytest.approx(math.hypot(0.3, 0.2) - 0.05)
    assert verdict.numbers["fell_m"] == pytest.approx(0.2)
    assert [shape.name for shape in verdict.shapes] == ["stack when checked", *DOWN]
    assert verdict.shapes[0].points[1][2] == pytest.approx(0.3)
    assert verdict.numbers["box.tilt_deg"] == pytest.approx(90.0)
    assert not verdict.near_tie


def test_an_order_that_stands_may_not_be_missing() -> None:
    verdict = stacking([UP], trial(UP), trial(DOWN))
    assert found(verdict) == (
        "contradicts",
        "order_missing",
        "box | can | jar or jar | can | box",
    )


def test_an_order_that_leans_is_doubtful() -> None:
    # 27 degrees are beyond the paper's 26, but nothing has moved.
    verdict = stacking([UP], trial(UP, lean=math.radians(27.0)))
    assert found(verdict) == ("undecidable", "doubtful_order", "")
    assert verdict.others["within 45 degrees of upright"] == "box | can | jar"
    verdict = stacking([UP, DOWN], trial(UP))
    assert found(verdict) == ("undecidable", "not_tried", "box | can | jar")


def test_a_thing_that_first_lay_on_its_side_may_stand_either_way() -> None:
    data = stacks(trial(UP))
    data["initial_poses"]["can"]["quaternion_xyzw"] = LYING
    verdict = judge("Physical Dynamics", "Stacking & Stability", [list(UP)], list(THINGS), data)
    assert verdict.verdict == "agrees"


# --- walks ---------------------------------------------------------------------------------------


def walk(*things: tuple[float, float, float, str], jump: float = 0.0, seen: int = 0) -> Json:
    """A way along x from 0 to 2 m, then maybe set down ``jump`` m farther along y."""
    way = [[0.1 * n, 0.0] for n in range(21)]
    if jump:
        way.append([2.0, jump])
    objects = {
        f"hidden_obj_{n}": {
            **box([x, y, z], [0.1] * 3),
            "position": [x, y, z],
            "category": "apple",
            "placed_on": placed,
            "dist_to_path": min(math.dist(point, (x, y)) for point in way),
        }
        for n, (x, y, z, placed) in enumerate(things)
    }
    frames = {f"step_{n}.png": {"visibility": dict.fromkeys(objects, n < seen)} for n in range(3)}
    return {
        "object_category": "apple",
        "robot_start_z": 0.1,
        "step_log": [{"robot_xy": point} for point in way],
        "path_waypoints": way,
        "objects_meta": objects,
        "observer_poses": frames,
    }


def passed(answer: int, data: Json) -> Verdict:
    options = ["0", "1", "2", "3"]
    return judge("Temporal Understanding", "Agent Observation", str(answer), options, data)


@pytest.mark.parametrize(
    ("answer", "data", "expected"),
    [
        (1, walk((1.0, 0.6, 0.05, "floor"), (1.0, 1.3, 0.05, "floor")), ("agrees", "1")),
        (2, walk((1.0, 0.6, 0.05, "floor"), (1.0, 1.3, 0.05, "floor")), ("contradicts", "1")),
        # Beyond the end by 0.8 and aside by 0.8: 1.13 m from the last step.
        (0, walk((2.8, 0.8, 0.05, "floor")), ("agrees", "0")),
        (0, walk((1.0, 0.5, 0.05, "failed")), ("contradicts", "1")),
        (1, walk((1.0, 0.5, -40.0, "floor")), ("contradicts", "0")),
        # It was set down from y = 0 to y = 3: what lies between was not walked past.
        (0, walk((2.2, 1.5, 0.05, "floor"), jump=3.0), ("agrees", "0")),
    ],
)
def test_walks(answer: int, data: Json, expected: tuple[str, str]) -> None:
    verdict = passed(answer, data)
    assert (verdict.verdict, verdict.derived) == expected
    assert verdict.level == "geometry"
    assert verdict.differences == ()


def test_how_sure_a_walk_is() -> None:
    verdict = passed(0, walk((1.0, 0.5, 0.05, "failed")))
    assert verdict.others["without what was not placed as meant"] == "0"
    assert not verdict.robust
    verdict = passed(1, walk((1.0, 0.5, -40.0, "floor"), seen=2))
    assert found(verdict) == ("undecidable", "fell_later", "0")
    assert verdict.others["with what was seen before it fell"] == "1"
    assert verdict.near_tie
    assert verdict.numbers["hidden_obj_0.seen_frames"] == 2
    verdict = passed(1, walk((1.0, 0.99, 0.05, "floor")))
    assert verdict.near_tie
    assert verdict.margin == pytest.approx(0.01)


def test_a_stored_distance_that_does_not_come_out_is_told() -> None:
    data = walk((1.0, 0.6, 0.05, "floor"))
    data["objects_meta"]["hidden_obj_0"]["dist_to_path"] = 0.5
    (difference,) = passed(1, data).differences
    assert difference.field == "objects_meta.hidden_obj_0.dist_to_path"
    assert (difference.stored, difference.size) == (0.5, pytest.approx(0.1))


# --- changes -------------------------------------------------------------------------------------

APPLE = {"category": "apple", "model": "a", "bbox_size_m": [0.08, 0.08, 0.08]}
BOOK = {"category": "book", "model": "b", "bbox_size_m": [0.05, 0.3, 0.28]}
PLANK = {"category": "plank", "model": "p", "bbox_size_m": [0.05, 0.45, 0.1]}


def change(kind: str, **boxes: tuple[Json, Json]) -> Json:
    entries = []
    for name, (before, after) in boxes.items():
        entry: dict[str, Any] = {
            "position_label": name,
            "container": {"bbox": [[0.0, 0.0, 0.0], [0.4, 0.3, 0.3]]},
        }
        if before:
            entry["phase1_content"] = before
        if after:
            entry["phase2_content"] = after
        entries.append(entry)
    return {"question_data": {"task_type": kind, "boxes": entries}}


KINDS = ["no_change", "add", "remove", "replace"]
COLOURS = ["red box", "blue box"]


@pytest.mark.parametrize(
    ("answer", "options", "data", "expected"),
    [
        (
            "no",
            ["yes", "no"],
            change("change_detection", it=(APPLE, APPLE)),
            ("agrees", "as_labelled", "no"),
        ),
        (
            "no",
            ["yes", "no"],
            change("change_detection", it=(APPLE, None)),
            ("contradicts", "other_change", "yes"),
        ),
        (
            "add",
            KINDS,
            change("change_identification", it=(None, BOOK)),
            ("agrees", "as_labelled", "add"),
        ),
        (
            "remove",
            KINDS,
            change("change_identification", it=(APPLE, BOOK)),
            ("contradicts", "other_change", "replace"),
        ),
        (
            "red box",
            COLOURS,
            change("current_state_reasoning", red=(APPLE, BOOK), blue=(BOOK, BOOK)),
            ("agrees", "as_labelled", "red box"),
        ),
        (
            "red box",
            COLOURS,
            change("current_state_reasoning", red=(APPLE, BOOK), blue=(BOOK, None)),
            ("contradicts", "several_changed", ""),
        ),
        # 0.45 m go into no side of a box of 0.4 m.
        (
            "yes",
            ["yes", "no"],
            change("change_detection", it=(PLANK, None)),
            ("undecidable", "cannot_be_inside", ""),
        ),
    ],
)
def test_changes(answer: str, options: Any, data: Json, expected: tuple[str, str, str]) -> None:
    verdict = judge("Temporal Understanding", "Unobserved Change", answer, options, data)
    assert found(verdict) == expected
    premise = expected[1] == "cannot_be_inside"
    assert verdict.level == ("geometry" if premise else "recorded")
    if premise:
        assert verdict.margin == pytest.approx(0.045)


# --- steps of a hierarchy ------------------------------------------------------------------------


def hierarchy(bases: tuple[float, float], tops: tuple[float, float]) -> Json:
    """A bowl of 0.2 m with candidates left and right, before and behind, seen from the south."""

    def at(x: float, y: float, side: float) -> Json:
        return box([x, y, 0.02], [side, side, 0.04])

    # It looks north and down at 45 degrees: x is to the right, and farther is higher up.
    look = math.radians(45.0)
    return {
        "hierarchy": {"relation_A": "on_top_of", "relation_C": "on_top_of"},
        "initial_poses": {
            "obj_fixed": at(0.0, 0.0, 0.2),
            "obj_A_correct": at(0.8, 0.0, bases[0]),
            "obj_A_wrong": at(-0.8, 0.0, bases[1]),
            "obj_C_correct": at(0.0, 0.8, tops[0]),
            "obj_C_wrong": at(0.0, -0.8, tops[1]),
        },
        "stage0_initial_views": [
            {
                "pose": {
                    "position": [0.0, -2.0, 2.0],
                    "quaternion_xyzw": [math.sin(look / 2), 0.0, 0.0, math.cos(look / 2)],
                }
            }
        ],
    }


@pytest.mark.parametrize(
    ("labels", "data", "expected"),
    [
        (("right", "above"), hierarchy((0.26, 0.18), (0.12, 0.26)), ("agrees", "as_labelled")),
        (("left", "above"), hierarchy((0.26, 0.18), (0.12, 0.26)), ("contradicts", "other_fits")),
        (("right", "above"), hierarchy((0.18, 0.26), (0.12, 0.26)), ("contradicts", "other_fits")),
        (("above", "above"), hierarchy((0.26, 0.18), (0.12, 0.26)), ("contradicts", "other_place")),
        (("right", "above"), hierarchy((0.17, 0.18), (0.12, 0.26)), ("contradicts", "none_fits")),
        # 0.199 of 0.2 m are too little, but by no more than a hair.
        (("right", "above"), hierarchy((0.199, 0.1), (0.12, 0.26)), ("undecidable", "none_fits")),
        # The larger base and the smaller top will do as well.
        (("right", "above"), hierarchy((0.26, 0.34), (0.12, 0.26)), ("undecidable", "both_fit")),
        (("right", "above"), hierarchy((0.26, 0.18), (0.12, 0.08)), ("undecidable", "both_fit")),
    ],
)
def test_steps(labels: tuple[str, str], data: Json, expected: tuple[str, str]) -> None:
    sides = ["left", "right", "above", "below"]
    verdict = judge(
        "Action Sequencing",
        "Action Order Inference",
        {"answer_A": labels[0], "answer_C": labels[1]},
        {"A": sides, "C": sides},
        data,
    )
    assert (verdict.verdict, verdict.reason) == expected
    assert verdict.level == "geometry"
    if expected[0] == "agrees":
        assert verdict.derived == "right | above"
        assert verdict.numbers["A.wrong.ratio"] == pytest.approx(0.9)
        assert verdict.margin == pytest.approx(0.1)


def test_a_place_on_a_diagonal_has_no_name() -> None:
    data = hierarchy((0.26, 0.18), (0.12, 0.26))
    # Seen under 45 degrees a way to the north appears shorter: 0.5 to the right, 0.5 by 0.85 up.
    data["initial_poses"]["obj_A_correct"] = box([0.5, 0.85, 0.02], [0.26, 0.26, 0.04])
    sides = ["left", "right", "above", "below"]
    verdict = judge(
        "Action Sequencing",
        "Action Order Inference",
        {"answer_A": "above", "answer_C": "above"},
        {"A": sides, "C": sides},
        data,
    )
    assert verdict.verdict != "contradicts"


# --- containers ----------------------------------------------------------------------------------


def containment(thing: list[float], *others: tuple[str, list[float]]) -> Json:
    def item(category: str, size: list[float]) -> Json:
        pose = box([0, 0, 0.5 * size[2]], size)
        return {"cat": category, "bbox_inventory": size, "scale": [1.0] * 3, "final_pose": pose}

    return {
        "containee": item("doll", thing),
        "extras": {f"extra{n}": item(c, s) for n, (c, s) in enumerate(others, start=1)},
        "containers": {
            "big": item("bucket", [0.4, 0.4, 0.4]),
            "fit": item("toy_box", [0.26, 0.2, 0.3]),
            "small": item("mug", [0.15, 0.15, 0.15]),
        },
    }


def contained(answer: str, data: Json, question: str = "Where does the doll fit?") -> Verdict:
    options = ["bucket", "toy box", "mug"]
    return judge(
        "Physical Structure", "Rigid Containment", answer, options, data, question=question
    )


@pytest.mark.parametrize(
    ("thing", "answer", "expected", "margin"),
    [
        # 0.2 of 0.26, 0.15 of 0.2, 0.24 of 0.3: at most 0.8 of the toy box, 1.6 of the mug.
        ([0.15, 0.2, 0.24], "toy box", ("agrees", "as_labelled", "toy box"), 0.2),
        ([0.15, 0.2, 0.24], "mug", ("contradicts", "does_not_fit", ""), 0.6),
        ([0.15, 0.2, 0.24], "bucket", ("undecidable", "maybe_smaller", "bucket"), 0.4),
        # 0.5 of the toy box, and 0.867 of the mug, which walls may make too narrow.
        ([0.13, 0.1, 0.13], "bucket", ("contradicts", "fits_smaller", "toy box"), 1 / 1.3 - 0.5),
    ],
)
def test_containers(
    thing: list[float], answer: str, expected: tuple[str, str, str], margin: float
) -> None:
    verdict = contained(answer, containment(thing))
    assert found(verdict) == expected
    assert verdict.margin == pytest.approx(margin)
    assert verdict.level == "geometry"


def test_a_container_that_another_thing_needs_is_not_free() -> None:
    data = containment([0.15, 0.2, 0.24], ("can", [0.16, 0.16, 0.16]))
    answer = {"doll": "toy box", "can": "bucket"}
    options = ["bucket", "toy box", "mug"]
    verdict = judge("Physical Structure", "Rigid Containment", answer, options, data)
    assert found(verdict) == ("agrees", "as_labelled", "toy box | bucket")


def test_containers_of_one_kind_are_told_by_their_size() -> None:
    data = containment([0.15, 0.2, 0.24])
    for item in data["containers"].values():
        item["cat"] = "carton"
    options = ["large carton", "small carton", "medium carton"]
    verdict = judge(
        "Physical Structure",
        "Rigid Containment",
        "medium carton",
        options,
        data,
        question="Where does the doll fit?",
    )
    assert found(verdict) == ("agrees", "as_labelled", "medium carton")


# --- vessels -------------------------------------------------------------------------------------


def vessels(left: int, right: int) -> Json:
    return {
        "obj1": {
            "side": "left",
            "category": "water_glass",
            "capacity_measured": left,
            "capacity_from_json": left + 3,
        },
        "obj2": {
            "side": "right",
            "category": "bowl",
            "capacity_measured": right,
            "capacity_from_json": right - 3,
        },
        "capacity_diff_measured": left - right,
        "final_particles_obj1": max(left - right, 0),
        "final_particles_obj2": min(left, right),
    }


@pytest.mark.parametrize(
    ("left", "right", "answer", "expected", "near"),
    [
        (100, 300, "right", ("agrees", "as_labelled", "bowl"), False),
        (100, 300, "left", ("contradicts", "other_holds_more", "bowl"), False),
        (1000, 980, "left", ("agrees", "as_labelled", "water glass"), True),
        (200, 200, "left", ("undecidable", "other_holds_more", ""), True),
    ],
)
def test_vessels(
    left: int, right: int, answer: str, expected: tuple[str, str, str], near: bool
) -> None:
    options = ["water glass", "bowl"]
    data = vessels(left, right)
    verdict = judge("Physical Structure", "Liquid Volume", answer, options, data)
    assert found(verdict) == expected
    assert (verdict.level, verdict.near_tie) == ("recorded", near)
    assert verdict.margin == abs(left - right)
    assert (verdict.reproduced, verdict.differences) == (3, ())
    data["final_particles_obj1"] += 7
    (difference,) = judge("Physical Structure", "Liquid Volume", answer, options, data).differences
    assert difference.size == 7


def test_vessels_may_be_offered_in_either_order() -> None:
    for answer, verdict in (("bowl", "agrees"), ("water glass", "contradicts")):
        judged = judge(
            "Physical Structure",
            "Liquid Volume",
            answer,
            ["bowl", "water glass"],
            vessels(100, 300),
        )
        assert (judged.verdict, judged.derived) == (verdict, "bowl")
        assert judged.numbers["left.particles"] == 100


# --- cloths --------------------------------------------------------------------------------------

MODELS = {"can of tomato paste": "sqqdzb", "can of coffee": "zubwua", "pear": "ngtwvy"}


def cloth(under: str, shown: str, *, off: float = 0.0, depth: float = 0.0) -> Json:
    """A thing of the size of ``shown`` under a cloth that was dropped ``off`` m beside it."""
    size = model_box(MODELS[shown])
    assert size is not None
    pose = box([0.0, 0.0, 0.5 * size[2] - depth], size.tolist())
    return {
        "small_item": {
            "category": under.replace(" ", "_"),
            "model": MODELS[under],
            "bbox_after_cover": {"min": pose["aabb_min"], "max": pose["aabb_max"]},
            "pose_after_cover": {"quaternion_xyzw": UPRIGHT},
        },
        "distractors": [
            {"category": name.replace(" ", "_"), "model": model}
            for name, model in MODELS.items()
            if name != under
        ],
        "cloth": {"drop_position": [off, 0.0, 0.3]},
        "camera_poses": {"cloth_footprint_xy_m": 0.2},
    }


@pytest.mark.parametrize(
    ("data", "answer", "expected"),
    [
        (
            cloth("pear", "pear"),
            "pear",
            ("agrees", "as_labelled", "pear"),
        ),
        (
            cloth("pear", "can of coffee"),
            "pear",
            ("contradicts", "size_of_another", "can of coffee"),
        ),
        (cloth("pear", "pear", off=0.4), "pear", ("undecidable", "not_covered", "")),
        (cloth("pear", "pear", depth=6.0), "pear", ("undecidable", "not_covered", "")),
    ],
)
def test_cloths(data: Json, answer: str, expected: tuple[str, str, str]) -> None:
    verdict = judge("Physical Structure", "Deformable", answer, list(MODELS), data)
    assert found(verdict) == expected
    assert verdict.level == "geometry"


def test_where_sizes_do_not_tell_only_the_record_is_left() -> None:
    data = cloth("pear", "pear")
    data["small_item"]["bbox_after_cover"]["max"][2] += 1.0
    verdict = judge("Physical Structure", "Deformable", "pear", list(MODELS), data)
    assert (verdict.verdict, verdict.level, verdict.margin) == ("agrees", "recorded", None)


# --- what a row does not record ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("big", "small", "answer", "options", "data"),
    [
        ("Physical Dynamics", "Inclined Plane", "yes", ["yes", "no"], slope((0, 0, 0))),
        ("Physical Dynamics", "Stacking & Stability", [list(UP)], list(THINGS), stacks(trial(UP))),
        ("Temporal Understanding", "Agent Observation", "1", ["1"], walk((1, 0, 0, "floor"))),
        (
            "Temporal Understanding",
            "Unobserved Change",
            "no",
            ["yes", "no"],
            change("change_detection", it=(APPLE, APPLE)),
        ),
        ("Physical Structure", "Liquid Volume", "left", ["water glass", "bowl"], vessels(30, 20)),
        ("Physical Structure", "Deformable", "pear", list(MODELS), cloth("pear", "pear")),
    ],
)
def test_a_missing_field_is_named(
    big: str, small: str, answer: Any, options: Any, data: Json
) -> None:
    assert judge(big, small, answer, options, data).verdict == "agrees"
    for name in data:
        broken = copy.deepcopy(data)
        broken[name] = {"else": 0}
        verdict = judge(big, small, answer, options, broken)
        if verdict.reason != "metadata":
            # A number that is only compared, and need not be there.
            assert name in ("capacity_diff_measured", "slope_angle_deg"), name
            continue
        assert (verdict.verdict, verdict.level) == ("undecidable", "none")
        assert name in verdict.detail


# --- the published rows --------------------------------------------------------------------------


def verdicts(published: OfficialRelease, task: str) -> dict[int, Verdict]:
    return {q.row: relabel(q) for q in published.questions if q.task == task}


def counts(found: dict[int, Verdict]) -> Counter[tuple[str, str]]:
    return Counter((v.verdict, v.reason) for v in found.values())


def test_published_stacks(published: OfficialRelease) -> None:
    task = "physical_dynamics/stacking_stability"
    found = verdicts(published, task)
    assert counts(found) == {
        ("agrees", "as_labelled"): 76,
        ("contradicts", "fell_down"): 12,
        ("undecidable", "doubtful_order"): 1,
    }
    assert sum(len(v.differences) for v in found.values()) == 0
    # Without our reader or kernels: in which labelled orders does the top body's underside end
    # lower than the bottom body's upper side by more than 0.1 m?
    collapsed = set()
    for question in published.questions:
        if question.task != task:
            continue
        data = question.metadata()
        categories = dict(zip(data["object_names"], data["object_categories"], strict=True))
        for tried in data["trials"]:
            order = tuple(categories[name] for name in tried["order"])
            if order in {tuple(t.replace(" ", "_") for t in a) for a in question.answer_texts}:
                low, top = (tried["snaps"][tried["order"][n]] for n in (0, -1))
                if top["aabb_min"][2] < low["aabb_max"][2] - 0.1 and (
                    tried["post_aabbs"][tried["order"][-1]]["min"][2] > top["aabb_min"][2] + 0.1
                ):
                    collapsed.add(question.row)
    fallen = {row for row, v in found.items() if v.reason == "fell_down"}
    assert len(collapsed) >= 5
    assert collapsed <= fallen


def test_published_slopes(published: OfficialRelease) -> None:
    found = verdicts(published, "physical_dynamics/inclined_plane")
    assert counts(found) == {
        ("agrees", "as_labelled"): 56,
        ("undecidable", "never_on_slope"): 5,
    }
    assert sum(len(v.differences) for v in found.values()) == 0


def test_published_walks(published: OfficialRelease) -> None:
    task = "temporal_understanding/agent_observation"
    found = verdicts(published, task)
    assert counts(found) == {
        ("agrees", "as_labelled"): 115,
        ("contradicts", "passes_another_number"): 16,
        ("undecidable", "fell_later"): 2,
    }
    # By hand, with the steps as points: which labelled counts does no reading of what is in the
    # house give, with or without what was not placed as meant, and what was seen before it fell?
    for question in published.questions:
        if question.task != task:
            continue
        data = question.metadata()
        way = np.array([step["robot_xy"] for step in data["step_log"]])
        near, meant = 0, 0
        for item in data["objects_meta"].values():
            center = 0.5 * (np.array(item["aabb_min"]) + item["aabb_max"])
            away = float(np.linalg.norm(way - center[:2], axis=1).min())
            if away < 1.0 and center[2] > -2.0:
                near += 1
                meant += item["placed_on"] != "failed"
        verdict = found[question.row]
        assert verdict.derived == str(near), question.row
        assert verdict.others["without what was not placed as meant"] == str(meant)


def test_published_containers_vessels_cloths_changes_and_steps(
    published: OfficialRelease,
) -> None:
    expected = {
        "physical_structure/rigid_containment": {
            ("agrees", "as_labelled"): 72,
            ("contradicts", "fits_smaller"): 6,
            ("undecidable", "maybe_smaller"): 2,
        },
        "physical_structure/liquid_volume": {("agrees", "as_labelled"): 136},
        "physical_structure/deformable": {
            ("agrees", "as_labelled"): 96,
            ("undecidable", "not_covered"): 2,
        },
        "temporal_understanding/unobserved_change": {
            ("agrees", "as_labelled"): 144,
            ("undecidable", "cannot_be_inside"): 4,
        },
        "action_sequencing/action_order_inference": {
            ("agrees", "as_labelled"): 18,
            ("undecidable", "none_fits"): 1,
            ("undecidable", "both_fit"): 58,
        },
    }
    assert {task: dict(counts(verdicts(published, task))) for task in expected} == expected
    # The counts of particles, poured and left over, are kept to the last one.
    poured = verdicts(published, "physical_structure/liquid_volume").values()
    assert [d for v in poured for d in v.differences] == []


def test_published_steps_by_hand(published: OfficialRelease) -> None:
    """Sides of footprints, without our reader or kernels."""
    both = set()
    for question in published.questions:
        if question.task != "action_sequencing/action_order_inference":
            continue
        poses = question.metadata()["initial_poses"]

        def sides(name: str, poses: Json = poses) -> list[float]:
            size = np.subtract(poses[name]["aabb_max"], poses[name]["aabb_min"])
            return sorted(size[:2].tolist())

        fixed = sides("obj_fixed")
        bases = [
            all(b >= f for b, f in zip(sides(f"obj_A_{which}"), fixed, strict=True))
            for which in ("correct", "wrong")
        ]
        tops = [
            all(t <= f for t, f in zip(sides(f"obj_C_{which}"), fixed, strict=True))
            for which in ("correct", "wrong")
        ]
        if any(bases) and any(tops) and (all(bases) or all(tops)):
            both.add(question.row)
    found = verdicts(published, "action_sequencing/action_order_inference")
    assert both == {row for row, v in found.items() if v.reason == "both_fit"}


def test_orders_are_permutations_of_what_is_offered(published: OfficialRelease) -> None:
    for verdict in verdicts(published, "physical_dynamics/stacking_stability").values():
        orders = [order.split(" | ") for order in verdict.derived.split(" or ") if order]
        for one, other in itertools.pairwise(orders):
            assert sorted(one) == sorted(other)
