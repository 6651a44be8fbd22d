"""The examples run, and say what they are said to say."""

from __future__ import annotations

import ast
import math
import re
import runpy
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))
#: Examples of ten lines, and the library that each needs besides ours.
SHORT = {
    "grid_path": "numpy",
    "mujoco_sight": "mujoco",
    "particles_spill": "numpy",
    "pybullet_clearance": "pybullet",
    "trimesh_inside": "trimesh",
}


def _output(name: str, capsys: pytest.CaptureFixture[str]) -> list[float]:
    """The numbers that an example prints."""
    path = next(path for path in EXAMPLES if path.stem == name)
    runpy.run_path(str(path), run_name="__main__")
    return [float(number) for number in re.findall(r"\d+\.?\d*", capsys.readouterr().out)]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip(SHORT.get(path.stem, "mujoco"))
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out.strip()


@pytest.mark.parametrize("name", SHORT)
def test_short_examples_are_short(name: str) -> None:
    """Ten lines, the text that says what it is for and empty lines aside."""
    source = next(path for path in EXAMPLES if path.stem == name).read_text()
    body = ast.parse(source).body
    assert ast.get_docstring(ast.parse(source))
    lines = source.splitlines()[body[1].lineno - 1 :]
    assert len([line for line in lines if line.strip()]) <= 10


def test_points_inside_give_the_volume(capsys: pytest.CaptureFixture[str]) -> None:
    counted, exact = _output("trimesh_inside", capsys)
    assert counted == pytest.approx(exact, abs=0.02)
    assert exact == pytest.approx(2 * math.pi**2 * 1.0 * 0.4**2, rel=0.02)


def test_the_ball_falls_behind_the_wall(capsys: pytest.CaptureFixture[str]) -> None:
    assert _output("mujoco_sight", capsys) == [0.0, 1.0]


def test_the_balls_come_closer(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pybullet")
    assert _output("pybullet_clearance", capsys) == pytest.approx([1.6, 0.1])


def test_the_way_leads_through_the_door(capsys: pytest.CaptureFixture[str]) -> None:
    # Straight to the door's upper end and back: 45 rows each, 70 columns; corners are not cut.
    length, cells, diagonal = _output("grid_path", capsys)
    assert cells == diagonal + 1 + 24
    assert length == pytest.approx(0.1 * (24 + diagonal * math.sqrt(2)), abs=1e-3)


def test_the_pool_is_one_body(capsys: pytest.CaptureFixture[str]) -> None:
    assert _output("particles_spill", capsys) == [16000, 16500]


def test_the_mirror_shows_the_crate_fall() -> None:
    path = next(path for path in EXAMPLES if path.stem == "mujoco_mirror")
    seen = runpy.run_path(str(path))["main"]()
    times, shares = zip(*seen, strict=True)
    assert times == pytest.approx((0.0, 0.2, 0.4, 0.6, 0.8, 1.0))
    assert all("mirror" not in share for share in shares)
    assert shares[0]["ball"] > 0.9
    assert "crate" not in shares[0]  # above what the mirror shows
    assert shares[-1]["crate"] > 0.5  # fallen to the floor
