"""Containment of many points, which goes by columns, against single points, which walk the tree,
and against the sum of solid angles, which knows neither."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st

from esi_fast.geometry import distance as dist
from esi_fast.geometry.distance import ContainmentStatus, Mesh

seeds = st.integers(0, 10_000)
#: The direction in which trimesh casts its rays.
TRIMESH = np.array([0.4395064455, 0.617598629942, 0.652231566745])


def _lumpy(seed: int, subdivisions: int = 2) -> Mesh:
    sphere = trimesh.creation.icosphere(subdivisions=subdivisions)
    radius = np.random.default_rng(seed).uniform(0.6, 1.2, size=len(sphere.vertices))
    return Mesh(sphere.vertices * radius[:, None], sphere.faces)


def _one_by_one(mesh: Mesh, points: np.ndarray, **options: Any) -> np.ndarray:
    """Few points at a time, so that the tree is asked."""
    few = max(1, len(mesh) // 16 - 1)
    blocks = [points[k : k + few] for k in range(0, len(points), few)]
    return np.concatenate([dist.contains(mesh, block, **options).inside for block in blocks])


def _windings(triangles: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Sum of the signed solid angles of all faces over 4 pi (van Oosterom and Strackee)."""
    sums = []
    for p in points:
        a, b, c = (triangles[:, k] - p for k in range(3))
        la, lb, lc = (np.linalg.norm(v, axis=1) for v in (a, b, c))
        top = np.einsum("ij,ij->i", a, np.cross(b, c))
        low = la * lb * lc + (a * b).sum(1) * lc + (b * c).sum(1) * la + (c * a).sum(1) * lb
        sums.append(2.0 * np.arctan2(top, low).sum() / (4.0 * np.pi))
    return np.array(sums)


def _through_edges(mesh: Mesh, direction: np.ndarray, count: int, seed: int) -> np.ndarray:
    """Points whose rays along ``direction`` run through a corner (every other) or an edge."""
    rng = np.random.default_rng(seed)
    share = rng.random((count, 1))
    share[::2] = 0.0
    t = mesh.triangles[rng.integers(len(mesh), size=count)]
    return t[:, 0] * (1 - share) + t[:, 1] * share - rng.uniform(-2, 2, (count, 1)) * direction


@settings(max_examples=30, deadline=None)
@given(seeds, st.sampled_from(["parity", "winding"]), st.sampled_from([0.0, 1e-9, 0.03, 0.5, 9.0]))
def test_many_points_are_decided_as_single_ones(seed: int, rule: Any, tolerance: float) -> None:
    mesh = _lumpy(seed)
    rng = np.random.default_rng(seed)
    points = np.concatenate(
        [
            rng.uniform(-1.3, 1.3, size=(150, 3)),
            mesh.vertices[:50] + rng.choice([-0.03, 0.0, 0.03], size=(50, 3)),
            _through_edges(mesh, np.array([0.0, 0.0, 1.0]), 100, seed),
        ]
    )
    many = dist.contains(mesh, points, rule=rule, tolerance=tolerance)
    single = _one_by_one(mesh, points, rule=rule, tolerance=tolerance)
    np.testing.assert_array_equal(many.inside, single)


@pytest.mark.parametrize("scale", [1e-60, 1e-12, 1.0, 1e5])
@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_any_size_anywhere(scale: float, shift: float) -> None:
    """Neither the unit of length nor the place matters, within the 1e12 m that a mesh may reach."""
    lump = _lumpy(3)
    # Coordinates with few digits, so that moving and scaling them by powers of two is exact.
    corners = np.round(lump.vertices * 1024) / 1024 + np.round(shift)
    unit = 2.0 ** np.round(np.log2(scale))
    points = np.random.default_rng(1).integers(-1300, 1300, size=(400, 3)) / 1024 + np.round(shift)
    expected = dist.contains(Mesh(corners, lump.faces), points, tolerance=0.0).inside
    moved = dist.contains(Mesh(corners * unit, lump.faces), points * unit, tolerance=0.0).inside
    np.testing.assert_array_equal(moved, expected)
    assert 0.1 < expected.mean() < 0.6
    still = Mesh(corners - np.round(shift), lump.faces)
    np.testing.assert_array_equal(
        dist.contains(still, points - np.round(shift), tolerance=0.0).inside, expected
    )


