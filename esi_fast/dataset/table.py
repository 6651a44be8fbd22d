"""Rows as a Parquet file, every column a text whatever the values are.

A table has one type per column, and readers that guess it from the first rows stop at the first
row that is otherwise. So the types are declared: texts stay as they are, anything else is written
as its JSON, and null is null. ``value_of`` undoes it for columns that hold values of several kinds.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

from esi_fast._files import os_errors
from esi_fast.errors import BackendUnavailable

__all__ = ["read_table", "text_of", "value_of", "write_table"]

_BATCH: Final = 1000


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise BackendUnavailable(
            "Parquet needs pyarrow: pip install 'esi-fast[parquet]'"
        ) from error
    return pyarrow, pyarrow.parquet


def text_of(value: Any, *, plain: bool = True) -> str | None:
    """A value as a text, ``None`` as ``None``.

    With ``plain``, a text stays as it is; without, it becomes JSON too, so that a text "3" and a
    number 3 remain two things. Raises ``ValueError`` for what JSON has no form for.
    """
    if value is None or (plain and isinstance(value, str)):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise ValueError(f"value: expected what JSON can say, got {value!r}") from error


def value_of(text: str | None) -> Any:
    """The value that ``text_of(value, plain=False)`` was given."""
    return None if text is None else json.loads(text)


def write_table(
    rows: Iterable[Mapping[str, Any]],
    path: str | Path,
    *,
    columns: Sequence[str],
    mixed: Sequence[str] = (),
) -> int:
    """Write rows as Parquet and return their number; a row without a column has null there.

    ``mixed`` names columns that hold values of several kinds, written as JSON throughout. Raises
    ``BackendUnavailable`` without pyarrow, ``ValueError`` for an unknown column or value.
    """
    arrow, parquet = _arrow()
    schema = arrow.schema([(name, arrow.string()) for name in columns])
    count = 0
    iterator = iter(rows)
    with os_errors(path), parquet.ParquetWriter(str(path), schema) as writer:
        while batch := list(islice(iterator, _BATCH)):
            for row in batch:
                if unknown := set(row) - set(columns):
                    raise ValueError(f"rows: unknown columns {sorted(unknown)} in row {count + 1}")
                count += 1
            data = {
                name: [text_of(row.get(name), plain=name not in mixed) for row in batch]
                for name in columns
            }
            writer.write_table(arrow.table(data, schema=schema))
    return count


def read_table(path: str | Path) -> Iterator[dict[str, str | None]]:
    """The rows of such a file. Raises ``BackendUnavailable`` without pyarrow."""
    _, parquet = _arrow()
    with os_errors(path), parquet.ParquetFile(str(path)) as file:
        for batch in file.iter_batches(batch_size=_BATCH):
            yield from batch.to_pylist()
