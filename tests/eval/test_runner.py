"""Runs: complete, deterministic, resumable after a kill, never smaller for a failure."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import box_world as bw
import pytest

from esi_fast.dataset.store import Store, StoreWriter
from esi_fast.errors import RecordError, UnknownName
from esi_fast.eval.paradigms import PARADIGMS
from esi_fast.eval.runner import instance_hash, load_run, run
from esi_fast.eval.score import score_runs
from esi_fast.jobs import Summary
from esi_fast.records import EpisodeRecord, Instance


def play(instances: Path, out: Path, **settings: Any) -> Summary:
    return run(
        instances,
        out,
        **{"agents": ["perfect", "random"], "imports": ["box_world"], "workers": 0, **settings},
    )


def episodes_of(out: Path) -> list[EpisodeRecord]:
    return list(load_run(out)[1].episodes())


@pytest.fixture
def instances(tmp_path: Path) -> Path:
    root = tmp_path / "made"
    with StoreWriter(root, Instance, durable=False) as writer:
        for k in range(3):
            writer.add(bw.instance(k, size=32))
    return root


def contents(root: Path) -> dict[str, str]:
    """Hash by file of everything that is promised to have equal bytes."""
    return {
        str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.name not in ("sidecar.jsonl", ".lock")
    }


def test_every_combination_is_played_once(instances: Path, tmp_path: Path) -> None:
    summary = play(instances, tmp_path)
    assert (summary.done, summary.skipped, dict(summary.failures)) == (24, 0, {})
    played, store = load_run(tmp_path)
    episodes = list(store.episodes())
    assert len({episode.key for episode in episodes}) == 24
    assert [(e.instance, e.paradigm, e.agent) for e in episodes] == [
        (f"behind-{k}", paradigm, agent)
        for k in range(3)
        for paradigm in PARADIGMS
        for agent in ("perfect", "random")
    ]
    assert store.verify() == []
    assert played.verify() == []
    known = {instance.id: instance for instance in Store(instances).instances()}
    assert {instance.id for instance in played.instances()} == set(known)
    for episode in episodes:
        assert episode.instance_hash == instance_hash(known[episode.instance])
        assert episode.budget == (30 if episode.paradigm == "active" else 0)
        assert all(step.image for step in episode.steps)
    assert {note["key"] for note in store.notes()} == {episode.key for episode in episodes}


def test_perfect_agent_is_right_where_it_can_know(instances: Path, tmp_path: Path) -> None:
    play(instances, tmp_path / "run")
    # A run can be scored wherever it is.
    (tmp_path / "run").rename(tmp_path / "moved")
    shutil.rmtree(instances)
    right = {
        (row.paradigm, row.agent): row.numbers["accuracy"] for row in score_runs(tmp_path / "moved")
    }
    assert right["active", "perfect"] == 1.0
    assert right["oracle", "perfect"] == 1.0


def test_workers_give_the_same_bytes(instances: Path, tmp_path: Path) -> None:
    play(instances, tmp_path / "here")
    play(instances, tmp_path / "two", workers=2)
    assert contents(tmp_path / "here") == contents(tmp_path / "two")


def test_a_second_call_has_nothing_to_do(instances: Path, tmp_path: Path) -> None:
    play(instances, tmp_path / "run")
    before = contents(tmp_path / "run")
    summary = play(instances, tmp_path / "run")
    assert (summary.done, summary.skipped) == (0, 24)
    assert contents(tmp_path / "run") == before


def test_a_longer_run_continues_a_shorter_one(instances: Path, tmp_path: Path) -> None:
    assert play(instances, tmp_path / "grown", limit=1).done == 8
    assert play(instances, tmp_path / "grown").done == 16
    play(instances, tmp_path / "whole")
    assert contents(tmp_path / "grown") == contents(tmp_path / "whole")


SCRIPT = """
import sys
from esi_fast.eval.runner import run
run(sys.argv[1], sys.argv[2], agents=["perfect", "random"], imports=["box_world"],
    workers=int(sys.argv[3]))
