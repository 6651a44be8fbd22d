"""The command line. Each command imports what it needs when it runs, so ``--help`` is quick.

Exit codes: 0 success, 1 failed checks or a foreseen error, 2 a wrong call.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from esi_fast import __version__
from esi_fast.errors import EsiError, UnknownName
from esi_fast.jobs import Engine

__all__ = ["app", "main"]

app = typer.Typer(
    name="esi-fast",
    help="Embodied spatial benchmarks: generate, run, score, report, audit.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
list_app = typer.Typer(no_args_is_help=True, help="Show what is registered.")
assets_app = typer.Typer(no_args_is_help=True, help="Look at the models.")
app.add_typer(list_app, name="list")
app.add_typer(assets_app, name="assets")

OutOption = Annotated[Path, typer.Option("--out", "-o", help="Output folder (resumed if begun).")]
SeedOption = Annotated[int, typer.Option(help="The same seed gives the same bytes.")]
EngineOption = Annotated[
    Engine, typer.Option(help="Local processes, or a Ray cluster (RAY_ADDRESS).")
]
WorkersOption = Annotated[int, typer.Option(min=0, help="Worker processes; 0 stays in this one.")]


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"esi-fast {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    del version


@app.command()
def generate(
    tasks: Annotated[
        list[str], typer.Argument(help="Task ids, for example those of `list tasks`.")
    ],
    out: OutOption,
    count: Annotated[
        int, typer.Option("--count", "-n", "--n", help="Instances per task (an even number).")
    ] = 20,
    seed: SeedOption = 0,
    workers: WorkersOption = 2,
    backend: Annotated[str, typer.Option(help="Simulator.")] = "embedded",
    engine: EngineOption = "processes",
    oracle: Annotated[
        bool, typer.Option(help="Search for trajectories that prove the answer.")
    ] = True,
    pictures: Annotated[bool, typer.Option(help="Store view 0 and the oracle frames.")] = True,
) -> None:
    """Make questions with proved labels."""
    from esi_fast.generators.driver import generate as run
    from esi_fast.jobs import Progress

    def show(task: str, update: Progress) -> None:
        rate = update.done / max(update.seconds, 1e-9)
        left = (update.total - update.skipped - update.done) / max(rate, 1e-9)
        typer.echo(
            f"{task}: {update.done + update.skipped}/{update.total} pairs, "
            f"{60 * rate:.1f} per minute, about {left:.0f} s left",
            err=True,
        )

    for summary in run(
        tasks,
        out,
        count=count,
        seed=seed,
        workers=workers,
        backend=backend,
        engine=engine,
        oracle=oracle,
        pictures=pictures,
        progress=show,
    ):
        typer.echo(f"{summary.task}: {summary.instances} instances in {out}")
        if summary.attempts:
            accepted = summary.attempts - sum(summary.rejections.values())
            share = 100.0 * accepted / summary.attempts
            typer.echo(
                f"  {summary.attempts} drafts, {share:.0f} % accepted; reasons of the others:"
            )
        _histogram(summary.rejections)
        if summary.seconds:
            stages = ", ".join(f"{name} {s:.1f}" for name, s in summary.seconds.most_common())
            typer.echo(f"  seconds of the workers: {stages}")


def _histogram(reasons: Counter[str]) -> None:
    total = sum(reasons.values())
    for reason, count in reasons.most_common():
        bar = "#" * max(1, round(40 * count / max(total, 1)))
        typer.echo(f"  {count:6d}  {reason:24s} {bar}")


@app.command()
def verify(
    instances: Annotated[Path, typer.Argument(help="Folder made by `generate`.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="File of verdicts (resumed if begun).")],
    faults: Annotated[
        int, typer.Option(min=0, help="Faulty records of each kind to make, and to catch.")
    ] = 0,
    seed: SeedOption = 0,
    workers: WorkersOption = 2,
    backend: Annotated[str, typer.Option(help="Simulator.")] = "embedded",
) -> None:
    """Check stored questions anew: right, answerable, not trivial.

    Exits with 1 if a record fails.
    """
    from esi_fast.generators.review import review

    found = review(instances, out, faults=faults, seed=seed, workers=workers, backend=backend)
    for line in found.lines():
        typer.echo(line)
    if not found.sound:
        raise typer.Exit(1)


@app.command()
def prove(
    tasks: Annotated[list[str], typer.Argument(help="Task ids.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="File of results (resumed if begun).")],
    pairs: Annotated[int, typer.Option(min=1, help="Pairs of worlds per task.")] = 1000,
    seed: SeedOption = 0,
    workers: WorkersOption = 2,
    backend: Annotated[str, typer.Option(help="Simulator.")] = "embedded",
) -> None:
    """Look for worlds that an observer tells apart though their histories are equal.

    Exits with 1 if there are any, or no pairs at all.
    """
    from esi_fast.generators.soundness import prove as compare

    proofs = compare(tasks, out, pairs=pairs, seed=seed, workers=workers, backend=backend)
    for proof in proofs:
        typer.echo(str(proof))
        for text in (*proof.lost[:10], *proof.errors[:10]):
            typer.echo(f"  {text}")
    if not all(proof.sound for proof in proofs):
        raise typer.Exit(1)


@app.command()
def shortcuts(
    instances: Annotated[Path, typer.Argument(help="Folder made by `generate`.")],
    looks: Annotated[
        Path | None,
        typer.Option(help="Look at first views too, kept in this file (resumed if begun)."),
    ] = None,
    workers: WorkersOption = 2,
) -> None:
    """Train classifiers to answer without looking, or from the first view alone."""
    from esi_fast.eval.shortcuts import shortcuts as train

    head = ("n", "entropy", "chance", "right", "upper")
    typer.echo(f"{'task':44s} {'from':9s}" + "".join(f" {name:>8s}" for name in head))
    for found in train(instances, looks, workers=workers):
        typer.echo(
            f"{found.task:44s} {found.kind:9s} {found.n:8d} {found.entropy:8.3f} "
            f"{100 * found.chance:7.1f}% {100 * found.accuracy:7.1f}% {100 * found.upper:7.1f}%"
            f"  {found.excess:+.1f} points"
        )


@app.command()
def run(
    instances: Annotated[Path, typer.Argument(help="Folder made by `generate`.")],
    out: OutOption,
    agent: Annotated[list[str], typer.Option("--agent", "-a", help="Agents (repeatable).")],
    paradigm: Annotated[
        list[str] | None,
        typer.Option("--paradigm", "-p", help="Paradigms (repeatable); all four by default."),
    ] = None,
    budget: Annotated[int, typer.Option(min=0, help="Actions of an active episode.")] = 30,
    seed: SeedOption = 0,
    workers: WorkersOption = 2,
) -> None:
    """Let agents answer; continues where it stopped."""
    from esi_fast.eval.runner import run as play

    summary = play(
        instances,
        out,
        agents=agent,
        paradigms=paradigm,
        budget=budget,
        seed=seed,
        workers=workers,
    )
    typer.echo(f"{summary.done} episodes played, {summary.skipped} were there already in {out}")


@app.command()
def score(
    runs: Annotated[Path, typer.Argument(help="Folder made by `run`.")],
) -> None:
    """Print accuracies with intervals, beside majority and chance."""
    from esi_fast.eval.score import format_table, score_runs

    typer.echo(format_table(score_runs(runs)))


@app.command()
def attribute(
    run_folder: Annotated[Path, typer.Argument(metavar="RUN", help="Folder made by `run`.")],
    workers: WorkersOption = 2,
) -> None:
    """Say why each wrong answer is wrong; kept in the run's folder, for the report too."""
    from esi_fast.eval.attribution import attribute_run, reasons_table

    typer.echo(reasons_table(run_folder, attribute_run(run_folder, workers=workers)))


