"""Scores: intervals against references, denominators, the table."""

from __future__ import annotations

import math

import box_world as bw
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from esi_fast.errors import RecordError
from esi_fast.eval.metrics import wilson_interval
from esi_fast.eval.score import format_table, is_correct, join, score
from esi_fast.records import EpisodeRecord, Instance, StepRecord


@given(st.integers(1, 3000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_interval_agrees_with_scipy(counts: tuple[int, int]) -> None:
    correct, n = counts
    reference = binomtest(correct, n).proportion_ci(0.95, method="wilson")
    assert wilson_interval(correct, n) == pytest.approx((reference.low, reference.high), abs=1e-12)


def test_interval_by_its_definition() -> None:
    # The ends are where (p_hat - p) is z standard errors of p: solve, do not repeat the formula.
    low, high = wilson_interval(7, 20)
    for end in (low, high):
        z = abs(7 / 20 - end) / math.sqrt(end * (1 - end) / 20)
        assert z == pytest.approx(1.959963984540054, abs=1e-9)


def test_interval_at_the_ends() -> None:
    assert wilson_interval(0, 10)[0] == 0.0
    assert wilson_interval(10, 10)[1] == 1.0
    assert wilson_interval(0, 0) == (0.0, 1.0)
    with pytest.raises(ValueError, match="got 3 of 2"):
        wilson_interval(3, 2)


def episode(instance: Instance, answer: str | None, **more: object) -> EpisodeRecord:
    fields: dict[str, object] = {
        "key": f"{instance.id}.{more.get('paradigm', 'active')}.{more.get('agent', 'a')}",
        "run": "r",
        "instance": instance.id,
        "instance_hash": "",
        "task": instance.task,
        "paradigm": "active",
        "agent": "a",
        "answer": answer,
        "stop_reason": "answered" if answer else "no_answer",
    }
    return EpisodeRecord.model_validate({**fields, **more})


def steps(count: int, evidence: float = 0.0) -> list[StepRecord]:
    return [StepRecord(camera=bw.camera(), evidence=evidence) for _ in range(count)]


def test_errors_and_missing_answers_stay_in_the_denominator() -> None:
    # Right twice, wrong four times, failed twice: 2 of 8, never 2 of 6.
    instances = [bw.instance(k) for k in range(8)]
    answers = [instances[0].answer, instances[1].answer, "teapot", None, "teapot", None]
    episodes = [episode(i, a) for i, a in zip(instances, answers, strict=False)]
    episodes += [episode(i, None, stop_reason="error", error="EsiError: no") for i in instances[6:]]
    (row,) = score(join(instances, episodes), metrics=["accuracy"])
    assert (row.numbers["n"], row.numbers["errors"], row.numbers["correct"]) == (8, 2, 2)
    assert row.numbers["accuracy"] == 0.25


def test_an_error_is_not_right_whatever_it_answered() -> None:
    instance = bw.instance(0)
    assert is_correct(instance, episode(instance, "mug"))
    assert is_correct(instance, episode(instance, " MUG "))
    assert not is_correct(instance, episode(instance, "mug", stop_reason="error", error="x"))
    assert not is_correct(instance, episode(instance, None))


def test_priors_effort_and_evidence() -> None:
    instances = [bw.instance(k) for k in range(4)]  # mug, bowl, vase, mug
    episodes = [
        episode(instances[0], "mug", steps=steps(4, 1.0)),
        episode(instances[1], "mug", steps=steps(1, 0.5)),
        episode(instances[2], "mug", steps=steps(2, 0.0)),
        episode(instances[3], None, stop_reason="error", error="x"),
    ]
    (row,) = score(join(instances, episodes))
    numbers = row.numbers
    assert numbers["majority"] == 0.5
    assert numbers["chance"] == pytest.approx(1 / 3)
    assert numbers["steps"] == pytest.approx((3 + 0 + 1) / 3)
    assert numbers["evidence"] == pytest.approx(1.5 / 4)
    assert numbers["low"] < numbers["accuracy"] < numbers["high"]


def test_rows_are_per_task_paradigm_and_agent_in_order() -> None:
    instance = bw.instance(0)
    episodes = [
        episode(instance, "mug", paradigm=paradigm, agent=agent)
        for agent in ("b", "a")
        for paradigm in ("oracle", "active", "passive_single")
    ]
    rows = score(join([instance], episodes))
    assert [(row.paradigm, row.agent) for row in rows] == [
        (paradigm, agent)
        for paradigm in ("passive_single", "active", "oracle")
        for agent in ("a", "b")
    ]
    assert rows[0].as_dict()["task"] == bw.TASK


def test_models_are_told_apart() -> None:
    instance = bw.instance(0)
    rows = score(
        join(
            [instance],
            [episode(instance, "mug", model=name, key=name) for name in ("m1", "m2")],
        )
    )
    assert [row.agent for row in rows] == ["a/m1", "a/m2"]


def test_episodes_without_instance_or_twice_are_named() -> None:
    instance = bw.instance(0)
    with pytest.raises(RecordError, match="no instance 'behind-0'"):
        join([], [episode(instance, "mug")])
    with pytest.raises(RecordError, match="occurs twice"):
        join([instance], [episode(instance, "mug"), episode(instance, "mug")])


def test_table_shows_the_numbers() -> None:
    instances = [bw.instance(k) for k in range(4)]
    episodes = [episode(i, "mug", steps=steps(3)) for i in instances]
    episodes.append(episode(instances[0], None, agent="failing", stop_reason="error", error="x"))
    text = format_table(score(join(instances, episodes)))
    head, rule, first, second = text.splitlines()
    assert head.split()[:3] == ["task", "paradigm", "agent"]
    assert set(rule) == {"-", " "}
    assert "50.0" in first
    assert "15.0 to 85.0" in first
    assert second.split()[1] == "failing"
    assert second.split()[-3:] == ["-", "0.00", "1"]
    assert all(len(line) <= 140 for line in text.splitlines())
