"""The catalogue: one row per category that is drawn. What is not here is a named box."""

from __future__ import annotations

from esi_fast.assets.catalogue.building import BUILDING
from esi_fast.assets.catalogue.fixtures import FIXTURES
from esi_fast.assets.catalogue.food import FOOD
from esi_fast.assets.catalogue.furnishing import FURNISHING
from esi_fast.assets.catalogue.household import HOUSEHOLD
from esi_fast.assets.catalogue.packaged import PACKAGED
from esi_fast.assets.catalogue.things import THINGS
from esi_fast.assets.catalogue.turned import TURNED
from esi_fast.assets.entries import Entry

__all__ = ["ENTRIES"]

ENTRIES: dict[str, Entry] = {
    **BUILDING,
    **FURNISHING,
    **FIXTURES,
    **THINGS,
    **FOOD,
    **TURNED,
    **HOUSEHOLD,
    **PACKAGED,
}
