"""Files that survive a kill: appended line by line, or replaced whole.

Two promises hold at every instant, whatever stops the program. A line appended by ``LineLog`` is
in the file whole or, after the next opening, not at all. A file written by ``replace_file`` has
its old content or its new one.

Against a killed process no ``fsync`` is needed, the kernel keeps what was written. ``durable``
adds one per line or file, so that the promises hold through a power failure as well.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType

from esi_fast.errors import RecordError, StorageError

__all__ = ["MAX_LINE", "LineLog", "file_lines", "json_object", "os_errors", "replace_file"]

# Longest line accepted when reading, in bytes: a real record has some 10 kB, so anything near
# this is not ours, and a foreign file must not fill the memory.
MAX_LINE = 64 * 1024 * 1024


@contextlib.contextmanager
def os_errors(what: str | Path) -> Iterator[None]:
    """Turn an ``OSError`` (no permission, disk full, not a folder) into a ``StorageError``."""
    try:
        yield
    except OSError as error:
        raise StorageError(f"{what}: {error.strerror or error}") from error


def _sync_folder(folder: Path) -> None:
    """Make the names in ``folder`` durable, where the system can open a folder (not Windows)."""
    flag = getattr(os, "O_DIRECTORY", None)
    if flag is None:
        return
    fd = os.open(folder, os.O_RDONLY | flag)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def replace_file(path: Path, data: bytes, *, durable: bool = True, temporary: Path) -> None:
    """Write ``data`` to ``temporary`` (same file system) and rename it onto ``path``."""
    with os_errors(path):
        fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
        try:
            _write_all(fd, data)
            if durable:
                os.fsync(fd)
        finally:
            os.close(fd)
        os.replace(temporary, path)
        if durable:
            _sync_folder(path.parent)


def file_lines(path: Path, *, limit: int = MAX_LINE) -> Iterator[tuple[int, bytes, bool]]:
    """Yield ``(row, line, whole)`` for each line; rows count from 1, newlines are kept.

    ``whole`` is false for a last line without its newline and for one longer than ``limit``
    bytes (cut to ``limit``, the rest skipped).
    """
    with os_errors(path), path.open("rb") as file:
        row = 0
        while line := file.readline(limit):
            row += 1
            whole = line.endswith(b"\n")
            if not whole and len(line) == limit:
                rest = line
                while rest and not rest.endswith(b"\n"):
                    rest = file.readline(limit)
            yield row, line, whole


def json_object(line: bytes) -> dict[str, object] | None:
    """The JSON object on the line, or ``None`` if it is anything else."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


class LineLog:
    """A file of one JSON object per line that is appended to and can be resumed.

    Opening reads what is there: a last line that is not a whole JSON object is what a kill or a
    power failure left, and is cut off. A broken line *before* a good one is damage of another
    kind and raises ``RecordError`` with file and row. ``on_line(line, value)`` is called for each
    good line, in order, with its bytes and its object.
    """

    def __init__(
        self,
        path: Path,
        *,
        durable: bool = True,
        on_line: Callable[[bytes, dict[str, object]], None] | None = None,
    ) -> None:
        self.path = path
        self.length = 0
        self.rows = 0
        self._durable = durable
        self._fd = -1
        with os_errors(path):
            fresh = not path.exists()
            self._fd = os.open(
                path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o666
            )
            if fresh and durable:
                _sync_folder(path.parent)
        try:
            self._recover(on_line)
        except BaseException:
            self.close()
            raise

    def _recover(self, on_line: Callable[[bytes, dict[str, object]], None] | None) -> None:
        broken: int | None = None
        for row, line, whole in file_lines(self.path):
            value = json_object(line) if whole else None
            if value is None:
                broken = broken or row
                continue
            if broken is not None:
                raise RecordError(f"{self.path}:{broken}: damaged line before good ones")
            self.rows += 1
            self.length += len(line)
            if on_line is not None:
                on_line(line, value)
        if broken is not None:
            with os_errors(self.path):
                os.ftruncate(self._fd, self.length)

    def append(self, line: str) -> None:
        """Append one line (without its newline); on an error the file is as it was before."""
        data = line.encode() + b"\n"
        with os_errors(self.path):
            try:
                _write_all(self._fd, data)
                if self._durable:
                    os.fsync(self._fd)
            except OSError:
                os.ftruncate(self._fd, self.length)
                raise
        self.length += len(data)
        self.rows += 1

    def close(self) -> None:
        """Close the file; harmless when done twice."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def __enter__(self) -> LineLog:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
