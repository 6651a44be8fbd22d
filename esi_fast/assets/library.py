"""The catalogue: one row per category, and the functions that look things up in it."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any, Literal, TypeAlias

import numpy as np

from esi_fast.assets import inventory, palettes
from esi_fast.assets.base import Asset, equivalent_radius
from esi_fast.assets.families import (
    appliances,
    balls,
    bathroom,
    bottles,
    boxes,
    clocks,
    clothes,
    cookware,
    decor,
    electronics,
    furniture,
    lamps,
    music,
    plants,
    produce,
    storage,
    structure,
    tools,
    toys,
    vessels,
)
from esi_fast.assets.sketch import Sketch
from esi_fast.errors import UnknownName

__all__ = [
    "ENTRIES",
    "CategoryInfo",
    "Entry",
    "categories",
    "get",
    "info",
    "models",
    "placeable",
    "sizes",
]

Size: TypeAlias = tuple[float, float, float]
Kind: TypeAlias = Literal["furniture", "object", "structure", "mirror"]
# Where a thing usually stands or hangs.
Place: TypeAlias = Literal["floor", "wall", "ceiling", "table", "counter", "shelf", "seat", "bed"]

# Radii in metres of the equivalent sphere between which the paper (Q.16) takes an object to be
# placeable on the floor before a mirror.
PLACEABLE_RADIUS = (0.02, 0.20)


@dataclass(frozen=True)
class Entry:
    """How a category is drawn and used.

    ``draw`` with ``options`` draws any model of it; ``plan`` is the shape of box that suits the
    drawing (see ``scripts/build_inventory.py``); ``own`` lists models that are not BEHAVIOR's;
    ``stand`` turns boxes of flat things that hang on walls from lying to facing +X.
    """

    draw: Callable[..., Any]
    kind: Kind
    places: tuple[Place, ...]
    options: dict[str, Any] = field(default_factory=dict)
    plan: str = "any"
    friction: float = 0.5
    tags: frozenset[str] = frozenset()
    own: dict[str, Size] = field(default_factory=dict)
    mass: float = 0.0
    rooms: tuple[str, ...] = ()
    stand: bool = False


@dataclass(frozen=True)
class CategoryInfo:
    """What generators may ask about a category.

    ``label`` is its name in running text; ``family`` the drawing function; ``rooms`` the room
    types where BEHAVIOR has it, most frequent first; ``size`` the mean extents of its models in
    metres; ``radius`` the radius of the sphere with the mean volume of their boxes;
    ``placeable`` the paper's floor-object pool (radius 0.02 to 0.20 m, neither reflective nor
    structural nor furniture).
    """

    name: str
    label: str
    family: str
    kind: Kind
    rooms: tuple[str, ...]
    places: tuple[Place, ...]
    models: tuple[str, ...]
    size: Size
    mass: float
    radius: float
    placeable: bool
    fillable: bool
    openable: bool
    tags: frozenset[str]


def _furniture(draw: Callable[..., Any], *places: Place, **keywords: Any) -> Entry:
    return Entry(draw, "furniture", places or ("floor",), **keywords)


def _thing(draw: Callable[..., Any], *places: Place, **keywords: Any) -> Entry:
    return Entry(draw, "object", places or ("table", "counter", "shelf"), **keywords)


def _structure(draw: Callable[..., Any], place: Place, **keywords: Any) -> Entry:
    return Entry(
        draw,
        "structure",
        (place,),
        own={"box": (1.0, 1.0, 1.0)},
        mass=1000.0,
        tags=frozenset({"structural", "fixed"}),
        **keywords,
    )


_WALL_PAINT = palettes.plain("#e9e5dc", "#dfe5e6", "#e6dccb", "#d5dccf", "#e8e2e4", "#cfd6de")
_FLOORING = (
    *palettes.textured(
        "planks",
        0.14,
        ("#b98a56", "#8d6438"),
        ("#8a5a33", "#63401f"),
        ("#d2b084", "#ab8656"),
        gloss=0.2,
    ),
    *palettes.textured("tile", 0.4, ("#d5d0c6", "#a8a296"), ("#aeb2b4", "#84888a"), gloss=0.3),
    *palettes.textured("fabric", 0.02, ("#b9ab98", "#aa9c89")),
)
_HEDGE = palettes.textured("grass", 0.6, ("#4b6b3a", "#35512a"))
_LAWN = palettes.textured("grass", 0.25, ("#5d7f3f", "#46662f"))

ENTRIES: dict[str, Entry] = {
    # what houses are built of
    "wall": _structure(structure.slab, "floor", options={"palette": _WALL_PAINT}),
    "floor": _structure(structure.slab, "floor", options={"palette": _FLOORING}),
    "lawn": _structure(structure.slab, "floor", options={"palette": _LAWN}),
    "hedge": _structure(structure.slab, "floor", options={"palette": _HEDGE}),
    "ceiling": _structure(structure.slab, "ceiling", options={"palette": palettes.WHITE[:1]}),
    "baseboard": _structure(structure.slab, "wall", options={"palette": palettes.WHITE}),
    "window": _structure(structure.window, "wall"),
    "door": _structure(structure.door, "wall"),
    "door_frame": _structure(structure.door_frame, "wall"),
    "mirror": Entry(structure.mirror, "mirror", ("floor",), own={"standing": (0.03, 1.0, 1.8)}),
    # tables, seats, beds
    "coffee_table": _furniture(furniture.table, options={"low": True}),
    "breakfast_table": _furniture(furniture.table),
    "console_table": _furniture(furniture.table, plan="wide"),
    "conference_table": _furniture(furniture.table),
    "pedestal_table": _furniture(furniture.pedestal_table, plan="round"),
    "desk": _furniture(furniture.desk, plan="wide"),
    "straight_chair": _furniture(furniture.chair, plan="upright"),
    "swivel_chair": _furniture(furniture.swivel_chair, plan="round"),
    "bar_stool": _furniture(furniture.stool, plan="round"),
    "sofa": _furniture(furniture.sofa, plan="wide"),
    "armchair": _furniture(furniture.armchair, plan="round"),
    "ottoman": _furniture(furniture.ottoman),
    "bench": _furniture(furniture.bench, plan="wide"),
    "bed": _furniture(furniture.bed),
    # storage and appliances
    "bookcase": _furniture(storage.bookcase, plan="wide"),
    "shelf": _furniture(storage.wall_shelf, "wall", plan="wide"),
    "bottom_cabinet": _furniture(storage.cabinet, options={"style": "drawers_doors"}),
    "top_cabinet": _furniture(storage.cabinet, "wall", options={"style": "hung"}),
    "wardrobe": _furniture(storage.cabinet, options={"style": "wardrobe"}),
    "nightstand": _furniture(storage.nightstand),
    "fridge": _furniture(appliances.fridge),
    "oven": _furniture(appliances.oven),
    "stove": _furniture(appliances.stove, plan="wide"),
    "microwave": _furniture(appliances.microwave, "counter", plan="wide"),
    "dishwasher": _furniture(appliances.dishwasher),
    "washer": _furniture(appliances.washer),
    "clothes_dryer": _furniture(appliances.washer),
    "radiator": _furniture(appliances.radiator, plan="wide"),
    # bathroom
    "toilet": _furniture(bathroom.toilet),
    "pedestal_sink": _furniture(bathroom.pedestal_sink),
    "furniture_sink": _furniture(bathroom.vanity),
    "bathtub": _furniture(bathroom.bathtub),
    "towel_rack": _furniture(bathroom.towel_rail, "wall", plan="wide"),
    # lamps and decoration
    "floor_lamp": _furniture(lamps.floor_lamp, plan="round"),
    "room_light": _furniture(lamps.pendant_lamp, "ceiling", plan="round"),
    "table_lamp": _furniture(lamps.table_lamp, "table", plan="round"),
    "wall_clock": _furniture(clocks.wall_clock, "wall", plan="disc"),
    "grandfather_clock": _furniture(clocks.grandfather_clock),
    "picture": _furniture(decor.picture, "wall", stand=True),
    "carpet": _furniture(decor.carpet),
    "coatrack": _furniture(decor.coatrack, plan="round"),
    "umbrella_rack": _furniture(decor.umbrella_rack),
    "trash_can": _furniture(decor.trash_can, plan="round"),
    "pot_plant": _furniture(plants.pot_plant, "floor", "table", plan="round"),
    "piano": _furniture(music.piano, plan="wide"),
    "wall_mounted_tv": _furniture(electronics.screen, "wall", options={"stand": "none"}),
    "standing_tv": _furniture(electronics.screen, "table", options={"stand": "foot"}),
    "pillow": _thing(decor.pillow, "seat", "bed", friction=0.7),
    "alarm_clock": _thing(clocks.alarm_clock),
    "pillar_candle": _thing(lamps.candle, plan="round"),
    "candle_holder": _thing(lamps.candle_holder, plan="round"),
    "globe": _thing(decor.globe, "shelf", "table", plan="round"),
    "snow_globe": _thing(decor.snow_globe, tags=frozenset({"transparent"})),
    "glass_lantern": _thing(lamps.lantern, "floor", plan="round", tags=frozenset({"transparent"})),
    "hourglass": _thing(clocks.hourglass, plan="lying", tags=frozenset({"transparent"})),
    "cactus": _thing(plants.cactus),
    "plant_pot": _thing(plants.plant_pot, "floor", "shelf", plan="round"),
    # electronics
    "monitor": _thing(electronics.screen, "table", plan="wide", options={"stand": "foot"}),
    "laptop": _thing(electronics.laptop, "table", plan="wide"),
    "keyboard": _thing(electronics.keyboard, "table", plan="wide"),
    "mouse": _thing(electronics.mouse, "table", plan="lying"),
    "loudspeaker": _thing(electronics.loudspeaker, "shelf"),
    "radio": _thing(electronics.radio, plan="wide"),
    "digital_camera": _thing(electronics.camera, plan="wide"),
    "flashlight": _thing(electronics.flashlight, plan="lying"),
    # tools and kitchen machines
    "toaster": _thing(appliances.toaster, "counter"),
    "coffee_maker": _thing(appliances.coffee_maker, "counter"),
    "blender": _thing(appliances.blender, "counter"),
    "cutting_board": _thing(tools.cutting_board, "counter", plan="lying"),
    "tray": _thing(tools.tray),
    "baking_sheet": _thing(tools.tray, options={"palette": palettes.STEEL, "grips": False}),
    "hammer": _thing(tools.hammer, plan="lying"),
    "screwdriver": _thing(tools.screwdriver, plan="lying"),
    "open_end_wrench": _thing(tools.wrench, plan="lying"),
    "stapler": _thing(tools.stapler, plan="lying"),
    "tennis_racket": _thing(tools.racket, "floor", plan="lying"),
    # toys, clothes, instruments
    "teddy_bear": _thing(toys.teddy_bear, "floor", "bed", friction=0.8),
    "toy_car": _thing(toys.toy_car, "floor", plan="lying"),
    "toy_train": _thing(toys.toy_train, "floor", plan="lying"),
    "toy_dice": _thing(toys.dice, "table", "floor"),
    "gym_shoe": _thing(clothes.shoe, "floor", friction=0.8, plan="lying"),
    "hiking_boot": _thing(clothes.shoe, "floor", friction=0.8, options={"boot": True}),
    "sandal": _thing(clothes.shoe, "floor", friction=0.8, options={"open_toe": True}),
    "hat": _thing(clothes.hat, friction=0.6, plan="round"),
    "work_helmet": _thing(clothes.hard_hat),
    "guitar": _thing(music.guitar, "floor", plan="lying"),
    # turned vessels
    "mug": _thing(vessels.cup, plan="handled", friction=0.4),
    "coffee_cup": _thing(vessels.cup, plan="handled", friction=0.4, options={"taper": 0.62}),
    "teacup": _thing(vessels.cup, plan="handled", friction=0.4, options={"taper": 0.55}),
    "bowl": _thing(vessels.bowl, plan="round", friction=0.4),
    "mixing_bowl": _thing(
        vessels.bowl,
        plan="round",
        friction=0.4,
        options={"palette": palettes.CHROME + palettes.CREAM},
    ),
    "plate": _thing(vessels.plate, plan="round", friction=0.4),
    "vase": _thing(vessels.vase, plan="tall", friction=0.4),
    "wineglass": _thing(
        vessels.stemware, plan="round", friction=0.4, tags=frozenset({"transparent"})
    ),
    "goblet": _thing(vessels.stemware, plan="round", friction=0.4, options={"metal": True}),
    "water_glass": _thing(
        vessels.drinking_glass, plan="round", friction=0.4, tags=frozenset({"transparent"})
    ),
    "wine_bottle": _thing(
        bottles.bottle,
        plan="round",
        friction=0.4,
        options={"style": "wine", "palette": palettes.plain("#1f3a24", "#2a1f1a", "#3f4a20")},
    ),
    "beer_bottle": _thing(
        bottles.bottle,
        plan="round",
        friction=0.4,
        options={"style": "beer", "palette": palettes.plain("#5a3416", "#2f5a33", "#6b4420")},
    ),
    "water_bottle": _thing(
        bottles.bottle,
        plan="round",
        options={"style": "water", "palette": palettes.plain("#bcd8e8", "#9ec7dd", "#cfe3ea")},
    ),
    "soap_dispenser": _thing(
        bottles.bottle, options={"style": "soap", "palette": palettes.CERAMIC, "label": False}
    ),
    "spray_bottle": _thing(bottles.bottle, plan="upright", options={"style": "spray"}),
    "hingeless_jar": _thing(
        bottles.jar, plan="round", friction=0.4, tags=frozenset({"transparent"})
    ),
    "can_of_soda": _thing(bottles.can, plan="round", friction=0.4),
    "bucket": _thing(vessels.bucket, "floor", plan="wide"),
    "salt_shaker": _thing(bottles.shaker, plan="round", friction=0.4),
    "pepper_grinder": _thing(bottles.shaker, plan="round", friction=0.4, options={"grinder": True}),
    "teapot": _thing(cookware.pot_with_spout, plan="handled", friction=0.4),
    "kettle": _thing(cookware.pot_with_spout, friction=0.4, options={"kettle": True}),
    "saucepan": _thing(cookware.pan, "counter", plan="lying", options={"handles": 1, "deep": True}),
    "frying_pan": _thing(
        cookware.pan, "counter", plan="lying", options={"handles": 1, "deep": False}
    ),
    "stockpot": _thing(cookware.pan, "counter", plan="wide", options={"handles": 2, "deep": True}),
    "trophy": _thing(vessels.trophy, "shelf", plan="stout"),
    # fruit and vegetables
    "apple": _thing(produce.apple, plan="round"),
    "orange": _thing(produce.orange, plan="round"),
    "pumpkin": _thing(produce.pumpkin, "floor", plan="round"),
    "banana": _thing(produce.banana, plan="slim"),
    "lemon": _thing(
        produce.turned_fruit,
        plan="lying",
        options={"shape": "lemon", "skin": ("#e9cf33", "#e2c228", "#d7d03a")},
    ),
    "pear": _thing(
        produce.turned_fruit,
        plan="lying",
        options={"shape": "pear", "skin": ("#b3bd45", "#d0b347", "#8fa43d"), "calyx": "#5d4526"},
    ),
    "watermelon": _thing(
        produce.turned_fruit,
        "floor",
        options={"shape": "watermelon", "skin": ("#5f9a48", "#6faa50", "#4f8a44"), "stripes": True},
    ),
    "eggplant": _thing(
        produce.turned_fruit,
        plan="lying",
        options={"shape": "eggplant", "skin": ("#3a1f3d", "#4a2450"), "calyx": "#4f7a3a"},
    ),
    "bell_pepper": _thing(
        produce.turned_fruit,
        plan="lying",
        options={
            "shape": "pepper",
            "skin": ("#c4281f", "#e0a826", "#3f8a3a", "#dd6a22"),
            "calyx": "#4a7a35",
        },
    ),
    "strawberry": _thing(
        produce.turned_fruit,
        options={"shape": "strawberry", "skin": ("#c8202a", "#d83a36"), "calyx": "#4a8a3a"},
    ),
    "carrot": _thing(produce.carrot, plan="lying"),
    "pineapple": _thing(produce.pineapple, plan="lying"),
    "egg": _thing(produce.egg),
    # balls
    "soccer_ball": _thing(balls.soccer_ball, "floor", friction=0.6),
    "volleyball": _thing(balls.volleyball, "floor", friction=0.6),
    "tennis_ball": _thing(
        balls.seamed_ball,
        "floor",
        friction=0.7,
        options={"color": ("#c9dc3a", "#d5e04a"), "seam": "#f3f5e6"},
    ),
    "softball": _thing(
        balls.seamed_ball,
        "floor",
        friction=0.6,
        options={"color": ("#e9e0c4", "#d9d23f"), "seam": "#b3362c"},
    ),
    "bowling_ball": _thing(balls.bowling_ball, "floor", friction=0.4),
    # boxes, books, cases
    "carton": _thing(boxes.carton, "floor"),
    "storage_box": _thing(boxes.crate, "floor", "shelf"),
    "shoe_box": _thing(boxes.shoe_box, "floor", "shelf"),
    "box_of_cereal": _thing(boxes.packet, plan="upright"),
    "milk_carton": _thing(boxes.gable_carton),
    "hardback": _thing(boxes.book, plan="lying"),
    "notebook": _thing(boxes.book, plan="lying", options={"hard": False}),
    "suitcase": _thing(boxes.case, "floor", options={"flat": True}),
    "briefcase": _thing(
        boxes.case, "floor", plan="wide", options={"flat": True, "palette": palettes.LEATHER}
    ),
    "wicker_basket": _thing(boxes.basket, "floor", "shelf"),
}


def _unknown(what: str, name: str, known: list[str]) -> UnknownName:
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.4) or known[:5]
    return UnknownName(f"unknown {what} {name!r}; did you mean: {', '.join(near)}")


def _entry(category: str) -> Entry:
    if category not in ENTRIES:
        raise _unknown("category", category, sorted(ENTRIES))
    return ENTRIES[category]


def _sizes(category: str) -> dict[str, Size]:
    entry = _entry(category)
    if entry.own:
        return entry.own
    listed = inventory.rows()[category].models
    return {m: (z, y, x) for m, (x, y, z) in listed.items()} if entry.stand else listed


def categories(kind: Kind | None = None) -> tuple[str, ...]:
    """Sorted names of all categories, or of one kind."""
    return tuple(sorted(n for n, e in ENTRIES.items() if kind is None or e.kind == kind))


def models(category: str) -> tuple[str, ...]:
    """Model ids of a category; ``UnknownName`` lists near matches."""
    return tuple(_sizes(category))


def placeable(*, transparent: bool = True) -> tuple[str, ...]:
    """The pool of small floor objects of the paper's mirror questions (appendix, Q.16)."""
    pool = [name for name in categories() if info(name).placeable]
    return tuple(n for n in pool if transparent or "transparent" not in ENTRIES[n].tags)


