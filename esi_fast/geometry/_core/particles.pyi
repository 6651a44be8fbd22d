"""
Particles linked within a radius.
"""

from __future__ import annotations

import typing

import numpy
import numpy.typing

__all__: list[str] = ["components", "radius_graph"]

def components(
    points: typing.Any,
    radius: typing.SupportsFloat | typing.SupportsIndex,
    tolerance: typing.SupportsFloat | typing.SupportsIndex,
    drop: bool,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int64], int, int]:
    """
    Label per particle, sizes of the components, the largest, count of dropped particles.
    """

def radius_graph(
    points: typing.Any,
    radius: typing.SupportsFloat | typing.SupportsIndex,
    tolerance: typing.SupportsFloat | typing.SupportsIndex,
    drop: bool,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int32], int]:
    """
    Offsets and neighbours of each particle, count of dropped particles.
    """
