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
from numpy.typing import ArrayLike

from esi_fast.geometry import _core
from esi_fast.geometry._arrays import (
    BoolArray,
    FloatArray,
    Int32Array,
    as_floats,
    as_positive,
)

__all__ = [
    "Containment",
    "ContainmentStatus",
    "Mesh",
    "MeshDistance",
    "MeshLike",
    "PointDistance",
    "SignedDistance",
    "contains",
    "mesh_distance",
    "points_to_mesh",
    "signed_distance",
]


class ContainmentStatus(enum.IntEnum):
    """Whether inside and outside mean anything for a mesh."""

    OK = 0
    OPEN = 1
    """An edge belongs to an odd number of faces: the surface encloses nothing."""
    NOT_ORIENTED = 2
    """Closed, but faces disagree about the outside, which the winding rule needs to know."""


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
    """Distance between two surfaces, with the closest points."""
    distance, point_a, point_b, face_a, face_b = _mesh("a", a)._surface.pair(_mesh("b", b)._surface)
    return MeshDistance(distance, np.array(point_a), np.array(point_b), face_a, face_b)


def points_to_mesh(
    mesh: MeshLike, points: ArrayLike, *, bound: float = np.inf, threads: int = 0
) -> PointDistance:
    """Distances of points (N, 3) to a surface, looking no farther than ``bound`` (m)."""
    if not bound >= 0.0:
        raise ValueError(f"bound: expected at least 0, got {bound!r}")
    distance, closest, face = _mesh("mesh", mesh)._surface.nearest(points, float(bound), threads)
    closest[face < 0] = np.nan
    return PointDistance(distance, closest, face)


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
    """
    if rule not in ("parity", "winding"):
        raise ValueError(f"rule: expected 'parity' or 'winding', got {rule!r}")
    limit = as_positive("tolerance", tolerance, zero=True)
    surface = _mesh("mesh", mesh)._surface
    where = as_floats("points", points, (3,), ndim=2)
    if not surface.closed:
        return Containment(np.zeros(len(where), dtype=bool), ContainmentStatus.OPEN)
    if rule == "winding" and not surface.oriented:
        return Containment(np.zeros(len(where), dtype=bool), ContainmentStatus.NOT_ORIENTED)
    count, winding, on_surface = surface.crossings(where, threads)
    inside = (count % 2 == 1 if rule == "parity" else winding != 0) | on_surface
    outside = np.flatnonzero(~inside)
    # Near the surface the exact answer is about the sixteenth digit; the tolerance is the answer.
    distance, _, _ = surface.nearest(where[outside], limit, threads)
    inside[outside[distance <= limit]] = True
    return Containment(inside, ContainmentStatus.OK)


def signed_distance(mesh: MeshLike, points: ArrayLike, *, threads: int = 0) -> SignedDistance:
    """Distances of points (N, 3) to a closed surface, negative inside (by parity)."""
    solid = _mesh("mesh", mesh)
    inside, status = contains(solid, points, tolerance=0.0, threads=threads)
    distance, closest, face = points_to_mesh(solid, points, threads=threads)
    signed = np.where(inside, -distance, distance) + 0.0
    if status != ContainmentStatus.OK:
        signed[:] = np.nan
    return SignedDistance(signed, closest, face, status)


def _faces(faces: ArrayLike) -> Any:
    """Faces as given, an empty list standing for no faces at all."""
    array = np.asarray(faces)
    return array.reshape(0, 3).astype(np.int32) if array.size == 0 else array


def _mesh(name: str, value: MeshLike) -> Mesh:
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
