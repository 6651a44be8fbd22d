"""The sphere that moves until it touches: closed forms, a search by distance, and invariants."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st

from esi_fast import geometry as geo
from esi_fast.geometry import distance as dist
from esi_fast.geometry import transforms as tf
from esi_fast.geometry.distance import SweepStatus

RADIUS = 0.1  # the agent's camera


def _scene(*parts: Any) -> geo.Scene:
    """A scene of triangle arrays (T, 3, 3), with object ids from 0."""
    scene = geo.Scene()
    for k, triangles in enumerate(parts):
        corners = np.asarray(triangles, dtype=float)
        faces = np.arange(3 * len(corners)).reshape(-1, 3)
        scene.add_instance(scene.add_mesh(corners.reshape(-1, 3), faces), object_id=k)
    return scene


def _box(lower: Any, upper: Any) -> np.ndarray:
    return np.asarray(trimesh.creation.box(bounds=[lower, upper]).triangles)


def _one(scene: geo.Scene, start: Any, end: Any, radius: float = RADIUS, **options: Any) -> Any:
    got = dist.sweep_sphere(scene, [start], [end], radius, **options)
    return (
        float(got.fraction[0]),
        bool(got.blocked[0]),
        int(got.object_id[0]),
        int(got.status[0]),
    )


def test_a_wall_a_corner_and_a_point() -> None:
    box = _scene(_box((1, -1, -1), (2, 1, 1)))
    # straight at the face: free up to 1 - r
    assert _one(box, (0, 0, 0), (2, 0, 0)) == pytest.approx((0.45, True, 0, SweepStatus.OK))
    # past the edge x = 1, y = 1 at a distance of 0.06 from its line: sqrt(r^2 - 0.06^2) before it
    got = _one(box, (0, 1.06, 0), (2, 1.06, 0))
    assert got[0] == pytest.approx((1 - 0.08) / 2, abs=1e-10)
    # past the corner, 0.06 away in y and 0.05 in z
    got = _one(box, (0, 1.06, 1.05), (2, 1.06, 1.05))
    assert got[0] == pytest.approx((1 - math.sqrt(0.01 - 0.0036 - 0.0025)) / 2, abs=1e-10)
    # and clear of it by a hair
    assert _one(box, (0, 1.1, 0), (2, 1.1, 0)) == (1.0, False, -1, SweepStatus.OK)
    assert _one(box, (0, 1.1 - 1e-7, 0), (2, 1.1 - 1e-7, 0))[1]
    # from behind as well: surfaces are two-sided
    assert _one(box, (1.5, 0, 0), (1.5, 0, 5))[0] == pytest.approx(0.9 / 5, abs=1e-12)


def test_nothing_is_stepped_over() -> None:
    sheet = _scene([[(5, -9, -9), (5, 9, -9), (5, 0, 20)]])
    got = _one(sheet, (0, 0, 0), (1e6, 0, 0), 1e-3)
    assert got[0] * 1e6 == pytest.approx(5 - 1e-3, abs=1e-9)
    needle = _scene([[(5, 0, -1), (5, 1e-9, 0), (5, 0, 1)]])
    assert _one(needle, (0, 0.05, 0), (10, 0.05, 0))[0] == pytest.approx(
        (5 - math.sqrt(0.01 - 0.0025)) / 10, abs=1e-8
    )


def test_contact_slide_and_leave() -> None:
    floor = _scene(_box((-5, -5, -1), (0, 5, 0)), _box((0, -5, -1), (5, 5, 0)))
    on = (-2, 0.3, RADIUS)
    # sliding over the floor, across the joint and the diagonals of its triangles
    for goal in ((2, 0.3, RADIUS), (-2, 4, RADIUS), (3, -2, RADIUS)):
        assert _one(floor, on, goal) == (1.0, False, -1, SweepStatus.START_IN_CONTACT)
    assert _one(floor, on, (-2, 0.3, 1)) == (1.0, False, -1, SweepStatus.START_IN_CONTACT)
    assert _one(floor, on, (2, 0.3, 0)) == (0.0, True, 0, SweepStatus.START_IN_CONTACT)
    # sunk in: up and along are free, deeper is not
    sunk = (-2, 0.3, 0.04)
    assert _one(floor, sunk, (-2, 0.3, 0.3))[:2] == (1.0, False)
    assert _one(floor, sunk, (-1, 0.3, 0.04))[:2] == (1.0, False)
    assert _one(floor, sunk, (-2, 0.3, 0.03))[:2] == (0.0, True)
    # a move that stops exactly at contact can be repeated along the surface
    step = _one(floor, (-2, 0, 1), (-1, 0, -1))
    stop = np.array([-2, 0, 1]) + step[0] * np.array([1, 0, -2])
    assert stop[2] == pytest.approx(RADIUS, abs=1e-12)
    assert _one(floor, stop, stop + np.array([1, 0, 0]))[:2] == (1.0, False)
    assert _one(floor, stop, stop + np.array([1, 0, -0.1]))[:2] == (0.0, True)


def test_ignored_objects_and_moved_ones() -> None:
    scene = _scene(_box((1, -1, -1), (2, 1, 1)), _box((3, -1, -1), (4, 1, 1)))
    way = ((0, 0, 0), (5, 0, 0))
    assert _one(scene, *way)[2] == 0
    assert _one(scene, *way, ignore=[0]) == pytest.approx((2.9 / 5, True, 1, 0))
    assert _one(scene, *way, ignore=[0, 1]) == (1.0, False, -1, 0)
    rows = dist.sweep_sphere(
        scene, [way[0]] * 3, [way[1]] * 3, RADIUS, ignore=[[0, -1], [-1, -1], [0, 1]]
    )
    assert rows.object_id.tolist() == [1, 0, -1]
    pose = np.eye(4)
    pose[1, 3] = 10.0
    scene.set_pose(0, pose)
    assert _one(scene, *way)[2] == 1
    scene.set_pose(0, np.eye(4), 0.5)
    assert _one(scene, *way) == pytest.approx((0.4 / 5, True, 0, 0))
    scene.remove_instance(0)
    assert _one(scene, *way)[2] == 1
    mesh = scene.add_mesh([(0.5, -1, -1), (0.5, 1, -1), (0.5, 0, 1)], [(0, 1, 2)])
    scene.add_instance(mesh, object_id=7)
    assert _one(scene, *way) == pytest.approx((0.4 / 5, True, 7, 0))
    assert _one(geo.Scene(), *way) == (1.0, False, -1, 0)


def test_a_move_of_no_length() -> None:
    scene = _scene(_box((1, -1, -1), (2, 1, 1)))
    assert _one(scene, (0, 0, 0), (0, 0, 0)) == (1.0, False, -1, SweepStatus.OK)
    assert _one(scene, (0.95, 0, 0), (0.95, 0, 0))[:2] == (1.0, False)
    assert _one(scene, (0.95, 0, 0), (0.95, 0, 0))[3] == SweepStatus.START_IN_CONTACT


number = st.floats(-1.5, 1.5, allow_nan=False).map(lambda x: round(x, 4))
point = st.tuples(number, number, number)
unit = st.floats(-1, 1).map(lambda x: round(x, 4))
quat = st.tuples(unit, unit, unit, unit).filter(lambda q: sum(x * x for x in q) > 1e-2)
seeds = st.integers(0, 100_000)


def _triangles(seed: int, count: int = 5) -> np.ndarray:
    rng = np.random.default_rng(seed)
    middle = rng.uniform(-1, 1, size=(count, 1, 3))
    return np.asarray(middle + rng.normal(scale=0.5, size=(count, 3, 3)))


@settings(max_examples=80, deadline=None)
@given(seeds, point, point, st.floats(0.02, 0.4))
def test_against_distances_along_the_way(seed: int, start: Any, end: Any, radius: float) -> None:
    """The free part keeps the radius; where it ends, the sphere touches what is named."""
    triangles = _triangles(seed)
    scene = _scene(*triangles[:, None])
    fraction, blocked, object_id, status = _one(scene, start, end, radius)
    p, q = np.array(start), np.array(end)
    times = np.linspace(0, 1, 400)
    mesh = trimesh.Trimesh(triangles.reshape(-1, 3), np.arange(15).reshape(-1, 3), process=False)
    _, away, _ = trimesh.proximity.closest_point_naive(mesh, p + times[:, None] * (q - p))
    if away[0] < radius - 1e-9:
        assert status == SweepStatus.START_IN_CONTACT
        return
    assert (away[times <= fraction] >= radius - 1e-7).all()
    if blocked:
        touch = p + fraction * (q - p)
        named = dist.points_to_mesh(triangles[object_id][None], [touch]).distance[0]
        assert named == pytest.approx(radius, abs=1e-9)
        beyond = p + min(fraction + 1e-3, 1.0) * (q - p)
        before = dist.points_to_mesh(triangles[object_id][None], [beyond]).distance[0]
        assert before < named or fraction > 1 - 1e-9 or before < radius + 1e-9
    else:
        assert fraction == 1.0
        assert (away >= radius - 1e-7).all()


@settings(max_examples=60, deadline=None)
@given(seeds, point, point)
def test_against_rays_at_the_grown_shape(seed: int, start: Any, end: Any) -> None:
    """The same by the slab, cylinder and ball of which a grown triangle is made."""
    triangle = _triangles(seed, 1)[0]
    p, d = np.array(start), np.subtract(end, start)
    if dist.points_to_mesh([triangle], [p]).distance[0] <= RADIUS + 1e-6 or not d.any():
        return
    times = [math.inf]
    a, b, c = triangle
    n = tf.normalize(np.cross(b - a, c - a))
    for sign in (1, -1):
        speed = d @ n * sign
        t = (RADIUS - (p - a) @ n * sign) / speed if speed < 0 else math.inf
        if 0 <= t <= 1:
            foot = p + t * d - sign * RADIUS * n
            if dist.points_to_mesh([triangle], [foot]).distance[0] < 1e-10:
                times.append(t)
    for u, v in ((a, b), (b, c), (c, a)):
        axis = v - u
        m, k = p - u, d - axis * (d @ axis) / (axis @ axis)
        m = m - axis * (m @ axis) / (axis @ axis)
        disc = (m @ k) ** 2 - (k @ k) * (m @ m - RADIUS**2)
        if disc >= 0 and k @ k > 0:
            t = (-(m @ k) - math.sqrt(disc)) / (k @ k)
            if 0 <= t <= 1 and 0 <= (p + t * d - u) @ axis <= axis @ axis:
                times.append(t)
        m = p - u
        disc = (m @ d) ** 2 - (d @ d) * (m @ m - RADIUS**2)
        if disc >= 0:
            t = (-(m @ d) - math.sqrt(disc)) / (d @ d)
            if 0 <= t <= 1:
                times.append(t)
    fraction, blocked, _, _ = _one(_scene([triangle]), start, end)
    first = min(times)
    if blocked or first < 1 - 1e-6:
        # at a grazing touch the moment is only half as many digits sure, and may be no touch
        reach = dist.points_to_mesh([triangle], [p + fraction * d]).distance[0]
        grazing = not blocked or abs(fraction - first) > 1e-8
        if grazing:
            assert reach >= RADIUS - 1e-8
            closest = min(
                dist.points_to_mesh([triangle], p + np.linspace(0, 1, 2001)[:, None] * d).distance
            )
            assert blocked or closest >= RADIUS - 1e-4
            assert not blocked or fraction == pytest.approx(first, abs=1e-4)
        else:
            assert fraction == pytest.approx(first, abs=1e-8)


@settings(max_examples=60, deadline=None)
@given(seeds, point, point, quat, point, st.floats(0.1, 20))
def test_a_motion_or_a_scale_of_everything_changes_nothing(
    seed: int, start: Any, end: Any, q: Any, shift: Any, scale: float
) -> None:
    triangles = _triangles(seed)

    def move(x: Any) -> np.ndarray:
        return scale * (tf.rotate(q, np.array(x)) + np.array(shift))

    before = _one(_scene(*triangles[:, None]), start, end)
    after = _one(_scene(*move(triangles)[:, None]), move(start), move(end), scale * RADIUS)
    if before[1] == after[1]:
        assert after[0] == pytest.approx(before[0], abs=1e-5)
    else:  # a touch within the tolerance, or right at the end of the way
        assert (
            min(before[0], after[0]) > 1 - 1e-6
            or max(before[3], after[3]) == SweepStatus.START_IN_CONTACT
        )


def test_points_to_scene() -> None:
    scene = _scene(_box((1, -1, -1), (2, 1, 1)), _box((3, -1, -1), (4, 1, 1)))
    got = dist.points_to_scene(scene, [(0, 0, 0), (2.6, 0, 0), (3.5, 0, 0.8)])
    np.testing.assert_allclose(got.distance, (1.0, 0.4, 0.2))
    assert got.object_id.tolist() == [0, 1, 1]
    np.testing.assert_allclose(got.point, [(1, 0, 0), (3, 0, 0), (3.5, 0, 1)])
    corners = scene.world_triangles(0)[got.face[0]]
    np.testing.assert_allclose(corners[:, 0], 1.0)
    only = dist.points_to_scene(scene, [(0, 0, 0)], ignore=[0])
    assert (only.distance[0], only.object_id[0], only.instance[0]) == (3.0, 1, 1)
    none = dist.points_to_scene(geo.Scene(), [(0, 0, 0)])
    assert (none.distance[0], none.object_id[0], none.face[0]) == (math.inf, -1, -1)
    assert np.isnan(none.point).all()


@settings(max_examples=20, deadline=None)
@given(seeds)
def test_points_to_scene_agrees_with_the_mesh(seed: int) -> None:
    triangles = _triangles(seed, 30)
    points = np.random.default_rng(seed).normal(size=(20, 3))
    got = dist.points_to_scene(_scene(triangles[:10], triangles[10:20], triangles[20:]), points)
    expected = dist.points_to_mesh(triangles, points)
    np.testing.assert_array_equal(got.distance, expected.distance)
    np.testing.assert_array_equal(got.object_id * 10 + got.face, expected.face)


@settings(max_examples=20, deadline=None)
@given(seeds, point)
def test_objects_are_as_far_apart_as_their_meshes(seed: int, shift: Any) -> None:
    triangles = _triangles(seed, 24)
    scene = _scene(triangles[:6], triangles[6:12], triangles[12:18])
    # an object of two instances: the second is a turned copy of the third object's mesh
    pose = tf.pose_matrix(np.array(shift) * 3, (0.1, 0.2, 0.3, 1.0))
    scene.add_instance(2, object_id=0, pose=pose)
    for a, b in ((0, 1), (1, 2), (2, 0)):
        got = dist.object_distance(scene, a, b)
        expected = dist.mesh_distance(scene.world_triangles(a), scene.world_triangles(b))
        assert got.distance == pytest.approx(expected.distance, abs=1e-12)
        assert math.dist(got.point_a, got.point_b) == pytest.approx(got.distance, abs=1e-12)
        assert dist.object_distance(scene, b, a).distance == pytest.approx(got.distance, abs=1e-12)
    with pytest.raises(ValueError, match="object_b: expected the id of an object"):
        dist.object_distance(scene, 0, 5)


def test_an_object_without_a_surface_is_infinitely_far() -> None:
    scene = _scene(_box((0, 0, 0), (1, 1, 1)))
    scene.add_instance(scene.add_mesh(np.zeros((0, 3)), np.zeros((0, 3), int)), object_id=1)
    got = dist.object_distance(scene, 0, 1)
    assert got.distance == math.inf
    assert np.isnan(got.point_a).all()


def test_threads_change_nothing() -> None:
    scene = _scene(*_triangles(3, 60)[:, None])
    rng = np.random.default_rng(0)
    starts, ends = rng.uniform(-1, 1, (500, 3)), rng.uniform(-1, 1, (500, 3))
    for one, many in zip(
        dist.sweep_sphere(scene, starts, ends, 0.05, threads=1),
        dist.sweep_sphere(scene, starts, ends, 0.05, threads=4),
        strict=True,
    ):
        np.testing.assert_array_equal(one, many)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda s: dist.sweep_sphere(s, [(0, 0, 0)], [(1, 0, 0)], 0.0), "radius"),
        (lambda s: dist.sweep_sphere(s, [(0, 0)], [(1, 0, 0)], 0.1), "starts: expected shape"),
        (lambda s: dist.sweep_sphere(s, [(0, 0, 0)], [(math.inf, 0, 0)], 0.1), "ends: expected"),
        (
            lambda s: dist.sweep_sphere(s, [(0, 0, 0)] * 2, [(1, 0, 0)] * 3, 0.1),
            "ends: expected 1 or 2 rows",
        ),
    ],
)
def test_wrong_calls(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call(_scene(_box((0, 0, 0), (1, 1, 1))))


def test_something_that_is_no_scene() -> None:
    with pytest.raises(TypeError, match="scene: expected a geometry.Scene, got int"):
        dist.sweep_sphere(3, [(0, 0, 0)], [(1, 0, 0)], 0.1)  # type: ignore[arg-type]
