"""The localiser against drawn outlines: the true place is never lost, and views from above bind."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw
from scipy.spatial import ConvexHull

from esi_fast import geometry as geo
from esi_fast.generators.observer.localise import SCALE_RANGE, Shape, localise, make_shape
from esi_fast.generators.observer.outlines import Extent, extents
from esi_fast.records import CameraSpec, FrameRecord
from esi_fast.sim.actions import camera_orientation
from esi_fast.sim.masks import decode_mask, encode_mask

LOWER, UPPER = (-3.0, -3.0), (3.0, 3.0)


def _shape(points: np.ndarray) -> Shape:
    return make_shape(points - (points.min(axis=0) + points.max(axis=0)) / 2)


WEDGE = _shape(np.array([[0, 0, 0], [0.3, 0, 0], [0, 0.2, 0], [0, 0, 0.25], [0.1, 0.1, 0.2]]))
BOX = _shape(np.array([[x, y, z] for x in (0, 0.2) for y in (0, 0.12) for z in (0, 0.3)]))


def _camera(position: tuple[float, float, float], target: tuple[float, float, float]) -> CameraSpec:
    offset = np.subtract(target, position)
    yaw = float(np.arctan2(offset[1], offset[0]))
    pitch = float(np.arctan2(offset[2], np.hypot(offset[0], offset[1])))
    return CameraSpec(position=position, orientation=camera_orientation(yaw, pitch), vfov_deg=60.0)


def _draw(
    camera: CameraSpec, shape: Shape, xy: np.ndarray, yaw: float, scale: float
) -> FrameRecord:
    """A frame with the shape's filled outline on a floor, drawn by Pillow."""
    turn = np.array([[np.cos(yaw), -np.sin(yaw)], [np.sin(yaw), np.cos(yaw)]])
    points = np.column_stack(
        (shape.hull[:, :2] @ turn.T * scale + xy, (shape.hull[:, 2] + shape.half_height) * scale)
    )
    lens = geo.Camera(
        position=camera.position,
        orientation=camera.orientation,
        width=camera.width,
        height=camera.height,
        vfov_deg=camera.vfov_deg,
    )
    pixels = lens.project(points).pixels
    outline = pixels[ConvexHull(pixels).vertices]
    picture = Image.new("1", (camera.width, camera.height))
    # Pillow's pixel (c, r) is centred on integers; ours on half integers.
    ImageDraw.Draw(picture).polygon([tuple(p - 0.5) for p in outline], fill=1)
    mask = np.asarray(picture, dtype=bool)
    return FrameRecord(
        camera=camera, masks={"thing": encode_mask(mask), "floor": encode_mask(~mask)}
    )


def _parts(*frames: FrameRecord) -> list[Extent]:
    return [part for frame in frames for part in extents(frame, "thing")]


@settings(max_examples=40, deadline=None)
@given(
    x=st.floats(-0.4, 0.4),
    y=st.floats(-0.4, 0.4),
    yaw=st.floats(-3.1, 3.1),
    scale=st.floats(*SCALE_RANGE),
    azimuth=st.floats(0.0, 6.28),
    height=st.floats(0.15, 1.8),
    shape=st.sampled_from([WEDGE, BOX]),
)
def test_truth_is_kept(
    x: float, y: float, yaw: float, scale: float, azimuth: float, height: float, shape: Shape
) -> None:
    """From two views, some kept cell holds the place, and the box centre is within its radius."""
    xy = np.array([x, y])
    frames = [
        _draw(
            _camera((1.8 * np.cos(a), 1.8 * np.sin(a), height), (0.0, 0.0, 0.1)),
            shape,
            xy,
            yaw,
            scale,
        )
        for a in (azimuth, azimuth + 1.1)
    ]
    cells = localise(_parts(*frames), [shape], lower=LOWER, upper=UPPER)
    turn = np.abs((cells.yaw - yaw + np.pi) % (2 * np.pi) - np.pi)
    inside = (np.abs(cells.xy - xy) <= cells.half + 1e-9).all(axis=1)
    inside &= turn <= cells.half_yaw + 1e-9
    inside &= np.abs(cells.scale - scale) <= cells.half_scale + 1e-9
    assert inside.any()
    rotation = np.array([[np.cos(yaw), -np.sin(yaw)], [np.sin(yaw), np.cos(yaw)]])
    flat = shape.hull[:, :2] @ rotation.T * scale
    center = xy + (flat.min(axis=0) + flat.max(axis=0)) / 2
    assert np.linalg.norm(cells.center - center, axis=1).min() <= cells.radius


