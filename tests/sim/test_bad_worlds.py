"""Bad input is a typed error with numbers, and the world is as it was and usable afterwards."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sim_worlds import ground, slab, world

from esi_fast import assets
from esi_fast.assets import library
from esi_fast.assets.houses import house
from esi_fast.assets.houses import load as load_house
from esi_fast.errors import ObjectTooLarge, PlacementRejected, RecordError, UnknownName
from esi_fast.records import ObjectSpec, RoomSpec, SceneSpec
from esi_fast.sim.base import Capability, Simulator
from esi_fast.sim.placing import place_inside, place_on

CELL = RoomSpec(id="cell", type="closet", lower=(-0.9, -0.9), upper=(0.9, 0.7))
IDENTITY = np.array([[0.0, 0.0, 0.0, 1.0]])


@pytest.fixture
def usable(backend: Simulator, models: None) -> Callable[[], None]:
    """A world with a block that falls; the call checks that it still does, to the millimetre."""
    block = slab("a", (0.2, 0.2, 0.2), (0.0, 0.0, 0.5))
    backend.load(world(ground(), block).model_copy(update={"rooms": (CELL,)}))
    before = backend.spec()

    def check() -> None:
        assert backend.spec() == before
        assert backend.geometry().ids == ("ground", "a")
        report = backend.settle()
        assert report.at_rest
        assert backend.poses(["a"]).positions[0] == pytest.approx([0.0, 0.0, 0.1], abs=1e-3)

    return check


def spec(**more: Any) -> ObjectSpec:
    return slab("bad", (0.2, 0.2, 0.2), (1.0, 0.0, 0.1)).model_copy(update=more)


def bring(backend: Simulator, way: str, wrong: ObjectSpec) -> None:
    """Load or add a good object and a wrong one."""
    both = (slab("good", (0.1, 0.1, 0.1), (2.0, 0.0, 0.05)), wrong)
    if way == "load":
        # Records check themselves; this one is as a careless program makes it.
        backend.load(
            SceneSpec.model_construct(**{**dict(world()), "rooms": (CELL,), "objects": both})
        )
    else:
        backend.add(both)


@pytest.mark.parametrize("way", ["load", "add"])
@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ({"scale": (1e-9, 0.2, 0.2)}, r"'bad': expected extents of 0.0001 to 1000 m, got \[1e-09"),
        ({"scale": (0.2, 1e7, 0.2)}, r"'bad': expected extents .* got \[0.2, 10000000"),
        ({"scale": (0.0, 0.2, 0.2)}, r"(extents|no volume)"),
        ({"scale": (math.nan, 0.2, 0.2)}, "not finite"),
        ({"position": (0.0, 0.0, 1e9)}, r"'bad': expected a position within 100000 m, got .*10000"),
        ({"position": (math.nan, 0.0, 0.0)}, r"'bad': expected a position within .*nan"),
        ({"orientation": (0.0, 0.0, 0.0, 3.0)}, r"'bad': expected a unit quaternion .*3"),
        ({"orientation": (math.nan, 0.0, 0.0, 1.0)}, r"'bad': expected a unit quaternion .*nan"),
        ({"state": {"mass": 1e30}}, r"'bad': mass: .*0.0001 to 100000.0 .*got 1e\+30"),
        ({"state": {"mass": 0.0}}, r"'bad': mass: .*got 0.0"),
        ({"state": {"mass": math.nan}}, r"'bad': mass: .*nan"),
        ({"state": {"friction": -1.0}}, r"'bad': friction: .*0.0 to 10.0 .*got -1.0"),
        ({"state": {"open": 2.0}}, r"'bad': open: .*0.0 to 1.0 .*got 2.0"),
        ({"category": "test_flat", "model": "exact"}, r"test_flat/exact: convex piece 0 has no v"),
        ({"category": "test_torn", "model": "exact"}, r"test_torn/exact: .* corners \[3\] of 8"),
    ],
)  # fmt: skip
def test_bad_objects(
    backend: Simulator, usable: Callable[[], None], way: str, bad: dict[str, Any], words: str
) -> None:
    wrong = spec(**bad)
    with pytest.raises(ValueError, match=words):
        bring(backend, way, wrong)
    usable()


@pytest.mark.parametrize("way", ["load", "add"])
def test_models_that_do_not_exist(backend: Simulator, usable: Callable[[], None], way: str) -> None:
    with pytest.raises(UnknownName, match="no_such"):
        bring(backend, way, spec(model="no_such"))
    usable()


@pytest.mark.parametrize("way", ["load", "add"])
@pytest.mark.parametrize("named", [False, True], ids=["by_place", "by_name"])
@pytest.mark.parametrize("size", [(2.0, 0.1, 0.1), (0.1, 1.8, 0.1), (0.1, 0.1, 2.8)])
def test_an_object_larger_than_its_room(
    backend: Simulator,
    usable: Callable[[], None],
    way: str,
    named: bool,
    size: tuple[float, float, float],
) -> None:
    where = {"room": "cell", "position": (3.0, 0.0, 1.5)} if named else {"position": (0.0, 0.0, 2)}
    with pytest.raises(ObjectTooLarge, match="larger_than_room") as caught:
        bring(backend, way, spec(scale=size, **where))
    error = caught.value
    assert isinstance(error, PlacementRejected)
    assert isinstance(error, ValueError)
    assert error.numbers["object"] == "bad"
    assert error.numbers["extents"] == pytest.approx(size)
    assert error.numbers["room"] == "cell"
    assert error.numbers["room_extents"] == pytest.approx((1.8, 1.6, 2.6))
    usable()


def test_what_fits_a_room_as_it_is_turned(backend: Simulator, usable: Callable[[], None]) -> None:
    """A plank of 2 m lies in 1.8 x 1.6 m from corner to corner; outside the room it may be long."""
    long = (2.0, 0.05, 0.05)
    half = math.radians(45.0) / 2
    across = (0.0, 0.0, math.sin(half), math.cos(half))
    backend.add([spec(scale=long, position=(0.0, 0.0, 2.0), orientation=across)])
    backend.remove(["bad"])
    backend.add([spec(scale=long, position=(2.5, 0.0, 0.5))])
    backend.remove(["bad"])
    usable()


def test_an_object_larger_than_the_place_it_is_put(backend: Simulator, models: None) -> None:
    """Under a shelf 0.2 m up no block of 0.5 m fits, and none into a bin of 0.36 m."""

    def thing(name: str, category: str, x: float, z: float) -> ObjectSpec:
        return ObjectSpec(id=name, category=category, model="exact", position=(x, 0.0, z))

    lid = slab("lid", (1.0, 1.0, 0.02), (-1.5, 0.0, 0.71), fixed=True)
    table, crate = thing("table", "test_table", -1.5, 0.25), thing("bin", "test_bin", 1.5, 0.15)
    block = slab("block", (0.5, 0.5, 0.5), (0.0, 0.0, 0.25))
    backend.load(world(ground(), lid, table, crate, block))
    placed = place_on(backend, "block", "table")
    assert placed.reason == "no_room"
    sizes = {k: placed.numbers[k] for k in ("width", "height", "surface_width", "clearance")}
    assert sizes == pytest.approx(
        {"width": 0.5, "height": 0.5, "surface_width": 0.8, "clearance": math.inf}
    )
    placed = place_inside(backend, "block", "bin")
    assert placed.reason == "does_not_fit"
    assert placed.numbers["spare"] == pytest.approx(0.36 - 0.5)
    # The block lies on the bin's rim; the world goes on.
    assert backend.settle().at_rest
    assert backend.poses(["block"]).positions[0, 2] > 0.3
    backend.remove(["bin"])
    assert backend.settle().at_rest
    assert backend.poses(["block"]).positions[0, 2] == pytest.approx(0.25, abs=0.01)


def test_houses_that_do_not_exist(backend: Simulator, usable: Callable[[], None]) -> None:
    with pytest.raises(UnknownName, match="Beechwood_0_int"):
        backend.load(load_house("Beechwod_0_int"))
    with pytest.raises(ValueError, match="rooms: expected .* got 99"):
        backend.load(house("modern", 1, rooms=99))
    usable()


def test_broken_and_huge_meshes(
    backend: Simulator,
    usable: Callable[[], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Files that are no solid are refused with numbers; the mended one falls and rests."""
    monkeypatch.setattr(library, "_IMPORTED", {})
    (tmp_path / "gnome").mkdir()
    file = tmp_path / "gnome" / "first.obj"
    corners = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    quads = [(1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4)]

    def write(scale: float, faces: int, first: str = "") -> None:
        lines = [f"v {x * scale} {y * scale} {z * scale}" for x, y, z in corners]
        lines[0] = first or lines[0]
        lines += [f"f {' '.join(map(str, quad))}" for quad in quads[:faces]]
        file.write_text("\n".join(lines) + "\n")

    for scale, faces, first, words in (
        (0.1, 5, "", "closed surface, got 4 edges"),
        (1e4, 6, "", r"0\.0001 to 100\.0 m, got 2e\+04"),
        (0.1, 6, "v nan 0 0", r"finite coordinates, got 1 vert"),
    ):
        write(scale, faces, first)
        with pytest.raises(RecordError, match=words):
            assets.from_folder(tmp_path)
        with pytest.raises(UnknownName, match="gnome"):
            backend.add([spec(category="gnome", model="first", scale=(1.0, 1.0, 1.0))])
    usable()
    write(0.1, 6)
    assets.from_folder(tmp_path)
    backend.add([spec(category="gnome", model="first", scale=(1.0, 1.0, 1.0))])
    assert backend.settle().at_rest
    assert backend.poses(["bad"]).positions[0, 2] == pytest.approx(0.1, abs=1e-3)


