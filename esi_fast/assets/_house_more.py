"""The rules of the smaller rooms, and what becomes of the rest of a room's list."""

from __future__ import annotations

from collections.abc import Sequence

from esi_fast import assets
from esi_fast.assets._house_parts import (
    BOOKS,
    CARPETS,
    CUPBOARDS,
    PICTURES,
    PLANTS,
    bare_walls,
    bookcase,
    corner,
    put,
    radiators,
    wall_shelf,
)
from esi_fast.assets._house_place import Placed, Placer
from esi_fast.assets._house_rooms import bedroom, corridor, living

__all__ = [
    "childs_room",
    "closet",
    "entryway",
    "garage",
    "leftovers",
    "open_floor",
    "playroom",
    "sauna",
    "storage_room",
    "television_room",
    "utility_room",
]

_TOYS = (("toy_car",), ("toy_train",), ("soccer_ball",), ("teddy_bear",), ("toy_dice",))
_STORES = (("carton",), ("storage_box",), ("bucket",), ("shoe_box",), ("suitcase",))
_FOOD = (
    ("box_of_cereal",),
    ("hingeless_jar",),
    ("milk_carton",),
    ("wine_bottle",),
    ("can_of_soda",),
    ("stockpot",),
    ("mixing_bowl",),
)
# What stands in a corner rather than in the middle of a wall.
_CORNERS = frozenset({"trash_can", "pot_plant", "floor_lamp", "coatrack", "wicker_basket"})
# On what one sits or lies only what belongs there is put.
_SEATS = frozenset(
    {"sofa", "armchair", "bed", "straight_chair", "swivel_chair", "ottoman", "bench", "bar_stool"}
    | {"toilet", "bathtub", "piano"}
)
_EYE, _TRIES = 1.55, 14


def _shelves(p: Placer, things: Sequence[Sequence[str]], *, count: int) -> None:
    """Bookcases or shelves along the walls, full of things."""
    for _ in range(count):
        case = p.against(p.pick(("bookcase", "shelf")), prefer="corner")
        if case is None:
            return
        for level in range(len(case.asset.supports)):
            for _ in range(2):
                p.on(case, things[int(p.rng.integers(len(things)))], level=level, tries=4)


def _on_floor(p: Placer, things: Sequence[Sequence[str]], *, count: int) -> None:
    """Loose things on the floor, by the walls."""
    for k in p.rng.permutation(len(things))[:count]:
        p.against(p.pick(things[int(k)]), prefer="corner", gap=0.06, fixed=False)


def storage_room(p: Placer) -> None:
    """Pantry or store: shelves on the walls, boxes in the corners."""
    food = p.room.type == "pantry_room"
    _shelves(p, _FOOD if food else _STORES[2:], count=2)
    _on_floor(p, _STORES, count=1 if food else 3)
    if not food:
        corner(p, ("umbrella_rack",))


def closet(p: Placer) -> None:
    wardrobe = p.pick(("wardrobe",))
    placed = p.against(
        wardrobe, prefer="center", size=(0.5, 1.0, 2.05) if p.stock is None else None
    )
    if placed is None:
        p.against(p.pick(CUPBOARDS), prefer="any")
    _on_floor(p, (("shoe_box",), ("suitcase",), ("gym_shoe",), ("hiking_boot",)), count=2)


def entryway(p: Placer) -> None:
    corridor(p)
    corner(p, ("coatrack",), ("umbrella_rack",), PLANTS)
    x, y = p.center
    p.rug(p.pick(CARPETS), x, y, (0.9, 0.6), 0.0)


def utility_room(p: Placer) -> None:
    washer = p.against(p.pick(("washer",)), prefer="corner")
    p.against(p.pick(("clothes_dryer",)), prefer="corner")
    put(p, washer, ("spray_bottle",), ("soap_dispenser",))
    cupboard = p.against(p.pick(CUPBOARDS), prefer="any")
    put(p, cupboard, ("wicker_basket",), ("spray_bottle",))
    _on_floor(p, (("bucket",), ("wicker_basket",), ("storage_box",)), count=2)
    radiators(p)


def childs_room(p: Placer) -> None:
    bedroom(p)
    _on_floor(p, _TOYS, count=3)


