"""Brute force in double precision, the reference of the ray tests, and small meshes for them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Brute(NamedTuple):
    """Every ray against every triangle."""

    meets: NDArray[np.bool_]  # (N, T)
    t: Floats  # (N, T) in units of the direction, inf where the plane is not met
    clearance: Floats  # (N, T) metres in the triangle's plane from the border, negative outside

    @property
    def closest(self) -> Floats:
        """(N,): the smallest t, inf where nothing is met."""
        return np.where(self.meets, self.t, np.inf).min(axis=1, initial=np.inf)


def brute_force(triangles: Floats, origins: Floats, directions: Floats) -> Brute:
    """Plane first, then the side of each edge on which the point in the plane lies.

    Works differently from the code under test: intersects the plane and measures distances to the
    edges there.
    """
    a, b, c = (triangles[None, :, k] for k in range(3))
    normal = np.cross(b - a, c - a)
    normal = normal / np.linalg.norm(normal, axis=-1, keepdims=True)
    o, d = origins[:, None], directions[:, None]
    slope = (normal * d).sum(-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (normal * (a - o)).sum(-1) / slope
        t = np.where(slope == 0, np.inf, t)
        point = np.where(np.isfinite(t)[..., None], o + t[..., None] * d, np.inf)
        inside = np.full(t.shape, np.inf)
        for p, q in ((a, b), (b, c), (c, a)):
            inward = np.cross(normal, q - p)
            inward = inward / np.linalg.norm(inward, axis=-1, keepdims=True)
            inside = np.minimum(inside, ((point - p) * inward).sum(-1))
    inside = np.where(np.isfinite(t), inside, -np.inf)
    return Brute((inside >= 0) & (t >= 0), t, inside)


def box_mesh(lower: object, upper: object) -> tuple[Floats, NDArray[np.int32]]:
    """A box of 12 triangles wound outwards."""
    low, high = np.asarray(lower, float), np.asarray(upper, float)
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = [f for a, b, c, d in quads for f in ((a, b, c), (a, c, d))]
    return low + corners * (high - low), np.array(faces, np.int32)
