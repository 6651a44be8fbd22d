"""
Distances, containment and sweeps in double precision.
"""

from __future__ import annotations

import typing

import numpy
import numpy.typing

__all__: list[str] = ["Surface"]

class Surface:
    """
    Triangles of a mesh in a tree of boxes.
    """
    def __init__(self, vertices: typing.Any, faces: typing.Any) -> None: ...
    def __len__(self) -> int: ...
    def crossings(
        self, points: typing.Any, threads: typing.SupportsInt | typing.SupportsIndex
    ) -> tuple[
        numpy.typing.NDArray[numpy.int32],
        numpy.typing.NDArray[numpy.int32],
        numpy.typing.NDArray[numpy.bool],
    ]:
        """
        Crossings of the ray along +z: count, signed count, whether the point is in a face.
        """
    def nearest(
        self,
        points: typing.Any,
        bound: typing.SupportsFloat | typing.SupportsIndex,
        threads: typing.SupportsInt | typing.SupportsIndex,
    ) -> tuple[
        numpy.typing.NDArray[numpy.float64],
        numpy.typing.NDArray[numpy.float64],
        numpy.typing.NDArray[numpy.int32],
    ]:
        """
        Distance, closest point and face for each point; -1 where none is within the bound.
        """
    def pair(
        self, other: Surface
    ) -> tuple[float, tuple[float, float, float], tuple[float, float, float], int, int]:
        """
        Distance, closest points and faces of two surfaces.
        """
    @property
    def closed(self) -> bool: ...
    @property
    def oriented(self) -> bool: ...
