"""Placed on a floor as drawn, the small objects stay where they are."""

from __future__ import annotations

import numpy as np

from esi_fast import assets
from esi_fast.records import ObjectSpec, SceneSpec
from esi_fast.sim.embedded import EmbeddedSimulator


def test_placeable_objects_come_to_rest_where_they_were_put() -> None:
    names = assets.placeable()
    objects = [
        ObjectSpec(
            id="floor",
            category="floor",
            model="box",
            position=(6.0, 20.0, -0.05),
            scale=(20.0, 50.0, 0.1),
            role="structure",
            fixed=True,
        )
    ]
    for k, name in enumerate(names):
        model = assets.models(name)[0]
        high = assets.get(name, model).size[2]
        place = (k % 12 * 1.1, k // 12 * 1.1, high / 2 + 1e-4)
        objects.append(
            ObjectSpec(id=name, category=name, model=model, position=place, role="question")
        )
    simulator = EmbeddedSimulator()
    simulator.load(SceneSpec(name="rest", objects=tuple(objects)))
    before = simulator.poses(names).positions
    report = simulator.settle(4.0)
    after = simulator.poses(names).positions
    assert report.at_rest
    assert report.penetration < 1e-3
    moved = np.linalg.norm(after - before, axis=1)
    # Fruit and shells that are drawn lying straight find their own way to lie; nothing rolls off.
    radius = np.array([assets.info(name).radius for name in names])
    assert (moved <= 0.45 * radius + 0.002).all(), dict(zip(names, moved.round(4), strict=True))
