"""What a task is: one class, four parts, one file.

``build`` arranges a world towards a wanted answer, ``label`` measures the answer in the settled
state, ``witness`` derives it a second time by other means, ``still_possible`` is the ideal
observer. Everything else (pairing, balance, retries, checks, oracle search, records) is the
driver's and the same for all tasks.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from esi_fast.assets.houses import door_pose
from esi_fast.errors import SceneUnsuitable
from esi_fast.generators import pick
from esi_fast.generators.goals import Goal, viewpoints
from esi_fast.records import (
    CameraSpec,
    CheckResult,
    Evidence,
    FrameRecord,
    Instance,
    ObjectSpec,
    Question,
    SceneSpec,
)
from esi_fast.sim.base import Capability, Simulator, Snapshot
from esi_fast.sim.episode import EpisodeCore
from esi_fast.types import FloatArray, JsonDict

__all__ = ["Draft", "Task", "World", "known_shape", "known_shell", "public_part", "public_view"]


@dataclass
class World:
    """The generator's hand on a simulator: a loaded scene and two streams of randomness.

    ``pair_rng`` is the same for both members of a pair (categories, room), ``rng`` differs with
    every attempt. ``home`` is the snapshot of the scene before anything was added to it.
    """

    sim: Simulator
    scene: SceneSpec
    home: Snapshot
    pair_rng: Callable[[str], np.random.Generator]
    rng: np.random.Generator

    def models(
        self, footprint: pick.SizeRange, height: pick.SizeRange, *, symmetric: bool = False
    ) -> tuple[tuple[str, str], ...]:
        """``pick.pool`` without the categories that the house holds already.

        Observers know objects by their category: a second kettle on a counter would be taken for
        the one of the question. Raises ``SceneUnsuitable`` when nothing is left.
        """
        there = {obj.category for obj in self.home.objects}
        pool = pick.pool(footprint, height, symmetric=symmetric)
        found = tuple(kind for kind in pool if kind[0] not in there)
        if not found:
            raise SceneUnsuitable("all_models_in_house", categories=len(there))
        return found


@dataclass(frozen=True)
class Draft:
    """What ``build`` made of a wanted answer.

    ``targets`` are the ids of the question objects, which may be of the house: doors, for example.
    ``public`` is what the observer is told beside the frames; ``notes`` holds the intention, which
    only checks may read: labels come from the settled state. ``states`` are set on objects, those
    of the house too, once ``objects`` have been added: values by name of the state, by id.
    ``nouns``, ``hide`` and ``context_labels`` are those of ``Instance``.
    """

    want: str
    question: Question
    camera: CameraSpec
    objects: tuple[ObjectSpec, ...]
    targets: tuple[str, ...]
    public: JsonDict
    context_cameras: tuple[CameraSpec, ...] = ()
    context_labels: tuple[str, ...] = ()
    nouns: Mapping[str, str] = field(default_factory=dict)
    hide: tuple[str, ...] = ()
    states: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    notes: JsonDict = field(default_factory=dict)

    def core(self, sim: Simulator) -> EpisodeCore:
        """An episode from the first view of the draft, which ``sim`` holds."""
        return EpisodeCore(sim, self.camera, nouns=self.nouns, hide=self.hide)


class Task(ABC):
    """One subcategory. Register with ``@register("task", "<category>/<subcategory>")``."""

    version: ClassVar[int] = 1
    requires: ClassVar[frozenset[Capability]] = frozenset({Capability.RIGID})
    # What the driver balances over. Options of a question may be these or differ per instance.
    answers: ClassVar[tuple[str, ...]]
    # Kinds of viewpoint that settle the question, most telling first (``viewpoints``).
    vantages: ClassVar[tuple[str, ...]] = ("near", "steep", "above")
    # How many rooms the houses have: one of these, in turn.
    house_rooms: ClassVar[tuple[int, ...]] = (4,)

    @abstractmethod
    def build(self, world: World, want: str) -> Draft:
        """Arrange objects so that the answer should become ``want``.

        Works on ``world.home`` alone and adds nothing: the driver adds ``Draft.objects``. Raises
        ``PlacementRejected`` (another sample may do) or ``SceneUnsuitable`` (another room).
        """

    @abstractmethod
    def label(self, snapshot: Snapshot, draft: Draft) -> Evidence:
        """The answer measured in the settled state.

        Raises ``PlacementRejected`` where the state lies between the answers.
        """

    @abstractmethod
    def witness(self, sim: Simulator, snapshot: Snapshot, draft: Draft) -> Evidence:
        """The answer by a second derivation that shares no code with the first but triangles."""

    @abstractmethod
    def still_possible(self, history: Sequence[FrameRecord], public: JsonDict) -> frozenset[str]:
        """Every answer that some world consistent with the history still gives.

        Works on the serialised history and the public part alone (``public_view``).
        """

    @abstractmethod
    def places(self, history: Sequence[FrameRecord], public: JsonDict) -> list[FloatArray]:
        """Where the question's objects may be, (3,) points in metres, most telling first.

        What the observer would go and look at next: it feeds the search for oracle trajectories
        and the perfect agent. Empty where nothing has been seen yet.
        """

    def goals(
        self, camera: CameraSpec, points: Sequence[FloatArray], public: JsonDict
    ) -> list[Goal]:
        """Viewpoints worth reaching for what may be at ``points``, and what to do there.

        ``camera`` is that of view 0. The search for oracle trajectories gives the true places of
        the targets, the perfect agent those of ``places``.
        """
        del public
        return viewpoints(camera, points, self.vantages)

    def twin(
        self, snapshot: Snapshot, draft: Draft, rng: np.random.Generator
    ) -> tuple[ObjectSpec, ...] | None:
        """The objects of another world, with another answer, that looks the same at first.

        They obey the guards of the task, and the masks of their first view are those of the
        settled ``draft`` within 2 px; ``None`` where none was found. The proof that the observer
        loses nothing (``soundness``) puts them in the place of ``draft.objects``.
        """
        del snapshot, draft, rng
        return None

    def checks(self, world: World, snapshot: Snapshot, draft: Draft) -> list[CheckResult]:
        """Guards of this task beyond those that hold for all (``checks.py``)."""
        del world, snapshot, draft
        return []


# Roles that the observer is told about (TASKS: the shell of the rooms and the furniture).
_PUBLIC_ROLES = frozenset({"structure", "furniture"})


def public_view(instance: Instance) -> JsonDict:
    """All that an ideal observer may know of an instance beside the frames of its history.

    Poses, scales and states of hidden objects, the label and the oracle are not in it.
    """
    return public_part(instance.public, instance.question, instance.scene, instance.nouns)


def public_part(
    told: JsonDict, question: Question, scene: SceneSpec, nouns: Collection[str] = ()
) -> JsonDict:
    """The same for a draft: ``told`` is its ``public``, ``scene`` the settled world."""
    return {
        **told,
        "options": list(question.options),
        "nouns": sorted(nouns),
        # Which rooms can be reached depends on the doors.
        "rooms": [room.model_dump(mode="json", exclude={"reachable"}) for room in scene.rooms],
        "shell": known_shell(scene.objects),
    }


def known_shell(objects: Sequence[ObjectSpec]) -> list[JsonDict]:
    """What the observer knows of all objects from the start: those of the house."""
    return [
        known_shape(obj).model_dump(mode="json") for obj in objects if obj.role in _PUBLIC_ROLES
    ]


def known_shape(obj: ObjectSpec) -> ObjectSpec:
    """An object of the shell as the observer knows it: shut, whether or not it is.

    How far a door stands open shows in the pose of its leaf as well. A shut leaf's pose is rounded,
    so that no last digit tells that it has been elsewhere.
    """
    if "open" not in obj.state:
        return obj
    if "hinge" in obj.state:
        obj = door_pose(obj, 0.0)
        x, y, z = (round(v, 6) for v in obj.position)
        _, _, qz, qw = obj.orientation
        half = round(float(np.arctan2(qz, qw)), 9)
        turned = (0.0, 0.0, float(np.sin(half)), float(np.cos(half)))
        obj = obj.model_copy(update={"position": (x, y, z), "orientation": turned})
    state = {key: value for key, value in obj.state.items() if key != "open"}
    return obj.model_copy(update={"state": state})
