"""The inventory: real BEHAVIOR-1K categories and models with their boxes and masses.

``inventory.json`` is made by ``scripts/build_inventory.py``; see NOTICE for its source.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

__all__ = ["Row", "rows"]


@dataclass(frozen=True)
class Row:
    """One category: mean mass (kg), flags of its synset, rooms by frequency, model boxes (m)."""

    category: str
    synset: str
    mass: float
    fillable: bool
    openable: bool
    breakable: bool
    rooms: tuple[str, ...]
    models: dict[str, tuple[float, float, float]]


@cache
def rows() -> dict[str, Row]:
    """All rows by category name."""
    data = json.loads((files("esi_fast.assets") / "inventory.json").read_text())
    return {
        name: Row(
            category=name,
            synset=row["synset"],
            mass=row["mass"],
            fillable=row["fillable"],
            openable=row["openable"],
            breakable=row["breakable"],
            rooms=tuple(row["rooms"]),
            models={m: (float(b[0]), float(b[1]), float(b[2])) for m, b in row["models"].items()},
        )
        for name, row in data.items()
    }
