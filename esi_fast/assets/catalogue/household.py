"""Small things of every day."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from esi_fast.assets import palettes
from esi_fast.assets.entries import Entry, Place, thing_row
from esi_fast.assets.families import balls, boxes, cookware, decor, lamps, meals, tools, toys
from esi_fast.assets.families import household as h
from esi_fast.assets.palettes import plain

__all__ = ["HOUSEHOLD"]


def _long(draw: Callable[..., Any], *places: Place, **options: Any) -> Entry:
    """A thing drawn along x, whichever way the inventory has it."""
    return thing_row(draw, *places, plan="lying", options=options)


def _row(draw: Callable[..., Any], *places: Place, **options: Any) -> Entry:
    return thing_row(draw, *places, options=options)


def _hung(draw: Callable[..., Any], **options: Any) -> Entry:
    return thing_row(draw, "wall", options=options, stand=True)


_CLEAR = frozenset({"transparent"})
_SUGAR = palettes.textured("noise", 0.003, ("#f6f4ee", "#dedad0"), ("#efe9dc", "#d6cdb8"))

HOUSEHOLD: dict[str, Entry] = {
    # to wear, to wash
    "ring": _row(h.ring),
    "sunglasses": _row(h.spectacles, dark=True),
    "eyeglasses": _row(h.spectacles),
    "toothbrush": _long(h.brush, "counter", tooth=True),
    "hairbrush": _long(h.brush),
    "razor": _long(h.razor, "counter"),
    "case_of_eyeshadow": _row(h.eyeshadow),
    "bar_soap": _row(h.soap, "counter"),
    "soap_dish": _row(h.soap_dish, "counter"),
    "inhaler": _row(h.inhaler),
    "umbrella": _long(h.umbrella, "floor"),
    "baseball_glove": _row(h.glove, "floor"),
    "key_chain": _long(h.key_chain),
    # tools, kitchen
    "magnifying_glass": _long(h.magnifier, "table"),
    "chisel": _long(h.chisel),
    "corkscrew": _long(h.corkscrew, "counter"),
    "vegetable_peeler": _long(h.peeler, "counter"),
    "grater": thing_row(h.grater, "counter", plan="upright"),
    "french_press": _row(h.french_press, "counter"),
    "colander": _row(h.colander, "counter"),
    "digital_scale": _row(h.scale, "counter"),
    "watering_can": _long(h.watering_can, "floor"),
    "electric_kettle": _row(cookware.pot_with_spout, "counter", kettle=True),
    "chopping_board": thing_row(tools.cutting_board, "counter", plan="lying"),
    "platter": _row(tools.tray, palette=palettes.WHITE + palettes.CERAMIC[1:4], grips=False),
    "outline_tray": _row(tools.tray, palette=palettes.STEEL, grips=False),
    # paper, desk
    "clipboard": _long(h.clipboard, "table"),
    "ruler": _long(h.ruler, "table"),
    "letter": _row(h.letter, "table"),
    "sticky_note": _row(h.notes, "table"),
    "textbook": thing_row(boxes.book, plan="any"),
    "comic_book": thing_row(boxes.book, plan="lying"),
    "picture_frame": _row(decor.picture, "shelf", "table", easel=True),
    "painting": _hung(decor.picture),
    # to play with, to look at
    "balloon": _long(h.balloon, "floor"),
    "violin": _long(h.violin, "floor"),
    "dice": thing_row(toys.dice, "table", "floor"),
    "crystal": _row(h.crystal, "shelf"),
    "beeswax_candle": thing_row(lamps.candle, plan="round"),
    "pine_cone": _row(meals.pine_cone, "floor", "shelf"),
    "seashell": _row(meals.shell_spiral, "shelf", fan=True),
    "conch": _row(meals.shell_spiral, "shelf"),
    "baseball": thing_row(
        balls.seamed_ball,
        "floor",
        friction=0.6,
        options={"color": ("#f2efe6", "#ece7da"), "seam": "#b3262a"},
    ),
    "cotton_ball": _row(meals.lump, colors=("#f6f5f1", "#efeee9"), bumps=0.1, fine=9),
    "moth_ball": _row(meals.lump, "shelf", colors=("#f7f7f4", "#eef0ee"), bumps=0.01, gloss=0.2),
    # small and plain, told by colour and company
    "pearl": _row(meals.lump, colors=("#f2ebe0", "#e9dfd8", "#3a3640"), bumps=0.0, gloss=0.9),
    "pebble": _row(
        meals.lump, "floor", colors=("#8a8680", "#6f6b66", "#a39a8c"), bumps=0.05, fine=3
    ),
    "boulder": _row(meals.lump, "floor", colors=("#7a7670", "#8a8478"), bumps=0.08, fine=4),
    "ice_cube": thing_row(
        meals.cube, options={"palette": palettes.GLASS[:3], "soft": 0.12}, friction=0.1, tags=_CLEAR
    ),
    "sugar_cube": _row(meals.cube, palette=_SUGAR, soft=0.03),
    "whiskey_stone": _row(meals.cube, palette=plain("#5a5f66", "#6b6560", "#4a4d52")),
    # on walls
    "electric_switch": _hung(h.switch),
}
