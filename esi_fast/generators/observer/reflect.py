"""R: what masks that do not tell reflections apart still say about a mirror.

One object of known shape stands on the floor; one upright mirror stands somewhere. Whatever shows
the object's class is the object itself or its mirror image, and both stand on the floor. Two
facts decide:

* An image lies as far behind the mirror's plane as the object lies before it, and the guards keep
  the object at least ``clearance`` from that plane. The camera is before it. So whatever stands
  nearer to the camera than ``clearance``, measured along the floor, is the object itself.
* There is only one object. Once its place is known, each earlier sighting of its class is either
  that place, and then it was seen directly (an object before the mirror hides no image of its
  own), or another one, and then it was an image.

References: TASKS, observer kit R; the guard of 1.0 m is that of the paper's appendix Q.16.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from esi_fast.generators.observer.localise import Cells, Shape, localise
from esi_fast.generators.observer.outlines import Extent, extents
from esi_fast.records import FrameRecord
from esi_fast.types import BoolArray, FloatArray

__all__ = ["Sighting", "direct_place", "seen_as", "sightings"]


@dataclass(frozen=True)
class Sighting:
    """One appearance in one frame, and the floor places that would explain it."""

    frame: int
    extent: Extent
    cells: Cells

    def distances(self) -> FloatArray:
        """Largest floor distance from the camera to each cell (N,), metres."""
        camera = self.extent.outline.camera.position[:2]
        reach = self.cells.half * np.sqrt(2.0)
        return np.asarray(np.linalg.norm(self.cells.xy - camera, axis=1) + reach)


def sightings(
    history: Sequence[FrameRecord],
    appearance: str,
    shape: Shape,
    *,
    lower: Sequence[float],
    upper: Sequence[float],
) -> list[Sighting]:
    """Every appearance of the class, frame by frame, with its possible places.

    A mirror image is the mirrored shape on the floor behind the mirror, so both shapes are tried
    and ``lower``, ``upper`` must enclose the images too.
    """
    shapes = (shape, shape.mirrored)
    found = []
    for index, frame in enumerate(history):
        for part in extents(frame, appearance):
            cells = localise([part], shapes, lower=lower, upper=upper, resolution=0.021)
            if len(cells):
                found.append(Sighting(index, part, cells))
    return found


def direct_place(found: Sequence[Sighting], clearance: float) -> Cells | None:
    """The object's own place, once some sighting is nearer than any image can be."""
    for sighting in found:
        if sighting.distances().max() < clearance:
            return sighting.cells
    return None


def seen_as(sighting: Sighting, place: Cells) -> tuple[bool, bool]:
    """Whether a sighting can be (the object at ``place`` itself, an image of it).

    It can be direct when some place explains both. It cannot be an image when every possible
    place projects into the sighting: the object would stand before the mirror that shows it.
    """
    gap = (place.half + sighting.cells.half) * np.sqrt(2.0)
    apart = np.linalg.norm(place.xy[:, None] - sighting.cells.xy[None], axis=-1)
    meets: BoolArray = (apart <= gap).any(axis=1)
    return bool(meets.any()), not bool(meets.all())
