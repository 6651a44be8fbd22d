"""What was still possible after each view of a history, asking the observer as rarely as can be."""

from __future__ import annotations

from collections.abc import Callable, Sized
from typing import TypeVar

__all__ = ["along"]

Kept = TypeVar("Kept", bound=Sized)


def along(ask: Callable[[int], Kept], views: int) -> list[Kept]:
    """What ``ask(n)`` says of the first ``n`` views, for ``n`` from 1 to ``views``.

    More views never bring an answer back. So where as many are left after a later view as after
    an earlier one, nothing happened between them, and nothing is asked about what lies between.
    """
    found: dict[int, Kept] = {}

    def fill(low: int, high: int) -> None:
        if len(found[low]) == len(found[high]) or high - low < 2:
            return
        middle = (low + high) // 2
        found[middle] = ask(middle)
        fill(low, middle)
        fill(middle, high)

    found[1] = ask(1)
    found[views] = ask(views) if len(found[1]) > 1 else found[1]
    fill(1, views)
    left: list[Kept] = []
    for n in range(1, views + 1):
        left.append(found[n] if n in found else left[-1])
    return left
