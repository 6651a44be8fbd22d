"""Reads the questions that ESI-Bench has published, as they are and as they are meant.

The release is a folder of JSON files, one question each, or the same rows in one ``.jsonl`` or
``.jsonl.xz`` file. Options and answers come in a dozen forms that often disagree with each other
(``left`` against two category names, ``random triangle`` against ``random``, ``Yes`` against
``yes``). Here every question becomes *slots* (the things to fill in), each with its options, and
the accepted fillings as option numbers. The row itself is kept untouched.

The files are untrusted: a row that is truncated, foreign or wrong becomes a ``BadRow`` that names
row and field, and the reading goes on. Sizes and nesting are limited; nothing is evaluated.
"""

from __future__ import annotations

import difflib
import json
import lzma
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias, TypeGuard

from esi_fast._files import os_errors
from esi_fast.errors import RecordError
from esi_fast.records import AnswerType

__all__ = [
    "COLUMNS",
    "SUBCATEGORIES",
    "BadKind",
    "BadRow",
    "OfficialQuestion",
    "OfficialRelease",
    "Option",
    "Slot",
    "iter_official",
    "parse_row",
    "read_official",
    "restore_dicts",
]

Json: TypeAlias = Any

# The columns of the release; ``source_path`` is added by whoever merges the files into one.
COLUMNS: Final = (
    "id",
    "big_task",
    "small_task",
    "runner_task",
    "scene",
    "room",
    "question",
    "answer",
    "answer_type",
    "options_json",
    "image_paths_json",
    "metadata_json",
)

_TASKS: Final[Mapping[str, Mapping[str, str]]] = {
    "Perceptual Grounding": {
        "View Hallucination": "view_hallucination",
        "Partial Occlusion": "partial_occlusion",
        "Material Transparency": "material_transparency",
    },
    "Physical Structure": {
        "Rigid Containment": "rigid_containment",
        "Liquid Volume": "liquid_volume",
        "Deformable": "deformable",
    },
    "Physical Dynamics": {
        "Inclined Plane": "inclined_plane",
        "Stacking & Stability": "stacking_stability",
    },
    "Specular Reflection": {
        "Reflection Authoring": "reflection_authoring",
        "Spatial Relations": "spatial_relations",
        "Correspondence": "correspondence",
    },
    "Spatial Relations": {
        "Linear Alignment": "linear_alignment",
        "Geometric Configuration": "geometric_configuration",
        "Physical Contact": "physical_contact",
    },
    "Metric Comparison": {
        "Dimensional Size": "dimensional_size",
        "Spatial Distance": "spatial_distance",
    },
    "Cognitive Mapping": {
        "Connectivity": "connectivity",
        "Traversable Passage": "traversable_passage",
        "Regional Boundary": "regional_boundary",
        "Long-Term Navigation": "long_term_navigation",
    },
    "Enumerative Perception": {
        "Counting w Occlusion": "counting_occlusion",
        "Spatial Segmentation": "spatial_segmentation",
        "Merged Observation": "merged_observation",
        "Category Ambiguity": "category_ambiguity",
        "Structural Enclosure": "structural_enclosure",
        "Illumination Variability": "illumination_variability",
    },
    "Temporal Understanding": {
        "Unobserved Change": "unobserved_change",
        "Agent Observation": "agent_observation",
    },
    "Action Sequencing": {
        "Action Order Inference": "action_order_inference",
    },
}

# (big_task, small_task) -> our id. Both are needed: "Spatial Relations" is a small task of the
# mirrors and a big task of its own.
SUBCATEGORIES: Final[Mapping[tuple[str, str], str]] = MappingProxyType(
    {
        (big, small): f"{big.lower().replace(' ', '_')}/{name}"
        for big, names in _TASKS.items()
        for small, name in names.items()
    }
)

