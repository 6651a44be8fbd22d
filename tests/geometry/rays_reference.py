"""Brute force in extended precision, the reference of the ray tests, and small meshes for them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from esi_fast import geometry as geo

Floats = NDArray[np.float64]


class Brute(NamedTuple):
    """Every ray against every triangle, or pairwise: (N, T) or (N,)."""

    meets: NDArray[np.bool_]
    t: NDArray[Any]  # in units of the direction, inf where the plane is not met
    border: NDArray[Any]  # metres from there to the border, in the plane; negative outside

    @property
    def closest(self) -> Floats:
        """(N,): the smallest t, inf where nothing is met."""
        t = np.where(self.meets, self.t, np.inf).min(axis=1, initial=np.inf)
        return t.astype(np.float64)


def brute_force(
    triangles: Floats, origins: Floats, directions: Floats, *, pairwise: bool = False
) -> Brute:
    """Plane first, then the distances from there to the edges, in the longest floats there are.

    Another method than that of the code under test, which looks at the sides of edges only.
    """
    corners = triangles.astype(np.longdouble)
    o, d = origins.astype(np.longdouble), directions.astype(np.longdouble)
    if not pairwise:
        corners, o, d = corners[None], o[:, None], d[:, None]
    a, b, c = (corners[..., k, :] for k in range(3))
    normal = np.cross(b - a, c - a)
    normal = normal / np.sqrt((normal**2).sum(-1, keepdims=True))
    slope = (normal * d).sum(-1)
    met = slope != 0
    t = np.divide((normal * (a - o)).sum(-1), slope, out=np.full(slope.shape, np.inf), where=met)
    point = o + np.where(met, t, 0)[..., None] * d
    border = np.full(t.shape, np.inf, np.longdouble)
    for p, q in ((a, b), (b, c), (c, a)):
        inward = np.cross(normal, q - p)
        inward = inward / np.sqrt((inward**2).sum(-1, keepdims=True))
        border = np.minimum(border, ((point - p) * inward).sum(-1))
    border = np.where(met, border, -np.inf)
    return Brute(met & (border >= 0) & (t >= 0), t, border)


def random_directions(rng: np.random.Generator, count: int) -> Floats:
    directions = rng.normal(size=(count, 3))
    return directions / np.linalg.norm(directions, axis=1, keepdims=True)


def random_rotation(rng: np.random.Generator) -> Floats:
    q, r = np.linalg.qr(rng.normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    return q * np.sign(np.linalg.det(q))


def soup(rng: np.random.Generator, count: int, size: float = 0.3) -> Floats:
    """(count, 3, 3): random triangles in a cube of two metres."""
    return rng.uniform(-1, 1, (count, 1, 3)) + rng.normal(0, size, (count, 3, 3))


def scene_of(
    triangles: ArrayLike, *, object_id: int = 5, threads: int = 1, pose: ArrayLike | None = None
) -> geo.Scene:
    """A scene of loose triangles in one instance."""
    corners = np.asarray(triangles, float).reshape(-1, 3)
    scene = geo.Scene(threads=threads)
    mesh = scene.add_mesh(corners, np.arange(len(corners)).reshape(-1, 3))
    scene.add_instance(mesh, object_id=object_id, pose=pose)
    return scene


def box_mesh(lower: ArrayLike, upper: ArrayLike) -> tuple[Floats, NDArray[np.int32]]:
    """A box of 12 triangles wound outwards."""
    low, high = np.asarray(lower, float), np.asarray(upper, float)
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = [f for a, b, c, d in quads for f in ((a, b, c), (a, c, d))]
    return low + corners * (high - low), np.array(faces, np.int32)


def add_box(scene: geo.Scene, lower: ArrayLike, upper: ArrayLike, *, object_id: int) -> int:
    return scene.add_instance(scene.add_mesh(*box_mesh(lower, upper)), object_id=object_id)


def pose(rotation: Floats | None = None, position: ArrayLike = (0, 0, 0)) -> Floats:
    matrix = np.eye(4)
    matrix[:3, :3] = np.eye(3) if rotation is None else rotation
    matrix[:3, 3] = position
    return matrix
