"""Batched exact geometry: NumPy arrays in and out, nothing imported but NumPy and the core.

Usable alone, from any simulator: ``from esi_fast import geometry as geo``.
"""

from __future__ import annotations

try:
    # A submodule, because _core alone is also the folder of its stubs.
    from esi_fast.geometry._core import version
except ImportError as error:
    raise ImportError(
        "the compiled core of esi_fast.geometry cannot be loaded "
        f"({error}); install the package with 'python -m pip install .', or build it in place with "
        "'cmake --preset default && cmake --build --preset default'"
    ) from error

from esi_fast.geometry import (
    boxes,
    camera,
    cloth,
    distance,
    gridmap,
    interop,
    mirror,
    occlusion,
    outline,
    particles,
    raycast,
    relations,
    render,
    transforms,
)
from esi_fast.geometry.camera import Camera
from esi_fast.geometry.scene import Scene

__all__ = [
    "EMBREE_VERSION",
    "Camera",
    "Scene",
    "boxes",
    "camera",
    "cloth",
    "distance",
    "gridmap",
    "interop",
    "mirror",
    "occlusion",
    "outline",
    "particles",
    "raycast",
    "relations",
    "render",
    "transforms",
]

EMBREE_VERSION: int = version.embree()
