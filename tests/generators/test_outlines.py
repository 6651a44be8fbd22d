"""Reading masks: parts, rectangles and free edges of frames written by hand."""

from __future__ import annotations

import numpy as np

from esi_fast.generators.observer.outlines import extents
from esi_fast.records import CameraSpec, FrameRecord
from esi_fast.sim.masks import encode_mask

CAMERA = CameraSpec(position=(0.0, 0.0, 1.0), orientation=(0.0, 0.0, 0.0, 1.0), width=40, height=30)


def _frame(**masks: np.ndarray) -> FrameRecord:
    return FrameRecord(
        camera=CAMERA, masks={name: encode_mask(mask) for name, mask in masks.items()}
    )


def _block(rows: slice, cols: slice) -> np.ndarray:
    mask = np.zeros((30, 40), dtype=bool)
    mask[rows, cols] = True
    return mask


def test_rectangle_in_pixels() -> None:
    thing = _block(slice(4, 10), slice(7, 20))
    (part,) = extents(_frame(thing=thing, floor=~thing), "thing")
    assert (part.outline.low, part.outline.high) == ((7.0, 4.0), (20.0, 10.0))
    assert part.area == 78
    assert part.free_edges == 4
    assert thing[int(part.pixel[1]), int(part.pixel[0])]


def test_no_edge_is_free_beside_another_object() -> None:
    thing = _block(slice(4, 10), slice(7, 20))
    chair = _block(slice(0, 30), slice(20, 25))
    (part,) = extents(_frame(thing=thing, chair=chair, floor=~(thing | chair)), "thing")
    assert part.free_edges == 0


def test_parts_come_largest_first_and_specks_are_left_out() -> None:
    small, large = _block(slice(0, 5), slice(0, 5)), _block(slice(10, 20), slice(10, 20))
    speck = _block(slice(25, 26), slice(30, 32))
    thing = small | large | speck
    parts = extents(_frame(thing=thing, floor=~thing), "thing")
    assert [part.area for part in parts] == [100, 25]
    assert parts[1].free_edges == 0


def test_the_border_leaves_the_opposite_edge_free() -> None:
    """Cut at the bottom, the rest may reach further to the sides, but not above."""
    thing = _block(slice(20, 30), slice(10, 20))
    (part,) = extents(_frame(thing=thing, floor=~thing), "thing")
    assert part.outline.free_low == (False, True)
    assert part.outline.free_high == (False, False)


def test_no_edge_is_free_where_the_border_cuts_an_object_apart() -> None:
    """Body and spout both reach below the picture: only one of them holds the object's top."""
    body, spout = _block(slice(20, 30), slice(10, 20)), _block(slice(25, 30), slice(24, 30))
    thing = body | spout
    parts = extents(_frame(thing=thing, floor=~thing), "thing")
    assert [part.free_edges for part in parts] == [0, 0]
    # A part that is whole in the picture is another object, and one such part hides nothing.
    whole = _block(slice(2, 8), slice(24, 30))
    parts = extents(_frame(thing=body | whole, floor=~(body | whole)), "thing")
    assert [part.free_edges for part in parts] == [1, 4]


def test_an_absent_class_has_no_parts() -> None:
    assert extents(_frame(floor=np.ones((30, 40), dtype=bool)), "thing") == ()
