"""
Unit vectors, quaternions and rotation matrices.
"""

from __future__ import annotations

import typing

import numpy
import numpy.typing

__all__: list[str] = ["matrix_to_quat", "normalize", "quat_to_matrix"]

def matrix_to_quat(matrix: typing.Any) -> numpy.typing.NDArray[numpy.float64]: ...
def normalize(vectors: typing.Any, name: str) -> numpy.typing.NDArray[numpy.float64]: ...
def quat_to_matrix(quaternion: typing.Any) -> numpy.typing.NDArray[numpy.float64]: ...