def test_many_triangles_in_a_corner_of_a_large_mesh() -> None:
    """A fine ball far away on a coarse one: columns of one size fit only one of them."""
    fine = trimesh.creation.icosphere(subdivisions=4, radius=0.01)
    coarse = trimesh.creation.icosphere(subdivisions=1, radius=50.0)
    fine.apply_translation((60, 60, 0))
    both = trimesh.util.concatenate([fine, coarse])
    mesh = Mesh(both.vertices, both.faces)
    rng = np.random.default_rng(0)
    points = rng.uniform(-60, 60, (600, 3))
    points[300:] = rng.uniform(-0.011, 0.011, (300, 3)) + np.array([60.0, 60.0, 0.0])
    got = dist.contains(mesh, points).inside
    np.testing.assert_array_equal(got, np.round(_windings(mesh.triangles, points)) == 1)
    np.testing.assert_array_equal(got, _one_by_one(mesh, points))
    assert got[300:].any()


def test_flat_and_upright_bodies() -> None:
    """Thin walls, and boxes without extent along an axis: closed, with nothing inside."""
    wall = trimesh.creation.box(bounds=[(0, 0, 0), (4, 1e-6, 3)])
    mesh = Mesh(wall.vertices, wall.faces)
    y = np.linspace(-1e-6, 2e-6, 301)
    points = np.stack([np.full(301, 1.7), y, np.full(301, 1.1)], axis=1)
    got = dist.contains(mesh, points, tolerance=0.0).inside
    np.testing.assert_array_equal(got, (y >= 0) & (y <= 1e-6))
    for axis in range(3):
        corners = np.array(wall.vertices) * 1e6
        corners[:, axis] = 0.25
        flat = Mesh(corners, wall.faces)
        assert flat.closed
        off = np.random.default_rng(axis).uniform(-1, 5, size=(50, 3))
        assert not dist.contains(flat, off).inside.any()
        off[:, axis] = 0.25
        on = dist.contains(flat, off).inside
        np.testing.assert_array_equal(on, dist.points_to_mesh(flat, off).distance <= 1e-9)


@pytest.mark.parametrize("direction", [(0.0, 0.0, 1.0), tuple(TRIMESH)], ids=["up", "trimesh"])
def test_rays_through_edges_corners_and_ridges(direction: tuple[float, ...]) -> None:
    mesh = _lumpy(5, subdivisions=3)
    points = _through_edges(mesh, np.array(direction), 3000, seed=2)
    away = dist.points_to_mesh(mesh, points).distance > 1e-6
    points = points[away]
    got = dist.contains(mesh, points)
    assert got.status == ContainmentStatus.OK
    np.testing.assert_array_equal(got.inside, np.round(_windings(mesh.triangles, points)) == 1)


def test_where_trimesh_counts_an_edge_twice_or_not_at_all() -> None:
    """trimesh sends a ray in single precision along one direction, and another the opposite way.

    Of the points whose ray along it meets an edge or corner it takes some inside for outside;
    which, depends on its version. The sum of solid angles decides who is right.
    """
    pytest.importorskip("embreex")
    body = trimesh.creation.icosphere(subdivisions=4)
    wave = 1 + 0.1 * np.sin(9 * body.vertices[:, :1]) * np.cos(7 * body.vertices[:, 1:2])
    body = trimesh.Trimesh(body.vertices * wave, body.faces, process=False)
    mesh = Mesh(body.vertices, body.faces)
    points = _through_edges(mesh, TRIMESH, 100_000, seed=0)
    got = dist.contains(mesh, points).inside
    differs = np.flatnonzero(got != body.contains(points))
    differs = differs[dist.points_to_mesh(mesh, points[differs]).distance > 1e-6]
    assert 0 < len(differs) < 100
    windings = _windings(mesh.triangles, points[differs])
    np.testing.assert_allclose(windings, np.round(windings), atol=1e-6)
    np.testing.assert_array_equal(got[differs], np.round(windings) == 1)


def test_signed_distance_has_the_sign_of_contains() -> None:
    mesh = _lumpy(8)
    points = np.concatenate([np.random.default_rng(8).normal(size=(500, 3)), mesh.vertices])
    signed = dist.signed_distance(mesh, points)
    plain = dist.points_to_mesh(mesh, points)
    np.testing.assert_array_equal(np.abs(signed.distance), plain.distance)
    np.testing.assert_array_equal(signed.point, plain.point)
    np.testing.assert_array_equal(signed.face, plain.face)
    inside = dist.contains(mesh, points, tolerance=0.0).inside
    np.testing.assert_array_equal(signed.distance < 0, inside & (plain.distance > 0))
    assert not np.signbit(signed.distance[500:]).any()  # on the surface: +0
