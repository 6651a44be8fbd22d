"""Array aliases and the conventions that hold everywhere.

Metres; radians unless a name ends in ``_deg``; z up; quaternions ``xyzw``; a pose is the 4 x 4
matrix that takes object coordinates to world coordinates; a camera looks along its local -Z with
+Y up; images are row-major with the origin at the top left.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["BoolArray", "FloatArray", "IntArray", "JsonDict", "UInt8Array"]

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
BoolArray: TypeAlias = NDArray[np.bool_]
UInt8Array: TypeAlias = NDArray[np.uint8]
JsonDict: TypeAlias = dict[str, Any]
