from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from esi_fast.dataset.drawing import drawings, shapes_of
from esi_fast.dataset.findings import (
    GUESSES,
    RULES,
    Subject,
    find,
    find_leaks,
    guess,
    rule,
    subject_of_row,
    trials_of,
    wilson,
)
from esi_fast.dataset.official import (
    SUBCATEGORIES,
    OfficialQuestion,
    OfficialRelease,
    parse_row,
)

sys.path.insert(0, str(Path(__file__).parent))
from official_rows import row
from subjects import CHOICE, COUNT, slot, subject, thing, view

# --- a planted fault for every rule ---------------------------------------------------------------


def _moved(fault: Subject, number: int, **more: Any) -> Subject:
    things = list(fault.things)
    things[number] = replace(things[number], **more)
    return replace(fault, things=tuple(things))


def _box(low: tuple[float, float, float], size: float) -> Any:
    return np.stack([np.array(low), np.array(low) + size])


PLANTS: dict[str, Callable[[Subject], Subject]] = {
    "duplicate": lambda s: replace(s, content="content 1"),
    "id_taken": lambda s: replace(s, id="0001"),
    "same_world": lambda s: replace(s, things=subject(1).things),
    "answer_not_an_option": lambda s: replace(s, answer_parts=("left",)),
    "answer_spelling": lambda s: replace(s, answer_parts=("No",)),
    "repeated_option": lambda s: replace(s, slots=(slot("yes", "no", "yes"),)),
    "single_option": lambda s: replace(s, slots=(slot("no"),), answers=((0,),)),
    "several_answers": lambda s: replace(s, answers=((0,), (1,))),
    "impossible_option": lambda s: replace(
        s,
        task="cognitive_mapping/traversable_passage",
        asked=("hall_0", "den_0"),
        things=(),
        slots=(slot("hall_0", "kitchen_0", "bar_0"),),
    ),
    "options_not_in_text": lambda s: replace(s, slots=(slot("cup", "bowl"),)),
    "same_name_twice": lambda s: replace(s, asked=("cup", "Cup")),
    "no_such_thing": lambda s: _moved(s, 1, category="shoe_box"),
    "other_things": lambda s: _moved(_moved(s, 1, category="shoe_box"), 0, category="book"),
    "no_option_is_there": lambda s: replace(s, alternatives=("webcam", "lamp")),
    "nothing_there": lambda s: replace(s, things=()),
    "answer_disagrees": lambda s: replace(s, recorded_answer="yes"),
    "text_disagrees": lambda s: replace(s, recorded_asked=("cup", "book")),
    "interpenetration": lambda s: _moved(s, 1, box=_box((s.row - 0.1, -0.05, 0.0), 0.2)),
    "below_floor": lambda s: _moved(s, 1, box=_box((s.row - 0.1, 0.4, -0.07), 0.2)),
    "far_away": lambda s: _moved(s, 1, box=_box((0.0, 0.4, -2939.0), 0.2)),
    "far_apart": lambda s: _moved(s, 1, box=_box((s.row - 0.1, 6.4, 0.0), 0.2)),
    "camera_inside": lambda s: _moved(s, 1, box=_box((s.row + 1.4, 0.2, 0.7), 0.2)),
    "never_in_view": lambda s: _moved(s, 1, box=_box((s.row + 3.0, 0.2, 0.7), 0.2)),
    "too_small_to_see": lambda s: _moved(s, 1, box=_box((s.row, 0.5, 0.0), 0.01)),
    "placement_failed": lambda s: _moved(s, 0, placed=False),
    "sight_says_nothing": lambda s: replace(
        s, views=tuple(replace(v, seen={**(v.seen or {}), "lid": 0.0}) for v in s.views)
    ),
    "never_seen": lambda s: replace(
        s, views=(replace(s.views[0], seen={"obj1": 1.0, "obj2": 0.0}),)
    ),
    "unseen_in_first_view": lambda s: replace(
        s,
        task="perceptual_grounding/view_hallucination",
        views=(
            replace(s.views[0], seen={"obj1": 0.0, "obj2": 1.0}),
            replace(s.views[0], seen={"obj1": 1.0, "obj2": 1.0}),
        ),
    ),
}


