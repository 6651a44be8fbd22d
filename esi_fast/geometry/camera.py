"""The pinhole camera: square pixels, optical centre in the middle, along local -Z with +Y up.

Pixel coordinates are ``(column, row)`` as real numbers, origin at the *corner* of the top left
pixel: the centre of pixel ``[r, c]`` is ``(c + 0.5, r + 0.5)`` and ``floor`` of a coordinate is
the pixel that contains it. ``depth`` is along the optical axis, never along the ray.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike

from esi_fast.geometry import _core
from esi_fast.geometry._arrays import BoolArray, FloatArray, as_floats
from esi_fast.geometry.transforms import (
    pose_matrix,
    quat_to_matrix,
)

__all__ = ["Camera", "Projection", "linearise_depth", "vfov_from_hfov"]


class Projection(NamedTuple):
    """Where N points appear.

    ``pixels`` (N, 2) column and row, NaN where not in front; ``depth`` (N,) metres along the
    optical axis, negative behind; ``in_front`` (N,) depth above zero; ``in_image`` (N,) in front
    and inside the picture.
    """

    pixels: FloatArray
    depth: FloatArray
    in_front: BoolArray
    in_image: BoolArray


@dataclass(frozen=True, eq=False)
class Camera:
    """A pinhole camera: ``position`` (3,) metres, ``orientation`` (4,) xyzw, size in pixels.

    ``vfov_deg`` is the *vertical* field of view, above 0 and below 180. Arrays are kept
    read-only, the orientation normalised. Cameras with the same numbers are equal.
    """

    position: FloatArray
    orientation: FloatArray
    width: int
    height: int
    vfov_deg: float

    def __post_init__(self) -> None:
        position, orientation = _core.camera.frame(self.position, "position", self.orientation)
        for name, size in (("width", self.width), ("height", self.height)):
            if int(size) != size or size < 1:
                raise ValueError(f"{name}: expected a whole number of pixels above 0, got {size!r}")
        vfov = float(self.vfov_deg)
        if not 0.0 < vfov < 180.0:
            raise ValueError(f"vfov_deg: expected above 0 and below 180, got {self.vfov_deg!r}")
        object.__setattr__(self, "position", position)
        object.__setattr__(self, "orientation", orientation)
        object.__setattr__(self, "width", int(self.width))
        object.__setattr__(self, "height", int(self.height))
        object.__setattr__(self, "vfov_deg", vfov)

    @classmethod
    def looking_at(
        cls,
        position: ArrayLike,
        target: ArrayLike,
        *,
        width: int = 512,
        height: int = 512,
        vfov_deg: float = 60.0,
        up: ArrayLike = (0.0, 0.0, 1.0),
    ) -> Camera:
        """A camera at ``position`` (3,) with ``target`` (3,) in the middle of its picture."""
        orientation = _core.camera.aim(position, target, up)
        return cls(cast(FloatArray, position), orientation, width, height, vfov_deg)

    def _key(self) -> tuple[Any, ...]:
        return (
            tuple(self.position.tolist()),
            tuple(self.orientation.tolist()),
            self.width,
            self.height,
            self.vfov_deg,
        )

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Camera) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    @property
    def fy(self) -> float:
        """Focal length in pixels."""
        return self.height / (2.0 * _tan_half(self.vfov_deg))

    @property
    def fx(self) -> float:
        """Focal length in pixels; equal to ``fy``, pixels are square."""
        return self.fy

    @property
    def cx(self) -> float:
        """Column of the optical axis."""
        return self.width / 2.0

    @property
    def cy(self) -> float:
        """Row of the optical axis."""
        return self.height / 2.0

    @property
    def hfov_deg(self) -> float:
        """Horizontal field of view in degrees."""
        return math.degrees(2.0 * math.atan(self.cx / self.fx))

    @property
    def rotation(self) -> FloatArray:
        """World-from-camera rotation (3, 3): columns right, up, backward."""
        return quat_to_matrix(self.orientation)

    @property
    def pose(self) -> FloatArray:
        """World-from-camera matrix (4, 4)."""
        return pose_matrix(self.position, self.orientation)

    @property
    def forward(self) -> FloatArray:
        """Unit viewing direction (3,)."""
        return np.asarray(-self.rotation[:, 2])

    @property
    def right(self) -> FloatArray:
        """Unit direction (3,) of growing columns."""
        return np.asarray(self.rotation[:, 0])

    @property
    def up(self) -> FloatArray:
        """Unit direction (3,) of falling rows."""
        return np.asarray(self.rotation[:, 1])

    def project(self, points: ArrayLike) -> Projection:
        """Where world points (N, 3) appear; occlusion is not asked."""
        return Projection(*_core.camera.project(*self._arguments(), points))

    def unproject(self, pixels: ArrayLike, depth: ArrayLike) -> FloatArray:
        """World points (N, 3) at ``depth`` (N,) or scalar along the axis behind pixels (N, 2)."""
        return _core.camera.unproject(*self._arguments(), pixels, depth)

    def rays(self, pixels: ArrayLike | None = None) -> tuple[FloatArray, FloatArray]:
        """Origins (N, 3) and unit directions (N, 3) through ``pixels`` (N, 2).

        By default through all pixel centres, row after row: reshape to ``(height, width, 3)``.
        """
        if pixels is None:
            column, row = np.meshgrid(np.arange(self.width) + 0.5, np.arange(self.height) + 0.5)
            pixels = np.stack([column.ravel(), row.ravel()], axis=1)
        return _core.camera.rays(*self._arguments(), pixels)

    def _arguments(self) -> tuple[FloatArray, FloatArray, float, int, int]:
        """What the compiled functions take of a camera."""
        return self.position, self.orientation, self.fy, self.width, self.height


def _tan_half(degrees: float) -> float:
    """Tangent of half an angle in (0, 180), exactly 1 at 90 degrees.

    A right angle is the field of view of choice for pictures with exact pixel borders, and
    ``tan(pi / 4)`` is not 1 in floating point.
    """
    angle = math.radians(degrees)
    if degrees <= 90.0:
        return math.sin(angle) / (1.0 + math.cos(angle))
    return (1.0 - math.cos(angle)) / math.sin(angle)


def vfov_from_hfov(hfov_deg: float, width: int, height: int) -> float:
    """Vertical field of view (degrees) of a picture whose *horizontal* one is ``hfov_deg``."""
    if not 0.0 < hfov_deg < 180.0:
        raise ValueError(f"hfov_deg: expected above 0 and below 180, got {hfov_deg!r}")
    half = _tan_half(hfov_deg) * height / width
    return math.degrees(2.0 * math.atan(half))


def linearise_depth(buffer: ArrayLike, near: float, far: float) -> FloatArray:
    """Metres along the axis of OpenGL z-buffer values in [0, 1]: ``f n / (f - (f - n) d)``.

    For pictures from other simulators; this package's own depth is metric. ``buffer`` (...) of any
    shape, which the result has too. ``ValueError`` unless ``near`` (m) is above zero and below
    ``far`` (m), or for values outside [0, 1].
    """
    if not (math.isfinite(near) and math.isfinite(far) and 0.0 < near < far):
        raise ValueError(f"near, far: expected 0 < near < far, got {near!r}, {far!r}")
    d = as_floats("buffer", buffer)
    if ((d < 0.0) | (d > 1.0)).any():
        raise ValueError(f"buffer: expected values in [0, 1], got {d.min()} to {d.max()}")
    return np.asarray(far * near / (far - (far - near) * d))
