"""How agents behave: counted by hand on small trajectories, and against other libraries."""

from __future__ import annotations

import math
from collections.abc import Sequence

import box_world as bw
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from esi_fast import registry
from esi_fast.eval import behaviour as bh
from esi_fast.eval.metrics import Scored
from esi_fast.records import ActionRecord, EpisodeRecord, Instance, Outcome, StepRecord
from esi_fast.sim.actions import move_camera

INSTANCE = bw.instance(0)
OPTIONS = INSTANCE.question.options
RIGHT = INSTANCE.answer
WRONG = next(option for option in OPTIONS if option != RIGHT)


def step(actions: Sequence[str] = (), *, left: int = 2, **more: object) -> StepRecord:
    """A step at the view after ``actions``, with so many answers left."""
    camera = move_camera(bw.camera(), list(actions))
    fields: dict[str, object] = {"camera": camera, "possible": OPTIONS[:left], **more}
    return StepRecord.model_validate(fields)


def scored(
    steps: Sequence[StepRecord], answer: str | None = RIGHT, instance: Instance = INSTANCE,
    **more: object,
) -> Scored:  # fmt: skip
    fields: dict[str, object] = {
        "key": "k", "run": "r", "instance": instance.id, "instance_hash": "", "agent": "a",
        "task": instance.task, "paradigm": "active", "steps": tuple(steps), "answer": answer,
        "stop_reason": "answered" if answer else "no_answer", **more,
    }  # fmt: skip
    return Scored(EpisodeRecord.model_validate(fields), instance, answer == instance.answer)


@pytest.mark.parametrize(
    ("actions", "distinct"),
    [
        ((), False),
        (("move_left",), False),
        (("move_left", "move_left"), True),
        (("move_up", "move_down"), False),
        (("turn_left",) * 2, False),
        (("turn_left",) * 3, True),
        (("turn_up",) * 3, True),
        (("move_left", "turn_left", "turn_left"), False),
    ],
)
def test_distinct_views(actions: tuple[str, ...], distinct: bool) -> None:
    steps = [step(actions[:k]) for k in range(len(actions) + 1)]
    assert bh.metacognition([scored(steps)])["view_diversity"] == float(distinct)


def test_contrastive_views_and_revised_beliefs() -> None:
    group = [
        scored([step(), step(left=1)]),  # the second view decides
        scored([step(), step()]),
        scored([step(belief=RIGHT), step(belief=RIGHT.upper())]),
        scored([step(belief=RIGHT), step(belief=WRONG)]),
        scored([step(belief=RIGHT), step(belief="nothing known")]),
    ]
    got = bh.metacognition(group)
    assert got["contrastive"] == 1 / 5
    # Two trajectories state a belief twice; one of them changes it.
    assert got["belief_revision"] == 1 / 2


def test_passive_episodes_are_no_trajectories() -> None:
    passive = scored([step(), step(("move_left",) * 4, left=1)], paradigm="passive_multi")
    assert all(math.isnan(value) for value in bh.metacognition([passive]).values())
    assert math.isnan(bh.steps_to_correct([passive])["steps_to_correct"])
    both = bh.metacognition([passive, scored([step(), step()])])
    assert both["contrastive"] == 0.0


def test_calibration_by_hand() -> None:
    # Bin 0.9-1.0: two of three right at 0.95; bin 0.2-0.3: none of one at 0.25.
    group = [
        *(scored([step()], answer_confidence=0.95) for _ in range(2)),
        scored([step()], WRONG, answer_confidence=0.95),
        scored([step()], WRONG, answer_confidence=0.25),
        scored([step()]),  # no confidence
        scored([step()], None, answer_confidence=0.5),  # no answer
    ]
    got = bh.calibration(group)
    assert got["stated"] == 4
    assert got["ece"] == pytest.approx(3 / 4 * abs(0.95 - 2 / 3) + 1 / 4 * 0.25)
    assert got["brier"] == pytest.approx((2 * 0.05**2 + 0.95**2 + 0.25**2) / 4)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60))
def test_calibration_error_by_loops(pairs: list[tuple[float, bool]]) -> None:
    expected = 0.0
    for k in range(10):
        inside = [(c, r) for c, r in pairs if min(int(c * 10), 9) == k]
        if inside:
            gap = sum(c for c, _ in inside) / len(inside) - sum(r for _, r in inside) / len(inside)
            expected += len(inside) / len(pairs) * abs(gap)
    got = bh.calibration_error([c for c, _ in pairs], [r for _, r in pairs])
    assert got == pytest.approx(expected, abs=1e-12)
    # Who always says what is true on average in every bin is calibrated.
    assert 0.0 <= got <= 1.0


