"""What a row of the catalogue says about a category."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

__all__ = ["Entry", "Kind", "Place", "Size", "furniture_row", "structure_row", "thing_row"]

Size: TypeAlias = tuple[float, float, float]
Kind: TypeAlias = Literal["furniture", "object", "structure", "mirror", "proxy"]
# Where a thing usually stands or hangs.
Place: TypeAlias = Literal["floor", "wall", "ceiling", "table", "counter", "shelf", "seat", "bed"]


@dataclass(frozen=True)
class Entry:
    """How a category is drawn and used.

    ``draw`` with ``options`` draws any model of it; ``plan`` is the shape of box that suits the
    drawing (see ``esi_fast.assets.plans``); ``own`` lists models that are not BEHAVIOR's;
    ``stand`` turns boxes of flat things that hang on walls from lying to facing +X.
    """

    draw: Callable[..., Any]
    kind: Kind
    places: tuple[Place, ...]
    options: dict[str, Any] = field(default_factory=dict)
    plan: str = "any"
    friction: float = 0.5
    tags: frozenset[str] = frozenset()
    own: dict[str, Size] = field(default_factory=dict)
    mass: float = 0.0
    stand: bool = False


def furniture_row(draw: Callable[..., Any], *places: Place, **keywords: Any) -> Entry:
    """A piece of furniture; on the floor unless said otherwise."""
    return Entry(draw, "furniture", places or ("floor",), **keywords)


def thing_row(draw: Callable[..., Any], *places: Place, **keywords: Any) -> Entry:
    """A small object; on tables, counters and shelves unless said otherwise."""
    return Entry(draw, "object", places or ("table", "counter", "shelf"), **keywords)


def structure_row(draw: Callable[..., Any], place: Place, **keywords: Any) -> Entry:
    """A piece of a house: a unit box that ``ObjectSpec.scale`` sizes."""
    return Entry(
        draw,
        "structure",
        (place,),
        own={"box": (1.0, 1.0, 1.0)},
        mass=1000.0,
        tags=frozenset({"structural", "fixed"}),
        **keywords,
    )
