from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from esi_fast.dataset.drawing import drawings, plan, side
from esi_fast.dataset.relabel import Shape

BOX = Shape("box", "coffee_table", ((0.0, 0.0, 0.0), (2.0, 1.0, 0.5)))
CUP = Shape("box", "cup", ((0.5, 0.2, 0.5), (0.6, 0.3, 0.6)))
WALL = Shape("mirror", "mirror", ((3.0, 0.0, 1.0), (3.0, 1.0, 1.0)))
EYE = Shape("camera", "camera", ((-1.0, 0.5, 1.0), (0.0, 0.5, 1.0)))
WAY = Shape("path", "path", ((-1.0, 0.0, 0.0), (0.0, 2.0, 0.0), (3.0, 2.0, 0.0)))


def _numbers(svg: str, tag: str, kind: str, *names: str) -> list[list[float]]:
    root = ET.fromstring(svg)
    found = [item for item in root.iter(tag) if kind in item.get("class", "").split()]
    return [[float(item.get(name, "nan")) for name in names] for item in found]


def test_a_plan_is_true_to_scale() -> None:
    svg = plan([BOX, CUP])
    table, cup = _numbers(svg, "rect", "box", "x", "y", "width", "height")
    # The larger one is drawn first. Lengths are rounded to a tenth of a pixel.
    assert table[2] / table[3] == pytest.approx(2.0, rel=2e-3)
    assert cup[2] == pytest.approx(table[2] / 20.0, abs=0.11)
    # x to the right, y up: the cup's left edge is a quarter along, its top 70 % down.
    assert (cup[0] - table[0]) / table[2] == pytest.approx(0.25, abs=2e-3)
    assert (cup[1] - table[1]) / table[3] == pytest.approx(0.7, abs=2e-3)


def test_the_scale_says_how_long_it_is() -> None:
    svg = plan([BOX])
    (table,) = _numbers(svg, "rect", "box", "width")
    bar = re.search(r"class='scale' d='M12,\d+ v4 h([\d.]+)", svg)
    text = re.search(r">(\d+) (cm|m)</text>", svg)
    assert bar is not None
    assert text is not None
    metres = float(text[1]) * (0.01 if text[2] == "cm" else 1.0)
    assert float(bar[1]) / metres == pytest.approx(table[0] / 2.0, rel=2e-3)


def test_every_shape_is_drawn_and_named() -> None:
    svg = plan([BOX, CUP, WALL, EYE, WAY])
    root = ET.fromstring(svg)
    names = {text.text for text in root.iter("text")}
    assert {"coffee table", "cup", "mirror", "camera", "path"} <= names
    assert len(list(root.iter("polyline"))) == 1
    assert _numbers(svg, "line", "mirror", "x1")
    # Behind the mirror's face, which is to the left of its way (here towards -x), is hatching.
    (face,) = _numbers(svg, "line", "mirror", "x1")
    assert all(end[0] > face[0] for end in _numbers(svg, "line", "hatch", "x2"))


def test_alike_things_side_by_side_are_named_once() -> None:
    cups = [
        Shape("box", "cup", ((0.1 * k, 0.0, 0.0), (0.1 * k + 0.05, 0.05, 0.1))) for k in range(3)
    ]
    room = Shape("box", "room", ((-3.0, -3.0, 0.0), (3.0, 3.0, 0.0)))
    assert ">cup × 3</text>" in plan([room, *cups])


def test_stacked_boxes_are_shown_from_the_side_too() -> None:
    room = Shape("box", "room", ((-3.0, -3.0, 0.0), (3.0, 3.0, 0.0)))
    assert drawings([BOX, CUP]).count("<svg") == 2
    # A room is flat: things in it are not stacked on it.
    assert drawings([room, CUP]).count("<svg") == 1
    table, cup = _numbers(side([BOX, CUP]), "rect", "box", "y", "height")
    assert cup[0] + cup[1] == pytest.approx(table[0], abs=0.11)


def test_what_is_lost_is_told_in_words() -> None:
    lost = Shape("box", "jar", ((0.0, 0.0, -2939.0), (0.1, 0.1, -2938.9)))
    page = drawings([BOX, CUP, lost])
    assert "<li>jar at (0.1, 0.1, -2938.9) m</li>" in page
    assert ">jar</text>" not in page
    assert "records no place" in drawings([])


def test_names_are_escaped() -> None:
    svg = plan([Shape("point", "<b>&'", ((0.0, 0.0, 0.0),))])
    assert "<b>&'" in [text.text for text in ET.fromstring(svg).iter("text")]
    assert "<b>" not in svg
