"""Write the type stubs of the compiled core from its own signatures, or check that they are fresh.

    python scripts/stubs.py           writes esi_fast/geometry/_core/*.pyi
    python scripts/stubs.py --check   exits with 1 and shows the difference if they are stale

The core built in place is used where there is one, the installed one otherwise.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from generated import main

ROOT = Path(__file__).resolve().parent.parent
MODULE = "esi_fast.geometry._core"
STUBS = ROOT.joinpath(*MODULE.split("."))


def generate(folder: Path) -> dict[str, str]:
    """The stubs as they should be: file name to text."""
    env = dict(os.environ)
    if any(STUBS.parent.glob("_core.*.so")):
        env["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), env.get("PYTHONPATH")]))
    command = [sys.executable, "-P", "-m", "pybind11_stubgen", MODULE, "-o", str(folder)]
    command += ["--exit-code", "--numpy-array-remove-parameters"]
    subprocess.run(command, check=True, env=env)
    made = folder.joinpath(*MODULE.split("."))
    ruff = [sys.executable, "-m", "ruff"]
    config = ["--config", str(ROOT / "pyproject.toml"), "--no-cache"]
    isort = ["check", "-q", "--fix", "--select", "I", *config, "--config", "extend-exclude=[]"]
    subprocess.run([*ruff, *isort, str(made)], check=True)
    form = ["format", "-q", *config, "--config", "extend-exclude=[]"]
    subprocess.run([*ruff, *form, str(made)], check=True)
    return {path.name: path.read_text() for path in sorted(made.glob("*.pyi"))}


def fresh_stubs() -> dict[str, str]:
    with tempfile.TemporaryDirectory() as folder:
        return generate(Path(folder))


if __name__ == "__main__":
    sys.exit(main("the stubs of the compiled core", STUBS, "*.pyi", fresh_stubs))
