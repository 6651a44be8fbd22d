"""Builds ``esi_fast/assets/inventory.tsv`` from the public BEHAVIOR-1K knowledge base.

    python -m pip download bddl==3.6.0 --no-deps --no-binary bddl && tar xf bddl-3.6.0.tar.gz
    python scripts/build_inventory.py bddl-3.6.0/bddl/generated_data questions.jsonl.xz

The package (MIT licence, Stanford Vision and Learning Lab) lists every model of every category
with its bounding box in metres, estimated masses, and the objects of each room of 51 scenes; the
published questions name the models they use. The table keeps names, sizes and counts: no mesh and
no text. See ``esi_fast.assets.inventory`` for its columns.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from esi_fast.assets.inventory import COLUMNS, LEAST_EXTENT, UNIT
from esi_fast.dataset.official import read_official

ROOMS = 6
# How instances are named in the published metadata: category_model_number.
_INSTANCE = re.compile(r"_([a-z]{6})_\d+$")


def words(value: Any) -> Iterator[str]:
    """Every string and key of nested data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from words(item)
    elif isinstance(value, list):
        for item in value:
            yield from words(item)


def uses(rows: Path, category_of: dict[str, str]) -> tuple[Counter[str], Counter[str]]:
    """How many published questions name each category and each model."""
    categories: Counter[str] = Counter()
    models: Counter[str] = Counter()
    known = set(category_of.values())
    for question in read_official(rows).questions:
        named: set[str] = set()
        for word in set(words(question.metadata())):
            match = _INSTANCE.search(word)
            named.add(match.group(1) if match else word)
        found = {word for word in named if word in category_of}
        models.update(found)
        categories.update({category_of[m] for m in found} | (named & known))
    return categories, models


def table(folder: Path, rows: Path) -> list[list[str]]:
    """The lines of the table, cells in the order of ``COLUMNS``."""
    inventory = json.loads((folder / "object_inventory.json").read_text())
    boxes: dict[str, list[float]] = inventory["bounding_box_sizes"]
    category_of = {}
    for provider in inventory["providers"]:
        category, model = provider.rsplit("-", 1)
        category_of[model] = category
    by_category: dict[str, list[str]] = defaultdict(list)
    for model, category in category_of.items():
        by_category[category].append(model)
    with (folder / "category_mapping.csv").open(newline="") as file:
        mapping = {row["category"]: row for row in csv.DictReader(file)}
    with (folder / "synsets.csv").open(newline="") as file:
        synsets = {row["synset"]: row for row in csv.DictReader(file)}

    rooms: dict[str, Counter[str]] = defaultdict(Counter)
    placed: Counter[str] = Counter()
    scenes = json.loads((folder / "combined_room_object_list.json").read_text())["scenes"]
    for scene in scenes.values():
        for room, objects in scene.items():
            for name, count in objects.items():
                category, model = name.rsplit("-", 1)
                rooms[category][re.sub(r"_\d+$", "", room)] += count
                placed[model] += count
    named, used = uses(rows, category_of)

    lines = []
    for category in sorted(by_category):
        row = mapping.get(category, {})
        flags = synsets.get(row.get("synset", ""), {})
        mass = next(
            (
                row[key].replace(",", "")
                for key in ("mass (auto)", "new annotated mass", "old annotated mass")
                if row.get(key)
            ),
            "",
        )
        order = sorted(by_category[category], key=lambda m: (-used[m], -min(placed[m], 3), m))
        cells = {
            "category": category,
            "uses": str(named[category]),
            "mass": f"{float(mass):g}" if mass else "",
            "flags": "".join(
                k[0] for k in ("fillable", "openable", "breakable") if flags.get(k) == "1"
            ),
            "rooms": ",".join(
                name for name, _ in sorted(rooms[category].items(), key=lambda i: (-i[1], i[0]))
            ),
            "models": ";".join(f"{m}:{_box(boxes[m])}" for m in order),
        }
        cells["rooms"] = ",".join(cells["rooms"].split(",")[:ROOMS])
        lines.append([cells[name] for name in COLUMNS])
    return lines


def _box(box: list[float]) -> str:
    return ",".join(str(round(max(v, LEAST_EXTENT) / UNIT)) for v in box)


def main() -> None:
    """Writes the table, one category a line, so that a change shows as a short diff."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="bddl/generated_data of the unpacked package")
    parser.add_argument("rows", type=Path, help="the published questions (.jsonl or .jsonl.xz)")
    parser.add_argument("--out", type=Path, default=Path("esi_fast/assets/inventory.tsv"))
    args = parser.parse_args()
    lines = table(args.folder, args.rows)
    args.out.write_text("\n".join("\t".join(line) for line in [list(COLUMNS), *lines]) + "\n")
    models = sum(line[-1].count(";") + 1 for line in lines)
    sys.stdout.write(f"{args.out}: {len(lines)} categories, {models} models\n")


if __name__ == "__main__":
    main()
