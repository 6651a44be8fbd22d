"""The examples run, and say what they are said to say."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out.strip()


def test_the_mirror_shows_the_crate_fall() -> None:
    path = next(path for path in EXAMPLES if path.stem == "mujoco_mirror")
    seen = runpy.run_path(str(path))["main"]()
    times, shares = zip(*seen, strict=True)
    assert times == pytest.approx((0.0, 0.2, 0.4, 0.6, 0.8, 1.0))
    assert all("mirror" not in share for share in shares)
    assert shares[0]["ball"] > 0.9
    assert "crate" not in shares[0]  # above what the mirror shows
    assert shares[-1]["crate"] > 0.5  # fallen to the floor
