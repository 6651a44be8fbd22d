from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esi_fast.dataset.table import read_table, text_of, value_of, write_table

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

CASES = {
    case["id"]: case
    for case in json.loads((Path(__file__).parents[1] / "data" / "dataset_io.json").read_text())
}


def test_one_column_may_hold_several_kinds(tmp_path: Path) -> None:
    """Case dataset_io-01: number, text, list and null in one column, which is text to pyarrow."""
    case = CASES["dataset_io-01"]
    rows, expected = case["input"]["rows"], case["expected"]
    with pytest.raises(pa.ArrowInvalid):
        pa.Table.from_pylist(rows)
    path = tmp_path / "rows.parquet"
    assert write_table(rows, path, columns=("id", "answer"), mixed=("answer",)) == expected["rows"]
    table = pq.read_table(path)
    assert str(table.schema.field("answer").type) == expected["column_type"]
    assert [value_of(text) for text in table["answer"].to_pylist()] == expected["decoded"]


def test_a_column_may_be_empty_at_first(tmp_path: Path) -> None:
    """Case dataset_io-02: a thousand nulls do not fix the type of the column."""
    expected = CASES["dataset_io-02"]["expected"]
    rows: list[dict[str, Any]] = [{"id": str(n), "gt": None} for n in range(1000)]
    rows.append({"id": "1000", "gt": "late"})
    path = tmp_path / "rows.parquet"
    assert write_table(rows, path, columns=("id", "gt")) == expected["rows"]
    table = pq.read_table(path)
    assert table["gt"].to_pylist()[-1] == expected["last_gt"]
    assert table["gt"].null_count == 1000
    assert str(table.schema.field("gt").type) == "string"
    assert [row["gt"] for row in read_table(path)] == [row["gt"] for row in rows]


def test_numbers_stay_what_they_are(tmp_path: Path) -> None:
    """Case dataset_io-14: no 3.0 for 3 beside a null, no 7 for 007."""
    case = CASES["dataset_io-14"]
    path = tmp_path / "rows.parquet"
    write_table(case["input"]["rows"], path, columns=("id", "n", "answer"))
    read = list(read_table(path))
    assert [row["answer"] for row in read] == case["expected"]["answer_as_text"]
    assert [row["n"] for row in read] == case["expected"]["n"]


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=5,
    )
)
def test_values_come_back(value: Any) -> None:
    assert value_of(text_of(value, plain=False)) == value


def test_wrong_calls(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"unknown columns \['b'\] in row 1"):
        write_table([{"a": "1", "b": "2"}], tmp_path / "x.parquet", columns=("a",))
    with pytest.raises(ValueError, match="value: expected what JSON can say"):
        text_of(float("nan"))
    with pytest.raises(ValueError, match="value: expected what JSON can say"):
        text_of(object())
