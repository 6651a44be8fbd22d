"""Audits published rows: re-derives their labels and reports what does not hold.

``run_audit`` reads a release, judges every row of the asked subcategories (``relabel``) and, given
a folder, writes ``verdicts.jsonl`` (a line per row with the deciding numbers) and ``summary.txt``.
"""

from __future__ import annotations

import difflib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from esi_fast._files import os_errors, replace_file
from esi_fast.dataset.official import BadRow, OfficialQuestion, OfficialRelease, read_official
from esi_fast.dataset.relabel import REASONS, RELABELLED, Verdict, relabel
from esi_fast.errors import RecordError, UnknownName

__all__ = ["AUDITED", "AuditReport", "audit_release", "format_report", "run_audit"]

# Subcategories that can be audited so far.
AUDITED: Final = RELABELLED

_VERDICTS: Final = ("agrees", "contradicts", "undecidable")


@dataclass(frozen=True, slots=True)
class AuditReport:
    """Verdicts in the order of the rows; ``repeated`` are rows that repeat an earlier one exactly.

    ``bad`` are the rows that could not be read at all, whatever their subcategory.
    """

    source: str
    tasks: tuple[str, ...]
    verdicts: tuple[Verdict, ...]
    bad: tuple[BadRow, ...]
    repeated: frozenset[int]

    @property
    def contradictions(self) -> tuple[Verdict, ...]:
        return tuple(v for v in self.verdicts if v.verdict == "contradicts")


def _tasks(task: str) -> tuple[str, ...]:
    """The subcategories that ``task`` names: one by its id, or all of a category."""
    found = tuple(name for name in AUDITED if task in (name, name.split("/")[0]))
    if not found:
        known = sorted({*AUDITED, *(name.split("/")[0] for name in AUDITED)})
        near = difflib.get_close_matches(task, known, n=3, cutoff=0.5) or known
        raise UnknownName(f"cannot audit {task!r} yet; did you mean: {', '.join(near)}")
    return found


def audit_release(release: OfficialRelease, *, task: str, source: str = "") -> AuditReport:
    """Judge the rows of ``task`` (a subcategory id or a category). ``UnknownName`` for others."""
    tasks = _tasks(task)
    asked: list[OfficialQuestion] = [q for q in release.questions if q.task in tasks]
    return AuditReport(
        source=source,
        tasks=tasks,
        verdicts=tuple(relabel(question) for question in asked),
        bad=release.bad,
        repeated=frozenset(row for group in release.duplicates for row in group[1:]),
    )


def run_audit(path: str | Path, task: str, out: str | Path | None = None) -> AuditReport:
    """Audit the rows of ``task`` in a release; with ``out``, write the report into that folder.

    Raises ``RecordError`` if nothing can be read or ``out`` cannot be written, ``UnknownName`` for
    a task that has no rules.
    """
    _tasks(task)
    report = audit_release(read_official(path), task=task, source=Path(path).name)
    if out is not None:
        folder = Path(out)
        with os_errors(folder):
            if folder.exists() and not folder.is_dir():
                raise RecordError(f"{folder}: expected a folder, found a file")
            folder.mkdir(parents=True, exist_ok=True)
        _write(folder / "verdicts.jsonl", _lines(report))
        _write(folder / "summary.txt", format_report(report) + "\n")
    return report


def _write(path: Path, text: str) -> None:
    replace_file(path, text.encode(), temporary=path.with_name(path.name + ".tmp"))


def _lines(report: AuditReport) -> str:
    rows = [
        {**verdict.record(), "repeats_an_earlier_row": verdict.row in report.repeated}
        for verdict in report.verdicts
    ]
    rows += [{**asdict(bad), "verdict": "unreadable"} for bad in report.bad]
    return "".join(json.dumps(row, sort_keys=True, ensure_ascii=False) + "\n" for row in rows)


# --- the printed report --------------------------------------------------------------------------


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Aligned columns: texts to the left, counts to the right (a heading as its column)."""
    columns = []
    for column in zip(*rows, strict=True):
        width = max(len(cell) for cell in column)
        number = column[-1][:1].isdigit()
        columns.append([cell.rjust(width) if number else cell.ljust(width) for cell in column])
    return ["  ".join(row).rstrip() for row in zip(*columns, strict=True)]


def _share(verdicts: Sequence[Verdict], repeated: frozenset[int], verdict: str) -> str:
    """Count over all rows, and over distinct rows where that differs."""
    found = [v for v in verdicts if v.verdict == verdict]
    distinct = sum(v.row not in repeated for v in found)
    return str(len(found)) if distinct == len(found) else f"{len(found)} ({distinct})"


def format_report(report: AuditReport) -> str:
    """The report as text: counts, reasons, and each row that is not borne out, with its numbers."""
    rows: list[list[str]] = [["subcategory", "rows", "distinct", *_VERDICTS, "near ties"]]
    parts = [(task, [v for v in report.verdicts if v.task == task]) for task in report.tasks]
    if len(parts) > 1:
        parts.append(("all", list(report.verdicts)))
    for name, verdicts in parts:
        rows.append(
            [
                name,
                str(len(verdicts)),
                str(sum(v.row not in report.repeated for v in verdicts)),
                *(_share(verdicts, report.repeated, verdict) for verdict in _VERDICTS),
                str(sum(v.near_tie for v in verdicts)),
            ]
        )
    lines = [f"audit of {report.source}" if report.source else "audit", "", *_table(rows), ""]
    lines.append("Counts are over all rows; (over distinct rows) where that differs.")

    reasons = Counter((v.verdict, v.reason) for v in report.verdicts if v.reason != "as_labelled")
    if reasons:
        lines += ["", "why not"]
        lines += _table(
            [
                [f"  {verdict}: {reason}", str(count), REASONS[reason]]
                for (verdict, reason), count in sorted(reasons.items())
            ]
        )
    listed = [v for v in report.verdicts if v.verdict != "agrees"]
    if listed:
        lines += ["", "rows that are not borne out"]
    for verdict in listed:
        near = ", near tie" if verdict.near_tie else ""
        derived = verdict.derived or "none"
        lines.append(
            f"  {verdict.row} {verdict.task.split('/')[1]}: label {verdict.label}, "
            f"derived {derived}: {verdict.verdict} ({verdict.reason}{near})"
        )
        lines.append(f"      {verdict.detail}")
        if verdict.numbers:
            lines.append("      " + _numbers_of(verdict))
    if report.bad:
        lines += ["", f"{len(report.bad)} rows could not be read"]
        lines += [f"  {bad}" for bad in report.bad]
    return "\n".join(lines)


# The numbers worth a line; all are in verdicts.jsonl.
_SHORT: Final = ("gap_m", "distance_m", "to_mirror_m", "mirror_u_m", "half_width_m")


def _numbers_of(verdict: Verdict) -> str:
    shown = [
        f"{name}={value:.3f}"
        for name, value in verdict.numbers.items()
        if name.rsplit(".", 1)[-1] in _SHORT
    ]
    return " ".join(shown)
