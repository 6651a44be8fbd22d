"""
Paths, distances, lines of sight and rooms on occupancy grids.
"""

from __future__ import annotations

import typing

import numpy
import numpy.typing

__all__: list[str] = ["Map", "room_ids"]

class Map:
    """
    Free cells of a floor and their place in the world.
    """
    def __init__(
        self,
        free: typing.Any,
        resolution: typing.SupportsFloat | typing.SupportsIndex,
        x: typing.SupportsFloat | typing.SupportsIndex,
        y: typing.SupportsFloat | typing.SupportsIndex,
    ) -> None: ...
    def components(
        self, neighbours: str
    ) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int64]]:
        """
        Labels from 1 in reading order, and sizes in cells.
        """
    def distances(
        self, to_walls: bool, border: bool, threads: typing.SupportsInt | typing.SupportsIndex
    ) -> numpy.typing.NDArray[numpy.float64]:
        """
        Distances to blocked cells in metres.
        """
    def line(self, start: typing.Any, end: typing.Any) -> numpy.typing.NDArray[numpy.int32]:
        """
        The cells that a segment between points in metres passes, in order.
        """
    def nearest(
        self,
        cells: typing.Any,
        allowed: typing.Any,
        threads: typing.SupportsInt | typing.SupportsIndex,
    ) -> numpy.typing.NDArray[numpy.int32]:
        """
        The nearest allowed (or free) cell for each cell, -1 where there is none.
        """
    def path(
        self, start: typing.Any, goal: typing.Any, neighbours: str
    ) -> tuple[int, numpy.typing.NDArray[numpy.int32], float, int, int]:
        """
        Status, cells, metres, straight and diagonal steps of a shortest path.
        """
    def paths(
        self,
        starts: typing.Any,
        goals: typing.Any,
        neighbours: str,
        with_cells: bool,
        threads: typing.SupportsInt | typing.SupportsIndex,
    ) -> tuple[
        numpy.typing.NDArray[numpy.uint8],
        numpy.typing.NDArray[numpy.float64],
        numpy.typing.NDArray[numpy.int32],
        numpy.typing.NDArray[numpy.int32],
        numpy.typing.NDArray[numpy.int64],
        numpy.typing.NDArray[numpy.int32],
    ]:
        """
        Status, metres, straight and diagonal steps, offsets and cells of N shortest paths.
        """
    def room_distances(
        self,
        rooms: typing.Any,
        ids: typing.Any,
        points: typing.Any,
        threads: typing.SupportsInt | typing.SupportsIndex,
    ) -> numpy.typing.NDArray[numpy.float64]:
        """
        Distances in metres from points to the cells of rooms.
        """
    def room_points(
        self,
        rooms: typing.Any,
        ids: typing.Any,
        clearance: typing.Any,
        cap: typing.SupportsInt | typing.SupportsIndex,
    ) -> numpy.typing.NDArray[numpy.int32]:
        """
        For each room the cell of largest clearance, then nearest to its middle.
        """
    def sight(
        self,
        starts: typing.Any,
        ends: typing.Any,
        threads: typing.SupportsInt | typing.SupportsIndex,
    ) -> numpy.typing.NDArray[numpy.bool]:
        """
        Whether segments between points in metres stay clear of blocked cells.
        """
    def spread(self, rooms: typing.Any, neighbours: str) -> numpy.typing.NDArray[numpy.int32]:
        """
        Labels spread to the free cells without one, by the shortest walk.
        """
    def squared_distances(
        self, to_walls: bool, border: bool, threads: typing.SupportsInt | typing.SupportsIndex
    ) -> numpy.typing.NDArray[numpy.int64]:
        """
        Squared distances to blocked cells, in half cells.
        """
    def walk(
        self, sources: typing.Any, neighbours: str
    ) -> tuple[
        numpy.typing.NDArray[numpy.float64],
        numpy.typing.NDArray[numpy.int32],
        numpy.typing.NDArray[numpy.int32],
    ]:
        """
        Metres, straight and diagonal steps to every cell from the nearest source.
        """

def room_ids(rooms: typing.Any) -> numpy.typing.NDArray[numpy.int32]:
    """
    The ids above 0, in ascending order.
    """
