"""The rules of the main rooms: what stands where, written with the placer.

Every rule leaves the middle of the room walkable. Bathrooms have no wall mirror: the only mirrors
of a scene are those that a question puts there.
"""

from __future__ import annotations

import math

from esi_fast.assets._house_parts import (
    BOOKS,
    CARPETS,
    CHAIRS,
    CUPBOARDS,
    FLOOR_LAMPS,
    OPPOSITE,
    PICTURES,
    PLANTS,
    SMALL_PLANT,
    TABLE_LAMPS,
    axis_of,
    bare_walls,
    beside,
    bookcase,
    corner,
    inward_of,
    pictures,
    put,
    radiators,
    wall_shelf,
)
from esi_fast.assets._house_place import Box, Placed, Placer, Vec3
from esi_fast.assets._house_plan import Rect, Side
from esi_fast.assets.base import Asset

__all__ = [
    "bathroom",
    "bedroom",
    "corridor",
    "dining",
    "kitchen",
    "living",
    "study",
]

# -- living and dining ---------------------------------------------------------------------


def living(p: Placer) -> None:
    sofa = _seating(p)
    pictures(p, sofa, count=2)
    bookcase(p)
    if p.rng.random() < 0.4:
        p.against(p.pick(("piano",)), prefer="any", front=0.6)
    corner(p, PLANTS, FLOOR_LAMPS)
    console = p.against(p.pick(("console_table", *CUPBOARDS)), prefer="any")
    put(p, console, TABLE_LAMPS, ("vase",), BOOKS, ("glass_lantern",))
    pictures(p, console)
    corner(p, ("guitar",) if p.rng.random() < 0.3 else ("ottoman",))
    radiators(p)
    bare_walls(p, PICTURES, ("wall_clock",), PICTURES)


def _seating(p: Placer) -> Placed | None:
    """Sofa and television on opposite walls, a table between, and the free floor kept clear.

    Tried on both axes and both ways round; the first arrangement that leaves the free floor wins.
    """
    sofa_asset = p.pick(("sofa",))
    if sofa_asset is None:
        return None
    x0, y0, x1, y1 = p.room.inner
    longest: Side = "W" if x1 - x0 >= y1 - y0 else "S"
    other: Side = "S" if longest == "W" else "W"
    order = [longest, OPPOSITE[longest], other, OPPOSITE[other]]
    if p.rng.random() < 0.5:
        order[0], order[1] = order[1], order[0]
    # A screen wants a wall without windows.
    order.sort(key=lambda side: (axis_of(side) != axis_of(longest), len(p.windows(OPPOSITE[side]))))
    table_asset = p.pick(("coffee_table",))
    bench_asset = p.pick(CUPBOARDS)
    for side in order:
        axis, sign = axis_of(side), inward_of(side)
        low, high = p.room.inner[axis], p.room.inner[axis + 2]
        across = (p.room.inner[1 - axis], p.room.inner[3 - axis])
        depth_sofa = sofa_asset.size[0] + 0.05
        spare = (high - low) - depth_sofa - _BENCH[0] - 0.05 - p.free_floor[0]
        if spare < 0.0 or across[1] - across[0] < p.free_floor[1]:
            continue
        table_depth = min(table_asset.size[:2]) + 0.4 if table_asset is not None else 0.0
        # The free floor lies before the television, in the middle across.
        edge = (high if sign > 0 else low) - sign * (_BENCH[0] + 0.05)
        middle = (across[0] + across[1]) / 2
        span = (middle - p.free_floor[1] / 2, middle + p.free_floor[1] / 2)
        first, last = sorted((edge, edge - sign * p.free_floor[0]))
        zone: Rect = (
            (first, span[0], last, span[1]) if axis == 0 else (span[0], first, span[1], last)
        )
        p.clear.append(zone)
        sofa = p.against(sofa_asset, walls=[side], near=middle)
        if sofa is None:
            p.clear.remove(zone)
            continue
        _around_sofa(p, sofa, table_asset if spare >= table_depth + 0.02 else None)
        _television(p, bench_asset, OPPOSITE[side], sofa.spec.position[1 - axis])
        return sofa
    return p.against(sofa_asset)


