"""What is fixed in rooms, machines, and what stands in public places and gardens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from esi_fast.assets import palettes
from esi_fast.assets.entries import Entry, Place, furniture_row, thing_row
from esi_fast.assets.families import appliances, furniture, plants, storage, toys
from esi_fast.assets.families import fixtures as f

__all__ = ["FIXTURES"]


def _stands(draw: Callable[..., Any], *places: Place, plan: str = "any", **options: Any) -> Entry:
    return furniture_row(draw, *places, plan=plan, options=options)


def _machine(draw: Callable[..., Any], *places: Place, **options: Any) -> Entry:
    return thing_row(draw, *(places or ("counter",)), options=options)


FIXTURES: dict[str, Entry] = {
    # in and on walls, under the ceiling
    "openable_window": _stands(f.window_sash, "wall"),
    "downlight": _stands(f.flush_light, "ceiling"),
    "square_light": _stands(f.flush_light, "ceiling", square=True),
    "whiteboard": _stands(f.board, "wall"),
    "blackboard": _stands(f.board, "wall", dark=True),
    "range_hood": _stands(f.hood, "wall"),
    "urinal": _stands(f.urinal, "wall"),
    "hand_dryer": _stands(f.dispenser, "wall", kind="air"),
    "paper_towel_dispenser": _stands(f.dispenser, "wall", kind="towels"),
    "signpost": _stands(f.sign, "wall"),
    "security_camera": _stands(f.dome_camera, "wall", kind="security"),
    "motion_sensor": _stands(f.dome_camera, "ceiling", kind="sensor"),
    "wood_fireplace": _stands(f.fireplace),
    "pillar": _stands(f.pillar),
    "deep_fryer": _stands(appliances.deep_fryer),
    "commercial_kitchen_shelf": _stands(storage.steel_shelf, "wall", plan="wide"),
    "stairs": _stands(f.stairs),
    # bath and kitchen
    "shower_stall": _stands(f.shower),
    "tabletop_sink": _stands(f.sink, "counter"),
    "drop_in_sink": _stands(f.sink, "counter", palette=palettes.STEEL[:2]),
    "multi_station_tabletop_sink": _stands(f.sink, "counter"),
    "multi_station_furniture_sink": _stands(f.sink, legs=True, palette=palettes.STEEL[:2]),
    "drinking_fountain": _stands(f.fountain),
    "burner": _stands(f.hob, "counter"),
    "countertop": _stands(f.counter, "counter", stone=True),
    "commercial_kitchen_table": _stands(furniture.table),
    "bottom_cabinet_no_top": _stands(storage.cabinet, style="drawers_doors"),
    "locker": _stands(storage.cabinet, style="wardrobe"),
    "toaster_oven": _stands(appliances.microwave, "counter", plan="wide"),
    "espresso_machine": _machine(f.espresso),
    "crock_pot": _machine(f.crock_pot),
    "drink_dispenser": _stands(f.dispenser, kind="drinks"),
    "water_dispenser": _stands(f.dispenser, kind="water"),
    # shops, bars, offices
    "bar": _stands(f.counter, plan="wide"),
    "reception_desk": _stands(f.counter, plan="wide"),
    "display_case": _stands(f.display_case, plan="wide"),
    "room_divider": _stands(f.screen_wall, plan="wide"),
    "serving_cart": _stands(f.cart),
    "cash_register": _machine(f.till, "table", "counter"),
    "taboret": _stands(furniture.stool, plan="round"),
    "music_stool": _stands(furniture.ottoman),
    "public_trash_can": _stands(f.waste_bin),
    "webcam": _machine(f.dome_camera, "table", kind="web"),
    "camera_tripod": _stands(f.tripod),
    # gardens and streets
    "ladder": furniture_row(f.ladder, plan="lying"),
    "rail_fence": _stands(f.fence),
    "gate": _stands(f.fence, gate=True),
    "bush": _stands(plants.bush),
    "tree": _stands(plants.tree),
    "low_resolution_tree": _stands(plants.tree),
    "car": furniture_row(toys.toy_car, plan="lying"),
}
