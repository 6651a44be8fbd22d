"""Mirrors: the recorded cases, two independent constructions, and invariants."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from esi_fast import geometry as geo
from esi_fast.geometry import mirror as mir
from esi_fast.geometry import transforms as tf
from esi_fast.geometry.mirror import Mirror

CASES: dict[str, dict[str, Any]] = {
    case["id"]: case
    for case in json.loads((Path(__file__).parents[1] / "data" / "mirror.json").read_text())
}
TALL = 4.0  # the cases are drawn in the plane; here everything is this high


def _flat(p: Any) -> list[float]:
    """A point of a case, which is in the plane, as one in space."""
    return [p[0], p[1], p[2] if len(p) == 3 else 0.0]


def _mirror(data: dict[str, Any], *, object_id: int = -1) -> Mirror:
    return Mirror.from_normal(
        _flat(data["point"]),
        _flat(data["normal"]),
        2.0 * data.get("half_width", 1.0),
        TALL,
        object_id=object_id,
    )


def _scene(*boxes: Any) -> geo.Scene:
    """Boxes ``(lower xy, upper xy)`` of full height, with object ids from 0."""
    scene = geo.Scene()
    for k, (lower, upper) in enumerate(boxes):
        box = trimesh.creation.box(bounds=[[*lower, -TALL / 2], [*upper, TALL / 2]])
        scene.add_instance(scene.add_mesh(box.vertices, box.faces), object_id=k)
    return scene


def _one(scene: geo.Scene, eye: Any, point: Any, mirror: Mirror, **options: Any) -> bool:
    return bool(mir.visible_through(scene, [_flat(eye)], [_flat(point)], mirror, **options)[0])


def test_mirror_01_normals_of_any_length() -> None:
    case = CASES["mirror-01"]
    for data, expected in zip(case["input"]["mirrors"], case["expected"]["reflected"], strict=True):
        got = mir.reflect_points(_flat(case["input"]["point"]), _mirror(data))
        np.testing.assert_allclose(got, _flat(expected), atol=case["tolerance"])


def test_mirror_04_both_must_be_in_front() -> None:
    case = CASES["mirror-04"]
    mirror = _mirror(case["input"]["mirror"])
    eyes = [_flat(pair["camera"]) for pair in case["input"]["pairs"]]
    objects = [_flat(pair["object"]) for pair in case["input"]["pairs"]]
    got = mir.visible_through(_scene(), eyes, objects, mirror)
    assert got.tolist() == case["expected"]["visible"]


def test_mirror_05_what_blocks_and_what_does_not() -> None:
    case = CASES["mirror-05"]
    data = case["input"]
    mirror = _mirror(data["mirror"])
    yes = []
    for name, blocker in data["blockers"].items():
        scene = _scene(blocker["aabb_xy"])
        seen = _one(scene, data["camera"], data["object"], mirror)
        direct = geo.occlusion.visible(scene, [_flat(data["camera"])], [_flat(data["object"])])[0]
        assert seen == case["expected"]["mirror_visible"][name], name
        assert direct == case["expected"]["direct_visible"][name], name
        if seen and not direct:
            yes.append(name)
    assert yes == case["expected"]["label_yes"]


def test_mirror_06_sides_and_handedness() -> None:
    case = CASES["mirror-06"]
    data, expected = case["input"], case["expected"]
    mirror = _mirror(data["mirror"])
    eye, thing = _flat(data["camera"]), _flat(data["object"])
    np.testing.assert_allclose(
        mir.reflect_points(thing, mirror), _flat(expected["image_point"]), atol=1e-9
    )
    hits = mir.hit_point([eye], [thing], mirror)
    np.testing.assert_allclose(hits.point[0], _flat(expected["hit"]), atol=1e-9)
    camera = geo.Camera.looking_at(eye, np.add(eye, _flat(data["look"])))
    seen = mir.image_point(camera, [thing], mirror)
    assert seen.in_image[0]
    assert expected["appears"] == "right of the image centre"
    assert seen.pixels[0, 0] > camera.cx
    # a reflection of the plane with normal (-1, 0) at the origin's line x = 2 turns triangles over
    before, after = (
        np.linalg.det(np.diff(np.asarray(t)[:, :2], axis=0))
        for t in (
            [_flat(p) for p in data["triangle"]],
            mir.reflect_points([_flat(p) for p in data["triangle"]], mirror),
        )
    )
    assert before / 2 == pytest.approx(expected["signed_area_before"])
    assert after / 2 == pytest.approx(expected["signed_area_after"])


def test_mirror_08_the_field_of_view_is_about_the_spot_on_the_mirror() -> None:
    case = CASES["mirror-08"]
    data, expected = case["input"], case["expected"]
    mirror = _mirror(data["mirror"])
    eye = _flat(data["camera"])
    camera = geo.Camera.looking_at(
        eye, np.add(eye, _flat(data["look"])), width=400, height=400, vfov_deg=data["fov_deg"]
    )
    objects = [_flat(p) for p in data["objects"]]
    hits = mir.hit_point([eye], objects, mirror)
    np.testing.assert_allclose(hits.point[:, 1], expected["hit_y"], atol=1e-6)
    angles = np.degrees(np.arctan2(hits.point[:, 1], hits.point[:, 0]))
    np.testing.assert_allclose(angles, expected["hit_angle_deg"], atol=1e-6)
    got = mir.visible_through(_scene(), [eye], objects, mirror, camera=camera)
    assert got.tolist() == expected["visible"]
    assert mir.image_point(camera, objects, mirror).in_image.tolist() == expected["visible"]
    assert camera.project(objects).in_image.tolist() == expected["direct_in_fov"]


def test_mirror_10_directions() -> None:
    case = CASES["mirror-10"]
    for ray, expected in zip(case["input"]["rays"], case["expected"]["reflected"], strict=True):
        mirror = Mirror.from_normal((0, 0, 0), ray["n"], 1, 1)
        got = mir.reflect_directions(ray["d"], mirror)
        np.testing.assert_allclose(got, expected, atol=case["tolerance"])


def test_mirror_11_the_body_of_the_mirror_does_not_block() -> None:
    case = CASES["mirror-11"]
    data = case["input"]
    scene = _scene(data["mirror"]["body_aabb_xy"])
    mirror = _mirror(data["mirror"], object_id=0)
    assert _one(scene, data["camera"], data["object"], mirror) == case["expected"]["visible"]
    # and a mirror that is not told apart from its body, sunk into it, shows nothing
    sunk = Mirror.from_normal((2.01, 0, 0), (-1, 0, 0), 0.4, TALL)
    assert not _one(scene, data["camera"], data["object"], sunk)


def test_mirror_12_depth_is_to_the_plane() -> None:
    case = CASES["mirror-12"]
    mirror = _mirror(case["input"]["mirror"])
    depth = mirror.depth([_flat(p) for p in case["input"]["objects"]])
    np.testing.assert_allclose(depth, case["expected"]["depth"], atol=case["tolerance"])
    ok = depth >= case["input"]["min_depth"] - case["tolerance"]
    assert ok.tolist() == case["expected"]["ok"]


number = st.floats(-2, 2, allow_nan=False).map(lambda x: round(x, 4))
point = st.tuples(number, number, number)
unit = st.floats(-1, 1).map(lambda x: round(x, 4))
quat = st.tuples(unit, unit, unit, unit).filter(lambda q: sum(x * x for x in q) > 1e-2)
side = st.floats(0.3, 3.0).map(lambda x: round(x, 3))
mirrors = st.builds(Mirror, point, quat, side, side)
seeds = st.integers(0, 100_000)


def _front(mirror: Mirror, seed: int, count: int) -> np.ndarray:
    """Points in front of a mirror (and a few behind), near enough to meet it often."""
    rng = np.random.default_rng(seed)
    local = rng.uniform((-0.3, -1.5, -1.5), (3.0, 1.5, 1.5), size=(count, 3))
    return np.asarray(mirror.center + local @ mirror.axes)


def _clutter(mirror: Mirror, seed: int, count: int = 6) -> np.ndarray:
    """Triangles (T, 3, 3) in front of a mirror and behind it."""
    rng = np.random.default_rng(seed + 1)
    middle = rng.uniform((-1.5, -1.5, -1.5), (2.5, 1.5, 1.5), size=(count, 1, 3))
    local = middle + rng.normal(scale=0.5, size=(count, 3, 3))
    return np.asarray(mirror.center + local @ mirror.axes)


def _scene_of(triangles: np.ndarray) -> geo.Scene:
    scene = geo.Scene()
    for k, corners in enumerate(triangles):
        scene.add_instance(scene.add_mesh(corners, [[0, 1, 2]]), object_id=k)
    return scene


def _crossing(p: np.ndarray, q: np.ndarray, t: np.ndarray) -> tuple[bool, float]:
    """Whether the open segment crosses a triangle, and how clearly (relative volumes)."""
    a, b, c = t

    def volume(w: Any, x: Any, y: Any, z: Any) -> float:
        return float(np.linalg.det(np.stack([x - w, y - w, z - w])))

    above, below = volume(a, b, c, p), volume(a, b, c, q)
    around = [volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)]
    crosses = above * below < 0 and (min(around) > 0 or max(around) < 0)
    return crosses, min(abs(x) for x in (above, below, *around))


@settings(max_examples=60, deadline=None)
@given(mirrors, seeds)
def test_against_the_two_legs_by_hand(mirror: Mirror, seed: int) -> None:
    eyes, points = _front(mirror, seed, 8), _front(mirror, seed + 7, 8)
    clutter = _clutter(mirror, seed)
    got = mir.visible_through(_scene_of(clutter), eyes, points, mirror)
    n, y, z = tf.quat_to_matrix(mirror.orientation).T
    for k, (eye, thing) in enumerate(zip(eyes, points, strict=True)):
        a, b = (eye - mirror.center) @ n, (thing - mirror.center) @ n
        if min(abs(a), abs(b)) < 1e-6:
            continue
        image = thing - 2 * b * n
        hit = eye + (image - eye) * (a / (a + b)) if a + b != 0 else eye
        offsets = abs((hit - mirror.center) @ y), abs((hit - mirror.center) @ z)
        room = mirror.width / 2 - offsets[0], mirror.height / 2 - offsets[1]
        expected = a > 0 and b > 0 and min(room) >= 0
        clear = min(abs(r) for r in room)
        if expected:
            for leg in ((eye, hit), (hit, thing)):
                for triangle in clutter:
                    crosses, sure = _crossing(*leg, triangle)
                    expected &= not crosses
                    clear = min(clear, sure)
        if clear > 1e-5:
            assert got[k] == expected


@settings(max_examples=60, deadline=None)
@given(mirrors, seeds)
def test_against_a_straight_look_into_the_world_behind_the_mirror(
    mirror: Mirror, seed: int
) -> None:
    """The mirror as a window: real things before it, their images behind it, one straight ray."""
    eyes, points = _front(mirror, seed, 8), _front(mirror, seed + 7, 8)
    clutter = _clutter(mirror, seed)
    got = mir.visible_through(_scene_of(clutter), eyes, points, mirror)
    window = mirror.corners
    panes = np.stack([window[[0, 1, 2]], window[[0, 2, 3]]])
    images = mir.reflect_points(clutter, mirror)
    for k, (eye, thing) in enumerate(zip(eyes, points, strict=True)):
        goal = mir.reflect_points(thing, mirror)
        if min(mirror.depth(eye), mirror.depth(thing)) < 1e-6:
            if max(mirror.depth(eye), mirror.depth(thing)) > 1e-6:
                assert not got[k]
            continue
        through = [_crossing(eye, goal, pane) for pane in panes]
        expected = any(crosses for crosses, _ in through)
        clear = min(sure for _, sure in through)
        share = mirror.depth(eye) / (mirror.depth(eye) + mirror.depth(thing))
        border = eye + share * (goal - eye)
        for shown, leg in ((clutter, (eye, border)), (images, (border, goal))):
            for triangle in shown:
                crosses, sure = _crossing(*leg, triangle)
                expected &= not crosses
                clear = min(clear, sure)
        if clear > 1e-5:
            assert got[k] == expected


@settings(max_examples=60, deadline=None)
@given(mirrors, seeds, quat, point, st.floats(0.1, 20.0))
def test_a_motion_or_a_scale_of_everything_changes_nothing(
    mirror: Mirror, seed: int, q: Any, shift: Any, scale: float
) -> None:
    eyes, points = _front(mirror, seed, 20), _front(mirror, seed + 7, 20)
    clutter = _clutter(mirror, seed)

    def move(x: np.ndarray) -> np.ndarray:
        return scale * (tf.rotate(q, x) + np.array(shift))

    moved = Mirror(
        move(mirror.center),
        tf.quat_multiply(q, mirror.orientation),
        scale * mirror.width,
        scale * mirror.height,
    )
    before = mir.visible_through(_scene_of(clutter), eyes, points, mirror)
    after = mir.visible_through(_scene_of(move(clutter)), move(eyes), move(points), moved)
    # a rotation rounds in the last digits: only what hangs on those may differ
    assert (before != after).sum() <= 1


@settings(max_examples=60, deadline=None)
@given(mirrors, seeds)
def test_light_goes_both_ways(mirror: Mirror, seed: int) -> None:
    eyes, points = _front(mirror, seed, 20), _front(mirror, seed + 7, 20)
    scene = _scene_of(_clutter(mirror, seed))
    np.testing.assert_array_equal(
        mir.visible_through(scene, eyes, points, mirror),
        mir.visible_through(scene, points, eyes, mirror),
    )


@given(mirrors, seeds)
def test_reflections_are_isometries_that_undo_themselves(mirror: Mirror, seed: int) -> None:
    points = _front(mirror, seed, 10)
    images = mir.reflect_points(points, mirror)
    np.testing.assert_allclose(mir.reflect_points(images, mirror), points, atol=1e-12)
    np.testing.assert_allclose(mirror.depth(images), -mirror.depth(points), atol=1e-12)
    np.testing.assert_allclose(
        np.linalg.norm(np.diff(images, axis=0), axis=1),
        np.linalg.norm(np.diff(points, axis=0), axis=1),
        atol=1e-12,
    )
    directions = np.diff(points, axis=0)
    np.testing.assert_allclose(
        mir.reflect_directions(directions, mirror), np.diff(images, axis=0), atol=1e-12
    )
    origin, normal = mir.reflect_plane(points[0], directions[0], mirror)
    flat = points[0] + np.cross(directions[0], (1.0, 0.3, 0.2))
    assert (mir.reflect_points(flat, mirror) - origin) @ normal == pytest.approx(0.0, abs=1e-9)


@given(mirrors, seeds)
def test_the_spot_obeys_the_law_of_reflection(mirror: Mirror, seed: int) -> None:
    eyes, points = _front(mirror, seed, 20), _front(mirror, seed + 7, 20)
    hits = mir.hit_point(eyes, points, mirror)
    assert np.isfinite(hits.point).all()
    both = (mirror.depth(eyes) > 1e-3) & (mirror.depth(points) > 1e-3)
    assume(both.any())
    hit = hits.point[both]
    np.testing.assert_allclose(mirror.depth(hit), 0.0, atol=1e-12)
    came, went = tf.normalize(hit - eyes[both]), tf.normalize(points[both] - hit)
    np.testing.assert_allclose(mir.reflect_directions(came, mirror), went, atol=1e-9)
    assert not hits.meets[~both & (np.minimum(mirror.depth(eyes), mirror.depth(points)) < 0)].any()


def _exact_spot(eye: Any, point: Any, mirror: Mirror) -> list[Fraction]:
    """Where the way from the eye to the point's image crosses the plane, in exact arithmetic."""
    normal, center, e, p = (
        [Fraction(float(x)) for x in v] for v in (mirror.normal, mirror.center, eye, point)
    )
    a = sum(n * (x - c) for n, x, c in zip(normal, e, center, strict=True))
    b = sum(n * (x - c) for n, x, c in zip(normal, p, center, strict=True))
    feet = ((x - n * a, y - n * b) for x, y, n in zip(e, p, normal, strict=True))
    return [near + (far - near) * a / (a + b) for near, far in feet]