def test_sound_questions_give_no_finding() -> None:
    assert find([subject(row) for row in range(1, 13)]) == ()


@pytest.mark.parametrize("name", RULES)
def test_every_rule_catches_what_is_planted(name: str) -> None:
    """A registered rule without a planted fault fails here."""
    sound = [subject(row) for row in range(1, 12)]
    if name == "sight_says_nothing":
        # A thing that all twelve rows record as unseen says nothing; it is no finding of sight.
        lid = thing("lid", "lid", (50.0, 0.0, 0.1))
        planted = [
            PLANTS[name](replace(s, things=(*s.things, replace(lid, position=None, box=None))))
            for s in [*sound, subject(12)]
        ]
        found = find(planted)
        assert {f.rule for f in found} == {name}
        assert len(found) == 12
        return
    found = find([*sound, PLANTS[name](subject(12))])
    mine = [finding for finding in found if finding.rule == name]
    assert [finding.row for finding in mine] == [12]
    assert mine[0].text
    assert mine[0].kind == RULES[name][0]
    assert {finding.row for finding in found} == {12}


def test_what_a_finding_says_can_be_worked_out() -> None:
    cup = thing("obj1", "cup", (0.0, 0.0, 0.1))
    jar = thing("obj2", "jar", (0.15, 0.05, 0.1))
    found = find([subject(1, things=(cup, jar))])
    mine = next(f for f in found if f.rule == "interpenetration")
    # 20 cm cubes, 15 cm apart in x and 5 cm in y: 5 x 15 x 20 cm of 20 x 20 x 20 cm are shared.
    assert mine.numbers == pytest.approx(
        {
            "depth_m": 0.05,
            "share_of_smaller": 0.1875,
            "shared_x_m": 0.05,
            "shared_y_m": 0.15,
            "shared_z_m": 0.2,
        }
    )


def test_boxes_of_turned_things_may_share_their_corners() -> None:
    turned = np.array([0.0, 0.0, np.sin(np.pi / 8), np.cos(np.pi / 8)])
    cup = thing("obj1", "cup", (0.0, 0.0, 0.1), orientation=turned)
    jar = thing("obj2", "jar", (0.15, 0.05, 0.1))
    assert not [f for f in find([subject(1, things=(cup, jar))]) if f.rule == "interpenetration"]


def test_what_is_meant_to_be_inside_does_not_interpenetrate() -> None:
    flask = thing("obj1", "cup", (0.0, 0.0, 0.1))
    inner = thing("obj2", "jar", (0.0, 0.0, 0.1), size=0.05, within="obj1")
    assert not find([subject(1, things=(flask, inner))])


def test_a_floor_is_where_most_things_stand() -> None:
    """In a room whose floor is at -1.14 m nothing that stands there is below it."""
    low = [
        replace(
            subject(row),
            things=tuple(
                replace(t, box=t.box - [0, 0, 1.14], position=None)
                for t in subject(row).things
                if t.box is not None
            ),
            views=(),
        )
        for row in range(1, 4)
    ]
    assert not [f for f in find(low) if f.rule == "below_floor"]


def test_names_are_compared_by_their_words() -> None:
    same = [
        ("bottle of lime juice", "lime_juice_bottle"),
        ("pasta_boxs", "pasta_box"),
        ("large packing box", "packing_box"),
        ("medium container", "tote"),
        ("Cups", "cup"),
    ]
    other = [("glass", "glas"), ("large box", "packing_box"), ("cup", "cup_holder")]
    for asked, category in [*same, *other]:
        cup = thing("obj1", category, (1.0, 0.0, 0.1))
        found = find([subject(1, asked=(asked,), things=(cup,), views=())])
        assert (not found) == ((asked, category) in same), asked


# --- leaks ----------------------------------------------------------------------------------------


def _asked(row: int, answer: int, texts: tuple[str, ...], **more: Any) -> Subject:
    base = subject(row)
    fields: dict[str, Any] = {
        "task": CHOICE,
        "text": f"Which of {texts[0]} and {texts[1]} is it?",
        "slots": (slot(*texts),),
        "answers": ((answer,),),
        "answer_parts": (texts[answer],),
        "asked": (),
        **more,
    }
    return replace(base, **fields)


