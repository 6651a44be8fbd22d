"""Rigid physics against closed formulas and the recorded cases."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sim_worlds import ground, slab, tilted, world

from esi_fast import assets
from esi_fast.records import ObjectSpec
from esi_fast.sim.base import Simulator
from esi_fast.sim.placing import place_inside

Case = Callable[[str], dict[str, Any]]
Incline = Callable[..., tuple[tuple[float, float, float], tuple[float, float, float]]]


def moved(ends: tuple[tuple[float, ...], tuple[float, ...]]) -> float:
    return math.dist(ends[0][:2], ends[1][:2])


def test_slopes_of_the_record(case: Case, incline: Incline) -> None:
    row = case("physics-01")
    for given, expected in zip(
        row["input"]["cases"], row["expected"]["xy_displacement"], strict=True
    ):
        assert moved(incline(given["deg"], given["mu"])) == pytest.approx(expected, abs=3e-3)


def test_mass_cancels(case: Case, incline: Incline) -> None:
    row = case("physics-06")
    for mass, expected in zip(
        row["input"]["masses"], row["expected"]["xy_displacement"], strict=True
    ):
        assert moved(incline(30.0, 0.5, mass=mass)) == pytest.approx(expected, abs=3e-3)


@pytest.mark.parametrize("mu", [0.3, 0.5, 0.8, 1.0, 1.5])
def test_friction_threshold(incline: Incline, mu: float) -> None:
    """A flat block sticks half a degree below atan(mu) and slides half a degree above it."""
    limit = math.degrees(math.atan(mu))
    flat = (0.08, 0.08, 0.02)
    assert moved(incline(limit - 0.5, mu, half=flat)) < 2e-3
    t = math.radians(limit + 0.5)
    slide = 0.5 * 9.81 * (math.sin(t) - mu * math.cos(t)) * 0.25 * math.cos(t)
    assert moved(incline(limit + 0.5, mu, half=flat)) == pytest.approx(slide, rel=0.35)


def test_tall_box_tips(case: Case, incline: Incline) -> None:
    row = case("physics-07")
    half = tuple(row["input"]["half_extents"])
    for degrees, tips in zip(row["input"]["degs"], row["expected"]["topples"], strict=True):
        distance = moved(incline(degrees, row["input"]["mu"], half=half, seconds=1.0))
        assert (distance > 0.1) == tips


@pytest.mark.parametrize(
    ("degrees", "mu", "aspect", "what"),
    [
        # It slides where tan > mu, tips where tan > width / height, whichever is the smaller.
        (20.0, 0.3, 0.5, "slides"),  # 0.364: over 0.3, under 0.5
        (20.0, 0.6, 0.25, "tips"),  # over 0.25, under 0.6
        (20.0, 0.6, 0.5, "stays"),
        (30.0, 0.4, 0.7, "slides"),  # 0.577: over 0.4, under 0.7
        (30.0, 0.9, 0.45, "tips"),
        (12.0, 0.4, 0.25, "stays"),  # 0.213
    ],
)
def test_tips_or_slides(
    incline: Incline, backend: Simulator, degrees: float, mu: float, aspect: float, what: str
) -> None:
    half = (0.05, 0.05, 0.05 / aspect)
    ends = incline(degrees, mu, half=half, seconds=0.8)
    x, y = backend.poses(["block"]).orientations[0, :2]
    up = 1.0 - 2.0 * (x * x + y * y)
    turned = math.degrees(math.acos(up)) - degrees
    a = math.radians(degrees)
    slid = 0.5 * 9.81 * (math.sin(a) - mu * math.cos(a)) * 0.64 * math.cos(a)
    if what == "tips":
        assert turned > 30.0
    else:
        assert abs(turned) < 1.0
        expected = slid if what == "slides" else 0.0
        assert moved(ends) == pytest.approx(expected, rel=0.03, abs=3e-3)


def test_pair_rule(backend: Simulator) -> None:
    """A set coefficient decides alone: 0.3 on the slope slides, 1.0 on the block sticks."""
    turn = tilted(25.0)
    t = math.radians(25.0)

    def slides(slope: dict[str, float], block: dict[str, float]) -> bool:
        backend.load(
            world(
                slab(
                    "slope", (3.0, 0.6, 0.1), (0, 0, 2.0), orientation=turn, fixed=True, state=slope
                ),
                slab(
                    "block",
                    (0.1, 0.1, 0.1),
                    (0.1 * math.sin(t), 0.0, 2.0 + 0.1 * math.cos(t)),
                    orientation=turn,
                    state=block,
                ),
            )
        )
        backend.step(0.5)
        return bool(backend.poses(["block"]).positions[0, 0] > 0.1 * math.sin(t) + 0.03)

    assert slides({}, {"friction": 0.3})
    assert not slides({}, {"friction": 1.0})
    assert slides({"friction": 0.3}, {"friction": 0.3})
    # Where both are set the larger one acts (named in the backend's approximations).
    assert not slides({"friction": 0.3}, {"friction": 1.0})


def test_overhang(case: Case, backend: Simulator) -> None:
    row = case("physics-08")
    for offset, z in zip(row["input"]["offsets"], row["expected"]["upper_z"], strict=True):
        backend.load(
            world(
                ground(),
                slab("low", (0.2, 0.2, 0.2), (0.0, 0.0, 0.1)),
                slab("high", (0.2, 0.2, 0.2), (offset, 0.0, 0.3)),
            )
        )
        backend.step(row["input"]["settle_s"])
        assert backend.poses(["high"]).positions[0, 2] == pytest.approx(z, abs=row["tolerance"])


def test_stack_stays(backend: Simulator) -> None:
    blocks = [
        slab(f"b{k}", (0.12, 0.12, 0.1), (0.01 * (k % 3), 0.01 * (k % 2), 0.05 + 0.1 * k))
        for k in range(8)
    ]
    backend.load(world(ground(), *blocks))
    ids = [b.id for b in blocks]
    before = backend.poses(ids).positions.copy()
    report = backend.settle(max_time=5.0)
    assert report.at_rest
    backend.step(5.0)
    assert np.abs(backend.poses(ids).positions - before).max() < 4e-3


@pytest.mark.parametrize("awake", [False, True])
def test_five_boxes_drift_by_less_than_a_tenth_of_a_millimetre(
    backend: Simulator, awake: bool
) -> None:
    """In 10 s, at rest as well as with something that falls beside them all the time."""
    blocks = [
        slab(f"b{k}", (0.1, 0.1, 0.1), (0.01 * (-1) ** k, 0.007 * (k % 3 - 1), 0.05 + 0.1 * k))
        for k in range(5)
    ]
    pebble = np.array([[0.2, 0.0, 0.1]])
    backend.load(world(ground(), *blocks, slab("pebble", (0.02, 0.02, 0.02), pebble[0])))
    assert backend.settle().at_rest
    ids = [b.id for b in blocks]
    before = backend.poses(ids).positions.copy()
    for _ in range(20):
        if awake:
            backend.set_poses(["pebble"], pebble, np.array([[0.0, 0.0, 0.0, 1.0]]))
        backend.step(0.5)
    drift = np.linalg.norm(backend.poses(ids).positions - before, axis=1)
    assert drift.max() < 1e-4


def test_thin_things_come_to_rest(backend: Simulator) -> None:
    """A bowl with an apple on a notebook on a book: thin, light, and of many pieces.

    Rolling friction and no-slip iterations together made the notebook hop for ever.
    """
    z = 0.0
    specs = []
    for k, (category, number, yaw) in enumerate(
        [("hardback", 17, -0.3), ("notebook", 2, 0.9), ("bowl", 4, 0.0)]
    ):
        models = assets.models(category)
        asset = assets.get(category, models[number % len(models)])
        z += 0.002 + asset.size[2]
        specs.append(
            ObjectSpec(
                id=f"t{k}", category=category, model=asset.model,
                position=(0.0, 0.0, z - asset.size[2] / 2),
                orientation=(0.0, 0.0, math.sin(yaw / 2), math.cos(yaw / 2)),
            )
        )  # fmt: skip
    backend.load(world(ground(), *specs))
    report = backend.settle(max_time=4.0)
    assert report.at_rest
    assert report.seconds < 2.0
    assert report.drift.max() < 0.02


def test_high_friction_does_not_sink(case: Case, backend: Simulator, incline: Incline) -> None:
    row = case("physics-13")
    for mu, z in zip(row["input"]["mu_values"], row["expected"]["rest_z"], strict=True):
        backend.load(
            world(
                ground(friction=mu),
                slab("a", (0.2, 0.2, 0.2), (0.0, 0.0, 0.1), state={"friction": mu}),
            )
        )
        backend.step(2.0)
        assert backend.poses(["a"]).positions[0, 2] == pytest.approx(z, abs=2e-4)
    given = row["input"]["incline"]
    assert moved(incline(given["deg"], given["mu"], seconds=given["duration_s"])) < 0.03


@pytest.mark.parametrize("thickness", [0.004, 0.008])
@pytest.mark.parametrize("drop", [0.3, 2.0])
def test_thin_board_holds(backend: Simulator, thickness: float, drop: float) -> None:
    backend.load(
        world(
            slab("board", (0.4, 0.4, thickness), (0.0, 0.0, 1.0), fixed=True),
            slab("a", (0.1, 0.1, 0.1), (0.0, 0.0, 1.05 + drop), state={"mass": 2.0}),
        )
    )
    backend.settle(max_time=4.0)
    expected = 1.0 + thickness / 2 + 0.05
    assert backend.poses(["a"]).positions[0, 2] == pytest.approx(expected, abs=5e-4)


@pytest.mark.parametrize("fall", [0.1, 0.5, 2.0, 4.0])
@pytest.mark.parametrize("side", [0.005, 0.02, 0.1])
def test_impacts_do_not_go_deep(backend: Simulator, side: float, fall: float) -> None:
    """However fast and small: by 3 mm at most, so that thin floors and vessels hold."""
    backend.load(world(ground(), slab("a", (side,) * 3, (0.0, 0.0, side / 2 + fall))))
    backend.step(math.sqrt(2 * fall / 9.81) - 0.01)
    lowest = math.inf
    for _ in range(12):
        backend.step(1.0 / 240.0)
        lowest = min(lowest, float(backend.poses(["a"]).positions[0, 2]) - side / 2)
    assert -3e-3 < lowest < 0.0
    assert backend.settle(max_time=3.0).at_rest
    assert backend.poses(["a"]).positions[0, 2] == pytest.approx(side / 2, abs=3e-4)


def test_falling_thin_board_stops(backend: Simulator) -> None:
    backend.load(world(ground(), slab("board", (0.4, 0.4, 0.004), (0.0, 0.0, 2.0))))
    assert backend.settle(max_time=4.0).at_rest
    assert backend.poses(["board"]).positions[0, 2] == pytest.approx(0.002, abs=2e-4)


def test_free_fall(case: Case, backend: Simulator) -> None:
    row = case("physics-15")
    backend.load(world(slab("a", (0.1, 0.2, 0.3), (0.0, 0.0, 10.0))))
    backend.step(row["input"]["steps"] * row["input"]["dt"])
    poses = backend.poses(["a"])
    drop = 10.0 - poses.positions[0, 2]
    assert drop == pytest.approx(row["expected"]["drop_exact"], abs=row["tolerance"])
    assert np.abs(poses.positions[0, :2]).max() <= row["expected"]["com_xy_drift_max"]
    assert np.abs(poses.orientations[0, :3]).max() <= row["expected"]["rotation_max"]


def vessel(category: str) -> tuple[ObjectSpec, assets.Asset]:
    """The model with the widest cavity, standing on the ground."""
    found = [assets.get(category, model) for model in assets.models(category)]
    open_ones = [a for a in found if a.cavity is not None]
    asset = max(open_ones, key=lambda a: a.cavity.upper[0] - a.cavity.lower[0])
    spec = ObjectSpec(
        id="vessel", category=category, model=asset.model, position=(0.0, 0.0, asset.size[2] / 2)
    )
    return spec, asset


@pytest.mark.parametrize("category", ["bowl", "mug", "bucket"])
def test_cups_are_open(backend: Simulator, category: str) -> None:
    """A ball let go above the opening ends inside; the hull of the whole would carry it."""
    spec, asset = vessel(category)
    cavity = asset.cavity
    assert cavity is not None
    room = min(cavity.upper[0] - cavity.lower[0], cavity.upper[1] - cavity.lower[1])
    ball = assets.get("tennis_ball", assets.models("tennis_ball")[0])
    factor = min(0.45 * room / max(ball.size), 1.0)
    center = np.add(cavity.lower, cavity.upper) / 2
    rim = spec.position[2] + cavity.upper[2]
    backend.load(
        world(
            ground(),
            spec,
            ObjectSpec(
                id="ball",
                category="tennis_ball",
                model=ball.model,
                position=(center[0], center[1], rim + ball.size[2] * factor),
                scale=(factor, factor, factor),
            ),
        )
    )
    backend.settle(max_time=6.0)
    ball_at, vessel_at = backend.poses(["ball", "vessel"]).positions
    assert math.hypot(*(ball_at - vessel_at)[:2]) < room / 2 + 0.02
    assert ball_at[2] < rim
    assert vessel_at[2] == pytest.approx(asset.size[2] / 2, abs=2e-3)


def test_every_cavity_of_the_inventory_takes_a_ball(backend: Simulator) -> None:
    """Let down through the opening it ends inside; the hull of the whole would carry it."""
    ball = assets.get("tennis_ball", assets.models("tennis_ball")[0])
    tried, outside = 0, []
    for category in assets.categories():
        if assets.info(category).kind == "proxy":
            continue
        asset = assets.get(category, assets.models(category)[0])
        cavity = asset.cavity
        if cavity is None:
            continue
        wide, deep, high = np.subtract(cavity.upper, cavity.lower)
        factor = min(1.0, 0.35 * min(wide, deep) / max(ball.size), 0.6 * high / ball.size[2])
        vessel = ObjectSpec(
            id="vessel", category=category, model=asset.model,
            position=(0.0, 0.0, asset.size[2] / 2 + 1e-3),
        )  # fmt: skip
        inside = ObjectSpec(
            id="ball", category="tennis_ball", model=ball.model, scale=(factor,) * 3,
            position=(2.0, 0.0, 0.1),
        )  # fmt: skip
        backend.load(world(ground(), vessel, inside))
        backend.settle()
        if asset.hinges:
            backend.set_state("vessel", "open", 1.0)
            backend.settle()
        tried += 1
        placed = place_inside(backend, "ball", "vessel")
        if not placed.ok:
            outside.append((category, placed))
    assert tried > 40
    assert outside == []


def test_objects_rest_where_they_stand(backend: Simulator) -> None:
    """Every small thing of the inventory stands on its own foot and does not creep away."""
    names = [n for n in assets.categories() if assets.info(n).kind == "object"]
    specs = []
    x = y = deep = 0.0
    for category in names:
        asset = assets.get(category, assets.models(category)[0])
        wide = asset.size[0] + 0.3
        if x + wide > 8.0:
            x, y, deep = 0.0, y + deep, 0.0
        deep = max(deep, asset.size[1] + 0.3)
        specs.append(
            ObjectSpec(
                id=category,
                category=category,
                model=asset.model,
                position=(x + wide / 2, y + asset.size[1] / 2, asset.size[2] / 2 + 1e-4),
            )
        )
        x += wide
    floor = slab("ground", (20.0, 2 * y + 9.0, 0.2), (0.0, 0.0, -0.1), fixed=True, category="floor")
    backend.load(world(floor, *specs))
    report = backend.settle(max_time=6.0)
    assert report.at_rest
    assert report.penetration < 1e-3
    poses = backend.poses(names)
    height = np.array([s.position[2] for s in specs])
    # Contacts give way by a fraction of a millimetre, which is most of a sheet of paper.
    low = height / 3 - 2e-4
    sunk = [n for n, z, h in zip(names, poses.positions[:, 2], low, strict=True) if z < h]
    assert sunk == []