def test_a_leaking_vessel(
    backend: Simulator, models: None, needs: Callable[[Capability], None]
) -> None:
    """It cannot be filled, poured into or asked; beside it a tight one still can."""
    needs(Capability.LIQUID)
    leaky, tight = (
        ObjectSpec(id=name, category=f"test_{name}", model="exact", position=(x, 0.0, 0.15))
        for name, x in (("leaky", -0.5), ("bin", 0.5))
    )
    backend.load(world(ground(), leaky, tight))
    backend.set_state("bin", "fill", 0.5)
    before = backend.spec()
    calls: list[Callable[[], object]] = [
        lambda: backend.set_state("leaky", "fill", 0.5),
        lambda: backend.contents("leaky"),
        lambda: backend.pour("leaky", "bin"),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="'leaky'"):
            call()
    with pytest.raises(ValueError, match=r"'leaky' .* it holds 0 ml: it leaks"):
        backend.set_state("leaky", "fill", 0.1)
    assert backend.spec() == before
    assert backend.settle().at_rest
    assert backend.contents("bin").volume == pytest.approx(0.5 * 0.36 * 0.36 * 0.28, rel=0.02)


@pytest.mark.parametrize(
    ("position", "orientation", "words"),
    [
        ((math.nan, 0.0, 0.0), IDENTITY[0], "positions: expected finite"),
        ((0.0, math.inf, 0.0), IDENTITY[0], "positions: expected finite"),
        ((0.0, 0.0, 1e300), IDENTITY[0], r"positions: expected within 100000 m, got 1e\+300 m"),
        ((0.0, 0.0, 1.0), (0.0, 0.0, 0.0, math.nan), "orientations: expected finite"),
        ((0.0, 0.0, 1.0), (0.0, 0.0, 0.0, 0.5), r"orientations: expected unit .*\[0.5\]"),
    ],
)
def test_bad_poses(
    backend: Simulator,
    usable: Callable[[], None],
    position: tuple[float, ...],
    orientation: tuple[float, ...],
    words: str,
) -> None:
    with pytest.raises(ValueError, match=words):
        backend.set_poses(["a"], np.array([position]), np.array([orientation]))
    usable()


