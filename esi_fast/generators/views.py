"""Cameras of questions, and what they show."""

from __future__ import annotations

import numpy as np
from scipy import ndimage

from esi_fast import geometry as geo
from esi_fast.generators.base import Draft
from esi_fast.records import CameraSpec, ObjectSpec
from esi_fast.sim.actions import camera_orientation
from esi_fast.sim.base import Simulator, Snapshot
from esi_fast.types import BoolArray, FloatArray

__all__ = ["camera_at", "floor_bounds", "outline_gap", "pinhole", "twin_masks"]


def camera_at(
    position: tuple[float, float, float], *, yaw: float, pitch: float, vfov_deg: float
) -> CameraSpec:
    """A 512 x 512 camera without roll; ``yaw`` 0 looks along +X, ``pitch`` is positive upwards."""
    return CameraSpec(
        position=position, orientation=camera_orientation(yaw, pitch), vfov_deg=vfov_deg
    )


def pinhole(camera: CameraSpec) -> geo.Camera:
    """The kernel's camera for a recorded one."""
    return geo.Camera(
        position=np.asarray(camera.position),
        orientation=np.asarray(camera.orientation),
        width=camera.width,
        height=camera.height,
        vfov_deg=camera.vfov_deg,
    )


def floor_bounds(snapshot: Snapshot, *, margin: float) -> list[list[float]]:
    """Lower and upper corner of all rooms' floors, ``margin`` metres wider on each side."""
    lower = np.min([room.lower for room in snapshot.rooms], axis=0) - margin
    upper = np.max([room.upper for room in snapshot.rooms], axis=0) + margin
    return [[float(v) for v in lower], [float(v) for v in upper]]


def twin_masks(sim: Simulator, draft: Draft) -> float:
    """How far, in pixels, the outlines of view 0 move when the world becomes its twin.

    ``draft.notes["twin"]`` holds the same objects at their other poses. The world is put back.
    """
    twins = [ObjectSpec.model_validate(data) for data in draft.notes["twin"]]
    token = sim.save()
    before = _classes(sim, draft)
    sim.set_poses(
        [obj.id for obj in twins],
        np.array([obj.position for obj in twins]),
        np.array([obj.orientation for obj in twins]),
    )
    after = _classes(sim, draft)
    sim.restore(token)
    return max(
        (
            outline_gap(before == name, after == name)
            for name in set(np.unique(before)) | set(np.unique(after))
        ),
        default=0.0,
    )


def _classes(sim: Simulator, draft: Draft) -> FloatArray:
    seen = sim.render([draft.camera], ("seen_ids",), hide=draft.hide)[0].seen_ids
    if seen is None:
        raise RuntimeError("render: asked for seen_ids, got none")
    categories = [obj.category for obj in sim.geometry().objects]
    names = sorted(set(categories))
    lookup = np.array([names.index(category) for category in categories] + [-1])
    return np.asarray(lookup[seen])


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
