"""Particles that are linked within a radius: components, the largest of them, the graph itself.

Two particles are linked when their distance is at most ``radius`` plus ``tolerance``, both in
metres and both included. By default the tolerance is what rounding may have taken away: a billionth
of the radius plus four units in the last place (of the dtype that came) of the pair's largest
coordinate, but never more than a ten-thousandth of the radius. So a lattice is linked when the
radius is its spacing, wherever it lies, and particles a thousandth too far apart are not.

Coordinates of any real dtype are taken as they are and compared in double precision. Particles at a
position that is not finite are dropped and counted, or refused with ``non_finite="refuse"``.
Results do not depend on the number of threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from esi_fast.geometry import _core
from esi_fast.geometry._arrays import BoolArray, Int32Array, IntArray, as_floats, as_positive
from esi_fast.geometry.boxes import overlap

__all__ = [
    "Components",
    "Largest",
    "NonFinite",
    "RadiusGraph",
    "components",
    "dip_capacity",
    "largest_component",
    "radius_graph",
    "radius_pairs",
    "touch_box",
]

NonFinite: TypeAlias = Literal["drop", "refuse"]

# Particles of the paper's dip (appendix Q.2) hang together up to two particle radii apart.
_DIP_RADII = 2.0


class Components(NamedTuple):
    """``labels`` (N,) is the component of each particle, -1 for a dropped one.

    Components are numbered in the order of their lowest members; ``sizes`` (K,) counts them.
    ``largest`` is the number of the largest, the first of equals, -1 if there is none.
    """

    labels: Int32Array
    sizes: IntArray
    largest: int
    dropped: int


class Largest(NamedTuple):
    """``size`` of the largest component, the first of equals, and its ``members`` ascending."""

    size: int
    members: IntArray
    dropped: int


class RadiusGraph(NamedTuple):
    """Row k of the graph is ``neighbours[offsets[k] : offsets[k + 1]]``, ascending, without k.

    ``offsets`` (N + 1,) and ``neighbours`` (E,) are a matrix in compressed rows; each pair is in
    two rows. A dropped particle has an empty row.
    """

    offsets: IntArray
    neighbours: Int32Array
    dropped: int


def components(
    points: ArrayLike,
    radius: float,
    *,
    tolerance: float | None = None,
    non_finite: NonFinite = "drop",
    threads: int = 0,
) -> Components:
    """Connected components of particles (N, 3) under links within ``radius`` (m)."""
    return Components(
        *_core.particles.components(*_arguments(points, radius, tolerance, non_finite), threads)
    )


def largest_component(
    points: ArrayLike,
    radius: float,
    *,
    tolerance: float | None = None,
    non_finite: NonFinite = "drop",
    threads: int = 0,
) -> Largest:
    """The component of particles (N, 3) with most members; of equals, that of the lowest index."""
    found = components(points, radius, tolerance=tolerance, non_finite=non_finite, threads=threads)
    if found.largest < 0:
        return Largest(0, np.empty(0, dtype=np.int64), found.dropped)
    members = np.flatnonzero(found.labels == found.largest)
    return Largest(len(members), members, found.dropped)


def radius_graph(
    points: ArrayLike,
    radius: float,
    *,
    tolerance: float | None = None,
    non_finite: NonFinite = "drop",
    threads: int = 0,
) -> RadiusGraph:
    """All links within ``radius`` (m) among particles (N, 3), row by row."""
    return RadiusGraph(
        *_core.particles.radius_graph(*_arguments(points, radius, tolerance, non_finite), threads)
    )


def radius_pairs(
    points: ArrayLike,
    radius: float,
    *,
    tolerance: float | None = None,
    non_finite: NonFinite = "drop",
    threads: int = 0,
) -> IntArray:
    """Linked pairs (P, 2) of particles (N, 3), ``i < j`` and sorted."""
    graph = radius_graph(
        points, radius, tolerance=tolerance, non_finite=non_finite, threads=threads
    )
    first = np.repeat(np.arange(len(graph.offsets) - 1), np.diff(graph.offsets))
    once = first < graph.neighbours
    return np.stack([first[once], graph.neighbours[once]], axis=1)


def dip_capacity(points: ArrayLike, particle_radius: float, *, threads: int = 0) -> int:
    """Capacity in particles of a vessel that was dipped, by the paper's rule (Q.2).

    ``points`` (N, 3) are all the particles, those that leaked or splashed included: what counts is
    the largest component of particles at most two ``particle_radius`` (m) apart. What a vessel
    holds by its shape alone is ``vessel.capacity``.
    """
    reach = _DIP_RADII * as_positive("particle_radius", particle_radius)
    found = components(points, reach, threads=threads)
    return int(found.sizes[found.largest]) if found.largest >= 0 else 0


def touch_box(
    points: ArrayLike,
    box: ArrayLike,
    particle_radius: float,
    *,
    headroom: float = 0.0,
    tolerance: float = 1e-9,
) -> BoolArray:
    """Whether particles (N, 3) are in a box (2, 3), even in part: (N,).

    A particle counts when its centre or one of the six points ``particle_radius`` (m) from it along
    the axes is inside, bounds included up to ``tolerance`` (m). The box is ``headroom`` (m) higher
    than given, for liquid that stands above a rim. A position that is not finite is nowhere.
    """
    reach = as_positive("particle_radius", particle_radius, zero=True)
    top = np.array([[0.0] * 3, [0.0, 0.0, as_positive("headroom", headroom, zero=True)]])
    where = as_floats("points", points, (3,), ndim=2, finite=False)
    finite = np.isfinite(where).all(axis=1)
    star = np.vstack([np.zeros(3), reach * np.eye(3), -reach * np.eye(3)])
    samples = where[finite, None, :] + star
    limits = as_floats("box", box, (2, 3), ndim=2) + top
    inside = np.zeros(len(where), dtype=bool)
    slack = as_positive("tolerance", tolerance, zero=True)
    inside[finite] = overlap(limits, np.stack([samples, samples], axis=-2), tolerance=slack).any(
        axis=1
    )
    return inside


def _arguments(
    points: ArrayLike, radius: float, tolerance: float | None, non_finite: NonFinite
) -> tuple[ArrayLike, float, float, bool]:
    """What the compiled functions want to know, besides the number of threads."""
    if non_finite not in ("drop", "refuse"):
        raise ValueError(f"non_finite: expected 'drop' or 'refuse', got {non_finite!r}")
    if isinstance(points, Sequence) and not points:
        points = np.empty((0, 3))  # a list of no points does not tell its shape
    limit = -1.0 if tolerance is None else as_positive("tolerance", tolerance, zero=True)
    return points, as_positive("radius", radius), limit, non_finite == "drop"
