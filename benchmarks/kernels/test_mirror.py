"""Seeing through a mirror: two exact legs per pair, against the two bare loops that it needs."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest
from measure import compare
from scenes import ROOM, furnished_room, random_points

from esi_fast import geometry as geo
from esi_fast.geometry import mirror as mir

PAIRS = 1_000_000
LIMIT = 1.4


def _pairs(mirror: mir.Mirror, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Random eyes and points of the room whose light meets the mirror."""
    eyes, points = [], []
    found, seed = 0, 0
    while found < count:
        a, b = random_points(count, seed=2 * seed), random_points(count, seed=2 * seed + 1)
        meets = mir.hit_point(a, b, mirror).meets
        eyes.append(a[meets])
        points.append(b[meets])
        found += int(meets.sum())
        seed += 1
    return np.concatenate(eyes)[:count], np.concatenate(points)[:count]


@pytest.mark.benchmark(group="mirror")
@pytest.mark.parametrize("threads", [1, 2])
def test_mirror_visibility(benchmark: Any, bare_embree: ModuleType, threads: int) -> None:
    room = furnished_room(200_000)
    scene = geo.Scene(threads)
    bare = bare_embree.BareScene(robust=True, threads=threads)
    for k, piece in enumerate(room):
        mesh = scene.add_mesh(piece.vertices, piece.faces)
        scene.add_instance(mesh, object_id=k, pose=piece.pose)
        world = piece.vertices @ piece.pose[:3, :3].T + piece.pose[:3, 3]
        bare.add(world.astype(np.float32), piece.faces.astype(np.uint32))
    bare.commit()
    scene.build()
    mirror = mir.Mirror.from_normal((ROOM[0, 0] + 0.05, 0.0, 1.5), (1, 0, 0), 3.0, 2.4)
    eyes, points = _pairs(mirror, PAIRS)
    spots = mir.hit_point(eyes, points, mirror).point

    first = [x.astype(np.float32) for x in (eyes, spots)]
    free = ~bare.occluded(*first, threads=threads)
    second = [x[free].astype(np.float32) for x in (spots, points)]
    expected = free.copy()
    expected[free] = ~bare.occluded(*second, threads=threads)

    def ours() -> np.ndarray:
        return mir.visible_through(scene, eyes, points, mirror, threads=threads)

    def two_bare_loops() -> None:
        bare.occluded(*first, threads=threads)
        bare.occluded(*second, threads=threads)

    got = ours()
    # Single precision and a wider gap at the ends account for the rest.
    assert (got == expected).mean() > 0.999
    assert 0.05 < got.mean() < 0.95
    speed = compare(
        benchmark,
        ours,
        what="points seen in a mirror, both legs",
        size="1M pairs, 200k triangles",
        threads=threads,
        rounds=5,
        two_bare_loops=two_bare_loops,
    )
    assert 1.0 / speed["two_bare_loops"] <= LIMIT
