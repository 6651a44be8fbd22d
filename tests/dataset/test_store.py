from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from esi_fast.dataset.store import Store, StoreWriter, decode_png, encode_png, write_blob
from esi_fast.errors import RecordError
from esi_fast.jobs import Result
from esi_fast.records import EpisodeRecord, Instance, canonical_json

sys.path.insert(0, str(Path(__file__).parent))
from store_work import episode, fill, instance, picture

HERE = Path(__file__).parent


def contents(root: Path) -> dict[str, bytes]:
    """Every file of the promise of equal bytes, by relative name."""
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.name not in {".lock", "sidecar.jsonl"}
    }


def written(root: Path, count: int, *, first: int = 0) -> None:
    with StoreWriter(root, Instance, shard_rows=3, durable=False) as writer:
        for index in range(first, count):
            writer.add(instance(index, writer.add_image(picture(index))))


def test_what_is_written_is_read(tmp_path: Path) -> None:
    root = tmp_path / "deep" / "store"
    written(root, 7)
    store = Store(root)
    assert list(store.instances()) == [
        instance(i, hashlib.sha256(encode_png(picture(i))).hexdigest()) for i in range(7)
    ]
    for index, record in enumerate(store.instances()):
        np.testing.assert_array_equal(store.image(record.images["view_0"]), picture(index))
    assert store.verify() == []
    manifest = json.loads((root / "manifest.json").read_text())
    assert [shard["rows"] for shard in manifest["shards"]] == [3, 3, 1]
    for shard in manifest["shards"]:
        data = (root / shard["file"]).read_bytes()
        assert shard["sha256"] == hashlib.sha256(data).hexdigest()
        assert shard["bytes"] == len(data)


def test_episodes_failures_and_notes(tmp_path: Path) -> None:
    with StoreWriter(tmp_path, EpisodeRecord, meta={"run": "r"}) as writer:
        writer.add(episode(0, writer.add_image(picture(0))))
        writer.write(Result("e001", error="worker ended by SIGKILL, 2 times"))
        writer.write(Result("e002", episode(2).model_dump(mode="json")))
        writer.note("e000", {"seconds": 1.5})
        assert set(writer.done()) == {"e000", "e001", "e002"}
    store = Store(tmp_path)
    assert [record.key for record in store.episodes()] == ["e000", "e002"]
    assert store.failures() == {"e001": "worker ended by SIGKILL, 2 times"}
    assert store.notes() == [{"key": "e000", "seconds": 1.5}]
    with pytest.raises(RecordError, match="holds EpisodeRecord, not Instance"):
        list(store.instances())
    with StoreWriter(tmp_path, EpisodeRecord, meta={"run": "r"}, retry_failed=True) as writer:
        assert set(writer.done()) == {"e000", "e002"}
        writer.add(episode(1))
    assert Store(tmp_path).failures() == {}


def test_a_store_is_continued(tmp_path: Path) -> None:
    written(tmp_path / "once", 8)
    for end in (2, 3, 7, 8):
        written(tmp_path / "parts", end, first=len(_keys(tmp_path / "parts")))
    assert contents(tmp_path / "once") == contents(tmp_path / "parts")


def _keys(root: Path) -> list[str]:
    return [r.id for r in Store(root).instances()] if root.exists() else []


