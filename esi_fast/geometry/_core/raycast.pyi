"""
Exact rays: closest, any and all hits.
"""

from __future__ import annotations

import typing

import numpy
import numpy.typing

import esi_fast.geometry._core.scene

__all__: list[str] = [
    "all",
    "any",
    "closest",
    "recheck_count",
    "reset_recheck_count",
    "set_recheck",
]

def all(
    scene: esi_fast.geometry._core.scene.Scene,
    origins: typing.Any,
    directions: typing.Any,
    tmin: typing.Any,
    tmax: typing.Any,
    ignore: typing.Any,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> tuple[
    numpy.typing.NDArray[numpy.int64],
    numpy.typing.NDArray[numpy.float64],
    numpy.typing.NDArray[numpy.int32],
    numpy.typing.NDArray[numpy.int32],
    numpy.typing.NDArray[numpy.int32],
]: ...
def any(
    scene: esi_fast.geometry._core.scene.Scene,
    origins: typing.Any,
    directions: typing.Any,
    tmin: typing.Any,
    tmax: typing.Any,
    ignore: typing.Any,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> numpy.typing.NDArray[numpy.bool]: ...
def closest(
    scene: esi_fast.geometry._core.scene.Scene,
    origins: typing.Any,
    directions: typing.Any,
    tmin: typing.Any,
    tmax: typing.Any,
    ignore: typing.Any,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> tuple[
    numpy.typing.NDArray[numpy.bool],
    numpy.typing.NDArray[numpy.float64],
    numpy.typing.NDArray[numpy.int32],
    numpy.typing.NDArray[numpy.int32],
    numpy.typing.NDArray[numpy.int32],
    numpy.typing.NDArray[numpy.float64],
    numpy.typing.NDArray[numpy.float64],
    numpy.typing.NDArray[numpy.uint8],
]: ...
def recheck_count() -> int: ...
def reset_recheck_count() -> None: ...
def set_recheck(enabled: bool) -> None:
    """
    For tests of the tests: False leaves single precision's doubtful answers as they are.
    """
