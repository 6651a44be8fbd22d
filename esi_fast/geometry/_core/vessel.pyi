"""
How much a vessel holds.
"""

from __future__ import annotations

import typing

import numpy
import numpy.typing

__all__: list[str] = ["hold"]

def hold(
    nx: typing.SupportsInt | typing.SupportsIndex,
    ny: typing.SupportsInt | typing.SupportsIndex,
    offsets: typing.Any,
    heights: typing.Any,
    enters: typing.Any,
) -> tuple[float, float, numpy.typing.NDArray[numpy.int64]]:
    """
    Summed depth, highest level, and columns without an inside.
    """
