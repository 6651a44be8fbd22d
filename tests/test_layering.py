"""Imports point only towards the geometry; SDKs and backends stay in their one file."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import esi_fast

PACKAGE = Path(esi_fast.__file__).parent

# Lowest first: a module may import from its own ring and from those above it in this list.
RINGS: list[set[str]] = [
    {"__init__"},
    {"geometry"},
    {"_files", "_ray", "types", "errors", "records", "registry", "seeding", "jobs"},
    {"assets"},
    {"sim"},
    {"dataset"},
    {"generators"},
    {"eval"},
    {"cli", "__main__", "demo"},
]
RING = {name: level for level, ring in enumerate(RINGS) for name in ring}

# What the geometry may import. Only its interop, which turns objects of other libraries into
# arrays, may import those when called.
LIGHT = {"numpy", *sys.stdlib_module_names}
INTEROP = {"geometry/interop.py", "geometry/_interop_pybullet.py"}

# Third-party packages that only one file may import.
ONLY_IN = {
    "ray": "_ray.py",
    "omnigibson": "sim/omnigibson.py",
    "openai": "eval/models.py",
    "google": "eval/models.py",
    "anthropic": "eval/models.py",
}


def unit(path: Path) -> str:
    """The ring member that a file belongs to: ``sim`` for ``sim/base.py``."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(source: str) -> Iterator[str]:
    """Dotted names imported anywhere in a module, relative imports refused."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: relative import"
            for alias in node.names:
                yield f"{node.module}.{alias.name}"


def violations(member: str, file: str, source: str) -> list[str]:
    """What is wrong with the imports of one file."""
    found = []
    for name in imports(source):
        parts = name.split(".")
        if parts[0] == "esi_fast":
            target = parts[1] if len(parts) > 1 and parts[1] in RING else "__init__"
            if RING[target] > RING[member]:
                found.append(f"{file}: {member} imports {name}")
        elif member == "geometry" and parts[0] not in LIGHT and file not in INTEROP:
            found.append(f"{file}: geometry imports {name}")
        if parts[0] in ONLY_IN and file != ONLY_IN[parts[0]]:
            found.append(f"{file}: {name} belongs into {ONLY_IN[parts[0]]}")
    return found


FILES = sorted(PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.relative_to(PACKAGE).as_posix())
def test_imports_point_inwards(path: Path) -> None:
    member = unit(path)
    assert member in RING, f"{member} is in no ring: add it to RINGS"
    assert violations(member, path.relative_to(PACKAGE).as_posix(), path.read_text()) == []


def test_package_was_found() -> None:
    assert {"geometry", "sim", "records", "generators"} <= {unit(path) for path in FILES}


@pytest.mark.parametrize(
    ("member", "file", "source"),
    [
        ("geometry", "geometry/a.py", "from esi_fast.sim import base"),
        ("geometry", "geometry/a.py", "def f():\n    import scipy.spatial"),
        ("geometry", "geometry/a.py", "from esi_fast import records"),
        ("sim", "sim/a.py", "import esi_fast.generators.base"),
        ("sim", "sim/a.py", "import omnigibson as og"),
        ("eval", "eval/agents.py", "from openai import OpenAI"),
        ("dataset", "dataset/a.py", "from esi_fast import cli"),
    ],
)
def test_a_violation_is_seen(member: str, file: str, source: str) -> None:
    assert len(violations(member, file, source)) == 1


@pytest.mark.parametrize(
    ("member", "file", "source"),
    [
        (
            "geometry",
            "geometry/a.py",
            "import math\nimport numpy as np\nfrom esi_fast import geometry",
        ),
        ("sim", "sim/omnigibson.py", "import omnigibson"),
        ("eval", "eval/a.py", "from esi_fast import __version__, records\nimport scipy"),
        ("cli", "cli.py", "from esi_fast.eval import report"),
    ],
)
def test_what_is_allowed_passes(member: str, file: str, source: str) -> None:
    assert violations(member, file, source) == []
