"""Liquid in the world, on every backend that has it: fill, pour, overflow, and what is drawn."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sim_worlds import ground, slab, world

from esi_fast import assets
from esi_fast.assets.capacities import closed_mesh
from esi_fast.records import CameraSpec, ObjectSpec, SceneSpec
from esi_fast.sim._pour import _aside
from esi_fast.sim.base import Capability, Simulator

MUG, GLASS, BUCKET = ("mug", "dhnxww"), ("water_glass", "bbpraa"), ("bucket", "bdhvnt")


@pytest.fixture
def sim(backend: Simulator) -> Simulator:
    if Capability.LIQUID not in backend.capabilities:
        pytest.skip("this backend has no liquid")
    return backend


def standing(name: str, kind: tuple[str, str], x: float = 0.0) -> ObjectSpec:
    """A vessel that stands on the ground."""
    height = assets.get(*kind).size[2]
    return ObjectSpec(
        id=name, category=kind[0], model=kind[1], position=(x, 0.0, height / 2), role="question"
    )


def kitchen() -> SceneSpec:
    return world(
        ground(),
        standing("mug", MUG),
        standing("glass", GLASS, 0.3),
        slab("box", (1,) * 3, (2, 0, 0.5)),
    )


def test_a_vessel_is_filled_to_a_share_of_its_capacity(sim: Simulator) -> None:
    sim.load(kitchen())
    empty = sim.contents("glass")
    assert empty.volume == 0.0
    assert math.isnan(empty.level)
    assert 1e-4 < empty.capacity < 1e-3
    assert empty.holds == pytest.approx(empty.capacity, rel=1e-3)
    sim.set_state("glass", "fill", 0.5)
    half = sim.contents("glass")
    assert half.volume == pytest.approx(0.5 * empty.capacity, rel=1e-9)
    sim.set_state("glass", "fill", 1.0)
    full = sim.contents("glass")
    assert full.level == pytest.approx(assets.get(*GLASS).size[2], abs=1e-3)
    assert 0.4 < half.level / full.level < 0.7
    assert sim.spec().objects[2].state == {"fill": 1.0}


def test_water_has_its_own_id(sim: Simulator) -> None:
    """In the snapshot, behind the objects of the spec, and in the picture."""
    sim.load(kitchen())
    before = sim.geometry().ids
    sim.set_state("mug", "fill", 0.8)
    snapshot = sim.geometry()
    assert snapshot.ids == (*before, "mug/water")
    row = snapshot.index("mug/water")
    assert snapshot.objects[row].category == "water"
    level = sim.contents("mug").level
    low, high = snapshot.boxes[row]
    assert high[2] == pytest.approx(level, abs=1e-6)
    mug = snapshot.boxes[snapshot.index("mug")]
    assert (low >= mug[0]).all()
    assert (high <= mug[1]).all()
    camera = CameraSpec(
        position=(low[0] / 2 + high[0] / 2, low[1] / 2 + high[1] / 2, 0.4),
        orientation=(0.0, 0.0, 0.0, 1.0),
        width=64,
        height=64,
        vfov_deg=30.0,
    )
    frame = sim.render([camera], ("ids", "depth", "normals"))[0]
    assert frame.ids is not None
    assert frame.depth is not None
    assert frame.normals is not None
    wet = frame.ids == row
    assert wet.sum() > 200
    # Flat and level, exactly.
    assert frame.depth[wet] == pytest.approx(0.4 - level, abs=1e-6)
    assert frame.normals[wet][:, 2].min() >= np.float32(1 - 1e-6)
    sim.set_state("mug", "fill", 0.0)
    assert sim.geometry().ids == before


def test_the_surface_stays_level_when_a_vessel_leans(sim: Simulator) -> None:
    sim.load(kitchen())
    sim.set_state("glass", "fill", 0.3)
    half = math.radians(30) / 2
    sim.set_poses(
        ["glass"], np.array([[0.3, 0, 0.5]]), np.array([[math.sin(half), 0, 0, math.cos(half)]])
    )
    snapshot = sim.geometry()
    row = snapshot.index("glass/water")
    points = snapshot.scene.world_triangles(row)
    normal = np.cross(points[:, 1] - points[:, 0], points[:, 2] - points[:, 0])
    area = np.linalg.norm(normal, axis=1)
    top = (normal[:, 2] > 0.9999 * area) & (
        points[:, :, 2].min(axis=1) > snapshot.boxes[row, 1, 2] - 1e-6
    )
    # The ellipse in which the level cuts a glass that leans by 30 degrees, at least 2 cm wide.
    assert area[top].sum() / 2 > math.pi * 0.02**2 / math.cos(math.radians(30))
    contents = sim.contents("glass")
    assert contents.holds < contents.capacity


def test_volumes_sum_to_the_whole(sim: Simulator) -> None:
    sim.load(kitchen())
    sim.set_state("glass", "fill", 0.9)
    sim.set_state("mug", "fill", 0.4)
    before = [sim.contents(n).volume for n in ("glass", "mug")]
    report = sim.pour("glass", "mug", tilt_deg=120.0)
    after = [sim.contents(n).volume for n in ("glass", "mug")]
    assert report.before == pytest.approx(sum(before), rel=1e-9)
    assert report.left + report.target + report.spilled == pytest.approx(sum(before), rel=1e-9)
    assert after == pytest.approx([report.left, report.target], rel=1e-9, abs=1e-12)
    # 292 ml and 103 ml do not go into a mug of 257 ml.
    assert report.spilled > 0.5 * (sum(before) - sim.contents("mug").capacity)
    assert after[1] > 0.8 * sim.contents("mug").capacity


def test_it_is_part_of_spec_and_token(sim: Simulator) -> None:
    sim.load(kitchen())
    sim.set_state("mug", "fill", 0.6)
    token, spec = sim.save(), sim.spec()
    sim.pour("mug", "glass")
    assert sim.contents("mug").volume < 1e-5
    poured = sim.contents("glass").volume
    assert poured > 0
    sim.restore(token)
    assert sim.spec() == spec
    assert sim.contents("glass").volume == 0.0
    sim.load(spec)
    assert sim.contents("mug").volume > poured / 2


def test_refusals(sim: Simulator) -> None:
    """With numbers, and the world stays as it was."""
    sim.load(kitchen())
    with pytest.raises(ValueError, match=r"'box' \(wall\) cannot be filled, it holds 0 ml"):
        sim.set_state("box", "fill", 0.5)
    with pytest.raises(ValueError, match="value: expected 0.0 to 1.0 for 'fill', got 1.5"):
        sim.set_state("mug", "fill", 1.5)
    with pytest.raises(ValueError, match="'box'.* is no vessel: it holds 0 ml"):
        sim.contents("box")
    for source, target, tilt in (("box", "mug", 90.0), ("mug", "box", 90.0), ("mug", "mug", 90.0)):
        with pytest.raises(ValueError, match=r"source|target"):
            sim.pour(source, target, tilt_deg=tilt)
    with pytest.raises(ValueError, match="tilt_deg: expected 0 to 180, got 200"):
        sim.pour("mug", "glass", tilt_deg=200.0)
    with pytest.raises(KeyError, match="jug"):
        sim.pour("jug", "glass")
    sim.set_poses(["mug"], np.array([[0, 0, 0.5]]), np.array([[1.0, 0, 0, 0]]))
    with pytest.raises(ValueError, match="value: 'mug' holds 0 ml as it stands"):
        sim.set_state("mug", "fill", 0.5)
    assert sim.spec().objects[1].state == {}


@pytest.mark.parametrize("yaw", [0.0, 0.7, np.pi / 2, np.pi, -np.pi / 2])
def test_no_handle_is_under_the_lip(yaw: float) -> None:
    """A mug's ear reaches 24 mm beyond its wall on one side: poured that way, it is turned."""
    corners = closed_mesh(assets.get("mug", "ycbmug")).triangles.reshape(-1, 3)
    turn = np.array([[np.cos(yaw), -np.sin(yaw), 0], [np.sin(yaw), np.cos(yaw), 0], [0, 0, 1.0]])
    ear = turn @ corners[np.argmax(np.hypot(corners[:, 0], corners[:, 1]))]
    ahead = ear[0] / np.hypot(ear[0], ear[1])
    turned, lip = _aside(turn, corners, np.array([1.0, 0.0]))
    assert (corners @ turned.T)[:, 0].max() - (turned @ lip)[0] < 0.005
    assert lip[2] > 0.9 * corners[:, 2].max()
    if abs(ahead) > 0.9:
        assert np.array_equal(turned, turn) == (ahead < 0.0)
