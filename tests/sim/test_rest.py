"""What rests is left alone, and wakes when something happens to it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sim_worlds import ground, slab, tilted, world

from esi_fast.assets.houses import house
from esi_fast.records import ObjectSpec
from esi_fast.sim.base import Simulator

IDENTITY = np.array([[0.0, 0.0, 0.0, 1.0]])


def test_support_taken_away(backend: Simulator) -> None:
    """A resting box falls when the box below it is removed, moved or was never fixed."""
    scene = world(
        ground(),
        slab("low", (0.2, 0.2, 0.2), (0.0, 0.0, 0.1), fixed=True),
        slab("middle", (0.2, 0.2, 0.2), (0.0, 0.0, 0.3)),
        slab("high", (0.2, 0.2, 0.2), (0.0, 0.0, 0.5)),
    )
    for how in ("remove", "move"):
        backend.load(scene)
        assert backend.settle().at_rest
        if how == "remove":
            backend.remove(["low"])
        else:
            backend.set_poses(["low"], np.array([[2.0, 0.0, 0.1]]), IDENTITY)
        assert backend.settle().at_rest
        heights = backend.poses(["middle", "high"]).positions[:, 2]
        assert heights == pytest.approx([0.1, 0.3], abs=1e-3)


def test_a_falling_box_wakes_what_it_hits(backend: Simulator) -> None:
    backend.load(
        world(
            ground(),
            slab("post", (0.06, 0.06, 0.6), (0.0, 0.0, 0.3)),
            slab("far", (0.1, 0.1, 0.1), (2.5, 0.0, 0.05)),
        )
    )
    backend.settle()
    far = backend.poses(["far"])
    hammer = slab("hammer", (0.2, 0.2, 0.2), (0.09, 0.0, 1.2), state={"mass": 5.0})
    backend.add([hammer])
    report = backend.settle(max_time=6.0)
    assert report.at_rest
    # The post was hit off its axis and lies now; what was far away has not moved a bit.
    assert backend.poses(["post"]).positions[0, 2] < 0.1
    after = backend.poses(["far"])
    assert after.positions.tobytes() == far.positions.tobytes()
    assert after.orientations.tobytes() == far.orientations.tobytes()


def test_a_long_slide_meets_what_lies_beyond(backend: Simulator) -> None:
    """A block slides metres from where it started and is stopped by a box out there."""
    turn = tilted(30.0)
    t = math.radians(30.0)
    smooth = {"friction": 0.05}

    def on_slope(along: float, above: float) -> tuple[float, float, float]:
        return (
            along * math.cos(t) + above * math.sin(t),
            0.0,
            3.0 - along * math.sin(t) + above * math.cos(t),
        )

    backend.load(
        world(
            slab("slope", (8.0, 1.0, 0.1), (0, 0, 3.0), orientation=turn, fixed=True, state=smooth),
            slab("stop", (0.2, 0.8, 0.3), on_slope(2.5, 0.2), orientation=turn, fixed=True),
            slab("block", (0.2, 0.2, 0.2), on_slope(-2.0, 0.15), orientation=turn, state=smooth),
        )
    )
    assert backend.settle(max_time=8.0).at_rest
    resting = backend.poses(["block"]).positions[0]
    assert resting == pytest.approx(on_slope(2.5 - 0.1 - 0.1, 0.15), abs=5e-3)


def test_touched_once_settled_once(backend: Simulator) -> None:
    backend.load(house("modern", 2))
    assert backend.settle().at_rest
    again = backend.settle()
    assert again.at_rest
    assert again.seconds == 0.0
    assert float(again.drift.max()) == 0.0
    before = backend.poses(again.ids)
    backend.step(1.0)
    after = backend.poses(again.ids)
    assert after.positions.tobytes() == before.positions.tobytes()


def test_new_objects_move_nothing_else(backend: Simulator) -> None:
    """Five things put on the free floor of a house leave every other object where it was."""
    scene = house("modern", 2)
    backend.load(scene)
    backend.settle()
    snapshot = backend.geometry()
    room = next(r for r in scene.rooms if r.type == "living_room")
    center = np.add(room.lower, room.upper) / 2
    new = [
        ObjectSpec(
            id=f"new{k}",
            category="wall",
            model="box",
            scale=(0.1, 0.1, 0.1),
            position=(center[0] + 0.3 * k - 0.6, center[1], 0.05 + 0.01 * k),
            role="question",
        )
        for k in range(5)
    ]
    backend.add(new)
    assert backend.settle().at_rest
    after = backend.geometry()
    assert after.ids == snapshot.ids + tuple(o.id for o in new)
    assert after.boxes[:-5].tobytes() == snapshot.boxes.tobytes()
    assert after.boxes[-5:, 0, 2] == pytest.approx(np.zeros(5), abs=1e-4)
    contacts = backend.contacts()
    touching = {contacts.ids[k] for pair in contacts.pairs for k in pair}
    assert {o.id for o in new} <= touching


def test_objects_come_one_by_one_as_they_come_together(backend: Simulator) -> None:
    """Added to a house at rest, singly or at once or loaded with it: the same to the bit after."""
    scene = house("modern", 2)
    room = next(r for r in scene.rooms if r.type == "living_room")
    x, y = (np.add(room.lower, room.upper) / 2).tolist()
    new = [
        slab(f"new{k}", (0.1, 0.1, 0.1), (x + 0.03 * k, y, 0.1 + 0.11 * k)).model_copy(
            update={"state": state}
        )
        for k, state in enumerate(({}, {"friction": 0.5, "friction_dynamic": 0.3}, {"mass": 2.0}))
    ]
    results = []
    for groups in ([new], [[spec] for spec in new], [new[:2], new[2:]]):
        backend.load(scene)
        backend.settle()
        start = backend.save()
        for group in groups:
            backend.add(group)
        backend.step(0.3)
        once = backend.poses([spec.id for spec in new])
        middle = backend.save()
        backend.settle()
        end = backend.poses(backend.geometry().ids)
        # What was saved goes on alike, and what was before them comes back without them.
        backend.restore(middle)
        backend.settle()
        again = backend.poses(backend.geometry().ids)
        assert again.positions.tobytes() == end.positions.tobytes()
        backend.restore(start)
        assert backend.geometry().ids == tuple(spec.id for spec in scene.objects)
        results.append(b"".join(v.tobytes() for v in (*once, *end)))
    assert results[0] == results[1] == results[2]
    assert once.positions[0, 2] < new[0].position[2] - 0.01
