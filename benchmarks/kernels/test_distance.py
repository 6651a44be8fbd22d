"""The swept sphere in a furnished room; distances and containment against other libraries'."""

from __future__ import annotations

import functools
import importlib.util
import itertools
import time
from collections.abc import Callable
from typing import Any

import manifold3d
import numpy as np
import pytest
import trimesh
from measure import compare, two_threads
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
    benchmark.extra_info.update(
        what="one move of a sphere of 0.1 m by 0.25 m", size="200k triangles"
    )
    index = itertools.cycle(range(200))

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


def _windings(triangles: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Sum of the signed solid angles of all faces over 4 pi: 1 inside, 0 outside."""
    sums = []
    for p in points:
        a, b, c = (triangles[:, k] - p for k in range(3))
        la, lb, lc = (np.linalg.norm(v, axis=1) for v in (a, b, c))
        top = np.einsum("ij,ij->i", a, np.cross(b, c))
        low = la * lb * lc + (a * b).sum(1) * lc + (b * c).sum(1) * la + (c * a).sum(1) * lb
        sums.append(2.0 * np.arctan2(top, low).sum() / (4.0 * np.pi))
    return np.array(sums)


QUERIES = 10_000


@functools.cache
def _body(n: int = 51) -> trimesh.Trimesh:
    """A body that is not convex, of 4 n (n - 1) triangles: 10,200 by default."""
    return trimesh.Trimesh(*_bumpy(1, n), process=False)


@pytest.mark.benchmark(group="points and a mesh")
@pytest.mark.parametrize(
    ("where", "n"),
    [("anywhere", 16), ("anywhere", 51), ("anywhere", 159), ("through_edges", 51)],
)
def test_contains(benchmark: Any, where: str, n: int) -> None:
    """At least 5 x trimesh's contains, which casts its rays with Embree.

    Points in and around the body, or points whose rays in trimesh's direction run through a
    corner or an edge; where the answers differ, the sum of solid angles decides for ours.
    """
    pytest.importorskip("embreex")
    body = _body(n)
    mesh = dist.Mesh(body.vertices, body.faces)
    rng = np.random.default_rng(5)
    if where == "anywhere":
        points = rng.uniform(-1.2, 1.2, (QUERIES, 3))
    else:
        t = mesh.triangles[rng.integers(len(mesh), size=QUERIES)]
        share = rng.random((QUERIES, 1))
        share[::2] = 0.0
        ray = rng.uniform(-2, 2, (QUERIES, 1)) * (0.4395064455, 0.617598629942, 0.652231566745)
        points = t[:, 0] * (1 - share) + t[:, 1] * share - ray
    got = dist.contains(mesh, points).inside
    differs = np.flatnonzero(got != body.contains(points))
    assert len(differs) < 1e-3 * QUERIES
    np.testing.assert_allclose(_windings(mesh.triangles, points[differs]), got[differs], atol=1e-6)
    assert 0.1 < got.mean() < 0.6
    benchmark.extra_info["trimesh_wrong"] = len(differs)
    speed = compare(
        benchmark,
        lambda: dist.contains(mesh, points, threads=1),
        what=f"points inside a mesh, {where.replace('_', ' ')}",
        size=f"10k points, {len(mesh) / 1e3:.0f}k triangles",
        rounds=9,
        trimesh=lambda: body.contains(points),
    )
    two_threads(benchmark, lambda k: dist.contains(mesh, points, threads=k))
    # The bar is for 10k triangles; those of 100k do not fit into the cache.
    assert speed["trimesh"] >= (5.0 if len(mesh) < 20_000 else 2.0)


@pytest.mark.benchmark(group="points and a mesh")
def test_signed_distance(benchmark: Any) -> None:
    """At least 5 x trimesh's signed_distance, which is positive inside and not negative."""
    pytest.importorskip("rtree")
    body = _body()
    mesh = dist.Mesh(body.vertices, body.faces)
    points = np.random.default_rng(5).uniform(-1.2, 1.2, (QUERIES, 3))
    got = dist.signed_distance(mesh, points).distance
    peer = -trimesh.proximity.signed_distance(body, points)
    # trimesh sets what is closer than 1e-6 or so to nothing.
    np.testing.assert_allclose(peer, got, atol=2e-6)
    speed = compare(
        benchmark,
        lambda: dist.signed_distance(mesh, points, threads=1),
        what="signed distance of points to a mesh",
        size="10k points, 10k triangles",
        trimesh=lambda: trimesh.proximity.signed_distance(body, points),
    )
    some = points[:2000]
    two_threads(benchmark, lambda n: dist.signed_distance(mesh, some, threads=n))
    assert speed["trimesh"] >= 5.0


@pytest.mark.benchmark(group="mesh distance")
def test_two_bodies(benchmark: Any) -> None:
    """Distance of two bodies of 20k triangles: at least 5 x trimesh with FCL, and manifold3d.

    All three build their search structures anew; manifold3d may look 1 m far.
    """
    (va, fa), (vb, fb) = _bumpy(1, 71), _bumpy(2, 71)
    vb = vb + np.array([2.3, 0.4, 0.2])
    got = dist.mesh_distance((va, fa), (vb, fb)).distance
    assert 0.05 < got < 0.6

    def by_manifold() -> float:
        a, b = (
            manifold3d.Manifold(manifold3d.Mesh64(v, f.astype(np.uint64)))
            for v, f in ((va, fa), (vb, fb))
        )
        return float(a.min_gap(b, 1.0))

    def by_trimesh() -> float:
        manager = trimesh.collision.CollisionManager()
        manager.add_object("a", trimesh.Trimesh(va, fa, process=False))
        return float(manager.min_distance_single(trimesh.Trimesh(vb, fb, process=False)))

    peers: dict[str, Callable[[], float]] = {"manifold3d": by_manifold}
    if importlib.util.find_spec("fcl") is None:
        print("\n  trimesh's distance of meshes needs python-fcl, which is not installed")
    else:
        peers["trimesh"] = by_trimesh
    for peer in peers.values():
        assert peer() == pytest.approx(got, abs=1e-6)
    speed = compare(
        benchmark,
        lambda: dist.mesh_distance((va, fa), (vb, fb)),
        what="distance of two meshes, search trees included",
        size="2 x 20k triangles",
        **peers,
    )
    assert min(speed.values()) >= 5.0
