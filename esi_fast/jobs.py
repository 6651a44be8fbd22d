"""The one runner of ordered, independent, resumable units of work.

A unit is a key and a JSON payload: make an instance, run an episode, audit a row, measure a
capacity. ``run`` gives each unit to a worker process and hands the results to a *sink* in the
order of the units, whatever the number of workers and the order in which they finish. So the
sink's bytes are those of a serial run, and after a ``kill -9`` of the program (at any instant)
the same call finishes the work: keys that the sink already holds are skipped.

Units travel to the workers, and results back, as JSON over pipes; nothing is ever pickled, and
the work itself is named by module and function. A worker that dies (segmentation fault, kill,
memory) costs its unit one attempt; after the second it is recorded as failed and the rest goes on.

    result = run(units, "package.module:function", JsonlSink(path), workers=2)
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Literal, Protocol, TypeAlias

from esi_fast._files import LineLog
from esi_fast.errors import EsiError, RecordError, StorageError

__all__ = [
    "Engine",
    "JobError",
    "JsonlSink",
    "Progress",
    "Result",
    "Sink",
    "Summary",
    "Unit",
    "attempt",
    "dumps",
    "resolve",
    "run",
]

Json: TypeAlias = Any
Work: TypeAlias = str | Callable[[Any], Any]
Engine: TypeAlias = Literal["processes", "ray"]

# A crash may be bad luck (memory, a kill from outside); two on the same unit are the unit's fault.
_ATTEMPTS = 2
# How far the results may run ahead of the first unfinished unit: bounds the memory they take.
_WINDOW = 1024
# Workers that die before they are ready, in a row, after which starting more is pointless.
_DEAD_STARTS = 3


class JobError(EsiError):
    """The work cannot be loaded, or raised something unforeseen: names the unit and the cause."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One piece of work.

    ``key`` is unique and stable: it says on the next start what is done. ``payload`` is JSON-able
    (NumPy scalars and arrays count) and is all that the work gets to see. Units with the same
    non-empty ``group`` prefer the same worker (a loaded scene stays loaded there).
    """

    key: str
    payload: Json = None
    group: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a unit: ``value`` (JSON), or ``error`` (non-empty, one line)."""

    key: str
    value: Json = None
    error: str = ""

    @property
    def ok(self) -> bool:
        return not self.error


