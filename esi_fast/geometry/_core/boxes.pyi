"""
Axis-aligned boxes (..., 2, 3) and oriented ones, in pairs.
"""

from __future__ import annotations

import typing

import numpy
import numpy.typing

__all__: list[str] = [
    "aabb",
    "around",
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
    "obb_contains",
    "obb_contains_points",
    "obb_corners",
    "obb_separation",
    "overlap",
    "overlap_pairs",
    "overlap_pairs_between",
    "overlap_volume",
    "size",
    "supports",
    "world_aabb",
]

def aabb(points: typing.Any) -> numpy.typing.NDArray[numpy.float64]: ...
def around(boxes: typing.Any) -> numpy.typing.NDArray[numpy.float64]: ...
def center(boxes: typing.Any) -> numpy.typing.NDArray[numpy.float64]: ...
def contact(
    a: typing.Any, b: typing.Any, tolerance: typing.SupportsFloat | typing.SupportsIndex
) -> numpy.typing.NDArray[numpy.bool]: ...
def containment_pairs(
    outer: typing.Any,
    inner: typing.Any,
    tolerance: typing.SupportsFloat | typing.SupportsIndex,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> numpy.typing.NDArray[numpy.int64]:
    """
    Pairs (outer, inner), sorted.
    """

def contains(
    outer: typing.Any, inner: typing.Any, tolerance: typing.SupportsFloat | typing.SupportsIndex
) -> numpy.typing.NDArray[numpy.bool]: ...
def contains_points(
    box: typing.Any, points: typing.Any, tolerance: typing.SupportsFloat | typing.SupportsIndex
) -> numpy.typing.NDArray[numpy.bool]: ...
def corners(boxes: typing.Any) -> numpy.typing.NDArray[numpy.float64]: ...
def distance(a: typing.Any, b: typing.Any) -> numpy.typing.NDArray[numpy.float64]: ...
def fit_ratio(size: typing.Any, interior: typing.Any) -> numpy.typing.NDArray[numpy.float64]: ...
def gap(a: typing.Any, b: typing.Any) -> numpy.typing.NDArray[numpy.float64]: ...
def iou(
    a: typing.Any, b: typing.Any, axes: typing.SupportsInt | typing.SupportsIndex
) -> numpy.typing.NDArray[numpy.float64]:
    """
    Of volumes (3 axes) or footprints (2).
    """

def obb_contains(
    outer: tuple[typing.Any, typing.Any, typing.Any],
    inner: tuple[typing.Any, typing.Any, typing.Any],
    tolerance: typing.SupportsFloat | typing.SupportsIndex,
) -> numpy.typing.NDArray[numpy.bool]: ...
def obb_contains_points(
    center: typing.Any,
    orientation: typing.Any,
    size: typing.Any,
    points: typing.Any,
    tolerance: typing.SupportsFloat | typing.SupportsIndex,
) -> numpy.typing.NDArray[numpy.bool]: ...
def obb_corners(
    center: typing.Any, orientation: typing.Any, size: typing.Any
) -> numpy.typing.NDArray[numpy.float64]: ...
def obb_separation(
    a: tuple[typing.Any, typing.Any, typing.Any], b: tuple[typing.Any, typing.Any, typing.Any]
) -> numpy.typing.NDArray[numpy.float64]: ...
def overlap(
    a: typing.Any, b: typing.Any, tolerance: typing.SupportsFloat | typing.SupportsIndex
) -> numpy.typing.NDArray[numpy.bool]: ...
def overlap_pairs(
    boxes: typing.Any,
    tolerance: typing.SupportsFloat | typing.SupportsIndex,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> numpy.typing.NDArray[numpy.int64]:
    """
    Pairs i < j, sorted.
    """

def overlap_pairs_between(
    a: typing.Any,
    b: typing.Any,
    tolerance: typing.SupportsFloat | typing.SupportsIndex,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> numpy.typing.NDArray[numpy.int64]:
    """
    Pairs (index in a, index in b), sorted.
    """

def overlap_volume(a: typing.Any, b: typing.Any) -> numpy.typing.NDArray[numpy.float64]: ...
def size(boxes: typing.Any) -> numpy.typing.NDArray[numpy.float64]: ...
def supports(
    lower: typing.Any,
    upper: typing.Any,
    min_rise: typing.SupportsFloat | typing.SupportsIndex,
    min_iou: typing.SupportsFloat | typing.SupportsIndex,
) -> numpy.typing.NDArray[numpy.bool]: ...
def world_aabb(
    points: typing.Any, pose: typing.Any, scale: typing.Any
) -> numpy.typing.NDArray[numpy.float64]: ...
