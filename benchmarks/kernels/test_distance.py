"""The swept sphere in a furnished room, and distances against manifold3d's."""

from __future__ import annotations

import time
from typing import Any

import manifold3d
import numpy as np
import pytest
from scenes import furnished_room, random_points

from esi_fast import geometry as geo
from esi_fast.geometry import distance as dist


@pytest.mark.benchmark(group="sweep")
def test_one_move_of_the_camera(benchmark: Any) -> None:
    """A move of 0.25 m among 200k triangles: under a millisecond, the call from Python included."""
    scene = geo.Scene(1)
    for k, piece in enumerate(furnished_room(200_000)):
        scene.add_instance(
            scene.add_mesh(piece.vertices, piece.faces), object_id=k, pose=piece.pose
        )
    starts = random_points(200, seed=1)
    turn = np.random.default_rng(2).normal(size=(200, 3))
    ends = starts + 0.25 * turn / np.linalg.norm(turn, axis=1)[:, None]
    begun = time.perf_counter()
    whole = dist.sweep_sphere(scene, starts, ends, 0.1, threads=1)
    benchmark.extra_info["first_call_seconds"] = time.perf_counter() - begun
    # The answer: no sphere has sunk in on its free way, and those that stop do so at a surface.
    clear = whole.status == 0
    reached = starts + whole.fraction[:, None] * (ends - starts)
    away = dist.points_to_scene(scene, reached, threads=1).distance
    assert (away[clear] >= 0.1 - 1e-9).all()
    np.testing.assert_allclose(away[clear & whole.blocked], 0.1, rtol=1e-8)
    assert 0.05 < whole.blocked.mean() < 0.95
    index = iter(np.arange(10**9) % 200)

    def one() -> None:
        k = next(index)
        dist.sweep_sphere(scene, starts[k : k + 1], ends[k : k + 1], 0.1, threads=1)

    benchmark.pedantic(one, rounds=200, iterations=5, warmup_rounds=5)
    assert benchmark.stats.stats.median < 1e-3


def _bumpy(seed: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """A closed body of 4 n (n - 1) triangles that is not convex, about one metre in radius."""
    t, p = np.meshgrid(
        np.linspace(0, np.pi, n + 1)[1:-1], np.arange(2 * n) * np.pi / n, indexing="ij"
    )
    wave = np.random.default_rng(seed).uniform(3, 9, size=2)
    radius = 1 + 0.1 * np.sin(wave[0] * t) * np.cos(np.round(wave[1]) * p)
    body = np.stack([np.sin(t) * np.cos(p), np.sin(t) * np.sin(p), np.cos(t)], axis=-1)
    rings = (radius[..., None] * body).reshape(-1, 3)
    vertices = np.concatenate([rings, [(0, 0, 1.0), (0, 0, -1.0)]])
    k, m = np.arange(2 * n), 2 * n
    step = (k + 1) % m
    faces = [np.stack([np.full(m, len(rings)), k, step], axis=1)]
    for ring in range(n - 2):
        a, b = ring * m, (ring + 1) * m
        faces.append(np.stack([a + k, b + k, b + step], axis=1))
        faces.append(np.stack([a + k, b + step, a + step], axis=1))
    last = (n - 2) * m
    faces.append(np.stack([np.full(m, len(rings) + 1), last + step, last + k], axis=1))
    return vertices, np.concatenate(faces)


@pytest.mark.benchmark(group="mesh distance")
@pytest.mark.parametrize("peer", ["esi_fast", "manifold3d"])
def test_two_bodies(benchmark: Any, peer: str) -> None:
    """Distance between two bodies of 20k triangles, trees included; the peer may look 1 m far."""
    (va, fa), (vb, fb) = _bumpy(1, 71), _bumpy(2, 71)
    vb = vb + np.array([2.3, 0.4, 0.2])
    expected = dist.mesh_distance((va, fa), (vb, fb)).distance
    assert 0.05 < expected < 0.6

    def ours() -> float:
        return dist.mesh_distance((va, fa), (vb, fb)).distance

    def theirs() -> float:
        a, b = (
            manifold3d.Manifold(manifold3d.Mesh64(v, f.astype(np.uint64)))
            for v, f in ((va, fa), (vb, fb))
        )
        return float(a.min_gap(b, 1.0))

    got = benchmark.pedantic(ours if peer == "esi_fast" else theirs, rounds=5, warmup_rounds=1)
    assert got == pytest.approx(expected, abs=1e-6)
