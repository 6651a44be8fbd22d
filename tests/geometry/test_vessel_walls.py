"""Vessels with thin walls, holes and odd shapes: by hand, by formula, against a flooded map."""

from __future__ import annotations

import heapq
import itertools
import math
from typing import Any

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st

from esi_fast.geometry.distance import ContainmentStatus
from esi_fast.geometry.vessel import capacity


def boxes(*corners: Any) -> tuple[np.ndarray, np.ndarray]:
    """Boxes, given by opposite corners, as one mesh of parts that may overlap."""
    parts = [trimesh.creation.box(bounds=np.array(pair, dtype=float)) for pair in corners]
    whole = trimesh.util.concatenate(parts)
    return whole.vertices, whole.faces


def tray(width: float, depth: float, height: float, wall: float) -> Any:
    """Five boxes that overlap at the corners; the hollow stands on z = 0 at the origin."""
    w, d, t = width, depth, wall
    return boxes(
        [(-t, -t, -t), (w + t, d + t, 0)],
        [(-t, -t, -t), (0, d + t, height)],
        [(w, -t, -t), (w + t, d + t, height)],
        [(-t, -t, -t), (w + t, 0, height)],
        [(-t, d, -t), (w + t, d + t, height)],
    )


def cup(radius: float, height: float, wall: float, sides: int = 200) -> trimesh.Trimesh:
    r, h, t = radius, height, wall
    profile = [(0, -t), (r + t, -t), (r + t, h), (r, h), (r, 0), (0, 0)]
    return trimesh.creation.revolve(np.array(profile, dtype=float), sections=sides)


def test_a_tray_by_hand() -> None:
    # 0.2 by 0.1 inside and walls of 0.02: columns of 0.01 fit exactly
    got = capacity(tray(0.2, 0.1, 0.05, 0.02), spacing=0.01)
    assert got.status == ContainmentStatus.OK
    assert got.volume == pytest.approx(0.2 * 0.1 * 0.05, rel=1e-9)
    assert got.level == pytest.approx(0.05)


@pytest.mark.parametrize("spacing", [0.0005, 0.004, 0.01])
def test_nothing_leaks_through_a_wall_thinner_than_the_columns(spacing: float) -> None:
    mesh = cup(0.04, 0.09, 0.0002)
    area = 0.5 * 200 * math.sin(2 * math.pi / 200) * 0.04**2
    got = capacity((mesh.vertices, mesh.faces), spacing=spacing)
    assert got.level == pytest.approx(0.09)
    # a column at the outline is all in or all out: the error is of a part of their number
    assert got.volume == pytest.approx(area * 0.09, rel=0.6 * spacing / 0.04 + 1e-3)


@pytest.mark.parametrize("deg", [0.0, 10.0, 20.0, 40.0, 60.0, 80.0])
@pytest.mark.parametrize("turn", [0.0, 25.0])
def test_a_tilted_tray_by_formula(deg: float, turn: float) -> None:
    w, d, h = 0.12, 0.1, 0.08
    vertices, faces = tray(w, d, h, 0.004)
    yaw = math.radians(turn)
    spin = np.array([[math.cos(yaw), -math.sin(yaw), 0], [math.sin(yaw), math.cos(yaw), 0]])
    spin = np.vstack([spin, [0, 0, 1]])
    tilt = math.radians(deg)
    up = spin @ (math.sin(tilt), 0.0, math.cos(tilt))
    got = capacity((vertices @ spin.T, faces), up=up, spacing=0.002)
    steep = w * math.tan(tilt) > h
    section = 0.5 * h * h / math.tan(tilt) if steep else w * h - 0.5 * w * w * math.tan(tilt)
    assert got.volume == pytest.approx(section * d, rel=0.03)


def test_what_holds_nothing() -> None:
    ball = trimesh.creation.icosphere(subdivisions=2)
    assert capacity((ball.vertices, ball.faces), spacing=0.02).volume == 0.0
    pipe = trimesh.creation.annulus(r_min=0.03, r_max=0.04, height=0.1)
    assert capacity((pipe.vertices, pipe.faces)).volume == 0.0
    mesh = cup(0.04, 0.09, 0.003)
    upside_down = capacity((mesh.vertices, mesh.faces), up=(0, 0, -1))
    assert upside_down.volume == 0.0
    assert math.isnan(upside_down.level)
    # a closed hollow is no vessel, whichever way its inner faces look
    outer, inner = trimesh.creation.box((1, 1, 1)), trimesh.creation.box((0.8, 0.8, 0.8))
    inner.invert()
    hollow = trimesh.util.concatenate([outer, inner])
    assert capacity((hollow.vertices, hollow.faces), spacing=0.02).volume == 0.0
    assert capacity(np.empty((0, 3, 3))).status == ContainmentStatus.OPEN


