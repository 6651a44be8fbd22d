"""Rotations and poses against SciPy, by hand, and by invariants."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from esi_fast.geometry import transforms as tf

component = st.floats(-1.0, 1.0, allow_nan=False).map(lambda x: round(x, 6))
quats = st.tuples(component, component, component, component).filter(
    lambda q: sum(x * x for x in q) > 1e-6
)
coordinate = st.floats(-1e3, 1e3, allow_nan=False)
points = st.tuples(coordinate, coordinate, coordinate)


@given(quats)
def test_matrix_agrees_with_scipy_and_comes_back(q: tuple[float, ...]) -> None:
    matrix = tf.quat_to_matrix(q)
    np.testing.assert_allclose(matrix, Rotation.from_quat(q).as_matrix(), atol=1e-14)
    back = tf.matrix_to_quat(matrix)
    assert back[3] >= 0.0
    np.testing.assert_allclose(tf.quat_to_matrix(back), matrix, atol=1e-14)


@given(quats, quats, points)
def test_product_rotates_one_after_the_other(
    a: tuple[float, ...], b: tuple[float, ...], v: tuple[float, ...]
) -> None:
    expected = tf.rotate(a, tf.rotate(b, v))
    np.testing.assert_allclose(tf.rotate(tf.quat_multiply(a, b), v), expected, atol=1e-9)


@given(quats, points, st.lists(points, min_size=1, max_size=4))
def test_pose_and_inverse_are_the_identity(
    q: tuple[float, ...], p: tuple[float, ...], cloud: list[tuple[float, ...]]
) -> None:
    pose = tf.pose_matrix(p, q)
    there = tf.transform_points(pose, cloud)
    np.testing.assert_allclose(tf.transform_points(tf.invert_pose(pose), there), cloud, atol=1e-9)
    np.testing.assert_allclose(tf.transform_points(pose, cloud[0]), there[0])


def test_yaw() -> None:
    np.testing.assert_allclose(
        tf.rotate(tf.yaw_quat(math.pi / 2), (1, 0, 0)), (0, 1, 0), atol=1e-15
    )
    angles = np.array([-3.0, -1.0, 0.0, 0.5, 3.1])
    np.testing.assert_allclose(tf.yaw_of(tf.yaw_quat(angles)), angles)


def test_half_turns_have_one_spelling() -> None:
    np.testing.assert_array_equal(
        tf.matrix_to_quat(np.diag([1.0, -1.0, -1.0])), (1.0, 0.0, 0.0, 0.0)
    )
    np.testing.assert_array_equal(tf.quat_multiply((0, 0, -1, 0), (0, 0, 0, 1)), (0, 0, 1, 0))


def test_look_at_by_hand() -> None:
    matrix = tf.quat_to_matrix(tf.look_at((0, 0, 0), (1, 0, 0)))
    np.testing.assert_allclose(matrix, [[0, 0, -1], [-1, 0, 0], [0, 1, 0]], atol=1e-15)
    # straight down: north (+y) is at the top, east (+x) on the right
    np.testing.assert_allclose(tf.quat_to_matrix(tf.look_at((0, 0, 2), (0, 0, 0))), np.eye(3))


@given(points, points)
def test_look_at_keeps_the_horizon(eye: tuple[float, ...], aim: tuple[float, ...]) -> None:
    offset = np.subtract(aim, eye)
    if np.hypot(offset[0], offset[1]) < 1e-3:
        return
    right, up, back = tf.quat_to_matrix(tf.look_at(eye, aim)).T
    np.testing.assert_allclose(back, -offset / np.linalg.norm(offset), atol=1e-9)
    assert abs(right[2]) < 1e-9
    assert up[2] > 0.0


def test_batches_match_singles() -> None:
    rng = np.random.default_rng(3)
    q, p, x = rng.normal(size=(5, 4)), rng.normal(size=(5, 3)), rng.normal(size=(5, 7, 3))
    poses = tf.pose_matrix(p, q)
    moved = tf.transform_points(poses, x)
    for i in range(5):
        np.testing.assert_allclose(moved[i], tf.transform_points(poses[i], x[i]))
        np.testing.assert_allclose(moved[i] - p[i], tf.transform_directions(poses[i], x[i]))


def test_leading_dimensions_broadcast() -> None:
    rng = np.random.default_rng(4)
    up = rng.normal(size=3)
    for function, last in (
        (tf.quat_multiply, (4, 4)),
        (tf.pose_matrix, (3, 4)),
        (tf.look_at, (3, 3)),
    ):
        a, b = rng.normal(size=(2, 1, 3, last[0])), rng.normal(size=(5, 1, last[1]))
        more = (up,) if function is tf.look_at else ()
        got = function(a, b, *more)
        assert got.shape[:3] == (2, 5, 3)
        for i, j, k in np.ndindex(2, 5, 3):
            np.testing.assert_array_equal(got[i, j, k], function(a[i, 0, k], b[j, 0], *more))
        assert function(a[:0], b, *more).shape[:3] == (0, 5, 3)
        message = r"expected leading dimensions that broadcast with \(2, 1, 3\) of \w+, got \(4,\)"
        with pytest.raises(ValueError, match=message):
            function(a, rng.normal(size=(4, last[1])), *more)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: tf.quat_to_matrix((0, 0, 0, 0)), "quaternion: expected non-zero"),
        (
            lambda: tf.quat_to_matrix((0, 0, 1)),
            r"quaternion: expected shape \(\.\.\., 4\), got \(3,\)",
        ),
        (lambda: tf.matrix_to_quat(np.diag([1, 1, -1])), "reflection"),
        (lambda: tf.matrix_to_quat(2.0 * np.eye(3)), "scale"),
        (lambda: tf.look_at((1, 2, 3), (1, 2, 3)), "non-zero"),
        (lambda: tf.transform_points(np.eye(4), [[math.nan, 0, 0]]), "points: expected finite"),
    ],
)
def test_wrong_calls(call, message) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=message):
        call()


def test_text_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="yaw: expected real numbers"):
        tf.yaw_quat("north")
