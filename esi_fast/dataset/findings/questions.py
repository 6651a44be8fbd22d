"""Findings about what is asked: repetition, options and answers, and whether it is there at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from esi_fast.dataset.findings._registry import Noted, rule
from esi_fast.dataset.findings._subject import FloatArray, Subject
from esi_fast.dataset.findings._words import mention, plain, same_name
from esi_fast.dataset.official import Slot

__all__: list[str] = []


def _quoted(names: Sequence[str], limit: int = 6) -> str:
    shown = [f"'{plain(name)}'" for name in dict.fromkeys(names)]
    more = f" and {len(shown) - limit} more" if len(shown) > limit else ""
    return ", ".join(shown[:limit]) + more


@rule("duplicate", "repeated", "everything but the id equals an earlier row")
def _duplicate(subjects: Sequence[Subject]) -> Iterator[Noted]:
    first: dict[str, Subject] = {}
    for subject in subjects:
        earlier = first.setdefault(subject.content, subject)
        if earlier is not subject:
            text = f"repeats row {earlier.row} (id {earlier.id}) exactly"
            yield subject, {"first_row": float(earlier.row)}, text


@rule("id_taken", "record", "the id is that of another, different row")
def _id_taken(subjects: Sequence[Subject]) -> Iterator[Noted]:
    first: dict[str, Subject] = {}
    for subject in subjects:
        earlier = first.setdefault(subject.id, subject)
        if earlier is not subject and earlier.content != subject.content:
            text = f"the id is that of row {earlier.row}, which asks something else"
            yield subject, {"first_row": float(earlier.row)}, text


def _millimetres(position: FloatArray | None) -> tuple[int, ...]:
    return () if position is None else tuple(int(v) for v in np.rint(1e3 * position))


@rule("same_world", "repeated", "the same question about things at the same places as before")
def _same_world(subjects: Sequence[Subject]) -> Iterator[Noted]:
    first: dict[object, Subject] = {}
    seen: set[str] = set()
    for subject in subjects:
        if subject.content in seen:
            continue
        seen.add(subject.content)
        placed = [thing for thing in subject.things if thing.position is not None]
        if not placed:
            continue
        # A millimetre apart is the same to the eye.
        places = tuple(sorted((t.category, *_millimetres(t.position)) for t in placed))
        key = (subject.task, subject.scene, plain(subject.text), places)
        earlier = first.setdefault(key, subject)
        if earlier is not subject:
            same = "the same answer" if earlier.answer == subject.answer else "another answer"
            text = f"asks what row {earlier.row} (id {earlier.id}) asks, with {same}"
            yield subject, {"first_row": float(earlier.row)}, text


@rule("answer_not_an_option", "form", "the answer is written as none of the options")
def _answer_not_an_option(subjects: Sequence[Subject]) -> Iterator[Noted]:
    for subject in subjects:
        if subject.answer_type == "order":
            items = _quoted([option.text for option in subject.slots[0].options])
            yield subject, {}, f"the answer is a list of orders, the options are the items {items}"
            continue
        for part, slot in zip(subject.answer_parts, subject.slots, strict=False):
            texts = [option.text for option in slot.options]
            if plain(part) not in map(plain, texts):
                blank = f" (blank {slot.name})" if slot.name else ""
                yield subject, {}, f"the answer '{part}' is none of {_quoted(texts)}{blank}"
                break
        if not subject.answer_parts:
            yield subject, {}, "the answer has a form of its own, not that of the options"


@rule("answer_spelling", "form", "the answer is spelled otherwise than its option")
def _answer_spelling(subjects: Sequence[Subject]) -> Iterator[Noted]:
    for subject in subjects:
        for part, slot in zip(subject.answer_parts, subject.slots, strict=False):
            texts = [option.text for option in slot.options]
            if part not in texts and plain(part) in map(plain, texts):
                option = texts[list(map(plain, texts)).index(plain(part))]
                yield subject, {}, f"the answer '{part}' is written '{option}' among the options"
                break


def _ends(subject: Subject) -> set[str]:
    """Rooms that cannot be the answer to what is between two rooms: those two."""
    between = subject.task == "cognitive_mapping/traversable_passage"
    return {plain(name) for name in subject.asked} if between else set()


def _possible(subject: Subject, slot: Slot) -> set[str]:
    """The different options of a slot that the question does not rule out itself."""
    return {plain(option.text) for option in slot.options} - _ends(subject)


@rule("repeated_option", "form", "an option occurs twice")
def _repeated_option(subjects: Sequence[Subject]) -> Iterator[Noted]:
    for subject in subjects:
        for slot in subject.slots:
            counts = Counter(plain(option.text) for option in slot.options)
            twice = [text for text, number in counts.items() if number > 1]
            if twice and len(_possible(subject, slot)) > 1:
                yield subject, {"times": float(counts[twice[0]])}, f"{_quoted(twice)} occurs twice"
                break


@rule("single_option", "unanswerable", "there is nothing to choose from")
def _single_option(subjects: Sequence[Subject]) -> Iterator[Noted]:
    for subject in subjects:
        for slot in subject.slots:
            possible = _possible(subject, slot)
            if len(possible) < 2:
                text = f"{_quoted(sorted(possible))} is the only option that can be"
                yield subject, {"options": float(len(slot.options))}, text
                break


@rule("several_answers", "ambiguous", "more than one answer is accepted where one is asked for")
def _several_answers(subjects: Sequence[Subject]) -> Iterator[Noted]:
    for subject in subjects:
        if len(subject.answers) > 1:
            text = f"{len(subject.answers)} different answers are accepted"
            yield subject, {"accepted": float(len(subject.answers))}, text


@rule("impossible_option", "form", "an option that the question itself rules out")
def _impossible_option(subjects: Sequence[Subject]) -> Iterator[Noted]:
    for subject in subjects:
        slot, ends = subject.slots[0], _ends(subject)
        ends = {plain(option.text) for option in slot.options} & ends
        if ends and len(_possible(subject, slot)) > 1:
            text = f"a room between is asked for, but {_quoted(sorted(ends))} is an end of the path"
            yield subject, {"options": float(len(ends))}, text


@rule("options_not_in_text", "form", "the text names some of the options and leaves others out")
def _options_not_in_text(subjects: Sequence[Subject]) -> Iterator[Noted]:
    for subject in subjects:
        if subject.answer_type != "choice" or len(subject.slots) != 1:
            continue
        texts = [option.text for option in subject.slots[0].options]
        if {plain(item) for item in texts} == {"yes", "no"}:
            continue
        missing = [item for item in texts if mention(item, subject.text) is None]
        if missing and len(missing) < len(texts):
            yield (
                subject,
                {"missing": float(len(missing))},
                f"{_quoted(missing)} is not in the text",
            )


@rule("same_name_twice", "unanswerable", "two things of the question have the same name")
def _same_name_twice(subjects: Sequence[Subject]) -> Iterator[Noted]:
    for subject in subjects:
        twice = [n for n, number in Counter(map(plain, subject.asked)).items() if number > 1]
        if twice:
            yield subject, {}, f"the text cannot tell one {_quoted(twice)} from the other"


def _absent(subject: Subject) -> list[str]:
    there = [thing.category for thing in subject.things]
    return [name for name in subject.asked if not any(same_name(name, kind) for kind in there)]


@rule("no_such_thing", "unanswerable", "the question names a thing that was never put there")
def _no_such_thing(subjects: Sequence[Subject]) -> Iterator[Noted]:
    for subject in subjects:
        absent = _absent(subject)
        if absent and subject.things and len(absent) < len(subject.asked):
            there = _quoted([thing.category for thing in subject.things])
            numbers = {"absent": float(len(absent)), "named": float(len(subject.asked))}
            yield subject, numbers, f"{_quoted(absent)} was never put there; {there} was"


@rule(
    "other_things", "unanswerable", "all that the question names is other than what was put there"
)
def _other_things(subjects: Sequence[Subject]) -> Iterator[Noted]:
    for subject in subjects:
        absent = _absent(subject)
        if absent and subject.things and len(absent) == len(subject.asked):
            there = _quoted([thing.category for thing in subject.things])
            numbers = {"absent": float(len(absent)), "named": float(len(subject.asked))}
            yield subject, numbers, f"asks about {_quoted(absent)}, but what is there is {there}"


@rule("no_option_is_there", "unanswerable", "the options name things, and none of them is there")
def _no_option_is_there(subjects: Sequence[Subject]) -> Iterator[Noted]:
    for subject in subjects:
        there = [thing.category for thing in subject.things if thing.role == "question"]
        if not subject.alternatives or not there:
            continue
        if not any(same_name(text, kind) for text in subject.alternatives for kind in there):
            options = _quoted(subject.alternatives)
            yield subject, {}, f"the options are {options}, what is there is {_quoted(there)}"


@rule("nothing_there", "unanswerable", "the record holds none of the things of the question")
def _nothing_there(subjects: Sequence[Subject]) -> Iterator[Noted]:
    for subject in subjects:
        if (subject.asked or subject.alternatives) and not subject.things:
            yield subject, {}, "the record holds no thing that was put into the scene"


@rule("answer_disagrees", "record", "the answer differs from the copy of it in the metadata")
def _answer_disagrees(subjects: Sequence[Subject]) -> Iterator[Noted]:
    for subject in subjects:
        if not subject.recorded_answer or subject.repaired or len(subject.answer_parts) != 1:
            continue
        if plain(subject.recorded_answer) != plain(subject.answer_parts[0]):
            text = f"'{subject.answer_parts[0]}' here, '{subject.recorded_answer}' in the metadata"
            yield subject, {}, text


@rule("text_disagrees", "record", "the text names other things than the copy of it in the metadata")
def _text_disagrees(subjects: Sequence[Subject]) -> Iterator[Noted]:
    for subject in subjects:
        if not subject.recorded_asked or not subject.asked or subject.repaired:
            continue
        ours, theirs = (
            sorted(map(plain, names)) for names in (subject.asked, subject.recorded_asked)
        )
        if ours != theirs:
            text = f"names {_quoted(subject.asked)}, the metadata {_quoted(subject.recorded_asked)}"
            yield subject, {}, text
