"""
Compiled kernels of esi_fast.geometry.
"""

from __future__ import annotations

from . import distance, version

__all__: list[str] = ["distance", "version"]
