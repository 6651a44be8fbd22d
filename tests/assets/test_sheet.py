"""Contact sheets show what they are asked to, the same each time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from esi_fast import assets
from esi_fast.assets.sheet import contact_sheet, portrait
from esi_fast.errors import UnknownName


def test_sheet_has_a_labelled_tile_for_each_category(tmp_path: Path) -> None:
    names = ["mug", "apple", "mirror"]
    path = contact_sheet(names, tmp_path / "sheet.png", columns=2, size=48)
    image = np.asarray(Image.open(path))
    assert image.shape == (2 * 62, 96, 3)
    tiles = [image[:48, :48], image[:48, 48:], image[62:110, :48]]
    for tile in tiles:
        assert tile.std() > 8.0
    assert (image[62:110, 48:] == 255).all()
    assert (image[48:62, :48] < 128).any()


def test_a_long_name_stays_below_its_own_picture(tmp_path: Path) -> None:
    path = contact_sheet(["multi_station_furniture_sink"] * 2, tmp_path / "a.png", size=100)
    labels = np.asarray(Image.open(path))[100:]
    assert (labels < 128).any(axis=2).any(axis=0)[60:95].any()
    assert (labels[:, 98:102] == 255).all()


def test_portrait_shows_the_colour_and_repeats() -> None:
    asset = assets.get("tennis_ball", assets.models("tennis_ball")[0])
    one, two = portrait(asset, 48), portrait(asset, 48, threads=1)
    assert one.tobytes() == two.tobytes()
    red, green, blue = one[20:28, 20:28].reshape(-1, 3).mean(axis=0)
    assert green > red > blue
    # The floor of the picture is not the ball.
    assert np.ptp(one[-2, -2].astype(int)) < 20


def test_bad_calls(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="categories: expected at least one"):
        contact_sheet([], tmp_path / "a.png")
    with pytest.raises(ValueError, match="columns: expected at least 1, got 0"):
        contact_sheet(["mug"], tmp_path / "a.png", columns=0)
    with pytest.raises(UnknownName, match="did you mean"):
        contact_sheet(["mugg"], tmp_path / "a.png")
