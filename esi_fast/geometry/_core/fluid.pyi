"""
Liquid by position-based dynamics.
"""

from __future__ import annotations

import collections.abc
import typing

import numpy
import numpy.typing

import esi_fast.geometry._core.fields

__all__: list[str] = ["Fluid"]

class Fluid:
    def __init__(
        self,
        positions: typing.Any,
        radius: typing.SupportsFloat | typing.SupportsIndex,
        viscosity: typing.SupportsFloat | typing.SupportsIndex,
        iterations: typing.SupportsInt | typing.SupportsIndex,
    ) -> None: ...
    def density(self) -> numpy.typing.NDArray[numpy.float64]: ...
    def mean_speed(self) -> float: ...
    def step(
        self,
        dt: typing.SupportsFloat | typing.SupportsIndex,
        steps: typing.SupportsInt | typing.SupportsIndex,
        gravity: typing.Any,
        fields: collections.abc.Sequence[esi_fast.geometry._core.fields.Field],
        from_poses: typing.Any,
        to_poses: typing.Any,
        planes: typing.Any,
        threads: typing.SupportsInt | typing.SupportsIndex,
    ) -> None: ...
    @property
    def positions(self) -> numpy.typing.NDArray[numpy.float64]: ...
    @positions.setter
    def positions(self, arg1: typing.Any) -> None: ...
    @property
    def velocities(self) -> numpy.typing.NDArray[numpy.float64]: ...
    @velocities.setter
    def velocities(self, arg1: typing.Any) -> None: ...
