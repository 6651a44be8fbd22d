"""Houses as they are made come to rest at once, and everything stays where it was put."""

from __future__ import annotations

import numpy as np
import pytest
from sim_worlds import ground, slab, world

from esi_fast import assets
from esi_fast.assets.houses import STYLES, house, load, names
from esi_fast.records import ObjectSpec, SceneSpec
from esi_fast.sim.base import Simulator
from esi_fast.sim.embedded import EmbeddedSimulator

# They did not stand once: a brush on the sloping edge of a thick shelf, a mug on a tray that
# chattered.
SAMPLE = (("hotel_suite_large", 2), ("house_double_floor_lower", 2))


def stands(scene: SceneSpec) -> None:
    """At rest within 3 s, no deeper in each other than contacts give way, nothing has come far."""
    simulator = EmbeddedSimulator()
    simulator.load(scene)
    report = simulator.settle(max_time=3.0)
    moved = sorted(zip(report.drift.tolist(), report.ids, strict=True), reverse=True)[:3]
    assert report.at_rest, (report.max_speed, moved)
    assert report.penetration < 5e-4
    assert report.drift.max(initial=0.0) < 0.02, moved
    simulator.close()


@pytest.mark.parametrize(("name", "seed"), SAMPLE)
def test_houses_that_did_not_stand(name: str, seed: int) -> None:
    stands(load(name, seed))


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_every_house_of_behavior(name: str) -> None:
    stands(load(name, 0))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_procedural_houses(seed: int) -> None:
    stands(house(STYLES[seed % len(STYLES)], 200 + seed, rooms=3 + seed))


@pytest.mark.parametrize("model", assets.models("shelf"))
def test_what_stands_at_the_edge_of_a_wall_shelf(backend: Simulator, model: str) -> None:
    """A cube with its edge 1 cm from that of the board, which may be half a metre thick."""
    x, y, z = assets.sizes("shelf")[model]
    shelf = ObjectSpec(
        id="shelf", category="shelf", model=model, position=(0.0, 0.0, 2.0), fixed=True
    )
    cube = slab("cube", (0.03, 0.03, 0.03), (0.0, 0.025 - y / 2, 2.015 + z / 2))
    assert x > 0.05
    backend.load(world(ground(), shelf, cube))
    assert backend.settle().at_rest
    after = backend.poses(["cube"])
    assert np.linalg.norm(after.positions[0] - cube.position) < 1e-3


def test_a_slow_slide_is_no_rest(backend: Simulator) -> None:
    """Above the threshold of its friction a block slides on for as long as one waits."""
    angle = np.deg2rad(12.0) / 2
    turn = (0.0, float(np.sin(angle)), 0.0, float(np.cos(angle)))
    down, up = (np.cos(2 * angle), -np.sin(2 * angle)), (np.sin(2 * angle), np.cos(2 * angle))
    at = (-1.5 * down[0] + 0.07 * up[0], 0.0, 2.0 - 1.5 * down[1] + 0.07 * up[1])
    smooth = {"friction": 0.2}
    backend.load(
        world(
            slab("slope", (4, 1, 0.1), (0, 0, 2.0), orientation=turn, fixed=True, state=smooth),
            slab("block", (0.1, 0.1, 0.04), at, orientation=turn, state=smooth),
        )
    )
    report = backend.settle(max_time=3.0)
    assert not report.at_rest
    assert report.max_speed > 0.05
