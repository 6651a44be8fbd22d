"""Materials, lights, settings and the conversions around a picture."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from esi_fast.geometry.render import (
    Light,
    Material,
    Settings,
    to_srgb_uint8,
)

CASES = {
    case["id"]: case
    for case in json.loads((Path(__file__).parents[1] / "data" / "render.json").read_text())
}


def test_to_uint8_case() -> None:
    case = CASES["render-11"]
    linear = [float(v) for v in case["input"]["linear"]]
    np.testing.assert_allclose(
        to_srgb_uint8(linear).astype(int),
        case["expected"]["uint8"],
        atol=case["tolerance"],
    )
    pixel = to_srgb_uint8(case["input"]["rgb_pixel"])
    assert pixel.tolist() == case["expected"]["rgb_pixel_uint8"]


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"color": (0.1, 0.2)}, "color"),
        ({"color": (0.1, 0.2, 1.2)}, "color"),
        ({"color": (0.1, 0.2, float("nan"))}, "color"),
        ({"kind": "metal"}, "kind"),
        ({"texture": "plaid"}, "texture"),
        ({"texture_scale": 0.0}, "texture_scale"),
        ({"ior": 0.5}, "ior"),
        ({"texture": "image"}, "image"),
        ({"image": np.zeros((2, 2, 3), np.uint8)}, "image"),
        ({"texture": "image", "image": np.zeros((2, 2), np.uint8)}, "image"),
    ],
)
def test_material_rejects(options: dict[str, object], word: str) -> None:
    with pytest.raises(ValueError, match=word):
        Material(**options)  # type: ignore[arg-type]


def test_material_image_is_a_frozen_copy() -> None:
    picture = np.full((2, 2, 3), 7, np.uint8)
    material = Material(texture="image", image=picture)
    picture[:] = 9
    assert material.image is not None
    assert int(material.image.max()) == 7
    assert not material.image.flags.writeable
    same = Material(texture="image", image=np.full((2, 2, 3), 7, np.uint8))
    assert same == material
    assert hash(same) == hash(material)
    assert Material(texture="image", image=picture) != material


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"type": "laser"}, "type"),
        ({"position": (0, 0, float("inf"))}, "position"),
        ({"type": "sun", "direction": (0, 0, 0)}, "direction"),
        ({"radius": -1.0}, "radius"),
        ({"color": (-1, 0, 0)}, "color"),
        ({"cone_deg": 0.0}, "cone_deg"),
    ],
)
def test_light_rejects(options: dict[str, object], word: str) -> None:
    with pytest.raises(ValueError, match=word):
        Light(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "options",
    [{"samples": 0}, {"shadow_samples": 0}, {"ao_samples": -1}, {"tonemap": "aces"}],
)
def test_settings_reject(options: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        Settings(**options)  # type: ignore[arg-type]


def test_settings_reject_float_counts() -> None:
    with pytest.raises(TypeError, match="samples"):
        Settings(samples=2.5)  # type: ignore[arg-type]
