"""Flat, rectangular mirrors: reflections, and what is seen by way of them.

A point is seen in a mirror when light from it meets the rectangle on the reflecting side and both
legs of its way, from the point to the mirror and on to the eye, are free. What stands behind the
mirror never matters, nor does the mirror's own body. Everything else in front counts, the frame of
another object included. One reflection is followed; mirrors seen in mirrors are the renderer's.

A reflection turns a right hand into a left one. A *camera* has a right hand by definition, so
``reflect_camera`` returns the proper camera behind the mirror whose picture, **flipped from left to
right**, is what the real camera sees in the mirror: column ``c`` of one is column ``width - c`` of
the other. ``image_point`` gives columns of the real camera's picture, nothing to flip.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from esi_fast.geometry import _core
from esi_fast.geometry._arrays import (
    BoolArray,
    FloatArray,
    Int32Array,
    IntArray,
    as_floats,
    as_ids,
    as_positive,
)
from esi_fast.geometry.camera import Camera, Projection
from esi_fast.geometry.occlusion import TOLERANCE
from esi_fast.geometry.scene import Scene
from esi_fast.geometry.transforms import look_at, normalize, quat_multiply, quat_to_matrix

__all__ = [
    "Mirror",
    "MirrorHits",
    "MirrorShare",
    "MirrorView",
    "hit_point",
    "image_point",
    "reflect_camera",
    "reflect_directions",
    "reflect_plane",
    "reflect_points",
    "sees",
    "visible_fraction_through",
    "visible_through",
]


# Turns the axes of what looks along -Z with +Y up into those of a mirror, +X and +Z.
_FROM_VIEW = np.array([-0.5, 0.5, 0.5, 0.5])


@dataclass(frozen=True, eq=False)
class Mirror:
    """A rectangle that reflects on one side.

    ``center`` (3,) of the reflecting face, metres; ``orientation`` (4,) xyzw, whose local +X is
    the reflecting normal, local Y the width and local Z the height; ``width`` and ``height`` in
    metres, the border included. ``object_id`` is the mirror's own body in the scene, which both
    legs pass through; -1 if it has none.
    """

    center: FloatArray
    orientation: FloatArray
    width: float
    height: float
    object_id: int = -1

    def __post_init__(self) -> None:
        center, orientation = _core.camera.frame(self.center, "center", self.orientation)
        object.__setattr__(self, "center", center)
        object.__setattr__(self, "orientation", orientation)
        object.__setattr__(self, "width", as_positive("width", self.width))
        object.__setattr__(self, "height", as_positive("height", self.height))
        if int(self.object_id) != self.object_id or self.object_id < -1:
            raise ValueError(f"object_id: expected an id, or -1 for none, got {self.object_id!r}")
        object.__setattr__(self, "object_id", int(self.object_id))

    @classmethod
    def from_normal(
        cls,
        center: ArrayLike,
        normal: ArrayLike,
        width: float,
        height: float,
        *,
        up: ArrayLike = (0.0, 0.0, 1.0),
        object_id: int = -1,
    ) -> Mirror:
        """A mirror that faces along ``normal`` (3,) of any length, its height towards ``up``.

        For a horizontal mirror, whose normal is ``up``, the height runs along +y.
        """
        ahead = normalize(as_floats("normal", normal, (3,), ndim=1), name="normal")
        upward = as_floats("up", up, (3,), ndim=1)
        where = as_floats("center", center, (3,), ndim=1)
        facing = look_at((0.0, 0.0, 0.0), ahead, upward)
        return cls(where, quat_multiply(facing, _FROM_VIEW), width, height, object_id)

    @classmethod
    def on_box(
        cls, center: ArrayLike, orientation: ArrayLike, size: ArrayLike, *, object_id: int = -1
    ) -> Mirror:
        """The mirror on the front (local +X) of a box with ``center`` and full ``size`` (3,)."""
        extents = as_floats("size", size, (3,), ndim=1)
        turn = as_floats("orientation", orientation, (4,), ndim=1)
        where = as_floats("center", center, (3,), ndim=1)
        front = where + quat_to_matrix(turn)[:, 0] * (0.5 * extents[0])
        return cls(front, turn, float(extents[1]), float(extents[2]), object_id)

    def _key(self) -> tuple[Any, ...]:
        return (
            tuple(self.center.tolist()),
            tuple(self.orientation.tolist()),
            self.width,
            self.height,
            self.object_id,
        )

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Mirror) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    @cached_property
    def axes(self) -> FloatArray:
        """Unit rows (3, 3): normal, direction of the width, direction of the height. Read-only."""
        rows = np.ascontiguousarray(quat_to_matrix(self.orientation).T)
        rows.flags.writeable = False
        return rows

    @cached_property
    def normal(self) -> FloatArray:
        """Unit normal (3,) of the reflecting side. Read-only."""
        return np.asarray(self.axes[0])

    @property
    def corners(self) -> FloatArray:
        """Corners (4, 3), counter-clockwise as seen by who looks into the mirror."""
        _, y, z = self.axes
        half_y, half_z = 0.5 * self.width * y, 0.5 * self.height * z
        offsets = [-half_y - half_z, half_y - half_z, half_y + half_z, -half_y + half_z]
        return np.asarray(self.center + np.stack(offsets))

    def depth(self, points: ArrayLike) -> FloatArray:
        """Distance (...,) of points (..., 3) in front of the mirror's plane, negative behind."""
        return np.asarray((as_floats("points", points, (3,)) - self.center) @ self.normal)


