"""L, applied: where the objects that a question names stand, by all frames of a history.

``localise`` takes outlines and shapes; here they come from the history and from the public list of
objects, and what is found is made small enough to be put together in pairs and triples.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from esi_fast.generators.observer.localise import Cells, localise, shape_of
from esi_fast.generators.observer.outlines import Extent, extents
from esi_fast.records import FrameRecord
from esi_fast.types import FloatArray, JsonDict

__all__ = ["MAX_CENTERS", "MAX_VIEWS", "middles", "standing", "thin"]

# Views that bind most are enough: each further one costs time and can only shrink the bound.
MAX_VIEWS = 5
# Possible centres are thinned to this many per object before triples are formed.
MAX_CENTERS = 56


def standing(
    history: Sequence[FrameRecord],
    kind: JsonDict,
    public: JsonDict,
    *,
    resolution: float = 0.006,
) -> Cells | None:
    """Where the object of a ``category`` and ``model`` can be; ``None`` before it was seen.

    ``public["bounds"]`` are the corners of the floor, ``resolution`` is that of ``localise``.
    """
    parts = [part for frame in history for part in extents(frame, kind["category"])]
    if not parts:
        return None
    lower, upper = public["bounds"]
    shape = shape_of(kind["category"], kind["model"])
    return localise(_most_telling(parts), [shape], lower=lower, upper=upper, resolution=resolution)


def middles(
    history: Sequence[FrameRecord], public: JsonDict, *, resolution: float = 0.006
) -> list[FloatArray]:
    """The middle (3,) of what the outlines allow for each of ``public["objects"]`` seen so far."""
    points = []
    for kind in public["objects"]:
        cells = standing(history, kind, public, resolution=resolution)
        if cells is not None and len(cells):
            height = shape_of(kind["category"], kind["model"]).half_height
            points.append(np.append(cells.center.mean(axis=0), height))
    return points


def thin(
    cells: Cells, at_most: int = MAX_CENTERS, *, step: float = 0.004
) -> tuple[FloatArray, float]:
    """At most ``at_most`` points and the distance within which each centre has one.

    The points lie on a grid of ``step`` metres, or a coarser one where they would be too many.
    """
    while True:
        columns, rows = np.round(cells.center / step).astype(np.int64).T
        # One number for each square: sorting those is far quicker than sorting rows.
        width = int(np.ptp(rows)) + 1
        squares = np.unique(columns * width + (rows - rows.min()))
        if len(squares) <= at_most:
            points = np.column_stack((squares // width, squares % width + rows.min())) * step
            return points, cells.radius + step * np.sqrt(0.5)
        # As on a patch of floor, where the count falls with the square of the step, but less.
        step *= max(1.25, 0.8 * np.sqrt(len(squares) / at_most))


def _most_telling(parts: list[Extent]) -> list[Extent]:
    def worth(part: Extent) -> tuple[int, int]:
        return part.free_edges, part.area

    return sorted(parts, key=worth, reverse=True)[:MAX_VIEWS]
