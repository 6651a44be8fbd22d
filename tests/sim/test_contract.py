"""What every simulator promises, whatever its engine."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest
from sim_worlds import ground, slab, world

from esi_fast import assets
from esi_fast.errors import UnknownName
from esi_fast.records import CameraSpec, LightSpec, ObjectSpec, RoomSpec, SceneSpec
from esi_fast.sim.base import Capability, Simulator
from esi_fast.sim.robot import robot_spec, walk

Needs: TypeAlias = Callable[[Capability], None]
IDENTITY = np.array([[0.0, 0.0, 0.0, 1.0]])


def yawed(angle: float) -> tuple[float, float, float, float]:
    return (0.0, 0.0, math.sin(angle / 2), math.cos(angle / 2))


@pytest.fixture
def room() -> SceneSpec:
    """Two rooms of 2 m x 3 m with a wall between them, a block in each, a rug in the first."""
    return SceneSpec(
        name="rooms",
        seed=3,
        rooms=(
            RoomSpec(id="left", type="bedroom", lower=(0.0, 0.0), upper=(2.0, 3.0)),
            RoomSpec(id="right", type="study", lower=(2.1, 0.0), upper=(4.1, 3.0)),
        ),
        objects=(
            slab("floor", (4.1, 3.0, 0.1), (2.05, 1.5, -0.05), fixed=True, category="floor"),
            slab("wall", (0.1, 3.0, 2.6), (2.05, 1.5, 1.3), fixed=True),
            slab("rug", (1.0, 1.0, 0.02), (1.0, 0.7, 0.01), fixed=True),
            slab("block", (0.4, 0.4, 0.4), (1.0, 2.0, 0.2)),
            slab("other", (0.2, 0.2, 0.2), (3.0, 1.5, 0.1), orientation=yawed(0.5)),
        ),
        lights=(LightSpec(position=(1.0, 1.5, 2.4), color=(3.0, 3.0, 3.0)),),
    )


class TestContent:
    def test_every_capability_has_its_test(self) -> None:
        """Those that stand elsewhere are named here."""
        elsewhere = {Capability.RIGID}
        here = set(re.findall(r"needs\(Capability\.(\w+)\)", Path(__file__).read_text()))
        assert {Capability[name] for name in here} | elsewhere == set(Capability)

    def test_names_itself(self, backend: Simulator) -> None:
        assert backend.name
        assert backend.version
        assert Capability.RIGID in backend.capabilities

    def test_load_keeps_every_pose(self, backend: Simulator, room: SceneSpec) -> None:
        backend.load(room)
        poses = backend.poses([o.id for o in room.objects])
        assert np.abs(poses.positions - [o.position for o in room.objects]).max() <= 1e-9
        assert np.abs(poses.orientations - [o.orientation for o in room.objects]).max() <= 1e-9

    def test_spec_round_trip(self, backend: Simulator, room: SceneSpec) -> None:
        backend.load(room)
        backend.step(0.2)
        first = backend.spec()
        backend.load(first)
        second = backend.spec()
        assert [o.id for o in second.objects] == [o.id for o in room.objects]
        for a, b in zip(first.objects, second.objects, strict=True):
            assert np.abs(np.subtract(a.position, b.position)).max() <= 1e-9
            assert np.abs(np.subtract(a.orientation, b.orientation)).max() <= 1e-9
        assert second.rooms == room.rooms
        assert second.lights == room.lights

    def test_load_replaces(self, backend: Simulator, room: SceneSpec) -> None:
        backend.load(room)
        backend.load(world(ground()))
        assert backend.geometry().ids == ("ground",)

    def test_add_and_remove(self, backend: Simulator, room: SceneSpec) -> None:
        backend.load(room)
        backend.add([slab("new", (0.1, 0.1, 0.1), (0.5, 0.5, 0.5))])
        assert backend.geometry().ids[-1] == "new"
        backend.remove(["block"])
        ids = backend.geometry().ids
        assert "block" not in ids
        assert "new" in ids

    def test_one_that_comes_back_elsewhere_is_seen_there(
        self, backend: Simulator, room: SceneSpec
    ) -> None:
        """With nobody having looked in between."""
        backend.load(room)
        backend.add([slab("new", (0.1, 0.1, 0.1), (0.5, 0.5, 0.5))])
        backend.geometry()
        backend.remove(["new"])
        backend.add([slab("new", (0.1, 0.1, 0.1), (0.5, -0.5, 0.7))])
        snapshot = backend.geometry()
        index = snapshot.index("new")
        drawn = snapshot.scene.world_triangles(index).reshape(-1, 3)
        for low, high in (snapshot.boxes[index], (drawn.min(axis=0), drawn.max(axis=0))):
            np.testing.assert_allclose((low + high) / 2, (0.5, -0.5, 0.7), atol=1e-9)

    def test_adding_keeps_motion(self, backend: Simulator) -> None:
        backend.load(world(slab("a", (0.1, 0.1, 0.1), (0.0, 0.0, 5.0))))
        backend.step(0.25)
        height = backend.poses(["a"]).positions[0, 2]
        backend.add([slab("b", (0.1, 0.1, 0.1), (1.0, 0.0, 5.0))])
        backend.step(0.25)
        after = backend.poses(["a", "b"]).positions[:, 2]
        # v = g t = 2.45 m/s at the start of the second quarter: 0.92 m; from rest 0.31 m.
        assert height - after[0] == pytest.approx(2.4525 * 0.25 + 0.3066, abs=0.03)
        assert 5.0 - after[1] == pytest.approx(0.3066, abs=0.02)

    def test_same_id_twice(self, backend: Simulator, room: SceneSpec) -> None:
        backend.load(room)
        with pytest.raises(ValueError, match="block"):
            backend.add([slab("block", (0.1, 0.1, 0.1), (0, 0, 1))])
        twin = slab("twin", (0.1, 0.1, 0.1), (0, 0, 1))
        with pytest.raises(ValueError, match="twin"):
            backend.add([twin, twin])
        assert len(backend.geometry().ids) == len(room.objects)

    @pytest.mark.parametrize("field", ["category", "model"])
    def test_unknown_shape(self, backend: Simulator, room: SceneSpec, field: str) -> None:
        backend.load(room)
        bad = slab("bad", (0.1, 0.1, 0.1), (0, 0, 1)).model_copy(update={field: "no_such"})
        with pytest.raises(UnknownName, match="no_such"):
            backend.add([slab("good", (0.1, 0.1, 0.1), (0, 0, 1)), bad])
        with pytest.raises(UnknownName, match="no_such"):
            backend.load(world(bad))
        # Nothing of the refused call remains, and the world works on.
        assert backend.geometry().ids == tuple(o.id for o in room.objects)
        assert backend.settle().at_rest

    def test_unknown_ids_are_named(self, backend: Simulator, room: SceneSpec) -> None:
        backend.load(room)
        for call in (
            lambda: backend.poses(["block", "ghost"]),
            lambda: backend.remove(["block", "ghost"]),
            lambda: backend.set_poses(["ghost"], np.zeros((1, 3)), IDENTITY),
            lambda: backend.set_state("ghost", "friction", 0.5),
            lambda: backend.geometry().index("ghost"),
        ):
            with pytest.raises(KeyError, match="ghost"):
                call()
        assert backend.geometry().ids == tuple(o.id for o in room.objects)

    def test_empty_world(self, backend: Simulator) -> None:
        backend.load(world())
        assert backend.geometry().ids == ()
        assert backend.geometry().boxes.shape == (0, 2, 3)
        assert backend.settle().at_rest
        backend.step(0.1)
        assert len(backend.contacts().pairs) == 0


class TestPoses:
    def test_set_and_get(self, backend: Simulator, room: SceneSpec) -> None:
        backend.load(room)
        positions = np.array([[0.5, 2.5, 0.7], [3.0, 2.0, 0.4]])
        orientations = np.array([yawed(0.3), [0.0, math.sqrt(0.5), 0.0, math.sqrt(0.5)]])
        backend.set_poses(["other", "block"], positions, orientations)
        poses = backend.poses(["other", "block"])
        assert np.abs(poses.positions - positions).max() <= 1e-9
        assert np.abs(poses.orientations - orientations).max() <= 1e-9

    def test_moving_stops_motion(self, backend: Simulator) -> None:
        backend.load(world(slab("a", (0.1, 0.1, 0.1), (0.0, 0.0, 9.0))))
        backend.step(0.5)
        backend.set_poses(["a"], np.array([[0.0, 0.0, 5.0]]), IDENTITY)
        backend.step(0.1)
        # From rest 0.049 m; with the old speed of 4.9 m/s half a metre.
        assert 5.0 - backend.poses(["a"]).positions[0, 2] < 0.06

    @pytest.mark.parametrize(
        ("positions", "orientations"),
        [
            (np.full((1, 3), np.nan), IDENTITY),
            (np.full((1, 3), np.inf), IDENTITY),
            (np.zeros((1, 3)), np.full((1, 4), np.nan)),
            (np.zeros((1, 3)), np.zeros((1, 4))),
            (np.zeros((1, 3)), 2.0 * IDENTITY),
            (np.zeros((2, 3)), IDENTITY),
            (np.zeros(3), IDENTITY),
            (np.zeros((1, 3)), np.zeros((1, 3))),
        ],
    )
    def test_bad_poses(
        self, backend: Simulator, room: SceneSpec, positions: Any, orientations: Any
    ) -> None:
        backend.load(room)
        before = backend.poses(["block"])
        with pytest.raises(ValueError, match=r"positions|orientations"):
            backend.set_poses(["block"], positions, orientations)
        assert np.array_equal(backend.poses(["block"]).positions, before.positions)
        assert backend.settle().at_rest


class TestGeometry:
    def test_boxes_of_boxes(self, backend: Simulator, room: SceneSpec) -> None:
        backend.load(room)
        snapshot = backend.geometry()
        for spec, box in zip(room.objects[:4], snapshot.boxes[:4], strict=True):
            assert np.abs(box.mean(axis=0) - spec.position).max() < 1e-9
            assert np.abs(box[1] - box[0] - spec.scale).max() < 1e-9
        # A square of side 0.2 turned by 0.5 rad is 0.2 (cos + sin) wide.
        wide = snapshot.boxes[4, 1, 0] - snapshot.boxes[4, 0, 0]
        assert wide == pytest.approx(0.2 * (math.cos(0.5) + math.sin(0.5)), abs=1e-9)

    def test_triangles_follow_the_pose(self, backend: Simulator, room: SceneSpec) -> None:
        backend.load(room)
        backend.geometry()
        backend.set_poses(["block"], np.array([[1.5, 1.0, 0.2]]), np.array([yawed(0.7)]))
        snapshot = backend.geometry()
        k = snapshot.index("block")
        points = snapshot.scene.world_triangles(k).reshape(-1, 3)
        assert np.abs(points.min(axis=0) - snapshot.boxes[k, 0]).max() < 1e-6
        assert np.abs(points.max(axis=0) - snapshot.boxes[k, 1]).max() < 1e-6
        assert np.abs(points.mean(axis=0)[:2] - [1.5, 1.0]).max() < 0.05

    def test_kernel_ids_are_indices(self, backend: Simulator, room: SceneSpec) -> None:
        from esi_fast import geometry as geo

        backend.load(room)
        backend.remove(["rug"])
        snapshot = backend.geometry()
        origins = np.array([[1.0, 2.0, 2.0], [3.0, 1.5, 2.0], [1.0, 0.7, 2.0]])
        hits = geo.raycast.closest(snapshot.scene, origins, np.tile([0.0, 0.0, -1.0], (3, 1)))
        seen = [snapshot.ids[k] for k in hits.object_id]
        assert seen == ["block", "other", "floor"]
        assert hits.distance == pytest.approx([1.6, 1.8, 2.0], abs=1e-6)

    def test_snapshot_is_cached(self, backend: Simulator, room: SceneSpec) -> None:
        backend.load(room)
        first = backend.geometry()
        assert backend.geometry() is first
        backend.set_poses(["block"], np.array([[1.0, 2.2, 0.2]]), IDENTITY)
        assert backend.geometry().boxes[3, 0, 1] == pytest.approx(2.0)


class TestPhysics:
    def test_settle_report(self, backend: Simulator) -> None:
        backend.load(world(ground(), slab("a", (0.2, 0.2, 0.2), (0.0, 0.0, 0.3))))
        report = backend.settle(max_time=5.0)
        assert report.at_rest
        assert report.ids == ("a",)
        assert report.drift[0] == pytest.approx(0.2, abs=2e-3)
        assert 0.2 < report.seconds < 2.0
        assert report.max_speed < 1e-3
        assert report.penetration < 5e-4

    def test_settle_that_cannot(self, backend: Simulator) -> None:
        backend.load(world(slab("a", (0.2, 0.2, 0.2), (0.0, 0.0, 50.0))))
        report = backend.settle(max_time=0.5)
        assert not report.at_rest
        assert report.max_speed == pytest.approx(9.81 * 0.5, rel=0.05)

    def test_fixed_objects_stay(self, backend: Simulator) -> None:
        backend.load(
            world(
                slab("shelf", (0.5, 0.5, 0.02), (0.0, 0.0, 1.0), fixed=True),
                slab("a", (0.2, 0.2, 0.2), (0.0, 0.0, 1.3)),
            )
        )
        report = backend.settle(max_time=4.0)
        poses = backend.poses(["shelf", "a"])
        assert poses.positions[0].tolist() == [0.0, 0.0, 1.0]
        assert poses.positions[1, 2] == pytest.approx(1.11, abs=1e-3)
        assert report.ids == ("a",)

    def test_a_moved_fixed_object_carries(self, backend: Simulator) -> None:
        backend.load(
            world(
                slab("shelf", (0.5, 0.5, 0.02), (0.0, 0.0, 1.0), fixed=True),
                slab("a", (0.2, 0.2, 0.2), (2.0, 0.0, 2.0)),
            )
        )
        backend.step(0.01)
        backend.set_poses(
            ["shelf", "a"],
            np.array([[2.0, 0.0, 0.5], [2.0, 0.0, 0.7]]),
            np.repeat(IDENTITY, 2, axis=0),
        )
        backend.settle()
        assert backend.poses(["a"]).positions[0, 2] == pytest.approx(0.61, abs=1e-3)

    def test_contacts(self, backend: Simulator) -> None:
        backend.load(
            world(
                ground(),
                slab("low", (0.2, 0.2, 0.2), (0.0, 0.0, 0.1)),
                slab("high", (0.2, 0.2, 0.2), (0.0, 0.0, 0.3)),
                slab("far", (0.2, 0.2, 0.2), (1.0, 0.0, 0.1)),
            )
        )
        backend.settle()
        contacts = backend.contacts()
        named = {frozenset(contacts.ids[k] for k in pair) for pair in contacts.pairs}
        assert named == {
            frozenset(("ground", "low")),
            frozenset(("low", "high")),
            frozenset(("ground", "far")),
        }
        assert contacts.depth.min() >= 0.0
        assert contacts.depth.max() < 5e-4

    def test_asking_changes_nothing(self, backend: Simulator) -> None:
        scene = world(
            ground(),
            slab(
                "a", (0.2, 0.1, 0.3), (0.0, 0.0, 0.5), orientation=(0.1, 0.0, 0.0, math.sqrt(0.99))
            ),
        )
        ends = []
        for asks in (False, True):
            backend.load(scene)
            for _ in range(10):
                backend.step(0.1)
                if asks:
                    backend.contacts()
                    backend.geometry()
                    backend.spec()
            ends.append(backend.poses(["a"]).positions.tobytes())
        assert ends[0] == ends[1]

    def test_two_runs_are_one(self, backend: Simulator) -> None:
        stack = [
            slab(f"b{k}", (0.1, 0.1, 0.1), (0.02 * k, 0.01 * k, 0.1 + 0.15 * k)) for k in range(6)
        ]
        ends = []
        for _ in range(2):
            backend.load(world(ground(), *stack))
            backend.step(1.0)
            poses = backend.poses([s.id for s in stack])
            ends.append(poses.positions.tobytes() + poses.orientations.tobytes())
        assert ends[0] == ends[1]

    @pytest.mark.parametrize("bad", [0.0, -1.0, math.nan, math.inf])
    def test_bad_times(self, backend: Simulator, bad: float) -> None:
        backend.load(world(ground()))
        with pytest.raises(ValueError, match="seconds"):
            backend.step(bad)
        with pytest.raises(ValueError, match="max_time"):
            backend.settle(max_time=bad)
        with pytest.raises(ValueError, match="tol"):
            backend.settle(tol=bad)


class TestState:
    def test_save_and_restore(self, backend: Simulator) -> None:
        ids = ["a", "b"]
        backend.load(
            world(
                ground(),
                slab("a", (0.2, 0.1, 0.3), (0.0, 0.0, 0.4), orientation=(0.6, 0.0, 0.0, 0.8)),
                slab("b", (0.1, 0.1, 0.1), (0.05, 0.0, 0.8)),
            )
        )
        backend.step(0.3)
        token = backend.save()

        def future() -> bytes:
            backend.step(0.7)
            poses = backend.poses(ids)
            return poses.positions.tobytes() + poses.orientations.tobytes()

        here = backend.poses(ids).positions.copy()
        first = future()
        backend.restore(token)
        assert np.array_equal(backend.poses(ids).positions, here)
        assert future() == first
        # Whatever happens in between, the token stays good.
        backend.remove(["a"])
        backend.add([slab("c", (0.1, 0.1, 0.1), (1.0, 0.0, 0.05))])
        backend.set_state("b", "friction", 0.1)
        backend.set_poses(["ground"], np.array([[0.0, 0.0, -1.0]]), IDENTITY)
        backend.geometry()
        backend.settle()
        backend.restore(token)
        assert backend.geometry().ids == ("ground", "a", "b")
        assert backend.geometry().boxes[0, 1, 2] == pytest.approx(0.0, abs=1e-9)
        assert future() == first

    def test_restore_across_load(self, backend: Simulator, room: SceneSpec) -> None:
        backend.load(room)
        token = backend.save()
        backend.load(world(ground()))
        backend.geometry()
        backend.restore(token)
        assert backend.spec() == room
        assert len(backend.geometry().ids) == len(room.objects)

    def test_foreign_token(self, backend: Simulator) -> None:
        with pytest.raises(TypeError, match="token"):
            backend.restore({"not": "a token"})

    def test_states_are_recorded(self, backend: Simulator) -> None:
        backend.load(world(ground(), slab("a", (0.2, 0.2, 0.2), (0.0, 0.0, 0.1))))
        backend.set_state("a", "friction", 0.25)
        backend.set_state("a", "mass", 2.5)
        spec = backend.spec().objects[1]
        assert spec.state == {"friction": 0.25, "mass": 2.5}

    @pytest.mark.parametrize(
        ("key", "value"),
        [
            ("colour", 1.0),
            ("open", 0.5),
            ("light", 1.0),
            ("friction", -0.1),
            ("friction", math.nan),
            ("mass", 0.0),
        ],
    )
    def test_bad_states(self, backend: Simulator, key: str, value: float) -> None:
        backend.load(world(ground(), slab("a", (0.2, 0.2, 0.2), (0.0, 0.0, 0.1))))
        with pytest.raises(ValueError, match=r"key|value"):
            backend.set_state("a", key, value)
        assert backend.spec().objects[1].state == {}

    def test_door_turns_about_its_hinge(self, backend: Simulator) -> None:
        state = {"open": 0.0, "hinge": -1.0, "swing": math.pi / 2}
        door = slab("door", (0.04, 0.8, 2.0), (0.0, 0.0, 1.0), fixed=True, category="door")
        backend.load(world(ground(), door.model_copy(update={"state": state})))
        shut = backend.geometry().boxes[1]
        backend.set_state("door", "open", 1.0)
        wide = backend.geometry().boxes[1]
        # The leaf now lies along x from the hinge at (+-0.02, -0.4), on one side only.
        assert wide[1, 0] - wide[0, 0] == pytest.approx(0.8, abs=1e-9)
        assert wide[1, 1] - wide[0, 1] == pytest.approx(0.04, abs=1e-9)
        assert min(abs(wide[0, 1] + 0.4), abs(wide[1, 1] + 0.4)) < 1e-9
        assert backend.spec().objects[1].state["open"] == 1.0
        backend.set_state("door", "open", 0.0)
        assert backend.geometry().boxes[1] == pytest.approx(shut, abs=1e-12)


class TestArticulation:
    """Lids and doors by force; ``test_drive.py`` has the angles worked out."""

    @pytest.fixture(autouse=True)
    def _able(self, needs: Needs) -> None:
        needs(Capability.ARTICULATION)

    DOOR = slab("door", (0.04, 0.8, 2.0), (0.0, 0.0, 1.0), fixed=True, category="door").model_copy(
        update={"state": {"open": 0.0, "hinge": -1.0, "swing": math.pi / 2}}
    )

    def test_a_free_door(self, backend: Simulator) -> None:
        backend.load(world(ground(), self.DOOR))
        for aim in (0.5, 1.0, 0.0):
            report = backend.drive("door", "open", aim)
            assert (report.ok, report.opened, report.blocked_by) == (True, aim, ())
            assert report.angle_deg == pytest.approx(90.0 * aim)
            assert backend.spec().objects[1].state["open"] == aim

    def test_a_blocked_door(self, backend: Simulator) -> None:
        backend.load(world(ground(), self.DOOR))
        backend.set_state("door", "open", 1.0)
        side = math.copysign(0.5, backend.poses(["door"]).positions[0, 0])
        chest = slab("chest", (0.4, 0.4, 0.6), (side, 0.0, 0.3), fixed=True)
        backend.load(world(ground(), self.DOOR, chest.model_copy(update={"role": "furniture"})))
        report = backend.drive("door", "open", 1.0)
        assert not report.ok
        assert report.blocked_by == ("chest",)
        assert 0.05 < report.opened < 0.9
        # It stays there, shuts again, and the world goes on.
        assert backend.spec().objects[1].state["open"] == report.opened
        assert backend.settle().at_rest
        assert backend.drive("door", "open", 0.0).ok


class TestLiquid:
    """``test_liquid.py`` has what is drawn, and what is refused."""

    @pytest.fixture(autouse=True)
    def _able(self, needs: Needs) -> None:
        needs(Capability.LIQUID)

    def test_fill_and_pour(self, backend: Simulator, models: None) -> None:
        def vessel(name: str, x: float) -> ObjectSpec:
            return ObjectSpec(id=name, category="test_bin", model="exact", position=(x, 0.0, 0.15))

        backend.load(world(ground(), vessel("one", 0.0), vessel("other", 1.0)))
        empty = backend.contents("one")
        assert empty.volume == 0.0
        assert empty.capacity == pytest.approx(0.36 * 0.36 * 0.28, rel=5e-3)
        backend.set_state("one", "fill", 0.5)
        backend.set_state("other", "fill", 0.75)
        token = backend.save()
        half = backend.contents("one")
        assert half.volume == pytest.approx(0.5 * empty.capacity)
        assert half.level == pytest.approx(0.02 + 0.14, abs=2e-3)
        report = backend.pour("one", "other", tilt_deg=180.0)
        assert report.before == pytest.approx(1.25 * empty.capacity)
        # As a pour happens: full, but for a few drops that jumped out.
        assert report.target == pytest.approx(empty.capacity, rel=0.03)
        assert report.spilled == pytest.approx(0.25 * empty.capacity, rel=0.15)
        assert report.left + report.target + report.spilled == pytest.approx(report.before)
        # The vessel stands where it stood, and what is saved is saved with its water.
        assert backend.poses(["one"]).positions[0] == pytest.approx([0.0, 0.0, 0.15])
        backend.restore(token)
        assert backend.contents("one") == half
        with pytest.raises(ValueError, match="value"):
            backend.set_state("one", "fill", 1.5)


class TestCloth:
    """``test_cloth_world.py`` has the shapes."""

    @pytest.fixture(autouse=True)
    def _able(self, needs: Needs) -> None:
        needs(Capability.CLOTH)

    def test_it_covers_and_is_folded(self, backend: Simulator) -> None:
        napkin = ObjectSpec(
            id="napkin", category="dinner_napkin", model=assets.models("dinner_napkin")[0],
            position=(0.0, 0.0, 0.3), state={"spread": 1.0},
        )  # fmt: skip
        backend.load(world(ground(), slab("box", (0.2, 0.2, 0.2), (0.0, 0.0, 0.1)), napkin))
        assert backend.settle(max_time=8.0).at_rest
        camera = CameraSpec(
            position=(0.0, 0.0, 1.5), orientation=(0.0, 0.0, 0.0, 1.0), width=32, height=32
        )
        ids = backend.render([camera], ("ids",))[0].ids
        snapshot = backend.geometry()
        assert ids is not None
        assert ids[16, 16] == snapshot.index("napkin")
        assert snapshot.index("box") not in ids
        # It hangs over the edges, down to the floor or nearly so.
        assert snapshot.boxes[2, 0, 2] < 0.12
        backend.set_state("napkin", "spread", 0.0)
        backend.set_poses(["napkin"], np.array([[1.0, 0.0, 0.05]]), IDENTITY)
        assert backend.settle().at_rest
        bare = backend.render([camera], ("ids",))[0].ids
        assert bare is not None
        assert bare[16, 16] == snapshot.index("box")
        with pytest.raises(ValueError, match="'box'"):
            backend.set_state("box", "spread", 1.0)


class TestLights:
    @pytest.fixture(autouse=True)
    def _able(self, needs: Needs) -> None:
        needs(Capability.LIGHTS)

    def test_a_lamp_lights(self, backend: Simulator) -> None:
        lamp = ObjectSpec(
            id="lamp", category="table_lamp", model=assets.models("table_lamp")[0],
            position=(0.0, 0.5, 1.0), fixed=True,
        )  # fmt: skip
        scene = world(ground(), lamp).model_copy(update={"ambient": (0.02, 0.02, 0.02)})
        backend.load(scene)
        camera = CameraSpec(
            position=(0.0, -0.5, 1.0), orientation=(0.0, 0.0, 0.0, 1.0), width=24, height=24
        )
        means = []
        for power in (0.0, 2.0, 6.0):
            backend.set_state("lamp", "light", power)
            rgb = backend.render([camera])[0].rgb
            assert rgb is not None
            means.append(float(rgb.mean()))
        assert means[0] + 5 < means[1] < means[2]
        assert backend.spec().objects[1].state["light"] == 6.0


class TestMirror:
    @pytest.fixture(autouse=True)
    def _able(self, needs: Needs) -> None:
        needs(Capability.MIRROR)

    def test_a_pixel_of_a_mirror_shows_what_it_reflects(self, backend: Simulator) -> None:
        """A mirror 2 m ahead faces the camera; a block 1 m behind the camera is seen in it."""
        size = assets.get("mirror", "standing").size
        mirror = ObjectSpec(
            id="mirror", category="mirror", model="standing", position=(0.0, 0.0, size[2] / 2),
            fixed=True, role="mirror",
        )  # fmt: skip
        block = slab("block", (0.4, 0.4, 2.0), (3.0, 0.0, 1.0), fixed=True)
        backend.load(world(ground(), mirror, block))
        # Looking along -x at eye height of the block's image.
        camera = CameraSpec(
            position=(2.0, 0.0, 0.9), orientation=(0.5, 0.5, 0.5, 0.5), width=33, height=33
        )
        frame = backend.render([camera], ("ids", "seen_ids", "depth"))[0]
        snapshot = backend.geometry()
        assert frame.ids is not None
        assert frame.seen_ids is not None
        assert frame.depth is not None
        assert frame.ids[16, 16] == snapshot.index("mirror")
        assert frame.seen_ids[16, 16] == snapshot.index("block")
        assert frame.depth[16, 16] == pytest.approx(2.0, abs=0.05)


class TestTransparency:
    @pytest.fixture(autouse=True)
    def _able(self, needs: Needs) -> None:
        needs(Capability.TRANSPARENCY)

    def test_a_window_is_looked_through(self, backend: Simulator) -> None:
        pane = slab("pane", (0.05, 1.0, 1.0), (1.0, 0.0, 1.0), fixed=True, category="window")
        block = slab("block", (0.4, 0.6, 0.6), (2.0, 0.0, 1.0), fixed=True)
        backend.load(world(ground(), pane, block))
        # Looking along +x, beside the bars of the window.
        camera = CameraSpec(
            position=(0.0, 0.2, 1.2), orientation=(0.5, -0.5, -0.5, 0.5), width=33, height=33
        )
        frame = backend.render([camera], ("ids", "seen_ids"))[0]
        snapshot = backend.geometry()
        assert frame.ids is not None
        assert frame.seen_ids is not None
        assert frame.ids[16, 16] == snapshot.index("pane")
        assert frame.seen_ids[16, 16] == snapshot.index("block")


class TestRobot:
    """``test_robot.py`` has the walks worked out."""

    @pytest.fixture(autouse=True)
    def _able(self, needs: Needs) -> None:
        needs(Capability.ROBOT)

    def test_it_walks_and_is_stopped(self, backend: Simulator, room: SceneSpec) -> None:
        backend.load(room)
        backend.add([robot_spec("robot", (0.5, 0.5))])
        there = walk(backend, "robot", [[1.5, 0.5]])
        assert there.arrived
        assert there.length == pytest.approx(1.0)
        back = walk(backend, "robot", [[1.0, 2.8]])
        assert not back.arrived
        assert (back.reason, back.blocked_by) == ("blocked", "block")
        assert backend.poses(["robot"]).positions[0, :2] == pytest.approx(back.positions[-1])


class TestMaps:
    def test_traversability(self, backend: Simulator, room: SceneSpec) -> None:
        backend.load(room)
        floor = backend.traversability()
        assert floor.cells.dtype == bool

        def free(x: float, y: float) -> bool:
            column = int((x - floor.origin[0]) / floor.resolution)
            row = int((y - floor.origin[1]) / floor.resolution)
            return bool(floor.cells[row, column])

        assert free(1.0, 0.7)  # on the rug
        assert free(3.6, 2.6)
        assert not free(1.0, 2.0)  # in the block
        assert not free(2.05, 1.5)  # in the wall
        assert not free(2.01, 1.5)  # at its faces
        assert not free(-0.02, 1.0)  # outside
        walls = ~floor.cells[1:-1]
        assert walls.any(axis=1).all()

    def test_rooms(self, backend: Simulator, room: SceneSpec, needs: Needs) -> None:
        needs(Capability.ROOMS)
        backend.load(room)
        rooms = backend.room_map()
        cell = rooms.resolution**2
        assert (rooms.cells == 1).sum() * cell == pytest.approx(6.0, abs=0.3)
        assert (rooms.cells == 2).sum() * cell == pytest.approx(6.0, abs=0.3)
        assert rooms.cells.shape == backend.traversability().cells.shape

    def test_maps_need_a_floor(self, backend: Simulator, room: SceneSpec) -> None:
        backend.load(world(slab("a", (0.2, 0.2, 0.2), (0.0, 0.0, 0.1))))
        with pytest.raises(ValueError, match="floor"):
            backend.traversability()
        backend.load(room)
        with pytest.raises(ValueError, match="floor"):
            backend.traversability(floor=1)


class TestPictures:
    # 1.5 m above the block, straight down; the picture's up is +y.
    CAMERA = CameraSpec(
        position=(1.0, 2.0, 1.9), orientation=(0.0, 0.0, 0.0, 1.0), width=48, height=32
    )

    def test_all_modalities(self, backend: Simulator, room: SceneSpec) -> None:
        backend.load(room)
        frame = backend.render([self.CAMERA], ("rgb", "depth", "ids", "seen_ids", "normals"))[0]
        assert frame.rgb is not None
        assert frame.rgb.shape == (32, 48, 3)
        assert frame.rgb.dtype == np.uint8
        assert frame.depth is not None
        assert frame.ids is not None
        assert frame.seen_ids is not None
        assert frame.normals is not None
        assert frame.ids[16, 24] == backend.geometry().index("block")
        assert frame.depth[16, 24] == pytest.approx(1.5, abs=1e-6)
        assert frame.normals[16, 24] == pytest.approx([0.0, 0.0, 1.0], abs=1e-6)
        assert np.array_equal(frame.ids, frame.seen_ids)

    def test_only_what_was_asked(self, backend: Simulator, room: SceneSpec) -> None:
        backend.load(room)
        frame = backend.render([self.CAMERA], ("ids",))[0]
        assert frame.ids is not None
        assert frame.rgb is None
        assert frame.depth is None
        assert backend.render([], ("ids",)) == []

    def test_picture_follows_a_move(self, backend: Simulator, room: SceneSpec) -> None:
        backend.load(room)
        backend.render([self.CAMERA], ("ids",))
        backend.set_poses(["block"], np.array([[3.5, 0.5, 0.2]]), IDENTITY)
        frame = backend.render([self.CAMERA], ("ids",))[0]
        assert frame.ids is not None
        assert backend.geometry().index("block") not in frame.ids
        assert frame.ids[16, 24] == backend.geometry().index("floor")

    def test_the_same_picture_each_time(self, backend: Simulator, room: SceneSpec) -> None:
        pictures = []
        for _ in range(2):
            backend.load(room)
            rgb = backend.render([self.CAMERA])[0].rgb
            assert rgb is not None
            pictures.append(rgb.tobytes())
        assert pictures[0] == pictures[1]

    def test_hidden_objects_are_looked_through(self, backend: Simulator, room: SceneSpec) -> None:
        backend.load(room)
        snapshot = backend.geometry()
        plain = backend.render([self.CAMERA], ("ids", "seen_ids", "depth"))[0]
        through = backend.render([self.CAMERA], ("ids", "seen_ids", "depth"), hide=["block"])[0]
        assert through.ids is not None
        assert through.seen_ids is not None
        assert through.depth is not None
        # Ids stay those of the snapshot although an object before "other" is left out.
        assert through.ids[16, 24] == through.seen_ids[16, 24] == snapshot.index("floor")
        assert through.depth[16, 24] == pytest.approx(1.9, abs=1e-6)
        assert snapshot.index("block") not in through.ids
        # Nothing has changed for the next picture, and the hidden follow when they move.
        again = backend.render([self.CAMERA], ("ids",))[0]
        assert np.array_equal(again.ids, plain.ids)
        backend.set_poses(["other"], np.array([[1.0, 2.0, 0.1]]), IDENTITY)
        moved = backend.render([self.CAMERA], ("ids",), hide=["block"])[0]
        assert moved.ids is not None
        assert moved.ids[16, 24] == snapshot.index("other")
        with pytest.raises(KeyError, match="ghost"):
            backend.render([self.CAMERA], ("ids",), hide=["ghost"])

    def test_unknown_modality(self, backend: Simulator, room: SceneSpec) -> None:
        backend.load(room)
        with pytest.raises(ValueError, match="modalities"):
            backend.render([self.CAMERA], ("rgb", "thermal"))
        with pytest.raises(ValueError, match="modalities"):
            backend.render([self.CAMERA], ())


def test_closed(backend: Simulator) -> None:
    backend.load(world(ground()))
    backend.close()
    with pytest.raises(RuntimeError, match="closed"):
        backend.geometry()


def test_objects_are_plain_data(backend: Simulator, room: SceneSpec) -> None:
    backend.load(room)
    assert all(isinstance(o, ObjectSpec) for o in backend.geometry().objects)
    assert SceneSpec.model_validate_json(backend.spec().model_dump_json()) == backend.spec()
