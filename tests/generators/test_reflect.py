"""What shows where an image cannot, and where a mirror puts things: by projection and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from esi_fast import geometry as geo
from esi_fast.generators.observer.outlines import Extent
from esi_fast.generators.observer.reflect import Ball, mirrored_place
from esi_fast.sim.actions import camera_orientation


def _part(camera: geo.Camera, low: tuple[float, float], high: tuple[float, float]) -> Extent:
    outline = geo.outline.Outline(
        camera=camera, low=low, high=high, free_low=(True, True), free_high=(True, True)
    )
    return Extent(outline, ((low[0] + high[0]) / 2, (low[1] + high[1]) / 2), 100)


def _camera(yaw: float, pitch: float) -> geo.Camera:
    return geo.Camera(
        position=np.array([0.2, -0.1, 1.1]),
        orientation=np.asarray(camera_orientation(yaw, pitch)),
        width=320,
        height=240,
        vfov_deg=50.0,
    )


@settings(max_examples=200, deadline=None)
@given(
    yaw=st.floats(-3.0, 3.0),
    pitch=st.floats(-1.4, 0.5),
    x=st.floats(-2.0, 2.0),
    y=st.floats(-2.0, 2.0),
    radius=st.floats(0.02, 0.4),
)
def test_every_point_of_a_ball_may_show_where_it_projects(
    yaw: float, pitch: float, x: float, y: float, radius: float
) -> None:
    camera = _camera(yaw, pitch)
    ball = Ball(np.array([x, y, 0.1]), radius)
    ways = np.random.default_rng(0).normal(size=(300, 3))
    points = ball.center + radius * ways / np.linalg.norm(ways, axis=1)[:, None]
    seen = camera.project(points)
    for pixel in seen.pixels[seen.in_image]:
        assert ball.may_show_in(_part(camera, tuple(pixel - 0.5), tuple(pixel + 0.5)))


def test_a_ball_shows_nowhere_else() -> None:
    """2 m ahead and 0.1 m in radius: its outline ends asin(0.05) = 2.87 degrees off the axis."""
    camera = _camera(0.0, 0.0)
    ball = Ball(np.add(camera.position, [2.0, 0.0, 0.0]), 0.1)
    edge = 120.0 / np.tan(np.radians(25.0)) * np.tan(np.arcsin(0.05))
    for sign in (-1.0, 1.0):
        # The rectangle is 10 px wide, and 2 px of tolerance are kept free around it.
        for axis, middle in ((0, 160.0), (1, 120.0)):
            for gap, meets in ((1.5, True), (2.5, False)):
                center = [160.0, 120.0]
                center[axis] = middle + sign * (edge + gap + 5.0)
                low, high = np.subtract(center, 5.0), np.add(center, 5.0)
                part = _part(camera, (low[0], low[1]), (high[0], high[1]))
                assert ball.may_show_in(part) is meets


def test_a_ball_behind_shows_nowhere_and_one_around_the_camera_everywhere() -> None:
    camera = _camera(0.0, 0.0)
    part = _part(camera, (0.0, 0.0), (320.0, 240.0))
    assert not Ball(np.subtract(camera.position, [1.0, 0.0, 0.0]), 0.3).may_show_in(part)
    assert Ball(np.subtract(camera.position, [0.1, 0.0, 0.0]), 0.3).may_show_in(part)


def test_an_object_and_its_image_place_another() -> None:
    """A mirror along x = 1: its images have x exchanged for 2 - x."""
    place = mirrored_place(np.array([2.5, 0.7]), np.array([3.0, -0.4]), np.array([-1.0, -0.4]))
    assert place == pytest.approx([-0.5, 0.7])
