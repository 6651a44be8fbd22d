"""Writes ``docs/gallery``: two pairs of questions per task, as an agent meets them.

esi-fast generate TASK ... -n 4 --out out/
python scripts/gallery.py out/
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from esi_fast.dataset.store import Store
from esi_fast.eval.evidence import evidence_of
from esi_fast.records import Instance
from esi_fast.sim.actions import format_action

OUT = Path(__file__).resolve().parent.parent / "docs" / "gallery"
SIDE, GAP = 208, 6
# Of the pictures that come with a question, and of the views on the way.
CONTEXT, FRAMES = 4, 5


def _pick(count: int, most: int) -> list[int]:
    """Indices spread over ``count``, the first and the last among them."""
    return sorted({round(float(k)) for k in np.linspace(0, count - 1, min(count, most))})


def _curve(instance: Instance) -> Image.Image:
    """Evidence from 0 (below) to 1 over the views."""
    values = [evidence_of(kept, instance.question) for kept in instance.oracle_possible]
    picture = Image.new("RGB", (SIDE, SIDE), "white")
    draw = ImageDraw.Draw(picture)
    low, high = SIDE - 30, 24
    points = [
        (20 + (SIDE - 40) * k / max(len(values) - 1, 1), low + (high - low) * value)
        for k, value in enumerate(values)
    ]
    for level in (low, high):
        draw.line([(14, level), (SIDE - 14, level)], fill="#bbbbbb")
    draw.line(points, fill="#1f5fa8", width=3)
    for x, y in points:
        draw.ellipse([x - 3, y - 3, x + 3, y + 3], fill="#1f5fa8")
    draw.text((14, 6), "evidence 1", fill="black")
    draw.text((14, low + 8), f"0, over {len(values)} views", fill="black")
    return picture


def _repeated(words: Iterable[str]) -> Iterator[str]:
    """Runs of the same word as ``3 x word``."""
    for word, run in groupby(words):
        count = len(list(run))
        yield f"{count} x {word}" if count > 1 else word


def strip(store: Store, instance: Instance) -> Image.Image:
    """First view, context, views on the way, evidence: side by side."""
    names = [f"context_{k}" for k in range(len(instance.context_cameras))]
    steps = len(instance.oracle_actions)
    shown = ["view_0", *(names[k] for k in _pick(len(names), CONTEXT) if names)]
    shown += [f"oracle_{k + 1}" for k in _pick(steps, FRAMES)]
    tiles = [
        Image.fromarray(store.image(instance.images[name])).resize((SIDE, SIDE), Image.LANCZOS)
        for name in shown
    ]
    tiles.append(_curve(instance))
    row = Image.new("RGB", (len(tiles) * (SIDE + GAP) - GAP, SIDE), "white")
    for k, tile in enumerate(tiles):
        row.paste(tile, (k * (SIDE + GAP), 0))
    return row


def main(folder: str) -> None:
    """A page, and a picture for each question."""
    store = Store(Path(folder))
    OUT.mkdir(parents=True, exist_ok=True)
    for old in OUT.glob("*.jpg"):
        old.unlink()
    lines = [
        "# Gallery",
        "",
        "Two pairs of questions of each task: the first view, the pictures that come with the "
        "question if there are any, views along a trajectory that proves the answer, and how much "
        "of the answer the views up to each one prove. Members of a pair share their categories.",
    ]
    tasks: dict[str, list[Instance]] = {}
    for instance in store.instances():
        tasks.setdefault(instance.task, []).append(instance)
    for task, instances in sorted(tasks.items()):
        lines += ["", f"## {task}"]
        for instance in sorted(instances, key=lambda one: one.index)[:4]:
            name = f"{task.replace('/', '_')}_{instance.index}.jpg"
            strip(store, instance).save(OUT / name, quality=82, optimize=True)
            options = ", ".join(instance.question.options)
            done = ", ".join(_repeated(map(format_action, instance.oracle_actions)))
            lines += [
                "",
                f"**{instance.question.text}** ({options})",
                "",
                f"![First view, way and evidence]({name})",
                "",
                f"Answer: **{instance.answer}**, after {done}.",
            ]
    (OUT / "README.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
