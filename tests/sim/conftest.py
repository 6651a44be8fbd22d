"""Every test that asks for ``backend`` runs on each registered simulator that starts here."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from builtin import builtin
from sim_assets import use_models
from sim_worlds import Vec3, slab, tilted, world

from esi_fast import registry
from esi_fast.errors import BackendUnavailable
from esi_fast.sim.base import Capability, Simulator


@pytest.fixture(params=builtin("backend"))
def backend(request: pytest.FixtureRequest) -> Iterator[Simulator]:
    """An empty world of one backend."""
    try:
        simulator: Simulator = registry.get("backend", request.param)()
    except BackendUnavailable as error:
        pytest.skip(str(error))
    yield simulator
    simulator.close()


@pytest.fixture(scope="session")
def case(cases: Callable[[str], Any]) -> Callable[[str], dict[str, Any]]:
    """A recorded physics case by its id."""
    data = cases("physics")
    rows = data if isinstance(data, list) else data["cases"]
    by_id = {row["id"]: row for row in rows}
    return lambda name: by_id[name]


@pytest.fixture
def needs(backend: Simulator) -> Callable[[Capability], None]:
    """``needs(Capability.LIQUID)`` skips the test on a backend that cannot do it."""

    def check(capability: Capability) -> None:
        if capability not in backend.capabilities:
            pytest.skip(f"{backend.name} has no {capability.value}")

    return check


@pytest.fixture
def models(monkeypatch: pytest.MonkeyPatch) -> None:
    """The exact models of ``sim_assets``, beside those of the inventory."""
    use_models(monkeypatch)


@pytest.fixture
def incline(backend: Simulator) -> Callable[..., tuple[Vec3, Vec3]]:
    """``incline(deg, mu, ...)``: start and end position of a block released on a slope."""

    def run(
        degrees: float,
        mu: float,
        *,
        dynamic: float | None = None,
        half: Vec3 = (0.05, 0.05, 0.05),
        seconds: float = 0.5,
        mass: float = 1.0,
    ) -> tuple[Vec3, Vec3]:
        turn = tilted(degrees)
        t = math.radians(degrees)
        lift = 0.05 + half[2]
        friction = {"friction": mu}
        if dynamic is not None:
            friction["friction_dynamic"] = dynamic
        backend.load(
            world(
                slab(
                    "slope",
                    (3.0, 0.6, 0.1),
                    (0.0, 0.0, 2.0),
                    orientation=turn,
                    fixed=True,
                    state=friction,
                ),
                slab(
                    "block",
                    [2 * h for h in half],
                    (lift * math.sin(t), 0.0, 2.0 + lift * math.cos(t)),
                    orientation=turn,
                    state={**friction, "mass": mass},
                ),
            )
        )
        before = backend.poses(["block"]).positions[0].tolist()
        backend.step(seconds)
        after = backend.poses(["block"]).positions[0].tolist()
        return tuple(before), tuple(after)

    return run
