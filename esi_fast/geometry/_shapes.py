"""Triangles of the shapes that simulators know by name, each in its own frame.

Round shapes are inscribed polyhedra with ``n`` corners around; all but ``plane`` are closed, with
faces that look outward.
"""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from esi_fast.geometry._arrays import FloatArray, Int32Array

__all__ = ["Shape", "box", "capsule", "cylinder", "ellipsoid", "height_field", "plane"]

#: Vertices (V, 3) in metres and faces (F, 3).
Shape: TypeAlias = tuple[FloatArray, Int32Array]


def plane(half_x: float, half_y: float) -> Shape:
    """A rectangle in the xy plane that faces up."""
    x, y = half_x, half_y
    corners = np.array([(-x, -y, 0), (x, -y, 0), (x, y, 0), (-x, y, 0)], dtype=np.float64)
    return corners, np.array([(0, 1, 2), (0, 2, 3)], dtype=np.int32)


def box(half: ArrayLike) -> Shape:
    """A box with half extents (3,)."""
    corners = (2.0 * ((np.arange(8)[:, None] >> np.arange(3)) & 1) - 1.0) * np.asarray(half)
    quads = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    halves = [part for a, b, c, d in quads for part in ((a, b, c), (a, c, d))]
    return corners, np.array(halves, dtype=np.int32)


def ellipsoid(radii: ArrayLike, n: int) -> Shape:
    """An ellipsoid with three radii (3,); the poles are on the z axis."""
    angle = _latitudes(n)
    vertices, faces = _revolve(np.cos(angle), np.sin(angle), n)
    return vertices * np.asarray(radii), faces


def cylinder(radius: float, half: float, n: int) -> Shape:
    """A cylinder about the z axis, from -half to half."""
    return _revolve(np.array([0.0, radius, radius, 0.0]), np.array([-half, -half, half, half]), n)


def capsule(radius: float, half: float, n: int) -> Shape:
    """A cylinder about the z axis, from -half to half, with a half ball at each end."""
    angle = _latitudes(n)
    low, high = angle[angle <= 1e-12], angle[angle >= -1e-12]
    rings = radius * np.cos(np.concatenate([low, high]))
    heights = np.concatenate([radius * np.sin(low) - half, radius * np.sin(high) + half])
    return _revolve(rings, heights, n)


def height_field(height: FloatArray, half_x: float, half_y: float, base: float) -> Shape:
    """A height field (rows along y, columns along x) as a solid: its surface, its sides, and its
    flat underside at ``-base``."""
    rows, columns = height.shape
    y, x = np.meshgrid(
        np.linspace(-half_y, half_y, rows), np.linspace(-half_x, half_x, columns), indexing="ij"
    )
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    right, up, both = corner + 1, corner + columns, corner + columns + 1
    upper = np.concatenate(
        [np.stack([corner, right, both], axis=1), np.stack([corner, both, up], axis=1)]
    )
    count = rows * columns
    grid = np.arange(count).reshape(rows, columns)
    # Once around, counter-clockwise as seen from above.
    border = np.concatenate([grid[0, :-1], grid[:-1, -1], grid[-1, :0:-1], grid[:0:-1, 0]])
    after = np.roll(border, -1)
    sides = np.concatenate(
        [
            np.stack([border, border + count, after + count], axis=1),
            np.stack([border, after + count, after], axis=1),
        ]
    )
    flat = np.stack([x.ravel(), y.ravel()], axis=1)
    vertices = np.concatenate(
        [
            np.column_stack([flat, height.ravel()]),
            np.column_stack([flat, np.full(count, -base)]),
        ]
    )
    faces = np.concatenate([upper, upper[:, ::-1] + count, sides])
    return vertices, faces.astype(np.int32)


def _latitudes(n: int) -> FloatArray:
    """Angles of rings from the bottom pole to the top one."""
    return np.linspace(-math.pi / 2, math.pi / 2, max(n // 2, 2) + 1)


def _revolve(radius: FloatArray, height: FloatArray, n: int) -> Shape:
    """A closed body of rings with ``n`` corners; the first and last ring are poles."""
    turn = 2.0 * math.pi * np.arange(n) / n
    circle = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    inner = np.arange(1, len(radius) - 1)
    xy = radius[inner][:, None, None] * circle
    z = np.broadcast_to(height[inner][:, None, None], (len(inner), n, 1))
    rings = np.concatenate([xy, z], axis=2).reshape(-1, 3)
    poles = [(0.0, 0.0, height[0]), (0.0, 0.0, height[-1])]
    k, step = np.arange(n), (np.arange(n) + 1) % n
    bottom, top = len(rings), len(rings) + 1
    rows = [np.stack([np.full(n, bottom), step, k], axis=1)]
    for ring in range(len(inner) - 1):
        a, b = ring * n, (ring + 1) * n
        rows.append(np.stack([a + k, a + step, b + step], axis=1))
        rows.append(np.stack([a + k, b + step, b + k], axis=1))
    last = (len(inner) - 1) * n
    rows.append(np.stack([last + k, last + step, np.full(n, top)], axis=1))
    return np.concatenate([rings, poles]), np.concatenate(rows).astype(np.int32)
