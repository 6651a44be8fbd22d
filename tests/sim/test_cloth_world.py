"""Cloth in the world, on every backend that has it: it falls, drapes, stays and is recorded."""

from __future__ import annotations

import numpy as np
import pytest
from sim_worlds import ground, slab, world

from esi_fast import assets
from esi_fast import geometry as geo
from esi_fast.records import ObjectSpec
from esi_fast.sim.base import Capability, Simulator


@pytest.fixture
def sim(backend: Simulator) -> Simulator:
    if Capability.CLOTH not in backend.capabilities:
        pytest.skip("this backend has no cloth")
    return backend


def napkin(z: float, **more: object) -> ObjectSpec:
    """45 x 45 cm, spread out."""
    model = assets.models("dinner_napkin")[0]
    made = ObjectSpec(
        id="napkin", category="dinner_napkin", model=model, position=(0, 0, z), role="question"
    )
    return made.model_copy(update={"state": {"spread": 1.0}, **more})


def draped(sim: Simulator) -> np.ndarray:
    """Corners (T, 3, 3) of a napkin that fell over a box of 20 cm."""
    sim.load(world(ground(), slab("box", (0.2, 0.2, 0.2), (0, 0, 0.1)), napkin(0.35)))
    assert sim.settle(max_time=6.0).at_rest
    snapshot = sim.geometry()
    return snapshot.scene.world_triangles(snapshot.index("napkin"))


def test_it_drapes_over_what_has_settled(sim: Simulator) -> None:
    corners = draped(sim)
    points = corners.reshape(-1, 3)
    snapshot = sim.geometry()
    box = snapshot.boxes[snapshot.index("box")]
    # It lies on the top and hangs down on all sides, through neither box nor floor.
    assert points[:, 2].max() == pytest.approx(0.2 + 0.0075, abs=0.01)
    assert points[:, 2].min() > 0.0
    inside = (points > box[0] + 1e-3).all(axis=1) & (points < box[1] - 1e-3).all(axis=1)
    assert not inside.any()
    for axis in (0, 1):
        low = points[points[:, 2] < 0.17]
        assert low[:, axis].min() < -0.1
        assert low[:, axis].max() > 0.1
    # As wide as it was, and hidden below it is the box.
    area = np.linalg.norm(
        np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1
    )
    assert area.sum() / 2 == pytest.approx(2 * 0.45**2, rel=0.1)
    hit = geo.raycast.closest(snapshot.scene, [[0.05, 0.02, 1.0]], [[0.0, 0.0, -1.0]])
    assert snapshot.ids[int(hit.object_id[0])] == "napkin"


def test_shape_is_part_of_spec_and_token(sim: Simulator) -> None:
    before = draped(sim)
    spec, token = sim.spec(), sim.save()
    assert sim.settle().at_rest
    assert sim.spec() == spec
    sim.load(spec)
    assert sim.settle().at_rest
    snapshot = sim.geometry()
    again = snapshot.scene.world_triangles(snapshot.index("napkin"))
    np.testing.assert_allclose(again, before, atol=1e-9)
    sim.remove(["napkin"])
    sim.restore(token)
    assert sim.spec() == spec


def test_one_future_of_a_saved_fall(sim: Simulator) -> None:
    sim.load(world(ground(), slab("box", (0.2, 0.2, 0.2), (0, 0, 0.1)), napkin(0.35)))
    sim.step(0.2)
    token = sim.save()
    sim.step(0.2)
    first = sim.spec()
    sim.restore(token)
    sim.step(0.2)
    assert sim.spec() == first


def test_lifted_it_falls_again_and_folded_it_is_rigid(sim: Simulator) -> None:
    draped(sim)
    here = sim.poses(["napkin"])
    sim.set_poses(["napkin"], here.positions + np.array([0.6, 0.0, 0.5]), here.orientations)
    sim.settle(max_time=6.0)
    assert sim.poses(["napkin"]).positions[0, 2] < 0.1
    sim.load(world(ground(), napkin(0.3, state={})))
    sim.settle()
    height = assets.get("dinner_napkin", assets.models("dinner_napkin")[0]).size[2]
    assert sim.poses(["napkin"]).positions[0, 2] == pytest.approx(height / 2, abs=1e-3)


def test_refusals(sim: Simulator) -> None:
    with pytest.raises(ValueError, match=r"'napkin': points: expected none or \d+, got 2"):
        sim.load(world(ground(), napkin(0.3, points=((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)))))
    sim.load(world(ground()))
    with pytest.raises(ValueError, match="spread"):
        sim.add([napkin(0.3, state={"spread": 3.0})])
    assert sim.geometry().ids == ("ground",)
