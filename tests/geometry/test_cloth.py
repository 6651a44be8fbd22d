"""Cloth: what physics says by hand, what nothing may break, and the same bytes each time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

from esi_fast import geometry as geo
from esi_fast.geometry.cloth import Cloth, ClothMaterial, sheet
from esi_fast.geometry.fields import DistanceField, Obstacle, Plane, mesh_field

CUBE = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
QUADS = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
CUBE_FACES = [t for a, b, c, d in QUADS for t in ((a, b, c), (a, c, d))]


def box_field(size: tuple[float, float, float], spacing: float = 0.01) -> DistanceField:
    return mesh_field((CUBE * size, CUBE_FACES), spacing=spacing)


def at(x: float, y: float, z: float) -> np.ndarray:
    return geo.transforms.pose_matrix((x, y, z), (0, 0, 0, 1))


def ball_field(radius: float, spacing: float = 0.01) -> DistanceField:
    """The exact field of a ball."""
    half = int(np.ceil((radius + 0.04) / spacing))
    axis = spacing * np.arange(-half, half + 1)
    grid = np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), axis=-1)
    return DistanceField(
        np.linalg.norm(grid, axis=-1) - radius, origin=[axis[0]] * 3, spacing=spacing
    )


def test_free_fall() -> None:
    """Without air nothing but gravity acts: g t (t + dt) / 2 for steps of dt, at every particle."""
    v, f = sheet((0.3, 0.3), (8, 8), height=2.0)
    cloth = Cloth(v, f, ClothMaterial(damping=0.0, thickness=0.02))
    cloth.step(0.3, steps_per_second=1000)
    fallen = 9.81 * 0.3 * (0.3 + 0.001) / 2
    np.testing.assert_allclose(cloth.positions, v - [0, 0, fallen], atol=1e-9)
    np.testing.assert_allclose(cloth.velocities, np.tile([0, 0, -9.81 * 0.3], (64, 1)), atol=1e-7)


def test_hangs_as_a_catenary() -> None:
    """A strip held at both ends hangs in the curve z = a cosh(x / a) of its length."""
    v, f = sheet((1.0, 0.02), (81, 2))
    cloth = Cloth(v, f, ClothMaterial(bend=1.0, damping=6.0, self_collision=False))
    ends = np.abs(v[:, 0]) > 0.499
    held = v.copy()
    held[ends, 0] *= 0.7
    cloth.positions = held * [0.7, 1, 1] + np.where(ends[:, None], held * [0.3, 0, 0], 0.0)
    cloth.pin(ends)
    for _ in range(60):
        cloth.step(0.1)
    assert cloth.speed < 0.05
    a = brentq(lambda a: 2 * a * np.sinh(0.35 / a) - 1.0, 0.05, 5.0)
    sag = a * np.cosh(0.35 / a) - a
    assert cloth.positions[:, 2].min() == pytest.approx(-sag, rel=0.02)


def test_momentum_is_kept() -> None:
    """Inner forces are pairs: without gravity, air and solids the middle moves on straight."""
    v, f = sheet((0.3, 0.2), (9, 7))
    cloth = Cloth(v, f, ClothMaterial(damping=0.0))
    rng = np.random.default_rng(0)
    cloth.velocities = rng.normal(scale=0.3, size=v.shape)
    weights = np.zeros(len(v))
    for k in range(3):
        area = np.linalg.norm(np.cross(v[f[:, 1]] - v[f[:, 0]], v[f[:, 2]] - v[f[:, 0]]), axis=1)
        np.add.at(weights, f[:, k], area)
    weights /= weights.sum()
    speed = weights @ cloth.velocities
    cloth.step(0.5, gravity=(0, 0, 0), steps_per_second=4000)
    np.testing.assert_allclose(weights @ cloth.velocities, speed, atol=1e-9)
    np.testing.assert_allclose(weights @ cloth.positions, 0.5 * speed + weights @ v, atol=1e-9)


def test_drapes_over_a_ball() -> None:
    v, f = sheet((0.5, 0.5), (40, 40), height=0.32)
    cloth = Cloth(v, f)
    ball = [Obstacle(ball_field(0.12), at(0, 0, 0.12))]
    most = 0.0
    for _ in range(20):
        cloth.step(0.1, obstacles=ball, planes=[Plane()])
        most = max(most, cloth.stretch)
    assert most < 0.08
    p = cloth.positions
    # Interpolation between nodes 1 cm apart is right to h^2 / (4 r) on a ball.
    assert (
        np.linalg.norm(p - [0, 0, 0.12], axis=1).min() > 0.12 + 0.006 - 0.01**2 / (4 * 0.12) - 1e-4
    )
    assert p[:, 2].min() >= 0.006 - 1e-9
    assert p[:, 2].max() == pytest.approx(0.246, abs=2e-3)
    # No layer passes another.
    far = np.linalg.norm(p[:, None] - p[None], axis=-1)
    apart = np.linalg.norm(v[:, None] - v[None], axis=-1) > 0.03
    assert far[apart].min() > 0.7 * min(2 * 0.006, 0.9 * 0.5 / 39)


@pytest.mark.parametrize(("mu", "slides"), [(0.3, True), (0.45, True), (0.75, False), (1.2, False)])
def test_friction_holds_up_to_its_coefficient(mu: float, slides: bool) -> None:
    """On a slope of 30 degrees cloth slides below mu = tan(30) = 0.577 as Coulomb says."""
    angle = np.radians(30.0)
    normal = (-float(np.sin(angle)), 0.0, float(np.cos(angle)))
    v, f = sheet((0.2, 0.2), (10, 10), height=0.006)
    turn = np.array(
        [[np.cos(angle), 0, -np.sin(angle)], [0, 1, 0], [np.sin(angle), 0, np.cos(angle)]]
    )
    cloth = Cloth(v, f, ClothMaterial(damping=0.0))
    cloth.positions = v @ turn.T
    cloth.step(0.5, planes=[Plane(normal, 0.0, mu)])
    moved = float(np.linalg.norm((cloth.positions - v @ turn.T).mean(axis=0)))
    rate = 9.81 * (np.sin(angle) - mu * np.cos(angle))
    if slides:
        assert moved == pytest.approx(rate * 0.5**2 / 2, rel=0.03)
    else:
        assert moved < 1e-3


@pytest.mark.parametrize("wall", [0.0015, 0.002, 0.003, 0.005])
def test_nothing_passes_a_thin_wall(wall: float) -> None:
    """Thrown at a board a fraction of a node's distance thick, at the greatest speed there is."""
    v, f = sheet((0.2, 0.2), (12, 12), height=0.1)
    cloth = Cloth(v, f)
    cloth.velocities = np.tile([0.0, 0.0, -7.0], (len(v), 1))
    board = [Obstacle(box_field((0.6, 0.6, wall), 0.008), at(0, 0, 0))]
    lowest = np.inf
    for _ in range(40):
        cloth.step(0.02, obstacles=board)
        lowest = min(lowest, float(cloth.positions[:, 2].min()))
    assert lowest > wall / 2


