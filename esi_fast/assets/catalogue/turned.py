"""Things of revolution: glassware and open vessels, pens and sticks, lamps, round food."""

from __future__ import annotations

from typing import Any

from esi_fast.assets import palettes
from esi_fast.assets.entries import Entry, Place, thing_row
from esi_fast.assets.families.turned import Layer, layered, open_vessel
from esi_fast.assets.palettes import plain

__all__ = ["TURNED"]

_GLASSY = frozenset({"transparent"})
_LEAD = plain("#33302e")
_RUBBER = plain("#d98a8a", "#c87a80")
_METAL = palettes.CHROME
_WOODEN = plain("#d9b98a", "#c9a272", "#b98a56")
_PAINTS = plain("#d8a21f", "#c8382f", "#2f6db3", "#3f8a4a", "#2b2d33", gloss=0.3)
_CRAYONS = plain("#c8281f", "#2f6db3", "#e3b62f", "#3f9a57", "#7a4a9a", "#e0762f")


def _vessel(line: str, *, glass: bool = True, **options: Any) -> Entry:
    """An open vessel of glass, or of what ``palette`` says."""
    return thing_row(
        open_vessel,
        plan="handled" if options.get("ear") else "round",
        friction=0.4,
        tags=_GLASSY if glass else frozenset(),
        options={"line": line, **options},
    )


def _stick(*layers: Layer, places: tuple[Place, ...] = (), **keywords: Any) -> Entry:
    """A long thing lying along x, whichever way the inventory has it."""
    options = {"layers": layers, "lying": True}
    return thing_row(layered, *places, plan="lying", options=options, **keywords)


def _upright(*layers: Layer, places: tuple[Place, ...] = (), **keywords: Any) -> Entry:
    return thing_row(layered, *places, plan="round", options={"layers": layers}, **keywords)


