from __future__ import annotations

import contextlib
import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from esi_fast.errors import RecordError, StorageError
from esi_fast.jobs import JobError, JsonlSink, Progress, Result, Unit, run

HERE = Path(__file__).parent
CASES = json.loads((HERE / "data" / "dataset_io.json").read_text())


@pytest.fixture(autouse=True)
def _importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(HERE))


class Memory:
    """A sink that keeps what it gets."""

    def __init__(self, done: Collection[str] = ()) -> None:
        self.results: list[Result] = []
        self._done = set(done)

    def done(self) -> Collection[str]:
        return self._done

    def write(self, result: Result) -> None:
        self.results.append(result)


def units_of(count: int, **more: Any) -> list[Unit]:
    return [Unit(f"u{i:03d}", {"index": i, **more}) for i in range(count)]


@pytest.mark.parametrize("workers", [0, 1, 3])
def test_results_arrive_in_the_order_of_the_units(tmp_path: Path, workers: int) -> None:
    with JsonlSink(tmp_path / "out.jsonl", durable=False) as sink:
        summary = run(units_of(25), "jobs_work:slow_draw", sink, workers=workers)
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [line["value"]["index"] for line in lines] == list(range(25))
    assert (summary.done, summary.skipped, summary.failures) == (25, 0, {})


def test_bytes_do_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    contents = set()
    for workers in (0, 1, 4):
        path = tmp_path / f"{workers}.jsonl"
        with JsonlSink(path, durable=False) as sink:
            run(units_of(20), "jobs_work:slow_draw", sink, workers=workers)
        contents.add(path.read_bytes())
    assert len(contents) == 1


def test_inline_and_processes_give_the_same_json_values() -> None:
    sinks = [Memory(), Memory()]
    for workers, sink in enumerate(sinks):
        run([Unit("a")], "jobs_work:nested", sink, workers=workers)
    assert sinks[0].results == sinks[1].results
    assert sinks[0].results[0].value["tuple"] == [1, 2]


def test_a_callable_is_named_by_module_and_function() -> None:
    import jobs_work

    sink = Memory()
    run([Unit("a", 7)], jobs_work.square, sink)
    assert sink.results == [Result("a", {"n": 7, "square": 49})]
    with pytest.raises(ValueError, match="top-level function"):
        run([Unit("a", 7)], lambda n: n, sink)


def test_prints_and_reads_of_the_work_do_not_disturb_the_messages() -> None:
    sink = Memory()
    run([Unit("a", 1), Unit("b", 2)], "jobs_work:noisy", sink)
    assert [r.value for r in sink.results] == [["", 1], ["", 2]]


def test_done_keys_are_skipped() -> None:
    sink = Memory(done=["u001", "u003"])
    summary = run(units_of(5), "jobs_work:slow_draw", sink)
    assert [r.key for r in sink.results] == ["u000", "u002", "u004"]
    assert (summary.done, summary.skipped) == (3, 2)


@pytest.mark.parametrize(("how", "name"), [("segv", "SIGSEGV"), ("kill", "SIGKILL")])
def test_a_crash_costs_one_unit(how: str, name: str) -> None:
    units = units_of(6)
    units[2] = Unit("u002", {"index": 2, "die": how})
    sink = Memory()
    summary = run(units, "jobs_work:dies", sink, workers=2)
    assert [r.key for r in sink.results] == [u.key for u in units]
    assert summary.failures == {"u002": f"worker ended by {name}, 2 times"}
    assert [r.value for r in sink.results if r.ok] == [0, 1, 3, 4, 5]


def test_a_crash_is_tried_once_more(tmp_path: Path) -> None:
    units = units_of(3)
    units[1] = Unit("u001", {"index": 1, "die": "kill", "once": str(tmp_path / "marker")})
    sink = Memory()
    summary = run(units, "jobs_work:dies", sink)
    assert summary.failures == {}
    assert [r.value for r in sink.results] == [0, 1, 2]


def test_foreseen_errors_are_recorded_and_the_rest_goes_on() -> None:
    sink = Memory()
    summary = run([Unit("a", "rejected"), Unit("b", 1)], "jobs_work:fails", sink)
    assert summary.failures == {"a": "PlacementRejected: no_room (tries=3)"}
    assert sink.results[1] == Result("b", 1)


