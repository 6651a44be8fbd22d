"""
Compiled kernels of esi_fast.geometry.
"""

from __future__ import annotations

<<<<<<< HEAD
from . import distance, mirror, occlusion, raycast, render, scene, sweep, version
=======
from . import distance, mirror, occlusion, outline, raycast, scene, sweep, version
>>>>>>> c8b11b0 (Decide in compiled code which poses explain an outline, and take no edge for free beside another object)

__all__: list[str] = [
    "distance",
    "mirror",
    "occlusion",
    "outline",
    "raycast",
    "render",
    "scene",
    "sweep",
    "version",
]
