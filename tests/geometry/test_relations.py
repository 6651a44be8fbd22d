"""Relations by hand, against a second formula, and by invariants."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from esi_fast import geometry as geo
from esi_fast.geometry import relations as rel
from esi_fast.geometry import transforms as tf
from esi_fast.geometry.relations import RelationStatus, TriangleKind, Turn

number = st.floats(-10, 10, allow_nan=False).map(lambda x: round(x, 6))
point = st.tuples(number, number, number)
unit = st.floats(-1, 1).map(lambda x: round(x, 6))
quat = st.tuples(unit, unit, unit, unit).filter(lambda q: sum(x * x for x in q) > 1e-4)


def test_offset_by_hand() -> None:
    got = rel.collinearity_offset([(0, 0, 0), (4, 0, 0), (1, 0.1, 0)])
    assert got.offset == pytest.approx(0.1, rel=1e-12)
    assert (got.middle, got.status) == (2, RelationStatus.OK)
    assert got.length == 4.0


@given(point, point, point, st.permutations([0, 1, 2]), quat, st.floats(0.01, 100))
def test_offset_is_heron_and_survives_motion_order_and_scale(
    a: Any, b: Any, c: Any, order: list[int], q: Any, scale: float
) -> None:
    p = np.array([a, b, c], dtype=np.float64)
    sides = np.sort([math.dist(a, b), math.dist(b, c), math.dist(c, a)])
    assume(sides[0] > 1e-3)
    got = rel.collinearity_offset(p)
    # Heron in the stable order of Kahan: an area without any cross product
    x, y, z = sides[::-1]
    square = (x + (y + z)) * (z - (x - y)) * (z + (x - y)) * (x + (y - z))
    height = 0.5 * math.sqrt(max(square, 0.0)) / x
    assert got.offset == pytest.approx(height, rel=1e-6, abs=1e-5)
    moved = rel.collinearity_offset(scale * (tf.rotate(q, p[order]) + np.array([1.0, 2.0, 3.0])))
    assert moved.offset == pytest.approx(scale * got.offset, rel=1e-6, abs=1e-9 * scale)
    if sides[2] - sides[1] > 1e-6:
        assert order[int(moved.middle)] == got.middle


def test_degenerate_triples_are_a_status() -> None:
    got = rel.collinearity_offset([[(1, 1, 1)] * 3, [(0, 0, 0), (0, 0, 0), (1, 0, 0)]])
    assert got.status.tolist() == [RelationStatus.DEGENERATE] * 2
    assert np.isnan(got.offset).all()
    kind = rel.triangle_class([(0, 0, 0), (1, 0, 0), (3, 0, 0)])
    assert (kind.kind, kind.status) == (TriangleKind.UNDECIDED, RelationStatus.DEGENERATE)


def _from_sides(a: float, b: float, c: float) -> list[tuple[float, float, float]]:
    x = (b * b + c * c - a * a) / (2 * c)
    return [(0, 0, 0), (c, 0, 0), (x, math.sqrt(b * b - x * x), 0)]


@pytest.mark.parametrize(
    ("sides", "kind"),
    [
        ((1, 1, 1), TriangleKind.EQUILATERAL),
        ((1, 1.01, 1.02), TriangleKind.EQUILATERAL),
        ((1, 1.0, 1.15), TriangleKind.ISOSCELES),
        ((1.0, 1.3, 1.3), TriangleKind.ISOSCELES),
        ((1, 1.2, 1.5), TriangleKind.SCALENE),
        ((3, 4, 5), TriangleKind.SCALENE),
        ((1, 1, 1.1), TriangleKind.UNDECIDED),
        ((1, 1.05, 1.3), TriangleKind.UNDECIDED),
        ((1, 1.015, 1.03), TriangleKind.UNDECIDED),
    ],
)
@given(order=st.permutations([0, 1, 2]), q=quat, scale=st.floats(0.1, 10))
def test_triangles_by_hand_in_any_pose(
    sides: tuple[float, ...], kind: TriangleKind, order: list[int], q: Any, scale: float
) -> None:
    p = np.array(_from_sides(*sides))[order]
    got = rel.triangle_class(scale * tf.rotate(q, p))
    assert got.kind == kind
    assert got.status == (RelationStatus.OK if kind else RelationStatus.TIE)
    assert sorted(got.sides / scale) == pytest.approx(sorted(sides))


def test_nearest_and_its_ties() -> None:
    candidates = [[(1, 0, 0), (0, 2, 0), (0, 0, 3)], [(1, 0, 0), (0, -1, 0), (0, 0, 3)]]
    got = rel.nearest((0, 0, 0), candidates)
    assert got.which.tolist() == [0, -1]
    assert got.status.tolist() == [RelationStatus.OK, RelationStatus.TIE]
    assert got.margin.tolist() == [1.0, 0.0]
    assert rel.nearest((0, 0, 0), [(1, 0, 0)]).which == 0


@pytest.mark.parametrize(
    ("far", "index"), [(1.15, 0), (1.1499, -1), (0.8, 1), (1.0, -1), (1.0 + 1e-13, -1)]
)
def test_closer_of_two_keeps_the_label_gap(far: float, index: int) -> None:
    got = rel.closer_of_two((5, 5, 5), (6, 5, 5), (5, 5 - far, 5), gap=0.15, ratio=0.10)
    assert got.which == index


def test_ratio_is_of_the_nearer_distance() -> None:
    assert rel.closer_of_two((0, 0, 0), (10, 0, 0), (0, 10.9, 0), ratio=0.1).which == -1
    assert rel.closer_of_two((0, 0, 0), (10, 0, 0), (0, 11.0, 0), ratio=0.1).which == 0


def test_left_middle_right() -> None:
    camera = geo.Camera.looking_at((0, 0, 1), (1, 0, 1), width=100, height=100, vfov_deg=90)
    # facing +x with z up, left is +y; a far point to the left may lie nearer the middle
    got = rel.left_middle_right(camera, [(2, -1, 1), (9, 1, 1), (2, 1.5, 0)])
    assert got.rank.tolist() == [2, 1, 0]
    assert got.status == RelationStatus.OK
    np.testing.assert_allclose(got.columns, [75.0, 50 - 50 / 9, 12.5])
    tie = rel.left_middle_right(camera, [(2, -1, 1), (4, -2, 2), (2, 1, 0)])
    assert (tie.status, tie.rank.tolist()) == (RelationStatus.TIE, [-1, -1, -1])
    close = rel.left_middle_right(camera, [(2, -1, 1), (2, -1.1, 1)], min_pixels=4)
    assert close.status == RelationStatus.TIE
    behind = rel.left_middle_right(camera, [(2, -1, 1), (-2, 0, 1), (2, 1, 1)])
    assert (behind.status, behind.rank.tolist()) == (RelationStatus.NOT_IN_FRONT, [-1, -1, -1])


def test_turns() -> None:
    deg = np.radians
    before = deg(np.array([170.0, 0, 0, 90, 10, 0, 0, 350]))
    after = deg(np.array([-170.0, 90, -90, -90, 10, 40, 130, 20]))
    assert [Turn(t) for t in rel.turn_direction(before, after)] == [
        Turn.STRAIGHT,
        Turn.LEFT,
        Turn.RIGHT,
        Turn.BACK,
        Turn.STRAIGHT,
        Turn.UNDECIDED,
        Turn.UNDECIDED,
        Turn.STRAIGHT,
    ]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: rel.collinearity_offset([(0, 0, 0)] * 4),
            r"points: expected shape \(\.\.\., 3, 3\)",
        ),
        (lambda: rel.triangle_class(np.eye(3), equal=0.2), "distinct"),
        (lambda: rel.nearest((0, 0, 0), np.zeros((0, 3))), "candidates"),
        (lambda: rel.nearest((0, 0, 0), [(1, 0, 0)], gap=-1), "gap"),
    ],
)
def test_wrong_calls(call, message) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=message):
        call()


# ---- second opinions and invariants -------------------------------------------------------------


@pytest.mark.parametrize("scale", [1e-160, 1e-30, 1.0, 1e30, 1e150])
def test_no_scale_is_lost_to_overflow_or_underflow(scale: float) -> None:
    line = rel.collinearity_offset(scale * np.array([(0, 0, 0), (4, 0, 0), (1, 0.1, 0.0)]))
    assert line.offset / scale == pytest.approx(0.1, rel=1e-12)
    assert line.length == pytest.approx(4 * scale, rel=1e-15)
    for sides, kind in (((1, 1, 1), TriangleKind.EQUILATERAL), ((3, 4, 5), TriangleKind.SCALENE)):
        got = rel.triangle_class(scale * np.array(_from_sides(*sides)))
        assert (got.kind, got.status) == (kind, RelationStatus.OK)
    near = rel.nearest((0, 0, 0), scale * np.array([(0, 3, 4), (0, 0, 6), (7, 0, 0)]))
    assert near.which == 0
    np.testing.assert_allclose(near.distances / scale, [5, 6, 7], rtol=1e-15)
    assert near.margin == pytest.approx(scale, rel=1e-12)


def _kind(points: np.ndarray, equal: float, distinct: float) -> TriangleKind:
    """By asking each pair of sides, in plain Python."""
    a, b, c = (math.dist(points[i], points[j]) for i, j in ((0, 1), (1, 2), (2, 0)))
    ratios = [max(x, y) / min(x, y) - 1 for x, y in ((a, b), (b, c), (c, a))]
    same = sum(r <= equal for r in ratios)
    apart = sum(r >= distinct for r in ratios)
    kinds = {
        (3, 0): TriangleKind.EQUILATERAL,
        (1, 2): TriangleKind.ISOSCELES,
        (0, 3): TriangleKind.SCALENE,
    }
    return kinds.get((same, apart), TriangleKind.UNDECIDED)


@given(point, point, point, st.floats(0, 0.1), st.floats(0.01, 0.3))
def test_triangles_against_plain_python(a: Any, b: Any, c: Any, equal: float, more: float) -> None:
    p = np.array([a, b, c])
    sides = sorted([math.dist(a, b), math.dist(b, c), math.dist(c, a)])
    assume(sides[0] > 1e-3)
    distinct = equal + more
    borders = [y / x - 1 for x, y in ((sides[0], sides[1]), (sides[1], sides[2]))]
    borders.append(sides[2] / sides[0] - 1)
    assume(all(min(abs(r - equal), abs(r - distinct)) > 1e-6 for r in borders))
    line = rel.collinearity_offset(p)
    assume(line.offset > 1e-3 * line.length)
    got = rel.triangle_class(p, equal=equal, distinct=distinct)
    assert got.kind == _kind(p, equal, distinct)
    np.testing.assert_allclose(got.sides, [math.dist(b, c), math.dist(c, a), math.dist(a, b)])


@given(
    point,
    st.lists(point, min_size=1, max_size=8),
    st.floats(0, 1),
    st.floats(0, 0.5),
    quat,
    st.floats(0.01, 100),
)
def test_nearest_against_plain_python_in_any_pose(
    reference: Any, candidates: Any, gap: float, ratio: float, q: Any, scale: float
) -> None:
    distances = [math.dist(reference, c) for c in candidates]
    order = sorted(range(len(distances)), key=distances.__getitem__)
    margin = distances[order[1]] - distances[order[0]] if len(order) > 1 else math.inf
    needed = max(gap, ratio * distances[order[0]])
    assume(margin == 0 or (margin > 1e-6 and abs(margin - needed) > 1e-6))
    expected = order[0] if margin > 0 and margin >= needed else -1
    move = np.array([3.0, -2.0, 1.0])
    moved = scale * (tf.rotate(q, np.array([reference, *candidates])) + move)
    for r, c, g in ((reference, candidates, gap), (moved[0], moved[1:], gap * scale)):
        got = rel.nearest(r, c, gap=g, ratio=ratio)
        assert got.which == expected
        assert (got.status == RelationStatus.TIE) == (expected == -1)
    if len(candidates) == 2:
        two = rel.closer_of_two(reference, *candidates, gap=gap, ratio=ratio)
        assert two.which == expected
        turned = rel.closer_of_two(reference, *candidates[::-1], gap=gap, ratio=ratio)
        assert turned.which == (1 - expected if expected >= 0 else -1)


angle = st.floats(-20, 20, allow_nan=False)


@given(angle, angle, st.floats(0, 20), st.integers(-3, 3))
def test_turns_by_the_plane_and_mirrored(a: float, b: float, guard: float, rounds: int) -> None:
    turn = complex(math.cos(b), math.sin(b)) / complex(math.cos(a), math.sin(a))
    cosine, edge = turn.real, [math.cos(math.radians(45 + s * guard)) for s in (-1, 1)]
    assume(min(abs(abs(cosine) - e) for e in edge) > 1e-9)
    assume(abs(abs(cosine) - math.sqrt(0.5)) > 1e-9)
    if edge[1] < abs(cosine) < edge[0]:
        expected = Turn.UNDECIDED
    elif cosine > math.sqrt(0.5):
        expected = Turn.STRAIGHT
    elif cosine < -math.sqrt(0.5):
        expected = Turn.BACK
    else:
        expected = Turn.LEFT if turn.imag > 0 else Turn.RIGHT
    assert rel.turn_direction(a, b, guard_deg=guard) == expected
    assert rel.turn_direction(a + 2 * math.pi * rounds, b, guard_deg=guard) == expected
    mirrored = {Turn.LEFT: Turn.RIGHT, Turn.RIGHT: Turn.LEFT}.get(expected, expected)
    assert rel.turn_direction(b, a, guard_deg=guard) == mirrored


@given(
    st.lists(point, min_size=1, max_size=6),
    point,
    quat,
    st.floats(20, 120),
    st.sampled_from([0.0, 3.0]),
)
def test_left_to_right_against_the_projection(
    points: Any, place: Any, q: Any, vfov: float, least: float
) -> None:
    camera = geo.Camera(np.array(place), np.array(q), 320, 240, vfov)
    seen = camera.project(np.array(points))
    got = rel.left_middle_right(camera, points, min_pixels=least)
    assume((np.abs(seen.depth) > 1e-6).all())
    np.testing.assert_allclose(got.columns, seen.pixels[:, 0], rtol=1e-9, atol=1e-6)
    if not seen.in_front.all():
        assert got.status == RelationStatus.NOT_IN_FRONT
        return
    columns = seen.pixels[:, 0]
    apart = np.diff(np.sort(columns))
    size = 1e-6 * max(1.0, np.abs(columns).max())
    assume((np.abs(apart - least) > size).all())
    if (apart < least).any():
        assert got.status == RelationStatus.TIE
        assert (got.rank == -1).all()
    else:
        assert got.rank.tolist() == np.argsort(np.argsort(columns)).tolist()


def test_leading_dimensions_broadcast() -> None:
    rng = np.random.default_rng(3)
    points = rng.normal(size=(2, 5, 3, 3))
    line, kind = rel.collinearity_offset(points), rel.triangle_class(points)
    near = rel.nearest(points[:, :, 0], points)
    assert line.offset.shape == line.middle.shape == kind.kind.shape == near.which.shape == (2, 5)
    assert kind.sides.shape == near.distances.shape == (2, 5, 3)
    for i, j in np.ndindex(2, 5):
        assert line.offset[i, j] == rel.collinearity_offset(points[i, j]).offset
        assert kind.kind[i, j] == rel.triangle_class(points[i, j]).kind
    two = rel.closer_of_two(np.zeros(3), points[:, :1, 0], points[0, :, 1])
    assert two.which.shape == (2, 5)
    assert two.which[1, 3] == rel.closer_of_two(np.zeros(3), points[1, 0, 0], points[0, 3, 1]).which
    assert rel.turn_direction(np.zeros((2, 1)), np.zeros(4)).shape == (2, 4)


def test_integers_and_single_precision_neither_overflow_nor_truncate() -> None:
    bytes_ = np.array([(0, 0, 0), (120, 0, 0), (60, 100, 0)], dtype=np.int8)
    assert (
        rel.collinearity_offset(bytes_).offset
        == rel.collinearity_offset(bytes_.astype(float)).offset
    )
    assert rel.nearest(np.uint8([250, 0, 0]), np.uint8([(0, 0, 0), (255, 9, 0)])).which == 1
    with pytest.raises(ValueError, match=r"^points: expected integers within 2\^53"):
        rel.collinearity_offset(np.array([(2**53 + 1, 0, 0), (0, 0, 0), (1, 1, 1)]))
    with pytest.raises(ValueError, match="^after: expected finite values, got inf"):
        rel.turn_direction(0.0, math.inf)