def _fair(row: int) -> Subject:
    """The answer is independent of all that a blind guess can use."""
    answer, swap, long = (row >> 1) & 1, row & 1, (row >> 2) & 1
    pair = (f"aa{row}", f"bbb{row}") if long else (f"bbb{row}", f"aa{row}")
    right, wrong = pair
    texts = (right, wrong) if answer == 0 else (wrong, right)
    text = f"Is it {texts[0]} or {texts[1]}?" if swap else f"Is it {texts[1]} or {texts[0]}?"
    return _asked(row, answer, texts, text=text)


def _two(row: int, right: dict[str, Any], wrong: dict[str, Any]) -> Subject:
    """Two things are options, of which the right one is ``right``; all else alternates."""
    answer = row & 1
    a, b = thing("obj1", f"aa{row}", (row, 0.0, 0.1)), thing("obj2", f"bb{row}", (row, 0.5, 0.1))
    a, b = replace(a, **right), replace(b, **wrong)
    texts = (a.category, b.category) if answer == 0 else (b.category, a.category)
    eye = view((row + 1.5, 0.0, 0.8), (row, 0.25, 0.1), {})
    return _asked(row, answer, texts, things=(a, b), views=(eye,))


def _told_by(row: int, **more: Any) -> Subject:
    """Yes or no with no telling order; ``more`` may tell the answer, which is yes for odd rows."""
    answer = row & 1
    texts = ("yes", "no") if row & 2 else ("no", "yes")
    return _asked(row, texts.index("yes" if answer else "no"), texts, **more)


def _sized(row: int, factor: float) -> tuple[Any, ...]:
    base = subject(row).things
    size = factor if row & 1 else 1.0
    jitter = 1.0 + 0.01 * (row % 7)
    return (
        replace(base[0], box=_box((row, 0.0, 0.0), 0.1 * size * jitter)),
        replace(base[1], box=_box((row, 0.5, 0.0), 0.5)),
    )


def _turned(row: int) -> tuple[Any, ...]:
    half = 0.5 * (1.0 if row & 1 else -1.0) * (1.0 + 0.01 * (row % 7))
    turn = np.array([0.0, 0.0, np.sin(half), np.cos(half)])
    return tuple(replace(t, orientation=turn) for t in subject(row).things)