@app.command()
def report(
    runs: Annotated[Path, typer.Argument(help="Folder made by `run`.")],
    out: OutOption,
) -> None:
    """Write the HTML page: scores, questions, views, evidence, every step."""
    from esi_fast.eval.report import write_report

    typer.echo(str(write_report(runs, out)))


@app.command()
def audit(
    path: Annotated[
        Path,
        typer.Argument(
            help="Published rows (.jsonl, .jsonl.xz, a folder), or a folder of `generate`."
        ),
    ],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Folder for errata and repaired release.")
    ] = None,
    task: Annotated[
        str | None, typer.Option(help="Only this subcategory or category; all by default.")
    ] = None,
    seed: SeedOption = 0,
    mend: Annotated[bool, typer.Option("--repair/--no-repair", help="Write repaired rows.")] = True,
) -> None:
    """Re-derive labels, find faults, write errata and a repaired release.

    Exits with 1 if there were rows that could not be read; they are named, counted and skipped.
    """
    from esi_fast.dataset.audit import audit as look
    from esi_fast.dataset.audit import format_report, run_audit

    if out is None:
        report = look(path, task)
    else:
        report = run_audit(path, out, task=task, seed=seed, mend=mend)
    typer.echo(format_report(report))
    if out is not None:
        typer.echo(f"\n{out / 'errata.html'}")
    if report.bad:
        raise typer.Exit(1)


