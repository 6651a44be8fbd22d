"""The errors that callers are expected to handle.

A wrong call raises ``ValueError`` or ``TypeError`` and names the parameter, what was expected and
what came. The classes below are for everything else that is foreseen. Anything not listed here is
a bug and stops the program.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

__all__ = [
    "BackendUnavailable",
    "EsiError",
    "ObjectTooLarge",
    "PlacementRejected",
    "RecordError",
    "Rejection",
    "SceneUnsuitable",
    "StorageError",
    "UnknownName",
]


class EsiError(Exception):
    """Base of every foreseen error; the command line prints it without a traceback."""


class Rejection(EsiError):
    """A draft that cannot become an instance: counted by ``reason`` and replaced.

    ``reason`` is a short stable identifier (it is a histogram key); ``numbers`` are the measured
    values that decided.
    """

    def __init__(self, reason: str, **numbers: object) -> None:
        self.reason = reason
        self.numbers = numbers
        detail = ", ".join(f"{key}={value}" for key, value in numbers.items())
        super().__init__(f"{reason} ({detail})" if detail else reason)


class PlacementRejected(Rejection):
    """This sample does not fit: draw another one in the same scene."""


class ObjectTooLarge(PlacementRejected, ValueError):
    """An object that is larger, as it is turned, than the room it is put in.

    ``numbers`` are its id and extents and those of the room, in metres.
    """

    def __init__(
        self, object_id: str, extents: Sequence[float], room: str, room_extents: Sequence[float]
    ) -> None:
        super().__init__(
            "larger_than_room",
            object=object_id,
            extents=tuple(round(float(v), 4) for v in extents),
            room=room,
            room_extents=tuple(round(float(v), 4) for v in room_extents),
        )


class SceneUnsuitable(Rejection):
    """No sample can fit in this room or scene: take the next one."""


class BackendUnavailable(EsiError):
    """A simulator, model client or optional package is missing; says what to install."""


class RecordError(EsiError):
    """A file or row that is not what it should be; names the file, the row and the field."""


class StorageError(RecordError):
    """A file or folder that the system refuses to read or write: full, read-only, not there.

    No unit of work is to blame: a run stops, and goes on from there once the cause is mended.
    """


class UnknownName(EsiError, KeyError):
    """A task, agent, metric, backend or category that is not registered; lists the nearest."""

    @classmethod
    def among(cls, known: Iterable[str], what: str, name: str) -> UnknownName:
        """The error for a ``what`` called ``name`` that is not among the ``known``."""
        known = list(known)
        near = difflib.get_close_matches(name, known, n=3, cutoff=0.4) or known[:5]
        return cls(f"unknown {what} {name!r}; did you mean: {', '.join(near) or 'none'}")

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""
