"""Work functions for the tests of the job runner; workers import this module by name."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

from esi_fast.errors import PlacementRejected, StorageError
from esi_fast.seeding import rng


def square(payload: Any) -> Any:
    return {"n": payload, "square": payload * payload}


def same(payload: Any) -> Any:
    return payload


def slow_draw(payload: Any) -> Any:
    """A unit whose duration varies and whose value depends on its own seed path only."""
    random = rng("slow_draw", payload["index"])
    time.sleep(float(random.uniform(0.0, payload.get("seconds", 0.01))))
    return {"index": payload["index"], "draws": [float(v) for v in random.normal(size=3)]}


def first_is_slow(payload: Any) -> Any:
    """Counts its calls in a file, so that a test sees what was done again."""
    with Path(payload["calls"]).open("a") as file:
        file.write(f"{payload['index']}\n")
    if payload["index"] == 0:
        time.sleep(payload["seconds"])
    return payload["index"]


def where(payload: Any) -> Any:
    """The worker's process id, once two workers have shown themselves in the folder."""
    folder = Path(payload)
    (folder / str(os.getpid())).touch()
    deadline = time.monotonic() + 60
    while len(list(folder.iterdir())) < 2 and time.monotonic() < deadline:
        time.sleep(0.01)
    return os.getpid()


def noisy(payload: Any) -> Any:
    print("a line on stdout that must not get into the messages")
    os.write(1, b"\x00\xff raw bytes too\n")
    return [sys.stdin.read(), payload]


def dies(payload: Any) -> Any:
    """Kills its process on the units told to; ``once`` names a marker that lets it live later."""
    marker = payload.get("once")
    if payload.get("die") and not (marker and Path(marker).exists()):
        if marker:
            Path(marker).touch()
        os.kill(os.getpid(), signal.SIGSEGV if payload["die"] == "segv" else signal.SIGKILL)
    return payload["index"]


def fails(payload: Any) -> Any:
    if payload == "rejected":
        raise PlacementRejected("no_room", tries=3)
    if payload == "bug":
        raise KeyError("lost")
    if payload == "nan":
        return float("nan")
    return payload


def hangs(payload: Any) -> Any:
    if payload:
        time.sleep(60)
    return payload


def nested(payload: Any) -> Any:
    return {"tuple": (1, 2), "text": "ü", "true": True, "none": None}


def fills_the_disk(payload: Any) -> Any:
    if payload["index"] == 2 and not Path(payload["mended"]).exists():
        raise StorageError("blobs: No space left on device")
    return payload["index"]
