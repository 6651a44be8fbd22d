"""Reads one action, or one answer, out of what a model wrote; never guesses.

The paper (appendix N) asks for exactly one next action of the vocabulary. Formatting is forgiven:
fences, quotes, labels, lists, JSON, letter case, hyphens, full-width characters, one wrong letter.
Content is not: two actions, an action named only in the reasoning, an object that could be two, a
confidence outside 0 to 1. Whoever gets a ``reason`` instead of an action asks once more and then
lets the step pass.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from esi_fast.records import ActionRecord
from esi_fast.sim.actions import ACTIONS, action, answer_action

__all__ = ["REASONS", "Parsed", "Reason", "option_index", "parse_reply", "read_count", "same_text"]

Reason: TypeAlias = Literal[
    "empty",
    "truncated",
    "refusal",
    "multiple_actions",
    "invalid_action",
    "malformed_object",
    "malformed_answer",
]

REASONS: Final[Mapping[Reason, str]] = {
    "empty": "the reply is empty",
    "truncated": "the reply ends before its action does",
    "refusal": "the reply declines instead of acting",
    "multiple_actions": "the reply holds more than one action, exactly one is expected",
    "invalid_action": "the reply holds no action of the vocabulary",
    "malformed_object": "an object is missing, unknown, or could be more than one",
    "malformed_answer": "answer(y, c) needs a text y and a confidence c from 0 to 1",
}


@dataclass(frozen=True)
class Parsed:
    """``action``, or ``None`` with the ``reason``; ``detail`` is what the reason is about."""

    action: ActionRecord | None
    reason: Reason | None = None
    detail: str = ""

    @property
    def complaint(self) -> str:
        """What to tell the model; empty if nothing is wrong."""
        if self.reason is None:
            return ""
        return REASONS[self.reason] + (f": {self.detail}" if self.detail else "")


class _Refused(Exception):
    """Carries the reason out of the depths of a reply."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(reason)
        self.parsed = Parsed(None, reason, detail)


class _Call(NamedTuple):
    """An action as it was written: ``args`` before objects and numbers are looked up."""

    name: str
    args: tuple[str, ...]


# --- texts -----------------------------------------------------------------------------------

_QUOTES: Final = str.maketrans("“”„‟«»‘’‚‛`´−‐‑‒–—", "\"\"\"\"\"\"''''''------")
# Of an endless reply the end is read, and no more brackets than sense can have.
_MOST_CHARACTERS: Final = 100_000
_MOST_BRACKETS: Final = 1000


def _plain(text: str) -> str:
    """One spelling for characters that look alike; invisible ones are gone."""
    text = unicodedata.normalize("NFKC", text).translate(_QUOTES)
    return "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cf", "Cc"))


def _bare(text: str) -> str:
    """Without what surrounds a word: spaces, quotes, full stops, brackets, stars of markdown."""
    return text.strip(" \t\n\"'.,;:!?*_()[]{}<>#|")


def same_text(a: str, b: str) -> bool:
    """Whether two texts say the same, letter case, composition and outer marks aside."""
    return _words(a) == _words(b)


def _words(text: str) -> str:
    return " ".join(_bare(_plain(text)).casefold().split())


# --- the vocabulary in running text ----------------------------------------------------------


def _spelled(name: str) -> str:
    return r"[\s_-]+".join(re.escape(word) for word in name.split("_"))


# Longer names first, or "put on" would hide in something longer one day.
_NAMES: Final = sorted(ACTIONS, key=lambda name: (-len(name), name))
_NAME: Final = re.compile(
    r"(?<![\w-])(?:" + "|".join(f"({_spelled(name)})" for name in _NAMES) + r")(?![\w-])",
    re.IGNORECASE,
)
# These are words of everyday language: alone they are actions only if nothing else is written.
_EVERYDAY: Final = frozenset(name for name in ACTIONS if "_" not in name)
_THINK: Final = re.compile(r"</?(?:think|thinking|reasoning|scratchpad)>", re.IGNORECASE)
_LABEL: Final = re.compile(r"^[\s*_>#-]*(?:next\s+)?action[\s*_]*:", re.IGNORECASE | re.MULTILINE)
_LIST: Final = re.compile(r"^\s*(?:[-*+•]|\d{1,2}[.)])\s+")
_TIMES: Final = re.compile(
    r"\s*\(?(?:[x×*]\s*\d+|\d+\s*(?:x\b|×|times)|twice|thrice)", re.IGNORECASE
)
_REFUSAL: Final = re.compile(
    r"\b(?:cannot|can ?not|can't|unable|not able|sorry|won't|refuse)\b", re.IGNORECASE
)
_WRAPPER: Final = re.compile(r"\\(?:boxed|text|texttt|mathrm)\s*\{([^{}]*)\}")


