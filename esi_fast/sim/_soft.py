"""What the drawn world and the rigid world see of soft things: skins instead of parts, no pieces.

Cloth and water have a shape that changes; they are drawn by a *skin*, meshes in the frame of the
object, and are no obstacle to rigid bodies.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from esi_fast import assets
from esi_fast.assets.base import Part
from esi_fast.records import ObjectSpec
from esi_fast.sim._shapes import Body, Shape
from esi_fast.types import FloatArray

__all__ = ["WATER", "Skin", "ghost", "is_cloth", "is_soft", "is_water"]

WATER = "water"
"""Category of liquid: model ``fill`` is what stands in a vessel, ``loose`` what lies about."""

_NO_SHAPE = Shape("soft", (), 0.0, 0.5, np.zeros(3), np.zeros(3), 0.0)


@dataclass(frozen=True, eq=False)
class Skin:
    """Closed meshes that are drawn for an object, in its frame; a new skin is another object."""

    parts: tuple[Part, ...]

    def box(self, pose: FloatArray) -> FloatArray:
        """World bounding box (2, 3) at a pose (4, 4)."""
        points = np.concatenate([p.vertices for p in self.parts]) @ pose[:3, :3].T + pose[:3, 3]
        return np.stack([points.min(axis=0), points.max(axis=0)])


def is_water(spec: ObjectSpec) -> bool:
    """Whether an object is liquid."""
    return spec.category == WATER


@lru_cache(maxsize=4096)
def _tagged_cloth(category: str, model: str) -> bool:
    return "cloth" in assets.get(category, model).tags


def is_cloth(spec: ObjectSpec) -> bool:
    """Whether an object is cloth; ``UnknownName`` for a model that does not exist."""
    return not is_water(spec) and _tagged_cloth(spec.category, spec.model)


def is_soft(spec: ObjectSpec) -> bool:
    """Whether an object is cloth or liquid."""
    return is_water(spec) or is_cloth(spec)


def ghost(spec: ObjectSpec) -> Body:
    """The body of a soft object: it has a pose, and meets nothing."""
    return Body(spec.id, _NO_SHAPE, True, 0.0, 0.5, 0.5, solid=False)
