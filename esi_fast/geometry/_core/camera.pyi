"""
Pinhole cameras: world points to pixels and back.
"""

from __future__ import annotations

import typing

import numpy
import numpy.typing

__all__: list[str] = ["aim", "frame", "project", "rays", "unproject"]

def aim(
    position: typing.Any, target: typing.Any, up: typing.Any
) -> numpy.typing.NDArray[numpy.float64]: ...
def frame(
    position: typing.Any, name: str, orientation: typing.Any
) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]: ...
def project(
    position: typing.Any,
    orientation: typing.Any,
    focal: typing.SupportsFloat | typing.SupportsIndex,
    width: typing.SupportsFloat | typing.SupportsIndex,
    height: typing.SupportsFloat | typing.SupportsIndex,
    points: typing.Any,
) -> tuple[
    numpy.typing.NDArray[numpy.float64],
    numpy.typing.NDArray[numpy.float64],
    numpy.typing.NDArray[numpy.bool],
    numpy.typing.NDArray[numpy.bool],
]: ...
def rays(
    position: typing.Any,
    orientation: typing.Any,
    focal: typing.SupportsFloat | typing.SupportsIndex,
    width: typing.SupportsFloat | typing.SupportsIndex,
    height: typing.SupportsFloat | typing.SupportsIndex,
    pixels: typing.Any,
) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]: ...
def unproject(
    position: typing.Any,
    orientation: typing.Any,
    focal: typing.SupportsFloat | typing.SupportsIndex,
    width: typing.SupportsFloat | typing.SupportsIndex,
    height: typing.SupportsFloat | typing.SupportsIndex,
    pixels: typing.Any,
    depth: typing.Any,
) -> numpy.typing.NDArray[numpy.float64]: ...
