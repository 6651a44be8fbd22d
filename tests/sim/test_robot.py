"""The robot that walks and the observer above it, in rooms worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sim_worlds import ground, slab, world

from esi_fast.assets.houses import house
from esi_fast.records import ObjectSpec
from esi_fast.sim.base import Capability, Simulator
from esi_fast.sim.robot import (
    OBSERVER_HEIGHT,
    WALK_STEP,
    hidden_above,
    observer_camera,
    robot_spec,
    walk,
)


@pytest.fixture(autouse=True)
def _able(needs: Callable[[Capability], None]) -> None:
    needs(Capability.ROBOT)


def robot(**more: Any) -> ObjectSpec:
    return robot_spec("robot", (0.0, 0.0), **more)


@pytest.mark.parametrize("height", [1.19, 1.5, 1.72])
def test_it_is_as_high_as_it_is_told(backend: Simulator, height: float) -> None:
    backend.load(world(ground(), robot(height=height)))
    box = backend.geometry().boxes[1]
    assert box[:, 2] == pytest.approx([0.0, height], abs=1e-6)
    # No wider than a person.
    assert float((box[1] - box[0])[:2].max()) <= 0.51
    with pytest.raises(ValueError, match="height: expected 1.19 to 1.72 m, got 2"):
        robot(height=2.0)


def test_the_executed_path_is_logged(backend: Simulator) -> None:
    backend.load(world(ground(), robot()))
    done = walk(backend, "robot", [[1.0, 0.0], [1.0, 0.5]])
    assert (done.arrived, done.reason, done.blocked_by) == (True, "", "")
    # 1 m is 30 whole steps and a rest, 0.5 m is 15 and a rest.
    assert len(done.positions) == 1 + 31 + 16
    assert done.positions[1] == pytest.approx([WALK_STEP, 0.0])
    assert done.positions[31] == pytest.approx([1.0, 0.0])
    assert done.positions[-1] == pytest.approx([1.0, 0.5])
    apart = np.linalg.norm(np.diff(done.positions, axis=0), axis=1)
    assert apart.max() <= WALK_STEP + 1e-12
    assert done.length == pytest.approx(1.5)
    assert done.headings[[0, 1, 31, 32]] == pytest.approx([0.0, 0.0, 0.0, math.pi / 2])
    # The world is where the log ends.
    poses = backend.poses(["robot"])
    assert poses.positions[0, :2] == pytest.approx(done.positions[-1])
    assert 2 * math.atan2(*poses.orientations[0, 2:]) == pytest.approx(done.headings[-1])
    # It goes on from there.
    again = walk(backend, "robot", [[0.0, 0.5]])
    assert again.positions[0] == pytest.approx([1.0, 0.5])
    assert again.headings[-1] == pytest.approx(math.pi)


def test_a_box_in_the_way_ends_the_walk(backend: Simulator) -> None:
    box = slab("box", (0.4, 0.4, 0.4), (1.2, 0.0, 0.2))
    backend.load(world(ground(), robot(), box))
    done = walk(backend, "robot", [[2.0, 0.0]])
    assert (done.arrived, done.reason, done.blocked_by) == (False, "blocked", "box")
    # Its face is at 1.0 m and the robot 0.25 m in radius: 22 whole steps come to 0.726.
    assert len(done.positions) == 1 + 22
    assert done.positions[-1] == pytest.approx([22 * WALK_STEP, 0.0])
    # It has pushed nothing and can walk around: 0.2 + 0.25 m beside the middle is free.
    assert backend.poses(["box"]).positions[0].tolist() == [1.2, 0.0, 0.2]
    assert not walk(backend, "robot", [[0.7, 0.44], [2.0, 0.44]]).arrived
    assert walk(backend, "robot", [[0.7, 0.46], [2.0, 0.46]]).arrived


def test_rugs_are_stepped_over_and_boards_walked_under(backend: Simulator) -> None:
    rug = slab("rug", (0.5, 0.5, 0.03), (1.0, 0.0, 0.015), fixed=True)
    sill = slab("sill", (0.1, 2.0, 0.06), (2.0, 0.0, 0.03), fixed=True)
    board = slab("board", (0.5, 0.5, 0.02), (-1.0, 0.0, 1.51), fixed=True)
    backend.load(world(ground(), rug, sill, board, robot(height=1.4)))
    assert walk(backend, "robot", [[1.5, 0.0]]).arrived
    assert walk(backend, "robot", [[2.5, 0.0]]).blocked_by == "sill"
    assert walk(backend, "robot", [[-1.5, 0.0]]).arrived
    tall = robot(height=1.6).model_copy(update={"id": "tall"})
    backend.add([tall])
    assert walk(backend, "tall", [[-2.0, 0.0]]).blocked_by == "board"


def test_a_robot_is_in_the_way_of_another(backend: Simulator) -> None:
    other = robot_spec("other", (1.0, 0.0))
    backend.load(world(ground(), robot(), other))
    done = walk(backend, "robot", [[2.0, 0.0]])
    assert done.blocked_by == "other"
    assert 1.0 - done.positions[-1, 0] < 0.55


def test_who_stands_in_something_does_not_walk(backend: Simulator) -> None:
    backend.load(world(ground(), robot(), slab("crate", (0.3, 0.3, 0.3), (0.3, 0.0, 0.15))))
    done = walk(backend, "robot", [[-1.0, 0.0]])
    assert (done.arrived, done.reason, done.blocked_by) == (False, "start_blocked", "crate")
    assert done.length == 0.0
    backend.remove(["crate"])
    assert walk(backend, "robot", [[-1.0, 0.0]]).arrived


def test_wrong_calls_leave_the_world(backend: Simulator) -> None:
    backend.load(world(ground(), robot(), slab("a", (0.1, 0.1, 0.1), (2.0, 0.0, 0.05))))
    with pytest.raises(ValueError, match="path: expected finite numbers"):
        walk(backend, "robot", [[math.nan, 0.0]])
    with pytest.raises(ValueError, match=r"shape \(N, 2\), got \(1, 3\)"):
        walk(backend, "robot", [[0.0, 0.0, 0.0]])
    with pytest.raises(ValueError, match="step"):
        walk(backend, "robot", [[1.0, 0.0]], step=0.0)
    with pytest.raises(KeyError, match="ghost"):
        walk(backend, "ghost", [[1.0, 0.0]])
    with pytest.raises(ValueError, match="'a' is no robot but a wall"):
        walk(backend, "a", [[1.0, 0.0]])
    assert walk(backend, "robot", np.zeros((0, 2))).arrived
    assert backend.poses(["robot"]).positions[0, :2].tolist() == [0.0, 0.0]


def test_the_observer_sees_the_robot_through_the_hidden_ceiling(backend: Simulator) -> None:
    scene = house("modern", 2)
    backend.load(scene)
    room = next(r for r in scene.rooms if r.type == "living_room")
    center = np.add(room.lower, room.upper) / 2
    backend.add([robot_spec("robot", center)])
    camera = observer_camera(center, size=64, vfov_deg=100.0)
    assert camera.position[2] == OBSERVER_HEIGHT
    snapshot = backend.geometry()
    hidden = hidden_above(snapshot)
    assert {spec.id for spec in snapshot.objects if spec.category == "ceiling"} <= set(hidden)
    assert all(
        snapshot.objects[snapshot.index(k)].category in ("ceiling", "room_light") for k in hidden
    )
    shut = backend.render([camera], ("ids",))[0].ids
    opened = backend.render([camera], ("ids", "depth"), hide=hidden)[0]
    me = snapshot.index("robot")
    assert shut is not None
    assert opened.ids is not None
    assert opened.depth is not None
    assert me not in shut
    assert opened.ids[32, 32] == me
    assert opened.depth[32, 32] == pytest.approx(OBSERVER_HEIGHT - 1.5, abs=0.05)
    assert not {snapshot.index(k) for k in hidden} & set(opened.ids.ravel().tolist())
    # The picture's right is +x: half a metre that way it is to the right of the middle.
    assert walk(backend, "robot", [[center[0] + 0.5, center[1]]]).arrived
    moved = backend.render([camera], ("ids",), hide=hidden)[0].ids
    assert moved is not None
    columns = np.nonzero(moved == me)[1]
    assert columns.mean() > 34.0
    assert len(backend.geometry().ids) == len(snapshot.ids)
