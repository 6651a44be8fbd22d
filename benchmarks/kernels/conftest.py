"""Peers and limits: each is a fixture that skips with the reason where it cannot be had."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def bare_embree() -> ModuleType:
    """The bare Embree loops, built on first use into ``build/benchmarks``."""
    folder = ROOT / "build" / "benchmarks"
    configure = ["cmake", "-S", str(ROOT), "-B", str(folder), "-G", "Ninja"]
    configure += ["-DESI_BENCHMARKS=ON", f"-DPython_EXECUTABLE={sys.executable}"]
    build = ["cmake", "--build", str(folder), "--target", "bare_embree"]
    for command in (configure, build):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            pytest.fail(f"{' '.join(command)}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    path = next(folder.glob("bare_embree.*.so"))
    spec = importlib.util.spec_from_file_location("bare_embree", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
