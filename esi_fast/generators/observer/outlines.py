"""What an observer reads off a recorded frame: masks, their parts, and which edges are free.

An edge of a mask is *free* when it is the silhouette's own. Any other object beside the mask may
hide the rest of it, in any direction; only the floor cannot hide what stands on it. The picture's
border hides what lies beyond it. An edge that is not free binds one side only: the whole
silhouette reaches at least as far as the visible part.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy import ndimage

from esi_fast import geometry as geo
from esi_fast.records import CameraSpec, FrameRecord
from esi_fast.sim.lens import pinhole
from esi_fast.sim.masks import decode_mask
from esi_fast.types import BoolArray

__all__ = ["BACKGROUND", "MIN_PIXELS", "Extent", "extents"]

# Classes that lie under or behind every free-standing object and so never hide one.
BACKGROUND = frozenset({"floor"})
# A part smaller than this is not used: its outline says little (TASKS: 32 px make an object
# usable; half of that keeps thin slices out without losing a visible object).
MIN_PIXELS = 16


@dataclass(frozen=True, eq=False)
class Extent:
    """One connected part of a mask.

    ``outline`` is its rectangle and which edges are free, ``pixel`` (column, row) the centre of
    one of its pixels (the one nearest to the middle), ``area`` the number of them.
    """

    outline: geo.outline.Outline
    pixel: tuple[float, float]
    area: int

    @property
    def free_edges(self) -> int:
        """How many of the four edges are free."""
        return sum(self.outline.free_low) + sum(self.outline.free_high)


def extents(frame: FrameRecord, appearance: str) -> tuple[Extent, ...]:
    """The connected parts (4-neighbours) of a class's mask, largest first.

    The same frame gives the same objects: what is derived from them can be remembered.
    """
    runs = frame.masks.get(appearance)
    if runs is None:
        return ()
    behind = tuple(frame.masks[name] for name in sorted(BACKGROUND) if name in frame.masks)
    return _extents(frame.camera, runs, behind)


@lru_cache(maxsize=1024)
def _extents(
    spec: CameraSpec, runs: tuple[int, ...], behind: tuple[tuple[int, ...], ...]
) -> tuple[Extent, ...]:
    mask = decode_mask(runs, (spec.height, spec.width))
    free = mask.copy()
    for background in behind:
        free |= decode_mask(background, mask.shape)
    camera = pinhole(spec)
    labels, _ = ndimage.label(mask)
    # The border may cut one object into several parts: which of its edges each shows is unknown.
    rim = np.concatenate((labels[0], labels[-1], labels[:, 0], labels[:, -1]))
    cut_apart = len(np.unique(rim[rim > 0])) > 1
    parts = []
    for label, box in enumerate(ndimage.find_objects(labels), start=1):
        part = labels[box] == label
        area = int(np.count_nonzero(part))
        if area >= MIN_PIXELS:
            parts.append(_extent(camera, part, box, free, area, cut_apart))
    return tuple(sorted(parts, key=lambda part: -part.area))


def _extent(
    camera: geo.Camera,
    part: BoolArray,
    box: tuple[slice, slice],
    free: BoolArray,
    area: int,
    cut_apart: bool,
) -> Extent:
    rows, cols = box
    top, bottom, left, right = rows.start, rows.stop, cols.start, cols.stop
    height, width = free.shape
    # Another object beside the part anywhere may hide the rest of it, in any direction.
    ring = np.pad(part, 1)
    ring = ndimage.binary_dilation(ring) & ~ring
    window = np.ones((bottom - top + 2, right - left + 2), dtype=bool)
    r0, r1 = max(top - 1, 0), min(bottom + 1, height)
    c0, c1 = max(left - 1, 0), min(right + 1, width)
    window[r0 - top + 1 : r1 - top + 1, c0 - left + 1 : c1 - left + 1] = free[r0:r1, c0:c1]
    whole = bool(window[ring].all())
    # What the border of the picture cuts off lies beyond it: only the opposite edge stays free.
    cut_left, cut_right = left == 0, right == width
    cut_top, cut_bottom = top == 0, bottom == height
    across, along = cut_left or cut_right, cut_top or cut_bottom
    whole = whole and not (cut_apart and (across or along))
    local_rows, local_cols = np.nonzero(part)
    middle = np.argmin(
        (local_rows - local_rows.mean()) ** 2 + (local_cols - local_cols.mean()) ** 2
    )
    return Extent(
        outline=geo.outline.Outline(
            camera=camera,
            low=(float(left), float(top)),
            high=(float(right), float(bottom)),
            free_low=(
                whole and not cut_left and not along,
                whole and not cut_top and not across,
            ),
            free_high=(
                whole and not cut_right and not along,
                whole and not cut_bottom and not across,
            ),
        ),
        pixel=(left + local_cols[middle] + 0.5, top + local_rows[middle] + 0.5),
        area=area,
    )
