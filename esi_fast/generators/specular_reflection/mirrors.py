"""What the questions about mirrors share: the mirror itself, and what is seen by way of it.

A *placed mirror* is (3,): the middle (x, y) of its reflecting face on the floor plan and the
direction (yaw) that it faces.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from esi_fast import assets
from esi_fast import geometry as geo
from esi_fast.generators import views
from esi_fast.generators.base import Draft
from esi_fast.generators.place import FreeFloor
from esi_fast.records import CameraSpec, ObjectSpec
from esi_fast.sim.base import Simulator, Snapshot
from esi_fast.types import FloatArray, IntArray

__all__ = [
    "CAMERA_CLEARANCE",
    "MIN_FRACTION",
    "MIN_PIXELS",
    "MIRROR",
    "MIRROR_SIZE",
    "Sight",
    "Through",
    "mirror_fits",
    "mirror_of",
    "mirror_spec",
    "normal",
    "plain_views",
    "reflected",
    "reflected_yaw",
    "sight_of",
    "through_mirror",
    "twin_of",
]

MIRROR = "mirror"
MIRROR_CATEGORY, MIRROR_MODEL = "mirror", "standing"
# Depth, width, height in metres: as tall as a person, without a frame.
MIRROR_SIZE = (0.03, 1.2, 1.7)
# TASKS: objects are at least this far from the camera.
CAMERA_CLEARANCE = 0.5
# TASKS: seen means at least 5 % of the surface samples and 64 pixels; not seen means none.
MIN_FRACTION = 0.05
MIN_PIXELS = 64
SAMPLES = 512


def normal(mirror: FloatArray) -> FloatArray:
    """Unit normal (2,) of a placed mirror."""
    return np.array([np.cos(mirror[2]), np.sin(mirror[2])])


def reflected(points: FloatArray, mirror: FloatArray) -> FloatArray:
    """Mirror images (..., 2) of floor points (..., 2)."""
    ahead = normal(mirror)
    depth = (points - mirror[:2]) @ ahead
    return np.asarray(points - 2.0 * depth[..., None] * ahead)


def reflected_yaw(yaw: float, mirror: FloatArray) -> float:
    """The yaw at which a left-right exchanged model looks like the image of one at ``yaw``."""
    return 2.0 * (float(mirror[2]) + np.pi / 2) - yaw


def mirror_spec(mirror: FloatArray, room: str) -> ObjectSpec:
    """The object that is a placed mirror."""
    native = assets.get(MIRROR_CATEGORY, MIRROR_MODEL).size
    quat = geo.transforms.yaw_quat(float(mirror[2]))
    # The body stands behind the reflecting face.
    back = mirror[:2] - normal(mirror) * MIRROR_SIZE[0] / 2
    return ObjectSpec(
        id=MIRROR,
        category=MIRROR_CATEGORY,
        model=MIRROR_MODEL,
        position=(float(back[0]), float(back[1]), MIRROR_SIZE[2] / 2),
        orientation=(float(quat[0]), float(quat[1]), float(quat[2]), float(quat[3])),
        scale=(
            MIRROR_SIZE[0] / float(native[0]),
            MIRROR_SIZE[1] / float(native[1]),
            MIRROR_SIZE[2] / float(native[2]),
        ),
        role="mirror",
        room=room,
        fixed=True,
    )


def mirror_of(snapshot: Snapshot) -> geo.mirror.Mirror:
    """The kernel's mirror for the one of a settled world."""
    index = snapshot.index(MIRROR)
    obj = snapshot.objects[index]
    return geo.mirror.Mirror.on_box(obj.position, obj.orientation, MIRROR_SIZE, object_id=index)


def mirror_fits(floor: FreeFloor, mirror: FloatArray) -> bool:
    """Whether a placed mirror stands on free floor."""
    along = np.array([-np.sin(mirror[2]), np.cos(mirror[2])])
    offsets = np.linspace(-MIRROR_SIZE[1] / 2, MIRROR_SIZE[1] / 2, 9)
    return bool(floor.is_free(mirror[:2] + offsets[:, None] * along, 0.04).all())


