"""The largest component of particles against scipy and Open3D, and what a lattice does to them."""

from __future__ import annotations

import os
import time
from typing import Any

import numpy as np
import pytest
from measure import call_microseconds, compare, two_threads
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from esi_fast.geometry import particles as part

RADIUS = 0.02


def _scattered(count: int) -> np.ndarray:
    """Particles of a liquid in no order: one per cube of the radius, four linked to each."""
    side = RADIUS * count ** (1 / 3)
    return np.random.default_rng(count).uniform(0, side, size=(count, 3))


def _lattice(n: int) -> np.ndarray:
    axis = np.arange(n) * RADIUS
    grid = np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), axis=-1).reshape(-1, 3)
    return np.random.default_rng(n).permutation(grid)


def _scipy(points: np.ndarray) -> int:
    pairs = cKDTree(points).query_pairs(RADIUS, output_type="ndarray")
    ones = np.ones(len(pairs), dtype=bool)
    graph = coo_matrix((ones, (pairs[:, 0], pairs[:, 1])), shape=(len(points), len(points)))
    return int(np.bincount(connected_components(graph, directed=False)[1]).max())


@pytest.mark.benchmark(group="largest component")
@pytest.mark.parametrize("count", [1_000, 10_000, 100_000, 1_000_000])
def test_largest_component(benchmark: Any, count: int) -> None:
    """One thread each."""
    points = _scattered(count)
    assert part.largest_component(points, RADIUS, threads=1).size == _scipy(points)
    times = max(1, 100_000 // count)

    def ours() -> None:
        for _ in range(times):
            part.largest_component(points, RADIUS, threads=1)

    def theirs() -> None:
        for _ in range(times):
            _scipy(points)

    speed = compare(
        benchmark,
        ours,
        what="largest component",
        size=f"{times} x {count // 1000}k particles",
        scipy=theirs,
    )
    assert speed["scipy"] >= 7


@pytest.mark.benchmark(group="largest component")
def test_against_open3d(benchmark: Any) -> None:
    """By the wall and on all processors, as Open3D always searches on all; then on one of ours."""
    o3d = pytest.importorskip("open3d")
    points = _scattered(1_000_000)
    cloud = o3d.geometry.PointCloud(o3d.utility.Vector3dVector(points))

    def theirs() -> int:
        return int(np.bincount(np.asarray(cloud.cluster_dbscan(RADIUS, 1))).max())

    begin = time.perf_counter()
    assert theirs() == part.largest_component(points, RADIUS).size
    seconds = time.perf_counter() - begin
    benchmark.pedantic(lambda: part.largest_component(points, RADIUS), rounds=5)
    speed = seconds / benchmark.stats.stats.min
    begin = time.perf_counter()
    part.largest_component(points, RADIUS, threads=1)
    alone = time.perf_counter() - begin
    benchmark.extra_info.update(
        what="largest component, all processors",
        size="1M particles",
        threads=os.cpu_count(),
        speed_over_open3d=round(speed, 1),
        seconds_open3d=seconds,
        one_thread_over_open3d=round(seconds / alone, 1),
    )
    print(
        f"\n  Open3D {seconds:.2f} s: {speed:.1f} x on all, {seconds / alone:.1f} x on one thread"
    )
    assert speed >= 25


@pytest.mark.benchmark(group="largest component")
def test_a_lattice_at_its_own_spacing(benchmark: Any) -> None:
    """All particles hang together; scipy compares rounded squares and loses links."""
    points = _lattice(60)
    assert part.largest_component(points, RADIUS).size == len(points)
    assert _scipy(points) < len(points)
    speed = compare(
        benchmark,
        lambda: part.largest_component(points, RADIUS, threads=1),
        what="largest component of a lattice (scipy's answer is wrong)",
        size="216k particles",
        scipy=lambda: _scipy(points),
    )
    assert speed["scipy"] >= 7


@pytest.mark.benchmark(group="largest component")
def test_two_threads(benchmark: Any) -> None:
    points = _scattered(1_000_000)

    def run(threads: int) -> part.Components:
        return part.components(points, RADIUS, threads=threads)

    np.testing.assert_array_equal(run(1).labels, run(2).labels)
    benchmark.extra_info.update(what="components", size="1M particles", threads=2)
    benchmark.pedantic(lambda: run(2), rounds=3)
    two_threads(benchmark, run, rounds=8)


@pytest.mark.benchmark(group="call overhead")
def test_one_particle(benchmark: Any) -> None:
    point = np.zeros((1, 3))
    benchmark.pedantic(lambda: part.components(point, RADIUS), rounds=3, iterations=100)
    call = call_microseconds(lambda: part.components(point, RADIUS))
    benchmark.extra_info.update(what="components", size="1 particle", call_us=round(call, 2))
    assert call < 5