LEAKS: dict[str, Callable[[int], Subject]] = {
    "first_option": lambda r: _asked(r, 0, (f"a{r}", f"b{r}")),
    "last_option": lambda r: _asked(r, 1, (f"a{r}", f"b{r}")),
    "usual_position": lambda r: _asked(r, 1, (f"a{r}", f"b{r}", f"c{r}")),
    "longest_option": lambda r: _asked(
        r, r & 1, (f"aaaa{r}", f"b{r}") if not r & 1 else (f"b{r}", f"aaaa{r}")
    ),
    "shortest_option": lambda r: _asked(
        r, r & 1, (f"a{r}", f"bbbb{r}") if not r & 1 else (f"bbbb{r}", f"a{r}")
    ),
    "largest_number": lambda r: _asked(r, 3, tuple(str(r % 11 + k) for k in range(4)), task=COUNT),
    "second_largest_number": lambda r: _asked(
        r, 2, tuple(str(r % 11 + k) for k in range(4)), task=COUNT
    ),
    "two_largest_numbers": lambda r: _asked(
        r, 2 + r % 2, tuple(str(r % 11 + k) for k in range(4)), task=COUNT
    ),
    "named_first": lambda r: _asked(
        r, r & 1, (f"a{r}x", f"b{r}x"), text=f"{'ab'[r & 1]}{r}x, not {'ba'[r & 1]}{r}x?"
    ),
    "named_last": lambda r: _asked(
        r, r & 1, (f"a{r}x", f"b{r}x"), text=f"{'ba'[r & 1]}{r}x, not {'ab'[r & 1]}{r}x?"
    ),
    "commonest_answer": lambda r: _asked(
        r, r & 1, ("webcam", f"x{r}") if not r & 1 else (f"x{r}", "webcam")
    ),
    "commonest_for_first_thing": lambda r: _told_by(r, asked=(("cup", "jar")[r & 1], "pan")),
    "commonest_for_last_thing": lambda r: _told_by(r, asked=("pan", ("cup", "jar")[r & 1])),
    "commonest_in_scene": lambda r: _told_by(r, scene=f"House_{r & 1}"),
    "larger_thing": lambda r: _two(r, {"box": _box((r, 0, 0), 0.5)}, {}),
    "smaller_thing": lambda r: _two(r, {}, {"box": _box((r, 0, 0), 0.5)}),
    "nearer_thing": lambda r: _two(r, {"box": _box((r + 1, 0, 0), 0.2)}, {}),
    "farther_thing": lambda r: _two(r, {"box": _box((r - 1, 0, 0), 0.2)}, {}),
    "by_size": lambda r: _told_by(r, things=_sized(r, 2.0)),
    "by_size_ratio": lambda r: _told_by(r, things=_sized(r, 2.0)),
    "by_turn": lambda r: _told_by(r, things=_turned(r)),
    "by_height": lambda r: _told_by(
        r, things=(thing("obj1", "cup", (r, 0.0, 0.1 + 0.3 * (r & 1) + 0.001 * (r % 7))),)
    ),
    "by_camera_distance": lambda r: _told_by(
        r, views=(view((r + 1.5 + (r & 1) + 0.001 * (r % 7), 0, 0.5), (r, 0, 0.1), {}),)
    ),
    "by_camera_heading": lambda r: _told_by(
        r, views=(view((r + (1.5 if r & 1 else -1.5), 0.01 * (r % 7), 0.5), (r, 0, 0.1), {}),)
    ),
    "by_number_of_things": lambda r: _told_by(r, things=subject(r).things[: 1 + (r & 1)]),
}


@pytest.mark.parametrize("name", GUESSES)
def test_every_guess_finds_the_leak_that_is_planted(name: str) -> None:
    """A registered guess without a planted leak fails here."""
    leaks = {leak.rule: leak for leak in find_leaks([LEAKS[name](row) for row in range(80)])}
    leak = leaks[name]
    assert leak.leaks
    assert leak.rate == 1.0
    assert leak.low <= leak.rate <= leak.high
    assert leak.chance < leak.low
    assert f"{leak.hits} of {leak.trials}" in leak.text


def test_fair_questions_leak_nothing() -> None:
    leaks = find_leaks([_fair(row) for row in range(80)])
    assert len(leaks) >= 6
    assert not any(leak.leaks for leak in leaks)
    assert all(leak.chance == 0.5 for leak in leaks)


def test_repeated_questions_are_tried_once() -> None:
    many = [replace(_fair(row), content="the same") for row in range(40)]
    assert [len(trials) for trials in trials_of(many).values()] == [1]
    assert find_leaks(many) == ()


def test_what_the_commonest_answer_gets_is_no_other_leak() -> None:
    """Yes in 9 of 10: a threshold on a size that learns to say yes has found nothing."""
    many = [
        _asked(row, int(row % 10 == 0), ("yes", "no"), things=_sized(row, 1.0))
        for row in range(200)
    ]
    told = {leak.rule for leak in find_leaks(many) if leak.leaks}
    assert told == {"commonest_answer"}


def test_two_numbers_of_four_hold_the_answer_in_half_of_the_cases() -> None:
    many = [LEAKS["two_largest_numbers"](row) for row in range(80)]
    leaks = {leak.rule: leak for leak in find_leaks(many)}
    assert leaks["two_largest_numbers"].chance == 0.5
    assert leaks["largest_number"].chance == 0.25
    assert leaks["largest_number"].hits == 40


# --- hostile metadata -----------------------------------------------------------------------------

