"""Shared by all tests: reproducible hypothesis, and a folder of recorded cases."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

DATA = Path(__file__).parent / "data"

# derandomize: a test run is a function of the code. HYPOTHESIS_PROFILE=search looks further.
settings.register_profile(
    "repeat",
    derandomize=True,
    deadline=None,
    max_examples=50,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("search", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeat"))


@pytest.fixture(scope="session")
def cases() -> Callable[[str], Any]:
    """``cases("rays")``: the recorded cases in ``tests/data/rays.json``."""
    return lambda name: json.loads((DATA / f"{name}.json").read_text())
