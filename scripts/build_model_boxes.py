"""Builds the tables of models from the public BEHAVIOR-1K knowledge base.

    python -m pip download bddl==3.6.0 --no-deps --no-binary bddl && tar xf bddl-3.6.0.tar.gz
    python scripts/build_model_boxes.py bddl-3.6.0/bddl/generated_data questions.jsonl.xz

The published questions name object models without their sizes. ``model_boxes.json`` holds the
bounding box in metres (MIT licence, Stanford Vision and Learning Lab) of each model that they name
and of each model of a category that they offer as an option; ``model_categories.json`` holds the
same models by category.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from esi_fast.dataset.official import read_official

FOLDER = Path(__file__).parents[1] / "esi_fast" / "dataset"


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
    inventory = json.loads((Path(folder) / "object_inventory.json").read_text())
    boxes = inventory["bounding_box_sizes"]
    category = {name.rsplit("-", 1)[1]: name.rsplit("-", 1)[0] for name in inventory["providers"]}
    questions = read_official(rows).questions
    named = {model for question in questions for model in models(question.metadata())}
    offered = {
        option.text.lower().replace(" ", "_")
        for question in questions
        for slot in question.slots
        for option in slot.options
    }
    kept = sorted(
        model
        for model in boxes
        if model in category and (model in named or category[model] in offered)
    )
    by_category: dict[str, list[str]] = defaultdict(list)
    for model in kept:
        by_category[category[model]].append(model)
    lines = [f'"{name}": {json.dumps([round(v, 6) for v in boxes[name]])}' for name in kept]
    (FOLDER / "model_boxes.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
    lines = [f'"{name}": {json.dumps(by_category[name])}' for name in sorted(by_category)]
    (FOLDER / "model_categories.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
    missing = len(named - set(kept))
    print(f"{len(kept)} models of {len(by_category)} categories; {missing} named ones are unknown")


if __name__ == "__main__":
    main(*sys.argv[1:])
