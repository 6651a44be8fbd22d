"""The recorded faults of packages: conversions of arrays, versions, back ends, installs."""

from __future__ import annotations

import gc
import importlib.metadata
import json
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import esi_fast
from esi_fast import geometry as geo
from esi_fast.geometry import _core

ROOT = Path(__file__).resolve().parents[1]
CASES: dict[str, dict[str, Any]] = {
    case["id"]: case for case in json.loads((ROOT / "tests/data/packaging.json").read_text())
}
INSTALLED = Path(esi_fast.__file__).parent


def distance(vertices: Any, faces: Any, origins: Any, directions: Any) -> float:
    scene = geo.Scene(threads=1)
    scene.add_instance(scene.add_mesh(vertices, faces), object_id=0)
    return float(geo.raycast.closest(scene, origins, directions).distance[0])


def strided(array: Any) -> Any:
    return np.repeat(array, 2, axis=0)[::2]


def field(array: Any) -> Any:
    """One field of a structured array."""
    table = np.zeros(len(array), [("tag", "i4"), ("xyz", "f8", (3,)), ("rest", "f4")])
    table["xyz"] = array
    return table["xyz"]


def read_only(array: Any) -> Any:
    array = array.copy()
    array.flags.writeable = False
    return array


LAYOUTS: dict[str, Callable[[Any], Any]] = {
    "C float64": np.array,
    "C float32": lambda a: a.astype(np.float32),
    "Fortran order": np.asfortranarray,
    "every second row of a larger array (v[::2])": strided,
    "field of a structured array": field,
    "reversed view v[::-1][::-1]": lambda a: np.ascontiguousarray(a[::-1])[::-1],
    "transposed (3,N).T": lambda a: np.ascontiguousarray(a.T).T,
    "big-endian >f4": lambda a: a.astype(">f4"),
    "read-only": read_only,
}


def test_any_layout_in_memory_is_read_right() -> None:
    case = CASES["packaging-01"]
    given = case["input"]
    vertices = np.array(given["mesh"]["vertices"], float)
    origin, direction = np.array([given["ray"]["o"]], float), np.array([given["ray"]["d"]], float)
    assert set(given["layouts"]) == set(LAYOUTS)
    for layout, expected in zip(given["layouts"], case["expected"]["t"], strict=True):
        convert = LAYOUTS[layout]
        two = np.concatenate([origin, origin]), np.concatenate([direction, direction])
        found = distance(convert(vertices), given["mesh"]["faces"], *map(convert, two))
        assert found == pytest.approx(expected, abs=1e-6), layout


def test_coordinates_beyond_single_precision_are_not_infinite() -> None:
    given = CASES["packaging-02"]["input"]
    scene = geo.Scene()
    # Finite in double precision, in which meshes are kept; no instance may place it in a world.
    mesh = scene.add_mesh(given["vertices"], given["faces"])
    assert np.isfinite(scene.mesh_arrays(mesh)[0]).all()
    with pytest.raises(ValueError, match=r"^pose: expected world coordinates within 1e12 m, got"):
        scene.add_instance(mesh, object_id=0)
    wanted = r"^vertices: expected coordinates within 1e60, got 1e\+70"
    with pytest.raises(ValueError, match=wanted):
        scene.add_mesh(np.array(given["vertices"]) * 1e30, given["faces"])


def test_results_are_never_written_into_a_copy() -> None:
    """No function fills an array of the caller: all results are new arrays."""
    assert CASES["packaging-03"]["expected"]["never"] == "returns normally with out unchanged"
    for module in [m for m in vars(_core).values() if isinstance(m, ModuleType)]:
        for name, member in vars(module).items():
            if callable(member) and "out: " in (member.__doc__ or "").split("\n")[0]:
                pytest.fail(f"{module.__name__}.{name} has an output argument: test its layouts")


def test_arrays_of_different_types_in_one_call() -> None:
    case = CASES["packaging-05"]
    given = case["input"]
    origins = np.array([given["origin"]], given["origins"]["dtype"])
    directions = np.array(given["directions"]["v"], given["directions"]["dtype"])
    mesh = given["mesh"]
    found = distance(np.array(mesh["vertices"], np.int16), mesh["faces"], origins, directions)
    assert found == pytest.approx(case["expected"]["t"], abs=1e-6)