def test_calibration_refuses_what_is_no_confidence() -> None:
    with pytest.raises(ValueError, match="0 to 1"):
        bh.calibration_error([1.5], [True])
    with pytest.raises(ValueError, match="one of each"):
        bh.calibration_error([0.5], [True, False])
    assert math.isnan(bh.calibration_error([], []))


def test_steps_and_conduct() -> None:
    move = ActionRecord(name="turn_left")
    fine, failed = Outcome(ok=True), Outcome(ok=False, reason="blocked")
    group = [
        scored([step(action=move, outcome=fine), step(action=move, outcome=failed), step()]),
        scored([step()]),
        scored([step(valid=False, outcome=Outcome(ok=False, reason="invalid_reply"))] * 4, WRONG),
    ]
    assert bh.steps_to_correct(group)["steps_to_correct"] == 1.0  # two and none
    got = bh.conduct(group)
    assert got["invalid_steps"] == 4 / 8
    assert got["failed_actions"] == 1 / 2


def test_budget_curve() -> None:
    group = [
        scored([step()] * 3),  # right after two actions
        scored([step()] * 8),  # after seven
        scored([step()] * 5, WRONG),
        scored([step()] * 11, stop_reason="forced", budget=10),
    ]
    group = [s._replace(episode=s.episode.model_copy(update={"budget": 10})) for s in group]
    curve = bh.budget_curve(group, (0, 2, 5, 7, 10))
    assert curve == {0: 0.0, 2: 0.25, 5: 0.25, 7: 0.5, 10: 0.5}
    with pytest.raises(ValueError, match="at most"):
        bh.budget_curve(group, (11,))


def runs(first: Sequence[bool], second: Sequence[bool]) -> tuple[list[Scored], list[Scored]]:
    """Two agents on as many instances; four instances share a scene."""
    made: tuple[list[Scored], list[Scored]] = ([], [])
    for k, flags in enumerate(zip(first, second, strict=True)):
        scene = INSTANCE.scene.model_copy(update={"name": f"house_{k // 4}"})
        instance = INSTANCE.model_copy(update={"id": f"i{k}", "scene": scene})
        for run, right in zip(made, flags, strict=True):
            run.append(scored([step()], RIGHT if right else WRONG, instance))
    return made


def test_paired_comparison_by_hand() -> None:
    # Six instances that only the first gets right, one that only the second does.
    first = [True] * 6 + [False] + [True] * 5 + [False] * 4
    second = [False] * 6 + [True] + [True] * 5 + [False] * 4
    got = bh.compare_paired(*runs(first, second))
    assert (got.n, got.scenes) == (16, 4)
    assert (got.only_first, got.only_second) == (6, 1)
    assert got.difference == pytest.approx(5 / 16)
    # Seven coin flips, one or none of them tails, on both sides: 2 (1 + 7) / 128.
    assert got.p_value == pytest.approx(16 / 128)
    assert got.low <= got.difference <= got.high
    assert bh.compare_paired(*runs(first, second)) == got


def test_scenes_are_drawn_whole() -> None:
    """All difference lies in one scene of four: episodes would give a narrower interval."""
    first = [True] * 4 + [False] * 12
    got = bh.compare_paired(*runs(first, [False] * 16))
    # The number of draws of that scene in four is binomial: 0 of 4 has 32 %, 3 or 4 have 5 %.
    assert got.low == 0.0
    assert got.high == 0.75


def test_equal_runs_do_not_differ() -> None:
    got = bh.compare_paired(*runs([True, False] * 4, [True, False] * 4))
    assert (got.difference, got.low, got.high, got.p_value) == (0.0, 0.0, 0.0, 1.0)


def test_runs_without_common_instances() -> None:
    one, _ = runs([True], [True])
    with pytest.raises(ValueError, match="some of the same"):
        bh.compare_paired(one, [])
    with pytest.raises(ValueError, match="got two of"):
        bh.compare_paired(one + one, one)


@pytest.mark.parametrize("name", ["metacognition", "calibration", "steps_to_correct", "conduct"])
def test_registered(name: str) -> None:
    numbers = registry.get("metric", name)([scored([step()])])
    assert numbers
    assert all(isinstance(value, float) for value in numbers.values())


def test_percentile_interval_against_scipy() -> None:
    from scipy.stats import bootstrap

    rng = np.random.default_rng(0)
    first, second = rng.random(400) < 0.7, rng.random(400) < 0.5
    made = runs(first.tolist(), second.tolist())
    got = bh.compare_paired(*made, resamples=20_000)
    means = (first.astype(float) - second).reshape(100, 4).mean(axis=1)
    peer = bootstrap((means,), np.mean, method="percentile", n_resamples=20_000, rng=1)
    assert got.low == pytest.approx(peer.confidence_interval.low, abs=0.01)
    assert got.high == pytest.approx(peer.confidence_interval.high, abs=0.01)
