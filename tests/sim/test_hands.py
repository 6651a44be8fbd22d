"""What agents do to things: preconditions, effects, reasons, in worlds worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sim_worlds import ground, slab, tilted, world

from esi_fast import assets
from esi_fast.records import CameraSpec, ObjectSpec, Outcome
from esi_fast.sim.actions import ACTIONS, action, camera_orientation
from esi_fast.sim.base import Capability, Simulator
from esi_fast.sim.episode import EpisodeCore
from esi_fast.sim.hands import LIFT_LIMIT, NEEDS, REACH
from esi_fast.sim.placing import contents_of

Do = Callable[..., Outcome]


@pytest.fixture(autouse=True)
def _models(models: None) -> None:
    """The exact models."""


def thing(name: str, category: str, x: float, y: float, z: float, **more: Any) -> ObjectSpec:
    return ObjectSpec(
        id=name, category=category, model="exact", position=(x, y, z), role="question", **more
    )


def cube(name: str, x: float, y: float, z: float, side: float = 0.1, **more: Any) -> ObjectSpec:
    spec = slab(name, (side,) * 3, (x, y, z), state={"mass": more.pop("mass", 0.5)})
    return spec.model_copy(update={"role": "question", **more})


TABLE = thing("table", "test_table", 1.0, 0.0, 0.25, fixed=True)
BIN = thing("bin", "test_bin", 1.0, 0.0, 0.15)
# Its lid opens away from the camera.
CHEST = thing("chest", "test_chest", 1.0, 0.0, 0.16, orientation=(0.0, 0.0, 1.0, 0.0))
CAMERA = CameraSpec(
    position=(0.0, 0.0, 1.0),
    orientation=camera_orientation(0.0, math.radians(-40.0)),
    width=192,
    height=192,
    vfov_deg=80.0,
)


class Scene:
    """A world with a core whose actions name objects by their ids."""

    def __init__(self, sim: Simulator, *objects: ObjectSpec, camera: CameraSpec = CAMERA) -> None:
        sim.load(world(ground(), *objects))
        self.sim = sim
        self.settled = sim.settle()
        self.core = EpisodeCore(sim, camera)
        self.handle = {object_id: handle for handle, object_id in self.core.handles.items()}

    def do(self, name: str, *ids: str) -> str:
        """The reason of an action, empty when it was done."""
        outcome = self.core.apply(action(name, *(self.handle.get(k, k) for k in ids)))
        assert outcome.ok == (outcome.reason == "")
        return outcome.reason

    def at(self, name: str) -> np.ndarray:
        return self.sim.poses([name]).positions[0].copy()


class TestPickUp:
    def test_it_is_held_before_the_camera_and_comes_along(self, backend: Simulator) -> None:
        scene = Scene(backend, TABLE, cube("a", 0.9, 0.0, 0.55))
        assert scene.do("pick_up", "a") == ""
        assert scene.core.held == ("a",)
        view = scene.core.observe(rgb=False)
        assert scene.handle["a"] in view.handles
        box = view.handles[scene.handle["a"]]
        # In the lower half, about the middle.
        assert box.row0 > 96
        assert box.column0 < 96 < box.column1
        before = scene.at("a")
        for name in ("move_left", "move_up"):
            assert scene.do(name) == ""
        assert scene.at("a") - before == pytest.approx([0.0, 0.25, 0.25], abs=1e-9)
        again = scene.core.observe(rgb=False).handles[scene.handle["a"]]
        assert again == box
        assert scene.do("turn_left") == ""
        x, y, _ = scene.at("a") - scene.core.camera.position
        assert math.degrees(math.atan2(y, x)) == pytest.approx(15.0)
        # It does not fall while it is held, whatever time passes.
        held = scene.at("a")
        backend.step(0.5)
        assert scene.at("a") == pytest.approx(held, abs=1e-12)

    def test_what_stood_on_it_falls(self, backend: Simulator) -> None:
        scene = Scene(backend, TABLE, cube("low", 0.9, 0.0, 0.55), cube("high", 0.9, 0.0, 0.65))
        assert scene.do("pick_up", "low") == ""
        assert scene.at("high")[2] == pytest.approx(0.55, abs=1e-3)

    def test_what_is_in_it_comes_along(self, backend: Simulator) -> None:
        scene = Scene(backend, BIN, cube("in", 1.05, 0.05, 0.08), cube("by", 1.0, 0.35, 0.05))
        apart = scene.at("in") - scene.at("bin")
        assert contents_of(backend.geometry(), "bin") == ("in",)
        assert scene.do("pick_up", "bin") == ""
        assert scene.core.held == ("bin", "in")
        assert scene.at("in") - scene.at("bin") == pytest.approx(apart, abs=1e-5)
        assert scene.do("move_left") == ""
        assert scene.at("in") - scene.at("bin") == pytest.approx(apart, abs=1e-5)
        assert scene.at("by")[2] == pytest.approx(0.05, abs=1e-3)

    @pytest.mark.parametrize(
        ("spec", "reason"),
        [
            (cube("a", 0.9, 0.0, 0.55, mass=LIFT_LIMIT + 1), "too_heavy"),
            (cube("a", 0.9, 0.0, 0.55, fixed=True), "fixed"),
            (cube("a", -0.9, 0.0, 0.05), "not_in_view"),
            (cube("a", 3.0, 0.0, 0.15, side=0.3), "too_far"),
            (cube("a", 0.9, 0.0, 0.502, side=0.004), "not_in_view"),
        ],
    )
    def test_reasons(self, backend: Simulator, spec: ObjectSpec, reason: str) -> None:
        scene = Scene(backend, TABLE, spec)
        before = scene.at("a")
        assert scene.do("pick_up", "a") == reason
        assert scene.core.held == ()
        assert scene.at("a").tolist() == before.tolist()
        if reason == "too_far":
            assert scene.core.numbers["distance"] > REACH
        if reason == "too_heavy":
            assert scene.core.numbers["mass"] == LIFT_LIMIT + 1

    def test_one_hand(self, backend: Simulator) -> None:
        scene = Scene(backend, TABLE, cube("a", 0.9, 0.1, 0.55), cube("b", 0.9, -0.1, 0.55))
        assert scene.do("pick_up", "a") == ""
        assert scene.do("pick_up", "b") == "hands_full"
        assert scene.do("put_on", "b", "table") == "hands_full"
        assert scene.do("pick_up", "nobody") == "unknown_object"

    def test_weight_counts_what_is_in_it(self, backend: Simulator) -> None:
        scene = Scene(backend, BIN, cube("in", 1.0, 0.0, 0.08, mass=8.0))
        # The bin weighs 3 kg.
        assert scene.do("pick_up", "bin") == "too_heavy"
        assert scene.core.numbers["mass"] == pytest.approx(11.0)


class TestPut:
    def test_on_the_middle_of_a_table(self, backend: Simulator) -> None:
        scene = Scene(backend, TABLE, cube("a", 0.5, 0.0, 0.05))
        assert scene.do("put_on", "a", "table") == ""
        assert scene.core.held == ()
        assert scene.at("a") == pytest.approx([1.0, 0.0, 0.55], abs=2e-3)
        assert backend.settle().at_rest
        # The second one finds a place beside it.
        backend.add([cube("b", 0.5, 0.0, 0.05)])
        core = EpisodeCore(backend, CAMERA, nouns={"b": "b", "table": "table"})
        assert core.apply(action("put_on", "b", "table")).ok
        assert backend.poses(["b"]).positions[0, 2] == pytest.approx(0.55, abs=2e-3)
        gap = np.abs(backend.poses(["b"]).positions[0] - scene.at("a"))[:2].max()
        assert gap > 0.1

    def test_held_things_are_put_down(self, backend: Simulator) -> None:
        scene = Scene(backend, TABLE, cube("a", 0.5, 0.0, 0.05))
        assert scene.do("pick_up", "a") == ""
        assert scene.do("put_on", "a", "a") == "same_object"
        assert scene.do("put_on", "a", "table") == ""
        # It lives on as any other thing: taken away, what is on it falls.
        assert backend.spec().objects[2].state["held"] == 0.0
        assert backend.contacts().ids

    def test_stacking_by_hand(self, backend: Simulator) -> None:
        scene = Scene(backend, cube("low", 0.9, 0.0, 0.1, side=0.2), cube("high", 0.6, 0.3, 0.05))
        assert scene.do("put_on", "high", "low") == ""
        assert scene.at("high") == pytest.approx([0.9, 0.0, 0.25], abs=2e-3)

    def test_on_a_slope_it_slides_off(self, backend: Simulator) -> None:
        board = slab(
            "board", (0.4, 0.6, 0.02), (0.9, 0.0, 0.2), orientation=tilted(35.0), fixed=True,
            state={"friction": 0.1},
        )  # fmt: skip
        scene = Scene(
            backend, board.model_copy(update={"role": "question"}), cube("a", 0.5, 0.3, 0.05)
        )
        assert scene.do("put_on", "a", "board") == "fell_off"
        assert scene.core.held == ()
        # Down at the lower end, which is away from the camera.
        assert scene.at("a")[2] < 0.2
        assert scene.at("a")[0] > 0.95
        assert scene.core.numbers["moved"] > 0.1
        assert backend.settle(max_time=6.0).at_rest

    def test_no_room(self, backend: Simulator) -> None:
        box = slab("box", (0.78, 0.78, 0.3), (1.0, 0.0, 0.65), state={"mass": 9.0})
        scene = Scene(backend, TABLE, box, cube("a", 0.5, 0.0, 0.05))
        assert scene.do("put_on", "a", "table") == "no_room"
        assert scene.core.held == ("a",)

    def test_into_an_open_bin(self, backend: Simulator) -> None:
        scene = Scene(backend, BIN, cube("a", 0.6, 0.4, 0.05), cube("b", 0.6, -0.4, 0.05))
        assert scene.do("put_inside", "a", "bin") == ""
        # On its floor of 0.02 m, and within its walls.
        assert scene.at("a")[2] == pytest.approx(0.07, abs=2e-3)
        assert scene.do("put_inside", "b", "bin") == ""
        assert scene.at("b")[2] == pytest.approx(0.07, abs=2e-3)
        assert set(contents_of(backend.geometry(), "bin")) == {"a", "b"}

    @pytest.mark.parametrize(("side", "fits"), [(0.9 * 0.36, True), (1.05 * 0.36, False)])
    def test_what_fits_is_for_the_physics_to_say(
        self, backend: Simulator, side: float, fits: bool
    ) -> None:
        """The opening is 0.36 m: 90 % of it goes in, 105 % lies on the rim."""
        spec = slab("a", (side, side, 0.1), (0.5, 0.6, 0.05), state={"mass": 1.0})
        scene = Scene(backend, BIN, spec.model_copy(update={"role": "question"}))
        assert scene.do("put_inside", "a", "bin") == ("" if fits else "does_not_fit")
        expected = 0.07 if fits else 0.35
        assert scene.at("a")[2] == pytest.approx(expected, abs=5e-3)
        assert scene.core.numbers["spare"] == pytest.approx(0.36 - side, abs=1e-9)

    def test_the_longer_side_goes_along_the_longer_side(self, backend: Simulator) -> None:
        wide = BIN.model_copy(update={"scale": (0.6, 1.3, 1.0), "position": (0.9, 0.0, 0.15)})
        spec = slab("a", (0.4, 0.18, 0.08), (0.5, 0.6, 0.04), state={"mass": 1.0})
        scene = Scene(backend, wide, spec.model_copy(update={"role": "question"}))
        # 0.216 x 0.468 m inside: only crosswise do 0.4 x 0.18 m go in.
        assert scene.do("put_inside", "a", "bin") == ""
        size = np.ptp(backend.geometry().boxes[backend.geometry().index("a")], axis=0)
        assert size[:2] == pytest.approx([0.18, 0.4], abs=2e-3)

    def test_not_a_vessel(self, backend: Simulator) -> None:
        scene = Scene(backend, TABLE, cube("a", 0.5, 0.0, 0.05))
        assert scene.do("put_inside", "a", "table") == "no_cavity"

    def test_a_shut_chest(self, backend: Simulator, needs: Callable[[Capability], None]) -> None:
        needs(Capability.ARTICULATION)
        scene = Scene(backend, CHEST, cube("a", 0.5, 0.4, 0.05))
        assert scene.do("put_inside", "a", "chest") == "closed"
        # Picked up it is; a lid needs no hand of its own.
        assert scene.core.held == ("a",)
        assert scene.do("open", "chest") == ""
        assert scene.do("put_inside", "a", "chest") == ""
        assert scene.do("close", "chest") == ""
        assert contents_of(backend.geometry(), "chest") == ("a",)

    def test_a_shut_door_hides_what_is_in(self, backend: Simulator) -> None:
        scene = Scene(backend, BIN, cube("a", 0.6, 0.4, 0.05))
        seen = scene.core.observe(rgb=False).record.masks
        assert scene.do("put_inside", "a", "bin") == ""
        # From 40 degrees above, the near wall hides some of it but not all.
        after = scene.core.observe(rgb=False)
        assert set(after.record.masks) <= set(seen)
        assert scene.core.history[-1].outcome == Outcome(ok=True)


class TestOpen:
    @pytest.fixture(autouse=True)
    def _able(self, needs: Callable[[Capability], None]) -> None:
        needs(Capability.ARTICULATION)

    def test_open_and_close(self, backend: Simulator) -> None:
        scene = Scene(backend, CHEST, cube("in", 1.1, 0.0, 0.08))
        assert scene.handle["in"] not in scene.core.observe(rgb=False).handles
        assert scene.do("close", "chest") == "already_shut"
        assert scene.do("open", "chest") == ""
        assert scene.do("open", "chest") == "already_open"
        assert scene.handle["in"] in scene.core.observe(rgb=False).handles
        assert scene.do("close", "chest") == ""
        assert scene.handle["in"] not in scene.core.observe(rgb=False).handles

    def test_a_blocked_lid(self, backend: Simulator) -> None:
        crate = slab("crate", (0.3, 0.3, 0.3), (1.0, 0.0, 0.471), state={"mass": 40.0})
        scene = Scene(backend, CHEST, crate)
        assert scene.do("open", "chest") == "blocked"
        assert scene.core.numbers["angle_deg"] < 3.0
        assert scene.core.numbers["opened"] == pytest.approx(
            scene.core.numbers["angle_deg"] / 100.0
        )

    def test_what_has_no_lid(self, backend: Simulator) -> None:
        scene = Scene(backend, BIN, CHEST.model_copy(update={"position": (1.0, 0.5, 0.16)}))
        assert scene.do("open", "bin") == "nothing_to_open"
        assert scene.do("pick_up", "chest") == ""
        assert scene.do("open", "chest") == "held"


class TestWater:
    """A jug of 0.36 x 0.36 x 0.28 m inside holds 36.3 l; a third of it in width and depth 4 l."""

    @pytest.fixture(autouse=True)
    def _able(self, needs: Callable[[Capability], None]) -> None:
        needs(Capability.LIQUID)

    LITRES = 0.36 * 0.36 * 0.28
    SMALL = thing("small", "test_bin", 0.7, 0.5, 0.15, scale=(0.4, 0.4, 1.0))

    def test_fill(self, backend: Simulator) -> None:
        scene = Scene(backend, BIN, cube("a", 0.6, 0.4, 0.05))
        assert scene.do("fill_with_water", "a") == "no_cavity"
        assert scene.do("fill_with_water", "bin") == ""
        assert scene.core.numbers["volume"] == pytest.approx(self.LITRES, rel=5e-3)
        assert backend.contents("bin").volume == pytest.approx(self.LITRES, rel=5e-3)
        assert scene.do("fill_with_water", "bin") == "already_full"
        # It is in the picture, clear, and has no handle of its own.
        view = scene.core.observe(rgb=False)
        snapshot = backend.geometry()
        assert view.frame.ids is not None
        assert snapshot.index("bin/water") in view.frame.ids
        assert len(EpisodeCore(backend, CAMERA).handles) == 2

    def test_pour_over_and_away(self, backend: Simulator) -> None:
        scene = Scene(backend, BIN, self.SMALL)
        assert scene.do("pour", "small", "bin") == "empty"
        assert scene.do("fill_with_water", "small") == ""
        poured = backend.contents("small").volume
        assert scene.do("pour", "small", "bin") == ""
        assert scene.core.held == ("small",)
        now, left = backend.contents("bin").volume, backend.contents("small").volume
        spilled = scene.core.numbers["spilled"]
        assert now + left + spilled == pytest.approx(poured, rel=1e-6)
        assert now > 0.9 * poured
        assert scene.do("pour", "bin", "small") == "hands_full"

    def test_what_is_solid_falls_out_too(self, backend: Simulator) -> None:
        inside = cube("in", 0.7, 0.5, 0.06, side=0.06)
        scene = Scene(backend, BIN, self.SMALL, inside)
        assert scene.do("pour", "small", "bin") == ""
        assert contents_of(backend.geometry(), "bin") == ("in",)
        assert scene.core.held == ("small",)

    def test_what_is_poured_out_falls_down(self, backend: Simulator) -> None:
        scene = Scene(backend, self.SMALL, cube("in", 0.7, 0.5, 0.06, side=0.06))
        assert scene.do("pour", "small") == ""
        assert scene.at("in")[2] == pytest.approx(0.03, abs=1e-2)

    def test_a_shut_lid_keeps_all_in(
        self, backend: Simulator, needs: Callable[[Capability], None]
    ) -> None:
        needs(Capability.ARTICULATION)
        chest = CHEST.model_copy(update={"scale": (0.5, 0.5, 1.0), "position": (0.7, 0.5, 0.16)})
        scene = Scene(backend, BIN, chest, cube("in", 0.7, 0.5, 0.06, side=0.06))
        assert scene.do("pour", "chest", "bin") == "closed"
        assert scene.do("fill_with_water", "chest") == "closed"
        assert scene.core.held == ()
        assert scene.do("open", "chest") == ""
        assert scene.do("pour", "chest", "bin") == ""
        assert contents_of(backend.geometry(), "bin") == ("in",)

    def test_no_vessels(self, backend: Simulator) -> None:
        scene = Scene(backend, BIN, cube("a", 0.6, 0.4, 0.05))
        assert scene.do("pour", "a") == "no_cavity"
        assert scene.do("fill_with_water", "bin") == ""
        assert scene.do("pour", "bin", "a") == "no_cavity"
        # 36 l of water are not weighed (see the approximations), so the bin can be lifted.
        assert scene.do("pour", "bin") == ""
        assert backend.contents("bin").volume < 0.1 * self.LITRES


class TestCloth:
    NAPKIN = ObjectSpec(
        id="napkin", category="dinner_napkin", model=assets.models("dinner_napkin")[0],
        position=(0.8, 0.0, 0.35), role="question", state={"spread": 1.0},
    )  # fmt: skip

    @pytest.fixture(autouse=True)
    def _able(self, needs: Callable[[Capability], None]) -> None:
        needs(Capability.CLOTH)

    def test_picking_it_up_uncovers_and_putting_it_on_covers(self, backend: Simulator) -> None:
        backend.load(world(ground(), cube("a", 0.8, 0.0, 0.07, side=0.14), self.NAPKIN))
        assert backend.settle(max_time=8.0).at_rest
        core = EpisodeCore(backend, CAMERA)
        handle = {object_id: handle for handle, object_id in core.handles.items()}
        covered = core.observe(rgb=False)
        assert handle["napkin"] in covered.handles
        assert handle["a"] not in covered.handles
        assert core.apply(action("pick_up", handle["a"])).reason == "not_in_view"
        assert core.apply(action("pick_up", handle["napkin"])).ok
        bare = core.observe(rgb=False)
        assert handle["a"] in bare.handles
        assert core.apply(action("move_left")).ok
        assert core.apply(action("move_right")).ok
        assert core.apply(action("put_on", handle["napkin"], handle["a"])).ok
        again = core.observe(rgb=False)
        assert handle["napkin"] in again.handles
        assert handle["a"] not in again.handles
        assert core.held == ()


def test_every_manipulation_has_a_need_and_is_refused_without_it(
    backend: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert {n for n, spec in ACTIONS.items() if spec.kind == "manipulate"} == set(NEEDS)
    monkeypatch.setattr(type(backend), "capabilities", frozenset())
    scene = Scene(backend, BIN, cube("a", 0.6, 0.3, 0.05))
    for name in NEEDS:
        args = ("bin", "a")[: 1 + (name in ("put_on", "put_inside"))]
        assert scene.do(name, *args) == "unsupported"


def test_a_held_thing_is_not_in_the_way_of_the_camera(backend: Simulator) -> None:
    """It is less than a step before the camera, and as a solid it would block every move."""
    scene = Scene(backend, BIN)
    assert scene.do("pick_up", "bin") == ""
    start = np.array(scene.core.camera.position)
    for _ in range(4):
        assert scene.do("move_forward") == ""
    assert np.array(scene.core.camera.position) - start == pytest.approx([1.0, 0.0, 0.0])


def test_the_same_actions_give_the_same_world(backend: Simulator) -> None:
    ends = []
    objects = (BIN, cube("a", 0.6, 0.4, 0.05), cube("b", 0.6, -0.4, 0.05))
    for _ in range(2):
        scene = Scene(backend, *objects)
        assert scene.do("put_inside", "a", "bin") == ""
        assert scene.do("pick_up", "b") == ""
        assert scene.do("move_left") == ""
        assert scene.do("put_inside", "b", "bin") == ""
        poses = backend.poses(["bin", "a", "b"])
        ends.append(poses.positions.tobytes() + poses.orientations.tobytes())
    assert ends[0] == ends[1]


NAMES = ("bin", "chest", "a", "b", "table", "nobody")
ANY = st.tuples(
    st.sampled_from([name for name, spec in ACTIONS.items() if spec.kind != "answer"]),
    st.lists(
        st.sampled_from(["bin", "chest", "a", "b", "table", "nobody"]), min_size=2, max_size=2
    ),
)


@given(st.lists(ANY, min_size=1, max_size=12))
@settings(
    max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
def test_any_sequence_leaves_a_sound_world(
    backend: Simulator, models: None, steps: list[tuple[str, list[str]]]
) -> None:
    """Nothing raises or is lost; what is held is so in the world; the same again gives the same."""
    chest = CHEST.model_copy(update={"position": (0.9, 0.55, 0.16)})
    objects = (BIN, chest, cube("a", 0.6, 0.2, 0.05), cube("b", 0.6, -0.3, 0.05))
    table = TABLE.model_copy(update={"position": (0.9, -0.9, 0.25)})
    ends = []
    for _ in range(2):
        scene = Scene(backend, *objects, table)
        for name, ids in steps:
            scene.do(name, *ids[: len(ACTIONS[name].params)])
            held = {o.id for o in backend.spec().objects if o.state.get("held", 0.0) > 0.0}
            assert held == set(scene.core.held)
        scene.core.observe(rgb=False)
        everything = [o.id for o in backend.spec().objects]
        assert len(everything) == 6
        poses = backend.poses(everything)
        assert np.abs(poses.positions).max() < 50.0
        ends.append(poses.positions.tobytes() + poses.orientations.tobytes())
    assert ends[0] == ends[1]


def test_nouns_name_what_has_no_handle(backend: Simulator) -> None:
    table = TABLE.model_copy(update={"role": "furniture"})
    backend.load(world(ground(), table, cube("a", 0.5, 0.0, 0.05)))
    core = EpisodeCore(backend, CAMERA, nouns={"table": "table"})
    (handle,) = core.handles
    assert core.apply(action("put_on", handle, "table")).ok
    other = EpisodeCore(backend, CAMERA)
    assert other.apply(action("put_on", handle, "table")).reason == "unknown_object"
    with pytest.raises(KeyError, match="ghost"):
        EpisodeCore(backend, CAMERA, nouns={"table": "ghost"})
