"""
How much a vessel holds.
"""

from __future__ import annotations

import typing

import numpy
import numpy.typing

__all__: list[str] = ["capacity", "pools"]

def capacity(
    triangles: typing.Any, spacing: typing.SupportsFloat | typing.SupportsIndex
) -> tuple[float, float]:
    """
    Volume that closed triangles hold, +z being up, and the level of the highest surface.
    """

def pools(
    triangles: typing.Any, spacing: typing.SupportsFloat | typing.SupportsIndex
) -> tuple[
    numpy.typing.NDArray[numpy.float64],
    numpy.typing.NDArray[numpy.float64],
    numpy.typing.NDArray[numpy.int32],
    numpy.typing.NDArray[numpy.float64],
]:
    """
    Centre of column (0, 0), steps, and columns (N, 2) with heights (N, 2) of what stands in them.
    """