class MirrorHits(NamedTuple):
    """``point`` (N, 3) where the way between eye and point meets the mirror's plane.

    ``meets`` (N,): both are strictly on the reflecting side and the rectangle is hit. Where one of
    them is not, ``point`` means nothing but is finite.
    """

    point: FloatArray
    meets: BoolArray


class MirrorShare(NamedTuple):
    """How much of an object is seen in a mirror: ``fraction`` = ``visible`` / ``samples``."""

    fraction: float
    visible: int
    samples: int


class MirrorView(NamedTuple):
    """What a camera sees in mirrors. Row k is about object ``object_id[k]``.

    ``fraction`` (K,) of its surface seen, the most that one mirror shows; ``mirror`` (K,) which
    one, -1 for none. Ordered by object id; objects of which nothing is seen are left out.
    """

    object_id: Int32Array
    fraction: FloatArray
    mirror: IntArray


def reflect_points(points: ArrayLike, mirror: Mirror) -> FloatArray:
    """Virtual images (..., 3) of points (..., 3): where they seem to be, behind the mirror."""
    return _core.mirror.reflect_points(mirror.center, mirror.normal, points)


def reflect_directions(directions: ArrayLike, mirror: Mirror) -> FloatArray:
    """Directions (..., 3) after reflection, of the same length: ``d - 2 (d.n) n``."""
    return _core.mirror.reflect_directions(mirror.normal, directions)


def reflect_plane(
    point: ArrayLike, normal: ArrayLike, mirror: Mirror
) -> tuple[FloatArray, FloatArray]:
    """The image of the plane through ``point`` (3,) with ``normal`` (3,): its point and normal."""
    on_plane = as_floats("point", point, (3,), ndim=1)
    across = as_floats("normal", normal, (3,), ndim=1)
    return reflect_points(on_plane, mirror), reflect_directions(across, mirror)


def reflect_camera(camera: Camera, mirror: Mirror) -> Camera:
    """The proper camera behind the mirror; its picture must be flipped from left to right.

    See the module's text. Its view goes through the mirror from behind: whoever renders from it
    has to leave out what lies behind the mirror's plane.
    """
    position, orientation = _core.mirror.reflect_frame(
        mirror.center, mirror.normal, camera.position, camera.orientation
    )
    return Camera(position, orientation, camera.width, camera.height, camera.vfov_deg)


def hit_point(eyes: ArrayLike, points: ArrayLike, mirror: Mirror) -> MirrorHits:
    """Where ``eyes`` (N, 3) look in the mirror to see ``points`` (N, 3); either may have one row.

    Occlusion is not asked.
    """
    return MirrorHits(*_core.mirror.hits(*_arguments(mirror), eyes, points))


def image_point(camera: Camera, points: ArrayLike, mirror: Mirror) -> Projection:
    """Where the reflections of points (N, 3) appear in the camera's picture.

    ``depth`` is that of the virtual image; ``in_front`` also asks that the light meets the mirror
    (strictly in front, within its rectangle), and ``in_image`` that the spot on the mirror is in
    the picture. Occlusion is not asked.
    """
    return Projection(
        *_core.mirror.images(
            *_arguments(mirror),
            camera.position,
            camera.orientation,
            camera.fy,
            camera.width,
            camera.height,
            points,
        )
    )


