"""Small objects: tools, toys, dishes, balls, cases."""

from __future__ import annotations

from esi_fast.assets import palettes
from esi_fast.assets.entries import Entry, thing_row
from esi_fast.assets.families import (
    appliances,
    balls,
    bottles,
    boxes,
    clocks,
    clothes,
    cookware,
    decor,
    electronics,
    lamps,
    music,
    plants,
    tools,
    toys,
    vessels,
)

__all__ = ["THINGS"]

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
    "bowling_ball": thing_row(balls.bowling_ball, "floor", friction=0.4),
    # boxes, books, cases
    "carton": thing_row(boxes.carton, "floor"),
    "storage_box": thing_row(boxes.crate, "floor", "shelf"),
    "shoe_box": thing_row(boxes.shoe_box, "floor", "shelf"),
    "box_of_cereal": thing_row(boxes.packet, plan="upright"),
    "milk_carton": thing_row(boxes.gable_carton),
    "hardback": thing_row(boxes.book, plan="lying"),
    "notebook": thing_row(boxes.book, plan="lying", options={"hard": False}),
    "suitcase": thing_row(boxes.case, "floor", options={"flat": True}),
    "briefcase": thing_row(
        boxes.case, "floor", plan="wide", options={"flat": True, "palette": palettes.LEATHER}
    ),
    "wicker_basket": thing_row(boxes.basket, "floor", "shelf"),
}
