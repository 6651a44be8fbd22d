"""The errata as one HTML page that needs no network, no script and no other file to be read.

Each contradiction comes with the numbers that decide it and a drawing, so that it can be checked
by eye. The script only filters. Equal input gives equal bytes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from esi_fast.dataset.drawing import drawings, shapes_of
from esi_fast.dataset.errata import Entry
from esi_fast.dataset.findings import RULES, Leak, Subject
from esi_fast.dataset.official import SUBCATEGORIES, BadRow
from esi_fast.dataset.relabel import Verdict

if TYPE_CHECKING:
    from esi_fast.dataset.repair import Repaired

__all__ = ["errata_page"]

_ORDER: Final = tuple(SUBCATEGORIES.values())
_VERDICTS: Final = ("agrees", "contradicts", "undecidable")
# Rows named per rule; all are in errata.json.
_EXAMPLES: Final = 8
# Findings of one rule named beside a contradiction.
_ALSO: Final = 3
# Unreadable rows named on the page.
_BAD: Final = 200


def errata_page(
    *,
    source: str,
    subjects: Sequence[Subject],
    verdicts: Sequence[Verdict],
    listed: Sequence[Entry],
    leaks: Sequence[Leak],
    bad: Sequence[BadRow],
    mended: Repaired | None,
) -> str:
    """The whole page."""
    by_row = {subject.row: subject for subject in subjects}
    wrong = [entry for entry in listed if entry.contradicts]
    repeated = {entry.row for entry in listed if entry.duplicate_row}
    distinct = [entry for entry in wrong if entry.row not in repeated]
    with_findings = sum(bool(entry.findings) for entry in listed)
    facts = [
        (len(subjects), "rows"),
        (len(subjects) - len(repeated), "distinct"),
        (len(wrong), "contradicted"),
        (sum(entry.confidence == "high" for entry in wrong), "of them clearly"),
        (with_findings, "rows with findings"),
        (sum(leak.leaks for leak in leaks), "blind guesses that work"),
        (len(bad), "unreadable"),
    ]
    tasks = sorted({entry.task for entry in distinct}, key=_ORDER.index)
    template = files("esi_fast.dataset") / "templates"
    title = f"Errata of {source}" if source else "Errata"
    parts = [
        f"<section><h2 id='labels'>Labels</h2>{_labels(subjects, verdicts, repeated)}</section>",
        _contradictions(distinct, by_row),
        f"<section><h2 id='findings'>Findings</h2>{_findings(listed, repeated)}</section>",
        _stored(verdicts),
        f"<section><h2 id='leaks'>What a blind guess gets</h2>{_leaks(leaks)}</section>",
        "" if mended is None else _repair(mended),
        _unreadable(bad),
    ]
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{escape(title)}</title>
<style>
{(template / "errata.css").read_text(encoding="utf-8")}</style>
</head>
<body>
<a class="skip" href="#contradictions">Go to the contradictions</a>
<div class="bar"><div>
<strong>{escape(title)}</strong>
<nav><a href="#labels">Labels</a> <a href="#contradictions">Contradictions</a>
<a href="#findings">Findings</a> <a href="#leaks">Guesses</a></nav>
<label>Subcategory <select id="task"><option value="">all</option>{_choices(tasks)}</select></label>
<label>Confidence <select id="sure"><option value="">any</option>\
{_choices(("high", "medium", "low"))}</select></label>
<span class="soft small" id="shown" role="status"></span>
</div></div>
<main class="page">
<h1>{escape(title)}</h1>
<p class="lead">Each label was worked out anew from the poses, boxes and paths that its own row
records. What follows is what did not come out the same, with the numbers, and what else is wrong
with the questions.</p>
<dl class="facts">{"".join(f"<div><dt>{name}</dt><dd>{n:,}</dd></div>" for n, name in facts)}</dl>
{"".join(parts)}
</main>
<script>
{(template / "errata.js").read_text(encoding="utf-8")}</script>
</body>
</html>
"""


def _choices(names: Iterable[str]) -> str:
    return "".join(f"<option>{escape(name)}</option>" for name in names)


def _both(rows: Sequence[int], repeated: set[int]) -> str:
    """Count over all rows, and over distinct rows where that differs."""
    distinct = sum(row not in repeated for row in rows)
    return f"{len(rows)}" + (
        "" if distinct == len(rows) else f" <span class='soft'>({distinct})</span>"
    )


def _words(text: str) -> str:
    return text.replace("_", " ")


# --- labels --------------------------------------------------------------------------------------


