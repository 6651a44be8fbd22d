"""What stands in which room: one rule per room type, written with the placer.

Every rule leaves the middle of the room walkable. Bathrooms have no wall mirror: the only mirrors
of a scene are those that a question puts there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from esi_fast.assets._house_place import Box, Placed, Placer
from esi_fast.assets._house_plan import Rect, Side
from esi_fast.assets.base import Asset

__all__ = ["FREE_FLOOR", "furnish"]

# Free floor that the living room keeps, across and along its seating (metres): room for a mirror
# with its objects on both sides, or for a line of objects with the camera's distance.
FREE_FLOOR = (3.0, 4.0)

_OPPOSITE: dict[Side, Side] = {"W": "E", "E": "W", "S": "N", "N": "S"}
_BOOKS = ("hardback", "book", "notebook", "comic_book")
_PLANTS = ("pot_plant", "potted_plant", "plant", "bonsai", "fern")
_RUGS = ("rug", "carpet", "mat")
_PICTURES = ("picture", "painting", "poster")
_FLOOR_LAMPS = ("floor_lamp", "standing_lamp")
_TABLE_LAMPS = ("table_lamp", "lamp", "desk_lamp")
_CHAIRS = ("straight_chair", "chair", "dining_chair")
_CUPBOARDS = ("bottom_cabinet", "cabinet", "commode", "chest")


def furnish(placer: Placer) -> None:
    """Furnish a room by the rule of its type."""
    _RULES[placer.room.type](placer)


def _axis(side: Side) -> int:
    return 0 if side in ("W", "E") else 1


def _inward(side: Side) -> float:
    return 1.0 if side in ("W", "S") else -1.0


def _pictures(p: Placer, above: Placed | None, *, count: int = 1) -> None:
    """Pictures on the wall above a piece of furniture, evenly, at eye height."""
    if above is None or above.side is None:
        return
    along = above.spec.position[1 - _axis(above.side)]
    for k in range(count):
        asset = p.pick(_PICTURES)
        if asset is None:
            return
        height = max(1.5, above.box.z1 + asset.size[2] / 2 + 0.15)
        p.hang(asset, above.side, along + (k - (count - 1) / 2) * (asset.size[1] + 0.2), height)


def _wall_pictures(p: Placer, count: int) -> None:
    """Pictures on walls that are still bare."""
    for side in p.by_freedom():
        if count == 0:
            return
        low, high = p._span(side)
        for share in (0.5, 0.3, 0.7):
            placed = p.hang(p.pick(_PICTURES), side, low + share * (high - low), 1.55)
            if placed is not None:
                count -= 1
                break


def _beside(p: Placer, piece: Placed, categories: Sequence[str], sign: float) -> Placed | None:
    """A piece with its back to the same wall, left (1) or right (-1) of another."""
    asset = p.pick(categories)
    if asset is None or piece.side is None:
        return None
    axis = 1 - _axis(piece.side)
    half = (piece.box[3 + axis] - piece.box[axis]) / 2
    near = piece.spec.position[axis] + sign * (half + asset.size[1] / 2 + 0.04)
    placed = p.against(asset, walls=[piece.side], near=near)
    return placed


def _bookcase(p: Placer) -> None:
    """A bookcase with some books and things on its boards."""
    case = p.against(p.pick(("bookcase", "shelf", "bookshelf")), prefer="corner")
    if case is None:
        return
    for level in range(len(case.asset.supports)):
        for _ in range(int(p.rng.integers(1, 4))):
            thing = _BOOKS if p.rng.random() < 0.7 else ("vase", "bowl", "box", "alarm_clock")
            p.on(case, thing, level=level, tries=4)


def _living(p: Placer) -> None:
    sofa = _seating(p)
    if sofa is not None:
        _pictures(p, sofa, count=2)
    _bookcase(p)
    p.against(p.pick(_PLANTS), prefer="corner", gap=0.08)
    p.against(p.pick(_FLOOR_LAMPS), prefer="corner", gap=0.08)
    console = p.against(p.pick(("console_table", *_CUPBOARDS)), prefer="any")
    for categories in (_TABLE_LAMPS, ("vase", "pot_plant"), _BOOKS):
        p.on(console, categories)
    _wall_pictures(p, 2)


def _seating(p: Placer) -> Placed | None:
    """Sofa and television on opposite walls, a table between, and the free floor kept clear.

    Tried on both axes and both ways round; the first arrangement that leaves the free floor wins.
    """
    sofa_asset = p.pick(("sofa", "couch", "loveseat"))
    if sofa_asset is None:
        return None
    x0, y0, x1, y1 = p.room.inner
    longest: Side = "W" if x1 - x0 >= y1 - y0 else "S"
    other: Side = "S" if longest == "W" else "W"
    order = [longest, _OPPOSITE[longest], other, _OPPOSITE[other]]
    if p.rng.random() < 0.5:
        order[0], order[1] = order[1], order[0]
    tv_asset = p.pick(("tv_stand", "entertainment_center", "console_table", *_CUPBOARDS))
    table_asset = p.pick(("coffee_table",))
    for side in order:
        axis, sign = _axis(side), _inward(side)
        low, high = p.room.inner[axis], p.room.inner[axis + 2]
        across = (p.room.inner[1 - axis], p.room.inner[3 - axis])
        depth_sofa = sofa_asset.size[0] + 0.05
        depth_tv = (tv_asset.size[0] if tv_asset else 0.0) + 0.05
        table_depth = 0.0
        if table_asset is not None:
            table_depth = min(table_asset.size[:2]) + 0.4
        spare = (high - low) - depth_sofa - depth_tv - FREE_FLOOR[0]
        if spare < 0.0 or across[1] - across[0] < FREE_FLOOR[1]:
            continue
        with_table = spare >= table_depth + 0.02
        # The free floor lies before the television stand, in the middle across.
        edge = (high if sign > 0 else low) - sign * depth_tv
        middle = (across[0] + across[1]) / 2
        span = (middle - FREE_FLOOR[1] / 2, middle + FREE_FLOOR[1] / 2)
        first, last = sorted((edge, edge - sign * FREE_FLOOR[0]))
        zone: Rect = (
            (first, span[0], last, span[1]) if axis == 0 else (span[0], first, span[1], last)
        )
        p.clear.append(zone)
        sofa = p.against(sofa_asset, walls=[side], near=middle)
        if sofa is None:
            p.clear.remove(zone)
            continue
        at = sofa.spec.position[1 - axis]
        _around_sofa(p, sofa, table_asset if with_table else None)
        stand = p.against(tv_asset, walls=[_OPPOSITE[side]], near=at)
        if stand is not None:
            screen = p.on(
                stand,
                ("standing_tv", "tv", "television", "monitor"),
                u=-0.3,
                v=0.0,
                yaw=0.0,
                fixed=True,
            )
            if screen is None:
                p.on(stand, ("vase", *_PLANTS))
            p.on(stand, ("remote_control", *_BOOKS))
        return sofa
    return p.against(sofa_asset)


def _around_sofa(p: Placer, sofa: Placed, table_asset: Asset | None) -> None:
    fx, fy = sofa.front
    sx, sy, _ = sofa.spec.position
    half = sofa.asset.size[0] / 2
    if table_asset is not None:
        long_first = table_asset.size[0] > table_asset.size[1]
        yaw = sofa.yaw + (math.pi / 2 if long_first else 0.0)
        depth = min(table_asset.size[:2])
        length = max(table_asset.size[:2])
        reach = half + 0.36 + depth / 2
        x, y = sx + fx * reach, sy + fy * reach
        p.rug(p.pick(_RUGS), x, y, (depth + 0.5, max(length + 0.7, 1.8)), sofa.yaw)
        table = p.at(table_asset, x, y, yaw)
        for categories in (
            _BOOKS,
            ("mug", "teacup", "cup"),
            ("bowl", "vase", "tray"),
            ("remote_control",),
        ):
            p.on(table, categories)
    # Armchairs turn a little towards the middle of the group.
    for sign in (-1.0, 1.0):
        asset = p.pick(("armchair",))
        if asset is None:
            break
        lateral = sofa.asset.size[1] / 2 + 0.25 + asset.size[0] / 2
        ahead = half + 0.1 + asset.size[1] / 2
        x = sx + fx * ahead - fy * sign * lateral
        y = sy + fy * ahead + fx * sign * lateral
        if p.at(asset, x, y, sofa.yaw - sign * math.pi / 2) is not None:
            break
    for sign in (1.0, -1.0):
        side = _beside(p, sofa, ("side_table", "end_table", "stool", "nightstand"), sign)
        if side is not None:
            p.on(side, _TABLE_LAMPS, u=0.0, v=0.0, yaw=0.0)
            break
    for sign in (-1.0, 1.0):
        if _beside(p, sofa, _FLOOR_LAMPS, sign) is not None:
            break
    for v in (-0.75, 0.75):
        p.on(sofa, ("pillow", "cushion", "throw_pillow"), u=-0.2, v=v, yaw=0.0)


def _table_with_chairs(p: Placer, x: float, y: float, *, along_x: bool, seats: int) -> bool:
    """A table with chairs that face it, opposite each other along its long sides."""
    table_asset = p.pick(("breakfast_table", "dining_table", "table", "conference_table"))
    if table_asset is None:
        return False
    chair_asset = p.pick(_CHAIRS)
    long_half, short_half = max(table_asset.size[:2]) / 2, min(table_asset.size[:2]) / 2
    # Table and chairs come together or not at all, with room to pull a chair out a little.
    reach = short_half + (chair_asset.size[0] + 0.2 if chair_asset else 0.0)
    half_x, half_y = (long_half, reach) if along_x else (reach, long_half)
    if not p.fits(Box(x - half_x, y - half_y, 0.0, x + half_x, y + half_y, 1.0)):
        return False
    long_is_x = table_asset.size[0] >= table_asset.size[1]
    table = p.at(table_asset, x, y, 0.0 if long_is_x == along_x else math.pi / 2)
    if table is None:
        return False
    if chair_asset is not None:
        fit = int(2 * long_half / (chair_asset.size[1] + 0.08))
        per_side = max(1, min(seats // 2, fit))
        for sign in (-1.0, 1.0):
            for k in range(per_side):
                offset = ((k + 0.5) / per_side * 2 - 1) * long_half
                away = short_half + chair_asset.size[0] / 2 + 0.06
                away += float(p.rng.uniform(0.0, 0.05))
                turn = float(p.rng.uniform(-0.06, 0.06))
                if along_x:
                    at, face = (x + offset, y + sign * away), -sign * math.pi / 2
                else:
                    at, face = (x + sign * away, y + offset), (math.pi if sign > 0 else 0.0)
                p.at(chair_asset, *at, face + turn, fixed=False)
    p.on(table, ("bowl", "vase", "pot_plant"), u=0.0, v=0.0)
    for categories in (("plate",), ("mug", "cup"), ("apple", "orange", "pear"), ("plate",)):
        p.on(table, categories)
    return True


def _dining_table(p: Placer, x: float, y: float, *, along_x: bool, seats: int) -> bool:
    """The table as near to (x, y) as it fits, turned if it must be."""
    steps = [0.25 * k for k in range(-8, 9)]
    offsets = sorted(((dx, dy) for dx in steps for dy in steps), key=lambda d: (math.hypot(*d), d))
    for turned in (along_x, not along_x):
        for dx, dy in offsets:
            if _table_with_chairs(p, x + dx, y + dy, along_x=turned, seats=seats):
                return True
    return False


def _dining(p: Placer) -> None:
    x0, y0, x1, y1 = p.room.inner
    x, y = p.center
    along_x = x1 - x0 > y1 - y0
    _dining_table(p, x, y, along_x=along_x, seats=6)
    board = p.against(p.pick(("sideboard", "console_table", *_CUPBOARDS)), prefer="center")
    for categories in (_TABLE_LAMPS, ("vase",), ("teapot", "pitcher")):
        p.on(board, categories)
    _pictures(p, board)
    p.against(p.pick(_PLANTS), prefer="corner", gap=0.08)
    p.against(p.pick(_FLOOR_LAMPS), prefer="corner", gap=0.08)
    _wall_pictures(p, 1)


# A kitchen run: categories, width; all are 0.6 m deep and 0.9 m high.
_DEPTH, _COUNTER = 0.62, 0.9
_MODULES: tuple[tuple[tuple[str, ...], float], ...] = (
    (_CUPBOARDS, 0.6),
    (("furniture_sink", "sink", "kitchen_sink"), 0.8),
    (("dishwasher", *_CUPBOARDS), 0.6),
    (_CUPBOARDS, 0.6),
    (("stove", "oven", "range"), 0.62),
    (_CUPBOARDS, 0.6),
)


def _kitchen(p: Placer) -> None:
    tops: list[Placed] = []
    run = _kitchen_run(p, tops)
    x0, y0, x1, y1 = p.room.inner
    if run is not None:
        p.against(p.pick(("fridge", "refrigerator")), walls=[run], prefer="corner") or p.against(
            p.pick(("fridge", "refrigerator")), prefer="corner"
        )
        _wall_cupboards(p, run)
    else:
        p.against(p.pick(("fridge", "refrigerator")), prefer="corner")
    bases = [t for t in tops if t.spec.category in _CUPBOARDS] or tops
    wanted = (
        ("microwave",),
        ("kettle", "teakettle", "coffee_maker"),
        ("toaster",),
        ("bowl",),
        ("mug",),
        ("bottle", "wine_bottle"),
        ("plate",),
        ("jar", "canister"),
    )
    for k, categories in enumerate(wanted):
        if bases:
            upright = categories[0] in ("microwave", "toaster")
            p.on(bases[k % len(bases)], categories, yaw=0.0 if upright else None)
    # Dining happens here where the house has no dining room of its own.
    if run is not None:
        x, y = p.center
        shift = 0.3 * _inward(run)
        x, y = (x + shift, y) if _axis(run) == 0 else (x, y + shift)
        _dining_table(p, x, y, along_x=x1 - x0 > y1 - y0, seats=4)
    p.against(p.pick(("trash_can", "ashcan", "dustbin")), prefer="corner", fixed=False)
    p.against(p.pick(_PLANTS), prefer="corner", gap=0.08)
    _wall_pictures(p, 1)


def _kitchen_run(p: Placer, tops: list[Placed]) -> Side | None:
    """Counter modules side by side along the freest wall."""
    best: tuple[float, Side, float, float] | None = None
    for side in p.by_freedom():
        for low, high in _free_stretches(p, side):
            if best is None or high - low > best[0] + 0.3:
                best = (high - low, side, low, high)
    if best is None:
        return None
    _, side, low, high = best
    reserve = 0.85 if high - low > 2.6 else 0.0  # for the fridge
    width = sum(m[1] for m in _MODULES)
    usable = high - low - reserve
    modules = list(_MODULES)
    while width > usable and len(modules) > 2:
        # The outer cupboards go first; sink and stove stay.
        drop = next((i for i in (5, 0, 3, 2) if i < len(modules)), 0)
        width -= modules.pop(drop)[1]
    start = low + 0.02 if p.rng.random() < 0.5 else high - 0.02 - width
    cursor = start
    shared = p.pick(_CUPBOARDS)
    for categories, span in modules:
        asset = shared if shared and shared.category in categories else p.pick(categories)
        if asset is not None:
            placed = p.against(
                asset,
                walls=[side],
                near=cursor + span / 2,
                size=(_DEPTH, span - 0.021, _COUNTER),
            )
            if placed is not None:
                tops.append(placed)
        cursor += span
    x0, y0, x1, y1 = p.room.inner
    deep = _DEPTH + 0.8
    p.clear.append(
        {
            "W": (x0, start, x0 + deep, start + width),
            "E": (x1 - deep, start, x1, start + width),
            "S": (start, y0, start + width, y0 + deep),
            "N": (start, y1 - deep, start + width, y1),
        }[side]
    )
    return side


def _free_stretches(p: Placer, side: Side) -> list[tuple[float, float]]:
    """Stretches of a wall that no doorway of any wall takes, and no low window sill."""
    low, high = p._span(side)
    x0, y0, x1, y1 = p.room.inner
    strip: Rect = {
        "W": (x0, y0, x0 + _DEPTH + 0.05, y1),
        "E": (x1 - _DEPTH - 0.05, y0, x1, y1),
        "S": (x0, y0, x1, y0 + _DEPTH + 0.05),
        "N": (x0, y1 - _DEPTH - 0.05, x1, y1),
    }[side]
    i = 1 - _axis(side)
    taken = sorted(
        (d[i], d[i + 2])
        for d in p.doors
        if d[0] < strip[2] and strip[0] < d[2] and d[1] < strip[3] and strip[1] < d[3]
    )
    free: list[tuple[float, float]] = []
    at = low
    for a, b in taken:
        if a - at > 1.4:
            free.append((at, a))
        at = max(at, b)
    if high - at > 1.4:
        free.append((at, high))
    return free


def _wall_cupboards(p: Placer, side: Side) -> None:
    asset = p.pick(("top_cabinet", "wall_cabinet"))
    if asset is None:
        return
    low, high = p._span(side)
    count = int((high - low) / 0.62)
    for k in range(count):
        along = low + 0.02 + 0.31 + k * 0.62
        size = (0.34, 0.6, 0.65)
        if p._before_window(side, along, 0.7, 2.1):
            continue
        x, y = p._point(side, along, size[0] / 2 + 0.001)
        yaw = {"W": 0.0, "E": math.pi, "S": math.pi / 2, "N": -math.pi / 2}[side]
        p.at(asset, x, y, yaw, z=1.45, size=size, side=side, clear=False)


def _bedroom(p: Placer) -> None:
    bed_asset = p.pick(("bed",))
    bed = None
    if bed_asset is not None:
        reserve = 0.65
        for side in p.by_freedom():
            bed = p.against(bed_asset, walls=[side], prefer="center", front=reserve)
            if bed is not None:
                break
    if bed is not None:
        for sign in (-1.0, 1.0):
            stand = _beside(
                p,
                bed,
                ("nightstand", "bedside_table", "end_table", "side_table", *_CUPBOARDS),
                sign,
            )
            p.on(stand, _TABLE_LAMPS, u=-0.2, v=0.0, yaw=0.0)
            p.on(stand, (("alarm_clock", "clock") if sign > 0 else _BOOKS))
        for v in (-0.5, 0.5):
            p.on(bed, ("pillow",), u=-0.85, v=v, yaw=0.0)
        p.on(bed, ("teddy_bear", "plush_toy", "blanket"))
        _pictures(p, bed, count=1)
        fx, fy = bed.front
        x, y, _ = bed.spec.position
        for sign in (1.0, -1.0):
            away = bed.asset.size[1] / 2 + 0.75
            if p.rug(
                p.pick(_RUGS),
                x - fy * sign * away + fx * 0.3,
                y + fx * sign * away + fy * 0.3,
                (1.6, 1.0),
                bed.yaw,
            ):
                break
    p.against(p.pick(("wardrobe", "armoire")), prefer="corner", front=0.7)
    dresser = p.against(p.pick(("dresser", "commode", "chest", *_CUPBOARDS)), prefer="any")
    for categories in (("vase", "pot_plant"), _BOOKS, ("jewelry_box", "box")):
        p.on(dresser, categories)
    _pictures(p, dresser)
    _desk(p)
    p.against(p.pick(("armchair", "laundry_hamper", "hamper")), prefer="corner", gap=0.1)
    p.against(p.pick(_PLANTS), prefer="corner", gap=0.08)
    _wall_pictures(p, 1)


def _desk(p: Placer) -> Placed | None:
    """A desk at a window or wall with its chair before it, facing it."""
    asset = p.pick(("desk",))
    if asset is None:
        return None
    windows = [s for s in p.by_freedom() if p.windows(s)]
    desk = p.against(asset, walls=[*windows, *p.by_freedom()], prefer="window")
    if desk is None:
        return None
    chair = p.pick(("swivel_chair", "office_chair", *_CHAIRS))
    if chair is not None:
        fx, fy = desk.front
        reach = asset.size[0] / 2 + chair.size[0] / 2 + 0.05
        x, y, _ = desk.spec.position
        p.at(chair, x + fx * reach, y + fy * reach, desk.yaw + math.pi, fixed=False)
    p.on(desk, ("laptop", "monitor", "desktop_computer"), u=-0.3, v=0.0, yaw=0.0)
    p.on(desk, _TABLE_LAMPS, u=-0.7, v=0.85, yaw=0.0)
    p.on(desk, _BOOKS)
    p.on(desk, ("mug", "cup", "pencil_box"))
    return desk


def _bathroom(p: Placer) -> None:
    p.against(p.pick(("bathtub", "shower_stall")), prefer="corner", front=0.3)
    p.against(p.pick(("toilet",)), prefer="any", front=0.5)
    p.against(p.pick(("pedestal_sink", "sink", "furniture_sink")), prefer="any", front=0.5)
    cabinet = p.against(p.pick(("washer", "washing_machine", *_CUPBOARDS)), prefer="corner")
    for categories in (("towel", "folded_towel"), ("bottle", "soap_bottle"), ("cup", "mug")):
        p.on(cabinet, categories, yaw=0.0)
    p.against(p.pick(("laundry_hamper", "hamper", "trash_can")), prefer="corner", fixed=False)
    p.against(p.pick(_PLANTS), prefer="corner", gap=0.08)
    x, y = p.center
    p.rug(p.pick(("bath_mat", "mat", *_RUGS)), x, y, (0.9, 0.6), 0.0)


def _study(p: Placer) -> None:
    _desk(p)
    _bookcase(p)
    _bookcase(p)
    p.against(p.pick(("armchair",)), prefer="corner", gap=0.12)
    p.against(p.pick(_FLOOR_LAMPS), prefer="corner", gap=0.08)
    p.against(p.pick(("piano", *_CUPBOARDS)), prefer="any")
    x, y = p.center
    p.rug(p.pick(_RUGS), x, y, (1.4, 1.0), 0.0)
    p.against(p.pick(_PLANTS), prefer="corner", gap=0.08)
    _wall_pictures(p, 2)


def _corridor(p: Placer) -> None:
    # Narrow furniture only: a walker of 0.2 m radius has to pass.
    for categories in (("console_table", "shoe_rack", "shelf"), _PLANTS, ("umbrella_stand",)):
        asset = p.pick(categories)
        if asset is not None and asset.size[0] <= 0.42:
            p.against(asset, prefer="corner")
    _wall_pictures(p, 3)


_RULES: dict[str, Callable[[Placer], None]] = {
    "living_room": _living,
    "kitchen": _kitchen,
    "dining_room": _dining,
    "bedroom": _bedroom,
    "bathroom": _bathroom,
    "study": _study,
    "corridor": _corridor,
}
