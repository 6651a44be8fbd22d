"""What to say about each row: its verdict, its findings, and how sure that is.

``entries`` puts verdicts and findings together, one ``Entry`` for each row about which there is
something to say. ``errata_json`` is the file that others read.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from esi_fast.dataset.findings import Finding, Leak, Subject
from esi_fast.dataset.official import BadRow
from esi_fast.dataset.ours import MEANINGS
from esi_fast.dataset.relabel import Verdict

__all__ = ["Confidence", "Entry", "confidence_of", "entries", "errata_json"]

Confidence: TypeAlias = Literal["high", "medium", "low"]

# Facts about the text of a row are certain; what stands wrong in a scene rests on boxes.
_SURE: Final = frozenset({"repeated", "form", "ambiguous", "unanswerable"})
_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Entry:
    """What there is to say about one row.

    ``derived`` is empty where nothing was derived. ``reason`` is the code of the verdict, or the
    rules of the findings where the label stands. ``numbers`` are those of the verdict, else of
    the findings, with which a reader can work it out. ``duplicate_of`` is the id of the earlier
    row that this one repeats, empty for none, ``duplicate_row`` its number.
    """

    row: int
    id: str
    task: str
    question: str
    published: str
    derived: str
    verdict: str
    level: str
    reason: str
    text: str
    confidence: Confidence
    numbers: Mapping[str, float]
    duplicate_of: str = ""
    duplicate_row: int = 0
    judged: Verdict | None = None
    findings: tuple[Finding, ...] = field(default=())

    @property
    def contradicts(self) -> bool:
        return self.verdict == "contradicts"

    def record(self) -> dict[str, Any]:
        """The entry as JSON values."""
        judged = self.judged
        more: dict[str, Any] = {}
        if judged is not None:
            more = {
                "margin": judged.margin,
                "unit": judged.unit,
                "threshold": judged.threshold,
                "other_thresholds": dict(judged.others),
                "near_tie": judged.near_tie,
                "robust": judged.robust,
                "detail": judged.detail,
            }
        return {
            "id": self.id,
            "row": self.row,
            "task": self.task,
            "published": self.published,
            "derived": self.derived,
            "verdict": self.verdict,
            "level": self.level,
            "reason": self.reason,
            "text": self.text,
            "confidence": self.confidence,
            "numbers": dict(self.numbers),
            "duplicate_of": self.duplicate_of or None,
            "duplicate_row": self.duplicate_row or None,
            "findings": [
                {"rule": f.rule, "kind": f.kind, "text": f.text, "numbers": dict(f.numbers)}
                for f in self.findings
            ],
            **more,
        }


def confidence_of(verdict: Verdict) -> Confidence:
    """How far a contradiction may be trusted.

    ``high``: poses, boxes or paths decide, by a clear margin, under every sensible threshold.
    ``low``: only a recorded outcome speaks, and it is not clear. ``medium``: anything between.
    """
    clear = verdict.robust and not verdict.near_tie
    if verdict.level == "geometry":
        return "high" if clear else "medium"
    return "medium" if clear and verdict.level == "recorded" else "low"


def entries(
    subjects: Sequence[Subject], verdicts: Sequence[Verdict], findings: Sequence[Finding]
) -> tuple[Entry, ...]:
    """One entry for each row with a contradiction or a finding, in the order of the rows."""
    judged = {verdict.row: verdict for verdict in verdicts}
    ids = {subject.row: subject.id for subject in subjects}
    found: dict[int, list[Finding]] = {}
    for finding in findings:
        found.setdefault(finding.row, []).append(finding)
    listed = []
    for subject in subjects:
        verdict, mine = judged.get(subject.row), found.get(subject.row, [])
        contradicts = verdict is not None and verdict.verdict == "contradicts"
        if contradicts or mine:
            listed.append(_entry(subject, verdict, mine, ids, contradicts))
    return tuple(listed)


def _entry(
    subject: Subject,
    verdict: Verdict | None,
    mine: Sequence[Finding],
    ids: Mapping[int, str],
    contradicts: bool,
) -> Entry:
    earlier = next((int(f.numbers["first_row"]) for f in mine if f.rule == "duplicate"), 0)
    numbers: Mapping[str, float]
    confidence: Confidence
    if verdict is not None and contradicts:
        reason, text = verdict.reason, MEANINGS.get(verdict.reason, verdict.reason)
        numbers, confidence = verdict.numbers, confidence_of(verdict)
    else:
        rules = list(dict.fromkeys(finding.rule for finding in mine))
        reason, text = ", ".join(rules), "; ".join(finding.text for finding in mine)
        numbers = {f"{f.rule}.{name}": value for f in mine for name, value in f.numbers.items()}
        sure = any(finding.kind in _SURE for finding in mine)
        confidence = "high" if sure else "medium"
    return Entry(
        row=subject.row,
        id=subject.id,
        task=subject.task,
        question=subject.text,
        published=subject.answer if verdict is None else verdict.label,
        derived="" if verdict is None else verdict.derived,
        verdict="none" if verdict is None else verdict.verdict,
        level="none" if verdict is None else verdict.level,
        reason=reason,
        text=text,
        confidence=confidence,
        numbers=numbers,
        duplicate_of=ids.get(earlier, ""),
        duplicate_row=earlier,
        judged=verdict,
        findings=tuple(mine),
    )


def errata_json(
    *,
    source: str,
    rows: int,
    distinct: int,
    verdicts: Sequence[Verdict],
    listed: Sequence[Entry],
    leaks: Sequence[Leak],
    bad: Sequence[BadRow],
) -> str:
    """The errata as JSON, an entry per line so that two of them can be compared.

    ``differences`` lists every stored number that a row's own poses and boxes do not give.
    """
    head = {
        "format": "esi-fast errata",
        "version": _VERSION,
        "source": source,
        "rows": rows,
        "distinct": distinct,
        "contradictions": sum(entry.contradicts for entry in listed),
        "stored_numbers_compared": sum(verdict.reproduced for verdict in verdicts),
    }
    differences = [
        {"row": v.row, "id": v.id, "task": v.task, "field": d.field}
        | {"stored": d.stored, "derived": d.derived}
        for v in verdicts
        for d in v.differences
    ]
    told = [
        {
            "task": leak.task,
            "rule": leak.rule,
            "hits": leak.hits,
            "trials": leak.trials,
            "rate": round(leak.rate, 4),
            "low": round(leak.low, 4),
            "high": round(leak.high, 4),
            "chance": round(leak.chance, 4),
            "commonest_answer": round(leak.usual, 4),
            "leaks": leak.leaks,
            "text": leak.text,
        }
        for leak in leaks
    ]
    unread = [
        {"row": item.row, "source": item.source, "field": item.field, "kind": item.kind}
        | {"message": item.message}
        for item in bad
    ]
    parts = [f"{json.dumps(name)}: {_dump(value)}" for name, value in head.items()]
    for name, lines in (
        ("entries", [entry.record() for entry in listed]),
        ("leaks", told),
        ("differences", differences),
        ("unreadable", unread),
    ):
        body = ",\n".join(_dump(line) for line in lines)
        parts.append(f"{json.dumps(name)}: [\n{body}\n]" if lines else f"{json.dumps(name)}: []")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