_KEYS = [
    "objects",
    "views",
    "camera_poses",
    "question_data",
    "render",
    "resolved_objects",
    "targets",
    "containers",
    "bbox",
    "position",
    "quaternion_xyzw",
    "aabb_min",
    "aabb_max",
    "category",
    "model",
    "scale",
    "placement",
    "boxes",
    "container",
    "initial_poses",
    "objects_meta",
    "observer_poses",
    "visibility",
    "small_item",
    "obj",
    "slope",
    "extras",
    "containee",
    "room_views",
    "image",
    "image1",
    "target_metrics",
    "visible_pixels",
    "exist_obj",
    "obj_aabb",
    "qa",
    "answer",
    "seen",
    "stage0_initial_views",
    "pose",
    "target",
    "support",
    "task_obj1",
    "obj1",
    "obj_small",
    "target_name",
    "name",
    "idx",
    "cat",
]
_LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-5, 10**9)
    | st.floats(allow_nan=False, width=32)
    | st.sampled_from(["cup", "", "obj1", "<b>"])
    | st.lists(st.floats(-10, 10), min_size=3, max_size=4)
)
_JSON = st.recursive(
    _LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(_KEYS), inner, max_size=6)
    ),
    max_leaves=40,
)


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(sorted(SUBCATEGORIES)),
    st.dictionaries(st.sampled_from(_KEYS), _JSON, max_size=8),
)
def test_no_metadata_stop_the_search(tasks: tuple[str, str], metadata: dict[str, Any]) -> None:
    """Whatever a row holds, it has a subject, findings, and a drawing."""
    options: Any = [["1", "2"]] if "Navigation" in tasks[1] else ["1", "2"]
    answers = {
        "Stacking & Stability": '[["1", "2"]]',
        "Action Order Inference": '{"answer_A": "1"}',
    }
    options = {"A": options} if "Action" in tasks[1] else options
    question = parse_row(
        row(*tasks, answer=answers.get(tasks[1], "1"), options=options, metadata=metadata)
    )
    assert isinstance(question, OfficialQuestion), question
    subject = subject_of_row(question)
    assert all(finding.row == 1 for finding in find([subject]))
    assert drawings(shapes_of(subject))


@given(st.integers(1, 400), st.data())
def test_wilson_agrees_with_scipy(trials: int, data: st.DataObject) -> None:
    hits = data.draw(st.integers(0, trials))
    exact = stats.binomtest(hits, trials).proportion_ci(0.95, method="wilson")
    low, high = wilson(hits, trials)
    assert (low, high) == pytest.approx((exact.low, exact.high), abs=1e-6)


def test_wrong_calls() -> None:
    with pytest.raises(ValueError, match="hits: expected 0 to 3"):
        wilson(4, 3)
    with pytest.raises(ValueError, match="'duplicate' is registered already"):
        rule("duplicate", "form", "again")(lambda subjects: [])
    with pytest.raises(ValueError, match="'first_option' is registered already"):
        guess("first_option", "again")(lambda trials: [])


# --- the published rows ---------------------------------------------------------------------------


def test_the_published_rows(published: OfficialRelease) -> None:
    """Figures counted in the files by other means, and three rows worked out by hand."""
    subjects = [subject_of_row(question) for question in published.questions]
    found = find(subjects)
    rows: dict[str, set[int]] = {}
    for finding in found:
        rows.setdefault(finding.rule, set()).add(finding.row)
    assert len(rows["duplicate"]) == 433
    assert len(rows["answer_not_an_option"]) == 367
    assert len(rows["answer_spelling"]) == 99
    counting = {s.row for s in subjects if s.task.startswith("enumerative_perception/")}
    assert len(counting & rows["other_things"]) == 193
    transparent = {s.row for s in subjects if s.task.endswith("material_transparency")}
    assert len(transparent & (rows["other_things"] | rows["no_such_thing"])) == 26
    by_key = {(finding.row, finding.rule): finding for finding in found}
    # The container of row 950 reaches down to z = -2938.89 m, below a floor at 0.
    assert by_key[950, "below_floor"].numbers["below_m"] == pytest.approx(2938.89, abs=0.01)
    assert (2803, "other_things") in by_key  # basket and textbook; a stroller and a box are there
    told = {(leak.task, leak.rule) for leak in find_leaks(subjects) if leak.leaks}
    assert ("metric_comparison/dimensional_size", "last_option") in told
    assert ("perceptual_grounding/partial_occlusion", "first_option") in told
    assert ("action_sequencing/action_order_inference", "first_option") in told
