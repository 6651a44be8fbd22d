"""Which holds more: capacities, the dip and the pour agree, and the observer reads pours right."""

from __future__ import annotations

import numpy as np
import pytest

from esi_fast import assets, registry
from esi_fast import geometry as geo
from esi_fast.assets.capacities import closed_mesh
from esi_fast.assets.inner import base_of, raise_floor, with_floor
from esi_fast.errors import PlacementRejected
from esi_fast.generators.base import Draft, Task
from esi_fast.generators.physical_structure.liquid_volume import VESSELS, holds
from esi_fast.generators.place import stand
from esi_fast.records import (
    ActionRecord,
    CameraSpec,
    FrameRecord,
    ObjectSpec,
    Outcome,
    Question,
    SceneSpec,
)
from esi_fast.sim.base import Simulator
from esi_fast.sim.dip import dip

KINDS = (("mug", "ycbmug"), ("paper_cup", "guobeq"))
WORDS = ("mug", "paper cup")
PUBLIC = {
    "vessels": [
        {"word": word, "category": category, "model": model}
        for word, (category, model) in zip(WORDS, KINDS, strict=True)
    ]
}
CAMERA = CameraSpec(position=(0.0, 0.0, 1.0), orientation=(0.0, 0.0, 0.0, 1.0))


@pytest.fixture(scope="module")
def task() -> Task:
    made: Task = registry.get("task", "physical_structure/liquid_volume")()
    return made


@pytest.mark.parametrize("percent", [10, 35, 60])
def test_a_false_bottom_takes_its_share_and_shows_nothing_outside(percent: int) -> None:
    plain = assets.get(*KINDS[0])
    raised = assets.get(KINDS[0][0], with_floor(KINDS[0][1], percent))
    volumes = [geo.vessel.capacity(closed_mesh(a)).volume for a in (plain, raised)]
    assert volumes[1] / volumes[0] == pytest.approx(1.0 - percent / 100.0, abs=0.005)
    assert raised.size == plain.size
    # Within the vessel's own hull, and nowhere thicker than the walls have room for.
    floor = raised.parts[-1].vertices
    distance = geo.distance.signed_distance(
        geo.distance.Mesh(plain.parts[0].vertices, plain.parts[0].faces), floor
    ).distance
    assert distance.min() > -0.001
    assert (np.abs(floor) <= np.asarray(plain.size) / 2).all()
    assert base_of(raised.model) == (KINDS[0][1], percent)


def test_what_holds_nothing_takes_no_bottom() -> None:
    with pytest.raises(ValueError, match="holds no water"):
        raise_floor(assets.get("baseball", assets.models("baseball")[0]), 20)
    with pytest.raises(ValueError, match="0 to 90"):
        with_floor("model", 95)


def _draft(objects: tuple[ObjectSpec, ...]) -> Draft:
    return Draft(
        want=WORDS[0],
        question=Question(text="?", options=WORDS),
        camera=CAMERA,
        objects=objects,
        targets=VESSELS,
        public=PUBLIC,
        nouns=dict(zip(WORDS, VESSELS, strict=True)),
    )


def _objects(*bottoms: float) -> tuple[ObjectSpec, ...]:
    return tuple(
        stand(name, *kind, (0.3 * k, 0.0), 0.0).model_copy(update={"state": {"false_bottom": b}})
        for k, (name, kind, b) in enumerate(zip(VESSELS, KINDS, bottoms, strict=True))
    )


@pytest.fixture(scope="module")
def sim() -> Simulator:
    made: Simulator = registry.get("backend", "embedded")()
    return made


@pytest.mark.parametrize(
    ("bottoms", "answer"), [((0.0, 0.3), "mug"), ((0.6, 0.0), "paper cup"), ((0.3, 0.05), "")]
)
def test_the_label_is_the_larger_cavity(
    task: Task, sim: Simulator, bottoms: tuple[float, float], answer: str
) -> None:
    """393 ml and 272 ml, before the bottoms."""
    objects = _objects(*bottoms)
    sim.load(SceneSpec(name="table", objects=objects))
    if not answer:
        with pytest.raises(PlacementRejected, match="capacities_alike"):
            task.label(sim.geometry(), _draft(objects))
        return
    found = task.label(sim.geometry(), _draft(objects))
    assert found.answer == answer
    left = [393.0 * (1 - bottoms[0]), 272.4 * (1 - bottoms[1])]
    assert [found.numbers[f"{name}_ml"] for name in VESSELS] == pytest.approx(left, rel=0.01)


def test_the_dip_counts_the_volume_without_knowing_the_cavity() -> None:
    """To within a tenth, with a bottom and without: rims and walls count a little."""
    mesh = closed_mesh(assets.get(KINDS[0][0], with_floor(KINDS[0][1], 50)))
    whole = holds(KINDS[0][0], with_floor(KINDS[0][1], 50))
    counted = dip(mesh, 0.0048) * (2 * 0.0048) ** 3
    assert counted == pytest.approx(whole / 0.9, rel=0.1)


def _history(*deeds: tuple[str, bool, str]) -> list[FrameRecord]:
    frames = [FrameRecord(camera=CAMERA, masks={})]
    for text, ok, reason in deeds:
        name, *args = text.split(":")
        frames.append(
            FrameRecord(
                camera=CAMERA,
                masks={},
                action=ActionRecord(name=name, args=tuple(args)),
                outcome=Outcome(ok=ok, reason=reason),
            )
        )
    return frames


FILL, POUR = ("fill_with_water:mug", True, ""), "pour:mug:paper cup"
BOTH = set(WORDS)


@pytest.mark.parametrize(
    ("deeds", "left"),
    [
        ((), BOTH),
        ((FILL,), BOTH),
        ((FILL, (POUR, True, "spilled")), {"mug"}),
        ((FILL, (POUR, True, "")), {"paper cup"}),
        # Nothing was poured.
        ((FILL, (POUR, False, "too_far")), BOTH),
        # Not full: what there was had room.
        (((POUR, True, ""),), BOTH),
        # Into one that is not empty: of course it ran over; had it not, there was room for all.
        ((FILL, ("fill_with_water:paper cup", True, ""), (POUR, True, "spilled")), BOTH),
        ((FILL, ("pour:mug", True, ""), (POUR, True, "")), BOTH),
        ((FILL, ("pour:mug", True, ""), FILL, (POUR, True, "spilled")), {"mug"}),
        # One that was put somewhere may lie on its side.
        ((FILL, ("put_on:paper cup:mug", True, ""), (POUR, True, "spilled")), BOTH),
        (((FILL), ("pour:object_7:paper cup", True, ""), FILL, (POUR, True, "spilled")), BOTH),
        (((FILL), ("pour:object_7:paper cup", True, ""), FILL, (POUR, True, "")), {"paper cup"}),
    ],
)
def test_what_a_pour_tells(
    task: Task, deeds: tuple[tuple[str, bool, str], ...], left: set[str]
) -> None:
    assert task.still_possible(_history(*deeds), PUBLIC) == left


def test_the_twin_is_the_other_answer_in_the_same_vessels(task: Task, sim: Simulator) -> None:
    objects = _objects(0.0, 0.4)
    sim.load(SceneSpec(name="table", objects=objects))
    twin = task.twin(sim.geometry(), _draft(objects), np.random.default_rng(1))
    assert twin is not None
    sim.remove(list(VESSELS))
    sim.add(twin)
    assert task.label(sim.geometry(), _draft(twin)).answer == WORDS[1]
    assert [(o.position, o.scale, o.model) for o in twin] == [
        (o.position, o.scale, o.model) for o in objects
    ]
