"""Distances between meshes and points, containment in closed meshes, and the sphere that moves.

Double precision throughout. A mesh is a ``Mesh`` (its search tree is built once, lazily), a pair
``(vertices, faces)``, or triangles (T, 3, 3). Distances are between *surfaces*: a body wholly
inside another is not at distance zero from it, which is what ``contains`` is for.
"""

from __future__ import annotations

import enum
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from esi_fast.geometry import _core
from esi_fast.geometry._arrays import (
    BoolArray,
    FloatArray,
    Int32Array,
    as_floats,
)
from esi_fast.geometry.scene import Scene

__all__ = [
    "Containment",
    "ContainmentStatus",
    "Mesh",
    "MeshDistance",
    "MeshLike",
    "ObjectDistance",
    "PointDistance",
    "SceneDistance",
    "SignedDistance",
    "Sweep",
    "SweepStatus",
    "contains",
    "mesh_distance",
    "object_distance",
    "points_to_mesh",
    "points_to_scene",
    "signed_distance",
    "sweep_sphere",
]


class ContainmentStatus(enum.IntEnum):
    """Whether inside and outside mean anything for a mesh."""

    OK = 0
    OPEN = 1
    """An edge belongs to an odd number of faces: the surface encloses nothing."""
    NOT_ORIENTED = 2
    """Closed, but faces disagree about the outside, which the winding rule needs to know."""


_CONTAINMENT = tuple(ContainmentStatus)  # by value


class MeshDistance(NamedTuple):
    """``distance`` (m) between two surfaces, zero where they meet, ``inf`` if one is empty.

    ``point_a``, ``point_b`` (3,) are closest points, on ``face_a`` and ``face_b`` (-1 if empty).
    """

    distance: float
    point_a: FloatArray
    point_b: FloatArray
    face_a: int
    face_b: int


class PointDistance(NamedTuple):
    """For N points: ``distance`` (N,) m, closest ``point`` (N, 3), its ``face`` (N,).

    ``inf``, NaN and -1 where nothing lies within the bound.
    """

    distance: FloatArray
    point: FloatArray
    face: Int32Array


class SignedDistance(NamedTuple):
    """As ``PointDistance``, with ``distance`` negative inside; NaN unless ``status`` is OK."""

    distance: FloatArray
    point: FloatArray
    face: Int32Array
    status: ContainmentStatus


class Containment(NamedTuple):
    """``inside`` (N,), all False and meaningless unless ``status`` is OK."""

    inside: BoolArray
    status: ContainmentStatus


class SweepStatus(enum.IntEnum):
    """What else there is to say about a move."""

    OK = 0
    START_IN_CONTACT = 1
    """The sphere touched or cut a surface before it moved."""


class Sweep(NamedTuple):
    """How far N spheres get.

    ``fraction`` (N,) of the way in [0, 1] that is free; ``blocked`` (N,) whether something ends
    it, then ``object_id`` (N,) says what (-1 for nothing); ``status`` (N,) of ``SweepStatus``.
    """

    fraction: FloatArray
    blocked: BoolArray
    object_id: Int32Array
    status: NDArray[np.uint8]


class ObjectDistance(NamedTuple):
    """``distance`` (m) between two objects of a scene, with closest points (3,) on their surfaces.

    Zero where the surfaces meet; ``inf`` and NaN if one of the objects has no surface.
    """

    distance: float
    point_a: FloatArray
    point_b: FloatArray


class SceneDistance(NamedTuple):
    """The surface nearest to each of N points: ``inf``, NaN and -1 where there is none."""

    distance: FloatArray
    point: FloatArray
    object_id: Int32Array
    instance: Int32Array
    face: Int32Array


class Mesh:
    """Triangles of a surface: ``vertices`` (V, 3) metres, ``faces`` (F, 3) vertex indices.

    Arrays are copied and kept read-only. Faces without area are allowed and act as the segments
    or points that they are. Two corners are one where their coordinates are equal.
    """

    def __init__(self, vertices: ArrayLike, faces: ArrayLike) -> None:
        self.vertices: FloatArray = as_floats("vertices", vertices, (3,), ndim=2).copy()
        self._surface = _core.distance.Surface(self.vertices, _faces(faces))
        self.faces: Int32Array = np.array(_faces(faces), dtype=np.int32)
        self.vertices.flags.writeable = False
        self.faces.flags.writeable = False

    @classmethod
    def from_triangles(cls, triangles: ArrayLike) -> Mesh:
        """A mesh of loose triangles (T, 3, 3); neighbours are found by equal coordinates."""
        corners = as_floats("triangles", triangles, (3, 3), ndim=3)
        return cls(corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3))

    def __len__(self) -> int:
        return len(self.faces)

    @property
    def closed(self) -> bool:
        """Whether every edge belongs to an even number of faces (and there is a face)."""
        return bool(self._surface.closed)

    @property
    def oriented(self) -> bool:
        """Whether, besides, the faces at each edge agree about which side is out."""
        return bool(self._surface.oriented)

    @cached_property
    def triangles(self) -> FloatArray:
        """Corners (T, 3, 3)."""
        return np.asarray(self.vertices[self.faces])

    @cached_property
    def area(self) -> float:
        """Surface area in square metres."""
        t = self.triangles
        normals = np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0])
        return float(0.5 * np.linalg.norm(normals, axis=1).sum())

    @cached_property
    def volume(self) -> float:
        """Enclosed volume by the divergence theorem, positive where faces look outward.

        NaN for a mesh that is not closed and oriented. Parts that overlap count twice.
        """
        if not self.oriented:
            return float("nan")
        t = self.triangles
        t = t - t.reshape(-1, 3).mean(axis=0)  # far from the origin, volumes would cancel
        return float(np.einsum("ij,ij->i", t[:, 0], np.cross(t[:, 1], t[:, 2])).sum() / 6.0)


