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

from esi_fast.geometry._arrays import BoolArray, FloatArray, IntArray, as_floats, as_positive
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

# Two numbers closer than this, relative to the larger, are equal: far above the rounding of a few
# operations in double precision, far below any length that a scene means.
_EQUAL = 1e-9


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
    p = as_floats("points", points, (3, 3))
    sides = _sides(p)
    middle = np.argmax(sides, axis=-1)
    length = sides.max(axis=-1)
    apex, one, two = (_pick(p, (middle + k) % 3) for k in range(3))
    base = two - one
    # Measured from the nearer outer point: the cross product then loses the fewest digits.
    near = np.linalg.norm(apex - one, axis=-1) <= np.linalg.norm(apex - two, axis=-1)
    arm = np.where(near[..., None], apex - one, apex - two)
    degenerate = sides.min(axis=-1) <= _EQUAL * length
    area = np.linalg.norm(np.cross(base, arm), axis=-1)
    offset = np.divide(area, length, out=np.full_like(length, np.nan), where=~degenerate)
    return Collinearity(
        np.asarray(offset), np.asarray(middle), np.asarray(length), _status(degenerate=degenerate)
    )


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
    as_positive("equal", equal, zero=True)
    if not equal < distinct:
        raise ValueError(f"distinct: expected above equal ({equal}), got {distinct}")
    p = as_floats("points", points, (3, 3))
    sides = _sides(p)
    line = collinearity_offset(p)
    with np.errstate(invalid="ignore"):
        degenerate = (line.status != 0) | (line.offset <= flat * line.length)
    ordered = np.sort(sides, axis=-1)
    shortest, mid, longest = (ordered[..., k] for k in range(3))
    slack = _EQUAL

    def excess(large: FloatArray, small: FloatArray) -> FloatArray:
        one = np.ones_like(large)
        return np.asarray(np.divide(large, small, out=one, where=~degenerate) - 1.0)

    low, high, total = excess(mid, shortest), excess(longest, mid), excess(longest, shortest)
    same_low, same_high, same_all = (e <= equal + slack for e in (low, high, total))
    apart_low, apart_high, apart_all = (e >= distinct - slack for e in (low, high, total))
    kind = np.select(
        [
            degenerate,
            same_all,
            (same_low & apart_high & apart_all) | (same_high & apart_low & apart_all),
            apart_low & apart_high & apart_all,
        ],
        [
            TriangleKind.UNDECIDED,
            TriangleKind.EQUILATERAL,
            TriangleKind.ISOSCELES,
            TriangleKind.SCALENE,
        ],
        TriangleKind.UNDECIDED,
    ).astype(np.uint8)
    return Triangle(kind, sides, _status(degenerate=degenerate, tie=kind == 0))


def nearest(
    reference: ArrayLike, candidates: ArrayLike, *, gap: float = 0.0, ratio: float = 0.0
) -> Nearest:
    """Which of the candidates (..., K, 3) is nearest to the reference (..., 3).

    It must be nearer than the runner-up by at least ``gap`` (m) and by at least ``ratio`` of its
    own distance; otherwise, and for distances equal within rounding, it is a tie.
    """
    as_positive("gap", gap, zero=True)
    as_positive("ratio", ratio, zero=True)
    r = as_floats("reference", reference, (3,))
    c = as_floats("candidates", candidates, (3,))
    if c.ndim < 2 or c.shape[-2] == 0:
        raise ValueError(f"candidates: expected shape (..., K, 3) with K > 0, got {c.shape}")
    distances = np.linalg.norm(c - r[..., None, :], axis=-1)
    index = np.argmin(distances, axis=-1)
    ordered = np.sort(distances, axis=-1)
    best = ordered[..., 0]
    second = ordered[..., 1] if c.shape[-2] > 1 else np.full_like(best, np.inf)
    margin = second - best
    # Distances inherit the rounding of the coordinates, not only their own.
    scale = np.maximum(np.abs(c).max(axis=(-1, -2)), np.abs(r).max(axis=-1))
    slack = 1e-12 * scale
    tie = (
        (margin <= _EQUAL * best + slack) | (margin < gap - slack) | (margin < ratio * best - slack)
    )
    return Nearest(
        np.asarray(np.where(tie, -1, index)), distances, np.asarray(margin), _status(tie=tie)
    )


