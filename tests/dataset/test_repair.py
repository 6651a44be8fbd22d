from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from esi_fast.dataset.audit import AuditReport, audit, audit_release, run_audit
from esi_fast.dataset.findings import find_leaks, subject_of_row
from esi_fast.dataset.official import (
    COLUMNS,
    OfficialQuestion,
    OfficialRelease,
    Option,
    Slot,
    parse_row,
    read_official,
)
from esi_fast.dataset.repair import STATUSES, repair, shuffled
from esi_fast.dataset.store import Store
from esi_fast.records import Instance

sys.path.insert(0, str(Path(__file__).parent))
from mirror_rows import mirror_question
from official_rows import row

HERE = Path(__file__).parent
MENDED = {
    "duplicate",
    "answer_spelling",
    "repeated_option",
    "impossible_option",
}


def _write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in rows))
    return path


def _size(number: int) -> dict[str, Any]:
    return row(
        "Metric Comparison",
        "Dimensional Size",
        id=f"s{number:03d}",
        question=f"Which mug is larger: the one near the a{number}, or the one near the b{number}?",
        answer=f"near the b{number}",
        options=[f"near the a{number}", f"near the b{number}"],
    )


def _count(number: int) -> dict[str, Any]:
    answer = 2 + number % 4
    targets = [
        {"name": f"t{k}", "category": "mug", "model": "abcdef", "position": [k, number, 0.05]}
        for k in range(answer)
    ]
    return row(
        "Enumerative Perception",
        "Counting w Occlusion",
        id=f"c{number:03d}",
        question='Considering both images, how many objects of category "mug" are present?',
        answer=str(answer),
        options=[str(k) for k in range(answer - 2, answer + 2)],
        metadata={"question_data": {"render": {"resolved_objects": {"targets": targets}}}},
    )


@pytest.fixture
def rows() -> list[dict[str, Any]]:
    good = mirror_question("Reflection Authoring", "Yes", [(3.0, 0.3)])
    wrong = mirror_question("Reflection Authoring", "No", [(3.0, 0.3)])
    mirrors = [good, {**wrong, "id": "0002"}, {**wrong, "id": "0003"}]
    path = row(
        "Cognitive Mapping",
        "Traversable Passage",
        id="0004",
        question="On the shortest path from hall_0 to den_0, which intermediate room do you pass "
        "through among these options: den_0, kitchen_0, bar_0?",
        answer="kitchen_0",
        options=["den_0", "kitchen_0", "bar_0"],
    )
    twice = row(
        "Perceptual Grounding",
        "View Hallucination",
        id="0005",
        question="Which object is this: webcam or lamp?",
        answer="webcam",
        options=["webcam", "lamp", "webcam"],
    )
    stack = row(
        "Physical Dynamics",
        "Stacking & Stability",
        id="0006",
        question="How should you stack tray, jar, can to maximize stability?",
        answer='[["tray", "jar", "can"]]',
        options=["can", "jar", "tray"],
    )
    return [*mirrors, path, twice, stack, *map(_size, range(30)), *map(_count, range(40))]


def _audited(rows: list[dict[str, Any]], tmp_path: Path) -> AuditReport:
    return run_audit(_write(tmp_path / "rows.jsonl", rows), tmp_path / "out")


def _mended(tmp_path: Path) -> dict[str, OfficialQuestion]:
    release = read_official(tmp_path / "out" / "repaired" / "rows")
    assert not release.bad
    return {question.id: question for question in release.questions}


def _mark(question: OfficialQuestion) -> dict[str, Any]:
    mark: dict[str, Any] = question.metadata()["esi_fast"]
    return mark


