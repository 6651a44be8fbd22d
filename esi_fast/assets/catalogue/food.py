"""Fruit, vegetables and meals."""

from __future__ import annotations

from esi_fast.assets.entries import Entry, thing_row
from esi_fast.assets.families import produce

__all__ = ["FOOD"]

FOOD: dict[str, Entry] = {
    # fruit and vegetables
    "apple": thing_row(produce.apple, plan="round"),
    "orange": thing_row(produce.orange, plan="round"),
    "pumpkin": thing_row(produce.pumpkin, "floor", plan="round"),
    "banana": thing_row(produce.banana, plan="slim"),
    "lemon": thing_row(
        produce.turned_fruit,
        plan="lying",
        options={"shape": "lemon", "skin": ("#e9cf33", "#e2c228", "#d7d03a")},
    ),
    "pear": thing_row(
        produce.turned_fruit,
        plan="lying",
        options={"shape": "pear", "skin": ("#b3bd45", "#d0b347", "#8fa43d"), "calyx": "#5d4526"},
    ),
    "watermelon": thing_row(
        produce.turned_fruit,
        "floor",
        options={"shape": "watermelon", "skin": ("#5f9a48", "#6faa50", "#4f8a44"), "stripes": True},
    ),
    "eggplant": thing_row(
        produce.turned_fruit,
        plan="lying",
        options={"shape": "eggplant", "skin": ("#3a1f3d", "#4a2450"), "calyx": "#4f7a3a"},
    ),
    "bell_pepper": thing_row(
        produce.turned_fruit,
        plan="lying",
        options={
            "shape": "pepper",
            "skin": ("#c4281f", "#e0a826", "#3f8a3a", "#dd6a22"),
            "calyx": "#4a7a35",
        },
    ),
    "strawberry": thing_row(
        produce.turned_fruit,
        options={"shape": "strawberry", "skin": ("#c8202a", "#d83a36"), "calyx": "#4a8a3a"},
    ),
    "carrot": thing_row(produce.carrot, plan="lying"),
    "pineapple": thing_row(produce.pineapple, plan="lying"),
    "egg": thing_row(produce.egg),
}
