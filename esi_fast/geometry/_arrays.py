"""Array aliases of the geometry package and the one place where its Python side checks arrays."""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "BoolArray",
    "FloatArray",
    "Int32Array",
    "IntArray",
    "as_finite",
    "as_floats",
    "as_ids",
    "as_positive",
]

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
Int32Array: TypeAlias = NDArray[np.int32]
BoolArray: TypeAlias = NDArray[np.bool_]


def as_floats(
    name: str,
    value: ArrayLike,
    trailing: tuple[int, ...] = (),
    *,
    ndim: int | None = None,
    finite: bool = True,
) -> FloatArray:
    """``value`` as finite float64 whose shape ends in ``trailing``; ``ndim`` fixes the rank.

    ``finite=False`` lets NaN and infinity pass, for functions that have an answer to them.

    Raises ``TypeError`` for what is not numeric and ``ValueError`` for a wrong shape or a number
    that is not finite; both name the parameter, what was expected and what came.
    """
    raw = np.asarray(value)
    if raw.dtype.kind not in "fiub":
        raise TypeError(f"{name}: expected real numbers, got dtype {raw.dtype}")
    if raw.dtype.kind in "iu" and raw.itemsize == 8 and raw.size:
        low, high = int(raw.min()), int(raw.max())
        if max(high, -low) > 2**53:  # refused rather than rounded
            raise ValueError(
                f"{name}: expected integers within 2^53, got {max(low, high, key=abs)}"
            )
    array = raw.astype(np.float64, copy=False)
    rank = len(trailing)
    if (ndim is not None and array.ndim != ndim) or (
        rank and (array.ndim < rank or array.shape[-rank:] != trailing)
    ):
        free = ("...",) if ndim is None else ("N", "M", "K")[: ndim - rank]
        wanted = ", ".join((*free, *(str(size) for size in trailing)))
        if ndim == 1:
            wanted += ","
        raise ValueError(f"{name}: expected shape ({wanted}), got {array.shape}")
    if finite and not np.isfinite(array).all():
        raise ValueError(f"{name}: expected finite numbers, got NaN or infinity")
    return array


def as_positive(name: str, value: float, *, zero: bool = False) -> float:
    """``value`` as a finite float above zero (``zero``: or zero itself), else ``ValueError``."""
    number = float(value)
    if not (0.0 <= number < math.inf) or (number == 0.0 and not zero):
        wanted = "at least 0" if zero else "above 0"
        raise ValueError(f"{name}: expected a finite number {wanted}, got {value!r}")
    return number


def as_finite(name: str, value: float) -> float:
    """``value`` as a finite float of either sign, else ``ValueError``."""
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{name}: expected a finite number, got {value!r}")
    return number


def as_ids(name: str, value: ArrayLike | None) -> Int32Array:
    """Object ids (K,), none for ``None``; refused rather than rounded or wrapped to 32 bits."""
    raw = np.asarray([] if value is None else value)
    if raw.size == 0:
        return np.empty(0, dtype=np.int32)
    if raw.dtype.kind not in "fiu":
        raise TypeError(f"{name}: expected integers, got dtype {raw.dtype}")
    if raw.ndim != 1:
        raise ValueError(f"{name}: expected shape (K,), got {raw.shape}")
    limits = np.iinfo(np.int32)
    wrong = ~((raw == np.floor(raw)) & (raw >= limits.min) & (raw <= limits.max))
    if wrong.any():
        raise ValueError(f"{name}: expected integers within int32, got {raw[wrong][0]}")
    return raw.astype(np.int32)
