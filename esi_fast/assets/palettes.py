"""Natural colours: what things of a kind are usually made of.

Each palette is a tuple of materials; a model starts at a seeded place in it and every further
palette index moves one on, so that look-alike models can be told apart by colour. sRGB 0 to 1.
"""

from __future__ import annotations

from esi_fast.geometry.render import Material, Texture

__all__ = [
    "APPLIANCE",
    "BRASS",
    "BRIGHT",
    "CARDBOARD",
    "CERAMIC",
    "CHROME",
    "CLOTH",
    "CREAM",
    "DARK",
    "GLASS",
    "LEAF",
    "PLASTIC",
    "TERRACOTTA",
    "UPHOLSTERY",
    "WAX",
    "WHITE",
    "WICKER",
    "WOOD",
    "plain",
]


def plain(*colors: str, gloss: float = 0.0) -> tuple[Material, ...]:
    """Diffuse materials from ``#rrggbb`` strings, with highlights of strength ``gloss``."""
    return tuple(Material(color=_rgb(color), gloss=gloss) for color in colors)


def _rgb(text: str) -> tuple[float, float, float]:
    value = int(text[1:], 16)
    return ((value >> 16) / 255.0, (value >> 8 & 255) / 255.0, (value & 255) / 255.0)


def textured(
    texture: Texture, scale: float, *pairs: tuple[str, str], gloss: float = 0.0
) -> tuple[Material, ...]:
    """Materials of two colours with a procedural texture of ``scale`` metres per period."""
    return tuple(
        Material(color=_rgb(a), color2=_rgb(b), texture=texture, texture_scale=scale, gloss=gloss)
        for a, b in pairs
    )


WOOD = textured(
    "wood",
    0.12,
    ("#b98a56", "#a07242"),
    ("#8a5a33", "#6f4526"),
    ("#d9b98a", "#c6a271"),
    ("#5d3d27", "#4a2f1d"),
    ("#a9714b", "#8f5b38"),
    ("#c9a27a", "#b58b60"),
    gloss=0.15,
)
PAINTED = plain("#efece4", "#d8dcd6", "#44505c", "#7b8f86", "#e9e2d0", "#2f3338", gloss=0.15)
UPHOLSTERY = textured(
    "fabric",
    0.012,
    ("#6d7f8c", "#627380"),
    ("#b8a78f", "#aa9981"),
    ("#7c5a4a", "#70503f"),
    ("#4f6659", "#465b4f"),
    ("#a24a41", "#934138"),
    ("#8d8d90", "#808084"),
    ("#3f4c63", "#384358"),
)
CLOTH = textured(
    "fabric",
    0.010,
    ("#e7dfd0", "#dcd3c2"),
    ("#7fa0b5", "#7393a8"),
    ("#c9866b", "#bd7a5f"),
    ("#8da67f", "#819a73"),
    ("#d6b45c", "#caa850"),
    ("#8b6f97", "#7f638b"),
    ("#b24d57", "#a6434d"),
)
CERAMIC = plain(
    "#f1efe9",
    "#3f6f9e",
    "#b9543f",
    "#d9c48f",
    "#5e8f7a",
    "#2f3b46",
    "#e3b7a5",
    "#8a6f9b",
    gloss=0.5,
)
WHITE = plain("#f4f3ef", "#eceae4", "#f0ece0", gloss=0.3)
CREAM = plain("#efe4c9", "#e8d9b8", "#f3ecdc", "#d9c7a8")
PLASTIC = plain(
    "#c8382f",
    "#2f6db3",
    "#e3b62f",
    "#3f9a57",
    "#e8e8e6",
    "#e0762f",
    "#5b4a8a",
    "#2c2f33",
    gloss=0.3,
)
BRIGHT = plain("#d33a2c", "#2673c4", "#f0c02e", "#35a05a", "#ee7d22", "#8c4ba3", gloss=0.35)
CHROME = plain("#b9bcc0", "#a5a8ac", "#c9cbcd", gloss=0.8)
STEEL = plain("#9aa0a5", "#b4b8bb", "#83898e", gloss=0.6)
BRASS = plain("#b8913f", "#a67f33", "#8d8f92", "#3a3733", gloss=0.7)
DARK = plain("#26282b", "#1d1f22", "#33363a", gloss=0.3)
APPLIANCE = plain("#eeeeec", "#b7babd", "#2e3135", "#dfe3e4", gloss=0.4)
CARDBOARD = plain("#b98d5c", "#c79d6d", "#a87c4c", "#bf9463")
TERRACOTTA = plain("#b5623f", "#d8d3c8", "#6f7f86", "#8a4a33", "#e2dccf", "#3f4a4f")
LEAF = plain("#3f7a3a", "#4f8f42", "#2f6a3f", "#5d8a3f", gloss=0.15)
WICKER = textured(
    "fabric",
    0.03,
    ("#a97c48", "#8a6136"),
    ("#8d643a", "#70502e"),
    ("#c7a06c", "#ab8453"),
)
WAX = plain("#efe6d2", "#a8322f", "#e9d9b0", "#3f5d4f", "#d8c3b0", "#6d4a6b", gloss=0.15)
LEATHER = plain("#6b4429", "#2c2724", "#8c5a34", "#4a3b33", "#9c7a55", gloss=0.2)
GLASS = (
    Material(color=(0.93, 0.96, 0.95), kind="glass"),
    Material(color=(0.85, 0.95, 0.90), kind="glass"),
    Material(color=(0.86, 0.92, 0.97), kind="glass"),
    Material(color=(0.96, 0.90, 0.85), kind="glass"),
)