@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize(("payload", "message"), [("bug", "KeyError"), ("nan", "ValueError")])
def test_a_bug_stops_the_run_or_is_recorded(workers: int, payload: str, message: str) -> None:
    units = [Unit("a", 1), Unit("b", payload), Unit("c", 3)]
    sink = Memory()
    with pytest.raises(JobError, match=rf"unit 'b': {message}"):
        run(units, "jobs_work:fails", sink, workers=workers)
    assert [r.key for r in sink.results] == ["a"]
    sink = Memory()
    summary = run(units, "jobs_work:fails", sink, workers=workers, on_error="record")
    assert [r.key for r in sink.results] == ["a", "b", "c"]
    assert summary.failures["b"].startswith(message)


def test_a_unit_that_takes_too_long_is_ended() -> None:
    sink = Memory()
    started = time.monotonic()
    summary = run([Unit("a", True), Unit("b", False)], "jobs_work:hangs", sink, timeout=1.0)
    assert summary.failures == {"a": "worker took too long, 2 times"}
    assert sink.results[1] == Result("b", False)
    assert time.monotonic() - started < 30


def test_units_of_a_group_stay_with_a_worker(tmp_path: Path) -> None:
    units = [Unit(f"{g}{i}", str(tmp_path), group=g) for g in "ABCD" for i in range(6)]
    sink = Memory()
    run(units, "jobs_work:where", sink, workers=2, steal=False)
    by_group: dict[str, set[int]] = {}
    for result in sink.results:
        by_group.setdefault(result.key[0], set()).add(result.value)
    assert {group: len(pids) for group, pids in by_group.items()} == dict.fromkeys("ABCD", 1)
    assert len(set.union(*by_group.values())) == 2


def test_one_group_is_shared_by_idle_workers(tmp_path: Path) -> None:
    units = [Unit(f"A{i}", str(tmp_path), group="A") for i in range(6)]
    sink = Memory()
    run(units, "jobs_work:where", sink, workers=2)
    assert len({r.value for r in sink.results}) == 2


def test_numpy_values_keep_their_kind() -> None:
    """Case dataset_io-04: what kernels compute is written as what it is."""
    case = next(c for c in CASES if c["id"] == "dataset_io-04")
    values = []
    for entry in case["input"]["numpy"]:
        kind, _, array = entry["dtype"].partition(" ")
        value = np.array(entry["value"], dtype=kind)
        values.append(value if array else value[()])
    sink = Memory()
    run([Unit("a", values)], "jobs_work:same", sink, workers=0)
    result = sink.results[0].value
    assert [type(v) for v in result] == [float, int, bool, list]
    assert result[0] in case["expected"]["float32_0.1_allowed"]
    assert result[1:] == [3, True, [0.5, 2.0]]


def test_draws_do_not_depend_on_order_or_workers() -> None:
    """Cases dataset_io-09 and dataset_io-10: a unit's seed is a function of its key alone."""
    case = next(c for c in CASES if c["id"] == "dataset_io-09")["input"]
    serial, shuffled = Memory(), Memory()
    units = units_of(case["jobs"])
    run(units, "jobs_work:slow_draw", serial, workers=0)
    run([units[i] for i in case["reorder"]], "jobs_work:slow_draw", shuffled, workers=2)
    draws = {r.key: r.value["draws"] for r in serial.results}
    assert len({tuple(v) for v in draws.values()}) == case["jobs"]
    assert {r.key: r.value["draws"] for r in shuffled.results} == draws


def test_progress_counts() -> None:
    seen: list[Progress] = []
    sink = Memory(done=["b"])
    units = [Unit("a", 1), Unit("b", 1), Unit("c", "rejected")]
    run(units, "jobs_work:fails", sink, progress=seen.append)
    assert [(p.done, p.failed, p.skipped, p.total) for p in seen] == [(1, 0, 1, 3), (2, 1, 1, 3)]


def test_wrong_calls() -> None:
    sink = Memory()
    with pytest.raises(ValueError, match=r"units\[1\]: expected a key of its own, got 'a'"):
        run([Unit("a"), Unit("a")], "jobs_work:square", sink)
    with pytest.raises(TypeError, match=r"units\[0\].payload: expected JSON"):
        run([Unit("a", object())], "jobs_work:square", sink)
    with pytest.raises(TypeError, match=r"units\[0\]: expected a Unit, got str"):
        run(["a"], "jobs_work:square", sink)  # type: ignore[list-item]
    with pytest.raises(ValueError, match="workers: expected 0 or more"):
        run([], "jobs_work:square", sink, workers=-1)
    with pytest.raises(ValueError, match="timeout: expected seconds"):
        run([], "jobs_work:square", sink, timeout=0.0)
    with pytest.raises(ValueError, match="expected 'module:function'"):
        run([], "jobs_work.square", sink)
    with pytest.raises(JobError, match="cannot be loaded"):
        run([], "jobs_work:no_such", sink)


