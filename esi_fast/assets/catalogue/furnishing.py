"""Furniture, appliances, lamps, and what hangs on walls."""

from __future__ import annotations

from esi_fast.assets.entries import Entry, furniture_row
from esi_fast.assets.families import (
    appliances,
    bathroom,
    clocks,
    decor,
    electronics,
    furniture,
    lamps,
    music,
    plants,
    storage,
)

__all__ = ["FURNISHING"]

FURNISHING: dict[str, Entry] = {
    # tables, seats, beds
    "coffee_table": furniture_row(furniture.table, options={"low": True}),
    "breakfast_table": furniture_row(furniture.table),
    "console_table": furniture_row(furniture.table, plan="wide"),
    "conference_table": furniture_row(furniture.table),
    "pedestal_table": furniture_row(furniture.pedestal_table, plan="round"),
    "desk": furniture_row(furniture.desk, plan="wide"),
    "straight_chair": furniture_row(furniture.chair, plan="upright"),
    "swivel_chair": furniture_row(furniture.swivel_chair, plan="round"),
    "bar_stool": furniture_row(furniture.stool, plan="round"),
    "sofa": furniture_row(furniture.sofa, plan="wide"),
    "armchair": furniture_row(furniture.armchair, plan="round"),
    "ottoman": furniture_row(furniture.ottoman),
    "bench": furniture_row(furniture.bench, plan="wide"),
    "bed": furniture_row(furniture.bed),
    # storage and appliances
    "bookcase": furniture_row(storage.bookcase, plan="wide"),
    "shelf": furniture_row(storage.wall_shelf, "wall", plan="wide"),
    "bottom_cabinet": furniture_row(storage.cabinet, options={"style": "drawers_doors"}),
    "top_cabinet": furniture_row(storage.cabinet, "wall", options={"style": "hung"}),
    "wardrobe": furniture_row(storage.cabinet, options={"style": "wardrobe"}),
    "nightstand": furniture_row(storage.nightstand),
    "fridge": furniture_row(appliances.fridge),
    "oven": furniture_row(appliances.oven),
    "stove": furniture_row(appliances.stove, plan="wide"),
    "microwave": furniture_row(appliances.microwave, "counter", plan="wide"),
    "dishwasher": furniture_row(appliances.dishwasher),
    "washer": furniture_row(appliances.washer),
    "clothes_dryer": furniture_row(appliances.washer),
    "radiator": furniture_row(appliances.radiator, plan="wide"),
    # bathroom
    "toilet": furniture_row(bathroom.toilet),
    "pedestal_sink": furniture_row(bathroom.pedestal_sink),
    "furniture_sink": furniture_row(bathroom.vanity),
    "bathtub": furniture_row(bathroom.bathtub),
    "towel_rack": furniture_row(bathroom.towel_rail, "wall", plan="wide"),
    # lamps and decoration
    "floor_lamp": furniture_row(lamps.floor_lamp, plan="round"),
    "room_light": furniture_row(lamps.pendant_lamp, "ceiling", plan="round"),
    "table_lamp": furniture_row(lamps.table_lamp, "table", plan="round"),
    "wall_clock": furniture_row(clocks.wall_clock, "wall", plan="disc"),
    "grandfather_clock": furniture_row(clocks.grandfather_clock),
    "picture": furniture_row(decor.picture, "wall", stand=True),
    "carpet": furniture_row(decor.carpet),
    "coatrack": furniture_row(decor.coatrack, plan="round"),
    "umbrella_rack": furniture_row(decor.umbrella_rack),
    "trash_can": furniture_row(decor.trash_can, plan="round"),
    "pot_plant": furniture_row(plants.pot_plant, "floor", "table", plan="round"),
    "piano": furniture_row(music.piano, plan="wide"),
    "wall_mounted_tv": furniture_row(electronics.screen, "wall", options={"stand": "none"}),
    "standing_tv": furniture_row(electronics.screen, "table", options={"stand": "foot"}),
}
