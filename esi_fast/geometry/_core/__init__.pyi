"""
Compiled kernels of esi_fast.geometry.
"""

from __future__ import annotations

from . import (
    boxes,
    camera,
    cloth,
    distance,
    fields,
    fluid,
    gridmap,
    mirror,
    occlusion,
    outline,
    particles,
    raycast,
    relations,
    render,
    rotation,
    scene,
    surface,
    sweep,
    version,
    vessel,
)

__all__: list[str] = [
    "boxes",
    "camera",
    "cloth",
    "distance",
    "fields",
    "fluid",
    "gridmap",
    "mirror",
    "occlusion",
    "outline",
    "particles",
    "raycast",
    "relations",
    "render",
    "rotation",
    "scene",
    "surface",
    "sweep",
    "version",
    "vessel",
]
