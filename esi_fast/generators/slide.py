"""Worlds that one view cannot tell apart: objects moved along its rays and scaled with distance.

A camera looks level. An object that is enlarged about the floor point under the camera, its place
and its size alike, keeps every column of its picture; its rows move by the camera's height over
its distance, which is little for a camera near the floor. So depth is hidden as far as the
tolerance of the observer goes, and sizes are hidden, too.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from esi_fast import assets
from esi_fast import geometry as geo
from esi_fast.generators.views import pinhole
from esi_fast.records import CameraSpec, ObjectSpec
from esi_fast.sim.base import Snapshot
from esi_fast.types import FloatArray

__all__ = ["box_offset", "factors", "factors_of", "freedom", "moved", "origin_for", "slid"]

# A scale of a twin stays this far inside the range that observers know.
_SCALES = (0.805, 1.195)


def box_offset(category: str, model: str, yaw: float, scale: float) -> FloatArray:
    """From a model's origin to the middle (2,) of its world bounding box, in metres."""
    points = np.concatenate(
        [
            np.asarray(part.vertices, dtype=float)[:, :2]
            for part in assets.get(category, model).parts
        ]
    )
    c, s = np.cos(yaw), np.sin(yaw)
    turned = points @ np.array([[c, s], [-s, c]])
    return np.asarray((turned.min(axis=0) + turned.max(axis=0)) / 2 * scale)


def origin_for(
    center: FloatArray, category: str, model: str, yaw: float, scale: float
) -> FloatArray:
    """Where a model's origin (2,) must be for the middle of its world box to be at ``center``."""
    return np.asarray(center - box_offset(category, model, yaw, scale))


def factors(
    camera: CameraSpec, center: FloatArray, radius: float, scale: float, pixels: float
) -> tuple[float, float]:
    """By what an object may be enlarged about the camera so that no outline moves by more.

    ``center`` (2,) and ``radius`` enclose the object on the floor, in metres; ``pixels`` is the
    most that a row may move. The scale stays within what observers allow for. The camera must look
    level.
    """
    eye = np.asarray(camera.position)
    lens = pinhole(camera)
    forward = -geo.transforms.quat_to_matrix(np.asarray(camera.orientation))[:2, 2]
    nearest = float((center - eye[:2]) @ forward) - radius
    focal = lens.height / 2 / np.tan(np.radians(camera.vfov_deg) / 2)
    # Rows move by focal * height / depth * (1 - 1 / factor).
    give = min(pixels * max(nearest, 0.0) / (focal * float(eye[2])), 0.5)
    low = max(1.0 / (1.0 + give), _SCALES[0] / scale)
    high = min(1.0 / (1.0 - give), _SCALES[1] / scale)
    return (low, high) if low < high else (1.0, 1.0)


def factors_of(
    obj: ObjectSpec, camera: CameraSpec, center: FloatArray, pixels: float
) -> tuple[float, float]:
    """``factors`` of an object whose place on the floor is known by ``center`` (2,)."""
    size = np.asarray(assets.get(obj.category, obj.model).size) * obj.scale
    radius = float(np.linalg.norm(size[:2])) / 2
    return factors(camera, center, radius, float(obj.scale[0]), pixels)


def freedom(
    snapshot: Snapshot, camera: CameraSpec, ids: Sequence[str], pixels: float
) -> tuple[FloatArray, list[tuple[float, float]]]:
    """Box middles (N, 2) of settled objects and by what each may be enlarged (``factors``)."""
    rows = [snapshot.index(name) for name in ids]
    centers = snapshot.centers()[rows][:, :2]
    objects = [snapshot.objects[row] for row in rows]
    return centers, [
        factors_of(obj, camera, center, pixels)
        for obj, center in zip(objects, centers, strict=True)
    ]


def moved(camera: CameraSpec, centers: FloatArray, factor: FloatArray) -> FloatArray:
    """Places (..., 2) enlarged by ``factor`` (...) about the point under the camera."""
    foot = np.asarray(camera.position)[:2]
    return np.asarray(foot + factor[..., None] * (centers - foot))


def slid(obj: ObjectSpec, camera: CameraSpec, factor: float) -> ObjectSpec:
    """An object on the floor (z = 0), enlarged by ``factor`` about the point under the camera."""
    foot = np.array([camera.position[0], camera.position[1], 0.0])
    x, y, z = foot + factor * (np.asarray(obj.position) - foot)
    scale = tuple(factor * value for value in obj.scale)
    return obj.model_copy(
        update={
            "position": (float(x), float(y), float(z)),
            "scale": (scale[0], scale[1], scale[2]),
        }
    )
