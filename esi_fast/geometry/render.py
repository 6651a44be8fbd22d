"""Pictures from the same scene that answers the rays: materials, lights, settings, conversions.

Light is in linear sRGB primaries, in units in which a white surface that faces a light of colour
``(1, 1, 1)`` at one metre shows radiance 1: the Lambert factor is ``albedo * color * cos``, with
no further pi. Material colours are given as a person picks them, in sRGB.
"""

from __future__ import annotations

import functools
import hashlib
import math
import weakref
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from esi_fast.geometry import _core
from esi_fast.geometry._arrays import as_floats
from esi_fast.geometry.camera import Camera
from esi_fast.geometry.scene import Scene

__all__ = [
    "Image",
    "Light",
    "Material",
    "MaterialKind",
    "Modality",
    "Settings",
    "Texture",
    "render",
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
# Where a texture's second colour comes from: towards which colour, by how much.
_SECOND: dict[str, tuple[Rgb, float]] = {
    "wood": ((0.16, 0.08, 0.03), 0.42),
    "planks": ((0.16, 0.08, 0.03), 0.42),
    "tile": ((0.55, 0.54, 0.52), 0.75),
    "brick": ((0.74, 0.72, 0.68), 0.85),
    "fabric": ((0.0, 0.0, 0.0), 0.28),
    "paper": ((0.45, 0.40, 0.32), 0.25),
    "checker": ((0.10, 0.10, 0.11), 0.75),
    "grass": ((0.10, 0.14, 0.03), 0.55),
    "noise": ((0.15, 0.14, 0.13), 0.35),
    "stripes": ((0.96, 0.95, 0.92), 0.80),
}
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


def _linear(color: Rgb) -> NDArray[np.float64]:
    srgb = np.asarray(color, dtype=np.float64)
    return np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)


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

    @functools.cached_property
    def _compiled(self) -> Any:
        """The form that the core reads, with the image's halvings; made once."""
        if self.kind == "mirror":
            # Only the hue of the colour counts: a grey mirror reflects `reflectance` of everything.
            light = _linear(self.color)
            tint = light * (self.reflectance / max(float(light.max()), 1e-6))
        elif self.kind == "glass":
            # Light crosses two faces of a solid.
            tint = np.sqrt(_linear(self.color))
        else:
            tint = np.ones(3)
        power = self.emission if self.kind == "emissive" else 1.0
        return _core.render.Material(
            kind=self.kind,
            texture=self.texture,
            color=_linear(self.color) * power,
            second=_linear(self._second_color()) * power,
            tint=tint,
            scale=self.texture_scale,
            ior=self.ior,
            gloss=self.gloss if self.kind == "diffuse" else 0.0,
            image=self.image,
        )

    def _second_color(self) -> Rgb:
        if self.color2 is not None:
            return self.color2
        target, share = _SECOND.get(self.texture, ((0.0, 0.0, 0.0), 0.0))
        r, g, b = (c + (t - c) * share for c, t in zip(self.color, target, strict=True))
        return r, g, b

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_compiled"}

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

    @functools.cached_property
    def _compiled(self) -> Any:
        direction = np.asarray(self.direction, dtype=np.float64)
        length = float(np.linalg.norm(direction))
        radius = self.radius
        if self.type == "point":
            radius = 0.0
        elif self.type == "sun":
            radius = math.tan(math.radians(self.sun_deg) / 2.0)
        half = math.radians(self.cone_deg) / 2.0
        return _core.render.Light(
            kind="point" if self.type == "area" else self.type,
            position=self.position,
            direction=direction / length if length > 0.0 else (0.0, 0.0, -1.0),
            color=self.color,
            radius=radius,
            cos_outer=math.cos(half),
            cos_inner=math.cos(half * (1.0 - self.blend)),
        )

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_compiled"}


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
    values = as_floats("linear", linear, finite=False)
    values = np.clip(np.where(np.isnan(values), 0.0, values), 0.0, 1.0)
    curve = np.where(
        values <= 0.0031308, 12.92 * values, 1.055 * np.power(values, 1.0 / 2.4) - 0.055
    )
    return np.floor(curve * 255.0 + 0.5).astype(np.uint8)


# What each scene's renderer has built lives as long as the scene.
_renderers: weakref.WeakKeyDictionary[Scene, Any] = weakref.WeakKeyDictionary()

_MODALITIES: tuple[Modality, ...] = (
    "rgb",
    "depth",
    "ids",
    "seen_ids",
    "normals",
    "through",
    "radiance",
)


def render(
    scene: Scene,
    camera: Camera,
    *,
    materials: Sequence[Material],
    lights: Sequence[Light] = (),
    ambient: Sequence[float] = (0.35, 0.35, 0.37),
    settings: Settings | None = None,
    modalities: Collection[Modality] = ("rgb", "depth", "ids"),
) -> Image:
    """A picture of the scene; the same bytes each time, for any number of threads.

    ``materials`` holds one per instance, in order of addition, removed instances included (their
    entry is not looked at). ``ambient`` is linear light from all sides, in the units of ``Light``:
    a white surface facing up shows this radiance where nothing is near. ``modalities`` says which
    fields of the ``Image`` to fill; those without colour cost little.

    Raises ``ValueError`` for a wrong number of materials, negative or non-finite ambient light, an
    unknown modality, or more than 256 lights.
    """
    settings = Settings() if settings is None else settings
    sky = _triple("ambient", ambient, 0.0, 1e9)
    wanted = list(modalities)
    for name in wanted:
        if name not in _MODALITIES:
            raise ValueError(f"modalities: expected names from {_MODALITIES}, got {name!r}")
    renderer = _renderers.get(scene)
    if renderer is None:
        renderer = _renderers.setdefault(scene, _core.render.Renderer())
    fields = renderer.render(
        scene,
        pose=camera.pose,
        width=camera.width,
        height=camera.height,
        focal=camera.fy,
        materials=[material._compiled for material in materials],
        lights=[light._compiled for light in lights],
        options=_core.render.Options(
            samples=settings.samples,
            shadow_samples=settings.shadow_samples,
            ao_samples=settings.ao_samples,
            ao_distance=settings.ao_distance,
            mirror_depth=settings.mirror_depth,
            threads=settings.threads,
            smooth=settings.smooth,
            filmic=settings.tonemap == "filmic",
            exposure=settings.exposure,
            ground=settings.ground,
            ambient=sky,
            background=settings.background,
            zenith=settings.zenith,
        ),
        modalities=wanted,
    )
    return Image(
        rgb=fields.get("rgb"),
        depth=fields.get("depth"),
        ids=fields.get("ids"),
        seen_ids=fields.get("seen_ids"),
        normals=fields.get("normals"),
        through=fields.get("through"),
        radiance=fields.get("radiance"),
    )
