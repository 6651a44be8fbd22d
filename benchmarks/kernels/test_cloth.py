"""Cloth that falls on a ball: how much faster than the clock, and than MuJoCo's flexible bodies."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
from measure import compare

from esi_fast.geometry import transforms
from esi_fast.geometry.cloth import Cloth, ClothMaterial, sheet
from esi_fast.geometry.fields import DistanceField, Obstacle, Plane

SIDE, COUNT, HEIGHT, RADIUS = 0.5, 40, 0.27, 0.12
SECONDS = 0.5


def ball() -> Obstacle:
    half = int(np.ceil((RADIUS + 0.03) / 0.008))
    axis = 0.008 * np.arange(-half, half + 1)
    grid = np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), axis=-1)
    field = DistanceField(
        np.linalg.norm(grid, axis=-1) - RADIUS, origin=[axis[0]] * 3, spacing=0.008
    )
    return Obstacle(field, transforms.pose_matrix((0, 0, RADIUS), (0, 0, 0, 1)))


def fall(ball: Obstacle, *, self_collision: bool) -> Cloth:
    vertices, faces = sheet((SIDE, SIDE), (COUNT, COUNT), height=HEIGHT)
    cloth = Cloth(vertices, faces, ClothMaterial(self_collision=self_collision))
    cloth.step(SECONDS, obstacles=[ball], planes=[Plane()])
    return cloth


@pytest.mark.benchmark(group="cloth")
@pytest.mark.parametrize(("self_collision", "bar"), [(False, 3.0), (True, 1.5)])
def test_real_time(benchmark: Any, self_collision: bool, bar: float) -> None:
    """40 x 40 particles, the half second in which it falls, lands and drapes."""
    obstacle = ball()
    cloth = fall(obstacle, self_collision=self_collision)
    assert cloth.stretch < 0.08
    away = np.linalg.norm(cloth.positions - [0, 0, RADIUS], axis=1)
    assert away.min() > RADIUS + 0.005
    taken = []
    for _ in range(3):
        begin = time.process_time()
        fall(obstacle, self_collision=self_collision)
        taken.append(time.process_time() - begin)
    benchmark.pedantic(lambda: fall(obstacle, self_collision=self_collision), rounds=1)
    times = SECONDS / min(taken)
    what = "cloth on a ball" + (", layers kept apart" if self_collision else "")
    benchmark.extra_info.update(what=what, size="40 x 40 particles", speed_over_real_time=times)
    print(f"\n  {times:.2f} x real time")
    assert times >= bar


@pytest.mark.benchmark(group="cloth")
def test_against_flex(benchmark: Any) -> None:
    """The same fall by MuJoCo's flex (edges as equalities, CG): 12 x as fast at least.

    Both cover the ball: the middle lies on top of it and the corners hang. The flex's edges
    stretch by a third and more meanwhile, at its default step as at half of it.
    """
    mujoco = pytest.importorskip("mujoco")
    step = 0.002  # MuJoCo's own
    gap = SIDE / (COUNT - 1)
    model = mujoco.MjModel.from_xml_string(f"""
        <mujoco>
          <option timestep="{step}" solver="CG" tolerance="1e-6"/>
          <worldbody>
            <geom type="plane" size="2 2 .1"/>
            <geom type="sphere" size="{RADIUS}" pos="0 0 {RADIUS}"/>
            <flexcomp name="cloth" type="grid" dim="2" count="{COUNT} {COUNT} 1" mass="0.2"
                      spacing="{gap} {gap} {gap}" pos="0 0 {HEIGHT}" radius="0.006">
              <edge equality="true" damping="0.01"/>
              <contact selfcollide="none"/>
            </flexcomp>
          </worldbody>
        </mujoco>""")
    obstacle = ball()

    def theirs() -> Any:
        data = mujoco.MjData(model)
        for _ in range(round(SECONDS / step)):
            mujoco.mj_step(model, data)
        return data

    mine = fall(obstacle, self_collision=False).positions
    peer = np.asarray(theirs().flexvert_xpos).reshape(-1, 3)
    for p in (mine, peer):
        assert np.isfinite(p).all()
        assert p[:, 2].max() == pytest.approx(2 * RADIUS + 0.006, abs=0.006)
        corners = np.sort(np.linalg.norm(p[:, :2], axis=1))[-4:]
        assert corners.max() < 0.95 * SIDE / np.sqrt(2)
    speed = compare(
        benchmark,
        lambda: fall(obstacle, self_collision=False),
        what="cloth on a ball",
        size="40 x 40 particles, 0.5 s",
        rounds=2,
        mujoco_core=theirs,
    )
    assert speed["mujoco_core"] >= 12.0
