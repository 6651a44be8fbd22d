"""Many Python threads on one scene: the same answers as one after the other, and nobody starves."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from public_calls import functions, table
from rays_reference import box_mesh
from test_same_bits import THREADED, bits

from esi_fast import geometry as geo

FUNCTIONS = functions()
ON_A_SCENE = [name for name in THREADED if "scene" in table()[name]]


def test_queries_at_the_same_time_equal_queries_in_turn() -> None:
    calls = {name: table()[name] for name in ON_A_SCENE}
    serial = {name: bits(FUNCTIONS[name](**calls[name])) for name in calls}
    with ThreadPoolExecutor(8) as pool:
        jobs = [(name, pool.submit(FUNCTIONS[name], **calls[name])) for name in [*calls] * 3]
        for name, job in jobs:
            assert bits(job.result()) == serial[name], name


def shifted(x: float) -> Any:
    pose = np.eye(4)
    pose[0, 3] = x
    return pose


def moving_box() -> geo.Scene:
    scene = geo.Scene(threads=1)
    scene.add_instance(scene.add_mesh(*box_mesh((-1, -1, -1), (1, 1, 1))), object_id=7)
    return scene


def rays(scene: geo.Scene) -> set[float]:
    return set(geo.raycast.closest(scene, [[-10, 0.1, 0.2]] * 20, [[1, 0, 0]]).distance.tolist())


def spheres(scene: geo.Scene) -> set[float]:
    sweep = geo.distance.sweep_sphere(scene, [[-10, 0.1, 0.2]] * 3, [[0, 0.1, 0.2]], 0.5)
    return set(np.round(sweep.fraction * 10 + 0.5, 6).tolist())


def pictures(scene: geo.Scene) -> set[float]:
    camera = geo.Camera.looking_at((-10, 0, 0), (0, 0, 0), width=3, height=3, vfov_deg=4)
    image = geo.render.render(
        scene, camera, materials=[geo.render.Material()], modalities=("depth",)
    )
    assert image.depth is not None
    return set(np.round(image.depth.ravel(), 6).tolist())


@pytest.mark.parametrize("ask", [rays, spheres, pictures])
def test_each_answer_is_of_one_state_while_a_writer_moves(
    ask: Callable[[geo.Scene], set[float]],
) -> None:
    """The front of the box is at distance 9 or 6, for all rays of a call alike."""
    scene = moving_box()
    stop = threading.Event()
    wrong: list[set[float]] = []
    asked = [0] * 4

    def read(k: int) -> None:
        while not stop.is_set():
            found = ask(scene)
            asked[k] += 1
            if found not in ({9.0}, {6.0}):
                wrong.append(found)

    readers = [threading.Thread(target=read, args=(k,)) for k in range(4)]
    for reader in readers:
        reader.start()
    end = time.monotonic() + 20
    moves = 0
    while time.monotonic() < end and (moves < 50 or min(asked) < 3):
        scene.set_pose(0, shifted(-3.0 * (moves % 2)))
        moves += 1
    stop.set()
    for reader in readers:
        reader.join()
    assert wrong == []
    assert moves >= 50, "the writer starved"
    assert min(asked) >= 3, "a reader starved"
