"""How much a vessel holds: the volume of liquid at rest that does not run off.

From the exact crossings of vertical lines with the surface, whatever way the vessel is tilted.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from esi_fast.geometry import _core, raycast
from esi_fast.geometry._arrays import FloatArray, IntArray, as_floats, as_positive
from esi_fast.geometry.distance import ContainmentStatus, Mesh, MeshLike
from esi_fast.geometry.scene import Scene
from esi_fast.geometry.transforms import normalize

__all__ = ["Capacity", "capacity"]

# A line along an edge crosses it an uncertain number of times: such a column is moved aside by
# another share of the spacing each time.
_ASIDE = (0.0, 0.137, -0.211, 0.293, -0.349, 0.071)


_OFF_MIDDLE = np.array([0.276, 0.393])


class Capacity(NamedTuple):
    """``volume`` m³ that stay in; ``level`` m of the highest surface along ``up``, NaN if none.

    Both are NaN unless ``status`` is ``OK``: a surface that is not closed has no inside.
    """

    volume: float
    level: float
    status: ContainmentStatus


def capacity(
    mesh: MeshLike,
    *,
    up: ArrayLike = (0.0, 0.0, 1.0),
    spacing: float = 0.001,
    threads: int = 0,
) -> Capacity:
    """The most liquid that a vessel holds at rest, ``up`` (3,) being away from gravity.

    ``mesh`` is the vessel's closed surface, walls included, or several that may overlap; faces
    must agree about the outside. Heights are exact; across, the vessel is cut into columns
    ``spacing`` m apart, which should be less than half the thinnest wall. Hollows that are closed
    all around hold nothing, and overhangs fill up to the lowest pass to the outside.

    Raises ``ValueError`` for arrays that are no mesh, a zero ``up`` or a wrong spacing.
    """
    if isinstance(mesh, Mesh):
        shape = mesh
    else:
        shape = Mesh(*mesh) if isinstance(mesh, tuple) else Mesh.from_triangles(mesh)
    step = as_positive("spacing", spacing)
    z = normalize(as_floats("up", up, (3,), ndim=1), name="up")
    if not shape.closed:
        return Capacity(np.nan, np.nan, ContainmentStatus.OPEN)
    if not shape.oriented:
        return Capacity(np.nan, np.nan, ContainmentStatus.NOT_ORIENTED)
    # Any frame about the vertical will do.
    x = normalize(np.cross(z, np.eye(3)[int(np.argmin(np.abs(z)))]))
    vertices = shape.vertices @ np.stack((x, np.cross(z, x), z)).T
    corners = vertices[shape.faces]
    facing = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 2]
    low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
    counts = np.ceil((high - low)[:2] / step).astype(int) + 4
    scene = Scene(threads=threads)
    scene.add_instance(scene.add_mesh(vertices, shape.faces), object_id=0)
    # Aside from the middle, where walls that are multiples of the spacing apart would be met.
    start = (low[:2] + high[:2]) / 2 - step * ((counts - 1) / 2 + _OFF_MIDDLE)
    grid = np.stack(np.meshgrid(*(np.arange(n) for n in counts), indexing="ij"), axis=-1)
    places = start + step * grid.reshape(-1, 2)
    above = high[2] + max(1.0, float(high[2] - low[2]))
    for aside in _ASIDE:
        offsets, heights, enters = _crossings(scene, places, above, facing, threads)
        depth, level, broken = _core.vessel.hold(
            int(counts[0]), int(counts[1]), offsets, heights, enters
        )
        if not len(broken):
            return Capacity(float(depth) * step**2, float(level), ContainmentStatus.OK)
        places[broken] = start + step * (grid.reshape(-1, 2)[broken] + (aside, aside * 0.618))
    raise RuntimeError(f"{len(broken)} columns of a closed mesh have no inside")


def _crossings(
    scene: Scene, places: FloatArray, above: float, facing: FloatArray, threads: int
) -> tuple[IntArray, FloatArray, NDArray[np.int8]]:
    """Offsets (N + 1,), heights (K,) falling in each column, and 1 where the solid is entered."""
    origins = np.column_stack((places, np.full(len(places), above)))
    down = np.array([[0.0, 0.0, -1.0]])
    hits = raycast.all(scene, origins, np.broadcast_to(down, origins.shape), threads=threads)
    side = facing[hits.face]
    return hits.offsets, above - hits.distance, np.where(side > 0, 1, -1).astype(np.int8)
