"""From the box of a model to the box in which its family draws.

A family draws well in some proportions only: a mug needs room for its ear beside it, a pencil is
drawn along x. Every model of the inventory is drawn all the same: in the nearest box that suits,
turned by quarter turns where the inventory has it another way round, and stretched to its own box
at the end.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from esi_fast.assets.entries import Size
from esi_fast.types import FloatArray

__all__ = ["PLANS", "UPRIGHT", "Fit", "fit", "typical", "usual"]

# A model more than this factor away from the typical box along an axis is another kind of thing:
# it is listed after the others.
OUTLIER = 1.9
# A turn must bring the proportions closer to the typical ones by this factor (its logarithm).
_WORTH_A_TURN = 0.35
# Plans of long things, which lie any way round in the inventory.
_TURNING = frozenset({"lying", "slim", "standing"})
# What all models of some plans are measured by, however the inventory has most of them.
_STANDING = (1.0, 1.0, 2.2)


def _long_axis(b: Size, least: float, most: float) -> Size:
    short, long = min(b[:2]), max(b[:2])
    long = min(max(long, least * short), most * short)
    return (long, short, b[2]) if b[0] >= b[1] else (short, long, b[2])


def _even(b: Size) -> Size:
    if 0.87 <= b[0] / b[1] <= 1.15:
        return b
    side = math.sqrt(b[0] * b[1])
    return (side, side, b[2])


def _high(b: Size, least: float, most: float = math.inf) -> Size:
    side = max(b[:2])
    return (b[0], b[1], min(max(b[2], least * side), most * side))


PLANS: dict[str, Callable[[Size], Size]] = {
    "any": lambda b: b,
    "round": _even,
    "handled": lambda b: _long_axis(b, 1.14, 1.7),
    "lying": lambda b: (max(b[0], 1.3 * max(b[1], 0.8 * b[2])), b[1], b[2]),
    "upright": lambda b: _high(b, 1.15),
    "tall": lambda b: _high(_even(b), 1.15),
    "slim": lambda b: (max(b[0], 1.3 * b[1], b[2] / 0.28), b[1], b[2]),
    "standing": _even,
    "stout": lambda b: _high(b, 1.15, 2.3),
    "disc": lambda b: b if 0.9 <= b[1] / b[2] <= 1.1 else (b[0], b[2], b[2]),
    "wide": lambda b: (b[0], max(b[1], 1.1 * b[0]), b[2]),
}

UPRIGHT = np.eye(3)
# The six ways to put a box back into its axes (columns: where x, y, z of the drawing go).
_TURNS: tuple[FloatArray, ...] = (
    UPRIGHT,
    np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]),
    np.array([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]),
    np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]),
    np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]),
    np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]),
)


class Fit(NamedTuple):
    """The box to draw in, and the turn (3, 3) from the drawing to the model's own frame."""

    size: Size
    turn: FloatArray


def typical(plan: str, boxes: Iterable[Size]) -> Size:
    """The median box of those that suit a plan as they are (of all, where none does)."""
    if plan == "standing":
        return _STANDING
    every = list(boxes)
    suiting = [b for b in every if PLANS[plan](b) == b]
    if not suiting and plan in _TURNING:
        # All lie another way round: the longest side first.
        suiting = [(max(b), sorted(b)[1], min(b)) for b in every]
    suiting = suiting or every
    x, y, z = (statistics.median(b[k] for b in suiting) for k in range(3))
    return (x, y, z)


def usual(plan: str, box: Size, middle: Size) -> bool:
    """Whether a box suits the plan as it is and is near the typical one."""
    if PLANS[plan](box) != box:
        return False
    if plan == "standing":
        return box[2] >= 0.8 * max(box[:2])
    return all(1 / OUTLIER <= v / m <= OUTLIER for v, m in zip(box, middle, strict=True))


def fit(plan: str, box: Size, middle: Size) -> Fit:
    """How to draw a model with ``box`` of a category whose typical box is ``middle``."""
    best, turn = _distance(box, middle) - _WORTH_A_TURN, UPRIGHT
    for candidate in _TURNS[1:] if plan in _TURNING else ():
        gap = _distance(_turned(box, candidate), middle)
        if gap < best:
            best, turn = gap, candidate
    return Fit(PLANS[plan](_turned(box, turn)), turn)


def _turned(box: Size, turn: FloatArray) -> Size:
    """The extents of a model's box along the axes of the drawing."""
    x, y, z = np.abs(turn).T @ np.array(box)
    return (float(x), float(y), float(z))


def _distance(box: Size, middle: Size) -> float:
    """Largest difference of proportions, as a logarithm; overall size does not count."""
    ratio = [math.log(v / m) for v, m in zip(box, middle, strict=True)]
    mean = sum(ratio) / 3.0
    return max(abs(r - mean) for r in ratio)
