"""Audits questions: re-derives their labels, looks for faults, says what a blind guess gets.

``audit`` reads published rows (a file or folder) or a folder of our own instances and judges every
row of the asked subcategories. ``run_audit`` also writes, into a folder:

    errata.json     what there is to say about each row, with the numbers
    errata.html     the same to read, with a drawing for each contradiction
    verdicts.jsonl  the verdict on every row, also where the label stands
    summary.txt     the counts
    repaired/       the questions with what could be mended mended (``repair``)

A row that cannot be read is named, counted and skipped.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from esi_fast._files import os_errors, replace_file
from esi_fast.dataset.errata import Entry, entries, errata_json
from esi_fast.dataset.errata_page import errata_page
from esi_fast.dataset.findings import (
    RULES,
    Finding,
    Leak,
    Subject,
    find,
    find_leaks,
    subject_of_instance,
    subject_of_row,
)
from esi_fast.dataset.official import (
    SUBCATEGORIES,
    BadRow,
    OfficialQuestion,
    OfficialRelease,
    read_official,
)
from esi_fast.dataset.ours import MEANINGS, verdict_of_instance
from esi_fast.dataset.relabel import RELABELLED, Verdict, relabel
from esi_fast.dataset.repair import Repaired, repair, write_repaired
from esi_fast.dataset.store import Store
from esi_fast.errors import RecordError, UnknownName
from esi_fast.records import Instance

__all__ = [
    "AuditReport",
    "audit",
    "audit_instances",
    "audit_release",
    "format_report",
    "run_audit",
]

_VERDICTS: Final = ("agrees", "contradicts", "undecidable")
_LEVELS: Final = ("geometry", "recorded", "none")


@dataclass(frozen=True, slots=True)
class AuditReport:
    """All that an audit finds out, in the order of the rows.

    ``bad`` are the rows that could not be read at all, whatever their subcategory; ``repeated``
    the rows that repeat an earlier one exactly. ``entries`` bring verdicts and findings together.
    """

    source: str
    tasks: tuple[str, ...]
    subjects: tuple[Subject, ...]
    verdicts: tuple[Verdict, ...]
    findings: tuple[Finding, ...]
    leaks: tuple[Leak, ...]
    entries: tuple[Entry, ...]
    bad: tuple[BadRow, ...]
    repeated: frozenset[int]

    @property
    def contradictions(self) -> tuple[Verdict, ...]:
        return tuple(v for v in self.verdicts if v.verdict == "contradicts")


def _tasks(task: str | None) -> tuple[str, ...]:
    """The subcategories that ``task`` names: one by its id, all of a category, or simply all."""
    known = tuple(SUBCATEGORIES.values())
    if task is None:
        return known
    found = tuple(name for name in known if task in (name, name.split("/")[0]))
    if not found:
        names = sorted({*known, *(name.split("/")[0] for name in known)})
        raise UnknownName.among(names, "subcategory", task)
    return found


def _report(
    source: str,
    tasks: tuple[str, ...],
    subjects: Sequence[Subject],
    verdicts: Sequence[Verdict],
    bad: Sequence[BadRow],
) -> AuditReport:
    findings = find(subjects)
    return AuditReport(
        source=source,
        tasks=tuple(name for name in tasks if any(s.task == name for s in subjects)),
        subjects=tuple(subjects),
        verdicts=tuple(verdicts),
        findings=findings,
        leaks=find_leaks(subjects),
        entries=entries(subjects, verdicts, findings),
        bad=tuple(bad),
        repeated=frozenset(f.row for f in findings if f.rule == "duplicate"),
    )


def audit_release(
    release: OfficialRelease, *, task: str | None = None, source: str = ""
) -> AuditReport:
    """Judge published rows: those of ``task`` (a subcategory or a category), else all.

    Raises ``UnknownName`` for a task that is none.
    """
    tasks = _tasks(task)
    asked = [question for question in release.questions if question.task in tasks]
    return _report(
        source,
        tasks,
        [subject_of_row(question) for question in asked],
        [relabel(question) for question in asked if question.task in RELABELLED],
        release.bad,
    )


def audit_instances(
    instances: Sequence[Instance],
    *,
    task: str | None = None,
    source: str = "",
    bad: Sequence[BadRow] = (),
) -> AuditReport:
    """Judge instances of our own; rows are numbered from 1 in their order."""
    tasks = _tasks(task)
    asked = [(row, item) for row, item in enumerate(instances, start=1) if item.task in tasks]
    return _report(
        source,
        tasks,
        [subject_of_instance(item, row=row) for row, item in asked],
        [verdict_of_instance(item, row=row) for row, item in asked],
        bad,
    )


def _read_store(path: Path) -> tuple[list[Instance], list[BadRow]]:
    instances: list[Instance] = []
    bad: list[BadRow] = []
    store = Store(path)
    if store.kind != "Instance":
        raise RecordError(f"{path}: holds {store.kind} records, not Instance records")
    for number, item in enumerate(store.rows(), start=1):
        if isinstance(item, Instance):
            instances.append(item)
        else:
            bad.append(BadRow(number, path.name, "(row)", str(item), "wrong value"))
    return instances, bad


def audit(path: str | Path, task: str | None = None) -> AuditReport:
    """Audit a file or folder of published rows, or a folder that ``esi-fast generate`` wrote.

    Raises ``RecordError`` if there is nothing to read, ``UnknownName`` for a task that is none.
    """
    return _audited(Path(path), task)[0]


def _audited(
    path: Path, task: str | None
) -> tuple[AuditReport, tuple[OfficialQuestion, ...], tuple[Instance, ...]]:
    _tasks(task)
    if (path / "manifest.json").is_file():
        instances, bad = _read_store(path)
        report = audit_instances(instances, task=task, source=path.name, bad=bad)
        return report, (), tuple(instances)
    release = read_official(path)
    return audit_release(release, task=task, source=path.name), release.questions, ()


def run_audit(
    path: str | Path,
    out: str | Path,
    *,
    task: str | None = None,
    seed: int = 0,
    mend: bool = True,
) -> AuditReport:
    """Audit and write everything into the folder ``out``, with a repaired release unless told not.

    ``seed`` decides the new order of options. The same input and seed give the same bytes. Only
    published rows are repaired. Raises ``RecordError`` if nothing can be read or ``out`` cannot be
    written, ``UnknownName`` for a task that is none.
    """
    folder = Path(out)
    with os_errors(folder):
        if folder.exists() and not folder.is_dir():
            raise RecordError(f"{folder}: expected a folder, found a file")
    report, questions, _ = _audited(Path(path), task)
    with os_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
    mended: Repaired | None = None
    if mend and questions:
        rows = {subject.row for subject in report.subjects}
        asked = [question for question in questions if question.row in rows]
        mended = repair(asked, report.verdicts, report.findings, seed=seed)
        write_repaired(mended, folder / "repaired")
    text = errata_json(
        source=report.source,
        rows=len(report.subjects),
        distinct=len(report.subjects) - len(report.repeated),
        verdicts=report.verdicts,
        listed=report.entries,
        leaks=report.leaks,
        bad=report.bad,
    )
    _write(folder / "errata.json", text)
    page = errata_page(
        source=report.source,
        subjects=report.subjects,
        verdicts=report.verdicts,
        listed=report.entries,
        leaks=report.leaks,
        bad=report.bad,
        mended=mended,
    )
    _write(folder / "errata.html", page)
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


def _share(rows: Sequence[int], repeated: frozenset[int]) -> str:
    """Count over all rows, and over distinct rows where that differs."""
    distinct = sum(row not in repeated for row in rows)
    return str(len(rows)) if distinct == len(rows) else f"{len(rows)} ({distinct})"


def format_report(report: AuditReport) -> str:
    """The counts as text: verdicts and levels, why, what else was found, and what leaks."""
    parts = [(task, [v for v in report.verdicts if v.task == task]) for task in report.tasks]
    if len(parts) > 1:
        parts.append(("all", list(report.verdicts)))
    rows: list[list[str]] = [["subcategory", "rows", "distinct", *_VERDICTS, *_LEVELS, "near ties"]]
    for name, verdicts in parts:
        mine = [s.row for s in report.subjects if name in (s.task, "all")]
        rows.append(
            [
                name,
                str(len(mine)),
                str(sum(row not in report.repeated for row in mine)),
                *(
                    _share([v.row for v in verdicts if v.verdict == verdict], report.repeated)
                    for verdict in _VERDICTS
                ),
                *(str(sum(v.level == level for v in verdicts)) for level in _LEVELS),
                str(sum(v.near_tie for v in verdicts)),
            ]
        )
    lines = [f"audit of {report.source}" if report.source else "audit", "", *_table(rows), ""]
    lines.append("Counts are over all rows; (over distinct rows) where that differs.")
    lines += _reasons(report) + _stored(report) + _found(report) + _leaking(report)
    if report.bad:
        kinds = Counter(bad.kind for bad in report.bad)
        counts = ", ".join(f"{number} {kind}" for kind, number in sorted(kinds.items()))
        lines += ["", f"{len(report.bad)} rows could not be read: {counts}"]
        lines += [f"  {bad}" for bad in report.bad]
    return "\n".join(lines)


def _reasons(report: AuditReport) -> list[str]:
    reasons: dict[tuple[str, str, str], list[int]] = {}
    for v in report.verdicts:
        if v.verdict != "agrees":
            reasons.setdefault((v.verdict, v.task.split("/")[1], v.reason), []).append(v.row)
    table = [
        [f"  {verdict}", task, reason, _share(found, report.repeated), MEANINGS.get(reason, "")]
        for (verdict, task, reason), found in sorted(reasons.items())
    ]
    return ["", "labels that are not borne out", *_table(table)] if table else []


def _stored(report: AuditReport) -> list[str]:
    compared = sum(verdict.reproduced for verdict in report.verdicts)
    differing = [verdict for verdict in report.verdicts if verdict.differences]
    if not compared:
        return []
    number = sum(len(verdict.differences) for verdict in differing)
    return [
        "",
        f"{compared} stored distances, gaps, hit points and the like were computed again; {number} "
        f"of them, in {len(differing)} rows, come out otherwise (errata.json lists each)",
    ]


def _found(report: AuditReport) -> list[str]:
    table = []
    for name, (kind, meaning, _) in RULES.items():
        rows = sorted({finding.row for finding in report.findings if finding.rule == name})
        if rows:
            table.append([f"  {name}", kind, _share(rows, report.repeated), meaning])
    return ["", "findings, by rows", *_table(table)] if table else []


def _leaking(report: AuditReport) -> list[str]:
    told = [leak for leak in report.leaks if leak.leaks]
    if not told:
        return []
    table = [[f"  {leak.task.split('/')[1]}", leak.rule, leak.text] for leak in told]
    return ["", "what gives the answer away (95 % Wilson intervals)", *_table(table)]
