"""
Lines of sight between points.
"""

from __future__ import annotations

import typing

import numpy
import numpy.typing

import esi_fast.geometry._core.scene

__all__: list[str] = ["first_blocker", "visibility_matrix", "visible"]

def first_blocker(
    scene: esi_fast.geometry._core.scene.Scene,
    starts: typing.Any,
    ends: typing.Any,
    ignore: typing.Any,
    tolerance: typing.SupportsFloat | typing.SupportsIndex,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> numpy.typing.NDArray[numpy.int32]: ...
def visibility_matrix(
    scene: esi_fast.geometry._core.scene.Scene,
    starts: typing.Any,
    ends: typing.Any,
    ignore: typing.Any,
    tolerance: typing.SupportsFloat | typing.SupportsIndex,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> numpy.typing.NDArray[numpy.bool]: ...
def visible(
    scene: esi_fast.geometry._core.scene.Scene,
    starts: typing.Any,
    ends: typing.Any,
    ignore: typing.Any,
    tolerance: typing.SupportsFloat | typing.SupportsIndex,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> numpy.typing.NDArray[numpy.bool]: ...