def test_any_truncation_of_the_open_shard_is_repaired(tmp_path: Path) -> None:
    """A kill at any byte of the last line: the store goes on and ends with the same bytes."""
    calm = tmp_path / "calm"
    written(calm, 5)
    shard = (calm / "records-00001.jsonl").read_bytes()
    first = shard.index(b"\n") + 1
    lengths = [0, 1, first - 2, first - 1, first, first + 1, (first + len(shard)) // 2]
    for length in [*lengths, len(shard) - 1]:
        cut = tmp_path / "cut"
        written(cut, 3)
        shutil.copytree(calm / "blobs", cut / "blobs", dirs_exist_ok=True)
        (cut / "records-00001.jsonl").write_bytes(shard[:length])
        assert len(_keys(cut)) == 3 + shard[:length].count(b"\n")
        written(cut, 5, first=len(_keys(cut)))
        assert contents(cut) == contents(calm)
        shutil.rmtree(cut)


def test_a_kill_between_the_last_row_of_a_shard_and_the_manifest(tmp_path: Path) -> None:
    written(tmp_path / "calm", 6)
    written(tmp_path / "cut", 5)
    manifest = (tmp_path / "cut" / "manifest.json").read_bytes()
    written(tmp_path / "cut", 6, first=5)
    (tmp_path / "cut" / "manifest.json").write_bytes(manifest)
    (tmp_path / "cut" / "manifest.json.tmp").write_bytes(b"half a man")
    half = next((tmp_path / "cut" / "blobs").iterdir()) / ".0e.1.tmp"
    half.write_bytes(b"half a blob")
    written(tmp_path / "cut", 6, first=6)
    assert contents(tmp_path / "cut") == contents(tmp_path / "calm")


def test_killed_at_random_times_gives_the_bytes_of_an_undisturbed_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calm, cut = tmp_path / "calm", tmp_path / "cut"
    path = os.pathsep.join([str(HERE), *sys.path])
    monkeypatch.setenv("PYTHONPATH", path)
    command = [sys.executable, str(HERE / "store_work.py")]
    subprocess.run([*command, str(calm), "0"], check=True)
    chance = random.Random(11)
    kills = 0
    while kills < 6:
        process = subprocess.Popen([*command, str(cut), "1"])
        # Wait for its first row, so that the kill falls into the work.
        before = _rows(cut)
        while process.poll() is None and _rows(cut) == before:
            time.sleep(0.001)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=chance.uniform(0.0, 0.1))
        process.kill()
        if process.wait() == 0:
            assert contents(cut) == contents(calm)
            shutil.rmtree(cut)
        else:
            kills += 1
    subprocess.run([*command, str(cut), "1"], check=True)
    assert contents(cut) == contents(calm)
    assert Store(cut).verify() == []


def _rows(root: Path) -> int:
    return sum(path.read_bytes().count(b"\n") for path in root.glob("records-*.jsonl"))


def test_the_number_of_workers_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(HERE))
    for workers in (0, 2):
        fill(tmp_path / str(workers), workers, count=10)
    assert contents(tmp_path / "0") == contents(tmp_path / "2")


def test_foreign_and_unwritable_folders_are_refused(tmp_path: Path) -> None:
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    (foreign / "thesis.tex").write_text("precious")
    with pytest.raises(RecordError, match="not empty and not a folder of esi-fast"):
        StoreWriter(foreign, Instance)
    assert os.listdir(foreign) == ["thesis.tex"]
    with pytest.raises(RecordError, match=r"no manifest\.json"):
        Store(foreign)
    (foreign / "manifest.json").write_text('{"format": "webext"}')
    for opener in (lambda: StoreWriter(foreign, Instance), lambda: Store(foreign)):
        with pytest.raises(RecordError, match="not a manifest of esi-fast"):
            opener()
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(RecordError, match="expected a folder, found a file"):
        StoreWriter(file, Instance)
    with pytest.raises(RecordError, match="Not a directory"):
        StoreWriter(file / "inside", Instance)
    with pytest.raises(RecordError, match="/proc/none"):
        StoreWriter("/proc/none", Instance)


def test_a_read_only_folder_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    try:
        if os.access(tmp_path, os.W_OK):
            pytest.skip("this user may write everywhere")
        with pytest.raises(RecordError, match="Permission denied"):
            StoreWriter(tmp_path / "store", Instance)
    finally:
        tmp_path.chmod(0o755)


def test_another_kind_or_run_is_refused(tmp_path: Path) -> None:
    StoreWriter(tmp_path, Instance, meta={"seed": "1"}).close()
    with pytest.raises(RecordError, match="holds Instance, not EpisodeRecord"):
        StoreWriter(tmp_path, EpisodeRecord, meta={"seed": "1"})
    with pytest.raises(RecordError, match="was begun with seed='1', not '2'"):
        StoreWriter(tmp_path, Instance, meta={"seed": "2"})
    with pytest.raises(RecordError, match="was begun with task=None, not 'x'"):
        StoreWriter(tmp_path, Instance, meta={"seed": "1", "task": "x"})