def sizes(category: str) -> dict[str, Size]:
    """Extents in metres of each model of a category, without making any of them."""
    return dict(_sizes(category))


@cache
def info(category: str) -> CategoryInfo:
    """Facts about a category; ``UnknownName`` lists near matches."""
    entry = _entry(category)
    sizes = np.array(list(_sizes(category).values()))
    radius = equivalent_radius(float(sizes.prod(axis=1).mean()))
    row = None if entry.own else inventory.rows()[category]
    mean = sizes.mean(axis=0)
    return CategoryInfo(
        name=category,
        label=category.replace("_", " "),
        family=entry.draw.__name__,
        kind=entry.kind,
        rooms=entry.rooms or (row.rooms if row else ()),
        places=entry.places,
        models=models(category),
        size=(float(mean[0]), float(mean[1]), float(mean[2])),
        mass=entry.mass or (row.mass if row else 0.0),
        radius=radius,
        placeable=entry.kind == "object"
        and not entry.tags & {"reflective", "structural"}
        and PLACEABLE_RADIUS[0] <= radius <= PLACEABLE_RADIUS[1],
        fillable=bool(row and row.fillable),
        openable=bool(row and row.openable),
        tags=entry.tags | {entry.kind},
    )


@lru_cache(maxsize=1024)
def get(category: str, model: str, palette: int = 0) -> Asset:
    """The asset of a model in one colouring: always the same, cached, read-only.

    ``palette`` is any integer of at least 0 and changes colours only. ``UnknownName`` for a
    category or model that does not exist.
    """
    entry = _entry(category)
    sizes = _sizes(category)
    if model not in sizes:
        raise _unknown(f"model of {category}", model, sorted(sizes))
    if palette < 0:
        raise ValueError(f"palette: expected at least 0, got {palette}")
    size = sizes[model]
    facts = info(category)
    if entry.kind == "mirror":
        mirror: Asset = entry.draw(category, model, palette, size)
        return mirror
    sketch = Sketch(category, model, palette, size)
    entry.draw(sketch, **entry.options)
    # Masses are known per category; a model weighs more or less with the volume of its box.
    mean = float(np.mean([np.prod(s) for s in sizes.values()]))
    share = float(np.clip(np.prod(size) / mean, 0.25, 4.0))
    tags = facts.tags | ({"placeable"} if facts.placeable else set())
    return sketch.finish(mass=facts.mass * share, friction=entry.friction, tags=frozenset(tags))