def visible_through(
    scene: Scene,
    eyes: ArrayLike,
    points: ArrayLike,
    mirror: Mirror,
    *,
    camera: Camera | None = None,
    ignore: ArrayLike | None = None,
    tolerance: float = TOLERANCE,
    threads: int = 0,
) -> BoolArray:
    """(N,): whether ``eyes`` see ``points``, (N, 3) or (1, 3) each, in the mirror.

    Both legs are lines of sight as in ``occlusion.visible``, with the mirror's body ignored and
    ``ignore`` besides: ids (K,) for all, or (N, K) padded with -1. With ``camera`` (at the eye),
    the spot on the mirror, not the object, must be within its picture.
    """
    free: BoolArray = _core.mirror.visible(
        scene, *_arguments(mirror), mirror.object_id, eyes, points, ignore, tolerance, threads
    )
    if camera is not None:
        hits = hit_point(eyes, points, mirror)
        free &= camera.project(hits.point).in_image
    return free


def visible_fraction_through(
    scene: Scene,
    eye: ArrayLike | Camera,
    object_id: int,
    mirror: Mirror,
    *,
    samples: int = 256,
    seed: int = 0,
    ignore: ArrayLike | None = None,
    self_hidden: bool = False,
    threads: int = 0,
) -> MirrorShare:
    """The share of an object's surface that an eye (3,) or a camera sees in the mirror.

    Over points spread evenly on its surface, the same for the same ``seed``. With a camera, spots
    on the mirror outside its picture are not seen. By default the object does not block itself, so
    1 means that nothing else is in the way; with ``self_hidden`` its own far side counts as hidden,
    from the direction of the mirror. ``ignore``: further object ids (K,) that do not block.

    Raises ``ValueError`` if the object has no triangle.
    """
    points = scene.surface_samples(object_id, samples, seed=seed).points
    camera: Camera | None = None
    if isinstance(eye, Camera):
        camera, where = eye, eye.position
    else:
        where = as_floats("eye", eye, (3,), ndim=1)
    passed = as_ids("ignore", ignore).tolist()
    if not self_hidden:
        passed = [*passed, object_id]
    seen = visible_through(
        scene, where[None], points, mirror, camera=camera, ignore=passed, threads=threads
    )
    count = int(seen.sum())
    return MirrorShare(count / len(points), count, len(points))


def sees(
    scene: Scene,
    camera: Camera,
    mirrors: Mirror | Sequence[Mirror],
    *,
    object_ids: Sequence[int] | None = None,
    samples: int = 256,
    seed: int = 0,
    min_fraction: float = 0.0,
    self_hidden: bool = False,
    threads: int = 0,
) -> MirrorView:
    """Which objects appear to the camera in one or several mirrors, and how much of each.

    Asks ``object_ids``, or every object of the scene but the mirrors themselves; leaves out those
    of which no sample, or less than ``min_fraction``, is seen.
    """
    panes = [mirrors] if isinstance(mirrors, Mirror) else list(mirrors)
    bodies = {pane.object_id for pane in panes}
    present = {int(k) for k in scene.instance_object_ids if k >= 0}
    asked = sorted(present - bodies if object_ids is None else {int(k) for k in object_ids})
    clouds = []
    for object_id in asked:
        # Things without a surface, such as lights, are in the scene too; asked for by name, they
        # are a mistake.
        if object_ids is not None or len(scene.world_triangles(object_id)):
            clouds.append((object_id, scene.surface_samples(object_id, samples, seed=seed).points))
    if not clouds or not panes:
        return MirrorView(np.empty(0, np.int32), np.empty(0), np.empty(0, np.int64))
    ids = np.array([object_id for object_id, _ in clouds], dtype=np.int32)
    points = np.concatenate([cloud for _, cloud in clouds])
    own = None if self_hidden else np.repeat(ids, samples)[:, None]
    shares = np.stack(
        [
            visible_through(
                scene,
                camera.position[None],
                points,
                pane,
                camera=camera,
                ignore=own,
                threads=threads,
            )
            .reshape(len(ids), samples)
            .mean(axis=1)
            for pane in panes
        ]
    )
    best = shares.max(axis=0)
    keep = (best > 0.0) & (best >= min_fraction)
    return MirrorView(ids[keep], best[keep], shares.argmax(axis=0)[keep])


def _arguments(mirror: Mirror) -> tuple[FloatArray, FloatArray, float, float]:
    return mirror.center, mirror.axes, mirror.width, mirror.height