def _labels(subjects: Sequence[Subject], verdicts: Sequence[Verdict], repeated: set[int]) -> str:
    rows = Counter(subject.task for subject in subjects)
    lines = []
    for task in sorted(rows, key=_ORDER.index):
        mine = [verdict for verdict in verdicts if verdict.task == task]
        if not mine:
            lines.append(
                f"<tr><th scope='row'>{_task(task)}</th><td class='num'>{rows[task]}</td>"
                "<td colspan='5' class='soft'>no rule</td></tr>"
            )
            continue
        counts = {v: [m.row for m in mine if m.verdict == v] for v in _VERDICTS}
        levels = Counter(verdict.level for verdict in mine)
        level = ", ".join(f"{levels[name]} {name}" for name in ("geometry", "recorded", "none"))
        cells = "".join(f"<td class='num'>{_both(counts[v], repeated)}</td>" for v in _VERDICTS)
        lines.append(
            f"<tr><th scope='row'>{_task(task)}</th><td class='num'>{rows[task]}</td>{cells}"
            f"<td class='plot'>{_stack([len(counts[v]) for v in _VERDICTS], len(mine))}</td>"
            f"<td class='soft small'>{level}</td></tr>"
        )
    return (
        "<div class='card wide'><table><thead><tr><th scope='col'>subcategory</th>"
        "<th scope='col' class='num'>rows</th><th scope='col' class='num'>agrees</th>"
        "<th scope='col' class='num'>contradicts</th><th scope='col' class='num'>undecidable</th>"
        "<th scope='col'>share</th><th scope='col'>decided by</th></tr></thead>"
        f"<tbody>{''.join(lines)}</tbody></table></div>"
        "<p class='soft small'>In brackets: without rows that repeat an earlier one.</p>"
    )


def _task(task: str) -> str:
    category, name = task.split("/")
    return f"<span class='soft small'>{_words(category)}</span><br>{_words(name)}"


def _stack(counts: Sequence[int], total: int) -> str:
    at, parts = 0.0, []
    for name, count in zip(_VERDICTS, counts, strict=True):
        wide = 100 * count / total
        if count:
            parts.append(
                f"<rect class='{name}' x='{at:.2f}%' width='{wide:.2f}%' height='12' y='4'>"
                f"<title>{count} {name}</title></rect>"
            )
        at += wide
    return (
        f"<svg class='share' preserveAspectRatio='none' aria-hidden='true'>{''.join(parts)}</svg>"
    )


# --- contradictions ------------------------------------------------------------------------------


def _contradictions(wrong: Sequence[Entry], by_row: Mapping[int, Subject]) -> str:
    order = {"high": 0, "medium": 1, "low": 2}
    parts = []
    for task in sorted({entry.task for entry in wrong}, key=_ORDER.index):
        mine = sorted((e for e in wrong if e.task == task), key=lambda e: order[e.confidence])
        cards = "".join(_card(entry, by_row[entry.row]) for entry in mine)
        parts.append(
            f"<section class='group' data-task='{escape(task)}'><h3>{_words(task.split('/')[1])} "
            f"<span class='soft'>{len(mine)}</span></h3>{cards}</section>"
        )
    body = "".join(parts) or "<p>None: every label that can be worked out comes out the same.</p>"
    note = "Rows that repeat an earlier one are left out here. Distances are in metres."
    return (
        "<section><h2 id='contradictions'>Contradictions</h2>"
        f"<p class='soft small'>{note}</p>{body}</section>"
    )


def _card(entry: Entry, subject: Subject) -> str:
    verdict = entry.judged
    shapes = verdict.shapes if verdict is not None and verdict.shapes else shapes_of(subject)
    numbers = "".join(
        f"<tr><td>{escape(_words(name))}</td><td class='num'>{value:.6g}</td></tr>"
        for name, value in entry.numbers.items()
    )
    facts = []
    if verdict is not None:
        if verdict.threshold:
            facts.append(f"<p><b>Test</b> {escape(verdict.threshold)}</p>")
        if verdict.margin is not None:
            facts.append(f"<p><b>Margin</b> {verdict.margin:.4g} {escape(verdict.unit)}</p>")
        if verdict.others:
            others = ", ".join(f"{name}: {got or 'none'}" for name, got in verdict.others.items())
            facts.append(f"<p><b>Other thresholds</b> {escape(others)}</p>")
        if verdict.detail:
            facts.append(f"<p class='soft'>{escape(verdict.detail)}</p>")
    also = _also(entry)
    return (
        f"<article class='card entry' id='r-{entry.row}' data-task='{escape(entry.task)}' "
        f"data-sure='{entry.confidence}'><div class='meta'><span>row {entry.row}</span>"
        f"<span class='code'>id {escape(entry.id)}</span><span>{escape(subject.scene)}</span>"
        f"<span>{escape(subject.room)}</span>"
        f"<span class='chip {entry.confidence}'>{entry.confidence} confidence</span>"
        f"<span class='chip'>{entry.level}</span></div>"
        f"<h4>{escape(entry.question)}</h4><div class='pair'><div class='words'>"
        "<p class='claim'><span class='was'>published "
        f"<b>{_answer(entry.published, subject)}</b></span> "
        f"<span class='is'>derived <b>{_answer(entry.derived, subject)}</b></span>"
        f"</p><p class='why'>{escape(entry.text)}</p>{''.join(facts)}"
        f"<table class='numbers'><tbody>{numbers}</tbody></table>{also}</div>"
        f"<div class='drawn'>{drawings(shapes)}</div></div></article>"
    )