def plain_views(home: Snapshot, camera: CameraSpec, mirror: FloatArray, *, direct: bool) -> bool:
    """Whether a placed mirror fills the view of ``camera`` and shows nothing but floor.

    Rays over the picture must meet the mirror inside its edges and end on a floor; with
    ``direct`` also where they are followed straight on, as if the mirror were not there.
    """
    lens = views.pinhole(camera)
    # Whatever comes into view comes in at the border first, unless it is small.
    edge = np.arange(0.5, camera.width, 4.0)
    first, last = np.full_like(edge, 0.5), np.full_like(edge, camera.width - 0.5)
    axis = np.linspace(0.5, camera.width - 0.5, 13)
    pixels = np.concatenate(
        [
            np.column_stack(pair)
            for pair in ((edge, first), (edge, last), (first, edge), (last, edge))
        ]
        + [np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)]
    )
    origins, directions = lens.rays(pixels)
    ahead = np.append(normal(mirror), 0.0)
    along = np.array([-ahead[1], ahead[0], 0.0])
    approach = directions @ ahead
    if (approach >= -1e-3).any():
        return False
    point = np.append(mirror[:2], 0.0)
    hits = origins + directions * (((point - origins) @ ahead) / approach)[:, None]
    inside = np.abs((hits - point) @ along) < MIRROR_SIZE[1] / 2 - 0.02
    inside &= (hits[:, 2] > 0.02) & (hits[:, 2] < MIRROR_SIZE[2] - 0.02)
    if not inside.all():
        return False
    is_floor = np.array([obj.category == "floor" for obj in home.objects])
    ways = [(hits, directions - 2.0 * approach[:, None] * ahead)]
    if direct:
        ways.append((origins, directions))
    for start, way in ways:
        seen = geo.raycast.closest(home.scene, start, way)
        if not seen.hit.all() or not is_floor[seen.object_id].all():
            return False
    return True


class Sight(NamedTuple):
    """Shares of an object's surface that a camera sees by reflection and directly."""

    reflected: float
    direct: float


def sight_of(snapshot: Snapshot, camera: CameraSpec, name: str) -> Sight:
    """How an object is seen: surface samples followed by way of the mirror, and straight."""
    lens = views.pinhole(camera)
    points = snapshot.scene.surface_samples(snapshot.index(name), SAMPLES).points
    eye = np.asarray(camera.position)[None]
    direct = lens.project(points).in_image & geo.occlusion.visible(snapshot.scene, eye, points)
    mirror = mirror_of(snapshot)
    by_mirror = geo.mirror.visible_through(snapshot.scene, eye, points, mirror, camera=lens)
    return Sight(float(by_mirror.mean()), float(direct.mean()))


class Through(NamedTuple):
    """A picture taken from behind the mirror: what each of its K pixels shows.

    ``direct`` (H, W) are the kernel ids of the plain picture, ``object_id`` (K,) and ``point``
    (K, 3) what the pixels show that lie on the mirror, and where that really is. Of those, every
    other row and column is looked at.
    """

    direct: IntArray
    object_id: IntArray
    point: FloatArray

    def pixels(self, index: int) -> int:
        """How many pixels, about, show an object by way of the mirror."""
        return 4 * int(np.count_nonzero(self.object_id == index))


def through_mirror(sim: Simulator, snapshot: Snapshot, camera: CameraSpec) -> Through:
    """What the camera reflected in the mirror's plane sees, clipped to the mirror.

    Primary rays only: where the plain picture shows the mirror, the reflected camera looks
    through it from behind.
    """
    ids = sim.render([camera], ("ids",))[0].ids
    if ids is None:
        raise RuntimeError("render: asked for ids, got none")
    rows, cols = (2 * k for k in np.nonzero(ids[::2, ::2] == snapshot.index(MIRROR)))
    if not len(rows):
        return Through(ids.astype(np.int64), np.zeros(0, np.int64), np.zeros((0, 3)))
    pixels = np.column_stack((cols + 0.5, rows + 0.5))
    origins, directions = views.pinhole(camera).rays(pixels)
    obj = snapshot.objects[snapshot.index(MIRROR)]
    ahead = geo.transforms.quat_to_matrix(np.asarray(obj.orientation))[:, 0]
    flip = np.eye(3) - 2.0 * np.outer(ahead, ahead)
    face = np.asarray(obj.position) + ahead * MIRROR_SIZE[0] / 2
    start = origins + directions * (((face - origins) @ ahead) / (directions @ ahead))[:, None]
    start = start + 1e-6 * ahead
    behind = directions @ flip
    seen = geo.raycast.closest(snapshot.scene, start, behind)
    reach = np.where(seen.hit, seen.distance, 0.0)
    return Through(
        ids.astype(np.int64),
        np.where(seen.hit, seen.object_id, -1).astype(np.int64),
        np.asarray(start + reach[:, None] * behind),
    )


def twin_of(draft: Draft) -> tuple[ObjectSpec, ...]:
    """The objects of the other world that a draft was built with."""
    return tuple(ObjectSpec.model_validate(data) for data in draft.notes["twin"])