_BENCH: Vec3 = (0.42, 0.75, 0.5)  # one of the two low cupboards below a television


def _television(p: Placer, bench_asset: Asset | None, side: Side, at: float) -> None:
    """Two low cupboards side by side and a screen above them, as near to ``at`` as they fit."""
    low, high = p.span(side)
    width = 2 * _BENCH[1] + 0.021
    steps = sorted((0.1 * k for k in range(-30, 31)), key=lambda d: (abs(d), d))
    for center in (at + d for d in steps):
        if not low + width / 2 < center < high - width / 2:
            continue
        x, y = p.point(side, center, _BENCH[0] / 2 + 0.03)
        half = (_BENCH[0] / 2, width / 2) if axis_of(side) == 0 else (width / 2, _BENCH[0] / 2)
        whole = Box(x - half[0], y - half[1], 0.0, x + half[0], y + half[1], 1.7)
        if p.fits(whole) and not p.before_window(side, center, width, 1.7):
            break
    else:
        return
    offset = (_BENCH[1] + 0.021) / 2
    benches = [
        p.against(bench_asset, walls=[side], near=center + d, size=_BENCH, slack=0.02)
        for d in (-offset, offset)
    ]
    screen = p.pick(("wall_mounted_tv",))
    if screen is not None:
        p.hang(screen, side, center, _BENCH[2] + 0.25 + screen.size[2] / 2)
    put(p, benches[0], ("loudspeaker",), BOOKS)
    p.on(benches[1], PLANTS, size=SMALL_PLANT)
    put(p, benches[1], ("radio", "vase"))


def _around_sofa(p: Placer, sofa: Placed, table_asset: Asset | None) -> None:
    fx, fy = sofa.front
    sx, sy, _ = sofa.spec.position
    half = sofa.asset.size[0] / 2
    if table_asset is not None:
        long_first = table_asset.size[0] > table_asset.size[1]
        yaw = sofa.yaw + (math.pi / 2 if long_first else 0.0)
        depth, length = min(table_asset.size[:2]), max(table_asset.size[:2])
        reach = half + 0.36 + depth / 2
        x, y = sx + fx * reach, sy + fy * reach
        p.rug(p.pick(CARPETS), x, y, (depth + 0.6, max(length + 0.7, 1.9)), sofa.yaw)
        table = p.at(table_asset, x, y, yaw)
        put(p, table, BOOKS, ("mug",), ("bowl", "tray"), ("pillar_candle",), BOOKS)
    # One armchair closes the group, facing the table from the side.
    for sign in (-1.0, 1.0) if p.rng.random() < 0.5 else (1.0, -1.0):
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
        side = beside(p, sofa, ("nightstand",), sign)
        if side is not None:
            p.on(side, TABLE_LAMPS, u=0.0, v=0.0, yaw=0.0)
            put(p, side, ("mug",))
            break
    for sign in (-1.0, 1.0):
        if beside(p, sofa, FLOOR_LAMPS, sign) is not None:
            break
    for v in (-0.8, 0.8):
        p.on(sofa, ("pillow",), u=-0.9, v=v, yaw=0.0)


# Kept free along a long and a short side of a table, beyond its chairs: one walks there.
_WAY = 0.4


def _dining_table(p: Placer, x: float, y: float, *, along_x: bool, seats: int) -> bool:
    """The table as near to (x, y) as it fits, turned if it must be."""
    steps = [0.25 * k for k in range(-8, 9)]
    offsets = sorted(((dx, dy) for dx in steps for dy in steps), key=lambda d: (math.hypot(*d), d))
    table = p.pick(("breakfast_table",))
    chair = p.pick(CHAIRS)
    if table is None:
        return False
    for way in (_WAY, 0.0):
        for turned in (along_x, not along_x):
            for dx, dy in offsets:
                at = (x + dx, y + dy)
                if _table_with_chairs(p, table, chair, at, way, along_x=turned, seats=seats):
                    return True
    return False


