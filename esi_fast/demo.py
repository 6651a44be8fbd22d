"""The whole chain in one call: mirror questions made, answered, scored and shown."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from esi_fast.eval.report import write_report
from esi_fast.eval.runner import run
from esi_fast.eval.score import format_table, score_runs
from esi_fast.generators.driver import generate

__all__ = ["AGENTS", "TASK", "demo"]

TASK = "specular_reflection/reflection_authoring"
AGENTS = ("perfect", "first_view", "random")


def demo(
    out: str | Path,
    *,
    seed: int = 0,
    pairs: int = 3,
    workers: int = 2,
    echo: Callable[[str], None] = print,
) -> Path:
    """Make ``pairs`` pairs of mirror questions, let the scripted agents answer, write the page.

    Returns the path of the page. Everything lies under ``out``: ``instances/``, ``run/`` and
    ``report/``; a call that was stopped is continued by the same call. ``echo`` gets the lines
    that a person reads.
    """
    out = Path(out)
    begun = time.monotonic()
    echo(f"Making {2 * pairs} questions of {TASK} ...")
    (made,) = generate([TASK], out / "instances", count=2 * pairs, seed=seed, workers=workers)
    rejected = ", ".join(f"{reason} {count}" for reason, count in made.rejections.most_common(4))
    echo(
        f"  {made.instances} questions with two agreeing labels and a proved trajectory, "
        f"{time.monotonic() - begun:.0f} s; rejected drafts: {rejected or 'none'}"
    )
    begun = time.monotonic()
    echo(f"Letting {', '.join(AGENTS)} answer ...")
    played = run(out / "instances", out / "run", agents=AGENTS, seed=seed, workers=workers)
    echo(f"  {played.done + played.skipped} episodes, {time.monotonic() - begun:.0f} s")
    echo("")
    echo(format_table(score_runs(out / "run")))
    page = write_report(out / "run", out / "report", title="Mirror questions")
    echo("")
    echo(f"Open {page.resolve()}")
    return page
