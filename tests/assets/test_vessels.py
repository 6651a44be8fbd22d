"""What is open at the top holds what its cavity says, measured on the mesh."""

from __future__ import annotations

import math

import numpy as np
import pytest

from esi_fast import assets
from esi_fast import geometry as geo
from esi_fast.geometry.distance import ContainmentStatus

OPEN = [
    name
    for name in assets.categories()
    if assets.get(name, assets.models(name)[0]).cavity is not None
]


@pytest.mark.parametrize("category", OPEN)
def test_cavity_holds_its_volume(category: str) -> None:
    asset = assets.get(category, assets.models(category)[0])
    assert asset.cavity is not None
    low, high = np.array(asset.cavity.lower), np.array(asset.cavity.upper)
    inside = float(np.prod(high - low)) * (math.pi / 4.0 if asset.cavity.rounded else 1.0)
    lid = [part for hinge in asset.hinges for part in hinge.parts]
    mesh = asset.mesh()
    found = geo.vessel.capacity(
        (mesh.vertices, mesh.faces[~np.isin(mesh.part, lid)]),
        spacing=float(min(asset.size[:2])) / 80.0,
    )
    assert found.status == ContainmentStatus.OK
    held = found.volume
    # The cavity is a cylinder that fits in; the vessel holds that much and not more than its box.
    # Liquid stops at the lowest point of the rim, a spout for instance.
    assert 0.75 * inside < held < float(np.prod(asset.size))


def test_what_liquid_questions_pour_is_open() -> None:
    poured = {
        "bowl", "vase", "water_glass", "mug", "stockpot", "hingeless_jar", "wineglass", "teacup",
        "jug", "beer_glass", "coffee_cup", "soda_cup", "plant_pot", "bucket", "carafe",
        "paper_cup", "goblet", "wine_bottle", "water_bottle", "pitcher", "beaker",
    }  # fmt: skip
    assert poured <= set(OPEN)