@app.command()
def demo(
    out: Annotated[Path, typer.Option("--out", "-o", help="Output folder.")] = Path("demo_out"),
    seed: SeedOption = 0,
) -> None:
    """Mirror questions from an empty machine: made, played, scored, shown."""
    from esi_fast.demo import demo as play

    play(out, seed=seed)


@list_app.command("tasks")
def list_tasks() -> None:
    """Tasks, and which backends can run them."""
    from esi_fast import registry

    backends = {name: registry.get("backend", name) for name in registry.names("backend")}
    typer.echo(f"{'task':44s} {'answers':12s} " + " ".join(f"{name:10s}" for name in backends))
    for name in registry.names("task"):
        task = registry.get("task", name)
        able = [
            "yes" if task.requires <= backend.capabilities else "no"
            for backend in backends.values()
        ]
        row = " ".join(f"{mark:10s}" for mark in able)
        typer.echo(f"{name:44s} {'/'.join(task.answers):12s} {row}")


@list_app.command("backends")
def list_backends() -> None:
    """Backends: what each can do, its engine, and what it only approximates."""
    from esi_fast import registry
    from esi_fast.sim.base import Capability

    backends = {name: registry.get("backend", name) for name in registry.names("backend")}
    typer.echo(f"{'capability':14s} " + " ".join(f"{name:10s}" for name in backends))
    for capability in Capability:
        marks = ["yes" if capability in kind.capabilities else "-" for kind in backends.values()]
        typer.echo(f"{capability.value:14s} " + " ".join(f"{mark:10s}" for mark in marks))
    for name, kind in backends.items():
        typer.echo(f"\n{name}: {kind.version}")
        for text in kind.approximations:
            typer.echo(f"  approximates {text}")


@list_app.command("agents")
def list_agents() -> None:
    """Agents."""
    _names("agent")


@list_app.command("metrics")
def list_metrics() -> None:
    """Metrics."""
    _names("metric")


def _names(kind: str) -> None:
    from esi_fast import registry

    for name in registry.names(kind):
        first = (registry.get(kind, name).__doc__ or "").strip().splitlines()
        typer.echo(f"{name:20s} {first[0] if first else ''}")


@assets_app.command("sheet")
def assets_sheet(
    out: Annotated[Path, typer.Option("--out", "-o", help="PNG to write.")] = Path("sheet.png"),
    category: Annotated[
        list[str] | None, typer.Option("--category", "-c", help="Only these (repeatable).")
    ] = None,
) -> None:
    """Draw a contact sheet of the categories."""
    from esi_fast import assets
    from esi_fast.assets.sheet import contact_sheet

    contact_sheet(category or list(assets.categories()), out)
    typer.echo(str(out))


@assets_app.command("confusables")
def assets_confusables(
    category: Annotated[str, typer.Argument(help="A category, such as mug.")],
) -> None:
    """Show which categories are most easily taken for this one."""
    from esi_fast.assets.confusables import confusables

    for name, score in confusables(category).items():
        typer.echo(f"{name:28s} {score:.2f}")


@assets_app.command("capacities")
def assets_capacities(
    out: Annotated[Path, typer.Option("--out", "-o", help="JSON-lines file (resumed if begun).")],
    category: Annotated[
        list[str] | None, typer.Option("--category", "-c", help="Only these (repeatable).")
    ] = None,
    workers: WorkersOption = 1,
) -> None:
    """Measure how much every fillable model holds; continues where it stopped."""
    import json

    from esi_fast.assets.capacities import measure_all

    found = measure_all(out, category=category, workers=workers)
    rows = [json.loads(line)["value"] for line in out.read_text().splitlines()]
    kinds: dict[str, list[float]] = {}
    for row in rows:
        kinds.setdefault(row["category"], []).append(row.get("litres", 0.0))
    typer.echo(f"{'category':28s} models  holding  litres")
    for name, litres in kinds.items():
        held = sorted(v for v in litres if v > 0)
        span = f"{held[0]:.3g} to {held[-1]:.3g}" if held else "-"
        typer.echo(f"{name:28s} {len(litres):6d} {len(held):8d}  {span}")
    typer.echo(
        f"{found.done} models measured, {found.ms_each:.0f} ms each, "
        f"{found.skipped} were there already in {out}"
    )


def main() -> None:
    """Entry point: foreseen errors are one line on stderr, not a traceback."""
    try:
        app()
    except UnknownName as error:
        typer.echo(f"esi-fast: {error}", err=True)
        sys.exit(2)
    except (EsiError, ValueError) as error:
        typer.echo(f"esi-fast: {error}", err=True)
        sys.exit(2 if isinstance(error, ValueError) else 1)
    except KeyboardInterrupt:
        typer.echo("esi-fast: stopped; the same command continues", err=True)
        sys.exit(130)


if __name__ == "__main__":
    main()
