"""Capacities of the inventory: right where a formula exists, and the same bytes after a kill."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from esi_fast import assets
from esi_fast import geometry as geo
from esi_fast.assets.capacities import measure, measure_all

KINDS = ["bowl", "bucket", "water_glass"]


def test_capacity_is_that_of_the_cavity() -> None:
    """More than the placing cylinder of the cavity, less than the box."""
    for category in KINDS:
        for model in assets.models(category)[:3]:
            asset = assets.get(category, model)
            litres = measure({"category": category, "model": model})["litres"]
            x, y, z = asset.size
            assert 0.2 * x * y * z < litres / 1e3 < 0.9 * x * y * z


def test_a_solid_thing_holds_nothing() -> None:
    row = measure({"category": "wall", "model": "box"})
    assert row == {"category": "wall", "model": "box", "litres": 0.0, "status": "holds nothing"}


@pytest.mark.parametrize("after", [0.4, 1.2])
def test_a_kill_changes_no_byte(tmp_path: Path, after: float) -> None:
    whole, part = tmp_path / "whole.jsonl", tmp_path / "part.jsonl"
    measured = measure_all(whole, category=KINDS, workers=0)
    total = sum(len(assets.models(name)) for name in KINDS)
    assert (measured.done, measured.skipped) == (total, 0)
    code = (
        "import sys; from pathlib import Path; from esi_fast.assets.capacities import measure_all; "
        f"measure_all(Path(sys.argv[1]), category={KINDS!r}, workers=1)"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(part)], start_new_session=True)
    deadline = time.monotonic() + 60.0
    # Once it has begun to write, at some moment of its work.
    while not (part.exists() and part.stat().st_size) and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(after * 0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert whole.read_bytes().startswith(part.read_bytes()[:50])
    again = measure_all(part, category=KINDS, workers=2)
    assert again.done + again.skipped == total
    assert part.read_bytes() == whole.read_bytes()
    assert measure_all(part, category=KINDS).done == 0
    rows = [json.loads(line)["value"] for line in part.read_text().splitlines()]
    assert [row["category"] for row in rows] == sorted(row["category"] for row in rows)


@pytest.mark.parametrize("spacing", [0.00161, 0.00164, 0.00165, 0.00166, 0.00169])
def test_no_spacing_makes_a_cup_leak(spacing: float) -> None:
    """At 1.64 to 1.66 mm faces of this cup's wall met in a row of columns only within rounding."""
    mesh = assets.get("paper_cup", "guobeq_variant1").mesh()
    cup = (np.asarray(mesh.vertices) * 0.9757231377854719, mesh.faces)
    assert geo.vessel.capacity(cup, spacing=spacing).volume == pytest.approx(350.4e-6, rel=2e-3)
