"""Filling a folder: a kill in the middle and another number of workers change no byte."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from esi_fast import registry
from esi_fast.dataset.store import Store
from esi_fast.errors import EsiError, StorageError
from esi_fast.generators import driver, pick
from esi_fast.generators.base import Draft, World
from esi_fast.generators.driver import generate
from esi_fast.generators.place import FreeFloor
from esi_fast.generators.spatial_relations.linear_alignment import LinearAlignment

TASK = "specular_reflection/reflection_authoring"


def _start(folder: Path, workers: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "esi_fast.cli", "generate", TASK, "--out", str(folder)]
    return subprocess.Popen(
        [*command, "--count", "4", "--workers", str(workers), "--no-pictures"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def test_killed_and_continued_with_other_workers(tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    assert _start(whole, 2).wait(timeout=300) == 0
    records = cut / "records-00000.jsonl"
    process = _start(cut, 1)
    while process.poll() is None and not (records.exists() and records.stat().st_size):
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert records.read_bytes().count(b"\n") < 4
    assert _start(cut, 1).wait(timeout=300) == 0
    expected = (whole / "records-00000.jsonl").read_bytes()
    assert expected.count(b"\n") == 4
    assert records.read_bytes() == expected
    assert (cut / "manifest.json").read_bytes() == (whole / "manifest.json").read_bytes()


class Poor(LinearAlignment):
    """Asks the same two questions again and again."""

    def build(self, world: World, want: str) -> Draft:
        fixed = World(
            sim=world.sim,
            scene=world.scene,
            home=world.home,
            pair_rng=lambda purpose: np.random.default_rng(1),
            rng=np.random.default_rng(4),
        )
        return super().build(fixed, want)


class Unfurnished(LinearAlignment):
    """Wants things that no model is as large as."""

    def build(self, world: World, want: str) -> Draft:
        pick.pool((7.0, 8.0), (7.0, 8.0))
        raise AssertionError("never reached")


class Cramped(LinearAlignment):
    """Wants more floor than a room has."""

    def build(self, world: World, want: str) -> Draft:
        FreeFloor(world.home, world.home.rooms[0]).sample(world.rng, 1, 30.0)
        raise AssertionError("never reached")


@pytest.mark.parametrize(
    ("kind", "reason"), [(Poor, "duplicate"), (Unfurnished, "no_models"), (Cramped, "larger")]
)
def test_what_cannot_be_made_is_said_with_its_reason(
    kind: type[LinearAlignment], reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More questions than there are, no such model, no such room: no stop, no endless search."""
    registry.names("task")
    monkeypatch.setitem(registry._registered["task"], "test/impossible", kind)
    monkeypatch.setattr(driver, "PAIRS_PER_HOUSE", 10_000)
    with pytest.raises(EsiError, match=reason) as caught:
        generate(["test/impossible"], tmp_path, count=4, workers=0, oracle=False, pictures=False)
    made = 1 if kind is Poor else 0
    assert f"only {made} of 2 pairs" in str(caught.value)
    assert len(list(Store(tmp_path).instances())) == 2 * made


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StorageError, match="file"):
        generate([TASK], tmp_path / "file" / "out", count=2, workers=0)
