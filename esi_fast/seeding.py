"""One rule for randomness: every generator is derived from a path of names and numbers.

The same path gives the same stream in every process, on every machine and in any order of work;
Python's ``hash`` (which changes per process) is never used.
"""

from __future__ import annotations

import hashlib

import numpy as np

__all__ = ["rng", "seed_of", "short_hash"]


def _digest(path: tuple[str | int, ...]) -> bytes:
    # The type tag keeps ("1",) and (1,) apart, the length prefix ("ab", "c") and ("a", "bc").
    h = hashlib.blake2b(digest_size=16)
    for part in path:
        if isinstance(part, bool) or not isinstance(part, (str, int)):
            raise TypeError(f"path: expected str or int parts, got {type(part).__name__}")
        data = (f"s{part}" if isinstance(part, str) else f"i{part}").encode()
        h.update(len(data).to_bytes(4, "little"))
        h.update(data)
    return h.digest()


def seed_of(*path: str | int) -> int:
    """A 128-bit seed for the path; stable across processes and machines.

    Raises ``TypeError`` for a part that is neither ``str`` nor ``int``.
    """
    return int.from_bytes(_digest(path), "little")


def rng(*path: str | int) -> np.random.Generator:
    """The random generator of a path, for example ``rng("place", seed, index)``."""
    return np.random.Generator(np.random.PCG64(seed_of(*path)))


def short_hash(*path: str | int, length: int = 12) -> str:
    """Hex digest of the path, for public ids that tell nothing (``length`` at most 32)."""
    if not 1 <= length <= 32:
        raise ValueError(f"length: expected 1 to 32, got {length}")
    return _digest(path).hex()[:length]
