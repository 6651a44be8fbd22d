"""The kernel's camera for a recorded one."""

from __future__ import annotations

import numpy as np

from esi_fast import geometry as geo
from esi_fast.records import CameraSpec

__all__ = ["pinhole"]


def pinhole(camera: CameraSpec, *, side: int | None = None) -> geo.Camera:
    """``side`` is the picture's width and height in pixels where it is not to be the camera's."""
    return geo.Camera(
        position=np.asarray(camera.position),
        orientation=np.asarray(camera.orientation),
        width=side or camera.width,
        height=side or camera.height,
        vfov_deg=camera.vfov_deg,
    )
