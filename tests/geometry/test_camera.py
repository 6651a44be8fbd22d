"""The pinhole camera: the recorded cases, by hand, and by invariants."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from esi_fast import geometry as geo
from esi_fast.geometry import transforms as tf
from esi_fast.geometry.camera import linearise_depth, vfov_from_hfov

CASES: dict[str, dict[str, Any]] = {
    case["id"]: case
    for case in json.loads((Path(__file__).parents[1] / "data" / "render.json").read_text())
}


def test_render_02_depth_buffer() -> None:
    case = CASES["render-02"]
    got = linearise_depth(case["input"]["buffer"], case["input"]["near"], case["input"]["far"])
    np.testing.assert_allclose(got, case["expected"]["metres"], atol=case["tolerance"])


def test_render_04_vertical_field_of_view() -> None:
    case = CASES["render-04"]
    size = case["input"]
    camera = geo.Camera.looking_at(
        (0, 0, 0),
        (1, 0, 0),
        width=size["width"],
        height=size["height"],
        vfov_deg=size["vfov_deg"],
    )
    for name in ("fx", "fy", "hfov_deg"):
        assert getattr(camera, name) == pytest.approx(case["expected"][name], abs=1e-4)
    back = vfov_from_hfov(camera.hfov_deg, camera.width, camera.height)
    assert back == pytest.approx(camera.vfov_deg)


def test_render_09_invalid_cameras() -> None:
    case = CASES["render-09"]
    for item, valid in zip(case["input"]["cases"], case["expected"]["valid"], strict=True):

        def build(item: dict[str, float] = item) -> None:
            if "fov_deg" in item:
                geo.Camera.looking_at((0, 0, 0), (1, 0, 0), vfov_deg=item["fov_deg"])
            else:
                linearise_depth([0.5], item["near"], item["far"])

        if valid:
            build()
        else:
            with pytest.raises(ValueError, match="expected"):
                build()


def test_render_10_rows_from_the_top_columns_from_the_left() -> None:
    case = CASES["render-10"]
    data = case["input"]
    camera = geo.Camera.looking_at(
        data["camera"]["pos"],
        data["camera"]["forward"],
        width=data["width"],
        height=data["height"],
        vfov_deg=vfov_from_hfov(data["hfov_deg"], data["width"], data["height"]),
    )
    got = camera.project(data["points"])
    for k, expected in enumerate(case["expected"]["row_col"]):
        if expected is None:
            assert not got.in_front[k]
            assert np.isnan(got.pixels[k]).all()
        else:
            assert got.in_image[k]
            assert [math.floor(x) for x in got.pixels[k, ::-1]] == expected


def test_render_14_depth_is_along_the_axis() -> None:
    case = CASES["render-14"]
    height, pitch = case["input"]["camera_height"], math.radians(case["input"]["pitch_down_deg"])
    camera = geo.Camera.looking_at(
        (0, 0, height), (math.cos(pitch), 0, height - math.sin(pitch)), width=64, height=64
    )
    offsets = np.array(case["input"]["vertical_pixel_offsets"])
    pixels = np.stack([np.full(3, camera.cx), camera.cy + camera.fy * offsets], axis=1)
    origins, directions = camera.rays(pixels)
    ground = origins + directions * (-origins[:, 2:] / directions[:, 2:])
    got = camera.project(ground)
    np.testing.assert_allclose(got.depth, case["expected"]["z_depth"], atol=1e-6)
    np.testing.assert_allclose(got.pixels, pixels, atol=1e-9)
    assert ground[0, 0] == pytest.approx(case["expected"]["ground_distance"][0], abs=1e-6)


unit = st.floats(-1.0, 1.0).map(lambda x: round(x, 6))
quats = st.tuples(unit, unit, unit, unit).filter(lambda q: sum(x * x for x in q) > 1e-4)
place = st.tuples(*[st.floats(-50, 50)] * 3)


@given(
    place,
    quats,
    st.integers(1, 700),
    st.integers(1, 700),
    st.floats(5, 150),
    st.floats(0.01, 100),
    st.floats(-0.2, 1.2),
    st.floats(-0.2, 1.2),
)
def test_project_undoes_unproject(
    p: Any, q: Any, width: int, height: int, vfov: float, depth: float, u: float, v: float
) -> None:
    camera = geo.Camera(p, q, width, height, vfov)
    pixel = np.array([[u * width, v * height]])
    world = camera.unproject(pixel, depth)
    got = camera.project(world)
    np.testing.assert_allclose(got.pixels, pixel, atol=1e-6 * max(width, height))
    assert got.depth[0] == pytest.approx(depth, rel=1e-9, abs=1e-9)
    if 1e-3 < u < 0.999 and 1e-3 < v < 0.999:
        assert got.in_image[0]
    origin, direction = camera.rays(pixel)
    offset = world - origin
    np.testing.assert_allclose(np.cross(offset, direction), 0.0, atol=1e-9 * (1 + depth * 100))


@given(place, quats, quats, place)
def test_a_rigid_motion_of_everything_changes_no_pixel(p: Any, q: Any, r: Any, t: Any) -> None:
    cloud = np.random.default_rng(5).normal(scale=10.0, size=(20, 3))
    before = geo.Camera(p, q, 320, 200, 70.0).project(cloud)
    moved = geo.Camera(tf.rotate(r, p) + t, tf.quat_multiply(r, q), 320, 200, 70.0)
    after = moved.project(tf.rotate(r, cloud) + t)
    np.testing.assert_allclose(after.depth, before.depth, atol=1e-9)
    near = before.depth > 0.1
    np.testing.assert_allclose(after.pixels[near], before.pixels[near], atol=1e-5)


def test_all_pixel_centres() -> None:
    camera = geo.Camera.looking_at((1, 2, 3), (4, 0, 1), width=5, height=3, vfov_deg=50)
    origins, directions = camera.rays()
    assert origins.shape == directions.shape == (15, 3)
    np.testing.assert_allclose(np.linalg.norm(directions, axis=1), 1.0)
    got = camera.project(origins + 2.0 * directions).pixels.reshape(3, 5, 2)
    np.testing.assert_allclose(got[2, 4], (4.5, 2.5))
    np.testing.assert_allclose(directions[7], camera.forward, atol=1e-12)


def test_value_semantics() -> None:
    a = geo.Camera([0, 0, 1], [0, 0, 0, 2], 64, 48, 60)
    b = geo.Camera((0.0, 0.0, 1.0), (0, 0, 0, 1), 64, 48, 60.0)
    assert a == b
    assert hash(a) == hash(b)
    assert a != geo.Camera((0, 0, 1), (0, 0, 0, 1), 64, 48, 61)
    with pytest.raises(ValueError, match="read-only"):
        a.position[0] = 3.0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"position": (0, 0)}, r"position: expected shape \(3,\), got \(2,\)"),
        ({"orientation": (0, 0, 0, 0)}, "orientation: expected non-zero"),
        ({"width": 0}, "width"),
        ({"height": 2.5}, "height"),
        ({"vfov_deg": math.nan}, "vfov_deg"),
    ],
)
def test_wrong_cameras(change: dict[str, Any], message: str) -> None:
    good: dict[str, Any] = {
        "position": (0, 0, 0),
        "orientation": (0, 0, 0, 1),
        "width": 4,
        "height": 4,
        "vfov_deg": 60,
    }
    with pytest.raises(ValueError, match=message):
        geo.Camera(**(good | change))
