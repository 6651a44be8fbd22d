"""What a call from Python costs for one item: under five microseconds for the compiled kernels.

The work itself is as little as it can be (a triangle, a ray that hits it), so that what is measured
is the way in and out. What is many queries in one, or made once per scene, is listed without a bar.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from measure import call_microseconds

from esi_fast import geometry as geo

LIMIT = 5.0

CORNERS = np.array([[2.0, -1.0, -1.0], [2.0, 1.0, -1.0], [2.0, 0.0, 2.0]])
FACE = np.array([[0, 1, 2]], dtype=np.int32)
TETRAHEDRON = np.array([[0, 1, 2], [0, 3, 1], [1, 3, 2], [0, 2, 3]], dtype=np.int32)


def _calls() -> tuple[dict[str, Callable[[], Any]], dict[str, Callable[[], Any]]]:
    """Compiled kernels, and the rest."""
    scene = geo.Scene()
    mesh = scene.add_mesh(CORNERS, FACE)
    scene.add_instance(mesh, object_id=0)
    away = geo.transforms.pose_matrix((9, 0, 0), (0, 0, 0, 1))
    scene.add_instance(mesh, object_id=1, pose=away)
    solid = geo.distance.Mesh(np.vstack([CORNERS, [[3.0, 0.0, 0.0]]]), TETRAHEDRON)
    one, other = geo.distance.Mesh(CORNERS, FACE), geo.distance.Mesh(CORNERS + 1.0, FACE)
    mirror = geo.mirror.Mirror.from_normal((1, 2, 0), (0, -1, 0), 2.0, 2.0, object_id=7)
    camera = geo.Camera.looking_at((0, 0, 0), (2, 0, 0))
    eye, end, ahead = (np.array([p], dtype=float) for p in ((0, 0, 0), (4, 0, 0), (1, 0, 0)))
    middle = np.array([[256.0, 256.0]])
    pose, turn = np.eye(4), np.array([0.0, 0.0, 0.0, 1.0])
    compiled: dict[str, Callable[[], Any]] = {
        "raycast.closest": lambda: geo.raycast.closest(scene, eye, ahead),
        "raycast.any": lambda: geo.raycast.any(scene, eye, ahead),
        "raycast.all": lambda: geo.raycast.all(scene, eye, ahead),
        "occlusion.visible": lambda: geo.occlusion.visible(scene, eye, end),
        "occlusion.visibility_matrix": lambda: geo.occlusion.visibility_matrix(scene, eye, end),
        "occlusion.first_blocker": lambda: geo.occlusion.first_blocker(scene, eye, end),
        "mirror.visible_through": lambda: geo.mirror.visible_through(scene, eye, ahead, mirror),
        "mirror.hit_point": lambda: geo.mirror.hit_point(eye, ahead, mirror),
        "mirror.reflect_points": lambda: geo.mirror.reflect_points(eye, mirror),
        "mirror.reflect_directions": lambda: geo.mirror.reflect_directions(ahead, mirror),
        "mirror.image_point": lambda: geo.mirror.image_point(camera, ahead, mirror),
        "mirror.reflect_camera": lambda: geo.mirror.reflect_camera(camera, mirror),
        "Camera": lambda: geo.Camera(eye[0], turn, 64, 64, 60.0),
        "Camera.project": lambda: camera.project(ahead),
        "Camera.unproject": lambda: camera.unproject(middle, 1.0),
        "Camera.rays": lambda: camera.rays(middle),
        "distance.points_to_mesh": lambda: geo.distance.points_to_mesh(one, eye),
        "distance.contains": lambda: geo.distance.contains(solid, eye),
        "distance.signed_distance": lambda: geo.distance.signed_distance(solid, eye),
        "distance.mesh_distance": lambda: geo.distance.mesh_distance(one, other),
        "distance.object_distance": lambda: geo.distance.object_distance(scene, 0, 1),
        "distance.points_to_scene": lambda: geo.distance.points_to_scene(scene, eye),
        "distance.sweep_sphere": lambda: geo.distance.sweep_sphere(scene, eye, ahead, 0.1),
        "transforms.quat_to_matrix": lambda: geo.transforms.quat_to_matrix(turn),
        "transforms.matrix_to_quat": lambda: geo.transforms.matrix_to_quat(pose[:3, :3]),
        "transforms.normalize": lambda: geo.transforms.normalize(ahead),
        "transforms.quat_multiply": lambda: geo.transforms.quat_multiply(turn, turn),
        "transforms.pose_matrix": lambda: geo.transforms.pose_matrix(eye[0], turn),
        "transforms.look_at": lambda: geo.transforms.look_at(eye[0], ahead[0]),
        "transforms.rotate": lambda: geo.transforms.rotate(turn, eye[0]),
        "transforms.yaw_of": lambda: geo.transforms.yaw_of(turn),
        "transforms.yaw_quat": lambda: geo.transforms.yaw_quat(0.5),
        "transforms.invert_pose": lambda: geo.transforms.invert_pose(pose),
        "transforms.transform_points": lambda: geo.transforms.transform_points(pose, eye),
        "transforms.transform_directions": lambda: geo.transforms.transform_directions(pose, eye),
        "Scene.set_pose": lambda: scene.set_pose(1, away),
    }
    rest: dict[str, Callable[[], Any]] = {
        "occlusion.visible_fraction, 256 rays": lambda: geo.occlusion.visible_fraction(
            scene, eye, 0
        ),
        "Mirror.from_normal": lambda: geo.mirror.Mirror.from_normal(
            (1, 2, 0), (0, -1, 0), 2.0, 2.0
        ),
    }
    return compiled, rest


COMPILED, REST = _calls()


def _measure(benchmark: Any, name: str, call: Callable[[], Any]) -> float:
    microseconds = call_microseconds(call)
    benchmark.extra_info.update(what=name, size="one item", call_us=round(microseconds, 3))
    benchmark.pedantic(call, rounds=5, iterations=200)
    print(f"\n  {name}: {microseconds:.2f} us")
    return microseconds


def test_the_calls_find_what_they_should() -> None:
    """The items are hits, mirror images and neighbours, not empty answers."""
    assert COMPILED["raycast.closest"]().distance == [2.0]
    assert COMPILED["raycast.any"]().all()
    assert len(COMPILED["raycast.all"]().distance) == 2
    assert not COMPILED["occlusion.visible"]().any()
    assert COMPILED["occlusion.first_blocker"]() == [0]
    assert COMPILED["mirror.visible_through"]().all()
    assert COMPILED["distance.mesh_distance"]().distance > 0
    assert COMPILED["distance.object_distance"]().distance == 9.0
    assert COMPILED["distance.contains"]().status == geo.distance.ContainmentStatus.OK
    assert COMPILED["distance.points_to_scene"]().object_id == [0]


@pytest.mark.benchmark(group="one item, compiled")
@pytest.mark.parametrize("name", COMPILED)
def test_compiled(benchmark: Any, name: str) -> None:
    assert _measure(benchmark, name, COMPILED[name]) < LIMIT


@pytest.mark.benchmark(group="one item, other")
@pytest.mark.parametrize("name", REST)
def test_rest(benchmark: Any, name: str) -> None:
    _measure(benchmark, name, REST[name])
