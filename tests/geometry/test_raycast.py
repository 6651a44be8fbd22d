"""Closest, any and all hits: against brute force, against each other, against another library."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh
from hypothesis import given
from hypothesis import strategies as st
from rays_reference import (
    add_box,
    brute_force,
    pose,
    random_directions,
    random_rotation,
    scene_of,
    soup,
)

from esi_fast import geometry as geo

SEEDS = st.integers(0, 2**32 - 1)


def same(a: geo.raycast.Hits, b: geo.raycast.Hits) -> bool:
    return all(x.tobytes() == y.tobytes() for x, y in zip(a, b, strict=True))


@given(SEEDS, st.sampled_from([0.02, 0.3, 3.0]))
def test_random_rays_equal_brute_force(seed: int, size: float) -> None:
    rng = np.random.default_rng(seed)
    triangles = soup(rng, 60, size)
    origins, directions = rng.uniform(-2, 2, (200, 3)), random_directions(rng, 200)
    expected = brute_force(triangles, origins, directions)
    scene = scene_of(triangles)
    found = geo.raycast.closest(scene, origins, directions)
    assert (found.hit == np.isfinite(expected.closest)).all()
    np.testing.assert_allclose(found.distance, expected.closest, atol=1e-11)
    # The hit lies on the triangle it names, and the normal is that triangle's.
    hit = found.hit
    corners = triangles[found.face[hit]]
    point = (corners * found.barycentric[hit][:, :, None]).sum(axis=1)
    ray_point = origins[hit] + found.distance[hit, None] * directions[hit]
    np.testing.assert_allclose(point, ray_point, atol=1e-10)
    assert (found.barycentric[hit] >= -1e-12).all()
    edges = corners[:, 1:] - corners[:, :1]
    np.testing.assert_allclose(
        np.einsum("nk,nek->ne", found.normal[hit], edges), 0, atol=1e-12 * (1 + size)
    )
    np.testing.assert_allclose(np.linalg.norm(found.normal[hit], axis=1), 1)
    assert not found.normal[~hit].any()
    # The three queries agree.
    assert (geo.raycast.any(scene, origins, directions) == hit).all()
    every = geo.raycast.all(scene, origins, directions)
    assert (np.diff(every.offsets) == expected.meets.sum(axis=1)).all()
    first = every.offsets[:-1][hit]
    assert (every.distance[first] == found.distance[hit]).all()
    assert (every.face[first] == found.face[hit]).all()


def test_a_room_seen_by_another_library() -> None:
    rng = np.random.default_rng(3)
    mesh = trimesh.util.concatenate(
        [
            trimesh.creation.icosphere(subdivisions=3, radius=r).apply_translation(t)
            for r, t in zip(rng.uniform(0.1, 0.6, 20), rng.uniform(-2, 2, (20, 3)), strict=True)
        ]
    )
    scene = geo.Scene()
    scene.add_instance(scene.add_mesh(mesh.vertices, mesh.faces), object_id=0)
    origins, directions = rng.uniform(-2, 2, (20000, 3)), random_directions(rng, 20000)
    found = geo.raycast.closest(scene, origins, directions)
    # trimesh's own (NumPy) rays would be slow; its Embree is single precision.
    face = trimesh.ray.ray_pyembree.RayMeshIntersector(mesh).intersects_first(origins, directions)
    same_face = found.face == face
    assert same_face.mean() > 0.9999
    assert 0.2 < found.hit.mean() < 0.9


def test_distances_do_not_depend_on_the_length_of_the_direction() -> None:
    scene = scene_of(soup(np.random.default_rng(2), 100))
    directions = random_directions(np.random.default_rng(3), 500)
    reference = geo.raycast.closest(scene, [[0, 0, 0]], directions)
    for length in (1e-290, 1e-30, 0.37, 1e25, 1e300):
        found = geo.raycast.closest(scene, [[0, 0, 0]], directions * length)
        assert (found.face == reference.face).all()
        np.testing.assert_allclose(found.distance, reference.distance, rtol=1e-12)


@given(SEEDS)
def test_a_rigid_motion_changes_nothing_and_a_scale_scales_distances(seed: int) -> None:
    rng = np.random.default_rng(seed)
    triangles = soup(rng, 40)
    origins, directions = rng.uniform(-2, 2, (100, 3)), random_directions(rng, 100)
    reference = geo.raycast.closest(scene_of(triangles), origins, directions)
    assert reference.hit.any()
    rotation, shift = random_rotation(rng), rng.uniform(-50, 50, 3)
    factor = float(10 ** rng.uniform(-3, 3))
    corners = triangles.reshape(-1, 3)
    scene = geo.Scene(threads=1)
    mesh = scene.add_mesh(corners, np.arange(len(corners)).reshape(-1, 3))
    scene.add_instance(mesh, object_id=1, pose=pose(rotation, shift), scale=factor)
    moved_origins = factor * origins @ rotation.T + shift
    moved = geo.raycast.closest(scene, moved_origins, directions @ rotation.T)
    assert (moved.face == reference.face).all()
    np.testing.assert_allclose(moved.distance, factor * reference.distance, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(moved.normal, reference.normal @ rotation.T, atol=1e-10)


def test_the_order_of_faces_and_rays_does_not_matter() -> None:
    rng = np.random.default_rng(5)
    triangles = soup(rng, 500)
    origins, directions = rng.uniform(-2, 2, (2000, 3)), random_directions(rng, 2000)
    reference = geo.raycast.closest(scene_of(triangles), origins, directions)
    faces, rays = rng.permutation(500), rng.permutation(2000)
    found = geo.raycast.closest(scene_of(triangles[faces]), origins[rays], directions[rays])
    assert (found.distance == reference.distance[rays]).all()
    hit = found.hit
    assert (faces[found.face[hit]] == reference.face[rays][hit]).all()


def test_the_number_of_threads_does_not_matter() -> None:
    rng = np.random.default_rng(6)
    triangles = soup(rng, 3000, 0.05)
    origins, directions = rng.uniform(-2, 2, (30000, 3)), random_directions(rng, 30000)
    reference = geo.raycast.closest(scene_of(triangles, threads=1), origins, directions, threads=1)
    every = geo.raycast.all(scene_of(triangles, threads=1), origins, directions, threads=1)
    for threads in (2, 5):
        scene = scene_of(triangles, threads=threads)
        assert same(geo.raycast.closest(scene, origins, directions), reference)
        again = geo.raycast.all(scene, origins, directions)
        assert all((a == b).all() for a, b in zip(again, every, strict=True))


def test_limits_are_metres_and_inclusive() -> None:
    scene = geo.Scene()
    add_box(scene, (1, -1, -1), (2, 1, 1), object_id=0)
    ray = [[0, 0.1, 0.2]], [[5, 0, 0]]

    def distance(tmin: object, tmax: object) -> float:
        return float(geo.raycast.closest(scene, *ray, tmin=tmin, tmax=tmax).distance[0])

    assert distance(0, np.inf) == 1
    assert distance(1, np.inf) == 1
    assert distance(1 + 1e-12, np.inf) == 2
    assert distance(0, 1) == 1
    assert distance(0, 1 - 1e-12) == np.inf
    assert distance(2 + 1e-12, 9) == np.inf
    two = geo.raycast.closest(scene, *ray, tmin=[0, 1.5], tmax=[0.5, 3])
    assert two.distance.tolist() == [np.inf, 2]


def test_equally_near_hits_go_to_the_lowest_instance_then_face() -> None:
    triangle = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], float)
    scene = geo.Scene()
    mesh = scene.add_mesh(triangle, [[0, 1, 2], [0, 1, 2]])
    first = scene.add_instance(mesh, object_id=9)
    scene.add_instance(mesh, object_id=2)
    found = geo.raycast.closest(scene, [[0.2, 0.2, 1]], [[0, 0, -1]])
    assert (found.instance[0], found.face[0], found.object_id[0]) == (first, 0, 9)
    every = geo.raycast.all(scene, [[0.2, 0.2, 1]], [[0, 0, -1]])
    assert every.instance.tolist() == [0, 0, 1, 1]
    assert every.face.tolist() == [0, 1, 0, 1]
    assert every.distinct(0).tolist() == [1]


def test_ignored_objects_are_passed_through() -> None:
    scene = geo.Scene()
    for k in range(3):
        add_box(scene, (1 + k, -1, -1), (1.5 + k, 1, 1), object_id=k)
    origin, direction = [[0, 0.1, 0.2]], [[1, 0, 0]]

    def seen(ignore: object) -> list[int]:
        found = geo.raycast.closest(scene, origin, direction, ignore=ignore)
        assert (geo.raycast.any(scene, origin, direction, ignore=ignore) == found.hit).all()
        return found.object_id.tolist()

    assert seen(None) == seen([]) == seen([-1]) == seen([7]) == [0]
    assert seen([0]) == seen([1, 0][1:]) == [1]
    assert seen([1, 0]) == [2]
    assert seen([0, 1, 2]) == [-1]
    rows = [[-1, -1], [0, -1], [1, 0], [2, 1]]
    found = geo.raycast.closest(scene, origin, np.repeat(direction, 4, axis=0), ignore=rows)
    assert found.object_id.tolist() == [0, 1, 2, 0]
    every = geo.raycast.all(scene, origin, direction, ignore=[1])
    assert every.object_id.tolist() == [0, 0, 2, 2]


def test_invalid_rays_are_marked_and_disturb_nobody() -> None:
    rng = np.random.default_rng(8)
    scene = scene_of(soup(rng, 200))
    origins, directions = rng.uniform(-2, 2, (300, 3)), random_directions(rng, 300)
    good = geo.raycast.closest(scene, origins, directions)
    bad = np.arange(0, 300, 7)
    origins[bad[::3], 1] = np.nan
    directions[bad[1::3]] = 0
    directions[bad[2::3], 2] = np.inf
    found = geo.raycast.closest(scene, origins, directions)
    marked = np.zeros(300, bool)
    marked[bad] = True
    assert (found.status == np.where(marked, geo.raycast.INVALID_RAY, geo.raycast.OK)).all()
    assert not found.hit[marked].any()
    assert np.isinf(found.distance[marked]).all()
    assert (found.distance[~marked] == good.distance[~marked]).all()
    assert not geo.raycast.any(scene, origins, directions)[marked].any()
    assert not np.diff(geo.raycast.all(scene, origins, directions).offsets)[marked].any()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"origins": np.zeros((3, 5))}, r"origins: expected shape \(N, 3\), got \(3, 5\)"),
        ({"directions": np.zeros(3)}, r"directions: expected shape \(N, 3\), got \(3,\)"),
        ({"origins": np.zeros((5, 3))}, r"directions: expected 1 or 5 rows"),
        ({"tmin": -1.0}, r"tmin: expected 0 or more, got -1"),
        ({"tmax": np.nan}, r"tmax: expected 0 or more, got nan"),
        ({"tmin": [0.0, 0.0]}, r"tmin: expected 1 or 4 rows"),
        ({"ignore": [[1, 2]]}, r"ignore: expected shape \(4, K\), got \(1, 2\)"),
        ({"threads": -1}, r"threads: expected 0"),
    ],
)
def test_wrong_calls_name_the_parameter(arguments: dict[str, object], message: str) -> None:
    call: dict[str, object] = {"origins": np.zeros((4, 3)), "directions": np.ones((4, 3))}
    for query in (geo.raycast.closest, geo.raycast.any, geo.raycast.all):
        with pytest.raises(ValueError, match=message):
            query(geo.Scene(), **{**call, **arguments})  # type: ignore[operator]


def test_wrong_types_are_type_errors() -> None:
    with pytest.raises(TypeError, match="origins: expected real numbers"):
        geo.raycast.closest(geo.Scene(), [["a", "b", "c"]], [[1, 0, 0]])


def test_no_rays_give_no_rows() -> None:
    nothing = np.zeros((0, 3))
    scene = scene_of(soup(np.random.default_rng(0), 3))
    assert len(geo.raycast.closest(scene, nothing, nothing).hit) == 0
    assert geo.raycast.all(scene, nothing, nothing).offsets.tolist() == [0]
