"""Makes small records with pictures; run as a program, fills a store through the job runner."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from esi_fast.dataset.store import StoreWriter, encode_png, write_blob
from esi_fast.jobs import Unit, run
from esi_fast.records import (
    CameraSpec,
    EpisodeRecord,
    Evidence,
    Instance,
    Question,
    SceneSpec,
    StepRecord,
)
from esi_fast.seeding import rng


def picture(index: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return rng("picture", index).integers(0, 256, size=(12, 16, 3), dtype=np.uint8)


def instance(index: int, image: str = "") -> Instance:
    return Instance(
        id=f"i{index:03d}",
        task="spatial_relations/linear_alignment",
        index=index,
        seed=1,
        backend="embedded",
        scene=SceneSpec(name="empty"),
        question=Question(text="Is the ü in line?", options=("yes", "no")),
        answer="yes",
        label=Evidence(answer="yes", method="offset", numbers={"offset": 0.1 * index}),
        witness=Evidence(answer="yes", method="top view", numbers={}),
        initial_camera=CameraSpec(position=(0, 0, 1), orientation=(0, 0, 0, 1)),
        images={"view_0": image} if image else {},
    )


def episode(index: int, image: str = "") -> EpisodeRecord:
    camera = CameraSpec(position=(0, 0, 1), orientation=(0, 0, 0, 1))
    return EpisodeRecord(
        key=f"e{index:03d}",
        run="r",
        instance=f"i{index:03d}",
        instance_hash="0",
        task="t",
        paradigm="active",
        agent="random",
        steps=(StepRecord(camera=camera, image=image),),
        answer="yes",
    )


def make(payload: dict[str, Any]) -> dict[str, Any]:
    time.sleep(payload.get("seconds", 0.0))
    sha = write_blob(payload["root"], encode_png(picture(payload["index"])), durable=False)
    return instance(payload["index"], sha).model_dump(mode="json")


def fill(root: Path, workers: int, *, count: int = 40, seconds: float = 0.0) -> None:
    more = {"root": str(root), "seconds": seconds}
    units = [Unit(f"i{i:03d}", {"index": i, **more}) for i in range(count)]
    with StoreWriter(root, Instance, meta={"seed": "1"}, shard_rows=7, durable=False) as writer:
        run(units, "store_work:make", writer, workers=workers)


if __name__ == "__main__":
    fill(Path(sys.argv[1]), int(sys.argv[2]), seconds=0.01)