# Limits for untrusted input. The release's longest row has 0.8 MB, its deepest metadata 11 levels.
_MAX_ROW = 16 * 1024 * 1024
_MAX_ROWS = 1_000_000
_MAX_DEPTH = 64
_MAX_OPTIONS = 1000
_XZ_MEMORY = 256 * 1024 * 1024
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Option:
    """One option: the id it is shown with (its letter, or its number from 1) and its text."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Slot:
    """One thing to fill in: ``name`` is empty when it is the only one."""

    name: str
    options: tuple[Option, ...]


BadKind: TypeAlias = Literal[
    "unreadable",
    "truncated",
    "not JSON",
    "not xz",
    "raw record",
    "missing field",
    "renamed field",
    "unknown subcategory",
    "wrong value",
]


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row that could not be read: its number (from 1), where it came from, which field, why.

    ``kind`` is what sort of fault it is, for counting.
    """

    row: int
    source: str
    field: str
    message: str
    kind: BadKind = "unreadable"

    def __str__(self) -> str:
        return f"{self.source}:{self.row}: {self.field}: {self.message}"


@dataclass(frozen=True, slots=True)
class OfficialQuestion:
    """One published question.

    ``answers`` are the accepted fillings, each with one option number (from 0) per slot; there is
    one, except for stacking orders. ``answer_type`` is the meaning, not the column of that name:

    - ``choice``: one slot
    - ``count``: one slot whose options are numbers
    - ``sequence``: a slot per blank of the text, named "1", "2", ...
    - ``assignment``: a slot per object (or per letter), all filled from options
    - ``order``: a slot per position, bottom first; each item is an option of each

    ``notes`` say where the row's own forms disagreed. ``raw`` is the row as it was read.
    """

    row: int
    source: str
    id: str
    task: str
    scene: str
    room: str
    text: str
    answer_type: AnswerType
    slots: tuple[Slot, ...]
    answers: tuple[tuple[int, ...], ...]
    images: tuple[str, ...]
    notes: tuple[str, ...]
    raw: Mapping[str, Json]

    @property
    def answer_texts(self) -> tuple[tuple[str, ...], ...]:
        """The accepted fillings as option texts."""
        return tuple(
            tuple(slot.options[i].text for slot, i in zip(self.slots, answer, strict=True))
            for answer in self.answers
        )

    @property
    def content(self) -> str:
        """All that the row says, without its id and place: equal for exact duplicates."""
        kept = {name: self.raw[name] for name in COLUMNS if name != "id"}
        return json.dumps(kept, sort_keys=True, ensure_ascii=False)

    def metadata(self) -> dict[str, Json]:
        """The metadata with its flattened dicts restored; parsed at each call.

        Raises ``RecordError`` that names the row.
        """
        try:
            value = restore_dicts(_json_of(self.raw["metadata_json"]))
        except _WrongError as error:
            raise RecordError(f"{self.source}:{self.row}: metadata_json: {error}") from error
        if not isinstance(value, dict):
            raise RecordError(f"{self.source}:{self.row}: metadata_json: expected an object")
        return value


@dataclass(frozen=True, slots=True)
class OfficialRelease:
    """All rows of a release. ``duplicates`` are groups of row numbers with equal content."""

    questions: tuple[OfficialQuestion, ...]
    bad: tuple[BadRow, ...]
    duplicates: tuple[tuple[int, ...], ...]

    @property
    def distinct(self) -> tuple[OfficialQuestion, ...]:
        """The questions without the later ones of each group of duplicates."""
        dropped = {row for group in self.duplicates for row in group[1:]}
        return tuple(q for q in self.questions if q.row not in dropped)


class _WrongError(ValueError):
    """What is wrong with a field; becomes a ``BadRow``."""

    def __init__(self, message: str, field: str = "", kind: BadKind = "wrong value") -> None:
        super().__init__(message)
        self.field = field
        self.kind: BadKind = kind


# --- JSON from strangers -------------------------------------------------------------------------


def _no_constant(name: str) -> Json:
    raise ValueError(f"{name} is not JSON")