def parse_reply(raw: str | None, objects: Mapping[str, str]) -> Parsed:
    """The one action in a model's reply.

    ``objects`` are the handles that may be named, each with its category (or ``""``): a category
    names its object where only one has it. Nothing is raised, whatever ``raw`` holds.
    """
    try:
        text = _visible(raw)
        call = _from_json(text)
        return Parsed(_checked(call or _from_text(text), objects))
    except _Refused as refused:
        return refused.parsed


def _visible(raw: str | None) -> str:
    """The reply proper: what follows the reasoning, in plain characters."""
    text = _plain((raw or "")[-_MOST_CHARACTERS:])
    if not text.strip():
        raise _Refused("empty")
    tags = list(_THINK.finditer(text))
    if tags and not tags[-1][0].startswith("</"):
        raise _Refused("truncated", "the reasoning does not end")
    if tags:
        text = text[tags[-1].end() :]
        if not text.strip():
            raise _Refused("empty", "nothing follows the reasoning")
    return _WRAPPER.sub(r"\1", text).strip()


# --- replies in JSON -------------------------------------------------------------------------

_ARGUMENTS: Final = ("object", "objects", "x", "target", "container", "y", "args", "arguments",
                     "parameters", "params", "value", "answer", "confidence", "c")  # fmt: skip


def _from_json(text: str) -> _Call | None:
    """The action of the only object with one; ``None`` where the reply is not JSON."""
    found = [value for value in _json_objects(text) if "action" in value]
    if len(found) > 1:
        raise _Refused("multiple_actions", "more than one JSON object with an action")
    if not found:
        if re.search(r"\{[^{}]*[\"']action[\"']\s*:", text):
            raise _Refused("truncated", "a JSON object does not end")
        return None
    siblings = {key: value for key, value in found[0].items() if key != "action"}
    value = found[0]["action"]
    if isinstance(value, list):
        if len(value) != 1:
            reason: Reason = "multiple_actions" if value else "invalid_action"
            raise _Refused(reason, f"a list of {len(value)} actions")
        value = value[0]
    if isinstance(value, dict):
        siblings = {key: item for key, item in value.items() if key not in _NAMES_OF_NAME}
        value = next((value[key] for key in _NAMES_OF_NAME if key in value), None)
    if not isinstance(value, str):
        raise _Refused("invalid_action", f"action: expected a text, got {type(value).__name__}")
    name = _exact_name(_bare(value))
    if name is None or not ACTIONS[name].params:
        return _from_text(value)
    return _Call(name, tuple(_json_arguments(siblings)))


_NAMES_OF_NAME: Final = ("name", "action", "type", "function", "tool")


def _json_objects(text: str) -> Iterator[dict[str, Any]]:
    """The objects that a reply holds, side by side, amid whatever else is written."""
    decoder = json.JSONDecoder()
    if "{'" in text and '"' not in text:
        text = text.replace("'", '"')
    at = text.find("{")
    for _ in range(_MOST_BRACKETS):
        if at < 0:
            return
        try:
            value, end = decoder.raw_decode(text, at)
        except json.JSONDecodeError:
            end = at + 1
        except RecursionError:
            return
        else:
            if isinstance(value, dict):
                yield value
        at = text.find("{", end)


def _json_arguments(fields: Mapping[str, Any]) -> Iterator[str]:
    """Values of the fields that hold arguments, in the order of the vocabulary's signatures."""
    for key in _ARGUMENTS:
        value = fields.get(key)
        if isinstance(value, dict):
            yield from _json_arguments(value)
        elif isinstance(value, list):
            yield from (str(item) for item in value)
        elif value is not None:
            yield str(value)


# --- replies in words ------------------------------------------------------------------------


def _from_text(text: str) -> _Call:
    labels = list(_LABEL.finditer(text))
    if labels:
        # What is labelled as the action is it; reasons may mention others.
        lines = [text[label.end() :].split("\n", 1)[0] for label in labels]
        text = "\n".join(line for line in lines if line.strip()) or text
    text = _LIST.sub("", text.strip())
    calls = list(_calls(text))
    if len(calls) > 1:
        names = ", ".join(call.name for call in calls)
        raise _Refused("multiple_actions", names)
    if calls:
        return calls[0]
    alone = _alone(text)
    if alone is not None:
        return alone
    if _REFUSAL.search(text):
        raise _Refused("refusal")
    raise _Refused("invalid_action", _bare(text)[:60])


