"""Bad input is a typed error with numbers, and the world is as it was and usable afterwards."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sim_worlds import ground, slab, world

from esi_fast.errors import UnknownName
from esi_fast.records import ObjectSpec, SceneSpec
from esi_fast.sim.base import Simulator

IDENTITY = np.array([[0.0, 0.0, 0.0, 1.0]])


@pytest.fixture
def usable(backend: Simulator, models: None) -> Callable[[], None]:
    """A world with a block that falls; the call checks that it still does, to the millimetre."""
    backend.load(world(ground(), slab("a", (0.2, 0.2, 0.2), (0.0, 0.0, 0.5))))
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
        backend.load(SceneSpec.model_construct(**{**dict(world()), "objects": both}))
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
