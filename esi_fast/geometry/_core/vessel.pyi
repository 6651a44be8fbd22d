"""
How much a vessel holds.
"""

from __future__ import annotations

import typing

__all__: list[str] = ["capacity"]

def capacity(
    triangles: typing.Any, spacing: typing.SupportsFloat | typing.SupportsIndex
) -> tuple[float, float]:
    """
    Volume that closed triangles hold, +z being up, and the level of the highest surface.
    """
