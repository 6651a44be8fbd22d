"""Writes the tables and drawings of ``docs/audit.md`` from the published rows.

    python scripts/audit_docs.py ../shared/official/questions.jsonl.xz

The rows themselves are not part of the project; what is written are counts and a few plans.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from importlib.resources import files
from pathlib import Path

from esi_fast.dataset.audit import AuditReport, audit_release
from esi_fast.dataset.drawing import plan, side
from esi_fast.dataset.findings import RULES
from esi_fast.dataset.official import read_official
from esi_fast.dataset.repair import Repaired, repair

DOCS = Path(__file__).parents[1] / "docs"
# Row -> name of its picture and how it is drawn.
PICTURES = {
    2245: ("triangle", plan),
    813: ("distance", plan),
    506: ("sandwiches", side),
    2784: ("line", plan),
}


def standalone(svg: str) -> str:
    """A drawing of the errata page as a file of its own, in the page's light colours."""
    css = (files("esi_fast.dataset") / "templates" / "errata.css").read_text(encoding="utf-8")
    root = css[: css.index("}")]
    colours = dict(re.findall(r"(--[\w-]+): (#\w+);", root))
    rules = re.findall(r"^(?:\.plan|\.tint).*?\}", css, re.MULTILINE | re.DOTALL)
    style = re.sub(r"var\((--[\w-]+)\)", lambda match: colours[match[1]], "\n".join(rules))
    font = "text { font-family: system-ui, 'DejaVu Sans', sans-serif; }"
    ground = f"<rect width='100%' height='100%' fill='{colours['--ground']}'/>"
    head = svg.index(">") + 1
    opening = svg[:head].replace("<svg ", "<svg xmlns='http://www.w3.org/2000/svg' width='440' ")
    return f"{opening}<style>\n{font}\n{style}\n</style>{ground}{svg[head:]}\n"


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in Markdown, texts to the left and numbers to the right."""
    lines = [list(map(str, row)) for row in rows]
    marks = ["--:" if line[:1].isdigit() else "---" for line in lines[0]]
    return "\n".join(f"| {' | '.join(row)} |" for row in [list(head), marks, *lines])


def short(task: str) -> str:
    return task.split("/")[1].replace("_", " ")


def labels(report: AuditReport) -> str:
    rows: list[list[object]] = []
    for task in report.tasks:
        mine = [v for v in report.verdicts if v.task == task and v.row not in report.repeated]
        verdicts = Counter(v.verdict for v in mine)
        levels = Counter(v.level for v in mine)
        clear = sum(
            v.verdict == "contradicts" and v.level == "geometry" and v.robust and not v.near_tie
            for v in mine
        )
        rows.append(
            [
                short(task),
                len(mine),
                *(verdicts[name] for name in ("agrees", "contradicts", "undecidable")),
                clear,
                *(levels[name] for name in ("geometry", "recorded", "none")),
            ]
        )
    sums: list[object] = ["**all**"]
    sums += [sum(int(str(row[k])) for row in rows) for k in range(1, len(rows[0]))]
    head = ["subcategory", "distinct", "agrees", "contradicts", "undecidable", "clearly wrong"]
    return table([*head, "by geometry", "by a recorded outcome", "by nothing"], [*rows, sums])


def findings(report: AuditReport) -> str:
    rows = []
    for name, (kind, meaning, _) in RULES.items():
        found = {f.row: f.task for f in report.findings if f.rule == name}
        distinct = sum(row not in report.repeated for row in found)
        where = ", ".join(f"{short(t)} {n}" for t, n in Counter(found.values()).most_common())
        if found:
            rows.append([f"`{name}`", kind, meaning, len(found), distinct, where])
    return table(["rule", "kind", "what it says", "rows", "distinct", "where"], rows)


def leaks(report: AuditReport) -> str:
    rows = [
        [
            short(leak.task),
            leak.text.split(":")[0],
            f"{leak.hits} of {leak.trials}",
            f"{100 * leak.rate:.0f} % ({100 * leak.low:.0f} to {100 * leak.high:.0f})",
            f"{100 * leak.chance:.0f} %",
            f"{100 * leak.usual:.0f} %",
        ]
        for leak in report.leaks
        if leak.leaks
    ]
    head = ["subcategory", "guess", "right", "share (95 % interval)", "chance", "commonest answer"]
    return table(head, rows)


def repaired(mended: Repaired) -> str:
    names = list(next(iter(mended.counts.values())))
    rows = [[short(t), *(counts[n] for n in names)] for t, counts in mended.counts.items()]
    sums = ["**all**", *(sum(c[n] for c in mended.counts.values()) for n in names)]
    return table(["subcategory", *names], [*rows, sums])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("release", type=Path)
    release = read_official(parser.parse_args().release)
    report = audit_release(release)
    mended = repair(release.questions, report.verdicts, report.findings)
    shapes = {verdict.row: verdict.shapes for verdict in report.verdicts}
    for row, (name, draw) in PICTURES.items():
        (DOCS / "pictures" / f"audit_{name}.svg").write_text(standalone(draw(shapes[row])))
    page = DOCS / "audit.md"
    text = page.read_text()
    parts = {
        "labels": labels(report),
        "findings": findings(report),
        "leaks": leaks(report),
        "repaired": repaired(mended),
    }
    for name, body in parts.items():
        begin, end = f"<!-- begin: {name} -->", f"<!-- end: {name} -->"
        before, rest = text.split(begin)
        text = f"{before}{begin}\n{body}\n{end}{rest.split(end)[1]}"
    page.write_text(text)


if __name__ == "__main__":
    main()
