"""
A sphere that moves through a scene, and the surface nearest to a point of it.
"""

from __future__ import annotations

import typing

import numpy
import numpy.typing

import esi_fast.geometry._core.scene

__all__: list[str] = ["Obstacles"]

class Obstacles:
    """
    Search trees of one scene, brought up to date when asked.
    """
    def __init__(self) -> None: ...
    def between(
        self,
        scene: esi_fast.geometry._core.scene.Scene,
        object_a: typing.SupportsInt | typing.SupportsIndex,
        object_b: typing.SupportsInt | typing.SupportsIndex,
    ) -> tuple[float, numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]: ...
    def nearest(
        self,
        scene: esi_fast.geometry._core.scene.Scene,
        points: typing.Any,
        ignore: typing.Any,
        threads: typing.SupportsInt | typing.SupportsIndex,
    ) -> tuple[
        numpy.typing.NDArray[numpy.float64],
        numpy.typing.NDArray[numpy.float64],
        numpy.typing.NDArray[numpy.int32],
        numpy.typing.NDArray[numpy.int32],
        numpy.typing.NDArray[numpy.int32],
    ]: ...
    def sweep(
        self,
        scene: esi_fast.geometry._core.scene.Scene,
        starts: typing.Any,
        ends: typing.Any,
        radius: typing.SupportsFloat | typing.SupportsIndex,
        ignore: typing.Any,
        threads: typing.SupportsInt | typing.SupportsIndex,
    ) -> tuple[
        numpy.typing.NDArray[numpy.float64],
        numpy.typing.NDArray[numpy.bool],
        numpy.typing.NDArray[numpy.int32],
        numpy.typing.NDArray[numpy.uint8],
    ]: ...
