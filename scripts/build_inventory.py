"""Builds ``esi_fast/assets/inventory.json`` from the public BEHAVIOR-1K knowledge base.

    python -m pip download bddl==3.6.0 --no-deps --no-binary bddl && tar xf bddl-3.6.0.tar.gz
    python scripts/build_inventory.py bddl-3.6.0/bddl/generated_data

The package (MIT licence, Stanford Vision and Learning Lab) lists every model of every category
with its bounding box in metres, estimated masses, and the objects of each room of 51 scenes. The
table keeps, for the categories that ``esi_fast.assets`` can draw, at most ``MODELS`` models whose
box suits the family: real names and real sizes, no mesh and no text.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import statistics
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from esi_fast.assets.library import ENTRIES

MODELS = 16
# A model more than this factor away from the median box along an axis is another kind of thing.
OUTLIER = 1.9

Box = tuple[float, float, float]

PLANS: dict[str, Callable[[Box], bool]] = {
    "any": lambda b: True,
    "round": lambda b: 0.87 <= b[0] / b[1] <= 1.15,
    "handled": lambda b: 1.14 <= max(b[:2]) / min(b[:2]) <= 1.7,
    "lying": lambda b: b[0] >= 1.3 * max(b[1], b[2] * 0.8),
    "upright": lambda b: b[2] >= 1.15 * max(b[:2]),
    "tall": lambda b: 0.87 <= b[0] / b[1] <= 1.15 and b[2] >= 1.15 * max(b[:2]),
    "slim": lambda b: b[0] >= 1.3 * b[1] and b[2] <= 0.28 * b[0],
    "stout": lambda b: 1.15 <= b[2] / max(b[:2]) <= 2.3,
    "disc": lambda b: 0.9 <= b[1] / b[2] <= 1.1,
    "wide": lambda b: b[1] >= 1.1 * b[0],
}


def read(folder: Path) -> dict[str, dict[str, Any]]:
    """The table: category -> synset, mass, flags, rooms, models."""
    inventory = json.loads((folder / "object_inventory.json").read_text())
    boxes: dict[str, Box] = inventory["bounding_box_sizes"]
    by_category: dict[str, list[str]] = defaultdict(list)
    for provider in inventory["providers"]:
        category, model = provider.rsplit("-", 1)
        by_category[category].append(model)
    with (folder / "category_mapping.csv").open(newline="") as file:
        mapping = {row["category"]: row for row in csv.DictReader(file)}
    with (folder / "synsets.csv").open(newline="") as file:
        synsets = {row["synset"]: row for row in csv.DictReader(file)}

    rooms: dict[str, Counter[str]] = defaultdict(Counter)
    used: Counter[str] = Counter()
    scenes = json.loads((folder / "combined_room_object_list.json").read_text())["scenes"]
    for scene in scenes.values():
        for room, objects in scene.items():
            for name, count in objects.items():
                category, model = name.rsplit("-", 1)
                rooms[category][re.sub(r"_\d+$", "", room)] += count
                used[model] += count

    table: dict[str, dict[str, Any]] = {}
    for name, entry in sorted(ENTRIES.items()):
        if entry.own:
            continue
        models = _suitable(by_category[name], boxes, entry.plan)
        if not models:
            raise SystemExit(f"{name}: no model passes the plan {entry.plan!r}")
        models.sort(key=lambda m: (-min(used[m], 3), m))
        row = mapping[name]
        flags = synsets[row["synset"]]
        mass = row["mass (auto)"] or row["new annotated mass"] or row["old annotated mass"]
        table[name] = {
            "synset": row["synset"],
            "mass": float(mass.replace(",", "")),
            "fillable": flags["fillable"] == "1",
            "openable": flags["openable"] == "1",
            "breakable": flags["breakable"] == "1",
            "rooms": dict(sorted(rooms[name].items(), key=lambda item: (-item[1], item[0]))[:6]),
            "models": {m: [round(v, 5) for v in boxes[m]] for m in sorted(models[:MODELS])},
        }
    return table


def _suitable(models: list[str], boxes: dict[str, Box], plan: str) -> list[str]:
    fitting = [m for m in models if PLANS[plan](boxes[m])]
    if not fitting:
        return []
    middle = [statistics.median(boxes[m][k] for m in fitting) for k in range(3)]
    return [
        m
        for m in fitting
        if all(1 / OUTLIER <= boxes[m][k] / middle[k] <= OUTLIER for k in range(3))
    ]


def main() -> None:
    """Writes the table, one category a line, so that a change shows as a short diff."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="bddl/generated_data of the unpacked package")
    parser.add_argument("--out", type=Path, default=Path("esi_fast/assets/inventory.json"))
    args = parser.parse_args()
    table = read(args.folder)
    lines = [f"{json.dumps(k)}: {json.dumps(v, separators=(',', ':'))}" for k, v in table.items()]
    args.out.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    models = sum(len(v["models"]) for v in table.values())
    sys.stdout.write(f"{args.out}: {len(table)} categories, {models} models\n")


if __name__ == "__main__":
    main()
