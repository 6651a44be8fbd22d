"""``import esi_fast.geometry`` loads NumPy and the core, nothing heavier."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import esi_fast

HEAVY = {
    "PIL",
    "gymnasium",
    "manifold3d",
    "mujoco",
    "mujoco_core",
    "omnigibson",
    "openai",
    "pydantic",
    "scipy",
    "torch",
    "trimesh",
    "typer",
}


PACKAGE = Path(esi_fast.__file__).parent


def run(code: str, package: Path = PACKAGE) -> subprocess.CompletedProcess[str]:
    """Run code in a fresh interpreter that finds the package where told."""
    return subprocess.run(
        [sys.executable, "-P", "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        env=dict(os.environ, PYTHONPATH=str(package.parent)),
        check=False,
    )


def loaded_by(statement: str) -> set[str]:
    """Top-level packages in memory after a statement, in a fresh interpreter."""
    done = run(f"import sys, json\n{statement}\nprint(json.dumps(sorted(sys.modules)))")
    assert done.returncode == 0, done.stderr
    return {name.split(".")[0] for name in json.loads(done.stdout)}


def test_geometry_is_light() -> None:
    packages = loaded_by("import esi_fast.geometry")
    assert "esi_fast" in packages
    assert packages & HEAVY == set()


def test_geometry_needs_only_numpy() -> None:
    """Everything it loads is NumPy, the package itself or the standard library."""
    before = loaded_by("import numpy, numpy.typing")
    foreign = loaded_by("import esi_fast.geometry") - before - set(sys.stdlib_module_names)
    assert {name for name in foreign if not name.startswith("_")} == {"esi_fast"}


def test_the_probe_sees_heavy_imports() -> None:
    assert "pydantic" in loaded_by("import esi_fast.records") & HEAVY


def test_a_missing_core_says_how_to_build_it(tmp_path: Path) -> None:
    copy = tmp_path / "esi_fast"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("*.so", "_embree", "__pycache__"))
    assert (copy / "geometry" / "_core" / "__init__.pyi").exists()
    done = run("import esi_fast.geometry", copy)
    assert done.returncode != 0
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError: the compiled core of esi_fast.geometry cannot be loaded")
    assert "python -m pip install ." in last
    assert "cmake --preset default" in last


@pytest.mark.skipif(
    not (PACKAGE / "geometry" / "_embree").exists(), reason="built on a system Embree"
)
def test_a_missing_embree_says_so(tmp_path: Path) -> None:
    copy = tmp_path / "esi_fast"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("_embree", "__pycache__"))
    done = run("import esi_fast.geometry", copy)
    assert done.returncode != 0
    assert "libembree4" in done.stderr.strip().splitlines()[-1]
