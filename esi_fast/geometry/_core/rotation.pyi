"""
Unit vectors, quaternions and rotation matrices.
"""

from __future__ import annotations

import typing

import numpy
import numpy.typing

__all__: list[str] = [
    "invert_pose",
    "look_at",
    "matrix_to_quat",
    "normalize",
    "pose_matrix",
    "quat_multiply",
    "quat_to_matrix",
    "rotate",
    "transform",
    "yaw_of",
    "yaw_quat",
]

def invert_pose(pose: typing.Any) -> numpy.typing.NDArray[numpy.float64]: ...
def look_at(
    position: typing.Any, target: typing.Any, up: typing.Any
) -> numpy.typing.NDArray[numpy.float64]: ...
def matrix_to_quat(matrix: typing.Any) -> numpy.typing.NDArray[numpy.float64]: ...
def normalize(vectors: typing.Any, name: str) -> numpy.typing.NDArray[numpy.float64]: ...
def pose_matrix(
    position: typing.Any, orientation: typing.Any
) -> numpy.typing.NDArray[numpy.float64]: ...
def quat_multiply(a: typing.Any, b: typing.Any) -> numpy.typing.NDArray[numpy.float64]: ...
def quat_to_matrix(quaternion: typing.Any) -> numpy.typing.NDArray[numpy.float64]: ...
def rotate(quaternion: typing.Any, vectors: typing.Any) -> numpy.typing.NDArray[numpy.float64]: ...
def transform(
    pose: typing.Any, vectors: typing.Any, name: str, move: bool
) -> numpy.typing.NDArray[numpy.float64]: ...
def yaw_of(quaternion: typing.Any) -> numpy.typing.NDArray[numpy.float64]: ...
def yaw_quat(yaw: typing.Any) -> numpy.typing.NDArray[numpy.float64]: ...
