"""A repaired release: what can be mended is mended, what cannot is marked, nothing is hidden.

For each distinct row, in this order:

1. *Answers*: where poses, boxes or paths contradict the label by a clear margin, and the right
   answer is among the options, it replaces the published one.
2. *Forms*: the answer is written as its option is; options that occur twice, or that the question
   itself rules out, go.
3. *Numbers to choose from* become four in a row, with the answer's place among them drawn, for
   published ones end right above the answer.
4. *Order*: options are shuffled so that in each subcategory the right one stands in each place
   equally often; a text that lists them names them in that order.

Every row carries the mark ``esi_fast`` in its metadata: its status, what was changed and why, and
the published answer. A status is

``corrected``     the answer was changed
``confirmed``     poses, boxes or paths bear the published answer out, by a clear margin
``unconfirmed``   nothing that is recorded decides, or only a recorded outcome does, or narrowly
``doubtful``      what is recorded speaks against the answer, but not clearly enough to change it
``unanswerable``  as it is asked the question has no answer (what it names is not there)

The same rows and seed give the same bytes.
"""

from __future__ import annotations

import itertools
import json
import re
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from esi_fast._files import os_errors, replace_file
from esi_fast.dataset.errata import confidence_of
from esi_fast.dataset.findings import Finding, Subject, subject_of_row
from esi_fast.dataset.official import COLUMNS, SUBCATEGORIES, OfficialQuestion, Slot
from esi_fast.dataset.published_instances import instance_of_row
from esi_fast.dataset.relabel import Verdict
from esi_fast.dataset.store import StoreWriter
from esi_fast.errors import RecordError
from esi_fast.records import Instance
from esi_fast.seeding import rng

__all__ = [
    "STATUSES",
    "Change",
    "Repaired",
    "RepairedRow",
    "Status",
    "repair",
    "shuffled",
    "write_repaired",
]

Status: TypeAlias = Literal["corrected", "confirmed", "unconfirmed", "doubtful", "unanswerable"]
STATUSES: Final[tuple[Status, ...]] = (
    "corrected",
    "confirmed",
    "unconfirmed",
    "doubtful",
    "unanswerable",
)
# What can be changed in a row, in the order of the work.
CHANGES: Final = ("removed", "answer", "form", "options", "order", "text")

