"""The geometry that mirror questions record, and what can be seen in it.

What is not recorded stays open. Furniture may hide things: that an object *can* be seen is only
an upper bound, that it cannot is certain. The shape of the picture is not recorded either: the
field of view is horizontal, and pictures from 1:1 to 16:9 are admitted. A mirror may have a
frame. Orientations are not recorded for all objects, so an object is bounded by the upright box
around all its turns.
"""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from esi_fast import geometry as geo
from esi_fast.dataset.official import OfficialQuestion
from esi_fast.dataset.relabel._reading import Fields, FloatArray, metadata, model_box

__all__ = [
    "MirrorRow",
    "PlacedObject",
    "Sight",
    "direct",
    "mirror_row",
    "numbers_of",
    "reflected",
    "shared_numbers",
]

# Admitted shapes of the picture, width over height.
ASPECTS: Final = (1.0, 16.0 / 9.0)
# A mirror's glass may end this far inside its box, all around (a usual frame).
FRAME_M: Final = 0.03
# Half size for a model that is not in the table: no object of the release's pool is larger
# (apart from flat cloths).
UNKNOWN_HALF_M: Final = 0.5


class Sight(enum.IntEnum):
    """Whether something can be seen, furniture aside."""

    NOT = 0
    """No part of it, in no admissible picture: certain."""
    EDGE_OUT = 1
    """Its centre cannot be seen, a part of it perhaps."""
    EDGE_IN = 2
    """Its centre can, in some admissible pictures."""
    SEEN = 3
    """Its centre can, in all of them."""

    @property
    def center(self) -> bool:
        return self >= Sight.EDGE_IN


# --- reading -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlacedObject:
    """An object: its handle in the question, position of its box's centre, half extents (m).

    ``half`` bounds all turns about the vertical.
    """

    alias: str
    category: str
    position: FloatArray
    half: FloatArray


@dataclass(frozen=True, slots=True)
class MirrorRow:
    """The geometry of a mirror question.

    ``narrow`` and ``wide`` are the camera with the flattest and the tallest admitted picture.
    ``surely`` and ``at_most`` bound the glass of the mirror; ``panel`` is what is opaque for sure.
    ``surely`` and ``panel`` are ``None`` where the mirror's model, and so its height, is unknown.
    """

    narrow: geo.Camera
    wide: geo.Camera
    surely: geo.mirror.Mirror | None
    at_most: geo.mirror.Mirror
    panel: geo.mirror.Mirror | None
    recorded_half_width: float
    objects: tuple[PlacedObject, ...]


def mirror_row(question: OfficialQuestion) -> MirrorRow:
    """The geometry that the row records; ``RecordError`` names a field that is missing or wrong."""
    top = metadata(question)
    setup = top.at("question_data", "scene_setup")
    position = setup.at("camera", "position").vector(3)
    orientation = setup.at("camera", "quaternion_xyzw").quaternion()
    hfov = top.at("camera_poses", "fov_deg").number(1.0, 170.0)
    wide, narrow = (_camera(position, orientation, hfov, aspect) for aspect in ASPECTS)
    at = setup.at("mirror", "position").vector(3)
    turn = setup.at("mirror", "quaternion_xyzw").quaternion()
    half_width = setup.at("mirror", "half_width_m").number(1e-3, 100.0)
    box = model_box(top.at("mirror_setup", "model").text())
    if box is not None:
        panel = at_most = geo.mirror.Mirror.on_box(at, turn, box)
        inner = box - (0.0, 2.0 * FRAME_M, 2.0 * FRAME_M)
        surely = geo.mirror.Mirror.on_box(at, turn, inner) if inner.min() > 0.0 else None
    else:
        # Recorded is half the larger side of the box around the turned mirror: the true width is
        # at least that (thin mirrors), and at most that over the cosine of the turn.
        yaw = geo.transforms.yaw_of(turn)
        cosine = max(abs(math.cos(yaw)), abs(math.sin(yaw)))
        surely = panel = None
        at_most = geo.mirror.Mirror(at, turn, 2.0 * half_width / cosine, 10.0)
    objects = tuple(_placed(item) for item in top.at("question_data", "placement").items())
    return MirrorRow(narrow, wide, surely, at_most, panel, half_width, objects)


def _camera(
    position: FloatArray, orientation: FloatArray, hfov: float, aspect: float
) -> geo.Camera:
    height = 900
    half = math.tan(math.radians(0.5 * hfov))
    vfov = math.degrees(2.0 * math.atan(half / aspect))
    return geo.Camera(position, orientation, round(aspect * height), height, vfov)


def _placed(item: Fields) -> PlacedObject:
    box = model_box(item.at("model").text())
    if box is None:
        half = np.full(3, UNKNOWN_HALF_M)
    else:
        radius = 0.5 * math.hypot(box[0], box[1])
        half = np.array([radius, radius, 0.5 * box[2]])
    return PlacedObject(
        item.at("alias").text(),
        item.at("category").text(),
        item.at("real_position").vector(3),
        half,
    )