def test_same_bytes() -> None:
    def run() -> bytes:
        v, f = sheet((0.3, 0.3), (15, 15), height=0.25)
        cloth = Cloth(v, f)
        cloth.step(0.6, obstacles=[Obstacle(ball_field(0.08), at(0, 0, 0.08))], planes=[Plane()])
        return bytes(cloth.positions.tobytes() + cloth.velocities.tobytes())

    assert run() == run()


def test_turning_the_world_turns_the_result() -> None:
    """A quarter turn about z maps grid and field to themselves, so only rounding may differ.

    No particle lies between two cells of the field, where its slope jumps.
    """
    v, f = sheet((0.3, 0.3), (13, 13), height=0.18)
    quarter = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
    ball = [Obstacle(ball_field(0.08), at(0.0313, 0.0077, 0.08))]
    turned = [Obstacle(ball_field(0.08), at(-0.0077, 0.0313, 0.08))]
    one, two = Cloth(v, f), Cloth(v @ quarter.T, f)
    one.step(0.12, obstacles=ball)
    two.step(0.12, obstacles=turned)
    np.testing.assert_allclose(two.positions, one.positions @ quarter.T, atol=1e-8)


@settings(max_examples=25, deadline=None)
@given(
    st.floats(0.01, 5.0),
    st.floats(0.002, 0.02),
    st.floats(0.0, 1e-3),
    st.floats(0.0, 10.0),
    st.floats(0.0, 20.0),
    st.integers(2, 9),
)
def test_stays_finite_and_above_ground(
    mass: float, thickness: float, stretch: float, bend: float, damping: float, count: int
) -> None:
    """Stable over the whole range of its parameters: it ends at rest on the ground."""
    material = ClothMaterial(mass, thickness, stretch, bend, damping)
    v, f = sheet((0.3, 0.3), (count + 1, count), height=0.1)
    cloth = Cloth(v, f, material)
    cloth.step(0.8, planes=[Plane()])
    p = cloth.positions
    assert np.isfinite(p).all()
    assert p[:, 2].min() >= thickness - 1e-9
    assert p[:, 2].max() < 0.2
    assert cloth.speed < 3.0