def closer_of_two(
    reference: ArrayLike, a: ArrayLike, b: ArrayLike, *, gap: float = 0.0, ratio: float = 0.0
) -> Nearest:
    """Whether ``a`` (0) or ``b`` (1), each (..., 3), is closer; as ``nearest`` of the two."""
    one, two = np.broadcast_arrays(as_floats("a", a, (3,)), as_floats("b", b, (3,)))
    return nearest(reference, np.stack([one, two], axis=-2), gap=gap, ratio=ratio)


def left_middle_right(camera: Camera, points: ArrayLike, *, min_pixels: float = 0.0) -> LeftRight:
    """Order from left to right of points (K, 3) in the camera's picture.

    A tie where two columns differ by less than ``min_pixels`` (or not at all). Points outside the
    picture but in front of the camera do count.
    """
    seen = camera.project(as_floats("points", points, (3,), ndim=2))
    columns = seen.pixels[:, 0]
    undecided = np.full(len(columns), -1, dtype=np.int64)
    if not seen.in_front.all():
        return LeftRight(undecided, columns, RelationStatus.NOT_IN_FRONT)
    order = np.argsort(columns, kind="stable")
    slack = _EQUAL * max(camera.width, 1)
    if (np.diff(columns[order]) <= max(min_pixels - slack, slack)).any():
        return LeftRight(undecided, columns, RelationStatus.TIE)
    rank = np.empty_like(undecided)
    rank[order] = np.arange(len(order))
    return LeftRight(rank, columns, RelationStatus.OK)


def turn_direction(
    before: ArrayLike, after: ArrayLike, *, guard_deg: float = 10.0
) -> NDArray[np.uint8]:
    """``Turn`` (...,) from heading ``before`` to ``after`` (radians, counter-clockwise from +x).

    Straight within 45 degrees, back beyond 135; undecided nearer than ``guard_deg`` to either.
    """
    change = as_floats("after", after) - as_floats("before", before)
    angle = np.degrees(np.arctan2(np.sin(change), np.cos(change)))
    size = np.abs(angle)
    unsure = np.minimum(np.abs(size - 45.0), np.abs(size - 135.0)) < guard_deg
    return np.asarray(
        np.select(
            [unsure, size <= 45.0, size >= 135.0, angle > 0.0],
            [Turn.UNDECIDED, Turn.STRAIGHT, Turn.BACK, Turn.LEFT],
            Turn.RIGHT,
        ).astype(np.uint8)
    )


def _sides(p: FloatArray) -> FloatArray:
    """Side lengths (..., 3), side k opposite point k."""
    return np.asarray(np.linalg.norm(np.roll(p, -1, axis=-2) - np.roll(p, -2, axis=-2), axis=-1))


def _pick(p: FloatArray, index: IntArray) -> FloatArray:
    return np.asarray(np.take_along_axis(p, index[..., None, None], axis=-2)[..., 0, :])


def _status(
    *, degenerate: BoolArray | None = None, tie: BoolArray | None = None
) -> NDArray[np.uint8]:
    """``RelationStatus`` codes; degenerate wins over tie."""
    codes = np.asarray(RelationStatus.OK, dtype=np.uint8)
    if tie is not None:
        codes = np.where(tie, np.uint8(RelationStatus.TIE), codes)
    if degenerate is not None:
        codes = np.where(degenerate, np.uint8(RelationStatus.DEGENERATE), codes)
    return np.asarray(codes)
