"""Liquid: what physics says by hand, what must never happen, and the same bytes each time."""

from __future__ import annotations

import numpy as np
import pytest

from esi_fast import geometry as geo
from esi_fast.geometry.distance import Mesh
from esi_fast.geometry.fields import DistanceField, Plane, mesh_field
from esi_fast.geometry.fluid import Fluid, Vessel, lattice

UPRIGHT = np.eye(4)


def lathe(profile: list[tuple[float, float]], sides: int = 48) -> Mesh:
    """The closed surface of a profile (radius, height) turned about z, from axis to axis."""
    angles = np.linspace(0.0, 2 * np.pi, sides, endpoint=False)
    vertices = [(r * np.cos(a), r * np.sin(a), z) for r, z in profile for a in angles]
    faces = []
    for k in range(len(profile) - 1):
        for j in range(sides):
            a, b = k * sides + j, k * sides + (j + 1) % sides
            faces += [(a, b, b + sides), (a, b + sides, a + sides)]
    corners = np.array(vertices)
    # Rings on the axis are one point: their faces without area are left out.
    good = [f for f in faces if len({tuple(corners[i].round(12)) for i in f}) == 3]
    return Mesh(corners, good)


def cup(radius: float, height: float, wall: float) -> DistanceField:
    profile = [(0.0, 0.0), (radius, 0.0), (radius, height), (radius - wall, height)]
    mesh = lathe([*profile, (radius - wall, wall), (0.0, wall)])
    assert mesh.volume > 0
    return mesh_field(mesh, spacing=wall / 2)


def tank(width: float, depth: float) -> list[Plane]:
    return [
        Plane(),
        Plane((1.0, 0.0, 0.0), -width / 2),
        Plane((-1.0, 0.0, 0.0), -width / 2),
        Plane((0.0, 1.0, 0.0), -depth / 2),
        Plane((0.0, -1.0, 0.0), -depth / 2),
    ]


def test_free_fall() -> None:
    """Drops far apart fall by g t (t + dt) / 2."""
    start = np.array([[0.0, 0, 5], [1, 0, 5], [0, 1, 5]])
    fluid = Fluid(start, radius=0.01)
    fluid.step(0.5, steps_per_second=240)
    np.testing.assert_allclose(
        fluid.positions[:, 2], 5 - 9.81 * 0.5 * (0.5 + 1 / 240) / 2, atol=1e-9
    )


@pytest.mark.parametrize("radius", [0.01, 0.008])
def test_a_dam_breaks_and_lies_level(radius: float) -> None:
    """In a tank it takes the volume of its particles, (2 r)^3 each, with a flat surface."""
    fluid = Fluid(lattice((-0.1, -0.05, 0.0), (0.0, 0.05, 0.2), radius), radius=radius)
    fluid.settle(planes=tank(0.2, 0.1), threads=1)
    p = fluid.positions
    level = len(p) * (2 * radius) ** 3 / (0.2 * 0.1)
    columns = [
        p[(p[:, 0] >= x) & (p[:, 0] < x + 0.05), 2].max() + radius for x in (-0.1, -0.05, 0, 0.05)
    ]
    # To within a quarter of a layer, everywhere.
    np.testing.assert_allclose(columns, level, atol=radius / 2)
    assert fluid.density.max() < 1.05
    assert np.abs(p[:, 0]).max() <= 0.1
    assert np.abs(p[:, 1]).max() <= 0.05


def test_same_bytes_for_any_number_of_threads() -> None:
    def run(threads: int) -> bytes:
        fluid = Fluid(lattice((-0.04, -0.04, 0.0), (0.04, 0.04, 0.2), 0.006), radius=0.006)
        assert len(fluid) > 512  # more than one piece of work
        fluid.step(0.1, planes=tank(0.1, 0.1), threads=threads)
        return bytes(fluid.positions.tobytes() + fluid.velocities.tobytes())

    assert run(1) == run(2) == run(8)


