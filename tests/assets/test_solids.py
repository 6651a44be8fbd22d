"""The vocabulary of the families, checked against volumes and normals known by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial import ConvexHull

from esi_fast.assets import solids
from esi_fast.assets.solids import Solid


def volume(solid: Solid) -> float:
    a, b, c = (solid.vertices[solid.faces[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0)


def hulls(solid: Solid) -> float:
    return sum(ConvexHull(piece).volume for piece in solid.convex)


def closed(solid: Solid) -> bool:
    edges = np.concatenate([solid.faces[:, [0, 1]], solid.faces[:, [1, 2]], solid.faces[:, [2, 0]]])
    forward, backward = edges[:, 0] << 32 | edges[:, 1], edges[:, 1] << 32 | edges[:, 0]
    return len(np.unique(forward)) == len(forward) and bool(np.isin(backward, forward).all())


def prismatic(area: float, segments: int) -> float:
    """Share of a circle's area that its regular inscribed polygon has, times ``area``."""
    return area * segments / (2.0 * math.pi) * math.sin(2.0 * math.pi / segments)


lengths = st.floats(0.01, 3.0)


@given(lengths, lengths, lengths)
def test_box(width: float, depth: float, height: float) -> None:
    solid = solids.box(width, depth, height)
    assert closed(solid)
    assert volume(solid) == pytest.approx(width * depth * height)
    assert hulls(solid) == pytest.approx(width * depth * height)
    assert solid.bounds().tolist() == pytest.approx(
        np.array([[-width / 2, -depth / 2, 0], [width / 2, depth / 2, height]])
    )


def test_chamfered_and_rounded_boxes_lose_what_they_should() -> None:
    # Chamfer b on a cube of edge 1: 12 edge prisms of b^2/2 x (1 - 2b), and 8 corners where a
    # cube of b^3 keeps the part beyond the three cuts.
    b = 0.1
    solid = solids.box(1.0, 1.0, 1.0, b)
    assert closed(solid)
    assert volume(solid) == pytest.approx(ConvexHull(solid.vertices).volume)
    assert 1.0 - 12 * b * b / 2 - 8 * b**3 < volume(solid) < 1.0 - 12 * b * b / 2 * (1 - 2 * b)
    round_box = solids.rounded_box(1.0, 1.0, 1.0, 0.2, 12)
    # Steiner's formula for the core cube of edge 0.6 grown by 0.2.
    exact = 0.6**3 + 6 * 0.36 * 0.2 + 3 * math.pi * 0.04 * 0.6 + 4 / 3 * math.pi * 0.008
    assert closed(round_box)
    assert volume(round_box) == pytest.approx(exact, rel=2e-3)


def test_cylinder_and_cone() -> None:
    solid = solids.cylinder(0.5, 2.0, 24)
    assert closed(solid)
    assert volume(solid) == pytest.approx(prismatic(math.pi * 0.25, 24) * 2.0)
    cone = solids.lathe([(0.5, 0.0), (0.0, 1.0)], 48)
    assert closed(cone)
    assert volume(cone) == pytest.approx(prismatic(math.pi * 0.25, 48) / 3.0)


def test_lathe_splits_where_its_outline_turns_in() -> None:
    waist = solids.lathe([(0.3, 0.0), (0.1, 0.5), (0.3, 1.0)])
    assert len(waist.convex) == 2
    assert hulls(waist) == pytest.approx(volume(waist))


def test_vessel_is_hollow_for_the_mesh_and_for_the_pieces() -> None:
    outer, inner = [(0.5, 0.0), (0.5, 1.0)], [(0.4, 1.0), (0.4, 0.1)]
    solid = solids.vessel(outer, inner)
    wall = prismatic(math.pi, 36) * (0.25 - 0.16 * 0.9)
    assert closed(solid)
    assert volume(solid) == pytest.approx(wall)
    # Inner chords of 30 degrees instead of 10: the wall thickens by the difference.
    thick = prismatic(math.pi, 36) * 0.25 - prismatic(math.pi, 12) * 0.16 * 0.9
    assert hulls(solid) == pytest.approx(thick)
    for piece in solid.convex:
        planes = ConvexHull(piece).equations
        for point in ((0.0, 0.0, 0.5), (0.3, 0.1, 0.2), (-0.2, 0.3, 0.9)):
            assert (planes[:, :3] @ point + planes[:, 3]).max() > 0.0


def test_open_box_walls() -> None:
    solid = solids.open_box(1.0, 0.6, 0.5, 0.1)
    exact = 1.0 * 0.6 * 0.5 - 0.8 * 0.4 * 0.4
    assert volume(solid) == pytest.approx(exact)
    assert hulls(solid) == pytest.approx(exact)


