"""Boxes: axis-aligned ones as arrays (..., 2, 3) of lower and upper corner, and oriented ones.

Everything broadcasts over leading dimensions. A box may be flat or a point (zero size); a box
whose lower corner exceeds its upper one is a wrong call and raises. Boxes are closed sets: boxes
that only touch do overlap, and a box contains itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from esi_fast.geometry import _core
from esi_fast.geometry._arrays import BoolArray, FloatArray, IntArray, as_finite, as_floats

__all__ = [
    "EMPTY",
    "Obb",
    "aabb",
    "center",
    "contact",
    "containment_pairs",
    "contains",
    "contains_points",
    "corners",
    "distance",
    "fit_ratio",
    "gap",
    "iou",
    "iou_xy",
    "obb_contains",
    "obb_contains_points",
    "obb_corners",
    "obb_overlap",
    "obb_separation",
    "overlap",
    "overlap_pairs",
    "overlap_pairs_between",
    "overlap_volume",
    "size",
    "support",
    "union",
    "world_aabb",
]

EMPTY: FloatArray = np.array([[np.inf] * 3, [-np.inf] * 3])
"""The box of no points: the neutral element of ``union``. Every other function refuses it."""
EMPTY.flags.writeable = False


def aabb(points: ArrayLike) -> FloatArray:
    """Boxes (..., 2, 3) of point sets (..., N, 3); no points give ``EMPTY``."""
    if isinstance(points, Sequence) and not points:
        return EMPTY.copy()  # a list of no points does not tell its shape
    return _core.boxes.aabb(points)


def world_aabb(points: ArrayLike, pose: ArrayLike, scale: ArrayLike = 1.0) -> FloatArray:
    """Tight box (..., 2, 3) of points (N, 3) scaled in their own frame, then posed (..., 4, 4).

    ``scale`` is one number or three.

    Computed from the points, not from the corners of their box, so that it neither grows with
    repeated moves nor overstates a tilted shape.
    """
    return _core.boxes.world_aabb(points, pose, scale)


def union(boxes: ArrayLike) -> FloatArray:
    """The box (2, 3) around boxes (N, 2, 3), ``EMPTY`` ones and none at all included."""
    if isinstance(boxes, Sequence) and not boxes:
        return EMPTY.copy()  # a list of no boxes does not tell its shape
    return _core.boxes.around(boxes)


def center(boxes: ArrayLike) -> FloatArray:
    """Centres (..., 3)."""
    return _core.boxes.center(boxes)


def size(boxes: ArrayLike) -> FloatArray:
    """Full extents (..., 3)."""
    return _core.boxes.size(boxes)


def corners(boxes: ArrayLike) -> FloatArray:
    """The eight corners (..., 8, 3); bit k of the index chooses the upper side of axis k."""
    return _core.boxes.corners(boxes)


def gap(a: ArrayLike, b: ArrayLike) -> FloatArray:
    """Signed gap (..., 3) per axis: metres apart where positive, overlap where negative."""
    return _core.boxes.gap(a, b)


def overlap(a: ArrayLike, b: ArrayLike, *, tolerance: float = 0.0) -> BoolArray:
    """Whether boxes share a point (...,), a face, edge or corner being enough.

    A positive ``tolerance`` (m) also joins boxes that far apart per axis; a negative one asks for
    more than that much overlap, so any negative number tells true overlap from mere touch.
    """
    return _core.boxes.overlap(a, b, tolerance)


def contact(a: ArrayLike, b: ArrayLike, *, tolerance: float = 1e-3) -> BoolArray:
    """Whether boxes touch (...,): the widest gap is zero within ``tolerance`` (m).

    Boxes that overlap by more than the tolerance in every axis are not in contact but inside
    each other. The default is the contact threshold of the physical-contact task.
    """
    return _core.boxes.contact(a, b, tolerance)


def distance(a: ArrayLike, b: ArrayLike) -> FloatArray:
    """Euclidean distance (...,) between boxes, zero where they overlap."""
    return _core.boxes.distance(a, b)


def contains(outer: ArrayLike, inner: ArrayLike, *, tolerance: float = 1e-6) -> BoolArray:
    """Whether ``inner`` lies in ``outer`` (...,), bounds included, up to ``tolerance`` (m)."""
    return _core.boxes.contains(outer, inner, tolerance)


def contains_points(box: ArrayLike, points: ArrayLike, *, tolerance: float = 1e-6) -> BoolArray:
    """Whether points (..., 3) lie in boxes (..., 2, 3), bounds included, broadcast."""
    return _core.boxes.contains_points(box, points, tolerance)


def overlap_volume(a: ArrayLike, b: ArrayLike) -> FloatArray:
    """Volume (...,) that boxes share, in cubic metres."""
    return _core.boxes.overlap_volume(a, b)


def iou(a: ArrayLike, b: ArrayLike) -> FloatArray:
    """Intersection over union (...,) of volumes; zero where the union has no volume."""
    return _core.boxes.iou(a, b, 3)


def iou_xy(a: ArrayLike, b: ArrayLike) -> FloatArray:
    """Intersection over union (...,) of footprints; zero where the union has no area."""
    return _core.boxes.iou(a, b, 2)


def support(
    lower: ArrayLike, upper: ArrayLike, *, min_rise: float = 0.02, min_iou: float = 0.1
) -> BoolArray:
    """Whether ``upper`` stands on ``lower`` (...,) by the paper's rule for stacks (Q.5).

    Its underside is at least ``min_rise`` (m) above the other's underside and their footprints
    overlap by at least ``min_iou``. How far a body has tilted is the caller's to ask.
    """
    return _core.boxes.supports(lower, upper, min_rise, min_iou)


def fit_ratio(size: ArrayLike, interior: ArrayLike) -> FloatArray:
    """How tightly a box of ``size`` (..., 3) fits upright in one of size ``interior`` (..., 3).

    The smallest factor (...,) by which the interior would have to be scaled so that the box goes
    in, turned about z as suits it best: at most 1 where it fits. An interior without extent admits
    only what has none (``inf`` otherwise).
    """
    return _core.boxes.fit_ratio(size, interior)


def overlap_pairs(boxes: ArrayLike, *, tolerance: float = 0.0, threads: int = 0) -> IntArray:
    """Index pairs (P, 2), ``i < j`` and sorted, of the boxes (N, 2, 3) that overlap.

    Sweep and prune along the axis on which the fewest pairs meet; ``tolerance`` as in ``overlap``.
    """
    return _core.boxes.overlap_pairs(boxes, tolerance, threads)


def overlap_pairs_between(
    a: ArrayLike, b: ArrayLike, *, tolerance: float = 0.0, threads: int = 0
) -> IntArray:
    """Pairs (P, 2) of indices into ``a`` (N, 2, 3) and ``b`` (M, 2, 3) that overlap, sorted."""
    return _core.boxes.overlap_pairs_between(a, b, tolerance, threads)


def containment_pairs(
    outer: ArrayLike, inner: ArrayLike, *, tolerance: float = 1e-6, threads: int = 0
) -> IntArray:
    """Pairs (P, 2) of indices into ``outer`` (N, 2, 3) and ``inner`` (M, 2, 3), sorted.

    The second box of each lies in the first; ``tolerance`` as in ``contains``.
    """
    return _core.boxes.containment_pairs(outer, inner, tolerance, threads)


class Obb(NamedTuple):
    """Oriented boxes: ``center`` (..., 3), ``orientation`` (..., 4) xyzw, ``size`` (..., 3) full.

    The functions below check the numbers; leading dimensions broadcast.
    """

    center: ArrayLike
    orientation: ArrayLike
    size: ArrayLike


def obb_corners(box: Obb) -> FloatArray:
    """The eight corners (..., 8, 3); bit k of the index chooses the upper side of axis k."""
    return _core.boxes.obb_corners(*box)


def obb_contains_points(box: Obb, points: ArrayLike, *, tolerance: float = 1e-6) -> BoolArray:
    """Whether points (..., N, 3) lie in oriented boxes (...), bounds included: (..., N)."""
    return _core.boxes.obb_contains_points(*box, points, tolerance)


def obb_contains(outer: Obb, inner: Obb, *, tolerance: float = 1e-6) -> BoolArray:
    """Whether all of ``inner`` lies in ``outer`` (...,), bounds included."""
    return _core.boxes.obb_contains(outer, inner, tolerance)


def obb_separation(a: Obb, b: Obb) -> FloatArray:
    """Largest gap (...,) over the fifteen separating axes, in metres.

    Positive: the boxes are apart, at least that far. Negative: they overlap, and moving one by
    that much along the best axis parts them. Zero: they touch.
    """
    return _core.boxes.obb_separation(a, b)


def obb_overlap(a: Obb, b: Obb, *, tolerance: float = 0.0) -> BoolArray:
    """Whether oriented boxes share a point (...,); ``tolerance`` as in ``overlap``."""
    return np.asarray(obb_separation(a, b) <= as_finite("tolerance", tolerance))


def _boxes(name: str, value: ArrayLike) -> FloatArray:
    array = as_floats(name, value, (2, 3))
    inverted = array[..., 0, :] > array[..., 1, :]
    if inverted.any():
        where = np.argwhere(inverted)[0]
        index = ", ".join(str(i) for i in where[:-1])
        raise ValueError(
            f"{name}: expected lower <= upper, got an inverted box"
            + (f" at index ({index})" if index else "")
        )
    return array
