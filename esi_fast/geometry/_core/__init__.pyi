"""
Compiled kernels of esi_fast.geometry.
"""

from __future__ import annotations

from . import distance, occlusion, raycast, scene, version

__all__: list[str] = ["distance", "occlusion", "raycast", "scene", "version"]
