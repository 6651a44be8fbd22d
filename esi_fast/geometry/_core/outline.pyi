from __future__ import annotations

import typing

import numpy
import numpy.typing

__all__: list[str] = ["explains"]

def explains(
    hull: typing.Any,
    states: typing.Any,
    positions: typing.Any,
    rotations: typing.Any,
    lenses: typing.Any,
    rectangles: typing.Any,
    free: typing.Any,
    cell: typing.Any,
    settings: typing.Any,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> numpy.typing.NDArray[numpy.bool]: ...