def test_what_is_wrong_is_mended(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    _audited(rows, tmp_path)
    mended = _mended(tmp_path)
    # The repetition is gone, and the answer that geometry contradicts is turned round.
    assert "0003" not in mended
    assert mended["0001"].raw["answer"] == "yes"
    assert mended["0002"].raw["answer"] == "yes"
    assert _mark(mended["0002"])["status"] == "corrected"
    assert _mark(mended["0002"])["published_answer"] == "No"
    assert _mark(mended["0001"])["status"] == "confirmed"
    # An end of the path is no room on the way; the text lists what is offered.
    options = [option.text for option in mended["0004"].slots[0].options]
    assert sorted(options) == ["bar_0", "kitchen_0"]
    assert mended["0004"].text.endswith(f"options: {', '.join(options)}?")
    assert sorted(o.text for o in mended["0005"].slots[0].options) == ["lamp", "webcam"]
    assert mended["0006"].answer_texts == (("tray", "jar", "can"),)
    for question in mended.values():
        assert set(question.raw) - {"source_path"} == set(COLUMNS)


def test_the_order_tells_nothing_any_more(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    before = _audited(rows, tmp_path)
    told = {leak.rule for leak in before.leaks if leak.leaks and "size" in leak.task}
    assert {"last_option", "named_last", "usual_position"} <= told
    after = audit(tmp_path / "out" / "repaired" / "rows")
    assert not [leak for leak in after.leaks if leak.leaks and "size" in leak.task]
    places = Counter(q.answers[0][0] for q in _mended(tmp_path).values() if q.id[0] == "s")
    assert places == {0: 15, 1: 15}
    for question in _mended(tmp_path).values():
        if question.id[0] == "s":
            first, second = (option.text for option in question.slots[0].options)
            assert question.text.index(first) < question.text.index(second)
            assert question.answer_texts == ((f"near the b{int(question.id[1:])}",),)


def test_numbers_to_choose_from_do_not_end_at_the_answer(
    rows: list[dict[str, Any]], tmp_path: Path
) -> None:
    _audited(rows, tmp_path)
    ranks: Counter[int] = Counter()
    for question in _mended(tmp_path).values():
        if question.id[0] == "c":
            numbers = sorted(int(option.text) for option in question.slots[0].options)
            assert numbers == list(range(numbers[0], numbers[0] + 4))
            answer = int(question.answer_texts[0][0])
            assert answer == 2 + int(question.id[1:]) % 4
            ranks[numbers.index(answer)] += 1
    # Ten of each, but that no number is below zero: an answer of 2 cannot be the largest.
    assert sum(ranks.values()) == 40
    assert all(6 <= ranks[rank] <= 14 for rank in range(4))


def test_reading_back_finds_no_fault_that_was_mended(
    rows: list[dict[str, Any]], tmp_path: Path
) -> None:
    before = _audited(rows, tmp_path)
    assert {f.rule for f in before.findings} >= MENDED
    assert before.contradictions
    after = audit(tmp_path / "out" / "repaired" / "rows")
    assert not {f.rule for f in after.findings} & MENDED
    assert not after.contradictions
    assert not after.bad


def test_every_change_is_in_the_diff(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    _audited(rows, tmp_path)
    folder = tmp_path / "out" / "repaired"
    diff = [json.loads(line) for line in (folder / "diff.jsonl").read_text().splitlines()]
    originals = {line["id"]: line for line in rows}
    changed = {(line["id"], line["change"]) for line in diff}
    mended = _mended(tmp_path)
    assert {line["id"] for line in diff if line["change"] == "removed"} == {"0003"}
    for name, original in originals.items():
        if name in mended:
            assert (mended[name].text != original["question"]) == ((name, "text") in changed)
    answer = next(line for line in diff if line["change"] == "answer")
    assert (answer["id"], answer["before"], answer["after"]) == ("0002", "no", "yes")
    counts = json.loads((folder / "summary.json").read_text())["subcategories"]
    assert counts["specular_reflection/reflection_authoring"]["removed"] == 1
    total = sum(count["kept"] for count in counts.values())
    assert total == len(mended) == sum(c[s] for c in counts.values() for s in STATUSES)


def test_the_seed_decides(rows: list[dict[str, Any]]) -> None:
    questions = [parse_row(line, number=n) for n, line in enumerate(rows, start=1)]
    sound = [q for q in questions if isinstance(q, OfficialQuestion)]
    one, again, other = (repair(sound, [], [], seed=seed) for seed in (1, 1, 2))
    assert [dict(r.columns) for r in one.rows] == [dict(r.columns) for r in again.rows]
    orders = [[r.columns["options_json"] for r in mended.rows] for mended in (one, other)]
    assert orders[0] != orders[1]


def test_metadata_are_kept_letter_for_letter(rows: list[dict[str, Any]]) -> None:
    question = parse_row(rows[0])
    assert isinstance(question, OfficialQuestion)
    (mended,) = repair([question], [], []).rows
    text = mended.columns["metadata_json"]
    assert text.endswith(rows[0]["metadata_json"][1:])
    assert {k: v for k, v in json.loads(text).items() if k != "esi_fast"} == json.loads(
        rows[0]["metadata_json"]
    )


def test_our_format_holds_the_same_answers(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    _audited(rows, tmp_path)
    folder = tmp_path / "out" / "repaired"
    instances = list(Store(folder / "instances").instances())
    mended = _mended(tmp_path)
    assert instances
    for instance in instances:
        question = mended[instance.id.removeprefix("published-")]
        assert instance.answer == " | ".join(question.answer_texts[0])
        assert instance.question.text == question.text
        assert instance.public["status"] == _mark(question)["status"]
    left_out = json.loads((folder / "summary.json").read_text())["instances_left_out"]
    assert sum(left_out.values()) + len(instances) == len(mended)
    assert isinstance(instances[0], Instance)
    report = audit(folder / "instances")
    assert not report.bad
    assert not report.contradictions


def test_shuffled_options_take_the_answer_along() -> None:
    """Case dataset_io-12: the letters stay, the texts move, the answer's letter is looked up."""
    cases = json.loads((HERE.parent / "data" / "dataset_io.json").read_text())
    case = next(c for c in cases if c["id"] == "dataset_io-12")
    given, expected = case["input"], case["expected"]
    letters = [Option(letter, text) for letter, text in zip("ABCD", given["options"], strict=True)]
    slot = shuffled(Slot("", tuple(letters)), given["order"])
    assert [option.text for option in slot.options] == expected["shown"]
    answer = next(option.id for option in slot.options if option.text == given["correct"])
    assert answer == expected["answer"]
    with pytest.raises(ValueError, match="order: expected each of 0 to 3 once"):
        shuffled(slot, [0, 1, 1, 2])


@pytest.mark.slow
def test_the_published_rows_are_mended(published: OfficialRelease, tmp_path: Path) -> None:
    before = audit_release(published)
    mended = repair(published.questions, before.verdicts, before.findings)
    assert len(mended.rows) == 3069
    rows = [dict(mended_row.columns) for mended_row in mended.rows]
    after = audit_release(read_official(_write(tmp_path / "rows.jsonl", rows)))
    assert not after.bad
    assert not {f.rule for f in after.findings} & MENDED
    # A label that was changed is borne out, and no other verdict has moved.
    ids = {question.row: question.id for question in published.questions}
    old = {ids[v.row]: v for v in before.verdicts if v.row not in before.repeated}
    corrected = {r.question.id for r in mended.rows if r.status == "corrected"}
    for verdict in after.verdicts:
        if verdict.id in corrected:
            assert verdict.verdict == "agrees", verdict.id
        else:
            earlier = old[verdict.id]
            assert (verdict.verdict, verdict.reason) == (earlier.verdict, earlier.reason)
    told = {(leak.task, leak.rule) for leak in after.leaks if leak.leaks}
    forms = {"first_option", "last_option", "usual_position", "named_first", "named_last"}
    forms |= {"largest_number", "second_largest_number"}
    assert not {rule for _, rule in told} & forms
    subjects = [subject_of_row(r.question) for r in mended.rows]
    assert len(told) < sum(leak.leaks for leak in find_leaks(subjects))
