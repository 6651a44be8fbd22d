"""Triangles: labels of known ones, what possible places leave open, and worlds that begin alike."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from esi_fast.errors import PlacementRejected
from esi_fast.generators import slide, views
from esi_fast.generators.observer.localise import Cells
from esi_fast.generators.spatial_relations import geometric_configuration as module
from esi_fast.generators.spatial_relations.geometric_configuration import GeometricConfiguration

CAMERA = views.camera_at((0.0, 0.0, 0.12), yaw=0.0, pitch=0.0, vfov_deg=60.0)


def _corners(a: float, b: float, c: float) -> np.ndarray:
    """A triangle with the sides |01| = a, |12| = b, |02| = c."""
    x = (a**2 + c**2 - b**2) / (2 * a)
    return np.array([[0.0, 0.0], [a, 0.0], [x, np.sqrt(c**2 - x**2)]])


def _label(corners: np.ndarray) -> str:
    """By the label of a settled state with box centres there, at different heights."""
    centers = np.column_stack((corners, [0.05, 0.1, 0.2]))
    snapshot = SimpleNamespace(centers=lambda: centers, index=["x", "y", "z"].index)
    draft = SimpleNamespace(targets=("x", "y", "z"))
    return GeometricConfiguration().label(cast(Any, snapshot), cast(Any, draft)).answer


@pytest.mark.parametrize(
    ("sides", "answer"),
    [
        ((0.50, 0.50, 0.50), "equilateral"),
        ((0.50, 0.508, 0.505), "equilateral"),
        ((0.50, 0.505, 0.60), "isosceles"),
        ((0.60, 0.50, 0.60), "isosceles"),
        ((0.42, 0.50, 0.60), "irregular"),
    ],
)
def test_known_triangles(sides: tuple[float, float, float], answer: str) -> None:
    assert _label(_corners(*sides)) == answer


@pytest.mark.parametrize(
    ("sides", "reason"),
    [
        ((0.50, 0.50, 0.55), "sides_between"),
        ((0.50, 0.515, 0.60), "sides_between"),
        ((0.39, 0.39, 0.39), "sides_out_of_range"),
        ((0.50, 0.50, 0.66), "sides_out_of_range"),
    ],
)
def test_between_the_answers_or_beyond_the_sides(
    sides: tuple[float, float, float], reason: str
) -> None:
    with pytest.raises(PlacementRejected) as caught:
        _label(_corners(*sides))
    assert caught.value.reason == reason


def _cells(center: np.ndarray, spread: float, radius: float) -> Cells:
    axis = np.linspace(-spread, spread, 9)
    grid = center + np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    flat = np.zeros(len(grid))
    return Cells(
        xy=grid,
        yaw=flat,
        scale=flat + 1.0,
        half=radius / 2,
        half_yaw=0.0,
        half_scale=0.0,
        center=grid,
        radius=radius,
    )


@pytest.mark.parametrize("sides", [(0.5, 0.5, 0.5), (0.5, 0.5, 0.61), (0.42, 0.5, 0.6)])
def test_places_known_to_the_centimetre_decide(sides: tuple[float, float, float]) -> None:
    corners = _corners(*sides)
    tight = [_cells(corner, 0.004, 0.002) for corner in corners]
    assert module._kinds(tight) == {_label(corners)}
    wide = [_cells(corner, 0.06, 0.01) for corner in corners]
    assert module._kinds(wide) == set(module.ANSWERS)


def test_no_place_leaves_no_answer_and_wrong_sides_neither() -> None:
    corners = _corners(0.5, 0.5, 0.5)
    gone = _cells(corners[0], 0.0, 0.002)
    none = Cells(
        **{
            **{k: getattr(gone, k)[:0] for k in ("xy", "yaw", "scale", "center")},
            **{k: getattr(gone, k) for k in ("half", "half_yaw", "half_scale", "radius")},
        }
    )
    cells = [_cells(corner, 0.004, 0.002) for corner in corners]
    assert module._kinds([none, *cells[1:]]) == set()
    # The guard: no side is longer than 0.65 m.
    far = [_cells(corner * 1.5, 0.004, 0.002) for corner in corners]
    assert module._kinds(far) == set()


def test_all_three_kinds_lie_along_the_same_rays() -> None:
    """What ``_factors`` finds is what it says, by the law of the label, and stays in range."""
    rng = np.random.default_rng(2)
    found_all = 0
    for k in range(6):
        angles = k + np.arange(3) * 2 * np.pi / 3
        centers = np.array([2.5, 0.0]) + 0.3 * np.column_stack((np.cos(angles), np.sin(angles)))
        ranges = [slide.factors(CAMERA, center, 0.1, 1.0, 0.85) for center in centers]
        found = module._factors(CAMERA, centers, ranges, rng)
        for kind, factor in found.items():
            assert _label(slide.moved(CAMERA, centers, factor)) == kind
            assert all(low <= f <= high for (low, high), f in zip(ranges, factor, strict=True))
        found_all += len(found) == 3
    assert found_all >= 3
