"""The recorded cases of physics that need more than a block on a slope, each by its id."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import trimesh
from sim_assets import cup_of, use_models
from sim_worlds import Quat, ground, slab, tilted, world

from esi_fast import geometry as geo
from esi_fast.geometry.cloth import Cloth, ClothMaterial, sheet
from esi_fast.geometry.distance import Mesh
from esi_fast.geometry.fields import DistanceField, Obstacle, Plane, mesh_field
from esi_fast.geometry.fluid import Fluid, Vessel, lattice
from esi_fast.records import ObjectSpec
from esi_fast.sim._engine import compile_engine
from esi_fast.sim._shapes import shape_of
from esi_fast.sim._states import body_of
from esi_fast.sim.base import Capability, Simulator

Case = Callable[[str], dict[str, Any]]
Incline = Callable[..., tuple[tuple[float, float, float], tuple[float, float, float]]]
G = 9.81
SLIDES = 0.03  # metres in the plane, the label of the inclined plane


def moved(ends: tuple[tuple[float, ...], tuple[float, ...]]) -> float:
    return math.dist(ends[0][:2], ends[1][:2])


def label(distance: float) -> str:
    return "slides" if distance > SLIDES else "stable"


def test_time_is_in_seconds_because_the_unit_of_a_step_flips_the_label(
    case: Case, incline: Incline
) -> None:
    row = case("physics-02")
    given, expected = row["input"], row["expected"]
    for unit, dt in given["dt_options"].items():
        t = given["steps"] * dt
        a = math.radians(given["deg"])
        formula = 0.5 * G * (math.sin(a) - given["mu"] * math.cos(a)) * t * t * math.cos(a)
        assert formula == pytest.approx(expected["xy_displacement"][unit], abs=row["tolerance"])
        distance = moved(incline(given["deg"], given["mu"], seconds=t))
        # The engine's contacts take a step to build up: within 1 mm, and the label is the same.
        assert distance == pytest.approx(expected["xy_displacement"][unit], abs=1e-3)
        assert label(distance) == expected["label"][unit]


def test_static_and_dynamic_friction(case: Case, incline: Incline) -> None:
    row = case("physics-04")
    for given, xy, verdict in zip(
        row["input"]["cases"],
        row["expected"]["xy_displacement"],
        row["expected"]["label"],
        strict=True,
    ):
        ends = incline(
            given["deg"], given["mu_s"], dynamic=given["mu_d"], seconds=row["input"]["duration_s"]
        )
        assert moved(ends) == pytest.approx(xy, abs=row["tolerance"])
        assert label(moved(ends)) == verdict


def test_rule_of_a_pair(case: Case, incline: Incline, backend: Simulator) -> None:
    """Ours is the maximum of two that are set, and is named; the same value on both is safe."""
    row = case("physics-05")
    slope, block = row["input"]["slope_mu"], row["input"]["object_mu"]
    rules = {"max": max(slope, block), "mean": (slope + block) / 2}
    rules |= {"product": slope * block, "min": min(slope, block)}
    values = [rules[name] for name in row["input"]["rules"]]
    assert values == pytest.approx(row["expected"]["mu"])
    for mu, verdict in zip(values, row["expected"]["label"], strict=True):
        assert label(moved(incline(row["input"]["deg"], mu))) == verdict
    turn, a = tilted(row["input"]["deg"]), math.radians(row["input"]["deg"])
    at = (0.1 * math.sin(a), 0.0, 2.0 + 0.1 * math.cos(a))
    backend.load(
        world(
            slab(
                "slope", (3.0, 0.6, 0.1), (0.0, 0.0, 2.0), orientation=turn, fixed=True,
                state={"friction": slope},
            ),
            slab("block", (0.1, 0.1, 0.1), at, orientation=turn, state={"friction": block}),
        )
    )  # fmt: skip
    backend.step(0.5)
    verdict = row["expected"]["label"][row["input"]["rules"].index("max")]
    assert label(math.dist(backend.poses(["block"]).positions[0][:2], at[:2])) == verdict
    assert any("a pair takes the larger" in text for text in backend.approximations)


def test_mass_of_a_hollow_thing(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    row = case("physics-10")
    parts, expected = row["input"]["parts"], row["expected"]
    asset = cup_of(parts, mass=row["input"]["density"] * expected["volume"])
    use_models(monkeypatch, cup=asset)
    shape = shape_of("test_cup", "exact", (1.0, 1.0, 1.0))
    assert shape.volume == pytest.approx(expected["volume"], abs=row["tolerance"])
    cloud = np.concatenate(asset.convex)
    assert trimesh.convex.convex_hull(cloud).volume == pytest.approx(expected["hull_volume"])
    mesh = asset.mesh()
    assert Mesh(mesh.vertices, mesh.faces).volume == pytest.approx(expected["volume"], abs=1e-6)
    # What the engine makes of it.
    spec = ObjectSpec(id="cup", category="test_cup", model="exact", position=(0.0, 0.0, 0.5))
    engine = compile_engine(
        [body_of(spec)],
        np.array([spec.position]),
        np.array([spec.orientation]),
        np.array([0]),
        np.zeros((0, 2, 2)),
    )
    number = int(engine.body[0])
    assert engine.model.body_mass[number] == pytest.approx(expected["mass"], abs=1e-3)
    center = engine.model.body_ipos[number] + [0.0, 0.0, 0.5]
    assert center == pytest.approx([0.0, 0.0, expected["com_z"]], abs=row["tolerance"])
    # Its turning inertia about the vertical: of the five boxes by hand, m (a^2 + b^2) / 3 + m d^2.
    about_z = sum(
        1000.0 * 8.0 * math.prod(p["half"])
        * ((p["half"][0] ** 2 + p["half"][1] ** 2) / 3 + p["pos"][0] ** 2 + p["pos"][1] ** 2)
        for p in parts
    )  # fmt: skip
    turned = np.zeros(9)
    import mujoco

    mujoco.mju_quat2Mat(turned, engine.model.body_iquat[number])
    axes = turned.reshape(3, 3)
    inertia = axes @ np.diag(engine.model.body_inertia[number]) @ axes.T
    assert inertia[2, 2] == pytest.approx(about_z, rel=1e-6)


def test_a_ball_falls_into_a_cup(
    case: Case, backend: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = case("physics-11")
    use_models(monkeypatch, cup=cup_of(row["input"]["parts"], 50.0))
    ball = ObjectSpec(
        id="ball", category="test_ball", model="exact", position=tuple(row["input"]["start"])
    )
    cup = ObjectSpec(id="cup", category="test_cup", model="exact", position=(0.0, 0.0, 0.5))
    backend.load(world(ground(), cup, ball))
    backend.step(row["input"]["settle_s"])
    at = backend.poses(["ball"]).positions[0]
    assert at[2] == pytest.approx(row["expected"]["final_z"], abs=row["tolerance"])
    assert at[2] < row["expected"]["wrong_final_z_with_hull"] - 0.5
    inside = bool((np.abs(at[:2]) <= 0.4 - 0.09).all() and 0.1 < at[2] < 1.0)
    assert inside == row["expected"]["inside"]


def _ball_field(radius: float, spacing: float = 0.01) -> DistanceField:
    half = math.ceil((radius + 0.05) / spacing)
    axis = spacing * np.arange(-half, half + 1)
    grid = np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), axis=-1)
    values = np.linalg.norm(grid, axis=-1) - radius
    return DistanceField(values, origin=[axis[0]] * 3, spacing=spacing)


def test_a_cloth_over_a_ball(case: Case) -> None:
    row = case("physics-16")
    given, expected = row["input"], row["expected"]
    size, n = given["cloth"]["size"], given["cloth"]["n"]
    vertices, faces = sheet((size, size), (n[0], n[1]), height=given["drop_from"])
    cloth = Cloth(vertices, faces, ClothMaterial())
    center = np.array(given["sphere"]["centre"])
    pose = geo.transforms.pose_matrix(center, (0.0, 0.0, 0.0, 1.0))
    ball = Obstacle(_ball_field(given["sphere"]["radius"]), pose)
    floor = Plane(offset=given["floor_z"])
    for _ in range(round(given["settle_s"] / 0.1)):
        cloth.step(0.1, obstacles=[ball], planes=[floor])
        assert bool(np.isfinite(cloth.positions).all()) == expected["finite"]
    p = cloth.positions
    apart = np.linalg.norm(p - center, axis=1).min()
    assert apart >= expected["min_vertex_to_sphere_centre_ge"]
    assert p[:, 2].min() >= expected["min_z_ge"]
    assert 1.0 + cloth.stretch <= expected["max_edge_stretch_le"]
    top = center[2] + given["sphere"]["radius"]
    assert bool(p[:, 2].max() >= top - 0.005) == expected["covers_sphere_top"]


def _box(low: tuple[float, float, float], high: tuple[float, float, float]) -> trimesh.Trimesh:
    return trimesh.creation.box(bounds=[low, high])


def _cup(width: float, height: float, wall: float) -> Mesh:
    outer = _box((-width / 2 - wall, -width / 2 - wall, -wall), (width / 2 + wall,) * 2 + (height,))
    inner = _box((-width / 2, -width / 2, 0.0), (width / 2, width / 2, 2 * height))
    cup = trimesh.boolean.difference([outer, inner], engine="manifold")
    return Mesh(cup.vertices, cup.faces)


def test_water_stays_in_the_cup_or_overflows(case: Case) -> None:
    row = case("physics-17")
    unit = 1e-6  # one of the record's parts is a millilitre
    for given, stays, over, scenario in zip(
        row["input"]["cases"],
        row["expected"]["in_target"],
        row["expected"]["overflow"],
        row["expected"]["scenario"],
        strict=True,
    ):
        # The capacity that is the label comes from the mesh: a cavity of 0.1 x 0.1 m.
        mesh = _cup(0.1, given["target_capacity"] * unit / 0.01, 0.005)
        capacity = geo.vessel.capacity(mesh).volume / unit
        assert capacity == pytest.approx(given["target_capacity"], rel=1e-6)
        kept = min(float(given["source"]), round(capacity))
        assert (kept, given["source"] - kept) == (stays, over)
        assert ("overflow" if given["source"] > round(capacity) else "complete") == scenario


def test_poured_in_the_world_it_overflows(
    case: Case,
    backend: Simulator,
    models: None,
    needs: Callable[[Capability], None],
) -> None:
    """physics-17 in motion: a litre into a vessel for 600 ml fills it, and the rest is spilled."""
    needs(Capability.LIQUID)
    row = case("physics-17")
    unit = 1e-6

    def vessel(name: str, volume: float, x: float, share: float) -> ObjectSpec:
        # The bin holds 0.36 x 0.36 x 0.28 m; a share of it across, and as deep as it takes.
        deep = volume * unit / ((0.36 * share) ** 2 * 0.28)
        return ObjectSpec(
            id=name, category="test_bin", model="exact", scale=(share, share, deep),
            position=(x, 0.0, 0.15 * deep),
        )  # fmt: skip

    # Water that is poured splashes; what lands in the target is the record's where it overflows.
    for k in (row["expected"]["scenario"].index("overflow"), 2):
        given = row["input"]["cases"][k]
        target = vessel("target", given["target_capacity"], 0.5, 0.3)
        backend.load(world(ground(), vessel("source", 1000.0, 0.0, 0.2), target))
        backend.set_state("source", "fill", given["source"] / 1000.0)
        report = backend.pour("source", "target")
        near = 0.03 * given["target_capacity"]
        assert report.target / unit == pytest.approx(row["expected"]["in_target"][k], abs=near)
        assert report.spilled / unit == pytest.approx(row["expected"]["overflow"][k], abs=near)
        # Nothing is made or lost.
        total = report.left + report.target + report.spilled
        assert total == pytest.approx(report.before, rel=1e-9, abs=1e-12)
        assert report.before / unit == pytest.approx(given["source"], rel=5e-3)
        assert backend.contents("target").volume == pytest.approx(report.target)


def test_no_water_goes_through_the_cup() -> None:
    """physics-17 in motion: a thousand particles into a cup for more of them; all are inside."""
    radius, wall = 0.005, 0.012
    mesh = _cup(0.1, 0.2, wall)
    start = lattice((-0.04, -0.04, 0.05), (0.04, 0.04, 0.22), radius)[:1000]
    fluid = Fluid(start, radius=radius)
    cup = Vessel(mesh_field(mesh, spacing=wall / 3), np.eye(4))
    fluid.settle(vessels=[cup], planes=[Plane(offset=-0.5)], max_time=2.0)
    p = fluid.positions
    assert len(p) == 1000
    assert np.isfinite(p).all()
    assert np.abs(p[:, :2]).max() <= 0.05
    assert p[:, 2].min() >= 0.0
    # A thousand particles of (2 r)^3 stand 0.1 m high in 0.1 x 0.1 m.
    assert p[:, 2].max() + radius == pytest.approx(1000 * (2 * radius) ** 3 / 0.01, abs=radius)


def test_slope_stands_on_the_floor(case: Case, backend: Simulator) -> None:
    row = case("physics-18")
    given, expected = row["input"], row["expected"]
    half, a = given["half_extents"], math.radians(given["deg"])
    center = half[0] * math.sin(a) + half[2] * math.cos(a)
    assert center == pytest.approx(expected["centre_z"], abs=row["tolerance"])
    turn: Quat = tilted(given["deg"])
    slope = slab("slope", [2 * h for h in half], (0.0, 0.0, center), orientation=turn, fixed=True)
    backend.load(world(slope))
    box = backend.geometry().boxes[0]
    # The scale of a unit box is its full extent: taken for half extents it would be cut in two.
    assert box[0, 2] == pytest.approx(0.0, abs=row["tolerance"])
    assert box[1, 2] == pytest.approx(expected["top_z"], abs=row["tolerance"])
    # A block let go on it without friction passes the threshold of a fall: there is no floor.
    at = (0.06 * math.sin(a), 0.0, center + 0.06 * math.cos(a))
    block = slab("block", (0.1, 0.1, 0.1), at, orientation=turn, state={"friction": 0.0})
    backend.load(world(slope.model_copy(update={"state": {"friction": 0.0}}), block))
    backend.step(1.0)
    assert backend.poses(["block"]).positions[0, 2] < expected["fall_threshold_z"]


def test_restitution_is_named_where_it_cannot_be_done(case: Case, backend: Simulator) -> None:
    row = case("physics-20")
    e, h = row["input"]["restitution"], row["input"]["drop_height"]
    assert e * math.sqrt(2 * G * h) == pytest.approx(row["expected"]["rebound_speed"], abs=1e-9)
    assert e * e * h == pytest.approx(row["expected"]["rebound_height"])
    named = [text for text in backend.approximations if text.startswith("restitution:")]
    rises = {fall: _rise(backend, fall) for fall in (0.25, h)}
    if abs(rises[h] - row["expected"]["rebound_height"]) > row["tolerance"]:
        assert len(named) == 1
        # And what is said there is true.
        assert "a hundredth of their fall, and not at all from less than 0.25 m" in named[0]
        assert rises[h] <= h / 100
        assert rises[0.25] <= 0.0


def _rise(backend: Simulator, fall: float) -> float:
    """How high a block comes up after its first landing, in metres above its rest."""
    backend.load(world(ground(), slab("a", (0.1, 0.1, 0.1), (0.0, 0.0, 0.05 + fall))))
    backend.step(math.sqrt(2 * fall / G))
    heights = []
    for _ in range(80):
        backend.step(1.0 / 240.0)
        heights.append(float(backend.poses(["a"]).positions[0, 2]) - 0.05)
    lowest = int(np.argmin(heights[:10]))
    return max(heights[lowest:])
