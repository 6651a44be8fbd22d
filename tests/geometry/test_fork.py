"""A forked child can query and rebuild what its parent built, and build scenes of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import esi_fast

SCRIPT = """
import os
import signal

import numpy as np

from esi_fast import geometry as geo

random = np.random.default_rng(0)
vertices = random.random((30_000, 3))
origins, directions = random.random((5_000, 3)), random.normal(size=(5_000, 3))


def build():
    scene = geo.Scene(threads=2)
    mesh = scene.add_mesh(vertices, np.arange(30_000).reshape(-1, 3))
    scene.add_instance(mesh, object_id=1)
    return scene


def distances(scene):
    return geo.raycast.closest(scene, origins, directions, threads=2).distance


scene = build()
expected = distances(scene)
child = os.fork()
if child == 0:
    signal.alarm(60)  # a child that hangs kills itself
    same = (distances(scene) == expected).all() and (distances(build()) == expected).all()
    scene.set_pose(0, np.eye(4))
    os._exit(0 if same and (distances(scene) == expected).all() else 1)
_, status = os.waitpid(child, 0)
raise SystemExit(status != 0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_child_builds_and_queries() -> None:
    root = str(Path(esi_fast.__file__).parent.parent)
    done = subprocess.run(
        [sys.executable, "-P", "-W", "ignore::DeprecationWarning", "-c", SCRIPT],
        env=dict(os.environ, PYTHONPATH=root),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
