from __future__ import annotations

import json
import lzma
import pickle
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from esi_fast.dataset import official
from esi_fast.dataset.official import (
    COLUMNS,
    SUBCATEGORIES,
    BadRow,
    OfficialQuestion,
    OfficialRelease,
    Option,
    iter_official,
    parse_row,
    read_official,
    restore_dicts,
)
from esi_fast.errors import RecordError

sys.path.insert(0, str(Path(__file__).parent))
from official_rows import row

HERE = Path(__file__).parent


def question(**columns: Any) -> OfficialQuestion:
    item = parse_row(row(**columns))
    assert isinstance(item, OfficialQuestion), item
    return item


def test_the_subcategories() -> None:
    assert len(SUBCATEGORIES) == len(set(SUBCATEGORIES.values())) == 29
    assert len({big for big, _ in SUBCATEGORIES}) == 10
    assert SUBCATEGORIES["Specular Reflection", "Spatial Relations"] == (
        "specular_reflection/spatial_relations"
    )
    for (big, small), task in SUBCATEGORIES.items():
        assert question(big=big, small=small, **_fitting(task)).task == task


def _fitting(task: str) -> dict[str, Any]:
    name = task.split("/")[1]
    if task.startswith("enumerative") or name == "agent_observation":
        return {"answer": "2", "options": ["1", "2"]}
    if name == "stacking_stability":
        return {"answer": '[["a","b"]]', "options": ["a", "b"]}
    if name == "long_term_navigation":
        return {"answer": "a", "options": [["a", "b"]]}
    if name == "action_order_inference":
        return {"answer": '{"answer_A":"a"}', "options": {"A": ["a", "b"]}}
    return {}


# (big, small, answer, options) -> type, slot names, accepted answers as texts
FORMS: list[tuple[tuple[str, str], Any, Any, str, tuple[str, ...], set[tuple[str, ...]]]] = [
    (
        ("Spatial Relations", "Linear Alignment"),
        "no",
        ["yes", "no"],
        "choice",
        ("",),
        {("no",)},
    ),
    (
        ("Specular Reflection", "Reflection Authoring"),
        "Yes",
        ["yes", "no"],
        "choice",
        ("",),
        {("yes",)},
    ),
    (
        ("Physical Structure", "Deformable"),
        "half lamb",
        [{"option_id": "A", "text": "pear"}, {"option_id": "B", "text": "half lamb"}],
        "choice",
        ("",),
        {("half lamb",)},
    ),
    (
        ("Temporal Understanding", "Agent Observation"),
        "2",
        {"A": 0, "B": 1, "C": 2, "D": 3},
        "count",
        ("",),
        {("2",)},
    ),
    (
        ("Enumerative Perception", "Merged Observation"),
        "6",
        ["0", "4", "6", "7"],
        "count",
        ("",),
        {("6",)},
    ),
    (
        ("Physical Structure", "Liquid Volume"),
        "right",
        ["mug", "wineglass"],
        "choice",
        ("",),
        {("wineglass",)},
    ),
    (
        ("Physical Structure", "Liquid Volume"),
        "wine_glass",
        ["mug", "wine glass"],
        "choice",
        ("",),
        {("wine glass",)},
    ),
    (
        ("Spatial Relations", "Geometric Configuration"),
        "random triangle",
        ["equilateral", "isosceles", "random"],
        "choice",
        ("",),
        {("random",)},
    ),
    (
        ("Cognitive Mapping", "Long-Term Navigation"),
        "turn back | turn left",
        [["turn left", "turn back"], ["turn back", "turn left"]],
        "sequence",
        ("1", "2"),
        {("turn back", "turn left")},
    ),
    (
        ("Action Sequencing", "Action Order Inference"),
        '{"answer_A":"right","answer_C":"left"}',
        {"A": ["right", "left"], "C": ["left", "right"]},
        "assignment",
        ("A", "C"),
        {("right", "left")},
    ),
    (
        ("Physical Dynamics", "Stacking & Stability"),
        '[["b","a","c"],["a","b","c"]]',
        ["a", "b", "c"],
        "order",
        ("1", "2", "3"),
        {("b", "a", "c"), ("a", "b", "c")},
    ),
    (
        ("Physical Structure", "Rigid Containment"),
        '[{"_key":"snow globe","value":"tupperware"},{"_key":"address","value":"bucket"}]',
        ["bucket", "tupperware"],
        "assignment",
        ("snow globe", "address"),
        {("tupperware", "bucket")},
    ),
    (
        ("Physical Structure", "Rigid Containment"),
        {"snow globe": "bucket"},
        ["bucket", "tupperware"],
        "assignment",
        ("snow globe",),
        {("bucket",)},
    ),
    (
        ("Physical Structure", "Rigid Containment"),
        "toy box",
        ["toy box", "saucer"],
        "choice",
        ("",),
        {("toy box",)},
    ),
]