def _json_of(text: Json) -> Json:
    """The value of a column of JSON text (or one that holds the value itself)."""
    if not isinstance(text, str):
        return text
    try:
        return json.loads(text, parse_constant=_no_constant)
    except RecursionError:
        raise _WrongError("nested too deeply") from None
    except json.JSONDecodeError as error:
        # What is broken off goes wrong at its end, or in a text that never ends.
        broken = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string")
        kind: BadKind = "truncated" if broken else "not JSON"
        raise _WrongError(f"not JSON: {_short(str(error))}", kind=kind) from None
    except ValueError as error:
        raise _WrongError(f"not JSON: {_short(str(error))}", kind="not JSON") from None


def restore_dicts(value: Json, _depth: int = 0) -> Json:
    """Turn the release's flattened dicts back into dicts, at every level.

    A list of objects that all have a ``_key`` becomes a dict by that key. An entry with only a
    ``value`` beside ``_key`` and ``_indices`` gives that value, any other one its other fields.
    ``_indices`` repeat the numbers in the key and are dropped. Raises ``ValueError`` for a key
    that is not text or occurs twice, and for more than 64 levels.
    """
    if _depth > _MAX_DEPTH:
        raise _WrongError(f"nested deeper than {_MAX_DEPTH} levels")
    if isinstance(value, dict):
        return {name: restore_dicts(item, _depth + 1) for name, item in value.items()}
    if not isinstance(value, list):
        return value
    if not value or not all(isinstance(item, dict) and "_key" in item for item in value):
        return [restore_dicts(item, _depth + 1) for item in value]
    restored: dict[str, Json] = {}
    for item in value:
        key = item["_key"]
        if not isinstance(key, str) or key in restored:
            raise _WrongError(f"_key: expected a text of its own, got {_short(repr(key))}")
        rest = {name: item[name] for name in item if name not in ("_key", "_indices")}
        restored[key] = restore_dicts(rest["value"] if set(rest) == {"value"} else rest, _depth + 1)
    return restored


def _short(text: str, length: int = 80) -> str:
    text = " ".join(text.split())
    return text if len(text) <= length else text[: length - 3] + "..."


# --- options and answers -------------------------------------------------------------------------


def _plain(text: str) -> str:
    """For comparing texts: case, underscores and runs of spaces do not matter."""
    return " ".join(text.replace("_", " ").split()).casefold()


def _text_of(value: Json) -> str:
    if isinstance(value, str):
        text = value
    elif isinstance(value, int) and not isinstance(value, bool):
        text = str(value)
    else:
        raise _WrongError(f"expected a text or a whole number, got {_short(repr(value))}")
    if not text.strip():
        raise _WrongError("expected a text, got an empty one")
    return text


def _options_of(value: Json) -> tuple[Option, ...]:
    """Options of one slot from a list of texts, of ``{option_id, text}``, or a dict by letter.

    A letter with an empty text is no option; the others keep their letters.
    """
    if isinstance(value, dict):
        options = tuple(
            Option(name, _text_of(item)) for name, item in value.items() if item not in ("", None)
        )
    elif isinstance(value, list):
        found = []
        for number, item in enumerate(value, start=1):
            if isinstance(item, dict):
                if set(item) != {"option_id", "text"}:
                    raise _WrongError(f"option {number}: expected option_id and text")
                found.append(Option(_text_of(item["option_id"]), _text_of(item["text"])))
            else:
                found.append(Option(str(number), _text_of(item)))
        options = tuple(found)
    else:
        raise _WrongError(f"expected a list or an object, got {_short(repr(value))}")
    if not 1 <= len(options) <= _MAX_OPTIONS:
        raise _WrongError(f"expected 1 to {_MAX_OPTIONS} options, got {len(options)}")
    if len({option.id for option in options}) != len(options):
        raise _WrongError("an option id occurs twice")
    return options


