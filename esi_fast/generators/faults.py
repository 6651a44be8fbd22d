"""Faults put into finished records on purpose, to see whether ``verify`` catches them.

Each fault is one that happens when worlds are made: something moves after it was measured, falls
over, never spawns, spawns as another model; a trajectory stops short. The record that comes out
holds the world as it then is and everything else as it was; nothing in it tells that it is wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from esi_fast import assets, registry
from esi_fast import geometry as geo
from esi_fast.errors import PlacementRejected
from esi_fast.generators.base import Task
from esi_fast.generators.verify import draft_of
from esi_fast.records import Instance, ObjectSpec
from esi_fast.sim.base import Simulator

__all__ = ["FAULTS", "Fault"]

Fault: TypeAlias = Callable[[Instance, Simulator, np.random.Generator], Instance | None]
"""Makes a faulty record of a good one; ``None`` where that record cannot have the fault."""

# An object is shifted by 0.1 to 0.3 m; this many shifts are tried until the label changes.
SHIFT = (0.1, 0.3)
_SHIFTS = 24


def shifted(instance: Instance, sim: Simulator, rng: np.random.Generator) -> Instance | None:
    """One target has moved along the floor after it settled, and the answer is another one."""
    task: Task = registry.get("task", instance.task)()
    sim.load(instance.scene)
    draft = draft_of(instance)
    names = [name for name in draft.targets if not _object(instance, name).fixed]
    for _ in range(_SHIFTS if names else 0):
        obj = _object(instance, names[int(rng.integers(len(names)))])
        way, reach = rng.uniform(-np.pi, np.pi), rng.uniform(*SHIFT)
        x, y, z = obj.position
        moved = obj.model_copy(
            update={"position": (float(x + reach * np.cos(way)), float(y + reach * np.sin(way)), z)}
        )
        token = sim.save()
        sim.set_poses([obj.id], np.array([moved.position]), np.array([moved.orientation]))
        try:
            label = task.label(sim.geometry(), draft).answer
        except PlacementRejected:
            # Between the answers: not what this fault is about.
            label = instance.answer
        sim.restore(token)
        if label != instance.answer:
            return _with(instance, moved)
    return None


def toppled(instance: Instance, sim: Simulator, rng: np.random.Generator) -> Instance | None:
    """One target lies on its side."""
    del sim
    names = [name for name in instance.targets if not _object(instance, name).fixed]
    if not names:
        return None
    obj = _object(instance, names[int(rng.integers(len(names)))])
    heading = rng.uniform(-np.pi, np.pi)
    half = np.sin(np.pi / 4)
    tip = np.array([half * np.cos(heading), half * np.sin(heading), 0.0, half])
    turn = geo.transforms.quat_multiply(tip, np.asarray(obj.orientation))
    corners = np.asarray(assets.get(obj.category, obj.model).mesh().vertices) * obj.scale
    lowest = float((corners @ geo.transforms.quat_to_matrix(turn)[2]).min())
    bottom = obj.position[2] - 0.5 * float(np.ptp(corners[:, 2]))
    lying = obj.model_copy(
        update={
            "position": (obj.position[0], obj.position[1], bottom - lowest),
            "orientation": tuple(float(v) for v in turn),
        }
    )
    return _with(instance, lying)


def missing(instance: Instance, sim: Simulator, rng: np.random.Generator) -> Instance | None:
    """One of the objects that were asked for is not there."""
    del sim
    name = str(rng.choice(sorted(instance.targets)))
    rest = tuple(obj for obj in instance.scene.objects if obj.id != name)
    return instance.model_copy(update={"scene": instance.scene.with_objects(rest)})


def other_model(instance: Instance, sim: Simulator, rng: np.random.Generator) -> Instance | None:
    """One of the objects came as another model, of its own category or of another."""
    del sim
    obj = _object(instance, str(rng.choice(sorted(instance.targets))))
    kinds = [(obj.category, model) for model in assets.models(obj.category) if model != obj.model]
    if not kinds or rng.random() < 0.5:
        names = [name for name in assets.categories() if name != obj.category]
        category = names[int(rng.integers(len(names)))]
        kinds = [(category, assets.models(category)[0])]
    category, model = kinds[int(rng.integers(len(kinds)))]
    return _with(instance, obj.model_copy(update={"category": category, "model": model}))


def cut_short(instance: Instance, sim: Simulator, rng: np.random.Generator) -> Instance | None:
    """The trajectory ends before the view that decides; the frames after it were never seen."""
    del sim
    undecided = [k for k, kept in enumerate(instance.oracle_possible) if len(kept) > 1]
    if not undecided:
        return None
    last = int(rng.integers(undecided[-1] + 1))
    return instance.model_copy(
        update={
            "oracle_actions": instance.oracle_actions[:last],
            "oracle_possible": instance.oracle_possible[: last + 1],
            "visibility": instance.visibility[: last + 1],
        }
    )


FAULTS: dict[str, Fault] = {
    "shifted": shifted,
    "toppled": toppled,
    "missing": missing,
    "other_model": other_model,
    "cut_short": cut_short,
}
"""Every fault by name."""


def _object(instance: Instance, name: str) -> ObjectSpec:
    return next(obj for obj in instance.scene.objects if obj.id == name)


def _with(instance: Instance, changed: ObjectSpec) -> Instance:
    objects = tuple(changed if obj.id == changed.id else obj for obj in instance.scene.objects)
    return instance.model_copy(update={"scene": instance.scene.with_objects(objects)})