def test_collar_is_a_ring() -> None:
    section = [(0.5, 0.0), (0.5, 0.2), (0.3, 0.2), (0.3, 0.0)]
    solid = solids.collar(solids.ring_profile(section))
    assert closed(solid)
    assert volume(solid) == pytest.approx(prismatic(math.pi, 36) * (0.25 - 0.09) * 0.2)


def test_tube_straight_and_closed_to_a_ring() -> None:
    straight = solids.tube([(0, 0, 0), (0, 0, 2.0)], 0.1, segments=16)
    assert volume(straight) == pytest.approx(prismatic(math.pi * 0.01, 16) * 2.0)
    t = np.linspace(0, 2 * np.pi, 97)
    loop = solids.tube(np.stack([np.cos(t), np.sin(t), 0 * t], axis=1), 0.1, segments=24)
    assert closed(loop)
    assert volume(loop) == pytest.approx(2 * math.pi * math.pi * 0.01, rel=0.02)
    # A knotted loop comes home turned about itself and must still close.
    wave = np.stack([np.cos(t), np.sin(t), 0.4 * np.sin(2 * t + 0.3)], axis=1)
    wave[-1] = wave[0]
    assert closed(solids.tube(wave, 0.05))


@given(st.integers(3, 9), st.integers(0, 2**31))
def test_prism_of_any_star_shaped_polygon(corners: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    angle = (np.arange(corners) + rng.uniform(0.1, 0.9, corners)) * (2 * np.pi / corners)
    radius = rng.uniform(0.3, 1.0, corners)
    polygon = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    x, y = polygon.T
    area = 0.5 * float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))
    if area < 0.05 or np.any(np.diff(angle) >= np.pi):
        return
    solid = solids.prism(polygon, 0.5)
    assert closed(solid)
    assert volume(solid) == pytest.approx(0.5 * area)
    assert hulls(solid) == pytest.approx(0.5 * area)


def test_prism_refuses_a_clockwise_polygon() -> None:
    with pytest.raises(ValueError, match="polygon: expected simple and counter-clockwise"):
        solids.prism([(0, 0), (0, 1), (1, 1), (1, 0)], 1.0)


def test_moves_keep_volume_and_orientation() -> None:
    solid = solids.lathe([(0.2, 0.0), (0.4, 0.3), (0.1, 1.0)])
    mirrored = solid.scaled(1.0, -1.0, 1.0)
    turned = solid.turned("x", 37.0).turned("z", 120.0).moved(1.0, 2.0, 3.0)
    for other in (mirrored, turned, solid.aligned((1.0, 2.0, -0.5))):
        assert closed(other)
        assert volume(other) == pytest.approx(volume(solid))
    assert volume(solid.scaled(2.0)) == pytest.approx(8.0 * volume(solid))
    quarter = solids.box(1.0, 1.0, 1.0).moved(x=2.0).turned("z", 90.0)
    assert quarter.bounds().mean(axis=0) == pytest.approx([0.0, 2.0, 0.5])


def test_normals_stay_flat_at_edges_and_turn_smooth_on_round_bodies() -> None:
    cube = solids.box(1.0, 1.0, 1.0)
    corners = cube.vertices[cube.faces]
    face = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    face /= np.linalg.norm(face, axis=1, keepdims=True)
    normals = solids.corner_normals(cube.vertices, cube.faces)
    assert np.allclose(normals, face[:, None, :])

    ball = solids.ellipsoid(1.0, fine=2)
    radial = ball.vertices[ball.faces]
    cosine = (solids.corner_normals(ball.vertices, ball.faces) * radial).sum(axis=2)
    assert cosine.min() > math.cos(math.radians(4.0))

    drum = solids.cylinder(1.0, 1.0, 24)
    normals = solids.corner_normals(drum.vertices, drum.faces)
    side = np.abs(normals[:, :, 2]).max(axis=1) < 0.5
    assert np.allclose(normals[side][:, :, 2], 0.0, atol=1e-12)
    assert np.allclose(np.abs(normals[~side][:, :, 2]), 1.0)


def test_uv_is_upright_seen_from_the_front() -> None:
    panel = solids.box(0.1, 2.0, 1.0).projected("x")
    assert panel.uv is not None
    points, uv = panel.vertices[panel.faces], panel.uv
    # Seen from +x with z up, +y is on the right: u grows with y, v with z.
    assert np.allclose(uv[..., 0], (points[..., 1] + 1.0) / 2.0)
    assert np.allclose(uv[..., 1], points[..., 2])
