"""What the drawn world and the rigid world see of soft things: skins instead of parts, no pieces.

Cloth and water have a shape that changes; they are drawn by a *skin*, meshes in the frame of the
object, and are no obstacle to rigid bodies.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from esi_fast.assets.base import Part
from esi_fast.records import ObjectSpec
from esi_fast.sim._shapes import Body, Shape
from esi_fast.types import FloatArray

__all__ = ["SPREAD", "WATER", "Skin", "ghost", "is_cloth", "is_soft", "is_water"]

WATER = "water"
"""Category of liquid: model ``fill`` is what stands in a vessel, ``loose`` what lies about."""
SPREAD: dict[str, tuple[float, float, float]] = {
    "bath_towel": (1.3, 0.7, 0.5),
    "hand_towel": (0.8, 0.5, 0.125),
    "dishtowel": (0.7, 0.5, 0.1),
    "dinner_napkin": (0.45, 0.45, 0.03),
    "rag": (0.35, 0.35, 0.04),
    "microfiber_cloth": (0.4, 0.4, 0.04),
    "scarf": (1.6, 0.3, 0.15),
    "tablecloth": (1.8, 1.4, 0.8),
    "blanket": (1.8, 1.3, 1.5),
    "bed_sheet": (2.0, 1.6, 0.8),
    "quilt": (2.0, 1.6, 2.2),
}
"""Cloth by category: length and width (metres) spread out flat, at scale 1, and mass (kg).

The inventory knows only the boxes of folded or draped models; these are common household sizes.
"""

_NO_SHAPE = Shape("soft", (), 0.0, 0.5, np.zeros(3), np.zeros(3), 0.0)


@dataclass(frozen=True, eq=False)
class Skin:
    """Closed meshes that are drawn for an object, in its frame; a new skin is another object."""

    parts: tuple[Part, ...]

    def box(self, pose: FloatArray) -> FloatArray:
        """World bounding box (2, 3) at a pose (4, 4); a point where nothing is drawn."""
        if not self.parts:
            return np.stack([pose[:3, 3], pose[:3, 3]])
        points = np.concatenate([p.vertices for p in self.parts]) @ pose[:3, :3].T + pose[:3, 3]
        return np.stack([points.min(axis=0), points.max(axis=0)])


def is_water(spec: ObjectSpec) -> bool:
    """Whether an object is liquid."""
    return spec.category == WATER


def is_cloth(spec: ObjectSpec) -> bool:
    """Whether an object is cloth that is spread out: of a category of ``SPREAD``, and in the
    state ``spread``. Folded it is a rigid thing."""
    return spec.category in SPREAD and spec.state.get("spread", 0.0) > 0.0


def is_soft(spec: ObjectSpec) -> bool:
    """Whether an object is cloth or liquid."""
    return is_water(spec) or is_cloth(spec)


def ghost(spec: ObjectSpec) -> Body:
    """The body of a soft object: it has a pose, and meets nothing."""
    return Body(spec.id, _NO_SHAPE, True, 0.0, 0.5, 0.5, solid=False)
