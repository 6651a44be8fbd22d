"""Which categories are easily taken for each other, by how our models look.

Similarity is a documented measure in 0 to 1, symmetric, 1 for a category and itself: a weighted
mean of four, each of them in 0 to 1,

``relief``   0.45  overlap of depth pictures from the front, the side and above, each model scaled
             to its longest side: sum of minima over sum of maxima (Jaccard), the best of four
             quarter turns. From above a cup is hollow and a fruit is not
``size``     0.30  ``exp(-|log a - log b|)`` of the extents (smaller and larger horizontal, height)
``shape``    0.15  distances between random points of the surface, over their mean, as a histogram
             (D2 of Osada, Funkhouser, Chazelle and Dobkin, "Shape distributions", 2002), and
             half the absolute difference of two histograms taken from 1
``colour``   0.10  overlap of histograms of 64 colours, of a picture from the front

of the mean over a category's first three models. With an ``encoder`` of pictures, such as CLIP's
where a user has it (``clip_encoder``), the cosine of the pictures' features takes the place of
relief, shape and colour. The table of our own measure is part of the package, built by
``scripts/build_confusables.py``.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from esi_fast import geometry as geo
from esi_fast.assets.base import Asset
from esi_fast.assets.library import categories, get, info, models
from esi_fast.assets.sheet import portrait
from esi_fast.errors import BackendUnavailable
from esi_fast.seeding import rng
from esi_fast.types import FloatArray, UInt8Array

__all__ = [
    "TOP",
    "Encoder",
    "Look",
    "clip_encoder",
    "confusables",
    "look_of",
    "ranked",
    "similarity",
]

TOP: Final = 3
"""Confusable categories kept for each."""
_MODELS: Final = 3
_GRID: Final = 32  # cells along each side of a depth picture
_PAIRS, _BINS = 4000, 24  # of points, and of their distances up to three times the mean
_WEIGHTS: Final = {"relief": 0.45, "size": 0.30, "shape": 0.15, "colour": 0.10}
_PICTURE: Final = 64
_TURNS: Final = [
    np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    for c, s in ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))
]

Encoder: TypeAlias = Callable[[Sequence[UInt8Array]], FloatArray]
"""Features (N, D) of N pictures (H, W, 3)."""


class Look(NamedTuple):
    """How a category looks.

    ``relief`` (4, 3, G, G) by quarter turn, 0 where nothing is and up to 1 where a surface is near,
    ``size`` (3,) logarithms of metres, ``shape`` (B,) and ``colour`` (64,) histograms of sum 1.
    """

    relief: FloatArray
    size: FloatArray
    shape: FloatArray
    colour: FloatArray


def look_of(category: str) -> Look:
    """The look of a category; ``UnknownName`` lists near ones."""
    assets = [get(category, model) for model in models(category)[:_MODELS]]
    looks = [_look(asset) for asset in assets]
    return Look(*(np.mean(field, axis=0) for field in zip(*looks, strict=True)))


def _look(asset: Asset) -> Look:
    mesh = asset.mesh()
    x, y, z = asset.size
    size = np.log([min(x, y), max(x, y), z])
    return Look(
        np.stack([_reliefs(asset, mesh.vertices @ turn, mesh.faces) for turn in _TURNS]),
        size,
        _distances(asset, mesh.vertices, mesh.faces),
        _colours(asset),
    )


def _reliefs(asset: Asset, vertices: FloatArray, faces: Any) -> FloatArray:
    """How near the model is to rays along x, y and z through a cube of its longest side."""
    scene = geo.Scene(1)
    scene.add_instance(scene.add_mesh(vertices, faces), object_id=0)
    half = max(asset.size) / 2.0
    steps = (np.arange(_GRID) + 0.5) / _GRID * 2.0 * half - half
    u, v = (plane.ravel() for plane in np.meshgrid(steps, steps))
    far = np.full(u.shape, 2.0 * half)
    views = []
    for axis in range(3):
        origins = np.roll(np.stack([far, u, v], axis=1), axis, axis=1)
        directions = np.roll(np.array([[-1.0, 0.0, 0.0]]), axis, axis=1)
        hits = geo.raycast.closest(scene, origins, np.repeat(directions, len(u), axis=0), threads=1)
        near = np.where(hits.hit, (3.0 * half - hits.distance) / (2.0 * half), 0.0)
        views.append(near.reshape(_GRID, _GRID))
    return np.stack(views)


def _distances(asset: Asset, vertices: FloatArray, faces: Any) -> FloatArray:
    corners = vertices[faces]
    area = np.linalg.norm(
        np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1
    )
    random = rng("confusables", asset.category, asset.model)
    chosen = corners[random.choice(len(faces), size=2 * _PAIRS, p=area / area.sum())]
    # Uniform in a triangle (Osada et al., equation 1).
    a, b = np.sqrt(random.random(2 * _PAIRS)), random.random(2 * _PAIRS)
    weights = np.stack([1.0 - a, a * (1.0 - b), a * b], axis=1)
    points = (chosen * weights[:, :, None]).sum(axis=1)
    apart = np.linalg.norm(points[:_PAIRS] - points[_PAIRS:], axis=1)
    counts, _ = np.histogram(np.minimum(apart / apart.mean(), 2.999), _BINS, (0.0, 3.0))
    return np.asarray(counts / _PAIRS)


def _colours(asset: Asset) -> FloatArray:
    """Histogram over 4 x 4 x 4 colours of the middle of a portrait, where the model is."""
    picture = portrait(asset, _PICTURE, samples=2, threads=1)
    edge = _PICTURE // 5
    bins = (picture[edge:-edge, edge:-edge].reshape(-1, 3) // 64).astype(int) @ (16, 4, 1)
    return np.bincount(bins, minlength=64) / len(bins)


def similarity(
    names: Sequence[str] | None = None, *, encoder: Encoder | None = None
) -> tuple[tuple[str, ...], FloatArray]:
    """Names (N,) and their similarities (N, N), for all drawn categories by default.

    Structure is left out. ``encoder`` replaces what is seen by a model of the user's own.
    """
    chosen = tuple(_compared() if names is None else names)
    looks = Look(*(np.stack(field) for field in zip(*map(look_of, chosen), strict=True)))
    size = np.exp(-np.linalg.norm(looks.size[:, None] - looks.size[None], axis=2))
    if encoder is not None:
        pictures = [portrait(get(name, models(name)[0]), 224, threads=1) for name in chosen]
        features = np.asarray(encoder(pictures), dtype=float)
        if features.ndim != 2 or len(features) != len(chosen):
            raise ValueError(f"encoder: expected shape ({len(chosen)}, D), got {features.shape}")
        features = geo.transforms.normalize(features, name="features")
        seen = np.clip(0.5 + 0.5 * features @ features.T, 0.0, 1.0)
        share = _WEIGHTS["size"]
        return chosen, share * size + (1.0 - share) * seen
    parts = {
        "size": size,
        "relief": _best_turn(looks.relief.reshape(len(chosen), len(_TURNS), -1)),
        "shape": _overlap(looks.shape),
        "colour": _overlap(looks.colour),
    }
    total = sum(weight * parts[name] for name, weight in _WEIGHTS.items())
    return chosen, np.asarray(total)


def _compared() -> list[str]:
    return [name for name in categories() if info(name).kind != "structure"]


def _best_turn(rows: FloatArray) -> FloatArray:
    """Sum of minima over sum of maxima of all pairs, the best of the turns (N, T, D) of one."""
    sums = rows[:, 0].sum(axis=1)
    both = sums[:, None] + sums[None]
    best = np.zeros_like(both)
    for turn in range(rows.shape[1]):
        apart = np.stack([np.abs(rows[:, turn] - row).sum(axis=1) for row in rows[:, 0]])
        # The other way round it is the turn back, which is among the turns.
        best = np.maximum(best, (both - apart) / (both + apart))
    return np.asarray(np.maximum(best, best.T))


def _overlap(histograms: FloatArray) -> FloatArray:
    return np.asarray(
        1.0 - 0.5 * np.stack([np.abs(histograms - h).sum(axis=1) for h in histograms])
    )


def ranked(names: Sequence[str], table: FloatArray, k: int = TOP) -> dict[str, dict[str, float]]:
    """The ``k`` most similar others of each name, best first, ties by name."""
    found = {}
    for row, name in zip(table, names, strict=True):
        order = sorted(
            (-round(float(s), 4), n) for s, n in zip(row, names, strict=True) if n != name
        )
        found[name] = {other: -score for score, other in order[:k]}
    return found


@cache
def _table() -> Mapping[str, Mapping[str, float]]:
    text = files("esi_fast.assets").joinpath("confusables.json").read_text(encoding="utf-8")
    table: Mapping[str, Mapping[str, float]] = json.loads(text)
    return table


def confusables(category: str) -> dict[str, float]:
    """The three categories most like this one with their similarities, best first.

    ``UnknownName`` for a category that is not there; empty for structure and proxies.
    """
    info(category)
    return dict(_table().get(category, {}))


def clip_encoder(model: str = "ViT-B-32", *, weights: str) -> Encoder:
    """CLIP's picture features, from ``weights`` on this machine; needs ``open_clip`` and torch.

    ``BackendUnavailable`` where they are not installed. Nothing is downloaded.
    """
    try:
        open_clip, torch, image = (
            importlib.import_module(name) for name in ("open_clip", "torch", "PIL.Image")
        )
    except ImportError as error:
        raise BackendUnavailable(f"{error.name} is not installed: CLIP needs it") from error
    network, _, prepare = open_clip.create_model_and_transforms(model, pretrained=weights)

    def encode(pictures: Sequence[UInt8Array]) -> FloatArray:
        with torch.no_grad():
            batch = torch.stack([prepare(image.fromarray(picture)) for picture in pictures])
            return np.asarray(network.encode_image(batch).cpu().numpy(), dtype=float)

    return encode
