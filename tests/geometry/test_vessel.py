"""Capacities that are known by hand, at any tilt."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from esi_fast.geometry import transforms
from esi_fast.geometry.distance import ContainmentStatus, Mesh
from esi_fast.geometry.vessel import capacity

SIDES = 64
# Area of the regular polygon over that of its circle.
ROUND = SIDES * np.sin(2 * np.pi / SIDES) / (2 * np.pi)


def lathe(profile: list[tuple[float, float]]) -> Mesh:
    """The closed surface of a profile (radius, height) turned about z, from axis to axis."""
    angles = np.linspace(0.0, 2 * np.pi, SIDES, endpoint=False)
    vertices = [(r * np.cos(a), r * np.sin(a), z) for r, z in profile for a in angles]
    corners = np.array(vertices)
    faces = []
    for k in range(len(profile) - 1):
        for j in range(SIDES):
            a, b = k * SIDES + j, k * SIDES + (j + 1) % SIDES
            faces += [(a, b, b + SIDES), (a, b + SIDES, a + SIDES)]
    good = [f for f in faces if len({tuple(corners[i].round(12)) for i in f}) == 3]
    return Mesh(corners, good)


def glass(radius: float = 0.03, height: float = 0.1, wall: float = 0.004) -> Mesh:
    outer = radius + wall
    profile = [(0.0, 0.0), (outer, 0.0), (outer, height), (radius, height), (radius, wall)]
    return lathe([*profile, (0.0, wall)])


def block(lower: tuple[float, ...], upper: tuple[float, ...]) -> np.ndarray:
    """Triangles (12, 3, 3) of a box, facing out."""
    low, high = np.array(lower), np.array(upper)
    bits = (np.arange(8)[:, None] >> np.arange(3)) & 1
    corners = np.where(bits == 1, high, low)
    quads = [(0, 4, 6, 2), (1, 3, 7, 5), (0, 1, 5, 4), (2, 6, 7, 3), (0, 2, 3, 1), (4, 5, 7, 6)]
    return corners[[t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]]


def trough(hole: tuple[float, float] | None = None) -> Mesh:
    """10 x 20 cm inside, walls of 1 cm, 8 cm deep; a slot from height to height in one wall."""
    pieces = [
        block((0, 0, 0), (0.12, 0.22, 0.01)),
        block((0, 0, 0), (0.01, 0.22, 0.09)),
        block((0.11, 0, 0), (0.12, 0.22, 0.09)),
        block((0, 0, 0), (0.12, 0.01, 0.09)),
    ]
    if hole is None:
        pieces.append(block((0, 0.21, 0), (0.12, 0.22, 0.09)))
    else:
        pieces.append(block((0, 0.21, 0), (0.12, 0.22, hole[0])))
        pieces.append(block((0, 0.21, hole[1]), (0.12, 0.22, 0.09)))
        pieces.append(block((0, 0.21, 0), (0.04, 0.22, 0.09)))
        pieces.append(block((0.08, 0.21, 0), (0.12, 0.22, 0.09)))
    return Mesh.from_triangles(np.concatenate(pieces))


def test_a_trough_of_overlapping_parts() -> None:
    found = capacity(trough())
    assert found.status is ContainmentStatus.OK
    assert found.volume == pytest.approx(0.1 * 0.2 * 0.08, rel=1e-9)
    assert found.level == pytest.approx(0.09, abs=1e-12)


def test_a_hole_lets_out_what_is_above_its_lower_edge() -> None:
    found = capacity(trough((0.035, 0.06)))
    assert found.level == pytest.approx(0.035, abs=1e-12)
    # And a little in the slot itself: 4 cm wide, 1 cm deep, level with its edge.
    assert found.volume == pytest.approx(0.1 * 0.2 * 0.025, rel=1e-9)


def test_a_glass_holds_its_cylinder() -> None:
    found = capacity(glass(), spacing=0.0005)
    assert found.volume == pytest.approx(ROUND * np.pi * 0.03**2 * 0.096, rel=2e-3)
    assert found.level == pytest.approx(0.1, abs=1e-12)


@pytest.mark.parametrize("degrees", [15.0, 40.0])
def test_a_tilted_glass_loses_a_wedge(degrees: float) -> None:
    """The surface through the rim's lowest point is r tan(t) lower on the axis."""
    tilt = np.radians(degrees)
    found = capacity(glass(), up=(np.sin(tilt), 0.0, np.cos(tilt)), spacing=0.0005)
    volume = ROUND * np.pi * 0.03**2 * (0.096 - 0.03 * np.tan(tilt))
    assert found.volume == pytest.approx(volume, rel=6e-3)