def _find(text: Json, options: Sequence[Option], notes: list[str]) -> int:
    """The number of the option that an answer names; notes what had to be overlooked."""
    answer = _text_of(text)
    texts = [option.text for option in options]
    plain = [_plain(item) for item in texts]
    if answer in texts:
        found = texts.index(answer)
    elif _plain(answer) in plain:
        found = plain.index(_plain(answer))
        notes.append(f"answer {answer!r} is written {texts[found]!r} among the options")
    elif answer in (letters := [option.id for option in options if option.id.isalpha()]):
        found = [option.id for option in options].index(answer)
        notes.append(f"answer {answer!r} is the letter of {texts[found]!r}, one of {letters}")
    else:
        raise _WrongError(f"{_short(repr(answer))} is none of {_short(repr(texts), 200)}", "answer")
    if plain.count(plain[found]) > 1:
        notes.append(f"option {texts[found]!r} occurs more than once")
    return found


_Filled: TypeAlias = tuple[AnswerType, tuple[Slot, ...], tuple[tuple[int, ...], ...]]


def _single(answer: Json, options: Json, notes: list[str]) -> _Filled:
    slot = Slot("", _options_of(options))
    return "choice", (slot,), ((_find(answer, slot.options, notes),),)


def _count(answer: Json, options: Json, notes: list[str]) -> _Filled:
    _, slots, answers = _single(answer, options, notes)
    for option in slots[0].options:
        if not re.fullmatch(r"\d{1,6}", option.text):
            raise _WrongError(f"expected numbers, got {_short(repr(option.text))}", "options_json")
    return "count", slots, answers


def _left_right(answer: Json, options: Json, notes: list[str]) -> _Filled:
    """Options are what stands left and right, in this order; the answer may name the side."""
    slot = Slot("", _options_of(options))
    side = {"left": 0, "right": 1}.get(_plain(_text_of(answer)))
    if side is None or len(slot.options) != 2:
        return _single(answer, options, notes)
    notes.append(f"answer {answer!r} is the side of {slot.options[side].text!r}")
    return "choice", (slot,), ((side,),)


def _triangle(answer: Json, options: Json, notes: list[str]) -> _Filled:
    text = _text_of(answer)
    if text.endswith(" triangle"):
        filled = _single(text.removesuffix(" triangle"), options, notes)
        notes.append(f"answer {text!r} is written without 'triangle' among the options")
        return filled
    return _single(text, options, notes)


def _blanks(answer: Json, options: Json, notes: list[str]) -> _Filled:
    """A list of options per blank; the answer joins its parts with bars."""
    if not isinstance(options, list) or not 1 <= len(options) <= _MAX_OPTIONS:
        raise _WrongError("expected a list of options for each blank", "options_json")
    slots = tuple(Slot(str(n), _options_of(item)) for n, item in enumerate(options, start=1))
    parts = [part.strip() for part in _text_of(answer).split("|")]
    if len(parts) != len(slots):
        raise _WrongError(f"{len(parts)} parts for {len(slots)} blanks", "answer")
    found = tuple(_find(p, s.options, notes) for p, s in zip(parts, slots, strict=True))
    return "sequence", slots, (found,)


def _letters(answer: Json, options: Json, notes: list[str]) -> _Filled:
    """Options by letter, the answer an object with ``answer_<letter>``."""
    answer = _json_of(answer)
    if not isinstance(options, dict) or not options:
        raise _WrongError("expected an object of options by letter", "options_json")
    if not isinstance(answer, dict) or set(answer) != {f"answer_{name}" for name in options}:
        raise _WrongError(f"expected an object with one answer for each of {sorted(options)}")
    slots = tuple(Slot(name, _options_of(item)) for name, item in options.items())
    found = tuple(_find(answer[f"answer_{s.name}"], s.options, notes) for s in slots)
    return "assignment", slots, (found,)


