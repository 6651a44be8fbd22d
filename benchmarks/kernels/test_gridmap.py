"""Shortest paths on maps of rooms: scikit-image, tcod, OmniGibson's own search, scipy."""

from __future__ import annotations

import ast
import functools
import heapq
import math
import subprocess
import sys
import tarfile
import tempfile
import time
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tcod.path
from measure import alternate, call_microseconds, compare, peak_megabytes, two_threads
from scipy import ndimage, sparse
from scipy.sparse.csgraph import dijkstra
from skimage.graph import route_through_array

from esi_fast.geometry import gridmap as gm
from esi_fast.geometry.gridmap import GridMap

ROOT2 = math.sqrt(2)
OMNIGIBSON = "1.1.1"


@functools.cache
def rooms_map(size: int, across: int, down: int) -> GridMap:
    """``across`` x ``down`` rooms with furniture, walls of two cells, and a door in each wall."""
    rng = np.random.default_rng(size)
    free = np.ones((size, size), dtype=bool)
    rooms = np.zeros((size, size), dtype=np.int32)
    rows, columns = (np.linspace(0, size - 2, n + 1).astype(int) for n in (down, across))
    for row in rows:
        free[row : row + 2] = False
    for column in columns:
        free[:, column : column + 2] = False
    for i in range(down):
        for j in range(across):
            top, left, bottom, right = rows[i], columns[j], rows[i + 1], columns[j + 1]
            rooms[top + 2 : bottom, left + 2 : right] = i * across + j + 1
            for _ in range(3):
                r = int(rng.integers(top + 12, bottom - 30))
                c = int(rng.integers(left + 12, right - 30))
                free[r : r + 18, c : c + 18] = False
            if i:
                door = int(rng.integers(left + 4, right - 12))
                free[top : top + 2, door : door + 8] = True
            if j:
                door = int(rng.integers(top + 4, bottom - 12))
                free[door : door + 8, left : left + 2] = True
    return GridMap(free, 0.05, rooms=rooms)


def length(cells: Any) -> float:
    """Of a path of cells, in cells."""
    steps = np.abs(np.diff(np.asarray(cells), axis=0)).sum(axis=1)
    return float((steps == 1).sum() + ROOT2 * (steps == 2).sum())


def far_cells(where: GridMap) -> tuple[tuple[int, int], tuple[int, int]]:
    ends = gm.nearest_free(where, [(4, 4), (where.shape[0] - 5, where.shape[1] - 5)]).tolist()
    (a, b), (c, d) = ends
    return (a, b), (c, d)


def tcod_path(free: np.ndarray, start: tuple[int, int], goal: tuple[int, int]) -> np.ndarray:
    """Whole numbers are all that it takes: 70 and 99 are sqrt(2) apart to 0.005 %."""
    graph = tcod.path.SimpleGraph(cost=free.astype(np.int8), cardinal=70, diagonal=99)
    finder = tcod.path.Pathfinder(graph)
    finder.add_root(start)
    return np.asarray(finder.path_to(goal))