def test_upside_down_and_lying_it_holds_nothing_or_little() -> None:
    assert capacity(glass(), up=(0, 0, -1)).volume == 0.0
    assert np.isnan(capacity(glass(), up=(0, 0, -1)).level)
    assert capacity(glass(), up=(1, 0, 0)).volume < 1e-9


def test_a_bowl_a_bottle_and_a_ball() -> None:
    """Half a ball; a neck does not matter; a closed hollow holds nothing."""
    arc = np.linspace(0, np.pi / 2, 40)
    inner = [(0.05 * np.cos(a), 0.06 - 0.05 * np.sin(a)) for a in arc]
    bowl = lathe([(0.0, 0.0), (0.06, 0.0), (0.06, 0.06), *inner[:-1], (0.0, 0.01)])
    assert capacity(bowl).volume == pytest.approx(2 / 3 * np.pi * 0.05**3, rel=5e-3)
    neck = [(0.04, 0.1), (0.015, 0.13), (0.015, 0.2), (0.01, 0.2), (0.01, 0.13), (0.035, 0.1)]
    bottle = lathe([(0.0, 0.0), (0.04, 0.0), *neck, (0.035, 0.005), (0.0, 0.005)])
    cone = np.pi * 0.03 / 3 * (0.035**2 + 0.035 * 0.01 + 0.01**2)
    volume = np.pi * 0.035**2 * 0.095 + cone + np.pi * 0.01**2 * 0.07
    assert capacity(bottle, spacing=0.0007).volume == pytest.approx(ROUND * volume, rel=5e-3)
    outside = block((0, 0, 0), (0.1, 0.1, 0.1))
    hollow = block((0.01, 0.01, 0.01), (0.09, 0.09, 0.09))[:, ::-1]
    assert capacity(Mesh.from_triangles(np.concatenate((outside, hollow)))).volume == 0.0


@settings(max_examples=20, deadline=None)
@given(st.floats(0, 2 * np.pi), st.floats(-2, 2), st.floats(0.3, 3.0))
def test_moving_and_scaling(yaw: float, shift: float, scale: float) -> None:
    pose = transforms.pose_matrix((shift, -shift, shift), (0, 0, np.sin(yaw / 2), np.cos(yaw / 2)))
    mesh = glass()
    moved = Mesh(scale * transforms.transform_points(pose, mesh.vertices), mesh.faces)
    found = capacity(moved, spacing=0.002 * scale)
    assert found.volume == pytest.approx(scale**3 * capacity(mesh, spacing=0.002).volume, rel=0.03)
    assert found.level == pytest.approx(scale * (0.1 + shift), abs=1e-9)


def test_open_and_bad_input() -> None:
    mesh = glass()
    found = capacity((mesh.vertices, mesh.faces[:-1]))
    assert found.status is ContainmentStatus.OPEN
    assert np.isnan(found.volume)
    flipped = mesh.faces.copy()
    flipped[0] = flipped[0, ::-1]
    assert capacity((mesh.vertices, flipped)).status is ContainmentStatus.NOT_ORIENTED
    with pytest.raises(ValueError, match="spacing"):
        capacity(mesh, spacing=0.0)
    with pytest.raises(ValueError, match="up"):
        capacity(mesh, up=(0, 0, 0))
