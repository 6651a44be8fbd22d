"""Run the benchmarks and print one table; ``benchmarks/README.md`` says what it shows.

    python -m benchmarks [--save] [suite ...]

A suite is a file of ``kernels/`` without ``test_`` and ``.py``; all of them by default. ``--save``
writes ``results/<suite>.json`` and ``results/README.md``, the table of everything kept there.
The exit code is 1 if a benchmark failed or missed its bar.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import platform
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
KERNELS = HERE / "kernels"
RESULTS = HERE / "results"

#: Start of the keys that hold a ratio; the peer's name follows.
SPEED_OVER = "speed_over_"


def suites() -> list[str]:
    """Names of all suites, in order."""
    return sorted(path.stem.removeprefix("test_") for path in KERNELS.glob("test_*.py"))


def machine() -> dict[str, Any]:
    """What the figures were measured on."""
    model = platform.processor() or platform.machine()
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {
        "cpu": model,
        "cores": len(os.sched_getaffinity(0)),
        "memory_gib": round(memory),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "esi-fast": importlib.metadata.version("esi-fast") if _known("esi-fast") else "in place",
        "numpy": importlib.metadata.version("numpy"),
    }


def _known(distribution: str) -> bool:
    try:
        importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def run(suite: str) -> dict[str, Any]:
    """Runs one suite in its own process: its rows, what was skipped and what failed."""
    with tempfile.TemporaryDirectory() as folder:
        timings, outcomes = Path(folder, "timings.json"), Path(folder, "outcomes.xml")
        command = [sys.executable, "-m", "pytest", str(KERNELS / f"test_{suite}.py"), "-q", "-rs"]
        command += ["--benchmark-only", f"--benchmark-json={timings}", f"--junit-xml={outcomes}"]
        command += ["--benchmark-columns=median,rounds", "-p", "no:cacheprovider"]
        load = os.getloadavg()[0]
        code = subprocess.run(command, cwd=ROOT, check=False).returncode
        text = timings.read_text() if timings.exists() else ""
        measured = json.loads(text)["benchmarks"] if text else []
        skipped, failed = _outcomes(outcomes)
    if code not in (0, 1, 5):  # 5: nothing to run
        failed.append(f"pytest ended with exit code {code}")
    rows = [_row(item) for item in measured]
    return {
        "suite": suite,
        "machine": machine(),
        "load": round(load, 1),
        "rows": sorted(rows, key=lambda row: row["test"]),
        "skipped": sorted(skipped),
        "failed": sorted(failed),
    }


def _outcomes(path: Path) -> tuple[list[str], list[str]]:
    """What was skipped, with the reason, and what failed, with the first line of why."""
    skipped: list[str] = []
    failed: list[str] = []
    if not path.exists():
        return skipped, failed
    for case in ElementTree.parse(path).iter("testcase"):
        name = case.get("name", "")
        for outcome in case:
            why = (outcome.get("message") or "").splitlines() or [""]
            if outcome.tag == "skipped":
                skipped.append(f"{name}: {why[0]}")
            elif outcome.tag in ("failure", "error"):
                failed.append(f"{name}: {why[0]}")
    return skipped, failed


def _row(item: dict[str, Any]) -> dict[str, Any]:
    extra = dict(item["extra_info"])
    words = item["name"].removeprefix("test_").replace("_", " ")
    peers = {key.removeprefix(SPEED_OVER) for key in extra if key.startswith(SPEED_OVER)}
    names = {peer: peer.replace("_", "-") for peer in sorted(peers)}
    versions = {
        peer: importlib.metadata.version(name) for peer, name in names.items() if _known(name)
    }
    return {
        "test": item["name"],
        "what": extra.pop("what", words),
        "size": extra.pop("size", ""),
        "threads": extra.pop("threads", 1),
        "seconds": item["stats"]["median"],
        "versions": versions,
        **extra,
    }


def time_text(seconds: float) -> str:
    """Seconds with three digits and a fitting unit."""
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("us", 1e6)):
        if seconds * factor >= 1.0:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def table(results: list[dict[str, Any]]) -> str:
    """All rows of all suites as one Markdown document."""
    heads = ["suite", "what", "size", "threads", "time", "peak", "speed over the peer", "2 on 1"]
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    for result in results:
        for row in result["rows"]:
            ratios = []
            for key in sorted(row):
                if not key.startswith(SPEED_OVER):
                    continue
                peer = key.removeprefix(SPEED_OVER)
                version = row["versions"].get(peer, "")
                ratios.append(f"{row[key]:.3g} x {peer.replace('_', ' ')} {version}".strip())
            peak = f"{row['peak_mb']:.3g} MiB" if "peak_mb" in row else ""
            seconds = 1e-6 * row["call_us"] if "call_us" in row else row["seconds"]
            scaling = f"{row['speedup_2_threads']:.3g} x" if "speedup_2_threads" in row else ""
            if row.get("others_running", 0.0) > 0.2:
                scaling = f"({scaling}: {row['others_running']:.1f} others ran)"
            cells = [result["suite"], row["what"], row["size"], str(row["threads"])]
            cells += [time_text(seconds), peak, ", ".join(ratios), scaling]
            lines.append("| " + " | ".join(cells) + " |")
    notes = []
    for machine_of, names, loads in _machines(results):
        facts = ", ".join(f"{key} {value}" for key, value in machine_of.items())
        busy = f"{min(loads)} to {max(loads)}"
        notes.append(f"- {', '.join(names)}: {facts}; load {busy}")
    skipped = [f"- {r['suite']}: {text}" for r in results for text in r["skipped"]]
    failed = [f"- {r['suite']}: {text}" for r in results for text in r["failed"]]
    parts = ["\n".join(lines), "## Machine\n\n" + "\n".join(notes)]
    if skipped:
        parts.append("## Skipped\n\n" + "\n".join(skipped))
    if failed:
        parts.append("## Failed\n\n" + "\n".join(failed))
    return "\n\n".join(parts) + "\n"


def _machines(
    results: list[dict[str, Any]],
) -> list[tuple[dict[str, Any], list[str], list[float]]]:
    """Different machines, each with the suites measured there and the load as each started."""
    found: list[tuple[dict[str, Any], list[str], list[float]]] = []
    for result in results:
        for known, names, loads in found:
            if known == result["machine"]:
                names.append(result["suite"])
                loads.append(result["load"])
                break
        else:
            found.append((result["machine"], [result["suite"]], [result["load"]]))
    return found


def save(result: dict[str, Any]) -> None:
    """Keeps the results of a suite, and the table of all that is kept."""
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps(result, indent=1, sort_keys=True) + "\n"
    (RESULTS / f"{result['suite']}.json").write_text(text)
    kept = [json.loads(path.read_text()) for path in sorted(RESULTS.glob("*.json"))]
    head = (
        "# Results\n\nWritten by `python -m benchmarks --save`; `../README.md` explains them.\n\n"
    )
    (RESULTS / "README.md").write_text(head + table(kept))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("suites", nargs="*", metavar="suite", help=", ".join(suites()))
    parser.add_argument("--save", action="store_true", help="keep the figures in results/")
    arguments = parser.parse_args()
    unknown = sorted(set(arguments.suites) - set(suites()))
    if unknown:
        parser.error(f"no suite {', '.join(unknown)}; there are {', '.join(suites())}")
    results = []
    for suite in arguments.suites or suites():
        results.append(run(suite))
        if arguments.save:  # as soon as there is something to keep
            save(results[-1])
    print("\n" + table(results))
    return 1 if any(result["failed"] for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
