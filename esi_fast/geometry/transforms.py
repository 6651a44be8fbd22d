"""Rigid motions: quaternions ``xyzw``, poses as 4 x 4 world-from-object matrices, viewing poses.

Every function broadcasts over leading dimensions. Quaternions need not be of unit length; those
returned are, with ``w >= 0`` so that one rotation has one spelling.
"""

from __future__ import annotations

from numpy.typing import ArrayLike

from esi_fast.geometry import _core
from esi_fast.geometry._arrays import FloatArray

__all__ = [
    "invert_pose",
    "look_at",
    "matrix_to_quat",
    "normalize",
    "pose_matrix",
    "quat_multiply",
    "quat_to_matrix",
    "rotate",
    "transform_directions",
    "transform_points",
    "yaw_of",
    "yaw_quat",
]


def normalize(vectors: ArrayLike, *, name: str = "vectors") -> FloatArray:
    """``vectors`` (..., D) scaled to unit length; ``ValueError`` where one is zero.

    Scales by the largest component first, so that neither tiny nor huge vectors lose digits.
    """
    return _core.rotation.normalize(vectors, name)


def quat_to_matrix(quaternion: ArrayLike) -> FloatArray:
    """Rotation matrices (..., 3, 3) of quaternions (..., 4) ``xyzw``, none of them zero."""
    return _core.rotation.quat_to_matrix(quaternion)


def matrix_to_quat(matrix: ArrayLike) -> FloatArray:
    """Quaternions (..., 4) ``xyzw``, ``w >= 0``, of rotation matrices (..., 3, 3).

    ``ValueError`` where a matrix is not a rotation (off by more than 1e-6, or a reflection).
    """
    return _core.rotation.matrix_to_quat(matrix)


def quat_multiply(a: ArrayLike, b: ArrayLike) -> FloatArray:
    """The rotation ``a`` after ``b``: quaternions (..., 4) ``xyzw``, broadcast."""
    return _core.rotation.quat_multiply(a, b)


def yaw_quat(yaw: ArrayLike) -> FloatArray:
    """Quaternions (..., 4) of rotations by ``yaw`` (radians) about +z."""
    return _core.rotation.yaw_quat(yaw)


def yaw_of(quaternion: ArrayLike) -> FloatArray:
    """Heading (...,) in radians of the rotated local +x axis in the xy plane, in [-pi, pi].

    Zero where that axis points straight up or down and has no heading.
    """
    return _core.rotation.yaw_of(quaternion)


def rotate(quaternion: ArrayLike, vectors: ArrayLike) -> FloatArray:
    """Vectors (..., 3) turned by quaternions (..., 4), broadcast."""
    return _core.rotation.rotate(quaternion, vectors)


def pose_matrix(position: ArrayLike, orientation: ArrayLike) -> FloatArray:
    """World-from-object matrices (..., 4, 4) of positions (..., 3) and quaternions (..., 4)."""
    return _core.rotation.pose_matrix(position, orientation)


def invert_pose(pose: ArrayLike) -> FloatArray:
    """Inverses (..., 4, 4) of rigid poses, by transposition."""
    return _core.rotation.invert_pose(pose)


def transform_points(pose: ArrayLike, points: ArrayLike) -> FloatArray:
    """Points (..., N, 3) moved by matrices (..., 4, 4); a single point (3,) gives (..., 3)."""
    return _core.rotation.transform(pose, points, "points", True)


def transform_directions(pose: ArrayLike, directions: ArrayLike) -> FloatArray:
    """Directions (..., N, 3) turned by matrices (..., 4, 4), without their translation."""
    return _core.rotation.transform(pose, directions, "directions", False)


def look_at(position: ArrayLike, target: ArrayLike, up: ArrayLike = (0.0, 0.0, 1.0)) -> FloatArray:
    """Orientations (..., 4) of cameras at ``position`` (..., 3) that look at ``target`` (..., 3).

    The camera looks along its local -Z with +Y up. Looking along ``up`` itself, where the roll is
    free, the top of the picture is world +y (world +x if ``up`` is the y axis). ``ValueError``
    where position and target coincide.
    """
    return _core.rotation.look_at(position, target, up)
