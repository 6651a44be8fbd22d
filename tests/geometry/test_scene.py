"""Scenes: ids, poses, updates, odd meshes, several threads."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rays_reference import add_box, box_mesh, pose, random_directions, random_rotation, soup

from esi_fast import geometry as geo

CUBE = box_mesh((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5))


def test_ids_count_up_and_survive_removal() -> None:
    scene = geo.Scene()
    mesh = scene.add_mesh(*CUBE)
    assert [scene.add_instance(mesh, object_id=k) for k in (4, 4, 0)] == [0, 1, 2]
    assert scene.instance_object_ids.tolist() == [4, 4, 0]
    assert scene.instances_of(4).tolist() == [0, 1]
    assert (scene.num_instances, scene.num_triangles) == (3, 36)
    scene.remove_instance(0)
    assert scene.instance_object_ids.tolist() == [-1, 4, 0]
    assert (scene.num_instances, scene.num_triangles) == (2, 24)
    assert scene.add_instance(mesh, object_id=8) == 3
    with pytest.raises(ValueError, match="instance: expected one that was not removed, got 0"):
        scene.set_pose(0, np.eye(4))
    with pytest.raises(ValueError, match="instance: expected one that was not removed, got 0"):
        scene.remove_instance(0)


def test_pose_and_scale_place_the_mesh() -> None:
    scene = geo.Scene()
    mesh = scene.add_mesh(*CUBE)
    quarter = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]], float)
    instance = scene.add_instance(
        mesh, object_id=1, pose=pose(quarter, (10, 0, 0)), scale=(4, 2, 1)
    )
    np.testing.assert_allclose(scene.bounds, [[9, -2, -0.5], [11, 2, 0.5]])
    assert scene.diameter == pytest.approx(np.sqrt(4 + 16 + 1))
    scene.set_pose(instance, pose(position=(0, 0, 3)))
    np.testing.assert_allclose(scene.bounds, [[-2, -1, 2.5], [2, 1, 3.5]])
    scene.set_pose(instance, np.eye(4), scale=1)
    np.testing.assert_allclose(scene.bounds, [[-0.5] * 3, [0.5] * 3])


def test_a_mirrored_instance_keeps_its_winding() -> None:
    scene = geo.Scene()
    flip = np.diag([-1.0, 1, 1, 1])
    scene.add_instance(scene.add_mesh(*CUBE), object_id=1, pose=flip)
    found = geo.raycast.closest(scene, [[5, 0.1, 0.2]], [[-1, 0, 0]])
    # The corners run the other way round in the world, so the normal points inwards.
    np.testing.assert_allclose(found.normal, [[-1, 0, 0]])


def test_an_empty_scene_and_an_empty_mesh() -> None:
    scene = geo.Scene()
    for _ in range(2):
        assert scene.num_triangles == 0
        assert scene.diameter == 0
        assert np.isnan(scene.bounds).all()
        found = geo.raycast.closest(scene, [[0, 0, 0]], [[1, 0, 0]])
        assert (found.hit[0], found.distance[0], found.status[0]) == (False, np.inf, 0)
        assert geo.occlusion.visible(scene, [[0, 0, 0]], [[1, 0, 0]]).all()
        empty = scene.add_mesh(np.zeros((0, 3)), np.zeros((0, 3), int))
        scene.add_instance(empty, object_id=0)
    box = add_box(scene, (1, -1, -1), (2, 1, 1), object_id=3)
    assert geo.raycast.closest(scene, [[0, 0, 0]], [[1, 0, 0]]).object_id[0] == 3
    scene.remove_instance(box)
    assert not geo.raycast.any(scene, [[0, 0, 0]], [[1, 0, 0]]).any()


def test_degenerate_faces_are_counted_and_never_met() -> None:
    third = 1 / 3
    vertices = [
        [0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0],
        [0.1, 0.2, 0.7], [0.1 + third, 0.2 + third, 0.7 + third],
        [0.1 + 2 * third, 0.2 + 2 * third, 0.7 + 2 * third],
    ]  # fmt: skip
    faces = [[0, 0, 1], [0, 1, 2], [1, 1, 1], [0, 2, 3], [4, 5, 6]]
    scene = geo.Scene()
    mesh = scene.add_mesh(vertices, faces)
    scene.add_instance(mesh, object_id=0)
    assert scene.degenerate_faces(mesh) == 3
    assert scene.num_triangles == 2
    found = geo.raycast.closest(scene, [[0.7, 0.2, 2], [0.2, 0.7, 2]], [[0, 0, -1]])
    assert found.face.tolist() == [1, 3]
    assert scene.world_triangles(0).shape == (2, 3, 3)
    # What rays cannot meet is not part of the bounds either.
    assert scene.bounds[1, 2] == 0
    # Thin is not degenerate.
    thin = scene.add_mesh([[0, 0, 0], [1, 0, 0], [0.5, 1e-12, 0]], [[0, 1, 2]])
    assert scene.degenerate_faces(thin) == 0


@given(st.integers(0, 2**32 - 1))
def test_changes_equal_a_scene_built_afresh(seed: int) -> None:
    rng = np.random.default_rng(seed)
    meshes = [soup(rng, 30, 0.2).reshape(-1, 3) for _ in range(3)]
    faces = np.arange(90).reshape(-1, 3)
    origins, directions = rng.uniform(-6, 6, (80, 3)), random_directions(rng, 80)
    scene = geo.Scene(threads=1)
    ids = [scene.add_mesh(vertices, faces) for vertices in meshes]
    state: dict[int, tuple[int, np.ndarray, float]] = {}

    def place() -> np.ndarray:
        return pose(random_rotation(rng), rng.uniform(-1, 1, 3) * 10 ** rng.uniform(-1, 2))

    for _ in range(4):
        for _ in range(int(rng.integers(1, 4))):
            change = rng.integers(3) if state else 0
            if change == 0:
                mesh, at, scale = int(rng.choice(ids)), place(), float(rng.uniform(0.2, 3))
                new = scene.add_instance(mesh, object_id=7, pose=at, scale=scale)
                state[new] = (mesh, at, scale)
                continue
            instance = int(rng.choice(list(state)))
            if change == 1:
                mesh, _, scale = state[instance]
                state[instance] = (mesh, place(), scale)
                scene.set_pose(instance, state[instance][1])
            else:
                del state[instance]
                scene.remove_instance(instance)
        fresh = geo.Scene(threads=1)
        renumbered = []
        for vertices in meshes:
            fresh.add_mesh(vertices, faces)
        for instance, (mesh, at, scale) in sorted(state.items()):
            fresh.add_instance(mesh, object_id=7, pose=at, scale=scale)
            renumbered.append(instance)
        found = geo.raycast.closest(scene, origins, directions)
        expected = geo.raycast.closest(fresh, origins, directions)
        assert (found.distance == expected.distance).all()
        assert (found.face == expected.face).all()
        hit = expected.hit
        assert (found.instance[hit] == np.array(renumbered)[expected.instance[hit]]).all()


def test_set_poses_moves_several() -> None:
    scene = geo.Scene()
    mesh = scene.add_mesh(*CUBE)
    for k in range(3):
        scene.add_instance(mesh, object_id=k)
    scene.set_poses([0, 2], [pose(position=(5, 0, 0)), pose(position=(0, 7, 0))])
    rays = [[-3, 0.1, 0.2]], [[1, 0, 0]]
    assert geo.raycast.all(scene, *rays).distance.tolist() == [2.5, 3.5, 7.5, 8.5]
    with pytest.raises(ValueError, match=r"poses: expected shape \(2, 4, 4\), got \(3, 4, 4\)"):
        scene.set_poses([0, 1], np.zeros((3, 4, 4)))


def test_surface_samples_are_even_and_on_the_surface() -> None:
    scene = geo.Scene()
    mesh = scene.add_mesh(*CUBE)
    scene.add_instance(mesh, object_id=2, pose=pose(position=(9, 0, 0)), scale=(1, 2, 4))
    points, normals = scene.surface_samples(2, 2800, seed=3)
    local = points - [9, 0, 0]
    size = np.array([0.5, 1, 2])
    on = np.isclose(np.abs(local), size, atol=1e-12)
    assert (on.sum(axis=1) == 1).all()
    assert (np.abs(local) <= size + 1e-12).all()
    np.testing.assert_allclose(normals, np.where(on, np.sign(local), 0), atol=1e-12)
    # Areas 2 * (8, 4, 2) of 28: shares by face pair follow them to within one sample per triangle.
    np.testing.assert_allclose(on.sum(axis=0), [1600, 800, 400], atol=4)
    # Even within a face too: a quarter of the face holds a quarter of its samples.
    quarter = on[:, 0] & (local[:, 1] > 0) & (local[:, 2] > 0)
    assert quarter.sum() == pytest.approx(400, abs=20)
    again = scene.surface_samples(2, 2800, seed=3)
    assert (again.points == points).all()
    assert (scene.surface_samples(2, 2800, seed=4).points != points).any()
    with pytest.raises(ValueError, match="object_id: expected an object with triangles, got 5"):
        scene.surface_samples(5, 10)


def test_mesh_arrays_are_copies_of_what_was_added() -> None:
    scene = geo.Scene()
    mesh = scene.add_mesh(*CUBE)
    vertices, faces = scene.mesh_arrays(mesh)
    assert (vertices == CUBE[0]).all()
    assert (faces == CUBE[1]).all()
    vertices[:] = 0
    assert (scene.mesh_arrays(mesh)[0] == CUBE[0]).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda s: s.add_mesh([[0, 0]], [[0, 0, 0]]), r"vertices: expected shape \(V, 3\)"),
        (lambda s: s.add_mesh([[0, 0, np.nan]], [[0, 0, 0]]), r"vertices: expected finite values"),
        (lambda s: s.add_mesh(CUBE[0], [[0, 1, 8]]), r"faces: expected vertex indices below 8"),
        (lambda s: s.add_mesh(CUBE[0], [[0, 1, -1]]), r"faces: expected vertex indices below 8"),
        (lambda s: s.add_mesh(CUBE[0], [[0, 1, 0.5]]), r"faces: expected integers"),
        (
            lambda s: s.add_mesh(*CUBE, normals=np.zeros((3, 3, 3))),
            r"normals: expected shape \(12, 3, 3\)",
        ),
        (lambda s: s.add_mesh(*CUBE, uv=np.zeros((12, 3, 3))), r"uv: expected shape \(12, 3, 2\)"),
        (lambda s: s.add_instance(1, object_id=0), r"mesh: expected one from 0 to 0, got 1"),
        (lambda s: s.add_instance(0, object_id=-1), r"object_id: expected 0 or more, got -1"),
        (lambda s: s.add_instance(0, object_id=0, scale=0), r"scale: expected positive factors"),
        (
            lambda s: s.add_instance(0, object_id=0, pose=np.eye(3)),
            r"pose: expected shape \(4, 4\)",
        ),
        (
            lambda s: s.add_instance(0, object_id=0, pose=np.diag([1, 1, 0, 1])),
            r"pose: expected an invertible matrix",
        ),
        (
            lambda s: s.add_instance(0, object_id=0, pose=np.full((4, 4), np.nan)),
            r"pose: expected finite values",
        ),
        (
            lambda s: s.add_instance(0, object_id=0, pose=2 * np.eye(4)),
            r"pose: expected last row \(0, 0, 0, 1\)",
        ),
        (
            lambda s: s.add_instance(0, object_id=0, pose=pose(position=(1e13, 0, 0))),
            r"pose: expected world coordinates within 1e12 m",
        ),
        (lambda s: s.set_pose(0, np.eye(4)), r"instance: expected one that exists"),
        (lambda s: s.degenerate_faces(4), r"mesh: expected one from 0 to 0, got 4"),
        (lambda s: geo.Scene(threads=-2), r"threads: expected 0"),
    ],
)
def test_wrong_calls_name_the_parameter(call: object, message: str) -> None:
    scene = geo.Scene()
    scene.add_mesh(*CUBE)
    with pytest.raises(ValueError, match=message):
        call(scene)  # type: ignore[operator]


def test_threads_may_query_while_another_changes_the_scene() -> None:
    scene = geo.Scene(threads=2)
    mesh = scene.add_mesh(*CUBE)
    instance = scene.add_instance(mesh, object_id=0)
    rays = np.repeat([[-9.0, 0.1, 0.2]], 500, axis=0), [[1, 0, 0]]
    failures: list[str] = []
    stop = threading.Event()

    def ask() -> None:
        while not stop.is_set():
            found = geo.raycast.closest(scene, *rays)
            # One state or the other, never a mixture.
            if len(set(found.distance.tolist())) != 1 or found.distance[0] not in (8.5, 10.5):
                failures.append(str(set(found.distance.tolist())))

    askers = [threading.Thread(target=ask) for _ in range(3)]
    for thread in askers:
        thread.start()
    for k in range(200):
        scene.set_pose(instance, pose(position=(2 * (k % 2), 0, 0)))
    stop.set()
    for thread in askers:
        thread.join()
    assert not failures
