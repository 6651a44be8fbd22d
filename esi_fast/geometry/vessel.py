"""How much a vessel holds: the volume of liquid at rest that does not run off.

From the exact crossings of vertical lines with the surface, whatever way the vessel is tilted.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from esi_fast.geometry import _core
from esi_fast.geometry._arrays import as_floats, as_positive
from esi_fast.geometry.distance import ContainmentStatus, MeshLike, as_mesh
from esi_fast.geometry.transforms import normalize

__all__ = ["Capacity", "capacity"]


class Capacity(NamedTuple):
    """``volume`` m³ that stay in; ``level`` m of the highest surface along ``up``, NaN if none.

    Both are NaN unless ``status`` is ``OK``: a surface that is not closed has no inside.
    """

    volume: float
    level: float
    status: ContainmentStatus


def capacity(
    mesh: MeshLike, *, up: ArrayLike = (0.0, 0.0, 1.0), spacing: float = 0.001
) -> Capacity:
    """The most liquid that a vessel holds at rest, ``up`` (3,) being away from gravity.

    ``mesh`` is the vessel's closed surface, walls included, or several that may overlap; faces
    must agree about the outside. Hollows that are closed all around hold nothing; overhangs fill
    up to the lowest pass to the outside, air always gets out.

    Across, the vessel is cut into columns about ``spacing`` m apart, in which heights are exact, so
    the error of the volume is that of the outline seen from above. Liquid passes where a straight
    way between two columns is free: it leaks through no wall, however thin, but may miss an opening
    narrower than the spacing.

    Raises ``ValueError`` for arrays that are no mesh, a zero ``up`` or a wrong spacing.
    """
    shape = as_mesh("mesh", mesh)
    step = as_positive("spacing", spacing)
    z = normalize(as_floats("up", up, (3,), ndim=1), name="up")
    if not shape.closed:
        return Capacity(np.nan, np.nan, ContainmentStatus.OPEN)
    if not shape.oriented:
        return Capacity(np.nan, np.nan, ContainmentStatus.NOT_ORIENTED)
    # Any frame about the vertical will do; that of the z axis is the world's own.
    x = normalize(np.cross(np.eye(3)[1 if abs(z[1]) < 0.9 else 0], z))
    triangles = shape.triangles @ np.stack((x, np.cross(z, x), z), axis=1)
    return Capacity(*_core.vessel.capacity(triangles, step), ContainmentStatus.OK)
