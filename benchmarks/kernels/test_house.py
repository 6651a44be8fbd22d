"""A furnished house in the embedded simulator: loading it, adding to it, letting it rest.

    python -m benchmarks house

Each benchmark asserts its answer and its bar. The models of the house are made before the clock
starts, except in ``test_first_load``, which starts with nothing in memory.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from esi_fast import assets
from esi_fast.assets.houses import house
from esi_fast.records import ObjectSpec, SceneSpec
from esi_fast.sim.embedded import EmbeddedSimulator

# A program that prints how long the first load of a house of 200 objects and more takes.
_FIRST = """
import time
from esi_fast.assets.houses import house
from esi_fast.sim.embedded import EmbeddedSimulator
scene = house("modern", 1, rooms=5)
start = time.perf_counter()
simulator = EmbeddedSimulator()
simulator.load(scene)
simulator.geometry()
print(len(scene.objects), time.perf_counter() - start)
"""


@pytest.fixture(scope="module")
def scene() -> SceneSpec:
    made = house("modern", 1, rooms=5)
    assert len(made.objects) >= 200
    return made


@pytest.fixture
def home(scene: SceneSpec) -> EmbeddedSimulator:
    simulator = EmbeddedSimulator()
    simulator.load(scene)
    simulator.settle()
    simulator.geometry()
    return simulator


def thing(scene: SceneSpec, number: int) -> ObjectSpec:
    """A carton on the free floor of the living room."""
    room = scene.rooms[0]
    model = assets.models("carton")[number % 3]
    height = assets.sizes("carton")[model][2]
    x, y = ((a + b) / 2 for a, b in zip(room.lower, room.upper, strict=True))
    return ObjectSpec(
        id=f"thing_{number}",
        category="carton",
        model=model,
        position=(x, y, height / 2),
        role="question",
    )


def test_first_load(benchmark: object, scene: SceneSpec) -> None:
    """In a fresh process, models and all."""

    def first() -> float:
        done = subprocess.run(
            [sys.executable, "-c", _FIRST], check=True, capture_output=True, text=True
        )
        count, seconds = done.stdout.split()
        assert int(count) == len(scene.objects)
        return float(seconds)

    seconds = benchmark.pedantic(first, rounds=3)  # type: ignore[attr-defined]
    assert seconds < 2.0
    benchmark.extra_info["seconds"] = seconds  # type: ignore[attr-defined]


def test_load_again(benchmark: object, scene: SceneSpec) -> None:
    def load() -> EmbeddedSimulator:
        simulator = EmbeddedSimulator()
        simulator.load(scene)
        simulator.geometry()
        return simulator

    simulator = benchmark(load)  # type: ignore[operator]
    assert len(simulator.geometry().ids) == len(scene.objects)


def test_add(benchmark: object, home: EmbeddedSimulator, scene: SceneSpec) -> None:
    """Adding an object whose model is in memory: nothing is compiled."""
    empty, number = home.save(), 0

    def fresh() -> None:
        home.restore(empty)
        home.geometry()

    def add() -> None:
        nonlocal number
        number += 1
        home.add([thing(scene, number)])

    benchmark.pedantic(add, setup=fresh, rounds=30)  # type: ignore[attr-defined]
    assert benchmark.stats.stats.median < 0.005  # type: ignore[attr-defined]
    assert home.geometry().ids[-1] == f"thing_{number}"


def test_add_and_first_step(benchmark: object, home: EmbeddedSimulator, scene: SceneSpec) -> None:
    """The same with its kernel scene and a step of physics, for which what is near is compiled."""
    empty, number = home.save(), 0

    def fresh() -> None:
        home.restore(empty)
        home.geometry()

    def add() -> None:
        nonlocal number
        number += 1
        home.add([thing(scene, number)])
        home.geometry()
        home.step(1.0 / 240.0)

    benchmark.pedantic(add, setup=fresh, rounds=20)  # type: ignore[attr-defined]
    assert benchmark.stats.stats.median < 0.35  # type: ignore[attr-defined]
    name = f"thing_{number}"
    assert home.poses([name]).positions[0, 2] == pytest.approx(
        thing(scene, number).position[2], abs=1e-3
    )


def test_second_at_rest(benchmark: object, home: EmbeddedSimulator) -> None:
    """A simulated second of a house at rest."""
    before = home.poses(home.geometry().ids).positions
    benchmark(home.step, 1.0)  # type: ignore[operator]
    assert benchmark.stats.stats.median < 0.1  # type: ignore[attr-defined]
    assert (home.poses(home.geometry().ids).positions == before).all()