@dataclass(frozen=True, slots=True)
class Progress:
    """Counts so far: ``skipped`` were in the sink before, ``failed`` are among ``done``."""

    done: int
    failed: int
    skipped: int
    total: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts at the end, and the failed units of this call with their errors."""

    done: int
    skipped: int
    failures: Mapping[str, str]
    seconds: float


class Sink(Protocol):
    """Where results go. ``write`` is called in the order of the units, from one thread."""

    def done(self) -> Collection[str]:
        """Keys that need no more work."""

    def write(self, result: Result) -> None:
        """Take a result; when this returns, the result survives a kill."""


class JsonlSink:
    """A sink of one line per unit, ``{"key": ..., "value": ...}`` or with ``"error"``.

    ``durable`` adds an ``fsync`` per line (power failures; a kill needs none). Raises
    ``RecordError`` for a file that cannot be written or is damaged before its last line.
    """

    def __init__(self, path: str | Path, *, durable: bool = True) -> None:
        self._path = Path(path)
        self._keys: set[str] = set()
        self._log = LineLog(self._path, durable=durable, on_line=self._read)

    def _read(self, line: bytes, value: dict[str, object]) -> None:
        key = value.get("key")
        if not isinstance(key, str) or not ({"value", "error"} & value.keys()):
            row = len(self._keys) + 1
            raise RecordError(f"{self._path}:{row}: expected a result (key, value or error)")
        self._keys.add(key)

    def done(self) -> Collection[str]:
        return frozenset(self._keys)

    def write(self, result: Result) -> None:
        entry = {"value": result.value} if result.ok else {"error": result.error}
        self._log.append(dumps({"key": result.key, **entry}))
        self._keys.add(result.key)

    def close(self) -> None:
        self._log.close()

    def __enter__(self) -> JsonlSink:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def dumps(value: Json) -> str:
    """Plain data as one line of JSON, always the same for the same data."""
    return json.dumps(
        value,
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=False,
        allow_nan=False,
        default=_plain,
    )


def _plain(value: object) -> Json:
    """NumPy scalars and arrays as what they hold (a bool stays a bool, an int an int)."""
    convert = getattr(value, "tolist", None)
    if convert is None:
        raise TypeError(f"{type(value).__name__} is not JSON serializable")
    return convert()


# --- naming the work -----------------------------------------------------------------------------


def _name_of(work: Work) -> str:
    """``module:function`` of the work, checked to lead back to it."""
    if isinstance(work, str):
        resolve(work)
        return work
    name = f"{getattr(work, '__module__', None)}:{getattr(work, '__qualname__', None)}"
    try:
        found = resolve(name)
    except (JobError, ValueError):
        found = None
    if found is not work or name.startswith("__main__:"):
        raise ValueError(
            f"work: expected a top-level function of an importable module, got {work!r}"
        )
    return name


def resolve(name: str) -> Callable[[Any], Any]:
    """The function of ``module:function``."""
    module, _, function = name.partition(":")
    if not module or not function.isidentifier():
        raise ValueError(f"work: expected 'module:function', got {name!r}")
    try:
        found = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError) as error:
        raise JobError(f"work {name!r} cannot be loaded: {error}") from error
    if not callable(found):
        raise ValueError(f"work: {name!r} is not callable")
    work: Callable[[Any], Any] = found
    return work


# --- inside a worker -----------------------------------------------------------------------------
#
# Messages are a length of 8 bytes, little endian, and that many bytes of JSON.


def _send(stream: IO[bytes], message: Json) -> None:
    data = dumps(message).encode()
    stream.write(len(data).to_bytes(8, "little") + data)
    stream.flush()


def _receive(stream: IO[bytes]) -> Json | None:
    """The next message, or ``None`` at the end of the stream (also in mid-message)."""
    head = stream.read(8)
    if len(head) < 8:
        return None
    size = int.from_bytes(head, "little")
    data = stream.read(size)
    return json.loads(data) if len(data) == size else None


def _one_line(error: BaseException) -> str:
    text = " ".join(f"{type(error).__name__}: {error}".split())
    return text if len(text) <= 500 else text[:497] + "..."


def attempt(work: Callable[[Any], Any], payload: Json) -> dict[str, Json]:
    """The message that a unit's work gives: value, foreseen error, or unforeseen with its trace.

    ``stop`` is for what no unit is to blame for and every one would meet.
    """
    try:
        value = work(payload)
        dumps(value)
    except StorageError as error:
        return {"stop": str(error)}
    except EsiError as error:
        return {"error": _one_line(error)}
    except Exception as error:
        return {"error": _one_line(error), "trace": traceback.format_exc()}
    return {"value": value}


def _serve() -> None:
    """The life of a worker process: load the work, answer units until the parent is gone."""
    # Ctrl-C reaches the whole process group; the parent decides what becomes of the workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The pipes move away from descriptors 0 and 1, so that nothing that the work (or a C library
    # under it) prints or reads can get into the messages.
    requests = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)

    hello = _receive(requests)
    if hello is None:
        return
    try:
        work = resolve(hello["work"])
    except (EsiError, ValueError) as error:
        _send(replies, {"fatal": str(error)})
        return
    _send(replies, {"ready": True})

    inbox: queue.SimpleQueue[Json] = queue.SimpleQueue()

    def listen() -> None:
        # A separate thread, so that a worker in the middle of a unit notices a killed parent
        # instead of working on beside the one that resumes.
        while (message := _receive(requests)) is not None:
            inbox.put(message)
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    while True:
        message = inbox.get()
        reply = attempt(work, message["payload"])
        try:
            _send(replies, reply)
        except BrokenPipeError:
            os._exit(0)


# --- in the parent -------------------------------------------------------------------------------

# Arguments: the parent's module search path, so that the worker finds the same modules.
_BOOT = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); del sys.argv[1]; "
    "from esi_fast.jobs import _serve; _serve()"
)


class _AnyWorker(Protocol):
    """What ``run`` asks of a worker, whatever it is made of."""

    ready: bool
    task: int | None
    deadline: float
    timed_out: bool

    def give(self, index: int, payload: str, deadline: float) -> None:
        """Send a unit; the reply comes as an event."""

    def how_it_ended(self) -> str:
        """What happened to one whose event is ``None``."""

    def interrupt(self) -> None:
        """End it in the middle of a unit; the event follows."""

    def kill(self) -> None:
        """End it and forget it."""


Events: TypeAlias = "queue.SimpleQueue[tuple[_AnyWorker, Json | None]]"
"""Messages of workers: ``ready``, ``fatal``, the reply of a unit, or ``None`` for the end."""


def _starter(engine: Engine) -> Callable[[str, Events], _AnyWorker]:
    if engine == "processes":
        return _Worker
    from esi_fast._ray import RayWorker

    return RayWorker


class _Worker:
    """A worker process with the thread that reads its messages into ``events``."""

    def __init__(self, work: str, events: Events) -> None:
        path = [entry or os.getcwd() for entry in sys.path]
        self.process = subprocess.Popen(
            [sys.executable, "-c", _BOOT, json.dumps(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._requests = self.process.stdin
        self._replies = self.process.stdout
        self.ready = False
        self.task: int | None = None
        self.deadline = float("inf")
        self.timed_out = False
        self._reader = threading.Thread(target=self._listen, args=(events,), daemon=True)
        self._reader.start()
        self._post({"work": work})

    def _listen(self, events: Events) -> None:
        while (message := _receive(self._replies)) is not None:
            events.put((self, message))
        events.put((self, None))

    def _post(self, message: Json) -> None:
        # A worker that has just died shows up as the end of its replies, not here.
        with contextlib.suppress(BrokenPipeError):
            _send(self._requests, message)

    def give(self, index: int, payload: str, deadline: float) -> None:
        self.task = index
        self.deadline = deadline
        self._post({"payload": json.loads(payload)})

    def how_it_ended(self) -> str:
        code = self.process.wait()
        if self.timed_out:
            return "took too long"
        if code < 0:
            try:
                return f"ended by {signal.Signals(-code).name}"
            except ValueError:
                return f"ended by signal {-code}"
        return f"ended with exit code {code}"

    def interrupt(self) -> None:
        self.process.kill()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        # Bounded: a grandchild may hold the pipe open.
        self._reader.join(timeout=5.0)
        for stream in (self._requests, self._replies):
            with contextlib.suppress(OSError):
                stream.close()


@dataclass
class _Plan:
    """Which unit comes next for whom; knows nothing of processes.

    A worker holds the group that it took its last unit from, also while it is idle.
    """

    units: Sequence[Unit]
    open: deque[int]
    window: int
    steal: bool
    first: int = 0
    _held: dict[int, str] = field(default_factory=dict)

    def take(self, worker: int) -> int | None:
        """The next unit for the idle ``worker`` (a number that names it), if there is one.

        First choice: the group that it holds, or a unit without a group; then a group that
        nobody holds; then, if stealing is allowed, any. Only units in the window are considered.
        """
        own = self._held.get(worker, "")
        others = {group for holder, group in self._held.items() if holder != worker}
        fresh: int | None = None
        stolen: int | None = None
        for index in self.open:
            if index >= self.first + self.window:
                break
            group = self.units[index].group
            if not group or group == own:
                return self._start(worker, index)
            if group not in others:
                fresh = index if fresh is None else fresh
            elif self.steal:
                stolen = index if stolen is None else stolen
        index_ = stolen if fresh is None else fresh
        return None if index_ is None else self._start(worker, index_)

    def _start(self, worker: int, index: int) -> int:
        self.open.remove(index)
        self._held[worker] = self.units[index].group
        return index

    def gone(self, worker: int) -> None:
        """The worker has died and holds nothing any more."""
        self._held.pop(worker, None)

    def again(self, index: int) -> None:
        """A unit has to be done once more."""
        self.open.appendleft(index)


def run(
    units: Sequence[Unit],
    work: Work,
    sink: Sink,
    *,
    workers: int = 1,
    on_error: Literal["raise", "record"] = "raise",
    progress: Callable[[Progress], None] | None = None,
    timeout: float | None = None,
    steal: bool = True,
    spool: str | Path | None = None,
    engine: Engine = "processes",
) -> Summary:
    """Do the units that ``sink`` does not hold yet and write their results to it in order.

    ``work`` is ``"module:function"`` or a top-level function; it is called with a unit's payload
    and returns something JSON-able. ``workers`` is the number of processes; 0 does the work in
    this process (for debugging: no protection from crashes, no ``timeout``). An ``EsiError`` that
    the work raises is recorded as the unit's failure, but a ``StorageError`` (a full disk) stops
    the run and blames no unit. Any other exception is a bug: with ``on_error="raise"`` it stops
    the run with a ``JobError`` (what came before is in the sink), with ``"record"`` it is recorded
    too. ``timeout`` in seconds per unit: a worker that takes
    longer is killed, which counts like a crash. With ``steal=False`` a group is never worked on
    by two workers at once, even if one of them is idle. ``spool`` is a file for results that are
    finished but have to wait for an earlier unit: with it, a kill does not cost them (worth it
    where a result costs money); it is removed at the end. With ``engine="ray"`` the workers are
    actors of a Ray cluster (that of ``RAY_ADDRESS``, or one on this machine).

    Raises ``ValueError`` or ``TypeError`` for a wrong call (keys twice, payload that is not JSON),
    ``JobError`` if the work cannot be loaded. Whatever ends the call, also ``KeyboardInterrupt``,
    the workers are gone when it returns and the sink can be resumed.
    """
    if workers < 0:
        raise ValueError(f"workers: expected 0 or more, got {workers}")
    if on_error not in ("raise", "record"):
        raise ValueError(f"on_error: expected 'raise' or 'record', got {on_error!r}")
    if engine not in ("processes", "ray"):
        raise ValueError(f"engine: expected 'processes' or 'ray', got {engine!r}")
    if timeout is not None and not timeout > 0:
        raise ValueError(f"timeout: expected seconds above 0, got {timeout}")
    units = _checked(units)
    name = _name_of(work)
    finished = sink.done()
    todo = [index for index, unit in enumerate(units) if unit.key not in finished]
    with contextlib.ExitStack() as stack:
        kept = None if spool is None else stack.enter_context(_Spool(Path(spool)))
        run_ = _Run(units, todo, name, sink, on_error, progress, kept)
        left = run_.begin()
        if workers == 0:
            run_.inline(left)
        elif left:
            plan = _Plan(units, deque(left), _WINDOW, steal)
            run_.by_workers(plan, min(workers, len(left)), timeout, engine)
    if kept is not None:
        kept.path.unlink(missing_ok=True)
    return run_.summary()


def _checked(units: Sequence[Unit]) -> list[Unit]:
    seen: set[str] = set()
    checked = []
    for position, unit in enumerate(units):
        if not isinstance(unit, Unit):
            raise TypeError(f"units[{position}]: expected a Unit, got {type(unit).__name__}")
        if not unit.key or unit.key in seen:
            raise ValueError(f"units[{position}]: expected a key of its own, got {unit.key!r}")
        seen.add(unit.key)
        try:
            payload = json.loads(dumps(unit.payload))
        except (TypeError, ValueError) as error:
            raise TypeError(f"units[{position}].payload: expected JSON values: {error}") from error
        checked.append(Unit(unit.key, payload, unit.group))
    return checked


class _Spool:
    """Results that wait for an earlier unit, kept on disk. Bound to the payload, not the key only,
    so that a changed question does not get the old answer."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._replies: dict[object, Json] = {}
        self._log = LineLog(path, durable=False, on_line=self._read)

    def _read(self, line: bytes, value: dict[str, object]) -> None:
        self._replies[value.get("unit")] = value.get("reply")

    @staticmethod
    def _digest(unit: Unit) -> str:
        return hashlib.sha256(dumps([unit.key, unit.payload]).encode()).hexdigest()

    def get(self, unit: Unit) -> dict[str, Json] | None:
        reply = self._replies.get(self._digest(unit))
        return reply if isinstance(reply, dict) and ("value" in reply or "error" in reply) else None

    def put(self, unit: Unit, reply: dict[str, Json]) -> None:
        self._log.append(dumps({"unit": self._digest(unit), "reply": reply}))

    def __enter__(self) -> _Spool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._log.close()


