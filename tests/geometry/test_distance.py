"""Distances and containment: recorded cases, other libraries, plain formulas and invariants."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import manifold3d
import numpy as np
import pytest
import trimesh
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import nnls

from esi_fast.geometry import boxes
from esi_fast.geometry import distance as dist
from esi_fast.geometry import transforms as tf
from esi_fast.geometry.distance import ContainmentStatus, Mesh

DATA = Path(__file__).parents[1] / "data"
CASES: dict[str, dict[str, Any]] = {
    case["id"]: case
    for name in ("rays", "aabb", "los")
    for case in json.loads((DATA / f"{name}.json").read_text())
}


def _case_mesh(mesh: dict[str, Any]) -> Mesh:
    return Mesh(mesh["vertices"], mesh["faces"])


def _box(lower: Any, upper: Any) -> Mesh:
    box = trimesh.creation.box(bounds=[lower, upper])
    return Mesh(box.vertices, box.faces)


@pytest.mark.parametrize("name", ["rays-02", "rays-04"])
def test_contains_through_corners_and_edges(name: str) -> None:
    data = CASES[name]["input"]
    got = dist.contains(_case_mesh(data["mesh"]), data["points"])
    assert got.status == ContainmentStatus.OK
    assert got.inside.tolist() == CASES[name]["expected"]["contains"]


def test_rays_18_faces_without_area_add_nothing() -> None:
    case = CASES["rays-18"]
    got = dist.points_to_mesh(_case_mesh(case["input"]["mesh"]), case["input"]["points"])
    np.testing.assert_allclose(got.distance, case["expected"]["distance"], atol=1e-12)
    assert np.isfinite(got.point).all()


def test_rays_20_contains_whatever_way_faces_look() -> None:
    case = CASES["rays-20"]
    for key, mesh in case["input"]["meshes"].items():
        got = dist.contains(_case_mesh(mesh), case["input"]["points"])
        assert got.inside.tolist() == case["expected"]["contains"][key]
    mixed = _case_mesh(case["input"]["meshes"]["mixed"])
    assert mixed.closed
    assert not mixed.oriented
    assert math.isnan(mixed.volume)
    got = dist.contains(mixed, case["input"]["points"], rule="winding")
    assert got.status == ContainmentStatus.NOT_ORIENTED


def test_rays_21_an_open_mesh_has_no_inside() -> None:
    case = CASES["rays-21"]
    mesh = _case_mesh(case["input"]["mesh"])
    assert not mesh.closed
    assert dist.contains(mesh, case["input"]["points"]).status == ContainmentStatus.OPEN
    signed = dist.signed_distance(mesh, case["input"]["points"])
    assert signed.status == ContainmentStatus.OPEN
    assert np.isnan(signed.distance).all()


def test_aabb_10_all_parts_count() -> None:
    case = CASES["aabb-10"]
    a, b = (
        Mesh.from_triangles(np.concatenate([_box(*part).triangles for part in parts]))
        for parts in (case["input"]["a_parts"], case["input"]["b_parts"])
    )
    got = dist.mesh_distance(a, b)
    assert got.distance == pytest.approx(case["expected"]["dist"], abs=1e-12)
    assert (got.point_a[0], got.point_b[0]) == (5.0, 9.0)


def test_los_10_the_distance_is_in_three_dimensions() -> None:
    case = CASES["los-10"]
    point = Mesh.from_triangles([[case["input"]["target"]] * 3])
    got = dist.points_to_mesh(point, [case["input"]["eye"]])
    assert got.distance[0] == pytest.approx(case["expected"]["distance_3d"])


number = st.floats(-2, 2, allow_nan=False).map(lambda x: round(x, 5))
point = st.tuples(number, number, number)
triangle = st.tuples(point, point, point)
unit = st.floats(-1, 1).map(lambda x: round(x, 5))
quat = st.tuples(unit, unit, unit, unit).filter(lambda q: sum(x * x for x in q) > 1e-3)
seeds = st.integers(0, 10_000)


def _blob(seed: int, *, count: int = 12) -> trimesh.Trimesh:
    """A closed convex mesh with random corners."""
    cloud = np.random.default_rng(seed).normal(size=(count, 3))
    return trimesh.convex.convex_hull(cloud)


def _lumpy(seed: int) -> trimesh.Trimesh:
    """A closed mesh that is not convex: a sphere whose corners are moved in and out."""
    sphere = trimesh.creation.icosphere(subdivisions=2)
    radius = np.random.default_rng(seed).uniform(0.4, 1.2, size=len(sphere.vertices))
    return trimesh.Trimesh(sphere.vertices * radius[:, None], sphere.faces, process=False)


def _by_least_squares(t: np.ndarray, p: np.ndarray) -> float:
    """Distance from p to a triangle: weights of its corners that are positive and sum to one."""
    heavy = 1e5
    system = np.vstack([t.T, np.full(3, heavy)])
    weights, _ = nnls(system, np.append(p, heavy))
    return float(np.linalg.norm((weights / weights.sum()) @ t - p))


@settings(max_examples=60)
@given(triangle, point)
def test_point_to_triangle_against_least_squares(t: Any, p: Any) -> None:
    got = dist.points_to_mesh([t], [p])
    assert got.distance[0] == pytest.approx(_by_least_squares(np.array(t), np.array(p)), abs=1e-6)
    assert got.distance[0] == pytest.approx(math.dist(got.point[0], p), abs=1e-14)


@settings(max_examples=25)
@given(seeds)
def test_points_to_mesh_against_trimesh(seed: int) -> None:
    mesh = _lumpy(seed)
    points = np.random.default_rng(seed + 1).normal(scale=1.2, size=(30, 3))
    got = dist.points_to_mesh((mesh.vertices, mesh.faces), points)
    _, expected, _ = trimesh.proximity.closest_point_naive(mesh, points)
    np.testing.assert_allclose(got.distance, expected, atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(got.point - points, axis=1), got.distance, atol=1e-12)
    near = dist.points_to_mesh((mesh.vertices, mesh.faces), points, bound=0.2)
    np.testing.assert_array_equal(near.face >= 0, got.distance <= 0.2)
    np.testing.assert_array_equal(near.distance[near.face >= 0], got.distance[near.face >= 0])
    assert np.isinf(near.distance[near.face < 0]).all()
    assert np.isnan(near.point[near.face < 0]).all()


def _manifold(mesh: trimesh.Trimesh) -> manifold3d.Manifold:
    return manifold3d.Manifold(
        manifold3d.Mesh64(mesh.vertices.astype(float), mesh.faces.astype(np.uint64))
    )


@settings(max_examples=40, deadline=None)
@given(seeds, seeds, point)
def test_mesh_distance_against_manifold(i: int, j: int, offset: Any) -> None:
    a, b = _blob(i), _blob(j)
    b.apply_translation(np.multiply(offset, 3.0))
    got = dist.mesh_distance((a.vertices, a.faces), (b.vertices, b.faces))
    gap = _manifold(a).min_gap(_manifold(b), 50.0)
    if gap > 1e-6:
        assert got.distance == pytest.approx(gap, abs=1e-6)
    else:  # meeting surfaces, or one body inside the other, whose surfaces are then apart
        inside = dist.contains((a.vertices, a.faces), b.vertices).inside.all()
        outside = dist.contains((b.vertices, b.faces), a.vertices).inside.all()
        assert inside or outside or got.distance == pytest.approx(0.0, abs=1e-6)
    assert math.dist(got.point_a, got.point_b) == pytest.approx(got.distance, abs=1e-12)
    for mesh, face, where in ((a, got.face_a, got.point_a), (b, got.face_b, got.point_b)):
        assert dist.points_to_mesh(mesh.triangles[face : face + 1], [where]).distance[0] < 1e-9


@settings(max_examples=60)
@given(triangle, triangle, quat, point, st.floats(0.01, 100))
def test_triangle_distance_is_symmetric_and_survives_motion_and_scale(
    s: Any, t: Any, q: Any, shift: Any, scale: float
) -> None:
    def move(corners: Any) -> np.ndarray:
        return scale * (tf.rotate(q, np.array(corners)) + np.array(shift))

    got = dist.mesh_distance([s], [t]).distance
    assert dist.mesh_distance([t], [s]).distance == pytest.approx(got, abs=1e-12)
    moved = dist.mesh_distance([move(s)], [move(t)]).distance
    assert moved == pytest.approx(scale * got, rel=1e-6, abs=2e-6 * scale)
    # never more than any pair of points, sampled in both
    grid = np.random.default_rng(0).dirichlet((0.5, 0.5, 0.5), size=40)
    pairs = np.linalg.norm((grid @ np.array(s))[:, None] - grid @ np.array(t), axis=-1)
    assert got <= pairs.min() + 1e-12


def test_crossing_triangles_meet() -> None:
    flat = [[(0, 0, 0), (2, 0, 0), (0, 2, 0)]]
    upright = [[(0.5, 0.5, -1), (0.5, 0.5, 1), (5, 5, 0)]]
    got = dist.mesh_distance(flat, upright)
    assert got.distance == pytest.approx(0.0, abs=1e-15)
    np.testing.assert_allclose(got.point_a[2], 0.0, atol=1e-15)
    inner = [[(0.2, 0.2, 0), (0.4, 0.2, 0), (0.2, 0.4, 0)]]
    assert dist.mesh_distance(flat, inner).distance == 0.0


def test_a_gap_of_a_millimetre_far_from_the_origin() -> None:
    far = np.array([1000.0, -2000.0, 500.0])
    a, b = _box(far, far + 1), _box(far + np.array([1.001, 0.2, 0.3]), far + 2)
    assert dist.mesh_distance(a, b).distance == pytest.approx(1e-3, abs=1e-12)


def test_empty_meshes() -> None:
    empty = Mesh(np.zeros((0, 3)), [])
    assert len(empty) == 0
    assert not empty.closed
    got = dist.mesh_distance(empty, _box((0, 0, 0), (1, 1, 1)))
    assert (got.distance, got.face_a, got.face_b) == (math.inf, -1, -1)
    assert dist.points_to_mesh(empty, [(0, 0, 0)]).distance[0] == math.inf
    assert dist.contains(empty, [(0, 0, 0)]).status == ContainmentStatus.OPEN


def _winding_by_solid_angle(t: np.ndarray, p: np.ndarray) -> float:
    """Sum of the signed solid angles of all faces over 4 pi (van Oosterom and Strackee)."""
    a, b, c = (t[:, k] - p for k in range(3))
    la, lb, lc = (np.linalg.norm(v, axis=1) for v in (a, b, c))
    top = np.einsum("ij,ij->i", a, np.cross(b, c))
    low = la * lb * lc
    low = low + (a * b).sum(1) * lc + (b * c).sum(1) * la + (c * a).sum(1) * lb
    return float(2.0 * np.arctan2(top, low).sum() / (4.0 * math.pi))


@settings(max_examples=40)
@given(seeds, st.lists(point, min_size=1, max_size=8))
def test_contains_against_solid_angles(seed: int, points: Any) -> None:
    lump = _lumpy(seed)
    mesh = Mesh(lump.vertices, lump.faces)
    far = dist.points_to_mesh(mesh, points).distance > 1e-6
    expected = [round(_winding_by_solid_angle(mesh.triangles, np.array(p))) != 0 for p in points]
    for rule in ("parity", "winding"):
        got = dist.contains(mesh, points, rule=rule)
        np.testing.assert_array_equal(got.inside[far], np.array(expected)[far])
    signed = dist.signed_distance(mesh, points)
    np.testing.assert_array_equal((signed.distance < 0)[far], np.array(expected)[far])


@settings(max_examples=40)
@given(seeds, st.integers(-4, 4), st.integers(-4, 4), st.integers(-4, 4))
def test_contains_on_a_grid_where_every_ray_meets_corners(
    seed: int, x: int, y: int, z: int
) -> None:
    """Bodies of unit cubes, asked at multiples of a quarter: rays run along faces and edges."""
    filled = np.random.default_rng(seed).random((3, 3, 3)) < 0.5
    assume(filled.any())
    parts = [_box(i, np.array(i) + 1).triangles for i in np.argwhere(filled)]
    mesh = Mesh.from_triangles(np.concatenate(parts))
    p = np.array([x, y, z]) / 4 + 1.5
    got = dist.contains(mesh, [p], rule="winding")
    cells = [boxes.contains_points([i, i + 1], p, tolerance=0) for i in np.argwhere(filled)]
    assert got.status == ContainmentStatus.OK
    assert got.inside[0] == any(cells)


def test_overlapping_parts_and_cavities() -> None:
    two = Mesh.from_triangles(
        np.concatenate([_box((0, 0, 0), (2, 1, 1)).triangles, _box((1, 0, 0), (3, 1, 1)).triangles])
    )
    both = [(1.5, 0.5, 0.5)]
    assert not dist.contains(two, both).inside[0]
    assert dist.contains(two, both, rule="winding").inside[0]
    shell = Mesh.from_triangles(
        np.concatenate(
            [_box((0, 0, 0), (3, 3, 3)).triangles, _box((1, 1, 1), (2, 2, 2)).triangles[:, ::-1]]
        )
    )
    for rule in ("parity", "winding"):
        got = dist.contains(shell, [(1.5, 1.5, 1.5), (0.5, 1.5, 1.5)], rule=rule)
        assert got.inside.tolist() == [False, True]
    assert shell.volume == pytest.approx(26.0)
    assert shell.area == pytest.approx(60.0)


def test_the_surface_belongs_to_the_body() -> None:
    box = _box((0, 0, 0), (1, 1, 1))
    on = [(0.5, 0.5, 1), (1, 0.3, 0.2), (0, 0, 0), (0.5, 1, 1), (0.5, 0.5, 1 + 1e-10)]
    off = [(0.5, 0.5, 1 + 1e-8), (-1e-8, 0.5, 0.5), (1, 1, 1.001)]
    assert dist.contains(box, on).inside.all()
    assert not dist.contains(box, off).inside.any()
    assert dist.contains(box, off, tolerance=1e-2).inside.all()


def test_threads_change_nothing() -> None:
    lump = _lumpy(7)
    mesh = Mesh(lump.vertices, lump.faces)
    points = np.random.default_rng(2).normal(size=(1000, 3))
    for one, many in zip(
        dist.points_to_mesh(mesh, points, threads=1),
        dist.points_to_mesh(mesh, points, threads=4),
        strict=True,
    ):
        np.testing.assert_array_equal(one, many)
    np.testing.assert_array_equal(
        dist.contains(mesh, points, threads=1).inside, dist.contains(mesh, points, threads=4).inside
    )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Mesh([(0, 0, 0)], [(0, 0, 1)]), "faces: expected vertex indices from 0 to 0"),
        (lambda: Mesh([(0, 0)], [(0, 0, 0)]), r"vertices: expected shape \(N, 3\)"),
        (lambda: dist.mesh_distance(np.zeros((4, 3)), np.zeros((1, 3, 3))), "a: expected a Mesh"),
        (lambda: dist.points_to_mesh(np.zeros((1, 3, 3)), [(0, 0)]), "points: expected shape"),
        (lambda: dist.points_to_mesh(np.zeros((1, 3, 3)), [(0, 0, 0)], bound=-1.0), "bound"),
        (lambda: dist.contains(np.zeros((1, 3, 3)), [(0, 0, 0)], rule="odd"), "rule"),  # type: ignore[arg-type]
        (lambda: dist.contains(np.zeros((1, 3, 3)), [(0, 0, math.nan)]), "points: expected finite"),
    ],
)
def test_wrong_calls(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
