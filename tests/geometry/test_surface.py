"""Surfaces of fields: closed always, exact where a formula exists."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from esi_fast.geometry import surface, vessel


def solid(found: surface.Surface) -> trimesh.Trimesh:
    return trimesh.Trimesh(found.vertices, found.faces, process=False)


def grid(count: int, width: float) -> tuple[np.ndarray, float]:
    axis = np.linspace(-width, width, count)
    return np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), axis=-1), axis[1] - axis[0]


def test_a_ball() -> None:
    points, step = grid(41, 1.0)
    values = 0.7 - np.linalg.norm(points, axis=-1)
    found = surface.closed(values, origin=(-1, -1, -1), spacing=step)
    ball = solid(found)
    assert ball.is_watertight
    assert ball.is_winding_consistent
    assert ball.volume == pytest.approx(4 / 3 * np.pi * 0.7**3, rel=3e-3)
    assert ball.area == pytest.approx(4 * np.pi * 0.7**2, rel=3e-3)
    outward = found.vertices / np.linalg.norm(found.vertices, axis=1, keepdims=True)
    assert (found.normals * outward[found.faces]).sum(axis=-1).min() > 0.999


def test_the_border_cuts_flat() -> None:
    """Half a ball, its flat side exactly on the last layer of nodes."""
    points, step = grid(41, 1.0)
    values = (0.7 - np.linalg.norm(points, axis=-1))[:, :, :21]
    half = surface.closed(values, origin=(-1, -1, -1), spacing=step)
    assert solid(half).is_watertight
    assert solid(half).volume == pytest.approx(2 / 3 * np.pi * 0.7**3, rel=5e-3)
    flat = (half.normals == [0.0, 0.0, 1.0]).all(axis=(1, 2))
    assert (half.vertices[half.faces[flat]][..., 2] == half.vertices[:, 2].max()).all()
    assert half.vertices[:, 2].max() == pytest.approx(0.0, abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(
    hnp.arrays(
        np.float64,
        st.tuples(*[st.integers(2, 5)] * 3),
        elements=st.floats(-1, 1) | st.just(0.0) | st.floats(-1e-300, 1e-300),
    )
)
def test_any_values_give_a_closed_surface(values: np.ndarray) -> None:
    found = surface.closed(values, origin=(0, 0, 0), spacing=(1.0, 0.5, 2.0))
    assert np.isfinite(found.vertices).all()
    assert (len(found.faces) > 0) == bool((values > 0).any())
    edges = np.concatenate([found.faces[:, [a, b]] for a, b in ((0, 1), (1, 2), (2, 0))])
    there = {tuple(e) for e in edges.tolist()}
    assert len(there) == len(edges)
    assert all((b, a) in there for a, b in there)
    if len(found.faces):
        volume = solid(found).volume
        assert 0.0 < volume <= np.prod(np.array(values.shape) - 1) * 1.0 + 1e-9


def test_bad_input() -> None:
    with pytest.raises(ValueError, match="values: expected at least 2 nodes"):
        surface.closed(np.zeros((1, 3, 3)), origin=(0, 0, 0), spacing=1.0)
    with pytest.raises(ValueError, match="spacing: expected more than 0"):
        surface.closed(np.zeros((2, 3, 3)), origin=(0, 0, 0), spacing=(1.0, 0.0, 1.0))
    with pytest.raises(ValueError, match="values: expected finite"):
        surface.closed(np.full((2, 3, 3), np.nan), origin=(0, 0, 0), spacing=1.0)


def tray() -> tuple[np.ndarray, np.ndarray]:
    """20 x 10 cm inside, 5 cm deep, walls of 1 cm: five boxes that overlap."""
    corners = [
        [(-0.01, -0.01, -0.01), (0.21, 0.11, 0)],
        [(-0.01, -0.01, -0.01), (0, 0.11, 0.05)],
        [(0.2, -0.01, -0.01), (0.21, 0.11, 0.05)],
        [(-0.01, -0.01, -0.01), (0.21, 0, 0.05)],
        [(-0.01, 0.1, -0.01), (0.21, 0.11, 0.05)],
    ]
    whole = trimesh.util.concatenate([trimesh.creation.box(bounds=np.array(c)) for c in corners])
    return whole.vertices, whole.faces


@settings(max_examples=15, deadline=None)
@given(st.floats(0.1, 1.2), st.floats(0, 25), st.floats(0, 360))
def test_a_fill_is_what_a_tray_holds_by_formula(share: float, tilt: float, turn: float) -> None:
    """Its volume, its level, and its surface: flat on top and in the walls elsewhere."""
    t, a = np.radians(tilt), np.radians(turn)
    up = np.array([np.sin(t) * np.cos(a), np.sin(t) * np.sin(a), np.cos(t)])
    holds = vessel.capacity(tray(), up=up).volume
    found = vessel.fill(tray(), share * holds, up=up, spacing=0.002)
    assert found.volume == pytest.approx(min(share, 1.0) * holds, rel=0.04)
    mesh = solid(found.surface)
    assert mesh.is_watertight
    # It reaches 0.3 mm into each wall, cells of 4.6 mm cut corners, columns of 1.5 mm the outline.
    error = abs(mesh.volume - mesh.area * 1.5e-4 - found.volume)
    assert error < mesh.area * 3e-4 + 0.025 * found.volume
    heights = found.surface.vertices @ up
    assert heights.max() == pytest.approx(found.level, abs=1e-9)
    # Nowhere out of the walls by more than what a cell bridges at their edges.
    low, high = found.surface.vertices.min(axis=0), found.surface.vertices.max(axis=0)
    assert (low > [-0.011, -0.011, -0.011]).all()
    assert (high < [0.211, 0.111, 0.051]).all()


def test_a_fill_of_nothing_or_in_nothing() -> None:
    empty = vessel.fill(tray(), 0.0)
    assert empty.volume == 0.0
    assert np.isnan(empty.level)
    assert len(empty.surface.faces) == 0
    assert vessel.fill(tray(), 1.0, up=(0, 0, -1)).volume == 0.0
    vertices, faces = tray()
    assert vessel.fill((vertices, faces[1:]), 1.0).status.name == "OPEN"
    with pytest.raises(ValueError, match="volume"):
        vessel.fill(tray(), -1.0)
