"""Whatever has happened to a world, saved it has one future, and a second world has the same."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sim_worlds import ground, slab, tilted, world

from esi_fast.records import ObjectSpec
from esi_fast.sim.base import Capability, Simulator

Step = tuple[str, int, float]

NAMES = ("a", "b", "c", "chest")
STEPS = st.tuples(
    st.sampled_from(
        ["step", "settle", "put", "friction", "pair", "mass", "add", "remove", "drive"]
    ),
    st.integers(0, 3),
    st.floats(0.0, 1.0),
)


def start() -> list[ObjectSpec]:
    """A slope with a block that may slide, a stack beside it, a chest with something in it."""
    pair = {"friction": 0.6, "friction_dynamic": 0.3}
    a = math.radians(28.0)
    return [
        ground(),
        slab(
            "slope", (1.5, 0.6, 0.1), (0.0, 1.0, 0.5), orientation=tilted(28.0), fixed=True,
            state=pair,
        ),
        slab(
            "a", (0.1, 0.1, 0.1), (0.1 * math.sin(a), 1.0, 0.5 + 0.1 * math.cos(a)),
            orientation=tilted(28.0), state=pair,
        ),
        slab("b", (0.12, 0.1, 0.1), (0.0, 0.0, 0.05)),
        slab("c", (0.1, 0.1, 0.1), (0.02, 0.01, 0.16)),
        ObjectSpec(
            id="chest", category="test_chest", model="exact", position=(1.0, 0.0, 0.16)
        ),
    ]  # fmt: skip


def do(sim: Simulator, step: Step, number: int) -> None:
    """One change; those that do not apply do nothing."""
    kind, which, share = step
    here = [name for name in NAMES if name in sim.geometry().ids]
    name = here[which % len(here)] if here else ""
    if kind == "step":
        sim.step(0.02 + 0.3 * share)
    elif kind == "settle":
        sim.settle(max_time=0.5)
    elif kind == "add":
        sim.add([slab(f"n{number}", (0.08,) * 3, (0.3 * which - 0.4, share, 0.8))])
    elif not name:
        return
    elif kind == "put":
        turn = np.array([[0.0, 0.0, math.sin(share), math.cos(share)]])
        sim.set_poses([name], np.array([[0.2 * which - 0.3, share - 0.3, 0.6]]), turn)
    elif kind == "friction":
        dynamic = sim.geometry().objects[sim.geometry().index(name)].state
        sim.set_state(name, "friction", max(share, dynamic.get("friction_dynamic", 0.0)))
    elif kind == "pair":
        sim.set_state(name, "friction_dynamic", 0.0)
        sim.set_state(name, "friction", 0.2 + share)
        sim.set_state(name, "friction_dynamic", 0.1 + 0.5 * share)
    elif kind == "mass":
        sim.set_state(name, "mass", 0.1 + 5.0 * share)
    elif kind == "remove" and name != "chest":
        sim.remove([name])
    elif kind == "drive" and "chest" in here and Capability.ARTICULATION in sim.capabilities:
        sim.drive("chest", "open", share)


def future(sim: Simulator, steps: Sequence[Step], first: int) -> bytes:
    out = b""
    for number, step in enumerate(steps, first):
        do(sim, step, number)
        poses = sim.poses(sim.geometry().ids)
        out += poses.positions.tobytes() + poses.orientations.tobytes()
    return out


@given(st.lists(STEPS, max_size=6), st.lists(STEPS, min_size=1, max_size=6))
@settings(
    max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
def test_a_saved_world_has_one_future(
    backend: Simulator, models: None, past: list[Step], ahead: list[Step]
) -> None:
    backend.load(world(*start()))
    future(backend, past, 0)
    token = backend.save()
    first = future(backend, ahead, 100)
    backend.restore(token)
    assert future(backend, ahead, 100) == first
    # Once more, after something else.
    do(backend, ("put", 1, 0.5), 200)
    backend.step(0.2)
    backend.restore(token)
    assert future(backend, ahead, 100) == first
    assert np.isfinite(np.frombuffer(first)).all()


@given(st.lists(STEPS, min_size=1, max_size=8))
@settings(
    max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
def test_two_worlds_are_one(backend: Simulator, models: None, steps: list[Step]) -> None:
    other = type(backend)()
    results = []
    for sim in (backend, other):
        sim.load(world(*start()))
        results.append(future(sim, steps, 0))
    other.close()
    assert results[0] == results[1]


@pytest.mark.parametrize("parts", [2, 7, 60])
def test_time_may_be_cut_anywhere(backend: Simulator, models: None, parts: int) -> None:
    ends = []
    for count in (1, parts):
        backend.load(world(*start()))
        for _ in range(count):
            backend.step(1.75 / count)
        poses = backend.poses(["a", "b", "c", "chest"])
        ends.append(poses.positions.tobytes() + poses.orientations.tobytes())
    assert ends[0] == ends[1]
