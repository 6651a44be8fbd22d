"""Placing furniture in one room: against walls, facing in, clear of doors and of each other."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

import numpy as np

from esi_fast import assets
from esi_fast.assets._house_plan import CEILING, SIDES, PlanRoom, Rect, Side
from esi_fast.assets.base import Asset
from esi_fast.records import ObjectSpec

__all__ = ["FREE_FLOOR", "Box", "Placed", "Placer", "Stock", "Vec3"]

Vec3: TypeAlias = tuple[float, float, float]

# Free floor that the living room keeps, across and along its seating (metres): room for a mirror
# with its objects on both sides, or for a line of objects with the camera's distance.
FREE_FLOOR = (3.0, 4.0)
_WALL_GAP = 0.016  # keeps furniture off the baseboards, which are 0.012 m thick
_MARGIN = 0.02  # least distance between two pieces
_STEP = 0.05
_DOOR_CLEAR = 0.95  # kept free on both sides of a doorway: a leaf's width and a little
_TALL = 1.0  # anything higher does not stand in front of a window

# Least and largest size of what suits a home, by category: the inventory also serves offices.
_ANY_SIZE: tuple[Vec3, Vec3] = ((0.0, 0.0, 0.0), (3.0, 3.0, 2.4))
_SIZES: dict[str, tuple[Vec3, Vec3]] = {
    "armchair": ((0.6, 0.55, 0.7), (1.0, 1.0, 1.1)),
    "bed": ((1.8, 0.9, 0.4), (2.4, 2.0, 1.3)),
    "bookcase": ((0.2, 0.55, 0.9), (0.45, 1.3, 2.0)),
    "bottom_cabinet": ((0.27, 0.5, 0.6), (0.5, 0.75, 1.0)),
    "bowl": ((0.08, 0.08, 0.03), (0.35, 0.35, 0.2)),
    "breakfast_table": ((0.6, 1.0, 0.65), (1.0, 1.9, 0.85)),
    "coffee_table": ((0.4, 0.55, 0.33), (1.0, 1.3, 0.55)),
    "console_table": ((0.25, 0.7, 0.6), (0.5, 1.8, 1.0)),
    "desk": ((0.5, 0.9, 0.65), (0.9, 1.7, 0.95)),
    "floor_lamp": ((0.3, 0.3, 1.2), (0.55, 0.55, 2.0)),
    "fridge": ((0.5, 0.5, 1.5), (0.85, 0.85, 2.1)),
    "hardback": ((0.08, 0.08, 0.005), (0.35, 0.35, 0.12)),
    "nightstand": ((0.3, 0.35, 0.4), (0.55, 0.62, 0.8)),
    "ottoman": ((0.35, 0.35, 0.25), (0.7, 0.7, 0.5)),
    "piano": ((0.5, 1.3, 0.9), (0.8, 1.7, 1.3)),
    "pot_plant": ((0.2, 0.2, 0.45), (0.5, 0.5, 1.2)),
    "room_light": ((0.2, 0.2, 0.4), (0.5, 0.5, 1.2)),
    "sofa": ((0.7, 1.4, 0.6), (1.1, 2.4, 1.1)),
    "stove": ((0.45, 0.6, 0.85), (0.75, 0.8, 1.05)),
    "straight_chair": ((0.38, 0.35, 0.75), (0.62, 0.6, 1.0)),
    "swivel_chair": ((0.45, 0.45, 0.7), (0.75, 0.75, 1.3)),
    "toilet": ((0.5, 0.3, 0.5), (0.75, 0.45, 0.95)),
    "trash_can": ((0.2, 0.2, 0.25), (0.4, 0.4, 0.5)),
    "vase": ((0.05, 0.05, 0.1), (0.3, 0.3, 0.5)),
    "wall_mounted_tv": ((0.0, 0.9, 0.5), (0.15, 1.5, 0.9)),
}

# These rock on their rounded feet before they rest; a house is at rest from the start.
_RESTLESS = frozenset({"alarm_clock", "pillow", "stockpot", "teddy_bear"})

_NORMAL: dict[Side, tuple[float, float]] = {"W": (1, 0), "E": (-1, 0), "S": (0, 1), "N": (0, -1)}
_YAW: dict[Side, float] = {"W": 0.0, "E": math.pi, "S": math.pi / 2, "N": -math.pi / 2}


class Box(NamedTuple):
    """World box of a placed thing."""

    x0: float
    y0: float
    z0: float
    x1: float
    y1: float
    z1: float


@dataclass(frozen=True)
class Placed:
    """A placed object with what the next rule needs to know."""

    spec: ObjectSpec
    asset: Asset
    box: Box
    yaw: float
    side: Side | None = None

    @property
    def front(self) -> tuple[float, float]:
        """The direction it faces."""
        return (math.cos(self.yaw), math.sin(self.yaw))


class Stock:
    """What a room may be furnished with, where that is a list: models left over, by category."""

    def __init__(self, models: Mapping[str, Sequence[str]]) -> None:
        self.left = {category: list(names) for category, names in models.items() if names}

    def model(self, category: str, size: tuple[Vec3, Vec3] | None) -> str | None:
        """The next model of a category, within a size where one is asked for."""
        for name in self.left.get(category, ()):
            if size is None or _fits_size(assets.sizes(category)[name], size):
                return name
        return None

    def take(self, category: str, model: str) -> bool:
        """Take one away; ``False`` when none of the category is left."""
        names = self.left.get(category)
        if not names:
            return False
        names.remove(model if model in names else names[-1])
        return True


# Lamps are hung by us, wherever a room's list has other lights.
_FREE = frozenset({"room_light"})


@dataclass
class Placer:
    """The state of one room while it is furnished.

    ``stock`` limits what there is to a list. ``free_floor`` is what a living room keeps free.

    ``objects`` are the results. All methods return ``None`` when nothing fits: a room is then a
    little emptier, never wrong.
    """

    room: PlanRoom
    rng: np.random.Generator
    numbers: dict[str, int]
    palette: int
    objects: list[ObjectSpec] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)
    placed: list[Placed] = field(default_factory=list)
    rugs: list[Box] = field(default_factory=list)
    clear: list[Rect] = field(default_factory=list)
    doors: list[Rect] = field(default_factory=list)
    stock: Stock | None = None
    free_floor: tuple[float, float] = FREE_FLOOR

    def __post_init__(self) -> None:
        x0, y0, x1, y1 = self.room.inner
        for side in SIDES:
            for opening in self.room.openings[side]:
                if opening.kind == "window":
                    continue
                deep = _DOOR_CLEAR
                a, b = opening.a - 0.05, opening.b + 0.05
                if opening.wide:
                    # The leaf rests against the wall beside the opening.
                    a, b = a - (b - a) * (opening.hinge < 0), b + (b - a) * (opening.hinge > 0)
                rect = {
                    "W": (x0, a, x0 + deep, b),
                    "E": (x1 - deep, a, x1, b),
                    "S": (a, y0, b, y0 + deep),
                    "N": (a, y1 - deep, b, y1),
                }[side]
                self.doors.append(rect)

    # -- what there is ---------------------------------------------------------------------

    def pick(
        self, categories: Sequence[str], *, size: tuple[Vec3, Vec3] | None = None
    ) -> Asset | None:
        """A model of the first category of the list that the inventory has in a homely size.

        ``size`` (least, largest) replaces what suits the category.
        """
        known = assets.categories()
        for category in categories:
            if category not in known:
                continue
            if self.stock is not None and category not in _FREE:
                model = self.stock.model(category, size)
                if model is not None:
                    return assets.get(category, model, self.palette)
                continue
            low, high = size or _SIZES.get(category, _ANY_SIZE)
            found = [
                model
                for model, size in assets.sizes(category).items()
                if _fits_size(size, (low, high))
            ]
            if found:
                model = found[int(self.rng.integers(len(found)))]
                return assets.get(category, model, self.palette)
        return None

    # -- geometry of the room --------------------------------------------------------------

    @property
    def center(self) -> tuple[float, float]:
        x0, y0, x1, y1 = self.room.inner
        return ((x0 + x1) / 2, (y0 + y1) / 2)

    def length(self, side: Side) -> float:
        """Length of a wall inside the room."""
        x0, y0, x1, y1 = self.room.inner
        return x1 - x0 if side in ("S", "N") else y1 - y0

    def windows(self, side: Side) -> list[tuple[float, float, float]]:
        """(from, to, sill height) of the windows of a wall."""
        return [(o.a, o.b, o.z0) for o in self.room.openings[side] if o.kind == "window"]

    def by_freedom(self) -> list[Side]:
        """Walls by the length that no door takes, longest first, ties by chance."""
        jitter = self.rng.uniform(0.0, 0.01, 4)
        free: dict[Side, float] = {}
        for side, noise in zip(SIDES, jitter, strict=True):
            doors = [o for o in self.room.openings[side] if o.kind != "window"]
            free[side] = self.length(side) - 1.3 * len(doors) + float(noise)
        return sorted(SIDES, key=lambda s: -free[s])

    def fits(
        self, box: Box, *, ignore: Sequence[Box] = (), clear: bool = True, doors: bool = True
    ) -> bool:
        """Whether a box is inside the room, off other things and off what is kept clear."""
        x0, y0, x1, y1 = self.room.inner
        if box.x0 < x0 or box.y0 < y0 or box.x1 > x1 or box.y1 > y1 or box.z1 > CEILING:
            return False
        flat = (box.x0, box.y0, box.x1, box.y1)
        if doors and any(_overlap(flat, rect) for rect in self.doors):
            return False
        if clear and any(_overlap(flat, rect) for rect in self.clear):
            return False
        m = _MARGIN
        for other in self.boxes:
            if other in ignore:
                continue
            if (
                box.x0 < other.x1 + m
                and other.x0 < box.x1 + m
                and box.y0 < other.y1 + m
                and other.y0 < box.y1 + m
                and box.z0 < other.z1
                and other.z0 < box.z1
            ):
                return False
        return True

    def free(self, x0: float, y0: float, x1: float, y1: float) -> bool:
        """Whether nothing stands on that part of the room's floor or near it."""
        return self.fits(Box(x0, y0, 0.0, x1, y1, 1.0))

    def _floor_height(self, flat: Rect) -> float | None:
        """0, the top of the rug that carries the whole footprint, or ``None`` half on a rug."""
        for rug in self.rugs:
            if _overlap(flat, (rug.x0, rug.y0, rug.x1, rug.y1)):
                inside = (
                    rug.x0 <= flat[0]
                    and rug.y0 <= flat[1]
                    and flat[2] <= rug.x1
                    and flat[3] <= rug.y1
                )
                return rug.z1 if inside else None
        return 0.0

    # -- placing ---------------------------------------------------------------------------

    def at(
        self,
        asset: Asset | None,
        x: float,
        y: float,
        yaw: float,
        *,
        z: float | None = None,
        size: Vec3 | None = None,
        fixed: bool = True,
        side: Side | None = None,
        ignore: Sequence[Box] = (),
        clear: bool = True,
        doors: bool = True,
        palette: int | None = None,
    ) -> Placed | None:
        """Stand an asset at a point, ``z`` being the height of its foot (default: the floor)."""
        if asset is None:
            return None
        size = size or asset.size
        scale = (size[0] / asset.size[0], size[1] / asset.size[1], size[2] / asset.size[2])
        half_x, half_y = _turned_half(size, yaw)
        flat = (x - half_x, y - half_y, x + half_x, y + half_y)
        if z is None:
            z = self._floor_height(flat)
            if z is None:
                return None
        box = Box(flat[0], flat[1], z, flat[2], flat[3], z + size[2])
        if not self.fits(box, ignore=ignore, clear=clear, doors=doors):
            return None
        listed = self.stock if asset.category not in _FREE else None
        if listed is not None and not listed.take(asset.category, asset.model):
            return None
        number = self.numbers.get(asset.category, 0)
        self.numbers[asset.category] = number + 1
        spec = ObjectSpec(
            id=f"{asset.category}_{number}",
            category=asset.category,
            model=asset.model,
            position=(round(x, 5), round(y, 5), round(z + size[2] / 2, 6)),
            orientation=(0.0, 0.0, math.sin(yaw / 2), math.cos(yaw / 2)),
            scale=scale if size != asset.size else (1.0, 1.0, 1.0),
            role="furniture",
            room=self.room.id,
            fixed=fixed,
            palette=asset.palette if palette is None else palette,
        )
        placed = Placed(spec, asset, box, yaw, side)
        self.objects.append(spec)
        self.boxes.append(box)
        self.placed.append(placed)
        return placed

    def against(
        self,
        asset: Asset | None,
        *,
        walls: Sequence[Side] | None = None,
        prefer: str = "any",
        near: float | None = None,
        z: float | None = None,
        size: Vec3 | None = None,
        fixed: bool = True,
        gap: float = _WALL_GAP,
        front: float = 0.0,
        slack: float = math.inf,
        windows: bool = True,
    ) -> Placed | None:
        """Stand an asset with its back to a wall, facing in.

        ``walls`` in order of preference (default: by free length). ``prefer``: ``center`` of the
        wall, ``corner``, ``window`` (in front of one) or ``any``; ``near`` a coordinate along the
        wall instead, to be missed by at most ``slack``. ``front`` metres before it are then kept
        clear. ``windows`` False lets a tall piece stand in front of one.
        """
        if asset is None:
            return None
        size = size or asset.size
        tall = (z or 0.0) + size[2] > _TALL
        for side in walls if walls is not None else self.by_freedom():
            starts = self._places(side, size[1], prefer, near)
            for s in starts:
                if near is not None and abs(s - near) > slack + 1e-9:
                    continue
                if windows and tall and self.before_window(side, s, size[1], (z or 0.0) + size[2]):
                    continue
                x, y = self.point(side, s, gap + size[0] / 2)
                placed = self.at(asset, x, y, _YAW[side], z=z, size=size, fixed=fixed, side=side)
                if placed is not None:
                    if front > 0.0:
                        self.clear.append(_in_front(placed.box, side, front))
                    return placed
        return None

    def point(self, side: Side, along: float, depth: float) -> tuple[float, float]:
        """Where something stands ``depth`` before a wall."""
        x0, y0, x1, y1 = self.room.inner
        return {
            "W": (x0 + depth, along),
            "E": (x1 - depth, along),
            "S": (along, y0 + depth),
            "N": (along, y1 - depth),
        }[side]

    def span(self, side: Side) -> tuple[float, float]:
        """Extent of a wall inside the room, along it."""
        x0, y0, x1, y1 = self.room.inner
        return (x0, x1) if side in ("S", "N") else (y0, y1)

    def _places(self, side: Side, width: float, prefer: str, near: float | None) -> list[float]:
        low, high = self.span(side)
        first, last = low + width / 2 + _WALL_GAP, high - width / 2 - _WALL_GAP
        if last < first:
            return []
        count = max(1, int((last - first) / _STEP))
        places = [float(v) for v in np.linspace(first, last, count + 1)]
        if near is not None:
            goal = min(max(near, first), last)
            return sorted([goal, *places], key=lambda s: abs(s - goal))
        middle = (low + high) / 2
        if prefer == "window":
            windows = self.windows(side)
            middle = (windows[0][0] + windows[0][1]) / 2 if windows else middle
            return sorted(places, key=lambda s: abs(s - middle))
        if prefer == "center":
            return sorted(places, key=lambda s: abs(s - middle))
        if prefer == "corner":
            flip = self.rng.random() < 0.5
            places = places[::-1] if flip else places
            return sorted(places, key=lambda s: -abs(s - middle))
        return [places[int(k)] for k in self.rng.permutation(len(places))]

    def before_window(self, side: Side, s: float, width: float, top: float) -> bool:
        """Whether something of that width and top at ``s`` along a wall hides a window."""
        return any(
            s - width / 2 < b and a < s + width / 2 and top > sill
            for a, b, sill in self.windows(side)
        )

    def hang(
        self,
        asset: Asset | None,
        side: Side,
        along: float,
        z_center: float,
        *,
        size: Vec3 | None = None,
        margin: float = 0.1,
    ) -> Placed | None:
        """Hang an asset flat on a wall, its centre at a height, ``margin`` off any window."""
        if asset is None:
            return None
        size = size or asset.size
        low, high = self.span(side)
        along = min(max(along, low + size[1] / 2 + 0.05), high - size[1] / 2 - 0.05)
        if self.before_window(side, along, size[1] + 2 * margin, z_center + size[2] / 2):
            return None
        x, y = self.point(side, along, size[0] / 2 + 0.001)
        return self.at(
            asset, x, y, _YAW[side], z=z_center - size[2] / 2, size=size, side=side, clear=False
        )

    def rug(
        self,
        asset: Asset | None,
        x: float,
        y: float,
        size: tuple[float, float],
        yaw: float,
        *,
        palette: int | None = None,
    ) -> bool:
        """Lay a rug of ``size``; later furniture stands on it or beside it, never half on it."""
        if asset is None:
            return False
        thickness = min(asset.size[2], 0.012)
        half_x, half_y = _turned_half((*size, thickness), yaw)
        flat = (x - half_x, y - half_y, x + half_x, y + half_y)
        box = Box(flat[0], flat[1], 0.0, flat[2], flat[3], thickness)
        for other in self.boxes:
            if other.z0 < thickness and _overlap(flat, (other.x0, other.y0, other.x1, other.y1)):
                return False
        x0, y0, x1, y1 = self.room.inner
        if box.x0 < x0 or box.y0 < y0 or box.x1 > x1 or box.y1 > y1:
            return False
        if any(_overlap(flat, rect) for rect in self.doors):
            return False
        placed = self.at(
            asset, x, y, yaw, z=0.0, size=(*size, thickness), clear=False, palette=palette
        )
        if placed is None:
            return False
        self.boxes.remove(placed.box)
        self.rugs.append(placed.box)
        return True

    def on(
        self,
        base: Placed | None,
        categories: Sequence[str],
        *,
        u: float | None = None,
        v: float | None = None,
        yaw: float | None = None,
        level: int = -1,
        tries: int = 12,
        fixed: bool = False,
        size: tuple[Vec3, Vec3] | None = None,
    ) -> Placed | None:
        """Put a small thing on a placed one.

        ``u`` and ``v`` in [-1, 1] are where on the support (front and left positive), by chance
        where not given; ``yaw`` relative to the base; ``level`` indexes its supports by height;
        ``size`` limits the model as in ``pick``.
        """
        asset = self.pick(categories, size=size)
        if base is None or asset is None:
            return None
        fixed = fixed or asset.category in _RESTLESS
        supports = sorted(base.asset.supports, key=lambda s: s.z)
        if not supports:
            return None
        support = supports[level]
        sx, sy, sz = base.spec.scale
        lower = (support.lower[0] * sx, support.lower[1] * sy)
        upper = (support.upper[0] * sx, support.upper[1] * sy)
        if asset.size[2] > support.clearance * sz - 0.005:
            return None
        c, s = math.cos(base.yaw), math.sin(base.yaw)
        bx, by, bz = base.spec.position
        for _ in range(tries):
            turn = float(self.rng.uniform(-math.pi, math.pi)) if yaw is None else yaw
            half_x, half_y = _turned_half(asset.size, turn)
            room_x = (upper[0] - lower[0]) / 2 - half_x - 0.01
            room_y = (upper[1] - lower[1]) / 2 - half_y - 0.01
            if room_x < 0.0 or room_y < 0.0:
                if yaw is None:
                    continue
                return None
            uu = float(self.rng.uniform(-1, 1)) if u is None else u
            vv = float(self.rng.uniform(-1, 1)) if v is None else v
            px = (lower[0] + upper[0]) / 2 + uu * room_x
            py = (lower[1] + upper[1]) / 2 + vv * room_y
            placed = self.at(
                asset,
                bx + c * px - s * py,
                by + s * px + c * py,
                base.yaw + turn,
                z=round(bz + support.z * sz, 6),
                ignore=(base.box,),
                clear=False,
                fixed=fixed,
            )
            if placed is not None:
                return placed
            if u is not None and v is not None and yaw is not None:
                return None
        return None


def _fits_size(size: Vec3, limits: tuple[Vec3, Vec3]) -> bool:
    return all(a <= v <= b for a, v, b in zip(limits[0], size, limits[1], strict=True))


def _turned_half(size: Vec3, yaw: float) -> tuple[float, float]:
    c, s = abs(math.cos(yaw)), abs(math.sin(yaw))
    return ((c * size[0] + s * size[1]) / 2, (s * size[0] + c * size[1]) / 2)


def _overlap(a: Rect, b: Rect) -> bool:
    e = 1e-9
    return a[0] < b[2] - e and b[0] < a[2] - e and a[1] < b[3] - e and b[1] < a[3] - e


def _in_front(box: Box, side: Side, depth: float) -> Rect:
    nx, ny = _NORMAL[side]
    if nx:
        edge = box.x1 if nx > 0 else box.x0
        return (min(edge, edge + nx * depth), box.y0, max(edge, edge + nx * depth), box.y1)
    edge = box.y1 if ny > 0 else box.y0
    return (box.x0, min(edge, edge + ny * depth), box.x1, max(edge, edge + ny * depth))