@given(quat, seeds, st.integers(0, 8), st.integers(-6, 8))
def test_the_spot_of_a_grazing_look_keeps_its_digits(
    turn: Any, seed: int, distance: int, depth: int
) -> None:
    """Far apart beside the plane: the spot hangs on a quotient of depths of nearly no digits."""
    rng = np.random.default_rng(seed)
    mirror = Mirror(rng.normal(0, 3, 3), tf.normalize(turn), 1.0, 1.0)
    assume(depth > distance - 12)
    flat = rng.normal(0, 10.0**distance, (2, 2)) @ mirror.axes[1:]
    eye, point = mirror.center + flat + np.outer(rng.uniform(1, 9, 2) * 10.0**depth, mirror.normal)
    got = mir.hit_point([eye], [point], mirror).point[0]
    size = max(np.abs(eye).max(), np.abs(point).max(), np.abs(mirror.center).max())
    off = [
        float(abs(Fraction(float(g)) - w))
        for g, w in zip(got, _exact_spot(eye, point, mirror), strict=True)
    ]
    assert max(off) <= 1e-14 * size


@settings(max_examples=60)
@given(mirrors, quat, seeds)
def test_the_reflected_camera_shows_the_flipped_picture(
    mirror: Mirror, orientation: Any, seed: int
) -> None:
    camera = geo.Camera(_front(mirror, seed, 1)[0], orientation, 320, 200, 80.0)
    virtual = mir.reflect_camera(camera, mirror)
    assert np.linalg.det(virtual.rotation) == pytest.approx(1.0)
    points = _front(mirror, seed + 3, 30)
    here = camera.project(mir.reflect_points(points, mirror))
    there = virtual.project(points)
    np.testing.assert_allclose(there.depth, here.depth, atol=1e-9)
    near = here.depth > 0.05
    np.testing.assert_allclose(
        there.pixels[near], here.pixels[near] * (-1, 1) + (camera.width, 0), atol=1e-4
    )
    again = mir.reflect_camera(virtual, mirror)
    np.testing.assert_allclose(again.position, camera.position, atol=1e-9)
    np.testing.assert_allclose(again.rotation, camera.rotation, atol=1e-9)


