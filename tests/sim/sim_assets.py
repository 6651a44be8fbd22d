"""Models made of exact boxes, so that volumes, rests and angles can be worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
import trimesh

from esi_fast import assets
from esi_fast.assets.base import Asset, Cavity, Hinge, Part, Support
from esi_fast.geometry.render import Material
from esi_fast.sim._shapes import shape_of

__all__ = ["MODELS", "box_asset", "cup_of", "use_models"]

Triple = Sequence[float]

_CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
_QUADS = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
_FACES = np.array([t for a, b, c, d in _QUADS for t in ((a, b, c), (a, c, d))])


def _asset(category: str, pieces: list[np.ndarray], parts: tuple[Part, ...], mass: float) -> Asset:
    cloud = np.concatenate(pieces)
    low, high = cloud.min(axis=0), cloud.max(axis=0)
    assert np.allclose(low + high, 0.0)
    size = (high - low).tolist()
    return Asset(
        category=category,
        model="exact",
        palette=0,
        parts=parts,
        convex=tuple(pieces),
        size=(size[0], size[1], size[2]),
        mass=mass,
        friction=0.5,
    )


def box_asset(category: str, boxes: Sequence[tuple[Triple, Triple]], mass: float) -> Asset:
    """A model of boxes (centre, half extents), one part and one convex piece for each."""
    pieces = [np.asarray(center) + _CORNERS * np.asarray(half) for center, half in boxes]
    parts = tuple(Part(piece, _FACES, Material(color=(0.6, 0.5, 0.4))) for piece in pieces)
    return _asset(category, pieces, parts, mass)


def _with(asset: Asset, **more: object) -> Asset:
    return Asset(**{**{k: getattr(asset, k) for k in asset.__dataclass_fields__}, **more})


def cup_of(parts: Sequence[dict[str, Triple]], mass: float) -> Asset:
    """The open cup of the record, 1 m wide and high, about the middle of its box."""
    boxes = [((*p["pos"][:2], p["pos"][2] - 0.5), p["half"]) for p in parts]
    return box_asset("test_cup", boxes, mass)


def _ball() -> Asset:
    mesh = trimesh.creation.icosphere(subdivisions=3, radius=0.1)
    part = Part(np.asarray(mesh.vertices), np.asarray(mesh.faces), Material())
    return _asset("test_ball", [np.asarray(mesh.vertices)], (part,), 1.0)


def _open_box(category: str, mass: float, *extra: tuple[Triple, Triple]) -> Asset:
    """0.4 x 0.4 x 0.3 m outside, walls and floor 0.02 m; ``extra`` boxes go on top."""
    top = 0.02 if extra else 0.0
    z = -top / 2  # the middle of the walls' box below the middle of all
    boxes = [
        ((0.0, 0.0, z - 0.14), (0.2, 0.2, 0.01)),
        ((-0.19, 0.0, z + 0.01), (0.01, 0.2, 0.14)),
        ((0.19, 0.0, z + 0.01), (0.01, 0.2, 0.14)),
        ((0.0, -0.19, z + 0.01), (0.18, 0.01, 0.14)),
        ((0.0, 0.19, z + 0.01), (0.18, 0.01, 0.14)),
        *extra,
    ]
    cavity = Cavity((-0.18, -0.18, z - 0.13), (0.18, 0.18, z + 0.15), rounded=False)
    return _with(box_asset(category, boxes, mass), cavity=cavity)


def _leaky() -> Asset:
    """The open box with a hole of 0.04 x 0.36 m in its floor."""
    boxes = [
        ((0.11, 0.0, -0.14), (0.09, 0.2, 0.01)),
        ((-0.11, 0.0, -0.14), (0.09, 0.2, 0.01)),
        *(((0.0, side * 0.19, -0.14), (0.02, 0.01, 0.01)) for side in (-1, 1)),
        ((-0.19, 0.0, 0.01), (0.01, 0.2, 0.14)),
        ((0.19, 0.0, 0.01), (0.01, 0.2, 0.14)),
        ((0.0, -0.19, 0.01), (0.18, 0.01, 0.14)),
        ((0.0, 0.19, 0.01), (0.18, 0.01, 0.14)),
    ]
    asset = box_asset("test_leaky", boxes, 3.0)
    return _with(asset, cavity=Cavity((-0.18, -0.18, -0.13), (0.18, 0.18, 0.15), rounded=False))


def _chest() -> Asset:
    """The open box under a lid of 0.02 m, hinged along its -x edge, opening to 100 degrees."""
    asset = _open_box("test_chest", 6.0, ((0.0, 0.0, 0.15), (0.2, 0.2, 0.01)))
    # Up and back: a turn about -y lifts the +x edge.
    hinge = Hinge((5,), (5,), (-0.2, 0.0, 0.14), (0.0, -1.0, 0.0), math.radians(100.0))
    return _with(asset, hinges=(hinge,), supports=(Support((-0.2, -0.2), (0.2, 0.2), 0.16),))


def _table() -> Asset:
    """A top of 0.8 x 0.8 m at 0.5 m height on one block."""
    boxes = [((0.0, 0.0, 0.235), (0.4, 0.4, 0.015)), ((0.0, 0.0, -0.015), (0.3, 0.3, 0.235))]
    asset = box_asset("test_table", boxes, 20.0)
    return _with(asset, supports=(Support((-0.4, -0.4), (0.4, 0.4), 0.25),))


def _flat() -> Asset:
    """A broken model: its only piece is a sheet without volume."""
    corners = _CORNERS * [0.1, 0.1, 0.0]
    return _asset("test_flat", [corners], (Part(corners, _FACES, Material()),), 1.0)


def _torn() -> Asset:
    """A broken model: a corner that is not a number."""
    asset = box_asset("test_torn", [((0.0, 0.0, 0.0), (0.1, 0.1, 0.1))], 1.0)
    piece = asset.convex[0].copy()
    piece[3, 1] = np.nan
    return _with(asset, convex=(piece,))


MODELS: dict[str, Asset] = {
    asset.category: asset
    for asset in (
        _ball(),
        _open_box("test_bin", 3.0),
        _leaky(),
        _chest(),
        _table(),
        _flat(),
        _torn(),
    )
}


def use_models(monkeypatch: pytest.MonkeyPatch, **more: Asset) -> None:
    """Let ``assets.get`` know these models too, and no cache remember them afterwards."""
    known = {**MODELS, **{asset.category: asset for asset in more.values()}}
    plain = assets.get

    def get(category: str, model: str, palette: int = 0) -> Asset:
        return known[category] if category in known else plain(category, model, palette)

    monkeypatch.setattr(assets, "get", get)
    shape_of.cache_clear()
