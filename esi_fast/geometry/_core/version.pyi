"""
What the compiled core is built on.
"""

from __future__ import annotations

import typing

__all__: list[str] = ["embree", "threads"]

def embree() -> int:
    """
    Version of the Embree library in use, 40400 for 4.4.0.
    """

def threads(requested: typing.SupportsInt | typing.SupportsIndex = 0) -> int:
    """
    Number of threads that ``threads=requested`` stands for; 0 means all processors this process may run on. Raises ``ValueError`` for a negative number.
    """
