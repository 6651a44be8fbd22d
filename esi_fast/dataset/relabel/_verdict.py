"""What a rule finds about a row: the verdict and everything that a reader needs to check it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypeAlias

__all__ = ["Difference", "Judgement", "Level", "Shape", "ShapeKind", "Verdict"]

Judgement: TypeAlias = Literal["agrees", "contradicts", "undecidable"]
Level: TypeAlias = Literal["geometry", "recorded", "none"]
ShapeKind: TypeAlias = Literal["point", "box", "path", "camera", "mirror"]


@dataclass(frozen=True, slots=True)
class Difference:
    """A stored number that the row's own poses and boxes do not give, under its path."""

    field: str
    stored: float
    derived: float

    @property
    def size(self) -> float:
        return abs(self.stored - self.derived)


@dataclass(frozen=True, slots=True)
class Shape:
    """Something to draw in the plan of a row; ``points`` are (x, y, z) in metres.

    ``point``: one. ``box``: the least and the greatest corner. ``path``: the corners of a line,
    closed where the last one repeats the first. ``camera``: the eye and a point 1 m ahead.
    ``mirror``: the two ends of its reflecting face, so that the face is to the left of the way
    from the first to the second.
    """

    kind: ShapeKind
    name: str
    points: tuple[tuple[float, float, float], ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a row's own metadata say about its label; see the package for the meaning."""

    row: int
    id: str
    task: str
    label: str
    derived: str
    verdict: Judgement
    reason: str
    level: Level
    near_tie: bool = False
    margin: float | None = None
    unit: str = ""
    threshold: str = ""
    others: Mapping[str, str] = field(default_factory=dict)
    robust: bool = False
    numbers: Mapping[str, float] = field(default_factory=dict)
    detail: str = ""
    reproduced: int = 0
    differences: tuple[Difference, ...] = ()
    shapes: tuple[Shape, ...] = ()

    def record(self) -> dict[str, Any]:
        """The verdict as JSON values, without what is only there to be drawn."""
        values = asdict(self)
        del values["shapes"]
        return values
