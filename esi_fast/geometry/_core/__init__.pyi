"""
Compiled kernels of esi_fast.geometry.
"""

from __future__ import annotations

from . import version

__all__: list[str] = ["version"]
