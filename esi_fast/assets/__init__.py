"""Categories and models, the procedural families that draw them, and houses.

``get(category, model, palette)`` is the way to a shape; ``categories``, ``models``, ``info`` and
``placeable`` say what there is; ``from_folder`` adds a user's own meshes.
"""

from __future__ import annotations

from esi_fast.assets.base import Asset, Cavity, Hinge, Mesh, Part, Support
from esi_fast.assets.imported import from_folder, load_mesh
from esi_fast.assets.library import (
    CategoryInfo,
    categories,
    get,
    info,
    models,
    placeable,
    sizes,
)

__all__ = [
    "Asset",
    "CategoryInfo",
    "Cavity",
    "Hinge",
    "Mesh",
    "Part",
    "Support",
    "categories",
    "from_folder",
    "get",
    "info",
    "load_mesh",
    "models",
    "placeable",
    "sizes",
]
