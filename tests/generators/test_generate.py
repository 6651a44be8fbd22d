"""Filling a folder: a kill in the middle and another number of workers change no byte."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

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
