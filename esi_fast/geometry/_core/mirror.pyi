"""
What is seen by way of a flat, rectangular mirror.
"""

from __future__ import annotations

import typing

import numpy
import numpy.typing

import esi_fast.geometry._core.scene

__all__: list[str] = [
    "hits",
    "images",
    "reflect_directions",
    "reflect_frame",
    "reflect_points",
    "visible",
]

def hits(
    center: typing.Any,
    axes: typing.Any,
    width: typing.SupportsFloat | typing.SupportsIndex,
    height: typing.SupportsFloat | typing.SupportsIndex,
    eyes: typing.Any,
    points: typing.Any,
) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.bool]]: ...
def images(
    center: typing.Any,
    axes: typing.Any,
    width: typing.SupportsFloat | typing.SupportsIndex,
    height: typing.SupportsFloat | typing.SupportsIndex,
    position: typing.Any,
    orientation: typing.Any,
    focal: typing.SupportsFloat | typing.SupportsIndex,
    columns: typing.SupportsFloat | typing.SupportsIndex,
    rows: typing.SupportsFloat | typing.SupportsIndex,
    points: typing.Any,
) -> tuple[
    numpy.typing.NDArray[numpy.float64],
    numpy.typing.NDArray[numpy.float64],
    numpy.typing.NDArray[numpy.bool],
    numpy.typing.NDArray[numpy.bool],
]: ...
def reflect_directions(
    normal: typing.Any, directions: typing.Any
) -> numpy.typing.NDArray[numpy.float64]: ...
def reflect_frame(
    center: typing.Any, normal: typing.Any, position: typing.Any, orientation: typing.Any
) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]: ...
def reflect_points(
    center: typing.Any, normal: typing.Any, points: typing.Any
) -> numpy.typing.NDArray[numpy.float64]: ...
def visible(
    scene: esi_fast.geometry._core.scene.Scene,
    center: typing.Any,
    axes: typing.Any,
    width: typing.SupportsFloat | typing.SupportsIndex,
    height: typing.SupportsFloat | typing.SupportsIndex,
    body: typing.SupportsInt | typing.SupportsIndex,
    eyes: typing.Any,
    points: typing.Any,
    ignore: typing.Any,
    tolerance: typing.SupportsFloat | typing.SupportsIndex,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> numpy.typing.NDArray[numpy.bool]: ...
