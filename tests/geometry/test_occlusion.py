"""Lines of sight: by hand, against closest hits, and at their ends."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh
from hypothesis import given
from hypothesis import strategies as st
from rays_reference import add_box, brute_force, pose, random_rotation, scene_of, soup

from esi_fast import geometry as geo

SEEDS = st.integers(0, 2**32 - 1)


def wall_scene() -> geo.Scene:
    scene = geo.Scene()
    add_box(scene, (2, -1, 0), (2.1, 1, 2), object_id=4)
    add_box(scene, (3, -1, 0), (3.1, 1, 2), object_id=6)
    return scene


@given(SEEDS)
def test_random_segments_equal_brute_force_and_closest_hits(seed: int) -> None:
    rng = np.random.default_rng(seed)
    triangles = soup(rng, 40)
    starts, ends = rng.uniform(-2, 2, (2, 200, 3))
    expected = brute_force(triangles, starts, ends - starts)
    clear = ((expected.t < 1 - 2e-6) | (expected.t > 1 + 2e-6)).all(axis=1)
    free = ~(expected.meets & (expected.t <= 1)).any(axis=1)
    scene = scene_of(triangles, object_id=3)
    found = geo.occlusion.visible(scene, starts, ends)
    assert 0.02 < free.mean() < 0.98
    assert (found == free)[clear].all()
    blocker = geo.occlusion.first_blocker(scene, starts, ends)
    assert (blocker == np.where(found, -1, 3)).all()
    assert (geo.occlusion.visible(scene, ends, starts) == found).all()


def test_first_blocker_is_the_nearest_to_the_start() -> None:
    scene = wall_scene()
    starts = np.array([[0, 0, 1], [5, 0, 1], [0, 0, 3]])
    ends = np.array([[5, 0, 1], [0, 0, 1], [5, 0, 3]])
    assert geo.occlusion.first_blocker(scene, starts, ends).tolist() == [4, 6, -1]
    assert geo.occlusion.first_blocker(scene, starts, ends, ignore=[4]).tolist() == [6, 6, -1]
    rows = [[4, -1], [6, 4], [4, 6]]
    assert geo.occlusion.first_blocker(scene, starts, ends, ignore=rows).tolist() == [6, -1, -1]


def test_the_matrix_equals_its_pairs() -> None:
    rng = np.random.default_rng(5)
    scene = scene_of(soup(rng, 50))
    a, b = rng.uniform(-2, 2, (30, 3)), rng.uniform(-2, 2, (17, 3))
    matrix = geo.occlusion.visibility_matrix(scene, a, b)
    pairs = geo.occlusion.visible(scene, np.repeat(a, 17, axis=0), np.tile(b, (30, 1)))
    assert (matrix.ravel() == pairs).all()
    for i in range(30):
        assert (geo.occlusion.visible(scene, a[i : i + 1], b) == matrix[i]).all()
    ignore = np.where(np.arange(30)[:, None] % 2, -1, 5)
    rows = geo.occlusion.visibility_matrix(scene, a, b, ignore=ignore)
    assert rows[::2].all()
    assert (rows[1::2] == matrix[1::2]).all()
    assert geo.occlusion.visibility_matrix(scene, a, np.zeros((0, 3))).shape == (30, 0)


def test_large_batches_keep_their_order() -> None:
    """Batches that are sorted on the way must come back as they were given."""
    rng = np.random.default_rng(6)
    ball = trimesh.creation.icosphere(subdivisions=5)
    scene = geo.Scene()
    mesh = scene.add_mesh(ball.vertices, ball.faces)
    for k in range(6):
        at = pose(random_rotation(rng), rng.uniform(-2, 2, 3))
        scene.add_instance(mesh, object_id=k, pose=at, scale=rng.uniform(0.3, 0.9))
    assert scene.num_triangles > 100_000
    starts, ends = rng.uniform(-3, 3, (2, 40_000, 3))
    free = geo.occlusion.visible(scene, starts, ends)
    assert 0.2 < free.mean() < 0.8
    halves = [geo.occlusion.visible(scene, starts[k::2], ends[k::2]) for k in (0, 1)]
    assert (free[0::2] == halves[0]).all()
    assert (free[1::2] == halves[1]).all()
    from_one = geo.occlusion.visible(scene, starts[:1], ends)
    assert (from_one[:500] == geo.occlusion.visible(scene, starts[:1], ends[:500])).all()
    rows = np.arange(40_000)[:, None] % 6
    ignoring = geo.occlusion.visible(scene, starts, ends, ignore=rows)
    for k in range(6):
        part = slice(k, None, 6)
        alone = geo.occlusion.visible(scene, starts[part], ends[part], ignore=[k])
        assert (ignoring[part] == alone).all()
    for threads in (1, 3):
        again = geo.occlusion.visible(scene, starts, ends, threads=threads)
        assert again.tobytes() == free.tobytes()


@given(SEEDS)
def test_end_points_on_surfaces_do_not_block_themselves(seed: int) -> None:
    """Points of a convex body, at any place and in any pose, see what lies in front of them."""
    rng = np.random.default_rng(seed)
    ball = trimesh.creation.icosphere(subdivisions=2)
    scene = geo.Scene(threads=1)
    placed = pose(random_rotation(rng), rng.uniform(-20, 20, 3))
    scene.add_instance(scene.add_mesh(ball.vertices, ball.faces), object_id=0, pose=placed)
    points, normals = scene.surface_samples(0, 60, seed=seed)
    eyes = points + rng.normal(size=(60, 3)) + 2 * normals
    # A millionth of the way is left out at the ends; that close to its plane a face may block.
    front = ((eyes - points) * normals).sum(axis=1)
    visible = geo.occlusion.visible(scene, eyes, points)
    assert visible[front > 1e-3].all()
    outside = np.linalg.norm(eyes - placed[:3, 3], axis=1) > 1
    assert not visible[(front < -1e-3) & outside].any()
    assert (front > 1e-3).sum() > 30


def test_the_tolerance_is_a_share_of_the_length() -> None:
    scene = wall_scene()
    # Ends 1 mm behind the face of the first wall: blocked, unless that much is left out.
    segment = [[0, 0, 1]], [[2.001, 0, 1]]
    assert not geo.occlusion.visible(scene, *segment).any()
    assert not geo.occlusion.visible(scene, *segment, tolerance=0.0004).any()
    assert geo.occlusion.visible(scene, *segment, tolerance=0.0006).all()
    exact = [[0, 0, 1]], [[2, 0, 1]]
    assert geo.occlusion.visible(scene, *exact).all()
    assert not geo.occlusion.visible(scene, *exact, tolerance=0).any()
    for bad in (-1e-9, 0.5, np.nan):
        with pytest.raises(ValueError, match="tolerance: expected 0 or more and below 0.5"):
            geo.occlusion.visible(scene, *segment, tolerance=bad)


def test_visible_fraction_by_hand() -> None:
    scene = geo.Scene()
    quad = np.array([[0, -1, -1], [0, 1, -1], [0, 1, 1], [0, -1, 1]], float)
    target = scene.add_mesh(quad, [[0, 1, 2], [0, 2, 3]])
    scene.add_instance(target, object_id=1, pose=pose(position=(4, 0, 0)))
    eye = [[0.0, 0, 0]]
    assert geo.occlusion.visible_fraction(scene, eye, 1).tolist() == [1]
    # Half way, half the size hides all; shifted by a quarter of the target it hides half.
    board = add_box(scene, (2, -0.5, -0.5), (2.000001, 0.5, 0.5), object_id=2)
    assert geo.occlusion.visible_fraction(scene, eye, 1).tolist() == [0]
    assert geo.occlusion.visible_fraction(scene, eye, 1, ignore=[2]).tolist() == [1]
    scene.set_pose(board, pose(position=(0, 0.5, 0)))
    half = geo.occlusion.visible_fraction(scene, eye, 1, samples=4000)
    assert half[0] == pytest.approx(0.5, abs=0.01)


def test_visible_fraction_of_a_ball_that_hides_its_own_back() -> None:
    ball = trimesh.creation.icosphere(subdivisions=3, radius=0.5)
    scene = geo.Scene()
    scene.add_instance(scene.add_mesh(ball.vertices, ball.faces), object_id=7)
    eyes = [[3.0, 0, 0], [0, 1.0, 0]]
    assert geo.occlusion.visible_fraction(scene, eyes, 7).tolist() == [1, 1]
    # A sphere of radius r from distance d shows the cap of share (1 - r / d) / 2.
    shown = geo.occlusion.visible_fraction(scene, eyes, 7, samples=4000, self_hidden=True)
    np.testing.assert_allclose(shown, [(1 - 0.5 / 3) / 2, (1 - 0.5) / 2], atol=0.01)


def test_wrong_calls_name_the_parameter() -> None:
    scene = wall_scene()
    with pytest.raises(ValueError, match=r"starts: expected shape \(N, 3\), got \(3,\)"):
        geo.occlusion.visible(scene, [0, 0, 0], [[1, 0, 0]])
    with pytest.raises(ValueError, match=r"ends: expected finite values, got nan at \[0, 2\]"):
        geo.occlusion.visible(scene, [[0, 0, 0]], [[1, 0, np.nan]])
    with pytest.raises(ValueError, match=r"ends: expected 1 or 2 rows"):
        geo.occlusion.first_blocker(scene, np.zeros((2, 3)), np.zeros((3, 3)))
    with pytest.raises(ValueError, match=r"ignore: expected shape \(K,\), got \(1, 1\)"):
        geo.occlusion.visible_fraction(scene, [[0, 0, 0]], 4, ignore=[[6]])
    with pytest.raises(ValueError, match="object_id: expected an object with triangles, got 99"):
        geo.occlusion.visible_fraction(scene, [[0, 0, 0]], 99)