# --- seeing --------------------------------------------------------------------------------------


def _corners(thing: PlacedObject) -> FloatArray:
    """The corners (8, 3) of the box that bounds the object."""
    signs = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, 8).T
    return np.asarray(thing.position + signs * thing.half)


def _pyramid(apex: FloatArray, rim: FloatArray) -> FloatArray:
    """Inward normals (K, 3) of the sides of the pyramid from ``apex`` over the ``rim`` (K, 3)."""
    arms = rim - apex
    normals = np.cross(arms, np.roll(arms, -1, axis=0))
    inside = arms.mean(axis=0)
    return np.asarray(normals * np.where(normals @ inside < 0.0, -1.0, 1.0)[:, None])


def _picture_rim(camera: geo.Camera) -> FloatArray:
    w, h = camera.width, camera.height
    return camera.unproject(np.array([[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]]), 1.0)


def _all_outside(points: FloatArray, apex: FloatArray, normals: FloatArray) -> bool:
    """Whether one side of the pyramid has all points on its outer side (so their hull, too)."""
    return bool(((points - apex) @ normals.T <= 0.0).all(axis=0).any())


def direct(row: MirrorRow, thing: PlacedObject) -> Sight:
    """Whether the camera can see the object itself; the mirror's panel is opaque."""
    eye = row.wide.position
    corners = _corners(thing)

    def behind(panel: geo.mirror.Mirror, points: FloatArray) -> NDArray[np.bool_]:
        # The straight way from the eye meets the panel where the bent way to the image does.
        images = geo.mirror.reflect_points(points, panel)
        return np.asarray(geo.mirror.hit_point(eye[None], images, panel).meets)

    if _all_outside(corners, eye, _pyramid(eye, _picture_rim(row.wide))):
        return Sight.NOT
    if row.panel is not None and behind(row.panel, corners).all():
        return Sight.NOT
    center = thing.position[None]
    if not row.wide.project(center).in_image[0]:
        return Sight.EDGE_OUT
    if row.panel is not None and behind(row.panel, center)[0]:
        return Sight.EDGE_OUT
    if not row.narrow.project(center).in_image[0] or behind(row.at_most, center)[0]:
        return Sight.EDGE_IN
    return Sight.SEEN


def reflected(row: MirrorRow, thing: PlacedObject) -> Sight:
    """Whether the camera can see the object in the mirror."""
    eye, mirror = row.wide.position, row.at_most
    corners = _corners(thing)
    if mirror.depth(eye) <= 0.0 or (mirror.depth(corners) <= 0.0).all():
        return Sight.NOT
    images = geo.mirror.reflect_points(corners, mirror)
    for rim in (mirror.corners, _picture_rim(row.wide)):
        if _all_outside(images, eye, _pyramid(eye, rim)):
            return Sight.NOT
    center = thing.position[None]
    if not geo.mirror.image_point(row.wide, center, mirror).in_image[0]:
        return Sight.EDGE_OUT
    if row.surely is None or not geo.mirror.image_point(row.narrow, center, row.surely).in_image[0]:
        return Sight.EDGE_IN
    return Sight.SEEN


def numbers_of(row: MirrorRow, thing: PlacedObject, prefix: str = "") -> dict[str, float]:
    """What decides whether and where an object is seen."""
    mirror, eye = row.at_most, row.wide.position
    local = row.wide.rotation.T @ (thing.position - eye)
    hit = mirror.axes @ (
        geo.mirror.hit_point(eye[None], thing.position[None], mirror).point[0] - mirror.center
    )
    numbers = {
        "distance_m": float(np.linalg.norm(thing.position - eye)),
        "to_mirror_m": float(mirror.depth(thing.position)),
        "mirror_u_m": float(hit[1]),
        "mirror_v_m": float(hit[2]),
        "direct_azimuth_deg": math.degrees(math.atan2(local[0], -local[2])),
        "direct_elevation_deg": math.degrees(math.atan2(local[1], math.hypot(local[0], local[2]))),
        "radius_m": float(thing.half[0]),
    }
    return {f"{prefix}{name}": round(value, 6) for name, value in numbers.items()}


def shared_numbers(row: MirrorRow) -> dict[str, float]:
    numbers = {
        "half_width_m": 0.5 * row.at_most.width,
        "recorded_half_width_m": row.recorded_half_width,
        "half_height_m": 0.5 * row.at_most.height,
        "camera_to_mirror_m": float(row.at_most.depth(row.wide.position)),
        "half_hfov_deg": 0.5 * row.wide.hfov_deg,
    }
    return {name: round(value, 6) for name, value in numbers.items()}