def _assignment(answer: Json, options: Json, notes: list[str]) -> _Filled:
    """Which container for each object: one text, or an object by object (maybe flattened)."""
    if isinstance(answer, str) and answer.lstrip()[:1] not in ("[", "{"):
        return _single(answer, options, notes)
    answer = restore_dicts(_json_of(answer))
    if not isinstance(answer, dict) or not 1 <= len(answer) <= _MAX_OPTIONS:
        raise _WrongError("expected a container by object", "answer")
    containers = _options_of(options)
    slots = tuple(Slot(name, containers) for name in answer)
    notes.append("answer is an object by object, the options are the containers")
    return "assignment", slots, (tuple(_find(v, containers, notes) for v in answer.values()),)


def _orders(answer: Json, options: Json, notes: list[str]) -> _Filled:
    """The options are the items, the answer a list of the orders that are accepted."""
    items = _options_of(options)
    orders = _json_of(answer)
    if not isinstance(orders, list) or not 1 <= len(orders) <= _MAX_OPTIONS:
        raise _WrongError("expected a list of orders", "answer")
    slots = tuple(Slot(str(n), items) for n in range(1, len(items) + 1))
    found = []
    for order in orders:
        if not isinstance(order, list) or len(order) != len(items):
            raise _WrongError(f"expected orders of {len(items)} items", "answer")
        places = tuple(_find(item, items, notes) for item in order)
        if len(set(places)) != len(places):
            raise _WrongError(f"an item occurs twice in {_short(repr(order))}", "answer")
        found.append(places)
    notes.append("answer is a list of orders, the options are the items")
    return "order", slots, tuple(dict.fromkeys(found))


_SPECIAL: Final[Mapping[str, Callable[[Json, Json, list[str]], _Filled]]] = {
    "physical_structure/liquid_volume": _left_right,
    "physical_structure/rigid_containment": _assignment,
    "physical_dynamics/stacking_stability": _orders,
    "spatial_relations/geometric_configuration": _triangle,
    "cognitive_mapping/long_term_navigation": _blanks,
    "action_sequencing/action_order_inference": _letters,
    "temporal_understanding/agent_observation": _count,
}


def _filled(task: str, answer: Json, options: Json, notes: list[str]) -> _Filled:
    if task.startswith("enumerative_perception/"):
        return _count(answer, options, notes)
    return _SPECIAL.get(task, _single)(answer, options, notes)


# --- rows ----------------------------------------------------------------------------------------


def _image_paths(value: Json) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise _WrongError("expected a list of texts")
    for item in value:
        path = PurePosixPath(item)
        if not item or path.is_absolute() or ".." in path.parts or "\\" in item or ":" in item:
            raise _WrongError(f"expected relative paths inside the data, got {_short(repr(item))}")
    return tuple(value)


# Names at the top of what the generators of the release write, before it becomes rows.
_RAW: Final = frozenset(
    {"question_data", "camera_poses", "objects", "floor_name", "run_idx", "seed", "task_type"}
    | {"question_id", "initial_poses", "image_paths", "qa", "layout", "success", "views"}
)


def _absence(name: str, strange: Sequence[str]) -> _WrongError:
    """A missing column, and the one that may stand in its place under another name."""
    lower = {item.lower().replace(" ", "_").removesuffix("_json"): item for item in strange}
    near = difflib.get_close_matches(name.removesuffix("_json"), lower, n=1, cutoff=0.6)
    if near:
        message = f"missing; the row has {_short(repr(lower[near[0]]))} in its place"
        return _WrongError(message, kind="renamed field")
    return _WrongError("missing", kind="missing field")


