"""Pictures from the same scene that answers the rays: materials, lights, settings, conversions.

Light is in linear sRGB primaries, in units in which a white surface that faces a light of colour
``(1, 1, 1)`` at one metre shows radiance 1: the Lambert factor is ``albedo * color * cos``, with
no further pi. Material colours are given as a person picks them, in sRGB.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "Image",
    "Light",
    "Material",
    "MaterialKind",
    "Modality",
    "Settings",
    "Texture",
    "linearise_depth",
    "to_srgb_uint8",
]

Rgb: TypeAlias = tuple[float, float, float]
MaterialKind: TypeAlias = Literal["diffuse", "mirror", "glass", "emissive"]
Texture: TypeAlias = Literal[
    "none",
    "wood",
    "planks",
    "tile",
    "fabric",
    "paper",
    "checker",
    "brick",
    "grass",
    "noise",
    "stripes",
    "image",
]
Modality: TypeAlias = Literal["rgb", "depth", "ids", "seen_ids", "normals", "through", "radiance"]

_KINDS: tuple[str, ...] = ("diffuse", "mirror", "glass", "emissive")
_TEXTURES: tuple[str, ...] = (
    "none",
    "wood",
    "planks",
    "tile",
    "fabric",
    "paper",
    "checker",
    "brick",
    "grass",
    "noise",
    "stripes",
    "image",
)
_LIGHTS: tuple[str, ...] = ("point", "area", "sun", "spot")


def _triple(name: str, value: Sequence[float], low: float, high: float) -> Rgb:
    values = tuple(float(v) for v in value)
    if len(values) != 3:
        raise ValueError(f"{name}: expected 3 numbers, got {len(values)}")
    if not all(math.isfinite(v) and low <= v <= high for v in values):
        raise ValueError(f"{name}: expected finite numbers in [{low}, {high}], got {values}")
    return values[0], values[1], values[2]


def _within(name: str, value: float, low: float, high: float) -> None:
    if not (math.isfinite(value) and low <= value <= high):
        raise ValueError(f"{name}: expected a number in [{low}, {high}], got {value}")


def _count(name: str, value: int, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{name}: expected an integer, got {type(value).__name__}")
    if not low <= value <= high:
        raise ValueError(f"{name}: expected {low} to {high}, got {value}")


@dataclass(frozen=True, eq=False)
class Material:
    """How a surface looks.

    ``color`` and ``color2`` are sRGB in [0, 1]; ``color2`` is the texture's second colour (grout
    of tiles, dark rings of wood, gaps of bricks), derived from ``color`` when ``None``.
    ``texture_scale`` is the size of the texture in metres per period (a tile with its grout, a
    plank's width, a pair of stripes or checker fields; a brick's length; for wood the spacing of
    ten rings; for an image texture without ``uv`` the image's width); textures live in the
    object's frame in metres, whatever its scale, so a stretched box shows more tiles, not larger.

    ``kind``: a ``mirror`` reflects ``reflectance`` of the light, tinted by ``color``, from both
    sides; ``glass`` refracts with ``ior`` and splits by Fresnel's equations, a closed solid
    passing ``color`` of the light; ``emissive`` shows ``color * emission`` and casts no shadow.
    ``gloss`` in [0, 1] adds highlights of the lights to a diffuse surface. ``image`` is (h, w, 3)
    uint8 sRGB, row 0 at v = 1, used with the mesh's ``uv`` where it has them.
    """

    color: Rgb = (0.8, 0.8, 0.8)
    kind: MaterialKind = "diffuse"
    texture: Texture = "none"
    color2: Rgb | None = None
    texture_scale: float = 1.0
    ior: float = 1.5
    reflectance: float = 0.92
    gloss: float = 0.0
    emission: float = 1.0
    image: NDArray[np.uint8] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "color", _triple("color", self.color, 0.0, 1.0))
        if self.color2 is not None:
            object.__setattr__(self, "color2", _triple("color2", self.color2, 0.0, 1.0))
        if self.kind not in _KINDS:
            raise ValueError(f"kind: expected one of {_KINDS}, got {self.kind!r}")
        if self.texture not in _TEXTURES:
            raise ValueError(f"texture: expected one of {_TEXTURES}, got {self.texture!r}")
        _within("texture_scale", self.texture_scale, 1e-4, 1e4)
        _within("ior", self.ior, 1.0, 4.0)
        _within("reflectance", self.reflectance, 0.0, 1.0)
        _within("gloss", self.gloss, 0.0, 1.0)
        _within("emission", self.emission, 0.0, 1e6)
        if (self.image is None) == (self.texture == "image"):
            state = "no image" if self.image is None else "an image"
            raise ValueError(
                f"image: expected an array exactly when texture is 'image', "
                f"got {state} with texture {self.texture!r}"
            )
        if self.image is not None:
            image = np.ascontiguousarray(self.image)
            if image.dtype != np.uint8:
                raise TypeError(f"image: expected dtype uint8, got {image.dtype}")
            if image.ndim != 3 or image.shape[2] != 3 or 0 in image.shape:
                raise ValueError(f"image: expected shape (h, w, 3), got {image.shape}")
            if image is self.image:
                image = image.copy()
            image.flags.writeable = False
            object.__setattr__(self, "image", image)

    def _key(self) -> tuple[object, ...]:
        image = self.image
        picture = (
            None
            if image is None
            else (
                image.shape,
                hashlib.blake2b(image.tobytes(), digest_size=16).digest(),
            )
        )
        return (
            self.color,
            self.kind,
            self.texture,
            self.color2,
            self.texture_scale,
            self.ior,
            self.reflectance,
            self.gloss,
            self.emission,
            picture,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Material) and (self is other or self._key() == other._key())

    def __hash__(self) -> int:
        return hash(self._key())


@dataclass(frozen=True)
class Light:
    """A light. ``color`` is linear RGB, any size.

    ``point``, ``area`` (a sphere of ``radius``) and ``spot`` fall off with the square of the
    distance; ``color`` is their irradiance at one metre. ``sun`` shines along ``direction`` with
    irradiance ``color`` everywhere and an angular diameter ``sun_deg``. ``direction`` is the way
    the light travels. A ``spot`` lights a cone of full angle ``cone_deg``, its rim softened over
    the outer part ``blend`` in [0, 1] of the half angle; with a ``radius`` its shadows are soft.
    Lights themselves are invisible: give a lamp an emissive part.
    """

    type: Literal["point", "area", "sun", "spot"] = "area"
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    direction: tuple[float, float, float] = (0.0, 0.0, -1.0)
    radius: float = 0.15
    color: Rgb = (1.0, 1.0, 1.0)
    sun_deg: float = 0.53
    cone_deg: float = 60.0
    blend: float = 0.2

    def __post_init__(self) -> None:
        if self.type not in _LIGHTS:
            raise ValueError(f"type: expected one of {_LIGHTS}, got {self.type!r}")
        big = 1e9
        object.__setattr__(self, "position", _triple("position", self.position, -big, big))
        object.__setattr__(self, "direction", _triple("direction", self.direction, -big, big))
        if self.type in ("sun", "spot") and math.hypot(*self.direction) < 1e-9:
            raise ValueError("direction: expected a vector of positive length, got zero")
        object.__setattr__(self, "color", _triple("color", self.color, 0.0, 1e9))
        _within("radius", self.radius, 0.0, 1e6)
        _within("sun_deg", self.sun_deg, 0.0, 90.0)
        _within("cone_deg", self.cone_deg, 0.1, 179.0)
        _within("blend", self.blend, 0.0, 1.0)


@dataclass(frozen=True)
class Settings:
    """Quality and look of a picture.

    ``samples`` camera rays per pixel for RGB (1: the pixel's centre only). ``shadow_samples``
    rays per light and camera ray inside penumbrae (elsewhere one decides; point lights and suns
    without an extent always take one). ``ao_samples`` ambient-occlusion rays per pixel, 0 for
    none, feeling out ``ao_distance`` metres. ``mirror_depth`` is how many reflections and
    refractions a ray may follow; beyond it a mirror shows its plain colour. ``smooth`` averages
    shadow and occlusion samples over neighbouring pixels of the same surface; without it (and
    with many samples) the picture converges to the same image, which is the reference of the
    tests. ``ground`` is the ambient light from below relative to that from above. ``background``
    is the linear colour at the horizon, ``zenith`` straight up. ``exposure`` multiplies light
    before the tone curve: ``srgb`` clips, ``filmic`` is the same up to a linear value of 0.6 and
    rolls off softly above. ``threads`` 0 means one per core.
    """

    samples: int = 4
    shadow_samples: int = 4
    ao_samples: int = 4
    ao_distance: float = 1.0
    mirror_depth: int = 4
    threads: int = 0
    smooth: bool = True
    tonemap: Literal["filmic", "srgb"] = "filmic"
    exposure: float = 1.0
    ground: float = 0.7
    background: Rgb = (0.80, 0.86, 0.93)
    zenith: Rgb = (0.32, 0.52, 0.85)

    def __post_init__(self) -> None:
        _count("samples", self.samples, 1, 4096)
        _count("shadow_samples", self.shadow_samples, 1, 4096)
        _count("ao_samples", self.ao_samples, 0, 4096)
        _count("mirror_depth", self.mirror_depth, 0, 64)
        _count("threads", self.threads, 0, 1024)
        _within("ao_distance", self.ao_distance, 1e-4, 1e4)
        if self.tonemap not in ("filmic", "srgb"):
            raise ValueError(f"tonemap: expected 'filmic' or 'srgb', got {self.tonemap!r}")
        _within("exposure", self.exposure, 0.0, 1e6)
        _within("ground", self.ground, 0.0, 10.0)
        object.__setattr__(self, "background", _triple("background", self.background, 0.0, 1e6))
        object.__setattr__(self, "zenith", _triple("zenith", self.zenith, 0.0, 1e6))


class Image(NamedTuple):
    """A rendered view of H x W pixels; a field is ``None`` where it was not asked for.

    ``rgb`` (H, W, 3) uint8 sRGB. Everything else belongs to the ray through the pixel's centre
    and is never interpolated: ``depth`` (H, W) float64 metres along the optical axis, ``inf``
    where nothing is hit; ``ids`` (H, W) int32 object id of the surface itself, -1 where none;
    ``seen_ids`` the id that the pixel shows after following mirrors and clear glass; ``normals``
    (H, W, 3) float32 geometric, towards the camera, zero where none; ``through`` (H, W) uint8,
    bit 0 where the way to ``seen_ids`` was reflected by a mirror, bit 1 where it met glass.
    ``radiance`` (H, W, 3) float32 is the linear light before exposure and tone curve.
    """

    rgb: NDArray[np.uint8] | None
    depth: NDArray[np.float64] | None
    ids: NDArray[np.int32] | None
    seen_ids: NDArray[np.int32] | None
    normals: NDArray[np.float32] | None
    through: NDArray[np.uint8] | None
    radiance: NDArray[np.float32] | None


def to_srgb_uint8(linear: ArrayLike) -> NDArray[np.uint8]:
    """Linear light to 8-bit sRGB, same shape: clipped to [0, 1], rounded; NaN becomes 0."""
    values = np.asarray(linear, dtype=np.float64)
    values = np.clip(np.where(np.isnan(values), 0.0, values), 0.0, 1.0)
    curve = np.where(
        values <= 0.0031308, 12.92 * values, 1.055 * np.power(values, 1.0 / 2.4) - 0.055
    )
    return np.floor(curve * 255.0 + 0.5).astype(np.uint8)


def linearise_depth(buffer: ArrayLike, near: float, far: float) -> NDArray[np.float64]:
    """Metric z-depth of an OpenGL depth buffer with values in [0, 1].

    ``z = f n / (f - (f - n) d)``; ``ValueError`` unless ``0 < near < far``, both finite, and the
    buffer lies in [0, 1].
    """
    if not (math.isfinite(near) and math.isfinite(far) and 0.0 < near < far):
        raise ValueError(f"near, far: expected 0 < near < far, got {near} and {far}")
    values = np.asarray(buffer, dtype=np.float64)
    if not np.all((values >= 0.0) & (values <= 1.0)):
        raise ValueError("buffer: expected values in [0, 1]")
    return np.asarray(far * near / (far - (far - near) * values))
