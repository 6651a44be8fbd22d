"""Builds ``esi_fast/assets/behavior_rooms.json``: the rooms of the house-like BEHAVIOR-1K scenes.

    python -m pip download bddl==3.6.0 --no-deps --no-binary bddl && tar xf bddl-3.6.0.tar.gz
    python scripts/build_behavior_rooms.py bddl-3.6.0/bddl/generated_data layouts.json

The package (MIT licence, Stanford Vision and Learning Lab) lists the objects of each room of 51
scenes and the size of each floor; ``layouts.json`` holds where the rooms lie, reconstructed from
the positions in published questions ({scene: {"rooms": {room: {"center": [x, y] or null}}}}). The
table keeps names, sizes, centres and counts: facts, no mesh and no text.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

HOUSES = re.compile(
    r"(Beechwood|Benevolence|Ihlen|Merom|Pomaria|Rs|Wainscott)_.*"
    r"|gates_bedroom|hotel_suite_.*|house_.*"
)
# Shell and fittings, which the houses bring themselves or which a plan cannot show.
LEFT_OUT = re.compile(
    r"floors|ceilings|walls|.*window.*|.*door|electric_switch|wall_socket|downlight|spotlight"
    r"|.*_light|mirror|countertop|wall_nail|pillar|railing|driveway|lawn|roof|stairs?"
)


def table(folder: Path, layouts: Mapping[str, Any]) -> dict[str, Any]:
    """Scene -> room -> {"size": [x, y], "center": [x, y] or null, "objects": {name: count}}."""
    inventory = json.loads((folder / "object_inventory.json").read_text())
    boxes = inventory["bounding_box_sizes"]
    scenes = json.loads((folder / "combined_room_object_list.json").read_text())["scenes"]
    made: dict[str, Any] = {}
    for scene, rooms in sorted(scenes.items()):
        if not HOUSES.fullmatch(scene):
            continue
        made[scene] = {}
        for room, objects in rooms.items():
            known = layouts.get(scene, {}).get("rooms", {}).get(room, {})
            floors = [boxes[n.split("-")[1]][:2] for n in objects if n.startswith("floors-")]
            size = known.get("size") or max(floors, key=lambda s: s[0] * s[1], default=None)
            if size is None:
                continue
            made[scene][room] = {
                "size": [round(float(v), 2) for v in size],
                "center": known.get("center"),
                "objects": {
                    name: count
                    for name, count in sorted(objects.items())
                    if not LEFT_OUT.fullmatch(name.rsplit("-", 1)[0])
                },
            }
    return made


def main(arguments: list[str] | None = None) -> int:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path, help="bddl/generated_data of the unpacked package")
    parser.add_argument("layouts", type=Path, help="JSON with the centres of rooms")
    parser.add_argument(
        "--out",
        type=Path,
        default=Path(__file__).parent.parent / "esi_fast/assets/behavior_rooms.json",
    )
    options = parser.parse_args(arguments)
    made = table(options.folder, json.loads(options.layouts.read_text()))
    lines = ",\n".join(
        f'"{scene}":{{\n'
        + ",\n".join(
            f'  "{room}":{json.dumps(facts, separators=(",", ":"))}'
            for room, facts in rooms.items()
        )
        + "}"
        for scene, rooms in made.items()
    )
    options.out.write_text("{" + lines + "}\n")
    print(f"{len(made)} scenes, {sum(map(len, made.values()))} rooms: {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