def _answer(text: str, subject: Subject) -> str:
    """An answer to read: orders from the bottom up, each on its line."""
    if not text:
        return "no answer"
    if subject.answer_type != "order":
        return escape(text)
    orders = [order.split(" | ") for order in text.split(" or ")]
    lines = [" &lt; ".join(escape(_words(item)) for item in order) for order in orders]
    return "<br>".join(lines)


def _also(entry: Entry) -> str:
    """What else was found about the row, some of each rule."""
    lines = []
    for rule, number in Counter(finding.rule for finding in entry.findings).items():
        mine = [finding.text for finding in entry.findings if finding.rule == rule]
        lines += [f"<li>{escape(text)}</li>" for text in mine[:_ALSO]]
        if number > _ALSO:
            lines.append(f"<li class='soft'>{number - _ALSO} more like this</li>")
    return f"<ul class='also'>{''.join(lines)}</ul>" if lines else ""


# --- findings ------------------------------------------------------------------------------------


def _findings(listed: Sequence[Entry], repeated: set[int]) -> str:
    parts = []
    for name, (kind, meaning, _) in RULES.items():
        mine = [f for entry in listed for f in entry.findings if f.rule == name]
        if not mine:
            continue
        rows = list(dict.fromkeys(finding.row for finding in mine))
        tasks = Counter(f.task for f in {f.row: f for f in mine}.values())
        where = ", ".join(f"{_words(t.split('/')[1])} {n}" for t, n in tasks.most_common())
        first: list[str] = []
        shown: set[int] = set()
        for finding in mine:
            if finding.row not in shown and len(first) < _EXAMPLES:
                shown.add(finding.row)
                first.append(
                    f"<li><span class='soft'>row {finding.row}</span> {escape(finding.text)}</li>"
                )
        more = len(rows) - len(first)
        rest = f"<li class='soft'>and {more} more rows in errata.json</li>" if more else ""
        parts.append(
            f"<details><summary><span class='count'>{_both(rows, repeated)}</span>"
            f"<span><b>{escape(meaning)}</b> <span class='chip'>{kind}</span> "
            f"<span class='soft small'>{escape(where)}</span></span></summary>"
            f"<ul class='examples'>{''.join(first)}{rest}</ul></details>"
        )
    return f"<div class='card rules'>{''.join(parts) or '<p>None.</p>'}</div>"


def _leaks(leaks: Sequence[Leak]) -> str:
    told = [leak for leak in leaks if leak.leaks]
    if not told:
        return "<p>No blind guess beats chance.</p>"
    lines = []
    for task in sorted({leak.task for leak in told}, key=_ORDER.index):
        mine = sorted((leak for leak in told if leak.task == task), key=lambda k: -k.rate)
        for position, leak in enumerate(mine):
            head = ""
            if position == 0:
                head = f"<th scope='row' rowspan='{len(mine)}'>{_task(task)}</th>"
            meaning = leak.text.split(":")[0]
            lines.append(
                f"{'<tbody>' if position == 0 else ''}<tr>{head}<td>{escape(meaning)}</td>"
                f"<td class='num'>{leak.hits} of {leak.trials}</td>"
                f"<td class='num'>{100 * leak.rate:.0f} %</td>"
                f"<td class='num'>{100 * leak.chance:.0f} %</td>"
                f"<td class='plot'>{_interval(leak)}</td></tr>"
            )
        lines.append("</tbody>")
    return (
        "<div class='card wide'><table class='leaks'><thead><tr><th scope='col'>subcategory</th>"
        "<th scope='col'>guess</th><th scope='col' class='num'>right</th>"
        "<th scope='col' class='num'>share</th><th scope='col' class='num'>chance</th>"
        "<th scope='col'>95 % interval, 0 to 100 %</th></tr></thead>"
        f"{''.join(lines)}</table></div>"
        "<p class='soft small'>Nobody who makes these guesses looks at a picture. Shown are those "
        "that beat chance and the commonest answer by 5 points, with 99.9 % confidence. "
        "Solid tick: chance. Dashed tick: always the commonest answer.</p>"
    )


