"""Coats of paint, veneer or foil: a colouring that models of different categories can share.

A model's own colours are seeded by its category, so that no two categories look the same even
where their shapes do. A coat gives chosen parts of a model a material of a common palette.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from esi_fast.assets import palettes
from esi_fast.assets.base import Part
from esi_fast.errors import UnknownName
from esi_fast.geometry.render import Material
from esi_fast.records import CoatSpec

__all__ = ["FINISHES", "coat_of", "coated"]

FINISHES: Final[Mapping[str, tuple[Material, ...]]] = {
    "enamel": palettes.APPLIANCE,
    "paint": palettes.PAINTED,
    "plastic": palettes.PLASTIC,
    "wood": palettes.WOOD,
}


def coat_of(coat: CoatSpec) -> Material:
    """The material of a coat; ``UnknownName`` for a finish that is not there."""
    if coat.finish not in FINISHES:
        raise UnknownName.among(sorted(FINISHES), "finish", coat.finish)
    palette = FINISHES[coat.finish]
    return palette[coat.index % len(palette)]


def coated(coat: CoatSpec | None, number: int, part: Part) -> Material:
    """What part ``number`` of a model looks like under ``coat``."""
    return part.material if coat is None or number not in coat.parts else coat_of(coat)
