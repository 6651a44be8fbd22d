"""Closest, any and all hits against brute force and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from rays_reference import box_mesh, brute_force

from esi_fast import geometry as geo


def soup(rng: np.random.Generator, count: int, size: float = 0.3) -> np.ndarray:
    centers = rng.uniform(-1, 1, (count, 1, 3))
    return centers + rng.normal(0, size, (count, 3, 3))


def soup_scene(triangles: np.ndarray, *, threads: int = 1) -> geo.Scene:
    scene = geo.Scene(threads=threads)
    faces = np.arange(3 * len(triangles)).reshape(-1, 3)
    scene.add_instance(scene.add_mesh(triangles.reshape(-1, 3), faces), object_id=5)
    return scene


def test_random_rays_equal_brute_force() -> None:
    rng = np.random.default_rng(1)
    triangles = soup(rng, 300)
    origins = rng.uniform(-2, 2, (3000, 3))
    directions = rng.normal(size=(3000, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    scene = soup_scene(triangles)
    expected = brute_force(triangles, origins, directions)
    found = geo.raycast.closest(scene, origins, directions)
    assert 0.1 < found.hit.mean() < 0.9
    assert (found.hit == np.isfinite(expected.closest)).all()
    np.testing.assert_allclose(found.distance, expected.closest, atol=1e-12)
    assert (geo.raycast.any(scene, origins, directions) == found.hit).all()
    every = geo.raycast.all(scene, origins, directions)
    assert (np.diff(every.offsets) == expected.meets.sum(axis=1)).all()


def test_a_box_seen_from_outside_and_inside() -> None:
    scene = geo.Scene()
    mesh = scene.add_mesh(*box_mesh((0, 0, 0), (1, 2, 3)))
    scene.add_instance(mesh, object_id=3)
    found = geo.raycast.closest(scene, [[-1, 1, 1], [0.5, 1, 1]], [[4, 0, 0], [0, 0, -0.1]])
    np.testing.assert_allclose(found.distance, [1, 1])
    assert found.object_id.tolist() == [3, 3]
    np.testing.assert_allclose(found.normal, [[-1, 0, 0], [0, 0, -1]])


def test_wrong_shapes_name_the_parameter() -> None:
    with pytest.raises(ValueError, match=r"origins: expected shape \(N, 3\), got \(3, 5\)"):
        geo.raycast.closest(geo.Scene(), np.zeros((3, 5)), np.zeros((3, 3)))
