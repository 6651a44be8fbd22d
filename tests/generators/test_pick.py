"""Which models may stand on a floor in a question."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from esi_fast import assets
from esi_fast import geometry as geo
from esi_fast.generators import pick
from esi_fast.geometry.render import Settings, render


def box(width: float, depth: float, height: float, *, shift: float = 0.0) -> np.ndarray:
    """The corners of a box whose top is shifted along x."""
    corners = [
        (x * width / 2 + shift * (z > 0), y * depth / 2, z * height / 2)
        for x in (-1, 1)
        for y in (-1, 1)
        for z in (-1, 1)
    ]
    return np.array(corners, dtype=float)


TIP = np.array([[0.0, 0, 0], [0.1, 0, 0.2], [-0.1, 0.1, 0.2], [-0.1, -0.1, 0.2]])


@pytest.mark.parametrize(
    ("pieces", "steady"),
    [
        # The middle is at height / 2 and half a width from the edge: tan(1.5 degrees) = 0.0262.
        ([box(0.02, 0.1, 0.70)], True),
        ([box(0.02, 0.1, 0.80)], False),
        # The middle of a leaning block moves by half of what its top is shifted by.
        ([box(0.1, 0.1, 0.1, shift=0.09)], True),
        ([box(0.1, 0.1, 0.1, shift=0.11)], False),
        # On a tip, and on an edge, nothing stands.
        ([TIP], False),
        ([np.array([[-1.0, 0, 0], [1, 0, 0], [0, 1, 1], [0, -1, 1]])], False),
        # Feet far apart carry what lies between them.
        (
            [box(0.1, 0.1, 0.1) + np.array([k, 0, -0.1]) for k in (-1, 1)] + [box(2.1, 0.1, 0.1)],
            True,
        ),
    ],
)
def test_steady(monkeypatch: pytest.MonkeyPatch, pieces: list[np.ndarray], steady: bool) -> None:
    monkeypatch.setattr(pick.assets, "get", lambda *_: SimpleNamespace(convex=tuple(pieces)))
    pick.steady.cache_clear()
    assert pick.steady("thing", "a") is steady
    pick.steady.cache_clear()


def solid(corners: np.ndarray) -> SimpleNamespace:
    hull = ConvexHull(corners)
    return SimpleNamespace(vertices=corners, faces=hull.simplices)


@pytest.mark.parametrize(
    ("stem", "crisp"),
    # Rays 8 mm apart meet a stem of 12 mm always and one of 2 mm hardly ever.
    [(0.012, True), (0.002, False)],
)
def test_crisp_hangs_together(monkeypatch: pytest.MonkeyPatch, stem: float, crisp: bool) -> None:
    """A head on a stem is one piece only if the stem is as wide as a pixel."""
    parts = [
        solid(box(0.1, 0.1, 0.1)),
        solid(box(stem, stem, 0.06) + np.array([0, 0, 0.08])),
        solid(box(0.1, 0.1, 0.1) + np.array([0, 0, 0.16])),
    ]
    monkeypatch.setattr(pick.assets, "get", lambda *_: SimpleNamespace(parts=tuple(parts)))
    pick.crisp.cache_clear()
    assert pick.crisp("thing", "a") is crisp
    pick.crisp.cache_clear()


def _pictures(asset: assets.Asset, ways: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Pictures of a model from around it, evenly lit, and where in them it is."""
    scene = geo.Scene(1)
    for part in asset.parts:
        mesh = scene.add_mesh(part.vertices, part.faces, normals=part.normals, uv=part.uv)
        scene.add_instance(mesh, object_id=0)
    away = 3.0 * float(np.linalg.norm(asset.size))
    found = []
    for way in ways:
        flat = np.cos(0.4)
        eye = away * np.array([flat * np.cos(way), flat * np.sin(way), np.sin(0.4)])
        image = render(
            scene,
            geo.Camera.looking_at(eye, (0, 0, 0), width=128, height=128, vfov_deg=20.0),
            materials=[part.material for part in asset.parts],
            lights=[],
            ambient=(1.0, 1.0, 1.0),
            settings=Settings(samples=4, ao_samples=0, threads=1),
            modalities=("rgb", "ids"),
        )
        found.append((np.asarray(image.rgb, dtype=int), np.asarray(image.ids) >= 0))
    return found


def _handedness(category: str, model: str) -> float:
    """How much of a model's pictures no mirror image of it can be taken for, at the best plane.

    The picture from azimuth a, flipped, is what a mirror in the plane at azimuth p shows from
    2 p - a; pictures from 16 sides are compared for each of the planes that map them to each other.
    """
    count = 16
    seen = _pictures(assets.get(category, model), (np.arange(count) + 0.5) * 2 * np.pi / count)
    worst = np.zeros(count)
    for plane in range(count):
        for k, (one, here) in enumerate(seen):
            other, there = seen[(plane - k) % count]
            differs = np.abs(one - other[:, ::-1]).max(axis=2) > 60
            worst[plane] = max(worst[plane], differs[here | there[:, ::-1]].mean())
    return float(worst.min())


# Edges fall on other pixels in up to 1.1 % of a picture; the smallest print here takes 1.6 %.
HANDED = 0.013


def test_nothing_in_the_pool_of_mirrors_tells_left_from_right() -> None:
    """Once printed boxes were in it, whose letters told the answer in the first view."""
    pool = pick.pool((0.10, 0.34), (0.10, 0.30), symmetric=True)
    kinds = dict(reversed(pool))
    assert len(kinds) > 30
    handed = {name: _handedness(name, model) for name, model in kinds.items()}
    assert {name: share for name, share in handed.items() if share > HANDED} == {}


@pytest.mark.parametrize("category", ["pasta_box", "canned_food", "jar_of_jam", "desk", "radio"])
def test_handed_models_are_known_as_such(category: str) -> None:
    model = assets.models(category)[0]
    assert _handedness(category, model) > HANDED
    assert not assets.get(category, model).symmetric


def test_the_table_of_standing_models_is_fresh() -> None:
    """Its models are those of the library; a sixth of them measured again."""
    rows = pick._measured()
    small = {
        (category, model) for category, model, size in pick._sizes() if max(size) <= pick.LARGEST
    }
    assert set(rows) == small, "run scripts/build_standing.py"
    for kind in sorted(rows)[::6]:
        assert pick.measure(*kind) == rows[kind], f"{kind}: run scripts/build_standing.py"
