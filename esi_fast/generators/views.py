"""Cameras of questions, and what they show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy import ndimage

from esi_fast.generators.base import Draft
from esi_fast.records import CameraSpec, FrameRecord, ObjectSpec
from esi_fast.sim.actions import camera_orientation
from esi_fast.sim.base import Simulator, Snapshot
from esi_fast.sim.lens import pinhole
from esi_fast.sim.masks import decode_mask
from esi_fast.types import BoolArray

__all__ = [
    "camera_at",
    "first_view_gap",
    "floor_bounds",
    "masks_gap",
    "outline_gap",
    "pinhole",
    "put",
]


def camera_at(
    position: tuple[float, float, float], *, yaw: float, pitch: float, vfov_deg: float
) -> CameraSpec:
    """A 512 x 512 camera without roll; ``yaw`` 0 looks along +X, ``pitch`` is positive upwards."""
    return CameraSpec(
        position=position, orientation=camera_orientation(yaw, pitch), vfov_deg=vfov_deg
    )


def floor_bounds(snapshot: Snapshot, *, margin: float) -> list[list[float]]:
    """Lower and upper corner of all rooms' floors, ``margin`` metres wider on each side."""
    lower = np.min([room.lower for room in snapshot.rooms], axis=0) - margin
    upper = np.max([room.upper for room in snapshot.rooms], axis=0) + margin
    return [[float(v) for v in lower], [float(v) for v in upper]]


def put(sim: Simulator, draft: Draft, objects: Sequence[ObjectSpec]) -> Draft:
    """Put ``objects`` in the place of the draft's; the draft that they would have come from.

    Those with ids of the house, such as a door that stands open in the other world, take the
    places of their namesakes.
    """
    there = set(sim.geometry().ids)
    sim.remove(sorted(there & {obj.id for obj in (*draft.objects, *objects)}))
    sim.add(objects)
    return replace(draft, objects=tuple(objects))


def first_view_gap(sim: Simulator, draft: Draft, objects: Sequence[ObjectSpec]) -> float:
    """How far, in pixels, the outlines of view 0 move when ``objects`` take the draft's place.

    The world is put back.
    """
    token = sim.save()
    before = draft.core(sim).observe(rgb=False).record
    after = put(sim, draft, objects).core(sim).observe(rgb=False).record
    sim.restore(token)
    return masks_gap(before, after)


def masks_gap(one: FrameRecord, other: FrameRecord) -> float:
    """The largest ``outline_gap`` of the masks of two frames of the same size, class by class."""
    shape = (one.camera.height, one.camera.width)
    empty = (shape[0] * shape[1],)
    return max(
        (
            outline_gap(
                decode_mask(one.masks.get(name, empty), shape),
                decode_mask(other.masks.get(name, empty), shape),
            )
            for name in {*one.masks, *other.masks}
            if one.masks.get(name) != other.masks.get(name)
        ),
        default=0.0,
    )


def outline_gap(a: BoolArray, b: BoolArray) -> float:
    """Largest distance in pixels from a pixel of one mask to the other mask.

    The picture's diagonal where one of them is empty.
    """
    if not a.any() and not b.any():
        return 0.0
    if not a.any() or not b.any():
        return float(np.hypot(*a.shape))
    gaps = [0.0]
    for inside, other in ((a & ~b, b), (b & ~a, a)):
        if inside.any():
            gaps.append(float(ndimage.distance_transform_edt(~other)[inside].max()))
    return max(gaps)
