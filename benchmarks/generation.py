"""How fast questions are made, and what the time goes into; one table.

    python -m benchmarks.generation [-n 20] [--whole 6] [--save] [task ...]

For each task ``n`` labels are made without trajectories (one house after the other, starting cold),
then ``whole`` complete instances with pictures, on one processor. Rates are for two processors, of
processor time, so that other work on the machine hardly tells. ``--save`` keeps the table.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections import Counter
from pathlib import Path

from benchmarks.__main__ import machine
from esi_fast import registry
from esi_fast.generators.driver import make_instance
from esi_fast.sim.base import Simulator

RESULTS = Path(__file__).resolve().parent / "results" / "generation.md"
PROCESSORS = 2


def measure(task: str, n: int, whole: int, sim: Simulator) -> dict[str, str]:
    """The row of one task."""
    rejections: Counter[str] = Counter()
    seconds: Counter[str] = Counter()
    attempts = made = 0
    start = time.process_time()
    for index in range(n):
        one = make_instance(task, index, 1, sim, oracle=False)
        rejections += one.rejections
        attempts += one.attempts
        made += one.instance is not None
    labels = made / (time.process_time() - start)
    lengths, begin, complete = [], time.process_time(), 0
    for index in range(whole):
        one = make_instance(task, index, 2, sim)
        seconds += one.seconds
        if one.instance is not None:
            complete += 1
            lengths.append(len(one.instance.oracle_actions))
    rate = complete / (time.process_time() - begin)
    total = sum(seconds.values())
    stages = ", ".join(f"{k} {100 * s / total:.0f} %" for k, s in seconds.most_common(4))
    reasons = ", ".join(f"{reason} {count}" for reason, count in rejections.most_common(4))
    oracle = seconds["oracle"] / max(complete, 1)
    return {
        "task": f"`{task}`",
        "labels per s": f"{PROCESSORS * labels:.1f}",
        "accepted": f"{100 * made / attempts:.0f} %",
        "rejected for": reasons or "-",
        "whole per s": f"{PROCESSORS * rate:.2f}",
        "actions": f"{min(lengths)} to {max(lengths)}" if lengths else "-",
        "search": f"{oracle:.1f} s",
        "stages": stages,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tasks", nargs="*")
    parser.add_argument("-n", type=int, default=20)
    parser.add_argument("--whole", type=int, default=6)
    parser.add_argument("--save", action="store_true")
    given = parser.parse_args()
    sim: Simulator = registry.get("backend", "embedded")()
    rows = []
    for task in given.tasks or registry.names("task"):
        rows.append(measure(task, given.n, given.whole, sim))
        print(" | ".join(f"{key} {value}" for key, value in rows[-1].items()), flush=True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    where = machine()
    lines = [
        "# Making questions",
        "",
        f"{where['cpu']}, rates for {PROCESSORS} processors; {given.n} labels and {given.whole} "
        "whole instances with pictures of 512 x 512 per task, one process: "
        f"at most {peak:.0f} MiB. Stages and search by the clock on the wall. "
        "Made by `python -m benchmarks.generation`.",
        "",
        "| " + " | ".join(rows[0]) + " |",
        "|" + "---|" * len(rows[0]),
        *("| " + " | ".join(row.values()) + " |" for row in rows),
    ]
    text = "\n".join(lines) + "\n"
    print(text)
    if given.save:
        RESULTS.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