MeshLike: TypeAlias = Mesh | tuple[ArrayLike, ArrayLike] | ArrayLike
"""A ``Mesh``, a pair ``(vertices (V, 3), faces (F, 3))`` or triangles (T, 3, 3)."""


def mesh_distance(a: MeshLike, b: MeshLike) -> MeshDistance:
    """Distance between two surfaces in metres, with the closest points.

    ``ValueError`` for arrays that are no mesh, values that are not finite, or faces out of range.
    """
    return MeshDistance(*as_mesh("a", a)._surface.pair(as_mesh("b", b)._surface))


def points_to_mesh(
    mesh: MeshLike, points: ArrayLike, *, bound: float = np.inf, threads: int = 0
) -> PointDistance:
    """Distances of points (N, 3) to a surface, looking no farther than ``bound`` (m).

    ``ValueError`` for arrays that are no mesh or points, values that are not finite, or a bound
    that is negative or NaN.
    """
    return PointDistance(*as_mesh("mesh", mesh)._surface.nearest(points, bound, threads))


def contains(
    mesh: MeshLike,
    points: ArrayLike,
    *,
    rule: Literal["parity", "winding"] = "parity",
    tolerance: float = 1e-9,
    threads: int = 0,
) -> Containment:
    """Whether points (N, 3) lie inside a closed surface, itself included up to ``tolerance`` (m).

    The decision is exact: crossings of a vertical ray are counted with exact signs, so that rays
    through corners, edges and ridges are counted right. ``"parity"`` needs no orientation: a point
    is inside when it is enclosed an odd number of times, and a cavity is outside. ``"winding"``
    asks whether it is enclosed at all, for bodies made of parts that overlap; it needs faces that
    agree about the outside. A mesh that is not closed has no inside: see ``status``.

    Many points are sorted into columns of triangles, which are kept with a ``Mesh``. ``ValueError``
    for another rule, a negative tolerance, or arrays that are no mesh or points.
    """
    inside, status = as_mesh("mesh", mesh)._surface.contains(points, rule, tolerance, threads)
    return Containment(inside, _CONTAINMENT[status])


def signed_distance(mesh: MeshLike, points: ArrayLike, *, threads: int = 0) -> SignedDistance:
    """Distances of points (N, 3) to a closed surface in metres, negative inside (by parity).

    ``ValueError`` as in ``points_to_mesh``.
    """
    distance, closest, face, status = as_mesh("mesh", mesh)._surface.signed_distance(
        points, threads
    )
    return SignedDistance(distance, closest, face, _CONTAINMENT[status])


def sweep_sphere(
    scene: Scene,
    starts: ArrayLike,
    ends: ArrayLike,
    radius: float,
    *,
    ignore: ArrayLike | None = None,
    threads: int = 0,
) -> Sweep:
    """How far spheres move from ``starts`` to ``ends``, (N, 3) or (1, 3) each, before they touch.

    Exact to 1e-9 of the radius, whatever the length of the move: nothing is stepped over. Touching,
    sliding along and grazing a surface are free; only what would sink in is blocked. A sphere that
    starts in contact (``status``) may go wherever it comes no closer, and is blocked at fraction 0
    otherwise. Surfaces are two-sided, and a sphere inside a closed body but clear of its surface
    moves freely there. ``ignore``: object ids (K,) for all, or (N, K) padded with -1.

    The search trees of a scene are built on its first sweep and kept; later only what moved is
    built again.
    """
    return Sweep(*_obstacles(scene).sweep(scene, starts, ends, radius, ignore, threads))


def points_to_scene(
    scene: Scene, points: ArrayLike, *, ignore: ArrayLike | None = None, threads: int = 0
) -> SceneDistance:
    """The distance of points (N, 3) to the nearest surface of a scene, and whose it is.

    ``ignore``: object ids (K,) for all, or (N, K) padded with -1.
    """
    return SceneDistance(*_obstacles(scene).nearest(scene, points, ignore, threads))


def object_distance(scene: Scene, object_a: int, object_b: int) -> ObjectDistance:
    """Distance between the surfaces of two objects where they stand now.

    As ``mesh_distance``, on search trees that the scene keeps: of use when objects are tried in
    many places. ``ValueError`` for an id that no instance carries.
    """
    return ObjectDistance(*_obstacles(scene).between(scene, object_a, object_b))


def _obstacles(scene: Scene) -> _core.sweep.Obstacles:
    """The scene's search trees, which it keeps for as long as it lives."""
    if not isinstance(scene, Scene):
        raise TypeError(f"scene: expected a geometry.Scene, got {type(scene).__name__}")
    return scene._obstacles


def _faces(faces: ArrayLike) -> Any:
    """Faces as given, an empty list standing for no faces at all."""
    array = np.asarray(faces)
    return array.reshape(0, 3).astype(np.int32) if array.size == 0 else array


def as_mesh(name: str, value: MeshLike) -> Mesh:
    """The mesh that a ``MeshLike`` stands for; ``ValueError`` names the parameter otherwise."""
    if isinstance(value, Mesh):
        return value
    if isinstance(value, tuple) and len(value) == 2:
        return Mesh(*value)
    array = np.asarray(value)
    if array.ndim != 3:
        raise ValueError(
            f"{name}: expected a Mesh, (vertices, faces) or triangles of shape (T, 3, 3), "
            f"got shape {array.shape}"
        )
    return Mesh.from_triangles(array)
