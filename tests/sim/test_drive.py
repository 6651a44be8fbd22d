"""Lids and doors that are moved by force: what they move, what stops them, and what comes after."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from box_world import BoxWorld
from sim_worlds import ground, slab, world

from esi_fast import assets
from esi_fast.records import ObjectSpec
from esi_fast.sim.base import Capability, Simulator


@pytest.fixture(autouse=True)
def _articulated(needs: Callable[[Capability], None], models: None) -> None:
    needs(Capability.ARTICULATION)


def chest(*, fixed: bool = False, opened: float = 0.0, x: float = 0.0) -> ObjectSpec:
    """Its lid lies at 0.30 to 0.32 m, hinged along x = -0.2 and opening to 100 degrees."""
    return ObjectSpec(
        id="chest", category="test_chest", model="exact", position=(x, 0.0, 0.16), fixed=fixed,
        state={"open": opened},
    )  # fmt: skip


def lid_top(backend: Simulator) -> float:
    snapshot = backend.geometry()
    return float(snapshot.boxes[snapshot.index("chest"), 1, 2])


@pytest.mark.parametrize("fixed", [True, False])
def test_a_free_lid_goes_where_it_is_told(backend: Simulator, fixed: bool) -> None:
    backend.load(world(ground(), chest(fixed=fixed)))
    backend.settle()
    base = float(backend.poses(["chest"]).positions[0, 2]) - 0.16
    for aim in (0.5, 1.0, 0.3, 0.0):
        report = backend.drive("chest", "open", aim)
        assert report.ok
        assert report.opened == aim
        assert report.angle_deg == pytest.approx(100.0 * aim)
        assert report.blocked_by == ()
        # The lid is 0.4 m long and 0.02 thick: its highest point by hand.
        a = math.radians(100.0 * aim)
        corners = [0.4 * math.sin(a) * u + 0.02 * math.cos(a) * w for u in (0, 1) for w in (0, 1)]
        assert lid_top(backend) - base == pytest.approx(0.3 + max(corners), abs=2e-3)
        assert backend.settle().at_rest
    at = backend.poses(["chest"]).positions[0]
    assert at == pytest.approx([0.0, 0.0, 0.16], abs=2e-3)


def test_nothing_to_do(backend: Simulator) -> None:
    backend.load(world(ground(), chest()))
    before = backend.poses(["chest"])
    report = backend.drive("chest", "open", 0.0)
    assert (report.ok, report.seconds) == (True, 0.0)
    # Nor for less than a thousandth of a radian.
    report = backend.drive("chest", "open", 5e-324)
    assert (report.ok, report.opened, report.seconds) == (True, 5e-324, 0.0)
    assert backend.poses(["chest"]).positions.tobytes() == before.positions.tobytes()


def test_what_lies_on_a_lid_slides_off(backend: Simulator) -> None:
    book = slab("book", (0.15, 0.1, 0.03), (0.0, 0.0, 0.336), state={"mass": 0.5, "friction": 0.3})
    backend.load(world(ground(), chest(), book))
    backend.settle()
    assert backend.drive("chest", "open", 1.0).ok
    assert backend.settle().at_rest
    at = backend.poses(["book"]).positions[0]
    # Behind the chest, on the floor.
    assert at[2] < 0.1
    assert at[0] < -0.2


def test_a_heavy_thing_holds_the_lid_down(backend: Simulator) -> None:
    """A hand lifts 30 N x 0.4 m about the hinge; 20 kg in the middle ask for 39 N m."""
    crate = slab("crate", (0.3, 0.3, 0.3), (0.0, 0.0, 0.471), state={"mass": 20.0})
    backend.load(world(ground(), chest(), crate))
    assert backend.settle().at_rest
    before = backend.poses(["crate"]).positions[0]
    report = backend.drive("chest", "open", 1.0)
    assert not report.ok
    assert report.opened < 0.02
    assert report.angle_deg == pytest.approx(100.0 * report.opened)
    assert report.blocked_by == ("crate",)
    # The world goes on: everything is where it was, and without the crate the lid opens.
    assert backend.settle().at_rest
    assert backend.poses(["crate"]).positions[0] == pytest.approx(before, abs=2e-3)
    backend.remove(["crate"])
    assert backend.drive("chest", "open", 1.0).ok


def test_a_shelf_above_stops_the_lid(backend: Simulator) -> None:
    """A board over the chest, 0.1 m above the lid: the angle at which its edge meets it."""
    board = slab("board", (0.6, 0.6, 0.02), (0.0, 0.0, 0.43), fixed=True)
    board = board.model_copy(update={"role": "furniture"})
    backend.load(world(ground(), chest(fixed=True), board))
    report = backend.drive("chest", "open", 1.0)
    assert not report.ok
    assert report.blocked_by == ("board",)
    # The upper edge of the tip is at 0.3 + 0.4 sin a + 0.02 cos a = 0.42.
    a = next(
        d for d in np.arange(0.0, 90.0, 0.01)
        if 0.4 * math.sin(math.radians(d)) + 0.02 * math.cos(math.radians(d)) >= 0.12
    )  # fmt: skip
    assert report.angle_deg == pytest.approx(a, abs=1.0)
    assert backend.spec().objects[1].state["open"] == pytest.approx(report.opened)
    # It shuts again, and reaches halfway to where it was stopped.
    assert backend.drive("chest", "open", 0.5 * report.opened).ok
    assert backend.drive("chest", "open", 0.0).ok


def test_an_overfull_chest_does_not_shut(backend: Simulator) -> None:
    """A post of 0.36 m stands in a chest whose inside is 0.28 m high."""
    post = slab("post", (0.1, 0.1, 0.36), (0.1, 0.0, 0.2), state={"mass": 2.0})
    backend.load(world(ground(), chest(opened=1.0), post))
    assert backend.settle().at_rest
    report = backend.drive("chest", "open", 0.0)
    assert not report.ok
    assert report.blocked_by == ("post",)
    # The lid meets the post's edge at x = 0.05 or 0.15, 0.38 m high, 0.08 m over the hinge.
    assert 0.15 < report.opened < 0.45
    backend.remove(["post"])
    assert backend.drive("chest", "open", 0.0).ok


def test_contents_stay_where_they_are(backend: Simulator) -> None:
    inside = slab("inside", (0.1, 0.1, 0.1), (0.05, 0.02, 0.07), state={"mass": 0.3})
    backend.load(world(ground(), chest(), inside))
    backend.settle()
    before = backend.poses(["inside"]).positions[0]
    for aim in (1.0, 0.0):
        assert backend.drive("chest", "open", aim).ok
        backend.settle()
    assert backend.poses(["inside"]).positions[0] == pytest.approx(before, abs=2e-3)


def door(*, opened: float = 0.0) -> ObjectSpec:
    leaf = slab("door", (0.04, 0.8, 2.0), (0.0, 0.0, 1.0), fixed=True, category="door")
    state = {"open": opened, "hinge": -1.0, "swing": math.pi / 2}
    return leaf.model_copy(update={"state": state})


def test_a_door_opens_between_its_posts(backend: Simulator) -> None:
    posts = [
        slab(f"post{k}", (0.1, 0.1, 2.1), (0.0, s * 0.45, 1.05), fixed=True)
        for k, s in enumerate((-1, 1))
    ]
    backend.load(world(ground(), door(), *posts))
    report = backend.drive("door", "open", 1.0)
    assert (report.ok, report.angle_deg) == (True, pytest.approx(90.0))
    snapshot = backend.geometry()
    box = snapshot.boxes[snapshot.index("door")]
    assert box[1] - box[0] == pytest.approx([0.8, 0.04, 2.0], abs=1e-9)
    assert backend.drive("door", "open", 0.0).ok
    assert backend.poses(["door"]).positions[0] == pytest.approx([0.0, 0.0, 1.0], abs=1e-9)


def test_a_door_pushes_what_is_light_and_stops_at_what_is_heavy(backend: Simulator) -> None:
    backend.load(world(ground(), door()))
    backend.set_state("door", "open", 1.0)
    way = np.sign(backend.poses(["door"]).positions[0, 0])
    results = {}
    for mass in (1.0, 400.0):
        box = slab("box", (0.3, 0.3, 0.3), (way * 0.45, 0.1, 0.15), state={"mass": mass})
        backend.load(world(ground(), door(), box))
        backend.settle()
        before = backend.poses(["box"]).positions[0]
        report = backend.drive("door", "open", 1.0)
        shift = float(np.linalg.norm(backend.poses(["box"]).positions[0] - before))
        results[mass] = (report, shift)
    assert results[1.0][0].ok
    assert results[1.0][1] > 0.2
    assert not results[400.0][0].ok
    assert results[400.0][0].blocked_by == ("box",)
    assert results[400.0][1] < 0.01
    assert 5.0 < results[400.0][0].angle_deg < 60.0


@pytest.mark.parametrize(
    "category", ["microwave", "dishwasher", "oven", "fridge", "bottom_cabinet", "wardrobe"]
)
def test_every_hinge_of_the_inventory_turns(backend: Simulator, category: str) -> None:
    """Alone on the floor each opens wide and shuts, without help from its own walls."""
    for model in assets.models(category)[:3]:
        asset = assets.get(category, model)
        spec = ObjectSpec(
            id="it", category=category, model=model, position=(0.0, 0.0, asset.size[2] / 2),
            fixed=True,
        )  # fmt: skip
        backend.load(world(ground(), spec))
        if not asset.hinges:
            with pytest.raises(ValueError, match="nothing to open"):
                backend.drive("it", "open", 1.0)
            continue
        assert backend.drive("it", "open", 1.0).ok, (category, model)
        assert backend.drive("it", "open", 0.0).ok, (category, model)


def test_doors_of_one_object_move_together(backend: Simulator) -> None:
    """A wall before one door of a wardrobe stops all of them at the same opening."""
    asset = next(
        a for a in (assets.get("wardrobe", m) for m in assets.models("wardrobe"))
        if len(a.hinges) > 1
    )  # fmt: skip
    x, y, z = asset.size
    wardrobe = ObjectSpec(
        id="it", category="wardrobe", model=asset.model, position=(0.0, 0.0, z / 2), fixed=True
    )
    end = slab("end", (0.1, 0.1, z), (x / 2 + 0.25, y / 2 - 0.1, z / 2), fixed=True)
    backend.load(world(ground(), wardrobe, end.model_copy(update={"role": "furniture"})))
    report = backend.drive("it", "open", 1.0)
    assert not report.ok
    assert report.blocked_by == ("end",)
    assert 0.05 < report.opened < 0.95
    assert backend.spec().objects[1].state["open"] == report.opened
    backend.remove(["end"])
    assert backend.drive("it", "open", 1.0).ok


def test_a_backend_that_drives_nothing_says_so() -> None:
    world = BoxWorld()
    with pytest.raises(ValueError, match="'box_world' drives nothing, got 'open' of 'door'"):
        world.drive("door", "open", 1.0)


def test_the_same_drive_gives_the_same_bits(backend: Simulator) -> None:
    ends = []
    book = slab("book", (0.15, 0.1, 0.03), (0.0, 0.0, 0.336), state={"mass": 0.5})
    backend.load(world(ground(), chest(), book))
    backend.settle()
    token = backend.save()
    for _ in range(2):
        backend.restore(token)
        assert backend.drive("chest", "open", 0.7).ok
        backend.step(0.5)
        ends.append(backend.poses(["chest", "book"]).positions.tobytes())
    assert ends[0] == ends[1]


def test_wrong_calls(backend: Simulator) -> None:
    backend.load(world(ground(), chest(), slab("a", (0.1, 0.1, 0.1), (1.0, 0.0, 0.05))))
    with pytest.raises(KeyError, match="ghost"):
        backend.drive("ghost", "open", 1.0)
    with pytest.raises(ValueError, match="key: expected 'open', got 'fill'"):
        backend.drive("chest", "fill", 1.0)
    for bad in (1.5, -0.1, math.nan):
        with pytest.raises(ValueError, match="value"):
            backend.drive("chest", "open", bad)
    with pytest.raises(ValueError, match="'a'.*nothing to open"):
        backend.drive("a", "open", 1.0)
    assert backend.drive("chest", "open", 1.0).ok