def test_two_writers_are_refused(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    with (
        StoreWriter(tmp_path, Instance),
        pytest.raises(RecordError, match="another program is writing"),
    ):
        StoreWriter(tmp_path, Instance)
    StoreWriter(tmp_path, Instance).close()


def test_damage_is_named(tmp_path: Path) -> None:
    written(tmp_path, 5)
    sealed = tmp_path / "records-00000.jsonl"
    good = sealed.read_bytes()
    sealed.write_bytes(good.replace(b'"answer":"yes"', b'"answer":"no" ', 1))
    with pytest.raises(RecordError, match=r"records-00000.jsonl: changed since"):
        StoreWriter(tmp_path, Instance)
    assert Store(tmp_path).verify() == [f"{sealed}: changed since it was written"]
    lines = good.splitlines(keepends=True)
    sealed.write_bytes(lines[0] + b'{"id": "i001", "task"\n' + lines[2])
    with pytest.raises(RecordError, match=r"records-00000.jsonl:2: damaged line"):
        StoreWriter(tmp_path, Instance)
    rows = list(Store(tmp_path).rows())
    assert [isinstance(row, RecordError) for row in rows] == [False, True, False, False, False]
    assert str(rows[1]).startswith(f"{sealed}:2: Instance.(whole): Invalid JSON")
    sealed.write_bytes(lines[0] + lines[1].replace(b'"index":1', b'"index":-1') + lines[2])
    with pytest.raises(RecordError, match=r"records-00000.jsonl:2: Instance.index: "):
        list(Store(tmp_path).records())
    sealed.write_bytes(lines[0] + b"\xff\xfe\n" + lines[2])
    assert "not UTF-8" in str(list(Store(tmp_path).rows())[1])
    sealed.unlink()
    with pytest.raises(RecordError, match=r"records-00000.jsonl is missing"):
        StoreWriter(tmp_path, Instance)


def test_missing_and_changed_pictures_are_found(tmp_path: Path) -> None:
    written(tmp_path, 2)
    store = Store(tmp_path)
    paths = [store.blob_path(r.images["view_0"]) for r in store.instances()]
    paths[0].unlink()
    paths[1].write_bytes(b"\x89PNG")
    problems = store.verify()
    assert problems[0].startswith("i000: ")
    assert "No such file" in problems[0]
    assert "content does not have this hash" in problems[1]
    sha = hashlib.sha256(encode_png(picture(0))).hexdigest()
    with StoreWriter(tmp_path, Instance) as writer:
        assert writer.add_image(picture(0)) == sha
        assert writer.add_image(picture(1)) == paths[1].stem
    assert store.verify() == []


def test_prune_keeps_what_is_named(tmp_path: Path) -> None:
    written(tmp_path, 2)
    before = contents(tmp_path)
    with StoreWriter(tmp_path, Instance) as writer:
        writer.add_image(picture(99))
        assert writer.prune() == 1
    assert contents(tmp_path) == before


def test_nothing_leads_out_of_the_folder(tmp_path: Path) -> None:
    root, outside = tmp_path / "store", tmp_path / "outside"
    written(root, 1)
    outside.mkdir()
    shutil.rmtree(root / "blobs")
    (root / "blobs").symlink_to(outside)
    with pytest.raises(RecordError, match="blobs: leads outside the folder"):
        StoreWriter(root, Instance)
    store = Store(root)
    for bad in ("../" * 3 + "etc/passwd", "A" * 64, "", "a" * 63, "a" * 64 + "\n"):
        with pytest.raises(ValueError, match="64 lower-case hex digits"):
            store.blob_path(bad)
    manifest = json.loads((root / "manifest.json").read_text())
    manifest["shards"][0]["file"] = "../../x.jsonl"
    (root / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(RecordError, match=r"shards.0: expected file"):
        Store(root)


def test_wrong_calls(tmp_path: Path) -> None:
    with StoreWriter(tmp_path, Instance) as writer:
        writer.add(instance(0))
        with pytest.raises(ValueError, match="'i000' is stored already"):
            writer.add(instance(0))
        with pytest.raises(ValueError, match="'i000' is stored already"):
            writer.fail("i000", "no")
        with pytest.raises(TypeError, match="expected Instance, got EpisodeRecord"):
            writer.add(episode(0))
        with pytest.raises(ValueError, match="gave the record 'i001'"):
            writer.write(Result("i002", instance(1).model_dump(mode="json")))
        with pytest.raises(RecordError, match=r"unit 'i003': Instance.id: Field required"):
            writer.write(Result("i003", {"task": "t"}))
    assert _keys(tmp_path) == ["i000"]
    with pytest.raises(ValueError, match="shard_rows"):
        StoreWriter(tmp_path, Instance, shard_rows=0)


def test_a_full_disk_leaves_no_half_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with StoreWriter(tmp_path, Instance, durable=False) as writer:
        writer.add(instance(0))
        write = os.write
        calls = 0

        def half(fd: int, data: bytes) -> int:
            nonlocal calls
            calls += 1
            if calls == 1:
                return write(fd, bytes(data)[:100])
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "write", half)
        with pytest.raises(RecordError, match="No space left"):
            writer.add(instance(1))
        monkeypatch.undo()
        assert (tmp_path / "records-00000.jsonl").read_text() == canonical_json(instance(0)) + "\n"
        writer.add(instance(1))
    assert _keys(tmp_path) == ["i000", "i001"]


@pytest.mark.parametrize("shape", [(5, 7), (5, 7, 3), (5, 7, 4), (1, 1)])
def test_png_round_trip(shape: tuple[int, ...]) -> None:
    pixels = np.random.default_rng(1).integers(0, 256, size=shape, dtype=np.uint8)
    data = encode_png(pixels)
    np.testing.assert_array_equal(decode_png(data), pixels)
    assert encode_png(np.asfortranarray(pixels)) == data


def test_png_errors(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="image: expected dtype uint8, got float64"):
        encode_png(np.zeros((2, 2)))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"image: expected shape .* got \(2, 2, 2\)"):
        encode_png(np.zeros((2, 2, 2), np.uint8))
    with pytest.raises(ValueError, match=r"got \(0, 2\)"):
        encode_png(np.zeros((0, 2), np.uint8))
    good = encode_png(np.zeros((9, 9, 3), np.uint8))
    for bad in (b"", b"GIF89a", good[:40], good[:-30]):
        with pytest.raises(RecordError, match="not a readable PNG"):
            decode_png(bad)
    buffer = io.BytesIO()
    Image.new("L", (20000, 1)).save(buffer, "PNG")
    with pytest.raises(RecordError, match="more than 16384"):
        decode_png(buffer.getvalue())
    bomb = io.BytesIO()
    Image.new("1", (16000, 16000)).save(bomb, "PNG")
    with pytest.raises(RecordError, match="PNG"):
        decode_png(bomb.getvalue())


def test_checksums_are_checksums(tmp_path: Path) -> None:
    """Case dataset_io-06: the digest of the bytes, and no placeholder in its place."""
    cases = json.loads((HERE.parent / "data" / "dataset_io.json").read_text())
    case = next(c for c in cases if c["id"] == "dataset_io-06")
    sha = write_blob(tmp_path, case["input"]["content_utf8"].encode())
    assert sha == case["expected"]["sha256"]
    written(tmp_path / "store", 1)
    store = Store(tmp_path / "store")
    for bad in case["input"]["bad"]:
        with pytest.raises(ValueError, match="64 lower-case hex digits"):
            store.blob_path(bad)


def test_blobs_are_stored_once(tmp_path: Path) -> None:
    sha = write_blob(tmp_path, b"abc")
    assert sha == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    path = tmp_path / "blobs" / "ba" / f"{sha}.png"
    before = path.stat().st_mtime_ns
    assert write_blob(tmp_path, b"abc") == sha
    assert path.stat().st_mtime_ns == before
    assert [p.name for p in (tmp_path / "blobs").rglob("*") if p.is_file()] == [path.name]
