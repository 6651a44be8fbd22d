"""``import esi_fast.geometry`` loads NumPy and the core, nothing heavier."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

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


def loaded_by(statement: str) -> set[str]:
    """Top-level packages in memory after a statement, in a fresh interpreter."""
    code = f"import sys, json\n{statement}\nprint(json.dumps(sorted(sys.modules)))"
    env = dict(os.environ, PYTHONPATH=str(Path(esi_fast.__file__).parent.parent))
    done = subprocess.run(
        [sys.executable, "-P", "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        env=env,
        check=False,
    )
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
