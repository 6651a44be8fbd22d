"""Batched exact geometry: NumPy arrays in and out, nothing imported but NumPy and the core.

Usable alone, from any simulator: ``from esi_fast import geometry as geo``.

Lengths are metres and angles radians (degrees where a name ends in ``_deg``); z is up; quaternions
are ``xyzw``; poses are 4 x 4 and world from object; cameras look along local -Z with +Y up. Shapes
are given in parentheses, and where two of (N, 3) or (1, 3) are allowed, one row serves for all.
Arrays of any real dtype and order are taken; nothing is modified in place.

A wrong call raises ``ValueError`` (``TypeError`` for a wrong dtype or type) and names the
parameter, what was expected and what came. Geometry that has no answer is no error: it is a status,
a mask or NaN in the result. ``threads=0`` means all processors, or what the scene was made with;
the answers have the same bits for any number of threads. All functions may be called from several
Python threads at once.
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
    fields,
    fluid,
    gridmap,
    interop,
    mirror,
    occlusion,
    outline,
    particles,
    raycast,
    relations,
    render,
    surface,
    transforms,
    vessel,
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
    "fields",
    "fluid",
    "gridmap",
    "interop",
    "mirror",
    "occlusion",
    "outline",
    "particles",
    "raycast",
    "relations",
    "render",
    "surface",
    "transforms",
    "vessel",
]

EMBREE_VERSION: int = version.embree()