def test_the_width_holds_at_any_yaw_and_pitch() -> None:
    for yaw in np.radians([0, 30, 45, 137, 250]):
        for pitch in np.radians([0, -20, 35]):
            turn = tf.quat_multiply(
                tf.yaw_quat(yaw), (0.0, math.sin(pitch / 2), 0.0, math.cos(pitch / 2))
            )
            mirror = Mirror((1, 2, 3), turn, 0.6, 1.8)
            n, y, z = mirror.axes
            for along, half in ((y, 0.3), (z, 0.9)):
                for sign in (1, -1):
                    spots = mirror.center + sign * along * np.array([[half - 1e-6], [half + 1e-6]])
                    # light that comes and goes along the normal meets the spot itself
                    hits = mir.hit_point(spots + n, spots + 2 * n, mirror)
                    np.testing.assert_allclose(hits.point, spots, atol=1e-12)
                    assert hits.meets.tolist() == [True, False]
    np.testing.assert_allclose(
        np.cross(mirror.corners[1] - mirror.corners[0], mirror.corners[2] - mirror.corners[1]),
        mirror.normal * 0.6 * 1.8,
    )


def test_mirror_on_the_front_of_a_box() -> None:
    mirror = Mirror.on_box((1, 0, 1), tf.yaw_quat(math.pi), (0.04, 0.8, 1.6), object_id=5)
    np.testing.assert_allclose(mirror.center, (0.98, 0, 1), atol=1e-15)
    np.testing.assert_allclose(mirror.normal, (-1, 0, 0), atol=1e-15)
    assert (mirror.width, mirror.height, mirror.object_id) == (0.8, 1.6, 5)