def test_a_cup_keeps_what_is_in_it_and_pours_it_out() -> None:
    """A wall of 3 mm, thinner than a particle: shaken, then turned over; nothing is lost."""
    field = cup(0.05, 0.1, 0.003)
    inside = lattice((-0.047, -0.047, 0.003), (0.047, 0.047, 0.07), 0.006)
    inside = inside[np.hypot(inside[:, 0], inside[:, 1]) < 0.041]
    fluid = Fluid(inside, radius=0.006)
    ground = [Plane(offset=-0.5)]

    def contained(pose: np.ndarray) -> int:
        local = geo.transforms.transform_points(geo.transforms.invert_pose(pose), fluid.positions)
        flat = np.hypot(local[:, 0], local[:, 1])
        return int(((flat < 0.047) & (local[:, 2] > 0.003) & (local[:, 2] < 0.11)).sum())

    fluid.step(0.4, vessels=[Vessel(field, UPRIGHT)], planes=ground, threads=1)
    assert contained(UPRIGHT) == len(inside)
    here = UPRIGHT
    for x in (0.04, -0.04, 0.03, 0.0):
        there = geo.transforms.pose_matrix((x, 0, 0), (0, 0, 0, 1))
        fluid.step(0.1, vessels=[Vessel(field, there, here)], planes=ground, threads=1)
        here = there
    assert contained(here) > 0.8 * len(inside)
    assert np.isfinite(fluid.positions).all()
    for degrees in (45, 90, 135, 170):
        half = np.radians(degrees) / 2
        there = geo.transforms.pose_matrix((0, 0, 0), (np.sin(half), 0, 0, np.cos(half)))
        fluid.step(0.2, vessels=[Vessel(field, there, here)], planes=ground, threads=1)
        here = there
    fluid.step(0.6, vessels=[Vessel(field, here)], planes=ground, threads=1)
    assert len(fluid) == len(inside)
    assert contained(here) == 0
    assert (fluid.positions[:, 2] < -0.4).all()


@pytest.mark.parametrize("wall", [0.0015, 0.002, 0.003])
@pytest.mark.parametrize("speed", [5.0, 50.0])
def test_nothing_passes_a_thin_wall(speed: float, wall: float) -> None:
    """Drops thrown at a plate by up to 20 cm a step, and the plate at drops that hang."""
    size = np.array([0.3, 0.3, wall])
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]
    plate = mesh_field((corners * size, faces), spacing=wall / 2, margin=0.01)
    drops = lattice((-0.05, -0.05, 0.2), (0.05, 0.05, 0.22), 0.005)
    fluid = Fluid(drops, radius=0.005)
    fluid.velocities = np.tile([0.0, 0.0, -speed], (len(drops), 1))
    fluid.step(0.05, vessels=[Vessel(plate, UPRIGHT)], threads=1)
    beside = np.abs(fluid.positions[:, :2]).max(axis=1) > 0.15
    assert (fluid.positions[~beside, 2] > 0).all()

    hanging = Fluid(drops, radius=0.005)
    end = geo.transforms.pose_matrix((0, 0, 0.1 + 0.01 * speed), (0, 0, 0, 1))
    hanging.step(0.02, vessels=[Vessel(plate, end, UPRIGHT)], gravity=(0, 0, 0), threads=1)
    beside = np.abs(hanging.positions[:, :2]).max(axis=1) > 0.15
    assert (hanging.positions[~beside, 2] > 0.1 + 0.01 * speed).all()


def test_bad_input() -> None:
    with pytest.raises(ValueError, match=r"positions: expected shape \(N, 3\)"):
        Fluid(np.zeros((2, 2)), radius=0.01)
    with pytest.raises(ValueError, match="positions: expected finite"):
        Fluid([[0, 0, np.nan]], radius=0.01)
    for options in ({"radius": 0.0}, {"viscosity": 2.0}, {"iterations": 0}):
        with pytest.raises(ValueError, match=next(iter(options))):
            Fluid(np.zeros((1, 3)), **{"radius": 0.01, **options})  # type: ignore[arg-type]
    fluid = Fluid(np.zeros((0, 3)), radius=0.01)
    fluid.step(0.1, planes=[Plane()])
    assert len(fluid) == 0
    with pytest.raises(ValueError, match="pose: expected a rigid pose"):
        fluid.step(0.1, vessels=[Vessel(cup(0.05, 0.1, 0.01), 2 * np.eye(4))])