def _table_with_chairs(
    p: Placer,
    top: Asset,
    chair: Asset | None,
    center: tuple[float, float],
    way: float,
    *,
    along_x: bool,
    seats: int,
) -> bool:
    """A table with chairs that face it, opposite each other along its long sides."""
    long_half, short_half = max(top.size[:2]) / 2, min(top.size[:2]) / 2
    x, y = center
    # Table and chairs come together or not at all, with room to pull a chair out a little.
    reach = short_half + (chair.size[0] + 0.2 if chair else 0.0)
    half_x, half_y = (long_half, reach) if along_x else (reach, long_half)
    if not any(
        p.fits(Box(x - half_x - w, y - half_y - s, 0.0, x + half_x + e, y + half_y + n, 1.0))
        for w, e in ((way, 0.0), (0.0, way))
        for s, n in ((way, 0.0), (0.0, way))
    ):
        return False
    long_is_x = top.size[0] >= top.size[1]
    table = p.at(top, x, y, 0.0 if long_is_x == along_x else math.pi / 2)
    if table is None:
        return False
    if chair is not None:
        per_side = max(1, min(seats // 2, int(2 * long_half / (chair.size[1] + 0.08))))
        for sign in (-1.0, 1.0):
            for k in range(per_side):
                offset = ((k + 0.5) / per_side * 2 - 1) * long_half
                away = short_half + chair.size[0] / 2 + 0.06 + float(p.rng.uniform(0.0, 0.05))
                turn = float(p.rng.uniform(-0.06, 0.06))
                if along_x:
                    at, face = (x + offset, y + sign * away), -sign * math.pi / 2
                else:
                    at, face = (x + sign * away, y + offset), (math.pi if sign > 0 else 0.0)
                p.at(chair, *at, face + turn, fixed=False)
    p.on(table, ("bowl", "vase"), u=0.0, v=0.0)
    put(p, table, ("plate",), ("mug",), ("apple",), ("plate",), ("water_glass",), ("salt_shaker",))
    return True


def dining(p: Placer) -> None:
    x0, y0, x1, y1 = p.room.inner
    x, y = p.center
    _dining_table(p, x, y, along_x=x1 - x0 > y1 - y0, seats=6)
    board = p.against(p.pick(("console_table", *CUPBOARDS)), prefer="center")
    put(p, board, TABLE_LAMPS, ("vase",), ("teapot",), ("candle_holder",))
    pictures(p, board)
    corner(p, PLANTS, FLOOR_LAMPS)
    radiators(p)
    bare_walls(p, PICTURES, ("wall_clock",))


# -- kitchen -------------------------------------------------------------------------------

# A run of modules: categories, width; all are 0.62 m deep and 0.9 m high.
_DEPTH, _COUNTER = 0.62, 0.9
_MODULES: tuple[tuple[tuple[str, ...], float], ...] = (
    (CUPBOARDS, 0.6),
    (("dishwasher", *CUPBOARDS), 0.6),
    (("furniture_sink", *CUPBOARDS), 0.75),
    (CUPBOARDS, 0.6),
    (("stove", *CUPBOARDS), 0.7),
    (CUPBOARDS, 0.6),
)
_SINK_HEIGHT = 1.08  # with its tap


def kitchen(p: Placer) -> None:
    tops: list[Placed] = []
    run = _kitchen_run(p, tops)
    x0, y0, x1, y1 = p.room.inner
    fridge = p.pick(("fridge",))
    placed = p.against(fridge, walls=[run], prefer="corner", front=0.8) if run else None
    if placed is None:
        p.against(fridge, prefer="corner", front=0.8)
    if run is not None:
        _wall_cupboards(p, run)
    bases = [t for t in tops if t.spec.category in CUPBOARDS] or tops
    wanted = (
        ("microwave",),
        ("kettle",),
        ("toaster",),
        ("coffee_maker",),
        ("hingeless_jar",),
        ("cutting_board",),
        ("mug",),
        ("bowl",),
        ("wine_bottle",),
        ("blender",),
    )
    for k, categories in enumerate(wanted):
        if bases:
            facing = categories[0] in ("microwave", "toaster", "coffee_maker")
            p.on(bases[k % len(bases)], categories, yaw=0.0 if facing else None)
    for stove in (t for t in tops if t.spec.category == "stove"):
        p.on(stove, ("stockpot",))
    # Dining happens here where the house has no dining room of its own.
    if run is not None:
        x, y = p.center
        shift = 0.3 * inward_of(run)
        x, y = (x + shift, y) if axis_of(run) == 0 else (x, y + shift)
        _dining_table(p, x, y, along_x=x1 - x0 > y1 - y0, seats=4)
    p.against(p.pick(("trash_can",)), prefer="corner", fixed=False)
    corner(p, PLANTS)
    radiators(p)
    bare_walls(p, ("wall_clock",), PICTURES)


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
    usable = high - low - (0.9 if high - low > 2.7 else 0.0)  # the rest is for the fridge
    modules = list(_MODULES)
    while sum(m[1] for m in modules) > usable and len(modules) > 2:
        # Cupboards go first, then the dishwasher; sink and stove stay.
        spare = [k for k, m in enumerate(modules) if m[0] == CUPBOARDS]
        modules.pop(spare[-1] if spare else 0)
    width = sum(m[1] for m in modules)
    start = low + 0.02 if p.rng.random() < 0.5 else high - 0.02 - width
    shared = p.pick(CUPBOARDS)
    cursor = start
    for categories, span in modules:
        asset = shared if categories == CUPBOARDS else p.pick(categories)
        if asset is not None:
            height = _SINK_HEIGHT if asset.category == "furniture_sink" else _COUNTER
            placed = p.against(
                asset,
                walls=[side],
                near=cursor + span / 2,
                size=(_DEPTH, span - 0.021, height),
                slack=0.02,
                windows=False,
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
    """Stretches of a wall, a counter deep, that no doorway takes."""
    low, high = p.span(side)
    x0, y0, x1, y1 = p.room.inner
    deep = _DEPTH + 0.05
    strip: Rect = {
        "W": (x0, y0, x0 + deep, y1),
        "E": (x1 - deep, y0, x1, y1),
        "S": (x0, y0, x1, y0 + deep),
        "N": (x0, y1 - deep, x1, y1),
    }[side]
    i = 1 - axis_of(side)
    taken = sorted(
        (d[i], d[i + 2])
        for d in p.doors
        if d[0] < strip[2] and strip[0] < d[2] and d[1] < strip[3] and strip[1] < d[3]
    )
    free: list[tuple[float, float]] = []
    at = low
    for a, b in [*taken, (high, high)]:
        if a - at > 1.4:
            free.append((at, a))
        at = max(at, b)
    return free


def _wall_cupboards(p: Placer, side: Side) -> None:
    """A row of hung cupboards above the counter, leaving out the window."""
    asset = p.pick(("top_cabinet",))
    if asset is None:
        return
    size = (0.34, 0.6, 0.65)
    low, high = p.span(side)
    for k in range(int((high - low - 0.04) / 0.62)):
        p.hang(asset, side, low + 0.33 + k * 0.62, 1.78, size=size, margin=0.0)


# -- bedroom, study ------------------------------------------------------------------------


def bedroom(p: Placer) -> None:
    bed_asset = p.pick(("bed",))
    bed = p.against(bed_asset, prefer="center", front=0.6)
    if bed is not None:
        for sign in (-1.0, 1.0):
            stand = beside(p, bed, ("nightstand",), sign)
            p.on(stand, TABLE_LAMPS, u=-0.2, v=0.0, yaw=0.0)
            put(p, stand, ("alarm_clock",) if sign > 0 else BOOKS)
        p.on(bed, ("teddy_bear", "hat"), u=0.2)
        pictures(p, bed)
        fx, fy = bed.front
        x, y, _ = bed.spec.position
        carpet = p.pick(CARPETS)
        for sign in (1.0, -1.0):
            away = bed.asset.size[1] / 2 + 0.7
            at = (x - fy * sign * away + fx * 0.3, y + fx * sign * away + fy * 0.3)
            if p.rug(carpet, *at, (1.5, 0.9), bed.yaw):
                break
    wardrobe = p.pick(("wardrobe",))
    p.against(wardrobe, prefer="corner", front=0.7, size=(0.58, 1.2, 2.05))
    dresser = p.against(p.pick(CUPBOARDS), prefer="any")
    p.on(dresser, PLANTS, size=SMALL_PLANT)
    put(p, dresser, BOOKS, ("shoe_box",))
    pictures(p, dresser)
    _desk(p)
    corner(p, ("armchair",), gap=0.1)
    corner(p, PLANTS, ("wicker_basket",))
    radiators(p)
    bare_walls(p, PICTURES)


def _desk(p: Placer) -> Placed | None:
    """A desk at a window or wall with its chair before it, facing it."""
    asset = p.pick(("desk",))
    if asset is None:
        return None
    windows = [s for s in p.by_freedom() if p.windows(s)]
    desk = p.against(asset, walls=[*windows, *p.by_freedom()], prefer="window", front=0.9)
    if desk is None:
        return None
    chair = p.pick(("swivel_chair", *CHAIRS))
    if chair is not None:
        fx, fy = desk.front
        reach = asset.size[0] / 2 + chair.size[0] / 2 + 0.05
        x, y, _ = desk.spec.position
        turn = float(p.rng.uniform(-0.4, 0.4))
        at = (x + fx * (reach + 0.1), y + fy * (reach + 0.1))
        p.at(chair, *at, desk.yaw + math.pi + turn, fixed=False, clear=False)
    # A desk is used from its front: screens turn their faces that way.
    p.on(desk, ("monitor", "laptop"), u=-0.5, v=0.0, yaw=0.0)
    p.on(desk, ("keyboard",), u=0.6, v=0.0, yaw=0.0)
    p.on(desk, ("mouse",), u=0.6, v=-0.5, yaw=0.0)
    p.on(desk, TABLE_LAMPS, u=-0.7, v=0.85, yaw=0.0)
    put(p, desk, BOOKS, ("mug",), ("stapler",))
    return desk


def study(p: Placer) -> None:
    _desk(p)
    bookcase(p)
    bookcase(p)
    if p.rng.random() < 0.5:
        p.against(p.pick(("piano",)), prefer="any", front=0.6)
    corner(p, ("armchair",), gap=0.12)
    corner(p, FLOOR_LAMPS, PLANTS)
    x, y = p.center
    p.rug(p.pick(CARPETS), x, y, (1.5, 1.0), 0.0)
    wall_shelf(p)
    radiators(p)
    bare_walls(p, PICTURES, ("wall_clock",))


# -- bathroom, corridor --------------------------------------------------------------------


def bathroom(p: Placer) -> None:
    p.against(p.pick(("bathtub",)), prefer="corner", front=0.3)
    p.against(p.pick(("pedestal_sink", "furniture_sink")), prefer="center", front=0.5)
    p.against(p.pick(("toilet",)), prefer="any", front=0.5)
    washer = p.against(p.pick(("washer",)), prefer="corner")
    put(p, washer, ("soap_dispenser",), ("spray_bottle",))
    corner(p, ("wicker_basket",), ("trash_can",), gap=0.05)
    for side in p.by_freedom():
        low, high = p.span(side)
        if p.hang(p.pick(("towel_rack",)), side, (low + high) / 2, 1.15) is not None:
            break
    radiators(p)
    x, y = p.center
    p.rug(p.pick(CARPETS), x, y, (0.9, 0.6), 0.0)


def corridor(p: Placer) -> None:
    # Narrow furniture only: a walker of 0.2 m radius has to pass.
    for categories in (("console_table",), ("coatrack",), ("umbrella_rack",)):
        asset = p.pick(categories)
        if asset is not None and asset.size[0] <= 0.42:
            piece = p.against(asset, prefer="corner", gap=0.03)
            put(p, piece, ("vase",), ("hat",))
    bare_walls(p, PICTURES, PICTURES, ("wall_clock",))