def _furnished() -> tuple[geo.Scene, Mirror, geo.Camera]:
    """A mirror (0) on the wall x = 2, a cube (1) to the left of the camera, one (2) behind it."""
    scene = geo.Scene()
    box = trimesh.creation.box()
    cube = scene.add_mesh(box.vertices, box.faces)
    eye = np.eye(4)
    for k, (where, size) in enumerate(
        [
            ((2.02, 0, 0), (0.04, 1.0, 2.0)),
            ((0, 1.2, 0), (0.4, 0.4, 0.4)),
            ((-3, 0, 0), (0.4, 0.4, 0.4)),
        ]
    ):
        pose = eye.copy()
        pose[:3, 3] = where
        scene.add_instance(cube, object_id=k, pose=pose, scale=size)
    mirror = Mirror.on_box((2.02, 0, 0), tf.yaw_quat(math.pi), (0.04, 1.0, 2.0), object_id=0)
    camera = geo.Camera.looking_at((0, -0.6, 0), (2, 0.1, 0), width=300, height=300, vfov_deg=60)
    return scene, mirror, camera


def test_what_a_camera_sees_in_a_mirror() -> None:
    scene, mirror, camera = _furnished()
    got = mir.sees(scene, camera, mirror)
    assert got.object_id.tolist() == [1, 2]
    assert got.mirror.tolist() == [0, 0]
    share = mir.visible_fraction_through(scene, camera, 1, mirror)
    assert share.fraction == got.fraction[0] == share.visible / share.samples
    assert share.fraction > 0.5
    assert not mir.sees(scene, camera, mirror, object_ids=[1], min_fraction=1.01).object_id.size
    away = geo.Camera.looking_at((0, -0.6, 0), (-2, 0, 0), width=300, height=300, vfov_deg=60)
    assert not mir.sees(scene, away, mirror).object_id.size
    # for an eye that looks everywhere, the direction of the camera does not matter
    assert mir.visible_fraction_through(scene, away.position, 1, mirror).fraction > 0.5
    assert mir.visible_fraction_through(scene, away, 1, mirror).fraction == 0.0
    other = Mirror.from_normal((-5, 0, 0), (1, 0, 0), 4, 4)
    both = mir.sees(scene, away, [mirror, other])
    # cube 2 stands on the first leg of the way to the image of cube 1
    assert both.object_id.tolist() == [2]
    assert both.mirror.tolist() == [1]
    assert not mir.sees(scene, camera, []).object_id.size


