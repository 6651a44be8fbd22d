"""Furnishing a room: the rule of its type, then its lamps."""

from __future__ import annotations

from collections.abc import Callable

from esi_fast.assets._house_more import (
    childs_room,
    closet,
    entryway,
    garage,
    open_floor,
    playroom,
    sauna,
    storage_room,
    television_room,
    utility_room,
)
from esi_fast.assets._house_place import Placer
from esi_fast.assets._house_plan import CEILING, Rect
from esi_fast.assets._house_rooms import (
    bathroom,
    bedroom,
    corridor,
    dining,
    kitchen,
    living,
    study,
)

__all__ = ["PENDANT_HEIGHT", "furnish", "lamp_places"]

PENDANT_HEIGHT = 0.5  # its foot is then above 2 m, where one walks below it


def furnish(placer: Placer) -> None:
    """Furnish a room by the rule of its type and hang its lamps."""
    _RULES.get(placer.room.type, open_floor)(placer)
    for x, y in lamp_places(placer.room.type, placer.room.inner):
        asset = placer.pick(("room_light",))
        if asset is not None:
            size = (asset.size[0], asset.size[1], PENDANT_HEIGHT)
            foot = CEILING - PENDANT_HEIGHT
            placer.at(asset, x, y, 0.0, z=foot, size=size, clear=False, doors=False)


def lamp_places(kind: str, inner: Rect) -> list[tuple[float, float]]:
    """Where the ceiling lamps of a room hang: one in the middle, two in long rooms."""
    x0, y0, x1, y1 = inner
    long = max(x1 - x0, y1 - y0)
    count = 2 if long > (4.0 if kind == "corridor" else 5.0) else 1
    shares = [(k + 0.5) / count for k in range(count)]
    if x1 - x0 >= y1 - y0:
        return [(x0 + s * (x1 - x0), (y0 + y1) / 2) for s in shares]
    return [((x0 + x1) / 2, y0 + s * (y1 - y0)) for s in shares]


_RULES: dict[str, Callable[[Placer], None]] = {
    "living_room": living,
    "kitchen": kitchen,
    "dining_room": dining,
    "bedroom": bedroom,
    "bathroom": bathroom,
    "study": study,
    "corridor": corridor,
    "private_office": study,
    "childs_room": childs_room,
    "playroom": playroom,
    "television_room": television_room,
    "entryway": entryway,
    "lobby": entryway,
    "utility_room": utility_room,
    "storage_room": storage_room,
    "pantry_room": storage_room,
    "closet": closet,
    "garage": garage,
    "sauna": sauna,
}
