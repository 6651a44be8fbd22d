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
