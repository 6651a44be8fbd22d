"""The solids of a region of the world as one field of distances, for cloth and liquid."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from esi_fast.geometry.distance import Mesh, points_to_mesh, signed_distance
from esi_fast.geometry.fields import DistanceField
from esi_fast.types import FloatArray

__all__ = ["region_field"]

# Nodes along a block: what is far from all solids is measured once per block.
_BLOCK = 8
# Surfaces that enclose nothing count as sheets of this half thickness (metres).
_SHEET = 1e-3


def region_field(
    solids: Sequence[FloatArray],
    lower: FloatArray,
    upper: FloatArray,
    *,
    spacing: float,
    band: float,
) -> DistanceField | None:
    """Distances within a box to solids, given by their triangles (T, 3, 3); None where nothing is.

    Exact within ``band`` metres of a surface; farther away they are never larger than the truth,
    which is all that a collision asks.
    """
    meshes = [Mesh.from_triangles(triangles) for triangles in solids]
    whole = [m for m in meshes if m.closed and m.oriented]
    sheets = [m for m in meshes if not (m.closed and m.oriented)]
    groups = [(_merged(group), signed) for group, signed in ((whole, True), (sheets, False))]
    groups = [(mesh, signed) for mesh, signed in groups if len(mesh)]
    if not groups:
        return None

    def measure(points: FloatArray) -> FloatArray:
        out = np.full(len(points), np.inf)
        for mesh, signed in groups:
            if signed:
                found = signed_distance(mesh, points).distance
            else:
                found = points_to_mesh(mesh, points).distance - _SHEET
            out = np.minimum(out, found)
        return out

    blocks = np.maximum(np.ceil((upper - lower) / (spacing * _BLOCK)).astype(int), 1)
    side = spacing * _BLOCK
    index = np.stack(np.meshgrid(*(np.arange(n) for n in blocks), indexing="ij"), axis=-1)
    middle = lower + side * (index.reshape(-1, 3) + 0.5) - spacing / 2
    distance = measure(middle)
    within = np.stack(np.meshgrid(*[np.arange(_BLOCK)] * 3, indexing="ij"), axis=-1)
    offset = spacing * (within.reshape(-1, 3) + 0.5) - side / 2
    away = np.linalg.norm(offset, axis=1)
    values = np.sign(distance)[:, None] * (np.abs(distance)[:, None] - away)
    near = np.abs(distance) < band + float(away.max())
    if near.any():
        nodes = (middle[near][:, None] + offset).reshape(-1, 3)
        values[near] = measure(nodes).reshape(-1, _BLOCK**3)
    grid = values.reshape(*blocks, *[_BLOCK] * 3).transpose(0, 3, 1, 4, 2, 5)
    return DistanceField(grid.reshape(blocks * _BLOCK), origin=lower, spacing=spacing)


def _merged(meshes: Sequence[Mesh]) -> Mesh:
    return Mesh.from_triangles(
        np.concatenate([np.zeros((0, 3, 3)), *(m.triangles for m in meshes)])
    )
