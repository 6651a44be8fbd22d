"""Which models may stand on a floor in a question."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from esi_fast.generators import pick


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
