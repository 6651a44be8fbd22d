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
    def contains(
        self,
        points: typing.Any,
        rule: str,
        tolerance: typing.SupportsFloat | typing.SupportsIndex,
        threads: typing.SupportsInt | typing.SupportsIndex,
    ) -> tuple[numpy.typing.NDArray[numpy.bool], int]:
        """
        Whether each point is inside, and the status (ContainmentStatus) of the answer.
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
    ) -> tuple[
        float, numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], int, int
    ]:
        """
        Distance, closest points and faces of two surfaces.
        """
    def signed_distance(
        self, points: typing.Any, threads: typing.SupportsInt | typing.SupportsIndex
    ) -> tuple[
        numpy.typing.NDArray[numpy.float64],
        numpy.typing.NDArray[numpy.float64],
        numpy.typing.NDArray[numpy.int32],
        int,
    ]:
        """
        As nearest, with distances negative inside, and the status.
        """
    @property
    def closed(self) -> bool: ...
    @property
    def oriented(self) -> bool: ...
