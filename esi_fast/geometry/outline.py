"""Which poses of a known object explain the rectangles that its mask fills in pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from esi_fast.geometry import _core
from esi_fast.geometry.camera import Camera

__all__ = ["Outline", "explains"]


class Outline(NamedTuple):
    """The rectangle of a mask in one picture.

    ``low`` and ``high`` are (column, row) of its edges in continuous pixel coordinates. A *free*
    edge is the silhouette's own; any other one may be cut off, so that the whole silhouette
    reaches at least as far.
    """

    camera: Camera
    low: tuple[float, float]
    high: tuple[float, float]
    free_low: tuple[bool, bool]
    free_high: tuple[bool, bool]


def explains(
    hull: ArrayLike,
    states: ArrayLike,
    outlines: Sequence[Outline],
    *,
    cell: tuple[float, float, float] = (0.0, 0.0, 0.0),
    base: float,
    floor_z: float = 0.0,
    max_scale: float,
    tolerance_px: float,
    rest: float = 0.0,
    threads: int = 0,
) -> NDArray[np.bool_]:
    """(N,): whether some object in the cell around each state explains all outlines.

    ``hull`` (V, 3): the vertices that give the outline, in the model's frame in metres.
    ``states`` (N, 4): x, y (metres), yaw (radians) and scale of an object that stands upright on
    the floor at ``floor_z``, its origin ``base`` metres above it at scale 1. ``cell``: half sizes
    of the cell in x and y, yaw, and scale. ``max_scale`` is the largest scale in question,
    ``tolerance_px`` the distance allowed between a predicted and a seen edge, ``rest`` how far
    (metres) any vertex may be off its place.

    Conservative: by interval bounds on each vertex's image, it is never false for a cell that
    holds a state which explains the outlines. Raises ``ValueError`` for wrong shapes or values.
    """
    if not outlines:
        return np.ones(len(np.asarray(states)), dtype=bool)
    cameras = [outline.camera for outline in outlines]
    keep: NDArray[np.bool_] = _core.outline.explains(
        hull,
        states,
        np.stack([camera.position for camera in cameras]),
        np.stack([camera.pose[:3, :3] for camera in cameras]),
        np.array([(camera.fy, camera.cx, camera.cy) for camera in cameras]),
        np.array([(*outline.low, *outline.high) for outline in outlines]),
        np.array([(*outline.free_low, *outline.free_high) for outline in outlines]),
        cell,
        (floor_z, base, max_scale, tolerance_px, rest),
        threads,
    )
    return keep
