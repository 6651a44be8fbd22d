"""Whatever is made and dropped thousands of times leaves the process as large as it was."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from public_calls import camera, materials, mirror
from rays_reference import add_box, box_mesh

from esi_fast import geometry as geo

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")

MIB = 2**20
RANDOM = np.random.default_rng(5)
VERTICES = RANDOM.random((900, 3))
FACES = np.arange(900).reshape(-1, 3)
POINTS = RANDOM.random((500, 3))


def resident() -> int:
    """Bytes of this process in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def scenes() -> None:
    scene = geo.Scene()
    mesh = scene.add_mesh(VERTICES, FACES, normals=np.ones((300, 3, 3)), uv=np.ones((300, 3, 2)))
    instance = scene.add_instance(mesh, object_id=1)
    geo.raycast.closest(scene, POINTS, POINTS[::-1] - POINTS)
    scene.set_pose(instance, np.eye(4))
    geo.distance.sweep_sphere(scene, POINTS[:9], POINTS[9:18], 0.01)
    geo.mirror.visible_through(scene, POINTS, POINTS[::-1], mirror())


def meshes() -> None:
    mesh = geo.distance.Mesh(VERTICES, FACES)
    geo.distance.points_to_mesh(mesh, POINTS[:20])
    geo.distance.contains(mesh, POINTS[:20])


def errors() -> None:
    """Calls that fail half way: after conversions, in the core, inside a scene."""
    scene = geo.Scene()
    mesh = scene.add_mesh(VERTICES, FACES)
    scene.add_instance(mesh, object_id=1)
    broken = VERTICES.copy()
    broken[-1, -1] = np.nan
    for call in (
        lambda: scene.add_mesh(broken, FACES),
        lambda: scene.add_mesh(VERTICES, FACES + 900),
        lambda: scene.add_instance(mesh, object_id=-1),
        lambda: scene.add_instance(mesh, object_id=0, pose=np.zeros((4, 4))),
        lambda: geo.occlusion.visible(scene, POINTS, broken),
        lambda: geo.occlusion.visible(scene, POINTS, POINTS, ignore=["chair"]),
        lambda: geo.raycast.closest(scene, POINTS, POINTS, threads=-1),
        lambda: geo.distance.Mesh(VERTICES, FACES - 1).closed,
        lambda: geo.render.render(scene, camera(), materials=[]),
    ):
        with pytest.raises((ValueError, TypeError)):
            call()


WORLD = geo.Scene()
for k in range(5):
    add_box(WORLD, (k, 0, 0), (k + 0.5, 1, 1), object_id=k)
MATERIALS = materials()


def pictures() -> None:
    image = np.zeros((8, 8, 3), np.uint8)
    looks = [*MATERIALS[:4], geo.render.Material(texture="image", image=image)]
    settings = geo.render.Settings(samples=1, shadow_samples=1, ao_samples=1)
    geo.render.render(WORLD, camera(16), materials=looks, settings=settings)


def moves() -> None:
    pose = np.eye(4)
    pose[0, 3] = RANDOM.random()
    WORLD.set_pose(2, pose)
    geo.raycast.all(WORLD, POINTS, POINTS[::-1] - POINTS)


INSTANCES = geo.Scene()
BOX = INSTANCES.add_mesh(*box_mesh((0, 0, 0), (1, 1, 1)))


def instances() -> None:
    """Ids are never used again, but what a removed instance held is freed."""
    made = INSTANCES.add_instance(BOX, object_id=0)
    INSTANCES.build()
    INSTANCES.remove_instance(made)
    INSTANCES.build()


@pytest.mark.parametrize(
    ("work", "rounds"),
    [
        (scenes, 400),
        (meshes, 400),
        (errors, 400),
        (pictures, 300),
        (moves, 1000),
        (instances, 1000),
    ],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_memory_stays_flat(work: Callable[[], None], rounds: int) -> None:
    for _ in range(rounds // 4):  # caches and the allocator's own reserves
        work()
    gc.collect()
    before = resident()
    for _ in range(rounds):
        work()
    gc.collect()
    # A leak of one kilobyte per round would show, and one mesh here has tens of them.
    assert resident() - before < max(rounds * 1024, MIB)
