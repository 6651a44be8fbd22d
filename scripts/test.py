"""Everything that must hold before a change goes in, in one command.

Run it with the interpreter of an environment into which ``.[test]`` was installed: it builds and
runs the C++ tests of the core, then runs the Python tests against the installed package, then the
checks of style, types, stubs and reference. All steps run even if one fails; the exit code is 1 if
any did.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def steps() -> dict[str, list[str]]:
    """Name and command of each step, in order."""
    sources = sorted(str(path) for path in ROOT.glob("src/cpp/*/*.[ch]pp"))
    module = [sys.executable, "-m"]
    return {
        # fresh: a build folder may remember the tools of an environment that is gone.
        "configure": ["cmake", "--fresh", "--preset", "release"],
        "build": ["cmake", "--build", "--preset", "release", "--target", "core_tests"],
        "ctest": ["ctest", "--preset", "release"],
        "pytest": [*module, "pytest", "-q", "-n", "2", "--benchmark-disable"],
        "ruff check": [*module, "ruff", "check", "."],
        "ruff format": [*module, "ruff", "format", "--check", "."],
        "mypy": [*module, "mypy"],
        "clang-format": ["clang-format", "--dry-run", "-Werror", *sources],
        "stubs": [sys.executable, str(ROOT / "scripts" / "stubs.py"), "--check"],
        "reference": [sys.executable, str(ROOT / "scripts" / "api_docs.py"), "--check"],
    }


def main() -> int:
    env = dict(os.environ)
    # The tools of this environment first. The safe path keeps the source folder, which may hold no
    # compiled core, from hiding the installed package, in child processes too.
    env["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), env.get("PATH", "")])
    env["PYTHONSAFEPATH"] = "1"
    results: dict[str, tuple[bool, float]] = {}
    for name, command in steps().items():
        print(f"\n== {name}", flush=True)
        start = time.monotonic()
        ok = subprocess.run(command, cwd=ROOT, env=env, check=False).returncode == 0
        results[name] = (ok, time.monotonic() - start)
    print("\n== summary")
    for name, (ok, seconds) in results.items():
        print(f"{'passed' if ok else 'FAILED'}  {name} ({seconds:.0f} s)")
    return 0 if all(ok for ok, _ in results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