def playroom(p: Placer) -> None:
    bookcase(p)
    x, y = p.center
    p.rug(p.pick(CARPETS), x, y, (1.8, 1.3), 0.0)
    _on_floor(p, _TOYS, count=5)
    corner(p, ("armchair",), ("ottoman",), gap=0.1)
    wall_shelf(p)
    radiators(p)
    bare_walls(p, PICTURES, PICTURES)


def television_room(p: Placer) -> None:
    p.free_floor = (0.9, 2.0)
    living(p)


def garage(p: Placer) -> None:
    _shelves(p, (("hammer",), ("bucket",), ("carton",), ("work_helmet",)), count=2)
    p.against(p.pick(("desk", "console_table")), prefer="any", front=0.6)
    _on_floor(p, (("carton",), ("storage_box",), ("bucket",), ("tennis_racket",)), count=4)


def sauna(p: Placer) -> None:
    for _ in range(3):
        p.against(p.pick(("bench",)), prefer="any")
    _on_floor(p, (("bucket",),), count=1)


def open_floor(p: Placer) -> None:
    """Any other room: a table with something to sit on, plants and pictures."""
    table = p.against(p.pick(("console_table", "desk")), prefer="any", front=0.5)
    put(p, table, BOOKS, ("vase",))
    corner(p, ("armchair",), PLANTS, gap=0.1)
    radiators(p)
    bare_walls(p, PICTURES, PICTURES)


# -- the rest of a list --------------------------------------------------------------------


def leftovers(p: Placer, count: int) -> None:
    """Place what the rules have left of the room's list, the largest first, at most ``count``.

    Furniture goes to the walls, then anywhere; small things onto furniture, then to the walls.
    """
    if p.stock is None:
        return
    rest = [(category, model) for category, models in p.stock.left.items() for model in models]
    rest.sort(key=lambda item: (-_footprint(*item), item))
    bases = [piece for piece in p.placed if piece.asset.supports]
    for category, model in rest[:count]:
        asset = assets.get(category, model, p.palette)
        places = assets.info(category).places
        done: Placed | None = None
        if category in CARPETS:
            x, y = p.center
            p.rug(asset, x, y, asset.size[:2], 0.0)
        elif "wall" in places:
            done = _hang(p, category, model)
        elif not {"floor", "ceiling"} & set(places) or (
            "table" in places and asset.size[2] < 0.45 and asset.nominal_radius < 0.2
        ):
            seats = bool({"seat", "bed"} & set(places))
            fit = [b for b in bases if (b.asset.category in _SEATS) == seats]
            order = [fit[int(k)] for k in p.rng.permutation(len(fit))]
            for base in order[:_TRIES]:
                level = int(p.rng.integers(len(base.asset.supports)))
                done = p.on(base, (category,), level=level, tries=3)
                if done is not None:
                    break
        if done is None and "floor" in places and category not in CARPETS:
            prefer = "corner" if category in _CORNERS else "any"
            fixed = assets.info(category).kind == "furniture"
            done = p.against(asset, prefer=prefer, fixed=fixed)
            if done is None and fixed:
                done = _anywhere(p, category, model)
        if done is not None and done.asset.supports:
            bases.append(done)


def _footprint(category: str, model: str) -> float:
    x, y, _ = assets.sizes(category)[model]
    return x * y


def _hang(p: Placer, category: str, model: str) -> Placed | None:
    asset = assets.get(category, model, p.palette)
    for side in p.by_freedom():
        low, high = p.span(side)
        for share in (0.5, 0.3, 0.7, 0.15, 0.85):
            height = max(_EYE, asset.size[2] / 2 + 0.3)
            done = p.hang(asset, side, low + share * (high - low), height)
            if done is not None:
                return done
    return None


def _anywhere(p: Placer, category: str, model: str) -> Placed | None:
    """Free-standing, where there is still room to walk round it."""
    asset = assets.get(category, model, p.palette)
    x0, y0, x1, y1 = p.room.inner
    for _ in range(_TRIES):
        x, y = float(p.rng.uniform(x0, x1)), float(p.rng.uniform(y0, y1))
        half = max(asset.size[:2]) / 2 + 0.45
        if p.free(x - half, y - half, x + half, y + half):
            return p.at(asset, x, y, float(p.rng.integers(4)) * 1.5707963267948966)
    return None
