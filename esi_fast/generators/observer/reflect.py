"""R: what masks that do not tell reflections apart still say about a mirror.

Objects of known shapes, one of each class, stand on the floor; one upright mirror stands
somewhere. Whatever shows an object's class is the object itself or its mirror image, and both
stand on the floor, each in one place wherever the camera goes. Three facts decide:

* An image lies as far behind the mirror's plane as the object lies before it, and the guards keep
  the object at least ``clearance`` from that plane. The camera is before it. So whatever stands
  nearer to the camera than ``clearance``, measured along the floor, is the object itself.
* There is only one object. Once its place is known, each earlier sighting of its class is either
  that place, and then it was seen directly (an object before the mirror hides no image of its
  own), or another one, and then it was an image.
* Where it is told that the first view shows images, whatever shows elsewhere in a later picture
  than the image would is the object itself. Object and image of one thing give the mirror's
  plane, midway between them, and so the place of any other object whose image is known.

References: TASKS, observer kit R; the guard of 1.0 m is that of the paper's appendix Q.16.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from esi_fast.generators.observer.localise import (
    REST_TOLERANCE,
    TOLERANCE_PX,
    Cells,
    Shape,
    localise,
)
from esi_fast.generators.observer.outlines import Extent, extents
from esi_fast.geometry.transforms import quat_to_matrix
from esi_fast.records import FrameRecord
from esi_fast.types import BoolArray, FloatArray

__all__ = [
    "Ball",
    "Sighting",
    "direct_place",
    "image_ball",
    "itself",
    "mirrored_place",
    "seen_as",
    "sightings",
]


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


@dataclass(frozen=True)
class Ball:
    """Encloses an image, wherever in its possible places it is: centre (3,) and radius, metres."""

    center: FloatArray
    radius: float

    def may_show_in(self, part: Extent) -> bool:
        """Whether any of it may lie in or next to the rectangle of a mask's part."""
        outline = part.outline
        away = np.asarray(self.center) - outline.camera.position
        # Tangents from the camera in the plane of each axis of the picture: (right, up, ahead).
        right, up, back = quat_to_matrix(np.asarray(outline.camera.orientation)).T
        ahead = -float(away @ back)
        if ahead <= -self.radius:
            return False
        half = np.tan(np.radians(outline.camera.vfov_deg) / 2)
        focal = outline.camera.height / 2 / half
        size = (outline.camera.width, outline.camera.height)
        for axis, across in enumerate((float(away @ right), -float(away @ up))):
            far = float(np.hypot(across, ahead))
            if far <= self.radius:
                continue
            bearing, spread = np.arctan2(across, ahead), np.arcsin(self.radius / far)
            low, high = bearing - spread, bearing + spread
            # Beyond a right angle from the axis nothing shows: the edge lies at infinity.
            first = -np.inf if low <= -np.pi / 2 else focal * np.tan(min(low, _RIGHT))
            last = np.inf if high >= np.pi / 2 else focal * np.tan(max(high, -_RIGHT))
            first, last = first + size[axis] / 2, last + size[axis] / 2
            if last < outline.low[axis] - TOLERANCE_PX or first > outline.high[axis] + TOLERANCE_PX:
                return False
        return True


_RIGHT = np.pi / 2 - 1e-6


def image_ball(
    part: Extent, shape: Shape, *, lower: Sequence[float], upper: Sequence[float]
) -> Ball | None:
    """Where the image is that a part of the first view shows; ``None`` if nothing explains it."""
    cells = localise([part], [shape.mirrored], lower=lower, upper=upper, resolution=0.021)
    if not len(cells):
        return None
    centers = np.column_stack((cells.xy, shape.half_height * cells.scale))
    center = (centers.min(axis=0) + centers.max(axis=0)) / 2
    reach = float(np.linalg.norm(centers - center, axis=1).max())
    cell = cells.half * np.sqrt(2.0) + shape.half_height * cells.half_scale
    largest = float(cells.scale.max()) + cells.half_scale
    return Ball(center, reach + cell + shape.radius * largest + 2.0 * REST_TOLERANCE)


def itself(history: Sequence[FrameRecord], appearance: str, image: Ball) -> list[Extent]:
    """What shows the object itself: parts of its class where its image cannot show."""
    return [
        part
        for frame in history
        for part in extents(frame, appearance)
        if not image.may_show_in(part)
    ]


def mirrored_place(image: FloatArray, other_image: FloatArray, other: FloatArray) -> FloatArray:
    """Where (2,) an object stands whose image is at ``image``, by the mirror that shows ``other``.

    All are floor points (2,); ``other_image`` and ``other`` must differ.
    """
    across = other - other_image
    across = across / np.linalg.norm(across)
    depth = float((image - (other + other_image) / 2) @ across)
    return np.asarray(image - 2.0 * depth * across)
