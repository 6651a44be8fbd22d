"""
Compiled kernels of esi_fast.geometry.
"""

from __future__ import annotations

from . import (
    distance,
    gridmap,
    mirror,
    occlusion,
    outline,
    particles,
    raycast,
    render,
    scene,
    sweep,
    version,
)

__all__: list[str] = [
    "distance",
    "gridmap",
    "mirror",
    "occlusion",
    "outline",
    "particles",
    "raycast",
    "render",
    "scene",
    "sweep",
    "version",
]
