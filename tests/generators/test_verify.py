"""Verification of records: good ones pass, each kind of fault is caught by the check it is for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from esi_fast import registry
from esi_fast.dataset.store import StoreWriter
from esi_fast.generators.driver import make_instance
from esi_fast.generators.faults import FAULTS, SHIFT
from esi_fast.generators.review import review
from esi_fast.generators.verify import AXES, verify
from esi_fast.records import Instance
from esi_fast.sim.base import Simulator
from esi_fast.sim.episode import core_of

TASK = "spatial_relations/linear_alignment"
CAUGHT_BY = {
    "shifted": {"label"},
    "toppled": {"at_rest", "settled", "upright"},
    "missing": {"spawned"},
    "other_model": {"spawned"},
    "cut_short": {"budget", "answerable"},
}


@pytest.fixture(scope="module")
def sim() -> Simulator:
    simulator: Simulator = registry.get("backend", "embedded")()
    return simulator


@pytest.fixture(scope="module")
def row(sim: Simulator) -> Instance:
    """Three things in a line: one of them a hand's breadth aside, and they are not."""
    for index in range(8):
        made = make_instance(TASK, index, 5, sim, pictures=False).instance
        if made is not None and made.answer == "yes":
            return made
    pytest.fail("no row in 8 tries")


def test_a_good_record_passes_every_check(row: Instance, sim: Simulator) -> None:
    verdict = verify(row, sim)
    assert verdict.passed
    assert verdict.reason == ""
    assert [check.name for check in verdict.checks] == [
        *("spawned", "at_rest", "settled", "upright", "label", "witness"),
        *("budget", "trajectory", "answerable", "not_trivial"),
    ]
    assert {check.name for check in verdict.checks} == set(AXES)


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_caught_by_a_check_that_is_for_it(
    fault: str, row: Instance, sim: Simulator
) -> None:
    for seed in range(3):
        bad = FAULTS[fault](row, sim, np.random.default_rng(seed))
        assert bad is not None
        assert bad != row
        assert bad.answer == row.answer
        assert verify(bad, sim).reason in CAUGHT_BY[fault]


def test_a_shift_is_as_long_as_it_says(row: Instance, sim: Simulator) -> None:
    bad = FAULTS["shifted"](row, sim, np.random.default_rng(1))
    assert bad is not None
    moved = [
        float(np.linalg.norm(np.subtract(new.position, old.position)))
        for new, old in zip(bad.scene.objects, row.scene.objects, strict=True)
        if new != old
    ]
    assert len(moved) == 1
    assert SHIFT[0] <= moved[0] <= SHIFT[1]


def test_a_label_that_is_not_that_of_the_world_fails(row: Instance, sim: Simulator) -> None:
    wrong = row.model_copy(update={"answer": "no"})
    assert verify(wrong, sim).reason == "label"


def test_a_trajectory_through_a_wall_fails(row: Instance, sim: Simulator) -> None:
    ahead = row.oracle_actions[0].model_copy(update={"name": "move_forward", "args": ()})
    wrong = row.model_copy(update={"oracle_actions": (ahead,) * 20})
    assert verify(wrong, sim).reason == "trajectory"
    assert AXES["trajectory"] == "correctness"


def test_too_long_a_trajectory_fails(row: Instance, sim: Simulator) -> None:
    turn = row.oracle_actions[0].model_copy(update={"name": "turn_left", "args": ()})
    wrong = row.model_copy(update={"oracle_actions": (turn,) * 24 + row.oracle_actions})
    assert verify(wrong, sim).reason == "budget"


def test_a_question_that_the_first_view_answers_fails(row: Instance, sim: Simulator) -> None:
    """The camera at the end of the trajectory sees all that decides."""
    sim.load(row.scene)
    core = core_of(sim, row)
    core.run(row.oracle_actions, rgb=False)
    turn = row.oracle_actions[0].model_copy(update={"name": "turn_left", "args": ()})
    wrong = row.model_copy(update={"initial_camera": core.camera, "oracle_actions": (turn,)})
    assert verify(wrong, sim).reason == "not_trivial"


def test_a_review_counts_records_and_caught_faults_and_resumes(
    row: Instance, tmp_path: Path
) -> None:
    wrong = row.model_copy(update={"id": "wrong", "index": 1, "answer": "no"})
    with StoreWriter(tmp_path / "store", Instance, meta={"seed": "5"}) as writer:
        writer.add(row)
        writer.add(wrong)
    out = tmp_path / "verdicts.jsonl"
    found = review(tmp_path / "store", out, faults=3, workers=0)
    assert found.records == 2
    assert found.failed == {(TASK, "label"): 1}
    assert not found.sound
    assert found.caught["missing", "spawned"] == 3
    assert sum(n for (_, check), n in found.caught.items() if check == "") == 0
    before = out.read_bytes()
    assert review(tmp_path / "store", out, faults=3, workers=0) == found
    assert out.read_bytes() == before
    assert any("100.0 %" in line for line in found.lines())
