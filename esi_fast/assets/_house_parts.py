"""What the rules of rooms have in common: small things on furniture, pictures, lamps, corners."""

from __future__ import annotations

from collections.abc import Sequence

from esi_fast.assets._house_place import Placed, Placer, Vec3
from esi_fast.assets._house_plan import Side

__all__ = [
    "BOOKS",
    "CARPETS",
    "CHAIRS",
    "CUPBOARDS",
    "FLOOR_LAMPS",
    "OPPOSITE",
    "PICTURES",
    "PLANTS",
    "SHELF_THINGS",
    "SMALL_PLANT",
    "TABLE_LAMPS",
    "axis_of",
    "bare_walls",
    "beside",
    "bookcase",
    "corner",
    "inward_of",
    "pictures",
    "put",
    "radiators",
    "wall_shelf",
]

OPPOSITE: dict[Side, Side] = {"W": "E", "E": "W", "S": "N", "N": "S"}
BOOKS = ("hardback", "notebook")
PLANTS = ("pot_plant",)
SMALL_PLANT: tuple[Vec3, Vec3] = ((0.1, 0.1, 0.2), (0.3, 0.3, 0.42))
CARPETS = ("carpet", "rug")
PICTURES = ("picture",)
FLOOR_LAMPS = ("floor_lamp",)
TABLE_LAMPS = ("table_lamp",)
CHAIRS = ("straight_chair",)
CUPBOARDS = ("bottom_cabinet",)
SHELF_THINGS = (
    ("vase",),
    ("globe",),
    ("trophy",),
    ("alarm_clock",),
    ("hourglass",),
    ("teddy_bear",),
    ("toy_car",),
    ("radio",),
    ("pillar_candle",),
    ("bowl",),
)


def axis_of(side: Side) -> int:
    return 0 if side in ("W", "E") else 1


def inward_of(side: Side) -> float:
    return 1.0 if side in ("W", "S") else -1.0


def put(p: Placer, base: Placed | None, *things: Sequence[str]) -> None:
    """Stand things on a piece of furniture, wherever there is room on its top."""
    for categories in things:
        p.on(base, categories)


# -- walls and corners ---------------------------------------------------------------------


def pictures(p: Placer, above: Placed | None, *, count: int = 1) -> None:
    """Pictures on the wall above a piece of furniture, evenly, at eye height."""
    if above is None or above.side is None:
        return
    along = above.spec.position[1 - axis_of(above.side)]
    for k in range(count):
        asset = p.pick(PICTURES)
        if asset is None:
            return
        height = max(1.5, above.box.z1 + asset.size[2] / 2 + 0.15)
        offset = (k - (count - 1) / 2) * (asset.size[1] + 0.2)
        p.hang(asset, above.side, along + offset, height)


def bare_walls(p: Placer, *things: Sequence[str]) -> None:
    """Hang things on what is left of the walls, each on another wall."""
    left = list(things)
    for side in p.by_freedom():
        low, high = p.span(side)
        for share in (0.5, 0.3, 0.7):
            if not left:
                return
            if p.hang(p.pick(left[0]), side, low + share * (high - low), 1.6) is not None:
                left.pop(0)
                break


def wall_shelf(p: Placer) -> None:
    """A board on the wall with things on it."""
    asset = p.pick(("shelf",), size=((0.15, 0.8, 0.02), (0.3, 1.8, 0.2)))
    if asset is None:
        return
    for side in p.by_freedom():
        low, high = p.span(side)
        for share in (0.5, 0.35, 0.65):
            shelf = p.hang(asset, side, low + share * (high - low), 1.45)
            if shelf is not None:
                for k in range(5):
                    things = BOOKS if k % 2 else SHELF_THINGS[int(p.rng.integers(10))]
                    p.on(shelf, things, v=(k - 2) / 2.6)
                return


def radiators(p: Placer) -> None:
    """A radiator below each window that has space there."""
    for side in p.by_freedom():
        for a, b, sill in p.windows(side):
            asset = p.pick(("radiator",))
            if asset is not None and asset.size[2] + 0.1 < sill:
                p.against(asset, walls=[side], near=(a + b) / 2, slack=0.3)


def corner(p: Placer, *things: Sequence[str], gap: float = 0.08) -> None:
    for categories in things:
        p.against(p.pick(categories), prefer="corner", gap=gap)


def beside(p: Placer, piece: Placed, categories: Sequence[str], sign: float) -> Placed | None:
    """A piece with its back to the same wall, close beside another one."""
    asset = p.pick(categories)
    if asset is None or piece.side is None:
        return None
    axis = 1 - axis_of(piece.side)
    half = (piece.box[3 + axis] - piece.box[axis]) / 2
    near = piece.spec.position[axis] + sign * (half + asset.size[1] / 2 + 0.05)
    return p.against(asset, walls=[piece.side], near=near, slack=0.25)


def bookcase(p: Placer) -> None:
    """A bookcase with some things in front of its books."""
    case = p.against(p.pick(("bookcase",)), prefer="corner")
    if case is None:
        return
    for level in range(len(case.asset.supports)):
        if p.rng.random() < 0.8:
            things = SHELF_THINGS[int(p.rng.integers(len(SHELF_THINGS)))]
            p.on(case, things, level=level, tries=4)
