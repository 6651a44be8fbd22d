"""Builds the fuzz targets and runs each of them for a number of seconds.

Needs a clang++ with libFuzzer (``CXX`` chooses one). Corpora grow in ``build/fuzz/corpus``, inputs
that break a promise are kept in ``build/fuzz/found``, logs lie beside them. The exit code is 1 if
there are any.

    python scripts/fuzz.py --seconds 600 --jobs 2
    python scripts/fuzz.py --seconds 60 raycast mirror
    build/fuzz/fuzz_raycast build/fuzz/found/raycast/crash-...   # look at one again
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "fuzz"
NAMES = sorted(path.stem.removeprefix("fuzz_") for path in ROOT.glob("src/cpp/fuzz/fuzz_*.cpp"))


class Run(NamedTuple):
    """What one target did: seconds, inputs executed, program edges reached, what went wrong."""

    name: str
    seconds: float
    executions: int
    coverage: int
    result: str


def compiler() -> str:
    """A clang++: the one in ``CXX``, the plain one, or the newest with a number."""
    wanted = os.environ.get("CXX", "")
    if "clang" in wanted:
        return wanted
    names = ["clang++", *(f"clang++-{version}" for version in range(30, 13, -1))]
    found = next((name for name in names if shutil.which(name)), None)
    if found is None:
        sys.exit("no clang++ found: libFuzzer comes with Clang (Debian, Ubuntu: apt install clang)")
    return found


def build(names: list[str], jobs: int) -> None:
    define = f"-DCMAKE_CXX_COMPILER={compiler()}"
    subprocess.run(["cmake", "--preset", "fuzz", define], cwd=ROOT, check=True)
    targets = [f"fuzz_{name}" for name in names]
    command = ["cmake", "--build", "--preset", "fuzz", "-j", str(jobs), "--target", *targets]
    subprocess.run(command, cwd=ROOT, check=True)


def run(name: str, seconds: int) -> Run:
    corpus, found = BUILD / "corpus" / name, BUILD / "found" / name
    corpus.mkdir(parents=True, exist_ok=True)
    found.mkdir(parents=True, exist_ok=True)
    command = [
        str(BUILD / f"fuzz_{name}"),
        f"-max_total_time={seconds}",
        "-max_len=400",
        "-len_control=0",
        "-timeout=30",
        "-print_final_stats=1",
        f"-artifact_prefix={found}/",
        str(corpus),
    ]
    env = dict(os.environ)
    # Embree keeps its devices until the process ends.
    env.setdefault("ASAN_OPTIONS", "detect_leaks=0")
    env.setdefault("UBSAN_OPTIONS", "print_stacktrace=1")
    start = time.monotonic()
    with (BUILD / f"{name}.log").open("w") as log:
        code = subprocess.run(command, stdout=log, stderr=log, env=env, check=False).returncode
    text = (BUILD / f"{name}.log").read_text(errors="replace")
    executed = re.search(r"number_of_executed_units: (\d+)", text)
    edges = re.findall(r"cov: (\d+)", text)
    kept = re.search(r"Test unit written to (\S+)", text)
    return Run(
        name,
        time.monotonic() - start,
        int(executed[1]) if executed else 0,
        int(edges[-1]) if edges else 0,
        "clean" if code == 0 else f"exit {code}: {kept[1] if kept else 'see the log'}",
    )


def main() -> int:
    parser = argparse.ArgumentParser(description="Run the fuzz targets.")
    parser.add_argument("names", nargs="*", metavar="target", help=f"of {', '.join(NAMES)}; all")
    parser.add_argument("--seconds", type=int, default=600, help="for each target")
    parser.add_argument("--jobs", type=int, default=2, help="targets at a time")
    parser.add_argument("--no-build", action="store_true", help="run what was built before")
    options = parser.parse_args()
    names = options.names or NAMES
    for name in names:
        if name not in NAMES:
            parser.error(f"target: expected one of {', '.join(NAMES)}, got {name}")
    if not options.no_build:
        build(names, options.jobs)
    runs: list[Run] = []
    with ThreadPoolExecutor(options.jobs) as pool:
        for done in pool.map(lambda name: run(name, options.seconds), names):
            runs.append(done)
            print(
                f"{done.name:12} {done.seconds:6.0f} s {done.executions:10} executions "
                f"{done.coverage:6} edges  {done.result}",
                flush=True,
            )
    return 0 if all(done.result == "clean" for done in runs) else 1


if __name__ == "__main__":
    sys.exit(main())
