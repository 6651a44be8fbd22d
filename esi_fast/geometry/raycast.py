"""Exact rays: the closest hit, whether there is any, or all of them.

A ray's answer is that of double-precision arithmetic on the world vertices, at any angle, however
small or far away the triangle (``docs/exactness.md``). Triangles are closed and two-sided, and a
ray through an edge or vertex that neighbours share cannot slip between them; a ray that runs in a
triangle's own plane does not meet it. Distances are in metres along the unit direction, whatever
the length of the direction that was given.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from esi_fast.geometry import _core
from esi_fast.geometry.scene import Scene

__all__ = [
    "INVALID_RAY",
    "OK",
    "AllHits",
    "Hits",
    "all",
    "any",
    "closest",
    "recheck_count",
    "reset_recheck_count",
]

#: Values of ``Hits.status``.
OK = 0
INVALID_RAY = 1


class Hits(NamedTuple):
    """The closest hit of each of N rays; row i belongs to ray i."""

    hit: NDArray[np.bool_]  # (N,)
    distance: NDArray[np.float64]  # (N,) metres, inf where nothing was hit
    instance: NDArray[np.int32]  # (N,) -1 where nothing was hit
    object_id: NDArray[np.int32]  # (N,) -1 where nothing was hit
    face: NDArray[np.int32]  # (N,) index in the instance's mesh, -1 where nothing was hit
    barycentric: NDArray[np.float64]  # (N, 3) weights of the face's corners
    normal: NDArray[np.float64]  # (N, 3) unit, along (b - a) x (c - a) of the face a, b, c
    status: NDArray[np.uint8]  # (N,) OK or INVALID_RAY


class AllHits(NamedTuple):
    """Every hit of N rays; those of ray i are ``[offsets[i]:offsets[i + 1]]``.

    They are ordered by distance. A ray through an edge or vertex meets each triangle there, so
    several hits may coincide; ``distinct`` merges them.
    """

    offsets: NDArray[np.int64]  # (N + 1,)
    distance: NDArray[np.float64]  # (H,) metres
    instance: NDArray[np.int32]  # (H,)
    object_id: NDArray[np.int32]  # (H,)
    face: NDArray[np.int32]  # (H,)

    def distinct(self, ray: int, *, tolerance: float = 1e-9) -> NDArray[np.float64]:
        """The different distances of one ray; closer together than ``tolerance`` metres is one."""
        found = self.distance[self.offsets[ray] : self.offsets[ray + 1]]
        return found[np.diff(found, prepend=-np.inf) > tolerance]


def closest(
    scene: Scene,
    origins: ArrayLike,
    directions: ArrayLike,
    *,
    tmin: ArrayLike = 0.0,
    tmax: ArrayLike = np.inf,
    ignore: ArrayLike | None = None,
    threads: int = 0,
) -> Hits:
    """The first thing each ray meets.

    ``origins``, ``directions`` (N, 3) or (1, 3); directions of any length. Only hits with
    ``tmin <= distance <= tmax`` (metres, one value or (N,)) count: with ``tmin=0`` a ray that
    starts on a surface meets it at once. ``ignore`` holds object ids the rays pass through: (K,)
    for all rays, or (N, K) padded with -1. Among equally near hits the lowest instance wins, then
    the lowest face. A ray with a zero or non-finite direction, or an origin that is not finite or
    beyond 1e12 m, hits nothing and has status ``INVALID_RAY``; the others are not disturbed.

    Raises ``ValueError`` for wrong shapes or a negative limit.
    """
    return Hits(*_core.raycast.closest(scene, origins, directions, tmin, tmax, ignore, threads))


def any(  # noqa: A001
    scene: Scene,
    origins: ArrayLike,
    directions: ArrayLike,
    *,
    tmin: ArrayLike = 0.0,
    tmax: ArrayLike = np.inf,
    ignore: ArrayLike | None = None,
    threads: int = 0,
) -> NDArray[np.bool_]:
    """(N,): whether each ray meets anything; equals ``closest(...).hit``, only faster.

    ``origins``, ``directions`` (N, 3) or (1, 3); all parameters, invalid rays and errors as in
    ``closest``.
    """
    return _core.raycast.any(scene, origins, directions, tmin, tmax, ignore, threads)


def all(  # noqa: A001
    scene: Scene,
    origins: ArrayLike,
    directions: ArrayLike,
    *,
    tmin: ArrayLike = 0.0,
    tmax: ArrayLike = np.inf,
    ignore: ArrayLike | None = None,
    threads: int = 0,
) -> AllHits:
    """Everything each of N rays meets, without a limit on the number.

    ``origins``, ``directions`` (N, 3) or (1, 3); all parameters, invalid rays and errors as in
    ``closest``.
    """
    return AllHits(*_core.raycast.all(scene, origins, directions, tmin, tmax, ignore, threads))


def recheck_count() -> int:
    """Pairs of ray and triangle that single precision left undecided since the last reset.

    They were decided in double precision. Counts all scenes and threads of the process.
    """
    return _core.raycast.recheck_count()


def reset_recheck_count() -> None:
    """Sets ``recheck_count`` back to 0."""
    _core.raycast.reset_recheck_count()
