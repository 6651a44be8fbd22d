"""Vessels with a false bottom: the same outside, and less room inside.

The model ``mug+floor40`` is ``mug`` with a floor raised so far that 40 % of what it held is gone.
Nobody can tell from outside, or from above rims as long as the floor is not in sight.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
from scipy.spatial import ConvexHull

from esi_fast import geometry as geo
from esi_fast.assets.base import Asset, Part
from esi_fast.geometry.distance import Mesh
from esi_fast.geometry.surface import Surface
from esi_fast.records import ObjectSpec

__all__ = ["HIGHEST", "base_of", "raise_floor", "shape_model", "with_floor"]

HIGHEST = 90
"""The highest false bottom, in percent of the volume: more would be no vessel any more."""
_NAME = re.compile(r"^(.+)\+floor(\d\d)$")
# Cells across the vessel in which the bottom is drawn: its edge is inside the wall.
_DETAIL = 32
_COLUMNS = 160.0
# What a seam or a dent holds (cubic metres) makes no vessel.
_NO_VESSEL = 1e-5


def with_floor(model: str, percent: int) -> str:
    """The name of a model whose false bottom takes ``percent`` of its volume; 0 is itself.

    Raises ``ValueError`` beyond ``HIGHEST``.
    """
    if not 0 <= percent <= HIGHEST:
        raise ValueError(f"percent: expected 0 to {HIGHEST}, got {percent}")
    return f"{model}+floor{percent:02d}" if percent else model


def base_of(model: str) -> tuple[str, int]:
    """The model without its false bottom, and the percentage of its volume that this takes."""
    found = _NAME.match(model)
    return (found[1], int(found[2])) if found else (model, 0)


def shape_model(spec: ObjectSpec) -> str:
    """The model that gives an object its shape: with a false bottom where its state says so."""
    percent = round(100.0 * spec.state.get("false_bottom", 0.0))
    return with_floor(spec.model, percent) if percent else spec.model


def raise_floor(asset: Asset, percent: int) -> Asset:
    """``asset`` with a false bottom of the stuff of its first part, ``percent`` of its volume.

    The bottom has the shape that so much water would have in it. Raises ``ValueError`` for what
    holds no water, or a share beyond ``HIGHEST``.
    """
    name = with_floor(asset.model, percent)
    if not percent:
        return asset
    surface = _floor(asset, percent)
    vertices = surface.vertices
    floor = Part(vertices, surface.faces.astype(int), asset.parts[0].material, surface.normals)
    cavity = asset.cavity
    if cavity is not None:
        low = (*cavity.lower[:2], max(cavity.lower[2], float(vertices[:, 2].max())))
        cavity = replace(cavity, lower=low)
    return replace(
        asset,
        model=name,
        parts=(*asset.parts, floor),
        convex=(*asset.convex, vertices[ConvexHull(vertices).vertices]),
        cavity=cavity,
    )


def _floor(asset: Asset, percent: int) -> Surface:
    closed = (part.vertices[part.faces] for part in asset.parts if part.closed)
    mesh = Mesh.from_triangles(np.concatenate([np.zeros((0, 3, 3)), *closed]))
    spacing = max(asset.size[:2]) / _COLUMNS
    whole = geo.vessel.capacity(mesh, spacing=spacing).volume
    if not whole > _NO_VESSEL:
        raise ValueError(f"asset: {asset.category}/{asset.model} holds no water")
    volume = whole * percent / 100.0
    return geo.vessel.fill(mesh, volume, spacing=spacing, detail=_DETAIL, threads=1).surface