def test_the_share_is_that_of_the_samples() -> None:
    scene, mirror, camera = _furnished()
    points = scene.surface_samples(1, 500, seed=4).points
    seen = mir.visible_through(scene, [camera.position], points, mirror, ignore=[1])
    share = mir.visible_fraction_through(scene, camera.position, 1, mirror, samples=500, seed=4)
    assert share.visible == seen.sum()
    hidden = mir.visible_fraction_through(
        scene, camera.position, 1, mirror, samples=500, seed=4, self_hidden=True
    )
    assert 0 < hidden.visible < share.visible


def test_a_screen_in_front_hides_the_image_and_can_be_passed_through() -> None:
    scene, mirror, camera = _furnished()
    plate = trimesh.creation.box(bounds=[[1.0, -2, -2], [1.05, 2, 2]])
    scene.add_instance(scene.add_mesh(plate.vertices, plate.faces), object_id=9)
    assert mir.visible_fraction_through(scene, camera, 1, mirror).visible == 0
    through = mir.visible_fraction_through(scene, camera, 1, mirror, ignore=[9])
    assert through.fraction > 0.5
    points = scene.surface_samples(1, 64).points
    rows = np.where(np.arange(64)[:, None] % 2 == 0, 9, -1) + np.array([[0, 0]])
    rows[:, 1] = 1
    got = mir.visible_through(scene, [camera.position], points, mirror, ignore=rows)
    assert got[::2].any()
    assert not got[1::2].any()


