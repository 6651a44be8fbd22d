"""The static and dynamic pair of coefficients, beyond the recorded cases."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from sim_worlds import Vec3, ground, slab, tilted, world

from esi_fast.sim.base import Simulator

G = 9.81
Incline = Callable[..., tuple[Vec3, Vec3]]
PAIR = {"friction": 0.5, "friction_dynamic": 0.3}


def moved(ends: tuple[Vec3, Vec3]) -> float:
    return math.dist(ends[0][:2], ends[1][:2])


def slope(state: dict[str, float], degrees: float = 30.0, length: float = 3.0) -> object:
    return slab(
        "slope", (length, 0.6, 0.1), (0.0, 0.0, 2.0), orientation=tilted(degrees), fixed=True,
        state=state,
    )  # fmt: skip


def block(state: dict[str, float], degrees: float = 30.0, gap: float = 0.0) -> object:
    a, lift = math.radians(degrees), 0.1 + gap
    return slab(
        "block", (0.1, 0.1, 0.1), (lift * math.sin(a), 0.0, 2.0 + lift * math.cos(a)),
        orientation=tilted(degrees), state=state,
    )  # fmt: skip


@pytest.mark.parametrize("mu", [0.3, 0.7, 1.2])
def test_the_static_value_alone_decides_at_rest(incline: Incline, mu: float) -> None:
    """Half a degree below atan(mu) it stays, however little friction it had when sliding."""
    limit = math.degrees(math.atan(mu))
    flat = (0.08, 0.08, 0.02)
    assert moved(incline(limit - 0.5, mu, dynamic=0.2 * mu, half=flat)) < 3e-3
    # Half a degree above it slides, and then with the dynamic value.
    a = math.radians(limit + 0.5)
    slides = 0.5 * G * (math.sin(a) - 0.2 * mu * math.cos(a)) * 0.25 * math.cos(a)
    assert moved(incline(limit + 0.5, mu, dynamic=0.2 * mu, half=flat)) > 0.7 * slides


def test_how_the_time_is_cut_changes_nothing(backend: Simulator) -> None:
    ends = []
    for parts in (1, 3, 30):
        backend.load(world(slope(PAIR), block(PAIR)))
        for _ in range(parts):
            backend.step(0.5 / parts)
        ends.append(backend.poses(["block"]).positions.tobytes())
    assert ends[0] == ends[1] == ends[2]


def test_a_slide_is_saved_and_ends_where_it_is_put(backend: Simulator) -> None:
    backend.load(world(slope(PAIR), block(PAIR)))
    backend.step(0.4)
    token = backend.save()
    at = backend.poses(["block"])
    backend.step(0.1)
    first = backend.poses(["block"])
    speed = float(np.linalg.norm(first.positions - at.positions)) / 0.1
    # 30 degrees, 0.3: 2.36 m/s^2 from rest, mean of the fifth tenth of a second.
    assert speed == pytest.approx(2.356 * 0.45, rel=0.03)
    backend.restore(token)
    backend.step(0.1)
    again = backend.poses(["block"])
    assert again.positions.tobytes() == first.positions.tobytes()
    # Once put down it is at rest, and the static value counts again.
    backend.set_state("block", "friction", 0.7)
    backend.set_state("slope", "friction", 0.7)
    backend.set_poses(["block"], at.positions, np.array([tilted(30.0)]))
    backend.step(1.0)
    assert np.linalg.norm(backend.poses(["block"]).positions - at.positions) < 3e-3


def test_a_rolling_ball_does_not_slide(backend: Simulator, models: None) -> None:
    """Where it touches, a rolling ball stands still: the pair makes no difference."""
    from esi_fast.records import ObjectSpec

    a = math.radians(10.0)
    ends = []
    for state in ({"friction": 0.6}, {"friction": 0.6, "friction_dynamic": 0.01}):
        ball = ObjectSpec(
            id="ball", category="test_ball", model="exact", state=state,
            position=(0.1499 * math.sin(a), 0.0, 2.0 + 0.1499 * math.cos(a)),
        )  # fmt: skip
        backend.load(world(slope(state, 10.0), ball))
        backend.step(0.6)
        ends.append(backend.poses(["ball"]).positions[0])
    assert ends[0] == pytest.approx(ends[1], abs=2e-3)
    # A solid ball rolls down with 5/7 g sin a at most (this one has facets, which brake it); one
    # that slid would come half as far again.
    along = math.dist(ends[0], (0.1499 * math.sin(a), 0.0, 2.0 + 0.1499 * math.cos(a)))
    rolled = 0.5 * 5 / 7 * G * math.sin(a) * 0.36
    assert 0.8 * rolled < along < 1.05 * rolled


def test_a_block_that_lands_on_the_slope_slides(backend: Simulator) -> None:
    """Dropped from 0.1 m onto the slope it has slip from the start: the dynamic value brakes it."""
    backend.load(world(slope(PAIR), block(PAIR, gap=0.1)))
    backend.step(0.6)
    far = backend.poses(["block"]).positions[0, 0]
    alone = {"friction": 0.3}
    backend.load(world(slope(alone), block(alone, gap=0.1)))
    backend.step(0.6)
    assert far == pytest.approx(backend.poses(["block"]).positions[0, 0], abs=0.02)


@pytest.mark.parametrize("mu", [0.0, 1e-3, 0.05])
def test_hardly_any_friction(incline: Incline, mu: float) -> None:
    a = math.radians(30.0)
    slides = 0.5 * G * (math.sin(a) - mu * math.cos(a)) * 0.25 * math.cos(a)
    assert moved(incline(30.0, mu)) == pytest.approx(slides, rel=0.01)


def test_a_push_starts_a_slide_that_only_a_stop_ends(backend: Simulator) -> None:
    """At 21 degrees (tangent 0.384) a block of 0.4 and 0.3 holds at rest but slides on when hit."""
    a = math.radians(21.0)

    def at(along: float, above: float = 0.1) -> Vec3:
        return (
            along * math.cos(a) + above * math.sin(a),
            0.0,
            2.0 - along * math.sin(a) + above * math.cos(a),
        )

    def cube(name: str, along: float, state: dict[str, float], **more: bool) -> object:
        return slab(name, (0.1, 0.1, 0.1), at(along), orientation=tilted(21.0), state=state, **more)

    far = {}
    for dynamic in (0.3, 0.4):
        state = {"friction": 0.4, "friction_dynamic": dynamic}
        plane = slope({}, 21.0, length=4.0)
        backend.load(world(plane, cube("block", 0.0, state), cube("stop", 1.5, {}, fixed=True)))
        backend.step(1.0)
        held = backend.poses(["block"]).positions[0]
        assert math.dist(held, at(0.0)) < 2e-3
        backend.add([cube("ram", -1.0, {"friction": 0.0, "mass": 0.03})])
        backend.step(4.0)
        far[dynamic] = float(math.dist(backend.poses(["block"]).positions[0], at(0.0)))
        if dynamic == 0.3:
            backend.remove(["stop", "ram"])
            stopped = backend.poses(["block"]).positions[0]
            backend.step(1.0)
            assert math.dist(backend.poses(["block"]).positions[0], stopped) < 2e-3
    assert far[0.3] == pytest.approx(1.4, abs=0.02)
    assert far[0.4] < 0.7


def test_the_dynamic_value_is_at_most_the_static(backend: Simulator) -> None:
    backend.load(world(ground(), slab("a", (0.2, 0.2, 0.2), (0.0, 0.0, 0.1))))
    backend.set_state("a", "friction", 0.4)
    with pytest.raises(ValueError, match=r"at most the static 0.4 of 'a', got 0.6"):
        backend.set_state("a", "friction_dynamic", 0.6)
    backend.set_state("a", "friction_dynamic", 0.3)
    with pytest.raises(ValueError, match=r"at most the static 0.2 of 'a', got 0.3"):
        backend.set_state("a", "friction", 0.2)
    assert backend.spec().objects[1].state == {"friction": 0.4, "friction_dynamic": 0.3}
    bad = slab("b", (0.2, 0.2, 0.2), (1.0, 0.0, 0.1), state={"friction_dynamic": 3.0})
    with pytest.raises(ValueError, match="'b'"):
        backend.add([bad])
    assert backend.settle().at_rest
