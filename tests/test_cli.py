"""The command line as a newcomer meets it: help, lists, wrong calls, foreseen errors."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from builtin import builtin

from esi_fast import __version__, registry
from esi_fast.sim.base import Capability


def _run(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "esi_fast.cli", *args], capture_output=True, text=True, check=False
    )


def test_help_names_every_command() -> None:
    out = _run("--help").stdout
    for command in ("generate", "run", "score", "report", "audit", "demo", "list", "assets"):
        assert command in out


def test_version() -> None:
    assert _run("--version").stdout.strip() == f"esi-fast {__version__}"


def test_lists_come_from_the_registry() -> None:
    tasks = _run("list", "tasks").stdout
    for name in builtin("task"):
        assert name in tasks
    backends = _run("list", "backends").stdout
    assert "embedded" in backends
    assert "mirror" in backends


def test_backends_are_listed_with_what_they_can_do() -> None:
    """A row for every capability, a column for every backend, and its approximations below."""
    lines = _run("list", "backends").stdout.splitlines()
    names = lines[0].split()[1:]
    assert set(builtin("backend")) <= set(names)
    rows = {line.split()[0]: line.split()[1:] for line in lines[1 : 1 + len(Capability)]}
    assert set(rows) == {capability.value for capability in Capability}
    for column, name in enumerate(names):
        kind = registry.get("backend", name)
        able = {value for value, marks in rows.items() if marks[column] == "yes"}
        assert able == {capability.value for capability in kind.capabilities}
        at = lines.index(f"{name}: {kind.version}")
        named = lines[at + 1 : at + 1 + len(kind.approximations)]
        assert named == [f"  approximates {text}" for text in kind.approximations]
        # Each says first what it is about.
        assert all(":" in text for text in kind.approximations)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("generate", "spatial_relations/nothing", "--out", "x"), "unknown task"),
        (("generate", "spatial_relations/linear_alignment", "-o", "x", "--count", "3"), "even"),
        (("run", "no_such_folder", "-o", "x", "-a", "perfect"), "no_such_folder"),
        (("score", "no_such_folder"), "no_such_folder"),
        (("audit", "no_such_file.jsonl"), "no_such_file"),
    ],
)
def test_wrong_calls_are_one_line(
    args: tuple[str, ...], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Foreseen errors: a message that names the thing, no traceback, a non-zero exit code."""
    monkeypatch.chdir(tmp_path)
    done = _run(*args)
    assert done.returncode in (1, 2)
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "x" / "manifest.json").exists()