@pytest.mark.parametrize(("tasks", "answer", "options", "kind", "slots", "texts"), FORMS)
def test_every_form(
    tasks: tuple[str, str],
    answer: Any,
    options: Any,
    kind: str,
    slots: tuple[str, ...],
    texts: set[tuple[str, ...]],
) -> None:
    columns = row(*tasks, answer=answer, options=options)
    item = parse_row(columns, number=7, source="file")
    assert isinstance(item, OfficialQuestion), item
    assert item.answer_type == kind
    assert tuple(slot.name for slot in item.slots) == slots
    assert set(item.answer_texts) == texts
    assert dict(item.raw) == columns
    # The columns of JSON text may come as values too.
    loose = {**columns, "options_json": options, "metadata_json": {}}
    again = parse_row(loose)
    assert isinstance(again, OfficialQuestion)
    assert (again.slots, again.answers) == (item.slots, item.answers)


def test_option_ids() -> None:
    letters = question(
        big="Physical Structure",
        small="Deformable",
        answer="pear",
        options=[{"option_id": "D", "text": "pear"}],
    )
    assert letters.slots[0].options == (Option("D", "pear"),)
    assert question().slots[0].options == (Option("1", "yes"), Option("2", "no"))


def test_notes_say_where_forms_disagree() -> None:
    assert question().notes == ()
    assert question(answer="Yes").notes == ("answer 'Yes' is written 'yes' among the options",)
    assert question(options=["yes", "no", "yes"]).notes == ("option 'yes' occurs more than once",)
    side = question(big="Physical Structure", small="Liquid Volume", answer="left")
    assert side.notes == ("answer 'left' is the side of 'yes'",)


BAD: list[tuple[dict[str, Any], str, str]] = [
    ({"answer": "maybe"}, "answer", "'maybe' is none of"),
    ({"answer": ""}, "options_json", "got an empty one"),
    ({"answer": None}, "answer", "expected a text, got None"),
    ({"answer": True}, "options_json", "expected a text or a whole number, got True"),
    ({"id": 1}, "id", "expected a text, got 1"),
    ({"question": "  "}, "question", "empty"),
    ({"small_task": "Chess"}, "small_task", "'Spatial Relations / Chess' is not a subcategory"),
    ({"big_task": "Cognitive Mapping"}, "small_task", "not a subcategory"),
    ({"options_json": '["yes","no"'}, "options_json", "not JSON"),
    ({"options_json": "[]"}, "options_json", "expected 1 to 1000 options, got 0"),
    ({"options_json": "3"}, "options_json", "expected a list or an object"),
    ({"options_json": '["yes", NaN]'}, "options_json", "NaN is not JSON"),
    ({"options_json": '[{"text": "yes"}]'}, "options_json", "expected option_id and text"),
    ({"options_json": "[" * 5000 + "]" * 5000}, "options_json", ""),
    ({"options_json": "1" * 9000}, "options_json", ""),
    ({"image_paths_json": '["/etc/passwd"]'}, "image_paths_json", "relative paths"),
    ({"image_paths_json": '["a/../../x.png"]'}, "image_paths_json", "relative paths"),
    ({"image_paths_json": '["C:\\\\data\\\\view.png"]'}, "image_paths_json", "relative paths"),
    ({"image_paths_json": '"view.png"'}, "image_paths_json", "expected a list of texts"),
    ({"source_path": 5}, "source_path", "expected a text"),
]


