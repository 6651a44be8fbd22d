"""Run lengths against drawing the masks pixel by pixel."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from esi_fast.sim import masks

IMAGES = hnp.arrays(
    np.int64, hnp.array_shapes(min_dims=2, max_dims=2, max_side=9), elements=st.integers(-1, 3)
)
NAMES = ("mug", "wall", "floor", "ball")


def test_runs_of_a_small_mask() -> None:
    mask = np.array([[0, 1, 1], [1, 0, 0]], dtype=bool)
    assert masks.encode_mask(mask) == (1, 3, 2)
    assert masks.encode_mask(~mask) == (0, 1, 3, 2)
    assert masks.encode_mask(np.ones((2, 2), dtype=bool)) == (0, 4)
    assert masks.encode_mask(np.zeros((2, 2), dtype=bool)) == (4,)
    assert masks.mask_pixels((1, 3, 2)) == 3
    assert masks.mask_box((1, 3, 2), (2, 3)) == (0, 0, 3, 2)
    assert masks.mask_box((6,), (2, 3)) is None


@given(hnp.arrays(bool, hnp.array_shapes(min_dims=2, max_dims=2, max_side=9)))
def test_masks_are_read_back(mask: np.ndarray) -> None:
    runs = masks.encode_mask(mask)
    assert sum(runs) == mask.size
    assert all(run > 0 for run in runs[1:])
    assert masks.mask_pixels(runs) == int(mask.sum())
    np.testing.assert_array_equal(masks.decode_mask(runs, mask.shape), mask)


@given(IMAGES)
def test_classes_at_once_equal_classes_one_by_one(image: np.ndarray) -> None:
    got = masks.class_masks(image, NAMES)
    present = {NAMES[k]: k for k in np.unique(image).tolist() if k >= 0}
    assert list(got) == sorted(present)
    for name, k in present.items():
        assert got[name] == masks.encode_mask(image == k)
    back, names = masks.label_image(got, image.shape)
    for k, name in enumerate(names):
        np.testing.assert_array_equal(back == k, image == present[name])
    np.testing.assert_array_equal(back < 0, image < 0)


@pytest.mark.parametrize("runs", [(3, 2), (7,), (-1, 7), ()])
def test_runs_that_do_not_fit_are_refused(runs: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="runs: expected counts that sum to 6"):
        masks.decode_mask(runs, (2, 3))


def test_overlapping_and_empty_masks_are_refused() -> None:
    with pytest.raises(ValueError, match="'wall' shares pixels"):
        masks.label_image({"mug": (0, 2, 4), "wall": (1, 2, 3)}, (2, 3))
    with pytest.raises(ValueError, match="mask: expected at least one pixel"):
        masks.encode_mask(np.zeros((0, 3), dtype=bool))
    with pytest.raises(ValueError, match="classes: expected at least one pixel"):
        masks.class_masks(np.zeros((0, 3), dtype=np.int64), NAMES)