@pytest.mark.benchmark(group="one path")
@pytest.mark.parametrize("size", [200, 1000, 2000])
def test_one_pair(benchmark: Any, size: int) -> None:
    """Corner to corner, 8 neighbours, one thread; from the array of free cells to the path."""
    where = rooms_map(size, 5 * size // 1000 or 1, 6 * size // 1000 or 1)
    free = np.array(where.free)
    start, goal = far_cells(where)
    costs = np.where(free, 1.0, -1.0)
    found = gm.shortest_path(where, start, goal, neighbours="8")
    cells = found.distance / where.resolution
    assert length(found.cells) == pytest.approx(cells, rel=1e-12)
    theirs, cost = route_through_array(costs, start, goal, fully_connected=True, geometric=True)
    # It charges half of both end cells' values, which cancel for equal ones.
    assert cost == pytest.approx(cells, rel=1e-9)
    assert length(theirs) == pytest.approx(cells, rel=1e-9)
    assert length(tcod_path(free, start, goal)) == pytest.approx(cells, rel=1e-4)

    def ours() -> None:
        gm.shortest_path(GridMap(free, 0.05), start, goal, neighbours="8")

    speed = compare(
        benchmark,
        ours,
        what="one shortest path, map included",
        size=f"{size} x {size} cells",
        rounds=5,
        scikit_image=lambda: route_through_array(
            costs, start, goal, fully_connected=True, geometric=True
        ),
        tcod=lambda: tcod_path(free, start, goal),
    )
    if size == 1000:
        assert speed["scikit_image"] >= 12
        assert speed["tcod"] >= 3


@functools.cache
def omnigibson_astar() -> Callable[..., Any]:
    """The A* of OmniGibson's source distribution, compiled alone: its module needs a simulator."""
    torch = pytest.importorskip("torch", reason="OmniGibson's search works on torch tensors")
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary"]
        command += [":all:", "--dest", folder, f"omnigibson=={OMNIGIBSON}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        archives = list(Path(folder).glob("*.tar.gz"))
        if done.returncode != 0 or not archives:
            pytest.skip(f"omnigibson {OMNIGIBSON} cannot be downloaded: {done.stderr[-200:]}")
        with tarfile.open(archives[0]) as archive:
            member = next(m for m in archive if m.name.endswith("utils/motion_planning_utils.py"))
            file = archive.extractfile(member)
            assert file is not None
            tree = ast.parse(file.read())
    tree.body = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "astar"]
    module = types.ModuleType("omnigibson_astar")
    vars(module).update(math=math, heapq=heapq, th=torch)
    exec(compile(tree, "motion_planning_utils.py", "exec"), vars(module))
    return vars(module)["astar"]  # type: ignore[no-any-return]


@pytest.mark.benchmark(group="one path")
def test_one_pair_against_omnigibson(benchmark: Any) -> None:
    """Half a minute a path, so that one round is enough."""
    astar = omnigibson_astar()
    import torch

    where = rooms_map(1000, 5, 6)
    free = np.array(where.free)
    start, goal = far_cells(where)
    trav_map = torch.from_numpy(free.astype(np.uint8) * 255)
    found = gm.shortest_path(where, start, goal, neighbours="8")
    theirs: list[Any] = []

    def ours() -> None:
        for _ in range(20):
            gm.shortest_path(GridMap(free, 0.05), start, goal, neighbours="8")

    mine = alternate(ours, rounds=3)[0] / 20
    begin = time.process_time()
    theirs.append(astar(trav_map, start, goal))
    taken = time.process_time() - begin
    assert length(theirs[0]) == pytest.approx(found.distance / where.resolution, rel=1e-9)
    benchmark.pedantic(ours, rounds=1)
    benchmark.extra_info.update(
        what="one shortest path, map included",
        size="1000 x 1000 cells",
        seconds=mine,
        speed_over_omnigibson=round(taken / mine, 1),
        seconds_omnigibson=taken,
    )
    print(f"\n  omnigibson {OMNIGIBSON} {taken:.3g} s, ours {mine:.4g} s: {taken / mine:.0f} x")
    assert taken / mine >= 1000


def matrix_of(free: np.ndarray) -> sparse.csr_matrix:
    """The 8-connected graph of a map, each step once."""
    number = np.arange(free.size, dtype=np.int32).reshape(free.shape)
    height, width = free.shape
    rows, columns, weights = [], [], []
    for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
        a = (slice(0, height - dr), slice(max(0, -dc), width - max(0, dc)))
        b = (slice(dr, height), slice(max(0, dc), width - max(0, -dc)))
        both = free[a] & free[b]
        rows.append(number[a][both])
        columns.append(number[b][both])
        weights.append(np.full(len(rows[-1]), ROOT2 if dr and dc else 1.0))
    ends = (np.concatenate(rows), np.concatenate(columns))
    return sparse.csr_matrix((np.concatenate(weights), ends), shape=(free.size, free.size))


@pytest.mark.benchmark(group="all rooms")
def test_all_rooms(benchmark: Any) -> None:
    """From a point of each of 30 rooms to those of all others, one thread."""
    where = rooms_map(1000, 5, 6)
    points = gm.room_points(where)
    graph = matrix_of(np.array(where.free))
    index = points[:, 0] * where.shape[1] + points[:, 1]

    def theirs() -> np.ndarray:
        return np.asarray(dijkstra(graph, directed=False, indices=index)[:, index])

    def ours() -> gm.RoomsBetween:
        return gm.rooms_between(where, points=points, neighbours="8", threads=1)

    expected = theirs()
    np.testing.assert_allclose(ours().distance, expected * where.resolution, rtol=1e-9)
    assert np.isfinite(expected).all()
    speed = compare(
        benchmark,
        ours,
        what="all rooms to all rooms (scipy: on a ready matrix)",
        size="30 rooms, 1000 x 1000 cells",
        rounds=2,
        scipy=theirs,
    )
    assert speed["scipy"] >= 9


@pytest.mark.benchmark(group="all rooms")
def test_all_rooms_on_two_threads(benchmark: Any) -> None:
    """A small map, so that the runs are short."""
    where = rooms_map(600, 3, 3)
    points = gm.room_points(where)

    def run(threads: int) -> gm.RoomsBetween:
        return gm.rooms_between(where, points=points, neighbours="8", threads=threads)

    for a, b in zip(run(1), run(2), strict=True):
        np.testing.assert_array_equal(a, b)
    benchmark.pedantic(lambda: run(2), rounds=3)
    benchmark.extra_info.update(
        what="all rooms to all rooms", size="9 rooms, 600 x 600 cells", threads=2
    )
    two_threads(benchmark, run)


@pytest.mark.benchmark(group="all rooms")
def test_all_rooms_of_a_large_map(benchmark: Any) -> None:
    """30 rooms on 4000 x 4000 cells: under 15 s and 1 GB, two threads.

    Judged by processor time, both threads together, which is more than the clock on the wall.
    """
    where = rooms_map(4000, 5, 6)

    def ours() -> gm.RoomsBetween:
        return gm.rooms_between(where, neighbours="8", threads=2)

    begin = time.process_time()
    peak = peak_megabytes(ours)
    taken = time.process_time() - begin
    found = benchmark.pedantic(ours, rounds=1)
    assert np.isfinite(found.distance).all()
    k, m = 0, len(found.rooms) - 1
    path = gm.shortest_path(where, found.points[k], found.points[m], neighbours="8")
    assert path.distance == found.distance[k, m]
    benchmark.extra_info.update(
        what="all rooms to all rooms, points included",
        size="30 rooms, 4000 x 4000 cells",
        threads=2,
        seconds=taken,
    )
    if peak is not None:
        benchmark.extra_info["peak_mb"] = round(peak, 1)
        assert peak < 1000
    print(f"\n  {taken:.3g} s, {peak} MiB")
    assert taken < 15


@pytest.mark.benchmark(group="distance field")
def test_distance_field(benchmark: Any) -> None:
    where = rooms_map(1000, 5, 6)
    free = np.array(where.free)

    def ours() -> np.ndarray:
        return gm.distance_field(where, measure="center", border=False, threads=1)

    def theirs() -> np.ndarray:
        return np.asarray(ndimage.distance_transform_edt(free, sampling=where.resolution))

    np.testing.assert_allclose(ours(), theirs(), rtol=1e-12)
    compare(
        benchmark,
        ours,
        what="exact distances to walls",
        size="1000 x 1000 cells",
        rounds=5,
        scipy=theirs,
    )


@pytest.mark.benchmark(group="components")
def test_components(benchmark: Any) -> None:
    free = np.random.default_rng(1).random((1000, 1000)) < 0.6
    where = GridMap(free, 0.05)
    expected, count = ndimage.label(free, np.ones((3, 3)))
    found = gm.components(where, neighbours="8")
    assert len(found.sizes) == count
    np.testing.assert_array_equal(found.labels > 0, expected > 0)
    compare(
        benchmark,
        lambda: gm.components(where, neighbours="8"),
        what="components of a random map",
        size="1000 x 1000 cells",
        rounds=5,
        scipy=lambda: ndimage.label(free, np.ones((3, 3))),
    )


@pytest.mark.benchmark(group="call")
def test_one_call(benchmark: Any) -> None:
    """One path on a tiny map, from Python: under 5 microseconds."""
    where = GridMap(np.ones((8, 8), bool), 0.05)

    def one() -> gm.Path:
        return gm.shortest_path(where, (1, 1), (5, 6))

    assert one().cells.tolist() == [[1, 1], [2, 2], [3, 3], [4, 4], [5, 5], [5, 6]]
    taken = call_microseconds(one)
    benchmark.pedantic(one, rounds=5, iterations=100)
    benchmark.extra_info.update(what="one path", size="8 x 8 cells", call_us=round(taken, 2))
    print(f"\n  {taken:.2f} us per call")
    assert taken < 5