TURNED: dict[str, Entry] = {
    # laboratory and table glass
    "erlenmeyer_flask": _vessel("90,0 100,4 98,14 40,66 32,74 32,94 42,100", wall=0.035),
    "beaker": _vessel("94,0 98,4 98,92 100,97 100,100", lip=True, wall=0.035),
    "round_bottom_flask": _vessel("22,0 62,7 97,28 97,42 72,58 34,68 30,76 30,95 38,100"),
    "beer_glass": _vessel("78,0 74,8 80,30 96,62 100,82 94,100", floor=0.1),
    "cocktail_glass": _vessel(
        "62,0 62,2 20,5 8,10 8,46 12,50 100,96 100,100", soft=False, floor=0.52, levels=2
    ),
    "carafe": _vessel("62,0 96,6 100,18 84,38 44,62 34,74 40,90 58,100"),
    "pitcher": _vessel("66,0 88,4 100,24 92,52 70,72 66,84 78,100", ear="loop", lip=True),
    "jug": _vessel(
        "64,0 86,4 100,28 94,52 64,76 58,86 66,100",
        glass=False,
        palette=palettes.CERAMIC,
        wall=0.07,
        ear="loop",
        lip=True,
    ),
    "measuring_cup": _vessel(
        "82,0 86,4 98,92 100,100", ear="loop", lip=True, trim=plain("#c8281f", "#b02018")
    ),
    "petri_dish": _vessel("98,0 100,6 100,100", floor=0.12, levels=1, soft=False),
    "cloche": _upright(
        Layer(_METAL, "100,0 100,8 96,12 94,30 82,52 56,70 20,80", soft=True),
        Layer(palettes.BRASS, "6,78 6,86 14,90 14,96 6,100", soft=True),
    ),
    # cups, bins, pots
    "paper_cup": _vessel(
        "70,0 72,2 96,94 100,95 100,100",
        glass=False,
        palette=plain("#f2efe6", "#c9a272", "#e8e4da"),
        soft=False,
        trim=plain("#3f6f4a"),
    ),
    "soda_cup": _vessel(
        "68,0 70,2 95,94 100,95 100,100",
        glass=False,
        palette=plain("#c8281f", "#2f6db3", "#e0762f", gloss=0.2),
        soft=False,
        trim=palettes.WHITE[:2],
        straw=True,
    ),
    "ice_bucket": _vessel(
        "70,0 74,4 92,86 100,88 100,100",
        glass=False,
        palette=_METAL,
        soft=False,
        trim=palettes.BRASS[:2],
    ),
    "pencil_holder": _vessel(
        "98,0 100,3 100,100",
        glass=False,
        palette=palettes.PLASTIC + _METAL[:1],
        wall=0.06,
        soft=False,
        levels=1,
        trim=palettes.DARK[:1],
    ),
    "ashtray": _vessel(
        "80,0 96,10 100,60 96,100", glass=False, palette=palettes.CERAMIC, wall=0.16, floor=0.3
    ),
    "saucer": _vessel(
        "52,0 56,14 78,48 100,92 99,100", glass=False, palette=palettes.WHITE, floor=0.3, wall=0.05
    ),
    "wok": _vessel(
        "30,0 52,10 80,40 96,78 100,100", glass=False, palette=palettes.DARK, ear="bar", wall=0.03
    ),
    # writing and drawing
    "pencil": _stick(
        Layer(_RUBBER, "88,0 96,2 96,7"),
        Layer(_METAL, "100,7 100,13"),
        Layer(_PAINTS, "96,13 96,86", segments=6),
        Layer(_WOODEN, "96,86 26,97", segments=12),
        Layer(_LEAD, "27,96.5 4,100", segments=10),
        places=("table",),
    ),
    "colored_pencil": _stick(
        Layer(_CRAYONS, "90,0 98,2 98,84", segments=6),
        Layer(_WOODEN, "98,84 34,95", segments=12),
        Layer(_CRAYONS, "35,94.5 6,100", segments=10),
        places=("table",),
    ),
    "crayon": _stick(
        Layer(_CRAYONS, "86,0 92,2 92,8 92,84 60,86 20,99 8,100"),
        Layer(palettes.CREAM, "98,12 98,80"),
        places=("table",),
    ),
    "pen": _stick(
        Layer(_METAL, "50,0 70,2 70,4"),
        Layer(_PAINTS, "72,4 78,30 78,56"),
        Layer(palettes.DARK, "78,56 78,84 40,94"),
        Layer(_METAL, "100,30 100,34"),
        Layer(_METAL, "41,93 10,100", segments=12),
        places=("table",),
    ),
    "marker": _stick(
        Layer(palettes.WHITE, "88,0 92,3 92,58 80,62 80,66"),
        Layer(_CRAYONS, "96,62 100,64 96,96 80,100"),
        Layer(_CRAYONS, "93,20 93,40", touch=False),
        places=("table",),
    ),
    "glue_stick": _stick(
        Layer(plain("#e3b62f", "#2f6db3", "#c8382f"), "90,0 96,3 96,10"),
        Layer(palettes.WHITE, "94,10 94,66"),
        Layer(plain("#c8382f", "#2f6db3", "#3f8a4a"), "100,64 100,97 92,100"),
        places=("table",),
    ),
    "paintbrush": _stick(
        Layer(_PAINTS, "20,0 34,2 58,30 80,58 46,70", soft=True),
        Layer(_METAL, "62,68 78,70 92,84"),
        Layer(plain("#5a3f2a", "#2f2620", "#c9a878"), "90,83 100,90 84,96 10,100", flat=0.7),
        places=("table",),
    ),
    "chopstick": _stick(
        Layer(plain("#8a2f24", "#2b2522", "#c9a272"), "98,0 100,2 62,60"),
        Layer(_WOODEN, "62,60 30,99 18,100"),
    ),
    "straw": _stick(
        Layer(palettes.WHITE, "98,0 98,100"),
        Layer(_CRAYONS, "100,10 100,22", touch=False),
        Layer(_CRAYONS, "100,34 100,46", touch=False),
        Layer(_CRAYONS, "100,58 100,70", touch=False),
        Layer(_CRAYONS, "100,82 100,94", touch=False),
    ),
    "stake": _stick(
        Layer(palettes.WOOD, "96,0 100,3 100,70 10,100", segments=8), places=("floor",)
    ),
    # care
    "lipstick": _stick(
        Layer(palettes.DARK + palettes.BRASS[:1], "96,0 100,2 100,44"),
        Layer(palettes.BRASS, "84,44 84,70"),
        Layer(plain("#b3202c", "#c84a6b", "#8a1f3a", "#d97a6b", gloss=0.4), "70,70 70,88 40,100"),
    ),
    "syringe": _stick(
        Layer(_METAL, "10,0 10,22", segments=10),
        Layer(plain("#3f6f9e", "#c8762f"), "34,20 40,28 40,30"),
        Layer(plain("#e3edf0", "#dfe9e4"), "56,29 60,30 60,78"),
        Layer(plain("#2f3338"), "62,44 62,45", touch=False),
        Layer(plain("#2f3338"), "62,54 62,55", touch=False),
        Layer(plain("#2f3338"), "62,64 62,65", touch=False),
        Layer(palettes.WHITE, "100,77 100,80", flat=0.7),
        Layer(palettes.WHITE, "24,80 24,96"),
        Layer(palettes.WHITE, "72,96 72,100"),
        places=("counter",),
    ),
    "digital_thermometer": _stick(
        Layer(_METAL, "26,78 26,98 14,100"),
        Layer(palettes.WHITE + plain("#8ac0d9"), "60,0 96,6 100,30 84,62 40,74 30,80", soft=True),
        Layer(plain("#a9b8a0"), "101,26 101,44", touch=False, flat=1.02),
        places=("counter",),
    ),
    # household
    "light_bulb": _stick(
        Layer(plain("#2f3033"), "20,0 34,3"),
        Layer(_METAL, "36,3 42,5 36,9 42,12 36,16 42,19 36,23 42,26 40,30"),
        Layer(
            plain("#f6f0d8", "#f4f4f0", gloss=0.6),
            "40,30 52,38 88,56 100,72 92,88 60,98 10,100",
            soft=True,
        ),
        places=("shelf",),
    ),
    "rolling_pin": _stick(
        Layer(_WOODEN, "30,0 52,2 48,10 28,17 28,20", soft=True),
        Layer(palettes.WOOD, "92,19 100,21 100,79 92,81"),
        Layer(_WOODEN, "28,80 28,83 48,90 52,98 30,100", soft=True),
        places=("counter",),
    ),
    "baseball_bat": _stick(
        Layer(palettes.DARK + palettes.LEATHER, "60,0 62,2 40,4 42,30"),
        Layer(palettes.WOOD + palettes.STEEL, "41,30 50,44 88,66 100,84 98,96 70,100", soft=True),
        places=("floor",),
    ),
    "test_tube": _stick(
        Layer(plain("#d3e4e8", "#dbe8df", gloss=0.8), "8,0 60,2 84,7 84,94"),
        Layer(plain("#c84a6b", "#3f8ac0", "#d9b13a", "#5f9a4a"), "40,1 78,6 86,8 86,52"),
        Layer(plain("#d3e4e8"), "100,94 100,97"),
        Layer(plain("#a9764a", "#2f3338"), "66,97 72,100"),
        places=("counter",),
    ),
    "jade_roller": _stick(
        Layer(plain("#5f9a78", "#c98a94"), "40,2 100,4 100,24 40,26", segments=20),
        Layer(palettes.BRASS, "12,0 12,34", segments=12),
        Layer(plain("#6ba884", "#d39aa4"), "18,32 26,50 18,76", soft=True),
        Layer(palettes.BRASS, "12,74 12,92", segments=12),
        Layer(plain("#5f9a78", "#c98a94"), "40,84 66,86 66,98 40,100", segments=20),
    ),
    # round food
    "muffin": _upright(
        Layer(plain("#c99a5a", "#b98446", "#8a5a34"), "62,0 66,3 84,54"),
        Layer(plain("#a8702f", "#96602a", "#5f3a20"), "84,52 100,62 96,78 66,94 10,100", soft=True),
        Layer(plain("#3f2a4a", "#5a2f24"), "60,80 60,88", touch=False, segments=5),
    ),
    "cupcake": _upright(
        Layer(plain("#d98aa0", "#8ac0d9", "#e3c46a"), "66,0 68,2 84,48", segments=18),
        Layer(
            plain("#f3e6d2", "#e8a8bc", "#6b4028", "#d9ecd2"),
            "84,46 100,54 90,62 94,68 74,75 78,80 52,86 40,92 8,96",
            soft=True,
        ),
        Layer(plain("#c8202a"), "6,91 20,93 22,96 10,100", soft=True, segments=16),
    ),
    "easter_egg": _stick(
        Layer(
            plain("#e39ab0", "#8ac0d9", "#e3d06a", "#a6d19a"),
            "0,0 44,4 76,14 97,34 100,48 92,68 66,88 36,97 0,100",
            soft=True,
        ),
        Layer(plain("#f6f1e4"), "96,26 100,32 101.5,36", touch=False),
        Layer(plain("#7a5aa6", "#c8485f"), "101.5,46 101,54", touch=False),
        Layer(plain("#f6f1e4"), "97,62 90,72", touch=False),
    ),
    "lollipop": _stick(
        Layer(palettes.WHITE, "11,0 11,66", segments=10),
        Layer(
            plain("#d3282f", "#e39a2f", "#7fae3a", "#8a4ba3", gloss=0.6),
            "10,60 70,64 98,76 100,84 84,94 40,99 0,100",
            soft=True,
        ),
        Layer(palettes.WHITE, "99,76 101.5,79 101.5,81 99,84", touch=False),
    ),
}