def test_the_package_works_from_anywhere_with_stubs_and_data(tmp_path: Path) -> None:
    """As installed, editable or not: a stub beside the extension hides nothing."""
    expected = CASES["packaging-08"]["expected"]
    assert all(expected.values())
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from importlib.resources import files\n"
        "from esi_fast import geometry as geo\n"
        "assert not geo.raycast.any(geo.Scene(), [[0, 0, 0]], [[0, 0, 1]])[0]\n"
        "stub = files('esi_fast.geometry') / '_core' / 'raycast.pyi'\n"
        "assert 'def closest' in stub.read_text()\n"
        "assert (files('esi_fast') / 'py.typed').is_file()\n"
    )
    command = [sys.executable, "-P", "-W", "error", "-c", code, str(INSTALLED.parent)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_back_end_is_known() -> None:
    """packaging-10: Embree or an error at import (tests/test_light_import.py), never a slow way."""
    assert "packaging-10" in CASES
    assert geo.EMBREE_VERSION // 10000 == 4
    assert _core.version.embree() == geo.EMBREE_VERSION


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_another_embree_in_the_process_changes_nothing() -> None:
    """embreex brings a library of the same name; whoever comes first, each finds its own."""
    pytest.importorskip("embreex")
    code = """
import sys
for name in sys.argv[1].split(","):
    __import__(name)
import numpy as np
from embreex import rtcore_scene
from embreex.mesh_construction import TriangleMesh
from esi_fast import geometry as geo
v = np.array([[0, 0, 1], [4, 0, 1], [0, 4, 1]], np.float32)
theirs = rtcore_scene.EmbreeScene()
TriangleMesh(theirs, v[None])
ray = np.array([[1, 1, 0]], np.float32), np.array([[0, 0, 1]], np.float32)
assert theirs.run(*ray, query="DISTANCE")[0] == 1
ours = geo.Scene()
ours.add_instance(ours.add_mesh(v, [[0, 1, 2]]), object_id=0)
assert geo.raycast.closest(ours, *ray).distance[0] == 1
maps = open("/proc/self/maps").read()
print(len({line.split()[-1] for line in maps.splitlines() if "libembree4" in line}))
"""
    for order in ("embreex.rtcore_scene,esi_fast.geometry", "esi_fast.geometry,embreex"):
        done = subprocess.run(
            [sys.executable, "-c", code, order],
            cwd=INSTALLED.parent,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert int(done.stdout) >= 1


def test_the_version_is_that_of_the_metadata() -> None:
    assert CASES["packaging-11"]["expected"]["module_version_equals_metadata_version"]
    try:
        stated = importlib.metadata.version("esi-fast")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("run from the sources, not installed")
    assert esi_fast.__version__ == stated


def test_a_scene_keeps_nothing_of_the_callers_memory() -> None:
    case = CASES["packaging-13"]
    given = case["input"]
    vertices = np.array(given["mesh"]["vertices"], float)
    faces = np.array(given["mesh"]["faces"], np.int32)
    scene = geo.Scene()
    scene.add_instance(scene.add_mesh(vertices, faces), object_id=0)
    mesh = geo.distance.Mesh(vertices, faces)
    vertices += 100
    faces[:] = 0
    del vertices, faces
    gc.collect()
    ray = [given["ray"]["o"]], [given["ray"]["d"]]
    assert geo.raycast.closest(scene, *ray).distance[0] == case["expected"]["t"]
    assert geo.distance.points_to_mesh(mesh, [given["ray"]["o"]]).distance[0] == 2.0


def test_the_build_is_pinned_from_both_sides() -> None:
    """packaging-14: what the build and the run need has a lower bound, the binding an upper one."""
    if not (ROOT / "pyproject.toml").exists():
        pytest.skip("not run from a source tree")
    assert "packaging-14" in CASES
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    requires = {text.split(";")[0].strip() for text in project["build-system"]["requires"]}
    assert all(">=" in text or "==" in text for text in requires), requires
    assert {text for text in requires if text.startswith(("pybind11", "embreex"))} == {
        text for text in requires if "<" in text
    }
    assert all(">=" in text or "==" in text for text in project["project"]["dependencies"])
