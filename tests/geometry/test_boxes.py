"""Boxes: the recorded cases, a linear programme as second opinion, and invariants."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.spatial.transform import Rotation

from esi_fast.geometry import boxes
from esi_fast.geometry import transforms as tf
from esi_fast.geometry.boxes import Obb

CASES: dict[str, dict[str, Any]] = {
    case["id"]: case
    for case in json.loads((Path(__file__).parents[1] / "data" / "aabb.json").read_text())
}


def _points(shape: dict[str, Any]) -> np.ndarray:
    if "vertices" in shape:
        return np.array(shape["vertices"], dtype=np.float64)
    if "box_extents" in shape:
        half = np.array(shape["box_extents"]) / 2
        return boxes.corners([-half, half])
    return boxes.corners([shape["box_min"], shape["box_max"]])


def _pose(axis: Any, deg: float, translation: Any = (0, 0, 0)) -> np.ndarray:
    turn = Rotation.from_rotvec(np.radians(deg) * np.asarray(axis, dtype=float))
    return tf.pose_matrix(translation, turn.as_quat())


@pytest.mark.parametrize("name", ["aabb-01", "aabb-02", "aabb-03", "aabb-06", "aabb-19"])
def test_world_box_of_a_turned_shape(name: str) -> None:
    case = CASES[name]
    data, expected = case["input"], case["expected"]
    turn = data["rotation"]
    pose = _pose(turn["axis"], turn["deg"], data.get("translation", (0, 0, 0)))
    got = boxes.world_aabb(_points(data["shape"]), pose)
    for key, value in {
        "extents": boxes.size(got),
        "min": got[0],
        "max": got[1],
        "centre": boxes.center(got),
    }.items():
        if key in expected:
            np.testing.assert_allclose(value, expected[key], atol=case["tolerance"])


def test_aabb_04_a_box_does_not_grow_by_turning() -> None:
    case = CASES["aabb-04"]
    cube = _points(case["input"]["shape"])
    poses = np.stack([_pose((0, 0, 1), d) for d in case["input"]["rotations_deg_about_z"]])
    got = boxes.size(boxes.world_aabb(cube, poses))[:, 0]
    np.testing.assert_allclose(got, case["expected"]["extent_x"], atol=1e-9)


def test_aabb_07_touching_and_overlapping_pairs() -> None:
    case = CASES["aabb-07"]
    a = np.array([pair["a"] for pair in case["input"]["pairs"]], dtype=float)
    b = np.array([pair["b"] for pair in case["input"]["pairs"]], dtype=float)
    expected = case["expected"]
    assert boxes.overlap(a, b).tolist() == expected["closed_intersects"]
    assert boxes.overlap(a, b, tolerance=-1e-9).tolist() == expected["interior_intersects"]
    np.testing.assert_allclose(boxes.gap(a, b)[:, 0], expected["gap_x"], atol=1e-9)
    np.testing.assert_allclose(boxes.gap(a, b)[:, 1], expected["gap_y"], atol=1e-9)
    np.testing.assert_allclose(boxes.overlap_volume(a, b), expected["overlap_volume"], atol=1e-9)
    assert boxes.contact(a, b).tolist() == [True, True, False, False]


def test_aabb_13_containment_is_inclusive() -> None:
    case = CASES["aabb-13"]
    for eps, expected in case["expected"]["contained"].items():
        got = boxes.contains(
            case["input"]["container"], case["input"]["objects"], tolerance=float(eps)
        )
        assert got.tolist() == expected


def test_aabb_14_standing_on_another() -> None:
    case = CASES["aabb-14"]
    data = case["input"]
    uppers = np.array([item["aabb"] for item in data["uppers"]], dtype=float)
    np.testing.assert_allclose(boxes.iou_xy(data["lower"], uppers), case["expected"]["iou"])
    assert boxes.support(data["lower"], uppers).tolist() == case["expected"]["on_top"]
    tilts = np.radians([item["tilt_deg"] for item in data["uppers"]])
    up = tf.quat_to_matrix(
        np.stack([np.sin(tilts / 2), 0 * tilts, 0 * tilts, np.cos(tilts / 2)], 1)
    )
    stable = boxes.support(data["lower"], uppers) & (up[:, 2, 2] > data["rule"]["up_dot_min"])
    assert stable.tolist() == case["expected"]["stable"]


def test_aabb_15_the_empty_box_is_neutral() -> None:
    case = CASES["aabb-15"]
    parts = [boxes.aabb(np.reshape(part["points"], (-1, 3))) for part in case["input"]["sets"]]
    np.testing.assert_array_equal(boxes.union(parts), case["expected"]["union"])
    np.testing.assert_array_equal(boxes.union(parts[1:]), case["expected"]["union_without_empty"])
    np.testing.assert_array_equal(boxes.union(parts[:1]), boxes.EMPTY)
    np.testing.assert_array_equal(boxes.union([]), boxes.EMPTY)
    with pytest.raises(ValueError, match="finite"):
        boxes.size(boxes.EMPTY)


def test_aabb_16_scale_comes_before_rotation() -> None:
    case = CASES["aabb-16"]
    for item, expected in zip(case["input"]["cases"], case["expected"]["aabb"], strict=True):
        pose = _pose((0, 0, 1), item["rotate_z_deg"])
        got = boxes.world_aabb(boxes.corners(item["box"]), pose, item["scale"])
        np.testing.assert_allclose(got, expected, atol=1e-9)


def test_aabb_10_a_compound_is_as_near_as_its_nearest_part() -> None:
    case = CASES["aabb-10"]
    a, b = (np.array(case["input"][key], dtype=float) for key in ("a_parts", "b_parts"))
    apart = boxes.distance(a[:, None], b[None])
    assert apart.min() == case["expected"]["dist"]
    assert apart[0, 0] == case["expected"]["wrong_if_first_part_only"]


def test_aabb_18_fits_without_a_margin() -> None:
    case = CASES["aabb-18"]
    opening = [[0, 0, 0], [case["input"]["opening"], 1, 1]]
    parts = [[[0, 0, 0], [width, 1, 1]] for width in case["input"]["parts"]]
    assert boxes.contains(opening, parts, tolerance=0.0).tolist() == case["expected"]["fits"]


@pytest.mark.parametrize("call", [boxes.size, boxes.center, boxes.corners, boxes.union])
def test_inverted_boxes_raise(call: Any) -> None:
    with pytest.raises(ValueError, match=r"inverted box at index \(1\)"):
        call([[[0, 0, 0], [1, 1, 1]], [[0, 2, 0], [1, 1, 1]]])


def test_every_case_has_its_test() -> None:
    together = {"aabb-01", "aabb-02", "aabb-03", "aabb-06", "aabb-19"}
    for name in set(CASES) - together:
        prefix = f"test_{name.replace('-', '_')}_"
        assert any(test.startswith(prefix) for test in globals()), name


number = st.floats(-5, 5, allow_nan=False).map(lambda x: round(x, 4))
extent = st.floats(0, 3).map(lambda x: round(x, 4))
point = st.tuples(number, number, number)
extents = st.tuples(extent, extent, extent)
unit = st.floats(-1, 1).map(lambda x: round(x, 5))
quat = st.tuples(unit, unit, unit, unit).filter(lambda q: sum(x * x for x in q) > 1e-3)
obbs = st.builds(Obb, point, quat, extents)


def _box(p: Any, e: Any) -> np.ndarray:
    return np.array([p, np.add(p, e)])


@given(point, extents, point, extents)
def test_pair_relations_agree_with_each_other(p: Any, e: Any, q: Any, f: Any) -> None:
    a, b = _box(p, e), _box(q, f)
    gap = boxes.gap(a, b)
    np.testing.assert_array_equal(gap, boxes.gap(b, a))
    assert boxes.overlap(a, b) == (boxes.distance(a, b) == 0.0)
    assert (boxes.overlap_volume(a, b) > 0) <= boxes.overlap(a, b)
    np.testing.assert_allclose(
        np.prod(np.maximum(np.minimum(a[1], b[1]) - np.maximum(a[0], b[0]), 0)),
        boxes.overlap_volume(a, b),
    )
    assert boxes.contains(a, b, tolerance=0) == bool(np.array_equal(boxes.union([a, b]), a))
    assert 0.0 <= boxes.iou(a, b) <= 1.0 + 1e-12
    assert boxes.contains(a, a, tolerance=0)
    if np.prod(e) > 1e-6:
        assert boxes.iou(a, a) == pytest.approx(1.0)
        assert boxes.iou_xy(a, a) == pytest.approx(1.0)


box_lists = st.lists(st.tuples(point, extents), max_size=25).map(
    lambda items: np.array([_box(p, e) for p, e in items]).reshape(-1, 2, 3)
)


@given(box_lists, st.sampled_from([0.0, 0.3, -0.2]))
def test_sweep_and_prune_finds_what_all_pairs_find(array: np.ndarray, tolerance: float) -> None:
    expected = [
        [i, j]
        for i, j in combinations(range(len(array)), 2)
        if boxes.overlap(array[i], array[j], tolerance=tolerance)
    ]
    assert boxes.overlap_pairs(array, tolerance=tolerance).tolist() == expected


@given(box_lists, box_lists, st.sampled_from([0.0, 0.3, 1e-9]))
def test_pairs_between_two_sets(a: np.ndarray, b: np.ndarray, tolerance: float) -> None:
    overlap = boxes.overlap(a[:, None], b[None], tolerance=tolerance)
    got = boxes.overlap_pairs_between(a, b, tolerance=tolerance)
    np.testing.assert_array_equal(got, np.argwhere(overlap))
    inside = boxes.contains(a[:, None], b[None], tolerance=tolerance)
    got = boxes.containment_pairs(a, b, tolerance=tolerance)
    np.testing.assert_array_equal(got, np.argwhere(inside))


def _many(seed: int, count: int, shape: str) -> np.ndarray:
    rng = np.random.default_rng(seed)
    low = rng.uniform(-1, 1, size=(count, 3))
    size = rng.uniform(0, 0.2, size=(count, 3))
    if shape == "outliers":  # a few as large as the scene, many points
        size[:: count // 10] = 3.0
        size[1::3] = 0.0
    elif shape == "grid":  # touching faces, edges and corners everywhere
        low, size = np.round(low * 5) / 5, np.full_like(size, 0.2)
    elif shape == "flat":  # all on one floor, far from the origin
        low, size = low * (1, 1, 0) + 1e6, size * (1, 1, 0)
    elif shape == "line":
        low, size = low * (0, 0, 1), size * (0, 0, 0.05)
    elif shape == "huge":
        low, size = low * 1e200, size * 1e200
    return np.stack([low, low + size], axis=1)


@pytest.mark.parametrize("shape", ["even", "outliers", "grid", "flat", "line", "huge"])
@pytest.mark.parametrize("tolerance", [0.0, 1e-3, -1e-3])
def test_many_boxes_against_numpy_for_any_number_of_threads(shape: str, tolerance: float) -> None:
    a, b = _many(1, 700, shape), _many(2, 900, shape)
    gap = np.maximum(b[None, :, 0] - a[:, None, 1], a[:, None, 0] - b[None, :, 1])
    between = np.argwhere((gap <= tolerance).all(axis=-1))
    own = boxes.gap(a[:, None], a[None]).max(axis=-1) <= tolerance
    inside = (a[:, None, 0] - abs(tolerance) <= b[None, :, 0]).all(axis=-1)
    inside &= (b[None, :, 1] <= a[:, None, 1] + abs(tolerance)).all(axis=-1)
    assert tolerance < 0 or len(between) > 100
    for threads in (1, 2, 8):
        np.testing.assert_array_equal(
            boxes.overlap_pairs_between(a, b, tolerance=tolerance, threads=threads), between
        )
        np.testing.assert_array_equal(
            boxes.overlap_pairs(a, tolerance=tolerance, threads=threads),
            np.argwhere(np.triu(own, 1)),
        )
        np.testing.assert_array_equal(
            boxes.containment_pairs(a, b, tolerance=abs(tolerance), threads=threads),
            np.argwhere(inside),
        )


def test_pairs_against_rtree() -> None:
    rtree = pytest.importorskip("rtree")
    a, b = _many(3, 2000, "even"), _many(4, 2000, "even")
    tree = rtree.index.Index(properties=rtree.index.Property(dimension=3))
    for k, box in enumerate(b.reshape(-1, 6).tolist()):
        tree.insert(k, box)
    expected = [
        [i, j]
        for i, box in enumerate(a.reshape(-1, 6).tolist())
        for j in sorted(tree.intersection(box))
    ]
    assert boxes.overlap_pairs_between(a, b).tolist() == expected


def test_no_boxes() -> None:
    none, one = np.empty((0, 2, 3)), np.array([[[0, 0, 0], [1, 1, 1]]])
    assert boxes.overlap_pairs(none).shape == (0, 2)
    assert boxes.overlap_pairs(one).shape == (0, 2)
    for a, b in ((none, one), (one, none), (none, none)):
        assert boxes.overlap_pairs_between(a, b).shape == (0, 2)
        assert boxes.containment_pairs(a, b).shape == (0, 2)
        assert boxes.gap(a, b).shape == (0, 3)


def test_a_tolerance_lost_in_rounding() -> None:
    """``b - a`` rounds to the tolerance although ``a`` plus the tolerance stays below ``b``."""
    a = np.array([[[-3.0, 0, 0], [-1.0, 1, 1]]])
    b = np.array([[[5e-17, 0, 0], [1.0, 1, 1]]])
    assert boxes.overlap(a[0], b[0], tolerance=1.0)
    assert boxes.overlap_pairs_between(a, b, tolerance=1.0).tolist() == [[0, 0]]
    assert boxes.overlap_pairs_between(b, a, tolerance=1.0).tolist() == [[0, 0]]


# ---- arrays -------------------------------------------------------------------------------------


def test_leading_dimensions_broadcast() -> None:
    a, b = _many(5, 12, "even").reshape(3, 4, 2, 3), _many(6, 4, "even")
    c = _many(7, 3, "even")[:, None]
    for call in (boxes.overlap, boxes.contact, boxes.distance, boxes.iou, boxes.iou_xy):
        for one, two in ((a, b), (c, b), (a, a[1, 2]), (a[:, :1], b), (b[0], b[1])):
            got = call(one, two)
            wide = np.broadcast_shapes(one.shape[:-2], two.shape[:-2])
            assert got.shape == wide
            p = np.broadcast_to(one, (*wide, 2, 3)).reshape(-1, 2, 3)
            q = np.broadcast_to(two, (*wide, 2, 3)).reshape(-1, 2, 3)
            single = [call(x, y) for x, y in zip(p, q, strict=True)]
            np.testing.assert_array_equal(got.ravel(), single)
    with pytest.raises(ValueError, match=r"^b: expected leading dimensions that broadcast with"):
        boxes.overlap(a, _many(6, 5, "even"))


@pytest.mark.parametrize("dtype", ["i1", "u1", "i4", "u8", "f2", "f4", ">f8"])
def test_dtypes_neither_overflow_nor_truncate(dtype: str) -> None:
    a = np.array([[0, 0, 0], [120, 120, 120]]).astype(dtype)
    b = np.array([[121, 0, 0], [127, 120, 120]]).astype(dtype)
    assert boxes.gap(a, b).tolist() == [1.0, -120.0, -120.0]
    assert boxes.overlap_volume(a, a) == 120.0**3
    assert boxes.size(b).tolist() == [6.0, 120.0, 120.0]


def test_integers_without_a_double_are_refused() -> None:
    wide = np.array([[0, 0, 0], [2**53 + 1, 1, 1]])
    calls: list[Callable[[], Any]] = [
        lambda: boxes.size(wide),
        lambda: boxes.overlap([[0, 0, 0], [1, 1, 1]], wide),
        lambda: boxes.aabb(wide),
        lambda: boxes.overlap_pairs(wide[None]),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=r"expected integers within 2\^53"):
            call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda b: boxes.gap(b, b[:, ::-1]), r"^b: expected lower <= upper, got an inverted box"),
        (
            lambda b: boxes.gap(b, b[..., :2]),
            r"^b: expected shape \(\.\.\., 2, 3\), got",
        ),
        (lambda b: boxes.overlap_pairs(b[0]), r"^boxes: expected shape \(N, 2, 3\), got \(2, 3\)"),
        (lambda b: boxes.overlap_pairs(b * np.nan), r"^boxes: expected finite values, got nan"),
        (
            lambda b: boxes.contains(b, b, tolerance=-1.0),
            r"^tolerance: expected a finite number",
        ),
        (lambda b: boxes.overlap(b, b, tolerance=np.nan), r"^tolerance: expected a finite number"),
        (lambda b: boxes.containment_pairs(b, b, threads=-1), r"^threads: expected"),
        (lambda b: boxes.containment_pairs(b, b[:, ::-1]), r"^inner: expected lower <= upper"),
    ],
)
def test_wrong_calls(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call(_many(8, 4, "even"))


def _penetration_by_linear_programme(a: Obb, b: Obb) -> bool:
    """Whether a point lies in both boxes: feasibility, with no separating axis in it."""
    rows, bounds = [], []
    for box in (a, b):
        axes = tf.quat_to_matrix(box.orientation).T
        middle = axes @ np.asarray(box.center, dtype=float)
        half = np.asarray(box.size, dtype=float) / 2
        rows += [axes, -axes]
        bounds += [middle + half, half - middle]
    result = linprog(
        np.zeros(3), A_ub=np.vstack(rows), b_ub=np.concatenate(bounds), bounds=[(None, None)] * 3
    )
    return bool(result.status == 0)


@settings(max_examples=60)
@given(obbs, obbs)
def test_oriented_overlap_against_a_linear_programme(a: Obb, b: Obb) -> None:
    separation = float(boxes.obb_separation(a, b))
    assume(abs(separation) > 1e-5)
    assert (separation < 0) == _penetration_by_linear_programme(a, b)


@given(obbs, obbs, quat, point)
def test_oriented_relations_survive_a_rigid_motion(a: Obb, b: Obb, q: Any, t: Any) -> None:
    def move(box: Obb) -> Obb:
        return Obb(tf.rotate(q, box.center) + t, tf.quat_multiply(q, box.orientation), box.size)

    before = boxes.obb_separation(a, b)
    np.testing.assert_allclose(boxes.obb_separation(b, a), before, atol=1e-9)
    np.testing.assert_allclose(boxes.obb_separation(move(a), move(b)), before, atol=1e-6)


@given(point, extents, point, extents)
def test_unturned_oriented_boxes_are_plain_boxes(p: Any, e: Any, q: Any, f: Any) -> None:
    a, b = _box(p, e), _box(q, f)
    turned = [Obb(boxes.center(x), (0, 0, 0, 1), boxes.size(x)) for x in (a, b)]
    np.testing.assert_allclose(boxes.obb_separation(*turned), boxes.gap(a, b).max(), atol=1e-12)
    np.testing.assert_allclose(boxes.obb_corners(turned[0]), boxes.corners(a), atol=1e-12)
    if abs(boxes.gap(a, b).max()) > 1e-9:
        assert boxes.obb_overlap(*turned) == boxes.overlap(a, b)
        assert boxes.obb_contains(*turned) == boxes.contains(a, b)


def test_oriented_by_hand() -> None:
    # a unit cube turned by 45 degrees reaches sqrt(1/2) along x; the crossed-edges case needs an
    # axis that is no face normal
    unit = Obb((0, 0, 0), (0, 0, 0, 1), (1, 1, 1))
    reach = math.sqrt(0.5)
    turned = Obb((0.5 + reach + 0.01, 0, 0), tf.yaw_quat(math.pi / 4), (1, 1, 1))
    assert boxes.obb_separation(unit, turned) == pytest.approx(0.01, abs=1e-12)
    bar = (10, 0.2, 0.2)
    one = Obb(
        (0, 0, 0),
        tf.quat_multiply(tf.yaw_quat(0.3), (math.sin(math.pi / 8), 0, 0, math.cos(math.pi / 8))),
        bar,
    )
    two = Obb(
        (0, 0, 0.2 * math.sqrt(2) + 0.02),
        tf.quat_multiply(tf.yaw_quat(1.5), (math.sin(math.pi / 8), 0, 0, math.cos(math.pi / 8))),
        bar,
    )
    assert boxes.obb_separation(one, two) == pytest.approx(0.02, abs=1e-9)
    assert not boxes.obb_overlap(one, two)
    assert boxes.obb_overlap(one, two, tolerance=0.021)
    inner = Obb((0.1, 0, 0), tf.yaw_quat(0.4), (0.3, 0.3, 0.3))
    assert boxes.obb_contains(unit, inner)
    assert not boxes.obb_contains(inner, unit)
    assert boxes.obb_contains(unit, unit)
    with pytest.raises(ValueError, match=r"a\.size"):
        boxes.obb_separation(Obb((0, 0, 0), (0, 0, 0, 1), (1, -1, 1)), unit)


def _carver(p: float, q: float, a: float, b: float) -> bool:
    """Whether a p x q rectangle fits in an a x b one (Carver, "Solution to problem E 1225")."""
    p, q = max(p, q), min(p, q)
    a, b = max(a, b), min(a, b)
    if p <= a:
        return q <= b
    across = 2 * p * q * a + (p * p - q * q) * math.sqrt(p * p + q * q - a * a)
    return q <= b and b >= across / (p * p + q * q)


side = st.floats(0.05, 3)


@given(side, side, side, side)
def test_fit_against_a_formula_and_a_search(p: float, q: float, a: float, b: float) -> None:
    got = float(boxes.fit_ratio((p, q, 1e-3), (a, b, 1.0)))
    if abs(got - 1.0) > 1e-9:
        assert (got < 1.0) == _carver(p, q, a, b)
    t = np.linspace(0, math.pi / 2, 4001)
    wide, deep = p * np.cos(t) + q * np.sin(t), p * np.sin(t) + q * np.cos(t)
    search = np.maximum(wide / a, deep / b).min()
    assert search * (1 - 2e-3) <= got <= search + 1e-9


@given(obbs, obbs)
def test_corners_say_what_is_inside(a: Obb, b: Obb) -> None:
    got = boxes.obb_contains_points(a, boxes.obb_corners(b), tolerance=1e-9)
    axes = tf.quat_to_matrix(a.orientation)
    local = (boxes.obb_corners(b) - a.center) @ axes
    beyond = (np.abs(local) - np.asarray(a.size) / 2).max(axis=-1)
    clear = np.abs(beyond - 1e-9) > 1e-12
    np.testing.assert_array_equal(got[clear], (beyond <= 1e-9)[clear])
    assert boxes.obb_contains(a, b, tolerance=1e-9) == got.all()


def test_oriented_boxes_broadcast() -> None:
    centers = np.arange(6.0).reshape(2, 3)
    many = Obb(centers[:, None], tf.yaw_quat(np.array([0.0, 0.5, 1.0, 1.5])), (1, 2, 3))
    assert boxes.obb_corners(many).shape == (2, 4, 8, 3)
    one = Obb((0, 0, 0), (0, 0, 0, 2), (1, 1, 1))
    assert boxes.obb_separation(many, one).shape == (2, 4)
    assert boxes.obb_contains_points(many, np.zeros((5, 3))).shape == (2, 4, 5)
    np.testing.assert_allclose(
        boxes.obb_separation(many, one)[1, 2],
        boxes.obb_separation(Obb(centers[1], tf.yaw_quat(1.0), (1, 2, 3)), one),
    )
    with pytest.raises(ValueError, match=r"^b\.orientation: expected a length above 0"):
        boxes.obb_separation(one, Obb((0, 0, 0), (0, 0, 0, 0), (1, 1, 1)))


def test_fit_by_hand() -> None:
    np.testing.assert_allclose(
        boxes.fit_ratio([(1, 2, 3), (1, 2, 3), (2, 1, 9)], [(2, 4, 4), (4, 2, 3), (2, 1, 10)]),
        [0.75, 1.0, 1.0],
    )
    # a long thin bar goes in along the diagonal
    assert boxes.fit_ratio((1.5, 0.0, 0.5), (1, 1, 1)) == pytest.approx(1.5 / math.sqrt(2))
    assert boxes.fit_ratio((1, 1, 1), (1, 0, 1)) == math.inf
    assert boxes.fit_ratio((1, 0, 0), (1, 0, 0)) == 1.0
    with pytest.raises(ValueError, match="interior: expected extents of at least 0"):
        boxes.fit_ratio((1, 1, 1), (1, -1, 1))


def test_pairs_of_boxes_that_only_a_denormal_parts() -> None:
    """In single precision both ends are about zero: whether they meet is not its to say."""
    wide, far = (-7.5, 8.0), (-5e11, -7.0)
    parted = np.array([[far, (7.25e-292, 8.0), wide], [wide, wide, (-7.5, -7.0)]]).swapaxes(1, 2)
    tall = np.array([[wide, (-7.5, 1.39e-308), wide]]).swapaxes(1, 2)
    many = np.concatenate([parted, tall, parted[1:] + 1e-300, tall])
    expected = [
        (i, j)
        for i in range(len(many))
        for j in range(i + 1, len(many))
        if boxes.overlap(many[i], many[j])
    ]
    assert (0, 2) not in expected
    assert boxes.overlap_pairs(many).tolist() == [list(pair) for pair in expected]
    between = boxes.overlap_pairs_between(parted, tall).tolist()
    assert between == [[1, 0]]


@pytest.mark.parametrize("scale", [1e-320, 1e-200, 1.0, 1e200, 1e307])
def test_distance_at_any_scale(scale: float) -> None:
    """The gaps are 2, 3 and 6, so that the distance is 7, also where squares are no numbers."""
    near = np.array([[0.0, 0, 0], [1, 1, 1]])
    far = np.array([[3.0, 4, 7], [4, 5, 8]])
    assert boxes.distance(near * scale, far * scale) == pytest.approx(7 * scale, rel=1e-3)
