"""
Pictures of a scene.
"""

from __future__ import annotations

import collections.abc
import typing

import numpy

import esi_fast.geometry._core.scene

__all__: list[str] = ["Light", "Material", "Options", "Renderer", "kinds", "textures"]

class Material:
    """
    A surface's look in linear light.
    """
    def __init__(
        self,
        *,
        kind: str,
        texture: str,
        color: typing.Any,
        second: typing.Any,
        tint: typing.Any,
        scale: typing.SupportsFloat | typing.SupportsIndex,
        ior: typing.SupportsFloat | typing.SupportsIndex,
        gloss: typing.SupportsFloat | typing.SupportsIndex,
        image: typing.Any,
    ) -> None: ...

class Light:
    """
    A light; radius is the tangent of half a sun's diameter.
    """
    def __init__(
        self,
        *,
        kind: str,
        position: typing.Any,
        direction: typing.Any,
        color: typing.Any,
        radius: typing.SupportsFloat | typing.SupportsIndex,
        cos_outer: typing.SupportsFloat | typing.SupportsIndex,
        cos_inner: typing.SupportsFloat | typing.SupportsIndex,
    ) -> None: ...

class Options:
    """
    Settings of a picture.
    """
    def __init__(
        self,
        *,
        samples: typing.SupportsInt | typing.SupportsIndex,
        shadow_samples: typing.SupportsInt | typing.SupportsIndex,
        ao_samples: typing.SupportsInt | typing.SupportsIndex,
        ao_distance: typing.SupportsFloat | typing.SupportsIndex,
        mirror_depth: typing.SupportsInt | typing.SupportsIndex,
        threads: typing.SupportsInt | typing.SupportsIndex,
        smooth: bool,
        filmic: bool,
        exposure: typing.SupportsFloat | typing.SupportsIndex,
        ground: typing.SupportsFloat | typing.SupportsIndex,
        ambient: typing.Any,
        background: typing.Any,
        zenith: typing.Any,
    ) -> None: ...

class Renderer:
    """
    Renders one scene again and again, keeping what it built for it.
    """
    def __init__(self) -> None: ...
    def render(
        self,
        scene: esi_fast.geometry._core.scene.Scene,
        *,
        pose: typing.Any,
        width: typing.SupportsInt | typing.SupportsIndex,
        height: typing.SupportsInt | typing.SupportsIndex,
        focal: typing.SupportsFloat | typing.SupportsIndex,
        materials: collections.abc.Sequence[Material],
        lights: collections.abc.Sequence[Light],
        options: Options,
        modalities: collections.abc.Sequence[str],
    ) -> dict[str, numpy.ndarray]: ...

def kinds() -> list[str]:
    """
    Names of the material kinds.
    """

def textures() -> list[str]:
    """
    Names of the textures.
    """
