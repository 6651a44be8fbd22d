"""Collision shapes: the convex pieces of an asset at a scale and an opening."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from esi_fast import assets
from esi_fast.sim._hinges import hinge_pose
from esi_fast.types import FloatArray

__all__ = ["Body", "Piece", "Shape", "shape_of"]


class Piece(NamedTuple):
    """A convex piece: a box (``half`` given) or the hull of ``points`` (K, 3); with its volume."""

    points: FloatArray
    center: FloatArray
    half: FloatArray | None
    volume: float


@dataclass(frozen=True, eq=False)
class Shape:
    """The pieces of a scaled asset with its mass, friction, bounding box and radius.

    Its mass is spread evenly over its pieces. Shapes come from a cache: two of the same asset are
    the same object.
    """

    key: str
    pieces: tuple[Piece, ...]
    mass: float
    friction: float
    lower: FloatArray
    upper: FloatArray
    radius: float

    @property
    def volume(self) -> float:
        """Cubic metres of the solid: of its pieces, not of their common hull."""
        return sum(piece.volume for piece in self.pieces)


@dataclass(frozen=True, eq=False)
class Body:
    """One object of the rigid world.

    ``friction`` is absolute, ``dynamic`` the coefficient while it slides (the same where there is
    no pair); ``priority`` makes its coefficients decide. What is not ``solid`` touches nothing.
    """

    id: str
    shape: Shape
    fixed: bool
    mass: float
    friction: float
    dynamic: float
    priority: int = 0
    solid: bool = True

    def same_as(self, other: Body) -> bool:
        """Whether physics would treat the two alike."""
        mine, theirs = (
            (b.id, b.fixed, b.mass, b.friction, b.dynamic, b.priority, b.solid)
            for b in (self, other)
        )
        return self.shape is other.shape and mine == theirs


def _piece(points: FloatArray) -> Piece:
    lower, upper = points.min(axis=0), points.max(axis=0)
    center, half = (lower + upper) / 2, (upper - lower) / 2
    at_corner = np.abs(np.abs(points - center) - half) <= 1e-9 * max(1.0, float(half.max()))
    corners = {tuple(c) for c in (points > center).tolist()}
    if bool(at_corner.all()) and len(corners) == 8:
        return Piece(points, center, half, float(8.0 * np.prod(half)))
    volume = float(ConvexHull(points).volume)
    return Piece(points, center, None, volume)


@lru_cache(maxsize=4096)
def shape_of(
    category: str, model: str, scale: tuple[float, float, float], opened: float = 0.0
) -> Shape:
    """The collision shape of an asset at a scale and opening; its mass grows with the volume.

    ``ValueError`` names the asset and the piece when a piece is flat or not finite.
    """
    asset = assets.get(category, model)
    factor = np.asarray(scale)
    moved = {
        piece: hinge_pose(hinge, factor, opened) for hinge in asset.hinges for piece in hinge.convex
    }
    pieces = []
    for number, corners in enumerate(asset.convex):
        points = np.asarray(corners, dtype=np.float64) * factor
        if opened != 0.0 and number in moved:
            points = points @ moved[number][:3, :3].T + moved[number][:3, 3]
        if not np.isfinite(points).all():
            bad = np.flatnonzero(~np.isfinite(points).all(axis=1)).tolist()
            raise ValueError(
                f"asset {category}/{model}: convex piece {number}: corners {bad} of {len(points)} "
                "are not finite"
            )
        try:
            piece = _piece(points)
        except QhullError:
            piece = None
        if piece is None or not piece.volume > 0.0:
            extent = np.ptp(points, axis=0).tolist()
            raise ValueError(
                f"asset {category}/{model}: convex piece {number} has no volume, its extents are "
                f"{extent} m"
            )
        pieces.append(piece)
    cloud = np.concatenate([p.points for p in pieces])
    return Shape(
        key="/".join([category, model, *(repr(v) for v in (*scale, opened))]),
        pieces=tuple(pieces),
        mass=float(asset.mass * np.prod(factor)),
        friction=asset.friction,
        lower=cloud.min(axis=0),
        upper=cloud.max(axis=0),
        radius=float(np.linalg.norm(cloud, axis=1).max()),
    )