def test_settle_tells_whether_it_is_at_rest() -> None:
    v, f = sheet((0.3, 0.3), (9, 9), height=0.05)
    cloth = Cloth(v, f)
    assert not cloth.settle(max_time=0.1, planes=[Plane()]).at_rest
    rest = cloth.settle(planes=[Plane()])
    assert rest.at_rest
    assert rest.speed <= 0.02
    np.testing.assert_allclose(cloth.positions[:, 2], 0.006, atol=2e-3)


def test_field_of_a_mesh() -> None:
    """On a box the distance is known by hand, and linear away from edges: no error of nodes."""
    field = box_field((0.2, 0.3, 0.4), 0.02)
    distance, outward, known = field.sample(
        [[0.11, 0, 0], [0.0, 0.0, 0.19], [0, -0.155, 0], [1, 0, 0]]
    )
    np.testing.assert_allclose(distance[:3], [0.01, -0.01, 0.005], atol=1e-9)
    np.testing.assert_allclose(outward[:3], [[1, 0, 0], [0, 0, 1], [0, -1, 0]], atol=1e-9)
    assert known.tolist() == [True, True, True, False]
    assert np.isnan(distance[3])


def test_open_mesh_holds_off_on_both_sides() -> None:
    square = np.array([[-1.0, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]), [[0, 1, 2], [0, 2, 3]]
    distance, _, _ = mesh_field(square, spacing=0.03, margin=0.1).sample(
        [[0, 0, 0.05], [0, 0, -0.05]]
    )
    assert (distance > 0.03).all()


def test_bad_input() -> None:
    v, f = sheet((1, 1), (3, 3))
    with pytest.raises(ValueError, match=r"faces: expected vertex indices below 9, got 9"):
        Cloth(v, [*f, [0, 1, 9]])
    with pytest.raises(ValueError, match=r"faces: expected faces with an area"):
        Cloth(v, [*f, [0, 0, 1]])
    with pytest.raises(ValueError, match=r"vertices: expected each in a face"):
        Cloth([*v, [5.0, 5, 5]], f)
    with pytest.raises(ValueError, match="mass"):
        ClothMaterial(mass=0.0)
    with pytest.raises(ValueError, match="thickness"):
        ClothMaterial(thickness=float("nan"))
    with pytest.raises(ValueError, match="counts"):
        sheet((1, 1), (1, 5))
    with pytest.raises(ValueError, match="spacing"):
        DistanceField(np.zeros((2, 2, 2)), origin=(0, 0, 0), spacing=0.0)
    with pytest.raises(ValueError, match="at least one face"):
        mesh_field((np.zeros((0, 3)), np.zeros((0, 3), dtype=int)))
    cloth = Cloth(v, f)
    field = box_field((0.1, 0.1, 0.1))
    for options, name in (
        ({"obstacles": [Obstacle(field, 2 * np.eye(4))]}, "pose: expected a rigid pose"),
        ({"planes": [Plane((0.0, 0.0, 2.0))]}, "normal"),
        ({"planes": [Plane(friction=-1.0)]}, "friction"),
        ({"gravity": (0, 0)}, "gravity"),
        ({"steps_per_second": 0}, "steps_per_second"),
    ):
        with pytest.raises(ValueError, match=name):
            cloth.step(0.1, **options)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="positions"):
        cloth.positions = np.full((9, 3), np.nan)
    np.testing.assert_array_equal(cloth.positions, v)