def test_neither_threads_nor_the_order_of_large_batches_change_anything() -> None:
    mirror = Mirror.from_normal((0, 0, 0), (1, 0.2, 0.1), 2, 2)
    count = 270_000  # more than one block, and enough to be traced in an order of its own
    eyes, points = _front(mirror, 1, count), _front(mirror, 2, count)
    scene = _scene_of(_clutter(mirror, 3, 40))
    whole = mir.visible_through(scene, eyes, points, mirror, threads=1)
    np.testing.assert_array_equal(
        whole, mir.visible_through(scene, eyes, points, mirror, threads=4)
    )
    for part in (np.arange(1000), np.arange(261_000, 264_000), np.arange(count - 1000, count)):
        np.testing.assert_array_equal(
            whole[part], mir.visible_through(scene, eyes[part], points[part], mirror)
        )
    assert 0.01 < whole.mean() < 0.9
    # each pair keeps its own row of ids to pass through
    rows = np.full((count, 2), -1)
    rows[::2] = (3, 7)
    mixed = mir.visible_through(scene, eyes, points, mirror, ignore=rows)
    np.testing.assert_array_equal(mixed[1::2], whole[1::2])
    np.testing.assert_array_equal(
        mixed[::2], mir.visible_through(scene, eyes[::2], points[::2], mirror, ignore=[3, 7])
    )
    assert (mixed[::2] != whole[::2]).any()


