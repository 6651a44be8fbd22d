"""Registration by decorator, discovery by folder, extension by entry point.

``@register("task", "spatial_relations/linear_alignment")`` above a class is all that a new task,
agent, metric or backend needs. ``get`` and ``names`` import the packages that hold the built-in
ones, then the entry points of the group ``esi_fast.<kind>``, on first use.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Any, TypeVar

from esi_fast.errors import UnknownName

__all__ = ["KINDS", "get", "names", "register"]

T = TypeVar("T")

# kind -> package whose modules (recursively) register the built-in ones
KINDS: dict[str, str] = {
    "task": "esi_fast.generators",
    "backend": "esi_fast.sim",
    "agent": "esi_fast.eval",
    "metric": "esi_fast.eval",
}

_registered: dict[str, dict[str, Any]] = {kind: {} for kind in KINDS}
_discovered: set[str] = set()


def register(kind: str, name: str) -> Callable[[T], T]:
    """Class or function decorator that registers ``name`` under ``kind``.

    Raises ``ValueError`` for an unknown kind or a name that is taken by something else.
    """
    if kind not in KINDS:
        raise ValueError(f"kind: expected one of {sorted(KINDS)}, got {kind!r}")

    def add(thing: T) -> T:
        taken = _registered[kind].get(name)
        if taken is not None and _origin(taken) != _origin(thing):
            raise ValueError(f"name: {kind} {name!r} is registered by {_origin(taken)} already")
        _registered[kind][name] = thing
        return thing

    return add


def _origin(thing: object) -> str:
    return f"{getattr(thing, '__module__', '')}.{getattr(thing, '__qualname__', '')}"


def _discover(kind: str) -> None:
    if kind in _discovered:
        return
    _discovered.add(kind)
    package = importlib.import_module(KINDS[kind])
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not module.name.rsplit(".", 1)[-1].startswith("_"):
            importlib.import_module(module.name)
    for point in entry_points(group=f"esi_fast.{kind}"):
        point.load()


def names(kind: str) -> list[str]:
    """Sorted names of everything registered under ``kind``."""
    if kind not in KINDS:
        raise ValueError(f"kind: expected one of {sorted(KINDS)}, got {kind!r}")
    _discover(kind)
    return sorted(_registered[kind])


def get(kind: str, name: str) -> Any:
    """The class or function registered as ``name``; ``UnknownName`` lists near matches."""
    known = names(kind)
    if name not in _registered[kind]:
        raise UnknownName.among(known, kind, name)
    return _registered[kind][name]