class _Run:
    """One call of ``run``: puts results in order and counts."""

    def __init__(
        self,
        units: Sequence[Unit],
        todo: Sequence[int],
        work: str,
        sink: Sink,
        on_error: str,
        progress: Callable[[Progress], None] | None,
        spool: _Spool | None,
    ) -> None:
        self._spool = spool
        self._units = units
        self._todo = todo
        self._work = work
        self._sink = sink
        self._on_error = on_error
        self._progress = progress
        self._start = time.monotonic()
        self._written = 0
        self._waiting: dict[int, dict[str, Json]] = {}
        self._failures: dict[str, str] = {}

    def begin(self) -> list[int]:
        """Take over what the spool holds; the indices that are left to do."""
        left = []
        for index in self._todo:
            reply = None if self._spool is None else self._spool.get(self._units[index])
            if reply is None:
                left.append(index)
            else:
                self._waiting[index] = reply
        self._drain()
        return left

    def _settle(self, index: int, reply: dict[str, Json]) -> None:
        """Take the outcome of a unit, and write all that is now in order."""
        if "stop" in reply:
            raise StorageError(reply["stop"])
        self._waiting[index] = reply
        if self._spool is not None and index != self._todo[self._written] and "trace" not in reply:
            self._spool.put(self._units[index], reply)
        self._drain()

    def _drain(self) -> None:
        while self._written < len(self._todo):
            unit = self._units[self._todo[self._written]]
            reply = self._waiting.pop(self._todo[self._written], None)
            if reply is None:
                return
            if "trace" in reply and self._on_error == "raise":
                raise JobError(f"unit {unit.key!r}: {reply['error']}\n{reply['trace']}")
            error = reply.get("error", "")
            self._sink.write(Result(unit.key, reply.get("value"), error))
            self._written += 1
            if error:
                self._failures[unit.key] = error
            if self._progress is not None:
                self._progress(
                    Progress(
                        done=self._written,
                        failed=len(self._failures),
                        skipped=len(self._units) - len(self._todo),
                        total=len(self._units),
                        seconds=time.monotonic() - self._start,
                    )
                )

    def summary(self) -> Summary:
        return Summary(
            done=self._written,
            skipped=len(self._units) - len(self._todo),
            failures=self._failures,
            seconds=time.monotonic() - self._start,
        )

    def inline(self, left: Sequence[int]) -> None:
        function = resolve(self._work)
        for index in left:
            reply = attempt(function, self._units[index].payload)
            if "value" in reply:
                reply = {"value": json.loads(dumps(reply["value"]))}
            self._settle(index, reply)

    def by_workers(self, plan: _Plan, count: int, timeout: float | None, engine: Engine) -> None:
        events: Events = queue.SimpleQueue()
        start = _starter(engine)
        attempts: dict[int, int] = {}
        dead_starts = 0
        alive: list[_AnyWorker] = []
        try:
            alive += [start(self._work, events) for _ in range(count)]
            while self._written < len(self._todo):
                worker, message = self._next(events, alive, timeout)
                if message is None:
                    alive.remove(worker)
                    ending = worker.how_it_ended()
                    worker.kill()
                    plan.gone(id(worker))
                    index = worker.task
                    if index is not None:
                        attempts[index] = attempts.get(index, 0) + 1
                        if attempts[index] < _ATTEMPTS:
                            plan.again(index)
                        else:
                            self._settle(index, {"error": f"worker {ending}, {_ATTEMPTS} times"})
                    elif not worker.ready:
                        dead_starts += 1
                        if dead_starts >= _DEAD_STARTS:
                            raise JobError(f"workers cannot start: each {ending}")
                    alive.append(start(self._work, events))
                elif "fatal" in message:
                    raise JobError(message["fatal"])
                elif "ready" in message:
                    worker.ready = True
                    dead_starts = 0
                else:
                    assert worker.task is not None
                    index, worker.task = worker.task, None
                    worker.deadline = float("inf")
                    self._settle(index, message)
                plan.first = self._todo[self._written] if self._written < len(self._todo) else 0
                for idle in alive:
                    if idle.ready and idle.task is None:
                        index = plan.take(id(idle))
                        if index is not None:
                            limit = float("inf") if timeout is None else time.monotonic() + timeout
                            idle.give(index, dumps(self._units[index].payload), limit)
        finally:
            for worker in alive:
                worker.kill()

    @staticmethod
    def _next(
        events: Events,
        alive: Sequence[_AnyWorker],
        timeout: float | None,
    ) -> tuple[_AnyWorker, Json | None]:
        """The next event; kills workers that are over their time meanwhile."""
        while True:
            wait = None
            if timeout is not None:
                wait = max(0.0, min(worker.deadline for worker in alive) - time.monotonic())
                wait = min(wait, 3600.0)
            try:
                return events.get(timeout=wait)
            except queue.Empty:
                for worker in alive:
                    if worker.deadline <= time.monotonic():
                        worker.timed_out = True
                        worker.deadline = float("inf")
                        worker.interrupt()
