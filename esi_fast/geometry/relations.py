"""Relations among points: in a line, kind of triangle, nearest, order in a picture, turns.

A label needs more than a number: where the configuration is degenerate or too close to call, the
result says so with a status and holds NaN or -1, which no comparison mistakes for an answer.
Functions of points broadcast over leading dimensions.
"""

from __future__ import annotations

import enum
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from esi_fast.geometry import _core
from esi_fast.geometry._arrays import FloatArray, IntArray
from esi_fast.geometry.camera import Camera

__all__ = [
    "Collinearity",
    "LeftRight",
    "Nearest",
    "RelationStatus",
    "Triangle",
    "TriangleKind",
    "Turn",
    "closer_of_two",
    "collinearity_offset",
    "left_middle_right",
    "nearest",
    "triangle_class",
    "turn_direction",
]


class RelationStatus(enum.IntEnum):
    """Whether a relation could be decided."""

    OK = 0
    TIE = 1
    """Two candidates are too close to tell apart."""
    DEGENERATE = 2
    """Points coincide (or, for a triangle, lie in a line): the relation has no meaning."""
    NOT_IN_FRONT = 3
    """A point is beside or behind the camera and appears nowhere in its picture."""


class TriangleKind(enum.IntEnum):
    """Triangles by their sides; ``UNDECIDED`` where a ratio is between equal and distinct."""

    UNDECIDED = 0
    EQUILATERAL = 1
    ISOSCELES = 2
    SCALENE = 3


class Turn(enum.IntEnum):
    """Change of heading; ``UNDECIDED`` within the guard of a border between two turns."""

    UNDECIDED = 0
    STRAIGHT = 1
    LEFT = 2
    RIGHT = 3
    BACK = 4


class Collinearity(NamedTuple):
    """``offset`` (...,) m of the middle point from the line of the outer two, NaN if degenerate.

    ``middle`` (...,) is the index opposite the longest side (the first such where two are equally
    long: the offset is the same), ``length`` (...,) the longest side.
    """

    offset: FloatArray
    middle: IntArray
    length: FloatArray
    status: NDArray[np.uint8]


class Triangle(NamedTuple):
    """``kind`` (...,) of ``TriangleKind``; ``sides`` (..., 3) m, side k opposite point k."""

    kind: NDArray[np.uint8]
    sides: FloatArray
    status: NDArray[np.uint8]


class Nearest(NamedTuple):
    """``which`` (...,) candidate is nearest, -1 for a tie; ``distances`` (..., K) m.

    ``margin`` (...,) is how much farther the runner-up is (``inf`` with one candidate).
    """

    which: IntArray
    distances: FloatArray
    margin: FloatArray
    status: NDArray[np.uint8]


class LeftRight(NamedTuple):
    """``rank`` (K,): 0 for the leftmost point, K - 1 for the rightmost; all -1 if undecided.

    ``columns`` (K,) in pixels (NaN for points not in front).
    """

    rank: IntArray
    columns: FloatArray
    status: RelationStatus


def collinearity_offset(points: ArrayLike) -> Collinearity:
    """How far three points (..., 3, 3) are from lying in a line.

    The outer two are the pair farthest apart, so neither the order of the points nor their
    direction matters. Degenerate where two of the points coincide.
    """
    return Collinearity(*_core.relations.collinearity(points))


def triangle_class(
    points: ArrayLike, *, equal: float = 0.02, distinct: float = 0.15, flat: float = 1e-6
) -> Triangle:
    """Kind of the triangle of three points (..., 3, 3).

    Two sides are equal when the longer exceeds the shorter by at most ``equal``, distinct when by
    at least ``distinct`` (both relative; the defaults are the label gap of the geometric
    configuration task), and in between the kind is ``UNDECIDED``. Isosceles means exactly two
    equal sides. Degenerate where points coincide or the height over the longest side is at most
    ``flat`` of that side.
    """
    return Triangle(*_core.relations.triangle(points, equal, distinct, flat))


def nearest(
    reference: ArrayLike, candidates: ArrayLike, *, gap: float = 0.0, ratio: float = 0.0
) -> Nearest:
    """Which of the candidates (..., K, 3) is nearest to the reference (..., 3).

    It must be nearer than the runner-up by at least ``gap`` (m) and by at least ``ratio`` of its
    own distance; otherwise, and for distances equal within rounding, it is a tie.
    """
    return Nearest(*_core.relations.nearest(reference, candidates, gap, ratio))


def closer_of_two(
    reference: ArrayLike, a: ArrayLike, b: ArrayLike, *, gap: float = 0.0, ratio: float = 0.0
) -> Nearest:
    """Whether ``a`` (0) or ``b`` (1), each (..., 3), is closer; as ``nearest`` of the two."""
    return Nearest(*_core.relations.closer_of_two(reference, a, b, gap, ratio))


def left_middle_right(camera: Camera, points: ArrayLike, *, min_pixels: float = 0.0) -> LeftRight:
    """Order from left to right of points (K, 3) in the camera's picture.

    A tie where two columns differ by less than ``min_pixels`` (or not at all). Points outside the
    picture but in front of the camera do count.
    """
    rank, columns, status = _core.relations.left_to_right(
        camera.position, camera.orientation, camera.fx, camera.cx, camera.width, points, min_pixels
    )
    return LeftRight(rank, columns, RelationStatus(status))


def turn_direction(
    before: ArrayLike, after: ArrayLike, *, guard_deg: float = 10.0
) -> NDArray[np.uint8]:
    """``Turn`` (...,) from heading ``before`` to ``after`` (radians, counter-clockwise from +x).

    Straight within 45 degrees, back beyond 135; undecided nearer than ``guard_deg`` to either.
    """
    return _core.relations.turn(before, after, guard_deg)
