"""
Surfaces of fields.
"""

from __future__ import annotations

import typing

import numpy
import numpy.typing

__all__: list[str] = ["closed"]

def closed(
    values: typing.Any, origin: typing.Any, spacing: typing.Any
) -> tuple[
    numpy.typing.NDArray[numpy.float64],
    numpy.typing.NDArray[numpy.int32],
    numpy.typing.NDArray[numpy.float64],
]:
    """
    Vertices, faces and corner normals of the boundary of what is above 0.
    """
