"""What is recognised by its packaging: bottles, jars, shakers, tins, packets, cartons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from esi_fast.assets import palettes
from esi_fast.assets.entries import Entry, thing_row
from esi_fast.assets.families import bottles, boxes

__all__ = ["PACKAGED"]

_CAPS = palettes.plain("#f2efe8", "#2b2d30", "#b3362c", "#2f5f9a", "#d9b13a", "#3f7f4f", gloss=0.3)


def _bottle(style: str, text: str, *body: str, accent: str = "", **options: Any) -> Entry:
    """A closed bottle of one of ``body`` colours; the picture has the first unless said so."""
    return thing_row(
        bottles.bottle,
        plan="round" if style == "tub" else "standing",
        friction=0.4,
        options={
            "style": style,
            "text": text,
            "palette": palettes.plain(*body, gloss=0.45),
            "accent": accent or body[0],
            "cap": _CAPS,
            **options,
        },
    )


def _open(style: str, text: str, *body: str, **options: Any) -> Entry:
    """A bottle without its cap, to be filled."""
    return _bottle(style, text, *body, mouth=True, **options)


def _jar(text: str, *content: str, accent: str = "") -> Entry:
    """A jar whose content is what one sees of it."""
    return _bottle("jar", text, *content, accent=accent)


def _spice(text: str, *content: str) -> Entry:
    return _bottle("spice", text, *content)


def _tin(text: str, accent: str, *paper: str) -> Entry:
    return thing_row(
        bottles.can,
        plan="round",
        friction=0.4,
        options={"text": text, "accent": accent, "palette": palettes.plain(*paper), "food": True},
    )


def _packet(text: str, accent: str, *body: str, **options: Any) -> Entry:
    return thing_row(
        boxes.packet,
        options={"text": text, "accent": accent, "palette": palettes.plain(*body), **options},
    )


_CLEAR: Sequence[str] = ("#cfe0e4", "#d9e6df", "#dfe3ea")

PACKAGED: dict[str, Entry] = {
    # drinks
    "wine_bottle": _open("wine", "WINE", "#1f3a24", "#2a1f1a", "#3f4a20", accent="#6b1f2e"),
    "beer_bottle": _open("beer", "BEER", "#5a3416", "#2f5a33", "#6b4420", accent="#d9a13a"),
    "bottle_of_beer": _bottle("beer", "BEER", "#6b4420", "#2f5a33", accent="#d9a13a"),
    "water_bottle": _open("water", "WATER", "#bcd8e8", "#9ec7dd", "#cfe3ea", accent="#3f8ac0"),
    "bottle_of_water": _bottle("water", "WATER", "#c4dcea", "#a9cee0", accent="#3f8ac0"),
    "vodka_bottle": _open("spirit", "VODKA", *_CLEAR, accent="#2f5f9a"),
    "whiskey_bottle": _open("spirit", "WHISKEY", "#9a5a24", "#8a4c1c", accent="#2a2622"),
    "rum_bottle": _open("spirit", "RUM", "#7a3f1c", "#5f2f18", accent="#c9a13a"),
    "bottle_of_tequila": _bottle("spirit", "TEQUILA", "#d9c27a", "#c9ae62", accent="#5f8a3a"),
    "cola_bottle": _open("cola", "COLA", "#3a1f16", "#2f1a14", accent="#c8281f"),
    "bottle_of_soda": _bottle("cola", "SODA", "#7fae3a", "#d97a2a", accent="#7fae3a"),
    "bottle_of_orange_juice": _bottle("oil", "ORANGE_JUICE", "#ee9a2c", "#e8861f"),
    "bottle_of_tomato_juice": _bottle("oil", "TOMATO_JUICE", "#b3322a", "#a62c24"),
    "bottle_of_lemon_juice": _bottle("oil", "LEMON_JUICE", "#e9d04a", "#e0c63a"),
    "bottle_of_lime_juice": _bottle("oil", "LIME_JUICE", "#a9c43f", "#98b436"),
    "bottle_of_milk": _bottle("oil", "MILK", "#f2efe6", "#ece7da", accent="#3f8ac0"),
    "baby_bottle": _bottle("baby", "BABY", "#dbe8ee", "#f0e2e6", "#e2ecdc", accent="#e39ab0"),
    # sauces, oils
    "mustard_bottle": _bottle("squeeze", "MUSTARD", "#e3b52a", "#dba81f"),
    "bottle_of_mustard": _bottle("squeeze", "MUSTARD", "#e3b52a", "#d9a31c"),
    "squeeze_bottle": _bottle("squeeze", "", "#c8382f", "#e3b62f", "#f2efe6", label=False),
    "soy_sauce_bottle": _bottle("sauce", "SOY_SAUCE", "#2e1a12", "#3a2016", accent="#b3362c"),
    "bottle_of_soy_sauce": _bottle("sauce", "SOY_SAUCE", "#2e1a12", "#3f2418", accent="#b3362c"),
    "bottle_of_sriracha": _bottle("squeeze", "SRIRACHA", "#b3281c", "#a62218"),
    "hot_sauce_bottle": _bottle("sauce", "HOT_SAUCE", "#c03a1f", "#b02f18"),
    "bottle_of_hot_sauce": _bottle("sauce", "HOT_SAUCE", "#c8441f", "#b3341a"),
    "salsa_bottle": _bottle("sauce", "SALSA", "#b0402a", "#a23622"),
    "bottle_of_salsa": _bottle("sauce", "SALSA", "#b0402a", "#9c3420"),
    "wine_sauce_bottle": _bottle("sauce", "WINE_SAUCE", "#5a1f2c", "#6b2836"),
    "bottle_of_barbecue_sauce": _bottle("sauce", "BBQ_SAUCE", "#4a2016", "#5a2a1c"),
    "bottle_of_mushroom_sauce": _bottle("sauce", "MUSHROOM_SAUCE", "#6b5138", "#5f4730"),
    "bottle_of_chocolate_sauce": _bottle("squeeze", "CHOCO", "#3f2216", "#4c2a1c"),
    "bottle_of_tomato_paste": _bottle("sauce", "TOMATO_PASTE", "#b3281f", "#a8241c"),
    "bottle_of_maple_syrup": _bottle("oil", "MAPLE_SYRUP", "#8a4a1c", "#7a3f16", accent="#c8441f"),
    "vinegar_bottle": _open("oil", "VINEGAR", "#c9b98a", "#8a5a3a", accent="#8a9a3a"),
    "bottle_of_vinegar": _bottle("oil", "VINEGAR", "#c9b98a", "#7a4a30", accent="#8a9a3a"),
    "olive_oil_bottle": _open("oil", "OLIVE_OIL", "#7f8a34", "#6b762a", accent="#5a6a2a"),
    "bottle_of_olive_oil": _bottle("oil", "OLIVE_OIL", "#8a943a", "#6b762a", accent="#5a6a2a"),
    "vanilla_bottle": _bottle("sauce", "VANILLA", "#4a2a1a", "#5a3522", accent="#e0c88a"),
    # care and cleaning
    "shampoo_bottle": _bottle("lotion", "SHAMPOO", "#5f9ac8", "#c87fa6", "#7fb88a"),
    "bottle_of_shampoo": _bottle("lotion", "SHAMPOO", "#7fb88a", "#5f9ac8", "#d99a5a"),
    "shampoo_dispenser": _bottle("soap", "SHAMPOO", "#e9e4da", "#3a3f45", "#8ab0b8"),
    "soap_bottle": _bottle("soap", "SOAP", "#d9a6b8", "#a6c8d9", "#e3d59a"),
    "liquid_soap_bottle": _bottle("soap", "LIQUID_SOAP", "#8ac0a6", "#c9a6d9", "#e3c08a"),
    "bottle_of_liquid_soap": _bottle("lotion", "LIQUID_SOAP", "#8ac0a6", "#e3c08a", "#9ab8d9"),
    "detergent_bottle": _bottle("squeeze", "DETERGENT", "#2f8a5f", "#e0622a", "#2f6db3"),
    "bottle_of_lotion": _bottle("lotion", "LOTION", "#f0e6da", "#e8d0c8", accent="#d98a7a"),
    "bottle_of_face_cream": _bottle("tub", "FACE_CREAM", "#f0ece2", "#e6d6dc", accent="#d98aa0"),
    "bottle_of_perfume": _bottle("reagent", "PARFUM", "#e3c9a0", "#d9b0b8", "#b8c4d9"),
    "bottle_of_cologne": _bottle("reagent", "COLOGNE", "#9fb8c9", "#c9b88a", accent="#1f3d6b"),
    "deodorant_stick": _bottle("stick", "DEODORANT", "#e9ecee", "#3f5f8a", "#7fa69a"),
    "spray_can": _bottle("aerosol", "SPRAY", "#c8c9cb", "#3f8ac0", accent="#3f8ac0"),
    "spray_paint_can": _bottle("aerosol", "SPRAY_PAINT", "#b9bcc0", "#a9acb0", accent="#c8281f"),
    "spray_bottle": thing_row(bottles.bottle, plan="upright", options={"style": "spray"}),
    "soap_dispenser": thing_row(
        bottles.bottle, options={"style": "soap", "palette": palettes.CERAMIC, "label": False}
    ),
    # medicine, laboratory, workshop
    "pill_bottle": _bottle("medicine", "PILLS", "#d9762a", "#cf6a20", picture="cross"),
    "bottle_of_medicine": _bottle("medicine", "MEDICINE", "#7a4420", "#d9762a", picture="bands"),
    "bottle_of_antihistamines": _bottle("medicine", "ALLERGY", "#f0ede6", "#3f8ac0"),
    "bottle_of_supplements": _bottle("medicine", "VITAMINS", "#3f7a4a", "#f0ede6"),
    "reagent_bottle": _open("reagent", "REAGENT", *_CLEAR, picture="bands"),
    "specimen_bottle": _open("reagent", "SPECIMEN", *_CLEAR, picture="bands"),
    "solvent_bottle": _open("spirit", "SOLVENT", "#6b3f20", "#5a3418", picture="bands"),
    "lubricant_bottle": _open("sauce", "LUBRICANT", "#3a3f45", "#c8382f", accent="#d9a13a"),
    "ink_bottle": _open("ink", "INK", "#1f2540", "#2b2b30", accent="#1f2f6b"),
    # jars
    "jar_of_jam": _jar("JAM", "#8a1f2e", "#a23a1f"),
    "jar_of_jelly": _jar("JELLY", "#7a1f4a", "#b3402a"),
    "jelly_jar": _jar("JELLY", "#9a2a3a", "#7a1f4a"),
    "jar_of_strawberry_jam": _jar("STRAWBERRY_JAM", "#b3202c", "#a81c28"),
    "jar_of_mayonnaise": _jar("MAYO", "#f0ead2", "#ece4c6", accent="#3f8ac0"),
    "jar_of_cumin": _jar("CUMIN", "#8a6a3a", "#7a5c30"),
    "jar_of_peppercorns": _jar("PEPPER_CORNS", "#2f2822", "#3a322a"),
    "jar_of_sugar": _jar("SUGAR", "#f3f0e8", "#eee9dc", accent="#3f8ac0"),
    "jar_of_tumeric": _jar("TURMERIC", "#d99a1f", "#cf8e18"),
    "jar_of_pepper_seasoning": _jar("PEPPER", "#4a4038", "#3f362f"),
    "jar_of_clove": _jar("CLOVE", "#4a2c1c", "#3f2416"),
    "jar_of_spaghetti_sauce": _jar("SPAGHETTI_SAUCE", "#a8301f", "#b33a24"),
    "jar_of_curry_powder": _jar("CURRY", "#c98a24", "#bf7f1c"),
    "jar_of_chilli_powder": _jar("CHILLI", "#b0341c", "#a02c16"),
    "jar_of_sesame_seed": _jar("SESAME", "#e0cfa6", "#d6c294"),
    "jar_of_honey": _jar("HONEY", "#d9941f", "#cf8818"),
    "honey_jar": _jar("HONEY", "#d9941f", "#e0a22c"),
    "jar_of_cocoa": _jar("COCOA", "#4a2a1a", "#3f2215"),
    "marinara_jar": _jar("MARINARA", "#b0301f", "#a62a1a"),
    "tomato_sauce_jar": _jar("TOMATO_SAUCE", "#b8341f", "#a82c1a"),
    "peanut_butter_jar": _jar("PEANUT_BUTTER", "#b98446", "#ad783c"),
    "cornstarch_jar": _jar("CORN_STARCH", "#f0ece0", "#e9e4d4", accent="#e0b83a"),
    "instant_coffee_jar": _jar("COFFEE", "#3a2318", "#2f1c13"),
    "jelly_bean_jar": _jar("JELLY_BEANS", "#c84a8a", "#4aa0c8", "#e0b02f"),
    "frosting_jar": _jar("FROSTING", "#e8b8c8", "#f0e2d0"),
    # shakers of herbs and spices
    "nutmeg_shaker": _spice("NUTMEG", "#7a5030", "#6b4628"),
    "mustard_seed_shaker": _spice("MUSTARD_SEED", "#c99a3a", "#bd8e30"),
    "cinnamon_shaker": _spice("CINNAMON", "#8a4a24", "#7c401e"),
    "parmesan_shaker": _spice("PARMESAN", "#e9dca8", "#e0d298"),
    "thyme_shaker": _spice("THYME", "#5f7040", "#546436"),
    "cumin_shaker": _spice("CUMIN", "#8a6a3a", "#7a5c30"),
    "lemon_pepper_seasoning_shaker": _spice("LEMON_PEPPER", "#c9b84a", "#bdab3e"),
    "marjoram_shaker": _spice("MARJORAM", "#6b7a4a", "#5f6e40"),
    "coriander_shaker": _spice("CORIANDER", "#a68a4a", "#9a7e40"),
    "curry_powder_shaker": _spice("CURRY", "#c98a24", "#bf7f1c"),
    "ginger_shaker": _spice("GINGER", "#d6b878", "#caaa68"),
    "paprika_shaker": _spice("PAPRIKA", "#b0341c", "#a42c16"),
    "bottle_of_onion_powder": _spice("ONION_POWDER", "#e6d8b4", "#dccca2"),
    # tins
    "can": _tin("FOOD", "#c8441f", "#e9dcb8", "#c8382f", "#2f6db3", "#3f8a4a"),
    "canned_food": _tin("STEW", "#8a4a24", "#d9b13a", "#c8382f", "#e9dcb8"),
    "can_of_coffee": _tin("COFFEE", "#4a2a1a", "#7a2a22", "#2f4a3a"),
    "can_of_beans": _tin("BEANS", "#8a3a24", "#3f8a9a", "#e0c88a"),
    "chickpea_can": _tin("CHICK_PEAS", "#d9b878", "#3f6a4a", "#e9dcb8"),
    "can_of_tomato_paste": _tin("TOMATO_PASTE", "#b3281f", "#e6d6a8", "#c8382f"),
    "can_of_tomatoes": _tin("TOMATOES", "#c8281f", "#e9dcb8", "#3f8a4a"),
    "can_of_sardines": _tin("SARDINES", "#8fa0ac", "#2f5f9a", "#d9b13a"),
    "can_of_oatmeal": _tin("OATMEAL", "#d9b878", "#2f4f7a", "#b3362c"),
    "dog_food_can": _tin("DOG_FOOD", "#8a5a34", "#c8382f", "#e0a83a"),
    "cat_food_tin": _tin("CAT_FOOD", "#c98a5a", "#5b4a8a", "#2f8a8a"),
    # packets and cartons
    "box_of_cereal": thing_row(boxes.packet, plan="upright"),
    "box_of_oatmeal": _packet("OATMEAL", "#d9b878", "#2f4f7a", "#b3362c"),
    "box_of_crackers": _packet("CRACKERS", "#d9a44a", "#b3262a", "#e0b83a"),
    "box_of_cookies": _packet("COOKIES", "#8a5a30", "#c9a46a", "#3f5f8a", "#b3362c", top=True),
    "box_of_chocolates": _packet("CHOCOLATES", "#4a2416", "#7a1f2e", "#5a3a6b", top=True),
    "box_of_wagashi": _packet("WAGASHI", "#d98aa0", "#e6d8c4", "#6b8a5a", top=True),
    "box_of_flour": _packet("FLOUR", "#d9b878", "#f0ebdd", "#e0d6c0"),
    "box_of_milk": _packet("MILK", "#3f8ac0", "#f0f2f2", "#dfe9f0"),
    "box_of_vegetable_juice": _packet("VEG_JUICE", "#b3402a", "#3f8a4a", "#c8441f"),
    "box_of_cane_sugar": _packet("CANE_SUGAR", "#c9a46a", "#e9e2d0", "#8a5a34"),
    "granola_box": _packet("GRANOLA", "#b98446", "#5f8a4a", "#d98a3a"),
    "granola_bar": _packet("GRANOLA_BAR", "#b98446", "#3f7a4a", "#c8702a", top=True),
    "pasta_box": _packet("PASTA", "#e6c86a", "#2f4f9a", "#b3262a"),
    "feta_box": _packet("FETA", "#f4f2ea", "#3f8ac0", "#5f9a6a"),
    "boxed_ink_cartridge": _packet("INK", "#2f7ab8", "#f0f0ee", "#2b2d33", "#dfe6ea", top=True),
    "pack_of_cigarettes": _packet("CIGARETTES", "#b3262a", "#f0ede6", "#c9b070", top=True),
    "milk_carton": thing_row(boxes.gable_carton),
}