def test_ids_that_do_not_exist(backend: Simulator, usable: Callable[[], None]) -> None:
    calls: list[Callable[[], object]] = [
        lambda: backend.poses(["ghost"]),
        lambda: backend.remove(["a", "ghost"]),
        lambda: backend.set_poses(["ghost"], np.zeros((1, 3)), IDENTITY),
        lambda: backend.set_state("ghost", "mass", 1.0),
        lambda: backend.render([], hide=["ghost"]),
    ]
    for call in calls:
        with pytest.raises(KeyError, match="ghost"):
            call()
    usable()


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("mass", 1e9, r"value: expected 0.0001 to 100000.0 for 'mass', got 1000000000.0"),
        ("mass", math.inf, "value: expected a finite number, got inf"),
        ("friction", 11.0, "value: expected 0.0 to 10.0 for 'friction', got 11.0"),
        ("open", 1.0, "key: 'a' .*nothing to open"),
        ("colour", 1.0, "key: expected one of open, friction, .* got 'colour'"),
    ],
)
def test_bad_states(
    backend: Simulator, usable: Callable[[], None], key: str, value: float, words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        backend.set_state("a", key, value)
    usable()


def test_the_heaviest_on_the_lightest(backend: Simulator) -> None:
    """A mass ratio of 1e9 is within the ranges: it squeezes, and nothing turns into NaN."""
    backend.load(
        world(
            ground(),
            slab("light", (0.1, 0.1, 0.1), (0.0, 0.0, 0.05), state={"mass": 1e-4}),
            slab("heavy", (0.3, 0.3, 0.3), (0.0, 0.0, 0.3), state={"mass": 1e5}),
        )
    )
    backend.step(1.0)
    positions = backend.poses(["light", "heavy"]).positions
    assert np.isfinite(positions).all()
    assert np.abs(positions).max() < 100.0
    backend.remove(["heavy"])
    backend.settle()
    assert np.isfinite(backend.poses(["light"]).positions).all()


def test_things_that_were_put_into_each_other_part(backend: Simulator) -> None:
    """Two blocks in the same place are pushed apart, and are reported until they are."""
    backend.load(
        world(
            ground(),
            slab("a", (0.2, 0.2, 0.2), (0.0, 0.0, 0.1)),
            slab("b", (0.2, 0.2, 0.2), (0.05, 0.0, 0.1)),
        )
    )
    contacts = backend.contacts()
    deepest = {
        tuple(sorted(contacts.ids[k] for k in pair)): depth
        for pair, depth in zip(contacts.pairs.tolist(), contacts.depth, strict=True)
    }
    assert deepest["a", "b"] == pytest.approx(0.15, abs=1e-6)
    report = backend.settle(max_time=8.0)
    assert report.at_rest
    assert report.penetration < 1e-3
    assert np.isfinite(backend.poses(["a", "b"]).positions).all()