_SIDES: Final = frozenset({"left", "middle", "right"})
_LISTED: Final = re.compile(r"(among these options: )(.+?)(\?)")


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that was done to a row: what, from what to what, and why."""

    row: int
    id: str
    task: str
    change: str
    before: str
    after: str
    why: str

    def record(self) -> dict[str, Any]:
        return {
            "row": self.row,
            "id": self.id,
            "task": self.task,
            "change": self.change,
            "before": self.before,
            "after": self.after,
            "why": self.why,
        }


@dataclass(frozen=True, slots=True)
class RepairedRow:
    """A row of the repaired release: its 12 columns, its status, and where it came from."""

    columns: Mapping[str, Any]
    status: Status
    question: OfficialQuestion
    verdict: Verdict | None


@dataclass(frozen=True, slots=True)
class Repaired:
    """The whole repaired release with everything that was done."""

    seed: int
    rows: tuple[RepairedRow, ...]
    changes: tuple[Change, ...]
    counts: Mapping[str, Mapping[str, int]]


@dataclass(slots=True)
class _Work:
    """A row on the bench: the options of each slot, the right fillings, the text."""

    question: OfficialQuestion
    text: str
    slots: list[list[str]]
    answers: list[tuple[str, ...]]
    status: Status = "unconfirmed"
    reasons: list[str] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)

    def note(self, change: str, before: str, after: str, why: str) -> None:
        q = self.question
        self.changes.append(Change(q.row, q.id, q.task, change, before, after, why))


def shuffled(slot: Slot, order: Sequence[int]) -> Slot:
    """The slot with its texts in another order: ``order[k]`` is the number of the text shown at k.

    The ids (letters or numbers) stay in their places, so an answer by id must be looked up anew.
    Raises ``ValueError`` unless ``order`` names every option once.
    """
    if sorted(order) != list(range(len(slot.options))):
        raise ValueError(f"order: expected each of 0 to {len(slot.options) - 1} once, got {order}")
    texts = [slot.options[k].text for k in order]
    kept = (type(option)(option.id, text) for option, text in zip(slot.options, texts, strict=True))
    return Slot(slot.name, tuple(kept))


def _plain(text: str) -> str:
    return " ".join(text.replace("_", " ").split()).casefold()


# --- the steps -----------------------------------------------------------------------------------


def _status(verdict: Verdict | None, findings: Sequence[Finding]) -> Status:
    if any(finding.kind == "unanswerable" for finding in findings):
        return "unanswerable"
    if verdict is None:
        return "unconfirmed"
    if verdict.verdict == "contradicts":
        return "doubtful"
    clear = verdict.robust and not verdict.near_tie
    sound = verdict.verdict == "agrees" and verdict.level == "geometry" and clear
    return "confirmed" if sound else "unconfirmed"


def _correct(work: _Work, verdict: Verdict | None) -> None:
    """Replace an answer that the geometry clearly contradicts, where ours can be chosen."""
    if verdict is None or work.status != "doubtful":
        return
    if confidence_of(verdict) != "high" or not verdict.derived:
        return
    fillings = []
    for filling in verdict.derived.split(" or "):
        parts = [part.strip() for part in filling.split("|")]
        if len(parts) != len(work.slots):
            return
        found = [
            next((text for text in texts if _plain(text) == _plain(part)), None)
            for part, texts in zip(parts, work.slots, strict=True)
        ]
        if work.question.answer_type == "count" and found == [None] and parts[0].isdecimal():
            # Numbers to choose from are drawn anew below.
            found = [parts[0]]
            work.slots[0].append(parts[0])
        if None in found:
            work.reasons.append(f"'{verdict.derived}' is not among the options")
            return
        fillings.append(tuple(text for text in found if text is not None))
    before = " or ".join(" | ".join(answer) for answer in work.answers)
    work.answers = fillings
    work.status = "corrected"
    work.note("answer", before, verdict.derived, verdict.reason)


def _mend_options(work: _Work, subject: Subject) -> None:
    for number, texts in enumerate(work.slots):
        right = {_plain(answer[number]) for answer in work.answers}
        kept: list[str] = []
        for text in texts:
            if _plain(text) not in map(_plain, kept):
                kept.append(text)
        if subject.task == "cognitive_mapping/traversable_passage":
            ends = {_plain(name) for name in subject.asked}
            possible = [t for t in kept if _plain(t) not in ends or _plain(t) in right]
            kept = possible if len(possible) > 1 else kept
        if len(kept) > 1 and kept != texts:
            why = "an option that occurs twice or cannot be is no choice"
            work.note("options", ", ".join(texts), ", ".join(kept), why)
            work.slots[number] = kept


def _draw_numbers(work: _Work, place: int) -> None:
    """Four numbers in a row, the answer at ``place`` of them as far as none is below zero."""
    answer = int(work.answers[0][0])
    first = answer - min(place, answer)
    numbers = [str(first + k) for k in range(4)]
    before = ", ".join(work.slots[0])
    if sorted(numbers) != sorted(work.slots[0]):
        why = "published numbers end at the answer or one above it"
        work.note("options", before, ", ".join(numbers), why)
    work.slots[0] = numbers


def _reorder(work: _Work, number: int, place: int, orders: np.random.Generator) -> None:
    """Shuffle the options of a slot so that the right one comes to stand at ``place``."""
    texts = work.slots[number]
    right = work.answers[0][number]
    others = [text for text in texts if text != right]
    mixed = [others[k] for k in orders.permutation(len(others))]
    mixed.insert(place, right)
    if mixed != texts:
        work.note("order", ", ".join(texts), ", ".join(mixed), "the place must not tell the answer")
        work.slots[number] = mixed


def _rewrite(work: _Work) -> None:
    """Let a text that lists its options list them as they are offered now."""
    options = work.slots[0]
    if len(work.slots) > 1 or {_plain(text) for text in options} <= _SIDES:
        return
    text = work.text
    if _LISTED.search(text):
        text = _LISTED.sub(lambda match: match[1] + ", ".join(options) + match[3], text)
    else:
        spots = []
        for option in options:
            found = list(re.finditer(rf"(?<![\w-]){re.escape(option)}(?![\w-])", text))
            if len(found) != 1:
                return
            spots.append(found[0].span())
        spots.sort()
        ends = [end for _, end in spots]
        overlapping = any(start < end for (start, _), end in zip(spots[1:], ends, strict=False))
        # "A" and "an" belong to the word that follows.
        articles = any(re.search(r"\ban? $", text[:start]) for start, _ in spots)
        if overlapping or articles:
            return
        for (start, end), option in reversed(list(zip(spots, options, strict=True))):
            text = text[:start] + option + text[end:]
    if text != work.text:
        work.note("text", work.text, text, "the text must not name the answer in a telling place")
        work.text = text


# --- columns -------------------------------------------------------------------------------------


def _answer_column(work: _Work) -> str:
    kind, answer = work.question.answer_type, work.answers[0]
    if kind == "order":
        return json.dumps([list(order) for order in work.answers], ensure_ascii=False)
    if kind == "sequence":
        return " | ".join(answer)
    names = [slot.name for slot in work.question.slots]
    if kind == "assignment" and work.question.task.startswith("action_sequencing/"):
        named = {f"answer_{name}": text for name, text in zip(names, answer, strict=True)}
        return json.dumps(named, ensure_ascii=False)
    if kind == "assignment" and len(answer) > 1:
        entries = [{"_key": name, "value": text} for name, text in zip(names, answer, strict=True)]
        return json.dumps(entries, ensure_ascii=False)
    return answer[0]


def _options_column(work: _Work) -> str:
    """The options in the form in which they were published."""
    published = work.question.raw["options_json"]
    form = json.loads(published) if isinstance(published, str) else published
    value: Any
    if work.question.answer_type == "sequence":
        value = work.slots
    elif isinstance(form, dict) and len(work.slots) > 1:
        value = dict(zip((slot.name for slot in work.question.slots), work.slots, strict=True))
    elif isinstance(form, dict):
        value = {chr(ord("A") + k): text for k, text in enumerate(work.slots[0])}
    elif form and isinstance(form[0], dict):
        value = [
            {"option_id": chr(ord("A") + k), "text": text} for k, text in enumerate(work.slots[0])
        ]
    else:
        value = work.slots[0]
    return json.dumps(value, ensure_ascii=False)


def _columns(work: _Work, seed: int) -> dict[str, Any]:
    raw = work.question.raw
    mark = {
        "status": work.status,
        "changed": sorted({change.change for change in work.changes}, key=CHANGES.index),
        "reasons": work.reasons,
        "published_answer": raw["answer"],
        "seed": seed,
    }
    columns = {name: raw[name] for name in COLUMNS}
    columns["question"] = work.text
    columns["answer"] = _answer_column(work)
    columns["options_json"] = _options_column(work)
    columns["metadata_json"] = _marked(raw["metadata_json"], mark)
    if "source_path" in raw:
        columns["source_path"] = raw["source_path"]
    return columns


def _marked(metadata: Any, mark: Mapping[str, Any]) -> Any:
    """The metadata with the mark in front, all else letter for letter as it was."""
    text = metadata if isinstance(metadata, str) else json.dumps(metadata, ensure_ascii=False)
    body = text.lstrip()
    if not body.startswith("{"):
        return metadata
    rest = body[1:].lstrip()
    comma = "" if rest.startswith("}") else ", "
    return '{"esi_fast": ' + json.dumps(mark, ensure_ascii=False) + comma + rest


# --- all together --------------------------------------------------------------------------------


def _places(
    works: Sequence[_Work], lengths: Mapping[tuple[int, int], int], seed: int, what: str
) -> dict[tuple[int, int], int]:
    """A place for the right option of each slot, each place equally often by subcategory."""
    groups: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for work in works:
        for number in range(len(work.slots)):
            key = (work.question.row, number)
            if key in lengths:
                groups.setdefault((work.question.task, lengths[key]), []).append(key)
    found = {}
    for (task, length), keys in sorted(groups.items()):
        drawn = rng("repair", what, seed, task, length).permutation(len(keys))
        found.update({key: int(k) % length for key, k in zip(keys, drawn, strict=True)})
    return found


def repair(
    questions: Sequence[OfficialQuestion],
    verdicts: Sequence[Verdict],
    findings: Sequence[Finding],
    *,
    seed: int = 0,
) -> Repaired:
    """The repaired rows of ``questions``, given what is known about them."""
    judged = {verdict.row: verdict for verdict in verdicts}
    found: dict[int, list[Finding]] = {}
    for finding in findings:
        found.setdefault(finding.row, []).append(finding)
    changes: list[Change] = []
    works: list[_Work] = []
    for question in questions:
        mine = found.get(question.row, [])
        earlier = next((f for f in mine if f.rule == "duplicate"), None)
        if earlier is not None:
            changes.append(
                Change(question.row, question.id, question.task, "removed", "", "", earlier.text)
            )
            continue
        works.append(_begin(question, judged.get(question.row), mine))
    # Only these were made from the answer; others offer the same numbers each time.
    counted = {
        (work.question.row, 0): 4
        for work in works
        if work.question.task.startswith("enumerative_perception/")
    }
    ranks = _places(works, counted, seed, "numbers")
    for work in works:
        if (work.question.row, 0) in ranks:
            _draw_numbers(work, ranks[work.question.row, 0])
    lengths = {
        (work.question.row, number): len(texts)
        for work in works
        for number, texts in enumerate(work.slots)
        if not _shared(work) or number == 0
    }
    places = _places(works, lengths, seed, "order")
    for work in works:
        orders = rng("repair", "mix", seed, work.question.task, work.question.id)
        for number in range(1 if _shared(work) else len(work.slots)):
            _reorder(work, number, places[work.question.row, number], orders)
        if _shared(work):
            work.slots = [work.slots[0]] * len(work.slots)
        _rewrite(work)
        changes += work.changes
    rows = tuple(
        RepairedRow(_columns(w, seed), w.status, w.question, judged.get(w.question.row))
        for w in works
    )
    changes.sort(key=lambda change: (change.row, CHANGES.index(change.change)))
    return Repaired(seed, rows, tuple(changes), _counts(questions, rows, changes))


def _shared(work: _Work) -> bool:
    """Whether all slots are filled from one list of options."""
    return work.question.answer_type == "order" or (
        work.question.answer_type == "assignment"
        and not work.question.task.startswith("action_sequencing/")
    )


def _begin(
    question: OfficialQuestion, verdict: Verdict | None, findings: Sequence[Finding]
) -> _Work:
    subject = subject_of_row(question)
    work = _Work(
        question,
        question.text,
        [[option.text for option in slot.options] for slot in question.slots],
        list(question.answer_texts),
        _status(verdict, findings),
    )
    work.reasons = [f.text for f in findings if f.kind == "unanswerable"]
    if verdict is not None and verdict.verdict != "agrees":
        work.reasons.append(verdict.reason)
    _correct(work, verdict)
    written = _answer_column(work)
    if work.status != "corrected" and written != str(question.raw["answer"]):
        value = question.raw["answer"]
        if json.dumps(_loaded(written)) != json.dumps(_loaded(value)):
            work.note("form", str(value), written, "an answer must be written as its option is")
    _mend_options(work, subject)
    return work


def _loaded(value: Any) -> Any:
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        return json.loads(value)
    return value


def _counts(
    questions: Sequence[OfficialQuestion], rows: Sequence[RepairedRow], changes: Sequence[Change]
) -> dict[str, dict[str, int]]:
    """By subcategory: rows, rows with each change, and rows of each status."""
    counts: dict[str, dict[str, int]] = {}
    numbers = Counter(question.task for question in questions)
    for task in sorted(numbers, key=list(SUBCATEGORIES.values()).index):
        number = numbers[task]
        kept = [row for row in rows if row.question.task == task]
        mine = [change for change in changes if change.task == task]
        counts[task] = {
            "published": number,
            "kept": len(kept),
            **{name: len({c.row for c in mine if c.change == name}) for name in CHANGES},
            **{status: sum(row.status == status for row in kept) for status in STATUSES},
        }
    return counts


def summary(mended: Repaired) -> str:
    """What was done, by subcategory, as an aligned table."""
    names = ["published", "kept", *CHANGES, *STATUSES]
    total = {name: sum(c[name] for c in mended.counts.values()) for name in names}
    table = [["subcategory", *names]]
    for task, counts in itertools.chain(mended.counts.items(), [("all", total)]):
        table.append([task, *(str(counts[name]) for name in names)])
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = [
        "  ".join(
            cell.ljust(width) if k == 0 else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in table
    ]
    return "\n".join([f"seed {mended.seed}", "", *lines]) + "\n"


def write_repaired(mended: Repaired, folder: Path) -> None:
    """Write the release into ``folder``: ``rows/questions.jsonl`` in the published 12 columns,
    ``instances/`` in our own format, ``diff.jsonl`` with every change, ``summary.txt`` and
    ``summary.json``. What an earlier run left there is replaced.
    """
    with os_errors(folder):
        (folder / "rows").mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(dict(row.columns), ensure_ascii=False) + "\n" for row in mended.rows)
    _write(folder / "rows" / "questions.jsonl", text)
    _write(
        folder / "diff.jsonl",
        "".join(json.dumps(c.record(), ensure_ascii=False) + "\n" for c in mended.changes),
    )
    left_out = _write_instances(mended, folder / "instances")
    content = {
        "seed": mended.seed,
        "subcategories": mended.counts,
        "instances_left_out": dict(sorted(left_out.items())),
    }
    _write(folder / "summary.json", json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    notes = [f"{n:5d} rows have no instance: {why}" for why, n in sorted(left_out.items())]
    _write(folder / "summary.txt", "\n".join([summary(mended), *notes, ""]))


def _write_instances(mended: Repaired, folder: Path) -> Counter[str]:
    """The rows as a store of instances; returns why the others are not among them."""
    with os_errors(folder):
        if (folder / "manifest.json").is_file():
            shutil.rmtree(folder)
    left_out: Counter[str] = Counter()
    meta = {"from": "published rows, repaired", "seed": str(mended.seed)}
    with StoreWriter(folder, Instance, meta=meta, durable=False) as store:
        taken: set[str] = set()
        for row in mended.rows:
            key = f"published-{row.question.id}"
            if key in taken:
                key = f"{key}-row-{row.question.row}"
            taken.add(key)
            try:
                store.add(instance_of_row(row.columns, row.status, row.verdict, key=key))
            except RecordError as error:
                left_out[str(error)] += 1
    return left_out


def _write(path: Path, text: str) -> None:
    replace_file(path, text.encode(), temporary=path.with_name(path.name + ".tmp"))
