"""How a kernel is measured against its peers, and the names under which the figures are kept.

``benchmarks/README.md`` lists the keys of ``extra_info`` that the table understands.
"""

from __future__ import annotations

import gc
import time
import timeit
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

__all__ = ["alternate", "call_microseconds", "compare", "peak_megabytes", "two_threads"]

Run = Callable[[], Any]


def alternate(
    *runs: Run, rounds: int = 3, clock: Callable[[], float] = time.process_time
) -> list[float]:
    """Best seconds of each run, taken in turn so that all meet the same neighbours.

    ``time.process_time`` (all threads of this process together) for work on one thread, on which
    other processes then hardly tell; ``time.perf_counter`` to compare different numbers of threads.
    """
    best = [float("inf")] * len(runs)
    for _ in range(rounds):
        for k, run in enumerate(runs):
            begin = clock()
            run()
            best[k] = min(best[k], clock() - begin)
    return best


def peak_megabytes(run: Run) -> float | None:
    """Resident memory in MiB that one call needs above what is there before it.

    None where the kernel does not let a process reset its peak (it needs Linux).
    """
    gc.collect()
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return None
    before = _resident("VmRSS")
    run()
    return max(0.0, _resident("VmHWM") - before)


def _resident(field: str) -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) / 1024
    raise RuntimeError(f"/proc/self/status has no {field}")


def call_microseconds(run: Run, *, seconds: float = 0.02, repeats: int = 7) -> float:
    """Microseconds of processor time that one call takes: the best mean of runs of many calls."""
    timer = timeit.Timer(run, timer=time.process_time)
    count, taken = timer.autorange()
    number = max(1, round(count * seconds / taken))
    return 1e6 * min(timer.repeat(repeats, number)) / number


def two_threads(
    benchmark: Any, run: Callable[[int], Any], *, at_least: float = 1.6, rounds: int = 200
) -> float:
    """Keeps the speed of ``run(2)``, on two threads, over that of ``run(1)``, by the clock.

    The best of many short runs, so that other work leaves both processors alone now and again.
    While there is other work all the time the figure means nothing, and is not judged.
    """
    others = _others_running()
    one, two = alternate(lambda: run(1), lambda: run(2), rounds=rounds, clock=time.perf_counter)
    others = max(others, _others_running())
    faster = one / two
    benchmark.extra_info.update(speedup_2_threads=round(faster, 3), others_running=round(others, 1))
    print(
        f"\n  one thread {one:.4g} s, two {two:.4g} s: {faster:.2f} x, {others:.1f} others running"
    )
    assert faster >= at_least or others > 0.2
    return faster


def _others_running() -> float:
    """How many other threads of the machine want a processor, on average over 0.1 s."""
    counts = []
    for _ in range(20):
        time.sleep(0.005)
        stat = Path("/proc/stat").read_text()
        counts.append(int(stat.split("procs_running", 1)[1].split()[0]) - 1)
    return sum(counts) / len(counts)


def compare(
    benchmark: Any,
    ours: Run,
    *,
    what: str,
    size: str,
    threads: int = 1,
    rounds: int = 3,
    clock: Callable[[], float] = time.process_time,
    **peers: Run,
) -> Mapping[str, float]:
    """Times ``ours`` and each peer in turn, keeps all figures, and returns speed over each peer.

    A peer's keyword is the name of its distribution on PyPI (``-`` as ``_``), or of the limit that
    it stands for. Compare the answers before you call this.
    """
    extra = benchmark.extra_info
    extra.update(what=what, size=size, threads=threads)
    peak = peak_megabytes(ours)
    if peak is not None:
        extra["peak_mb"] = round(peak, 1)
    benchmark.pedantic(ours, rounds=rounds)
    mine, *others = alternate(ours, *peers.values(), rounds=rounds, clock=clock)
    extra["seconds"] = mine
    speed = {peer: seconds / mine for peer, seconds in zip(peers, others, strict=True)}
    for peer, seconds in zip(peers, others, strict=True):
        extra[f"seconds_{peer}"] = seconds
        extra[f"speed_over_{peer}"] = round(speed[peer], 3)
        print(f"\n  {what}, {size}: {peer} {seconds:.4g} s, ours {mine:.4g} s: {speed[peer]:.2f} x")
    return speed
