"""The inventory: every BEHAVIOR-1K category and model, with true boxes and masses.

``inventory.tsv`` is made by ``scripts/build_inventory.py``; see NOTICE for its source. One line is
a category: its name, in how many published questions it occurs, its mean mass (kg), the flags of
its synset (``f`` fillable, ``o`` openable, ``b`` breakable), the room types where it occurs, most
frequent first, and its models with their extents, those that questions use most first.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

__all__ = ["COLUMNS", "LEAST_EXTENT", "UNIT", "Row", "rows"]

COLUMNS = ("category", "uses", "mass", "flags", "rooms", "models")
# Extents are whole multiples of this many metres.
UNIT = 1e-5
# Flat models have boxes without height; nothing thinner than a sheet of paper can be drawn.
LEAST_EXTENT = 1e-4

Size = tuple[float, float, float]


@dataclass(frozen=True)
class Row:
    """One category. ``mass`` is 0 where the inventory has none; ``boxes`` is text until asked."""

    category: str
    uses: int
    mass: float
    flags: str
    rooms: tuple[str, ...]
    boxes: str

    @property
    def fillable(self) -> bool:
        """Whether its synset can be filled."""
        return "f" in self.flags

    @property
    def openable(self) -> bool:
        """Whether its synset can be opened."""
        return "o" in self.flags

    @cached_property
    def models(self) -> dict[str, Size]:
        """Extents (m) of each model, most used first."""
        found = {}
        for item in self.boxes.split(";"):
            model, _, box = item.partition(":")
            x, y, z = (round(int(v) * UNIT, 5) for v in box.split(","))
            found[model] = (x, y, z)
        return found


@cache
def rows() -> dict[str, Row]:
    """All rows by category name."""
    lines = (files("esi_fast.assets") / "inventory.tsv").read_text().splitlines()
    table = {}
    for line in lines[1:]:
        category, uses, mass, flags, rooms, boxes = line.split("\t")
        places = tuple(rooms.split(",")) if rooms else ()
        table[category] = Row(category, int(uses), float(mass or 0.0), flags, places, boxes)
    return table