def test_value_semantics_of_mirrors() -> None:
    a, b = (Mirror((0, 0, 1), q, 1, 2) for q in ((0, 0, 0, 1), (0, 0, 0, 3)))
    assert a == b
    assert hash(a) == hash(b)
    assert a != Mirror((0, 0, 1), (0, 0, 0, 1), 1, 2, object_id=3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Mirror((0, 0, 0), (0, 0, 0, 1), 0, 1), "width: expected a finite number above 0"),
        (lambda: Mirror((0, 0), (0, 0, 0, 1), 1, 1), r"center: expected shape \(3,\)"),
        (lambda: Mirror((0, 0, 0), (0, 0, 0, 1), 1, 1, object_id=-2), "object_id"),
        (lambda: Mirror.from_normal((0, 0, 0), (0, 0, 0), 1, 1), "normal: expected non-zero"),
        (
            lambda: mir.hit_point(
                [(0, 0, 0)] * 2, [(0, 0, 0)] * 3, Mirror((0, 0, 0), (0, 0, 0, 1), 1, 1)
            ),
            "points: expected 1 or 2 rows",
        ),
        (
            lambda: mir.visible_through(
                _scene(), [(0, 0, math.nan)], [(0, 0, 0)], Mirror((0, 0, 0), (0, 0, 0, 1), 1, 1)
            ),
            "eyes: expected finite",
        ),
        (
            lambda: mir.visible_fraction_through(
                _scene(), (0, 0, 0), 4, Mirror((0, 0, 0), (0, 0, 0, 1), 1, 1)
            ),
            "object_id",
        ),
    ],
)
def test_wrong_calls(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
