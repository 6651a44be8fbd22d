"""A: what was tried on which things, and what came of it, read from a history alone.

Actions name things by a word of the question or by a handle, which says nothing about what it
names. A handle is listed with the box of its thing's pixels, and only a class whose mask reaches
all four sides of that box can be the thing's. Where that leaves one of the things that have
handles, the handle is known; more frames leave fewer.

What an outcome implies is the task's to say. That it implies anything rests on a guard that the
task has to prove: that in every world it may come from, the action ends as the label says,
wherever the agent stands and however it has turned what it holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from esi_fast.records import CameraSpec, FrameRecord
from esi_fast.sim.masks import decode_mask

__all__ = ["Deed", "deeds", "tried"]


class Deed(NamedTuple):
    """An action on things and what came of it.

    ``frame`` is the place in the history of the view after it. ``things`` are the words of the
    arguments, ``None`` for one that is not known (yet).
    """

    frame: int
    name: str
    things: tuple[str | None, ...]
    ok: bool
    reason: str


def deeds(history: Sequence[FrameRecord], things: Mapping[str, str]) -> list[Deed]:
    """All actions on things, in order.

    ``things`` are all that have handles: their categories by the words that name them. They must
    be opaque; of two of one category only the words tell which was meant.
    """
    acted = [
        (k, frame)
        for k, frame in enumerate(history)
        if frame.action is not None and frame.outcome is not None and frame.action.args
    ]
    if not acted:
        return []
    words = {**_handles(history, things), **{word: word for word in things}}
    return [
        Deed(
            frame=k,
            name=frame.action.name,
            things=tuple(words.get(arg) for arg in frame.action.args),
            ok=frame.outcome.ok,
            reason=frame.outcome.reason,
        )
        for k, frame in acted
        if frame.action is not None and frame.outcome is not None
    ]


def tried(
    history: Sequence[FrameRecord], things: Mapping[str, str], name: str, *args: str
) -> list[Deed]:
    """The deeds of one kind on just these things, such as ``"put_on", "box", "ramp"``."""
    return [deed for deed in deeds(history, things) if (deed.name, deed.things) == (name, args)]


def _handles(history: Sequence[FrameRecord], things: Mapping[str, str]) -> dict[str, str]:
    """The word of each handle that only one of the things can have."""
    left: dict[str, set[str]] = {}
    for frame in history:
        for handle, box in frame.handles.items():
            fits = {
                word
                for word, category in things.items()
                if (runs := frame.masks.get(category)) and _reaches(frame.camera, runs, box)
            }
            left[handle] = left.get(handle, set(things)) & fits
    return {handle: next(iter(words)) for handle, words in left.items() if len(words) == 1}


@lru_cache(maxsize=1024)
def _reaches(camera: CameraSpec, runs: tuple[int, ...], box: tuple[int, int, int, int]) -> bool:
    """Whether a mask reaches all four sides of a box from within."""
    left, top, right, bottom = box
    part = decode_mask(runs, (camera.height, camera.width))[top:bottom, left:right]
    return bool(part[0].any() and part[-1].any() and part[:, 0].any() and part[:, -1].any())
