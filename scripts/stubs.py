"""Write the type stubs of the compiled core from its own signatures, or check that they are fresh.

    python scripts/stubs.py           writes esi_fast/geometry/_core/*.pyi
    python scripts/stubs.py --check   exits with 1 and shows the difference if they are stale

The core built in place is used where there is one, the installed one otherwise.
"""

from __future__ import annotations

import argparse
import difflib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

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


def main() -> int:
    parser = argparse.ArgumentParser(description="Write or check the stubs of the compiled core.")
    parser.add_argument("--check", action="store_true", help="only compare")
    check: bool = parser.parse_args().check
    with tempfile.TemporaryDirectory() as folder:
        fresh = generate(Path(folder))
    kept = {path.name: path.read_text() for path in sorted(STUBS.glob("*.pyi"))}
    if check:
        for name in sorted(fresh.keys() | kept.keys()):
            before, after = kept.get(name, ""), fresh.get(name, "")
            lines = [text.splitlines(keepends=True) for text in (before, after)]
            sys.stdout.writelines(difflib.unified_diff(*lines, f"kept/{name}", f"fresh/{name}"))
        if fresh != kept:
            print("the stubs are stale: run python scripts/stubs.py")
            return 1
        return 0
    STUBS.mkdir(exist_ok=True)
    for name in kept.keys() - fresh.keys():
        (STUBS / name).unlink()
    for name, text in fresh.items():
        (STUBS / name).write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