def _calls(text: str) -> Iterator[_Call]:
    """The actions that are written out in a text, each with what stands in its brackets."""
    at = 0
    while (match := _NAME.search(text, at)) is not None:
        name = _NAMES[(match.lastindex or 1) - 1]
        at = match.end()
        opening = re.compile(r"\s*\(").match(text, at)
        spec = ACTIONS[name]
        if opening is not None:
            inner, at = _bracketed(text, opening.end())
            yield _Call(name, tuple(_arguments(inner)))
        elif not spec.params:
            yield _Call(name, ())
        elif name not in _EVERYDAY:
            rest = text[at:].split("\n", 1)[0]
            if _bare(text[: match.start()]):
                yield _Call(name, ())
            else:
                at += len(rest)
                yield _Call(name, tuple(_arguments(rest)))
        else:
            continue
        if _TIMES.match(text, at):
            raise _Refused("multiple_actions", f"{name} more than once")


def _bracketed(text: str, start: int) -> tuple[str, int]:
    """What stands between the bracket before ``start`` and its partner, and where that ends."""
    depth, quote = 1, ""
    for at in range(start, len(text)):
        c = text[at]
        if quote:
            quote = "" if c == quote else quote
        elif c == '"' or (c == "'" and not text[at - 1].isalnum()):
            quote = c
        elif c in "()":
            depth += 1 if c == "(" else -1
            if depth == 0:
                return text[start:at], at + 1
    raise _Refused("truncated", "a bracket does not close")


def _arguments(inner: str) -> Iterator[str]:
    """Arguments between commas, quotes and keywords taken off; none for an empty text."""
    if not inner.strip():
        return
    parts, depth, quote = [""], 0, ""
    for at, c in enumerate(inner):
        if quote:
            quote = "" if c == quote else quote
        elif c == '"' or (c == "'" and not inner[at - 1 : at].isalnum()):
            quote = c
        elif c in "()":
            depth += 1 if c == "(" else -1
        elif c == "," and depth == 0:
            parts.append("")
            continue
        parts[-1] += c
    for part in parts:
        value = re.sub(r"^\s*[a-z_]+\s*=(?!=)", "", part, flags=re.IGNORECASE).strip()
        if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
            value = value[1:-1].strip()
        yield value


def _exact_name(text: str) -> str | None:
    wanted = re.sub(r"[\s_-]+", "_", text.casefold())
    return wanted if wanted in ACTIONS else None


def _alone(text: str) -> _Call | None:
    """An everyday word with its object and nothing else, or a name with one letter wrong."""
    head, bracket, rest = text.strip().partition("(")
    if not bracket:
        head, _, rest = text.strip().partition(" ")
        name = _exact_name(_bare(head))
        # "open box_1" is a call; "answer yes" is not: an answer has brackets.
        if name in _EVERYDAY and name != "answer" and rest and len(rest.split()) <= 3:
            return _Call(str(name), tuple(_arguments(rest.rstrip("."))))
        head, rest = text, ""
    written = re.sub(r"[\s_-]+", "_", _bare(head).casefold())
    near = [name for name in ACTIONS if _one_edit(written, name)]
    if len(near) != 1:
        return None
    inner = _bracketed(text, text.index("(") + 1)[0] if bracket else rest
    return _Call(near[0], tuple(_arguments(inner)))


def _one_edit(a: str, b: str) -> bool:
    """Whether one letter put in, left out or changed makes ``b`` of ``a``."""
    if abs(len(a) - len(b)) > 1 or min(len(a), len(b)) < 4:
        return False
    at = next((k for k, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), None)
    if at is None:
        return len(a) != len(b)
    return a[at + 1 :] == b[at + 1 :] or a[at + 1 :] == b[at:] or a[at:] == b[at + 1 :]


# --- arguments -------------------------------------------------------------------------------


def _checked(call: _Call, objects: Mapping[str, str]) -> ActionRecord:
    spec = ACTIONS[call.name]
    if spec.kind == "answer":
        return _answer(call)
    if not spec.params:
        if call.args:
            raise _Refused("invalid_action", f"{call.name} takes no arguments")
        return action(call.name)
    least = len(spec.params) - spec.optional
    if not least <= len(call.args) <= len(spec.params):
        raise _Refused("malformed_object", f"{spec.signature}, got {len(call.args)} arguments")
    return action(call.name, *(_handle(text, objects) for text in call.args))


