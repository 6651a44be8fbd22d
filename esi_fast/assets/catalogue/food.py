"""Fruit, vegetables and meals."""

from __future__ import annotations

from typing import Any

from esi_fast.assets import palettes
from esi_fast.assets.entries import Entry, thing_row
from esi_fast.assets.families import meals, produce
from esi_fast.assets.families.turned import Layer, layered

__all__ = ["FOOD"]

_OLIVE = "0,0 44,4 84,22 100,50 84,78 48,95 34,96"


def _fruit(*skin: str, **options: Any) -> Entry:
    return thing_row(produce.round_fruit, plan="any", options={"skin": skin, **options})


def _long_fruit(shape: str, *skin: str, **options: Any) -> Entry:
    return thing_row(
        produce.turned_fruit, plan="lying", options={"shape": shape, "skin": skin, **options}
    )


def _cluster(*colors: str, **options: Any) -> Entry:
    return thing_row(meals.cluster, options={"colors": colors, **options})


def _leafy(*colors: str, **options: Any) -> Entry:
    return thing_row(meals.leafy_head, options={"colors": colors, **options})


def _lump(*colors: str, **options: Any) -> Entry:
    return thing_row(meals.lump, options={"colors": colors, **options})


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
    # round fruit
    "peach": _fruit("#e8a26a", "#e0885a", "#f0b880", dimple=0.16, stalk=True),
    "nectarine": _fruit("#c8402a", "#d9602f", dimple=0.16, stalk=True),
    "apricot": _fruit("#e8a24a", "#e09438", dimple=0.14),
    "plum": _fruit("#4a2450", "#5a2a44", "#6b2f3a", dimple=0.1, stalk=True),
    "kiwi": _fruit("#7a5f38", "#6b5230", dimple=0.06),
    "grapefruit": _fruit("#e8a24a", "#e38f5a", "#ecc04f", dimple=0.06),
    "pomegranate": _fruit("#a82a30", "#b33a2f", "#9a2028", dimple=0.04, crown=True),
    "cherry_tomato": _fruit("#c8281f", "#d8342a", "#b82018", dimple=0.1, calyx="#4a7a35"),
    "gooseberry": _fruit("#a9c05a", "#98b04a", dimple=0.04, stripes="#d9e3a8"),
    "olive": thing_row(
        layered,
        plan="lying",
        options={
            "lying": True,
            "layers": (
                Layer(palettes.plain("#7f8a3a", "#6b7a2e", gloss=0.4), _OLIVE, soft=True),
                Layer(palettes.plain("#c8281f"), "30,92 26,98 8,100", soft=True),
            ),
        },
    ),
    "pattypan_squash": _fruit("#e3c23a", "#c9d08a", dimple=0.3, ribs=12, depth=0.12, stalk=True),
    "garlic": _fruit("#efe9dc", "#e6dce0", dimple=0.02, taper=-0.3, ribs=8, depth=0.1, stalk=True),
    "mango": _long_fruit("mango", "#d98a2f", "#c9602a", "#9aa83a", calyx="#5d4526"),
    "avocado": _long_fruit("avocado", "#3f5228", "#34461f", "#2f2a24"),
    "white_turnip": _long_fruit("turnip", "#efe6e2", "#e9dce4", calyx="#5a8a3a"),
    "hazelnut": _long_fruit("nut", "#a8703a", "#9a6230"),
    "acorn": thing_row(
        layered,
        plan="lying",
        options={
            "lying": True,
            "layers": (
                Layer(
                    palettes.plain("#a87a3f", "#96692f"), "4,0 20,5 70,22 88,50 88,66", soft=True
                ),
                Layer(palettes.plain("#5a4228", "#4c3720"), "100,60 98,78 60,92 14,94 10,100"),
            ),
        },
    ),
    "cherry": thing_row(
        meals.cluster, plan="any", options={"colors": ("#a8141f", "#7a1020"), "pair": True}
    ),
    "raspberry": _cluster("#b3203a", "#a81c30", rows=6, calyx="#4a8a3a"),
    "blackberry": _cluster("#2a2030", "#33263a", rows=6, calyx="#4a8a3a"),
    "grape": _cluster("#5a2f6b", "#8aa84a", "#7a2f4a", rows=5, stalk=True),
    # leaves
    "head_cabbage": _leafy("#b9cf8a", "#9fbf6f", leaves=16),
    "lettuce": _leafy("#9fc45f", "#84b04a", leaves=18),
    "artichoke": _leafy("#7f9a5f", "#6b8a50", leaves=26),
    "half_bok_choy": thing_row(
        meals.stalks,
        plan="lying",
        options={"colors": ("#e6ecd9", "#dbe6c8"), "leaves": "#4a7f3a"},
    ),
    "celery": thing_row(
        meals.stalks,
        plan="lying",
        options={"colors": ("#a9c878", "#9abc68"), "leaves": "#6b9a48"},
    ),
    # meals
    "club_sandwich": thing_row(meals.sandwich, plan="any"),
    "hamburger": thing_row(meals.burger, plan="round"),
    "salad": thing_row(meals.salad, plan="round"),
    "cheesecake": thing_row(meals.cake_slice),
    "pastry": thing_row(meals.croissant),
    "baguette": thing_row(meals.baguette, plan="lying"),
    "scone": _lump("#d9b078", "#cfa468", bumps=0.06, specks="#5a2f24"),
    "meatball": _lump("#5a3422", "#6b3f28", bumps=0.07),
    "pita": thing_row(
        meals.flat_food, options={"colors": ("#e3c48f", "#d9b478"), "specks": "#b98a4f"}
    ),
    "cold_cuts": thing_row(
        layered,
        plan="lying",
        options={
            "lying": True,
            "layers": (
                Layer(palettes.plain("#d98a80", "#c8746c"), "90,0 100,3 96,50 100,97 90,99"),
                Layer(palettes.plain("#f0d8cc"), "64,98 64,99.6", touch=False),
                Layer(palettes.plain("#c8645c"), "44,98 44,100"),
            ),
        },
    ),
    "hard_boiled_egg": thing_row(produce.egg),
    "peppermint_candy": thing_row(
        layered,
        plan="lying",
        options={
            "lying": True,
            "layers": (
                Layer(palettes.plain("#f4f0ea"), "90,0 30,26 14,30"),
                Layer(
                    palettes.plain("#c8202a", "#3f8a4a", gloss=0.5),
                    "14,28 60,31 84,38 90,50 84,62 60,69 14,72",
                ),
                Layer(palettes.plain("#f4f0ea"), "91,45 91,55", touch=False),
                Layer(palettes.plain("#f4f0ea"), "14,70 30,74 90,100"),
            ),
        },
    ),
}