"""


@pytest.mark.parametrize("workers", [0, 2])
def test_killed_at_any_time_the_same_command_gives_the_same_bytes(
    instances: Path, tmp_path: Path, workers: int
) -> None:
    play(instances, tmp_path / "calm")
    command = [sys.executable, "-c", SCRIPT, str(instances), str(tmp_path / "run"), str(workers)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    for episodes in (1, 9, 17):
        process = subprocess.Popen(command, env=environment)
        # Killed when about so many episodes are stored, wherever in the next one that is.
        while process.poll() is None and stored(tmp_path / "run") < episodes:
            time.sleep(0.01)
        assert process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert 0 < stored(tmp_path / "run") < 24
    subprocess.run(command, env=environment, check=True)
    assert contents(tmp_path / "run") == contents(tmp_path / "calm")


def stored(root: Path) -> int:
    shard = root / "episodes" / "records-00000.jsonl"
    return shard.read_bytes().count(b"\n") if shard.exists() else 0


def test_a_failed_episode_stops_nothing_and_counts(instances: Path, tmp_path: Path) -> None:
    summary = play(instances, tmp_path, agents=["broken", "question_only"])
    assert summary.done == 24
    assert len(summary.failures) == 12
    episodes = episodes_of(tmp_path)
    assert len(episodes) == 24
    failed = [episode for episode in episodes if episode.agent == "broken"]
    assert {episode.stop_reason for episode in failed} == {"error"}
    assert {episode.error for episode in failed} == {"ZeroDivisionError: broken on purpose"}
    rows = score_runs(tmp_path)
    assert all(row.numbers["n"] == 3 for row in rows)
    assert {row.numbers["errors"] for row in rows if row.agent == "broken"} == {3}
    assert load_run(tmp_path)[1].verify() == []


def test_a_dead_worker_is_an_error_of_its_episode(instances: Path, tmp_path: Path) -> None:
    play(
        instances,
        tmp_path,
        agents=["suicidal", "question_only"],
        paradigms=["oracle"],
        workers=1,
        limit=2,
    )
    episodes = episodes_of(tmp_path)
    assert [episode.stop_reason for episode in episodes] == ["error", "answered"] * 2
    assert "SIGKILL" in episodes[0].error


def test_another_run_does_not_go_into_the_same_folder(instances: Path, tmp_path: Path) -> None:
    play(instances, tmp_path, limit=1)
    with pytest.raises(RecordError, match="seed"):
        play(instances, tmp_path, seed=1)


def test_seeds_change_the_random_agent(instances: Path, tmp_path: Path) -> None:
    answers = []
    for seed in (0, 1):
        play(instances, tmp_path / f"run{seed}", agents=["random"], seed=seed)
        answers.append([episode.steps for episode in episodes_of(tmp_path / f"run{seed}")])
    assert answers[0] != answers[1]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"agents": ["perfekt"]}, "unknown agent 'perfekt'"),
        ({"paradigms": ["looking"]}, "got 'looking'"),
        ({"agents": []}, "at least one"),
        ({"paradigms": []}, "at least one"),
        ({"budget": -1}, "budget"),
        ({"agents": ["random", "random"]}, "each once"),
    ],
)
def test_wrong_settings_are_named(
    instances: Path, tmp_path: Path, settings: dict[str, Any], message: str
) -> None:
    with pytest.raises((ValueError, UnknownName), match=message):
        play(instances, tmp_path / "run", **settings)
    assert not (tmp_path / "run").exists()


def test_wrong_folders_are_named(instances: Path, tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="manifest"):
        play(tmp_path, tmp_path / "run")
    play(instances, tmp_path / "run", limit=1)
    with pytest.raises(RecordError, match="not Instance"):
        play(tmp_path / "run" / "episodes", tmp_path / "other")
    with pytest.raises(RecordError, match="manifest"):
        score_runs(instances)


def test_a_damaged_row_is_named(instances: Path, tmp_path: Path) -> None:
    shard = instances / "records-00000.jsonl"
    lines = shard.read_text().splitlines(keepends=True)
    lines[1] = lines[1].replace('"answer":"bowl"', '"answer":"teapot"', 1)
    shard.write_text("".join(lines))
    with pytest.raises(RecordError, match=r"records-00000.jsonl:2: Instance.*teapot"):
        play(instances, tmp_path / "run")
