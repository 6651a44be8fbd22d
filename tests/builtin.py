"""What the package itself registers, without the doubles that other tests add to the registry."""

from __future__ import annotations

from esi_fast import registry

__all__ = ["builtin"]


def builtin(kind: str) -> list[str]:
    """Names registered under ``kind`` by modules of ``esi_fast``."""
    return [
        name
        for name in registry.names(kind)
        if registry.get(kind, name).__module__.startswith("esi_fast.")
    ]