def test_work_that_only_the_parent_finds_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone_work.py").write_text("def work(payload):\n    return payload\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    import gone_work  # type: ignore[import-not-found]

    (tmp_path / "gone_work.py").unlink()
    with pytest.raises(JobError, match="'gone_work:work' cannot be loaded"):
        run([Unit("a")], gone_work.work, Memory())


def test_sink_refuses_a_foreign_file(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text('{"key": "a", "value": 1}\n{"name": "x"}\n')
    with pytest.raises(RecordError, match=r"out.jsonl:2: expected a result"):
        JsonlSink(path)
    path.write_text('{"key": "a", "value": 1}\nnoise\n{"key": "b", "value": 1}\n')
    with pytest.raises(RecordError, match=r"out.jsonl:2: damaged line before good ones"):
        JsonlSink(path)
    with pytest.raises(RecordError, match="No such file"):
        JsonlSink(tmp_path / "none" / "out.jsonl")


def test_half_a_line_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    whole = '{"key":"a","value":1}\n{"key":"b","value":2}\n'
    for length in range(len(whole) + 1):
        path.write_text(whole[:length])
        with JsonlSink(path, durable=False) as sink:
            done = sink.done()
            for key, value in (("a", 1), ("b", 2)):
                if key not in done:
                    sink.write(Result(key, value))
        assert path.read_text() == whole


SCRIPT = """
import sys
sys.path.insert(0, {here!r})
from esi_fast.jobs import JsonlSink, Unit, run
units = [Unit(f"u{{i:03d}}", {{"index": i, "seconds": 0.02}}, group=f"g{{i // 10}}")
         for i in range(60)]
with JsonlSink(sys.argv[1], durable=False) as sink:
    run(units, "jobs_work:slow_draw", sink, workers=2, spool=sys.argv[1] + ".spool")
"""


def _script() -> list[str]:
    return [sys.executable, "-c", SCRIPT.format(here=str(HERE))]


def test_killed_at_random_times_gives_the_bytes_of_an_undisturbed_run(tmp_path: Path) -> None:
    calm, killed = tmp_path / "calm.jsonl", tmp_path / "killed.jsonl"
    subprocess.run([*_script(), str(calm)], check=True)
    chance = random.Random(5)
    kills = in_the_middle = 0
    while kills < 10:
        process = subprocess.Popen([*_script(), str(killed)])
        if chance.random() < 0.7:  # wait for its first line; else kill it while it starts
            before = _size(killed)
            while process.poll() is None and _size(killed) <= before:
                time.sleep(0.001)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=chance.uniform(0.0, 0.1))
        process.kill()
        if process.wait() == 0:
            assert killed.read_bytes() == calm.read_bytes()
            killed.unlink()
            continue
        kills += 1
        in_the_middle += 0 < _size(killed) < _size(calm)
    assert in_the_middle >= 3
    subprocess.run([*_script(), str(killed)], check=True)
    assert killed.read_bytes() == calm.read_bytes()
    assert not Path(f"{killed}.spool").exists()


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def test_workers_end_with_a_killed_parent(tmp_path: Path) -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(HERE)!r})\n"
        "from esi_fast.jobs import JsonlSink, Unit, run\n"
        f"sink = JsonlSink({str(tmp_path / 'o.jsonl')!r})\n"
        "run([Unit('a', False), Unit('b', True)], 'jobs_work:hangs', sink,"
        " progress=lambda p: print('go', flush=True))\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"go\n"
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    if not children.exists():
        process.kill()
        process.wait()
        pytest.skip("no list of child processes on this system")
    workers = [int(pid) for pid in children.read_text().split()]
    assert len(workers) == 1
    process.kill()
    process.wait()
    process.stdout.close()
    deadline = time.monotonic() + 10
    while Path(f"/proc/{workers[0]}").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not Path(f"/proc/{workers[0]}").exists()


def test_interrupt_leaves_a_state_that_can_be_resumed(tmp_path: Path) -> None:
    calm, path = tmp_path / "calm.jsonl", tmp_path / "out.jsonl"
    subprocess.run([*_script(), str(calm)], check=True)
    # Whoever starts the tests in the background of a shell has interrupts ignored from then on.
    process = subprocess.Popen(
        [*_script(), str(path)],
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    while not (path.exists() and path.stat().st_size):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=20)
    assert b"KeyboardInterrupt" in stderr
    assert calm.read_bytes().startswith(path.read_bytes())
    subprocess.run([*_script(), str(path)], check=True)
    assert path.read_bytes() == calm.read_bytes()


