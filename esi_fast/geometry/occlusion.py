"""Lines of sight: whether points see each other, what is in the way, how much of an object shows.

All in three dimensions and exact as in ``raycast``. A segment is drawn in at both ends by
``tolerance`` times its own length (by default a millionth), so that the surfaces on which its end
points lie do not block it; nothing else is left out.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from esi_fast.geometry import _core
from esi_fast.geometry._arrays import as_floats, as_ids
from esi_fast.geometry.raycast import recheck_count, reset_recheck_count
from esi_fast.geometry.scene import Scene

__all__ = [
    "TOLERANCE",
    "first_blocker",
    "recheck_count",
    "reset_recheck_count",
    "visibility_matrix",
    "visible",
    "visible_fraction",
]

#: Share of a segment's length by which each end is drawn in: far above the rounding of double
#: coordinates (1e-16) and far below any thickness that matters (0.01 mm on 10 m).
TOLERANCE = 1e-6


def visible(
    scene: Scene,
    starts: ArrayLike,
    ends: ArrayLike,
    *,
    ignore: ArrayLike | None = None,
    tolerance: float = TOLERANCE,
    threads: int = 0,
) -> NDArray[np.bool_]:
    """(N,): whether nothing stands between ``starts`` and ``ends``, (N, 3) or (1, 3) each.

    Objects listed in ``ignore`` do not block: ids (K,) for all segments, or (N, K) padded with -1.
    A segment of length zero is free. Raises ``ValueError`` for wrong shapes, coordinates that are
    not finite or beyond 1e12 m, or a tolerance outside [0, 0.5).
    """
    return _core.occlusion.visible(scene, starts, ends, ignore, tolerance, threads)


def visibility_matrix(
    scene: Scene,
    starts: ArrayLike,
    ends: ArrayLike,
    *,
    ignore: ArrayLike | None = None,
    tolerance: float = TOLERANCE,
    threads: int = 0,
) -> NDArray[np.bool_]:
    """(N, M): whether each of ``starts`` (N, 3) sees each of ``ends`` (M, 3).

    ``ignore``: ids (K,) for all pairs, or (N, K) per start padded with -1. ``ValueError`` as in
    ``visible``.
    """
    return _core.occlusion.visibility_matrix(scene, starts, ends, ignore, tolerance, threads)


def first_blocker(
    scene: Scene,
    starts: ArrayLike,
    ends: ArrayLike,
    *,
    ignore: ArrayLike | None = None,
    tolerance: float = TOLERANCE,
    threads: int = 0,
) -> NDArray[np.int32]:
    """(N,): the object that first blocks the way from each start to its end, -1 where it is free.

    ``starts`` and ``ends``, (N, 3) or (1, 3) each; parameters and errors as in ``visible``.
    """
    return _core.occlusion.first_blocker(scene, starts, ends, ignore, tolerance, threads)


def visible_fraction(
    scene: Scene,
    eyes: ArrayLike,
    object_id: int,
    *,
    samples: int = 256,
    seed: int = 0,
    ignore: ArrayLike | None = None,
    self_hidden: bool = False,
    threads: int = 0,
) -> NDArray[np.float64]:
    """(N,): the share of an object's surface that each of ``eyes`` (N, 3) sees, 0 to 1.

    Taken over ``samples`` points spread evenly over the surface. By default the object does not
    block itself, so 1 means that nothing else is in front of it; with ``self_hidden`` its own far
    side counts as hidden, so a convex object never shows more than about half. ``ignore``: further
    object ids (K,) that do not block.

    Raises ``ValueError`` if the object has no triangle.
    """
    points = scene.surface_samples(object_id, samples, seed=seed).points
    where = as_floats("eyes", eyes, (3,), ndim=2)
    passed = as_ids("ignore", ignore)
    if not self_hidden:
        passed = np.append(passed, np.int32(object_id))
    seen = visibility_matrix(scene, where, points, ignore=passed, threads=threads)
    fraction: NDArray[np.float64] = seen.mean(axis=1)
    return fraction
