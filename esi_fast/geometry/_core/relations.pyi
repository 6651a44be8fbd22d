"""
Relations among points.
"""

from __future__ import annotations

import typing

import numpy
import numpy.typing

__all__: list[str] = [
    "closer_of_two",
    "collinearity",
    "left_to_right",
    "nearest",
    "triangle",
    "turn",
]

def closer_of_two(
    reference: typing.Any,
    a: typing.Any,
    b: typing.Any,
    gap: typing.SupportsFloat | typing.SupportsIndex,
    ratio: typing.SupportsFloat | typing.SupportsIndex,
) -> tuple[
    numpy.typing.NDArray[numpy.int64],
    numpy.typing.NDArray[numpy.float64],
    numpy.typing.NDArray[numpy.float64],
    numpy.typing.NDArray[numpy.uint8],
]:
    """
    As nearest of the two.
    """

def collinearity(
    points: typing.Any,
) -> tuple[
    numpy.typing.NDArray[numpy.float64],
    numpy.typing.NDArray[numpy.int64],
    numpy.typing.NDArray[numpy.float64],
    numpy.typing.NDArray[numpy.uint8],
]:
    """
    Offset, index of the middle point, longest side, status.
    """

def left_to_right(
    position: typing.Any,
    orientation: typing.Any,
    focal: typing.SupportsFloat | typing.SupportsIndex,
    middle: typing.SupportsFloat | typing.SupportsIndex,
    width: typing.SupportsFloat | typing.SupportsIndex,
    points: typing.Any,
    min_pixels: typing.SupportsFloat | typing.SupportsIndex,
) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.float64], int]:
    """
    Ranks, columns, status; the orientation is of unit length.
    """

def nearest(
    reference: typing.Any,
    candidates: typing.Any,
    gap: typing.SupportsFloat | typing.SupportsIndex,
    ratio: typing.SupportsFloat | typing.SupportsIndex,
) -> tuple[
    numpy.typing.NDArray[numpy.int64],
    numpy.typing.NDArray[numpy.float64],
    numpy.typing.NDArray[numpy.float64],
    numpy.typing.NDArray[numpy.uint8],
]:
    """
    Index, distances, margin, status.
    """

def triangle(
    points: typing.Any,
    equal: typing.SupportsFloat | typing.SupportsIndex,
    distinct: typing.SupportsFloat | typing.SupportsIndex,
    flat: typing.SupportsFloat | typing.SupportsIndex,
) -> tuple[
    numpy.typing.NDArray[numpy.uint8],
    numpy.typing.NDArray[numpy.float64],
    numpy.typing.NDArray[numpy.uint8],
]:
    """
    Kind, sides, status.
    """

def turn(
    before: typing.Any, after: typing.Any, guard_deg: typing.SupportsFloat | typing.SupportsIndex
) -> numpy.typing.NDArray[numpy.uint8]: ...
