"""Objects moved along the rays of a level camera: what its picture shows stays where it was."""

from __future__ import annotations

import numpy as np
import pytest

from esi_fast import assets
from esi_fast import geometry as geo
from esi_fast.generators import slide, views
from esi_fast.generators.observer.localise import Cells
from esi_fast.generators.observer.standing import thin
from esi_fast.generators.pick import pool
from esi_fast.generators.place import stand
from esi_fast.records import ObjectSpec

CAMERA = views.camera_at((0.3, -0.2, 0.12), yaw=0.4, pitch=0.0, vfov_deg=60.0)
KINDS = pool((0.07, 0.24), (0.10, 0.30))


def _points(obj: ObjectSpec) -> np.ndarray:
    parts = assets.get(obj.category, obj.model).parts
    local = np.concatenate([np.asarray(part.vertices, dtype=float) for part in parts])
    turn = geo.transforms.quat_to_matrix(np.asarray(obj.orientation))
    return np.asarray((local * obj.scale) @ turn.T + obj.position)


@pytest.mark.parametrize("kind", [KINDS[0], KINDS[len(KINDS) // 2], KINDS[-1]])
def test_columns_stay_and_rows_move_by_no_more_than_allowed(kind: tuple[str, str]) -> None:
    center = np.array([2.3, 0.9])
    before = stand("x", *kind, slide.origin_for(center, *kind, 0.7, 1.0), 0.7)
    size = np.asarray(assets.get(*kind).size)
    radius = float(np.linalg.norm(size[:2])) / 2
    lens = views.pinhole(CAMERA)
    seen = lens.project(_points(before)).pixels
    for factor in slide.factors(CAMERA, center, radius, 1.0, 1.5):
        after = slide.slid(before, CAMERA, factor)
        moved = lens.project(_points(after)).pixels - seen
        assert np.abs(moved[:, 0]).max() < 1e-6
        assert 0.8 < np.abs(moved[:, 1]).max() <= 1.5 + 1e-6
        assert _points(after)[:, 2].min() == pytest.approx(_points(before)[:, 2].min(), abs=1e-9)


def test_the_middle_of_the_box_is_where_it_was_wanted() -> None:
    for kind in KINDS[:: len(KINDS) // 7]:
        obj = stand(
            "x", *kind, slide.origin_for(np.array([1.0, 2.0]), *kind, 1.1, 0.9), 1.1, scale=0.9
        )
        points = _points(obj)[:, :2]
        assert (points.min(axis=0) + points.max(axis=0)) / 2 == pytest.approx([1.0, 2.0], abs=1e-9)


def test_scales_stay_in_the_range_that_observers_know() -> None:
    low, high = slide.factors(CAMERA, np.array([2.3, 0.9]), 0.1, 1.18, 2.0)
    assert low < 1.0 < high
    assert 1.18 * high <= 1.2
    # Nothing to choose from: too large already.
    assert slide.factors(CAMERA, np.array([2.3, 0.9]), 0.1, 1.5, 2.0) == (1.0, 1.0)


@pytest.mark.parametrize("count", [10, 4000])
def test_thinned_places_cover_all(count: int) -> None:
    centers = np.random.default_rng(count).uniform(-0.2, 0.3, size=(count, 2))
    flat = np.zeros(count)
    cells = Cells(
        xy=centers,
        yaw=flat,
        scale=flat + 1.0,
        half=0.01,
        half_yaw=0.0,
        half_scale=0.0,
        center=centers,
        radius=0.015,
    )
    points, radius = thin(cells, 40)
    assert len(points) <= 40
    gaps = np.linalg.norm(centers[:, None] - points[None], axis=-1).min(axis=1)
    assert gaps.max() + cells.radius <= radius + 1e-12
