"""
Cloth by position-based dynamics.
"""

from __future__ import annotations

import collections.abc
import typing

import numpy
import numpy.typing

import esi_fast.geometry._core.fields

__all__: list[str] = ["Cloth", "Material"]

class Material:
    def __init__(
        self,
        mass: typing.SupportsFloat | typing.SupportsIndex,
        thickness: typing.SupportsFloat | typing.SupportsIndex,
        stretch: typing.SupportsFloat | typing.SupportsIndex,
        bend: typing.SupportsFloat | typing.SupportsIndex,
        damping: typing.SupportsFloat | typing.SupportsIndex,
        self_friction: typing.SupportsFloat | typing.SupportsIndex,
        self_collision: bool,
    ) -> None: ...

class Cloth:
    def __init__(self, vertices: typing.Any, faces: typing.Any, material: Material) -> None: ...
    def longest_stretch(self) -> float: ...
    def set_pinned(self, pinned: typing.Any) -> None: ...
    def step(
        self,
        dt: typing.SupportsFloat | typing.SupportsIndex,
        steps: typing.SupportsInt | typing.SupportsIndex,
        gravity: typing.Any,
        fields: collections.abc.Sequence[esi_fast.geometry._core.fields.Field],
        poses: typing.Any,
        frictions: typing.Any,
        planes: typing.Any,
    ) -> None: ...
    def top_speed(self) -> float: ...
    @property
    def positions(self) -> numpy.typing.NDArray[numpy.float64]: ...
    @positions.setter
    def positions(self, arg1: typing.Any) -> None: ...
    @property
    def velocities(self) -> numpy.typing.NDArray[numpy.float64]: ...
    @velocities.setter
    def velocities(self, arg1: typing.Any) -> None: ...