def test_a_view_from_above_binds_where_a_grazing_one_does_not() -> None:
    """Depth stays open at grazing height (size is free by 20 %), and closes from above."""
    xy, grazing = np.array([0.0, 0.0]), _camera((-2.0, 0.0, 0.12), (0.0, 0.0, 0.12))
    above = _camera((-0.3, 0.0, 1.8), (0.0, 0.0, 0.0))
    first = _draw(grazing, BOX, xy, 0.4, 1.0)
    second = _draw(above, BOX, xy, 0.4, 1.0)
    wide = localise(_parts(first), [BOX], lower=LOWER, upper=UPPER)
    tight = localise(_parts(first, second), [BOX], lower=LOWER, upper=UPPER)
    assert np.ptp(wide.center[:, 0]) > 0.25
    assert np.ptp(tight.center[:, 0]) < 0.06
    assert np.ptp(tight.center[:, 1]) < 0.06


def test_an_edge_that_may_be_hidden_binds_one_side_only() -> None:
    """With its lower half behind another object, the whole may be larger, never smaller."""
    camera = _camera((-1.5, 0.0, 0.6), (0.0, 0.0, 0.1))
    whole = _draw(camera, BOX, np.zeros(2), 0.0, 1.0)
    mask = decode_mask(whole.masks["thing"], (512, 512))
    rows = np.flatnonzero(mask.any(axis=1))
    cut = np.zeros_like(mask)
    cut[int(rows.mean()) :] = True
    hidden = FrameRecord(
        camera=camera,
        masks={
            "thing": encode_mask(mask & ~cut),
            "table": encode_mask(cut),
            "floor": encode_mask(~mask & ~cut),
        },
    )
    part = extents(hidden, "thing")[0]
    assert part.free_edges == 0
    full = localise(_parts(whole), [BOX], lower=LOWER, upper=UPPER)
    open_ = localise([part], [BOX], lower=LOWER, upper=UPPER)
    assert len(open_) > len(full)
    assert (np.abs(open_.xy) <= open_.half + 1e-9).all(axis=1).any()


def test_border_of_the_picture_is_not_free() -> None:
    """A mask that runs out of the picture is not cut by it."""
    camera = _camera((-1.0, 0.0, 0.3), (0.0, 0.5, 0.1))
    frame = _draw(camera, BOX, np.zeros(2), 0.0, 1.0)
    part = extents(frame, "thing")[0]
    assert part.outline.high[0] == camera.width
    assert part.outline.free_low == (True, False)
    assert part.outline.free_high == (False, False)


def test_wrong_shape_is_excluded_from_above() -> None:
    """Outlines of one shape leave no place for another one that differs by a third."""
    above = _camera((0.0, -0.4, 1.6), (0.0, 0.0, 0.0))
    frame = _draw(above, BOX, np.zeros(2), 0.0, 1.0)
    wide = _shape(BOX.hull * [2.2, 1.0, 1.0])
    assert len(localise(_parts(frame), [BOX], lower=LOWER, upper=UPPER))
    assert not len(localise(_parts(frame), [wide], lower=LOWER, upper=UPPER))


def test_a_thinned_hull_covers_the_whole_one() -> None:
    """Dropped vertices move no outline by more than the stated slack."""
    angles = np.linspace(0, 2 * np.pi, 300, endpoint=False)
    ring = np.column_stack((0.1 * np.cos(angles), 0.1 * np.sin(angles)))
    cylinder = np.concatenate([np.column_stack((ring, np.full(300, z))) for z in (-0.2, 0.2)])
    shape = make_shape(cylinder)
    assert shape.round
    assert len(shape.hull) < 200
    for way in np.random.default_rng(1).normal(size=(500, 3)):
        way /= np.linalg.norm(way)
        lost = (cylinder @ way).max() - (shape.hull @ way).max()
        assert -1e-12 <= lost <= shape.slack + 2e-4
    assert shape.slack < 0.004


@pytest.mark.parametrize("runs", [(3, -1), (5,), (0, 512 * 512 + 1)])
def test_masks_that_do_not_fill_the_picture_are_refused(runs: tuple[int, ...]) -> None:
    frame = FrameRecord(camera=_camera((0.0, 0.0, 1.0), (1.0, 0.0, 0.0)), masks={"thing": runs})
    with pytest.raises(ValueError, match="runs"):
        extents(frame, "thing")
