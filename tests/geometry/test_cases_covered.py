"""Every recorded case of the kernels and the package is used by a test, by name or by a loop."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
SOURCES = {path.name: path.read_text() for path in TESTS.rglob("test_*.py")}

# By file: the test that goes through all its cases, or None if tests name the cases they use.
FILES = {
    "aabb": None,
    "clustering": None,
    "dataset_io": None,
    "los": "test_ray_cases.py",
    "mirror": None,
    "nav": "test_gridmap.py",
    "packaging": None,
    "physics": None,
    "rays": "test_ray_cases.py",
    "render": None,
}


@pytest.mark.parametrize("name", FILES)
def test_every_case_is_used(name: str) -> None:
    ids = {case["id"] for case in json.loads((TESTS / "data" / f"{name}.json").read_text())}
    assert ids
    loop = FILES[name]
    if loop is None:
        used = {word for text in SOURCES.values() for word in re.findall(r"\b\w+-\d+\b", text)}
        assert ids - used == set()
    else:
        assert re.search(rf"\b{name}\b", SOURCES[loop])
        over_all = r'parametrize\(\s*"(case|name)", (CASES|\[n for n, c in CASES)'
        assert re.search(over_all, SOURCES[loop])
        assert "pytest.skip" not in SOURCES[loop]
