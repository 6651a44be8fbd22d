"""
Compiled kernels of esi_fast.geometry.
"""

from __future__ import annotations

from . import (
    cloth,
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
    "cloth",
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
