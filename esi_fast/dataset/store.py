"""A folder of records and pictures that survives a kill and can be continued.

    folder/
      manifest.json            format, kind of record, what the caller wants to hold fixed (meta),
                               rows, bytes and sha256 of each shard
      records-00000.jsonl      one record per line, canonical JSON; full shards never change again
      failures.jsonl           {"key", "error"} of what could not be made (only if there is any)
      sidecar.jsonl            timings and costs; outside the promise of equal bytes
      blobs/ab/<sha256>.png    pictures by hash, each stored once

Whatever kills the writer at whatever instant, opening the folder again finds every record whole
or not at all, and a run that goes on from there ends with the bytes of an undisturbed one
(``sidecar.jsonl`` apart). A picture is stored before the record that names it. With ``durable``
(the default) each line and file is synced, so this holds for a power failure too; without it,
for any death of the process.

Pictures are PNG by Pillow with fixed settings: the same pixels give the same bytes and hash with
one build of Pillow.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from esi_fast._files import MAX_LINE, LineLog, file_lines, json_object, os_errors, replace_file
from esi_fast.errors import RecordError
from esi_fast.jobs import Result
from esi_fast.records import EpisodeRecord, Instance, canonical_json, read_record

__all__ = ["KINDS", "Store", "StoreWriter", "decode_png", "encode_png", "write_blob"]

Storable: TypeAlias = Instance | EpisodeRecord

KINDS: Final[Mapping[str, type[Instance] | type[EpisodeRecord]]] = {
    "Instance": Instance,
    "EpisodeRecord": EpisodeRecord,
}

_FORMAT = "esi-fast store"
_VERSION = 1
_SHARD = re.compile(r"records-(\d{5})\.jsonl")
_SHA = re.compile(r"[0-9a-f]{64}")
# Limits for folders that come from elsewhere.
_MAX_MANIFEST = 16 * 1024 * 1024
_MAX_BLOB = 256 * 1024 * 1024
_MAX_SIDE = 16384


# --- pictures ------------------------------------------------------------------------------------


def encode_png(image: NDArray[np.uint8]) -> bytes:
    """PNG of an (H, W), (H, W, 3) or (H, W, 4) uint8 array.

    No time stamp, no text, fixed compression: equal pixels give equal bytes.
    """
    array = np.asarray(image)
    if array.dtype != np.uint8:
        raise TypeError(f"image: expected dtype uint8, got {array.dtype}")
    shape = array.shape
    if not (len(shape) == 2 or (len(shape) == 3 and shape[2] in (3, 4))) or 0 in shape:
        raise ValueError(f"image: expected shape (H, W), (H, W, 3) or (H, W, 4), got {shape}")
    buffer = io.BytesIO()
    picture = Image.fromarray(np.ascontiguousarray(array))
    picture.save(buffer, format="PNG", compress_level=6, optimize=False)
    return buffer.getvalue()


def decode_png(data: bytes, *, where: str | Path = "picture") -> NDArray[np.uint8]:
    """The pixels of a PNG; ``RecordError`` for anything else or for sides above 16,384 pixels."""
    try:
        # Only the PNG decoder, and sizes are checked before any pixel is decoded.
        with Image.open(io.BytesIO(data), formats=["PNG"]) as picture:
            if max(picture.size) > _MAX_SIDE:
                raise RecordError(f"{where}: {picture.size} pixels, more than {_MAX_SIDE} a side")
            return np.array(picture, dtype=np.uint8)
    except (OSError, SyntaxError, ValueError, Warning, Image.DecompressionBombError) as error:
        raise RecordError(f"{where}: not a readable PNG: {error}") from error


def _blob_path(root: Path, sha: str) -> Path:
    if not _SHA.fullmatch(sha):
        raise ValueError(f"sha: expected 64 lower-case hex digits, got {sha!r}")
    return root / "blobs" / sha[:2] / f"{sha}.png"


def write_blob(root: str | Path, data: bytes, *, durable: bool = True) -> str:
    """Store ``data`` in the folder ``root`` under its sha256, which is returned.

    Safe from several processes at once; workers use it and hand only the hash to the writer.
    """
    root = Path(root)
    sha = hashlib.sha256(data).hexdigest()
    path = _blob_path(root, sha)
    with os_errors(path):
        if path.exists() and path.stat().st_size == len(data):
            return sha
        path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{sha}.{os.getpid()}.tmp")
    replace_file(path, data, durable=durable, temporary=temporary)
    return sha


# --- manifest ------------------------------------------------------------------------------------


def _manifest_bytes(
    kind: str, meta: Mapping[str, str], shard_rows: int, shards: list[dict[str, Any]]
) -> bytes:
    content = {
        "format": _FORMAT,
        "version": _VERSION,
        "kind": kind,
        "meta": dict(meta),
        "shard_rows": shard_rows,
        "shards": shards,
    }
    return (json.dumps(content, sort_keys=True, indent=1, ensure_ascii=False) + "\n").encode()


def _read_manifest(root: Path) -> dict[str, Any]:
    """The checked manifest of ``root``; ``RecordError`` says what is wrong with it."""
    path = root / "manifest.json"
    if not path.is_file():
        raise RecordError(f"{root}: no manifest.json, so not a folder of esi-fast")
    with os_errors(path):
        if path.stat().st_size > _MAX_MANIFEST:
            raise RecordError(f"{path}: larger than {_MAX_MANIFEST} bytes")
        manifest = json_object(path.read_bytes())
    if manifest is None or manifest.get("format") != _FORMAT:
        raise RecordError(f"{path}: not a manifest of esi-fast")
    if manifest.get("version") != _VERSION:
        raise RecordError(
            f"{path}: version: this program reads {_VERSION}, got {manifest.get('version')!r}"
        )
    if manifest.get("kind") not in KINDS:
        raise RecordError(
            f"{path}: kind: expected one of {sorted(KINDS)}, got {manifest.get('kind')!r}"
        )
    rows = manifest.get("shard_rows")
    if type(rows) is not int or rows < 1:
        raise RecordError(f"{path}: shard_rows: expected a number above 0, got {rows!r}")
    meta = manifest.get("meta")
    if not isinstance(meta, dict) or not all(isinstance(value, str) for value in meta.values()):
        raise RecordError(f"{path}: meta: expected texts by name")
    shards = manifest.get("shards")
    if not isinstance(shards, list):
        raise RecordError(f"{path}: shards: expected a list")
    for number, shard in enumerate(shards):
        good = (
            isinstance(shard, dict)
            and shard.get("file") == _shard_name(number)
            and type(shard.get("rows")) is int
            and type(shard.get("bytes")) is int
            and isinstance(shard.get("sha256"), str)
        )
        if not good:
            raise RecordError(f"{path}: shards.{number}: expected file, rows, bytes and sha256")
    return manifest


def _shard_name(number: int) -> str:
    return f"records-{number:05d}.jsonl"


def _shard_files(root: Path) -> list[Path]:
    """The shards in the folder, in order; a gap is damage."""
    with os_errors(root):
        names = sorted(name for name in os.listdir(root) if _SHARD.fullmatch(name))
    for number, name in enumerate(names):
        if name != _shard_name(number):
            raise RecordError(f"{root}: {_shard_name(number)} is missing")
    return [root / name for name in names]


def _key_field(kind: str) -> str:
    return "id" if kind == "Instance" else "key"


# --- writing -------------------------------------------------------------------------------------


class StoreWriter:
    """Creates a store, or continues one. Also a sink for ``jobs.run`` (values are record dicts).

    ``meta`` holds texts that must not change between the runs that fill one folder (task, seed,
    model ...); continuing with other ones is refused. One writer per folder at a time (enforced
    where the system has ``flock``). ``retry_failed`` forgets earlier failures, so that their keys
    count as not done.

    Raises ``RecordError`` for a folder that cannot be written, holds something else, another kind
    of record or other ``meta``, or is damaged in a way that no kill explains.
    """

    def __init__(
        self,
        root: str | Path,
        kind: type[Instance] | type[EpisodeRecord],
        *,
        meta: Mapping[str, str] | None = None,
        shard_rows: int = 256,
        durable: bool = True,
        retry_failed: bool = False,
    ) -> None:
        if KINDS.get(kind.__name__) is not kind:
            raise TypeError(f"kind: expected one of {sorted(KINDS)}, got {kind!r}")
        if shard_rows < 1:
            raise ValueError(f"shard_rows: expected 1 or more, got {shard_rows}")
        self.root = Path(root)
        self._kind = kind.__name__
        self._key_field = _key_field(self._kind)
        self._meta = dict(meta or {})
        self._shard_rows = shard_rows
        self._durable = durable
        self._keys: set[str] = set()
        self._failures: dict[str, str] = {}
        self._shards: list[dict[str, Any]] = []
        self._resources = contextlib.ExitStack()
        self._log: LineLog | None = None
        self._hash = hashlib.sha256()
        self._side_log: LineLog | None = None
        self._failure_log: LineLog | None = None
        self._closed = False
        try:
            self._open(retry_failed)
        except BaseException:
            self._resources.close()
            raise

    # opening

    def _open(self, retry_failed: bool) -> None:
        with os_errors(self.root):
            if self.root.exists() and not self.root.is_dir():
                raise RecordError(f"{self.root}: expected a folder, found a file")
            self.root.mkdir(parents=True, exist_ok=True)
            held = set(os.listdir(self.root))
        if "manifest.json" not in held:
            # What a writer leaves that was killed before its first manifest.
            strange = sorted(held - {".lock", "manifest.json.tmp"})
            if strange:
                raise RecordError(
                    f"{self.root}: not empty and not a folder of esi-fast (holds {strange[0]!r}); "
                    "choose another folder"
                )
        self._lock()
        for name in ("blobs", "failures.jsonl", "sidecar.jsonl"):
            self._inside(self.root / name)
        self._sweep()
        if "manifest.json" in held:
            self._resume()
        else:
            self._write_manifest()
        self._open_failures(retry_failed)

    def _lock(self) -> None:
        try:
            import fcntl
        except ImportError:  # not on Windows
            return
        with os_errors(self.root / ".lock"):
            fd = os.open(self.root / ".lock", os.O_RDWR | os.O_CREAT, 0o666)
        self._resources.callback(os.close, fd)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise RecordError(f"{self.root}: another program is writing there") from error

    def _inside(self, path: Path) -> None:
        """Nothing in the folder may lead out of it (a link planted in a downloaded store)."""
        if not path.resolve().is_relative_to(self.root.resolve()):
            raise RecordError(f"{path}: leads outside the folder")

    def _sweep(self) -> None:
        """Remove the half-written files of a killed writer (nothing refers to them)."""
        for path in self.root.glob("blobs/*/.*.tmp"):
            with os_errors(path):
                path.unlink(missing_ok=True)

    def _resume(self) -> None:
        manifest = _read_manifest(self.root)
        if manifest["kind"] != self._kind:
            raise RecordError(f"{self.root}: holds {manifest['kind']}, not {self._kind} records")
        self._shard_rows = manifest["shard_rows"]
        for name in sorted(self._meta.keys() | manifest["meta"].keys()):
            theirs, ours = manifest["meta"].get(name), self._meta.get(name)
            if theirs != ours:
                raise RecordError(
                    f"{self.root}: was begun with {name}={theirs!r}, not {ours!r}; "
                    "choose another folder"
                )
        files = _shard_files(self.root)
        recorded = manifest["shards"]
        if len(files) < len(recorded):
            raise RecordError(f"{self.root}: {recorded[len(files)]['file']} is missing")
        for number, path in enumerate(files):
            self._inside(path)
            self._start_shard(path, recorded[number] if number < len(recorded) else None)
            last = number == len(files) - 1
            if self._rows_here() > self._shard_rows or (
                not last and self._rows_here() < self._shard_rows
            ):
                raise RecordError(f"{path}: {self._rows_here()} rows, expected {self._shard_rows}")
            if self._rows_here() == self._shard_rows:
                self._seal(write=last)

    def _start_shard(self, path: Path, recorded: Mapping[str, Any] | None) -> None:
        """Open a shard for appending and read its keys; check what the manifest says of it."""
        self._hash = hashlib.sha256()
        length, rows = 0, 0

        def on_line(line: bytes, value: dict[str, object]) -> None:
            nonlocal length, rows
            self._hash.update(line)
            length, rows = length + len(line), rows + 1
            key = value.get(self._key_field)
            if not isinstance(key, str):
                raise RecordError(f"{path}:{rows}: {self._kind}.{self._key_field}: missing")
            if key in self._keys:
                raise RecordError(f"{path}:{rows}: {self._key_field} {key!r} occurs twice")
            self._keys.add(key)
            if recorded is not None and rows == recorded["rows"]:
                same = self._hash.hexdigest() == recorded["sha256"]
                if not same or length != recorded["bytes"]:
                    raise RecordError(f"{path}: changed since it was written")

        self._log = LineLog(path, durable=self._durable, on_line=on_line)
        self._resources.callback(self._log.close)
        if recorded is not None and rows < recorded["rows"]:
            raise RecordError(f"{path}: {rows} rows, the manifest says {recorded['rows']}")

    def _open_failures(self, retry_failed: bool) -> None:
        path = self.root / "failures.jsonl"
        if not path.exists():
            return
        if retry_failed:
            with os_errors(path):
                path.unlink()
            return

        def on_line(line: bytes, value: dict[str, object]) -> None:
            key, error = value.get("key"), value.get("error")
            if not isinstance(key, str) or not isinstance(error, str):
                raise RecordError(f"{path}: expected lines of key and error")
            self._failures[key] = error

        self._failure_log = LineLog(path, durable=self._durable, on_line=on_line)
        self._resources.callback(self._failure_log.close)

    # state

    def done(self) -> Collection[str]:
        """Keys that are stored or recorded as failed."""
        return frozenset(self._keys | self._failures.keys())

    @property
    def failures(self) -> Mapping[str, str]:
        return dict(self._failures)

    def __len__(self) -> int:
        return len(self._keys)

    def _rows_here(self) -> int:
        return self._log.rows if self._log is not None else 0

    # adding

    def add(self, record: Storable) -> None:
        """Append one record; afterwards it survives a kill. ``ValueError`` if its key is taken."""
        if type(record).__name__ != self._kind:
            raise TypeError(f"record: expected {self._kind}, got {type(record).__name__}")
        key = getattr(record, self._key_field)
        if key in self._keys or key in self._failures:
            raise ValueError(f"record: {self._key_field} {key!r} is stored already")
        line = canonical_json(record)
        if len(line) >= MAX_LINE // 4:
            raise ValueError(f"record: {key!r} takes {len(line)} characters, too long to store")
        if self._log is None:
            path = self.root / _shard_name(len(self._shards))
            self._hash = hashlib.sha256()
            self._log = LineLog(path, durable=self._durable)
            self._resources.callback(self._log.close)
        self._log.append(line)
        self._hash.update(line.encode() + b"\n")
        self._keys.add(key)
        if self._rows_here() == self._shard_rows:
            self._seal(write=True)

    def fail(self, key: str, error: str) -> None:
        """Record that ``key`` could not be made."""
        if key in self._keys or key in self._failures:
            raise ValueError(f"key: {key!r} is stored already")
        if self._failure_log is None:
            self._failure_log = LineLog(self.root / "failures.jsonl", durable=self._durable)
            self._resources.callback(self._failure_log.close)
        self._failure_log.append(
            json.dumps({"error": error, "key": key}, separators=(",", ":"), ensure_ascii=False)
        )
        self._failures[key] = error

    def note(self, key: str, data: Mapping[str, Any]) -> None:
        """Append timings, costs and the like of ``key`` to ``sidecar.jsonl`` (never synced)."""
        if self._side_log is None:
            self._side_log = LineLog(self.root / "sidecar.jsonl", durable=False)
            self._resources.callback(self._side_log.close)
        line = json.dumps(
            {"key": key, **data}, separators=(",", ":"), ensure_ascii=False, allow_nan=False
        )
        self._side_log.append(line)

    def add_image(self, image: NDArray[np.uint8]) -> str:
        """Store a picture; returns the sha256 that records name it by."""
        return self.add_blob(encode_png(image))

    def add_blob(self, data: bytes) -> str:
        """Store PNG bytes; returns their sha256."""
        return write_blob(self.root, data, durable=self._durable)

    def write(self, result: Result) -> None:
        """Take a result of ``jobs.run``: its value is the record, its unit's key the record's."""
        if not result.ok:
            self.fail(result.key, result.error)
            return
        record = read_record(
            KINDS[self._kind], json.dumps(result.value), where=f"unit {result.key!r}"
        )
        if getattr(record, self._key_field) != result.key:
            raise ValueError(
                f"result: unit {result.key!r} gave the record {getattr(record, self._key_field)!r}"
            )
        self.add(record)

    # manifest and end

    def _entry(self) -> dict[str, Any]:
        assert self._log is not None
        return {
            "file": self._log.path.name,
            "rows": self._log.rows,
            "bytes": self._log.length,
            "sha256": self._hash.hexdigest(),
        }

    def _seal(self, *, write: bool) -> None:
        """The shard is full: it goes into the manifest and is not touched again."""
        assert self._log is not None
        self._shards.append(self._entry())
        self._log.close()
        self._log = None
        if write:
            self._write_manifest()

    def _write_manifest(self) -> None:
        shards = [*self._shards, self._entry()] if self._rows_here() else self._shards
        data = _manifest_bytes(self._kind, self._meta, self._shard_rows, shards)
        replace_file(
            self.root / "manifest.json",
            data,
            durable=self._durable,
            temporary=self.root / "manifest.json.tmp",
        )

    def prune(self) -> int:
        """Remove pictures that no record names (left by work that failed); returns how many."""
        named = {sha for record in Store(self.root).records() for sha in _named_blobs(record)}
        removed = 0
        for path in sorted((self.root / "blobs").glob("*/*")):
            if path.name.removesuffix(".png") not in named:
                with os_errors(path):
                    path.unlink()
                removed += 1
        return removed

    def close(self) -> None:
        """Write the manifest and close the files; harmless when done twice."""
        with self._resources:
            if not self._closed:
                self._closed = True
                self._sweep()
                self._write_manifest()

    def __enter__(self) -> StoreWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _named_blobs(record: Storable) -> Iterator[str]:
    if isinstance(record, Instance):
        yield from record.images.values()
    else:
        yield from (step.image for step in record.steps if step.image)


# --- reading -------------------------------------------------------------------------------------


class Store:
    """Reads a store, also one that is being written. Everything is validated on the way in.

    Raises ``RecordError`` if the folder is not a store.
    """

    def __init__(self, root: str | Path) -> None:
        self.root = Path(root)
        manifest = _read_manifest(self.root)
        self.kind: str = manifest["kind"]
        self.meta: Mapping[str, str] = manifest["meta"]
        self._recorded: list[dict[str, Any]] = manifest["shards"]

    def rows(self) -> Iterator[Storable | RecordError]:
        """Each row as its record, or as the error that names its file, row and field.

        A last line without its end is being written, or was when the writer was killed: no row.
        """
        for path in _shard_files(self.root):
            for row, line, whole in file_lines(path):
                if not whole:
                    if len(line) >= MAX_LINE:
                        yield RecordError(f"{path}:{row}: longer than {MAX_LINE} bytes")
                    continue
                try:
                    text = line.decode()
                    record: Storable = read_record(KINDS[self.kind], text, where=f"{path}:{row}")
                except UnicodeDecodeError as error:
                    yield RecordError(f"{path}:{row}: not UTF-8: {error}")
                except RecordError as error:
                    yield error
                else:
                    yield record

    def records(self) -> Iterator[Storable]:
        """The records in order; raises the first row's error there is."""
        for item in self.rows():
            if isinstance(item, RecordError):
                raise item
            yield item

    def instances(self) -> Iterator[Instance]:
        """The records of a store of instances."""
        for record in self.records():
            if not isinstance(record, Instance):
                raise RecordError(f"{self.root}: holds {self.kind}, not Instance records")
            yield record

    def episodes(self) -> Iterator[EpisodeRecord]:
        """The records of a store of episodes."""
        for record in self.records():
            if not isinstance(record, EpisodeRecord):
                raise RecordError(f"{self.root}: holds {self.kind}, not EpisodeRecord records")
            yield record

    def failures(self) -> dict[str, str]:
        """What could not be made: error by key."""
        found: dict[str, str] = {}
        for value in self._lines("failures.jsonl"):
            key, error = value.get("key"), value.get("error")
            if not isinstance(key, str) or not isinstance(error, str):
                raise RecordError(f"{self.root / 'failures.jsonl'}: expected key and error")
            found[key] = error
        return found

    def notes(self) -> list[dict[str, Any]]:
        """The lines of the sidecar."""
        return list(self._lines("sidecar.jsonl"))

    def _lines(self, name: str) -> Iterator[dict[str, Any]]:
        path = self.root / name
        if not path.exists():
            return
        for row, line, whole in file_lines(path):
            if whole:
                value = json_object(line)
                if value is None:
                    raise RecordError(f"{path}:{row}: expected a JSON object")
                yield value

    def blob_path(self, sha: str) -> Path:
        """Where the picture ``sha`` lies; ``ValueError`` if it is not a hash."""
        return _blob_path(self.root, sha)

    def blob(self, sha: str) -> bytes:
        """The bytes of a picture; ``RecordError`` if missing or not what the hash says."""
        path = self.blob_path(sha)
        with os_errors(path):
            if path.stat().st_size > _MAX_BLOB:
                raise RecordError(f"{path}: larger than {_MAX_BLOB} bytes")
            data = path.read_bytes()
        if hashlib.sha256(data).hexdigest() != sha:
            raise RecordError(f"{path}: content does not have this hash")
        return data

    def image(self, sha: str) -> NDArray[np.uint8]:
        """The pixels of a picture."""
        return decode_png(self.blob(sha), where=self.blob_path(sha))

    def verify(self) -> list[str]:
        """Everything that is wrong, one line each: rows, hashes of shards, missing pictures."""
        problems = []
        files = {path.name: path for path in _shard_files(self.root)}
        for shard in self._recorded:
            path = files.get(shard["file"])
            if path is None:
                problems.append(f"{self.root / shard['file']}: missing")
                continue
            with os_errors(path), path.open("rb") as file:
                data = file.read(shard["bytes"])
            if hashlib.sha256(data).hexdigest() != shard["sha256"]:
                problems.append(f"{path}: changed since it was written")
        keys: set[str] = set()
        for item in self.rows():
            if isinstance(item, RecordError):
                problems.append(str(item))
                continue
            key = getattr(item, _key_field(self.kind))
            if key in keys:
                problems.append(f"{self.root}: {key!r} occurs twice")
            keys.add(key)
            for sha in _named_blobs(item):
                try:
                    self.blob(sha)
                except (RecordError, ValueError) as error:
                    problems.append(f"{key}: {error}")
        return problems
