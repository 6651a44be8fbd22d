"""Builds ``esi_fast/dataset/model_boxes.json`` from the public BEHAVIOR-1K knowledge base.

    python -m pip download bddl==3.6.0 --no-deps --no-binary bddl && tar xf bddl-3.6.0.tar.gz
    python scripts/build_model_boxes.py bddl-3.6.0/bddl/generated_data questions.jsonl.xz

The published questions name object models without their sizes. The table holds the bounding box
in metres (MIT licence, Stanford Vision and Learning Lab) of each model that they name.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from esi_fast.dataset.official import read_official

OUT = Path(__file__).parents[1] / "esi_fast" / "dataset" / "model_boxes.json"


def models(value: Any, inside: bool = False) -> Iterator[str]:
    """Every text in a field whose name speaks of models."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from models(item, inside or "model" in name)
    elif isinstance(value, list):
        for item in value:
            yield from models(item, inside)
    elif inside and isinstance(value, str):
        yield value


def main(folder: str, rows: str) -> None:
    boxes = json.loads((Path(folder) / "object_inventory.json").read_text())["bounding_box_sizes"]
    named = {
        model for question in read_official(rows).questions for model in models(question.metadata())
    }
    table = {name: [round(v, 6) for v in boxes[name]] for name in sorted(named) if name in boxes}
    lines = ",\n".join(f'"{name}": {json.dumps(size)}' for name, size in table.items())
    OUT.write_text("{\n" + lines + "\n}\n")
    print(f"{len(table)} of {len(named)} models -> {OUT}")


if __name__ == "__main__":
    main(*sys.argv[1:])
