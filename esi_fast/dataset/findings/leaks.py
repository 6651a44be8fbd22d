"""Blind guesses: what somebody gets right who sees no picture, only the form of the questions.

Guesses that learn (the commonest answer, a threshold on a size) do so on four fifths of the
questions and are tried on the rest, five times: what they get right is no artefact of fitting.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import Final, TypeAlias

import numpy as np

from esi_fast.dataset.findings._registry import Trial, guess
from esi_fast.dataset.findings._subject import Thing
from esi_fast.dataset.findings._words import mention, plain, same_name, words

__all__: list[str] = []

_FOLDS: Final = 5

Guessed: TypeAlias = list[int | None]


# --- by the form of the options ------------------------------------------------------------------


@guess("first_option", "always the first option")
def _first(trials: Sequence[Trial]) -> Guessed:
    return [0 for _ in trials]


@guess("last_option", "always the last option")
def _last(trials: Sequence[Trial]) -> Guessed:
    return [len(trial.options) - 1 for trial in trials]


def _extreme(values: Sequence[float | None], *, largest: bool) -> int | None:
    """The number of the one largest (least) value; ``None`` on a tie or without all values."""
    known = [value for value in values if value is not None]
    if len(known) != len(values) or len(known) < 2:
        return None
    best = max(known) if largest else min(known)
    return known.index(best) if known.count(best) == 1 else None


@guess("longest_option", "the option with the most letters")
def _longest(trials: Sequence[Trial]) -> Guessed:
    return [_extreme([float(len(o)) for o in trial.options], largest=True) for trial in trials]


@guess("shortest_option", "the option with the fewest letters")
def _shortest(trials: Sequence[Trial]) -> Guessed:
    return [_extreme([float(len(o)) for o in trial.options], largest=False) for trial in trials]


def _ranked(trial: Trial, rank: int) -> int | None:
    """The option with the ``rank``-th largest number, from 0; ``None`` unless all are numbers."""
    if not all(option.isdecimal() for option in trial.options) or len(trial.options) <= rank:
        return None
    return sorted(range(len(trial.options)), key=lambda k: -int(trial.options[k]))[rank]


@guess("largest_number", "the largest number among the options")
def _largest_number(trials: Sequence[Trial]) -> Guessed:
    return [_ranked(trial, 0) for trial in trials]


@guess("second_largest_number", "the second largest number among the options")
def _second_largest(trials: Sequence[Trial]) -> Guessed:
    return [_ranked(trial, 1) for trial in trials]


@guess("two_largest_numbers", "one of the two largest numbers among the options")
def _two_largest(trials: Sequence[Trial]) -> list[frozenset[int] | None]:
    found: list[frozenset[int] | None] = []
    for trial in trials:
        first, second = _ranked(trial, 0), _ranked(trial, 1)
        both = first is not None and second is not None and len(trial.options) > 2
        found.append(frozenset({first or 0, second or 0}) if both else None)
    return found


def _mentioned(trial: Trial, *, first: bool) -> int | None:
    if len(trial.subject.slots) > 1:
        return None
    places = [mention(option, trial.subject.text) for option in trial.options]
    known = [None if place is None else float(place) for place in places]
    return _extreme(known, largest=not first)


@guess("named_first", "the option that the text names first")
def _named_first(trials: Sequence[Trial]) -> Guessed:
    return [_mentioned(trial, first=True) for trial in trials]


@guess("named_last", "the option that the text names last")
def _named_last(trials: Sequence[Trial]) -> Guessed:
    return [_mentioned(trial, first=False) for trial in trials]


# --- by what is common ---------------------------------------------------------------------------


def _learned(
    trials: Sequence[Trial], key: Callable[[Trial], Hashable], value: Callable[[Trial, int], str]
) -> Guessed:
    """The commonest right ``value`` among trials of other folds with an equal ``key``."""
    found: Guessed = [None] * len(trials)
    for fold in range(_FOLDS):
        known: dict[Hashable, Counter[str]] = {}
        for number, trial in enumerate(trials):
            if number % _FOLDS != fold and key(trial) is not None:
                known.setdefault(key(trial), Counter()).update(
                    value(trial, k) for k in sorted(trial.right)
                )
        for number in range(fold, len(trials), _FOLDS):
            trial = trials[number]
            counts = known.get(key(trial))
            if counts:
                score = [counts[value(trial, k)] for k in range(len(trial.options))]
                if max(score) > 0:
                    found[number] = score.index(max(score))
    return found


def _text(trial: Trial, option: int) -> str:
    return plain(trial.options[option])


@guess("usual_position", "where the right answer mostly stands")
def _usual_position(trials: Sequence[Trial]) -> Guessed:
    return _learned(trials, lambda trial: len(trial.options), lambda _, option: str(option))


@guess("commonest_answer", "the answer that is right most often")
def _commonest(trials: Sequence[Trial]) -> Guessed:
    return _learned(trials, lambda trial: "", _text)


@guess(
    "commonest_for_first_thing",
    "the commonest answer among questions whose first thing is the same",
)
def _of_first(trials: Sequence[Trial]) -> Guessed:
    return _learned(trials, lambda t: words(t.subject.asked[0]) if t.subject.asked else None, _text)


@guess(
    "commonest_for_last_thing", "the commonest answer among questions whose last thing is the same"
)
def _of_last(trials: Sequence[Trial]) -> Guessed:
    return _learned(
        trials, lambda t: words(t.subject.asked[-1]) if len(t.subject.asked) > 1 else None, _text
    )


@guess("commonest_in_scene", "the commonest answer in the same scene")
def _of_scene(trials: Sequence[Trial]) -> Guessed:
    return _learned(trials, lambda trial: trial.subject.scene, _text)


# --- by size and pose ----------------------------------------------------------------------------

# Where nearness to the camera is what is asked, it is no shortcut.
_ASKS_NEARNESS: Final = "specular_reflection/spatial_relations"


def _by_option(trial: Trial, measure: Callable[[Thing, Trial], float | None]) -> list[float | None]:
    """A measure of the thing that each option names; ``None`` for options that name none."""
    values: list[float | None] = []
    for option in trial.options:
        bare = option.removeprefix("near the ")
        named = [
            thing
            for thing in trial.subject.things
            if thing.role in ("question", "holder")
            and (same_name(bare, thing.category) or (len(bare) == 1 and bare == thing.name))
        ]
        values.append(measure(named[0], trial) if len(named) == 1 else None)
    return values


def _volume(thing: Thing, _: Trial) -> float | None:
    return thing.volume


def _reach(thing: Thing, trial: Trial) -> float | None:
    eye = trial.subject.views[0].position if trial.subject.views else None
    if eye is None or thing.middle is None or trial.subject.task == _ASKS_NEARNESS:
        return None
    return float(np.linalg.norm(thing.middle - eye))


@guess("larger_thing", "the option whose thing has the larger box")
def _larger(trials: Sequence[Trial]) -> Guessed:
    return [_extreme(_by_option(trial, _volume), largest=True) for trial in trials]


@guess("smaller_thing", "the option whose thing has the smaller box")
def _smaller(trials: Sequence[Trial]) -> Guessed:
    return [_extreme(_by_option(trial, _volume), largest=False) for trial in trials]


@guess("nearer_thing", "the option whose thing is nearer to the first camera")
def _nearer(trials: Sequence[Trial]) -> Guessed:
    return [_extreme(_by_option(trial, _reach), largest=False) for trial in trials]


@guess("farther_thing", "the option whose thing is farther from the first camera")
def _farther(trials: Sequence[Trial]) -> Guessed:
    return [_extreme(_by_option(trial, _reach), largest=True) for trial in trials]


def _split(trials: Sequence[Trial], measure: Callable[[Trial], float | None]) -> Guessed:
    """A threshold on a measure, each side with its own commonest answer, learnt on other folds."""
    values = [measure(trial) for trial in trials]
    found: Guessed = [None] * len(trials)
    if len({plain(o) for t in trials for o in t.options}) > 8:
        return found
    for fold in range(_FOLDS):
        known = [
            (value, _text(trial, min(trial.right)))
            for number, (value, trial) in enumerate(zip(values, trials, strict=True))
            if number % _FOLDS != fold and value is not None
        ]
        if len(known) < 10:
            continue
        known.sort()
        names = sorted({name for _, name in known})
        hot = np.array([[name == other for other in names] for _, name in known], dtype=np.int64)
        below = np.cumsum(hot, axis=0)
        above = below[-1] - below
        right = below.max(axis=1) + above.max(axis=1)
        cut = int(np.argmax(right[:-1]))
        threshold = 0.5 * (known[cut][0] + known[cut + 1][0])
        sides = (names[int(np.argmax(below[cut]))], names[int(np.argmax(above[cut]))])
        for number in range(fold, len(trials), _FOLDS):
            value, trial = values[number], trials[number]
            if value is None:
                continue
            texts = [_text(trial, k) for k in range(len(trial.options))]
            side = sides[int(value > threshold)]
            found[number] = texts.index(side) if side in texts else None
    return found


def _main(trial: Trial) -> Thing | None:
    """The smallest thing of the question, else the first."""
    things = [t for t in trial.subject.things if t.role in ("question", "holder")]
    sized = [(t.volume, k) for k, t in enumerate(things) if t.volume is not None]
    if sized:
        return things[min(sized)[1]]
    return things[0] if things else None


def _size_ratio(trial: Trial) -> float | None:
    volumes = [t.volume for t in trial.subject.things if t.role in ("question", "holder")]
    known = [volume for volume in volumes if volume]
    return max(known) / min(known) if len(known) > 1 else None


def _size(trial: Trial) -> float | None:
    thing = _main(trial)
    return None if thing is None else thing.volume


def _turn(trial: Trial) -> float | None:
    thing = _main(trial)
    if thing is None or thing.orientation is None:
        return None
    x, y, z, w = thing.orientation
    return float(np.degrees(np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))))


def _height(trial: Trial) -> float | None:
    thing = _main(trial)
    return None if thing is None or thing.middle is None else float(thing.middle[2])


def _camera_distance(trial: Trial) -> float | None:
    thing = _main(trial)
    return None if thing is None else _reach(thing, trial)


def _camera_heading(trial: Trial) -> float | None:
    view = trial.subject.views[0] if trial.subject.views else None
    if view is None or view.orientation is None:
        return None
    x, y, z, w = view.orientation
    # The camera looks along its -Z.
    return float(np.degrees(np.arctan2(-2 * (y * z - w * x), -2 * (x * z + w * y))))


def _things_there(trial: Trial) -> float | None:
    number = len(trial.subject.things)
    return float(number) if number and not trial.subject.task.startswith("enumerative") else None


@guess("by_size", "a threshold on the size of the smallest thing")
def _by_size(trials: Sequence[Trial]) -> Guessed:
    return _split(trials, _size)


@guess("by_size_ratio", "a threshold on the ratio of the largest to the smallest thing")
def _by_size_ratio(trials: Sequence[Trial]) -> Guessed:
    return _split(trials, _size_ratio)


@guess("by_turn", "a threshold on the turn of a thing about the vertical")
def _by_turn(trials: Sequence[Trial]) -> Guessed:
    return _split(trials, _turn)


@guess("by_height", "a threshold on the height of a thing")
def _by_height(trials: Sequence[Trial]) -> Guessed:
    return _split(trials, _height)


@guess("by_camera_distance", "a threshold on the distance from the first camera")
def _by_camera_distance(trials: Sequence[Trial]) -> Guessed:
    return _split(trials, _camera_distance)


@guess("by_camera_heading", "a threshold on where the first camera looks")
def _by_camera_heading(trials: Sequence[Trial]) -> Guessed:
    return _split(trials, _camera_heading)


@guess("by_number_of_things", "a threshold on how many things there are")
def _by_number(trials: Sequence[Trial]) -> Guessed:
    return _split(trials, _things_there)
