"""Surfaces of fields: closed meshes of what a value at the nodes of a grid says is inside.

By marching tetrahedra (A. Doi, A. Koide, An Efficient Method of Triangulating Equi-Valued Surfaces
by Using Tetrahedral Cells, IEICE Trans. 1991): every edge belongs to two faces, always.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from esi_fast.geometry import _core
from esi_fast.geometry._arrays import FloatArray, Int32Array, as_floats

__all__ = ["Surface", "closed"]


class Surface(NamedTuple):
    """A closed mesh, facing out: ``vertices`` (V, 3), ``faces`` (F, 3), ``normals`` (F, 3, 3).

    Normals are those of the corners of faces, for shading: smooth, but for where the grid cut off.
    """

    vertices: FloatArray
    faces: Int32Array
    normals: FloatArray


def closed(
    values: ArrayLike, *, origin: ArrayLike, spacing: ArrayLike, level: float = 0.0
) -> Surface:
    """The surface around all points with a value above ``level``.

    ``values`` (X, Y, Z) belong to ``origin`` (3,) + index * ``spacing`` (a number or (3,)), and
    are interpolated linearly between. Where the inside reaches the border of the grid the border
    closes it, flat and exact. Raises ``ValueError`` for fewer than two nodes along an axis, a
    spacing that is not positive and numbers that are not finite.
    """
    field = as_floats("values", values, ndim=3)
    step = np.broadcast_to(np.asarray(spacing, dtype=np.float64), (3,))
    return Surface(*_core.surface.closed(field - float(level), origin, step))
