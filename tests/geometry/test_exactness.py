"""Answers where single precision fails: grazing, tiny, far, thin; and proof that it is noticed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
import trimesh
from hypothesis import given
from hypothesis import strategies as st
from rays_reference import Floats, brute_force, pose, random_rotation, scene_of

from esi_fast import geometry as geo
from esi_fast.geometry import _core

SEEDS = st.integers(0, 2**32 - 1)


def near_the_border(
    rng: np.random.Generator, triangles: Floats, count: int, *, offset: float, steepest: float
) -> tuple[Floats, Floats]:
    """Rays through points ``offset`` metres inside or outside an edge, from about 20 m away.

    Angles to the triangle's plane are spread over the decades from ``steepest`` (radians) up.
    """
    corners = triangles[rng.integers(len(triangles), size=count)]
    k = rng.integers(3, size=count)
    rows = np.arange(count)
    a, b, c = corners[rows, k], corners[rows, k - 1], corners[rows, k - 2]
    along = (b - a) / np.linalg.norm(b - a, axis=1, keepdims=True)
    normal = np.cross(b - a, c - a)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    inward = np.cross(normal, along)
    inward *= np.sign(((c - a) * inward).sum(1, keepdims=True))
    side = rng.choice([-offset, offset], size=(count, 1))
    target = a + rng.uniform(0.2, 0.8, (count, 1)) * (b - a) + side * inward
    angle = 10 ** rng.uniform(np.log10(steepest), 0, (count, 1))
    heading = rng.uniform(0, 2 * np.pi, (count, 1))
    flat = np.cos(heading) * along + np.sin(heading) * inward
    direction = np.cos(angle) * flat + np.sin(angle) * normal * rng.choice([-1, 1], (count, 1))
    return target - direction * rng.uniform(5, 20, (count, 1)), direction


def mismatches(scene: geo.Scene, triangles: Floats, origins: Floats, directions: Floats) -> int:
    """Rays whose answer differs from brute force although it is clear there.

    Clear: for every triangle, the point in its plane is farther from the border than extended
    precision can be wrong about, which grazing angles magnify.
    """
    expected = brute_force(triangles, origins, directions)
    edges = triangles[:, 1:] - triangles[:, :1]
    normal = np.cross(edges[:, 0], edges[:, 1])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    slope = np.abs(directions @ normal.T)
    clear = (np.abs(expected.border) * slope > 1e-13).all(axis=1)
    assert clear.mean() > 0.9
    found = geo.raycast.closest(scene, origins, directions)
    assert (geo.raycast.any(scene, origins, directions) == found.hit).all()
    segment_free = geo.occlusion.visible(scene, origins, origins + 50 * directions, tolerance=0)
    wrong = found.hit != np.isfinite(expected.closest)
    wrong |= segment_free == np.isfinite(expected.closest)
    return int(wrong[clear].sum())


@contextmanager
def broken_recheck() -> Iterator[None]:
    _core.raycast.set_recheck(False)
    try:
        yield
    finally:
        _core.raycast.set_recheck(True)


def sparse(rng: np.random.Generator, size: float) -> Floats:
    """Triangles of one size, far apart, rounded to nothing in particular."""
    centers = rng.uniform(-5, 5, (20, 1, 3))
    return centers + rng.normal(0, size, (20, 3, 3))


@given(SEEDS, st.sampled_from([0.003, 0.1, 2.0]))
def test_a_millionth_of_the_diameter_from_an_edge_at_any_angle(seed: int, size: float) -> None:
    rng = np.random.default_rng(seed)
    triangles = sparse(rng, size)
    scene = scene_of(triangles)
    offset = 1e-6 * scene.diameter
    rays = near_the_border(rng, triangles, 200, offset=offset, steepest=1e-6)
    assert mismatches(scene, triangles, *rays) == 0


@given(SEEDS)
def test_a_nanometre_from_an_edge(seed: int) -> None:
    rng = np.random.default_rng(seed)
    triangles = sparse(rng, 0.3)
    rays = near_the_border(rng, triangles, 200, offset=1e-9, steepest=0.01)
    assert mismatches(scene_of(triangles), triangles, *rays) == 0


def test_a_broken_recheck_is_noticed() -> None:
    rng = np.random.default_rng(0)
    triangles = sparse(rng, 0.3)
    scene = scene_of(triangles)
    rays = near_the_border(rng, triangles, 500, offset=1e-9, steepest=0.01)
    grazing = near_the_border(rng, triangles, 500, offset=1e-6 * scene.diameter, steepest=1e-6)
    geo.raycast.reset_recheck_count()
    assert mismatches(scene, triangles, *rays) == 0
    assert geo.raycast.recheck_count() > 300
    with broken_recheck():
        assert mismatches(scene, triangles, *rays) > 100
        assert mismatches(scene, triangles, *grazing) > 30
    assert mismatches(scene, triangles, *rays) == 0


def test_rechecks_are_rare_for_ordinary_rays() -> None:
    rng = np.random.default_rng(1)
    sphere = trimesh.creation.icosphere(subdivisions=5)
    scene = geo.Scene()
    scene.add_instance(scene.add_mesh(sphere.vertices, sphere.faces), object_id=0)
    a, b = rng.uniform(-3, 3, (2, 20000, 3))
    geo.occlusion.reset_recheck_count()
    geo.occlusion.visible(scene, a, b)
    assert 0 < geo.occlusion.recheck_count() < 2000


@given(SEEDS)
def test_far_from_the_origin_nothing_is_lost(seed: int) -> None:
    rng = np.random.default_rng(seed)
    triangles = sparse(rng, 0.2)
    origins, directions = near_the_border(rng, triangles, 200, offset=1e-5, steepest=1e-3)
    there = np.array([3e6, -2e6, 1e6])
    scene = scene_of(triangles + there)
    # The shifted vertices are rounded to 1e-9 m, so these very triangles are the reference.
    assert mismatches(scene, (triangles + there), origins + there, directions) == 0


def test_a_ray_from_very_far_away() -> None:
    triangles = sparse(np.random.default_rng(4), 0.5)
    rng = np.random.default_rng(5)
    origins, directions = near_the_border(rng, triangles, 500, offset=1e-3, steepest=0.1)
    far = origins - 1e7 * directions
    expected = brute_force(triangles, far, directions)
    found = geo.raycast.closest(scene_of(triangles), far, directions)
    assert (found.hit == np.isfinite(expected.closest)).all()
    np.testing.assert_allclose(found.distance, expected.closest, atol=1e-7)


@given(SEEDS)
def test_no_ray_slips_between_neighbours(seed: int) -> None:
    """Through vertices and edges of a closed surface, aimed to the last bit, in any pose."""
    rng = np.random.default_rng(seed)
    ball = trimesh.creation.icosphere(subdivisions=2)
    scene = geo.Scene(threads=1)
    placed = pose(random_rotation(rng), rng.uniform(-1, 1, 3))
    scene.add_instance(scene.add_mesh(ball.vertices, ball.faces), object_id=0, pose=placed)
    corners = scene.world_triangles(0)
    weight = rng.uniform(0, 1, (len(corners), 1))
    edges = weight * corners[:, 0] + (1 - weight) * corners[:, 1]
    targets = np.concatenate([corners.reshape(-1, 3), edges])
    inside = placed[:3, 3] + rng.uniform(-0.4, 0.4, (len(targets), 3))
    assert geo.raycast.any(scene, inside, targets - inside).all()
    assert not geo.occlusion.visible(scene, inside, 2 * targets - inside, tolerance=0).any()
    crossings = geo.raycast.all(scene, 9 * inside - 8 * targets, targets - inside)
    for ray in range(0, len(targets), 37):
        assert len(crossings.distinct(ray, tolerance=1e-7)) == 2


def test_edges_and_corners_belong_to_the_triangle() -> None:
    scene = scene_of([[[0, 0, 0], [1, 0, 0], [0, 1, 0]]])
    points = [[0, 0], [1, 0], [0, 1], [0.5, 0], [0, 0.5], [0.5, 0.5], [0.25, 0.75]]
    origins = np.array([[x, y, 1] for x, y in points], float)
    found = geo.raycast.closest(scene, origins, [[0, 0, -1]])
    assert (found.distance == 1).all()
    beside = origins + np.array([1e-15, 1e-15, 0])
    assert geo.raycast.any(scene, beside, [[0, 0, -1]]).tolist() == [True] + [False] * 2 + [
        True,
        True,
        False,
        False,
    ]


def test_a_ray_in_the_plane_of_a_triangle_passes() -> None:
    scene = scene_of([[[0, 0, 0], [1, 0, 0], [0, 1, 0]]])
    assert not geo.raycast.any(scene, [[-1, 0.2, 0]], [[1, 0, 0]]).any()
    assert geo.occlusion.visible(scene, [[-1, 0.2, 0]], [[2, 0.2, 0]]).all()
    # The least tilt that crosses the plane within the triangle is enough.
    assert geo.raycast.any(scene, [[-1, 0.2, 1e-13]], [[1, 0, -0.8e-13]]).all()


def test_a_slab_a_micrometre_thick_has_two_sides() -> None:
    quad = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], float)
    scene = geo.Scene()
    mesh = scene.add_mesh(quad, [[0, 1, 2], [0, 2, 3]])
    tilt = random_rotation(np.random.default_rng(3))
    for k, z in enumerate((0.0, 1e-6)):
        scene.add_instance(mesh, object_id=k, pose=pose(tilt, 7 + tilt @ [0, 0, z]))
    rng = np.random.default_rng(4)
    start = np.array([7 + tilt @ [x, y, 4] for x, y in rng.uniform(-0.5, 0.5, (200, 2))])
    down = tilt @ [0.02, 0.01, -1]
    every = geo.raycast.all(scene, start, [down])
    assert (np.diff(every.offsets) == 2).all()
    assert (every.object_id.reshape(-1, 2) == [1, 0]).all()
    gaps = np.diff(every.distance.reshape(-1, 2), axis=1)
    np.testing.assert_allclose(gaps, 1e-6 * np.linalg.norm([0.02, 0.01, 1]), rtol=1e-6)


def test_a_needle_is_hit_on_its_axis_and_missed_beside_it() -> None:
    width = 2e-7
    needle = np.array([[0, -width / 2, 0], [0, width / 2, 0], [10, 0, 0]], float)
    rotation = random_rotation(np.random.default_rng(6))
    scene = scene_of(needle @ rotation.T)
    along = np.linspace(0.1, 9.5, 50)
    half = width / 2 * (1 - along / 10)
    for side, expected in ((0.9, True), (1.1, False)):
        targets = np.stack([along, side * half, np.zeros(50)], axis=1) @ rotation.T
        origins = targets + rotation @ [0.3, 0.2, 5]
        found = geo.raycast.any(scene, origins, targets - origins)
        assert (found == expected).all()


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_axis_parallel_rays_along_a_grid_of_boxes(axis: int) -> None:
    """Zero direction components, origins on the planes of faces: nothing lost, nothing invented."""
    scene = geo.Scene()
    cube = trimesh.creation.box(extents=(1, 1, 1))
    mesh = scene.add_mesh(cube.vertices, cube.faces)
    for k, place in enumerate(np.ndindex(3, 3, 3)):
        scene.add_instance(mesh, object_id=k, pose=pose(position=np.array(place) * 2.0))
    direction = np.eye(3)[axis]
    for u in (-0.5, 0.0, 0.5, 0.75, 1.5, 1.75):
        origin = np.full(3, u)
        origin[axis] = -3
        found = geo.raycast.closest(scene, [origin], [direction])
        assert bool(found.hit[0]) == (abs((u + 0.5) % 2 - 0.5) <= 0.5)
        if found.hit[0]:
            assert found.distance[0] == 2.5