def parse_row(row: Json, *, number: int = 1, source: str = "row") -> OfficialQuestion | BadRow:
    """One row (a dict of the 12 columns) as a question, or as what is wrong with it."""
    field = "(row)"
    notes: list[str] = []
    try:
        if not isinstance(row, dict):
            raise _WrongError(f"expected an object, got {_short(repr(row))}")
        strange = [name for name in row if name not in COLUMNS and name != "source_path"]
        if len(row) - len(strange) < len(COLUMNS) // 2 and _RAW & set(strange):
            message = "a raw record of a generator, not a row of 12 columns"
            raise _WrongError(message, kind="raw record")
        for field in COLUMNS:
            if field not in row:
                raise _absence(field, strange)
            # The columns of JSON text may hold the value itself instead, and an answer a number.
            loose = field.endswith("_json") or field == "answer"
            if not isinstance(row[field], str) and not (loose and row[field] is not None):
                raise _WrongError(f"expected a text, got {_short(repr(row[field]))}")
        field = "source_path"
        place = row.get(field, source)
        if not isinstance(place, str):
            raise _WrongError("expected a text")
        field = "small_task"
        task = SUBCATEGORIES.get((row["big_task"], row["small_task"]))
        if task is None:
            pair = f"{row['big_task']} / {row['small_task']}"
            message = f"{_short(repr(pair))} is not a subcategory"
            raise _WrongError(message, kind="unknown subcategory")
        field = "question"
        if not row["question"].strip():
            raise _WrongError("expected a text, got an empty one")
        field = "image_paths_json"
        images = _image_paths(_json_of(row[field]))
        field = "options_json"
        options = _json_of(row[field])
        answer_type, slots, answers = _filled(task, row["answer"], options, notes)
    except _WrongError as error:
        return BadRow(number, source, error.field or field, str(error), error.kind)
    return OfficialQuestion(
        row=number,
        source=source,
        id=row["id"],
        task=task,
        scene=row["scene"],
        room=row["room"],
        text=row["question"],
        answer_type=answer_type,
        slots=slots,
        answers=answers,
        images=images,
        notes=tuple(dict.fromkeys(notes)),
        raw=MappingProxyType(dict(row)),
    )


# --- files ---------------------------------------------------------------------------------------


class _EarlyEndError(Exception):
    """The compressed stream is damaged or cut."""

    def __init__(self, message: str, *, cut: bool) -> None:
        super().__init__(message)
        self.cut = cut


def _plain_chunks(path: Path) -> Iterator[bytes]:
    with os_errors(path), path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            yield chunk


def _xz_chunks(path: Path) -> Iterator[bytes]:
    """Decompressed pieces; memory is bounded, whatever the file asks for."""
    decoder = lzma.LZMADecompressor(memlimit=_XZ_MEMORY)
    with os_errors(path), path.open("rb") as file:
        while True:
            try:
                if decoder.eof:
                    # Streams may follow each other.
                    rest = decoder.unused_data or file.read(_CHUNK)
                    if not rest.strip(b"\0"):
                        return
                    decoder = lzma.LZMADecompressor(memlimit=_XZ_MEMORY)
                    yield decoder.decompress(rest, max_length=_CHUNK)
                    continue
                data = file.read(_CHUNK) if decoder.needs_input else b""
                if decoder.needs_input and not data:
                    raise _EarlyEndError("the compressed file ends early", cut=True)
                yield decoder.decompress(data, max_length=_CHUNK)
            except lzma.LZMAError as error:
                raise _EarlyEndError(f"not a sound xz file: {error}", cut=False) from None


def _rows_of_file(path: Path, source: str) -> Iterator[tuple[int, Json | BadRow]]:
    """(number, parsed row or what is wrong) per line of a ``.jsonl`` or ``.jsonl.xz`` file."""
    chunks = _xz_chunks(path) if path.suffix == ".xz" else _plain_chunks(path)
    held = bytearray()
    number = 0
    skipping = False

    def parsed(line: bytes) -> Json | BadRow:
        try:
            return _json_of(line.decode())
        except UnicodeDecodeError as error:
            return BadRow(number, source, "(row)", f"not UTF-8: {error.reason}", "not JSON")
        except _WrongError as error:
            return BadRow(number, source, "(row)", str(error), error.kind)

    try:
        for chunk in chunks:
            held += chunk
            start = 0
            while (end := held.find(b"\n", start)) >= 0:
                line, start = bytes(held[start:end]), end + 1
                if skipping:
                    skipping = False
                    continue
                number += 1
                if line.strip():
                    yield number, parsed(line)
            del held[:start]
            if len(held) > _MAX_ROW:
                if not skipping:
                    number += 1
                    message = f"longer than {_MAX_ROW} bytes"
                    yield number, BadRow(number, source, "(row)", message)
                skipping = True
                held.clear()
    except _EarlyEndError as error:
        kind: BadKind = "truncated" if number or error.cut else "not xz"
        yield number + 1, BadRow(number + 1, source, "(file)", str(error), kind)
        return
    if held.strip() and not skipping:
        number += 1
        yield number, parsed(bytes(held))


