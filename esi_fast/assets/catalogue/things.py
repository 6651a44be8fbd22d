"""Small objects: tools, toys, dishes, balls, cases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from esi_fast.assets import palettes
from esi_fast.assets.entries import Entry, thing_row
from esi_fast.assets.families import (
    appliances,
    balls,
    bottles,
    boxes,
    clocks,
    clothes,
    containers,
    cookware,
    decor,
    electronics,
    fabric,
    lamps,
    music,
    plants,
    tools,
    toys,
    vessels,
)
from esi_fast.assets.palettes import plain
from esi_fast.geometry.render import Material

__all__ = ["THINGS"]

_BAG: dict[str, Any] = {"palette": palettes.CLOTH + palettes.WICKER}


def _chest(palette: Sequence[Material], **options: Any) -> Entry:
    return thing_row(containers.chest, "floor", "shelf", options={"palette": palette, **options})


def _folded(palette: Sequence[Material], *, folds: int) -> Entry:
    return thing_row(fabric.folded, friction=0.8, options={"palette": palette, "folds": folds})


def _sheet(palette: Sequence[Material], **options: Any) -> Entry:
    return thing_row(fabric.sheet, friction=0.8, options={"palette": palette, **options})


def _bag(kind: str) -> Entry:
    return thing_row(fabric.bag, "floor", "seat", friction=0.7, options={"kind": kind})


THINGS: dict[str, Entry] = {
    "pillow": thing_row(decor.pillow, "seat", "bed", friction=0.7),
    "alarm_clock": thing_row(clocks.alarm_clock),
    "pillar_candle": thing_row(lamps.candle, plan="round"),
    "candle_holder": thing_row(lamps.candle_holder, plan="round"),
    "globe": thing_row(decor.globe, "shelf", "table", plan="round"),
    "snow_globe": thing_row(decor.snow_globe, tags=frozenset({"transparent"})),
    "glass_lantern": thing_row(
        lamps.lantern, "floor", plan="round", tags=frozenset({"transparent"})
    ),
    "hourglass": thing_row(clocks.hourglass, plan="lying", tags=frozenset({"transparent"})),
    "cactus": thing_row(plants.cactus),
    "plant_pot": thing_row(plants.plant_pot, "floor", "shelf", plan="round"),
    # electronics
    "monitor": thing_row(electronics.screen, "table", plan="wide", options={"stand": "foot"}),
    "tablet": thing_row(electronics.tablet, "table"),
    "laptop": thing_row(electronics.laptop, "table", plan="wide"),
    "keyboard": thing_row(electronics.keyboard, "table", plan="wide"),
    "mouse": thing_row(electronics.mouse, "table", plan="lying"),
    "loudspeaker": thing_row(electronics.loudspeaker, "shelf"),
    "radio": thing_row(electronics.radio, plan="wide"),
    "digital_camera": thing_row(electronics.camera, plan="wide"),
    "flashlight": thing_row(electronics.flashlight, plan="lying"),
    # tools and kitchen machines
    "toaster": thing_row(appliances.toaster, "counter"),
    "coffee_maker": thing_row(appliances.coffee_maker, "counter"),
    "blender": thing_row(appliances.blender, "counter"),
    "cutting_board": thing_row(tools.cutting_board, "counter", plan="lying"),
    "tray": thing_row(tools.tray),
    "baking_sheet": thing_row(tools.tray, options={"palette": palettes.STEEL, "grips": False}),
    "hammer": thing_row(tools.hammer, plan="lying"),
    "screwdriver": thing_row(tools.screwdriver, plan="lying"),
    "open_end_wrench": thing_row(tools.wrench, plan="lying"),
    "stapler": thing_row(tools.stapler, plan="lying"),
    "tennis_racket": thing_row(tools.racket, "floor", plan="lying"),
    # toys, clothes, instruments
    "teddy_bear": thing_row(toys.teddy_bear, "floor", "bed", friction=0.8),
    "doll": thing_row(toys.doll, "floor", "bed", friction=0.8),
    "toy_figure": thing_row(toys.figure, "floor", "shelf"),
    "toy_car": thing_row(toys.toy_car, "floor", plan="lying"),
    "toy_train": thing_row(toys.toy_train, "floor", plan="lying"),
    "toy_dice": thing_row(toys.dice, "table", "floor"),
    "gym_shoe": thing_row(clothes.shoe, "floor", friction=0.8, plan="lying"),
    "hiking_boot": thing_row(clothes.shoe, "floor", friction=0.8, options={"boot": True}),
    "sandal": thing_row(clothes.shoe, "floor", friction=0.8, options={"open_toe": True}),
    "hat": thing_row(clothes.hat, friction=0.6, plan="round"),
    "work_helmet": thing_row(clothes.hard_hat),
    "guitar": thing_row(music.guitar, "floor", plan="lying"),
    # turned vessels
    "mug": thing_row(vessels.cup, plan="handled", friction=0.4),
    "coffee_cup": thing_row(vessels.cup, plan="handled", friction=0.4, options={"taper": 0.62}),
    "teacup": thing_row(vessels.cup, plan="handled", friction=0.4, options={"taper": 0.55}),
    "bowl": thing_row(vessels.bowl, plan="round", friction=0.4),
    "mixing_bowl": thing_row(
        vessels.bowl,
        plan="round",
        friction=0.4,
        options={"palette": palettes.CHROME + palettes.CREAM},
    ),
    "plate": thing_row(vessels.plate, plan="round", friction=0.4),
    "vase": thing_row(vessels.vase, plan="tall", friction=0.4),
    "wineglass": thing_row(
        vessels.stemware, plan="round", friction=0.4, tags=frozenset({"transparent"})
    ),
    "goblet": thing_row(vessels.stemware, plan="round", friction=0.4, options={"metal": True}),
    "water_glass": thing_row(
        vessels.drinking_glass, plan="round", friction=0.4, tags=frozenset({"transparent"})
    ),
    "hingeless_jar": thing_row(
        bottles.open_jar, plan="round", friction=0.4, tags=frozenset({"transparent"})
    ),
    "can_of_soda": thing_row(bottles.can, plan="round", friction=0.4),
    "bucket": thing_row(vessels.bucket, "floor", plan="wide"),
    "salt_shaker": thing_row(bottles.shaker, plan="round", friction=0.4, options={"letter": "S"}),
    "pepper_shaker": thing_row(
        bottles.shaker,
        plan="round",
        friction=0.4,
        options={"letter": "P", "palette": palettes.DARK + palettes.TERRACOTTA[2:4]},
    ),
    "pepper_grinder": thing_row(bottles.grinder, plan="round", friction=0.4),
    "teapot": thing_row(cookware.pot_with_spout, plan="handled", friction=0.4),
    "kettle": thing_row(cookware.pot_with_spout, friction=0.4, options={"kettle": True}),
    "saucepan": thing_row(
        cookware.pan, "counter", plan="lying", options={"handles": 1, "deep": True}
    ),
    "frying_pan": thing_row(
        cookware.pan, "counter", plan="lying", options={"handles": 1, "deep": False}
    ),
    "stockpot": thing_row(
        cookware.pan, "counter", plan="wide", options={"handles": 2, "deep": True}
    ),
    "trophy": thing_row(vessels.trophy, "shelf", plan="stout"),
    # balls
    "soccer_ball": thing_row(balls.soccer_ball, "floor", friction=0.6),
    "volleyball": thing_row(balls.volleyball, "floor", friction=0.6),
    "tennis_ball": thing_row(
        balls.seamed_ball,
        "floor",
        friction=0.7,
        options={"color": ("#c9dc3a", "#d5e04a"), "seam": "#f3f5e6"},
    ),
    "softball": thing_row(
        balls.seamed_ball,
        "floor",
        friction=0.6,
        options={"color": ("#e9e0c4", "#d9d23f"), "seam": "#b3362c"},
    ),
    "pool_ball": thing_row(balls.pool_ball, "floor", "table", friction=0.3),
    "bowling_ball": thing_row(balls.bowling_ball, "floor", friction=0.4),
    # boxes, books, cases
    "box_of_cereal": thing_row(boxes.packet, plan="upright"),
    "milk_carton": thing_row(boxes.gable_carton),
    "hardback": thing_row(boxes.book, plan="lying"),
    "notebook": thing_row(boxes.book, plan="lying", options={"hard": False}),
    "wicker_basket": thing_row(boxes.basket, "floor", "shelf"),
    # boxes that open
    "carton": thing_row(containers.carton, "floor"),
    "packing_box": thing_row(containers.carton, "floor", options={"open_top": True}),
    "shoe_box": _chest(
        palettes.CARDBOARD + palettes.WHITE[:1],
        lid=palettes.BRIGHT + palettes.DARK[:1],
        share=0.2,
        overhang=0.012,
        wall=0.006,
        text="SHOES",
    ),
    "gift_box": _chest(
        palettes.BRIGHT,
        lid=palettes.BRIGHT[3:] + palettes.CREAM,
        share=0.2,
        overhang=0.02,
        wall=0.01,
        ribbon=plain("#f0d060", "#f4f0e6", "#c8202a"),
    ),
    "cedar_chest": _chest(
        palettes.WOOD[4:5] + palettes.WOOD[:2], share=0.3, strap=palettes.BRASS, wall=0.05
    ),
    "toolbox": _chest(
        palettes.BRIGHT[:2] + palettes.STEEL[:1],
        lid=palettes.DARK[:1] + palettes.BRIGHT[:1],
        handle="top",
        share=0.3,
    ),
    "first_aid_kit": _chest(
        palettes.WHITE[:1] + palettes.BRIGHT[:1],
        handle="front",
        share=0.4,
        soft=0.12,
        picture="cross",
    ),
    "lunch_box": _chest(
        palettes.PLASTIC, lid=palettes.PLASTIC[::-1], handle="front", share=0.3, soft=0.16
    ),
    "suitcase": _chest(
        palettes.PLASTIC,
        handle="front",
        share=0.5,
        soft=0.14,
        wall=0.02,
        seam=palettes.CHROME,
    ),
    "briefcase": _chest(
        palettes.LEATHER, handle="front", share=0.5, soft=0.06, wall=0.02, seam=palettes.BRASS
    ),
    "pizza_box": _chest(palettes.CARDBOARD, share=0.5, wall=0.006, text="PIZZA"),
    # boxes that are open
    "storage_box": thing_row(containers.crate, "floor", "shelf"),
    "tupperware": thing_row(
        containers.crate,
        options={"palette": plain("#dfe8ea", "#cfe0e6"), "rim": palettes.BRIGHT, "flare": 1.15},
    ),
    "toy_box": thing_row(
        containers.crate,
        "floor",
        options={"palette": palettes.BRIGHT, "rim": palettes.BRIGHT[::-1], "text": "TOYS"},
    ),
    "shopping_basket": thing_row(
        containers.crate, "floor", options={"palette": palettes.BRIGHT, "slats": True, "bows": True}
    ),
    "hamper": thing_row(
        containers.holdall, "floor", options={"palette": palettes.WICKER, "handles": False}
    ),
    "tote": thing_row(containers.holdall, "floor", "seat", options=_BAG, friction=0.7),
    "tank": thing_row(containers.tank, tags=frozenset({"transparent"})),
    # cloth
    "dinner_napkin": _folded(palettes.CLOTH, folds=2),
    "dishtowel": _folded(palettes.CLOTH, folds=3),
    "hand_towel": _folded(palettes.CLOTH[1:], folds=3),
    "bath_towel": _folded(palettes.CLOTH[1:], folds=2),
    "rag": _sheet(
        palettes.textured("checker", 0.06, ("#b24d57", "#e7dfd0"), ("#7393a8", "#e7dfd0"))
    ),
    "microfiber_cloth": _sheet(palettes.CLOTH[1:6]),
    "paper_towel": _sheet(palettes.WHITE),
    "bed_sheet": _sheet(
        palettes.textured("stripes", 0.12, ("#e7dfd0", "#7fa0b5"), ("#e9e4da", "#c9866b"))
    ),
    "map": _sheet((), chart=True),
    "tablecloth": thing_row(fabric.draped, "table", friction=0.7),
    "jeans": thing_row(fabric.jeans, "bed", "floor", friction=0.8, plan="lying"),
    "sock": thing_row(fabric.sock, "floor", "bed", friction=0.8),
    "backpack": _bag("backpack"),
    "shoulder_bag": _bag("shoulder"),
    "satchel": _bag("satchel"),
    "toilet_paper": thing_row(fabric.roll, "shelf"),
}
