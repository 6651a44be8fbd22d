"""The rigid world against Coulomb and the clock: friction thresholds, a stack, houses, a heap."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
import pytest

from esi_fast.assets.houses import house
from esi_fast.records import ObjectSpec, SceneSpec
from esi_fast.sim.embedded import EmbeddedSimulator

#: Coefficients of the bar, and how far the threshold may be from atan(mu), in degrees.
COEFFICIENTS = (0.3, 0.4, 0.5, 0.6, 0.8, 1.0, 1.2, 1.5)
DEGREES = 0.5


def box(name: str, size: tuple[float, ...], position: tuple[float, ...], **more: Any) -> ObjectSpec:
    return ObjectSpec.model_validate(
        {
            "id": name,
            "category": "wall",
            "model": "box",
            "position": position,
            "scale": size,
            **more,
        }
    )


def slides(sim: EmbeddedSimulator, degrees: float, state: dict[str, float]) -> bool:
    """Whether a flat block with these coefficients comes 3 cm far in 3 s."""
    a = math.radians(degrees)
    turn = (0.0, math.sin(a / 2), 0.0, math.cos(a / 2))
    at = (0.07 * math.sin(a), 0.0, 0.07 * math.cos(a))
    slope = box(
        "slope", (4.0, 0.6, 0.1), (0.0, 0.0, 0.0), orientation=turn, fixed=True, state=state
    )
    block = box("block", (0.16, 0.16, 0.04), at, orientation=turn, state={**state, "mass": 1.0})
    sim.load(SceneSpec(name="slope", objects=(slope, block)))
    sim.step(3.0)
    return math.dist(sim.poses(["block"]).positions[0][:2], at[:2]) > 0.03


def threshold(sim: EmbeddedSimulator, state: dict[str, float]) -> float:
    """The angle in degrees from which the block slides, to 0.02 degrees."""
    low = math.degrees(math.atan(state["friction"])) - 2.0
    high = low + 4.0
    assert not slides(sim, low, state)
    assert slides(sim, high, state)
    while high - low > 0.02:
        middle = (low + high) / 2
        low, high = (low, middle) if slides(sim, middle, state) else (middle, high)
    return (low + high) / 2


@pytest.mark.benchmark(group="physics")
@pytest.mark.parametrize("pair", [False, True], ids=["one", "pair"])
def test_friction_threshold(benchmark: Any, pair: bool) -> None:
    """Where a block begins to slide, for one coefficient and for a pair with half of it moving."""
    sim = EmbeddedSimulator(threads=1)
    off = {}
    for mu in COEFFICIENTS:
        state = {"friction": mu} | ({"friction_dynamic": 0.5 * mu} if pair else {})
        off[mu] = threshold(sim, state) - math.degrees(math.atan(mu))
    state = {"friction": 0.6} | ({"friction_dynamic": 0.3} if pair else {})
    benchmark.pedantic(lambda: slides(sim, 20.0, state), rounds=3)
    what = "block that holds on a slope" + (", static and dynamic friction" if pair else "")
    table = {f"{mu:g}": round(degrees, 2) for mu, degrees in off.items()}
    benchmark.extra_info.update(what=what, size="3 s", degrees_off=table)
    print("\n  " + ", ".join(f"{mu}: {degrees:+.2f}" for mu, degrees in table.items()) + " degrees")
    assert max(map(abs, off.values())) <= DEGREES


@pytest.mark.benchmark(group="physics")
def test_stack_drift(benchmark: Any) -> None:
    """Five boxes, not quite over each other: how far they are after 10 s from where they settled.

    They are kept awake: each half second something small falls beside them.
    """
    sim = EmbeddedSimulator(threads=1)
    floor = box("floor", (6.0, 6.0, 0.2), (0.0, 0.0, -0.1), fixed=True, category="floor")
    boxes = [
        box(f"b{k}", (0.1, 0.1, 0.1), (0.01 * (-1) ** k, 0.007 * (k % 3 - 1), 0.05 + 0.1 * k))
        for k in range(5)
    ]
    pebble = box("pebble", (0.02, 0.02, 0.02), (0.2, 0.0, 0.1))
    ids = [spec.id for spec in boxes]

    def run() -> float:
        sim.load(SceneSpec(name="stack", objects=(floor, *boxes, pebble)))
        assert sim.settle().at_rest
        before = sim.poses(ids).positions.copy()
        for _ in range(20):
            sim.set_poses(["pebble"], np.array([[0.2, 0.0, 0.1]]), np.array([[0.0, 0.0, 0.0, 1.0]]))
            sim.step(0.5)
        return float(np.linalg.norm(sim.poses(ids).positions - before, axis=1).max())

    drift = run()
    benchmark.pedantic(run, rounds=1)
    benchmark.extra_info.update(what="stack of five boxes", size="10 s", drift_mm=1000 * drift)
    print(f"\n  {1000 * drift:.4f} mm")
    assert drift < 1e-4


@pytest.mark.benchmark(group="physics")
@pytest.mark.parametrize("falls", [False, True], ids=["rest", "falls"])
def test_house(benchmark: Any, falls: bool) -> None:
    """A furnished house after it has settled: all at rest, or with one thing let fall in a room."""
    sim = EmbeddedSimulator(threads=1)
    scene = house("modern", 2)
    sim.load(scene)
    sim.settle(max_time=5.0)
    room = max(scene.rooms, key=lambda r: r.upper[0] - r.lower[0])
    at = (*np.add(room.lower, room.upper) / 2, 0.5)
    sim.add([box("thing", (0.1, 0.1, 0.1), at)])
    sim.settle(max_time=5.0)
    seconds = 2.0

    def run() -> None:
        if falls:
            sim.set_poses(["thing"], np.array([at]), np.array([[0.0, 0.0, 0.0, 1.0]]))
        sim.step(seconds)

    taken = []
    for _ in range(3):
        begin = time.process_time()
        run()
        taken.append(time.process_time() - begin)
    benchmark.pedantic(run, rounds=3)
    times = seconds / min(taken)
    what = "house, one thing falls" if falls else "house at rest"
    benchmark.extra_info.update(
        what=what, size=f"{len(scene.objects) + 1} objects", speed_over_real_time=times
    )
    print(f"\n  {len(scene.objects) + 1} objects: {times:.4g} x real time")
    assert times >= 10.0


@pytest.mark.benchmark(group="physics")
def test_house_changes(benchmark: Any) -> None:
    """Loading a house with its kernel scene, adding an object to it, moving one that is there."""
    scene = house("modern", 2)
    sim = EmbeddedSimulator(threads=1)
    room = max(scene.rooms, key=lambda r: r.upper[0] - r.lower[0])
    x, y = (np.add(room.lower, room.upper) / 2).tolist()

    def load() -> None:
        sim.load(scene)
        sim.geometry()

    def seconds(run: Any) -> float:
        begin = time.process_time()
        run()
        return time.process_time() - begin

    def add() -> None:
        sim.add([box("thing", (0.1, 0.1, 0.1), (x, y, 0.3))])
        sim.geometry()
        sim.settle()

    def move() -> None:
        turn = np.array([[0.0, 0.0, 0.0, 1.0]])
        sim.set_poses(["thing"], np.array([[x, y + 0.3, 0.05]]), turn)
        sim.geometry()

    loads = seconds(load)
    sim.settle(max_time=5.0)
    adds, moves = seconds(add), seconds(move)
    benchmark.pedantic(load, rounds=3)
    benchmark.extra_info.update(
        what="house loaded again", size=f"{len(scene.objects)} objects",
        first_load_seconds=loads, add_and_settle_seconds=adds, move_seconds=moves,
    )  # fmt: skip
    print(f"\n  first load {loads:.3g} s, add and settle {adds:.3g} s, move {1000 * moves:.3g} ms")
    assert loads < 2.0
    assert adds < 0.35
    assert moves < 0.005


@pytest.mark.benchmark(group="physics")
def test_falling_heap(benchmark: Any) -> None:
    """Thirty boxes that fall on a heap: all awake and all touching."""
    sim = EmbeddedSimulator(threads=1)
    floor = box("floor", (6.0, 6.0, 0.2), (0.0, 0.0, -0.1), fixed=True, category="floor")
    boxes = [
        box(f"b{k}", (0.1, 0.12, 0.08), (0.03 * (k % 3), 0.03 * (k % 5), 0.1 + 0.1 * k))
        for k in range(30)
    ]
    seconds = 2.0

    def run() -> None:
        sim.load(SceneSpec(name="heap", objects=(floor, *boxes)))
        sim.step(seconds)

    run()
    heights = sim.poses([spec.id for spec in boxes]).positions[:, 2]
    assert np.isfinite(heights).all()
    assert heights.min() > 0.03
    begin = time.process_time()
    run()
    times = seconds / (time.process_time() - begin)
    benchmark.pedantic(run, rounds=1)
    benchmark.extra_info.update(what="heap of boxes", size="30 boxes", speed_over_real_time=times)
    print(f"\n  {times:.3g} x real time")
    assert times >= 1.0