_SUFFIXES: Final = (".json", ".jsonl", ".jsonl.xz")


def _is_bad(item: Json) -> TypeGuard[BadRow]:
    return isinstance(item, BadRow)


def _rows_of_tree(root: Path) -> Iterator[tuple[int, str, Json | BadRow]]:
    """(number, relative path, parsed row or what is wrong) per row, by sorted path.

    A ``.json`` file is one row, a ``.jsonl`` or ``.jsonl.xz`` file one per line.
    """
    paths = []
    with os_errors(root):
        for folder, _, names in os.walk(root):
            paths += [Path(folder) / name for name in names if name.endswith(_SUFFIXES)]
    number = 0
    for name in sorted(path.relative_to(root).as_posix() for path in paths):
        path = root / name
        if not name.endswith(".json") and path.is_file() and not path.is_symlink():
            for _, item in _rows_of_file(path, name):
                number += 1
                yield number, name, replace(item, row=number) if _is_bad(item) else item
            continue
        number += 1
        try:
            if path.is_symlink() or not path.is_file():
                raise _WrongError("expected a regular file")
            with os_errors(name), path.open("rb") as file:
                data = file.read(_MAX_ROW + 1)
            if len(data) > _MAX_ROW:
                raise _WrongError(f"longer than {_MAX_ROW} bytes")
            yield number, name, _json_of(data.decode())
        except UnicodeDecodeError as error:
            message = f"not UTF-8: {error.reason}"
            yield number, name, BadRow(number, name, "(row)", message, "not JSON")
        except _WrongError as error:
            yield number, name, BadRow(number, name, "(row)", str(error), error.kind)
        except RecordError as error:
            yield number, name, BadRow(number, name, "(row)", str(error))


def iter_official(path: str | Path) -> Iterator[OfficialQuestion | BadRow]:
    """Read a release: a folder of JSON files, a ``.jsonl`` or a ``.jsonl.xz`` file.

    Yields a question or a ``BadRow`` per row, in order. Raises ``RecordError`` only if there is
    nothing to read at all.
    """
    path = Path(path)
    if path.is_dir():
        empty = True
        for number, name, item in _rows_of_tree(path):
            empty = False
            bad = isinstance(item, BadRow)
            yield item if bad else parse_row(item, number=number, source=name)
        if empty:
            raise RecordError(f"{path}: no .json or .jsonl file in this folder")
        return
    if not path.is_file():
        raise RecordError(f"{path}: no such file or folder")
    for number, item in _rows_of_file(path, path.name):
        if number > _MAX_ROWS:
            yield BadRow(number, path.name, "(file)", f"more than {_MAX_ROWS} rows")
            return
        bad = isinstance(item, BadRow)
        yield item if bad else parse_row(item, number=number, source=path.name)


def read_official(path: str | Path) -> OfficialRelease:
    """The whole release with its bad rows and groups of exact duplicates."""
    questions: list[OfficialQuestion] = []
    bad: list[BadRow] = []
    for item in iter_official(path):
        if isinstance(item, BadRow):
            bad.append(item)
        else:
            questions.append(item)
    return OfficialRelease(tuple(questions), tuple(bad), _duplicates(questions))


def _duplicates(questions: Iterable[OfficialQuestion]) -> tuple[tuple[int, ...], ...]:
    groups: dict[str, list[int]] = {}
    for question in questions:
        groups.setdefault(question.content, []).append(question.row)
    return tuple(tuple(rows) for rows in groups.values() if len(rows) > 1)