def test_spool_keeps_results_that_wait_for_a_slow_unit(tmp_path: Path) -> None:
    calls = tmp_path / "calls"
    code = (
        f"import sys; sys.path.insert(0, {str(HERE)!r})\n"
        "from esi_fast.jobs import JsonlSink, Unit, run\n"
        f"units = [Unit(str(i), {{'index': i, 'calls': {str(calls)!r}, 'seconds': 30.0}})"
        " for i in range(8)]\n"
        f"sink = JsonlSink({str(tmp_path / 'o.jsonl')!r})\n"
        f"run(units, 'jobs_work:first_is_slow', sink, workers=2, spool={str(tmp_path / 's')!r})\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code])
    spool = tmp_path / "s"
    while not (spool.exists() and spool.read_bytes().count(b"\n") == 7):
        assert process.poll() is None
        time.sleep(0.02)
    process.kill()
    process.wait()
    calls.write_text("")
    units = [Unit(str(i), {"index": i, "calls": str(calls), "seconds": 30.0}) for i in range(8)]
    # A changed payload is new work: unit 0, now quick, and unit 5 are called, the others kept.
    units[0].payload["seconds"] = 0.0
    units[5].payload["index"] = 50
    sink = Memory()
    run(units, "jobs_work:first_is_slow", sink, spool=spool)
    assert [r.value for r in sink.results] == [0, 1, 2, 3, 4, 50, 6, 7]
    assert calls.read_text() == "0\n50\n"
    assert not spool.exists()


@pytest.mark.parametrize("workers", [0, 2])
def test_a_full_disk_stops_the_run_and_blames_no_unit(tmp_path: Path, workers: int) -> None:
    mended = tmp_path / "mended"
    units = [Unit(str(k), {"index": k, "mended": str(mended)}) for k in range(5)]
    path = tmp_path / "out.jsonl"
    with JsonlSink(path) as sink, pytest.raises(StorageError, match="No space left"):
        run(units, "jobs_work:fills_the_disk", sink, workers=workers)
    assert "error" not in path.read_text()
    mended.touch()
    with JsonlSink(path) as sink:
        assert run(units, "jobs_work:fills_the_disk", sink, workers=workers).failures == {}
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["value"] for line in lines] == [0, 1, 2, 3, 4]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A Ray cluster of two nodes, both on this machine."""
    ray = pytest.importorskip("ray", reason="Ray has no wheel for this Python")
    from ray.cluster_utils import Cluster

    nodes = Cluster(
        initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False}
    )
    nodes.add_node(num_cpus=1)
    ray.init(address=nodes.address, log_to_driver=False)
    yield nodes
    ray.shutdown()
    nodes.shutdown()


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_gives_the_bytes_of_local_processes(cluster: Any, tmp_path: Path) -> None:
    """Both nodes work, one worker dies on the way, and the file is the same."""
    units = [Unit(str(k), {"index": k, "seconds": 0.01}) for k in range(24)]
    files = []
    for engine in ("processes", "ray"):
        path = tmp_path / f"{engine}.jsonl"
        with JsonlSink(path) as sink:
            summary = run(units, "jobs_work:slow_draw", sink, workers=2, engine=engine)
        assert summary.done == 24
        files.append(path.read_bytes())
    assert files[0] == files[1]

    with JsonlSink(tmp_path / "dies.jsonl") as sink:
        payloads = [
            {"index": 0},
            {"index": 1, "die": "kill", "once": str(tmp_path / "marker")},
            {"index": 2, "die": "kill"},
            {"index": 3},
        ]
        units = [Unit(str(k), payload) for k, payload in enumerate(payloads)]
        summary = run(units, "jobs_work:dies", sink, workers=2, engine="ray")
    assert set(summary.failures) == {"2"}
    assert "2 times" in summary.failures["2"]
    lines = [json.loads(line) for line in (tmp_path / "dies.jsonl").read_text().splitlines()]
    assert [line.get("value") for line in lines] == [0, 1, None, 3]


@pytest.mark.filterwarnings("ignore")
def test_both_nodes_of_a_cluster_work(cluster: Any, tmp_path: Path) -> None:
    """Two workers at once, and a node has one processor."""
    sink = Memory()
    units = [Unit(str(k), str(tmp_path)) for k in range(2)]
    run(units, "jobs_work:where", sink, workers=2, engine="ray")
    assert len({result.value for result in sink.results}) == 2


def test_an_unknown_engine_is_a_wrong_call(tmp_path: Path) -> None:
    with JsonlSink(tmp_path / "x.jsonl") as sink, pytest.raises(ValueError, match="engine"):
        run([Unit("a")], "jobs_work:same", sink, engine="steam")  # type: ignore[arg-type]
