"""Houses after BEHAVIOR-1K scenes: their rooms, their lists, and that they stand."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from test_houses import box, overlap

from esi_fast.assets._behavior_plan import behavior_plan, behavior_rooms
from esi_fast.assets._house_plan import reached
from esi_fast.assets.houses import load, names
from esi_fast.errors import UnknownName
from esi_fast.records import canonical_json
from esi_fast.sim.embedded import EmbeddedSimulator

SAMPLE = ("Rs_int", "Beechwood_0_int", "Wainscott_1_int")


def test_names() -> None:
    assert len(names()) == 26
    assert {"Rs_int", "Merom_1_int", "house_single_floor", "gates_bedroom"} <= set(names())
    with pytest.raises(UnknownName, match="Beechwood_0_int"):
        load("Beechwod_0_int")


@pytest.mark.parametrize("name", names())
def test_plan_of_every_scene(name: str) -> None:
    """True sizes, no overlap, every room joined to the others by doors."""
    rooms = behavior_rooms()[name]
    plan = behavior_plan(rooms, np.random.default_rng(0))
    assert [r.id for r in plan.rooms] == [r.id for r in rooms]
    for made, listed in zip(plan.rooms, rooms, strict=True):
        x0, y0, x1, y1 = made.inner
        assert (x1 - x0, y1 - y0) == pytest.approx(listed.size, abs=0.026)
    for a, b in itertools.combinations(plan.rooms, 2):
        low, high = np.maximum(a.rect[:2], b.rect[:2]), np.minimum(a.rect[2:], b.rect[2:])
        assert (high - low).min() <= 1e-6
    ways = [o for o in plan.openings if len(o.rooms) == 2]
    everything = set(range(len(rooms)))
    assert reached(len(rooms), [(o.rooms[0], o.rooms[1]) for o in ways]) == everything
    opened = reached(len(rooms), [(o.rooms[0], o.rooms[1]) for o in ways if o.open])
    assert opened == {k for k, r in enumerate(plan.rooms) if r.reachable}


@pytest.mark.parametrize("name", SAMPLE)
def test_stands_and_is_what_it_says(name: str) -> None:
    scene = load(name, 1)
    assert canonical_json(load(name, 1)) == canonical_json(scene)
    assert name in scene.approximations[0]
    listed = {room.id: room.objects for room in behavior_rooms()[name]}
    for room in scene.rooms:
        allowed = {key.rsplit("-", 1)[0] for key in listed[room.id]} | {"room_light"}
        inside = [o for o in scene.objects if o.room == room.id and o.role == "furniture"]
        assert {o.category for o in inside} <= allowed
    pieces = [o for o in scene.objects if o.role == "furniture"]
    wanted = sum(sum(objects.values()) for objects in listed.values())
    assert len(pieces) - sum(o.category == "room_light" for o in pieces) >= 0.6 * wanted
    large = [o for o in pieces if o.category in ("sofa", "bed", "fridge", "bookcase", "desk")]
    for a, b in itertools.combinations(large, 2):
        assert overlap(box(a), box(b)) < 1e-4
    simulator = EmbeddedSimulator()
    simulator.load(scene)
    report = simulator.settle()
    assert report.at_rest
    assert report.drift.max(initial=0.0) < 0.02
