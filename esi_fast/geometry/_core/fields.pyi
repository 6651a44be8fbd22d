"""
Solids as fields of distances.
"""

from __future__ import annotations

import typing

import numpy
import numpy.typing

__all__: list[str] = ["Field"]

class Field:
    def __init__(
        self,
        origin: typing.Any,
        spacing: typing.SupportsFloat | typing.SupportsIndex,
        values: typing.Any,
    ) -> None: ...
    def sample(
        self, points: typing.Any
    ) -> tuple[
        numpy.typing.NDArray[numpy.float64],
        numpy.typing.NDArray[numpy.float64],
        numpy.typing.NDArray[numpy.bool],
    ]:
        """
        Distance, direction and whether it is known.
        """