def test_a_hole_in_the_side_sets_the_level() -> None:
    # the front wall is 0.1 high but for a slot down to 0.03
    mesh = boxes(
        [(-0.01, -0.01, -0.01), (0.21, 0.11, 0)],
        [(-0.01, -0.01, -0.01), (0, 0.11, 0.1)],
        [(0.2, -0.01, -0.01), (0.21, 0.11, 0.1)],
        [(-0.01, 0.1, -0.01), (0.21, 0.11, 0.1)],
        [(-0.01, -0.01, -0.01), (0.09, 0, 0.1)],
        [(0.11, -0.01, -0.01), (0.21, 0, 0.1)],
        [(0.08, -0.01, -0.01), (0.12, 0, 0.03)],
    )
    got = capacity(mesh, spacing=0.005)
    assert got.level == pytest.approx(0.03)
    assert got.volume == pytest.approx(0.2 * 0.1 * 0.03, rel=1e-9)


def test_two_pools_are_both_counted_and_the_higher_gives_the_level() -> None:
    low = tray(0.2, 0.1, 0.05, 0.02)
    high = tray(0.1, 0.1, 0.02, 0.02)
    vertices = np.concatenate([low[0], high[0] + (0.5, 0, 0.3)])
    faces = np.concatenate([low[1], high[1] + len(low[0])])
    got = capacity((vertices, faces), spacing=0.005)
    assert got.volume == pytest.approx(0.2 * 0.1 * 0.05 + 0.1 * 0.1 * 0.02, rel=1e-3)
    assert got.level == pytest.approx(0.32)


def test_an_overhang_fills_and_a_lid_with_a_hole_does_not_hinder() -> None:
    mesh = boxes(
        [(0, 0, 0), (0.2, 0.2, 0.02)],
        [(0, 0, 0), (0.02, 0.2, 0.1)],
        [(0.18, 0, 0), (0.2, 0.2, 0.1)],
        [(0, 0, 0), (0.2, 0.02, 0.1)],
        [(0, 0.18, 0), (0.2, 0.2, 0.1)],
        [(0, 0, 0.1), (0.2, 0.14, 0.12)],  # a lid open at the back only
    )
    got = capacity(mesh, spacing=0.01)
    assert got.level == pytest.approx(0.1)
    assert got.volume == pytest.approx(0.16 * 0.16 * 0.08, rel=1e-9)


def _flood(heights: np.ndarray) -> float:
    """Water on a map of heights by a priority queue (Barnes et al. 2014), cells of area 1."""
    n, m = heights.shape
    level = np.full((n, m), np.inf)
    queue: list[tuple[float, int, int]] = []
    for i, j in itertools.product(range(n), range(m)):
        if i in (0, n - 1) or j in (0, m - 1):
            heapq.heappush(queue, (float(heights[i, j]), i, j))
    while queue:
        height, i, j = heapq.heappop(queue)
        if height >= level[i, j]:
            continue
        level[i, j] = height
        for a, b in ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)):
            if 0 <= a < n and 0 <= b < m:
                heapq.heappush(queue, (max(height, float(heights[a, b])), a, b))
    return float((level - heights).sum())


@settings(max_examples=25)
@given(st.lists(st.lists(st.integers(1, 9), min_size=6, max_size=6), min_size=6, max_size=6))
def test_blocks_against_a_flooded_height_map(rows: list[list[int]]) -> None:
    heights = np.array(rows, dtype=float)
    blocks = boxes(*[[(i, j, 0), (i + 1, j + 1, h)] for (i, j), h in np.ndenumerate(heights)])
    got = capacity(blocks, spacing=1.0)
    assert got.volume == pytest.approx(_flood(heights), abs=1e-9)


@settings(max_examples=15)
@given(st.floats(0.01, 100), st.floats(-50, 50), st.integers(0, 2**32 - 1))
def test_scale_and_place(scale: float, shift: float, seed: int) -> None:
    vertices, faces = tray(0.2, 0.1, 0.05, 0.02)
    moved = scale * vertices + np.random.default_rng(seed).uniform(-1, 1, size=3) * shift
    got = capacity((moved, faces), spacing=0.005 * scale)
    base = capacity((vertices, faces), spacing=0.005)
    assert got.volume == pytest.approx(scale**3 * base.volume, rel=0.02)


def test_an_open_mesh_is_a_status() -> None:
    mesh = cup(0.04, 0.09, 0.003)
    got = capacity((mesh.vertices, mesh.faces[1:]))
    assert got.status == ContainmentStatus.OPEN
    assert math.isnan(got.volume)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"spacing": 0.0}, "^spacing: expected a finite number above 0"),
        ({"spacing": 1e-9}, "^spacing: expected at most 16777216 columns"),
        ({"up": (0, 0, 0)}, "^up: expected non-zero"),
        ({"up": (0, 1)}, r"^up: expected shape \(3,\)"),
    ],
)
def test_wrong_calls(options: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        capacity(tray(1, 1, 1, 0.1), **options)
