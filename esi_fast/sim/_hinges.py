"""Hinged parts of assets: where they are at an opening, for the picture and for the physics."""

from __future__ import annotations

import math

import numpy as np

from esi_fast.assets.base import Asset, Hinge
from esi_fast.types import FloatArray

__all__ = ["hinge_pose", "part_poses"]


def hinge_pose(hinge: Hinge, scale: FloatArray, opened: float) -> FloatArray:
    """The (4, 4) transform of the hinged parts within the scaled asset's frame."""
    axis = np.asarray(hinge.axis, dtype=np.float64)
    axis = axis / np.linalg.norm(axis)
    angle = opened * hinge.limit
    k = np.array([[0.0, -axis[2], axis[1]], [axis[2], 0.0, -axis[0]], [-axis[1], axis[0], 0.0]])
    rotation = np.eye(3) + math.sin(angle) * k + (1.0 - math.cos(angle)) * (k @ k)
    origin = np.asarray(hinge.origin, dtype=np.float64) * scale
    pose = np.eye(4)
    pose[:3, :3] = rotation
    pose[:3, 3] = origin - rotation @ origin
    return pose


def part_poses(asset: Asset, scale: FloatArray, opened: float) -> dict[int, FloatArray]:
    """Transforms of the parts that an opening moves, by part number; empty when shut."""
    if opened == 0.0:
        return {}
    return {
        part: hinge_pose(hinge, scale, opened) for hinge in asset.hinges for part in hinge.parts
    }