def _interval(leak: Leak) -> str:
    low, high, at = 100 * leak.low, 100 * leak.high, 100 * leak.rate
    label = f"{at:.0f} %, {low:.0f} to {high:.0f} %, chance {100 * leak.chance:.0f} %"
    return (
        f"<svg class='interval' preserveAspectRatio='none' role='img' aria-label='{label}'>"
        f"<title>{label}</title><rect class='track' x='0' y='8' width='100%' height='4' rx='2'/>"
        f"<rect class='range' x='{low:.2f}%' y='4' width='{max(high - low, 0.6):.2f}%' "
        "height='12' rx='3'/>"
        f"<line class='usual' x1='{100 * leak.usual:.2f}%' x2='{100 * leak.usual:.2f}%' "
        "y1='1' y2='19'/>"
        f"<line class='chance' x1='{100 * leak.chance:.2f}%' x2='{100 * leak.chance:.2f}%' "
        f"y1='5' y2='15'/><circle class='at' cx='{at:.2f}%' cy='10' r='4.5'/></svg>"
    )


# --- stored numbers ---------------------------------------------------------------------------


def _stored(verdicts: Sequence[Verdict]) -> str:
    """Stored numbers that poses and boxes do not give, by the field that holds them."""
    compared = sum(verdict.reproduced for verdict in verdicts)
    groups: dict[tuple[str, str], list[tuple[float, int]]] = {}
    for verdict in verdicts:
        for difference in verdict.differences:
            field = ".".join(p for p in difference.field.split(".") if not p.isdecimal())
            field = re.sub(r"\d+", "N", field)
            groups.setdefault((verdict.task, field), []).append((difference.size, verdict.row))
    if not compared:
        return ""
    number = sum(map(len, groups.values()))
    lines = "".join(
        f"<tr><th scope='row'>{_task(task)}</th><td class='code'>{escape(field)}</td>"
        f"<td class='num'>{len(found)}</td><td class='num'>{max(found)[0]:.3g}</td>"
        f"<td class='num'>{max(found)[1]}</td></tr>"
        for (task, field), found in sorted(groups.items())
    )
    table = (
        "<div class='card wide'><table><thead><tr><th scope='col'>subcategory</th>"
        "<th scope='col'>stored as</th><th scope='col' class='num'>differ</th>"
        "<th scope='col' class='num'>most, m</th><th scope='col' class='num'>in row</th></tr>"
        f"</thead><tbody>{lines}</tbody></table></div>"
    )
    return (
        "<section><h2 id='stored'>Stored numbers</h2>"
        f"<p>{compared:,} stored distances, gaps, side lengths and hit points were computed again "
        f"from poses and boxes; {number:,} come out otherwise. Each is in errata.json.</p>"
        f"{table if groups else ''}</section>"
    )


# --- repair and the rest -------------------------------------------------------------------------


def _repair(mended: Repaired) -> str:
    names = list(next(iter(mended.counts.values()), {}))
    heads = "".join(f"<th scope='col' class='num'>{name}</th>" for name in names)
    total = {name: sum(counts[name] for counts in mended.counts.values()) for name in names}
    lines = "".join(
        f"<tr><th scope='row'>{_task(task)}</th>"
        + "".join(f"<td class='num'>{counts[name] or '·'}</td>" for name in names)
        + "</tr>"
        for task, counts in mended.counts.items()
    )
    sums = "".join(f"<td class='num'><b>{total[name]}</b></td>" for name in names)
    return (
        "<section><h2 id='repaired'>The repaired release</h2>"
        "<p>Rows that repeat an earlier one are <b>removed</b>; an <b>answer</b> is changed where "
        "geometry contradicts it clearly; its <b>form</b> and the <b>options</b> are mended; their "
        f"<b>order</b> is drawn with seed {mended.seed}, in the <b>text</b> too. Then each kept "
        "row is <b>corrected</b>, <b>confirmed</b> by geometry, <b>unconfirmed</b>, "
        "<b>doubtful</b> or <b>unanswerable</b>, and says so itself.</p>"
        f"<div class='card wide'><table class='repair'><thead><tr><th scope='col'>subcategory</th>"
        f"{heads}</tr></thead><tbody>{lines}<tr><th scope='row'>all</th>{sums}</tr></tbody>"
        "</table></div></section>"
    )


def _unreadable(bad: Sequence[BadRow]) -> str:
    if not bad:
        return ""
    kinds = ", ".join(f"{n} {k}" for k, n in Counter(item.kind for item in bad).most_common())
    lines = "".join(f"<li>{escape(str(item))}</li>" for item in bad[:_BAD])
    more = f"<li class='soft'>and {len(bad) - _BAD} more</li>" if len(bad) > _BAD else ""
    return (
        f"<section><h2 id='unreadable'>Unreadable rows</h2><p>{kinds}</p>"
        f"<ul class='card examples'>{lines}{more}</ul></section>"
    )
