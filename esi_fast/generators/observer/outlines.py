"""What an observer reads off a recorded frame: masks, their parts, and which edges are free.

An edge of a mask is *free* when nothing can have cut it off: the picture's border may, and so may
any other object, but the floor cannot hide what stands on it. An edge that is not free binds one
side only: the whole silhouette reaches at least as far as the visible part.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from esi_fast.records import CameraSpec, FrameRecord
from esi_fast.sim.masks import decode_mask
from esi_fast.types import BoolArray

__all__ = ["BACKGROUND", "MIN_PIXELS", "Extent", "extents", "mask_of"]

# Classes that lie under or behind every free-standing object and so never hide one.
BACKGROUND = frozenset({"floor"})
# A part smaller than this is not used: its outline says little (TASKS: 32 px make an object
# usable; half of that keeps thin slices out without losing a visible object).
MIN_PIXELS = 16


def mask_of(frame: FrameRecord, appearance: str) -> BoolArray:
    """The mask of a class in a frame, all False where the class is absent."""
    shape = (frame.camera.height, frame.camera.width)
    runs = frame.masks.get(appearance)
    return np.zeros(shape, dtype=bool) if runs is None else decode_mask(runs, shape)


@dataclass(frozen=True)
class Extent:
    """One connected part of a mask: its bounding rectangle in pixels and what is known of it.

    ``low`` and ``high`` are (column, row) of the rectangle's edges in continuous pixel
    coordinates (the first pixel spans 0 to 1); ``free_low`` and ``free_high`` say for columns and
    rows whether that edge is free.
    """

    camera: CameraSpec
    low: tuple[float, float]
    high: tuple[float, float]
    free_low: tuple[bool, bool]
    free_high: tuple[bool, bool]
    pixels: BoolArray

    @property
    def area(self) -> int:
        """Number of pixels."""
        return int(np.count_nonzero(self.pixels))


def extents(frame: FrameRecord, appearance: str) -> list[Extent]:
    """The connected parts (4-neighbours) of a class's mask, largest first."""
    mask = mask_of(frame, appearance)
    if not mask.any():
        return []
    free = np.zeros_like(mask)
    for name in BACKGROUND:
        if name in frame.masks:
            free |= mask_of(frame, name)
    labels, _ = ndimage.label(mask)
    parts = []
    for label, box in enumerate(ndimage.find_objects(labels), start=1):
        part = labels == label
        if np.count_nonzero(part) < MIN_PIXELS:
            continue
        rows, cols = box
        parts.append(_extent(frame.camera, part, free, rows, cols))
    return sorted(parts, key=lambda part: -part.area)


def _extent(
    camera: CameraSpec, part: BoolArray, free: BoolArray, rows: slice, cols: slice
) -> Extent:
    top, bottom, left, right = rows.start, rows.stop, cols.start, cols.stop

    def open_edge(inside: NDArray[np.bool_], outside: NDArray[np.bool_] | None) -> bool:
        return outside is not None and bool(outside[inside].all())

    height, width = part.shape
    return Extent(
        camera=camera,
        low=(float(left), float(top)),
        high=(float(right), float(bottom)),
        free_low=(
            open_edge(part[:, left], free[:, left - 1] if left > 0 else None),
            open_edge(part[top], free[top - 1] if top > 0 else None),
        ),
        free_high=(
            open_edge(part[:, right - 1], free[:, right] if right < width else None),
            open_edge(part[bottom - 1], free[bottom] if bottom < height else None),
        ),
        pixels=part,
    )
