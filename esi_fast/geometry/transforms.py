"""Rigid motions: quaternions ``xyzw``, poses as 4 x 4 world-from-object matrices, viewing poses.

Every function broadcasts over leading dimensions. Quaternions need not be of unit length; those
returned are, with ``w >= 0`` so that one rotation has one spelling.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from esi_fast.geometry import _core
from esi_fast.geometry._arrays import FloatArray, as_floats

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
    half = 0.5 * as_floats("yaw", yaw)
    zero = np.zeros_like(half)
    return _canonical(np.stack([zero, zero, np.sin(half), np.cos(half)], axis=-1))


def yaw_of(quaternion: ArrayLike) -> FloatArray:
    """Heading (...,) in radians of the rotated local +x axis in the xy plane, in [-pi, pi].

    Zero where that axis points straight up or down and has no heading.
    """
    axis = quat_to_matrix(quaternion)[..., :, 0]
    return np.asarray(np.arctan2(axis[..., 1], axis[..., 0]))


def rotate(quaternion: ArrayLike, vectors: ArrayLike) -> FloatArray:
    """Vectors (..., 3) turned by quaternions (..., 4), broadcast."""
    v = as_floats("vectors", vectors, (3,))
    return np.asarray((quat_to_matrix(quaternion) @ v[..., None])[..., 0])


def pose_matrix(position: ArrayLike, orientation: ArrayLike) -> FloatArray:
    """World-from-object matrices (..., 4, 4) of positions (..., 3) and quaternions (..., 4)."""
    return _core.rotation.pose_matrix(position, orientation)


def invert_pose(pose: ArrayLike) -> FloatArray:
    """Inverses (..., 4, 4) of rigid poses, by transposition."""
    m = as_floats("pose", pose, (4, 4))
    out = np.zeros_like(m)
    rt = np.swapaxes(m[..., :3, :3], -1, -2)
    out[..., :3, :3] = rt
    out[..., :3, 3] = -(rt @ m[..., :3, 3:])[..., 0]
    out[..., 3, 3] = 1.0
    return out


def transform_points(pose: ArrayLike, points: ArrayLike) -> FloatArray:
    """Points (..., N, 3) moved by matrices (..., 4, 4); a single point (3,) gives (..., 3)."""
    m = as_floats("pose", pose, (4, 4))
    p = as_floats("points", points, (3,))
    single = p.ndim == 1
    p = p[None] if single else p
    out = p @ np.swapaxes(m[..., :3, :3], -1, -2) + m[..., None, :3, 3]
    return np.asarray(out[..., 0, :] if single else out)


def transform_directions(pose: ArrayLike, directions: ArrayLike) -> FloatArray:
    """Directions (..., N, 3) turned by matrices (..., 4, 4), without their translation."""
    m = as_floats("pose", pose, (4, 4)).copy()
    m[..., :3, 3] = 0.0
    return transform_points(m, as_floats("directions", directions, (3,)))


def look_at(position: ArrayLike, target: ArrayLike, up: ArrayLike = (0.0, 0.0, 1.0)) -> FloatArray:
    """Orientations (..., 4) of cameras at ``position`` (..., 3) that look at ``target`` (..., 3).

    The camera looks along its local -Z with +Y up. Looking along ``up`` itself, where the roll is
    free, the top of the picture is world +y (world +x if ``up`` is the y axis). ``ValueError``
    where position and target coincide.
    """
    return _core.rotation.look_at(position, target, up)


def _canonical(q: FloatArray) -> FloatArray:
    """Quaternions with ``w >= 0``; where w is zero, with the first non-zero of xyz positive."""
    lead = np.where(
        q[..., 3] != 0.0,
        q[..., 3],
        np.where(q[..., 0] != 0.0, q[..., 0], np.where(q[..., 1] != 0.0, q[..., 1], q[..., 2])),
    )
    return np.asarray(np.where(lead[..., None] < 0.0, -q, q) + 0.0)
