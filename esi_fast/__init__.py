"""esi-fast: embodied spatial benchmarks, right and fast.

Nothing is imported here beyond the version: ``esi_fast.geometry`` is usable alone and light.
"""

__all__ = ["__version__"]

__version__ = "0.1.0"