@pytest.mark.parametrize(("change", "field", "message"), BAD)
def test_a_wrong_row_names_its_field(change: dict[str, Any], field: str, message: str) -> None:
    item = parse_row({**row(), **change}, number=3, source="rows.jsonl")
    assert isinstance(item, BadRow)
    assert (item.row, item.field) == (3, field)
    assert message in item.message
    assert str(item).startswith(f"rows.jsonl:3: {field}: ")


def test_paths_stay_inside_the_data() -> None:
    """Case dataset_io-05; whether the file exists (its last path) is not known when reading."""
    cases = json.loads((HERE.parent / "data" / "dataset_io.json").read_text())
    case = next(c for c in cases if c["id"] == "dataset_io-05")
    for path, good in list(zip(case["input"]["paths"], case["expected"]["ok"], strict=True))[:-1]:
        item = parse_row({**row(), "image_paths_json": json.dumps([path])})
        assert isinstance(item, OfficialQuestion) == good


@pytest.mark.parametrize("column", COLUMNS)
def test_a_missing_column_is_named(column: str) -> None:
    columns = row()
    del columns[column]
    assert parse_row(columns) == BadRow(1, "row", column, "missing", "missing field")


@pytest.mark.parametrize(
    ("tasks", "answer", "options", "message"),
    [
        (("Cognitive Mapping", "Long-Term Navigation"), "a", [["a"], ["b"]], "1 parts for 2"),
        (("Cognitive Mapping", "Long-Term Navigation"), "a", {"A": ["a"]}, "for each blank"),
        (("Action Sequencing", "Action Order Inference"), '{"answer_A":"a"}', ["a"], "by letter"),
        (
            ("Action Sequencing", "Action Order Inference"),
            '{"answer_B":"a"}',
            {"A": ["a"]},
            "one answer for each of ['A']",
        ),
        (("Physical Dynamics", "Stacking & Stability"), '[["a"]]', ["a", "b"], "orders of 2"),
        (("Physical Dynamics", "Stacking & Stability"), '[["a","a"]]', ["a", "b"], "occurs twice"),
        (("Physical Dynamics", "Stacking & Stability"), "a", ["a", "b"], "not JSON"),
        (("Physical Structure", "Rigid Containment"), "[]", ["a"], "container by object"),
        (
            ("Physical Structure", "Rigid Containment"),
            '[{"_key":"x","value":"a"},{"_key":"x","value":"a"}]',
            ["a"],
            "_key: expected a text of its own, got 'x'",
        ),
        (("Enumerative Perception", "Merged Observation"), "x", ["x"], "expected numbers"),
    ],
)
def test_wrong_special_forms(
    tasks: tuple[str, str], answer: str, options: Any, message: str
) -> None:
    item = parse_row(row(*tasks, answer=answer, options=options))
    assert isinstance(item, BadRow)
    assert message in item.message


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["_key", "value", "A", "answer_A"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(deadline=None, max_examples=150)
@given(
    tasks=st.sampled_from(sorted(SUBCATEGORIES)),
    columns=st.dictionaries(st.sampled_from(COLUMNS[6:]), _JSON | _JSON.map(repr), max_size=3),
)
def test_no_row_stops_the_reading(tasks: tuple[str, str], columns: dict[str, Any]) -> None:
    item = parse_row({**row(*tasks), **columns})
    if isinstance(item, OfficialQuestion):
        for answer in item.answers:
            assert len(answer) == len(item.slots)
            for slot, choice in zip(item.slots, answer, strict=True):
                assert 0 <= choice < len(slot.options)


def test_dicts_are_restored() -> None:
    flat = [
        {"_key": "a_1", "_indices": [1], "value": 3},
        {"_key": "b", "position": [{"_key": "x", "value": None}], "value": 2},
        {"_key": "c"},
    ]
    assert restore_dicts({"deep": [[flat]]}) == {
        "deep": [[{"a_1": 3, "b": {"position": {"x": None}, "value": 2}, "c": {}}]]
    }
    for kept in ([], [1, {"_key": "a"}], [{"key": "a"}], "text", 1.5, None):
        assert restore_dicts(kept) == kept
    with pytest.raises(ValueError, match="_key: expected a text of its own, got 1"):
        restore_dicts([{"_key": 1}])
    deep: Any = 0
    for _ in range(100):
        deep = [deep]
    with pytest.raises(ValueError, match="nested deeper than 64"):
        restore_dicts(deep)


def test_metadata_is_parsed_when_asked_for() -> None:
    item = question(metadata={"poses": [{"_key": "a", "value": 1}]})
    assert item.metadata() == {"poses": {"a": 1}}
    for bad in ("{", "[1]", '{"x": 1e', "null"):
        broken = parse_row({**row(), "metadata_json": bad}, number=9, source="f")
        assert isinstance(broken, OfficialQuestion)
        with pytest.raises(RecordError, match="f:9: metadata_json: "):
            broken.metadata()


# --- files ---------------------------------------------------------------------------------------


def _rows(count: int) -> list[dict[str, Any]]:
    return [row(id=f"{n:04d}", question=f"Question {n}?") for n in range(1, count + 1)]


def _lines(rows: list[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(r).encode() + b"\n" for r in rows)


def test_the_three_kinds_of_file_agree(tmp_path: Path) -> None:
    rows = _rows(5)
    (tmp_path / "q.jsonl").write_bytes(_lines(rows))
    with lzma.open(tmp_path / "q.jsonl.xz", "wb") as file:
        file.write(_lines(rows))
    for number, columns in enumerate(rows):
        folder = tmp_path / "tree" / "Spatial Relations" / f"scene {number}"
        folder.mkdir(parents=True)
        (folder / "q_000.json").write_text(json.dumps(columns, indent=2))
    (tmp_path / "tree" / "README.md").write_text("not a question")
    read = [read_official(tmp_path / name) for name in ("q.jsonl", "q.jsonl.xz", "tree")]
    for release in read:
        assert release.bad == ()
        assert [q.row for q in release.questions] == [1, 2, 3, 4, 5]
        assert [dict(q.raw) for q in release.questions] == rows
    assert read[2].questions[0].source == "Spatial Relations/scene 0/q_000.json"


def test_bad_lines_do_not_stop_the_others(tmp_path: Path) -> None:
    good = json.dumps(row()).encode()
    lines = [
        good,
        good[:100],
        b"",
        b"[1, 2]",
        b"\x89PNG\r\x1a",
        b'{"id": 1}',
        b"[" * 100_000,
        b'{"a": NaN}',
        good,
    ]
    path = tmp_path / "q.jsonl"
    path.write_bytes(b"\n".join(lines))
    items = list(iter_official(path))
    assert [type(item).__name__ for item in items] == [
        "OfficialQuestion",
        *["BadRow"] * 6,
        "OfficialQuestion",
    ]
    assert [item.row for item in items] == [1, 2, 4, 5, 6, 7, 8, 9]
    messages = [str(item) for item in items if isinstance(item, BadRow)]
    assert messages[0].startswith("q.jsonl:2: (row): not JSON")
    assert messages[1] == "q.jsonl:4: (row): expected an object, got [1, 2]"
    assert messages[2].startswith("q.jsonl:5: (row): not UTF-8")
    assert messages[3] == "q.jsonl:6: id: expected a text, got 1"
    assert messages[4] == "q.jsonl:7: (row): nested too deeply"


def test_cut_and_foreign_compressed_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "q.jsonl.xz"
    whole = lzma.compress(_lines(_rows(400)))
    path.write_bytes(whole + lzma.compress(_lines(_rows(3))))
    assert len(read_official(path).questions) == 403
    path.write_bytes(whole[: len(whole) // 2])
    release = read_official(path)
    assert 0 < len(release.questions) < 400
    assert str(release.bad[-1]).endswith("(file): the compressed file ends early")
    path.write_bytes(b"\x89PNG\r\n\x1a\n" * 10)
    assert "(file): not a sound xz file" in str(read_official(path).bad[0])
    # A small file that asks for a lot of memory to be read.
    path.write_bytes(lzma.compress(_lines(_rows(1)), preset=9))
    assert len(read_official(path).questions) == 1
    monkeypatch.setattr(official, "_XZ_MEMORY", 1 << 20)
    assert "Memory usage limit" in str(read_official(path).bad[0])


def test_what_sort_of_fault_a_row_has(tmp_path: Path) -> None:
    good = row()
    renamed = {("Question" if name == "question" else name): v for name, v in good.items()}
    raw = {"question_data": {}, "camera_poses": {}, "seed": 1, "task_type": "line"}
    lines = {
        "truncated": json.dumps(good)[:-40],
        "not JSON": '{"id": nothing}',
        "raw record": json.dumps(raw),
        "missing field": json.dumps({k: v for k, v in good.items() if k != "room"}),
        "renamed field": json.dumps(renamed),
        "unknown subcategory": json.dumps({**good, "small_task": "Juggling"}),
        "wrong value": json.dumps({**good, "answer": "perhaps"}),
    }
    path = tmp_path / "q.jsonl"
    path.write_text("\n".join(lines.values()))
    assert [bad.kind for bad in read_official(path).bad] == list(lines)
    by_kind = {bad.kind: bad for bad in read_official(path).bad}
    assert by_kind["renamed field"].message == "missing; the row has 'Question' in its place"
    assert by_kind["unknown subcategory"].message.startswith("'Spatial Relations / Juggling'")
    path = tmp_path / "q.jsonl.xz"
    path.write_text(json.dumps(good))
    assert [bad.kind for bad in read_official(path).bad] == ["not xz"]
    path.write_bytes(lzma.compress(_lines([good]))[:-30])
    assert [bad.kind for bad in read_official(path).bad] == ["truncated"]


def test_a_folder_may_hold_files_of_rows(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(_lines(_rows(2)) + b"{")
    (tmp_path / "b.json").write_text(json.dumps(row()))
    (tmp_path / "c.jsonl.xz").write_bytes(lzma.compress(_lines(_rows(2))))
    release = read_official(tmp_path)
    assert [(q.row, q.source) for q in release.questions] == [
        (1, "a.jsonl"),
        (2, "a.jsonl"),
        (4, "b.json"),
        (5, "c.jsonl.xz"),
        (6, "c.jsonl.xz"),
    ]
    assert [(bad.row, bad.source) for bad in release.bad] == [(3, "a.jsonl")]


def test_letters_stay_with_their_texts() -> None:
    """Case dataset_io-11: an empty option is none, and a letter is no number in the list."""
    cases = json.loads((HERE.parent / "data" / "dataset_io.json").read_text())
    case = next(c for c in cases if c["id"] == "dataset_io-11")
    question = parse_row(
        row(
            "Physical Structure",
            "Deformable",
            answer=case["input"]["answer"],
            options=case["input"]["columns"],
        )
    )
    assert isinstance(question, OfficialQuestion)
    expected = case["expected"]
    (slot,) = question.slots
    options = [{"option_id": option.id, "text": option.text} for option in slot.options]
    assert options == expected["options"]
    assert question.answer_texts == ((expected["answer_text"],),)
    assert question.answers == ((expected["index_0_based_in_list"],),)


def test_what_yaml_makes_of_yes_and_no_is_refused() -> None:
    """Case dataset_io-15: truth values are no texts of options, and 750 is no scene."""
    cases = json.loads((HERE.parent / "data" / "dataset_io.json").read_text())
    case = next(c for c in cases if c["id"] == "dataset_io-15")["expected"]
    naive = parse_row(row(options=case["naive"]))
    assert isinstance(naive, BadRow)
    assert (naive.field, naive.message) == (
        "options_json",
        "expected a text or a whole number, got True",
    )
    scene = parse_row(row(scene=case["scene_naive"]))
    assert isinstance(scene, BadRow)
    assert (scene.field, scene.message) == ("scene", "expected a text, got 750")
    kept = parse_row(row(options=case["options"], answer="Yes", scene="12:30"))
    assert isinstance(kept, OfficialQuestion)
    assert [option.text for option in kept.slots[0].options] == case["options"]
    assert kept.scene == "12:30"


def test_long_lines_are_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(official, "_MAX_ROW", 2000)
    monkeypatch.setattr(official, "_CHUNK", 512)
    rows = _rows(3)
    rows[1]["scene"] = "x" * 10_000
    path = tmp_path / "q.jsonl"
    path.write_bytes(_lines(rows))
    items = list(iter_official(path))
    assert [item.row for item in items] == [1, 2, 3]
    assert items[1] == BadRow(2, "q.jsonl", "(row)", "longer than 2000 bytes")
    assert isinstance(items[2], OfficialQuestion)
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "a.json").write_text(json.dumps(rows[1]))
    (tree / "b.json").write_text(json.dumps(rows[2]))
    (tree / "c.json").symlink_to("/etc/hostname")
    (tree / "d.json").mkdir()
    release = read_official(tree)
    assert [q.row for q in release.questions] == [2]
    assert [str(bad) for bad in release.bad] == [
        "a.json:1: (row): longer than 2000 bytes",
        "c.json:3: (row): expected a regular file",
    ]


def test_nothing_to_read(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="no such file or folder"):
        read_official(tmp_path / "none.jsonl")
    with pytest.raises(RecordError, match=r"no \.json or \.jsonl file in this folder"):
        read_official(tmp_path)
    (tmp_path / "empty.jsonl").write_text("")
    assert read_official(tmp_path / "empty.jsonl").questions == ()


def test_a_pickle_is_not_loaded(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_bytes(pickle.dumps(row()))
    release = read_official(path)
    assert release.questions == ()
    assert release.bad


def test_exact_duplicates(tmp_path: Path) -> None:
    rows = _rows(4)
    rows += [{**rows[1], "id": "0009"}, {**rows[1], "id": "0010", "source_path": "elsewhere"}]
    rows += [{**rows[2], "answer": "no"}]
    path = tmp_path / "q.jsonl"
    path.write_bytes(_lines(rows))
    release = read_official(path)
    assert release.duplicates == ((2, 5, 6),)
    assert [q.row for q in release.distinct] == [1, 2, 3, 4, 7]


# --- the published rows --------------------------------------------------------------------------


def test_the_published_rows(published: OfficialRelease) -> None:
    release = published
    assert release.bad == ()
    assert len(release.questions) == 3502
    assert len(release.distinct) == 3069
    assert {q.task for q in release.questions} == set(SUBCATEGORIES.values())
    tasks = Counter(q.task for q in release.questions)
    distinct = Counter(q.task for q in release.distinct)
    # Counted by an independent reader.
    assert tasks["spatial_relations/geometric_configuration"] == 568
    assert {t: (n, distinct[t]) for t, n in tasks.items() if n != distinct[t]} == {
        "perceptual_grounding/material_transparency": (218, 109),
        "physical_structure/rigid_containment": (80, 40),
        "spatial_relations/geometric_configuration": (568, 284),
    }
    noted = Counter(
        q.task for q in release.questions if any(n.startswith("answer") for n in q.notes)
    )
    assert noted == {
        "specular_reflection/reflection_authoring": 99,
        "physical_structure/liquid_volume": 136,
        "physical_dynamics/stacking_stability": 89,
        "physical_structure/rigid_containment": 60,
        "spatial_relations/geometric_configuration": 82,
    }
    assert sum(len(item.images) for item in release.questions) == 15_784


def test_sides_of_the_published_liquid_rows(published: OfficialRelease) -> None:
    """That the options stand left, then right, is read off here from what the rows record."""
    for item in published.questions:
        if item.task.endswith("liquid_volume"):
            data = item.metadata()
            sides = [data["left_category"], data["right_category"]]
            assert [s.replace("_", " ") for s in sides] == [o.text for o in item.slots[0].options]


def test_published_stacking_orders_are_bottom_first(published: OfficialRelease) -> None:
    agree = 0
    for item in published.questions:
        if item.task.endswith("stacking_stability"):
            data = item.metadata()
            names = dict(zip(data["object_names"], data["object_categories"], strict=True))
            stood = {tuple(names[n] for n in t["order"]) for t in data["trials"] if t["all_stable"]}
            assert stood == set(item.answer_texts)
            trial = data["trials"][0]
            heights = [trial["pre_aabbs"][name]["min"][2] for name in trial["order"]]
            agree += heights == sorted(heights)
    assert agree > 60
