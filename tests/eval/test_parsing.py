"""One action out of a reply, one option out of a text: every recorded case, and properties."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esi_fast.eval.parsing import REASONS, option_index, parse_reply, read_count, same_text
from esi_fast.records import ActionRecord
from esi_fast.sim.actions import ACTIONS, format_action, read_answer

CASES = json.loads((Path(__file__).parents[1] / "data" / "parsing.json").read_text())
ACTION_CASES = [case for case in CASES if case["input"]["op"] == "parse_action"]
ANSWER_CASES = [case for case in CASES if case["input"]["op"] == "match_answer"]
KNOWN = {"mug_3": "mug", "apple_2": "apple", "apple_5": "apple", "box_1": "box"}


def _seen(raw: str | None, objects: dict[str, str]) -> dict[str, Any]:
    """What was parsed, in the form of the cases."""
    parsed = parse_reply(raw, objects)
    if parsed.action is None:
        assert parsed.reason in REASONS
        assert parsed.complaint.startswith(REASONS[parsed.reason])
        return {"status": "reprompt", "reason": parsed.reason}
    assert parsed.complaint == ""
    if parsed.action.name == "answer":
        text, confidence = read_answer(parsed.action)
        return {"status": "ok", "action": "answer", "answer": text, "confidence": confidence}
    return {"status": "ok", "action": parsed.action.name, "args": list(parsed.action.args)}


@pytest.mark.parametrize("case", ACTION_CASES, ids=lambda case: case["id"])
def test_action_cases(case: dict[str, Any]) -> None:
    objects = {item["id"]: item["category"] for item in case["input"]["objects"]}
    seen = _seen(case["input"]["raw"], objects)
    assert seen not in case["must_not"]
    assert seen == case["expected"] or seen in case["also_ok"]


@pytest.mark.parametrize("case", ANSWER_CASES, ids=lambda case: case["id"])
def test_answer_cases(case: dict[str, Any]) -> None:
    given_text, options = case["input"]["prediction"], case["input"]["options"]
    expected = case["expected"]
    if isinstance(options, list):
        place = option_index(options, given_text)
        seen = None if place is None else options[place]
        wanted = expected.get("option", expected.get("label"))
        assert (seen or "").casefold() == (wanted or "").casefold()
        if "letter" in expected:
            assert place == ord(expected["letter"]) - ord("A")
        for wrong in case["must_not"]:
            assert seen != wrong["option"]
    elif "ground_truth" in options:
        same = same_text(given_text, options["ground_truth"])
        assert same == expected.get("correct", True)
    elif options["type"] == "count":
        assert read_count(given_text) == expected["count"]
    else:
        # A failure of the service is a status of the request, never read from what is written.
        assert not expected["is_api_error"]
        assert parse_reply(given_text, {}).reason == "invalid_action"


def test_cases_are_all_here() -> None:
    assert len(ACTION_CASES) + len(ANSWER_CASES) == len(CASES) == 96


arguments = st.text(
    st.characters(codec="ascii", exclude_characters="\"'()=,`", exclude_categories=("Cc",)),
    min_size=1,
    max_size=12,
).filter(lambda text: any(c.isalnum() for c in text) and text == text.strip())


@given(st.sampled_from([spec for spec in ACTIONS.values() if spec.kind != "answer"]), st.data())
def test_what_is_formatted_is_read_back(spec: Any, data: st.DataObject) -> None:
    handles = data.draw(st.permutations(["mug_3", "box_1", "apple_2"]))
    record = ActionRecord(name=spec.name, args=tuple(handles[: len(spec.params)]))
    assert parse_reply(format_action(record), KNOWN).action == record
    field = json.dumps({"reasoning": "turn_left first?", "action": format_action(record)})
    assert parse_reply(field, KNOWN).action == record


@given(arguments, st.floats(0, 1))
def test_answers_are_read_back(text: str, confidence: float) -> None:
    record = ActionRecord(name="answer", args=(text, repr(confidence)))
    parsed = parse_reply(format_action(record), {})
    assert parsed.action is not None
    assert read_answer(parsed.action)[1] == confidence
    assert same_text(read_answer(parsed.action)[0], text)


@given(st.lists(st.sampled_from([n for n, s in ACTIONS.items() if not s.params]), min_size=2))
def test_two_actions_are_never_one(names: list[str]) -> None:
    for joint in (", ", "\n", " then ", "; "):
        assert parse_reply(joint.join(names), {}).reason == "multiple_actions"


@given(st.text(max_size=300))
def test_nothing_raises_and_nothing_is_both(raw: str) -> None:
    parsed = parse_reply(raw, KNOWN)
    assert (parsed.action is None) == (parsed.reason is not None)


def test_huge_and_deep_replies_end() -> None:
    assert parse_reply("{" * 100_000, {}).action is None
    assert parse_reply('{"action":' * 5_000, {}).action is None
    assert parse_reply("a" * 1_000_000, {}).reason == "invalid_action"


@pytest.mark.parametrize(
    ("options", "text", "expected"),
    [
        (("inside", "outside"), "not inside", None),
        (("red cup", "cup"), "the red cup", 0),
        (("left", "right"), "left or right", None),
        (("chair", "table"), "The answer is a chair", 0),
        (("chair", "table"), "The answer is A because a table is far", 0),
        (("yes", "no"), "Yes, it is.", 0),
        (("yes", "no"), "I know nothing", None),
        (("yes", "no"), "", None),
        (("3", "13"), "13", 1),
        (("3", "13"), "there are 3", 0),
    ],
)
def test_options(options: tuple[str, ...], text: str, expected: int | None) -> None:
    assert option_index(options, text) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2 or 3", None),
        ("about three, so 3", 3),
        (2.5, None),
        ("1.5", None),
        (True, None),
        (4.0, 4),
    ],
)
def test_counts(value: Any, expected: int | None) -> None:
    assert read_count(value) == expected