def _handle(text: str, objects: Mapping[str, str]) -> str:
    wanted = " ".join(_bare(text).casefold().split())
    same = [handle for handle in objects if handle.casefold() == wanted]
    if not same:
        kind = re.sub(r"^(?:the|a|an)\s+", "", wanted)
        same = [handle for handle, category in objects.items() if category.casefold() == kind]
    if len(same) != 1 or not wanted:
        raise _Refused("malformed_object", f"{text!r} names {len(same) or 'no'} objects")
    return same[0]


_NUMBER: Final = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?", re.IGNORECASE)


def _answer(call: _Call) -> ActionRecord:
    if len(call.args) < 2:
        raise _Refused("malformed_answer", f"got {len(call.args)} arguments")
    text, last = ", ".join(call.args[:-1]).strip(), call.args[-1].strip()
    share = last.removesuffix("%").strip()
    if not text or not _NUMBER.fullmatch(share):
        raise _Refused("malformed_answer", f"answer {text!r} with confidence {last!r}")
    confidence = float(share) / (100.0 if last.endswith("%") else 1.0)
    # Not clamped: that would invent full confidence.
    if not 0.0 <= confidence <= 1.0:
        raise _Refused("malformed_answer", f"confidence {last}")
    return answer_action(text, confidence)


# --- answers and options ---------------------------------------------------------------------

# "answer is B", "option (b)", "Final answer: D".
_STATED: Final = re.compile(
    r"\b(final\s+)?(?:answer|option|choice)\b(?:\s+is)?\s*[:=]?\s*\(?([A-Za-z])\b\)?",
    re.IGNORECASE,
)
_NEGATION: Final = re.compile(r"\b(?:not|no|never|neither|nor|none|cannot)\b|n't\b", re.IGNORECASE)
_COUNTS: Final = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    *("nineteen", "twenty"),
)


def option_index(options: Sequence[str], text: str) -> int | None:
    """Which option a text names: its own text, its letter, or one of them in a sentence.

    Letters are those of the positions, empty options included. ``None`` where the text names
    none, or more than one, or says what it is not.
    """
    plain = _plain(text).strip()
    wanted = _words(plain)
    texts = [_words(option) for option in options]
    exact = [k for k, option in enumerate(texts) if option and option == wanted]
    if exact:
        return exact[0] if len(exact) == 1 else None
    if len(wanted) == 1 and wanted.isalpha():
        return _lettered(options, wanted)
    stated = [match for match in _STATED.finditer(plain) if not _is_article(match, plain)]
    final = [match for match in stated if match[1]] or stated
    letters = {match[2].casefold() for match in final}
    if letters:
        return _lettered(options, letters.pop()) if len(letters) == 1 else None
    # "no - nothing touches": the answer, then the reason.
    opening = re.match(r"\s*([^\W_]+(?: [^\W_]+)*?)\s*(?:[-,.;:!]|$)", plain)
    if opening is not None and _words(opening[1]) in texts:
        return texts.index(_words(opening[1]))
    if _NEGATION.search(plain):
        return None
    return _mentioned(texts, wanted)


def _is_article(match: re.Match[str], text: str) -> bool:
    """ "The answer is a chair": a small letter before another word is a word of its own."""
    follows = re.match(r"\s+\w", text[match.end() :])
    return match[2] in "ai" and follows is not None


def _lettered(options: Sequence[str], letter: str) -> int | None:
    place = ord(letter) - ord("a")
    return place if 0 <= place < len(options) and options[place].strip() else None


def _mentioned(options: Sequence[str], text: str) -> int | None:
    """The only option whose words stand in the text, those within a longer one left out."""
    spans: list[tuple[int, int, int]] = []
    for k, option in enumerate(options):
        if option:
            pattern = rf"(?<!\w){re.escape(option)}(?!\w)"
            spans += [(m.start(), m.end(), k) for m in re.finditer(pattern, text)]
    found = {
        k
        for start, end, k in spans
        if not any(a <= start and end <= b and b - a > end - start for a, b, _ in spans)
    }
    return found.pop() if len(found) == 1 else None


def read_count(value: str | int | float) -> int | None:
    """The one whole number that a value or a text names, in digits or words up to twenty."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return int(value) if float(value).is_integer() else None
    words = _words(value)
    numbers = {int(digits) for digits in re.findall(r"(?<![\w.])\d{1,9}(?![\w]|\.\d)", words)}
    numbers |= {_COUNTS.index(word) for word in re.findall(r"[a-z]+", words) if word in _COUNTS}
    return numbers.pop() if len(numbers) == 1 else None
